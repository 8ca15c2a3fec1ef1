"""Parts for crawls whose pace is tested: extensions that change what surrounds the package, or look into it."""

from __future__ import annotations

import os
import signal
import socket
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.core.downloader import Downloader
from scrapy.exceptions import IgnoreRequest, StopDownload

from scrapy_polite._crawl import shared
from scrapy_polite.services import host_failures, pacing
from scrapy_polite.store.sqlite.store import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Headers


class LoopbackNames:
    """Every name below `shop.com` is this machine."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Any:
        socket.getaddrinfo = partial(_resolved, socket.getaddrinfo)
        socket.gethostbyname = partial(_resolved, socket.gethostbyname)
        return cls()


def _resolved(resolve: Callable[..., Any], host: str | bytes, *rest: Any, **more: Any) -> Any:
    name = host.decode() if isinstance(host, bytes) else host
    return resolve("127.0.0.1" if name.endswith(".shop.com") else host, *rest, **more)


class SlotsCollected:
    """The downloader drops its slots as soon as they are idle."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Any:
        Downloader._SLOT_GC_INTERVAL = 0.05
        Downloader._slot_gc.__defaults__ = (0.05,)
        return cls()


class QuickExchange:
    """Crawls on one store tell each other of embargoes more often than every two seconds."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Any:
        pacing.EXCHANGE_S = 0.2
        return cls()


class ImpatientStore:
    """The store waits for another's lock no longer than a fifth of a second."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Any:
        SqliteStore.__init__.__kwdefaults__["busy_timeout_s"] = 0.2
        return cls()


class Together:
    """No crawl begins before as many as CRAWLS_TOGETHER have come: each leaves a file in CRAWLS_MEET_IN."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Any:
        folder, waiting_until = Path(crawler.settings["CRAWLS_MEET_IN"]), time.monotonic() + 60
        folder.mkdir(exist_ok=True)
        (folder / str(os.getpid())).touch()
        while len(list(folder.iterdir())) < crawler.settings.getint("CRAWLS_TOGETHER"):
            if time.monotonic() > waiting_until:
                raise TimeoutError(f"fewer than {crawler.settings['CRAWLS_TOGETHER']} crawls within a minute")
            time.sleep(0.01)
        return cls()


class StopsBeforeSending:
    """Stops its process (SIGSTOP) when the request that ends with STOPS_AT has passed all that is before it, and leaves
    the file STOPPED."""

    def __init__(self, settings: Any) -> None:
        self.stops_at = settings["STOPS_AT"]
        self.stopped = Path(settings["STOPPED"])

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Any:
        return cls(crawler.settings)

    def process_request(self, request: Request) -> None:
        if request.url.endswith(self.stops_at):
            self.stopped.touch()
            os.kill(os.getpid(), signal.SIGSTOP)


class NoPdf:
    """Breaks off the download of whatever says that it is a PDF, and has it fail."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Any:
        made = cls()
        crawler.signals.connect(made.judge, signals.headers_received)
        return made

    def judge(self, headers: Headers) -> None:
        if headers.get(b"Content-Type") == b"application/pdf":
            raise StopDownload(fail=True)


class Nearest:
    """A downloader middleware nearer to the network than ours: fails as a request's meta `fails` says."""

    def process_request(self, request: Request) -> None:
        fails = request.meta.get("fails")
        if fails == "refused":
            raise IgnoreRequest("by the nearest")
        if fails == "defect":
            raise ValueError("no number")


class OneError:
    """Of the errors of failing hosts one is kept."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Any:
        host_failures.MAX_ERRORS = 1
        return cls()


class GatesCounted:
    """The stat `test/gates`: how many gates there are at the end."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Any:
        counted = cls()
        counted.crawler = crawler
        crawler.signals.connect(counted.count, signals.spider_closed)
        return counted

    def count(self) -> None:
        self.crawler.stats.set_value("test/gates", len(shared(self.crawler, pacing.CrawlPacing).gates))


class Throttler:
    """What Scrapy's coming throttler is to look like; the stat `test/base_delays` has what it was told, by host."""

    def __init__(self, crawler: Crawler) -> None:
        self.delays: dict[str, float] = {}
        crawler.stats.set_value("test/base_delays", self.delays)
        crawler.throttler = self

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Any:
        return cls(crawler)

    def get_scopes(self, request: Request) -> list[str]:
        return [request.url.split("/")[2]]

    def get_scope_manager(self, scope: str) -> _Scope:
        return _Scope(self.delays, scope)


class _Scope:
    def __init__(self, delays: dict[str, float], name: str) -> None:
        self._delays = delays
        self._name = name

    def set_base_delay(self, seconds: float, *, only_increase: bool = False) -> None:
        self._delays[self._name] = max(seconds, self._delays.get(self._name, 0.0) if only_increase else 0.0)
