"""A store in one SQLite file: outlives the crawl, and is shared by the processes of one machine.

The file is in WAL mode, so readers never wait; synchronous=NORMAL, so a killed process loses nothing that was
acknowledged and a power cut at most the last commits (https://www.sqlite.org/wal.html). Not for network file systems.
Folder and file are readable by their owner alone: which sites are crawled is nobody else's business.
"""

from __future__ import annotations

import json
import math
import os
import sqlite3
import threading
import time
import zlib
from collections import deque
from concurrent.futures import Future
from contextlib import closing, contextmanager, suppress
from itertools import chain, islice
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from scrapy_polite.clock import AHEAD_S

from .base import (
    DECISIONS,
    MAX_GATES,
    MAX_QUARANTINES,
    DeadUrl,
    GateState,
    KeptGate,
    Quarantine,
    RobotsCopy,
    StoreError,
    StoreLocked,
    Turn,
)
from .holder import is_gone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

T = TypeVar("T")
Columns = dict[str, tuple[str, tuple[type, ...]]]
"""Column by column: SQL type, and what reading it must yield."""

APPLICATION_ID = int.from_bytes(b"Plte", "big")
MAX_BODY_BYTES = 1024 * 1024
"""No longer body is ever stored (the fetcher cuts far below), so a longer one in a file is a fault, or a trap."""

_IMPATIENT_S = 0.25
"""So long a call waits for a lock once another has waited for it in vain: else they would line up behind each other."""

_RETRY_S = 0.005  # Between two tries of what SQLite does not wait for by itself.
_CHUNK = 1_000  # Rows in one transaction, some 20 ms: far below any other process's busy timeout.

#: In the order of the fields of `RobotsCopy`.
_COLUMNS: Columns = {
    "origin": ("TEXT NOT NULL", (str,)),
    "token": ("TEXT NOT NULL", (str,)),
    "updated_at": ("REAL NOT NULL", (float,)),
    "status": ("INTEGER", (int, type(None))),
    "body": ("BLOB NOT NULL", (bytes,)),
    "truncated": ("INTEGER NOT NULL", (int,)),
    "fetched_at": ("REAL NOT NULL", (float,)),
    "expires_at": ("REAL NOT NULL", (float,)),
    "etag": ("TEXT", (str, type(None))),
    "last_modified": ("TEXT", (str, type(None))),
    "hops": ("TEXT NOT NULL", (str,)),
    "failing_since": ("REAL", (float, type(None))),
    "failures": ("INTEGER NOT NULL", (int,)),
    "next_try": ("REAL NOT NULL", (float,)),
    "failure": ("TEXT NOT NULL", (str,)),
}
#: In the order of the fields of `GateState`, then of `KeptGate`.
_GATE_COLUMNS: Columns = {
    "key": ("TEXT NOT NULL PRIMARY KEY", (str,)),
    "updated_at": ("REAL NOT NULL", (float,)),
    "until": ("REAL NOT NULL", (float,)),
    "level": ("INTEGER NOT NULL", (int,)),
    "why": ("TEXT NOT NULL", (str,)),
    "period_start": ("REAL NOT NULL", (float,)),
    "spent": ("INTEGER NOT NULL", (int,)),
    "kept_at": ("REAL NOT NULL", (float,)),
}
#: In the order of the fields of `DeadUrl`.
_DEAD_COLUMNS: Columns = {
    "key": ("TEXT NOT NULL PRIMARY KEY", (str,)),
    "status": ("INTEGER NOT NULL", (int,)),
    "seen_at": ("REAL NOT NULL", (float,)),
}
#: In the order of the fields of `Quarantine`.
_QUARANTINE_COLUMNS: Columns = {
    "site": ("TEXT NOT NULL", (str,)),
    "place": ("TEXT NOT NULL", (str,)),
    "kind": ("TEXT NOT NULL", (str,)),
    "evidence": ("TEXT NOT NULL", (str,)),
    "examples": ("TEXT NOT NULL", (str,)),
    "since": ("REAL NOT NULL", (float,)),
    "until": ("REAL NOT NULL", (float,)),
    "refused": ("INTEGER NOT NULL", (int,)),
    "decision": ("TEXT NOT NULL", (str,)),
    "updated_at": ("REAL NOT NULL", (float,)),
}


def _definitions(columns: Columns) -> str:
    return ", ".join(f"{name} {sql}" for name, (sql, _) in columns.items())


_NAMES = ", ".join(_COLUMNS)
_GATE_NAMES = ", ".join(_GATE_COLUMNS)
_DEAD_NAMES = ", ".join(_DEAD_COLUMNS)
_QUARANTINE_NAMES = ", ".join(_QUARANTINE_COLUMNS)

