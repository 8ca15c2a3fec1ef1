"""From the bytes of a robots.txt to its lines, and what each of them is about. All dialects share this.

Lines and fields are read as Google's open-source parser reads them (github.com/google/robotstxt), which is RFC 9309
§2.2 plus its tolerance of real files: a missing colon, misspelled fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

#: Octets of a line that count; Google's parser ignores the rest of a longer one.
MAX_LINE = 2083 * 8 - 1

#: Byte order mark of UTF-8.
BOM = b"\xef\xbb\xbf"
#: Byte order marks of UTF-16, and the name of their encoding.
UTF16_MARKS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
GZIP = b"\x1f\x8b"
#: What compressed files begin with.
COMPRESSED = (GZIP, b"PK\x03\x04", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd", b"BZh")
_HTML = re.compile(rb"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_HTML_BEGINS_WITHIN = 4_096
_TWO_WORDS = re.compile(rb"([^ \t]+)[ \t]+([^ \t]+)")
_SHORTEST_TWO_WORDS = len(b"a b")  # spares the 250,000 lines that half a megabyte can have the search


#: What a line is about. Integers, because looking up an Enum's member costs as much as reading a line (Python 3.11).
Field: TypeAlias = int
UNKNOWN, DISALLOW, ALLOW, USER_AGENT, SITEMAP, CRAWL_DELAY, REQUEST_RATE, VISIT_TIME, HOST, CLEAN_PARAM = range(10)

#: Spellings that Google's parser accepts; a longer name that starts with one counts too ("Disallowed").
_STEMS: tuple[tuple[tuple[bytes, ...], Field], ...] = (
    ((b"user-agent", b"useragent", b"user agent"), USER_AGENT),
    ((b"allow",), ALLOW),
    ((b"disallow", b"dissallow", b"dissalow", b"disalow", b"diasllow", b"disallaw"), DISALLOW),
    ((b"sitemap", b"site-map"), SITEMAP),
)
#: Fields that Google's parser does not know, under their exact names.
_NAMES: dict[bytes, Field] = {
    b"crawl-delay": CRAWL_DELAY,
    b"crawl delay": CRAWL_DELAY,
    b"crawldelay": CRAWL_DELAY,
    b"request-rate": REQUEST_RATE,
    b"request rate": REQUEST_RATE,
    b"visit-time": VISIT_TIME,
    b"visit time": VISIT_TIME,
    b"host": HOST,
    b"clean-param": CLEAN_PARAM,
}


def _field_of(name: bytes) -> Field:
    name = name.strip().lower()
    for stems, what in _STEMS:
        if name.startswith(stems):
            return what
    return _NAMES.get(name, UNKNOWN)


#: Nearly every line of real files uses one of these spellings: looked up before anything is computed.
_COMMON: dict[bytes, Field] = {
    spelling: _field_of(spelling)
    for name in (b"user-agent", b"disallow", b"allow", b"sitemap", b"crawl-delay", b"host", b"clean-param")
    for spelling in (name, name.capitalize(), name.title())
}


@dataclass(slots=True)
class Misread:
    """How many lines could not be understood: `unknown` have a field that nobody knows, `malformed` have none."""

    unknown: int = 0
    malformed: int = 0


#: A line that says something: its number, field and value, and all of it but for a comment. A bare tuple, because
#: making one with named fields takes as long as reading the line.
Directive: TypeAlias = tuple[int, Field, bytes, bytes]


def looks_like_html(body: bytes) -> bool:
    """Whether a body begins as a web page does, comments and XML declaration apart."""
    head = body[:_HTML_BEGINS_WITHIN].removeprefix(BOM).lstrip()
    if head[:1] != b"<":
        return False
    while head.startswith((b"<!--", b"<?xml")):
        head = head.partition(b"-->" if head.startswith(b"<!--") else b"?>")[2].lstrip()
    return _HTML.match(head) is not None


def split_lines(body: bytes) -> list[bytes]:
    """Return the lines of a body; only CR, LF and CRLF end a line, so `lines[n - 1]` is line n of Google's parser."""
    for length in (3, 2, 1):  # Google's parser skips a torn byte order mark as well
        if body.startswith(BOM[:length]):
            body = body[length:]
            break
    if b"\r" in body:
        body = body.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    lines = body.split(b"\n")
    if len(body) > MAX_LINE and max(map(len, lines)) > MAX_LINE:
        lines = [line[:MAX_LINE] for line in lines]
    if b"\0" in body:  # to Google's parser a line is a C string
        lines = [line.partition(b"\0")[0] for line in lines]
    return lines


def bridged(body: bytes) -> bytes:
    """Return as UTF-8 a body that begins with one of `UTF16_MARKS` (RFC 9309 §2.3 lets a crawler bridge encodings)."""
    return body[2:].decode(UTF16_MARKS[body[:2]], "ignore").encode("utf-8", "ignore")


def directives(lines: Iterable[bytes], misread: Misread) -> Iterator[Directive]:
    """Yield each line that has a known field; count the others, but for blank ones and comments."""
    known = _COMMON.get
    for number, whole in enumerate(lines, 1):
        if not whole:
            continue
        line = whole.partition(b"#")[0] if b"#" in whole else whole
        label, colon, value = line.partition(b":")
        field = known(label) if colon else None
        if field is None:
            text = line.strip()
            if not text:
                continue
            field, value = _read(text, misread)
            if field == UNKNOWN:
                continue
        yield number, field, value.strip(), line


def _read(text: bytes, misread: Misread) -> tuple[Field, bytes]:
    """Field and value of a line that is not spelled as most are."""
    label, colon, value = text.partition(b":")
    if not colon:
        words = _two_words(text)
        if words is None:
            misread.malformed += 1
            return UNKNOWN, b""
        label, value = words
    field = _field_of(label) if label else UNKNOWN
    if field == UNKNOWN:
        misread.unknown += 1
    elif field == SITEMAP and len(label.split()) > 1:  # "Sitemap https://...": the URL has the first colon
        value = text.split(None, 1)[1]
    return field, value


def _two_words(text: bytes) -> tuple[bytes, ...] | None:
    """Split a line whose colon was forgotten; Google's parser takes it for one if it has two words and no more."""
    if len(text) < _SHORTEST_TWO_WORDS or (b" " not in text and b"\t" not in text):
        return None
    words = _TWO_WORDS.fullmatch(text)
    return words and words.groups()
