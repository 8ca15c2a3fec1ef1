"""What every store keeps of gates, and whose turn it is to send to one."""

from __future__ import annotations

import math
import sqlite3
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from scrapy_polite.store.base import GateState, Store, Turn
from scrapy_polite.store.memory import MemoryStore
from scrapy_polite.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

HOST = "example.com"
EMBARGO = GateState(HOST, updated_at=1_000.5, until=4_600.5, level=3, why="503, Retry-After: 3600")
ANCIENT = -math.inf


def state_of(store: Store, key: str = HOST) -> GateState | None:
    return next((state for state in store.gates(ANCIENT).result() if state.key == key), None)


def test_gives_back_the_gate_that_was_kept(store: Store) -> None:
    assert store.gates(ANCIENT).result() == []
    store.keep_gate(EMBARGO).result()
    assert store.gates(ANCIENT).result() == [EMBARGO]


@pytest.mark.parametrize(
    ("updated_at", "wins"),
    [pytest.param(1_000.0, False, id="earlier"), (1_000.5, True), pytest.param(1_001.0, True, id="later")],
)
def test_the_later_update_of_an_embargo_wins_as_a_whole(store: Store, updated_at: float, wins: bool) -> None:
    other = GateState(HOST, updated_at, until=updated_at, level=1, why="quiet since")
    store.keep_gate(EMBARGO).result()
    store.keep_gate(other).result()
    assert state_of(store) == (other if wins else EMBARGO)


def test_what_was_spent_later_does_not_outdo_an_embargo(store: Store) -> None:
    store.spend(HOST, 900.0, 7, now=1_005.0).result()
    store.keep_gate(EMBARGO).result()
    expected = replace(EMBARGO, updated_at=1_005.0, period_start=900.0, spent=7)
    assert state_of(store) == expected
    store.keep_gate(replace(EMBARGO, updated_at=999.0, until=0.0)).result()
    assert state_of(store) == expected
    store.keep_gate(replace(EMBARGO, updated_at=1_003.0, until=9_999.0)).result()
    assert state_of(store) == replace(expected, until=9_999.0)


def test_spending_leaves_an_embargo_and_an_embargo_what_was_spent(store: Store) -> None:
    store.keep_gate(replace(EMBARGO, period_start=9_999.0, spent=9_999)).result()
    assert store.spend(HOST, 900.0, 7, now=2_000.0).result() == 7
    store.keep_gate(replace(EMBARGO, updated_at=3_000.0)).result()
    assert state_of(store) == replace(EMBARGO, updated_at=3_000.0, period_start=900.0, spent=7)


def test_what_is_spent_adds_up_within_its_period_and_key(store: Store) -> None:
    totals = [store.spend(HOST, 900.0, pages, now=1_000.0 + pages).result() for pages in (3, 4, 0)]
    assert totals == [3, 7, 7]
    assert store.spend("example.org", 900.0, 1, now=1_000.0).result() == 1
    assert state_of(store) == GateState(HOST, updated_at=1_004.0, period_start=900.0, spent=7)


@pytest.mark.parametrize(
    ("period_start", "total", "held"),
    [
        pytest.param(1_800.0, 2, 1_800.0, id="a-later-period-starts-at-0"),
        pytest.param(0.0, 12, 900.0, id="a-late-page-of-an-earlier-period-counts-towards-the-present-one"),
    ],
)
def test_a_period_ends_with_the_next(store: Store, period_start: float, total: int, held: float) -> None:
    store.spend(HOST, 900.0, 10, now=1_000.0).result()
    assert store.spend(HOST, period_start, 2, now=1_001.0).result() == total
    assert state_of(store) == GateState(HOST, updated_at=1_001.0, period_start=held, spent=total)


def test_lists_gates_updated_after_a_time_oldest_first(store: Store) -> None:
    for number in (3, 1, 4, 2):
        store.keep_gate(GateState(f"{number}.example", updated_at=float(number))).result()
    store.spend("1.example", 0.0, 1, now=5.0).result()
    assert [state.key for state in store.gates(2.0).result()] == ["3.example", "4.example", "1.example"]
    assert store.gates(5.0).result() == []


@pytest.mark.parametrize(
    ("key", "count", "left"),
    [
        pytest.param(HOST, 1, ["example.org"], id="one"),
        pytest.param(None, 2, [], id="all"),
        pytest.param("unknown.example", 0, [HOST, "example.org"], id="unknown"),
    ],
)
def test_forgets_gates(store: Store, key: str | None, count: int, left: list[str]) -> None:
    store.keep_gate(replace(EMBARGO, until=math.inf)).result()
    store.keep_gate(replace(EMBARGO, key="example.org", updated_at=2_000.0)).result()
    assert store.forget_gate(key).result() == count
    assert [state.key for state in store.gates(ANCIENT).result()] == left


