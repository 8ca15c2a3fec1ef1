"""Dead URLs in SQLite."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from scrapy_polite.clock import AHEAD_S
from scrapy_polite.store.dead_urls import DeadUrl

from .rows import checked, encodable, marks, names
from .schema import DEAD
from .writer import CHUNK, done, drop

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from concurrent.futures import Future

    from .writer import Writer

SELECT = f"SELECT {names(DEAD)} FROM dead"
KEEP = (
    f"INSERT INTO dead ({names(DEAD)}) VALUES ({marks(DEAD)}) ON CONFLICT DO UPDATE SET "
    "status = excluded.status, seen_at = excluded.seen_at WHERE excluded.seen_at >= seen_at"
)
_DROP = f"DELETE FROM dead WHERE key IN (SELECT key FROM dead WHERE seen_at < ? LIMIT {CHUNK})"
# `DeadUrl.as_of`, of one key (?2) as of ?1.
_DROP_AHEAD = f"DELETE FROM dead WHERE key = ?2 AND seen_at > ?1 + {AHEAD_S}"


class SqliteDeadUrls:
    """Read at once, by who asks."""

    def __init__(self, writer: Writer, clock: Callable[[], float]) -> None:
        self._writer = writer
        self._clock = clock

    def get(self, key: str) -> Future[DeadUrl | None]:
        now = self._clock()
        found = self._writer.read_at_once(lambda db: _find(db, key, now))
        if found is not None:
            return done(next(iter(found), None))
        return self._writer.ask(lambda db: next(iter(_find(db, key, now)), None))

    def keep(self, key: str, status: int) -> Future[None]:
        dead = DeadUrl(key, status, self._clock())
        return self._writer.write(lambda db: _keep(db, dead))

    def forget(self, key: str | None) -> Future[int]:
        if key is None:
            return self._writer.ask(lambda db: drop(db, _DROP, before=math.inf))
        return self._writer.ask(lambda db: db.execute("DELETE FROM dead WHERE key = ?", (encodable(key),)).rowcount)


def prune(db: sqlite3.Connection, before: float) -> None:
    drop(db, _DROP, before)


def row(dead: DeadUrl) -> tuple[object, ...]:
    return encodable(dead.key), dead.status, dead.seen_at


def value(row: tuple[Any, ...]) -> DeadUrl:
    """Raises ValueError for a row that `row` cannot have written."""
    return DeadUrl(**checked(DEAD, row))


def _find(db: sqlite3.Connection, key: str, now: float) -> list[DeadUrl]:
    found = (value(row).as_of(now) for row in db.execute(f"{SELECT} WHERE key = ?", (encodable(key),)))
    return [dead for dead in found if dead is not None]


def _keep(db: sqlite3.Connection, dead: DeadUrl) -> None:
    db.execute(_DROP_AHEAD, (dead.seen_at, encodable(dead.key)))
    db.execute(KEEP, row(dead))
