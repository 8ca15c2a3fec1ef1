"""Progress: the extension that says every now and then how fast the crawl goes, and what it waits for.

A line in the log or, where that would be seen on a terminal and tqdm is installed, a bar below the log.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from importlib import import_module
from typing import TYPE_CHECKING, Any, TextIO

from scrapy import signals
from scrapy.exceptions import NotConfigured

from scrapy_polite import _loop, clock
from scrapy_polite._crawl import shared
from scrapy_polite._engine import Engine
from scrapy_polite.monitor.hosts import HostStates
from scrapy_polite.monitor.limits import Forecasts
from scrapy_polite.services.pacing import CrawlPacing
from scrapy_polite.services.robots import at_prompt
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.text import printable

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from typing_extensions import Self

logger = logging.getLogger(__name__)

_BAR_S = 1.0
#: Queued requests of one place from which on it is named.
_NAMED_FROM = 1_000


class Progress:
    """Logs every `POLITE_PROGRESS` seconds how fast the crawl goes and what it waits for, or draws a bar (tqdm)."""

    def __init__(self, crawler: Crawler) -> None:
        self._every_s = shared(crawler, PoliteSettings).progress
        if not self._every_s or at_prompt(sys.orig_argv):
            raise NotConfigured
        self.crawler = crawler
        self._pacing = shared(crawler, CrawlPacing)
        self._engine = shared(crawler, Engine)
        self._hosts = shared(crawler, HostStates)
        self._forecasts = shared(crawler, Forecasts)
        self._timer: _loop.Every | None = None
        self._bar: _Bar | None = None
        self._began = self._last_at = 0.0
        self._last_pages = 0
        crawler.signals.connect(self._spider_opened, signals.spider_opened)
        crawler.signals.connect(self._spider_closed, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def _spider_opened(self) -> None:
        self._began = self._last_at = time.monotonic()
        self._bar = _Bar.on_terminal()
        if self._bar is None:
            self._timer = _loop.Every(self._every_s, self._log)
        else:
            self._timer = _loop.Every(min(self._every_s, _BAR_S), self._draw)

    def _spider_closed(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._bar is not None:
            self._draw()
            self._bar.close()

    def _log(self) -> None:
        now, pages = time.monotonic(), self._pages()
        rates = (pages - self._last_pages) / (now - self._last_at), pages / (now - self._began)
        self._last_at, self._last_pages = now, pages
        hosts = self._hosts.look(clock.now())
        parts = (
            f"{pages:,} pages ({rates[0]:.3g} a second, {rates[1]:.3g} in all)",
            f"{self._hosts.queued:,} requests queued{self._largest()}",
            self._in_job(),
            str(hosts),
            hosts.next_text(clock.now()),
            self._forecasts.text(clock.now()),
        )
        logger.info("scrapy-polite: %s", "; ".join(filter(None, parts)), extra={"spider": self.crawler.spider})

    def _draw(self) -> None:
        if self._bar is not None:
            now = clock.now()
            hosts = self._hosts.look(now)
            self._bar.draw(self._pages(), self._hosts.queued, [str(hosts), hosts.next_text(now)])

    def _pages(self) -> int:
        """The answers so far, but for those to our own requests for robots.txt."""
        get = self.crawler.stats.get_value
        return max(int(get("response_received_count", 0)) - int(get("robotstxt/response_count", 0)), 0)

    @property
    def _scheduler(self) -> Any:
        """This package's, once it is there; None for another."""
        return self._engine.scheduler if self._pacing.has_scheduler else None

    def _largest(self) -> str:
        """Where most of what is queued is of one place: which, for it may be a trap that nobody can tell yet."""
        if (scheduler := self._scheduler) is None:
            return ""
        count, place = scheduler.census.largest()
        # Nothing is queued any more in a queue that has been closed.
        is_most = max(_NAMED_FROM, self._hosts.queued / 2) <= count <= self._hosts.queued
        return f", {count:,} of them of {printable(place, 100)}" if is_most else ""

    def _in_job(self) -> str:
        """What there is for all processes that share a queue."""
        if (scheduler := self._scheduler) is None:
            return ""
        totals = scheduler.shared_totals
        return f"with all processes {totals.queued:,} queued, {totals.in_flight:,} taken" if totals is not None else ""


class _Bar:
    """A bar of tqdm below the log, whose lines go above it as long as the bar is there."""

    @classmethod
    def on_terminal(cls) -> _Bar | None:
        """None where nobody would see the lines it stands for, where they go elsewhere, or where it cannot be drawn."""
        handlers = [
            handler
            for handler in logging.root.handlers
            if isinstance(handler, logging.StreamHandler)
            and handler.stream is sys.stderr
            and handler.level <= logging.INFO
        ]
        if not handlers or not sys.stderr.isatty() or not _size_known(sys.stderr):
            return None
        try:
            return cls(import_module("tqdm").tqdm, handlers)
        except ImportError:
            return None

    def __init__(self, tqdm: Any, handlers: list[logging.StreamHandler[Any]]) -> None:
        self._bar = tqdm(unit=" pages", file=sys.stderr, dynamic_ncols=True, mininterval=0, miniters=0)
        self._handlers = [(handler, handler.stream) for handler in handlers]
        for handler, stream in self._handlers:
            handler.setStream(_AboveBar(stream, tqdm))

    def draw(self, pages: int, queued: int, texts: list[str]) -> None:
        self._bar.total = pages + queued
        self._bar.set_postfix_str("; ".join(filter(None, texts)), refresh=False)
        if pages > self._bar.n:
            self._bar.update(pages - self._bar.n)
        else:
            self._bar.refresh()  # an update by nothing would count as the start of the next one's time

    def close(self) -> None:
        for handler, stream in self._handlers:
            handler.setStream(stream)
        self._bar.close()


def _size_known(terminal: TextIO) -> bool:
    """False for one that says its size is 0 by 0, as those of `script` and of containers: tqdm would draw nothing."""
    try:
        return all(os.get_terminal_size(terminal.fileno()))
    except (OSError, ValueError):  # tqdm has a size of its own then
        return True


class _AboveBar:
    """A stream that writes above whatever bars there are.

    In place of `tqdm.contrib.logging`, which puts a handler of its own in place of ours: without its level.
    """

    def __init__(self, stream: Any, tqdm: Any) -> None:
        self._stream = stream
        self._write = tqdm.write

    def write(self, text: str) -> None:
        self._write(text, file=self._stream, end="")

    def flush(self) -> None:
        self._stream.flush()
