"""The stream of one crawl's events."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from scrapy import signals

from scrapy_polite._crawl import shared
from scrapy_polite.events.log import EventLog
from scrapy_polite.events.refused_file import RefusedFile
from scrapy_polite.events.stats import EventStats
from scrapy_polite.events.tallies import Tallies
from scrapy_polite.settings import PoliteSettings

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from typing_extensions import Self

    from scrapy_polite.events.values import Event

_E = TypeVar("_E", bound="Event")

logger = logging.getLogger(__name__)


class Events:
    """Hands each event to those who read its kind, in the order in which they asked for it."""

    def __init__(self) -> None:
        self._readers: defaultdict[type, list[Callable[[Any], None]]] = defaultdict(list)
        self.tallies = Tallies()
        self._refused_file: RefusedFile | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        events = cls()
        settings = shared(crawler, PoliteSettings)
        EventStats(crawler).join(events.read)
        EventLog(crawler, settings.max_idle).join(events.read)
        events.tallies.join(events.read)
        if settings.refused_file:
            events._refused_file = RefusedFile(Path(settings.refused_file))
            events._refused_file.join(events.read)
            crawler.signals.connect(events._refused_file.open, signals.spider_opened)
        crawler.signals.connect(events.close, signals.engine_stopped)
        return events

    def read(self, kind: type[_E], reader: Callable[[_E], None]) -> None:
        """Have `reader` called with each event of a kind from now on."""
        self._readers[kind].append(reader)

    def publish(self, event: Event) -> None:
        """Hand an event on. A reader that raises is an error in the log and costs nobody a request."""
        for reader in self._readers.get(type(event), ()):
            try:
                reader(event)
            except Exception:  # noqa: PERF203 (each reader for itself)
                logger.exception("A reader of %s has raised: it misses this one", type(event).__name__)

    def close(self) -> None:
        if self._refused_file is not None:
            self._refused_file.close()
