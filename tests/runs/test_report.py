from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from run_parts import MARK, PAYLOADS, STARTED, hostile, large, write_run
from scrapy_polite.runs.compare import against
from scrapy_polite.runs.html import html
from scrapy_polite.runs.markdown import markdown
from scrapy_polite.runs.records import (
    Abandoned,
    Closed,
    Deferral,
    MainHost,
    Moved,
    Page,
    Record,
    Refusal,
    Robots,
    RobotsRequest,
    RobotsWaited,
    Sitemap,
    Trap,
)
from scrapy_polite.runs.report import report
from scrapy_polite.runs.run import open_run
from scrapy_polite.runs.tally import WAITING
from scrapy_polite.runs.timeline import CLOSED, MAX_STEPS, Timeline
from scrapy_polite.runs.words import state_of
from watch_parts import live_run, queues

SITE = "https://shop.example"


def page(number: int, *, origin: str = SITE, status: int = 200, waited_s: float = 0.0, at: float = 0.0) -> Page:
    at = at or STARTED + number
    return Page(
        at, f"{origin}/{number}", origin, status, 0.2, 0.1, 1_000, 2.0, "Crawl-delay", waited_s, "fresh", "ab", 0
    )


def refusal(number: int, text: str = "line 2: Disallow: /x", url: str = f"{SITE}/x") -> Refusal:
    return Refusal(STARTED + number, url, SITE, "robots/disallow", text, 2, "Disallow: /x", 0, "ab")


def found_in(root: Path, lines: list[Record], **more: Any) -> dict[str, Any]:
    return report(open_run(write_run(root, lines, **more).folder), STARTED + 1_000_000)


def test_the_report_has_what_happened_by_reason_origin_and_time(tmp_path: Path) -> None:
    found = found_in(
        tmp_path,
        [
            RobotsRequest(STARTED, f"{SITE}/robots.txt", SITE, 200, 0.1, 99),
            Robots(STARTED, SITE, 200, "ab", "1 rule obeyed (HTTP 200)"),
            Robots(STARTED + 1, SITE, 200, "ab", "1 rule obeyed (HTTP 200)"),
            RobotsWaited(STARTED, SITE, 1.5),
            *(page(number, waited_s=2.0) for number in range(10)),
            page(10, status=0),
            page(11, status=503),
            refusal(3),
            refusal(4),
            Closed(STARTED + 11, "shop.example", SITE, 60.0, "HTTP 503"),
            Deferral(STARTED + 5, f"{SITE}/calendar?y=2", "/calendar?y"),
            Trap(STARTED + 6, "ended", "shop.example", "/calendar?y", "silent", "e", f"{SITE}/c", 7, "scrapy ..."),
            MainHost(STARTED + 6, SITE, "www.shop.example", ""),
            Moved(STARTED + 6, f"{SITE}/1", SITE, "https://www.shop.example/1"),
            MainHost(STARTED + 6, "http://a.example", "b.example", "it is of another registered domain"),
            Sitemap(STARTED + 6, f"{SITE}/s.xml", "", 3, 1, 2, 0, 0),
            Sitemap(STARTED + 6, f"{SITE}/part.xml", "broken XML", 1, 0, 0, 0, 0),
            Sitemap(STARTED + 6, f"{SITE}/404.xml", "HTTP 404", 0, 0, 0, 0, 0),
            Robots(STARTED + 12, SITE, 200, "cd", "2 rules obeyed (HTTP 200)"),
        ],
    )
    assert found["ended"] == "finished"
    assert found["pages"] == {
        "sent": 12,
        "answered": 11,
        "without_answer": 1,
        "bytes": 12_000,
        "robots_txt": 1,
        "by_rules": {"fresh": 12},
        "by_error": {"no answer": 1},
        "by_status": {"200": 10, "503": 1},
    }
    assert found["refused"]["robots/disallow"] == {
        "count": 2,
        "line": 2,
        "rule": "Disallow: /x",
        "detail": "line 2: Disallow: /x",
        "example": f"{SITE}/x",
        "more_examples": [f"{SITE}/x"],
    }
    assert found["deferred"]["trap/endless"]["count"] == 1
    assert found["traps"][0]["command"] == "scrapy ..."
    (host,) = found["hosts"]
    assert (host["pages"], host["refused"], host["closed"], host["waited_s"]) == (12, 2, 1, 21.5)
    assert host["answers"] == {"2xx": 10, "5xx": 1, "none": 1}
    assert [(one["seconds"], one["asked_by"]) for one in found["waiting"]] == [
        (20.0, "Crawl-delay"),
        (1.5, "robots.txt"),
        (1.0, "HTTP 503"),  # to the end of the run, and no longer
    ]
    assert [(one["digest"], one["to"] is None) for one in found["robots"]] == [("ab", False), ("cd", True)]
    assert sum(found["timeline"]["pages"]) == 12
    assert found["timeline"]["waiting_hosts"][:3] == [2.0, 2.0, 2.0]
    assert [(one["line"], one["why"], one["requests"]) for one in found["main_hosts"]] == [
        ("www.shop.example", None, 1),
        ("b.example", "it is of another registered domain", 0),
    ]
    sitemaps = found["sitemaps"]
    assert (sitemaps["read"], sitemaps["failed"]) == (2, 1)
    assert sitemaps["entries"] == {"seeds": 4, "sitemaps": 1, "out_of_scope": 2}
    assert [one["fault"] for one in sitemaps["files"]] == [None, "broken XML", "HTTP 404"]
    for shown in (html(found), markdown(found)):
        assert "2 read, 1 could not be; 4 URLs became seeds (2 out of scope)" in unescape(shown)
        assert "followed: 1 request made there" in unescape(shown)
    assert found["forecast"] is None
    assert found["next"][0]["command"] == "scrapy ..."
    assert found["verdict"] == [
        "The crawl shop ran for 12 s, requested 12 pages of 1 origin, and ended as 'finished'.",
        (
            "2 requests were refused for robots/disallow; 1 link had to wait, as what they lead to "
            "looks endless; 2 requests failed at the host."
        ),
        "The longest waits were for https://shop.example: 20 s in all, because of Crawl-delay.",
    ]


