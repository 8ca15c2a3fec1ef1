"""The traps part of one crawl: `traps/` wired to Scrapy's settings, scheduler, store and events.

The spider middlewares note pages and judge their links here. The downloader middleware judges a link again when its
request leaves. The scheduler asks `CrawlTraps.flows`. All of them share one instance: `shared(crawler, CrawlTraps)`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary, ref

from scrapy import Request
from scrapy.http import HtmlResponse
from scrapy.http.request import NO_CALLBACK
from scrapy.utils.job import job_dir

from scrapy_polite import _loop
from scrapy_polite._crawl import count, shared, spider_of
from scrapy_polite._engine import Engine
from scrapy_polite.events import Events
from scrapy_polite.services import trap_pages
from scrapy_polite.services.trap_findings import TrapFindings
from scrapy_polite.services.trap_flows import TrapFlows
from scrapy_polite.services.trap_judge import Judged, LinkJudge, TrapRefusals, longest_url, strictest
from scrapy_polite.services.trap_memory import TrapMemory
from scrapy_polite.services.trap_sites import (
    AGAIN,
    DUPLICATE,
    EXEMPT,
    FOUND,
    REDIRECTS,
    ROBOT_ERROR_PAGE,
    WOULD_REFUSE,
    TrapSites,
)
from scrapy_polite.settings import ENDLESS, ROBOT_ERROR, PoliteSettings
from scrapy_polite.traps.aliases import AGREE
from scrapy_polite.traps.robot_errors import robot_error
from scrapy_polite.traps.verdict import RELEASED

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self

    from scrapy_polite.decision import Decision
    from scrapy_polite.services.trap_memory import SiteMemory
    from scrapy_polite.services.trap_sites import TrapSite
    from scrapy_polite.store.quarantines import Quarantine
    from scrapy_polite.traps.groups import Groups, Visit
    from scrapy_polite.traps.page import Page
    from scrapy_polite.traps.robot_errors import RobotError

logger = logging.getLogger(__name__)

#: By how much priority is lowered where the scheduler does not defer.
_LOWERED = 100


class _Visited(NamedTuple):
    """A page whose links are being judged."""

    memory: SiteMemory
    site: TrapSite
    visit: Visit


class CrawlTraps:
    def __init__(self, crawler: Crawler) -> None:
        self._crawler = ref(crawler)
        self._settings = settings = shared(crawler, PoliteSettings)
        self._engine = shared(crawler, Engine)
        self._keeps_queue = bool(job_dir(crawler.settings))
        events = shared(crawler, Events)
        self.findings = findings = shared(crawler, TrapFindings)
        self._sites = sites = TrapSites(settings)
        self._memory = memory = TrapMemory(settings.group_limits, findings, sites.dropping, self._tell_adopted)
        longest = longest_url(settings, crawler.settings)
        self._judge = LinkJudge(sites, memory, events, findings, longest, settings.trap_limits.long_length)
        self._refusals = TrapRefusals(crawler, settings, events)
        self.flows = TrapFlows(settings, events, sites, memory, findings)
        findings.on_stored(self._adopt)
        self._visits: WeakKeyDictionary[Response, _Visited] = WeakKeyDictionary()
        self._robot_errors: WeakKeyDictionary[Response, RobotError] = WeakKeyDictionary()
        self.audit = settings.audits("traps")
        #: Characters; no shorter URL is refused or counted for its length.
        self.noted_length = self._judge.noted

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def knows(self, was_met: Callable[[str], bool], *, resumes: bool) -> None:
        """`was_met(url)` says whether a page has been met that is not remembered here, by an earlier run too."""
        self._memory.knows(was_met, resumes=resumes)

    # Pages

    def page(self, response: Response) -> None:
        """Note what a page says, before its links are judged. Marks an exact duplicate, and a robots' error page."""
        request = response.request
        if request is None:
            return
        for mark in (DUPLICATE, ROBOT_ERROR_PAGE):
            request.meta.pop(mark, None)  # of the page that led here, where its meta was copied
        # A 304 stands for a page that is known (POLITE_RECRAWL), and has no text: it is no page without one.
        if WOULD_REFUSE in request.meta or request.method != "GET" or response.status == 304 or response.status >= 400:
            return
        url = self._settings.url_of(request)
        site = self._sites.of(url)
        if site is None or not site.watched:
            return
        memory = self._memory.of(site.name)
        page = trap_pages.read(response)
        if page is not None and not self._is_robot_error(site, url, page, response, request):
            self._compare(memory, site, url, page, request)
        if not site.grouped:
            return
        visit = memory.groups.arrive(url, page, deep=self.flows.is_deep(request))
        self._visits[response] = _Visited(memory, site, visit)
        if page is not None and visit.is_doubtful:
            _loop.spawn(self._fetch_again(request, memory.groups, visit, page)).addErrback(_not_fetched_again)

    def _is_robot_error(self, site: TrapSite, url: str, page: Page, response: Response, request: Request) -> bool:
        """Whether a page is an error page made for robots: another like it is no duplicate of it."""
        action = site.actions[ROBOT_ERROR]
        if action == "off" or not isinstance(response, HtmlResponse):
            return False
        found = robot_error(page, url)
        if found is None:
            return False
        self._robot_errors[response] = found
        request.meta[ROBOT_ERROR_PAGE] = found.kind
        follows = "are only counted" if self.audit or action == "log" else "are not followed (trap/robot-error)"
        self.findings.robot_error(site.name, url, found, f"Its links to other sites {follows}, those of its site are.")
        return True

    def _compare(self, memory: SiteMemory, site: TrapSite, url: str, page: Page, request: Request) -> None:
        """Compare a page with others of its site: the same to the letter, at many kinds of URLs, or by an alias."""
        if self._settings.duplicates != "off" and (original := memory.original_of(page.exact, url)):
            request.meta[DUPLICATE] = original
            count(self._crawler, "polite/duplicates")
        if memory.boilerplate.note(page.exact, memory.groups.feeders.patterns.of(url)):
            self.findings.wall(site.name, url)
        if site.actions["alias"] != "off" and (learned := memory.aliases.fetched(url, page)):
            self._sites.judged.add(site.name)
            self.findings.alias(site.name, learned, self._alias_consequence(site))

    async def _fetch_again(self, request: Request, groups: Groups, visit: Visit, page: Page) -> None:
        """What differs when the same URL is fetched once more says nothing: counters, clocks, nonces."""
        again = request.replace(callback=NO_CALLBACK, errback=None, dont_filter=True, meta={EXEMPT: True})
        response = await self._engine.fetch(again)
        read = trap_pages.read(response) if response is not None and response.status == 200 else None
        if read is not None:
            groups.compare(visit, page, read)

    def left_page(self, response: Response) -> None:
        """All links of a page have been judged."""
        visited = self._visits.pop(response, None)
        if visited is not None:
            self._leave(*visited)

    def failed(self, request: Request) -> None:
        """Note that what a page led to is an error, which may never come to the spider."""
        if FOUND in request.meta and WOULD_REFUSE not in request.meta and request.method == "GET":
            self._note_step(self._settings.url_of(request), None, deep=self.flows.is_deep(request))

    def _note_step(self, url: str, to: str | None, *, deep: bool = False) -> None:
        """Note an error, of which nothing is to be read, or a redirect, which says nothing."""
        site = self._sites.of(url)
        if site is None or not site.grouped:
            return
        memory = self._memory.of(site.name)
        visit = memory.groups.note(url, None if to is None else False, same=True, deep=deep)
        if to is not None and self._is_of_site(site, to):
            memory.groups.link(visit, to)
        self._leave(memory, site, visit)

    def _is_of_site(self, site: TrapSite, url: str) -> bool:
        target = self._sites.of(url)
        return target is not None and target.name == site.name

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
        site = self._sites.of(self._settings.url_of(request))
        judged = self._judge.length(request, site) if site is not None else None
        return site is None or judged is None or self._refusals.carry_out(request, site, judged)

    def links_of(self, response: Response) -> Callable[[Any], Any]:
        """What a link that was found on a page goes through, which returns it, or None if it is not to be followed."""
        behind = WOULD_REFUSE in response.meta
        is_html = isinstance(response, HtmlResponse)
        url_of, spider = self._settings.url_of, spider_of(self._crawler)
        visited = self._visits.get(response)
        settled = self._settled(visited) if is_html and not behind else frozenset[int]()

        def follow(one: Any) -> Any:
            if not isinstance(one, Request):
                return one
            url, meta = url_of(one), one.meta
            if "#" in url:
                url = url[: url.index("#")]  # a place on a page that is judged once
            if hash(url) in settled and EXEMPT not in meta:
                meta[FOUND] = True
                return one
            if behind:
                meta[WOULD_REFUSE] = True
            if meta.get(EXEMPT) or WOULD_REFUSE in meta:
                return one
            if is_html or not trap_pages.is_of_sitemap(one, response, spider):
                meta[FOUND] = True
                return one if self._may_follow(one, url, visited) else None
            if visited is not None and self._is_of_site(visited.site, url):
                self._note_link(visited, one, url)
            return one

        error = self._robot_errors.get(response)
        if error is None:
            return follow
        return lambda one: follow(one) if self._is_of_page(one, response, error) else None

    def _is_of_page(self, one: Any, response: Response, error: RobotError) -> bool:
        """Whether what a robots' error page brings may go on: an item, or a link that is not of the error's text."""
        if not isinstance(one, Request) or one.meta.get(EXEMPT) or WOULD_REFUSE in response.meta:
            return True
        site, page_site = self._sites.of(self._settings.url_of(one)), self._sites.of(response.url)
        if site is None or page_site is None or site.name not in error.sites:
            return True
        why = f"{error.kind}: {error.sentence}"
        judged = Judged.refused("trap/robot-error", why, page_site.actions[ROBOT_ERROR])
        return self._refusals.carry_out(one, site, judged)

    def _settled(self, visited: _Visited | None) -> AbstractSet[int]:
        """Hashes of links that need not be judged on a page: they have been, and nothing more is to be known."""
        if visited is None or not self.flows.scheduled or visited.visit.deep:
            return frozenset()
        return frozenset() if visited.site.name in self._sites.judged else visited.visit.pattern.settled

    def _may_follow(self, request: Request, url: str, visited: _Visited | None) -> bool:
        site, judged = self._judge.proof(url, request.method)
        if site is None:
            return True
        refused = judged is not None and self._refusals.stops(judged)
        if visited is not None and site.name == visited.site.name:
            self._note_link(visited, request, url, refused=refused)
        if not refused and not (site.actions[ENDLESS] == "defer" and site.defers and self.flows.scheduled):
            suspicion = self._judge.suspicion(site, url)
            if suspicion is None or suspicion.action != "defer" or not site.defers:
                judged = strictest((judged, suspicion))
            elif not self.flows.scheduled:
                request.priority -= _LOWERED
        if judged is None:
            return True
        if judged.action == "drop" and self._has_come(site, request, url):
            return not self._refusals.stops(judged)  # nothing is kept from the crawl by that, so nobody is told
        return self._refusals.carry_out(request, site, judged)

    def _has_come(self, site: TrapSite, request: Request, url: str) -> bool:
        """Whether a link is one that would be filtered as a duplicate."""
        memory = None if request.dont_filter or request.method != "GET" else self._memory.get(site.name)
        return memory is not None and memory.groups.links.has_come(url)

    def _note_link(self, visited: _Visited, request: Request, url: str, *, refused: bool = False) -> None:
        """Note a link of a page to another one of its site."""
        if request.method != "GET":
            return
        memory, site, visit = visited
        again = memory.groups.link(visit, url, refused=refused, place_of=memory.aliases.place)
        if refused:
            return
        if again and site.defers and not request.dont_filter:
            request.meta[AGAIN] = True
        if visit.deep:
            self.flows.take(request, deep=True)

    def may_leave(self, request: Request) -> Decision | None:
        """Judge a link again: it may have been redirected, or what it leads to found out since. Returns a refusal."""
        meta = request.meta
        if WOULD_REFUSE in meta or meta.get(EXEMPT):
            return None
        redirected = meta.get("redirect_urls") or []
        if len(redirected) > meta.get(REDIRECTS, 0) and request.method == "GET" and self._settings.target_url is None:
            meta[REDIRECTS] = len(redirected)  # it may leave once more, to be tried again
            self._note_step(redirected[-1], request.url)
        if FOUND not in meta:
            return None
        url = self._settings.url_of(request)
        site, judged = self._judge.proof(url, request.method)
        if site is None:
            return None
        if judged is None and site.actions[ENDLESS] == "drop":
            suspicion = self._judge.suspicion(site, url)
            judged = suspicion if suspicion is not None and suspicion.action == "drop" else None
        if redirected:
            judged = strictest((self._judge.length(request, site), judged))
        if judged is None or (judged.action != "drop" and not redirected):
            return None  # it was counted when it was found
        return None if self._refusals.carry_out(request, site, judged, leaving=True) else judged.decision

    # What was found

    def _leave(self, memory: SiteMemory, site: TrapSite, visit: Visit) -> None:
        """All links of a page are known: tell of what that has changed."""
        found = memory.groups.leave(visit)
        if memory.groups.feeders.has_moved:
            memory.groups.feeders.has_moved = False
            self.flows.changed(site.name)
        if found is None:
            return
        root = found.root
        if found.suspected and memory.decisions.of(root.examples[-1], RELEASED):
            root.released = True
            memory.groups.clear(root)
            return
        if found.suspected:
            self.findings.suspected(site.name, root, found.why, self._consequence(memory, site))
        else:
            self.findings.cleared(site.name, root, found.why)
        self.flows.changed(site.name)

    def _alias_consequence(self, site: TrapSite) -> str:
        """What an alias means for further URLs, in words."""
        if self.audit or site.actions["alias"] == "log":
            return f"That is only counted ({'POLITE_MODE' if self.audit else 'POLITE_TRAPS'})."
        return (
            f"Where {AGREE} are, further ones are refused. To have all fetched, set POLITE_TRAPS = {{'alias': 'off'}} "
            "(with a new JOBDIR, if any)."
        )

    def _consequence(self, memory: SiteMemory, site: TrapSite) -> str:
        """What a suspicion means for the links of a group, in words."""
        if self.audit or site.actions[ENDLESS] == "log":
            return f"It is only counted ({'POLITE_MODE' if self.audit else 'POLITE_TRAPS'})."
        if site.actions[ENDLESS] == "drop":
            budget = memory.groups.limits.budget
            return f"Its links wait, and are refused if its next pages do not refute that ({budget} at most)."
        if not self.flows.scheduled:
            return (
                "Its links go last, but nothing ends them: SCHEDULER is not this package's. Confirm the pattern "
                "(`scrapy polite traps confirm`), or take scrapy_polite.frontier.Scheduler."
            )
        rest = "stays in the job directory." if self._keeps_queue else "is dropped (with JOBDIR it is kept)."
        return f"Its links wait until the rest of the site is read; what is left then {rest}"

    def _adopt(self, stored: Quarantine, now: float) -> None:
        """Take up what another crawl has found, or a person decided."""
        if stored.decision:
            self._sites.judged.add(stored.site)
        memory = self._memory.get(stored.site)
        if memory is not None:
            memory.decisions.adopt(stored, now)
        self.flows.changed(stored.site)

    def _tell_adopted(self, stored: Quarantine) -> None:
        actions = self._sites.actions(stored.site)
        if stored.decision or actions[ENDLESS] != "off":
            self.findings.adopted(stored, actions["by-hand"])


def _not_fetched_again(failure: object) -> None:
    logger.debug("A page could not be fetched once more: %s", getattr(failure, "value", failure))
