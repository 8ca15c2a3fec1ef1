"""When a crawl that runs ends: for each host what is queued times the pace in force, for the crawl the longest.

Made of the last snapshot of each process. What nobody knows yet, the links that pages still bring, is not in it: then
it is a lower bound, and says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Any

from scrapy_polite.runs.queue_time import HostQueue
from scrapy_polite.runs.run import State
from scrapy_polite.runs.values import number, whole
from scrapy_polite.text import counted, duration, moment, printable, utc

if TYPE_CHECKING:
    from scrapy_polite.runs.run import Run

#: Hosts that are listed, those that take longest.
MAX_HOSTS = 20
#: From so many new links a page on, what is queued says too little of the end. Fewer change it by as little.
GROWS_FROM = 0.02
#: Shares of the hosts of which it is said when they are done.
_SHARES = (0.5, 0.9, 0.99, 1.0)
#: What takes longer than a limit by no more than this share of the time until then may still be done by then.
_SLACK = 0.05
#: Hosts that are named in one sentence.
_MAX_NAMED = 3


@dataclass(frozen=True, slots=True)
class Limit:
    """What ends a crawl: its `setting`; a time, or a count of which `so_far` of `most` have come.

    `kind` is "time", "pages", "items" or "errors".
    """

    setting: str
    kind: str
    at: float = inf
    most: int = 0
    so_far: int = 0

    @classmethod
    def read(cls, facts: Mapping[str, Any]) -> Limit:
        at = number(facts.get("at")) or inf
        counts = whole(facts.get("most")), whole(facts.get("so_far"))
        return cls(str(facts.get("setting", "")), str(facts.get("kind", "")), at, *counts)


@dataclass(frozen=True, slots=True)
class Unmet:
    """What a limit, a budget or a window leaves undone: by `until` the `share` of what is queued for `host` will have
    been requested, if all goes on as it does; `requests` are left then. `hosts` is for how many that holds.

    `setting` is what asks for it: a setting, or a line of robots.txt; `text` a sentence, `advice` what to do.
    """

    setting: str
    host: str
    until: float
    share: float
    requests: int
    hosts: int
    text: str
    advice: str

    @property
    def sentence(self) -> str:
        return f"{self.text[0].upper()}{self.text[1:]}: {self.advice}."

    @property
    def key(self) -> tuple[str, str]:
        """What is to be told once: a limit of the crawl, or one of a host's own."""
        return (self.setting, "" if self.hosts else self.host)


