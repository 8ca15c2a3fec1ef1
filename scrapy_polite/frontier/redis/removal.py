"""Taking requests out of a job on a server for good, while processes may be at work on it: for what is to be forgotten.

All keys of the job are gone through, a page at a time. A list from which something goes is turned round once: what is
at its front is looked at, and what stays goes to its back. While that is under way a process may get requests in
another order, and none is lost. What processes have taken already they have in memory: their own takedown list refuses
it.
"""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from scrapy_polite.frontier.deferral import LaneName
from scrapy_polite.frontier.redis import names
from scrapy_polite.frontier.redis.operations import print_of
from scrapy_polite.frontier.redis.payload import unpacked
from scrapy_polite.frontier.removal import MAX_EXAMPLES, Asked, Meant, Removed, read_asked
from scrapy_polite.traps import handover

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import redis

#: Requests that are looked at in one step, some 200 KB, and arguments of one script, which holds the server for 1 ms.
_PAGE = 200
_SCANNED = 1_000
#: How often a list is turned round at most, where processes take of it meanwhile.
_ROUNDS = 5


class Removal:
    """`start` is what the names of the job's keys begin with. `ask` gives a function the client, `run` the answer of
    `forget.lua`. `progress` is told how many requests have been looked at."""

    def __init__(
        self,
        start: str,
        ask: Callable[[Callable[[Any], Any]], Any],
        run: Callable[..., int],
        meant: Meant,
        progress: Callable[[int], None],
        *,
        act: bool,
    ) -> None:
        self._begin = start.encode()
        self._ask = ask
        self._run = run
        self._meant = meant
        self._progress = progress
        self._act = act
        self._seen = 0
        self._fingerprints = set(map(meant.fingerprint, meant.known))
        self._done = Removed()

    def all(self) -> Removed:
        """Raises FrontierError."""
        known: set[int] = set()
        for key in self._keys():
            if hash(key) not in known:  # a server may name one twice
                known.add(hash(key))
                self._key(key.removeprefix(self._begin))
        prints = sorted(map(print_of, self._fingerprints))
        for some in _chunks(prints):
            self._done.visited += self._run("visited" if self._act else "known", *some)
        return self._done

    def _keys(self) -> Iterator[bytes]:
        cursor: int | None = None
        pattern = b"".join(b"\\" + bytes([one]) if one in b"*?[]\\" else bytes([one]) for one in self._begin) + b"*"
        while cursor != 0:
            at = cursor or 0
            cursor, keys = self._ask(partial(_scan, at, pattern))
            yield from keys

    def _key(self, name: bytes) -> None:
        kind, _, rest = name.partition(b":")
        if kind == b"q":
            host, _, queue = rest.partition(b" ")
            self._queue(host, queue)
        elif kind == b"t":
            self._taken(rest)
        elif kind == b"h":
            self._note(rest)
        elif name == b"aside":
            self._aside()

    # Requests

    def _queue(self, host: bytes, queue: bytes) -> None:
        lane = names.read(_text(host), queue).lane
        key = self._begin + b"q:" + host + b" " + queue
        in_order = b"\ta" not in queue
        pages = self._list(key) if in_order else self._set(key)
        found = [row for row in pages if self._is_meant(lane, row if in_order else row.partition(b" ")[2])]
        if not self._act or not found:
            self._done.queued += len(found)
        elif self._meant.covers_origin(LaneName.read(lane).origin):
            self._done.queued += self._run("whole", host, queue)
        elif in_order:
            self._done.queued += self._turned(host, queue, key, set(found))
        else:
            self._done.queued += sum(self._run("members", host, queue, *some) for some in _chunks(found))

    def _turned(self, host: bytes, queue: bytes, key: bytes, meant: set[bytes]) -> int:
        count = 0
        for _ in range(_ROUNDS):
            left = self._ask(lambda client: client.llen(key))
            while left > 0:
                size = min(left, _PAGE)
                front = self._ask(partial(_page, key, 0, size))
                count += self._run("queue", host, queue, size, *meant.intersection(front))
                left -= size
            if not any(row in meant for row in self._list(key)):
                break
        return count

    def _taken(self, worker: bytes) -> None:
        key = self._begin + b"t:" + worker
        found = []
        for number, row in self._ask(lambda client: list(client.hscan_iter(key, count=_PAGE))):
            host, queue, body = (*row.split(b"\n", 2), b"", b"")[:3]
            if self._is_meant(names.read(_text(host), queue).lane, body):
                found.append(number)
        if self._act:
            self._done.queued += sum(self._run("taken", worker, *some) for some in _chunks(found))
        else:
            self._done.queued += len(found)

    def _aside(self) -> None:
        found = []
        for row in self._list(self._begin + b"aside"):
            _, host, queue, body = (*row.split(b"\n", 3), b"", b"", b"")[:4]
            if self._is_meant(names.read(_text(host), queue).lane, body):
                found.append(row)
        if self._act:
            self._done.set_aside += sum(self._run("aside", *some) for some in _chunks(found))
        else:
            self._done.set_aside += len(found)

    def _is_meant(self, lane: str, body: bytes) -> bool:
        """`body`: a digit, and what `payload` has packed."""
        self._seen += 1
        if self._seen % _SCANNED == 0:
            self._progress(self._seen)
        try:
            asked = read_asked(unpacked(body[1:], lane))
        except ValueError:
            asked = Asked("")
        if not self._meant.covers_origin(LaneName.read(lane).origin) and not (
            asked.url and self._meant.covers(asked.url)
        ):
            self._done.unreadable += not asked.url
            return False
        if asked.url:
            self._fingerprints.add(self._meant.fingerprint(asked))
            if len(self._done.examples) < MAX_EXAMPLES:
                self._done.examples.append(asked.url)
        return True

    def _list(self, key: bytes) -> Iterator[bytes]:
        at = 0
        while rows := self._ask(partial(_page, key, at, _PAGE)):
            yield from rows
            at += _PAGE

    def _set(self, key: bytes) -> Iterator[bytes]:
        return iter(self._ask(lambda client: set(client.sscan_iter(key, count=_PAGE))))

    # What is known of traps

    def _note(self, host: bytes) -> None:
        note = self._ask(lambda client: client.hget(self._begin + b"h:" + host, "note"))
        if not note:
            return
        left, urls = handover.without(note, self._meant.covers, self._meant.covers_origin)
        if left != note:
            self._done.trap_examples += urls
            if self._act:
                self._run("note", host, note, left)


def _scan(at: int, pattern: bytes, client: redis.Redis) -> Any:
    return client.scan(at, match=pattern, count=_SCANNED)


def _page(key: bytes, at: int, size: int, client: redis.Redis) -> Any:
    return client.lrange(key, at, at + size - 1)


def _text(host: bytes) -> str:
    return host.decode("utf-8", "surrogatepass")


def _chunks(rows: Iterable[Any]) -> Iterator[list[Any]]:
    rest = iter(rows)
    while some := list(islice(rest, _PAGE)):
        yield some
