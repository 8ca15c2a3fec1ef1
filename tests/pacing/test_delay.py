"""Declared delays and visiting hours."""

from __future__ import annotations

from datetime import time
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import RequestRate, VisitTime

from scrapy_polite.pacing.delay import NO_DELAY, CrawlLimits, declared, visit_opens_at
from scrapy_polite.robots.rules import RobotsTxt

MIDNIGHT = 1_800_057_600.0  # Sat, 16 Jan 2027 00:00:00 GMT
HOUR_S = 3_600.0
DAY_S = 24 * HOUR_S


def asks(crawl_delay_s: float | None = None, rate: str = "", hours: str = "") -> CrawlLimits:
    lines = [f"Crawl-delay: {crawl_delay_s}"] if crawl_delay_s is not None else []
    lines += [f"Request-rate: {rate}"] if rate else []
    lines += [f"Visit-time: {hours}"] if hours else []
    found = CrawlLimits.of(RobotsTxt.parse("\n".join(["User-agent: *", *lines]).encode(), "bot"))
    assert found is not None
    return found


def at(hours: float) -> float:
    return MIDNIGHT + hours * HOUR_S


class NoRules:
    """A parser's answer that knows none of the three."""


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"User-agent: *\nCrawl-delay: 0", id="a delay of 0"),
        pytest.param(b"User-agent: *\nVisit-time: 0600-0600", id="open all day"),
    ],
)
def test_robots_txt_that_asks_nothing_is_none(body: bytes) -> None:
    assert CrawlLimits.of(RobotsTxt.parse(body, "bot")) is None
    assert CrawlLimits.of(NoRules()) is None


def test_many_hosts_that_ask_the_same_share_one_object() -> None:
    assert asks(5, "1/10m", "0600-0845") is asks(5, "1/10m", "0600-0845")


@pytest.mark.parametrize(
    ("said", "own", "cap_s", "seconds", "source", "asked_s"),
    [
        pytest.param([], [], 60, 0, "", 0, id="nothing declared"),
        pytest.param([asks(0.5)], [], 60, 0.5, "Crawl-delay", 0.5, id="a fraction"),
        pytest.param([asks(rate="2/9")], [], 60, 4.5, "Request-rate", 4.5, id="n pages per m seconds"),
        pytest.param([asks(3, rate="1/10s")], [], 60, 10, "Request-rate", 10, id="the rate is longer"),
        pytest.param([asks(20, rate="1/10s")], [], 60, 20, "Crawl-delay", 20, id="the delay is longer"),
        pytest.param([asks(3), asks(7)], [], 60, 7, "Crawl-delay", 7, id="the longest of two origins"),
        pytest.param([asks(100)], [], 60, 60, "Crawl-delay", 100, id="capped"),
        pytest.param([asks(rate="1/2h")], [], 60, 60, "Request-rate", 7_200, id="a rate is capped as well"),
        pytest.param([asks(100)], [], inf, 100, "Crawl-delay", 100, id="in full"),
        pytest.param([asks(100)], [], 0, 0, "", 100, id="a cap of 0 takes all"),
        pytest.param([], [(90, "DOWNLOAD_DELAY")], 60, 90, "DOWNLOAD_DELAY", 0, id="own settings know no cap"),
        pytest.param([asks(100)], [(90, "delay")], 60, 90, "delay", 100, id="own delay above the cap"),
        pytest.param([asks(5)], [(2, "delay")], 60, 5, "Crawl-delay", 5, id="own delay is shorter"),
        pytest.param([], [(0, "DOWNLOAD_DELAY")], 60, 0, "", 0, id="own delay of 0"),
        pytest.param([], [(1, "DOWNLOAD_DELAY"), (2, "POLITE_MIN_DELAY")], 60, 2, "POLITE_MIN_DELAY", 0, id="two own"),
    ],
)
def test_the_largest_delay_is_in_force(
    said: list[CrawlLimits], own: list[tuple[float, str]], cap_s: float, seconds: float, source: str, asked_s: float
) -> None:
    delay = declared(said, own, cap_s, MIDNIGHT)
    assert (delay.seconds, delay.source, delay.asked_s) == (seconds, source, asked_s)
    assert delay.capped == (asked_s > seconds)
    assert delay.recompute_at == inf


