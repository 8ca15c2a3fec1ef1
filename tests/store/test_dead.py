"""What every store keeps of dead URLs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from scrapy_polite.store import memory
from scrapy_polite.store.base import DeadUrl, Store
from scrapy_polite.store.memory import MemoryStore
from scrapy_polite.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

GONE = DeadUrl("https://example.com/gone", status=410, seen_at=1_000.5)


def test_gives_back_what_was_kept(store: Store) -> None:
    assert store.dead(GONE.key).result() is None
    store.keep_dead(GONE).result()
    assert store.dead(GONE.key).result() == GONE
    assert store.dead("https://example.com/other").result() is None


@pytest.mark.parametrize(("seen_at", "wins"), [(1_000.0, False), (1_000.5, True), (1_001.0, True)])
def test_what_was_seen_later_wins(store: Store, seen_at: float, wins: bool) -> None:
    other = DeadUrl(GONE.key, status=404, seen_at=seen_at)
    store.keep_dead(GONE).result()
    store.keep_dead(other).result()
    assert store.dead(GONE.key).result() == (other if wins else GONE)


@pytest.mark.parametrize(("key", "count"), [(GONE.key, 1), (None, 2), ("https://unknown.example/", 0)])
def test_forgets_dead_urls(store: Store, key: str | None, count: int) -> None:
    other = replace(GONE, key="https://example.org/gone")
    for dead in (GONE, other):
        store.keep_dead(dead).result()
    assert store.forget_dead(key).result() == count
    assert (store.dead(GONE.key).result() is None) is (key in {GONE.key, None})
    assert (store.dead(other.key).result() is None) is (key is None)


def test_prunes_what_was_seen_before(store: Store) -> None:
    old = replace(GONE, key="https://example.com/old", seen_at=999.0)
    for dead in (GONE, old):
        store.keep_dead(dead).result()
    assert store.prune(1_000.0).result() == 0
    assert store.dead(old.key).result() is None
    assert store.dead(GONE.key).result() == GONE


def test_a_url_that_utf_8_cannot_hold_is_kept_too(store: Store) -> None:
    store.keep_dead(replace(GONE, key="https://\ud800.example/")).result()
    assert store.dead("https://\ud800.example/").result() is not None


@pytest.mark.parametrize("target_kind", [MemoryStore, SqliteStore])
def test_an_export_carries_dead_urls_and_the_later_wins(
    new_store: Callable[[], Store], target_kind: type[Store], tmp_path: Path
) -> None:
    source = new_store()
    target = MemoryStore() if target_kind is MemoryStore else SqliteStore(tmp_path / "target")
    stale = replace(GONE, key="https://example.com/stale", seen_at=1.0)
    fresh = replace(stale, status=404, seen_at=2.0)
    for dead in (GONE, stale):
        source.keep_dead(dead).result()
    target.keep_dead(fresh).result()
    source.export_to(tmp_path / "export").result()
    target.import_from(tmp_path / "export").result()
    assert [target.dead(dead.key).result() for dead in (GONE, stale)] == [GONE, fresh]
    target.close()


def test_memory_does_not_keep_dead_urls_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "MAX_DEAD", 2)
    store = MemoryStore()
    for number in range(3):
        store.keep_dead(replace(GONE, key=str(number)))
    assert [store.dead(str(number)).result() is None for number in range(3)] == [True, False, False]
