"""Scrapy's downloader: its places (CONCURRENT_REQUESTS), and the lines of requests before its slots."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from scrapy_polite._scrapy.private import private

if TYPE_CHECKING:
    from scrapy import Request


def downloader_of(engine: Any) -> Any:
    """The downloader of an engine; None where there is none."""
    return getattr(engine, "downloader", None)


@private(
    uses="`downloader.active`",
    versions="2.14 on",
    fallback="a request counts as over as soon as this is asked: a host may get two at once",
    ask="to document it",
)
def active(engine: Any) -> AbstractSet[Request]:
    """The requests that are in the downloader, its middlewares included."""
    return getattr(downloader_of(engine), "active", frozenset())


@private(
    uses="`downloader.total_concurrency`",
    versions="2.14 on",
    fallback="100 is taken for it",
    ask="to document it",
)
def max_active(engine: Any) -> int:
    """CONCURRENT_REQUESTS as it is now; 0 where the project sets no bound."""
    return getattr(downloader_of(engine), "total_concurrency", 0)


@private(
    uses="`downloader.total_concurrency`",
    versions="2.14 on",
    fallback="a robots.txt takes a page's place while it comes",
    ask="downloads that do not count (`engine.download_async(request, extra=True)`)",
)
@contextmanager
def extra_place(engine: Any) -> Iterator[None]:
    """One more place in CONCURRENT_REQUESTS, for as long as a download of ours takes one."""
    extra = 1 if max_active(engine) else 0
    if extra:
        engine.downloader.total_concurrency += extra
    try:
        yield
    finally:
        if extra:
            engine.downloader.total_concurrency -= extra


@private(
    uses="`downloader.slots`, `get_slot_key()`",
    versions="2.14 on",
    fallback="no line is known. Scrapy's coming throttler has no slots, nor need a downloader of the project's own",
    ask="nothing: slots go with the throttler",
)
def slot_of(engine: Any, request: Request) -> Any:
    """The downloader's slot of a request; None where there is none, or none yet."""
    downloader = downloader_of(engine)
    try:
        return downloader.slots.get(downloader.get_slot_key(request))
    except AttributeError:
        return None


@private(
    uses="`slot.queue`",
    versions="2.14 on",
    fallback="a download counts as begun when it is asked for",
    ask="a signal when a request leaves its slot's line",
)
def line_of(engine: Any, request: Request) -> Any:
    """The entries that wait in the line of a request's slot: pairs whose first part is a request."""
    return getattr(slot_of(engine, request), "queue", ())


@private(
    uses="`slot.queue`",
    versions="2.14 on",
    fallback="robots.txt waits behind the pages of its slot",
    ask="a slot's line that minds `request.priority`",
)
def put_first(engine: Any, entry: Any) -> None:
    """Put an entry before all others in the line of its slot: it keeps the slot's pace, but goes next."""
    line = line_of(engine, entry[0])
    line.remove(entry)
    line.appendleft(entry)
