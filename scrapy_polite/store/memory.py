"""A store that ends with the process: least recently used copies, bounded by count and by bytes.

Answers at once, with futures that are done, and belongs to one thread: the one that runs the crawl.
"""

from __future__ import annotations

import zlib
from collections import OrderedDict
from concurrent.futures import Future
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from .base import RobotsCopy, StoreError
from .sqlite import read_export, write_export

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

T = TypeVar("T")


class MemoryStore:
    """`max_bytes` bounds the bodies as they are held: compressed."""

    description = "memory"

    def __init__(self, max_copies: int = 20_000, max_bytes: int = 64 * 1024 * 1024) -> None:
        self._max_copies = max_copies
        self._max_bytes = max_bytes
        self._bytes = 0
        self._packed: OrderedDict[tuple[str, str], RobotsCopy] = OrderedDict()
        self._leases: OrderedDict[tuple[str, str], tuple[str, float]] = OrderedDict()
        self._closed = False

    def get(self, origin: str, token: str) -> Future[RobotsCopy | None]:
        return self._answer(lambda: self._get((origin, token)))

    def put(self, copy: RobotsCopy, holder: str = "") -> Future[None]:
        return self._answer(lambda: self._put(copy, holder))

    def claim(
        self, origin: str, token: str, holder: str, now: float, until: float, due: float
    ) -> Future[tuple[RobotsCopy | None, bool]]:
        return self._answer(lambda: self._claim((origin, token), holder, now, until, due))

    def lease(self, origin: str, token: str, holder: str, now: float, until: float) -> Future[bool]:
        return self._answer(lambda: self._lease((origin, token), holder, now, until))

    def release(self, origin: str, token: str, holder: str) -> Future[None]:
        return self._answer(lambda: self._release((origin, token), holder))

    def copies(self, origin: str) -> Future[list[RobotsCopy]]:
        return self._answer(lambda: [_unpacked(packed) for key, packed in self._packed.items() if key[0] == origin])

    def forget(self, origin: str | None) -> Future[int]:
        return self._answer(lambda: self._drop(lambda packed: origin is None or packed.origin == origin))

    def prune(self, before: float) -> Future[int]:
        return self._answer(lambda: self._drop(lambda packed: packed.updated_at < before))

    def export_to(self, path: Path) -> Future[int]:
        return self._answer(lambda: write_export(path, map(_unpacked, self._packed.values())))

    def import_from(self, path: Path) -> Future[int]:
        return self._answer(lambda: self._import(path))

    def close(self) -> None:
        self._closed = True
        self._packed.clear()
        self._leases.clear()
        self._bytes = 0

    def _answer(self, ask: Callable[[], T]) -> Future[T]:
        future: Future[T] = Future()
        try:
            if self._closed:
                raise StoreError("store in memory: it is closed")
            future.set_result(ask())
        except StoreError as error:
            future.set_exception(error)
        return future

    def _get(self, key: tuple[str, str]) -> RobotsCopy | None:
        packed = self._packed.get(key)
        if packed is None:
            return None
        self._packed.move_to_end(key)
        return _unpacked(packed)

    def _claim(
        self, key: tuple[str, str], holder: str, now: float, until: float, due: float
    ) -> tuple[RobotsCopy | None, bool]:
        copy = self._get(key)
        return copy, (copy is None or copy.due_at <= due) and self._lease(key, holder, now, until)

    def _put(self, copy: RobotsCopy, holder: str = "") -> None:
        key = copy.origin, copy.token
        self._release(key, holder)
        held = self._packed.get(key)
        if held is not None and held.updated_at > copy.updated_at:
            return
        self._bytes -= len(held.body) if held is not None else 0
        packed = replace(copy, body=zlib.compress(copy.body))
        self._bytes += len(packed.body)
        self._packed[key] = packed
        self._packed.move_to_end(key)
        while len(self._packed) > self._max_copies or self._bytes > self._max_bytes:
            self._bytes -= len(self._packed.popitem(last=False)[1].body)

    def _lease(self, key: tuple[str, str], holder: str, now: float, until: float) -> bool:
        if key in self._leases:
            other, other_until = self._leases[key]
            if other != holder and other_until > now:
                return False
        self._leases[key] = holder, until
        self._leases.move_to_end(key)
        if len(self._leases) > self._max_copies:
            self._leases.popitem(last=False)
        return True

    def _release(self, key: tuple[str, str], holder: str) -> None:
        if key in self._leases and self._leases[key][0] == holder:
            del self._leases[key]

    def _import(self, path: Path) -> int:
        count = 0
        for copy in read_export(path):
            self._put(copy)
            count += 1
        return count

    def _drop(self, condition: Callable[[RobotsCopy], bool]) -> int:
        keys = [key for key, packed in self._packed.items() if condition(packed)]
        for key in keys:
            self._bytes -= len(self._packed.pop(key).body)
        return len(keys)


def _unpacked(packed: RobotsCopy) -> RobotsCopy:
    return replace(packed, body=zlib.decompress(packed.body))
