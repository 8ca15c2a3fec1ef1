"""Whether a page says something new: a piece that its site has not shown, beyond what the page's own URL explains.

A URL explains its own words and numbers, numbers next to these and, where it has a number, dates. What differs when the
same URL is fetched once more (counters, clocks, nonces, a random quote) is masked. Pieces are remembered as hashes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize
from urllib.parse import unquote_plus

from scrapy_polite.text import unescaped
from scrapy_polite.traps.date_words import date_words, digits, without_date_names
from scrapy_polite.traps.limits import CELL, LAST_DAY, LONG, MONTH, RUN, USUAL, WORD, YEARS
from scrapy_polite.traps.marks import mark_of
from scrapy_polite.traps.page import MAX_PIECE
from scrapy_polite.traps.patterns import parameter_names, parted
from scrapy_polite.traps.recent import Recent

if TYPE_CHECKING:
    from scrapy_polite.traps.page import Page

#: Pieces of one site that are remembered as they stand, and what is left of them without what URLs explain; both up to
#: twice. Some 90 bytes each. With fewer of the latter a trap that draws from a large pool says something new for ever.
MAX_PIECES, MAX_LEFT = 20_000, 50_000
#: Pieces of a page that are looked at closely: a page that is told by none of so many says nothing new.
MAX_LOOKED_AT = 400
#: The same of a page of a suspected group that says something new. With 400 the traps of benchmarks/trap_zoo.py take as
#: many pages, and a file of source code takes twice as long.
NOTED = 20
#: Characters of a piece, and of a URL, whose words are read.
_MAX_LENGTH = MAX_PIECE
#: What pages without anything new said as a whole is remembered of so many, and of so many pieces each. Any more
#: are told apart as they stand.
_MAX_WHOLE, _MAX_WHOLE_PIECES = 20_000, 1_000
#: Deeper paths are made alike.
_MAX_DEPTH = 6
#: What differs at most when a page is fetched again, else it is another page.
_MAX_VOLATILE = 50

#: A number, a word, or signs that are read as words: symbols, pictures, braille, private letters.
_TOKEN = re.compile(r"\d+|[^\W\d_]+|[\u2300-\u2bff\u4dc0-\u4dff\ue000-\uf8ff\U0001d000-\U0001faff]+")
_DIGITS = re.compile(r"[0-9]+")
#: What parts the digits of a long number: 104,857, 104.857, 104'857.
_GROUPS = re.compile(r"(?<=[0-9])[,.'\u2019](?=[0-9]{3}(?![0-9]))")
#: A sentence, or some short ones: each is told by itself, so that of a long text most need not be read. A long one is
#: not cut, for where depends on the words of the URL in it, and a search would say something new each time. A full stop
#: at a number ends none: "Dienstag, den 14. Juli", "Tuesday, Sept. 14".
_SENTENCE = re.compile(r".{16,}?(?:(?:(?<!\d)\.(?!\s\d)|[!?;:])(?=\s)|[\u3002\uff01\uff1f\n\t]|\Z)|.+", re.DOTALL)
#: Characters that a text without any word has at least, to be a picture and no rule between others.
_PICTURE = 8
#: One of any name: what stands in the value of another, as in `href="?y=2026&d=1"`, is none.
_ATTRIBUTE = re.compile(rb"""(?<![\w:.-])([\w:.-]+)\s*=\s*(?:"([^"]*)"?|'([^']*)'?|([^\s"'>]+))""")
#: Attributes that say nothing by themselves: they name a part of a page, lead somewhere, or tell how it is read; nor do
#: those of events, and what a hidden field sends.
_NAMING = frozenset(
    b"id class for form list key ref headers controls labelledby describedby owns activedescendant href action"
    b" formaction target ping cite usemap nonce integrity charset type lang dir rel media method".split()
)
_EVENT = b"on"
_HIDDEN = re.compile(rb"<input\b[^<>]*?\stype\s*=\s*[\"']?hidden\b", re.IGNORECASE)
#: Tags that show what they refer to.
_SHOWS_HREF = (b"<use", b"<image")
#: Attributes whose value is a reference: it counts as it stands, for `/p/81.jpg` is another picture than `/p/82.jpg`.
_SOURCES = frozenset((b"src", b"srcset", b"poster", b"style", b"data"))
_DATA = b"data-"
#: A date as forms send it (HTML §4.10.5.1.7), and any in figures.
_DAY = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)", re.ASCII)
_NUMERIC_DATE = re.compile(r"(?<!\d)(?:\d{4}([./-])\d{1,2}\1\d{1,2}|\d{1,2}([./-])\d{1,2}\2(?:\d{4}|\d{2}))(?!\d)")
#: Digits of a time in seconds since 1970, of one in milliseconds three more; seconds in a quarter of an hour.
_SECONDS, _QUARTER = 10, 900
_UNKNOWN = "\N{REPLACEMENT CHARACTER}"


