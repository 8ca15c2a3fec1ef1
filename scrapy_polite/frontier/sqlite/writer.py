"""The backend's thread: what the crawl does is gathered in memory as a `Batch`, and each batch is one transaction, in
order.

After a crash the file holds all that was done up to some moment not more than a second back, and nothing of what came
later.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections import deque
from concurrent.futures import Future
from contextlib import ExitStack, suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy_polite.frontier.queue import FrontierError, LaneState
from scrapy_polite.frontier.sqlite.access import check_is_own, locked
from scrapy_polite.frontier.sqlite.batch import ROW_FAULTS, Batch, apply, fault_of
from scrapy_polite.frontier.sqlite.faults import explained
from scrapy_polite.frontier.sqlite.schema import SHORTEN_LOG, open_file, transaction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from scrapy_polite.frontier.sqlite.visited import VisitedFile

_COMMIT_S = 0.5  # Half of the second that is promised; the rest is for writing.
_RETRY_S = 1.0
_BATCH_STEPS = 8_192
_MAX_UNWRITTEN = 65_536  # steps that were handed over: of pushes some 100 MB
_NOT_STORED = (
    "until it can be written again new requests are not stored, but kept in memory: if the crawl ends before, they are "
    "lost, and pages that were fetched meanwhile are fetched again"
)
# One row with all answers: at each step of a statement Python gives up the lock on its interpreter, and gets it back
# from a busy loop only after 5 ms.
_FETCH = (
    "SELECT json_group_array(json((SELECT json_group_array(json_array(id, priority, place, pops, hex(request))) FROM "
    "(SELECT * FROM requests WHERE lane = json_extract(value, '$[0]') AND (priority, place, id) >= "
    "(json_extract(value, '$[1]'), json_extract(value, '$[2]'), json_extract(value, '$[3]')) "
    "AND id NOT IN (SELECT id FROM popped) ORDER BY priority, place, id LIMIT ?)))) FROM json_each(?)"
)


class Wanted(NamedTuple):
    """`rows` of each lane, by name, with its number and horizon; and all that were asked for."""

    lanes: dict[str, tuple[int, int, int, int]]
    rows: int
    asked: frozenset[str]


class Fetched(NamedTuple):
    """What was read of the lanes wanted; no `rows` where that failed."""

    wanted: Wanted
    rows: list[list[list[Any]]]


class _Job(NamedTuple):
    """What the thread does next: write `batch`, then read what is wanted, then answer."""

    batch: Batch
    wanted: Wanted | None = None
    future: Future[None] | None = None


class Writer:
    """`prepare` reads from the file, in the thread, what an earlier run has left. `visited` is written with batches."""

    def __init__(
        self,
        path: Path,
        busy_timeout_s: float,
        visited: VisitedFile,
        prepare: Callable[[sqlite3.Connection], list[LaneState]],
    ) -> None:
        self._path = path
        self._busy_timeout_s = busy_timeout_s
        self._visited = visited
        self._prepare = prepare
        #: To be held, for some bytecodes only, by either thread that uses the batch.
        self.lock = threading.Lock()
        self.batch = Batch(1)
        self.fetched: deque[Fetched] = deque()
        self.faults: deque[FrontierError] = deque()
        #: How many times the disk has recovered; the crawl's thread takes them off.
        self.recoveries = 0
        #: The disk fails: nothing is written.
        self.faulty = False
        #: The number of the last batch that was written.
        self.committed = 0
        #: After the end, how many requests could not be written.
        self.lost = 0
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._steps_handed_over = self._steps_written = 0  # each counted by one thread
        self._closing = threading.Event()
        self._ended: Future[None] = Future()
        self._started = False

    # The crawl's thread

    def start(self) -> Future[list[LaneState]]:
        future: Future[list[LaneState]] = Future()
        self._started = True
        # A daemon, so that a process that has to die does not wait for anybody's lock.
        threading.Thread(target=self._work, args=(future,), name="polite-frontier", daemon=True).start()
        return future

    @property
    def closing(self) -> bool:
        return self._closing.is_set()

    @property
    def behind(self) -> bool:
        return not self.faulty and self._steps_handed_over - self._steps_written > _MAX_UNWRITTEN

    def ask(self, wanted: Wanted | None = None) -> Future[None]:
        """Done when all so far is written, and what is wanted is among the `fetched`."""
        future: Future[None] = Future()
        with self.lock:
            if self.closing:
                future.set_exception(FrontierError(f"{self._path}: the queue is closed"))
            else:
                self._hand_over(lambda batch: _Job(batch, wanted, future))
        return future

    def hand_over_if_full(self) -> None:
        if self.batch.steps >= _BATCH_STEPS:
            with self.lock:
                self._hand_over(_Job)

    def end(self) -> Future[None]:
        """Have the rest written, and take nothing more. Done when the file is closed."""
        with self.lock:
            if self.closing:
                return self._ended
            self._closing.set()
            self._hand_over(_Job)
            self._jobs.put(None)
        if not self._started:
            self._ended.set_result(None)
        return self._ended

    def _hand_over(self, job: Callable[[Batch], _Job]) -> None:
        """To be called with the lock held."""
        self._steps_handed_over += self.batch.steps
        self._jobs.put(job(self.batch))
        self.batch = Batch(self.batch.number + 1)

    # The backend's thread

    def _work(self, opening: Future[list[LaneState]]) -> None:
        try:
            with ExitStack() as stack:
                try:
                    check_is_own(self._path.parent, 0o022, "go-w")
                    stack.enter_context(locked(self._path))
                except Exception as error:  # noqa: BLE001 (as in `_set_up`)
                    opening.set_exception(explained(error, self._path.parent))
                    return
                stack.callback(self._visited.close)
                db = self._set_up(opening)
                if db is not None:
                    stack.callback(_close, db)
                    self._serve(db)
        finally:
            self._ended.set_result(None)

    def _set_up(self, opening: Future[list[LaneState]]) -> sqlite3.Connection | None:
        db: sqlite3.Connection | None = None
        try:
            db = open_file(self._path, self._busy_timeout_s)
            states = self._prepare(db)
        except Exception as error:  # noqa: BLE001 (whoever awaits the future gets it)
            if db is not None:
                db.close()
            opening.set_exception(explained(error, self._path))
            return None
        opening.set_result(states)
        return db

    def _serve(self, db: sqlite3.Connection) -> None:
        backlog: deque[Batch] = deque()  # what could not be written yet
        while True:
            job = self._next_job(retry=bool(backlog))
            fault = self._write(db, backlog, job)
            if job is None:
                self._count_lost(backlog)
                return
            if job.wanted is not None and job.wanted.lanes:
                answer = fault or self._read(db, job.wanted)
                if isinstance(answer, FrontierError):
                    fault, answer = answer, Fetched(job.wanted, [])
                self.fetched.append(answer)
            if fault is not None:
                # Not at once: whoever asks again and again would keep both threads busy.
                self._closing.wait(_RETRY_S)
            if job.future is not None:
                if fault is not None:
                    job.future.set_exception(fault)
                else:
                    job.future.set_result(None)

    def _next_job(self, retry: bool) -> _Job | None:
        """In order; None at the end. After a while without any, what has been gathered so far."""
        while True:
            with suppress(Empty):
                return self._jobs.get(timeout=_COMMIT_S)
            with self.lock:
                if self._jobs.empty() and (retry or not self.batch.empty):
                    self._hand_over(_Job)

    def _write(self, db: sqlite3.Connection, backlog: deque[Batch], job: _Job | None) -> FrontierError | None:
        """Write what the job brings, after the backlog; what cannot be written stays there."""
        if job is not None and not job.batch.empty:
            backlog.append(job.batch)
        while backlog:
            try:
                self._commit(db, backlog[0])
            except Exception as error:  # noqa: BLE001 (it goes to whoever asks, and among the faults)
                fault = FrontierError(f"{explained(error, self._path)}; {_NOT_STORED}")
                if not self.faulty:
                    self.faulty = True
                    self.faults.append(fault)
                return fault
            written = backlog.popleft()
            self.committed = written.number
            self._steps_written += written.steps
        if self.faulty:
            self.faulty = False
            self.recoveries += 1
        return None

    def _count_lost(self, backlog: Iterable[Batch]) -> None:
        pushed = {number for batch in backlog for number in batch.pushed}
        self.lost = len(pushed.difference(*(batch.done for batch in backlog)))
        if self.lost:
            why = "could not be written any more; requests that are lost with the crawl's end"
            self.faults.append(FrontierError(f"{self._path}: {why}: {self.lost:,}"))

    def _commit(self, db: sqlite3.Connection, batch: Batch) -> None:
        """One transaction. A row that no database would take is left out, and told of: trying again would not help."""
        exact = self._visited.exact
        self._visited.reserve(batch.visited)
        try:
            with transaction(db):
                apply(db, batch, exact=exact)
        except ROW_FAULTS:
            with transaction(db):
                faults = [fault for step in batch.steps_alone() if (fault := fault_of(db, step, exact=exact))]
            if faults:
                why = f"{self._path}: cannot hold a request, which is lost if the crawl is stopped: {faults[0]}"
                self.faults.append(FrontierError(why))
        self._visited.committed(batch.visited)

    def _read(self, db: sqlite3.Connection, wanted: Wanted) -> Fetched | FrontierError:
        # One more row than wanted: the new horizon.
        values = (wanted.rows + 1, json.dumps([*wanted.lanes.values()]))
        try:
            return Fetched(wanted, json.loads(db.execute(_FETCH, values).fetchone()[0]))
        except Exception as error:  # noqa: BLE001 (as in `_write`)
            return explained(error, self._path)


def _close(db: sqlite3.Connection) -> None:
    with suppress(sqlite3.Error):
        db.execute(SHORTEN_LOG)
    with suppress(sqlite3.Error):
        db.close()
