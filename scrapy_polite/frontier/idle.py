"""Nothing may leave the queue: the engine is woken when something may, or the crawl ends if that is too far off."""

from __future__ import annotations

import logging
import math
import time
from typing import TYPE_CHECKING, Any

from scrapy.utils.asyncio import call_later

from scrapy_polite import _loop
from scrapy_polite.decision import Decision
from scrapy_polite.events import LinkLeft
from scrapy_polite.frontier.preparation import LONG_S
from scrapy_polite.frontier.tasks import run

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Request

    from scrapy_polite._engine import Engine
    from scrapy_polite.events import Events
    from scrapy_polite.frontier.abandon import Abandonment, UnresolvedHosts
    from scrapy_polite.frontier.claims import Claims
    from scrapy_polite.frontier.lanes import Lanes
    from scrapy_polite.frontier.patience import Patience
    from scrapy_polite.frontier.preparation import Preparation
    from scrapy_polite.frontier.queue import Queue
    from scrapy_polite.frontier.report import Report
    from scrapy_polite.services.pacing import CrawlPacing

logger = logging.getLogger(__name__)

#: A wait at the end that is shorter is not worth a line.
_TOLD_FROM_S = 10.0
#: Timers may fire a little early.
_WAKE_SLACK_S = 0.001
#: The loop has its turn after so long at the latest.
STEP_S = 0.02


