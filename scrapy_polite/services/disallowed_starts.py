"""Start requests that robots.txt forbids, although it allows paths beneath them: told, or the paths are queued."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING
from weakref import ref

from scrapy_polite._crawl import count, shared, spider_of
from scrapy_polite._engine import Engine
from scrapy_polite.origin import origin_of
from scrapy_polite.robots.beneath import allowed_beneath
from scrapy_polite.robots.rules import RobotsTxt
from scrapy_polite.services.seeds import seed
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.text import counted, printable

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from typing_extensions import Self

    from scrapy_polite.decision import Decision

logger = logging.getLogger(__name__)

#: Start URLs that are told of, each once.
_MAX_TOLD = 20
_MAX_NAMED = 5


class DisallowedStarts:
    def __init__(self, crawler: Crawler) -> None:
        self._crawler = ref(crawler)
        self._settings = shared(crawler, PoliteSettings)
        self._engine = shared(crawler, Engine)
        self._told: set[str] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def refused(self, start: Request, url: str, rules: object, decision: Decision) -> None:
        """A start request for `url` is refused by these rules. A project's own parser knows no paths."""
        if not isinstance(rules, RobotsTxt):
            return
        queues = self._queues(url)
        if not (queues or (self._tells and url not in self._told)):
            return
        urls, patterns = allowed_beneath(rules, url)
        if not urls and not patterns:
            return
        if queues:
            for child in urls:
                self._engine.queue(seed(start, child))
            count(self._crawler, "polite/disallowed_start_children", len(urls))
        self._tell(url, [*urls, *patterns], len(urls) if queues else None, decision)

    def _queues(self, url: str) -> bool:
        origin, settings = origin_of(url), self._settings
        # Through a rendering API the URL of a page is not the URL of its request.
        if origin is None or settings.target_url is not None:
            return False
        return (settings.sites.policy(origin).disallowed_start or settings.disallowed_start) == "seed"

    @property
    def _tells(self) -> bool:
        return len(self._told) < _MAX_TOLD

    def _tell(self, url: str, allowed: list[str], queued: int | None, decision: Decision) -> None:
        if url in self._told or not self._tells:
            return
        self._told.add(url)
        named = ", ".join(printable(one, 100) for one in allowed[:_MAX_NAMED])
        if len(allowed) > _MAX_NAMED:
            named += f" and {counted(len(allowed) - _MAX_NAMED, 'more path')}"
        doing = (
            f"{queued:,} of them are queued (those without wildcards)"
            if queued is not None
            else 'Start there, or set POLITE_DISALLOWED_START = "seed", which queues those without wildcards'
        )
        logger.warning(
            "%s may not be fetched (robots.txt, %s), but robots.txt allows beneath it: %s. %s",
            printable(url),
            printable(decision.detail, 120),
            named,
            doing,
            extra={"spider": spider_of(self._crawler)},
        )
