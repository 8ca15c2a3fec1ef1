"""What a crawl makes of how a download ended: what it says of the host, and what is kept of it."""

from __future__ import annotations

import asyncio
import ssl
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request, exceptions
from scrapy.exceptions import IgnoreRequest, NotSupported, StopDownload
from scrapy.http import Response
from scrapy.utils.asyncio import is_asyncio_available
from scrapy.utils.reactor import install_reactor
from twisted.internet.defer import CancelledError
from twisted.internet.error import ConnectionRefusedError as TwistedRefused

from crawlers import crawler
from scrapy_polite.origin import Origin
from scrapy_polite.services import host_failures
from scrapy_polite.services.pacing import CrawlPacing

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy_polite.pacing.gate import Gate

REFUSED = TwistedRefused("refused")


def in_loop(test: Callable[[CrawlPacing], None], settings: dict[str, Any] | None = None) -> None:
    async def run() -> None:
        try:
            is_asyncio_available()
        except RuntimeError:  # before Scrapy 2.15 a running loop does not suffice
            install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")
        crawl = crawler({"POLITE_STORE": "memory"} | (settings or {}))
        test(CrawlPacing(crawl))

    asyncio.run(run())


def end(pacing: CrawlPacing, url: str, response: Response | None, error: Exception | None) -> Gate:
    """Have a request to `url` end so."""
    request, origin = Request(url), Origin.from_url(url)
    gate = pacing.gate(origin)
    gate.lanes = 1
    pacing.take(request, gate, origin, 1_000.0, None)
    pacing.leaves(request)
    pacing.finished(request, response, error)
    return gate


def stopped(status: int) -> StopDownload:
    error = StopDownload(fail=True)
    error.response = Response("http://a.example/", status=status, headers={"Retry-After": "60"})
    return error


BROKEN_OFF = getattr(exceptions, "DownloadCancelledError", CancelledError)
CERTIFICATE = ssl.SSLCertVerificationError("does not fit")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        pytest.param(REFUSED, "trouble", id="refused"),
        pytest.param(TimeoutError(), "trouble", id="timed out"),
        pytest.param(CERTIFICATE, "trouble", id="certificate"),
        pytest.param(type("HandlersOwn", (Exception,), {})(), "trouble", id="a handler's own"),
        pytest.param(BROKEN_OFF("too large"), "reachable", id="too large"),
        pytest.param(CancelledError(), "reachable", id="too large, as Twisted says it"),
        pytest.param(stopped(200), "reachable", id="stopped"),
        pytest.param(StopDownload(), "reachable", id="stopped, without its response"),
        pytest.param(stopped(503), "trouble", id="stopped with a 503"),
        pytest.param(IgnoreRequest(), "nothing", id="ignored"),
        pytest.param(NotSupported(), "nothing", id="not supported"),
        pytest.param(ValueError(), "nothing", id="ValueError"),
        pytest.param(NotImplementedError(), "nothing", id="not implemented"),
        pytest.param(KeyError(), "nothing", id="KeyError"),
        pytest.param(AttributeError(), "nothing", id="AttributeError"),
    ],
)
def test_what_an_error_says_of_the_host(error: Exception, said: str) -> None:
    def fail(pacing: CrawlPacing) -> None:
        for number in range(2):
            gate = end(pacing, f"http://a.example/{number}", None, REFUSED)
        gate = end(pacing, "http://a.example/last", None, error)
        assert (gate.backoff is not None and gate.backoff.until > 0) is (said == "trouble")
        assert (gate.backoff is None) is (said == "reachable")

    in_loop(fail)


def test_the_errors_of_the_hosts_that_failed_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_failures, "MAX_ERRORS", 3)

    def fail(pacing: CrawlPacing) -> None:
        for host in ("a", "b", "c", "a", "d", "e"):
            end(pacing, f"http://{host}.example/", None, ConnectionError(host))
        assert list(map(str, pacing.failures.errors.values())) == ["a", "d", "e"]
        end(pacing, "http://a.example/", Response("http://a.example/"), None)
        assert list(map(str, pacing.failures.errors.values())) == ["d", "e"]

    in_loop(fail)


@pytest.mark.parametrize(("per_ip", "expected"), [(0, 8), (3, 3)])
def test_as_many_at_once_as_the_downloaders_slot_lets_go(per_ip: int, expected: int) -> None:
    def ask(pacing: CrawlPacing) -> None:
        assert pacing.gate(Origin.from_url("http://a.example/")).concurrency == expected

    in_loop(ask, {"CONCURRENT_REQUESTS_PER_DOMAIN": 8, "CONCURRENT_REQUESTS_PER_IP": per_ip})
