"""Page budgets and the periods of the calendar."""

from __future__ import annotations

from calendar import timegm

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_polite.pacing.budget import Budget

NOW = 1_800_000_000.0 + 1_234.5  # Fri, 15 Jan 2027 08:20:34.5 GMT


def utc(*moment: int) -> float:
    return float(timegm((*moment, 0, 0, 0, 0)[:6]))


@pytest.mark.parametrize(
    ("mapping", "budget", "text"),
    [
        pytest.param({"pages": 10_000, "per": "day"}, Budget(10_000, 86_400), "10,000 pages per day", id="day"),
        pytest.param({"pages": 1, "per": 90}, Budget(1, 90), "1 pages per 90 s", id="seconds"),
        pytest.param({"pages": 1, "per": 3_600}, Budget(1, 3_600), "1 pages per hour", id="an hour in seconds"),
        pytest.param(
            {"pages": 5, "per": "week", "then": "refuse"}, Budget(5, 604_800, "refuse"), "5 pages per week", id="refuse"
        ),
    ],
)
def test_a_budget_is_read(mapping: dict[str, object], budget: Budget, text: str) -> None:
    assert Budget.read(mapping) == budget
    assert str(budget) == text


@pytest.mark.parametrize(
    ("mapping", "named"),
    [
        pytest.param({"per": "day"}, "'pages'", id="no pages"),
        pytest.param({"pages": 0, "per": "day"}, "not 0", id="no pages allowed"),
        pytest.param({"pages": True, "per": "day"}, "not True", id="a boolean"),
        pytest.param({"pages": "10", "per": "day"}, "not '10'", id="text"),
        pytest.param({"pages": 1}, "'per'", id="no period"),
        pytest.param({"pages": 1, "per": "month"}, "'month'", id="unknown period"),
        pytest.param({"pages": 1, "per": 0.5}, "0.5", id="too short"),
        pytest.param({"pages": 1, "per": float("nan")}, "nan", id="not a number"),
        pytest.param({"pages": 1, "per": float("inf")}, "inf", id="endless"),
        pytest.param({"pages": 1, "per": ["day"]}, "day", id="a list"),
        pytest.param({"pages": 1, "per": "day", "then": "stop"}, "'stop'", id="unknown end"),
        pytest.param({"pages": 1, "per": "day", "page": 2}, "'page'", id="unknown name"),
    ],
)
def test_a_mistake_is_named(mapping: dict[str, object], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        Budget.read(mapping)


@pytest.mark.parametrize(
    ("per", "start"),
    [
        ("second", utc(2027, 1, 15, 8, 20, 34)),
        ("minute", utc(2027, 1, 15, 8, 20)),
        ("hour", utc(2027, 1, 15, 8)),
        ("day", utc(2027, 1, 15)),
        pytest.param("week", utc(2027, 1, 11), id="week, from Monday"),
    ],
)
def test_periods_are_those_of_the_calendar(per: str, start: float) -> None:
    assert Budget.read({"pages": 1, "per": per}).period_start(NOW) == start


@given(st.floats(0, 4e9), st.one_of(st.floats(1, 1e6), st.just(604_800.0)))
def test_a_period_holds_its_moment_and_begins_where_the_last_one_ended(now: float, period_s: float) -> None:
    budget = Budget(1, period_s)
    start, end = budget.period_start(now), budget.period_end(now)
    assert start <= now < end
    assert budget.period_start(end) == end
