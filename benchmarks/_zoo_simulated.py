"""The zoo without Scrapy: the URL rules and quarantine decide over a queue of its own, and nothing else. Fast, the same
in every run, and so the place to see what a rule changes; and what it costs: digests, and all that is decided.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from time import process_time
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

import lxml.html

from scrapy_polite.traps import page_digest
from scrapy_polite.traps.quarantine import Fetched, Quarantines
from scrapy_polite.traps.url_rules import UrlRules

if TYPE_CHECKING:
    from _zoo import Answer, Site

#: Requests on their way at a time, as many as Scrapy has of one host.
AT_ONCE = 8
GIVE_UP = 1_000


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
        self._seen: set[str] = set()

    def push(self, url: str, priority: int) -> None:
        rest, _, query = url.partition("?")
        key = f"{rest}?{'&'.join(sorted(query.split('&')))}"
        if key not in self._seen:
            self._seen.add(key)
            self._queues.setdefault(priority, deque()).append(url)

    def pop(self) -> str | None:
        for priority in sorted(self._queues, reverse=True):
            queue = self._queues[priority]
            if queue:
                return queue.pop() if self._last_first else queue.popleft()
        return None


class Crawl:
    """One site, crawled from its home page."""

    def __init__(self, site: Site, seed: int, *, last_first: bool) -> None:
        self._outcome = Outcome()
        self._site = site
        self._seed = seed
        self._rules = UrlRules()
        self._quarantines = Quarantines()
        self._frontier = Frontier(last_first=last_first)
        self._fetched: set[str] = set()

    def run(self) -> Outcome:
        self._frontier.push(f"http://{self._site.domain}/", 0)
        while self._outcome.trapped <= GIVE_UP and (batch := list(self._leaving())):
            for url in batch:
                self._fetch(url)
        self._outcome.missed = len(self._site.honest_pages(self._seed) - self._fetched)
        return self._outcome

    def _leaving(self) -> Iterator[str]:
        for _ in range(AT_ONCE):
            while (url := self._frontier.pop()) is not None:
                if not self._outcome.pages or self._allowed(url) is not None:
                    yield url
                    break

    def _allowed(self, url: str) -> int | None:
        """The priority of a request that may be made."""
        begin = process_time()
        hit = self._rules.check(url)
        verdict = self._quarantines.found(self._site.domain, url, "another page", self._outcome.pages)
        self._outcome.decided_s += process_time() - begin
        if hit is None and verdict.allowed:
            return verdict.priority
        self._outcome.refused[hit.reason if hit else verdict.reason] += 1
        return None

    def _fetch(self, url: str) -> None:
        self._outcome.pages += 1
        self._outcome.trapped += self._site.inside(url)
        self._fetched.add(url)
        page, links, digest_s = _read(url, self._site.get(url, self._seed))
        self._outcome.digest_s += digest_s
        if page is not None or links:
            begin = process_time()
            found = self._quarantines.fetched(self._site.domain, url, page, self._outcome.pages, links)
            self._outcome.decided_s += process_time() - begin
            self._outcome.note(found)
        for link in links:
            host = urlsplit(link).hostname or ""
            if f".{host}".endswith(f".{self._site.domain}") and (priority := self._allowed(link)) is not None:
                self._frontier.push(link, priority)


def _read(url: str, answer: Answer) -> tuple[page_digest.Page | None, tuple[str, ...], float]:
    """What a page says (None for a redirect or an error), its links, and the seconds that its digest took."""
    if "Location" in answer.headers:
        return None, (urljoin(url, answer.headers["Location"]),), 0.0
    if answer.status != 200 or page_digest.is_calendar(answer.body):
        return None, (), 0.0
    if not answer.headers["Content-Type"].startswith("text/html"):
        links = page_digest.locations(answer.body)
        return page_digest.of_body(answer.body, links), links, 0.0
    root = lxml.html.fromstring(answer.body)
    begin = process_time()
    page = page_digest.of_tree(root, url)
    return page, page.links, process_time() - begin


def main(sites: Sequence[Site], seeds: int, *, last_first: bool, verbose: bool) -> int:
    """Print a line for each site; 1 if a trap does not end or an honest page is missed."""
    print("pages inside the trap, honest pages missed, µs of CPU per page; refused (seed 1)")
    failed = False
    for site in sites:
        outcomes = [Crawl(site, seed, last_first=last_first).run() for seed in range(1, seeds + 1)]
        pages = sum(outcome.pages for outcome in outcomes)
        missed = sum(outcome.missed for outcome in outcomes)
        bad = missed > 0 or any(outcome.trapped > GIVE_UP for outcome in outcomes)
        failed |= bad
        counts = " ".join(f"{outcome.trapped:>5}" for outcome in outcomes) if site.trap else f"{pages:>7,} pages"
        digest_us, decided_us = (
            sum(taken) / pages * 1e6
            for taken in zip(*((outcome.digest_s, outcome.decided_s) for outcome in outcomes), strict=True)
        )
        print(
            f"{'FAIL' if bad else 'ok  '} {site.name:<28}{counts:<19} missed {missed:>5}"
            f"  digest {digest_us:4.0f}, rest {decided_us:4.0f}  {dict(outcomes[0].refused)}",
            flush=True,
        )
        if verbose:
            print("".join(f"       {event}\n" for event in outcomes[0].events), end="")
    return int(failed)
