"""Access as a table in code: outcomes of statuses, what a copy means at a time, what becomes of it after a fetch."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scrapy_polite.robots.access import (
    Access,
    Outcome,
    Policy,
    answered,
    failed,
    outcome_of,
    pause_s,
    revalidated,
    standing,
)
from scrapy_polite.robots.freshness import Bounds
from scrapy_polite.store.robots import RobotsCopy

NOW = 1_800_000_000.0
HOUR_S, DAY_S = 3_600.0, 86_400.0
ORIGIN = "https://example.com"

GOOD = RobotsCopy(
    ORIGIN,
    "testbot",
    updated_at=NOW - DAY_S,
    status=200,
    body=b"User-agent: *\n",
    fetched_at=NOW - DAY_S,
    expires_at=NOW + HOUR_S,
    etag='"1"',
    last_modified="Sat, 21 Nov 2026 08:49:37 GMT",
)
MISSING = replace(GOOD, status=404, body=b"", etag=None, last_modified=None)
NEVER = RobotsCopy(ORIGIN, "testbot", NOW)


def in_outage(copy: RobotsCopy, for_s: float) -> RobotsCopy:
    return replace(copy, failing_since=NOW - for_s, failures=3, next_try=NOW + 60, failure="HTTP 503")


def refused(copy: RobotsCopy, for_s: float) -> RobotsCopy:
    return replace(in_outage(copy, for_s), refused_since=NOW - for_s)


@pytest.mark.parametrize(
    ("outcome", "statuses"),
    [
        (Outcome.RULES, [200, 201, 203, 204, 206, 226, 299]),
        (Outcome.MISSING, [300, 301, 302, 303, 305, 307, 308, 399]),  # those that the fetcher did not follow
        (Outcome.MISSING, [400, 401, 403, 404, 405, 410, 418, 428, 430, 451, 499]),
        (Outcome.UNREACHABLE, [0, 100, 199, 304, 429, 500, 502, 503, 504, 520, 599, 600, 999]),
    ],
    ids=["2xx", "3xx", "4xx", "unreachable"],
)
def test_outcome_of_status(outcome: Outcome, statuses: list[int]) -> None:
    assert {status: outcome_of(status) for status in statuses} == dict.fromkeys(statuses, outcome)


DEFAULT = Policy()
STRICT = Policy(closed_by_answer_s=0.0, closed_without_answer_s=12 * HOUR_S)
NEVER_OPEN = Policy(open_when_given_up=False)


@pytest.mark.parametrize(
    ("copy", "policy", "access", "basis", "reason"),
    [
        pytest.param(GOOD, DEFAULT, Access.RULES, "fresh", "", id="rules"),
        pytest.param(MISSING, DEFAULT, Access.OPEN, "none", "robots/none", id="missing"),
        pytest.param(in_outage(GOOD, 0), DEFAULT, Access.RULES, "stale", "", id="outage, rules, at once"),
        pytest.param(in_outage(GOOD, 90 * DAY_S), DEFAULT, Access.RULES, "stale", "", id="outage, rules, for ever"),
        pytest.param(refused(GOOD, 0), DEFAULT, Access.CLOSED, "none", "robots/unreachable", id="answer, at once"),
        pytest.param(
            refused(GOOD, 12 * HOUR_S - 1), DEFAULT, Access.CLOSED, "none", "robots/unreachable", id="answer, 11:59:59"
        ),
        pytest.param(refused(GOOD, 12 * HOUR_S), DEFAULT, Access.RULES, "stale", "", id="answer, 12:00:00"),
        pytest.param(refused(GOOD, 31 * DAY_S), DEFAULT, Access.RULES, "stale", "", id="answer, 31 days"),
        pytest.param(in_outage(GOOD, 0), STRICT, Access.CLOSED, "none", "robots/unreachable", id="set, at once"),
        pytest.param(refused(GOOD, 0), STRICT, Access.RULES, "stale", "", id="set, an answer"),
        pytest.param(
            in_outage(GOOD, 12 * HOUR_S - 1), STRICT, Access.CLOSED, "none", "robots/unreachable", id="set, 11:59:59"
        ),
        pytest.param(in_outage(GOOD, 12 * HOUR_S), STRICT, Access.RULES, "stale", "", id="set, 12:00:00"),
        pytest.param(
            replace(refused(GOOD, DAY_S), refused_since=NOW),
            STRICT,
            Access.RULES,
            "stale",
            "",
            id="set, an answer after a day without",
        ),
        pytest.param(
            replace(refused(GOOD, DAY_S), refused_since=NOW),
            DEFAULT,
            Access.CLOSED,
            "none",
            "robots/unreachable",
            id="an answer after a day without",
        ),
        pytest.param(in_outage(NEVER, 0), DEFAULT, Access.CLOSED, "none", "robots/unreachable", id="outage, nothing"),
        pytest.param(
            in_outage(NEVER, 30 * DAY_S - 1), DEFAULT, Access.CLOSED, "none", "robots/unreachable", id="almost 30 days"
        ),
        pytest.param(in_outage(NEVER, 30 * DAY_S), DEFAULT, Access.OPEN, "none", "robots/outage-over", id="30 days"),
        pytest.param(
            in_outage(NEVER, 30 * DAY_S),
            NEVER_OPEN,
            Access.CLOSED,
            "none",
            "robots/unreachable",
            id="30 days, set closed",
        ),
        pytest.param(
            in_outage(NEVER, DAY_S),
            Policy(given_up_after_s=DAY_S),
            Access.OPEN,
            "none",
            "robots/outage-over",
            id="a day, set",
        ),
        pytest.param(
            in_outage(MISSING, 0), DEFAULT, Access.CLOSED, "none", "robots/unreachable", id="outage after a 404"
        ),
        pytest.param(
            in_outage(MISSING, 30 * DAY_S), DEFAULT, Access.OPEN, "none", "robots/outage-over", id="30 days after a 404"
        ),
    ],
)
def test_what_a_copy_means(copy: RobotsCopy, policy: Policy, access: Access, basis: str, reason: str) -> None:
    current = standing(copy, NOW, policy)
    assert (current.access, current.basis, current.reason) == (access, basis, reason)


@pytest.mark.parametrize(
    ("copy", "detail", "ask_from"),
    [
        (GOOD, "HTTP 200", NOW + HOUR_S),
        (replace(GOOD, hops=("https://example.org/robots.txt",)), "HTTP 200 after 1 redirect", NOW + HOUR_S),
        (replace(GOOD, hops=("https://a.example/", "https://b.example/")), "HTTP 200 after 2 redirects", NOW + HOUR_S),
        (replace(MISSING, failure="a redirect loop"), "a redirect loop", NOW + HOUR_S),
        (in_outage(GOOD, 0), "last good copy, HTTP 503", NOW + 60),
        (refused(GOOD, 0), "HTTP 503: closed for 12 h, then the last good copy holds", NOW + 60),
        (refused(GOOD, 12 * HOUR_S - 30), "HTTP 503: closed for 30 s, then the last good copy holds", NOW + 30),
        (in_outage(NEVER, 0), "HTTP 503", NOW + 60),
        (in_outage(NEVER, 31 * DAY_S), "unreachable for 31 days (HTTP 503)", NOW + 60),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_standing_explains_itself_and_says_when_to_ask_again(copy: RobotsCopy, detail: str, ask_from: float) -> None:
    current = standing(copy, NOW, DEFAULT)
    assert (current.detail, current.ask_from) == (detail, ask_from)


HEADERS = {"etag": '"2"', "last-modified": "Sun, 22 Nov 2026 08:49:37 GMT", "cache-control": "max-age=7200"}


def test_a_good_answer_replaces_everything_that_was_held() -> None:
    hops = ("https://example.org/robots.txt",)
    copy = answered(
        ORIGIN, "testbot", NOW, DEFAULT, status=200, headers=HEADERS, body=b"User-agent: x\n", truncated=True, hops=hops
    )
    assert copy == RobotsCopy(
        ORIGIN,
        "testbot",
        updated_at=NOW,
        status=200,
        body=b"User-agent: x\n",
        truncated=True,
        fetched_at=NOW,
        expires_at=NOW + 7_200,
        etag='"2"',
        last_modified="Sun, 22 Nov 2026 08:49:37 GMT",
        hops=hops,
    )


@pytest.mark.parametrize("status", [404, 401, 410])
def test_of_an_answer_that_means_missing_nothing_is_kept_but_for_how_long_and_why(status: int) -> None:
    copy = answered(
        ORIGIN,
        "testbot",
        NOW,
        DEFAULT,
        status=status,
        headers=HEADERS,
        body=b"Not here",
        truncated=True,
        why_missing="x",
    )
    assert copy == RobotsCopy(
        ORIGIN, "testbot", updated_at=NOW, status=status, fetched_at=NOW, expires_at=NOW + 7_200, failure="x"
    )


@pytest.mark.parametrize(
    ("headers", "etag", "last_modified", "fresh_s"),
    [
        ({}, '"1"', "Sat, 21 Nov 2026 08:49:37 GMT", GOOD.expires_at - GOOD.fetched_at),
        (HEADERS, '"2"', "Sun, 22 Nov 2026 08:49:37 GMT", 7_200.0),
    ],
    ids=["old validators stay", "new ones replace them"],
)
def test_a_304_makes_the_same_rules_fresh_and_ends_an_outage(
    headers: dict[str, str], etag: str, last_modified: str, fresh_s: float
) -> None:
    assert revalidated(in_outage(GOOD, DAY_S), NOW, DEFAULT, headers) == replace(
        GOOD, updated_at=NOW, fetched_at=NOW, expires_at=NOW + fresh_s, etag=etag, last_modified=last_modified
    )


def test_a_first_failure_starts_the_outage_and_keeps_what_was_held() -> None:
    copy = failed(GOOD, ORIGIN, "testbot", NOW, DEFAULT, why="HTTP 503", retry_after_s=60.0)
    assert copy == replace(GOOD, updated_at=NOW, failing_since=NOW, failures=1, next_try=NOW + 60, failure="HTTP 503")


def test_a_further_failure_does_not_start_the_outage_anew() -> None:
    copy = failed(in_outage(GOOD, DAY_S), ORIGIN, "testbot", NOW, DEFAULT, why="timed out", retry_after_s=None)
    assert (copy.failing_since, copy.failures, copy.failure) == (NOW - DAY_S, 4, "timed out")
    assert copy.body == GOOD.body


def test_the_first_answer_of_an_outage_counts_until_a_good_one() -> None:
    first = failed(in_outage(GOOD, DAY_S), ORIGIN, "testbot", NOW, DEFAULT, why="429", retry_after_s=None, refused=True)
    assert (first.failing_since, first.refused_since) == (NOW - DAY_S, NOW)
    later = failed(first, ORIGIN, "testbot", NOW + 9, DEFAULT, why="timed out", retry_after_s=None)
    assert failed(later, ORIGIN, "", NOW + 99, DEFAULT, why="", retry_after_s=None, refused=True).refused_since == NOW
    assert revalidated(later, NOW + 99, DEFAULT, {}).refused_since is None
    assert answered(ORIGIN, "testbot", NOW + 99, DEFAULT, status=200, headers={}).refused_since is None


def test_a_failure_long_after_the_last_one_is_of_another_outage() -> None:
    long_ago = replace(in_outage(GOOD, 40 * DAY_S), status=None, updated_at=NOW - 35 * DAY_S, next_try=NOW - 34 * DAY_S)
    copy = failed(long_ago, ORIGIN, "testbot", NOW, DEFAULT, why="HTTP 503", retry_after_s=None)
    assert (copy.failing_since, copy.failures) == (NOW, 1)
    assert standing(copy, NOW, DEFAULT).access is Access.CLOSED


def test_a_failure_where_nothing_was_held_closes_the_origin() -> None:
    copy = failed(None, ORIGIN, "testbot", NOW, DEFAULT, why="x" * 10_000, retry_after_s=None)
    assert standing(copy, NOW, DEFAULT).access is Access.CLOSED
    assert (copy.status, copy.failures, len(copy.failure)) == (None, 1, 300)
    assert NOW + 300 <= copy.next_try <= NOW + 375


@pytest.mark.parametrize(
    ("failures", "retry_after_s", "least_s", "most_s"),
    [
        pytest.param(1, None, 300, 375, id="first"),
        pytest.param(2, None, 600, 750, id="second"),
        pytest.param(7, None, 19_200, 21_600, id="seventh"),
        pytest.param(8, None, 21_600, 21_600, id="eighth: the longest"),
        pytest.param(10_000, None, 21_600, 21_600, id="ten-thousandth"),
        pytest.param(1, 7.0, 7, 7, id="short Retry-After"),
        pytest.param(3, 0.0, 0, 0, id="short Retry-After, third time"),
        pytest.param(4, 7.0, 2_400, 3_000, id="short Retry-After, fourth time"),
        pytest.param(1, 86_400.0, 86_400, 86_400, id="long Retry-After"),
        pytest.param(20, 86_400.0, 86_400, 86_400, id="long Retry-After, twentieth time"),
    ],
)
def test_pause_before_the_next_try(failures: int, retry_after_s: float | None, least_s: float, most_s: float) -> None:
    pauses = [pause_s(failures, 300.0, 21_600.0, retry_after_s) for _ in range(50)]
    assert all(least_s <= pause <= most_s for pause in pauses)
    assert len(set(pauses)) > 1 or least_s == most_s


def test_freshness_is_kept_within_the_policys_bounds() -> None:
    policy = Policy(bounds=Bounds(min_s=60.0, max_s=120.0, default_s=300.0))  # the default is bounded too
    expires = [
        answered(ORIGIN, "testbot", NOW, policy, status=404, headers={"cache-control": value}).expires_at
        for value in ("no-store", "max-age=90", "max-age=900", "")
    ]
    assert expires == [NOW + 60, NOW + 90, NOW + 120, NOW + 120]


def test_a_copy_that_never_answered_nor_failed_is_no_permission() -> None:
    copy = RobotsCopy(ORIGIN, "testbot", updated_at=NOW, expires_at=NOW + 60)
    assert standing(copy, NOW, DEFAULT).access is Access.CLOSED


CLOSING = ("classic", "classic-0.0", "strictest")


@pytest.mark.parametrize("dialect", ["rfc", "classic", "classic-0.0", "geoportal", "strictest"])
def test_dialects_differ_in_what_closes_an_origin(dialect: str) -> None:
    policy, closes = Policy().of(dialect), dialect in CLOSING
    for status in (401, 403):
        state = standing(replace(MISSING, status=status), NOW, policy)
        assert state.access is (Access.DENIED if closes else Access.OPEN)
    assert standing(MISSING, NOW, policy).access is Access.OPEN
    for copy in (in_outage(GOOD, 31 * DAY_S), refused(GOOD, 31 * DAY_S)):
        state = standing(copy, NOW, policy)
        assert state.access is (Access.CLOSED if closes else Access.RULES)
        assert ("closed until it answers" in state.detail) is closes
    assert standing(in_outage(NEVER, 31 * DAY_S), NOW, policy).access is (Access.CLOSED if closes else Access.OPEN)


@pytest.mark.parametrize("dialect", ["rfc", "classic", "classic-0.0", "geoportal", "strictest"])
@pytest.mark.parametrize(
    ("headers", "classic_s", "others_s"),
    [
        ({}, 7 * DAY_S, DAY_S),
        ({"cache-control": "max-age=7200"}, 7_200.0, 7_200.0),
        ({"cache-control": f"max-age={10 * DAY_S:.0f}"}, 10 * DAY_S, DAY_S),
        ({"date": "Sat, 21 Nov 2026 08:00:00 GMT", "expires": "Sat, 21 Nov 2026 10:00:00 GMT"}, 7_200.0, 7_200.0),
        ({"cache-control": f"max-age={400 * DAY_S:.0f}"}, 30 * DAY_S, DAY_S),
    ],
    ids=["says-nothing", "max-age", "of-ten-days", "expires", "of-a-year"],
)
def test_in_the_classic_dialects_a_copy_is_fresh_for_as_long_as_it_says_else_for_seven_days(
    dialect: str, headers: dict[str, str], classic_s: float, others_s: float
) -> None:
    copy = answered(ORIGIN, "testbot", NOW, Policy().of(dialect), status=200, headers=headers)
    assert copy.expires_at - NOW == (classic_s if dialect in ("classic", "classic-0.0") else others_s)
