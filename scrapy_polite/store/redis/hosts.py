"""Hosts on a server: who may send to one, which are closed, what their budgets have spent."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from scrapy_polite.store.hosts import GateState

from .caller import Value
from .feed import page_of, position
from .sweep import sweep_in_order, swept
from .values import GarbledValue, encoded, integer, items, number, text

if TYPE_CHECKING:
    from concurrent.futures import Future

    from scrapy_polite.store.feed import Page, Position

    from .caller import Caller, Values

_FEED = "gates"
_LIST = Value(_FEED, "zset")


class RedisHosts:
    def __init__(self, caller: Caller, page_size: int) -> None:
        self._caller = caller
        self._page_size = page_size

    def acquire(
        self, key: str, holder: str, hold_s: float, *, gap_s: float = 0.0, if_known: bool = False
    ) -> Future[float]:
        arguments = key, holder, repr(hold_s), int(if_known), repr(gap_s)
        return self._caller.ask("acquire", *arguments, of=_lease(key), read=number)

    def renew(self, key: str, holder: str, hold_s: float) -> Future[bool]:
        return self._caller.ask("lease_renew", key, holder, repr(hold_s), of=_lease(key), read=bool)

    def release(self, key: str, holder: str, gap_s: float, *, answered_s_ago: float | None = None) -> Future[None]:
        arguments = key, holder, repr(gap_s), "" if answered_s_ago is None else repr(answered_s_ago)
        return self._caller.ask("release", *arguments, of=_lease(key), read=lambda _: None)

    def keep(self, key: str, closed_for_s: float, level: int, why: str, retry_after_s: float = 0.0) -> Future[None]:
        arguments = key, repr(closed_for_s), level, encoded(why), repr(retry_after_s)
        return self._caller.ask("keep", *arguments, of=_gate(key), read=lambda _: None)

    def spend(self, key: str, period_start: float, pages: int) -> Future[int]:
        return self._caller.ask("spend", key, repr(period_start), pages, of=_gate(key), read=integer)

    def changes(self, cursor: Position | None) -> Future[Page[GateState]]:
        arguments = *position(cursor), self._page_size
        return self._caller.ask("gates", *arguments, of=(_LIST,), read=self._page)

    def forget(self, key: str | None) -> Future[int]:
        if key is None:
            return self.prune(-math.inf)
        return self._caller.ask("gates_forget", key, of=_gate(key), read=integer)

    def prune(self, keep_s: float) -> Future[int]:
        """Leases go by themselves."""
        return sweep_in_order(
            lambda after, size: self._caller.ask("gates_sweep", after, size, repr(keep_s), of=(_LIST,), read=swept)
        )

    def _page(self, reply: Any) -> Page[GateState]:
        return page_of(reply, _state, lambda key: Value(b"g:" + key, "hash", _FEED, key), self._caller.drop)


def _lease(key: str) -> Values:
    return (Value(f"t:{key}"),)


def _gate(key: str) -> Values:
    return Value(f"g:{key}", "hash", _FEED, key), _LIST


def _state(row: Any) -> GateState:
    key, updated_at, until, level, why, period_start, spent, retry_after_s = items(row, 8)
    if number(updated_at) == math.inf:
        raise GarbledValue
    return GateState(
        text(key),
        number(updated_at),
        number(until),
        integer(level),
        text(why),
        number(period_start),
        integer(spent),
        number(retry_after_s),
    )