def tokens(text: str) -> list[str]:
    """Words in lower case and numbers without leading zeros; digits of any script as ASCII.

    A longer text without any, such as a picture of lines and dots, is one word.
    """
    text = text[:_MAX_LENGTH]
    if not text.isascii():
        text = digits(normalize("NFKC", text))
    text = text.lower()
    has_numbers = _DIGITS.search(text)
    if has_numbers:
        text = _GROUPS.sub("", text)
    found = _TOKEN.findall(text)
    if not found and len(text) >= _PICTURE:
        signs = "".join(text.split())
        return [signs] if len(signs) >= _PICTURE else []
    if has_numbers:
        return [one.lstrip("0") or "0" if one[0] in "0123456789" else one for one in found]
    return found


class _Explained:
    """What a URL explains of its page."""

    def __init__(self, url: str, page: Page) -> None:
        self._page = page
        plain = unquote_plus(unquote_plus(url[:_MAX_LENGTH].partition("://")[2]))
        self.path = plain[plain.find("/") :] if "/" in plain else "/"
        # Two dates tell how many nights lie between them.
        nights = [str(abs(other - one)) for one, other in pairwise(_days(plain))]
        self.words = frozenset((*tokens(plain), *nights))
        self._own = frozenset(tokens(self.path)) if "?" in url else frozenset[str]()
        self.tokens = set(self.words)
        numbers = [int(one) for one in self.tokens if one.isdecimal() and len(one) < 16]
        self.numbered = bool(numbers)
        self.tokens.update(str(one + step) for one in numbers for step in (-1, 1))
        #: Digits that a page may show in pieces, as of a telephone number.
        self.digits = [one for one in _DIGITS.findall(plain) if len(one) >= LONG]

    def leaves(self, text: str, more: frozenset[str] = frozenset()) -> tuple[str, ...]:
        """The words of a text that the URL does not explain; where they tell a date, without it."""
        found = tokens(text)
        if self.numbered:
            found = _without_runs(_without_dates(text, found))
            if max(map(len, found), default=0) >= _SECONDS:
                found = [one for one in found if not _is_time(one)]
        left = [one for one in found if one not in self.tokens and one not in more]
        if left and self.digits:
            left = [one for one in left if not self._is_piece(one)]
        return tuple(left)

    def _is_piece(self, token: str) -> bool:
        """Whether a number is a piece of one in the URL; a single figure stands in most of these by chance."""
        return len(token) > 1 and token[0] <= "9" and any(token in run for run in self.digits)

    def is_part_of(self, href: str) -> bool:
        """Whether a reference has all words of this URL and its query, and so leads to the same search, with more."""
        return bool(self._own) and self._own.issubset(tokens(href))

    @cached_property
    def has_month(self) -> bool:
        """Whether a page whose URL has a number has all days of a month, of which its own says nothing."""
        return self.numbered and _has_month(self._page)


def _days(text: str) -> Iterator[int]:
    """The dates of a text as numbers of days."""
    for found in _DAY.findall(text):
        with suppress(ValueError):
            yield date.fromisoformat(found).toordinal()


