"""A queue that ends with the process: a binary heap for each lane that is not empty."""

from __future__ import annotations

from concurrent.futures import Future
from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, TypeVar

from .base import DeadLetter, Entry, LaneState, Rank

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from scrapy import Request

T = TypeVar("T")


class MemoryQueue:
    """Everything is always ready. An implementation of `base.Queue`."""

    description = "memory"
    persistent = False
    behind = False
    lost = 0

    def __init__(self) -> None:
        self.set_aside: list[DeadLetter] = []
        # Flat tuples: nested ones, or entries, take half as much memory again.
        self._heaps: dict[str, list[tuple[int, int, int, Request]]] = {}
        self._numbers = count()
        self._pops: dict[int, int] = {}  # of the few that were given back, by number
        self._length = 0

    def open(self) -> Future[list[LaneState]]:
        return _done([])

    def claim(self, count: int) -> Future[list[LaneState]]:
        return _done([])

    def push(self, lane: str, rank: Rank, request: Request) -> bool:
        self._push(lane, rank, next(self._numbers), request)
        return False

    def head(self, lane: str) -> Rank | None:
        heap = self._heaps.get(lane)
        return None if heap is None else heap[0][:2]

    def ready(self, lane: str) -> bool:
        return lane in self._heaps

    def fetch(self, lanes: Collection[str]) -> Future[None]:
        return _done(None)

    def peek(self, lane: str) -> Request:
        return self._heaps[lane][0][3]

    def pop(self, lane: str) -> Entry:
        heap = self._heaps[lane]
        priority, order, number, request = heappop(heap)
        if not heap:
            del self._heaps[lane]
        self._length -= 1
        pops = self._pops.pop(number, 0) if self._pops else 0
        return Entry(lane, (priority, order), request, None, pops + 1)

    def memory_only(self, lane: str) -> int:
        return self.count(lane)

    def pop_memory_only(self, lane: str) -> Entry:
        return self.pop(lane)

    def mark_sent(self, entry: Entry) -> Future[None]:
        return _done(None)

    def done(self, entry: Entry) -> None:
        """Nothing to do: what was popped is not held."""

    def give_back(self, entry: Entry, rank: Rank) -> None:
        number = next(self._numbers)
        if entry.pops > 1:
            self._pops[number] = entry.pops - 1
        self._push(entry.lane, rank, number, entry.request)

    def __len__(self) -> int:
        return self._length

    def count(self, lane: str) -> int:
        return len(self._heaps.get(lane, ()))

    def lanes(self) -> Iterator[str]:
        return iter(self._heaps)

    def flush(self) -> Future[None]:
        return _done(None)

    def close(self) -> None:
        self._heaps.clear()
        self._pops.clear()
        self._length = 0

    def _push(self, lane: str, rank: Rank, number: int, request: Request) -> None:
        heap = self._heaps.get(lane)
        if heap is None:
            heap = self._heaps[lane] = []
        heappush(heap, (*rank, number, request))
        self._length += 1


def _done(answer: T) -> Future[T]:
    future: Future[T] = Future()
    future.set_result(answer)
    return future
