"""Every metric, declared once: name, type, what it means, its label and where in a snapshot it comes from.

docs/metrics.md has the table that is made of it. All have the label `spider`, and `crawl_job` where there is a job: the
label `job` is Prometheus' own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from scrapy_polite.alert import BAD_ENDINGS, KINDS
from scrapy_polite.decision import REASONS
from scrapy_polite.metrics.histogram import ANSWER_S, WAIT_S

PREFIX = "scrapy_polite_"
OTHER = "other"
"""The value of a label for all that its metric does not tell apart."""
LABELS = ("spider", "crawl_job")
"""What all metrics have."""
ORIGIN = "origin"
"""The label of the hosts that are asked for (`--hosts`)."""

#: Finish reasons that are told apart. A spider's own are `other`.
FINISH_REASONS = (
    "finished",
    "shutdown",
    "closespider_timeout",
    "closespider_pagecount",
    "closespider_itemcount",
    "polite_traps_left",
    "polite_waiting",
    *BAD_ENDINGS,
)
#: Reasons for which something can be refused.
REFUSALS = tuple(
    reason
    for reason in REASONS
    if reason not in ("robots/allow", "robots/no-rule", "robots/robots-txt", "robots/none", "robots/outage-over")
)
RUN_STATES = ("running", "ended", "killed")
#: Parts whose failing is told (`events.Fault`).
PARTS = ("store", "queue", "run_record")
#: What a request for a robots.txt came to, by RFC 9309 §2.3.1: success 2xx, redirect 3xx, unavailable 4xx; unreachable
#: 429, 5xx or no answer.
OUTCOMES = ("success", "redirect", "unavailable", "unreachable")
_HOST_STATES = {"ready": "ready", "waiting for robots.txt": "unread", "in turn": "in_turn", "closed": "closed"}


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric. `name` is without PREFIX, and of a counter without `_total`, as prometheus-client has it.

    `path` leads to its value in a snapshot, empty where it is made of more than one. `label` is its own one, and
    `values` what that may be; `as_value` makes one of them of a key of the snapshot, OTHER where there is none.
    `bounds` are those of a histogram.
    """

    name: str
    type: str
    text: str
    path: tuple[str, ...] = ()
    label: str = ""
    values: tuple[str, ...] = ()
    as_value: Callable[[str], str] | None = field(default=None, compare=False)
    bounds: tuple[float, ...] = ()

    @property
    def exported(self) -> str:
        """The name as a query has it."""
        return f"{PREFIX}{self.name}{'_total' if self.type == 'counter' else ''}"

    @property
    def labels(self) -> tuple[str, ...]:
        return (*LABELS, self.label) if self.label else LABELS

    def value_of(self, key: str) -> str:
        """The value of the label for a key of a snapshot."""
        value = self.as_value(key) if self.as_value else key
        return value if value in self.values else OTHER


def _status_class(status: str) -> str:
    return "none" if status == "0" else f"{status[:1]}xx"


def _counter(name: str, text: str, *path: str, label: str = "", **more: object) -> Metric:
    return Metric(name, "counter", text, path, label, **more)  # type: ignore[arg-type]


def _gauge(name: str, text: str, *path: str, label: str = "", **more: object) -> Metric:
    return Metric(name, "gauge", text, path, label, **more)  # type: ignore[arg-type]


def _histogram(name: str, text: str, *path: str, bounds: tuple[float, ...], **more: object) -> Metric:
    return Metric(name, "histogram", text, path, bounds=bounds, **more)  # type: ignore[arg-type]


