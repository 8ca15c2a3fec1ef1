"""Spiders for crawls of several processes."""

from __future__ import annotations

import os
from typing import Any

from scrapy import Request

from frontier_parts import FilteredLinks
from scrapy_polite import _loop
from spiders import ListSpider, move_clock


class Posting(FilteredLinks):
    """Follows every link; what lies below /post is posted to, past the dupefilter."""

    def parse(self, response: Any) -> Any:
        ListSpider.parse(self, response)
        for link in response.css("a::attr(href)").getall():
            method = "POST" if link.startswith("/post") else "GET"
            yield response.follow(link, self.parse, method=method, dont_filter=method == "POST")


class WithFiles(FilteredLinks):
    """Follows every link, and has FilesPipeline fetch every picture. The system's clock is CLOCK_AHEAD_S ahead."""

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
        move_clock(crawler.settings.getfloat("CLOCK_AHEAD_S"))
        return super().from_crawler(crawler, *args, **kwargs)

    def parse(self, response: Any) -> Any:
        yield from super().parse(response)
        yield {"file_urls": [response.urljoin(src) for src in response.css("img::attr(src)").getall()]}


class LongCallback(FilteredLinks):
    """The callback of the page /start/1 takes three seconds, and brings one more page, /last."""

    async def parse(self, response: Any) -> Any:
        ListSpider.parse(self, response)
        if response.url.endswith("/start/1"):
            await _loop.sleep(3)
            yield response.follow("/last", self.parse)
        for link in response.css("a::attr(href)").getall():
            yield response.follow(link, self.parse)


class SlowStart(ListSpider):
    """Brings its requests, which pass no filter, one each 0.05 s. Where KILLED_AT says so it ends, as by `kill -9`,
    before it brings that many."""

    async def start(self) -> Any:
        for number, url in enumerate(self.job["urls"]):
            if number == int(os.environ.get("KILLED_AT", "-1")):
                os.kill(os.getpid(), 9)
            yield Request(url, self.parse, dont_filter=True)
            await _loop.sleep(0.05)
