"""When a queue is done, and what a limit leaves undone: by the pace, the hours and the budget of each host."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest

from scrapy_polite.runs.forecast import Standing, sentence, unmet
from scrapy_polite.runs.queue_time import HostQueue, PageBudget

#: A midnight.
NOW = 1_800_057_600.0
HOUR_S, DAY_S = 3_600.0, 86_400.0
SITE = "shop.example"


def queue(queued: int = 100, pace_s: float = 10.0, **more: Any) -> HostQueue:
    return HostQueue(SITE, queued, 0, pace_s, "Crawl-delay", **more)


def budget(pages: int, left: int, *, refuses: bool = False) -> PageBudget:
    return PageBudget(pages, left, DAY_S, NOW + DAY_S, refuses)


@pytest.mark.parametrize(
    ("host", "takes_s"),
    [
        pytest.param(queue(), 1_000, id="queued times pace"),
        pytest.param(queue(opens_at=NOW + 500), 1_500, id="closed at first"),
        pytest.param(queue(hours=((0, 1_440),)), 1_000, id="hours that are all day"),
        pytest.param(queue(hours=((60, 120),)), HOUR_S + 1_000, id="hours that begin later"),
        # 60 leave before 00:10, the others from 23:50 on.
        pytest.param(queue(hours=((0, 10), (1_430, 1_440))), DAY_S - 600 + 400, id="hours around midnight"),
        pytest.param(queue(720, hours=((0, 60),)), DAY_S + 3_600, id="hours of two days"),
        pytest.param(queue(hours=((0, 0),)), inf, id="no hours at all"),
        pytest.param(queue(budget=budget(50, 20)), 2 * DAY_S + 300, id="a budget of three days"),
        pytest.param(queue(budget=budget(50, 20, refuses=True)), inf, id="a budget that refuses the rest"),
        pytest.param(queue(0), 0, id="nothing queued"),
        pytest.param(queue(5, 0.0), 0, id="no pace at all"),
    ],
)
def test_a_queue_takes_as_long_as_its_pace_hours_and_budget_let_it(host: HostQueue, takes_s: float) -> None:
    assert host.ends_at(NOW) - NOW == pytest.approx(takes_s, abs=1)


def test_a_million_requests_with_a_budget_a_second_take_as_long_as_the_budget_lets_them() -> None:
    host = queue(1_000_000, 0.001, budget=PageBudget(10, 10, 1.0, NOW + 1.0))
    assert host.ends_at(NOW) - NOW == pytest.approx(100_000, rel=0.01)


@pytest.mark.parametrize(("until_s", "sent"), [(-1, 0), (0, 0), (1, 1), (95, 10), (995, 100), (5_000, 100)], ids=str)
def test_so_many_have_left_by_a_time(until_s: float, sent: int) -> None:
    assert queue().sent_by(NOW + until_s, NOW) == sent


def standing(*hosts: HostQueue, **more: Any) -> Standing:
    """As the snapshot of a process says it."""
    facts = [
        {
            "host": host.host,
            "queued": host.queued,
            "pace_s": host.pace_s,
            "pace_source": host.pace_source,
            "opens_at": host.opens_at,
            "hours": [list(pair) for pair in host.hours],
            "is_guess": host.is_guess,
            "budget": host.budget
            and {
                "pages": host.budget.pages,
                "left": host.budget.left,
                "period_s": host.budget.period_s,
                "ends_at": host.budget.ends_at,
                "refuses": host.budget.refuses,
            },
        }
        for host in hosts
    ]
    queued = sum(host.queued for host in hosts)
    queues = {"hosts": facts, "queued": queued, "count": len(hosts), "max_idle_s": 600, **more}
    found = Standing.of([{"at": NOW, "queues": queues}])
    assert found is not None
    assert found.hosts == hosts
    return found


def time_limit(seconds: float) -> dict[str, Any]:
    return {"limits": [{"setting": "CLOSESPIDER_TIMEOUT", "kind": "time", "at": NOW + seconds}]}


def test_a_time_limit_that_cannot_be_met_says_which_share_is_done_by_when_and_what_to_do() -> None:
    (one,) = unmet(standing(queue(1_800), **time_limit(HOUR_S)))
    assert one.text == "20 % of shop.example by 01:00 UTC, when CLOSESPIDER_TIMEOUT ends the crawl"
    assert (one.requests, one.hosts, one.until) == (1_439, 1, NOW + HOUR_S)
    assert one.advice.startswith("raise CLOSESPIDER_TIMEOUT or use JOBDIR")
    assert one.advice.endswith("the pace is what the host's robots.txt asks for (Crawl-delay)")


@pytest.mark.parametrize(
    "host", [queue(360), queue(370), queue(1_800, is_guess=True)], ids=["in time", "by a hair", "nothing is known yet"]
)
def test_what_may_well_be_done_in_time_is_no_warning(host: HostQueue) -> None:
    assert unmet(standing(host, **time_limit(HOUR_S))) == []


def test_a_crawl_that_has_no_place_left_goes_by_its_rate() -> None:
    found = standing(queue(500, 0.01), pages_s=1.0, is_full=True, queued=10_000, **time_limit(1_000))
    assert found.ends_at == NOW + 10_000
    (one,) = unmet(found)
    assert (one.host, one.share) == ("", 0.1)
    assert "CONCURRENT_REQUESTS" in one.advice


@pytest.mark.parametrize(
    ("host", "text", "setting"),
    [
        pytest.param(
            queue(500, budget=budget(100, 100)),
            "20 % of shop.example by 00:16 UTC, because of its budget of 100 pages per 24 h, the rest not before "
            "2027-01-17 00:00 UTC",
            "POLITE_SITES",
            id="budget",
        ),
        pytest.param(
            queue(500, budget=budget(100, 100, refuses=True)),
            "20 % of shop.example by 00:16 UTC, because of its budget of 100 pages per 24 h, the rest is refused",
            "POLITE_SITES",
            id="budget that refuses",
        ),
        pytest.param(
            queue(1_800, hours=((0, 60),)),
            "20 % of shop.example by 01:00 UTC, because of the hours at which its robots.txt allows visits, the rest "
            "not before 2027-01-17 00:00 UTC",
            "Visit-time",
            id="visiting hours",
        ),
    ],
)
def test_a_budget_or_a_window_that_cannot_be_met_is_the_hosts_own(host: HostQueue, text: str, setting: str) -> None:
    (one,) = unmet(standing(host))
    assert (one.text, one.setting, one.key) == (text, setting, (setting, SITE))


def test_a_budget_that_is_but_a_pace_is_no_warning() -> None:
    assert unmet(standing(queue(500, 0.1, budget=PageBudget(1, 1, 60.0, NOW + 60)))) == []


@pytest.mark.parametrize(
    ("more", "bound"),
    [
        ({"new_links": 0.01}, ""),
        ({"new_links": 0.5}, "pages still bring new links"),
        ({"starting": True}, "the spider has not sent all its start requests"),
    ],
    ids=["static", "grows", "starts"],
)
def test_it_is_a_lower_bound_as_long_as_more_is_to_come(more: dict[str, Any], bound: str) -> None:
    text = sentence(standing(queue(), **more))
    assert ("at least" in text) is bool(bound)
    assert bound in text


def test_without_hosts_of_ones_own_a_crawl_with_no_place_left_goes_by_its_rate() -> None:
    found = standing(queued=600, pages_s=1.0, is_full=True)
    assert sentence(found) == "It takes until 00:10 UTC (10 min more): 600 requests at 1 pages a second."
    assert "cannot be said" in sentence(standing(queued=600))


def test_what_is_damaged_in_a_snapshot_counts_as_not_said() -> None:
    facts: list[Any] = [{"host": SITE, "queued": "x", "hours": [[1], "a", [0, 5]], "budget": {"pages": 0}}, 7]
    queues = {"hosts": facts, "times": [["a", 1], [1.0, "b"], 3], "limits": "x", "queued": None}
    found = Standing.of([{"at": "x", "queues": queues}])
    assert found is not None
    assert found.hosts == (HostQueue(SITE, 0, hours=((0, 5),)),)
    assert Standing.of([{}, {"queues": 3}]) is None
