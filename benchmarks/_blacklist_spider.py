"""The spider of blacklist.py: adds to the lists of its crawl, and looks how long the event loop stands still."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any, ClassVar

import scrapy
from scrapy import signals
from scrapy.exceptions import CloseSpider, DontCloseSpider
from scrapy.utils.asyncio import call_later

TICK_S = 0.001
QUIET_S = 10.0
ROUNDS = 3


class Reloads(scrapy.Spider):
    """Adds a line to both lists, waits until the crawl has read them, and does so again."""

    name = "reloads"
    start_urls = ("data:,",)
    #: Of each round, in seconds: the longest stall while `quiet` and since the lists had `changed`; the most that this
    #: process itself worked in one, all threads together, as `quiet_own` and `changed_own`; and `obeyed_s`.
    rounds: ClassVar[list[dict[str, float]]] = []

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.phase = "opening"
        crawler.signals.connect(spider.idle, signals.spider_idle)
        crawler.signals.connect(spider.opened, signals.spider_opened)
        return spider

    def opened(self) -> None:
        call_later(1.0, self.begin)

    def begin(self) -> None:
        self.phase, self.began = "quiet", time.perf_counter()
        self.entries = self.crawler.stats.get_value("polite/blacklist/entries")
        self.rounds.append(dict.fromkeys(("quiet", "quiet_own", "changed", "changed_own"), 0.0))
        self.wait()

    def wait(self) -> None:
        self.due, self.worked = time.perf_counter() + TICK_S, time.process_time()
        call_later(TICK_S, self.tick)

    def tick(self) -> None:
        now, this, own = time.perf_counter(), self.rounds[-1], f"{self.phase}_own"
        this[self.phase] = max(this[self.phase], now - self.due)
        this[own] = max(this[own], time.process_time() - self.worked)
        if self.phase == "quiet" and now - self.began > QUIET_S:
            self.change()
        elif self.crawler.stats.get_value("polite/blacklist/entries") == self.entries + 2:
            this["obeyed_s"] = now - self.began
            self.phase = "done"
            if len(self.rounds) < ROUNDS:
                self.begin()
            return
        self.wait()

    def change(self) -> None:
        for name in ("names.txt", "regexes.txt"):
            with Path(name).open("a") as file:
                file.write(f"new{len(self.rounds)}.example\n")
        self.phase, self.began = "changed", time.perf_counter()

    def idle(self) -> None:
        raise CloseSpider("done") if self.phase == "done" else DontCloseSpider

    def parse(self, response: Any) -> None:
        pass
