"""Endless spaces on a real server: what a crawl fetches of them, by the server's own log, and what it says of them."""

from __future__ import annotations

import json
import sqlite3
import time
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from crawls import Crawled, crawl, crawl_and_kill, has_been_asked
from projects import scrapy
from trap_sites import ARTICLES, CALENDAR_AND_ARTICLES, SAME, calendar, endless, html, prose, story_or_month
from webserver import Answer, Asked, Origin

MANY = {"CLOSESPIDER_PAGECOUNT": 600}


def quarantines(path: Path) -> list[tuple[Any, ...]]:
    with sqlite3.connect(path) as store:
        return store.execute("SELECT site, place, kind, decision FROM quarantines").fetchall()


def suspicion_times(path: Path) -> list[tuple[float, float]]:
    with sqlite3.connect(path) as store:
        return store.execute("SELECT since, until FROM quarantines").fetchall()


CALENDAR = "/calendar?m"


def asked(site: Origin, text: str) -> int:
    return sum(text in path for path in site.pages())


def test_an_empty_calendar_is_deferred_and_ends_and_every_article_is_read(loop_mode: str, tmp_path: Path) -> None:
    store, refused = tmp_path / "store.sqlite", tmp_path / "refused.jsonl"
    settings = MANY | {"POLITE_STORE": str(store), "POLITE_REFUSED_FILE": str(refused)}
    with endless(calendar, CALENDAR_AND_ARTICLES) as site:
        crawled = crawl(loop_mode, [site.url], settings, spider="links")
    assert sorted(path for path in site.pages() if "article" in path) == sorted(ARTICLES)
    assert 100 <= asked(site, "calendar") <= 200
    assert crawled.stats["finish_reason"] == "finished"
    assert crawled.stats["polite/traps/suspected"] == crawled.stats["polite/traps/ended/silent"] == 1
    assert crawled.refused == []
    name = urlsplit(site.url).netloc
    (suspected,) = crawled.logged("WARNING", "/calendar?m looks endless (trap/endless: of its last 50 pages ")
    assert "Its links wait until the rest of the site is read; what is left then is dropped (with JOBDIR" in suspected
    (ended,) = crawled.logged("WARNING", "/calendar?m is not followed further after")
    assert f"`scrapy polite traps release {name} '/calendar?m'`, then crawl again" in ended
    left = crawled.stats["polite/traps/links_left"]
    assert left <= crawled.stats["polite/traps/links_deferred"] <= left + asked(site, "calendar")
    assert "groups of URLs that look endless: 1 suspected, of which 1 not followed further" in crawled.log
    assert f"links of these groups not followed: {left}" in crawled.log
    lines = [json.loads(line) for line in refused.read_text().splitlines()]
    assert [line["reason"] for line in lines] == ["trap/endless"] * left
    assert all("/calendar?m=" in line["url"] for line in lines)
    assert quarantines(store) == [(name, CALENDAR, "silent", "")]


def test_what_is_suspected_waits_for_a_chain_too(loop_mode: str) -> None:
    """A novel, whose chapters lead to the next one alone: hardly ever more than one link of it is queued."""

    def pages(asked: Asked) -> Answer:
        place, _, at = asked.path[1:].rpartition("/")
        if place == "novel":
            return html(prose(asked.path), *([f"/novel/{int(at) + 1}"] if int(at) < 400 else []))
        return html(prose(asked.path), *(f"/maze/{Random(f'{at} {n}').getrandbits(60):x}" for n in range(4)))

    with endless(pages, {"/": html("Home", "/novel/1", "/maze/0")}) as site:
        crawl(loop_mode, [site.url], spider="links")
    read = site.pages()
    # Some 75 until it is suspected, and one in twenty of the others.
    assert sum("maze" in path for path in read[: read.index("/novel/400")]) <= 150


@pytest.mark.parametrize("said", ["", SAME], ids=["new things", "nothing new"])
def test_a_host_that_is_closed_holds_up_no_group_at_another_host_of_its_site(said: str, loop_mode: str) -> None:
    """A chain and its side pages, which wait for the rest of the site; of that only a host is left that says 429."""

    def pages(asked: Asked) -> Answer:
        if "closed" in asked.headers["host"]:
            return Answer(429, headers={"Retry-After": "3600"})
        at = int(asked.path.rpartition("/")[2] or 0)
        closed = [f"http://closed.shop.com:{port}/{n}" for n in range(40)] if asked.path == "/" else []
        return html(said or prose(at), *(f"/chain/{at + by}" for by in (1, 2) if at + by <= 90), *closed)

    with endless(pages) as site:
        port = urlsplit(site.url).port
        settings = {"EXTENSIONS": {"pacing_parts.LoopbackNames": 0}, "RETRY_ENABLED": False}
        crawled = crawl(loop_mode, [f"http://www.shop.com:{port}/"], settings, spider="links")
    assert {f"/chain/{at}" for at in range(1, 91)} <= set(site.pages())
    assert {(urlsplit(one["url"]).hostname, one["reason"]) for one in crawled.refused} == {
        ("closed.shop.com", "pace/retry-after")
    }


