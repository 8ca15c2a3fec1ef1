"""The interface of a queue backend: requests in lanes, each lane ordered by rank.

A lane is the queue of one origin (any string will do). What is slow answers with a `concurrent.futures.Future`, so that
a backend may work in a thread of its own; everything else answers at once and never waits for a disk or a network.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from concurrent.futures import Future

    from scrapy import Request

IDEMPOTENT = frozenset({"GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"})
"""The methods whose requests may be repeated unasked (RFC 9110 §9.2.2)."""

Rank = tuple[int, int]
"""`(-priority, order)`; the smallest goes first, equals in the order they were pushed. Both are 64-bit integers."""


class FrontierError(Exception):
    """The queue cannot do what it was asked: file unreadable, locked, read-only, corrupt, disk full.

    The message names the file, what was wrong and what to do.
    """


@dataclass(slots=True)
class Entry:
    """One request taken from the queue, until it is `done` or given back.

    `id` is its number on disk; None: it is in memory only. `pops` says how often it has been popped, this time
    included and times it was given back not.
    """

    lane: str
    rank: Rank
    request: Request
    id: int | None
    pops: int


@dataclass(frozen=True, slots=True)
class LaneState:
    """A lane that is not empty: its best rank, and how many requests it holds."""

    lane: str
    head: Rank
    count: int


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A request that is not made again, and why; "" where its URL or method cannot be read.

    `request`: it was in flight, and may not be repeated.
    """

    url: str
    method: str
    why: str
    request: Request | None = None


class Queue(Protocol):
    """Futures fail with `FrontierError` and nothing else; what answers at once reports faults to the backend's owner.

    All methods are called from one thread, the loop's.

    A backend that many processes share (Redis, Valkey) owns no lane until it claims it. `claim` would move, as one
    atomic script, up to `count` lanes whose host's next time has come from the shared set to this process, each with a
    lease and the host's next time after this claim; it is called again before the lease ends, which renews it for
    lanes in use and returns idle ones. `push` goes to the shared lane whoever owns it, `fetch` refills a small local
    buffer from the lanes owned, `pop` takes from that buffer, and what a dead process had popped is queued again when
    its lease has run out. `head` and `count` are then of the last claim or fetch.
    """

    description: str
    """One phrase for the start line: where the queue is."""

    persistent: bool
    """Whether what is queued outlives the process."""

    set_aside: list[DeadLetter]
    """After `open`, and growing later on: what is not made again. Each is reported once, whatever the runs."""

    @property
    def lost(self) -> int:
        """After `close`, how many requests could not be written; not counting `memory_only` ones."""
        ...

    def open(self) -> Future[list[LaneState]]:
        """Make ready, and say what is queued from an earlier run. Nothing else may be called before it is done."""
        ...

    def claim(self, count: int) -> Future[list[LaneState]]:
        """Up to `count` further lanes that this process may serve from now on; local backends own all, and add none."""
        ...

    def push(self, lane: str, rank: Rank, request: Request) -> bool:
        """True where it is on disk, or will be within a second; False where it stays in memory."""
        ...

    def head(self, lane: str) -> Rank | None:
        """The best rank queued, in memory or on disk; None: the lane is empty."""
        ...

    def ready(self, lane: str) -> bool:
        """Whether the head is in memory: `peek` and `pop` then answer, until anything else is pushed or fetched.

        What turns out to be unreadable is set aside here: the lane may be empty, or its head another, afterwards.
        """
        ...

    def peek(self, lane: str) -> Request:
        """The head, which stays queued. Raises LookupError if it is not ready."""
        ...

    def fetch(self, lanes: Collection[str]) -> Future[None]:
        """Bring the heads of these lanes into memory.

        If it fails, which takes a second at least, they stay as they are: ask again later.
        """
        ...

    def pop(self, lane: str) -> Entry:
        """Take the head. Raises LookupError if it is not ready."""
        ...

    def memory_only(self, lane: str) -> int:
        """How many of the lane's requests would end with the process: those that cannot be written, in a file."""
        ...

    def pop_memory_only(self, lane: str) -> Entry:
        """Take the first of these. Raises LookupError where there is none."""
        ...

    def mark_sent(self, entry: Entry) -> Future[None]:
        """Done when it is on disk that `entry` has left: after a crash it is set aside, if it may not be repeated."""
        ...

    def done(self, entry: Entry) -> None:
        """Acknowledge: what its callbacks asked for has been pushed, so it need not be made again."""
        ...

    def give_back(self, entry: Entry, rank: Rank) -> None:
        """Queue it again at `rank`, as if it had not been popped."""
        ...

    @property
    def behind(self) -> bool:
        """Whether so much is still to be written that the crawl should pause. Not while the disk fails altogether."""
        ...

    def __len__(self) -> int:
        """How many requests are queued; those popped do not count."""
        ...

    def count(self, lane: str) -> int: ...

    def lanes(self) -> Iterator[str]:
        """The lanes that are not empty."""
        ...

    def flush(self) -> Future[None]:
        """Done when everything asked for so far is on disk."""
        ...

    def close(self) -> None:
        """Finish what was asked so far, keep what is queued, let go of all resources. Harmless when called twice."""
        ...


@runtime_checkable
class RemembersVisited(Protocol):
    """A queue that also keeps the fingerprints of what was visited."""

    @property
    def visited_count(self) -> int: ...

    def seen_or_add(self, fingerprint: bytes) -> bool: ...

    def has_seen(self, fingerprint: bytes) -> bool: ...
