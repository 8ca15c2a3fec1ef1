"""What a queue holds, for commands: counted by origin, and by groups of URL patterns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from scrapy_polite.frontier.deferral import LaneName


@dataclass(frozen=True, slots=True)
class Queued:
    """The requests queued or in flight, by origin, and how many have been set aside for good; of those that a group of
    URL patterns brought to itself (see `traps.groups`), how many by origin and pattern."""

    lanes: dict[str, int]
    set_aside: int
    groups: dict[str, dict[str, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, lanes: Iterable[tuple[str, int]], set_aside: int) -> Queued:
        """`lanes`: their names, each with a count; a name may come again."""
        by_origin: Counter[str] = Counter()
        groups: dict[str, dict[str, int]] = {}
        for text, count in lanes:
            name = LaneName.read(text)
            by_origin[name.origin] += count
            if name.group:
                of_origin = groups.setdefault(name.origin, {})
                of_origin[name.group] = of_origin.get(name.group, 0) + count
        return cls(dict(by_origin), set_aside, groups)
