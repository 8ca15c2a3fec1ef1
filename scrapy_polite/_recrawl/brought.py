"""What pages bring: the requests that are kept beside their records, once their items have passed the pipelines."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

from scrapy import Request

from scrapy_polite._crawl import shared, spider_of
from scrapy_polite._recrawl.visit import NOT_MODIFIED, Visit
from scrapy_polite.events import Events, PageRevisited, RequestRefused
from scrapy_polite.frontier.codec import Codec
from scrapy_polite.store.errors import StoreError
from scrapy_polite.text import printable

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from scrapy_polite._recrawl.kept_pages import KeptPages

#: Of a page with more links none are kept: it is read anew each time.
_MAX_LINKS = 50_000


class Brought:
    def __init__(self, crawler: Crawler, pages: KeptPages) -> None:
        self._crawler = ref(crawler)
        self._pages = pages
        self._codec = Codec()
        self._bringing: WeakKeyDictionary[Request, Visit] = WeakKeyDictionary()
        self._events = shared(crawler, Events)
        self._events.read(RequestRefused, self._refused)

    def note(self, request: Request, visit: Visit, one: Any) -> None:
        """A callback has yielded `one`."""
        if visit.links is None or not isinstance(one, Request):
            return
        if one.dont_filter and one.url == request.url and one.method == request.method:
            visit.failed = True  # it wants the page again: this one was not good
            return
        try:
            visit.links.append((one, self._codec.encode(one, spider_of(self._crawler))))
            self._bringing[one] = visit
        except ValueError as error:
            text = f"{error}: pages that bring such requests are read anew each time (POLITE_RECRAWL)"
            self._pages.tell(text, "links")
            visit.links = None
        if visit.links is not None and len(visit.links) > _MAX_LINKS:
            visit.links = None

    def ended(self, visit: Visit) -> None:
        """All that a page brings has been taken up, except for its items under way."""
        visit.ended = True
        for link, _ in visit.links or ():
            self._bringing.pop(link, None)
        if visit.failed:
            visit.links = visit.body = None  # they would stay for as long as the request does
        self._keep(visit)

    def item_done(self, visit: Visit) -> None:
        visit.pending -= 1
        self._keep(visit)

    async def again(self, visit: Visit) -> list[Request] | None:
        """What a page brought when it was seen last; None where that is lost."""
        spider = spider_of(self._crawler)
        with suppress(StoreError):
            links = await self._pages.links(visit.key)
            try:
                return [self._codec.decode(link, spider) for link in links]
            except ValueError as error:
                url = printable(visit.page.url, 200) if visit.page is not None else ""
                self._pages.tell(f"what {url} has brought cannot be read, so it is read anew: {error}")
        return None

    def _keep(self, visit: Visit) -> None:
        """Keep a page that has been dealt with."""
        record, page = visit.record, visit.page
        if not visit.ended or visit.pending or visit.failed or record is None:
            return
        visit.record = None
        links: list[bytes] | None = None
        if visit.outcome == NOT_MODIFIED or (visit.links is None and visit.usable and visit.outcome == "unchanged"):
            record = replace(record, links=bool(page and page.links), body=bool(page and page.body))
        else:
            links = None if visit.links is None else [data for _, data in visit.links]
            record = replace(record, links=links is not None, body=visit.body is not None)
        self._pages.keep(record, links, visit.body)
        visit.links = visit.body = None
        self._events.publish(PageRevisited(record.url, visit.outcome))

    def _refused(self, event: RequestRefused) -> None:
        """A link that its page asks not to follow is none that it has brought."""
        link = event.request
        if link is None or event.audit or not event.decision.reason.startswith("directives/"):
            return
        visit = self._bringing.pop(link, None)
        if visit is not None and visit.links is not None:
            visit.links = [one for one in visit.links if one[0] is not link]
