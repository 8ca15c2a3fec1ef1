"""What was visited: the fingerprints on disk, and in memory those of late, which may not be written yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy_polite.frontier.sqlite.visited import VisitedFile
    from scrapy_polite.frontier.sqlite.writer import Writer

_RECENT = 100_000


class Seen:
    """What was visited, in this run or an earlier one. Used in the crawl's thread alone.

    A fingerprint is written with its request. Should that stay in memory alone, what finds it again after a crash must
    not find it visited: then the fingerprint is withheld until the request is done.
    """

    def __init__(self, writer: Writer, on_disk: VisitedFile) -> None:
        self.count = 0
        self._writer = writer
        self._on_disk = on_disk
        self._recent: set[bytes] = set()
        self._older: set[bytes] = set()
        self._older_until = 0  # the batch that holds the last of them
        self._withheld: dict[int, bytes] = {}  # by the number of a request in memory alone
        #: What was looked for last, in vain. It need not be looked for again when it is pushed.
        self._unseen: bytes | None = None

    def __contains__(self, fingerprint: bytes) -> bool:
        if fingerprint is self._unseen:
            return False
        if fingerprint in self._recent or fingerprint in self._older:
            return True
        if fingerprint in self._on_disk:
            if self._on_disk.exact:
                self._recent.add(fingerprint)
            return True
        self._unseen = fingerprint
        return False

    def add(self, fingerprint: bytes) -> None:
        """It is to be put into the batch, or withheld, before anything else is called."""
        if len(self._recent) >= _RECENT and self._writer.committed >= self._older_until:
            self._older, self._older_until = self._recent, self._writer.batch.number
            self._recent = set(self._withheld.values())
        self._recent.add(fingerprint)
        self._unseen = None
        self.count += 1
        self._on_disk.expect(fingerprint)

    def withhold(self, number: int, fingerprint: bytes) -> None:
        self._withheld[number] = fingerprint

    def withheld_of(self, number: int) -> tuple[bytes, ...]:
        """What is to be written when a request is done, or written after all."""
        fingerprint = self._withheld.pop(number, None) if self._withheld else None
        return () if fingerprint is None else (fingerprint,)
