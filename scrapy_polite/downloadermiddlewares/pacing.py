"""Every host's pace, kept nearest to the network."""

from __future__ import annotations

import logging
import math
from typing import TYPE_CHECKING

from scrapy import signals

from scrapy_polite._crawl import shared
from scrapy_polite._engine import OWN_DOWNLOAD, RequestDeferred
from scrapy_polite.decision import Decision
from scrapy_polite.downloadermiddlewares.refusal import CLOSING, fresh, kept_by_queue, patience_s, refusal_of
from scrapy_polite.events import Events, WaitTooLong
from scrapy_polite.origin import origin_of
from scrapy_polite.services.pacing import CrawlPacing
from scrapy_polite.services.robots import CrawlRobots
from scrapy_polite.settings import PoliteSettings

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self


logger = logging.getLogger(__name__)


class PacingMiddleware:
    """Keeps every host's pace, nearest to the network: sees a request last and its response first.

    A request that our scheduler let go has passed its host's gate already. Any other (a media pipeline's, say) waits
    for the gate in place; while its host is closed at most `POLITE_WAIT_MAX` or meta `polite_wait_max` seconds.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._settings = shared(crawler, PoliteSettings)
        self._pacing = shared(crawler, CrawlPacing)
        self._events = shared(crawler, Events)
        self._robots = shared(crawler, CrawlRobots)
        self._wait_max_s = self._robots.wait_max_s
        self._pacing.middleware_enabled = True
        crawler.signals.connect(self._spider_opened, signals.spider_opened)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def process_request(self, request: Request) -> Request | None:
        if request.url.startswith(("data:", "file:")):
            return None
        found = self._pacing.popped(request)
        if found is None:
            if (kept := await self._in_place(request)) is not None:
                return kept
        elif found.abandoned is not None:
            abandoned = found.abandoned
            decision = abandoned.decision or Decision(False, "robots/unreachable")
            refusal = refusal_of(self.crawler, request, found.origin or found.gate.key, request.url, decision)
            raise refusal if abandoned.error is None else fresh(abandoned.error)
        else:
            may_leave = not self._pacing.shut_meanwhile(found) and await self._pacing.may_be_sent(request)
            if not may_leave and self._pacing.give_back(request):
                return request
        self._pacing.leaves(request, self._robots.leaves(request))
        return None

    async def _in_place(self, request: Request) -> Request | None:
        """Wait for the host; a request is for a persistent queue to keep, as the crawl closes before it may leave."""
        target = self._settings.target_url(request) if self._settings.target_url else request.url
        origin = origin_of(target)
        most_s = math.inf if OWN_DOWNLOAD in request.meta else patience_s(request, self._wait_max_s)
        decision = await self._pacing.wait_in_place(request, origin, most_s)
        if decision is None:
            return None
        if OWN_DOWNLOAD in request.meta:
            raise RequestDeferred(str(decision))
        if decision.reason in CLOSING and (kept := kept_by_queue(self.crawler, request)) is not None:
            return kept
        if decision.wait_until is not None:
            self._events.publish(WaitTooLong(target, decision))
        raise refusal_of(self.crawler, request, origin or "(no origin)", target, decision)

    def process_response(self, request: Request, response: Response) -> Response:
        self._pacing.finished(request, response, None)
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        found = self._pacing.in_flight_requests.get(request)
        if found is not None and found.abandoned is not None:
            del self._pacing.in_flight_requests[request]
            raise exception  # straight to the errback: it is not tried again
        self._pacing.finished(request, None, exception)

    def _spider_opened(self) -> None:
        self._pacing.slots.without_jitter()
        if self._pacing.has_scheduler:
            return
        logger.info(
            "scrapy-polite: the project keeps its own scheduler: what waits for a Crawl-delay holds places in "
            "CONCURRENT_REQUESTS, and what waits for a host that is closed is refused after %g s (POLITE_WAIT_MAX)",
            self._wait_max_s,
            extra={"spider": self.crawler.spider},
        )
