"""Crawls of several processes on one server: pace and robots.txt together, whatever their clocks and the server do."""

from __future__ import annotations

import signal
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import pytest
import scrapy

from crawls import Crawled, crawl, crawl_and_kill, has_been_asked
from redis_server import Proxy, RedisServer, needs_server
from webserver import Answer, Origin, robots
from workers import Worker, until

pytestmark = needs_server

DELAY_S = 0.3
ASKS = robots(f"User-agent: *\nCrawl-delay: {DELAY_S}\n")
#: The first crawl on an idle machine is done before the second has begun, unless each has some.
PAGES = 8


class Work(NamedTuple):
    urls: Sequence[str]
    settings: Mapping[str, Any] = {}
    spider: str = "list"


def store_on(server: RedisServer | Proxy) -> dict[str, Any]:
    return {"POLITE_STORE": f"{server.url}?name={uuid4().hex}", "POLITE_MAX_IDLE": 60, "POLITE_WAIT_MAX": 30}


def gaps(site: Origin) -> list[float]:
    times = sorted(asked.at for asked in site.asked)
    return [after - before for before, after in pairwise(times)]


def at_once(loop_mode: str, settings: Mapping[str, Any], works: Sequence[Work]) -> list[Crawled]:
    with ThreadPoolExecutor(len(works)) as pool:
        started = [
            pool.submit(crawl, loop_mode, work.urls, {**settings, **work.settings}, spider=work.spider)
            for work in works
        ]
        return [one.result() for one in started]


def shares(site: Origin, names: str = "ab", count: int = PAGES) -> list[list[str]]:
    return [[f"{site.url}/{name}{number:02}" for number in range(count)] for name in names]


@pytest.mark.engine
def test_two_spiders_with_job_directories_of_their_own_keep_the_delay_together(
    loop_mode: str, redis_server: RedisServer, tmp_path: Path
) -> None:
    with Origin({"/robots.txt": ASKS}) as site:
        a, b = shares(site)
        works = [Work(a, {"JOBDIR": str(tmp_path / "a")}), Work(b, {"JOBDIR": str(tmp_path / "b")}, "inline")]
        crawls = at_once(loop_mode, store_on(redis_server), works)
    assert [sorted(crawled.urls) for crawled in crawls] == [a, b]
    assert site.robots_fetches() == 1
    assert min(gaps(site)) >= DELAY_S


@pytest.mark.parametrize("ahead_s", [(0, 60), (0, -60)], ids=["ahead", "behind"])
def test_clocks_a_minute_apart_change_nothing(
    loop_mode: str, redis_server: RedisServer, ahead_s: tuple[float, float]
) -> None:
    with Origin({"/robots.txt": ASKS}) as site:
        works = [
            Work(urls, {"CLOCK_AHEAD_S": by_s}, "clock-skewed")
            for urls, by_s in zip(shares(site), ahead_s, strict=True)
        ]
        crawls = at_once(loop_mode, store_on(redis_server), works)
    assert [sorted(crawled.urls) for crawled in crawls] == shares(site)
    assert site.robots_fetches() == 1
    assert min(gaps(site)) >= DELAY_S
    assert max(gaps(site)) < 5, "nobody waits for what another's clock says"


def test_twenty_origins_are_asked_once_each_for_their_robots_txt_by_three_crawls_of_other_names(
    loop_mode: str, redis_server: RedisServer
) -> None:
    rules = robots("".join(f"User-agent: {name}-bot\nDisallow: /{name}\n\n" for name in "abc"))
    with ExitStack() as stack:
        sites = [stack.enter_context(Origin({"/robots.txt": rules}, f"127.0.9.{n}")) for n in range(1, 21)]
        urls = [f"{site.url}/{name}" for site in sites for name in "abc"]
        works = [Work(urls, {"ROBOTSTXT_USER_AGENT": f"{name}-bot"}) for name in "abc"]
        crawls = at_once(loop_mode, store_on(redis_server), works)
    for name, crawled in zip("abc", crawls, strict=True):
        assert sorted(crawled.urls) == sorted(url for url in urls if not url.endswith(name))
    assert [site.robots_fetches() for site in sites] == [1] * 20


def test_crawls_of_other_user_agents_ask_for_a_robots_txt_one_after_the_other_and_keep_the_delay_together(
    loop_mode: str, redis_server: RedisServer, tmp_path: Path
) -> None:
    slow_s = 1.0  # Both want it before the first knows the delay.
    together = {
        "EXTENSIONS": {"pacing_parts.Together": 0},
        "CRAWLS_TOGETHER": 2,
        "CRAWLS_MEET_IN": str(tmp_path / "met"),
    }
    with Origin({"/robots.txt": Answer(body=ASKS.body, headers=ASKS.headers, delay_s=slow_s)}) as site:
        works = [
            Work(urls, {"USER_AGENT": f"testbot/1.{number} (+https://testbot.example/about)"})
            for number, urls in enumerate(shares(site, count=3))
        ]
        crawls = at_once(loop_mode, store_on(redis_server) | together, works)
    assert [sorted(crawled.urls) for crawled in crawls] == shares(site, count=3)
    first, second = [asked.at for asked in site.asked if asked.path == "/robots.txt"]
    assert second - first >= slow_s + DELAY_S
    assert min(gaps(site)) >= DELAY_S


