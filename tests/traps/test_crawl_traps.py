"""A crawl's own part of the traps: what holds for links that a callback yields one after another."""

from __future__ import annotations

import math
import time
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from scrapy import Request, Spider
from scrapy.http import HtmlResponse

from crawlers import crawler
from scrapy_polite._crawl import shared
from scrapy_polite.events import Events, GroupDecided, LinksLeft
from scrapy_polite.monitor.summary import summary_lines
from scrapy_polite.services.traps import CrawlTraps
from scrapy_polite.store.quarantines import Quarantine
from scrapy_polite.traps.evidence import evidence
from scrapy_polite.traps.groups import Groups

if TYPE_CHECKING:
    from pathlib import Path

HOME = "http://example.com/"
DAY = "http://example.com/calendar/1"


@pytest.mark.parametrize(
    ("action", "followed", "counted"),
    [
        ("drop", False, "polite/refused/trap/by-hand"),
        ("log", True, "polite/audited/trap/by-hand"),
    ],
)
def test_what_is_decided_while_a_callback_runs_holds_for_its_next_link(
    tmp_path: Path, action: str, followed: bool, counted: str
) -> None:
    own = crawler({"POLITE_STORE": str(tmp_path / "store.sqlite"), "POLITE_TRAPS": {"by-hand": action}})
    own.spider = Spider("demo")
    traps = shared(own, CrawlTraps)
    leads_to = traps.links_of(HtmlResponse(HOME, body=b"<p>Home", encoding="utf-8", request=Request(HOME)))
    assert leads_to(Request(DAY))
    now = time.time()
    by_hand = Quarantine("example.com", "/calendar/**", "by-hand", "", (), now, now + 60, 0, "confirmed", now)
    traps.findings.take_up([by_hand], now)
    assert (leads_to(Request(DAY)) is not None) is followed
    assert own.stats is not None
    assert own.stats.get_value(counted) == 1


@pytest.mark.parametrize(("action", "followed"), [("drop", False), ("defer", True)])
def test_a_link_of_a_suspected_group_is_judged_however_often_it_comes(
    tmp_path: Path, action: str, followed: bool
) -> None:
    own = crawler({"POLITE_STORE": str(tmp_path / "store.sqlite"), "POLITE_TRAPS": {"endless": action}})
    own.spider = Spider("demo")
    traps = shared(own, CrawlTraps)
    traps.flows.listen(lambda site: None, lambda: None)
    link = f"{HOME}calendar/900"
    for at in range(300):
        url = f"{HOME}calendar/{at}"
        response = HtmlResponse(url, body=b"<p>The same", encoding="utf-8", request=Request(url))
        traps.page(response)
        follow = traps.links_of(response)
        follow(Request(f"{HOME}calendar/{at + 1}"))
        passed = follow(Request(link))
        traps.left_page(response)
    assert traps.flows.is_deferred("example.com", "/calendar/*")
    assert (passed is not None) is followed


def test_a_decision_holds_beside_what_another_crawl_suspects_of_the_site(tmp_path: Path) -> None:
    own = crawler({"POLITE_STORE": str(tmp_path / "store.sqlite")})
    own.spider = Spider("demo")
    traps = shared(own, CrawlTraps)
    now = time.time()
    found = Quarantine("example.com", "/shop/*", "suspected", "", (), now, now + 60)
    by_hand = Quarantine("example.com", "/calendar/**", "by-hand", "", (), now, now + 60, 0, "confirmed", now)
    traps.findings.take_up([found, by_hand], now)
    response = HtmlResponse(HOME, body=b"<p>Home", encoding="utf-8", request=Request(HOME))
    traps.page(response)
    follow = traps.links_of(response)
    assert follow(Request(DAY)) is None
    assert follow(Request(f"{HOME}shop/1")) is not None


