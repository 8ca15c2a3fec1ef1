"""The lanes of the hosts that are leased to this process: some of their requests are here, of others it is known how
many the server has."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

from scrapy_polite.frontier.queue import LaneState
from scrapy_polite.frontier.redis import names

if TYPE_CHECKING:
    from scrapy import Request

    from scrapy_polite.frontier.queue import Rank
    from scrapy_polite.frontier.redis.names import QueueClass

#: More than any call brings of one queue.
_CHUNK = 10_000


@dataclass(slots=True)
class Item:
    """A request that is here. `number`: of the server, 0 where it cannot be written and is here alone.

    `request` is None until the `body` has been read. `deaths`: processes that have died while it was in flight.
    """

    number: int
    host: str
    queue: bytes
    body: bytes
    deaths: int
    request: Request | None = None

    @property
    def is_here_alone(self) -> bool:
        return not self.number


def items_from(host: str, queue: bytes, rows: Iterable[tuple[int, bytes]]) -> list[Item]:
    """`rows`: numbers and bodies. A body begins with how many processes have died with it."""
    return [Item(number, host, queue, body[1:], int(body[:1]) if body[:1].isdigit() else 0) for number, body in rows]


class _Lane:
    """`items` is a heap; `remote` how many the server has in each of the lane's queues, by host and name."""

    __slots__ = ("items", "remote")

    def __init__(self) -> None:
        self.items: list[tuple[int, int, int, Item]] = []
        self.remote: dict[tuple[str, bytes], int] = {}

    @property
    def count(self) -> int:
        return len(self.items) + sum(self.remote.values())

    def best_remote(self) -> QueueClass | None:
        return min((names.read(host, queue).cls for host, queue in self.remote), default=None)


class _Host:
    __slots__ = ("in_flight", "lanes")

    def __init__(self) -> None:
        self.lanes: set[str] = set()
        self.in_flight = 0


