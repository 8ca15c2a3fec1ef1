"""What a store keeps of dead URLs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from scrapy_polite.clock import ahead_s

if TYPE_CHECKING:
    from concurrent.futures import Future

MAX_DEAD = 100_000
"""A store that ends with the process keeps no more dead URLs."""


@dataclass(frozen=True, slots=True)
class DeadUrl:
    """`key` (a URL as `visited.canonical` spells it) was answered with `status`, 404 or 410, at `seen_at`.

    In epoch seconds of the store's clock.
    """

    key: str
    status: int
    seen_at: float

    def as_of(self, now: float) -> DeadUrl | None:
        """None: a clock that was ahead has seen it, and nobody knows when."""
        return None if ahead_s(self.seen_at, now) else self


class DeadUrlStore(Protocol):
    def get(self, key: str) -> Future[DeadUrl | None]:
        """What is remembered of this URL; what was kept a moment ago may be missed."""
        ...

    def keep(self, key: str, status: int) -> Future[None]:
        """It is dead now."""
        ...

    def forget(self, key: str | None) -> Future[int]:
        """Drop one dead URL, or all (None). Returns how many there were."""
        ...
