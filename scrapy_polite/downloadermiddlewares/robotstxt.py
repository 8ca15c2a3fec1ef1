"""RobotsTxtMiddleware: refuses what robots.txt forbids."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.http import TextResponse

from scrapy_polite import _loop, clock
from scrapy_polite._crawl import shared
from scrapy_polite._engine import OWN_DOWNLOAD, Engine
from scrapy_polite.decision import Decision
from scrapy_polite.downloadermiddlewares.refusal import (
    CLOSING,
    GIVEN_BACK,
    fresh,
    is_first_start,
    is_start,
    kept_by_queue,
    patience_s,
    refusal_of,
)
from scrapy_polite.events import Events, RequestRefused, RequestSent, WaitTooLong
from scrapy_polite.origin import DEFAULT_PORTS, Origin
from scrapy_polite.services.disallowed_starts import DisallowedStarts
from scrapy_polite.services.in_flight_request import AbandonReason
from scrapy_polite.services.main_hosts import CrawlMainHosts
from scrapy_polite.services.pacing import CrawlPacing
from scrapy_polite.services.robots import CrawlRobots
from scrapy_polite.services.sitemaps import CrawlSitemaps
from scrapy_polite.services.trap_sites import FOUND
from scrapy_polite.settings import PoliteSettings

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.internet.defer import Deferred
    from typing_extensions import Self

    from scrapy_polite._engine import RobotsDownload
    from scrapy_polite.robots.cache import CachedRobots, Key

logger = logging.getLogger(__name__)


#: Requests whose robots.txt is looked at in the background, in an audit; beyond this a page counts as unchecked.
_MAX_AUDITS = 1_000


class RobotsTxtMiddleware:
    """Obeys robots.txt as RFC 9309 and Google define it. Takes the place of Scrapy's middleware of this name, at 100.

    Refuses with IgnoreRequest, whose message is the decision's sentence. A request waits in place for a robots.txt that
    is on its way or will be asked for again soon: at most `POLITE_WAIT_MAX` or meta `polite_wait_max` seconds.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._robots = shared(crawler, CrawlRobots)
        self._settings = shared(crawler, PoliteSettings)
        if self._robots.inherited == "never" and not self._settings.sites.robots_always:
            raise NotConfigured("ROBOTSTXT_OBEY is not set")
        self.crawler = crawler
        self._audits: set[Deferred[None]] = set()
        self._robots.enforced = True
        self._pacing = shared(crawler, CrawlPacing)
        self._engine = shared(crawler, Engine)
        self._events = shared(crawler, Events)
        self._main_hosts = shared(crawler, CrawlMainHosts)
        self._sitemaps = shared(crawler, CrawlSitemaps)
        self._disallowed_starts = shared(crawler, DisallowedStarts)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def process_request(self, request: Request) -> Request | Response | None:
        if not self._engine.closing:
            request.meta.pop(GIVEN_BACK, None)
        page = None if self._is_given_up(request) else self._page(request)
        if page is None:
            return None
        if page.target == page.key.origin.robots_url:
            return await self._robots_txt(page)
        held = self._robots.cache.look(page.key)
        if page.mode == "audit":
            if held is None and is_start(request) and self._sitemaps.wants(page.key.origin):
                # Else the crawl may have ended before it is known which sitemaps there are.
                held = await self._robots.known(page.key, self._way(page), self._deadline(page), patient=False)
            self._audit_page(page, held)
            return None
        if held is None:
            held = await self._known(page)
            if self._engine.closing and (held is None or held.copy.status is None):
                return self._closing(page)
            if self._closed(page, held) and self._may_come_back(request):
                return request
        if held is not None and (there := await self._elsewhere(page, held)) is not None:
            return there
        self._pass_or_refuse(page, held)
        return None

    def _is_given_up(self, request: Request) -> bool:
        """Whether PacingMiddleware is to refuse it, for a reason that is not its robots.txt."""
        found = self._pacing.popped(request)
        return found is not None and found.abandoned is not None and found.abandoned != AbandonReason()

    async def _known(self, page: _Page) -> CachedRobots | None:
        """What holds for the page. Only a request that no queue of ours can take back waits for it."""
        if self._pacing.popped(page.request) is None:
            return await self._robots.known(page.key, self._way(page), self._deadline(page))
        return await self._robots.known(page.key, self._way(page), clock.now(), patient=False)

    @staticmethod
    def _closed(page: _Page, held: CachedRobots | None) -> bool:
        return not page.annotate and (held is None or held.decide(page.target, clock.now())[0].wait_until is not None)

    def _may_come_back(self, request: Request) -> bool:
        found = self._pacing.popped(request)
        return found is not None and found.abandoned is None and self._pacing.give_back(request)

    async def _elsewhere(self, page: _Page, held: CachedRobots) -> Request | None:
        """The request to make in its place, where the robots.txt names a main host and that is followed."""
        if self._main_hosts.undecided(page.key, held):  # our scheduler has it decided before it sends the first page
            await self._main_hosts.decide(page.key, held, page.request, self._deadline(page))
        return self._main_hosts.moved(page.key, held, page.request)

    def _page(self, request: Request) -> _Page | None:
        """The page that a request is for, where robots.txt has a say in it."""
        if OWN_DOWNLOAD in request.meta or request.url.startswith(("data:", "file:")):
            return None
        target = self._settings.target_url(request) if self._settings.target_url else request.url
        try:
            origin = Origin.from_url(target)
        except ValueError as error:
            if target.partition(":")[0].lower() in DEFAULT_PORTS:
                decision = Decision(False, "robots/bad-url", str(error))
                raise self._refusal(request, "(no origin)", target, decision) from None
            return None  # s3: and the like have no robots.txt
        mode = self._robots.mode(origin)
        if mode == "never" or request.meta.get("dont_obey_robotstxt"):
            self._allow(request, origin, "unchecked")
            return None
        return _Page(request, target, self._robots.key(origin, request), mode)

    def _pass_or_refuse(self, page: _Page, held: CachedRobots | None) -> None:
        if held is None:
            decision, rules = self._why_unknown(page), "unchecked"
            if self._pacing.popped(page.request) is None and not page.annotate:
                self._events.publish(WaitTooLong(page.target, decision))
        else:
            decision, rules = held.decide(page.target, clock.now())
            self._offer(page, held)
            if self._pacing.popped(page.request) is None:  # else our scheduler has told the gate
                origin = page.key.origin
                self._pacing.learned(self._pacing.gate(origin), origin, held)
        if page.annotate:
            marks = {"allowed": decision.allowed, "reason": decision.reason, "detail": decision.detail}
            page.request.meta["polite_robots"] = marks
        if not decision.allowed:
            if not page.annotate:
                self._tell_children(page, held, decision)
                refusal = self._refusal(page.request, page.key.origin, page.target, decision)
                error = held.error if held is not None and decision.reason == "robots/unreachable" else None
                raise refusal if error is None else fresh(error)
            self._events.publish(RequestRefused(str(page.key.origin), page.target, decision, audit=True))
        self._allow(page.request, page.key.origin, rules, held, decision)

    def _offer(self, page: _Page, held: CachedRobots) -> None:
        self._main_hosts.learned(page.key.origin, held)
        if self._sitemaps.enabled and is_start(page.request):
            self._sitemaps.start(page.request, page.key.origin, held)

    def _tell_children(self, page: _Page, held: CachedRobots | None, decision: Decision) -> None:
        if held is not None and is_start(page.request) and decision.reason == "robots/disallow":
            self._disallowed_starts.refused(page.request, page.target, held.rules, decision)

    def _why_unknown(self, page: _Page) -> Decision:
        gate, now = self._pacing.gate(page.key.origin), clock.now()
        if gate.shut_until(now) > now:
            return Decision(False, *gate.why(now))
        return Decision(False, "robots/unreachable", "it did not come in time")

    def _way(self, page: _Page) -> RobotsDownload:
        return self._robots.way(page.request, page.target)

    def _deadline(self, page: _Page) -> float:
        # Of a crawl that closes what comes in time is what the store has.
        return clock.now() + (0 if self._engine.closing else patience_s(page.request, self._robots.wait_max_s))

    def _allow(
        self,
        request: Request,
        origin: Origin,
        rules: str,
        held: CachedRobots | None = None,
        decision: Decision | None = None,
    ) -> None:
        """Robots.txt has nothing against a request: PacingMiddleware says when it is sent."""
        digest, line = held.digest if held else "", decision.line if decision else None
        found = FOUND in request.meta or not is_start(request)
        self._robots.allow(request, RequestSent(str(origin), rules, is_first_start(request), digest, line, found))
        if not self._pacing.middleware_enabled:
            self._robots.leaves(request)

    def _refusal(self, request: Request, origin: object, target: str, decision: Decision) -> IgnoreRequest:
        self.crawler.stats.inc_value("robotstxt/forbidden")
        return refusal_of(self.crawler, request, origin, target, decision)

    def _closing(self, page: _Page) -> Request:
        """The crawl closes before the robots.txt came: nothing is fetched, and a persistent queue keeps the request.

        Given back once only: `engine.download_async` would bring it here again at once, and for ever.
        """
        request = page.request
        if self._pacing.give_back(request):
            return request
        if (kept := kept_by_queue(self.crawler, request)) is not None:
            return kept
        raise self._refusal(page.request, page.key.origin, page.target, Decision(False, CLOSING[0]))

    async def _robots_txt(self, page: _Page) -> Request | Response | None:
        """A spider's own request for a robots.txt (SitemapSpider's) is served from the held copy, if there is one."""
        held = self._robots.cache.look(page.key)
        if page.request.method == "GET" and page.mode != "audit":
            if held is None:
                held = await self._robots.known(page.key, self._way(page), self._deadline(page))
                if self._engine.closing:
                    return self._closing(page)
            body = await self._robots.cache.body(page.key)
            if body is not None:
                return TextResponse(
                    page.request.url,
                    headers={"Content-Type": "text/plain; charset=utf-8"},
                    body=body,
                    request=page.request,
                    flags=["polite-held-copy"],
                )
        rules = "unchecked" if held is None else held.decide(page.target, clock.now())[1]
        self._allow(page.request, page.key.origin, rules)
        return None

    def _audit_page(self, page: _Page, held: CachedRobots | None) -> None:
        """The page goes at once; what would have been said of it is found out now or, where that has to wait, later."""
        if held is not None:
            decision, rules = self._audited(page, held)
            self._allow(page.request, page.key.origin, rules, held, decision)
        elif len(self._audits) >= _MAX_AUDITS:
            self._allow(page.request, page.key.origin, "unchecked")
        else:
            self._allow(page.request, page.key.origin, "")
            audit = _loop.spawn(self._audit_later(page))
            audit.addErrback(lambda failure: logger.error("Error in a robots.txt audit: %s", failure.value))
            self._audits.add(audit)
            audit.addBoth(lambda _: self._audits.discard(audit))

    async def _audit_later(self, page: _Page) -> None:
        held = await self._robots.known(page.key, self._way(page), self._deadline(page))
        rules = "unchecked" if held is None else self._audited(page, held)[1]
        self._robots.audited(page.request, rules)

    async def audits_end(self) -> None:
        """Wait for the audits under way. The closing of the crawl cuts them short, so that it can await this."""
        for audit in list(self._audits):
            await _loop.awaitable(audit)

    def _audited(self, page: _Page, held: CachedRobots) -> tuple[Decision, str]:
        """Tell what would have been said of a page; returns that, and the state of the rules."""
        decision, rules = held.decide(page.target, clock.now())
        self._offer(page, held)
        if not decision.allowed:
            self._events.publish(RequestRefused(str(page.key.origin), page.target, decision, audit=True))
        return decision, rules


@dataclass(frozen=True, slots=True)
class _Page:
    """A request that robots.txt has a say in: its target URL, and whose rules are asked."""

    request: Request
    target: str
    key: Key
    mode: str  # a key of services.robots.MODES

    @property
    def annotate(self) -> bool:
        return self.mode == "annotate"
