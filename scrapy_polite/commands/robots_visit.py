"""Asking origins for their robots.txt as the project's crawls would, and for no page."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import redirect_stdout, suppress
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider

from scrapy_polite import _loop, clock
from scrapy_polite._crawl import shared
from scrapy_polite._engine import Engine
from scrapy_polite.commands import CommandError, SubcommandsCommand
from scrapy_polite.commands.stored import told_url
from scrapy_polite.origin import Origin
from scrapy_polite.robots.rules import MAX_BYTES
from scrapy_polite.services.robots import CrawlRobots
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.text import printable

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from scrapy_polite.robots.cache import CachedRobots, Key

#: A check takes from the project the way to the network and nothing else: no queue, no output, no one told.
VISIT_SETTINGS: dict[str, Any] = {
    "CLOSESPIDER_TIMEOUT": 0,
    "CLOSESPIDER_TIMEOUT_NO_ITEM": 0,
    "DUPEFILTER_CLASS": "scrapy.dupefilters.BaseDupeFilter",
    "EXTENSIONS": {},
    "FEEDS": {},
    "ITEM_PIPELINES": {},
    "JOBDIR": None,
    "POLITE_RUN_RECORD": False,
    "REMOTE_CONTROL_ENABLED": False,
    "SCHEDULER": "scrapy.core.scheduler.Scheduler",
    "SPIDER_MIDDLEWARES": {},
    "SPIDER_MODULES": [],
    "TELNETCONSOLE_ENABLED": False,
}


class _Visit(Spider):
    """Asks for the robots.txt of each request's origin, as a crawl's pages would, and fetches no page."""

    name = "robots"
    requests: Sequence[Request]
    with_bodies = False
    held: dict[Key, CachedRobots | None] | None = None
    bodies: Mapping[Key, bytes | None] = {}

    async def start(self) -> AsyncIterator[Any]:
        engine = shared(self.crawler, Engine)
        # Cancelled by Ctrl-C, unless the cache hears of it first and answers that nothing came.
        with suppress(*_loop.CANCELLED):
            held = await self._ask()
            if self.with_bodies:
                cache = shared(self.crawler, CrawlRobots).cache
                self.bodies = {key: await cache.body(key) for key in held}
            if not engine.closing:
                self.held = held
                # At once: a download that came too late for its page would keep the crawl going.
                _loop.spawn(self.crawler.engine.close_spider_async(reason="finished"))
        no_pages: tuple[Request, ...] = ()
        for page in no_pages:
            yield page

    async def _ask(self) -> dict[Key, CachedRobots | None]:
        robots = shared(self.crawler, CrawlRobots)
        places = _loop.Semaphore(robots.settings.robots_concurrency)

        async def known(key: Key, request: Request) -> CachedRobots | None:
            async with places:  # each waits as long as it would in a crawl, from its turn on
                return await robots.known(key, robots.way(request, request.url), clock.now() + robots.wait_max_s)

        first = {robots.key(Origin.from_url(request.url), request): request for request in reversed(self.requests)}
        visits = {key: _loop.spawn(known(key, request)) for key, request in first.items()}
        return {key: await _loop.awaitable(visit) for key, visit in visits.items()}


def visited(command: SubcommandsCommand, requests: Sequence[Request]) -> tuple[Crawler, dict[Key, CachedRobots | None]]:
    """The crawl that asked for the robots.txt of these requests, and what is known of each; None: not in time.

    Works once in a process. Raises CommandError.
    """
    visit, held = _visit(command, command.crawler_process.create_crawler(_Visit), requests=requests)
    return visit.crawler, held


def asked_anew(command: SubcommandsCommand, origins: Sequence[Origin]) -> dict[Origin, bytes]:
    """The robots.txt of these origins, empty where there is none (4xx), whatever the project's store has of them.

    Works once in a process. Raises CommandError where one cannot be had.
    """
    crawler = command.crawler_process.create_crawler(_Visit)
    crawler.settings.set("POLITE_STORE", "memory", "cmdline")
    requests = requests_of([f"{origin}/" for origin in origins])
    visit, held = _visit(command, crawler, requests=requests, with_bodies=True)
    robots = shared(crawler, CrawlRobots)
    keys = [robots.key(origin, request) for origin, request in zip(origins, requests, strict=True)]
    return {key.origin: _body(key, held[key], visit.bodies[key]) for key in keys}


def _body(key: Key, held: CachedRobots | None, body: bytes | None) -> bytes:
    copy = held.copy if held else None
    if copy is None or copy.status is None:
        why = copy.failure if copy else "it did not come in time"
        raise CommandError(f"{key.origin.robots_url} cannot be read ({printable(why)}): give a file in its place")
    if body is None and copy.truncated:
        raise CommandError(f"{key.origin.robots_url} is longer than {MAX_BYTES:,} bytes: give a file in its place")
    return body or b""


def _visit(
    command: SubcommandsCommand, crawler: Crawler, **arguments: Any
) -> tuple[_Visit, dict[Key, CachedRobots | None]]:
    PoliteSettings.from_settings(command.settings)
    with redirect_stdout(sys.stderr):  # what a middleware of the project prints is no verdict
        command.crawler_process.crawl(crawler, **arguments)
        command.crawler_process.start()
    visit = crawler.spider
    if not isinstance(visit, _Visit) or visit.held is None:
        raise CommandError("it was interrupted, or failed as the log above says, before every robots.txt was known")
    return visit, visit.held


def requests_of(urls: Sequence[str]) -> list[Request]:
    """Raises CommandError that names every URL which no robots.txt can be asked about."""
    urls = [told_url(url) for url in urls]
    if faults := [fault for fault in map(_fault, urls) if fault]:
        raise CommandError("\n  ".join(faults))
    return [Request(url) for url in urls]


def _fault(url: str) -> str:
    try:
        Origin.from_url(url)
        Origin.from_url(Request(url).url)
    except ValueError as error:
        return str(error)
    return ""
