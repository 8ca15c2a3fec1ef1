"""How far a store's clock is found to be from ours."""

from __future__ import annotations

import pytest

from scrapy_polite.store.offset import ClockOffset


@pytest.mark.parametrize(
    ("asked_at", "at", "answered_at", "seconds"),
    [
        pytest.param(100.0, 100.0, 100.0, 0.0, id="one clock"),
        pytest.param(100.0, 100.3, 104.0, 0.0, id="one clock, a slow answer"),
        pytest.param(100.0, 100.05, 100.0, 0.0, id="less than NTP leaves"),
        pytest.param(100.0, 130.0, 100.5, -29.5, id="ahead"),
        pytest.param(100.0, 70.0, 100.5, 30.5, id="behind"),
    ],
)
def test_what_one_answer_shows(asked_at: float, at: float, answered_at: float, seconds: float) -> None:
    offset = ClockOffset()
    offset.learn(asked_at, at, answered_at)
    assert offset.seconds == seconds


def test_what_has_been_found_stays_until_it_is_shown_to_be_wrong() -> None:
    offset = ClockOffset()
    offset.learn(100.0, 70.0, 100.5)
    offset.learn(110.0, 80.0, 110.45)
    offset.learn(120.0, 89.8, 123.0)
    assert offset.seconds == 30.5
    offset.learn(130.0, 130.0, 130.1)
    assert offset.seconds == pytest.approx(0.1)
