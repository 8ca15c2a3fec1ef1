"""The traps part of one crawl: `traps/` wired to Scrapy's settings, store, log and ledger.

What the spider middlewares (a page is noted, its links are judged) and the downloader middleware (a link is judged
again when its request leaves) share: `shared(crawler, CrawlTraps)`.

An audit refuses nothing. So that it finds what enforcement would, the pages behind what it would have refused are no
evidence: their requests, and all that they lead to, are marked and judged no further.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING
from weakref import ref

from scrapy import signals
from scrapy.http import HtmlResponse
from scrapy.spiders import SitemapSpider

from scrapy_polite import _loop
from scrapy_polite._crawl import shared
from scrapy_polite._robots import CrawlRobots
from scrapy_polite.decision import Decision
from scrapy_polite.ledger import Ledger, printable
from scrapy_polite.origin import Origin, site_of
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.store.base import StoreError
from scrapy_polite.traps import page_digest
from scrapy_polite.traps.quarantine import EXPIRES_S, KINDS, Quarantines
from scrapy_polite.traps.recent import Recent
from scrapy_polite.traps.url_rules import RULES

if TYPE_CHECKING:
    from lxml.etree import _Element  # type: ignore[import-untyped]
    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self

    from scrapy_polite.store.base import Quarantine
    from scrapy_polite.traps.page_digest import Page
    from scrapy_polite.traps.quarantine import Fetched
    from scrapy_polite.traps.url_rules import UrlRules

logger = logging.getLogger(__name__)

#: Meta: of a request that a person exempts; of one that a page led to; of one that an audit would have refused, and of
#: what that led to; and, of a page, the URL of the one that said the same before.
EXEMPT = "polite_trap_exempt"
FOUND = "polite_found"
WOULD_REFUSE = "polite_would_refuse"
DUPLICATE = "polite_duplicate_of"

#: How often what others have found or decided is looked for in the store.
EXCHANGE_S = 10.0
_OVERLAP_S = 5.0

#: A longer page is read as bytes only: its tree would hold up the loop.
MAX_HTML_BYTES = 1_000_000

MAX_WARNINGS = 100
_MAX_SITES = 10_000
_MAX_PASSED = 20_000
_WATCHED = (*KINDS, "alias")


@dataclass(frozen=True, slots=True)
class Site:
    """What holds for the URLs of one origin: whose pages they are, its rules, what is done about each trap, and whether
    its pages are looked at."""

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
    priority: int = 0


_GO = Judged()
_STRICTNESS = ("off", "log", "penalize", "drop")


class CrawlTraps:
    def __init__(self, crawler: Crawler) -> None:
        self._crawler = ref(crawler)
        self._settings = settings = shared(crawler, PoliteSettings)
        self._ledger = shared(crawler, Ledger)
        self._cache = shared(crawler, CrawlRobots).cache
        self._quarantines = Quarantines()
        self._max_length = _max_length(crawler, settings)
        self.noted_length = min(self._max_length + 1, settings.trap_limits.long_length)
        self._sites: Recent[str, Site] = Recent(_MAX_SITES)
        #: URLs to which no rule has an objection: most links of a page have been judged before.
        self._passed: Recent[str, Site] = Recent(_MAX_PASSED)
        self._warnings = 0
        self._restored: dict[tuple[str, str], int] = {}
        self._read_up_to = 0.0
        self._timer: _loop.Every | None = None
        self.audit = settings.audits("traps")
        crawler.signals.connect(self._spider_opened, signals.spider_opened)
        crawler.signals.connect(self._spider_closed, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def resume(self, was_met: Callable[[str], bool]) -> None:
        """The crawl goes on with what earlier runs have left: `was_met(url)` says whether they have met a page."""
        self._quarantines.was_met = was_met

    def is_walked(self, origin: Origin, now: float) -> bool:
        """Whether scouts walk the site of an origin, to see whether it is a maze. Asked for each request."""
        if now >= self._quarantines.walked_until:
            return False
        site = self._site(str(origin))
        return site is not None and self._quarantines.is_walked(site.name, now) and site.actions["maze"] != "off"

    # Pages

    def page(self, response: Response) -> None:
        """Note what a page says and where it leads, before its links are judged. Marks an exact duplicate."""
        request = response.request
        if request is None:
            return
        request.meta.pop(DUPLICATE, None)  # of the page that led here, where its meta was copied
        if WOULD_REFUSE in request.meta or request.method != "GET":
            return
        url = self._settings.url_of(request)
        site = self._site(url)
        if site is None or not site.watched:
            return
        page = _read(response)
        says = response.status < 400 and not page_digest.is_calendar(response.body)
        found = self._quarantines.fetched(site.name, url, page if says else None, time.time(), page.links)
        if found.duplicate_of and self._settings.duplicates != "off":
            request.meta[DUPLICATE] = found.duplicate_of
            self._ledger.count("polite/duplicates")
        self._tell(site, url, found)

    def failed(self, request: Request) -> None:
        """Note that what a page led to is an error, which may never come to the spider."""
        if FOUND not in request.meta or WOULD_REFUSE in request.meta:
            return
        url = self._settings.url_of(request)
        site = self._site(url)
        if site is not None and site.watched:
            self._quarantines.fetched(site.name, url, None, time.time())

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

    def links_of(self, response: Response) -> Callable[[Request], bool]:
        """Whether a link that was found on a page is to be followed."""
        behind = WOULD_REFUSE in response.meta
        is_html = isinstance(response, HtmlResponse)
        url_of, spider, passed = self._settings.url_of, self._spider(), self._passed.get
        is_clear = self._quarantines.is_clear

        def leads_to(request: Request) -> bool:
            meta = request.meta
            if behind:
                meta[WOULD_REFUSE] = True
            if meta.get(EXEMPT) or WOULD_REFUSE in meta:
                return True
            if not is_html and _is_of_sitemap(request, response, spider):
                return True
            meta[FOUND] = True
            url = url_of(request)
            # Most links: of a site of which nothing bad is known, and not new.
            known = passed(url)
            if known is not None and is_clear(known.name):
                return True
            site, judged = self._judge(url, request.method)
            return site is None or judged is _GO or self._carry_out(request, site, judged)

        return leads_to

    def may_leave(self, request: Request) -> Decision | None:
        """Judge a link again: it may have been redirected, or what it leads to found out since. Returns a refusal."""
        meta = request.meta
        if WOULD_REFUSE in meta or meta.get(EXEMPT):
            return None
        redirected = meta.get("redirect_urls")
        if redirected and request.method == "GET" and self._settings.target_url is None:
            source = self._site(redirected[-1])
            if source is not None and source.watched:
                self._quarantines.fetched(source.name, redirected[-1], None, time.time(), (request.url,))
        if FOUND not in meta:
            return None
        site, judged = self._judge(self._settings.url_of(request), request.method, leaving=True)
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
        self._ledger.long_url(site.origin)
        if site.actions["long-url"] == "log":
            return _GO
        return Judged(Decision(False, "trap/long-url", f"{length:,} characters"), site.actions["long-url"])

    def _judge(self, url: str, method: str, *, leaving: bool = False) -> tuple[Site | None, Judged]:
        """What holds for a URL, None where it has no origin, and what is to be done with a link to it."""
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
        verdict = self._quarantines.found(site.name, url, "a page", time.time())
        if not verdict.allowed:
            action = site.actions[verdict.reason.removeprefix("trap/")]
            return site, _stricter(judged, Judged(Decision(False, verdict.reason, verdict.detail), action))
        if verdict.reason and leaving:
            self._ledger.count("polite/traps/sampled")
        if verdict.priority and judged is _GO:
            judged = Judged(priority=verdict.priority)
        return site, judged

    def _carry_out(self, request: Request, site: Site, judged: Judged, *, leaving: bool = False) -> bool:
        """Whether the request may go on. A refusal of one that is `leaving` is told by who carries it out."""
        request.priority += judged.priority
        decision = judged.decision
        if decision is None or judged.action == "off":
            return True
        audit = self.audit or judged.action != "drop"
        if judged.action == "penalize" and not self.audit:
            request.priority -= self._settings.trap_penalty
            self._ledger.count("polite/traps/penalized")
        if leaving and not audit:
            return False
        self._ledger.refuse(site.origin, self._settings.url_of(request), decision, audit=audit, request=request)
        if judged.action != "drop":
            return True
        if self.audit:
            request.meta[WOULD_REFUSE] = True
            return True
        if decision.reason == "trap/url-length":
            self._ledger.count("urllength/request_ignored_count")
        return False

    def _site(self, url: str) -> Site | None:
        """What holds for a URL; None for one that has no origin."""
        end = url.find("/", len("https://"))
        key = url[:end] if end >= 0 else url
        site = self._sites.get(key)
        if site is None:
            try:
                origin = Origin.from_url(url)
            except ValueError:
                return None
            actions = self._settings.trap_actions(self._settings.sites.policy(origin))
            off = frozenset(name for name, action in actions.items() if action == "off" and name not in _WATCHED)
            watched = any(actions[name] != "off" for name in _WATCHED) or self._settings.duplicates != "off"
            rules = _rules(self._settings.trap_limits, off)
            site = Site(site_of(origin), origin, rules, actions, watched)
            self._sites.put(key, site)
        return site

    # What was found

    def _tell(self, site: Site, url: str, found: Fetched) -> None:
        quarantine = found.quarantined
        if quarantine is not None and site.actions[quarantine.kind] != "off":
            self._ledger.left(quarantine)
            self._keep(quarantine)
            self._warn(
                "%s: left %s (trap/%s: %s), such as %s. It opens in %d days, or if samples show it wrong; "
                "`scrapy polite traps` shows and decides.",
                site.name,
                printable(quarantine.place),
                quarantine.kind,
                quarantine.evidence,
                ", ".join(printable(example, 100) for example in quarantine.examples[-2:]),
                EXPIRES_S // 86_400,
            )
        if found.released is not None:
            self._ledger.opened(found.released)
            self._keep(replace(found.released, until=time.time()))  # a person may have decided since
            self._warn("%s: opened %s again: its samples were new", site.name, printable(found.released.place))
        if found.alias:
            self._ledger.count("polite/traps/aliases")
            self._info("%s: %s does not matter in its URLs (trap/alias)", site.name, printable(found.alias))
        if found.wall:
            self._ledger.count("polite/traps/walls")
            self._warn(
                "%s: the same page comes at many kinds of URLs, lately at %s: a block page, a login, an error page, "
                "or a shell for scripts. Nothing is refused for it. Look at it: slow down, log in, or render pages.",
                site.name,
                printable(url),
            )

    def _warn(self, text: str, *args: object) -> None:
        self._warnings += 1
        level = logging.WARNING if self._warnings <= MAX_WARNINGS else logging.DEBUG
        logger.log(level, text, *args, extra={"spider": self._spider()})
        if self._warnings == MAX_WARNINGS:
            logger.warning("Further traps are counted, kept in the store, and logged at DEBUG")

    def _info(self, text: str, *args: object) -> None:
        logger.info(text, *args, extra={"spider": self._spider()})

    def _spider(self) -> Spider | None:
        crawler = self._crawler()
        return crawler.spider if crawler is not None else None

    # What outlives the crawl

    def _keep(self, quarantine: Quarantine) -> None:
        if not self.audit:
            if not quarantine.decision:
                quarantine = replace(quarantine, updated_at=time.time())
            self._cache.quietly(self._cache.store.keep_quarantine(quarantine))

    async def _spider_opened(self) -> None:
        await self._exchange()
        self._timer = _loop.Every(EXCHANGE_S, lambda: _loop.spawn(self._exchange()))

    async def _exchange(self) -> None:
        """Take over what other crawls have found since, or a person has decided."""
        now = time.time()
        try:
            known = await _loop.from_thread(self._cache.store.quarantines(self._read_up_to))
        except StoreError:
            return  # the robots.txt part, which uses it all the time, says so
        self._read_up_to = now - _OVERLAP_S
        self._restored |= {(quarantine.site, quarantine.place): quarantine.refused for quarantine in known}
        self._quarantines.restore(known)

    def _spider_closed(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        for quarantine in self._quarantines.export():
            if quarantine.refused != self._restored.get((quarantine.site, quarantine.place)):
                self._keep(quarantine)


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


@lru_cache(maxsize=256)
def _rules(limits: UrlRules, off: frozenset[str]) -> UrlRules | None:
    """The rules that are asked; None where all are off."""
    without = off | {"url-length", "long-url"}  # UrlLengthMiddleware's
    if len(without) == len(RULES):
        return None
    return replace(limits, without=without)


def html_root(response: Response) -> _Element | None:
    """The tree of a page, as its selector has parsed it; None for one that is no HTML, or too long."""
    if isinstance(response, HtmlResponse) and len(response.body) <= MAX_HTML_BYTES:
        return response.selector.root
    return None


def _read(response: Response) -> Page:
    root = html_root(response)
    if root is not None:
        return page_digest.of_tree(root, response.url)
    return page_digest.of_body(response.body, page_digest.locations(response.body))


def _is_of_sitemap(request: Request, response: Response, spider: Spider | None) -> bool:
    """Whether a link on what is no HTML is a sitemap's, and no sitemap itself: an index may go on for ever.

    What SitemapSpider parses may be a robots.txt or compressed, so there it is the callback that tells.
    """
    if isinstance(spider, SitemapSpider) and response.request and response.request.callback == spider._parse_sitemap:
        return request.callback != spider._parse_sitemap or response.url.endswith("/robots.txt")
    return page_digest.is_sitemap(response.body)
