"""Which processes of a spider are added up, and what they come to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING

from scrapy_polite.metrics.names import FINISH_REASONS, OTHER, PARTS, RUN_STATES
from scrapy_polite.runs.files import LIVE_S
from scrapy_polite.runs.forecast import Standing, unmet
from scrapy_polite.runs.run import State

if TYPE_CHECKING:
    from scrapy_polite.metrics.workers import Counts, Stand

_STATES = dict(zip(State, RUN_STATES, strict=True))


@dataclass(frozen=True)
class Job:
    """A spider's run, or a job's: the processes at work, else the one heard of last, with all that overlap with them.

    So what is counted begins anew only where a run begins while no other is under way: a counter that goes back then
    goes back to nothing, which is what `rate()` expects. Where runs overlap, none takes its count away when it ends.
    """

    spider: str
    job: str
    stands: tuple[Stand, ...]
    at_work: tuple[Stand, ...]
    #: The one that ended last, and how.
    over: Stand | None
    over_state: State

    @property
    def last(self) -> Stand:
        return max(self.stands, key=lambda stand: stand.last_at)

    @property
    def state(self) -> str:
        return RUN_STATES[0] if self.at_work or self.over is None else _STATES[self.over_state]

    @property
    def started(self) -> float:
        return min(stand.started for stand in self.stands)

    @property
    def counts(self) -> Counts:
        return _sum(stand.counts for stand in self.stands)

    @property
    def gauges(self) -> Counts:
        return _sum(stand.gauges for stand in self.at_work)

    @property
    def last_page_at(self) -> float:
        return max(self.started, *(stand.last_page_at for stand in self.stands))

    @property
    def starts(self) -> tuple[float, float]:
        return sum(stand.starts[0] for stand in self.stands), sum(stand.starts[1] for stand in self.stands)

    @property
    def forecast_end_at(self) -> float:
        """When what is queued is done; 0 where that cannot be said."""
        standing = self._standing
        ends_at = standing.ends_at if standing is not None and standing.queued + standing.elsewhere else inf
        return ends_at if ends_at < inf else 0.0

    @property
    def coverage(self) -> float:
        """Of limits, budgets and windows that cannot be met, the least share of a queue that will be done; else 1."""
        standing = self._standing
        return min((one.share for one in unmet(standing)), default=1.0) if standing is not None else 1.0

    @cached_property
    def _standing(self) -> Standing | None:
        return Standing.of([stand.worker.snapshot for stand in self.at_work])

    @property
    def finish_reason(self) -> str:
        """Empty where no process has ended."""
        if self.over is None:
            return ""
        if self.over_state is State.KILLED:
            return _STATES[State.KILLED]
        reason = self.over.worker.reason or ""
        return reason if reason in FINISH_REASONS else OTHER

    @property
    def healthy(self) -> dict[str, bool]:
        faults = frozenset[str]().union(*(stand.faults for stand in self.at_work or (self.last,)))
        return {part: part not in faults for part in PARTS}

    def hosts(self, most: int) -> list[tuple[str, float, float]]:
        """Origins with what was sent to them and refused of them: those with most of both."""
        found: dict[str, tuple[float, float]] = {}
        for stand in self.stands:
            for origin, (sent, refused) in stand.hosts.items():
                before = found.get(origin, (0.0, 0.0))
                found[origin] = before[0] + sent, before[1] + refused
        ranked = sorted(found.items(), key=lambda item: -sum(item[1]))
        return [(origin, *numbers) for origin, numbers in ranked[:most]]


def jobs_of(stands: Iterable[Stand], now: float) -> list[Job]:
    """Those heard of last first."""
    by_name: defaultdict[tuple[str, str], list[Stand]] = defaultdict(list)
    for stand in stands:
        by_name[stand.spider, stand.job].append(stand)
    jobs = [_job(spider, job, of_it, now) for (spider, job), of_it in by_name.items()]
    return sorted(jobs, key=lambda job: job.last.last_at, reverse=True)


def _job(spider: str, job: str, stands: list[Stand], now: float) -> Job:
    states = [(stand, stand.worker.state(now)) for stand in stands]
    at_work = tuple(stand for stand, state in states if state is State.RUNNING)
    over = [(stand, state) for stand, state in states if state is not State.RUNNING]
    last, last_state = max(over, key=lambda one: one[0].last_at, default=(None, State.RUNNING))
    return Job(spider, job, tuple(_overlapping(states, now)), at_work, last, last_state)


def _overlapping(states: list[tuple[Stand, State]], now: float) -> Iterator[Stand]:
    """The process heard of last, and those that were under way together with one of these."""
    spans = sorted(((_end(stand, state, now), stand) for stand, state in states), key=lambda span: -span[0])
    end, last = spans[0]
    began = min(end, last.started)  # a clock that was set back, or a damaged file, has it end before it began
    for end, stand in spans:
        if end < began:
            return
        began = min(began, stand.started)
        yield stand


def _end(stand: Stand, state: State, now: float) -> float:
    if state is State.RUNNING:
        return now
    # Of one that was killed, on another machine too, nobody knows for so long.
    return stand.last_at + (LIVE_S if state is State.KILLED else 0.0)


def _sum(counts: Iterable[Counts]) -> Counts:
    total: Counts = {}
    for one in counts:
        for key, value in one.items():
            total[key] = total.get(key, 0.0) + value
    return total
