"""Parts of a site's URLs that do not matter, learned from pages that turned out the same: a session's id, www, case.

The unit of work is a place: the URLs that are one but for such a part. After DUST (Bar-Yossef, Keidar, Schonfeld,
WWW'07) and Koppula et al. (WSDM'10): enough places whose pages are the same, with links to the same paths, and hardly
any where they are not, make it a rule of the site. What matters in one place may not in another (`?page=2` of a list,
of a post), so by such a rule a URL is refused only at a place where three others have said the same, and none anything
else. A parameter of few values is never refused: seven days or eight languages of a page are finite, and the last of
them may be the one that matters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from scrapy_polite.traps.recent import Recent

if TYPE_CHECKING:
    from scrapy_polite.traps.page import Page

#: Pages that must agree with another.
SAME_PAIRS = 10
#: Of these, so many may differ.
_MAX_CONTRARY = 0.05
#: So many URLs of a place must have said the same before another one is refused.
AGREE = 3

#: Texts that must be among those that agree: a query without results says nothing of one that has some.
_VARIETY = 3
#: Values that a parameter must have had at a site: with fewer its URLs are finite. A session's id has as many soon.
MANY = 50

#: After so many refusals for a part one URL is asked for all the same, to see whether it still holds; each next after a
#: quarter more.
_SAMPLE_FROM = 8
_MAX_SAMPLES = 64

_WHOLE = "order of parameters"
#: Those of parameters, with their names behind: `parameter sid`. A name of the path begins with `;`.
_PARAMETER, _PARAMETERS, _IN_PATH, _EARLIER = "parameter", "parameters", "path parameters", "earlier value of"
_OF_PARAMETERS = (_PARAMETER, _IN_PATH, _EARLIER)
#: A parameter that stands in a URL three times or more may as well do so without end, whatever values it has.
_STACKED, _STACK = "earlier values of a parameter", 3

#: Places that are remembered, or up to twice as many, of some 200 bytes: a fetched URL has about five.
MAX_PLACES = 8_192
#: The same of those that differ in what has been learned: about one for each page of a site under session ids.
MAX_LEARNED_PLACES = 50_000
MAX_PARTS = 64
_MAX_PARAMETERS = 6
_MAX_NAMES = 100


@dataclass(slots=True)
class Votes:
    same: int = 0
    contrary: int = 0
    refused: int = 0
    sample_at: int = _SAMPLE_FROM
    texts: set[int] = field(default_factory=set)

    @property
    def hold(self) -> bool:
        varied = len(self.texts) >= _VARIETY
        return self.same >= SAME_PAIRS and varied and self.contrary <= _MAX_CONTRARY * self.same

    def agree(self, exact: int) -> None:
        self.same += 1
        if len(self.texts) < _VARIETY:
            self.texts.add(exact)

    def wants_sample(self) -> bool:
        """Count a refusal; whether the URL is to be asked for instead."""
        self.refused += 1
        if self.refused < self.sample_at:
            return False
        self.sample_at += self.sample_at // 4
        return True


#: A place: what its pages say, and marks of URLs there that have said it, `AGREE` at most. A plain tuple, which the
#: garbage collector does not look into.
_Place: TypeAlias = tuple[int, ...]
#: A place whose pages differ.
_DIFFERS: _Place = ()


class Aliases:
    """What was learned of one site's URLs. `learned` has the parts that do not matter, as words for a person."""

    __slots__ = ("_learned_places", "_places", "_samples", "_values", "_votes", "learned")

    def __init__(self) -> None:
        self.learned: dict[str, Votes] = {}
        self._votes: dict[str, Votes] = {}
        self._places: Recent[tuple[str, int], _Place] = Recent(MAX_PLACES)
        self._learned_places: Recent[tuple[str, int], _Place] = Recent(MAX_LEARNED_PLACES)
        self._samples: Recent[int, bool] = Recent(_MAX_SAMPLES)
        #: Marks of the values that parameters have had, by name.
        self._values: dict[str, set[int]] = {}

    def __len__(self) -> int:
        return len(self._places) + len(self._learned_places)

    def _at(self, place: tuple[str, int]) -> _Place | None:
        found = self._learned_places.get(place)
        return found if found is not None else self._places.get(place)

    def _put(self, place: tuple[str, int], said: _Place) -> None:
        is_learned = place[0] in self.learned or self._learned_places.get(place) is not None
        (self._learned_places if is_learned else self._places).put(place, said)

    def known(self, url: str) -> str:
        """The part in which alone `url` differs from URLs that all say the same; empty if there are none."""
        if not self.learned:
            return ""
        mark = hash(url)
        for part, rest in _without_parts(url):
            if part in self.learned:
                place = self._at((part, rest))
                if (
                    place
                    and len(place) > AGREE
                    and mark not in place[1:]
                    and not self._base_differs(part, rest, place[0])
                ):
                    self._put((part, rest), place)
                    return "" if self._is_sample(mark, part) else part
        return ""

    def place(self, url: str) -> int | None:
        """A mark that `url` shares with those that differ from it in a part that does not matter; None without one."""
        if not self.learned:
            return None
        return next((hash((part, rest)) for part, rest in _without_parts(url) if part in self.learned), None)

    def fetched(self, url: str, page: Page) -> str:
        """Note what the page at `url` said; returns a part that has now been learned not to matter, or nothing."""
        mark, exact = hash(url), page.exact
        learned = ""
        self._note_values(url)
        # Before a URL has a parameter it is not worth a hundredth of a page's time. Places of before count as different
        # from then on, so that less is refused.
        if self._values:
            exact = hash((exact, page.leads_to))
        for part, rest in _without_parts(url):
            place = self._at((part, rest))
            if place is None:
                place = (exact,)
            if place != _DIFFERS and (place[0] != exact or self._base_differs(part, rest, exact)):
                self._put((part, rest), _DIFFERS)
                self._vote(part).contrary += 1
            elif place != _DIFFERS and mark not in place[1:]:
                if len(place) <= AGREE:
                    self._put((part, rest), (*place, mark))
                if len(place) > 1:
                    self._vote(part).agree(exact)
            if self._has_learned(part):
                learned = part
        return learned

    def _note_values(self, url: str) -> None:
        rest, _, query = url.partition("#")[0].partition("?")
        found = [(_name(pair), pair) for pair in query.split("&")] if query else []
        found += [(_name(pair), pair) for pair in _in_path(rest)]
        for name, value in found:
            values = self._values.get(name)
            if values is None and len(self._values) < MAX_PARTS:
                values = self._values[name] = set()
            if values is not None and len(values) < MANY:
                values.add(hash(value))

    def _is_finite(self, part: str) -> bool:
        """Whether a part is of parameters of which any has had few values."""
        if not part.startswith(_OF_PARAMETERS):
            return False
        named = part.rpartition(" ")[2].split("&")
        return any(len(self._values.get(name, ())) < MANY for name in named)

    def _base_differs(self, part: str, rest: int, exact: int) -> bool:
        """Whether the page without a parameter says something else. It is no value of it: often it is the first one."""
        base = self._at((_WHOLE, rest)) if part[:9] == _PARAMETER else None
        return bool(base and base[0] != exact)

    def _is_sample(self, mark: int, part: str) -> bool:
        """Whether a URL that `part` speaks against is asked for all the same."""
        if self._samples.get(mark) is None:
            if not self.learned[part].wants_sample():
                return False
            self._samples.put(mark, True)
        return True

    def _vote(self, part: str) -> Votes:
        votes = self._votes.get(part)
        if votes is None:
            votes = Votes()
            if len(self._votes) < MAX_PARTS:
                self._votes[part] = votes
        return votes

    def _has_learned(self, part: str) -> bool:
        """Whether a part has just been learned. One that does not hold any more is unlearned."""
        votes = self._votes.get(part)
        if votes is None or not votes.hold or self._is_finite(part):
            self.learned.pop(part, None)
            return False
        was_known = part in self.learned
        self.learned[part] = votes
        return not was_known


