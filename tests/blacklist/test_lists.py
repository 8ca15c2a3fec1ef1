"""Verdicts of several lists, and who said it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_polite.blacklist.compiled import read_list
from scrapy_polite.blacklist.lists import Lists, NamedList


@pytest.fixture
def named(tmp_path: Path):  # type: ignore[no-untyped-def]
    def make(name: str, *texts: str, action: str = "drop") -> NamedList:
        files = []
        for number, text in enumerate(texts):
            path = tmp_path / f"{name}{number or ''}"
            path.write_text(text)
            files.append((path, read_list(path)))
        return NamedList(name, action, tuple(files))

    return make


def test_a_match_names_list_file_line_and_entry(named, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    lists = Lists([named("ads", "# ads\nother.example\n"), named("mine", "a.example\n", "\n\nExample.COM.\n")])
    match = lists.check("https://user@www.EXAMPLE.com./a")
    assert match is not None
    assert (match.list, match.action, match.file, match.format) == ("mine", "drop", tmp_path / "mine1", "plain")
    assert (str(match.entry), match.line()) == ("example.com", 3)
    (tmp_path / "mine1").write_text("example.net\n")
    assert match.line() is None


@pytest.mark.parametrize(
    ("url", "refused"),
    [
        ("http://example.com/", True),
        ("http://sub.example.com/", True),
        ("http://good.example.com/", False),
        ("http://allowed.example.com/", False),
        ("http://example.com/allowed/x", False),
        ("http://bad.allowed.example.com/", True),
        ("http://other.example/", False),
    ],
)
def test_exceptions_and_allowlists_win(named, url: str, refused: bool) -> None:  # type: ignore[no-untyped-def]
    lists = Lists(
        [named("black", "example.com\n", "!good.example.com\n")],
        [named("white", "allowed.example.com\nexample.com/allowed/\n!bad.allowed.example.com\n")],
    )
    assert (lists.check(url) is not None) is refused


def test_an_exception_holds_for_its_own_list_only(named) -> None:  # type: ignore[no-untyped-def]
    lists = Lists([named("theirs", "ads.example\n!example.com\n"), named("mine", "example.com\n")])
    match = lists.check("http://example.com/")
    assert match is not None
    assert match.list == "mine"


def test_no_allowlist_wins_over_takedowns(named) -> None:  # type: ignore[no-untyped-def]
    lists = Lists(
        [named("black", "example.com\n")],
        [named("white", "example.com\n10.0.0.0/8\n")],
        [named("takedowns", "example.com/a/\n10.1.0.0/16\n", action="takedown")],
    )
    assert lists.check("http://example.com/b") is None
    assert [
        match.action for match in (lists.check("http://example.com/a/b"), lists.check_address("10.1.2.3")) if match
    ] == ["takedown", "takedown"]
    assert lists.check_address("10.2.0.1") is None


def test_a_host_that_is_excepted_is_so_by_its_address_too(named) -> None:  # type: ignore[no-untyped-def]
    lists = Lists([named("black", "10.0.0.0/8\n!fine.example\n")])
    assert lists.check_address("10.0.0.1", "www.fine.example") is None
    assert lists.check_address("10.0.0.1", "other.example") is not None
    assert lists.name_addresses
    assert not Lists([named("hosts", "a.example\n")]).name_addresses


def test_a_list_that_refuses_answers_before_one_that_audits(named) -> None:  # type: ignore[no-untyped-def]
    lists = Lists([named("new", "example.com\nexample.net\n", action="audit"), named("old", "example.com\n")])
    assert [match.action for match in map(lists.check, ["http://example.com/", "http://example.net/"]) if match] == [
        "drop",
        "audit",
    ]


@pytest.mark.parametrize(
    ("address", "host", "refused"),
    [
        ("10.0.0.1", "", True),
        ("::ffff:10.0.0.1", "", True),
        ("64:ff9b::a00:1", "", True),
        ("2001:db8::1", "", True),
        ("2001:db8::1%eth0", "", True),
        ("10.0.0.1", "example.com", True),
        ("10.0.0.1", "INTRANET.example.", False),
        ("10.0.0.1", "www.intranet.example", False),
        ("10.2.0.1", "", False),
        ("10.3.0.1", "", False),
        ("10.0.0.1", "10.0.0.1", True),
        ("11.0.0.1", "", False),
        ("example.com", "", False),
        ("", "", False),
    ],
)
def test_addresses_that_names_were_resolved_to(named, address: str, host: str, refused: bool) -> None:  # type: ignore[no-untyped-def]
    lists = Lists(
        [named("black", "10.0.0.0/8\n2001:db8::/32\n!10.3.0.0/16\n")],
        [named("white", "intranet.example\n10.2.0.0/16\n")],
    )
    assert (lists.check_address(address, host) is not None) is refused


def test_an_address_as_url_and_as_resolved_is_one_verdict(named) -> None:  # type: ignore[no-untyped-def]
    lists = Lists([named("black", "0.0.0.0 ads.example\n0.0.0.0 93.184.215.14\n")])
    by_url, by_address = lists.check("http://1572394766/"), lists.check_address("93.184.215.14")
    assert by_url is not None
    assert by_url == by_address
    assert by_url.line() == 2


@given(st.text())
def test_no_url_raises(url: str) -> None:
    Lists([NamedList("none", "drop", ())]).check(url)
    Lists().check(f"http://{url}")


@pytest.mark.parametrize("url", ["", "about:blank", "data:,example.com", "http://", "http://[::1", "//example.com/"])
def test_what_is_no_url_of_a_host_is_on_no_list(named, url: str) -> None:  # type: ignore[no-untyped-def]
    assert Lists([named("black", "example.com\n")]).check(url) is None


def test_without_lists_nothing_is_refused() -> None:
    assert Lists().check("http://example.com/") is None
    assert Lists().check_address("10.0.0.1") is None
