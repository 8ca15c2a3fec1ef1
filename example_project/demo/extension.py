"""The demo site as an extension of the project: it comes with the crawl, goes with it, and reports at the end."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy import Spider, signals

from demo import report
from demo.site.origins import ORIGINS, RULES_HOST
from demo.site.server import SiteServer
from scrapy_polite import Addon
from scrapy_polite._crawl import shared
from scrapy_polite.events import Events, RequestMoved, SitemapRead
from scrapy_polite.events.tallies import Tally
from scrapy_polite.text import printable

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from typing_extensions import Self


class DemoSite:
    """Serves the site while the spider runs; then prints the report.

    The report is also written to the file that the setting `DEMO_REPORT` names, and as JSON beside it.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.site = SiteServer(ORIGINS, served=[RULES_HOST])
        self.finish_reason = ""
        self.began = self.seconds = 0.0
        #: By address: pages that its sitemap has led to, requests that were made at its main host.
        self.of_sitemap: Counter[str] = Counter()
        self.moved: Counter[str] = Counter()
        events = shared(crawler, Events)
        events.read(SitemapRead, self._sitemap_read)
        events.read(RequestMoved, self._request_moved)
        crawler.signals.connect(self.spider_opened, signals.spider_opened)
        crawler.signals.connect(self.spider_closed, signals.spider_closed)
        crawler.signals.connect(self.engine_stopped, signals.engine_stopped)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    @property
    def start_url(self) -> str:
        first = self.site.origins[0]
        return self.site.addresses[first.name] + first.pages[0]

    def _sitemap_read(self, event: SitemapRead) -> None:
        self.of_sitemap["/".join(event.url.split("/")[:3])] += event.came.get("seeds", 0)

    def _request_moved(self, event: RequestMoved) -> None:
        self.moved[event.origin] += 1

    def spider_opened(self) -> None:
        self.site.start()
        self.began = time.monotonic()

    def spider_closed(self, spider: Spider, reason: str) -> None:
        self.finish_reason = reason
        self.seconds = time.monotonic() - self.began

    def engine_stopped(self) -> None:
        """The last signal of a crawl: what is printed here stands below the log."""
        self.site.close()
        polite = self.crawler.get_addon(Addon) is not None
        rows = list(self._rows(shared(self.crawler, Events).tallies.origins if polite else None))
        name = str(self.crawler.spidercls.name)
        text_file = Path(self.crawler.settings.get("DEMO_REPORT", f"{name}-report.txt")).absolute()
        text = report.as_text(rows, self.seconds, polite=polite)
        text_file.write_text(text, encoding="utf-8")
        json = report.as_json(name, self.finish_reason, self.seconds, rows)
        text_file.with_suffix(".json").write_text(json, encoding="utf-8")
        stats = self.crawler.stats.get_stats() if self.crawler.stats else {}
        page = stats.get("polite/run_report")  # where Jinja2 is installed
        crawl_report = f"The report of the crawl is in {page}\n" if page else ""
        sys.stdout.write(f"\n{text}This table is in {text_file}\n{crawl_report}")
        sys.stdout.flush()

    def _rows(self, tallies: Mapping[str, Tally] | None) -> Iterator[report.Row]:
        """One row per origin; `tallies`: what the add-on did, by address, None where it is off."""
        for origin in self.site.origins:
            address = self.site.addresses[origin.name]
            log = self.site.logs[origin.name]
            tally = None if tallies is None else tallies.get(address, Tally())
            yield report.Row(
                name=origin.name,
                address=address,
                requests=log.requests,
                robots_requests=log.robots_requests,
                pages=tuple(log.fetched),
                trapped=tuple(log.trapped),
                forbidden=tuple(log.forbidden),
                allowed=origin.allowed,
                rules=None if tally is None else printable(tally.robots),
                of_sitemap=None if tally is None else self.of_sitemap[address],
                moved=None if tally is None else self.moved[address],
                refused=None if tally is None else dict(tally.refused),
                waited_s=None if tally is None else tally.longest_wait_s,
                asked_s=origin.delay_s,
                shortest_gap_s=min(log.gaps_s, default=None),
                early=log.early,
                delay=None if tally is None else printable(tally.pace),
                backoffs=None if tally is None else tally.closed,
            )
