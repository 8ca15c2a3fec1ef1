"""What a page carries, cut into pieces: every run of text and every tag, so that what was there before is told by hash.

The unit of work is one response's body, read once and without a tree (libxml2 takes the square of the number of
attributes of one tag). A piece is a run of text, which the data of a script is too, or a tag as it stands. Which of a
page's pieces are new is asked by `novelty`.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from html import unescape
from itertools import islice
from typing import NamedTuple

#: Of a longer page only so much is cut up, the rest is one piece: whatever it holds, it is read in 100 ms.
MAX_BYTES = 300_000

_PIECES = re.compile(rb"<[^>]*>?|[^<]+")
_COMMENT_OR_RAW = re.compile(rb"<!--|<(script|style|title|textarea)\b")
#: Tags that cut no text.
_WITHIN = re.compile(
    rb"""</?(?:b|i|u|em|strong|span|small|su[bp]|font|code|tt|abbr|wbr|bd[io]|mark|time)"""
    rb"""(?:\s+(?:class|id|dir|lang|color|size|face)"""
    rb"""\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>]+)){0,6}\s*>""",
    re.IGNORECASE,
)
_LINES = re.compile(rb"[^\n\r,{}\[\]]+")
#: Attributes that are shown, or of use to a script.
_CARRIES = re.compile(rb"\b(?:src|srcset|poster|alt|title|content|style|d|points|data|datetime|label)\b", re.IGNORECASE)
#: First letters of tags that show nothing by themselves: links, forms with their tokens, scripts with nonces.
_NOT_SHOWN = frozenset((b"a ", b"a\n", b"li", b"fo", b"in", b"ba", b"bo", b"ht", b"bu", b"op", b"ar", b"sc"))

_SITEMAP = re.compile(rb"<(?:\w{1,20}:)?(urlset|sitemapindex)[\s>]")
_SITEMAP_BEGINS = 2_048
_LOCATION = re.compile(rb"<(?:\w{1,20}:)?loc>\s*([^<\s]{1,4096})\s*<")
_MAX_LOCATIONS = 50_000


class Page(NamedTuple):
    """`pieces` in the order of the page, as bytes in `encoding`; `exact` is a digest of what it shows, 16 bytes, and
    `length` that of its text, in bytes."""

    pieces: list[bytes]
    exact: bytes
    length: int
    encoding: str = "utf-8"


def of_markup(body: bytes, encoding: str = "utf-8") -> Page:
    """Cut up HTML or XML whose encoding extends ASCII."""
    body, rest = body[:MAX_BYTES], body[MAX_BYTES:]
    if b"<!--" in body:
        body = _without_comments(body)
    body = _WITHIN.sub(b" ", body)
    pieces = [piece for piece in _PIECES.findall(body) if not piece.isspace()]
    if rest:
        pieces.append(rest)
    text: list[bytes] = []
    tags: list[bytes] = []
    for piece in pieces:
        if piece[:1] != b"<":
            text.append(piece)
        elif b"=" in piece and piece[1:3].lower() not in _NOT_SHOWN and _CARRIES.search(piece):
            tags.append(piece)
    return Page(pieces, _digest(b"\n".join(text + tags)), sum(map(len, text)), encoding)


def of_text(body: bytes, encoding: str = "utf-8") -> Page:
    """Cut up JSON and plain text: at lines, commas and brackets."""
    pieces = [piece for piece in _LINES.findall(body, 0, MAX_BYTES) if not piece.isspace()]
    if len(body) > MAX_BYTES:
        pieces.append(body[MAX_BYTES:])
    return Page(pieces, _digest(body), len(body), encoding)


def of_bytes(body: bytes) -> Page:
    """Anything else, such as a picture: one piece."""
    digest = _digest(body)
    return Page([digest], digest, len(digest), "latin-1")


def is_calendar(body: bytes) -> bool:
    """Whether a body is an iCalendar (RFC 5545 §3.4): the events of a page once more, new to the letter each time."""
    return body[:15].upper() == b"BEGIN:VCALENDAR"


def is_sitemap(body: bytes) -> bool:
    """Whether a body begins as a sitemap (sitemaps.org), that is as a list of pages.

    An index of sitemaps is none: it lists no pages, and may go on for ever.
    """
    found = _SITEMAP.search(body, 0, _SITEMAP_BEGINS)
    return found is not None and found[1] == b"urlset"


def locations(body: bytes) -> tuple[str, ...]:
    """The URLs that a sitemap or an index of them lists; none of any other body."""
    if not _SITEMAP.search(body, 0, _SITEMAP_BEGINS):
        return ()
    found = (unescape(match[1].decode("utf-8", "replace")) for match in _LOCATION.finditer(body))
    return tuple(dict.fromkeys(islice(found, _MAX_LOCATIONS)))


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


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).digest()
