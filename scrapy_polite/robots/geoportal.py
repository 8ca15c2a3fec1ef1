"""The dialect of Esri's Geoportal Server: the first rule that matches decides, `*` and a final `$` are wildcards.

A crawler's own groups come first; where none of their rules matches, those for `*` are asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scrapy_polite.robots.classic import FirstMatch
from scrapy_polite.robots.dialect import Dialect, Group, Rule
from scrapy_polite.robots.groups import readings, select
from scrapy_polite.robots.paths import normal_path, normal_patterns, patterns_as_written


class FirstMatchWithWildcards(NamedTuple):
    """As `FirstMatch`, in the normal spelling of paths and with wildcards."""

    rules: FirstMatch

    @classmethod
    def of(cls, rules: list[Rule], max_cost: int) -> FirstMatchWithWildcards:
        kept = [rule for rule in rules if rule[2] or not rule[1]]
        rules.clear()
        patterns = normal_patterns(patterns_as_written([rule[2] for rule in kept]))
        order = _by_precedence(patterns, [rule[1] for rule in kept])
        in_order, lines = [patterns[at] for at in order], [kept[at][0] for at in order]
        return cls(FirstMatch.ordered(in_order, lines, max_cost))

    def deciding_line(self, path: str) -> int:
        rank = self.rules.patterns.best_rank(normal_path(path))
        return rank if rank < 0 else self.rules.lines[rank]

    def size_bytes(self) -> int:
        return self.rules.size_bytes()


def _by_precedence(patterns: Sequence[str], allows: Sequence[bool]) -> list[int]:
    """Return the places of rules, first those that decide first: a disallowed parent does not hide allowed children.

    So an Allow beneath the path of a Disallow further up comes right before that Disallow.
    """
    parents: dict[str, int] = {}
    before = []
    lengths: list[int] = []
    for at, (pattern, allow) in enumerate(zip(patterns, allows, strict=True)):
        place = at
        if allow:
            for length in lengths:
                if length < len(pattern):
                    place = min(place, parents.get(pattern[:length], place))
        elif pattern and pattern not in parents:
            parents[pattern] = at
            lengths = sorted({*lengths, len(pattern)}) if len(pattern) not in lengths else lengths
        before.append((place, not allow, at))
    return [at for _, _, at in sorted(before)]


def groups(lines: Sequence[bytes], token: str | None) -> list[Group]:
    """Return the crawler's own groups with those for `*` below them, once for each reading of its name."""
    found = []
    for reading in readings(token):
        group = select(lines, reading)
        if group.name not in (None, "*"):
            group.rules.extend(select(lines, readings(None)[0]).rules)
        found.append(group)
    return found


GEOPORTAL = Dialect("geoportal", groups, FirstMatchWithWildcards.of)
