"""Hosts that are abandoned: connections fail or the robots.txt is unreachable for too long, or the name does not exist.

What is queued for an abandoned host leaves the queue like any other request; the middlewares refuse it, so that its
errback hears why.
"""

from __future__ import annotations

import math
import socket
from collections import OrderedDict
from itertools import islice
from typing import TYPE_CHECKING

from scrapy_polite import _loop, clock
from scrapy_polite._engine import UNRESOLVED, is_unresolved
from scrapy_polite.decision import Decision
from scrapy_polite.events import HostAbandoned
from scrapy_polite.frontier.tasks import run
from scrapy_polite.services.in_flight_request import AbandonReason
from scrapy_polite.text import duration

if TYPE_CHECKING:
    from scrapy_polite._engine import Engine
    from scrapy_polite.events import Events
    from scrapy_polite.frontier.failing import FailingHosts
    from scrapy_polite.frontier.lane import OriginLane
    from scrapy_polite.frontier.lanes import Lanes
    from scrapy_polite.frontier.queue import Queue
    from scrapy_polite.pacing.gate import Gate
    from scrapy_polite.services.pacing import CrawlPacing

_MAX_UNREACHABLE = 100_000
#: When nothing else is left, a host name is abandoned after so many look-ups of its robots.txt in vain. Of pages that
#: need none three have failed by then: one more is tried after so long, and it is abandoned after so long again.
_LOOKUPS, _LOOKUP_PAUSE_S = 3, 3.0
#: Of so many of these names the resolver is asked itself: where it cannot be reached, no name is said not to exist. It
#: has so long to answer, its answer counts for so long, and where it has no answer it is asked again after so long.
_ASKED_NAMES, _TIMEOUT_S, _ANSWER_S, _NO_ANSWER_S = 3, 30.0, 30.0, 5.0
_NO_SUCH_NAME = {getattr(socket, name) for name in ("EAI_NONAME", "EAI_NODATA") if hasattr(socket, name)}


class Abandonment:
    """Abandons lanes after `give_up_s`, and knows since when the robots.txt of a lane has been unreachable."""

    def __init__(
        self,
        queue: Queue,
        lanes: Lanes,
        failing: FailingHosts,
        pacing: CrawlPacing,
        events: Events,
        give_up_s: float,
    ) -> None:
        self.failing = failing
        self._queue = queue
        self._lanes = lanes
        self._pacing = pacing
        self._events = events
        self._give_up_s = give_up_s
        #: By the lane's name: lanes come and go.
        self._unreachable: OrderedDict[str, float] = OrderedDict()

    def abandon(self, lane: OriginLane, why: AbandonReason) -> None:
        """From now on the lane's requests leave the queue, to be refused."""
        if lane.abandoned is None:
            lane.abandoned = why
            lane.busy = True
            self._lanes.schedule.set_aside(lane)
            self._lanes.refused[lane] = None

    def abandon_memory_only(self, now: float) -> bool:
        """Abandon what is queued and would end with the process; False where there is nothing.

        What only waits for the rest of its site has its turn once that has been refused.
        """
        lanes = [lane for lane in self._lanes if self._queue.memory_only(lane.name)]
        for lane in [lane for lane in lanes if self._lanes.flows.deferral.may_go(lane)] or lanes:
            lane.only_memory_only = True
            self.abandon(lane, AbandonReason(self.why_closed(lane, now)))
        return bool(self._lanes.refused)

    def take_up_again(self, lane: OriginLane) -> None:
        """What the queue cannot keep has left; the rest of the lane stays."""
        lane.abandoned = None
        lane.only_memory_only = lane.busy = False
        self._lanes.refused.pop(lane, None)
        self._lanes.put(lane)

    def abandon_failed(self, now: float) -> None:
        """Abandon the hosts to which connections have failed for too long."""
        for gate in self.failing.take_due(now) if self.failing else ():
            self.abandon_gate(gate, now)

    def abandon_gate(self, gate: Gate, now: float) -> None:
        """Abandon all lanes of a host to which connections fail."""
        if gate.backoff is None:
            return
        failing_s = now - (gate.backoff.failing_since or now)
        why = Decision(False, "pace/abandoned", f"{gate.backoff.evidence}, failing for {duration(failing_s)}")
        lanes = self._lanes.schedule.lanes_at(gate.key)
        count = sum(self._queue.count(lane.name) for lane in lanes)
        self._events.publish(HostAbandoned(gate.key, why.detail, count))
        for lane in lanes:
            self.abandon(lane, AbandonReason(why, self._pacing.failures.errors.get(gate.key)))

    def abandon_unreachable(self, lane: OriginLane, why: str) -> None:
        """Abandon a lane whose robots.txt is unreachable."""
        self._events.publish(HostAbandoned(str(lane.origin or lane.name), why, self._queue.count(lane.name)))
        self.abandon(lane, AbandonReason())

    # robots.txt

    def reachable(self, lane: OriginLane) -> None:
        self._unreachable.pop(lane.name, None)

    def is_unreachable(self, lane: OriginLane) -> bool:
        return lane.name in self._unreachable

    def unreachable_until(self, lane: OriginLane, until: float, now: float) -> None:
        """Close the lane until its robots.txt is to be asked for again, or abandon it."""
        abandons_at = self._unreachable.setdefault(lane.name, now) + self._give_up_s
        if len(self._unreachable) > _MAX_UNREACHABLE:
            self._unreachable.popitem(last=False)
        if now >= abandons_at:
            self.abandon_unreachable(
                lane, f"robots.txt unreachable for {duration(now - abandons_at + self._give_up_s)}"
            )
        else:
            self._lanes.schedule.close(lane, min(until, abandons_at))

    # For whoever asks why a lane waits

    def why_closed(self, lane: OriginLane, now: float) -> Decision | None:
        """None: its robots.txt is unreachable, and says why."""
        if lane.name in self._unreachable:
            return None
        reason, detail = lane.gate.why(now)
        return Decision(False, reason or "pace/held", detail)

    def abandons_at(self, lane: OriginLane) -> float:
        """When a lane is abandoned if nothing changes; infinite where nothing fails."""
        since = self._unreachable.get(lane.name, math.inf)
        return min(since + self._give_up_s, self.failing.abandons_gate_at(lane.gate))


