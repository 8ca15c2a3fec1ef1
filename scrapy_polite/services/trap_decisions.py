"""What persons have decided, and other crawls have found, of the groups of one site (see `store.quarantines`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy_polite.traps.patterns import matches
from scrapy_polite.traps.verdict import RELEASED

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy_polite.store.quarantines import Quarantine
    from scrapy_polite.traps.groups import Groups


class TrapDecisions:
    """`tell` is called with each decision that is new."""

    __slots__ = ("_by_pattern", "_groups", "_tell")

    def __init__(self, groups: Groups, tell: Callable[[Quarantine], object]) -> None:
        self._groups = groups
        self._tell = tell
        self._by_pattern: dict[str, Quarantine] = {}

    def of(self, url: str, decision: str) -> Quarantine | None:
        """What is decided so of the group of a URL, or of a pattern of a person's own that the URL is one of."""
        decided = [one for one in self._by_pattern.values() if one.decision == decision]
        if not decided:
            return None
        pattern = self._groups.pattern(url)
        names = pattern.name, (self._groups.root(pattern) or pattern).name
        return next(
            (one for one in decided if (matches(one.place, url) if one.kind == "by-hand" else one.place in names)), None
        )

    def adopt(self, stored: Quarantine, now: float) -> None:
        """A decision holds from now on. A finding holds until this crawl has read enough of the group itself."""
        groups = self._groups
        pattern = groups.named(stored.place)
        root = groups.root(pattern) or pattern
        if stored.decision:
            self._decide(stored)
            of_it = [one for one in groups.suspects if one.examples and self.of(one.examples[-1], stored.decision)]
            for one in {pattern, root, *of_it}:
                one.released = stored.decision == RELEASED
                groups.clear(one)
        elif root.pages < groups.limits.window and not root.released:
            if stored.until > now:
                groups.suspect(root)
            else:
                groups.clear(root)

    def _decide(self, stored: Quarantine) -> None:
        before = self._by_pattern.get(stored.place)
        self._by_pattern[stored.place] = stored
        self._groups.unsettle()
        if before is None or before.decision != stored.decision:
            self._tell(stored)
