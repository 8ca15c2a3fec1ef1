"""What is queued for the hosts of a crawl, and at which pace it goes: what its forecast is made of.

However many hosts there are, only some are looked at in one step. Those whose queues take longest are looked at each
time, all others in turn.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter, deque
from heapq import nlargest
from typing import TYPE_CHECKING, Any
from weakref import ref

from scrapy import signals

from scrapy_polite import clock
from scrapy_polite._crawl import shared
from scrapy_polite._engine import Engine
from scrapy_polite.events import Events, RequestAnswered
from scrapy_polite.monitor.hosts import CLOSED, IN_TURN, READY, UNREAD, HostStates
from scrapy_polite.pacing.delay import ALL_DAY
from scrapy_polite.services.pacing import CrawlPacing
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.text import printable

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from typing_extensions import Self

    from scrapy_polite.frontier.census import Census, HostStanding
    from scrapy_polite.pacing.gate import Gate

#: Hosts that are looked at in one step, at some 5 microseconds each. More: a step holds the loop for longer.
MAX_STEP = 250
#: Hosts that are named: those whose queues take longest.
MAX_NAMED = 60
#: Over which time the rate, the links that pages bring and a host's pace are measured. Longer: a change shows late.
_WINDOW_S = 60.0
#: Answers of a host from which on its pace is taken to be what it was, and no longer what is asked for.
_MEASURED_FROM = 4
#: Answers from which on the rate of the crawl says when it ends.
_RATE_FROM = 20
#: Bounds in seconds of the steps in which hosts are counted by the time that their queues take.
_BOUNDS = (0.0, *(round(10 ** (power / 8), 3) for power in range(-4, 57)))
_MAX_TEXT, _MAX_HOURS = 200, 8
#: How long an answer takes while nothing is known of that, and what each answer changes of it.
_LATENCY_S, _LATENCY_SHARE = 0.5, 0.05
#: Settings of Scrapy that end a crawl: what they count, and the stat that has it.
_COUNT_LIMITS = (
    ("CLOSESPIDER_PAGECOUNT", "pages", "response_received_count"),
    ("CLOSESPIDER_ITEMCOUNT", "items", "item_scraped_count"),
    ("CLOSESPIDER_ERRORCOUNT", "errors", "spider_exceptions/count"),
)


class Queues:
    """`shared(crawler, Queues)`. `step` is to be called now and then; `facts` says what is known."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = ref(crawler)
        self._pacing = shared(crawler, CrawlPacing)
        self._engine = shared(crawler, Engine)
        self._states = shared(crawler, HostStates)
        self._max_idle_s = shared(crawler, PoliteSettings).max_idle
        #: Whether anything may come to its end before what is queued: a setting, a budget, the hours of a host.
        self.has_limits = bool(crawler.settings.getfloat("CLOSESPIDER_TIMEOUT"))
        self._opened_at: float | None = None
        self._pages = 0
        #: How long an answer takes to begin, of late.
        self._latency_s = _LATENCY_S
        self._rates: deque[tuple[float, int, int, bool]] = deque()
        #: The hosts of this round that are still to be looked at, and what was found so far.
        self._to_look_at: list[str] = []
        self._found: dict[str, float] = {}
        self._times: Counter[float] = Counter()
        #: What the last whole round has found.
        self._last_times: Counter[float] = Counter()
        self._named: dict[str, _Measured] = {}
        self._stepped_at = -math.inf
        shared(crawler, Events).read(RequestAnswered, self._answered)
        crawler.signals.connect(self._spider_opened, signals.spider_opened)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def _spider_opened(self) -> None:
        self._opened_at = clock.now()

    def _answered(self, event: RequestAnswered) -> None:
        self._pages += 1
        self._latency_s += (event.began_s - self._latency_s) * max(_LATENCY_SHARE, 1 / self._pages)

    @property
    def _census(self) -> Census | None:
        return getattr(self._engine.scheduler, "census", None) if self._pacing.has_scheduler else None

    @property
    def host_count(self) -> int:
        """For how many hosts requests are queued."""
        return self._engine.scheduler.host_count if self._census is not None else 0

    # What is looked at

    def step(self, now: float) -> None:
        """Look at some hosts more."""
        census = self._census
        self._stepped_at = now
        self._measure(now)
        if census is None:
            return
        if not self._to_look_at:
            self._to_look_at = census.keys()
        for key in self._to_look_at[-MAX_STEP:]:
            standing = census.of(key)
            if standing is not None:
                seconds = self._seconds(standing, now)
                gate = standing.gate
                self.has_limits = self.has_limits or gate.budget is not None or gate.minutes != ALL_DAY
                self._found[key] = seconds
                self._times[_bound(seconds)] += 1
        del self._to_look_at[-MAX_STEP:]
        if len(self._found) > MAX_NAMED * 20 or not self._to_look_at:
            self._keep_longest()
        if not self._to_look_at:
            self._last_times, self._times = self._times, Counter()
            self._named = {key: self._named.get(key) or _Measured() for key in self._found}
            self._found = {}
        elif not self._last_times:  # of the first round nothing else is known
            self._named |= {key: _Measured() for key in self._found if len(self._named) < MAX_NAMED}
        for key, measured in self._named.items():
            if (known := self._pacing.gates.peek(key)) is not None:
                measured.look(known, now)

    def _keep_longest(self) -> None:
        self._found = dict(nlargest(MAX_NAMED, self._found.items(), key=lambda one: one[1]))

    def _seconds(self, standing: HostStanding, now: float) -> float:
        """How long the queue of a host takes, about."""
        pace_s = self._pace(standing.gate)[0]
        opens_at = max(_opens_at(standing, now), now)
        return (opens_at - now if opens_at < math.inf else 0.0) + standing.queued * pace_s

    def _pace(self, gate: Gate) -> tuple[float, str, bool]:
        """Seconds from one request to the next, what asks for them, and whether that is but a guess."""
        pace_s, source = gate.pace(self._latency_s)
        measured = self._named.get(gate.key)
        if measured is not None and (seen_s := measured.pace_s):
            return seen_s, source, False
        return pace_s, source, not source

    def _measure(self, now: float) -> None:
        """Note the rate, the links and whether all places are taken."""
        is_full = len(self._engine.active) >= self._engine.concurrency
        self._rates.append((now, self._pages, self._links(), is_full))
        while len(self._rates) > 2 and self._rates[0][0] < now - _WINDOW_S:
            self._rates.popleft()

    def _links(self) -> int:
        """Requests that have been queued; of a shared queue also those that another process had found before."""
        crawler = self._crawler()
        return int(crawler.stats.get_value("scheduler/enqueued", 0)) if crawler is not None and crawler.stats else 0

    # What is said

    def facts(self, now: float, most: int = MAX_NAMED) -> dict[str, Any]:
        """For a snapshot: `hosts` (see `runs.queue_time.HostQueue`), and the other values of `runs.forecast.Standing`.
        Times are the system clock's."""
        if now - self._stepped_at > 1.0:
            self.step(now)
        census = self._census
        standings = [census.of(key) for key in self._named] if census is not None else []
        hosts = [_host(one, self._pace(one.gate), now) for one in standings if one is not None]
        hosts.sort(key=lambda host: -host["queued"] * host["pace_s"])
        pages_s, new_links, is_full = self._lately()
        scheduler = self._engine.scheduler
        totals = scheduler.shared_totals if census is not None else None
        return {
            "queued": self._states.queued,
            "count": self.host_count,
            "of_job": totals.queued if totals is not None else 0,
            "hosts": hosts[:most],
            "times": [[bound, count] for bound, count in sorted((self._last_times or self._times).items())],
            "pages_s": round(pages_s, 3),
            "is_full": is_full,
            "new_links": round(new_links, 4),
            "starting": self._engine.starting,
            "limits": self._limits(),
            "max_idle_s": self._max_idle_s,
            "keeps": census is not None and census.keeps,
        }

    def _lately(self) -> tuple[float, float, bool]:
        """Pages a second, links a page, and whether all places were taken most of the time."""
        if len(self._rates) < 2:
            return 0.0, 0.0, False
        began_at, pages, links, _ = self._rates[0]
        at, pages_now, links_now, _ = self._rates[-1]
        answered = pages_now - pages
        full = sum(is_full for *_, is_full in self._rates)
        return (
            answered / max(at - began_at, 0.001),
            max(links_now - links, 0) / max(answered, 1),
            2 * full > len(self._rates) and answered >= _RATE_FROM,
        )

    def _limits(self) -> list[dict[str, Any]]:
        """What ends the crawl, whatever is queued."""
        crawler = self._crawler()
        if crawler is None or self._opened_at is None:
            return []
        settings, found = crawler.settings, []
        if timeout_s := settings.getfloat("CLOSESPIDER_TIMEOUT"):
            at = round(clock.wall(self._opened_at + timeout_s), 3)
            found.append({"setting": "CLOSESPIDER_TIMEOUT", "kind": "time", "at": at, "seconds": timeout_s})
        for setting, kind, stat in _COUNT_LIMITS:
            if most := settings.getint(setting):
                so_far = crawler.stats.get_value(stat, 0) if crawler.stats else 0
                found.append({"setting": setting, "kind": kind, "most": most, "so_far": so_far})
        return found


