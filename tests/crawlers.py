"""A crawler that is not started: for what only reads its settings, counts its stats or sends its signals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import scrapy
from scrapy.crawler import Crawler
from scrapy.settings import Settings
from scrapy.statscollectors import MemoryStatsCollector


def crawler(settings: Mapping[str, Any] | None = None, **spider: Any) -> Crawler:
    """A crawler with project settings and a spider class of the attributes `spider`; no add-on is applied."""
    made = Crawler(type("Spider", (scrapy.Spider,), {"name": "unit"} | spider), Settings(dict(settings or {})))
    made.stats = MemoryStatsCollector(made)
    return made
