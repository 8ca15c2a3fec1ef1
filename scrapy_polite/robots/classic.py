"""The dialects from before RFC 9309: the draft of 1996 (www.robotstxt.org/norobots-rfc.txt), and that of 1994.

The unit is a record: User-agent lines and the rules below them, up to a blank line. Nothing in a rule is a wildcard.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from scrapy_polite.robots.dialect import Dialect, Group, Rule, Values
from scrapy_polite.robots.groups import SITE_WIDE, keep
from scrapy_polite.robots.lines import ALLOW, USER_AGENT, Directive, Misread, directives
from scrapy_polite.robots.matcher import RuleIndex

# §3.2.2: escapes are decoded before paths are compared, but for that of a slash.
_ESCAPE_BUT_SLASH = re.compile(r"%(?!2[fF])[0-9a-fA-F]{2}")
_SPELLED_OTHERWISE = re.compile(r"[%*$]")
# Octets are characters below 256 here; what `RuleIndex` takes for wildcards is put above them.
_NO_WILDCARDS = {ord("*"): "\u0100", ord("$"): "\u0101"}


def spelled(path: str) -> str:
    """Return a path or pattern as octets, each a character below 256, to be compared one by one."""
    if not _SPELLED_OTHERWISE.search(path):
        return path
    if "%" in path:
        path = _ESCAPE_BUT_SLASH.sub(lambda escape: unquote(escape[0], "latin-1"), path).replace("%2f", "%2F")
    return path.translate(_NO_WILDCARDS)


#: Several dialects, and many crawlers, are asked about one path after the other. Few are kept: any may be long.
_spelled_path = lru_cache(maxsize=4)(spelled)


class FirstMatch(NamedTuple):
    """Rules in order of precedence: of those that begin a path the first decides. `lines` are theirs, last first."""

    patterns: RuleIndex
    lines: array[int]

    @classmethod
    def of(cls, rules: list[Rule], max_cost: int) -> FirstMatch:
        kept = [rule for rule in rules if rule[2] or not rule[1]]  # an empty Allow says nothing
        rules.clear()
        patterns = [spelled(pattern.decode("latin-1")) for _, _, pattern, _ in kept]
        return cls.ordered(patterns, [rule[0] for rule in kept], max_cost)

    @classmethod
    def ordered(cls, patterns: Sequence[str], lines: Sequence[int], max_cost: int) -> FirstMatch:
        """`patterns` as `RuleIndex` takes them, and their lines; the first one has precedence."""
        ranks = range(len(patterns) - 1, -1, -1)
        return cls(RuleIndex(zip(patterns, ranks, strict=True), max_cost), array("q", reversed(lines)))

    def deciding_line(self, path: str) -> int:
        rank = self.patterns.best_rank(_spelled_path(path))
        return rank if rank < 0 else self.lines[rank]

    def size_bytes(self) -> int:
        return self.patterns.size_bytes() + self.lines.itemsize * len(self.lines)


def _records(lines: Sequence[bytes], misread: Misread) -> Iterator[list[Directive]]:
    """Yield records: a blank line ends one, and so does a User-agent line below a rule, as none may stand there (§3.2).

    A line with nothing but a comment is not blank (§3.2).
    """
    record: list[Directive] = []
    last = 0
    in_rules = False
    for directive in directives(lines, misread):
        number, field = directive[0], directive[1]
        below_rules = in_rules and field == USER_AGENT
        if record and (below_rules or any(not line.strip() for line in lines[last : number - 1])):
            yield record
            record, in_rules = [], False
        record.append(directive)
        last, in_rules = number, in_rules or field <= ALLOW
    yield record


def _meant(value: bytes, name: bytes) -> bool:
    """Whether a User-agent line names the crawler: either name is a part of the other, without case or version."""
    agent = value.partition(b"/")[0].strip().lower()
    return bool(name) and agent not in (b"", b"*") and (agent in name or name in agent)


def groups(lines: Sequence[bytes], token: str | None) -> list[Group]:
    """Return the first record that names the crawler, or else the first one for `*` (§3.2.1)."""
    name = token.lower().encode("ascii", "ignore") if token else b""
    own: list[Directive] | None = None
    everyone: list[Directive] | None = None
    site_values: Values = {}
    misread = Misread()
    for record in _records(lines, misread):
        agents = [value for _, field, value, _ in record if field == USER_AGENT]
        if own is None and any(_meant(agent, name) for agent in agents):
            own = record
        if everyone is None and b"*" in agents:
            everyone = record
        for _, field, value, _ in record:
            if field in SITE_WIDE:
                keep(site_values, field, value)
    record = own if own is not None else everyone or []
    values: Values = {}
    for _, field, value, _ in record:
        if field > USER_AGENT and field not in SITE_WIDE:
            keep(values, field, value)
    rules = [(line, field == ALLOW, value, text) for line, field, value, text in record if field <= ALLOW]
    called = name.decode() if own is not None else "*" if everyone is not None else None
    return [Group(called, rules, values | site_values, misread)]


def without_allow(rules: list[Rule], max_cost: int) -> FirstMatch:
    """The rules of 1994 know Disallow only."""
    forbidding = [rule for rule in rules if not rule[1]]
    rules.clear()
    return FirstMatch.of(forbidding, max_cost)


CLASSIC = Dialect("classic", groups, FirstMatch.of)
CLASSIC_0_0 = Dialect("classic-0.0", groups, without_allow)
