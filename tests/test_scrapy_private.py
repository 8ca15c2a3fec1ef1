"""What is private in Scrapy may go: then each function has its fallback, and nothing is raised."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request
from scrapy.spiders import SitemapSpider

from crawlers import crawler
from scrapy_polite._scrapy import downloader, engine, handlers, spiders
from scrapy_polite._scrapy.private import USES
from scrapy_polite._scrapy.slots import Slots

REQUEST = Request("http://a/")
#: Engines of a Scrapy that has changed: whole rooms are gone, or only what is in them.
CHANGED = {
    "no engine": None,
    "nothing": SimpleNamespace(),
    "empty slot, downloader and scraper": SimpleNamespace(
        _slot=SimpleNamespace(), downloader=SimpleNamespace(handlers=SimpleNamespace()), scraper=SimpleNamespace()
    ),
}
FALLBACKS = {
    engine.in_progress: frozenset(),
    engine.scheduler_of: None,
    engine.is_at_rest: True,
    engine.is_starting: False,
    engine.wake: None,
    downloader.active: frozenset(),
    downloader.max_active: 0,
    handlers.unbind_connections: None,
    handlers.bound_headers: None,
    handlers.resend_nothing: None,
}


@pytest.mark.parametrize("changed", CHANGED.values(), ids=CHANGED)
def test_what_has_gone_from_scrapy_has_a_fallback(changed: Any) -> None:
    assert {function: function(changed) for function in FALLBACKS} == FALLBACKS
    assert list(handlers.http_handlers(changed)) == []
    assert downloader.slot_of(changed, REQUEST) is None
    assert not downloader.line_of(changed, REQUEST)
    with downloader.extra_place(changed):
        engine.hold_back(changed, lambda: True, lambda: True)
    engine.guard_start(changed, lambda: asyncio.sleep(0, True), lambda: None)


def test_without_a_slot_the_crawl_counts_as_closing() -> None:
    assert [engine.is_closing(changed) for changed in CHANGED.values()] == [True, True, False]


def test_a_crawl_that_cannot_open_ends_without_handlers_that_close() -> None:
    crawl = crawler()
    changed = SimpleNamespace()
    asyncio.run(engine.make_unopened(crawl, changed))
    assert crawl.spider is None
    assert changed.spider is None


def test_slots_that_have_gone_are_left_alone() -> None:
    crawl = crawler()
    crawl.engine = SimpleNamespace()
    slots = Slots(crawl)
    slots.without_jitter()
    slots.tell_throttler(REQUEST, 1.0)
    slots.resend_nothing()
    assert slots.delay_s(REQUEST) == 0.0


def test_a_sitemap_spiders_callback_tells_what_is_for_a_sitemap(monkeypatch: pytest.MonkeyPatch) -> None:
    spider = SitemapSpider(name="sitemaps")
    request = Request("http://a/", spider._parse_sitemap)
    assert spiders.is_for_sitemap(request, spider)
    assert not spiders.is_for_sitemap(Request("http://a/", spider.parse), spider)
    assert not spiders.is_for_sitemap(request, None)
    monkeypatch.delattr(SitemapSpider, "_parse_sitemap")
    assert not spiders.is_for_sitemap(request, spider)
    assert not spiders.is_for_sitemap(REQUEST, spider)


def test_the_table_has_each_function_once_with_all_that_is_to_be_said() -> None:
    names = [use.function for use in USES]
    assert len(names) == len(set(names))
    assert {f"engine.{name}" for name in ("is_closing", "wake", "hold_back", "guard_start", "make_unopened")} <= set(
        names
    )
    assert all((use.purpose, use.uses, use.versions, use.fallback, use.ask) for use in USES)
