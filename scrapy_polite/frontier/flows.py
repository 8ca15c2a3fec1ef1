"""The part of the scheduler that defers: requests queued and in flight are counted for the groups of URL patterns.

Which group a request belongs to is known by `services.traps`, which of a site's groups goes next by `deferral`. Where
nobody looks for traps, or they are only counted, nothing here does anything.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from scrapy_polite.frontier.deferral import Deferral, LaneName
from scrapy_polite.frontier.shares import FOUND, LEFT, kind_by_now, kind_of, rank_in
from scrapy_polite.origin import site_of
from scrapy_polite.services.trap_sites import AGAIN
from scrapy_polite.traps.groups import BESIDE
from scrapy_polite.traps.verdict import DEEP

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Request

    from scrapy_polite.frontier.lane import OriginLane
    from scrapy_polite.frontier.queue import Rank
    from scrapy_polite.frontier.shares import Flow
    from scrapy_polite.services.traps import CrawlTraps


_NOBODY: tuple[Flow | None, str, str] = (None, "", "")


class Flows:
    """`put` lets a lane go, `hold` keeps it; `head` says the rank of its first request."""

    def __init__(
        self,
        traps: CrawlTraps | None,
        put: Callable[[OriginLane], object],
        hold: Callable[[OriginLane], object],
        head: Callable[[OriginLane], Rank | None],
    ) -> None:
        #: None where nothing is deferred: then no lane has a flow.
        self.traps = traps.flows if traps is not None and not traps.audit else None
        self.deferral = Deferral(self.traps, put, hold, head)
        #: Of each request that is under way, whose it is, from what kind of lane, and of which host.
        self._of: dict[Request, tuple[Flow, str, str]] = {}
        self._told_left: set[tuple[str, str]] = set()
        self._read: Callable[[str, str], object] = lambda host, site: None

    def on_read(self, read: Callable[[str, str], object]) -> None:
        """`read` is called with host and site where a page of a group has been read."""
        self._read = read

    def listen(self, woken: Callable[[], object]) -> None:
        """Hear of groups that are suspected, or no longer, from now on."""

        def changed(site: str) -> None:
            self.deferral.changed(site)
            woken()

        if self.traps is not None:
            self.traps.listen(changed, self.tell_left_so_far)

    # Lanes

    def joined(self, lane: OriginLane) -> None:
        if self.traps is not None and lane.origin is not None and self.traps.defers(lane.origin):
            self.deferral.join(lane, site_of(lane.origin), LaneName.read(lane.name))

    def lane_of(self, request: Request, url: str, name: LaneName, rank: Rank, number: int) -> tuple[LaneName, Rank]:
        """The lane of a request that is the `number`th of the crawl and whose main lane is `name`, and its rank."""
        if self.traps is not None:
            group, deep = self.traps.flow_of(request)
            if group:
                kind = kind_of(url, deep=deep, said=self.traps.said_of(request, group))
                return LaneName(name.origin, group, kind), rank_in(kind, url, rank, number)
        return name, rank

    def lane_to_move_to(self, request: Request, lane: OriginLane) -> LaneName | None:
        """The lane of a request that goes last by now, and was queued in the main lane, beside a group, or before its
        group was suspected; or of one of a group that has ended; None for the same. Of what was queued before, what the
        pages said that brought it is known by now."""
        flow = lane.flow
        if self.traps is None or flow is None or not (flow.suspected or flow.name[:1] in ("", BESIDE)):
            return None
        origin = LaneName.read(lane.name).origin
        if self.deferral.has_ended(flow):
            out = self.traps.flow_out_of(request, flow.name)
            return LaneName(origin, flow.name, LEFT) if out is None else LaneName(origin, out)
        slow = self.traps.slow_flow_of(request, flow.name)
        if not slow and not flow.suspected:
            return None
        name, kind = slow or flow.name, FOUND if slow else lane.kind
        kind = kind_by_now(kind, self.traps.said_of(request, name))
        return LaneName(origin, name, kind) if (name, kind) != (flow.name, lane.kind) else None

    def is_queued_again(self, request: Request) -> bool:
        """Whether it is queued a second time: it is deferred, and a page that is not suspected leads to it."""
        return self.traps is not None and request.meta.pop(AGAIN, False) is True

    def has_left(self, request: Request) -> bool:
        """Whether what was queued twice has been sent."""
        return self.traps is not None and self.traps.has_left(request)

    # Requests

    def pushed(self, lane: OriginLane, rank: Rank, count: int = 1) -> None:
        """So many requests of a lane are queued: one here, or many by an earlier run or another process. `rank` is that
        of the first."""
        if lane.flow is not None:
            self.deferral.has_priorities |= rank[0] != 0
            self.deferral.pushed(lane.flow, count)

    def taken(self, request: Request, lane: OriginLane) -> None:
        flow = lane.flow
        if self.traps is not None and flow is not None:
            self.traps.sent(request)
            self.traps.take(request, deep=self.deferral.probe(flow) == DEEP)
            self._of[request] = flow, lane.kind, lane.gate.key
            self.deferral.taken(lane, flow)

    def given_back(self, request: Request) -> None:
        flow, kind, _ = self._of.pop(request, _NOBODY)
        if flow is not None and self.traps is not None:
            self.deferral.given_back(flow, kind)
            self.traps.sent(request, back=True)

    def done(self, request: Request) -> None:
        flow, kind, host = self._of.pop(request, _NOBODY)
        if flow is not None:
            if flow.name:
                self._read(host, flow.site.name)
            self.deferral.done(flow, kind)

    def was_known(self, request: Request) -> None:
        """What was pushed has been found before, by another process."""
        if self.traps is not None:
            self.traps.was_known(request)

    def lost(self, lane: OriginLane, count: int) -> None:
        """So many requests of a lane have left the queue without being sent, or are with another process."""
        if lane.flow is not None:
            lane.flow.queued -= count

    def update(self, lane: OriginLane) -> None:
        if lane.flow is not None:
            self.deferral.update(lane.flow.site)

    # The end

    def tell_all_left(self) -> None:
        """How many requests are left at the end of each group that is followed no further; each is told once."""
        if self.traps is not None:
            for group, flows in self._left().items():
                if group not in self._told_left:
                    self._told_left.add(group)
                    self.traps.left(*group, flows)

    def tell_finished(self) -> None:
        """All but the groups that are followed no further was read."""
        if self.traps is not None:
            self.traps.finished()

    def tell_left_so_far(self) -> None:
        if self.traps is not None:
            for group, flows in self._left().items():
                self.traps.left_so_far(*group, flows.total())

    def group_of(self, flow: Flow) -> str:
        """The root pattern of a flow's group, as the store has it."""
        return self.traps.group_of(flow.site.name, flow.name) if self.traps is not None else flow.name

    def _left(self) -> dict[tuple[str, str], Counter[str]]:
        """How many requests are left in each flow of each group that is followed no further, by site and root
        pattern."""
        left: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for flow, _ in self.deferral.ended():
            left[flow.site.name, self.group_of(flow)][flow.name] += flow.queued
        return left
