"""Links into traps, judged again as they leave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured

from scrapy_polite._crawl import shared
from scrapy_polite.downloadermiddlewares.refusal import refusal_of
from scrapy_polite.origin import Origin
from scrapy_polite.services.traps import CrawlTraps
from scrapy_polite.settings import PoliteSettings

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self


class TrapMiddleware:
    """Judges a link again when its request leaves: what it leads to may have been found out since, or a redirect may
    have led there. Requests that no page led to are let go."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._settings = shared(crawler, PoliteSettings)
        if not self._settings.looks_for_traps:
            raise NotConfigured
        self._traps = shared(crawler, CrawlTraps)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        decision = self._traps.may_leave(request)
        if decision is not None:
            target = self._settings.target_url(request) if self._settings.target_url else request.url
            raise refusal_of(self.crawler, request, Origin.from_url(target), target, decision)

    def process_response(self, request: Request, response: Response) -> Response:
        if response.status >= 400:
            self._traps.failed(request)
        return response
