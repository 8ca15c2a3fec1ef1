"""Which lane goes next: the one with the best head among those whose gate is open, ties to the one waiting longest.

Two levels of heaps, as Mercator's (Heydon and Najork 1999, §3.2): a gate ranks its lanes, the schedule ranks the gates.
A lane or gate that cannot go is in neither, so a step costs O(log n), however many are closed. Entries that have been
overtaken by events stay in their heap until they come up, and are known by not being their owner's present one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from heapq import heapify, heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

if TYPE_CHECKING:
    from scrapy_polite.frontier.queue import Rank
    from scrapy_polite.pacing.gate import Gate


class Lane:
    """The queue of one origin, as the schedule sees it: its gate, and the rank of its head while it may be picked.

    `turn` says since when it waits, as a number that only grows. `closed_until` is set while something other than its
    gate keeps it closed.
    """

    __slots__ = ("_aside", "_entry", "_index", "_line", "closed_until", "gate", "name", "turn")

    def __init__(self, name: str, gate: Gate) -> None:
        self.name = name
        self.gate = gate
        self.turn = 0
        self.closed_until = 0.0
        self._entry: _Entry | None = None
        #: Where it stands while it may not be picked: in the heap of closed lanes, of those lined up, or in neither.
        self._aside: tuple[float, int, Any] | None = None
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
    """Every lane is in exactly one of four states: it may be picked (`put`), is set aside until it is put again, is
    closed until a time, or stands in a line of its own, by rank (`wait_for_slot`). The owner puts a lane whenever its
    head has changed."""

    def __init__(self) -> None:
        self._lines: dict[str, _Line] = {}
        self._ready: list[tuple[int, int, _Line]] = []
        self._shut: list[tuple[float, int, _Line]] = []
        self._closed: list[tuple[float, int, Any]] = []
        self._lined_up: list[_Entry] = []
        self._turns = count()
        self._lane_count = 0

    def add(self, lane: _L) -> None:
        """A new lane. It waits from now on, and is set aside until it is put."""
        lane.turn = next(self._turns)
        self._join(lane)

    def put(self, lane: _L, head: Rank) -> None:
        """`lane` may be picked from now on, with `head` as the rank of its first request."""
        lane._aside = None
        lane.closed_until = 0.0
        lane._entry = entry = (head[0], lane.turn, lane)
        line = self._line(lane)
        line.heap = _pushed(line.heap, entry, len(line.lanes), lambda e: e[2]._entry is e)
        if line.shut is None and (line.entry is None or entry[:2] < line.entry[:2]):
            self._rank(line)

    def served(self, lane: _L) -> None:
        """Its head has been popped: it goes to the end of those of its priority, and is set aside until it is put."""
        lane.turn = next(self._turns)
        self.set_aside(lane)

    def set_aside(self, lane: _L) -> None:
        """`lane` is not to be picked until it is put again; it keeps its turn."""
        # Its line keeps its place: too good a one is put right when it comes up.
        lane._entry = lane._aside = None
        lane.closed_until = 0.0

    def close(self, lane: _L, until: float) -> None:
        """`lane` comes up in `due` at `until` (epoch seconds), set aside until then, whatever its gate says."""
        self.set_aside(lane)
        lane.closed_until = until
        lane._aside = entry = (until, lane.turn, lane)
        self._closed = _pushed(self._closed, entry, self._lane_count, _is_aside)

    def due(self, now: float) -> Iterator[_L]:
        """The lanes whose closing ends by `now`, each once; they are set aside."""
        while self._closed and (self._closed[0][0] <= now or not _is_aside(self._closed[0])):
            entry = heappop(self._closed)
            lane = entry[2]
            if lane._aside is entry:
                lane._aside = None
                lane.closed_until = 0.0
                yield cast("_L", lane)

    def wait_for_slot(self, lane: _L, head: Rank) -> None:
        """`lane` comes up in `next_waiting`, and is set aside until then."""
        self.set_aside(lane)
        lane._aside = entry = (head[0], lane.turn, lane)
        self._lined_up = _pushed(self._lined_up, entry, self._lane_count, _is_aside)

    @property
    def has_waiting(self) -> bool:
        """Whether there may be a lane for `next_waiting`."""
        return bool(self._lined_up)

    def next_waiting(self) -> _L | None:
        """The first of the lanes that were lined up; it is set aside. None: there is none."""
        while self._lined_up:
            entry = heappop(self._lined_up)
            lane = entry[2]
            if lane._aside is entry:
                lane._aside = None
                return cast("_L", lane)
        return None

    def remove(self, lane: _L) -> None:
        """Forget a lane that has nothing queued any more."""
        self.set_aside(lane)
        self._part(lane)

    def move(self, lane: _L, gate: Gate) -> None:
        """`lane` belongs to another gate from now on. It is set aside until it is put."""
        self.remove(lane)
        lane.turn = next(self._turns)  # an entry of its old gate may still be about, and all turns are different
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
        while self._shut and not _is_shut(self._shut[0]):
            heappop(self._shut)
        while self._closed and not _is_aside(self._closed[0]):
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

    def has_lanes_at(self, key: str) -> bool:
        return key in self._lines

    def lanes_at(self, key: str) -> list[_L]:
        """The lanes of one gate."""
        line = self._lines.get(key)
        return cast("list[_L]", list(line.lanes)) if line else []

    def __len__(self) -> int:
        """The number of gates that lanes wait at."""
        return len(self._lines)

    def keys(self) -> list[str]:
        """The keys of these gates."""
        return list(self._lines)

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
        self._lane_count += 1

    def _part(self, lane: Lane) -> None:
        line = self._line(lane)
        last = line.lanes.pop()
        if last is not lane:
            line.lanes[lane._index] = last
            last._index = lane._index
        lane._line = None
        self._lane_count -= 1
        if not line.lanes:
            line.entry = line.shut = None
            del self._lines[line.gate.key]

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
            self._ready = _pushed(self._ready, line.entry, len(self._lines), lambda e: e[2].entry is e)

    def _shut_until(self, line: _Line, opens_at: float, now: float) -> None:
        line.entry = None
        line.shut_since = line.shut_since or now
        line.shut = (opens_at, next(self._turns), line)
        self._shut = _pushed(self._shut, line.shut, len(self._lines), _is_shut)

    def _open(self, now: float) -> None:
        while self._shut and self._shut[0][0] <= now:
            entry = heappop(self._shut)
            line = entry[2]
            if line.shut is entry:
                line.shut = None
                self._rank(line)


def _is_aside(entry: tuple[float, int, Any]) -> bool:
    return entry[2]._aside is entry


def _is_shut(entry: tuple[float, int, _Line]) -> bool:
    return entry[2].shut is entry


_E = TypeVar("_E", bound=tuple[float, int, Any])


def _pushed(heap: list[_E], entry: _E, owners: int, counts: Callable[[_E], bool]) -> list[_E]:
    """`heap` with `entry`; without those that no longer count as soon as they are the most."""
    heappush(heap, entry)
    if len(heap) <= 2 * owners + 8:
        return heap
    heap = [entry for entry in heap if counts(entry)]
    heapify(heap)
    return heap
