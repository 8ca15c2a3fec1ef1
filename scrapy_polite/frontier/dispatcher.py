"""Which host's request goes next: the best of those that may leave at once.

What is to be refused and what may be sent take turns: neither is to wait for the end of the other.
"""

from __future__ import annotations

import logging
import math
from typing import TYPE_CHECKING

from scrapy_polite import clock
from scrapy_polite.decision import Decision
from scrapy_polite.events import HostWait
from scrapy_polite.frontier.tasks import run
from scrapy_polite.services.in_flight_request import AbandonReason
from scrapy_polite.text import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy import Request

    from scrapy_polite._engine import Engine
    from scrapy_polite.events import Events
    from scrapy_polite.frontier.abandon import Abandonment
    from scrapy_polite.frontier.claims import Claims
    from scrapy_polite.frontier.idle import Idle
    from scrapy_polite.frontier.in_flight import InFlight
    from scrapy_polite.frontier.lane import OriginLane
    from scrapy_polite.frontier.lanes import Lanes
    from scrapy_polite.frontier.preparation import Preparation
    from scrapy_polite.frontier.queue import Queue
    from scrapy_polite.frontier.reconciliation import Reconciliation
    from scrapy_polite.frontier.robots_gate import RobotsGate
    from scrapy_polite.pacing.gate import Gate
    from scrapy_polite.services.pacing import CrawlPacing

logger = logging.getLogger(__name__)

#: Lanes that are looked at for one request that may leave, before other work has its turn.
_MAX_LOOKED_AT = 500
#: How long everything pauses where the disk is slower than the crawl, before it is looked at again.
_BEHIND_PAUSE_S = 0.1


