"""A second crawl of the same site, with Scrapy alone and with each value of POLITE_RECRAWL: python -m demo.again

A small web site runs on this machine for as long as that takes. It is crawled once. Then some of its pages change, and
it is crawled again in three ways. What was asked for and sent is the site's own count.
"""

from __future__ import annotations

import asyncio
import hashlib
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider
from scrapy.crawler import AsyncCrawlerRunner
from scrapy.utils.defer import deferred_f_from_coro_f
from scrapy.utils.log import configure_logging
from scrapy.utils.project import get_project_settings
from scrapy.utils.reactor import install_reactor

if TYPE_CHECKING:
    from scrapy.http import Response

#: Articles, of which every third is of the archive: it says that it stays as it is for a day.
ARTICLES = 60
CHANGED = frozenset({4, 31})
NEW = ARTICLES + 1
ARCHIVE_MAX_AGE_S = 86_400
#: The interval of a page that says max-age=0: so long the second crawls have to wait.
DUE_AFTER_S = 1.0

_WORDS = "The harbour master keeps a record of every vessel, with the weather in the margin. " * 40


class Site:
    """`/` links to all articles. Each page has an ETag. `changed`: whether some have changed since, and one is new."""

    def __init__(self) -> None:
        self.changed = False
        self.asked = self.not_modified = self.sent_bytes = 0
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                site.answer(self)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        body = self._body(handler.path)
        etag = f'"{hashlib.sha1(body or b"", usedforsecurity=False).hexdigest()}"'
        status = 404 if body is None else 304 if handler.headers.get("If-None-Match") == etag else 200
        if status == 200:
            self.sent_bytes += len(body or b"")
        self.asked += body is not None
        self.not_modified += status == 304
        handler.send_response(status)
        handler.send_header("Content-Type", "text/html; charset=utf-8")
        handler.send_header("Cache-Control", f"max-age={ARCHIVE_MAX_AGE_S if _is_archived(handler.path) else 0}")
        handler.send_header("ETag", etag)
        if status != 304:
            handler.send_header("Content-Length", str(len(body or b"")))
        handler.end_headers()
        if status == 200:
            handler.wfile.write(body or b"")

    def _body(self, path: str) -> bytes | None:
        name = path[1:]
        numbers = range(1, ARTICLES + 1 + self.changed)
        if not name:
            said = "".join(f'<li><a href="/{number}">Article {number}</a></li>' for number in numbers)
        elif name.isdigit() and int(name) in numbers:
            said = f"{'Corrected. ' if self.changed and int(name) in CHANGED else ''}{_WORDS}"
        else:
            return None
        return f"<html><head><title>Article {name}</title></head><body>{said}</body></html>".encode()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def _is_archived(path: str) -> bool:
    return path[1:].isdigit() and int(path[1:]) % 3 == 0


class AgainSpider(Spider):
    """Follows all links, and makes an item of each page."""

    name = "demo_again"

    def __init__(self, start_url: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._start_url = start_url
        #: Calls of the callback, and how many of them were told that nothing has changed.
        self.called = self.told_unchanged = 0

    async def start(self) -> AsyncIterator[Any]:
        yield Request(self._start_url)

    def parse(self, response: Response) -> Iterator[Any]:
        self.called += 1
        self.told_unchanged += response.meta.get("polite_unchanged", False)
        yield {"url": response.url}
        yield from response.follow_all(css="a")  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Crawl:
    """`reached` counts the pages that were asked for, and those that were known and not due."""

    name: str
    asked: int
    not_modified: int
    sent_bytes: int
    called: int
    told_unchanged: int
    reached: int


async def crawl(site: Site, name: str, store: Path | None, recrawl: str) -> Crawl:
    """One crawl, with the add-on where there is a `store`."""
    settings = get_project_settings().copy()
    settings.setdict({"LOG_LEVEL": "WARNING", "DOWNLOAD_DELAY": 0}, priority="cmdline")
    if store is None:
        settings.set("ADDONS", {}, priority="cmdline")
        settings.set("ROBOTSTXT_OBEY", True, priority="cmdline")
    else:
        own = {"POLITE_STORE": str(store), "POLITE_RECRAWL": recrawl, "POLITE_RECRAWL_MIN": DUE_AFTER_S}
        settings.setdict(own | {"POLITE_RUN_REPORT": False}, priority="cmdline")
    site.asked = site.not_modified = site.sent_bytes = 0
    runner = AsyncCrawlerRunner(settings)
    crawler = runner.create_crawler(AgainSpider)
    await runner.crawl(crawler, start_url=site.url)
    spider, stats = crawler.spider, crawler.stats
    assert isinstance(spider, AgainSpider)
    assert stats is not None
    not_due = stats.get_value("polite/recrawl/not-due", 0)
    counts = site.asked, site.not_modified, site.sent_bytes, spider.called, spider.told_unchanged
    return Crawl(name, *counts, site.asked + not_due)


async def crawls(folder: Path) -> list[Crawl]:
    """The first crawl, and the second ones."""
    site = Site()
    try:
        first = await crawl(site, "the first crawl", folder / "first" / "polite.sqlite", "callback")
        until = time.monotonic() + DUE_AFTER_S
        site.changed = True
        made = [first, await crawl(site, "again: Scrapy alone", None, "off")]
        await asyncio.sleep(max(until - time.monotonic(), 0.0))
        for mode in ("links", "callback"):
            shutil.copytree(folder / "first", folder / mode)  # each knows what the first crawl has kept
            made.append(await crawl(site, f'again: POLITE_RECRAWL = "{mode}"', folder / mode / "polite.sqlite", mode))
        return made
    finally:
        site.close()


def report(made: list[Crawl]) -> Iterator[str]:
    changes = f"{len(CHANGED)} of its articles have changed and one is new"
    yield f"A site of {ARTICLES + 1} pages is crawled, and crawled again when {changes}."
    yield f"Every third article is of the archive: it says that it stays as it is for a day ({ARCHIVE_MAX_AGE_S} s)."
    yield ""
    yield f"{'':36}{'reached':>9}{'asked for':>11}{'304':>6}{'bytes sent':>12}{'callbacks':>11}"
    for one in made:
        counts = f"{one.reached:>9}{one.asked:>11}{one.not_modified:>6}{one.sent_bytes:>12,}{one.called:>11}"
        told = f"  {one.told_unchanged} of them told that nothing has changed" if one.told_unchanged else ""
        yield f"{one.name:36}{counts}{told}"
    yield ""
    yield "reached    pages that were asked for, or known and not due"
    yield "asked for  by the site's own log; 304: of these, answered without a body, as nothing had changed"
    yield "callbacks  pages that the spider was given"


def main() -> int:
    install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")
    from twisted.internet.task import react

    configure_logging({"LOG_LEVEL": "WARNING"})
    made: list[Crawl] = []

    async def run(_: object) -> None:
        with tempfile.TemporaryDirectory() as folder:
            made.extend(await crawls(Path(folder)))

    try:
        react(deferred_f_from_coro_f(run))
    except SystemExit as ended:
        if ended.code:
            raise
    print("\n".join(report(made)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
