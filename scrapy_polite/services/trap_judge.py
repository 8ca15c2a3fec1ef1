"""What is wrong with a link (by the URL rules, its length, a decision, an alias, a suspicion), and what is done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import ref

from scrapy_polite._crawl import count
from scrapy_polite.decision import Decision
from scrapy_polite.events import LongUrl, RequestRefused
from scrapy_polite.services.trap_sites import WOULD_REFUSE
from scrapy_polite.settings import ENDLESS
from scrapy_polite.traps.evidence import evidence
from scrapy_polite.traps.recent import Recent
from scrapy_polite.traps.verdict import CONFIRMED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from scrapy_polite.events import Events
    from scrapy_polite.services.trap_findings import TrapFindings
    from scrapy_polite.services.trap_memory import TrapMemory
    from scrapy_polite.services.trap_sites import TrapSite, TrapSites
    from scrapy_polite.settings import PoliteSettings

_MAX_LINKS = 20_000
#: Actions; the later the stricter.
_STRICTNESS = ("off", "log", "defer", "drop")


@dataclass(frozen=True, slots=True)
class Judged:
    """`decision` says what is wrong with a link, `action` what is done about that: see `settings.TRAP_ACTIONS`."""

    decision: Decision
    action: str

    @classmethod
    def refused(cls, reason: str, evidence: str, action: str) -> Judged:
        return cls(Decision(False, reason, evidence), action)


def strictest(judged: Iterable[Judged | None]) -> Judged | None:
    """The first of those with the strictest action; None where nothing is wrong."""
    return max((one for one in judged if one is not None), key=lambda one: _STRICTNESS.index(one.action), default=None)


def longest_url(settings: PoliteSettings, all_settings: BaseSettings) -> int:
    """Characters of the longest URL that is followed: what the project says, where it says so."""
    if settings.profile == "broad" and not all_settings.getpriority("URLLENGTH_LIMIT"):
        return settings.trap_limits.long_length - 1
    return all_settings.getint("URLLENGTH_LIMIT") or 1_000_000_000


class LinkJudge:
    """`longest` and `long_length`: characters of the longest URL that is followed, and of one that is counted as long.
    `noted`: no shorter one is refused or counted for its length."""

    def __init__(
        self,
        sites: TrapSites,
        memory: TrapMemory,
        events: Events,
        findings: TrapFindings,
        longest: int,
        long_length: int,
    ) -> None:
        self._sites = sites
        self._memory = memory
        self._events = events
        self._findings = findings
        self._longest = longest
        self.noted = min(longest + 1, long_length)
        #: URLs to which no rule has an objection: most links of a page have been judged before.
        self._passed: Recent[str, TrapSite] = Recent(_MAX_LINKS)

    def proof(self, url: str, method: str) -> tuple[TrapSite | None, Judged | None]:
        """What holds for a URL, None where it has no origin, and what is proved against a link to it."""
        judged = None
        site = self._passed.get(url)
        if site is None:
            site = self._sites.of(url)
            if site is None:
                return None, None
            judged = by_rules(site, url)
            if judged is None:
                self._passed.put(url, site)
        if site.name not in self._sites.judged or not site.watched or method != "GET":
            return site, judged
        if judged is None or judged.action != "drop":
            judged = self._by_what_is_known(site, url, judged)
        return site, judged

    def _by_what_is_known(self, site: TrapSite, url: str, judged: Judged | None) -> Judged | None:
        memory = self._memory.known(site.name)
        if memory is None:
            return judged
        if by := memory.decisions.of(url, CONFIRMED):
            what = f"{by.place}, confirmed: {by.evidence}"
            judged = strictest((judged, Judged.refused("trap/by-hand", what, site.actions["by-hand"])))
        if memory.aliases.learned and (part := memory.aliases.known(url)):
            what = f"differs from others of the same page in nothing but the {part}"
            judged = strictest((judged, Judged.refused("trap/alias", what, site.actions["alias"])))
        return judged

    def suspicion(self, site: TrapSite, url: str) -> Judged | None:
        """What is wrong with a link that a suspected group brought to itself. Until the group has had its budget it is
        deferred, also where it is dropped then."""
        memory = self._memory.get(site.name) if site.grouped else None
        suspect = memory.groups.suspect_of(url) if memory is not None else None
        if memory is None or suspect is None:
            return None
        action = site.actions[ENDLESS]
        if action == "drop":
            had_ended = suspect.ended
            if not memory.groups.verdict.has_had_budget(suspect):
                action = "defer"
            elif suspect.ended != had_ended:
                self._findings.ended(site.name, suspect, drops=True)
        what = f"{suspect.name}: {evidence(suspect)}"
        return Judged(Decision(False, "trap/endless", what, pattern=suspect.name), action)

    def length(self, request: Request, site: TrapSite) -> Judged | None:
        """What is wrong with the length of a URL. One that is long, and followed, is counted."""
        length = len(request.url)
        if length > self._longest:
            what = f"{length:,} characters, limit {self._longest:,}"
            return Judged.refused("trap/url-length", what, site.actions["url-length"])
        action = site.actions["long-url"]
        if length < self.noted or action == "off":
            return None
        self._events.publish(LongUrl(str(site.origin)))
        return None if action == "log" else Judged.refused("trap/long-url", f"{length:,} characters", action)


def by_rules(site: TrapSite, url: str) -> Judged | None:
    """What the URL rules have against a link."""
    hits = site.rules.hits(url)
    return strictest(Judged.refused(f"trap/{hit.rule}", hit.detail, site.actions[hit.rule]) for hit in hits)


class TrapRefusals:
    """Carries out what was judged, and tells of each refusal once."""

    def __init__(self, crawler: Crawler, settings: PoliteSettings, events: Events) -> None:
        self._crawler = ref(crawler)
        self._settings = settings
        self._events = events
        self._audit = settings.audits("traps")
        #: Reasons and URLs.
        self._told: Recent[tuple[str, str], bool] = Recent(_MAX_LINKS)

    def stops(self, judged: Judged) -> bool:
        """Whether a link that was judged so is not followed."""
        return judged.action == "drop" and not self._audit

    def carry_out(self, request: Request, site: TrapSite, judged: Judged, *, leaving: bool = False) -> bool:
        """Whether the request may go on. A refusal of one that is `leaving` is told by who carries it out."""
        if judged.action == "off":
            return True
        stops = self.stops(judged)
        link = judged.decision.reason, self._settings.url_of(request)
        is_new = leaving or self._told.get(link) is None
        self._told.put(link, True)
        if leaving and stops:
            return False
        if is_new:
            refused = RequestRefused(str(site.origin), link[1], judged.decision, not stops, request=request)
            self._events.publish(refused)
        if stops and judged.decision.reason == "trap/url-length":
            count(self._crawler, "urllength/request_ignored_count")
        elif not stops and judged.action == "drop":
            request.meta[WOULD_REFUSE] = True
        return not stops
