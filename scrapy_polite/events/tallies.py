"""What has happened so far, in numbers: of the crawl, and of the origins most concerned; with a few examples. Bounded.

The summary, the progress line and whoever watches a crawl read it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scrapy_polite.events.values import (
    GroupCleared,
    GroupDecided,
    GroupEnded,
    GroupSuspected,
    HostClosed,
    HostWait,
    LimitUnmet,
    LinkDeferred,
    LinkLeft,
    LinksLeft,
    LongUrl,
    MainHostNamed,
    PaceSet,
    PageRevisited,
    RequestAnswered,
    RequestMoved,
    RequestRefused,
    RequestSent,
    RobotsApplied,
    RobotsWait,
    SitemapRead,
)
from scrapy_polite.origin import origin_of, site_of

if TYPE_CHECKING:
    from scrapy_polite.decision import Decision
    from scrapy_polite.events.stats import Join
    from scrapy_polite.store.quarantines import Quarantine

MAX_ORIGINS = 1_000
MAX_EXAMPLES = 3
MAX_GROUPS = 100
_MAX_URL = 2_000


@dataclass(slots=True)
class Tally:
    """What happened with one origin. `robots` says in words what its robots.txt did, `pace` which delay is in force and
    what asks for it (`capped`: for a longer one); `longest_wait_s` is how long requests waited for either at most,
    `closed` how often the host was left alone; `long_urls` are those from 1,024 characters on, `too_long` those refused
    for their length."""

    robots: str = ""
    pace: str = ""
    capped: bool = False
    sent: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    longest_wait_s: float = 0.0
    closed: int = 0
    long_urls: int = 0
    too_long: int = 0

    @property
    def concern(self) -> tuple[int, float, int]:
        return self.refused.total(), self.longest_wait_s, self.sent


@dataclass(frozen=True, slots=True)
class Example:
    url: str
    decision: Decision


class Tallies:
    """`origins` holds at most 1,000 tallies: when full, the half that was refused and made wait least is dropped."""

    def __init__(self) -> None:
        self.origins: dict[str, Tally] = {}
        #: By state of the rules.
        self.sent: Counter[str] = Counter()
        #: By HTTP status; 0: without an answer.
        self.answered: Counter[int] = Counter()
        #: By reason.
        self.refused: Counter[str] = Counter()
        self.audited: Counter[str] = Counter()
        self.examples: dict[str, list[Example]] = {}
        self.audited_examples: dict[str, list[Example]] = {}
        #: Start requests that were sent, less those that came to nothing, and those refused.
        self.start_sent = self.start_refused = 0
        self.robots_waits = self.host_waits = self.closed = 0
        #: What came of pages under POLITE_RECRAWL.
        self.revisited: Counter[str] = Counter()
        #: Groups of URL patterns that are suspected or have ended, the last ones, by site and pattern, each with the
        #: number of its links that stay behind.
        self.groups: dict[tuple[str, str], tuple[Quarantine, int]] = {}
        self.groups_suspected = self.groups_cleared = self.groups_ended = 0
        #: Those that this crawl has suspected, each once, however often it was; the first ones.
        self.groups_met: set[tuple[str, str]] = set()
        #: What a person has decided of these while the crawl ran, by site and pattern.
        self.groups_decided: dict[tuple[str, str], str] = {}
        #: Links of such groups that were refused (POLITE_TRAPS "drop"), by site and pattern.
        self.groups_refused: Counter[tuple[str, str]] = Counter()
        #: Links: those that have had to wait for the rest of their site, and those that stay behind.
        self.links_deferred = self.links_left = 0
        #: Sitemaps that were read and those that could not be; and by what came of them, their entries.
        self.sitemaps_read = self.sitemaps_failed = 0
        self.sitemap_entries: Counter[str] = Counter()
        #: Host lines: how many are followed, the first of those that are not, how many these are; requests moved.
        self.main_hosts_followed = self.main_hosts_noted = self.requests_moved = 0
        self.main_host: MainHostNamed | None = None
        #: What limits, budgets and windows were to leave undone: the first of them.
        self.unmet: list[LimitUnmet] = []

    def join(self, read: Join) -> None:
        read(RequestSent, self._sent)
        read(RequestAnswered, self._answered)
        read(RequestRefused, self._refused)
        read(RobotsApplied, self._robots_applied)
        read(SitemapRead, self._sitemap_read)
        read(MainHostNamed, self._main_host_named)
        read(RequestMoved, self._request_moved)
        read(RobotsWait, self._robots_wait)
        read(HostWait, self._host_wait)
        read(PaceSet, self._pace_set)
        read(HostClosed, self._host_closed)
        read(LongUrl, self._long_url)
        read(GroupSuspected, self._group_suspected)
        read(GroupCleared, self._group_cleared)
        read(GroupEnded, self._group_ended)
        read(GroupDecided, self._group_decided)
        read(LinkDeferred, self._link_deferred)
        read(PageRevisited, self._page_revisited)
        read(LinksLeft, self._links_left)
        read(LinkLeft, self._link_left)
        read(LimitUnmet, self._limit_unmet)

    def of(self, origin: str) -> Tally:
        tally = self.origins.get(origin)
        if tally is None:
            if len(self.origins) >= MAX_ORIGINS:
                ranked = sorted(self.origins.items(), key=lambda item: item[1].concern, reverse=True)
                self.origins = dict(ranked[: MAX_ORIGINS // 2])
            tally = self.origins[origin] = Tally()
        return tally

    def _sent(self, event: RequestSent) -> None:
        self.sent[event.rules] += 1
        self.start_sent += event.start
        self.of(event.origin).sent += 1

    def _answered(self, event: RequestAnswered) -> None:
        self.answered[event.status or 0] += 1

    def _refused(self, event: RequestRefused) -> None:
        reason = event.decision.reason
        counts, kept = (self.audited, self.audited_examples) if event.audit else (self.refused, self.examples)
        counts[reason] += 1
        examples = kept.setdefault(reason, [])
        if len(examples) < MAX_EXAMPLES:
            examples.append(Example(event.url[:_MAX_URL], event.decision))
        tally = self.of(event.origin)
        tally.too_long += reason == "trap/url-length"
        if not event.audit:
            tally.refused[reason] += 1
            if event.decision.pattern:
                self._group_refused(event)
            self.start_refused += event.start
            self.start_sent -= event.start and event.start_was_sent

    def _group_refused(self, event: RequestRefused) -> None:
        origin = origin_of(event.origin)
        key = site_of(origin) if origin is not None else "", event.decision.pattern
        if key in self.groups_refused or len(self.groups_refused) < MAX_GROUPS:
            self.groups_refused[key] += 1

    def _robots_applied(self, event: RobotsApplied) -> None:
        self.of(event.origin).robots = event.text

    def _sitemap_read(self, event: SitemapRead) -> None:
        self.sitemaps_read += event.is_read
        self.sitemaps_failed += not event.is_read
        self.sitemap_entries.update(event.came)

    def _main_host_named(self, event: MainHostNamed) -> None:
        self.main_hosts_followed += not event.why
        self.main_hosts_noted += bool(event.why)
        if event.why:
            self.main_host = self.main_host or event

    def _request_moved(self, event: RequestMoved) -> None:
        self.requests_moved += 1

    def _robots_wait(self, event: RobotsWait) -> None:
        self.robots_waits += 1
        self._waited(event.origin, event.seconds)

    def _host_wait(self, event: HostWait) -> None:
        self.host_waits += 1
        self._waited(event.origin, event.seconds)

    def _waited(self, origin: str, seconds: float) -> None:
        tally = self.of(origin)
        tally.longest_wait_s = max(tally.longest_wait_s, seconds)

    def _pace_set(self, event: PaceSet) -> None:
        tally = self.of(event.origin)
        tally.pace, tally.capped = event.text, event.capped

    def _host_closed(self, event: HostClosed) -> None:
        self.closed += 1
        self.of(event.origin).closed += 1

    def _long_url(self, event: LongUrl) -> None:
        self.of(event.origin).long_urls += 1

    def _group_suspected(self, event: GroupSuspected) -> None:
        self.groups_suspected += 1
        self._note_met(event.group)

    def _group_cleared(self, event: GroupCleared) -> None:
        self.groups_cleared += 1
        self.groups.pop((event.group.site, event.group.place), None)

    def _group_ended(self, event: GroupEnded) -> None:
        self.groups_ended += 1
        self._note_met(event.group)

    def _group_decided(self, event: GroupDecided) -> None:
        group = event.group
        self.groups.pop((group.site, group.place), None)
        if (group.site, group.place) in self.groups_met:
            self.groups_decided[group.site, group.place] = group.decision

    def _page_revisited(self, event: PageRevisited) -> None:
        self.revisited[event.outcome] += 1

    def _link_deferred(self, event: LinkDeferred) -> None:
        self.links_deferred += 1

    def _links_left(self, event: LinksLeft) -> None:
        self._note_group(event.group, event.links)
        self.links_left += event.links

    def _note_met(self, group: Quarantine) -> None:
        if len(self.groups_met) < MAX_GROUPS:
            self.groups_met.add((group.site, group.place))
        self._note_group(group)

    def _note_group(self, group: Quarantine, links: int = 0) -> None:
        self.groups.pop((group.site, group.place), None)
        self.groups[group.site, group.place] = group, links
        if len(self.groups) > MAX_GROUPS:
            del self.groups[next(iter(self.groups))]

    def _limit_unmet(self, event: LimitUnmet) -> None:
        if len(self.unmet) < MAX_EXAMPLES:
            self.unmet.append(event)

    def _link_left(self, event: LinkLeft) -> None:
        self.of(event.origin).refused[event.decision.reason] += 1