_LEASES = "origin TEXT NOT NULL, token TEXT NOT NULL, holder TEXT NOT NULL, until REAL NOT NULL"
_TURNS = (
    "key TEXT NOT NULL PRIMARY KEY, holder TEXT NOT NULL, "
    "taken_at REAL NOT NULL, hold_until REAL NOT NULL, next_at REAL NOT NULL"
)
#: What each version of the schema adds to the one before. Statements that have been released stay as they are.
_SCHEMA = (
    (
        # With a rowid: rows of some 430 bytes make a WITHOUT ROWID table a quarter larger, and writing twice as slow.
        f"CREATE TABLE robots ({_definitions(_COLUMNS)}, PRIMARY KEY (origin, token))",
        f"CREATE TABLE leases ({_LEASES}, PRIMARY KEY (origin, token)) WITHOUT ROWID",
        "CREATE INDEX robots_by_age ON robots (updated_at)",
    ),
    (
        f"CREATE TABLE gates ({_definitions(_GATE_COLUMNS)}) WITHOUT ROWID",
        f"CREATE TABLE turns ({_TURNS}) WITHOUT ROWID",
        "CREATE INDEX gates_by_age ON gates (updated_at)",
    ),
    (
        f"CREATE TABLE dead ({_definitions(_DEAD_COLUMNS)}) WITHOUT ROWID",
        "CREATE INDEX dead_by_age ON dead (seen_at)",
    ),
    (
        f"CREATE TABLE quarantines ({_definitions(_QUARANTINE_COLUMNS)}, PRIMARY KEY (site, place))",
        "CREATE INDEX quarantines_by_age ON quarantines (updated_at)",
        "CREATE INDEX quarantines_by_end ON quarantines (until)",
    ),
)
SCHEMA_VERSION = len(_SCHEMA)
_FIRST_WITH_GATES = 2
_FIRST_WITH_DEAD = 3
_FIRST_WITH_QUARANTINES = 4

# One statement sees one state of the file, however many processes are creating it.
_INSPECT = (
    "SELECT application_id, user_version, sql FROM pragma_application_id, pragma_user_version "
    "LEFT JOIN sqlite_master ON name NOT GLOB 'sqlite_*'"
)
_SELECT = f"SELECT {_NAMES} FROM robots"
_UPSERT = (
    f"INSERT INTO robots ({_NAMES}) VALUES ({', '.join('?' * len(_COLUMNS))}) ON CONFLICT DO UPDATE SET "
    f"{', '.join(f'{name} = excluded.{name}' for name in _COLUMNS)} WHERE excluded.updated_at >= updated_at"
)
_LEASE = (
    "INSERT INTO leases (origin, token, holder, until) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
    "holder = excluded.holder, until = excluded.until WHERE holder = excluded.holder OR until <= ? "
    f"OR until > excluded.until + {AHEAD_S}"
)
_RELEASE = "DELETE FROM leases WHERE origin = ? AND token = ? AND holder = ?"
_DROP = f"DELETE FROM robots WHERE rowid IN (SELECT rowid FROM robots WHERE updated_at < ? LIMIT {_CHUNK})"

_TAKE_TURN = (
    "INSERT INTO turns (key, holder, taken_at, hold_until, next_at) VALUES (?, ?, ?, ?, 0) ON CONFLICT DO UPDATE SET "
    "holder = excluded.holder, taken_at = excluded.taken_at, hold_until = excluded.hold_until "
    "WHERE (holder = excluded.holder OR hold_until <= excluded.taken_at) AND next_at <= excluded.taken_at"
)
_SELECT_TURN = "SELECT holder, taken_at, hold_until, next_at FROM turns WHERE key = ?"
_END_TURN = (
    "INSERT INTO turns (key, holder, taken_at, hold_until, next_at) VALUES (?1, '', 0, 0, ?3) "
    "ON CONFLICT DO UPDATE SET next_at = max(next_at, excluded.next_at), "
    "holder = iif(holder = ?2, '', holder), hold_until = iif(holder = ?2, 0, hold_until)"
)
_DROP_TURNS = "DELETE FROM turns WHERE hold_until < ?1 AND next_at < ?1"
_SELECT_GATES = f"SELECT {_GATE_NAMES} FROM gates"
_SELECT_PAGE_OF_GATES = (
    f"{_SELECT_GATES} WHERE updated_at > ?1 AND updated_at <= ifnull("
    f"(SELECT updated_at FROM gates WHERE updated_at > ?1 ORDER BY updated_at LIMIT 1 OFFSET {MAX_GATES - 1}), 9e999) "
    "ORDER BY updated_at"
)
_INSERT_GATE = f"INSERT INTO gates ({_GATE_NAMES}) VALUES ({', '.join('?' * len(_GATE_COLUMNS))})"
# `KeptGate.merged`: every expression sees the row as it was.
_MERGE_GATE = (
    f"{_INSERT_GATE} ON CONFLICT DO UPDATE SET "
    "until = iif(excluded.kept_at >= kept_at, excluded.until, until), "
    "level = iif(excluded.kept_at >= kept_at, excluded.level, level), "
    "why = iif(excluded.kept_at >= kept_at, excluded.why, why), "
    "spent = max(iif(excluded.period_start >= period_start, excluded.spent, 0), "
    "iif(period_start >= excluded.period_start, spent, 0)), "
    "period_start = max(period_start, excluded.period_start), "
    "kept_at = max(kept_at, excluded.kept_at), updated_at = max(updated_at, excluded.updated_at)"
)
_SPEND = (
    f"{_INSERT_GATE} ON CONFLICT DO UPDATE SET "
    "spent = excluded.spent + iif(excluded.period_start > period_start, 0, spent), "
    "period_start = max(period_start, excluded.period_start), updated_at = max(updated_at, excluded.updated_at) "
    "RETURNING spent"
)
_DROP_GATES = (
    f"DELETE FROM gates WHERE key IN (SELECT key FROM gates WHERE updated_at < ?1 AND until <= ?1 LIMIT {_CHUNK})"
)

