"""What was loaded before a crawl is kept out of the garbage collector's way (`gc.freeze`) until the crawl is over.

A crawl makes many small objects, and each full collection walks all that there are: modules, classes and functions,
too, which stay for as long as the process does. That takes some 5 % of a crawl's CPU, with stock Scrapy as with this
package (benchmarks/crawl_overhead.py). To turn it off: `EXTENSIONS = {"scrapy_polite.monitor.startup.StartupFreeze":
None}`.
"""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.exceptions import NotConfigured

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from typing_extensions import Self


class StartupFreeze:
    """Keeps what was loaded before the crawl out of the garbage collector's way, with `gc.freeze`, until its end."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not hasattr(gc, "freeze"):
            raise NotConfigured("this Python's garbage collector has nothing to freeze")
        extension = cls()
        crawler.signals.connect(extension.spider_opened, signals.spider_opened)
        crawler.signals.connect(extension.spider_closed, signals.spider_closed)
        return extension

    def spider_opened(self) -> None:
        gc.freeze()

    def spider_closed(self) -> None:
        gc.unfreeze()
