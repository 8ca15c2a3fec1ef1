"""The gate: per pace key (a host, as a rule) the earliest time at which its next request may leave, and why.

Every rule of politeness only moves it. All times are `clock.now`'s; what goes by the calendar is asked at `clock.wall`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from heapq import heappop, heappush
from math import inf
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from scrapy_polite import clock
from scrapy_polite.pacing.backoff import Backoff, BackoffPolicy
from scrapy_polite.pacing.delay import ALL_DAY, NO_DELAY, CrawlLimits, Delay, declared, next_open, open_minutes

if TYPE_CHECKING:
    from scrapy_polite.pacing.budget import Budget

#: Origins of one gate whose robots.txt is remembered: there is no end to the subdomains of one registered domain.
MAX_ORIGINS = 256

#: Bounds of the adaptive delay. A higher maximum: one answer that takes ten minutes stops its host for hours.
ADAPTIVE_MIN_S, ADAPTIVE_MAX_S = 0.0, 60.0

_MAX_HOURS_SHOWN = 3


class HeldBy(NamedTuple):
    """What has a gate wait besides its own rules, in words; AutoThrottle leaves `every_s` from request to request."""

    text: str
    every_s: float = 0.0

    def __str__(self) -> str:
        return f"{self.text}: a request every {self.every_s:.3g} s" if self.every_s else self.text


NOT_HELD = HeldBy("")


@dataclass(frozen=True, slots=True)
class PacingConfig:
    """What all gates of a crawl have in common.

    Jitter adds up to `jitter` times the delay to it. With an `adaptive` factor above 0 the next request also waits that
    many times the last latency, within the bounds in seconds.
    """

    backoff: BackoffPolicy = field(default_factory=BackoffPolicy)
    jitter: float = 0.0
    adaptive: float = 0.0
    adaptive_min_s: float = ADAPTIVE_MIN_S
    adaptive_max_s: float = ADAPTIVE_MAX_S
    rng: Random = field(default_factory=Random)


@dataclass(frozen=True, slots=True)
class _Own:
    """What the project's settings say of a gate; shared by all of which they say the same.

    So many `workers`, each a process of its own, may have the host at once.
    """

    delays: tuple[tuple[float, str], ...]
    cap_s: float
    concurrency: int
    budget: Budget | None
    workers: int = 1


_own = lru_cache(maxsize=1024)(_Own)

_NOTHING_SPENT = (0.0, 0)


class Gate:
    """One pace key's gate.

    `lanes` counts the queues that hold it, `in_flight` what was taken and has not ended, `sent_count` and
    `answer_count` what was taken and answered (or failed) in all. `last_at` is the time of the last answer or failure,
    `delay` what is declared. Until `held_until` another process has its lease, or AutoThrottle has it wait.
    `held_by` says which. `adaptive_s` is what the last latency asks for.

    A gate that was forgotten and is made anew has to be told again what settings, robots.txt and store know.
    """

    __slots__ = (
        "_config",
        "_jitter",
        "_limits",
        "_minutes",
        "_own",
        "_spending",
        "adaptive_s",
        "answer_count",
        "backoff",
        "delay",
        "held_by",
        "held_until",
        "in_flight",
        "key",
        "lanes",
        "last_at",
        "sent_count",
    )

    def __init__(self, key: str, config: PacingConfig, concurrency: int = 8) -> None:
        self.key = key
        self.in_flight = 0
        self.lanes = 0
        self.sent_count = 0
        self.answer_count = 0
        self.last_at = 0.0
        self.delay: Delay = NO_DELAY
        self.backoff: Backoff | None = None
        self.held_until = 0.0
        self.held_by = NOT_HELD
        self.adaptive_s = 0.0
        self._config = config
        self._own = _own((), inf, concurrency, None)
        # When the budget's period began, and the pages taken since.
        self._spending = _NOTHING_SPENT
        self._limits: tuple[tuple[str, CrawlLimits], ...] = ()
        self._minutes = ALL_DAY
        self._jitter = 0.0

    # What is asked of it

    def set_own(
        self, own: tuple[tuple[float, str], ...], cap_s: float, concurrency: int, budget: Budget | None
    ) -> None:
        """What the project's settings say: delays (seconds, name of the setting), and the cap on robots.txt's."""
        self._own = _own(own, cap_s, max(concurrency, 1), budget)
        self._declare(self.last_at)

    def join_own(
        self,
        own: tuple[tuple[float, str], ...],
        cap_s: float,
        concurrency: int,
        budget: Budget | None,
        workers: int = 1,
    ) -> None:
        """As `set_own`, for one more host behind this gate: of what they say the stricter holds.

        Of what the host may get together each of the `workers` has its share.
        """
        said = self._own
        joint = _own(
            tuple(sorted({*said.delays, *own})),
            min(said.cap_s, cap_s),
            max(min(said.concurrency, concurrency), 1),
            said.budget or budget,
            max(said.workers, workers),
        )
        if joint != said:
            self._own = joint
            self._declare(self.last_at)

    def set_limits(self, origin: str, limits: CrawlLimits | None) -> None:
        """What one origin's robots.txt asks; None: nothing, or no longer anything."""
        if limits is None and not self._limits:
            return
        others = [(name, theirs) for name, theirs in self._limits if name != origin]
        if limits is not None:
            others.append((origin, limits))
            if len(others) > MAX_ORIGINS:
                others.sort(key=_strictness, reverse=True)
        self._limits = tuple(others[:MAX_ORIGINS])
        self._minutes = open_minutes(theirs for _, theirs in self._limits)
        # The delay at the last answer holds until `recompute_at`, which may be long gone: it is looked at when asked.
        self._declare(self.last_at)

    def _declare(self, now: float) -> None:
        limits = (theirs for _, theirs in self._limits)
        self.delay = declared(limits, self._own.delays, self._own.cap_s, clock.wall(now))

    @property
    def cut(self) -> tuple[float, float] | None:
        """The longest gap that robots.txt asks for, at whichever hour, and the shorter one that is kept of it.

        None where all of it is kept.
        """
        asked_s = max((theirs.longest_s for _, theirs in self._limits), default=0.0)
        kept_s = max(min(asked_s, self._own.cap_s), *(seconds for seconds, _ in self._own.delays), 0.0)
        return (asked_s, kept_s) if asked_s > kept_s else None

    @property
    def concurrency(self) -> int:
        """Of this process."""
        return max(self._own.concurrency // self._own.workers, 1)

    @property
    def workers(self) -> int:
        """How many processes may have the host at once."""
        return self._own.workers

    @property
    def budget(self) -> Budget | None:
        return self._own.budget

    @property
    def spent(self) -> int:
        """Pages taken in the budget's period in which the last one was taken."""
        return self._spending[1]

    # Whether a request may leave

    def opens_at(self, now: float) -> float:
        """When the next request may leave, `now` or earlier if the gate is open. Does not look at what is in flight."""
        if (
            self.delay is NO_DELAY
            and self.backoff is None
            and self._own.budget is None
            and not self.adaptive_s
            and self.held_until <= now
            and self._minutes == ALL_DAY
        ):
            return 0.0
        return max([rule.opens_at(self, now) for rule in _RULES])

    def shut_until(self, now: float) -> float:
        """As `opens_at`, but for what is between any two requests: until then the host is closed."""
        return max([rule.opens_at(self, now) for rule in _RULES if not rule.between_requests])

    def paced_until(self, now: float) -> float:
        """When the delays alone let the next request leave."""
        return max(_after_delay(self, now), _after_adaptive(self, now))

    @property
    def delay_in_force(self) -> tuple[float, str]:
        """The longest delay between two requests, in seconds, and what asks for it; 0 and an empty string: none."""
        if self.adaptive_s > self.delay.seconds:
            return self.adaptive_s, "POLITE_ADAPTIVE"
        return self.delay.seconds, self.delay.source

    def pace(self, latency_s: float) -> tuple[float, str]:
        """Seconds from one request to the next, on average, of a host that takes `latency_s` to answer; and what asks
        for them, empty: nothing does."""
        delay_s, source = self.delay_in_force
        if delay_s:
            delay_s = delay_s * (1 + self._config.jitter / 2) + latency_s
        if self.held_by.every_s > delay_s:
            return max(self.held_by.every_s, latency_s / self.places), "AutoThrottle"
        return (delay_s, source) if delay_s else (latency_s / self.places, "")

    @property
    def minutes(self) -> int:
        """The minutes of the day, as bits, at which it may be asked."""
        return self._minutes

    def budget_left(self, now: float) -> tuple[int, float]:
        """Pages that are left of its budget's period, and when the next one begins; no budget: 0 and infinity."""
        budget = self.budget
        if budget is None:
            return 0, inf
        return max(budget.pages - self._spent(now), 0), self._period_end(budget, now)

    @property
    def full(self) -> bool:
        return self.in_flight >= self.places

    @property
    def places(self) -> int:
        """How many requests may be in flight at once."""
        return 1 if self.one_at_a_time else self.concurrency

    @property
    def one_at_a_time(self) -> bool:
        """As a delay counts from the answer, and what comes of the first request after an embargo is waited for."""
        return self.delay.seconds > 0 or self._config.adaptive > 0 or self._probing

    @property
    def _probing(self) -> bool:
        return self.backoff is not None and self.backoff.probing

    def refuses(self, now: float) -> bool:
        """Whether the budget is spent and the rest is to be refused: the gate stays open for that."""
        return self.budget is not None and self.budget.then == "refuse" and self._spent(now) >= self.budget.pages

    def why(self, now: float) -> tuple[str, str]:
        """The reason that keeps it shut longest, and its evidence; two empty strings where it is open."""
        rule = max(_RULES, key=lambda rule: rule.opens_at(self, now))
        if rule.opens_at(self, now) > now:
            return rule.why(self)
        if not self.full:
            return "", ""
        return "pace/concurrency", f"{self.in_flight} in flight{', one at a time' if self.one_at_a_time else ''}"

    # What happens

    def hold(self, until: float, by: HeldBy) -> None:
        """No request leaves until then, because of something beyond this gate."""
        self.held_until, self.held_by = until, by

    def release(self) -> None:
        """That is over."""
        self.hold(0.0, NOT_HELD)

    def throttle(self, since: float, seconds: float) -> None:
        """AutoThrottle leaves so many seconds from one request to the next."""
        if since + seconds > self.held_until:
            self.hold(since + seconds, HeldBy("AutoThrottle slows it down", seconds))

    def take(self, now: float, *, page: bool = True) -> None:
        """A request leaves; `page`: it counts in the budget."""
        self.in_flight += 1
        self.sent_count += 1
        if page and self._own.budget is not None:
            self._spend(self._own.budget, 1, now)

    def given_back(self, now: float, *, page: bool = True) -> None:
        """A request that was taken has never been sent (it was answered from a cache, say)."""
        self.in_flight = max(self.in_flight - 1, 0)
        self.sent_count -= 1
        if page and self._own.budget is not None and self._spent(now):
            self._spend(self._own.budget, -1, now)

    def answered(self, now: float, latency_s: float) -> None:
        """The response began to arrive, `latency_s` after its request had been sent."""
        self._count_answer(now)
        config = self._config
        if config.adaptive > 0:
            wait_s = min(max(config.adaptive * latency_s, config.adaptive_min_s), config.adaptive_max_s)
            # Others send in the meantime: each has its share of the requests, and all of them the pace of one.
            self.adaptive_s = self.workers * wait_s + (self.workers - 1) * latency_s

    def failed(self, now: float) -> None:
        """The connection failed: in time this counts as an answer."""
        self._count_answer(now)

    def ended(self, now: float) -> None:
        """A request has left the downloader."""
        self.in_flight = max(self.in_flight - 1, 0)
        if self.sent_count - self.answer_count > self.in_flight:
            # One ended without a word about its answer (cancelled, say): the server may still have met it.
            self._count_answer(now)

    def _count_answer(self, now: float) -> None:
        self.answer_count += 1
        self.last_at = now
        if self._config.jitter and (self.delay is not NO_DELAY or self._config.adaptive):
            self._jitter = self._config.rng.random() * self._config.jitter

    def record_failure(
        self,
        now: float,
        *,
        url: str,
        sent_at: float,
        why: str,
        retry_after_s: float | None = None,
        connection: bool = False,
    ) -> bool:
        """A request met what counts for back-off (see `Backoff.failed`); True if the gate closed, or for longer."""
        self.backoff = self.backoff or Backoff()
        return self.backoff.failed(
            now,
            url=url,
            sent_at=sent_at,
            why=why,
            policy=self._config.backoff,
            rng=self._config.rng,
            retry_after_s=retry_after_s,
            connection=connection,
        )

    def succeeded(self, now: float, sent_at: float | None = None) -> None:
        """A request came back well, as far as back-off is concerned."""
        if self.backoff is not None:
            self.backoff.succeeded(now, self._config.backoff, sent_at)
            if self.backoff.clear:
                self.backoff = None

    def spent_by_all(self, period_start: float, pages: int) -> None:
        """What all processes together have spent of the budget in the period that began at `period_start`."""
        since, own = self._spending
        if period_start >= since:
            self._spending = period_start, max(own, pages) if period_start == since else pages

    def _spent(self, now: float) -> int:
        """Pages taken in the present period of the budget."""
        if self._own.budget is None:
            return 0
        since, pages = self._spending
        # A clock that was set back into the period before does not open a new one.
        begin = self._own.budget.period_start(clock.wall(now))
        return pages if 0 <= since - begin <= self._own.budget.period_s else 0

    def _spend(self, budget: Budget, pages: int, now: float) -> None:
        spent = self._spent(now)
        self._spending = self._spending[0] if spent else budget.period_start(clock.wall(now)), spent + pages

    def _period_end(self, budget: Budget, now: float) -> float:
        return clock.of_wall(budget.period_end(max(clock.wall(now), self._spending[0])))

    # Whether it may be forgotten

    def idle_and_open(self, now: float) -> bool:
        """Whether a new gate would do as well."""
        return not self.lanes and not self.in_flight and self.clear_at(now) <= now

    def clear_at(self, now: float) -> float:
        """When there is nothing left to remember, if nothing happens before."""
        clear_at = self.opens_at(now)
        if self.backoff is not None:
            clear_at = max(clear_at, self.backoff.forgiven_at(self._config.backoff))
        if self.budget is not None and self._spent(now):
            clear_at = max(clear_at, self._period_end(self.budget, now))
        return clear_at


def _strictness(asked: tuple[str, CrawlLimits]) -> tuple[bool, float]:
    _, limits = asked
    return limits.visit_time is not None, limits.longest_s


@dataclass(frozen=True, slots=True)
class _Rule:
    opens_at: Callable[[Gate, float], float]
    why: Callable[[Gate], tuple[str, str]]
    between_requests: bool = False


_DELAY_REASONS = {"Crawl-delay": "pace/crawl-delay", "Request-rate": "pace/request-rate"}


def _after_delay(gate: Gate, now: float) -> float:
    # Most robots.txt files ask for nothing that changes with the time of day: the calendar is asked for the others.
    if gate.delay.recompute_at < inf and clock.wall(now) >= gate.delay.recompute_at:
        gate._declare(now)
    return _after_last(gate, gate.delay.seconds)


def _after_adaptive(gate: Gate, now: float) -> float:
    return _after_last(gate, gate.adaptive_s)


def _after_last(gate: Gate, gap_s: float) -> float:
    return gate.last_at + gap_s * (1 + gate._jitter) if gap_s else 0.0


def _after_backoff(gate: Gate, now: float) -> float:
    return gate.backoff.until if gate.backoff else 0.0


def _why_backoff(gate: Gate) -> tuple[str, str]:
    return (gate.backoff.reason, gate.backoff.evidence) if gate.backoff else ("", "")


def _why_hours(gate: Gate) -> tuple[str, str]:
    hours = {theirs.visit_time for _, theirs in gate._limits if theirs.visit_time}
    shown = sorted(f"{begin:%H%M}-{end:%H%M}" for begin, end in hours)[:_MAX_HOURS_SHOWN]
    return "pace/visit-time", f"Visit-time {', '.join(shown)} UTC"


def _in_next_period(gate: Gate, now: float) -> float:
    budget = gate.budget
    if budget is None or budget.then != "wait" or gate._spent(now) < budget.pages:
        return 0.0
    return gate._period_end(budget, now)


_RULES = (
    _Rule(
        _after_delay,
        lambda gate: (_DELAY_REASONS.get(gate.delay.source, "pace/delay"), str(gate.delay)),
        between_requests=True,
    ),
    _Rule(_after_backoff, _why_backoff),
    _Rule(lambda gate, now: clock.of_wall(next_open(gate._minutes, clock.wall(now))), _why_hours),
    _Rule(_in_next_period, lambda gate: ("pace/budget", str(gate.budget))),
    _Rule(
        _after_adaptive,
        lambda gate: ("pace/adaptive", f"{gate.adaptive_s:.3g} s after the last answer"),
        between_requests=True,
    ),
    _Rule(
        lambda gate, now: gate.held_until,
        lambda gate: ("pace/held", str(gate.held_by)),
        between_requests=True,
    ),
)


class Gates:
    """All gates of a crawl: made by `make` when first needed, forgotten when idle and open."""

    __slots__ = ("_due", "_gates", "_heap", "_make")

    def __init__(self, make: Callable[[str], Gate]) -> None:
        self._make = make
        self._gates: dict[str, Gate] = {}
        # When to look again at gates that nobody uses, soonest first; an entry counts if `_due` has the same time.
        self._heap: list[tuple[float, str]] = []
        self._due: dict[str, float] = {}

    def get(self, key: str) -> Gate:
        gate = self._gates.get(key)
        if gate is None:
            gate = self._gates[key] = self._make(key)
        return gate

    def peek(self, key: str) -> Gate | None:
        return self._gates.get(key)

    def release(self, gate: Gate, now: float) -> None:
        """To be called when `gate` has lost its last lane, or a request in flight."""
        if not gate.lanes and not gate.in_flight:
            if gate.idle_and_open(now):
                self._forget(gate)
            elif gate.key not in self._due:
                self._look_again(gate, now)
        # Each call adds one gate at most: to look at two keeps the table small without a timer.
        self.sweep(now, 2)

    def sweep(self, now: float, most: int = 100) -> None:
        """Look at up to `most` gates whose time has come."""
        while most > 0 and self._heap and self._heap[0][0] <= now:
            most -= 1
            at, key = heappop(self._heap)
            if self._due.get(key) != at:
                continue  # the gate was forgotten since, and perhaps made anew
            del self._due[key]
            gate = self._gates[key]
            if gate.idle_and_open(now):
                self._forget(gate)
            elif not gate.lanes and not gate.in_flight:
                self._look_again(gate, now)

    def _look_again(self, gate: Gate, now: float) -> None:
        at = self._due[gate.key] = gate.clear_at(now)
        heappush(self._heap, (at, gate.key))

    def _forget(self, gate: Gate) -> None:
        del self._gates[gate.key]
        self._due.pop(gate.key, None)

    def __len__(self) -> int:
        return len(self._gates)

    def __iter__(self) -> Iterator[Gate]:
        return iter(self._gates.values())
