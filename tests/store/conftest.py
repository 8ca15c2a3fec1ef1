from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scrapy_polite.store.memory import MemoryStore
from scrapy_polite.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from scrapy_polite.store.base import Store


@pytest.fixture(params=["memory", "sqlite"])
def new_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Store]]:
    """Makes empty stores of one kind."""
    stores: list[Store] = []

    def make() -> Store:
        path = tmp_path / f"polite-{len(stores)}" / "store.sqlite"
        stores.append(MemoryStore() if request.param == "memory" else SqliteStore(path))
        return stores[-1]

    yield make
    for store in stores:
        store.close()


@pytest.fixture
def store(new_store: Callable[[], Store]) -> Store:
    return new_store()
