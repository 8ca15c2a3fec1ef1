"""The lanes of a crawl that are not empty, where the queue, the schedule and the deferral meet."""

from __future__ import annotations

import time
from collections import OrderedDict
from itertools import count, islice
from typing import TYPE_CHECKING

from scrapy_polite import clock
from scrapy_polite.frontier.flows import Flows
from scrapy_polite.frontier.lane import OriginLane, lane_name_of, origin_of_lane
from scrapy_polite.frontier.queue import PushResult
from scrapy_polite.frontier.shares import rank_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scrapy import Request

    from scrapy_polite.frontier.deferral import LaneName
    from scrapy_polite.frontier.failing import FailingHosts
    from scrapy_polite.frontier.order import Order
    from scrapy_polite.frontier.queue import Entry, LaneState, Queue, Rank
    from scrapy_polite.frontier.schedule import Schedule
    from scrapy_polite.origin import Origin
    from scrapy_polite.pacing.gate import Gate
    from scrapy_polite.services.pacing import CrawlPacing
    from scrapy_polite.services.traps import CrawlTraps

#: How long a lane to which a request came back is left alone: whatever sends them back, it is no loop without a pause.
_RETURN_PAUSE_S = 0.1
#: Requests that are moved to another lane in one step.
_MAX_SIFTED = 100