def test_the_robots_txt_of_another_port_waits_for_the_delay_of_the_host_that_another_crawl_knows(
    loop_mode: str, redis_server: RedisServer
) -> None:
    settings = store_on(redis_server)
    slow = Answer(delay_s=1.5)  # The other crawl begins meanwhile.
    with (
        Origin({"/robots.txt": ASKS, "/slow": slow}) as site,
        Origin({"/robots.txt": ASKS}) as other,
        ThreadPoolExecutor(1) as pool,
    ):
        first = pool.submit(crawl, loop_mode, [f"{site.url}/slow", f"{site.url}/last"], settings)
        until(lambda: site.pages() or first.done())
        crawl(loop_mode, [f"{other.url}/"], settings)
        first.result()
    at = {asked.path: asked.at for asked in site.asked}
    assert other.asked[0].at - at["/slow"] >= slow.delay_s + DELAY_S
    times = sorted(asked.at for asked in (*site.asked, *other.asked))
    assert min(after - before for before, after in pairwise(times)) >= DELAY_S


@pytest.mark.parametrize("own", [pytest.param(0.0, id="none"), pytest.param(DELAY_S / 3, id="shorter")])
def test_who_finds_out_the_delay_of_a_host_keeps_the_others_back_until_it_has_read_the_robots_txt(
    loop_mode: str, redis_server: RedisServer, own: float
) -> None:
    settings = store_on(redis_server)
    slow = Answer(delay_s=1.5)  # The other crawl begins meanwhile.
    takes_long_to_read = robots(ASKS.body.decode() + "".join(f"Disallow: /{n}*/x{n}\n" for n in range(20_000)))
    with (
        Origin({"/robots.txt": ASKS, "/slow": slow}) as site,
        Origin({"/robots.txt": takes_long_to_read}) as other,
        ThreadPoolExecutor(1) as pool,
    ):
        paths = ["slow", *(f"{n}" for n in range(4))]
        first = pool.submit(crawl, loop_mode, [f"{site.url}/{path}" for path in paths], settings)
        until(lambda: site.pages() or first.done())
        crawl(loop_mode, [f"{other.url}/"], settings | {"DOWNLOAD_DELAY": own})
        first.result()
    times = sorted(asked.at for asked in (*site.asked, *other.asked))
    assert min(after - before for before, after in pairwise(times)) >= DELAY_S


def test_pages_that_need_no_turn_do_not_end_that_of_a_robots_txt_that_is_answered_slowly(
    loop_mode: str, redis_server: RedisServer
) -> None:
    settings, slow_s = store_on(redis_server), 2.0
    with (
        Origin({"/robots.txt": ASKS}) as asks,
        Origin({"/robots.txt": Answer(status=404, delay_s=slow_s)}) as late,
        ThreadPoolExecutor(1) as pool,
    ):
        links = [*(f"/{n}" for n in range(20)), f"{late.url}/", *(f"/{n}" for n in range(20, 40))]
        page = "".join(f'<a href="{link}">x</a>' for link in links).encode()
        pages = {f"/{n}": Answer(delay_s=0.1) for n in range(40)}
        with Origin({"/": Answer(body=page, headers={"Content-Type": "text/html"}), **pages}) as fast:
            first = pool.submit(crawl, loop_mode, [f"{asks.url}/{n}" for n in range(20)], settings)
            until(lambda: asks.pages() or first.done())
            crawl(loop_mode, [f"{fast.url}/"], settings, spider="links")
            first.result()
        assert len(fast.pages()) == 41
    began = next(asked.at for asked in late.asked if asked.path == "/robots.txt")
    assert [asked.path for asked in fast.asked if began < asked.at < began + slow_s], "pages of the same crawl went on"
    assert not [asked.path for asked in asks.asked if began < asked.at < began + slow_s]


def test_who_is_stopped_before_it_sends_what_it_may_keeps_the_others_back(
    loop_mode: str, redis_server: RedisServer, tmp_path: Path
) -> None:
    stopped = tmp_path / "stopped"
    stops = {"DOWNLOADER_MIDDLEWARES": {"pacing_parts.StopsBeforeSending": 960}, "STOPS_AT": "/a01"}
    settings = store_on(redis_server)
    with Origin({"/robots.txt": ASKS}) as site:
        a, b = shares(site, count=3)
        workers = [Worker(loop_mode, a, settings | stops | {"STOPPED": str(stopped)}, "list")]
        until(stopped.exists)
        sent = len(site.asked)
        workers.append(Worker(loop_mode, b, settings, "list"))
        time.sleep(2)
        assert len(site.asked) == sent
        workers[0].signal(signal.SIGCONT)
        crawls = [worker.finish() for worker in workers]
    assert [sorted(crawled.urls) for crawled in crawls] == [a, b]
    assert min(gaps(site)) >= DELAY_S


