"""Scrapy's stats and signal of what happens: `polite/...`, never with a host in a key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol
from weakref import ref

from scrapy_polite._crawl import count
from scrapy_polite.events.values import (
    GroupCleared,
    GroupEnded,
    GroupSuspected,
    HostClosed,
    HostWait,
    ItemDropped,
    LinkDeferred,
    LinksLeft,
    LongUrl,
    MainHostNamed,
    PageRevisited,
    RequestMoved,
    RequestRefused,
    RequestSent,
    SitemapRead,
)
from scrapy_polite.signals import polite_refused

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler


class Join(Protocol):
    """`Events.read`, for readers, which the stream imports."""

    def __call__(self, kind: type[Any], reader: Callable[[Any], None]) -> None: ...


class EventStats:
    def __init__(self, crawler: Crawler) -> None:
        self._crawler = ref(crawler)

    def join(self, read: Join) -> None:
        read(RequestSent, lambda event: self._count(f"polite/pages/{event.rules}"))
        read(RequestRefused, self._refused)
        read(ItemDropped, self._item_dropped)
        read(HostWait, lambda _: self._count("polite/gate_waits"))
        read(HostClosed, lambda _: self._count("polite/backoffs"))
        read(SitemapRead, self._sitemap_read)
        read(MainHostNamed, lambda event: self._count(f"polite/main_hosts/{'noted' if event.why else 'followed'}"))
        read(RequestMoved, lambda _: self._count("polite/main_hosts/requests"))
        read(LongUrl, lambda _: self._count("polite/traps/long_urls"))
        read(GroupSuspected, lambda _: self._count("polite/traps/suspected"))
        read(GroupCleared, lambda _: self._count("polite/traps/cleared"))
        read(GroupEnded, self._group_ended)
        read(LinkDeferred, lambda _: self._count("polite/traps/links_deferred"))
        read(PageRevisited, lambda event: self._count(f"polite/recrawl/{event.outcome}"))
        read(LinksLeft, lambda event: self._count("polite/traps/links_left", event.links))

    def _count(self, stat: str, number: int = 1) -> None:
        count(self._crawler, stat, number)

    def _refused(self, event: RequestRefused) -> None:
        kind = "audited" if event.audit else "refused"
        self._count(f"polite/{kind}")
        self._count(f"polite/{kind}/{event.decision.reason}")
        crawler = self._crawler()
        if event.request is not None and not event.audit and crawler is not None:
            crawler.signals.send_catch_log(polite_refused, request=event.request, decision=event.decision)

    def _sitemap_read(self, event: SitemapRead) -> None:
        self._count(f"polite/sitemaps/{'read' if event.is_read else 'failed'}")
        for what, number in event.came.items():
            self._count(f"polite/sitemaps/{what.replace(' ', '_')}", number)

    def _item_dropped(self, event: ItemDropped) -> None:
        kind = "items_audited" if event.audit else "items_dropped"
        self._count(f"polite/{kind}")
        self._count(f"polite/{kind}/{event.decision.reason}")

    def _group_ended(self, event: GroupEnded) -> None:
        self._count("polite/traps/ended")
        self._count(f"polite/traps/ended/{event.group.kind}")
