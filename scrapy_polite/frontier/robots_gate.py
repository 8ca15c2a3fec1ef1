"""A lane waits in the queue until its robots.txt is known, and as long as that is unreachable."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from scrapy_polite import clock
from scrapy_polite.decision import Decision
from scrapy_polite.frontier.tasks import run
from scrapy_polite.robots.access import Access, standing
from scrapy_polite.services.in_flight_request import AbandonReason

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Request

    from scrapy_polite._engine import Engine, RobotsDownload
    from scrapy_polite.frontier.abandon import Abandonment
    from scrapy_polite.frontier.lane import OriginLane
    from scrapy_polite.frontier.lanes import Lanes
    from scrapy_polite.frontier.preparation import Preparation
    from scrapy_polite.frontier.queue import Queue
    from scrapy_polite.pacing.gate import Gate
    from scrapy_polite.robots.cache import CachedRobots, Key
    from scrapy_polite.services.blacklists import CrawlBlacklists
    from scrapy_polite.services.main_hosts import CrawlMainHosts
    from scrapy_polite.services.pacing import CrawlPacing
    from scrapy_polite.services.robots import CrawlRobots

#: How long a robots.txt that was found open for a lane is taken for known without looking again, in seconds. The
#: middleware looks again when the request leaves.
_CLEARED_S = 5.0
#: No robots.txt is fetched for longer, whatever its attempts and pauses are set to.
_MAX_ASKING_S = 86_400.0
#: How long a lane is left alone whose robots.txt could not be asked for at all: a defect, or a cache that closes.
_DEFECT_PAUSE_S = 5.0


class RobotsGate:
    """`target` says which URL a request is really about."""

    def __init__(
        self,
        queue: Queue,
        lanes: Lanes,
        preparation: Preparation,
        abandonment: Abandonment,
        robots: CrawlRobots,
        main_hosts: CrawlMainHosts,
        blacklists: CrawlBlacklists,
        pacing: CrawlPacing,
        engine: Engine,
        target: Callable[[Request], str],
    ) -> None:
        self._queue = queue
        self._lanes = lanes
        self._preparation = preparation
        self._abandonment = abandonment
        self._robots = robots
        self._main_hosts = main_hosts
        self._blacklists = blacklists
        self._pacing = pacing
        self._engine = engine
        self._target = target
        #: How many robots.txt files are being asked for at each gate.
        self._fetching: Counter[str] = Counter()

    def opens(self, lane: OriginLane, now: float) -> bool:
        """Whether the lane's robots.txt is known and lets it go; otherwise it has been set aside or closed."""
        if lane.cleared_until > now or not self._robots.enforced or lane.origin is None:
            return True
        request = self._queue.peek(lane.name)
        mode = self._robots.mode(lane.origin)
        if (
            mode in ("never", "audit")
            or request.meta.get("dont_obey_robotstxt")
            or self._blacklists.refuses_url(request)
        ):
            return True
        key = self._robots.key(lane.origin, request)
        held = self._robots.cache.look(key)
        closes = mode == "obey"
        if held is not None and not self._main_hosts.undecided(key, held):
            return self._apply(lane, held, now, closes=closes)
        gate = lane.gate
        if self._fetching[gate.key] >= gate.places:
            # They would only wait there, and hold up the pages that need not ask.
            self._lanes.schedule.pass_over(lane)
        elif self._preparation.begin(lane, now):
            self._fetching[gate.key] += 1
            way = self._robots.way(request, self._target(request))
            run(self._ask(lane, gate, request, key, way, closes=closes))
        return False

    async def _ask(
        self, lane: OriginLane, gate: Gate, request: Request, key: Key, way: RobotsDownload, *, closes: bool
    ) -> None:
        held, refused = None, False
        try:
            # A host that must not be visited is not asked for its robots.txt, either.
            refused = await self._blacklists.refuses(request)
            if not refused:
                held = await self._robots.known(key, way, clock.now() + _MAX_ASKING_S, patient=False)
            if held is not None and self._main_hosts.undecided(key, held):
                await self._main_hosts.decide(key, held, request, clock.now() + _MAX_ASKING_S)
        finally:
            self._fetching[gate.key] -= 1
            if not self._fetching[gate.key]:
                del self._fetching[gate.key]
            if lane.abandoned is None and lane in self._lanes:
                lane.busy = False
                now = clock.now()
                if refused:
                    lane.cleared_until = now + _CLEARED_S
                elif held is not None:
                    self._apply(lane, held, now, closes=closes)
                elif not self._engine.closing and gate.shut_until(now) <= now:
                    self._abandonment.unreachable_until(lane, now + _DEFECT_PAUSE_S, now)
            elif held is not None and lane.origin is not None:
                # It may be another process's by now, which has to keep the delay from this request on.
                self._pacing.learned(gate, lane.origin, held)
            self._preparation.end(lane)
            self._pacing.moved(gate)

    def _apply(self, lane: OriginLane, held: CachedRobots, now: float, *, closes: bool) -> bool:
        """Tell the gate what the robots.txt asks; close the lane where it is unreachable. Whether it may go now."""
        gate = lane.gate
        if held is not lane.robots and lane.origin is not None:
            lane.robots = held
            self._pacing.learned(gate, lane.origin, held)
        if not closes or standing(held.copy, now, held.policy).access is not Access.CLOSED:
            self._abandonment.reachable(lane)
            lane.cleared_until = now + _CLEARED_S
            return gate.opens_at(now) <= now and not gate.full
        if held.error is not None:
            why = Decision(False, "robots/unreachable", held.copy.failure)
            self._abandonment.abandon(lane, AbandonReason(why, held.error))
            return False
        self._abandonment.unreachable_until(lane, held.copy.due_at, now)
        return False
