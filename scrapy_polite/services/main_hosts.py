"""Host lines of robots.txt: told, or followed, so that pages are asked of the main host and not of its mirror.

`host` in `POLITE_SITES` says which of both. A request for a mirror that is followed goes back to the engine with the
main host's URL (`downloadermiddlewares.RobotsTxtMiddleware`): what is then requested is a page of the main host, whose
dupefilter key, rules and pace hold for it.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import ref

from scrapy_polite import clock
from scrapy_polite._crawl import shared, spider_of
from scrapy_polite.events import Events, MainHostNamed, RequestMoved
from scrapy_polite.origin import origin_of
from scrapy_polite.robots.access import Access, Outcome, outcome_of, standing
from scrapy_polite.robots.main_host import (
    ITSELF,
    MIRROR_URL,
    moved,
    named_by,
    names_user,
    why_not,
    why_unconfirmed,
)
from scrapy_polite.services.blacklists import CrawlBlacklists
from scrapy_polite.services.robots import MODES, CrawlRobots
from scrapy_polite.services.scope import allowed_domains, is_of
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.visited.mirrors import Mirrors

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from typing_extensions import Self

    from scrapy_polite.origin import Origin
    from scrapy_polite.robots.cache import CachedRobots, Key

#: Why a Host line is noted by default.
NOTED = "POLITE_SITES does not say 'follow'"
#: Meta that is for one host, and is made anew.
_OF_ONE_HOST = ("download_slot", "download_latency")
#: Origins of which it is known where their pages are to be asked.
_MAX_MIRRORS = 10_000
#: Host lines that are told of, each once.
_MAX_TOLD = 10_000
#: How long it holds that a main host does not confirm, or that it did not answer: then it is asked again.
_AGAIN_S = 600.0


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What a mirror's Host line comes to until a time: `main`, or why not. `line` is what was judged."""

    line: str | None
    main: Origin | None
    why: str
    until: float


