"""The thread that has the file open, and what is read beside it."""

from __future__ import annotations

import sqlite3
import threading
import zlib
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from scrapy_polite.store.errors import StoreError, StoreUnavailable

from .connection import DELETE_IT, explained, open_file, set_busy_timeout, transaction
from .schema import STORE

if TYPE_CHECKING:
    from pathlib import Path

    from .schema import Schema

T = TypeVar("T")

_IMPATIENT_S = 0.25
"""So long a call waits for a lock once another has waited for it in vain: else they would line up behind each other."""

CHUNK = 1_000
"""Rows in one transaction, some 20 ms: far below any other process's busy timeout."""


class Writer:
    """Works in a thread of its own, where the file is opened at the first call: what is wrong fails that future.

    `busy_timeout_s` is how long one call waits for another process's lock; after one has done so in vain the others do
    not wait for long until something is written again.
    """

    def __init__(self, path: Path, busy_timeout_s: float, kind: Schema = STORE) -> None:
        self._path = path
        self._kind = kind
        self._busy_timeout_s = busy_timeout_s
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._closed = False
        self._thread: threading.Thread | None = None
        self._opened = False
        self._reader: sqlite3.Connection | None = None

    def write(self, ask: Callable[[sqlite3.Connection], T]) -> Future[T]:
        """As `ask`, for one quick step that may share its transaction with the steps queued beside it."""
        return self.ask(ask, shares_transaction=True)

    def ask(self, ask: Callable[[sqlite3.Connection], T], *, shares_transaction: bool = False) -> Future[T]:
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

    def read_at_once(self, read: Callable[[sqlite3.Connection], T]) -> T | None:
        """What `read` returns; None if anything is in the way: then the thread is asked, and says what it is.

        Some 20 µs, where waking the thread and being woken by it takes up to 200 µs. It waits for no lock, and may miss
        what is still on its way to the thread.
        """
        if not self._opened or self._closed:
            return None
        try:
            if self._reader is None:
                uri = f"{self._path.as_uri()}?mode=ro"
                self._reader = sqlite3.connect(uri, uri=True, timeout=0.0, isolation_level=None)
            return read(self._reader)
        except (sqlite3.Error, ValueError, zlib.error):
            return None

    def close(self) -> None:
        with self._lock:
            self._closed = True
            thread, self._thread = self._thread, None
        if self._reader is not None:
            # Closed in another thread than it was read in, it ends with this object.
            with suppress(sqlite3.ProgrammingError):
                self._reader.close()
        if thread is not None:
            self._jobs.put(None)
            thread.join()

    def _work(self) -> None:
        db: sqlite3.Connection | None = None
        busy_timeout_s = self._busy_timeout_s
        backlog: deque[_Job | None] = deque()
        while (batch := self._next_batch(backlog)) is not None:
            try:
                with explained(self._path, DELETE_IT):
                    db = db or open_file(self._path, busy_timeout_s, self._kind)
                    self._opened = True
                    answers = _answers(db, batch, self._path)
            except StoreError as error:
                answers = [error] * len(batch)
                if self._closed:
                    # Whoever closes waits for one lock at most, however many calls are still to be answered.
                    busy_timeout_s = set_busy_timeout(db, 0.0)
                elif isinstance(error, StoreUnavailable):
                    busy_timeout_s = set_busy_timeout(db, min(_IMPATIENT_S, self._busy_timeout_s))
            else:
                if busy_timeout_s < self._busy_timeout_s and any(job.shares_transaction for job in batch):
                    # Something was written. To read says nothing: that goes on beside a lock.
                    busy_timeout_s = set_busy_timeout(db, self._busy_timeout_s)
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
            while len(backlog) < CHUNK:
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


class _Job(NamedTuple):
    future: Future[Any]
    ask: Callable[[sqlite3.Connection], Any]
    shares_transaction: bool


def _answers(db: sqlite3.Connection, batch: list[_Job], path: Path) -> list[Any]:
    """The answer to each job, a StoreError where it failed; raises where their transaction fails as a whole."""
    if not batch or not batch[0].shares_transaction:
        return [job.ask(db) for job in batch]
    with transaction(db):
        return [_step(db, job, path) for job in batch]


def _step(db: sqlite3.Connection, job: _Job, path: Path) -> Any:
    try:
        with explained(path, DELETE_IT):
            return job.ask(db)
    except StoreError as error:
        if not db.in_transaction:  # SQLite has undone all of it: full disk, I/O error
            raise
        return error


def done(answer: T) -> Future[T]:
    future: Future[T] = Future()
    future.set_result(answer)
    return future


def drop(db: sqlite3.Connection, statement: str, before: float) -> int:
    """Carry out a statement that deletes at most `CHUNK` rows, until it finds none. Returns how many it deleted.

    One statement over a million rows would lock out other processes for as long as their busy timeout.
    """
    count = 0
    while dropped := db.execute(statement, (before,)).rowcount:
        count += dropped
    return count
