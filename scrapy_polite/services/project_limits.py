"""What the project's own settings say of pace: Scrapy's (DOWNLOAD_DELAY, DOWNLOAD_SLOTS, concurrency) and ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler

    from scrapy_polite.origin import Origin
    from scrapy_polite.pacing.gate import Gate
    from scrapy_polite.settings import PoliteSettings


class ProjectLimits:
    """The limits of one crawl. In an audit of pacing Scrapy's own settings keep their meaning."""

    def __init__(self, crawler: Crawler, polite: PoliteSettings) -> None:
        settings, spider = crawler.settings, crawler.spider
        # Scrapy before 2.19 leaves these attributes of a spider to its downloader; since, they end up in the settings.
        # As many as the downloader's slot lets go: what it held back would hold a place in CONCURRENT_REQUESTS.
        self.concurrency: int = (
            int(settings["CONCURRENT_REQUESTS_PER_IP"] or 0)  # deprecated: `getint` would warn, too
            or _number_of(spider, "max_concurrent_requests")
            or settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN")
        )
        self._delay_s: float = _number_of(spider, "download_delay") or settings.getfloat("DOWNLOAD_DELAY")
        self._slots: Mapping[str, Mapping[str, Any]] = settings.getdict("DOWNLOAD_SLOTS")
        self._polite = polite
        self._audit = polite.audits("pacing")

    def join(self, gate: Gate, origin: Origin) -> None:
        """Have `gate` keep those of `origin`, too."""
        slot = self._slots.get(origin.host, {})
        polite, site, audit = self._polite, self._polite.sites.policy(origin), self._audit
        delays = (
            (float(slot.get("delay", self._delay_s)), "DOWNLOAD_SLOTS" if "delay" in slot else "DOWNLOAD_DELAY"),
            (0.0 if audit else polite.min_delay, "POLITE_MIN_DELAY"),
            (0.0 if audit else site.delay, "POLITE_SITES"),
        )
        gate.join_own(
            tuple(delay for delay in delays if delay[0] > 0),
            polite.max_crawl_delay if site.max_crawl_delay is None else site.max_crawl_delay,
            int(slot.get("concurrency", self.concurrency)),
            None if audit else site.budget,
            1 if polite.frontier is None else site.workers,
        )


def _number_of(spider: Spider | None, name: str) -> Any:
    value = getattr(spider, name, None)
    return value if isinstance(value, (int, float)) else None
