"""What is known of a group of URL patterns, and what its last pages add up to."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Container, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from scrapy_polite.traps.limits import DEFAULT_LIMITS, GENERATIONS, OFTEN

#: The part that a page which leads on is of, and its new links to such parts.
_Brought = tuple[int, list[tuple[int, int]]]


class Record(NamedTuple):
    """A page of a group: whether it `says` something new, or brings a new link to what is not of the group and does
    (None: it was not read), and is the `same` as the ones before.
    `led_back` are parts of patterns by number, `grew` such parts with the new links to each."""

    says: bool | None
    same: bool
    led_back: tuple[int, ...]
    grew: tuple[tuple[int, int], ...]
    deep: bool
    #: Of the page, among all that have come; -1: of another process.
    number: int = -1
    #: The page's own, by number.
    part: int = 0

    @property
    def is_error(self) -> bool:
        return self.says is None and self.same

    @property
    def speaks(self) -> bool:
        """Whether it says something new, or known things in a new combination."""
        return bool(self.says) or (self.says is False and not self.same)


@dataclass(slots=True, eq=False)
class Pattern:
    """A URL pattern, or a part of one, and what is known of the group that it is the root of."""

    number: int
    name: str
    #: The group's last pages.
    records: deque[Record]
    #: New links of this pattern, by the pattern that brought them, and the one that brought most.
    fed: Counter[int] = field(default_factory=Counter)
    feeder: Pattern | None = None
    #: Links that its pages lead to, whoever brought them first, by what they are of.
    leads: Counter[int] = field(default_factory=Counter)
    #: Those of them that were not found together with the page itself: where each host that is made up has articles,
    #: these lead to each other, and not on.
    leads_away: Counter[int] = field(default_factory=Counter)
    joined: bool = False
    #: Whether `feeder` is another one, because that hangs on a group to which this one does not lead.
    alone: bool = False
    #: Its pages of which all links are known.
    left: int = 0
    #: Of the group: those that it is endless only with, if it is (see `groups`); links to them are growth, too.
    fed_by: Sequence[Pattern] = ()
    #: Of the group: its pages that have come, those of which all links are known, and some of their URLs.
    arrived: int = 0
    pages: int = 0
    said: int = 0
    examples: deque[str] = field(default_factory=lambda: deque(maxlen=3))
    volatile: frozenset[object] = frozenset()
    read_one_in: int = 1
    #: Pages of this pattern that were read in its group, and whether one was fetched once more, to learn what is
    #: `volatile` (see `novelty.differs`).
    read: int = 0
    fetched_again: bool = False
    #: Hashes of links of which nothing more is to be known where a page of this pattern has them: most.
    settled: set[int] = field(default_factory=set)
    #: Pages in a row, of those that were read, that said nothing new or hardly anything; also of a pattern that is no
    #: group's.
    dull: int = 0
    #: Pages to come that do not count (see `handover`).
    learns: int = 0
    suspected: bool = False
    #: How often it has been.
    suspicions: int = 0
    released: bool = False
    in_tail: bool = False
    #: Its pages when its tail began, and how many since then said something
    #: new, or known things in another combination.
    tail_from: int = 0
    spoke: int = 0
    #: Why it has ended; empty while it has not.
    ended: str = ""
    checked_at: int = 0
    #: Budgets that refuted the suspicion, and those since the last of these that did not.
    refuted: int = 0
    failed: int = 0
    #: Pages of this budget that went ahead (see `links.TOLD`).
    ahead: int = 0
    #: Its pages when it was last looked whether it goes astray.
    asked_at: int = 0
    #: Pages that said nothing, and those of them on a deep probe; either less so many for each page that did as say
    #: something at the rate that refutes a suspicion, and never below 0: a cumulative sum (Page 1954, "Continuous
    #: inspection schemes").
    silent: int = 0
    silent_deep: int = 0
    #: Of deep probes since a page said something: how far from the start the deepest page is that was read, how many
    #: were, those of them that brought no links, and how many there were when they went deeper last.
    deepest: int = 0
    probed: int = 0
    leaves: int = 0
    deeper_at: int = 0
    #: New links of its own that its pages have brought.
    grown: int = 0
    #: Its pages and such links where its cap begins, and where half of it is reached.
    cap_from: tuple[int, int] = (0, 0)
    cap_half: tuple[int, int] = (0, 0)
    #: New links for each page when it was suspected, and its pages by then.
    first_grew: float = 0.0
    suspected_at: int = 0
    weight: float = 1.0
    #: How rarely this part is read beside the others of its group, once that is suspected.
    rarity: float = 1.0

    def note_silence(self, step: int, *, deep: bool) -> None:
        """See `silent`."""
        self.silent = max(self.silent + step, 0)
        if deep or step < 0:
            self.silent_deep = max(self.silent_deep + step, 0)
        if step < 0:
            self.forget_depth()

    def forget_depth(self) -> None:
        """What deep probes find is counted anew."""
        self.deepest = self.probed = self.leaves = self.deeper_at = 0

    def note_depth(self, depth: int, *, is_leaf: bool) -> None:
        """A page of a deep probe has been read."""
        self.probed += 1
        self.leaves += is_leaf
        if depth > self.deepest:
            self.deepest, self.deeper_at = depth, self.probed

    def is_at_leaves(self, most: int) -> bool:
        """Whether most pages of deep probes are leaves, the last half of them lies no deeper than those before, and so
        many links at most are left. So it is in a tree, however wide; a place without an end goes ever deeper, and
        filters that are combined leave ever more."""
        return 2 * self.deeper_at <= self.probed < 2 * self.leaves and self.grown - self.pages <= most


class Measured(NamedTuple):
    """Of some pages: new links of the group for each; whether it branches; the share that said something new, that or
    known things in a new combination; whether any page led back, and whether most of the parts that grow are led back
    to; and whether on a deep probe the queue shrank by more than one page brings.

    `branches` and `shrinks` are of parts whose pages bring links, and of their links to such parts: lists that lead to
    the next list and to many pages are a chain of lists, and folders a tree, however many files they hold. `branches`
    is how many such pages follow from each in the next generation, from the deep or the oldest end, whichever is less.
    """

    grows: float
    branches: float
    new: float
    varied: float
    any_back: bool
    mostly_back: bool
    shrinks: bool


def measure(last: Sequence[Record], rate: float) -> Measured:
    count = len(last)
    total = sum(map(links, last))
    ends = [[one for one in last if one.deep is end] for end in (True, False)]
    lead_on = {one.part for one in last if one.grew}
    deep, wide = (_brought(end, lead_on) for end in ends)
    branches = min(_branches(one) for one, end in zip((deep, wide), ends, strict=True) if len(end) >= count / 4)
    new: dict[int, int] = {}
    back: dict[int, int] = {}
    for one in last:
        for part, brought in one.grew:
            new[part] = new.get(part, 0) + brought
        for part in one.led_back:
            back[part] = back.get(part, 0) + 1
    led = sum(brought for part, brought in new.items() if back.get(part, 0) >= rate * count)
    read = [one.says for one in last if one.says is not None]
    # A page that was not read is as the others; where none was, nothing but errors is held against them.
    says = sum(read) / len(read) if read else sum(not one.is_error for one in last) / count
    varied = sum(one.speaks for one in last) / count
    came = [_sum(grew) for _, grew in deep]
    shrinks = bool(came) and len(came) - sum(came) > max(came) + 1
    return Measured(total / count, branches, says, varied, bool(back), 2 * led >= total > 0, shrinks)


def told_by_part(records: Collection[Record], rate: float) -> dict[int, tuple[int, int]]:
    """Of each part of a pattern how many of these pages said something new, or brought a new link to a part of whose
    pages at least so large a share does; and how many were read. Where none was, errors are pages that say nothing."""
    read = [one for one in records if one.says is not None]
    counts = Counter(one.part for one in read)
    counts += Counter(one.part for one in records if one.is_error and one.part not in counts)
    told = Counter(one.part for one in read if one.says)
    telling = {part for part, count in told.items() if count >= rate * counts[part]}
    told.update(one.part for one in read if not one.says and any(to in telling for to, _ in one.grew))
    return {part: (told[part], count) for part, count in counts.items()}


def only(record: Record, parts: Container[int]) -> Record:
    """A page as if its group had these parts alone."""
    back = tuple(one for one in record.led_back if one in parts)
    return record._replace(led_back=back, grew=tuple(one for one in record.grew if one[0] in parts))


def _brought(end: Sequence[Record], lead_on: set[int]) -> list[_Brought]:
    return [(one.part, [to for to in one.grew if to[0] in lead_on]) for one in end if one.part in lead_on]


def _branches(brought: Sequence[_Brought]) -> float:
    """How many of these pages follow from one in each generation, whichever of them were read first: the largest
    eigenvalue of what the pages of each part bring of each other one (a branching process with several types: Harris
    1963, "The theory of branching processes", chapter II). Rare parts are one, 0, which brings what all do."""
    pages = Counter(part for part, _ in brought)
    often = [part for part, count in pages.items() if count >= OFTEN * len(brought)]
    kinds = {part: kind for kind, part in enumerate(often, 1)}
    # One folder of hundreds of files does not make a tree branch: without the page that brought most.
    most = max(brought, key=lambda one: _sum(one[1]), default=None)
    offspring: Counter[tuple[int, int]] = Counter()
    for one in brought:
        if one is not most:
            kind = kinds.get(one[0], 0)
            for to, count in one[1]:
                offspring[kind, kinds.get(to, 0)] += count
    for (kind, to), count in list(offspring.items()):
        if kind:
            offspring[0, to] += count
    counts = [len(brought), *(pages[part] for part in often)]
    means = [(kind, to, count / counts[kind]) for (kind, to), count in offspring.items()]
    return lasting(means, len(counts))


def lasting(means: Sequence[tuple[int, int, float]], kinds: int) -> float:
    """How many follow from one in each generation in the long run, where one of a kind brings on average so many of
    another: (kind, other kind, mean), numbered from 0."""
    sizes = [1.0] * kinds
    for _ in range(GENERATIONS):
        following = [0.0] * kinds
        for kind, to, mean in means:
            following[kind] += mean * sizes[to]
        sizes = following
    return float(max(sizes) ** (1 / GENERATIONS))


def links(record: Record) -> int:
    """New links of its own that a page brought to its group."""
    return _sum(record.grew)


def _sum(grew: Iterable[tuple[int, int]]) -> int:
    return sum(count for _, count in grew)


def last_of(root: Pattern, count: int) -> list[Record]:
    """So many of the last pages of a group, the newest first."""
    return list(islice(reversed(root.records), count))


def led_back(last: Sequence[Record]) -> int:
    """How many of these pages led back to parts that grow by them."""
    grown = {part for one in last for part, _ in one.grew}
    return sum(not grown.isdisjoint(one.led_back) for one in last)


def evidence(root: Pattern) -> str:
    """What speaks for a trap, in one line."""
    last = last_of(root, DEFAULT_LIMITS.window)
    if not last:
        return "found by another crawl"
    read = [one.says for one in last if one.says is not None]
    back = led_back(last)
    brought = sum(map(links, last))
    were_read = "" if len(read) == len(last) else f"{len(read)} were looked into, of which "
    return (
        f"of its last {len(last)} pages {were_read}{sum(read)} said something new, {back} linked back to pages they "
        f"had not come from, and all brought {brought} new links to more such pages"
    )
