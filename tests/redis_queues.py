"""Queues on a server as tests use them: several processes' side by side, and one that looks like one process's own."""

from __future__ import annotations

import time
from itertools import count
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider

from scrapy_polite._redis.url import RedisUrl
from scrapy_polite.frontier.codec import Codec
from scrapy_polite.frontier.queue import Duplicate, Entry, LaneState, PushResult, QueueEvent, Rank, Totals
from scrapy_polite.frontier.redis.batch import Batch
from scrapy_polite.frontier.redis.operations import Operation
from scrapy_polite.frontier.redis.queue import RedisQueue
from scrapy_polite.frontier.redis.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from concurrent.futures import Future

    from scrapy_polite.frontier.redis.operations import Argument

LIMIT_S = 20.0
_jobs = count()


def new_job() -> str:
    return f"test-{next(_jobs)}"


def redis_queue(url: str, job: str, lease_s: float = 30.0, **options: Any) -> RedisQueue:
    """Not opened yet."""
    return RedisQueue(Session(RedisUrl.parse(url), job, lease_s), Codec(), Spider("test"), **options)


def opened(url: str, job: str, lease_s: float = 30.0, **options: Any) -> RedisQueue:
    queue = redis_queue(url, job, lease_s, **options)
    queue.open().result(LIMIT_S)
    return queue


def apply(session: Session, *operations: Sequence[Argument]) -> bytes:
    """A batch of operations, each a letter and what it is of; how its pushes ended."""
    return bytes(session.apply(Batch.of(Operation(one, 0) for one in operations), again=False)[0])


def settle(queue: RedisQueue, events: list[QueueEvent] | None = None) -> list[QueueEvent]:
    """Until all that was asked for has been applied, and has been heard of."""
    seen = [] if events is None else events

    def heard() -> bool:
        seen.extend(queue.events())
        return queue._link.quiet

    queue._link._hurry()
    until(heard)
    return seen


def claim(queue: RedisQueue, hosts: int = 100) -> list[QueueEvent]:
    """Claim, and wait for the answer."""
    seen = settle(queue)
    for _ in range(2):  # the first answer may be that to a call that was under way
        before = queue._inbox.facts
        queue.claim(hosts, 60.0)
        until(lambda before=before: seen.extend(queue.events()) or queue._inbox.facts is not before)  # type: ignore[misc]
    return seen


def until(done: Callable[[], object], limit_s: float = LIMIT_S) -> None:
    deadline = time.monotonic() + limit_s
    while not done():
        assert time.monotonic() < deadline, "it has not happened in time"
        time.sleep(0.001)


class Alone(RedisQueue):
    """The only process of a job, which waits for the answer to each call: what a queue of its own would say."""

    shared = False

    def open(self) -> Future[list[LaneState]]:
        future = super().open()
        future.result(LIMIT_S)
        return future

    def push(
        self, lane: str, rank: Rank, request: Request, *, host: str = "", fingerprint: bytes | None = None
    ) -> PushResult:
        result = super().push(lane, rank, request, host=host, fingerprint=fingerprint)
        events = claim(self)
        if result is not PushResult.UNKNOWN:
            return result
        return PushResult.SEEN if any(isinstance(event, Duplicate) for event in events) else PushResult.KEPT

    def ready(self, lane: str) -> bool:
        if self.head(lane) is not None:
            self.fetch([lane])
            until(lambda: RedisQueue.ready(self, lane))
        return RedisQueue.ready(self, lane)

    def fetch(self, lanes: Collection[str]) -> Future[None]:
        future = super().fetch(lanes)
        until(lambda: self.events() or future.done())
        return future

    def pop(self, lane: str) -> Entry:
        self.ready(lane)
        return super().pop(lane)

    def totals(self) -> Totals:
        """Without what is only here."""
        settle(self)
        taken = super().totals()
        return Totals(len(self), taken.queued + taken.in_flight - len(self))

    @property
    def visited_count(self) -> int:
        settle(self)
        return super().visited_count


def alone(url: str, job: str) -> Alone:
    return Alone(Session(RedisUrl.parse(url), job, 30.0), Codec(), Spider("test"))
