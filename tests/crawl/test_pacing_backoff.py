"""Hosts in trouble, by whole crawls: where a server wants or needs to be left alone, its log shows a pause."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from email.utils import formatdate
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from crawls import Crawled, crawl
from scrapy_polite.store.sqlite.store import SqliteStore
from webserver import PAGE, Answer, Asked, Origin, robots

HTML = {"Content-Type": "text/html"}
DAY_S = 86_400
#: The least that POLITE_BACKOFF_MIN can be.
PAUSE_S = 1.0
#: Requests to a host at once, where it asks for nothing.
AT_ONCE = 2
#: A port at which nothing listens.
NO_PROXY = "http://127.0.0.1:9"

PAGES = tuple(f"/{number}" for number in range(8))


def outage(status: int = 503, retry_after: Callable[[], str] | None = None) -> Callable[[Asked], Answer]:
    """An answer that tells whoever comes in the first `PAUSE_S` from the first request on to come back later."""
    until: list[float] = []

    def answer(asked: Asked) -> Answer:
        if not until:
            until.append(asked.at + PAUSE_S)
        if asked.at >= until[0]:
            return Answer(body=PAGE, headers=HTML)
        return Answer(status, headers={"Retry-After": retry_after()} if retry_after else {})

    return answer


@dataclass(frozen=True)
class Site:
    """`paths` are fetched with `meta`, and answered by `answer` in common or by `answers` each."""

    paths: Sequence[str] = PAGES
    answer: Any = None
    answers: Mapping[str, Any] = field(default_factory=dict)
    meta: Mapping[str, Any] = field(default_factory=dict)

    def table(self) -> dict[str, Any]:
        return {path: self.answer for path in self.paths if self.answer is not None} | dict(self.answers)


FAILS, SLOW_PAGE = Answer(503), Answer(body=PAGE, headers=HTML, delay_s=0.2)
FAILING = {path: [FAILS, SLOW_PAGE] for path in PAGES[:3]}
#: Twice each: an HTTP client tries again by itself where a kept-alive connection was lost.
LOST = {path: [Answer(drop=True), Answer(drop=True), SLOW_PAGE] for path in PAGES[:3]}
LOST[PAGES[3]] = [Answer(body=PAGE, delay_s=0.8)]  # in flight beside the third, and not to succeed before it fails
PDF = {"Content-Type": "application/pdf"}
#: What says nothing of a host, and reaches the errback.
NOT_THE_HOST = {
    "pages beyond DOWNLOAD_MAXSIZE": Site(answer=Answer(body=PAGE * 9), meta={"download_maxsize": 100}),
    "downloads that a signal's receiver stops": Site(answer=Answer(body=PAGE, headers=PDF)),
    "refused by a middleware nearer to the network": Site(meta={"fails": "refused"}),
    "a defect in a middleware nearer to the network": Site(meta={"fails": "defect"}),
}
SITES = {
    "Retry-After in seconds": Site(answer=outage(retry_after=lambda: "1")),
    "Retry-After as a date": Site(answer=outage(retry_after=lambda: formatdate(time.time() + 2, usegmt=True))),
    "429 with Retry-After": Site(answer=outage(429, lambda: "1")),
    "three answers in a row": Site(answer=SLOW_PAGE, answers=FAILING),
    "three connections in a row": Site(answer=SLOW_PAGE, answers=LOST),
    "the same URL three times": Site(("/0",), answers={"/0": [FAILS, FAILS, FAILS, Answer(body=PAGE)]}),
    "a status that is no sign of trouble": Site(answers={path: [Answer(500), Answer(body=PAGE)] for path in PAGES[:4]}),
    "a proxy that fails": Site(meta={"proxy": NO_PROXY, "dont_obey_robotstxt": True}),
    "out of order for good": Site(("/0",), answer=Answer(503, headers={"Retry-After": "1"})),
    "stopped, with Retry-After": Site(("/0",), answer=Answer(503, PAGE, PDF | {"Retry-After": "1"})),
} | NOT_THE_HOST
PAUSED = ("Retry-After in seconds", "Retry-After as a date", "429 with Retry-After")
CLOSED = (*PAUSED, "three answers in a row", "three connections in a row", "out of order for good")
CLOSED += ("stopped, with Retry-After",)
RECOVERED = (*PAUSED, "three answers in a row", "three connections in a row", "the same URL three times")


@dataclass(frozen=True)
class Troubled:
    crawled: Crawled
    origins: Mapping[str, Origin]

    def pages(self, name: str) -> list[Asked]:
        return [asked for asked in self.origins[name].asked if asked.path != "/robots.txt"]

    def host(self, name: str) -> str:
        return self.origins[name].url.split("/")[2].rpartition(":")[0]


@pytest.fixture(scope="module")
def troubled(loop_mode: str) -> Troubled:
    with ExitStack() as stack:
        origins = {
            name: stack.enter_context(Origin(site.table(), f"127.0.5.{number}"))
            for number, (name, site) in enumerate(SITES.items(), 1)
        }
        crawled = crawl(
            loop_mode,
            [(origins[name].url + path, dict(site.meta)) for name, site in SITES.items() for path in site.paths],
            {
                "CONCURRENT_REQUESTS_PER_DOMAIN": AT_ONCE,
                "CONCURRENT_REQUESTS": 32,
                "POLITE_BACKOFF_MIN": PAUSE_S,
                "RETRY_ENABLED": True,
                "RETRY_TIMES": 3,
                "EXTENSIONS": {"pacing_parts.NoPdf": 0},
                "DOWNLOADER_MIDDLEWARES": {"pacing_parts.Nearest": 960},
            },
        )
        return Troubled(crawled, origins)


@pytest.mark.parametrize("name", PAUSED)
def test_retry_after_closes_the_host_at_once_for_all_but_what_is_in_flight(troubled: Troubled, name: str) -> None:
    pages = troubled.pages(name)
    assert len([asked for asked in pages if asked.at < pages[0].at + PAUSE_S]) <= AT_ONCE


@pytest.mark.parametrize("name", ["three answers in a row", "three connections in a row"])
def test_three_failures_in_a_row_on_different_urls_close_the_host(troubled: Troubled, name: str) -> None:
    pages = troubled.pages(name)
    assert max(after.at - before.at for before, after in pairwise(pages)) >= PAUSE_S


def test_the_summary_says_what_failed_at_the_hosts_as_the_servers_log_has_it(troubled: Troubled) -> None:
    (line,) = (line for line in troubled.crawled.log.splitlines() if "of these failed at the host: " in line)
    assert re.search(r": \d+ with HTTP 500, \d+ with HTTP 503, \d+ without an answer", line)
    (failed,) = re.findall(r"(\d+) with HTTP 500", line)
    assert int(failed) == len(SITES["a status that is no sign of trouble"].answers)


@pytest.mark.parametrize("name", CLOSED)
def test_a_back_off_is_logged(troubled: Troubled, name: str) -> None:
    assert f"{troubled.host(name)} is closed for" in troubled.crawled.log


@pytest.mark.parametrize("name", ["three answers in a row", "three connections in a row"])
def test_that_a_host_answers_again_is_logged(troubled: Troubled, name: str) -> None:
    assert f"{troubled.host(name)} is open again" in troubled.crawled.log


@pytest.mark.parametrize("name", [name for name in SITES if name not in CLOSED])
def test_what_says_nothing_of_the_host_closes_nothing(troubled: Troubled, name: str) -> None:
    assert f"{troubled.host(name)} is closed for" not in troubled.crawled.log


@pytest.mark.parametrize("name", ["three answers in a row", "three connections in a row"])
def test_after_a_back_off_one_probe_goes_first(troubled: Troubled, name: str) -> None:
    pages = troubled.pages(name)
    # On a busy machine there are other pauses, too.
    probe = max(range(1, len(pages)), key=lambda n: pages[n].at - pages[n - 1].at)
    assert pages[probe].at >= pages[probe - 1].at + PAUSE_S
    assert pages[probe + 1].at >= pages[probe].at + SLOW_PAGE.delay_s


@pytest.mark.parametrize("name", RECOVERED)
def test_every_page_of_a_host_that_recovers_is_fetched_and_no_errback_called(troubled: Troubled, name: str) -> None:
    url = troubled.origins[name].url
    assert sorted(u for u in troubled.crawled.urls if u.startswith(url)) == [url + path for path in SITES[name].paths]
    assert [error for error in troubled.crawled.errors if error["url"].startswith(url)] == []


def test_a_request_whose_retries_are_used_up_reaches_its_errback_and_each_retry_waited(troubled: Troubled) -> None:
    name = "out of order for good"
    times = [asked.at for asked in troubled.pages(name)]
    assert len(times) == 4
    assert min(after - before for before, after in pairwise(times)) >= PAUSE_S
    [error] = [error for error in troubled.crawled.errors if error["url"].startswith(troubled.origins[name].url)]
    assert error["error"].startswith("HttpError")


@pytest.mark.parametrize("name", NOT_THE_HOST)
def test_what_says_nothing_of_the_host_reaches_the_errback(troubled: Troubled, name: str) -> None:
    url = troubled.origins[name].url
    assert sorted(error["url"] for error in troubled.crawled.errors if error["url"].startswith(url)) == [
        url + path for path in PAGES
    ]
    # Twisted's pool may ask again on a connection that was closed beneath it; what counts is which pages are asked for.
    asked_for = {asked.path for asked in troubled.pages(name)}
    assert asked_for == (set() if "fails" in NOT_THE_HOST[name].meta else set(PAGES))


def test_a_host_that_is_given_up_after_others_is_refused_with_its_error_or_what_was_noted_of_it(loop_mode: str) -> None:
    hosts = ("127.0.5.1", "127.0.5.2")
    crawled = crawl(
        loop_mode,
        [f"http://{host}:9{page}" for host in hosts for page in PAGES],
        {
            "ROBOTSTXT_OBEY": False,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
            "POLITE_GIVE_UP": 4,  # when both have failed
            "POLITE_MAX_IDLE": 30,
            "EXTENSIONS": {"pacing_parts.OneError": 0},
        },
    )
    assert len(crawled.errors) == 2 * len(PAGES)
    refused = [error["error"] for error in crawled.errors if error["error"].startswith("IgnoreRequest")]
    assert len(refused) == len(PAGES) - 3
    assert [error for error in refused if not error.startswith("IgnoreRequest: Refused by pace/abandoned: ")] == []


def test_a_proxys_errors_reach_the_errback(troubled: Troubled) -> None:
    url = troubled.origins["a proxy that fails"].url
    assert len([error for error in troubled.crawled.errors if error["url"].startswith(url)]) == len(PAGES)
    assert troubled.origins["a proxy that fails"].asked == []


def test_the_first_host_that_is_closed_is_named_and_all_for_which_the_crawl_does_not_wait(loop_mode: str) -> None:
    shortly, for_long = (Answer(503, headers={"Retry-After": seconds}) for seconds in ("1", "777600"))
    tables = [{"/0": [shortly, Answer(body=PAGE)]}] * 2 + [{"/0": for_long}] * 2
    with ExitStack() as stack:
        origins = [stack.enter_context(Origin(table, f"127.0.6.{number}")) for number, table in enumerate(tables, 1)]
        crawled = crawl(loop_mode, [f"{origin.url}/0" for origin in origins], {"RETRY_ENABLED": True})
    named = crawled.logged("INFO", " is closed for ")
    assert [sum(f"127.0.6.{number} is closed for" in line for line in named) for number in (3, 4)] == [1, 1]
    assert len([line for line in named if "its Retry-After of 9 days cut to 24 h" in line]) == 2
    assert len(named) <= 3
    assert len(crawled.logged("DEBUG", " is closed for ")) == 4 - len(named)


# Across runs and processes

LATER = Answer(503, headers={"Retry-After": "3600"})


def test_answers_from_the_http_cache_close_no_host(loop_mode: str, tmp_path: Path) -> None:
    settings = {"HTTPCACHE_ENABLED": True, "HTTPCACHE_DIR": str(tmp_path / "cache"), "POLITE_MAX_IDLE": 0}
    with Origin({"/0": LATER}) as site:
        first = crawl(loop_mode, [f"{site.url}/0"], settings)
        again = crawl(loop_mode, [f"{site.url}/0", f"{site.url}/1"], settings)
    assert first.stats["polite/backoffs"] == 1
    assert again.stats["httpcache/hit"] == 1
    assert "polite/backoffs" not in again.stats
    assert site.pages() == ["/0", "/1"]


def test_an_embargo_outlives_the_run_that_met_it(loop_mode: str, tmp_path: Path) -> None:
    settings = {"POLITE_STORE": str(tmp_path / "store.sqlite"), "POLITE_MAX_IDLE": 0}
    with Origin({"/0": LATER}) as site, Origin({}, "127.0.5.1") as other:
        crawl(loop_mode, [f"{site.url}/0"], settings)
        resumed = crawl(loop_mode, [f"{site.url}/1", f"{other.url}/1"], settings)
    assert site.pages() == ["/0"]
    assert [refusal["reason"] for refusal in resumed.refused] == ["pace/retry-after"]
    assert resumed.urls == [f"{other.url}/1"]


def test_an_embargo_that_was_met_long_ago_holds(loop_mode: str, tmp_path: Path) -> None:
    path, now = tmp_path / "store.sqlite", time.time()
    with closing(SqliteStore(path, clock=lambda: now - 20 * DAY_S)) as store, Origin({}) as site:
        store.hosts.keep("127.0.0.1", 21 * DAY_S, 0, "HTTP 503", 21 * DAY_S)
        store.close()
        crawled = crawl(loop_mode, [f"{site.url}/1"], {"POLITE_STORE": str(path), "POLITE_MAX_IDLE": 0})
    assert site.asked == []
    assert [refusal["reason"] for refusal in crawled.refused] == ["pace/retry-after"]


def test_an_embargo_holds_for_another_process_on_the_same_store(loop_mode: str, tmp_path: Path) -> None:
    settings = {
        "POLITE_STORE": str(tmp_path / "store.sqlite"),
        "EXTENSIONS": {"pacing_parts.QuickExchange": 0},
        "POLITE_MAX_IDLE": 0.5,
        "POLITE_SITES": {"127.0.0.1": {"delay": 0.3}},
    }
    pages = [f"/{number}" for number in range(30)]
    with Origin({"/robots.txt": robots("")}) as site:
        # The first page of the one process, when the other has been seen as well.
        seen = site.asked
        site.table["/stop"] = LATER
        with ThreadPoolExecutor(2) as pool:
            patient = pool.submit(crawl, loop_mode, [site.url + page for page in pages], settings)
            deadline = time.monotonic() + 20
            while len(seen) < 4 and time.monotonic() < deadline:
                time.sleep(0.02)
            crawl(loop_mode, [f"{site.url}/stop"], settings)
            stopped = patient.result()
    assert {refusal["reason"] for refusal in stopped.refused} == {"pace/retry-after"}
    assert site.pages().index("/stop") < len(site.pages()) < len(pages)
    assert len(stopped.urls) + len(stopped.refused) == len(pages)
