"""That every crawl and command ends, when its settings say, for the reason they say, with every request told."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from commandline import make_project
from crawls import LOOP_SETTINGS, crawl
from projects import scrapy
from webserver import Answer, Origin

GIVE_UP_S, MAX_IDLE_S = 1.0, 2.0
SHORT: dict[str, Any] = {
    "POLITE_GIVE_UP": GIVE_UP_S,
    "POLITE_MAX_IDLE": MAX_IDLE_S,
    "POLITE_ROBOTS_ATTEMPTS": 1,
    "POLITE_ROBOTS_TIMEOUT": 1,
    "POLITE_ROBOTS_BACKOFF_MIN": 1,
    "POLITE_ROBOTS_BACKOFF_MAX": 1,
    "DOWNLOAD_TIMEOUT": 1,
    "DNS_TIMEOUT": 1,
}
IGNORED = {"robots": "ignore"}
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
BUDGET = {"pages": 2, "per": "day"}
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
def test_a_crawl_of_a_site_that_cannot_be_had_ends_with_every_request_refused(loop_mode: str, name: str) -> None:
    ending = ENDINGS[name]
    with site_of(ending, "127.0.1.1") as url:
        urls = [f"{url}/{number}" for number in range(PAGES)]
        crawled = crawl(loop_mode, urls, settings_of({"127.0.1.1": ending}), timeout_s=20)
    assert crawled.stats["finish_reason"] == "finished"
    check(ending, urls, crawled.urls, crawled.errors)
    assert not crawled.logged("ERROR", "Traceback")


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


@pytest.mark.parametrize("command", ["shell", "check"])
def test_a_command_on_a_page_of_a_host_that_stays_closed_for_a_day_ends(
    loop_mode: str, tmp_path: Path, command: str
) -> None:
    """Nothing fails there: it is the longest idleness that ends the waiting."""
    with Origin({}) as site:
        url = f"{site.url}/page"
        spent = {"POLITE_SITES": {"*": {"robots": "ignore", "budget": {"pages": 1, "per": "day"}}}}
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
