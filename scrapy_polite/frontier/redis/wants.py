"""What is to be taken from the server by the next call."""

from __future__ import annotations

import threading

from scrapy_polite.frontier.redis.batch import Take

#: Queues read in one call.
_READS = 64


class Wants:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._claims = False
        self._hosts = self._each = 0
        #: Until a claim says otherwise no host is closed for too long.
        self._ahead_s = 1e9
        self._reads: dict[tuple[str, bytes], int] = {}

    def __bool__(self) -> bool:
        return self._claims or bool(self._reads)

    def claim(self, hosts: int, ahead_s: float, each: int) -> None:
        with self._lock:
            self._claims, self._hosts, self._ahead_s, self._each = True, hosts, ahead_s, each

    def read(self, host: str, queue: bytes, most: int) -> None:
        with self._lock:
            self._reads[host, queue] = most

    def pop(self) -> Take:
        with self._lock:
            reads, rest = list(self._reads.items())[:_READS], list(self._reads.items())[_READS:]
            take = Take(self._hosts, self._ahead_s, self._each, dict(reads))
            self._claims, self._hosts, self._each, self._reads = False, 0, 0, dict(rest)
            return take

    def put_back(self, take: Take) -> None:
        """It was not carried out, or is not known to be. Hosts are asked for again anyway."""
        with self._lock:
            self._reads = {**take.reads, **self._reads}

    def forget_reads(self) -> None:
        with self._lock:
            self._reads.clear()
