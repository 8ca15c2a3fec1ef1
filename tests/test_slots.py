"""The downloader's slots, as they are in Scrapy's versions: what is read of them, and put there."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request

from crawlers import crawler
from scrapy_polite._scrapy.slots import Slots


class Crawl:
    """A crawl with a downloader of one slot a host. `slots` is what is tested."""

    def __init__(self, by_host: dict[str, Any], settings: dict[str, Any] | None = None) -> None:
        self.downloader = SimpleNamespace(
            slots=by_host, per_slot_settings=settings or {}, get_slot_key=lambda request: request.url.split("/")[2]
        )
        self.crawler = crawler()
        self.crawler.engine = SimpleNamespace(downloader=self.downloader)
        self.slots = Slots(self.crawler)


@pytest.mark.parametrize(
    ("attribute", "key"), [("_jitter", "jitter"), ("randomize_delay", "randomize_delay")], ids=["2.19", "before"]
)
def test_slots_do_not_wait_again_with_a_jitter_of_their_own(attribute: str, key: str) -> None:
    crawl = Crawl({}, {"a": {"delay": 1.0, key: 0.5}})
    setattr(crawl.downloader, attribute, 0.5)
    crawl.slots.without_jitter()
    assert getattr(crawl.downloader, attribute) == 0
    assert crawl.downloader.per_slot_settings == {"a": {"delay": 1.0, key: 0}}


def test_scrapys_throttler_is_told_where_there_is_one() -> None:
    crawl = Crawl({})
    told: list[tuple[str, float, bool]] = []

    def manager(scope: str) -> Any:
        def set_base_delay(seconds: float, *, only_increase: bool) -> None:
            told.append((scope, seconds, only_increase))

        return SimpleNamespace(set_base_delay=set_base_delay)

    crawl.crawler.throttler = SimpleNamespace(get_scopes=lambda request: ["one", "two"], get_scope_manager=manager)
    crawl.slots.tell_throttler(Request("http://a/"), 2.0)
    assert told == [("one", 2.0, True), ("two", 2.0, True)]


def test_a_downloader_of_the_projects_own_is_left_alone() -> None:
    crawl = Crawl({})
    crawl.crawler.engine.downloader = SimpleNamespace()
    crawl.slots.without_jitter()
    crawl.slots.resend_nothing()
    assert vars(crawl.crawler.engine.downloader) == {}
    assert crawl.slots.delay_s(Request("http://a/")) == 0.0


def test_a_lost_request_is_sent_again_by_no_http_client() -> None:
    crawl = Crawl({})
    handlers = {
        "http": SimpleNamespace(_pool=SimpleNamespace(retryAutomatically=True)),
        "https": SimpleNamespace(_session=SimpleNamespace(_retry_connection=True)),
    }
    crawl.downloader.handlers = SimpleNamespace(_get_handler=handlers.get)
    crawl.slots.resend_nothing()
    assert handlers["http"]._pool.retryAutomatically is False
    assert handlers["https"]._session._retry_connection is False


def test_autothrottles_delay_is_that_of_the_slot_or_its_first_one() -> None:
    crawl = Crawl({"a": SimpleNamespace(delay=0.7)})
    crawl.crawler.settings.set("AUTOTHROTTLE_START_DELAY", 4.0)
    slots = Slots(crawl.crawler)
    assert [slots.delay_s(Request(f"http://{host}/")) for host in ("a", "b")] == [0.7, 4.0]
