"""LimitWarnings: the extension that warns as soon as a time limit, a budget or a window cannot be met.

What the limit leaves undone is worked out by `runs.forecast`, from what the snapshots of the run record say too.
"""

from __future__ import annotations

import sys
from math import inf
from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.exceptions import NotConfigured

from scrapy_polite import _loop, clock
from scrapy_polite._crawl import shared
from scrapy_polite.events import Events, LimitUnmet
from scrapy_polite.monitor.queues import Queues
from scrapy_polite.monitor.waits import Waits
from scrapy_polite.runs.forecast import Standing, unmet
from scrapy_polite.services.robots import at_prompt
from scrapy_polite.text import duration

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from typing_extensions import Self

#: How often it is looked; more often where the crawl's own time limit is short, as a share of that.
_EVERY_S, _SHARE, _LEAST_S = 1.0, 0.01, 0.1
#: After so many looks only each fifth one is at limits: what shows so late is no matter of a second.
_FIRST_LOOKS, _LATER_EACH = 20, 5
#: Limits and hosts that are told, each once.
_MAX_TOLD = 1_000


class Forecasts:
    """`shared(crawler, Forecasts)`: the forecast of a crawl that runs."""

    def __init__(self, crawler: Crawler) -> None:
        self._queues = shared(crawler, Queues)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def standing(self, now: float) -> Standing | None:
        return Standing.of([{"at": clock.wall(now), "queues": self._queues.facts(now)}])

    def text(self, now: float) -> str:
        """When all that is queued is done, in short; empty where that cannot be said."""
        standing = self.standing(now)
        if standing is None or not standing.hosts or standing.ends_at == inf:
            return ""
        least = " at least" if standing.lower_bound else ""
        return f"queued work takes{least} {duration(standing.ends_at - standing.at)}"


class LimitWarnings:
    """Publishes `LimitUnmet` for each limit of the crawl, and each host's own, that cannot be met; each once."""

    def __init__(self, crawler: Crawler) -> None:
        if at_prompt(sys.orig_argv):
            raise NotConfigured
        self._events = shared(crawler, Events)
        self._queues = shared(crawler, Queues)
        self._waits = shared(crawler, Waits)
        self._forecasts = shared(crawler, Forecasts)
        limit_s = crawler.settings.getfloat("CLOSESPIDER_TIMEOUT")
        self._every_s = max(min(_EVERY_S, limit_s * _SHARE or _EVERY_S), _LEAST_S)
        self._told: set[tuple[str, str]] = set()
        self._looks = 0
        self._timer: _loop.Every | None = None
        crawler.signals.connect(self._spider_opened, signals.spider_opened)
        crawler.signals.connect(self._spider_closed, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def _spider_opened(self) -> None:
        self._timer = _loop.Every(self._every_s, self._look)

    def _spider_closed(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _look(self) -> None:
        now = clock.now()
        self._queues.step(now)
        self._waits.step(now)
        self._looks += 1
        is_due = self._looks <= _FIRST_LOOKS or self._looks % _LATER_EACH == 0
        if not is_due or not self._queues.has_limits or len(self._told) >= _MAX_TOLD:
            return
        standing = self._forecasts.standing(now)
        for one in unmet(standing) if standing is not None else ():
            if one.key not in self._told:
                self._told.add(one.key)
                self._events.publish(
                    LimitUnmet(one.setting, one.host, one.until, one.share, one.requests, one.text, one.advice)
                )
