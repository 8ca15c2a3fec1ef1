"""The one room that uses what is private or differs by version in Scrapy's engine and downloader.

Needed on Scrapy 2.14 to 2.19: `engine.download_async` (public), `engine._slot.closing` (no signal says that a crawl has
begun to close), `downloader.total_concurrency` (public attribute; where it is missing nothing is raised), `slot.queue`
of the downloader's slots (where it is missing a download counts as begun when it is asked for). For a scheduler that
lets hosts wait: `engine._slot.nextcall.schedule()` (nothing public wakes the engine before its heartbeat of 5 s),
`engine._slot.inprogress` and `heartbeat`, `engine._start`, `_start_scheduled_request()`, `engine.scraper.slot`,
`downloader.active` and `needs_backout()`. For downloads of our own beside those of pages: how many connections the
download handlers of crawls without a reactor allow (2.15 on). For a crawl that cannot begin: `engine.signals`,
`handlers._close()`. For a bound on headers: `handler._pool._factory` of the handlers that use Twisted's HTTP/1.1
client, `protocol._parser` there, its `line_mode` and `lineLengthExceeded`; what crawls without a reactor use has
bounds of its own (aiohttp: 128 headers of 8 KiB, httpx: 100 KiB).
"""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import quote
from weakref import ref

from scrapy import Request, signals
from scrapy.exceptions import CloseSpider, DontCloseSpider, IgnoreRequest, StopDownload
from scrapy.http.request import NO_CALLBACK
from scrapy.signalmanager import SignalManager
from scrapy.utils.asyncio import call_later
from twisted.internet.defer import Deferred

from scrapy_polite import _loop
from scrapy_polite._crawl import engine_of
from scrapy_polite.robots.access import Outcome, outcome_of
from scrapy_polite.robots.body import BoundedBody
from scrapy_polite.robots.fetcher import DownloadDeferred, DownloadFailed, Reply

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from scrapy.crawler import Crawler
    from scrapy.http import Headers, Response
    from typing_extensions import Self

#: Marks a request of our own, and holds the Intake of its body.
OWN_DOWNLOAD = "polite_own_download"
#: Slack beyond a download's own time-out, for handlers (FTP) that know none.
_GRACE_S = 2.0
_CLOSING_CHECK_S = 0.1
_UNBOUNDED_CONCURRENCY = 100
#: Bytes of an answer's status line and headers, as in Chrome. Twisted bounds one line (16 KiB), but not their number.
MAX_HEADER_BYTES = 256 * 1024
UNRESOLVED = "host name cannot be resolved"
#: The first fitting part of an exception's class name -> a phrase. Names: the classes differ by version and handler.
_FAILURES = (
    ("Timeout", "timed out"),
    ("TimedOut", "timed out"),
    ("ConnectionRefused", "connection refused"),
    ("ResolveHost", UNRESOLVED),
    ("DNSLookup", UNRESOLVED),
    ("DataLoss", "the body broke off"),
    ("IgnoreRequest", "a middleware of the project refused it"),
)
#: The packages whose exceptions say that the network has failed.
_NETWORK = frozenset(
    ("scrapy", "twisted", "OpenSSL", "service_identity", "h2", "httpx", "httpcore", "aiohttp", "playwright")
)
_STOPPED = "a handler of the project has stopped its download (StopDownload); let it leave robots.txt alone"
#: What of a page's meta belongs to the way it goes.
_WAY_META = ("proxy", "_auth_proxy", "bindaddress", "ftp_user", "ftp_password", "ftp_passive")
#: What of its headers. Scrapy takes a proxy's credentials out of meta at a request's first sending.
_WAY_HEADERS = (b"User-Agent", b"Proxy-Authorization")
#: What of a page's meta is not to be taken over where its whole request is a template (see Way).
_OWN_META = (
    "download_slot",
    "download_latency",
    "depth",
    "retry_times",
    "redirect_times",
    "redirect_urls",
    "redirect_ttl",
)


class HeadersTooLong(Exception):
    def __init__(self) -> None:
        super().__init__(f"headers longer than {MAX_HEADER_BYTES // 1024} KiB")


class RequestDeferred(IgnoreRequest):
    """A download of our own was not sent: pace keeps it for long, or the crawl is closing."""


