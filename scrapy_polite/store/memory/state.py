"""What the parts of a store in memory have in common: the clock, the sequence of changes, and how they answer."""

from __future__ import annotations

import random
from concurrent.futures import Future
from typing import TYPE_CHECKING, TypeVar

from scrapy_polite.store.errors import StoreError
from scrapy_polite.store.feed import Page, Position

if TYPE_CHECKING:
    from collections.abc import Callable

    from .bounded import Bounded

V = TypeVar("V")
T = TypeVar("T")


class MemoryState:
    """Answers at once, with futures that are done; it belongs to one thread, the one that runs the crawl."""

    def __init__(self, clock: Callable[[], float], page_size: int) -> None:
        self.clock = clock
        self.closed = False
        self._page_size = page_size
        self._store = f"{random.getrandbits(64):x}"
        self._last = 0

    def answer(self, ask: Callable[[], T]) -> Future[T]:
        future: Future[T] = Future()
        if self.closed:
            future.set_exception(StoreError("store in memory: it is closed"))
        else:
            future.set_result(ask())
        return future

    def next(self) -> Position:
        """The position of a change that is made now."""
        self._last += 1
        return Position(self._store, self._last)

    def number(self, position: Position | None) -> int:
        """0 where it is none of this store's."""
        return position.number if position is not None and position.store == self._store else 0

    def page(self, held: Bounded[str, V] | Bounded[tuple[str, str], V], cursor: Position | None) -> Page[V]:
        after = self.number(cursor)
        changes = held.changes(after)
        items = changes[: self._page_size]
        last = items[-1][0] if items else after
        more = len(changes) > len(items)
        return Page([value for _, value in items], Position(self._store, last), more, self.clock())
