"""Requests that have left the queue and are not done yet: their callbacks have not ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy_polite import _loop
from scrapy_polite.frontier.lane import origin_of_lane
from scrapy_polite.frontier.queue import IDEMPOTENT, Entry, FrontierError

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.statscollectors import StatsCollector

    from scrapy_polite._engine import Engine
    from scrapy_polite.frontier.health import QueueHealth
    from scrapy_polite.frontier.lane import OriginLane
    from scrapy_polite.frontier.lanes import Lanes
    from scrapy_polite.frontier.queue import Queue
    from scrapy_polite.services.pacing import CrawlPacing


class InFlight:
    """Takes requests from the queue, and acknowledges them or gives them back."""

    def __init__(
        self,
        queue: Queue,
        lanes: Lanes,
        pacing: CrawlPacing,
        engine: Engine,
        health: QueueHealth,
        stats: StatsCollector,
    ) -> None:
        self._queue = queue
        self._lanes = lanes
        self._pacing = pacing
        self._engine = engine
        self._health = health
        self._stats = stats
        self._entries: dict[Request, Entry] = {}
        self._returning: set[Request] = set()
        #: What the stats are still to be told: requests dequeued from memory, and from disk. To tell them of each would
        #: be a third of what a pop costs.
        self._dequeued = [0, 0]

    def take(self, lane: OriginLane, now: float) -> Request:
        """The lane's head leaves the queue."""
        entry = self._queue.pop_memory_only(lane.name) if lane.only_memory_only else self._queue.pop(lane.name)
        request = entry.request
        if request in self._entries:
            # The same object, asked for again while it is being worked on: all accounts, Scrapy's too, are by object.
            request = request.copy()
            entry = entry._replace(request=request)
        self._entries[request] = entry
        self._pacing.take(request, lane.gate, lane.origin, now, lane.abandoned)
        self._dequeued[entry.kept] += 1
        self._lanes.flows.taken(request, lane)
        return request

    def give_back(self, request: Request) -> bool:
        """Whether `request` may come back to its queue; see `Scheduler.give_back`."""
        if request not in self._entries or request in self._returning or self._pacing.popped(request) is None:
            return False
        self._returning.add(request)
        return True

    def took_back(self, request: Request) -> bool:
        """Whether `request` is one that comes back; then it is queued again."""
        if request not in self._returning:
            return False
        self._returning.discard(request)
        entry = self._entries.pop(request)
        self._lanes.give_back(entry)
        self._dequeued[entry.kept] -= 1
        self._stats.inc_value("polite/returned")
        return True

    async def may_be_sent(self, request: Request) -> bool:
        """Whether `request` may leave now; else it is to be given back. Done when it is noted, if it may not be
        repeated: while the disk fails that cannot be."""
        entry = self._entries.get(request)
        if entry is None:
            return True
        if not self._queue.may_send(entry):
            return False
        return request.method in IDEMPOTENT or await self._mark_sent(request, entry)

    async def _mark_sent(self, request: Request, entry: Entry) -> bool:
        self._health.leaving.add(request)
        try:
            await _loop.from_thread(self._queue.mark_sent(entry))
        except FrontierError as error:
            self._health.blocks(error)
            return False
        finally:
            self._health.leaving.discard(request)
        self._health.works()
        return self._queue.may_send(entry)  # that took its time

    def is_at(self, host: str) -> bool:
        """Whether any of them is of the host of this pacing key."""
        origins = (origin_of_lane(entry.lane) for entry in self._entries.values())
        return any(origin is not None and self._pacing.keys.of(origin) == host for origin in origins)

    def acknowledge(self) -> None:
        """Tell the queue which requests need not be made again: their callbacks have ended."""
        for request in self._entries.keys() - self._engine.in_progress:
            self._returning.discard(request)  # a receiver of request_scheduled has dropped it on its way back
            self._queue.done(self._entries.pop(request))
            self._lanes.flows.done(request)
        for on_disk, number in enumerate(self._dequeued):
            if number:
                self.count("scheduler/dequeued", bool(on_disk), number)
                self._dequeued[on_disk] = 0

    def count(self, stat: str, on_disk: bool, number: int = 1) -> None:
        self._stats.inc_value(f"{stat}/disk" if on_disk else f"{stat}/memory", number)
        self._stats.inc_value(stat, number)
