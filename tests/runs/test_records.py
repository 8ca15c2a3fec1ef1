from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_polite.runs.masking import DEFAULT_NAMES, Masking
from scrapy_polite.runs.records import KINDS, Opened, Record, fields_of, read, written

HOSTILE = "http://h/\x1b[31m\n\u202e\ud800\U0001f600?<script>"


def of_kind(cls: type[Any], text: str = HOSTILE) -> Record:
    values = {"float": 1.5, "int": 7, "str": text}
    return cls(*(values[one.__name__] for one in fields_of(cls).values()))  # type: ignore[no-any-return]


@pytest.mark.parametrize("word", KINDS)
def test_a_record_is_one_line_of_ascii_and_is_read_as_it_was(word: str) -> None:
    record = of_kind(KINDS[word])
    line = written(record)
    assert line.isascii()
    assert line.isprintable()
    assert read(line) == read(line.encode()) == record


@pytest.mark.parametrize("word", KINDS)
def test_fields_of_a_later_version_are_passed_over(word: str) -> None:
    record = of_kind(KINDS[word])
    assert read(json.dumps([*json.loads(written(record)), "more", 2])) == record


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[",
        "{}",
        "3",
        "null",
        '["opened",NaN,"h","o"]',
        '["unknown",1]',
        '["opened",1.0,"h"]',
        '["opened","x","h","o"]',
        "[" * 5_000,
        "[[]]",
    ],
)
def test_a_damaged_line_is_none(line: str) -> None:
    assert read(line) is None


@given(st.binary(max_size=200))
def test_whatever_a_file_holds_is_read_without_an_error(line: bytes) -> None:
    read(line)


@given(st.text())
def test_any_text_is_read_as_it_was(text: str) -> None:
    assert read(written(Opened(1.0, text, text))) == Opened(1.0, text, text)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://u:p@h/a?b=c", "https://***@h/a?b=c"),
        ("https://h/?token=abc&page=2", "https://h/?token=***&page=2"),
        ("https://h/?page=2&csrf_Token=abc#x", "https://h/?page=2&csrf_Token=***#x"),
        ("https://h/?user[password]=abc;x=1", "https://h/?user[password]=***;x=1"),
        ("https://h/#access_token=abc", "https://h/#access_token=***"),
        ("https://h/?keyword=shoes&tokens=2", "https://h/?keyword=shoes&tokens=2"),
        ("https://h/token=abc/", "https://h/token=abc/"),
        ("https://h/?X-Amz-Signature=abc", "https://h/?X-Amz-Signature=***"),
    ],
)
def test_passwords_and_the_values_of_listed_names_are_masked(url: str, expected: str) -> None:
    assert Masking(DEFAULT_NAMES)(url) == expected


def test_without_names_only_passwords_are_masked() -> None:
    assert Masking(())("https://u:p@h/?token=abc") == "https://***@h/?token=abc"


@given(st.text(alphabet="?&;#=-_.[]tokeny", max_size=60))
def test_masking_leaves_no_value_behind(text: str) -> None:
    masked = Masking(["token"])(f"http://h/{text}?token=secret")
    assert "secret" not in masked
