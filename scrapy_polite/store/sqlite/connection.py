"""Opening the file, and saying what is wrong with it."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from scrapy_polite.store.errors import StoreError, StoreUnavailable

from .schema import STORE, complete_schema, version_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from .schema import Schema

_RETRY_S = 0.005  # Between two tries of what SQLite does not wait for by itself.

_ELSEWHERE = "or point POLITE_STORE elsewhere"
DELETE_IT = f"delete it {_ELSEWHERE}"
_LET_GO = f"stop the process that holds it, {_ELSEWHERE}"
_MAKE_WRITABLE = f"make file and folder readable and writable, {_ELSEWHERE}"
_MAKE_ROOM = f"make room on the disk, {_ELSEWHERE}"

#: What SQLite or the system says -> what a person should do. Where none of these is said: `DELETE_IT`.
_ADVICE = (
    ("is locked", _LET_GO),
    ("readonly", _MAKE_WRITABLE),
    ("Read-only", _MAKE_WRITABLE),
    ("denied", _MAKE_WRITABLE),
    ("unable to open", _MAKE_WRITABLE),
    ("No such file", f"check the path, {_ELSEWHERE}"),
    ("Not a directory", f"a part of this path is a file: move that away, {_ELSEWHERE}"),
    ("is full", _MAKE_ROOM),
    ("No space", _MAKE_ROOM),
    ("disk I/O error", f"check the disk and its quotas, {_ELSEWHERE}"),
)


def open_file(path: Path, busy_timeout_s: float, kind: Schema = STORE) -> sqlite3.Connection:
    if path.is_dir():
        raise StoreError(f"{path}: it is a folder; name a file, {_ELSEWHERE}")
    with suppress(FileExistsError):
        path.parent.mkdir(0o700, parents=True)
        path.parent.chmod(0o700)
    with suppress(FileExistsError):
        create_private(path)
    db = sqlite3.connect(path, timeout=busy_timeout_s, isolation_level=None)
    try:
        if version_of(db, path, DELETE_IT, kind) < kind.version:
            with transaction(db):
                complete_schema(
                    db, version_of(db, path, DELETE_IT, kind), kind
                )  # Another process may have been faster.
        _write_ahead(db, busy_timeout_s)
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA secure_delete = ON")  # what a takedown removes is not to be read in the file any more
    except BaseException:
        db.close()
        raise
    return db


def set_busy_timeout(db: sqlite3.Connection | None, seconds: float) -> float:
    if db is not None:
        db.execute(f"PRAGMA busy_timeout = {seconds * 1_000:.0f}")
    return seconds


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """One write transaction: all of it or nothing."""
    with db:
        db.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def explained(path: Path, advice: str) -> Iterator[None]:
    """Turn whatever goes wrong with the file at `path` into a StoreError that says so."""
    try:
        yield
    except StoreError:
        raise
    except Exception as error:
        fault = getattr(error, "strerror", None) or str(error) or type(error).__name__
        if advice == DELETE_IT:
            advice = next((better for phrase, better in _ADVICE if phrase in fault), advice)
        kind = StoreUnavailable if advice == _LET_GO else StoreError
        raise kind(f"{path}: {fault}; {advice}") from error


def create_private(path: Path) -> None:
    """Raises FileExistsError where there is such a file. SQLite gives its -wal and -shm the mode of the file."""
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        os.fchmod(descriptor, 0o600)
    finally:
        os.close(descriptor)


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
