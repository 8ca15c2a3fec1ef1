"""What a store makes of what a clock that was ahead has written: it keeps nothing back for longer than was meant."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from scrapy_polite.store.base import DeadUrl, GateState, Quarantine, RobotsCopy

if TYPE_CHECKING:
    from scrapy_polite.store.base import Store

HOST, NOW, AHEAD_S = "example.com", 1_800_000_000.0, 3_600.0
THEN = NOW + AHEAD_S


def test_a_robots_txt_is_due(store: Store) -> None:
    ahead = RobotsCopy(HOST, "*", THEN, 200, b"a", fetched_at=THEN, expires_at=THEN + 86_400)
    store.put(ahead).result()
    copy, granted = store.claim(HOST, "*", "a", NOW, NOW + 15, NOW).result()
    assert copy is not None
    assert granted
    assert (copy.body, copy.updated_at, copy.fetched_at) == (b"a", NOW, NOW)
    assert copy.due_at < NOW
    fresh = replace(ahead, updated_at=NOW, body=b"b", fetched_at=NOW, expires_at=NOW + 60)
    store.put(fresh).result()
    assert store.get(HOST, "*").result() == fresh


def test_an_outage_is_asked_of_again_and_has_lasted_for_no_time(store: Store) -> None:
    store.put(RobotsCopy(HOST, "*", THEN, failing_since=THEN, failures=1, next_try=THEN + 600)).result()
    copy, granted = store.claim(HOST, "*", "a", NOW, NOW + 15, NOW).result()
    assert copy is not None
    assert granted
    assert copy.failing_since == NOW
    assert copy.due_at < NOW


def test_a_lease_is_over(store: Store) -> None:
    assert store.lease(HOST, "*", "a", THEN, THEN + 15).result()
    assert store.lease(HOST, "*", "b", NOW, NOW + 15).result()
    assert not store.lease(HOST, "*", "a", NOW + 1, NOW + 16).result()


def test_the_time_of_the_next_turn_is_as_far_off_as_it_was(store: Store) -> None:
    store.take_turn(HOST, "a", THEN, THEN + 15).result()
    store.end_turn(HOST, "a", THEN + 5).result()
    assert store.take_turn(HOST, "b", NOW, NOW + 15).result() == NOW + 5
    assert store.take_turn(HOST, "b", NOW + 2, NOW + 17).result() == NOW + 5
    assert store.take_turn(HOST, "b", NOW + 5, NOW + 20).result() == 0


def test_a_turn_ends_when_it_was_to_end(store: Store) -> None:
    store.take_turn(HOST, "a", THEN, THEN + 15).result()
    assert NOW < store.take_turn(HOST, "b", NOW, NOW + 15).result() <= NOW + 15
    assert store.take_turn(HOST, "b", NOW + 15, NOW + 30).result() == 0


def test_an_embargo_gives_way_to_what_is_noted_now(store: Store) -> None:
    store.keep_gate(GateState(HOST, THEN, THEN + 60, 3, "HTTP 503")).result()
    (state,) = store.gates(-math.inf).result()
    assert state.as_of(NOW).until == NOW + 60
    store.keep_gate(GateState(HOST, NOW)).result()
    (state,) = store.gates(-math.inf).result()
    assert (state.updated_at, state.until, state.level) == (NOW, 0, 0)


def test_an_embargo_noted_before_is_not_shortened_by_what_was_spent_since(store: Store) -> None:
    embargo = GateState(HOST, NOW - 60, NOW + 1_800, 3, "HTTP 503")
    store.keep_gate(embargo).result()
    store.spend(HOST, NOW - 10, 1, THEN).result()
    (state,) = store.gates(-math.inf).result()
    assert state.as_of(NOW).until == embargo.until


def test_pages_of_a_period_that_has_not_begun_count_in_the_present_one_and_no_longer(store: Store) -> None:
    period_s = 600.0
    store.spend(HOST, THEN, 7, THEN).result()
    (state,) = store.gates(-math.inf).result()
    assert state.as_of(NOW).period_start == NOW
    assert store.spend(HOST, NOW - 10, 1, NOW).result() == 8
    assert store.spend(HOST, NOW - 10 + period_s, 1, NOW + period_s).result() == 1


def test_nobody_knows_when_a_url_was_dead(store: Store) -> None:
    store.keep_dead(DeadUrl("/a", 410, THEN)).result()
    dead = store.dead("/a").result()
    assert dead is not None
    assert dead.as_of(NOW) is None
    store.keep_dead(DeadUrl("/a", 404, NOW)).result()
    assert store.dead("/a").result() == DeadUrl("/a", 404, NOW)


@pytest.mark.parametrize("decision", ["", "released"])
def test_a_suspicion_lasts_as_long_as_it_was_to_and_gives_way_to_what_is_found_now(store: Store, decision: str) -> None:
    until = math.inf if decision else THEN + 60
    ahead = Quarantine(HOST, "/a", "suspected", "", (), THEN, until, decision=decision, updated_at=THEN)
    store.keep_quarantine(ahead).result()
    (found,) = store.quarantines(-math.inf).result()
    assert found.as_of(NOW).until == until - AHEAD_S
    now = replace(ahead, since=NOW, until=NOW, updated_at=NOW, evidence="now")
    store.keep_quarantine(now).result()
    assert store.quarantines(-math.inf).result() == [now]
