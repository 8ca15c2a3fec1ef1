"""The fingerprints on disk of what was visited: in the queue's own file, or in a Bloom filter beside it."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from typing import TYPE_CHECKING

from scrapy_polite.frontier.queue import FrontierError
from scrapy_polite.frontier.sqlite.faults import ELSEWHERE, explained
from scrapy_polite.frontier.sqlite.schema import BLOOM_NAME
from scrapy_polite.visited.bloom import BloomFilter
from scrapy_polite.visited.filter import GrowingFilter

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from pathlib import Path

_FILTER_LOAD = 2_000_000  # Up to so many visited the filter is filled at opening, some 1.5 µs each.
_FILTER_PAGE = 5_000
_VISITED_PAGE = (
    "SELECT group_concat(hex(fingerprint), ' ') FROM "
    f"(SELECT fingerprint FROM visited WHERE fingerprint > ? ORDER BY fingerprint LIMIT {_FILTER_PAGE})"
)


class VisitedFile:
    """What is known of the fingerprints on disk. With an `error_rate` a Bloom filter holds them; else it is exact."""

    def __init__(self, path: Path, error_rate: float | None, report: Callable[[FrontierError], object]) -> None:
        self._path = path
        self._error_rate = error_rate
        self._report = report
        # It holds only what is committed: its file may run ahead of the queue's at no time, or a crash loses requests.
        self._bloom: BloomFilter | None = None
        self._filter: GrowingFilter | None = None
        self._reader: sqlite3.Connection | None = None
        self._read = True

    # The crawl's thread

    def __contains__(self, fingerprint: bytes) -> bool:
        if self._bloom is not None:
            return fingerprint in self._bloom
        return (self._filter is None or fingerprint in self._filter) and self._is_on_disk(fingerprint)

    def expect(self, fingerprint: bytes) -> None:
        """It is to be written, so that it has to be looked for."""
        if self._filter is not None:
            self._filter.add(fingerprint)

    def stop_reading(self) -> None:
        """To be called before the writing thread ends: the last connection that is closed deletes the log, and this
        one could not."""
        self._read = False
        if self._reader is not None:
            with suppress(sqlite3.Error):
                self._reader.close()

    def _is_on_disk(self, fingerprint: bytes) -> bool:
        if not self._read:
            return False
        try:
            if self._reader is None:
                uri = f"{self._path.as_uri()}?mode=ro"
                self._reader = sqlite3.connect(uri, uri=True, timeout=0.0, isolation_level=None)
            query = "SELECT 1 FROM visited WHERE fingerprint = ?"
            # All of the rows: an unfinished statement would keep the file's log from being shortened.
            return bool(self._reader.execute(query, (fingerprint,)).fetchall())
        except sqlite3.Error as error:
            # Visited twice is better than never.
            self._report(explained(error, self._path))
            return False

    # The backend's thread

    @property
    def exact(self) -> bool:
        """Whether batches write fingerprints into the queue's file."""
        return self._bloom is None

    def load(self, db: sqlite3.Connection) -> int:
        """Take over what an earlier run has left; how many there are."""
        count: int = db.execute("SELECT count(*) FROM visited").fetchone()[0]
        path = self._path.with_name(BLOOM_NAME)
        if self._error_rate is not None:
            self._bloom = bloom = BloomFilter(self._error_rate, path)
            # What a run before this one remembered exactly.
            bloom.reserve(count)
            for fingerprint in _visited(db):
                bloom.add(fingerprint)
            db.execute("DELETE FROM visited")
            return len(bloom)
        if path.exists():
            raise FrontierError(
                f'{path}: this job was begun with POLITE_VISITED = "bloom"; set that again, {ELSEWHERE}'
            )
        if count <= _FILTER_LOAD:
            self._filter = GrowingFilter(count)
            for fingerprint in _visited(db):
                self._filter.add(fingerprint)
        return count

    def reserve(self, fingerprints: Collection[bytes]) -> None:
        """Before they are committed: raises where there is no room for them."""
        if self._bloom is not None:
            self._bloom.reserve(len(fingerprints))

    def committed(self, fingerprints: Collection[bytes]) -> None:
        if self._bloom is not None:
            for fingerprint in fingerprints:
                self._bloom.add(fingerprint)

    def close(self) -> None:
        if self._bloom is not None:
            self._bloom.close()


def _visited(db: sqlite3.Connection) -> Iterator[bytes]:
    last = b""
    while page := db.execute(_VISITED_PAGE, (last,)).fetchone()[0]:
        fingerprints = [bytes.fromhex(text) for text in page.split(" ")]
        yield from fingerprints
        last = max(fingerprints)
