"""What a process knows of groups goes to the next one: no trap is longer for it, and no finite site loses a page."""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grown_groups import HOME, HOST, LIMITS, Crawl, Said, Site, number
from scrapy_polite.traps import handover
from scrapy_polite.traps.evidence import Pattern
from scrapy_polite.traps.groups import Groups
from scrapy_polite.traps.handover import HandoverError, read, take_over, written
from scrapy_polite.traps.limits import DEFAULT_LIMITS
from scrapy_polite.traps.page import of_markup

SITE = "example.com"


def handed_over(groups: Groups, to: Groups | None = None, *, whole: bool = False) -> Groups:
    to = to or Groups(groups.limits)
    for state in read(written({SITE: groups}, whole=[SITE] if whole else [])).values():
        take_over(to, state)
    return to


class Moving(Crawl):
    """A site that goes to another process each `every` pages. What the job has met is known to all of them."""

    def __init__(self, site: Site, every: int, *, whole: bool = False) -> None:
        super().__init__(site)
        self.every, self.whole = every, whole
        #: What the present process has met itself.
        self.met: set[str] = set()

    def fetch(self, path: str, *, deep: bool = False) -> None:
        links = set(self.site(path)[1])
        known = links & self.seen - self.met
        super().fetch(path, deep=deep)
        self.met |= links
        for link in known:
            self.groups.was_known(HOST + link)
        if not self.pages % self.every:
            self.groups = handed_over(self.groups, whole=self.whole)
            self.met.clear()


def calendar(path: str) -> Said:
    return False, [f"/day?at={number(path) + 1}", f"/day?at={number(path) + 7}"]


def maze(path: str) -> Said:
    return True, [f"/maze/{number(path) * 3 + step}" for step in (1, 2, 3)]


def mesh(path: str, size: int = 400) -> Said:
    """Finite: every page says something, and leads back."""
    at = number(path)
    return True, [f"/mesh/{to % size}" for to in (2 * at, 2 * at + 1, at * at + 1)]


