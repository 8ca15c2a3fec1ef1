"""RobotsTxt: what one robots.txt says to one crawler; bytes in, decisions out (RFC 9309, or another dialect)."""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scrapy_polite.decision import Decision
from scrapy_polite.robots import values
from scrapy_polite.robots.dialect import MAX_COST, NO_RULE, TOO_COSTLY, Dialect, Group, Matcher, Rule, Values
from scrapy_polite.robots.lines import (
    CLEAN_PARAM,
    CRAWL_DELAY,
    HOST,
    REQUEST_RATE,
    SITEMAP,
    UTF16_MARKS,
    VISIT_TIME,
    bridged,
    looks_like_html,
    split_lines,
)
from scrapy_polite.robots.paths import path_of
from scrapy_polite.robots.product_token import product_token
from scrapy_polite.robots.rfc import RFC

if TYPE_CHECKING:
    from protego import RequestRate, VisitTime

#: Octets of a robots.txt that are read: 500 KiB, the least that RFC 9309 §2.5 asks for. Fewer: rules of long files are
#: missed, and pages are fetched that they forbid.
MAX_BYTES = 512_000
#: Characters of a rule shown as evidence.
_MAX_TEXT = 200
#: Decisions that a file remembers, the latest ones: few of its rules decide on most of what a crawl asks for.
_MAX_DECISIONS = 8
_DECISION_BYTES = 300

#: The reasons of a Disallow, an Allow, and a Disallow without a pattern.
_REASONS = ("robots/disallow", "robots/allow", "robots/no-rule")
_ROBOTS_TXT = Decision(True, "robots/robots-txt")
_NO_RULE = Decision(True, "robots/no-rule")
_TOO_COSTLY = Decision(
    False,
    "robots/too-costly",
    f"trying the wildcards of this file would take over {MAX_COST:,} steps: the origin is treated as closed",
)