_SELECT_DEAD = f"SELECT {_DEAD_NAMES} FROM dead"
_KEEP_DEAD = (
    f"INSERT INTO dead ({_DEAD_NAMES}) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET "
    "status = excluded.status, seen_at = excluded.seen_at WHERE excluded.seen_at >= seen_at"
)
_DROP_DEAD = f"DELETE FROM dead WHERE key IN (SELECT key FROM dead WHERE seen_at < ? LIMIT {_CHUNK})"

_SELECT_QUARANTINES = f"SELECT {_QUARANTINE_NAMES} FROM quarantines"
# `Quarantine.merged`: every expression sees the row as it was.
_OUTRANKS = "(excluded.decision != '', excluded.updated_at) >= (decision != '', updated_at)"
_KEEP_QUARANTINE = (
    f"INSERT INTO quarantines ({_QUARANTINE_NAMES}) VALUES ({', '.join('?' * len(_QUARANTINE_COLUMNS))}) "
    "ON CONFLICT DO UPDATE SET refused = max(refused, excluded.refused), "
    + ", ".join(
        f"{name} = iif({_OUTRANKS}, excluded.{name}, {name})" for name in _QUARANTINE_COLUMNS if name != "refused"
    )
)
_DROP_QUARANTINES = (
    f"DELETE FROM quarantines WHERE rowid IN (SELECT rowid FROM quarantines WHERE until <= ? LIMIT {_CHUNK})"
)

# `as_of`, of what is about to be replaced: of one key (?2, ?3) as of ?1.
_SET_BACK_COPY = f"UPDATE robots SET updated_at = ?1 WHERE origin = ?2 AND token = ?3 AND updated_at > ?1 + {AHEAD_S}"
_SET_BACK_TURN = (
    "UPDATE turns SET hold_until = hold_until - (taken_at - ?1), next_at = next_at - (taken_at - ?1), taken_at = ?1 "
    f"WHERE key = ?2 AND taken_at > ?1 + {AHEAD_S}"
)
_SET_BACK_GATE = (
    "UPDATE gates SET until = iif(until > updated_at, until - (updated_at - ?1), until), "
    "period_start = min(period_start, ?1), "
    f"kept_at = min(kept_at, ?1), updated_at = ?1 WHERE key = ?2 AND updated_at > ?1 + {AHEAD_S}"
)
_DROP_DEAD_AHEAD = f"DELETE FROM dead WHERE key = ?2 AND seen_at > ?1 + {AHEAD_S}"
_SET_BACK_QUARANTINE = (
    "UPDATE quarantines SET since = min(since, ?1), until = until - (updated_at - ?1), updated_at = ?1 "
    f"WHERE site = ?2 AND place = ?3 AND updated_at > ?1 + {AHEAD_S}"
)

_ELSEWHERE = "or point POLITE_STORE elsewhere"
_DELETE_IT = f"delete it {_ELSEWHERE}"
_OTHER_EXPORT = "give a file that an export wrote"
_OTHER_PATH = "export to another path"

_LET_GO = f"stop the process that holds it, {_ELSEWHERE}"
_MAKE_WRITABLE = f"make file and folder readable and writable, {_ELSEWHERE}"
_MAKE_ROOM = f"make room on the disk, {_ELSEWHERE}"

#: What SQLite or the system says -> what a person should do. Where none of these is said: `_DELETE_IT`.
_ADVICE = (
    ("is locked", _LET_GO),
    ("readonly", _MAKE_WRITABLE),
    ("Read-only", _MAKE_WRITABLE),
    ("denied", _MAKE_WRITABLE),
    ("unable to open", _MAKE_WRITABLE),
    ("is full", _MAKE_ROOM),
    ("No space", _MAKE_ROOM),
    ("disk I/O error", f"check the disk and its quotas, {_ELSEWHERE}"),
)


