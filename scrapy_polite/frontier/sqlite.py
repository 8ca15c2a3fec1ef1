"""A queue in one SQLite file for all lanes, with the fingerprints of what was visited: outlives the process.

What the crawl does (push, pop, acknowledge, visit) is gathered in memory as a `_Batch`, and each batch is one
transaction of the backend's own thread, in order: after a crash the file holds all that was done up to some moment not
more than a second back, and nothing of what came later. WAL with synchronous=NORMAL: a killed process loses nothing
that was committed, a power cut at most the last commits (https://www.sqlite.org/wal.html). Not for network drives.

A lane's best requests are in memory, sorted; those from its `horizon` on are on disk alone. All methods are called from
one thread and wait neither for the disk nor for a lock; only `seen_or_add` reads, where its filter cannot tell.
"""

from __future__ import annotations

import json
import os
import shlex
import sqlite3
import stat
import threading
from bisect import insort
from collections import OrderedDict, deque
from concurrent.futures import Future
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import chain
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from scrapy import Request

from scrapy_polite.visited.bloom import BloomError, BloomFilter
from scrapy_polite.visited.filter import GrowingFilter

from .base import IDEMPOTENT, DeadLetter, Entry, FrontierError, LaneState, Rank

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from pathlib import Path
    from types import ModuleType
    from typing import TypeAlias

    from scrapy import Spider

    from .codec import Codec

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows: nothing keeps a second process out there
    fcntl = None

T = TypeVar("T")
Key: TypeAlias = "tuple[int, int, int]"
"""Rank and number: no two requests have the same."""
Item: TypeAlias = "tuple[int, int, int, Request | bytes, int, bool]"
"""Key, request (still encoded: as it came from disk), how often it was popped, whether it is on disk."""
Row: TypeAlias = "tuple[int, int, int, int, int, bytes]"
"""Number, lane's number, rank, how often it was popped, request: a row of `requests`."""

APPLICATION_ID = int.from_bytes(b"PltQ", "big")
SCHEMA_VERSION = 1
FILE_NAME = "polite.frontier.sqlite"
BLOOM_NAME = "polite.visited.bloom"
MAX_POPS = 3
"""What was popped so often without being acknowledged is set aside: it may be what brings the crawl down."""

_BUSY_TIMEOUT_S = 5.0
_COMMIT_S = 0.5  # Half of the second that is promised; the rest is for writing.
_RETRY_S = 1.0
_BATCH_STEPS = 8_192
_FETCH_ROWS = 2_048  # for all lanes of one fetch
_MAX_UNWRITTEN = 65_536  # steps that were handed over: of pushes some 100 MB
_RECENT = 100_000
_FILTER_LOAD = 2_000_000  # Up to so many visited the filter is filled at opening, some 1.5 µs each.
_FILTER_PAGE = 5_000

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
)
_INSPECT = (
    "SELECT application_id, user_version, sql FROM pragma_application_id, pragma_user_version "
    "LEFT JOIN sqlite_master ON name NOT GLOB 'sqlite_*'"
)
_STATES = (
    "SELECT name, lane, requests, priority, place, head.id FROM lanes JOIN "
    "(SELECT lane AS number, count(*) AS requests FROM requests GROUP BY lane) ON number = lanes.id JOIN "
    "requests AS head ON head.id = "
    "(SELECT id FROM requests WHERE lane = number ORDER BY priority, place, id LIMIT 1)"
)
# One row with all answers: at each step of a statement Python gives up the lock on its interpreter, and gets it back
# from a busy loop only after 5 ms.
_FETCH = (
    "SELECT json_group_array(json((SELECT json_group_array(json_array(id, priority, place, pops, hex(request))) FROM "
    "(SELECT * FROM requests WHERE lane = json_extract(value, '$[0]') AND (priority, place, id) >= "
    "(json_extract(value, '$[1]'), json_extract(value, '$[2]'), json_extract(value, '$[3]')) "
    "AND id NOT IN (SELECT id FROM popped) ORDER BY priority, place, id LIMIT ?)))) FROM json_each(?)"
)
_VISITED_PAGE = (
    "SELECT group_concat(hex(fingerprint), ' ') FROM "
    f"(SELECT fingerprint FROM visited WHERE fingerprint > ? ORDER BY fingerprint LIMIT {_FILTER_PAGE})"
)
_POPPED = "SELECT id, lane, priority, place, pops, request FROM requests JOIN popped USING (id)"
_FIRST = "SELECT min(place) FROM requests WHERE lane = ? AND priority = ?"
_REQUEUE = "UPDATE requests SET place = ?, pops = ? WHERE id = ?"
_SET_ASIDE = "INSERT INTO set_aside SELECT id, ?, ?, ?, request FROM requests WHERE id = ?"
_DELETE = "DELETE FROM {} WHERE id IN (SELECT value FROM json_each(?))"
_MAX_VALUES = 32_000 if sqlite3.sqlite_version_info >= (3, 32) else 999
_CHUNK = 1_024

_SHORTEN_LOG = "PRAGMA wal_checkpoint(TRUNCATE)"

