"""Parts for tests of coming back: a site whose pages change, and the spider that reads it."""

from __future__ import annotations

import hashlib
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

from spiders import ListSpider, move_clock
from webserver import Answer, Asked, Origin

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

HTML = {"Content-Type": "text/html; charset=utf-8"}


class Site:
    """Pages by path, each a list of the paths that it links to. `versions` says which ones have changed, and how often.

    With `validators` each has an ETag, and is answered with 304 where it is the same, both after `delay_s`.
    """

    def __init__(
        self, pages: Mapping[str, list[str]], *, validators: bool = True, max_age: str = "", delay_s: float = 0.0
    ) -> None:
        self.delay_s = delay_s
        self.pages = dict(pages)
        self.versions: dict[str, int] = {}
        self.validators = validators
        self.headers = HTML | ({"Cache-Control": max_age} if max_age else {})
        self.statuses: dict[str, int] = {}

    def table(self) -> dict[str, Callable[[Asked], Answer]]:
        return dict.fromkeys(self.pages, self.answer)

    def body(self, path: str) -> bytes:
        links = "".join(f'<a href="{link}">{link}</a>' for link in self.pages[path])
        filling = "<p>" + "a page of words " * 40 + "</p>"
        return f"<html><body>version {self.versions.get(path, 0)} of {path}{links}{filling}</body></html>".encode()

    def answer(self, asked: Asked) -> Answer:
        if status := self.statuses.get(asked.path):
            return Answer(status, headers=HTML)
        body = self.body(asked.path)
        if not self.validators:
            return Answer(body=body, headers=self.headers)
        etag = f'"{hashlib.sha1(body, usedforsecurity=False).hexdigest()}"'
        if asked.headers.get("if-none-match") == etag:
            return Answer(304, headers={"ETag": etag}, delay_s=self.delay_s)
        return Answer(body=body, headers=self.headers | {"ETag": etag}, delay_s=self.delay_s)


class RecrawlSpider(ListSpider):
    """Follows all links, and makes an item of each page: its path, what the page said of its version, and its depth."""

    name = "recrawl"

    def parse(self, response: Any, **said: Any) -> Any:
        self.responses.append(
            {
                "url": response.url,
                "status": response.status,
                "flags": response.flags,
                "unchanged": response.meta.get("polite_unchanged"),
                "version": response.css("body::text").get(),
                "depth": response.meta.get("depth"),
                "said": said,
            }
        )
        yield {"url": response.url}
        for href in response.css("a::attr(href)").getall():
            yield response.follow(href, self.parse, errback=self.failed, cb_kwargs={"from_": response.url})


class LaterSpider(RecrawlSpider):
    """The system's clock is CLOCK_AHEAD_S ahead."""

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
        move_clock(crawler.settings.getfloat("CLOCK_AHEAD_S"))
        return super().from_crawler(crawler, *args, **kwargs)


SPIDER, LATER = "recrawl_parts.RecrawlSpider", "recrawl_parts.LaterSpider"


def settings(folder: Path, **more: Any) -> dict[str, Any]:
    return {
        "POLITE_RECRAWL": "links",
        "POLITE_RECRAWL_MIN": 1,
        "POLITE_STORE": str(folder / "store.sqlite"),
        **more,
    }


def age(folder: Path, path: str = "", seconds: float = 100.0) -> None:
    """Let all pages, or those at this path, have been seen so long ago."""
    with closing(sqlite3.connect(folder / "store-pages.sqlite")) as db, db:
        db.execute(
            "UPDATE pages SET seen_at = seen_at - ?1, whole_at = whole_at - ?1 WHERE url LIKE ?2", (seconds, f"%{path}")
        )


def asked_of(origin: Origin) -> list[str]:
    """The pages that were asked for since the last call."""
    pages = origin.pages()
    origin.asked.clear()
    return sorted(pages)


class LambdaSpider(RecrawlSpider):
    """Its requests cannot be kept: their callbacks are no methods."""

    def parse(self, response: Any, **_: Any) -> Any:
        for one in super().parse(response):
            yield one.replace(callback=lambda page, **_: self.note(page)) if hasattr(one, "callback") else one

    def note(self, response: Any) -> None:
        self.responses.append({"url": response.url})


class FailingPipeline:
    def process_item(self, item: Any) -> Any:
        raise RuntimeError("the database is full")