class Dispatcher:
    """Finds the lane whose head is to leave now. With `by_address` lanes move to the gate of their host's address."""

    def __init__(
        self,
        queue: Queue,
        lanes: Lanes,
        preparation: Preparation,
        robots: RobotsGate,
        abandonment: Abandonment,
        in_flight: InFlight,
        reconciliation: Reconciliation,
        claims: Claims,
        idle: Idle,
        pacing: CrawlPacing,
        engine: Engine,
        events: Events,
        *,
        by_address: bool,
    ) -> None:
        self._queue = queue
        self._lanes = lanes
        self._preparation = preparation
        self._robots = robots
        self._abandonment = abandonment
        self._in_flight = in_flight
        self._reconciliation = reconciliation
        self._claims = claims
        self._idle = idle
        self._pacing = pacing
        self._engine = engine
        self._events = events
        self._by_address = by_address
        self._refuses_next = False
        #: Requests are queued and none may leave; it takes so long that the spider should go on meanwhile.
        self._waiting = self._stalled = False

    def start(self) -> None:
        """From now on the engine need not ask while nothing may leave."""
        self._engine.hold_back(self._waits, self._holds_enough)

    def next_request(self) -> Request | None:
        """The request that is to leave now; None where none may: then the engine is woken in time."""
        now = clock.now()
        lane = self._lanes.picked or self._pick(now)
        self._lanes.picked = None
        if lane is None:
            return None
        request = self._in_flight.take(lane, now)
        if lane.abandoned is None:
            waited_s = self._lanes.schedule.waited_s(lane, now)
            if waited_s and lane.origin is not None:
                self._events.publish(HostWait(str(lane.origin), waited_s))
            self._lanes.served(lane)
        elif lane.only_memory_only:
            if not self._queue.memory_only(lane.name):
                self._abandonment.take_up_again(lane)
        elif self._queue.head(lane.name) is None:
            self._lanes.drop(lane)
        return request

    def gate_moved(self, gate: Gate) -> None:
        """A gate may have opened or shut."""
        self._lanes.picked = None
        self._lanes.schedule.moved(gate)
        if self._lanes.schedule.has_lanes_at(gate.key):
            self._abandonment.failing.note(gate)
            self._engine.wake()

    def sample(self, most: int) -> Iterator[tuple[Gate, float]]:
        """Up to `most` lanes: the gate of each, and until when something else keeps it."""
        for lane in self._lanes.sample(most):
            if self._lanes.flows.deferral.may_go(lane):
                unread = lane.busy and lane.abandoned is None and self._queue.ready(lane.name)
                yield lane.gate, math.inf if unread else lane.closed_until

    def _waits(self) -> bool:
        """Whether something is queued of which nothing may leave, so that the engine need not ask."""
        self._waiting = False
        if self._queue.ended:
            self._idle.end()
            return False
        self._lanes.picked = self._pick(clock.now())
        self._waiting = self._lanes.picked is None and not self._stalled
        return self._waiting

    def _holds_enough(self) -> bool:
        """Whether as much waits here as may be under way at once: a spider that loads lazily need not bring more yet.

        With less it is to go on: what it brings may be of a host that need not wait.
        """
        enough = self._queue.behind or len(self._queue) >= self._engine.concurrency
        return self._waiting and enough and self._waits()

    def _pick(self, now: float) -> OriginLane | None:
        if self._queue.behind:
            self._reconciliation.hear()
            self._stalled = False
            self._idle.alarm.set(now + _BEHIND_PAUSE_S, now)
            return None
        is_due = self._reconciliation.is_due(now)
        if is_due:
            self._reconciliation.run(now)
        found, more = self._find(now)
        if found is None and not is_due:  # before anything is to wait
            self._reconciliation.run(now)
            found, more = self._find(now)
        if found is None:
            self._stalled = self._idle.wait(now, more=more)
        return found

    def _find(self, now: float) -> tuple[OriginLane | None, bool]:
        """The lane whose head is to leave now; and whether there are more that were not looked at."""
        schedule = self._lanes.schedule
        for lane in schedule.due(now):
            self._lanes.put(lane)
        self._abandonment.abandon_failed(now)
        self._preparation.resume_waiting(now)
        unread: list[OriginLane] = []
        found = self._refusable(now, unread) if self._refuses_next else None
        looked_at = 0
        while found is None and looked_at < _MAX_LOOKED_AT:
            picked = schedule.pick(now)
            if picked is None:
                break
            looked_at += 1
            found = self._ready_or_refused(picked, now, unread)
        found = found or self._refusable(now, unread)
        self._refuses_next = found is None or found.abandoned is None
        if unread:
            run(self._preparation.read(unread))
        # What has been read by now, as the queue answered at once, was not looked at either.
        more = looked_at == _MAX_LOOKED_AT or not all(lane in self._preparation for lane in unread)
        return found, more

    def _ready_or_refused(self, lane: OriginLane, now: float, unread: list[OriginLane]) -> OriginLane | None:
        """A defect costs the one host, not the crawl."""
        try:
            return self._ready(lane, now, unread)
        except Exception as error:
            shown = printable(str(lane.origin or lane.name))
            logger.exception("Internal error in scrapy-polite: %s is abandoned", shown)
            why = AbandonReason(Decision(False, "pace/abandoned", "an internal error"), error)
            self._abandonment.abandon(lane, why)
            return None

    def _ready(self, lane: OriginLane, now: float, unread: list[OriginLane]) -> OriginLane | None:
        """The lane that was picked, if its head may leave; else it has been put where it does not come up again."""
        if self._by_address and self._lanes.follow_address(lane):
            return None
        if self._claims.leaves(lane.gate.key):
            self._lanes.schedule.pass_over(lane)
            return None
        if not self._queue.ready(lane.name):
            if self._preparation.begin(lane, now):
                unread.append(lane)
            return None
        if not self._lanes.sift(lane):
            return None
        if lane.gate.refuses(now):
            why = AbandonReason(Decision(False, "pace/budget", str(lane.gate.budget)))
            self._abandonment.abandon(lane, why)
            return lane
        if not self._pacing.shared.has_heard(lane.gate, now):  # a robots.txt keeps to an embargo as well
            return None
        if not self._robots.opens(lane, now):
            return None
        if self._pacing.in_place.any_at(lane.gate):
            self._lanes.schedule.pass_over(lane)
            return None
        # Without the lease its gate is shut by now.
        return lane if self._pacing.leases.has(lane.gate, now) else None

    def _refusable(self, now: float, unread: list[OriginLane]) -> OriginLane | None:
        refused = self._lanes.refused
        while refused:
            lane = next(iter(refused))
            if lane.only_memory_only or self._queue.ready(lane.name):
                return lane
            if self._queue.head(lane.name) is None:
                self._lanes.drop(lane)
                continue
            if self._preparation.full:
                return None
            # It comes back when it has been read; or when its robots.txt has been asked for, and then it is read.
            del refused[lane]
            if self._preparation.begin_abandoned(lane, now):
                unread.append(lane)
        return None