@dataclass(frozen=True)
class Standing:
    """How the queues of a crawl stand, of all its processes: what a forecast is made of.

    `hosts` are those that take longest; `count` is for how many hosts requests are queued, `times` of how many hosts
    the queue takes at most so many seconds (upper bound, number). `elsewhere` counts requests of a shared queue that no
    process of this run has. `pages_s` is the rate of late, `is_full` whether all places are taken most of the time.
    """

    at: float
    hosts: tuple[HostQueue, ...] = ()
    count: int = 0
    queued: int = 0
    elsewhere: int = 0
    times: tuple[tuple[float, int], ...] = ()
    pages_s: float = 0.0
    is_full: bool = False
    new_links: float = 0.0
    starting: bool = False
    limits: tuple[Limit, ...] = ()
    max_idle_s: float = inf
    keeps: bool = False

    @classmethod
    def of(cls, snapshots: Sequence[Mapping[str, Any]]) -> Standing | None:
        """None where no snapshot says anything of queues."""
        found = [(snapshot, queues) for snapshot in snapshots if isinstance(queues := snapshot.get("queues"), dict)]
        if not found:
            return None
        each = [cls._of_one(snapshot, queues) for snapshot, queues in found]
        return each[0] if len(each) == 1 else cls._together(each)

    @classmethod
    def _of_one(cls, snapshot: Mapping[str, Any], queues: Mapping[str, Any]) -> Standing:
        queued = whole(queues.get("queued"))
        return cls(
            number(snapshot.get("at")),
            tuple(HostQueue.read(facts) for facts in _maps(queues.get("hosts"))),
            whole(queues.get("count")),
            queued,
            max(whole(queues.get("of_job")) - queued, 0),
            tuple(_times(queues.get("times"))),
            number(queues.get("pages_s")),
            bool(queues.get("is_full")),
            number(queues.get("new_links")),
            bool(queues.get("starting")),
            tuple(Limit.read(facts) for facts in _maps(queues.get("limits"))),
            number(queues.get("max_idle_s")) or inf,
            bool(queues.get("keeps")),
        )

    @classmethod
    def _together(cls, each: Sequence[Standing]) -> Standing:
        queued = sum(one.queued for one in each)
        # Each process knows how many there are for all.
        of_job = max(one.queued + one.elsewhere for one in each)
        return replace(
            each[0],
            at=max(one.at for one in each),
            hosts=tuple(host for one in each for host in one.hosts),
            count=sum(one.count for one in each),
            queued=queued,
            elsewhere=max(of_job - queued, 0),
            times=tuple(time for one in each for time in one.times),
            pages_s=sum(one.pages_s for one in each),
            is_full=all(one.is_full for one in each),
            new_links=max(one.new_links for one in each),
            starting=any(one.starting for one in each),
            limits=tuple({limit.setting: limit for one in each for limit in one.limits}.values()),
        )

    @property
    def longest(self) -> HostQueue | None:
        """The host whose queue takes longest."""
        return max(self.hosts, key=lambda host: host.ends_at(self.at), default=None)

    @property
    def ends_at(self) -> float:
        """When all that is queued is done; infinite: it is not known, or never."""
        ends = [host.ends_at(self.at) for host in self.hosts]
        if (self.is_full or self.elsewhere) and self.pages_s > 0:
            ends.append(self.at + (self.queued + self.elsewhere) / self.pages_s)
        return max(ends, default=self.at if not self.queued else inf)

    @property
    def lower_bound(self) -> str:
        """Why more is to come than is queued; empty: nothing says so."""
        if self.starting:
            return "the spider has not sent all its start requests yet"
        if self.new_links >= GROWS_FROM:
            return f"pages still bring new links, {self.new_links:.2g} each of late"
        return ""

    def share_done_by(self, at: float) -> float | None:
        """Share of the hosts with queued requests that are done by then; None where there are none."""
        total = sum(count for _, count in self.times)
        return sum(count for seconds, count in self.times if seconds <= at - self.at) / total if total else None


def forecast(run: Run, now: float) -> dict[str, Any] | None:
    """What the report's key `forecast` holds (docs/runs.md). None where the run does not go on, or says too little."""
    standing = standing_of(run, now)
    if standing is None or not (standing.queued or standing.elsewhere):
        return None
    ends_at, longest = standing.ends_at, standing.longest
    return {
        "at": _iso(standing.at),
        "ends_at": _iso(ends_at) if ends_at < inf else None,
        "seconds": round(ends_at - standing.at, 1) if ends_at < inf else None,
        "lower_bound": standing.lower_bound or None,
        "host": longest.host if longest is not None else None,
        "queued": standing.queued + standing.elsewhere,
        "hosts_queued": standing.count,
        "pages_s": round(standing.pages_s, 3),
        "done": list(_done(standing)),
        "hosts": [_host(host, standing.at) for host in _longest_first(standing)[:MAX_HOSTS]],
        "limits": [_limit(limit, standing) for limit in standing.limits],
        "unmet": [
            {
                "setting": one.setting,
                "host": one.host or None,
                "hosts": one.hosts or None,
                "until": _iso(one.until),
                "share": round(one.share, 3),
                "requests": one.requests,
                "text": one.text,
                "advice": one.advice,
            }
            for one in unmet(standing)
        ],
        "text": sentence(standing),
    }


def standing_of(run: Run, now: float) -> Standing | None:
    """How the queues stood at the last snapshots of the processes that run and are heard of."""
    running = (worker for worker in run.workers if worker.state(now) is State.RUNNING and worker.is_heard_of(now))
    return Standing.of([worker.snapshot for worker in running])


