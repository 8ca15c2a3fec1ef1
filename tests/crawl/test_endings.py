"""That every crawl and command ends, when its settings say, for the reason they say, with every request told."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import arguments
from commandline import make_project
from crawls import BUDGET_PERIOD_S, LOOP_SETTINGS, crawl
from projects import scrapy
from webserver import Answer, Asked, Origin, robots

GIVE_UP_S, MAX_IDLE_S = 1.0, 2.0
SHORT: dict[str, Any] = {
    "POLITE_GIVE_UP": GIVE_UP_S,
    "POLITE_MAX_IDLE": MAX_IDLE_S,
    "POLITE_ROBOTS_ATTEMPTS": 1,
    "POLITE_ROBOTS_TIMEOUT": 1,
    arguments.ROBOTS_BACKOFF_MIN: 1,
    arguments.ROBOTS_BACKOFF_MAX: 1,
    "DOWNLOAD_TIMEOUT": 1,
    "DNS_TIMEOUT": 1,
}
IGNORED = {"robots": "never"}
PAGES = 6


@dataclass(frozen=True)
class Ending:
    """What a site that cannot be had answers (None: nobody is there), and what becomes of six requests to it.

    `pages` come through, of the others each error begins with one of `errors`.
    """

    table: Mapping[str, Any] | None
    errors: tuple[str, ...]
    site: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    pages: int = 0
    host: str = ""


UNREACHABLE = ("IgnoreRequest: Refused by robots/unreachable",)
HANGS = Answer(delay_s=60)
CLOSED = Answer(503, headers={"Retry-After": "86400"})
BUDGET = {"pages": 2, "per": BUDGET_PERIOD_S}
DROPS = {f"/{number}": Answer(drop=True) for number in range(PAGES)}
ENDINGS = {
    "dead DNS": Ending(None, UNREACHABLE, host="dead.invalid"),
    "refused": Ending(None, UNREACHABLE),
    "robots.txt 503": Ending({"/robots.txt": Answer(503)}, UNREACHABLE),
    "robots.txt hangs": Ending({"/robots.txt": HANGS}, UNREACHABLE),
    "refused, without robots.txt": Ending(
        None, ("ConnectionRefusedError", "DownloadConnectionRefusedError"), IGNORED, {"RETRY_ENABLED": True}
    ),
    "connections dropped": Ending(DROPS, ("ResponseFailed", "ResponseNeverReceived", "DownloadFailedError"), IGNORED),
    "always 500": Ending({f"/{n}": Answer(500) for n in range(PAGES)}, ("HttpError: Ignoring non-200",)),
    "Retry-After 24 h": Ending(
        {"/0": CLOSED}, ("HttpError: Ignoring non-200", "IgnoreRequest: Refused by pace/retry-after: HTTP 503")
    ),
    "budget spent": Ending({}, ("IgnoreRequest: Refused by pace/budget",), {"budget": BUDGET}, pages=2),
    "budget spent, the rest refused": Ending(
        {}, ("IgnoreRequest: Refused by pace/budget",), {"budget": BUDGET | {"then": "refuse"}}, pages=2
    ),
}


@contextmanager
def nobody(address: str) -> Iterator[str]:
    """A URL where nobody listens, and nobody else will."""
    with socket.socket() as bound:
        bound.bind((address, 0))
        yield f"http://{address}:{bound.getsockname()[1]}"


@contextmanager
def site_of(ending: Ending, address: str) -> Iterator[str]:
    if ending.host:
        yield f"http://{ending.host}"
    elif ending.table is None:
        with nobody(address) as url:
            yield url
    else:
        with Origin(ending.table, address) as site:
            yield site.url


def settings_of(endings: Mapping[str, Ending]) -> dict[str, Any]:
    """Settings for sites by address. One request at a time, so that it is known which of them meets what."""
    settings = SHORT | {"CONCURRENT_REQUESTS_PER_DOMAIN": 1}
    for ending in endings.values():
        settings |= ending.settings
    return settings | {"POLITE_SITES": {ending.host or host: ending.site for host, ending in endings.items()}}


def check(ending: Ending, urls: list[str], got: list[str], errors: list[dict[str, str]]) -> None:
    """Each of the URLs has reached its callback or its errback, once."""
    pages = [url for url in got if url in urls]
    failed = [error for error in errors if error["url"] in urls]
    assert sorted(pages + [error["url"] for error in failed]) == urls
    assert len(pages) == ending.pages
    for error in failed:
        assert error["error"].startswith(ending.errors)


#: What has a way of ending of its own; all of them end beside each other.
ALONE = ("refused", "robots.txt hangs", "refused, without robots.txt", "Retry-After 24 h", "budget spent")


@pytest.mark.parametrize("name", ALONE)
@pytest.mark.engine
def test_a_crawl_of_a_site_that_cannot_be_had_ends_with_every_request_refused(loop_mode: str, name: str) -> None:
    ending = ENDINGS[name]
    with site_of(ending, "127.0.1.1") as url:
        urls = [f"{url}/{number}" for number in range(PAGES)]
        crawled = crawl(loop_mode, urls, settings_of({"127.0.1.1": ending}), timeout_s=20)
    assert crawled.stats["finish_reason"] == "finished"
    check(ending, urls, crawled.urls, crawled.errors)
    assert not crawled.logged("ERROR", "Traceback")


@pytest.mark.engine
def test_beside_a_live_host_they_end_too_and_it_loses_nothing(loop_mode: str) -> None:
    together = {f"127.0.1.{number}": ending for number, ending in enumerate(ENDINGS.values(), 1)}
    with ExitStack() as stack:
        live = stack.enter_context(Origin({}))
        sites = {host: stack.enter_context(site_of(ending, host)) for host, ending in together.items()}
        pages = [f"{live.url}/{number}" for number in range(20)]
        urls = {host: [f"{url}/{number}" for number in range(PAGES)] for host, url in sites.items()}
        settings = settings_of(together) | {"DOWNLOAD_SLOTS": {"127.0.0.1": {"delay": 0.1}}}
        everything = [*pages, *(url for some in urls.values() for url in some)]
        crawled = crawl(loop_mode, everything, settings, timeout_s=40)
    assert crawled.stats["finish_reason"] == "finished"
    assert live.pages() == [f"/{number}" for number in range(20)]
    for host, ending in together.items():
        check(ending, urls[host], crawled.urls, crawled.errors)


def test_what_is_refused_and_what_may_be_sent_take_turns(loop_mode: str) -> None:
    spent = {"robots": "never", "budget": {"pages": 1, "per": BUDGET_PERIOD_S, "then": "refuse"}}
    with Origin({}) as live, Origin({}, "127.0.1.2") as dear:
        refused = [f"{dear.url}/{number}" for number in range(2_000)]
        pages = [f"{live.url}/{number}" for number in range(20)]
        settings = {"POLITE_SITES": {"127.0.1.2": spent, "*": IGNORED}, "LOG_LEVEL": "INFO", "CONCURRENT_REQUESTS": 4}
        # The live host's come first and wait; they are let go only while the others are refused.
        urls = [*refused[:1], *pages, *refused[1:]]
        crawled = crawl(loop_mode, urls, settings, spider="frontier_parts.InOrder")
    assert sorted(crawled.parsed) == sorted(urls)
    assert crawled.parsed.index(pages[-1]) < crawled.parsed.index(refused[-1])


@pytest.mark.engine
def test_a_host_that_fails_recovers_and_fails_again_is_given_up_once(loop_mode: str) -> None:
    asked = 0

    def flaky(_: Asked) -> Answer:
        nonlocal asked
        asked += 1
        return Answer(drop=asked == 5 or asked > 10)

    with nobody("127.0.1.2") as dead, Origin({f"/{number}": flaky for number in range(30)}) as site:
        # One has been failing for longer, so it is to be given up first.
        urls = [*(f"{dead}/{number}" for number in range(9)), *(f"{site.url}/{number}" for number in range(30))]
        settings = {
            "POLITE_SITES": {"*": IGNORED | {"delay": 0.1}},
            "POLITE_GIVE_UP": 2,
            "POLITE_BACKOFF_MIN": 2,
            "POLITE_MAX_IDLE": 30,
        }
        crawled = crawl(loop_mode, urls, settings)
    assert len(crawled.urls) == 9
    assert len(crawled.errors) == 9 + 21
    assert crawled.stats["finish_reason"] == "finished"
    assert "Traceback" not in crawled.log


CHECKED = """
import scrapy

