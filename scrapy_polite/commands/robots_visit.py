"""Asking origins for their robots.txt as the project's crawls would, and for no page."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider

from scrapy_polite import _loop, clock
from scrapy_polite._crawl import shared
from scrapy_polite._engine import Engine
from scrapy_polite.commands import CommandError, SubcommandsCommand
from scrapy_polite.commands.stored import told_url
from scrapy_polite.origin import Origin
from scrapy_polite.robots.access import Outcome
from scrapy_polite.robots.fetcher import DownloadDeferred
from scrapy_polite.robots.lint.online import to_ask
from scrapy_polite.robots.rules import MAX_BYTES
from scrapy_polite.services.robots import CrawlRobots
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.text import printable

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from scrapy_polite.robots.cache import CachedRobots, Key
    from scrapy_polite.robots.fetcher import Download, Reply
    from scrapy_polite.store.robots import RobotsCopy

#: What of a Sitemap is read: that it comes is enough. More: a Sitemap may have 50 MB.
_SITEMAP_BYTES = 1_024

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


@dataclass(frozen=True, slots=True)
class Answers:
    """What origins have answered: the copy of each, with its body (None: it did not come in time).

    `sitemaps` says by URL why a Sitemap cannot be fetched; empty of one that can.
    """

    copies: Mapping[Origin, RobotsCopy | None]
    sitemaps: Mapping[str, str]


class _Visit(Spider):
    """Asks for the robots.txt of each request's origin, as a crawl's pages would, and fetches no page.

    With `online`, also for the Sitemaps that these and other files (`online`) name.
    """

    name = "robots"
    requests: Sequence[Request]
    with_bodies = False
    max_bytes = MAX_BYTES
    online: Sequence[bytes] | None = None
    held: dict[Key, CachedRobots | None] | None = None
    bodies: Mapping[Key, bytes | None] = {}
    sitemaps: Mapping[str, str] = {}

    async def start(self) -> AsyncIterator[Any]:
        engine = shared(self.crawler, Engine)
        # Cancelled by Ctrl-C, unless the cache hears of it first and answers that nothing came.
        with suppress(*_loop.CANCELLED):
            held = await self._ask()
            if self.with_bodies:
                cache = shared(self.crawler, CrawlRobots).cache
                self.bodies = {key: await cache.body(key, self.max_bytes > MAX_BYTES) for key in held}
                self.sitemaps = await self._ask_sitemaps()
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
                way: Download = robots.way(request, request.url)
                if self.max_bytes > MAX_BYTES:
                    way = _Longer(way, self.max_bytes)
                return await robots.known(key, way, clock.now() + robots.wait_max_s)

        first = {robots.key(Origin.from_url(request.url), request): request for request in reversed(self.requests)}
        visits = {key: _loop.spawn(known(key, request)) for key, request in first.items()}
        return {key: await _loop.awaitable(visit) for key, visit in visits.items()}

    async def _ask_sitemaps(self) -> dict[str, str]:
        if self.online is None:
            return {}
        places = _loop.Semaphore(shared(self.crawler, CrawlRobots).settings.robots_concurrency)

        async def fault(url: str, named_by: Origin | None) -> str:
            async with places:
                return await self._sitemap_fault(url, named_by)

        urls: dict[str, Origin | None] = {url: None for body in self.online for url in to_ask(body)}
        for key, body in self.bodies.items():
            for url in to_ask(body or b""):
                urls.setdefault(url, key.origin)
        faults = {url: _loop.spawn(fault(url, named_by)) for url, named_by in urls.items()}
        return {url: await _loop.awaitable(found) for url, found in faults.items()}

    async def _sitemap_fault(self, url: str, named_by: Origin | None) -> str:
        """Why a Sitemap cannot be fetched; empty if it can. `named_by` is the origin whose robots.txt names it."""
        robots = shared(self.crawler, CrawlRobots)
        try:
            request = Request(url)
            origin = Origin.from_url(request.url)
            if (
                named_by
                and named_by.host != origin.host
                and await robots.fetcher.leads_inside(named_by.host, origin.host)
            ):
                return "it leads from a public to a private address, and was not asked for"
        except TimeoutError:
            return "the host's name was not resolved in time"
        except ValueError as error:
            return str(error)
        way = robots.way(request, request.url)
        key = robots.key(origin, request)
        held = await robots.known(key, way, clock.now() + robots.wait_max_s)
        if held is None:
            return f"{origin.robots_url} did not come in time; it was not asked for"

        def refused(target: str) -> bool:
            return Origin.from_url(target) == origin and not held.decide(target, clock.now())[0].allowed

        decision, _ = held.decide(request.url, clock.now())
        if not decision.allowed:
            return f"{origin.robots_url} does not let {key.token} fetch it ({decision.detail}); it was not asked for"
        fetcher = replace(robots.fetcher, max_bytes=_SITEMAP_BYTES, attempts=1)
        try:
            result = await fetcher.fetch(origin, way, {}, refused, request.url)
        except DownloadDeferred as error:
            return str(error)
        return "" if result.outcome is Outcome.RULES else result.why


class _Longer:
    """A download that reads more of a file than its rules may have, to tell of what is too long."""

    def __init__(self, download: Download, max_bytes: int) -> None:
        self._download = download
        self._max_bytes = max_bytes

    async def __call__(self, url: str, headers: Mapping[str, str], *, timeout_s: float, max_bytes: int) -> Reply:
        longer = max(max_bytes, self._max_bytes)
        return await self._download(url, headers, timeout_s=timeout_s, max_bytes=longer)


def visited(command: SubcommandsCommand, requests: Sequence[Request]) -> tuple[Crawler, dict[Key, CachedRobots | None]]:
    """The crawl that asked for the robots.txt of these requests, and what is known of each; None: not in time.

    Works once in a process. Raises CommandError.
    """
    visit, held = _visit(command, command.crawler_process.create_crawler(_Visit), requests=requests)
    return visit.crawler, held


def asked_anew(
    command: SubcommandsCommand,
    origins: Sequence[Origin],
    *,
    max_bytes: int = MAX_BYTES,
    online: Sequence[bytes] | None = None,
) -> Answers:
    """What these origins answer for their robots.txt, whatever the project's store has of them: see `body_of`.

    With a higher `max_bytes` than the rules may have, what is longer still comes cut. With `online`, the Sitemaps are
    asked for that these files and those in `online` name. Works once in a process. Raises CommandError.
    """
    crawler = command.crawler_process.create_crawler(_Visit)
    crawler.settings.set("POLITE_STORE", "memory", "cmdline")
    requests = requests_of([f"{origin}/" for origin in origins])
    visit, held = _visit(command, crawler, requests=requests, with_bodies=True, max_bytes=max_bytes, online=online)
    robots = shared(crawler, CrawlRobots)
    copies: dict[Origin, RobotsCopy | None] = {}
    for origin, request in zip(origins, requests, strict=True):
        key = robots.key(origin, request)
        known = held[key]
        copies[origin] = replace(known.copy, body=visit.bodies[key] or b"") if known else None
    return Answers(copies, visit.sitemaps)


def body_of(origin: Origin, copy: RobotsCopy | None, cut: bool = False) -> bytes:
    """The robots.txt, empty where there is none (4xx). Raises CommandError where it cannot be had, or was cut."""
    if copy is None or copy.status is None:
        why = copy.failure if copy else "it did not come in time"
        raise CommandError(f"{origin.robots_url} cannot be read ({printable(why)}): give a file in its place")
    if copy.truncated and not cut:
        raise CommandError(f"{origin.robots_url} is longer than {MAX_BYTES:,} bytes: give a file in its place")
    return copy.body


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
