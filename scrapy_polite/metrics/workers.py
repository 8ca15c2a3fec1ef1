"""The processes (workers) of all runs of a project, and what the snapshot of each says, read again where it changes."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from scrapy_polite.metrics.names import COUNTERS, GAUGES, PARTS, Metric
from scrapy_polite.runs.files import LIVE_S, folders_in, is_run, workers
from scrapy_polite.runs.run import RunError, State, Worker, open_run, read_json, unreadable
from scrapy_polite.runs.values import mapping, number
from scrapy_polite.text import printable

Counts: TypeAlias = dict[tuple[str, str, int], float]
"""Numbers by name of the metric, value of its label (empty: it has none), and, of a histogram, place of the bound; SUM
for its sum of seconds."""
SUM = -1
_Found: TypeAlias = defaultdict[tuple[str, str, int], float]
_MAX_NAME = 200
#: What is kept of a snapshot as it is: for the state, and for the forecast.
_ALWAYS = ("at", "reason")
_WHILE_AT_WORK = (*_ALWAYS, "queues")
#: A folder that has changed within this time may change again without showing a later time.
_SETTLES_NS = 2_000_000_000


@dataclass(frozen=True, slots=True)
class Stand:
    """How one process stands. `worker` has of its head and snapshot what its state and its forecast take; `hosts` has
    what was sent and refused of the origins that were asked for."""

    spider: str
    job: str
    worker: Worker
    counts: Counts
    gauges: Counts
    last_page_at: float
    starts: tuple[float, float]
    faults: frozenset[str]
    hosts: Mapping[str, tuple[float, float]]

    @property
    def started(self) -> float:
        return self.worker.started

    @property
    def last_at(self) -> float:
        return self.worker.last_at


class Stands:
    """Of all workers below a folder of runs. `hosts` is how many origins of each are kept; `left_out` has, once, what
    keeps a run from being read."""

    def __init__(self, root: Path, hosts: int = 0, left_out: Callable[[RunError], object] = lambda _: None) -> None:
        self._root = root
        self._hosts = hosts
        self._left_out = left_out
        self._told: dict[str, str] = {}
        self._changed_ns: dict[str, int] = {}
        self._names: dict[str, set[tuple[str, str]]] = {}
        self._of_folder: dict[str, list[Stand]] = {}

    def read(self) -> list[Stand]:
        """Left out: runs of another format, what cannot be read, and runs that had ended before the last ones of their
        spider and job began, but for the last of them: of these only the heads are read."""
        there = dict(self._folders())
        for path in self._names.keys() - there.keys():
            self._forget(path)
            self._told.pop(path, None)
        now = time.time()
        began: dict[tuple[str, str], float] = {}
        over: set[tuple[str, str]] = set()
        for path, changed_ns in sorted(there.items(), key=lambda one: -one[1]):
            if self._changed_ns.get(path) != changed_ns:
                self._forget(path)
                self._names[path] = set(_names(Path(path)))
                if time.time_ns() - changed_ns > _SETTLES_NS:
                    self._changed_ns[path] = changed_ns
            heard_of = changed_ns / 1e9 + LIVE_S
            # The one that ended last is wanted, too: how it did is told while the next one is under way.
            names = self._names[path]  # none: of what is no run, or may not be read
            if names and all(name in over and heard_of < began[name] for name in names):
                continue
            if path not in self._of_folder:
                self._of_folder[path] = list(self._stands(Path(path)))
            for stand in self._of_folder[path]:
                name = stand.spider, stand.job
                if heard_of >= began.get(name, -math.inf):
                    began[name] = min(stand.started, began.get(name, math.inf))
                if stand.worker.state(now) is not State.RUNNING:
                    over.add(name)
        return [stand for stands in self._of_folder.values() for stand in stands]

    def _forget(self, path: str) -> None:
        self._changed_ns.pop(path, None)
        self._names.pop(path, None)
        self._of_folder.pop(path, None)

    def _stands(self, folder: Path) -> Iterator[Stand]:
        try:
            run = open_run(folder)
        except RunError as error:
            if is_run(folder, self._unreadable):
                self._tell(str(folder), error)
            return
        except OSError:
            return  # it is being pruned
        for worker in run.workers:
            yield stand_of(worker, self._hosts)

    def _folders(self) -> Iterator[tuple[str, int]]:
        """Of each run its folder, and when something was made or replaced in there."""
        for spider in folders_in(self._root, self._unreadable):
            for run in folders_in(spider, self._unreadable):
                with suppress(OSError):
                    yield str(run), run.stat().st_mtime_ns

    def _unreadable(self, error: OSError) -> None:
        self._tell(str(error.filename), unreadable(error))

    def _tell(self, folder: str, fault: RunError) -> None:
        if self._told.get(folder) != str(fault):
            self._told[folder] = str(fault)
            self._left_out(fault)


def stand_of(worker: Worker, hosts: int = 0) -> Stand:
    """What is of no use to a metric in a head or snapshot, and what is no number, counts for nothing."""
    head, snapshot = worker.head, worker.snapshot
    measures = mapping(snapshot.get("metrics"))
    starts = mapping(measures.get("starts"))
    told = measures.get("faults")
    faults = [*(told if isinstance(told, list) else ()), *(("run_record",) if worker.fault else ())]
    return Stand(
        *_name(head),
        Worker(
            worker.files,
            {key: head.get(key) for key in ("started", "process", "process_start")},
            {key: snapshot.get(key) for key in (_WHILE_AT_WORK if snapshot.get("reason") is None else _ALWAYS)},
        ),
        _counts(snapshot, COUNTERS),
        _counts(snapshot, GAUGES),
        number(measures.get("last_page_at")),
        (number(starts.get("sent")), number(starts.get("refused"))),
        frozenset(part for part in PARTS if part in faults),
        {
            printable(origin, _MAX_NAME): (
                number(tally.get("sent")),
                sum(map(number, mapping(tally.get("refused")).values())),
            )
            for origin, tally in list(mapping(snapshot.get("origins")).items())[:hosts]
            if isinstance(tally, dict)
        },
    )


def _name(head: Mapping[str, Any]) -> tuple[str, str]:
    """Spider and job."""
    job = head.get("job")
    return (
        printable(str(head.get("spider", "")), _MAX_NAME),
        printable(job, _MAX_NAME) if isinstance(job, str) else "",
    )


def _names(folder: Path) -> list[tuple[str, str]]:
    """The spiders and jobs of a run's workers."""
    return [_name(read_json(files.head)) for files in workers(folder)]


def _counts(snapshot: Mapping[str, Any], metrics: tuple[Metric, ...]) -> Counts:
    found: _Found = defaultdict(float)
    for metric in metrics:
        value: Any = snapshot
        for key in metric.path:
            value = mapping(value).get(key)
        by_label = mapping(value).items() if metric.label else [("", value)]
        for key, one in by_label:
            label = metric.value_of(key) if metric.label else ""
            if metric.bounds:
                _add_histogram(found, metric, label, mapping(one))
            elif isinstance(one, dict):  # by a label that the metric does not have
                found[metric.name, label, 0] += sum(map(number, one.values()))
            else:
                found[metric.name, label, 0] += number(one)
    return {key: value for key, value in found.items() if value}


def _add_histogram(found: _Found, metric: Metric, label: str, value: Mapping[str, Any]) -> None:
    bounds, counts = value.get("le"), value.get("counts")
    if not isinstance(bounds, list) or not isinstance(counts, list) or len(counts) != len(metric.bounds) + 1:
        return
    if tuple(bounds) != metric.bounds:  # of another version
        return
    for place, count in enumerate(counts):
        found[metric.name, label, place] += number(count)
    found[metric.name, label, SUM] += number(value.get("sum"))
