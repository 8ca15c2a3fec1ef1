"""Which of a site's queued links wait, because a group of URL patterns brought them to itself (see `traps.groups`).

A group has lanes of its own at each origin: `https://example.com /calendar?m`, and for what it finds once it is
suspected several more (`shares.LANES`). What else is queued for the origin is in its main lane, `https://example.com`.
"""

from __future__ import annotations

from collections.abc import Hashable
from heapq import nlargest
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

from scrapy_polite.frontier.shares import FOUND, LANES, LEFT, Flow, Site, lanes_of
from scrapy_polite.traps.groups import BESIDE
from scrapy_polite.traps.limits import DEFAULT_LIMITS
from scrapy_polite.traps.verdict import DEEP

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from .queue import Rank

#: Lanes of a suspected group that may go at once: at other hosts it waits for its turn all the same.
_MAX_OPEN = 8
#: Lanes of a flow whose first requests are looked at for their priority.
_MAX_HEADS = 64
#: Groups that are named.
_MAX_NAMED = 5


class LaneName(NamedTuple):
    """The parts of a lane's name; `group` is empty for a main lane."""

    origin: str
    group: str = ""
    kind: str = FOUND

    @classmethod
    def read(cls, name: str) -> LaneName:
        origin, _, rest = name.partition(" ")
        group, _, kind = rest.partition(" ")
        return cls(origin, group, kind)

    def __str__(self) -> str:
        return " ".join(self).rstrip()

    @property
    def shown(self) -> str:
        """For a person: without what only orders the queue."""
        return f"{self.origin} {self.group.removeprefix(BESIDE)}".rstrip()


class Judge(Protocol):
    """What is known of groups; see `services.trap_flows.TrapFlows`."""

    def is_deferred(self, site: str, pattern: str) -> bool: ...

    def ends(self, site: str, pattern: str) -> bool: ...

    def has_ended(self, site: str, pattern: str) -> bool: ...

    def judges_anew(self, site: str, left: Collection[str]) -> bool: ...

    def probe(self, site: str, pattern: str) -> str: ...

    def turn(self, site: str, pattern: str) -> tuple[float, float]: ...


class Grouped(Protocol):
    """A lane of a flow."""

    flow: Flow | None
    kind: str

    @property
    def origin(self) -> Hashable: ...


_L = TypeVar("_L", bound=Grouped)


