"""The interface of a store: one part a concern, which the module of its name describes with the values it keeps.

A store answers with `concurrent.futures.Future`s, so that it may work in a thread of its own and no loop has to wait:
`_loop.from_thread` turns one into something a coroutine can await in any of Scrapy's loop modes. `factory` makes one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from .feed import read_all

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future
    from pathlib import Path

    from .dead_urls import DeadUrl, DeadUrlStore
    from .hosts import HostStore
    from .quarantines import Quarantine, QuarantineStore
    from .robots import RobotsCopy, RobotsStore


class Store(Protocol):
    """Every call returns at once; a future fails with `StoreError` and nothing else.

    No call takes a time of the caller's clock: durations go in, and what is as old as it says goes by the store's.
    """

    @property
    def description(self) -> str:
        """One phrase for the start line: where the store is."""
        ...

    @property
    def shared(self) -> bool:
        """Whether other processes may use the same store."""
        ...

    @property
    def lasting(self) -> bool:
        """Whether what it keeps outlives the process."""
        ...

    @property
    def replaceable(self) -> bool:
        """Whether a crawl goes on with a store in memory where this one fails.

        Not where other machines use it too: each would be alone with its hosts then, and all faster together.
        """
        ...

    @property
    def robots(self) -> RobotsStore: ...

    @property
    def hosts(self) -> HostStore: ...

    @property
    def dead_urls(self) -> DeadUrlStore: ...

    @property
    def quarantines(self) -> QuarantineStore: ...

    def facts(self) -> str:
        """What a person should know of it beside where it is. Blocks.

        Raises StoreError where it cannot be used; StoreUnavailable where that may pass by itself.
        """
        ...

    def prune(self, keep_s: float) -> Future[int]:
        """Drop the copies last updated more than `keep_s` ago. Returns how many there were.

        Drops as well the gates last updated and open before then, the leases over and the dead URLs seen before then,
        and the quarantines that ended before then.
        """
        ...

    def close(self) -> None:
        """Finish what was asked so far and let go of all resources. Harmless when called twice."""
        ...


class FileStore(Store, Protocol):
    """A store in one file."""

    def export_to(self, path: Path) -> Future[int]:
        """Write everything to one new file that `import_from` reads. Returns the number of copies.

        Gates, dead URLs and quarantines go along, because on a machine without a lasting disk this file is all that
        outlives an embargo, keeps a budget or knows a person's decision; leases never, as they belong to running
        processes.
        """
        ...

    def import_from(self, path: Path) -> Future[int]:
        """Take over what `export_to` wrote; what was updated or seen later wins. Returns the number of copies read.

        Of pages spent in the same period the larger number wins: importing twice must not count them twice. Of
        quarantines the one that `QuarantineStore.keep` would keep.
        """
        ...


class StoredFile(Protocol):
    """What an export, or a store, holds; it is left as it is. Iterating blocks, and raises StoreError."""

    def copies(self) -> Iterator[RobotsCopy]: ...

    def dead_urls(self) -> Iterator[DeadUrl]: ...

    def quarantines(self) -> Iterator[Quarantine]: ...


def every_quarantine(store: Store) -> list[Quarantine]:
    """All that a store has of groups of URL patterns. Blocks; for commands."""
    return read_all(store.quarantines.changes)
