"""Groups of URL patterns that feed themselves with links: the only thing on a site that can be endless.

The unit of work is one page: its pattern, whether it says something new, where its links lead. Each pattern points to
its feeder, the pattern that brought most of its new links; what leads on to its like by itself is a group of its own,
though a suspected group brought it. Following feeders ends at the start of the crawl, then it is finite work, or at a
pattern that feeds itself: the root of a group. A group is suspected when its pages keep bringing new links of its own
and say nothing new, or say new things but never lead back. Of groups that lead to each other, and of which each would
come to its end alone, links to one are growth of the other; once suspected they are one. A suspicion costs order, never
pages: see `frontier.shares` for the order, and `verdict` for how long a suspected group is read when nothing else is
left.
"""

from __future__ import annotations

from array import array
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from scrapy_polite.traps.evidence import Pattern, Record, evidence, last_of, lasting, told_by_part
from scrapy_polite.traps.limits import BY_CHANCE, DEFAULT_LIMITS, MAX_WEIGHT, SHARED_FROM, WEIGHED_EVERY, Limits
from scrapy_polite.traps.marks import mark_of
from scrapy_polite.traps.novelty import MAX_LOOKED_AT, NOTED, Novelty, Said, differs
from scrapy_polite.traps.patterns import Patterns, whole_of
from scrapy_polite.traps.recent import Recent
from scrapy_polite.traps.verdict import Verdict
from scrapy_polite.visited.canonical import default_key

if TYPE_CHECKING:
    from scrapy_polite.traps.evidence import Measured
    from scrapy_polite.traps.page import Page

#: Links of one site that are remembered, and up to as many again: about 130 bytes each. Of what was forgotten the
#: visited set knows that it is not new.
MAX_LINKS = 100_000
#: Links that are settled for the pages of one pattern; at so many it begins anew.
_MAX_SETTLED = 10_000
#: Marks of links that are remembered, for each link is asked for several times: about 200 bytes each.
_MAX_MARKS = 2_000
_BY_START = -1
#: Pages since one of whose links it is told that they were known, and pages of which not all links are known.
_MAX_LATE, _MAX_OPEN = 64, 1_000
#: Patterns that are looked at to find out which ones another leads to.
_MAX_REACHED = 200
#: Pages that are looked at to find out whether a link is finite work.
_MAX_FINDERS = 64

#: What the name of a flow begins with that takes what others brought to a group.
BESIDE = "+"


class Found(NamedTuple):
    """What a page has shown of its group: `suspected` or cleared, and why."""

    root: Pattern
    suspected: bool
    why: str


@dataclass(slots=True, eq=False)
class Visit:
    """A page from its arrival until all its links are known; it `brought` links to these parts. `is_doubtful`: it says
    little, and what of that changes by itself is to be learned by fetching it once more. `counts`: unless what its
    group shows is only being learned."""

    url: str
    pattern: Pattern
    number: int
    says: bool | None
    same: bool
    deep: bool
    is_doubtful: bool = False
    counts: bool = True
    led_back: set[int] = field(default_factory=set)
    brought: list[Pattern] = field(default_factory=list)


# A known link is one number of 64 bits: the page that brought it first, a page of another pattern that did, too, and
# whether it has come back, was fetched, and was queued once more. Page 0 is the start, or nobody knows which it was:
# that of what was forgotten, or met by an earlier run, is `_ELSEWHERE`.
_PAGE_BITS = 29
_PAGE_MASK = (1 << _PAGE_BITS) - 1
_OTHER_AT = _PAGE_BITS
_BY_MASK = (1 << 2 * _PAGE_BITS) - 1  # both pages
_CAME_BACK = _BY_MASK + 1
_FETCHED, _AGAIN, _ELSEWHERE = _CAME_BACK << 1, _CAME_BACK << 2, _CAME_BACK << 3
_MAX_PATTERNS = (1 << 12) - 1


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
        if any(max(one & _PAGE_MASK, one >> _OTHER_AT & _PAGE_MASK) >= count for one in found.known):
            raise ValueError("the page that a link was found by is not there")
        if any(not 0 <= kind <= patterns for kind in found.kinds) or found.kinds[0]:
            raise ValueError("the pattern that a page is of is not there")
        if any(not _BY_START <= parent < at for at, parent in enumerate(found.parents)):
            raise ValueError("a page was found by a later one")
        return found