def test_two_views_that_lead_to_each_other_end_and_what_one_brought_to_the_other_with_them(loop_mode: str) -> None:
    def views(asked: Asked) -> Answer:
        """Months and weeks: each has more of its own, and the other's. Where either finds most of the other's first it
        looks finite for a while: 340 to 1,840 pages in 74 crawls."""
        kind, at = urlsplit(asked.path).path, int(dict(parse_qsl(urlsplit(asked.path).query)).get("at", 0))
        other, near = ("/week", at * 4) if kind == "/month" else ("/month", at // 4)
        own = [f"{kind}?at={at + step}" for step in (-9, -1, 1, 9)]
        return html(f"{SAME} No {at}.", *own, *(f"{other}?at={near + step}&all=1" for step in range(3)))

    table = {"/": html("Home", "/article/0", "/month?at=0", "/week?at=0")} | ARTICLES
    with endless(views, table) as site:
        crawled = crawl(loop_mode, [site.url], MANY | {"CLOSESPIDER_PAGECOUNT": 3_000}, spider="links")
    assert sorted(path for path in site.pages() if "article" in path) == sorted(ARTICLES)
    assert crawled.stats["finish_reason"] == "finished"
    assert crawled.stats["polite/traps/links_left"] > 0
    assert len(site.pages()) < 3_000


def test_links_left_are_counted_in_the_store_while_the_crawl_goes_on_elsewhere(loop_mode: str, tmp_path: Path) -> None:
    store, counts = tmp_path / "store.sqlite", []

    def slow(asked: Asked) -> Answer:
        """A page that takes until the count is there."""
        until = time.monotonic() + 20
        while not counts and time.monotonic() < until:
            time.sleep(0.1)
            if store.exists():
                with sqlite3.connect(store) as database:
                    counts.extend(database.execute("SELECT refused FROM quarantines WHERE refused > 0").fetchall())
        return html("Done")

    settings = MANY | {"POLITE_STORE": str(store), "EXTENSIONS": {"trap_parts.QuickExchange": 0}}
    with endless(calendar, CALENDAR_AND_ARTICLES) as site, Origin({"/": slow}) as other:
        crawled = crawl(loop_mode, [other.url, site.url], settings, spider="links")
    ((count,),) = counts
    assert 0 < count <= crawled.stats["polite/traps/links_left"]


@pytest.mark.parametrize(
    ("title", "names"),
    [
        pytest.param("Veranstaltungen im", ("Januar", "März", "Mai", "Oktober", "Dezember"), id="German"),
        pytest.param("События:", ("января", "марта", "мая", "октября", "декабря"), id="Russian"),
        pytest.param("فعاليات", ("يناير", "مارس", "مايو", "أكتوبر", "ديسمبر"), id="Arabic"),
        pytest.param("行事予定", ("1月", "3月", "5月", "10月", "12月"), id="Japanese"),
    ],
)
def test_a_calendar_ends_in_any_language(loop_mode: str, title: str, names: tuple[str, ...]) -> None:
    def month(asked: Asked) -> Answer:
        at = int(asked.path.rpartition("-")[2])
        return html(f"{title} {names[at % 5]} {2000 + at // 12}. {SAME}", f"/monat-{at + 1}", f"/monat-{at + 12}")

    with endless(month, {"/": html("Home", "/article/0", "/monat-1")} | ARTICLES) as site:
        crawled = crawl(loop_mode, [site.url], MANY, spider="links")
    assert asked(site, "article") == len(ARTICLES)
    assert asked(site, "monat") <= 200
    assert crawled.stats["finish_reason"] == "finished"


def test_what_a_job_leaves_stays_in_its_queue_until_a_person_releases_it(loop_mode: str, tmp_path: Path) -> None:
    settings = MANY | {"JOBDIR": str(tmp_path / "job"), "POLITE_STORE": str(tmp_path / ".scrapy" / "store.sqlite")}
    with endless(calendar, CALENDAR_AND_ARTICLES) as site:
        first = crawl(loop_mode, [site.url], settings, spider="frontier_parts.FilteredLinks")
        before = site.pages()
        assert first.stats["finish_reason"] == "polite_traps_left"
        assert sum("article" in path for path in before) == len(ARTICLES)
        left = first.stats["polite/traps/links_left"]
        kept = f"{left} requests remain, kept in the job directory: {site.url} {CALENDAR} ({left}, looks endless)"
        assert first.logged("INFO", kept)
        (suspected,) = first.logged("WARNING", "looks endless")
        assert "what is left then stays in the job directory." in suspected
        (gate,) = gates(tmp_path, tmp_path / ".scrapy" / "store.sqlite", tmp_path / "job")
        assert (gate["origin"], gate["queued"], gate["endless"]) == (site.url, left, {CALENDAR: left})
        lasts = suspicion_times(tmp_path / ".scrapy" / "store.sqlite")
        again = crawl(loop_mode, [site.url], settings, spider="frontier_parts.FilteredLinks")
        assert (again.stats["finish_reason"], site.pages()) == ("polite_traps_left", before)
        assert suspicion_times(tmp_path / ".scrapy" / "store.sqlite") == lasts  # else it never expires
        decide(tmp_path, tmp_path / ".scrapy" / "store.sqlite", "release", urlsplit(site.url).netloc, CALENDAR)
        crawl(loop_mode, [site.url], settings | {"CLOSESPIDER_PAGECOUNT": 50}, spider="frontier_parts.FilteredLinks")
    after = site.pages()[len(before) :]
    assert len(after) >= 50
    assert all("calendar" in path for path in after)
    assert set(after).isdisjoint(before)


def test_after_a_kill_a_suspected_group_is_still_deferred(loop_mode: str, tmp_path: Path) -> None:
    settings = MANY | {"JOBDIR": str(tmp_path / "job"), "POLITE_STORE": str(tmp_path / "store.sqlite")}
    with endless(calendar, CALENDAR_AND_ARTICLES) as site:
        enough = partial(has_been_asked, site, 100)
        crawl_and_kill(loop_mode, [site.url], settings, "frontier_parts.FilteredLinks", enough)
        resumed = crawl(loop_mode, [site.url], settings, spider="frontier_parts.FilteredLinks")
    assert resumed.stats["finish_reason"] == "polite_traps_left"
    assert {path for path in site.pages() if "article" in path} == set(ARTICLES)
    assert asked(site, "calendar") <= 300


def chain(asked: Asked) -> Answer:
    """New text that only itself links to: nobody can tell whether it ends."""
    at = int(asked.path.rpartition("/")[2])
    return html(prose(asked.path), f"/chain/{at + 1}")


def maze_of_families(asked: Asked) -> Answer:
    """New text, three new pages, and the pages around: those that its finder has found, and the one before."""
    at = int(asked.path.rpartition("/")[2])
    before = (at - 1) // 3
    around = [3 * before + step for step in (1, 2, 3)] + [before, (before - 1) // 3]
    return html(prose(asked.path), *(f"/maze/{to}" for to in (*range(3 * at + 1, 3 * at + 4), *around) if to > 0))


def test_what_has_ended_stays_where_it_is_while_what_a_person_has_confirmed_is_refused(tmp_path: Path) -> None:
    def two_traps(asked: Asked) -> Answer:
        return maze_of_families(asked) if "maze" in asked.path else calendar(asked)

    store = tmp_path / ".scrapy" / "store.sqlite"
    settings = {"JOBDIR": str(tmp_path / "job"), "POLITE_STORE": str(store), "POLITE_TRAP_CAP": 200}
    with endless(two_traps, {"/": html("Home", "/calendar?m=0", "/maze/1")}) as site:
        crawl("asyncio", [site.url], settings, spider="frontier_parts.FilteredLinks")
        before = len(site.pages())
        decide(tmp_path, store, "confirm", urlsplit(site.url).netloc, "/maze/*")
        crawled = crawl("asyncio", [site.url], settings, spider="frontier_parts.FilteredLinks")
    assert {one[2] for one in quarantines(store)} == {"silent", "cap"}
    assert len(crawled.refused) > 100
    assert site.pages()[before:] == []


def test_what_a_trap_has_led_to_is_followed_once_a_person_has_confirmed_the_trap(tmp_path: Path) -> None:
    def with_events(asked: Asked) -> Answer:
        if "calendar" not in asked.path:
            return html(SAME)
        at = int(asked.path.rpartition("=")[2])
        return html(SAME, f"/calendar?m={at + 1}", *(f"/event/{3 * at + one}" for one in range(3)))

    store = tmp_path / ".scrapy" / "store.sqlite"
    settings = MANY | {"JOBDIR": str(tmp_path / "job"), "POLITE_STORE": str(store)}
    with endless(with_events, {"/": html("Home", "/calendar?m=0")}) as site:
        first = crawl("asyncio", [site.url], settings, spider="frontier_parts.FilteredLinks")
        months, events = asked(site, "calendar"), asked(site, "event")
        assert first.stats["finish_reason"] == "polite_traps_left"
        assert events < 3 * months
        decide(tmp_path, store, "confirm", urlsplit(site.url).netloc, CALENDAR)
        (gate,) = gates(tmp_path, store, tmp_path / "job")
        assert (CALENDAR in gate["endless"], gate["confirmed"].get(CALENDAR, 0) > 0) == (False, True)
        shown = polite(tmp_path, store, "gates", "--jobdir", str(tmp_path / "job"))
        assert f"{gate['confirmed'][CALENDAR]} of {CALENDAR}, a confirmed trap: refused in their turn" in shown
        crawled = crawl("asyncio", [site.url], settings, spider="frontier_parts.FilteredLinks")
    assert (asked(site, "calendar"), asked(site, "event")) == (months, 3 * months)
    assert crawled.stats["finish_reason"] == "finished"


@pytest.mark.parametrize("keeps", [False, True], ids=["in memory", "with JOBDIR"])
def test_what_the_first_shelves_of_a_shop_hold_is_read_although_shelves_have_no_end(
    loop_mode: str, tmp_path: Path, *, keeps: bool
) -> None:
    """The way through the shelves stands in the URL, and leads on in rings."""

    def shelf(asked: Asked) -> Answer:
        way, _, item = asked.path.partition("=")[2].partition("&id=")
        steps = way.split("_")
        crumbs = ["/shop?way=" + "_".join(steps[: at + 1]) for at in range(len(steps))]
        if item:
            return html(f"{item} " + prose(f"item {item}"), *crumbs)
        last = int(steps[-1])
        goods = [f"/shop?way={way}&id={last * 4 + one}" for one in range(4)]
        return html(f"Shelf {last}", *crumbs, *(f"/shop?way={way}_{(last + one) % 20}" for one in (1, 5, 7)), *goods)

    shelves = [f"/shop?way={at}" for at in range(20)]
    # What is deeper than `Limits.ancestors` leads back with its crumbs, so the shop may have all of its budget: 500
    # pages, after up to 100 by then, and 41 of the site's own.
    settings = {"CLOSESPIDER_PAGECOUNT": 700} | ({"JOBDIR": str(tmp_path / "job")} if keeps else {})
    with endless(shelf, {"/": html("Home", *shelves)} | ARTICLES) as site:
        crawled = crawl(loop_mode, [site.url], settings, spider="frontier_parts.FilteredLinks")
    assert crawled.stats["finish_reason"] == ("polite_traps_left" if keeps else "finished")
    goods = {f"{first}&id={at * 4 + one}" for at, first in enumerate(shelves) for one in range(4)}
    assert goods <= set(site.pages())


@pytest.mark.parametrize(
    ("site", "first", "kind", "limits", "most"),
    [
        (chain, "/chain/0", "cap", {"POLITE_TRAP_CAP": 200}, 300),
        (calendar, "/calendar?m=0", "silent", {}, 300),
        (maze_of_families, "/maze/1", "budget", {"POLITE_TRAP_CAP": 1_000, "CLOSESPIDER_PAGECOUNT": 150}, 450),
    ],
    ids=["cap", "silent", "budget"],
)
def test_what_a_trap_has_had_counts_when_a_crawl_goes_on(
    tmp_path: Path, site: Any, first: str, kind: str, limits: dict[str, Any], most: int
) -> None:
    in_part = {"JOBDIR": str(tmp_path / "job"), "POLITE_STORE": str(tmp_path / "store.sqlite")}
    in_part |= {"CLOSESPIDER_PAGECOUNT": 60} | limits
    with endless(site, {"/": html("Home", first)}) as served:
        for _ in range(6):
            crawled = crawl("asyncio", [served.url], in_part, spider="frontier_parts.FilteredLinks")
            assert not crawled.logged("ERROR", "")
            if crawled.stats["finish_reason"] == "polite_traps_left":
                break
    assert [found[2] for found in quarantines(tmp_path / "store.sqlite")] == [kind]
    assert asked(served, first[:5]) <= most


def test_a_crawl_that_is_killed_time_and_again_leaves_a_calendar_all_the_same(tmp_path: Path) -> None:
    settings = MANY | {"JOBDIR": str(tmp_path / "job"), "POLITE_STORE": str(tmp_path / "store.sqlite")}
    with endless(calendar, {"/": html("Home", "/calendar?m=0")}) as site:
        for times in (60, 120):
            enough = partial(has_been_asked, site, times)
            slow = settings | {"DOWNLOAD_DELAY": 0.03}  # else the process is killed before it has written anything
            crawl_and_kill("asyncio", [site.url], slow, "frontier_parts.FilteredLinks", enough)
        last = crawl("asyncio", [site.url], settings, spider="frontier_parts.FilteredLinks")
    assert last.stats["finish_reason"] == "polite_traps_left"
    assert asked(site, "calendar") <= 205  # some 223 where each run begins anew


def test_without_a_store_what_has_ended_begins_anew_when_a_crawl_goes_on(tmp_path: Path) -> None:
    settings = MANY | {"JOBDIR": str(tmp_path / "job"), "POLITE_STORE": "memory"}
    with endless(calendar, {"/": html("Home", "/calendar?m=0")}) as site:
        crawl("asyncio", [site.url], settings, spider="frontier_parts.FilteredLinks")
        before = asked(site, "calendar")
        crawl("asyncio", [site.url], settings, spider="frontier_parts.FilteredLinks")
    assert asked(site, "calendar") >= before + 100


def test_with_a_store_that_cannot_be_written_no_command_is_named_that_would_fail(tmp_path: Path) -> None:
    (tmp_path / "store.sqlite").write_text("no database, but a text that is long enough to be one" * 100)
    with endless(calendar, {"/": html("Home", "/calendar?m=0")}) as site:
        crawled = crawl("asyncio", [site.url], MANY | {"POLITE_STORE": str(tmp_path / "store.sqlite")}, spider="links")
    assert crawled.logged("WARNING", "is not followed further")
    assert "scrapy polite traps" not in crawled.log


def test_what_a_person_has_made_the_store_forget_is_judged_anew_when_a_crawl_goes_on(tmp_path: Path) -> None:
    settings = MANY | {"JOBDIR": str(tmp_path / "job"), "POLITE_STORE": str(tmp_path / ".scrapy" / "store.sqlite")}
    with endless(calendar, {"/": html("Home", "/calendar?m=0")}) as site:
        crawl("asyncio", [site.url], settings, spider="frontier_parts.FilteredLinks")
        before = asked(site, "calendar")
        decide(tmp_path, tmp_path / ".scrapy" / "store.sqlite", "forget", urlsplit(site.url).netloc, CALENDAR)
        again = crawl("asyncio", [site.url], settings, spider="frontier_parts.FilteredLinks")
    assert again.stats["finish_reason"] == "polite_traps_left"
    assert asked(site, "calendar") >= before + 100


@pytest.mark.parametrize("keeps", [False, True], ids=["in memory", "with JOBDIR"])
def test_a_chain_that_says_something_is_read_beside_an_empty_calendar_of_its_pattern(
    loop_mode: str, tmp_path: Path, *, keeps: bool
) -> None:
    settings = {"CLOSESPIDER_PAGECOUNT": 2_000} | ({"JOBDIR": str(tmp_path / "job")} if keeps else {})
    with endless(story_or_month, {"/": html("Home", "/x/story-0", "/x/month-1")}) as site:
        # A thousand pages and more.
        crawled = crawl(loop_mode, [site.url], settings, spider="frontier_parts.FilteredLinks", timeout_s=150)
    assert {path for path in site.pages() if "story" in path} == {f"/x/story-{at}" for at in range(150)}
    assert crawled.stats["finish_reason"] == ("polite_traps_left" if keeps else "finished")


def test_an_empty_calendar_whose_days_are_dead_links_ends_as_soon(loop_mode: str) -> None:
    def month(asked: Asked) -> Answer:
        if "day" in asked.path:
            return Answer(404, b"Not found")
        at = int(asked.path.rpartition("/")[2])
        return html(SAME, f"/cal/{at + 1}", *(f"/cal/{at}/day/{day}" for day in range(28)))

    with endless(month, {"/": html("Home", "/cal/1")}) as site:
        crawled = crawl(loop_mode, [site.url], {"CLOSESPIDER_PAGECOUNT": 1_500}, spider="links")
    assert crawled.stats["finish_reason"] == "finished"
    assert asked(site, "cal") <= 750


MENU = tuple(f"/section/{n}" for n in range(8))


def section(asked: Asked) -> Answer:
    """A page of 8 sections with 10 pages each: every page has the menu and its neighbours."""
    at = int(asked.path.rpartition("/")[2])
    first = at // 10 * 10
    return html(prose(asked.path), *MENU, *(f"/page/{first + n}" for n in range(10)))


@pytest.mark.parametrize("traps", ["defer", "drop", "log"])
def test_a_crawl_that_goes_on_reads_what_an_earlier_run_has_queued(loop_mode: str, tmp_path: Path, traps: str) -> None:
    settings = {"JOBDIR": str(tmp_path / "job"), "POLITE_STORE": str(tmp_path / "store.sqlite"), "POLITE_TRAPS": traps}
    table = {path: html(prose(path), *MENU, *(f"/page/{10 * n + k}" for k in range(10))) for n, path in enumerate(MENU)}
    with endless(section, {"/": html("Home", *MENU)} | table) as site:
        crawl(loop_mode, [site.url], settings | {"CLOSESPIDER_PAGECOUNT": 3}, spider="frontier_parts.FilteredLinks")
        second = crawl(loop_mode, [site.url], settings, spider="frontier_parts.FilteredLinks")
    assert set(site.pages()) == {"/", *MENU, *(f"/page/{n}" for n in range(80))}
    assert second.stats["finish_reason"] == "finished"
    assert not [key for key in second.stats if "spider_exceptions" in key or key == "polite/traps/errors"]


def test_a_fault_in_judging_costs_no_page(loop_mode: str) -> None:
    with endless(calendar, {"/": html("Home", "/article/0")} | ARTICLES) as site:
        crawled = crawl(loop_mode, [site.url], {"EXTENSIONS": {"trap_parts.BreaksTraps": 1}}, spider="links")
    assert asked(site, "article") == len(ARTICLES)
    assert crawled.stats["polite/traps/errors"] > 40
    assert len(crawled.logged("ERROR", "cannot be judged as a trap: a fault of this package")) == 5
    assert not [key for key in crawled.stats if "spider_exceptions" in key]


def issue_with_dead_links(asked: Asked) -> Answer:
    """One of 480 numbers of a newsletter, of which seven in eight are gone; few say anything of their own."""
    at = int(asked.path.rpartition("/")[2])
    if at % 8:
        return Answer(410, b"Gone")
    return html(
        prose(asked.path) if at % 96 == 0 else SAME, *(f"/issue/{at + step}" for step in range(8, 0, -1) if at < 472)
    )


def test_dead_links_are_not_held_against_the_pages_that_lead_to_them(loop_mode: str) -> None:
    """With the errors among its pages one in 96 of these says something; without, one in twelve."""
    with endless(issue_with_dead_links, {"/": html("Home", "/issue/0")}) as site:
        crawled = crawl(loop_mode, [site.url], {"POLITE_TRAP_BUDGET": 200}, spider="links")
    assert {path for path in site.pages() if "issue" in path} == {f"/issue/{at}" for at in range(473)}
    assert crawled.stats["polite/traps/suspected"] >= 1  # else this shows nothing
    assert crawled.stats["finish_reason"] == "finished"


def timetable(asked: Asked) -> Answer:
    """One of 300 stops, of which each says times that others have said too, and leads to three more."""
    at = int(asked.path.rpartition("/")[2])
    rng = Random(at)
    times = [f"<td>{rng.randrange(6, 23)}:{rng.randrange(0, 60, 5):02}</td>" for _ in range(30)]
    links = [f"/stop/{(at + step) % 300}" for step in (1, 7, 43)]
    body = f"<table>{''.join(times)}</table>" + "".join(f"<a href='{link}'>more</a>" for link in links)
    return Answer(body=body.encode(), headers={"Content-Type": "text/html"})


def test_a_finite_site_that_is_suspected_is_read_to_its_end_and_suspected_no_more(
    loop_mode: str, tmp_path: Path
) -> None:
    store = tmp_path / "store.sqlite"
    with endless(timetable, {"/": html("Home", "/stop/0")}) as site:
        settings = {"POLITE_TRAP_BUDGET": 200, "POLITE_STORE": str(store)}
        crawled = crawl(loop_mode, [site.url], settings, spider="links")
    assert crawled.stats["polite/traps/suspected"] >= 1
    assert len(set(site.pages())) == 301
    assert crawled.stats["finish_reason"] == "finished"
    assert "polite/traps/links_left" not in crawled.stats
    assert crawled.logged("INFO", "/stop/* is no longer suspected: it was read to its end")
    assert "groups of URLs that look endless: 1 suspected, of which 1 cleared again" in crawled.log
    with sqlite3.connect(store) as kept:
        assert kept.execute("SELECT until <= ? FROM quarantines", (time.time(),)).fetchall() == [(1,)]


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        pytest.param({"CLOSESPIDER_PAGECOUNT": 80}, "closespider_pagecount", id="stopped"),
        pytest.param({"DEPTH_LIMIT": 45}, "finished", id="not followed deeper"),
    ],
)
def test_what_is_suspected_stays_so_where_a_crawl_has_not_read_all(
    settings: dict[str, Any], reason: str, loop_mode: str, tmp_path: Path
) -> None:
    store = tmp_path / "store.sqlite"
    with endless(calendar, {"/": html("Home", "/calendar?m=0")}) as site:
        crawled = crawl(loop_mode, [site.url], settings | {"POLITE_STORE": str(store)}, spider="links")
    assert crawled.stats["finish_reason"] == reason
    assert "polite/traps/ended/silent" not in crawled.stats
    with sqlite3.connect(store) as kept:
        assert kept.execute("SELECT until > ? FROM quarantines", (time.time(),)).fetchall() == [(1,)]