def test_forgetting_a_gate_takes_nobodys_turn(store: Store) -> None:
    store.keep_gate(EMBARGO).result()
    store.take_turn(HOST, "a", 10.0, 20.0).result()
    assert store.forget_gate(HOST).result() == 1
    assert store.take_turn(HOST, "b", 11.0, 21.0).result() > 11.0


def test_prunes_gates_that_mean_nothing_any_more(store: Store) -> None:
    gates = {
        "old.example": GateState("", updated_at=10.0, until=99.0),
        "still-closed.example": GateState("", updated_at=10.0, until=101.0),
        "updated-since.example": GateState("", updated_at=100.0, until=0.0),
    }
    for key, state in gates.items():
        store.keep_gate(replace(state, key=key)).result()
    store.keep_gate(GateState("spent-since.example", updated_at=10.0)).result()
    store.spend("spent-since.example", 90.0, 1, now=100.0).result()
    store.prune(100.0).result()
    left = {state.key for state in store.gates(ANCIENT).result()}
    assert left == {"still-closed.example", "updated-since.example", "spent-since.example"}


@pytest.mark.parametrize(
    ("holder", "now", "granted"),
    [
        pytest.param("b", 10.0, False, id="another-while-it-lasts"),
        pytest.param("b", 19.9, False, id="another-just-before-its-end"),
        pytest.param("b", 20.0, True, id="another-when-its-holder-must-be-dead"),
        pytest.param("a", 15.0, True, id="the-holder-itself"),
    ],
)
def test_a_turn_is_for_one_holder_until_its_end(store: Store, holder: str, now: float, granted: bool) -> None:
    assert store.take_turn(HOST, "a", 10.0, 20.0).result() == 0.0
    assert (store.take_turn(HOST, holder, now, now + 10.0).result() == 0.0) is granted


@pytest.mark.parametrize("holder", ["a", "b"])
def test_after_a_turn_the_next_goes_when_its_time_has_come(store: Store, holder: str) -> None:
    store.take_turn(HOST, "a", 10.0, 20.0).result()
    store.end_turn(HOST, "a", 12.5).result()
    assert store.take_turn(HOST, holder, 12.4, 20.0).result() == 12.5
    assert store.take_turn(HOST, holder, 12.5, 20.0).result() == 0.0


def test_a_refused_turn_changes_nothing(store: Store) -> None:
    store.take_turn(HOST, "a", 10.0, 20.0).result()
    assert store.take_turn(HOST, "b", 15.0, 99.0).result() != 0.0
    assert store.take_turn(HOST, "c", 20.0, 30.0).result() == 0.0


def test_a_turn_taken_again_lasts_until_its_new_end(store: Store) -> None:
    store.take_turn(HOST, "a", 10.0, 20.0).result()
    store.take_turn(HOST, "a", 15.0, 25.0).result()
    assert store.take_turn(HOST, "b", 24.9, 30.0).result() == 25.0


def test_turns_of_other_keys_are_apart(store: Store) -> None:
    store.take_turn(HOST, "a", 10.0, 20.0).result()
    store.end_turn(HOST, "a", 99.0).result()
    assert store.take_turn("example.org", "b", 10.0, 20.0).result() == 0.0


@pytest.mark.parametrize(
    ("next_at", "asked_again_at"),
    [
        pytest.param(30.0, 30.0, id="later-than-the-others-end"),
        pytest.param(15.0, 20.0, id="earlier-than-the-others-end"),
    ],
)
def test_whoever_is_not_the_holder_ends_no_turn_but_may_put_off_the_next(
    store: Store, next_at: float, asked_again_at: float
) -> None:
    store.take_turn(HOST, "a", 10.0, 20.0).result()
    store.end_turn(HOST, "late", next_at).result()
    assert store.take_turn(HOST, "b", 19.99, 40.0).result() == asked_again_at
    store.end_turn(HOST, "a", 11.0).result()
    assert (store.take_turn(HOST, "b", 20.0, 40.0).result() == 0.0) is (next_at <= 20.0)


def test_ending_a_turn_never_makes_the_next_go_earlier(store: Store) -> None:
    store.end_turn(HOST, "a", 30.0).result()
    store.end_turn(HOST, "a", 15.0).result()
    assert store.take_turn(HOST, "b", 20.0, 40.0).result() == 30.0


def test_an_ended_turn_is_not_its_holders_any_more(store: Store) -> None:
    store.take_turn(HOST, "a", 10.0, 20.0).result()
    store.end_turn(HOST, "a", 11.0).result()
    store.take_turn(HOST, "b", 11.0, 21.0).result()
    assert store.take_turn(HOST, "a", 12.0, 22.0).result() > 12.0


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
def test_another_holders_turn_is_asked_for_again_long_before_its_holder_must_be_dead(
    store: Store, now: float, again_at: float
) -> None:
    store.take_turn(HOST, "a", 10.0, 40.0).result()
    assert store.take_turn(HOST, "b", now, 99.0).result() == again_at