class Deferral(Generic[_L]):
    """The flows of all sites, and their lanes. `put` lets a lane go, `hold` keeps it; `head` says the rank of its first
    request."""

    def __init__(
        self,
        judge: Judge | None,
        put: Callable[[_L], object],
        hold: Callable[[_L], object],
        head: Callable[[_L], Rank | None],
    ) -> None:
        self._judge: Judge = judge  # type: ignore[assignment]  # None: no lane ever joins
        self._put, self._hold, self._head = put, hold, head
        #: Whether any request has another priority than 0.
        self.has_priorities = False
        #: Whether other processes take from the same queue: then what is left is not moved, for they may have it.
        self.is_shared = False
        self._sites: dict[str, Site] = {}
        self._lanes: dict[Flow, dict[str, dict[_L, None]]] = {}
        self._open: dict[Flow, dict[_L, None] | None] = {}
        self._ended: dict[Flow, None] = {}
        self._turn = 0

    # What happens

    def join(self, lane: _L, site: str, name: LaneName) -> None:
        """A new lane of a site."""
        lane.flow = flow = self._sites.setdefault(site, Site(site)).flow(name.group)
        lane.kind = name.kind if name.kind in LANES else FOUND  # of another version
        self._lanes.setdefault(flow, {kind: {} for kind in LANES})[lane.kind][lane] = None
        self._look_up(flow)

    def part(self, lane: _L) -> None:
        """A lane is empty, and forgotten."""
        flow = lane.flow
        if flow is None or flow not in self._lanes:
            return  # of no site, or parted with before
        self._lanes[flow][lane.kind].pop(lane, None)
        if flow.queued > 0 and not self._has_lanes(flow):  # below 0: they have left, and are told of later
            flow.queued = 0  # what the queue could not read
            self.update(flow.site)
        opened = self._open.get(flow)
        if opened:
            opened.pop(lane, None)
            if not opened and flow.queued:
                self.update(flow.site)  # it goes on with its other lanes
        self._forget(flow.site)

    def pushed(self, flow: Flow, count: int = 1) -> None:
        """So many requests of a flow are queued: one here, or many by an earlier run or another process."""
        flow.pushed()
        flow.queued += count - 1
        if flow.queued <= count:  # there was none
            self.update(flow.site)

    def taken(self, lane: _L, flow: Flow) -> None:
        if flow.name:
            flow.weight, flow.rarity = self._judge.turn(flow.site.name, flow.name)
        flow.taken(lane.kind)
        self._turn += 1
        if flow.name:
            lanes = self._lanes[flow][lane.kind]
            if lane in lanes:  # to the end of its like
                del lanes[lane]
                lanes[lane] = None
        self.update(flow.site)

    def given_back(self, flow: Flow, kind: str) -> None:
        flow.done(kind)
        flow.queued += 1
        if flow.suspected or flow.queued == 1:
            self.update(flow.site)

    def done(self, flow: Flow, kind: str) -> None:
        flow.done(kind)
        if not flow.in_flight or (flow.suspected and flow.site.in_tail):
            self.update(flow.site)
        if not flow.in_flight:
            self._forget(flow.site)

    def changed(self, name: str) -> None:
        """Something about the groups of a site has changed."""
        site = self._sites.get(name)
        if site is None:
            return
        for flow in site.flows.values():
            self._look_up(flow)
        self.update(site)

    def _look_up(self, flow: Flow) -> None:
        """What is known of a flow's group by now. One that has ended, in an earlier run too, does not go on because
        something else of its site is queued again."""
        if not flow.name:
            return
        flow.suspect(self._judge.is_deferred(flow.site.name, flow.name))
        if not flow.suspected:
            self._ended.pop(flow, None)
        elif self._judge.has_ended(flow.site.name, flow.name):
            self._ended[flow] = None

    # What follows

    def may_go(self, lane: _L) -> bool:
        flow = lane.flow
        if flow is None or not flow.name:
            return True
        opened = self._open.get(flow, _CLOSED)
        return opened is None or lane in opened

    def update(self, site: Site) -> None:
        """Let the flows of a site go whose turn it is, and keep the others."""
        if len(site.flows) == 1 and "" in site.flows:
            return
        ready = self._ready(site)
        for flow in site.flows.values():
            if not flow.name:
                continue
            opened = self._opened(flow) if flow in ready else _CLOSED
            before = self._open.get(flow, _CLOSED)
            if opened is before is None:
                continue
            self._open[flow] = opened
            for lane in self._all(flow) if before is None else before:
                if opened is not None and lane not in opened:
                    self._hold(lane)
            for lane in self._all(flow) if opened is None else opened:
                if before is not None and lane not in before:
                    self._put(lane)

    def update_all(self) -> bool:
        """Let go what may; whether anything more may than before. Asked before a crawl ends."""
        before = {flow: opened if opened is None else dict(opened) for flow, opened in self._open.items()}
        for site in list(self._sites.values()):
            # What these wait for may not go either, such as what is left at a host that is closed.
            waiting = [flow.goes_at for flow in site.flows.values() if flow.queued > 0 and not flow.suspected]
            site.round = min((due for due in waiting if due > site.round), default=site.round)
            self.update(site)
        return any(
            (opened is None or opened) and opened != before.get(flow, _CLOSED) for flow, opened in self._open.items()
        )

    def probe(self, flow: Flow) -> str:
        """Where the next request of a flow is taken from, where only suspected ones of its site are left."""
        return self._judge.probe(flow.site.name, flow.name) if flow.suspected and flow.site.in_tail else ""

    @property
    def left(self) -> int:
        """Requests of groups that are followed no further."""
        return sum(max(flow.queued, 0) for flow in self._ended)

    def suspected(self) -> tuple[int, int, list[str]]:
        """How many requests of suspected groups are queued and in flight, and where the largest of them are: site and
        place."""
        flows = [flow for flow in self._open if flow.suspected and (flow.queued > 0 or flow.in_flight > 0)]
        largest = nlargest(_MAX_NAMED, flows, key=lambda flow: flow.queued)
        places = [f"{flow.site.name} {flow.name}" for flow in largest]
        return sum(flow.queued for flow in flows), sum(flow.in_flight for flow in flows), places

    def largest(self) -> tuple[int, str]:
        """How many requests of the largest flow that is no main one are queued, and of which site and place it is."""
        flow = max(self._open, key=lambda flow: flow.queued, default=None)
        return (0, "") if flow is None else (flow.queued, f"{flow.site.name} {flow.name.removeprefix(BESIDE)}")

    def ended(self) -> Iterator[tuple[Flow, list[_L]]]:
        """The groups that are followed no further, with their lanes."""
        for flow in list(self._ended):
            if flow.queued > 0:
                yield flow, list(self._all(flow))

    def _ready(self, site: Site) -> list[Flow]:
        while True:
            ready = site.ready(self._ended)
            if not ready:
                return self._judged_anew(site)
            if self.has_priorities:
                ready = self._with_best(site, ready)
            suspected = [flow for flow in ready if flow.suspected]
            if not suspected or not site.in_tail:
                return ready
            ended = [flow for flow in suspected if self._judge.ends(site.name, flow.name)]
            if not ended:
                return [flow for flow in ready if not self._is_full(flow)]
            self._ended.update(dict.fromkeys(ended))

    def _judged_anew(self, site: Site) -> list[Flow]:
        """The groups that have ended of which links are to be judged once more, now that nothing else is left."""
        left = [flow for flow in self._ended if flow.site is site and flow.queued > 0]
        if self.is_shared or not left or any(flow.in_flight for flow in site.flows.values()):
            return []
        if not self._judge.judges_anew(site.name, [flow.name for flow in left]):
            return []
        return [flow for flow in left if any(lanes for kind, lanes in self._lanes[flow].items() if kind != LEFT)]

    def has_ended(self, flow: Flow) -> bool:
        """Whether a group is followed no further: what of it has a turn is only judged once more."""
        return flow in self._ended

    def _is_full(self, flow: Flow) -> bool:
        """Whether as many requests of a suspected group in its tail are under way as may be at once."""
        if not flow.in_flight:
            return False
        probe = self.probe(flow)
        return flow.is_full(self._next_kind(flow, probe), DEFAULT_LIMITS.at_once, deep=probe == DEEP)

    def _with_best(self, site: Site, ready: list[Flow]) -> list[Flow]:
        """The flows that are ready, and those that a priority puts before all of these."""
        waiting = [
            flow for flow in site.flows.values() if flow.queued > 0 and flow not in ready and flow not in self._ended
        ]
        if not waiting:
            return ready
        best = min(map(self._priority, ready), default=_LAST)
        return [*ready, *(flow for flow in waiting if self._priority(flow) < best)]

    def _priority(self, flow: Flow) -> int:
        heads = (self._head(lane) for lane in islice(self._all(flow), _MAX_HEADS))
        return min((head[0] for head in heads if head is not None), default=_LAST)

    def _opened(self, flow: Flow) -> dict[_L, None] | None:
        """The lanes of a flow that may go; None: all of them."""
        if not flow.suspected:
            return None
        probe, lanes = self.probe(flow), self._lanes[flow]
        if probe == DEEP:
            return dict.fromkeys(islice(lanes[self._next_kind(flow, probe)], _MAX_OPEN))
        # At each host the first: one may have to wait. What stays of a group that has ended has been judged.
        first = dict[Hashable, _L]()
        kinds = [kind for kind in lanes_of(probe, self._turn) if kind != LEFT or flow not in self._ended]
        for lane in (lane for kind in kinds for lane in lanes[kind]):
            first.setdefault(lane.origin, lane)
            if len(first) >= _MAX_OPEN:
                break
        return dict.fromkeys(first.values())

    def _next_kind(self, flow: Flow, probe: str) -> str:
        """The kind of lane that the next request of a flow is in."""
        lanes = self._lanes[flow]
        return next((kind for kind in lanes_of(probe, self._turn) if lanes[kind]), FOUND)

    def _has_lanes(self, flow: Flow) -> bool:
        """Also such as hold what is not counted yet: a queue that others share says so later."""
        return any(self._lanes.get(flow, {}).values())

    def _all(self, flow: Flow) -> list[_L]:
        return [lane for lanes in self._lanes[flow].values() for lane in lanes]

    def _forget(self, site: Site) -> None:
        if any(flow.queued or flow.in_flight or self._has_lanes(flow) for flow in site.flows.values()):
            return
        if self._sites.get(site.name) is site:
            del self._sites[site.name]
        for flow in site.flows.values():
            self._lanes.pop(flow, None)
            self._open.pop(flow, None)
            self._ended.pop(flow, None)


#: After all priorities, which are of 64 bits.
_LAST = 2**64
_CLOSED: dict[Any, None] = {}
