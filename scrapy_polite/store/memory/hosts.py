"""Hosts in memory: who may send to one, which are closed, what their budgets have spent."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from scrapy_polite.store.feed import Page
from scrapy_polite.store.hosts import GateState, HostLease, KeptGate

from .bounded import Bounded

if TYPE_CHECKING:
    from concurrent.futures import Future

    from scrapy_polite.store.feed import Position

    from .state import MemoryState

_UNTAKEN = HostLease("", 0.0, 0.0, 0.0)


class MemoryHosts:
    """`max_gates` bounds gates and leases each."""

    def __init__(self, state: MemoryState, max_gates: int) -> None:
        self._state = state
        self._gates: Bounded[str, KeptGate] = Bounded(max_gates)
        self._leases: Bounded[str, HostLease] = Bounded(max_gates)

    def acquire(
        self, key: str, holder: str, hold_s: float, *, gap_s: float = 0.0, if_known: bool = False
    ) -> Future[float]:
        return self._state.answer(lambda: self._acquire(key, holder, hold_s, gap_s, self._state.clock(), if_known))

    def renew(self, key: str, holder: str, hold_s: float) -> Future[bool]:
        return self._state.answer(lambda: self._renew(key, holder, hold_s, self._state.clock()))

    def release(self, key: str, holder: str, gap_s: float, *, answered_s_ago: float | None = None) -> Future[None]:
        return self._state.answer(lambda: self._release(key, holder, gap_s, answered_s_ago, self._state.clock()))

    def keep(self, key: str, closed_for_s: float, level: int, why: str, retry_after_s: float = 0.0) -> Future[None]:
        return self._state.answer(
            lambda: self._keep(KeptGate.closed(key, self._state.clock(), closed_for_s, level, why, retry_after_s))
        )

    def spend(self, key: str, period_start: float, pages: int) -> Future[int]:
        return self._state.answer(lambda: self._spend(key, period_start, pages, self._state.clock()))

    def changes(self, cursor: Position | None) -> Future[Page[GateState]]:
        return self._state.answer(lambda: self._changes(cursor))

    def forget(self, key: str | None) -> Future[int]:
        return self._state.answer(lambda: self._gates.drop(lambda kept: key is None or kept.state.key == key))

    def prune(self, before: float) -> None:
        self._leases.drop(lambda lease: lease.hold_until < before and lease.next_at < before)
        self._gates.drop(lambda kept: kept.state.updated_at < before and kept.state.until <= before)

    def _acquire(self, key: str, holder: str, hold_s: float, gap_s: float, now: float, if_known: bool) -> float:
        found = self._leases.get(key)
        if if_known and found is None:
            return 0.0
        lease = (found or _UNTAKEN).as_of(now).asked(gap_s)
        wait_s = lease.wait_s(holder, now)
        if not wait_s:
            lease = lease._replace(holder=holder, taken_at=now, hold_until=now + hold_s)
        if lease is not found:
            self._leases.set(key, lease)
        return wait_s

    def _renew(self, key: str, holder: str, hold_s: float, now: float) -> bool:
        lease = self._leases.get(key)
        if lease is None or lease.holder != holder:
            return False
        self._leases.set(key, lease.as_of(now)._replace(taken_at=now, hold_until=now + hold_s))
        return True

    def _release(self, key: str, holder: str, gap_s: float, answered_s_ago: float | None, now: float) -> None:
        found = self._leases.get(key)
        if found is None and not gap_s:
            return
        lease = found or _UNTAKEN
        if lease.holder == holder:
            lease = lease._replace(holder="", hold_until=0.0)
        if answered_s_ago is not None:
            lease = lease._replace(answered_at=max(lease.answered_at, now - answered_s_ago))
        self._leases.set(key, lease._replace(next_at=max(lease.next_at, now + gap_s)))

    def _keep(self, kept: KeptGate) -> None:
        key, now = kept.state.key, kept.state.updated_at
        held = self._gates.get(key)
        self._set(key, kept if held is None else held.as_of(now).merged(kept))

    def _spend(self, key: str, period_start: float, pages: int, now: float) -> int:
        held, kept_at = (self._gates.get(key) or KeptGate(GateState(key, now), 0.0)).as_of(now)
        total = pages + (0 if period_start > held.period_start else held.spent)
        state = replace(
            held,
            updated_at=max(held.updated_at, now),
            period_start=max(held.period_start, period_start),
            spent=total,
        )
        self._set(key, KeptGate(state, kept_at))
        return total

    def _changes(self, cursor: Position | None) -> Page[GateState]:
        page = self._state.page(self._gates, cursor)
        for kept in page.items:
            if (right := kept.as_of(page.at)) is not kept:
                self._gates.replace(kept.state.key, right)
        return Page([kept.as_of(page.at).state for kept in page.items], page.cursor, page.more, page.at)

    def _set(self, key: str, kept: KeptGate) -> None:
        self._gates.set(key, kept, self._state.next().number)
