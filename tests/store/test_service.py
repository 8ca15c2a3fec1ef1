"""The store of a crawl, as its services have it."""

from __future__ import annotations

import asyncio
import time

import pytest

from scrapy_polite.services.store import StoreService
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
