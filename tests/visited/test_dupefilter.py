from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.request import RequestFingerprinter

from scrapy_polite.visited.dupefilter import PoliteDupeFilter

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

FIRST, SAME, OTHER = (Request(f"https://example.com/{path}") for path in ("?a=1&b=2", "?b=2&a=1", "?a=2"))


def new_crawler(settings: dict[str, str] | None = None) -> Crawler:
    crawler = Crawler(Spider, settings)
    crawler.request_fingerprinter = RequestFingerprinter()
    crawler.stats = MemoryStatsCollector(crawler)
    crawler.spider = Spider("test")
    crawler.spider.crawler = crawler
    return crawler


def test_without_a_queue_it_remembers_in_memory(tmp_path: Path) -> None:
    crawler = new_crawler({"JOBDIR": str(tmp_path)})
    dupefilter = PoliteDupeFilter.from_crawler(crawler)
    dupefilter.open()
    assert [dupefilter.request_seen(request) for request in (FIRST, SAME, OTHER)] == [False, True, False]
    dupefilter.close("finished")
    assert not list(tmp_path.iterdir())


def test_asks_whom_the_scheduler_names() -> None:
    asked: list[bytes] = []

    def visited(fingerprint: bytes) -> bool:
        asked.append(fingerprint)
        return len(asked) == 2

    dupefilter = PoliteDupeFilter()
    dupefilter.visited = visited
    assert [dupefilter.request_seen(request) for request in (OTHER, FIRST)] == [False, True]
    assert asked == [dupefilter.fingerprinter.fingerprint(request) for request in (OTHER, FIRST)]


def test_logs_and_counts_as_scrapy_does(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    crawler = new_crawler()
    assert crawler.spider is not None
    dupefilter = PoliteDupeFilter.from_crawler(crawler)
    dupefilter.log(FIRST, crawler.spider)
    dupefilter.log(FIRST, crawler.spider)
    assert crawler.stats is not None
    assert crawler.stats.get_value("dupefilter/filtered") == 2
    assert [record.getMessage()[:26] for record in caplog.records].count("Filtered duplicate request") == 1
