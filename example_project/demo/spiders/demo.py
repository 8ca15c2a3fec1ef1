"""The demo crawl: every page of the demo site that the rules allow; and the same with stock Scrapy."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

from scrapy import Request, Spider
from scrapy.http import Response, TextResponse

from demo.extension import DemoSite
from demo.site.origins import ORIGINS


class DemoSpider(Spider):
    """Follows all links of the demo site, which runs on this machine for as long as the crawl does."""

    name = "demo"
    allowed_domains = sorted({origin.host for origin in ORIGINS})
    custom_settings = {  # noqa: RUF012
        "EXTENSIONS": {"demo.extension.DemoSite": 0},
        # One demo origin never lets anybody know its rules; do not wait for it longer than a demo may last.
        "POLITE_MAX_IDLE": 10,
        # The ports of the site are new on every run: nothing here is worth keeping.
        "POLITE_STORE": "memory",
        # By default both are only marked, for the spider to see.
        "POLITE_NOFOLLOW": "refuse",
        "POLITE_NOINDEX": "drop",
        # What a person has decided for single sites, after a look at them.
        "POLITE_SITES": {
            "127.0.0.1": {"sitemaps": "seed"},
            "127.0.0.27": {"dialect": "classic"},
            "127.0.0.28": {"host": "follow"},
        },
        "CLOSESPIDER_TIMEOUT": 55,
    }

    async def start(self) -> AsyncIterator[Any]:
        site = self.crawler.get_extension(DemoSite)
        assert site
        yield Request(site.start_url)

    def parse(self, response: Response) -> Iterator[Any]:
        assert isinstance(response, TextResponse)
        yield {"url": response.url, "title": response.css("title::text").get()}
        yield from response.follow_all(css="a")


class DemoWorkerSpider(DemoSpider):
    """One of the workers of `python -m demo.workers`, which has the site."""

    name = "demo_worker"
    custom_settings = {  # noqa: RUF012
        name: value for name, value in DemoSpider.custom_settings.items() if name not in ("EXTENSIONS", "POLITE_STORE")
    }

    def __init__(self, start_url: str = "", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if not start_url:
            raise ValueError("the argument start_url is missing; use: python -m demo.workers")
        self._start_url = start_url

    async def start(self) -> AsyncIterator[Any]:
        yield Request(self._start_url)


class DemoStockSpider(DemoSpider):
    """The same crawl with the add-on off: with Scrapy's own robots.txt middleware and scheduler."""

    name = "demo_stock"
    custom_settings = {**DemoSpider.custom_settings, "ADDONS": {}, "ROBOTSTXT_OBEY": True}  # noqa: RUF012
