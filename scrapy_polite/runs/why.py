"""Why a run is still running, in words: the hosts that keep it, until when, and what would end it.

Made of the last snapshot of each process. The first sentence is the answer; the others are what else there is to know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any

from scrapy_polite.runs.forecast import Standing, host_phrase, sentence, standing_of, unmet
from scrapy_polite.runs.missing import missing
from scrapy_polite.runs.run import State
from scrapy_polite.runs.values import mapping, number, whole
from scrapy_polite.text import counted, duration, moment, printable

if TYPE_CHECKING:
    from scrapy_polite.runs.queue_time import HostQueue
    from scrapy_polite.runs.run import Run, Worker

#: An answer, a robots.txt or a callback that takes longer is worth a sentence.
SLOW_S = 5.0
#: A snapshot comes every five seconds: of a crawl that is heard of less often something blocks the loop or the disk.
_SILENT_S = 20.0
#: A pause is named after so many seconds, and so many pages that should have come at the rate of late.
_PAUSE_S, _PAGES_DUE = 15.0, 5
#: Hosts that are named, and sentences.
_MAX_NAMED, _MAX_SENTENCES = 3, 8
#: What finish reasons mean that do not say it themselves.
_REASONS = {
    "polite_waiting": "only hosts were left that are closed for longer than POLITE_MAX_IDLE",
    "polite_traps_left": "only links of places that look endless were left",
    "polite_store_lost": "the queue has lost what it held",
    "shutdown": "it was interrupted",
    "closespider_timeout": "CLOSESPIDER_TIMEOUT was over",
    "closespider_pagecount": "CLOSESPIDER_PAGECOUNT was reached",
    "closespider_itemcount": "CLOSESPIDER_ITEMCOUNT was reached",
    "closespider_errorcount": "CLOSESPIDER_ERRORCOUNT was reached",
}


def why(run: Run, now: float) -> list[str]:
    """Sentences, each of which can be shown as it is: what came from the network is made printable. At least one."""
    state = run.state(now)
    if state is State.ENDED:
        reason = run.reason or ""
        meaning = f": {_REASONS[reason]}" if reason in _REASONS else ""
        ended = f"It runs no longer: it ended at {moment(run.last_at, now)} as {printable(reason, 60)!r}{meaning}."
        return [ended, *missing(run)]
    if state is State.KILLED:
        last_at, lacks = moment(run.last_at, now), list(missing(run))
        if run.fault:
            over = f"It runs no longer, and how it ended is not known: it was heard of last at {last_at}."
        else:
            over = (
                f"It runs no longer: it ended without closing, last heard of at {last_at}: killed, its machine "
                "stopped, or its record could not be written."
            )
        return [over, *lacks, "With JOBDIR the same command goes on where it was."]
    running = [worker for worker in run.workers if worker.state(now) is State.RUNNING]
    standing = standing_of(run, now)
    found: list[str] = []
    for worker in running:
        found += _of_process(_View(worker, now), worker.name if len(running) > 1 else "")
    if standing is not None and not any(_View(worker, now).is_stopped for worker in running):
        found += list(_of_hosts(standing, _rate(standing, running, now), now))
        found += [one.sentence for one in unmet(standing)]
    found = found[: _MAX_SENTENCES - 1] or ["It has only begun: nothing is known of it yet."]
    return list(dict.fromkeys([*found, *missing(run)]))


@dataclass(frozen=True)
class _View:
    """What one process has said last."""

    worker: Worker
    now: float

    @property
    def snapshot(self) -> Mapping[str, Any]:
        return self.worker.snapshot

    @property
    def waits(self) -> Mapping[str, Any]:
        return mapping(self.snapshot.get("waits"))

    @property
    def silent_s(self) -> float:
        """Since when nothing has been heard of it, in seconds; 0: it is heard of as it should be."""
        silent_s = self.now - self.worker.last_at
        return silent_s if silent_s > _SILENT_S else 0.0

    @property
    def is_stopped(self) -> bool:
        """Whether nothing leaves, whatever is queued."""
        return any(key in self.waits for key in ("paused", "queue_fault_since", "store_fault_since"))

    @property
    def queued(self) -> int:
        return whole(self.snapshot.get("queued"))

    def since(self, key: str) -> float:
        """For how long something has been so; 0: it is not."""
        at = number(self.waits.get(key))
        return max(self.now - at, 0.001) if at else 0.0

    def named(self, key: str) -> list[str]:
        """The first of the names in a list."""
        names = self.waits.get(key)
        return [printable(str(name), 80) for name in (names if isinstance(names, list) else [])[:_MAX_NAMED]]

    def oldest(self, key: str) -> tuple[float, str, int]:
        """Of a list of times and URLs: the age of the oldest, its URL, and how many there are."""
        pairs = (self.snapshot if key == "in_flight" else self.waits).get(key)
        found = [
            (self.now - float(pair[0]), str(pair[1]))
            for pair in (pairs if isinstance(pairs, list) else [])
            if isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], (int, float))
        ]
        age_s, url = max(found, default=(0.0, ""))
        return age_s, url, len(found)


def _of_process(view: _View, name: str) -> list[str]:
    prefix = f"Process {name}: " if name else ""
    causes = _CAUSES if view.worker.is_heard_of(view.now) else (_silent,)
    sentences = (text for cause in causes for text in cause(view))
    return [f"{prefix}{text}" for text in sentences]


# What keeps a process, whatever its hosts do; those that explain most come first


def _silent(view: _View) -> Iterator[str]:
    if silent_s := view.silent_s:
        still = "" if view.worker.is_heard_of(view.now) else ", and its process is still there"
        cause = (
            "something blocks its loop (a callback that computes or sleeps), it has been suspended, or its disk is full"
        )
        if view.worker.fault:
            cause = "it cannot write how it stands"
        yield f"Nothing has been heard of it for {duration(silent_s)}{still}: {cause}."


def _closing(view: _View) -> Iterator[str]:
    if closing_s := view.since("closing_since"):
        age_s, url, count = view.oldest("in_flight")
        last = f", such as {printable(url, 100)}" if count and age_s > SLOW_S else ""
        yield (
            f"It has been closing for {duration(closing_s)}: it waits for {counted(count, 'request')} in flight{last}, "
            "for callbacks, pipelines and feeds to end. A second Ctrl-C ends it at once."
        )


def _paused(view: _View) -> Iterator[str]:
    if job := str(view.waits.get("paused") or ""):
        yield (
            f"The job {printable(job, 60)} is paused, so nothing leaves its queue: `scrapy polite resume "
            f"{printable(job, 60)}` lets it go on."
        )


def _queue_fault(view: _View) -> Iterator[str]:
    fault, text = view.since("queue_fault_since"), str(view.waits.get("queue_fault", ""))
    if fault:
        yield (
            f"Its queue has failed for {duration(fault)}: {printable(text, 300)}. It goes on once that works again, "
            f"and ends after POLITE_MAX_IDLE if it has nothing else to do."
        )


def _store_fault(view: _View) -> Iterator[str]:
    fault, text = view.since("store_fault_since"), str(view.waits.get("store_fault", ""))
    if fault:
        why = f" ({printable(text, 200)})" if text else ""
        yield (
            f"The store (POLITE_STORE) has been unavailable for {duration(fault)}{why}: hosts whose delay is shared "
            "wait for it, and go on once it is back."
        )


def _callbacks(view: _View) -> Iterator[str]:
    age_s, url, count = view.oldest("callbacks")
    if age_s > SLOW_S:
        more = f" and {count - 1:,} more" if count > 1 else ""
        yield (
            f"The callback of {printable(url, 100)}{more} has not ended for {duration(age_s)}, or a pipeline that has "
            "its items: it ends when that does, or with a second Ctrl-C."
        )


def _starting(view: _View) -> Iterator[str]:
    if view.since("starting_since") > SLOW_S and not view.queued and view.waits.get("at_rest"):
        yield (
            f"The spider's start() has not ended for {duration(view.since('starting_since'))} and brings no requests: "
            "it ends when that does."
        )


def _kept_open(view: _View) -> Iterator[str]:
    if idle_s := view.since("idle_since"):
        by = view.named("kept_by")
        who = f" ({', '.join(by)} listens to it)" if by else ""
        yield (
            f"It has nothing to do for {duration(idle_s)} and is kept open: something raises DontCloseSpider when it "
            f"is idle{who}. It ends when that stops, or with Ctrl-C."
        )


def _tail(view: _View) -> Iterator[str]:
    deferred, under_way = (whole(view.waits.get(key)) for key in ("deferred", "deferred_in_flight"))
    *_, in_flight = view.oldest("in_flight")
    if deferred + under_way and deferred >= view.queued and under_way >= in_flight:
        places = view.named("deferred_places")
        where = f", at {', '.join(places)}" if places else ""
        yield (
            "Only links are left that are deferred, because what they lead to looks endless: "
            f"{deferred + under_way:,}{where}. It reads some of them to find out (POLITE_TRAP_BUDGET) and ends then; "
            "`scrapy polite traps list` shows them."
        )


def _slow_answers(view: _View) -> Iterator[str]:
    age_s, url, count = view.oldest("in_flight")
    if age_s > SLOW_S:
        more = f" and {count - 1:,} more in flight" if count > 1 else ""
        limit_s = number(view.waits.get("download_timeout_s"))
        ends = f", at most {duration(limit_s)} (DOWNLOAD_TIMEOUT)" if limit_s else ""
        yield f"It has waited {duration(age_s)} for the slow answer to {printable(url, 100)}{ends}{more}."


def _slow_robots(view: _View) -> Iterator[str]:
    age_s, url, count = view.oldest("robots")
    if age_s > SLOW_S:
        more = f", and {count - 1:,} more" if count > 1 else ""
        limit_s = number(view.waits.get("robots_timeout_s"))
        ends = f" An attempt ends after {duration(limit_s)} (POLITE_ROBOTS_TIMEOUT)." if limit_s else ""
        yield (
            f"It has waited {duration(age_s)} for {printable(url, 100)}, which hangs{more}: without it no page of that "
            f"host is requested.{ends}"
        )


_CAUSES: tuple[Callable[[_View], Iterator[str]], ...] = (
    _silent,
    _closing,
    _paused,
    _queue_fault,
    _store_fault,
    _kept_open,
    _tail,
    _slow_robots,
    _slow_answers,
    _callbacks,
    _starting,
)


# Hosts


def _rate(standing: Standing, running: list[Worker], now: float) -> str:
    """How fast pages have come of late; empty: none has. A burst is in the rate for as long as its window is, so what
    has come since counts more: after five pages that should have come and did not, the pause is named."""
    if not standing.pages_s:
        return ""
    metrics = (worker.snapshot.get("metrics") for worker in running)
    last_at = max((number(one.get("last_page_at")) for one in metrics if isinstance(one, dict)), default=0.0)
    pause_s = now - last_at
    if last_at and pause_s > max(_PAUSE_S, _PAGES_DUE / standing.pages_s):
        return f"no page for {duration(pause_s)}"
    return f"{standing.pages_s:.3g} pages a second"


def _of_hosts(standing: Standing, rate: str, now: float) -> Iterator[str]:
    waiting = sorted(standing.hosts, key=lambda host: host.ends_at(standing.at), reverse=True)
    if not waiting:
        if standing.elsewhere:
            yield f"{counted(standing.elsewhere, 'request')} of its job are with other processes, or wait for one."
        elif rate:
            yield f"It is at work, {rate}: nothing is queued, and each page brings the next."
        return
    shut = [host for host in waiting if host.opens_at > now or host.state == "waiting for robots.txt"]
    are_all = standing.count <= len(waiting) or not standing.pages_s
    if are_all and len(shut) == len(waiting):
        named = "; ".join(_host(host, now) for host in shut[:_MAX_NAMED])
        more = f"; and {standing.count - _MAX_NAMED:,} more" if standing.count > _MAX_NAMED else ""
        yield f"It waits for {counted(standing.count, 'host')}: {named}{more}."
    else:
        keeps = waiting[0]
        yield (
            f"It is at work, {rate or 'nothing has come back of late'}, with "
            f"{counted(standing.queued, 'request')} queued for "
            f"{counted(standing.count, 'host')}. What takes longest: {_host(keeps, now)}."
        )
        for host in shut[:_MAX_NAMED]:
            if host is not keeps:
                yield f"It waits for this one, too: {_host(host, now)}."
    yield sentence(standing)
    for limit in standing.limits:
        if limit.at < inf:
            yield f"{limit.setting} ends it at {moment(limit.at, now)} at the latest."
        elif limit.most:
            yield f"{limit.setting} ends it after {limit.most:,} {limit.kind}, of which {limit.so_far:,} have come."


def _host(host: HostQueue, now: float) -> str:
    """A host, what keeps it, and until when."""
    if host.opens_at <= now:
        if host.state == "waiting for robots.txt":
            for_s = f", for {duration(host.unread_s)}" if host.unread_s >= 1 else ""
            return f"{printable(host.host, 80)}, whose robots.txt is being asked for{for_s}"
        return host_phrase(host, now)
    detail = f" ({printable(host.detail, 160)})" if host.detail else ""
    phrase = _SHUT.get(host.reason, "is closed")
    until = f" until {moment(host.opens_at, now)}, in {duration(host.opens_at - now)}" if host.opens_at < inf else ""
    gives_up = f", and given up at {moment(host.gives_up_at, now)} (POLITE_GIVE_UP)" if host.gives_up_at < inf else ""
    return f"{printable(host.host, 80)} ({counted(host.queued, 'request')} queued) {phrase}{detail}{until}{gives_up}"


#: What keeps a host closed, by reason; the detail follows.
_SHUT = {
    "pace/retry-after": "is under an embargo, as it asks for with Retry-After",
    "pace/backoff": "is under an embargo after failures in a row",
    "pace/visit-time": "allows visits only at the hours of its robots.txt",
    "pace/budget": "has had its budget of POLITE_SITES",
    "pace/held": "waits",
    "pace/crawl-delay": "has its turn, as its Crawl-delay asks,",
    "pace/request-rate": "has its turn, as its Request-rate asks,",
    "pace/delay": "has its turn, as the settings ask,",
    "pace/adaptive": "has its turn after a slow answer",
    "robots/unreachable": "has a robots.txt that is unreachable",
}