class LeasedLanes:
    """`hosts` are those that are leased. Requests that cannot be written have no part in leases."""

    def __init__(self) -> None:
        self.length = 0
        #: Requests here that the server has handed out.
        self.held = 0
        self.hosts: dict[str, _Host] = {}
        #: Hosts of which nothing is queued or in flight, and since when.
        self.empty: OrderedDict[str, float] = OrderedDict()
        self._lanes: dict[str, _Lane] = {}
        self._chunks = 0

    # What is there

    def head(self, name: str) -> Rank | None:
        lane = self._lanes.get(name)
        if lane is None:
            return None
        remote = lane.best_remote()
        if lane.items:
            priority, place, *_ = lane.items[0]
            if remote is None or (priority, place) <= remote[:2]:
                return names.rank_at(priority, place)
        return None if remote is None else remote.rank

    def first(self, name: str) -> Item | None:
        """The head, if it is here."""
        lane = self._lanes.get(name)
        if lane is None or not lane.items:
            return None
        remote = lane.best_remote()
        return lane.items[0][3] if remote is None or lane.items[0][:2] <= remote[:2] else None

    def first_rank(self, name: str) -> Rank:
        priority, place, *_ = self._lanes[name].items[0]
        return names.rank_at(priority, place)

    def count(self, name: str) -> int:
        lane = self._lanes.get(name)
        return 0 if lane is None else lane.count

    def here_alone(self, name: str) -> int:
        lane = self._lanes.get(name)
        return 0 if lane is None else sum(entry[3].is_here_alone for entry in lane.items)

    def wanted(self, name: str) -> list[tuple[str, bytes]]:
        """The queues of a lane that have its best requests, where these are not here."""
        lane = self._lanes.get(name)
        if lane is None or not lane.remote or self.first(name) is not None:
            return []
        best = lane.best_remote()
        return [key for key in lane.remote if names.read(*key).cls[:2] == (best or ())[:2]]

    def short(self, name: str, below: int) -> list[tuple[str, bytes]]:
        """The same where fewer than so many are here, and the server has more of their class."""
        lane = self._lanes.get(name)
        if lane is None or not lane.remote or len(lane.items) >= below:
            return []
        best = lane.best_remote()
        return [key for key in lane.remote if names.read(*key).cls[:2] == (best or ())[:2]]

    def items_of(self, host: str) -> list[Item]:
        """A host's requests that are here, in order."""
        lanes = [self._lanes[name] for name in self.hosts[host].lanes if name in self._lanes]
        return [entry[3] for lane in lanes for entry in sorted(lane.items) if entry[3].host == host]

    def numbers(self) -> Iterator[int]:
        return (entry[3].number for lane in self._lanes.values() for entry in lane.items)

    # What the server says

    def lease(self, host: str) -> None:
        self.hosts.setdefault(host, _Host())

    def set_remote(self, host: str, queue: bytes, count: int) -> tuple[str, int]:
        """The server has so many in a queue; the lane, and how many more that is than was known."""
        name = names.read(host, queue).lane
        lane = self._lane(host, name)
        before = lane.remote.get((host, queue), 0)
        if count:
            lane.remote[host, queue] = count
        else:
            lane.remote.pop((host, queue), None)
        self.length += count - before
        if not count:
            self._forget_if_empty(name)
        return name, count - before

    def more(self, host: str, queue: bytes) -> str:
        name = names.read(host, queue).lane
        remote = self._lane(host, name).remote
        remote[host, queue] = remote.get((host, queue), 0) + 1
        self.length += 1
        return name

    def queues(self, host: str) -> set[bytes]:
        """The queues of a host that are known not to be empty."""
        return {
            queue
            for name in self.hosts[host].lanes
            if (lane := self._lanes.get(name)) is not None
            for at, queue in lane.remote
            if at == host
        }

    def remote(self, host: str, queue: bytes) -> int:
        lane = self._lanes.get(names.read(host, queue).lane)
        return 0 if lane is None else lane.remote.get((host, queue), 0)

    def add(self, items: Sequence[Item]) -> None:
        """Requests of one queue, in order, that the server has handed out."""
        self._chunks += 1
        for at, item in enumerate(items):
            lane, cls = names.read(item.host, item.queue)
            chunk = -self._chunks if cls.last_first else self._chunks
            self._insert(lane, (cls.priority, cls.place, chunk * _CHUNK + at, item))
            self.held += 1

    def keep(self, name: str, cls: QueueClass, item: Item) -> None:
        """One that is here alone, or comes back."""
        self._chunks += 1
        self._insert(name, (cls.priority, cls.place, self._chunks * _CHUNK, item))
        self.held += not item.is_here_alone

    def _insert(self, name: str, entry: tuple[int, int, int, Item]) -> None:
        item = entry[3]
        lane = self._lanes.setdefault(name, _Lane()) if item.is_here_alone else self._lane(item.host, name)
        heappush(lane.items, entry)
        self.length += 1

    # What leaves

    def pop(self, name: str) -> Item:
        lane = self._lanes[name]
        item = heappop(lane.items)[3]
        self._left(name, item)
        return item

    def pop_here_alone(self, name: str) -> Item:
        lane = self._lanes.get(name)
        for at, entry in enumerate(sorted(lane.items) if lane is not None else ()):
            if entry[3].is_here_alone and lane is not None:
                lane.items = sorted(lane.items)
                del lane.items[at]
                self._left(name, entry[3])
                return entry[3]
        raise LookupError(f"all of {name} is on the server")

    def _left(self, name: str, item: Item) -> None:
        self.length -= 1
        self.held -= not item.is_here_alone
        self._forget_if_empty(name)

    def flies(self, host: str, by: int, now: float) -> None:
        """So many more of a host's requests are in flight."""
        found = self.hosts.get(host)
        if found is not None:
            found.in_flight += by
            self.note_if_empty(host, now)

    def note_if_empty(self, host: str, now: float) -> None:
        found = self.hosts.get(host)
        if found is None or found.in_flight or found.lanes:
            self.empty.pop(host, None)
        else:
            self.empty.setdefault(host, now)

    def part(self, host: str) -> tuple[list[LaneState], list[Item]]:
        """The lease of a host is over: its lanes with what they had, and the requests that are here, in order."""
        found = self.hosts.pop(host, None)
        self.empty.pop(host, None)
        if found is None:
            return [], []
        went, items = [], []
        for name in found.lanes:
            lane = self._lanes.get(name)
            if lane is None:
                continue
            head = self.head(name) or (0, 0)
            mine = sorted(entry for entry in lane.items if not entry[3].is_here_alone and entry[3].host == host)
            lane.items = [entry for entry in lane.items if entry[3].is_here_alone or entry[3].host != host]
            heapify(lane.items)
            count = len(mine)
            for key in [key for key in lane.remote if key[0] == host]:
                count += lane.remote.pop(key)
            self.length -= count
            self.held -= len(mine)
            items += [entry[3] for entry in mine]
            if count:
                went.append(LaneState(name, head, count))
            self._forget_if_empty(name)
        return went, items

    def left_in(self, names_of_lanes: Iterable[str]) -> list[LaneState]:
        """Of these lanes those that still have something, of other hosts or here alone."""
        return [
            LaneState(name, self.head(name) or (0, 0), count) for name in names_of_lanes if (count := self.count(name))
        ]

    def _lane(self, host: str, name: str) -> _Lane:
        if (found := self.hosts.get(host)) is not None:
            found.lanes.add(name)
            self.empty.pop(host, None)
        lane = self._lanes.get(name)
        if lane is None:
            lane = self._lanes[name] = _Lane()
        return lane

    def _forget_if_empty(self, name: str) -> None:
        lane = self._lanes[name]
        if lane.items or lane.remote:
            return
        del self._lanes[name]

    def settle(self, host: str, now: float) -> None:
        """Forget the lanes of a host that are empty."""
        found = self.hosts.get(host)
        if found is not None:
            found.lanes = {name for name in found.lanes if name in self._lanes}
            self.note_if_empty(host, now)
