"""Quarantines in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy_polite.store.feed import Page
from scrapy_polite.store.quarantines import MAX_QUARANTINES, Quarantine

from .bounded import Bounded

if TYPE_CHECKING:
    from concurrent.futures import Future

    from scrapy_polite.store.feed import Position

    from .state import MemoryState


class MemoryQuarantines:
    def __init__(self, state: MemoryState, max_quarantines: int = MAX_QUARANTINES) -> None:
        self._state = state
        self._held: Bounded[tuple[str, str], Quarantine] = Bounded(max_quarantines)

    def keep(self, quarantine: Quarantine) -> Future[None]:
        return self._state.answer(lambda: self._keep(quarantine, self._state.clock()))

    def changes(self, cursor: Position | None) -> Future[Page[Quarantine]]:
        return self._state.answer(lambda: self._changes(cursor))

    def forget(self, site: str | None, place: str | None = None) -> Future[int]:
        return self._state.answer(
            lambda: self._held.drop(lambda held: site in (None, held.site) and place in (None, held.place))
        )

    def prune(self, before: float) -> None:
        self._held.drop(lambda held: held.until <= before)

    def _keep(self, quarantine: Quarantine, now: float) -> None:
        kept = quarantine.bounded()
        if kept is not None:
            key = kept.site, kept.place
            held = self._held.get(key)
            merged = kept if held is None else held.as_of(now).merged(kept)
            self._held.set(key, merged, self._state.next().number)

    def _changes(self, cursor: Position | None) -> Page[Quarantine]:
        page = self._state.page(self._held, cursor)
        for held in page.items:
            if (right := held.as_of(page.at)) is not held:
                self._held.replace((held.site, held.place), right)
        return Page([held.as_of(page.at) for held in page.items], page.cursor, page.more, page.at)
