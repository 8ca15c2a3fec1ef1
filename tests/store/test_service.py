"""The store of a crawl, as its services have it."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import Future
from typing import Any

import pytest

from scrapy_polite.events import Events, Fault, Recovered
from scrapy_polite.services.store import StoreService
from scrapy_polite.store.crawl import CrawlStore
from scrapy_polite.store.errors import StoreError, StoreUnavailable
from scrapy_polite.store.memory.store import MemoryStore
from scrapy_polite.store.robots import RobotsCopy

DAY_S = 86_400.0


@pytest.mark.parametrize(("age_days", "kept"), [(1, True), (3, False)])
def test_copies_that_no_crawl_renewed_for_so_many_days_are_dropped(age_days: int, kept: bool) -> None:
    store = MemoryStore()
    store.robots.put(RobotsCopy("https://example.com", "bot", updated_at=time.time() - age_days * DAY_S))

    async def scenario() -> None:
        await StoreService(store, keep_days=2).prune()

    asyncio.run(scenario())
    assert bool(store.robots.of_origin("https://example.com").result()) is kept


class Broken(MemoryStore):
    """Everything asked of its hosts fails, each time with another figure."""

    lasting = True
    count = 0

    def __init__(self, *, replaceable: bool) -> None:
        super().__init__()
        self.replaceable = replaceable

    def acquire(self, store: object) -> Future[Any]:
        future: Future[Any] = Future()
        if store is self:
            self.count += 1
            future.set_exception(StoreError(f"store x: it is broken ({self.count} bytes)"))
        else:
            future.set_result("in memory")
        return future


@pytest.mark.parametrize("replaceable", [True, False])
def test_only_a_store_that_no_other_machine_uses_is_replaced_by_one_in_memory(
    replaceable: bool, caplog: pytest.LogCaptureFixture
) -> None:
    broken = Broken(replaceable=replaceable)
    store = CrawlStore(broken)

    async def scenario() -> list[object]:
        return [await answer() for _ in range(3)]

    async def answer() -> object:
        try:
            return await store.ask_shared(broken.acquire)
        except StoreUnavailable as error:
            return str(error)

    answers = asyncio.run(scenario())
    if replaceable:
        assert answers == ["in memory"] * 3
    else:
        assert answers == [f"store x: it is broken ({count} bytes)" for count in (1, 2, 3)]
        assert store.backend is broken
    assert [record.levelname for record in caplog.records] == ["ERROR"]


class Away(MemoryStore):
    """On a server that does not answer while `is_away`."""

    lasting, replaceable, is_away = True, False, True

    def acquire(self, store: object) -> Future[Any]:
        future: Future[Any] = Future()
        if self.is_away and store is self:
            future.set_exception(StoreUnavailable("store x does not answer", since=1.0))
        else:
            future.set_result("answered")
        return future


def test_an_outage_is_published_when_it_begins_and_when_it_is_over() -> None:
    """What `polite_alert` and the metric `healthy` are made of."""
    events, away, heard = Events(), Away(), list[object]()
    for kind in (Fault, Recovered):
        events.read(kind, heard.append)
    service = StoreService(away, events=events)

    async def scenario() -> None:
        for is_away in (True, True, False, False, True):
            away.is_away = is_away
            await service.ask(away.acquire)

    asyncio.run(scenario())
    fault = Fault("store", "store x does not answer")
    assert heard == [fault, Recovered("store"), fault]


def test_a_store_that_is_replaced_by_one_in_memory_does_not_recover() -> None:
    events, broken, heard = Events(), Broken(replaceable=True), list[object]()
    for kind in (Fault, Recovered):
        events.read(kind, heard.append)
    service = StoreService(broken, events=events)

    async def scenario() -> None:
        for _ in range(3):
            await service.ask(broken.acquire)

    asyncio.run(scenario())
    assert heard == [Fault("store", "store x: it is broken (1 bytes)")]
