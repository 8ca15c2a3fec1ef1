"""The interface of a queue backend: requests in lanes, each lane ordered by rank, and what was visited.

A lane is the queue of one origin (any string will do); all lanes of a host share its pace. What is slow answers with a
`concurrent.futures.Future`, so that a backend may work in a thread of its own; everything else answers at once, without
waiting for a disk or a network. What a backend learns later comes as events, which its owner reads now and then.

One process may own a queue, or many share it (`shared`). Of a shared queue a process has the hosts that it has claimed,
for as long as their lease lasts: `head`, `count` and `len` are of their lanes, as far as they are known.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
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


class PushResult(Enum):
    """What has become of a request that was pushed."""

    KEPT = "kept"
    """It outlives the process: it is on disk, or will be within a second."""

    MEMORY_ONLY = "memory only"
    """It is queued, and would end with the process."""

    SEEN = "seen"
    """Its fingerprint is known: it is not queued."""

    UNKNOWN = "unknown"
    """Only a queue elsewhere can tell, which tells it by an event: `LaneCame` where it is queued for this process,
    `Duplicate` where it was known."""


class Entry(NamedTuple):
    """One request taken from the queue, until it is `done` or given back.

    `pops` says how often it has been popped, this time included and times it was given back not. `kept`: it outlives
    the process. `id` is the backend's own: its number on disk, with a shared queue also the fencing token of the lease
    under which it was taken.
    """

    lane: str
    rank: Rank
    request: Request
    pops: int
    kept: bool
    id: object


@dataclass(frozen=True, slots=True)
class LaneState:
    """A lane that is not empty: its best rank, and how many requests it holds."""

    lane: str
    head: Rank
    count: int


@dataclass(frozen=True, slots=True)
class Totals:
    """Requests of the whole job, those of other processes included."""

    queued: int
    in_flight: int


# Events


@dataclass(frozen=True, slots=True)
class QueueFailed:
    """Nothing can be written, or something could not be; the first time it is so."""

    error: FrontierError


@dataclass(frozen=True, slots=True)
class QueueRecovered:
    """All that could not be written is written."""


@dataclass(frozen=True, slots=True)
class QueueLost:
    """The queue has lost what it held; the crawl has to end."""

    error: FrontierError


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A request that is not made again, and why; "" where its URL or method cannot be read. It is told once, whatever
    the runs.

    `request`: it was in flight, and may not be repeated.
    """

    url: str
    method: str
    why: str
    request: Request | None = None


@dataclass(frozen=True, slots=True)
class Unwritable:
    """A request that was pushed stays in memory, as it cannot be written at all."""

    why: str


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A request that was pushed is not queued: its fingerprint was known."""

    request: Request


@dataclass(frozen=True, slots=True)
class HostCame:
    """A host that was claimed is this process's from now on; its lanes come after it. `note`: see `Queue.note`."""

    host: str
    note: bytes = b""


@dataclass(frozen=True, slots=True)
class LaneCame:
    """A lane of a host that was claimed, or more requests in one that is here: the `count` of the state is of the new
    ones."""

    state: LaneState


@dataclass(frozen=True, slots=True)
class LaneWent:
    """A lane with `count` requests is with another process from now on, or with none."""

    lane: str
    count: int


@dataclass(frozen=True, slots=True)
class HostWanted:
    """Other processes have too few hosts: this one should be released once nothing of it is in flight."""

    host: str


QueueEvent: TypeAlias = (
    "QueueFailed | QueueRecovered | QueueLost | DeadLetter | Unwritable | Duplicate | HostCame | LaneCame | LaneWent "
    "| HostWanted"
)


class Queue(Protocol):
    """Futures fail with `FrontierError` and nothing else; what answers at once reports faults among the events.

    All methods are called from one thread, the loop's. `lane` is a lane's name throughout.
    """

    description: str
    """One phrase for the start line: where the queue is."""

    persistent: bool
    """Whether what is queued outlives the process."""

    shared: bool
    """Whether other processes may be at work on it: hosts are to be claimed, and the start is for one of them."""

    @property
    def job(self) -> str:
        """Of a shared queue, once it is open: a name that no other job has."""
        ...

    @property
    def lost(self) -> int:
        """After `close`, how many requests could not be written, not counting those of `memory_only`."""
        ...

    # The job

    def open(self) -> Future[list[LaneState]]:
        """Make ready, and say what is queued from an earlier run. Nothing else may be called before it is done."""
        ...

    def begin_start(self) -> Future[bool]:
        """Whether this process is to send the spider's start requests: not those that another process has sent.

        Where one is at it the answer comes when that has come to its end, or has died.
        """
        ...

    def end_start(self) -> None:
        """All start requests have been pushed."""
        ...

    @property
    def ended(self) -> bool:
        """Whether there is nothing more to do for any process: nothing queued, in flight or to come from a start; of a
        shared queue also where nothing of it may be sent within the time of the last `claim`."""
        ...

    @property
    def quiet(self) -> bool:
        """Whether all that was pushed or is done has been taken up, and `events` has nothing to tell: what is counted
        of it elsewhere is all there is."""
        ...

    @property
    def paused(self) -> bool:
        """Whether somebody has paused the job of a shared queue, so that nothing leaves it."""
        ...

    def totals(self) -> Totals:
        """As far as known."""
        ...

    def events(self) -> Sequence[QueueEvent]:
        """What has happened since the last call, in order."""
        ...

    def news(self) -> Future[None]:
        """Of a shared queue: done when there is something among the events that nobody in this process has brought
        about, or the queue is closed. Of any other: never."""
        ...

    def close(self) -> Future[None]:
        """Finish what was asked so far, keep what is queued, let go of all resources. Harmless when called twice."""
        ...

    # Hosts

    def claim(self, hosts: int, ahead_s: float) -> None:
        """Of a shared queue: ask for up to so many more hosts that may be asked within `ahead_s` seconds. Their lanes
        come as events."""
        ...

    def release(self, host: str, wait_s: float) -> None:
        """Of a shared queue: give a host back with all its lanes; nobody is to ask it for `wait_s` seconds."""
        ...

    def note(self, host: str, note: bytes) -> None:
        """Keep with a host of this process what whoever has it next is to know: a later run, or of a shared queue
        another process."""
        ...

    def notes(self) -> Sequence[tuple[str, bytes]]:
        """What an earlier run has noted of hosts, once the queue is open. Of a shared queue it comes as `HostCame`."""
        ...

    # Requests

    def push(
        self, lane: str, rank: Rank, request: Request, *, host: str = "", fingerprint: bytes | None = None
    ) -> PushResult:
        """Queue a request, and remember its fingerprint, both or none of it. `host` is what has one pace."""
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

    def may_send(self, entry: Entry) -> bool:
        """Whether `entry` may leave now; not when the lease of its host has ended. Else it is to be given back."""
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
        """How many requests are queued for this process; those popped do not count."""
        ...

    def count(self, lane: str) -> int: ...

    # What was visited

    def has_seen(self, fingerprint: bytes) -> bool:
        """Whether it was pushed or marked before, in this run or an earlier one; of a shared queue as far as known."""
        ...

    def mark_seen(self, fingerprint: bytes) -> None:
        """Remember it without a request."""
        ...

    @property
    def visited_count(self) -> int:
        """How many fingerprints are remembered."""
        ...
