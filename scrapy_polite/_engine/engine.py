"""Engine: what this package asks of Scrapy's engine, and has it do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn
from weakref import ref

from scrapy import Request, signals
from scrapy.exceptions import CloseSpider, DontCloseSpider

from scrapy_polite import _loop
from scrapy_polite._crawl import engine_of
from scrapy_polite._engine.downloads import OwnDownloads
from scrapy_polite._scrapy import downloader, handlers
from scrapy_polite._scrapy import engine as scrapys

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from collections.abc import Set as AbstractSet
    from contextlib import AbstractContextManager

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self

    from scrapy_polite.robots.fetcher import Reply

_CLOSING_CHECK_S = 0.1
_UNBOUNDED_CONCURRENCY = 100


class Engine:
    """Scrapy's engine of one crawl; also where there is none yet, or none any longer."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = ref(crawler)
        self._downloads = OwnDownloads(crawler)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    @property
    def _engine(self) -> Any:
        return engine_of(self._crawler())

    @property
    def closing(self) -> bool:
        """Whether the crawl closes, or nothing can be downloaded: it has ended, or there is no engine yet."""
        return scrapys.is_closing(self._engine)

    def call_when_closing(self, function: Callable[[], None]) -> None:
        """Call `function` soon after the crawl begins to close. Call this once the spider is open.

        No signal says so, and pages that wait in place keep the closing from getting as far as `spider_closed`. What
        has just been answered, which may be why the crawl closes, has the time between two checks at least to be read.
        """
        was_closing = False

        def check() -> None:
            nonlocal was_closing
            if was_closing:
                watch.cancel()
                function()
            was_closing = self.closing

        watch = _loop.Every(_CLOSING_CHECK_S, check)

    @property
    def active(self) -> AbstractSet[Request]:
        """The requests that are in the downloader, its middlewares included."""
        return downloader.active(self._engine)

    @property
    def in_progress(self) -> AbstractSet[Request]:
        """The requests that the engine is at work on, until their callbacks have ended."""
        return scrapys.in_progress(self._engine)

    @property
    def scheduler(self) -> Any:
        """The crawl's scheduler; None before it is made, and after the end."""
        return scrapys.scheduler_of(self._engine)

    @property
    def at_rest(self) -> bool:
        """Nothing is in the downloader or the scraper."""
        return scrapys.is_at_rest(self._engine)

    @property
    def starting(self) -> bool:
        """There may be more to come from the spider's start; in `scrapy shell` nobody reads it."""
        return scrapys.is_starting(self._engine)

    @property
    def concurrency(self) -> int:
        """CONCURRENT_REQUESTS, or what is as good where the project sets no bound."""
        return downloader.max_active(self._engine) or _UNBOUNDED_CONCURRENCY

    def wake(self) -> None:
        """Have the engine ask the scheduler again, soon."""
        scrapys.wake(self._engine)

    def hold_back(self, waits: Callable[[], bool], holds_enough: Callable[[], bool]) -> None:
        """Let the engine ask the scheduler for nothing while it `waits()`, and the spider for no more while besides it
        `holds_enough()`: then `needs_backout()`.
        """
        scrapys.hold_back(self._engine, waits, holds_enough)

    def guard_start(self, begin: Callable[[], Awaitable[bool]], end: Callable[[], object]) -> None:
        """Read the spider's start only if `begin` says so, however late, and call `end` after it.

        To be called before the engine reads it: from the scheduler's `open`.
        """
        scrapys.guard_start(self._engine, begin, end)

    def close_spider(self, reason: str) -> None:
        engine = self._engine
        if engine is not None and not self.closing:
            _loop.spawn(engine.close_spider_async(reason=reason))

    async def abandon(self, why: str) -> NoReturn:
        """End a crawl whose scheduler cannot be opened, from its `open`; the process's exit status tells of it.

        Nobody is told that the spider is opened or closed.
        """
        crawler, engine = self._crawler(), self._engine
        if crawler is not None and engine is not None:
            await scrapys.make_unopened(crawler, engine)
        error = CloseSpider("cannot start")
        error.args = (why,)  # Scrapy before 2.18 logs it, with its traceback
        raise error

    def idle(self, reason: str) -> str:
        """Send `spider_idle`; the reason to close for, which may be a receiver's own, "" where one wants no closing."""
        crawler = self._crawler()
        if crawler is None:
            return reason
        expected = (DontCloseSpider, CloseSpider)
        results = crawler.signals.send_catch_log(signals.spider_idle, spider=crawler.spider, dont_log=expected)
        raised = [error for _, result in results if isinstance(error := getattr(result, "value", None), expected)]
        if any(isinstance(error, DontCloseSpider) for error in raised):
            return ""
        return next((error.reason for error in raised if isinstance(error, CloseSpider)), reason)

    def unbind_connections(self) -> None:
        """Let downloads of our own have connections beyond CONCURRENT_REQUESTS, where the download handler counts them.

        Call this before anything is downloaded.
        """
        handlers.unbind_connections(self._engine)

    def bound_headers(self) -> None:
        """Break off whatever answers with too many headers. Call this before anything is downloaded."""
        handlers.bound_headers(self._engine)

    def queue(self, request: Request) -> None:
        """Give a request to the scheduler, as the spider does; from within a middleware: then the scheduler is open."""
        self._engine.crawl(request)

    async def fetch(self, request: Request) -> Response | None:
        """A page of our own, by way of all middlewares; None where it does not come."""
        crawler = self._crawler()
        if crawler is None or self.closing:
            return None
        try:
            response: Response = await crawler.engine.download_async(request)
        except Exception:  # noqa: BLE001 (whatever keeps it from coming, nobody waits for it)
            return None
        return response

    async def download(self, request: Request, *, timeout_s: float, max_bytes: int) -> Reply:
        """Download `request` beside the pages. Raises as `OwnDownloads.download` does."""
        return await self._downloads.download(request, timeout_s=timeout_s, max_bytes=max_bytes)

    def waiting(self, request: Request, *, extra_place: bool) -> AbstractContextManager[None]:
        """While a request waits for its host: with one more place in CONCURRENT_REQUESTS instead of its own, or not."""
        return self._downloads.waiting(request, extra_place=extra_place)