class Spider(scrapy.Spider):
    name = "checked"

    def parse(self, response):
        \"\"\"
        @url {url}
        @returns items 0 0
        \"\"\"
"""


@pytest.mark.parametrize("command", ["shell", "fetch", "parse", "check"])
@pytest.mark.engine
def test_a_command_on_a_page_of_a_closed_host_ends(loop_mode: str, tmp_path: Path, command: str) -> None:
    with Origin({"/robots.txt": Answer(503)}) as unreachable:
        url = f"{unreachable.url}/page"
        folder = make_project(
            tmp_path, SHORT | LOOP_SETTINGS[loop_mode] | {"POLITE_STORE": "memory"}, CHECKED.format(url=url)
        )
        arguments = {
            "shell": ["shell", "-c", "print('got', response)", url],
            "fetch": ["fetch", url],
            "parse": ["parse", "--spider", "checked", url],
            "check": ["check", "checked"],
        }[command]
        done = scrapy(folder, *arguments, timeout_s=20)
    assert unreachable.pages() == []
    assert "robots/unreachable" in done.stdout + done.stderr


@pytest.mark.parametrize("command", [["fetch"], ["parse", "--spider", "checked"]])
@pytest.mark.engine
def test_a_command_waits_for_a_crawl_delay_and_says_so(loop_mode: str, tmp_path: Path, command: list[str]) -> None:
    """However long: the robots.txt of the page's host was fetched just before, so the delay is still to come."""
    with Origin({"/robots.txt": robots("User-agent: *\nCrawl-delay: 2\n")}) as site:
        url = f"{site.url}/page"
        settings = LOOP_SETTINGS[loop_mode] | {"POLITE_STORE": "memory", "POLITE_MAX_IDLE": 1}
        folder = make_project(tmp_path, settings, CHECKED.format(url=url))
        done = scrapy(folder, *command, url, timeout_s=20)
    assert site.pages() == ["/page"]
    assert re.search(r"INFO: .*127\.0\.0\.1:\d+ retry in 2 s, pace/crawl-delay: Crawl-delay 2 s", done.stderr)


