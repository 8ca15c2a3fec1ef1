"""Which URL patterns of a site feed each other with links, and so which groups they form.

Each pattern points to its feeder, the pattern that brought most of its new links; what leads on to its like by itself
is a group of its own, though a suspected group brought it. Following feeders ends at the start of the crawl, then it is
finite work, or at a pattern that feeds itself: the root of a group. Of groups that lead to each other, and of which
each would come to its end alone, links to one are growth of the other; once suspected they are one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice

from scrapy_polite.traps.evidence import Pattern, last_of, lasting
from scrapy_polite.traps.limits import BY_CHANCE, WEIGHED_EVERY, Limits
from scrapy_polite.traps.patterns import Patterns, whole_of

#: Patterns that are told apart, and those that are looked at to find out which ones another leads to.
_MAX_PATTERNS, _MAX_REACHED = (1 << 12) - 1, 200


class Feeders:
    """The patterns of one site by their names, the parts of patterns among them, and their feeders."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.patterns = Patterns()
        self.suspects: set[Pattern] = set()
        #: Whether a pattern is of a suspected group, or no longer, that nobody has been told of.
        self.has_moved = False
        #: Whether what led to links that a suspected group is left with has turned out to be trusted.
        self.leaves_finite = False
        self._by_name: dict[str, Pattern] = {}
        self._by_number: list[Pattern] = []
        self._roots: dict[int, Pattern | None] = {}
        #: Whether a pattern leads on (see `leads_on`), as found out since groups changed.
        self._on: dict[int, bool] = {}

    def __len__(self) -> int:
        return len(self.patterns) + sum(len(one.settled) for one in self._by_number)

    # Patterns

    @property
    def all(self) -> Sequence[Pattern]:
        return self._by_number

    def restore(self, learned: Patterns, patterns: Sequence[Pattern]) -> None:
        """In place of all that there are; each has its number, from 1 on."""
        self.patterns = learned
        self._by_number = list(patterns)
        self._by_name = {one.name: one for one in patterns}
        self.suspects.clear()
        self.forget_roots()

    def pattern(self, url: str) -> Pattern:
        return self.named(self.patterns.of(url))

    def part(self, url: str) -> Pattern:
        """The part of its pattern that a link is of."""
        return self.named(self.patterns.part_of(url))

    def numbered(self, number: int) -> Pattern:
        """The pattern with this number, from 1 on."""
        return self._by_number[number - 1]

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

    # Groups

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

    def root_by_now(self, pattern: Pattern) -> Pattern | None:
        """The root of a pattern of which all links of a page are known; now and then feeders are looked for anew."""
        root = self.root(pattern)
        if root is None or (pattern.left >= WEIGHED_EVERY and pattern.left % WEIGHED_EVERY):
            return root
        for one in list(self._line(pattern)):
            self._choose_feeder(one)
        return self.root(pattern)

    def forget_roots(self) -> None:
        """Feeders have changed."""
        self._roots.clear()
        self._on.clear()

    def look_anew(self) -> None:
        """What leads on has changed."""
        self._on.clear()

    def is_trusted(self, pattern: Pattern) -> bool:
        """Whether a pattern is of no suspected group."""
        root = self.root(pattern)
        return root is None or not root.suspected

    def leads_on(self, pattern: Pattern, root: Pattern | None) -> bool:
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

    def leaves_finite_work(self) -> bool:
        """Whether links that suspected groups are left with may be finite work by what is known now."""
        self._on.clear()
        # Of a pattern that is suspected alone its own pages have brought all.
        return self.leaves_finite or sum(not self.is_trusted(one) for one in self._by_number) > 1

    def groups_that_feed(self, root: Pattern) -> list[Pattern]:
        """The other groups that have brought a good part of a group's links, the one with most first."""
        least = self.limits.joins * root.fed.total()
        owners = (self.root(self.numbered(one)) for one, count in root.fed.most_common() if count >= least)
        return list(dict.fromkeys(one for one in owners if one is not None and one is not root))

    # Suspicions

    def suspect(self, root: Pattern) -> None:
        """A group is suspected from now on: its other patterns may be groups of their own."""
        root.suspected = True
        self.suspects.add(root)
        self.forget_roots()
        for one in self._by_number:
            if one is not root and self.root(one) is root:
                self._choose_feeder(one)

    def clear(self, root: Pattern) -> None:
        """A group is suspected no longer."""
        root.suspected = False
        root.ended = ""
        self.suspects.discard(root)
        self.forget_roots()
        if self.is_trusted(root):  # not where it is one group with another from now on
            self._regain()

    def join(self, root: Pattern, other: Pattern) -> None:
        """A group is one with another one from now on."""
        root.joined = True
        root.feeder = other
        self.forget_roots()

    def unsettle(self) -> None:
        """Links are to be judged anew: a person has decided."""
        for pattern in self._by_number:
            pattern.settled.clear()

    def _regain(self) -> None:
        """Links are to be judged anew: what led to them is trusted by now."""
        self.leaves_finite = True
        self.unsettle()

    @contextmanager
    def _moving(self, pattern: Pattern) -> Iterator[None]:
        """What a pattern hangs on changes."""
        was_trusted = self.is_trusted(pattern)
        yield
        self.forget_roots()
        if self.suspects and self.is_trusted(pattern) != was_trusted:
            self.has_moved = True
            if not was_trusted:
                self._regain()

    # Feeders

    def feed(self, target: Pattern, feeder: Pattern) -> None:
        """A page has brought a new link."""
        target.fed[feeder.number] += 1
        self.lead(feeder, target, away=True)
        if target.joined:
            return
        main = target.feeder
        if target.alone:
            is_due = not target.fed.total() % WEIGHED_EVERY
        else:
            is_due = main is None or target.fed[feeder.number] > target.fed[main.number]
        if is_due:
            self._choose_feeder(target)

    def unfeed(self, target: Pattern, feeder: Pattern) -> None:
        """The link was not new."""
        target.fed[feeder.number] -= 1
        feeder.leads[target.number] -= 1
        feeder.leads_away[target.number] -= 1
        target.fed = +target.fed
        if target.feeder is feeder:
            self._choose_feeder(target)

    @staticmethod
    def lead(pattern: Pattern, target: Pattern, *, away: bool) -> None:
        """A page has a link; `away`: which was not found together with the page."""
        pattern.leads[target.number] += 1
        pattern.leads_away[target.number] += away

    def _choose_feeder(self, pattern: Pattern) -> None:
        """Its feeder is the pattern that brought most of its links, but of what is a group of its own; see `_alone`."""
        if pattern.joined:
            return
        most = pattern.fed.most_common(1)
        main = self.numbered(most[0][0]) if most else None
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
        in_circle = pattern in self._line(main)
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

    def endless_with(self, root: Pattern, others: Sequence[Pattern]) -> list[Pattern]:
        """Those of other groups, which brought a group links, that it is endless with only: it leads there, and would
        come to its end alone; and so would the other one, if that is not suspected. Where that has to be so in any
        case, three kinds of pages that are endless only together take 20,000. Where both lead on it is so if the other
        one is suspected and neither grows by new links of its own: months and weeks, which find each other first."""
        lasts = bool(others) and self._lasts(root)
        return [one for one in others if self._depends_on(root, one, lasts=lasts)]

    def _depends_on(self, root: Pattern, other: Pattern, *, lasts: bool) -> bool:
        if self.patterns.are_views(root.name, other.name):
            return other.suspected
        if other not in self._reached(root, other):
            return False
        if lasts:
            return other.suspected and not (self._grows(root) or self._grows(other))
        return other.suspected or not self._lasts(other)

    def _grows(self, root: Pattern) -> bool:
        """Whether the last pages of a group bring as many new links of its own as would make it suspected alone."""
        last = last_of(root, self.limits.window)
        own = sum(count for one in last for to, count in one.grew if self.root(self.numbered(to)) is root)
        return own >= self.limits.shrink * len(last)

    def _lasts(self, root: Pattern) -> bool:
        """Whether a group may not come to its end alone: so many of its pages follow from each in the next generation,
        whoever found these first, unless it is by chance that there were so few."""
        own = {one: one.left for one in (root, *self._reached(root)) if self.root(one) is root}
        kinds = {one.number: kind for kind, one in enumerate(own)}
        means = [
            (kind, kinds[to], count / max(one.left, 1))
            for kind, one in enumerate(own)
            for to, count in one.leads_away.items()
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
                target = self.numbered(number)
                if count < max(least, 1) or target in reached or self.root(target) is None:
                    continue  # what leads to the home page does not lead to all that this does
                if len(reached) < _MAX_REACHED:
                    reached[target] = None
                    if target is not last:
                        todo.append(target)
        return reached

    @staticmethod
    def _line(pattern: Pattern) -> Iterator[Pattern]:
        """A pattern, its feeder, the feeder of that and so on, each once."""
        line = set[Pattern]()
        at: Pattern | None = pattern
        while at is not None and at not in line:
            yield at
            line.add(at)
            at = at.feeder
