"""Copies of robots.txt in SQLite, and leases of the right to fetch one."""

from __future__ import annotations

import json
import math
import zlib
from typing import TYPE_CHECKING, Any

from scrapy_polite.clock import AHEAD_S
from scrapy_polite.store.processes import is_gone
from scrapy_polite.store.robots import Claim, RobotsCopy

from .rows import checked, encodable, marks, names, urls
from .schema import ROBOTS
from .sequence import NEXT, advance, number_of
from .writer import CHUNK, done, drop

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from concurrent.futures import Future

    from scrapy_polite.store.feed import Position

    from .writer import Writer

MAX_BODY_BYTES = 1024 * 1024
"""No longer body is ever stored (the fetcher cuts far below), so a longer one in a file is a fault, or a trap."""

SELECT = f"SELECT {names(ROBOTS)} FROM robots"
#: Of files of earlier versions.
SELECT_BEFORE_AGENT = SELECT.replace("agent", "token")
SELECT_BEFORE_REFUSED_SINCE = SELECT_BEFORE_AGENT.replace(", refused_since", "")
# With a fencing token, that decides; without one, the time.
UPSERT = (
    f"INSERT INTO robots ({names(ROBOTS)}, fence) VALUES ({marks(ROBOTS)}, ?) ON CONFLICT DO UPDATE SET "
    f"{', '.join(f'{name} = excluded.{name}' for name in ROBOTS)}, fence = max(fence, excluded.fence) "
    "WHERE iif(excluded.fence, excluded.fence >= fence, excluded.updated_at >= updated_at)"
)
# `RobotsCopy.as_of`, of what is about to be replaced.
_SET_BACK = f"UPDATE robots SET updated_at = ?1 WHERE origin = ?2 AND agent = ?3 AND updated_at > ?1 + {AHEAD_S}"
_LEASE = (
    f"INSERT INTO leases (origin, agent, holder, until, fence) VALUES (?, ?, ?, ?, {NEXT}) ON CONFLICT DO UPDATE SET "
    "holder = excluded.holder, until = excluded.until, "
    "fence = iif(holder = excluded.holder AND fence > 0, fence, excluded.fence) "
    f"WHERE holder = excluded.holder OR until <= ? OR until > excluded.until + {AHEAD_S} RETURNING fence"
)
_LEASES_OF_OTHER_AGENTS = (
    f"SELECT agent, holder FROM leases WHERE origin = ? AND agent <> ? AND until > ? AND until <= ? + {AHEAD_S}"
)
_OF_KEY = "WHERE origin = ? AND agent = ?"
_RENEW = f"UPDATE leases SET until = ? {_OF_KEY} AND holder = ?"
_RELEASE = f"DELETE FROM leases {_OF_KEY} AND holder = ?"
_DROP = f"DELETE FROM robots WHERE rowid IN (SELECT rowid FROM robots WHERE updated_at < ? LIMIT {CHUNK})"


class SqliteRobots:
    """A copy that is there and not due is read at once, by who asks. Bodies are at most `MAX_BODY_BYTES` long."""

    def __init__(self, writer: Writer, clock: Callable[[], float]) -> None:
        self._writer = writer
        self._clock = clock

    def get(self, origin: str, agent: str) -> Future[RobotsCopy | None]:
        now = self._clock()
        copy = self._writer.read_at_once(lambda db: _get(db, origin, agent, now))
        return self._writer.ask(lambda db: _get(db, origin, agent, now)) if copy is None else done(copy)

    def put(self, copy: RobotsCopy, holder: str = "", fence: Position | None = None) -> Future[bool]:
        now = self._clock()
        return self._writer.write(lambda db: _put(db, copy, holder, fence, now))

    def claim(self, origin: str, agent: str, holder: str, lease_s: float, due_in_s: float = 0.0) -> Future[Claim]:
        now = self._clock()
        copy = self._writer.read_at_once(lambda db: _get(db, origin, agent, now))
        if copy is not None and copy.due_at > now + due_in_s:
            return done(Claim(copy, False, None, now))
        return self._writer.write(lambda db: _claim(db, (origin, agent, holder), now, lease_s, due_in_s))

    def renew(self, origin: str, agent: str, holder: str, lease_s: float) -> Future[bool]:
        until = self._clock() + lease_s
        return self._writer.write(lambda db: db.execute(_RENEW, (until, origin, agent, holder)).rowcount == 1)

    def release(self, origin: str, agent: str, holder: str) -> Future[None]:
        return self._writer.write(lambda db: _release(db, origin, agent, holder))

    def of_origin(self, origin: str) -> Future[list[RobotsCopy]]:
        now = self._clock()
        return self._writer.ask(lambda db: [copy.as_of(now) for copy in _select(db, "WHERE origin = ?", origin)])

    def forget(self, origin: str | None) -> Future[int]:
        if origin is None:
            return self._writer.ask(lambda db: drop(db, _DROP, before=math.inf))
        return self._writer.ask(lambda db: db.execute("DELETE FROM robots WHERE origin = ?", (origin,)).rowcount)