class Alarm:
    """Has the engine ask the scheduler again at a time, the first that it is set to."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._timer: Any = None
        self._at = math.inf

    def set(self, at: float, now: float) -> None:
        if at < math.inf and (self._timer is None or at < self._at or self._at <= now):
            self.cancel()
            self._at = at
            self._timer = call_later(max(at - now, 0.0) + _WAKE_SLACK_S, self._wake)

    def cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _wake(self) -> None:
        self._timer = None
        self._at = math.inf
        self._engine.wake()


class Ending:
    """The end of a crawl that has requests left: they stay in the job directory, or they are refused."""

    def __init__(
        self,
        queue: Queue,
        lanes: Lanes,
        abandonment: Abandonment,
        engine: Engine,
        events: Events,
        report: Report,
        target: Callable[[Request], str],
    ) -> None:
        self._queue = queue
        self._lanes = lanes
        self._abandonment = abandonment
        self._engine = engine
        self._events = events
        self._report = report
        self._target = target
        self._under_way = False

    def end(self, now: float) -> None:
        left = self._lanes.flows.deferral.left
        if not self._queue.persistent:
            if not left:
                self._refuse_memory_only(now)
                self._report.not_kept += sum(self._queue.memory_only(lane.name) for lane in self._lanes.refused)
            elif not self._under_way:
                self._under_way = True
                run(self._leave_behind())
        elif not self._under_way:
            self._under_way = True
            queued = len(self._queue)
            reason = self._engine.idle("polite_traps_left" if left == queued else "polite_waiting")
            if len(self._queue) > queued:
                self._engine.wake()
            elif reason and not self._refuse_memory_only(now):
                self._engine.close_spider(reason)
                return
            self._under_way = False

    def _refuse_memory_only(self, now: float) -> bool:
        if not self._abandonment.abandon_memory_only(now):
            return False
        self._engine.wake()
        return True

    async def _leave_behind(self) -> None:
        """What is left of groups that are followed no further, and that nothing keeps: it is counted and listed."""
        began = time.monotonic()
        self._lanes.flows.tell_all_left()
        for flow, lanes in list(self._lanes.flows.deferral.ended()):
            group = self._lanes.flows.group_of(flow)
            for lane in lanes:
                while self._queue.head(lane.name) is not None:
                    entry = self._queue.pop(lane.name)
                    self._queue.done(entry)
                    flow.queued -= 1
                    why = Decision(False, "trap/endless", f"{group}: not followed further")
                    self._events.publish(LinkLeft(str(lane.origin), self._target(entry.request), why))
                    if time.monotonic() - began > STEP_S:
                        await _loop.sleep(0)
                        began = time.monotonic()
                self._lanes.drop(lane)
        self._under_way = False
        self._engine.wake()


class Idle:
    """Waits for the first lane that opens, as long as that comes soon or something is under way."""

    def __init__(
        self,
        queue: Queue,
        lanes: Lanes,
        abandonment: Abandonment,
        unresolved: UnresolvedHosts,
        preparation: Preparation,
        claims: Claims,
        ending: Ending,
        pacing: CrawlPacing,
        engine: Engine,
        report: Report,
        patience: Patience,
    ) -> None:
        self.alarm = Alarm(engine)
        self._queue = queue
        self._lanes = lanes
        self._abandonment = abandonment
        self._unresolved = unresolved
        self._preparation = preparation
        self._claims = claims
        self._ending = ending
        self._pacing = pacing
        self._engine = engine
        self._report = report
        self._patience = patience
        self._told_until = math.inf
        self._wait_told_until = 0.0
        #: Why the hosts that were here last have been left to other runs.
        self._left_for = "polite_waiting"

    def wait(self, now: float, *, more: bool) -> bool:
        """Nothing may leave; there may be `more` that was not looked at.

        True where nothing opens soon and the spider may wait for the queue to be empty before it goes on: it should.
        """
        if self._queue.ended or self._engine.closing:
            return False
        at = now if more else min(self._lanes.schedule.wake_at(), self._abandonment.failing.next_at())
        own_at, at = at, min(at, self._claims.more(now))
        if self._preparation.full:
            at = min(at, now + LONG_S)
        ours = self._preparation.busy or self._pacing.in_flight_requests or self._pacing.leases.acquiring
        busy = ours or not self._engine.at_rest or self._engine.starting
        if not busy and at > now and (look_at := self._unresolved.abandon_if_all(now)):
            self.alarm.set(look_at, now)
            return False
        busy = ours or not self._engine.at_rest or not self._queue.quiet
        if self._queue.shared and own_at > now + self._patience.max_idle_s and not busy:
            self._leave_hosts(now)
        stalled = False
        if at > now + self._patience.max_idle_s and not busy and not self._is_only_paced(now):
            if self._lanes.flows.deferral.update_all():
                self.alarm.set(now, now)
                return False
            if not self._engine.starting:
                self._ending.end(now)
                return False
            stalled = True
        elif at > now + _TOLD_FROM_S and now >= self._wait_told_until and not busy and not self._engine.starting:
            self._wait_told_until = self._report.say_what_is_waited_for(now) or self._wait_told_until
        self.alarm.set(min(at, self._unresolved.asks_again_at), now)
        return stalled

    def end(self) -> None:
        """Nothing more may be sent by any process: what is left is for another run."""
        if self._queue.shared and self._queue.totals().queued and self._engine.at_rest and not self._engine.starting:
            reason = self._engine.idle(self._left_for)
            if reason:
                self._engine.close_spider(reason)

    def _leave_hosts(self, now: float) -> None:
        flows = self._lanes.flows
        if len(self._lanes) and not self._is_only_paced(now) and not flows.deferral.update_all():
            is_of_traps = 0 < flows.deferral.left == len(self._queue)
            self._left_for = "polite_traps_left" if is_of_traps else "polite_waiting"
            flows.tell_all_left()
            self._claims.leave_all(list(self._lanes.schedule), now)

    def _is_only_paced(self, now: float) -> bool:
        """Whether some lane is kept for long only by a declared delay, or another crawl's lease: that is not idle.

        Looked for only when nothing opens soon, so that it may cost a look at every lane.
        """
        for lane in self._lanes:
            if lane.closed_until or lane.abandoned is not None or not self._lanes.flows.deferral.may_go(lane):
                continue
            opens_at, kept_until = lane.gate.opens_at(now), lane.gate.shut_until(now)
            if self._pacing.leases.unavailable:
                kept_until = max(kept_until, lane.gate.held_until)
            if now < opens_at < math.inf and kept_until <= now + self._patience.max_idle_s:
                if self._patience.at_prompt and opens_at != self._told_until:
                    self._told_until = opens_at
                    self._report.say_that_it_is_paced(lane, opens_at, now)
                return True
        return False
