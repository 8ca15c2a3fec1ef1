"""A queue in one SQLite file for all lanes, with the fingerprints of what was visited: outlives the process.

All methods are called from one thread and wait neither for the disk nor for a lock; only `has_seen` reads, where its
filter cannot tell. One process owns the file: all hosts are its own.
"""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING, cast

from scrapy import Request

from scrapy_polite.frontier.queue import (
    DeadLetter,
    Entry,
    FrontierError,
    LaneState,
    PushResult,
    QueueEvent,
    QueueFailed,
    QueueRecovered,
    Rank,
    Totals,
    Unwritable,
)
from scrapy_polite.frontier.sqlite.lanes import BufferedLane, BufferedLanes
from scrapy_polite.frontier.sqlite.requeue import requeue_in_flight
from scrapy_polite.frontier.sqlite.schema import BUSY_TIMEOUT_S, transaction
from scrapy_polite.frontier.sqlite.seen import Seen
from scrapy_polite.frontier.sqlite.visited import VisitedFile
from scrapy_polite.frontier.sqlite.writer import Wanted, Writer
from scrapy_polite.services.seeds import template_of
from scrapy_polite.services.trap_memory import MAX_SITES

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from scrapy import Spider

    from scrapy_polite.frontier.codec import Codec
    from scrapy_polite.frontier.sqlite.lanes import Item

_FETCH_ROWS = 2_048  # for all lanes of one fetch
#: When a queue is opened again only the latest notes are read: of so many sites as the traps remember.
_DROP_NOTES = "DELETE FROM notes WHERE host NOT IN (SELECT host FROM notes ORDER BY noted_at DESC LIMIT ?)"
_LAST_NUMBER = "SELECT max(coalesce((SELECT max(id) FROM requests), 0), coalesce((SELECT max(id) FROM set_aside), 0))"