def _without_dates(text: str, found: list[str]) -> list[str]:
    """The words of a text without those of dates, and the days and years beside these; `found` are all of them."""
    named = without_date_names(text)
    if named != text:
        return [one for one in tokens(named) if not (_is_day(one) or _is_year(one))]
    if _NUMERIC_DATE.search(text):
        found = tokens(_NUMERIC_DATE.sub(" ", text))
    words = date_words()
    if words.isdisjoint(found):
        return found
    dated = {at for at, one in enumerate(found) if one in words}
    for at in list(dated):
        before, after = found[max(at - 1, 0) : at], found[at + 1 : at + 3]
        if before and (_is_day(before[0]) or _is_year(before[0])):
            dated.add(at - 1)
        if after and (_is_day(after[0]) or _is_year(after[0])):
            dated.add(at + 1)
            if _is_year(after[-1]):
                dated.add(at + len(after))
    return [one for at, one in enumerate(found) if at not in dated]


def _without_runs(found: list[str]) -> list[str]:
    """The words of a text without numbers that count up, as the days of a month do."""
    if sum(map(str.isdecimal, found)) < RUN:
        return found
    kept: list[str] = []
    at = 0
    while at < len(found):
        end = at
        while end + 1 < len(found) and _counts_up(found[end], found[end + 1]):
            end += 1
        if end - at + 1 < RUN:
            kept += found[at : end + 1]
        at = end + 1
    return kept


def _counts_up(one: str, other: str) -> bool:
    """Whether a number follows another, or begins the next month."""
    return len(one) < 4 and one.isdecimal() and other in (str(int(one) + 1), "1")


def _is_time(token: str) -> bool:
    """Whether a number is a time since 1970, on a quarter of an hour, as midnight is anywhere, or a second before."""
    if len(token) < _SECONDS or not token.isdecimal() or token[_SECONDS:] not in ("", "000", "999"):
        return False
    return int(token[:_SECONDS]) % _QUARTER in (0, _QUARTER - 1)


def _is_day(token: str) -> bool:
    return len(token) <= 2 and token.isdecimal() and int(token) <= LAST_DAY


def _is_year(token: str) -> bool:
    return len(token) == 4 and token.isdecimal() and any(first <= int(token) < end for first, end in YEARS)


class Said(NamedTuple):
    """Whether a page says something `new`, and how many characters of its text are (`told`; all of them only where the
    whole of it was read). `same`: many pages like it say just that, but for what their URLs explain; a page that
    says known things in another combination is not the same. `fresh` is the share of the page that its site has not
    shown to the letter."""

    new: bool
    told: int
    same: bool
    fresh: float


