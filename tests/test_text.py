from __future__ import annotations

import math
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_polite.text import counted, duration, printable, utc


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


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (-1, "0 s"),
        (0.4, "0 s"),
        (119, "119 s"),
        (120, "2 min"),
        (7_199, "120 min"),
        (7_200, "2 h"),
        (172_800, "2 days"),
    ],
)
def test_a_duration_is_told_in_the_unit_that_fits(seconds: float, shown: str) -> None:
    assert duration(seconds) == shown


@pytest.mark.parametrize(("count", "shown"), [(0, "0 pages"), (1, "1 page"), (2_000, "2,000 pages")])
def test_a_number_is_told_with_its_noun(count: int, shown: str) -> None:
    assert counted(count, "page") == shown
    assert counted(count, "leaf", "leaves") == shown.replace("pages", "leaves").replace("page", "leaf")


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0.0, "1970-01-01T00:00:00+00:00"),
        (1_800_000_000.5, "2027-01-15T08:00:00.500000+00:00"),
        (-5.0, "1970-01-01T00:00:00+00:00"),
        (1e300, "9999-12-31T23:59:59+00:00"),
        (math.inf, "9999-12-31T23:59:59+00:00"),
    ],
)
def test_a_time_that_no_datetime_can_say_is_the_first_or_the_last(seconds: float, shown: str) -> None:
    assert utc(seconds).isoformat() == shown
