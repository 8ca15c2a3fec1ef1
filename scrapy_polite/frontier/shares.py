"""Which flow of a site may go next: start-time fair queueing (Goyal, Vin, Cheng 1996) between its groups of patterns.

A flow is what one group of URL patterns has brought to itself, or a part of that; all else of the site is its main
flow, which always may go. A round is one request of each flow that has some. Links that a group brought to itself wait
so many rounds for the main flow, not for other groups; of what is suspected or says nothing new one request goes in so
many rounds, of all such flows together, by their rarity. Where nothing else of the site is queued or in flight nothing
waits.
"""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING
from zlib import crc32

from scrapy_polite.traps.limits import ANY_ONE_IN, MAX_WEIGHT, WAIT_ROUNDS
from scrapy_polite.traps.links import TOLD, UNREAD

if TYPE_CHECKING:
    from scrapy_polite.frontier.queue import Rank

#: Queues of one group at one origin: what it found in the order of the crawl, and that of it which pages brought that
#: were read; what it found on pages of a deep probe, the newest first, to go deeper; some of these in no order; the
#: same of what a page brought that says something; and what stays, now that it has ended.
FOUND, BEHIND, NEWEST, ANY, LEFT = "", "behind", "newest", "any", "left"
AHEAD = AHEAD_FOUND, AHEAD_NEWEST, AHEAD_ANY = "ahead", "ahead-newest", "ahead-any"
LANES = (FOUND, BEHIND, NEWEST, ANY, *AHEAD, LEFT)
#: Those whose requests go in no order.
SHUFFLED = frozenset((ANY, AHEAD_ANY))
_NOT_AHEAD = dict(zip(AHEAD, (FOUND, NEWEST, ANY), strict=True))
_PUT_AHEAD = {kind: ahead for ahead, kind in _NOT_AHEAD.items()}


class Flow:
    """`queued` and `in_flight` are requests; it may go from round `due` on, and while the main flow has some from round
    `after` on."""

    __slots__ = (
        "after",
        "ahead",
        "due",
        "in_flight",
        "name",
        "queued",
        "rarity",
        "site",
        "suspected",
        "tag",
        "weight",
    )

    def __init__(self, site: Site, name: str) -> None:
        self.site = site
        #: The group's root pattern, or a part of a pattern (see `Groups.flow_of`); empty for the main flow.
        self.name = name
        #: `ahead`: of those in flight, what goes ahead.
        self.queued = self.in_flight = self.ahead = 0
        self.due = self.after = self.tag = 0.0
        self.suspected = False
        #: How little of a group is to be read beside others: 1 or more. Of a suspected one, when only such are left.
        self.weight = 1.0
        #: How rarely it goes beside others that have a turn together: 1 or more.
        self.rarity = 1.0

    @property
    def is_slow(self) -> bool:
        """Whether it is suspected, or says as little: all such flows of a site share one turn."""
        return self.suspected or self.weight >= MAX_WEIGHT

    def goes_before(self, other: Flow) -> bool:
        """Whether a flow that waits has to wait for this one: a suspected one also for what is in flight."""
        if self.suspected:
            return False
        return (other.suspected and self.in_flight > 0) or (self.queued > 0 and self.goes_at <= self.site.round)

    @property
    def goes_at(self) -> float:
        """The round from which on it may go."""
        return max(self.due, self.after) if self.site.has_main else self.due

    def pushed(self) -> None:
        # The page that brought it is in flight; with another one the group is no chain.
        if not self.queued and self.in_flight < 2 and self.name and not self.suspected:
            self.after = max(self.site.round, self.tag) + WAIT_ROUNDS
        self.queued += 1

    def taken(self, kind: str = FOUND) -> None:
        """The head of a lane of such a `kind` leaves."""
        site = self.site
        start = max(site.round, self.tag)
        if self.suspected:
            start = max(start, self.due)
        self.queued -= 1
        self.in_flight += 1
        self.ahead += kind in AHEAD
        site.round = start
        self.tag = start + 1.0
        if self.suspected and site.in_tail:
            self.due = start + MAX_WEIGHT * self.weight * self.rarity
        elif self.is_slow:
            self.due = start + MAX_WEIGHT * self._slow_rounds()
        else:
            # What goes before its time, for nothing else may, takes one round as all do: what is suspected waits on.
            self.due = start + self.weight if self.weight > 1 else start

    def _slow_rounds(self) -> float:
        """One in how many of the turns that all slow flows of the site have together is this one's; where nothing but
        such are left, what is suspected has turns of its own beside the others."""
        queued = [flow for flow in self.site.flows.values() if flow.queued > 0]
        slow = [flow for flow in queued if flow.is_slow]
        if len(slow) == len(queued):
            slow = [flow for flow in slow if flow.suspected is self.suspected]
        return sum(1 / flow.rarity for flow in slow) * self.rarity or 1.0

    def done(self, kind: str = FOUND) -> None:
        """What has left such a lane has come, or goes back."""
        self.in_flight -= 1
        self.ahead -= kind in AHEAD

    def is_full(self, kind: str, at_once: int, *, deep: bool) -> bool:
        """Whether as many requests are under way as may be at once in the tail of a suspected group, of which the next
        is of such a `kind`: a deep probe is not deep with many, and beside what goes ahead nothing else does."""
        return (self.ahead > 0 and kind not in AHEAD) or (deep and self.in_flight >= at_once)

    def suspect(self, suspected: bool) -> None:
        if suspected != self.suspected:
            self.suspected = suspected
            self.due = self.site.round + (MAX_WEIGHT if suspected else 0.0)


