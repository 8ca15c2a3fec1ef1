"""Spiders of tests/crawl/test_blacklist.py. Names that end in `.test` are resolved here, and nowhere else.

`a.b.c.d.test` is that address; `then.X.Y.test` is X, and Y from the second connection on, dashes for dots.
"""

from __future__ import annotations

import socket
from collections import Counter
from pathlib import Path
from typing import Any

import scrapy
from scrapy.utils.asyncio import call_later

from scrapy_polite.services import blacklists
from spiders import LinksSpider, ListSpider

blacklists.POLL_S = 0.2

_asked: Counter[str] = Counter()
_getaddrinfo, _gethostbyname = socket.getaddrinfo, socket.gethostbyname


def address(host: Any) -> Any:
    name = host.decode() if isinstance(host, bytes) else host
    if not name or not name.endswith(".test"):
        return host
    _asked[name] += 1
    if name.startswith("then."):
        _, first, later, _ = name.split(".")
        return (first if _asked[name] == 1 else later).replace("-", ".")
    return name.removesuffix(".test")


socket.getaddrinfo = lambda host, *args, **kwargs: _getaddrinfo(address(host), *args, **kwargs)
socket.gethostbyname = lambda host: _gethostbyname(address(host))


class Listed(ListSpider):
    """Fetches the URLs of its job."""


class Links(LinksSpider):
    """Follows every link."""


class Edits(ListSpider):
    """Fetches its first URL; then puts the others into the queue, and has the engine pause until the crawl has read a
    list that is written meanwhile: meta `edit` is its path, `text` what it holds from then on (None: it is deleted).
    """

    async def start(self) -> Any:
        yield scrapy.Request(self.job["urls"][0], self.edit, errback=self.failed)

    def edit(self, response: Any) -> Any:
        self.parse(response)
        self.crawler.engine.pause()
        path, text = Path(self.job["meta"]["edit"]), self.job["meta"]["text"]
        if text is None:
            path.unlink()
        else:
            path.write_bytes(text.encode("latin-1"))
        self.go_on_once_it_is_read()
        for url in self.job["urls"][1:]:
            yield self.request(url)

    def go_on_once_it_is_read(self) -> None:
        stats = self.crawler.stats
        if stats.get_value("polite/blacklist/reloads") or stats.get_value("polite/blacklist/reload_failures"):
            self.crawler.engine.unpause()
        else:
            call_later(0.05, self.go_on_once_it_is_read)
