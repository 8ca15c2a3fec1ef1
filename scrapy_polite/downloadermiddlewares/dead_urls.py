"""URLs that were answered with 404 or 410 lately, not asked for again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured

from scrapy_polite import _loop, clock
from scrapy_polite._crawl import shared
from scrapy_polite._engine import OWN_DOWNLOAD
from scrapy_polite.downloadermiddlewares.refusal import refusal_of
from scrapy_polite.origin import origin_of
from scrapy_polite.services.store import StoreService
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.store.errors import StoreError
from scrapy_polite.visited.dead import DeadUrls

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self


class DeadUrlsMiddleware:
    """Does not ask again for what was answered with 404 or 410 within `POLITE_REMEMBER_DEAD_DAYS`; 0 turns it off."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        days = shared(crawler, PoliteSettings).remember_dead_days
        if not days:
            raise NotConfigured
        self._store = shared(crawler, StoreService)
        self._days = days

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        if OWN_DOWNLOAD in request.meta:
            return
        urls = DeadUrls(self._store.backend, self._days)
        asking = urls.ask(request.method, request.url)
        if asking is None:
            return
        try:
            decision = urls.judge(await _loop.from_thread(asking), clock.system())
        except StoreError:
            return  # the robots.txt part, which uses it all the time, says so
        if decision is not None:
            origin = origin_of(request.url) or "(no origin)"
            raise refusal_of(self.crawler, request, origin, request.url, decision)

    def process_response(self, request: Request, response: Response) -> Response:
        if OWN_DOWNLOAD not in request.meta and "cached" not in response.flags:
            noting = DeadUrls(self._store.backend, self._days).note(request.method, request.url, response.status)
            if noting is not None:
                self._store.fire_and_forget(noting)
        return response
