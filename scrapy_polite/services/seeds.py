"""Seeds: requests that robots.txt leads to, made in the image of the start request that brought it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy import Request

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Headers that are for one page: the middlewares that made them make them anew.
_OF_ONE_PAGE = (b"Cookie", b"Authorization", b"Referer")


def seed(start: Request, url: str, meta: Mapping[str, Any] | None = None) -> Request:
    """A request for `url` with the callbacks, headers and priority of a start request.

    It goes through the dupefilter, so that a crawl that is resumed, or several processes, make it once. Its meta is its
    own. Raises ValueError where `url` is none.
    """
    request = Request(
        url,
        callback=start.callback,
        errback=start.errback,
        headers=start.headers.copy(),
        meta=dict(meta or {}),
        cb_kwargs=dict(start.cb_kwargs),
        priority=start.priority,
    )
    for name in _OF_ONE_PAGE:
        request.headers.pop(name, None)
    return request