class UnresolvedHosts:
    """Abandons hosts whose names do not exist when they are all that is left: nobody is to wait for them."""

    def __init__(
        self,
        lanes: Lanes,
        abandonment: Abandonment,
        pacing: CrawlPacing,
        engine: Engine,
        robots_attempts: int,
    ) -> None:
        self._lanes = lanes
        self._abandonment = abandonment
        self._pacing = pacing
        self._engine = engine
        self._robots_attempts = robots_attempts
        self._began = clock.now()
        #: Whether names that fail do not exist, as the resolver says; None: it is being asked. Until when that counts.
        self._confirmed: bool | None = False
        self._confirmed_until = 0.0
        #: When the resolver is to be asked again, as it had no answer; infinite where it need not be.
        self.asks_again_at = math.inf

    def abandon_if_all(self, now: float) -> float:
        """Abandon them; 0 where others are left or nothing is certain, else when to look again."""
        self.asks_again_at = math.inf
        look_at = self._all_certain_at(now)
        if not look_at:
            return 0.0
        if look_at <= now and not self._is_confirmed(now):
            if self._confirmed is None:
                return now + 1
            self.asks_again_at = self._confirmed_until
            return 0.0
        for lane in list(self._lanes) if look_at <= now else ():
            if lane.abandoned is not None:
                continue
            backoff = lane.gate.backoff
            if self._abandonment.is_unreachable(lane):
                self._abandonment.abandon_unreachable(lane, f"robots.txt: {UNRESOLVED}")
            elif backoff is not None and backoff.level < 2:
                backoff.cut_short(now)
                self._lanes.schedule.moved(lane.gate)
            else:
                self._abandonment.abandon_gate(lane.gate, now)
        return look_at

    def _all_certain_at(self, now: float) -> float:
        """When that is certain of all that is left; 0 where there is hope for one, or nothing."""
        certain_at = 0.0
        for lane in self._lanes:
            if lane.abandoned is None:
                certain_at = max(certain_at, self._certain_at(lane, now))
                if certain_at == math.inf:
                    return 0.0
        return certain_at

    def _certain_at(self, lane: OriginLane, now: float) -> float:
        """When it is certain enough that the lane's host name does not exist; infinite where there is hope."""
        if self._abandonment.is_unreachable(lane):
            copy = lane.robots.copy if lane.robots is not None else None
            # What an earlier run has met may be over.
            asked = copy is not None and copy.failure == UNRESOLVED and copy.updated_at >= self._began
            return now if asked and self._robots_attempts >= _LOOKUPS else math.inf
        backoff = lane.gate.backoff
        failing = backoff is not None and backoff.failing_since is not None and lane.gate.opens_at(now) > now
        if backoff is None or not failing or not is_unresolved(self._pacing.failures.errors.get(lane.gate.key)):
            return math.inf
        return (backoff.failing_since or now) + _LOOKUP_PAUSE_S * min(backoff.level, 2)

    def _is_confirmed(self, now: float) -> bool:
        if self._confirmed is not None and now >= self._confirmed_until:
            self._confirmed = None
            hosts = [lane.origin.host for lane in islice(self._lanes, _ASKED_NAMES) if lane.origin is not None]
            run(self._ask_resolver(hosts))
        return bool(self._confirmed)

    async def _ask_resolver(self, hosts: list[str]) -> None:
        answer = False
        try:
            answer = await _loop.in_thread(lambda: all(map(_does_not_exist, hosts)), timeout_s=_TIMEOUT_S)
        except TimeoutError:
            pass
        finally:
            counts_for_s = _ANSWER_S if answer else _NO_ANSWER_S
            self._confirmed, self._confirmed_until = answer, clock.now() + counts_for_s
            self._engine.wake()


def _does_not_exist(host: str) -> bool:
    """Whether the resolver says so; that it cannot be reached says nothing of the name."""
    try:
        socket.getaddrinfo(host, None)
    except socket.gaierror as error:
        return error.errno in _NO_SUCH_NAME
    except (OSError, UnicodeError):
        pass
    return False
