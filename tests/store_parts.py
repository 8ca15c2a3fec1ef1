"""Parts for tests of stores: the clock that they go by."""

from __future__ import annotations

from dataclasses import dataclass

#: Changes on a page of a feed in tests.
PAGE_SIZE = 1_000


@dataclass
class StoreClock:
    """The clock that the stores of one test go by."""

    at: float = 1_000.0

    def __call__(self) -> float:
        return self.at