class Engine:
    """Downloads of our own through Scrapy's engine, and notice of its closing."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = ref(crawler)
        self._receivers = 0
        self._waiting: set[Request] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    @property
    def closing(self) -> bool:
        """Whether the crawl closes, or nothing can be downloaded: it has ended, or there is no engine yet."""
        slot = getattr(self._running(), "_slot", None)
        return slot is None or isinstance(slot.closing, Deferred)

    def call_when_closing(self, function: Callable[[], None]) -> None:
        """Call `function` soon after the crawl begins to close. Call this once the spider is open.

        No signal says so, and pages that wait in place keep the closing from getting as far as `spider_closed`.
        """

        def check() -> None:
            if self.closing:
                watch.cancel()
                function()

        watch = _loop.Every(_CLOSING_CHECK_S, check)

    @property
    def active(self) -> AbstractSet[Request]:
        """The requests that are in the downloader, its middlewares included."""
        engine = self._running()
        return engine.downloader.active if engine else frozenset()

    @property
    def in_progress(self) -> AbstractSet[Request]:
        """The requests that the engine is at work on, until their callbacks have ended."""
        slot = getattr(self._running(), "_slot", None)
        return slot.inprogress if slot else frozenset()

    @property
    def scheduler(self) -> Any:
        """The crawl's scheduler; None before it is made, and after the end. (Scrapy 2.19 has `engine.scheduler`.)"""
        return getattr(getattr(self._running(), "_slot", None), "scheduler", None)

    @property
    def at_rest(self) -> bool:
        """Nothing is in the downloader or the scraper."""
        engine = self._running()
        return engine is None or (
            not engine.downloader.active and (engine.scraper.slot is None or engine.scraper.slot.is_idle())
        )

    @property
    def starting(self) -> bool:
        """There may be more to come from the spider's start; in `scrapy shell` nobody reads it."""
        engine = self._running()
        slot = getattr(engine, "_slot", None)
        return slot is not None and engine._start is not None and slot.heartbeat.running

    @property
    def concurrency(self) -> int:
        """CONCURRENT_REQUESTS, or what is as good where the project sets no bound."""
        downloader = getattr(self._running(), "downloader", None)
        return getattr(downloader, "total_concurrency", 0) or _UNBOUNDED_CONCURRENCY

    def wake(self) -> None:
        """Have the engine ask the scheduler again, soon."""
        slot = getattr(self._running(), "_slot", None)
        if slot is not None and slot.closing is None:
            slot.nextcall.schedule()

    def close_spider(self, reason: str) -> None:
        engine = self._running()
        if engine is not None and not self.closing:
            _loop.spawn(engine.close_spider_async(reason=reason))

    async def abandon(self, why: str) -> NoReturn:
        """End a crawl whose scheduler cannot be opened, from its `open`; the process's exit status tells of it.

        Nobody is told that the spider is opened or closed: Scrapy would tell of its closing also what has seen no
        opening, upon which SpiderState empties the job's `spider.state`, and other extensions fail.
        """
        crawler, engine = self._crawler(), self._running()
        if crawler is not None and engine is not None:
            engine.signals = SignalManager(engine)
            # Without a spider the engine closes the downloader alone, and Scrapy counts the crawl as failed.
            engine.spider = crawler.spider = None
            close_handlers = getattr(getattr(engine.downloader, "handlers", None), "_close", None)
            if close_handlers is not None:  # which Scrapy does when an engine stops that has run
                await close_handlers()
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

    def hold_back(self, waits: Callable[[], bool], holds_enough: Callable[[], bool]) -> None:
        """Let the engine ask the scheduler for nothing while it `waits()`, and the spider for no more while besides it
        `holds_enough()`: then `needs_backout()`.

        An engine that is told None sends `scheduler_empty`, upon which spiders bring more, although the queue is full.
        """
        engine = self._running()
        if engine is None or not hasattr(engine, "_start_scheduled_request"):
            return
        ask, needs_backout = engine._start_scheduled_request, engine.downloader.needs_backout
        engine._start_scheduled_request = lambda: not waits() and ask()
        engine.downloader.needs_backout = lambda: needs_backout() or holds_enough()

    @contextmanager
    def waiting(self, request: Request, *, extra_place: bool) -> Iterator[None]:
        """While a request waits for its host: with one more place in CONCURRENT_REQUESTS instead of its own, or not."""
        self._waiting.add(request)
        try:
            with _extra_place(self._running()) if extra_place else nullcontext():
                yield
        finally:
            self._waiting.discard(request)

    def _running(self) -> Any:
        return engine_of(self._crawler())

    def unbind_connections(self) -> None:
        """Let downloads of our own have connections beyond CONCURRENT_REQUESTS, where the download handler counts them.

        Those of Scrapy's crawls without a reactor do: what hangs would keep out the pages of all other hosts. How many
        pages are under way at once is still the downloader's affair. Call this before anything is downloaded.
        """
        for handler in self._handlers():
            if hasattr(handler, "_limits") and hasattr(handler, "_make_client"):  # httpx
                handler._limits.max_connections = None
                handler._default_client = handler._make_client()
            connector = getattr(getattr(handler, "_session", None), "connector", None)
            if connector is not None and hasattr(connector, "_limit"):  # aiohttp
                connector._limit = 0

    def bound_headers(self) -> None:
        """Break off whatever answers with headers of more than `MAX_HEADER_BYTES`; its download fails.

        Call this before anything is downloaded.
        """
        for handler in self._handlers():
            pool: Any = getattr(handler, "_pool", None)
            if hasattr(pool, "_factory"):
                pool._factory = partial(_bounded_factory, pool._factory)

    def _handlers(self) -> Iterator[Any]:
        handlers = getattr(getattr(self._running(), "downloader", None), "handlers", None)
        handler_of = getattr(handlers, "_get_handler", lambda scheme: None)
        return filter(None, map(handler_of, ("http", "https")))

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
        """Download `request`, decoded and cut while it arrives. Raises DownloadFailed, NotAsked,
        or as cancellation does."""
        crawler = self._crawler()
        if crawler is None or self.closing:
            raise DownloadDeferred("the crawl is closing")
        intake = request.meta[OWN_DOWNLOAD] = BoundedBody(max_bytes)
        started = monotonic()
        count = crawler.stats.inc_value
        count("robotstxt/request_count")
        try:
            with self._receiving(crawler), _extra_place(crawler.engine):
                response = await _within(
                    crawler.engine.download_async(request),
                    timeout_s + _GRACE_S,
                    begun=lambda: not (request in self._waiting or _in_line(crawler, request)),
                )
        except _loop.CANCELLED:
            if self.closing:
                raise
            raise DownloadFailed("cancelled") from None  # not by us: a middleware or a handler
        except RequestDeferred as error:
            raise DownloadDeferred(str(error)) from None
        except Exception as error:
            count(f"robotstxt/exception_count/{type(error)}")
            raise DownloadFailed(_phrase(error, timeout_s), error if _is_of_project(error) else None) from error
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
        crawler = self._crawler()
        entry = _in_line(crawler, request) if crawler else None
        if crawler and entry:
            line = _slot(crawler, request).queue
            line.remove(entry)
            line.appendleft(entry)

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


