"""Summary: the extension that says at start what is in force, and at the end what was refused, and why."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.utils.python import global_object_name

from scrapy_polite._crawl import shared
from scrapy_polite._robots import CrawlRobots, duration
from scrapy_polite.downloadermiddlewares import RobotsTxtMiddleware
from scrapy_polite.ledger import BASES, Example, Ledger, printable
from scrapy_polite.settings import PoliteSettings

if TYPE_CHECKING:
    from collections import Counter

    from scrapy.crawler import Crawler
    from typing_extensions import Self

logger = logging.getLogger(__name__)

MAX_LINES = 15
_MAX_REASONS = 4  # of the refused and of the audited each, so that all paragraphs fit into MAX_LINES
_MAX_HOSTS = 3
_UNDER = {
    "fresh": "under fresh rules",
    "stale": "under the last good copy of rules",
    "none": "where no restrictions hold",
    "unread": "under rules nobody read",
}


class Summary:
    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._settings = shared(crawler, PoliteSettings)
        self._ledger = shared(crawler, Ledger)
        crawler.signals.connect(self._spider_opened, signals.spider_opened)
        crawler.signals.connect(self._spider_closed, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def _spider_opened(self) -> None:
        self._say(logging.INFO, f"scrapy-polite: {start_line(self.crawler)}")

    async def _spider_closed(self) -> None:
        if (robots := self.crawler.get_downloader_middleware(RobotsTxtMiddleware)) is not None:
            await robots.audits_end()
        if self._settings.summary:
            self._say(logging.INFO, "scrapy-polite summary:\n" + "\n".join(summary_lines(self._ledger)))
        if self._ledger.start_refused and not self._ledger.start_went:
            self._say(
                logging.WARNING,
                f"scrapy-polite: all {self._ledger.start_refused} start requests were refused, so nothing was crawled. "
                "`scrapy robots check URL` says why.",
            )

    def _say(self, level: int, text: str) -> None:
        logger.log(level, "%s", text, extra={"spider": self.crawler.spider})


def start_line(crawler: Crawler) -> str:
    """What is in force, what was replaced, in which order pages go, where the store is."""
    settings = crawler.settings
    if crawler.get_downloader_middleware(RobotsTxtMiddleware) is None:
        robots = "robots.txt is left to the project (Scrapy's RobotsTxtMiddleware is not there to be replaced)"
    else:
        audit = not settings.getbool("ROBOTSTXT_OBEY") or shared(crawler, PoliteSettings).audits("robots")
        doing = "audited, nothing is refused" if audit else "obeyed"
        service = shared(crawler, CrawlRobots)
        robots = (
            f"robots.txt {doing}, as {service.default_token!r} (in place of Scrapy's RobotsTxtMiddleware); "
            f"store: {service.cache.store.description}"
        )
    order = " with ".join(_class_name(settings[name]) for name in ("SCHEDULER", "SCHEDULER_PRIORITY_QUEUE"))
    return f"{robots}; order of requests: {order}"


def _class_name(path: object) -> str:
    return str(path if isinstance(path, str) else global_object_name(path)).rpartition(".")[2]


def summary_lines(ledger: Ledger) -> list[str]:
    """At most MAX_LINES lines; what does not fit is counted in the last line of its paragraph."""
    went = ", ".join(f"{ledger.went[basis]:,} {_UNDER[basis]}" for basis in BASES if ledger.went[basis])
    lines = [f"  pages let go: {ledger.went.total():,}" + (f" ({went})" if went else "")]
    lines += _refusals("refused", ledger.refused, ledger.examples)
    if ledger.audited:
        lines += _refusals("would have been refused (audit or annotate)", ledger.audited, ledger.audited_examples)
    if ledger.waits:
        longest = sorted(ledger.origins.items(), key=lambda item: item[1].longest_wait_s, reverse=True)[:_MAX_HOSTS]
        hosts = ", ".join(
            f"{printable(origin, 60)} {duration(tally.longest_wait_s)}"
            for origin, tally in longest
            if tally.longest_wait_s >= 0.5
        )
        requests = "1 request" if ledger.waits == 1 else f"{ledger.waits:,} requests"
        lines.append(f"  waited for robots.txt: {requests}" + (f" (the longest: {hosts})" if hosts else ""))
    return lines[:MAX_LINES]


def _refusals(title: str, reasons: Counter[str], examples: Mapping[str, Sequence[Example]]) -> Iterator[str]:
    yield f"  {title}: {reasons.total():,}"
    for reason, count in reasons.most_common(_MAX_REASONS):
        example = examples[reason][0]
        evidence = printable(example.decision.detail, 100)
        yield f"    {reason} {count:,}, such as {printable(example.url, 100)}" + (f" ({evidence})" if evidence else "")
    if len(reasons) > _MAX_REASONS:
        yield f"    and {len(reasons) - _MAX_REASONS} more reasons: the stats have them all"
