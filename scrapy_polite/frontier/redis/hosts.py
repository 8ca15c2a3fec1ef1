"""The hosts that are leased to this process: what comes to their lanes and what goes, as events."""

from __future__ import annotations

import math
import time
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from scrapy_polite.frontier.parts import all_of, parts_of
from scrapy_polite.frontier.queue import HostCame, HostWanted, LaneCame, LaneState, LaneWent
from scrapy_polite.frontier.redis.lanes import LeasedLanes, items_from

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scrapy_polite.frontier.queue import QueueEvent
    from scrapy_polite.frontier.redis.taken import TakenRequests

#: A host of which nothing is left is kept for so long: what its last pages bring may be of it.
_LINGER_S = 2.0


class LeasedHosts:
    """What happens is put among the `events`."""

    def __init__(self, taken: TakenRequests, events: list[QueueEvent]) -> None:
        self.lanes = LeasedLanes()
        self._taken = taken
        self._events = events
        #: Hosts that were asked back, and are not released yet.
        self._asked_back: set[str] = set()
        #: Of hosts with several parts, those that are here.
        self._parts: defaultdict[str, set[str]] = defaultdict(set)

    def __contains__(self, host: str) -> bool:
        return host in self.lanes.hosts

    # What comes

    def lease(self, host: str, note: bytes) -> None:
        self.lanes.lease(host)
        if parts_of(host) > 1:
            self._parts[all_of(host)].add(host)
        self._events.append(HostCame(host, note))

    def bring(self, host: str, queue: bytes, rows: Iterable[tuple[int, bytes]]) -> None:
        """`rows`: numbers and bodies. What comes for a host that was released meanwhile goes back: unless it does, the
        crawl never ends."""
        items = items_from(host, queue, rows)
        if host in self:
            self.lanes.add(items)
        else:
            self._taken.give_back(items)

    def more(self, host: str, queue: bytes) -> None:
        """One more request is on the server."""
        if host in self:
            self.came(self.lanes.more(host, queue), 1)

    def set_state(self, host: str, state: Sequence[Any], *, came: Counter[str]) -> None:
        """The queues of a host that are not empty, all of them, each with its length. `came`: new ones that are here,
        by lane."""
        lengths = dict(zip(state[::2], state[1::2], strict=True))
        for queue in self.lanes.queues(host) | set(lengths):
            lane, more = self.lanes.set_remote(host, queue, lengths.get(queue, 0))
            came[lane] += more
        for lane, count in came.items():
            self.came(lane, count)
        self.lanes.settle(host, time.monotonic())

    def set_length(self, host: str, queue: bytes, length: int, *, brought: int) -> None:
        """Of one queue, of which so many have been brought here just now."""
        lane, more = self.lanes.set_remote(host, queue, length)
        self.came(lane, more + brought)
        self.lanes.settle(host, time.monotonic())

    def came(self, lane: str, count: int) -> None:
        if count > 0:
            self._events.append(LaneCame(LaneState(lane, self.lanes.head(lane) or (0, 0), count)))

    # What goes

    def release(self, host: str, wait_s: float) -> None:
        self._asked_back.discard(host)
        if host not in self:
            return
        if parts_of(host) > 1:
            self._parts[all_of(host)].discard(host)
        went, items = self.lanes.part(host)
        self._taken.give_back(items)
        self._taken.tell("R", host, int(wait_s * 1e6))
        self._went(Counter({state.lane: state.count for state in went}))

    def release_empty(self) -> None:
        now = time.monotonic()
        while self.lanes.empty:
            host, since = next(iter(self.lanes.empty.items()))
            if now - since < _LINGER_S:
                return
            self.release(host, 0.0)

    def lose_all(self) -> None:
        """All of them are with others."""
        went: Counter[str] = Counter()
        for host in list(self.lanes.hosts):
            for state in self.lanes.part(host)[0]:
                went[state.lane] += state.count
        self._went(went)
        self._asked_back.clear()
        self._parts.clear()

    def _went(self, counts: Counter[str]) -> None:
        self._events += [LaneWent(lane, count) for lane, count in counts.items()]
        self._events += [LaneCame(state) for state in self.lanes.left_in(counts)]

    def lose_all_but(self, hosts: set[str], taken: set[int]) -> None:
        """A server that comes back from an older state may have forgotten what it handed out: what is here of a host is
        as it knows it, or the host goes."""
        for host in list(self.lanes.hosts):
            if host not in hosts or any(item.number not in taken for item in self.lanes.items_of(host)):
                self.release(host, 0.0)

    def ask_back(self, surplus: int) -> None:
        """So many more than its share: others have too few."""
        if not surplus:
            self._asked_back.clear()
            return
        hosts = sorted(self.lanes.hosts.items(), key=lambda pair: pair[1].in_flight)
        for host, _ in hosts[: max(surplus - len(self._asked_back), 0)]:
            if host not in self._asked_back:
                self._asked_back.add(host)
                self._events.append(HostWanted(host))

    def spread(self, workers: int) -> None:
        """So many share the job: of a host with several parts each is to have no more than its share of these."""
        for host, here in self._parts.items():
            for part in sorted(here)[math.ceil(parts_of(host) / max(workers, 1)) :]:
                if part not in self._asked_back:
                    self._asked_back.add(part)
                    self._events.append(HostWanted(part))

    def give_all_back(self) -> None:
        """All requests that are here."""
        for host in list(self.lanes.hosts):
            self._taken.give_back(self.lanes.items_of(host))
