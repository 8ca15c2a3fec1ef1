"""What a process asks of the server, to be applied in order: one operation of a batch each."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from scrapy import Request

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
        cls, host: str, queue: bytes, request: Request, body: bytes, *, mark: int | str, at_front: bool, generation: int
    ) -> Operation:
        """`mark`: its fingerprint, or "" where it passes no filter, or what stands for it in the spider's start."""
        return cls(("P", host, queue, "F" if at_front else "B", mark, body), generation, request)


def print_of(fingerprint: bytes) -> int:
    """A fingerprint as the server keeps it: 63 bits, and at least the eight digits that `head.lua` looks at."""
    return max(int.from_bytes(blake2b(fingerprint, digest_size=8).digest(), "big") >> 1, 10**8)
