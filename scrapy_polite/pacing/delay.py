"""What robots.txt and the project's settings ask a crawler to wait between two requests, and at which hours to come.

Crawl-delay, Request-rate and Visit-time are not part of RFC 9309. Times are epoch seconds, hours of the day UTC.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import time
from functools import lru_cache
from math import inf
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from protego import RequestRate, VisitTime

_DAY_S = 86_400
_DAY_MINUTES = 24 * 60

#: The minutes of a day as bits, the first after midnight lowest: all of them.
ALL_DAY = (1 << _DAY_MINUTES) - 1


@dataclass(frozen=True, slots=True)
class CrawlLimits:
    """What one origin's robots.txt asks; each None where it does not."""

    crawl_delay_s: float | None
    request_rate: RequestRate | None
    visit_time: VisitTime | None

    @classmethod
    def of(cls, rules: object) -> CrawlLimits | None:
        """What `rules` say in `crawl_delay`, `request_rate` and `visit_time`, where they have these; None: nothing."""
        hours = getattr(rules, "visit_time", None)
        limits = cls(
            getattr(rules, "crawl_delay", None) or None,
            getattr(rules, "request_rate", None),
            hours if hours and hours.start_time != hours.end_time else None,
        )
        return None if limits == _NOTHING else _shared(limits)

    @property
    def longest_s(self) -> float:
        """The longest gap that is asked for, at whichever hour; 0 where none is."""
        rate = self.request_rate
        return max(self.crawl_delay_s or 0.0, rate.seconds / rate.requests if rate else 0.0)

    def demands(self, now: float) -> Iterator[tuple[float, str]]:
        """The gaps in seconds that are asked for at `now`, each with the line's name."""
        if self.crawl_delay_s:
            yield self.crawl_delay_s, "Crawl-delay"
        if (rate := self.request_rate) and _in_force(rate, now):
            yield rate.seconds / rate.requests, "Request-rate"


_NOTHING = CrawlLimits(None, None, None)


@lru_cache(maxsize=1024)  # many hosts ask the same: a million of them share a few objects
def _shared(limits: CrawlLimits) -> CrawlLimits:
    return limits


@dataclass(frozen=True, slots=True)
class Delay:
    """The least time from one answer to the next request.

    `source` is "Crawl-delay", "Request-rate" or the name of a setting, "" where there is no delay. `asked_s` is what
    robots.txt asks, before the cap. At `recompute_at` a Request-rate's hours begin or end: ask again; inf: never.
    """

    seconds: float
    source: str
    asked_s: float
    recompute_at: float

    @property
    def capped(self) -> bool:
        """Whether robots.txt asks for more than this."""
        return self.asked_s > self.seconds

    def __str__(self) -> str:
        asked = f" (of {self.asked_s:g} s asked)" if self.capped else ""
        return f"{self.source} {self.seconds:g} s{asked}"


NO_DELAY = Delay(0.0, "", 0.0, inf)


def declared(limits: Iterable[CrawlLimits], own: Iterable[tuple[float, str]], cap_s: float, now: float) -> Delay:
    """The largest delay of all that robots.txt files (`limits`) and settings (`own`: seconds, name) declare.

    `cap_s` bounds what robots.txt may ask, never what the project's own settings say.
    """
    limits = tuple(limits)
    demands = [demand for each in limits for demand in each.demands(now)]
    candidates = [(min(seconds, cap_s), seconds, source) for seconds, source in demands]
    candidates += [(seconds, 0.0, name) for seconds, name in own]
    seconds, _, source = max(candidates, key=lambda candidate: candidate[:2], default=(0.0, 0.0, ""))
    if seconds <= 0:
        seconds, source = 0.0, ""
    asked_s = max((asked for asked, _ in demands), default=0.0)
    recompute_at = min((_changes_at(each.request_rate, now) for each in limits if each.request_rate), default=inf)
    return _delay(seconds, source, asked_s, recompute_at)


@lru_cache(maxsize=1024)
def _delay(seconds: float, source: str, asked_s: float, recompute_at: float) -> Delay:
    delay = Delay(seconds, source, asked_s, recompute_at)
    return NO_DELAY if delay == NO_DELAY else delay


def _in_force(rate: RequestRate, now: float) -> bool:
    if rate.start_time is None or rate.end_time is None:
        return True
    return bool(_minutes(rate.start_time, rate.end_time) >> _minute_of_day(now) & 1)


def _changes_at(rate: RequestRate, now: float) -> float:
    """When a Request-rate's hours next begin or end; inf where it holds all day."""
    if rate.start_time is None or rate.end_time is None or rate.start_time == rate.end_time:
        return inf
    midnight = now // _DAY_S * _DAY_S
    ahead = [midnight + 60 * _minute(moment) for moment in (rate.start_time, rate.end_time)]
    return min(moment if moment > now else moment + _DAY_S for moment in ahead)


def visit_opens_at(limits: Iterable[CrawlLimits], now: float) -> float:
    """`now` inside the hours of all `limits`, else when these next begin.

    Where their hours have no minute in common, a day from `now`: for ever, though robots.txt may change.
    """
    return next_open(open_minutes(limits), now)


def open_minutes(limits: Iterable[CrawlLimits]) -> int:
    """The minutes of the day, as bits, at which all `limits` allow visits."""
    minutes = ALL_DAY
    for each in limits:
        if each.visit_time:
            minutes &= _minutes(each.visit_time.start_time, each.visit_time.end_time)
    return minutes


def next_open(minutes: int, now: float) -> float:
    """`now` if its minute is among `minutes`, else when the next of them begins; a day from `now` if there is none."""
    ahead = _rotated(minutes, -_minute_of_day(now))
    if ahead & 1:
        return now
    if not ahead:
        return now + _DAY_S
    return (now // 60 + (ahead & -ahead).bit_length() - 1) * 60


@lru_cache(maxsize=1024)
def _minutes(start: time, end: time) -> int:
    """From `start` up to `end`, which may be past midnight; all day where they are equal."""
    begin = _minute(start)
    length = (_minute(end) - begin) % _DAY_MINUTES or _DAY_MINUTES
    return _rotated((1 << length) - 1, begin)


def _rotated(minutes: int, by: int) -> int:
    by %= _DAY_MINUTES
    return (minutes << by | minutes >> (_DAY_MINUTES - by)) & ALL_DAY


def _minute(moment: time) -> int:
    return moment.hour * 60 + moment.minute


def _minute_of_day(now: float) -> int:
    return int(now // 60) % _DAY_MINUTES
