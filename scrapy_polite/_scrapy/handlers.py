"""Scrapy's download handlers for http and https, and the HTTP clients in them: Twisted, aiohttp or httpx.

Handlers of other schemes, and those of the project's own, are left as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from scrapy_polite._scrapy.downloader import downloader_of
from scrapy_polite._scrapy.private import private

#: Bytes of an answer's status line and headers, as in Chrome. Twisted bounds one line (16 KiB), but not their number.
MAX_HEADER_BYTES = 256 * 1024


class HeadersTooLong(Exception):
    def __init__(self) -> None:
        super().__init__(f"headers longer than {MAX_HEADER_BYTES // 1024} KiB")


@private(
    uses="`downloader.handlers._get_handler()`",
    versions="2.14 on",
    fallback="handlers keep their limits, and send requests again",
    ask="`crawler.get_download_handler(scheme)`",
)
def http_handlers(engine: Any) -> Iterator[Any]:
    """The download handlers of http and https."""
    handler_of = getattr(getattr(downloader_of(engine), "handlers", None), "_get_handler", lambda scheme: None)
    return filter(None, map(handler_of, ("http", "https")))


@private(
    uses="httpx: `handler._limits`, `_make_client()`, `_default_client`; aiohttp: `handler._session.connector._limit`",
    versions="2.15 on, without a reactor",
    fallback="a robots.txt that hangs keeps a connection from pages",
    ask="handlers that count no connections: the downloader does",
)
def unbind_connections(engine: Any) -> None:
    """Let downloads of our own have connections beyond CONCURRENT_REQUESTS, where the handler counts them.

    What hangs would keep out the pages of all other hosts. How many pages are under way at once is still the
    downloader's affair. To be called before anything is downloaded.
    """
    for handler in http_handlers(engine):
        if hasattr(handler, "_limits") and hasattr(handler, "_make_client"):  # httpx
            handler._limits.max_connections = None
            handler._default_client = handler._make_client()
        connector = getattr(getattr(handler, "_session", None), "connector", None)
        if connector is not None and hasattr(connector, "_limit"):  # aiohttp
            connector._limit = 0


@private(
    uses="Twisted: `handler._pool.retryAutomatically`; aiohttp: `handler._session._retry_connection`",
    versions="2.14 on; 2.15 on without a reactor",
    fallback="a request whose kept-alive connection is lost goes out twice, uncounted",
    ask="a setting that leaves this to RetryMiddleware",
)
def resend_nothing(engine: Any) -> None:
    """Have a request fail whose kept-alive connection was lost, instead of being sent again at once, unseen by us."""
    for handler in http_handlers(engine):
        if hasattr(getattr(handler, "_pool", None), "retryAutomatically"):
            handler._pool.retryAutomatically = False
        if hasattr(getattr(handler, "_session", None), "_retry_connection"):
            handler._session._retry_connection = False


@private(
    uses="Twisted: `handler._pool._factory`, `connection._parser`, its `line_mode` and `lineLengthExceeded`",
    versions="2.14 on, with a reactor",
    fallback="headers without end fill the memory; aiohttp (128 of 8 KiB) and httpx (100 KiB) have bounds of their own",
    ask="a bound on headers beside `DOWNLOAD_MAXSIZE`",
)
def bound_headers(engine: Any) -> None:
    """Break off whatever answers with headers of more than 256 KiB; its download fails.

    To be called before anything is downloaded.
    """
    for handler in http_handlers(engine):
        pool: Any = getattr(handler, "_pool", None)
        if hasattr(pool, "_factory"):
            pool._factory = partial(_bounded_factory, pool._factory)


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
