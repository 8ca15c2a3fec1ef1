"""One crawl of some of the zoo's sites in a process of its own: an ordinary spider that follows every link.

With the add-on nothing but ADDONS is set that decides what is fetched. The others are stock Scrapy whose spider follows
what a peer's rules let pass: those that each has by default.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import scrapy
from _zoo import SUFFIX
from _zoo_sets import SITES
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.http import HtmlResponse, Response, TextResponse

from scrapy_polite.signals import polite_refused

#: A trap in which so many pages were asked for does not end; with the add-on, which ends by itself, in so many.
GIVE_UP, GIVE_UP_POLITE = 1_000, 30_000

Rule = Callable[[str, int], bool]
"""Whether a link is followed: its URL, and how many links it is from the start."""

_PATHOLOGICAL = re.compile(r".*?/(.*?/)\1{2,}.*").match
_LOOP = re.compile(r".*(/[^/]+)/[^/]+\1/[^/]+\1/").match
_QUERY = re.compile(r".*[?*!@=]").match


def _heritrix(url: str, hops: int) -> bool:
    """PathologicalPathDecideRule, TooManyPathSegmentsDecideRule, TooManyHopsDecideRule."""
    return not _PATHOLOGICAL(url) and url.count("/") - 2 <= 20 and hops <= 20


def _nutch(url: str, hops: int) -> bool:
    """regex-urlfilter.txt."""
    return not _LOOP(url) and not _QUERY(url)


def _storm(url: str, hops: int) -> bool:
    """BasicURLFilter: maxPathRepetition, and maxLength as the archetype has it."""
    segments = url.split("/")
    return len(url) <= 1024 and (len(segments) <= 4 or Counter(segments).most_common(1)[0][1] < 3)


POLITE, DROP = "add-on", "drop"
OURS = (POLITE, DROP)
RULES: dict[str, Rule] = {
    POLITE: lambda url, hops: True,
    DROP: lambda url, hops: True,
    "stock": lambda url, hops: True,
    "Heritrix": _heritrix,
    "Nutch": _nutch,
    "Storm": _storm,
}
SETTINGS: dict[str, Any] = {
    "USER_AGENT": "zoobot/1.0 (+https://zoo.example/)",
    "LOG_LEVEL": "ERROR",
    "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
    "MEMUSAGE_ENABLED": False,
    # Scrapy makes so many tasks for each page, 100 by default: a third of a crawl's time. No order depends on it.
    "CONCURRENT_ITEMS": 8,
}


@dataclass(frozen=True, slots=True)
class Crawled:
    """What a crawl says of itself: for each site what it refused, by reason; why it was closed; the groups of URL
    patterns that ended, by why, and the links that were left there."""

    refused: dict[str, dict[str, int]]
    finish: str
    ended: dict[str, int]
    left: int


def crawl(
    rule: str, names: Sequence[str], proxy: str, timeout_s: float, settings: Mapping[str, Any] | None = None
) -> Crawled:
    """Crawl the sites of these names by one of `RULES`. It is closed after `timeout_s`, if it goes on for so long."""
    job = json.dumps({"rule": rule, "names": list(names), "timeout_s": timeout_s, "more": dict(settings or {})})
    environment = os.environ | {"http_proxy": proxy, "https_proxy": proxy, "no_proxy": ""}
    command = [sys.executable, __file__]
    # Closing takes its time too: what is queued by then is dropped.
    done = subprocess.run(
        command, input=job, env=environment, stdout=subprocess.PIPE, text=True, check=True, timeout=timeout_s + 120
    )
    return Crawled(**json.loads(done.stdout.splitlines()[-1]))


class Spider(scrapy.Spider):
    """`asked` are the URLs inside traps, by site. Where a crawl does not end by itself it has to for the benchmark."""

    name = "zoo"
    rule: str
    names: Sequence[str]

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.asked = defaultdict(set)
        spider.refused = defaultdict(Counter)
        crawler.signals.connect(spider.note_refused, polite_refused)
        return spider

    async def start(self) -> AsyncIterator[Any]:
        for name in self.names:
            yield scrapy.Request(f"http://{SITES[name].domain}/")

    def parse(self, response: Response) -> Iterator[scrapy.Request]:
        allowed = RULES[self.rule]
        if self.rule in OURS:
            self.asked[_name(response.url)].update([response.url] if _inside(response.url) else ())
        if _inside(response.url) and self.endless(response.url):
            return
        for request in self.links(response):
            url = request.url.partition("#")[0]
            if allowed(url, response.meta["depth"] + 1) and self.in_bounds(url):
                yield request

    def links(self, response: Response) -> Iterator[scrapy.Request]:
        if isinstance(response, HtmlResponse):
            # Scrapy makes no request of `tel:` and the like, and would stop here.
            found = (response.urljoin(a.attrib["href"].strip()) for a in response.css("a[href], area[href]"))
            pages = [url for url in found if url.startswith("http")]
            yield from response.follow_all(pages)
        elif isinstance(response, TextResponse) and response.selector.type != "json":
            for url in response.xpath("//*[local-name() = 'loc']/text()").getall():
                yield response.follow(url)

    def endless(self, url: str) -> bool:
        return len(self.asked[_name(url)]) > (GIVE_UP_POLITE if self.rule in OURS else GIVE_UP)

    def in_bounds(self, url: str) -> bool:
        """Without the add-on all that is found is asked for, so that it is links that are counted, and not pages."""
        if self.rule in OURS or not _inside(url):
            return True
        self.asked[_name(url)].update([] if self.endless(url) else [url])
        return url in self.asked[_name(url)]

    def note_refused(self, request: scrapy.Request, decision: Any) -> None:
        self.refused[_name(request.url)][decision.reason] += 1


def _name(url: str) -> str:
    return url.split("/", 3)[2].rpartition("." + SUFFIX)[0].rpartition(".")[2]


def _inside(url: str) -> bool:
    return SITES[_name(url)].inside(url)


def _main(rule: str, names: Sequence[str], timeout_s: float, more: Mapping[str, Any]) -> None:
    settings = SETTINGS | {"CLOSESPIDER_TIMEOUT": timeout_s} | more
    if rule in OURS:
        settings |= {"ADDONS": {"scrapy_polite.Addon": 300}, "POLITE_STORE": "memory"}
    if rule == DROP:
        settings |= {"POLITE_TRAPS": "drop"}
    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler(Spider)
    process.crawl(crawler, rule=rule, names=names)
    process.start()
    stats = crawler.stats.get_stats()
    before = "polite/traps/ended/"
    ended = {key.removeprefix(before): count for key, count in stats.items() if key.startswith(before)}
    left = stats.get("polite/traps/links_left", 0)
    told = {"refused": crawler.spider.refused, "finish": stats["finish_reason"], "ended": ended, "left": left}
    print(json.dumps(told))


if __name__ == "__main__":
    _main(**json.load(sys.stdin))
