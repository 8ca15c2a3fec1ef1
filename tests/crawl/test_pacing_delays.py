"""Declared delays, by whole crawls: every gap between two requests to a host, in the server's own log, is long enough.

A delay counts from the answer: where the server takes its time, that comes on top, and one request is in flight.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import arguments
from crawls import BUDGET_PERIOD_S, Crawled, crawl
from webserver import PAGE, Answer, Origin, robots

LATENCY_S = 0.1
SLOW_PAGE = Answer(body=PAGE, headers={"Content-Type": "text/html"}, delay_s=LATENCY_S)
CAP_S = 0.3


def asks(*lines: str) -> str:
    """The text of a robots.txt whose first group is for all. A group ends with a rule, not with a Crawl-delay."""
    return "\n".join(("User-agent: *", *lines, ""))


def elsewhen(shift_h: int) -> str:
    """An hour of the day (UTC) as robots.txt gives it, so many hours from now, and an hour long."""
    return "-".join(f"{time.gmtime(time.time() + 3_600 * hours).tm_hour:02}00" for hours in (shift_h, shift_h + 1))


def around_now() -> str:
    return "-".join(f"{time.gmtime(time.time() + 3_600 * hours).tm_hour:02}00" for hours in (-2, 3))


@dataclass(frozen=True)
class Site:
    """`origins` servers on one address, with `robots` (`{n}` is which of them) and `answers`; a gap between requests to
    it is `least_s` long."""

    robots: str | None
    least_s: float
    paths: Sequence[str] = ("/1", "/2", "/3")
    answers: Mapping[str, Any] = field(default_factory=dict)
    policy: Mapping[str, Any] = field(default_factory=dict)
    origins: int = 1


SITES = {
    "Crawl-delay": Site(asks("Crawl-delay: 0.25"), 0.25),
    "Crawl-delay, from the answer on": Site(
        None,
        0.2 + LATENCY_S,
        answers=dict.fromkeys(("/1", "/2", "/3"), SLOW_PAGE)
        | {"/robots.txt": replace(robots(asks("Crawl-delay: 0.2")), delay_s=LATENCY_S)},
    ),
    "Crawl-delay of our product token": Site(
        asks("Crawl-delay: 0.01", "Disallow: /x", "User-agent: testbot", "Crawl-delay: 0.3"), 0.3
    ),
    "Crawl-delay of two origins of a host": Site(asks("Crawl-delay: 0.2"), 0.2, origins=2),
    "Request-rate": Site(asks("Request-rate: 3/1"), 1 / 3),
    "Request-rate within its hours": Site(asks(f"Request-rate: 4/1 {around_now()}"), 0.25),
    "the largest of all": Site(asks("Crawl-delay: 0.1", "Request-rate: 4/1"), 0.29, policy={"delay": 0.29}),
    "redirects": Site(
        asks("Crawl-delay: 0.2"), 0.2, ("/1", "/moved"), {"/moved": Answer(302, headers={"Location": "/there"})}
    ),
    "retries after a 500": Site(asks("Crawl-delay: 0.2"), 0.2, ("/1", "/fails"), {"/fails": [Answer(500), SLOW_PAGE]}),
    "retries after a lost connection": Site(
        asks("Crawl-delay: 0.2"), 0.2, ("/1", "/drops"), {"/drops": [Answer(drop=True), SLOW_PAGE]}
    ),
    "a site's delay": Site(None, 0.25, policy={"delay": 0.25}),
    "DOWNLOAD_SLOTS": Site(None, 0.3),
    "capped": Site(asks("Crawl-delay: 30{n}"), CAP_S, ("/1", "/2"), origins=2),
    "capped by the site": Site(asks("Crawl-delay: 300"), 0.4, ("/1", "/2"), policy={"max_crawl_delay": 0.4}),
    "obeyed in full": Site(asks("Crawl-delay: 0.6"), 0.6, ("/1", "/2"), policy={"max_crawl_delay": "in full"}),
}
IN_FULL = {"max_crawl_delay": "in full"}
#: What asks for a delay, but not of us or not now: it would take longer than the crawl may.
NOT_OURS = {
    "Crawl-delay of another product token": Site(
        asks("Disallow: /x", "User-agent: otherbot", "Crawl-delay: 60"), 0, policy=IN_FULL
    ),
    "Request-rate out of its hours": Site(asks(f"Request-rate: 1/60 {elsewhen(5)}"), 0, policy=IN_FULL),
    "capped at other hours": Site(asks(f"Request-rate: 1/301 {elsewhen(5)}"), 0),
}
VISITED = Site(asks(f"Visit-time: {around_now()}"), 0)
UNVISITED = Site(asks(f"Visit-time: {elsewhen(5)}"), 0)
ALL = SITES | NOT_OURS | {"within Visit-time": VISITED, "out of Visit-time": UNVISITED}


@dataclass(frozen=True)
class Paced:
    crawled: Crawled
    origins: Mapping[str, list[Origin]]

    def gaps(self, name: str) -> list[float]:
        """From the first time on that the site has said what it asks for."""
        origins = self.origins[name]
        return gaps(*origins)[len(origins) - 1 :]


def gaps(*origins: Origin) -> list[float]:
    """The times between two requests to servers that have one pace, in seconds."""
    times = sorted(asked.at for origin in origins for asked in origin.asked)
    return [after - before for before, after in pairwise(times)]


@pytest.fixture(scope="module")
def paced(loop_mode: str) -> Paced:
    with ExitStack() as stack:
        origins = {
            name: [
                stack.enter_context(
                    Origin(
                        ({"/robots.txt": robots(site.robots.format(n=n))} if site.robots else {}) | dict(site.answers),
                        f"127.0.4.{number}",
                    )
                )
                for n in range(site.origins)
            ]
            for number, (name, site) in enumerate(ALL.items(), 1)
        }
        hosts = {name: f"127.0.4.{number}" for number, name in enumerate(ALL, 1)}
        crawled = crawl(
            loop_mode,
            [origin.url + path for name, site in ALL.items() for origin in origins[name] for path in site.paths],
            {
                "RETRY_ENABLED": True,
                "POLITE_MAX_CRAWL_DELAY": CAP_S + 0.1,
                "POLITE_JITTER": 0,
                "POLITE_SITES": {hosts[name]: dict(site.policy) for name, site in ALL.items()}
                | {hosts["capped"]: {"max_crawl_delay": CAP_S}},
                "DOWNLOAD_SLOTS": {hosts["DOWNLOAD_SLOTS"]: {"delay": 0.3, "concurrency": 4}},
                "POLITE_MAX_IDLE": 1,
            },
            timeout_s=40,
        )
        return Paced(crawled, origins)


@pytest.mark.parametrize("name", SITES)
@pytest.mark.engine
def test_no_gap_is_below_the_declared_delay(paced: Paced, name: str) -> None:
    site = SITES[name]
    assert len(paced.gaps(name)) >= len(site.paths)
    assert min(paced.gaps(name)) >= site.least_s


@pytest.mark.parametrize("name", [*SITES, *NOT_OURS, "within Visit-time"])
@pytest.mark.engine
def test_every_page_is_fetched(paced: Paced, name: str) -> None:
    hosts = tuple(origin.url for origin in paced.origins[name])
    fetched = [url for url in paced.crawled.urls if url.startswith(hosts)]
    assert len(fetched) == len(ALL[name].paths) * len(hosts)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("capped", "'max_crawl_delay' in POLITE_SITES cuts that to 0.3 s"),
        ("capped by the site", "'max_crawl_delay' in POLITE_SITES cuts that to 0.4 s"),
        ("capped at other hours", "POLITE_MAX_CRAWL_DELAY cuts that to 0.4 s"),
    ],
)
def test_a_delay_that_is_cut_is_a_warning_once_a_host_which_names_the_setting(
    paced: Paced, name: str, said: str
) -> None:
    host = paced.origins[name][0].url.split("/")[2].rpartition(":")[0]
    (line,) = paced.crawled.logged("WARNING", f"{host} asks for 30")
    assert said in line


def test_no_other_delay_is_cut(paced: Paced) -> None:
    assert len(paced.crawled.logged("WARNING", "between requests; ")) == 3


def test_by_default_a_crawl_delay_of_five_minutes_is_kept_and_a_longer_one_cut_to_that_with_a_warning(
    loop_mode: str,
) -> None:
    asked = {"127.0.4.1": 300, "127.0.4.2": 400}
    with ExitStack() as stack:
        sites = [
            stack.enter_context(Origin({"/robots.txt": robots(asks(f"Crawl-delay: {delay_s}"))}, host))
            for host, delay_s in asked.items()
        ]
        pages = [f"{site.url}/page" for site in sites]
        crawled = crawl(loop_mode, pages, {"POLITE_JITTER": 0}, close_after_s=1, timeout_s=20)
    assert [site.paths() for site in sites] == [["/robots.txt"]] * 2
    (left,) = crawled.logged("INFO", "requests remain, dropped: ")
    assert f"{sites[0].url} (1, retry in 5 min, pace/crawl-delay: Crawl-delay 300 s)" in left
    assert f"{sites[1].url} (1, retry in 5 min, pace/crawl-delay: Crawl-delay 300 s (of 400 s asked))" in left
    (line,) = crawled.logged("WARNING", "between requests; ")
    assert "127.0.4.2 asks for 400 s between requests; POLITE_MAX_CRAWL_DELAY cuts that to 300 s" in line


@pytest.mark.engine
def test_outside_its_visit_time_a_host_is_not_visited_and_the_crawl_ends_all_the_same(paced: Paced) -> None:
    [closed] = paced.origins["out of Visit-time"]
    assert closed.paths() == ["/robots.txt"]
    refused = [refusal["reason"] for refusal in paced.crawled.refused if refusal["url"].startswith(closed.url)]
    assert refused == ["pace/visit-time"] * len(UNVISITED.paths)


# What holds for all hosts

JITTER = 1
OWN_DELAY_S, LEAST_DELAY_S = 0.15, 0.2
OWN = {
    "DOWNLOAD_DELAY": OWN_DELAY_S,
    "POLITE_JITTER": JITTER,
    "AUTOTHROTTLE_ENABLED": True,
    "AUTOTHROTTLE_START_DELAY": OWN_DELAY_S,
    "AUTOTHROTTLE_MAX_DELAY": 0.5,
    "AUTOTHROTTLE_TARGET_CONCURRENCY": 100,
    "EXTENSIONS": {"pacing_parts.SlotsCollected": 0, "pacing_parts.GatesCounted": 0},
}


@pytest.fixture(scope="module")
def throttled(loop_mode: str) -> Paced:
    """With AutoThrottle, jitter, and the downloader's slots collected as soon as they are idle."""
    with ExitStack() as stack:
        tables = {"plain": {}, "asks for more": {"/robots.txt": robots(asks("Crawl-delay: 0.3"))}}
        origins = {
            name: [stack.enter_context(Origin(table, f"127.0.4.{number}"))]
            for number, (name, table) in enumerate(tables.items(), 1)
        }
        pages = [f"{origin.url}/{number}" for [origin] in origins.values() for number in range(6)]
        return Paced(crawl(loop_mode, pages, OWN | {"POLITE_MIN_DELAY": LEAST_DELAY_S}), origins)


