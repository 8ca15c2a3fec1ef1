from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.misc import build_from_crawler, load_object

from scrapy_polite.dupefilters import PoliteDupeFilter
from scrapy_polite.visited.memory import MemoryVisited

if TYPE_CHECKING:
    from pathlib import Path

    from scrapy_polite.origin import Origin

FIRST, SAME, OTHER = (Request(f"https://example.com/{path}") for path in ("?a=1&b=2", "?b=2&a=1&gclid=x", "?a=2"))


class LastLetter:
    """A project's own fingerprinter."""

    def fingerprint(self, request: Request) -> bytes:
        return request.url[-1:].encode()


def new_crawler(settings: dict[str, Any] | None = None) -> Crawler:
    crawler = Crawler(Spider, settings)
    crawler.request_fingerprinter = build_from_crawler(
        load_object(crawler.settings["REQUEST_FINGERPRINTER_CLASS"]), crawler
    )
    crawler.stats = MemoryStatsCollector(crawler)
    crawler.spider = Spider("test")
    crawler.spider.crawler = crawler
    return crawler


def seen(requests: list[Request], settings: dict[str, Any] | None = None) -> list[bool]:
    dupefilter = PoliteDupeFilter.from_crawler(new_crawler(settings))
    return [dupefilter.request_seen(request) for request in requests]


@pytest.mark.parametrize("visited", ["exact", "bloom"])
def test_without_a_queue_it_remembers_in_memory(visited: str, tmp_path: Path) -> None:
    crawler = new_crawler({"JOBDIR": str(tmp_path), "POLITE_VISITED": visited})
    dupefilter = PoliteDupeFilter.from_crawler(crawler)
    dupefilter.open()
    assert [dupefilter.request_seen(request) for request in (FIRST, SAME, OTHER)] == [False, True, False]
    dupefilter.close("finished")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("visited", ["exact", "bloom"])
def test_looking_whether_a_page_is_known_does_not_make_it_so(visited: str) -> None:
    dupefilter = PoliteDupeFilter.from_crawler(new_crawler({"POLITE_VISITED": visited}))
    assert not dupefilter.knows(FIRST.url)
    assert not dupefilter.request_seen(FIRST)
    assert [dupefilter.knows(url) for url in (FIRST.url, SAME.url, OTHER.url, "no url")] == [True, True, False, False]


def test_asks_whom_the_scheduler_names() -> None:
    asked: list[bytes] = []

    class Visited(MemoryVisited):
        def seen_or_add(self, fingerprint: bytes) -> bool:
            asked.append(fingerprint)
            return len(asked) == 2

    dupefilter = PoliteDupeFilter()
    dupefilter.remember_in(Visited(), lambda origin: ())
    assert [dupefilter.request_seen(request) for request in (OTHER, FIRST, SAME)] == [False, True, False]
    assert asked[1] == asked[2] != asked[0]


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(Request(FIRST.url, method="HEAD"), id="method"),
        pytest.param(Request(FIRST.url, body="a=1"), id="body"),
        pytest.param(Request("https://example.com/?a=1&b=3"), id="url"),
    ],
)
def test_method_body_and_page_make_a_request(other: Request) -> None:
    assert seen([FIRST, other, other]) == [False, False, True]


def test_headers_cookies_and_meta_do_not() -> None:
    assert seen([FIRST, Request(SAME.url, headers={"A": "b"}, cookies={"a": "b"}, meta={"a": 1})]) == [False, True]


def test_a_body_is_told_from_the_end_of_a_url() -> None:
    assert seen([Request("https://example.com/a"), Request("https://example.com/", body="a")]) == [False, False]


def test_the_request_stays_as_it_is() -> None:
    request = Request("https://example.com:443/%7e?b=2&a=1&utm_source=x#y")
    url = request.url
    seen([request])
    assert request.url == url


def test_a_project_with_a_fingerprinter_keeps_it() -> None:
    settings = {"REQUEST_FINGERPRINTER_CLASS": LastLetter}
    urls = ("https://example.com/a", "https://example.org/a", "https://example.com/b")
    assert seen([Request(url) for url in urls], settings) == [False, True, False]


def test_a_project_that_names_scrapys_fingerprinter_means_it() -> None:
    settings = {"REQUEST_FINGERPRINTER_CLASS": "scrapy.utils.request.RequestFingerprinter"}
    assert seen([FIRST, SAME], settings) == [False, False]


def test_what_makes_one_page_is_set_by_site() -> None:
    settings = {"POLITE_SITES": {"*.example.org": {"same_page": {"case": True}}}}
    urls = [
        f"https://{host}/{path}" for host in ("www.example.org", "www.example.com", "example.org:99") for path in "aA"
    ]
    assert seen([Request(url) for url in urls], settings) == [False, True, False, False, False, False]


@pytest.mark.parametrize("trusted", [True, False])
def test_clean_param_counts_where_the_site_is_trusted(trusted: bool) -> None:
    asked: list[Origin] = []

    def declared(origin: Origin) -> tuple[str, ...]:
        asked.append(origin)
        return ("ref /",)

    settings = {"POLITE_SITES": {"*": {"same_page": {"clean_param": trusted}}}}
    dupefilter = PoliteDupeFilter.from_crawler(new_crawler(settings))
    dupefilter.remember_in(MemoryVisited(), declared)
    requests = [Request(f"https://example.com/?ref={number}") for number in (1, 2)]
    assert [dupefilter.request_seen(request) for request in requests] == [False, trusted]
    assert [str(origin) for origin in asked] == ["https://example.com"] * 2 * trusted


@pytest.mark.parametrize("url", ["data:,x", "file:///a", "s3://bucket/a", "https://a..b/", "https://"])
def test_a_url_without_origin_is_seen_once_as_well(url: str) -> None:
    settings = {"POLITE_SITES": {"*": {"same_page": {"case": True}}}}
    assert seen([Request(url), Request(url), FIRST], settings) == [False, True, False]


class _OwnFilter(PoliteDupeFilter):
    def request_seen(self, request: Request) -> bool:
        return super().request_seen(request)


@pytest.mark.parametrize(
    ("kind", "settings", "sure"),
    [
        (PoliteDupeFilter, {}, True),
        (_OwnFilter, {}, False),
        (PoliteDupeFilter, {"REQUEST_FINGERPRINTER_CLASS": "scrapy.utils.request.RequestFingerprinter"}, False),
    ],
)
def test_what_was_seen_is_known_before_it_is_asked_unless_others_decide(
    kind: type[PoliteDupeFilter], settings: dict[str, Any], sure: bool
) -> None:
    dupefilter = kind.from_crawler(new_crawler(settings))
    assert [dupefilter.has_seen(FIRST) for _ in range(2)] == [False, False]
    assert not dupefilter.request_seen(FIRST)
    assert dupefilter.has_seen(FIRST) is sure


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
