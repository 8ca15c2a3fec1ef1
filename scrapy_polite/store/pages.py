"""What a store keeps of pages that were fetched, for the crawls that come back to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future


@dataclass(frozen=True, slots=True)
class PageRecord:
    """One page, as one spider asks for it. Times are epoch seconds, durations seconds.

    `status` is 200, or 404 or 410 where the page is gone; `digest` is the fingerprint of what it said. It was seen at
    `seen_at`, whole at `whole_at`, and is due `interval_s` after it was seen. `changes` in `watched_s` is its pace
    (`recrawl.schedule.Pace`). It was answered with 304 `not_modified` times in a row; with `probe` its validators are
    those of an older version, to see whether its host lies. `links` and `body`: whether these are kept beside it.
    """

    key: bytes
    url: str
    host: str
    status: int
    digest: bytes
    etag: str
    last_modified: str
    seen_at: float
    whole_at: float
    interval_s: float
    changes: float
    watched_s: float
    not_modified: int = 0
    probe: bool = False
    links: bool = False
    body: bool = False


class Due(NamedTuple):
    """Of one host's pages: when it was seen, its interval, and its pace."""

    seen_at: float
    interval_s: float
    changes: float
    watched_s: float


class PageStore(Protocol):
    """Every call returns at once; a future fails with `StoreError` and nothing else."""

    def get(self, key: bytes) -> Future[PageRecord | None]:
        """What is kept of this page; what was kept a moment ago may be missed."""
        ...

    def at(self, host: str, url: str) -> Future[list[PageRecord]]:
        """What is kept of the page at this URL, which each spider and callback may have asked for."""
        ...

    def links(self, key: bytes) -> Future[list[bytes]]:
        """The requests that it brought, as they were kept."""
        ...

    def body(self, key: bytes) -> Future[bytes | None]: ...

    def keep(self, page: PageRecord, links: Sequence[bytes] | None = None, body: bytes | None = None) -> Future[None]:
        """`links` and `body` that are None stay as they are, where the page says that there are some."""
        ...

    def due(self, host: str, choose: Callable[[Iterator[Due]], float]) -> Future[float]:
        """What `choose` makes of all pages of a host that are not gone, read as it goes; it is called in the store's
        thread. Their numbers may be rounded to 15 digits."""
        ...

    def lying_hosts(self) -> Future[list[str]]:
        """Hosts that have answered 304 though the page had changed, the last 100,000."""
        ...

    def lies(self, host: str, at: float) -> Future[None]: ...

    def forget(
        self, covers: Callable[[str], bool], link_covered: Callable[[bytes], bool], *, act: bool = True
    ) -> Future[tuple[int, int, list[str]]]:
        """Drop the pages whose URLs are covered, and of others' links those that are (unless not to `act`). That a host
        has lied is forgotten with its root.

        Returns how many pages and links there were, and three of the URLs.
        """
        ...

    def prune(self, before: float) -> Future[int]:
        """Drop what was to be asked for again before then, and was not. Returns how many pages there were."""
        ...

    def close(self) -> None:
        """Finish what was asked so far. Harmless when called twice."""
        ...
