"""The log of what happens: the first of a kind at INFO, the rest counted elsewhere and told at DEBUG; a WARNING or an
ERROR for what a person has to look at, a bounded number of times."""

from __future__ import annotations

import logging
from collections import Counter
from typing import TYPE_CHECKING
from weakref import ref

from scrapy_polite._crawl import spider_of
from scrapy_polite.events.values import (
    HostAbandoned,
    HostClosed,
    HostOpened,
    ItemDropped,
    LimitUnmet,
    MainHostNamed,
    RequestRefused,
    WaitTooLong,
)
from scrapy_polite.text import counted, duration, printable

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from scrapy_polite.decision import Decision
    from scrapy_polite.events.stats import Join

logger = logging.getLogger(__name__)

#: URLs that are too long are an ERROR: the first, the tenth, the hundredth of an origin; so many in all.
_MAX_ERRORS, _MAX_ORIGINS = 100, 1_000
#: Hosts of which it is known that their closing was told at INFO, so that their opening is told alike.
_MAX_TOLD_CLOSED = 1_000
#: Abandoned hosts that are named, each once.
_MAX_ABANDONED = 20
#: Host lines of robots.txt that are told of at INFO.
_MAX_MAIN_HOSTS = 20
#: Limits, budgets and windows that cannot be met.
_MAX_UNMET = 20


class EventLog:
    """`max_idle_s`: a host that is closed for longer than this may end the crawl, so each is told."""

    def __init__(self, crawler: Crawler, max_idle_s: float) -> None:
        self._crawler = ref(crawler)
        self._max_idle_s = max_idle_s
        self._told: set[str] = set()
        self._too_long: Counter[str] = Counter()
        self._errors = 0
        self._abandoned: set[str] = set()
        self._told_closed: set[str] = set()
        self._unmet = self._main_hosts = 0

    def join(self, read: Join) -> None:
        read(RequestRefused, self._refused)
        read(ItemDropped, self._item_dropped)
        read(WaitTooLong, self._wait_too_long)
        read(HostClosed, self._host_closed)
        read(HostOpened, self._host_opened)
        read(HostAbandoned, self._host_abandoned)
        read(LimitUnmet, self._limit_unmet)
        read(MainHostNamed, self._main_host_named)

    def _refused(self, event: RequestRefused) -> None:
        would = "Would defer" if event.decision.pattern else "Would refuse"
        self._decided(would if event.audit else "Refused", event.url, event.decision)
        if event.decision.reason == "trap/url-length":
            self._url_too_long(event)

    def _item_dropped(self, event: ItemDropped) -> None:
        what = "Would drop an item of" if event.audit else "Dropped an item of"
        self._decided(what, event.url, event.decision)

    def _decided(self, what: str, url: str, decision: Decision) -> None:
        first = self._is_first(f"{what} {decision.reason}")
        level = logging.INFO if first else logging.DEBUG
        if logger.isEnabledFor(level):
            more = "; further ones of this kind are counted and logged at DEBUG" if first else ""
            self._log(level, "%s %s (%s)%s", what, printable(url), printable(str(decision), 300), more)

    def _url_too_long(self, event: RequestRefused) -> None:
        if len(self._too_long) >= _MAX_ORIGINS and event.origin not in self._too_long:
            return
        self._too_long[event.origin] += 1
        times = self._too_long[event.origin]
        if self._errors < _MAX_ERRORS and str(times).strip("0") == "1":
            self._errors += 1
            self._log(
                logging.ERROR,
                "%s: %s too long so far, lately %s (%s). Look at them: an endless space, or a fault of the site",
                printable(event.origin),
                counted(times, "URL"),
                printable(event.url),
                printable(str(event.decision), 300),
            )

    def _wait_too_long(self, event: WaitTooLong) -> None:
        if self._is_first("WaitTooLong"):
            self._log(
                logging.WARNING,
                "%s does not wait for longer than POLITE_WAIT_MAX (%s): refused; further ones are counted in the "
                "summary and the stats",
                printable(event.url),
                printable(str(event.decision), 300),
            )

    def _host_closed(self, event: HostClosed) -> None:
        first = self._is_first("HostClosed")
        told = first or event.seconds > self._max_idle_s
        if told and len(self._told_closed) < _MAX_TOLD_CLOSED:
            self._told_closed.add(event.host)
        self._log(
            logging.INFO if told else logging.DEBUG,
            "%s is closed for %s (%s)%s",
            printable(event.host),
            duration(event.seconds),
            printable(event.why),
            "; further ones that are no longer than POLITE_MAX_IDLE are counted and logged at DEBUG" if first else "",
        )

    def _host_opened(self, event: HostOpened) -> None:
        level = logging.INFO if event.host in self._told_closed else logging.DEBUG
        self._told_closed.discard(event.host)
        self._log(level, "%s is open again", printable(event.host))

    def _host_abandoned(self, event: HostAbandoned) -> None:
        if event.host in self._abandoned or len(self._abandoned) > _MAX_ABANDONED:
            return
        self._abandoned.add(event.host)
        if len(self._abandoned) > _MAX_ABANDONED:
            more = "Further hosts are abandoned; what was refused for it is counted in the summary and the stats"
            self._log(logging.WARNING, more)
            return
        host, why = printable(event.host), printable(event.why)
        self._log(logging.WARNING, "%s is abandoned (%s): %s refused", host, why, counted(event.requests, "request"))

    def _limit_unmet(self, event: LimitUnmet) -> None:
        if self._unmet > _MAX_UNMET:
            return
        self._unmet += 1
        if self._unmet > _MAX_UNMET:
            self._log(logging.WARNING, "Further budgets and windows cannot be met: `scrapy polite report` has them")
            return
        self._log(
            logging.WARNING,
            "scrapy-polite: not all can be done: %s. %s are left then: %s",
            event.text,
            counted(event.requests, "request"),
            event.advice,
        )

    def _main_host_named(self, event: MainHostNamed) -> None:
        self._main_hosts += 1
        doing = f"noted only ({event.why})" if event.why else "followed: its pages are asked there"
        self._log(
            logging.INFO if self._main_hosts <= _MAX_MAIN_HOSTS else logging.DEBUG,
            "The robots.txt of %s names %s as the main host: %s",
            printable(event.origin),
            printable(event.line, 100),
            printable(doing, 300),
        )

    def _is_first(self, kind: str) -> bool:
        first = kind not in self._told
        self._told.add(kind)
        return first

    def _log(self, level: int, text: str, *values: object) -> None:
        logger.log(level, text, *values, extra={"spider": spider_of(self._crawler)})
