"""RobotsTxt: what one robots.txt says to one crawler; bytes in, decisions out (RFC 9309).

The rules of the file are obeyed as Google's open-source parser (github.com/google/robotstxt) obeys them. Where the
RFC's own spelling of URLs leads to another verdict, the stricter of both counts.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scrapy_polite.decision import Decision
from scrapy_polite.robots import values
from scrapy_polite.robots.groups import (
    CLEAN_PARAM,
    CRAWL_DELAY,
    HOST,
    REQUEST_RATE,
    SITEMAP,
    VISIT_TIME,
    Group,
    Rule,
    bridged,
    looks_like_html,
    readings,
    select,
    split_lines,
)
from scrapy_polite.robots.matcher import MAX_COST, NO_RULE, TOO_COSTLY, RuleIndex, allows, forbids, line_of, rank_of
from scrapy_polite.robots.paths import normal_path, normal_patterns, path_of, patterns_as_written
from scrapy_polite.robots.product_token import product_token

if TYPE_CHECKING:
    from protego import RequestRate, VisitTime

#: Characters of a rule shown as evidence.
_MAX_TEXT = 200

_ROBOTS_TXT = Decision(True, "robots/robots-txt")
_NO_RULE = Decision(True, "robots/no-rule")
_TOO_COSTLY = Decision(
    False,
    "robots/too-costly",
    f"trying the wildcards of this file would take over {MAX_COST:,} steps: the origin is treated as closed",
)


@dataclass(frozen=True, slots=True)
class _Rules:
    """The rules of one reading of a file, indexed in both spellings; the same index where no pattern differs."""

    as_written: RuleIndex
    normal: RuleIndex


@dataclass(frozen=True, slots=True, eq=False)
class RobotsTxt:
    """What one robots.txt says to one crawler.

    `token` is the crawler's product token in lower case, `group` the one that applies: the token, "*", or None where
    the file addresses neither. `crawl_delay` is in seconds, as declared and without an upper bound. `host` and
    `clean_params` are Yandex's, `sitemaps` come as written. `unknown_lines` have a field that is not known,
    `malformed_lines` have none. `truncated` says that the body was longer than `max_bytes`; `is_html` that it begins as
    a web page does, and so holds no rules whatever its lines look like. `rule_count` counts the Allow and Disallow
    lines that apply.
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
    _readings: tuple[_Rules, ...] = field(repr=False)
    _rule_lines: array[int] = field(repr=False)
    _rule_texts: tuple[bytes, ...] = field(repr=False)

    @classmethod
    def parse(cls, body: bytes, user_agent: str, *, max_bytes: int = 512_000) -> RobotsTxt:
        """Read a robots.txt for the crawler that calls itself `user_agent`, a product token or a whole header.

        Of a longer body the lines within the first `max_bytes` count (RFC 9309 §2.5). Nothing in `body` raises.
        """
        truncated = len(body) > max_bytes
        if truncated:
            body = body[: max(body.rfind(b"\n", 0, max_bytes + 1), body.rfind(b"\r", 0, max_bytes + 1), 0)]
        token = product_token(user_agent)
        is_html = looks_like_html(body)
        said = _groups(b"" if is_html else body, token)
        rules = said[0].rules if len(said) == 1 else _together(said)
        delays, rates, hours = (
            [value for group in said for value in group.values.get(field, ())]
            for field in (CRAWL_DELAY, REQUEST_RATE, VISIT_TIME)
        )
        hosts, sitemaps, clean_params = (
            _texts(said[0].values.get(field, ())) for field in (HOST, SITEMAP, CLEAN_PARAM)
        )
        return cls(
            token=token and token.lower(),
            group=next((group.name for group in said if group.name not in (None, "*")), said[0].name),
            rule_count=len(rules),
            crawl_delay=values.crawl_delay(delays),
            request_rate=values.request_rate(rates),
            visit_time=values.visit_time(hours),
            host=hosts[0] if hosts else None,
            sitemaps=sitemaps,
            clean_params=clean_params,
            unknown_lines=said[0].misread.unknown,
            malformed_lines=said[0].misread.malformed,
            truncated=truncated,
            is_html=is_html,
            _readings=tuple([_indexed(group.rules, MAX_COST // len(said)) for group in said]),
            _rule_lines=array("L", [line for line, _, _, _ in rules]),
            _rule_texts=tuple([text[:_MAX_TEXT] for _, _, _, text in rules]),
        )

    def decide(self, url: str) -> Decision:
        """Return whether the crawler may fetch `url`, and which line says so. Any string will do; nothing is raised.

        An empty `Disallow:` forbids nothing and decides only where no other rule does: `robots/no-rule`, with its line.
        """
        path = path_of(url)
        if path == "/robots.txt":
            return _ROBOTS_TXT
        normal = normal_path(path)
        decisive = NO_RULE
        for rules in self._readings:
            rank = rules.as_written.best_rank(path)
            if not forbids(rank) and not (normal is path and rules.normal is rules.as_written):
                other = rules.normal.best_rank(normal)
                if rank == NO_RULE or other == TOO_COSTLY or forbids(other):
                    rank = other
            if rank == TOO_COSTLY:
                return _TOO_COSTLY
            if forbids(rank):
                return self._decision(rank)
            if decisive == NO_RULE:
                decisive = rank
        return self._decision(decisive)

    def _decision(self, rank: int) -> Decision:
        if rank == NO_RULE:
            return _NO_RULE
        line = line_of(rank)
        text = self._rule_texts[bisect_left(self._rule_lines, line)].decode("utf-8", "replace")
        return Decision(not forbids(rank), _reason(rank), f"line {line}: {text}", text, line)

    @property
    def size_bytes(self) -> int:
        """About how much memory this object holds, for a cache that is bounded in bytes."""
        indexes = {id(index): index for rules in self._readings for index in (rules.as_written, rules.normal)}
        held = (*self.sitemaps, *self.clean_params, *self._rule_texts, self._rule_lines, self._rule_texts, self)
        return sum(map(sys.getsizeof, held)) + sum(index.size_bytes() for index in indexes.values())


def _groups(body: bytes, token: str | None) -> list[Group]:
    """Return what the file says to the crawler, once for each reading of its name."""
    ways = readings(token)
    lines = split_lines(body)
    groups = [select(lines, way) for way in ways]
    utf8 = bridged(body)
    # A body with a readable group is no UTF-16, whatever it begins with.
    if utf8 is not None and all(group.name is None for group in groups):
        lines = split_lines(utf8)
        groups = [select(lines, way) for way in ways]
    return groups


def _together(groups: Sequence[Group]) -> list[Rule]:
    by_line = {rule[0]: rule for group in groups for rule in group.rules}
    return [by_line[line] for line in sorted(by_line)]


def _indexed(rules: Sequence[Rule], max_cost: int) -> _Rules:
    max_cost //= 2  # a decision may look at both spellings
    patterns = patterns_as_written([pattern for _, _, pattern, _ in rules])
    ranks = [rank_of(pattern, allow, line) for pattern, (line, allow, _, _) in zip(patterns, rules, strict=True)]
    normal = normal_patterns(patterns)
    as_written = RuleIndex(zip(patterns, ranks, strict=True), max_cost)
    if normal is patterns:
        return _Rules(as_written, as_written)
    return _Rules(as_written, RuleIndex(zip(normal, ranks, strict=True), max_cost))


def _reason(rank: int) -> str:
    if forbids(rank):
        return "robots/disallow"
    return "robots/allow" if allows(rank) else "robots/no-rule"


def _texts(octets: Sequence[bytes]) -> tuple[str, ...]:
    return tuple([value.decode("utf-8", "replace") for value in octets])
