"""Waiting, in whichever of Scrapy's loop modes the crawl runs: asyncio reactor, another Twisted reactor, no reactor.

Public Scrapy and Twisted functions only; the same code serves all three.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Generator
from concurrent.futures import Future, InvalidStateError
from contextlib import asynccontextmanager, suppress
from threading import Thread
from typing import Any, Generic, TypeVar, cast

from scrapy.utils.asyncio import call_later, is_asyncio_available
from scrapy.utils.defer import deferred_from_coro, maybe_deferred_to_future
from twisted.internet.defer import CancelledError, Deferred

_T = TypeVar("_T")

#: What awaiting something cancelled raises: asyncio's or Twisted's, by loop mode.
CANCELLED = (asyncio.CancelledError, CancelledError)


def spawn(coroutine: Coroutine[Any, Any, _T]) -> Deferred[_T]:
    """Run a coroutine beside the caller. The Deferred can be cancelled and awaited with `awaitable`."""
    return cast("Deferred[_T]", deferred_from_coro(coroutine))


def awaitable(deferred: Deferred[_T]) -> Awaitable[_T]:
    return maybe_deferred_to_future(deferred)


async def sleep(seconds: float) -> None:
    waiter: Waiter[None] = Waiter()
    waiter.fire_after(seconds, None)
    await waiter


async def in_thread(function: Callable[[], _T], timeout_s: float | None = None) -> _T:
    """Call `function` in a thread of its own, one that does not keep the process from ending.

    Raises TimeoutError if it takes longer than `timeout_s`; the thread goes on by itself.
    """
    future: Future[_T] = Future()

    def run() -> None:
        try:
            result = function()
        except Exception as error:  # noqa: BLE001 (whoever awaits the future gets it)
            with suppress(InvalidStateError):
                future.set_exception(error)
        else:
            with suppress(InvalidStateError):  # it came too late
                future.set_result(result)

    Thread(target=run, name="scrapy-polite", daemon=True).start()
    timer = None if timeout_s is None else call_later(timeout_s, _set_timed_out, future)
    try:
        return await from_thread(future)
    finally:
        if timer is not None:
            timer.cancel()


def _set_timed_out(future: Future[Any]) -> None:
    with suppress(InvalidStateError):
        future.set_exception(TimeoutError())


async def from_thread(future: Future[_T]) -> _T:
    """The result of a future that a thread completes."""
    if future.done():
        return future.result()
    if is_asyncio_available():
        return await asyncio.wrap_future(future)
    from twisted.internet import reactor

    waiter: Waiter[None] = Waiter()
    future.add_done_callback(lambda _: reactor.callFromThread(waiter.fire, None))
    await waiter
    return future.result()


class Waiter(Generic[_T]):
    """Something one coroutine awaits and another fires, once; firing again does nothing.

    One for each that waits: many awaiting one Deferred through `maybe_deferred_to_future` get None from the third on.
    """

    def __init__(self) -> None:
        self._deferred: Deferred[_T] = Deferred()
        self._timer: Any = None

    def fire(self, value: _T) -> None:
        if not self._deferred.called:
            if self._timer is not None:
                self._timer.cancel()
            self._deferred.callback(value)

    def fire_after(self, seconds: float, value: _T) -> None:
        self._timer = call_later(max(seconds, 0.0), self.fire, value)

    def __await__(self) -> Generator[Any, None, _T]:
        try:
            return (yield from awaitable(self._deferred).__await__())
        finally:
            if self._timer is not None:
                self._timer.cancel()


class Every:
    """Calls `function` every `seconds`, from then on, until it is cancelled."""

    def __init__(self, seconds: float, function: Callable[[], object]) -> None:
        self._seconds = seconds
        self._function = function
        self._timer = call_later(seconds, self._call)

    def cancel(self) -> None:
        self._timer.cancel()

    def _call(self) -> None:
        self._timer = call_later(self._seconds, self._call)
        self._function()


class Semaphore:
    """At most `count` holders at once; the others wait in line. An async context manager."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._line: deque[Waiter[None]] = deque()

    async def __aenter__(self) -> None:
        if self._free > 0:
            self._free -= 1
            return
        waiter: Waiter[None] = Waiter()
        self._line.append(waiter)
        try:
            await waiter
        except CANCELLED:
            if waiter in self._line:
                self._line.remove(waiter)
            else:
                self._hand_on()
            raise

    async def __aexit__(self, *exc: object) -> None:
        self._hand_on()

    @asynccontextmanager
    async def for_at_most(self, seconds: float) -> AsyncIterator[None]:
        """A place that is handed on after `seconds`, though its holder may go on: what hangs keeps nobody out."""
        await self.__aenter__()
        left = False

        def leave() -> None:
            nonlocal left
            if not left:
                left = True
                self._hand_on()

        timer = call_later(seconds, leave)
        try:
            yield
        finally:
            timer.cancel()
            leave()

    def _hand_on(self) -> None:
        if self._line:
            self._line.popleft().fire(None)
        else:
            self._free += 1
