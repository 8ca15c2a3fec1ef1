"""Scrapy's engine: its state, and the two steps in which it asks the scheduler for requests.

An engine of None is one that is not there yet, or no longer.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any

from scrapy.signalmanager import SignalManager
from twisted.internet.defer import Deferred

from scrapy_polite._scrapy.downloader import active, downloader_of
from scrapy_polite._scrapy.private import private

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler


def _slot(engine: Any) -> Any:
    return getattr(engine, "_slot", None)


@private(
    uses="`engine._slot.closing`",
    versions="2.14 on",
    fallback="without a slot the crawl counts as closing; without `closing` it never does, and closes late",
    ask="a signal when a spider begins to close, before `spider_closed`",
)
def is_closing(engine: Any) -> bool:
    """Whether the crawl closes, or nothing can be downloaded."""
    slot = _slot(engine)
    return slot is None or isinstance(getattr(slot, "closing", None), Deferred)


@private(
    uses="`engine._slot.inprogress`",
    versions="2.14 on",
    fallback="a request counts as done as soon as this is asked: `kill -9` loses what is under way",
    ask="`engine.in_progress`, a read-only set",
)
def in_progress(engine: Any) -> AbstractSet[Request]:
    """The requests that the engine is at work on, until their callbacks have ended."""
    return getattr(_slot(engine), "inprogress", frozenset())


@private(
    uses="`engine._slot.scheduler`",
    versions="2.14 to 2.18",
    fallback="there is no scheduler to ask",
    ask="nothing: `engine.scheduler` is public from 2.19 on",
)
def scheduler_of(engine: Any) -> Any:
    """The crawl's scheduler; None before it is made, and after the end."""
    return getattr(_slot(engine), "scheduler", None)


@private(
    uses="`engine.downloader.active`, `engine.scraper.slot.is_idle()`",
    versions="2.14 on",
    fallback="the crawl counts as at rest",
    ask="`engine.is_idle()` without the scheduler and the start requests",
)
def is_at_rest(engine: Any) -> bool:
    """Whether nothing is in the downloader or the scraper."""
    slot = getattr(getattr(engine, "scraper", None), "slot", None)
    return not active(engine) and (slot is None or slot.is_idle())


@private(
    uses="`engine._start`, `engine._slot.heartbeat.running`",
    versions="2.14 on",
    fallback="the start counts as read",
    ask="`engine.starting`, true until the spider's start is read",
)
def is_starting(engine: Any) -> bool:
    """Whether more may come from the spider's start; in `scrapy shell` nobody reads it."""
    heartbeat = getattr(_slot(engine), "heartbeat", None)
    return getattr(engine, "_start", None) is not None and heartbeat is not None and heartbeat.running


@private(
    uses="`engine._start`",
    versions="2.14 on",
    fallback="each process that shares a queue reads the spider's start",
    ask="a scheduler that may say whether the spider's start is to be read, and hears of its end",
)
def guard_start(engine: Any, begin: Callable[[], Awaitable[bool]], end: Callable[[], object]) -> None:
    """Read the spider's start only if `begin` says so, however late, and call `end` after it.

    To be called before the engine reads it: from the scheduler's `open`.
    """
    start = getattr(engine, "_start", None)
    if start is None:
        return

    async def guarded() -> AsyncIterator[Any]:
        if await begin():
            try:
                async for request in start:
                    yield request
            except Exception:
                end()  # there is no more to come from it; one that is broken off begins anew elsewhere
                raise
            end()

    engine._start = guarded()


@private(
    uses="`engine._slot.nextcall.schedule()`",
    versions="2.14 on",
    fallback="the engine asks again within 5 s, its heartbeat",
    ask="`engine.wake()`, for schedulers whose requests become due",
)
def wake(engine: Any) -> None:
    """Have the engine ask the scheduler again, soon."""
    slot = _slot(engine)
    nextcall = getattr(slot, "nextcall", None)
    if nextcall is not None and getattr(slot, "closing", None) is None:
        nextcall.schedule()


@private(
    uses="`engine._start_scheduled_request`, `engine.downloader.needs_backout`",
    versions="2.14 on",
    fallback="spiders that answer `scheduler_empty` bring more although the queue is full",
    ask="a scheduler that may say that it waits, so that `scheduler_empty` is not sent",
)
def hold_back(engine: Any, waits: Callable[[], bool], holds_enough: Callable[[], bool]) -> None:
    """Let the engine ask the scheduler for nothing while it waits, and the spider for no more while it holds enough.

    An engine that is told None sends `scheduler_empty`, upon which spiders bring more, although the queue is full.
    """
    downloader = downloader_of(engine)
    if not hasattr(engine, "_start_scheduled_request") or not hasattr(downloader, "needs_backout"):
        return
    ask, needs_backout = engine._start_scheduled_request, downloader.needs_backout
    engine._start_scheduled_request = lambda: not waits() and ask()
    downloader.needs_backout = lambda: needs_backout() or holds_enough()


@private(
    uses="`engine.signals`, `engine.spider`, `engine.downloader.handlers._close()`",
    versions="2.14 on",
    fallback="connections stay open until the process ends",
    ask="a scheduler's `open` that fails ends the crawl, with no `spider_closed` where no `spider_opened` was sent",
)
async def make_unopened(crawler: Crawler, engine: Any) -> None:
    """Let a crawl that is not open yet end so that nobody is told of its closing, and Scrapy counts it as failed.

    Scrapy would tell of its closing also what has seen no opening, upon which SpiderState empties the job's
    `spider.state`, and other extensions fail.
    """
    engine.signals = SignalManager(engine)
    # Without a spider the engine closes the downloader alone, and Scrapy counts the crawl as failed.
    engine.spider = crawler.spider = None
    close_handlers = getattr(getattr(downloader_of(engine), "handlers", None), "_close", None)
    if close_handlers is not None:  # which Scrapy does when an engine stops that has run
        await close_handlers()
