"""Responses of sitemaps that this package asked for: read here, as they came, and never the spider's."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urljoin

from scrapy.downloadermiddlewares.retry import get_retry_request
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.utils.misc import load_object

from scrapy_polite._crawl import shared
from scrapy_polite.services.sitemaps import FILE, CrawlSitemaps

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self


class SitemapMiddleware:
    """Reads sitemaps nearer to the network than Scrapy's HttpCompressionMiddleware, which would unpack a bomb whole."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._sitemaps = shared(crawler, CrawlSitemaps)
        if not self._sitemaps.enabled:
            raise NotConfigured
        settings = crawler.settings
        self._retries = settings.getbool("RETRY_ENABLED")
        self._statuses = {int(status) for status in settings.getlist("RETRY_HTTP_CODES")}
        self._errors = tuple(load_object(error) for error in settings.getlist("RETRY_EXCEPTIONS"))

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def process_response(self, request: Request, response: Response) -> Request | Response:
        if FILE not in request.meta:
            return response
        if response.status in self._statuses and (again := self._again(request, f"HTTP {response.status}")):
            return again
        if response.status in (301, 302, 303, 307, 308) and (to := response.headers.get("Location")):
            self._sitemaps.redirected(request, urljoin(response.url, to.decode("latin-1")))
        elif response.status == 200:
            await self._sitemaps.read(request, response)
        else:
            self._sitemaps.failed(request, f"HTTP {response.status}")
        raise IgnoreRequest("a sitemap, which is not the spider's")

    def process_exception(self, request: Request, exception: Exception) -> Request | None:
        if FILE not in request.meta:
            return None
        if isinstance(exception, self._errors) and (again := self._again(request, exception)):
            return again
        self._sitemaps.failed(request, str(exception) or type(exception).__name__)
        raise IgnoreRequest("a sitemap, which is not the spider's") from None

    def _again(self, request: Request, why: str | Exception) -> Request | None:
        spider = self.crawler.spider
        return get_retry_request(request, spider=spider, reason=why) if self._retries and spider is not None else None
