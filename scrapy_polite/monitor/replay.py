"""A run decided again under the rules of another crawl: what is fetched and refused then, and how long that takes.

What is decided again is what follows from the URL and the robots.txt copies of the run: blacklists, URL rules and
robots.txt. What hung on the moment (an outage, a host's address, a group that looked endless) is told apart.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scrapy_polite._crawl import shared
from scrapy_polite.blacklist.hosts import Place, is_private
from scrapy_polite.decision import Decision
from scrapy_polite.origin import Origin
from scrapy_polite.pacing.delay import CrawlLimits
from scrapy_polite.runs.records import Page, Refusal
from scrapy_polite.services.blacklists import reason as reason_of
from scrapy_polite.services.pacing import CrawlPacing
from scrapy_polite.services.robots import CrawlRobots
from scrapy_polite.services.trap_judge import by_rules, longest_url
from scrapy_polite.services.trap_sites import TrapSites
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.store.robots import RobotsCopy
from scrapy_polite.traps.url_rules import RULES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy.crawler import Crawler

    from scrapy_polite.blacklist.lists import Lists
    from scrapy_polite.robots.cache import Rules

MAX_EXAMPLES = 3
#: Reasons of refusals that are decided again. All others hung on the moment.
DECIDED_AGAIN = frozenset(
    {
        "robots/disallow",
        "robots/too-costly",
        "robots/parser-failed",
        "blacklist/host",
        "blacklist/url",
        "blacklist/regex",
        "blacklist/takedown",
        "trap/url-length",
        "trap/long-url",
        *map("trap/{}".format, RULES),
    }
)


@dataclass(slots=True)
class Change:
    """Requests that are decided otherwise for one reason, with examples: URL, and the evidence."""

    count: int = 0
    examples: list[tuple[str, str]] = field(default_factory=list)

    def add(self, url: str, detail: str) -> None:
        self.count += 1
        if len(self.examples) < MAX_EXAMPLES:
            self.examples.append((url, detail))


@dataclass(slots=True)
class Replayed:
    """`refused`: pages that would not have been fetched, by reason; `fetched`: requests that would have been, by the
    reason for which they were refused; `alike`: decided as they were; `unknown`: what cannot be known, by why."""

    pages: int = 0
    alike: int = 0
    refused: dict[str, Change] = field(default_factory=dict)
    fetched: dict[str, Change] = field(default_factory=dict)
    unknown: Counter[str] = field(default_factory=Counter)


class Replay:
    """`lists`: the blacklists; `bodies`: of the run's robots.txt copies by digest; `robots`: a file that stands in for
    all of them, or for those of `host` alone."""

    def __init__(
        self,
        crawler: Crawler,
        lists: Lists,
        bodies: Mapping[str, bytes],
        robots: bytes | None = None,
        host: str = "",
    ) -> None:
        self._settings = settings = shared(crawler, PoliteSettings)
        self._lists = lists
        self._bodies = bodies
        self._robots = robots
        self._host = host
        self._reader = shared(crawler, CrawlRobots)
        self._pacing = shared(crawler, CrawlPacing)
        self._sites = TrapSites(settings)
        self._longest = longest_url(settings, crawler.settings)
        self._rules: dict[str, Rules | None] = {}
        self._time: dict[str, float] = {}
        self.found = Replayed()

    @property
    def least_s(self) -> float:
        """How long the hosts' own paces let the crawl take at least: the host that takes longest."""
        return max(self._time.values(), default=0.0)

    def add(self, record: Page | Refusal) -> None:
        page = record if isinstance(record, Page) else None
        was = "" if isinstance(record, Page) else record.reason
        decision = self._decision(record)
        found = self.found
        if decision is None:
            found.unknown[_why_unknown(record)] += 1
        elif not decision.allowed and page is not None:
            found.refused.setdefault(decision.reason, Change()).add(page.url, decision.detail)
        elif decision.allowed and page is None:
            found.fetched.setdefault(was, Change()).add(record.url, "")
        else:
            found.alike += 1
        goes_on = page is not None if decision is None else decision.allowed
        if goes_on:
            found.pages += 1
            self._count_time(record, page.seconds if page is not None else 0.0)

    def _decision(self, record: Page | Refusal) -> Decision | None:
        """None where it cannot be known."""
        url = record.url
        refused = self._by_lists(url) or self._by_url_rules(record)
        if refused is not None:
            return refused
        if isinstance(record, Refusal) and not _is_decided_again(record):
            return None
        return self._by_robots(record)

    def _by_lists(self, url: str) -> Decision | None:
        place = Place.of(url)
        if place is None:
            return None
        match = self._lists.check_place(place)
        audit = self._settings.audits("blacklist")
        if match is not None and (match.action == "takedown" or (match.action == "drop" and not audit)):
            return Decision(False, reason_of(match), str(match))
        private = self._settings.private_addresses == "refuse" and is_private(place.host) and not audit
        if private and not self._lists.allow(place):
            return Decision(False, "blacklist/private-address", place.host)
        return None

    def _by_url_rules(self, record: Page | Refusal) -> Decision | None:
        """No rule judges a start request."""
        if (isinstance(record, Page) and not record.found) or self._settings.audits("traps"):
            return None
        site = self._sites.of(record.url)
        if site is None:
            return None
        if len(record.url) > self._longest and site.actions["url-length"] == "drop":
            return Decision(False, "trap/url-length", f"{len(record.url):,} characters, limit {self._longest:,}")
        judged = by_rules(site, record.url)
        return judged.decision if judged is not None and judged.action == "drop" else None

    def _by_robots(self, record: Page | Refusal) -> Decision | None:
        try:
            origin = Origin.from_url(record.origin)
        except ValueError:
            return Decision(True, "robots/none")
        if self._reader.mode(origin) != "obey":
            return Decision(True, "robots/none")
        given = self._robots is not None and self._host in ("", origin.host)
        if not given and not record.robots:
            known = isinstance(record, Page) and record.rules in ("none", "")
            return Decision(True, "robots/none") if known else None
        rules = self._of(record.robots if not given else "")
        return rules.decide(record.url) if rules is not None else None

    def _of(self, digest: str) -> Rules | None:
        """The rules of a copy of the run, or of the file (an empty digest); None where its text is not there."""
        if digest not in self._rules:
            body = self._bodies.get(digest) if digest else self._robots
            token = self._reader.default_token
            copy = RobotsCopy("", token, 0.0, status=200, body=body or b"")
            self._rules[digest] = None if body is None else self._reader.read(copy).rules
        return self._rules[digest]

    def _count_time(self, record: Page | Refusal, seconds: float) -> None:
        try:
            origin = Origin.from_url(record.origin)
        except ValueError:
            return
        gate = self._pacing.gate(origin)
        given = self._robots is not None and self._host in ("", origin.host)
        if given or record.robots:
            gate.set_limits(record.origin, CrawlLimits.of(self._of("" if given else record.robots)))
        delay_s = gate.delay_in_force[0]
        took_s = seconds + delay_s if delay_s else seconds / max(gate.concurrency, 1)
        self._time[gate.key] = self._time.get(gate.key, 0.0) + took_s


def _is_decided_again(record: Refusal) -> bool:
    """Whether a refusal followed from the URL and the robots.txt alone."""
    if record.reason in ("blacklist/address", "blacklist/private-address"):
        place = Place.of(record.url)
        return place is not None and place.address is not None
    return record.reason in DECIDED_AGAIN


def _why_unknown(record: Page | Refusal) -> str:
    if isinstance(record, Refusal):
        return record.reason
    return "nobody had asked its robots.txt" if not record.robots else "the text of its robots.txt is not in the record"
