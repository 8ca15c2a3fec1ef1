"""What every store keeps of hosts: who may send to one, which are closed, what was spent."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from scrapy_polite.store.feed import Position, read_all
from scrapy_polite.store.hosts import GateState, HostLease
from store_parts import PAGE_SIZE

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy_polite.store.base import Store
    from store_parts import StoreClock

HOST = "example.com"
EMBARGO = GateState(HOST, updated_at=1_000.5, until=4_600.5, level=3, why="503", retry_after_s=3_600.0)


def state_of(store: Store, key: str = HOST) -> GateState | None:
    return next((state for state in read_all(store.hosts.changes) if state.key == key), None)


def keep(store: Store, clock: StoreClock, state: GateState) -> None:
    """At the time, and for as long, as the state says."""
    clock.at = state.updated_at
    closed_for_s = state.until - state.updated_at if state.until else 0.0
    store.hosts.keep(state.key, closed_for_s, state.level, state.why, state.retry_after_s).result()


def spend(store: Store, clock: StoreClock, key: str, period_start: float, pages: int, now: float) -> int:
    clock.at = now
    return store.hosts.spend(key, period_start, pages).result()


def acquire(
    store: Store, clock: StoreClock, holder: str, now: float, hold_s: float = 10.0, key: str = HOST, gap_s: float = 0.0
) -> float:
    clock.at = now
    return store.hosts.acquire(key, holder, hold_s, gap_s=gap_s).result()


def release(
    store: Store,
    clock: StoreClock,
    holder: str,
    now: float,
    gap_s: float,
    key: str = HOST,
    answered_s_ago: float | None = None,
) -> None:
    clock.at = now
    store.hosts.release(key, holder, gap_s, answered_s_ago=answered_s_ago).result()


# Embargoes and budgets


def test_gives_back_the_gate_that_was_kept(store: Store, clock: StoreClock) -> None:
    assert read_all(store.hosts.changes) == []
    keep(store, clock, EMBARGO)
    assert read_all(store.hosts.changes) == [EMBARGO]


@pytest.mark.parametrize(
    ("updated_at", "wins"),
    [pytest.param(1_000.0, False, id="earlier"), (1_000.5, True), pytest.param(1_001.0, True, id="later")],
)
def test_the_later_update_of_an_embargo_wins_as_a_whole(
    store: Store, clock: StoreClock, updated_at: float, wins: bool
) -> None:
    other = GateState(HOST, updated_at, until=updated_at + 1, level=1, why="quiet since")
    keep(store, clock, EMBARGO)
    keep(store, clock, other)
    assert state_of(store) == (other if wins else EMBARGO)


def test_a_host_that_is_open_again_has_no_embargo(store: Store, clock: StoreClock) -> None:
    keep(store, clock, EMBARGO)
    clock.at = 1_001.0
    store.hosts.keep(HOST, 0.0, 2, "").result()
    assert state_of(store) == GateState(HOST, 1_001.0, until=0.0, level=2)


def test_what_was_spent_later_does_not_outdo_an_embargo(store: Store, clock: StoreClock) -> None:
    spend(store, clock, HOST, 900.0, 7, now=1_005.0)
    keep(store, clock, EMBARGO)
    expected = replace(EMBARGO, updated_at=1_005.0, period_start=900.0, spent=7)
    assert state_of(store) == expected
    keep(store, clock, replace(EMBARGO, updated_at=999.0, until=0.0))
    assert state_of(store) == expected
    keep(store, clock, replace(EMBARGO, updated_at=1_003.0, until=9_999.0))
    assert state_of(store) == replace(expected, until=9_999.0)


def test_spending_leaves_an_embargo_and_an_embargo_what_was_spent(store: Store, clock: StoreClock) -> None:
    keep(store, clock, EMBARGO)
    assert spend(store, clock, HOST, 900.0, 7, now=2_000.0) == 7
    keep(store, clock, replace(EMBARGO, updated_at=3_000.0))
    assert state_of(store) == replace(EMBARGO, updated_at=3_000.0, period_start=900.0, spent=7)


def test_what_is_spent_adds_up_within_its_period_and_key(store: Store, clock: StoreClock) -> None:
    totals = [spend(store, clock, HOST, 900.0, pages, now=1_000.0 + pages) for pages in (3, 4, 0)]
    assert totals == [3, 7, 7]
    assert spend(store, clock, "example.org", 900.0, 1, now=1_000.0) == 1
    assert state_of(store) == GateState(HOST, updated_at=1_004.0, period_start=900.0, spent=7)


@pytest.mark.parametrize(
    ("period_start", "total", "held"),
    [
        pytest.param(1_800.0, 2, 1_800.0, id="a-later-period-starts-at-0"),
        pytest.param(0.0, 12, 900.0, id="a-late-page-of-an-earlier-period-counts-towards-the-present-one"),
    ],
)
def test_a_period_ends_with_the_next(
    store: Store, clock: StoreClock, period_start: float, total: int, held: float
) -> None:
    spend(store, clock, HOST, 900.0, 10, now=1_000.0)
    assert spend(store, clock, HOST, period_start, 2, now=1_001.0) == total
    assert state_of(store) == GateState(HOST, updated_at=1_001.0, period_start=held, spent=total)


@pytest.mark.parametrize(
    ("key", "count", "left"),
    [
        pytest.param(HOST, 1, ["example.org"], id="one"),
        pytest.param(None, 2, [], id="all"),
        pytest.param("unknown.example", 0, [HOST, "example.org"], id="unknown"),
    ],
)
def test_forgets_gates(store: Store, clock: StoreClock, key: str | None, count: int, left: list[str]) -> None:
    keep(store, clock, replace(EMBARGO, until=math.inf))
    keep(store, clock, replace(EMBARGO, key="example.org", updated_at=2_000.0))
    assert store.hosts.forget(key).result() == count
    assert [state.key for state in read_all(store.hosts.changes)] == left


def test_forgetting_a_gate_takes_nobodys_lease(store: Store, clock: StoreClock) -> None:
    keep(store, clock, EMBARGO)
    acquire(store, clock, "a", 2_000.0)
    assert store.hosts.forget(HOST).result() == 1
    assert acquire(store, clock, "b", 2_001.0) > 0.0


def test_prunes_gates_that_mean_nothing_any_more(store: Store, clock: StoreClock) -> None:
    gates = {
        "old.example": GateState("", updated_at=10.0, until=99.0),
        "still-closed.example": GateState("", updated_at=10.0, until=101.0),
        "spent-since.example": GateState("", updated_at=10.0),
        "updated-since.example": GateState("", updated_at=100.0, until=0.0),
    }
    for key, state in gates.items():
        keep(store, clock, replace(state, key=key))
    spend(store, clock, "spent-since.example", 90.0, 1, now=100.0)
    clock.at = 150.0
    store.prune(50.0).result()
    left = {state.key for state in read_all(store.hosts.changes)}
    assert left == {"still-closed.example", "updated-since.example", "spent-since.example"}


# The feed


def test_lists_what_changed_after_a_cursor_in_the_order_of_the_changes(store: Store, clock: StoreClock) -> None:
    # The last two were written by a process whose clock is behind: no reader misses them.
    for number, at in ((3, 3.0), (1, 2.0), (4, 1.0), (2, 1.0)):
        keep(store, clock, GateState(f"{number}.example", updated_at=at))
    page = store.hosts.changes(None).result()
    assert [state.key for state in page.items] == ["3.example", "1.example", "4.example", "2.example"]
    assert (page.more, page.at) == (False, clock.at)
    assert store.hosts.changes(page.cursor).result().items == []
    spend(store, clock, "1.example", 0.0, 1, now=5.0)
    changed = store.hosts.changes(page.cursor).result()
    assert [state.key for state in changed.items] == ["1.example"]
    assert store.hosts.changes(changed.cursor).result().items == []
    keep(store, clock, GateState("5.example", updated_at=6.0))
    assert [state.key for state in store.hosts.changes(changed.cursor).result().items] == ["5.example"]


def test_what_loses_against_a_later_embargo_leaves_the_feed_as_it_stands(store: Store, clock: StoreClock) -> None:
    keep(store, clock, EMBARGO)
    keep(store, clock, replace(EMBARGO, updated_at=999.0, until=0.0))
    assert read_all(store.hosts.changes) == [EMBARGO]


@pytest.mark.parametrize("count", [PAGE_SIZE - 1, PAGE_SIZE, PAGE_SIZE + 1, 2 * PAGE_SIZE])
def test_all_changes_are_on_some_page_and_none_is_larger(store: Store, count: int) -> None:
    for number in range(count):
        store.hosts.keep(f"{number}.example", 60.0, 1, "503")  # all at the same time
    assert [state.key for state in read_all(store.hosts.changes)] == [f"{number}.example" for number in range(count)]
    page = store.hosts.changes(None).result()
    assert len(page.items) == min(count, PAGE_SIZE)
    assert page.more is (count > PAGE_SIZE)


def test_a_cursor_of_another_store_begins_anew(new_store: Callable[[], Store], clock: StoreClock) -> None:
    store, other = new_store(), new_store()
    keep(store, clock, EMBARGO)
    for _ in range(3):
        keep(other, clock, EMBARGO)
    for cursor in (other.hosts.changes(None).result().cursor, Position("", 10**6)):
        assert store.hosts.changes(cursor).result().items == [EMBARGO]


# Leases


@pytest.mark.parametrize(
    ("holder", "now", "granted"),
    [
        pytest.param("b", 10.0, False, id="another-while-it-lasts"),
        pytest.param("b", 19.9, False, id="another-just-before-its-end"),
        pytest.param("b", 20.0, True, id="another-when-its-holder-must-be-dead"),
        pytest.param("a", 15.0, True, id="the-holder-itself"),
    ],
)
def test_a_lease_is_for_one_holder_until_its_end(
    store: Store, clock: StoreClock, holder: str, now: float, granted: bool
) -> None:
    assert acquire(store, clock, "a", 10.0) == 0.0
    assert (acquire(store, clock, holder, now) == 0.0) is granted


@pytest.mark.parametrize("holder", ["a", "b"])
def test_after_a_lease_the_next_goes_when_its_time_has_come(store: Store, clock: StoreClock, holder: str) -> None:
    acquire(store, clock, "a", 10.0)
    release(store, clock, "a", 12.0, gap_s=0.5)
    assert acquire(store, clock, holder, 12.4) == pytest.approx(0.1)
    assert acquire(store, clock, holder, 12.5) == 0.0


@pytest.mark.parametrize("holder", ["a", "b"])
def test_after_an_answer_that_is_still_to_be_read_each_waits_for_the_delay_that_it_knows(
    store: Store, clock: StoreClock, holder: str
) -> None:
    acquire(store, clock, "a", 10.0)
    release(store, clock, "a", 12.5, gap_s=0.25, answered_s_ago=0.5)
    assert acquire(store, clock, holder, 12.5) == 0.25
    assert acquire(store, clock, holder, 12.75, gap_s=2.0) == 1.25
    assert acquire(store, clock, holder, 13.75, gap_s=2.0) == 0.25
    assert acquire(store, clock, holder, 14.0, gap_s=2.0) == 0.0


def test_who_knows_of_no_delay_does_not_go_before_one_who_waits_for_what_it_knows(
    store: Store, clock: StoreClock
) -> None:
    acquire(store, clock, "a", 10.0)
    release(store, clock, "a", 11.0, gap_s=0.0, answered_s_ago=0.0)
    assert acquire(store, clock, "b", 12.0, gap_s=4.0) == 3.0
    assert acquire(store, clock, "c", 12.0) == 3.0
    assert acquire(store, clock, "b", 15.0, gap_s=4.0) == 0.0


def test_an_answer_that_is_still_to_be_read_is_kept_while_others_have_their_turn_who_know_of_less(
    store: Store, clock: StoreClock
) -> None:
    acquire(store, clock, "a", 10.0)
    release(store, clock, "a", 11.0, gap_s=0.0, answered_s_ago=0.0)
    assert acquire(store, clock, "b", 11.0) == 0.0
    release(store, clock, "b", 11.0, gap_s=0.25)
    assert acquire(store, clock, "c", 12.0, gap_s=4.0) == 3.0


def test_whoever_has_still_to_read_an_answer_leaves_the_lease_to_whose_it_is(store: Store, clock: StoreClock) -> None:
    release(store, clock, "b", 10.0, gap_s=0.0, answered_s_ago=0.0)
    assert acquire(store, clock, "a", 10.0, gap_s=4.0) == 0.0, "of a host that nobody has had nothing is kept"
    release(store, clock, "b", 11.0, gap_s=0.0, answered_s_ago=0.0)
    assert acquire(store, clock, "b", 11.0) > 0.0
    release(store, clock, "a", 11.0, gap_s=1.0)
    release(store, clock, "b", 12.0, gap_s=0.0, answered_s_ago=2.0)  # another one, of before
    assert acquire(store, clock, "a", 14.0, gap_s=4.0) == 1.0
    assert acquire(store, clock, "a", 15.0, gap_s=4.0) == 0.0


def test_a_refused_lease_changes_nothing(store: Store, clock: StoreClock) -> None:
    acquire(store, clock, "a", 10.0)
    assert acquire(store, clock, "b", 15.0, hold_s=84.0) != 0.0
    assert acquire(store, clock, "c", 20.0) == 0.0


def test_a_lease_acquired_again_lasts_until_its_new_end(store: Store, clock: StoreClock) -> None:
    acquire(store, clock, "a", 10.0)
    acquire(store, clock, "a", 15.0)
    assert acquire(store, clock, "b", 24.9) == pytest.approx(0.1)


@pytest.mark.parametrize("put_off_s", [0.0, 50.0])
def test_a_lease_is_renewed_whatever_the_next_request_has_to_wait_for(
    store: Store, clock: StoreClock, put_off_s: float
) -> None:
    acquire(store, clock, "a", 10.0)
    release(store, clock, "b", 11.0, gap_s=put_off_s)
    clock.at = 15.0
    assert store.hosts.renew(HOST, "a", 10.0).result() is True
    assert acquire(store, clock, "b", 24.0) > 0.0
    release(store, clock, "a", 24.0, gap_s=0.0)
    assert acquire(store, clock, "b", 24.0) == max(put_off_s - 13.0, 0.0)


def test_a_lease_that_another_has_taken_or_that_was_never_kept_is_not_renewed(store: Store, clock: StoreClock) -> None:
    clock.at = 10.0
    assert store.hosts.renew(HOST, "a", 10.0).result() is False
    acquire(store, clock, "a", 10.0)
    acquire(store, clock, "b", 20.0)
    assert store.hosts.renew(HOST, "a", 10.0).result() is False
    assert acquire(store, clock, "a", 25.0) > 0.0


def test_leases_of_other_keys_are_apart(store: Store, clock: StoreClock) -> None:
    acquire(store, clock, "a", 10.0)
    release(store, clock, "a", 10.0, gap_s=89.0)
    assert acquire(store, clock, "b", 10.0, key="example.org") == 0.0


@pytest.mark.parametrize(
    ("next_at", "asked_again_at"),
    [
        pytest.param(30.0, 30.0, id="later-than-the-others-end"),
        pytest.param(15.0, 20.0, id="earlier-than-the-others-end"),
    ],
)
def test_whoever_is_not_the_holder_releases_nothing_but_may_put_off_the_next(
    store: Store, clock: StoreClock, next_at: float, asked_again_at: float
) -> None:
    acquire(store, clock, "a", 10.0)
    release(store, clock, "late", 10.0, gap_s=next_at - 10.0)
    assert acquire(store, clock, "b", 19.99) == pytest.approx(asked_again_at - 19.99)
    release(store, clock, "a", 11.0, gap_s=0.0)
    assert (acquire(store, clock, "b", 20.0) == 0.0) is (next_at <= 20.0)


def test_releasing_never_makes_the_next_go_earlier(store: Store, clock: StoreClock) -> None:
    release(store, clock, "a", 10.0, gap_s=20.0)
    release(store, clock, "a", 10.0, gap_s=5.0)
    assert acquire(store, clock, "b", 20.0) == 10.0


def test_a_released_lease_is_not_its_holders_any_more(store: Store, clock: StoreClock) -> None:
    acquire(store, clock, "a", 10.0)
    release(store, clock, "a", 11.0, gap_s=0.0)
    acquire(store, clock, "b", 11.0)
    assert acquire(store, clock, "a", 12.0) > 0.0


@pytest.mark.parametrize(
    ("now", "again_at"),
    [
        pytest.param(10.0, 10.05, id="taken-just-now"),
        pytest.param(10.25, 10.5, id="as-long-again-as-it-has-lasted"),
        pytest.param(15.0, 16.0, id="a-second-at-most"),
        pytest.param(39.75, 40.0, id="no-later-than-its-end"),
        pytest.param(9.0, 9.05, id="by-a-clock-that-is-behind"),
    ],
)
def test_another_holders_lease_is_asked_for_again_long_before_its_holder_must_be_dead(
    store: Store, clock: StoreClock, now: float, again_at: float
) -> None:
    acquire(store, clock, "a", 10.0, hold_s=30.0)
    assert acquire(store, clock, "b", now, hold_s=60.0) == pytest.approx(again_at - now)


def test_leases_that_are_over_or_last_longer_are_kept_apart_by_pruning(store: Store, clock: StoreClock) -> None:
    acquire(store, clock, "a", 10.0, key="over.example")
    acquire(store, clock, "a", 10.0, hold_s=90.0, key="held.example")
    release(store, clock, "a", 10.0, gap_s=90.0, key="waiting.example")
    clock.at = 100.0
    store.prune(0.0).result()
    waits = {key: acquire(store, clock, "b", 99.0, key=f"{key}.example") for key in ("over", "held", "waiting")}
    assert waits == {"over": 0.0, "held": 1.0, "waiting": 1.0}


def test_a_lease_says_what_its_holder_and_others_get() -> None:
    lease = HostLease("a", taken_at=10.0, hold_until=20.0, next_at=12.0)
    assert lease.wait_s("a", 11.0) == 1.0
    assert lease.wait_s("a", 12.0) == 0.0
    assert lease.wait_s("b", 11.0) == 1.0
    assert lease.wait_s("b", 20.0) == 0.0


def test_of_a_host_that_nobody_has_had_it_is_granted_and_nothing_is_kept(store: Store, clock: StoreClock) -> None:
    clock.at = 10.0
    assert store.hosts.acquire(HOST, "a", 10.0, if_known=True).result() == 0
    assert store.hosts.acquire(HOST, "b", 10.0, if_known=True).result() == 0
    release(store, clock, "a", 10.0, gap_s=0.0)
    assert store.hosts.acquire(HOST, "a", 10.0, if_known=True).result() == 0
    assert acquire(store, clock, "b", 10.0) == 0


@pytest.mark.parametrize("had", ["a lease", "a delay"])
def test_a_host_that_somebody_has_had_is_leased_to_who_asks_for_it_if_it_is_known(
    store: Store, clock: StoreClock, had: str
) -> None:
    if had == "a lease":
        acquire(store, clock, "a", 10.0)
        assert store.hosts.acquire(HOST, "b", 10.0, if_known=True).result() > 0
    release(store, clock, "a", 10.0, gap_s=5.0)
    clock.at = 14.0
    assert store.hosts.acquire(HOST, "b", 10.0, if_known=True).result() == 1.0
    clock.at = 15.0
    assert store.hosts.acquire(HOST, "b", 10.0, if_known=True).result() == 0
    assert acquire(store, clock, "a", 15.0) > 0
