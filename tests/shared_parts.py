"""Extensions for crawls whose queue is shared with another process, which is played here."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.utils.asyncio import call_later

from scrapy_polite._crawl import shared
from scrapy_polite._engine import Engine
from scrapy_polite.frontier import scheduler
from scrapy_polite.frontier.queue import FrontierError, PushResult, QueueLost
from scrapy_polite.origin import Origin
from scrapy_polite.services.robots import CrawlRobots
from shared_queue import Job, SharedQueue

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from typing_extensions import Self


class Shares:
    """The scheduler's queue is shared, and the other process does nothing."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.job = Job()
        self.other = SharedQueue(self.job)
        self.queue = SharedQueue(self.job)
        scheduler.queue_of = lambda crawler, folder: self.queue

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        extension = cls(crawler)
        crawler.signals.connect(extension.opened, signals.spider_opened)
        crawler.signals.connect(extension.response, signals.response_received)
        return extension

    def opened(self) -> None: ...

    def response(self, response: Any) -> None: ...

    def push(self, url: str) -> None:
        """As the other process."""
        origin = Origin.from_url(url)
        spider: Any = self.crawler.spider
        request = spider.request(url).replace(dont_filter=False)
        self.other.push(str(origin), (0, 0), request, host=origin.host)
        self.other.events()


class TellsLate(Shares):
    """What is pushed is here at once, and told of a little later."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        queue = self.queue
        push, events = queue.push, queue.events
        told_at = 0.0

        def push_at_once(*args: Any, **options: Any) -> PushResult:
            nonlocal told_at
            result = push(*args, **options)
            queue.take_up()
            told_at = time.monotonic() + 0.05
            return result

        queue.push = push_at_once  # type: ignore[method-assign]
        queue.events = lambda: events() if time.monotonic() >= told_at else []  # type: ignore[method-assign]


class OtherHasTheStart(Shares):
    """It finds one page, /other, and is done with the start half a second later, or dies (the setting OTHER_DIES)."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        assert self.other.begin_start().result(0)

    def opened(self) -> None:
        spider: Any = self.crawler.spider
        self.push(spider.job["urls"][0].replace("/start", "/other"))
        dies = self.crawler.settings.getbool("OTHER_DIES")
        call_later(0.5, self.other.die if dies else self.other.end_start)


class LeaseEnds(Shares):
    """When the third page has come all leases end; what is under way is for whoever claims its host next."""

    pages = 0

    def response(self, response: Any) -> None:
        self.pages += 1
        if self.pages == 3:
            for host in list(self.job.owners):
                self.job.take_away(host)


class WantsHosts(Shares):
    """It wants every host after each page."""

    def response(self, response: Any) -> None:
        for host in self.job.owners:
            self.queue.want(host)


class TakesHost(Shares):
    """It has the host as soon as this process has asked for its robots.txt; the crawl is closed when that is known."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        extension = super().from_crawler(crawler)
        crawler.signals.connect(extension.asked, signals.request_reached_downloader)
        return extension

    def asked(self, request: Any) -> None:
        for host in list(self.job.owners):
            self.job.take_away(host)
            self.job.give(host, self.other)
        self.close_when_known(request)

    def close_when_known(self, request: Any) -> None:
        robots = shared(self.crawler, CrawlRobots)
        if robots.cache.look(robots.key(Origin.from_url(request.url), request)):
            shared(self.crawler, Engine).close_spider("taken")
        else:
            call_later(0.02, self.close_when_known, request)


class SendsNothingYet(Shares):
    """For half a second no request may leave."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.queue.paused = True

    def opened(self) -> None:
        call_later(0.5, setattr, self.queue, "paused", False)


class LosesAll(Shares):
    """With the first page the server has lost what it held."""

    def response(self, response: Any) -> None:
        self.queue.told.append(QueueLost(FrontierError("shared: the job is lost")))
