"""Groups of URL patterns that feed themselves with links: the only thing on a site that can be endless.

The unit of work is one page: its pattern, whether it says something new, where its links lead. Each pattern points to
its feeder, the pattern that brought most of its new links. Following feeders ends at the start of the crawl, then it is
finite work, or at a pattern that feeds itself: the root of a group. A group is suspected when its pages keep bringing
new links of its own and say nothing new, or say new things but never lead back. A suspicion costs order, never pages:
see `frontier.scheduler` for the order, and `ended` for how long a suspected group is read when nothing else is left.
"""

from __future__ import annotations

from array import array
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from scrapy_polite.traps.novelty import Novelty, differs
from scrapy_polite.traps.patterns import Patterns
from scrapy_polite.traps.recent import Recent

if TYPE_CHECKING:
    from scrapy_polite.traps.page import Page


@dataclass(frozen=True, slots=True)
class Limits:
    """What groups are judged by. Each figure is shown by `benchmarks/honest_sites.py` (no page lost) and
    `benchmarks/trap_zoo.py` (every trap ends); what happens when it is wrong stands beside it."""

    #: Pages of a group that its order goes by; every half of them it is judged. Fewer: honest sections are suspected at
    #: their begin and wait needlessly. More: a trap gets its full share for longer.
    window: int = 50
    #: Share of these pages that has to say something new, or to lead back.
    window_rate: float = 0.10
    #: Pages of a suspected group before it is judged again when nothing else is left (POLITE_TRAP_BUDGET). With 300 a
    #: fifth of one of five hard honest sites is lost, with 100 up to half of three.
    budget: int = 500
    #: The same share of these: above it the budget is renewed.
    rate: float = 0.02
    #: Pages that a group may have which says new things, never branches and never leads back (POLITE_TRAP_CAP).
    cap: int = 20_000
    #: Pages in a row on a deep probe, and as many on a wide one, that say nothing new while the group grows: then it
    #: ends before its budget does. Fewer: a calendar that is empty for months is taken for one without an end.
    silent: int = 50
    #: Share of a deep probe's pages that was taken deep.
    probed: float = 0.75
    #: Pages of a budget that are taken on a deep probe; the others look wide.
    deep: int = 200
    #: Pages of a budget after which a group ends that branches and of which no page has led back: a site of 300,000
    #: pages with six links each has led back ten times by then. With 250 one of 120,000 is lost in some runs.
    astray: int = 300
    #: New links of its own for each page of the group: up to here it is a chain, and does not branch.
    branch: float = 1.5
    #: Below so many new links for each page the group's queue shrinks: it is finite by arithmetic.
    shrink: float = 0.9
    #: New links that a group may still bring which says nothing new: it is read to its end where arithmetic says that
    #: no more are left. Fewer: meshes of a few thousand pages are lost. More: so many pages of a shop's filters are read.
    remaining: int = 5_000
    #: Of the new links for each page that a group brought at half of its cap: one that brings less is not at its cap.
    falls: float = 0.9
    #: A suspected group that brought so large a share of another suspected one's links is one with it.
    joins: float = 0.05
    #: Of the new links for each page that a group brought when it was suspected: one that is led back to and brings
    #: less may be a mesh that is known by and by, and is not silent.
    fades: float = 0.7
    #: Pages that a chain may have which says known things in new combinations, and nothing new; and what a chain is
    #: here: new links for each page now, and when it was suspected. Without, rosters and menus of the day are lost.
    varied_cap: int = 3_000
    varied_branch: float = 1.2
    varied_first: float = 3.0
    #: New links for each page of the group: above it a group that is led back to is no mere chain.
    forks: float = 1.02
    #: In the tail `rate` is multiplied by the new links for each page, up to so many: the more a group grows the more
    #: is to be said for following it. Without, versions of files by commit take 20,000 pages.
    grows: float = 5.0
    #: Nearest pages on the way from the start: a link to what one of these found leads back to nothing.
    ancestors: int = 64
    #: Pages of a group of which none is read: most groups have fewer. With 25 some traps are told 20 pages later.
    unread: int = 10
    #: One page in so many is read of a group of which so large a share says something new; all of one that says less.
    #: With one in four from 0.5 on a trap that draws from a pool is told late: the pool is known that much later.
    reads: tuple[tuple[float, int], ...] = ((0.9, 4), (0.5, 2))
    #: The same of a group that shrinks: what it says is of no account.
    reads_shrinking: int = 8
    #: Of these pages of a group the first of which less than so much is new is fetched once more: counters and clocks.
    looked_into: range = range(40, 43)
    little: float = 0.25