class CrawlMainHosts:
    def __init__(self, crawler: Crawler) -> None:
        self._crawler = ref(crawler)
        self._settings = settings = shared(crawler, PoliteSettings)
        self.follows = settings.sites.says("host", "follow")
        self._robots = shared(crawler, CrawlRobots)
        self._blacklists = shared(crawler, CrawlBlacklists)
        self._events = shared(crawler, Events)
        self._verdicts: OrderedDict[Origin, _Verdict] = OrderedDict()
        self._mirrors = shared(crawler, Mirrors)
        self._told: set[tuple[Origin, str, str]] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def learned(self, origin: Origin, held: CachedRobots) -> None:
        """Tell once of a Host line that is not followed."""
        line: str | None = getattr(held.rules, "host", None)
        if line is not None and (noted := self._why_noted(origin)):
            self._tell(origin, line, why_not(origin, line) or noted)

    def undecided(self, key: Key, held: CachedRobots) -> bool:
        """Whether `decide` is to be awaited before pages of this origin are sent."""
        if self._why_noted(key.origin) or (_line_of(held) is None and key.origin not in self._verdicts):
            return False
        return self._verdict(key, held) is None

    async def decide(self, key: Key, held: CachedRobots, request: Request, deadline: float) -> None:
        """Find out whether pages of an origin are to be asked of the host that its robots.txt names.

        The main host's robots.txt is waited for until `deadline` (epoch seconds). `request` is one of the pages.
        """
        origin, line = key.origin, _line_of(held)
        main = named_by(line, origin) if line is not None else None
        why = why_not(origin, line)
        now = clock.now()
        until = now + _AGAIN_S
        if main is not None and not why:
            why = self._out_of_scope(main) or await self._why_not_reached(origin, main, request)
            if not why:
                why, until = await self._asked(key, main, request, deadline)
        elif held.copy.failing_since is None:
            until = max(until, held.copy.expires_at)
        self._remember(origin, _Verdict(line, None if why else main, why, until))
        if line is not None:
            self._tell(origin, line, why)

    def moved(self, key: Key, held: CachedRobots, request: Request) -> Request | None:
        """The request to make in place of one for a mirror, once that is decided; None where it is to be made there."""
        verdict = None if self._why_noted(key.origin) else self._verdict(key, held)
        if verdict is None or verdict.main is None:
            return None
        if why := _why_stays(request, verdict.main):
            self._tell(key.origin, verdict.line or "", why)
            return None
        url = moved(request.url, verdict.main)
        meta = {name: value for name, value in request.meta.items() if name not in _OF_ONE_HOST}
        there = request.replace(url=url, meta=meta | {MIRROR_URL: request.url})
        self._mirrors.moves(there)
        self._events.publish(RequestMoved(str(key.origin), request.url, url))
        return there

    def _why_noted(self, origin: Origin) -> str:
        """Why the Host line of an origin is only noted; empty: it is followed."""
        if not self.follows or self._settings.sites.policy(origin).host != "follow":
            return NOTED
        if self._settings.target_url is not None:
            return "requests go through a rendering API (POLITE_TARGET_URL)"
        return self._not_obeyed(origin)

    def _not_obeyed(self, origin: Origin) -> str:
        mode = self._robots.mode(origin)
        return "" if mode in ("obey", "annotate") else f"its robots.txt is {MODES[mode]}"

    def _verdict(self, key: Key, held: CachedRobots) -> _Verdict | None:
        verdict = self._verdicts.get(key.origin)
        if verdict is None or verdict.until <= clock.now() or verdict.line != _line_of(held):
            return None
        return verdict

    def _out_of_scope(self, main: Origin) -> str:
        domains = allowed_domains(spider_of(self._crawler))
        if domains and not is_of(main, domains):
            return "it is not in the spider's allowed_domains"
        return self._not_obeyed(main)

    async def _why_not_reached(self, mirror: Origin, main: Origin, request: Request) -> str:
        if await self._blacklists.refuses(request.replace(url=main.robots_url, method="GET", body=b"")):
            return "it is on a blacklist"
        try:
            inside = main.host != mirror.host and await self._robots.fetcher.leads_inside(mirror.host, main.host)
        except TimeoutError:
            return "its address was not found in time"
        return "it leads from a public to a private address" if inside else ""

    async def _asked(self, key: Key, main: Origin, request: Request, deadline: float) -> tuple[str, float]:
        """Why the main host's own robots.txt does not confirm it (empty: it does), and until when that holds."""
        there = key._replace(origin=main)
        way = self._robots.way(request, request.url)
        held = await self._robots.known(there, way, deadline, patient=False)
        again = clock.now() + _AGAIN_S
        if held is None:
            return "its own robots.txt did not come in time", again
        copy = held.copy
        if standing(copy, clock.now(), held.policy).access is Access.CLOSED:
            return "its own robots.txt is unreachable", max(again, copy.next_try)
        if outcome_of(copy.status or 0) is not Outcome.RULES:
            return "it has no robots.txt", again
        if copy.hops:
            return "its robots.txt is a redirect", again
        why = why_unconfirmed(main, _line_of(held))
        return why, again if why else max(again, copy.expires_at)

    def _remember(self, origin: Origin, verdict: _Verdict) -> None:
        before = self._verdicts.pop(origin, None)
        self._verdicts[origin] = verdict
        if verdict.main is None:
            self._mirrors.part(origin)
        elif before is None or before.main != verdict.main:
            self._mirrors.follow(origin, verdict.main)
        if len(self._verdicts) > _MAX_MIRRORS:
            self._mirrors.part(self._verdicts.popitem(last=False)[0])

    def _tell(self, origin: Origin, line: str, why: str) -> None:
        told = origin, line, why
        if why != ITSELF and told not in self._told and len(self._told) < _MAX_TOLD:
            self._told.add(told)
            self._events.publish(MainHostNamed(str(origin), line, why))


def _line_of(held: CachedRobots) -> str | None:
    """The Host line of a robots.txt that is in force."""
    if standing(held.copy, clock.now(), held.policy).access is not Access.RULES:
        return None
    line: str | None = getattr(held.rules, "host", None)
    return line


def _why_stays(request: Request, main: Origin) -> str:
    """Why a request is made where it is for, though the pages of its origin are asked elsewhere; empty: it is not."""
    if request.method not in ("GET", "HEAD") or request.body:
        return "requests with another method than GET and HEAD, or with a body, stay at the mirror"
    if names_user(request.url) or request.cookies or {b"Authorization", b"Cookie"} & request.headers.keys():
        return "requests with credentials or cookies of their own stay at the mirror"
    before = request.meta.get(MIRROR_URL)
    origin = origin_of(request.url)
    if before is not None and origin is not None and moved(before, origin) == request.url:
        return "it has come of another mirror already (one hop)"
    came_by = request.meta.get("redirect_urls", ())
    if any(origin_of(url) == main for url in came_by):
        return "what the main host redirects to the mirror stays there"
    return ""
