"""Quarantines in SQLite."""

from __future__ import annotations

import json
import math
import sqlite3
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from scrapy_polite.clock import AHEAD_S
from scrapy_polite.store.feed import Page
from scrapy_polite.store.quarantines import DECISIONS, Quarantine

from .rows import checked, encodable, marks, names, urls
from .schema import QUARANTINES
from .sequence import NEXT, advance, page_of
from .writer import CHUNK, drop

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from scrapy_polite.store.feed import Position

    from .writer import Writer

SELECT = f"SELECT {names(QUARANTINES)} FROM quarantines"
# `Quarantine.merged`: every expression sees the row as it was.
_OUTRANKS = "(excluded.decision != '', excluded.updated_at) >= (decision != '', updated_at)"
_UPSERT = (
    f"INSERT INTO quarantines ({names(QUARANTINES)}, changed) VALUES ({marks(QUARANTINES)}, {{}}) "
    "ON CONFLICT DO UPDATE SET refused = max(refused, excluded.refused), changed = excluded.changed, "
    + ", ".join(f"{name} = iif({_OUTRANKS}, excluded.{name}, {name})" for name in QUARANTINES if name != "refused")
)
MERGE = _UPSERT.format("?")
_KEEP = _UPSERT.format(NEXT)
_DROP = f"DELETE FROM quarantines WHERE rowid IN (SELECT rowid FROM quarantines WHERE until <= ? LIMIT {CHUNK})"
# `Quarantine.as_of`, of one site (?2) and place (?3) as of ?1.
_SET_BACK = (
    "UPDATE quarantines SET since = min(since, ?1), until = until - (updated_at - ?1), updated_at = ?1 "
    f"WHERE site = ?2 AND place = ?3 AND updated_at > ?1 + {AHEAD_S}"
)


class SqliteQuarantines:
    def __init__(self, writer: Writer, clock: Callable[[], float], page_size: int) -> None:
        self._writer = writer
        self._clock = clock
        self._page_size = page_size

    def keep(self, quarantine: Quarantine) -> Future[None]:
        now = self._clock()
        return self._writer.write(lambda db: _keep(db, quarantine, now))

    def changes(self, cursor: Position | None) -> Future[Page[Quarantine]]:
        now = self._clock()
        return self._writer.ask(lambda db: _changes(db, cursor, self._page_size, now))

    def forget(self, site: str | None, place: str | None = None) -> Future[int]:
        if site is None:
            return self._writer.ask(lambda db: drop(db, _DROP, before=math.inf))
        return self._writer.ask(lambda db: _forget(db, site, place))


def prune(db: sqlite3.Connection, before: float) -> None:
    drop(db, _DROP, before)


def row(quarantine: Quarantine) -> tuple[object, ...]:
    return (
        encodable(quarantine.site),
        encodable(quarantine.place),
        quarantine.kind,
        encodable(quarantine.evidence),
        json.dumps([encodable(example) for example in quarantine.examples]),
        quarantine.since,
        quarantine.until,
        quarantine.refused,
        quarantine.decision,
        quarantine.updated_at,
    )


def value(row: tuple[Any, ...]) -> Quarantine:
    """Raises ValueError for a row that `row` cannot have written."""
    values = checked(QUARANTINES, row)
    values["examples"] = urls(values, "examples")
    if values["decision"] not in DECISIONS:
        raise ValueError(f"decision of {row[0]!r} is {values['decision']!r}")
    return Quarantine(**values)


def _keep(db: sqlite3.Connection, quarantine: Quarantine, now: float) -> None:
    kept = quarantine.bounded()
    if kept is not None:
        values = row(kept)
        db.execute(_SET_BACK, (now, *values[:2]))
        db.execute(_KEEP, values)
        advance(db)


def _changes(db: sqlite3.Connection, cursor: Position | None, page_size: int, now: float) -> Page[Quarantine]:
    page = page_of(db, f"SELECT changed, {names(QUARANTINES)} FROM quarantines", cursor, page_size, now, value)
    found = [quarantine.as_of(now) for quarantine in page.items]
    ahead = [(now, old.site, old.place) for old, new in zip(page.items, found, strict=True) if old is not new]
    if ahead:
        # Else it would last as long again whenever it is read. Where it cannot be written now, the next reader does.
        with suppress(sqlite3.OperationalError):
            db.executemany(_SET_BACK, ahead)
    return Page(found, page.cursor, page.more, page.at)


def _forget(db: sqlite3.Connection, site: str, place: str | None) -> int:
    if place is None:
        return db.execute("DELETE FROM quarantines WHERE site = ?", (encodable(site),)).rowcount
    statement = "DELETE FROM quarantines WHERE site = ? AND place = ?"
    return db.execute(statement, (encodable(site), encodable(place))).rowcount