_ELSEWHERE = "or start again with another JOBDIR"
_DELETE_IT = f"delete it {_ELSEWHERE}"
_MAKE_WRITABLE = f"make file and folder readable and writable, {_ELSEWHERE}"
_MAKE_ROOM = "make room on the disk"
_NOT_STORED = (
    "until it can be written again new requests are not stored, but kept in memory: if the crawl ends before, they are "
    "lost, and pages that were fetched meanwhile are fetched again"
)
_RECOVER = f"`scrapy polite recover {{folder}}` saves what can be read of it, {_ELSEWHERE}"
#: What SQLite or the system says -> what a person should do. Where none of these is said: `_DELETE_IT`.
_ADVICE = (
    ("not a database", _RECOVER),
    ("malformed", _RECOVER),
    ("is locked", "stop the process that holds it"),
    ("readonly", _MAKE_WRITABLE),
    ("Read-only", _MAKE_WRITABLE),
    ("denied", _MAKE_WRITABLE),
    ("unable to open", _MAKE_WRITABLE),
    ("is full", _MAKE_ROOM),
    ("No space", _MAKE_ROOM),
    ("disk I/O error", "check the disk and its quotas"),
)
#: What no row may be that is to be written. Anything else is the fault of the disk, and may be over later.
_ROW_FAULTS = (
    sqlite3.DataError,
    sqlite3.IntegrityError,
    sqlite3.InterfaceError,
    sqlite3.ProgrammingError,
    OverflowError,
    TypeError,
    ValueError,
)


class _Lane:
    """`items` are sorted, those on disk all before `horizon`, the best of the `on_disk` that are on disk alone.

    While a fetch is under way the horizon stays, and whatever is pushed is put into memory. Of the items `memory_only`
    are not on disk.
    """

    __slots__ = ("fetching", "horizon", "in_flight", "items", "memory_only", "number", "on_disk")

    def __init__(self, number: int, horizon: Key | None = None, on_disk: int = 0) -> None:
        self.number = number
        self.items: list[Item] | None = None
        self.horizon = horizon
        self.on_disk = on_disk
        self.in_flight = 0
        self.memory_only = 0
        self.fetching = False

    @property
    def empty(self) -> bool:
        return not (self.items or self.on_disk or self.in_flight)


class _Batch:
    """What one transaction does. Steps on one request that come to nothing are left out."""

    __slots__ = ("dead_lanes", "done", "lanes", "number", "popped", "pushed", "set_aside", "visited")

    def __init__(self, number: int) -> None:
        self.number = number
        self.lanes: dict[int, str] = {}
        self.dead_lanes: list[int] = []
        self.pushed: dict[int, Row] = {}
        self.popped: set[int] = set()
        self.done: list[int] = []
        self.visited: list[bytes] = []
        self.set_aside: list[tuple[str, str, str, int]] = []

    @property
    def steps(self) -> int:
        return len(self.pushed) + len(self.popped) + len(self.done) + len(self.visited)

    @property
    def empty(self) -> bool:
        return not (self.steps or self.lanes or self.dead_lanes)

    def steps_alone(self) -> Iterator[_Batch]:
        """The same, one step in each batch."""
        for name in ("lanes", "pushed", "popped", "set_aside", "done", "dead_lanes", "visited"):
            steps = getattr(self, name)
            for step in steps.items() if isinstance(steps, dict) else steps:
                alone = _Batch(self.number)
                setattr(alone, name, type(steps)([step]))
                yield alone


class _Wanted(NamedTuple):
    """`rows` of each lane, by name, with its number and horizon; and all that were asked for."""

    lanes: dict[str, tuple[int, int, int, int]]
    rows: int
    asked: frozenset[str]


class _Job(NamedTuple):
    """What the thread does next: write `batch`, then read what is wanted, then answer."""

    batch: _Batch
    wanted: _Wanted | None = None
    future: Future[None] | None = None


class _Fetched(NamedTuple):
    wanted: _Wanted
    rows: list[list[list[Any]]]


