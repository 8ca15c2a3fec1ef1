"""What a process asks of the server, to be applied in order: one operation of a batch each."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from scrapy_polite.frontier.redis import names
from scrapy_polite.frontier.redis.payload import packed

if TYPE_CHECKING:
    from scrapy import Request

    from scrapy_polite.frontier.queue import Rank

Argument = bytes | str | int

#: What holds whichever name this process has on the server; all else is of requests taken under an earlier one.
LASTING = frozenset("PVE")
#: What is not to wait for more.
URGENT = frozenset("X")


class Operation(NamedTuple):
    """`arguments` begin with a letter: see `head_operations.lua`. `generation`: under which name of this process.

    `request`: what is pushed. `future`: done when it is applied. `number`: of the request that was taken.
    """

    arguments: Sequence[Argument]
    generation: int
    request: Request | None = None
    future: Future[None] | None = None
    number: int = 0

    @property
    def letter(self) -> str:
        return str(self.arguments[0])

    @property
    def is_push(self) -> bool:
        return self.arguments[0] in "PV"  # type: ignore[operator]

    @classmethod
    def push(
        cls, host: str, lane: str, rank: Rank, request: Request, encoded: bytes, mark: int | str, generation: int = 0
    ) -> Operation:
        """`mark`: its fingerprint, or "" where it passes no filter, or what stands for it in the spider's start."""
        queue_class = names.class_of(lane, rank)
        queue, end = names.written(host, lane, queue_class), "F" if queue_class.last_first else "B"
        return cls(("P", host, queue, end, mark, b"0" + packed(encoded, lane)), generation, request)


def print_of(fingerprint: bytes) -> int:
    """A fingerprint as the server keeps it: 63 bits, and at least the eight digits that `head.lua` looks at."""
    return max(int.from_bytes(blake2b(fingerprint, digest_size=8).digest(), "big") >> 1, 10**8)
