from __future__ import annotations

import gc
import json
import logging
import os
from pathlib import Path
from typing import Any
from weakref import ref

import pytest

from crawlers import crawler
from scrapy_polite.decision import REASONS, Decision
from scrapy_polite.events import (
    RULES_STATES,
    Events,
    HostAbandoned,
    HostClosed,
    HostOpened,
    HostWait,
    PaceSet,
    RequestAnswered,
    RequestRefused,
    RequestSent,
    RobotsWait,
)
from scrapy_polite.events.refused_file import RefusedFile
from scrapy_polite.events.tallies import MAX_EXAMPLES, MAX_ORIGINS
from scrapy_polite.monitor.summary import MAX_LINES, summary_lines

DISALLOW = Decision(False, "robots/disallow", "line 2: Disallow: /", "Disallow: /", 2)
SITE = "https://example.com"


@pytest.fixture
def made() -> Any:
    return crawler()


@pytest.fixture
def events(made: Any) -> Events:
    return Events.from_crawler(made)


def refused(url: str, decision: Decision = DISALLOW, **more: Any) -> RequestRefused:
    return RequestRefused(SITE, url, decision, **more)


def test_what_is_sent_and_what_is_refused_is_counted_for_the_crawl_and_the_origin(made: Any, events: Events) -> None:
    events.publish(RequestSent(SITE, "fresh", start=True))
    events.publish(RequestSent(SITE, "none"))
    events.publish(refused(f"{SITE}/", start=True))
    events.publish(RobotsWait(SITE, 2.5))
    events.publish(RobotsWait(SITE, 1.0))
    assert made.stats.get_stats() == {
        "polite/pages/fresh": 1,
        "polite/pages/none": 1,
        "polite/refused": 1,
        "polite/refused/robots/disallow": 1,
    }
    tallies = events.tallies
    tally = tallies.origins[SITE]
    assert (tally.sent, tally.refused, tally.longest_wait_s) == (2, {"robots/disallow": 1}, 2.5)
    assert (tallies.start_sent, tallies.start_refused, tallies.robots_waits) == (1, 1, 2)


def test_a_start_request_whose_redirect_is_refused_came_to_nothing(events: Events) -> None:
    events.publish(RequestSent(SITE, "fresh", start=True))
    events.publish(refused(f"{SITE}/", start=True, start_was_sent=True))
    assert (events.tallies.start_sent, events.tallies.start_refused) == (0, 1)


def test_what_an_audit_would_have_refused_is_counted_apart(made: Any, events: Events) -> None:
    events.publish(refused(f"{SITE}/", audit=True, start=True))
    assert made.stats.get_stats() == {"polite/audited": 1, "polite/audited/robots/disallow": 1}
    assert events.tallies.start_refused == 0
    assert events.tallies.refused.total() == 0
    assert not any(tally.refused for tally in events.tallies.origins.values())


def test_origins_are_bounded_and_those_most_concerned_stay(events: Events) -> None:
    origins = events.tallies.origins
    events.publish(RequestRefused("https://refused.example", "https://refused.example/", DISALLOW))
    events.publish(RobotsWait("https://waited.example", 60.0))
    for number in range(3 * MAX_ORIGINS):
        events.publish(RequestSent(f"https://{number}.example", "fresh"))
        assert len(events.tallies.origins) <= MAX_ORIGINS
    assert {"https://refused.example", "https://waited.example"} <= set(events.tallies.origins)
    assert origins is not events.tallies.origins
    assert events.tallies.sent["fresh"] == 3 * MAX_ORIGINS


def test_examples_are_the_first_ones_and_few_and_short(events: Events) -> None:
    for number in range(100):
        events.publish(refused(f"{SITE}/{number}{'x' * 10_000}"))
    examples = events.tallies.examples["robots/disallow"]
    assert len(examples) == MAX_EXAMPLES
    assert examples[0].url.startswith(f"{SITE}/0x")
    assert all(len(example.url) <= 2_000 for example in examples)


def test_examples_of_an_audit_are_kept_apart(events: Events) -> None:
    events.publish(refused(f"{SITE}/refused"))
    events.publish(refused(f"{SITE}/audited", audit=True))
    tallies = events.tallies
    assert [example.url for example in tallies.examples["robots/disallow"]] == [f"{SITE}/refused"]
    assert [example.url for example in tallies.audited_examples["robots/disallow"]] == [f"{SITE}/audited"]


