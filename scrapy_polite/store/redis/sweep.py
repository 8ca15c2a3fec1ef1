"""Dropping much, a piece in a call: one script over a million keys would keep all others waiting."""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from scrapy_polite.store.errors import StoreError

from .values import GarbledValue, integer, text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")

#: Values that are looked at in one call: some 3 ms of the server's time, in which it serves nobody else.
SIZE = 300


class Swept(NamedTuple):
    """What one call has dropped of a feed, the number to go on after, and whether there is more."""

    dropped: int
    last: int
    more: bool


def swept(reply: Any) -> Swept:
    parts = text(reply).split()
    if len(parts) != 3:
        raise GarbledValue
    count, last, more = map(integer, parts)
    return Swept(count, last, bool(more))


def composed() -> Future[Any]:
    """A future that others complete. It cannot be cancelled: they do not ask whether it was."""
    future: Future[Any] = Future()
    future.set_running_or_notify_cancel()
    return future


def sweep(drop: Callable[[int], Future[int]]) -> Future[int]:
    """Call `drop` with how many to drop at most until there are fewer. Returns how many were dropped."""
    total: Future[int] = composed()

    def go_on(so_far: int) -> None:
        when_done(drop(SIZE), total, lambda count: went(so_far + count, count))

    def went(so_far: int, count: int) -> None:
        if count < SIZE:
            total.set_result(so_far)
        else:
            go_on(so_far)

    go_on(0)
    return total


def sweep_in_order(drop: Callable[[int, int], Future[Swept]]) -> Future[int]:
    """Call `drop` with the number of a change to go on after, and how many to look at, until there are no more.

    Returns how many were dropped.
    """
    total: Future[int] = composed()

    def go_on(so_far: int, after: int) -> None:
        when_done(drop(after, SIZE), total, lambda part: went(so_far + part.dropped, part))

    def went(so_far: int, part: Swept) -> None:
        if part.more:
            go_on(so_far, part.last)
        else:
            total.set_result(so_far)

    go_on(0, 0)
    return total


def one_after_another(steps: Sequence[Callable[[], Future[T]]]) -> Future[T]:
    """Start each when the one before has ended. Returns the answer of the last."""
    last: Future[T] = composed()

    def go_on(at: int) -> None:
        when_done(steps[at](), last, lambda answer: last.set_result(answer) if at + 1 == len(steps) else go_on(at + 1))

    go_on(0)
    return last


def when_done(done: Future[T], whole: Future[Any], go_on: Callable[[T], None]) -> None:
    """Go on with the answer of a part; where it failed, the whole fails alike."""

    def look(done: Future[T]) -> None:
        error = done.exception()
        if isinstance(error, StoreError):
            whole.set_exception(error)
        else:
            go_on(done.result())

    done.add_done_callback(look)
