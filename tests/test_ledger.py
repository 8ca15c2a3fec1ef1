from __future__ import annotations

import gc
import json
import logging
import os
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawlers import crawler
from scrapy_polite.decision import REASONS, Decision
from scrapy_polite.ledger import BASES, MAX_EXAMPLES, MAX_ORIGINS, Ledger, RefusedFile, printable
from scrapy_polite.monitor.summary import MAX_LINES, summary_lines
from scrapy_polite.pacing.delay import Asks, declared

DISALLOW = Decision(False, "robots/disallow", "line 2: Disallow: /", "Disallow: /", 2)
SITE = "https://example.com"


@pytest.fixture
def made() -> Any:
    return crawler()


@pytest.fixture
def ledger(made: Any) -> Ledger:
    return Ledger.from_crawler(made)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, bücher, 漢字", "plain, bücher, 漢字"),
        ("\x1b[31mred", r"\x1b[31mred"),
        ("two\r\nlines", r"two\r\nlines"),
        ("\u202eright to left", r"\u202eright to left"),
        ("zero\u200bwidth", r"zero\u200bwidth"),
        ("\x9b2J", r"\x9b2J"),
        ("lone \ud800", r"lone \ud800"),
        ("\u2028", r"\u2028"),
    ],
)
def test_what_is_not_visible_is_escaped(text: str, shown: str) -> None:
    assert printable(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("http://me:secret@example.com/a?b", "http://***@example.com/a?b"),
        ("at https://token@example.com, and ftp://a:b@c/", "at https://***@example.com, and ftp://***@c/"),
        ("https://me:se@cret@example.com/", "https://***@example.com/"),
        ("https://example.com/@me?to=a@example.com", "https://example.com/@me?to=a@example.com"),
        ("https://example.com/?u=http://me:secret@example.org/", "https://example.com/?u=http://***@example.org/"),
        ("me:secret@example.com", "me:secret@example.com"),
    ],
)
def test_no_password_of_a_url_is_shown(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_a_password_at_the_end_of_a_text_that_is_cut_is_not_shown_either() -> None:
    assert "secret" not in printable("x" * 180 + " http://me:secretsecretsecret@example.com/", 200)


def test_a_long_text_is_cut_before_it_is_escaped() -> None:
    assert printable("a" * 200) == "a" * 200
    assert printable("a" * 201) == "a" * 199 + "…"
    assert len(printable("\x00" * 10**7)) < 1_000


@given(st.text(), st.integers(1, 50))
def test_any_text_becomes_one_visible_line(text: str, limit: int) -> None:
    shown = printable(text, limit)
    assert not any(unicodedata.category(character)[0] == "C" for character in shown)
    assert len(shown.splitlines()) <= 1
    assert len(shown) <= 10 * limit


def test_what_goes_and_what_is_refused_is_counted_for_the_crawl_and_the_origin(made: Any, ledger: Ledger) -> None:
    ledger.let_go(SITE, "fresh", start=True)
    ledger.let_go(SITE, "none")
    ledger.refuse(SITE, f"{SITE}/", DISALLOW, start=True)
    ledger.wait(SITE, 2.5)
    ledger.wait(SITE, 1.0)
    assert made.stats.get_stats() == {
        "polite/pages/fresh": 1,
        "polite/pages/none": 1,
        "polite/refused": 1,
        "polite/refused/robots/disallow": 1,
    }
    tally = ledger.origins[SITE]
    assert (tally.went, tally.refused, tally.longest_wait_s) == (2, {"robots/disallow": 1}, 2.5)
    assert (ledger.start_went, ledger.start_refused, ledger.waits) == (1, 1, 2)


def test_what_an_audit_would_have_refused_is_counted_apart(made: Any, ledger: Ledger) -> None:
    ledger.refuse(SITE, f"{SITE}/", DISALLOW, audit=True, start=True)
    assert made.stats.get_stats() == {"polite/audited": 1, "polite/audited/robots/disallow": 1}
    assert ledger.start_refused == 0
    assert ledger.refused.total() == 0
    assert not any(tally.refused for tally in ledger.origins.values())


def test_origins_are_bounded_and_those_most_concerned_stay(ledger: Ledger) -> None:
    ledger.refuse("https://refused.example", "https://refused.example/", DISALLOW)
    ledger.wait("https://waited.example", 60.0)
    for number in range(3 * MAX_ORIGINS):
        ledger.let_go(f"https://{number}.example", "fresh")
        assert len(ledger.origins) <= MAX_ORIGINS
    assert {"https://refused.example", "https://waited.example"} <= set(ledger.origins)
    assert ledger.went["fresh"] == 3 * MAX_ORIGINS


def test_examples_are_the_first_ones_and_few_and_short(ledger: Ledger) -> None:
    for number in range(100):
        ledger.refuse(SITE, f"{SITE}/{number}{'x' * 10_000}", DISALLOW)
    examples = ledger.examples["robots/disallow"]
    assert len(examples) == MAX_EXAMPLES
    assert examples[0].url.startswith(f"{SITE}/0x")
    assert all(len(example.url) <= 2_000 for example in examples)


def test_examples_of_what_an_audit_let_go_are_kept_apart(ledger: Ledger) -> None:
    ledger.refuse(SITE, f"{SITE}/refused", DISALLOW)
    ledger.refuse(SITE, f"{SITE}/audited", DISALLOW, audit=True)
    assert [example.url for example in ledger.examples["robots/disallow"]] == [f"{SITE}/refused"]
    assert [example.url for example in ledger.audited_examples["robots/disallow"]] == [f"{SITE}/audited"]


def test_the_first_refusal_of_a_reason_is_told_at_info(ledger: Ledger, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    for url in ("first\x1b", "second"):
        ledger.refuse(SITE, f"{SITE}/{url}", DISALLOW)
    ledger.refuse(SITE, f"{SITE}/third", Decision(False, "robots/closing"), audit=True)
    told = [(record.levelname, record.getMessage()) for record in caplog.records]
    more = "; further ones of this kind are counted and logged at DEBUG"
    assert told == [
        ("INFO", rf"Refused {SITE}/first\x1b (robots/disallow: line 2: Disallow: /){more}"),
        ("DEBUG", f"Refused {SITE}/second (robots/disallow: line 2: Disallow: /)"),
        ("INFO", f"Would refuse {SITE}/third (robots/closing){more}"),
    ]


def test_a_ledger_does_not_keep_its_crawler_alive(ledger: Ledger) -> None:
    made = crawler()
    ledger = Ledger(made)
    del made
    gc.collect()
    ledger.let_go(SITE, "fresh")
    ledger.refuse(SITE, f"{SITE}/", DISALLOW)
    assert ledger.went["fresh"] == 1
    assert ledger._crawler() is None


def test_the_summary_has_at_most_24_lines_whatever_happened(ledger: Ledger) -> None:
    for reason in REASONS:
        for audit in (False, True):
            ledger.refuse(SITE, f"{SITE}/\x1b", Decision(False, reason, "\x1b" * 500), audit=audit)
    for number in range(50):
        ledger.wait(f"https://{number}.example", number)
        ledger.wait_at_gate(f"https://{number}.example", 2 * number)
        ledger.backed_off(f"https://{number % 10}.example", 60.0)
        ledger.pace(f"https://{number}.example", f"Crawl-delay 60 s{' (of 300 s asked)' if number == 7 else ''}")
    for basis in BASES:
        ledger.let_go(SITE, basis)
    lines = summary_lines(ledger)
    assert len(lines) <= MAX_LINES == 24
    assert all(line.isprintable() for line in lines)
    assert max(map(len, lines)) < 1_500
    assert lines[0].startswith("  pages let go: 4 (1 under fresh rules, 1 under the last good copy of rules")
    waited, backoffs, delays = lines[-3:]
    assert waited.startswith("  waited: 50 requests for robots.txt, 50 times for the host's turn (the longest: ")
    assert "https://49.example 98 s, https://48.example 96 s, " in waited
    assert backoffs.startswith("  back-offs: 50 (most: https://0.example 5, ")
    capped = "https://7.example Crawl-delay 60 s (of 300 s asked), "
    assert delays.startswith(f"  delays: 50 origins, 1 of them capped ({capped}")


def test_pace_is_counted_for_the_crawl_and_the_origin(made: Any, ledger: Ledger) -> None:
    ledger.wait_at_gate(SITE, 2.5)
    ledger.wait_at_gate(SITE, 1.0)
    assert ledger.backed_off(SITE, 60.0) is True
    assert ledger.backed_off(SITE, 60.0) is False
    ledger.pace(SITE, "Crawl-delay 2 s")
    assert made.stats.get_stats() == {"polite/gate_waits": 2, "polite/backoffs": 2}
    tally = ledger.origins[SITE]
    assert (tally.longest_wait_s, tally.backoffs, tally.pace, tally.capped) == (2.5, 2, "Crawl-delay 2 s", False)
    assert summary_lines(ledger) == [
        "  pages let go: 0",
        "  refused: 0",
        f"  waited: 2 times for the host's turn (the longest: {SITE} 2 s)",
        f"  back-offs: 2 (most: {SITE} 2)",
        f"  delays: 1 origin ({SITE} Crawl-delay 2 s)",
    ]


@pytest.mark.parametrize(("asked_s", "capped"), [(60.0, False), (61.0, True)])
def test_what_was_capped_is_known_by_the_words_of_its_delay(ledger: Ledger, asked_s: float, capped: bool) -> None:
    delay = declared([Asks(asked_s, None, None)], [], 60.0, 0.0)
    ledger.pace(SITE, str(delay))
    assert ledger.origins[SITE].capped is delay.capped is capped


def test_the_summary_of_an_empty_crawl(ledger: Ledger) -> None:
    assert summary_lines(ledger) == ["  pages let go: 0", "  refused: 0"]


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
    assert "POLITE_REFUSED_FILE_MAX is reached" in note["note"]
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
