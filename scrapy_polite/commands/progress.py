"""A word now and then, on standard error, while a command works on something long."""

from __future__ import annotations

import sys
import time

_EVERY_S = 5.0


class Progress:
    """`so_far(count)` may be called as often as one likes."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._next_at = time.monotonic() + _EVERY_S

    def so_far(self, count: int) -> None:
        if time.monotonic() >= self._next_at:
            print(f"{count:,} {self._what} so far", file=sys.stderr, flush=True)
            self._next_at = time.monotonic() + _EVERY_S
