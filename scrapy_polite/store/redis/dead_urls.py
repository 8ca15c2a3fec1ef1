"""Dead URLs on a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy_polite.store.dead_urls import DeadUrl

from .caller import Value
from .sweep import sweep
from .values import encoded, integer, items, number

if TYPE_CHECKING:
    from concurrent.futures import Future

    from .caller import Caller

_ALL = (Value("dead", "zset"),)


class RedisDeadUrls:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get(self, key: str) -> Future[DeadUrl | None]:
        return self._caller.ask("dead_get", encoded(key), of=_ALL, read=lambda reply: _read(key, reply))

    def keep(self, key: str, status: int) -> Future[None]:
        return self._caller.ask("dead_keep", encoded(key), status, of=_ALL, read=lambda _: None)

    def forget(self, key: str | None) -> Future[int]:
        which = () if key is None else (encoded(key),)
        return self._caller.ask("dead_forget", *which, of=_ALL, read=integer)

    def prune(self, keep_s: float) -> Future[int]:
        return sweep(lambda size: self._caller.ask("dead_sweep", repr(keep_s), size, of=_ALL, read=integer))


def _read(key: str, reply: Any) -> DeadUrl | None:
    if not reply:
        return None
    status, seen_at = items(reply, 2)
    return DeadUrl(key, integer(status), number(seen_at))
