"""What a page says, as a digest: two pages with the same digest are the same page to a reader.

The unit of work is one page, from the lxml tree that its selector has parsed already. Digests are of visible text as
Manku et al. (WWW'07) and Nutch's TextProfileSignature take it, but exact: dates, counters and tokens are left out, and
nothing else is, so that no two different pages fall together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from html import unescape
from itertools import filterfalse, islice, zip_longest
from typing import TYPE_CHECKING, cast
from unicodedata import normalize
from urllib.parse import parse_qsl

from lxml import etree  # type: ignore[import-untyped]

from scrapy_polite.links import MAX_LINKS, joined, resolved

if TYPE_CHECKING:
    from lxml.etree import _Element  # type: ignore[import-untyped]

#: Of a page of fewer words next to nothing is left out: on a list of stations a number may be all that differs.
SHORT_WORDS = 50

#: A line of so many characters, none of them a digit, is prose, in which "may" and "march" are no dates.
_PROSE = 150

#: So many words of the page's own query are looked for in it one by one; with more of them the words of prose are read.
_MAX_ECHO = 20

#: So many numbers, and so large a share of the words, are what a page is about (a table), no counters on it.
_TABLE_NUMBERS = 12
_TABLE_SHARE = 0.03

#: Longer tokens with a digit in them are nonces, ids and time stamps.
_TOKEN_LENGTH = 6

#: So many comments and processing instructions make no difference; so many characters are normalised at once.
_MAX_COMMENTS = 2_000
_PIECE = 512
#: That are none in the normal form either.
_ODD_SPACES = "\x85\u1680\u2028\u2029"

#: A picture is worth so many characters at least.
_PICTURE = 64

#: Consecutive numbers, this many at least, are a calendar's days or the links to pages 1, 2, 3.
_RUN = 3

#: A number that is no piece of a date, a time, an address or an id; and the letters that are looked at beside it.
_FIGURE = re.compile(
    r"(?!\d{1,2}\.\d{1,2}\.\d{2,4}\b)(?<![\w.,:/#-])\d{1,9}(?:[.,]\d{1,9}){0,3}(?![\w:/-]|[.,]\d)", re.ASCII
)
_WORD = re.compile(r"\w+")
_BESIDE = 30
_COUNTED = frozenset(
    (
        "clicks",
        "comments",
        "day",
        "guests",
        "hits",
        "kb",
        "mb",
        "members",
        "ms",
        "online",
        "page",
        "pages",
        "posts",
        "queries",
        "requests",
        "results",
        "s",
        "sec",
        "seconds",
        "times",
        "topics",
        "users",
        "views",
        "visitors",
        "visits",
        "week",
    )
)
_ID_LENGTH = 4
_MAX_FIGURES = 200

#: Of the query of a picture's URL what is there to get past a cache: by its name, or as a number or a nonce alone.
_BUSTERS = frozenset(
    (
        "_",
        "bust",
        "cache",
        "cachebuster",
        "cb",
        "hash",
        "mtime",
        "nocache",
        "rand",
        "random",
        "rev",
        "rnd",
        "t",
        "time",
        "timestamp",
        "ts",
        "v",
        "ver",
        "version",
    )
)
_BUSTER = re.compile(r"\d+\.\d{3,}|\d{9,}|[\da-f]{7,}|")

_DATE_WORDS = frozenset(
    (
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "jan",
        "feb",
        "mar",
        "apr",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "mon",
        "tue",
        "tues",
        "wed",
        "thu",
        "thur",
        "thurs",
        "fri",
        "sat",
        "sun",
        "am",
        "pm",
        "utc",
        "gmt",
        "cet",
        "cest",
        "est",
        "edt",
        "pst",
        "pdt",
        "ago",
        "today",
        "yesterday",
        "tomorrow",
    )
)

_TEXT = etree.XPath("//text()", smart_strings=False)
#: Of one kind of element only: libxml2 compares each of one set with each of the other to make one of both.
_HREFS = etree.XPath("//a/@href", smart_strings=False)
_HIDDEN = ("script", "style", "noscript", "template")
_REFERENCES = ("area", "img", "source", "video", "audio", "iframe", "frame", "embed", "base")
_SITEMAP = re.compile(rb"<(?:\w{1,20}:)?(urlset|sitemapindex)[\s>]")
_SITEMAP_BEGINS = 2_048
_LOCATION = re.compile(rb"<(?:\w{1,20}:)?loc>\s*([^<\s]{1,4096})\s*<")
_NUMBER = re.compile(r"\d+")
_DIGIT = re.compile(r"\d")
_URL_BEGINS = frozenset("/?h")
_FRAMES = frozenset(("iframe", "frame"))
#: What is no letter or digit becomes a space, and NUL, which no text of a page holds, the end of a line.
_SPACES = bytes(code if chr(code).isalnum() or code >= 0x80 else 0x20 if code else 0x0A for code in range(256))


@dataclass(frozen=True, slots=True)
class Page:
    """What quarantine needs of one page.

    `digest` is of the text without what changes by itself, `exact` of all of it; both are of 16 bytes and take in the
    URLs of pictures and films. `length` is of the text, in characters, `words` its number of words. `blocks` are
    hashes of its blocks of text (valid in this process only) with their lengths, `links` absolute URLs without
    fragments, each once, in the order of the page, those of maps and frames last. `texts` are those of the page as they
    stand, the title first.
    """

    digest: bytes
    exact: bytes
    length: int = 0
    words: int = 0
    blocks: tuple[tuple[int, int], ...] = ()
    links: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """The text as it stands, the title first."""
        return "\n".join(self.texts)


def of_tree(root: _Element, url: str) -> Page:
    """Digest an HTML page; `url` is its own, whose query values do not count where the page repeats them."""
    links, media = _references(root, url)
    # By value: to ask of each text what holds it takes ten times as long.
    hidden = {text for element in root.iter(*_HIDDEN) for text in (element.text, *[below.tail for below in element])}
    nodes = [*filterfalse(str.isspace, _texts(root))]
    if hidden:
        nodes = [*filterfalse(hidden.__contains__, nodes)]
    if shown := {node for node in nodes if node[:1] in _URL_BEGINS and _shows_url(node)}:
        if sum([node.count(" ") + 1 for node in nodes]) < SHORT_WORDS:
            shown &= {element.get("href") for element in root.iter("a")}
        nodes = [node for node in nodes if node not in shown]
    text = "\0".join(nodes).lower()
    if not text.isascii():
        text = _composed(text)
    text = text.encode("utf-8", "replace").translate(_SPACES).decode("utf-8", "replace")
    lines = text.split("\n")
    echo = _echo(url)
    if len(echo) <= _MAX_ECHO:
        echo = frozenset(filter(text.__contains__, echo))
    words, count, without_echo = _words(lines, echo)
    if count < SHORT_WORDS:
        words = text.split()
        told = _without_date(words, url, echo)
    else:
        told = _without_noise([without_echo.get(word, word) for word in words] if without_echo else words, count, echo)
    exact = _digest(words, media)
    blocks = [(hash(line), len(line)) for line in dict.fromkeys(lines)]
    blocks += [(hash(source), max(len(source), _PICTURE)) for source in media]
    return Page(
        digest=exact if told is words else _digest(told, media),
        exact=exact,
        length=len(text),
        words=count,
        blocks=tuple(blocks),
        links=links,
        texts=(root.findtext(".//title") or "", *nodes),
    )


def _texts(root: _Element) -> list[str]:
    """The texts of a page, those of its scripts too; line by line where it is full of comments.

    libxml2 sorts what it finds, and to compare two texts walks back over all there is between an element and them.
    """
    comments = root.iter(etree.Comment, etree.ProcessingInstruction)
    if next(islice(comments, _MAX_COMMENTS, None), None) is None:
        return cast("list[str]", _TEXT(root))
    return cast("str", etree.tostring(root, method="text", encoding="unicode")).split("\n")


def _composed(text: str) -> str:
    """`text` in its normal form (NFKC) and with plain spaces, in pieces: a run of marks takes the square of its length.

    A piece ends behind a space or a line, with which nothing is composed, or anywhere if there is none.
    """
    pieces = []
    start = 0
    while start < len(text):
        end = start + _PIECE
        if end < len(text):
            end = max(text.rfind(" ", start, end), text.rfind("\0", start, end)) + 1 or end
        pieces.append(normalize("NFKC", text[start:end]))
        start = end
    text = "".join(pieces)
    for space in _ODD_SPACES:
        text = text.replace(space, " ")
    return text


def figures(page: Page, url: str) -> frozenset[str]:
    """The numbers that a page tells, such as prices, results and measurements, for one that else says what another did.

    Left out are those of dates and times, of its own URL and of its links, those that count up, and those beside the
    words of a counter. Of ids only those of the title are told, with all of it: a nonce stands elsewhere.
    """
    title, _, text = page.shown.lower().partition("\n")
    echo = set(_NUMBER.findall(" ".join((url, *page.links[:_MAX_FIGURES]))))
    found = islice(_FIGURE.finditer(text), _MAX_FIGURES)
    told = {match[0] for match in found if match[0] not in echo and not _is_counter(text, match)}
    numbers = {int(figure) for figure in told if figure.isdigit()}
    told = {figure for figure in told if not figure.isdigit() or not {int(figure) - 1, int(figure) + 1} & numbers}
    ids = [word for word in _WORD.findall(title) if _is_id(word) and word not in url.lower()]
    return frozenset((*told, *ids, title) if ids else told)


def _is_counter(text: str, match: re.Match[str]) -> bool:
    """Whether a number is a year's, or the word before or after it is a date's or a counter's."""
    beside = {
        *_WORD.findall(text, max(match.start() - _BESIDE, 0), match.start())[-1:],
        *_WORD.findall(text, match.end(), match.end() + _BESIDE)[:1],
    }
    if _of_date(match[0]) and (int(match[0]) > 31 or beside & _DATE_WORDS):
        return True
    return bool(beside & _COUNTED)