class SqliteStore:
    """Works in a thread of its own, where the file is opened at the first call: what is wrong fails that future.

    Only a copy that is there and not due, and dead URLs, are read at once, by who asks: some 20 µs, where waking the
    thread and being woken by it takes up to 200 µs. Such a read waits for no lock, and may miss what is still on its
    way to the thread.
    `busy_timeout_s` is how long one call waits for another process's lock; after one has done so in vain the others do
    not wait for long until something is written again. Bodies are at most `MAX_BODY_BYTES` long.
    """

    shared = True

    def __init__(self, path: Path, *, busy_timeout_s: float = 5.0) -> None:
        self._path = path.absolute()
        self.description = str(self._path)
        self._busy_timeout_s = busy_timeout_s
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._closed = False
        self._thread: threading.Thread | None = None
        self._opened = False
        self._reader: sqlite3.Connection | None = None

    def get(self, origin: str, token: str) -> Future[RobotsCopy | None]:
        copy = self._read_at_once(lambda db: _get(db, origin, token))
        return self._ask(lambda db: _get(db, origin, token)) if copy is None else _done(copy)

    def put(self, copy: RobotsCopy, holder: str = "") -> Future[None]:
        return self._write(lambda db: _put(db, copy, holder))

    def claim(
        self, origin: str, token: str, holder: str, now: float, until: float, due: float
    ) -> Future[tuple[RobotsCopy | None, bool]]:
        copy = self._read_at_once(lambda db: _get(db, origin, token))
        if copy is not None and (copy := copy.as_of(now)).due_at > due:
            return _done((copy, False))
        return self._write(lambda db: _claim(db, (origin, token, holder, until, now), due))

    def lease(self, origin: str, token: str, holder: str, now: float, until: float) -> Future[bool]:
        return self._write(lambda db: _lease(db, (origin, token, holder, until, now)))

    def release(self, origin: str, token: str, holder: str) -> Future[None]:
        return self._write(lambda db: _execute(db, _RELEASE, (origin, token, holder)))

    def copies(self, origin: str) -> Future[list[RobotsCopy]]:
        return self._ask(lambda db: _select(db, "WHERE origin = ?", origin))

    def forget(self, origin: str | None) -> Future[int]:
        if origin is None:
            return self._ask(lambda db: _drop(db, _DROP, before=math.inf))
        return self._ask(lambda db: db.execute("DELETE FROM robots WHERE origin = ?", (origin,)).rowcount)

    def take_turn(self, key: str, holder: str, now: float, hold_until: float) -> Future[float]:
        return self._write(lambda db: _take_turn(db, key, holder, now, hold_until))

    def end_turn(self, key: str, holder: str, next_at: float) -> Future[None]:
        return self._write(lambda db: _execute(db, _END_TURN, (key, holder, next_at)))

    def keep_gate(self, state: GateState) -> Future[None]:
        return self._write(lambda db: _keep_gate(db, state))

    def gates(self, since: float) -> Future[list[GateState]]:
        return self._ask(lambda db: _gates(db, since))

    def spend(self, key: str, period_start: float, pages: int, now: float) -> Future[int]:
        return self._write(lambda db: _spend(db, GateState(key, now, period_start=period_start, spent=pages)))

    def forget_gate(self, key: str | None) -> Future[int]:
        if key is None:
            return self._ask(lambda db: _drop(db, _DROP_GATES, before=math.inf))
        return self._ask(lambda db: db.execute("DELETE FROM gates WHERE key = ?", (key,)).rowcount)

    def dead(self, key: str) -> Future[DeadUrl | None]:
        found = self._read_at_once(lambda db: _dead(db, key))
        return (
            self._ask(lambda db: next(iter(_dead(db, key)), None)) if found is None else _done(next(iter(found), None))
        )

    def keep_dead(self, dead: DeadUrl) -> Future[None]:
        return self._write(lambda db: _keep_dead(db, dead))

    def forget_dead(self, key: str | None) -> Future[int]:
        if key is None:
            return self._ask(lambda db: _drop(db, _DROP_DEAD, before=math.inf))
        return self._ask(lambda db: db.execute("DELETE FROM dead WHERE key = ?", (_encodable(key),)).rowcount)

    def quarantines(self, since: float) -> Future[list[Quarantine]]:
        return self._ask(lambda db: _quarantines(db, since))

    def keep_quarantine(self, quarantine: Quarantine) -> Future[None]:
        return self._write(lambda db: _keep_quarantine(db, quarantine))

    def forget_quarantine(self, site: str | None, place: str | None = None) -> Future[int]:
        if site is None:
            return self._ask(lambda db: _drop(db, _DROP_QUARANTINES, before=math.inf))
        return self._ask(lambda db: _forget_quarantine(db, site, place))

    def prune(self, before: float) -> Future[int]:
        return self._ask(lambda db: _prune(db, before))

    def export_to(self, path: Path) -> Future[int]:
        return self._ask(lambda db: _export(db, path))

    def import_from(self, path: Path) -> Future[int]:
        return self._ask(lambda db: _import(db, path))

    def close(self) -> None:
        with self._lock:
            self._closed = True
            thread, self._thread = self._thread, None
        if self._reader is not None:
            with suppress(
                sqlite3.ProgrammingError
            ):  # closed in another thread than it was read in: it ends with this object
                self._reader.close()
        if thread is not None:
            self._jobs.put(None)
            thread.join()

    def _read_at_once(self, read: Callable[[sqlite3.Connection], T]) -> T | None:
        """What `read` returns; None if anything is in the way: then the thread is asked, and says what it is."""
        if not self._opened or self._closed:
            return None
        try:
            if self._reader is None:
                uri = f"{self._path.as_uri()}?mode=ro"
                self._reader = sqlite3.connect(uri, uri=True, timeout=0.0, isolation_level=None)
            return read(self._reader)
        except (sqlite3.Error, ValueError, zlib.error):
            return None

    def _write(self, ask: Callable[[sqlite3.Connection], T]) -> Future[T]:
        """As `_ask`, for one quick step that may share its transaction with the steps queued beside it."""
        return self._ask(ask, shares_transaction=True)

    def _ask(self, ask: Callable[[sqlite3.Connection], T], *, shares_transaction: bool = False) -> Future[T]:
        future: Future[T] = Future()
        with self._lock:
            if self._closed:
                future.set_exception(StoreError(f"store {self._path}: it is closed"))
                return future
            if self._thread is None:
                # A daemon, so that a process that forgot to close, or has to die, does not wait for anybody's lock.
                self._thread = threading.Thread(target=self._work, name="polite-store", daemon=True)
                self._thread.start()
            self._jobs.put(_Job(future, ask, shares_transaction))
        return future

    def _work(self) -> None:
        db: sqlite3.Connection | None = None
        busy_timeout_s = self._busy_timeout_s
        backlog: deque[_Job | None] = deque()
        while (batch := self._next_batch(backlog)) is not None:
            try:
                with _explained(self._path, _DELETE_IT):
                    db = db or _open(self._path, busy_timeout_s)
                    self._opened = True
                    answers = _answers(db, batch, self._path)
            except StoreError as error:
                answers = [error] * len(batch)
                if self._closed:
                    # Whoever closes waits for one lock at most, however many calls are still to be answered.
                    busy_timeout_s = _set_busy_timeout(db, 0.0)
                elif isinstance(error, StoreLocked):
                    busy_timeout_s = _set_busy_timeout(db, min(_IMPATIENT_S, self._busy_timeout_s))
            else:
                if busy_timeout_s < self._busy_timeout_s and any(job.shares_transaction for job in batch):
                    # Something was written. To read says nothing: that goes on beside a lock.
                    busy_timeout_s = _set_busy_timeout(db, self._busy_timeout_s)
            for job, answer in zip(batch, answers, strict=True):
                if isinstance(answer, StoreError):
                    job.future.set_exception(answer)
                else:
                    job.future.set_result(answer)
        if db is not None:
            db.close()

    def _next_batch(self, backlog: deque[_Job | None]) -> list[_Job] | None:
        """What to do next, in the order of asking; None at the end.

        Steps that share a transaction come together, as many as are waiting: a commit, and the waking of a loop that
        waits for several of them, cost as much as ten steps.
        """
        batch: list[_Job] = []
        if not backlog:
            backlog.append(self._jobs.get())
        with suppress(Empty):
            while len(backlog) < _CHUNK:
                backlog.append(self._jobs.get_nowait())
        while backlog and (job := backlog[0]) is not None:
            if batch and not (batch[-1].shares_transaction and job.shares_transaction):
                break
            backlog.popleft()
            if job.future.set_running_or_notify_cancel():
                batch.append(job)
        if not batch and backlog:
            return None  # the sentinel of `close`
        return batch


