"""A store that ends with the process: least recently used copies, bounded by count and bytes; the rest, by count.

Answers at once, with futures that are done, and belongs to one thread: the one that runs the crawl.
"""

from __future__ import annotations

import math
import zlib
from collections import OrderedDict
from concurrent.futures import Future
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from scrapy_polite.clock import AHEAD_S

from .base import (
    MAX_DEAD,
    MAX_GATES,
    MAX_QUARANTINES,
    DeadUrl,
    GateState,
    KeptGate,
    Quarantine,
    RobotsCopy,
    StoreError,
    Turn,
)
from .sqlite import read_export, read_exported_dead, read_exported_gates, read_exported_quarantines, write_export

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")


class MemoryStore:
    """`max_bytes` bounds the bodies as they are held: compressed. `max_gates` bounds gates and turns each."""

    description = "memory"
    shared = False

    def __init__(self, max_copies: int = 20_000, max_bytes: int = 64 * 1024 * 1024, max_gates: int = MAX_GATES) -> None:
        self._max_copies = max_copies
        self._max_bytes = max_bytes
        self._max_gates = max_gates
        self._bytes = 0
        self._packed: OrderedDict[tuple[str, str], RobotsCopy] = OrderedDict()
        self._leases: OrderedDict[tuple[str, str], tuple[str, float]] = OrderedDict()
        self._gates: OrderedDict[str, KeptGate] = OrderedDict()
        self._turns: OrderedDict[str, Turn] = OrderedDict()
        self._dead: OrderedDict[str, DeadUrl] = OrderedDict()
        self._quarantines: OrderedDict[tuple[str, str], Quarantine] = OrderedDict()
        self._closed = False

    def get(self, origin: str, token: str) -> Future[RobotsCopy | None]:
        return self._answer(lambda: self._get((origin, token)))

    def put(self, copy: RobotsCopy, holder: str = "") -> Future[None]:
        return self._answer(lambda: self._put(copy, holder, now=copy.updated_at))

    def claim(
        self, origin: str, token: str, holder: str, now: float, until: float, due: float
    ) -> Future[tuple[RobotsCopy | None, bool]]:
        return self._answer(lambda: self._claim((origin, token), holder, now, until, due))

    def lease(self, origin: str, token: str, holder: str, now: float, until: float) -> Future[bool]:
        return self._answer(lambda: self._lease((origin, token), holder, now, until))

    def release(self, origin: str, token: str, holder: str) -> Future[None]:
        return self._answer(lambda: self._release((origin, token), holder))

    def copies(self, origin: str) -> Future[list[RobotsCopy]]:
        return self._answer(lambda: [_unpacked(packed) for key, packed in self._packed.items() if key[0] == origin])

    def forget(self, origin: str | None) -> Future[int]:
        return self._answer(lambda: self._drop(lambda packed: origin is None or packed.origin == origin))

    def take_turn(self, key: str, holder: str, now: float, hold_until: float) -> Future[float]:
        return self._answer(lambda: self._take_turn(key, holder, now, hold_until))

    def end_turn(self, key: str, holder: str, next_at: float) -> Future[None]:
        return self._answer(lambda: self._end_turn(key, holder, next_at))

    def keep_gate(self, state: GateState) -> Future[None]:
        return self._answer(lambda: self._keep(KeptGate.said(state), now=state.updated_at))

    def gates(self, since: float) -> Future[list[GateState]]:
        return self._answer(lambda: self._updated_after(since))

    def spend(self, key: str, period_start: float, pages: int, now: float) -> Future[int]:
        return self._answer(lambda: self._spend(key, period_start, pages, now))

    def forget_gate(self, key: str | None) -> Future[int]:
        return self._answer(lambda: _drop(self._gates, lambda kept: key is None or kept.state.key == key))

    def dead(self, key: str) -> Future[DeadUrl | None]:
        return self._answer(lambda: self._dead.get(key))

    def keep_dead(self, dead: DeadUrl) -> Future[None]:
        return self._answer(lambda: self._keep_dead(dead, now=dead.seen_at))

    def forget_dead(self, key: str | None) -> Future[int]:
        return self._answer(lambda: _drop(self._dead, lambda dead: key is None or dead.key == key))

    def quarantines(self, since: float) -> Future[list[Quarantine]]:
        return self._answer(lambda: self._quarantined_after(since))

    def keep_quarantine(self, quarantine: Quarantine) -> Future[None]:
        return self._answer(lambda: self._keep_quarantine(quarantine, now=quarantine.updated_at))

    def forget_quarantine(self, site: str | None, place: str | None = None) -> Future[int]:
        return self._answer(
            lambda: _drop(self._quarantines, lambda held: site in (None, held.site) and place in (None, held.place))
        )

    def prune(self, before: float) -> Future[int]:
        return self._answer(lambda: self._prune(before))

    def export_to(self, path: Path) -> Future[int]:
        return self._answer(
            lambda: write_export(
                path,
                map(_unpacked, self._packed.values()),
                self._gates.values(),
                self._dead.values(),
                self._quarantines.values(),
            )
        )

    def import_from(self, path: Path) -> Future[int]:
        return self._answer(lambda: self._import(path))

    def close(self) -> None:
        self._closed = True
        self._packed.clear()
        self._leases.clear()
        self._gates.clear()
        self._turns.clear()
        self._dead.clear()
        self._quarantines.clear()
        self._bytes = 0

    def _answer(self, ask: Callable[[], T]) -> Future[T]:
        future: Future[T] = Future()
        try:
            if self._closed:
                raise StoreError("store in memory: it is closed")
            future.set_result(ask())
        except StoreError as error:
            future.set_exception(error)
        return future

    def _get(self, key: tuple[str, str]) -> RobotsCopy | None:
        packed = self._packed.get(key)
        if packed is None:
            return None
        self._packed.move_to_end(key)
        return _unpacked(packed)

    def _claim(
        self, key: tuple[str, str], holder: str, now: float, until: float, due: float
    ) -> tuple[RobotsCopy | None, bool]:
        copy = self._get(key)
        copy = copy and copy.as_of(now)
        return copy, (copy is None or copy.due_at <= due) and self._lease(key, holder, now, until)

    # What is imported is of no `now`: of two that were written by clocks elsewhere the later one wins.

    def _put(self, copy: RobotsCopy, holder: str = "", *, now: float = math.inf) -> None:
        key = copy.origin, copy.token
        self._release(key, holder)
        held = self._packed.get(key)
        if held is not None and held.as_of(now).updated_at > copy.updated_at:
            return
        self._bytes -= len(held.body) if held is not None else 0
        packed = replace(copy, body=zlib.compress(copy.body))
        self._bytes += len(packed.body)
        self._packed[key] = packed
        self._packed.move_to_end(key)
        while len(self._packed) > self._max_copies or self._bytes > self._max_bytes:
            self._bytes -= len(self._packed.popitem(last=False)[1].body)

    def _lease(self, key: tuple[str, str], holder: str, now: float, until: float) -> bool:
        if key in self._leases:
            other, other_until = self._leases[key]
            if other != holder and now < other_until <= until + AHEAD_S:
                return False
        _set(self._leases, key, (holder, until), self._max_copies)
        return True

    def _release(self, key: tuple[str, str], holder: str) -> None:
        if key in self._leases and self._leases[key][0] == holder:
            del self._leases[key]

    def _take_turn(self, key: str, holder: str, now: float, hold_until: float) -> float:
        turn = self._turns.get(key, _UNTAKEN).as_of(now)
        again_at = turn.ask_again_at(holder, now)
        if not again_at:
            turn = Turn(holder, now, hold_until, turn.next_at)
        if turn is not _UNTAKEN:
            _set(self._turns, key, turn, self._max_gates)
        return again_at

    def _end_turn(self, key: str, holder: str, next_at: float) -> None:
        turn = self._turns.get(key, _UNTAKEN)
        if turn.holder == holder:
            turn = turn._replace(holder="", hold_until=0.0)
        _set(self._turns, key, turn._replace(next_at=max(turn.next_at, next_at)), self._max_gates)

    def _keep(self, kept: KeptGate, *, now: float = math.inf) -> None:
        held = self._gates.get(kept.state.key)
        _set(self._gates, kept.state.key, kept if held is None else held.as_of(now).merged(kept), self._max_gates)

    def _spend(self, key: str, period_start: float, pages: int, now: float) -> int:
        held, kept_at = (self._gates.get(key) or KeptGate(GateState(key, now), 0.0)).as_of(now)
        total = pages + (0 if period_start > held.period_start else held.spent)
        state = replace(
            held,
            updated_at=max(held.updated_at, now),
            period_start=max(held.period_start, period_start),
            spent=total,
        )
        _set(self._gates, key, KeptGate(state, kept_at), self._max_gates)
        return total

    def _keep_dead(self, dead: DeadUrl, *, now: float = math.inf) -> None:
        held = self._dead.get(dead.key)
        held = held and held.as_of(now)
        if held is None or held.seen_at <= dead.seen_at:
            _set(self._dead, dead.key, dead, MAX_DEAD)

    def _keep_quarantine(self, quarantine: Quarantine, *, now: float = math.inf) -> None:
        kept = quarantine.bounded()
        if kept is not None:
            key = kept.site, kept.place
            held = self._quarantines.get(key)
            _set(self._quarantines, key, kept if held is None else held.as_of(now).merged(kept), MAX_QUARANTINES)

    def _quarantined_after(self, since: float) -> list[Quarantine]:
        later = (held for held in self._quarantines.values() if held.updated_at > since)
        return sorted(later, key=lambda held: held.updated_at)

    def _updated_after(self, since: float) -> list[GateState]:
        states = (kept.state for kept in self._gates.values())
        return sorted((state for state in states if state.updated_at > since), key=lambda state: state.updated_at)

    def _prune(self, before: float) -> int:
        _drop(self._turns, lambda turn: turn.hold_until < before and turn.next_at < before)
        _drop(self._gates, lambda kept: kept.state.updated_at < before and kept.state.until <= before)
        _drop(self._dead, lambda dead: dead.seen_at < before)
        _drop(self._quarantines, lambda held: held.until <= before)
        return self._drop(lambda packed: packed.updated_at < before)

    def _import(self, path: Path) -> int:
        count = 0
        for copy in read_export(path):
            self._put(copy)
            count += 1
        for kept in read_exported_gates(path):
            self._keep(kept)
        for dead in read_exported_dead(path):
            self._keep_dead(dead)
        for quarantine in read_exported_quarantines(path):
            self._keep_quarantine(quarantine)
        return count

    def _drop(self, condition: Callable[[RobotsCopy], bool]) -> int:
        count = _drop(self._packed, condition)
        self._bytes = sum(len(packed.body) for packed in self._packed.values())
        return count


_UNTAKEN = Turn("", 0.0, 0.0, 0.0)


def _set(held: OrderedDict[K, V], key: K, value: V, limit: int) -> None:
    """Beyond `limit` the one set longest ago goes."""
    held[key] = value
    held.move_to_end(key)
    if len(held) > limit:
        held.popitem(last=False)


def _drop(held: OrderedDict[K, V], condition: Callable[[V], bool]) -> int:
    keys = [key for key, value in held.items() if condition(value)]
    for key in keys:
        del held[key]
    return len(keys)


def _unpacked(packed: RobotsCopy) -> RobotsCopy:
    return replace(packed, body=zlib.decompress(packed.body))