@dataclass(frozen=True, slots=True, eq=False)
class RobotsTxt:
    """What one robots.txt says to one crawler.

    `token` is the crawler's product token in lower case, `group` the one that applies: the token, "*", or None where
    the file addresses neither. `crawl_delay` is in seconds, as declared and without an upper bound. `host` and
    `clean_params` are Yandex's, `sitemaps` come as written. `unknown_lines` have a field that is not known,
    `malformed_lines` have none. `truncated` says that the body was longer than `max_bytes`; `is_html` that it begins as
    a web page does; lines of it that are rules count all the same, as in Google's parser. `rule_count` counts the Allow
    and Disallow lines that apply. `dialect` is the name of what it was read as.
    """

    token: str | None
    group: str | None
    rule_count: int
    crawl_delay: float | None
    request_rate: RequestRate | None
    visit_time: VisitTime | None
    host: str | None
    sitemaps: tuple[str, ...]
    clean_params: tuple[str, ...]
    unknown_lines: int
    malformed_lines: int
    truncated: bool
    is_html: bool
    dialect: str
    #: One for each way to read the file; what all allow is allowed.
    _matchers: tuple[Matcher, ...] = field(repr=False)
    _rule_lines: array[int] = field(repr=False)
    #: What each rule is, as an index of `_REASONS`.
    _rule_kinds: bytes = field(repr=False)
    _rule_texts: tuple[bytes, ...] = field(repr=False)
    #: Decisions by their line, as making one takes twice as long as finding the line.
    _decisions: dict[int, Decision] = field(repr=False, default_factory=dict)

    @classmethod
    def parse(cls, body: bytes, user_agent: str, *, dialect: Dialect = RFC, max_bytes: int = MAX_BYTES) -> RobotsTxt:
        """Read a robots.txt for the crawler that calls itself `user_agent`, a product token or a whole header.

        `dialect` is one of `DIALECTS`, or your own.
        Of a longer body the lines within the first `max_bytes` count (RFC 9309 §2.5). Nothing in `body` raises.
        """
        truncated = len(body) > max_bytes
        if truncated:
            body = body[: max(body.rfind(b"\n", 0, max_bytes + 1), body.rfind(b"\r", 0, max_bytes + 1), 0)]
        token = product_token(user_agent)
        groups = _groups(body, token, dialect)
        first = groups[0]
        rules = _by_line(groups)
        said = first.values if len(groups) == 1 else _together(groups)
        delays, rates, hours = said.get(CRAWL_DELAY), said.get(REQUEST_RATE), said.get(VISIT_TIME)
        hosts = _texts(first.values.get(HOST))
        return cls(
            token=token and token.lower(),
            group=next((group.name for group in groups if group.name not in (None, "*")), first.name),
            rule_count=len(rules),
            crawl_delay=values.crawl_delay(delays) if delays else None,
            request_rate=values.request_rate(rates) if rates else None,
            visit_time=values.visit_time(hours) if hours else None,
            host=hosts[0] if hosts else None,
            sitemaps=_texts(first.values.get(SITEMAP)),
            clean_params=_texts(first.values.get(CLEAN_PARAM)),
            unknown_lines=first.misread.unknown,
            malformed_lines=first.misread.malformed,
            truncated=truncated,
            is_html=looks_like_html(body),
            dialect=dialect.name,
            _rule_lines=array("L", [rule[0] for rule in rules]),
            _rule_kinds=bytes([1 if allow else 0 if pattern else 2 for _, allow, pattern, _ in rules]),
            _rule_texts=tuple([rule[3] for rule in rules]),
            _matchers=_matchers(groups, rules, dialect),
        )

    def decide(self, url: str) -> Decision:
        """Return whether the crawler may fetch `url`, and which line says so. Any string will do; nothing is raised.

        An empty `Disallow:` forbids nothing and decides only where no other rule does: `robots/no-rule`, with its line.
        """
        return self.decide_path(path_of(url))

    def decide_path(self, path: str) -> Decision:
        """The same of a path as `paths.path_of` returns it, for who asks many crawlers about one URL."""
        if path == "/robots.txt":
            return _ROBOTS_TXT
        allowed = _NO_RULE
        for matcher in self._matchers:
            line = matcher.deciding_line(path)
            if line == NO_RULE:
                continue
            decision = self._decisions.get(line) or self._decision(line)
            if not decision.allowed:
                return decision
            if allowed is _NO_RULE:
                allowed = decision
        return allowed

    def _decision(self, line: int) -> Decision:
        if line == TOO_COSTLY:
            return _TOO_COSTLY
        number = bisect_left(self._rule_lines, line)
        kind = self._rule_kinds[number]
        text = self._rule_texts[number].strip()[:_MAX_TEXT].decode("utf-8", "replace")
        if len(self._decisions) >= _MAX_DECISIONS:
            self._decisions.pop(next(iter(self._decisions)), None)
        decision = self._decisions[line] = Decision(kind != 0, _REASONS[kind], f"line {line}: {text}", text, line)
        return decision

    def allow_patterns(self) -> Iterator[str]:
        """Yield the patterns of the Allow lines that apply, in the file's order and as it has them."""
        for kind, text in zip(self._rule_kinds, self._rule_texts, strict=True):
            if kind == 1:
                pattern = text.partition(b":")[2] or text.partition(b" ")[2]
                yield pattern.strip().decode("utf-8", "replace")

    @property
    def size_bytes(self) -> int:
        """About how much memory this object may come to hold, for a cache that is bounded in bytes."""
        rules = (self._rule_lines, self._rule_kinds, self._rule_texts, *self._rule_texts)
        held = (*self.sitemaps, *self.clean_params, *rules, self)
        decisions = _DECISION_BYTES * min(self.rule_count, _MAX_DECISIONS)  # all there may be: a size does not grow
        return sum(map(sys.getsizeof, held)) + decisions + sum(matcher.size_bytes() for matcher in self._matchers)


def _groups(body: bytes, token: str | None, dialect: Dialect) -> Sequence[Group]:
    """Return what the file says to the crawler, once for each way to read it."""
    groups = dialect.groups(split_lines(body), token)
    # A body with a readable group is no UTF-16, whatever it begins with.
    if body[:2] in UTF16_MARKS and all(group.name is None for group in groups):
        groups = dialect.groups(split_lines(bridged(body)), token)
    return groups


def _matchers(groups: Sequence[Group], rules: list[Rule], dialect: Dialect) -> tuple[Matcher, ...]:
    """The lists of rules are used up."""
    rules.clear()
    max_cost = MAX_COST // len(groups)
    return tuple([(group.matcher or dialect.matcher)(group.rules, max_cost) for group in groups])


def _by_line(groups: Sequence[Group]) -> list[Rule]:
    """Return the rules of all groups, each once, in the order of the file: a list of its own."""
    if len(groups) == 1:
        return sorted(groups[0].rules)
    by_line = {rule[0]: rule for group in groups for rule in group.rules}
    return [by_line[line] for line in sorted(by_line)]


def _together(groups: Sequence[Group]) -> Values:
    """Return the values of all groups."""
    values: Values = {}
    for group in groups:
        for what, found in group.values.items():
            values.setdefault(what, []).extend(found)
    return values


def _texts(octets: Sequence[bytes] | None) -> tuple[str, ...]:
    return tuple([value.decode("utf-8", "replace") for value in octets]) if octets else ()