def _set_busy_timeout(db: sqlite3.Connection | None, seconds: float) -> float:
    if db is not None:
        db.execute(f"PRAGMA busy_timeout = {seconds * 1_000:.0f}")
    return seconds


class _Job(NamedTuple):
    future: Future[Any]
    ask: Callable[[sqlite3.Connection], Any]
    shares_transaction: bool


def _answers(db: sqlite3.Connection, batch: list[_Job], path: Path) -> list[Any]:
    """The answer to each job, a StoreError where it failed; raises where their transaction fails as a whole."""
    if not batch or not batch[0].shares_transaction:
        return [job.ask(db) for job in batch]
    with _transaction(db):
        return [_step(db, job, path) for job in batch]


def _step(db: sqlite3.Connection, job: _Job, path: Path) -> Any:
    try:
        with _explained(path, _DELETE_IT):
            return job.ask(db)
    except StoreError as error:
        if not db.in_transaction:  # SQLite has undone all of it: full disk, I/O error
            raise
        return error


def write_export(
    path: Path,
    copies: Iterable[RobotsCopy],
    gates: Iterable[KeptGate],
    dead: Iterable[DeadUrl],
    quarantines: Iterable[Quarantine],
) -> int:
    """Write all these to a new file, as `SqliteStore.export_to` does. Returns the number of copies."""
    with _new_export(path), closing(sqlite3.connect(path, isolation_level=None)) as db, db:
        db.execute("BEGIN")
        _complete_schema(db, 0)
        db.executemany(_MERGE_GATE, map(_gate_row, gates))
        db.executemany(_KEEP_DEAD, map(_dead_row, dead))
        db.executemany(_KEEP_QUARANTINE, map(_quarantine_row, quarantines))
        return db.executemany(_UPSERT, map(_row, copies)).rowcount


def read_export(path: Path) -> Iterator[RobotsCopy]:
    """The copies in an export, or in the closed file of a `SqliteStore`, which is left as it is."""
    return _exported(path, _SELECT, _copy, since_version=1)


