"""What a run came to, counted from its lines in one pass. Bounded: by origins, reasons, groups, never by pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from scrapy_polite.origin import Origin
from scrapy_polite.runs import records
from scrapy_polite.runs.timeline import CLOSED, Timeline

#: Origins that are told apart; what is of others counts for all together.
MAX_ORIGINS = 50_000
MAX_ROBOTS, MAX_TRAPS, MAX_EXAMPLES, MAX_UNMET = 10_000, 1_000, 3, 100
MAX_SITEMAPS = MAX_MAIN_HOSTS = 1_000
MAX_ERRORS = 100
PAGES, REFUSED, WAITING = "pages", "refused", "waiting hosts"
ROBOTS_TXT, ITS_TURN = "robots.txt", "its turn"
"""What a host was waited for, where nothing asked for a delay."""


@dataclass(slots=True)
class OriginTally:
    """One origin. `statuses` counts answers by their first digit, 0: none; `waited` has the seconds that its queue
    waited, by what asked for that; `closed_s` those in which it was closed, to `closed_until` (epoch seconds)."""

    origin: str
    pages: int = 0
    size_bytes: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    refused: int = 0
    audited: int = 0
    left: int = 0
    moved: int = 0
    first_at: float = 0.0
    last_at: float = 0.0
    slowest_s: float = 0.0
    delay_s: float = 0.0
    delay_source: str = ""
    asked_s: float = 0.0
    waited: dict[str, float] = field(default_factory=dict)
    closed: int = 0
    closed_s: float = 0.0
    closed_until: float = 0.0
    why_closed: str = ""
    robots: str = ""
    robots_status: int = 0
    abandoned: str = ""


@dataclass(slots=True)
class ReasonTally:
    """One reason: how often, and the first examples."""

    count: int = 0
    examples: list[records.Refusal | records.Left] = field(default_factory=list)

    def add(self, record: records.Refusal | records.Left) -> None:
        self.count += 1
        if len(self.examples) < MAX_EXAMPLES:
            self.examples.append(record)


@dataclass(frozen=True, slots=True)
class RobotsPeriod:
    """A copy of an origin's robots.txt, and from when until when it held; `until` None: to the end."""

    origin: str
    since: float
    until: float | None
    status: int
    digest: str
    text: str