def _is_id(word: str) -> bool:
    return len(word) >= _ID_LENGTH and not word.isalpha() and word[:2] not in ("19", "20")


def of_body(body: bytes, links: Iterable[str] = ()) -> Page:
    """Digest anything else: pictures, PDF, JSON, and XML, of whose numbers nothing may be left out."""
    digest = blake2b(body, digest_size=16).digest()
    return Page(digest=digest, exact=digest, length=len(body), links=tuple(dict.fromkeys(links)))


def is_calendar(body: bytes) -> bool:
    """Whether a body is an iCalendar (RFC 5545 §3.4): the events of a page once more, new to the letter each time."""
    return body[:15].upper() == b"BEGIN:VCALENDAR"


def is_sitemap(body: bytes) -> bool:
    """Whether a body begins as a sitemap (sitemaps.org), that is as a list of pages.

    An index of sitemaps is none: it lists no pages, and may go on for ever.
    """
    return _kind(body) == b"urlset"


def locations(body: bytes) -> tuple[str, ...]:
    """The URLs that a sitemap or an index of them lists, `MAX_LINKS` at most; none of any other body."""
    if not _kind(body):
        return ()
    found = (unescape(match[1].decode("utf-8", "replace")) for match in _LOCATION.finditer(body))
    return tuple(dict.fromkeys(islice(found, MAX_LINKS)))


