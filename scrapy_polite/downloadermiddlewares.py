"""Downloader middlewares: the thin doors through which a request has to pass on its way out."""

from __future__ import annotations

import copy
import logging
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.http import TextResponse
from scrapy.http.request import NO_CALLBACK

from scrapy_polite import _loop, clock
from scrapy_polite._blacklists import CrawlBlacklists
from scrapy_polite._crawl import shared
from scrapy_polite._engine import INTAKE, Engine, HeldBack
from scrapy_polite._pacing import CrawlPacing, GivenUp
from scrapy_polite._robots import CrawlRobots
from scrapy_polite._store import StoreService
from scrapy_polite._traps import CrawlTraps
from scrapy_polite.decision import Decision
from scrapy_polite.events import Events, RequestRefused, RequestSent, WaitTooLong
from scrapy_polite.frontier.base import IDEMPOTENT
from scrapy_polite.identity import complaints, default_user_agent, digits_in_token
from scrapy_polite.origin import DEFAULT_PORTS, Origin
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.store.base import StoreError
from scrapy_polite.text import printable
from scrapy_polite.visited.dead import DeadUrls

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.internet.defer import Deferred
    from typing_extensions import Self

    from scrapy_polite._engine import Way
    from scrapy_polite.robots.cache import Held, Key

logger = logging.getLogger(__name__)

CLOSING = ("robots/closing", "pace/closing")
#: Meta of a request that was given back to a persistent queue; it means nothing to the next run.
GIVEN_BACK = "polite_given_back"
#: Requests whose robots.txt is looked at in the background, in an audit; beyond this a page counts as unchecked.
_MAX_AUDITS = 1_000


