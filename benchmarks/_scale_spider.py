"""A process in `_scale_speed.py`: follows all links of all pages, with scrapy-polite or with scrapy-redis.

`python _scale_spider.py SETTINGS URL ...`, where SETTINGS is JSON. At the end it says, as JSON, how many pages it had,
from when to when (monotonic), the CPU seconds of the process in between, and for how long its loop was held: the
longest time, and that of all but one in a thousand.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, ClassVar

import scrapy
from scrapy.crawler import AsyncCrawlerProcess

_LINK = re.compile(rb'href="([^"]+)"')
_STEP_S = 0.001
#: Of the first pages each costs more: what is imported, compiled, connected.
_WARM = 50


class Spider(scrapy.Spider):
    name = "scale"
    pages = 0
    first_at = last_at = first_cpu_s = last_cpu_s = 0.0
    held_s: ClassVar[list[float]] = []
    urls: list[str]

    async def start(self) -> AsyncIterator[Any]:
        self.watching = asyncio.ensure_future(self.watch())
        for url in self.urls:
            yield scrapy.Request(url)

    async def watch(self) -> None:
        """For how long the loop did not come back, the time left out for which the machine ran something else."""
        before, waited = time.monotonic(), _waited_s()
        while True:
            await asyncio.sleep(_STEP_S)
            now, waits = time.monotonic(), _waited_s()
            if self.pages > _WARM:
                self.held_s.append(now - before - _STEP_S - (waits - waited))
            before, waited = now, waits

    def parse(self, response: Any) -> Iterator[Any]:
        cls = type(self)
        cls.pages += 1
        cls.last_at, cls.last_cpu_s = time.monotonic(), time.process_time()
        if cls.pages == _WARM:
            cls.first_at, cls.first_cpu_s = cls.last_at, cls.last_cpu_s
        for link in _LINK.findall(response.body):
            yield scrapy.Request(link.decode())


def _waited_s() -> float:
    """For how long this thread has waited for a core, by Linux's scheduler."""
    return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9


def main() -> None:
    settings, *urls = sys.argv[1:]
    process = AsyncCrawlerProcess(json.loads(settings))
    spider: Any = type("Spider", (Spider,), {"urls": urls})
    process.crawl(spider)
    process.start()
    held_s = sorted(spider.held_s) or [0.0]
    said = {
        "pages": max(spider.pages - _WARM, 0),
        "first_at": spider.first_at,
        "last_at": spider.last_at,
        "cpu_s": spider.last_cpu_s - spider.first_cpu_s,
        "held_s": held_s[-1],
        "usually_held_s": held_s[len(held_s) * 999 // 1000],
    }
    print(json.dumps(said))


if __name__ == "__main__":
    main()
