"""Spiders and parts of a project for crawls that test the frontier."""

from __future__ import annotations

import resource
import sqlite3
from concurrent.futures import wait
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import scrapy
from scrapy import signals
from scrapy.dupefilters import RFPDupeFilter
from scrapy.exceptions import DontCloseSpider
from scrapy.pqueues import ScrapyPriorityQueue
from scrapy.utils.asyncio import call_later

from scrapy_polite import _loop
from scrapy_polite.dupefilters import PoliteDupeFilter
from scrapy_polite.frontier import scheduler
from scrapy_polite.frontier.sqlite import writer
from scrapy_polite.frontier.sqlite.queue import SqliteQueue
from scrapy_polite.frontier.sqlite.schema import FILE_NAME
from spiders import LinksSpider, ListSpider

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from typing_extensions import Self


def priority(url: str) -> int:
    return int(parse_qs(urlsplit(url).query).get("priority", ["0"])[0])


class ReadAtOnce(ListSpider):
    """A crawl whose queue has read what it is asked for before it is awaited."""

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
        fetch = SqliteQueue.fetch

        def fetched(queue: SqliteQueue, lanes: Any) -> Any:
            future = fetch(queue, lanes)
            wait([future], timeout=10)
            return future

        SqliteQueue.fetch = fetched  # type: ignore[method-assign]
        return super().from_crawler(crawler, *args, **kwargs)


class Prioritised(LinksSpider):
    """Follows every link, with the priority that its URL asks for.

    The engine sends nothing while start is read, nor from an answer on until its callback has ended: all requests are
    queued before one is chosen.
    """

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.pause, signals.response_received)
        return spider

    def pause(self) -> None:
        self.crawler.engine.pause()

    async def start(self) -> Any:
        self.pause()
        async for request in super().start():
            yield request
        self.crawler.engine.unpause()

    def parse(self, response: Any) -> Any:
        ListSpider.parse(self, response)
        for link in response.css("a::attr(href)").getall():
            yield response.follow(link, priority=priority(link), errback=self.failed)
        self.crawler.engine.unpause()


class Filtered(ListSpider):
    """Requests that pass the dupefilter."""

    def request(self, url: str, meta: Any = None) -> scrapy.Request:
        return super().request(url, meta).replace(dont_filter=False)


class FilteredLinks(Filtered, LinksSpider):
    """Follows every link; all its requests pass the dupefilter."""


class WithoutErrback(ListSpider):
    """Whose failures Scrapy logs itself."""

    async def start(self) -> Any:
        async for request in super().start():
            yield request.replace(errback=None)


class WatchesEmpty(ListSpider):
    """Notes in `parsed` how many requests were queued at each `scheduler_empty`."""

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Any:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.note_empty, signals.scheduler_empty)
        return spider

    def note_parsed(self, robotparser: Any, request: Any) -> None:
        pass

    def note_empty(self) -> None:
        self.parsed.append(str(len(self.crawler.engine._slot.scheduler)))


class Lazy(WatchesEmpty):
    """Brings more only as Scrapy's docs say that a lazy start should."""

    async def start(self) -> Any:
        async for request in super().start():
            if self.crawler.engine.needs_backout():
                await self.crawler.signals.wait_for(signals.scheduler_empty)
            yield request


class Slowly(WatchesEmpty):
    """Pauses before each of its start requests."""

    async def start(self) -> Any:
        async for request in super().start():
            await _loop.sleep(0.02)
            yield request


class Feeder(ListSpider):
    """Brings one request each time it is idle: the first at the start."""

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Any:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.feed, signals.spider_idle)
        spider.left = spider.job["urls"][:]
        return spider

    left: list[str]

    async def start(self) -> Any:
        yield self.request(self.left.pop(0))

    def feed(self) -> None:
        if self.left:
            self.crawler.engine.crawl(self.request(self.left.pop(0)))
            raise DontCloseSpider


class Again(ListSpider):
    """Asks for each page twice with one and the same request object: at the start, then in its callback."""

    async def start(self) -> Any:
        async for request in super().start():
            yield request
            yield request

    def parse(self, response: Any) -> Any:
        super().parse(response)
        if not response.meta.get("again"):
            response.request.meta["again"] = True
            yield response.request


class InlineAgain(ListSpider):
    """Its callback downloads the request that brought it here once more, and so does its errback."""

    async def parse(self, response: Any) -> Any:
        super().parse(response)
        again = await self.crawler.engine.download_async(response.request)
        super().parse(again)


class Unserializable(ListSpider):
    """Its requests have a callback that is no method of the spider."""

    def request(self, url: str, meta: Any = None) -> scrapy.Request:
        return super().request(url, meta).replace(callback=partial(self.parse))


class HalfUnserializable(ListSpider):
    """So are those with an odd number."""

    def request(self, url: str, meta: Any = None) -> scrapy.Request:
        request = super().request(url, meta)
        return request.replace(callback=partial(self.parse)) if int(url[-1]) % 2 else request


class InOrder(ListSpider):
    """Notes in `parsed` the URLs in the order in which they reach a callback or an errback."""

    def parse(self, response: Any) -> Any:
        self.parsed.append(response.url)

    def failed(self, failure: Any) -> None:
        self.parsed.append(failure.request.url)

    def note_parsed(self, robotparser: Any, request: Any) -> None:
        pass


