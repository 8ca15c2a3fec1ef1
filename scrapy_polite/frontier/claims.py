"""Hosts of a shared queue: claimed when those that are here keep nobody busy, released when they are closed for long
or others have too few. With a queue of one's own there is nothing to do."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING

from scrapy_polite import clock
from scrapy_polite.frontier.parts import host_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy_polite._engine import Engine
    from scrapy_polite.frontier.host_notes import HostNotes
    from scrapy_polite.frontier.in_flight import InFlight
    from scrapy_polite.frontier.queue import Queue
    from scrapy_polite.pacing.gate import Gate
    from scrapy_polite.services.shared_pacing import SharedPacing

#: How often a shared queue is asked for more hosts, and from what wait on a host is given back to it, in seconds.
_CLAIM_S, _RELEASE_FROM_S = 0.2, 60.0


class Claims:
    """Asks for as many hosts as requests may be under way, of those that may be asked within `ahead_s`."""

    def __init__(
        self,
        queue: Queue,
        in_flight: InFlight,
        pacing: SharedPacing,
        notes: HostNotes,
        engine: Engine,
        ahead_s: float,
    ) -> None:
        self._queue = queue
        self._notes = notes
        self._pacing = pacing
        self._in_flight = in_flight
        self._engine = engine
        self._ahead_s = ahead_s
        self._claim_at = 0.0
        #: Parts of hosts to be released once nothing of them is in flight, and until when nobody is to ask them.
        self._leaving: dict[str, float] = {}
        self._leaving_hosts: set[str] = set()
        #: Of hosts that have several parts, those that are here.
        self._parts: defaultdict[str, set[str]] = defaultdict(set)

    def more(self, now: float) -> float:
        """Ask for more hosts, as nothing may leave; when to do so again."""
        if not self._queue.shared:
            return math.inf
        if now >= self._claim_at:
            self._claim_at = now + _CLAIM_S
            self._queue.claim(self._engine.concurrency, self._ahead_s)
        return self._claim_at

    def came(self, part: str, note: bytes) -> None:
        """A host, or part of it, is here from now on. Who had it before may have been told by it to wait."""
        host = host_of(part)
        if part != host:
            self._parts[host].add(part)
        self._pacing.came(host)
        self._notes.came(part, note)

    def wanted(self, part: str) -> None:
        """Another process has too few hosts."""
        self._leave(part, self._leaving.get(part, 0.0))

    def leaves(self, host: str) -> bool:
        """Whether a host, or part of it, is about to be released: nothing more of it is to be sent."""
        return host in self._leaving_hosts

    def _leave(self, part: str, until: float) -> None:
        self._leaving[part] = until
        self._leaving_hosts.add(host_of(part))

    def _leave_whole(self, host: str, until: float) -> None:
        for part in (host, *self._parts.get(host, ())):
            self._leave(part, until)

    def leave_all(self, gates: Iterable[Gate], now: float) -> None:
        """Nothing of these hosts may be sent for long: as far as this process is concerned the crawl may end."""
        for gate in gates:
            opens_at = gate.opens_at(now)
            self._leave_whole(gate.key, max(opens_at if opens_at < math.inf else now, now + 2 * self._ahead_s))
        self.settle(now)

    def gate_moved(self, gate: Gate) -> None:
        """Of a shared queue: a host that is closed for long need not be kept by anybody meanwhile."""
        until = gate.opens_at(now := clock.now())
        if until - now > _RELEASE_FROM_S:
            self._leave_whole(gate.key, until)

    def settle(self, now: float) -> None:
        """Release what is to be released: before its requests are acknowledged others would send them again, and
        before the store knows what this process has met there they would come too soon."""
        if not self._leaving:
            return
        free = {host for host in self._leaving_hosts if not self._in_flight.is_at(host) and self._pacing.has_told(host)}
        for part, until in list(self._leaving.items()) if free else ():
            if (host := host_of(part)) in free:
                del self._leaving[part]
                self._parts[host].discard(part)
                self._notes.leaves(part)
                self._queue.release(part, max(until - now, 0.0))
        self._leaving_hosts -= free
        for host in free:
            if not self._parts[host]:
                del self._parts[host]
            else:
                self._pacing.look_again(host, now)  # its other parts go on
