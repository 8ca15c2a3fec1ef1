"""Change feeds: the reply of a script as a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from scrapy_polite.store.feed import Page, Position

from .values import GarbledValue, integer, items, number, text

if TYPE_CHECKING:
    from collections.abc import Callable

    from .caller import Value

V = TypeVar("V")

#: Changes on a page: some 3 ms of the server's time, in which it serves nobody else.
PAGE_SIZE = 300


def position(cursor: Position | None) -> tuple[str, int]:
    """As arguments of a script."""
    return ("", 0) if cursor is None else (cursor.store, cursor.number)


def page_of(
    reply: Any, value: Callable[[Any], V], place: Callable[[bytes], Value], drop: Callable[[Value], None]
) -> Page[V]:
    """`value` makes one of a row, which begins with its name in the feed; those that it cannot read are dropped."""
    store, at, last, more, rows = items(reply, 5)
    found = [(row, _read(row, value)) for row in rows]
    for row, one in found:
        if one is None:
            drop(place(row[0]))
    return Page(
        [one for _, one in found if one is not None], Position(text(store), integer(last)), bool(more), number(at)
    )


def _read(row: Any, value: Callable[[Any], V]) -> V | None:
    try:
        return value(row)
    except GarbledValue:
        return None
