"""How the queue stands host by host, for whoever shows a crawl or says when it ends. Changes nothing."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy_polite.frontier.abandon import Abandonment
    from scrapy_polite.frontier.health import QueueHealth
    from scrapy_polite.frontier.lane import OriginLane
    from scrapy_polite.frontier.lanes import Lanes
    from scrapy_polite.frontier.preparation import Preparation
    from scrapy_polite.frontier.queue import Queue
    from scrapy_polite.pacing.gate import Gate

#: Lanes of a host that are looked at: a domain may have any number of subdomains.
_MAX_LANES = 200


@dataclass(frozen=True, slots=True)
class HostStanding:
    """A host with queued requests. So many of these wait as `deferred`, because they look endless.

    `unread_since` is set while its robots.txt is being asked for, `closed_until` while that is unreachable, which
    `why` explains. At `gives_up_at` the host is abandoned (infinite: it is not). Times are `clock.now`'s.
    """

    gate: Gate
    queued: int
    deferred: int = 0
    unread_since: float = 0.0
    closed_until: float = 0.0
    why: str = ""
    gives_up_at: float = math.inf


class Census:
    """Of one crawl's scheduler."""

    def __init__(
        self, queue: Queue, lanes: Lanes, preparation: Preparation, abandonment: Abandonment, health: QueueHealth
    ) -> None:
        self._queue = queue
        self._lanes = lanes
        self._preparation = preparation
        self._abandonment = abandonment
        self._health = health

    def keys(self) -> list[str]:
        """The pace keys of all hosts with queued requests."""
        return self._lanes.schedule.keys()

    def of(self, key: str) -> HostStanding | None:
        """None where nothing is queued for a host that is to be fetched."""
        lanes = [lane for lane in self._lanes.schedule.lanes_at(key)[:_MAX_LANES] if lane.abandoned is None]
        counts = [self._queue.count(lane.name) for lane in lanes]
        queued = sum(counts)
        if not queued:
            return None
        gate = lanes[0].gate
        if len(lanes) == 1 and not lanes[0].busy and not lanes[0].closed_until and lanes[0].flow is None:
            return HostStanding(gate, queued, gives_up_at=self._abandonment.abandons_at(lanes[0]))
        kept = [self._kept_until(lane) for lane in lanes]
        first = min(range(len(lanes)), key=kept.__getitem__)
        deferred = sum(count for lane, count in zip(lanes, counts, strict=True) if _is_suspected(lane))
        unread = kept[first] == math.inf
        held = lanes[first].robots
        return HostStanding(
            gate,
            queued,
            deferred,
            self._preparation.since(lanes[first]) if unread else 0.0,
            0.0 if unread else kept[first],
            held.copy.failure if held is not None and kept[first] else "",
            self._abandonment.abandons_at(lanes[first]),
        )

    def _kept_until(self, lane: OriginLane) -> float:
        """Until when something else than its gate keeps a lane; infinite while its robots.txt is on its way."""
        return math.inf if lane.busy and self._queue.ready(lane.name) else lane.closed_until

    def deferred(self) -> tuple[int, int, list[str]]:
        """How many requests wait because what they lead to looks endless, how many of these are in flight, and at which
        places."""
        return self._lanes.flows.deferral.suspected()

    def largest(self) -> tuple[int, str]:
        """How many requests of one group of URL patterns are queued, the largest; and of which site and place it is."""
        return self._lanes.flows.deferral.largest()

    @property
    def fault(self) -> tuple[float, str]:
        """Since when the queue cannot be read or written, and why; 0 and empty: it can."""
        return self._health.fault

    @property
    def paused(self) -> bool:
        """Whether somebody has paused the job, so that nothing leaves."""
        return self._queue.paused

    @property
    def keeps(self) -> bool:
        """Whether what is left at the end is kept for a later run."""
        return self._queue.persistent or self._queue.shared


def _is_suspected(lane: OriginLane) -> bool:
    return lane.flow is not None and lane.flow.suspected
