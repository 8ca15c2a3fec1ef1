"""Spider middlewares: what a page leads to goes through an ordered list of filters."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.exceptions import NotConfigured
from scrapy.utils.misc import load_object

from scrapy_polite import _link_filters as filters

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Iterator

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self


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


#: Nearest to the spider first: what is blacklisted is evidence of nothing.
_ALONE = (BlacklistMiddleware, UrlLengthMiddleware, TrapMiddleware, RobotsDirectivesMiddleware)


def _not_elsewhere(crawler: Crawler) -> list[type[filters.LinkFilter]]:
    """The filters whose own middlewares a project does not name."""
    named = set()
    for path in crawler.settings.getdict("SPIDER_MIDDLEWARES"):
        with suppress(Exception):  # What is wrong with another's, Scrapy says.
            named.add(load_object(path))
    return [kind for middleware in _ALONE if middleware not in named for kind in middleware.filters]


def _is_there(one: object) -> bool:
    return one is not None