class Posts(Filtered):
    def request(self, url: str, meta: Any = None) -> scrapy.Request:
        return super().request(url, meta).replace(method="POST" if url.endswith("/post") else "GET")


class PostsUnfiltered(Posts):
    """Whose requests pass the dupefilter by."""

    def request(self, url: str, meta: Any = None) -> scrapy.Request:
        return super().request(url, meta).replace(dont_filter=True)


class PostsUnserializable(Posts):
    """Whose callback is no method of the spider."""

    def request(self, url: str, meta: Any = None) -> scrapy.Request:
        return super().request(url, meta).replace(callback=partial(self.parse))


class PostsFromPage(Posts):
    """Posts, past the dupefilter, what a page has brought it to, and goes on with that page for a second."""

    async def parse(self, response: Any) -> Any:
        super().parse(response)
        if response.request.method == "GET":
            yield response.follow("/post", method="POST", dont_filter=True, errback=self.failed)
            await _loop.sleep(1.0)


class SlowRequests:
    """A downloader middleware that takes its time over requests for /slow, and looks at what is in their meta."""

    def __init__(self, crawler: Crawler) -> None:
        self._stats = crawler.stats

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        if request.url.endswith("/slow"):
            self._stats.inc_value("test/slow")
            foreign = request.meta.keys() - {"download_timeout", "is_start_request", "mine"}
            self._stats.set_value("test/meta", f"{request.meta['mine']} {sorted(foreign)} {request.dont_filter}")
            await _loop.sleep(0.5)


class DropsReturned:
    """An extension that lets no request be scheduled a second time."""

    def __init__(self) -> None:
        self._seen: set[int] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        extension = cls()
        crawler.signals.connect(extension.scheduled, signals.request_scheduled)
        return extension

    def scheduled(self, request: Request) -> None:
        if id(request) in self._seen:
            raise scrapy.exceptions.IgnoreRequest
        self._seen.add(id(request))


class Hears:
    """An extension that counts a signal."""

    signal: Any

    def __init__(self, crawler: Crawler) -> None:
        self._stats = crawler.stats

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        extension = cls(crawler)
        crawler.signals.connect(extension.heard, cls.signal)
        return extension

    def heard(self) -> None:
        self._stats.inc_value("test/heard")


class Hears_request_scheduled(Hears):  # noqa: N801
    signal = signals.request_scheduled


class Hears_request_dropped(Hears):  # noqa: N801
    signal = signals.request_dropped


class CountsLinks:
    """A spider middleware."""

    def __init__(self, crawler: Crawler) -> None:
        self._stats = crawler.stats

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def process_spider_output(self, response: Any, result: Any) -> Any:
        async for one in result:
            if isinstance(one, scrapy.Request):
                self._stats.inc_value("test/links")
            yield one


class LetsOneThrough(PoliteDupeFilter):
    """Lets the second request of each crawl for /1 through."""

    asked = 0

    def request_seen(self, request: Request) -> bool:
        self.asked += request.url.endswith("/1")
        return super().request_seen(request) and not (request.url.endswith("/1") and self.asked == 2)


class DiskFillsUp:
    """An extension: as soon as the spider is open, no file of the process can grow beyond 33 kB."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        extension = cls()
        crawler.signals.connect(extension.opened, signals.spider_opened)
        return extension

    def opened(self) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (33_000, 33_000))


class DiskIsSlow:
    """An extension: nothing can be written for a second from the opening of the spider on, and 50 steps are much to
    keep meanwhile. The stat `test/meanwhile` is how many pages were fetched by then."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        writer._BATCH_STEPS, writer._MAX_UNWRITTEN = 10, 50

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        extension = cls(crawler)
        crawler.signals.connect(extension.opened, signals.spider_opened)
        return extension

    def opened(self) -> None:
        path = Path(self._crawler.settings["JOBDIR"], FILE_NAME)
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.execute("BEGIN IMMEDIATE")
        call_later(1.0, self.over)

    def over(self) -> None:
        stats = self._crawler.stats
        stats.set_value("test/meanwhile", stats.get_value("response_received_count", 0))
        self._db.close()


class WatchesOpening:
    """An extension: the stat `test/turns` is how often the loop has had its turn while the queue was opened, with some
    of its lanes there, and not all."""

    def __init__(self, crawler: Crawler) -> None:
        self._stats = crawler.stats
        scheduler.STEP_S = 0.0
        opening = scheduler.Scheduler._open

        async def watched(ours: scheduler.Scheduler, spider: scrapy.Spider) -> None:
            call_later(0, self._turn, ours)
            await opening(ours, spider)

        scheduler.Scheduler._open = watched

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def _turn(self, ours: scheduler.Scheduler) -> None:
        if 0 < len(ours._lanes) < len(ours):
            self._stats.inc_value("test/turns")
        if not ours._pacing.has_scheduler:
            call_later(0, self._turn, ours)


class OddDupeFilter(RFPDupeFilter):
    """Has seen every path with an odd number, and has an attribute of a common name."""

    visited = ("mine",)

    def request_seen(self, request: Request) -> bool:
        assert self.visited == ("mine",)
        return int(request.url.rpartition("/")[2]) % 2 == 1


class OwnPriorityQueue(ScrapyPriorityQueue):
    pass


def fails_on_odd(request: Request) -> str:
    """A POLITE_TARGET_URL with a defect."""
    if request.url.endswith("/odd"):
        raise KeyError("odd")
    return request.url