@pytest.mark.parametrize("decision", ["confirmed", "released"])
def test_what_a_person_decides_of_a_group_while_the_crawl_runs_is_told(tmp_path: Path, decision: str) -> None:
    own = crawler({"POLITE_STORE": str(tmp_path / "store.sqlite")})
    own.spider = Spider("demo")
    traps = shared(own, CrawlTraps)
    events = shared(own, Events)
    told: list[Quarantine] = []
    events.read(GroupDecided, lambda event: told.append(event.group))
    for at in range(300):
        url = f"{HOME}calendar/{at}"
        response = HtmlResponse(url, body=b"<p>The same", encoding="utf-8", request=Request(url))
        traps.page(response)
        traps.links_of(response)(Request(f"{HOME}calendar/{at + 1}"))
        traps.left_page(response)
    key = "example.com", "/calendar/*"
    assert key in events.tallies.groups
    now = time.time()
    traps.findings.take_up([Quarantine(*key, "suspected", "", (), now, math.inf, 0, decision, now)], now)
    assert [one.decision for one in told] == [decision]
    assert key not in events.tallies.groups
    lines = "\n".join(summary_lines(events.tallies))
    assert f"1 suspected, of which 1 {decision} by a person" in lines


def test_an_error_on_a_deep_probe_is_one_of_its_pages_of_which_nothing_is_read(tmp_path: Path) -> None:
    own = crawler({"POLITE_STORE": str(tmp_path / "store.sqlite")})
    own.spider = Spider("demo")
    traps = shared(own, CrawlTraps)
    link = Request(DAY)
    for at in (0, 1):
        url = f"{HOME}calendar/{900 + at}"
        response = HtmlResponse(url, body=b"<p>A day", encoding="utf-8", request=Request(url))
        traps.page(response)
        assert traps.links_of(response)(link if at else Request(f"{HOME}calendar/901")) is not None
        traps.left_page(response)
    traps.flows.take(link, deep=True)
    traps.failed(link)
    memory = traps._memory.get("example.com")
    assert memory is not None
    error = memory.groups.named("/calendar/*").records[-1]
    assert (error.says, error.speaks, error.deep) == (None, False, True)


@pytest.mark.parametrize(("for_s", "kept"), [(60.0, True), (-60.0, False)], ids=["holds", "has expired meanwhile"])
def test_what_is_left_of_a_group_is_as_old_as_its_suspicion_while_that_holds(
    tmp_path: Path, for_s: float, kept: bool
) -> None:
    own = crawler({"POLITE_STORE": str(tmp_path / "store.sqlite")})
    own.spider = Spider("demo")
    findings = shared(own, CrawlTraps).findings
    left: list[Quarantine] = []
    shared(own, Events).read(LinksLeft, lambda event: left.append(event.group))
    now = time.time()
    stored = Quarantine("example.com", "/calendar/*", "suspected", "", (), now - 600, now + for_s)
    findings.take_up([stored], now)
    root = Groups().named("/calendar/*")
    root.suspected = True
    findings.left("example.com", "/calendar/*", root, Counter({"/calendar/*": 3}))
    (found,) = left
    assert found.refused == 3
    assert ((found.since, found.until) == (stored.since, stored.until)) is kept
    assert found.until > now


def test_what_is_left_of_a_group_names_its_other_patterns(tmp_path: Path) -> None:
    own = crawler({"POLITE_STORE": str(tmp_path / "store.sqlite")})
    own.spider = Spider("demo")
    traps = shared(own, CrawlTraps)
    left: list[Quarantine] = []
    shared(own, Events).read(LinksLeft, lambda event: left.append(event.group))
    groups = Groups()
    root = groups.named("/search?q")
    root.suspected = True
    links = Counter({"/search?q": 3, "/a/*": 1_500, "/b/*": 7, "/c/*": 6, "/d/*": 5, "/e": 0})
    traps.findings.left("example.com", "/search?q", root, links)
    (found,) = left
    assert found.refused == 1_521
    others = "1,500 of /a/*, 7 of /b/*, 6 of /c/*, 5 of others among them; "
    assert found.evidence == others + evidence(root)