def _without_parts(url: str) -> Iterator[tuple[str, int]]:
    """For each part of `url` that may not matter its name, and a mark of the URL without it."""
    rest, _, query = url.partition("#")[0].partition("?")
    scheme, _, host, path = (*rest.split("/", 3), "", "", "")[:4]
    pairs = query.split("&") if query else []
    yield _WHOLE, hash((scheme, host, path, *sorted(pairs)))
    yield "scheme and www", hash((host.removeprefix("www."), path, query))
    bare = path.lower().rstrip("/")
    yield "case or final slash", hash((scheme, host, bare, query))
    if ";" in path:
        yield _named(_IN_PATH, map(_name, _in_path(path))), hash((scheme, host, path.partition(";")[0], query))
    names = list(map(_name, pairs))
    if len(pairs) > 1:
        last = dict(zip(names, pairs, strict=True))
        if len(last) < len(pairs):
            often = {name: times for name, times in Counter(names).items() if times > 1}
            part = _STACKED if max(often.values()) >= _STACK else _named(_EARLIER, often)
            yield part, hash((scheme, host, path, *sorted(last.values())))
        yield _named(_PARAMETERS, names), hash((scheme, host, path))
    if len(pairs) > _MAX_PARAMETERS:
        return
    for at, name in enumerate(names):
        yield _named(_PARAMETER, [name]), hash((scheme, host, path, *sorted(pairs[:at] + pairs[at + 1 :])))


def _name(pair: str) -> str:
    return pair.partition("=")[0]


def _in_path(path: str) -> list[str]:
    """The parameters in a path, each from its `;` on; what follows in the path is the last one's."""
    return [f";{pair}" for pair in path.split(";")[1:]]


def _named(part: str, names: Iterable[str]) -> str:
    return f"{part} {'&'.join(sorted(set(names)))[:_MAX_NAMES]}"
