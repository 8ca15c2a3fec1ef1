"""Progress: the extension that says every now and then how fast the crawl goes, and what it waits for.

A line in the log or, where that would be seen on a terminal and tqdm is installed, a bar below the log.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exceptions import NotConfigured

from scrapy_polite import _loop
from scrapy_polite._crawl import shared
from scrapy_polite._engine import Engine
from scrapy_polite._pacing import CrawlPacing
from scrapy_polite._robots import at_prompt, duration
from scrapy_polite.ledger import printable
from scrapy_polite.origin import Origin
from scrapy_polite.settings import PoliteSettings

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from typing_extensions import Self

    from scrapy_polite.frontier.scheduler import Scheduler

logger = logging.getLogger(__name__)

#: Hosts that are looked at for one line; where there are more, so many stand for all.
MAX_LOOKED_AT = 1_000
_BAR_S = 1.0


@dataclass(frozen=True, slots=True)
class Opening:
    """When a closed host opens (epoch seconds), and what keeps it closed."""

    at: float
    host: str
    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class Hosts:
    """How many hosts with requests may be sent to at once and how many may not, and the first of these to open.

    Where `exact` is False this is an estimate, and hosts whose robots.txt is unreachable count as open.
    """

    open: int
    closed: int
    next: Opening | None = None
    exact: bool = True

    def __str__(self) -> str:
        about = "" if self.exact else "about "
        return f"hosts: {about}{self.open:,} open, {about}{self.closed:,} closed"

    def next_text(self, now: float) -> str:
        if self.next is None:
            return ""
        detail = f": {printable(self.next.detail, 80)}" if self.next.detail else ""
        host = printable(self.next.host, 60)
        return f"next to open: {host} in {duration(self.next.at - now)} ({self.next.reason}{detail})"


class Progress:
    def __init__(self, crawler: Crawler) -> None:
        self._every_s = shared(crawler, PoliteSettings).progress
        if not self._every_s or at_prompt(sys.orig_argv):
            raise NotConfigured
        self.crawler = crawler
        self._pacing = shared(crawler, CrawlPacing)
        self._engine = shared(crawler, Engine)
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
        hosts = self.hosts(time.time())
        parts = (
            f"{pages:,} pages ({rates[0]:.3g} a second, {rates[1]:.3g} in all)",
            f"{self._queued():,} requests queued",
            str(hosts),
            hosts.next_text(time.time()),
        )
        logger.info("scrapy-polite: %s", "; ".join(filter(None, parts)), extra={"spider": self.crawler.spider})

    def _draw(self) -> None:
        if self._bar is not None:
            now = time.time()
            hosts = self.hosts(now)
            self._bar.draw(self._pages(), self._queued(), [str(hosts), hosts.next_text(now)])

    def _pages(self) -> int:
        """The answers so far, but for those to our own requests for robots.txt."""
        get = self.crawler.stats.get_value
        return max(int(get("response_received_count", 0)) - int(get("robotstxt/response_count", 0)), 0)

    def _queued(self) -> int:
        try:
            return len(self._engine.scheduler)
        except TypeError:  # a scheduler need not know, and there is none when all is over
            return 0

    def hosts(self, now: float) -> Hosts:
        """Costs no more than looking at MAX_LOOKED_AT hosts, however many there are."""
        gates = self._pacing.gates
        few = len(gates) <= MAX_LOOKED_AT and sum(gate.lanes for gate in gates) <= MAX_LOOKED_AT
        if few and self._pacing.has_scheduler and (scheduler := self._engine.scheduler) is not None:
            return self._exact(scheduler, now)
        step = -(-len(gates) // MAX_LOOKED_AT) or 1
        seen = [gate for gate in list(gates)[::step] if gate.lanes or gate.in_flight]
        opens = {gate: opens_at for gate in seen if (opens_at := gate.opens_at(now)) > now}
        return Hosts(
            (len(seen) - len(opens)) * step,
            len(opens) * step,
            _first(Opening(at, gate.key, *gate.why(now)) for gate, at in opens.items()),
            exact=step == 1,
        )

    def _exact(self, scheduler: Scheduler, now: float) -> Hosts:
        closed: dict[str, Opening] = {}
        for waiting in scheduler.waiting(now):
            host = self._host(waiting.lane)
            opening = Opening(waiting.opens_at, host, waiting.reason, waiting.detail)
            closed[host] = min(opening, closed.get(host, opening), key=_at)
        return Hosts(max(scheduler.host_count - len(closed), 0), len(closed), _first(closed.values()))

    def _host(self, lane: str) -> str:
        """What has one pace with the others of its kind."""
        return lane if lane.endswith(":") else self._pacing.key(Origin.from_url(lane))


def _at(opening: Opening) -> float:
    return opening.at


def _first(openings: Iterable[Opening]) -> Opening | None:
    return min(openings, key=_at, default=None)


class _Bar:
    """A bar of tqdm below the log, whose lines go above it as long as the bar is there."""

    @classmethod
    def on_terminal(cls) -> _Bar | None:
        """None where nobody would see the lines it stands for, where they go elsewhere, or without tqdm."""
        handlers = [
            handler
            for handler in logging.root.handlers
            if isinstance(handler, logging.StreamHandler)
            and handler.stream is sys.stderr
            and handler.level <= logging.INFO
        ]
        if not handlers or not sys.stderr.isatty():
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
