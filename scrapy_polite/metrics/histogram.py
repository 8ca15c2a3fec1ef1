"""Histograms of seconds, as a crawl counts them. The bounds are constants, so that processes can be added up."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

#: Upper bounds of answers of hosts, in seconds. A time-out of Scrapy's takes 180 s: it is beyond the last.
ANSWER_S = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
#: Upper bounds of waits: a delay is some seconds, a Retry-After minutes, a visiting time hours.
WAIT_S = (1.0, 5.0, 15.0, 60.0, 300.0, 3_600.0)


class Histogram:
    """`counts` has one number more than `bounds`: of what is beyond the last."""

    __slots__ = ("bounds", "counts", "sum_s")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.sum_s = 0.0

    def observe(self, seconds: float) -> None:
        self.counts[bisect_left(self.bounds, seconds)] += 1
        self.sum_s += seconds

    def facts(self) -> dict[str, Any]:
        """What a snapshot has of it: `le` are the bounds."""
        return {"le": self.bounds, "counts": self.counts, "sum": round(self.sum_s, 3)}
