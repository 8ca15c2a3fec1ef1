"""shared(crawler, cls): the one instance of a service per crawl, built on first use.

So middlewares, extension, scheduler and commands share a store or a cache in whatever order they are made, with or
without the add-on, and two crawls in one process stay apart. A service must hold its crawler weakly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from weakref import ReferenceType, WeakKeyDictionary

from pydispatch.dispatcher import getAllReceivers, liveReceivers  # type: ignore[import-untyped]  # it has no types

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy import Spider
    from scrapy.crawler import Crawler


class Service(Protocol):
    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Any: ...


_T = TypeVar("_T", bound=Service)
_services: WeakKeyDictionary[Crawler, dict[type, Any]] = WeakKeyDictionary()


def shared(crawler: Crawler, cls: type[_T]) -> _T:
    services = _services.setdefault(crawler, {})
    if cls not in services:
        services[cls] = cls.from_crawler(crawler)
    return services[cls]  # type: ignore[no-any-return]


def count(crawler: ReferenceType[Crawler], stat: str, number: int = 1) -> None:
    """Add to a stat of a crawler that a service holds weakly."""
    held = crawler()
    if held is not None and held.stats is not None:
        held.stats.inc_value(stat, number)


def engine_of(crawler: Crawler | None) -> Any:
    """The crawl's engine; None before it is made, and where somebody makes a part of the package alone."""
    try:
        return getattr(crawler, "engine", None)
    except RuntimeError:  # Scrapy 2.19
        return None


def spider_of(crawler: ReferenceType[Crawler]) -> Spider | None:
    """The spider of a crawler that a service holds weakly, for what it logs."""
    held = crawler()
    return held.spider if held is not None else None


def receivers_of(crawler: Crawler, signal: object) -> Iterator[Any]:
    """Who listens to a signal of a crawl."""
    yield from liveReceivers(getAllReceivers(crawler.signals.sender, signal))
