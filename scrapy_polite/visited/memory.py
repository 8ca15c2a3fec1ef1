"""Fingerprints of what was visited, remembered as long as the process lives."""

from __future__ import annotations

from scrapy_polite.visited.bloom import BloomFilter


class MemoryVisited:
    """Exact, as a set; with an `error_rate` a Bloom filter."""

    def __init__(self, error_rate: float | None = None) -> None:
        self._error_rate = error_rate
        self._exact: set[bytes] = set()
        self._bloom: BloomFilter | None = None

    def seen_or_add(self, fingerprint: bytes) -> bool:
        """Whether it was added before."""
        if self._error_rate is not None:
            if self._bloom is None:
                self._bloom = BloomFilter(self._error_rate)
            return self._bloom.seen_or_add(fingerprint)
        before = len(self._exact)
        self._exact.add(fingerprint)
        return len(self._exact) == before

    def __contains__(self, fingerprint: bytes) -> bool:
        return fingerprint in (self._exact if self._bloom is None else self._bloom)

    def __len__(self) -> int:
        return len(self._exact if self._bloom is None else self._bloom)

    def close(self) -> None:
        if self._bloom is not None:
            self._bloom.close()