DEFAULT_LIMITS = Limits()

#: What a group of patterns can be; with `trap/endless` the reason of what is refused or left of it.
KINDS = {
    "suspected": "its pages bring ever more links of their own, and say nothing new or never lead back",
    "silent": "a run of pages from either end of it said nothing that their URLs do not explain",
    "budget": "a whole budget of its pages refuted nothing of the suspicion",
    "cap": "nobody can tell whether it ends, and it has had its cap of pages",
    "by-hand": "a person has said that it is a trap",
}
#: What a person can decide of one.
CONFIRMED, RELEASED = "confirmed", "released"
EXPIRES_S = 7 * 86_400.0

#: Links of one site that are remembered, and up to as many again: about 130 bytes each. Of what was forgotten the
#: visited set knows that it is not new.
MAX_LINKS = 100_000
#: Links that are settled for the pages of one pattern; at so many it begins anew.
_MAX_SETTLED = 10_000
_BY_START = -1
#: A group is weighed against others every so many pages, and gets one request where another gets so many at most
#: (benchmarks/trap_zoo.py: what a trap takes before 95 % of an honest site beside it is in).
_WEIGHED_EVERY, _MAX_WEIGHT = 10, 10.0

#: What the name of a flow begins with that takes finite work of a suspected group.
BESIDE = "+"
#: Such a flow gets one request where the main one gets so many, as a suspected group does.
BESIDE_WEIGHT = 20.0
#: How the tail of a group is read: each page by the newest link, or the oldest links and any others in turn.
DEEP, WIDE = "deep", "wide"


class _Record(NamedTuple):
    """A page of a group: whether it `says` something new (None: it was not read), and is the `same` as the ones before.
    `led_back` are patterns by number, `grew` such patterns with the new links to each."""

    says: bool | None
    same: bool
    led_back: tuple[int, ...]
    grew: tuple[tuple[int, int], ...]
    deep: bool


@dataclass(slots=True, eq=False)
class Pattern:
    """A URL pattern, and what is known of the group that it is the root of."""

    number: int
    name: str
    #: The group's last pages.
    records: deque[_Record]
    #: New links of this pattern, by the pattern that brought them, and the one that brought most.
    fed: Counter[int] = field(default_factory=Counter)
    feeder: Pattern | None = None
    joined: bool = False
    #: Of the group: its pages so far, and some of their URLs.
    pages: int = 0
    said: int = 0
    examples: deque[str] = field(default_factory=lambda: deque(maxlen=3))
    volatile: frozenset[object] = frozenset()
    read_one_in: int = 1
    #: Hashes of links of which nothing more is to be known where a page of this pattern has them: most.
    settled: set[int] = field(default_factory=set)
    fetched_again: bool = False
    suspected: bool = False
    released: bool = False
    in_tail: bool = False
    #: Why it has ended; empty while it has not.
    ended: str = ""
    checked_at: int = 0
    quiet_since: int = 0
    capped_from: int = 0
    #: New links for each page when half of the cap was reached.
    half_grew: float = 0.0
    #: The same when it was suspected, and its pages by then.
    first_grew: float = 0.0
    suspected_at: int = 0
    weight: float = 1.0


class Found(NamedTuple):
    """What a page has shown of its group: `suspected` or cleared, and why."""

    root: Pattern
    suspected: bool
    why: str


