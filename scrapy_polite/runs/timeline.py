"""Counts over time, in a bounded number of steps, whatever the run's length."""

from __future__ import annotations

from collections import Counter

MAX_STEPS = 600


class Timeline:
    """Counts of several kinds of things, in steps of `step_s` seconds that grow with the run; one second at least."""

    def __init__(self) -> None:
        self.step_s = 1
        self._counts: dict[str, Counter[int]] = {}
        self._seconds: dict[str, dict[int, float]] = {}
        self._first: int | None = None
        self._last = 0

    def add(self, kind: str, at: float) -> None:
        """One of `kind` at a time (epoch seconds)."""
        self._put(kind, int(at) // self.step_s)

    def add_during(self, kind: str, at: float, seconds: float) -> None:
        """One of `kind` in each step from `at` on for so many seconds, as far as the run goes on."""
        first = int(at) // self.step_s
        for step in range(first, min(first + int(seconds) // self.step_s, first + 2 * MAX_STEPS) + 1):
            self._counts.setdefault(kind, Counter())[step] += 1

    def add_seconds(self, kind: str, at: float, seconds: float) -> None:
        """Each step gets those of so many seconds from `at` on that are in it."""
        step_s, end = self.step_s, at + seconds
        first = int(at) // step_s
        counts = self._seconds.setdefault(kind, {})
        for step in range(first, min(int(end) // step_s, first + 2 * MAX_STEPS) + 1):
            inside = min(end, (step + 1) * step_s) - max(at, step * step_s)
            counts[step] = counts.get(step, 0.0) + inside

    def _put(self, kind: str, step: int) -> None:
        self._counts.setdefault(kind, Counter())[step] += 1
        first = self._first
        if first is None:
            self._first = self._last = step
            return
        if first <= step <= self._last:
            return
        self._first, self._last = min(first, step), max(self._last, step)
        while self._last - self._first >= MAX_STEPS:
            self._double()

    def _double(self) -> None:
        self.step_s *= 2
        for kind, counts in self._counts.items():
            merged: Counter[int] = Counter()
            for step, count in counts.items():
                # What lasts is in both halves: it counts once.
                merged[step // 2] = max(merged[step // 2], count) if kind in _LASTING else merged[step // 2] + count
            self._counts[kind] = merged
        for kind, seconds in self._seconds.items():
            summed: dict[int, float] = {}
            for step, some in seconds.items():
                summed[step // 2] = summed.get(step // 2, 0.0) + some
            self._seconds[kind] = summed
        self._first, self._last = (self._first or 0) // 2, self._last // 2

    @property
    def began(self) -> int:
        """When the first step begins."""
        return (self._first or 0) * self.step_s

    def of(self, kind: str) -> list[int]:
        """The counts of each step."""
        if self._first is None:
            return []
        counts = self._counts.get(kind, Counter())
        return [counts[step] for step in range(self._first, self._last + 1)]

    def mean_of(self, kind: str) -> list[float]:
        """Of what has been given in seconds, how many there were at a time, in each step."""
        if self._first is None:
            return []
        seconds = self._seconds.get(kind, {})
        return [round(seconds.get(step, 0.0) / self.step_s, 2) for step in range(self._first, self._last + 1)]


#: What is counted while it lasts, by `add_during`.
CLOSED = "closed hosts"
_LASTING = frozenset({CLOSED})
