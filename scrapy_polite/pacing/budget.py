"""A site's page budget: so many pages in each period of the calendar. Times are epoch seconds, periods UTC."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf

_PERIODS_S = {"second": 1.0, "minute": 60.0, "hour": 3_600.0, "day": 86_400.0, "week": 604_800.0}
_NAMES = {seconds: name for name, seconds in _PERIODS_S.items()}

#: The epoch is a Thursday, weeks begin on Monday.
_FIRST_MONDAY_S = 4 * 86_400.0

_THEN = ("wait", "refuse")


@dataclass(frozen=True, slots=True)
class Budget:
    """At most `pages` in `period_s` seconds; then the rest has to "wait" for the next period, or is "refuse"d.

    Periods are counted from the epoch, those of a week from a Monday.
    """

    pages: int
    period_s: float
    then: str = "wait"

    @classmethod
    def read(cls, mapping: Mapping[str, object]) -> Budget:
        """Read `{"pages": 10000, "per": "day", "then": "refuse"}`; "then" may be left out and means "wait".

        "per" is a second, minute, hour, day or week, or a number of seconds from 1 on. Raises ValueError.
        """
        if unknown := sorted(map(str, mapping.keys() - {"pages", "per", "then"})):
            raise ValueError(f"a budget has 'pages', 'per' and 'then', but no {', '.join(map(repr, unknown))}")
        pages, per, then = mapping.get("pages"), mapping.get("per"), mapping.get("then", "wait")
        if isinstance(pages, bool) or not isinstance(pages, int) or pages < 1:
            raise ValueError(f"a budget's 'pages' is a whole number from 1 on, not {pages!r}")
        period_s = _PERIODS_S.get(per) if isinstance(per, str) else per
        if isinstance(period_s, bool) or not isinstance(period_s, (int, float)) or not 1 <= period_s < inf:
            raise ValueError(f"a budget's 'per' is one of {', '.join(_PERIODS_S)} or seconds from 1 on, not {per!r}")
        if then not in _THEN:
            raise ValueError(f"a budget's 'then' is 'wait' or 'refuse', not {then!r}")
        return cls(pages, float(period_s), str(then))

    def period_start(self, now: float) -> float:
        return self._begin(self._period(now))

    def period_end(self, now: float) -> float:
        """When the next period begins: always later than `now`."""
        return self._begin(self._period(now) + 1)

    def _period(self, now: float) -> int:
        period = int((now - self._offset_s) // self.period_s)
        # Where rounding puts the very beginning of a period into the one before, a gate would open too early.
        return period + 1 if self._begin(period + 1) <= now else period

    def _begin(self, period: int) -> float:
        return self._offset_s + period * self.period_s

    @property
    def _offset_s(self) -> float:
        return _FIRST_MONDAY_S if self.period_s == _PERIODS_S["week"] else 0.0

    def __str__(self) -> str:
        return f"{self.pages:,} pages per {_NAMES.get(self.period_s) or f'{self.period_s:g} s'}"
