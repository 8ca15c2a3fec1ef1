"""A dictionary that forgets, so that what is remembered of a site has a bound."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(Generic[K, V]):
    """The last `size` keys that were put are in it, and at most twice as many."""

    __slots__ = ("_new", "_old", "_size")

    def __init__(self, size: int) -> None:
        self._size = size
        self._new: dict[K, V] = {}
        self._old: dict[K, V] = {}

    def get(self, key: K) -> V | None:
        found = self._new.get(key)
        return found if found is not None else self._old.get(key)

    def items(self) -> Iterator[tuple[K, V]]:
        yield from self._old.items()
        yield from self._new.items()

    def missing(self, keys: Iterable[K]) -> list[int]:
        """Which of the keys are not in it, by their place."""
        new, old = self._new, self._old
        if not old:
            return [at for at, key in enumerate(keys) if key not in new]
        return [at for at, key in enumerate(keys) if key not in new and key not in old]

    def put(self, key: K, value: V) -> None:
        self._new[key] = value
        self._forget()

    def put_all(self, keys: Iterable[K], value: V) -> None:
        self._new.update(dict.fromkeys(keys, value))
        self._forget()

    def _forget(self) -> None:
        if len(self._new) >= self._size:
            self._old, self._new = self._new, {}

    @property
    def forgets(self) -> bool:
        """Whether anything may have been forgotten yet."""
        return bool(self._old)

    def __len__(self) -> int:
        return len(self._new) + len(self._old)
