"""Each part made by itself, of a crawler without an engine or a mock of one, as Scrapy's own parts can be."""

from __future__ import annotations

import asyncio
import inspect
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
import scrapy
from scrapy import Request, Spider, signals
from scrapy.core.downloader import Downloader
from scrapy.exceptions import IgnoreRequest
from scrapy.http import TextResponse
from scrapy.settings import Settings
from scrapy.utils.misc import build_from_crawler
from scrapy.utils.test import get_crawler

from scrapy_polite import downloadermiddlewares, spidermiddlewares
from scrapy_polite.dupefilters import PoliteDupeFilter
from scrapy_polite.frontier import Scheduler

pytestmark = pytest.mark.skipif(
    scrapy.version_info < (2, 15), reason="get_crawler of Scrapy 2.14 needs a reactor in the process of the tests"
)

PARTS = [
    *(
        part
        for module in (downloadermiddlewares, spidermiddlewares)
        for name, part in inspect.getmembers(module, inspect.isclass)
        if part.__module__.startswith(module.__name__) and name[0] != "_"
        if hasattr(part, "from_crawler")
    ),
    PoliteDupeFilter,
    Scheduler,
]
#: What is there only with some setting, and which.
ONLY_WITH = {
    downloadermiddlewares.RecrawlMiddleware: "POLITE_RECRAWL",
    spidermiddlewares.RecrawlMiddleware: "POLITE_RECRAWL",
    spidermiddlewares.BroughtMiddleware: "POLITE_RECRAWL",
    spidermiddlewares.SeedsMiddleware: "POLITE_SEEDS",
}
SETTINGS: dict[str, Any] = {
    "TWISTED_REACTOR": None,
    "ADDONS": {"scrapy_polite.Addon": 300},
    "POLITE_STORE": "memory",
    "POLITE_RUN_RECORD": False,
    "POLITE_REMEMBER_DEAD_DAYS": 1,
    "POLITE_SITEMAPS": "seed",
    "POLITE_CONTACT_EMAIL": "me@bot.example",
}
URL = "http://127.0.0.1:9/page"
RULES = b"User-agent: *\nDisallow: /private\n"


def unstarted(**settings: Any) -> Any:
    return get_crawler(settings_dict=SETTINGS | settings)


def mocked(**settings: Any) -> Any:
    """As Scrapy's own tests do it."""
    crawler = mock.MagicMock()
    crawler.settings = Settings({"ROBOTSTXT_OBEY": True} | SETTINGS | settings)
    crawler.request_fingerprinter.fingerprint.return_value = b"fingerprint"
    crawler.engine.download_async = mock.AsyncMock(return_value=TextResponse("http://x/robots.txt", body=RULES))
    return crawler


either = pytest.mark.parametrize("made", [unstarted, mocked])
every_part = pytest.mark.parametrize("part", PARTS, ids=lambda part: f"{part.__module__}.{part.__name__}")


async def asked(part: Any, request: Request) -> Any:
    result = part.process_request(request)
    return await result if inspect.isawaitable(result) else result


@either
@every_part
def test_a_part_is_made_and_asked_without_an_engine(part: Any, made: Any, tmp_path: Path) -> None:
    own = {
        "POLITE_RECRAWL": {"POLITE_RECRAWL": "links", "POLITE_STORE": str(tmp_path / "store.sqlite")},
        "POLITE_SEEDS": {"POLITE_SEEDS": str(tmp_path / "seeds.sqlite")},
    }
    crawler = made(**own.get(ONLY_WITH.get(part, ""), {}))
    alone = build_from_crawler(part, crawler)
    if hasattr(alone, "process_request"):
        assert asyncio.run(asked(alone, Request(URL, meta={"dont_obey_robotstxt": True}))) is None


def test_where_no_engine_can_fetch_a_robots_txt_its_pages_are_refused_at_once() -> None:
    crawler = unstarted()
    robots = downloadermiddlewares.RobotsTxtMiddleware.from_crawler(crawler)
    with pytest.raises(IgnoreRequest, match="robots/"):
        asyncio.run(asyncio.wait_for(asked(robots, Request(URL)), 5))


def test_a_mock_of_the_engine_fetches_the_robots_txt() -> None:
    robots = downloadermiddlewares.RobotsTxtMiddleware.from_crawler(mocked())

    async def both() -> None:
        assert await asked(robots, Request("http://x/page")) is None
        with pytest.raises(IgnoreRequest, match="robots/disallow"):
            await asked(robots, Request("http://x/private"))

    asyncio.run(asyncio.wait_for(both(), 5))


def test_a_dupefilter_alone_knows_what_it_has_seen() -> None:
    alone = PoliteDupeFilter.from_crawler(unstarted())
    assert [alone.request_seen(Request(URL)) for _ in range(2)] == [False, True]


def test_a_scheduler_alone_keeps_what_it_is_given() -> None:
    alone = Scheduler.from_crawler(unstarted())

    async def used() -> None:
        alone.open(Spider("demo"))
        await asyncio.sleep(0)
        alone.enqueue_request(Request(URL))
        assert alone.has_pending_requests()
        taken = alone.next_request()
        assert taken is not None
        assert taken.url == URL
        alone.close("finished")

    asyncio.run(used())


def test_scrapys_downloader_is_made_alone_with_our_middlewares() -> None:
    downloader = Downloader(unstarted())
    ours = {type(made) for made in downloader.middleware.middlewares if type(made) in PARTS}
    assert ours >= {downloadermiddlewares.RobotsTxtMiddleware, downloadermiddlewares.PacingMiddleware}


def test_extensions_hear_of_a_spider_that_no_engine_opened(caplog: pytest.LogCaptureFixture) -> None:
    crawler = unstarted()
    crawler.spider = Spider("demo")

    async def opened_and_closed() -> None:
        await crawler.signals.send_catch_log_async(signals.spider_opened, spider=crawler.spider)
        await crawler.signals.send_catch_log_async(signals.spider_closed, spider=crawler.spider, reason="finished")

    asyncio.run(opened_and_closed())
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []
