"""The interface of the jobs on a server, for commands: what there is, and what a person may do about it. Blocks.

A `RedisJobs` of `backends.jobs_on`; all of it raises FrontierError.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from scrapy import Request

    from scrapy_polite.frontier.queue import Rank
    from scrapy_polite.frontier.queued import Queued
    from scrapy_polite.frontier.removal import Asked, Meant, Removed


@dataclass(frozen=True, slots=True)
class JobWorker:
    """A process that works on a job."""

    name: str
    since_s: float
    hosts: int


@dataclass(frozen=True, slots=True)
class JobState:
    """`in_flight` counts what processes have taken to send soon. `ended_ago_s` is None of a job that has not ended."""

    name: str
    queued: int
    in_flight: int
    done: int
    visited: int
    set_aside: int
    paused: bool
    ended_ago_s: float | None
    workers: Sequence[JobWorker]


class NewRequest(NamedTuple):
    """As `Queue.push` takes it."""

    lane: str
    host: str
    rank: Rank
    request: Request
    fingerprint: bytes | None


class Jobs(Protocol):
    def states(self) -> list[JobState]: ...

    def state(self, job: str) -> JobState | None:
        """None where there is none of this name."""
        ...

    def queued(self, job: str) -> Queued | None:
        """What it holds, as far as it is at rest meanwhile; None where there is none of this name."""
        ...

    def facts(self) -> str:
        """What a person should know of the server."""
        ...

    def push(self, job: str, requests: Iterable[NewRequest]) -> tuple[int, int]:
        """Queue requests; a job that is not there is made. How many are queued, and how many were known."""
        ...

    def pause(self, job: str, paused: bool) -> None:
        """Let nothing more be taken, or go on; what is in flight comes back."""
        ...

    def drop(self, job: str) -> int:
        """Delete all of a job. Returns the number of keys."""
        ...

    def remove(self, job: str, meant: Meant, progress: Callable[[int], None], *, act: bool) -> Removed:
        """Remove what is meant, and say what that was; unless `act`, only say so. `progress` is told how many requests
        have been looked at."""
        ...

    def requests(self, job: str) -> Iterator[Asked]:
        """What all that is queued, taken or set aside asks for."""
        ...

    def close(self) -> None: ...