def read_exported_gates(path: Path) -> Iterator[KeptGate]:
    """As `read_export`, the gates."""
    return _exported(path, _SELECT_GATES, _kept_gate, since_version=_FIRST_WITH_GATES)


def read_exported_dead(path: Path) -> Iterator[DeadUrl]:
    """As `read_export`, the dead URLs."""
    return _exported(path, _SELECT_DEAD, _dead_url, since_version=_FIRST_WITH_DEAD)


def read_exported_quarantines(path: Path) -> Iterator[Quarantine]:
    """As `read_export`, the quarantines."""
    return _exported(path, _SELECT_QUARANTINES, _quarantine, since_version=_FIRST_WITH_QUARANTINES)


def _exported(path: Path, select: str, value: Callable[[tuple[Any, ...]], T], *, since_version: int) -> Iterator[T]:
    with _explained(path, _OTHER_EXPORT):
        uri = f"{path.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as db:
            version = _version(db, path, _OTHER_EXPORT)
            if not version:
                raise StoreError(f"{path}: the file is empty; {_OTHER_EXPORT}")
            if version >= since_version:
                yield from map(value, db.execute(select))


def _export(db: sqlite3.Connection, path: Path) -> int:
    with _new_export(path):
        db.execute("VACUUM INTO ?", (str(path.absolute()),))
        with closing(sqlite3.connect(path)) as exported, exported:
            exported.execute("DELETE FROM leases")
            exported.execute("DELETE FROM turns")
            return int(exported.execute("SELECT count(*) FROM robots").fetchone()[0])


def _import(db: sqlite3.Connection, path: Path) -> int:
    copies = _write_chunks(db, _UPSERT, map(_row, read_export(path)))
    _write_chunks(db, _MERGE_GATE, map(_gate_row, read_exported_gates(path)))
    _write_chunks(db, _KEEP_DEAD, map(_dead_row, read_exported_dead(path)))
    kept = filter(None, map(Quarantine.bounded, read_exported_quarantines(path)))
    _write_chunks(db, _KEEP_QUARANTINE, map(_quarantine_row, kept))
    return copies


def _write_chunks(db: sqlite3.Connection, statement: str, rows: Iterator[tuple[object, ...]]) -> int:
    count = 0
    while chunk := list(islice(rows, _CHUNK)):
        with _transaction(db):
            db.executemany(statement, chunk)
        count += len(chunk)
    return count


def _prune(db: sqlite3.Connection, before: float) -> int:
    db.execute("DELETE FROM leases WHERE until < ?", (before,))
    db.execute(_DROP_TURNS, (before,))
    _drop(db, _DROP_GATES, before)
    _drop(db, _DROP_DEAD, before)
    _drop(db, _DROP_QUARANTINES, before)
    return _drop(db, _DROP, before)


def _drop(db: sqlite3.Connection, statement: str, before: float) -> int:
    # In chunks: one statement over a million rows would lock out other processes for as long as their busy timeout.
    count = 0
    while dropped := db.execute(statement, (before,)).rowcount:
        count += dropped
    return count


def _done(answer: T) -> Future[T]:
    future: Future[T] = Future()
    future.set_result(answer)
    return future


def _get(db: sqlite3.Connection, origin: str, token: str) -> RobotsCopy | None:
    return next(iter(_select(db, "WHERE origin = ? AND token = ?", origin, token)), None)


def _put(db: sqlite3.Connection, copy: RobotsCopy, holder: str) -> None:
    db.execute(_SET_BACK_COPY, (copy.updated_at, copy.origin, copy.token))
    db.execute(_UPSERT, _row(copy))
    db.execute(_RELEASE, (copy.origin, copy.token, holder))


def _claim(
    db: sqlite3.Connection, lease: tuple[str, str, str, float, float], due: float
) -> tuple[RobotsCopy | None, bool]:
    origin, token, _, _, now = lease
    copy = _get(db, origin, token)
    copy = copy and copy.as_of(now)
    return copy, (copy is None or copy.due_at <= due) and _lease(db, lease)


def _lease(db: sqlite3.Connection, lease: tuple[str, str, str, float, float]) -> bool:
    if db.execute(_LEASE, lease).rowcount == 1:
        return True
    origin, token, *_ = lease
    ((holder,),) = db.execute("SELECT holder FROM leases WHERE origin = ? AND token = ?", (origin, token))
    if not is_gone(holder):
        return False
    # A process that was killed gives nothing back: after a restart nobody should wait for it.
    db.execute(_RELEASE, (origin, token, holder))
    return db.execute(_LEASE, lease).rowcount == 1


def _take_turn(db: sqlite3.Connection, key: str, holder: str, now: float, hold_until: float) -> float:
    db.execute(_SET_BACK_TURN, (now, key))
    if db.execute(_TAKE_TURN, (key, holder, now, hold_until)).rowcount == 1:
        return 0.0
    return Turn(*db.execute(_SELECT_TURN, (key,)).fetchone()).ask_again_at(holder, now)