def test_prunes_turns_that_are_over(store: Store) -> None:
    for key, hold_until in (("over.example", 20.0), ("held.example", 100.0)):
        store.take_turn(key, "a", 10.0, hold_until).result()
    store.end_turn("waiting.example", "a", 100.0).result()
    store.prune(100.0).result()
    assert _turns(store) == {"held.example", "waiting.example"}


def _turns(store: Store) -> set[str]:
    if isinstance(store, MemoryStore):
        return set(store._turns)
    with closing(sqlite3.connect(store.description)) as db:
        return {key for (key,) in db.execute("SELECT key FROM turns")}


@pytest.fixture(params=["memory-to-memory", "memory-to-sqlite", "sqlite-to-memory", "sqlite-to-sqlite"])
def carried(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Store, Store, Callable[[], None]]]:
    """Two stores, and what carries the first one's export to the second."""
    source, target = (
        MemoryStore() if kind == "memory" else SqliteStore(tmp_path / name)
        for kind, name in zip(request.param.split("-to-"), ("source", "target"), strict=True)
    )

    def carry() -> None:
        path = tmp_path / "export"
        path.unlink(missing_ok=True)
        source.export_to(path).result()
        target.import_from(path).result()

    yield source, target, carry
    source.close()
    target.close()


def test_an_export_carries_gates_and_no_turns(carried: tuple[Store, Store, Callable[[], None]]) -> None:
    source, target, carry = carried
    source.keep_gate(EMBARGO).result()
    source.spend("example.org", 900.0, 7, now=2_000.0).result()
    source.take_turn(HOST, "a", 10.0, 20.0).result()
    carry()
    assert target.gates(ANCIENT).result() == source.gates(ANCIENT).result() != []
    assert target.take_turn(HOST, "b", 10.0, 20.0).result() == 0.0


def test_a_whole_export_holds_no_turn_and_no_lease(store: Store, tmp_path: Path) -> None:
    store.take_turn(HOST, "a", 10.0, 20.0).result()
    store.lease(f"https://{HOST}", "demobot", "a", 10.0, 20.0).result()
    store.export_to(tmp_path / "export").result()
    with closing(sqlite3.connect(tmp_path / "export")) as db:
        assert db.execute("SELECT key FROM turns UNION SELECT origin FROM leases").fetchall() == []


def test_an_import_merges_gates_and_counts_no_page_twice(carried: tuple[Store, Store, Callable[[], None]]) -> None:
    source, target, carry = carried
    # name -> what is held, what is imported, what is expected: (embargo's time, period, pages, now)
    cases = {
        "same-period": ((10.0, 100.0, 7, 500.0), (20.0, 100.0, 5, 400.0), (20.0, 100.0, 7, 500.0)),
        "more-imported": ((10.0, 100.0, 5, 400.0), (5.0, 100.0, 7, 500.0), (10.0, 100.0, 7, 500.0)),
        "later-period": ((10.0, 100.0, 9, 150.0), (5.0, 200.0, 1, 250.0), (10.0, 200.0, 1, 250.0)),
        "earlier-period": ((10.0, 200.0, 1, 250.0), (20.0, 100.0, 9, 150.0), (20.0, 200.0, 1, 250.0)),
    }
    for key, (held, imported, _) in cases.items():
        for store, (embargo_at, period_start, pages, now) in ((target, held), (source, imported)):
            store.keep_gate(GateState(key, embargo_at, until=embargo_at + 1_000.0, why=str(embargo_at))).result()
            store.spend(key, period_start, pages, now).result()
    for _ in range(2):
        carry()
        assert {state.key: state for state in target.gates(ANCIENT).result()} == {
            key: GateState(key, now, embargo_at + 1_000.0, 0, str(embargo_at), period_start, pages)
            for key, (_, _, (embargo_at, period_start, pages, now)) in cases.items()
        }


def test_memory_drops_the_gates_updated_longest_ago_beyond_its_count() -> None:
    store = MemoryStore(max_gates=2)
    first, second, third = (GateState(f"{number}.example", updated_at=float(number)) for number in (1, 2, 3))
    store.keep_gate(first)
    store.keep_gate(second)
    store.spend(first.key, 0.0, 1, now=2.5)
    store.keep_gate(third)
    assert {state.key for state in store.gates(ANCIENT).result()} == {first.key, third.key}


def test_memory_does_not_keep_turns_without_end() -> None:
    store = MemoryStore(max_gates=2)
    for number in range(3):
        store.take_turn(f"{number}.example", "a", 10.0, 20.0)
    assert store.take_turn("2.example", "b", 10.0, 20.0).result() != 0.0
    assert store.take_turn("0.example", "b", 10.0, 20.0).result() == 0.0


def test_a_turn_says_what_its_holder_and_others_get() -> None:
    turn = Turn("a", taken_at=10.0, hold_until=20.0, next_at=12.0)
    assert turn.ask_again_at("a", 11.0) == 12.0
    assert turn.ask_again_at("a", 12.0) == 0.0
    assert turn.ask_again_at("b", 11.0) == 12.0
    assert turn.ask_again_at("b", 20.0) == 0.0
