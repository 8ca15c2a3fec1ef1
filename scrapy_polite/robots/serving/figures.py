"""What is measured of serving: how long an answer takes, how many come from memory, how many are not the newest.

`Figures` is a collector for a registry of prometheus-client (extra `prometheus`): `REGISTRY.register(app.figures)`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric

PREFIX = "scrapy_polite_serve_"
#: Upper bounds in seconds: an answer from memory takes 0.05 ms, one from disk 1 ms, 100 ms is the limit for 99 of 100.
BOUNDS_S = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
#: Where a robots.txt came from: `memory`; `store`; the last valid version, as the newest cannot be read (`fallback`);
#: nowhere (`none`: no rules of such a host; `failed`: the store cannot be read, and nothing is in memory).
MEMORY, STORE, FALLBACK, NONE, FAILED = SOURCES = ("memory", "store", "fallback", "none", "failed")


class Figures:
    """Counts since the process began."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._seconds = [0] * (len(BOUNDS_S) + 1)
        self._sum_s = 0.0
        self._sources: Counter[str] = Counter()
        self._statuses: Counter[int] = Counter()

    def count(self, source: str | None, status: int, seconds: float) -> None:
        """An answer; `source` is None where no robots.txt was looked up."""
        with self._lock:
            if source is not None:
                self._sources[source] += 1
            self._statuses[status] += 1
            self._seconds[bisect_left(BOUNDS_S, seconds)] += 1
            self._sum_s += seconds

    def facts(self) -> dict[str, float]:
        """`requests`; `p99_s`, the bound below which 99 of 100 answers were made; `hit_ratio`, those of robots.txt from
        memory; `failure_ratio`, those that were the last valid version, or none, as the store could not be read."""
        with self._lock:
            requests, looked_up = sum(self._seconds), sum(self._sources.values())
            below = list(accumulate(self._seconds))
            at = bisect_left(below, 0.99 * requests) if requests else 0
            return {
                "requests": requests,
                "p99_s": (*BOUNDS_S, float("inf"))[at],
                "hit_ratio": self._sources[MEMORY] / looked_up if looked_up else 0.0,
                "failure_ratio": (self._sources[FALLBACK] + self._sources[FAILED]) / looked_up if looked_up else 0.0,
            }

    def collect(self) -> Iterator[Metric]:
        """The metrics, as prometheus-client asks for them."""
        from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily

        with self._lock:
            below = list(accumulate(self._seconds))
            sources, statuses, sum_s = dict(self._sources), dict(self._statuses), self._sum_s
        duration = HistogramMetricFamily(f"{PREFIX}request_duration_seconds", "Seconds that an answer took to make.")
        bounds = [*map(str, BOUNDS_S), "+Inf"]
        duration.add_metric([], buckets=list(zip(bounds, below, strict=True)), sum_value=sum_s)
        yield duration
        lookups = CounterMetricFamily(f"{PREFIX}lookups", "Times that a robots.txt was looked up.", labels=["source"])
        for source in SOURCES:
            lookups.add_metric([source], sources.get(source, 0))
        yield lookups
        responses = CounterMetricFamily(f"{PREFIX}responses", "Answers, by status.", labels=["status"])
        for status, count in sorted(statuses.items()):
            responses.add_metric([str(status)], count)
        yield responses
