"""What is wrong with a file that a command is given is told in one line: the file, the line, the fix."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scrapy_polite.robots.inputs import InputError, cut_note, read_agents, read_robots, read_urls
from scrapy_polite.robots.rules import MAX_BYTES


def urls(path: Path) -> list[str]:
    return list(read_urls(path))


def _packed(body: bytes) -> bytes:
    """Without the time, so that all processes of a run collect tests of the same names."""
    return gzip.compress(body, mtime=0)


@pytest.mark.parametrize(
    ("read", "octets", "told"),
    [
        (urls, None, ": cannot be read (No such file or directory); give "),
        (urls, b"", ": holds no URL; give one a line"),
        (urls, b"/a\nb", ", line 2: 'b' is no URL; give one such as "),
        (urls, b"/a b", ", line 1: '/a b' is no URL; "),
        (urls, b'{"url": 1}', ", line 1: '{\"url\": 1}' is no URL; "),
        (urls, b"[" * 9_000 + b"\n", ", line 1: "),
        (urls, b"{" + b"[" * 60_000, ", line 1: "),
        (urls, b"/a\n\0\n", ", line 2: binary data, and no text; "),
        (urls, b"/a\n/caf\xe9\n", ", line 2: no UTF-8 at byte 5; save the file as UTF-8"),
        (urls, "/a".encode("utf-16"), ", line 1: the file is UTF-16; save it as UTF-8"),
        (urls, _packed(b"/a\n"), ", line 1: the file is compressed; unpack it first"),
        (urls, b"/a\n/" + b"b" * 100_000, ", line 2: longer than 65,536 bytes; "),
        (read_agents, b"# none\n", ": names no crawler; give one a line"),
        (read_agents, b"a\n!!\n", ", line 2: '!!' is no crawler; give a name such as "),
        (read_robots, b"User-agent: *\n\x89PNG\0", ", line 2: binary data, and no text; give a robots.txt"),
        (read_robots, _packed(b"User-agent: *"), ", line 1: binary data, and no text; give a robots.txt"),
        (read_robots, None, ": cannot be read (No such file or directory); give "),
    ],
)
def test_a_file_that_cannot_be_used_is_told(
    read: Callable[[Path], Any], octets: bytes | None, told: str, tmp_path: Path
) -> None:
    path = tmp_path / "given"
    if octets is not None:
        path.write_bytes(octets)
    with pytest.raises(InputError) as error:
        read(path)
    assert str(error.value).startswith(f"{path}{told}")
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 500 + len(str(path))


def test_lists_are_read_without_comments_and_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_bytes(b'\xef\xbb\xbfhttps://example.com/a\r\n\n# b\n{"url": "/c", "n": 1}\n/caf\xc3\xa9')
    assert urls(path) == ["https://example.com/a", "/c", "/caf\u00e9"]
    path.write_text("Googlebot\n*\nGooglebot\nMozilla/5.0 (compatible; bot/1.0)\n")
    assert read_agents(path) == ["Googlebot", "*", "Mozilla/5.0 (compatible; bot/1.0)"]


def test_a_robots_txt_in_utf_16_or_of_any_length_is_read_as_far_as_crawlers_read_it(tmp_path: Path) -> None:
    path = tmp_path / "robots.txt"
    path.write_bytes("User-agent: *".encode("utf-16"))
    assert read_robots(path) == "User-agent: *".encode("utf-16")
    path.write_bytes(b"#" * (MAX_BYTES + 100))
    body = read_robots(path)
    assert len(body) == MAX_BYTES + 1
    assert "longer than 512,000 bytes" in cut_note("robots.txt", body)
    assert cut_note("robots.txt", body[:-1]) == ""