class SqliteQueue:
    """An implementation of `frontier.queue.Queue`; also remembers what was visited.

    With an `error_rate` that is done by a Bloom filter, in a file beside the queue's; else it is exact.

    `buffer` bounds the requests in memory that are on disk as well. While the disk fails what is pushed stays in
    memory; it is written when the disk has recovered.
    """

    persistent = True
    shared = False
    job = ""

    def __init__(
        self,
        path: Path,
        codec: Codec,
        spider: Spider | None,
        *,
        buffer: int = 20_000,
        busy_timeout_s: float = BUSY_TIMEOUT_S,
        error_rate: float | None = None,
    ) -> None:
        path = path.absolute()
        self.description = str(path)
        self._events: list[QueueEvent] = []
        self._codec = codec
        self._spider = spider
        self._on_disk = VisitedFile(path, error_rate, self._report)
        self._writer = Writer(path, busy_timeout_s, self._on_disk, self._prepare)
        self._seen = Seen(self._writer, self._on_disk)
        self._lanes = BufferedLanes(self._writer, buffer)
        self._next_number = 1
        #: Of requests in memory alone, by number: that of an older form on disk.
        self._outdated: dict[int, int] = {}
        self._notes: list[tuple[str, bytes]] = []

    # The job

    def open(self) -> Future[list[LaneState]]:
        return self._writer.start()

    def begin_start(self) -> Future[bool]:
        future: Future[bool] = Future()
        future.set_result(True)
        return future

    def end_start(self) -> None:
        """Nobody else waits for it."""

    @property
    def ended(self) -> bool:
        return not self._lanes.length

    @property
    def quiet(self) -> bool:
        return True

    @property
    def paused(self) -> bool:
        return False

    def totals(self) -> Totals:
        return Totals(self._lanes.length, self._lanes.in_flight)

    def events(self) -> list[QueueEvent]:
        writer = self._writer
        while writer.faults:
            self._report(writer.faults.popleft())
        if writer.recoveries:
            writer.recoveries = 0
            self._events.append(QueueRecovered())
        events, self._events = self._events, []
        return events

    def news(self) -> Future[None]:
        return Future()  # whatever happens, this process does it

    def flush(self) -> Future[None]:
        """Done when everything asked for so far is on disk."""
        self._load()
        return self._writer.ask()

    def close(self) -> Future[None]:
        self._on_disk.stop_reading()
        return self._writer.end()

    @property
    def lost(self) -> int:
        return self._writer.lost

    def _prepare(self, db: sqlite3.Connection) -> list[LaneState]:
        """In the writer's thread, before anything else is called."""
        with transaction(db):
            self._events += requeue_in_flight(db, self._codec, self._spider)
            db.execute(_DROP_NOTES, (MAX_SITES,))
        self._notes = db.execute("SELECT host, note FROM notes ORDER BY noted_at DESC").fetchall()
        states = self._lanes.read(db)
        self._next_number = 1 + db.execute(_LAST_NUMBER).fetchone()[0]
        self._seen.count = self._on_disk.load(db)
        return states

    # Hosts

    def claim(self, hosts: int, ahead_s: float) -> None:
        """All hosts are here."""

    def release(self, host: str, wait_s: float) -> None:
        """Nobody else could have them."""

    def note(self, host: str, note: bytes) -> None:
        with self._writer.lock:
            notes = self._writer.batch.notes
            notes.pop(host, None)  # the latest comes last
            notes[host] = note

    def notes(self) -> list[tuple[str, bytes]]:
        notes, self._notes = self._notes, []
        return notes

    # Requests

    def push(
        self, lane: str, rank: Rank, request: Request, *, host: str = "", fingerprint: bytes | None = None
    ) -> PushResult:
        if fingerprint is not None:
            if fingerprint in self._seen:
                return PushResult.SEEN
            self._seen.add(fingerprint)
        try:
            encoded = self._codec.encode(request, self._spider)
        except ValueError as error:
            self._events.append(Unwritable(str(error)))
            number = self._keep(lane, rank, request)
            if fingerprint is not None:
                self._seen.withhold(number, fingerprint)
            return PushResult.MEMORY_ONLY
        self._write(lane, rank, request, encoded, fingerprints=() if fingerprint is None else (fingerprint,))
        return PushResult.MEMORY_ONLY if self._writer.faulty else PushResult.KEPT

    def head(self, lane: str) -> Rank | None:
        state = self._lanes.get(lane)
        head = None if state is None else state.head
        return None if head is None else head[:2]

    def ready(self, lane: str) -> bool:
        self._load()
        state = self._lanes.get(lane)
        if state is None or self._first(lane, state) is None:
            return False
        self._lanes.used(lane)
        return True

    def peek(self, lane: str) -> Request:
        return self._known_first(lane)[1]

    def fetch(self, lanes: Collection[str]) -> Future[None]:
        self._load()
        wanted = self._lanes.wanted(lanes)
        rows = max(1, min(_FETCH_ROWS, self._lanes.buffer) // max(len(wanted), 1))
        return self._writer.ask(Wanted(wanted, rows, frozenset(lanes)))

    def pop(self, lane: str) -> Entry:
        item, request = self._known_first(lane)
        priority, place, number, _, pops, on_disk = item
        self._lanes.pop(lane, 0)
        if on_disk:
            with self._writer.lock:
                self._writer.batch.popped.add(number)
        self._writer.hand_over_if_full()
        return Entry(lane, (priority, place), request, pops + 1, on_disk, number)

    def memory_only(self, lane: str) -> int:
        state = self._lanes.get(lane)
        return 0 if state is None else state.memory_only

    def pop_memory_only(self, lane: str) -> Entry:
        for at, (priority, place, number, request, pops, on_disk) in enumerate(self._lanes[lane].items or ()):
            if not on_disk and not isinstance(request, bytes):
                self._lanes.pop(lane, at)
                return Entry(lane, (priority, place), request, pops + 1, False, number)
        raise LookupError(f"all of {lane} is on disk")

    def may_send(self, entry: Entry) -> bool:
        return True

    def mark_sent(self, entry: Entry) -> Future[None]:
        own, request = cast("int", entry.id), entry.request
        if not entry.kept and own not in self._outdated:
            # In place of what cannot be written: after a crash it is only to be told of.
            bare = Request(request.url, method=request.method, headers=request.headers, body=request.body)
            self._outdated[own] = number = self._new_number()
            row = (number, self._lanes[entry.lane].number, *entry.rank, 0, self._codec.encode(bare, self._spider))
            with self._writer.lock:
                batch = self._writer.batch
                batch.pushed[number] = row
                batch.popped.add(number)
                batch.visited += self._seen.withheld_of(own)
        return self.flush()

    def done(self, entry: Entry) -> None:
        number = self._number_on_disk(entry)
        with self._writer.lock:
            if number is not None:
                self._writer.batch.forget(number)
            self._writer.batch.visited += self._seen.withheld_of(cast("int", entry.id))
        self._lanes.landed(entry.lane)
        self._writer.hand_over_if_full()

    def give_back(self, entry: Entry, rank: Rank) -> None:
        number, request, pops = self._number_on_disk(entry), entry.request, entry.pops - 1
        fingerprints = self._seen.withheld_of(cast("int", entry.id))
        try:
            encoded = self._codec.encode(request, self._spider)
        except ValueError:
            kept = self._keep(entry.lane, rank, request, pops)
            if number is not None:
                self._outdated[kept] = number
            for fingerprint in fingerprints:
                self._seen.withhold(kept, fingerprint)
        else:
            self._write(entry.lane, rank, request, encoded, pops, replaced=number, fingerprints=fingerprints)
        self._lanes.landed(entry.lane)

    @property
    def behind(self) -> bool:
        return self._writer.behind

    def __len__(self) -> int:
        return self._lanes.length

    def count(self, lane: str) -> int:
        state = self._lanes.get(lane)
        return 0 if state is None else state.count

    def lanes(self) -> Iterator[str]:
        return self._lanes.names()

    # What was visited

    def has_seen(self, fingerprint: bytes) -> bool:
        return fingerprint in self._seen

    def mark_seen(self, fingerprint: bytes) -> None:
        self._seen.add(fingerprint)
        with self._writer.lock:
            self._writer.batch.visited.append(fingerprint)

    @property
    def visited_count(self) -> int:
        return self._seen.count

    def _new_number(self) -> int:
        self._next_number += 1
        return self._next_number - 1

    def _number_on_disk(self, entry: Entry) -> int | None:
        own = cast("int", entry.id)
        return own if entry.kept else self._outdated.pop(own, None)

    def _keep(self, name: str, rank: Rank, request: Request, pops: int = 0) -> int:
        """In memory alone; its number."""
        number = self._new_number()
        self._lanes.keep(name, self._lanes.lane(name), (*rank, number, request, pops, False))
        return number

    def _write(
        self,
        name: str,
        rank: Rank,
        request: Request,
        encoded: bytes,
        pops: int = 0,
        *,
        replaced: int | None = None,
        fingerprints: Collection[bytes] = (),
    ) -> None:
        """`replaced` is the number of what it was on disk before: there it stays as popped until this is written."""
        number, lane = self._new_number(), self._lanes.lane(name)
        with self._writer.lock:
            batch = self._writer.batch
            batch.pushed[number] = (number, lane.number, *rank, pops, encoded)
            if replaced is not None:
                batch.forget(replaced)
            batch.visited += fingerprints
        kept = request if template_of(request) is None else encoded
        self._lanes.place(name, lane, (*rank, number, kept, pops, True))
        self._writer.hand_over_if_full()

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
                self._events.append(DeadLetter("", "", why))
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

    def _load(self) -> None:
        """What was fetched. Not within `pop` and `peek`: what is ready must stay so, and this may take its place."""
        while self._writer.fetched:
            self._lanes.load(self._writer.fetched.popleft())

    def _report(self, error: FrontierError) -> None:
        self._events.append(QueueFailed(error))
