"""Sitemaps that robots.txt names, read so that their URLs become seeds of the spider (`POLITE_SITEMAPS`).

A sitemap is a request like any other: it waits in the queue for its host, robots.txt has its say, the dupefilter knows
it, the run record has it. `downloadermiddlewares.SitemapMiddleware` hands its response here instead of to the spider.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urljoin
from weakref import ref

from scrapy.spiders import SitemapSpider

from scrapy_polite import _loop
from scrapy_polite._crawl import shared, spider_of
from scrapy_polite._engine import Engine
from scrapy_polite.events import Events, SitemapRead
from scrapy_polite.origin import Origin, origin_of, site_of
from scrapy_polite.services.scope import allowed_domains, is_of
from scrapy_polite.services.seeds import seed, seed_of
from scrapy_polite.services.trap_sites import EXEMPT
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.sitemaps.reader import SitemapReader
from scrapy_polite.sitemaps.unpacking import MAX_BYTES
from scrapy_polite.text import counted, printable

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self

    from scrapy_polite.robots.cache import CachedRobots
    from scrapy_polite.sitemaps.reader import Entry

logger = logging.getLogger(__name__)

#: Meta: of a request for a sitemap; of a page that one lists, what it says of it (`lastmod`, `changefreq`).
FILE = "polite_sitemap_file"
LISTED = "polite_sitemap"
#: How deep indexes may be in each other, and redirects of one file (RFC 9309 §2.3.1.2 has five for a robots.txt).
MAX_DEPTH, MAX_HOPS = 3, 5
#: Sitemaps of one robots.txt, as many as an index may list (sitemaps.org). More: an index without an end is followed.
MAX_FILES = 50_000
#: For how long a sitemap is read, and seeds are queued, before others have the loop.
_STEP_S = 0.01
#: Sitemaps that are told of at INFO, and faults at WARNING; the rest are counted.
_MAX_TOLD = 20
_MAX_ORIGINS = 100_000
#: Pages of which it is remembered what a sitemap says, for links that were queued before it was read: some 20 MB.
_MAX_SAID = 100_000


@dataclass(frozen=True, slots=True)
class _File:
    """`of`: the origin whose robots.txt names it, or an index above it; `errback` is the name of its seeds' errback;
    `headers` are the names of the headers that the spider gave its start request."""

    of: str
    depth: int = 0
    hops: int = 0
    errback: str = ""
    headers: tuple[str, ...] = ()


class CrawlSitemaps:
    def __init__(self, crawler: Crawler) -> None:
        self._crawler = ref(crawler)
        self._settings = settings = shared(crawler, PoliteSettings)
        # Through a rendering API the URL of a page is not the URL of its request.
        anywhere = settings.sitemaps == "seed" or settings.sites.says("sitemaps", "seed")
        self.enabled = anywhere and settings.target_url is None
        self._engine = shared(crawler, Engine)
        self._events = shared(crawler, Events)
        self._max_url = crawler.settings.getint("URLLENGTH_LIMIT")
        self._remembers = settings.comes_back
        self._said: dict[str, tuple[str, str]] = {}
        self._origins: set[Origin] = set()
        self._files: Counter[str] = Counter()
        self._told: Counter[int] = Counter()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def said_of(self, request: Request) -> tuple[str, str]:
        """`lastmod` and `changefreq` of a page, by the sitemap that it comes from or another that was read; empty where
        none says it."""
        listed = request.meta.get(LISTED)
        if isinstance(listed, dict):
            return str(listed.get("lastmod") or ""), str(listed.get("changefreq") or "")
        return self._said.get(request.url, ("", ""))

    def wants(self, origin: Origin) -> bool:
        """Whether a start request for this origin is to bring its sitemaps."""
        if not self.enabled or origin in self._origins or len(self._origins) >= _MAX_ORIGINS:
            return False
        return (self._settings.sites.policy(origin).sitemaps or self._settings.sitemaps) == "seed"

    def start(self, request: Request, origin: Origin, held: CachedRobots) -> None:
        """Queue the sitemaps of an origin that a start request is for."""
        if not self.wants(origin):
            return
        self._origins.add(origin)
        named = getattr(held.rules, "sitemaps", ())
        if named and isinstance(spider_of(self._crawler), SitemapSpider):
            self.enabled = False
            self._tell(logging.WARNING, "POLITE_SITEMAPS is without effect: a SitemapSpider reads its sitemaps itself")
            return
        errback = getattr(request.errback, "__name__", "")
        names = tuple(name.decode("latin-1") for name in request.headers)
        for line in dict.fromkeys(named):
            self._queue(request, urljoin(origin.robots_url, line), _File(str(origin), 0, 0, errback, names))

    def failed(self, request: Request, why: str) -> None:
        """A sitemap did not come."""
        self._events.publish(SitemapRead(request.url, {}, why))
        self._tell(logging.WARNING, "Sitemap %s could not be read: %s", printable(request.url), printable(why, 200))

    def redirected(self, request: Request, url: str) -> None:
        file = _file_of(request)
        if file.hops >= MAX_HOPS:
            self.failed(request, f"more than {MAX_HOPS} redirects")
        else:
            self._queue(request, url, replace(file, hops=file.hops + 1))

    async def read(self, request: Request, response: Response) -> None:
        """Queue what a sitemap lists. That goes on while the crawl closes: what is queued is kept, or soon dropped."""
        file = _file_of(request)
        sitemap = SitemapReader(response.body)
        template = self._template(request, file)
        came: Counter[str] = Counter()
        began = time.monotonic()
        while not sitemap.ended:
            for entry in sitemap.read():
                came[self._take(request, response.url, file, template, entry)] += 1
                began = await _paused(began)
            began = await _paused(began)
        if sitemap.fault and not came:
            self.failed(request, sitemap.fault)
            return
        self._events.publish(SitemapRead(response.url, came, sitemap.fault))
        said = ", ".join(f"{number:,} {what}" for what, number in came.items()) or "nothing in it"
        self._tell(logging.INFO, "Sitemap %s: %s", printable(response.url), said)
        if sitemap.fault:
            self._tell(
                logging.WARNING,
                "Sitemap %s was read in part, up to %s: %s",
                printable(response.url),
                counted(came.total(), "entry", "entries"),
                printable(sitemap.fault, 200),
            )

    def _take(self, request: Request, base: str, file: _File, template: Request, entry: Entry) -> str:
        """Queue one entry of a sitemap; returns what came of it."""
        url = urljoin(base, entry.url) if entry.is_sitemap else entry.url
        if entry.is_sitemap:
            return self._queue(request, url, replace(file, depth=file.depth + 1, hops=0))
        if self._max_url and len(url) > self._max_url:
            return "too long"
        if not self._in_scope(url, file):
            return "out of scope"
        says = {"lastmod": entry.lastmod, "changefreq": entry.changefreq}
        try:
            page = seed_of(template, url, {LISTED: says} if any(says.values()) else {})
        except ValueError:
            return "out of scope"
        if self._remembers and any(says.values()) and len(self._said) < _MAX_SAID:
            self._said[page.url] = entry.lastmod, entry.changefreq
        self._engine.queue(page)
        return "seeds"

    def _template(self, request: Request, file: _File) -> Request:
        """What the seeds of a sitemap are made of."""
        page = seed(request, request.url)
        _keep_headers(page, file)
        page.errback = getattr(spider_of(self._crawler), file.errback, None) if file.errback else None
        return page

    def _queue(self, request: Request, url: str, file: _File) -> str:
        """Queue a sitemap; returns what came of it."""
        if file.depth > MAX_DEPTH or self._files[file.of] >= MAX_FILES:
            return "too deep"
        if not self._in_scope(url, file):
            if file.depth == 0:
                self._tell(
                    logging.WARNING,
                    "Sitemap %s, which the robots.txt of %s names, is out of scope: it is not fetched. To have it, put "
                    "its host into the spider's allowed_domains",
                    printable(url),
                    printable(file.of),
                )
            return "out of scope"
        self._files[file.of] += 1
        # A sitemap lists pages and is none: no trap, no page limit of its own.
        meta = {
            FILE: [file.of, file.depth, file.hops, file.errback, list(file.headers)],
            EXEMPT: True,
            "download_maxsize": MAX_BYTES,
            "download_warnsize": 0,
        }
        try:
            asked = seed(request, url, meta)
        except ValueError:
            return "out of scope"
        _keep_headers(asked, file)
        asked.errback = None
        asked.headers[b"Accept-Encoding"] = b"gzip"  # what is unpacked here, piece by piece
        self._engine.queue(asked)
        return "sitemaps"

    def _in_scope(self, url: str, file: _File) -> bool:
        """Whether the spider may go there: where it says nothing, to the site whose robots.txt names the sitemap."""
        origin = origin_of(url)
        if origin is None or origin.scheme not in ("http", "https"):
            return False
        if domains := allowed_domains(spider_of(self._crawler)):
            return is_of(origin, domains)
        return site_of(origin) == site_of(Origin.from_url(file.of))

    def _tell(self, level: int, text: str, *values: object) -> None:
        self._told[level] += 1
        level = level if self._told[level] <= _MAX_TOLD else logging.DEBUG
        logger.log(level, text, *values, extra={"spider": spider_of(self._crawler)})


async def _paused(began: float) -> float:
    """Let others have the loop, if it was taken `began` (monotonic seconds) too long ago; returns since when it is."""
    if time.monotonic() - began <= _STEP_S:
        return began
    await _loop.sleep(0)
    return time.monotonic()


def _file_of(request: Request) -> _File:
    of, depth, hops, errback, headers = request.meta[FILE]
    return _File(of, depth, hops, errback, tuple(headers))


def _keep_headers(request: Request, file: _File) -> None:
    """Take off what middlewares have put on the request that this one was made of."""
    for name in request.headers.keys() - {name.encode("latin-1") for name in file.headers}:
        del request.headers[name]