class RobotsDownload:
    """How the pages of one target go, so that its robots.txt goes the same way: a `fetcher.Download`.

    With `POLITE_TARGET_URL` the page's request (to a rendering or proxy API) is the template: wherever it names the
    target, plain or percent-encoded, the URL asked for stands instead. Otherwise URL, User-Agent and proxy suffice.
    """

    def __init__(self, engine: Engine, page: Request, target: str) -> None:
        self._engine = engine
        self._page = page
        self._target = target

    async def __call__(self, url: str, headers: Mapping[str, str], *, timeout_s: float, max_bytes: int) -> Reply:
        request = self._request(url)
        request.headers.update(headers)
        request.headers[b"Accept-Encoding"] = b"identity"
        request.meta.update(
            {
                "dont_obey_robotstxt": True,
                "allow_offsite": True,
                "dont_redirect": True,
                "dont_retry": True,
                "dont_cache": True,
                "dont_merge_cookies": True,
                "handle_httpstatus_all": True,
                "autothrottle_dont_adjust_delay": True,
                "download_timeout": timeout_s,
                "download_maxsize": 0,
                "download_warnsize": 0,
                "download_fail_on_dataloss": False,
            }
        )
        return await self._engine.download(request, timeout_s=timeout_s, max_bytes=max_bytes)

    def _request(self, url: str) -> Request:
        page = self._page
        if page.url != self._target and (spelling := self._spelling_in_page()):
            meta = {key: value for key, value in page.meta.items() if key not in _OWN_META}
            old, new = spelling(self._target), spelling(url)
            return Request(
                page.url.replace(old, new),
                method=page.method,
                body=page.body.replace(old.encode(), new.encode()),
                headers=page.headers,
                meta=meta,
                callback=NO_CALLBACK,
                dont_filter=True,
            )
        request = Request(
            url, callback=NO_CALLBACK, meta={key: page.meta[key] for key in _WAY_META if key in page.meta}
        )
        for name in _WAY_HEADERS:
            if value := page.headers.get(name):
                request.headers[name] = value
        return request

    def _spelling_in_page(self) -> Callable[[str], str] | None:
        haystack = self._page.url + self._page.body.decode("latin-1")
        spellings: tuple[Callable[[str], str], ...] = (lambda url: quote(url, safe=""), quote, lambda url: url)
        return next((spelling for spelling in spellings if spelling(self._target) in haystack), None)


