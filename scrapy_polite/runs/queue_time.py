"""How long a host's queue takes: its requests times the pace in force, with the hours and the budget it has to keep to.

Times are epoch seconds, hours of the day minutes after midnight UTC. Nothing here guesses: what a host will ask for
later is not known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, inf
from typing import Any

from scrapy_polite.runs.values import number, whole

_DAY_S = 86_400.0
#: Spells of sending that are looked at one by one; what is left then is taken to go on as these went.
_MAX_SPELLS = 500


@dataclass(frozen=True, slots=True)
class PageBudget:
    """`left` pages until `ends_at`, then `pages` in each period. With `refuses` what goes beyond is refused."""

    pages: int
    left: int
    period_s: float
    ends_at: float
    refuses: bool = False


@dataclass(frozen=True, slots=True)
class HostQueue:
    """What is queued for a host, as a snapshot has it.

    One request leaves every `pace_s` seconds, which `pace_source` asks for; none before `opens_at`, because of `reason`
    and `detail`. `hours` are the minutes of the day between which it may be asked, in pairs; empty: at all times.
    `deferred` of the requests wait because what they lead to looks endless. `state` is a word of `monitor.hosts`;
    `unread_s` is for how long its robots.txt has been asked for. At `gives_up_at` nobody waits for it any longer. Of a
    host that has hardly answered yet the pace is a guess.
    """

    host: str
    queued: int
    in_flight: int = 0
    pace_s: float = 0.0
    pace_source: str = ""
    state: str = ""
    opens_at: float = 0.0
    reason: str = ""
    detail: str = ""
    hours: tuple[tuple[int, int], ...] = ()
    budget: PageBudget | None = None
    deferred: int = 0
    unread_s: float = 0.0
    gives_up_at: float = inf
    is_guess: bool = False

    @classmethod
    def read(cls, facts: Mapping[str, Any]) -> HostQueue:
        """Of a snapshot's `queues.hosts`; what is missing or damaged counts as not said."""
        budget, hours = facts.get("budget"), facts.get("hours")
        return cls(
            str(facts.get("host", "")),
            whole(facts.get("queued")),
            whole(facts.get("in_flight")),
            number(facts.get("pace_s")),
            str(facts.get("pace_source", "")),
            str(facts.get("state", "")),
            number(facts.get("opens_at")),
            str(facts.get("reason", "")),
            str(facts.get("detail", "")),
            tuple(_pairs(hours)),
            _budget(budget) if isinstance(budget, Mapping) else None,
            whole(facts.get("deferred")),
            number(facts.get("unread_s")),
            number(facts.get("gives_up_at")) or inf,
            bool(facts.get("is_guess")),
        )

    def ends_at(self, now: float) -> float:
        """When the last of its requests is answered, if the host answers as it did; infinite: never."""
        return self._walk(now, inf)[0]

    def sent_by(self, until: float, now: float) -> int:
        """How many of its requests have left at a time."""
        return self._walk(now, until)[1]

    def first_spell(self, now: float) -> tuple[float, float, int]:
        """Until when it may be asked without a pause, when it may be asked again (both infinite: there is none), and
        how many requests leave before."""
        at = self._open_from(max(now, self.opens_at))
        until, again, most = self._spell(at, self.budget.left if self.budget else None, self._period_end(now))
        return until, again if again == inf else self._open_from(again), min(most, self.queued)

    def _walk(self, now: float, until: float) -> tuple[float, int]:
        """When it is done, and how many requests have left by `until`; ends at the first of both."""
        at, sent = max(now, self.opens_at), 0
        budget_left = self.budget.left if self.budget else None
        period_end = self._period_end(now)
        began = at
        for _ in range(_MAX_SPELLS):
            if self.budget is not None and at >= period_end:
                periods = int((at - period_end) // self.budget.period_s) + 1
                period_end += periods * self.budget.period_s
                budget_left = self.budget.pages
            at = self._open_from(at)
            if self.budget is not None and at >= period_end:
                continue
            if at >= until or at == inf:
                return inf, sent
            spell_end, again, most = self._spell(at, budget_left, period_end)
            count = min(most, self.queued - sent)
            last = at + max(count - 1, 0) * self.pace_s
            if last > until:
                return inf, sent + int((until - at) // self.pace_s) + 1
            sent += count
            if sent >= self.queued:
                return at + count * self.pace_s, sent
            if budget_left is not None:
                budget_left -= count
                if budget_left <= 0 and self.budget is not None and self.budget.refuses:
                    return inf, sent
            at = max(again, spell_end)
            if until < inf and at >= until:
                return inf, sent
        return self._extrapolated(began, at, sent, until)

    def _extrapolated(self, began: float, at: float, sent: int, until: float) -> tuple[float, int]:
        if not sent or at <= began:
            return inf, sent
        rate = sent / (at - began)
        if until < inf:
            return inf, min(int(sent + rate * (until - at)), self.queued)
        return at + (self.queued - sent) / rate, self.queued

    def _spell(self, at: float, budget_left: int | None, period_end: float) -> tuple[float, float, int]:
        """From `at` on, when it is open: until when without a pause, when again, and how many requests leave."""
        closes_at = self._closes_at(at)
        fit = self._fit(closes_at - at)
        if self.budget is None or budget_left is None:
            return closes_at, closes_at, _whole(fit)
        most = min(fit, self._fit(period_end - at), budget_left)
        if most == budget_left:
            again = inf if self.budget.refuses else period_end
            return at + budget_left * self.pace_s, again, _whole(most)
        end = min(closes_at, period_end)
        return end, end, _whole(most)

    def _fit(self, seconds: float) -> float:
        """How many requests leave in so many seconds, the first at once."""
        return ceil(seconds / self.pace_s) if self.pace_s and seconds < inf else inf

    def _period_end(self, now: float) -> float:
        return max(self.budget.ends_at, now) if self.budget else inf

    def _open_from(self, at: float) -> float:
        if not self.hours or any(begin <= _minute(at) < end for begin, end in self.hours):
            return at
        midnight = at // _DAY_S * _DAY_S
        ahead = [midnight + 60.0 * begin for begin, _ in self.hours]
        return min(time if time > at else time + _DAY_S for time in ahead)

    def _closes_at(self, at: float) -> float:
        """When the hours end that `at` is in; infinite where they do not."""
        end = at if self.hours else inf
        for _ in range(len(self.hours)):
            within = [pair for pair in self.hours if pair[0] <= _minute(end) < pair[1]]
            if not within:
                return end
            end = end // _DAY_S * _DAY_S + 60.0 * within[0][1]
            if end - at >= _DAY_S:
                return inf
        return end


def _minute(at: float) -> float:
    return at % _DAY_S / 60


def _whole(count: float) -> int:
    return int(min(count, 2**63))


def _pairs(hours: object) -> list[tuple[int, int]]:
    pairs = hours if isinstance(hours, list) else []
    return [
        (int(pair[0]), int(pair[1]))
        for pair in pairs
        if isinstance(pair, list) and len(pair) == 2 and all(isinstance(minute, int) for minute in pair)
    ]


def _budget(facts: Mapping[str, Any]) -> PageBudget | None:
    pages, period_s = whole(facts.get("pages")), number(facts.get("period_s"))
    if pages < 1 or period_s <= 0:
        return None
    left = whole(facts.get("left"))
    return PageBudget(pages, left, period_s, number(facts.get("ends_at")), bool(facts.get("refuses")))
