"""Which queue a crawl has: the one place that names the backends."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scrapy_polite._crawl import shared
from scrapy_polite.frontier.codec import Codec
from scrapy_polite.frontier.memory import MemoryQueue
from scrapy_polite.frontier.sqlite.queue import SqliteQueue
from scrapy_polite.frontier.sqlite.schema import FILE_NAME
from scrapy_polite.settings import PoliteSettings

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from scrapy_polite.frontier.queue import Queue


def queue_of(crawler: Crawler, folder: str | None) -> Queue:
    """A queue in the job directory, or in memory where there is none."""
    settings = shared(crawler, PoliteSettings)
    error_rate = settings.visited_error_rate if settings.visited == "bloom" else None
    if folder is None:
        return MemoryQueue(error_rate)
    return SqliteQueue(Path(folder) / FILE_NAME, Codec(pickle=True), crawler.spider, error_rate=error_rate)
