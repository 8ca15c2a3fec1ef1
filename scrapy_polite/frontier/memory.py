"""A queue that ends with the process: a binary heap for each lane that is not empty."""

from __future__ import annotations

from concurrent.futures import Future
from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, TypeVar

from scrapy_polite.frontier.folding import Folding
from scrapy_polite.frontier.queue import Entry, LaneState, PushResult, QueueEvent, Rank, Totals
from scrapy_polite.visited.memory import MemoryVisited

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from scrapy import Request

    from scrapy_polite.frontier.folding import Folded

T = TypeVar("T")


class MemoryQueue:
    """Everything is always ready. An implementation of `frontier.queue.Queue`.

    What was visited is remembered exactly, with an `error_rate` in a Bloom filter.
    """

    description = "memory"
    persistent = False
    shared = False
    job = ""
    behind = False
    lost = 0

    def __init__(self, error_rate: float | None = None) -> None:
        # Flat tuples: nested ones, or entries, take half as much memory again.
        self._heaps: dict[str, list[tuple[int, int, int, Request | Folded]]] = {}
        self._numbers = count()
        self._pops: dict[int, int] = {}  # of the few that were given back, by number
        self._length = 0
        self._in_flight = 0
        self._folding = Folding()
        self._visited = MemoryVisited(error_rate)

    def open(self) -> Future[list[LaneState]]:
        return _done([])

    def begin_start(self) -> Future[bool]:
        return _done(True)

    def end_start(self) -> None:
        """Nobody else waits for it."""

    @property
    def ended(self) -> bool:
        return not self._length

    @property
    def quiet(self) -> bool:
        return True

    @property
    def paused(self) -> bool:
        return False

    def totals(self) -> Totals:
        return Totals(self._length, self._in_flight)

    def events(self) -> Sequence[QueueEvent]:
        return ()

    def news(self) -> Future[None]:
        return Future()  # whatever happens, this process does it

    def close(self) -> Future[None]:
        self._heaps.clear()
        self._pops.clear()
        self._folding.clear()
        self._length = 0
        self._visited.close()
        return _done(None)

    def claim(self, hosts: int, ahead_s: float) -> None:
        """All hosts are here."""

    def release(self, host: str, wait_s: float) -> None:
        """Nobody else could have them."""

    def note(self, host: str, note: bytes) -> None:
        """Nobody comes after this process."""

    def notes(self) -> list[tuple[str, bytes]]:
        return []

    def push(
        self, lane: str, rank: Rank, request: Request, *, host: str = "", fingerprint: bytes | None = None
    ) -> PushResult:
        if fingerprint is not None and self._visited.seen_or_add(fingerprint):
            return PushResult.SEEN
        self._push(lane, rank, next(self._numbers), request)
        return PushResult.MEMORY_ONLY

    def head(self, lane: str) -> Rank | None:
        heap = self._heaps.get(lane)
        return None if heap is None else heap[0][:2]

    def ready(self, lane: str) -> bool:
        return lane in self._heaps

    def fetch(self, lanes: Collection[str]) -> Future[None]:
        return _done(None)

    def peek(self, lane: str) -> Request:
        heap = self._heaps[lane]
        priority, order, number, request = heap[0]
        if isinstance(request, tuple):
            request = self._folding.unfold(request)
            heap[0] = priority, order, number, request
        return request

    def pop(self, lane: str) -> Entry:
        heap = self._heaps[lane]
        request = self.peek(lane)
        priority, order, number, _ = heappop(heap)
        if not heap:
            del self._heaps[lane]
        self._length -= 1
        self._in_flight += 1
        pops = self._pops.pop(number, 0) if self._pops else 0
        return Entry(lane, (priority, order), request, pops + 1, False, None)

    def memory_only(self, lane: str) -> int:
        return self.count(lane)

    def pop_memory_only(self, lane: str) -> Entry:
        return self.pop(lane)

    def may_send(self, entry: Entry) -> bool:
        return True

    def mark_sent(self, entry: Entry) -> Future[None]:
        return _done(None)

    def done(self, entry: Entry) -> None:
        self._in_flight -= 1

    def give_back(self, entry: Entry, rank: Rank) -> None:
        self._in_flight -= 1
        number = next(self._numbers)
        if entry.pops > 1:
            self._pops[number] = entry.pops - 1
        self._push(entry.lane, rank, number, entry.request)

    def __len__(self) -> int:
        return self._length

    def count(self, lane: str) -> int:
        return len(self._heaps.get(lane, ()))

    def has_seen(self, fingerprint: bytes) -> bool:
        return fingerprint in self._visited

    def mark_seen(self, fingerprint: bytes) -> None:
        self._visited.seen_or_add(fingerprint)

    @property
    def visited_count(self) -> int:
        return len(self._visited)

    def _push(self, lane: str, rank: Rank, number: int, request: Request) -> None:
        heap = self._heaps.get(lane)
        if heap is None:
            heap = self._heaps[lane] = []
        heappush(heap, (*rank, number, self._folding.fold(request)))
        self._length += 1


def _done(answer: T) -> Future[T]:
    future: Future[T] = Future()
    future.set_result(answer)
    return future
