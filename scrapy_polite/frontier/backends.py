"""Which queue a crawl has: the one place that names the backends."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy_polite._crawl import shared
from scrapy_polite.frontier.codec import Codec
from scrapy_polite.frontier.memory import MemoryQueue
from scrapy_polite.frontier.redis.alike import SPIDER
from scrapy_polite.frontier.redis.jobs import RedisJobs
from scrapy_polite.frontier.redis.queue import RedisQueue
from scrapy_polite.frontier.redis.session import Session
from scrapy_polite.frontier.redis.start_urls import start_requests
from scrapy_polite.frontier.sqlite.queue import SqliteQueue
from scrapy_polite.frontier.sqlite.schema import FILE_NAME
from scrapy_polite.services.robots import PROMPT_COMMANDS, CrawlRobots, at_prompt
from scrapy_polite.settings import PoliteSettings

#: Of Scrapy, beside those of this package.
_ALIKE = ("DOWNLOAD_DELAY", "DUPEFILTER_CLASS", "REQUEST_FINGERPRINTER_CLASS", "ROBOTSTXT_OBEY")

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy import Request
    from scrapy.crawler import Crawler

    from scrapy_polite._redis.url import RedisUrl
    from scrapy_polite.frontier.jobs import Jobs
    from scrapy_polite.frontier.queue import Queue
    from scrapy_polite.frontier.redis.alike import About
    from scrapy_polite.store.factory import StoreLocation


def queue_of(crawler: Crawler, folder: str | None) -> Queue:
    """A queue on the server, but not for one page at a prompt; else in the job directory, or in memory."""
    settings = shared(crawler, PoliteSettings)
    if settings.frontier is not None and not at_prompt(sys.orig_argv, (*PROMPT_COMMANDS, "check")):
        job = settings.job or crawler.spidercls.name
        session = Session(server_of(settings.frontier), job, settings.lease, about=_about(crawler, settings))
        return RedisQueue(session, Codec(), crawler.spider, stays=settings.when_empty == "wait")
    error_rate = settings.visited_error_rate if settings.visited == "bloom" else None
    if folder is None:
        return MemoryQueue(error_rate)
    return SqliteQueue(Path(folder) / FILE_NAME, Codec(pickle=True), crawler.spider, error_rate=error_rate)


def _about(crawler: Crawler, settings: PoliteSettings) -> About:
    shown = {name: str(crawler.settings[name]) for name in _ALIKE}
    own = {"POLITE_STORE": str(settings.store), "POLITE_PACE_BY": str(settings.pace_by)}
    own["the workers of POLITE_SITES"] = str(dict(sorted(settings.sites.workers.items())))
    token = shared(crawler, CrawlRobots).default_token
    return {SPIDER: crawler.spidercls.name, "the name for robots.txt": token} | shown | own


def queue_shown(settings: PoliteSettings, spider: str, folder: str | None) -> str:
    """Where the queue of a crawl is, for the start line."""
    if settings.frontier is not None:
        return f"job {settings.job or spider} on {settings.frontier}"
    return f"in {Path(folder, FILE_NAME)}" if folder else "in memory"


def jobs_on(location: StoreLocation) -> Jobs:
    """The jobs on a server, for commands."""
    return RedisJobs(server_of(location), Codec())


def scrapy_redis_start(location: StoreLocation, key: str, encoding: str) -> Iterator[Request]:
    """What scrapy-redis would start with. Raises FrontierError, also for an entry that is none."""
    return start_requests(server_of(location), key, encoding)


def server_of(location: StoreLocation) -> RedisUrl:
    if location.server is None:
        raise ValueError(f"{location} is no server")
    return location.server
