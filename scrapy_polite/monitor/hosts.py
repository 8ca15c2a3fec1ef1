"""What the hosts of a crawl wait for, in numbers: for whoever shows a crawl while it runs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrapy_polite._crawl import shared
from scrapy_polite._engine import Engine
from scrapy_polite.services.pacing import CrawlPacing
from scrapy_polite.text import duration, printable

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from typing_extensions import Self

    from scrapy_polite.pacing.gate import Gate

#: Hosts that are looked at for one line; where there are more, so many stand for all.
MAX_LOOKED_AT = 1_000


@dataclass(frozen=True, slots=True)
class Opening:
    """When the next request to a host may leave (epoch seconds), and what it waits for."""

    at: float
    host: str
    reason: str
    detail: str


#: What a host with queued requests can be, in the order in which it is told.
READY = "ready"
UNREAD = "waiting for robots.txt"
IN_TURN = "in turn"
CLOSED = "closed"
STATES = (READY, UNREAD, IN_TURN, CLOSED)


@dataclass(frozen=True, slots=True)
class Hosts:
    """How many hosts with queued requests are in each of STATES, and when the first opens that is closed.

    In turn is one that waits for its delay, or for what it has in flight; closed is one that more than that keeps from
    being asked, as in `scrapy polite gates`. Where none is closed, `next` is the first in turn. Without `exact` this is
    an estimate.
    """

    counts: Mapping[str, int]
    next: Opening | None = None
    exact: bool = True

    def __str__(self) -> str:
        about = "" if self.exact else "about "
        told = [f"{about}{count:,} {state}" for state in STATES if (count := self.counts[state])]
        return f"hosts: {', '.join(told) or 'none'}"

    def next_text(self, now: float) -> str:
        if self.next is None:
            return ""
        detail = f": {printable(self.next.detail, 80)}" if self.next.detail else ""
        host = printable(self.next.host, 60)
        to_be = "to open" if self.counts[CLOSED] else "in turn"
        return f"next {to_be}: {host} in {duration(self.next.at - now)} ({self.next.reason}{detail})"


class HostStates:
    """`shared(crawler, HostStates)`."""

    def __init__(self, pacing: CrawlPacing, engine: Engine) -> None:
        self._pacing = pacing
        self._engine = engine

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(shared(crawler, CrawlPacing), shared(crawler, Engine))

    @property
    def queued(self) -> int:
        """How many requests are queued in this process."""
        try:
            return len(self._engine.scheduler)
        except TypeError:  # a scheduler need not know, and there is none when all is over
            return 0

    def look(self, now: float, most: int = MAX_LOOKED_AT) -> Hosts:
        """Looks at no more than `most` of them, however many there are."""
        if self._pacing.has_scheduler and (scheduler := self._engine.scheduler) is not None:
            lanes, count = scheduler.lanes(most), scheduler.host_count
        else:
            gates = list(self._pacing.gates)
            step = -(-len(gates) // most) or 1
            lanes = [(gate, 0.0) for gate in gates[::step] if gate.lanes or gate.in_flight]
            count = len(lanes) * step
        kept_until: dict[Gate, float] = {}
        for gate, until in lanes:
            kept_until[gate] = min(until, kept_until.get(gate, math.inf))
        found = [_state(gate, until, now) for gate, until in kept_until.items()]
        seen = Counter(state for state, _ in found)
        awaited = CLOSED if seen[CLOSED] else IN_TURN
        openings = (opening for state, opening in found if state == awaited and opening is not None)
        return Hosts(
            {state: round(seen[state] * count / len(found)) if found else 0 for state in STATES},
            min(openings, key=lambda opening: opening.at, default=None),
            exact=len(found) == count,
        )


def _state(gate: Gate, kept_until: float, now: float) -> tuple[str, Opening | None]:
    """What a host is whose requests something else than its gate keeps until then; and when they may leave."""
    opens_at = gate.opens_at(now)
    if opens_at > now and gate.shut_until(now) > now:
        return CLOSED, Opening(opens_at, gate.key, *gate.why(now))
    if kept_until == math.inf:
        return UNREAD, None
    if kept_until > now:
        return CLOSED, Opening(kept_until, gate.key, "robots/unreachable", "")
    if opens_at > now:
        return IN_TURN, Opening(opens_at, gate.key, *gate.why(now))
    return (IN_TURN if gate.full else READY), None
