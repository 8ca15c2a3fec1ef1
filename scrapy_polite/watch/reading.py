"""How runs stand at one moment, as plain values: what the terminal shows and the page is sent as JSON.

Made of the runs' snapshots alone, whatever the length of their records. Every text in it is `printable`: nothing from
the network is left in it that a terminal or a browser would obey.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from scrapy_polite.runs.files import LIVE_S
from scrapy_polite.runs.forecast import Standing, standing_of, unmet
from scrapy_polite.runs.missing import missing
from scrapy_polite.runs.run import Run, State, Worker
from scrapy_polite.runs.values import mapping, time_of, whole
from scrapy_polite.runs.why import why
from scrapy_polite.text import LAST_S, printable

#: Characters of a name, and of a sentence.
_MAX_NAME, _MAX_TEXT = 100, 600
#: Sentences of an answer, and kinds of things (reasons, states) that are told apart.
_MAX_SENTENCES, _MAX_KINDS, _MAX_ALERTS = 20, 50, 5

LATE_S = 12.0
"""A snapshot comes every five seconds: after this it is late, and says nothing of how fast the crawl is."""
#: The word of `monitor.hosts` for a host of which nothing is known yet.
UNREAD = "waiting for robots.txt"

_K = TypeVar("_K")


@dataclass(frozen=True, slots=True)
class HostReading:
    """A host with queued requests: how many, and how many in flight; one leaves every `pace_s` seconds, which
    `pace_source` asks for. `state` is a word of `monitor.hosts`; until `opens_at` (epoch seconds, 0: it is open) it is
    kept closed by what `reason` says. It is done at `done_at`, None: not as things are."""

    host: str
    queued: int
    in_flight: int
    pace_s: float
    pace_source: str
    state: str
    opens_at: float
    reason: str
    done_at: float | None


@dataclass(frozen=True, slots=True)
class OriginReading:
    """An origin: pages sent, refusals, the delay in force and what its robots.txt does, in words."""

    origin: str
    sent: int
    refused: int
    pace: str
    robots: str


@dataclass(frozen=True, slots=True)
class AlertReading:
    """An alert that the crawl has given (docs/alerts.md), and when (epoch seconds)."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class RunReading:
    """How a run stands. The counts are those of all its processes; `queued`, `in_flight` and `hosts` of those that run.

    - `key`: the names of the spider's and the run's folder, by which it is asked for.
    - `state`: a value of `runs.run.State`; `ended` is Scrapy's finish reason.
    - `why`: the answer to "Why is it still running?" first, then what else there is to know.
    - `a_second`: pages a second of late, None until two snapshots have been read; `in_all` since it began.
    - `answered`: by "2xx" and so on; "none": without an answer.
    - `robots`: how many of the origins that the snapshots name have rules, and so on.
    - `warnings`: what a person should look at; `alerts`: the last ones, the newest first.
    - `ends_at`: when all is done that is queued now, None: that is not known; with `ends_later` more is to come.
    - `queues`: the hosts whose queues take longest; `origins`: those that were refused most.
    """

    key: str
    run: str
    spider: str
    job: str
    folder: str
    state: str
    ended: str
    started: float
    last_at: float
    processes: int
    why: tuple[str, ...]
    warnings: tuple[str, ...]
    alerts: tuple[AlertReading, ...]
    sent: int
    a_second: float | None
    in_all: float
    answered: Mapping[str, int]
    queued: int
    in_flight: int
    deferred: int
    left: int
    refused: Mapping[str, int]
    audited: Mapping[str, int]
    hosts: Mapping[str, int]
    hosts_exact: bool
    ends_at: float | None
    ends_later: bool
    queues: tuple[HostReading, ...]
    origins: tuple[OriginReading, ...]
    robots: Mapping[str, int]

    @property
    def is_running(self) -> bool:
        return self.state == State.RUNNING.value


@dataclass(frozen=True, slots=True)
class Reading:
    """All runs that are watched, at one time (epoch seconds): those that run first, then those that ended last.

    `more` runs are left out, and `trouble` says what could not be read.
    """

    at: float
    root: str
    runs: tuple[RunReading, ...]
    more: int = 0
    trouble: tuple[str, ...] = ()


def sent_so_far(run: Run) -> int:
    """The pages that all processes of a run have sent."""
    return sum(_of(run.workers, _sent).values())


