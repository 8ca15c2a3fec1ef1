"""Endless spaces on a real server: what a crawl fetches of them, by the server's own log, and what it says of them."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from crawls import Crawled, crawl
from webserver import Answer, Asked, Origin, Table

MANY = {"CLOSESPIDER_PAGECOUNT": 600}
SAME = "Nothing is on in this month; come back later, or look at one of the other months of this calendar. " * 5


def html(text: str, *links: str) -> Answer:
    anchors = "".join(f'<li><a href="{link}">more</a></li>' for link in links)
    body = f"<html><body><p>{text}</p><ul>{anchors}</ul></body></html>"
    return Answer(body=body.encode(), headers={"Content-Type": "text/html"})


def prose(seed: object, words: int = 60) -> str:
    rng = Random(str(seed))
    return " ".join("".join(rng.choices("abcdefghijklmnop", k=rng.randrange(3, 9))) for _ in range(words))


class Everything(dict[str, Any]):
    """A table that makes up an answer for every path but robots.txt."""

    def __init__(self, answer: Any, table: Table | None = None) -> None:
        super().__init__(table or {})
        self._answer = answer

    def get(self, path: str, default: Any = None) -> Any:
        found = super().get(path)
        return found or (default if path == "/robots.txt" else self._answer)


def endless(answer: Any, table: Table | None = None) -> Origin:
    origin = Origin({})
    origin.table = Everything(answer, table)
    return origin


def calendar(asked: Asked) -> Answer:
    at = int(dict(parse_qsl(urlsplit(asked.path).query)).get("m", 0))
    return html(f"{SAME} Month {at}.", f"/calendar?m={at + 1}", f"/calendar?m={at - 1}")


ARTICLES = {f"/article/{n}": html(prose(n), *(f"/article/{n + k}" for k in (1, 2) if n + k < 40)) for n in range(40)}
CALENDAR_AND_ARTICLES = {"/": html("Home", "/article/0", "/calendar?m=0")} | ARTICLES


def quarantines(path: Path) -> list[tuple[Any, ...]]:
    with sqlite3.connect(path) as store:
        return store.execute("SELECT site, place, kind, decision FROM quarantines").fetchall()


def test_an_empty_calendar_is_left_and_every_article_is_read(loop_mode: str, tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    with endless(calendar, CALENDAR_AND_ARTICLES) as site:
        crawled = crawl(loop_mode, [site.url], MANY | {"POLITE_STORE": str(store)}, spider="links")
    pages = site.pages()
    assert sorted(path for path in pages if "article" in path) == sorted(ARTICLES)
    assert 30 <= sum("calendar" in path for path in pages) < 100
    assert crawled.stats["finish_reason"] == "finished"
    assert crawled.stats["polite/traps/quarantined/same-text"] == 1
    assert {refused["reason"] for refused in crawled.refused} == {"trap/same-text"}
    (warning,) = crawled.logged("WARNING", "left /calendar?m (trap/same-text: ")
    assert "scrapy polite traps" in warning
    assert "/calendar?m=" in warning
    assert "traps: 1 place left (lately: " in crawled.log
    ((_, place, kind, decision),) = quarantines(store)
    assert (place, kind, decision) == ("/calendar?m", "same-text", "")


def days_and_files(asked: Asked) -> Answer:
    """A day is empty, and leads to the next and to two files for calendar programs."""
    kind, _, at = asked.path.rpartition("/")
    if kind != "/day":
        file = b"BEGIN:VCALENDAR\r\nUID:" + asked.path.encode() + b"\r\nEND:VCALENDAR\r\n"
        return Answer(200, file, headers={"Content-Type": "text/calendar"})
    return html(f"{SAME} Day {at}.", f"/day/{int(at) + 1}", f"/ical/{at}", f"/webcal/{at}")


def test_a_calendars_files_are_nothing_new_to_say(loop_mode: str, tmp_path: Path) -> None:
    table = {"/": html("Home", "/article/0", "/day/0")} | ARTICLES
    with endless(days_and_files, table) as site:
        crawled = crawl(loop_mode, [site.url], MANY | {"POLITE_STORE": str(tmp_path / "store.sqlite")}, spider="links")
    pages = site.pages()
    assert sorted(path for path in pages if "article" in path) == sorted(ARTICLES)
    assert 30 <= sum("/day/" in path for path in pages) < 100
    assert crawled.stats["finish_reason"] == "finished"


def test_a_later_crawl_samples_what_an_earlier_one_has_left(loop_mode: str, tmp_path: Path) -> None:
    settings = MANY | {"POLITE_STORE": str(tmp_path / "store.sqlite")}
    with endless(calendar, CALENDAR_AND_ARTICLES) as site:
        crawl(loop_mode, [site.url], settings, spider="links")
        before = len(site.pages())
        again = crawl(loop_mode, [site.url], settings, spider="links")
    pages = site.pages()[before:]
    assert sum("calendar" in path for path in pages) <= 2
    assert sum("article" in path for path in pages) == len(ARTICLES)
    assert again.stats["polite/refused/trap/same-text"] >= 1


def test_a_persons_decision_holds_in_the_next_crawl(loop_mode: str, tmp_path: Path) -> None:
    """Released: read to the end that the crawl has. Confirmed: not one page of it."""
    store = tmp_path / ".scrapy" / "store.sqlite"
    settings = MANY | {"POLITE_STORE": str(store)}
    with endless(calendar, CALENDAR_AND_ARTICLES) as site:
        crawl(loop_mode, [site.url], settings, spider="links")
        name = urlsplit(site.url).netloc
        decide(tmp_path, store, "release", name, "/calendar?m")
        before = len(site.pages())
        crawl(loop_mode, [site.url], settings | {"CLOSESPIDER_PAGECOUNT": 300}, spider="links")
        assert sum("calendar" in path for path in site.pages()[before:]) > 200
        decide(tmp_path, store, "confirm", name, "/calendar?m")
        before = len(site.pages())
        crawl(loop_mode, [site.url], settings, spider="links")
    assert [path for path in site.pages()[before:] if "calendar" in path] == []


def decide(folder: Path, store: Path, *words: str) -> None:
    command = [sys.executable, "-m", "scrapy", "polite", "traps", *words, "-s", f"POLITE_STORE={store}"]
    done = subprocess.run(command, check=False, cwd=folder, capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr


def maze(asked: Asked) -> Answer:
    rng = Random(asked.path)
    return html(prose(asked.path), *(f"/maze/{rng.getrandbits(48):x}" for _ in range(5)))


def test_a_maze_of_random_pages_is_left(loop_mode: str) -> None:
    with endless(maze, {"/": html("Home", "/maze/start", "/article/0")} | ARTICLES) as site:
        crawled = crawl(loop_mode, [site.url], MANY, spider="links")
    assert crawled.stats["finish_reason"] == "finished"
    assert sum("maze" in path for path in site.pages()) < 200
    assert sum("article" in path for path in site.pages()) == len(ARTICLES)
    assert crawled.stats["polite/traps/quarantined/maze"] == 1


@pytest.mark.parametrize("slows", [True, False], ids=["as it is", "in an audit of pacing"])
def test_while_scouts_walk_a_site_it_is_taken_slowly(loop_mode: str, slows: bool) -> None:
    settings = {} if slows else {"POLITE_MODE": {"pacing": "audit"}}
    with endless(maze) as site:
        crawled = crawl(loop_mode, [site.url], MANY | settings, spider="links")
    assert crawled.stats["polite/traps/quarantined/maze"] == 1
    if slows:
        asked_at = [asked.at for asked in site.asked[20:80]]
        assert asked_at[-1] - asked_at[0] >= 0.02 * len(asked_at)
        assert crawled.stats["polite/gate_waits"] >= 40
        # Once it is left, what waits in the queue (some 300 links) is refused at once.
        assert crawled.stats["polite/gate_waits"] < len(site.pages()) < 200
    else:
        assert "polite/gate_waits" not in crawled.stats


def test_a_site_whose_links_come_back_is_not_slowed_down(loop_mode: str) -> None:
    """A menu of all articles: their links come back in whatever order they are answered."""
    articles = {path: html(prose(path), *ARTICLES) for path in ARTICLES}
    with Origin({"/": html("Home", *ARTICLES)} | articles) as site:
        crawled = crawl(loop_mode, [site.url], spider="links")
    assert len(site.pages()) == 1 + len(ARTICLES)
    assert "polite/gate_waits" not in crawled.stats


def test_links_that_wait_in_the_queue_are_refused_when_they_leave(loop_mode: str) -> None:
    """By the time that the trap is noticed all of its links have been found: not one more page says so."""
    links = [f"/same/{n}" for n in range(500)]
    with Origin({"/": html("Home", *links)} | {link: html(SAME) for link in links}) as site:
        crawled = crawl(loop_mode, [site.url], spider="links")
    assert len(site.pages()) < 150
    assert {refused["reason"] for refused in crawled.refused} == {"trap/identical"}
    assert len(crawled.errors) + len(site.pages()) == 501
    assert crawled.errors[0]["error"].startswith("IgnoreRequest: Refused by trap/")


def test_redirects_lead_into_no_trap(loop_mode: str) -> None:
    def loop(asked: Asked) -> Answer:
        return Answer(302, headers={"Location": f"{asked.path}foo/bar/"})

    with endless(loop, {"/": html("Home", "/foo/bar/")}) as site:
        crawled = crawl(loop_mode, [site.url], spider="links")
    assert max(map(len, site.pages())) <= len("/foo/bar/foo/bar/")
    assert [refused["reason"] for refused in crawled.refused] == ["trap/repeated-segments"]


@pytest.mark.parametrize(
    ("settings", "fetched", "stat"),
    [
        pytest.param({}, 1, "polite/refused/trap/repeated-segments", id="drop"),
        pytest.param({"POLITE_TRAPS": {"repeated-segments": "penalize"}}, 2, "polite/traps/penalized", id="penalize"),
        pytest.param(
            {"POLITE_TRAPS": {"repeated-segments": "log"}}, 2, "polite/audited/trap/repeated-segments", id="log"
        ),
        pytest.param({"POLITE_TRAPS": "off"}, 2, None, id="off"),
        pytest.param(
            {"POLITE_SITES": {"127.0.0.1": {"traps": {"repeated-segments": "off"}}}}, 2, None, id="off at the site"
        ),
        pytest.param({"POLITE_TRAP_LIMITS": {"repeats": 4}}, 2, None, id="limit"),
        pytest.param({"POLITE_MODE": {"traps": "audit"}}, 2, "polite/audited/trap/repeated-segments", id="audit"),
    ],
)
def test_what_is_done_about_a_rule_is_set(
    loop_mode: str, settings: dict[str, Any], fetched: int, stat: str | None
) -> None:
    with Origin({"/": html("Home", "/blog/blog/blog/")}) as site:
        crawled = crawl(loop_mode, [site.url], settings, spider="links")
    assert len(site.pages()) == fetched
    of_traps = [key for key in crawled.stats if "/trap" in key and key.startswith("polite/")]
    assert (stat in of_traps) if stat else (of_traps == [])


def test_a_penalized_link_goes_after_all_others(loop_mode: str) -> None:
    with Origin({"/": html("Home", "/blog/blog/blog/", "/b", "/c")}) as site:
        crawl(
            loop_mode,
            [site.url],
            {"POLITE_TRAPS": {"repeated-segments": "penalize"}, "CONCURRENT_REQUESTS": 1},
            spider="links",
        )
    assert site.pages()[-1] == "/blog/blog/blog/"


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
        urls = [f"{site.url}/blog/blog/blog/", (f"{site.url}/shop/shop/shop/", {"polite_trap_exempt": True})]
        crawled = crawl(loop_mode, urls)
    assert sorted(site.pages()) == ["/blog/blog/blog/", "/shop/shop/shop/"]
    assert crawled.refused == []


def test_links_of_a_sitemap_are_exempt(loop_mode: str) -> None:
    with Origin({}) as site:
        urls = "".join(f"<url><loc>{site.url}{path}</loc></url>" for path in ("/blog/blog/blog/", "/b"))
        xml = f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'
        site.table["/sitemap.xml"] = Answer(body=xml.encode(), headers={"Content-Type": "application/xml"})
        crawl(loop_mode, [f"{site.url}/sitemap.xml"], spider="sitemap")
    assert sorted(site.pages()) == ["/b", "/blog/blog/blog/", "/sitemap.xml"]


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
    assert crawled.stats["polite/traps/walls"] == 1
    assert crawled.refused == []


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
    assert crawled.stats["polite/traps/quarantined"] == 1
    assert sum("calendar" in path for path in site.pages()) < 100


def test_with_a_rendering_api_the_rules_are_of_the_target(loop_mode: str) -> None:
    with Origin({"/": html("Home", "/blog/blog/blog/", "/b")}) as site:
        settings = {"POLITE_TARGET_URL": "trap_parts.target"}
        crawled = crawl(loop_mode, [site.url], settings, spider="trap_parts.Renders")
    assert site.pages() == ["/", "/render/b"]
    assert [refused["reason"] for refused in crawled.refused] == ["trap/repeated-segments"]


def test_links_to_what_an_earlier_run_of_a_job_has_met_come_back(loop_mode: str, tmp_path: Path) -> None:
    settings = {"JOBDIR": str(tmp_path / "job")}
    with Origin(CALENDAR_AND_ARTICLES) as site:
        runs = [crawl(loop_mode, [site.url], settings, spider="trap_parts.Resumed") for _ in range(2)]
    assert [run.stats["met"] for run in runs] == [None, [True, False]]


def test_a_job_that_is_resumed_knows_what_was_left_and_what_is_exempt(loop_mode: str, tmp_path: Path) -> None:
    settings = MANY | {
        "JOBDIR": str(tmp_path / "job"),
        "POLITE_STORE": str(tmp_path / "store.sqlite"),
        "DOWNLOAD_DELAY": 0.02,
    }
    with endless(calendar, CALENDAR_AND_ARTICLES) as site:
        crawl(loop_mode, [site.url], settings | {"CLOSESPIDER_PAGECOUNT": 80}, spider="links")
        again = crawl(loop_mode, [site.url], settings, spider="links")
    assert again.stats["finish_reason"] == "finished"
    assert sum("article" in path for path in site.pages()) == len(ARTICLES)
    assert sum("calendar" in path for path in site.pages()) < 120
