"""The dupefilter's memory in the queue: a fingerprint is remembered with the request that is pushed next."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy_polite.frontier.queue import Queue


class QueueVisited:
    """What a dupefilter asks whether it has seen a request, see `dupefilters.Visited`."""

    def __init__(self, queue: Queue) -> None:
        self._queue = queue
        #: Told to be new, and not pushed yet.
        self._pending: bytes | None = None

    def seen_or_add(self, fingerprint: bytes) -> bool:
        if fingerprint in self:
            return True
        self.settle()
        self._pending = fingerprint
        return False

    def __contains__(self, fingerprint: bytes) -> bool:
        return fingerprint == self._pending or self._queue.has_seen(fingerprint)

    def take(self) -> bytes | None:
        """The fingerprint that was told to be new last: it is to be pushed now. None where nobody has asked."""
        fingerprint, self._pending = self._pending, None
        return fingerprint

    def settle(self) -> None:
        """What was told to be new, and whose request was not pushed, is visited all the same."""
        if self._pending is not None:
            self._queue.mark_seen(self._pending)
            self._pending = None
