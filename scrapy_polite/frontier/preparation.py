"""Lanes that are being made ready: requests read from disk, robots.txt fetched. So many at once, others line up.

What takes long (a robots.txt that hangs) soon does not count any more.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from scrapy_polite import _loop
from scrapy_polite.frontier.queue import FrontierError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy_polite._engine import Engine
    from scrapy_polite.frontier.health import QueueHealth
    from scrapy_polite.frontier.lane import OriginLane
    from scrapy_polite.frontier.lanes import Lanes
    from scrapy_polite.frontier.queue import Queue

#: Lanes that are made ready at once, not counting those that have taken long already.
_MAX_PREPARING, LONG_S = 64, 1.0


class Preparation:
    """The places to make lanes ready, and the reading of lanes from disk."""

    def __init__(self, queue: Queue, lanes: Lanes, engine: Engine, health: QueueHealth) -> None:
        self._queue = queue
        self._lanes = lanes
        self._engine = engine
        self._health = health
        #: Since when, oldest first.
        self._preparing: OrderedDict[OriginLane, float] = OrderedDict()
        self._taking_long: dict[OriginLane, float] = {}

    @property
    def full(self) -> bool:
        return len(self._preparing) >= _MAX_PREPARING

    @property
    def busy(self) -> bool:
        return bool(self._preparing or self._taking_long)

    def __contains__(self, lane: OriginLane) -> bool:
        """Whether a lane is being made ready."""
        return lane in self._preparing or lane in self._taking_long

    def since(self, lane: OriginLane) -> float:
        """Since when a lane is being made ready; 0: it is not."""
        return self._preparing.get(lane) or self._taking_long.get(lane, 0.0)

    def resume_waiting(self, now: float) -> None:
        """Let lanes that were lined up compete again, as far as there are places to make them ready."""
        while self._preparing and next(iter(self._preparing.values())) < now - LONG_S:
            slow, since = self._preparing.popitem(last=False)
            self._taking_long[slow] = since
        if not self._lanes.schedule.has_waiting:
            return
        for _ in range(_MAX_PREPARING - len(self._preparing)):
            lane = self._lanes.schedule.next_waiting()
            if lane is None:
                return
            self._lanes.put(lane)

    def begin(self, lane: OriginLane, now: float) -> bool:
        """Whether there is a place to make the lane ready; without one it lines up, and others go on."""
        if self.full:
            self._lanes.wait_for_slot(lane)
            return False
        lane.busy = True
        self._lanes.schedule.set_aside(lane)
        self._preparing[lane] = now
        return True

    def begin_abandoned(self, lane: OriginLane, now: float) -> bool:
        """A lane to be refused is read; False where it is being made ready already, and comes back by itself."""
        if lane in self:
            return False
        self._preparing[lane] = now
        return True

    def end(self, lane: OriginLane) -> None:
        self._preparing.pop(lane, None)
        self._taking_long.pop(lane, None)
        if lane not in self._lanes:
            pass  # abandoned meanwhile, and all of it refused
        elif lane.abandoned is not None:
            self._lanes.refused[lane] = None
        elif not lane.closed_until:
            lane.busy = False
            self._lanes.put(lane)
        self._engine.wake()

    async def read(self, lanes: Sequence[OriginLane]) -> None:
        """Read the first requests of lanes that have begun to be made ready."""
        try:
            await _loop.from_thread(self._queue.fetch([lane.name for lane in lanes]))
        except FrontierError as error:
            self._health.blocks(error)
        else:
            self._health.works()
        finally:
            for lane in lanes:
                self.end(lane)
