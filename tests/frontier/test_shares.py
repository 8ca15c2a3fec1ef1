"""Which flow of a site goes next: fair rounds, who waits for whom, and where a group's next request is looked for."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    Site,
    kind_by_now,
    kind_of,
    lanes_of,
    rank_in,
)
from scrapy_polite.traps.limits import ANY_ONE_IN, MAX_WEIGHT, WAIT_ROUNDS
from scrapy_polite.traps.links import READ, TOLD, UNREAD

MAIN = ""
WAIT, SUSPECT = int(WAIT_ROUNDS), int(MAX_WEIGHT)


def push(flow: Flow, count: int = 1) -> Flow:
    for _ in range(count):
        flow.pushed()
    return flow


def site_of(suspected: str = "", **queued: int) -> Site:
    """A site of which so many requests are queued, by flow; `main` is its main flow."""
    site = Site()
    for name, count in queued.items():
        flow = site.flow(MAIN if name == "main" else name)
        flow.suspect(name in suspected.split())
        push(flow, count)
    return site


def take(site: Site, count: int) -> list[str]:
    """The flows of the next requests, each of which is done before the next one leaves."""
    taken = []
    for _ in range(count):
        ready = site.ready()
        if not ready:
            break
        flow = min(ready, key=lambda one: max(one.tag, one.due))
        flow.taken()
        flow.done()
        taken.append(flow.name)
    return taken


def take_chains(site: Site, count: int, *chains: str) -> list[str]:
    """The same where each page of these flows leads to the next one."""
    taken = []
    for _ in range(count):
        (name,) = take(site, 1)
        taken.append(name)
        if name in chains:
            push(site.flow(name))
    return taken


def names(flows: list[Flow]) -> set[str]:
    return {flow.name for flow in flows}


def test_a_site_without_groups_never_waits() -> None:
    assert take(site_of(main=100), 200) == [MAIN] * 100


def test_links_that_a_group_brought_to_itself_wait_twenty_rounds() -> None:
    taken = take(site_of(main=100, wiki=100), 60)
    assert taken[:WAIT] == [MAIN] * WAIT
    assert Counter(taken[WAIT:]) == {MAIN: 20, "wiki": 20}


def test_groups_that_have_waited_share_a_site_fairly() -> None:
    site = site_of(main=500, wiki=500, forum=500)
    take(site, 200)
    assert Counter(take(site, 300)) == {MAIN: 100, "wiki": 100, "forum": 100}


def test_a_group_that_comes_late_gets_no_more_than_its_share() -> None:
    site = site_of(main=500, wiki=500)
    take(site, 200)
    push(site.flow("late"), 500)
    taken = take(site, 200)
    assert "late" not in taken[:WAIT]
    assert taken.count("late") == pytest.approx((200 - WAIT) / 3, abs=10)


def test_a_chain_waits_anew_for_each_link_that_it_brings() -> None:
    taken = take_chains(site_of(main=500, chain=1), 200, "chain")
    assert taken.count("chain") == pytest.approx(200 / WAIT, abs=2)


def test_nothing_waits_when_nothing_else_is_queued_or_in_flight() -> None:
    site = site_of(wiki=3)
    assert take(site, 10) == ["wiki"] * 3
    push(site.flow("wiki"), 3)
    assert take(site, 10) == ["wiki"] * 3


@pytest.mark.parametrize(("suspected", "ready"), [("", {"wiki"}), ("wiki", set())], ids=["trusted", "suspected"])
def test_only_a_suspected_group_waits_for_what_is_in_flight_elsewhere(suspected: str, ready: set[str]) -> None:
    """Its page may bring what goes ahead."""
    site = site_of(suspected, main=1, wiki=5)
    main = site.flow(MAIN)
    main.taken()
    assert names(site.ready()) == ready
    main.done()
    assert names(site.ready()) == {"wiki"}


def test_groups_wait_for_the_main_flow_and_not_for_each_other() -> None:
    """A novel beside a lattice of new pages, of which nobody can tell whether it ends, has every second request."""
    taken = take_chains(site_of(main=10, lattice=1_000, novel=1), 410, "novel")
    assert taken[:10] == [MAIN] * 10
    assert taken.count("novel") == pytest.approx(200, abs=2)


@pytest.mark.parametrize("others", [{"main": 4_000}, {"main": 2_000, "wiki": 2_000}], ids=["main", "main and a group"])
def test_a_suspected_group_gets_one_request_in_twenty_rounds_while_others_have_some(others: dict[str, int]) -> None:
    site = site_of("trap", trap=1_000, **others)
    taken = take(site, 1_000)
    assert taken.count("trap") == pytest.approx(1_000 / (SUSPECT * len(others)), rel=0.2)


def test_a_suspected_group_gets_no_more_for_the_links_that_it_brings() -> None:
    site = site_of("trap", main=1_000, trap=1)
    taken = []
    for _ in range(400):
        (name,) = take(site, 1)
        taken.append(name)
        if name == "trap":
            push(site.flow("trap"), 5)
    assert taken.count("trap") == pytest.approx(400 / SUSPECT, abs=2)


@pytest.mark.parametrize("weight", [1.0, 6.0])
@pytest.mark.parametrize("chains", [1, 2])
def test_a_suspected_group_gets_one_request_in_twenty_rounds_beside_chains(chains: int, weight: float) -> None:
    """A novel whose chapters lead to the next one, which waits for its turn with nothing before it."""
    novels = [f"novel {at}" for at in range(chains)]
    site = site_of("trap", trap=1_000, main=1, **dict.fromkeys(novels, 1))
    for name in novels:
        site.flow(name).weight = weight
    taken = take_chains(site, 800, *novels)
    assert taken.count("trap") == pytest.approx(800 / (SUSPECT * chains + 1), rel=0.1)


def test_two_suspected_groups_get_one_in_twenty_together() -> None:
    site = site_of("trap maze", main=1_000, trap=500, maze=500)
    taken = Counter(take(site, 900))
    assert taken["trap"] == pytest.approx(taken["maze"], abs=2)
    assert taken["trap"] + taken["maze"] == pytest.approx(900 / (SUSPECT + 1), abs=5)


def test_what_says_nothing_new_shares_the_turn_of_a_suspected_group() -> None:
    site = site_of("trap", main=1_000, trap=100, dull=100, duller=100)
    for name in ("dull", "duller"):
        site.flow(name).weight = MAX_WEIGHT
    taken = Counter(take(site, 800))
    assert taken["trap"] + taken["dull"] + taken["duller"] == pytest.approx(800 / (SUSPECT + 1), abs=5)
    assert min(taken["trap"], taken["dull"], taken["duller"]) >= 10


def test_what_has_a_turn_together_has_it_by_rarity() -> None:
    site = site_of("trap telling", main=8_000, trap=400, telling=400, dull=400)
    site.flow("dull").weight = MAX_WEIGHT
    site.flow("dull").rarity = site.flow("trap").rarity = 10.0
    taken = Counter(take(site, 6_000))
    assert taken["trap"] + taken["telling"] + taken["dull"] == pytest.approx(6_000 / (SUSPECT + 1), abs=10)
    assert taken["trap"] == pytest.approx(taken["dull"], abs=2)
    assert taken["telling"] == pytest.approx(10 * taken["trap"], rel=0.15)


def test_a_suspected_group_gets_one_request_in_twenty_where_only_what_says_nothing_new_is_left_beside_it() -> None:
    """A calendar beside a search whose results are finite work: its tail has not begun, so that nothing ends it."""
    site = site_of("trap", main=50, trap=1_000, dull=1_000)
    site.flow("dull").weight = MAX_WEIGHT
    take(site, 100)
    taken = Counter(take(site, 800))
    assert taken["trap"] == pytest.approx(800 / (SUSPECT + 1), abs=2)
    assert taken["dull"] == 800 - taken["trap"]


def test_when_only_a_suspected_group_is_left_it_goes_at_once() -> None:
    site = site_of("trap", main=3, trap=50)
    taken = take(site, 100)
    assert len(taken) == 53
    assert set(taken[4:]) == {"trap"}


def test_no_group_waits_for_a_suspected_one() -> None:
    """Even when it is the turn of that one."""
    site = site_of("trap", trap=2)
    site.flow("trap").due = site.round
    push(site.flow("wiki"))
    assert names(site.ready()) == {"trap", "wiki"}


def test_no_suspected_group_waits_for_a_page_of_another_one() -> None:
    site = site_of("trap maze", trap=1, maze=1)
    site.flow("trap").taken()
    assert names(site.ready()) == {"maze"}


def test_a_group_does_not_wait_for_its_own_pages() -> None:
    site = site_of(wiki=1)
    wiki = site.flow("wiki")
    wiki.taken()
    push(wiki)
    assert names(site.ready()) == {"wiki"}


@pytest.mark.parametrize(("in_flight", "waits"), [(1, True), (2, False)], ids=["a chain", "more than a chain"])
def test_a_group_with_several_pages_under_way_does_not_wait_anew(in_flight: int, waits: bool) -> None:
    site = site_of(main=500, wiki=in_flight)
    take(site, WAIT)
    wiki = site.flow("wiki")
    for _ in range(in_flight):
        take(site, 1)
        wiki.taken()
    push(wiki)
    assert ("wiki" not in take(site, WAIT // 2)) is waits


@pytest.mark.parametrize("by", ["weight", "rarity"])
def test_in_the_tail_groups_are_read_by_their_weight_and_parts_by_their_rarity(by: str) -> None:
    site = site_of("trap tree", trap=1_000, tree=1_000)
    setattr(site.flow("trap"), by, 10.0)
    taken = Counter(take(site, 550))
    assert taken["tree"] == pytest.approx(10 * taken["trap"], rel=0.1)


def test_a_trusted_group_goes_the_more_rarely_the_more_it_weighs() -> None:
    site = site_of(main=2_000, light=1_000, heavy=1_000)
    site.flow("heavy").weight = 5.0
    taken = Counter(take(site, 800))
    assert taken[MAIN] == pytest.approx(taken["light"], rel=0.1)
    assert 0 < taken["heavy"] < taken["light"] / 3


def test_before_the_tail_the_weight_of_a_suspected_group_is_nothing() -> None:
    site = site_of("trap", main=1_000, trap=1_000)
    site.flow("trap").weight = 10.0
    assert take(site, 400).count("trap") == pytest.approx(400 / SUSPECT, abs=2)


def test_a_group_that_is_cleared_goes_on_as_others_do() -> None:
    site = site_of("trap", main=500, trap=500)
    take(site, 100)
    site.flow("trap").suspect(False)
    assert take(site, 100).count("trap") == pytest.approx(50, abs=3)


def test_a_group_that_becomes_suspected_waits_at_once() -> None:
    site = site_of(main=500, trap=500)
    take(site, 100)
    site.flow("trap").suspect(True)
    assert "trap" not in take(site, SUSPECT - 1)


def test_groups_that_have_ended_go_no_more() -> None:
    site = site_of("trap", trap=5, wiki=5)
    ended = {site.flow("trap")}
    assert names(site.ready(ended)) == {"wiki"}
    ended.add(site.flow("wiki"))
    assert site.ready(ended) == []


@pytest.mark.parametrize(
    ("suspected", "queued", "in_flight", "expected"),
    [
        ("", {}, "", True),
        ("", {"main": 1}, "", False),
        ("", {"wiki": 1}, "", False),
        ("trap", {"trap": 1}, "", True),
        ("trap", {"main": 1, "trap": 1}, "", False),
        ("trap", {"main": 1, "trap": 1}, MAIN, False),
        ("trap", {"wiki": 1, "trap": 1}, "wiki", False),
        ("trap maze", {"maze": 1, "trap": 1}, "trap", True),
    ],
)
def test_the_tail_begins_when_only_suspected_groups_are_left(
    suspected: str, queued: dict[str, int], in_flight: str, expected: bool
) -> None:
    site = site_of(suspected, **queued)
    if in_flight in site.flows:
        site.flow(in_flight).taken()
    assert site.in_tail is expected


_STEPS = st.lists(
    st.tuples(st.sampled_from(["push", "take", "done", "suspect", "clear"]), st.integers(0, 4)), max_size=80
)


@given(_STEPS)
def test_a_site_that_has_requests_never_stands_still(steps: list[tuple[str, int]]) -> None:
    site = Site()
    flows = [site.flow(name) for name in (MAIN, "a", "b", "c", "d")]
    for step, at in steps:
        flow = flows[at]
        if step == "push":
            flow.pushed()
        elif step == "take" and flow in site.ready():
            flow.taken()
        elif step == "done" and flow.in_flight:
            flow.done()
        elif step in ("suspect", "clear") and flow.name:
            flow.suspect(step == "suspect")
        idle = not any(flow.in_flight for flow in flows)
        assert site.ready() or not (idle and any(flow.queued for flow in flows))
        assert not flows[0].queued or flows[0] in site.ready()


# Where the next request of a group is looked for


def lane_of(url: str, number: int, *, deep: bool) -> tuple[str, int]:
    kind = kind_of(url, deep=deep)
    return kind, rank_in(kind, url, (0, number), number)[1]


def test_outside_deep_probes_links_stay_in_their_order() -> None:
    assert [lane_of(f"http://example.com/{at}", at, deep=False) for at in range(5)] == [(FOUND, at) for at in range(5)]


def test_links_of_deep_probes_are_taken_newest_first_and_one_in_eight_in_no_order() -> None:
    found = [lane_of(f"http://example.com/{at}", at, deep=True) for at in range(4_000)]
    newest = [order for lane, order in found if lane == "newest"]
    anywhere = [order for lane, order in found if lane == "any"]
    assert newest == sorted(newest, reverse=True)
    assert len(anywhere) == pytest.approx(4_000 / ANY_ONE_IN, rel=0.2)
    assert anywhere != sorted(anywhere)
    assert {lane for lane, _ in found} == {"newest", "any"}


@given(st.text(), st.integers(0, 2**60), st.booleans())
def test_any_url_has_a_lane_and_the_same_one_each_time(url: str, number: int, deep: bool) -> None:
    lane, order = lane_of(url, number, deep=deep)
    assert lane in LANES
    assert abs(order) < 2**63
    assert lane_of(url, number, deep=deep) == (lane, order)
    assert (lane == FOUND) is not deep


def test_a_url_that_is_no_text_has_a_lane() -> None:
    assert lane_of("http://example.com/\ud800", 1, deep=True)[0] in LANES


@pytest.mark.parametrize(
    ("probe", "turn", "first"),
    [
        ("deep", 0, "newest"),
        ("deep", 1, "newest"),
        ("wide", 0, "any"),
        ("wide", 1, FOUND),
        ("", 0, FOUND),
        ("", 1, FOUND),
    ],
)
def test_a_probe_looks_deep_or_by_turns_at_the_oldest_and_anywhere(probe: str, turn: int, first: str) -> None:
    order = lanes_of(probe, turn)
    assert next(kind for kind in order if kind not in AHEAD) == first
    for ahead, other in zip(AHEAD, (FOUND, NEWEST, ANY), strict=True):
        assert order.index(ahead) < order.index(other)
    assert order[-1] == LEFT
    assert sorted(order) == sorted(LANES)


@pytest.mark.parametrize(
    ("kind", "said", "by_now"),
    [
        (FOUND, UNREAD, FOUND),
        (FOUND, READ, BEHIND),
        (FOUND, TOLD, AHEAD_FOUND),
        (AHEAD_NEWEST, TOLD, AHEAD_NEWEST),
        (AHEAD_NEWEST, READ, NEWEST),
        (AHEAD_ANY, UNREAD, AHEAD_ANY),
        (AHEAD_FOUND, UNREAD, AHEAD_FOUND),
        (AHEAD_FOUND, READ, BEHIND),
        (BEHIND, TOLD, AHEAD_FOUND),
        (BEHIND, UNREAD, BEHIND),
        (NEWEST, READ, NEWEST),
        (LEFT, TOLD, LEFT),
    ],
)
def test_what_is_known_by_now_moves_a_link_on(kind: str, said: int, by_now: str) -> None:
    assert kind_by_now(kind, said) == by_now
    assert kind_by_now(by_now, said) == by_now


@pytest.mark.parametrize(
    ("said", "deep", "kinds"),
    [
        (UNREAD, False, {FOUND}),
        (READ, False, {BEHIND}),
        (TOLD, False, {AHEAD_FOUND}),
        (UNREAD, True, {NEWEST, ANY}),
        (READ, True, {NEWEST, ANY}),
        (TOLD, True, {AHEAD_NEWEST, AHEAD_ANY}),
    ],
)
def test_what_the_pages_said_that_brought_a_link_decides_its_lane(said: int, deep: bool, kinds: set[str]) -> None:
    assert {kind_of(f"http://example.com/{at}", deep=deep, said=said) for at in range(99)} == kinds
