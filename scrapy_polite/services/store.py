"""The store of one crawl: opened as the settings say, cleared of what is old, closed with the engine.

`shared(crawler, StoreService)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import signals

from scrapy_polite._crawl import shared
from scrapy_polite._project import data_path
from scrapy_polite.events import Events, Fault, Recovered
from scrapy_polite.settings import NO_PAGES, PoliteSettings, SettingsError
from scrapy_polite.store import factory
from scrapy_polite.store.crawl import CrawlStore
from scrapy_polite.store.errors import StoreError, StoreUnavailable

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from typing_extensions import Self

    from scrapy_polite.store.base import Store
    from scrapy_polite.store.factory import StoreLocation
    from scrapy_polite.store.pages import PageStore


#: What no crawl has renewed for so long is dropped from the store, unless a budget's period is longer. With fewer days
#: than `robots.access.GIVEN_UP_AFTER_S` outages are forgotten before they end. With more the file grows.
KEEP_DAYS = 90


def store_location(settings: PoliteSettings) -> StoreLocation:
    """Where the store is, which need not be made yet."""
    return settings.store.below(data_path)


def open_store(settings: PoliteSettings) -> Store:
    return factory.open_store(store_location(settings))


def open_page_store(settings: PoliteSettings) -> PageStore:
    """Raises SettingsError where the store is in memory, which the settings do not let through."""
    location = factory.pages_location(store_location(settings))
    if not location.lasting:
        raise SettingsError([NO_PAGES])
    return factory.open_pages(location)


class StoreService(CrawlStore):
    def __init__(self, store: Store, keep_days: float = KEEP_DAYS, events: Events | None = None) -> None:
        super().__init__(store)
        self._keep_s = 86_400 * keep_days
        self._events = events

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = shared(crawler, PoliteSettings)
        of_queue = settings.frontier is not None and settings.store == settings.frontier
        store = _usable(open_store(settings), "POLITE_FRONTIER" if of_queue else "POLITE_STORE")
        keep_days = max(KEEP_DAYS, settings.sites.longest_period_s / 86_400)
        service = cls(store, keep_days, shared(crawler, Events))
        crawler.signals.connect(service.prune, signals.spider_closed)
        crawler.signals.connect(service.close, signals.engine_stopped)
        return service

    def failed(self, error: StoreError) -> None:
        if self._events is not None:
            self._events.publish(Fault("store", str(error)))

    def recovered(self) -> None:
        if self._events is not None:
            self._events.publish(Recovered("store"))

    async def prune(self) -> None:
        """Drop what no crawl has renewed for `keep_days`."""
        await self.ask(lambda store: store.prune(self._keep_s))


def _usable(store: Store, setting: str) -> Store:
    """Raises SettingsError for one that a person has to put right before a crawl may begin, and nothing can replace."""
    if not store.replaceable:
        try:
            store.facts()
        except StoreUnavailable:
            pass  # told when it is asked; hosts whose delay is shared wait for it
        except StoreError as error:
            raise SettingsError([f"{setting}: {error}"]) from None
    return store
