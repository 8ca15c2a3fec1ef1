"""What a store makes of what a clock that was ahead has written: it keeps nothing back for longer than was meant."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from scrapy_polite.store.dead_urls import DeadUrl
from scrapy_polite.store.feed import read_all
from scrapy_polite.store.quarantines import Quarantine
from scrapy_polite.store.robots import RobotsCopy

if TYPE_CHECKING:
    from scrapy_polite.store.base import Store
    from scrapy_polite.store.hosts import GateState
    from store_parts import StoreClock

HOST, NOW, AHEAD_S = "example.com", 1_800_000_000.0, 3_600.0
THEN = NOW + AHEAD_S


@pytest.fixture(autouse=True)
def ahead(clock: StoreClock) -> None:
    clock.at = THEN


def state_of(store: Store) -> GateState:
    (state,) = read_all(store.hosts.changes)
    return state


def test_a_robots_txt_is_due(store: Store, clock: StoreClock) -> None:
    ahead = RobotsCopy(HOST, "*", THEN, 200, b"a", fetched_at=THEN, expires_at=THEN + 86_400)
    store.robots.put(ahead).result()
    clock.at = NOW
    claim = store.robots.claim(HOST, "*", "a", 15).result()
    assert claim.copy is not None
    assert claim.granted
    assert (claim.copy.body, claim.copy.updated_at, claim.copy.fetched_at) == (b"a", NOW, NOW)
    assert claim.copy.due_at < NOW
    assert store.robots.get(HOST, "*").result() == claim.copy
    assert store.robots.of_origin(HOST).result() == [claim.copy]
    fresh = replace(ahead, updated_at=NOW, body=b"b", fetched_at=NOW, expires_at=NOW + 60)
    assert store.robots.put(fresh).result()
    assert store.robots.get(HOST, "*").result() == fresh


def test_an_outage_is_asked_of_again_and_has_lasted_for_no_time(store: Store, clock: StoreClock) -> None:
    store.robots.put(RobotsCopy(HOST, "*", THEN, failing_since=THEN, failures=1, next_try=THEN + 600)).result()
    clock.at = NOW
    claim = store.robots.claim(HOST, "*", "a", 15).result()
    assert claim.copy is not None
    assert claim.granted
    assert claim.copy.failing_since == NOW
    assert claim.copy.due_at < NOW


def test_a_lease_of_robots_txt_is_over(store: Store, clock: StoreClock) -> None:
    assert store.robots.claim(HOST, "*", "a", 15).result().granted
    clock.at = NOW
    assert store.robots.claim(HOST, "*", "b", 15).result().granted
    clock.at = NOW + 1
    assert not store.robots.claim(HOST, "*", "a", 15).result().granted


def test_the_time_of_the_next_request_is_as_far_off_as_it_was(store: Store, clock: StoreClock) -> None:
    store.hosts.acquire(HOST, "a", 15).result()
    store.hosts.release(HOST, "a", 5).result()
    waits = []
    for passed_s in (0, 2, 5):
        clock.at = NOW + passed_s
        waits.append(store.hosts.acquire(HOST, "b", 15).result())
    assert waits == [5, 3, 0]


def test_an_answer_that_is_still_to_be_read_is_as_long_ago_as_it_was(store: Store, clock: StoreClock) -> None:
    store.hosts.acquire(HOST, "a", 15).result()
    store.hosts.release(HOST, "a", 0, answered_s_ago=1).result()
    clock.at = NOW
    assert store.hosts.acquire(HOST, "b", 15, gap_s=5).result() == 4


def test_a_lease_of_a_host_ends_when_it_was_to_end(store: Store, clock: StoreClock) -> None:
    store.hosts.acquire(HOST, "a", 15).result()
    clock.at = NOW
    assert 0 < store.hosts.acquire(HOST, "b", 15).result() <= 15
    clock.at = NOW + 15
    assert store.hosts.acquire(HOST, "b", 15).result() == 0


def test_an_embargo_gives_way_to_what_is_noted_now(store: Store, clock: StoreClock) -> None:
    store.hosts.keep(HOST, 60, 3, "HTTP 503").result()
    clock.at = NOW
    assert state_of(store).until == NOW + 60
    store.hosts.keep(HOST, 0, 0, "").result()
    state = state_of(store)
    assert (state.updated_at, state.until, state.level) == (NOW, 0, 0)


def test_an_embargo_that_is_read_again_and_again_ends(store: Store, clock: StoreClock) -> None:
    store.hosts.keep(HOST, 60, 3, "HTTP 503").result()
    for passed_s in (0, 30, 59):
        clock.at = NOW + passed_s
        assert state_of(store).until == NOW + 60


def test_an_embargo_noted_before_is_not_shortened_by_what_was_spent_since(store: Store, clock: StoreClock) -> None:
    clock.at = NOW - 60
    store.hosts.keep(HOST, 1_860, 3, "HTTP 503").result()
    clock.at = THEN
    store.hosts.spend(HOST, NOW - 10, 1).result()
    clock.at = NOW
    assert state_of(store).until == NOW + 1_800


def test_pages_of_a_period_that_has_not_begun_count_in_the_present_one_and_no_longer(
    store: Store, clock: StoreClock
) -> None:
    period_s = 600.0
    store.hosts.spend(HOST, THEN, 7).result()
    clock.at = NOW
    assert state_of(store).period_start == NOW
    assert store.hosts.spend(HOST, NOW - 10, 1).result() == 8
    clock.at = NOW + period_s
    assert store.hosts.spend(HOST, NOW - 10 + period_s, 1).result() == 1


def test_nobody_knows_when_a_url_was_dead(store: Store, clock: StoreClock) -> None:
    store.dead_urls.keep("/a", 410).result()
    clock.at = NOW
    assert store.dead_urls.get("/a").result() is None
    store.dead_urls.keep("/a", 404).result()
    assert store.dead_urls.get("/a").result() == DeadUrl("/a", 404, NOW)


@pytest.mark.parametrize("decision", ["", "released"])
def test_a_suspicion_lasts_as_long_as_it_was_to_and_gives_way_to_what_is_found_now(
    store: Store, clock: StoreClock, decision: str
) -> None:
    until = math.inf if decision else THEN + 60
    ahead = Quarantine(HOST, "/a", "suspected", "", (), THEN, until, decision=decision, updated_at=THEN)
    store.quarantines.keep(ahead).result()
    for passed_s in (0, 30):
        clock.at = NOW + passed_s
        (found,) = read_all(store.quarantines.changes)
        assert found.until == until - AHEAD_S
    now = replace(ahead, since=NOW, until=NOW, updated_at=NOW + 30, evidence="now")
    store.quarantines.keep(now).result()
    assert read_all(store.quarantines.changes) == [now]