class RobotsTxtMiddleware:
    """Obeys robots.txt as RFC 9309 and Google define it. Takes the place of Scrapy's middleware of this name, at 100.

    Refuses with IgnoreRequest, whose message is the decision's sentence. A request waits in place for a robots.txt that
    is on its way or will be asked for again soon: at most `POLITE_WAIT_MAX` or meta `polite_wait_max` seconds.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        obey = settings.getbool("ROBOTSTXT_OBEY")
        if not obey and not settings.getpriority("ROBOTSTXT_OBEY"):
            raise NotConfigured("ROBOTSTXT_OBEY is not set")
        self.crawler = crawler
        self._settings = shared(crawler, PoliteSettings)
        self._audit = not obey or self._settings.audits("robots")
        self._audits: set[Deferred[None]] = set()
        self._robots = shared(crawler, CrawlRobots)
        self._robots.obeyed = not self._audit
        self._pacing = shared(crawler, CrawlPacing)
        self._engine = shared(crawler, Engine)
        self._events = shared(crawler, Events)

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
        if self._audit:
            self._audit_page(page, held)
            return None
        if held is None:
            held = await self._known(page)
            if self._engine.closing and (held is None or held.copy.status is None):
                return self._closing(page)
            if self._closed(page, held) and self._may_come_back(request):
                return request
        self._pass_or_refuse(page, held)
        return None

    def _is_given_up(self, request: Request) -> bool:
        """Whether PacingMiddleware is to refuse it, for a reason that is not its robots.txt."""
        found = self._pacing.popped(request)
        return found is not None and found.given_up is not None and found.given_up != GivenUp()

    async def _known(self, page: _Page) -> Held | None:
        """What holds for the page. Only a request that no queue of ours can take back waits for it."""
        if self._pacing.popped(page.request) is None:
            return await self._robots.known(page.key, self._way(page), self._deadline(page))
        return await self._robots.known(page.key, self._way(page), clock.now(), patient=False)

    @staticmethod
    def _closed(page: _Page, held: Held | None) -> bool:
        return not page.annotate and (held is None or held.decide(page.target, clock.now())[0].wait_until is not None)

    def _may_come_back(self, request: Request) -> bool:
        found = self._pacing.popped(request)
        return found is not None and found.given_up is None and self._pacing.give_back(request)

    def _page(self, request: Request) -> _Page | None:
        """The page that a request is for, where robots.txt has a say in it."""
        if INTAKE in request.meta or request.url.startswith(("data:", "file:")):
            return None
        target = self._settings.target_url(request) if self._settings.target_url else request.url
        try:
            origin = Origin.from_url(target)
        except ValueError as error:
            if target.partition(":")[0].lower() in DEFAULT_PORTS:
                decision = Decision(False, "robots/bad-url", str(error))
                raise self._refusal(request, "(no origin)", target, decision) from None
            return None  # s3: and the like have no robots.txt
        policy = self._settings.sites.policy(origin).robots
        if policy == "ignore" or request.meta.get("dont_obey_robotstxt"):
            self._allow(request, origin, "unchecked")
            return None
        return _Page(request, target, self._robots.key(origin, request), annotate=policy == "annotate")

    def _pass_or_refuse(self, page: _Page, held: Held | None) -> None:
        if held is None:
            decision, rules = self._why_unknown(page), "unchecked"
            if self._pacing.popped(page.request) is None and not page.annotate:
                self._events.publish(WaitTooLong(page.target, decision))
        else:
            decision, rules = held.decide(page.target, clock.now())
            if self._pacing.popped(page.request) is None:  # else our scheduler has told the gate
                origin = page.key.origin
                self._pacing.learned(self._pacing.gate(origin), origin, held)
        if page.annotate:
            marks = {"allowed": decision.allowed, "reason": decision.reason, "detail": decision.detail}
            page.request.meta["polite_robots"] = marks
        if not decision.allowed:
            if not page.annotate:
                refusal = self._refusal(page.request, page.key.origin, page.target, decision)
                error = held.error if held is not None and decision.reason == "robots/unreachable" else None
                raise refusal if error is None else _fresh(error)
            self._events.publish(RequestRefused(str(page.key.origin), page.target, decision, audit=True))
        self._allow(page.request, page.key.origin, rules)

    def _why_unknown(self, page: _Page) -> Decision:
        gate, now = self._pacing.gate(page.key.origin), clock.now()
        if gate.shut_until(now) > now:
            return Decision(False, *gate.why(now))
        return Decision(False, "robots/unreachable", "it did not come in time")

    def _way(self, page: _Page) -> Way:
        return self._robots.way(page.request, page.target)

    def _deadline(self, page: _Page) -> float:
        # Of a crawl that closes what comes in time is what the store has.
        return clock.now() + (0 if self._engine.closing else _patience_s(page.request, self._robots.wait_max_s))

    def _allow(self, request: Request, origin: Origin, rules: str) -> None:
        """Robots.txt has nothing against a request: PacingMiddleware says when it is sent."""
        event = RequestSent(str(origin), rules, _starts(request))
        if self._pacing.minded:
            self._robots.allowed[request] = event
        else:
            self._events.publish(event)

    def _refusal(self, request: Request, origin: object, target: str, decision: Decision) -> IgnoreRequest:
        self.crawler.stats.inc_value("robotstxt/forbidden")
        return _refusal(self.crawler, request, origin, target, decision)

    def _closing(self, page: _Page) -> Request:
        """The crawl closes before the robots.txt came: nothing is fetched, and a persistent queue keeps the request.

        Given back once only: `engine.download_async` would bring it here again at once, and for ever.
        """
        request = page.request
        if self._pacing.give_back(request):
            return request
        if (kept := _kept(self.crawler, request)) is not None:
            return kept
        raise self._refusal(page.request, page.key.origin, page.target, Decision(False, CLOSING[0]))

    async def _robots_txt(self, page: _Page) -> Request | Response | None:
        """A spider's own request for a robots.txt (SitemapSpider's) is served from the held copy, if there is one."""
        held = self._robots.cache.look(page.key)
        if page.request.method == "GET" and not self._audit:
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

    def _audit_page(self, page: _Page, held: Held | None) -> None:
        """The page goes at once; what would have been said of it is found out now or, where that has to wait, later."""
        if held is not None:
            self._allow(page.request, page.key.origin, self._audited(page, held))
        elif len(self._audits) >= _MAX_AUDITS:
            self._allow(page.request, page.key.origin, "unchecked")
        else:
            audit = _loop.spawn(self._audit_later(page))
            audit.addErrback(lambda failure: logger.error("Error in a robots.txt audit: %s", failure.value))
            self._audits.add(audit)
            audit.addBoth(lambda _: self._audits.discard(audit))

    async def _audit_later(self, page: _Page) -> None:
        held = await self._robots.known(page.key, self._way(page), self._deadline(page))
        rules = "unchecked" if held is None else self._audited(page, held)
        self._events.publish(RequestSent(str(page.key.origin), rules, _starts(page.request)))

    async def audits_end(self) -> None:
        """Wait for the audits under way. The closing of the crawl cuts them short, so that it can await this."""
        for audit in list(self._audits):
            await _loop.awaitable(audit)

    def _audited(self, page: _Page, held: Held) -> str:
        """Tell what would have been said of a page; returns the state of the rules."""
        decision, rules = held.decide(page.target, clock.now())
        if not decision.allowed:
            self._events.publish(RequestRefused(str(page.key.origin), page.target, decision, audit=True))
        return rules


class DeadUrlsMiddleware:
    """Does not ask again for what was answered with 404 or 410 within `POLITE_REMEMBER_DEAD_DAYS`; 0 turns it off."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        days = shared(crawler, PoliteSettings).remember_dead_days
        if not days:
            raise NotConfigured
        self._store = shared(crawler, StoreService)
        self._days = days

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        if INTAKE in request.meta:
            return
        urls = DeadUrls(self._store.backend, self._days)
        asking = urls.ask(request.method, request.url)
        if asking is None:
            return
        try:
            decision = urls.judge(await _loop.from_thread(asking), clock.system())
        except StoreError:
            return  # the robots.txt part, which uses it all the time, says so
        if decision is not None:
            try:
                origin: object = Origin.from_url(request.url)
            except ValueError:
                origin = "(no origin)"
            raise _refusal(self.crawler, request, origin, request.url, decision)

    def process_response(self, request: Request, response: Response) -> Response:
        if INTAKE not in request.meta and "cached" not in response.flags:
            noting = DeadUrls(self._store.backend, self._days).note(
                request.method, request.url, response.status, clock.system()
            )
            if noting is not None:
                self._store.fire_and_forget(noting)
        return response


