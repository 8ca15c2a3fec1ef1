"""Downloads of our own through Scrapy's engine: decoded and cut while they arrive, beside those of pages."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from time import monotonic
from typing import TYPE_CHECKING, Any
from weakref import ref

from scrapy import Request, signals
from scrapy.exceptions import IgnoreRequest, StopDownload
from scrapy.utils.asyncio import call_later

from scrapy_polite import _loop
from scrapy_polite._crawl import engine_of
from scrapy_polite._engine.failures import STOPPED, is_of_project, phrase_of
from scrapy_polite._scrapy import downloader
from scrapy_polite._scrapy.engine import is_closing
from scrapy_polite.robots.access import Outcome, outcome_of
from scrapy_polite.robots.body import BoundedBody
from scrapy_polite.robots.fetcher import DownloadDeferred, DownloadFailed, Reply

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

    from scrapy.crawler import Crawler
    from scrapy.http import Headers, Response

#: Marks a request of our own, and holds the BoundedBody that takes its body in.
OWN_DOWNLOAD = "polite_own_download"
#: Slack beyond a download's own time-out, for handlers (FTP) that know none.
_GRACE_S = 2.0


class RequestDeferred(IgnoreRequest):
    """A download of our own was not sent: pace keeps it for long, or the crawl is closing."""


class OwnDownloads:
    """The downloads of one crawl that are no pages."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = ref(crawler)
        self._receivers = 0
        self._waiting: set[Request] = set()

    @contextmanager
    def waiting(self, request: Request, *, extra_place: bool) -> Iterator[None]:
        """While a request waits for its host: with one more place in CONCURRENT_REQUESTS instead of its own, or not."""
        self._waiting.add(request)
        try:
            with downloader.extra_place(engine_of(self._crawler())) if extra_place else nullcontext():
                yield
        finally:
            self._waiting.discard(request)

    async def download(self, request: Request, *, timeout_s: float, max_bytes: int) -> Reply:
        """Download `request`, decoded and cut while it arrives. Raises DownloadFailed, DownloadDeferred,
        or as cancellation does."""
        crawler = self._crawler()
        if crawler is None or is_closing(engine_of(crawler)):
            raise DownloadDeferred("the crawl is closing")
        intake = request.meta[OWN_DOWNLOAD] = BoundedBody(max_bytes)
        started = monotonic()
        count = crawler.stats.inc_value
        count("robotstxt/request_count")
        try:
            with self._receiving(crawler), downloader.extra_place(crawler.engine):
                response = await _within(
                    crawler.engine.download_async(request),
                    timeout_s + _GRACE_S,
                    begun=lambda: not (request in self._waiting or _in_line(crawler.engine, request)),
                )
        except _loop.CANCELLED:
            if is_closing(engine_of(crawler)):
                raise
            raise DownloadFailed("cancelled") from None  # not by us: a middleware or a handler
        except RequestDeferred as error:
            raise DownloadDeferred(str(error)) from None
        except Exception as error:
            count(f"robotstxt/exception_count/{type(error)}")
            raise DownloadFailed(phrase_of(error, timeout_s), error if is_of_project(error) else None) from error
        count("robotstxt/response_count")
        count(f"robotstxt/response_status_count/{response.status}")
        return _reply(response, request, intake, max_bytes, monotonic() - started)

    @contextmanager
    def _receiving(self, crawler: Crawler) -> Iterator[None]:
        handlers = (
            (self._headers_received, signals.headers_received),
            (self._bytes_received, signals.bytes_received),
            (self._reached_downloader, signals.request_reached_downloader),
            (self._response_downloaded, signals.response_downloaded),
        )
        # Connected only while a download of ours runs: every chunk of every page would come by here.
        if not self._receivers:
            for handler, signal in handlers:
                crawler.signals.connect(handler, signal)
        self._receivers += 1
        try:
            yield
        finally:
            self._receivers -= 1
            if not self._receivers:
                for handler, signal in handlers:
                    crawler.signals.disconnect(handler, signal)

    def _reached_downloader(self, request: Request) -> None:
        if request.meta.get(OWN_DOWNLOAD):
            call_later(0, self._go_first, request)  # it is put in line after this signal

    def _go_first(self, request: Request) -> None:
        """Put a robots.txt before the pages that wait in its slot: it keeps the slot's pace, but goes next."""
        engine = engine_of(self._crawler())
        entry = _in_line(engine, request)
        if entry is not None:
            downloader.put_first(engine, entry)

    def _headers_received(self, headers: Headers, request: Request) -> None:
        if intake := request.meta.get(OWN_DOWNLOAD):
            length = headers.get(b"Content-Length") or b""
            intake.start(_content_encoding(headers), int(length) if length.isdigit() and len(length) < 19 else None)
            intake.began = monotonic()

    def _bytes_received(self, data: bytes, request: Request) -> None:
        if (intake := request.meta.get(OWN_DOWNLOAD)) and intake.feed(data) and intake.is_to_be_stopped():
            intake.stopped = True
            raise StopDownload(fail=False)

    def _response_downloaded(self, response: Response, request: Request) -> None:
        # The body has been decoded on its way; HttpCompressionMiddleware is not to try again, without our bound.
        if intake := request.meta.get(OWN_DOWNLOAD):
            _feed_whole(intake, response)  # where the handler sent no signals, such as FTP's
            response.headers.pop(b"Content-Encoding", None)


