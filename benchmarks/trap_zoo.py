"""How many pages a crawl fetches inside each of the zoo's traps before it has left it, and what it misses elsewhere.

    python benchmarks/trap_zoo.py [--seeds 3] [--at-once 8] [--order lifo] [--set own] [--peers] [--verbose] [name ...]

The crawl is simulated in one process, site by site: the URL rules and quarantine decide, nothing else, and the frontier
is first in, first out, or the last first. `--peers` crawls the traps with the rules of others as well: none at all
(stock Scrapy), and what Heritrix, Nutch and StormCrawler refuse by default. Exits with 1 if a trap does not end by
itself, takes more than 200 pages, or 60 on average of the forty, or if an honest page is missed.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from time import process_time
from urllib.parse import urljoin, urlsplit

import _zoo
import lxml.html
from _zoo import Answer, Site
from lxml import etree

from scrapy_polite.traps import page_digest
from scrapy_polite.traps.quarantine import Fetched, Quarantines
from scrapy_polite.traps.url_rules import UrlRules

MAX_PAGES_PER_TRAP = 200
MAX_MEAN = 60.0
#: A trap that has taken so many pages does not end.
GIVE_UP = 1_000

SETS = {
    "research": _zoo.TRAPS,
    "own": _zoo.OWN,
    "new": _zoo.NEW,
    "honest": _zoo.HONEST,
    "new-honest": _zoo.NEW_HONEST,
}

Rule = Callable[[str], str]
"""The name of what a URL is refused for, or nothing."""


def ours() -> Rule:
    rules = UrlRules()
    return lambda url: hit.rule if (hit := rules.check(url)) else ""


def _matching(pattern: str) -> Rule:
    found = re.compile(pattern).match
    return lambda url: "pattern" if found(url) else ""


def _equal_segments(url: str) -> str:
    segments = url.split("/")
    return "segments" if len(segments) > 4 and Counter(segments).most_common(1)[0][1] >= 3 else ""


PEERS: dict[str, Rule] = {
    "stock": lambda url: "",
    "Heritrix": _matching(r".*?/(.*?/)\1{2,}.*"),
    "Nutch": _matching(r".*(/[^/]+)/[^/]+\1/[^/]+\1/|.*[?*!@=]"),
    "Storm": _equal_segments,
}


@dataclass(slots=True)
class Outcome:
    """What came of one crawl; times are of CPU, in seconds: of the digests, and of all that is decided."""

    pages: int = 0
    trapped: int = 0
    missed: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    events: list[str] = field(default_factory=list)
    digest_s: float = 0.0
    decided_s: float = 0.0

    @property
    def ended(self) -> bool:
        return self.trapped <= GIVE_UP

    def note(self, found: Fetched) -> None:
        left, opened = found.quarantined, found.released
        if left:
            self.events.append(f"page {self.pages}: left {left.place} ({left.kind}: {left.evidence})")
        if opened:
            self.events.append(f"page {self.pages}: opened {opened.place} again ({opened.kind})")
        if found.alias:
            self.events.append(f"page {self.pages}: {found.alias} does not matter")
        if found.wall:
            self.events.append(f"page {self.pages}: the same page in many buckets")


class Frontier:
    """Requests by priority; each URL once, whatever the order of its query."""

    def __init__(self, *, last_first: bool) -> None:
        self._queues: dict[int, deque[str]] = {}
        self._last_first = last_first
        self.seen: set[str] = set()

    def push(self, url: str, priority: int) -> None:
        rest, _, query = url.partition("?")
        key = f"{rest}?{'&'.join(sorted(query.split('&')))}"
        if key not in self.seen:
            self.seen.add(key)
            self._queues.setdefault(priority, deque()).append(url)

    def pop(self) -> str | None:
        for priority in sorted(self._queues, reverse=True):
            queue = self._queues[priority]
            if queue:
                return queue.pop() if self._last_first else queue.popleft()
        return None


class Crawl:
    """One site, crawled from its home page. `quarantines` is None for those who know of none.

    The place of a whole crawl over a web server is beside this one: it has the same `Outcome`, from the server's log.
    """

    def __init__(self, site: Site, seed: int, rule: Rule, quarantines: Quarantines | None, *, last_first: bool) -> None:
        self.outcome = Outcome()
        self._site = site
        self._seed = seed
        self._rule = rule
        self._quarantines = quarantines
        self._frontier = Frontier(last_first=last_first)
        self._fetched: set[str] = set()
        self._refused: set[str] = set()

    def run(self, at_once: int) -> Outcome:
        """`at_once` requests are on their way at a time."""
        self._frontier.push(f"http://{self._site.domain}/", 0)
        while self.outcome.ended and (batch := list(self._leaving(at_once))):
            for url in batch:
                self._fetch(url)
        if self.outcome.ended and self._refused:
            self.outcome.missed = len(self._reachable(self._refused) - self._fetched)
        return self.outcome

    def _leaving(self, at_once: int) -> Iterator[str]:
        for _ in range(at_once):
            while (url := self._frontier.pop()) is not None:
                if not self.outcome.pages or self._allowed(url, hard=False) is not None:
                    yield url
                    break

    def _allowed(self, url: str, *, hard: bool = True) -> int | None:
        """The priority of a request that may be made."""
        reason = self._rule(url) if hard else ""
        priority = 0
        if not reason and self._quarantines is not None:
            begin = process_time()
            verdict = self._quarantines.found(self._site.domain, url, "another page", self.outcome.pages)
            self.outcome.decided_s += process_time() - begin
            reason, priority = "" if verdict.allowed else verdict.reason, verdict.priority
        if not reason:
            return priority
        self.outcome.refused[reason] += 1
        self._refused.add(url)
        return None

    def _fetch(self, url: str) -> None:
        self.outcome.pages += 1
        self.outcome.trapped += self._site.inside(url)
        self._fetched.add(url)
        page, links, digest_s = _read(url, self._site.get(url, self._seed))
        self.outcome.digest_s += digest_s
        if self._quarantines is not None and (page is not None or links):
            read = process_time()
            found = self._quarantines.fetched(self._site.domain, url, page, self.outcome.pages, links)
            self.outcome.decided_s += process_time() - read
            self.outcome.note(found)
        for link in links:
            host = urlsplit(link).hostname or ""
            if f".{host}".endswith(f".{self._site.domain}") and (priority := self._allowed(link)) is not None:
                self._frontier.push(link, priority)

    def _reachable(self, urls: set[str]) -> set[str]:
        """All honest pages that honest ones among `urls` lead to."""
        todo = [url for url in urls if not self._site.inside(url)]
        found = set(todo)
        while todo:
            url = todo.pop()
            for link in _read(url, self._site.get(url, self._seed))[1]:
                if link not in found and not self._site.inside(link):
                    found.add(link)
                    todo.append(link)
        return found


def _read(url: str, answer: Answer) -> tuple[page_digest.Page | None, tuple[str, ...], float]:
    """What a page says (None for a redirect or an error), its links, and the seconds that its digest took."""
    if "Location" in answer.headers:
        return None, (urljoin(url, answer.headers["Location"]),), 0.0
    if answer.status != 200:
        return None, (), 0.0
    kind = answer.headers["Content-Type"]
    if kind == "application/xml":
        links = tuple(str(found.text) for found in etree.fromstring(answer.body).iter("loc"))
        return page_digest.of_body(answer.body, links), links, 0.0
    if not kind.startswith("text/html"):
        return page_digest.of_body(answer.body), (), 0.0
    root = lxml.html.fromstring(answer.body)
    begin = process_time()
    page = page_digest.of_tree(root, url)
    return page, page.links, process_time() - begin


def main() -> int:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--seeds", type=int, default=3)
    arguments.add_argument("--at-once", type=int, default=8)
    arguments.add_argument("--order", choices=("fifo", "lifo"), default="fifo")
    arguments.add_argument("--set", choices=(*SETS, "all"), default="all")
    arguments.add_argument("--peers", action="store_true")
    arguments.add_argument("--verbose", action="store_true")
    arguments.add_argument("names", nargs="*")
    chosen = arguments.parse_args()
    last_first = chosen.order == "lifo"
    failed = False
    counted: list[int] = []
    for label, sites in SETS.items():
        if chosen.set not in (label, "all"):
            continue
        print(
            f"\n{label}: pages inside the trap per seed, honest pages missed, µs of CPU per page; refused (first seed)"
        )
        for site in sites:
            if chosen.names and not any(wanted in site.name for wanted in chosen.names):
                continue
            outcomes = [
                Crawl(site, seed, ours(), Quarantines(), last_first=last_first).run(chosen.at_once)
                for seed in range(1, chosen.seeds + 1)
            ]
            failed |= _print(site, outcomes)
            if site.trap and label in ("research", "own"):
                counted += [outcome.trapped for outcome in outcomes]
            if chosen.verbose:
                print("".join(f"       {event}\n" for event in outcomes[0].events), end="")
            if chosen.peers and site.trap:
                taken = {
                    name: Crawl(site, 1, rule, None, last_first=last_first).run(chosen.at_once).trapped
                    for name, rule in PEERS.items()
                }
                said = [f"{name} {'no end' if pages > GIVE_UP else pages}" for name, pages in taken.items()]
                print(f"       {', '.join(said)}")
    if counted:
        mean = sum(counted) / len(counted)
        failed |= not chosen.names and chosen.set == "all" and mean > MAX_MEAN
        print(f"\nresearch and own: {mean:.1f} pages per trap on average, {max(counted)} at most")
    return 1 if failed else 0


def _print(site: Site, outcomes: list[Outcome]) -> bool:
    """Print a site's line; True if it does not do."""
    pages = sum(outcome.pages for outcome in outcomes)
    missed = sum(outcome.missed for outcome in outcomes)
    most = max(outcome.trapped for outcome in outcomes)
    bad = missed > 0 or most > MAX_PAGES_PER_TRAP
    counts = " ".join(f"{outcome.trapped:>5}" for outcome in outcomes) if site.trap else f"{pages:>7,} pages"
    digest_us = sum(outcome.digest_s for outcome in outcomes) / pages * 1e6
    decided_us = sum(outcome.decided_s for outcome in outcomes) / pages * 1e6
    print(
        f"{'FAIL' if bad else 'ok  '} {site.name:<28}{counts:<19} missed {missed:>5}"
        f"  digest {digest_us:4.0f}, rest {decided_us:4.0f}  {dict(outcomes[0].refused)}",
        flush=True,
    )
    return bad


if __name__ == "__main__":
    sys.exit(main())
