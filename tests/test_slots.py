"""The downloader's slots, as they are in Scrapy's versions: what is put on them, and kept."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request
from scrapy.core import downloader as scrapy_downloader

from crawlers import crawler
from scrapy_polite import _slots
from scrapy_polite._slots import Slots

NEWER, OLDER = {"jitter": 0.5}, {"randomize_delay": True}
either_version = pytest.mark.parametrize("jitter", [NEWER, OLDER], ids=["slot.jitter", "slot.randomize_delay"])


def slot(**more: Any) -> Any:
    return SimpleNamespace(**{"delay": 0.0, "concurrency": 8, "lastseen": 0.0} | more)


class Crawl:
    """A crawl with a downloader of one slot a host. `slots` is what is tested."""

    def __init__(self, by_host: dict[str, Any], settings: dict[str, Any] | None = None) -> None:
        self.downloader = SimpleNamespace(
            slots=by_host, per_slot_settings=settings or {}, get_slot_key=lambda request: request.url.split("/")[2]
        )
        self.crawler = crawler()
        self.crawler.engine = SimpleNamespace(downloader=self.downloader)
        self.slots = Slots(self.crawler)

    def floor(self, host: str, seconds: float, last_at: float = 0.0) -> None:
        self.slots.set_floor(Request(f"http://{host}/"), seconds, last_at)


@either_version
def test_a_delay_is_put_on_the_slot_one_at_a_time_and_without_jitter(jitter: dict[str, Any]) -> None:
    crawl = Crawl({"a": slot(**jitter)})
    crawl.floor("a", 2.0)
    found = crawl.downloader.slots["a"]
    assert (found.delay, found.concurrency) == (2.0, 1)
    assert [getattr(found, name) for name in jitter] == [0]


@either_version
def test_a_slot_that_is_made_anew_has_the_delay_as_well(jitter: dict[str, Any]) -> None:
    crawl = Crawl({"a": slot(**jitter)})
    crawl.floor("a", 2.0)
    assert crawl.downloader.per_slot_settings["a"] == {"delay": 2.0, "concurrency": 1} | dict.fromkeys(jitter, 0)


def test_the_larger_delay_of_project_autothrottle_and_host_holds() -> None:
    crawl = Crawl({"a": slot(delay=5.0), "b": slot()}, {"b": {"delay": 3.0}})
    crawl.floor("a", 2.0)
    crawl.floor("b", 2.0)
    assert [crawl.downloader.slots[name].delay for name in ("a", "b")] == [5.0, 3.0]


def test_a_slot_that_autothrottle_has_lowered_is_raised_again() -> None:
    crawl = Crawl({"a": slot()})
    crawl.floor("a", 2.0)
    crawl.downloader.slots["a"].delay = 0.1
    crawl.floor("a", 2.0)
    assert crawl.downloader.slots["a"].delay == 2.0


@pytest.mark.parametrize("clock", ["monotonic", "time"])
def test_a_slot_counts_from_the_last_answer_by_its_own_clock(monkeypatch: pytest.MonkeyPatch, clock: str) -> None:
    monkeypatch.delattr(scrapy_downloader, "monotonic", raising=False)
    monkeypatch.setattr(_slots, "time", SimpleNamespace(time=lambda: 1_000.0))
    if clock == "monotonic":
        monkeypatch.setattr(scrapy_downloader, "monotonic", lambda: 50.0, raising=False)
    crawl = Crawl({"a": slot()})
    crawl.floor("a", 2.0, last_at=999.0)
    assert crawl.downloader.slots["a"].lastseen == {"monotonic": 49.0, "time": 999.0}[clock]


def test_a_slot_that_has_sent_since_the_last_answer_counts_from_there() -> None:
    crawl = Crawl({"a": slot(lastseen=1e12)})
    crawl.floor("a", 2.0, last_at=time.time())
    assert crawl.downloader.slots["a"].lastseen == 1e12


def test_of_many_hosts_the_settings_are_let_go_and_the_projects_own_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_slots, "_MAX_KEPT", 2)
    crawl = Crawl({}, {"a": {"delay": 1.0}})
    for host in ("a", "b", "c", "d"):
        crawl.floor(host, 2.0)
    kept = crawl.downloader.per_slot_settings
    assert kept["a"] == {"delay": 1.0}
    assert set(kept) == {"a", "c", "d"}


def test_where_there_is_no_delay_the_slot_stays_as_it_is() -> None:
    crawl = Crawl({"a": slot(jitter=0.5)})
    crawl.floor("a", 0.0)
    assert crawl.downloader.slots["a"] == slot(jitter=0.5)
    assert crawl.downloader.per_slot_settings == {}


def test_scrapys_throttler_is_told_instead_where_there_is_one() -> None:
    crawl = Crawl({"a": slot()})
    told: list[tuple[str, float, bool]] = []

    def manager(scope: str) -> Any:
        def set_base_delay(seconds: float, *, only_increase: bool) -> None:
            told.append((scope, seconds, only_increase))

        return SimpleNamespace(set_base_delay=set_base_delay)

    crawl.crawler.throttler = SimpleNamespace(get_scopes=lambda request: ["one", "two"], get_scope_manager=manager)
    crawl.floor("a", 2.0)
    assert told == [("one", 2.0, True), ("two", 2.0, True)]
    assert crawl.downloader.slots["a"] == slot()


def test_a_downloader_of_the_projects_own_is_left_alone() -> None:
    crawl = Crawl({})
    crawl.crawler.engine.downloader = SimpleNamespace()
    crawl.floor("a", 2.0)
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
    crawl = Crawl({"a": slot(delay=0.7)})
    crawl.crawler.settings.set("AUTOTHROTTLE_START_DELAY", 4.0)
    slots = Slots(crawl.crawler)
    assert [slots.delay_s(Request(f"http://{host}/")) for host in ("a", "b")] == [0.7, 4.0]
