"""What is MemoryStore's own: its bounds."""

from __future__ import annotations

import random
from dataclasses import replace

from scrapy_polite.store.base import every_quarantine
from scrapy_polite.store.feed import read_all
from scrapy_polite.store.memory.store import MemoryStore
from scrapy_polite.store.quarantines import Quarantine
from scrapy_polite.store.robots import RobotsCopy
from store_parts import StoreClock

SITE, OTHER_SITE = "https://example.com", "https://example.org:8443"
COPY = RobotsCopy(SITE, "demobot", 1_000.0, 200, b"User-agent: *\nDisallow: /private\n")


def tokens(store: MemoryStore) -> set[str]:
    return {copy.agent for copy in store.robots.of_origin(SITE).result()}


def test_answers_at_once_and_ends_with_the_process() -> None:
    store = MemoryStore()
    assert store.robots.put(COPY).done()
    assert store.robots.get(SITE, "demobot").done()
    assert (store.description, store.shared, store.lasting) == ("memory", False, False)


def test_drops_the_least_recently_used_beyond_its_count() -> None:
    store = MemoryStore(max_copies=2)
    first, second, third = (replace(COPY, agent=token) for token in ("first", "second", "third"))
    store.robots.put(first)
    store.robots.put(second)
    store.robots.get(SITE, "first")
    store.robots.put(third)
    assert tokens(store) == {"first", "third"}


def test_drops_the_least_recently_used_beyond_its_bytes() -> None:
    store = MemoryStore(max_bytes=25_000)
    noise = random.Random(1)
    for token in ("first", "second", "third"):
        store.robots.put(replace(COPY, agent=token, body=noise.randbytes(10_000)))
    assert tokens(store) == {"second", "third"}


def test_counts_the_bytes_of_replaced_and_forgotten_copies_no_more() -> None:
    store = MemoryStore(max_bytes=25_000)
    noise = random.Random(1)
    store.robots.put(replace(COPY, agent="kept", body=noise.randbytes(10_000)))
    for _ in range(5):
        store.robots.put(replace(COPY, agent="replaced", body=noise.randbytes(10_000)))
    for _ in range(5):
        store.robots.put(replace(COPY, origin=OTHER_SITE, body=noise.randbytes(100)))
        store.robots.forget(OTHER_SITE)
    assert tokens(store) == {"kept", "replaced"}


def test_does_not_keep_leases_of_robots_txt_without_end() -> None:
    store = MemoryStore(max_copies=2)
    for number in range(3):
        store.robots.claim(f"https://{number}.example", "demobot", "a", 10.0)
    assert not store.robots.claim("https://2.example", "demobot", "b", 10.0).result().granted
    assert store.robots.claim("https://0.example", "demobot", "b", 10.0).result().granted


def test_drops_the_gates_updated_longest_ago_beyond_its_count() -> None:
    store = MemoryStore(max_gates=2)
    store.hosts.keep("1.example", 60.0, 1, "")
    store.hosts.keep("2.example", 60.0, 1, "")
    store.hosts.spend("1.example", 0.0, 1)
    store.hosts.keep("3.example", 60.0, 1, "")
    assert {state.key for state in read_all(store.hosts.changes)} == {"1.example", "3.example"}


def test_does_not_keep_leases_of_hosts_without_end() -> None:
    store = MemoryStore(max_gates=2)
    for number in range(3):
        store.hosts.acquire(f"{number}.example", "a", 10.0)
    assert store.hosts.acquire("2.example", "b", 10.0).result() != 0.0
    assert store.hosts.acquire("0.example", "b", 10.0).result() == 0.0


def test_prunes_leases_of_hosts_that_are_over() -> None:
    clock = StoreClock(10.0)
    store = MemoryStore(clock=clock)
    for key, hold_s in (("over.example", 10.0), ("held.example", 90.0)):
        store.hosts.acquire(key, "a", hold_s).result()
    store.hosts.release("waiting.example", "a", 90.0).result()
    clock.at = 100.0
    store.prune(0.0).result()
    assert set(store.hosts._leases._held) == {"held.example", "waiting.example"}


def test_does_not_keep_dead_urls_without_end() -> None:
    store = MemoryStore(max_dead=2)
    for number in range(3):
        store.dead_urls.keep(str(number), 410)
    assert [store.dead_urls.get(str(number)).result() is None for number in range(3)] == [True, False, False]


def test_does_not_keep_quarantines_without_end() -> None:
    store = MemoryStore(max_quarantines=2)
    for number in range(3):
        store.quarantines.keep(Quarantine("example.com", f"/{number}", "maze", "", (), 1.0, 2.0))
    assert {found.place for found in every_quarantine(store)} == {"/1", "/2"}
