"""What was loaded before a crawl is frozen while it runs, and no longer."""

from __future__ import annotations

import gc
import subprocess
import sys

from scrapy import Spider, signals

from crawlers import crawler
from scrapy_polite.monitor.startup import StartupFreeze

CRAWL = """
import gc
import scrapy
from scrapy.crawler import AsyncCrawlerProcess

class Counts(scrapy.Spider):
    name = "counts"

    async def start(self):
        print("frozen", gc.get_freeze_count() > 0)
        if False:
            yield

process = AsyncCrawlerProcess({"ADDONS": {"scrapy_polite.Addon": 300}, "LOG_LEVEL": "ERROR",
    "USER_AGENT": "testbot/1.0 (+https://bot.example/)", "POLITE_STORE": "memory", "EXTENSIONS": %s})
process.crawl(Counts)
process.start()
print("after", gc.get_freeze_count() > 0)
"""


def said(extensions: str) -> list[str]:
    command = [sys.executable, "-c", CRAWL % extensions]
    return subprocess.run(command, capture_output=True, check=True, text=True, timeout=60).stdout.splitlines()


def test_a_crawl_freezes_what_was_loaded_and_frees_it_at_its_end() -> None:
    assert said("{}") == ["frozen True", "after False"]


def test_a_project_can_turn_it_off() -> None:
    assert said("{'scrapy_polite.monitor.startup.StartupFreeze': None}") == ["frozen False", "after False"]


def test_what_a_crawl_makes_is_collected() -> None:
    # The tests themselves are frozen (conftest.py).
    gc.unfreeze()
    made = crawler()
    StartupFreeze.from_crawler(made)
    made.signals.send_catch_log(signals.spider_opened, spider=Spider("demo"))
    try:
        ring: list[object] = []
        ring.append(ring)
        del ring
        assert gc.collect() > 0
    finally:
        made.signals.send_catch_log(signals.spider_closed, spider=Spider("demo"))
    assert gc.get_freeze_count() == 0
