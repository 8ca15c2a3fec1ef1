"""Hosts in SQLite: who may send to one, which are closed, what their budgets have spent."""

from __future__ import annotations

import math
import sqlite3
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from scrapy_polite.clock import AHEAD_S
from scrapy_polite.store.feed import Page
from scrapy_polite.store.hosts import GateState, HostLease, KeptGate
from scrapy_polite.store.processes import is_gone

from .rows import checked, encodable, marks, names
from .schema import GATES
from .sequence import NEXT, advance, page_of
from .writer import CHUNK, drop

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from scrapy_polite.store.feed import Position

    from .writer import Writer

_ACQUIRE = (
    "INSERT INTO host_leases (key, holder, taken_at, hold_until, next_at) VALUES (?1, ?2, ?3, ?4, 0) "
    "ON CONFLICT DO UPDATE SET "
    "holder = excluded.holder, taken_at = excluded.taken_at, hold_until = excluded.hold_until "
    "WHERE (holder = excluded.holder OR hold_until <= excluded.taken_at) "
    "AND next_at <= excluded.taken_at AND (answered_at = 0 OR answered_at + ?5 <= excluded.taken_at)"
)
_ASKED = (
    "UPDATE host_leases SET next_at = answered_at + ?2 "
    "WHERE key = ?1 AND answered_at > 0 AND next_at < answered_at + ?2"
)
_SELECT_LEASE = "SELECT holder, taken_at, hold_until, next_at, answered_at FROM host_leases WHERE key = ?"
_RENEW = "UPDATE host_leases SET taken_at = ?3, hold_until = ?4 WHERE key = ?1 AND holder = ?2"
_KNOWS_LEASE = "SELECT 1 FROM host_leases WHERE key = ?"
_RELEASED = (
    "SET next_at = max(next_at, ?3), answered_at = max(answered_at, ?4), "
    "holder = iif(holder = ?2, '', holder), hold_until = iif(holder = ?2, 0, hold_until)"
)
_RELEASE = f"UPDATE host_leases {_RELEASED} WHERE key = ?1"
_RELEASE_WITH_GAP = (
    "INSERT INTO host_leases (key, holder, taken_at, hold_until, next_at, answered_at) VALUES (?1, '', 0, 0, ?3, ?4) "
    f"ON CONFLICT DO UPDATE {_RELEASED}"
)
_DROP_LEASES = "DELETE FROM host_leases WHERE hold_until < ?1 AND next_at < ?1"
SELECT = f"SELECT {names(GATES)} FROM gates"
SELECT_BEFORE_RETRY_AFTER = SELECT.replace("retry_after_s", "0.0")
_INSERT = f"INSERT INTO gates ({names(GATES)}, changed) VALUES ({marks(GATES)}, {{}})"
# `KeptGate.merged`: every expression sees the row as it was.
_ON_CONFLICT = (
    " ON CONFLICT DO UPDATE SET "
    "until = iif(excluded.kept_at >= kept_at, excluded.until, until), "
    "level = iif(excluded.kept_at >= kept_at, excluded.level, level), "
    "why = iif(excluded.kept_at >= kept_at, excluded.why, why), "
    "retry_after_s = iif(excluded.kept_at >= kept_at, excluded.retry_after_s, retry_after_s), "
    "spent = max(iif(excluded.period_start >= period_start, excluded.spent, 0), "
    "iif(period_start >= excluded.period_start, spent, 0)), "
    "period_start = max(period_start, excluded.period_start), changed = excluded.changed, "
    "kept_at = max(kept_at, excluded.kept_at), updated_at = max(updated_at, excluded.updated_at)"
)
MERGE = _INSERT.format("?") + _ON_CONFLICT
_KEEP = _INSERT.format(NEXT) + _ON_CONFLICT
_SPEND = (
    f"{_INSERT.format(NEXT)} ON CONFLICT DO UPDATE SET "
    "spent = excluded.spent + iif(excluded.period_start > period_start, 0, spent), changed = excluded.changed, "
    "period_start = max(period_start, excluded.period_start), updated_at = max(updated_at, excluded.updated_at) "
    "RETURNING spent"
)
_DROP = f"DELETE FROM gates WHERE key IN (SELECT key FROM gates WHERE updated_at < ?1 AND until <= ?1 LIMIT {CHUNK})"

# `HostLease.as_of` and `KeptGate.as_of`, of one key (?2) as of ?1.
_SET_BACK_LEASE = (
    "UPDATE host_leases SET hold_until = hold_until - (taken_at - ?1), next_at = next_at - (taken_at - ?1), "
    "answered_at = max(answered_at - (taken_at - ?1), 0), "
    f"taken_at = ?1 WHERE key = ?2 AND taken_at > ?1 + {AHEAD_S}"
)
_SET_BACK_OWN_LEASE = f"{_SET_BACK_LEASE} AND holder = ?3"
_SET_BACK = (
    "UPDATE gates SET until = iif(until > updated_at, until - (updated_at - ?1), until), "
    "period_start = min(period_start, ?1), "
    f"kept_at = min(kept_at, ?1), updated_at = ?1 WHERE key = ?2 AND updated_at > ?1 + {AHEAD_S}"
)