def sentence(standing: Standing) -> str:
    """The forecast in a sentence."""
    ends_at, longest = standing.ends_at, standing.longest
    if ends_at == inf:
        return "When it ends cannot be said yet."
    bound = standing.lower_bound
    begin = "It takes" if not bound else "It takes at least"
    left = f"until {moment(ends_at, standing.at)} ({duration(ends_at - standing.at)} more)"
    if longest is not None and longest.ends_at(standing.at) >= ends_at:
        why = f": {host_phrase(longest, standing.at)}"
    else:
        why = f": {counted(standing.queued + standing.elsewhere, 'request')} at {standing.pages_s:.3g} pages a second"
    more = f". This is a lower bound: {bound}" if bound else ""
    return f"{begin} {left}{why}{more}."


def host_phrase(host: HostQueue, now: float) -> str:
    """A host's queue and pace, such as `shop.example has 1,800 requests queued, one every 10 s (Crawl-delay)`."""
    source = f" ({printable(host.pace_source, 40)})" if host.pace_source else ""
    pace = f", one every {host.pace_s:.3g} s{source}" if host.pace_s >= 0.01 else ""
    shut = f", none before {moment(host.opens_at, now)}" if host.opens_at > now + 1 else ""
    return f"{printable(host.host, 80)} has {counted(host.queued, 'request')} queued{pace}{shut}"


# What cannot be met


def unmet(standing: Standing) -> list[Unmet]:
    """Limits of the crawl, budgets and hours of hosts that leave something undone; a bounded number."""
    of_hosts = (_unmet_of_host(host, standing) for host in standing.hosts)
    return [*_unmet_limits(standing), *(one for one in of_hosts if one is not None)]


def _unmet_limits(standing: Standing) -> Iterator[Unmet]:
    now = standing.at
    for limit in standing.limits:
        if limit.at == inf or limit.at <= now:
            continue
        by = limit.at + _SLACK * (limit.at - now)
        late = [host for host in standing.hosts if not host.is_guess and host.ends_at(now) > by]
        if not late and not (standing.is_full and by < standing.ends_at < inf):
            continue
        sent = [(host, host.sent_by(limit.at, now)) for host in late]
        sent.sort(key=lambda one: (one[1] / max(one[0].queued, 1), -one[0].queued))
        left = sum(host.queued - count for host, count in sent)
        if not late:  # no host alone takes so long: the crawl as a whole does
            total = standing.queued + standing.elsewhere
            count = min(int(standing.pages_s * (limit.at - now)), total)
            text = f"{_share(count / max(total, 1))} of what is queued by {moment(limit.at, now)}"
            advice = f"raise {limit.setting}, raise CONCURRENT_REQUESTS if the machine can do more, or crawl fewer"
            yield Unmet(limit.setting, "", limit.at, count / max(total, 1), total - count, 0, text, advice)
            continue
        worst, count = sent[0]
        shares = ", ".join(
            f"{_share(count / max(host.queued, 1))} of {printable(host.host, 60)}" for host, count in sent[:_MAX_NAMED]
        )
        of_late = _late_count(standing, limit.at, len(late))
        more = f" and less than all of {of_late - _MAX_NAMED:,} more hosts" if of_late > _MAX_NAMED else ""
        text = f"{shares}{more} by {moment(limit.at, now)}, when {limit.setting} ends the crawl"
        share = count / max(worst.queued, 1)
        yield Unmet(limit.setting, worst.host, limit.at, share, left, of_late, text, _advice(limit.setting, worst))


def _late_count(standing: Standing, at: float, least: int) -> int:
    """How many hosts are not done by then, as far as that is known."""
    return max(sum(count for seconds, count in standing.times if seconds > at - standing.at), least)


