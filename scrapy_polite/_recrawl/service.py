"""What one crawl knows of the pages that it comes back to: `shared(crawler, CrawlRecrawl)`.

The downloader middleware asks here how a page is to be asked for. The spider middlewares say what it brought.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from scrapy import Request, signals
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse, Response, XmlResponse
from scrapy.http.request import NO_CALLBACK

from scrapy_polite import clock
from scrapy_polite._crawl import shared
from scrapy_polite._engine import OWN_DOWNLOAD
from scrapy_polite._recrawl.brought import Brought
from scrapy_polite._recrawl.kept_pages import KeptPages
from scrapy_polite._recrawl.kept_response import packed, unpacked
from scrapy_polite._recrawl.visit import NOT_DUE, NOT_MODIFIED, WHOLE, Visit
from scrapy_polite.events import Events, PageRevisited
from scrapy_polite.origin import origin_of
from scrapy_polite.recrawl import visit as rules
from scrapy_polite.recrawl.fingerprint import SIZE, fingerprint
from scrapy_polite.recrawl.schedule import Bounds, Hints, is_due, is_modified, sitemap_date
from scrapy_polite.services.sitemaps import CrawlSitemaps
from scrapy_polite.services.store import open_page_store
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.store.errors import StoreError
from scrapy_polite.text import printable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scrapy.crawler import Crawler
    from typing_extensions import Self

    from scrapy_polite.store.pages import PageRecord, PageStore

#: Meta of a request: False where it is to be asked for as if it was not known.
ASK = "polite_recrawl"
#: Meta of a page: whether it is as it was.
UNCHANGED = "polite_unchanged"
#: Meta of a request whose conditions are of this package.
CONDITIONAL = "polite_conditional"

#: Larger pages are not kept: they come whole each time.
_MAX_BODY = 5_000_000


class CrawlRecrawl:
    def __init__(self, crawler: Crawler, pages: PageStore) -> None:
        self._settings = settings = shared(crawler, PoliteSettings)
        self._events = shared(crawler, Events)
        self._spider = crawler.spidercls.name
        self._fingerprint = crawler.request_fingerprinter.fingerprint
        self._audit = settings.audits("recrawl")
        self._bounds = Bounds(settings.recrawl_min, settings.recrawl_max)
        self._sitemaps = shared(crawler, CrawlSitemaps)
        self._pages = KeptPages(crawler, pages)
        self.brought = Brought(crawler, self._pages)
        self._visits: WeakKeyDictionary[Request, Visit] = WeakKeyDictionary()
        self._began = clock.system()
        crawler.signals.connect(self._item_done, signals.item_scraped)
        crawler.signals.connect(self._item_done, signals.item_dropped)
        crawler.signals.connect(self._item_failed, signals.item_error)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler, open_page_store(shared(crawler, PoliteSettings)))

    def of(self, request: Request | None) -> Visit | None:
        return None if request is None else self._visits.get(request)

    # Asking for a page

    async def begin(self, request: Request) -> Visit | None:
        """What is known of a page; None where it is none that this crawl comes back to."""
        mode = self._mode(request)
        if mode == "off":
            return None
        key = self._key(request)
        try:
            page = await self._pages.get(key)
        except StoreError:
            # What is known of it is not to be lost by what is seen now.
            visit = self._visits[request] = Visit(mode, key, None, False, request.callback, failed=True)
            return visit
        usable = page is not None and request.meta.get(ASK) is not False and not self._is_wanted_again(request, page)
        if page is not None and page.status == 200:
            usable = usable and (page.body if mode == "callback" else page.links)
        visit = self._visits[request] = Visit(mode, key, page, usable, request.callback)
        return visit

    def _is_wanted_again(self, request: Request, page: PageRecord) -> bool:
        """Whether this crawl has seen the page already, and somebody wants it once more.

        What has passed the filter of a queue of several processes is new to all: one that has died had seen it.
        """
        is_new = self._settings.frontier is not None and not request.dont_filter
        return page.seen_at >= self._began and not is_new

    async def is_asked_for(self, request: Request, visit: Visit) -> bool:
        """Whether the page is due, and has a part in its site's budget. An audit asks for all of them."""
        is_worth_it = await self._is_worth_it(request, visit)
        if self._audit and not is_worth_it and visit.page is not None:
            self._events.publish(PageRevisited(visit.page.url, "audited-not-due"))
        return is_worth_it or self._audit

    async def _is_worth_it(self, request: Request, visit: Visit) -> bool:
        page, now = visit.page, clock.system()
        if page is None or not visit.usable:
            return True
        lastmod, _ = self._sitemaps.said_of(request)
        if is_modified(page.seen_at, sitemap_date(lastmod), now):
            return True
        origin = origin_of(self._settings.url_of(request))
        budget = self._settings.sites.policy(origin).budget if origin is not None else None
        if budget is not None and page.status == 200:
            least = await self._pages.least_value(page.host, budget, now)
            if least > float("-inf"):
                return rules.is_worth(page, least, now)
        return is_due(page.seen_at, page.interval_s, now)

    def conditions(self, visit: Visit) -> dict[str, str]:
        """The headers to ask for the page with."""
        page = visit.page
        if page is None or not visit.usable or self._audit or self._pages.is_lying(page.host):
            return {}
        return rules.conditions(page, clock.system())

    # Answers

    async def from_record(self, request: Request, visit: Visit, answer: str) -> Response | None:
        """The response that stands in for a page which is not due, or was answered with 304; None where none can."""
        page = visit.page
        if page is None:
            return None
        status, flags = page.status, ["cached", "polite-not-due"] if answer == NOT_DUE else ["polite-not-modified"]
        response: Response | None = None
        if status == 200 and visit.mode == "callback":
            data = await self._pages.body(visit.key)
            try:
                response = None if data is None else unpacked(data, request.url, flags)
            except ValueError as error:
                self._pages.tell(f"{printable(page.url, 200)}: {error}")
        else:
            # A page that has not changed has no body here: its links come from the record.
            response = Response(request.url, status=304 if status == 200 else status, flags=flags)
        if response is not None:
            visit.answer = answer
            if answer == NOT_DUE:
                self._events.publish(PageRevisited(page.url, NOT_DUE))
        return response

    def not_modified(self, visit: Visit, response: Response) -> bool:
        """Note a 304; False where it was a lie, and the page is to be asked for again."""
        page = visit.page
        if page is None:
            return False
        if page.probe:
            self._lies(page.host)
            return False
        visit.record = rules.not_modified(page, _validators(response), clock.system(), self._bounds)
        visit.outcome = NOT_MODIFIED
        return True

    def gone(self, request: Request, visit: Visit, status: int) -> None:
        """Note a 404 or 410."""
        whole = self._whole(request, visit, b"", None)
        page = rules.gone(visit.page, whole, status, self._bounds)
        self._pages.keep(page)
        self._events.publish(PageRevisited(page.url, "gone"))

    def arrived(self, request: Request, visit: Visit, response: Response) -> None:
        """A page is about to be handed to its callback: is it as it was?"""
        if visit.uncached:
            del request.meta["dont_cache"]
            visit.uncached = False
        if visit.answer in {NOT_MODIFIED, NOT_DUE}:
            unchanged = response.status in {200, 304}
        elif response.status == 200 and "cached" not in response.flags:
            unchanged = self._came_whole(request, visit, response)
        else:
            visit.failed = True
            return
        if self._audit:
            return
        if visit.mode == "callback":
            request.meta[UNCHANGED] = unchanged
        elif unchanged and visit.usable:
            visit.links = None
            if response.status == 304:
                request.meta["handle_httpstatus_list"] = [*request.meta.get("handle_httpstatus_list", ()), 304]
            request.callback = self._replay

    def _came_whole(self, request: Request, visit: Visit, response: Response) -> bool:
        visit.answer = WHOLE
        digest = fingerprint(response.body, markup=isinstance(response, (HtmlResponse, XmlResponse)))
        whole = self._whole(request, visit, digest, response)
        known = visit.page is not None and visit.page.status == 200
        unchanged = known and visit.page is not None and visit.page.digest == digest
        visit.record, lied = rules.seen_whole(visit.page, whole, self._bounds)
        if lied:
            self._lies(whole.host)
        visit.outcome = "unchanged" if unchanged else "changed" if known else "new"
        if visit.mode == "callback" and len(response.body) <= _MAX_BODY:
            visit.body = packed(response)
        return unchanged

    def _whole(self, request: Request, visit: Visit, digest: bytes, response: Response | None) -> rules.Whole:
        valid = _validators(response) if response is not None else rules.Validators()
        said = _text(response, "Cache-Control") if response is not None else ""
        hints = Hints.read(said, valid.last_modified, *self._sitemaps.said_of(request))
        url = self._settings.url_of(request) or request.url
        origin = origin_of(url)
        return rules.Whole(visit.key, url, origin.host if origin else "", digest, valid, hints, clock.system())

    async def _replay(self, response: Response, **_: Any) -> AsyncIterator[Request]:
        """In place of the callback of a page that has not changed: what it brought before."""
        request = response.request
        visit = self.of(request)
        if request is None or visit is None:
            return
        requests = await self.brought.again(visit)
        if requests is None:
            visit.failed = True
            meta = {**request.meta, ASK: False}
            yield request.replace(callback=visit.callback, dont_filter=True, meta=meta)
            return
        for one in requests:
            yield one

    def _item_done(self, response: Response | None = None) -> None:
        if response is not None and (visit := self.of(response.request)) is not None:
            self.brought.item_done(visit)

    def _item_failed(self, response: Response | None = None) -> None:
        """Its item was not processed: it is to be made again."""
        if response is not None and (visit := self.of(response.request)) is not None:
            visit.failed = True

    def _lies(self, host: str) -> None:
        if self._pages.is_lying(host):
            return
        self._pages.lies(host)
        self._events.publish(PageRevisited(host, "lie"))
        self._pages.tell(
            f"{printable(host, 100)} has answered 304 for a page that had changed: it is asked for whole pages"
        )

    # Requests

    def _mode(self, request: Request) -> str:
        if request.method != "GET" or request.body or request.callback is NO_CALLBACK or OWN_DOWNLOAD in request.meta:
            return "off"
        origin = origin_of(self._settings.url_of(request))
        if origin is None:
            return "off"
        return self._settings.sites.policy(origin).recrawl or self._settings.recrawl

    def _key(self, request: Request) -> bytes:
        """A page as one spider and callback of it see it: others make something else of it."""
        name = getattr(request.callback, "__name__", "parse")
        who = f"{self._spider} {name} ".encode("utf-8", "surrogatepass")
        return blake2b(who + self._fingerprint(request), digest_size=SIZE).digest()


class RecrawlPart:
    """What each middleware of recrawl begins with."""

    def __init__(self, crawler: Crawler) -> None:
        if not shared(crawler, PoliteSettings).comes_back:
            raise NotConfigured
        self._recrawl = shared(crawler, CrawlRecrawl)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)


def _validators(response: Response) -> rules.Validators:
    return rules.Validators(_text(response, "ETag"), _text(response, "Last-Modified"))


def _text(response: Response, name: str) -> str:
    return (response.headers.get(name) or b"").decode("latin-1").strip()