class Site:
    """The flows of one site, but for those that are to go no more."""

    __slots__ = ("flows", "name", "round")

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.flows: dict[str, Flow] = {}
        self.round = 0.0

    def flow(self, name: str) -> Flow:
        return self.flows.setdefault(name, Flow(self, name))

    def ready(self, ended: Container[Flow] = ()) -> list[Flow]:
        """The flows that may go, of those that have requests."""
        ready = list[Flow]()
        first: Flow | None = None
        for flow in self.flows.values():
            if flow.queued <= 0 or flow in ended:
                continue
            if flow.goes_at <= self.round:
                ready.append(flow)
            elif first is None or (flow.suspected, flow.goes_at) < (first.suspected, first.goes_at):
                first = flow
        if first is not None and not any(flow.goes_before(first) for flow in self.flows.values() if flow is not first):
            ready.append(first)
        return ready

    @property
    def has_main(self) -> bool:
        """Whether requests of the main flow are queued."""
        main = self.flows.get("")
        return main is not None and main.queued > 0

    @property
    def in_tail(self) -> bool:
        """Whether only suspected groups are left."""
        return not any((flow.queued > 0 or flow.in_flight) and not flow.suspected for flow in self.flows.values())


def kind_of(url: str, *, deep: bool, said: int = UNREAD) -> str:
    """Which of `LANES` a link belongs to that was found on a deep probe or not. `said`: what is known of the pages that
    brought it, of a suspected group (see `links.TOLD`)."""
    kind = FOUND if not deep else NEWEST if _shuffled(url) % ANY_ONE_IN else ANY
    return _PUT_AHEAD[kind] if said == TOLD else kind_by_now(kind, said)


def kind_by_now(kind: str, said: int) -> str:
    """Which of `LANES` what is in one of such a kind belongs to by what is known now."""
    if said == TOLD:
        return AHEAD_FOUND if kind in (FOUND, BEHIND) else kind
    if said == UNREAD:  # or another process knows
        return kind
    kind = _NOT_AHEAD.get(kind, kind)
    return BEHIND if kind == FOUND else kind


def rank_in(kind: str, url: str, rank: Rank, number: int) -> Rank:
    """The rank in such a lane of the `number`th link, whose rank in the order of the crawl is this."""
    if kind in (NEWEST, AHEAD_NEWEST):
        return rank[0], -number
    return (rank[0], _shuffled(url)) if kind in SHUFFLED else rank


def _shuffled(url: str) -> int:
    return crc32(url.encode("utf-8", "surrogatepass"))


def lanes_of(probe: str, turn: int) -> tuple[str, ...]:
    """The order in which `LANES` are looked into for the next request of a group that is probed: first where pages lead
    that say something (a deep probe: where it has found some), so that they do not end with what says nothing around
    them; then what nobody knows yet."""
    if probe == "deep":
        return AHEAD_NEWEST, AHEAD_ANY, NEWEST, ANY, AHEAD_FOUND, FOUND, BEHIND, LEFT
    if turn % 2 or probe != "wide":
        return AHEAD_FOUND, AHEAD_ANY, AHEAD_NEWEST, FOUND, ANY, BEHIND, NEWEST, LEFT
    return AHEAD_ANY, AHEAD_FOUND, AHEAD_NEWEST, ANY, FOUND, BEHIND, NEWEST, LEFT