def prune(db: sqlite3.Connection, before: float) -> int:
    db.execute("DELETE FROM leases WHERE until < ?", (before,))
    return drop(db, _DROP, before)


def row(copy: RobotsCopy, fence: int = 0) -> tuple[object, ...]:
    return (
        copy.origin,
        copy.agent,
        copy.updated_at,
        copy.status,
        zlib.compress(copy.body),
        copy.truncated,
        copy.fetched_at,
        copy.expires_at,
        encodable(copy.etag),
        encodable(copy.last_modified),
        json.dumps(copy.hops) if copy.hops else "",
        copy.failing_since,
        copy.failures,
        copy.next_try,
        encodable(copy.failure),
        copy.refused_since,
        fence,
    )


def value(row: tuple[Any, ...]) -> RobotsCopy:
    """Raises ValueError or zlib.error for a row that `row` cannot have written."""
    values = checked(ROBOTS, row)
    unpacking = zlib.decompressobj()
    values["body"] = unpacking.decompress(values["body"], MAX_BODY_BYTES)
    if not unpacking.eof:
        raise ValueError(f"body of {row[0]!r} is cut off, or longer than {MAX_BODY_BYTES} bytes")
    values["truncated"] = bool(values["truncated"])
    values["hops"] = urls(values, "hops") if values["hops"] else ()
    return RobotsCopy(**values)


def _select(db: sqlite3.Connection, where: str, *values: str) -> list[RobotsCopy]:
    return [value(row) for row in db.execute(f"{SELECT} {where}", values)]


def _get(db: sqlite3.Connection, origin: str, agent: str, now: float) -> RobotsCopy | None:
    copy = next(iter(_select(db, _OF_KEY, origin, agent)), None)
    return copy and copy.as_of(now)


def _put(db: sqlite3.Connection, copy: RobotsCopy, holder: str, fence: Position | None, now: float) -> bool:
    key, number = (copy.origin, copy.agent), number_of(db, fence)
    leased = db.execute(f"SELECT fence FROM leases {_OF_KEY}", key).fetchone() if number else None
    _release(db, *key, holder)
    if leased is not None and leased[0] > number:
        return False  # another has claimed since
    if not number:
        db.execute(_SET_BACK, (now, *key))
    return db.execute(UPSERT, row(copy, number)).rowcount == 1


def _claim(db: sqlite3.Connection, lease: tuple[str, str, str], now: float, lease_s: float, due_in_s: float) -> Claim:
    origin, agent, _ = lease
    copy = _get(db, origin, agent, now)
    if copy is not None and copy.due_at > now + due_in_s:
        return Claim(copy, False, None, now)
    number = _lease(db, lease, now, lease_s)
    return Claim(copy, number > 0, advance(db)._replace(number=number) if number else None, now)


def _lease(db: sqlite3.Connection, lease: tuple[str, str, str], now: float, lease_s: float) -> int:
    """The fencing token; 0 where the lease is not granted."""
    origin, agent, _ = lease
    for other, whose in db.execute(_LEASES_OF_OTHER_AGENTS, (origin, agent, now, now + lease_s)).fetchall():
        if not is_gone(whose):
            return 0
        _release(db, origin, other, whose)
    values = (*lease, now + lease_s, now)
    for (fence,) in db.execute(_LEASE, values).fetchall():
        return int(fence)
    ((holder,),) = db.execute(f"SELECT holder FROM leases {_OF_KEY}", lease[:2])
    if not is_gone(holder):
        return 0
    # A process that was killed gives nothing back: after a restart nobody should wait for it.
    _release(db, *lease[:2], holder)
    ((fence,),) = db.execute(_LEASE, values).fetchall()
    return int(fence)


def _release(db: sqlite3.Connection, origin: str, agent: str, holder: str) -> None:
    db.execute(_RELEASE, (origin, agent, holder))
