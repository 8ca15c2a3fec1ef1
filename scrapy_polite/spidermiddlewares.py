"""Spider middlewares: what a page leads to goes through an ordered list of filters."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy import Request
from scrapy.exceptions import NotConfigured
from scrapy.spidermiddlewares.httperror import HttpErrorMiddleware
from scrapy.spidermiddlewares.referer import RefererMiddleware
from scrapy.utils.misc import load_object

from scrapy_polite import _link_filters as filters
from scrapy_polite import _seeds
from scrapy_polite._recrawl import RecrawlPart
from scrapy_polite._recrawl.service import ASK, UNCHANGED

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Iterator

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self

    from scrapy_polite._recrawl import Visit


class LinkFilterMiddleware:
    """All filters of this package in one step; the add-on puts it in place of Scrapy's UrlLengthMiddleware, at 800.

    One step, because each costs two generators for each link. What a project names in SPIDER_MIDDLEWARES by its own
    class below (at an order of its own, or None) is left out here.
    """

    #: The filters in order; empty: all that do not stand elsewhere.
    filters: ClassVar[tuple[type[filters.LinkFilter], ...]] = ()

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._filters: list[filters.LinkFilter] = []
        for kind in self.filters or _not_elsewhere(crawler):
            with suppress(NotConfigured):
                self._filters.append(kind(crawler))
        if not self._filters:
            raise NotConfigured

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_spider_input(self, response: Response) -> None:
        for one in self._filters:
            one.page(response)

    async def process_start(self, start: AsyncIterator[Any]) -> AsyncIterator[Any]:
        through = self._through(None)
        async for one in start:
            if (passed := one if through is None else through(one)) is not None:
                yield passed

    def process_spider_output(self, response: Response, result: Iterable[Any]) -> Iterable[Any]:
        through = self._through(response)
        return self._ended(response, result if through is None else filter(_is_there, map(through, result)))

    async def process_spider_output_async(self, response: Response, result: AsyncIterator[Any]) -> AsyncIterator[Any]:
        through = self._through(response)
        try:
            if through is None:
                async for one in result:
                    yield one
                return
            async for one in result:
                if (passed := through(one)) is not None:
                    yield passed
        finally:
            self._end(response)

    def _ended(self, response: Response, result: Iterable[Any]) -> Iterator[Any]:
        try:
            yield from result
        finally:
            self._end(response)

    def _end(self, response: Response) -> None:
        for one in self._filters:
            one.end(response)

    def _through(self, response: Response | None) -> Callable[[Any], Any] | None:
        """All that the links and items of a page go through, asked for once a page: most pages have nothing for most
        filters."""
        steps = [step for one in self._filters if (step := one.of(response)) is not None]
        if len(steps) < 2:
            return steps[0] if steps else None

        def through(one: Any) -> Any:
            for step in steps:
                one = step(one)
                if one is None:
                    return None
            return one

        return through


class BlacklistMiddleware(LinkFilterMiddleware):
    """Drops links to what must not be visited. By itself at 810."""

    filters = (filters.Blacklist,)


class UrlLengthMiddleware(LinkFilterMiddleware):
    """Refuses URLs longer than URLLENGTH_LIMIT. By itself in place of Scrapy's of this name, at 800."""

    filters = (filters.UrlLength,)


class TrapMiddleware(LinkFilterMiddleware):
    """Notes pages and links, and drops those that are a trap's by proof. By itself at 790."""

    filters = (filters.Traps,)


class RobotsDirectivesMiddleware(LinkFilterMiddleware):
    """Does what pages ask of robots (`X-Robots-Tag`, meta tags, `rel`). By itself at 780."""

    filters = (filters.RobotsDirectives,)