class RunTally:
    """`add` each record; those of one worker in their order."""

    def __init__(self) -> None:
        self.pages = self.size_bytes = self.fetches = self.deferred = self.missed = 0
        self.by_status: Counter[int] = Counter()
        self.by_rules: Counter[str] = Counter()
        #: How those failed that have no answer.
        self.by_error: Counter[str] = Counter()
        self.refused: dict[str, ReasonTally] = {}
        self.audited: dict[str, ReasonTally] = {}
        self.left: dict[str, ReasonTally] = {}
        self.deferred_by_pattern: dict[str, tuple[int, str]] = {}
        self.origins: dict[str, OriginTally] = {}
        self.others = OriginTally("")
        self.robots: list[RobotsPeriod] = []
        self.traps: dict[tuple[str, str], records.Trap] = {}
        self.unmet: list[records.Unmet] = []
        #: The last line of each, by origin and Host line.
        self.main_hosts: dict[tuple[str, str], records.MainHost] = {}
        #: Each sitemap that was read or tried, by its URL; what all of them list, by what came of it.
        self.sitemaps: dict[str, records.Sitemap] = {}
        self.sitemaps_read = self.sitemaps_failed = 0
        self.sitemap_entries: Counter[str] = Counter()
        self.timeline = Timeline()
        self.last_at = 0.0
        self._robots_of: dict[str, int] = {}
        #: Why hosts were abandoned that no line has named as an origin.
        self._abandoned_hosts: dict[str, str] = {}
        self._add: dict[type[Any], Callable[[Any], None]] = {
            records.Page: self._page,
            records.RobotsRequest: self._fetch,
            records.Refusal: self._refusal,
            records.Deferral: self._deferral,
            records.Robots: self._robots,
            records.MainHost: self._main_host,
            records.Moved: self._moved,
            records.Sitemap: self._sitemap,
            records.Pace: self._pace,
            records.RobotsWaited: lambda record: self._waited(record.origin, ROBOTS_TXT, record.seconds),
            records.Closed: self._closed,
            records.Abandoned: self._abandoned,
            records.Trap: self._trap,
            records.Left: self._left,
            records.Unmet: self._unmet,
            records.Missed: self._missed,
        }

    def add_all(self, worker: Iterable[records.Record]) -> None:
        self._robots_of = {}
        add = self._add
        for record in worker:
            if record.at > self.last_at:
                self.last_at = record.at
            if (take := add.get(type(record))) is not None:
                take(record)

    def end(self, at: float) -> None:
        """All lines have been read, and the run ended then: how long hosts stay closed after that is no time of it."""
        of_no_origin = set(self._abandoned_hosts)
        for tally in self.origins.values():
            tally.closed_s = max(tally.closed_s - max(tally.closed_until - at, 0.0), 0.0)
            if self._abandoned_hosts and (host := _host_of(tally.origin)) in self._abandoned_hosts:
                tally.abandoned = tally.abandoned or self._abandoned_hosts[host]
                of_no_origin.discard(host)
        for host in sorted(of_no_origin):
            self.of(host).abandoned = self._abandoned_hosts[host]

    def of(self, origin: str) -> OriginTally:
        tally = self.origins.get(origin)
        if tally is None:
            if len(self.origins) >= MAX_ORIGINS:
                return self.others
            tally = self.origins[origin] = OriginTally(origin)
        return tally

    def _page(self, record: records.Page) -> None:
        self.pages += 1
        self.size_bytes += record.size_bytes
        self.by_status[record.status] += 1
        self.by_rules[record.rules or "unchecked"] += 1
        if not record.status and (record.error in self.by_error or len(self.by_error) < MAX_ERRORS):
            self.by_error[record.error or "no answer"] += 1
        self.timeline.add(PAGES, record.at)
        tally = self.of(record.origin)
        tally.pages += 1
        tally.size_bytes += record.size_bytes
        tally.statuses[record.status // 100] += 1
        tally.first_at = tally.first_at or record.at
        tally.last_at = max(tally.last_at, record.at)
        tally.slowest_s = max(tally.slowest_s, record.seconds)
        if record.waited_s:
            self._waited(record.origin, record.delay_source or ITS_TURN, record.waited_s)
            self.timeline.add_seconds(WAITING, record.at - record.waited_s, record.waited_s)

    def _waited(self, origin: str, what_for: str, seconds: float) -> None:
        waited = self.of(origin).waited
        waited[what_for] = waited.get(what_for, 0.0) + seconds

    def _fetch(self, record: records.RobotsRequest) -> None:
        self.fetches += 1

    def _refusal(self, record: records.Refusal) -> None:
        by_reason = self.audited if record.audit else self.refused
        by_reason.setdefault(record.reason, ReasonTally()).add(record)
        tally = self.of(record.origin)
        if record.audit:
            tally.audited += 1
        else:
            tally.refused += 1
            self.timeline.add(REFUSED, record.at)

    def _deferral(self, record: records.Deferral) -> None:
        self.deferred += 1
        if record.pattern in self.deferred_by_pattern or len(self.deferred_by_pattern) < MAX_TRAPS:
            count, example = self.deferred_by_pattern.get(record.pattern, (0, record.url))
            self.deferred_by_pattern[record.pattern] = count + 1, example

    def _robots(self, record: records.Robots) -> None:
        tally = self.of(record.origin)
        tally.robots, tally.robots_status = record.text, record.status
        before = self._robots_of.get(record.origin)
        if before is not None:
            held = self.robots[before]
            if (held.status, held.digest, held.text) == (record.status, record.digest, record.text):
                return
            self.robots[before] = RobotsPeriod(held.origin, held.since, record.at, held.status, held.digest, held.text)
        if len(self.robots) < MAX_ROBOTS:
            self._robots_of[record.origin] = len(self.robots)
            self.robots.append(RobotsPeriod(record.origin, record.at, None, record.status, record.digest, record.text))

    def _main_host(self, record: records.MainHost) -> None:
        key = record.origin, record.line
        if key in self.main_hosts or len(self.main_hosts) < MAX_MAIN_HOSTS:
            self.main_hosts[key] = record

    def _moved(self, record: records.Moved) -> None:
        self.of(record.origin).moved += 1

    def _sitemap(self, record: records.Sitemap) -> None:
        came = {what: getattr(record, what) for what in ("seeds", "sitemaps", "out_of_scope", "too_long", "too_deep")}
        self.sitemap_entries.update(came)
        if record.fault and not any(came.values()):
            self.sitemaps_failed += 1
        else:
            self.sitemaps_read += 1
        if record.url in self.sitemaps or len(self.sitemaps) < MAX_SITEMAPS:
            self.sitemaps[record.url] = record

    def _pace(self, record: records.Pace) -> None:
        tally = self.of(record.origin)
        tally.delay_s, tally.delay_source, tally.asked_s = record.seconds, record.source, record.asked_s

    def _closed(self, record: records.Closed) -> None:
        tally = self.of(record.origin)
        tally.closed += 1
        until = record.at + record.seconds
        tally.closed_s += max(until - max(record.at, tally.closed_until), 0.0)
        tally.closed_until = max(until, tally.closed_until)
        tally.why_closed = record.why
        self.timeline.add_during(CLOSED, record.at, record.seconds)

    def _abandoned(self, record: records.Abandoned) -> None:
        """Of an origin, or of a host by its name, of which several origins may be."""
        if record.host in self.origins:
            self.origins[record.host].abandoned = record.why
        elif len(self._abandoned_hosts) < MAX_ORIGINS:
            self._abandoned_hosts[record.host] = record.why

    def _trap(self, record: records.Trap) -> None:
        key = record.site, record.place
        self.traps.pop(key, None)
        if record.what not in ("cleared", "released"):
            self.traps[key] = record
            if len(self.traps) > MAX_TRAPS:
                del self.traps[next(iter(self.traps))]

    def _left(self, record: records.Left) -> None:
        self.left.setdefault(record.reason, ReasonTally()).add(record)
        self.of(record.origin).left += 1

    def _unmet(self, record: records.Unmet) -> None:
        if len(self.unmet) < MAX_UNMET:
            self.unmet.append(record)

    def _missed(self, record: records.Missed) -> None:
        self.missed += record.lines


def _host_of(origin: str) -> str:
    """Empty for what is no origin."""
    try:
        return Origin.from_url(origin).host
    except ValueError:
        return ""
