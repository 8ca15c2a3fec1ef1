"""What is being read of queues on the server, how much at a time, and who waits for it."""

from __future__ import annotations

import time
from concurrent.futures import Future
from typing import TYPE_CHECKING

from scrapy_polite.frontier.redis import names
from scrapy_polite.frontier.redis.futures import resolve

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy_polite.frontier.redis.lanes import Item
    from scrapy_polite.frontier.redis.link import Link

#: Requests read of a queue at first and at most: a queue that is soon read again has twice as many.
READ, _MOST_READ = 8, 128
#: Of queues whose last request goes first: what is here goes before what comes later.
_READ_LAST_FIRST = 2
_SOON_S = 1.0
_MOST_KNOWN = 10_000

#: Host and name.
QueueKey = tuple[str, bytes]


class Reads:
    def __init__(self, link: Link) -> None:
        self._link = link
        self._under_way: set[QueueKey] = set()
        #: The most that was read of a queue last, and when.
        self._last: dict[QueueKey, tuple[int, float]] = {}
        self._waiting: list[tuple[set[QueueKey], Future[None]]] = []

    def ask(self, key: QueueKey, *, is_waited_for: bool = False) -> None:
        """Unless it is under way."""
        if key in self._under_way:
            return
        now = time.monotonic()
        most, at = self._last.get(key, (READ // 2, now))
        most = min(2 * most, _MOST_READ) if now - at < _SOON_S else READ
        if names.read(*key).cls.last_first:
            most = _READ_LAST_FIRST
        if len(self._last) > _MOST_KNOWN:
            self._last.clear()
        self._last[key] = most, now
        self._under_way.add(key)
        self._link.read(*key, most, is_waited_for=is_waited_for)

    def ask_all(self, keys: Iterable[QueueKey]) -> Future[None]:
        """Done when all of them have been read."""
        future: Future[None] = Future()
        wanted = set(keys)
        for key in wanted:
            self.ask(key, is_waited_for=True)
        if wanted:
            self._waiting.append((wanted, future))
        else:
            future.set_result(None)
        return future

    def usual(self, item: Item) -> int:
        """How many requests a read of this one's queue brings."""
        return self._last.get((item.host, item.queue), (READ, 0.0))[0]

    def has_come(self, key: QueueKey) -> None:
        self._under_way.discard(key)
        for keys, future in self._waiting:
            keys.discard(key)
            if not keys:
                resolve(future, None)
        self._waiting = [(keys, future) for keys, future in self._waiting if keys]

    def let_go(self) -> None:
        """Nobody waits for what is being read any more."""
        waiting, self._waiting = self._waiting, []
        self._under_way.clear()
        for _, future in waiting:
            resolve(future, None)
