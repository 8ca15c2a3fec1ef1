"""The traps part of one crawl: `traps/` wired to Scrapy's settings, scheduler, store and events.

What the spider middlewares (a page is noted, its links are judged), the downloader middleware (a link is judged again
when its request leaves) and the scheduler (which requests wait) share: `shared(crawler, CrawlTraps)`.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import WeakKeyDictionary, WeakSet, ref

from scrapy import Request
from scrapy.http import HtmlResponse, TextResponse, XmlResponse
from scrapy.http.request import NO_CALLBACK
from scrapy.spiders import SitemapSpider
from scrapy.utils.job import job_dir

from scrapy_polite import _loop, clock
from scrapy_polite._crawl import count, shared, spider_of
from scrapy_polite._engine import Engine
from scrapy_polite.decision import Decision
from scrapy_polite.events import Events, LongUrl, RequestRefused
from scrapy_polite.origin import Origin, site_of
from scrapy_polite.services.trap_findings import TrapFindings
from scrapy_polite.settings import ENDLESS, PoliteSettings
from scrapy_polite.traps import page as pages
from scrapy_polite.traps.aliases import Aliases
from scrapy_polite.traps.boilerplate import BoilerplatePages
from scrapy_polite.traps.evidence import evidence
from scrapy_polite.traps.groups import BESIDE, BESIDE_WEIGHT, Groups
from scrapy_polite.traps.patterns import matches
from scrapy_polite.traps.recent import Recent
from scrapy_polite.traps.url_rules import RULES
from scrapy_polite.traps.verdict import CONFIRMED, RELEASED

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self

    from scrapy_polite.store.quarantines import Quarantine
    from scrapy_polite.traps.evidence import Pattern
    from scrapy_polite.traps.groups import Found, Visit
    from scrapy_polite.traps.page import Page
    from scrapy_polite.traps.url_rules import UrlRules

logger = logging.getLogger(__name__)

#: Meta: of a request that a person exempts; of one that a page led to; of one that is to be queued although it has
#: been; of one that an audit would have refused, and of what that led to; and, of a page, the URL of the one that said
#: the same before.
EXEMPT = "polite_trap_exempt"
FOUND = "polite_found"
AGAIN = "polite_queue_again"
WOULD_REFUSE = "polite_would_refuse"
DUPLICATE = "polite_duplicate_of"

#: Sites whose groups are remembered; with all that is remembered of them so many entries, some 130 bytes each.
MAX_SITES, MAX_ENTRIES = 2_000, 400_000
#: To count them takes some microseconds a site: it is done once for so many new ones.
_COUNTED_EVERY = 50
_MAX_ORIGINS = 10_000
_MAX_PASSED = 20_000
#: By how much priority is lowered where the scheduler knows no groups.
_LOWERED = 100


@dataclass(frozen=True, slots=True)
class Site:
    """What holds for the URLs of one origin: whose pages they are, its rules, what is done about each trap, and whether
    its pages are read."""

    name: str
    origin: Origin
    rules: UrlRules | None
    actions: Mapping[str, str]
    watched: bool


@dataclass(frozen=True, slots=True)
class Judged:
    """What to do with a link: `decision` says what is wrong with it, `action` is one of `settings.TRAP_ACTIONS`."""

    decision: Decision | None = None
    action: str = "off"


_GO = Judged()
#: Characters of two or four bytes are told by the zeros in so many of the first.
_BEGIN = 64
_STRICTNESS = ("off", "log", "defer", "drop")


class _SiteState:
    """What is remembered of a site."""

    __slots__ = ("aliases", "boilerplate", "decided", "duplicates", "groups")

    def __init__(self, groups: Groups) -> None:
        self.groups = groups
        self.aliases = Aliases()
        self.boilerplate = BoilerplatePages()
        #: URLs by what they said, and what a person has decided, by pattern.
        self.duplicates: Recent[int, str] = Recent(5_000)
        self.decided: dict[str, Quarantine] = {}

    def __len__(self) -> int:
        return len(self.groups) + len(self.duplicates)


_Visited: TypeAlias = "tuple[_SiteState, Site, Visit]"


class CrawlTraps:
    def __init__(self, crawler: Crawler) -> None:
        self._crawler = ref(crawler)
        self._settings = settings = shared(crawler, PoliteSettings)
        self._events = shared(crawler, Events)
        self._engine = shared(crawler, Engine)
        self.findings = shared(crawler, TrapFindings)
        self.findings.adopt = self._take_up
        self._limits = settings.group_limits
        self._max_length = _max_length(crawler, settings)
        self.noted_length = min(self._max_length + 1, settings.trap_limits.long_length)
        self._origins: Recent[str, Site] = Recent(_MAX_ORIGINS)
        #: Links that were refused, or would be in an audit: each is counted once.
        self._counted: Recent[tuple[str, str], bool] = Recent(_MAX_PASSED)
        #: URLs to which no rule has an objection: most links of a page have been judged before.
        self._passed: Recent[str, Site] = Recent(_MAX_PASSED)
        self._sites: OrderedDict[str, _SiteState] = OrderedDict()
        self._new_sites = 0
        #: Sites of which something is decided or learned, or whose suspected links are refused or counted, so that
        #: every link to them is to be judged.
        self._judged: set[str] = set()
        self._visits: WeakKeyDictionary[Response, _Visited] = WeakKeyDictionary()
        self._deep: WeakSet[Request] = WeakSet()
        self._was_met: Callable[[str], bool] | None = None
        self._resumes = False
        self._keeps = bool(job_dir(crawler.settings))
        self.audit = settings.audits("traps")
        #: The scheduler is told of each site of which a group is suspected, cleared or released. None: it knows none.
        self.changed: Callable[[str], object] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def knows(self, was_met: Callable[[str], bool], *, resumes: bool) -> None:
        """`was_met(url)` says whether a page has been met that is not remembered here, by an earlier run too."""
        self._was_met, self._resumes = was_met, resumes

    # For the scheduler

    def group_of(self, request: Request) -> tuple[str, bool]:
        """The flow of its site that a link goes in (see `Groups.flow_of`), and whether on a deep probe."""
        if FOUND not in request.meta or WOULD_REFUSE in request.meta:
            return "", False
        found = self._group_state(request)
        flow = found[0].groups.flow_of(found[1]) if found is not None else ""
        return flow, bool(flow) and request in self._deep

    def queued_again(self, request: Request) -> bool:
        """Whether a link is to be queued although it has been: it is deferred, and a trusted page leads to it."""
        return request.meta.pop(AGAIN, False) is True

    def suspect_of(self, request: Request) -> str:
        """The flow that a queued request is to go in, because a group has been suspected since; "" if it need not."""
        found = self._group_state(request) if FOUND in request.meta else None
        return found[0].groups.suspected_flow_of(found[1]) if found is not None else ""

    def has_left(self, request: Request) -> bool:
        """Whether a request that was queued twice has left already; not asked of one that is tried again."""
        found = self._group_state(request) if FOUND in request.meta and not request.dont_filter else None
        return found is not None and found[0].groups.has_left(found[1])

    def sent(self, request: Request, *, back: bool = False) -> None:
        """Note that a request has left the queue, or comes `back` to it."""
        found = self._group_state(request) if FOUND in request.meta else None
        if found is not None:
            found[0].groups.sent(found[1], back=back)

    def state(self, site: str, flow: str) -> Pattern | None:
        """The root of the group that a flow is of."""
        pattern = flow.removeprefix(BESIDE)
        state = self._sites.get(site)
        return None if state is None else state.groups.root(state.groups.named(pattern))

    def is_deferred(self, site: str, pattern: str) -> bool:
        if pattern.startswith(BESIDE):
            return False
        root = self.state(site, pattern)
        return root.suspected if root is not None else self._found_before(site, pattern) is not None

    def ends(self, site: str, pattern: str) -> bool:
        """Whether a suspected group is to be followed no further, now that nothing else of its site is left."""
        root = self.state(site, pattern)
        if root is None:
            stored = self._found_before(site, pattern)
            return stored is not None and stored.kind != "suspected"
        if root.ended:
            return True
        if not self._sites[site].groups.verdict.ends(root):
            return False
        self.findings.ended(site, root)
        return True

    def probe(self, site: str, pattern: str) -> tuple[str, float]:
        """Where the next request of a suspected group is taken from, and its weight among others."""
        root = self.state(site, pattern)
        if root is None:
            return "", 1.0
        if pattern.startswith(BESIDE):
            return "", BESIDE_WEIGHT if root.suspected else 1.0
        groups = self._sites[site].groups
        return groups.verdict.probe(root) if root.in_tail else "", root.weight

    def at_once(self, site: str, pattern: str) -> int:
        """Requests of a suspected group in its tail that may be under way at once; 0 for as many as there are."""
        root = self.state(site, pattern)
        return self._sites[site].groups.verdict.at_once(root) if root is not None and root.in_tail else 0

    def take_deep(self, request: Request) -> None:
        """A request is taken on a deep probe: what its page leads to counts as such."""
        self._deep.add(request)

    def left(self, site: str, pattern: str, count: int) -> None:
        """So many links of a group stay behind at the end of the crawl."""
        self.findings.left(site, pattern, self.state(site, pattern), count)

    def left_so_far(self, site: str, pattern: str, count: int) -> None:
        root = self.state(site, pattern)
        self.findings.left_so_far(site, root.name if root is not None else pattern, count)

    def _group_state(self, request: Request) -> tuple[_SiteState, str] | None:
        url = self._settings.url_of(request)
        site = self._site(url)
        if site is None or not self._defers(site):
            return None
        state = self._sites.get(site.name)
        return None if state is None else (state, url)

    def _defers(self, site: Site) -> bool:
        return not self.audit and site.actions[ENDLESS] == "defer"

    # Pages

    def page(self, response: Response) -> None:
        """Note what a page says, before its links are judged. Marks an exact duplicate."""
        request = response.request
        if request is None:
            return
        request.meta.pop(DUPLICATE, None)  # of the page that led here, where its meta was copied
        if WOULD_REFUSE in request.meta or request.method != "GET" or response.status >= 400:
            return
        url = self._settings.url_of(request)
        site = self._site(url)
        if site is None or not site.watched:
            return
        state = self._state(site.name)
        page = _read(response)
        if page is not None:
            self._compare(state, site, url, page, request)
        if site.actions[ENDLESS] == "off":
            return
        visit = state.groups.arrive(url, page, deep=request in self._deep)
        self._visits[response] = state, site, visit
        if page is not None and visit.is_doubtful:
            _loop.spawn(self._fetch_again(request, state.groups, visit, page)).addErrback(self._told)

    def _compare(self, state: _SiteState, site: Site, url: str, page: Page, request: Request) -> None:
        """Compare a page with others of its site: the same to the letter, at many kinds of URLs, or by an alias."""
        if self._settings.duplicates != "off":
            first = state.duplicates.get(page.exact)
            if first is None:
                state.duplicates.put(page.exact, url)
            elif first != url:
                request.meta[DUPLICATE] = first
                count(self._crawler, "polite/duplicates")
        if state.boilerplate.note(page.exact, state.groups.patterns.of(url)):
            self.findings.wall(site.name, url)
        if site.actions["alias"] != "off" and (learned := state.aliases.fetched(url, page)):
            self._judged.add(site.name)
            self.findings.alias(site.name, learned)

    async def _fetch_again(self, request: Request, groups: Groups, visit: Visit, page: Page) -> None:
        """What differs when the same URL is fetched once more says nothing: counters, clocks, nonces."""
        again = request.replace(callback=NO_CALLBACK, errback=None, dont_filter=True, meta={EXEMPT: True})
        response = await self._engine.fetch(again)
        read = _read(response) if response is not None and response.status == 200 else None
        if read is not None:
            groups.compare(visit, page, read)

    def left_page(self, response: Response) -> None:
        """All links of a page have been judged."""
        found = self._visits.pop(response, None)
        if found is not None:
            state, site, visit = found
            self._tell(state, site, state.groups.leave(visit))

    def failed(self, request: Request) -> None:
        """Note that what a page led to is an error, which may never come to the spider."""
        if FOUND not in request.meta or WOULD_REFUSE in request.meta or request.method != "GET":
            return
        self._note_step(self._settings.url_of(request), None)

    def _note_step(self, url: str, to: str | None) -> None:
        """Note an error, or a redirect: it says nothing, and leads to one URL at most."""
        site = self._site(url)
        if site is None or site.actions[ENDLESS] == "off":
            return
        state = self._state(site.name)
        visit = state.groups.arrive(url, None)
        target = self._site(to) if to is not None else None
        if to is not None and target is not None and target.name == site.name:
            state.groups.link(visit, to)
        self._tell(state, site, state.groups.leave(visit))

    def skips(self, response: Response) -> bool:
        """Whether items and links of a page are dropped, because another has said the same to the letter."""
        return self._settings.duplicates == "skip" and not self.audit and DUPLICATE in response.meta

    # Links

    def is_short(self, request: Request, response: Response | None) -> bool:
        """Whether a URL is short enough to be followed; counts what is not, and what is long."""
        if len(request.url) < self.noted_length or request.meta.get(EXEMPT):
            return True
        if response is not None and WOULD_REFUSE in response.meta:
            return True
        site = self._site(self._settings.url_of(request))
        if site is None:
            return True
        return self._carry_out(request, site, self._length(request, site))

    def links_of(self, response: Response) -> Callable[[Any], Any]:
        """What a link that was found on a page goes through, which returns it, or None if it is not to be followed."""
        behind = WOULD_REFUSE in response.meta
        is_html = isinstance(response, HtmlResponse)
        url_of, spider = self._settings.url_of, spider_of(self._crawler)
        visited = self._visits.get(response)
        plain = is_html and not behind
        settled = self._settled(visited) if plain else frozenset[int]()
        elsewhere = self._elsewhere(visited) if plain else _nowhere

        def follow(one: Any) -> Any:
            if not isinstance(one, Request):
                return one
            url, meta = url_of(one), one.meta
            if "#" in url:
                url = url[: url.index("#")]  # a place on a page that is judged once
            if (hash(url) in settled or elsewhere(url)) and EXEMPT not in meta:
                meta[FOUND] = True
                return one
            if behind:
                meta[WOULD_REFUSE] = True
            if meta.get(EXEMPT) or WOULD_REFUSE in meta:
                return one
            if is_html or not _is_of_sitemap(one, response, spider):
                meta[FOUND] = True
                return one if self._may_follow(one, url, visited) else None
            if (target := self._site(url)) is not None:
                self._note_link(visited, one, target, url)
            return one

        return follow

    def _settled(self, visited: _Visited | None) -> AbstractSet[int]:
        """Hashes of links that need not be judged on a page: they have been, and nothing more is to be known."""
        if visited is None or not self._only_new_are_judged:
            return frozenset()
        _, site, visit = visited
        return frozenset() if visit.deep or site.name in self._judged else visit.pattern.settled

    def _elsewhere(self, visited: _Visited | None) -> Callable[[str], bool]:
        """Whether a link need not be judged on a page because it is another site's, which has nothing against it."""
        if not self._only_new_are_judged:
            return _nowhere
        own = visited[1].name if visited is not None else ""
        passed, judged = self._passed.get, self._judged

        def elsewhere(url: str) -> bool:
            target = passed(url)
            return target is not None and target.name != own and target.name not in judged

        return elsewhere

    @property
    def _only_new_are_judged(self) -> bool:
        """Whether nothing is to be said of a link that has been judged: the scheduler defers it."""
        return self.changed is not None and not self.audit

    def _may_follow(self, request: Request, url: str, visited: _Visited | None) -> bool:
        site, judged = self._judge(url, request.method)
        if site is None:
            return True
        refused = judged.action == "drop" and not self.audit
        self._note_link(visited, request, site, url, refused=refused)
        if not refused:
            judged = _stricter(judged, self._suspicion(site, url, request))
        return judged is _GO or self._carry_out(request, site, judged)

    def _note_link(
        self, visited: _Visited | None, request: Request, target: Site, url: str, *, refused: bool = False
    ) -> None:
        if visited is None or request.method != "GET":
            return
        state, site, visit = visited
        if target.name != site.name:
            return
        again = state.groups.link(visit, url, refused=refused)
        if refused:
            return
        if again and self._defers(site) and not request.dont_filter:
            request.meta[AGAIN] = True
        if visit.deep:
            self._deep.add(request)

    def _suspicion(self, site: Site, url: str, request: Request) -> Judged:
        """What to do with a link that a suspected group brought to itself, where the scheduler does not defer it."""
        if site.actions[ENDLESS] == "off" or (self._defers(site) and self.changed is not None):
            return _GO
        state = self._sites.get(site.name)
        suspect = state.groups.suspect_of(url) if state is not None else None
        if suspect is None:
            return _GO
        if self._defers(site):
            request.priority -= _LOWERED
            return _GO
        return Judged(Decision(False, "trap/endless", f"{suspect.name}: {evidence(suspect)}"), site.actions[ENDLESS])

    def may_leave(self, request: Request) -> Decision | None:
        """Judge a link again: it may have been redirected, or what it leads to found out since. Returns a refusal."""
        meta = request.meta
        if WOULD_REFUSE in meta or meta.get(EXEMPT):
            return None
        redirected = meta.get("redirect_urls")
        if redirected and request.method == "GET" and self._settings.target_url is None:
            self._note_step(redirected[-1], request.url)
        if FOUND not in meta:
            return None
        url = self._settings.url_of(request)
        site, judged = self._judge(url, request.method)
        if site is not None and site.actions[ENDLESS] == "drop" and judged is _GO:
            judged = self._suspicion(site, url, request)
        if site is not None and redirected:
            judged = _stricter(self._length(request, site), judged)
        if site is None or judged.decision is None or (judged.action != "drop" and not redirected):
            return None  # it was counted when it was found
        return None if self._carry_out(request, site, judged, leaving=True) else judged.decision

    def _length(self, request: Request, site: Site) -> Judged:
        length = len(request.url)
        if length > self._max_length:
            decision = Decision(False, "trap/url-length", f"{length:,} characters, limit {self._max_length:,}")
            return Judged(decision, site.actions["url-length"])
        if length < self.noted_length or site.actions["long-url"] == "off":
            return _GO
        self._events.publish(LongUrl(str(site.origin)))
        if site.actions["long-url"] == "log":
            return _GO
        return Judged(Decision(False, "trap/long-url", f"{length:,} characters"), site.actions["long-url"])

    def _judge(self, url: str, method: str) -> tuple[Site | None, Judged]:
        """What holds for a URL, None where it has no origin, and what proof there is against a link to it."""
        judged = _GO
        site = self._passed.get(url)
        if site is None:
            site = self._site(url)
            if site is None:
                return None, _GO
            judged = _by_rules(site, url)
            if judged is _GO:
                self._passed.put(url, site)
        if judged.action == "drop" or not site.watched or method != "GET":
            return site, judged
        state = self._sites.get(site.name)
        if state is None:
            if not self.findings.of(site.name):
                return site, judged
            state = self._state(site.name)
        if state.decided and (by := self._decided(state, url, CONFIRMED)):
            decision = Decision(False, "trap/by-hand", f"{by.place}, confirmed: {by.evidence}")
            judged = _stricter(judged, Judged(decision, site.actions["by-hand"]))
        if state.aliases.learned and (part := state.aliases.known(url)):
            decision = Decision(False, "trap/alias", f"differs from a known URL in nothing but {part}")
            judged = _stricter(judged, Judged(decision, site.actions["alias"]))
        return site, judged

    @staticmethod
    def _decided(state: _SiteState, url: str, decision: str) -> Quarantine | None:
        """What a person has decided so of a URL's group, or of a pattern of their own that the URL is one of."""
        decided = [one for one in state.decided.values() if one.decision == decision]
        if not decided:
            return None
        pattern = state.groups.pattern(url)
        names = pattern.name, (state.groups.root(pattern) or pattern).name
        return next(
            (one for one in decided if (matches(one.place, url) if one.kind == "by-hand" else one.place in names)), None
        )

    def _carry_out(self, request: Request, site: Site, judged: Judged, *, leaving: bool = False) -> bool:
        """Whether the request may go on. A refusal of one that is `leaving` is told by who carries it out."""
        decision = judged.decision
        if decision is None or judged.action == "off":
            return True
        audit = self.audit or judged.action != "drop"
        link = decision.reason, self._settings.url_of(request)
        is_new = leaving or self._counted.get(link) is None
        self._counted.put(link, True)
        if leaving and not audit:
            return False
        if is_new:
            self._events.publish(RequestRefused(str(site.origin), link[1], decision, audit, request=request))
        if judged.action != "drop":
            return True
        if self.audit:
            request.meta[WOULD_REFUSE] = True
            return True
        if decision.reason == "trap/url-length":
            count(self._crawler, "urllength/request_ignored_count")
        return False

    def _site(self, url: str) -> Site | None:
        """What holds for a URL; None for one that has no origin."""
        end = url.find("/", len("https://"))
        key = url[:end] if end >= 0 else url
        site = self._origins.get(key)
        if site is None:
            try:
                origin = Origin.from_url(url)
            except ValueError:
                return None
            actions = self._settings.trap_actions(self._settings.sites.policy(origin))
            off = frozenset(name for name, action in actions.items() if action == "off" and name in _RULE_NAMES)
            watched = any(actions[name] != "off" for name in (ENDLESS, "alias")) or self._settings.duplicates != "off"
            rules = _rules(self._settings.trap_limits, off)
            site = Site(site_of(origin), origin, rules, actions, watched)
            if actions[ENDLESS] in ("drop", "log"):
                self._judged.add(site.name)
            self._origins.put(key, site)
        return site

    def _state(self, name: str) -> _SiteState:
        state = self._sites.get(name)
        if state is None:
            groups = Groups(self._limits, self._was_met, forgetful=self._resumes)
            state = self._sites[name] = _SiteState(groups)
            for stored in self.findings.of(name).values():
                self._adopt(state, stored)
            self._make_room()
        self._sites.move_to_end(name)
        return state

    def _make_room(self) -> None:
        """Forget the sites not seen for longest, when there are too many or too much is remembered of all."""
        while len(self._sites) > MAX_SITES:
            self._sites.popitem(last=False)
        self._new_sites += 1
        if self._new_sites % _COUNTED_EVERY:
            return
        entries = sum(map(len, self._sites.values()))
        while entries > MAX_ENTRIES and len(self._sites) > 1:
            _, forgotten = self._sites.popitem(last=False)
            entries -= len(forgotten)

    # What was found

    def _tell(self, state: _SiteState, site: Site, found: Found | None) -> None:
        if found is None:
            return
        if found.suspected and self._decided(state, found.root.examples[-1], RELEASED):
            found.root.released = True
            state.groups.clear(found.root)
            return
        if found.suspected:
            self.findings.suspected(site.name, found.root, found.why, self._what_is_done(site))
        else:
            self.findings.cleared(site.name, found.root, found.why)
        if self.changed is not None:
            self.changed(site.name)

    def _what_is_done(self, site: Site) -> str:
        if self.audit or site.actions[ENDLESS] == "log":
            return f"It is only counted ({'POLITE_MODE' if self.audit else 'POLITE_TRAPS'})."
        if site.actions[ENDLESS] == "drop":
            return "Its links are refused."
        if self.changed is None:
            return (
                "Its links go last, but nothing ends them: SCHEDULER is not this package's. Confirm the pattern "
                "(`scrapy polite traps confirm`), or take scrapy_polite.frontier.Scheduler."
            )
        return "Its links wait until the rest of the site is read" + (
            "; what is left then stays in the job directory."
            if self._keeps
            else "; what is left then is dropped: JOBDIR would keep it."
        )

    def _told(self, failure: object) -> None:
        logger.debug("A page could not be fetched once more: %s", getattr(failure, "value", failure))

    def _found_before(self, site: str, pattern: str) -> Quarantine | None:
        """What an earlier crawl has found of a pattern of which this one knows nothing."""
        state = self._sites.get(site)
        known = state is not None and state.groups.named(pattern).pages
        return None if known else self.findings.before(site, pattern)

    def _take_up(self, stored: Quarantine) -> None:
        state = self._sites.get(stored.site)
        if stored.decision:
            self._judged.add(stored.site)
        if state is not None:
            self._adopt(state, stored)
        if self.changed is not None:
            self.changed(stored.site)

    def _adopt(self, state: _SiteState, stored: Quarantine) -> None:
        """Take up what another crawl has found, or a person decided."""
        groups = state.groups
        pattern = groups.named(stored.place)
        root = groups.root(pattern) or pattern
        if stored.decision:
            if state.decided.get(stored.place, stored).decision != stored.decision or stored.place not in state.decided:
                self.findings.decided(stored)
            state.decided[stored.place] = stored
            groups.unsettle()
            for one in {pattern, root, *groups.suspects}:
                if one in (pattern, root) or self._decided(state, one.examples[-1], stored.decision):
                    one.released = stored.decision == RELEASED
                    groups.clear(one)
        elif root.pages < self._limits.window and not root.released:
            if stored.until > clock.system():
                groups.suspect(root)
            else:
                groups.clear(root)