def run_reading(run: Run, now: float, a_second: float | None, most: int) -> RunReading:
    """How a run stands `now`; no more than `most` of its hosts, and of its origins."""
    state, live = run.state(now), _live(run, now)
    standing = standing_of(run, now)
    unmets = unmet(standing) if standing is not None else []
    warnings = [*(one.sentence for one in unmets), *missing(run)]
    sent = sent_so_far(run)
    origins = _origins(run.workers)
    started, last_at = time_of(run.started), time_of(run.last_at)
    return RunReading(
        key=printable(f"{run.folder.parent.name}/{run.folder.name}", 2 * _MAX_NAME),
        run=_name(run.name),
        spider=_name(run.spider or run.folder.parent.name),
        job=_name(run.head.get("job") or ""),
        folder=printable(str(run.folder), _MAX_TEXT),
        state=state.value,
        ended=_name(run.reason or "") if state is State.ENDED else "",
        started=started,
        last_at=last_at,
        processes=sum(worker.state(now) is State.RUNNING for worker in run.workers),
        why=_sentences(sentence for sentence in why(run, now) if sentence not in warnings),
        warnings=_sentences(warnings),
        alerts=_alerts(run.workers),
        sent=sent,
        a_second=a_second if state is State.RUNNING and now - last_at <= LATE_S else None,
        in_all=sent / (last_at - started) if last_at > started else 0.0,
        answered=_answers(run.workers),
        queued=sum(whole(worker.snapshot.get("queued")) for worker in live),
        in_flight=sum(len(worker.in_flight) for worker in live),
        deferred=sum(whole(worker.snapshot.get("deferred")) for worker in run.workers),
        left=sum(whole(worker.snapshot.get("left")) for worker in run.workers),
        refused=_named(_of(run.workers, lambda snapshot: _counts(snapshot.get("refused")))),
        audited=_named(_of(run.workers, lambda snapshot: _counts(snapshot.get("audited")))),
        hosts=_named(_of(live, lambda snapshot: _counts(mapping(snapshot.get("hosts")).get("counts")))),
        hosts_exact=all(mapping(worker.snapshot.get("hosts")).get("exact") is True for worker in live),
        ends_at=_finite(standing.ends_at) if standing is not None and standing.count else None,
        ends_later=standing is not None and bool(standing.lower_bound),
        queues=_queues(standing)[:most] if standing is not None else (),
        origins=tuple(origins[:most]),
        robots=_named(Counter(_robots_state(origin.robots) for origin in origins if origin.robots)),
    )


def _live(run: Run, now: float) -> list[Worker]:
    """The processes that run; where none does, those that ended with the last one."""
    running = [worker for worker in run.workers if worker.state(now) is State.RUNNING]
    return running or [worker for worker in run.workers if run.last_at - worker.last_at <= LIVE_S]


def _alerts(workers: Iterable[Worker]) -> tuple[AlertReading, ...]:
    """But for those that `warnings` has as they are now."""
    found = []
    for worker in workers:
        alerts = mapping(worker.snapshot.get("metrics")).get("last_alerts")
        for alert in alerts if isinstance(alerts, list) else []:
            match alert:
                case [int() | float() as at, str() as kind, str() as text] if kind != "limit-missed":
                    found.append(AlertReading(time_of(at), printable(text, _MAX_TEXT)))
    return tuple(sorted(found, key=lambda alert: -alert.at)[:_MAX_ALERTS])


def _sentences(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(printable(text, _MAX_TEXT) for text in islice(texts, _MAX_SENTENCES))


def _of(workers: Iterable[Worker], counts: Callable[[Mapping[str, Any]], Iterable[tuple[_K, int]]]) -> Counter[_K]:
    """What each snapshot counts, together."""
    total: Counter[_K] = Counter()
    for worker in workers:
        for key, count in counts(worker.snapshot):
            total[key] += count
    return total


def _sent(snapshot: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    return _counts(mapping(snapshot.get("pages")).get("sent"))


def _answers(workers: Iterable[Worker]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for status, count in _of(workers, lambda snapshot: _counts(mapping(snapshot.get("pages")).get("answered"))).items():
        found[f"{status[:1]}xx" if status[:1] in set("12345") else "none"] += count
    return dict(sorted(found.items()))


def _queues(standing: Standing) -> tuple[HostReading, ...]:
    """The hosts with queued requests, those that take longest first."""
    found = [(host.ends_at(standing.at), host) for host in standing.hosts]
    found.sort(key=lambda one: (-one[0], -one[1].queued))
    return tuple(
        HostReading(
            _name(host.host),
            host.queued,
            host.in_flight,
            time_of(host.pace_s),
            _name(host.pace_source),
            _name(host.state),
            time_of(host.opens_at),
            printable(": ".join(filter(None, (host.reason, host.detail))), _MAX_TEXT),
            _finite(done_at) if host.state != UNREAD else None,
        )
        for done_at, host in found
    )


def _origins(workers: Iterable[Worker]) -> list[OriginReading]:
    """The origins that the snapshots name, those refused most first."""
    found: dict[str, OriginReading] = {}
    for worker in workers:
        for origin, said in mapping(worker.snapshot.get("origins")).items():
            facts, before = mapping(said), found.get(origin)
            refused = sum(count for _, count in _counts(facts.get("refused")))
            found[origin] = OriginReading(
                _name(origin),
                whole(facts.get("sent")) + (before.sent if before else 0),
                refused + (before.refused if before else 0),
                printable(str(facts.get("pace", "")), _MAX_NAME),
                printable(str(facts.get("robots", "")), _MAX_NAME),
            )
    return sorted(found.values(), key=lambda origin: (-origin.refused, -origin.sent))


def _robots_state(text: str) -> str:
    """What an origin is, by what `services.robots.describe` says of it."""
    for beginning, state in _ROBOTS_STATES:
        if text.startswith(beginning):
            return state
    return "with rules"


_ROBOTS_STATES = (("unreachable", "unreachable"), ("none", "without restrictions"))


# What a file says may be anything: it may have been damaged, or written by somebody else.


def _named(counts: Mapping[str, int]) -> dict[str, int]:
    """Counts, the largest first, by names that can be shown."""
    ordered = sorted(counts.items(), key=lambda item: -item[1])
    return {_name(name): count for name, count in ordered[:_MAX_KINDS] if count}


def _counts(value: object) -> Iterator[tuple[str, int]]:
    for key, count in mapping(value).items():
        yield str(key), whole(count)


def _finite(at: float) -> float | None:
    return at if at < LAST_S else None


def _name(value: object) -> str:
    return printable(str(value), _MAX_NAME)