def _unmet_of_host(host: HostQueue, standing: Standing) -> Unmet | None:
    """A budget or the hours of its robots.txt, after which the crawl may be over before the host may be asked again."""
    now = standing.at
    if host.budget is None and not host.hours:
        return None
    until, again, count = host.first_spell(now)
    if count >= host.queued or (again - until) <= standing.max_idle_s:
        return None
    share, left = count / max(host.queued, 1), host.queued - count
    budget = host.budget
    if budget is not None and count >= budget.left:
        what = f"its budget of {budget.pages:,} pages per {duration(budget.period_s)}"
        setting = "POLITE_SITES"
        advice = f"raise the budget of {printable(host.host, 60)} in POLITE_SITES"
        if budget.refuses:
            advice += ", or leave out 'then': 'refuse', so that the rest waits"
    else:
        what, setting = "the hours at which its robots.txt allows visits", "Visit-time"
        advice = "crawl it at these hours"
    if again < inf and not standing.keeps:
        advice += "; with JOBDIR the rest is kept for the next crawl"
    after = f", the rest not before {moment(again, now)}" if again < inf else ", the rest is refused"
    text = f"{_share(share)} of {printable(host.host, 60)} by {moment(until, now)}, because of {what}{after}"
    return Unmet(setting, host.host, until, share, left, 0, text, advice)


def _advice(setting: str, host: HostQueue) -> str:
    keep = "use JOBDIR, so that the next crawl goes on with the rest"
    source = host.pace_source
    if source in ("Crawl-delay", "Request-rate"):
        return f"raise {setting} or {keep}; the pace is what the host's robots.txt asks for ({source})"
    lower = f", lower {source}" if source.isupper() else ""
    return f"raise {setting}{lower} or {keep}"


def _share(share: float) -> str:
    return f"{100 * share:.0f} %" if share == 0 or share >= 0.01 else "less than 1 %"


# The parts of the report's key


def _done(standing: Standing) -> Iterator[dict[str, Any]]:
    """When so large a share of the hosts is done."""
    times = sorted(standing.times)
    total, so_far = sum(count for _, count in times), 0
    shares = list(_SHARES)
    for seconds, count in times:
        so_far += count
        while shares and so_far >= shares[0] * total:
            at = standing.at + seconds if seconds < inf else None
            yield {"share": shares.pop(0), "at": _iso(at) if at is not None else None}


def _host(host: HostQueue, now: float) -> dict[str, Any]:
    ends_at = host.ends_at(now)
    return {
        "host": host.host,
        "queued": host.queued,
        "in_flight": host.in_flight,
        "pace_s": round(host.pace_s, 3),
        "pace_source": host.pace_source,
        "opens_at": _iso(host.opens_at) if host.opens_at > now else None,
        "reason": host.reason or None,
        "detail": host.detail or None,
        "seconds": round(ends_at - now, 1) if ends_at < inf else None,
        "ends_at": _iso(ends_at) if ends_at < inf else None,
    }


def _limit(limit: Limit, standing: Standing) -> dict[str, Any]:
    share = standing.share_done_by(limit.at) if limit.at < inf else None
    return {
        "setting": limit.setting,
        "kind": limit.kind,
        "at": _iso(limit.at) if limit.at < inf else None,
        "most": limit.most or None,
        "so_far": limit.so_far if limit.most else None,
        "hosts_done": round(share, 3) if share is not None else None,
    }


def _longest_first(standing: Standing) -> list[HostQueue]:
    return sorted(standing.hosts, key=lambda host: host.ends_at(standing.at), reverse=True)


def _maps(values: object) -> Iterable[Mapping[str, Any]]:
    return [value for value in values if isinstance(value, dict)] if isinstance(values, list) else []


def _times(values: object) -> Iterator[tuple[float, int]]:
    for pair in values if isinstance(values, list) else []:
        if isinstance(pair, list) and len(pair) == 2 and isinstance(pair[1], int):
            yield float(pair[0]) if isinstance(pair[0], (int, float)) else inf, pair[1]


def _iso(at: float) -> str:
    return utc(at).isoformat(timespec="seconds").replace("+00:00", "Z")
