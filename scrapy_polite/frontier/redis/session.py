"""One process on the server: its name, its lease, its numbered batches. Blocks: for a thread of its own."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from scrapy_polite._redis.connection import connect_fit, connect_to_keys, memory_told, warnings
from scrapy_polite._redis.faults import RedisRefused
from scrapy_polite._redis.keys import prefix
from scrapy_polite._redis.scripts import Call, Scripts
from scrapy_polite.frontier.redis.alike import compared
from scrapy_polite.text import duration

if TYPE_CHECKING:
    import redis

    from scrapy_polite._redis.connection import ServerFacts
    from scrapy_polite._redis.url import RedisUrl
    from scrapy_polite.frontier.redis.alike import About
    from scrapy_polite.frontier.redis.batch import Batch, Take

#: The version of the key schema (docs/many-machines.md).
SCHEMA = "2"
#: All jobs on a server; not in the slot of any of them.
JOBS = "polite:jobs"
#: The share of a lease for which this process no longer relies on it, and the least and most of that, in seconds.
_MARGIN, _LEAST_MARGIN_S, _MOST_MARGIN_S = 0.1, 0.1, 1.0
#: Longer than any lease.
_LONG_S = 1e9
#: The share of a lease for which an answer is waited for.
_TIMEOUT, _MOST_TIMEOUT_S = 0.2, 5.0


class SessionError(Exception):
    """What the server says of this process."""


class Fenced(SessionError):
    """Others have cleared up after it, or the server has forgotten batches: it goes on under a new name."""


class JobLost(SessionError):
    """The server does not know the job any more."""


class Stale(SessionError):
    """The connection was overtaken by a later one of the same process."""


@dataclass(frozen=True, slots=True)
class Greeting:
    """What the server says to a process that comes, or comes back.

    `anew`: under a new name. `went_back`: the server may have lost what it had acknowledged. `ended_ago_s`: the job has
    ended, so long ago; None where it has not, or a new run of it begins.
    """

    anew: bool
    went_back: bool
    ended_ago_s: float | None
    queued: int
    warnings: Sequence[str]


class Recall:
    """What the server has of this process: its hosts, and the requests that it took."""

    __slots__ = ("cursors", "hosts", "requests")

    def __init__(self) -> None:
        self.hosts: list[Any] = []
        self.requests: list[Any] = []
        self.cursors: dict[str, str | None] = {}


class Session:
    """Raises errors of redis-py, and SessionError. `only_pushes`: it takes nothing. `about`: see `alike`."""

    def __init__(
        self, url: RedisUrl, job: str, lease_s: float, *, only_pushes: bool = False, about: About | None = None
    ) -> None:
        self.url = url
        self.job = job
        self.lease_s = lease_s
        self.prefix = prefix("job", job)
        #: This process's name on the server, a new one after each time that it was fenced.
        self.worker = ""
        #: Until when requests may be sent, by the monotonic clock and the system's.
        self.deadline = (0.0, 0.0)
        self._only_pushes = only_pushes
        self._about = about
        self._margin_s = min(max(lease_s * _MARGIN, _LEAST_MARGIN_S), _MOST_MARGIN_S)
        self._timeout_s = min(lease_s * _TIMEOUT, _MOST_TIMEOUT_S)
        self._scripts = Scripts(__package__, self.prefix)
        self._client: redis.Redis | None = None
        self._epoch = 0
        self._number = 0
        self._run_id = ""
        self._job_id = ""
        self._fenced = False

    @property
    def description(self) -> str:
        return f"job {self.job} on {self.url.shown}"

    @property
    def name(self) -> str:
        """Of this very job: one that is made anew under its name has another."""
        return f"{self.job}-{self._job_id[:8]}"

    @property
    def connected(self) -> bool:
        return self._client is not None

    @property
    def may_send(self) -> bool:
        """Whether the lease holds. A machine that slept may have stopped either clock."""
        monotonic, wall = self.deadline
        return time.monotonic() < monotonic and time.time() < wall

    def disconnect(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.close()

    def connect(self, *, in_doubt: bool) -> Greeting:
        """Come, or come back. `in_doubt`: the last batch may have been applied, or not."""

        def greet(client: redis.Redis, facts: ServerFacts) -> Greeting:
            self._epoch += 1
            self._client = client
            try:
                others = compared(client, self.prefix, self.job, self._about) if self._about and not self.worker else []
                greeting = self._greet(facts, in_doubt=in_doubt)
                return replace(greeting, warnings=[*greeting.warnings, *others])
            except BaseException:
                self._client = None
                raise

        return connect_fit(self.url, self._timeout_s, greet)[1]

    def _greet(self, facts: ServerFacts, *, in_doubt: bool) -> Greeting:
        run_id, said = facts.run_id, warnings(facts)
        known, restarted = bool(self.worker), bool(self._run_id) and run_id != self._run_id
        if known and not self._fenced:
            try:
                number = self._greeted(facts, comes_back=True)[0]
            except Fenced:
                number = -1
            if number == self._number or (in_doubt and number == self._number - 1):
                self._run_id = run_id
                return Greeting(False, False, None, 0, said)
        before, self.worker = self.worker, self._new_name()
        self._number = 0
        self.deadline = (0.0, 0.0)
        try:
            _, ended_ago, queued, job_id, waits = self._greeted(facts, must_exist=known)
        except BaseException:
            # Whether it is known by that name or not: the next time it comes by another.
            self.worker, self._fenced = before, known
            raise
        self._run_id, self._job_id, self._fenced = run_id, job_id.decode(), False
        if not known:
            self._list_job()
            if waits and facts.intact_s < self.lease_s:
                said.append(
                    f"the server was started {duration(facts.intact_s)} ago and has nothing of this job, as if it had "
                    f"lost it: nobody gets a host for {duration(waits / 1e6)}, until no lease of before can last"
                )
        return Greeting(True, restarted, None if ended_ago < 0 else ended_ago / 1e6, queued, said)

    def _new_name(self) -> str:
        # Who only pushes has no share of the hosts.
        kind = "push:" if self._only_pushes else ""
        return f"{kind}{socket.gethostname()[:40]}/{os.getpid()}/{uuid4().hex[:8]}"

    def _list_job(self) -> None:
        import redis

        if self._client is not None:
            with suppress(redis.RedisError):  # the job works without
                try:
                    self._client.sadd(JOBS, self.job)
                except redis.exceptions.MovedError:
                    connect_to_keys(self.url, self._timeout_s, lambda client: client.sadd(JOBS, self.job))[0].close()

    def _greeted(self, facts: ServerFacts, *, must_exist: bool = False, comes_back: bool = False) -> Sequence[Any]:
        flags = [int(flag) for flag in (must_exist or comes_back, comes_back, self._only_pushes)]
        intact_us, new_id = int(min(facts.intact_s, _LONG_S) * 1e6), uuid4().hex
        return self._ask(
            "greet", self._lease_us, facts.run_id, SCHEMA, *flags, self.worker, intact_us, self._job_id, new_id
        )

    @property
    def _lease_us(self) -> int:
        return int(self.lease_s * 1e6)

    # Each of these is one call

    def apply(self, batch: Batch, *, again: bool, take: Take | None = None) -> Sequence[Any]:
        """The next batch, or the last one `again`; after it what is to be taken. The last part of the answer is that
        of `take`, empty where it is not carried out."""
        if not again:
            self._number += 1
        arguments = batch.arguments if take is None else batch.then(take).arguments
        with self._renewed(take is not None and not again):
            return self._ask("batch" if batch.pushes else "relief", self._number, *arguments)

    def unapplied(self) -> None:
        """The last batch was refused: the next has its number."""
        self._number -= 1

    def memory_told(self) -> str:
        """How much memory is used, for an error."""
        return "not connected" if self._client is None else memory_told(self._client)

    def take(self, take: Take) -> Sequence[Any]:
        with self._renewed(True):
            answer: Sequence[Any] = self._ask("take", *take.arguments)[0]
            return answer

    @contextmanager
    def _renewed(self, renews: bool) -> Iterator[None]:
        """Whether a call that succeeds renews the lease."""
        before = time.monotonic(), time.time()
        yield
        if renews:
            holds_s = self.lease_s - self._margin_s
            self.deadline = (before[0] + holds_s, before[1] + holds_s)

    def recall(self, recall: Recall) -> None:
        """Ask for all of it. Where a call fails, what has come is there already the next time."""
        for what, found in (("hosts", recall.hosts), ("requests", recall.requests)):
            while (cursor := recall.cursors.get(what, "0")) is not None:
                following, page = self._ask("recall", what, cursor)
                found.extend(page)
                recall.cursors[what] = None if following == b"0" else following.decode()

    def begins_start(self) -> bool | None:
        """None: another process is at it."""
        answer = int(self._ask("start")[0])
        return None if answer < 0 else bool(answer)

    def leave(self) -> None:
        while int(self._ask("leave")[0]):
            pass

    def _ask(self, script: str, *arguments: Any) -> Sequence[Any]:
        if self._client is None:
            raise ConnectionError("not connected")
        call = Call(script, (self.worker, self._epoch, *arguments))
        answer = self._scripts.run(self._client, [call])[0]
        if isinstance(answer, Exception):
            raise answer
        said = answer[0].decode()
        if said == "OK":
            return answer[1:]  # type: ignore[no-any-return]
        if said == "STALE":
            raise Stale
        if said == "LOST":
            raise JobLost
        if said == "SCHEMA":
            raise RedisRefused(other_schema(self.job, answer[1].decode()))
        self._fenced = True
        self.deadline = (0.0, 0.0)
        raise Fenced


def other_schema(job: str, schema: str) -> str:
    return (
        f"job {job} was written by another version of scrapy-polite (key schema {schema}, this one has {SCHEMA}): use "
        "the same version on all machines, or another POLITE_JOB"
    )
