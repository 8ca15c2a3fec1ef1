"""The scheduler by whole crawls: which request goes when, and that it is Scrapy's to everything around it."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

import arguments
from crawls import BUDGET_PERIOD_S, crawl
from scrapy_polite.store.sqlite.store import SqliteStore
from webserver import Answer, Origin, robots

STOCK = {"ADDONS": {}, "ROBOTSTXT_OBEY": False}
NO_ROBOTS = {"POLITE_SITES": {"*": {"robots": "never"}}}
ONE_BY_ONE = {"CONCURRENT_REQUESTS": 1}
FIFO = {"SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue"}
LIFO = {"SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.LifoMemoryQueue"}
PRIORITIES = "frontier_parts.Prioritised"


def links(*paths: str) -> Answer:
    body = "".join(f'<a href="{path}">link</a>' for path in paths)
    return Answer(body=body.encode(), headers={"Content-Type": "text/html"})


TREE = {
    "/1": links("/a", "/b?priority=1", "/c"),
    "/2": links("/d", "/e?priority=-1", "/a"),
    "/3": links("/f", "/g?priority=1"),
    "/a": links("/h", "/i"),
    "/c": links("/j"),
}
BREADTH, DEPTH = {"POLITE_ORDER": "breadth"}, {"POLITE_ORDER": "depth"}
START_AS_OTHERS = {"SCHEDULER_START_MEMORY_QUEUE": None}
START_LIFO = {"SCHEDULER_START_MEMORY_QUEUE": "scrapy.squeues.LifoMemoryQueue"}


@pytest.mark.parametrize(
    ("ours", "stock"),
    [
        pytest.param({}, FIFO, id="breadth first by default"),
        pytest.param(DEPTH, LIFO, id="depth"),
        pytest.param(LIFO | BREADTH | START_AS_OTHERS, FIFO | START_AS_OTHERS, id="breadth, start requests as others"),
        pytest.param(LIFO | START_LIFO, LIFO | START_LIFO, id="the project's Lifo queues"),
    ],
)
@pytest.mark.engine
def test_requests_go_in_the_order_of_scrapys_own_queues_and_count_in_its_stats(
    loop_mode: str, ours: dict[str, Any], stock: dict[str, Any]
) -> None:
    with Origin(TREE) as site:
        urls = [f"{site.url}/{number}" for number in (1, 2, 3)]
        runs = []
        for settings in (STOCK | stock, NO_ROBOTS | ours):
            before = len(site.asked)
            crawled = crawl(loop_mode, urls, ONE_BY_ONE | settings, spider=PRIORITIES)
            runs.append((site.paths()[before:], crawled.stats))
        (expected, stock_stats), (paths, stats) = runs
    assert paths == expected
    prefixes = ("scheduler/", "dupefilter/", "request_depth", "downloader/request_count")
    assert {name: value for name, value in stats.items() if name.startswith(prefixes)} == {
        name: value for name, value in stock_stats.items() if name.startswith(prefixes)
    }
    assert stats["scheduler/enqueued"] == len(paths)


def test_the_start_line_names_the_order(loop_mode: str) -> None:
    crawled = crawl(loop_mode, [], DEPTH)
    assert crawled.logged("INFO", "order of requests: by priority, then depth first")


@pytest.mark.engine
def test_among_hosts_the_best_head_goes_first_and_equals_in_turn(loop_mode: str) -> None:
    with ExitStack() as stack:
        one, two, three = (stack.enter_context(Origin({}, f"127.0.1.{number}")) for number in (1, 2, 3))
        paths = [f"{site.url}/{page}" for site in (one, two, three) for page in (1, 2)]
        first = f"{three.url}/first?priority=1"
        one.table["/"] = links(*paths, first)
        crawl(loop_mode, [f"{one.url}/"], ONE_BY_ONE | NO_ROBOTS, spider=PRIORITIES)
        asked = sorted((asked.at, site.url + asked.path) for site in (one, two, three) for asked in site.asked)
    order = [url for _, url in asked]
    assert order == [
        f"{one.url}/",
        first,
        *(f"{site.url}/1" for site in (one, two, three)),
        *(f"{site.url}/2" for site in (one, two, three)),
    ]


@pytest.mark.engine
def test_each_host_has_no_more_requests_in_flight_than_its_settings_allow(loop_mode: str) -> None:
    delay_s = 0.3
    page = Answer(body=b"slow", delay_s=delay_s)
    with (
        Origin({f"/{n}": page for n in range(5)}) as two_at_once,
        Origin({f"/{n}": page for n in range(3)}, "127.0.1.2") as one_at_once,
    ):
        urls = [f"{two_at_once.url}/{n}" for n in range(5)] + [f"{one_at_once.url}/{n}" for n in range(3)]
        settings = {
            **NO_ROBOTS,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 2,
            "DOWNLOAD_SLOTS": {"127.0.1.2": {"concurrency": 1}},
        }
        crawl(loop_mode, urls, settings)
    for site, most in ((two_at_once, 2), (one_at_once, 1)):
        began = sorted(asked.at for asked in site.asked)
        # Each is in flight for `delay_s` at least, so this counts none that was already over.
        assert max(sum(start <= other < start + delay_s for other in began) for start in began) == most


@contextmanager
def silent(hosts: int) -> Iterator[list[str]]:
    """So many hosts that take connections and never answer."""
    with socket.socket() as listening:
        listening.bind(("", 0))
        listening.listen(1_024)
        port = listening.getsockname()[1]
        yield [f"http://127.0.7.{host}:{port}" for host in range(1, hosts + 1)]


@pytest.mark.engine
def test_hosts_whose_robots_txt_hangs_cost_the_others_nothing_however_many(loop_mode: str) -> None:
    settings = {
        "CONCURRENT_REQUESTS": 2,
        "POLITE_ROBOTS_ATTEMPTS": 1,
        "POLITE_ROBOTS_TIMEOUT": 16,
        "POLITE_GIVE_UP": 1,
        "POLITE_ROBOTS_CONCURRENCY": 200,
    }
    with silent(100) as hanging, Origin({}) as site:
        pages = [f"{site.url}/{number}" for number in range(30)]
        crawled = crawl(loop_mode, [*(f"{host}/" for host in hanging), *pages], settings)
    assert sorted(crawled.urls) == sorted(pages)
    assert len(crawled.errors) == len(hanging)
    # The log says in which order things happened.
    assert crawled.log.rindex(f"<GET {site.url}/") < crawled.log.index("is unreachable")


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({"DOWNLOAD_DELAY": 0.4}, id="a delay"),
        pytest.param({"CONCURRENT_REQUESTS_PER_DOMAIN": 1}, id="one place"),
    ],
)
def test_a_robots_txt_is_asked_for_however_long_it_has_to_wait_for_its_turn(
    loop_mode: str, settings: dict[str, Any]
) -> None:
    table = {"/robots.txt": Answer(404, delay_s=0.4)}
    with ExitStack() as stack:
        sites = [stack.enter_context(Origin(table)) for _ in range(6)]  # of one host
        urls = [f"{site.url}/page" for site in sites]
        impatient = {"POLITE_WAIT_MAX": 0.5, "POLITE_GIVE_UP": 1, "POLITE_ROBOTS_ATTEMPTS": 1}
        crawled = crawl(loop_mode, urls, impatient | settings)
    assert sorted(crawled.urls) == sorted(urls)
    assert [site.paths() for site in sites] == [["/robots.txt", "/page"]] * len(sites)
    assert crawled.log.count("is unreachable") == 0


@pytest.mark.engine
def test_a_robots_txt_that_is_redirected_within_its_host_keeps_the_delay_in_between(loop_mode: str) -> None:
    with Origin({}) as target:
        moved = Answer(301, headers={"Location": f"{target.url}/robots.txt"})
        with Origin({"/robots.txt": moved}) as site:
            settings = {"DOWNLOAD_DELAY": 0.5, "POLITE_WAIT_MAX": 0.2, "POLITE_ROBOTS_ATTEMPTS": 1}
            crawled = crawl(loop_mode, [f"{site.url}/page"], settings)
    assert crawled.urls == [f"{site.url}/page"]
    assert target.asked[0].at - site.asked[0].at >= 0.5


@pytest.mark.parametrize(
    ("policy", "first", "reason", "robots_fetches"),
    [
        pytest.param({}, Answer(503, headers={"Retry-After": "86400"}), "pace/retry-after", 0, id="closed"),
        pytest.param({"budget": {"pages": 1, "per": BUDGET_PERIOD_S}}, Answer(), "pace/budget", 0, id="budget spent"),
        pytest.param(
            {"budget": {"pages": 1, "per": BUDGET_PERIOD_S, "then": "refuse"}},
            Answer(),
            "pace/budget",
            1,
            id="budget refuses",
        ),
    ],
)
@pytest.mark.parametrize("spider", ["list", "inline"])
def test_a_robots_txt_that_pace_keeps_from_being_asked_for_is_not_taken_for_unreachable(
    loop_mode: str,
    tmp_path: Path,
    spider: str,
    policy: dict[str, Any],
    first: Answer,
    reason: str,
    robots_fetches: int,
) -> None:
    store = tmp_path / "store.sqlite"
    settings = {"POLITE_STORE": str(store), "POLITE_WAIT_MAX": 1, "POLITE_MAX_IDLE": 1}
    settings["POLITE_SITES"] = {"127.0.0.1": policy}
    with Origin({"/": first}) as one, Origin({}) as other:  # of one host
        crawl(loop_mode, [f"{one.url}/"], settings)
        crawled = crawl(loop_mode, [f"{other.url}/page"], settings, spider=spider)
    assert [refused["reason"] for refused in crawled.refused] == [reason]
    assert other.paths() == ["/robots.txt"] * (robots_fetches if spider == "inline" else 0)
    with closing(SqliteStore(store)) as stored:
        copies = stored.robots.of_origin(other.url).result()
    assert [copy.failing_since for copy in copies] == [None] * other.robots_fetches()


SLOW_HOST = {"/robots.txt": robots("User-agent: *\nCrawl-delay: 0.2\n")}


@pytest.mark.parametrize("spider", ["WatchesEmpty", "Lazy", "Slowly"])
@pytest.mark.engine
def test_scheduler_empty_is_sent_when_the_queue_is_empty_and_only_then(loop_mode: str, spider: str) -> None:
    with Origin(SLOW_HOST) as slow, Origin({}, "127.0.1.2") as fast:
        urls = [f"{site.url}/{number}" for number in range(5) for site in (slow, fast)]
        crawled = crawl(loop_mode, urls, spider=f"frontier_parts.{spider}")
    assert sorted(crawled.urls) == sorted(urls)
    assert set(crawled.parsed) == {"0"}


@pytest.mark.engine
def test_a_lazy_start_goes_on_with_other_hosts_although_one_is_closed_for_a_day(loop_mode: str) -> None:
    closed = Answer(503, headers={"Retry-After": "86400"})
    with Origin({f"/{n}": closed for n in range(20)}) as shut, Origin({}, "127.0.1.2") as live:
        urls = [f"{shut.url}/{n}" for n in range(20)] + [f"{live.url}/{n}" for n in range(5)]
        settings = {"CONCURRENT_REQUESTS": 4, "POLITE_MAX_IDLE": 1, "HTTPERROR_ALLOW_ALL": False}
        crawled = crawl(loop_mode, urls, settings, spider="frontier_parts.Lazy")
    assert sorted(crawled.urls) == sorted(urls[20:])
    assert sorted(error["url"] for error in crawled.errors) == sorted(urls[:20])
    assert crawled.stats["finish_reason"] == "finished"


@pytest.mark.engine
def test_a_start_of_a_thousand_requests_at_once_loses_none(loop_mode: str) -> None:
    urls = [f"data:,{number}" for number in range(1_000)]
    crawled = crawl(loop_mode, urls, {"LOG_LEVEL": "WARNING"}, spider="frontier_parts.WatchesEmpty")
    assert sorted(crawled.urls) == sorted(urls)
    assert set(crawled.parsed) == {"0"}


@pytest.mark.engine
def test_a_spider_that_is_idle_may_bring_more_and_keep_itself_open(loop_mode: str) -> None:
    with Origin(SLOW_HOST) as site:
        urls = [f"{site.url}/{number}" for number in range(3)]
        crawled = crawl(loop_mode, urls, spider="frontier_parts.Feeder")
    assert crawled.urls == urls
    assert crawled.stats["finish_reason"] == "finished"


@pytest.mark.engine
def test_closespiders_settings_end_a_crawl_that_waits(loop_mode: str) -> None:
    # The page comes a while after both robots.txt.
    page = Answer(delay_s=1.0)
    with (
        Origin({"/robots.txt": robots("User-agent: *\nCrawl-delay: 60\n")}) as slow,
        Origin({"/1": page}, "127.0.1.2") as fast,
    ):
        urls = [f"{fast.url}/1", *(f"{slow.url}/{number}" for number in range(4))]
        crawled = crawl(loop_mode, urls, {"CLOSESPIDER_PAGECOUNT": 3, "POLITE_MAX_IDLE": 600})
    assert crawled.stats["finish_reason"] == "closespider_pagecount"
    assert crawled.urls == urls[:1]
    (left,) = crawled.logged("INFO", f"4 requests remain, dropped: {slow.url} (4, retry in")
    assert "pace/crawl-delay: Crawl-delay 60" in left


@pytest.mark.engine
def test_a_request_that_comes_back_goes_again_first_with_its_meta_as_it_was_and_reaches_no_errback(
    loop_mode: str,
) -> None:
    settings = {
        "DOWNLOADER_MIDDLEWARES": {"frontier_parts.SlowRequests": 200},
        "CONCURRENT_REQUESTS_PER_DOMAIN": 2,
        **NO_ROBOTS,
        "POLITE_BACKOFF_MIN": 1,
    }
    # The host closes while the second request is on its way through the middlewares.
    with Origin({"/1": Answer(429, headers={"Retry-After": "1"})}) as site:
        urls = [f"{site.url}/{path}" for path in ("1", "slow", "2", "3")]
        crawled = crawl(loop_mode, urls, settings, meta={"mine": "as it was"})
    # Without a reactor two that are on their way at once may change places.
    assert [*site.paths()[:2], *sorted(site.paths()[2:])] == ["/1", "/slow", "/2", "/3"]
    assert [error["url"] for error in crawled.errors] == [urls[0]]
    assert crawled.stats["polite/returned"] == 1
    assert crawled.stats["test/slow"] == 2
    assert crawled.stats["test/meta"] == "as it was [] True"
    assert crawled.stats["scheduler/enqueued"] == crawled.stats["scheduler/dequeued"] == 4


@pytest.mark.engine
def test_a_request_that_somebody_drops_on_its_way_back_holds_nothing_up(loop_mode: str) -> None:
    settings = {
        "DOWNLOADER_MIDDLEWARES": {"frontier_parts.SlowRequests": 200},
        "EXTENSIONS": {"frontier_parts.DropsReturned": 0},
        **NO_ROBOTS,
        "POLITE_BACKOFF_MIN": 1,
    }
    with Origin({"/1": Answer(429, headers={"Retry-After": "1"})}) as site:
        urls = [f"{site.url}/1", f"{site.url}/slow"]
        crawled = crawl(loop_mode, urls, settings, meta={"mine": ""})
    assert site.paths() == ["/1"]
    assert crawled.stats["finish_reason"] == "finished"


@pytest.mark.parametrize("at_once", [1, 2])
@pytest.mark.engine
def test_one_request_object_may_be_asked_for_again_and_again(loop_mode: str, at_once: int) -> None:
    with Origin({"/1": Answer(body=b"slow", delay_s=0.3)}) as site:
        settings = {"CONCURRENT_REQUESTS_PER_DOMAIN": at_once, **NO_ROBOTS}
        crawled = crawl(loop_mode, [f"{site.url}/{n}" for n in (1, 2)], settings, spider="frontier_parts.Again")
    assert len(crawled.urls) == crawled.stats["scheduler/enqueued"] == crawled.stats["scheduler/dequeued"]
    assert not crawled.errors
    assert not crawled.logged("ERROR", "")
    assert not crawled.logged("INFO", "Error while")
    assert crawled.stats["finish_reason"] == "finished"


@pytest.mark.engine
def test_a_delay_that_is_learned_while_a_request_is_in_flight_holds_the_next_one_back(loop_mode: str) -> None:
    table = {"/robots.txt": robots("User-agent: *\nCrawl-delay: 0.2\n"), "/first": Answer(body=b"slow", delay_s=0.6)}
    with Origin(table) as site:
        crawl(loop_mode, [(f"{site.url}/first", {"dont_obey_robotstxt": True}), f"{site.url}/second"])
    at = {asked.path: asked.at for asked in site.asked}
    assert at["/robots.txt"] < at["/first"] + 0.6
    assert at["/second"] >= at["/first"] + 0.6 + 0.2


def test_a_cache_that_holds_but_one_robots_txt_keeps_no_host_from_being_crawled(loop_mode: str) -> None:
    with ExitStack() as stack:
        sites = [stack.enter_context(Origin({}, f"127.0.1.{number}")) for number in range(1, 6)]
        urls = [f"{site.url}/{page}" for page in range(3) for site in sites]
        crawled = crawl(loop_mode, urls, {arguments.ROBOTS_CACHE_COUNT: 1}, timeout_s=20)
    assert sorted(crawled.urls) == sorted(urls)
    assert [site.robots_fetches() for site in sites] == [1] * len(sites)


@pytest.mark.engine
def test_a_callback_may_download_its_own_request_once_more(loop_mode: str) -> None:
    with Origin({"/robots.txt": robots("User-agent: *\nCrawl-delay: 0.2\n")}) as site:
        crawled = crawl(loop_mode, [f"{site.url}/1"], spider="frontier_parts.InlineAgain")
    assert site.pages() == ["/1", "/1"]
    assert len(crawled.urls) == 2
    first, second = (asked.at for asked in site.asked if asked.path == "/1")
    assert second - first >= 0.2


@pytest.mark.engine
def test_urls_without_a_host_and_bad_ones_reach_callback_or_errback_as_in_scrapy(
    loop_mode: str, tmp_path: Path
) -> None:
    (tmp_path / "page").write_text("a page")
    good = ["data:,text", (tmp_path / "page").as_uri()]
    bad = ["http:///no-host", "http://exa%20mple/", "gopher://example.invalid/", "file:///not/there"]
    crawled = crawl(loop_mode, [*good, *bad])
    assert sorted(crawled.urls) == sorted(good)
    assert sorted(error["url"] for error in crawled.errors) == sorted(bad)
    assert crawled.stats["finish_reason"] == "finished"


@pytest.mark.engine
def test_the_projects_own_dupefilter_is_asked_and_left_as_it_is(loop_mode: str, tmp_path: Path) -> None:
    settings = {"DUPEFILTER_CLASS": "frontier_parts.OddDupeFilter", "JOBDIR": str(tmp_path)}
    with Origin({}) as site:
        urls = [f"{site.url}/{number}" for number in range(4)]
        crawl(loop_mode, urls, settings, spider="frontier_parts.Filtered")
    assert sorted(site.pages()) == ["/0", "/2"]


@pytest.mark.parametrize("folder", [None, "job"], ids=["in memory", "with JOBDIR"])
def test_dupefilter_debug_names_every_duplicate(loop_mode: str, tmp_path: Path, folder: str | None) -> None:
    settings = {"DUPEFILTER_DEBUG": True, "JOBDIR": str(tmp_path / folder) if folder else None}
    with Origin({}) as site:
        crawled = crawl(loop_mode, [f"{site.url}/1"] * 3, settings, spider="frontier_parts.Filtered")
    assert site.pages() == ["/1"]
    assert crawled.stats["dupefilter/filtered"] == 2
    assert len(crawled.logged("DEBUG", "Filtered duplicate request")) == 2


MESH = {"/1": links("/a", "/b"), "/a": links("/1", "/b", "/a#top"), "/b": links("/1", "/a")}


@pytest.mark.parametrize("settings", [{}, STOCK], ids=["add-on", "stock"])
def test_links_to_known_pages_count_as_duplicates(loop_mode: str, settings: dict[str, Any]) -> None:
    with Origin(MESH) as site:
        crawled = crawl(loop_mode, [f"{site.url}/1"], settings, spider="frontier_parts.FilteredLinks")
    assert sorted(site.pages()) == ["/1", "/a", "/b"]
    assert crawled.stats["dupefilter/filtered"] == 5
    assert len(crawled.logged("DEBUG", "Filtered duplicate request")) == 1


@pytest.mark.parametrize("signal", ["request_scheduled", "request_dropped"])
def test_who_listens_hears_of_links_to_known_pages(loop_mode: str, signal: str) -> None:
    settings = {"EXTENSIONS": {f"frontier_parts.Hears_{signal}": 0}}
    with Origin(MESH) as site:
        crawled = crawl(loop_mode, [f"{site.url}/1"], settings, spider="frontier_parts.FilteredLinks")
    assert crawled.stats["test/heard"] == {"request_scheduled": 8, "request_dropped": 5}[signal]
    assert crawled.stats["dupefilter/filtered"] == 5


def test_a_spider_middleware_behind_ours_is_given_links_to_known_pages(loop_mode: str) -> None:
    settings = {"SPIDER_MIDDLEWARES": {"frontier_parts.CountsLinks": 100}}
    with Origin(MESH) as site:
        crawled = crawl(loop_mode, [f"{site.url}/1"], settings, spider="frontier_parts.FilteredLinks")
    assert crawled.stats["test/links"] == 7


def test_a_dupefilter_that_lets_pages_be_fetched_again_is_asked(loop_mode: str) -> None:
    settings = {"DUPEFILTER_CLASS": "frontier_parts.LetsOneThrough"}
    with Origin(MESH) as site:
        crawl(loop_mode, [f"{site.url}/1"], settings, spider="frontier_parts.FilteredLinks")
    assert sorted(site.pages()) == ["/1", "/1", "/a", "/b"]


@pytest.mark.engine
def test_a_priority_queue_of_the_projects_own_keeps_scrapys_scheduler_with_one_warning(loop_mode: str) -> None:
    with Origin({}) as site:
        crawled = crawl(loop_mode, [f"{site.url}/1"], {"SCHEDULER_PRIORITY_QUEUE": "frontier_parts.OwnPriorityQueue"})
    (warning,) = crawled.logged("WARNING", "leaves this crawl to Scrapy's own scheduler")
    assert "SCHEDULER_PRIORITY_QUEUE is frontier_parts.OwnPriorityQueue" in warning
    assert crawled.urls == [f"{site.url}/1"]


def test_a_target_url_function_that_fails_costs_one_request(loop_mode: str) -> None:
    with Origin({}) as site:
        urls = [f"{site.url}/odd", f"{site.url}/even"]
        crawled = crawl(loop_mode, urls, {"POLITE_TARGET_URL": "frontier_parts.fails_on_odd"})
    assert site.pages() == ["/even"]
    assert crawled.errors == [{"url": urls[0], "error": "KeyError: 'odd'"}]