@pytest.mark.parametrize("command", ["shell", "check"])
def test_a_command_on_a_page_of_a_host_that_stays_closed_for_a_day_ends(
    loop_mode: str, tmp_path: Path, command: str
) -> None:
    """Nothing fails there: it is the longest idleness that ends the waiting."""
    with Origin({}) as site:
        url = f"{site.url}/page"
        spent = {"POLITE_SITES": {"*": {"robots": "never", "budget": {"pages": 1, "per": BUDGET_PERIOD_S}}}}
        folder = make_project(tmp_path, SHORT | LOOP_SETTINGS[loop_mode] | spent, CHECKED.format(url=url))
        arguments = {
            "shell": ["shell", "-c", "print('got', response)", url],
            "check": ["check", "checked"],
        }[command]
        # What is spent is in the store, for the second process too.
        for words in (["fetch", url], arguments):
            done = scrapy(folder, *words, timeout_s=20)
    assert site.pages() == ["/page"]
    assert "pace/budget" in done.stdout + done.stderr


@pytest.mark.engine
def test_a_host_that_is_given_up_is_told_once_and_counted_without_frames_piling_up(
    loop_mode: str, tmp_path: Path
) -> None:
    with nobody("127.0.1.1") as dead:
        urls = [f"{dead}/{number}" for number in range(40)]
        settings = SHORT | {
            "POLITE_SITES": {"*": IGNORED},
            "POLITE_REFUSED_FILE": str(tmp_path / "refused.jsonl"),
            "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
        }
        crawled = crawl(loop_mode, urls, settings, spider="frontier_parts.WithoutErrback")
    (told,) = crawled.logged("WARNING", "is abandoned")
    assert re.search(r"127\.0\.1\.1 is abandoned \(.+, failing for 1 s\): 37 requests refused", told)
    assert crawled.stats["polite/refused/pace/abandoned"] == 37
    assert "pace/abandoned 37, such as" in crawled.log
    assert "pages requested: 3 (3 under rules nobody has looked at)" in crawled.log
    assert (tmp_path / "refused.jsonl").read_text().count('"pace/abandoned"') == 37
    tracebacks = [part.count('File "') for part in crawled.log.split("Error downloading")[1:]]
    assert len(tracebacks) == 40
    assert tracebacks[-1] <= tracebacks[4]


