"""What is found out about groups of URL patterns, and what becomes of that: the log, the events, the store.

The store keeps a `Quarantine` of each group, by site and root pattern, so that other crawls know of it and a person can
decide (`scrapy polite traps`). What others have found or decided is looked for every `EXCHANGE_S`.
"""

from __future__ import annotations

import logging
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING
from weakref import ref

from scrapy import signals
from scrapy.settings import SETTINGS_PRIORITIES

from scrapy_polite import _loop, clock
from scrapy_polite._crawl import count, shared, spider_of
from scrapy_polite.events import Events, GroupCleared, GroupDecided, GroupEnded, GroupSuspected, LinksLeft
from scrapy_polite.services.store import StoreService, store_location
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.store.errors import StoreError
from scrapy_polite.store.quarantines import Quarantine
from scrapy_polite.text import printable
from scrapy_polite.traps.evidence import evidence
from scrapy_polite.traps.robot_errors import KINDS as ROBOT_ERRORS
from scrapy_polite.traps.verdict import CONFIRMED, EXPIRES_S, KINDS

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from typing_extensions import Self

    from scrapy_polite.store.feed import Position
    from scrapy_polite.traps.evidence import Pattern
    from scrapy_polite.traps.robot_errors import RobotError

logger = logging.getLogger(__name__)

#: How often what others have found or decided is looked for in the store.
EXCHANGE_S = 10.0
MAX_WARNINGS = 100
#: What a person's word means for the links of a pattern, by what is done about it.
_CONFIRMED = {
    "drop": "its links are refused",
    "log": "its links are only counted (POLITE_TRAPS)",
    "off": "its links are followed all the same (POLITE_TRAPS)",
}
#: Patterns of links that a group is left with which are named besides its own.
_MAX_OTHERS = 3


