"""From the bytes of a robots.txt to the lines that apply to one crawler.

Lines, fields and groups are read as Google's open-source parser reads them (github.com/google/robotstxt), which is
RFC 9309 §2.1-2.2 plus its tolerance of real files: a missing colon, misspelled fields, text after a product token.
Groups that address other crawlers are skipped here, so that nothing later is paid for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

#: Octets of a line that count; Google's parser ignores the rest of a longer one.
MAX_LINE = 2083 * 8 - 1

_BOM = b"\xef\xbb\xbf"
_UTF16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
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
_RULE_FIELDS = frozenset({DISALLOW, ALLOW})
_SITE_WIDE = frozenset({SITEMAP, HOST, CLEAN_PARAM})

#: Values kept of one field, and octets of a value: more than any real file has, few enough to hold for every origin.
MAX_VALUES = 500
MAX_VALUE = 2083


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
} | {b"": UNKNOWN}


Values: TypeAlias = dict[Field, list[bytes]]


#: An Allow or Disallow line: its number, whether it allows, its pattern and its whole text, both as in the file.
#: A bare tuple, because making one with named fields takes as long as reading the line.
Rule: TypeAlias = tuple[int, bool, bytes, bytes]


@dataclass(slots=True)
class Misread:
    """How many lines could not be understood: `unknown` have a field that nobody knows, `malformed` have none."""

    unknown: int = 0
    malformed: int = 0


@dataclass(frozen=True, slots=True)
class Group:
    """What a file says to one crawler, and what it says to all about itself.

    `name` is the product token that the file addresses the crawler by, "*", or None where it does not address it.
    `values` are the distinct values of the other fields that concern it, in their order, at most `MAX_VALUES` each.
    """

    name: str | None
    rules: list[Rule]
    values: Values
    misread: Misread


def looks_like_html(body: bytes) -> bool:
    """Whether a body begins as a web page does, comments and XML declaration apart."""
    head = body[:_HTML_BEGINS_WITHIN].removeprefix(_BOM).lstrip()
    while head.startswith((b"<!--", b"<?xml")):
        head = head.partition(b"-->" if head.startswith(b"<!--") else b"?>")[2].lstrip()
    return _HTML.match(head) is not None


def split_lines(body: bytes) -> list[bytes]:
    """Return the lines of a body; only CR, LF and CRLF end a line, so `lines[n - 1]` is line n of Google's parser."""
    for length in (3, 2, 1):  # Google's parser skips a torn byte order mark as well
        if body.startswith(_BOM[:length]):
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


def bridged(body: bytes) -> bytes | None:
    """Return as UTF-8 a body with the byte order mark of UTF-16 (RFC 9309 §2.3 lets a crawler bridge it), else None."""
    encoding = _UTF16.get(body[:2])
    return body[2:].decode(encoding, "ignore").encode("utf-8", "ignore") if encoding else None


@dataclass(frozen=True, slots=True)
class Reading:
    """A way to tell whether a User-agent line addresses the crawler: what `token` matches of it equals `name`.

    `name` None is a crawler that no line addresses but `*`.
    """

    name: bytes | None
    token: re.Pattern[bytes]

    def addresses(self, value: bytes) -> bool:
        if self.name is None:
            return False
        token = self.token.match(value)
        return token is not None and token[0].lower() == self.name


_RFC_TOKEN = re.compile(rb"[A-Za-z_-]+")
_TOKEN_WITH_DIGITS = re.compile(rb"[A-Za-z0-9_-]+")


def readings(token: str | None) -> tuple[Reading, ...]:
    """Return every way in which a file may address the crawler `token`; it has to be allowed in each of them.

    One, but for a name with digits. RFC 9309 has no such product tokens: of `Bot2000` Google's parser finds no line at
    all, a parser that cuts names where the RFC does finds `Bot`, and site owners mean `Bot2000`. All three are obeyed.
    """
    name = token.lower().encode("ascii", "ignore") if token else b""
    stem = _RFC_TOKEN.match(name)
    if stem and stem[0] == name:
        return (Reading(name, _RFC_TOKEN),)
    anyone = Reading(None, _RFC_TOKEN)
    if not name:
        return (anyone,)
    whole = Reading(name, _TOKEN_WITH_DIGITS)
    return (whole, Reading(stem[0], _RFC_TOKEN), anyone) if stem else (whole, anyone)


class _Part(NamedTuple):
    """What is said to the crawler by name, or to everyone."""

    rules: list[Rule]
    values: Values


def select(lines: Sequence[bytes], reading: Reading) -> Group:
    """Return the merged groups that address the crawler, or else those of `*` (RFC 9309 §2.2.1).

    A group is closed by the first User-agent line after a rule, and by nothing else (§2.2.4): neither by a blank line,
    nor by Crawl-delay, nor by a field that nobody knows. Crawl-delay and the like belong to the User-agent lines right
    above them, as Protego and urllib read them: there they close a group as a rule does.
    """
    own, everyone = _Part([], {}), _Part([], {})
    ever_own = ever_everyone = in_rules = in_values = False
    current: _Part | None = None
    named: _Part | None = None
    site_values: Values = {}
    misread = Misread()

    for number, field, value, text in _directives(lines, misread):
        if field in _RULE_FIELDS:
            in_values = True
            if current is not None:
                in_rules = True
                current.rules.append((number, field == ALLOW, value, text))
        elif field == USER_AGENT:
            if in_rules:
                current, in_rules = None, False
            if in_values:
                named, in_values = None, False
            if value[:1] == b"*" and not value[1:2].strip():
                ever_everyone = True
                current, named = current or everyone, named or everyone
            elif reading.addresses(value):
                ever_own = True
                current = named = own
        elif field in _SITE_WIDE:
            _keep(site_values, field, value)
        else:
            in_values = True
            _keep(named and named.values, field, value)

    part = own if ever_own else everyone
    name = reading.name.decode() if ever_own and reading.name else "*" if ever_everyone else None
    return Group(name, part.rules, part.values | site_values, misread)


def _directives(lines: Sequence[bytes], misread: Misread) -> Iterator[tuple[int, Field, bytes, bytes]]:
    """Yield number, field, value and text, comments cut off, of each line that has a known field; count the others."""
    common = _COMMON
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        text = (line.partition(b"#")[0] if b"#" in line else line).strip()
        if not text:
            continue
        if b":" in text:
            label, _, value = text.partition(b":")
        elif len(text) >= _SHORTEST_TWO_WORDS and (words := _two_words(text)):
            label, value = words
        else:
            misread.malformed += 1
            continue
        field = common.get(label)
        if field is None:
            field = _field_of(label)
        if field == UNKNOWN:
            misread.unknown += 1
            continue
        if field == SITEMAP and len(label.split()) > 1:  # "Sitemap https://...": the URL has the first colon
            value = text.split(None, 1)[1]
        yield number, field, value.strip(), text


def _two_words(text: bytes) -> tuple[bytes, ...] | None:
    """Split a line whose colon was forgotten; Google's parser takes it for one if it has two words and no more."""
    if b" " not in text and b"\t" not in text:
        return None
    words = _TWO_WORDS.fullmatch(text)
    return words and words.groups()


def _keep(values: Values | None, field: Field, value: bytes) -> None:
    if values is None or not value or len(value) > MAX_VALUE:
        return
    kept = values.setdefault(field, [])
    if len(kept) < MAX_VALUES and value not in kept:
        kept.append(value)
