"""Lanes of groups: which may go, which wait, and what becomes of a group that has ended or was released."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_polite.frontier.deferral import Deferral, LaneName
from scrapy_polite.frontier.shares import (
    AHEAD,
    AHEAD_ANY,
    AHEAD_FOUND,
    AHEAD_NEWEST,
    ANY,
    BEHIND,
    FOUND,
    LANES,
    LEFT,
    NEWEST,
    Flow,
)
from scrapy_polite.traps.limits import MAX_WEIGHT, WAIT_ROUNDS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from scrapy_polite.frontier.queue import Rank

SITE = "example.com"
HOST = "https://example.com"
_KINDS = FOUND, AHEAD_FOUND, BEHIND
WAIT, SUSPECT = int(WAIT_ROUNDS), int(MAX_WEIGHT)


@dataclass
class Judge:
    """What is known of groups."""

    deferred: set[str] = field(default_factory=set)
    ending: set[str] = field(default_factory=set)
    ended: set[str] = field(default_factory=set)
    anew: bool = False
    probing: str = ""
    weights: dict[str, float] = field(default_factory=dict)
    rarities: dict[str, float] = field(default_factory=dict)

    def is_deferred(self, site: str, pattern: str) -> bool:
        return pattern in self.deferred

    def ends(self, site: str, pattern: str) -> bool:
        return pattern in self.ending

    def has_ended(self, site: str, pattern: str) -> bool:
        return pattern in self.ended

    def judges_anew(self, site: str, left: Collection[str]) -> bool:
        return self.anew

    def probe(self, site: str, pattern: str) -> str:
        return self.probing

    def turn(self, site: str, pattern: str) -> tuple[float, float]:
        return self.weights.get(pattern, 1.0), self.rarities.get(pattern, 1.0)


@dataclass(eq=False)
class Lane:
    name: LaneName
    flow: Flow | None = None
    kind: str = FOUND
    ranks: list[Rank] = field(default_factory=list)

    @property
    def origin(self) -> str:
        return self.name.origin


class Frontier:
    """Queues of a crawl, as the scheduler has them: an empty lane is forgotten, and one that was put may go."""

    def __init__(self, judge: Judge | None = None) -> None:
        self.judge = judge or Judge()
        self.deferral: Deferral[Lane] = Deferral(
            self.judge, self.put, self.hold, lambda lane: min(lane.ranks, default=None)
        )
        self.lanes: dict[LaneName, Lane] = {}
        self.going: dict[Lane, None] = {}
        self.number = 0

    def put(self, lane: Lane) -> None:
        self.going[lane] = None

    def hold(self, lane: Lane) -> None:
        self.going.pop(lane, None)

    def push(
        self, group: str = "", count: int = 1, *, host: str = HOST, site: str = SITE, kind: str = FOUND, rank: int = 0
    ) -> Lane:
        name = LaneName(host, group, kind)
        lane = self.lanes.get(name)
        if lane is None:
            lane = self.lanes[name] = Lane(name)
            self.deferral.join(lane, site, name)
        for _ in range(count):
            self.number += 1
            lane.ranks.append((rank, self.number))
            assert lane.flow is not None
            self.deferral.has_priorities |= rank != 0
            self.deferral.pushed(lane.flow)
            if self.deferral.may_go(lane):
                self.put(lane)
        return lane

    def take(self) -> Lane | None:
        """Let the request go that is first by priority, of the lane that has waited longest."""
        lane = min(self.going, key=lambda one: min(one.ranks)[0], default=None)
        if lane is None:
            return None
        assert self.deferral.may_go(lane)
        assert lane.flow is not None
        lane.ranks.remove(min(lane.ranks))
        self.hold(lane)
        self.deferral.taken(lane, lane.flow)
        if not lane.ranks:
            self.hold(lane)
            del self.lanes[lane.name]
            self.deferral.part(lane)
        elif self.deferral.may_go(lane):
            self.put(lane)
        return lane

    def give_back(self, lane: Lane) -> None:
        """A request that was taken is queued again, where its lane may have been forgotten since."""
        again = self.lanes.get(lane.name)
        if again is None:
            again = self.lanes[lane.name] = Lane(lane.name)
            self.deferral.join(again, SITE, lane.name)
        again.ranks.append((0, 0))
        assert again.flow is not None
        self.deferral.given_back(again.flow, again.kind)
        if self.deferral.may_go(again):
            self.put(again)

    def drop(self, lane: Lane) -> None:
        """Take a request out of the queue that is not sent."""
        assert lane.flow is not None
        lane.ranks.remove(min(lane.ranks))
        lane.flow.queued -= 1
        self.deferral.update(lane.flow.site)
        if not lane.ranks:
            self.hold(lane)
            del self.lanes[lane.name]
            self.deferral.part(lane)

    def run(self, count: int = 10_000) -> list[str]:
        """The groups of the next requests, each of which is done before the next one leaves."""
        return [lane.name.group for lane in self.serve(count)]

    def kinds(self, count: int = 10_000) -> list[str]:
        return [lane.kind for lane in self.serve(count)]

    def serve(self, count: int) -> Iterator[Lane]:
        for _ in range(count):
            lane = self.take()
            if lane is None:
                return
            assert lane.flow is not None
            self.deferral.done(lane.flow, lane.kind)
            yield lane

    def suspect(self, *groups: str, ending: bool = False) -> None:
        self.judge.deferred.update(groups)
        if ending:
            self.judge.ending.update(groups)
        self.deferral.changed(SITE)

    def release(self, group: str) -> None:
        self.judge.deferred.discard(group)
        self.judge.ending.discard(group)
        self.deferral.changed(SITE)


# Names of lanes


@pytest.mark.parametrize(
    ("name", "written"),
    [
        (LaneName(HOST), HOST),
        (LaneName(HOST, "/calendar?m"), f"{HOST} /calendar?m"),
        (LaneName(HOST, "/calendar?m", NEWEST), f"{HOST} /calendar?m newest"),
        (LaneName("http://[::1]:8080", "//*/x/*/**", ANY), "http://[::1]:8080 //*/x/*/** any"),
        (LaneName("data:"), "data:"),
    ],
    ids=["main", "group", "newest", "any", "no host"],
)
def test_a_lanes_name_is_kept_as_text(name: LaneName, written: str) -> None:
    assert str(name) == written
    assert LaneName.read(written) == name


_PATTERNS = st.text("/*?&=abé", min_size=1, max_size=20)


@given(st.one_of(st.just(("", FOUND)), st.tuples(_PATTERNS, st.sampled_from(LANES))))
def test_every_lanes_name_is_read_as_it_was_written(parts: tuple[str, str]) -> None:
    name = LaneName(HOST, *parts)
    assert LaneName.read(str(name)) == name


# Who may go


def test_a_main_lane_may_always_go() -> None:
    frontier = Frontier()
    lane = frontier.push()
    assert frontier.deferral.may_go(lane)
    frontier.push("/trap")
    frontier.suspect("/trap")
    assert frontier.deferral.may_go(lane)
    assert frontier.deferral.may_go(Lane(LaneName("data:")))


def test_links_that_a_group_brought_to_itself_wait() -> None:
    frontier = Frontier()
    frontier.push(count=100)
    lane = frontier.push("/wiki/*", 100)
    assert not frontier.deferral.may_go(lane)
    assert frontier.run(WAIT) == [""] * WAIT
    assert Counter(frontier.run(100)) == {"": 50, "/wiki/*": 50}


def test_a_suspected_group_gets_one_request_in_twenty() -> None:
    frontier = Frontier(Judge(deferred={"/trap"}))
    frontier.push(count=400)
    frontier.push("/trap", 100)
    assert frontier.run(400).count("/trap") == pytest.approx(400 / SUSPECT, abs=2)


def test_a_group_that_becomes_suspected_waits_though_its_lane_was_open() -> None:
    frontier = Frontier()
    frontier.push(count=400)
    lane = frontier.push("/trap", 200)
    frontier.run(100)
    frontier.suspect("/trap")
    assert not frontier.deferral.may_go(lane)
    assert frontier.run(SUSPECT - 1) == [""] * (SUSPECT - 1)


def test_what_another_process_knows_of_a_group_holds_for_its_first_link() -> None:
    frontier = Frontier(Judge(deferred={"/trap"}))
    frontier.push()
    assert not frontier.deferral.may_go(frontier.push("/trap"))


def test_nothing_waits_when_nothing_else_of_the_site_is_left() -> None:
    frontier = Frontier(Judge(deferred={"/trap"}))
    frontier.push("/trap", 30)
    frontier.push("/wiki", 30)
    assert Counter(frontier.run()) == {"/trap": 30, "/wiki": 30}


def test_a_suspected_group_waits_while_a_page_is_in_flight() -> None:
    frontier = Frontier(Judge(deferred={"/trap"}))
    frontier.push()
    lane = frontier.push("/trap")
    taken = frontier.take()
    assert taken is not None
    assert taken.flow is not None
    assert frontier.take() is None
    frontier.deferral.done(taken.flow, taken.kind)
    assert frontier.deferral.may_go(lane)
    assert frontier.run() == ["/trap"]


def test_a_request_that_comes_back_is_queued_again() -> None:
    frontier = Frontier()
    lane = frontier.push(count=2)
    assert lane.flow is not None
    frontier.take()
    frontier.deferral.given_back(lane.flow, lane.kind)
    assert (lane.flow.queued, lane.flow.in_flight) == (2, 0)


def test_a_request_that_is_taken_out_of_the_queue_holds_up_nothing() -> None:
    frontier = Frontier()
    main = frontier.push()
    wiki = frontier.push("/wiki")
    assert main.flow is not None
    assert not frontier.deferral.may_go(wiki)
    main.ranks.clear()
    main.flow.queued -= 1
    frontier.deferral.update(main.flow.site)
    assert frontier.deferral.may_go(wiki)


def test_a_group_goes_on_with_its_other_lanes_when_the_one_it_was_read_from_is_dropped() -> None:
    frontier = Frontier(Judge(deferred={"/trap"}, probing="deep"))
    frontier.push("/trap", 3)
    newest = frontier.push("/trap", kind=NEWEST)
    frontier.drop(newest)
    assert frontier.run() == ["/trap"] * 3


def test_priorities_stand_above_all_of_it() -> None:
    frontier = Frontier(Judge(deferred={"/trap"}))
    frontier.push(count=30)
    frontier.push("/trap", 3, rank=-5)
    assert frontier.run(4) == ["/trap"] * 3 + [""]


def test_lower_priorities_do_not_go_ahead() -> None:
    frontier = Frontier()
    frontier.push(count=30)
    assert not frontier.deferral.may_go(frontier.push("/wiki", 3, rank=5))
    assert frontier.run(30) == [""] * 30


def test_requests_of_an_earlier_run_count() -> None:
    frontier = Frontier(Judge(deferred={"/trap"}))
    for name, count in ((LaneName(HOST), 40), (LaneName(HOST, "/trap"), 40)):
        lane = frontier.lanes[name] = Lane(name, ranks=[(0, at) for at in range(count)])
        frontier.deferral.join(lane, SITE, name)
        assert lane.flow is not None
        if not name.group:
            frontier.put(lane)
        frontier.deferral.pushed(lane.flow, count)
    taken = frontier.run()
    assert taken[:SUSPECT].count("/trap") <= 1
    assert Counter(taken) == {"": 40, "/trap": 40}


def test_links_that_a_group_brought_to_itself_wait_wherever_they_were_queued() -> None:
    frontier = Frontier()
    frontier.push("", 2 * WAIT)
    lane = frontier.lanes[LaneName(HOST, "/wiki")] = Lane(LaneName(HOST, "/wiki"), ranks=[(0, at) for at in range(3)])
    frontier.deferral.join(lane, SITE, lane.name)
    assert lane.flow is not None
    frontier.deferral.pushed(lane.flow, 3)
    taken = frontier.run()
    assert "/wiki" not in taken[:WAIT]
    assert Counter(taken) == {"": 2 * WAIT, "/wiki": 3}


@pytest.mark.parametrize("suspected", [False, True])
def test_where_nothing_else_may_go_a_group_has_its_turn_unless_it_is_suspected(*, suspected: bool) -> None:
    frontier = Frontier()
    closed, own = frontier.push("", 3), frontier.push("/wiki", 3)
    if suspected:
        frontier.suspect("/wiki")
    frontier.hold(closed)  # its host says 429
    assert not frontier.deferral.may_go(own)
    assert frontier.deferral.update_all() is not suspected
    assert frontier.deferral.may_go(own) is not suspected


# Sites and hosts


def test_the_hosts_of_a_site_wait_for_each_other() -> None:
    frontier = Frontier()
    frontier.push(count=50)
    lane = frontier.push("/wiki", 10, host="https://www.example.com")
    assert not frontier.deferral.may_go(lane)
    assert frontier.run(WAIT) == [""] * WAIT


def test_a_group_that_is_not_suspected_may_go_at_all_its_hosts() -> None:
    frontier = Frontier()
    lanes = [frontier.push("/wiki", 5, host=f"https://h{at}.example.com") for at in range(20)]
    assert all(map(frontier.deferral.may_go, lanes))
    assert frontier.run() == ["/wiki"] * 100


def test_a_suspected_group_may_go_at_few_of_its_hosts_at_a_time_and_comes_to_all() -> None:
    frontier = Frontier(Judge(deferred={"/trap"}))
    frontier.push(count=20_000)
    lanes = [frontier.push("/trap", 5, host=f"https://h{at}.example.com") for at in range(20)]
    open_lanes = 0
    hosts = set()
    for _ in range(20 * (SUSPECT + 2)):
        open_lanes = max(open_lanes, sum(map(frontier.deferral.may_go, lanes)))
        lane = frontier.take()
        assert lane is not None
        assert lane.flow is not None
        hosts.add(lane.name.origin)
        frontier.deferral.done(lane.flow, lane.kind)
    assert 1 <= open_lanes <= 8
    assert len(hosts) > 15


def test_a_site_holds_up_no_other_site() -> None:
    frontier = Frontier(Judge(deferred={"/trap"}, ending={"/trap"}))
    frontier.push(count=10)
    here = frontier.push("/trap", 5)
    other = frontier.push("/wiki", 5, host="https://other.example", site="other.example")
    assert frontier.deferral.may_go(other)
    assert not frontier.deferral.may_go(here)
    assert Counter(frontier.run()) == {"": 10, "/wiki": 5}


def test_sites_are_forgotten_when_nothing_is_queued_or_in_flight() -> None:
    frontier = Frontier(Judge(deferred={"/trap"}))
    for at in range(30):
        site = f"s{at}.example"
        frontier.push(count=2, host=f"https://{site}", site=site)
        frontier.push("/wiki", 2, host=f"https://{site}", site=site)
        frontier.push("/trap", 2, host=f"https://{site}", site=site, kind=NEWEST)
    assert len(frontier.run()) == 180
    deferral = frontier.deferral
    assert not any((deferral._sites, deferral._lanes, deferral._open, deferral._ended))


def test_a_site_with_a_page_in_flight_is_not_forgotten() -> None:
    frontier = Frontier()
    frontier.push()
    taken = frontier.take()
    assert taken is not None
    assert taken.flow is not None
    frontier.push("/wiki")
    assert frontier.lanes[LaneName(HOST, "/wiki")].flow in taken.flow.site.flows.values()


def test_a_lane_whose_requests_are_not_counted_yet_is_not_forgotten_with_the_last_other_one() -> None:
    frontier = Frontier(Judge(deferred={"/trap"}))
    last = frontier.push("/trap")
    frontier.push("/trap", 0, kind=NEWEST)
    frontier.drop(last)  # to the other lane, of which a queue that others share says later what it holds
    frontier.push("/trap", 3, kind=NEWEST)
    assert frontier.kinds() == [NEWEST] * 3
    assert not frontier.deferral._sites


def test_what_leaves_before_it_is_counted_is_not_waited_for() -> None:
    frontier = Frontier(Judge(deferred={"/trap"}, weights={"+/x": MAX_WEIGHT}))
    frontier.push("/trap", 3)
    lane = frontier.push("+/x")
    assert lane.flow is not None
    lane.flow.due = WAIT
    lane.flow.queued -= 1  # a queue that others share has not said yet that the request came
    frontier.drop(lane)
    frontier.deferral.pushed(lane.flow)
    assert frontier.run() == ["/trap"] * 3
    assert not frontier.deferral._sites


def test_a_site_that_nobody_knows_may_change() -> None:
    Frontier().deferral.changed("nowhere.example")


# The tail


@pytest.mark.parametrize(
    ("probing", "queued", "kinds"),
    [
        ("deep", {*LANES} - {*AHEAD}, {NEWEST}),
        ("wide", {*LANES} - {*AHEAD}, {FOUND, ANY}),
        ("", {*LANES} - {*AHEAD}, {FOUND}),
        ("deep", {*LANES}, {AHEAD_NEWEST}),
        ("wide", {*LANES}, {AHEAD_FOUND, AHEAD_ANY}),
        ("", {*LANES}, {AHEAD_FOUND}),
    ],
)
def test_in_the_tail_a_group_is_read_where_its_probe_looks(probing: str, queued: set[str], kinds: set[str]) -> None:
    frontier = Frontier(Judge(deferred={"/trap"}, probing=probing))
    for kind in sorted(queued):
        frontier.push("/trap", 50, kind=kind)
    flow = frontier.lanes[LaneName(HOST, "/trap")].flow
    assert flow is not None
    assert frontier.deferral.probe(flow) == probing
    assert set(frontier.kinds(21)[1:]) == kinds


@pytest.mark.parametrize("probing", ["", "wide"])
def test_what_goes_ahead_at_one_host_shuts_nothing_at_another(probing: str) -> None:
    frontier = Frontier(Judge(deferred={"/trap"}, probing=probing))
    frontier.push("/trap", 2, kind=AHEAD_FOUND)
    other = frontier.push("/trap", 2, host="https://other.example.com", kind=BEHIND)
    frontier.push("/trap", 2, kind=BEHIND)
    frontier.deferral.update_all()
    assert {(lane.name.origin, lane.kind) for lane in frontier.going} == {
        (HOST, AHEAD_FOUND),
        (other.name.origin, BEHIND),
    }


def test_a_lane_of_a_version_to_come_is_one_of_the_order_of_the_crawl() -> None:
    assert Frontier().push("/a", kind="later").kind == FOUND


def test_in_the_tail_nothing_else_of_a_group_is_under_way_beside_what_pages_brought_that_said_something() -> None:
    frontier = Frontier(Judge(deferred={"/trap"}, probing="wide"))
    told = frontier.push("/trap", 2, kind=AHEAD_FOUND)
    silent = frontier.push("/trap", 4, kind=BEHIND)
    assert [frontier.take() for _ in range(3)] == [told, told, None]
    frontier.push("/trap", kind=AHEAD_NEWEST)  # found on one of these
    assert told.flow is not None
    frontier.deferral.done(told.flow, told.kind)
    again = frontier.take()
    assert again is not None
    assert again.kind == AHEAD_NEWEST
    assert frontier.take() is None
    frontier.give_back(again)
    assert frontier.take() is not None
    for lane in (told, again):
        frontier.deferral.done(told.flow, lane.kind)
    assert [frontier.take() for _ in range(4)] == [silent] * 4


def test_in_the_tail_no_more_requests_are_under_way_than_a_deep_probe_may_have() -> None:
    frontier = Frontier(Judge(deferred={"/trap"}, probing="deep"))
    lane = frontier.push("/trap", 5)
    assert lane.flow is not None
    assert [frontier.take() is not None for _ in range(3)] == [True, True, False]
    frontier.deferral.done(lane.flow, lane.kind)
    assert [frontier.take() is not None for _ in range(2)] == [True, False]
    frontier.judge.probing = "wide"
    frontier.deferral.done(lane.flow, lane.kind)
    assert [frontier.take() is not None for _ in range(3)] == [True, True, False]  # all five


@pytest.mark.parametrize("group", ["/a", "+/a", "/trap"])
def test_the_only_request_of_a_group_may_go_again_when_it_comes_back(group: str) -> None:
    frontier = Frontier(Judge(deferred={"/trap"}))
    lane = frontier.push(group)
    assert frontier.take() is lane
    frontier.give_back(lane)
    assert frontier.going


def test_what_the_queue_cannot_read_keeps_no_group_waiting() -> None:
    frontier = Frontier(Judge(deferred={"/trap"}))
    main = frontier.push(count=1)
    frontier.push("/trap", 2)
    frontier.lanes.pop(main.name)
    frontier.hold(main)
    frontier.deferral.part(main)  # the queue has set its request aside
    assert frontier.kinds() == [FOUND] * 2


def test_a_lane_is_shown_to_a_person_without_what_orders_the_queue() -> None:
    assert LaneName.read(str(LaneName(HOST, "+/cal?m", ANY))).shown == f"{HOST} /cal?m"
    assert LaneName(HOST).shown == HOST


def test_a_deep_probe_goes_on_with_all_that_it_has_found_before_it_looks_elsewhere() -> None:
    frontier = Frontier(Judge(deferred={"/trap"}, probing="deep"))
    frontier.push("/trap", 3, kind=ANY)
    frontier.push("/trap", 3, kind=FOUND)
    assert frontier.kinds() == [ANY] * 3 + [FOUND] * 3


def test_outside_the_tail_nothing_is_probed() -> None:
    frontier = Frontier(Judge(deferred={"/trap"}, probing="deep"))
    frontier.push(count=5)
    lane = frontier.push("/trap", 5)
    wiki = frontier.push("/wiki", 5)
    assert lane.flow is not None
    assert wiki.flow is not None
    assert not frontier.deferral.probe(lane.flow)
    assert not frontier.deferral.probe(wiki.flow)


def test_in_the_tail_groups_go_by_their_weight() -> None:
    judge = Judge(deferred={"/trap", "/tree"}, weights={"/trap": 5.0}, rarities={"/trap": 2.0})
    frontier = Frontier(judge)
    frontier.push("/trap", 300)
    frontier.push("/tree", 300)
    taken = Counter(frontier.run(220))
    assert taken["/tree"] == pytest.approx(10 * taken["/trap"], rel=0.3)


def test_a_group_does_not_end_while_something_else_is_left() -> None:
    frontier = Frontier(Judge(deferred={"/trap"}, ending={"/trap"}))
    frontier.push(count=100)
    frontier.push("/trap", 10)
    assert "/trap" in frontier.run(100)
    assert frontier.deferral.left == 0


def test_what_is_left_of_a_group_that_has_ended_stays_where_it_is() -> None:
    frontier = Frontier(Judge(deferred={"/trap"}, ending={"/trap"}))
    frontier.push()
    lanes = [frontier.push("/trap", 10), frontier.push("/trap", 5, kind=NEWEST)]
    assert frontier.run() == [""]
    assert not any(map(frontier.deferral.may_go, lanes))
    assert frontier.deferral.left == 15
    ((flow, left),) = frontier.deferral.ended()
    assert flow.name == "/trap"
    assert left == lanes


def test_what_is_left_of_a_group_is_judged_once_more_when_nothing_else_is() -> None:
    frontier = Frontier(Judge(deferred={"/trap"}, ending={"/trap"}, anew=True))
    frontier.push()
    lanes = [frontier.push("/trap", 2), frontier.push("/trap", 1, kind=NEWEST)]
    last = frontier.take()
    assert last is not None
    assert not frontier.going
    assert last.flow is not None
    frontier.deferral.done(last.flow, last.kind)
    judged = []
    while frontier.going:
        (lane,) = frontier.going
        assert lane.flow is not None
        assert frontier.deferral.has_ended(lane.flow)
        judged.append(lane)
        frontier.push("/trap", kind=LEFT)
        frontier.drop(lane)
    assert judged == [lanes[0], lanes[0], lanes[1]]
    assert frontier.deferral.left == 3
    assert not frontier.deferral.update_all()


def test_what_has_been_judged_once_more_stays_though_another_host_has_not() -> None:
    frontier = Frontier(Judge(deferred={"/trap"}, ending={"/trap"}, anew=True))
    lane = frontier.push("/trap", 2)
    frontier.push("/trap", kind=LEFT, host="https://other.example")
    for going in ([lane], []):
        frontier.push("/trap", kind=LEFT)
        frontier.drop(lane)
        assert list(frontier.going) == going


def test_a_group_that_has_ended_holds_up_no_other() -> None:
    frontier = Frontier(Judge(deferred={"/trap", "/tree"}, ending={"/trap"}))
    frontier.push("/trap", 10)
    frontier.push("/tree", 10)
    assert frontier.run() == ["/tree"] * 10
    assert frontier.deferral.left == 10


def test_new_pages_of_a_site_do_not_bring_a_group_back_that_has_ended() -> None:
    frontier = Frontier(Judge(deferred={"/trap"}, ending={"/trap"}))
    frontier.push("/trap", 10)
    assert frontier.run() == []
    frontier.push(count=3)
    frontier.push("/trap", 2)
    assert frontier.run() == [""] * 3
    assert frontier.deferral.left == 12


def test_what_an_earlier_run_has_ended_stays_where_it_is_while_something_else_is_left() -> None:
    frontier = Frontier(Judge(deferred={"/trap"}, ended={"/trap"}))
    frontier.push("/trap", 10)
    frontier.push(count=100)
    assert frontier.run() == [""] * 100
    assert frontier.deferral.left == 10
    frontier.release("/trap")
    assert frontier.run() == ["/trap"] * 10


def test_a_group_that_a_person_releases_goes_on_exactly_there() -> None:
    frontier = Frontier(Judge(deferred={"/trap"}, ending={"/trap"}))
    frontier.push("/trap", 10)
    assert frontier.run() == []
    frontier.release("/trap")
    assert frontier.deferral.left == 0
    assert not list(frontier.deferral.ended())
    assert frontier.run() == ["/trap"] * 10


def test_a_group_that_is_cleared_shares_its_site_again() -> None:
    frontier = Frontier(Judge(deferred={"/trap"}))
    frontier.push(count=200)
    frontier.push("/trap", 100)
    frontier.run(50)
    frontier.release("/trap")
    assert Counter(frontier.run(100)) == {"": 50, "/trap": 50}


# Whatever comes

_GROUPS = ["", "/a", "/b", "/c"]
_STEPS = st.lists(
    st.tuples(
        st.sampled_from(["push", "push", "take", "take", "drop", "done", "suspect", "end", "release"]),
        st.sampled_from(_GROUPS),
        st.integers(0, 2),
    ),
    max_size=60,
)


@given(_STEPS, st.sampled_from(["", "deep", "wide"]))
def test_what_was_put_may_go_and_nothing_is_lost(  # noqa: C901
    steps: list[tuple[str, str, int]], probing: str
) -> None:
    frontier = Frontier(Judge(probing=probing))
    in_flight: list[Lane] = []
    pushed = taken = 0
    for step, group, number in steps:
        if step == "push":
            pushed += 1
            frontier.push(group, host=f"https://h{number}.example.com", kind=_KINDS[number] if group else FOUND)
        elif step == "take" and (lane := frontier.take()) is not None:
            taken += 1
            in_flight.append(lane)
        elif step == "drop" and frontier.going:
            pushed -= 1
            frontier.drop(next(iter(frontier.going)))
        elif step == "done" and in_flight:
            lane = in_flight.pop()
            assert lane.flow is not None
            frontier.deferral.done(lane.flow, lane.kind)
        elif step in ("suspect", "end") and group:
            frontier.suspect(group, ending=step == "end")
        elif step == "release" and group:
            frontier.release(group)
        for lane in frontier.lanes.values():
            assert (lane in frontier.going) is frontier.deferral.may_go(lane)
    for lane in in_flight:
        assert lane.flow is not None
        frontier.deferral.done(lane.flow, lane.kind)
    taken += len(frontier.run())
    assert taken + frontier.deferral.left == pushed
    for group in _GROUPS[1:]:
        frontier.release(group)
    assert taken + len(frontier.run()) == pushed