def test_who_is_killed_while_it_fetches_a_robots_txt_costs_one_fetch_more(
    loop_mode: str, redis_server: RedisServer
) -> None:
    settings = store_on(redis_server)
    with Origin({"/robots.txt": Answer(body=b"User-agent: *\nDisallow: /private\n", delay_s=1.0)}) as site:
        crawl_and_kill(loop_mode, [f"{site.url}/a"], settings, "list", lambda: has_been_asked(site, 1))
        crawled = crawl(loop_mode, [f"{site.url}/b", f"{site.url}/private"], settings)
    assert crawled.urls == [f"{site.url}/b"]
    assert site.robots_fetches() == 2
    assert crawled.seconds < 5, "nobody waits for the lease of a process that has ended"


def test_while_the_server_hangs_nothing_leaves_and_it_goes_on_within_two_seconds(loop_mode: str) -> None:
    with RedisServer() as server, Origin({"/robots.txt": ASKS}) as site, ThreadPoolExecutor(1) as pool:
        works = [Work(urls) for urls in shares(site, count=20)]
        noted = store_on(server) | {"EXTENSIONS": {"project_parts.NotesAlerts": 0}}
        running = pool.submit(at_once, loop_mode, noted, works)
        wait_for_pages(site, 4)
        server.stop()
        stopped_at = time.monotonic()
        time.sleep(7.0)  # longer than one call waits
        server.cont()
        returned_at = time.monotonic()
        crawls = running.result()
    assert [sorted(crawled.urls) for crawled in crawls] == shares(site, count=20)
    times = [asked.at for asked in site.asked]
    assert [at for at in times if stopped_at + DELAY_S < at < returned_at] == []
    assert min(at for at in times if at > returned_at) < returned_at + 2.0
    assert min(gaps(site)) >= DELAY_S
    assert len(site.pages()) == len(set(site.pages())) == 40
    for crawled in crawls:
        (line,) = crawled.logged("ERROR", "it does not answer in time")
        assert "Until it is available, hosts whose delay is shared wait" in line
        assert len(crawled.logged("INFO", ": it answers again after ")) == 1
        ((kind, host, text),) = crawled.stats["own/alerts"]
        assert (kind, host) == ("store-lost", "")
        assert "it does not answer in time" in text


def test_a_server_that_is_not_there_yet_is_waited_for(loop_mode: str) -> None:
    with RedisServer() as server, Origin({"/robots.txt": ASKS}) as site, ThreadPoolExecutor(1) as pool:
        settings = store_on(server)
        server.kill9()
        running = pool.submit(at_once, loop_mode, settings, [Work(urls) for urls in shares(site, count=2)])
        time.sleep(3.0)
        assert site.pages() == []
        server.start()
        crawls = running.result()
    assert [sorted(crawled.urls) for crawled in crawls] == shares(site, count=2)
    assert min(gaps(site)) >= DELAY_S


def test_lost_replies_are_nobodys_loss(loop_mode: str, redis_server: RedisServer) -> None:
    with Proxy(redis_server, drop_every=10) as proxy, Origin({"/robots.txt": ASKS}) as site:
        crawls = at_once(loop_mode, store_on(proxy), [Work(urls) for urls in shares(site)])
        assert proxy.dropped > 0
    assert [sorted(crawled.urls) for crawled in crawls] == shares(site)
    assert min(gaps(site)) >= DELAY_S


@pytest.mark.engine
def test_a_server_that_a_person_has_to_put_right_stops_the_crawl_at_its_start(loop_mode: str) -> None:
    with RedisServer(("maxmemory-policy", "allkeys-lru"), password="secret") as server, Origin({}) as site:
        for url, said in (
            (server.url, "its maxmemory-policy is 'allkeys-lru'"),
            (server.url.replace("secret", "wrong-secret"), "it refuses the user or the password"),
        ):
            try:
                log = crawl(loop_mode, [f"{site.url}/"], {"POLITE_STORE": url}).log
            except AssertionError as failed:
                log = str(failed)
            else:
                # Scrapy's oldest version ends well where an extension cannot be made.
                assert scrapy.version_info < (2, 15)
            assert (
                f"scrapy-polite cannot start:\n  - POLITE_STORE: store redis://127.0.0.1:{server.port}/0: {said}" in log
            )
            assert "secret" not in log
        assert site.asked == []


def wait_for_pages(site: Origin, count: int) -> None:
    deadline = time.monotonic() + 30
    while len(site.pages()) < count:
        assert time.monotonic() < deadline
        time.sleep(0.02)