def test_a_delay_longer_than_the_longest_idleness_is_waited_for(loop_mode: str) -> None:
    with Origin({}) as site, Origin({"/0": CLOSED}, "127.0.1.1") as closed:
        paced = [f"{site.url}/{number}" for number in range(3)]
        settings = {"POLITE_MIN_DELAY": 1.5, "POLITE_MAX_IDLE": 1, "POLITE_SITES": {"*": IGNORED}}
        crawled = crawl(loop_mode, [*paced, *(f"{closed.url}/{number}" for number in range(3))], settings)
    assert crawled.urls == paced
    # What ends in a day is given up as soon as delays are no longer waited for.
    assert [refused["reason"] for refused in crawled.refused] == ["pace/retry-after"] * 2
    assert crawled.stats["finish_reason"] == "finished"


def test_a_crawl_without_a_job_directory_that_drops_its_queue_says_so(loop_mode: str) -> None:
    with Origin({}) as site:
        urls = [f"{site.url}/{number}" for number in range(PAGES)]
        settings = {"POLITE_SITES": {"*": IGNORED | {"budget": BUDGET}}, "POLITE_MAX_IDLE": 600}
        crawled = crawl(loop_mode, urls, settings)
    (told,) = crawled.logged("WARNING", "POLITE_MAX_IDLE")
    assert told.endswith(
        "no closed host opens within POLITE_MAX_IDLE (600 s): 4 requests refused; with JOBDIR they are kept"
    )
    assert "pages requested: 2 " in crawled.log


@pytest.mark.parametrize(
    ("table", "site", "reason"),
    [
        pytest.param(
            {}, {"budget": {"pages": 1, "per": BUDGET_PERIOD_S, "then": "refuse"}}, "pace/budget", id="in its queue"
        ),
        pytest.param(None, {}, "pace/abandoned", id="abandoned, some after they were tried again"),
    ],
)
def test_a_crawl_whose_start_requests_all_are_refused_by_pace_says_so_last(
    loop_mode: str, tmp_path: Path, table: Any, site: dict[str, Any], reason: str
) -> None:
    settings = SHORT | {
        "POLITE_SITES": {"127.0.1.1": IGNORED | site},
        "POLITE_STORE": str(tmp_path / "store.sqlite"),
        "RETRY_ENABLED": True,
        "RETRY_TIMES": 9,
    }
    with site_of(Ending(table, ()), "127.0.1.1") as url:
        if table is not None:
            crawl(loop_mode, [f"{url}/spends"], settings)
        crawled = crawl(loop_mode, [f"{url}/{number}" for number in range(4)], settings)
    assert [refused["reason"] for refused in crawled.refused] == [reason] * 4
    assert "all 4 start requests were refused, so nothing was crawled" in crawled.logged("WARNING", "")[-1]