@pytest.mark.parametrize(("name", "least_s"), [("plain", LEAST_DELAY_S), ("asks for more", 0.3)])
@pytest.mark.engine
def test_neither_autothrottle_nor_jitter_nor_a_collected_slot_undercuts_a_delay(
    throttled: Paced, name: str, least_s: float
) -> None:
    assert len(throttled.gaps(name)) == 6
    assert min(throttled.gaps(name)) >= least_s


@pytest.mark.parametrize(("name", "least_s"), [("plain", LEAST_DELAY_S), ("asks for more", 0.3)])
@pytest.mark.engine
def test_jitter_adds_to_a_delay(throttled: Paced, name: str, least_s: float) -> None:
    assert max(throttled.gaps(name)) > least_s * (1 + JITTER / 10)


@pytest.mark.engine
def test_download_delay_holds_by_itself(loop_mode: str) -> None:
    with Origin({}) as site:
        crawl(loop_mode, [f"{site.url}/{number}" for number in range(3)], {"DOWNLOAD_DELAY": 0.3, "POLITE_JITTER": 0})
    assert len(site.asked) == 4
    assert min(gaps(site)) >= 0.3


@pytest.mark.engine
def test_autothrottle_slows_down_a_host_that_asks_for_nothing(loop_mode: str) -> None:
    settings = {
        "AUTOTHROTTLE_ENABLED": True,
        "AUTOTHROTTLE_START_DELAY": 0.4,
        "AUTOTHROTTLE_MAX_DELAY": 0.4,
        "AUTOTHROTTLE_TARGET_CONCURRENCY": 0.1,
    }
    answers = dict.fromkeys(("/0", "/1", "/2"), SLOW_PAGE)
    with Origin(answers) as site:
        crawl(loop_mode, [site.url + path for path in answers], settings)
    # AutoThrottle counts from sending, which takes its time too, more of it on a busy machine.
    assert min(gaps(site)) >= 0.4 - 0.15


