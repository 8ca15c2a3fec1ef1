"""Feeds `POLITE_SEEDS` to a crawl, and notes what came of each seed. `spidermiddlewares` wires it into Scrapy."""

from __future__ import annotations

import logging
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from scrapy import Request, signals

from scrapy_polite import _loop
from scrapy_polite._crawl import shared
from scrapy_polite._engine import OWN_DOWNLOAD
from scrapy_polite._project import data_path
from scrapy_polite.events import Events, RequestAnswered, RequestMoved, RequestRefused
from scrapy_polite.seeds import Seeds, SeedsError, as_seed
from scrapy_polite.settings import PoliteSettings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger(__name__)

#: Meta of a start request: the seed that it is made of.
SEED = "polite_seed"
#: How often what came of seeds is written. Longer: more of it is missing after `kill -9`.
_WRITE_S = 60.0
#: Seeds that are waited for, start URLs and hosts that are remembered: what is beyond is fetched, and not noted.
_MAX_REMEMBERED = 100_000
_NO_ANSWER = "no answer"
_MOVED = "asked of its main host (Host line)"
#: How what is not the last word on a seed begins: redirects, too, may lead to a page that this crawl knows.
_DUPLICATE = "duplicate"
_PASSING = (_NO_ANSWER, _MOVED, _DUPLICATE, "3")


class FedSeeds:
    """One crawl's. A file that cannot be used is an error in the log, and the crawl goes on without."""

    def __init__(self, crawler: Crawler, path: str) -> None:
        self._crawler = crawler
        self._seeds: Seeds | None = None
        self._waiting: set[str] = set()
        self._status: dict[str, str] = {}
        self._changed: set[str] = set()
        self._pages: dict[str, int] = {}
        self._host: dict[str, str] = {}
        self._timer: _loop.Every | None = None
        try:
            self._seeds = Seeds(data_path(path))
        except SeedsError as error:
            logger.error("POLITE_SEEDS: %s. This crawl goes on without", error)
            return
        events = shared(crawler, Events)
        events.read(RequestRefused, self._refused)
        events.read(RequestAnswered, self._answered)
        events.read(RequestMoved, self._moved)
        crawler.signals.connect(self._received, signals.response_received)
        crawler.signals.connect(self._dropped, signals.request_dropped)
        crawler.signals.connect(self._opened, signals.spider_opened)
        crawler.signals.connect(self._closed, signals.spider_closed)

    async def beside(self, start: AsyncIterator[Any]) -> AsyncIterator[Any]:
        """What the spider starts with, then the seeds that are not among it, for the same callback."""
        first: Request | None = None
        begun: set[str] = set()
        async for one in start:
            if isinstance(one, Request):
                first = first or one
                url = as_seed(one.url)
                if len(begun) < _MAX_REMEMBERED:
                    begun.add(url)
                if self._is_seed(url):
                    one.meta[SEED] = url
                    self._wait_for(url)
            yield one
        for request in self._requests(first):
            if request.meta[SEED] not in begun:
                yield request

    def _is_seed(self, url: str) -> bool:
        try:
            return self._seeds is not None and self._seeds.has(url)
        except SeedsError as error:
            self._fail(error)
            return False

    def _requests(self, like: Request | None) -> Iterator[Request]:
        callback, errback = (like.callback, like.errback) if like is not None else (None, None)
        try:
            for seed in self._seeds.all() if self._seeds is not None else ():
                request = Request(seed.url, callback, errback=errback, meta={SEED: seed.url})
                self._wait_for(seed.url)
                yield request
        except (SeedsError, ValueError) as error:
            if self._seeds is not None:  # or the crawl is over before its start is read
                self._fail(error)

    def _wait_for(self, url: str) -> None:
        if len(self._waiting) < _MAX_REMEMBERED:
            self._waiting.add(url)
            self._is_of(url, _host(url))

    def _is_of(self, url: str, host: str) -> None:
        """The pages of a seed are those of this host from now on: where it is, then where it leads to."""
        self._host[url] = host
        self._pages.setdefault(host, 0)

    # What comes of them

    def _received(self, response: Response, request: Request) -> None:
        if OWN_DOWNLOAD in request.meta:  # a robots.txt is no page
            return
        host = _host(response.url)
        seed: Any = request.meta.get(SEED)
        # The meta of a page's links may be copied from it: only what comes first is of the seed.
        if self._note(seed, str(response.status)):
            self._is_of(seed, host)
        if host in self._pages:
            self._pages[host] += 1

    def _refused(self, refused: RequestRefused) -> None:
        if not refused.audit and refused.request is not None:
            self._note(refused.request.meta.get(SEED), refused.decision.reason)

    def _answered(self, answered: RequestAnswered) -> None:
        if answered.status is None:
            self._note(as_seed(answered.url), _NO_ANSWER)
        elif 300 <= answered.status < 400:
            self._note(as_seed(answered.url), str(answered.status))

    def _moved(self, moved: RequestMoved) -> None:
        seed = as_seed(moved.url)
        if self._note(seed, _MOVED):
            self._is_of(seed, _host(moved.there))

    def _dropped(self, request: Request) -> None:
        """The queue knows the page, by another start URL or from before the crawl was resumed."""
        if (seed := request.meta.get(SEED)) not in self._status:
            self._note(seed, _DUPLICATE)

    def _note(self, url: Any, status: str) -> bool:
        """What came of a seed, unless it is known already. Returns whether it was news."""
        if url not in self._waiting or not self._status.get(url, _NO_ANSWER).startswith(_PASSING):
            return False
        self._status[url] = status
        self._changed.add(url)
        return True

    # What is written of it

    def _opened(self) -> None:
        self._timer = _loop.Every(_WRITE_S, lambda: _loop.spawn(self._write(self._changed)))

    async def _closed(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        await self._write(set(self._status))
        seeds, self._seeds = self._seeds, None
        if seeds is not None:
            seeds.close()

    async def _write(self, urls: set[str]) -> None:
        """In a thread: another process may be writing."""
        self._changed = set()
        seeds = self._seeds
        if seeds is None or not urls:
            return
        spider = self._crawler.spider
        name, now = spider.name if spider else "", datetime.now(timezone.utc).isoformat(timespec="seconds")
        outcomes = [(url, self._status[url], self._pages.get(self._host[url], 0)) for url in sorted(urls)]
        duplicates = [one for one in outcomes if one[1] == _DUPLICATE]
        others = [one for one in outcomes if one[1] != _DUPLICATE]

        def write() -> None:
            seeds.crawled(name, now, others)
            if duplicates:  # what an earlier crawl has noted says more
                seeds.crawled(name, now, duplicates, first_only=True)

        try:
            await _loop.in_thread(write)
        except SeedsError as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        logger.error("POLITE_SEEDS: %s", error)


def _host(url: str) -> str:
    return url.partition("://")[2].partition("/")[0].partition("?")[0].rpartition("@")[2].lower()


def of_crawl(crawler: Crawler) -> FedSeeds | None:
    """None where the project sets no POLITE_SEEDS."""
    path = shared(crawler, PoliteSettings).seeds
    return None if path is None else FedSeeds(crawler, path)