def test_nothing_declared_is_one_object() -> None:
    assert declared([], [(0.0, "DOWNLOAD_DELAY")], 60, MIDNIGHT) is NO_DELAY


@pytest.mark.parametrize(
    ("window", "hour", "in_force", "changes_at_hour"),
    [
        pytest.param("0600-0845", 5.99, False, 6, id="before"),
        pytest.param("0600-0845", 6, True, 8.75, id="at its beginning"),
        pytest.param("0600-0845", 8.74, True, 8.75, id="just before its end"),
        pytest.param("0600-0845", 8.75, False, 30, id="at its end"),
        pytest.param("2200-0200", 23, True, 26, id="past midnight, before"),
        pytest.param("2200-0200", 1, True, 2, id="past midnight, after"),
        pytest.param("2200-0200", 2, False, 22, id="past midnight, over"),
        pytest.param("0600-0600", 12, True, inf, id="all day"),
    ],
)
def test_a_request_rate_holds_in_its_hours(window: str, hour: float, in_force: bool, changes_at_hour: float) -> None:
    delay = declared([asks(1, f"1/10s {window}")], [], 60, at(hour))
    assert delay.seconds == (10 if in_force else 1)
    assert delay.recompute_at == at(changes_at_hour)


@pytest.mark.parametrize(
    ("said", "hour", "opens_at_hour"),
    [
        pytest.param([asks(5)], 12, 12, id="no hours"),
        pytest.param([asks(hours="0600-0845")], 5.5, 6, id="before"),
        pytest.param([asks(hours="0600-0845")], 6, 6, id="at the beginning"),
        pytest.param([asks(hours="0600-0845")], 8.7, 8.7, id="inside"),
        pytest.param([asks(hours="0600-0845")], 8.75, 30, id="at the end"),
        pytest.param([asks(hours="2200-0200")], 23, 23, id="past midnight, before"),
        pytest.param([asks(hours="2200-0200")], 1, 1, id="past midnight, after"),
        pytest.param([asks(hours="2200-0200")], 12, 22, id="past midnight, closed"),
        pytest.param([asks(hours="0000-0001")], 12, 24, id="one minute"),
        pytest.param([asks(hours="0600-1200"), asks(hours="1000-1400")], 7, 10, id="both origins' hours"),
        pytest.param([asks(hours="0600-1200"), asks(hours="1000-1400")], 12, 34, id="both, tomorrow"),
        pytest.param([asks(hours="0600-0800"), asks(hours="1000-1400")], 7, 31, id="nothing in common"),
    ],
)
def test_visits_wait_for_the_hours(said: list[CrawlLimits], hour: float, opens_at_hour: float) -> None:
    assert visit_opens_at(said, at(hour)) == at(opens_at_hour)


times = st.times().map(lambda moment: time(moment.hour, moment.minute))


@given(st.lists(st.tuples(times, times), max_size=3), st.floats(0, 4e9))
def test_visit_time_agrees_with_a_look_at_every_minute(hours: list[tuple[time, time]], now: float) -> None:
    said = [CrawlLimits(None, None, VisitTime(*pair)) for pair in hours]

    def open_at(moment: float) -> bool:
        of_day = moment % DAY_S
        begins_ends = [(begin.hour * 60 + begin.minute, end.hour * 60 + end.minute) for begin, end in hours]
        return all((of_day // 60 - begin) % 1440 < ((end - begin) % 1440 or 1440) for begin, end in begins_ends)

    minutes = [now, *((now // 60 + ahead) * 60 for ahead in range(1, 1441))]
    assert visit_opens_at(said, now) == next(filter(open_at, minutes), now + DAY_S)


@given(st.floats(0, 4e9), times, times)
def test_a_request_rate_changes_at_recompute_at_and_not_before(now: float, begin: time, end: time) -> None:
    rate = CrawlLimits(None, RequestRate(1, 10, begin, end), None)
    delay = declared([rate], [], 60, now)
    if begin == end:
        assert delay.seconds == 10
        return
    assert now < delay.recompute_at <= now + DAY_S
    assert declared([rate], [], 60, (now + delay.recompute_at) / 2).seconds == delay.seconds
    assert declared([rate], [], 60, delay.recompute_at).seconds != delay.seconds
