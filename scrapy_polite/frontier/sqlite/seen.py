"""What was visited: the fingerprints on disk, and in memory those of late, which may not be written yet."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy_polite.frontier.sqlite.visited import VisitedFile
    from scrapy_polite.frontier.sqlite.writer import Writer

_RECENT = 100_000


class Seen:
    """What was visited, in this run or an earlier one. Used in the crawl's thread alone.

    A fingerprint is written with the next request that is pushed. Should that stay in memory alone, what finds it again
    after a crash must not find it visited: then the fingerprint is withheld until the request is done.
    """

    def __init__(self, writer: Writer, on_disk: VisitedFile) -> None:
        self.count = 0
        self._writer = writer
        self._on_disk = on_disk
        self._recent: set[bytes] = set()
        self._older: set[bytes] = set()
        self._older_until = 0  # the batch that holds the last of them
        #: Of no request so far: that is still to be pushed.
        self.loose: list[bytes] = []
        self._withheld: dict[int, list[bytes]] = {}  # by the id() of a request in memory alone

    def __contains__(self, fingerprint: bytes) -> bool:
        if fingerprint in self._recent or fingerprint in self._older:
            return True
        if fingerprint in self._on_disk:
            if self._on_disk.exact:
                self._recent.add(fingerprint)
            return True
        return False

    def add(self, fingerprint: bytes) -> None:
        if len(self._recent) >= _RECENT and not self.loose and self._writer.committed >= self._older_until:
            self._older, self._older_until = self._recent, self._writer.batch.number
            self._recent = set(chain.from_iterable(self._withheld.values()))
        self._recent.add(fingerprint)
        self.loose.append(fingerprint)
        self.count += 1
        self._on_disk.expect(fingerprint)

    def withhold(self, request: object) -> None:
        if self.loose:
            self._withheld[id(request)], self.loose = self.loose, []

    def written_with(self, request: object) -> list[bytes]:
        """What is to be written with a request that is pushed, or that is done."""
        fingerprints: list[bytes] = []
        if self.loose:
            fingerprints, self.loose = self.loose, []
        if self._withheld:
            fingerprints += self._withheld.pop(id(request), ())
        return fingerprints

    def withheld_of(self, request: object) -> list[bytes]:
        return self._withheld.pop(id(request), []) if self._withheld else []

    def write_loose(self) -> None:
        if self.loose:
            with self._writer.lock:
                self._writer.batch.visited += self.loose
            self.loose = []