def test_the_adaptive_delay_is_a_multiple_of_the_last_response_time(loop_mode: str) -> None:
    answers = dict.fromkeys(("/0", "/1", "/2"), SLOW_PAGE)
    with Origin(answers) as site:
        crawl(loop_mode, [site.url + path for path in answers], {"POLITE_ADAPTIVE": 3, arguments.ADAPTIVE_MAX: 0.5})
    assert len(site.asked) == 4
    assert min(gaps(site)[1:]) >= (1 + 3) * LATENCY_S


@pytest.mark.engine
def test_gates_are_forgotten_when_they_are_idle_and_open(loop_mode: str) -> None:
    with ExitStack() as stack:
        sites = [stack.enter_context(Origin({}, f"127.0.4.{number}")) for number in range(1, 9)]
        settings = {"EXTENSIONS": {"pacing_parts.GatesCounted": 0}}
        crawled = crawl(loop_mode, [f"{site.url}/page" for site in sites], settings)
    assert len(crawled.urls) == len(sites)
    assert crawled.stats["test/gates"] == 0


def test_an_audit_of_pacing_slows_nothing_down(loop_mode: str) -> None:
    answers: dict[str, Any] = {
        "/robots.txt": robots(asks("Crawl-delay: 60", f"Visit-time: {elsewhen(5)}")),
        "/1": Answer(503, headers={"Retry-After": "3600"}),
    }
    with Origin(answers) as site:
        settings = {
            "POLITE_MODE": {"pacing": "audit"},
            "POLITE_SITES": {"127.0.0.1": {"delay": 60, "budget": {"pages": 1, "per": BUDGET_PERIOD_S}}},
            "POLITE_MIN_DELAY": 60,
        }
        crawled = crawl(loop_mode, [f"{site.url}/{number}" for number in range(1, 5)], settings, timeout_s=40)
    assert sorted(site.pages()) == ["/1", "/2", "/3", "/4"]
    assert crawled.refused == []