def _kind(body: bytes) -> bytes:
    found = _SITEMAP.search(body, 0, _SITEMAP_BEGINS)
    return found[1] if found else b""


def _shows_url(text: str) -> bool:
    """Whether a text is a URL: that of a link, as its text, or the page's own."""
    return text.startswith(("/", "?", "http://", "https://")) and " " not in text


def _digest(words: list[str], media: list[str]) -> bytes:
    told = blake2b(" ".join(words).encode("utf-8", "replace"), digest_size=16)
    if media:
        told.update(("\n" + "\n".join(media)).encode("utf-8", "replace"))
    return told.digest()


def _words(lines: Iterable[str], echo: frozenset[str]) -> tuple[list[str], int, dict[str, str]]:
    """The words of a page, their number, and what stands for some of them without `echo`.

    A line of prose is one word, spaces and all: that takes half the time. Joined, the words are the text, wherever a
    line ends. In prose `echo` is looked for, but nothing else that changes.
    """
    words: list[str] = []
    short: list[str] = []
    without_echo: dict[str, str] = {}
    in_prose = 0
    for line in lines:
        if len(line) < _PROSE or _has_digit(line):
            short.append(line)
            continue
        prose = _folded(line)
        spaces = prose.count(" ")
        if len(prose) - spaces < _PROSE:
            short.append(line)
            continue
        words += " ".join(short).split()
        short.clear()
        words.append(prose)
        in_prose += spaces
        if echo and (len(echo) > _MAX_ECHO or any(map(prose.__contains__, echo))):
            without_echo[prose] = " ".join([word for word in prose.split(" ") if word not in echo])
    words += " ".join(short).split()
    return words, len(words) + in_prose, without_echo


