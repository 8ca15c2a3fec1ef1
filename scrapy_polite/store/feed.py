"""Change feeds: what has changed in a store since somebody read it last, in the order of the changes.

A store numbers its changes. No clock is involved, so nothing is missed that was written late, or by a clock that
differs. What changes several times between two readings is told once, as it stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

T = TypeVar("T")

PAGE_SIZE = 100_000
"""So many changes are on a page at most, some 50 MB of them."""


class Position(NamedTuple):
    """A place in one store's sequence of changes: the cursor of a feed, or a fencing token. Opaque to its users.

    `store` tells stores apart: a position in one means nothing in another, such as the one that has replaced it.
    """

    store: str
    number: int


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some changes. `cursor` is where the next page begins, `more` whether there is one already.

    The times of `items` are of the store's clock, which says `at`: `offset.ClockOffset` translates them.
    """

    items: list[T]
    cursor: Position
    more: bool
    at: float


def read_all(changes: Callable[[Position | None], Future[Page[T]]]) -> list[T]:
    """All that a feed has, the one changed longest ago first. Blocks; for commands."""
    found: list[T] = []
    cursor, more = None, True
    while more:
        page = changes(cursor).result()
        found += page.items
        cursor, more = page.cursor, page.more
    return found