class SqliteQueue:
    """An implementation of `base.Queue`; also remembers what was visited.

    With an `error_rate` that is done by a Bloom filter, in a file beside the queue's; else it is exact.

    `buffer` bounds the requests in memory that are on disk as well. `on_error` is called in the loop's thread, once for
    each time the disk fails: until it recovers, what is pushed stays in memory, and is written when it does; then
    `on_recovery` is called.
    """

    persistent = True

    def __init__(
        self,
        path: Path,
        codec: Codec,
        spider: Spider,
        *,
        buffer: int = 20_000,
        busy_timeout_s: float = _BUSY_TIMEOUT_S,
        error_rate: float | None = None,
        on_error: Callable[[FrontierError], object] | None = None,
        on_recovery: Callable[[], object] | None = None,
    ) -> None:
        self._path = path.absolute()
        self.description = str(self._path)
        self.set_aside: list[DeadLetter] = []
        self.visited_count = self.lost = 0
        self._codec = codec
        self._spider = spider
        self._buffer = buffer
        self._busy_timeout_s = busy_timeout_s
        self._on_error, self._on_recovery = on_error, on_recovery
        self._error_rate = error_rate
        # It holds only what is committed: its file may run ahead of the queue's at no time, or a crash loses requests.
        self._bloom: BloomFilter | None = None

        self._lanes: dict[str, _Lane] = {}
        self._loaded: OrderedDict[str, None] = OrderedDict()  # lanes with items, those loaded last at the end
        self._length = 0
        self._held = 0  # items that are on disk too
        self._next_id = self._next_lane = 1

        self._recent: set[bytes] = set()
        self._older: set[bytes] = set()
        self._older_until = 0  # the batch that holds the last of them
        self._filter: GrowingFilter | None = None
        self._loose: list[bytes] = []  # visited, but their request is still to be pushed
        # Of requests in memory alone, by id(): what was visited, and the number of an older form on disk.
        self._withheld: dict[int, list[bytes]] = {}
        self._outdated: dict[int, int] = {}
        self._reader: sqlite3.Connection | None = None

        self._lock = threading.Lock()  # held for some bytecodes only, by either thread
        self._batch = _Batch(1)
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._fetched: deque[_Fetched] = deque()
        self._faults: deque[FrontierError] = deque()
        self._committed = 0
        self._steps_handed_over = self._steps_written = 0  # each counted by one thread
        self._faulty = False
        self._recoveries = 0
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def open(self) -> Future[list[LaneState]]:
        future: Future[list[LaneState]] = Future()
        # A daemon, so that a process that has to die does not wait for anybody's lock.
        self._thread = threading.Thread(target=self._work, args=(future,), name="polite-frontier", daemon=True)
        self._thread.start()
        return future

    def claim(self, count: int) -> Future[list[LaneState]]:
        future: Future[list[LaneState]] = Future()
        future.set_result([])
        return future

    # The crawl's thread: queue

    def push(self, lane: str, rank: Rank, request: Request) -> bool:
        return self._push(lane, rank, request)

    def head(self, lane: str) -> Rank | None:
        state = self._lanes.get(lane)
        if state is None:
            return None
        best = state.items[0][:3] if state.items else state.horizon
        if best is not None and state.horizon is not None and state.horizon < best:
            best = state.horizon
        return None if best is None else best[:2]

    def ready(self, lane: str) -> bool:
        self._take()
        state = self._lanes.get(lane)
        if state is None or self._first(lane, state) is None:
            return False
        self._loaded.move_to_end(lane)
        return True

    def peek(self, lane: str) -> Request:
        return self._known_first(lane)[1]

    def fetch(self, lanes: Collection[str]) -> Future[None]:
        self._take()
        wanted: dict[str, tuple[int, int, int, int]] = {}
        for name in lanes:
            lane = self._lanes.get(name)
            if lane is None or lane.horizon is None or lane.fetching:
                continue
            if not lane.items or lane.items[0][:3] > lane.horizon:
                lane.fetching = True
                wanted[name] = (lane.number, *lane.horizon)
        rows = max(1, min(_FETCH_ROWS, self._buffer) // max(len(wanted), 1))
        return self._ask(_Wanted(wanted, rows, frozenset(lanes)))

    def pop(self, lane: str) -> Entry:
        item, request = self._known_first(lane)
        priority, place, number, _, pops, on_disk = item
        self._remove(lane, 0)
        self._lanes[lane].in_flight += 1
        if on_disk:
            with self._lock:
                self._batch.popped.add(number)
        self._hand_over_if_full()
        return Entry(lane, (priority, place), request, number if on_disk else None, pops + 1)

    def memory_only(self, lane: str) -> int:
        state = self._lanes.get(lane)
        return 0 if state is None else state.memory_only

    def pop_memory_only(self, lane: str) -> Entry:
        for at, (priority, place, _, request, pops, on_disk) in enumerate(self._lanes[lane].items or ()):
            if not on_disk and not isinstance(request, bytes):
                self._remove(lane, at)
                self._lanes[lane].in_flight += 1
                return Entry(lane, (priority, place), request, None, pops + 1)
        raise LookupError(f"all of {lane} is on disk")

    def mark_sent(self, entry: Entry) -> Future[None]:
        request = entry.request
        if entry.id is None and id(request) not in self._outdated:
            # In place of what cannot be written: after a crash it is only to be told of.
            bare = Request(request.url, method=request.method, headers=request.headers, body=request.body)
            self._outdated[id(request)] = number = self._new_number()
            row = (number, self._lanes[entry.lane].number, *entry.rank, 0, self._codec.encode(bare, self._spider))
            with self._lock:
                self._batch.pushed[number] = row
                self._batch.popped.add(number)
                self._batch.visited += self._withheld.pop(id(request), ())
        return self.flush()

    def done(self, entry: Entry) -> None:
        number = self._number_on_disk(entry)
        with self._lock:
            if number is not None:
                _forget(self._batch, number)
            if self._withheld:
                self._batch.visited += self._withheld.pop(id(entry.request), ())
        self._landed(entry.lane)
        self._hand_over_if_full()

    def give_back(self, entry: Entry, rank: Rank) -> None:
        number = self._number_on_disk(entry)
        self._push(entry.lane, rank, entry.request, entry.pops - 1, number)
        self._landed(entry.lane)

    @property
    def behind(self) -> bool:
        return not self._faulty and self._steps_handed_over - self._steps_written > _MAX_UNWRITTEN

    def __len__(self) -> int:
        return self._length

    def count(self, lane: str) -> int:
        state = self._lanes.get(lane)
        return 0 if state is None else len(state.items or ()) + state.on_disk

    def lanes(self) -> Iterator[str]:
        return (name for name, lane in self._lanes.items() if lane.items or lane.on_disk)

    def flush(self) -> Future[None]:
        self._take()
        self._tie_loose()
        return self._ask(None)

    def close(self) -> None:
        if self._closing.is_set():
            return
        self._tie_loose()
        with self._lock:
            self._closing.set()
            self._hand_over(_Job)
            self._jobs.put(None)
        # Before the thread's own connection: the last to be closed deletes the log, and this one could not.
        if self._reader is not None:
            with suppress(sqlite3.Error):
                self._reader.close()
        if self._thread is not None:
            self._thread.join()
        self._take()

    # The crawl's thread: what was visited

    def seen_or_add(self, fingerprint: bytes) -> bool:
        """Whether it was added before, in this run or an earlier one. Exact without an `error_rate`.

        It is written with the next request that is pushed: call both without anything else between.
        """
        if self.has_seen(fingerprint):
            return True
        if len(self._recent) >= _RECENT and not self._loose and self._committed >= self._older_until:
            self._older, self._older_until = self._recent, self._batch.number
            self._recent = set(chain.from_iterable(self._withheld.values()))
        self._recent.add(fingerprint)
        self._loose.append(fingerprint)
        self.visited_count += 1
        if self._filter is not None:
            self._filter.add(fingerprint)
        return False

    def has_seen(self, fingerprint: bytes) -> bool:
        """As `seen_or_add`, and adds nothing."""
        if fingerprint in self._recent or fingerprint in self._older:
            return True
        if self._bloom is not None:
            return fingerprint in self._bloom
        if (self._filter is None or fingerprint in self._filter) and self._is_on_disk(fingerprint):
            self._recent.add(fingerprint)
            return True
        return False

    def _is_on_disk(self, fingerprint: bytes) -> bool:
        if self._closing.is_set():
            return False
        try:
            if self._reader is None:
                uri = f"{self._path.as_uri()}?mode=ro"
                self._reader = sqlite3.connect(uri, uri=True, timeout=0.0, isolation_level=None)
            query = "SELECT 1 FROM visited WHERE fingerprint = ?"
            # All of the rows: an unfinished statement would keep the file's log from being shortened.
            return bool(self._reader.execute(query, (fingerprint,)).fetchall())
        except sqlite3.Error as error:
            # Visited twice is better than never.
            self._report(explained(error, self._path))
            return False

    def _tie_loose(self) -> None:
        if self._loose:
            with self._lock:
                self._batch.visited += self._loose
            self._loose = []

    # The crawl's thread: lanes

    def _number_on_disk(self, entry: Entry) -> int | None:
        return self._outdated.pop(id(entry.request), None) if entry.id is None else entry.id

    def _new_number(self) -> int:
        self._next_id += 1
        return self._next_id - 1

    def _push(self, name: str, rank: Rank, request: Request, pops: int = 0, replaced: int | None = None) -> bool:
        """`replaced` is the number of what it was on disk before: there it stays as popped until this is written."""
        number = self._new_number()
        lane = self._lanes.get(name)
        if lane is None:
            lane = self._lanes[name] = _Lane(self._next_lane)
            self._next_lane += 1
            with self._lock:
                self._batch.lanes[lane.number] = name
        self._length += 1
        try:
            row = (number, lane.number, *rank, pops, self._codec.encode(request, self._spider))
        except ValueError:
            # Should it be lost, what finds it again must not find it visited.
            if self._loose:
                self._withheld[id(request)], self._loose = self._loose, []
            if replaced is not None:
                self._outdated[id(request)] = replaced
            self._insert(name, lane, (*rank, number, request, pops, False))
            return False
        with self._lock:
            batch = self._batch
            batch.pushed[number] = row
            if replaced is not None:
                _forget(batch, replaced)
            if self._loose:
                batch.visited += self._loose
                self._loose = []
            if self._withheld:
                batch.visited += self._withheld.pop(id(request), ())
        self._place(name, lane, (*rank, number, request, pops, True))
        self._hand_over_if_full()
        return not self._faulty

    def _place(self, name: str, lane: _Lane, item: Item) -> None:
        """Into memory, or beyond the horizon."""
        key = item[:3]
        if self._faulty or lane.fetching:
            self._insert(name, lane, item)
        elif lane.horizon is not None and key > lane.horizon:
            lane.on_disk += 1
        elif self._held < self._buffer:
            self._insert(name, lane, item)
        elif not lane.items or key > lane.items[-1][:3]:
            lane.on_disk += 1
            lane.horizon = key
        else:
            self._insert(name, lane, item)
            # Half of them: it takes long to part the items, and there will be more.
            on_disk = [item for item in lane.items if item[5]]
            self._spill(name, lane, on_disk[len(on_disk) // 2][:3])

    def _insert(self, name: str, lane: _Lane, item: Item) -> None:
        if not lane.items:
            lane.items = [item]
            self._loaded[name] = None
        else:
            insort(lane.items, item)
        self._held += item[5]
        lane.memory_only += not item[5]

    def _spill(self, name: str, lane: _Lane, horizon: Key) -> None:
        """Keep what the lane has from `horizon` on, and on disk, there alone."""
        items = lane.items or []
        spilled = [item for item in items if item[5] and item[:3] >= horizon]
        if not spilled:
            return
        kept = [item for item in items if not (item[5] and item[:3] >= horizon)]
        lane.items = kept or None
        if not kept:
            del self._loaded[name]
        lane.on_disk += len(spilled)
        self._held -= len(spilled)
        first = spilled[0][:3]
        lane.horizon = first if lane.horizon is None else min(lane.horizon, first)

    def _known_first(self, name: str) -> tuple[Item, Request]:
        found = self._first(name, self._lanes[name])
        if found is None and self.ready(name):
            found = self._first(name, self._lanes[name])
        if found is None:
            raise LookupError(f"the head of {name} is not in memory")
        return found

    def _first(self, name: str, lane: _Lane) -> tuple[Item, Request] | None:
        """The head, if it is in memory, decoded; what cannot be is set aside."""
        while lane.items and (lane.horizon is None or lane.items[0][:3] < lane.horizon):
            item = lane.items[0]
            request = item[3]
            if not isinstance(request, bytes):
                return item, request
            try:
                request = self._codec.decode(request, self._spider)
            except ValueError as error:
                self._remove(name, 0)
                why = f"cannot be read: {error}"
                self.set_aside.append(DeadLetter("", "", why))
                with self._lock:
                    self._batch.set_aside.append(("", "", why, item[2]))
                    _forget(self._batch, item[2])
            else:
                lane.items[0] = item = (*item[:3], request, *item[4:])
                return item, request
        self._drop_if_empty(name, lane)
        return None

    def _remove(self, name: str, at: int) -> None:
        lane = self._lanes[name]
        items = lane.items or []
        on_disk = items.pop(at)[5]
        if not items:
            lane.items = None
            del self._loaded[name]
        self._length -= 1
        self._held -= on_disk
        lane.memory_only -= not on_disk

    def _landed(self, name: str) -> None:
        lane = self._lanes[name]
        lane.in_flight -= 1
        self._drop_if_empty(name, lane)

    def _drop_if_empty(self, name: str, lane: _Lane) -> None:
        if not lane.empty:
            return
        del self._lanes[name]
        with self._lock:
            if self._batch.lanes.pop(lane.number, None) is None:
                self._batch.dead_lanes.append(lane.number)

    # Between the threads

    def _ask(self, wanted: _Wanted | None) -> Future[None]:
        future: Future[None] = Future()
        with self._lock:
            if self._closing.is_set():
                future.set_exception(FrontierError(f"{self._path}: the queue is closed"))
            else:
                self._hand_over(lambda batch: _Job(batch, wanted, future))
        return future

    def _hand_over_if_full(self) -> None:
        if self._batch.steps >= _BATCH_STEPS:
            with self._lock:
                self._hand_over(_Job)

    def _hand_over(self, job: Callable[[_Batch], _Job]) -> None:
        """To be called with the lock held."""
        self._steps_handed_over += self._batch.steps
        self._jobs.put(job(self._batch))
        self._batch = _Batch(self._batch.number + 1)

    def _take(self) -> None:
        """What the thread could not do, and what it has fetched.

        Not within `pop` and `peek` of what is ready: it must stay so, and what is fetched may take its place.
        """
        while self._faults:
            self._report(self._faults.popleft())
        if self._recoveries:
            self._recoveries = 0
            if self._on_recovery is not None:
                self._on_recovery()
        while self._fetched:
            self._load(self._fetched.popleft())

    def _report(self, error: FrontierError) -> None:
        if self._on_error is not None:
            self._on_error(error)

    def _load(self, fetched: _Fetched) -> None:
        wanted = fetched.wanted
        if not fetched.rows:  # it failed
            for name in wanted.lanes:
                self._lanes[name].fetching = False
            return
        for name, rows in zip(wanted.lanes, fetched.rows, strict=True):
            lane = self._lanes[name]
            lane.fetching = False
            known = {item[2] for item in lane.items or ()}
            new = [
                (priority, place, number, bytes.fromhex(request), pops, True)
                for number, priority, place, pops, request in rows[: wanted.rows]
                if number not in known
            ]
            if new:
                lane.items = sorted([*(lane.items or ()), *new])
                self._loaded[name] = None
                self._loaded.move_to_end(name)
                self._held += len(new)
                lane.on_disk -= len(new)
            if len(rows) > wanted.rows:
                number, priority, place, *_ = rows[-1]
                lane.horizon = (priority, place, number)
                self._spill(name, lane, lane.horizon)
            else:
                # Should the file hold less than was counted, the crawl must not wait for it.
                self._length -= lane.on_disk
                lane.on_disk = 0
                lane.horizon = None
                self._drop_if_empty(name, lane)
        self._make_room(wanted.asked)

    def _make_room(self, keep: Collection[str]) -> None:
        if self._faulty:
            return
        for _ in range(len(self._loaded)):
            if self._held <= self._buffer:
                return
            name = next(iter(self._loaded))
            lane = self._lanes[name]
            self._loaded.move_to_end(name)
            if name not in keep and not lane.fetching and lane.items:
                self._spill(name, lane, lane.items[0][:3])

    # The backend's thread

    def _work(self, opening: Future[list[LaneState]]) -> None:
        with ExitStack() as stack:
            try:
                _check_is_own(self._path.parent, 0o022, "go-w")
                stack.enter_context(locked(self._path))
            except Exception as error:  # noqa: BLE001 (as in `_set_up`)
                opening.set_exception(explained(error, self._path.parent))
                return
            try:
                db = self._set_up(opening)
                if db is not None:
                    try:
                        self._serve(db)
                    finally:
                        with suppress(sqlite3.Error):
                            db.execute(_SHORTEN_LOG)
                        with suppress(sqlite3.Error):
                            db.close()
            finally:
                if self._bloom is not None:
                    self._bloom.close()

    def _set_up(self, opening: Future[list[LaneState]]) -> sqlite3.Connection | None:
        db: sqlite3.Connection | None = None
        try:
            db = open_file(self._path, self._busy_timeout_s)
            with _transaction(db):
                self.set_aside += _recover(db, self._codec, self._spider)
            states = self._read_state(db)
            self._read_visited(db)
        except Exception as error:  # noqa: BLE001 (whoever awaits the future gets it)
            if db is not None:
                db.close()
            opening.set_exception(explained(error, self._path))
            return None
        opening.set_result(states)
        return db

    def _read_state(self, db: sqlite3.Connection) -> list[LaneState]:
        states = []
        for name, number, requests, priority, place, head in db.execute(_STATES):
            self._lanes[name] = _Lane(number, (priority, place, head), requests)
            self._length += requests
            states.append(LaneState(name, (priority, place), requests))
        self._next_lane = 1 + db.execute("SELECT coalesce(max(id), 0) FROM lanes").fetchone()[0]
        self._next_id = (
            1
            + db.execute(
                "SELECT max(coalesce((SELECT max(id) FROM requests), 0), coalesce((SELECT max(id) FROM set_aside), 0))"
            ).fetchone()[0]
        )
        return states

    def _read_visited(self, db: sqlite3.Connection) -> None:
        self.visited_count = db.execute("SELECT count(*) FROM visited").fetchone()[0]
        path = self._path.with_name(BLOOM_NAME)
        if self._error_rate is not None:
            self._bloom = bloom = BloomFilter(self._error_rate, path)
            # What a run before this one remembered exactly.
            bloom.reserve(self.visited_count)
            for fingerprint in _visited(db):
                bloom.add(fingerprint)
            db.execute("DELETE FROM visited")
            self.visited_count = len(bloom)
        elif path.exists():
            raise FrontierError(
                f'{path}: this job was begun with POLITE_VISITED = "bloom"; set that again, {_ELSEWHERE}'
            )
        elif self.visited_count <= _FILTER_LOAD:
            self._filter = GrowingFilter(self.visited_count)
            for fingerprint in _visited(db):
                self._filter.add(fingerprint)

    def _serve(self, db: sqlite3.Connection) -> None:
        backlog: deque[_Batch] = deque()  # what could not be written yet
        while True:
            job = self._next_job(retry=bool(backlog))
            fault = self._write(db, backlog, job)
            if job is None:
                self._count_lost(backlog)
                return
            if job.wanted is not None and job.wanted.lanes:
                answer = fault or self._read(db, job.wanted)
                if isinstance(answer, FrontierError):
                    fault, answer = answer, _Fetched(job.wanted, [])
                self._fetched.append(answer)
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
            with self._lock:
                if self._jobs.empty() and (retry or not self._batch.empty):
                    self._hand_over(_Job)

    def _write(self, db: sqlite3.Connection, backlog: deque[_Batch], job: _Job | None) -> FrontierError | None:
        """Write what the job brings, after the backlog; what cannot be written stays there."""
        if job is not None and not job.batch.empty:
            backlog.append(job.batch)
        while backlog:
            try:
                self._commit(db, backlog[0])
            except Exception as error:  # noqa: BLE001 (it goes to whoever asks, and to `on_error`)
                fault = FrontierError(f"{explained(error, self._path)}; {_NOT_STORED}")
                if not self._faulty:
                    self._faulty = True
                    self._faults.append(fault)
                return fault
            written = backlog.popleft()
            self._committed = written.number
            self._steps_written += written.steps
        if self._faulty:
            self._faulty = False
            self._recoveries += 1
        return None

    def _count_lost(self, backlog: Iterable[_Batch]) -> None:
        pushed = {number for batch in backlog for number in batch.pushed}
        self.lost = len(pushed.difference(*(batch.done for batch in backlog)))
        if self.lost:
            why = "could not be written any more; requests that are lost with the crawl's end"
            self._faults.append(FrontierError(f"{self._path}: {why}: {self.lost:,}"))

    def _commit(self, db: sqlite3.Connection, batch: _Batch) -> None:
        """One transaction. A row that no database would take is left out, and told of: trying again would not help."""
        exact = self._bloom is None
        if self._bloom is not None:
            self._bloom.reserve(len(batch.visited))
        try:
            with _transaction(db):
                _apply(db, batch, exact=exact)
        except _ROW_FAULTS:
            with _transaction(db):
                faults = [fault for step in batch.steps_alone() if (fault := _fault_of(db, step, exact=exact))]
            if faults:
                why = f"{self._path}: cannot hold a request, which is lost if the crawl is stopped: {faults[0]}"
                self._faults.append(FrontierError(why))
        if self._bloom is not None:
            for fingerprint in batch.visited:
                self._bloom.add(fingerprint)

    def _read(self, db: sqlite3.Connection, wanted: _Wanted) -> _Fetched | FrontierError:
        # One more row than wanted: the new horizon.
        values = (wanted.rows + 1, json.dumps([*wanted.lanes.values()]))
        try:
            return _Fetched(wanted, json.loads(db.execute(_FETCH, values).fetchone()[0]))
        except Exception as error:  # noqa: BLE001 (as in `_write`)
            return explained(error, self._path)


def _forget(batch: _Batch, number: int) -> None:
    """As if there had never been such a request."""
    batch.popped.discard(number)
    if batch.pushed.pop(number, None) is None:
        batch.done.append(number)


def _fault_of(db: sqlite3.Connection, step: _Batch, *, exact: bool) -> Exception | None:
    try:
        _apply(db, step, exact=exact)
    except _ROW_FAULTS as fault:
        return fault
    return None


def _apply(db: sqlite3.Connection, batch: _Batch, *, exact: bool) -> None:
    """`exact`: what was visited is written too."""
    _insert(db, "INSERT INTO lanes", 2, batch.lanes.items())
    _insert(db, "INSERT INTO requests", 6, batch.pushed.values())
    _insert(db, "INSERT INTO popped", 1, ((number,) for number in batch.popped))
    for values in batch.set_aside:
        db.execute(_SET_ASIDE, values)
    for table, numbers in (("requests", batch.done), ("popped", batch.done), ("lanes", batch.dead_lanes)):
        if numbers:
            db.execute(_DELETE.format(table), (json.dumps(numbers),))
    if exact:
        _insert(db, "INSERT OR IGNORE INTO visited", 1, ((fingerprint,) for fingerprint in sorted(batch.visited)))


def _visited(db: sqlite3.Connection) -> Iterator[bytes]:
    last = b""
    while page := db.execute(_VISITED_PAGE, (last,)).fetchone()[0]:
        fingerprints = [bytes.fromhex(text) for text in page.split(" ")]
        yield from fingerprints
        last = max(fingerprints)


def _insert(db: sqlite3.Connection, insert: str, columns: int, rows: Iterable[tuple[Any, ...]]) -> None:
    """Many rows in one statement, for the reason given at `_FETCH`; few sizes, so that statements are prepared once."""
    values = [*chain.from_iterable(rows)]
    size = min(_CHUNK, _MAX_VALUES // columns)
    at = 0
    while at < len(values):
        while size * columns > len(values) - at:
            size = (size + 1) // 2
        places = ",".join([f"({','.join('?' * columns)})"] * size)
        db.execute(f"{insert} VALUES {places}", values[at : at + size * columns])
        at += size * columns


def _recover(db: sqlite3.Connection, codec: Codec, spider: Spider) -> list[DeadLetter]:
    """Queue again what was popped and not acknowledged, ahead of its equals; set aside what must not be repeated."""
    set_aside = []
    # From the last to the first: each goes ahead of those before.
    for number, lane, priority, _, pops, request in db.execute(
        f"{_POPPED} ORDER BY priority, place DESC, id DESC"
    ).fetchall():
        url = method = why = ""
        unrepeated = None
        try:
            decoded = codec.decode(request, spider)
        except ValueError as error:
            why = f"cannot be read: {error}"
        else:
            url, method = decoded.url, decoded.method
            if method not in IDEMPOTENT:
                unrepeated = decoded
                why = "it was in flight when the crawl was broken off, and may not be repeated unasked"
            elif pops + 1 >= MAX_POPS:
                why = f"the crawl was broken off {pops + 1} times while it was in flight"
        if why:
            set_aside.append(DeadLetter(url, method, why, unrepeated))
            db.execute(_SET_ASIDE, (url, method, why, number))
            db.execute("DELETE FROM requests WHERE id = ?", (number,))
        else:
            first = db.execute(_FIRST, (lane, priority)).fetchone()[0]
            db.execute(_REQUEUE, (first - 1, pops + 1, number))
    db.execute("DELETE FROM popped")
    db.execute("DELETE FROM lanes WHERE id NOT IN (SELECT lane FROM requests)")
    return set_aside


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keeps every other queue and command off the file at `path`. Raises FrontierError where one is at work on it."""
    if fcntl is None:
        yield
        return
    lock = path.with_name(f"{path.name}.lock")
    try:
        file = os.fdopen(os.open(lock, os.O_CREAT | os.O_RDWR, 0o600), "r+b", buffering=0)
    except OSError as error:
        raise explained(error, lock) from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            process = file.read(20).decode("ascii", "replace").strip() or "(unknown)"
            raise FrontierError(
                f"{path.parent}: in use by process {process}; wait for its end, or stop it, {_ELSEWHERE}"
            ) from None
        except OSError:  # a file system without such locks
            pass
        else:
            with suppress(OSError):  # on a full disk nobody learns who it is
                file.truncate(0)
                file.write(f"{os.getpid()}\n".encode())
        yield


def _check_is_own(path: Path, forbidden: int, change: str) -> None:
    """Raises FrontierError where others own or, by the mode's `forbidden` bits, can use what may hold pickles."""
    if os.name != "posix":
        return
    status = path.stat()
    mode, command = stat.S_IMODE(status.st_mode), ""
    if status.st_uid != os.geteuid():
        command = f"chown {os.geteuid()}"
    elif mode & (forbidden & ~stat.S_IWGRP if _is_own_group(status.st_gid) else forbidden):
        command = f"chmod {change}"
    if command:
        raise FrontierError(
            f"{path}: others can get at it (owner {status.st_uid}, mode {mode:03o}), and reading what they wrote could "
            f"run their code; if all of it is yours: `{command} {shlex.quote(str(path))}`, {_ELSEWHERE}"
        )


def _is_own_group(number: int) -> bool:
    """Whether it is the group that many systems make for one user alone, and whose members may write by default."""
    import grp
    import pwd

    try:
        name, group = pwd.getpwuid(os.geteuid()).pw_name, grp.getgrgid(number)
    except KeyError:
        return False
    return group.gr_name == name and set(group.gr_mem) <= {name}


def new_schema() -> dict[str, int]:
    """The tables and the index of a new file, and the page that each begins at."""
    with closing(sqlite3.connect(":memory:")) as db:
        for statement in _SCHEMA:
            db.execute(statement)
        return dict(db.execute("SELECT name, rootpage FROM sqlite_master WHERE sql IS NOT NULL"))


def open_file(path: Path, busy_timeout_s: float = _BUSY_TIMEOUT_S) -> sqlite3.Connection:
    """The queue's file, made if there is none. Raises FrontierError for one that is not to be used, else sqlite3.Error
    or OSError."""
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        _check_is_own(path, 0o077, "600")
        if path.is_file() and not path.stat().st_size and not path.with_name(f"{path.name}-wal").exists():
            raise FrontierError(f"{path}: it is empty, so its queue is lost; {_DELETE_IT}") from None
    else:
        os.fchmod(descriptor, 0o600)
        os.close(descriptor)
    db = sqlite3.connect(path, timeout=busy_timeout_s, isolation_level=None, cached_statements=256)
    try:
        if not has_schema(db, path):
            with _transaction(db):
                for statement in _SCHEMA:
                    db.execute(statement)
                db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA cache_size = -16384")
        db.execute("PRAGMA wal_autocheckpoint = 4000")
        db.execute(_SHORTEN_LOG)  # what a crawl left that was killed
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
        raise FrontierError(f"{path}: this SQLite file is not a queue of scrapy-polite; {_DELETE_IT}")
    if version > SCHEMA_VERSION:
        raise FrontierError(
            f"{path}: written by a newer scrapy-polite (schema {version}, this one knows {SCHEMA_VERSION}); "
            f"upgrade, {_ELSEWHERE}"
        )
    if schema != set(_SCHEMA):
        raise FrontierError(f"{path}: its tables are not those of schema {SCHEMA_VERSION}; {_DELETE_IT}")
    # Some 2 ms per MB: what is damaged is to be found now, and not hours later.
    fault = db.execute("PRAGMA quick_check(1)").fetchone()[0]
    if fault != "ok":
        raise sqlite3.DatabaseError(f"the file is malformed ({' '.join(fault.split())})")
    return True


@contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    """One write transaction: all of it or nothing."""
    with db:
        db.execute("BEGIN IMMEDIATE")
        yield


def explained(error: Exception, path: Path) -> FrontierError:
    """Whatever went wrong with the file at `path`, as a FrontierError that says so."""
    if isinstance(error, FrontierError):
        return error
    if isinstance(error, BloomError):
        return FrontierError(str(error))
    fault = getattr(error, "strerror", None) or str(error) or type(error).__name__
    advice = next((advice for phrase, advice in _ADVICE if phrase in fault), _DELETE_IT)
    told = FrontierError(f"{path}: {fault}; {advice.format(folder=shlex.quote(str(path.parent)))}")
    told.__cause__ = error
    return told
