"""What every store keeps of robots.txt, and who may fetch one."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from scrapy_polite.store.errors import StoreError
from scrapy_polite.store.robots import RobotsCopy
from store_parts import FULL, NEVER_ANSWERED, OTHER_SITE, SITE

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy_polite.store.base import Store
    from store_parts import StoreClock


def claimed(store: Store, holder: str, lease_s: float = 10.0, origin: str = SITE, agent: str = "demobot") -> bool:
    """Whether the right to fetch is granted, whatever copy there is."""
    return store.robots.claim(origin, agent, holder, lease_s, due_in_s=math.inf).result().granted


@pytest.mark.parametrize(
    "copy",
    [
        pytest.param(FULL, id="every-field"),
        pytest.param(NEVER_ANSWERED, id="never-answered"),
        pytest.param(replace(FULL, status=404, body=b"", hops=()), id="missing"),
        pytest.param(replace(FULL, body=random.Random(1).randbytes(512_000)), id="500-KiB-incompressible"),
        pytest.param(replace(FULL, agent="*", failure="über\x00\n"), id="odd-text"),
    ],
)
def test_gives_back_what_was_put(store: Store, copy: RobotsCopy) -> None:
    assert store.robots.put(copy).result()
    assert store.robots.get(copy.origin, copy.agent).result() == copy


def test_knows_nothing_of_another_origin_or_agent(store: Store) -> None:
    store.robots.put(FULL).result()
    assert store.robots.get(OTHER_SITE, FULL.agent).result() is None
    assert store.robots.get(SITE, "otherbot").result() is None


@pytest.mark.parametrize(
    ("updated_at", "kept"),
    [pytest.param(999.0, "old", id="earlier"), (1_000.5, "new"), pytest.param(1_001.0, "new", id="later")],
)
def test_a_put_never_replaces_a_later_copy(store: Store, updated_at: float, kept: str) -> None:
    store.robots.put(replace(FULL, body=b"old")).result()
    assert store.robots.put(replace(FULL, body=b"new", updated_at=updated_at)).result() is (kept == "new")
    copy = store.robots.get(SITE, FULL.agent).result()
    assert copy is not None
    assert copy.body == kept.encode()


@pytest.mark.parametrize(
    ("holder", "now", "granted"),
    [
        pytest.param("b", 10.0, False, id="another-while-it-lasts"),
        pytest.param("b", 19.9, False, id="another-just-before-its-end"),
        pytest.param("b", 20.0, True, id="another-when-it-has-ended"),
        pytest.param("a", 15.0, True, id="the-holder-itself-renews"),
    ],
)
def test_a_lease_is_for_one_holder_until_its_end(
    store: Store, clock: StoreClock, holder: str, now: float, granted: bool
) -> None:
    clock.at = 10.0
    assert claimed(store, "a")
    clock.at = now
    assert claimed(store, holder) is granted


def test_a_refused_claim_changes_nothing(store: Store, clock: StoreClock) -> None:
    clock.at = 10.0
    assert claimed(store, "a")
    clock.at = 15.0
    assert not claimed(store, "b", 84.0)
    clock.at = 20.0
    assert claimed(store, "c")


def test_a_renewed_lease_lasts_until_its_new_end(store: Store, clock: StoreClock) -> None:
    clock.at = 10.0
    assert claimed(store, "a")
    clock.at = 15.0
    assert store.robots.renew(SITE, "demobot", "a", 10.0).result()
    clock.at = 24.9
    assert not claimed(store, "b")


def test_nobody_renews_what_another_has_or_nobody_holds(store: Store, clock: StoreClock) -> None:
    clock.at = 10.0
    assert not store.robots.renew(SITE, "demobot", "a", 10.0).result()
    assert claimed(store, "a")
    clock.at = 20.0
    assert claimed(store, "b")
    assert not store.robots.renew(SITE, "demobot", "a", 99.0).result()
    clock.at = 30.0
    assert claimed(store, "c")


def test_leases_of_other_origins_are_apart(store: Store) -> None:
    assert claimed(store, "a")
    assert claimed(store, "b", origin=OTHER_SITE)


@pytest.mark.parametrize("other", ["a", "b"], ids=["the-same-holder", "another"])
def test_an_origin_is_asked_for_one_agent_after_the_other(store: Store, clock: StoreClock, other: str) -> None:
    assert claimed(store, "a")
    assert not claimed(store, other, agent="otherbot")
    # Nothing that is done for the other agent ends the lease, or prolongs it.
    store.robots.release(SITE, "otherbot", "a").result()
    store.robots.put(replace(FULL, agent="otherbot"), "a").result()
    assert not store.robots.renew(SITE, "otherbot", "a", 99.0).result()
    assert not claimed(store, other, agent="otherbot")
    clock.at += 5.0
    assert store.robots.renew(SITE, "demobot", "a", 10.0).result()
    clock.at += 9.9
    assert not claimed(store, other, agent="otherbot")
    store.robots.put(FULL, "a").result()
    assert claimed(store, other, agent="otherbot")
    assert not claimed(store, "a")


def test_whose_lease_has_expired_puts_its_copy_while_the_origin_is_asked_for_another_agent(
    store: Store, clock: StoreClock
) -> None:
    late = store.robots.claim(SITE, "demobot", "late", 10.0).result()
    clock.at += 10.0
    assert claimed(store, "other", agent="otherbot")
    assert store.robots.put(FULL, "late", late.fence).result()
    assert store.robots.get(SITE, "demobot").result() == FULL
    assert not claimed(store, "late")


def test_only_its_holder_releases_a_lease(store: Store) -> None:
    assert claimed(store, "a")
    store.robots.release(SITE, "demobot", "b").result()
    assert not claimed(store, "b")
    store.robots.release(SITE, "demobot", "a").result()
    assert claimed(store, "b")


def test_lists_the_copies_of_one_origin_for_every_agent(store: Store) -> None:
    copies = [FULL, replace(FULL, agent="otherbot", body=b"other")]
    for copy in [*copies, NEVER_ANSWERED]:
        store.robots.put(copy).result()
    assert sorted(store.robots.of_origin(SITE).result(), key=lambda copy: copy.agent) == copies
    assert store.robots.of_origin("https://unknown.example").result() == []


@pytest.mark.parametrize(
    ("origin", "count", "left"), [pytest.param(SITE, 2, 1, id="one-origin"), pytest.param(None, 3, 0, id="all")]
)
def test_forgets(store: Store, origin: str | None, count: int, left: int) -> None:
    for copy in (FULL, replace(FULL, agent="otherbot"), NEVER_ANSWERED):
        store.robots.put(copy).result()
    assert store.robots.forget(origin).result() == count
    assert store.robots.get(SITE, FULL.agent).result() is None
    assert len(store.robots.of_origin(OTHER_SITE).result()) == left
    assert store.robots.forget(origin).result() == 0


def test_prunes_what_was_last_updated_before(store: Store, clock: StoreClock) -> None:
    for number in range(2_500):
        store.robots.put(replace(NEVER_ANSWERED, origin=f"https://{number}.example", updated_at=float(number)))
    clock.at = 2_500.0
    assert store.prune(100.0).result() == 2_400
    assert store.robots.get("https://2399.example", "demobot").result() is None
    assert store.robots.get("https://2400.example", "demobot").result() is not None
    assert store.prune(100.0).result() == 0


def test_closing_twice_is_harmless_and_ends_all_answers(store: Store) -> None:
    store.robots.put(FULL).result()
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.robots.get(SITE, "demobot").result()


def due(copy_due_at: float) -> RobotsCopy:
    return RobotsCopy(SITE, "demobot", updated_at=1.0, status=200, expires_at=copy_due_at)


@pytest.mark.parametrize(
    ("held", "others_lease_until", "granted"),
    [
        pytest.param(None, None, True, id="nothing is held"),
        pytest.param(due(50.0), None, False, id="what is held is not due"),
        pytest.param(due(10.0), None, True, id="what is held is due"),
        pytest.param(None, 34.0, False, id="another is at it"),
        pytest.param(due(10.0), 34.0, False, id="due, but another is at it"),
        pytest.param(due(10.0), 20.0, True, id="due, and the other's lease has ended"),
    ],
)
def test_a_claim_reads_the_copy_and_leases_what_is_due(
    store: Store, clock: StoreClock, held: RobotsCopy | None, others_lease_until: float | None, granted: bool
) -> None:
    if held is not None:
        store.robots.put(held).result()
    if others_lease_until is not None:
        clock.at = others_lease_until - 15.0
        assert claimed(store, "other", 15.0)
    clock.at = 20.0
    claim = store.robots.claim(SITE, "demobot", "me", lease_s=15.0).result()
    assert (claim.copy, claim.granted, claim.fence is not None, claim.at) == (held, granted, granted, 20.0)
    others = claimed(store, "third", 15.0)
    assert others is not (granted or bool(others_lease_until and others_lease_until > 20.0))


@pytest.mark.parametrize(("due_in_s", "granted"), [(29.0, False), (30.0, True), (math.inf, True)])
def test_what_is_soon_to_be_due_may_be_claimed_before(
    store: Store, clock: StoreClock, due_in_s: float, granted: bool
) -> None:
    clock.at = 20.0
    store.robots.put(due(50.0)).result()
    assert store.robots.claim(SITE, "demobot", "me", 15.0, due_in_s).result().granted is granted


def test_a_put_ends_the_lease_of_its_holder_only(store: Store, clock: StoreClock) -> None:
    clock.at = 15.0
    assert claimed(store, "a", 20.0)
    clock.at = 20.0
    store.robots.put(due(50.0), "b").result()
    assert not claimed(store, "b", 20.0)
    store.robots.put(due(50.0), "a").result()
    assert claimed(store, "b", 20.0)


# Fencing tokens


@pytest.mark.parametrize("has_put", [False, True], ids=["while-the-other-fetches", "once-the-other-has-put-its-own"])
def test_whose_lease_another_has_taken_overwrites_nothing(store: Store, clock: StoreClock, has_put: bool) -> None:
    late = store.robots.claim(SITE, "demobot", "late", 10.0).result()
    clock.at += 10.0
    other = store.robots.claim(SITE, "demobot", "other", 10.0).result()
    theirs = replace(FULL, body=b"other", updated_at=clock.at)
    if has_put:
        assert store.robots.put(theirs, "other", other.fence).result()
    # However late it says that it is: it was asked for first.
    assert not store.robots.put(replace(FULL, body=b"late", updated_at=clock.at + 5), "late", late.fence).result()
    assert store.robots.get(SITE, "demobot").result() == (theirs if has_put else None)
    assert claimed(store, "third") is has_put
    if not has_put:
        assert store.robots.put(theirs, "other", other.fence).result()
        assert store.robots.get(SITE, "demobot").result() == theirs


def test_whose_lease_has_expired_puts_its_copy_where_nobody_has_taken_it(store: Store, clock: StoreClock) -> None:
    claim = store.robots.claim(SITE, "demobot", "a", 10.0).result()
    clock.at += 1_000.0
    assert store.robots.put(FULL, "a", claim.fence).result()
    assert store.robots.get(SITE, "demobot").result() == FULL


def test_who_has_claimed_later_overwrites_whatever_its_clock_says(store: Store) -> None:
    for holder, updated_at in (("a", 1_000.0), ("b", 995.0)):
        claim = store.robots.claim(SITE, "demobot", holder, 10.0, math.inf).result()
        assert store.robots.put(
            replace(FULL, body=holder.encode(), updated_at=updated_at), holder, claim.fence
        ).result()
    kept = store.robots.get(SITE, "demobot").result()
    assert kept is not None
    assert kept.body == b"b"


def test_who_claims_again_what_it_has_already_is_not_fenced_by_itself(store: Store) -> None:
    first, again = (store.robots.claim(SITE, "demobot", "a", 10.0).result() for _ in range(2))
    assert first.granted
    assert again == first
    assert store.robots.put(FULL, "a", first.fence).result()


def test_a_token_of_another_store_counts_as_none(new_store: Callable[[], Store]) -> None:
    broken, store = new_store(), new_store()
    for holder in ("a", "b", "c"):
        claim = broken.robots.claim(SITE, "demobot", holder, 10.0).result()
        broken.robots.release(SITE, "demobot", holder).result()
    assert store.robots.put(FULL, "a", claim.fence).result()
    own = store.robots.claim(SITE, "demobot", "b", 10.0, math.inf).result()
    assert store.robots.put(replace(FULL, body=b"own"), "b", own.fence).result()
