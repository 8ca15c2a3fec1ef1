"""The number of the last change: cursors of feeds, and fencing tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from scrapy_polite.store.feed import Page, Position

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

V = TypeVar("V")

#: In a statement: the number that `advance` is about to make the last one.
NEXT = "(SELECT last + 1 FROM sequence)"


def advance(db: sqlite3.Connection, by: int = 1) -> Position:
    """The position of a change that is made now; of several, the last one's."""
    return Position(*db.execute("UPDATE sequence SET last = last + ? RETURNING store, last", (by,)).fetchone())


def number_of(db: sqlite3.Connection, position: Position | None) -> int:
    """0 where it is none of this store's."""
    if position is None:
        return 0
    return position.number if position.store == _store(db) else 0


def page_of(
    db: sqlite3.Connection, select: str, cursor: Position | None, page_size: int, at: float, value: Callable[..., V]
) -> Page[V]:
    """A page of a feed: `select` yields rows with their `changed` first."""
    after = number_of(db, cursor)
    rows = db.execute(f"{select} WHERE changed > ? ORDER BY changed LIMIT ?", (after, page_size + 1)).fetchall()
    more = len(rows) > page_size
    del rows[page_size:]
    last = int(rows[-1][0]) if rows else after
    return Page([value(row[1:]) for row in rows], Position(_store(db), last), more, at)


def _store(db: sqlite3.Connection) -> str:
    ((store,),) = db.execute("SELECT store FROM sequence")
    return str(store)
