"""Pacing where the project keeps its own scheduler: requests wait in place, whatever slots the downloader has."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from crawls import Crawled, crawl
from webserver import PAGE, Answer, Asked, Origin, robots

pytestmark = pytest.mark.engine

SCRAPYS = {"SCHEDULER": "scrapy.core.scheduler.Scheduler"}
DELAY_S = 0.3
ASKS = robots(f"User-agent: *\nCrawl-delay: {DELAY_S}\n")
PAGES = tuple(f"/{number}" for number in range(4))
HTML = {"Content-Type": "text/html"}
SLOW_PAGE = Answer(body=PAGE, headers=HTML, delay_s=0.1)


def gaps(site: Origin) -> list[float]:
    return [after.at - before.at for before, after in pairwise(site.asked)]


def outage_of(seconds: int) -> object:
    until: list[float] = []

    def answer(asked: Asked) -> Answer:
        until[:] = until or [asked.at + seconds]
        return Answer(503, headers={"Retry-After": str(seconds)}) if asked.at < until[0] else SLOW_PAGE

    return answer


@dataclass(frozen=True)
class Ran:
    crawled: Crawled
    sites: Mapping[str, Origin]


@pytest.fixture(scope="module")
def ran(loop_mode: str) -> Ran:
    """With AutoThrottle, jitter, and slots that are collected as soon as they are idle."""
    tables = {
        "asks": {"/robots.txt": ASKS} | dict.fromkeys(PAGES, SLOW_PAGE),
        "drops": {"/robots.txt": ASKS, "/1": [Answer(drop=True), SLOW_PAGE]},
        "visited twice": {"/robots.txt": ASKS},
        "asks for nothing": {},
    }
    with ExitStack() as stack:
        sites = {
            name: stack.enter_context(Origin(table, f"127.0.7.{number}"))
            for number, (name, table) in enumerate(tables.items(), 1)
        }
        links = "".join(f'<a href="{sites["visited twice"].url}/again{page}">a link</a>' for page in PAGES)
        # They come when the slot has been idle for long.
        sites["asks for nothing"].table["/0"] = Answer(body=links.encode(), headers=HTML, delay_s=1.0)
        pages = dict.fromkeys(tables, PAGES) | {"visited twice": PAGES[:1]}
        crawled = crawl(
            loop_mode,
            [sites[name].url + page for name, paths in pages.items() for page in paths],
            SCRAPYS
            | {
                "AUTOTHROTTLE_ENABLED": True,
                "AUTOTHROTTLE_START_DELAY": 0.05,
                "AUTOTHROTTLE_TARGET_CONCURRENCY": 100,
                "DOWNLOAD_DELAY": 0.01,
                "CONCURRENT_REQUESTS_PER_DOMAIN": 2,
                "EXTENSIONS": {"pacing_parts.SlotsCollected": 0},
                "RETRY_ENABLED": True,
            },
            spider="links",
        )
        return Ran(crawled, sites)


@pytest.mark.parametrize(
    ("name", "least_s"),
    [("asks", DELAY_S), ("drops", DELAY_S), ("visited twice", DELAY_S)],
)
def test_a_declared_delay_is_kept_whatever_becomes_of_the_slot(ran: Ran, name: str, least_s: float) -> None:
    assert len(gaps(ran.sites[name])) >= len(PAGES)
    assert min(gaps(ran.sites[name])) >= least_s


def test_the_delay_counts_from_the_answer(ran: Ran) -> None:
    assert min(gaps(ran.sites["asks"])[1:]) >= DELAY_S + SLOW_PAGE.delay_s


@pytest.mark.parametrize("name", ["asks", "drops", "asks for nothing"])
def test_every_page_is_fetched(ran: Ran, name: str) -> None:
    url = ran.sites[name].url
    assert sorted(page for page in ran.crawled.urls if page.startswith(url)) == [url + page for page in PAGES]


def test_one_line_says_what_the_project_misses(ran: Ran) -> None:
    assert len(ran.crawled.logged("INFO", "the project keeps its own scheduler")) == 1


@pytest.fixture(scope="module")
def through_other_slots(loop_mode: str) -> Ran:
    """What leads to a host by way of another one, and slots that the project has chosen."""
    with ExitStack() as stack:
        to, own = (stack.enter_context(Origin({"/robots.txt": ASKS}, f"127.0.7.{number}")) for number in (1, 2))
        urls = [to.url + page for page in PAGES]
        moved = {page: Answer(302, headers={"Location": url}) for page, url in zip(PAGES, urls, strict=True)}
        elsewhere = stack.enter_context(Origin(moved, "127.0.7.9"))
        by_way_of_it = [elsewhere.url + page for page in PAGES[2:]]
        own_slots = [(own.url + page, {"download_slot": page}) for page in PAGES]
        crawled = crawl(loop_mode, [*urls[:2], *by_way_of_it, *own_slots], SCRAPYS)
        return Ran(crawled, {"redirected to": to, "in slots of the project's own": own})


@pytest.mark.parametrize("name", ["redirected to", "in slots of the project's own"])
def test_a_declared_delay_is_kept_in_whatever_slots_the_requests_are(through_other_slots: Ran, name: str) -> None:
    site = through_other_slots.sites[name]
    assert sorted(site.pages()) == sorted(PAGES)
    assert min(gaps(site)) >= DELAY_S


def test_a_robots_txt_goes_before_the_pages_that_wait_for_the_same_host(loop_mode: str) -> None:
    with Origin({"/robots.txt": ASKS}) as site, Origin({}) as other:
        # Scrapy's scheduler takes the last link first.
        links = "".join(f'<a href="{url}">a link</a>' for url in (f"{other.url}/page", *PAGES[1:]))
        site.table["/"] = Answer(body=links.encode(), headers=HTML)
        crawl(loop_mode, [f"{site.url}/"], SCRAPYS, spider="links")
        asked = sorted(asked.at for origin in (site, other) for asked in origin.asked)
    assert min(after - before for before, after in pairwise(asked)) >= DELAY_S
    assert sorted(site.pages()) == sorted(["/", *PAGES[1:]])
    assert asked.index(other.asked[0].at) <= 3
    assert other.paths() == ["/robots.txt", "/page"]


MANY_PAGES = tuple(f"/{number}" for number in range(10))
#: Pages under way; each robots.txt that is under way lets one more go.
AT_ONCE = 2


@pytest.fixture(scope="module")
def closed(loop_mode: str) -> Ran:
    """Two hosts with Retry-After."""
    answers = {"for a second": outage_of(1), "for an hour": outage_of(3_600)}
    with ExitStack() as stack:
        sites = {
            name: stack.enter_context(Origin(dict.fromkeys(MANY_PAGES, answer), f"127.0.7.{number}"))
            for number, (name, answer) in enumerate(answers.items(), 1)
        }
        settings = SCRAPYS | {"CONCURRENT_REQUESTS": AT_ONCE, "POLITE_WAIT_MAX": 3, "RETRY_ENABLED": True}
        return Ran(
            crawl(loop_mode, [site.url + page for site in sites.values() for page in MANY_PAGES], settings), sites
        )


def test_retry_after_is_waited_for_in_place(closed: Ran) -> None:
    site = closed.sites["for a second"]
    pages = [asked for asked in site.asked if asked.path != "/robots.txt"]
    assert len([asked for asked in pages if asked.at < pages[0].at + 1]) <= AT_ONCE + len(closed.sites)
    assert sorted(page for page in closed.crawled.urls if page.startswith(site.url)) == [
        site.url + p for p in MANY_PAGES
    ]


def test_after_waiting_in_place_one_probe_goes_first(closed: Ran) -> None:
    site = closed.sites["for a second"]
    pages = [asked.at for asked in site.asked if asked.path != "/robots.txt"]
    probe, after = [at for at in pages if at >= pages[0] + 1][:2]
    assert after >= probe + SLOW_PAGE.delay_s


def test_waiting_in_place_ends(closed: Ran) -> None:
    site = closed.sites["for an hour"]
    assert len(site.pages()) <= AT_ONCE + len(closed.sites)
    refused = [refusal["reason"] for refusal in closed.crawled.refused if refusal["url"].startswith(site.url)]
    assert refused == ["pace/retry-after"] * len(MANY_PAGES)


def test_scrapys_throttler_is_told_the_delay_where_there_is_one(loop_mode: str) -> None:
    with Origin({"/robots.txt": ASKS}) as site, Origin({}, "127.0.7.1") as other:
        settings = SCRAPYS | {"EXTENSIONS": {"pacing_parts.Throttler": 0}}
        crawled = crawl(loop_mode, [f"{origin.url}/page" for origin in (site, other)], settings)
    assert crawled.stats["test/base_delays"] == {site.url.split("/")[2]: DELAY_S}


def test_with_a_job_directory_what_waits_in_place_is_kept_when_the_crawl_stops(loop_mode: str, tmp_path: Path) -> None:
    settings = SCRAPYS | {"JOBDIR": str(tmp_path / "job"), "POLITE_WAIT_MAX": 60, "CONCURRENT_REQUESTS": AT_ONCE}
    with Origin(dict.fromkeys(MANY_PAGES, Answer(503, headers={"Retry-After": "30"}))) as site:
        stopped = crawl(loop_mode, [site.url + page for page in MANY_PAGES], settings, close_after_s=1)
        met = site.pages()
        site.table.clear()
        resumed = crawl(loop_mode, [], settings)
    assert len(met) <= AT_ONCE + 1
    assert stopped.refused == []
    assert sorted(url.removeprefix(site.url) for url in resumed.urls) == sorted(set(MANY_PAGES) - set(met))
