"""`scrapy polite gates`: which hosts are closed, until when and why, and what is queued for them."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from contextlib import closing, nullcontext
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scrapy_polite import clock
from scrapy_polite._crawl import shared
from scrapy_polite.commands import NO, YES, CommandError, Parser, SubcommandsCommand, url_of
from scrapy_polite.commands.store_there import NAME_ONE, opened, why_none
from scrapy_polite.frontier.backends import jobs_on
from scrapy_polite.frontier.sqlite.queued import read_queue
from scrapy_polite.origin import Origin, origin_of, site_of
from scrapy_polite.pacing.backoff import Backoff
from scrapy_polite.pacing.delay import CrawlLimits
from scrapy_polite.robots.access import Access, standing
from scrapy_polite.services.pacing import CrawlPacing
from scrapy_polite.services.robots import CrawlRobots
from scrapy_polite.services.store import store_location
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.store.base import Store, every_quarantine
from scrapy_polite.store.feed import read_all
from scrapy_polite.text import counted, duration, printable, utc
from scrapy_polite.traps.verdict import CONFIRMED

if TYPE_CHECKING:
    from argparse import Namespace

    from scrapy.crawler import Crawler

    from scrapy_polite.frontier.queued import Queued
    from scrapy_polite.pacing.gate import Gate
    from scrapy_polite.store.hosts import GateState

MAX_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Row:
    """One host, or one origin of it for which requests are queued. The fields are the keys of `--json`.

    - `host`: what has one pace (see POLITE_PACE_BY); `origin`: null where nothing is queued; `queued`: null where no
      queue was read.
    - `closed`: null where no store was read, so that it is not known; `opens_at`: ISO 8601, UTC, null unless it is
      closed; `reason`, a key of `decision.REASONS`, and its `detail`.
    - `endless`: by URL pattern, queued requests that wait because it looks endless; `confirmed`: those that are refused
      when they leave, because a person has said that it is a trap.
    - `level`: back-offs in a row; `spent`: pages of its budget's period; `budget`, `delay`: in words, null: none.
    """

    host: str
    origin: str | None = None
    queued: int | None = None
    closed: bool | None = False
    opens_at: str | None = None
    reason: str = ""
    detail: str = ""
    level: int = 0
    spent: int = 0
    budget: str | None = None
    delay: str | None = None
    endless: dict[str, int] = field(default_factory=dict)
    confirmed: dict[str, int] = field(default_factory=dict)

    def cells(self, now: float) -> tuple[str, str, str, str]:
        if self.opens_at is None:
            opens = "?" if self.closed is None else "open"
        else:
            at = datetime.fromisoformat(self.opens_at)
            opens = f"in {duration(at.timestamp() - now)} ({at:%Y-%m-%d %H:%M} UTC)"
        queued = "" if self.queued is None else f"{self.queued:,}"
        return printable(self.origin or self.host, 60), queued, opens, self._why()

    def _why(self) -> str:
        parts = [f"{self.reason}: {printable(self.detail, 100)}" if self.detail else self.reason]
        if self.level:
            parts.append(f"back-off level {self.level}")
        if self.budget:
            parts.append(f"{self.spent:,} of {self.budget}")
        if self.delay:
            parts.append(self.delay)
        for pattern, count in self.endless.items():
            parts.append(f"{count:,} of {printable(pattern, 60)}, which looks endless (scrapy polite traps list)")
        for pattern, count in self.confirmed.items():
            parts.append(f"{count:,} of {printable(pattern, 60)}, a confirmed trap: refused in their turn")
        return ", ".join(filter(None, parts))


def add_subcommands(parser: Parser) -> None:
    gates = parser.subcommand(
        "gates",
        "the hosts that are closed, until when and why, and what is queued for them",
        _gates,
    )
    gates.add_argument("--jobdir", metavar="DIR", help="the job directory whose queue is looked at")
    gates.add_argument("--job", metavar="JOB", help="the job on POLITE_FRONTIER whose queue is looked at")
    gates.add_argument("--all", action="store_true", help=f"all hosts, not only the first {MAX_SHOWN}")
    gates.add_argument("--json", action="store_true", help="one JSON object a line for each")
    gates.add_argument("--forget", metavar="HOST", help="lift a host's embargo, and forget what was spent there")
    gates.add_store()


def _gates(command: SubcommandsCommand, opts: Namespace) -> int:
    crawler = command.configured()
    settings = shared(crawler, PoliteSettings)
    if opts.forget:
        if opts.jobdir or opts.job or opts.json or opts.all:
            raise CommandError("--forget HOST goes with --store alone")
        return _forget(crawler, settings, opts.forget)
    now = clock.system()
    queued = _queued(crawler, settings, opts)
    is_there = queued is None or opts.store or not why_none(settings)
    with opened(settings) if is_there else nullcontext() as store:
        found = _found(crawler, store, queued, now)
        patterns = _patterns(store, now)
        rows = [
            _row(crawler, store, item, now, _traps(queued, item, patterns))
            for item in found[: None if opts.all else MAX_SHOWN]
        ]
    rows.sort(key=lambda row: not row.closed)
    if opts.json:
        for row in rows:
            print(json.dumps(asdict(row)))
        return YES
    closed = {item.gate.key for item in found if item.gate.opens_at(now) > now}
    closed |= {row.host for row in rows if row.closed}
    print(_closed(len(closed), settings))
    if queued is not None:
        print(_counts(queued))
    _print_table([row.cells(now) for row in rows])
    if len(found) > len(rows):
        print(f"and {len(found) - len(rows):,} more: --all shows them")
    return YES


def _queued(crawler: Crawler, settings: PoliteSettings, opts: Namespace) -> Queued | None:
    """What is queued, in a job directory or on a server; None where no job is named."""
    job = opts.job or settings.job
    if opts.jobdir and opts.job:
        raise CommandError("--jobdir DIR and --job JOB are of two kinds of queues: give one of them")
    if opts.job and settings.frontier is None:
        raise CommandError("--job JOB is of a queue on a server: set POLITE_FRONTIER")
    if job and settings.frontier is not None and not opts.jobdir:
        with closing(jobs_on(settings.frontier)) as jobs:
            if (queued := jobs.queued(job)) is None:
                raise CommandError(f"no job {printable(job)} on {settings.frontier}: `scrapy polite jobs` lists them")
            return queued
    folder = opts.jobdir or crawler.settings["JOBDIR"]
    return read_queue(Path(folder)) if folder else None


def _closed(count: int, settings: PoliteSettings) -> str:
    if why_not := why_none(settings):
        return f"which hosts are closed is not known: {why_not}; {NAME_ONE}"
    return f"{counted(count, 'host is', 'hosts are')} closed ({store_location(settings)})"


def _counts(queued: Queued) -> str:
    text = f"queued or in flight: {sum(queued.lanes.values()):,}, for origins: {len(queued.lanes):,}"
    return f"{text}; set aside: {queued.set_aside:,}" if queued.set_aside else text


def _print_table(rows: Sequence[tuple[str, ...]]) -> None:
    if not rows:
        return
    table = [("host", "queued", "opens", "why"), *rows]
    widths = [max(len(row[column]) for row in table) for column in range(4)]
    counted = any(row[1] for row in rows)
    for host, queued, opens, why in table:
        count = f"{queued:>{widths[1]}}  " if counted else ""
        print(f"{host:<{widths[0]}}  {count}{opens:<{widths[2]}}  {why}".rstrip())


class _Found(NamedTuple):
    """A gate, and the lane behind it with the number of its requests: None where nothing is known of a queue."""

    gate: Gate
    lane: str | None
    queued: int | None


def _found(crawler: Crawler, store: Store | None, queued: Queued | None, now: float) -> list[_Found]:
    """Every lane, and every closed gate without one: closed ones first, then those with the most queued."""
    pacing = shared(crawler, CrawlPacing)
    known = read_all(store.hosts.changes) if store is not None else ()
    states = {state.key: state for state in known if state.until > now or state.spent or state.level}
    found = []
    for lane, count in queued.lanes.items() if queued else ():
        gate = pacing.gate(origin_of(lane), lane.rstrip(":"))
        _take_over(gate, states.get(gate.key), now)
        found.append(_Found(gate, lane, count))
    for key in states.keys() - {item.gate.key for item in found}:
        gate = pacing.gate(origin_of(url_of(key)))
        _take_over(gate, states[key], now)
        if gate.opens_at(now) > now:
            found.append(_Found(gate, None, 0 if queued else None))

    def place(item: _Found) -> tuple[bool, int, float, str]:
        opens_at = item.gate.opens_at(now)
        return opens_at <= now, -(item.queued or 0), opens_at, item.gate.key

    return sorted(found, key=place)


def _take_over(gate: Gate, state: GateState | None, now: float) -> None:
    """Let the gate know what a crawl that starts now would know of it."""
    if state is None:
        return
    if state.spent:
        gate.spent_by_all(state.period_start, state.spent)
    if state.until > now or state.level:
        gate.backoff = Backoff(state.until, state.level, state.why, state.updated_at, state.retry_after_s)


def _patterns(store: Store | None, now: float) -> dict[tuple[str, str], str]:
    """By site and pattern what a person has decided of it; empty where it looks endless and nobody has."""
    found = every_quarantine(store) if store is not None else ()
    return {(one.site, one.place): one.decision for one in found if one.until > now}


def _traps(queued: Queued | None, item: _Found, patterns: dict[tuple[str, str], str]) -> dict[str, dict[str, int]]:
    """By decision and pattern, how many requests of a lane are of those."""
    counts: dict[str, dict[str, int]] = {}
    origin = origin_of(item.lane) if item.lane is not None else None
    if queued is not None and item.lane is not None and origin is not None:
        site = site_of(origin)
        for pattern, count in queued.groups.get(item.lane, {}).items():
            if (decision := patterns.get((site, pattern))) is not None:
                counts.setdefault(decision, {})[pattern] = count
    return counts


def _row(crawler: Crawler, store: Store | None, item: _Found, now: float, traps: dict[str, dict[str, int]]) -> Row:
    gate, lane, queued = item
    unreachable = _ask_robots(crawler, store, gate, lane, now) if store is not None and lane is not None else None
    opens_at, (reason, detail) = gate.opens_at(now), gate.why(now)
    if unreachable is not None and unreachable[0] > max(opens_at, now):
        opens_at, reason, detail = unreachable[0], "robots/unreachable", unreachable[1]
    return Row(
        host=gate.key,
        origin=lane,
        queued=queued,
        closed=opens_at > now if store is not None else None,
        opens_at=utc(opens_at).isoformat() if opens_at > now else None,
        reason=reason,
        detail=detail,
        level=gate.backoff.level if gate.backoff else 0,
        spent=gate.spent,
        budget=str(gate.budget) if gate.budget else None,
        delay=str(gate.delay) if gate.delay.seconds else None,
        endless=traps.get("", {}),
        confirmed=traps.get(CONFIRMED, {}),
    )


def _ask_robots(crawler: Crawler, store: Store, gate: Gate, lane: str, now: float) -> tuple[float, str] | None:
    """Tell the gate what the stored robots.txt asks; when it is next tried and why, where it is unreachable."""
    robots, settings = shared(crawler, CrawlRobots), shared(crawler, PoliteSettings)
    origin = origin_of(lane)
    if origin is None or robots.mode(origin) != "obey":
        return None
    copies = store.robots.of_origin(lane).result()
    if not copies:
        return None
    # A spider may have a User-Agent of its own.
    copy = max(copies, key=lambda copy: (copy.agent == robots.default_agent, copy.updated_at))
    held = robots.read(copy)
    if not settings.audits("pacing"):
        gate.set_limits(lane, CrawlLimits.of(held.rules))
    return (copy.due_at, copy.failure) if standing(copy, now, held.policy).access is Access.CLOSED else None


def _forget(crawler: Crawler, settings: PoliteSettings, word: str) -> int:
    try:
        origin = Origin.from_url(url_of(word))
    except ValueError as error:
        raise CommandError(f"--forget: {error}") from error
    key = shared(crawler, CrawlPacing).keys.of(origin)
    with opened(settings) as store:
        count = store.hosts.forget(key).result()
    if not count:
        print(f"nothing is stored of {key}", file=sys.stderr)
        return NO
    print(f"{key} is forgotten: the next crawl finds it open, with nothing spent; one that runs keeps to what it knows")
    return YES
