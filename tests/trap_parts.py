"""Spiders of tests/crawl/test_traps.py."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.http import HtmlResponse

from scrapy_polite._crawl import shared
from scrapy_polite.services import trap_findings
from scrapy_polite.services.traps import CrawlTraps
from spiders import LinksSpider, ListSpider

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class QuickExchange:
    """What is found of traps is exchanged with the store more often than every ten seconds."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Any:
        trap_findings.EXCHANGE_S = 0.2
        return cls()


class Items(LinksSpider):
    """Follows every link, makes an item of every page, and says which page is another's duplicate."""

    def parse(self, response: Any) -> Any:
        if original := response.meta.get("polite_duplicate_of"):
            self.logger.info("%s is a duplicate of %s", response.url, original)
        yield {"url": response.url}
        yield from super().parse(response)


class Careful(ListSpider):
    """Follows the links of the first page only."""

    def parse(self, response: Any) -> Any:
        super().parse(response)
        if isinstance(response, HtmlResponse) and "odd" not in response.url:
            yield from response.follow_all(css="a", callback=self.parse, errback=self.failed)


class CopiesMeta(LinksSpider):
    """Hands its page's meta on to every link, as many spiders do."""

    def parse(self, response: Any) -> Any:
        ListSpider.parse(self, response)
        yield from response.follow_all(css="a", callback=self.parse, errback=self.failed, meta=response.meta)


def target(request: Any) -> str:
    """The URL that a request to a rendering API is about."""
    return str(request.url).replace("/render", "")


class Renders(LinksSpider):
    """Asks a rendering API for every page."""

    def parse(self, response: Any) -> Any:
        ListSpider.parse(self, response)
        for link in response.css("a::attr(href)").getall():
            yield response.follow(f"/render{link}", callback=self.parse, errback=self.failed)


class BreaksTraps:
    """An extension that puts a defect into the judging of links."""

    @classmethod
    def from_crawler(cls, crawler: Any) -> Any:
        def broken(*args: Any) -> Any:
            raise IndexError("array index out of range")

        shared(crawler, CrawlTraps)._note_link = broken  # type: ignore[method-assign]
        return cls()
