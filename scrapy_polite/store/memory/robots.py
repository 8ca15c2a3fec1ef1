"""Copies of robots.txt in memory: the last used ones, bounded by count and by the bytes of their compressed bodies."""

from __future__ import annotations

import zlib
from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from scrapy_polite.clock import AHEAD_S
from scrapy_polite.store.robots import Claim, RobotsCopy

from .bounded import Bounded

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from scrapy_polite.store.feed import Position

    from .state import MemoryState

Key = tuple[str, str]


class _Kept(NamedTuple):
    packed: RobotsCopy
    fence: int


class _Lease(NamedTuple):
    agent: str
    holder: str
    until: float
    fence: int


class MemoryRobots:
    def __init__(self, state: MemoryState, max_copies: int, max_bytes: int) -> None:
        self._state = state
        self._max_copies = max_copies
        self._max_bytes = max_bytes
        self._bytes = 0
        self._kept: OrderedDict[Key, _Kept] = OrderedDict()
        #: By origin.
        self._leases: Bounded[str, _Lease] = Bounded(max_copies)

    def get(self, origin: str, agent: str) -> Future[RobotsCopy | None]:
        return self._state.answer(lambda: self._get((origin, agent), self._state.clock()))

    def put(self, copy: RobotsCopy, holder: str = "", fence: Position | None = None) -> Future[bool]:
        return self._state.answer(lambda: self._put(copy, holder, self._state.number(fence), self._state.clock()))

    def claim(self, origin: str, agent: str, holder: str, lease_s: float, due_in_s: float = 0.0) -> Future[Claim]:
        return self._state.answer(lambda: self._claim((origin, agent), holder, lease_s, due_in_s, self._state.clock()))

    def renew(self, origin: str, agent: str, holder: str, lease_s: float) -> Future[bool]:
        return self._state.answer(lambda: self._renew((origin, agent), holder, self._state.clock() + lease_s))

    def release(self, origin: str, agent: str, holder: str) -> Future[None]:
        return self._state.answer(lambda: self._release((origin, agent), holder))

    def of_origin(self, origin: str) -> Future[list[RobotsCopy]]:
        return self._state.answer(lambda: self._of_origin(origin, self._state.clock()))

    def forget(self, origin: str | None) -> Future[int]:
        return self._state.answer(lambda: self._drop(lambda packed: origin is None or packed.origin == origin))

    def prune(self, before: float) -> int:
        self._leases.drop(lambda lease: lease.until < before)
        return self._drop(lambda packed: packed.updated_at < before)

    def _get(self, key: Key, now: float) -> RobotsCopy | None:
        kept = self._kept.get(key)
        if kept is None:
            return None
        self._kept.move_to_end(key)
        return _unpacked(kept.packed).as_of(now)

    def _of_origin(self, origin: str, now: float) -> list[RobotsCopy]:
        return [_unpacked(kept.packed).as_of(now) for key, kept in self._kept.items() if key[0] == origin]

    def _put(self, copy: RobotsCopy, holder: str, fence: int, now: float) -> bool:
        key = copy.origin, copy.agent
        kept, lease = self._kept.get(key), self._leases.get(copy.origin)
        self._release(key, holder)
        overtaken = lease is not None and lease.agent == copy.agent and lease.fence > fence
        if fence and (overtaken or (kept is not None and kept.fence > fence)):
            return False
        if not fence and kept is not None and kept.packed.as_of(now).updated_at > copy.updated_at:
            return False
        self._bytes -= len(kept.packed.body) if kept is not None else 0
        packed = replace(copy, body=zlib.compress(copy.body))
        self._bytes += len(packed.body)
        self._kept[key] = _Kept(packed, max(fence, kept.fence if kept is not None else 0))
        self._kept.move_to_end(key)
        while len(self._kept) > self._max_copies or self._bytes > self._max_bytes:
            self._bytes -= len(self._kept.popitem(last=False)[1].packed.body)
        return True

    def _claim(self, key: Key, holder: str, lease_s: float, due_in_s: float, now: float) -> Claim:
        copy = self._get(key, now)
        if copy is not None and copy.due_at > now + due_in_s:
            return Claim(copy, False, None, now)
        (origin, agent), until = key, now + lease_s
        lease = self._leases.get(origin)
        mine = lease is not None and (lease.agent, lease.holder) == (agent, holder)
        if lease is not None and not mine and now < lease.until <= until + AHEAD_S:
            return Claim(copy, False, None, now)
        fence = self._state.next()
        if lease is not None and mine:
            fence = fence._replace(number=lease.fence)
        self._leases.set(origin, _Lease(agent, holder, until, fence.number))
        return Claim(copy, True, fence, now)

    def _renew(self, key: Key, holder: str, until: float) -> bool:
        lease = self._leases.get(key[0])
        if lease is None or (lease.agent, lease.holder) != (key[1], holder):
            return False
        self._leases.set(key[0], lease._replace(until=until))
        return True

    def _release(self, key: Key, holder: str) -> None:
        lease = self._leases.get(key[0])
        if lease is not None and (lease.agent, lease.holder) == (key[1], holder):
            self._leases.remove(key[0])

    def _drop(self, condition: Callable[[RobotsCopy], bool]) -> int:
        keys = [key for key, kept in self._kept.items() if condition(kept.packed)]
        for key in keys:
            self._bytes -= len(self._kept.pop(key).packed.body)
        return len(keys)


def _unpacked(packed: RobotsCopy) -> RobotsCopy:
    return replace(packed, body=zlib.decompress(packed.body))
