"""Spiders of tests/crawl/test_visited.py."""

from __future__ import annotations

from typing import Any

from scrapy import Request

from spiders import ListSpider


class OneAfterTheOther(ListSpider):
    """Asks for the next of a site's URLs when the one before has come, so that its robots.txt is known by then."""

    async def start(self) -> Any:
        for url in self.job["urls"][::3]:
            yield Request(url, callback=self.follow)

    def follow(self, response: Any) -> Any:
        at = self.job["urls"].index(response.url)
        for url in self.job["urls"][at + 1 : at + 3]:
            yield Request(url, callback=self.parse)


class Plain(ListSpider):
    """Asks for the URLs of its job, through the dupefilter."""

    async def start(self) -> Any:
        for url in self.job["urls"]:
            yield Request(url)
