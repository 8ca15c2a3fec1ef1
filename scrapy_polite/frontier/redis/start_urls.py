"""The start URLs of scrapy-redis 0.9: a list, a set or a sorted set, of URLs or of JSON objects.

An object has a `url`, perhaps a `method` and `meta`; all else in it is form data (`RedisMixin.make_request_from_data`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

from scrapy import FormRequest, Request

from scrapy_polite._redis.connection import connect
from scrapy_polite._redis.faults import explained
from scrapy_polite.frontier.queue import FrontierError
from scrapy_polite.text import printable

if TYPE_CHECKING:
    import redis

    from scrapy_polite._redis.url import RedisUrl

_TIMEOUT_S = 10.0
#: Read in one call.
_PAGE = 1_000


def start_requests(url: RedisUrl, key: str, encoding: str) -> Iterator[Request]:
    """In the order in which scrapy-redis would take them; they stay there. Raises FrontierError."""
    try:
        with closing(connect(url, _TIMEOUT_S)) as client:
            found: Any = client.type(key)
            kind = found.decode()
            if kind not in _READERS:
                said = "is not there" if kind == "none" else f"is a {kind}"
                raise FrontierError(f"{url.shown}: {key} {said}, expected a list, a set or a sorted set of start URLs")
            for entry in _READERS[kind](client, key):
                yield _made(entry, key, encoding)
    except FrontierError:
        raise
    except Exception as error:
        raise FrontierError(explained(error, url.shown).text) from error


def _made(entry: bytes, key: str, encoding: str) -> Request:
    try:
        return start_request(entry, encoding)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise FrontierError(
            f"{printable(entry.decode('utf-8', 'backslashreplace'), 100)!r} in {key} is no start URL of scrapy-redis "
            f"({error}): take it out (LREM, SREM, ZREM); what comes before it may be queued already"
        ) from error


def start_request(entry: bytes, encoding: str) -> Request:
    """As scrapy-redis makes it, but for the dupefilter, which it passes. Raises ValueError or TypeError."""
    text = entry.decode(encoding)
    if not text.lstrip().startswith("{"):
        return Request(text.strip())
    form: dict[str, Any] = json.loads(text)
    if not isinstance(form.get("url"), str):
        raise ValueError("it has no url")
    url, meta, method = form.pop("url"), form.pop("meta", {}), str(form.pop("method", "GET")).upper()
    made = FormRequest(url, method=method, formdata=form, meta=meta)
    return Request(made.url, method=made.method, headers=made.headers, body=made.body, meta=made.meta)


def _pages(read: Callable[[int, int], Any]) -> Iterator[bytes]:
    page = read(0, _PAGE - 1)
    for at in count(_PAGE, _PAGE):
        yield from page
        if len(page) < _PAGE:
            return
        page = read(at, at + _PAGE - 1)


_READERS: dict[str, Callable[[redis.Redis, str], Iterator[bytes]]] = {
    "list": lambda client, key: _pages(partial(client.lrange, key)),
    "set": lambda client, key: client.sscan_iter(key, count=_PAGE),
    "zset": lambda client, key: _pages(partial(client.zrevrange, key)),
}
