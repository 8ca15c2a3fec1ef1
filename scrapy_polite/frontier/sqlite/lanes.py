"""The lanes of the queue's file: the best requests of each are in memory, those from its `horizon` on on disk alone."""

from __future__ import annotations

from bisect import insort
from collections import OrderedDict
from typing import TYPE_CHECKING

from scrapy_polite.frontier.queue import LaneState

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterator
    from typing import TypeAlias

    from scrapy import Request

    from scrapy_polite.frontier.sqlite.writer import Fetched, Writer

Key: TypeAlias = "tuple[int, int, int]"
"""Rank and number: no two requests have the same."""
Item: TypeAlias = "tuple[int, int, int, Request | bytes, int, bool]"
"""Key, request (still encoded: as it came from disk), how often it was popped, whether it is on disk."""

_STATES = (
    "SELECT name, lane, requests, priority, place, head.id FROM lanes JOIN "
    "(SELECT lane AS number, count(*) AS requests FROM requests GROUP BY lane) ON number = lanes.id JOIN "
    "requests AS head ON head.id = "
    "(SELECT id FROM requests WHERE lane = number ORDER BY priority, place, id LIMIT 1)"
)


class BufferedLane:
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

    @property
    def count(self) -> int:
        return len(self.items or ()) + self.on_disk

    @property
    def head(self) -> Key | None:
        best = self.items[0][:3] if self.items else self.horizon
        if best is not None and self.horizon is not None and self.horizon < best:
            return self.horizon
        return best

    @property
    def first(self) -> Item | None:
        """The head, if it is in memory."""
        if self.items and (self.horizon is None or self.items[0][:3] < self.horizon):
            return self.items[0]
        return None


class BufferedLanes:
    """All lanes that are not empty. `buffer` bounds the requests in memory that are on disk as well."""

    def __init__(self, writer: Writer, buffer: int) -> None:
        self.buffer = buffer
        #: Requests queued, in memory or on disk.
        self.length = 0
        #: Requests in memory that are on disk too.
        self.held = 0
        #: Requests that are popped.
        self.in_flight = 0
        self._writer = writer
        self._lanes: dict[str, BufferedLane] = {}
        self._loaded: OrderedDict[str, None] = OrderedDict()  # lanes with items, those loaded last at the end
        self._next_number = 1

    def read(self, db: sqlite3.Connection) -> list[LaneState]:
        """The lanes that an earlier run has left."""
        states = []
        for name, number, requests, priority, place, head in db.execute(_STATES):
            self._lanes[name] = BufferedLane(number, (priority, place, head), requests)
            self.length += requests
            states.append(LaneState(name, (priority, place), requests))
        self._next_number = 1 + db.execute("SELECT coalesce(max(id), 0) FROM lanes").fetchone()[0]
        return states

    def __getitem__(self, name: str) -> BufferedLane:
        return self._lanes[name]

    def get(self, name: str) -> BufferedLane | None:
        return self._lanes.get(name)

    def names(self) -> Iterator[str]:
        return (name for name, lane in self._lanes.items() if lane.items or lane.on_disk)

    def lane(self, name: str) -> BufferedLane:
        """The lane of this name; a new one is written with the batch."""
        lane = self._lanes.get(name)
        if lane is None:
            lane = self._lanes[name] = BufferedLane(self._next_number)
            self._next_number += 1
            with self._writer.lock:
                self._writer.batch.lanes[lane.number] = name
        return lane

    def used(self, name: str) -> None:
        """It is the last to be moved to disk."""
        self._loaded.move_to_end(name)

    def place(self, name: str, lane: BufferedLane, item: Item) -> None:
        """A request that is on disk, or will be: into memory, or beyond the horizon."""
        self.length += 1
        key = item[:3]
        if self._writer.faulty or lane.fetching:
            self._insert(name, lane, item)
        elif lane.horizon is not None and key > lane.horizon:
            lane.on_disk += 1
        elif self.held < self.buffer:
            self._insert(name, lane, item)
        elif not lane.items or key > lane.items[-1][:3]:
            lane.on_disk += 1
            lane.horizon = key
        else:
            self._insert(name, lane, item)
            # Half of them: it takes long to part the items, and there will be more.
            on_disk = [item for item in lane.items if item[5]]
            self._spill(name, lane, on_disk[len(on_disk) // 2][:3])

    def keep(self, name: str, lane: BufferedLane, item: Item) -> None:
        """A request that stays in memory alone."""
        self.length += 1
        self._insert(name, lane, item)

    def remove(self, name: str, at: int) -> None:
        lane = self._lanes[name]
        items = lane.items or []
        on_disk = items.pop(at)[5]
        if not items:
            lane.items = None
            del self._loaded[name]
        self.length -= 1
        self.held -= on_disk
        lane.memory_only -= not on_disk

    def pop(self, name: str, at: int) -> None:
        """A request is in flight."""
        self.remove(name, at)
        self._lanes[name].in_flight += 1
        self.in_flight += 1

    def landed(self, name: str) -> None:
        """A request that was popped is done, or given back."""
        lane = self._lanes[name]
        lane.in_flight -= 1
        self.in_flight -= 1
        self.drop_if_empty(name, lane)

    def drop_if_empty(self, name: str, lane: BufferedLane) -> None:
        if not lane.empty:
            return
        del self._lanes[name]
        with self._writer.lock:
            if self._writer.batch.lanes.pop(lane.number, None) is None:
                self._writer.batch.dead_lanes.append(lane.number)

    def wanted(self, names: Collection[str]) -> dict[str, tuple[int, int, int, int]]:
        """Of these lanes those whose head is on disk alone, with number and horizon: they are being fetched now."""
        wanted: dict[str, tuple[int, int, int, int]] = {}
        for name in names:
            lane = self._lanes.get(name)
            if lane is None or lane.horizon is None or lane.fetching:
                continue
            if not lane.items or lane.items[0][:3] > lane.horizon:
                lane.fetching = True
                wanted[name] = (lane.number, *lane.horizon)
        return wanted

    def load(self, fetched: Fetched) -> None:
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
                self.held += len(new)
                lane.on_disk -= len(new)
            if len(rows) > wanted.rows:
                number, priority, place, *_ = rows[-1]
                lane.horizon = (priority, place, number)
                self._spill(name, lane, lane.horizon)
            else:
                # Should the file hold less than was counted, the crawl must not wait for it.
                self.length -= lane.on_disk
                lane.on_disk = 0
                lane.horizon = None
                self.drop_if_empty(name, lane)
        self._make_room(wanted.asked)

    def _insert(self, name: str, lane: BufferedLane, item: Item) -> None:
        if not lane.items:
            lane.items = [item]
            self._loaded[name] = None
        else:
            insort(lane.items, item)
        self.held += item[5]
        lane.memory_only += not item[5]

    def _spill(self, name: str, lane: BufferedLane, horizon: Key) -> None:
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
        self.held -= len(spilled)
        first = spilled[0][:3]
        lane.horizon = first if lane.horizon is None else min(lane.horizon, first)

    def _make_room(self, keep: Collection[str]) -> None:
        if self._writer.faulty:
            return
        for _ in range(len(self._loaded)):
            if self.held <= self.buffer:
                return
            name = next(iter(self._loaded))
            lane = self._lanes[name]
            self._loaded.move_to_end(name)
            if name not in keep and not lane.fetching and lane.items:
                self._spill(name, lane, lane.items[0][:3])
