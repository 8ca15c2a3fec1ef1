"""What every store keeps of dead URLs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scrapy_polite.store.dead_urls import DeadUrl

if TYPE_CHECKING:
    from scrapy_polite.store.base import Store
    from store_parts import StoreClock

GONE = DeadUrl("https://example.com/gone", status=410, seen_at=1_000.5)
OTHER = "https://example.org/gone"


def keep(store: Store, clock: StoreClock, *found: DeadUrl) -> None:
    for dead in found:
        clock.at = dead.seen_at
        store.dead_urls.keep(dead.key, dead.status).result()


def test_gives_back_what_was_kept(store: Store, clock: StoreClock) -> None:
    assert store.dead_urls.get(GONE.key).result() is None
    keep(store, clock, GONE)
    assert store.dead_urls.get(GONE.key).result() == GONE
    assert store.dead_urls.get("https://example.com/other").result() is None


@pytest.mark.parametrize(("seen_at", "wins"), [(1_000.0, False), (1_000.5, True), (1_001.0, True)])
def test_what_was_seen_later_wins(store: Store, clock: StoreClock, seen_at: float, wins: bool) -> None:
    other = DeadUrl(GONE.key, status=404, seen_at=seen_at)
    keep(store, clock, GONE, other)
    assert store.dead_urls.get(GONE.key).result() == (other if wins else GONE)


@pytest.mark.parametrize(("key", "count"), [(GONE.key, 1), (None, 2), ("https://unknown.example/", 0)])
def test_forgets_dead_urls(store: Store, key: str | None, count: int) -> None:
    for url in (GONE.key, OTHER):
        store.dead_urls.keep(url, 410).result()
    assert store.dead_urls.forget(key).result() == count
    assert (store.dead_urls.get(GONE.key).result() is None) is (key in {GONE.key, None})
    assert (store.dead_urls.get(OTHER).result() is None) is (key is None)


def test_prunes_what_was_seen_before(store: Store, clock: StoreClock) -> None:
    old = DeadUrl("https://example.com/old", 410, seen_at=999.0)
    keep(store, clock, old, GONE)
    clock.at = 1_100.0
    assert store.prune(100.0).result() == 0
    assert store.dead_urls.get(old.key).result() is None
    assert store.dead_urls.get(GONE.key).result() == GONE


def test_a_url_that_utf_8_cannot_hold_is_kept_too(store: Store) -> None:
    store.dead_urls.keep("https://\ud800.example/", 410).result()
    assert store.dead_urls.get("https://\ud800.example/").result() is not None
