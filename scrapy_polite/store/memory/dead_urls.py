"""Dead URLs in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy_polite.store.dead_urls import MAX_DEAD, DeadUrl

from .bounded import Bounded

if TYPE_CHECKING:
    from concurrent.futures import Future

    from .state import MemoryState


class MemoryDeadUrls:
    def __init__(self, state: MemoryState, max_dead: int = MAX_DEAD) -> None:
        self._state = state
        self._dead: Bounded[str, DeadUrl] = Bounded(max_dead)

    def get(self, key: str) -> Future[DeadUrl | None]:
        return self._state.answer(lambda: self._get(key, self._state.clock()))

    def keep(self, key: str, status: int) -> Future[None]:
        return self._state.answer(lambda: self._keep(DeadUrl(key, status, self._state.clock())))

    def forget(self, key: str | None) -> Future[int]:
        return self._state.answer(lambda: self._dead.drop(lambda dead: key is None or dead.key == key))

    def prune(self, before: float) -> None:
        self._dead.drop(lambda dead: dead.seen_at < before)

    def _get(self, key: str, now: float) -> DeadUrl | None:
        dead = self._dead.get(key)
        return dead and dead.as_of(now)

    def _keep(self, dead: DeadUrl) -> None:
        held = self._get(dead.key, dead.seen_at)
        if held is None or held.seen_at <= dead.seen_at:
            self._dead.set(dead.key, dead)
