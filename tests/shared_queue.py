"""A queue that several crawls of one process share: what a backend on a server would do, without the server.

Nothing that is pushed is queued before the pusher reads its events, and all answers come among these.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter
from concurrent.futures import Future
from itertools import count
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeVar, cast

from scrapy_polite.frontier.queue import (
    Duplicate,
    Entry,
    FrontierError,
    HostCame,
    HostWanted,
    LaneCame,
    LaneState,
    LaneWent,
    PushResult,
    QueueEvent,
    Rank,
    Totals,
)

if TYPE_CHECKING:
    from collections.abc import Collection

    from scrapy import Request

T = TypeVar("T")
Item = tuple[Rank, int, "Request", int]


class Job:
    """The server's side: lanes by host, who has a host under which fence, what is in flight, who is at the start."""

    def __init__(self) -> None:
        self.hosts: dict[str, dict[str, list[Item]]] = {}
        self.owners: dict[str, SharedQueue] = {}
        self.fences: Counter[str] = Counter()
        self.in_flight: dict[tuple[str, int], tuple[str, Item]] = {}
        self.seen: set[bytes] = set()
        self.numbers = count()
        self.starts: list[tuple[SharedQueue, Future[bool]]] = []
        self.started = False
        self.notes: dict[str, bytes] = {}
        #: Hosts that were released for longer than anybody claims ahead: for another run.
        self.left: set[str] = set()

    def queued(self) -> int:
        return self.queued_at(set(self.hosts))

    def queued_at(self, hosts: set[str]) -> int:
        return sum(len(items) for host in hosts for items in self.hosts[host].values())

    def add(self, host: str, lane: str, item: Item) -> None:
        items = self.hosts.setdefault(host, {}).setdefault(lane, [])
        insort(items, item, key=itemgetter(0, 1))
        if host in self.owners:
            self.owners[host].told.append(LaneCame(LaneState(lane, items[0][0], 1)))

    def give(self, host: str, owner: SharedQueue) -> None:
        self.owners[host] = owner
        self.fences[host] += 1
        owner.told.append(HostCame(host, self.notes.get(host, b"")))
        for lane, items in self.hosts[host].items():
            owner.told.append(LaneCame(LaneState(lane, items[0][0], len(items))))

    def take_away(self, host: str) -> None:
        """The lease ends: what was in flight is queued again, for whoever claims the host next."""
        owner = self.owners.pop(host)
        self.fences[host] += 1
        for lane, items in self.hosts.get(host, {}).items():
            owner.told.append(LaneWent(lane, len(items)))
        for key in [key for key in self.in_flight if key[0] == host]:
            lane, item = self.in_flight.pop(key)
            self.add(host, lane, item)

    def next_start(self) -> None:
        if self.starts and not self.starts[0][1].done():
            self.starts[0][1].set_result(not self.started)


