"""What a sitemap lists (sitemaps.org/protocol.html): XML, an index of sitemaps, a plain list of URLs, RSS or Atom.

Read piece by piece, without a tree; what comes before a fault counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timezone
from email.utils import parsedate_to_datetime

from lxml import etree

from scrapy_polite.sitemaps.unpacking import Unreadable, pieces

#: URLs of one file (sitemaps.org).
MAX_URLS = 50_000
#: Characters of one value; a URL that is longer is none of sitemaps.org's (2,048), and is left out.
_MAX_CHARS = 4_096
_MAX_DATE_CHARS = 40
#: Elements of one file, and how deep they may be in each other: an honest 50 MB have half as many at most. More: time
#: of the loop for a file that lists nothing.
MAX_ELEMENTS, _MAX_DEPTH = 1_000_000, 200
#: Characters of a value from which on the file is left: it lists nothing.
_MAX_VALUE = 65_536
#: Bytes in which a parser has to come upon something: a tag or comment that is longer is held whole, and takes long.
_MAX_SILENT = 262_144
#: Names of elements: feeds with all their extensions have a few dozen. More: the memory of a file that has no other.
_MAX_NAMES = 1_000
#: An ampersand that is none of an entity: many write URLs as they are. The parser would cut the URL there.
_BARE_AMPERSAND = re.compile(rb"&(?!(?:[A-Za-z][A-Za-z0-9]{0,20}|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});)")
_CDATA = b"<![CDATA["
#: What may be torn at the end of a piece: how it begins, and the bytes of the longest that the patterns know.
_TORN = ((b"&", 24), (b"<", len(_CDATA) - 1))
#: By root element: the element of one entry.
_ENTRIES = {"urlset": "url", "sitemapindex": "sitemap", "rss": "item", "RDF": "item", "feed": "entry"}
#: What an element within an entry says.
_FIELDS = {"loc": "url", "lastmod": "lastmod", "changefreq": "changefreq", "pubDate": "lastmod", "updated": "lastmod"}
_FREQUENCIES = frozenset({"always", "hourly", "daily", "weekly", "monthly", "yearly", "never"})
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_W3C_DATE = re.compile(r"\d{4}(-\d\d(-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?)?)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Entry:
    """A page or, with `is_sitemap`, another sitemap. `lastmod` is a W3C date, `changefreq` one of sitemaps.org's words;
    empty where the sitemap does not say it."""

    url: str
    lastmod: str = ""
    changefreq: str = ""
    is_sitemap: bool = False


class SitemapReader:
    """Reads a sitemap's body on demand, a piece at a time. `fault` says why it could not be read, or not to its end;
    empty: it could. With `ended` nothing more will come."""

    def __init__(self, body: bytes) -> None:
        self._pieces = pieces(body)
        self._target = _Target()
        self._parser: etree.XMLParser | None = None
        self._is_text: bool | None = None
        #: What is kept of the last piece: the beginning of a line, or of an entity.
        self._line = b""
        self._mends = True
        self.ended = False
        self._silent = 0
        self._given = 0
        self.fault = ""

    def read(self) -> list[Entry]:
        """The entries of the next piece, often none. Takes a millisecond, with hostile bodies some 30. No raise."""
        found = self._target.found
        try:
            self._advance()
        except Unreadable as error:
            self._end(str(error))
        except Exception as error:  # noqa: BLE001 (whatever a stranger's XML does to a parser)
            self._end(f"broken XML ({error})"[:200])
        batch = found[: MAX_URLS - self._given]
        del found[: len(batch)]
        self._given += len(batch)
        if found and self._given >= MAX_URLS:
            found.clear()
            self._end(f"more than {MAX_URLS:,} URLs")
        return batch

    def _end(self, fault: str) -> None:
        self.ended = True
        self.fault = self.fault or fault

    def _advance(self) -> None:
        piece = next(self._pieces, None)
        if piece is None:
            self._finish()
            return
        if self._is_text is None:
            begins = piece.removeprefix(b"\xef\xbb\xbf").lstrip()
            if not begins:
                return
            if begins[:14].lower().startswith((b"<!doctype html", b"<html")):
                raise Unreadable("a web page")
            self._is_text = not begins.startswith((b"<", *_UTF16))
            self._mends = begins.startswith(b"<")
            piece = begins
        if self._is_text:
            *lines, self._line = (self._line + piece).split(b"\n")
            if len(self._line) > _MAX_CHARS:
                raise Unreadable("neither XML nor a list of URLs")
            self._lines(lines)
            return
        if self._parser is None:
            self._parser = etree.XMLParser(
                target=self._target,
                recover=True,
                resolve_entities=False,
                no_network=True,
                remove_comments=True,
                remove_pis=True,
            )
        events = self._target.events
        self._parser.feed(self._mended(piece))
        self._silent = 0 if self._target.events > events else self._silent + len(piece)
        if self._silent > _MAX_SILENT:
            raise Unreadable(f"a tag or comment of more than {_MAX_SILENT:,} bytes")
        if self._target.fault:
            raise Unreadable(self._target.fault)

    def _mended(self, piece: bytes) -> bytes:
        """A piece with its bare ampersands escaped; not where CDATA may be, in which they are right."""
        piece, self._line = self._line + piece, b""
        self._mends = self._mends and _CDATA not in piece
        if not self._mends:
            return piece
        torn = [at for begin, most in _TORN if (at := piece.rfind(begin, -most)) >= 0]
        if torn:
            piece, self._line = piece[: min(torn)], piece[min(torn) :]
        return _BARE_AMPERSAND.sub(b"&amp;", piece)

    def _finish(self) -> None:
        self.ended = True
        if self._is_text is None:
            raise Unreadable("empty")
        if self._is_text:
            self._lines([self._line])
            return
        if self._parser is not None:
            self._parser.feed(_BARE_AMPERSAND.sub(b"&amp;", self._line))
            self._parser.close()
        if self._target.fault:
            raise Unreadable(self._target.fault)

    def _lines(self, lines: list[bytes]) -> None:
        for line in lines:
            url = line.strip()
            if not url:
                continue
            if not url[:8].lower().startswith((b"http://", b"https://")):
                raise Unreadable("neither XML nor a list of URLs")
            if len(url) <= _MAX_CHARS:
                self._target.found.append(Entry(url.decode("utf-8", "replace")))


class _Target:
    """What the parser tells of elements, without keeping any. Its methods have the names that lxml calls."""

    def __init__(self) -> None:
        self.found: list[Entry] = []
        self.fault = ""
        self._entry = ""
        self._is_index = False
        self._path: list[str] = []
        self._elements = 0
        self._names: set[str] = set()
        #: How often the parser has told of something.
        self.events = 0
        self._text: list[str] | None = None
        self._chars = 0
        self._values: dict[str, str] = {}

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition("}")[2]
        if not self._path:
            self._entry = _ENTRIES.get(name, "")
            self._is_index = name == "sitemapindex"
            if not self._entry:
                self.fault = "a web page" if name.lower() == "html" else f"no sitemap (<{name[:40]}>)"
        within = self._path[-1:] == [self._entry]
        self._path.append(name)
        self._count(name)
        if name == self._entry:
            self._values = {}
        elif not within or not self._entry:
            return
        elif name == "link" and (href := attributes.get("href")):
            if self._entry == "entry" and attributes.get("rel", "alternate") == "alternate":
                self._values.setdefault("url", href[: _MAX_CHARS + 1])
        elif name == "link" or name in _FIELDS:
            self._text, self._chars = [], 0

    def _count(self, name: str) -> None:
        """One more element."""
        self.events += 1
        self._elements += 1
        self._names.add(name)
        if self._elements > MAX_ELEMENTS or len(self._path) > _MAX_DEPTH:
            self.fault = f"more than {MAX_ELEMENTS:,} elements, or {_MAX_DEPTH} in each other"
        elif len(self._names) > _MAX_NAMES:
            self.fault = f"more than {_MAX_NAMES:,} names of elements"

    def data(self, text: str) -> None:
        self.events += 1
        if self._text is None:
            return
        if self._chars <= _MAX_CHARS:
            self._text.append(text[: _MAX_CHARS + 1])
        self._chars += len(text)
        if self._chars > _MAX_VALUE:
            self.fault = f"a value of more than {_MAX_VALUE:,} characters"

    def end(self, tag: str) -> None:
        self.events += 1
        name = tag.rpartition("}")[2]
        if self._path:
            self._path.pop()
        if self._text is not None:
            self._values.setdefault(_FIELDS.get(name, "url"), "".join(self._text).strip())
            self._text = None
        elif name == self._entry:
            url = self._values.get("url", "")
            if url and len(url) <= _MAX_CHARS:
                frequency = self._values.get("changefreq", "").lower()
                self.found.append(
                    Entry(
                        url,
                        _w3c_date(self._values.get("lastmod", "")),
                        frequency if frequency in _FREQUENCIES else "",
                        self._is_index,
                    )
                )
            self._values = {}

    def close(self) -> None:
        if not self._entry and not self.fault:
            self.fault = "broken XML"


def _w3c_date(text: str) -> str:
    """A date as sitemaps and Atom write it, from one of RSS too; empty for anything else."""
    if len(text) > _MAX_DATE_CHARS:
        return ""
    if _W3C_DATE.fullmatch(text):
        return text
    try:
        return parsedate_to_datetime(text).astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, TypeError, OverflowError, IndexError):
        return ""
