"""Files as they come: compressed, in other encodings, damaged, hostile."""

from __future__ import annotations

import gzip
import lzma
import random
import sys
from pathlib import Path

import pytest

from scrapy_polite.blacklist.entries import Entry, Kind
from scrapy_polite.blacklist.lines import MAX_LINE, ListError
from scrapy_polite.blacklist.reader import ListReader, line_of

TEXT = "# a list\nexample.com\n\n!good.example.com\n"
ENTRIES = [(2, "example.com"), (4, "!good.example.com")]


def read(path: Path, format_name: str | None = None, **options: int) -> list[tuple[int, str]]:
    return [(line, str(entry)) for line, entry in ListReader(path, format_name, **options)]


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        TEXT.rstrip().encode(),
        TEXT.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + TEXT.encode(),
        TEXT.encode("utf-16"),
        b"\xfe\xff" + TEXT.encode("utf-16-be"),
        gzip.compress(TEXT.encode()),
        gzip.compress(TEXT[:12].encode()) + gzip.compress(TEXT[12:].encode()),
        lzma.compress(TEXT.encode()),
        lzma.compress(TEXT[:12].encode()) + bytes(4) + lzma.compress(TEXT[12:].encode()),
        gzip.compress(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode()),
    ],
    ids=[
        "plain",
        "no last newline",
        "CRLF",
        "BOM",
        "UTF-16",
        "UTF-16BE",
        "gzip",
        "gzip members",
        "xz",
        "xz streams",
        "all",
    ],
)
def test_the_same_list_in_every_wrapping(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "list"
    path.write_bytes(data)
    assert read(path) == ENTRIES


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress], ids=["plain", "gzip", "xz"])
def test_lines_across_blocks_are_whole(tmp_path: Path, pack: object) -> None:
    names = [f"host{number}.bücher.example" for number in range(30_000)]
    path = tmp_path / "list"
    path.write_bytes(pack("\n".join(names).encode()))  # type: ignore[operator]
    found = read(path)
    assert [line for line, _ in found] == list(range(1, 30_001))
    assert [entry for _, entry in found] == [name.replace("bücher", "xn--bcher-kva") for name in names]


