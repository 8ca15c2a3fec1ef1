"""The process of a worker in `scale_out.py`: follows all links of all pages, with scrapy-polite or with scrapy-redis.

`python _scale_spider.py SETTINGS URL ...`, where SETTINGS is JSON. At the end it says, as JSON, how many pages it had,
from when to when (monotonic), its CPU seconds and the longest time for which its loop was held.
"""

from __future__ import annotations

import asyncio
import json
import re
import resource
import sys
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import scrapy
from scrapy.crawler import AsyncCrawlerProcess

_LINK = re.compile(rb'href="([^"]+)"')
_STEP_S = 0.001


class Spider(scrapy.Spider):
    name = "scale"
    pages = 0
    first_at = last_at = held_s = 0.0
    urls: list[str]

    async def start(self) -> AsyncIterator[Any]:
        self.watching = asyncio.ensure_future(self.watch())
        for url in self.urls:
            yield scrapy.Request(url)

    async def watch(self) -> None:
        before = time.monotonic()
        while True:
            await asyncio.sleep(_STEP_S)
            now = time.monotonic()
            self.held_s = max(self.held_s, now - before - _STEP_S)
            before = now

    def parse(self, response: Any) -> Iterator[Any]:
        cls = type(self)
        cls.pages += 1
        cls.last_at = time.monotonic()
        cls.first_at = cls.first_at or cls.last_at
        cls.held_s = self.held_s
        for link in _LINK.findall(response.body):
            yield scrapy.Request(link.decode())


def main() -> None:
    settings, *urls = sys.argv[1:]
    process = AsyncCrawlerProcess(json.loads(settings))
    spider: Any = type("Spider", (Spider,), {"urls": urls})
    process.crawl(spider)
    process.start()
    used = resource.getrusage(resource.RUSAGE_SELF)
    names = ("pages", "first_at", "last_at", "held_s")
    print(json.dumps({name: getattr(spider, name) for name in names} | {"cpu_s": used.ru_utime + used.ru_stime}))


if __name__ == "__main__":
    main()