@dataclass(slots=True, eq=False)
class Visit:
    """A page from its arrival until all its links are known. `is_doubtful`: it says little, and what of that changes by
    itself is to be learned by fetching it once more."""

    url: str
    pattern: Pattern
    number: int
    says: bool | None
    same: bool
    deep: bool
    is_doubtful: bool = False
    led_back: set[int] = field(default_factory=set)
    brought: list[Pattern] = field(default_factory=list)


# A known link is one number: the pattern that brought it first and the page that did, a pattern of another group that
# brought it too, whether it has come back, was fetched, and was queued once more.
_PATTERN_BITS, _PAGE_BITS = 12, 32
_PATTERN_MASK, _PAGE_MASK = (1 << _PATTERN_BITS) - 1, (1 << _PAGE_BITS) - 1
_OTHER_AT, _PAGE_AT = _PATTERN_BITS, 2 * _PATTERN_BITS
_CAME_BACK = 1 << (_PAGE_AT + _PAGE_BITS)
_FETCHED, _AGAIN = _CAME_BACK << 1, _CAME_BACK << 2
_MAX_PATTERNS = _PATTERN_MASK
#: What is known of a link that was forgotten, or met by an earlier run: no page of this one found it.
_ELSEWHERE = _PAGE_MASK << _PAGE_AT


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
        self.was_met = was_met
        self.novelty = Novelty()
        self.patterns = Patterns()
        self._by_name: dict[str, Pattern] = {}
        self._by_number: list[Pattern] = []
        self._roots: dict[int, Pattern | None] = {}
        self._known: Recent[int, int] = Recent(MAX_LINKS)
        self._forgets = forgetful
        #: Of each page the page that found it.
        self._parents = array("q", [_BY_START])
        self.suspects: set[Pattern] = set()

    def __len__(self) -> int:
        return len(self._known) + len(self.novelty) + sum(len(one.settled) for one in self._by_number)

    # Patterns

    def pattern(self, url: str) -> Pattern:
        return self.named(self.patterns.of(url))

    def named(self, name: str) -> Pattern:
        found = self._by_name.get(name)
        if found is None:
            if len(self._by_number) >= _MAX_PATTERNS:
                return self._by_number[-1]
            # 0 stands for the start.
            found = Pattern(len(self._by_number) + 1, name, deque(maxlen=self.limits.budget))
            self._by_name[name] = found
            self._by_number.append(found)
        return found

    def root(self, pattern: Pattern) -> Pattern | None:
        """The self-feeding pattern that this one hangs on; None if that is the start."""
        number = pattern.number
        if number in self._roots:
            return self._roots[number]
        line: list[Pattern] = []
        at: Pattern | None = pattern
        while at is not None and at not in line:
            line.append(at)
            at = at.feeder
        found = min(line[line.index(at) :], key=lambda one: one.number) if at is not None else None
        self._roots[number] = found
        return found

    def members(self, root: Pattern) -> list[Pattern]:
        return [one for one in self._by_number if self.root(one) is root]

    # Links

    def suspect_of(self, url: str) -> Pattern | None:
        """The suspected group that a link is deferred with; None where a page outside suspected groups brought it."""
        if not self.suspects:
            return None
        root = self.root(self.pattern(url))
        return root if root is not None and root.suspected and not self._is_finite_work(url) else None

    def flow_of(self, url: str) -> str:
        """The flow of its site that a link goes in: of the group that brought it to itself, or that it is deferred
        with; one beside it for what other pages have brought to a suspected group, which is finite work, yet likely to
        be more of the same; the main one, "", for all else."""
        if suspected := self.suspected_flow_of(url):
            return suspected
        root = self.root(self.pattern(url))
        brought_by = (self._known.get(_mark(url)) or 0) & _PATTERN_MASK
        is_own = root is not None and brought_by and self.root(self._by_number[brought_by - 1]) is root
        return root.name if root is not None and is_own else ""

    def suspected_flow_of(self, url: str) -> str:
        """The same where a suspected group has a part in it; "" where none has."""
        if not self.suspects:
            return ""
        root = self.root(self.pattern(url))
        if root is None or not root.suspected:
            return ""
        return BESIDE + root.name if self._is_finite_work(url) else root.name

    def _is_finite_work(self, url: str) -> bool:
        known = self._known.get(_mark(url)) or 0
        brought_by, other = known & _PATTERN_MASK, known >> _OTHER_AT & _PATTERN_MASK
        return self._is_trusted(brought_by) or bool(other and self._is_trusted(other))

    def unsettle(self) -> None:
        """Links are to be judged anew: a person has decided."""
        for pattern in self._by_number:
            pattern.settled.clear()

    def _is_trusted(self, number: int) -> bool:
        root = self.root(self._by_number[number - 1]) if number else None
        return root is None or not root.suspected

    def has_left(self, url: str) -> bool:
        """Whether a link that was queued once more has left already, by the other request."""
        known = self._known.get(_mark(url)) or 0
        return bool(known & _AGAIN and known & _FETCHED)

    def sent(self, url: str, *, back: bool = False) -> None:
        """Note that a request has left its queue, or comes `back` to it."""
        mark = _mark(url)
        known = self._known.get(mark) or 0
        self._known.put(mark, known & ~_FETCHED if back else known | _FETCHED)

    # Pages

    def arrive(self, url: str, page: Page | None, *, deep: bool = False) -> Visit:
        """A page has come, or None for what carries nothing, such as an error. Its links follow one by one.

        A page is read only where its group feeds itself: of nothing else it matters what it says.
        """
        if page is None:
            return self.note(url, says=False, same=True, deep=deep)
        pattern = self.pattern(url)
        root = self.root(pattern)
        if root is None or not self._is_read(root):
            return self.note(url, None, pattern=pattern, deep=deep)
        looked_into = root.pages in self.limits.looked_into and not root.fetched_again
        said = self.novelty.of(page, url, root.volatile, whole=root.suspected or looked_into)
        visit = self.note(url, said.new, pattern=pattern, same=said.same, deep=deep)
        if looked_into and said.new and said.told < self.limits.little * page.length:
            visit.is_doubtful = root.fetched_again = True
        return visit

    def compare(self, visit: Visit, page: Page, again: Page) -> None:
        """A doubtful page has been fetched once more: what differs says nothing."""
        root = self.root(visit.pattern)
        if root is not None:
            root.volatile |= differs(page, again)

    def _is_read(self, root: Pattern) -> bool:
        if root.suspected:
            return True
        return root.pages >= self.limits.unread and not root.released and not root.pages % root.read_one_in

    def note(
        self, url: str, says: bool | None, *, pattern: Pattern | None = None, same: bool = False, deep: bool = False
    ) -> Visit:
        """A page has come that `says` something new, or not, or was not read; `same`: as those before but for what its
        URL explains."""
        pattern = pattern or self.pattern(url)
        mark = _mark(url)
        known = self._known.get(mark) or 0
        self._known.put(mark, known | _FETCHED)
        number = len(self._parents)
        finder = known >> _PAGE_AT & _PAGE_MASK
        self._parents.append(finder if finder < number else _BY_START)  # of what was met elsewhere no page is known
        says = says and not self.patterns.combines(pattern.name)
        return Visit(url, pattern, number, says, same, deep)

    def link(self, visit: Visit, url: str, *, refused: bool = False) -> bool:
        """Note a link of a page; whether it is to be queued although it has been before: it was deferred, and a page
        that is not suspected leads to it. One that is `refused` is growth as well: a trap does not end by that."""
        mark = _mark(url)
        known = self._known.get(mark)
        if known is None and self._forgets and self.was_met is not None and self.was_met(url):
            known = _ELSEWHERE
        if known is None:
            self._known.put(mark, visit.pattern.number | visit.number << _PAGE_AT)
            self._forgets = self._forgets or self._known.forgets
            target = self.pattern(url)
            self._feed(target, visit.pattern)
            visit.brought.append(target)
            return False
        if known & _CAME_BACK and (known >> _OTHER_AT & _PATTERN_MASK or known & _PATTERN_MASK == visit.pattern.number):
            if refused:
                return False  # each is to be judged
            settled = visit.pattern.settled
            if len(settled) >= _MAX_SETTLED:
                settled.clear()
            settled.add(hash(url))
            return False
        return self._met_again(visit, url, mark, known)

    def _met_again(self, visit: Visit, url: str, mark: int, known: int) -> bool:
        before = known
        again = False
        if not known & _CAME_BACK and not self._is_near(visit.number, known >> _PAGE_AT & _PAGE_MASK):
            known |= _CAME_BACK  # each counts once: neither a menu nor hubs hide a maze
            visit.led_back.add(self.pattern(url).number)
        brought_by, other = known & _PATTERN_MASK, known >> _OTHER_AT & _PATTERN_MASK
        if not other and brought_by and brought_by != visit.pattern.number:
            root = self.root(visit.pattern)
            if self.root(self._by_number[brought_by - 1]) is not root:
                again = not known & (_FETCHED | _AGAIN) and self.suspect_of(url) is not None
                known |= visit.pattern.number << _OTHER_AT
                again = again and self._is_trusted(visit.pattern.number)
                known |= _AGAIN if again else 0
        if known != before:
            self._known.put(mark, known)
        return again

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

    def _feed(self, target: Pattern, feeder: Pattern) -> None:
        target.fed[feeder.number] += 1
        if target.joined:
            return
        main = target.feeder
        if main is feeder:
            return
        if main is None or target.fed[feeder.number] > target.fed[main.number]:
            target.feeder = feeder
            self._roots.clear()

    def leave(self, visit: Visit) -> Found | None:
        """All links of a page are known: judge its group. Returns what has changed."""
        root = self.root(visit.pattern)
        if root is None:
            return None
        grew: dict[int, int] = {}
        for target in visit.brought:
            if self.root(target) is root:
                grew[target.number] = grew.get(target.number, 0) + 1
        # Tuples of numbers, which the garbage collector does not look into.
        record = _Record(visit.says, visit.same, tuple(visit.led_back), tuple(grew.items()), visit.deep)
        root.records.append(record)
        root.pages += 1
        root.said += bool(visit.says) or (visit.says is False and not visit.same)
        root.examples.append(visit.url)
        if root.pages % _WEIGHED_EVERY == 0:
            self._weigh(root)
        return self._judge(root)

    # Verdicts

    def _judge(self, root: Pattern) -> Found | None:
        window = self.limits.window
        if root.in_tail or root.released or root.pages < window or root.pages % (window // 2):
            return None
        why = self._refutes(root, window, self.limits.window_rate)
        if root.suspected == (not why):
            return None
        if why:
            self.clear(root)
        else:
            self.suspect(root)
        if root.joined and not why:
            why = f"is one group with {self.root(root).name}"  # type: ignore[union-attr]
        return Found(root, root.suspected, why or evidence(root))

    def suspect(self, root: Pattern) -> None:
        if root.records:
            root.first_grew = _measure(_last(root, self.limits.window), self.limits.rate).grows
            root.suspected_at = root.pages
        root.suspected = True
        self.suspects.add(root)
        self._join(root)

    def clear(self, root: Pattern) -> None:
        root.suspected = False
        root.ended = ""
        self.suspects.discard(root)

    def _join(self, root: Pattern) -> None:
        """Make one of two suspected groups that bring each other links."""
        total = root.fed.total()
        for number, count in root.fed.most_common():
            other = self.root(self._by_number[number - 1]) if number else None
            if other is not None and other is not root and other.suspected and count >= self.limits.joins * total:
                root.joined = True
                root.feeder = other
                self._roots.clear()
                self.clear(root)
                return

    def _refutes(self, root: Pattern, count: int, rate: float, *, tail: bool = False) -> str:
        """What in a group's last pages speaks against a trap; empty if nothing does."""
        limits = self.limits
        measured = _measure(_last(root, count), rate)
        root.read_one_in = next((one_in for share, one_in in limits.reads if measured.new >= share), 1)
        if measured.grows < limits.shrink:
            root.read_one_in = limits.reads_shrinking
            return "shrinks"
        if self._is_capped(root, measured.grows):
            return ""
        if tail:
            rate *= min(max(measured.grows, 1), limits.grows)
        varies = (
            tail
            and measured.varied >= limits.rate
            and measured.branches <= limits.varied_branch
            and root.first_grew <= limits.varied_first
            and root.pages < limits.varied_cap
        )
        if measured.new >= rate or varies:
            if measured.led_back and measured.branches > limits.forks:
                return "leads back"
            return "chain" if measured.branches <= limits.branch else ""
        return "is soon known" if tail and measured.led_back and self._is_soon_known(root, measured.grows) else ""

    def _is_soon_known(self, root: Pattern, grows: float) -> bool:
        """Whether a group is small by arithmetic: of a finite one each page brings the fewer new links the more of
        them are known, until none is left."""
        if not root.first_grew:  # another crawl has suspected it
            root.first_grew, root.suspected_at = grows, root.pages
            return True
        fallen = root.first_grew - grows
        pages = root.pages - self.limits.budget / 2 - (root.suspected_at - self.limits.window / 2)
        found = pages * (root.first_grew + grows) / 2
        return fallen > 0 and grows * found / fallen <= self.limits.remaining

    def _is_capped(self, root: Pattern, grows: float) -> bool:
        """Whether a group has had so many pages that only growth that shrinks speaks for it: of a finite site that is
        large, ever more of the links are known."""
        cap = self.limits.cap
        pages = root.pages - root.capped_from
        if not cap or pages < cap // 2:
            return False
        if not root.half_grew:
            root.half_grew = grows
        if pages < cap:
            return False
        if grows >= self.limits.falls * root.half_grew:
            return True
        root.capped_from, root.half_grew = root.pages, 0.0
        return False

    def ends(self, root: Pattern) -> bool:
        """Whether a suspected group ends now, when nothing else of its site is left."""
        if root.ended or not root.suspected:
            return bool(root.ended)
        if not root.in_tail:
            root.in_tail = True
            root.checked_at = root.pages
        if self._has_run_silent(root):
            root.ended = "silent"
        elif self.limits.cap and root.half_grew and root.pages - root.capped_from >= self.limits.cap:
            root.ended = "cap"
        elif self._goes_astray(root):
            root.ended = "budget"
        elif root.pages - root.checked_at >= self.limits.budget:
            if self._refutes(root, self.limits.budget, self.limits.rate, tail=True):
                root.checked_at, root.quiet_since = root.pages, 0
            else:
                root.ended = "budget"
        return bool(root.ended)

    def _goes_astray(self, root: Pattern) -> bool:
        """Whether a group has branched for so long that some page would have led back, if it were finite.

        All of the budget so far is looked at: in a tree the pages of its deep probe bring hardly any links."""
        read = root.pages - root.checked_at
        if read < self.limits.astray:
            return False
        last = _last(root, read)
        return not any(one.led_back for one in last) and _measure(last, self.limits.rate).branches > self.limits.branch

    def _weigh(self, root: Pattern) -> None:
        """How little a group is read beside others: the less it says, and the faster it grows, the more."""
        measured = _measure(_last(root, self.limits.window), self.limits.window_rate)
        new = max(measured.new, 1 / _MAX_WEIGHT)
        if root.suspected:
            root.weight = min(1 / new, _MAX_WEIGHT) * max(1.0, min(measured.grows, _MAX_WEIGHT)) ** 2
        elif measured.grows < self.limits.shrink:
            root.weight = 1.0
        elif self._is_brought_by_suspects(root):
            root.weight = _MAX_WEIGHT
        else:
            # Of new things alone growth says nothing: all sites grow at first.
            root.weight = min(max(measured.grows, 1.0) ** (1 - new) / new**3, _MAX_WEIGHT)

    def _is_brought_by_suspects(self, root: Pattern) -> bool:
        """Whether a good part of a group's links is of suspected groups: another set of filters of the same shop."""
        least = self.limits.joins * root.fed.total()
        owners = (self.root(self._by_number[one - 1]) for one, count in root.fed.items() if one and count >= least)
        return any(one is not None and one is not root and one.suspected for one in owners)

    def probe(self, root: Pattern) -> str:
        """Where the next page of a group in its tail is taken from: the first part of a budget goes deep, where a tree
        comes to its ends, the other looks wide."""
        return WIDE if root.quiet_since or root.pages - root.checked_at >= self.limits.deep else DEEP

    def _has_run_silent(self, root: Pattern) -> bool:
        """Whether so many pages from either end brought links and said nothing."""
        # What has said much may be silent for longer.
        count = max(self.limits.silent, min(root.said // 2, self.limits.budget // 4))
        if root.pages - max(root.checked_at, root.quiet_since) < count:
            return False
        last = _last(root, count)
        if any(one.says or not one.same for one in last):
            root.quiet_since = 0
            return False
        if root.quiet_since:
            return True
        # Some that were on their way when the probe began come in between.
        if sum(one.deep for one in last) >= self.limits.probed * count:
            measured = _measure(last, self.limits.rate)
            limits = self.limits
            less = measured.led_back and measured.grows < limits.fades * root.first_grew
            if measured.grows >= 1 and not measured.shrinks and not less:
                root.quiet_since = root.pages
        return False


class _Measured(NamedTuple):
    """Of some pages: new links of the group for each, the same from the deep or the oldest end, whichever is less,
    the share that said something new, that or known things in a new combination, whether most of the patterns that grow
    are led back to, and whether the queue shrank by more than one page brings."""

    grows: float
    branches: float
    new: float
    varied: float
    led_back: bool
    shrinks: bool


def _measure(last: Sequence[_Record], rate: float) -> _Measured:
    count = len(last)
    grown = [(one.deep, _links(one)) for one in last]
    total = sum(links for _, links in grown)
    ends = [[links for deep, links in grown if deep is end] for end in (True, False)]
    branches = min(sum(end) / len(end) for end in ends if len(end) >= count / 4)
    new: Counter[int] = Counter()
    back: Counter[int] = Counter()
    for one in last:
        new.update(dict(one.grew))
        back.update(one.led_back)
    led = sum(links for pattern, links in new.items() if back[pattern] >= rate * count)
    read = [one.says for one in last if one.says is not None]
    # A page that was not read is as the others; where none was, nothing is held against them.
    says = sum(read) / len(read) if read else 1.0
    varied = sum(bool(one.says) or (one.says is False and not one.same) for one in last) / count
    deep = ends[0]
    shrinks = bool(deep) and len(deep) - sum(deep) > max(deep) + 1
    return _Measured(total / count, branches, says, varied, 2 * led >= total > 0, shrinks)


def _links(record: _Record) -> int:
    """New links of its own that a page brought to its group."""
    return sum(count for _, count in record.grew)


def _last(root: Pattern, count: int) -> list[_Record]:
    """So many of the last pages of a group, the newest first."""
    return list(islice(reversed(root.records), count))


def evidence(root: Pattern) -> str:
    """What speaks for a trap, in one line."""
    last = _last(root, DEFAULT_LIMITS.window)
    if not last:
        return "found by another crawl"
    read = [one.says for one in last if one.says is not None]
    back = sum(bool(one.led_back) for one in last)
    links = sum(map(_links, last))
    some = "" if len(read) == len(last) else f"{len(read)} were read: "
    return (
        f"of its last {len(last)} pages {some}{sum(read)} said something new, {back} linked back to known pages, "
        f"and all brought {links} new links to more of them"
    )


def _mark(url: str) -> int:
    """A URL as a number: without fragment, its parameters in any order."""
    url, _, _ = url.partition("#")
    if "&" in url:
        rest, _, query = url.partition("?")
        return hash((rest, *sorted(query.split("&"))))
    return hash(url)
