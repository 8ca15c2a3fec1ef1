"""The tables of the queue's file, and how it is opened: WAL with synchronous=NORMAL.

A killed process loses nothing that was committed, a power cut at most the last commits (https://www.sqlite.org/wal.html).
Not for network drives.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from scrapy_polite.frontier.queue import FrontierError
from scrapy_polite.frontier.sqlite.access import check_is_own
from scrapy_polite.frontier.sqlite.faults import DELETE_IT, ELSEWHERE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

APPLICATION_ID = int.from_bytes(b"PltQ", "big")
SCHEMA_VERSION = 1
FILE_NAME = "polite.frontier.sqlite"
BLOOM_NAME = "polite.visited.bloom"
BUSY_TIMEOUT_S = 5.0

_REQUEST_COLUMNS = (
    "id INTEGER PRIMARY KEY, lane INTEGER NOT NULL, priority INTEGER NOT NULL, place INTEGER NOT NULL, "
    "pops INTEGER NOT NULL, request BLOB NOT NULL"
)
_SET_ASIDE_COLUMNS = (
    "id INTEGER PRIMARY KEY, url TEXT NOT NULL, method TEXT NOT NULL, why TEXT NOT NULL, request BLOB NOT NULL"
)
_SCHEMA = (
    "CREATE TABLE lanes (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
    f"CREATE TABLE requests ({_REQUEST_COLUMNS})",
    "CREATE INDEX requests_by_rank ON requests (lane, priority, place)",
    "CREATE TABLE popped (id INTEGER PRIMARY KEY)",
    "CREATE TABLE visited (fingerprint BLOB PRIMARY KEY) WITHOUT ROWID",
    f"CREATE TABLE set_aside ({_SET_ASIDE_COLUMNS})",
    "CREATE TABLE notes (host TEXT PRIMARY KEY, noted_at INTEGER NOT NULL, note BLOB NOT NULL) WITHOUT ROWID",
)
_INSPECT = (
    "SELECT application_id, user_version, sql FROM pragma_application_id, pragma_user_version "
    "LEFT JOIN sqlite_master ON name NOT GLOB 'sqlite_*'"
)
SHORTEN_LOG = "PRAGMA wal_checkpoint(TRUNCATE)"


def new_schema() -> dict[str, int]:
    """The tables and the index of a new file, and the page that each begins at."""
    with closing(sqlite3.connect(":memory:")) as db:
        for statement in _SCHEMA:
            db.execute(statement)
        return dict(db.execute("SELECT name, rootpage FROM sqlite_master WHERE sql IS NOT NULL"))


def open_file(path: Path, busy_timeout_s: float = BUSY_TIMEOUT_S) -> sqlite3.Connection:
    """The queue's file, made if there is none. Raises FrontierError for one that is not to be used, else sqlite3.Error
    or OSError."""
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        check_is_own(path, 0o077, "600")
        if path.is_file() and not path.stat().st_size and not path.with_name(f"{path.name}-wal").exists():
            raise FrontierError(f"{path}: it is empty, so its queue is lost; {DELETE_IT}") from None
    else:
        os.fchmod(descriptor, 0o600)
        os.close(descriptor)
    db = sqlite3.connect(path, timeout=busy_timeout_s, isolation_level=None, cached_statements=256)
    try:
        if not has_schema(db, path):
            with transaction(db):
                for statement in _SCHEMA:
                    db.execute(statement)
                db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA cache_size = -16384")
        db.execute("PRAGMA wal_autocheckpoint = 4000")
        db.execute(SHORTEN_LOG)  # what a crawl left that was killed
    except BaseException:
        db.close()
        raise
    return db


def has_schema(db: sqlite3.Connection, path: Path) -> bool:
    """False for an empty file. Raises FrontierError for anything but an empty file and this version's schema, and
    sqlite3.DatabaseError for one that is damaged."""
    rows = db.execute(_INSPECT).fetchall()
    application_id, version, _ = rows[0]
    schema = {sql for _, _, sql in rows if sql is not None}
    if (application_id, version, schema) == (0, 0, set()):
        return False
    if application_id != APPLICATION_ID:
        raise FrontierError(f"{path}: this SQLite file is not a queue of scrapy-polite; {DELETE_IT}")
    if version > SCHEMA_VERSION:
        raise FrontierError(
            f"{path}: written by a newer scrapy-polite (schema {version}, this one knows {SCHEMA_VERSION}); "
            f"upgrade, {ELSEWHERE}"
        )
    if schema != set(_SCHEMA):
        raise FrontierError(f"{path}: its tables are not those of schema {SCHEMA_VERSION}; {DELETE_IT}")
    # Some 2 ms per MB: what is damaged is to be found now, and not hours later.
    fault = db.execute("PRAGMA quick_check(1)").fetchone()[0]
    if fault != "ok":
        raise sqlite3.DatabaseError(f"the file is malformed ({' '.join(fault.split())})")
    return True


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """One write transaction: all of it or nothing."""
    with db:
        db.execute("BEGIN IMMEDIATE")
        yield