TIMES = " ".join(f"{hour}:{minute:02}" for hour in range(5, 23) for minute in range(0, 60, 15))


def stops_and_searches(asked: Asked) -> Answer:
    """Timetables that are all the same, of which each leads to three others; and searches without end, whose results
    lead to more searches and to such timetables."""
    if asked.path.startswith("/stop"):
        at = int(asked.path.rpartition("/")[2])
        return html(TIMES, *(f"/stop/{to}" for to in (2 * at + 1, 2 * at + 2, at * 37 % 300) if to < 300))
    query = asked.path.partition("q=")[2]
    rng = Random(query)
    more = (f"/search?q=w{rng.randrange(10**9)}" for _ in range(3))
    return html(f"Results for {query}", *(f"/stop/{rng.randrange(300)}" for _ in range(5)), *more)


def test_pages_that_say_nothing_are_read_although_an_endless_search_has_found_most_of_them(
    loop_mode: str, tmp_path: Path
) -> None:
    unlimited = {"CLOSESPIDER_PAGECOUNT": 0, "JOBDIR": str(tmp_path / "job"), "POLITE_STORE": str(tmp_path / "store")}
    with endless(stops_and_searches, {"/": html("Home", "/stop/0", "/search?q=a")}) as site:
        crawled = crawl(loop_mode, [site.url], unlimited, spider="frontier_parts.FilteredLinks")
        pages = site.pages()
        again = crawl(loop_mode, [site.url], unlimited, spider="frontier_parts.FilteredLinks")
    assert sum("/stop" in page for page in pages) == 300
    assert asked(site, "/search") < 300
    assert crawled.stats["finish_reason"] == again.stats["finish_reason"] == "polite_traps_left"
    assert site.pages() == pages


