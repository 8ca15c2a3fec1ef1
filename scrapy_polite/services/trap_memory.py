"""What one crawl remembers of its sites for the traps. It is bounded: the sites not seen for longest are forgotten."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING

from scrapy_polite import clock
from scrapy_polite.traps.aliases import Aliases
from scrapy_polite.traps.boilerplate import BoilerplatePages
from scrapy_polite.traps.groups import Groups
from scrapy_polite.traps.patterns import matches
from scrapy_polite.traps.recent import Recent
from scrapy_polite.traps.verdict import RELEASED

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from scrapy_polite.services.trap_findings import TrapFindings
    from scrapy_polite.store.quarantines import Quarantine
    from scrapy_polite.traps.evidence import Pattern
    from scrapy_polite.traps.limits import Limits

#: Sites that are remembered; with all that is remembered of them so many entries, some 130 bytes each.
MAX_SITES, MAX_ENTRIES = 2_000, 400_000
#: To count the entries takes some microseconds a site: it is done once for so many pages.
_COUNTED_EVERY = 1_000
#: Pages of a site that a later one may be a duplicate of.
_MAX_PAGES = 5_000


class TrapDecisions:
    """What persons have decided, and other crawls have found, of the groups of one site (see `store.quarantines`).
    `tell` is called with each that is new."""

    __slots__ = ("_by_pattern", "_groups", "_tell")

    def __init__(self, groups: Groups, tell: Callable[[Quarantine], object]) -> None:
        self._groups = groups
        self._tell = tell
        self._by_pattern: dict[str, Quarantine] = {}

    def of(self, url: str, decision: str) -> Quarantine | None:
        """What is decided so of the pattern of a URL, or of one of a person's own that the URL is one of; a group is
        released as a whole."""
        decided = [one for one in self._by_pattern.values() if one.decision == decision]
        if not decided:
            return None
        pattern = self._groups.feeders.pattern(url)
        for one in decided:
            if one.place == pattern.name or (one.kind == "by-hand" and matches(one.place, url)):
                return one
            # Of what is confirmed not: what a trap led to is no trap for that, and has an end without it.
            if decision == RELEASED and self._is_of_group(one.place, pattern):
                return one
        return None

    def _is_of_group(self, place: str, pattern: Pattern) -> bool:
        named = self._groups.named(place)
        return named.name == place and self._root(named) is self._root(pattern)

    def _root(self, pattern: Pattern) -> Pattern:
        return self._groups.root(pattern) or pattern

    def adopt(self, stored: Quarantine, now: float) -> None:
        """A decision holds from now on. A finding holds until this crawl has read enough of the group itself."""
        groups = self._groups
        pattern = groups.named(stored.place)
        root = self._root(pattern)
        if stored.decision:
            before = self._by_pattern.get(stored.place)
            self._by_pattern[stored.place] = stored
            groups.feeders.unsettle()
            if before is None or before.decision != stored.decision:
                self._tell(stored)
            of_it = [one for one in groups.suspects if one.examples and self.of(one.examples[-1], stored.decision)]
            for one in {pattern, root, *of_it}:
                one.released = stored.decision == RELEASED
                groups.clear(one)
        elif root.pages < groups.limits.window and not root.released:
            if stored.until > now:
                if not root.suspected:
                    self._tell(stored)
                groups.suspect(root)
            else:
                groups.clear(root)


class SiteMemory:
    """What is remembered of one site."""

    __slots__ = ("_first", "aliases", "boilerplate", "decisions", "groups")

    def __init__(self, groups: Groups, tell: Callable[[Quarantine], object]) -> None:
        self.groups = groups
        self.decisions = TrapDecisions(groups, tell)
        self.aliases = Aliases()
        self.boilerplate = BoilerplatePages()
        self._first: Recent[int, str] = Recent(_MAX_PAGES)

    def __len__(self) -> int:
        return len(self.groups) + len(self._first) + len(self.aliases)

    def original_of(self, exact: int, url: str) -> str | None:
        """The URL of the first page that said exactly the same; None where this is the first."""
        first = self._first.get(exact)
        if first is None:
            self._first.put(exact, url)
        return first if first != url else None


class TrapMemory:
    """Sites by name. A new one takes up what `findings` has of it from the store. `dropping` are the sites of which
    what is suspected is refused; `tell` is called with what is taken up that is new."""

    def __init__(
        self,
        limits: Limits,
        findings: TrapFindings,
        dropping: Container[str],
        tell: Callable[[Quarantine], object],
    ) -> None:
        self._limits = limits
        self._limits_dropping = replace(limits, budget=min(limits.budget, limits.budget_dropping))
        self._dropping = dropping
        self._findings = findings
        self._tell = tell
        self._sites: OrderedDict[str, SiteMemory] = OrderedDict()
        self._pages = 0
        #: Whether a site has been forgotten, which may come again: its URLs are then asked for in the visited set.
        self._has_forgotten = False
        self._was_met: Callable[[str], bool] | None = None
        self._resumes = False

    def knows(self, was_met: Callable[[str], bool], *, resumes: bool) -> None:
        """See `CrawlTraps.knows`."""
        self._was_met, self._resumes = was_met, resumes

    def get(self, name: str) -> SiteMemory | None:
        return self._sites.get(name)

    def all(self) -> list[tuple[str, SiteMemory]]:
        return list(self._sites.items())

    def known(self, name: str) -> SiteMemory | None:
        """What is remembered of a site, or is in the store."""
        return self.of(name) if name not in self._sites and self._findings.of(name) else self.get(name)

    def of(self, name: str) -> SiteMemory:
        site = self._sites.get(name)
        if site is None:
            limits = self._limits_dropping if name in self._dropping else self._limits
            groups = Groups(limits, self._was_met, forgetful=self._resumes or self._has_forgotten)
            site = self._sites[name] = SiteMemory(groups, self._tell)
            now = clock.system()
            for stored in self._findings.of(name).values():
                site.decisions.adopt(stored, now)
        self._sites.move_to_end(name)
        self._make_room()
        return site

    def _make_room(self) -> None:
        if len(self._sites) > MAX_SITES:
            self._sites.popitem(last=False)
            self._has_forgotten = True
        self._pages += 1
        if self._pages % _COUNTED_EVERY:
            return
        entries = sum(map(len, self._sites.values()))
        while entries > MAX_ENTRIES and len(self._sites) > 1:
            _, forgotten = self._sites.popitem(last=False)
            self._has_forgotten = True
            entries -= len(forgotten)
