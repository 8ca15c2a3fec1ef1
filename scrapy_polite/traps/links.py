"""The links and pages of one site as they are remembered, in numbers: which page found which, and of what kind it is.

A known link is one number of 63 bits: the page that brought it first, a page of another pattern that did, too, and
whether it has come back, was fetched, was queued once more, and is followed although its group has ended. A page is its
number, from 1 on. Page 0 is the start, or nobody knows which it was: that of what was forgotten, or met by an earlier
run, is `ELSEWHERE`.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from scrapy_polite.traps.marks import mark_of
from scrapy_polite.traps.recent import Recent
from scrapy_polite.visited.canonical import default_key

#: Links of one site that are remembered, and up to as many again: about 130 bytes each. Of what was forgotten the
#: visited set knows that it is not new.
MAX_LINKS = 100_000
#: Marks of links that are remembered, for each link is asked for several times: about 200 bytes each.
_MAX_MARKS = 2_000
_BY_START = -1
_MAX_DEPTH = (1 << 16) - 1

#: What is known of the pages that brought a link: not all were read; all were; one says something. What was not read is
#: as the pages that brought it.
UNREAD, READ, TOLD = range(3)

_PAGE_BITS = 29
_PAGE_MASK = (1 << _PAGE_BITS) - 1
_BY_MASK = (1 << 2 * _PAGE_BITS) - 1  # both pages
CAME_BACK = _BY_MASK + 1
FETCHED, AGAIN, ELSEWHERE, LET_GO = CAME_BACK << 1, CAME_BACK << 2, CAME_BACK << 3, CAME_BACK << 4


class Remembered(NamedTuple):
    """What a process remembers of a site, as numbers: links by their marks and what is `known` of each; of each page
    which one found it, its pattern and its own mark; what pages `said`, and pages as a `whole` with what is known of
    these."""

    marks: Sequence[int]
    known: Sequence[int]
    parents: Sequence[int]
    kinds: Sequence[int]
    pages: Sequence[int]
    said: Sequence[int]
    whole: Sequence[int]
    whole_known: Sequence[int]

    @classmethod
    def checked(cls, value: Iterable[Sequence[int]], patterns: int) -> Remembered:
        """The same of what has been read, where there are so many patterns. Raises ValueError or TypeError."""
        found = cls(*value)
        if len(found.marks) != len(found.known) or len(found.whole) != len(found.whole_known):
            raise ValueError("something is known of more or less than there is")
        count = len(found.parents)
        if not count or len(found.pages) != count or len(found.kinds) != count:
            raise ValueError("there are more or fewer pages than were found")
        if any(page >= count for known in found.known for page in (first_page(known), _other_page(known))):
            raise ValueError("the page that a link was found by is not there")
        if any(not 0 <= kind <= patterns for kind in found.kinds) or found.kinds[0]:
            raise ValueError("the pattern that a page is of is not there")
        if any(not _BY_START <= parent < at for at, parent in enumerate(found.parents)):
            raise ValueError("a page was found by a later one")
        return found


class Links:
    """Those of one site. A link has come back if a page leads to it of whose last `ancestors` none has found it.

    `was_met(url)` says whether a link that is not remembered is known all the same (the visited set); it is asked where
    something has been forgotten, or from the begin (`forgetful`).
    """

    def __init__(self, ancestors: int, was_met: Callable[[str], bool] | None, *, forgetful: bool) -> None:
        self._ancestors = ancestors
        self.was_met = was_met
        #: Another process has had the site before; the number of the first page that is this one's.
        self.taken_over = False
        self._first_own = 1
        self._known: Recent[int, int] = Recent(MAX_LINKS)
        self._forgets = forgetful
        #: Of each page the page that found it, the number of its pattern, and its mark.
        self._parents = array("q", [_BY_START])
        self._kinds = array("H", [0])
        self._pages = array("q", [0])
        #: How many pages led to it one after the other, 1 for the start; 0: nobody knows. And what kind it is for links
        #: that it brings.
        self._depths = array("H", [1])
        self._said = bytearray([UNREAD])

    def __len__(self) -> int:
        return len(self._known)

    @property
    def has_pages(self) -> bool:
        return len(self._parents) > 1

    # Pages

    def arrived(self, url: str, kind: int) -> int:
        """A page of such a pattern has come. Returns its number."""
        mark = mark_of_link(url)
        known = self._known.get(mark) or 0
        self._known.put(mark, known | FETCHED)
        self._said.append(self.said_by(known))
        parent = _BY_START if known & ELSEWHERE else first_page(known)
        self._parents.append(parent)
        self._depths.append(self._below(_BY_START if self.is_forgotten(known) else parent))
        self._kinds.append(kind)
        self._pages.append(mark)
        return len(self._parents) - 1

    def kind(self, page: int) -> int:
        """The number of the pattern that a page is of; 0 of page 0."""
        return self._kinds[page]

    def depth(self, page: int) -> int:
        """How many pages led to one, one after the other; 0 where nobody knows."""
        return self._depths[page]

    def _below(self, parent: int) -> int:
        before = self._depths[parent] if parent != _BY_START else 0
        return min(before + 1, _MAX_DEPTH) if before else 0

    def was_told_of(self, page: int) -> bool:
        """Whether a page that has just come was brought by one that says something."""
        return self._said[page] == TOLD

    def note_said(self, page: int, says: bool) -> None:
        """A page was read; if it was not, it is as what led to it."""
        self._said[page] = TOLD if says else READ

    def said_by(self, known: int) -> int:
        """What is known of the pages that brought a link."""
        said = {self._said[page] for page in pages_of(known)}
        return TOLD if TOLD in said else min(said, default=UNREAD)

    def found_by(self, page: int) -> int:
        """What is known of a page as a link; 0 where that is nothing, or was forgotten."""
        return self._known.get(self._pages[page]) or 0

    def is_near(self, number: int, finder: int) -> bool:
        """Whether a page is among the nearest ancestors of another, or is that page."""
        parents = self._parents
        for _ in range(self._ancestors):
            if number == finder:
                return True
            if number <= finder or number <= 0:
                return False
            number = parents[number]
        return False

    # Links

    def of(self, url: str) -> int:
        """What is known of a link; 0 where that is nothing, or was forgotten."""
        return self._known.get(mark_of_link(url)) or 0

    def met(self, mark: int, url: str) -> int | None:
        """The same of a link that a page has, by its mark; None if it is new."""
        known = self._known.get(mark)
        if known is None and self._forgets and self.was_met is not None and self.was_met(url):
            return ELSEWHERE
        return known

    def put(self, mark: int, known: int) -> None:
        self._known.put(mark, known)

    def add(self, mark: int, page: int) -> None:
        """A page has brought a new link."""
        self._known.put(mark, page)
        self._forgets = self._forgets or self._known.forgets

    def is_forgotten(self, known: int) -> bool:
        """Whether nobody knows any more what brought a link."""
        return not known & _BY_MASK and (self._forgets or known & ELSEWHERE > 0)

    def kinds_of(self, known: int) -> tuple[int, int]:
        """The patterns of the pages that are known to have brought a link, by number; 0 where there is none."""
        return self._kinds[known & _PAGE_MASK], self._kinds[known >> _PAGE_BITS & _PAGE_MASK]

    def has_come_back(self, known: int, page: int) -> bool:
        """Whether a link that is known leads back where this page has it: no page near it on the way has found it."""
        return known & ELSEWHERE > 0 or not self.is_near(page, known & _PAGE_MASK)

    def leads_away(self, page: int, known: int) -> bool:
        """Whether a page leads to a known link that was not found together with it."""
        return known & ELSEWHERE > 0 or known & _PAGE_MASK not in (page, self._parents[page])

    def has_come(self, url: str) -> bool:
        """Whether a link was fetched, or found by another process or an earlier run: what it leads to is known."""
        return self.of(url) & (FETCHED | ELSEWHERE) > 0

    def has_left(self, url: str) -> bool:
        """Whether a link that was queued once more has left already, by the other request."""
        known = self.of(url)
        return known & AGAIN > 0 and known & FETCHED > 0

    def sent(self, url: str, *, back: bool = False) -> None:
        """Note that a request has left its queue, or comes `back` to it."""
        mark = mark_of_link(url)
        known = self._known.get(mark) or 0
        if not known and self.taken_over:
            known = ELSEWHERE | CAME_BACK  # as of what `was_known`: whether links to it lead back nobody can tell
        self._known.put(mark, known & ~FETCHED if back else known | FETCHED)

    def was_known(self, url: str) -> int:
        """A link that was taken for a new one had been found by another process. Returns the page that brought it here;
        0 if none of this process did."""
        mark = mark_of_link(url)
        known = self._known.get(mark) or 0
        page = first_page(known)
        if page < self._first_own:
            return 0
        self._known.put(mark, known & ~_PAGE_MASK | ELSEWHERE | CAME_BACK)
        return page

    # Handover

    def remembered(self, most: int, said: Iterable[Sequence[int]]) -> Remembered | None:
        """All this for another process, with what pages `said`; None where it is of more links or pages than `most`."""
        if self._known.forgets or max(len(self._known), len(self._parents)) > most:
            return None
        known = dict(self._known.items())
        # Of what is queued twice nobody knows there whether either request has left.
        links = list(known), [one & ~FETCHED if one & AGAIN else one for one in known.values()]
        return Remembered(*links, list(self._parents), list(self._kinds), list(self._pages), *said)

    def remember(self, theirs: Remembered) -> None:
        """Take it up, before the first page; the patterns of that process are known already."""
        for one, known in zip(theirs.marks, theirs.known, strict=True):
            self._known.put(one, known)
        self._parents, self._pages = array("q", theirs.parents), array("q", theirs.pages)
        self._kinds = array("H", theirs.kinds)
        self._first_own = len(theirs.parents)
        self._said = bytearray(self._first_own)
        self._depths = array("H", [1])
        for parent in theirs.parents[1:]:
            self._depths.append(self._below(parent))


@lru_cache(_MAX_MARKS)
def mark_of_link(url: str) -> int:
    """A URL as a number, the same for all that the visited set takes for one page."""
    return mark_of(default_key(url))


def first_page(known: int) -> int:
    """The page that brought a link first."""
    return known & _PAGE_MASK


def _other_page(known: int) -> int:
    return known >> _PAGE_BITS & _PAGE_MASK


def pages_of(known: int) -> list[int]:
    """The pages that are known to have brought a link."""
    return [page for page in (first_page(known), _other_page(known)) if page]


def is_by_page(known: int) -> bool:
    """Whether it is known of any page that it brought a link."""
    return known & _BY_MASK > 0


def with_other_page(known: int, page: int) -> int:
    """What is known of a link once a page of another pattern has brought it, too."""
    return known & ~(_PAGE_MASK << _PAGE_BITS) | page << _PAGE_BITS