def test_malformed_lines_are_told_with_their_numbers_and_skipped(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_bytes(b"example.com\ntwo words\n<p>\ncaf\xe9.example\n# caf\xe9\nexample.net\n")
    reader = ListReader(path)
    assert [str(entry) for _, entry in reader] == ["example.com", "example.net"]
    assert reader.format == "plain"
    assert reader.malformed.count == 3
    assert [(fault.line, fault.text) for fault in reader.malformed.first] == [
        (2, "two words"),
        (3, "<p>"),
        (4, "caf\ufffd.example"),
    ]
    assert all(fault.why for fault in reader.malformed.first)


@pytest.mark.parametrize("end", ["", "||b.example^\n" * 3], ids=["hosts", "adguard"])
def test_of_a_hosts_line_only_the_wrong_names_are_skipped_and_told(end: str, tmp_path: Path) -> None:
    path = tmp_path / "list"
    text = "0.0.0.0 a.example\n0.0.0.0 good.example bad_name! other.example <p> # x\n" + end
    path.write_text(text)
    reader = ListReader(path)
    entries = [(line, str(entry)) for line, entry in reader]
    assert entries[:3] == [(1, "=a.example"), (2, "=good.example"), (2, "=other.example")]
    assert reader.format == ("adguard" if end else "hosts")
    (fault,) = reader.malformed.first
    assert (fault.line, fault.why) == (2, "'bad_name!' is no host; the other names are taken")


def test_a_comment_in_another_encoding_and_a_mark_amid_a_file_cost_no_entry(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_bytes(b"a.example # caf\xe9\ncaf\xe9.example # x\n\xef\xbb\xbfhttps://b.example/c\n\xef\xbb\xbf# d\n")
    reader = ListReader(path, "plain")
    assert [str(entry) for _, entry in reader] == ["a.example", "b.example/c"]
    assert [fault.line for fault in reader.malformed.first] == [2]


def test_what_cannot_be_honoured_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_text("||a.example^\n||b.example^$third-party\n##.ad\n")
    reader = ListReader(path)
    assert [str(entry) for _, entry in reader] == ["a.example"]
    assert reader.format == "adguard"
    assert [fault.line for fault in reader.unsupported.first] == [2, 3]
    assert "$third-party" in reader.unsupported.first[0].why


def test_of_many_malformed_lines_a_few_are_kept_and_little_of_each(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_text("example.com\n" + "x y " * 1_000 + "\n" + "two words\n" * 1_000)
    reader = ListReader(path)
    assert len(list(reader)) == 1
    assert reader.malformed.count == 1_001
    assert len(reader.malformed.first) == 20
    assert max(len(fault.text) for fault in reader.malformed.first) == 100


def test_a_second_reading_counts_anew(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_text("example.com\ntwo words\n")
    reader = ListReader(path)
    assert list(reader) == list(reader)
    assert reader.malformed.count == 1


@pytest.mark.parametrize(
    "line",
    [
        b"a" * 1_000_000,
        b"a." * 500_000,
        b"http://example.com/" + b"a" * 1_000_000,
        b"/" + b"(" * 1_000_000 + b"/",
        b"!" * 1_000_000,
        b"%41" * 300_000,
        bytes(1_000_000),
        random.Random(0).randbytes(1_000_000).replace(b"\n", b""),
        "ü".encode() * 500_000,
        b"1" * 1_000_000,
        b"x" * MAX_LINE + b"x",
    ],
    ids=[
        "word",
        "labels",
        "path",
        "regex",
        "!",
        "escapes",
        "zeros",
        "random",
        "above ASCII",
        "digits",
        "just too long",
    ],
)
def test_a_hostile_line_costs_only_itself(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "list"
    path.write_bytes(b"example.com\n" + line + b"\nexample.net\n")
    reader = ListReader(path)
    assert [(number, str(entry)) for number, entry in reader] == [(1, "example.com"), (3, "example.net")]
    assert [fault.line for fault in reader.malformed.first] == [2]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (gzip.compress(TEXT.encode())[:-9], "cannot be read"),
        (gzip.compress(TEXT.encode())[:20] + bytes(30), "cannot be read"),
        (lzma.compress(TEXT.encode())[:-9], "cannot be read"),
        (lzma.compress(TEXT.encode())[:6] + bytes(90), "cannot be read"),
        (b"<!DOCTYPE html>\n<html><p>Not found</p></html>\n", "no list: none of its 2 lines"),
        (random.Random(1).randbytes(10_000), "no list"),
        (gzip.compress(bytes(2_000_000)), "longer than 1,000,000 bytes"),
        (lzma.compress(bytes(2_000_000)), "longer than 1,000,000 bytes"),
    ],
    ids=["gzip cut", "gzip damaged", "xz cut", "xz damaged", "web page", "binary", "gzip bomb", "xz bomb"],
)
def test_a_file_that_is_no_list_is_refused_as_a_whole(tmp_path: Path, data: bytes, why: str) -> None:
    path = tmp_path / "list"
    path.write_bytes(data)
    with pytest.raises(ListError, match=why) as caught:
        read(path, max_bytes=1_000_000)
    assert str(path) in str(caught.value)


def test_an_xz_file_that_wants_too_much_memory_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "list"
    greedy = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 256 << 20}]
    path.write_bytes(lzma.compress(TEXT.encode(), filters=greedy))
    with pytest.raises(ListError, match="emory"):
        read(path)


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ListError, match="No such file"):
        read(tmp_path / "list")


@pytest.mark.parametrize("data", [b"", b"# nothing\n\n", b"\n" * 1_000])
def test_an_empty_list_is_a_list(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "list"
    path.write_bytes(data)
    assert read(path) == []


def test_a_list_with_expressions_that_nothing_can_run_is_refused_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "re2", None)
    path = tmp_path / "list"
    path.write_text("example.com\n/ads[0-9]/\n")
    with pytest.raises(ListError, match=r"list, line 2: a regular expression.*pip install 'scrapy-polite\[regex\]'"):
        read(path)


def test_the_line_of_an_entry_is_found_whatever_its_spelling(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_text("example.com\nBÜCHER.example.\nhttp://0x7f.1/\n!example.net\nexample.net\n")
    assert line_of(path, "plain", Entry(Kind.HOST, "xn--bcher-kva.example")) == 2
    assert line_of(path, "plain", Entry(Kind.RANGE, "127.0.0.1/32")) == 3
    assert line_of(path, "plain", Entry(Kind.HOST, "example.net")) == 5
    assert line_of(path, "plain", Entry(Kind.EXACT_HOST, "example.com")) is None
