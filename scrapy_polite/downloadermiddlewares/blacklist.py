"""What must not be visited, refused as it leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy_polite._crawl import shared
from scrapy_polite.downloadermiddlewares.refusal import refusal_of
from scrapy_polite.origin import origin_of
from scrapy_polite.services.blacklists import CrawlBlacklists
from scrapy_polite.settings import PoliteSettings

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from typing_extensions import Self


class BlacklistMiddleware:
    """Refuses whatever leaves for what must not be visited: start requests, redirects, what was queued before a list
    changed, downloads of pipelines and of robots.txt files too."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._settings = shared(crawler, PoliteSettings)
        self._blacklists = shared(crawler, CrawlBlacklists)
        self._blacklists.enforced = True

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        decision = await self._blacklists.may_leave(request)
        if decision is not None:
            target = self._settings.target_url(request) if self._settings.target_url else request.url
            origin = origin_of(target) or "(no origin)"
            raise refusal_of(self.crawler, request, origin, target, decision)