def _gates(db: sqlite3.Connection, since: float) -> list[GateState]:
    return [_kept_gate(row).state for row in db.execute(_SELECT_PAGE_OF_GATES, (since,))]


def _dead(db: sqlite3.Connection, key: str) -> list[DeadUrl]:
    return [_dead_url(row) for row in db.execute(f"{_SELECT_DEAD} WHERE key = ?", (_encodable(key),))]


def _quarantines(db: sqlite3.Connection, since: float) -> list[Quarantine]:
    newer = f"WHERE updated_at > ? ORDER BY updated_at LIMIT {MAX_QUARANTINES}"
    return [_quarantine(row) for row in db.execute(f"{_SELECT_QUARANTINES} {newer}", (since,))]


def _keep_quarantine(db: sqlite3.Connection, quarantine: Quarantine) -> None:
    kept = quarantine.bounded()
    if kept is not None:
        row = _quarantine_row(kept)
        db.execute(_SET_BACK_QUARANTINE, (kept.updated_at, *row[:2]))
        db.execute(_KEEP_QUARANTINE, row)


def _forget_quarantine(db: sqlite3.Connection, site: str, place: str | None) -> int:
    if place is None:
        return db.execute("DELETE FROM quarantines WHERE site = ?", (_encodable(site),)).rowcount
    statement = "DELETE FROM quarantines WHERE site = ? AND place = ?"
    return db.execute(statement, (_encodable(site), _encodable(place))).rowcount


def _keep_gate(db: sqlite3.Connection, state: GateState) -> None:
    db.execute(_SET_BACK_GATE, (state.updated_at, state.key))
    db.execute(_MERGE_GATE, _gate_row(KeptGate.said(state)))


def _keep_dead(db: sqlite3.Connection, dead: DeadUrl) -> None:
    db.execute(_DROP_DEAD_AHEAD, (dead.seen_at, _encodable(dead.key)))
    db.execute(_KEEP_DEAD, _dead_row(dead))


def _spend(db: sqlite3.Connection, spent: GateState) -> int:
    db.execute(_SET_BACK_GATE, (spent.updated_at, spent.key))
    ((total,),) = db.execute(_SPEND, _gate_row(KeptGate(spent, kept_at=0.0)))
    return int(total)


@contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    """One write transaction: all of it or nothing."""
    with db:
        db.execute("BEGIN IMMEDIATE")
        yield


def _execute(db: sqlite3.Connection, statement: str, values: tuple[object, ...]) -> None:
    db.execute(statement, values)


def _select(db: sqlite3.Connection, where: str, *values: str) -> list[RobotsCopy]:
    return [_copy(row) for row in db.execute(f"{_SELECT} {where}", values)]


def _row(copy: RobotsCopy) -> tuple[object, ...]:
    return (
        copy.origin,
        copy.token,
        copy.updated_at,
        copy.status,
        zlib.compress(copy.body),
        copy.truncated,
        copy.fetched_at,
        copy.expires_at,
        _encodable(copy.etag),
        _encodable(copy.last_modified),
        json.dumps(copy.hops) if copy.hops else "",
        copy.failing_since,
        copy.failures,
        copy.next_try,
        _encodable(copy.failure),
    )


def _gate_row(kept: KeptGate) -> tuple[object, ...]:
    state = kept.state
    return (
        state.key,
        state.updated_at,
        state.until,
        state.level,
        _encodable(state.why),
        state.period_start,
        state.spent,
        kept.kept_at,
    )


def _dead_row(dead: DeadUrl) -> tuple[object, ...]:
    return _encodable(dead.key), dead.status, dead.seen_at


def _quarantine_row(quarantine: Quarantine) -> tuple[object, ...]:
    return (
        _encodable(quarantine.site),
        _encodable(quarantine.place),
        quarantine.kind,
        _encodable(quarantine.evidence),
        json.dumps([_encodable(example) for example in quarantine.examples]),
        quarantine.since,
        quarantine.until,
        quarantine.refused,
        quarantine.decision,
        quarantine.updated_at,
    )


def _encodable(text: str | None) -> str | None:
    # A server's header may hold what UTF-8 cannot: that must not look like a broken store.
    return text and text.encode("utf-8", "backslashreplace").decode("utf-8")


def _copy(row: tuple[Any, ...]) -> RobotsCopy:
    """Raises ValueError or zlib.error for a row that `_row` cannot have written."""
    values = _values(_COLUMNS, row)
    unpacking = zlib.decompressobj()
    values["body"] = unpacking.decompress(values["body"], MAX_BODY_BYTES)
    if not unpacking.eof:
        raise ValueError(f"body of {row[0]!r} is cut off, or longer than {MAX_BODY_BYTES} bytes")
    values["truncated"] = bool(values["truncated"])
    values["hops"] = _urls(values, "hops") if values["hops"] else ()
    return RobotsCopy(**values)


def _kept_gate(row: tuple[Any, ...]) -> KeptGate:
    """Raises ValueError for a row that `_gate_row` cannot have written."""
    values = _values(_GATE_COLUMNS, row)
    kept_at = values.pop("kept_at")
    return KeptGate(GateState(**values), kept_at)