class SharedQueue:
    """One crawl's side: an implementation of `frontier.queue.Queue`."""

    description = "shared"
    persistent = True
    shared = True
    job = "shared"
    behind = False
    lost = 0

    def __init__(self, server: Job) -> None:
        self._server = server
        self.told: list[QueueEvent] = []
        self.paused = False
        self._outbox: list[tuple[str, str, Item, bytes | None]] = []
        self._closed: Future[None] | None = None
        self._ahead_s = 0.0

    def open(self) -> Future[list[LaneState]]:
        return _done([])

    def begin_start(self) -> Future[bool]:
        future: Future[bool] = Future()
        self._server.starts.append((self, future))
        self._server.next_start()
        return future

    def end_start(self) -> None:
        self._server.started = True
        self._server.starts.pop(0)
        while self._server.starts:
            self._server.next_start()
            self._server.starts.pop(0)

    def die(self) -> None:
        """The process has ended without a word, and its leases have run out."""
        for host in [host for host, owner in self._server.owners.items() if owner is self]:
            self._server.take_away(host)
        self._server.starts = [(owner, future) for owner, future in self._server.starts if owner is not self]
        self._server.next_start()

    @property
    def ended(self) -> bool:
        totals = self.totals()
        queued = self._server.queued_at(set(self._server.hosts) - self._server.left)
        return not self._outbox and not queued and not totals.in_flight and not self._server.starts

    @property
    def quiet(self) -> bool:
        return not self._outbox and not self.told

    def totals(self) -> Totals:
        return Totals(self._server.queued(), len(self._server.in_flight))

    def events(self) -> list[QueueEvent]:
        self.take_up()
        told, self.told = self.told, []
        return told

    def take_up(self) -> None:
        """What was pushed is on the server."""
        outbox, self._outbox = self._outbox, []
        for host, lane, item, fingerprint in outbox:
            if fingerprint is not None and fingerprint in self._server.seen:
                self.told.append(Duplicate(item[2]))
                continue
            if fingerprint is not None:
                self._server.seen.add(fingerprint)
            self._server.add(host, lane, item)

    def news(self) -> Future[None]:
        return Future()  # its crawls look again by themselves

    def close(self) -> Future[None]:
        if self._closed is None:
            self.events()
            self.die()
            self._closed = _done(None)
        return self._closed

    def claim(self, hosts: int, ahead_s: float) -> None:
        self._ahead_s = ahead_s
        taken = {*self._server.owners, *self._server.left}
        free = [host for host, lanes in self._server.hosts.items() if lanes and host not in taken]
        for host in free[:hosts]:
            self._server.give(host, self)

    def note(self, host: str, note: bytes) -> None:
        self._server.notes[host] = note

    def notes(self) -> list[tuple[str, bytes]]:
        return []

    def release(self, host: str, wait_s: float) -> None:
        if self._server.owners.get(host) is self:
            self._server.take_away(host)
            if wait_s > self._ahead_s:
                self._server.left.add(host)

    def push(
        self, lane: str, rank: Rank, request: Request, *, host: str = "", fingerprint: bytes | None = None
    ) -> PushResult:
        self._outbox.append((host, lane, (rank, next(self._server.numbers), request, 0), fingerprint))
        return PushResult.UNKNOWN

    def head(self, lane: str) -> Rank | None:
        items = self._items(lane)
        return items[0][0] if items else None

    def ready(self, lane: str) -> bool:
        return bool(self._items(lane))

    def peek(self, lane: str) -> Request:
        return self._items(lane)[0][2]

    def fetch(self, lanes: Collection[str]) -> Future[None]:
        return _done(None)

    def pop(self, lane: str) -> Entry:
        items = self._items(lane)
        rank, number, request, pops = items.pop(0)
        host = self._host(lane)
        if not items:
            del self._server.hosts[host][lane]
        self._server.in_flight[host, number] = (lane, (rank, number, request, pops + 1))
        return Entry(lane, rank, request, pops + 1, True, (host, number, self._server.fences[host]))

    def memory_only(self, lane: str) -> int:
        return 0

    def pop_memory_only(self, lane: str) -> Entry:
        raise LookupError

    def may_send(self, entry: Entry) -> bool:
        return not self.paused and self._holds(entry)

    def mark_sent(self, entry: Entry) -> Future[None]:
        return _done(None) if self._holds(entry) else _failed("the lease has ended")

    def done(self, entry: Entry) -> None:
        host, number, _ = cast("Any", entry.id)
        if self._holds(entry):
            del self._server.in_flight[host, number]

    def give_back(self, entry: Entry, rank: Rank) -> None:
        host, number, _ = cast("Any", entry.id)
        if self._holds(entry):
            del self._server.in_flight[host, number]
            self._server.add(host, entry.lane, (rank, next(self._server.numbers), entry.request, entry.pops - 1))

    def __len__(self) -> int:
        return sum(
            len(items)
            for host, lanes in self._server.hosts.items()
            if self._server.owners.get(host) is self
            for items in lanes.values()
        )

    def count(self, lane: str) -> int:
        return len(self._items(lane))

    def has_seen(self, fingerprint: bytes) -> bool:
        return False  # this process has no memory of its own

    def mark_seen(self, fingerprint: bytes) -> None:
        self._server.seen.add(fingerprint)

    @property
    def visited_count(self) -> int:
        return len(self._server.seen)

    def want(self, host: str) -> None:
        """Another process is hungry."""
        self.told.append(HostWanted(host))

    def _holds(self, entry: Entry) -> bool:
        host, _, fence = cast("Any", entry.id)
        return bool(self._server.fences[host] == fence)

    def _host(self, lane: str) -> str:
        return next((host for host, lanes in self._server.hosts.items() if lane in lanes), "")

    def _items(self, lane: str) -> list[Item]:
        host = self._host(lane)
        return self._server.hosts[host][lane] if self._server.owners.get(host) is self else []


def _done(answer: T) -> Future[T]:
    future: Future[T] = Future()
    future.set_result(answer)
    return future


def _failed(why: str) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_exception(FrontierError(why))
    return future