def maze(asked: Asked) -> Answer:
    rng = Random(asked.path)
    return html(prose(asked.path), *(f"/maze/{rng.getrandbits(48):x}" for _ in range(5)))


MAZE_AND_ARTICLES = {"/": html("Home", "/maze/start", "/article/0")} | ARTICLES


def test_a_maze_ends_with_its_budget(loop_mode: str) -> None:
    with endless(maze, MAZE_AND_ARTICLES) as site:
        crawled = crawl(loop_mode, [site.url], MANY | {"POLITE_TRAP_BUDGET": 100}, spider="links")
    assert crawled.stats["finish_reason"] == "finished"
    assert 150 <= asked(site, "maze") < 200
    assert asked(site, "article") == len(ARTICLES)
    assert crawled.stats["polite/traps/ended/budget"] == 1


def wiki(asked: Asked) -> Answer:
    """Articles, each of which leads to the next two or far away; and of each 20 forms, and old versions without end."""
    title, _, query = asked.path.rpartition("/")[2].partition("?")
    if query:
        old = int(dict(parse_qsl(query)).get("old", 0))
        return html(SAME, f"/wiki/{title}", *(f"/wiki/{title}?old={old * 6 + step}" for step in range(1, 7)))
    at = int(title)
    articles = [f"/wiki/{to}" for to in (at + 1, at + 2, (at * 37 + 11) % 80 if at % 3 == 0 else at // 2) if to < 80]
    forms = [f"/wiki/{title}?form{form}={at}" for form in range(20)]
    return html(prose(at), *forms, f"/wiki/{title}?old=1", *articles)


def test_articles_of_a_wiki_are_read_although_their_forms_and_old_versions_have_no_end(
    loop_mode: str, tmp_path: Path
) -> None:
    """All of them are one group. Each pattern of it has its turn, the more often the more it says."""
    settings = {
        "CLOSESPIDER_PAGECOUNT": 4_000,
        "POLITE_TRAP_BUDGET": 100,
        "POLITE_STORE": str(tmp_path / "store.sqlite"),
    }
    with endless(wiki, {"/": html("Home", "/wiki/0")}) as site:
        crawled = crawl(loop_mode, [site.url], settings, spider="links", timeout_s=180.0)
    assert {f"/wiki/{at}" for at in range(80)} <= set(site.pages())
    assert crawled.stats["finish_reason"] == "finished"
    left = crawled.stats["polite/traps/links_left"]
    assert f"  links of these groups not followed: {left:,}\n" in crawled.log
    assert crawled.log.count("to follow them: scrapy polite traps release") == 1  # of the group, not of each pattern
    advice = "to refuse those of the named pattern for good: the same with `confirm` in place of `release`\n"
    assert crawled.log.count(advice) == 1


def chain(asked: Asked) -> Answer:
    return html(prose(asked.path), f"/story/{int(asked.path.rpartition('/')[2]) + 1}")


def test_a_chain_of_ever_new_text_ends_at_the_cap(loop_mode: str) -> None:
    with endless(chain, {"/": html("Home", "/story/0", "/article/0")} | ARTICLES) as site:
        crawled = crawl(loop_mode, [site.url], MANY | {"POLITE_TRAP_CAP": 150}, spider="links")
    assert crawled.stats["polite/traps/ended/cap"] == 1
    assert 150 <= asked(site, "story") <= 180
    assert asked(site, "article") == len(ARTICLES)


def test_a_page_of_a_deferred_group_that_another_page_leads_to_need_not_wait(loop_mode: str) -> None:
    """The last articles lead to a month which the calendar has named, and which nobody has asked for."""
    table = dict(CALENDAR_AND_ARTICLES)
    table |= {f"/article/{n}": html(prose(n), f"/article/{n + 1}") for n in range(120)}
    table["/article/120"] = html(prose(120), "/calendar?m=40000")

    def years(asked: Asked) -> Answer:
        at = int(dict(parse_qsl(urlsplit(asked.path).query)).get("m", 0))
        return html(f"{SAME} Month {at}.", f"/calendar?m={at + 1}", "/calendar?m=40000", f"/calendar?m={at + 10**6}")

    with endless(years, table) as site:
        crawl(loop_mode, [site.url], MANY | {"CONCURRENT_REQUESTS": 1}, spider="frontier_parts.FilteredLinks")
    assert site.pages().count("/calendar?m=40000") == 1


def counter(visits: list[int], asked: Asked) -> Answer:
    visits.append(1)
    at = int(asked.path.rpartition("=")[2])
    return html(f"{SAME} You are visitor {len(visits) * 7 + 10_000}.", f"/calendar?m={at + 1}")


def test_what_changes_when_the_same_page_is_fetched_again_says_nothing(loop_mode: str) -> None:
    with endless(partial(counter, []), CALENDAR_AND_ARTICLES) as site:
        crawled = crawl(loop_mode, [site.url], MANY, spider="links")
    assert crawled.stats["polite/traps/ended/silent"] == 1
    assert asked(site, "calendar") <= 250
    pages = [path for path in site.pages() if "calendar" in path]
    assert len(pages) - len(set(pages)) == 1


@pytest.mark.parametrize(
    ("traps", "most", "counted"),
    [
        pytest.param("drop", 200, "polite/refused/trap/endless", id="drop"),
        pytest.param({"endless": "drop"}, 200, "polite/refused/trap/endless", id="drop these only"),
        pytest.param("log", 301, "polite/audited/trap/endless", id="log"),
        pytest.param("off", 301, None, id="off"),
    ],
)
def test_what_is_done_about_what_is_suspected_is_set(
    loop_mode: str, tmp_path: Path, traps: Any, most: int, counted: str | None
) -> None:
    settings = {"CLOSESPIDER_PAGECOUNT": 300, "POLITE_TRAPS": traps, "POLITE_STORE": str(tmp_path / "store.sqlite")}
    with endless(calendar, CALENDAR_AND_ARTICLES) as site:
        crawled = crawl(loop_mode, [site.url], settings, spider="links")
    assert asked(site, "article") == len(ARTICLES)
    assert len(site.pages()) <= most + 20
    if counted == "polite/refused/trap/endless":
        count = crawled.stats[counted]
        assert count == len(crawled.refused)
        assert not {one["url"].removeprefix(site.url) for one in crawled.refused} & set(site.pages())
        assert f"  links of these groups refused: {count:,}\n" in crawled.log
        assert f"{urlsplit(site.url).netloc} {CALENDAR} {count:,} refused (silent: of its last" in crawled.log
        with sqlite3.connect(tmp_path / "store.sqlite") as store:
            assert store.execute("SELECT place, refused FROM quarantines").fetchall() == [(CALENDAR, count)]
        assert "to follow them: scrapy polite traps release " in crawled.log
        assert ", then crawl again (with a new JOBDIR, if any)" in crawled.log
    of_traps = [key for key in crawled.stats if key.endswith("/trap/endless")]
    assert of_traps == ([counted] if counted else [])
    assert (crawled.stats["finish_reason"] == "finished") is (most < 300)
    assert bool(crawled.logged("INFO", "Would defer")) is (traps == "log")


def test_with_scrapys_own_scheduler_a_suspected_group_goes_after_others(loop_mode: str) -> None:
    """It has no end there, so the crawl has to have one."""
    settings = {"SCHEDULER": "scrapy.core.scheduler.Scheduler", "CLOSESPIDER_PAGECOUNT": 900}
    with endless(maze, MAZE_AND_ARTICLES) as site:
        crawled = crawl(loop_mode, [site.url], settings, spider="links")
    assert asked(site, "article") == len(ARTICLES)
    assert crawled.logged("WARNING", "Its links go last, but nothing ends them: SCHEDULER is not this package's.")


def test_what_one_crawl_has_suspected_another_on_its_store_defers_from_the_start(
    loop_mode: str, tmp_path: Path
) -> None:
    settings = MANY | {"POLITE_STORE": str(tmp_path / "store.sqlite"), "CONCURRENT_REQUESTS": 1}
    with endless(calendar, CALENDAR_AND_ARTICLES) as site:
        crawl(loop_mode, [site.url], settings, spider="links")
        before = len(site.pages())
        crawled = crawl(loop_mode, [site.url], settings, spider="links")
    again = site.pages()[before:]
    assert crawled.logged(
        "INFO", "/calendar?m looks endless, as another crawl or run has found (trap/endless: silent; of its"
    )
    last_article = max(at for at, path in enumerate(again) if "article" in path)
    assert sum("calendar" in path for path in again[:last_article]) <= 10
    assert sum("article" in path for path in again) == len(ARTICLES)


def test_links_that_drop_refuses_are_counted_of_a_group_that_an_earlier_crawl_has_suspected(
    loop_mode: str, tmp_path: Path
) -> None:
    settings = MANY | {"POLITE_STORE": str(tmp_path / "store.sqlite")}
    with endless(maze, MAZE_AND_ARTICLES) as site:
        crawl(loop_mode, [site.url], settings | {"CLOSESPIDER_PAGECOUNT": 90}, spider="links")
        with sqlite3.connect(tmp_path / "store.sqlite") as store:
            assert store.execute("SELECT place, kind, refused FROM quarantines").fetchall() == [
                ("/maze/*", "suspected", 0)
            ]
        crawled = crawl(loop_mode, [site.url], settings | {"POLITE_TRAPS": "drop"}, spider="links")
    assert crawled.stats["polite/refused/trap/endless"] > 0
    (told,) = crawled.logged("WARNING", "is not followed further")
    assert told.endswith(", then crawl again (with a new JOBDIR, if any)")
    with sqlite3.connect(tmp_path / "store.sqlite") as store:
        ((place, refused),) = store.execute("SELECT place, refused FROM quarantines").fetchall()
    assert (place, refused) == ("/maze/*", crawled.stats["polite/refused/trap/endless"])


def test_a_persons_decision_holds_in_the_next_crawl(loop_mode: str, tmp_path: Path) -> None:
    """Released: read to the end that the crawl has. Confirmed: not one page of it."""
    store = tmp_path / ".scrapy" / "store.sqlite"
    settings = MANY | {"POLITE_STORE": str(store)}
    with endless(calendar, CALENDAR_AND_ARTICLES) as site:
        crawl(loop_mode, [site.url], settings, spider="links")
        name = urlsplit(site.url).netloc
        decide(tmp_path, store, "release", name, CALENDAR)
        before = len(site.pages())
        crawl(loop_mode, [site.url], settings | {"CLOSESPIDER_PAGECOUNT": 300}, spider="links")
        assert sum("calendar" in path for path in site.pages()[before:]) > 200
        decide(tmp_path, store, "confirm", name, CALENDAR)
        before = len(site.pages())
        crawled = crawl(loop_mode, [site.url], settings, spider="links")
    assert [path for path in site.pages()[before:] if "calendar" in path] == []
    assert {refused["reason"] for refused in crawled.refused} == {"trap/by-hand"}


def decide(folder: Path, store: Path, *words: str) -> None:
    polite(folder, store, "traps", *words)


def gates(folder: Path, store: Path, job: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in polite(folder, store, "gates", "--jobdir", str(job), "--json").splitlines()]


def polite(folder: Path, store: Path, *words: str) -> str:
    done = scrapy(folder, "polite", *words, "-s", f"POLITE_STORE={store}")
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_one_page_under_many_names_is_read_under_each(loop_mode: str) -> None:
    """Pages that say nothing prove nothing about the next one."""
    links = [f"/same/{n}" for n in range(300)]
    with Origin({"/": html("Home", *links)} | {link: html(SAME) for link in links}) as site:
        crawled = crawl(loop_mode, [site.url], spider="links")
    assert len(site.pages()) == 301
    assert crawled.refused == []


def test_redirects_lead_into_no_trap(loop_mode: str) -> None:
    def loop(asked: Asked) -> Answer:
        return Answer(302, headers={"Location": f"{asked.path}foo/bar/"})

    with endless(loop, {"/": html("Home", "/foo/bar/")}) as site:
        crawled = crawl(loop_mode, [site.url], spider="links")
    assert max(map(len, site.pages())) == len("/foo/bar" * 9 + "/")
    assert [refused["reason"] for refused in crawled.refused] == ["trap/repeated-segments"]


@pytest.mark.parametrize(
    ("settings", "fetched", "stat"),
    [
        pytest.param({}, 1, "polite/refused/trap/repeated-segments", id="drop"),
        pytest.param(
            {"POLITE_TRAPS": {"repeated-segments": "log"}}, 2, "polite/audited/trap/repeated-segments", id="log"
        ),
        pytest.param({"POLITE_TRAPS": "off"}, 2, None, id="off"),
        pytest.param(
            {"POLITE_SITES": {"127.0.0.1": {"traps": {"repeated-segments": "off"}}}}, 2, None, id="off at the site"
        ),
        pytest.param({"POLITE_TRAP_LIMITS": {"repeats": 11}}, 2, None, id="limit"),
        pytest.param({"POLITE_MODE": {"traps": "audit"}}, 2, "polite/audited/trap/repeated-segments", id="audit"),
    ],
)
def test_what_is_done_about_a_rule_is_set(
    loop_mode: str, settings: dict[str, Any], fetched: int, stat: str | None
) -> None:
    # Of single characters, which no other rule counts.
    with Origin({"/": html("Home", "/b/n" * 10)}) as site:
        crawled = crawl(loop_mode, [site.url], settings, spider="links")
    assert len(site.pages()) == fetched
    of_traps = [key for key in crawled.stats if "/trap" in key and key.startswith("polite/")]
    assert (stat in of_traps) if stat else (of_traps == [])


@pytest.mark.parametrize(
    ("settings", "longest"),
    [
        pytest.param({}, 2083, id="standard"),
        pytest.param({"POLITE_PROFILE": "broad", "POLITE_ADAPTIVE": 0}, 1023, id="broad"),
        pytest.param(
            {"POLITE_PROFILE": "broad", "POLITE_ADAPTIVE": 0, "URLLENGTH_LIMIT": 1500}, 1500, id="the project's"
        ),
    ],
)
def test_a_long_url_is_refused_at_error_level_and_counted_by_site(
    loop_mode: str, settings: dict[str, Any], longest: int
) -> None:
    with Origin({}) as site:
        paths = ["/" + "a" * (length - len(site.url) - 1) for length in (longest, longest + 1, longest + 2)]
        site.table["/"] = html("Home", *paths)
        crawled = crawl(loop_mode, [site.url], settings, spider="links")
    assert site.pages() == ["/", paths[0]]
    assert crawled.stats["polite/refused/trap/url-length"] == 2
    assert crawled.stats["urllength/request_ignored_count"] == 2
    assert len(crawled.logged("ERROR", f"{site.url}: 1 URL too long so far")) == 1
    assert crawled.stats.get("polite/traps/long_urls", 0) == (longest >= 1024)
    assert f"URLs too long: most at {site.url} 2" in crawled.log


def test_seeds_and_what_is_exempt_are_fetched(loop_mode: str) -> None:
    with Origin({}) as site:
        urls = [
            site.url + "/blog/news" * 10,
            (site.url + "/shop/sale" * 10, {"polite_trap_exempt": True}),
        ]
        crawled = crawl(loop_mode, urls)
    assert sorted(site.pages()) == ["/blog/news" * 10, "/shop/sale" * 10]
    assert crawled.refused == []


def test_links_of_a_sitemap_are_exempt(loop_mode: str) -> None:
    with Origin({}) as site:
        urls = "".join(f"<url><loc>{site.url}{path}</loc></url>" for path in ("/blog/news" * 10, "/b"))
        xml = f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'
        site.table["/sitemap.xml"] = Answer(body=xml.encode(), headers={"Content-Type": "application/xml"})
        crawl(loop_mode, [f"{site.url}/sitemap.xml"], spider="sitemap")
    assert sorted(site.pages()) == ["/b", "/blog/news" * 10, "/sitemap.xml"]


@pytest.mark.parametrize("skip", [False, True], ids=["mark", "skip"])
def test_exact_duplicates_are_marked_and_skipped_where_that_is_set(loop_mode: str, skip: bool) -> None:
    text = prose("one")
    with Origin(
        {
            "/": html("Home", "/first", "/near"),
            "/first": html(text, "/second"),
            "/near": html(f"{text} 2026-11-21", "/near/on"),
            "/near/on": html("On"),
            "/second": html(text, "/second/on"),
        }
    ) as site:
        crawled = crawl(
            loop_mode,
            [site.url],
            {"POLITE_DUPLICATES": "skip" if skip else "mark", "CONCURRENT_REQUESTS": 1},
            spider="trap_parts.Items",
        )
    duplicates = {line for line in crawled.log.splitlines() if "duplicate of" in line}
    assert len(duplicates) == 1
    assert "/second is a duplicate of" in duplicates.pop()
    assert ("/second/on" in site.pages()) is not skip
    assert "/near/on" in site.pages()
    assert crawled.stats["item_scraped_count"] == len(site.pages()) - skip
    assert crawled.stats.get("polite/duplicates/items_dropped", 0) == skip


def test_the_same_page_everywhere_is_told_as_a_wall_and_refused_nowhere(loop_mode: str) -> None:
    wall = html("Please log in to go on. " * 20, "/login")
    paths = [f"/{folder}/{page}" for folder in ("news", "shop", "forum", "about", "help") for page in "abcdef"]
    with Origin({"/": html("Home", *paths)} | dict.fromkeys(paths, wall) | {"/login": wall}) as site:
        crawled = crawl(loop_mode, [site.url], spider="links")
    assert len(site.pages()) == len(paths) + 2
    assert len(crawled.logged("WARNING", "the same page comes at many kinds of URLs")) == 1
    assert crawled.stats["polite/traps/boilerplate"] == 1
    assert crawled.refused == []


@pytest.mark.parametrize(
    ("settings", "followed", "told"),
    [
        pytest.param({}, False, "are not followed (trap/robot-error)", id="default"),
        pytest.param({"POLITE_MODE": "audit"}, True, "are only counted", id="audit"),
        pytest.param({"POLITE_SITES": {"*": {"traps": {"robot-error": "log"}}}}, True, "are only counted", id="log"),
        pytest.param({"POLITE_SITES": {"*": {"traps": {"robot-error": "off"}}}}, True, "", id="off"),
    ],
)
def test_an_error_page_for_robots_is_told_and_leads_to_no_other_site(
    loop_mode: str, settings: dict[str, Any], followed: bool, told: str
) -> None:
    """Links of its own site are followed, and those to a site that is framed on the page: it is made of them."""
    with Origin({"/get": html("Get our browser")}) as vendor, Origin({"/shop": html("Shop")}) as framed:
        links = f"<a href=/plain>plain</a> <a href={vendor.url}/get>get</a> <a href={framed.url}/shop>shop</a>"
        text = f"<iframe src={framed.url}/></iframe><noscript>You need to enable JavaScript. {links}</noscript>"
        table = dict.fromkeys(("/a", "/b"), Answer(body=text.encode(), headers={"Content-Type": "text/html"}))
        with Origin({"/": html("Home", "/a", "/b"), "/plain": html("Plain")} | table) as site:
            crawled = crawl(loop_mode, [site.url], {"POLITE_DUPLICATES": "skip"} | settings, spider="links")
        assert sorted(site.pages()) == ["/", "/a", "/b", "/plain"]
        assert framed.pages() == ["/shop"]
        assert vendor.pages() == (["/get"] if followed else [])
    assert len(crawled.logged("WARNING", "is an error page made for robots")) == bool(told)
    assert told in "".join(crawled.logged("WARNING", "it wants a browser that runs scripts")) or not told
    reason = "polite/audited/trap/robot-error" if followed else "polite/refused/trap/robot-error"
    assert crawled.stats.get(reason, 0) == bool(told)
    if told:
        assert crawled.stats["polite/traps/robot_errors/script"] == 2
        assert "polite/duplicates" not in crawled.stats, "it is no content that others could repeat"


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"\x00\xff\xfe<html><body><a href='\x00'>" * 50, id="binary"),
        pytest.param(b"<html>" + b"<div>" * 20_000 + b"deep", id="deep"),
        pytest.param(b"<a href='http://[::1'>x</a><a href='http://%zz%/'>y</a><base href='\\\\'>", id="bad links"),
        pytest.param(b"<p>" + b"word " * 400_000 + b"<a href=/on>on</a>", id="two megabytes"),
        pytest.param(b"<!--" * 100_000, id="comments"),
    ],
)
def test_whatever_a_page_holds_its_callback_gets_it(loop_mode: str, body: bytes) -> None:
    page = Answer(body=body, headers={"Content-Type": "text/html"})
    with Origin({"/": html("Home", "/odd"), "/odd": page}) as site:
        crawled: Crawled = crawl(loop_mode, [site.url], spider="trap_parts.Careful")
    assert f"{site.url}/odd" in crawled.urls
    assert "polite/traps/errors" not in crawled.stats


def test_a_spider_that_copies_meta_is_not_led_into_traps_by_it(loop_mode: str) -> None:
    with endless(calendar, CALENDAR_AND_ARTICLES) as site:
        crawled = crawl(loop_mode, [site.url], MANY, spider="trap_parts.CopiesMeta")
    assert crawled.stats["polite/traps/ended/silent"] == 1
    assert asked(site, "calendar") <= 200


def test_with_a_rendering_api_the_rules_are_of_the_target(loop_mode: str) -> None:
    with Origin({"/": html("Home", "/blog/news" * 10, "/b")}) as site:
        settings = {"POLITE_TARGET_URL": "trap_parts.target"}
        crawled = crawl(loop_mode, [site.url], settings, spider="trap_parts.Renders")
    assert site.pages() == ["/", "/render/b"]
    assert [refused["reason"] for refused in crawled.refused] == ["trap/repeated-segments"]
