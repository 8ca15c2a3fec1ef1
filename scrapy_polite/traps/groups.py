"""Groups of URL patterns that feed themselves with links: the only thing on a site that can be endless.

The unit of work is one page: its pattern, whether it says something new, where its links lead. Which patterns are one
group is the matter of `feeders`. A group is suspected when its pages keep bringing new links of its own and say nothing
new, or say new things but hardly ever lead back. A suspicion costs order, never pages: see `frontier.shares` for the
order, and `verdict` for how long a suspected group is read when nothing else is left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from scrapy_polite.traps.evidence import Pattern, Record, evidence, told_by_part
from scrapy_polite.traps.feeders import Feeders
from scrapy_polite.traps.limits import DEFAULT_LIMITS, MAX_WEIGHT, SHARED_FROM, WEIGHED_EVERY, Limits
from scrapy_polite.traps.links import (
    AGAIN,
    CAME_BACK,
    ELSEWHERE,
    FETCHED,
    LET_GO,
    Links,
    Remembered,
    first_page,
    is_by_page,
    mark_of_link,
    pages_of,
    with_other_page,
)
from scrapy_polite.traps.novelty import MAX_LOOKED_AT, NOTED, Novelty, Said, differs
from scrapy_polite.traps.patterns import whole_of
from scrapy_polite.traps.recent import Recent
from scrapy_polite.traps.verdict import Verdict

if TYPE_CHECKING:
    from scrapy_polite.traps.evidence import Measured
    from scrapy_polite.traps.page import Page

#: Links that are settled for the pages of one pattern; at so many it begins anew.
_MAX_SETTLED = 10_000
#: Pages since one of whose links it is told that they were known, and pages of which not all links are known.
_MAX_LATE, _MAX_OPEN = 64, 1_000
#: Places that are remembered, or up to twice as many, of some 100 bytes.
_MAX_PLACES = 50_000
#: Pages that are looked at to find out whether a link is finite work.
_MAX_FINDERS = 64

#: What the name of a flow begins with that takes what others brought to a group.
BESIDE = "+"


def _no_place(url: str) -> None:
    """Of a site of which no part is known that does not matter."""


class Found(NamedTuple):
    """What a page has shown of its group: `suspected` or cleared, and why."""

    root: Pattern
    suspected: bool
    why: str


@dataclass(slots=True, eq=False)
class Visit:
    """A page from its arrival until all its links are known; it `brought` links to these parts. `is_doubtful`: it says
    little, and what of that changes by itself is to be learned by fetching it once more. `counts`: unless what its
    group shows is only being learned. `ahead`: it was brought by a page of `links.TOLD`."""

    url: str
    pattern: Pattern
    number: int
    says: bool | None
    same: bool
    deep: bool
    ahead: bool = False
    is_doubtful: bool = False
    counts: bool = True
    led_back: set[int] = field(default_factory=set)
    brought: list[Pattern] = field(default_factory=list)


class Groups:
    """What one crawl knows of one site (a registered domain). `was_met` and `forgetful` are as of `Links`."""

    def __init__(
        self,
        limits: Limits = DEFAULT_LIMITS,
        was_met: Callable[[str], bool] | None = None,
        *,
        forgetful: bool = False,
    ) -> None:
        self.limits = limits
        self.verdict = Verdict(limits)
        self.novelty = Novelty()
        self.feeders = feeders = Feeders(limits)
        self.root, self.named, self.suspects = feeders.root, feeders.named, feeders.suspects
        self.links = Links(limits.ancestors, was_met, forgetful=forgetful)
        #: Pages of which not all links are known yet, by number.
        self._open: dict[int, Visit] = {}
        #: Pages that first led to a place, see `link`.
        self._places: Recent[int, int] = Recent(_MAX_PLACES)
        self._has_dull = False
        #: Links that were followed although their group has ended.
        self._let_go = 0

    def __len__(self) -> int:
        return len(self.links) + len(self._places) + len(self.novelty) + len(self.feeders)

    # Links

    def suspect_of(self, url: str) -> Pattern | None:
        """The suspected group that a link is deferred with, its own or the one that brought it to another; None where a
        page outside suspected groups brought it.

        Where nobody knows any more what did, it is of its own: else a large trap whose links are refused has no end.
        """
        if not self.suspects:
            return None
        pattern = self.feeders.pattern(url)
        root = self.root(pattern)
        if root is None:
            return None
        known = self.links.of(url)
        if not root.suspected:
            return None if self._is_finite_work(pattern, known) else self._brought_by(url)
        return root if self.links.is_forgotten(known) or not self._is_finite_work(pattern, known) else None

    def flow_of(self, url: str) -> str:
        """The flow of its site that a link goes in: of the group that brought it to itself, or, once that is suspected,
        of its part of a pattern; one beside it for what another group brought to this one, and for finite work that is
        likely to be more of the same, by its pattern once the group is suspected: by parts Boost's manual takes 4 %
        more CPU; the main one, "", for all else."""
        if slow := self.slow_flow_of(url):
            return slow
        root = self.root(self.feeders.pattern(url))
        brought_by = self._brought_by(url) if root is not None else None
        if root is None or brought_by is None:
            return ""
        return root.name if brought_by is root else BESIDE + root.name

    def slow_flow_of(self, url: str, queued_in: str = "") -> str:
        """The same where its group is suspected, or it is finite work of what says nothing new; "" elsewhere. What is
        `queued_in` a flow of its group stays in one: another process may have found it."""
        if not self.suspects and not self._has_dull:
            return ""
        pattern = self.feeders.pattern(url)
        root = self.root(pattern)
        owner = root or pattern
        stays = queued_in[:1] not in ("", BESIDE)
        if owner.suspected:
            is_own = stays or not self._is_finite_work(pattern, self.links.of(url))
            return self.feeders.part(url).name if is_own else BESIDE + pattern.name
        if stays:
            return ""
        if (suspect := self.suspect_of(url)) is not None:
            return suspect.name
        is_own = root is not None and self._brought_by(url) is root
        return BESIDE + owner.name if self.verdict.is_dull(owner) and not is_own else ""

    def said_of(self, url: str) -> int:
        """What is known of the pages that brought a link: see `links.TOLD`."""
        return self.links.said_by(self.links.of(url))

    def _brought_by(self, url: str) -> Pattern | None:
        """The group that brought a link first."""
        number = self.links.kind(first_page(self.links.of(url)))
        return self.root(self.feeders.numbered(number)) if number else None

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

    def _is_finite_work(self, pattern: Pattern, known: int) -> bool:
        """Whether a page outside suspected groups brought a link of this pattern, or one that is finite work itself,
        and pages of this pattern do not lead on: else each page of a trap would be finite work."""
        if known & LET_GO:
            return True
        todo, looked_at = [(pattern, known)], set[int]()
        while todo:
            pattern, known = todo.pop()
            if not first_page(known):
                return True
            for page in pages_of(known):
                feeder = self.feeders.numbered(self.links.kind(page))
                if self.feeders.is_trusted(feeder):
                    return True
                found_by = self.links.found_by(page)
                if found_by and not found_by & ELSEWHERE and page not in looked_at and len(looked_at) < _MAX_FINDERS:
                    looked_at.add(page)
                    if not self.feeders.leads_on(pattern, self.root(feeder)):
                        todo.append((feeder, found_by))
        return False

    def is_finite_work(self, url: str) -> bool:
        """Whether it is known by now that a link which a suspected group was left with is finite work."""
        known = self.links.of(url)
        return is_by_page(known) and self._is_finite_work(self.feeders.pattern(url), known)

    def lets_go(self, url: str) -> bool:
        """Whether a link that a group has ended with is followed after all: it is finite work by now, or a page that is
        has brought it and it is of another kind. So are the articles of a list in a trap, but there may be many such
        links: a budget of each site's are followed."""
        if self.is_finite_work(url):
            return True
        known, pattern = self.links.of(url), self.feeders.pattern(url)
        if self._let_go >= self.limits.budget or not any(self._is_beside(pattern, page) for page in pages_of(known)):
            return False
        self._let_go += 1
        self.links.put(mark_of_link(url), known | LET_GO)
        return True

    def _is_beside(self, pattern: Pattern, page: int) -> bool:
        """Whether a page is finite work, and of another pattern than this one."""
        own, found_by = self.feeders.numbered(self.links.kind(page)), self.links.found_by(page)
        is_known = found_by > 0 and not found_by & (ELSEWHERE | LET_GO)
        return is_known and own is not pattern and self._is_finite_work(own, found_by)

    def remembered(self, most: int) -> Remembered | None:
        """What is remembered of links and pages, for another process; None where there are more than so many."""
        return self.links.remembered(most, self.novelty.remembered(most))

    def remember(self, theirs: Remembered) -> None:
        """Take that up, before the first page; the patterns of that process are known already."""
        self.links.remember(theirs)
        self.novelty.remember(theirs.said, theirs.whole, theirs.whole_known)

    # Pages

    def arrive(self, url: str, page: Page | None, *, deep: bool = False) -> Visit:
        """A page has come, or None for what carries nothing, such as a calendar's file. Its links follow one by one.

        All pages of a group that says little are read, of other groups some. Of what is no group's only the order
        depends on what it says: a few are read.
        """
        if page is None:
            return self.note(url, says=False, same=True, deep=deep)
        pattern = self.feeders.pattern(url)
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
        says = said.new and said.fresh >= self.limits.fresh and not self.feeders.patterns.combines(pattern.name)
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
        pattern = self.feeders.pattern(url)
        number = self.links.arrived(url, pattern.number)
        says = says and not self.feeders.patterns.combines(pattern.name)
        ahead = self.links.was_told_of(number)
        if says is not None:
            self.links.note_said(number, says)
        visit = self._open[number] = Visit(url, pattern, number, says, same, deep, ahead)
        if len(self._open) > _MAX_OPEN:
            del self._open[next(iter(self._open))]
        return visit

    def link(
        self, visit: Visit, url: str, *, refused: bool = False, place_of: Callable[[str], int | None] = _no_place
    ) -> bool:
        """Note a link of a page; whether it is to be queued although it has been before: it was deferred, and a page
        that is not suspected leads to it. One that is `refused` is growth as well: a trap does not end by that. One
        that leads to the place of another (`place_of` is `Aliases.place`) is not: they are one page."""
        mark = mark_of_link(url)
        known = self.links.met(mark, url)
        if known is None:
            self.links.add(mark, visit.number)
            if not self._is_known_place(visit, url, place_of(url)):
                self.feeders.feed(self.feeders.pattern(url), visit.pattern)
                visit.brought.append(self.feeders.part(url))
            return False
        if known & CAME_BACK and self._is_settled(known, visit.pattern):
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
        number = self.links.was_known(url)
        if not number:
            return
        part, feeder = self.feeders.part(url), self.feeders.numbered(self.links.kind(number))
        if (visit := self._open.get(number)) is not None and part in visit.brought:
            visit.brought.remove(part)
        if (root := self.root(feeder)) is not None:
            for back, record in enumerate(islice(reversed(root.records), _MAX_LATE), 1):
                if record.number == number:
                    grew = Counter(dict(record.grew))
                    grew[part.number] -= 1
                    root.records[-back] = record._replace(grew=tuple((+grew).items()))
                    break
        self.feeders.unfeed(self.feeders.pattern(url), feeder)

    def _met_again(self, visit: Visit, url: str, mark: int, known: int) -> bool:
        before = known
        again = False
        known = self._come_back(visit, url, known)
        if not self._is_settled(known, visit.pattern):
            known = with_other_page(known, visit.number)
            pattern = self.feeders.pattern(url)
            self.feeders.lead(visit.pattern, pattern, away=self.links.leads_away(visit.number, known))
            if not known & (FETCHED | AGAIN) and self._is_finite_work(pattern, visit.number):
                again = self.suspect_of(url) is not None
                known |= AGAIN if again else 0
                self.feeders.leaves_finite |= not again  # it may wait in a group that is suspected later
        if known != before:
            self.links.put(mark, known)
        return again

    def _is_known_place(self, visit: Visit, url: str, place: int | None) -> bool:
        """Whether a link has led to a place before, under another URL, and so may lead back, as a known link does."""
        if place is None:
            return False
        known = self._places.get(place)
        self._places.put(place, visit.number if known is None else self._come_back(visit, url, known))
        return known is not None

    def _come_back(self, visit: Visit, url: str, known: int) -> int:
        """Note a known link that leads back, and what is known of it then."""
        if not known & CAME_BACK and self.links.has_come_back(known, visit.number):
            known |= CAME_BACK  # each counts once: neither a menu nor hubs hide a maze
            visit.led_back.add(self.feeders.part(url).number)
        return known

    def _note_lead(self, visit: Visit, url: str, known: int) -> None:
        """Note that pages of a pattern lead to a link which others have brought first."""
        if visit.pattern.number not in self.links.kinds_of(known):
            away = self.links.leads_away(visit.number, known)
            self.feeders.lead(visit.pattern, self.feeders.pattern(url), away=away)

    def _is_settled(self, known: int, by: Pattern) -> bool:
        """Whether a page of such a pattern that brings a link again says no more of it than is known: one outside all
        groups says the most, then one of another group, of a suspected one, of the group that brought it first."""
        brought_by, other = self.links.kinds_of(known)
        if not brought_by or by.number in (brought_by, other):
            return True
        first = self.root(self.feeders.numbered(brought_by))
        return bool(other) and _says(self.root(by), first) <= _says(self.root(self.feeders.numbered(other)), first)

    def leave(self, visit: Visit) -> Found | None:
        """All links of a page are known: judge its group. Returns what has changed."""
        self._open.pop(visit.number, None)
        visit.pattern.left += 1
        root = self.feeders.root_by_now(visit.pattern)
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
            self.feeders.part(visit.url).number,
        )
        root.records.append(record)
        root.pages += 1
        root.grown += grew.total()
        if visit.says is not None:
            if visit.deep and (depth := self.links.depth(visit.number)):
                root.note_depth(depth, is_leaf=not grew)
            root.note_silence(-round(1 / self.limits.rate) if record.speaks else 1, deep=visit.deep)
        root.ahead += visit.ahead
        root.said += record.speaks
        root.spoke += record.speaks and root.in_tail
        if visit.pattern is root or not root.examples:
            root.examples.append(visit.url)
        if root.pages > 1 and root.pages % WEIGHED_EVERY:
            return None
        self.feeders.look_anew()
        window = self.verdict.window(root)
        others = self.feeders.groups_that_feed(root)
        suspects = [one for one in others if one.suspected]
        root.fed_by = self.feeders.endless_with(root, others)
        other = next((one for one in root.fed_by if one.suspected), None)
        if root.suspected:
            self._share_out(root)
            if other is not None and not other.ended:
                return self._join(root, other)
        if suspects or root.pages > 1:  # one page says nothing by itself
            self.verdict.weigh(root, window, of_suspects=bool(suspects))
        return self._judge(root, window, other)

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
                self.feeders.numbered(number).rarity = min(read / (told or 1 / MAX_WEIGHT), MAX_WEIGHT)

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
        root.suspicions += 1
        self.feeders.suspect(root)

    def clear(self, root: Pattern) -> None:
        if root.in_tail:  # a person has released it, and may take that back
            root.in_tail = False
            root.silent = root.silent_deep = 0
            root.forget_depth()
        self.feeders.clear(root)

    def _join(self, root: Pattern, other: Pattern) -> Found:
        """Make one of two suspected groups of which the other brings this one links."""
        self.feeders.join(root, other)
        self.clear(root)
        return Found(root, False, f"is one group with {other.name}")


def _says(root: Pattern | None, first: Pattern | None) -> int:
    """How much it says of a link that a group brings it after another had been the first."""
    if root is None:
        return 3
    return 0 if root is first else 1 if root.suspected else 2
