"""Parts of a site's URLs that do not matter, learned from pages that turned out the same: a session's id, www, case.

The unit of work is a pair of URLs that are one but for such a part. After DUST (Bar-Yossef, Keidar, Schonfeld,
WWW'07) and Koppula et al. (WSDM'10): enough pairs with the same text, and hardly any without, make it a rule of the
site. What matters in one place may not in another (`?page=2` of a list, of a post), so a URL is refused by such a rule
only where three URLs that differ from it in that part alone have said the same, and none anything else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import nsmallest
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from scrapy_polite.traps.page import Page

#: Pairs that must agree: of pages that are the same to the letter, and of pages that are nearly.
SAME_PAIRS = 10
NEAR_PAIRS = 25
#: Of the pairs, so many may differ.
_MAX_CONTRARY = 0.05
#: So many URLs must agree with the first one of the same place before another one is refused: `?page=1` is often the
#: page without it.
AGREE = 2

#: Values of a part, and texts, that must be among those that agree: `page=1` says nothing of `page=2`, and a query
#: without results nothing of one that has some.
_VARIETY = 3

#: After so many refusals for a part one URL is asked for all the same, to see whether it still holds; each next after a
#: quarter more.
_SAMPLE_FROM = 8
_MAX_SAMPLES = 64

#: Of two pages the smallest hashes of their text, in parts of so many bytes, are compared (Broder's sketch): so many,
#: and so large a share must be in both. A page with figures of its own is another page.
_SKETCH = 32
_CHUNK = re.compile(rb"[^\n<>]{1,40}")
_NEAR = 0.8
#: A link to a URL of the same site with parameters.
_QUERY = re.compile(rb"""href=["']?(?!https?:|//)[^"'<>\s?]{0,300}\?""")
_FIGURES = re.compile(rb"\d+")
#: Of a page so many bytes are looked at.
_MAX_SHOWN = 100_000

_WHOLE = "order of parameters"
_PARAMETER = "parameter"

MAX_PAGES = 4_096
MAX_PARTS = 64
_MAX_PARAMETERS = 6
_MAX_VALUE = 100


@dataclass(slots=True)
class Votes:
    same: int = 0
    near: int = 0
    contrary: int = 0
    refused: int = 0
    sample_at: int = _SAMPLE_FROM
    values: set[str] = field(default_factory=set)
    texts: set[int | None] = field(default_factory=set)

    @property
    def hold(self) -> bool:
        enough = self.same >= SAME_PAIRS or self.same + self.near >= NEAR_PAIRS
        varied = min(len(self.values), len(self.texts)) >= _VARIETY
        return enough and varied and self.contrary <= _MAX_CONTRARY * (self.same + self.near)

    def note(self, value: str, exact: int | None) -> None:
        if len(self.values) < _VARIETY:
            self.values.add(value[:_MAX_VALUE])
        if len(self.texts) < _VARIETY:
            self.texts.add(exact)

    def wants_sample(self) -> bool:
        """Count a refusal; whether the URL is to be asked for instead."""
        self.refused += 1
        if self.refused < self.sample_at:
            return False
        self.sample_at += self.sample_at // 4
        return True


#: The page that was first at a URL without one part: the URL's mark, what it said, a sketch of that, and how many
#: others have agreed with it (`_DIFFERS`: one has not). A plain tuple, which the garbage collector does not look into.
_First: TypeAlias = tuple[int, int, tuple[int, ...], int]
_DIFFERS = -1


class Aliases:
    """What was learned of one site's URLs. `learned` has the parts that do not matter, as words for a person."""

    __slots__ = ("_first", "_has_parameters", "_samples", "_votes", "learned")

    def __init__(self) -> None:
        self.learned: dict[str, Votes] = {}
        self._votes: dict[str, Votes] = {}
        #: Whether any link has parameters: before, no page is looked at for what it says.
        self._has_parameters = False
        self._first: dict[tuple[str, int], _First] = {}
        # In the order in which they were let go.
        self._samples: dict[int, None] = {}

    def known(self, url: str) -> str:
        """The part in which alone `url` differs from URLs that all say the same; empty if there are none."""
        if not self.learned:
            return ""
        mark = hash(url)
        for part, rest, _ in _without_parts(url):
            if part in self.learned:
                first = self._first.get((part, rest))
                if first is not None and first[0] != mark and first[3] >= AGREE:
                    return "" if self._is_sample(mark, part) else part
        return ""

    def fetched(self, url: str, page: Page) -> str:
        """Note what the page at `url` said; returns a part that has now been learned not to matter, or nothing.

        Pages are nearly the same only where one of them is without a parameter altogether: two stations of one list are
        as like each other as a post and its reply form. Before there are parameters no page is looked at so.
        """
        if not self._has_parameters:
            self._has_parameters = "?" in url or (b"?" in page.markup and _QUERY.search(page.markup) is not None)
        mark = hash(url)
        learned = ""
        own: _First = mark, page.exact, _sketch(page) if self._has_parameters else (), 0
        for part, rest, value in _without_parts(url):
            held = self._first.get((part, rest))
            base = self._first.get((_WHOLE, rest)) if part[:9] == _PARAMETER else None
            first = base if base is not None and base[0] != mark else held
            if first is None:
                self._note((part, rest), own)
            elif first[0] != mark:
                agrees = _agrees(first, own, to_base=first is base)
                if agrees is not None:
                    before = held[3] if held is not None else 0
                    self._note((part, rest), (*first[:3], before + 1 if agrees and before >= 0 else _DIFFERS))
                    if self._vote(part, value, page.exact, agrees, is_near=first[1] != page.exact):
                        learned = part
        return learned

    def _is_sample(self, mark: int, part: str) -> bool:
        """Whether a URL that `part` speaks against is asked for all the same."""
        if mark in self._samples:
            return True
        if not self.learned[part].wants_sample():
            return False
        self._samples[mark] = None
        if len(self._samples) > _MAX_SAMPLES:
            del self._samples[next(iter(self._samples))]
        return True

    def _vote(self, part: str, value: str, exact: int, agrees: bool, *, is_near: bool) -> bool:
        """Count a pair; True if the part has been learned by it."""
        votes = self._votes.get(part)
        if votes is None:
            if len(self._votes) >= MAX_PARTS:
                return False
            votes = self._votes[part] = Votes()
        if not agrees:
            votes.contrary += 1
        else:
            votes.near += is_near
            votes.same += not is_near
            votes.note(value, exact)
        if not votes.hold:
            self.learned.pop(part, None)
            return False
        known = part in self.learned
        self.learned[part] = votes
        return not known

    def _note(self, key: tuple[str, int], first: _First) -> None:
        if key not in self._first and len(self._first) >= MAX_PAGES:
            del self._first[next(iter(self._first))]
        self._first[key] = first


def _agrees(first: _First, page: _First, *, to_base: bool) -> bool | None:
    """Whether two pages say the same; None where that cannot be told, as they are nearly the same."""
    if first[1] == page[1]:
        return True
    if not _are_near(first[2], page[2]):
        return False
    return True if to_base else None


def _sketch(page: Page) -> tuple[int, ...]:
    """A hash of the figures of a page, and the smallest of those of its text."""
    shown = page.shown[:_MAX_SHOWN]
    return hash(tuple(_FIGURES.findall(shown))), *nsmallest(_SKETCH, set(map(hash, _CHUNK.findall(shown))))


def _are_near(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    if one[:1] != other[:1]:
        return False
    return len({*one[1:]} & {*other[1:]}) >= _NEAR * len({*one[1:], *other[1:]}) > 0


def _without_parts(url: str) -> Iterator[tuple[str, int, str]]:
    """For each part of `url` that may not matter its name, a mark of the URL without it, and its value."""
    rest, _, query = url.partition("#")[0].partition("?")
    scheme, _, host, path = (*rest.split("/", 3), "", "", "")[:4]
    pairs = query.split("&") if query else []
    yield _WHOLE, hash((scheme, host, path, *sorted(pairs))), url
    yield "scheme and host", hash((path, query)), url
    bare = path.lower().rstrip("/")
    yield "case or final slash", hash((scheme, host, bare, query)), url
    if ";" in path:
        yield "path parameters", hash((scheme, host, path.partition(";")[0], query)), url
    if len(pairs) > 1:
        names = "&".join(sorted({pair.partition("=")[0] for pair in pairs}))
        yield f"parameters {names[:100]}", hash((scheme, host, path)), query
    if len(pairs) > _MAX_PARAMETERS:
        return
    for at, pair in enumerate(pairs):
        name = pair.partition("=")[0]
        yield f"parameter {name[:100]}", hash((scheme, host, path, *sorted(pairs[:at] + pairs[at + 1 :]))), pair
