"""All requests of a job on a server, a page at a time, as they stand there: for commands."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

from scrapy_polite.frontier.redis import names
from scrapy_polite.frontier.redis.payload import unpacked
from scrapy_polite.frontier.removal import Asked, read_asked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import redis

#: Requests of a page: some 30 KB.
PAGE = 200
_SCANNED = 1_000


class JobRows:
    """`begin` is what the names of the job's keys begin with. `ask` gives a function the client. All of it raises
    FrontierError. Processes may be at work on the job.

    A row is what stands for one request: in a queue a digit and what `payload` has packed, with a number before it
    where the queue is in no order; host and queue as well where it was taken; why as well where it was set aside.
    """

    def __init__(self, begin: str, ask: Callable[[Callable[[Any], Any]], Any]) -> None:
        self.begin = begin.encode()
        self._ask = ask

    def parts(self) -> Iterator[tuple[bytes, bytes]]:
        """What a key is of, and of which: `q` and host and queue, `t` and worker, `h` and host, `aside`."""
        known: set[int] = set()
        for keys in self.scan():
            for key in keys:
                if hash(key) not in known:
                    known.add(hash(key))
                    kind, _, rest = key.removeprefix(self.begin).partition(b":")
                    yield kind, rest

    def scan(self) -> Iterator[list[bytes]]:
        """The names of the job's keys, some at a time; the server may name one twice."""
        pattern = _escaped(self.begin) + b"*"
        cursor: int | None = None
        while cursor != 0:
            cursor, keys = self._ask(partial(_scan, cursor or 0, pattern))
            yield keys

    def all(self) -> Iterator[Asked]:
        """What each request asks for: queued, taken, or set aside."""
        for kind, rest in self.parts():
            if kind == b"q":
                host, queue = host_and_queue(rest)
                lane = lane_of(host, queue)
                for row in self.queue(host, queue):
                    yield asked_of(lane, body_of(queue, row))
            elif kind == b"t":
                for _, lane, body in self.taken(rest):
                    yield asked_of(lane, body)
            elif kind == b"aside":
                for _, lane, body in self.aside():
                    yield asked_of(lane, body)

    def queue(self, host: bytes, queue: bytes) -> Iterator[bytes]:
        key = self.key(host, queue)
        if not in_order(queue):
            return iter(self._ask(lambda client: set(client.sscan_iter(key, count=PAGE))))
        return self._list(key)

    def key(self, host: bytes, queue: bytes) -> bytes:
        return self.begin + b"q:" + host + b" " + queue

    def taken(self, worker: bytes) -> Iterator[tuple[bytes, str, bytes]]:
        """Number, lane and body."""
        key = self.begin + b"t:" + worker
        for number, row in self._ask(lambda client: list(client.hscan_iter(key, count=PAGE))):
            host, queue, body = (*row.split(b"\n", 2), b"", b"")[:3]
            yield number, lane_of(host, queue), body

    def aside(self) -> Iterator[tuple[bytes, str, bytes]]:
        """Row, lane and body."""
        for row in self._list(self.begin + b"aside"):
            _, host, queue, body = (*row.split(b"\n", 3), b"", b"", b"")[:4]
            yield row, lane_of(host, queue), body

    def _list(self, key: bytes) -> Iterator[bytes]:
        at = 0
        while rows := self.page(key, at, PAGE):
            yield from rows
            at += PAGE

    def page(self, key: bytes, at: int, size: int) -> list[bytes]:
        return self._ask(partial(_page, key, at, size))  # type: ignore[no-any-return]  # as the server has it


def host_and_queue(rest: bytes) -> tuple[bytes, bytes]:
    host, _, queue = rest.partition(b" ")
    return host, queue


def lane_of(host: bytes, queue: bytes) -> str:
    return names.read(host.decode("utf-8", "surrogatepass"), queue).lane


def in_order(queue: bytes) -> bool:
    """Whether it is a list, not a set."""
    return b"\ta" not in queue


def body_of(queue: bytes, row: bytes) -> bytes:
    return row if in_order(queue) else row.partition(b" ")[2]


def asked_of(lane: str, body: bytes) -> Asked:
    try:
        return read_asked(unpacked(body[1:], lane))
    except ValueError:
        return Asked("")


def _escaped(text: bytes) -> bytes:
    """For a pattern of SCAN."""
    return re.sub(rb"[*?\[\]\\^]", rb"\\\g<0>", text)


def _scan(at: int, pattern: bytes, client: redis.Redis) -> Any:
    return client.scan(at, match=pattern, count=_SCANNED)


def _page(key: bytes, at: int, size: int, client: redis.Redis) -> Any:
    return client.lrange(key, at, at + size - 1)
