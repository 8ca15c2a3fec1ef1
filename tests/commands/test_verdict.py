from __future__ import annotations

import json
from dataclasses import replace

import pytest

from scrapy_polite.commands.verdict import Verdict, state_of, verdict
from scrapy_polite.decision import REASONS, Decision
from scrapy_polite.robots.access import Policy
from scrapy_polite.robots.cache import CachedRobots
from scrapy_polite.robots.rules import RobotsTxt
from scrapy_polite.services.robots import describe
from scrapy_polite.store.robots import RobotsCopy

NOW = 1_000_000.0
HOUR = 3_600.0
RULES = RobotsTxt.parse(
    b"User-agent: *\nDisallow: /private\nCrawl-delay: 2.5\nRequest-rate: 1/10m 1300-1659\nVisit-time: 0600-0845\n",
    "bot",
)
GOOD = RobotsCopy("https://e.example", "bot", NOW - HOUR, status=200, fetched_at=NOW - HOUR, expires_at=NOW + 23 * HOUR)
FAILING = {"failing_since": NOW - 600, "failures": 2, "next_try": NOW + 300, "failure": "HTTP 503"}


@pytest.mark.parametrize(
    ("copy", "state"),
    [
        pytest.param(GOOD, "1 rule obeyed (HTTP 200), fetched 60 min ago, fresh for 23 h", id="fresh"),
        pytest.param(
            replace(GOOD, fetched_at=NOW), "1 rule obeyed (HTTP 200), fetched just now, fresh for 23 h", id="just-now"
        ),
        pytest.param(
            replace(GOOD, expires_at=NOW - 300),
            "1 rule obeyed (HTTP 200), fetched 60 min ago, stale for 5 min",
            id="expired",
        ),
        pytest.param(
            replace(GOOD, **FAILING),
            "1 rule obeyed (last good copy, HTTP 503), fetched 60 min ago, failing for 10 min, next try in 5 min",
            id="outage-with-a-copy",
        ),
        pytest.param(
            RobotsCopy("https://e.example", "bot", NOW, **FAILING),
            "unreachable (HTTP 503): nothing is fetched, failing for 10 min, next try in 5 min",
            id="outage-without-a-copy",
        ),
        pytest.param(
            RobotsCopy("https://e.example", "bot", NOW, **{**FAILING, "next_try": NOW - 1}),
            "unreachable (HTTP 503): nothing is fetched, failing for 10 min, next try now",
            id="next-try-is-due",
        ),
        pytest.param(
            replace(GOOD, status=404),
            "none (HTTP 404): no restrictions, fetched 60 min ago, fresh for 23 h",
            id="missing",
        ),
    ],
)
def test_the_state_says_what_holds_since_when_and_for_how_long(copy: RobotsCopy, state: str) -> None:
    rules = RULES if copy.status == 200 else None
    assert state_of(CachedRobots(copy, rules, Policy()), NOW) == state


def test_the_state_of_a_robots_txt_that_is_only_audited_says_so() -> None:
    closed = RobotsCopy("https://e.example", "bot", NOW, **FAILING)
    held = CachedRobots(GOOD, RULES, Policy()), CachedRobots(closed, None, Policy())
    assert [describe(one, NOW, "audit") for one in held] == [
        "1 rule (HTTP 200): audited, nothing is refused",
        "unreachable (HTTP 503): audited, nothing is refused",
    ]


def _verdict(decision: Decision, **values: object) -> Verdict:
    given = {
        "basis": "fresh",
        "robots_txt": "https://e.example/robots.txt",
        "state": "1 rule",
        "rules": RULES,
        "token": "bot",
        "token_source": "USER_AGENT",
        "copy": GOOD,
    }
    return verdict("https://e.example/x", decision, **(given | values))  # type: ignore[arg-type]


def test_what_a_group_asks_for_is_in_both_forms() -> None:
    found = _verdict(Decision(True, "robots/no-rule"))
    read = json.loads(found.as_json())
    assert read["crawl_delay"] == 2.5
    assert read["request_rate"] == {"requests": 1, "seconds": 600, "start_time": "13:00", "end_time": "16:59"}
    assert read["visit_time"] == {"start_time": "06:00", "end_time": "08:45"}
    asks = "Crawl-delay 2.5 s, Request-rate 1 in 600 s 13:00-16:59 UTC, Visit-time 06:00-08:45 UTC"
    assert f"  asks for    {asks}" in found.as_text().splitlines()


def test_every_time_is_utc_and_null_where_there_is_none() -> None:
    fresh = json.loads(_verdict(Decision(True, "robots/no-rule")).as_json())
    assert fresh["fetched_at"] == "1970-01-12T12:46:40+00:00"
    assert fresh["fresh_until"] == "1970-01-13T12:46:40+00:00"
    assert fresh["failing_since"] is fresh["next_try"] is None
    failing = json.loads(_verdict(Decision(False, "robots/unreachable"), copy=replace(GOOD, **FAILING)).as_json())
    assert failing["fresh_until"] is None
    assert failing["next_try"] == "1970-01-12T13:51:40+00:00"


@pytest.mark.parametrize("seconds", [float("inf"), float("nan"), 1e300, -1e300])
def test_no_time_in_an_imported_store_can_break_the_output(seconds: float) -> None:
    copy = replace(GOOD, fetched_at=seconds, expires_at=seconds)
    assert json.loads(_verdict(Decision(True, "robots/no-rule"), copy=copy).as_json())["fetched_at"] is None
    assert state_of(CachedRobots(copy, RULES, Policy()), NOW)


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_can_be_explained(reason: str) -> None:
    text = _verdict(Decision(False, reason, "some detail")).as_text()
    assert text.splitlines()[1].startswith(f"  refused     {REASONS[reason]}")
    assert "some detail" in text


@pytest.mark.parametrize("field", ["url", "detail", "robots_txt", "token", "redirects"])
def test_nothing_from_outside_reaches_a_terminal_as_it_is(field: str) -> None:
    hostile = "\x1b[31m\r\n\u202e" + "x" * 100_000
    value = (hostile,) if field == "redirects" else hostile
    text = replace(_verdict(Decision(False, "robots/disallow", "", "r", 3)), **{field: value}).as_text()
    assert "\\x1b[31m" in text
    assert all(line.isprintable() for line in text.split("\n"))
    assert len(text) < 5_000