class BlacklistMiddleware:
    """Refuses whatever leaves for what must not be visited: start requests, redirects, what was queued before a list
    changed, downloads of pipelines and of robots.txt files too."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._settings = shared(crawler, PoliteSettings)
        self._blacklists = shared(crawler, CrawlBlacklists)
        self._blacklists.obeyed = True

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        decision = await self._blacklists.may_leave(request)
        if decision is not None:
            target = self._settings.target_url(request) if self._settings.target_url else request.url
            try:
                origin: object = Origin.from_url(target)
            except ValueError:
                origin = "(no origin)"
            raise _refusal(self.crawler, request, origin, target, decision)


class TrapMiddleware:
    """Judges a link again when its request leaves: what it leads to may have been found out since, or a redirect may
    have led there. Requests that no page led to are let go."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._settings = shared(crawler, PoliteSettings)
        if not self._settings.minds_traps:
            raise NotConfigured
        self._traps = shared(crawler, CrawlTraps)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        decision = self._traps.may_leave(request)
        if decision is not None:
            target = self._settings.target_url(request) if self._settings.target_url else request.url
            raise _refusal(self.crawler, request, Origin.from_url(target), target, decision)

    def process_response(self, request: Request, response: Response) -> Response:
        if response.status >= 400:
            self._traps.failed(request)
        return response