def logged(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    return [(record.levelname, record.getMessage()) for record in caplog.records]


def test_the_first_refusal_of_a_reason_is_told_at_info(events: Events, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    for url in ("first\x1b", "second"):
        events.publish(refused(f"{SITE}/{url}"))
    events.publish(refused(f"{SITE}/third", Decision(False, "robots/closing"), audit=True))
    more = "; further ones of this kind are counted and logged at DEBUG"
    assert logged(caplog) == [
        ("INFO", rf"Refused {SITE}/first\x1b (robots/disallow: line 2: Disallow: /){more}"),
        ("DEBUG", f"Refused {SITE}/second (robots/disallow: line 2: Disallow: /)"),
        ("INFO", f"Would refuse {SITE}/third (robots/closing){more}"),
    ]


def test_of_closed_hosts_the_first_is_told_and_those_that_the_crawl_may_end_without(
    events: Events, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for seconds in (60, 60, 86_400):
        events.publish(HostClosed("a.example", SITE, seconds, "HTTP 503"))
    assert [level for level, _ in logged(caplog)] == ["INFO", "DEBUG", "INFO"]
    assert logged(caplog)[2] == ("INFO", "a.example is closed for 24 h (HTTP 503)")


def test_that_a_host_is_open_again_is_told_as_its_closing_was(events: Events, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    for host in ("a.example", "b.example"):
        events.publish(HostClosed(host, SITE, 60, "HTTP 503"))
    caplog.clear()
    for host in ("a.example", "b.example"):
        events.publish(HostOpened(host, SITE))
    assert logged(caplog) == [("INFO", "a.example is open again"), ("DEBUG", "b.example is open again")]


def test_abandoned_hosts_are_named_once_each_and_a_bounded_number_of_them(
    events: Events, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(100):
        for _ in range(2):
            events.publish(HostAbandoned(f"{number}.example", "timed out", 1 + number))
    told = logged(caplog)
    assert told[:2] == [
        ("WARNING", "0.example is abandoned (timed out): 1 request refused"),
        ("WARNING", "1.example is abandoned (timed out): 2 requests refused"),
    ]
    assert len(told) == 21
    assert told[-1][1].startswith("Further hosts are abandoned")


def test_a_stream_does_not_keep_its_crawler_alive() -> None:
    made = crawler()
    held = ref(made)
    events = Events.from_crawler(made)
    del made
    gc.collect()
    assert held() is None
    events.publish(RequestSent(SITE, "fresh"))
    events.publish(refused(f"{SITE}/"))
    assert events.tallies.sent["fresh"] == 1


def test_the_summary_has_at_most_24_lines_whatever_happened(events: Events) -> None:
    for reason in REASONS:
        for audit in (False, True):
            events.publish(refused(f"{SITE}/\x1b", Decision(False, reason, "\x1b" * 500), audit=audit))
    for number in range(50):
        origin = f"https://{number}.example"
        events.publish(RobotsWait(origin, number))
        events.publish(HostWait(origin, 2 * number))
        events.publish(HostClosed(origin, f"https://{number % 10}.example", 60.0, "HTTP 503"))
        events.publish(PaceSet(origin, f"Crawl-delay 60 s{' (of 300 s asked)' if number == 7 else ''}", number == 7))
    for state in RULES_STATES:
        events.publish(RequestSent(SITE, state))
    lines = summary_lines(events.tallies)
    assert len(lines) <= MAX_LINES == 24
    assert all(line.isprintable() for line in lines)
    assert max(map(len, lines)) < 1_500
    assert lines[0].startswith("  pages requested: 4 (1 under fresh rules, 1 under the last good copy of rules")
    waited, backoffs, delays = lines[-3:]
    assert waited.startswith("  waited: 50 requests for robots.txt, 50 times for the host's turn (the longest: ")
    assert "https://49.example 98 s, https://48.example 96 s, " in waited
    assert backoffs.startswith("  back-offs: 50 (most: https://0.example 5, ")
    capped = "https://7.example Crawl-delay 60 s (of 300 s asked), "
    assert delays.startswith(f"  delays: 50 origins, 1 of them capped ({capped}")


def test_pace_is_counted_for_the_crawl_and_the_origin(made: Any, events: Events) -> None:
    events.publish(HostWait(SITE, 2.5))
    events.publish(HostWait(SITE, 1.0))
    for _ in range(2):
        events.publish(HostClosed("example.com", SITE, 60.0, "HTTP 503"))
    events.publish(PaceSet(SITE, "Crawl-delay 2 s"))
    assert made.stats.get_stats() == {"polite/gate_waits": 2, "polite/backoffs": 2}
    tally = events.tallies.origins[SITE]
    assert (tally.longest_wait_s, tally.closed, tally.pace, tally.capped) == (2.5, 2, "Crawl-delay 2 s", False)
    assert summary_lines(events.tallies) == [
        "  pages requested: 0",
        "  refused: 0",
        f"  waited: 2 times for the host's turn (the longest: {SITE} 2 s)",
        f"  back-offs: 2 (most: {SITE} 2)",
        f"  delays: 1 origin ({SITE} Crawl-delay 2 s)",
    ]


def test_what_failed_at_the_host_is_counted_and_said(events: Events) -> None:
    for status in (200, 404, 404, 410, 405, 405, 406, 406, 503, 503, 500, None):
        events.publish(RequestAnswered(SITE, status, 0.1))
    assert events.tallies.answered == {200: 1, 404: 2, 405: 2, 406: 2, 410: 1, 500: 1, 503: 2, 0: 1}
    without = "1 without an answer (no connection, or a time-out)"
    assert summary_lines(events.tallies)[1:3] == [
        "  of these are not there, or not for this crawler: 2 with HTTP 404, 2 with HTTP 405, 2 with HTTP 406",
        f"  of these failed at the host: 1 with HTTP 500, 2 with HTTP 503, {without}",
    ]


def test_the_summary_of_an_empty_crawl(events: Events) -> None:
    assert summary_lines(events.tallies) == ["  pages requested: 0", "  refused: 0"]


def written(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]


def test_the_refused_file_is_appended_to_and_bounded_in_lines_and_in_their_length(tmp_path: Path) -> None:
    path = tmp_path / "new" / "refused.jsonl"
    path.parent.mkdir()
    path.write_text('{"url": "earlier"}\n')
    file = RefusedFile(path, 2)
    long = Decision(False, "robots/disallow", "d" * 10**6, "r" * 10**6, 1)
    for number in range(5):
        file.write(f"{SITE}/{number}\x1b{'x' * 10**6}", long, audit=number == 1)
    earlier, first, second, note = written(path)
    assert earlier == {"url": "earlier"}
    assert first["url"].startswith(f"{SITE}/0\x1b")
    assert "audit" not in first
    assert second["audit"] is True
    assert "2 lines are written" in note["note"]
    assert max(map(len, path.read_text().splitlines())) < 20_000


def test_a_decision_without_a_rule_is_written_without_one(tmp_path: Path) -> None:
    path = tmp_path / "refused.jsonl"
    file = RefusedFile(path, 10)
    file.write(SITE, Decision(False, "robots/unreachable", "timed out"), audit=False)
    file.close()
    assert [sorted(record) for record in written(path)] == [["detail", "reason", "time", "url"]]


def test_a_refused_file_that_cannot_be_written_is_told_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = RefusedFile(tmp_path, 10)
    for _ in range(3):
        file.write(SITE, DISALLOW, audit=False)
    file.close()
    assert [record.levelname for record in caplog.records] == ["ERROR"]


def test_no_refused_file_is_made_where_nothing_was_refused(tmp_path: Path) -> None:
    RefusedFile(tmp_path / "refused.jsonl", 10).close()
    assert list(tmp_path.iterdir()) == []


def test_a_refused_file_is_its_owners_and_holds_no_passwords(tmp_path: Path) -> None:
    path = tmp_path / "refused.jsonl"
    before = os.umask(0)
    try:
        file = RefusedFile(path, 10)
        file.write(
            "https://me:secret@example.com/", Decision(False, "trap/alias", "as http://me:secret@a/"), audit=False
        )
        file.close()
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o600
    assert "https://***@example.com/" in path.read_text()
    assert "secret" not in path.read_text()


def test_a_reader_that_raises_is_an_error_in_the_log_and_others_read_on(
    events: Events, caplog: pytest.LogCaptureFixture
) -> None:
    read: list[HostWait] = []

    def fails(event: HostWait) -> None:
        raise OSError(event.origin)

    events.read(HostWait, fails)
    events.read(HostWait, read.append)
    events.publish(HostWait(SITE, 1.0))
    assert read == [HostWait(SITE, 1.0)]
    assert "A reader of HostWait has raised" in caplog.text
