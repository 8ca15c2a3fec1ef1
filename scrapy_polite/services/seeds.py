"""Seeds: requests that robots.txt leads to, made in the image of the start request that brought it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from scrapy import Request

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Headers that are for one page: the middlewares that made them make them anew.
_OF_ONE_PAGE = (b"Cookie", b"Authorization", b"Referer")
#: Of each of many seeds what it was made of, until it is queued.
_templates: WeakKeyDictionary[Request, Request] = WeakKeyDictionary()


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


def seed_of(template: Request, url: str, meta: Mapping[str, Any]) -> Request:
    """One of many seeds that differ in URL and meta, which a queue in memory may keep in short.

    Raises ValueError where `url` is none.
    """
    request = template.replace(url=url, meta=dict(meta))
    _templates[request] = template
    return request


def template_of(request: Request) -> Request | None:
    """What one of many seeds was made of, until it is queued; None for any other request."""
    return _templates.get(request)
