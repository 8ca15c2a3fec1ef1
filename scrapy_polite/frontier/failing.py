"""Hosts to which connections fail, and when each is to be abandoned."""

from __future__ import annotations

import math
from heapq import heappop, heappush
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy_polite.frontier.lane import OriginLane
    from scrapy_polite.frontier.schedule import Schedule
    from scrapy_polite.pacing.gate import Gate
    from scrapy_polite.services.pacing import CrawlPacing


class FailingHosts:
    """When the hosts to which connections fail are to be abandoned, the first one first."""

    def __init__(self, schedule: Schedule[OriginLane], pacing: CrawlPacing, give_up_s: float) -> None:
        self._schedule = schedule
        self._pacing = pacing
        self._give_up_s = give_up_s
        self._heap: list[tuple[float, str]] = []
        #: An entry of the heap counts that has the time known here.
        self._until: dict[str, float] = {}

    def __bool__(self) -> bool:
        return bool(self._heap)

    def note(self, gate: Gate) -> None:
        """Lanes wait at `gate`, which is new or has changed."""
        until = self.abandons_gate_at(gate)
        if until < math.inf and self._until.get(gate.key) != until:
            self._until[gate.key] = until
            heappush(self._heap, (until, gate.key))

    def abandons_gate_at(self, gate: Gate) -> float:
        since = gate.backoff.failing_since if gate.backoff else None
        return math.inf if since is None else since + self._give_up_s

    def next_at(self) -> float:
        """When the next host is abandoned; infinite where there is none."""
        while self._heap:
            at, key = self._heap[0]
            if self._until.get(key) == at:
                gate = self._pacing.gates.peek(key) if self._schedule.has_lanes_at(key) else None
                if gate is not None and self.abandons_gate_at(gate) == at:
                    return at
                del self._until[key]
                if gate is not None:
                    self.note(gate)  # it has recovered since, and fails again
            heappop(self._heap)
        return math.inf

    def take_due(self, now: float) -> list[Gate]:
        """The gates of the hosts that are to be abandoned by `now`."""
        due: list[Gate] = []
        while self._heap and self.next_at() <= now:
            _, key = heappop(self._heap)
            del self._until[key]
            gate = self._pacing.gates.peek(key)
            # While it is open, a request that may still come back well is on its way, or about to be.
            if gate is not None and gate.opens_at(now) > now:
                due.append(gate)
        return due