@pytest.mark.engine
def test_a_file_that_pace_refuses_in_place_is_no_page_let_go(loop_mode: str, tmp_path: Path) -> None:
    settings = {
        "ITEM_PIPELINES": {"scrapy.pipelines.files.FilesPipeline": 1},
        "FILES_STORE": str(tmp_path),
        "POLITE_SITES": {"*": IGNORED | {"budget": BUDGET | {"then": "refuse"}}},
    }
    with Origin({}) as site:
        crawled = crawl(loop_mode, [f"{site.url}/{number}.pdf" for number in range(5)], settings, spider="files")
    assert crawled.stats["polite/refused/pace/budget"] == 3
    assert crawled.stats["polite/pages/unchecked"] == 2
    assert crawled.logged("WARNING", "POLITE_WAIT_MAX") == []


def test_the_last_lines_say_when_a_host_is_given_up_and_not_that_it_opens_then(loop_mode: str) -> None:
    settings = {"POLITE_GIVE_UP": 30, "POLITE_MAX_IDLE": 600, "POLITE_ROBOTS_ATTEMPTS": 1}
    settings |= {arguments.ROBOTS_BACKOFF_MIN: 300, arguments.ROBOTS_BACKOFF_MAX: 400}
    with Origin({"/robots.txt": Answer(503)}) as site:
        crawled = crawl(loop_mode, [f"{site.url}/{number}" for number in range(3)], settings, close_after_s=1.5)
    (left,) = crawled.logged("INFO", "requests remain, dropped: ")
    assert re.search(r"\(3, abandoned in (29|28) s, robots/unreachable\)", left)


@pytest.mark.parametrize("robots_policy", ["inherit", "never"])
@pytest.mark.engine
def test_a_host_name_that_does_not_exist_keeps_no_crawl_from_ending(loop_mode: str, robots_policy: str) -> None:
    settings = {"POLITE_GIVE_UP": 600, "POLITE_MAX_IDLE": 600, "POLITE_SITES": {"*": {"robots": robots_policy}}}
    settings |= {"CONCURRENT_REQUESTS_PER_DOMAIN": 1, "DNS_TIMEOUT": 1}
    with Origin({"/robots.txt": robots("User-agent: *\nCrawl-delay: 0.1\n")}) as site:
        pages = [f"{site.url}/{number}" for number in range(5)]
        dead = [f"http://dead.invalid/{number}" for number in range(5)]
        crawled = crawl(loop_mode, [*dead, *pages], settings, timeout_s=40)
    assert sorted(crawled.urls) == pages
    assert sorted(error["url"] for error in crawled.errors) == dead
    assert len(crawled.logged("WARNING", "is abandoned")) == 1
    assert crawled.stats["finish_reason"] == "finished"


def test_a_resolver_that_has_no_answer_is_asked_again(loop_mode: str) -> None:
    settings = {"POLITE_GIVE_UP": 600, "POLITE_MAX_IDLE": 600, "POLITE_SITES": {"*": {"robots": "never"}}}
    settings |= {"CONCURRENT_REQUESTS_PER_DOMAIN": 1}
    crawled = crawl(
        loop_mode, [f"http://dead.invalid/{n}" for n in range(5)], settings, spider="resolver-unsure", timeout_s=25
    )
    assert len(crawled.logged("WARNING", "is abandoned")) == 1
    assert crawled.stats["finish_reason"] == "finished"


def test_any_other_wait_at_the_end_is_announced_once_with_its_time(loop_mode: str) -> None:
    settings = {"POLITE_GIVE_UP": 600, "POLITE_MAX_IDLE": 600, "POLITE_ROBOTS_ATTEMPTS": 1}
    with Origin({"/robots.txt": Answer(503)}) as site:
        crawled = crawl(loop_mode, [f"{site.url}/{number}" for number in range(3)], settings, close_after_s=2)
    (told,) = crawled.logged("INFO", "ends at ")
    assert re.search(
        r"ends at \d\d:\d\d at the latest .* for 1 host: http://127\.0\.0\.1:\d+ (retry|abandoned) in", told
    )
