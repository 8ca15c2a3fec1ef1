"""The contract of a store: what holds for every kind. A new kind is one more entry of `new_store`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from redis_server import needs_server
from scrapy_polite._redis.url import RedisUrl
from scrapy_polite.store.memory.store import MemoryStore
from scrapy_polite.store.redis.pages import RedisPages
from scrapy_polite.store.redis.store import RedisStore
from scrapy_polite.store.sqlite.pages import SqlitePages
from scrapy_polite.store.sqlite.store import SqliteStore
from store_parts import PAGE_SIZE, StoreClock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from scrapy_polite.store.base import Store
    from scrapy_polite.store.pages import PageStore


@pytest.fixture
def clock() -> StoreClock:
    return StoreClock()


@pytest.fixture(params=["memory", "sqlite", pytest.param("redis", marks=needs_server)])
def new_store(request: pytest.FixtureRequest, tmp_path: Path, clock: StoreClock) -> Iterator[Callable[[], Store]]:
    """Makes empty stores of one kind, whose clock is `clock` and whose feeds have pages of `PAGE_SIZE`."""
    stores: list[Store] = []

    def make() -> Store:
        if request.param == "memory":
            stores.append(MemoryStore(clock=clock, page_size=PAGE_SIZE))
        elif request.param == "redis":
            server = request.getfixturevalue("redis_server")
            url = RedisUrl.parse(f"{server.url}?name={uuid4().hex}")
            stores.append(RedisStore(url, clock=clock, page_size=PAGE_SIZE))
        else:
            path = tmp_path / f"polite-{len(stores)}" / "store.sqlite"
            stores.append(SqliteStore(path, clock=clock, page_size=PAGE_SIZE))
        return stores[-1]

    yield make
    for store in stores:
        store.close()


@pytest.fixture
def store(new_store: Callable[[], Store]) -> Store:
    return new_store()


@pytest.fixture(params=["sqlite", pytest.param("redis", marks=needs_server)])
def new_pages(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], PageStore]]:
    """Opens one store of pages, empty at first, as each of several processes does."""
    opened: list[PageStore] = []
    name = uuid4().hex

    def make() -> PageStore:
        if request.param == "redis":
            server = request.getfixturevalue("redis_server")
            opened.append(RedisPages(RedisUrl.parse(f"{server.url}?name={name}")))
        else:
            opened.append(SqlitePages(tmp_path / "pages.sqlite"))
        return opened[-1]

    yield make
    for pages in opened:
        pages.close()


@pytest.fixture
def pages(new_pages: Callable[[], PageStore]) -> PageStore:
    return new_pages()