def near(path: str) -> Said:
    """As the maze; each page leads to its siblings and theirs, and to what leads to it."""
    at = number(path)
    parent = (at - 1) // 3
    around = {3 * parent + step for step in (1, 2, 3)} | {parent, (parent - 1) // 3}
    return True, [*maze(path)[1], *(f"/maze/{to}" for to in sorted(around - {at}) if to > 0)]


class Stopping(Crawl):
    """A site whose crawl stops each `every` pages, and goes on in another process."""

    def __init__(self, site: Site, every: int, *, whole: bool) -> None:
        super().__init__(site)
        self.every, self.whole = every, whole

    def fetch(self, path: str, *, deep: bool = False) -> None:
        super().fetch(path, deep=deep)
        if not self.pages % self.every:
            note = written({SITE: self.groups}, whole=[SITE] if self.whole else [])
            was_met = {HOST + link for link in self.seen}
            self.groups = Groups(LIMITS, lambda url: url in was_met, forgetful=True)
            for state in read(note).values() if note else ():
                take_over(self.groups, state)


def from_home(site: Site, first: str) -> Site:
    return lambda path: (True, [first]) if path == "/" else site(path)


@pytest.mark.parametrize(
    ("site", "first", "pattern", "kind"),
    [(calendar, "/day?at=1", "/day?at", "silent"), (maze, "/maze/1", "/maze/*", "budget")],
)
@pytest.mark.parametrize("every", [15, 40])
def test_a_trap_ends_after_as_many_pages_however_often_it_moves(
    site: Callable[..., Any], first: str, pattern: str, kind: str, every: int
) -> None:
    alone = Crawl(from_home(site, first)).run(60)
    moving = Moving(from_home(site, first), every).run(60)
    assert moving.suspected == alone.suspected == {pattern}
    assert moving.tail(pattern) == alone.tail(pattern) == kind
    assert abs(moving.pages - alone.pages) <= 2
    assert moving.groups.root(moving.groups.named(pattern)).ended == kind  # type: ignore[union-attr]
    assert handed_over(moving.groups).named(pattern).ended == kind


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("every", [15, 40, 100])
def test_a_finite_site_is_read_to_its_end_however_often_it_moves(every: int, *, whole: bool) -> None:
    crawl = Moving(from_home(mesh, "/mesh/1"), every, whole=whole)
    while crawl.queue:
        crawl.run(crawl.pages + 20)
        for name in list(crawl.suspected):
            assert crawl.tail(name, crawl.pages + 200) == ""
    assert crawl.pages == len(Crawl(from_home(mesh, "/mesh/1")).run(1_000).seen)


@pytest.mark.parametrize("every", [15, 40, 70])
def test_a_maze_ends_after_as_many_pages_however_often_its_crawl_stops(every: int) -> None:
    site = from_home(near, "/maze/1")
    alone = Crawl(site).run(60)
    whole, died = (Stopping(site, every, whole=clean).run(60) for clean in (True, False))
    for crawl in (alone, whole, died):
        crawl.tail("/maze/*", 900)
    assert alone.pages < 300
    assert alone.pages <= whole.pages <= alone.pages + every
    assert died.pages > 2 * alone.pages  # links to what an earlier process has found may lead back


@pytest.mark.parametrize("every", [15, 40, 70])
def test_links_of_which_a_process_knows_who_found_them_are_not_undone_where_others_have_met_them(every: int) -> None:
    site = from_home(near, "/maze/1")
    alone, moving = Crawl(site).run(60), Moving(site, every, whole=True).run(60)
    assert alone.tail("/maze/*") == moving.tail("/maze/*") == "budget"
    assert alone.pages == moving.pages


def test_a_page_that_an_earlier_run_has_fetched_is_not_queued_again() -> None:
    crawl = Crawl(from_home(calendar, "/day?at=1")).run(60)
    for whole in (True, False):
        after = handed_over(crawl.groups, whole=whole)
        home = after.note(f"{HOST}/other", True)
        assert not after.link(home, f"{HOST}/day?at=9")
    after = handed_over(crawl.groups, whole=True)
    home = after.note(f"{HOST}/other", True)
    assert after.link(home, HOST + crawl.queue[0])  # one that waits is
    assert not handed_over(after, whole=True).link(home, HOST + crawl.queue[0])  # once


def test_of_two_notes_of_a_site_the_first_that_comes_is_taken_up_whole() -> None:
    crawl = Crawl(from_home(calendar, "/day?at=1")).run(60)
    older = read(written({SITE: crawl.groups}))[SITE]
    newer = read(written({SITE: crawl.run(80).groups}, whole=[SITE]))[SITE]
    groups = Groups(LIMITS)
    for note in (newer, older):
        take_over(groups, note)
    root = groups.named("/day?at")
    assert root.pages == 79
    assert groups.remembered(1_000) == crawl.groups.remembered(1_000)


def test_what_would_be_too_long_to_be_read_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    groups = Crawl(from_home(calendar, "/day?at=1")).run(60).groups
    plain = written({SITE: groups})
    monkeypatch.setattr(handover, "_MAX_BYTES", len(zlib.decompress(plain)) + 100)
    assert zlib.decompress(written({SITE: groups}, whole=[SITE])) == zlib.decompress(plain)
    monkeypatch.setattr(handover, "_MAX_BYTES", 100)
    assert written({SITE: groups}) == b""


def test_where_pages_have_said_too_much_to_go_over_the_next_ones_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    groups = Crawl(from_home(calendar, "/day?at=1")).run(60).groups
    for at in range(900, 1_000):
        groups.arrive(f"{HOST}/day?at={at}", of_markup(f"<p>Word {chr(0x4E00 + at)} alone</p>".encode(), "utf-8"))
    for most, learns in ((200, 0), (180, 0), (100, LIMITS.learns)):
        monkeypatch.setattr(handover, "_MOST_SUSPECTED", most)
        assert handed_over(groups, whole=True).named("/day?at").learns == learns


def test_what_pages_have_said_is_known_to_the_next_run_and_its_first_pages_count() -> None:
    crawl = Crawl(from_home(calendar, "/day?at=1")).run(60)
    page = of_markup(b"<p>Nothing is on.</p><img src=/closed.png>", "utf-8")
    crawl.groups.arrive(f"{HOST}/day?at=900", page)
    after = Groups(LIMITS)
    take_over(after, read(written({SITE: crawl.groups}, whole=[SITE]))[SITE])
    root = after.named("/day?at")
    before = root.pages
    after.leave(after.arrive(f"{HOST}/day?at=1000", page))
    assert (root.pages, root.records[-1].says) == (before + 1, False)


def test_of_a_site_that_nobody_suspects_and_of_one_that_has_ended_fewer_links_go_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(handover, "_MOST", 50)
    crawl = Crawl(from_home(calendar, "/day?at=1")).run(60)
    assert read(written({SITE: crawl.groups}))[SITE].remembered is None
    assert read(written({SITE: crawl.groups}, whole=[SITE]))[SITE].remembered is not None
    crawl.root("/day?at").ended = "silent"  # type: ignore[union-attr]
    assert read(written({SITE: crawl.groups}, whole=[SITE]))[SITE].remembered is None
    for pages, goes_over in ((12, True), (18, False)):
        growing = Crawl(from_home(maze, "/maze/1")).run(pages).groups
        assert not growing.suspects
        assert (read(written({SITE: growing}, whole=[SITE]))[SITE].remembered is not None) is goes_over


def test_a_takedown_takes_out_what_is_remembered_by_numbers() -> None:
    note = written({SITE: Crawl(from_home(calendar, "/day?at=1")).run(60).groups}, whole=[SITE])
    left, urls = handover.without(note, lambda url: False, lambda origin: False)
    assert urls == []
    assert read(note)[SITE].remembered is not None
    assert read(left)[SITE].remembered is None


def test_a_takedown_leaves_nothing_of_a_path_that_was_told_apart() -> None:
    groups = Groups(LIMITS)
    groups.feeders.pattern(f"{HOST}/people/page")
    for at in range(LIMITS.window):
        for name in ("anna", "page"):
            groups.leave(groups.note(f"{HOST}/people/{name}?at={at}", True))
    groups.suspect(groups.named("/people/anna?at"))
    note = written({SITE: groups})
    assert read(note)[SITE].learned.learned()["pages"]
    kept, urls = handover.without(note, lambda url: url == f"{HOST}/other", lambda origin: False)
    assert (urls, read(kept)[SITE].learned.learned()["pages"]) == ([], [])
    kept, urls = handover.without(note, lambda url: url == f"{HOST}/people/anna", lambda origin: False)
    assert f"{HOST}/people/anna" in urls
    assert kept == b""


def test_parts_of_a_suspected_group_are_known_to_be_its_own() -> None:
    """A family tree whose people and charts lead to more of the same, and never back."""

    def tree(path: str) -> Said:
        part = "person" if path == HOME or "person" in path else "chart"
        return False, [f"/tree/all/{kind}/{number(path)}{step}" for kind in (part, "chart") for step in (1, 2)]

    groups = Crawl(tree).run(200).groups
    after = handed_over(groups)
    assert {root.name for root in after.suspects} == {root.name for root in groups.suspects} == {"/tree/*/**"}
    for part in ("person", "chart"):
        assert after.is_suspected(f"/tree/*/{part}/**")
        assert after.feeders.part(f"{HOST}/tree/one/{part}/0").name == f"/tree/*/{part}/**"


def test_names_are_told_apart_alike() -> None:
    groups = Groups(LIMITS)
    for name in "abcdefghij":
        for host in (HOST, "http://shop.example.com"):
            visit = groups.note(f"{host}/{name}/1", True)
            groups.leave(visit)
    groups.suspect(groups.named("/a/*"))
    after = handed_over(groups)
    for url in (f"{HOST}/h/2", f"{HOST}/new/2", "http://shop.example.com/b/2", "http://other.example.com/a/1"):
        assert after.feeders.patterns.of(url) == groups.feeders.patterns.of(url)


def test_of_two_that_know_a_group_the_one_that_has_read_more_counts_but_the_end_is_for_all() -> None:
    here, there = (Crawl(from_home(calendar, "/day?at=1")).run(pages) for pages in (90, 60))
    root = here.root("/day?at")
    assert root is not None
    handed_over(there.groups, here.groups)
    assert (root.pages, root.ended) == (89, "")
    handed_over(here.groups, there.groups)
    assert there.root("/day?at").pages == 89  # type: ignore[union-attr]
    there.root("/day?at").ended = "silent"  # type: ignore[union-attr]
    handed_over(there.groups, here.groups)
    assert root.ended == "silent"
    root.released = True
    here.groups.clear(root)
    handed_over(there.groups, here.groups)
    assert (root.suspected, root.ended) == (False, "")


def test_the_first_pages_do_not_count_as_all_that_they_say_is_new_here() -> None:
    groups = handed_over(Crawl(from_home(calendar, "/day?at=1")).run(60).groups)
    root = groups.named("/day?at")
    before = root.pages
    for at in range(LIMITS.learns + 1):
        assert root.pages == before
        page = of_markup(b"<p>Nothing is on. Come back later.</p>", "utf-8")
        groups.leave(groups.arrive(f"{HOST}/day?at={1_000 + at}", page))
    assert root.pages == before + 1
    assert root.records[-1].says is False


def test_nothing_is_written_of_a_site_without_groups() -> None:
    groups = Crawl(lambda path: (True, ["/a", "/b"] if path == "/" else [])).run().groups
    assert written({SITE: groups}) == b""
    growing = Crawl(from_home(maze, "/maze/1")).run(15).groups
    assert handed_over(growing).named("/maze/*").pages == 14


STATE = json.loads(
    zlib.decompress(written({SITE: Crawl(from_home(calendar, "/day?at=1")).run(60).groups}, whole=[SITE]))
)


@given(st.binary(max_size=50))
def test_what_is_no_note_is_told_and_changes_nothing(data: bytes) -> None:
    with pytest.raises(HandoverError):
        read(data)


@pytest.mark.parametrize("place", [3, 10**9, -2])
def test_a_note_of_a_feeder_that_is_not_there_is_none(place: int) -> None:
    for of_pattern in (1, 3):  # its feeder, and what has brought how much
        state = json.loads(json.dumps(STATE))
        state["sites"][SITE]["patterns"][1][of_pattern] = place if of_pattern == 1 else [[place, 5]]
        with pytest.raises(HandoverError, match="feeder"):
            read(zlib.compress(json.dumps(state).encode()))


GROWN = [[False, True, False, [], [[0, 10**400]], 0]]


@pytest.mark.parametrize(
    "change",
    [
        {"records": [], "silent": 1_000, "silent_deep": 1_000},
        {"read_one_in": 0},
        {"records": GROWN},
        {"pages": 10**30},
    ],
    ids=["pages of which there is no record", "one page in none is read", "more links than there are", "pages"],
)
def test_a_note_of_a_group_as_there_is_none_is_none(change: dict[str, Any]) -> None:
    state = json.loads(json.dumps(STATE))
    state["sites"][SITE]["roots"][0].update(change)
    with pytest.raises(HandoverError):
        read(zlib.compress(json.dumps(state).encode()))


def test_a_note_of_a_pattern_with_a_space_is_none() -> None:
    state = json.loads(json.dumps(STATE))
    state["sites"][SITE]["patterns"][0][0] = "/day newest"
    with pytest.raises(HandoverError, match="space"):
        read(zlib.compress(json.dumps(state).encode()))


def test_a_note_of_a_cap_without_pages_does_no_harm() -> None:
    state = json.loads(json.dumps(STATE))
    state["sites"][SITE]["roots"][0].update({"cap_half": [0, 5], "pages": 20_000, "suspected": True})
    groups = Groups(DEFAULT_LIMITS)
    for site in read(zlib.compress(json.dumps(state).encode())).values():
        take_over(groups, site)
    for root in list(groups.suspects):
        groups.verdict.ends(root)


@given(st.data())
def test_a_note_with_anything_in_it_does_no_harm(data: st.DataObject) -> None:
    state = json.loads(json.dumps(STATE))
    at = state["sites"][SITE]
    while isinstance(at, (dict, list)) and at:
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(at[key], (dict, list)) or data.draw(st.booleans()):
            at[key] = data.draw(
                st.sampled_from([None, -1, 10**9, 10**30, math.inf, math.nan, "text", [], {}, [[1]], 0.5])
            )
            break
        at = at[key]
    try:
        sites = read(zlib.compress(json.dumps(state).encode()))
    except HandoverError:
        return
    for site in sites.values():
        groups = Groups(LIMITS)
        take_over(groups, site)
        for path in range(30):
            visit = groups.note(f"{HOST}/day?at={path}", False, same=True)
            groups.link(visit, f"{HOST}/day?at={path + 1}")
            groups.leave(visit)
            for root in list(groups.suspects):
                groups.verdict.ends(root)


def test_every_field_of_a_group_goes_over_or_is_known_to_stay_behind() -> None:
    over = {*handover._FIGURES, "ended", "examples", "volatile", "records"}
    by_pattern = {"number", "name", "fed", "feeder", "leads", "leads_away", "joined"}
    stays = {"settled", "learns", "released"}  # a person's decision is in the store
    stays |= {"fed_by"}  # told anew with the next pages
    stays |= {"deepest", "probed", "leaves", "deeper_at"}  # another process does not know how far from the start it is
    stays |= {"dull", "weight", "rarity"}  # with these a list of 400 pages loses a tenth where its crawl is in 21 parts
    assert {field.name for field in fields(Pattern)} == over | by_pattern | stays
