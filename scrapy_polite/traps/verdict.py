"""The one verdict on a group of URL patterns: whether its last pages refute that it is endless, and when it ends.

The unit of work is a group's root (`evidence.Pattern`), whose state it keeps. First match wins in `clears` and
`refutes`; what is not cleared is suspected, and ends once nothing else of its site is left (`ends`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy_polite.traps.evidence import last_of, led_back, links, measure, only, told_by_part
from scrapy_polite.traps.limits import (
    GROWS_WEIGHT,
    GROWTH_POWER,
    MAX_WEIGHT,
    NEVER_BACK_WEIGHT,
    NEW_POWER,
    TOLD_FROM,
    WEIGHED_EVERY,
)

if TYPE_CHECKING:
    from scrapy_polite.traps.evidence import Measured, Pattern
    from scrapy_polite.traps.limits import Limits

#: What a group of patterns can be; with `trap/endless` the reason of what is refused or left of it.
KINDS = {
    "suspected": "its pages bring ever more links of their own, and say nothing new or hardly ever lead back",
    "silent": "its newest and its oldest pages said nothing that is neither known nor in their URLs",
    "budget": "its pages branched and did not lead back, or did not refute the suspicion within its budget of pages",
    "cap": "it has had POLITE_TRAP_CAP pages and grew as ever, and nobody can tell whether it ends",
    "by-hand": "a person has said that it is a trap",
}
#: Those that a crawl follows no further.
ENDS = frozenset(("silent", "budget", "cap"))
#: What a person can decide of one.
CONFIRMED, RELEASED = "confirmed", "released"
EXPIRES_S = 7 * 86_400.0

#: How the tail of a group is read: each page by the newest link, or the oldest links and any others in turn.
DEEP, WIDE = "deep", "wide"


class Verdict:
    """Judges by `limits`."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits

    def window(self, root: Pattern) -> Measured:
        """What the last pages of a group add up to."""
        return measure(last_of(root, self.limits.window), self.limits.window_rate)

    def clears(self, root: Pattern, window: Measured) -> str:
        """What in a group's last pages speaks against a trap before its tail; empty if nothing does."""
        limits = self.limits
        root.read_one_in = next((one_in for share, one_in in limits.reads if window.new >= share), 1)
        is_capped = self._is_capped(root)  # which has to know of each half of a cap
        if window.grows < limits.shrink:
            root.read_one_in = limits.reads_shrinking
            return "shrinks"
        return self._leads(window) if window.new >= limits.window_rate and not is_capped else ""

    def refutes(self, root: Pattern) -> str:
        """What in the last budget of a group in its tail speaks against a trap; empty if nothing does."""
        limits = self.limits
        is_first = root.checked_at == root.tail_from
        measured = measure(last_of(root, limits.budget), limits.first_back if is_first else limits.rate)
        is_capped = self._is_capped(root)
        if measured.grows < limits.shrink:
            root.read_one_in = limits.reads_shrinking
            return "shrinks"
        if is_capped:
            return ""
        if measured.shrinks:
            return "comes to its ends"
        if root.probed >= limits.silent and self._is_at_leaves(root):
            return "goes no deeper"
        varies = (
            measured.varied >= limits.rate
            and measured.branches <= limits.varied_branch
            and root.first_grew <= limits.varied_first
            and root.pages < limits.varied_cap
        )
        is_biased = self._is_biased(root)
        rate = limits.majority if is_biased else limits.rate * min(max(measured.branches, 1), limits.grows)
        says_new = varies or measured.new >= rate
        if says_new and (why := self._leads(measured)):
            return why
        if self._part_leads(root, limits.majority if is_biased else limits.window_rate):
            return "has pages that say new things and lead on by themselves"
        return "is soon known" if not (says_new or is_biased) and self._is_soon_known(root, measured) else ""

    def _is_biased(self, root: Pattern) -> bool:
        """Whether the pages of a budget are no fair sample of what is left: for long it has gone where something is
        said."""
        is_ahead = 2 * root.ahead > root.pages - root.checked_at
        return is_ahead and root.pages - root.tail_from > self.limits.remaining

    def _part_leads(self, root: Pattern, rate: float) -> bool:
        """Whether those parts of a group of whose pages such a share says new things, or leads to such, refute the
        suspicion by themselves, whatever else their pages lead to: the articles of a wiki, with their menus of
        histories, versions and forms."""
        last = last_of(root, self.limits.budget)
        parts = {part for part, (told, read) in told_by_part(last, rate).items() if told >= rate * read}
        own = [only(one, parts) for one in last if one.part in parts]
        if len(own) < TOLD_FROM:
            return False
        measured = measure(own, self.limits.rate)
        return measured.grows > 0 and bool(self._leads(measured))

    def _leads(self, measured: Measured) -> str:
        if measured.branches <= self.limits.branch:
            return "is a chain"
        return "leads back" if measured.mostly_back else ""

    def _is_soon_known(self, root: Pattern, measured: Measured) -> bool:
        """Whether a group is small by arithmetic: of a finite one each page brings the fewer new links the more of
        them are known, until none is left. Where nothing leads back that has to be within another budget."""
        grows = measured.grows
        if not root.first_grew:  # another crawl has suspected it
            root.first_grew, root.suspected_at = grows, root.pages
            return measured.mostly_back
        if root.pages - root.suspected_at > self.limits.remaining:
            return False  # it would be by now
        fallen = root.first_grew - grows
        pages = root.pages - self.limits.budget / 2 - (root.suspected_at - self.limits.window / 2)
        found = pages * (root.first_grew + grows) / 2
        most = self.limits.remaining if measured.mostly_back else self.limits.budget
        return fallen > 0 and grows * found / fallen <= most

    def _is_capped(self, root: Pattern) -> bool:
        """Whether a group has had so many pages that only growth that shrinks speaks for it, while it says new things:
        of a finite site that is large, ever more of the links are known. Such a one has another cap from here on."""
        half = max(self.limits.cap // 2, 1)
        now = root.pages, root.grown
        if not self.limits.cap or root.pages - root.cap_from[0] < half:
            return False
        if root.cap_half[0] <= root.cap_from[0]:
            root.cap_half = now
        if root.pages - root.cap_half[0] < half:
            return False
        if _grows(root.cap_half, now) >= self.limits.falls * _grows(root.cap_from, root.cap_half):
            return True
        if measure(last_of(root, self.limits.budget), self.limits.rate).new < self.limits.window_rate:
            return True
        root.cap_from = now
        return False

    def ends(self, root: Pattern) -> bool:
        """Whether a suspected group ends now, when nothing else of its site is left."""
        if root.ended or not root.suspected:
            return bool(root.ended)
        if not root.in_tail:
            root.in_tail = True
            root.tail_from = root.checked_at = root.pages
            root.spoke = root.ahead = 0
        if self._has_run_silent(root):
            root.ended = "silent"
        elif self._is_capped(root):
            root.ended = "cap"
        elif (astray := self._goes_astray(root)) or root.pages - root.checked_at >= self.limits.budget:
            self._end_budget(root, astray=astray)
        return bool(root.ended)

    def _end_budget(self, root: Pattern, *, astray: bool = False) -> None:
        """A group has had its budget: it ends, or has another one. What it has refuted before gives it patience."""
        if not astray and self.refutes(root):
            root.refuted += 1
            root.failed = 0
        elif self._has_probed(root):
            root.failed += 1
            if root.failed > root.refuted // self.limits.refuted:
                root.ended = "budget"
                return
        root.checked_at = root.pages
        root.silent = root.silent_deep = root.ahead = 0

    def has_had_budget(self, root: Pattern) -> bool:
        """Whether a suspected group has had its budget without having refuted the suspicion, in its tail or before.

        A site leaves its tail again where a page of a suspected group has brought work to another one; then nobody asks
        whether it `ends`, which is before each request of the tail."""
        budget = self.limits.budget
        if not root.ended:
            if not root.in_tail and root.pages - root.suspected_at >= budget:
                root.ended = "budget"
            elif root.in_tail and root.pages - root.checked_at >= 2 * budget:
                self._end_budget(root)
        return bool(root.ended)

    def _has_probed(self, root: Pattern) -> bool:
        """Whether the deep probe of a budget has met what grows: leaves, which bring no link, say nothing of it."""
        read = root.pages - root.checked_at
        first = next((at for at, one in enumerate(reversed(last_of(root, read))) if one.grew), read)
        return first < self.limits.leaves

    def _goes_astray(self, root: Pattern) -> bool:
        """Whether a group has branched for so long that some page would have led back, if it were finite.

        All of the budget so far is looked at: in a tree the pages of its deep probe bring hardly any links."""
        read = root.pages - root.checked_at
        # It is asked before each request.
        if read < self.limits.astray or root.pages - root.asked_at < WEIGHED_EVERY:
            return False
        root.asked_at = root.pages
        last = last_of(root, read)
        few = (read - self.limits.astray) // self.limits.astray_each
        if led_back(last) > few or sum(bool(one.grew) for one in last) < self.limits.astray_lead_on * read:
            return False
        return measure(last, self.limits.rate).branches > self.limits.branch

    def weigh(self, root: Pattern, window: Measured, *, of_suspects: bool) -> None:
        """How little a group is read beside others: the less it says, and the faster it grows, the more."""
        if root.released:
            root.weight = 1.0
            return
        if root.in_tail:
            # Of what may have run silent each page counts.
            is_known = window.grows < self.limits.shrink and root.silent < self.limits.silent
            root.read_one_in = self.limits.reads_shrinking if is_known else 1
        new = max(0.0 if self.is_dull(root) else window.new, 1 / MAX_WEIGHT)
        if root.suspected and window.grows < self.limits.shrink:
            root.weight = 1 / MAX_WEIGHT  # finite by arithmetic: it goes before what still grows
        elif root.suspected:
            root.weight = min(1 / new, MAX_WEIGHT) * max(1.0, min(window.grows, MAX_WEIGHT)) ** GROWTH_POWER
        elif window.grows < self.limits.shrink:
            root.weight = min(1 / new, MAX_WEIGHT)
        elif of_suspects:
            root.weight = MAX_WEIGHT
        else:
            # Of new things alone growth says nothing: all sites grow at first.
            root.weight = min(max(window.grows, 1.0) ** (1 - new) / new**NEW_POWER, MAX_WEIGHT)
            root.weight = max(root.weight, GROWS_WEIGHT)
            if not window.any_back and len(root.records) >= TOLD_FROM:
                root.weight = max(root.weight, NEVER_BACK_WEIGHT)

    def is_dull(self, owner: Pattern) -> bool:
        """Whether what is like the last pages of a group, or of a pattern that is no group's, may go last."""
        return owner.dull >= self.limits.dull and not owner.released

    def probe(self, root: Pattern) -> str:
        """Where the next page of a group in its tail is taken from: the first part of a budget goes deep, where a tree
        comes to its ends, the other looks wide."""
        may_be_deep = root.pages - root.checked_at < self.limits.deep
        is_deep = may_be_deep and (root.silent_deep < self._run(root) or self._is_at_leaves(root))
        return DEEP if is_deep else WIDE

    def _is_at_leaves(self, root: Pattern) -> bool:
        return root.is_at_leaves(self.limits.remaining)

    def _run(self, root: Pattern) -> int:
        """Pages from either end that have to say nothing: what has said much may be silent for longer."""
        return max(self.limits.silent, min(root.said // 2, self.limits.deep))

    def _has_run_silent(self, root: Pattern) -> bool:
        """Whether so many pages from either end said nothing, while the group grew."""
        limits = self.limits
        count = self._run(root)
        if root.silent_deep < count or root.silent < 2 * count or self._is_at_leaves(root):
            return False
        if root.spoke > max(limits.breaks * (root.pages - root.tail_from), 2):
            return False
        last = last_of(root, root.silent)
        if measure(last, limits.rate).shrinks:
            return False
        # Of a calendar's days one in thirty brings thirty links: so few of such pages may lack by chance.
        brought = [links(one) for one in last]
        by_chance = max(brought) * sum(map(bool, brought)) ** 0.5
        return bool(sum(brought) + by_chance >= limits.shrink * len(last))


def _grows(begin: tuple[int, int], end: tuple[int, int]) -> float:
    """New links for each page between two points."""
    return (end[1] - begin[1]) / (end[0] - begin[0])
