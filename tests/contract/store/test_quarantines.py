"""What every store keeps of quarantines, and of what a person has decided of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from scrapy_polite.store.base import every_quarantine
from scrapy_polite.store.quarantines import (
    MAX_EVIDENCE_LENGTH,
    MAX_EXAMPLE_LENGTH,
    MAX_EXAMPLES,
    MAX_PLACE_LENGTH,
    Quarantine,
)
from store_parts import CONFIRMED, FOUND, PAGE_SIZE, RELEASED

if TYPE_CHECKING:
    from scrapy_polite.store.base import Store
    from store_parts import StoreClock


@pytest.fixture(autouse=True)
def now(clock: StoreClock) -> None:
    """Later than all of these, of which none was written by a clock that was ahead."""
    clock.at = 10_000.0


def keep(store: Store, *quarantines: Quarantine) -> None:
    for quarantine in quarantines:
        store.quarantines.keep(quarantine).result()


def held(store: Store) -> list[Quarantine]:
    return every_quarantine(store)


def test_gives_back_what_was_kept(store: Store) -> None:
    assert held(store) == []
    keep(store, FOUND)
    assert held(store) == [FOUND]


@pytest.mark.parametrize("decided", [CONFIRMED, RELEASED], ids=["confirmed", "released"])
def test_what_a_person_has_decided_has_no_end(store: Store, clock: StoreClock, decided: Quarantine) -> None:
    keep(store, decided)
    clock.at = 1e12
    store.prune(0.0).result()
    assert held(store) == [decided]


@pytest.mark.parametrize(
    ("first", "then", "wins"),
    [
        pytest.param(FOUND, replace(FOUND, kind="maze", updated_at=1_001.0), True, id="later-finding"),
        pytest.param(FOUND, replace(FOUND, kind="maze"), True, id="finding-of-the-same-time"),
        pytest.param(FOUND, replace(FOUND, kind="maze", updated_at=999.0), False, id="earlier-finding"),
        pytest.param(FOUND, CONFIRMED, True, id="decision-after-a-finding"),
        pytest.param(FOUND, replace(CONFIRMED, updated_at=1.0), True, id="decision-by-a-clock-that-is-behind"),
        pytest.param(CONFIRMED, replace(FOUND, updated_at=9_000.0), False, id="finding-after-a-decision"),
        pytest.param(CONFIRMED, RELEASED, True, id="later-decision"),
        pytest.param(RELEASED, replace(CONFIRMED, updated_at=RELEASED.updated_at - 5), False, id="earlier-decision"),
    ],
)
@pytest.mark.parametrize("refused", [3, 11])
def test_a_decision_then_the_later_wins_as_a_whole_and_the_larger_count_is_kept(
    store: Store, first: Quarantine, then: Quarantine, wins: bool, refused: int
) -> None:
    keep(store, first, replace(then, evidence="other", examples=("http://example.com/other",), refused=refused))
    expected = replace(then, evidence="other", examples=("http://example.com/other",)) if wins else first
    assert held(store) == [replace(expected, refused=max(7, refused))]


def test_places_and_sites_are_apart(store: Store) -> None:
    others = [replace(FOUND, site="example.org"), replace(FOUND, place="/day?at&view")]
    keep(store, FOUND, *others)
    keep(store, CONFIRMED)
    assert sorted((found.site, found.place, found.decision) for found in held(store)) == [
        ("example.com", "/day?at", "confirmed"),
        ("example.com", "/day?at&view", ""),
        ("example.org", "/day?at", ""),
    ]


def test_lists_what_changed_after_a_cursor_in_the_order_of_the_changes(store: Store) -> None:
    for number in (3, 1, 4, 2):
        keep(store, replace(FOUND, place=f"/{number}", updated_at=float(number)))
    page = store.quarantines.changes(None).result()
    assert [found.place for found in page.items] == ["/3", "/1", "/4", "/2"]
    assert (page.more, page.at) == (False, 10_000.0)
    keep(store, replace(FOUND, place="/1", updated_at=5.0))
    changed = store.quarantines.changes(page.cursor).result()
    assert [found.place for found in changed.items] == ["/1"]
    assert store.quarantines.changes(changed.cursor).result().items == []


def test_all_changes_are_on_some_page_and_none_is_larger(store: Store) -> None:
    for number in range(PAGE_SIZE + 1):
        store.quarantines.keep(replace(FOUND, place=f"/{number}"))
    assert [found.place for found in held(store)] == [f"/{number}" for number in range(PAGE_SIZE + 1)]
    page = store.quarantines.changes(None).result()
    assert (len(page.items), page.more) == (PAGE_SIZE, True)


@pytest.mark.parametrize(
    ("words", "left"),
    [
        pytest.param(("example.com", "/a"), ["example.com/b", "example.org/a"], id="place"),
        pytest.param(("example.com",), ["example.org/a"], id="site"),
        pytest.param((None,), [], id="all"),
        pytest.param(("example.com", "/c"), ["example.com/a", "example.com/b", "example.org/a"], id="unknown"),
    ],
)
def test_forgets(store: Store, words: tuple[str], left: list[str]) -> None:
    keep(
        store,
        replace(FOUND, place="/a"),
        replace(CONFIRMED, place="/b"),
        replace(FOUND, site="example.org", place="/a"),
    )
    assert store.quarantines.forget(*words).result() == 3 - len(left)
    assert sorted(found.site + found.place for found in held(store)) == left


def test_prunes_what_has_ended(store: Store, clock: StoreClock) -> None:
    ended = replace(FOUND, place="/ended", until=1_500.0)
    keep(store, FOUND, ended, replace(CONFIRMED, place="/decided"))
    clock.at = 1_600.0
    assert store.prune(100.0).result() == 0
    assert [found.place for found in held(store)] == ["/day?at", "/decided"]


def test_what_the_network_makes_long_is_cut(store: Store) -> None:
    long = replace(FOUND, evidence="e" * 100_000, examples=("http://example.com/" + "x" * 100_000,) * 100)
    keep(store, long)
    (found,) = held(store)
    assert len(found.evidence) == MAX_EVIDENCE_LENGTH
    assert [len(example) for example in found.examples] == [MAX_EXAMPLE_LENGTH] * MAX_EXAMPLES


@pytest.mark.parametrize(("length", "count"), [(MAX_PLACE_LENGTH, 1), (MAX_PLACE_LENGTH + 1, 0), (100_000, 0)])
def test_too_long_a_place_is_not_kept_as_cut_it_would_be_another(store: Store, length: int, count: int) -> None:
    place = "/" + "x" * (length - len(FOUND.site) - 1)
    keep(store, replace(FOUND, place=place))
    assert [found.place for found in held(store)] == [place] * count


def test_what_utf_8_cannot_hold_is_kept_too(store: Store) -> None:
    odd = replace(FOUND, place="/\ud800", evidence="\udcff", examples=("http://example.com/\udcff",))
    keep(store, odd, odd)
    (found,) = held(store)
    assert found.examples
    assert store.quarantines.forget(odd.site, odd.place).result() == 1