def _nowhere(_: str) -> bool:
    return False


def _by_rules(site: Site, url: str) -> Judged:
    judged = _GO
    if site.rules is not None and site.rules.check(url) is not None:
        for hit in site.rules.hits(url):
            judged = _stricter(judged, Judged(Decision(False, hit.reason, hit.detail), site.actions[hit.rule]))
    return judged


def _stricter(one: Judged, other: Judged) -> Judged:
    if one.decision is None or other.decision is None:
        return one if other.decision is None else other
    return max(one, other, key=lambda judged: _STRICTNESS.index(judged.action))


def _max_length(crawler: Crawler, settings: PoliteSettings) -> int:
    """Characters of the longest URL that is followed: what the project says, where it says so."""
    if settings.profile == "broad" and not crawler.settings.getpriority("URLLENGTH_LIMIT"):
        return settings.trap_limits.long_length - 1
    return crawler.settings.getint("URLLENGTH_LIMIT") or 1_000_000_000


_RULE_NAMES = frozenset(rule.name for rule in RULES)


@lru_cache(maxsize=256)
def _rules(limits: UrlRules, off: frozenset[str]) -> UrlRules | None:
    """The rules that are asked; None where all are off."""
    without = off | {"url-length", "long-url"}  # UrlLengthMiddleware's
    if len(without) == len(RULES):
        return None
    return replace(limits, without=without)


def _read(response: Response) -> Page | None:
    """What a page carries; None for a calendar's file, which says its page once more."""
    body = response.body
    is_markup = isinstance(response, (HtmlResponse, XmlResponse))
    if not is_markup and (
        pages.is_calendar(body) or (response.headers.get("Content-Type") or b"").startswith(b"text/calendar")
    ):
        return None
    if not isinstance(response, TextResponse):
        return pages.of_bytes(body)
    read = pages.of_markup if is_markup else pages.of_text
    if b"\0" in body[:_BEGIN] and response.encoding.startswith(("utf-16", "utf-32")):
        return read(response.text.encode("utf-8", "replace"), "utf-8")
    return read(body, lambda: response.encoding)


def _is_of_sitemap(request: Request, response: Response, spider: Spider | None) -> bool:
    """Whether a link on what is no HTML is a sitemap's, and no sitemap itself: an index may go on for ever.

    What SitemapSpider parses may be a robots.txt or compressed, so there it is the callback that tells.
    """
    if isinstance(spider, SitemapSpider) and response.request and response.request.callback == spider._parse_sitemap:
        return request.callback != spider._parse_sitemap or response.url.endswith("/robots.txt")
    return pages.is_sitemap(response.body)