def test_a_run_that_was_killed_says_so_everywhere(tmp_path: Path) -> None:
    found = found_in(tmp_path, [page(1)], reason=None)
    assert found["ended"] == "ended without closing"
    for text in (json.dumps(found), markdown(found), html(found)):
        assert "ended without closing" in text
        assert "With JOBDIR the same command goes on" in text


@pytest.mark.parametrize("host", ["shop.example", *PAYLOADS[::7]])
def test_of_a_crawl_that_runs_each_format_says_when_it_ends(tmp_path: Path, host: str) -> None:
    slow = {"host": host, "queued": 90, "pace_s": 10.0, "pace_source": "Crawl-delay", "state": "turn"}
    found = report(open_run(live_run(tmp_path, queues=queues(slow)).folder))
    assert found["ended"] is None
    assert found["forecast"]["queued"] == 90
    shown, tags = html(found), Tags()
    tags.feed(shown)
    assert '<h2 id="forecast">When it ends</h2>' in shown
    assert found["forecast"]["text"][:30] in unescape(shown)
    assert not tags.tags.keys() & {"script", "img", "a", "iframe", "link", "form", "base"}
    made = markdown(found).partition("## When it ends")[2].partition("## ")[0]
    assert "15 min" in made
    assert {line.count("|") for line in made.splitlines()} <= {0, 5}
    assert not re.search(r"[<\[\]`]|https?:", re.sub(r"`[^`\n]*`", "", made))


