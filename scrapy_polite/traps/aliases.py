"""Parts of a site's URLs that do not matter, learned from pages that turned out the same: a session's id, www, case.

The unit of work is a pair of URLs that are one but for such a part. After DUST (Bar-Yossef, Keidar, Schonfeld,
WWW'07) and Koppula et al. (WSDM'10): enough pairs with the same text, and hardly any without, make it a rule of the
site, by which a URL that differs from a known one in that part alone is not fetched again. A URL whose other parts are
new is: no page is lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

#: Pairs that must agree: of pages that are the same to the letter, and of pages that are nearly.
SAME_PAIRS = 10
NEAR_PAIRS = 25

#: Of the pairs, so many may differ.
_MAX_CONTRARY = 0.05

#: Of two pages the smallest hashes are compared (Broder's sketch): so many, and so large a share must be in both.
_SKETCH = 16
_NEAR = 0.7
_NEAR_SHARE = 0.1

_WHOLE = "nothing"
_PARAMETER = "parameter"

MAX_PAGES = 4_096
MAX_PARTS = 64
_MAX_PARAMETERS = 6


@dataclass(slots=True)
class Votes:
    same: int = 0
    near: int = 0
    contrary: int = 0

    @property
    def hold(self) -> bool:
        enough = self.same >= SAME_PAIRS or self.same + self.near >= NEAR_PAIRS
        return enough and self.contrary <= _MAX_CONTRARY * (self.same + self.near)


@dataclass(frozen=True, slots=True)
class _First:
    """The page that was first at a URL without one part: what it said, None if it has only been asked for yet."""

    url: int
    exact: bytes | None = None
    sketch: frozenset[int] = frozenset()


class Aliases:
    """What was learned of one site's URLs. `learned` has the parts that do not matter, as words for a person."""

    __slots__ = ("_first", "_votes", "learned")

    def __init__(self) -> None:
        self.learned: dict[str, Votes] = {}
        self._votes: dict[str, Votes] = {}
        self._first: dict[tuple[str, int], _First] = {}

    def known(self, url: str) -> str:
        """The part in which alone `url` differs from a URL known before; empty if there is none. Notes `url`."""
        if not self.learned:
            return ""
        mark = hash(url)
        for part, rest in _without_parts(url):
            if part in self.learned:
                first = self._first.get((part, rest))
                if first is None and part[:9] == _PARAMETER:
                    first = self._first.get((_WHOLE, rest))
                if first is not None and first.url != mark:
                    return part
                if first is None:
                    self._note((part, rest), _First(mark))
        return ""

    def fetched(self, url: str, exact: bytes, blocks: frozenset[int], new_share: float) -> str:
        """Note what the page at `url` said; returns a part that has now been learned not to matter, or nothing.

        `new_share`: the share of its text that was new to the site. Pages are nearly the same only where one of them
        is without a parameter altogether: two stations of one list are as like each other as a post and its reply form.
        """
        mark = hash(url)
        learned = ""
        sketch = frozenset(sorted(blocks)[:_SKETCH])
        for part, rest in _without_parts(url):
            base = self._first.get((_WHOLE, rest)) if part[:9] == _PARAMETER else None
            if base is not None and (base.exact is None or base.url == mark):
                base = None
            first = base or self._first.get((part, rest))
            if first is None or first.exact is None:
                self._note((part, rest), _First(mark, exact, sketch))
                continue
            if first.url == mark:
                continue
            alike = new_share < _NEAR_SHARE and len(sketch & first.sketch) >= _NEAR * len(sketch | first.sketch)
            if self._vote(part, same=first.exact == exact, near=alike, to_base=first is base):
                learned = part
        return learned

    def _vote(self, part: str, *, same: bool, near: bool, to_base: bool) -> bool:
        """Count a pair; True if the part has been learned by it."""
        votes = self._votes.get(part)
        if votes is None:
            if len(self._votes) >= MAX_PARTS:
                return False
            votes = self._votes[part] = Votes()
        votes.same += same
        votes.near += near and to_base and not same
        votes.contrary += not near and not same
        if not votes.hold:
            self.learned.pop(part, None)
            return False
        known = part in self.learned
        self.learned[part] = votes
        return not known

    def _note(self, key: tuple[str, int], first: _First) -> None:
        if len(self._first) >= MAX_PAGES:
            del self._first[next(iter(self._first))]
        self._first[key] = first


def _without_parts(url: str) -> Iterator[tuple[str, int]]:
    """For each part of `url` that may not matter its name, and a mark of the URL without it."""
    try:
        scheme, host, path, query, _ = urlsplit(url)
    except ValueError:
        return
    pairs = query.split("&") if query else []
    yield _WHOLE, hash((scheme, host, path, *sorted(pairs)))
    yield "scheme and host", hash((path, query))
    bare = path.lower().rstrip("/")
    yield "case and slash", hash((scheme, host, bare, query))
    if ";" in path:
        yield "path parameters", hash((scheme, host, path.partition(";")[0], query))
    if len(pairs) > 1:
        names = "&".join(sorted({pair.partition("=")[0] for pair in pairs}))
        yield f"parameters {names[:100]}", hash((scheme, host, path))
    if len(pairs) > _MAX_PARAMETERS:
        return
    for at, pair in enumerate(pairs):
        name = pair.partition("=")[0]
        yield f"parameter {name[:100]}", hash((scheme, host, path, *sorted(pairs[:at] + pairs[at + 1 :])))
