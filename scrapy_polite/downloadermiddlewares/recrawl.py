"""Pages that are known: asked for with conditions, or not at all (`POLITE_RECRAWL`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy_polite._recrawl import RecrawlPart
from scrapy_polite._recrawl.service import ASK, CONDITIONAL
from scrapy_polite._recrawl.visit import NOT_DUE, NOT_MODIFIED
from scrapy_polite.recrawl.visit import GONE

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response

_CONDITIONS = ("If-None-Match", "If-Modified-Since")
#: RFC 9110 §13.1: a request that has one of these of its own is left as it is.
_OF_OTHERS = (*_CONDITIONS, "If-Match", "If-Unmodified-Since", "If-Range", "Range")


class RecrawlMiddleware(RecrawlPart):
    """Answers for pages that are not due, asks for the others with conditions, and reads a 304.

    It stands between HttpCacheMiddleware (900), whose own conditions win, and PacingMiddleware (950), for which a page
    that is not asked for costs its host nothing. Conditions are on a request only while it is on its way: redirects and
    retries copy headers.
    """

    async def process_request(self, request: Request) -> Response | None:
        _take_off(request)  # it may have been given back to its queue with them
        visit = await self._recrawl.begin(request)
        if visit is None or any(name in request.headers for name in _OF_OTHERS):
            return None
        if not await self._recrawl.is_asked_for(request, visit):
            response = await self._recrawl.from_record(request, visit, NOT_DUE)
            if response is not None:
                return response
        if conditions := self._recrawl.conditions(visit):
            request.headers.update(conditions)
            request.meta[CONDITIONAL] = True
        return None

    async def process_response(self, request: Request, response: Response) -> Request | Response:
        conditional = _take_off(request)
        visit = self._recrawl.of(request)
        if visit is None or "cached" in response.flags:
            return response
        if response.status in GONE:
            self._recrawl.gone(request, visit, response.status)
        if response.status != 304 or not conditional:
            return response
        if self._recrawl.not_modified(visit, response):
            stands_in = await self._recrawl.from_record(request, visit, NOT_MODIFIED)
            if stands_in is not None:
                # Under the dummy policy HttpCacheMiddleware keeps a 304 as it keeps a page.
                if "dont_cache" not in request.meta:
                    request.meta["dont_cache"] = visit.uncached = True
                return stands_in if stands_in.status != 304 else response
        return request.replace(dont_filter=True, meta={**request.meta, ASK: False})

    def process_exception(self, request: Request, exception: Exception) -> None:
        _take_off(request)


def _take_off(request: Request) -> bool:
    """Take this package's conditions off a request. Returns whether it had some."""
    if not request.meta.pop(CONDITIONAL, False):
        return False
    for name in _CONDITIONS:
        request.headers.pop(name, None)
    return True