class Novelty:
    """What one site has shown."""

    __slots__ = ("_left", "_pieces", "_whole")

    def __init__(self) -> None:
        self._pieces: Recent[int, bool] = Recent(MAX_PIECES)
        self._left: Recent[int, bool] = Recent(MAX_LEFT)
        #: How many pages that said nothing new have said just that, and how many there were, by how URLs are made.
        self._whole: Recent[int, int] = Recent(_MAX_WHOLE)

    def __len__(self) -> int:
        return len(self._pieces) + len(self._left) + len(self._whole)

    def remembered(self, most: int) -> tuple[list[int], list[int], list[int]]:
        """What pages have said, for `remember` in another process: marks of what was left of pieces, and of pages as a
        whole, with what is known of these; nothing where that is more than so many. What pieces are to the letter is
        found anew: on that rests the order alone."""
        if max(len(self._left), len(self._whole)) > most:
            return [], [], []
        whole = dict(self._whole.items())
        return [one for one, _ in self._left.items()], list(whole), list(whole.values())

    def remember(self, said: Sequence[int], whole: Sequence[int], known: Sequence[int]) -> None:
        for one in said:
            self._left.put(one, True)
        for one, what in zip(whole, known, strict=True):
            self._whole.put(one, what)

    def of(
        self,
        page: Page,
        url: str,
        volatile: frozenset[object] = frozenset(),
        *,
        noted: int = 0,
        compared: bool = True,
    ) -> Said:
        """What a page says that is new; notes what it says.

        `volatile` is what `differs` has found. Once a piece is new, no more of them are looked at than are to be
        `noted`; the others are noted as they stand, which is much quicker. For 0 the longest are looked at first. A
        page without anything new is `compared` with others like it.
        """
        pieces, known = page.pieces, self._pieces
        own: _Explained | None = None
        new = False
        told = looked_at = 0
        marks = list(map(hash, pieces))
        unknown = known.missing(marks)
        # Not: a tag without a value, or a link with nothing but a reference: most tags that are new.
        missing = [
            at
            for at in unknown
            if (piece := pieces[at])[:1] != b"<" or piece.count(b"=") > (piece[:3] in (b"<a ", b"<A "))
        ]
        lengths = list(map(len, pieces))
        fresh = sum(map(lengths.__getitem__, missing)) / (sum(lengths) or 1)
        if not noted:
            missing.sort(key=lengths.__getitem__, reverse=True)
        for at in missing:
            looked_at += 1
            if looked_at > (noted if new else MAX_LOOKED_AT):
                break
            if volatile and _is_volatile(pieces, at, volatile):
                continue
            own = own or _Explained(url, page)
            for left in _carried(page, at, own):
                if len(left) == 1 and _is_day(left[0]) and own.has_month:
                    continue
                # A reference is told from words.
                mark = mark_of(left) if isinstance(left, str) else mark_of(*left, "")
                if self._left.get(mark) is None:
                    self._left.put(mark, True)
                    new = True
                    told += sum(map(len, left)) if pieces[at][:1] != b"<" else 0
                    if not noted:
                        break
        # Tags without a value, too, so that they are not looked at on each page.
        known.put_all([marks[at] for at in unknown if b"=" not in pieces[at]], True)
        known.put_all([marks[at] for at in missing], True)
        same = compared and not new and self._is_usual(page, url, own or _Explained(url, page), volatile)
        return Said(new, told, same, fresh)

    def _is_usual(self, page: Page, url: str, own: _Explained, volatile: frozenset[object]) -> bool:
        """Whether a good part of the pages whose URLs are made as this one's say just what it says; notes it."""
        pieces = page.pieces
        own.tokens = set(own.words)  # numbers next to these are something said, among all that is said
        said: list[str] = []
        for at in range(min(len(pieces), _MAX_WHOLE_PIECES)):
            if not (volatile and _is_volatile(pieces, at, volatile)):
                for left in _carried(page, at, own, names=True):
                    said += [left] if isinstance(left, str) else left
        if own.has_month:
            said = [one for one in said if not _is_day(one)]
        _, path, query = parted(url)
        shape = mark_of(f"{min(path.count('/'), _MAX_DEPTH)}{parameter_names(query)}")
        # In any order: a table that is sorted anew says the same.
        whole = mark_of(str(shape), *sorted(said), *pieces[_MAX_WHOLE_PIECES:])
        like, all_ = (min(self._whole.get(one) or 0, 1 << 48) + 1 for one in (whole, shape))
        self._whole.put(whole, like)
        self._whole.put(shape, all_)
        # Week 32 may say what it says every year.
        foreseen = False
        for word in own.words:
            key = mark_of(str(shape), word)
            foreseen |= self._whole.get(key) == whole
            self._whole.put(key, whole)
        return foreseen or (like > 1 and like >= USUAL * all_)


def _has_month(page: Page) -> bool:
    """Whether a page has the days of a month, each in a cell of its own."""
    before = run = 0
    for piece in page.pieces:
        if piece[:1] == b"<" or len(piece) > CELL:
            continue
        number = tokens(_text(piece, page.encoding))
        if len(number) == 1 and number[0].isdecimal():
            run = run + 1 if int(number[0]) == before + 1 else 1
            before = int(number[0])
            if run >= MONTH:
                return True
    return False


