"""Copies of robots.txt on a server, and leases of the right to fetch one."""

from __future__ import annotations

import json
import math
import zlib
from concurrent.futures import Future
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy_polite.store.errors import StoreError
from scrapy_polite.store.feed import Position
from scrapy_polite.store.processes import is_gone
from scrapy_polite.store.robots import Claim, RobotsCopy

from .caller import Value
from .feed import position
from .sweep import composed, sweep
from .values import GarbledValue, decompressed, encoded, integer, items, number, parsed, text, texts

if TYPE_CHECKING:
    from .caller import Caller, Values

MAX_BODY_BYTES = 1024 * 1024
"""No longer body is ever stored (the fetcher cuts far below), so a longer one is a fault, or a trap."""

_OPTIONAL_TEXT, _FLOAT = (str, type(None)), (float, int)
#: The types that a field of a copy may have in JSON, but for its key and its body.
_FIELDS: dict[str, tuple[type, ...]] = {
    "updated_at": _FLOAT,
    "status": (int, type(None)),
    "truncated": (bool,),
    "fetched_at": _FLOAT,
    "expires_at": _FLOAT,
    "etag": _OPTIONAL_TEXT,
    "last_modified": _OPTIONAL_TEXT,
    "hops": (list,),
    "failing_since": (*_FLOAT, type(None)),
    "failures": (int,),
    "next_try": _FLOAT,
    "failure": (str,),
    "refused_since": (*_FLOAT, type(None)),
}
_KEY = ("origin", "agent", "body")
_LIST = Value("robots", "zset")


class RedisRobots:
    """Bodies are at most `MAX_BODY_BYTES` long, and compressed."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def get(self, origin: str, agent: str) -> Future[RobotsCopy | None]:
        def read(reply: Any) -> RobotsCopy | None:
            now, copy, body = items(reply, 3)
            return _copy(origin, agent, copy, body, number(now))

        return self._caller.ask("robots_get", origin, encoded(agent), of=(_copies(origin),), read=read)

    def put(self, copy: RobotsCopy, holder: str = "", fence: Position | None = None) -> Future[bool]:
        return self._caller.ask(
            "robots_put",
            copy.origin,
            encoded(copy.agent),
            _record(copy),
            zlib.compress(copy.body),
            repr(float(copy.updated_at)),
            repr(float(copy.due_at)),
            holder,
            *position(fence),
            of=_touched(copy.origin),
            read=bool,
        )

    def claim(self, origin: str, agent: str, holder: str, lease_s: float, due_in_s: float = 0.0) -> Future[Claim]:
        claimed: Future[Claim] = composed()

        def ask() -> Future[_Claimed]:
            arguments = origin, encoded(agent), holder, repr(lease_s), repr(due_in_s)
            return self._caller.ask(
                "robots_claim",
                *arguments,
                of=_touched(origin),
                read=lambda reply: _claimed(origin, agent, reply),
            )

        def answer(done: Future[_Claimed]) -> None:
            error = done.exception()
            if isinstance(error, StoreError):
                claimed.set_exception(error)
            else:
                claimed.set_result(done.result().claim)

        def look(done: Future[_Claimed]) -> None:
            if done.exception() is None and is_gone((other := done.result()).holder):
                # A process that was killed gives nothing back: after a restart nobody should wait for it.
                self.release(origin, other.agent, other.holder)
                ask().add_done_callback(answer)
            else:
                answer(done)

        ask().add_done_callback(look)
        return claimed

    def renew(self, origin: str, agent: str, holder: str, lease_s: float) -> Future[bool]:
        arguments = origin, encoded(agent), holder, repr(lease_s)
        return self._caller.ask("robots_renew", *arguments, of=(_lease(origin),), read=bool)

    def release(self, origin: str, agent: str, holder: str) -> Future[None]:
        arguments = origin, encoded(agent), holder
        return self._caller.ask("robots_release", *arguments, of=(_lease(origin),), read=lambda _: None)

    def of_origin(self, origin: str) -> Future[list[RobotsCopy]]:
        def read(reply: Any) -> list[RobotsCopy]:
            now, *rows = reply
            found = [_copy(origin, text(agent), copy, body, number(now)) for agent, copy, body in rows]
            return [copy for copy in found if copy is not None]

        return self._caller.ask("robots_of", origin, of=(_copies(origin),), read=read)

    def forget(self, origin: str | None) -> Future[int]:
        if origin is None:
            return self.prune(-math.inf)
        return self._caller.ask("robots_forget", origin, of=(_copies(origin), _LIST), read=integer)

    def prune(self, keep_s: float) -> Future[int]:
        return sweep(lambda size: self._caller.ask("robots_sweep", repr(keep_s), size, of=(_LIST,), read=integer))


class _Claimed(NamedTuple):
    """`holder` has the lease that was not granted, for this `agent`."""

    claim: Claim
    holder: str
    agent: str


def _claimed(origin: str, agent: str, reply: Any) -> _Claimed:
    granted, now, store, fence, holder, whose, copy, body = items(reply, 8)
    at = number(now)
    claim = Claim(
        copy=_copy(origin, agent, copy, body, at),
        granted=bool(granted),
        fence=Position(text(store), integer(fence)) if granted else None,
        at=at,
    )
    return _Claimed(claim, text(holder), text(whose))


def _copies(origin: str) -> Value:
    return Value(f"r:{origin}")


def _touched(origin: str) -> Values:
    return _copies(origin), _lease(origin), _LIST


def _lease(origin: str) -> Value:
    return Value(f"l:{origin}")


def _record(copy: RobotsCopy) -> str:
    values = {name: value for name, value in asdict(copy).items() if name not in _KEY}
    return json.dumps(
        {
            name: str(encoded(value), "utf-8")
            if isinstance(value, str)
            else [str(encoded(hop), "utf-8") for hop in value]
            if isinstance(value, tuple)
            else value
            for name, value in values.items()
        }
    )


def _copy(origin: str, agent: str, record: bytes, body: bytes, now: float) -> RobotsCopy | None:
    if not record:
        return None
    values = parsed(record)
    if not isinstance(values, dict) or values.keys() != _FIELDS.keys():
        raise GarbledValue
    if not all(type(value) in _FIELDS[name] for name, value in values.items()):
        raise GarbledValue
    unpacked = decompressed(body, MAX_BODY_BYTES)
    values["hops"] = texts(values["hops"])
    return RobotsCopy(origin=origin, agent=agent, body=unpacked, **values).as_of(now)
