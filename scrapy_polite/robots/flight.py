"""Single flight: what is fetched once however many wait for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy_polite import _loop

if TYPE_CHECKING:
    from twisted.internet.defer import Deferred


class Flight:
    """One fetch under way, and who waits for it to end."""

    def __init__(self) -> None:
        self.task: Deferred[None] | None = None
        self._waiters: list[_loop.Waiter[bool]] = []
        self._landed: bool | None = None

    async def landing(self, timeout_s: float) -> bool:
        """True once the flight has ended; False if it has not within `timeout_s`, or nobody was asked."""
        if self._landed is not None:
            return self._landed
        waiter: _loop.Waiter[bool] = _loop.Waiter()
        waiter.fire_after(timeout_s, False)
        self._waiters.append(waiter)
        try:
            return await waiter
        finally:
            if waiter in self._waiters:
                self._waiters.remove(waiter)

    def land(self, asked: bool = True) -> None:
        self._landed = asked
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            waiter.fire(asked)