def _dead_url(row: tuple[Any, ...]) -> DeadUrl:
    """Raises ValueError for a row that `_dead_row` cannot have written."""
    return DeadUrl(**_values(_DEAD_COLUMNS, row))


def _quarantine(row: tuple[Any, ...]) -> Quarantine:
    """Raises ValueError for a row that `_quarantine_row` cannot have written."""
    values = _values(_QUARANTINE_COLUMNS, row)
    values["examples"] = _urls(values, "examples")
    if values["decision"] not in DECISIONS:
        raise ValueError(f"decision of {row[0]!r} is {values['decision']!r}")
    return Quarantine(**values)


def _urls(values: dict[str, Any], name: str) -> tuple[str, ...]:
    urls = json.loads(values[name])
    if not (isinstance(urls, list) and all(isinstance(url, str) for url in urls)):
        raise ValueError(f"{name} of {next(iter(values.values()))!r} is no list of URLs")
    return tuple(urls)


def _values(columns: Columns, row: tuple[Any, ...]) -> dict[str, Any]:
    for value, (name, (_, types)) in zip(row, columns.items(), strict=True):
        if type(value) not in types:
            raise ValueError(f"{name} of {row[0]!r} is {type(value).__name__}")
    return dict(zip(columns, row, strict=True))


def _open(path: Path, busy_timeout_s: float) -> sqlite3.Connection:
    if path.is_dir():
        raise StoreError(f"{path}: it is a folder; name a file, {_ELSEWHERE}")
    with suppress(FileExistsError):
        path.parent.mkdir(0o700, parents=True)
        path.parent.chmod(0o700)
    with suppress(FileExistsError):
        _create_private(path)
    db = sqlite3.connect(path, timeout=busy_timeout_s, isolation_level=None)
    try:
        if _version(db, path, _DELETE_IT) < SCHEMA_VERSION:
            with _transaction(db):
                _complete_schema(db, _version(db, path, _DELETE_IT))  # Another process may have been faster.
        _write_ahead(db, busy_timeout_s)
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA secure_delete = ON")  # what a takedown removes is not to be read in the file any more
    except BaseException:
        db.close()
        raise
    return db


def _write_ahead(db: sqlite3.Connection, busy_timeout_s: float) -> None:
    """WAL mode, waiting for others as every statement does: to this one alone SQLite may say "locked" at once.

    Two processes that meet in a new file hold a read lock each and would wait for the other's, so it lets neither wait.
    """
    deadline = time.monotonic() + busy_timeout_s
    while not _is_write_ahead(db, last=time.monotonic() >= deadline):
        time.sleep(_RETRY_S)


def _is_write_ahead(db: sqlite3.Connection, *, last: bool) -> bool:
    try:
        db.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError as error:
        if last or "is locked" not in str(error):
            raise
        return False
    return True


def _create_private(path: Path) -> None:
    """Raises FileExistsError where there is such a file. SQLite gives its -wal and -shm the mode of the file."""
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        os.fchmod(descriptor, 0o600)
    finally:
        os.close(descriptor)


def _version(db: sqlite3.Connection, path: Path, advice: str) -> int:
    """The version of the schema, 0 for an empty file. Raises StoreError for a schema that is none of ours.

    Comparing the whole schema keeps out views and triggers, which could make reading a stranger's file run anything.
    """
    rows = db.execute(_INSPECT).fetchall()
    application_id, version, _ = rows[0]
    schema = {sql for _, _, sql in rows if sql is not None}
    if (application_id, version, schema) == (0, 0, set()):
        return 0
    if application_id != APPLICATION_ID:
        raise StoreError(f"{path}: this SQLite file is not a store of scrapy-polite; {advice}")
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"{path}: written by a newer scrapy-polite (schema {version}, this one knows {SCHEMA_VERSION}); "
            f"upgrade, or {advice}"
        )
    if version < 1 or schema != set(chain.from_iterable(_SCHEMA[:version])):
        raise StoreError(f"{path}: its tables are not those of schema {version}; {advice}")
    return int(version)


def _complete_schema(db: sqlite3.Connection, version: int) -> None:
    for statement in chain.from_iterable(_SCHEMA[version:]):
        db.execute(statement)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


@contextmanager
def _new_export(path: Path) -> Iterator[None]:
    """A new, private, empty file at `path`, which is there afterwards only if all went well."""
    with _explained(path, _OTHER_PATH):
        _create_private(path)
        try:
            yield
        except BaseException:
            path.unlink()
            raise


@contextmanager
def _explained(path: Path, advice: str) -> Iterator[None]:
    """Turn whatever goes wrong with the file at `path` into a StoreError that says so."""
    try:
        yield
    except StoreError:
        raise
    except Exception as error:
        fault = getattr(error, "strerror", None) or str(error) or type(error).__name__
        if advice == _DELETE_IT:
            advice = next((better for phrase, better in _ADVICE if phrase in fault), advice)
        kind = StoreLocked if advice == _LET_GO else StoreError
        raise kind(f"{path}: {fault}; {advice}") from error