@pytest.mark.parametrize("store", ["memory", "store.sqlite"])
@pytest.mark.engine
def test_a_clock_set_back_in_mid_crawl_keeps_no_host_back_and_no_gap_short(
    loop_mode: str, tmp_path: Path, store: str
) -> None:
    with Origin({"/robots.txt": robots(asks("Crawl-delay: 0.2"))}) as site:
        urls = [f"{site.url}/{number}" for number in range(8)]
        settings = {"POLITE_STORE": store, "POLITE_MAX_IDLE": 30}
        crawled = crawl(loop_mode, urls, settings, spider="clock-set-back", folder=tmp_path, timeout_s=20)
    assert sorted(crawled.urls) == urls
    assert min(later.at - earlier.at for earlier, later in pairwise(site.asked)) >= 0.2


@pytest.mark.parametrize("parser", ["project_parts.OddParser", "project_parts.OurParserNamedAnew"])
def test_with_a_parser_of_the_projects_own_the_pace_is_the_declared_one(parser: str) -> None:
    with Origin({"/robots.txt": robots("User-agent: *\nCrawl-delay: 0.3")}) as site:
        crawl("asyncio", [f"{site.url}/{number}" for number in range(3)], {"ROBOTSTXT_PARSER": parser})
    assert len(site.pages()) == 3
    assert min(gaps(site)[1:]) >= 0.3
