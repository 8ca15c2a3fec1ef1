"""A crawl that cannot do all that is queued in time says so at once: which share, by when, because of what."""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import arguments
from crawlers import crawler
from crawls import BUDGET_PERIOD_S, crawl
from scrapy_polite import clock
from scrapy_polite._crawl import shared
from scrapy_polite.frontier.census import HostStanding
from scrapy_polite.monitor.queues import MAX_NAMED, MAX_STEP, Queues
from scrapy_polite.pacing.gate import Gate, PacingConfig
from scrapy_polite.runs.report import report
from scrapy_polite.runs.run import find_run
from webserver import Answer, Origin, robots

LIMIT_S = 3


def links(count: int) -> Answer:
    body = "".join(f'<a href="/{number}">x</a>' for number in range(count)).encode()
    return Answer(body=body, headers={"Content-Type": "text/html"})


@pytest.mark.engine
def test_each_limit_that_cannot_be_met_is_one_warning_at_once(loop_mode: str, tmp_path: Path) -> None:
    closes = time.gmtime(time.time() + 300)
    asks = f"User-agent: *\nCrawl-delay: 1\nVisit-time: 0000-{closes.tm_hour:02}{closes.tm_min:02}\n"
    if closes.tm_hour == 0 and closes.tm_min < 10:
        pytest.skip("so soon after midnight the hours of visits cannot be about to end")
    settings = {
        "CLOSESPIDER_TIMEOUT": LIMIT_S,
        "POLITE_SITES": {"127.0.0.2": {"budget": {"pages": 3, "per": BUDGET_PERIOD_S}, "delay": 0.2}},
        "POLITE_TRAPS": "off",
        arguments.RUN_WRITE: 0.2,
    }
    with (
        Origin({"/": links(500), "/robots.txt": robots(asks)}) as visits,
        Origin({"/": links(30)}, "127.0.0.2") as spends,
    ):
        crawled = crawl(loop_mode, [f"{visits.url}/", f"{spends.url}/"], settings, spider="links", folder=tmp_path)
    warned = crawled.logged("WARNING", "not all can be done: ")
    assert len(warned) == 3
    (limit,) = (line for line in warned if "when CLOSESPIDER_TIMEOUT ends the crawl" in line)
    (budget,) = (line for line in warned if "of 127.0.0.2 by " in line and "because of its budget of 3 pages" in line)
    (hours,) = (line for line in warned if "of 127.0.0.1 by " in line and "its robots.txt allows visits" in line)
    assert "raise CLOSESPIDER_TIMEOUT" in limit
    assert "raise the budget of 127.0.0.2 in POLITE_SITES" in budget
    assert "crawl it at these hours" in hours
    found = report(find_run(tmp_path / ".scrapy/polite/runs", None))
    assert {one["setting"] for one in found["unmet"]} == {"CLOSESPIDER_TIMEOUT", "POLITE_SITES", "Visit-time"}
    assert crawled.log.count("  not all could be done: ") == 3


def test_a_crawl_that_is_done_in_time_warns_of_nothing(loop_mode: str) -> None:
    with Origin({"/": links(5)}) as site:
        crawled = crawl(loop_mode, [f"{site.url}/"], {"CLOSESPIDER_TIMEOUT": 60}, spider="links")
    assert crawled.logged("WARNING", "not all can be done") == []


class Queue:
    """The census of a scheduler that has any number of hosts: what is queued for host n are n requests, 1 s each."""

    def __init__(self, hosts: int) -> None:
        self.config = PacingConfig()
        self.hosts = {f"{number}.example": number for number in range(1, hosts + 1)}
        self.looked_at: list[str] = []
        self.keeps = False

    def keys(self) -> list[str]:
        return list(self.hosts)

    def of(self, key: str) -> HostStanding | None:
        self.looked_at.append(key)
        gate = Gate(key, self.config)
        gate.set_own(((1.0, "POLITE_MIN_DELAY"),), 60.0, 1, None)
        return HostStanding(gate, self.hosts[key]) if key in self.hosts else None


def test_however_many_hosts_there_are_few_are_looked_at_in_a_step_and_the_longest_are_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hosts = 5 * MAX_STEP
    made = crawler()
    census: Any = Queue(hosts)
    queues = shared(made, Queues)
    scheduler = SimpleNamespace(census=census, host_count=hosts, shared_totals=None)
    monkeypatch.setattr(type(queues), "_census", property(lambda self: census))
    monkeypatch.setattr(type(queues._engine), "scheduler", property(lambda self: scheduler))
    for _ in range(5):
        before = len(census.looked_at)
        queues.step(clock.now())
        assert len(census.looked_at) - before <= MAX_STEP
    assert set(census.looked_at) == set(census.hosts)
    census.looked_at.clear()
    found = queues.facts(clock.now())
    assert len(census.looked_at) <= MAX_NAMED
    longest = [f"{number}.example" for number in range(hosts, hosts - MAX_NAMED, -1)]
    assert [host["host"] for host in found["hosts"]] == longest
    assert sum(count for _, count in found["times"]) == hosts
