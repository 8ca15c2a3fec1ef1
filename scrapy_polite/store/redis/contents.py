"""All that a store on a server holds."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

from scrapy_polite.store.base import every_quarantine
from scrapy_polite.store.dead_urls import DeadUrl

from .caller import Value
from .store import RedisStore
from .values import GarbledValue, integer, items, number, text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy_polite._redis.url import RedisUrl
    from scrapy_polite.store.quarantines import Quarantine
    from scrapy_polite.store.robots import RobotsCopy


class ServerContents:
    """A `StoredFile`. What is kept or dropped meanwhile may be left out, or come."""

    def __init__(self, url: RedisUrl) -> None:
        self._url = url

    def copies(self) -> Iterator[RobotsCopy]:
        with closing(RedisStore(self._url)) as store:
            origins = {member.partition(" ")[0] for member, _ in _scan(store, "robots")}
            for origin in origins:
                yield from store.robots.of_origin(origin).result()

    def dead_urls(self) -> Iterator[DeadUrl]:
        with closing(RedisStore(self._url)) as store:
            for member, seen_at in dict(_scan(store, "dead")).items():
                status, _, url = member.partition(" ")
                if status in {"404", "410"}:
                    yield DeadUrl(url, int(status), seen_at)

    def quarantines(self) -> Iterator[Quarantine]:
        with closing(RedisStore(self._url)) as store:
            yield from every_quarantine(store)


def _scan(store: RedisStore, listed: str) -> Iterator[tuple[str, float]]:
    cursor = -1
    while cursor:
        cursor, found = store.caller.ask(
            "scan", listed, max(cursor, 0), of=(Value(listed, "zset"),), read=_scanned
        ).result()
        yield from found


def _scanned(reply: Any) -> tuple[int, list[tuple[str, float]]]:
    cursor, pairs = items(reply, 2)
    if not isinstance(pairs, list):
        raise GarbledValue
    return integer(cursor), [(text(name), number(score)) for name, score in zip(pairs[::2], pairs[1::2], strict=True)]