def test_a_host_that_was_abandoned_is_so_at_its_origins(tmp_path: Path) -> None:
    """The crawl abandons a host by its name, or an origin whose robots.txt cannot be read."""
    lines = [page(1, origin="http://a.example:8080"), page(2, origin="http://b.example"), page(3)]
    lines += [Abandoned(STARTED, "a.example", "refused", 3), Abandoned(STARTED, SITE, "503", 2)]
    found = found_in(tmp_path, [*lines, Abandoned(STARTED, "never.example", "no such host", 1)])
    assert {host["origin"]: host["abandoned"] for host in found["hosts"]} == {
        "http://a.example:8080": "refused",
        "http://b.example": "",
        SITE: "503",
        "never.example": "no such host",
    }


def test_a_host_that_never_let_the_crawl_in_is_no_host_at_which_nothing_failed(tmp_path: Path) -> None:
    found = found_in(tmp_path, [Robots(STARTED, SITE, 0, "", "unreachable (connection refused)")])
    assert found["verdict"][1] == "The robots.txt of 1 origin could not be read."


def test_an_empty_run_has_a_report(tmp_path: Path) -> None:
    found = found_in(tmp_path, [])
    assert found["verdict"][1:] == ["Nothing was refused, and nothing failed.", "No host had to be waited for."]
    assert "0</b>pages requested" in html(found)
    assert markdown(found).startswith("# Crawl report: `shop`")


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: set[str] = set()
        self.values = ""
        self.raw = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes |= {name for name, _ in attrs}
        self.values += "".join(value or "" for _, value in attrs)

    def handle_comment(self, data: str) -> None:
        self.raw += data

    def handle_data(self, data: str) -> None:
        if self.lasttag in ("style", "script"):
            self.raw += data