def _bounded_factory(make: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """A factory of connections, whose answers have bounded headers."""
    factory = make(*arguments, **options)
    build = factory.buildProtocol

    def built(address: Any) -> Any:
        connection = build(address)
        send = connection.request

        def sent(request: Any) -> Any:
            answer = send(request)
            if (parser := getattr(connection, "_parser", None)) is not None and hasattr(parser, "line_mode"):
                _bound_headers(parser, connection)
            return answer

        connection.request = sent
        return connection

    factory.buildProtocol = built
    return factory


def _bound_headers(parser: Any, connection: Any) -> None:
    receive, received_bytes = parser.dataReceived, 0

    def bounded(data: bytes) -> None:
        nonlocal received_bytes
        if not parser.line_mode:  # the body has begun
            del parser.dataReceived
        else:
            received_bytes += len(data)
            if received_bytes > MAX_HEADER_BYTES:
                break_off()
        receive(data)

    def break_off(_: bytes = b"") -> None:
        # To close politely a TLS connection waits for the server, and takes what it sends meanwhile.
        connection.transport.abortConnection()
        raise HeadersTooLong

    parser.dataReceived, parser.lineLengthExceeded = bounded, break_off


@contextmanager
def _extra_place(engine: Any) -> Iterator[None]:
    """One more place in CONCURRENT_REQUESTS for as long as a download of ours takes one."""
    downloader: Any = getattr(engine, "downloader", None)
    extra = 1 if getattr(downloader, "total_concurrency", 0) else 0
    if extra:
        downloader.total_concurrency += extra
    try:
        yield
    finally:
        if extra:
            downloader.total_concurrency -= extra


def _slot(crawler: Crawler, request: Request) -> Any:
    downloader = crawler.engine.downloader
    try:
        return downloader.slots.get(downloader.get_slot_key(request))
    except AttributeError:  # a downloader without slots: Scrapy's coming throttler, or one of the project's own
        return None


def _in_line(crawler: Crawler, request: Request) -> Any:
    """The request's entry in its slot's line, while it waits there for its turn; else None."""
    line = getattr(_slot(crawler, request), "queue", ())
    return next((entry for entry in line if entry[0].meta.get(OWN_DOWNLOAD) is request.meta[OWN_DOWNLOAD]), None)


async def _within(coroutine: Coroutine[Any, Any, Response], timeout_s: float, begun: Callable[[], bool]) -> Response:
    """The result of a download that is given up `timeout_s` after it has begun; raises TimeoutError."""
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


def is_unresolved(error: Exception | None) -> bool:
    """Whether a download failed as its host name has no address: twisted's DNSLookupError, Scrapy's of other names."""
    return any(phrase == UNRESOLVED and part in type(error).__name__ for part, phrase in _FAILURES)


def _phrase(error: Exception, timeout_s: float) -> str:
    name = type(error).__name__
    if isinstance(error, StopDownload):
        return _STOPPED
    if HeadersTooLong.__name__ in str(error):  # one of a list of reasons
        return str(HeadersTooLong())
    phrase = next((phrase for part, phrase in _FAILURES if part in name), "")
    if phrase == "timed out":
        return f"timed out after {timeout_s:g} s"
    return phrase or f"{name}: {error}"[:200].rstrip(": ")


def _is_of_project(error: Exception) -> bool:
    """Whether the project's own code has raised it: neither the network, nor the libraries that use it."""
    if isinstance(error, StopDownload):
        return True
    return not isinstance(error, (OSError, IgnoreRequest)) and type(error).__module__.partition(".")[0] not in _NETWORK


def _reply(response: Response, request: Request, intake: BoundedBody, max_bytes: int, elapsed_s: float) -> Reply:
    if "download_stopped" in response.flags and not intake.stopped:
        raise DownloadFailed(_STOPPED, IgnoreRequest(f"{request.url}: {_STOPPED}"))
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
