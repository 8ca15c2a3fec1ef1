"""The metrics in Prometheus' text format. Needs prometheus-client (extra `prometheus`)."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from scrapy_polite.metrics.jobs import Job, jobs_of
from scrapy_polite.metrics.names import (
    COUNTERS,
    GAUGES,
    JOBS_LEFT_OUT,
    METRICS,
    OF_HOSTS,
    OTHER,
    PREFIX,
    STATES,
    Metric,
)
from scrapy_polite.metrics.workers import SUM, Counts, Stands

if TYPE_CHECKING:
    from pathlib import Path
    from threading import Thread
    from wsgiref.simple_server import WSGIServer

    from prometheus_client.metrics_core import Metric as Family

    from scrapy_polite.runs.run import RunError

#: Series of one spider, over all its jobs, of which each has some 160.
MAX_SERIES = 500
MAX_HOSTS = 100


class MetricsUnavailable(Exception):
    """prometheus-client is not installed."""

    def __init__(self) -> None:
        super().__init__(
            "metrics need prometheus-client, which is not installed: pip install 'scrapy-polite[prometheus]'"
        )


class Sample(NamedTuple):
    """One value of a metric: `label` is the value of its own label; of a histogram `buckets` are the counts by bound,
    and `value` is the sum of seconds."""

    metric: Metric
    label: str
    value: float
    buckets: tuple[float, ...] = ()

    @property
    def series(self) -> int:
        return len(self.buckets) + 2 if self.buckets else 1


class Exporter:
    """A collector for a registry of prometheus-client: reads what there is each time that it is asked.

    `hosts` is how many origins of a run are told apart; `left_out` has what keeps a run from being read, and is called
    from any thread. Raises MetricsUnavailable.
    """

    def __init__(self, root: Path, hosts: int = 0, left_out: Callable[[RunError], object] = lambda _: None) -> None:
        try:
            from prometheus_client import CollectorRegistry
        except ImportError:
            raise MetricsUnavailable from None
        self._stands = Stands(root, hosts, left_out)
        self._hosts = hosts
        self._lock = Lock()
        self.registry = CollectorRegistry()
        self.registry.register(self)

    def text(self) -> str:
        """All metrics, in the text format."""
        from prometheus_client import generate_latest

        return generate_latest(self.registry).decode()

    def serve(self, port: int, address: str) -> tuple[WSGIServer, Thread]:
        """Serve the metrics from a thread, on a free port where that is 0. Raises OSError."""
        from prometheus_client import start_http_server

        return start_http_server(port, address, self.registry)

    def collect(self) -> Iterator[Family]:
        with self._lock:  # each scrape has a thread of its own
            jobs = jobs_of(self._stands.read(), time.time())
        chosen, left_out = _chosen(jobs, self._hosts)
        by_metric: defaultdict[str, list[tuple[Job, Sample]]] = defaultdict(list)
        for job, samples in chosen:
            for sample in samples:
                by_metric[sample.metric.name].append((job, sample))
        for metric in METRICS:
            if found := by_metric[metric.name]:
                yield _family(metric, found)
        yield _left_out(left_out)


def _chosen(jobs: Iterable[Job], hosts: int) -> tuple[list[tuple[Job, list[Sample]]], Counter[str]]:
    """The jobs that are exported, with what they say; and of each spider how many are not."""
    chosen = []
    series: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    for job in jobs:
        samples = list(samples_of(job, hosts))
        count = sum(sample.series for sample in samples)
        left_out[job.spider] += 0
        if series[job.spider] + count >= MAX_SERIES:
            left_out[job.spider] += 1
            continue
        series[job.spider] += count
        chosen.append((job, samples))
    return chosen, left_out


def samples_of(job: Job, hosts: int) -> Iterator[Sample]:
    yield from _sums(COUNTERS, job.counts)
    yield from _sums(GAUGES, job.gauges)
    values = _states(job)
    for metric in STATES:
        for label, value in values[metric.name].items():
            yield Sample(metric, label, value)
    for origin, *numbers in job.hosts(hosts):
        for metric, value in zip(OF_HOSTS, numbers, strict=True):
            yield Sample(metric, origin, value)


def _sums(metrics: tuple[Metric, ...], counts: Counts) -> Iterator[Sample]:
    seen = {(name, label) for name, label, _ in counts}
    for metric in metrics:
        # A series that begins with another number than 0 looks to `rate()` as if nothing had happened.
        for label in (*metric.values, OTHER) if metric.label else ("",):
            if label == OTHER and (metric.name, label) not in seen:
                continue
            places = range(len(metric.bounds) + 1) if metric.bounds else ()
            buckets = tuple(accumulate(counts.get((metric.name, label, place), 0.0) for place in places))
            yield Sample(metric, label, counts.get((metric.name, label, SUM if buckets else 0), 0.0), buckets)


def _states(job: Job) -> dict[str, dict[str, float]]:
    """By the name of a metric of STATES its values by label."""
    sent, refused = job.starts
    states = next(metric for metric in STATES if metric.name == "run_state").values
    return {
        "workers": {"": len(job.at_work)},
        "run_state": {state: float(state == job.state) for state in states},
        "run_start_timestamp_seconds": {"": job.started},
        "run_end_timestamp_seconds": {"": job.over.last_at if job.over else 0.0},
        "run_finish_reason": {job.finish_reason: 1.0} if job.finish_reason else {},
        "last_page_timestamp_seconds": {"": job.last_page_at},
        "snapshot_timestamp_seconds": {"": job.last.last_at},
        "start_requests": {"sent": sent, "refused": refused},
        "forecast_end_timestamp_seconds": {"": job.forecast_end_at},
        "coverage_ratio": {"": job.coverage},
        "healthy": {part: float(is_healthy) for part, is_healthy in job.healthy.items()},
    }


def _family(metric: Metric, found: list[tuple[Job, Sample]]) -> Family:
    from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

    name = f"{PREFIX}{metric.name}"
    if metric.type == "histogram":
        histogram = HistogramMetricFamily(name, metric.text, labels=metric.labels)
        bounds = [*map(str, metric.bounds), "+Inf"]
        for job, sample in found:
            labels = _labels(metric, job, sample)
            histogram.add_metric(labels, list(zip(bounds, sample.buckets, strict=True)), sample.value)
        return histogram
    kind = CounterMetricFamily if metric.type == "counter" else GaugeMetricFamily
    family = kind(name, metric.text, labels=metric.labels)
    for job, sample in found:
        family.add_metric(_labels(metric, job, sample), sample.value)
    return family


def _labels(metric: Metric, job: Job, sample: Sample) -> list[str]:
    return [job.spider, job.job, sample.label] if metric.label else [job.spider, job.job]


def _left_out(jobs: Counter[str]) -> Family:
    from prometheus_client.metrics_core import GaugeMetricFamily

    family = GaugeMetricFamily(f"{PREFIX}{JOBS_LEFT_OUT.name}", JOBS_LEFT_OUT.text, labels=JOBS_LEFT_OUT.labels)
    for spider, count in jobs.items():
        family.add_metric([spider, ""], count)
    return family