class PacingMiddleware:
    """Keeps every host's pace, nearest to the network: sees a request last and its response first.

    A request that our scheduler let go has passed its host's gate already. Any other (a media pipeline's, say) waits
    for the gate in place; while its host is closed at most `POLITE_WAIT_MAX` or meta `polite_wait_max` seconds.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._settings = shared(crawler, PoliteSettings)
        self._pacing = shared(crawler, CrawlPacing)
        self._events = shared(crawler, Events)
        self._robots = shared(crawler, CrawlRobots)
        self._wait_max_s = self._robots.wait_max_s
        self._pacing.minded = True
        crawler.signals.connect(self._spider_opened, signals.spider_opened)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def process_request(self, request: Request) -> Request | None:
        if request.url.startswith(("data:", "file:")):
            return None
        found = self._pacing.popped(request)
        if found is None:
            if (kept := await self._in_place(request)) is not None:
                return kept
        elif found.given_up is not None:
            given_up = found.given_up
            decision = given_up.decision or Decision(False, "robots/unreachable")
            refusal = _refusal(self.crawler, request, found.origin or found.gate.key, request.url, decision)
            raise refusal if given_up.error is None else _fresh(given_up.error)
        elif (self._pacing.shut_meanwhile(found) or not await self._may_be_sent(request)) and self._pacing.give_back(
            request
        ):
            return request
        if (sent := self._robots.allowed.pop(request, None)) is not None:
            self._events.publish(sent)
        self._pacing.leaves(request)
        return None

    async def _may_be_sent(self, request: Request) -> bool:
        """What may not be repeated leaves only when the queue has noted it, so that no crash brings it back."""
        if request.method in IDEMPOTENT or self._pacing.mark_sent is None:
            return True
        return await self._pacing.mark_sent(request)

    async def _in_place(self, request: Request) -> Request | None:
        """Wait for the host; a request is for a persistent queue to keep, as the crawl closes before it may leave."""
        target = self._settings.target_url(request) if self._settings.target_url else request.url
        try:
            origin: Origin | None = Origin.from_url(target)
        except ValueError:
            origin = None
        patience_s = math.inf if INTAKE in request.meta else _patience_s(request, self._wait_max_s)
        decision = await self._pacing.wait_in_place(request, origin, patience_s)
        if decision is None:
            return None
        if INTAKE in request.meta:
            raise HeldBack(str(decision))
        if decision.reason in CLOSING and (kept := _kept(self.crawler, request)) is not None:
            return kept
        if decision.wait_until is not None:
            self._events.publish(WaitTooLong(target, decision))
        raise _refusal(self.crawler, request, origin or "(no origin)", target, decision)

    def process_response(self, request: Request, response: Response) -> Response:
        self._pacing.finished(request, response, None)
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:
        found = self._pacing.passes.get(request)
        if found is not None and found.given_up is not None:
            del self._pacing.passes[request]
            raise exception  # straight to the errback: trying again has been given up
        self._pacing.finished(request, None, exception)

    def _spider_opened(self) -> None:
        self._pacing.slots.without_jitter()
        if self._pacing.has_scheduler:
            return
        logger.info(
            "scrapy-polite: the project keeps its own scheduler: what waits for a Crawl-delay holds places in "
            "CONCURRENT_REQUESTS, and what waits for a host that is closed is refused after %g s (POLITE_WAIT_MAX)",
            self._wait_max_s,
            extra={"spider": self.crawler.spider},
        )


@dataclass(frozen=True, slots=True)
class _Page:
    """A request that robots.txt has a say in: its target URL, and whose rules are asked."""

    request: Request
    target: str
    key: Key
    annotate: bool


def _kept(crawler: Crawler, request: Request) -> Request | None:
    """What a persistent queue that is not ours is to keep of a request for which the crawl closes too early.

    None where there is no such queue, and for a request that was given back before: `engine.download_async` would
    bring it here again at once, and for ever.
    """
    if not crawler.settings.get("JOBDIR") or request.callback is NO_CALLBACK or GIVEN_BACK in request.meta:
        return None
    return request.replace(dont_filter=True, meta=request.meta | {GIVEN_BACK: True})


def _patience_s(request: Request, wait_max_s: float) -> float:
    """For how long a request may wait in place."""
    wait_max_s = request.meta.get("polite_wait_max", wait_max_s)
    if isinstance(wait_max_s, bool) or not isinstance(wait_max_s, (int, float)):
        raise ValueError(f"meta polite_wait_max of {request} is {wait_max_s!r}, expected a number of seconds")
    return wait_max_s


def _refusal(crawler: Crawler, request: Request, origin: object, target: str, decision: Decision) -> IgnoreRequest:
    """Count and tell a refusal; returns the exception that carries it out."""
    start = _is_start(request) and decision.reason not in CLOSING  # the end of a crawl says nothing of its start
    again = start and not _starts(request)
    event = RequestRefused(str(origin), target, decision, start=start, start_was_sent=again, request=request)
    shared(crawler, Events).publish(event)
    return IgnoreRequest(f"Refused by {printable(str(decision), 300)}")


def _fresh(error: Exception) -> Exception:
    """The same error once more: each time that one object is raised it keeps the frames that it came through."""
    ways: tuple[Callable[[], Exception], ...] = (lambda: copy.copy(error), lambda: type(error)(*error.args))
    for again in ways:
        try:
            fresh = again()
        except Exception:  # noqa: BLE001, S112 (the constructors of other people's exceptions)
            continue
        if type(fresh) is type(error) and fresh is not error:
            return fresh
    return error.with_traceback(None)


def _is_start(request: Request) -> bool:
    return bool(request.meta.get("is_start_request"))


def _starts(request: Request) -> bool:
    """Whether a start request leaves for the first time: not redirected, not tried again."""
    return _is_start(request) and not request.meta.keys() & {"redirect_times", "retry_times"}


class IdentityMiddleware:
    """Sends `From` (RFC 9110 §10.1.2) and says at start what an operator would miss in the User-Agent.

    Accept, Referer and Host stay Scrapy's.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._email = shared(crawler, PoliteSettings).contact_email
        crawler.signals.connect(self._spider_opened, signals.spider_opened)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        if self._email:
            request.headers.setdefault(b"From", self._email)

    def _spider_opened(self) -> None:
        user_agent = default_user_agent(self.crawler)
        robots_user_agent, extra = self.crawler.settings["ROBOTSTXT_USER_AGENT"], {"spider": self.crawler.spider}
        for complaint in complaints(user_agent, self._email, robots_user_agent):
            logger.warning("%s", printable(complaint, 400), extra=extra)
        if digits := digits_in_token(user_agent, robots_user_agent):
            logger.info("scrapy-polite: %s", printable(digits, 400), extra=extra)
