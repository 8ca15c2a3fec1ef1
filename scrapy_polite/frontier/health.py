"""What the scheduler does about a queue that cannot be read or written."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from scrapy_polite import clock
from scrapy_polite._crawl import shared
from scrapy_polite.events import Events, Fault, Recovered
from scrapy_polite.text import duration

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from scrapy_polite._engine import Engine
    from scrapy_polite.frontier.queue import FrontierError

logger = logging.getLogger(__name__)


class QueueHealth:
    """Says once that the queue fails; ends a crawl that has nothing to do but wait for it, after `max_idle_s`."""

    def __init__(self, crawler: Crawler, engine: Engine, max_idle_s: float) -> None:
        self._crawler = crawler
        self._engine = engine
        self._max_idle_s = max_idle_s
        self._fault = ""
        self._fault_since = 0.0
        self._failing_since = 0.0
        #: Nothing is queued any more.
        self.is_lost = False
        #: What may not be repeated, while it is written that it leaves.
        self.leaving: set[Request] = set()

    @property
    def fault(self) -> tuple[float, str]:
        """Since when the queue fails, and why; 0 and empty: it does not."""
        return self._fault_since, self._fault

    def failed(self, error: FrontierError) -> None:
        # While the disk fails it is tried every second.
        if str(error) != self._fault:
            self._fault_since = self._fault_since or clock.now()
            self._fault = str(error)
            logger.error("%s", error, extra={"spider": self._crawler.spider})
            shared(self._crawler, Events).publish(Fault("queue", self._fault))

    def recovered(self, queue: str) -> None:
        away_s = clock.now() - (self._fault_since or clock.now())
        self._fault, self._fault_since = "", 0.0
        logger.info(
            "%s can be written again after %s: nothing is lost",
            queue,
            duration(away_s),
            extra={"spider": self._crawler.spider},
        )
        shared(self._crawler, Events).publish(Recovered("queue"))

    def lost(self, error: FrontierError) -> None:
        """What was queued is lost: to go on would look like a crawl that has ended well."""
        self.is_lost = True
        logger.error("%s", error, extra={"spider": self._crawler.spider})
        shared(self._crawler, Events).publish(Fault("queue", str(error)))
        self._engine.close_spider("polite_store_lost")

    def blocks(self, error: FrontierError) -> None:
        """Something waits for what could not be done."""
        self.failed(error)
        self._failing_since = self._failing_since or clock.now()
        at_rest = self._engine.at_rest or (self.leaving and self._engine.active <= self.leaving)
        if at_rest and clock.now() - self._failing_since > self._max_idle_s:
            self._engine.close_spider("polite_waiting")

    def works(self) -> None:
        self._failing_since = 0.0