class _Measured:
    """How fast a host has been asked lately, as long as nothing kept it closed and its delay stayed the same."""

    __slots__ = ("_answers", "_delay")

    def __init__(self) -> None:
        self._answers: deque[tuple[float, int]] = deque()
        self._delay: object = None

    def look(self, gate: Gate, now: float) -> None:
        answers = self._answers
        if gate.delay is not self._delay or gate.shut_until(now) > now or not gate.lanes:
            answers.clear()
            self._delay = gate.delay
        elif gate.answer_count and (not answers or answers[-1][1] != gate.answer_count):
            answers.append((gate.last_at, gate.answer_count))
            # With a long delay the window has few answers.
            while len(answers) > 2 * _MEASURED_FROM and answers[0][0] < now - _WINDOW_S:
                answers.popleft()

    @property
    def pace_s(self) -> float:
        """Seconds from one answer to the next; 0 where there were too few."""
        if len(self._answers) < 2:
            return 0.0
        (first_at, first), (last_at, last) = self._answers[0], self._answers[-1]
        return (last_at - first_at) / (last - first) if last - first >= _MEASURED_FROM else 0.0


def _opens_at(standing: HostStanding, now: float) -> float:
    """When the next request may leave; what is between any two requests does not count."""
    return max(standing.gate.shut_until(now), standing.closed_until)


