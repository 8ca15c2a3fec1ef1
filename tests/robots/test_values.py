from __future__ import annotations

from datetime import time

import pytest

from scrapy_polite.robots import RobotsTxt
from scrapy_polite.robots.groups import MAX_VALUES


def parsed(*lines: str) -> RobotsTxt:
    return RobotsTxt.parse("\n".join(["User-agent: *", *lines]).encode(), "foobot")


@pytest.mark.parametrize(
    ("values", "delay_s"),
    [
        (["10"], 10.0),
        (["0.5"], 0.5),
        (["1", "30", "2"], 30.0),
        (["soon", "5"], 5.0),
        (["5s"], None),
        (["-1"], None),
        (["nan"], None),
        (["inf"], None),
        ([""], None),
        (["1\x0bCrawl-delay: 9"], None),
        (["9" * 100], None),
    ],
    ids=repr,
)
def test_longest_crawl_delay_counts(values: list[str], delay_s: float | None) -> None:
    assert parsed(*(f"Crawl-delay: {value}" for value in values)).crawl_delay == delay_s


@pytest.mark.parametrize("label", ["crawl-delay", "Crawl delay", "CrawlDelay"])
def test_crawl_delay_is_read_as_site_owners_spell_it(label: str) -> None:
    assert parsed(f"{label}: 3").crawl_delay == 3.0


def test_crawl_delay_is_for_the_crawlers_named_before_it() -> None:
    body = b"User-agent: foobot\nCrawl-delay: 7\nUser-agent: *\nCrawl-delay: 1\nDisallow: /a\n"
    assert RobotsTxt.parse(body, "foobot").crawl_delay == 7.0
    assert RobotsTxt.parse(body, "barbot").crawl_delay == 1.0


def test_lowest_request_rate_counts() -> None:
    rate = parsed(
        "Request-rate: 10/1m", "Request-rate: 1/5m 0600-0845", "Request-rate: 1", "Request-rate: 0/1"
    ).request_rate
    assert rate == (1, 300, time(6, 0), time(8, 45))


def test_shortest_visit_time_counts() -> None:
    assert parsed("Visit-time: 0100-2200", "Visit-time: 2300-0100", "Visit-time: 9999-1").visit_time == (
        time(23),
        time(1),
    )


def test_values_kept_are_bounded() -> None:
    lines = [f"Sitemap: http://example.com/{number}" for number in range(MAX_VALUES * 2)]
    assert len(parsed(*lines, *lines).sitemaps) == MAX_VALUES
