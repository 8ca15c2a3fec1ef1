"""The files that commands on robots.txt are given: read line by line, and what is wrong told with its line and the fix.

Knows no Scrapy. Text is UTF-8, with or without a byte order mark.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scrapy_polite._commandline import CommandError
from scrapy_polite.robots.lines import BOM, COMPRESSED, UTF16_MARKS
from scrapy_polite.robots.product_token import product_token
from scrapy_polite.robots.rules import MAX_BYTES
from scrapy_polite.text import counted, printable

#: Octets of a line of a list; a longer one is no URL that a server takes, and no name.
_MAX_LINE = 65_536


class InputError(Exception):
    """A file that cannot be used: the message names the file, the line if there is one, and what to do."""


def fault(path: Path, line: int | None, what: str, fix: str) -> InputError:
    where = f", line {line}" if line else ""
    return InputError(f"{printable(str(path), 300)}{where}: {what}; {fix}")


def read_octets(path: Path, most: int, fix: str) -> bytes:
    """The first octets of a file. Raises InputError, with what to do, where it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(most)
    except (OSError, ValueError) as error:
        raise _unreadable(path, error, fix) from error


def read_robots(path: Path) -> bytes:
    """The octets of a robots.txt that a crawler may read (see `MAX_BYTES`), and one more where there are more.

    Raises InputError where it cannot be read, or is no text.
    """
    body = read_octets(path, MAX_BYTES + 1, "give the path of a robots.txt")
    if body[:2] not in UTF16_MARKS and (body.startswith(COMPRESSED) or b"\0" in body):
        line = body.count(b"\n", 0, max(body.find(b"\0"), 0)) + 1
        raise fault(path, line, "binary data, and no text", "give a robots.txt that is plain UTF-8 text")
    return body


def bodies_of_files(words: Sequence[str]) -> list[bytes]:
    """What these files say. Raises InputError; CommandError for an origin, which needs Scrapy to be asked."""
    bodies = []
    for word in words:
        check_is_file(word)
        bodies.append(told_body(word))
    return bodies


def check_is_file(word: str) -> None:
    """Raises CommandError for an origin, which needs Scrapy to be asked."""
    if "://" in word:
        shown = printable(word, 300)
        raise CommandError(f"{shown} is no file: save its robots.txt, or let `scrapy robots` ask for it")


def told_body(name: str) -> bytes:
    """What a file says (see `read_robots`); where only a part of it counts, that is told."""
    body = read_robots(Path(name))
    if note := cut_note(name, body):
        print(note, file=sys.stderr)
    return body


@contextmanager
def input_errors() -> Iterator[None]:
    """What is wrong with a file, as a CommandError."""
    try:
        yield
    except InputError as error:
        raise CommandError(str(error)) from error


def text_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a list with their numbers (from 1), stripped; blank ones and comments (`# ...`) are left out.

    Raises InputError where it cannot be read, or a line is no UTF-8, binary or too long.
    """
    try:
        with path.open("rb") as file:
            number = 0
            while octets := file.readline(_MAX_LINE + 1):
                number += 1
                text = _text(path, number, octets).strip()
                if text and not text.startswith("#"):
                    yield number, text
    except (OSError, ValueError) as error:
        raise _unreadable(path, error, "give the path of a text file") from error


def _text(path: Path, number: int, octets: bytes) -> str:
    if number == 1:
        if octets[:2] in UTF16_MARKS:
            raise fault(path, 1, "the file is UTF-16", "save it as UTF-8")
        if octets.startswith(COMPRESSED):
            raise fault(path, 1, "the file is compressed", "unpack it first")
        octets = octets.removeprefix(BOM)
    if len(octets) > _MAX_LINE:
        raise fault(path, number, f"longer than {_MAX_LINE:,} bytes", "give one entry a line")
    if b"\0" in octets:
        raise fault(path, number, "binary data, and no text", "give a file that is plain UTF-8 text")
    try:
        return octets.decode()
    except UnicodeDecodeError as error:
        raise fault(path, number, f"no UTF-8 at byte {error.start + 1}", "save the file as UTF-8") from error


def read_agents(path: Path) -> list[str]:
    """The crawlers of a file, one a line, each once: product tokens, whole User-Agent headers, `*` for any other.

    Raises InputError.
    """
    agents: dict[str, None] = {}
    for number, text in text_lines(path):
        agents[agent_of(path, number, text)] = None
    if not agents:
        raise fault(path, None, "names no crawler", "give one a line, such as Googlebot, or * for any other")
    return list(agents)


def agent_of(path: Path, number: int, text: str) -> str:
    """A crawler's name as it is. Raises InputError where it has no product token (RFC 9309 §2.2.1)."""
    if text != "*" and product_token(text) is None:
        raise fault(path, number, f"{printable(text, 60)!r} is no crawler", "give a name such as Googlebot, or *")
    return text


def read_urls(path: Path) -> Iterator[str]:
    """The URLs of a file, one a line: absolute, a path (`/private/x`), or JSON with a key `url`. Raises InputError."""
    empty = True
    for number, text in text_lines(path):
        empty = False
        yield url_of(path, number, text)
    if empty:
        raise fault(path, None, "holds no URL", "give one a line, such as https://example.com/x or /x")


def url_of(path: Path, number: int, text: str) -> str:
    """Raises InputError where a text is neither a URL, nor a path, nor JSON with one."""
    url = _json_url(text) if text.startswith("{") else text
    if not url or any(map(str.isspace, url)) or not (url.startswith("/") or "://" in url):
        what = f"{printable(text, 60)!r} is no URL"
        raise fault(path, number, what, 'give one such as https://example.com/x, a path such as /x, or {"url": "..."}')
    return url


def _json_url(text: str) -> str:
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    url = value.get("url")
    return url if isinstance(url, str) else ""


def cut_note(name: str, body: bytes) -> str:
    """What to tell of a file of which only a part counts; empty where all of it does."""
    if len(body) <= MAX_BYTES:
        return ""
    return f"{printable(name, 300)}: longer than {counted(MAX_BYTES, 'byte')}: what comes after them is not read"


def _unreadable(path: Path, error: OSError | ValueError, fix: str) -> InputError:
    return fault(path, None, f"cannot be read ({getattr(error, 'strerror', None) or error})", fix)
