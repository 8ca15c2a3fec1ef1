"""The kinds of spider that test crawls run (see crawls.crawl). Each writes down on its class what happened to it."""

from __future__ import annotations

import socket
import time
from collections.abc import Mapping
from typing import Any

import scrapy
from scrapy import signals
from scrapy.exceptions import IgnoreRequest
from scrapy.spiders import SitemapSpider
from scrapy.utils.asyncio import call_later
from scrapy.utils.defer import deferred_from_coro

from scrapy_polite.signals import polite_refused


class ListSpider(scrapy.Spider):
    """Fetches the URLs of its job and follows nothing."""

    name = "list"
    job: dict[str, Any]
    responses: list[dict[str, Any]]
    errors: list[dict[str, str]]
    refused: list[dict[str, str]]
    parsed: list[str]
    closing: list[float]

    @property
    def allowed_domains(self) -> list[str]:
        return self.job["allowed_domains"]

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.note_refused, polite_refused)
        crawler.signals.connect(spider.note_closed, signals.spider_closed)
        if hasattr(signals, "robots_parsed"):
            crawler.signals.connect(spider.note_parsed, signals.robots_parsed)
        if spider.job["close_after_s"] is not None:
            crawler.signals.connect(spider.close_later, signals.spider_opened)
        return spider

    async def start(self) -> Any:
        for url in self.job["urls"]:
            yield self.request(*url) if isinstance(url, list) else self.request(url)

    def request(self, url: str, meta: Mapping[str, Any] | None = None) -> scrapy.Request:
        return scrapy.Request(
            url,
            self.parse,
            errback=self.failed,
            meta=self.job["meta"] | dict(meta or {}),
            headers=self.job["headers"],
            dont_filter=not self.allowed_domains,
        )

    def parse(self, response: Any) -> Any:
        self.responses.append(
            {
                "url": response.url,
                "status": response.status,
                "flags": response.flags,
                "polite_robots": response.meta.get("polite_robots"),
            }
        )

    def failed(self, failure: Any) -> None:
        self.errors.append({"url": failure.request.url, "error": f"{failure.type.__name__}: {failure.value}"})

    def close_later(self) -> None:
        call_later(self.job["close_after_s"], self.close_now)

    def close_now(self) -> None:
        self.closing.append(time.monotonic())
        deferred_from_coro(self.crawler.engine.close_spider_async(reason="test"))

    def note_refused(self, request: Any, decision: Any) -> None:
        self.refused.append({"url": request.url, "reason": decision.reason})

    def note_parsed(self, robotparser: Any, request: Any) -> None:
        self.parsed.append(request.url)

    def note_closed(self) -> None:
        self.closing.append(time.monotonic())


class InlineSpider(ListSpider):
    """Awaits the download of its URLs itself, as callbacks and start() may."""

    name = "inline"

    async def start(self) -> Any:
        for url in self.job["urls"]:
            await self.fetch(url)
        no_pages: tuple[scrapy.Request, ...] = ()
        for page in no_pages:
            yield page

    async def fetch(self, url: str) -> None:
        try:
            self.parse(await self.crawler.engine.download_async(scrapy.Request(url)))
        except IgnoreRequest as error:
            self.errors.append({"url": url, "error": str(error)})


class AgentsSpider(ListSpider):
    """Fetches its URLs with each User-Agent of the setting AGENTS."""

    name = "agents"

    async def start(self) -> Any:
        for agent in self.settings.getlist("AGENTS"):
            for url in self.job["urls"]:
                yield self.request(url).replace(headers={"User-Agent": agent})


class LinksSpider(ListSpider):
    """Follows every link."""

    name = "links"

    def parse(self, response: Any) -> Any:
        super().parse(response)
        yield from response.follow_all(css="a", callback=self.parse, errback=self.failed)


class FilesSpider(ListSpider):
    """Has FilesPipeline fetch the URLs of its job; set ITEM_PIPELINES and FILES_STORE."""

    name = "files"

    async def start(self) -> Any:
        yield scrapy.Request("data:,", self.parse)

    def parse(self, response: Any) -> Any:
        yield {"file_urls": self.job["urls"], "files": []}


class AheadSpider(ListSpider):
    """The system's clock is an hour ahead."""

    name = "clock-ahead"

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
        move_clock(3_600)
        return super().from_crawler(crawler, *args, **kwargs)


class SkewedSpider(ListSpider):
    """The system's clock is CLOCK_AHEAD_S ahead."""

    name = "clock-skewed"

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
        move_clock(crawler.settings.getfloat("CLOCK_AHEAD_S"))
        return super().from_crawler(crawler, *args, **kwargs)


class SetBackSpider(ListSpider):
    """The system's clock is set back by an hour when the fourth page has come."""

    name = "clock-set-back"

    def parse(self, response: Any) -> Any:
        super().parse(response)
        if len(self.responses) == 4:
            move_clock(-3_600)


class UnsureSpider(ListSpider):
    """The resolver has no answer when it is first asked whether a name exists (getaddrinfo; Scrapy asks another)."""

    name = "resolver-unsure"

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
        look_up, asked = socket.getaddrinfo, iter([True])

        def unsure(host: Any, *more: Any, **named: Any) -> Any:
            if str(host).endswith(".invalid") and next(asked, False):
                raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
            return look_up(host, *more, **named)

        socket.getaddrinfo = unsure
        return super().from_crawler(crawler, *args, **kwargs)


def move_clock(by_s: float) -> None:
    read = time.time
    time.time = lambda: read() + by_s


class Sitemaps(ListSpider, SitemapSpider):
    """Scrapy's SitemapSpider on the URLs of its job."""

    name = "sitemap"
    start = SitemapSpider.start

    @property
    def sitemap_urls(self) -> list[str]:
        return self.job["urls"]


KINDS: dict[str, type[ListSpider]] = {
    kind.name: kind
    for kind in (
        ListSpider,
        InlineSpider,
        AgentsSpider,
        LinksSpider,
        FilesSpider,
        AheadSpider,
        SkewedSpider,
        SetBackSpider,
        UnsureSpider,
        Sitemaps,
    )
}
