"""What a page says, as a digest: two pages with the same digest are the same page to a reader.

The unit of work is one page, from the lxml tree that its selector has parsed already. Digests are of visible text as
Manku et al. (WWW'07) and Nutch's TextProfileSignature take it, but exact: dates, counters and tokens are left out, and
nothing else is, so that no two different pages fall together.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, cast
from unicodedata import normalize
from urllib.parse import parse_qsl, urljoin, urlsplit

from lxml import etree  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from lxml.etree import _Element  # type: ignore[import-untyped]

#: A page of fewer words is judged by all its text: on a list of stations a number may be all that differs.
SHORT_WORDS = 50

#: So many numbers, and so large a share of the words, are what a page is about (a table), no counters on it.
_TABLE_NUMBERS = 12
_TABLE_SHARE = 0.03

#: Longer tokens with a digit in them are nonces, ids and time stamps.
_TOKEN_LENGTH = 6

#: Consecutive numbers, this many at least, are a calendar's days or the links to pages 1, 2, 3.
_RUN = 3

MAX_LINKS = 2_000
"""So many links of a page are looked at."""

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

_TEXT = etree.XPath(
    "//text()[not(parent::script or parent::style or parent::noscript or parent::template)]", smart_strings=False
)
_URL_BEGINS = frozenset("/?h")
_LINKS = frozenset(("a", "area"))
_FRAMES = frozenset(("iframe", "frame"))
_SPACES = bytes(code if chr(code).isalnum() or code >= 0x80 or code == 0x0A else 0x20 for code in range(256))


@dataclass(frozen=True, slots=True)
class Page:
    """What quarantine needs of one page.

    `digest` is of the text without what changes by itself, `exact` of all of it; both are of 16 bytes and take in the
    paths of pictures and films. `length` is of the text, in characters, `words` its number of words. `blocks` are
    hashes of its blocks of text (valid in this process only) with their lengths, `links` absolute URLs without
    fragments, each once, in the order of the page.
    """

    digest: bytes
    exact: bytes
    length: int = 0
    words: int = 0
    blocks: tuple[tuple[int, int], ...] = ()
    links: tuple[str, ...] = ()


def of_tree(root: _Element, url: str) -> Page:
    """Digest an HTML page; `url` is its own, whose query values do not count where the page repeats them."""
    links, media = _references(root, url)
    nodes = [
        node
        for node in cast("list[str]", _TEXT(root))
        if not node.isspace() and not (node[:1] in _URL_BEGINS and _shows_url(node))
    ]
    text = "\n".join([node.replace("\n", " ") for node in nodes]).lower()
    if not text.isascii():
        text = normalize("NFKC", text)
    text = text.encode("utf-8", "replace").translate(_SPACES).decode("utf-8", "replace")
    words = text.split()
    told = words if len(words) < SHORT_WORDS else _without_noise(words, _echo(url))
    lines = dict.fromkeys(text.split("\n"))
    blocks = [(hash(line), len(line)) for line in lines]
    blocks += [(hash(source), len(source)) for source in media]
    return Page(
        digest=_digest(told, media),
        exact=_digest(words, media),
        length=len(text),
        words=len(words),
        blocks=tuple(blocks),
        links=links,
    )


def of_body(body: bytes, links: Iterable[str] = ()) -> Page:
    """Digest anything else: pictures, PDF, JSON, and XML, of whose numbers nothing may be left out."""
    digest = blake2b(body, digest_size=16).digest()
    return Page(digest=digest, exact=digest, length=len(body), links=tuple(dict.fromkeys(links)))


def _shows_url(text: str) -> bool:
    """Whether a link's text is where it leads."""
    return text.startswith(("/", "?", "http://", "https://")) and " " not in text


def _digest(words: list[str], media: list[str]) -> bytes:
    told = blake2b(" ".join(words).encode("utf-8", "replace"), digest_size=16)
    if media:
        told.update(("\n" + "\n".join(media)).encode("utf-8", "replace"))
    return told.digest()


def _without_noise(words: list[str], echo: frozenset[str]) -> list[str]:
    """Leave out dates, counters, tokens and `echo`; numbers stay on a page that is full of them."""
    different = set(words)
    noise = (different & _DATE_WORDS) | (different & echo)
    noise.update([word for word in different if not word.isalpha() and _changes(word)])
    numbers = _table(words) if len(noise) >= _TABLE_NUMBERS else ()
    told = [word for word in words if word not in noise] if noise else words
    return [*told, *numbers]


def _changes(word: str) -> bool:
    """Whether a word that is not all letters is a number, or a token with a digit."""
    return word.isdigit() or (any(map(str.isdigit, word)) and (len(word) >= _TOKEN_LENGTH or word[0].isdigit()))


def _table(words: list[str]) -> list[str]:
    """The numbers of a page that is full of them, without those that only count up, and years."""
    numbers = [int(word) for word in words if len(word) <= 2 * _TOKEN_LENGTH and word.isascii() and word.isdigit()]
    told: list[int] = []
    run: list[int] = []
    for number in [*numbers, -1]:
        if run and number != run[-1] + 1:
            if len(run) < _RUN:
                told += run
            run = []
        run.append(number)
    told = [number for number in told if not 1900 <= number < 2100]
    return [str(number) for number in told] if len(told) >= max(_TABLE_NUMBERS, _TABLE_SHARE * len(words)) else []


def _echo(url: str) -> frozenset[str]:
    query = url.partition("?")[2]
    if not query:
        return frozenset()
    values = " ".join(value for _, value in parse_qsl(query[:2_000], errors="replace")).lower()
    return frozenset(values.encode("utf-8", "replace").translate(_SPACES).decode("utf-8", "replace").split())


def _references(root: _Element, url: str) -> tuple[tuple[str, ...], list[str]]:
    """The links and the pictures of a page."""
    base = url
    hrefs: list[str] = []
    media: list[str] = []
    for element in root.iter("a", "area", "img", "source", "video", "audio", "iframe", "frame", "embed", "base"):
        tag = element.tag
        if tag in _LINKS:
            href = element.get("href")
            if href:
                hrefs.append(href)
        elif tag == "base":
            base = _joined(url, element.get("href") or "") or url
        else:
            source = element.get("src") or element.get("data-src")
            if source:
                media.append(source.partition("?")[0])
                if tag in _FRAMES:
                    hrefs.append(source)
    return _resolved(base, hrefs), media


def _resolved(base: str, hrefs: Iterable[str]) -> tuple[str, ...]:
    origin = "/".join(base.split("/", 3)[:3])
    links: dict[str, None] = {}
    for href in dict.fromkeys(hrefs):
        target = href.strip().partition("#")[0]
        if not target:
            continue
        # urljoin takes as long as all the rest together.
        if target[0] == "/" and target[1:2] != "/" and "/." not in target:
            links[origin + target] = None
        elif (link := _joined(base, target)) is not None:
            links[link] = None
        if len(links) >= MAX_LINKS:
            break
    return tuple(links)


def _joined(base: str, href: str) -> str | None:
    """The absolute URL, None for one that is no page's (mailto:) or none at all."""
    try:
        link = href if href[:4] == "http" and "/." not in href else urljoin(base, href)
        return link if link[:4] == "http" and urlsplit(link).hostname else None
    except ValueError:
        return None
