"""What a store's futures fail with."""

from __future__ import annotations


class StoreError(Exception):
    """The store cannot do what it was asked: unreadable, read-only, full, corrupt.

    The message names the store, what was wrong and what to do. A crawl goes on with a store in memory.
    """


class StoreUnavailable(StoreError):
    """The store is unavailable at present: locked by another process for longer than one call waits, out of reach.

    Asked again, it may answer. Nothing takes its place meanwhile: what is shared waits. `since` tells one outage from
    the next, by the monotonic clock; 0.0 where the store does not know.
    """

    def __init__(self, text: str, since: float = 0.0) -> None:
        super().__init__(text)
        self.since = since
