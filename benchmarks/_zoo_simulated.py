"""The zoo without Scrapy: what `traps/` decides, over a queue of its own, and nothing else.

Fast, the same in every run, and so the place to see what a rule changes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from html import unescape
from time import process_time
from typing import TYPE_CHECKING
from urllib.parse import urldefrag, urljoin, urlsplit

from _zoo import hrefs_of
from scrapy.settings.default_settings import URLLENGTH_LIMIT
from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding

from scrapy_polite.frontier.shares import LANES, Flow, kind_by_now, kind_of, lanes_of, rank_in
from scrapy_polite.frontier.shares import Site as Shares
from scrapy_polite.traps import page as pages
from scrapy_polite.traps.aliases import Aliases
from scrapy_polite.traps.groups import BESIDE, Groups
from scrapy_polite.traps.limits import DEFAULT_LIMITS, Limits
from scrapy_polite.traps.links import UNREAD
from scrapy_polite.traps.url_rules import UrlRules
from scrapy_polite.traps.verdict import DEEP
from scrapy_polite.visited.canonical import key

if TYPE_CHECKING:
    from _zoo import Answer, Site

    from scrapy_polite.traps.evidence import Pattern
    from scrapy_polite.traps.groups import Found, Visit

#: Requests on their way at a time, as many as Scrapy has of one host.
AT_ONCE = 8
GIVE_UP = 50_000
_LOCATION = re.compile(rb"<loc>([^<]+)</loc>")


@dataclass(slots=True)
class Outcome:
    """What came of one crawl; `reading_s` and `judging_s` are of CPU. `early` is the share of the requests that went
    into the trap when 95 % of the honest pages were in."""

    pages: int = 0
    trapped: int = 0
    honest: int = 0
    missed: int = 0
    kept: int = 0
    early: float = 0.0
    refused: Counter[str] = field(default_factory=Counter)
    events: list[str] = field(default_factory=list)
    reading_s: float = 0.0
    judging_s: float = 0.0


class _Queue:
    """The requests of one flow, in its lanes."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self._lanes: dict[str, list[tuple[int, str]]] = {lane: [] for lane in LANES}
        self._turn = 0

    def push(self, url: str, kind: str, number: int, *, depth: bool) -> None:
        self.flow.pushed()
        _, order = rank_in(kind, url, (0, -number if depth else number), number)
        heappush(self._lanes[kind], (order, url))

    def head(self, probe: str) -> str:
        return self._first(probe)[0][1]

    def take(self, kind: str) -> None:
        """The head of such a lane leaves for good."""
        heappop(self._lanes[kind])
        self.flow.taken(kind)
        self._turn += 1

    def drop(self, probe: str) -> None:
        """The head leaves, and uses up no turn."""
        heappop(self._first(probe))
        self.flow.queued -= 1

    def give_up(self) -> list[str]:
        """Empty it."""
        urls = [url for lane in self._lanes.values() for _, url in lane]
        self._lanes = {lane: [] for lane in LANES}
        self.flow.queued = 0
        return urls

    def kind(self, probe: str) -> str:
        """The kind of lane that the head is in."""
        return next(lane for lane in lanes_of(probe, self._turn) if self._lanes[lane])

    def _first(self, probe: str) -> list[tuple[int, str]]:
        return self._lanes[self.kind(probe)]


