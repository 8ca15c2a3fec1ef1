"""What a project may have of its own and give by import path: a parser, a scheduler, a rendering API's target."""

from __future__ import annotations

import resource
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from scrapy import signals
from scrapy.core.scheduler import Scheduler
from scrapy.dupefilters import RFPDupeFilter
from scrapy.exceptions import StopDownload
from scrapy.http import Response
from scrapy.robotstxt import RobotParser

from scrapy_polite.robots import PoliteRobotParser
from scrapy_polite.signals import polite_alert
from scrapy_polite.spidermiddlewares import TrapMiddleware

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler


def rendered(request: Request) -> str:
    """The target of a rendering API's `/render?url=...`, escape sequences and all; of other requests, their own URL."""
    parts = urlsplit(request.url)
    return parse_qs(parts.query)["url"][0] if parts.path == "/render" else request.url


class OddParser(RobotParser):
    """Reads "odd" as a rule that forbids all paths with an odd number of characters."""

    def __init__(self, body: bytes) -> None:
        self._odd = body == b"odd"

    @classmethod
    def from_crawler(cls, crawler: Crawler, robotstxt_body: bytes) -> OddParser:
        return cls(robotstxt_body)

    def allowed(self, url: str | bytes, user_agent: str | bytes) -> bool:
        if str(url).endswith("/oops"):
            raise LookupError("oops")
        return not (self._odd and len(urlsplit(str(url)).path) % 2)


class OurParserNamedAnew(PoliteRobotParser):
    """What a project does that counts or logs what it asks."""


class OwnScheduler(Scheduler):
    def next_request(self) -> Request | None:
        request = super().next_request()
        if request is not None:
            self.stats.inc_value("own/scheduled")
        return request


class OwnDupeFilter(RFPDupeFilter):
    def request_seen(self, request: Request) -> bool:
        return False


class CountsLinks:
    """A spider middleware that counts what goes through."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Any:
        made = cls()
        made.stats = crawler.stats
        return made

    stats: Any

    async def process_spider_output(self, response: Response, result: Any) -> Any:
        async for one in result:
            self.stats.inc_value("own/links")
            yield one


class KeepsAll(TrapMiddleware):
    """A TrapMiddleware that drops nothing, and counts what it was given."""

    def process_spider_output(self, response: Any, result: Any) -> Any:
        for one in result:
            self.crawler.stats.inc_value("own/kept")
            yield one

    async def process_spider_output_async(self, response: Any, result: Any) -> Any:
        async for one in result:
            self.crawler.stats.inc_value("own/kept")
            yield one


class NoRoomOnDisk:
    """An extension after whose start the process can make no file longer than 8 kB, as on a full disk."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Any:
        resource.setrlimit(resource.RLIMIT_FSIZE, (8_192, 8_192))
        return cls()


class ReplayedRobots:
    """A downloader middleware that answers for every robots.txt itself, as one that replays recorded answers does."""

    def process_request(self, request: Request) -> Response | None:
        if not request.url.endswith("/robots.txt"):
            return None
        return Response(request.url, body=b"User-agent: *\nDisallow: /private\n")


class StopsDownloads:
    """An extension that wants no more than the first bytes of anything, robots.txt too."""

    fail = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Any:
        part = cls()
        crawler.signals.connect(part.bytes_received, signals.bytes_received)
        return part

    def bytes_received(self, data: bytes) -> None:
        raise StopDownload(fail=self.fail)


class StopsDownloadsWithAnError(StopsDownloads):
    fail = True


class Raises:
    """A downloader middleware with a defect."""

    def process_request(self, request: Request) -> None:
        raise LookupError("no such key")


class NotesAlerts:
    """An extension that keeps the alerts in a stat, as kind, host and text."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Any:
        made = cls()
        made.alerts = []
        crawler.stats.set_value("own/alerts", made.alerts)
        crawler.signals.connect(made.note, polite_alert)
        return made

    alerts: list[Any]

    def note(self, alert: Any) -> None:
        self.alerts.append([alert.kind, alert.host, alert.text])
