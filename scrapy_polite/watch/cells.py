"""How many columns of a terminal a text takes, and texts cut and folded to so many. Texts are printable."""

from __future__ import annotations

from collections.abc import Iterator
from unicodedata import combining, east_asian_width

ELLIPSIS = "…"


def columns(text: str) -> int:
    """As most terminals have it: two for wide characters (UAX #11), none for those that go on top of others."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    if combining(character):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def cut(text: str, most: int) -> str:
    """As much of a text as fits, with an ellipsis where that is not all."""
    if columns(text) <= most:
        return text
    return _head(text, most - 1) + ELLIPSIS if most > 0 else ""


def padded(text: str, width: int, *, right: bool = False) -> str:
    """A cell of a table: as wide as that, cut where it is wider."""
    text = cut(text, width)
    space = " " * (width - columns(text))
    return space + text if right else text + space


def folded(text: str, width: int) -> Iterator[str]:
    """The lines of a text, broken at spaces, and within a word that is wider than a line. At least one."""
    line = ""
    for word in text.split():
        if line and columns(line) + 1 + columns(word) <= width:
            line = f"{line} {word}"
            continue
        if line:
            yield line
        line = word
        while columns(line) > width:
            head = _head(line, width) or line[0]
            yield head
            line = line[len(head) :]
    yield line


def _head(text: str, most: int) -> str:
    """The beginning of a text that takes no more than so many columns."""
    so_far = 0
    for at, character in enumerate(text):
        so_far += _columns(character)
        if so_far > most:
            return text[:at]
    return text