def _in_line(engine: Any, request: Request) -> Any:
    """The request's entry in its slot's line, while it waits there for its turn; else None."""
    return next(
        (
            entry
            for entry in downloader.line_of(engine, request)
            if entry[0].meta.get(OWN_DOWNLOAD) is request.meta[OWN_DOWNLOAD]
        ),
        None,
    )


async def _within(coroutine: Coroutine[Any, Any, Response], timeout_s: float, begun: Callable[[], bool]) -> Response:
    """The result of a download that is cancelled `timeout_s` after its start; then raises TimeoutError."""
    download = _loop.spawn(coroutine)
    timed_out = False

    begun_at: float | None = None

    def look() -> None:
        nonlocal begun_at, timed_out
        if begun_at is None:
            begun_at = monotonic() if begun() else None
        elif monotonic() - begun_at >= timeout_s:
            timed_out = True
            download.cancel()

    timer = _loop.Every(min(timeout_s / 4, 1.0), look)
    try:
        return await _loop.awaitable(download)
    except _loop.CANCELLED:
        if timed_out:
            raise TimeoutError from None
        download.cancel()
        raise
    finally:
        timer.cancel()


def _reply(response: Response, request: Request, intake: BoundedBody, max_bytes: int, elapsed_s: float) -> Reply:
    if "download_stopped" in response.flags and not intake.stopped:
        raise DownloadFailed(STOPPED, IgnoreRequest(f"{request.url}: {STOPPED}"))
    _feed_whole(intake, response)  # where a middleware answered in the server's stead
    intake.end()
    if outcome_of(response.status) is Outcome.RULES:  # of any other answer the body decides nothing
        if "dataloss" in response.flags:
            raise DownloadFailed("the body broke off")
        if intake.broken:
            raise DownloadFailed(f"broken body: {intake.broken}")
    if intake.began is not None and (latency_s := request.meta.get("download_latency")) is not None:
        elapsed_s = latency_s + monotonic() - intake.began  # without the wait for a turn in the downloader
    return Reply(response.status, _plain(response.headers), intake.body, intake.truncated, elapsed_s)


def _feed_whole(intake: BoundedBody, response: Response) -> None:
    if not intake.fed:
        intake.start(_content_encoding(response.headers))
        intake.feed(response.body)


def _content_encoding(headers: Headers) -> str:
    return b",".join(headers.getlist(b"Content-Encoding")).decode("latin-1")


def _plain(headers: Headers) -> dict[str, str]:
    plain = {}
    for name, values in headers.items():
        texts = [value.decode("utf-8", "replace") for value in values]
        # Only a list may come in several lines (RFC 9110 §5.3); of anything else the first counts.
        key = name.decode("latin-1").lower()
        if texts:
            plain[key] = ", ".join(texts) if key == "cache-control" else texts[0]
    return plain