class Groups:
    """What one crawl knows of one site (a registered domain).

    `was_met(url)` says whether a link that is not remembered is known all the same (the visited set); it is asked where
    something has been forgotten, or from the begin (`forgetful`).
    """

    def __init__(
        self,
        limits: Limits = DEFAULT_LIMITS,
        was_met: Callable[[str], bool] | None = None,
        *,
        forgetful: bool = False,
    ) -> None:
        self.limits = limits
        self.verdict = Verdict(limits)
        self.was_met = was_met
        #: Another process has had the site before; the number of the first page that is this one's.
        self.taken_over = False
        self._first_own = 1
        self.novelty = Novelty()
        self.patterns = Patterns()
        self._by_name: dict[str, Pattern] = {}
        self._by_number: list[Pattern] = []
        self._roots: dict[int, Pattern | None] = {}
        self._known: Recent[int, int] = Recent(MAX_LINKS)
        self._forgets = forgetful
        #: Pages of which not all links are known yet, by number.
        self._open: dict[int, Visit] = {}
        #: Of each page the page that found it, the number of its pattern, and its mark.
        self._parents = array("q", [_BY_START])
        self._kinds = array("H", [0])
        self._pages = array("q", [0])
        #: Whether a pattern leads on (see `_leads_on`), as found out since groups changed.
        self._on: dict[int, bool] = {}
        self.suspects: set[Pattern] = set()
        #: Whether a pattern is of a suspected group, or no longer, that nobody has been told of.
        self.has_moved = False
        #: Whether what led to links that a suspected group is left with has turned out to be trusted.
        self.leaves_finite = False
        self._has_dull = False

    def __len__(self) -> int:
        known = len(self._known) + len(self.novelty) + len(self.patterns)
        return known + sum(len(one.settled) for one in self._by_number)

    # Patterns

    @property
    def is_new(self) -> bool:
        """Whether no page has come yet."""
        return len(self._parents) == 1

    @property
    def all(self) -> Sequence[Pattern]:
        return self._by_number

    def restore(self, patterns: Sequence[Pattern]) -> None:
        """In place of all that there are; each has its number, from 1 on."""
        self._by_number = list(patterns)
        self._by_name = {one.name: one for one in patterns}
        self.suspects.clear()
        self.forget_roots()

    def forget_roots(self) -> None:
        """Feeders have changed."""
        self._roots.clear()
        self._on.clear()

    def pattern(self, url: str) -> Pattern:
        return self.named(self.patterns.of(url))

    def part(self, url: str) -> Pattern:
        """The part of its pattern that a link is of."""
        return self.named(self.patterns.part_of(url))

    def named(self, name: str) -> Pattern:
        found = self._by_name.get(name)
        if found is None:
            whole = whole_of(name)
            feeder = self.named(whole) if whole != name else None
            if len(self._by_number) >= _MAX_PATTERNS:
                return feeder or self._by_number[-1]
            # 0 stands for the start.
            found = Pattern(len(self._by_number) + 1, name, deque(maxlen=self.limits.budget))
            found.feeder, found.joined = feeder, feeder is not None
            self._by_name[name] = found
            self._by_number.append(found)
        return found

    def root(self, pattern: Pattern) -> Pattern | None:
        """The self-feeding pattern that this one hangs on, or itself if it is one, too; None if that is the start."""
        roots = self._roots
        line: dict[Pattern, int] = {}
        at: Pattern | None = pattern
        while at is not None and at not in line and at.number not in roots:
            line[at] = len(line)
            at = at.feeder
        found: Pattern | None = None
        if at in line:
            circle = list(islice(line, line[at], None))
            found = min(circle, key=lambda one: (not one.suspected, one.number))
            roots.update(dict.fromkeys((one.number for one in circle), found))
        elif at is not None:
            found = roots[at.number]
        roots.update(dict.fromkeys((one.number for one in line if one.number not in roots), found))
        return found

    # Links

    def suspect_of(self, url: str) -> Pattern | None:
        """The suspected group that a link is deferred with, its own or the one that brought it to another; None where a
        page outside suspected groups brought it.

        Where nobody knows any more what did, it is of its own: else a large trap whose links are refused has no end.
        """
        if not self.suspects:
            return None
        pattern = self.pattern(url)
        root = self.root(pattern)
        if root is None:
            return None
        known = self._known_of(url)
        if not root.suspected:
            return None if self._is_finite_work(pattern, known) else self._brought_by(url)
        is_forgotten = not known & _BY_MASK and (self._forgets or known & _ELSEWHERE)
        return root if is_forgotten or not self._is_finite_work(pattern, known) else None

    def flow_of(self, url: str) -> str:
        """The flow of its site that a link goes in: of the group that brought it to itself, or, once that is suspected,
        of its part of a pattern; one beside it for what another group brought to this one, and for finite work that is
        likely to be more of the same, by its pattern once the group is suspected: by parts Boost's manual takes 4 %
        more CPU; the main one, "", for all else."""
        if slow := self.slow_flow_of(url):
            return slow
        root = self.root(self.pattern(url))
        brought_by = self._brought_by(url) if root is not None else None
        if root is None or brought_by is None:
            return ""
        return root.name if brought_by is root else BESIDE + root.name

    def slow_flow_of(self, url: str, queued_in: str = "") -> str:
        """The same where its group is suspected, or it is finite work of what says nothing new; "" elsewhere. What is
        `queued_in` a flow of its group stays in one: another process may have found it."""
        if not self.suspects and not self._has_dull:
            return ""
        pattern = self.pattern(url)
        root = self.root(pattern)
        owner = root or pattern
        stays = queued_in[:1] not in ("", BESIDE)
        if owner.suspected:
            is_own = stays or not self._is_finite_work(pattern, self._known_of(url))
            return self.part(url).name if is_own else BESIDE + pattern.name
        if stays:
            return ""
        if (suspect := self.suspect_of(url)) is not None:
            return suspect.name
        is_own = root is not None and self._brought_by(url) is root
        return BESIDE + owner.name if self.verdict.is_dull(owner) and not is_own else ""

    def _brought_by(self, url: str) -> Pattern | None:
        """The group that brought a link first."""
        number = self._kinds[self._known_of(url) & _PAGE_MASK]
        return self.root(self._by_number[number - 1]) if number else None

    def turn_of(self, flow: str) -> tuple[float, float]:
        """How rarely a flow goes: once in so many rounds (of a suspected group, beside other such ones); and beside
        others that have a turn together, the less what is in it says, the more."""
        part = self.named(flow.removeprefix(BESIDE))
        owner = self.root(part) or part
        is_dull = self.verdict.is_dull(owner)
        is_slow = flow.startswith(BESIDE) and (owner.suspected or is_dull)
        rarity = part.rarity if owner.suspected else MAX_WEIGHT if is_dull else 1.0
        return MAX_WEIGHT if is_slow else owner.weight, rarity

    def is_suspected(self, flow: str) -> bool:
        """Whether a flow is a suspected group's own; what other pages brought to such a one is not."""
        if not flow or flow.startswith(BESIDE) or not self.suspects:
            return False
        root = self.root(self.named(flow))
        return root is not None and root.suspected

    def read_to_end(self, left: Collection[str]) -> list[Pattern]:
        """The suspected groups that were read to their end, where these flows are all that is left."""
        waiting = {self.root(self.named(flow)) for flow in left}
        return [root for root in self.suspects if root.pages and root not in waiting]

    def _known_of(self, url: str) -> int:
        """What is known of a link; 0 where that is nothing, or was forgotten."""
        return self._known.get(_mark(url)) or 0

    def _is_finite_work(self, pattern: Pattern, known: int) -> bool:
        """Whether a page outside suspected groups brought a link of this pattern, or one that is finite work itself,
        and pages of this pattern do not lead on: else each page of a trap would be finite work."""
        todo, looked_at = [(pattern, known)], set[int]()
        while todo:
            pattern, known = todo.pop()
            if not known & _PAGE_MASK:
                return True
            for page in _pages_of(known):
                feeder = self._by_number[self._kinds[page] - 1]
                if self._is_trusted(feeder.number):
                    return True
                found_by = self._known.get(self._pages[page])
                if found_by and not found_by & _ELSEWHERE and page not in looked_at and len(looked_at) < _MAX_FINDERS:
                    looked_at.add(page)
                    if not self._leads_on(pattern, self.root(feeder)):
                        todo.append((feeder, found_by))
        return False

    def _leads_on(self, pattern: Pattern, root: Pattern | None) -> bool:
        """Whether the pages of a pattern may lead to ever more of their own, other than by the suspected group that
        brought it links; of those of another suspected group nobody knows."""
        own = self.root(pattern)
        if own is None or root is None or own is not root:
            return own is not None and own.suspected
        found = self._on.get(pattern.number)
        if found is None:
            is_view = self.patterns.are_views(pattern.name, root.name)
            found = is_view or pattern is root or pattern in self._reached(pattern, root)
            self._on[pattern.number] = found
        return found

    def unsettle(self) -> None:
        """Links are to be judged anew: a person has decided."""
        for pattern in self._by_number:
            pattern.settled.clear()

    def _is_trusted(self, number: int) -> bool:
        root = self.root(self._by_number[number - 1]) if number else None
        return root is None or not root.suspected

    def is_finite_work(self, url: str) -> bool:
        """Whether it is known by now that a link which a suspected group was left with is finite work."""
        known = self._known_of(url)
        return known & _BY_MASK > 0 and self._is_finite_work(self.pattern(url), known)

    def leaves_finite_work(self) -> bool:
        """Whether links that suspected groups are left with may be finite work by what is known now."""
        self._on.clear()
        return self.leaves_finite or any(
            root is not None and root.suspected and not self._leads_on(one, root)
            for one in self._by_number
            if (root := self.root(one)) is not one
        )

    def has_left(self, url: str) -> bool:
        """Whether a link that was queued once more has left already, by the other request."""
        known = self._known_of(url)
        return bool(known & _AGAIN and known & _FETCHED)

    def sent(self, url: str, *, back: bool = False) -> None:
        """Note that a request has left its queue, or comes `back` to it."""
        mark = _mark(url)
        known = self._known.get(mark) or 0
        if not known and self.taken_over:
            known = _ELSEWHERE | _CAME_BACK  # as of what `was_known`: whether links to it lead back nobody can tell
        self._known.put(mark, known & ~_FETCHED if back else known | _FETCHED)

    def remembered(self, most: int) -> Remembered | None:
        """What is remembered of links and pages, for another process; None where there are more than so many."""
        if self._known.forgets or max(len(self._known), len(self._parents)) > most:
            return None
        known = dict(self._known.items())
        # Of what is queued twice nobody knows there whether either request has left.
        links = list(known), [one & ~_FETCHED if one & _AGAIN else one for one in known.values()]
        pages = list(self._parents), list(self._kinds), list(self._pages)
        return Remembered(*links, *pages, *self.novelty.remembered(most))

    def remember(self, theirs: Remembered) -> None:
        """Take that up, before the first page; the patterns of that process are known already."""
        for one, known in zip(theirs.marks, theirs.known, strict=True):
            self._known.put(one, known)
        self._parents, self._pages = array("q", theirs.parents), array("q", theirs.pages)
        self._kinds = array("H", theirs.kinds)
        self._first_own = len(theirs.parents)
        self.novelty.remember(theirs.said, theirs.whole, theirs.whole_known)

    # Pages

    def arrive(self, url: str, page: Page | None, *, deep: bool = False) -> Visit:
        """A page has come, or None for what carries nothing, such as a calendar's file. Its links follow one by one.

        All pages of a group that says little are read, of other groups some. Of what is no group's only the order
        depends on what it says: a few are read.
        """
        if page is None:
            return self.note(url, says=False, same=True, deep=deep)
        pattern = self.pattern(url)
        root = self.root(pattern)
        if root is None:
            self._look_at(pattern, page, url)
            return self.note(url, None, deep=deep)
        if root.learns:
            root.learns -= 1
            self.novelty.of(page, url, root.volatile, noted=NOTED)
            visit = self.note(url, None, deep=deep)
            visit.counts = False
            return visit
        root.arrived += 1
        if not self._is_read(root):
            return self.note(url, None, deep=deep)
        pattern.read += 1
        looked_into = pattern.read in self.limits.looked_into and not pattern.fetched_again
        compared = root.suspected or (root.dull > 0 and root.arrived <= self.limits.compared)
        noted = MAX_LOOKED_AT if looked_into else NOTED if root.suspected else 0
        volatile = root.volatile | pattern.volatile
        said = self.novelty.of(page, url, volatile, noted=noted, compared=compared)
        self._note_dull(root, pattern, said)
        visit = self.note(url, said.new, same=said.same, deep=deep)
        if looked_into and said.new and said.told < self.limits.little * page.length:
            visit.is_doubtful = pattern.fetched_again = True
        return visit

    def compare(self, visit: Visit, page: Page, again: Page) -> None:
        """A doubtful page has been fetched once more: what differs says nothing."""
        found = differs(page, again)
        for one in (visit.pattern, self.root(visit.pattern)):
            if one is not None:
                one.volatile |= found

    def _look_at(self, pattern: Pattern, page: Page, url: str) -> None:
        """Read a page of a pattern that is no group's now and then; all while it is about to be told as dull."""
        pattern.arrived += 1
        is_read = 0 < pattern.dull < self.limits.dull or not pattern.arrived % self.limits.reads_finite
        if is_read and pattern.arrived > self.limits.unread:
            self._note_dull(pattern, pattern, self.novelty.of(page, url, pattern.volatile))

    def _note_dull(self, owner: Pattern, pattern: Pattern, said: Said) -> None:
        says = said.new and said.fresh >= self.limits.fresh and not self.patterns.combines(pattern.name)
        owner.dull = 0 if says else owner.dull + 1
        self._has_dull |= owner.dull >= self.limits.dull

    def _is_read(self, root: Pattern) -> bool:
        if root.in_tail:
            return not root.arrived % root.read_one_in
        is_known = root.suspected or root.arrived > self.limits.unread
        return is_known and not root.released and not root.arrived % root.read_one_in

    def note(self, url: str, says: bool | None, *, same: bool = False, deep: bool = False) -> Visit:
        """A page has come that `says` something new, or not, or was not read; `same`: as those before but for what its
        URL explains."""
        pattern = self.pattern(url)
        mark = _mark(url)
        known = self._known.get(mark) or 0
        self._known.put(mark, known | _FETCHED)
        number = len(self._parents)
        self._parents.append(_BY_START if known & _ELSEWHERE else known & _PAGE_MASK)
        self._kinds.append(pattern.number)
        self._pages.append(mark)
        says = says and not self.patterns.combines(pattern.name)
        visit = self._open[number] = Visit(url, pattern, number, says, same, deep)
        if len(self._open) > _MAX_OPEN:
            del self._open[next(iter(self._open))]
        return visit

    def link(self, visit: Visit, url: str, *, refused: bool = False) -> bool:
        """Note a link of a page; whether it is to be queued although it has been before: it was deferred, and a page
        that is not suspected leads to it. One that is `refused` is growth as well: a trap does not end by that."""
        mark = _mark(url)
        known = self._known.get(mark)
        if known is None and self._forgets and self.was_met is not None and self.was_met(url):
            known = _ELSEWHERE
        if known is None:
            self._known.put(mark, visit.number)
            self._forgets = self._forgets or self._known.forgets
            self._feed(self.pattern(url), visit.pattern)
            visit.brought.append(self.part(url))
            return False
        if known & _CAME_BACK and self._is_settled(known, visit.pattern):
            if not refused:  # each of these is to be judged
                settled = visit.pattern.settled
                if len(settled) >= _MAX_SETTLED:
                    settled.clear()
                if (one := hash(url)) not in settled:
                    settled.add(one)
                    self._note_lead(visit, url, known)
            return False
        return self._met_again(visit, url, mark, known)

    def was_known(self, url: str) -> None:
        """A link that was taken for a new one had been found by another process: it is no growth.

        Whether it leads back nobody can tell: which pages lie between is not known here.
        """
        mark = _mark(url)
        known = self._known.get(mark) or 0
        number = known & _PAGE_MASK
        if number < self._first_own:
            return
        self._known.put(mark, known & ~_PAGE_MASK | _ELSEWHERE | _CAME_BACK)
        part, feeder = self.part(url), self._by_number[self._kinds[number] - 1]
        if (visit := self._open.get(number)) is not None and part in visit.brought:
            visit.brought.remove(part)
        if (root := self.root(feeder)) is not None:
            for back, record in enumerate(islice(reversed(root.records), _MAX_LATE), 1):
                if record.number == number:
                    grew = Counter(dict(record.grew))
                    grew[part.number] -= 1
                    root.records[-back] = record._replace(grew=tuple((+grew).items()))
                    break
        self._unfeed(self.pattern(url), feeder)

    def _unfeed(self, target: Pattern, feeder: Pattern) -> None:
        target.fed[feeder.number] -= 1
        feeder.leads[target.number] -= 1
        feeder.leads_away[target.number] -= 1
        target.fed = +target.fed
        if target.feeder is feeder:
            self._choose_feeder(target)

    def _met_again(self, visit: Visit, url: str, mark: int, known: int) -> bool:
        before = known
        again = False
        if not known & _CAME_BACK and (known & _ELSEWHERE or not self._is_near(visit.number, known & _PAGE_MASK)):
            known |= _CAME_BACK  # each counts once: neither a menu nor hubs hide a maze
            visit.led_back.add(self.part(url).number)
        if not self._is_settled(known, visit.pattern):
            known = known & ~(_PAGE_MASK << _OTHER_AT) | visit.number << _OTHER_AT
            pattern = self.pattern(url)
            visit.pattern.leads[pattern.number] += 1
            visit.pattern.leads_away[pattern.number] += self._leads_away(visit, known)
            if not known & (_FETCHED | _AGAIN) and self._is_finite_work(pattern, visit.number):
                again = self.suspect_of(url) is not None
                known |= _AGAIN if again else 0
                self.leaves_finite |= not again  # it may wait in a group that is suspected later
        if known != before:
            self._known.put(mark, known)
        return again

    def _note_lead(self, visit: Visit, url: str, known: int) -> None:
        """Note that pages of a pattern lead to a link which others have brought first."""
        pattern = visit.pattern
        if pattern.number not in (self._kinds[known & _PAGE_MASK], self._kinds[known >> _OTHER_AT & _PAGE_MASK]):
            target = self.pattern(url).number
            pattern.leads[target] += 1
            pattern.leads_away[target] += self._leads_away(visit, known)

    def _is_settled(self, known: int, by: Pattern) -> bool:
        """Whether a page of such a pattern that brings a link again says no more of it than is known: one outside all
        groups says the most, then one of another group, of a suspected one, of the group that brought it first."""
        brought_by, other = self._kinds[known & _PAGE_MASK], self._kinds[known >> _OTHER_AT & _PAGE_MASK]
        if not brought_by or by.number in (brought_by, other):
            return True
        first = self.root(self._by_number[brought_by - 1])
        return bool(other) and _says(self.root(by), first) <= _says(self.root(self._by_number[other - 1]), first)

    def _is_near(self, number: int, finder: int) -> bool:
        """Whether a page is among the nearest ancestors of another, or is that page."""
        parents = self._parents
        for _ in range(self.limits.ancestors):
            if number == finder:
                return True
            if number <= finder or number <= 0:
                return False
            number = parents[number]
        return False

    def _leads_away(self, visit: Visit, known: int) -> bool:
        """Whether a page leads to a known link that was not found together with it."""
        return bool(known & _ELSEWHERE) or known & _PAGE_MASK not in (visit.number, self._parents[visit.number])

    def _feed(self, target: Pattern, feeder: Pattern) -> None:
        target.fed[feeder.number] += 1
        feeder.leads[target.number] += 1
        feeder.leads_away[target.number] += 1
        if target.joined:
            return
        main = target.feeder
        if target.alone:
            is_due = not target.fed.total() % WEIGHED_EVERY
        else:
            is_due = main is None or target.fed[feeder.number] > target.fed[main.number]
        if is_due:
            self._choose_feeder(target)

    def leave(self, visit: Visit) -> Found | None:
        """All links of a page are known: judge its group. Returns what has changed."""
        self._open.pop(visit.number, None)
        visit.pattern.left += 1
        root = self._root_by_now(visit.pattern)
        if root is None or not visit.counts:
            return None
        own = {root, *root.fed_by}
        grew = Counter(target.number for target in visit.brought if self.root(target) in own)
        says = visit.says
        if says is False:  # a list of articles, most of which are known
            says = any(self._tells(part) for part in set(visit.brought) if self.root(part) is not root)
        # Tuples of numbers, which the garbage collector does not look into.
        record = Record(
            says,
            visit.same,
            tuple(visit.led_back),
            tuple(grew.items()),
            visit.deep,
            visit.number,
            self.part(visit.url).number,
        )
        root.records.append(record)
        root.pages += 1
        root.grown += grew.total()
        if visit.says is not None:
            root.note_silence(-round(1 / self.limits.rate) if record.speaks else 1, deep=visit.deep)
        root.said += record.speaks
        root.spoke += record.speaks and root.in_tail
        if visit.pattern is root or not root.examples:
            root.examples.append(visit.url)
        if root.pages > 1 and root.pages % WEIGHED_EVERY:
            return None
        self._on.clear()
        window = self.verdict.window(root)
        feeders = self._groups_that_feed(root)
        suspects = [one for one in feeders if one.suspected]
        root.fed_by = [one for one in feeders if self._depends_on(root, one)]
        other = next((one for one in root.fed_by if one.suspected), None)
        if root.suspected:
            self._share_out(root)
            if other is not None and not other.ended:
                return self._join(root, other)
        if suspects or root.pages > 1:  # one page says nothing by itself
            self.verdict.weigh(root, window, of_suspects=bool(suspects))
        return self._judge(root, window, other)

    def _root_by_now(self, pattern: Pattern) -> Pattern | None:
        """The root of a pattern of which all links of a page are known; now and then feeders are looked for anew."""
        root = self.root(pattern)
        if root is None or (pattern.left >= WEIGHED_EVERY and pattern.left % WEIGHED_EVERY):
            return root
        for one in list(self._line(pattern)):
            self._choose_feeder(one)
        return self.root(pattern)

    def _tells(self, part: Pattern) -> bool:
        """Whether pages of a part of a pattern are known to say something new."""
        owner = self.root(part) or self.named(whole_of(part.name))
        if owner.arrived <= self.limits.unread or self.verdict.is_dull(owner):
            return False
        return part.rarity * self.limits.window_rate <= 1

    def _share_out(self, root: Pattern) -> None:
        """Measure how rarely each part of a suspected group is read: the less its pages say or lead to, the more."""
        for number, (told, read) in told_by_part(root.records, self.limits.window_rate).items():
            if read >= SHARED_FROM:
                self._by_number[number - 1].rarity = min(read / (told or 1 / MAX_WEIGHT), MAX_WEIGHT)

    # Verdicts

    def _judge(self, root: Pattern, window: Measured, other: Pattern | None) -> Found | None:
        if root.in_tail or root.released or root.pages < self.limits.window:
            return None
        if root.suspected and root.suspicions >= self.limits.suspicions:
            return None
        why = self.verdict.clears(root, window)
        if root.suspected == (not why):
            return None
        if why:
            self.clear(root)
        else:
            self.suspect(root)
            if other is not None:
                return self._join(root, other)
        return Found(root, root.suspected, why or evidence(root))

    def suspect(self, root: Pattern) -> None:
        if root.records:
            root.first_grew = self.verdict.window(root).grows
            root.suspected_at = root.pages
        root.suspected = True
        root.suspicions += 1
        self.suspects.add(root)
        self.forget_roots()
        for one in self._by_number:
            if one is not root and self.root(one) is root:
                self._choose_feeder(one)

    def clear(self, root: Pattern) -> None:
        if root.in_tail:  # a person has released it, and may take that back
            root.in_tail = False
            root.silent = root.silent_deep = 0
        root.suspected = False
        root.ended = ""
        self.suspects.discard(root)
        self.forget_roots()
        if self._is_trusted(root.number):  # not where it is one group with another from now on
            self._regain()

    @contextmanager
    def _moving(self, pattern: Pattern) -> Iterator[None]:
        """What a pattern hangs on changes."""
        was_trusted = self._is_trusted(pattern.number)
        yield
        self.forget_roots()
        if self.suspects and self._is_trusted(pattern.number) != was_trusted:
            self.has_moved = True
            if not was_trusted:
                self._regain()

    def _regain(self) -> None:
        """Links are to be judged anew: what led to them is trusted by now."""
        self.leaves_finite = True
        self.unsettle()

    def _join(self, root: Pattern, other: Pattern) -> Found:
        """Make one of two suspected groups of which the other brings this one links."""
        root.joined = True
        root.feeder = other
        self.forget_roots()
        self.clear(root)
        return Found(root, False, f"is one group with {other.name}")

    def _groups_that_feed(self, root: Pattern) -> list[Pattern]:
        """The other groups that have brought a good part of a group's links, the one with most first."""
        least = self.limits.joins * root.fed.total()
        owners = (self.root(self._by_number[one - 1]) for one, count in root.fed.most_common() if count >= least)
        return list(dict.fromkeys(one for one in owners if one is not None and one is not root))

    def _choose_feeder(self, pattern: Pattern) -> None:
        """Its feeder is the pattern that brought most of its links, but of what is a group of its own; see `_alone`."""
        if pattern.joined:
            return
        most = pattern.fed.most_common(1)
        main = self._by_number[most[0][0] - 1] if most else None
        own = self._alone(pattern, main) if main is not None and main is not pattern else None
        pattern.alone = own is not None
        feeder = own or main
        if feeder is not pattern.feeder:
            with self._moving(pattern):
                pattern.feeder = feeder

    def _alone(self, pattern: Pattern, main: Pattern) -> Pattern | None:
        """The feeder of a pattern, of those that it leads to, where it is no part of the group that another one hangs
        on, which brought most of its links: it brought many itself. If that group is suspected, those that others found
        first count, too, and any do where the pattern does not lead back there. Where either brought the other most,
        a good part has to be what others found first: what made-up pages lead to nobody has found."""
        in_circle = self._hangs_on(main, pattern)
        root = self.root(main)
        if root is None or self.patterns.are_views(pattern.name, (main if in_circle else root).name):
            return None
        count, share = pattern.fed.total(), self.limits.feeds_itself
        if not root.suspected:
            return pattern if not in_circle and pattern.fed[pattern.number] >= share * count else None
        back, leads_there = self._leads_back(pattern, main if in_circle else root)
        brought = back.leads_away[pattern.number]
        least = share * min(count, pattern.left) if in_circle or leads_there else 0
        if in_circle:
            least = max(least, pattern.fed[back.number] / (1 - share))
        return back if brought >= max(least, 1) else None

    def _depends_on(self, root: Pattern, other: Pattern) -> bool:
        """Whether a group is endless only with another one, which brought it links: it leads there, and would come to
        its end alone; and so would the other one, if that is not suspected. Where that has to be so in any case, three
        kinds of pages that are endless only together take 20,000. Where both lead on it is so if the other one is
        suspected and neither grows by new links of its own: months and weeks, which find each other first."""
        if self.patterns.are_views(root.name, other.name):
            return other.suspected
        if other not in self._reached(root, other):
            return False
        if self._lasts(root):
            return other.suspected and not (self._grows(root) or self._grows(other))
        return other.suspected or not self._lasts(other)

    def _grows(self, root: Pattern) -> bool:
        """Whether the last pages of a group bring as many new links of its own as would make it suspected alone."""
        last = last_of(root, self.limits.window)
        own = sum(count for one in last for to, count in one.grew if self.root(self._by_number[to - 1]) is root)
        return own >= self.limits.shrink * len(last)

    def _lasts(self, root: Pattern) -> bool:
        """Whether a group may not come to its end alone: so many of its pages follow from each in the next generation,
        whoever found these first, unless it is by chance that there were so few."""
        own = {one: one.left for one in (root, *self._reached(root)) if self.root(one) is root}
        kinds = {one.number: kind for kind, one in enumerate(own)}
        means = [
            (kind, kinds[to], count / max(self._by_number[number - 1].left, 1))
            for number, kind in kinds.items()
            for to, count in self._by_number[number - 1].leads_away.items()
            if to in kinds
        ]
        by_chance: float = BY_CHANCE / max(sum(own.values()), 1) ** 0.5
        return lasting(means, len(kinds)) + by_chance >= self.limits.shrink

    def _leads_back(self, pattern: Pattern, last: Pattern) -> tuple[Pattern, bool]:
        """The pattern that brings this one most links, of it and those that it leads to but not by way of the `last`
        one; and whether it leads to that."""
        reached = self._reached(pattern, last)
        leads_there = reached.pop(last, pattern) is None
        return max((pattern, *reached), key=lambda one: one.leads_away[pattern.number]), leads_there

    def _reached(self, pattern: Pattern, last: Pattern | None = None) -> dict[Pattern, None]:
        """The patterns that a good part of the links of its pages, of their pages and so on lead to, but not by way of
        the `last` one."""
        reached = dict[Pattern, None]()
        todo = [pattern]
        while todo:
            one = todo.pop()
            least = self.limits.joins * one.leads.total()
            for number, count in one.leads.items():
                target = self._by_number[number - 1]
                if count < max(least, 1) or target in reached or self.root(target) is None:
                    continue  # what leads to the home page does not lead to all that this does
                if len(reached) < _MAX_REACHED:
                    reached[target] = None
                    if target is not last:
                        todo.append(target)
        return reached

    def _hangs_on(self, pattern: Pattern, other: Pattern) -> bool:
        """Whether the line of a pattern's feeders comes to another one."""
        return other in self._line(pattern)

    def _line(self, pattern: Pattern) -> Iterator[Pattern]:
        """A pattern, its feeder, the feeder of that and so on, each once."""
        line = set[Pattern]()
        at: Pattern | None = pattern
        while at is not None and at not in line:
            yield at
            line.add(at)
            at = at.feeder


def _says(root: Pattern | None, first: Pattern | None) -> int:
    """How much it says of a link that a group brings it after another had been the first."""
    if root is None:
        return 3
    return 0 if root is first else 1 if root.suspected else 2


@lru_cache(_MAX_MARKS)
def _mark(url: str) -> int:
    """A URL as a number, the same for all that the visited set takes for one page."""
    return mark_of(default_key(url))


def _pages_of(known: int) -> list[int]:
    """The pages that are known to have brought a link."""
    return [page for page in (known & _PAGE_MASK, known >> _OTHER_AT & _PAGE_MASK) if page]