class TrapFindings:
    def __init__(self, crawler: Crawler) -> None:
        self._crawler = ref(crawler)
        self._events = shared(crawler, Events)
        self._store = shared(crawler, StoreService)
        self._audit = shared(crawler, PoliteSettings).audits("traps")
        self._adopt: Callable[[Quarantine, float], object] = lambda _, __: None
        self._tell_left: Callable[[], object] = lambda: None
        self._stored: dict[str, dict[str, Quarantine]] = {}
        self._warnings = 0
        self._robot_errors: set[tuple[str, str]] = set()
        self._cursor: Position | None = None
        self._timer: _loop.Every | None = None
        crawler.signals.connect(self._spider_opened, signals.spider_opened)
        crawler.signals.connect(self._spider_closed, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def on_stored(self, adopt: Callable[[Quarantine, float], object]) -> None:
        """`adopt` is called with what another crawl has found, or a person decided, and the time."""
        self._adopt = adopt

    def on_exchange(self, tell_left: Callable[[], object]) -> None:
        """`tell_left` is called whenever the store is asked: it says by `left_so_far` how many links are left."""
        self._tell_left = tell_left

    # What is told

    def suspected(self, site: str, root: Pattern, why: str, what_is_done: str) -> None:
        found = self._publish(GroupSuspected, site, root)
        is_first = root.suspicions <= 1  # a group of which that is said again was no longer suspected meanwhile
        tell = self._warn if is_first else self._info
        tell(
            "%s: %s looks endless%s (trap/endless: %s), such as %s. %s",
            site,
            printable(root.name),
            "" if is_first else " again",
            why,
            ", ".join(printable(example, 100) for example in found.examples[-2:]),
            what_is_done,
        )

    def cleared(self, site: str, root: Pattern, why: str) -> None:
        found = _quarantine(site, root)
        self._events.publish(GroupCleared(found))
        self._keep(replace(found, until=clock.system()))
        self._info("%s: %s is no longer suspected: it %s", site, printable(root.name), why)

    def ended(self, site: str, root: Pattern, *, drops: bool = False) -> None:
        """A suspected group is followed no further; `drops`: its links are refused, and kept nowhere."""
        found = self._publish(GroupEnded, site, root)
        command = self.command("release", found)
        self._warn(
            "%s: %s is not followed further after %s pages of its group: %s (trap/endless: %s; %s).%s",
            site,
            printable(root.name),
            f"{root.pages:,}",
            KINDS[found.kind],
            found.kind,
            found.evidence,
            f" If it is no trap: `{command}`, then crawl again{' (with a new JOBDIR, if any)' if drops else ''}"
            if command
            else " A store in memory keeps no decision on it: see POLITE_STORE",
        )

    def left(self, site: str, pattern: str, root: Pattern | None, links: Counter[str]) -> None:
        """So many links of a group stay behind at the end of the crawl, by their patterns."""
        found = _quarantine(site, root) if root is not None else self.of(site).get(pattern)
        if found is not None:
            found = replace(found, refused=links.total())
            if root is not None:
                found = replace(found, evidence=_of_others(root, links) + found.evidence)
            before = self.before(site, pattern)
            if before is not None and before.kind == found.kind:  # a suspicion expires however often a crawl goes on
                found = replace(found, since=before.since, until=before.until)
            self._events.publish(LinksLeft(found, found.refused))
            self._keep(found)

    def left_so_far(self, site: str, pattern: str, count: int) -> None:
        """So many links of a group that is followed no further wait, while the crawl goes on elsewhere."""
        stored = self.of(site).get(pattern)
        if stored is not None and not stored.decision and stored.refused < count:
            self._keep(replace(stored, refused=count))

    def _keep_refused(self) -> None:
        """So many links of each group were refused (POLITE_TRAPS "drop")."""
        tallies = self._events.tallies
        for (site, pattern), links in tallies.groups_refused.items():
            stored = self.of(site).get(pattern)
            found, _ = tallies.groups.get((site, pattern), (stored, 0))
            if found is not None and (stored is None or (not stored.decision and stored.refused < links)):
                self._keep(replace(found, refused=links))

    def command(self, action: str, found: Quarantine) -> str:
        """The command line by which a person decides of a group; "" where the store is in memory, and keeps nothing,
        from the start or since it could not be written."""
        crawler = self._crawler() if self.are_kept else None
        return decision_command(action, found, crawler) if crawler is not None else ""

    def adopted(self, found: Quarantine, action: str) -> None:
        """A person's decision, or what another crawl has found, holds from now on. `action`: what is done about links
        that a person has confirmed."""
        if not found.decision:
            self._info(
                "%s: %s looks endless, as another crawl or run has found (trap/endless: %s; %s)",
                found.site,
                printable(found.place),
                printable(found.kind),
                printable(found.evidence, 300),
            )
            return
        self._events.publish(GroupDecided(found))
        means = _CONFIRMED[action] if found.decision == CONFIRMED else "its group is never suspected"
        self._info("%s: %s is %s by a person: %s", found.site, printable(found.place), found.decision, means)

    def alias(self, site: str, part: str, what_is_done: str) -> None:
        count(self._crawler, "polite/traps/aliases")
        self._info(
            "%s: URLs that differ in nothing but the %s are often one page (trap/alias). %s",
            site,
            printable(part),
            what_is_done,
        )

    def wall(self, site: str, url: str) -> None:
        count(self._crawler, "polite/traps/boilerplate")
        self._warn(
            "%s: the same page comes at many kinds of URLs, lately at %s: a block page, a login, an error page, "
            "or a shell for scripts. Nothing is refused for it. Look at it: slow down, log in, or render pages.",
            site,
            printable(url),
        )

    def robot_error(self, site: str, url: str, found: RobotError, what_is_done: str) -> None:
        """Tell of an error page made for robots: the first of its kind of a site, the others are counted."""
        count(self._crawler, f"polite/traps/robot_errors/{found.kind}")
        if (site, found.kind) in self._robot_errors or len(self._robot_errors) >= MAX_WARNINGS:
            return
        self._robot_errors.add((site, found.kind))
        self._warn(
            '%s: %s is an error page made for robots: it wants %s, and says "%s" and hardly anything else. %s',
            site,
            printable(url),
            ROBOT_ERRORS[found.kind],
            printable(found.sentence),
            what_is_done,
        )

    def _publish(self, kind: type[GroupSuspected | GroupEnded], site: str, root: Pattern) -> Quarantine:
        """What is found of a group now, once it is published and in the store."""
        found = _quarantine(site, root)
        self._events.publish(kind(found))
        self._keep(found)
        return found

    def _warn(self, text: str, *args: object) -> None:
        self._warnings += 1
        level = logging.WARNING if self._warnings <= MAX_WARNINGS else logging.DEBUG
        logger.log(level, text, *args, extra={"spider": spider_of(self._crawler)})
        if self._warnings == MAX_WARNINGS:
            logger.warning("Further traps are counted, kept in the store, and logged at DEBUG")

    def _info(self, text: str, *args: object) -> None:
        logger.info(text, *args, extra={"spider": spider_of(self._crawler)})

    # What the store holds

    @property
    def are_kept(self) -> bool:
        """Whether the store outlives the crawl, so that what is not in it was forgotten by a person, or is old."""
        return self._store.backend.lasting

    def of(self, site: str) -> Mapping[str, Quarantine]:
        """What the store holds of a site, by pattern."""
        return self._stored.get(site, {})

    def before(self, site: str, pattern: str) -> Quarantine | None:
        """What an earlier crawl has found of a pattern, while that holds and no person has decided."""
        stored = self.of(site).get(pattern)
        return None if stored is None or stored.decision or stored.until <= clock.system() else stored

    async def loaded(self) -> None:
        """Read what the store holds. To be awaited before the first request leaves."""
        if self._cursor is None:
            await self._exchange()

    def take_up(self, known: Iterable[Quarantine], now: float) -> None:
        for stored in (quarantine.as_of(now) for quarantine in known):
            if stored.until > now or stored.decision or stored.site in self._stored:
                self._stored.setdefault(stored.site, {})[stored.place] = stored
                self._adopt(stored, now)

    def _keep(self, found: Quarantine) -> None:
        if not self._audit:
            self._store.fire_and_forget(self._store.backend.quarantines.keep(replace(found, updated_at=clock.system())))

    async def _exchange(self) -> None:
        more = True
        while more:
            try:
                page = await _loop.from_thread(self._store.backend.quarantines.changes(self._cursor))
            except StoreError:
                return  # the robots.txt part, which uses it all the time, says so
            self._cursor, more = page.cursor, page.more
            if not self._audit:
                self.take_up(page.items, clock.system())
        self._tell_left()

    async def _spider_opened(self) -> None:
        await self.loaded()
        self._timer = _loop.Every(EXCHANGE_S, lambda: _loop.spawn(self._exchange()))

    def _spider_closed(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._keep_refused()


def decision_command(action: str, found: Quarantine, crawler: Crawler) -> str:
    """See `TrapFindings.command`. A store that is not the project's own is named."""
    store = store_location(shared(crawler, PoliteSettings))
    if not store.lasting:
        return ""
    words = ["scrapy", "polite", "traps", action, found.site, found.place]
    if any(printable(word, len(word)) != word for word in words):
        words = ["scrapy", "polite", "traps", "export", "FILE"]
    if (crawler.settings.getpriority("POLITE_STORE") or 0) >= SETTINGS_PRIORITIES["spider"]:
        words += ["--store", str(store)]
    return shlex.join(words)


def _quarantine(site: str, root: Pattern) -> Quarantine:
    now = clock.system()
    kind = root.ended or "suspected"
    return Quarantine(site, root.name, kind, evidence(root), tuple(root.examples), now, now + EXPIRES_S)


def _of_others(root: Pattern, links: Counter[str]) -> str:
    """How many of the links that a group is left with are of other patterns than its root, and of which."""
    others = Counter({name: count for name, count in links.items() if count and name != root.name})
    if not others:
        return ""
    most = others.most_common(_MAX_OTHERS)
    parts = [f"{count:,} of {name}" for name, count in most]
    if more := others.total() - sum(count for _, count in most):
        parts.append(f"{more:,} of others")
    return f"{', '.join(parts)} among them; "
