"""Spiders of crawls that run on although there is nothing to fetch."""

from __future__ import annotations

from typing import Any

from scrapy import signals
from scrapy.exceptions import DontCloseSpider

from scrapy_polite import _loop
from spiders import ListSpider


class HungCallback(ListSpider):
    """Its callbacks never end."""

    async def parse(self, response: Any) -> Any:
        await _loop.sleep(3_600)


class KeptOpen(ListSpider):
    """Does not let itself be closed."""

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.stay, signals.spider_idle)
        return spider

    def stay(self) -> None:
        raise DontCloseSpider
