"""Which lane goes next: the one with the best head among those whose gate is open, ties to the one waiting longest.

Two levels of heaps, as Mercator's (Heydon and Najork 1999, §3.2): a gate ranks its lanes, the schedule ranks the gates.
A lane or gate that cannot go is in neither, so a step costs O(log n), however many are closed. Entries that have been
overtaken by events stay in their heap until they come up, and are known by not being their owner's present one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from heapq import heapify, heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

if TYPE_CHECKING:
    from scrapy_polite.frontier.base import Rank
    from scrapy_polite.pacing.gate import Gate


class Lane:
    """The queue of one origin, as the schedule sees it: its gate, and the rank of its head while it may be picked.

    `turn` says since when it waits, as a number that only grows. `closed_until` is set while something other than its
    gate keeps it closed.
    """

    __slots__ = ("_closing", "_entry", "_index", "_line", "closed_until", "gate", "name", "turn")

    def __init__(self, name: str, gate: Gate) -> None:
        self.name = name
        self.gate = gate
        self.turn = 0
        self.closed_until = 0.0
        self._entry: _Entry | None = None
        self._closing: tuple[float, int, Any] | None = None
        self._line: _Line | None = None
        self._index = 0


_L = TypeVar("_L", bound=Lane)
_Entry = tuple[int, int, Any]  # (-priority, turn, lane): turns are all different


class _Line:
    """The lanes of one gate, and in a heap those of them that may be picked once it is open."""

    __slots__ = ("entry", "gate", "heap", "lanes", "shut", "shut_since")

    def __init__(self, gate: Gate) -> None:
        self.gate = gate
        self.heap: list[_Entry] = []
        self.lanes: list[Lane] = []
        self.shut_since = 0.0
        #: Where this line stands: in the heap of ready ones, of shut ones, or in neither (None in both).
        self.entry: tuple[int, int, _Line] | None = None
        self.shut: tuple[float, int, _Line] | None = None

    def best(self) -> _Entry | None:
        heap = self.heap
        while heap and heap[0][2]._entry is not heap[0]:
            heappop(heap)
        return heap[0] if heap else None


class Schedule(Generic[_L]):
    """Every lane is in exactly one of three states: it may be picked (`put`), is set aside until it is put again, or
    is closed until a time. The owner puts a lane whenever its head has changed."""

    def __init__(self) -> None:
        self._lines: dict[str, _Line] = {}
        self._ready: list[tuple[int, int, _Line]] = []
        self._shut: list[tuple[float, int, _Line]] = []
        self._closed: list[tuple[float, int, Any]] = []
        self._turns = count()

    def add(self, lane: _L) -> None:
        """A new lane. It waits from now on, and is set aside until it is put."""
        lane.turn = next(self._turns)
        self._join(lane)

    def put(self, lane: _L, head: Rank) -> None:
        """`lane` may be picked from now on, with `head` as the rank of its first request."""
        lane._closing = None
        lane.closed_until = 0.0
        lane._entry = entry = (head[0], lane.turn, lane)
        line = self._line(lane)
        heappush(line.heap, entry)
        if len(line.heap) > 2 * len(line.lanes) + 8:
            line.heap = [e for e in line.heap if e[2]._entry is e]
            heapify(line.heap)
        if line.shut is None and (line.entry is None or entry[:2] < line.entry[:2]):
            self._rank(line)

    def served(self, lane: _L) -> None:
        """Its head has been popped: it goes to the end of those of its priority, and is set aside until it is put."""
        lane.turn = next(self._turns)
        self.set_aside(lane)

    def set_aside(self, lane: _L) -> None:
        """`lane` is not to be picked until it is put again; it keeps its turn."""
        lane._entry = lane._closing = None
        lane.closed_until = 0.0
        line = self._line(lane)
        if line.shut is None:
            self._rank(line)

    def close(self, lane: _L, until: float) -> None:
        """`lane` comes up in `due` at `until` (epoch seconds), set aside until then, whatever its gate says."""
        self.set_aside(lane)
        lane.closed_until = until
        lane._closing = (until, lane.turn, lane)
        heappush(self._closed, lane._closing)

    def due(self, now: float) -> Iterator[_L]:
        """The lanes whose closing ends by `now`, each once; they are set aside."""
        while self._closed and (self._closed[0][0] <= now or self._closed[0][2]._closing is not self._closed[0]):
            entry = heappop(self._closed)
            lane = entry[2]
            if lane._closing is entry:
                lane._closing = None
                lane.closed_until = 0.0
                yield cast("_L", lane)

    def remove(self, lane: _L) -> None:
        """Forget a lane that has nothing queued any more."""
        self.set_aside(lane)
        self._part(lane)

    def move(self, lane: _L, gate: Gate) -> None:
        """`lane` belongs to another gate from now on. It is set aside until it is put."""
        self.remove(lane)
        lane.gate = gate
        self._join(lane)

    def moved(self, gate: Gate) -> None:
        """Something about `gate` has changed: it may be open, or open earlier or later, than was thought."""
        line = self._lines.get(gate.key)
        if line is not None:
            line.shut = None
            self._rank(line)

    def pick(self, now: float) -> _L | None:
        """The lane to go next; it stays where it is until it is served, set aside or closed. None: nothing may go."""
        self._open(now)
        while ready := self._ready:
            entry = ready[0]
            line = entry[2]
            best = line.best() if line.entry is entry else None
            if best is None:
                heappop(ready)
                if line.entry is entry:
                    line.entry = None
                continue
            if entry[:2] != best[:2]:
                heappop(ready)
                self._rank(line)
                continue
            gate = line.gate
            if gate.full:
                heappop(ready)
                line.entry = None  # `moved` brings it back
                continue
            opens_at = gate.opens_at(now)
            if opens_at > now:
                heappop(ready)
                self._shut_until(line, opens_at, now)
                continue
            return cast("_L", best[2])
        return None

    def wake_at(self) -> float:
        """When the first gate or lane opens (epoch seconds); infinite where none is waiting for a time."""
        while self._shut and self._shut[0][2].shut is not self._shut[0]:
            heappop(self._shut)
        while self._closed and self._closed[0][2]._closing is not self._closed[0]:
            heappop(self._closed)
        return min(
            self._shut[0][0] if self._shut else math.inf,
            self._closed[0][0] if self._closed else math.inf,
        )

    def pass_over(self, lane: _L) -> None:
        """The gate of `lane`, which was picked, is not open after all: it is looked at again when it has `moved`."""
        self._line(lane).entry = None

    def waited_s(self, lane: _L, now: float) -> float:
        """For how long the gate of `lane`, which is to be served, has kept its lanes; 0 where it was open."""
        line = self._line(lane)
        since, line.shut_since = line.shut_since, 0.0
        return now - since if since else 0.0

    def lanes_at(self, key: str) -> list[_L]:
        """The lanes of one gate."""
        line = self._lines.get(key)
        return cast("list[_L]", list(line.lanes)) if line else []

    def __len__(self) -> int:
        """The number of gates that lanes wait at."""
        return len(self._lines)

    def __iter__(self) -> Iterator[Gate]:
        for line in self._lines.values():
            yield line.gate

    def _join(self, lane: Lane) -> None:
        line = self._lines.get(lane.gate.key)
        if line is None:
            line = self._lines[lane.gate.key] = _Line(lane.gate)
        lane._index = len(line.lanes)
        line.lanes.append(lane)
        lane._line = line

    def _part(self, lane: Lane) -> None:
        line = self._line(lane)
        last = line.lanes.pop()
        if last is not lane:
            line.lanes[lane._index] = last
            last._index = lane._index
        lane._line = None
        if not line.lanes:
            self._lines.pop(line.gate.key, None)

    @staticmethod
    def _line(lane: Lane) -> _Line:
        line = lane._line
        if line is None:
            raise LookupError(f"lane {lane.name} has been removed")
        return line

    def _rank(self, line: _Line) -> None:
        best = line.best()
        if best is None:
            line.entry = None
            return
        if line.entry is None or line.entry[:2] != best[:2]:
            line.entry = (best[0], best[1], line)
            heappush(self._ready, line.entry)
            if len(self._ready) > 2 * len(self._lines) + 64:
                self._ready = [entry for entry in self._ready if entry[2].entry is entry]
                heapify(self._ready)

    def _shut_until(self, line: _Line, opens_at: float, now: float) -> None:
        line.entry = None
        line.shut_since = line.shut_since or now
        line.shut = (opens_at, next(self._turns), line)
        heappush(self._shut, line.shut)
        if len(self._shut) > 2 * len(self._lines) + 64:
            self._shut = [entry for entry in self._shut if entry[2].shut is entry]
            heapify(self._shut)

    def _open(self, now: float) -> None:
        while self._shut and self._shut[0][0] <= now:
            entry = heappop(self._shut)
            line = entry[2]
            if line.shut is entry:
                line.shut = None
                self._rank(line)
