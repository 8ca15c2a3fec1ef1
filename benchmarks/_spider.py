"""The process of a `_crawls.Crawl`: reads it from standard input, appends its events to the file that is named."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Sequence
from typing import Any
from urllib.parse import urlsplit

import scrapy
from _crawls import SETTINGS, Crawl
from scrapy import signals
from scrapy.core.downloader import Downloader
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.exceptions import CloseSpider
from scrapy.http import TextResponse
from scrapy.utils.asyncio import call_later


class Spider(scrapy.Spider):
    """Asks for `urls`; `events` is a file's descriptor, `awaited` the URLs after which it closes, if there are any."""

    name = "bench"
    events: int
    crawl: Crawl
    urls: Sequence[str]
    awaited: set[str]

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.opened, signals.spider_opened)
        crawler.signals.connect(spider.closed_by, signals.spider_closed)
        crawler.signals.connect(spider.ended, signals.engine_stopped)
        return spider

    def tell(self, what: str, **more: Any) -> None:
        os.write(self.events, json.dumps({"what": what, "at": time.monotonic(), **more}).encode() + b"\n")

    def opened(self) -> None:
        self.tell("opened")
        if self.crawl.stop_after_s is not None:
            call_later(self.crawl.stop_after_s, self.stop)

    def stop(self) -> None:
        self.tell("stopping")
        self.stopping = asyncio.ensure_future(self.crawler.stop_async())

    def closed_by(self, reason: str) -> None:
        self.tell("closed", reason=reason)

    def ended(self) -> None:
        self.tell("ended")

    def request(self, url: str) -> scrapy.Request:
        return scrapy.Request(url, errback=self.failed, cb_kwargs={"asked": url})

    async def start(self) -> AsyncIterator[Any]:
        for url in self.urls:
            yield self.request(url)

    async def parse(self, response: Any, asked: str) -> AsyncIterator[Any]:
        if self.crawl.hold_s and asked.endswith("/tree/1"):
            await asyncio.sleep(self.crawl.hold_s)
        self.tell("page", asked=asked, url=response.url, status=response.status)
        self.check_enough(asked)
        if self.crawl.files:
            own = [response.urljoin(f"/file/{response.url.rpartition('/')[2]}")]
            yield {"file_urls": response.css("img::attr(src)").getall() if self.crawl.follow else own}
        if self.crawl.follow and isinstance(response, TextResponse):
            for link in response.css("a::attr(href)").getall():
                yield self.request(link).replace(method="POST" if "/post/" in link else "GET")

    def failed(self, failure: Any) -> None:
        asked = failure.request.cb_kwargs["asked"]
        self.tell("failed", asked=asked, error=failure.type.__name__)
        self.check_enough(asked)

    def check_enough(self, asked: str) -> None:
        if asked in self.awaited:
            self.awaited.remove(asked)
            if not self.awaited:
                self.tell("stopping")
                raise CloseSpider("enough")


def main(crawl: Crawl, events: int) -> None:
    if crawl.collect_slots:
        Downloader._SLOT_GC_INTERVAL = 0.1
        Downloader._slot_gc.__defaults__ = (0.05,)
    if crawl.clock_ahead_s:
        read = time.time
        time.time = lambda: read() + crawl.clock_ahead_s
    settings = SETTINGS | dict(crawl.settings)
    if crawl.addon:
        settings.setdefault("ADDONS", {"scrapy_polite.Addon": 300})
    if crawl.files:
        settings |= {"ITEM_PIPELINES": {"scrapy.pipelines.files.FilesPipeline": 1}, "FILES_STORE": "files"}
    enough = set(crawl.enough)
    process = AsyncCrawlerProcess(settings)
    for number in range(crawl.spiders):
        urls = crawl.urls[number :: crawl.spiders]
        awaited = {url for url in urls if urlsplit(url).hostname in enough}
        process.crawl(process.create_crawler(Spider), events=events, crawl=crawl, urls=urls, awaited=awaited)
    process.start()


if __name__ == "__main__":
    main(Crawl(**json.load(sys.stdin)), os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND))