def _folded(line: str) -> str:
    """A line without the spaces that another one follows, or that stand at its ends."""
    while "  " in line:
        line = line.replace("  ", " ")
    return line.strip(" ")


def _has_digit(line: str) -> bool:
    if not line.isascii():
        return _DIGIT.search(line) is not None
    # A third of what a search takes.
    return len(line.encode().translate(None, b"0123456789")) < len(line)


def _without_date(words: list[str], url: str, echo: frozenset[str]) -> list[str]:
    """Of a short page leave out its date, and the numbers of its own URL: a month without events says nothing else."""
    noise = _DATE_WORDS.intersection(words)
    echo |= {number.lstrip("0") for number in _NUMBER.findall(url[:2_000])}
    dated = bool(noise)
    return [
        word
        for word in words
        if word not in noise and word.lstrip("0") not in echo and word not in echo and not (dated and _of_date(word))
    ]


def _of_date(word: str) -> bool:
    """Whether a word may be a day or a year."""
    return len(word) <= 4 and word.isascii() and word.isdigit() and (int(word) <= 31 or 1900 <= int(word) < 2100)


def _without_noise(words: list[str], count: int, echo: frozenset[str]) -> list[str]:
    """Leave out dates, counters, tokens and `echo`; numbers stay on a page that is full of them.

    `count` is the number of words, those in prose too.
    """
    odd = [*filterfalse(str.isalpha, words)]
    digits = [*filter(str.isdigit, odd)]
    tokens = filter(_is_token, filterfalse(str.isdigit, odd))
    noise = {*_DATE_WORDS.intersection(words), *(echo and echo.intersection(words)), *digits, *tokens}
    if not noise:
        return words
    numbers = _table(digits, count) if len(noise) >= _TABLE_NUMBERS else ()
    return [*filterfalse(noise.__contains__, words), *numbers]


def _is_token(word: str) -> bool:
    """Whether a word that is not all letters, and no number, is a token with a digit."""
    return " " not in word and any(map(str.isdigit, word)) and (len(word) >= _TOKEN_LENGTH or word[0].isdigit())


def _table(digits: list[str], words: int) -> list[str]:
    """The numbers of a page that is full of them, without those that only count up, and years.

    `digits`: those of so many `words` that are all digits.
    """
    numbers = [int(word) for word in digits if len(word) <= 2 * _TOKEN_LENGTH and word.isascii()]
    told: list[int] = []
    start = 0
    for end, (number, following) in enumerate(zip_longest(numbers, numbers[1:]), 1):
        if following != number + 1:
            if end - start < _RUN:
                told += numbers[start:end]
            start = end
    told = [number for number in told if not 1900 <= number < 2100]
    return [str(number) for number in told] if len(told) >= max(_TABLE_NUMBERS, _TABLE_SHARE * words) else []


def _echo(url: str) -> frozenset[str]:
    query = url.partition("?")[2]
    if not query:
        return frozenset()
    values = " ".join(value for _, value in parse_qsl(query[:2_000], errors="replace")).lower()
    return frozenset(values.encode("utf-8", "replace").translate(_SPACES).decode("utf-8", "replace").split())


def _references(root: _Element, url: str) -> tuple[tuple[str, ...], list[str]]:
    """The links and the pictures of a page."""
    base = ""
    hrefs = cast("list[str]", _HREFS(root))
    media: list[str] = []
    for element in root.iter(*_REFERENCES):
        tag = element.tag
        if tag == "base":
            base = base or joined(url, element.get("href") or "") or ""
        elif tag == "area":
            hrefs.append(element.get("href") or "")
        elif source := element.get("src") or element.get("data-src"):
            media.append(_without_busters(source) if "?" in source else source)
            if tag in _FRAMES:
                hrefs.append(source)
    return resolved(base or url, hrefs), media


def _without_busters(source: str) -> str:
    """The URL of a picture without what only gets past a cache."""
    path, _, query = source.partition("?")
    pairs = []
    for pair in query.split("&"):
        name, _, value = pair.rpartition("=")
        if name not in _BUSTERS and not (name[-2:] != "id" and _BUSTER.fullmatch(value)):
            pairs.append(pair)
    return f"{path}?{'&'.join(pairs)}" if pairs else path
