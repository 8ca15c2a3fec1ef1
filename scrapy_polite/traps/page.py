"""What a page carries: a hash of what it shows, and, where that is asked for, its text and tags in pieces.

The unit of work is one response's body, read without a tree (libxml2 takes the square of the number of attributes of
one tag). A piece is a run of text, which the data of a script is too, or a tag as it stands; which of a page's pieces
are new is asked by `novelty`. Most pages are hashed only: see `groups.Groups.arrive`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property, partial
from hashlib import blake2b

from scrapy_polite.traps.marks import mark_of

#: Bytes of a page that are cut up, and those behind them that are one piece; what is left is hashed where it stands.
#: Whatever a page of 1 MB holds, it is read in 100 ms, and hardly anything of a huge one is copied.
MAX_BYTES, MAX_REST = 200_000, 800_000

_PIECES = re.compile(rb"<[^>]*>?|[^<\s][^<]*")
_COMMENT_OR_RAW = re.compile(rb"<!--|<(script|style|title|textarea)\b")
#: Tags that cut no text; most others are told by their first letter.
_WITHIN = re.compile(
    rb"""<(?=/?[abcefimstuw])/?(?:b|i|u|em|strong|span|small|su[bp]|font|code|tt|abbr|wbr|bd[io]|mark|time)"""
    rb"""(?:\s+(?:class|id|dir|lang|color|size|face)"""
    rb"""\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>]+)){0,6}\s*>""",
    re.IGNORECASE,
)
#: Tags that show nothing by themselves: at the end of an element, without a value, links, lists, forms with their
#: tokens, scripts with nonces, and what has a class or an id alone.
_NOT_SHOWN = re.compile(
    rb"""<(?:/[^<>]*|[aA]\s[^<>]*|(?:li|fo|in|ba|bo|ht|bu|op|ar|sc)[^<>]*"""
    rb"""|\w+(?:\s(?:class|id)=(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>]+)){0,2}|[^<>=]*)>\s*"""
)
_LINES = re.compile(rb"[^\n\r,{}\[\]]+")

_SITEMAP = re.compile(rb"<(?:\w{1,20}:)?(urlset|sitemapindex)[\s>]")
_SITEMAP_BEGINS = 2_048


class Page:
    """`exact` is a hash of what the page shows, alike in one process only; `pieces` are in the order of the page, as
    bytes in `encoding`."""

    def __init__(
        self,
        shown: bytes,
        cut: Callable[[], list[bytes]],
        encoding: str | Callable[[], str],
        markup: bytes = b"",
        rest: memoryview | None = None,
    ) -> None:
        self.exact = hash((shown, rest) if rest else shown)
        #: What it shows as it stands, without most tags; and HTML or XML without comments, nothing of another page.
        self.shown, self.markup = shown, markup
        #: Whether there is more of its markup than `MAX_BYTES`.
        self.is_long = bool(rest)
        self._cut = cut
        self._encoding = encoding

    @cached_property
    def pieces(self) -> list[bytes]:
        return self._cut()

    @cached_property
    def encoding(self) -> str:
        return self._encoding if isinstance(self._encoding, str) else self._encoding()

    @cached_property
    def length(self) -> int:
        """Bytes of its text."""
        return sum(len(piece) for piece in self.pieces if piece[:1] != b"<")


def of_markup(body: bytes, encoding: str | Callable[[], str] = "utf-8") -> Page:
    """HTML or XML whose encoding extends ASCII."""
    rest, body = memoryview(body)[MAX_BYTES:], body[:MAX_BYTES]
    if b"<!--" in body:
        body = _without_comments(body)
    shown = _NOT_SHOWN.sub(b"", body)
    return Page(shown, partial(_cut_markup, body, rest), encoding, body, rest)


def of_text(body: bytes, encoding: str | Callable[[], str] = "utf-8") -> Page:
    """JSON and plain text: cut at lines, commas and brackets."""
    return Page(body, partial(_cut_text, body), encoding)


def of_bytes(body: bytes) -> Page:
    """Anything else, such as a picture: one piece."""
    return Page(body, lambda: [b"%d" % mark_of(body)], "ascii")


def _cut_markup(body: bytes, rest: memoryview) -> list[bytes]:
    return _PIECES.findall(_WITHIN.sub(b" ", body)) + _not_cut(rest)


def _cut_text(body: bytes) -> list[bytes]:
    pieces = [piece for piece in _LINES.findall(body, 0, MAX_BYTES) if not piece.isspace()]
    return pieces + _not_cut(memoryview(body)[MAX_BYTES:])


def _not_cut(rest: memoryview) -> list[bytes]:
    pieces = [bytes(rest[:MAX_REST])] if rest else []
    if len(rest) > MAX_REST:
        pieces.append(blake2b(rest[MAX_REST:], digest_size=8).hexdigest().encode())
    return pieces


def is_calendar(body: bytes) -> bool:
    """Whether a body is an iCalendar (RFC 5545 §3.4): the events of a page once more, new to the letter each time."""
    return body[:15].upper() == b"BEGIN:VCALENDAR"


def is_sitemap(body: bytes) -> bool:
    """Whether a body begins as a sitemap (sitemaps.org), that is as a list of pages.

    An index of sitemaps is none: it lists no pages, and may go on for ever.
    """
    found = _SITEMAP.search(body, 0, _SITEMAP_BEGINS)
    return found is not None and found[1] == b"urlset"


def _without_comments(body: bytes) -> bytes:
    """By hand: a lazy pattern is tried anew at each of a million beginnings without an end. What stands in a script or
    a title is no comment (HTML §13.2.5)."""
    kept = []
    at = 0
    lower = body.lower()
    while found := _COMMENT_OR_RAW.search(lower, at):
        if found[1]:
            end = lower.find(b"</" + found[1], found.end())
            end = len(body) if end < 0 else end
            kept.append(body[at:end])
            at = end
            continue
        kept.append(body[at : found.start()])
        end = body.find(b"-->", found.start() + 2)
        if end < 0:
            return b"".join(kept)
        at = end + 3
    return b"".join((*kept, body[at:]))
