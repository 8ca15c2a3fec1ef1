"""The dialect of RFC 9309, as Google's open-source parser (github.com/google/robotstxt) obeys it.

The longest pattern decides (§2.2.2). Where the RFC's own spelling of URLs leads to another verdict than the parser's,
the stricter of both counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scrapy_polite.robots.dialect import NO_RULE, TOO_COSTLY, Dialect, Rule
from scrapy_polite.robots.groups import groups
from scrapy_polite.robots.matcher import RuleIndex
from scrapy_polite.robots.paths import normal_path, normal_patterns, patterns_as_written

# The rank of a rule is an integer that orders rules by the length of their pattern, then Allow before Disallow, then
# the earlier line, and from which all three can be read.
_LINE_BITS = 32
_LENGTH_SHIFT = _LINE_BITS + 1
_LAST_LINE = (1 << _LINE_BITS) - 1
_ALLOW = 1 << _LINE_BITS
_FIRST_ALLOW = _ALLOW + _LAST_LINE


def rank_of(pattern: str, allow: bool, line: int) -> int:
    """Return the rank of a rule; `pattern` as written, whose length is its precedence."""
    return (len(pattern) << _LENGTH_SHIFT) + (_FIRST_ALLOW if allow else _LAST_LINE) - line


def line_of(rank: int) -> int:
    return _LAST_LINE - (rank & _LAST_LINE)


def forbids(rank: int) -> bool:
    """Whether a rank is a Disallow; one without a pattern forbids nothing."""
    return not rank & _ALLOW and rank > _ALLOW


def allows(rank: int) -> bool:
    """Whether a rank is an Allow."""
    return rank > 0 and rank & _ALLOW != 0


def directory_rule(pattern: str, rank: int) -> list[tuple[str, int]]:
    """Google's parser: who allows an index page allows its directory, by a shorter rule on the same line."""
    directory, _, page = pattern.rpartition("/")
    if not page.startswith("index.htm"):
        return []
    return [(f"{directory}/$", rank - (len(page) - len("$") << _LENGTH_SHIFT))]


def ranked(patterns: list[str], ranks: list[int]) -> Iterator[tuple[str, int]]:
    """Yield patterns in some spelling with their ranks, which go by the pattern as written.

    The lists are used up: an index takes about as much memory as they do.
    """
    while patterns:
        pattern, rank = patterns.pop(), ranks.pop()
        yield pattern, rank
        if rank & _ALLOW and "/index.htm" in pattern:
            yield from directory_rule(pattern, rank)


class LongestMatch(NamedTuple):
    """The rules of a group, indexed in both spellings; the same index where no pattern differs."""

    as_written: RuleIndex
    normal: RuleIndex

    @classmethod
    def of(cls, rules: list[Rule], max_cost: int) -> LongestMatch:
        max_cost //= 2  # a decision may look at both spellings
        octets = [pattern for _, _, pattern, _ in rules]
        lines = [-line if allow else line for line, allow, _, _ in rules]
        rules.clear()  # half of the memory that a long file takes
        patterns = patterns_as_written(octets)
        del octets
        ranks = [rank_of(one, line < 0, abs(line)) for one, line in zip(patterns, lines, strict=True)]
        del lines
        normal = normal_patterns(patterns)
        if normal is patterns:
            index = RuleIndex(ranked(patterns, ranks), max_cost)
            return cls(index, index)
        as_written = RuleIndex(ranked(patterns, ranks.copy()), max_cost)
        return cls(as_written, RuleIndex(ranked(normal, ranks), max_cost))

    def deciding_line(self, path: str) -> int:
        rank = self.as_written.best_rank(path)
        if rank & _ALLOW or rank < _ALLOW:  # as `not forbids(rank)`, without its call
            normal = normal_path(path)
            if normal is not path or self.normal is not self.as_written:
                other = self.normal.best_rank(normal)
                if rank == NO_RULE or other == TOO_COSTLY or forbids(other):
                    rank = other
        return rank if rank < 0 else line_of(rank)

    def size_bytes(self) -> int:
        indexes = {id(index): index for index in self}
        return sum(index.size_bytes() for index in indexes.values())


RFC = Dialect("rfc", groups, LongestMatch.of)
