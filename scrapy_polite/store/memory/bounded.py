"""A dictionary that keeps so many, each with the number of its last change."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

K = TypeVar("K")
V = TypeVar("V")


class Bounded(Generic[K, V]):
    """Beyond `limit` the one set longest ago goes."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._held: OrderedDict[K, tuple[int, V]] = OrderedDict()

    def get(self, key: K) -> V | None:
        found = self._held.get(key)
        return None if found is None else found[1]

    def set(self, key: K, value: V, number: int = 0) -> None:
        self._held[key] = number, value
        self._held.move_to_end(key)
        if len(self._held) > self._limit:
            self._held.popitem(last=False)

    def replace(self, key: K, value: V) -> None:
        """What is there already, in its place and with its number."""
        self._held[key] = self._held[key][0], value

    def remove(self, key: K) -> None:
        del self._held[key]

    def changes(self, after: int) -> list[tuple[int, V]]:
        """What was set with a larger number, in the order of the numbers."""
        return sorted((item for item in self._held.values() if item[0] > after), key=lambda item: item[0])

    def drop(self, condition: Callable[[V], bool]) -> int:
        keys = [key for key, (_, value) in self._held.items() if condition(value)]
        for key in keys:
            del self._held[key]
        return len(keys)
