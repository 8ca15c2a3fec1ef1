"""What a page asks of robots: `X-Robots-Tag`, `<meta name="robots">` and their kin.

The unit of work is one response, its tags as `markup` finds them. There is no standard; read are the forms that Google
documents (developers.google.com/search/docs/crawling-indexing/robots-meta-tag), and the list that
draft-illyes-repext-03 §3.1.1 makes of them (`Robots-Tag: *;noindex, examplebot;nofollow`). What is said to all robots
and what is said to this one add up: "the sum of the negative rules". So `index` takes no `noindex` back, and of two
limits the stricter one counts. In doubt a rule is meant for this crawler. Links' own `rel` is read in `nofollow`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from itertools import chain, islice, takewhile
from typing import Any, TypeAlias

from scrapy_polite.robots.markup import Markup, attributes

#: Header fields that carry directives; the second is the draft's name for the first.
HEADERS = ("X-Robots-Tag", "Robots-Tag")

#: Characters that are read of all that a response says; the draft asks for 8 KiB at least.
MAX_READ = 32_768

#: Meta tags of a page that are looked at, and characters of what one is for, as they are written.
MAX_TAGS = 1_000
_MAX_NAME = 128

#: Rules without a field of their own that are kept, and characters of one of them, or of a piece of evidence.
MAX_OTHERS = 32
MAX_SHOWN = 200

_HEADERS = frozenset(name.lower() for name in HEADERS)
_KEYS = (b"name", b"http-equiv")

# Of a page in lower case: its meta tags, each up to the first `>`; and in these a value that goes on behind it.
_META = re.compile(rb"<meta[ \t\n\f\r/][^>]*")
_OPEN = re.compile(rb"=\s*(?:\"[^\">]*|'[^'>]*)(?:>|\Z)")

_UNAVAILABLE_AFTER = "unavailable_after"
_NUMBERS = {"max-snippet": "max_snippet", "max-video-preview": "max_video_preview"}
_IMAGE_PREVIEW = "max-image-preview"
_FLAGS: dict[str, tuple[str, ...]] = {
    "noindex": ("noindex",),
    "nofollow": ("nofollow",),
    "none": ("noindex", "nofollow"),
    "noarchive": ("noarchive",),
    "nocache": ("noarchive",),  # Bing's name for it
    "nosnippet": ("nosnippet",),
    **dict.fromkeys(("all", "index", "follow", "archive", "cache", "snippet"), ()),
}
#: These are told from crawlers' names, no more.
_NO_FIELD = frozenset(
    ("indexifembedded", "noai", "noimageai", "noimageindex", "noodp", "nositelinkssearchbox", "notranslate", "noydir")
)
_NO_ARGUMENT = _NO_FIELD | _FLAGS.keys()
_KNOWN = _NO_ARGUMENT | {_UNAVAILABLE_AFTER, _IMAGE_PREVIEW, *_NUMBERS}

#: What separates a word from the one before, the word, and the mark behind it.
_WORD = re.compile(r'([\s",;:=]*)([^\s",;:=]+)[\s"]*([:;=]?)')
_NUMBER = re.compile(r"-1|[0-9]{1,9}")
#: From nothing to everything.
_IMAGE_SIZES = ("none", "standard", "large")

_DAY_NAME = r"(?:[a-z]{3,9},?\s+)?"
_TIME = r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?"
_ZONE = r"(?:\s*(?:[+-][0-9]{4}|(?!all\b|none\b|noai\b)[a-z]{1,4}\b))?"
_ISO = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:(?:t|\s+)([0-9]{2}:[0-9]{2})(:[0-9]{2})?(?:[.,][0-9]{1,9})?\s*(?:z|utc|gmt|([+-][0-9]{2}):?([0-9]{2})?)?)?"
)
_DATE = re.compile(
    rf"{_DAY_NAME}(?:[0-9]{{1,2}}[\s-][a-z]{{3,9}}[\s-][0-9]{{2,4}}|[a-z]{{3,9}}\.?\s+[0-9]{{1,2}},?\s+[0-9]{{4}})"
    rf"(?:,?\s+{_TIME}{_ZONE})?"
    rf"|[a-z]{{3}}\s+[a-z]{{3}}\s+[0-9]{{1,2}}\s+{_TIME}\s+[0-9]{{4}}"
)

#: Where something is said, what, and whether it may name the crawler that it is said to.
_Line: TypeAlias = tuple[str, str, bool]


@dataclass(frozen=True, slots=True)
class Directives:
    """What a page asks of this crawler.

    `unavailable_after` is in epoch seconds, `max_snippet` in characters, `max_video_preview` in seconds (of both, -1 is
    no limit), `max_image_preview` is none, standard or large; None where nothing is said. `others` are the rules that
    have no field here, unreadable ones too, in lower case. `evidence` has, by name of the field, where it was said.
    Both are the network's text, to be escaped before they are shown (`text.printable`).
    """

    noindex: bool = False
    nofollow: bool = False
    noarchive: bool = False
    nosnippet: bool = False
    unavailable_after: float | None = None
    max_snippet: int | None = None
    max_video_preview: int | None = None
    max_image_preview: str | None = None
    others: tuple[str, ...] = ()
    evidence: Mapping[str, str] = field(default_factory=dict)

    def keeps_out(self, now: float) -> str | None:
        """Return the field that asks for the page to be kept nowhere at `now` (epoch seconds); None without one."""
        if self.noindex:
            return "noindex"
        return _UNAVAILABLE_AFTER if self.unavailable_after is not None and self.unavailable_after <= now else None

    def as_dict(self) -> dict[str, Any]:
        """The fields by name, as plain data for `response.meta["polite_directives"]`."""
        return {name: getattr(self, name) for name in _FIELDS} | {"evidence": dict(self.evidence)}


_FIELDS = tuple(one.name for one in fields(Directives))


def of_page(headers: Mapping[str, Iterable[bytes]], page: Markup | None, token: str | None) -> Directives:
    """Read what a response says to the crawler of this product token; without one, what it says to all.

    `headers` has the lines of each field of `HEADERS` (`{name: response.headers.getlist(name) for name in HEADERS}`),
    `page` is the markup of a page, None of anything else. Nothing is raised, whatever they hold.
    """
    token = (token or "*").lower()
    values: dict[str, Any] = {}
    evidence: dict[str, str] = {}
    others: dict[str, None] = {}
    left = MAX_READ
    for source, line, addressed in chain(_header_lines(headers), _tags(page, token)):
        if left <= 0:
            break
        text = line[:left].strip()
        left -= len(line)
        for name, argument in _rules(text.lower(), token, addressed=addressed):
            meaning = _meaning(name, argument)
            if meaning is None and len(others) < MAX_OTHERS:
                others[(f"{name}: {argument}" if argument else name)[:MAX_SHOWN]] = None
            for what, value in meaning or ():
                if what not in values or _allows(value) < _allows(values[what]):
                    values[what] = value
                    evidence[what] = f"{source}: {text}"[:MAX_SHOWN]
    return Directives(**values, others=tuple(others), evidence=evidence)


def epoch_s(text: str) -> float | None:
    """Read a date of RFC 822, RFC 850 or ISO 8601, in lower case; None where it is none.

    Without a time it is the day's beginning; without a zone, or with one that is unknown, it is UTC. Nothing is before
    1970.
    """
    try:
        if iso := _ISO.fullmatch(text):
            day, minute, second, hours, minutes = iso.groups()
            zone = f"{hours}:{minutes or '00'}" if hours else "+00:00"
            date = datetime.fromisoformat(f"{day}T{minute or '00:00'}{second or ':00'}{zone}")
        else:
            # The parser knows no date without a time.
            date = parsedate_to_datetime(text if ":" in text else f"{text} 00:00:00")
        return max((date if date.tzinfo else date.replace(tzinfo=timezone.utc)).timestamp(), 0.0)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _header_lines(headers: Mapping[str, Iterable[bytes]]) -> Iterator[_Line]:
    for name, lines in headers.items():
        for line in lines:
            yield name, line.decode("latin-1"), True


def _tags(page: Markup | None, token: str) -> Iterator[_Line]:
    """The tags that speak to this crawler.

    Those in the body count too, as with Google: one that a visitor put there can only forbid.
    """
    if page is None or not _may_speak(page.lower, token.encode("ascii", "replace")):
        return
    last = page.lower.rfind(b"<meta")
    metas = (behind for _, name, behind in takewhile(lambda tag: tag[0] <= last, page.tags()) if name == b"meta")
    for behind in islice(metas, MAX_TAGS):
        tag = attributes(behind)
        name, equivalent = (page.text(tag.get(key, b"").strip()[:_MAX_NAME]).strip().lower() for key in _KEYS)
        if name in ("robots", token):
            source, addressed = f"meta {name}", False
        elif equivalent in _HEADERS or equivalent in ("robots", token):
            source, addressed = f"meta http-equiv {equivalent}", equivalent in _HEADERS
        else:
            continue
        yield source, page.text(tag.get(b"content", b"")[:MAX_READ]), addressed


def _may_speak(lower: bytes, token: bytes) -> bool:
    """Whether a page in lower case may have a meta tag for this crawler. Most have not, and this is quick."""
    said = b">".join(_META.findall(lower))
    return b"robots" in said or token in said or b"&" in said or _OPEN.search(said) is not None


def _rules(text: str, token: str, *, addressed: bool) -> Iterator[tuple[str, str]]:
    """The rules of a line that are meant for this crawler: name and argument, which most have not.

    Where the line may be `addressed` a crawler's name holds for what follows it (`examplebot: noindex, nofollow`); in
    the draft's list it holds up to the next comma (`examplebot;noindex;nofollow, ...`).
    """
    ours = ours_in_item = True
    at = 0
    while word := _WORD.match(text, at):
        begins = not at or "," in word[1]
        name, mark = word[2], word[3]
        at = word.end()
        if begins:
            ours_in_item = ours
        following = _WORD.match(text, at) if mark else None
        value = following[2] if following else ""
        # A name is a crawler's if a known rule follows, or if it is this one's: `newrule: 3, noindex` is no address.
        if addressed and name not in _KNOWN and mark == ":" and (value in _KNOWN or _is(name, token)):
            ours = ours_in_item = _is(name, token)
            continue
        if addressed and name not in _KNOWN and mark == ";" and begins:
            ours_in_item = _is(name, token)
            continue
        argument = ""
        argued = value not in _KNOWN or (name == _IMAGE_PREVIEW and value in _IMAGE_SIZES)
        if following and argued and mark != ";" and name not in _NO_ARGUMENT:
            dated = name == _UNAVAILABLE_AFTER and _dated(text, following.start(2))
            argument, at = dated or (value, following.end(2))
        if ours_in_item:
            yield name, argument


def _is(name: str, token: str) -> bool:
    """Whether a crawler's name, with a version perhaps, is this one's or that of all."""
    return name.partition("/")[0] in ("*", token)


def _dated(text: str, at: int) -> tuple[str, int] | None:
    """The date at a position, commas, colons and all, and where it ends."""
    date = _ISO.match(text, at) or _DATE.match(text, at)
    return (date[0], date.end()) if date else None


def _meaning(name: str, argument: str) -> Iterable[tuple[str, Any]] | None:
    """The fields that a rule sets; None where there is none, or the argument cannot be read."""
    if name in _FLAGS:
        return [(what, True) for what in _FLAGS[name]]
    if name == _UNAVAILABLE_AFTER:
        at = epoch_s(argument)
        return None if at is None else [(_UNAVAILABLE_AFTER, at)]
    if name in _NUMBERS and _NUMBER.fullmatch(argument):
        number = int(argument)
        said: list[tuple[str, Any]] = [(_NUMBERS[name], number)]
        return [*said, ("nosnippet", True)] if name == "max-snippet" and not number else said
    if name == _IMAGE_PREVIEW and argument in _IMAGE_SIZES:
        return [("max_image_preview", argument)]
    return None


def _allows(value: float | str) -> float:
    """How much a value allows, to be compared with another of the same field."""
    if isinstance(value, str):
        return _IMAGE_SIZES.index(value)
    return value if value >= 0 else float("inf")