class RecrawlMiddleware(RecrawlPart):
    """Says whether a page is as it was, before anything else sees it, and when all that it brings was taken up
    (`POLITE_RECRAWL`). At 5, nearest to the engine."""

    def process_spider_input(self, response: Response) -> None:
        request = response.request
        if request is None:
            return
        request.meta.pop(UNCHANGED, None)  # of the page that led here, where its meta was copied
        request.meta.pop(ASK, None)  # of this request alone: the links of its page are others
        if (visit := self._recrawl.of(request)) is not None:
            self._recrawl.arrived(request, visit, response)

    def process_spider_output(self, response: Response, result: Iterable[Any]) -> Iterable[Any]:
        visit = self._recrawl.of(response.request)
        return result if visit is None else self._taken_up(visit, result)

    async def process_spider_output_async(self, response: Response, result: AsyncIterator[Any]) -> AsyncIterator[Any]:
        visit = self._recrawl.of(response.request)
        async for one in result:
            if visit is not None and one is not None and not isinstance(one, Request):
                visit.pending += 1
            yield one
        if visit is not None:
            self._recrawl.brought.ended(visit)

    def _taken_up(self, visit: Visit, result: Iterable[Any]) -> Iterator[Any]:
        for one in result:
            if one is not None and not isinstance(one, Request):
                visit.pending += 1
            yield one
        self._recrawl.brought.ended(visit)


class BroughtMiddleware(RecrawlPart):
    """Notes what a page brings, as its callback has said it (`POLITE_RECRAWL`). At 1000, nearest to the spider."""

    def process_spider_output(self, response: Response, result: Iterable[Any]) -> Iterable[Any]:
        request, visit = response.request, self._recrawl.of(response.request)
        if request is None or visit is None or visit.links is None:
            return result
        return self._noted(request, visit, result)

    async def process_spider_output_async(self, response: Response, result: AsyncIterator[Any]) -> AsyncIterator[Any]:
        request, visit = response.request, self._recrawl.of(response.request)
        async for one in result:
            if request is not None and visit is not None:
                self._recrawl.brought.note(request, visit, one)
            yield one

    def _noted(self, request: Request, visit: Visit, result: Iterable[Any]) -> Iterator[Any]:
        for one in result:
            self._recrawl.brought.note(request, visit, one)
            yield one


class SeedsMiddleware:
    """Adds the start URLs of POLITE_SEEDS to those of the spider; the add-on puts it next to the spider, at 950."""

    def __init__(self, crawler: Crawler) -> None:
        fed = _seeds.of_crawl(crawler)
        if fed is None:
            raise NotConfigured
        self._fed = fed

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_start(self, start: AsyncIterator[Any]) -> AsyncIterator[Any]:
        return self._fed.beside(start)


#: Nearest to the spider first: what is blacklisted is evidence of nothing.
_ALONE = (BlacklistMiddleware, UrlLengthMiddleware, TrapMiddleware, RobotsDirectivesMiddleware)


#: What may stand between the filters and the engine, and needs no links to known pages.
_NEED_NO_DUPLICATES = (HttpErrorMiddleware, RefererMiddleware, RecrawlMiddleware)


def _not_elsewhere(crawler: Crawler) -> list[type[filters.LinkFilter]]:
    """The filters whose own middlewares a project does not name; the last one where nobody comes after it."""
    orders: dict[Any, int | None] = {}
    for path, order in crawler.settings.getdict("SPIDER_MIDDLEWARES").items():
        with suppress(Exception):  # What is wrong with another's, Scrapy says.
            orders[load_object(path)] = order
    kinds: list[type[filters.LinkFilter]]
    kinds = [kind for middleware in _ALONE if middleware not in orders for kind in middleware.filters]
    here = orders.pop(LinkFilterMiddleware, None)
    for needs_none in _NEED_NO_DUPLICATES:
        orders.pop(needs_none, None)
    if here is not None and all(order is None or order > here for order in orders.values()):
        kinds.append(filters.KnownLinks)
    return kinds


def _is_there(one: object) -> bool:
    return one is not None
