"""Taking requests out of a job on a server for good, while processes may be at work on it: for what is to be forgotten.

A list from which something goes is turned round once: what is at its front is looked at, and what stays goes to its
back. While that is under way a process may get requests in another order, and none is lost. What processes have taken
already they have in memory: their own takedown list refuses it.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from scrapy_polite.frontier.deferral import LaneName
from scrapy_polite.frontier.redis.operations import print_of
from scrapy_polite.frontier.redis.rows import PAGE, JobRows, asked_of, body_of, host_and_queue, in_order, lane_of
from scrapy_polite.frontier.removal import MAX_EXAMPLES, Meant, Removed
from scrapy_polite.traps import handover

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

#: How often a list is turned round at most, where processes take of it meanwhile.
_ROUNDS = 5


class Removal:
    """`ask` gives a function the client, `run` the answer of `forget.lua`. `progress` is told how many requests were
    looked at."""

    def __init__(
        self,
        rows: JobRows,
        ask: Callable[[Callable[[Any], Any]], Any],
        run: Callable[..., int],
        meant: Meant,
        progress: Callable[[int], None],
        *,
        act: bool,
    ) -> None:
        self._rows = rows
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
        for kind, rest in self._rows.parts():
            if kind == b"q":
                self._done.queued += self._of_queue(*host_and_queue(rest))
            elif kind == b"t":
                self._done.queued += self._of_rows(self._rows.taken(rest), "taken", rest)
            elif kind == b"aside":
                self._done.set_aside += self._of_rows(self._rows.aside(), "aside")
            elif kind == b"h":
                self._note(rest)
        prints = sorted(map(print_of, self._fingerprints))
        self._done.visited = sum(self._run("visited" if self._act else "known", *some) for some in _chunks(prints))
        return self._done

    def _of_queue(self, host: bytes, queue: bytes) -> int:
        lane = lane_of(host, queue)
        found = [row for row in self._rows.queue(host, queue) if self._is_meant(lane, body_of(queue, row))]
        if not self._act or not found:
            return len(found)
        if self._meant.covers_origin(LaneName.read(lane).origin):
            return self._run("whole", host, queue)
        if in_order(queue):
            return self._turned(host, queue, set(found))
        return sum(self._run("members", host, queue, *some) for some in _chunks(found))

    def _turned(self, host: bytes, queue: bytes, meant: set[bytes]) -> int:
        key, count = self._rows.key(host, queue), 0
        for _ in range(_ROUNDS):
            left = self._ask(lambda client: client.llen(key))
            while left > 0:
                size = min(left, PAGE)
                front = self._rows.page(key, 0, size)
                count += self._run("queue", host, queue, size, *meant.intersection(front))
                left -= size
            if meant.isdisjoint(self._rows.queue(host, queue)):
                break
        return count

    def _of_rows(self, rows: Iterable[tuple[bytes, str, bytes]], what: str, *which: bytes) -> int:
        found = [row for row, lane, body in rows if self._is_meant(lane, body)]
        return sum(self._run(what, *which, *some) for some in _chunks(found)) if self._act else len(found)

    def _is_meant(self, lane: str, body: bytes) -> bool:
        self._seen += 1
        self._progress(self._seen)
        asked = asked_of(lane, body)
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

    def _note(self, host: bytes) -> None:
        """What is known of traps at a host."""
        key = self._rows.begin + b"h:" + host
        note = self._ask(lambda client: client.hget(key, "note"))
        if not note:
            return
        left, urls = handover.without(note, self._meant.covers, self._meant.covers_origin)
        if left != note:
            self._done.trap_examples += urls
            if self._act:
                self._run("note", host, note, left)


def _chunks(rows: Iterable[Any]) -> Iterator[list[Any]]:
    rest = iter(rows)
    while some := list(islice(rest, PAGE)):
        yield some
