"""The store as one crawl uses it: what answers while it is unavailable, and in its place once it has failed.

Whatever a crawl keeps or asks goes through here, so that a fault is told once, and nothing gets looser by it.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, TypeVar

from scrapy_polite import _loop

from .errors import StoreError, StoreUnavailable
from .factory import StoreLocation, open_store

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from .base import Store

logger = logging.getLogger(__name__)
_T = TypeVar("_T")

#: Reasons why a store is unavailable that are told of one outage, each once.
_MAX_TOLD = 5


class CrawlStore:
    """Owns a store. `backend` is what answers now: the store or, once that has failed, one in memory."""

    def __init__(self, store: Store) -> None:
        self.backend = store
        self._stand_in = open_store(StoreLocation())
        self._error: StoreError | None = None
        self._told: set[str] = set()
        self._outage = 0.0
        self._closing = False
        self._unavailable = False

    @property
    def is_shared(self) -> bool:
        """Whether other processes may use the same."""
        return self.backend.shared

    async def ask(self, call: Callable[[Store], Future[_T]]) -> _T:
        """As `ask_shared`, for what does no harm if no other process knows it: while the store is unavailable one in
        memory answers."""
        try:
            return await self.ask_shared(call)
        except StoreUnavailable:
            return await _loop.from_thread(call(self._stand_in))

    async def ask_shared(self, call: Callable[[Store], Future[_T]]) -> _T:
        """Ask the store. Raises StoreUnavailable where asking later may help.

        If it fails otherwise, that is told, and from then on one in memory takes its place: the same is asked there.
        """
        if self._error is not None:
            self._failed(self._error)
        try:
            answer = await _loop.from_thread(call(self.backend))
        except StoreError as error:
            self._failed(error)
            if isinstance(error, StoreUnavailable):
                raise
            if not self.backend.replaceable:
                raise StoreUnavailable(str(error)) from error
            return await _loop.from_thread(call(self.backend))
        if self._unavailable:
            self._unavailable = False
            self.recovered()
        return answer

    def failed(self, error: StoreError) -> None:
        """Called when an outage begins, and when one in memory takes the store's place."""

    def recovered(self) -> None:
        """Called when the store answers again."""

    def fire_and_forget(self, future: Future[_T]) -> None:
        """Let the store work on by itself; a failure is told when it is next asked, or at the end."""

        def check(done: Future[_T]) -> None:
            error = done.exception()
            if isinstance(error, StoreError) and not self._closing:
                self._error = error

        future.add_done_callback(check)

    def stop_listening(self) -> None:
        """The crawl ends: what fails from now on is no news."""
        self._closing = True

    def close(self) -> None:
        self._closing = True
        self.backend.close()
        if self._error is not None:
            self._failed(self._error)

    def _failed(self, error: StoreError) -> None:
        self._error = None
        if isinstance(error, StoreUnavailable) or not self.backend.replaceable:
            if (since := getattr(error, "since", 0.0)) > self._outage:
                self._outage = since
                self._told.clear()
            if not self._unavailable:
                self._unavailable = True
                self.failed(error)
            reason = str(error).partition(" (")[0]  # without figures, which change
            if reason not in self._told and len(self._told) < _MAX_TOLD:
                self._told.add(reason)
                logger.error("%s. Until it is available, hosts whose delay is shared wait, and nothing is kept.", error)
        elif self.backend.lasting:
            logger.error("%s. This run goes on with a memory cache; nothing more of it is kept.", error)
            self._unavailable = False
            self.failed(error)
            broken, self.backend = self.backend, open_store(StoreLocation())
            # In a thread: what is broken may take its time to close.
            _loop.spawn(_loop.in_thread(broken.close)).addErrback(lambda _: None)
