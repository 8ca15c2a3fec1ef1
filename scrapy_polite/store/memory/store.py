"""`MemoryStore`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy_polite.clock import now
from scrapy_polite.store.dead_urls import MAX_DEAD
from scrapy_polite.store.feed import PAGE_SIZE
from scrapy_polite.store.hosts import MAX_GATES
from scrapy_polite.store.quarantines import MAX_QUARANTINES

from .dead_urls import MemoryDeadUrls
from .hosts import MemoryHosts
from .quarantines import MemoryQuarantines
from .robots import MemoryRobots
from .state import MemoryState

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future


class MemoryStore:
    """`max_bytes` bounds the bodies as they are held: compressed."""

    description = "memory"
    shared = False
    lasting = False
    replaceable = True

    def __init__(
        self,
        *,
        clock: Callable[[], float] = now,
        max_copies: int = 20_000,
        max_bytes: int = 64 * 1024 * 1024,
        max_gates: int = MAX_GATES,
        max_dead: int = MAX_DEAD,
        max_quarantines: int = MAX_QUARANTINES,
        page_size: int = PAGE_SIZE,
    ) -> None:
        self._limits = max_copies, max_bytes, max_gates, max_dead, max_quarantines
        self._state = MemoryState(clock, page_size)
        self._empty()

    def facts(self) -> str:
        return "nothing outlives the process"

    def prune(self, keep_s: float) -> Future[int]:
        return self._state.answer(lambda: self._prune(self._state.clock() - keep_s))

    def close(self) -> None:
        self._state.closed = True
        self._empty()

    def _empty(self) -> None:
        max_copies, max_bytes, max_gates, max_dead, max_quarantines = self._limits
        self.robots = MemoryRobots(self._state, max_copies, max_bytes)
        self.hosts = MemoryHosts(self._state, max_gates)
        self.dead_urls = MemoryDeadUrls(self._state, max_dead)
        self.quarantines = MemoryQuarantines(self._state, max_quarantines)

    def _prune(self, before: float) -> int:
        self.hosts.prune(before)
        self.dead_urls.prune(before)
        self.quarantines.prune(before)
        return self.robots.prune(before)