class Crawl:
    """One site, crawled from its home page."""

    def __init__(
        self, site: Site, seed: int, *, depth: bool = False, limits: Limits = DEFAULT_LIMITS, most: int = 0
    ) -> None:
        self.outcome = Outcome()
        self._site = site
        self._seed = seed
        self._depth = depth
        self._most = most or site.most
        self._rules = UrlRules()
        self._aliases = Aliases()
        self._groups = Groups(limits)
        self._shares = Shares()
        self._queues: dict[str, _Queue] = {}
        self._seen: set[str] = set()
        self._fetched: set[str] = set()
        self._honest = set(map(key, site.honest_pages(seed))) if not site.most else set()
        self._reached = 0
        self._ended: set[Flow] = set()
        self._number = 0

    def run(self) -> Outcome:
        self._push(f"http://{self._site.domain}/", "", deep=False)
        out = self.outcome
        while out.trapped <= GIVE_UP and not (self._most and out.pages >= self._most) and self._fetch(AT_ONCE):
            pass
        out.missed = len(self._honest - self._fetched)
        out.honest = len(self._honest)
        out.kept = sum(queue.flow.queued for queue in self._queues.values())
        return out

    def _fetch(self, at_once: int) -> bool:
        """Fetch so many pages; False if none is left. As in a whole crawl they arrive before their links are known."""
        batch = [taken for _ in range(at_once) if (taken := self._next()) is not None]
        arrived = [(flow, kind, *self._arrive(url, deep)) for url, flow, kind, deep in batch]
        self._arrange(arrived)
        for flow, kind, visit, links in arrived:
            self._leave(visit, links)
            flow.done(kind)
        return bool(batch)

    def _arrange(self, arrived: list[tuple[Flow, str, Visit, list[str]]]) -> None:
        """Put pages that were fetched at once into another order."""

    def _push(self, url: str, name: str, *, deep: bool, kind: str | None = None) -> None:
        queue = self._queues.get(name)
        if queue is None:
            queue = self._queues[name] = _Queue(self._shares.flow(name))
            queue.flow.suspected = name[:1] != BESIDE and self._suspects(name)
        self._number += 1
        if kind is None:
            kind = kind_of(url, deep=deep and bool(name), said=self._said_of(url, name))
        queue.push(url, kind, self._number, depth=self._depth)

    def _said_of(self, url: str, name: str) -> int:
        return self._groups.said_of(url) if self._groups.is_suspected(name) else UNREAD

    def _next(self) -> tuple[str, Flow, str, bool] | None:
        while ready := [flow for flow in self._shares.ready(self._ended) if not self._is_full(flow)]:
            flow = min(ready, key=lambda one: max(one.tag, one.due))
            root = self._root(flow.name)
            probe = ""
            if flow.suspected and root is not None and self._shares.in_tail:
                if self._groups.verdict.ends(root):
                    self._ended.add(flow)
                    self.outcome.events.append(f"page {self.outcome.pages}: ended {flow.name}: {root.ended}")
                    continue
                probe = self._groups.verdict.probe(root)
            queue = self._queues[flow.name]
            url = queue.head(probe)
            name = self._groups.slow_flow_of(url, flow.name) if flow.suspected or flow.name[:1] in ("", BESIDE) else ""
            if self._groups.links.has_left(url):
                queue.drop(probe)
                continue
            if name not in ("", flow.name):
                queue.drop(probe)
                self._push(url, name, deep=False)
                continue
            kind = queue.kind(probe)
            if (by_now := kind_by_now(kind, self._said_of(url, flow.name))) != kind and flow.suspected:
                queue.drop(probe)
                self._push(url, flow.name, deep=False, kind=by_now)
                continue
            queue.take(kind)
            self._groups.links.sent(url)
            if self._meets_rule(url) or self._aliases.known(url):
                self.outcome.refused["rules"] += 1
                flow.done(kind)
                continue
            return url, flow, kind, probe == DEEP
        return self._next() if self._judges_anew() else None

    def _judges_anew(self) -> bool:
        """Whether a link that was left with a group that has ended may go after all, now that nothing else is left."""
        left = [flow for flow in self._ended if flow.queued]
        if not left or any(flow.in_flight for flow in self._shares.flows.values()):
            return False
        for root in self._groups.read_to_end([flow.name for flow in left]):
            self._groups.clear(root)
            self.outcome.events.append(f"page {self.outcome.pages}: {root.name} was read to its end")
        if not self._groups.feeders.leaves_finite_work():
            return False
        for flow in left:
            for url in self._queues[flow.name].give_up():
                name = self._groups.flow_of(url) if self._groups.lets_go(url) else flow.name
                self._push(url, name, deep=False)
        return any(flow.queued and flow not in self._ended for flow in self._shares.flows.values())

    def _meets_rule(self, url: str) -> bool:
        return len(url) > URLLENGTH_LIMIT or bool(self._rules.hits(url))

    def _is_full(self, flow: Flow) -> bool:
        root = self._root(flow.name)
        if not flow.suspected or not flow.in_flight or not self._shares.in_tail or root is None:
            return False
        probe = self._groups.verdict.probe(root)
        return flow.is_full(self._queues[flow.name].kind(probe), self._groups.limits.at_once, deep=probe == DEEP)

    def _root(self, name: str) -> Pattern | None:
        return self._groups.root(self._groups.named(name.removeprefix(BESIDE))) if name else None

    def _suspects(self, name: str) -> bool:
        root = self._root(name)
        return root is not None and root.suspected

    def _arrive(self, url: str, deep: bool) -> tuple[Visit, list[str]]:
        self._note_request(url)
        answer = self._site.get(url, self._seed)
        begin = process_time()
        page, links = self._read(url, answer)
        read = process_time()
        if answer.status >= 400:
            visit = self._groups.note(url, None, same=True, deep=deep)
        else:
            visit = self._groups.arrive(url, page, deep=deep)
        if page is not None and (learned := self._aliases.fetched(url, page)):
            self.outcome.events.append(f"page {self.outcome.pages}: {learned} does not matter")
        if page is not None and visit.is_doubtful:
            again, _ = self._read(url, self._site.get(url, self._seed))
            if again is not None:
                self._groups.compare(visit, page, again)
        self.outcome.reading_s += read - begin
        self.outcome.judging_s += process_time() - read
        return visit, links

    def _leave(self, visit: Visit, links: list[str]) -> None:
        begin = process_time()
        for link in links:
            self._follow(visit, link, deep=visit.deep)
        found = self._groups.leave(visit)
        self.outcome.judging_s += process_time() - begin
        self._tell(found)

    def _note_request(self, url: str) -> None:
        out = self.outcome
        out.pages += 1
        out.trapped += self._site.inside(url)
        page = key(url)
        if page in self._honest and page not in self._fetched:
            self._reached += 1
            if self._reached == -(-95 * len(self._honest) // 100):
                out.early = out.trapped / out.pages
        self._fetched.add(page)

    def _follow(self, visit: Visit, link: str, *, deep: bool) -> None:
        again = self._groups.link(visit, link, place_of=self._aliases.place)
        page = key(link)
        if page in self._seen and not again:
            return
        self._seen.add(page)
        if self._meets_rule(link) or self._aliases.known(link):
            self.outcome.refused["rules"] += 1
            return
        self._push(link, self._groups.flow_of(link) if not again else "", deep=deep)

    def _tell(self, found: Found | None) -> None:
        if found is not None:
            flow = self._shares.flow(found.root.name)
            flow.suspect(found.suspected)
            word = "suspected" if found.suspected else "cleared"
            self.outcome.events.append(f"page {self.outcome.pages}: {word} {found.root.name}: {found.why}")
        for name, queue in self._queues.items():
            if name:
                owner = self._root(name)
                suspected = owner is not None and owner.suspected
                if name[:1] != BESIDE:
                    queue.flow.suspect(suspected)
                    if not suspected:
                        self._ended.discard(queue.flow)
                queue.flow.weight, queue.flow.rarity = self._groups.turn_of(name)

    def _read(self, url: str, answer: Answer) -> tuple[pages.Page | None, list[str]]:
        if "Location" in answer.headers:
            return None, [urljoin(url, answer.headers["Location"])]
        kind = answer.headers["Content-Type"]
        if answer.status != 200 or kind.startswith("text/calendar"):
            return None, []
        if "html" not in kind:
            page = pages.of_markup(answer.body) if "xml" in kind else pages.of_bytes(answer.body)
            found = [unescape(one.decode()) for one in _LOCATION.findall(answer.body)]
        else:
            page = pages.of_markup(answer.body, _encoding(kind, answer.body))
            found = hrefs_of(answer)
        links = dict.fromkeys(urldefrag(urljoin(url, href)).url for href in found)
        return page, [link for link in links if self._is_own(link)]

    def _is_own(self, url: str) -> bool:
        host = urlsplit(url).hostname or ""
        return url.startswith("http") and f".{host}".endswith(f".{self._site.domain}")


def _encoding(kind: str, body: bytes) -> str:
    return http_content_type_encoding(kind) or html_body_declared_encoding(body) or "utf-8"


def main(sites: Sequence[Site], seeds: int, *, depth: bool, verbose: bool, limits: Limits = DEFAULT_LIMITS) -> int:
    """Print a line for each site; 1 if a trap does not end or an honest page is missed."""
    print("pages inside the trap, honest pages missed, µs of CPU per page to read and to judge")
    failed = False
    for site in sites:
        outcomes = [Crawl(site, seed, depth=depth, limits=limits).run() for seed in range(1, seeds + 1)]
        pages_ = sum(outcome.pages for outcome in outcomes)
        missed = sum(outcome.missed for outcome in outcomes)
        short = bool(site.most) and any(outcome.pages < site.most for outcome in outcomes)
        bad = missed > 0 or short or any(outcome.trapped > GIVE_UP for outcome in outcomes)
        failed |= bad
        counts = " ".join(f"{outcome.trapped:>5}" for outcome in outcomes) if site.trap else f"{pages_:>7,} pages"
        reading_us, judging_us = (
            sum(taken) / pages_ * 1e6
            for taken in zip(*((outcome.reading_s, outcome.judging_s) for outcome in outcomes), strict=True)
        )
        early = f" early {max(outcome.early for outcome in outcomes):4.0%}" if site.trap else ""
        print(
            f"{'FAIL' if bad else 'ok  '} {site.name:<28}{counts:<19} missed {missed:>5}{early}"
            f"  read {reading_us:4.0f}, judge {judging_us:4.0f}",
            flush=True,
        )
        if verbose:
            print("".join(f"       {event}\n" for event in outcomes[0].events), end="")
    return int(failed)