class Lanes:
    """`target` says which URL a request is really about. The lanes that wait for `failing` hosts are noted there."""

    def __init__(
        self,
        queue: Queue,
        schedule: Schedule[OriginLane],
        failing: FailingHosts,
        pacing: CrawlPacing,
        order: Order,
        target: Callable[[Request], str],
        traps: CrawlTraps | None,
    ) -> None:
        self.schedule = schedule
        self.flows = Flows(traps, self._put_if_free, self._hold, self._head)
        self.flows.deferral.is_shared = queue.shared
        #: The lane whose head is to leave next, as it was found last; None as soon as anything has changed.
        self.picked: OriginLane | None = None
        #: Lanes that are abandoned, whose requests are to leave and be refused. A set in order.
        self.refused: OrderedDict[OriginLane, None] = OrderedDict()
        self._queue = queue
        self._failing = failing
        self._pacing = pacing
        self._order = order
        self._target = target
        self._lanes: dict[str, OriginLane] = {}
        # Beyond the numbers of any earlier run on the same queue.
        self._numbers = count(time.time_ns() // 1_000)

    def __len__(self) -> int:
        return len(self._lanes)

    def __iter__(self) -> Iterator[OriginLane]:
        return iter(self._lanes.values())

    def __contains__(self, lane: OriginLane) -> bool:
        return self._lanes.get(lane.name) is lane

    def sample(self, most: int) -> Iterator[OriginLane]:
        """Up to `most` lanes, taken evenly of all."""
        return islice(self._lanes.values(), 0, None, -(-len(self._lanes) // most) or 1)

    def came(self, state: LaneState) -> None:
        """Requests are queued that were not pushed just now: by an earlier run, or by other processes."""
        lane = self.lane(state.lane, origin_of_lane(state.lane))
        self.picked = None
        self.flows.pushed(lane, state.head, state.count)
        if not lane.busy and not lane.closed_until:
            self.put(lane)  # or it is empty again

    def went(self, name: str, count: int) -> None:
        """A lane with `count` requests is with another process from now on, or with none."""
        lane = self._lanes.get(name)
        if lane is not None:
            self.picked = None
            self.flows.lost(lane, count)
            self.drop(lane)

    def lane_of(self, request: Request) -> tuple[OriginLane, Rank]:
        """The lane of a new request, and its rank there."""
        number = next(self._numbers)
        url = self._target(request)
        name, origin = lane_name_of(url)
        rank = self._order.rank(request, number)
        if origin is not None:
            name, rank = self.flows.lane_of(request, url, name, rank, number)
        return self.lane(str(name), origin), rank

    def lane(self, name: str, origin: Origin | None) -> OriginLane:
        lane = self._lanes.get(name)
        if lane is None:
            gate = self._pacing.gate(origin, name.partition(" ")[0].rstrip(":"))
            gate.lanes += 1
            lane = self._lanes[name] = OriginLane(name, gate, origin)
            self.schedule.add(lane)
            self.flows.joined(lane)
            self._failing.note(gate)
        return lane

    def pushed(self, lane: OriginLane, rank: Rank, request: Request) -> None:
        """A request has been pushed."""
        self.flows.pushed(lane, rank)
        self.picked = None
        if lane.busy or self._queue.head(lane.name) != rank:
            return
        # What is closed stays so, whatever is pushed, but for a head that does not ask what its robots.txt says.
        if not lane.closed_until or request.meta.get("dont_obey_robotstxt"):
            self.put(lane)

    def not_pushed(self, lane: OriginLane) -> None:
        """Nothing was pushed into a lane, which may be a new one."""
        if not lane.busy and self._queue.head(lane.name) is None:
            self.drop(lane)

    def served(self, lane: OriginLane) -> None:
        """Its head has been popped."""
        self.schedule.served(lane)
        self.put(lane)

    def give_back(self, entry: Entry) -> None:
        """Queue a request again, ahead of its equals."""
        self._queue.give_back(entry, self._order.rank_back(entry.request, next(self._numbers)))
        lane = self.lane(entry.lane, origin_of_lane(entry.lane))
        self.flows.given_back(entry.request)
        lane.cleared_until = 0.0
        self.picked = None
        if not lane.busy and not lane.closed_until:
            self.schedule.close(lane, clock.now() + _RETURN_PAUSE_S)

    def put(self, lane: OriginLane) -> None:
        """Let the schedule know the lane's head, unless its group has to wait; a lane that is empty is forgotten."""
        head = self._queue.head(lane.name)
        if head is None:
            self.drop(lane)
        elif self.flows.deferral.may_go(lane):
            self.schedule.put(lane, head)
        else:
            self.schedule.set_aside(lane)

    def wait_for_slot(self, lane: OriginLane) -> None:
        """Line it up until there is a place to make it ready."""
        head = self._queue.head(lane.name)
        if head is None:
            self.drop(lane)
        else:
            self.schedule.wait_for_slot(lane, head)

    def drop(self, lane: OriginLane) -> None:
        """Forget a lane that has nothing queued any more, unless that has been done."""
        if self._lanes.pop(lane.name, None) is None:
            return
        self.flows.deferral.part(lane)
        self.refused.pop(lane, None)
        self.schedule.remove(lane)
        self._release(lane.gate)

    def follow_address(self, lane: OriginLane) -> bool:
        """Move a lane whose host's address has been learned to the gate of that address; whether it has moved."""
        if lane.origin is None or self._pacing.keys.of(lane.origin) == lane.gate.key:
            return False
        before, gate = lane.gate, self._pacing.gate(lane.origin)
        gate.lanes += 1
        self.schedule.move(lane, gate)
        self._release(before)
        # What its robots.txt asks for, the new gate has to be told.
        lane.robots, lane.cleared_until = None, 0.0
        self.put(lane)
        return True

    def sift(self, lane: OriginLane) -> bool:
        """Whether the head of a lane may go from there. What a group is suspected of since it was queued goes to the
        group's own lane, what is left of one that has ended to another; what was queued twice and has left is
        dropped."""
        if lane.flow is None:
            return True
        flows = self.flows
        for moved in range(_MAX_SIFTED):
            if not self._queue.ready(lane.name):
                break
            request = self._queue.peek(lane.name)
            to = flows.lane_to_move_to(request, lane)
            if to is None and not flows.has_left(request):
                if moved:
                    break
                return True
            entry = self._queue.pop(lane.name)
            flows.lost(lane, 1)
            if to is not None:
                self._move(request, lane, to)
            self._queue.done(entry)
        flows.update(lane)
        self.put(lane)
        return False

    def _move(self, request: Request, lane: OriginLane, name: LaneName) -> None:
        to, number = self.lane(str(name), lane.origin), next(self._numbers)
        rank = rank_in(name.kind, self._target(request), self._order.rank(request, number), number)
        if self._queue.push(to.name, rank, request, host=to.part_of(request)) is PushResult.UNKNOWN:
            self.not_pushed(to)  # a queue that others share says by `came` what it holds
            return
        self.flows.pushed(to, rank)
        self._put_if_free(to)

    def _release(self, gate: Gate) -> None:
        gate.lanes -= 1
        self._pacing.gates.release(gate, clock.now())

    # For the deferral

    def _put_if_free(self, lane: OriginLane) -> None:
        if not lane.busy and not lane.closed_until and self._queue.head(lane.name) is not None:
            self.picked = None
            self.put(lane)

    def _hold(self, lane: OriginLane) -> None:
        if not lane.busy and not lane.closed_until:
            self.picked = None
            self.schedule.set_aside(lane)

    def _head(self, lane: OriginLane) -> Rank | None:
        return self._queue.head(lane.name)
