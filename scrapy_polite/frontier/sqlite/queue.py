"""A queue in one SQLite file for all lanes, with the fingerprints of what was visited: outlives the process.

All methods are called from one thread and wait neither for the disk nor for a lock; only `seen_or_add` reads, where its
filter cannot tell.
"""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING

from scrapy import Request

from scrapy_polite.frontier.base import DeadLetter, Entry, FrontierError, LaneState, Rank
from scrapy_polite.frontier.sqlite.lanes import BufferedLane, BufferedLanes
from scrapy_polite.frontier.sqlite.requeue import requeue_in_flight
from scrapy_polite.frontier.sqlite.schema import BUSY_TIMEOUT_S, transaction
from scrapy_polite.frontier.sqlite.seen import Seen
from scrapy_polite.frontier.sqlite.visited import VisitedFile
from scrapy_polite.frontier.sqlite.writer import Wanted, Writer

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Collection, Iterator
    from pathlib import Path

    from scrapy import Spider

    from scrapy_polite.frontier.codec import Codec
    from scrapy_polite.frontier.sqlite.lanes import Item

_FETCH_ROWS = 2_048  # for all lanes of one fetch
_LAST_NUMBER = "SELECT max(coalesce((SELECT max(id) FROM requests), 0), coalesce((SELECT max(id) FROM set_aside), 0))"


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
        spider: Spider | None,
        *,
        buffer: int = 20_000,
        busy_timeout_s: float = BUSY_TIMEOUT_S,
        error_rate: float | None = None,
        on_error: Callable[[FrontierError], object] | None = None,
        on_recovery: Callable[[], object] | None = None,
    ) -> None:
        path = path.absolute()
        self.description = str(path)
        self.set_aside: list[DeadLetter] = []
        self._codec = codec
        self._spider = spider
        self._on_error, self._on_recovery = on_error, on_recovery
        self._on_disk = VisitedFile(path, error_rate, self._report)
        self._writer = Writer(path, busy_timeout_s, self._on_disk, self._prepare)
        self._seen = Seen(self._writer, self._on_disk)
        self._lanes = BufferedLanes(self._writer, buffer)
        self._next_number = 1
        #: Of requests in memory alone, by id(): the number of an older form on disk.
        self._outdated: dict[int, int] = {}

    def open(self) -> Future[list[LaneState]]:
        return self._writer.start()

    def claim(self, count: int) -> Future[list[LaneState]]:
        future: Future[list[LaneState]] = Future()
        future.set_result([])
        return future

    def _prepare(self, db: sqlite3.Connection) -> list[LaneState]:
        """In the writer's thread, before anything else is called."""
        with transaction(db):
            self.set_aside += requeue_in_flight(db, self._codec, self._spider)
        states = self._lanes.read(db)
        self._next_number = 1 + db.execute(_LAST_NUMBER).fetchone()[0]
        self._seen.count = self._on_disk.load(db)
        return states

    # Requests

    def push(self, lane: str, rank: Rank, request: Request) -> bool:
        return self._push(lane, rank, request)

    def head(self, lane: str) -> Rank | None:
        state = self._lanes.get(lane)
        head = None if state is None else state.head
        return None if head is None else head[:2]

    def ready(self, lane: str) -> bool:
        self._take()
        state = self._lanes.get(lane)
        if state is None or self._first(lane, state) is None:
            return False
        self._lanes.used(lane)
        return True

    def peek(self, lane: str) -> Request:
        return self._known_first(lane)[1]

    def fetch(self, lanes: Collection[str]) -> Future[None]:
        self._take()
        wanted = self._lanes.wanted(lanes)
        rows = max(1, min(_FETCH_ROWS, self._lanes.buffer) // max(len(wanted), 1))
        return self._writer.ask(Wanted(wanted, rows, frozenset(lanes)))

    def pop(self, lane: str) -> Entry:
        item, request = self._known_first(lane)
        priority, place, number, _, pops, on_disk = item
        self._lanes.remove(lane, 0)
        self._lanes[lane].in_flight += 1
        if on_disk:
            with self._writer.lock:
                self._writer.batch.popped.add(number)
        self._writer.hand_over_if_full()
        return Entry(lane, (priority, place), request, number if on_disk else None, pops + 1)

    def memory_only(self, lane: str) -> int:
        state = self._lanes.get(lane)
        return 0 if state is None else state.memory_only

    def pop_memory_only(self, lane: str) -> Entry:
        for at, (priority, place, _, request, pops, on_disk) in enumerate(self._lanes[lane].items or ()):
            if not on_disk and not isinstance(request, bytes):
                self._lanes.remove(lane, at)
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
            with self._writer.lock:
                batch = self._writer.batch
                batch.pushed[number] = row
                batch.popped.add(number)
                batch.visited += self._seen.withheld_of(request)
        return self.flush()

    def done(self, entry: Entry) -> None:
        number = self._number_on_disk(entry)
        with self._writer.lock:
            if number is not None:
                self._writer.batch.forget(number)
            self._writer.batch.visited += self._seen.withheld_of(entry.request)
        self._lanes.landed(entry.lane)
        self._writer.hand_over_if_full()

    def give_back(self, entry: Entry, rank: Rank) -> None:
        number = self._number_on_disk(entry)
        self._push(entry.lane, rank, entry.request, entry.pops - 1, number)
        self._lanes.landed(entry.lane)

    # What was visited

    def seen_or_add(self, fingerprint: bytes) -> bool:
        """Whether it was added before, in this run or an earlier one. Exact without an `error_rate`.

        It is written with the next request that is pushed: call both without anything else between.
        """
        if fingerprint in self._seen:
            return True
        self._seen.add(fingerprint)
        return False

    def has_seen(self, fingerprint: bytes) -> bool:
        """As `seen_or_add`, and adds nothing."""
        return fingerprint in self._seen

    @property
    def visited_count(self) -> int:
        return self._seen.count

    # The whole queue

    @property
    def behind(self) -> bool:
        return self._writer.behind

    @property
    def lost(self) -> int:
        return self._writer.lost

    def __len__(self) -> int:
        return self._lanes.length

    def count(self, lane: str) -> int:
        state = self._lanes.get(lane)
        return 0 if state is None else state.count

    def lanes(self) -> Iterator[str]:
        return self._lanes.names()

    def flush(self) -> Future[None]:
        self._take()
        self._seen.write_loose()
        return self._writer.ask()

    def close(self) -> None:
        if self._writer.closing:
            return
        self._seen.write_loose()
        self._writer.end()
        self._on_disk.stop_reading()
        self._writer.join()
        self._take()

    def _new_number(self) -> int:
        self._next_number += 1
        return self._next_number - 1

    def _number_on_disk(self, entry: Entry) -> int | None:
        return self._outdated.pop(id(entry.request), None) if entry.id is None else entry.id

    def _push(self, name: str, rank: Rank, request: Request, pops: int = 0, replaced: int | None = None) -> bool:
        """`replaced` is the number of what it was on disk before: there it stays as popped until this is written."""
        number = self._new_number()
        lane = self._lanes.lane(name)
        try:
            row = (number, lane.number, *rank, pops, self._codec.encode(request, self._spider))
        except ValueError:
            self._seen.withhold(request)
            if replaced is not None:
                self._outdated[id(request)] = replaced
            self._lanes.keep(name, lane, (*rank, number, request, pops, False))
            return False
        with self._writer.lock:
            batch = self._writer.batch
            batch.pushed[number] = row
            if replaced is not None:
                batch.forget(replaced)
            batch.visited += self._seen.written_with(request)
        self._lanes.place(name, lane, (*rank, number, request, pops, True))
        self._writer.hand_over_if_full()
        return not self._writer.faulty

    def _known_first(self, name: str) -> tuple[Item, Request]:
        found = self._first(name, self._lanes[name])
        if found is None and self.ready(name):
            found = self._first(name, self._lanes[name])
        if found is None:
            raise LookupError(f"the head of {name} is not in memory")
        return found

    def _first(self, name: str, lane: BufferedLane) -> tuple[Item, Request] | None:
        """The head, if it is in memory, decoded; what cannot be is set aside."""
        while (item := lane.first) is not None:
            request = item[3]
            if not isinstance(request, bytes):
                return item, request
            try:
                request = self._codec.decode(request, self._spider)
            except ValueError as error:
                self._lanes.remove(name, 0)
                why = f"cannot be read: {error}"
                self.set_aside.append(DeadLetter("", "", why))
                with self._writer.lock:
                    self._writer.batch.set_aside.append(("", "", why, item[2]))
                    self._writer.batch.forget(item[2])
            else:
                item = (*item[:3], request, *item[4:])
                if lane.items:
                    lane.items[0] = item
                return item, request
        self._lanes.drop_if_empty(name, lane)
        return None

    def _take(self) -> None:
        """What the thread could not do, and what it has fetched.

        Not within `pop` and `peek` of what is ready: it must stay so, and what is fetched may take its place.
        """
        while self._writer.faults:
            self._report(self._writer.faults.popleft())
        if self._writer.recoveries:
            self._writer.recoveries = 0
            if self._on_recovery is not None:
                self._on_recovery()
        while self._writer.fetched:
            self._lanes.load(self._writer.fetched.popleft())

    def _report(self, error: FrontierError) -> None:
        if self._on_error is not None:
            self._on_error(error)
