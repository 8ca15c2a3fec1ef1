"""The store of one crawl: opened as the settings say, cleared of what is old, closed with the engine.

`shared(crawler, StoreService)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import signals

from scrapy_polite._crawl import shared
from scrapy_polite._project import data_path
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.store import factory
from scrapy_polite.store.crawl import CrawlStore

if TYPE_CHECKING:
    from pathlib import Path

    from scrapy.crawler import Crawler
    from typing_extensions import Self

    from scrapy_polite.store.base import Store


#: What no crawl has renewed for so long is dropped from the store, unless a budget's period is longer. With fewer days
#: than `robots.access.GIVEN_UP_AFTER_S` outages are forgotten before they end. With more the file grows.
KEEP_DAYS = 90


def store_path(settings: PoliteSettings) -> Path | None:
    """The file of the store, which need not be there yet; None where it is in memory."""
    file = factory.StoreLocation.parse(settings.store).file
    return None if file is None else data_path(file)


def open_store(settings: PoliteSettings) -> Store:
    return factory.open_store(settings.store, data_path)


class StoreService(CrawlStore):
    def __init__(self, store: Store, keep_days: float = KEEP_DAYS) -> None:
        super().__init__(store)
        self._keep_s = 86_400 * keep_days

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = shared(crawler, PoliteSettings)
        service = cls(open_store(settings), max(KEEP_DAYS, settings.sites.longest_period_s / 86_400))
        crawler.signals.connect(service.prune, signals.spider_closed)
        crawler.signals.connect(service.close, signals.engine_stopped)
        return service

    async def prune(self) -> None:
        """Drop what no crawl has renewed for `keep_days`."""
        await self.ask(lambda store: store.prune(self._keep_s))