#: Counters and histograms: what the processes of a run have counted, added up (`jobs.Job`).
COUNTERS = (
    _counter(
        "pages",
        "Pages requested, by the robots.txt rules in force: fresh, stale (the last good copy in an outage), none, "
        "unchecked.",
        *("pages", "sent"),
        label="rules",
        values=("fresh", "stale", "none", "unchecked"),
    ),
    _counter(
        "responses",
        "Answers to requests for pages, by class of status; none: no answer.",
        *("pages", "answered"),
        label="status",
        values=("1xx", "2xx", "3xx", "4xx", "5xx", "none"),
        as_value=_status_class,
    ),
    _counter("not_found_responses", "Answers 404 and 410.", "metrics", "not_found"),
    _counter("response_bytes", "Bytes of the bodies of pages, as they came.", "metrics", "bytes"),
    _histogram(
        "response_duration_seconds",
        "Seconds from the request for a page to the end of its answer.",
        *("metrics", "answers"),
        bounds=ANSWER_S,
    ),
    _counter(
        "refused",
        "Requests and links refused, by reason (docs/reasons.md).",
        "refused",
        label="reason",
        values=REFUSALS,
    ),
    _counter("audited", "Requests and links that would have been refused.", "audited"),
    _counter("deferred_links", "Links that had to wait, as what they lead to looks endless.", "deferred"),
    _counter("left_links", "Links of such places that stayed behind at the end of a crawl.", "left"),
    _counter(
        "traps",
        "Groups of URL patterns that look endless: suspected, cleared again, ended (followed no further).",
        *("metrics", "traps"),
        label="state",
        values=("suspected", "cleared", "ended"),
    ),
    _histogram(
        "gate_wait_seconds",
        "Seconds that a request at the head of its host's queue has waited for the host's turn, of those that waited.",
        *("metrics", "gate_waits"),
        bounds=WAIT_S,
    ),
    _counter("backoffs", "Times that a host was left alone because of its answers.", "metrics", "backoffs"),
    _counter("abandoned_hosts", "Hosts and origins that nobody waits for any longer.", "metrics", "abandoned"),
    _histogram(
        "robots_fetch_duration_seconds",
        "Seconds of a request for a robots.txt, redirects and attempts each for itself, by outcome (RFC 9309).",
        *("metrics", "robots_fetches"),
        label="outcome",
        values=OUTCOMES,
        bounds=ANSWER_S,
    ),
    _counter(
        "robots_lookups",
        "Times that a robots.txt was looked up, by what had it: memory, store, network.",
        *("metrics", "robots_lookups"),
        label="source",
        values=("memory", "store", "network"),
    ),
    _counter("items", "Items scraped (Scrapy's item_scraped_count).", "metrics", "items"),
    _counter("errors", "ERROR lines in the log (Scrapy's log_count/ERROR).", "metrics", "errors"),
    _counter(
        "alerts",
        "Alerts of the crawl itself, by kind (docs/alerts.md).",
        *("metrics", "alerts"),
        label="kind",
        values=tuple(KINDS),
    ),
    _counter("record_lines_missed", "Lines that are not in a run record, which had reached its size.", "missed"),
)

#: How things stand in the processes at work, added up; 0 where none is.
GAUGES = (
    _gauge("queued_requests", "Requests queued.", "queued"),
    _gauge("in_flight_requests", "Requests for pages under way.", "metrics", "in_flight"),
    _gauge(
        "hosts",
        "Hosts with queued requests, by state: ready; unread: their robots.txt is not known yet; in_turn: they wait "
        "for their delay; closed: for more than that.",
        *("hosts", "counts"),
        label="state",
        values=tuple(_HOST_STATES.values()),
        as_value=lambda state: _HOST_STATES.get(state, ""),
    ),
    _gauge(
        "robots_unreachable_origins",
        "Origins whose robots.txt cannot be read at present, by what that means: closed (nothing is fetched), copy "
        "(the last good copy is in force).",
        *("metrics", "robots_unreachable"),
        label="access",
        values=("closed", "copy"),
    ),
)

#: What is made of more than a sum.
STATES = (
    _gauge("workers", "Processes at work."),
    _gauge("run_state", "1 for the state of the run: of the process heard of last.", label="state", values=RUN_STATES),
    _gauge("run_start_timestamp_seconds", "When the run began."),
    _gauge("run_end_timestamp_seconds", "When the process that ended last did; 0 where none has."),
    _gauge(
        "run_finish_reason",
        "1 for the finish reason of the process that ended last; a spider's own ones are `other`.",
        label="reason",
        values=(*FINISH_REASONS, "killed"),
    ),
    _gauge("last_page_timestamp_seconds", "When the last page came; before the first one, when the run began."),
    _gauge("snapshot_timestamp_seconds", "When the crawl was last heard of."),
    _gauge("start_requests", "Start requests of the run: sent, refused.", label="outcome", values=("sent", "refused")),
    _gauge(
        "forecast_end_timestamp_seconds",
        "When all that is queued will be done, at the pace in force; 0 where that cannot be said.",
    ),
    _gauge(
        "coverage_ratio",
        "Share of what is queued that will be done by the time limit, budget or window that leaves most undone; 1 if "
        "all will be.",
    ),
    _gauge(
        "healthy",
        "1 while a part works, in all processes at work, else in the one heard of last: store, queue, run record.",
        label="part",
        values=PARTS,
    ),
)

#: With `--hosts` alone.
OF_HOSTS = (
    Metric("host_pages", "gauge", "Pages requested of an origin in the run.", label=ORIGIN),
    Metric("host_refused", "gauge", "Requests refused of an origin in the run.", label=ORIGIN),
)

JOBS_LEFT_OUT = Metric("jobs_left_out", "gauge", "Jobs of a spider that are not exported: it has too many.")
METRICS = (*COUNTERS, *GAUGES, *STATES, *OF_HOSTS, JOBS_LEFT_OUT)


def exported_names() -> Mapping[str, Metric]:
    """The names as queries have them, those of the parts of histograms too."""
    names: dict[str, Metric] = {}
    for metric in METRICS:
        parts = ("_bucket", "_sum", "_count") if metric.type == "histogram" else ("",)
        names |= {f"{metric.exported}{part}": metric for part in parts}
    return names