@pytest.mark.parametrize("payload", PAYLOADS)
def test_what_comes_from_the_network_is_inert_in_every_format(tmp_path: Path, payload: str) -> None:
    found = found_in(tmp_path, hostile(payload), spider=payload.encode("ascii", "replace").decode(), user_agent=payload)
    found["against"] = against(found, found_in(tmp_path / "before", [page(n, origin=payload) for n in range(9)]))
    shown, tags = html(found), Tags()
    tags.feed(shown)
    tags.close()
    assert MARK in shown
    assert not tags.tags.keys() & {"script", "img", "a", "iframe", "link", "form", "base", "object", "embed", "b1"}
    assert tags.tags["meta"] == 4
    assert tags.tags["svg"] == tags.tags["polyline"] == tags.tags["figure"]
    assert not any(name.startswith("on") or name in ("href", "src", "action", "srcdoc") for name in tags.attributes)
    assert MARK not in tags.values + tags.raw
    made = markdown(found)
    outside = re.sub(r"`[^`\n]*`", "", made)
    assert MARK in made
    assert not re.search(r"[<\[\]@$~]|https?:|`", outside)
    heads = {line for line in outside.splitlines() if line.startswith("#")}
    assert all(re.fullmatch(r"# Crawl report: |## [A-Za-z ,.]+", head) for head in heads)
    columns = [line.count("|") for line in made.splitlines() if line.startswith("|")]
    assert set(columns) <= {3, 4, 6, 7}
    assert found["against"]["hosts"]["changed"]
    for text in (shown, made, json.dumps(found, indent=1)):
        assert {c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")} <= {"\n"}


def test_a_thousand_hosts_and_a_hundred_and_twenty_examples_are_a_small_page(tmp_path: Path) -> None:
    found = found_in(tmp_path, large())
    shown = html(found)
    assert shown.count("<tr style=") == len(found["hosts"]) == 1_000
    assert len(found["timeline"]["pages"]) == 600
    assert sum(1 + len(one["more_examples"]) for one in found["refused"].values()) == 120
    assert len(shown.encode()) <= 400 * 1024
    assert "default-src 'none'; style-src 'unsafe-inline'" in shown


@pytest.mark.parametrize(
    ("what", "states"), [("confirmed", ["confirmed by a person: its links are refused"]), ("released", [])]
)
def test_what_a_person_has_confirmed_is_named_as_that_and_what_was_released_no_more(
    tmp_path: Path, what: str, states: list[str]
) -> None:
    place = "shop.example", "/c?y", "suspected", "e", "x", 0, ""
    found = found_in(tmp_path, [page(1), Trap(STARTED, "suspected", *place), Trap(STARTED + 1, what, *place)])
    assert [state_of(trap) for trap in found["traps"]] == states


def test_what_has_changed_since_another_run_is_said_in_pairs(tmp_path: Path) -> None:
    gone, came = "https://gone.example", "https://came.example"
    trap = Trap(STARTED, "ended", "shop.example", "/c?y", "silent", "e", "x", 7, "")
    lines = [*(page(number) for number in range(10)), page(1, origin=gone), refusal(1)]
    before = found_in(tmp_path / "1", [*lines, Robots(STARTED, SITE, 200, "ab", "1 rule obeyed")])
    lines = [*(page(number) for number in range(30)), page(1, origin=came), trap]
    now = found_in(tmp_path / "2", [*lines, Robots(STARTED, SITE, 200, "cd", "2 rules obeyed")])
    found = now["against"] = against(now, before)
    assert found["pages"]["sent"] == [11, 31]
    assert found["by_status"] == {"200": [11, 31]}
    assert found["refused"] == {"robots/disallow": [1, 0]}
    assert (found["hosts"]["new"], found["hosts"]["gone"]) == ([came], [gone])
    (changed,) = found["hosts"]["changed"]
    assert (changed["origin"], changed["pages"], changed["refused"]) == (SITE, [10, 30], [1, 0])
    assert [one["digest"] for one in found["robots"]] == [["ab", "cd"]]
    assert found["traps"] == {"new": [{"site": "shop.example", "place": "/c?y"}], "gone": []}
    assert found["sentences"] == [
        "The runs are not equally long, so counts differ for that alone: 9 s before, 29 s now.",
        "Pages: 11 before, 31 now.",
        "1 origin came, 1 origin went.",
        "The robots.txt has changed of https://shop.example.",
        "Refused for robots/disallow: 1 before, 0 now.",
        "New place that looks endless: shop.example /c?y.",
    ]
    assert "## What has changed" in markdown(now)
    assert "10 → 30" in html(now)


def test_of_runs_that_are_unlike_each_other_it_is_said_first(tmp_path: Path) -> None:
    """Their numbers differ for that alone."""
    ends = STARTED + 1_000
    before = report(open_run(write_run(tmp_path / "1", [page(0), page(1_000)], spider="news").folder), ends)
    now = report(open_run(write_run(tmp_path / "2", [page(0)], reason=None).folder), STARTED + 1)
    found = now["against"] = against(now, before)
    assert found["unlike"] == [
        "The runs are of different spiders: 'news' before, 'shop' now.",
        "The runs are not equally long, so counts differ for that alone: 17 min before, 0 s now.",
        "The run now is not over: its counts still rise.",
    ]
    assert found["sentences"] == [*found["unlike"], "Pages: 2 before, 1 now."]
    assert against(before, before)["unlike"] == []
    assert "17 min before" in markdown(now)
    assert "17 min before" in html(now)


def test_time_is_told_in_few_steps_however_long_the_run() -> None:
    timeline = Timeline()
    timeline.add_during(CLOSED, STARTED, 86_400)
    timeline.add_seconds(WAITING, STARTED + 100.5, 1.75)
    timeline.add_seconds(WAITING, STARTED + 101.0, 1.0)
    for number in range(10_000):
        timeline.add("pages", STARTED + number * 37)
    pages, closed = timeline.of("pages"), timeline.of(CLOSED)
    assert len(pages) == len(closed) <= MAX_STEPS
    assert sum(pages) == 10_000
    assert sum(timeline.mean_of(WAITING)) * timeline.step_s == pytest.approx(2.75, abs=timeline.step_s * 0.01)
    assert max(closed) == 1
    assert timeline.began <= STARTED < timeline.began + timeline.step_s
