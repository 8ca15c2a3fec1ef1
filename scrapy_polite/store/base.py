"""The interface of a store, and the values it keeps.

A store answers with `concurrent.futures.Future`s, so that it may work in a thread of its own and no loop has to wait:
`_loop.from_thread` turns one into something a coroutine can await in any of Scrapy's loop modes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from concurrent.futures import Future
    from pathlib import Path


class StoreError(Exception):
    """The store cannot do what it was asked: unreadable, locked for too long, read-only, full, corrupt.

    The message names the file, what was wrong and what to do.
    """


@dataclass(frozen=True, slots=True)
class RobotsCopy:
    """What is known of one origin's robots.txt, as fetched for one product token. All times are epoch seconds.

    `status`, `body`, `fetched_at`, `expires_at`, `etag`, `last_modified` and `hops` are of the last good answer (2xx,
    or 4xx with an empty body); `status` is None where there never was one. `failing_since` is set while the origin is
    unreachable, with the number of failed fetches in a row, when to try next, and why it failed; `failure` also says
    why an answer counts as 404 that was none.
    """

    origin: str
    token: str
    updated_at: float
    status: int | None = None
    body: bytes = b""
    truncated: bool = False
    fetched_at: float = 0.0
    expires_at: float = 0.0
    etag: str | None = None
    last_modified: str | None = None
    hops: tuple[str, ...] = ()
    failing_since: float | None = None
    failures: int = 0
    next_try: float = 0.0
    failure: str = ""

    @property
    def due_at(self) -> float:
        """When the origin is to be asked again: at the end of freshness or, while it is unreachable, the next try."""
        return self.expires_at if self.failing_since is None else self.next_try


class Store(Protocol):
    """Every call returns at once; a future fails with `StoreError` and nothing else."""

    description: str
    """One phrase for the start line: where the store is."""

    def get(self, origin: str, token: str) -> Future[RobotsCopy | None]: ...

    def put(self, copy: RobotsCopy, holder: str = "") -> Future[None]:
        """Keep `copy` unless a copy with a later `updated_at` is held already, and end `holder`'s lease."""
        ...

    def claim(
        self, origin: str, token: str, holder: str, now: float, until: float, due: float
    ) -> Future[tuple[RobotsCopy | None, bool]]:
        """Read the copy and, if there is none or it is due by `due`, lease the right to fetch it, as one step.

        Returns the copy, and whether the lease was granted.
        """
        ...

    def lease(self, origin: str, token: str, holder: str, now: float, until: float) -> Future[bool]:
        """Claim or renew the right to fetch this robots.txt until `until`; False while another's lease lasts."""
        ...

    def release(self, origin: str, token: str, holder: str) -> Future[None]: ...

    def copies(self, origin: str) -> Future[list[RobotsCopy]]:
        """All copies of one origin, whatever the product token."""
        ...

    def forget(self, origin: str | None) -> Future[int]:
        """Drop the copies of one origin, or all (None). Returns how many there were."""
        ...

    def prune(self, before: float) -> Future[int]:
        """Drop copies last updated before `before`. Returns how many there were."""
        ...

    def export_to(self, path: Path) -> Future[int]:
        """Write everything to one new file that `import_from` reads. Returns the number of copies."""
        ...

    def import_from(self, path: Path) -> Future[int]:
        """Take over what `export_to` wrote; the later `updated_at` wins. Returns the number of copies read."""
        ...

    def close(self) -> None:
        """Finish what was asked so far and let go of all resources. Harmless when called twice."""
        ...
