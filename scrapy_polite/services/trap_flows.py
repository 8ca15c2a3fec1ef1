"""What the scheduler asks of the traps: which flow of its site a request goes in, which flows wait, which have ended.

A flow is named after the root pattern of its group, or, in a suspected one, after each of its parts; see
`Groups.flow_of`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING
from weakref import WeakSet

from scrapy_polite import clock
from scrapy_polite.events import LinkDeferred
from scrapy_polite.services.trap_sites import FOUND, WOULD_REFUSE
from scrapy_polite.traps import handover
from scrapy_polite.traps.groups import BESIDE
from scrapy_polite.traps.links import UNREAD
from scrapy_polite.traps.patterns import whole_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Container, Iterable, Mapping

    from scrapy import Request

    from scrapy_polite.events import Events
    from scrapy_polite.origin import Origin
    from scrapy_polite.services.trap_findings import TrapFindings
    from scrapy_polite.services.trap_memory import TrapMemory
    from scrapy_polite.services.trap_sites import TrapSites
    from scrapy_polite.settings import PoliteSettings
    from scrapy_polite.store.quarantines import Quarantine
    from scrapy_polite.traps.evidence import Pattern
    from scrapy_polite.traps.groups import Groups


class TrapFlows:
    def __init__(
        self, settings: PoliteSettings, events: Events, sites: TrapSites, memory: TrapMemory, findings: TrapFindings
    ) -> None:
        self._settings = settings
        self._events = events
        self._sites = sites
        self._memory = memory
        self._findings = findings
        self._deep: WeakSet[Request] = WeakSet()
        self._changed: Callable[[str], object] | None = None

    def listen(self, changed: Callable[[str], object], tell_left: Callable[[], object]) -> None:
        """The scheduler defers. It hears by `changed` of each site of which a group is suspected, cleared or released;
        by `tell_left` it is asked now and then for `left_so_far`."""
        self._changed = changed
        self._findings.on_exchange(tell_left)

    @property
    def scheduled(self) -> bool:
        """Whether the scheduler defers; another than this package's does not."""
        return self._changed is not None

    def changed(self, site: str) -> None:
        if self._changed is not None:
            self._changed(site)

    def defers(self, origin: Origin) -> bool:
        """Whether anything waits at an origin: not where POLITE_TRAPS says otherwise, whatever earlier runs found."""
        site = self._sites.of(str(origin))
        return site is not None and site.defers

    # Requests

    def flow_of(self, request: Request) -> tuple[str, bool]:
        """The flow that a link goes in, "" for the main one, and whether on a deep probe."""
        found = None if WOULD_REFUSE in request.meta else self._groups_of(request)
        flow = found[0].flow_of(found[1]) if found is not None else ""
        self._tell_if_deferred(found, flow)
        return flow, bool(flow) and request in self._deep

    def said_of(self, request: Request, flow: str) -> int:
        """What is known of the pages that brought a link of such a flow (see `links.TOLD`): asked of suspected groups
        alone, for in all others it changes nothing."""
        found = self._groups_of(request)
        return found[0].said_of(found[1]) if found is not None and found[0].is_suspected(flow) else UNREAD

    def slow_flow_of(self, request: Request, queued_in: str) -> str:
        """The flow that a request is to go in, because what is like it goes last by now; "" if it stays where it is
        queued."""
        found = self._groups_of(request)
        flow = found[0].slow_flow_of(found[1], queued_in) if found is not None else ""
        if found is None or flow in ("", queued_in):
            return ""
        if not found[0].is_suspected(queued_in):
            self._tell_if_deferred(found, flow)
        return flow

    def flow_out_of(self, request: Request, ended: str) -> str | None:
        """The flow of a request that is queued in one that has `ended`, but is followed (see `Groups.lets_go`); None if
        it is left there."""
        found = self._groups_of(request)
        if found is None or not found[0].lets_go(found[1]):
            return None
        flow = found[0].flow_of(found[1])
        return flow if flow != ended else None

    def _tell_if_deferred(self, found: tuple[Groups, str] | None, flow: str) -> None:
        if found is not None and flow and found[0].is_suspected(flow):
            self._events.publish(LinkDeferred(found[1], flow))

    def has_left(self, request: Request) -> bool:
        """Whether a request that was queued twice has left already; not asked of one that is tried again."""
        found = None if request.dont_filter else self._groups_of(request)
        return found is not None and found[0].links.has_left(found[1])

    def sent(self, request: Request, *, back: bool = False) -> None:
        """Note that a request has left the queue, or comes `back` to it."""
        found = self._groups_of(request)
        if found is not None:
            found[0].links.sent(found[1], back=back)

    def take(self, request: Request, *, deep: bool) -> None:
        """A request leaves, or was found, on a deep probe or not."""
        if deep:
            self._deep.add(request)
        else:
            self._deep.discard(request)

    def is_deep(self, request: Request) -> bool:
        return request in self._deep

    def _groups_of(self, request: Request) -> tuple[Groups, str] | None:
        """The groups of the site of a link that may be deferred, and its URL."""
        if FOUND not in request.meta:
            return None
        url = self._settings.url_of(request)
        site = self._sites.of(url)
        memory = self._memory.get(site.name) if site is not None and site.defers else None
        return None if memory is None else (memory.groups, url)

    # Other processes

    def was_known(self, request: Request) -> None:
        """A link that was queued had been found by another process."""
        found = self._groups_of(request)
        if found is not None:
            found[0].was_known(found[1])

    def is_suspected(self, sites: Iterable[str]) -> bool:
        """Whether a group of any of these sites is suspected."""
        return any(memory.groups.suspects for site in sites if (memory := self._memory.get(site)) is not None)

    def written(self, sites: Iterable[str], *, whole: Container[str] = ()) -> bytes:
        """What is known of the groups of these sites, for whoever has them next; see `handover.written`."""
        known = {site: memory.groups for site in sites if (memory := self._memory.get(site)) is not None}
        return handover.written(known, whole=whole)

    def take_over(self, written: bytes, *, resumes: bool = False) -> None:
        """Go on where another process has stopped, or, if the crawl `resumes`, an earlier run. Raises HandoverError."""
        now = clock.system()
        for site, state in handover.read(written).items():
            memory = self._memory.of(site)
            roots = [root for root in state.roots if not resumes or self._still_holds(site, root)]
            # What a person has made the store forget is not to be told by what its pages have said.
            remembered = state.remembered if len(roots) == len(state.roots) else None
            handover.take_over(memory.groups, replace(state, roots=roots, remembered=remembered))
            for stored in self._findings.of(site).values():
                if stored.decision:
                    memory.decisions.adopt(stored, now)
            self.changed(site)

    def _still_holds(self, site: str, root: Pattern) -> bool:
        """Whether what an earlier run has noted of a group does: not a suspicion that a person has made the store
        forget meanwhile. Without a store that outlives a run nobody can release what has ended: it begins anew."""
        if not root.suspected:
            return True
        return root.name in self._findings.of(site) if self._findings.are_kept else not root.ended

    # Flows

    def is_deferred(self, site: str, flow: str) -> bool:
        if flow.startswith(BESIDE):
            return False
        found = self._group(site, flow)
        return found[1].suspected if found is not None else self._found_before(site, flow) is not None

    def ends(self, site: str, flow: str) -> bool:
        """Whether a suspected group is to be followed no further, now that nothing else of its site is left."""
        found = self._group(site, flow)
        if found is None:
            before = self._found_before(site, flow)
            return before is not None and before.kind != "suspected"
        groups, root = found
        if not root.ended and groups.verdict.ends(root):
            self._findings.ended(site, root, drops=site in self._sites.dropping)
        return self._stays(site, root)

    def has_ended(self, site: str, flow: str) -> bool:
        """Whether a suspected group is followed no further, whatever else of its site is left."""
        found = self._group(site, flow)
        return found is not None and self._stays(site, found[1])

    def judges_anew(self, site: str, left: Collection[str]) -> bool:
        """Whether links that are `left` of groups that have ended, by their flows, are to be judged once more: nothing
        else of the site is. Another group that was suspected has been read to its end, so it is finite."""
        memory = self._memory.get(site)
        if memory is None:
            return False
        self._clear(site, memory.groups, memory.groups.read_to_end(left))
        return memory.groups.feeders.leaves_finite_work()

    def finished(self) -> None:
        """The crawl has read all but the groups that it follows no further: no other is suspected any more."""
        for site, memory in self._memory.all():
            groups = memory.groups
            self._clear(site, groups, [root for root in groups.suspects if root.pages and not root.ended])

    def _clear(self, site: str, groups: Groups, read_to_end: Iterable[Pattern]) -> None:
        for root in read_to_end:
            groups.clear(root)
            self._findings.cleared(site, root, "was read to its end")

    def _stays(self, site: str, root: Pattern) -> bool:
        # Where it is dropped nothing is kept: its requests go on, to be refused.
        return bool(root.ended) and site not in self._sites.dropping

    def probe(self, site: str, flow: str) -> str:
        """Where the next request of a suspected group in its tail is taken from."""
        found = self._group(site, flow)
        return found[0].verdict.probe(found[1]) if found is not None and found[1].in_tail else ""

    def turn(self, site: str, flow: str) -> tuple[float, float]:
        """See `Groups.turn_of`."""
        memory = self._memory.get(site)
        return memory.groups.turn_of(flow) if memory is not None else (1.0, 1.0)

    def left(self, site: str, group: str, flows: Mapping[str, int]) -> None:
        """So many links of a group stay behind at the end of the crawl, by their flows."""
        found = self._group(site, group)
        patterns = Counter[str]()
        for flow, count in flows.items():
            patterns[whole_of(flow.removeprefix(BESIDE))] += count
        self._findings.left(site, group, found[1] if found is not None else None, patterns)

    def left_so_far(self, site: str, group: str, count: int) -> None:
        """So many links of a group that is followed no further wait, while the crawl goes on elsewhere."""
        self._findings.left_so_far(site, group, count)

    def group_of(self, site: str, flow: str) -> str:
        """The root pattern of a flow's group; the flow's name where this crawl knows none."""
        found = self._group(site, flow)
        return found[1].name if found is not None else flow

    def _group(self, site: str, flow: str) -> tuple[Groups, Pattern] | None:
        """The group that a flow is of: the groups of its site, and its root; None where this crawl knows none."""
        memory = self._memory.get(site)
        if memory is None:
            return None
        groups = memory.groups
        root = groups.root(groups.named(flow.removeprefix(BESIDE)))
        return None if root is None else (groups, root)

    def _found_before(self, site: str, flow: str) -> Quarantine | None:
        """What an earlier crawl has found of a pattern of which this one knows nothing."""
        memory = self._memory.get(site)
        is_known = memory is not None and memory.groups.named(flow).pages
        return None if is_known else self._findings.before(site, flow)