def _carried(page: Page, at: int, own: _Explained, *, names: bool = False) -> Iterator[str | tuple[str, ...]]:
    """What is left of a piece: of each sentence, or of each attribute of a tag; with the `names` that links show."""
    piece = page.pieces[at]
    if piece[:1] != b"<":
        text = _text(piece, page.encoding)
        before = page.pieces[at - 1] if at else b""
        href = _href(before, page.encoding) if before[:2] in (b"<a", b"<A") else ""
        more = frozenset(tokens(href)) if href else frozenset[str]()
        for sentence in (match[0] for match in _SENTENCE.finditer(text)):
            if left := own.leaves(sentence, more):
                yield left
            elif names and sentence.strip() in href and not own.is_part_of(href):
                # The text of a link that stands in its reference says nothing, but for what names there are.
                yield tuple(word for word in own.leaves(sentence) if len(word) >= WORD and not word.isdecimal())
    elif not (piece[1:2] in b"iI" and _HIDDEN.match(piece)):
        yield from _carried_by_tag(piece, page.encoding, own)


def _carried_by_tag(tag: bytes, encoding: str, own: _Explained) -> Iterator[str | tuple[str, ...]]:
    shows = tag.startswith(_SHOWS_HREF)
    for name, tag_value in _attributes(tag):
        if (name in _NAMING and not (shows and name == b"href")) or name.startswith(_EVENT):
            continue
        value = _text(tag_value, encoding)
        if name in _SOURCES:
            if value and not (len(own.path) > 1 and own.path in unquote_plus(value)):
                yield value
        elif left := own.leaves(value):
            yield left


def _attributes(tag: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The attributes of a tag with their values: of `aria-label` and `xlink:href` the last word, of `data-` all."""
    for found in _ATTRIBUTE.finditer(tag[:_MAX_LENGTH]):
        name = found[1].lower()
        if not name.startswith(_DATA):
            name = name.rpartition(b":")[2].rpartition(b"-")[2]
        yield name, found[2] or found[3] or found[4] or b""


def _href(tag: bytes, encoding: str) -> str:
    found = next((value for name, value in _attributes(tag) if name == b"href"), b"")
    return unquote_plus(_text(found, encoding)) if found else ""


def _text(piece: bytes, encoding: str) -> str:
    piece = piece[:_MAX_LENGTH]
    try:
        text = piece.decode(encoding, "replace")
    except (LookupError, UnicodeError):
        text = piece.decode("utf-8", "replace")
    if _UNKNOWN in text:
        text = piece.decode("latin-1")  # a wrong encoding makes all alike
    return unescaped(text) if "&" in text else text


def differs(one: Page, other: Page) -> frozenset[object]:
    """What differs between two answers to the same request: shapes of pieces, and places in the page.

    Nothing where the answers have little in common.
    """
    apart = set(one.pieces) ^ set(other.pieces)
    if len(apart) > _MAX_VOLATILE:
        return frozenset()
    found: set[object] = {
        _shape(page.pieces, at) for page in (one, other) for at, piece in enumerate(page.pieces) if piece in apart
    }
    if len(one.pieces) == len(other.pieces):
        pairs = zip(one.pieces, other.pieces, strict=True)
        places = [(at, len(one.pieces)) for at, (a, b) in enumerate(pairs) if a != b]
        found.update(places if len(places) <= _MAX_VOLATILE else ())
    return frozenset(found)


def _is_volatile(pieces: Sequence[bytes], at: int, volatile: frozenset[object]) -> bool:
    return (at, len(pieces)) in volatile or _shape(pieces, at) in volatile


def _shape(pieces: Sequence[bytes], at: int) -> bytes:
    """A piece, a text with the tag before it, without figures and tokens."""
    piece = pieces[at][:_MAX_LENGTH]
    if piece[:1] != b"<" and at and pieces[at - 1][:1] == b"<":
        piece = pieces[at - 1][:_MAX_LENGTH] + piece
    return _FIGURES.sub(b"#", piece)


#: A value in the alphabet of Base64 that has figures and letters of both cases; a hexadecimal one; a number.
_FIGURES = re.compile(
    rb"""(?<=["'=:;])(?=[\w+/-]*?\d)(?=[\w+/-]*?[A-Z])(?=[\w+/-]*?[a-z])[\w+-][\w+/-]{15,}={0,2}(?=["'&,;])"""
    rb"""|\b[0-9a-f]{8,}\b|\d+"""
)