def _host(standing: HostStanding, pace: tuple[float, str, bool], now: float) -> dict[str, Any]:
    """A host's facts; those that do not hold are left out."""
    gate, (pace_s, source, is_guess) = standing.gate, pace
    state, opens_at = _state(standing, now)
    reason, detail = gate.why(now) if state != READY else ("", "")
    if standing.closed_until > now and standing.closed_until >= opens_at:
        reason, detail = "robots/unreachable", standing.why
    found: dict[str, Any] = {
        "host": gate.key[:_MAX_TEXT],
        "queued": standing.queued,
        "in_flight": gate.in_flight,
        "pace_s": round(pace_s, 4),
        "pace_source": source,
        "state": state,
        "reason": reason,
        "detail": printable(detail, _MAX_TEXT),
    }
    more = {
        "is_guess": is_guess,
        "opens_at": _wall(opens_at) if now < opens_at < math.inf else None,
        "deferred": standing.deferred,
        "unread_s": round(now - standing.unread_since, 1) if standing.unread_since else None,
        "gives_up_at": _wall(standing.gives_up_at) if standing.gives_up_at < math.inf else None,
        "hours": _hours(gate.minutes),
        "budget": _budget(gate, now),
    }
    return found | {name: value for name, value in more.items() if value}


def _state(standing: HostStanding, now: float) -> tuple[str, float]:
    """A word of `monitor.hosts`, and until when nothing leaves; what is between any two requests does not count."""
    gate = standing.gate
    opens_at = _opens_at(standing, now)
    if opens_at > now:
        return CLOSED, opens_at
    if standing.unread_since:
        return UNREAD, 0.0
    if gate.opens_at(now) > now or gate.full:
        return IN_TURN, 0.0 if gate.held_by.every_s else gate.held_until
    return READY, 0.0


def _budget(gate: Gate, now: float) -> dict[str, Any] | None:
    budget = gate.budget
    if budget is None:
        return None
    left, ends_at = gate.budget_left(now)
    refuses = budget.then == "refuse"
    return {
        "pages": budget.pages,
        "left": left,
        "period_s": budget.period_s,
        "ends_at": _wall(ends_at),
        "refuses": refuses,
    }


def _wall(at: float) -> float:
    return round(clock.wall(at), 3)


def _hours(minutes: int) -> list[list[int]]:
    """The minutes of the day that are set, as pairs of a first one and the one after the last; empty: all are."""
    if minutes == ALL_DAY:
        return []
    shown = f"{minutes:01440b}"[::-1]
    if "1" not in shown:
        return [[0, 0]]  # never
    pairs: list[list[int]] = []
    at = 0
    while len(pairs) < _MAX_HOURS and (begin := shown.find("1", at)) >= 0:
        at = shown.find("0", begin)
        at = len(shown) if at < 0 else at
        pairs.append([begin, at])
    return pairs


def _bound(seconds: float) -> float:
    """The first of _BOUNDS that is not below."""
    return _BOUNDS[min(bisect_left(_BOUNDS, seconds), len(_BOUNDS) - 1)]
