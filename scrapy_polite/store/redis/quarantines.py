"""Quarantines on a server."""

from __future__ import annotations

import json
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from scrapy_polite.store.quarantines import DECISIONS, Quarantine

from .caller import Value
from .feed import page_of, position
from .sweep import sweep_in_order, swept
from .values import GarbledValue, encoded, integer, items, number, parsed, text, texts

if TYPE_CHECKING:
    from scrapy_polite.store.feed import Page, Position

    from .caller import Caller

_FEED = "quarantines"
_LIST = Value(_FEED, "zset")


class RedisQuarantines:
    def __init__(self, caller: Caller, page_size: int) -> None:
        self._caller = caller
        self._page_size = page_size

    def keep(self, quarantine: Quarantine) -> Future[None]:
        kept = quarantine.bounded()
        if kept is None:
            done: Future[None] = Future()
            done.set_result(None)
            return done
        member = _member(kept.site, kept.place)
        return self._caller.ask(
            "quarantine_keep",
            member,
            encoded(kept.kind),
            encoded(kept.evidence),
            json.dumps([str(encoded(example), "utf-8") for example in kept.examples]),
            repr(float(kept.since)),
            repr(float(kept.until)),
            kept.refused,
            kept.decision,
            repr(float(kept.updated_at)),
            of=(_value(member), _LIST),
            read=lambda _: None,
        )

    def changes(self, cursor: Position | None) -> Future[Page[Quarantine]]:
        arguments = *position(cursor), self._page_size
        return self._caller.ask("quarantines", *arguments, of=(_LIST,), read=self._page)

    def forget(self, site: str | None, place: str | None = None) -> Future[int]:
        if site is None:
            return self._sweep("", "")
        if place is None:
            return self._sweep("", site)
        member = _member(site, place)
        return self._caller.ask("quarantines_forget", member, of=(_value(member), _LIST), read=integer)

    def prune(self, keep_s: float) -> Future[int]:
        return self._sweep(repr(keep_s), "")

    def _sweep(self, keep_s: str, site: str) -> Future[int]:
        return sweep_in_order(
            lambda after, size: self._caller.ask(
                "quarantines_sweep", after, size, keep_s, encoded(site), of=(_LIST,), read=swept
            )
        )

    def _page(self, reply: Any) -> Page[Quarantine]:
        return page_of(reply, _quarantine, _value, self._caller.drop)


def _member(site: str, place: str) -> bytes:
    return encoded(f"{site}\n{place}")


def _value(member: bytes) -> Value:
    return Value(b"q:" + member, "hash", _FEED, member)


def _quarantine(row: Any) -> Quarantine:
    member, kind, evidence, examples, since, until, refused, decision, updated_at = items(row, 9)
    site, between, place = text(member).partition("\n")
    if not between or text(decision) not in DECISIONS:
        raise GarbledValue
    return Quarantine(
        site,
        place,
        text(kind),
        text(evidence),
        texts(parsed(examples)),
        number(since),
        number(until),
        integer(refused),
        text(decision),
        number(updated_at),
    )
