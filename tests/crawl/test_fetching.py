"""How a robots.txt is fetched, by whole crawls: headers, places, once for all, and past the project's other parts."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from crawls import SETTINGS, Crawled, crawl
from scrapy_polite.identity import agent_key
from scrapy_polite.store.robots import RobotsCopy
from scrapy_polite.store.sqlite.store import SqliteStore
from webserver import Answer, Asked, Origin, robots, self_signed

pytestmark = pytest.mark.engine

TEXT = "User-agent: *\nDisallow: /private\n"
RULES = robots(TEXT)
OTHER_RULES = robots("User-agent: *\nDisallow: /page\n")
LAST_MODIFIED = "Sat, 21 Nov 2026 08:49:37 GMT"

#: A project with everything on that meddles with requests.
BUSY_PROJECT: dict[str, Any] = {
    "AUTOTHROTTLE_DEBUG": True,
    "AUTOTHROTTLE_ENABLED": True,
    "AUTOTHROTTLE_MAX_DELAY": 0.02,
    "AUTOTHROTTLE_START_DELAY": 0.01,
    "DEPTH_STATS_VERBOSE": True,
    "HTTPCACHE_ENABLED": True,
    "POLITE_CONTACT_EMAIL": "crawl@testbot.example",
    "RETRY_ENABLED": True,
    "RETRY_TIMES": 2,
}


def unless_known(answer: Answer, **validators: str) -> Any:
    """304 to whoever sends the validators, else the answer."""

    def choose(asked: Asked) -> Answer:
        known = all(asked.headers.get(name.replace("_", "-")) == value for name, value in validators.items())
        return Answer(304) if known else answer

    return choose


OFF_THE_SITE = "redirected off the site"
#: What each server answers, in a first and a second run of the same crawl.
TABLES: Mapping[str, Mapping[str, Any]] = {
    "fresh": {"/robots.txt": RULES},
    "forgotten": {"/robots.txt": RULES},
    "with an ETag": {"/robots.txt": unless_known(robots(TEXT, ETag='"1"'), if_none_match='"1"')},
    "with a date": {
        "/robots.txt": unless_known(robots(TEXT, **{"Last-Modified": LAST_MODIFIED}), if_modified_since=LAST_MODIFIED)
    },
    "changed": {"/robots.txt": [robots(TEXT, ETag='"1"'), OTHER_RULES]},
    "failing": {"/robots.txt": Answer(500)},
    "slow": {"/robots.txt": replace(RULES, delay_s=0.5)},
    OFF_THE_SITE: {"/robots.txt": Answer(302)},  # its Location is known when the servers are there
}
EXPIRED = ("with an ETag", "with a date", "changed")
SLOW_PAGES = ("/page", "/private/1", "/private/2", "/private/3", "/private/4", "/private/5")


@dataclass(frozen=True)
class Runs:
    """Two runs of one crawl with one store, and where the logs of its servers stood between them."""

    first: Crawled
    second: Crawled
    origins: dict[str, Origin]
    elsewhere: Origin
    offsite: Origin
    between: dict[str, int]

    def asked(self, name: str, run: int) -> list[Asked]:
        asked = self.origins[name].asked
        return asked[: self.between[name]] if run == 1 else asked[self.between[name] :]

    def paths(self, name: str, run: int) -> list[str]:
        return [asked.path for asked in self.asked(name, run)]


@pytest.fixture(scope="module")
def runs(loop_mode: str, tmp_path_factory: pytest.TempPathFactory) -> Runs:
    folder = tmp_path_factory.mktemp("runs")
    with ExitStack() as stack:
        elsewhere = stack.enter_context(Origin({"/rules": RULES}, "127.0.3.1"))
        offsite = stack.enter_context(Origin({"/robots.txt": RULES}, "127.0.3.2"))
        origins = {
            name: stack.enter_context(Origin(table, f"127.0.1.{number}"))
            for number, (name, table) in enumerate(TABLES.items(), 1)
        }
        origins[OFF_THE_SITE].table["/robots.txt"] = Answer(302, headers={"Location": f"{elsewhere.url}/rules"})
        slow = [f"{origins['slow'].url}{path}" for path in SLOW_PAGES]
        urls = [*slow, f"{offsite.url}/page", *_pages(origin for name, origin in origins.items() if name != "slow")]
        settings = BUSY_PROJECT | {"POLITE_STORE": str(folder / "polite" / "store.sqlite")}
        hosts = [f"127.0.1.{number}" for number in range(1, len(origins) + 1)]

        first = crawl(loop_mode, urls, settings, allowed_domains=hosts, folder=folder)
        between = {name: len(origin.asked) for name, origin in origins.items()}
        _age(folder / "polite" / "store.sqlite", [origins[name].url for name in EXPIRED], origins["forgotten"].url)
        second = crawl(loop_mode, urls, settings, allowed_domains=hosts, folder=folder)
        return Runs(first, second, origins, elsewhere, offsite, between)


def _pages(origins: Iterable[Origin]) -> list[str]:
    return [origin.url + path for origin in origins for path in ("/page", "/private/page")]


def _age(path: Path, expired: Sequence[str], forgotten: str) -> None:
    """Have some copies expire between the runs, and lose one."""
    with closing(SqliteStore(path)) as store:
        for origin in expired:
            copy = store.robots.get(origin, agent_key(SETTINGS["USER_AGENT"])).result()
            assert isinstance(copy, RobotsCopy)
            assert store.robots.put(replace(copy, expires_at=time.time() - 60)).result()
        assert store.robots.forget(forgotten).result() == 1


@pytest.mark.parametrize("name", TABLES)
def test_every_request_for_robots_txt_says_who_asks_and_wants_uncompressed_text(runs: Runs, name: str) -> None:
    requests = [asked for asked in runs.origins[name].asked if asked.path == "/robots.txt"]
    assert requests
    for asked in requests:
        assert asked.headers["user-agent"] == "testbot/1.0 (+https://testbot.example/about)"
        assert asked.headers["from"] == "crawl@testbot.example"
        assert asked.headers["accept-encoding"] == "identity"
        assert asked.headers["accept"] == "text/plain,*/*;q=0.8"


@pytest.mark.parametrize("name", ["fresh", "with an ETag", "changed"])
def test_pages_are_asked_for_as_scrapy_asks(runs: Runs, name: str) -> None:
    (page,) = [asked for asked in runs.asked(name, 1) if asked.path == "/page"]
    assert page.headers["accept"].startswith("text/html,")


@pytest.mark.parametrize("name", [name for name in TABLES if name != "failing"])
def test_robots_txt_is_fetched_once_however_many_requests_wait_and_whatever_the_project_does_with_requests(
    runs: Runs, name: str
) -> None:
    assert runs.paths(name, 1) == ["/robots.txt", "/page"]


def test_of_six_requests_that_wait_for_one_robots_txt_each_is_judged_by_it(runs: Runs) -> None:
    refused = [refusal["url"] for refusal in runs.first.refused if refusal["url"].startswith(runs.origins["slow"].url)]
    assert len(refused) == len(SLOW_PAGES) - 1


def test_retries_are_its_own_and_not_retry_middlewares(runs: Runs) -> None:
    assert runs.paths("failing", 1) == ["/robots.txt"] * 3
    assert "retry/count" not in runs.first.stats


def test_a_redirect_off_the_site_is_followed_whatever_allowed_domains_says(runs: Runs) -> None:
    assert runs.elsewhere.paths() == ["/rules"]


def test_the_robots_txt_of_an_offsite_page_is_never_fetched(runs: Runs) -> None:
    assert runs.offsite.paths() == []
    assert runs.first.stats["offsite/filtered"] == 1


def test_autothrottle_learns_from_pages_only(runs: Runs) -> None:
    assert len(runs.first.logged("INFO", "| latency:")) == len(runs.first.responses)


def test_depth_and_dupefilter_see_pages_only(runs: Runs) -> None:
    assert runs.first.stats["scheduler/enqueued"] == len(runs.first.responses) + len(runs.first.errors)
    assert runs.first.stats["httpcache/store"] == len(runs.first.responses)
    assert "dupefilter/filtered" not in runs.first.stats


def test_a_second_run_asks_for_nothing_that_the_store_holds_fresh(runs: Runs) -> None:
    assert runs.paths("fresh", 2) == runs.paths("slow", 2) == []  # the pages come out of the HTTP cache


def test_the_http_cache_does_not_answer_for_a_robots_txt_that_the_store_does_not_hold(runs: Runs) -> None:
    assert runs.paths("forgotten", 2) == ["/robots.txt"]


def test_an_unreachable_robots_txt_is_not_asked_for_again_before_its_time_not_even_by_another_run(runs: Runs) -> None:
    assert runs.paths("failing", 2) == []


@pytest.mark.parametrize(
    ("name", "header", "value"),
    [
        ("with an ETag", "if-none-match", '"1"'),
        ("with a date", "if-modified-since", LAST_MODIFIED),
        ("changed", "if-none-match", '"1"'),
    ],
)
def test_an_expired_copy_is_revalidated(runs: Runs, name: str, header: str, value: str) -> None:
    first, again = runs.asked(name, 1)[0], runs.asked(name, 2)[0]
    assert header not in first.headers
    assert again.path == "/robots.txt"
    assert again.headers[header] == value


@pytest.mark.parametrize(
    ("name", "allowed"), [("with an ETag", "/page"), ("with a date", "/page"), ("changed", "/private/page")]
)
def test_after_revalidation_the_old_rules_hold_or_the_new_ones(runs: Runs, name: str, allowed: str) -> None:
    url = runs.origins[name].url
    assert [response for response in runs.second.urls if response.startswith(f"{url}/")] == [url + allowed]


def test_at_most_so_many_robots_txt_are_under_way_at_once(loop_mode: str) -> None:
    with ExitStack() as stack:
        delay_s = 0.2
        origins = [
            stack.enter_context(Origin({"/robots.txt": replace(RULES, delay_s=delay_s)}, f"127.0.1.{number}"))
            for number in range(1, 13)
        ]
        crawled = crawl(loop_mode, [f"{origin.url}/page" for origin in origins], {"POLITE_ROBOTS_CONCURRENCY": 3})
    began = sorted(asked.at for origin in origins for asked in origin.asked if asked.path == "/robots.txt")
    assert len(crawled.urls) == len(began) == len(origins)
    # Each is under way for `delay_s` at least, so this counts none that was already over.
    assert max(sum(start <= other < start + delay_s for other in began) for start in began) == 3


def test_hanging_robots_txt_servers_take_no_places_from_pages_of_others(loop_mode: str) -> None:
    pages = [f"/page/{number}" for number in range(30)]
    going_on = Origin({}, "127.0.1.1")

    def when_the_others_are_done(asked: Asked) -> Answer:
        deadline = time.monotonic() + 8
        while len(going_on.pages()) < len(pages) and time.monotonic() < deadline:
            threading.Event().wait(0.02)
        return RULES

    with ExitStack() as stack:
        stack.enter_context(going_on)
        hanging = [
            stack.enter_context(Origin({"/robots.txt": when_the_others_are_done}, f"127.0.1.{number}"))
            for number in (2, 3)
        ]
        crawled = crawl(
            loop_mode,
            [
                *(f"{origin.url}/page" for origin in hanging),
                *((going_on.url + page, {"dont_obey_robotstxt": True}) for page in pages),
            ],
            # Two places for the pages that wait, one for all others, and none for the two robots.txt.
            {"CONCURRENT_REQUESTS": 3, "POLITE_ROBOTS_ATTEMPTS": 1, "POLITE_ROBOTS_TIMEOUT": 5},
        )
    assert crawled.errors == []
    assert sorted(going_on.paths()) == sorted(pages)
    for origin in hanging:
        assert origin.paths() == ["/robots.txt", "/page"]


def test_schemes_and_ports_of_a_host_are_origins_of_their_own(loop_mode: str, tmp_path: Path) -> None:
    tls = self_signed(tmp_path, "127.0.0.1")
    with ExitStack() as stack:
        plain = stack.enter_context(Origin({"/robots.txt": RULES}))
        other_port = stack.enter_context(Origin({"/robots.txt": OTHER_RULES}))
        secure = stack.enter_context(Origin({"/robots.txt": robots("User-agent: *\nDisallow: /\n")}, tls=tls))
        crawled = crawl(loop_mode, _pages([plain, other_port, secure]))
    assert plain.paths() == ["/robots.txt", "/page"]
    assert other_port.paths() == ["/robots.txt", "/private/page"]
    assert secure.paths() == ["/robots.txt"]
    assert len(crawled.errors) == 4


def test_the_projects_own_delay_makes_no_robots_txt_time_out_and_its_pages_do_not_go_before_it(loop_mode: str) -> None:
    settings = {"DOWNLOAD_DELAY": 1.0, "DOWNLOAD_DELAY_JITTER": 0, "POLITE_ROBOTS_TIMEOUT": 0.8, "POLITE_WAIT_MAX": 60}
    # Two origins of one host share a slot; the second's robots.txt is asked for when pages stand in line there.
    with Origin({"/robots.txt": robots("")}) as first, Origin({"/robots.txt": robots("")}) as second:
        urls = [f"{first.url}/{number}" for number in range(6)]
        crawled = crawl(loop_mode, [*urls, f"{second.url}/page"], settings)
    assert second.paths() == ["/robots.txt", "/page"]
    assert len(first.pages()) == 6
    assert crawled.stats["polite/pages/fresh"] == 7
    assert second.asked[0].at < first.asked[-1].at
