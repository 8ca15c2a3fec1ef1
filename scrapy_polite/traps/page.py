"""What a page carries: a hash of what it shows, and, where that is asked for, its text and tags in pieces.

The unit of work is one response's body, read without a tree (libxml2 takes the square of the number of attributes of
one tag). A piece is a run of text, which the data of a script is too, or a tag as it stands; which of a page's pieces
are new is asked by `novelty`. Most pages are hashed only: see `groups.Groups.arrive`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from hashlib import blake2b

from scrapy_polite.traps.marks import mark_of

#: Bytes of a page that are cut up, and those behind them that are one piece; what is left is hashed where it stands.
#: Whatever a page of 1 MB holds, it is read in 100 ms, and hardly anything of a huge one is copied.
MAX_BYTES, MAX_REST = 200_000, 800_000

#: A tag, or text. What no name follows is no tag (HTML §13.2.5.6).
_PIECES = re.compile(rb"<(?=[a-zA-Z/!?])[^>]*>?|[^<\s][^<]*")
_COMMENT_OR_RAW = re.compile(rb"<!--|<(script|style|title|textarea)\b")
_COMMENT_END = re.compile(rb"--!?>")
_VALUE = rb"""(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>]+)"""
#: Tags that cut no text; most others are told by their first letter.
_WITHIN = re.compile(
    rb"""<(?=/?[abcefimstuw])/?(?:b|i|u|em|strong|span|small|su[bp]|font|code|tt|abbr|wbr|bd[io]|mark|time)"""
    rb"""(?:\s+(?:class|id|dir|lang|color|size|face)\s*=\s*%b){0,6}\s*>""" % _VALUE,
    re.IGNORECASE,
)
_LINK = rb"(?:class|id|rel|target)=" + _VALUE
#: What shows nothing by itself, or differs where the URL alone does: tags at the end of an element or without a value
#: but an id, references of links, where forms send to, hidden fields with their tokens, scripts with nonces.
_NOT_SHOWN = re.compile(
    rb"""<(?:/[^<>]*>|[aA]\s(?:%b\s+){0,4}[hH][rR][eE][fF]=%b(?:\s+%b)*>?|(?:form|link|base|body|html|script)\b[^<>]*>"""
    rb"""|input\s(?=[^<>]*?\btype=["']?hidden\b)[^<>]*>|\w+(?:\sid=%b)?\s*>)\s*""" % (_LINK, _VALUE, _LINK, _VALUE)
)
#: Bytes of a piece of text at most: of a longer one, as the data of a script is, each value is a piece.
MAX_PIECE = 4_000
_VALUES = re.compile(rb"[^\n\r,{}\[\]]{1,%d}" % MAX_PIECE)
_CDATA = b"<![CDATA["
#: Where a link leads, without what an alias changes of it: host, parameters, letter case.
_LEADS_TO = re.compile(
    rb"""<[aA]\s[^<>]*?[hH][rR][eE][fF]\s*=\s*["']?(?:https?:)?(?://[^\s"'<>/?;#]*)?([^\s"'<>?;#]*)"""
)

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
    def leads_to(self) -> int:
        """A hash of the paths that its links lead to, alike in one process only."""
        return hash(b" ".join(_LEADS_TO.findall(self.markup)).lower())

    @cached_property
    def length(self) -> int:
        """Bytes of its text."""
        return sum(len(piece) for piece in self.pieces if piece[:1] != b"<")


def of_markup(body: bytes, encoding: str | Callable[[], str] = "utf-8") -> Page:
    """HTML or XML whose encoding extends ASCII."""
    rest, body = memoryview(body)[MAX_BYTES:], body[:MAX_BYTES].replace(_CDATA, b" ")
    body, commented = _without_comments(body) if b"<!--" in body else (body, b"")
    whole = body + commented
    return Page(_NOT_SHOWN.sub(b"", whole), partial(_cut_markup, whole, rest), encoding, body, rest)


def of_text(body: bytes, encoding: str | Callable[[], str] = "utf-8") -> Page:
    """JSON and plain text: cut at lines, commas and brackets."""
    return Page(body, partial(_cut_text, body), encoding)


def of_bytes(body: bytes) -> Page:
    """Anything else, such as a picture: one piece."""
    return Page(body, lambda: [b"%d" % mark_of(body)], "ascii")


def _cut_markup(body: bytes, rest: memoryview) -> list[bytes]:
    body = _WITHIN.sub(b" ", body)
    pieces = _PIECES.findall(body)
    if _has_long_piece(body):
        pieces = [part for before, piece in zip((b"", *pieces), pieces, strict=False) for part in _parts(piece, before)]
    return pieces + _not_cut(rest)


def _has_long_piece(body: bytes) -> bool:
    """Whether more than `MAX_PIECE` bytes stand between two tags. All pieces are looked at only then."""
    for at in range(MAX_PIECE, len(body), MAX_PIECE):
        end = body.find(b"<", at)
        if (end if end >= 0 else len(body)) - body.rfind(b"<", 0, at) > MAX_PIECE:
            return True
    return False


def _parts(piece: bytes, before: bytes) -> Sequence[bytes]:
    """The values of a long text, or a tag and the values of what is behind its beginning. A style sheet stays whole."""
    if len(piece) <= MAX_PIECE or before[:6].lower() == b"<style":
        return (piece,)
    if piece[:1] == b"<":
        return [piece[:MAX_PIECE], *_cut_values(piece[MAX_PIECE:])]
    return _cut_values(piece)


def _cut_values(text: bytes) -> list[bytes]:
    return [piece for piece in _VALUES.findall(text) if not piece.isspace()]


def _cut_text(body: bytes) -> list[bytes]:
    return _cut_values(body[:MAX_BYTES]) + _not_cut(memoryview(body)[MAX_BYTES:])


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


def _without_comments(body: bytes) -> tuple[bytes, bytes]:
    """A body without its comments, and those that are markup or data: some sites leave it to their scripts to show it.

    By hand: a lazy pattern is tried anew at each of a million beginnings without an end. What stands in a script or a
    title is no comment (HTML §13.2.5)."""
    kept, commented = [], []
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
        closed = _COMMENT_END.search(body, found.start() + 2)
        if closed is None:
            at = len(body)
            break
        comment = body[found.end() : closed.start()]
        if b"</" in comment or comment.lstrip()[:1] == b"{":
            commented.append(comment)
        at = closed.end()
    return b"".join((*kept, body[at:])), b"".join(commented)
