"""Requests that wait for their host in the downloader, as they did not come through our scheduler's queue.

They are robots.txt, a media pipeline's, and all of a project that keeps its own scheduler.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from scrapy_polite import _loop, clock
from scrapy_polite._engine import OWN_DOWNLOAD, Engine
from scrapy_polite.decision import Decision

if TYPE_CHECKING:
    from scrapy import Request

    from scrapy_polite.pacing.gate import Gate, Gates
    from scrapy_polite.services.host_leases import HostLeases


class WaitingInPlace:
    """Those of one crawl, by gate; `moved` hears of a gate for which none waits any longer.

    `has_scheduler` says whether our scheduler sends the others. A robots.txt waits for `robots_wait_s` while its host
    is closed.
    """

    def __init__(
        self,
        gates: Gates,
        leases: HostLeases,
        engine: Engine,
        moved: Callable[[Gate], None],
        has_scheduler: Callable[[], bool],
        *,
        robots_wait_s: float,
    ) -> None:
        self._gates = gates
        self._leases = leases
        self._engine = engine
        self._moved = moved
        self._has_scheduler = has_scheduler
        self._robots_wait_s = robots_wait_s
        self._count: Counter[str] = Counter()
        self._robots_count: Counter[str] = Counter()
        self._waiters: dict[str, dict[_loop.Waiter[None], None]] = {}

    def any_at(self, gate: Gate) -> bool:
        return gate.key in self._count

    @contextmanager
    def at(self, gate: Gate, request: Request) -> Iterator[None]:
        """Count `request` as one that waits for `gate`, until it has left or is refused."""
        is_robots = OWN_DOWNLOAD in request.meta
        self._count[gate.key] += 1
        self._robots_count[gate.key] += is_robots
        gate.lanes += 1  # as one that waits for it: it must not be forgotten meanwhile
        try:
            yield
        finally:
            self._count[gate.key] -= 1
            self._robots_count[gate.key] -= is_robots
            if not self._count[gate.key]:
                del self._count[gate.key], self._robots_count[gate.key]
                self._moved(gate)
            gate.lanes -= 1
            self._gates.release(gate, clock.now())

    async def opened(self, gate: Gate, request: Request, patience_s: float) -> Decision | None:
        """Once `request`, which is counted by `at`, may pass `gate`; a decision if it may not in time."""
        page = OWN_DOWNLOAD not in request.meta
        while True:
            now = clock.now()
            opens_at, shut_until = gate.opens_at(now), gate.shut_until(now)
            if opens_at <= now and self._is_next(gate, now, page=page):
                refused = page and gate.refuses(now)
                return Decision(False, "pace/budget", str(gate.budget)) if refused else None
            if self._engine.closing:
                return Decision(False, "pace/closing")
            # A robots.txt has its turn however long that takes, unless its host is closed.
            if shut_until > now + (max(patience_s, 0.0) if page else self._robots_wait_s):
                reason, detail = gate.why(now)
                return Decision(False, reason or "pace/held", detail, wait_until=opens_at)
            waiter: _loop.Waiter[None] = _loop.Waiter()
            waiter.fire_after(max(opens_at - now, 0.001) if opens_at > now else 1.0, None)
            line = self._waiters.setdefault(gate.key, {})
            line[waiter] = None
            try:
                # What Scrapy's scheduler has sent to wait for its turn keeps its place: else all that is queued came.
                with self._engine.waiting(request, extra_place=self._has_scheduler() or shut_until > now):
                    await waiter
            finally:
                line.pop(waiter, None)
            patience_s -= max(min(clock.now(), shut_until) - now, 0.0)

    def _is_next(self, gate: Gate, now: float, *, page: bool) -> bool:
        """Whether a request that waits at an open gate may leave; robots.txt goes before pages."""
        if page and self._robots_count[gate.key]:
            return False
        # How many there are at once, of a host without a delay, is the slots' affair if the scheduler is not ours.
        full = gate.full and (self._has_scheduler() or gate.one_at_a_time)
        return not full and self._leases.has(gate, now, finds_out=not page)

    def look_again(self, gate: Gate) -> None:
        """Have those at `gate` look whether they may leave."""
        for waiter in list(self._waiters.pop(gate.key, ())):
            waiter.fire(None)

    def all_look_again(self) -> None:
        """Have all look, as the crawl closes."""
        for waiters in list(self._waiters.values()):
            for waiter in list(waiters):
                waiter.fire(None)
        self._waiters.clear()