class SqliteHosts:
    def __init__(self, writer: Writer, clock: Callable[[], float], page_size: int) -> None:
        self._writer = writer
        self._clock = clock
        self._page_size = page_size

    def acquire(
        self, key: str, holder: str, hold_s: float, *, gap_s: float = 0.0, if_known: bool = False
    ) -> Future[float]:
        now = self._clock()
        return self._writer.write(lambda db: _acquire(db, key, holder, now, now + hold_s, gap_s, if_known))

    def renew(self, key: str, holder: str, hold_s: float) -> Future[bool]:
        now = self._clock()
        return self._writer.write(lambda db: _renew(db, key, holder, now, now + hold_s))

    def release(self, key: str, holder: str, gap_s: float, *, answered_s_ago: float | None = None) -> Future[None]:
        now = self._clock()
        release = key, holder, now + gap_s, 0.0 if answered_s_ago is None else now - answered_s_ago
        return self._writer.write(lambda db: _release(db, release, with_gap=gap_s > 0))

    def keep(self, key: str, closed_for_s: float, level: int, why: str, retry_after_s: float = 0.0) -> Future[None]:
        kept = KeptGate.closed(key, self._clock(), closed_for_s, level, why, retry_after_s)
        return self._writer.write(lambda db: _keep(db, kept))

    def spend(self, key: str, period_start: float, pages: int) -> Future[int]:
        spent = GateState(key, self._clock(), period_start=period_start, spent=pages)
        return self._writer.write(lambda db: _spend(db, spent))

    def changes(self, cursor: Position | None) -> Future[Page[GateState]]:
        now = self._clock()
        return self._writer.ask(lambda db: _changes(db, cursor, self._page_size, now))

    def forget(self, key: str | None) -> Future[int]:
        if key is None:
            return self._writer.ask(lambda db: drop(db, _DROP, before=math.inf))
        return self._writer.ask(lambda db: db.execute("DELETE FROM gates WHERE key = ?", (key,)).rowcount)


def prune(db: sqlite3.Connection, before: float) -> None:
    db.execute(_DROP_LEASES, (before,))
    drop(db, _DROP, before)


def row(kept: KeptGate) -> tuple[object, ...]:
    state = kept.state
    return (
        state.key,
        state.updated_at,
        state.until,
        state.level,
        encodable(state.why),
        state.period_start,
        state.spent,
        kept.kept_at,
        float(state.retry_after_s),
    )


def value(row: tuple[Any, ...]) -> KeptGate:
    """Raises ValueError for a row that `row` cannot have written."""
    values = checked(GATES, row)
    kept_at = values.pop("kept_at")
    return KeptGate(GateState(**values), kept_at)


def _acquire(
    db: sqlite3.Connection, key: str, holder: str, now: float, hold_until: float, gap_s: float, if_known: bool
) -> float:
    if if_known and db.execute(_KNOWS_LEASE, (key,)).fetchone() is None:
        return 0.0
    db.execute(_SET_BACK_LEASE, (now, key))
    if db.execute(_ACQUIRE, (key, holder, now, hold_until, gap_s)).rowcount == 1:
        return 0.0
    db.execute(_ASKED, (key, gap_s))
    lease = HostLease(*db.execute(_SELECT_LEASE, (key,)).fetchone())
    if lease.hold_until > now and is_gone(lease.holder):
        # A process that was killed gives nothing back. Its request may have been under way until now.
        db.execute(_RELEASE, (key, lease.holder, now + gap_s, now))
        return _acquire(db, key, holder, now, hold_until, gap_s, if_known)
    return lease.wait_s(holder, now)


def _renew(db: sqlite3.Connection, key: str, holder: str, now: float, hold_until: float) -> bool:
    db.execute(_SET_BACK_OWN_LEASE, (now, key, holder))
    return db.execute(_RENEW, (key, holder, now, hold_until)).rowcount == 1


def _release(db: sqlite3.Connection, release: tuple[str, str, float, float], *, with_gap: bool) -> None:
    db.execute(_RELEASE_WITH_GAP if with_gap else _RELEASE, release)


def _keep(db: sqlite3.Connection, kept: KeptGate) -> None:
    db.execute(_SET_BACK, (kept.kept_at, kept.state.key))
    db.execute(_KEEP, row(kept))
    advance(db)


def _spend(db: sqlite3.Connection, spent: GateState) -> int:
    db.execute(_SET_BACK, (spent.updated_at, spent.key))
    ((total,),) = db.execute(_SPEND, row(KeptGate(spent, kept_at=0.0))).fetchall()
    advance(db)
    return int(total)


def _changes(db: sqlite3.Connection, cursor: Position | None, page_size: int, now: float) -> Page[GateState]:
    page = page_of(db, f"SELECT changed, {names(GATES)} FROM gates", cursor, page_size, now, value)
    states = [kept.as_of(now).state for kept in page.items]
    ahead = [(now, kept.state.key) for kept, state in zip(page.items, states, strict=True) if kept.state is not state]
    if ahead:
        # Else it would last as long again whenever it is read. Where it cannot be written now, the next reader does.
        with suppress(sqlite3.OperationalError):
            db.executemany(_SET_BACK, ahead)
    return Page(states, page.cursor, page.more, page.at)
