"""What the crawl does between two commits, and how one transaction writes it."""

from __future__ import annotations

import json
import sqlite3
import time
from itertools import chain
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

Row: TypeAlias = "tuple[int, int, int, int, int, bytes]"
"""Number, lane's number, rank, how often it was popped, request: a row of `requests`."""

SET_ASIDE = "INSERT INTO set_aside SELECT id, ?, ?, ?, request FROM requests WHERE id = ?"
_DELETE = "DELETE FROM {} WHERE id IN (SELECT value FROM json_each(?))"
_NOTE = "INSERT OR REPLACE INTO notes VALUES (?, ?, ?)"
_MAX_VALUES = 32_000 if sqlite3.sqlite_version_info >= (3, 32) else 999
_CHUNK = 1_024
#: What no row may be that is to be written. Anything else is the fault of the disk, and may be over later.
ROW_FAULTS = (
    sqlite3.DataError,
    sqlite3.IntegrityError,
    sqlite3.InterfaceError,
    sqlite3.ProgrammingError,
    OverflowError,
    TypeError,
    ValueError,
)


class Batch:
    """What one transaction does. Steps on one request that come to nothing are left out."""

    __slots__ = ("dead_lanes", "done", "lanes", "notes", "number", "popped", "pushed", "set_aside", "visited")

    def __init__(self, number: int) -> None:
        self.number = number
        self.lanes: dict[int, str] = {}
        self.dead_lanes: list[int] = []
        self.pushed: dict[int, Row] = {}
        self.popped: set[int] = set()
        self.done: list[int] = []
        self.visited: list[bytes] = []
        self.set_aside: list[tuple[str, str, str, int]] = []
        self.notes: dict[str, bytes] = {}

    @property
    def steps(self) -> int:
        return len(self.pushed) + len(self.popped) + len(self.done) + len(self.visited)

    @property
    def empty(self) -> bool:
        return not (self.steps or self.lanes or self.dead_lanes or self.notes)

    def steps_alone(self) -> Iterator[Batch]:
        """The same, one step in each batch."""
        for name in ("lanes", "pushed", "popped", "set_aside", "done", "dead_lanes", "visited", "notes"):
            steps = getattr(self, name)
            for step in steps.items() if isinstance(steps, dict) else steps:
                alone = Batch(self.number)
                setattr(alone, name, type(steps)([step]))
                yield alone

    def forget(self, number: int) -> None:
        """As if there had never been such a request."""
        self.popped.discard(number)
        if self.pushed.pop(number, None) is None:
            self.done.append(number)


def fault_of(db: sqlite3.Connection, step: Batch, *, exact: bool) -> Exception | None:
    try:
        apply(db, step, exact=exact)
    except ROW_FAULTS as fault:
        return fault
    return None


def apply(db: sqlite3.Connection, batch: Batch, *, exact: bool) -> None:
    """`exact`: what was visited is written too."""
    _insert(db, "INSERT INTO lanes", 2, batch.lanes.items())
    _insert(db, "INSERT INTO requests", 6, batch.pushed.values())
    _insert(db, "INSERT INTO popped", 1, ((number,) for number in batch.popped))
    for values in batch.set_aside:
        db.execute(SET_ASIDE, values)
    now_ns = time.time_ns()
    db.executemany(_NOTE, ((host, now_ns + at, note) for at, (host, note) in enumerate(batch.notes.items())))
    for table, numbers in (("requests", batch.done), ("popped", batch.done), ("lanes", batch.dead_lanes)):
        if numbers:
            db.execute(_DELETE.format(table), (json.dumps(numbers),))
    if exact:
        _insert(db, "INSERT OR IGNORE INTO visited", 1, ((fingerprint,) for fingerprint in sorted(batch.visited)))


def _insert(db: sqlite3.Connection, insert: str, columns: int, rows: Iterable[tuple[Any, ...]]) -> None:
    """Many rows in one statement, as at `writer._FETCH`; few sizes, so that statements are prepared once."""
    values = [*chain.from_iterable(rows)]
    size = min(_CHUNK, _MAX_VALUES // columns)
    at = 0
    while at < len(values):
        while size * columns > len(values) - at:
            size = (size + 1) // 2
        places = ",".join([f"({','.join('?' * columns)})"] * size)
        db.execute(f"{insert} VALUES {places}", values[at : at + size * columns])
        at += size * columns
