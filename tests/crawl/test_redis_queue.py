"""Whole crawls of several processes on one server: every page once, no delay undercut, whatever dies or hangs."""

from __future__ import annotations

import json
import re
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest

from crawls import crawl
from redis_queues import new_job
from redis_server import Proxy, RedisServer, free_port, needs_server, tls_in_front_of
from scrapy_polite._redis.keys import prefix
from scrapy_polite._redis.url import RedisUrl
from scrapy_polite.frontier.codec import Codec
from scrapy_polite.frontier.redis.jobs import RedisJobs
from scrapy_polite.text import counted
from trap_sites import ARTICLES, CALENDAR_AND_ARTICLES, SAME, calendar, endless, html, prose, story_or_month
from webserver import Answer, Asked, Origin, robots, self_signed
from workers import Worker, asked, counts, gaps, links, pages_of, tree, until

pytestmark = needs_server

DELAY_S = 0.2
LEASE_S = 2.0


@pytest.fixture
def sites() -> Iterator[Any]:
    with ExitStack() as stack:
        yield lambda tables: [
            stack.enter_context(Origin(table, f"127.0.0.{number}")) for number, table in enumerate(tables, 1)
        ]


@pytest.fixture
def settings(redis_server: RedisServer) -> dict[str, Any]:
    job = new_job()
    return {
        "POLITE_FRONTIER": redis_server.url,
        "POLITE_JOB": job,
        "POLITE_LEASE": LEASE_S,
        "POLITE_STORE": f"{redis_server.url}?name={job}",
        "POLITE_TRAPS": "off",
        "POLITE_DUPLICATES": "off",
    }


def start_urls(sites: list[Origin]) -> list[str]:
    return [f"{site.url}/start" for site in sites]


@pytest.mark.engine
def test_processes_whose_clocks_differ_fetch_pages_files_redirects_and_retries_once_at_each_hosts_pace(
    loop_mode: str, sites: Any, settings: dict[str, Any]
) -> None:
    here = sites([tree(3, 2, DELAY_S)] * 6)
    wanted = Counter()
    for site, other in zip(here, [*here[1:], here[0]], strict=True):
        site.table["/start/0"] = links(more=f'<img src="{other.url}/file"><img src="/own-file">'.encode())
        site.table["/start/1/0"] = Answer(302, headers={"Location": f"{other.url}/moved"})
        site.table["/start/2/0"] = [Answer(500), links()]
        wanted += Counter(site.url + path for path in ["/start/2/0", "/file", "/own-file", "/moved"])
        wanted += Counter(site.url + path for path in pages_of(site.table) if not path.startswith("/start/0/"))
    files = {"ITEM_PIPELINES": {"scrapy.pipelines.files.FilesPipeline": 1}, "FILES_STORE": "files"}
    own = settings | files | {"RETRY_ENABLED": True, "POLITE_PROGRESS": 1}
    workers = [
        Worker(loop_mode, start_urls(here), own | {"CLOCK_AHEAD_S": by_s}, "redis_parts.WithFiles")
        for by_s in (0, 60, -60, 0)
    ]
    crawled = [worker.finish() for worker in workers]
    assert counts(here) == wanted
    assert min(min(gaps(site)) for site in here) >= DELAY_S
    assert [site.robots_fetches() for site in here] == [1] * len(here)
    assert [one.stats["finish_reason"] for one in crawled] == ["finished"] * 4
    assert all(one.logged("INFO", " requests queued; with all processes ") for one in crawled)
    assert all(one.logged("WARNING", f"job {settings['POLITE_JOB']} on ") for one in crawled)  # nothing is kept on disk


def test_processes_read_each_sitemap_and_fetch_each_page_of_it_once(
    loop_mode: str, sites: Any, settings: dict[str, Any]
) -> None:
    here = sites([{}, {}, {}])
    for site in here:
        site.table |= {f"/{number}": Answer(body=b"A page", delay_s=0.05) for number in range(8)}
        site.table["/robots.txt"] = robots("Sitemap: /index.xml\nSitemap: /list.txt\n")
        lists = "".join(f"<sitemap><loc>{site.url}/{name}</loc></sitemap>" for name in ("list.txt", "more.txt"))
        site.table["/index.xml"] = Answer(body=f"<sitemapindex>{lists}</sitemapindex>".encode())
        site.table["/list.txt"] = Answer(body="".join(f"{site.url}/{number}\n" for number in range(5)).encode())
        site.table["/more.txt"] = Answer(body="".join(f"{site.url}/{number}\n" for number in range(3, 8)).encode())
    own = settings | {"POLITE_SITEMAPS": "seed"}
    workers = [Worker(loop_mode, start_urls(here), own) for _ in range(2)]
    crawled = [worker.finish() for worker in workers]
    wanted = ["/start", "/index.xml", "/list.txt", "/more.txt", *(f"/{number}" for number in range(8))]
    assert counts(here) == Counter(site.url + path for site in here for path in wanted)
    assert sum(one.stats.get("polite/sitemaps/read", 0) for one in crawled) == 3 * len(here)


@pytest.mark.engine
def test_a_server_that_a_person_has_to_put_right_stops_the_crawl_at_its_start(
    loop_mode: str, sites: Any, settings: dict[str, Any], redis_server: RedisServer
) -> None:
    (site,) = sites([{}])
    about = f"{prefix('job', settings['POLITE_JOB'])}about"
    redis_server.ask("SET", about, json.dumps({"spider": "other"}))
    with RedisServer(("maxmemory-policy", "allkeys-lru"), password="secret") as server:
        for url, said in (
            (server.url.replace("secret", "wrong-secret"), "it refuses the user or the password"),
            (server.url, "its maxmemory-policy is 'allkeys-lru'"),
            (
                f"redis://127.0.0.1:{free_port()}/0",
                "it cannot be reached (Connection refused). The crawl does not",
            ),
            (redis_server.url, "is of the spider 'other', this is 'list': give each spider a POLITE_JOB of its own"),
        ):
            try:
                log = crawl(loop_mode, [f"{site.url}/"], settings | {"POLITE_FRONTIER": url}).log
            except AssertionError as failed:
                log = str(failed)
            assert " ERROR: " in log
            assert said in log
            assert "secret" not in log
    assert site.asked == []


def test_two_jobs_over_tls_as_the_user_of_the_docs_keep_the_pace_of_a_host_together(
    loop_mode: str, sites: Any, tmp_path: Path
) -> None:
    table = tree(3, 1, delay_s := 0.5)
    here = sites([table])
    context = self_signed(tmp_path, "127.0.0.1")
    with RedisServer() as server, tls_in_front_of(server, context) as port:
        server.ask(*rule_of_docs("many-machines.md").split())
        server.ask("ACL", "SETUSER", "default", "off")
        # The server of the queue has the store too; a project that has scrapy-redis need not name it again.
        login = {"username": "crawler", "password": "PASSWORD", "ssl_ca_certs": str(tmp_path / "tls.pem")}
        own = {
            "REDIS_URL": f"rediss://127.0.0.1:{port}",
            "REDIS_PARAMS": login,
            "POLITE_FRONTIER": "redis://",
            "POLITE_STORE": "redis://",
            "POLITE_TRAPS": "off",
        }
        workers = [Worker(loop_mode, start_urls(here), own | {"POLITE_JOB": job}) for job in ("news", "shops")]
        crawled = [worker.finish() for worker in workers]
        url = f"rediss://crawler:PASSWORD@127.0.0.1:{port}?ssl_ca_certs={tmp_path / 'tls.pem'}"
        with closing(RedisJobs(RedisUrl.parse(url), Codec())) as jobs:
            assert [(one.name, one.done) for one in jobs.states()] == [("news", 4), ("shops", 4)]
            jobs.pause("news", True)
            assert jobs.drop("news") > 3
            assert [one.name for one in jobs.states()] == ["shops"]
    assert counts(here) == {here[0].url + path: 2 for path in pages_of(table)}
    assert min(gaps(here[0])) >= delay_s
    assert here[0].robots_fetches() == 1
    for one in crawled:
        assert sorted(one.urls) == sorted(here[0].url + path for path in pages_of(table))
        assert f"rediss://127.0.0.1:{port}/0" in one.log
        assert "PASSWORD" not in one.log


def rule_of_docs(page: str) -> str:
    """The ACL SETUSER of a page of the docs."""
    text = (Path(__file__).parents[2] / "docs" / page).read_text()
    (rule,) = re.findall(r"^ACL SETUSER .*$", text, re.MULTILINE)
    return str(rule)


class Busy:
    """A site's answers, each of which takes a moment; `most` is how many were under way at once."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self.table = {path: partial(self._answer, answer) for path, answer in table.items()}
        self.most = self._now = 0
        self._lock = threading.Lock()

    def _answer(self, answer: Answer, _: Asked) -> Answer:
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
        time.sleep(0.05)
        with self._lock:
            self._now -= 1
        return answer


def workers_of(server: RedisServer, job: str) -> int:
    return int(server.ask("ZCARD", f"{prefix('job', job)}w").strip(b":\r\n"))


def test_one_host_may_be_for_several_processes_that_keep_its_pace_together(
    loop_mode: str, sites: Any, settings: dict[str, Any], redis_server: RedisServer
) -> None:
    paced, busy = tree(3, 3, DELAY_S / 2), Busy(tree(4, 3))

    def when_all_are_there(_: Asked) -> Answer:
        until(lambda: workers_of(redis_server, settings["POLITE_JOB"]) == 3)
        return cast("Answer", paced["/start"])

    here = sites([paced | {"/start": when_all_are_there}, busy.table])
    own = settings | {"POLITE_SITES": {"*": {"workers": 3}}}
    crawled = [worker.finish() for worker in [Worker(loop_mode, start_urls(here), own) for _ in range(3)]]
    tables = [paced, busy.table]
    assert counts(here) == {
        site.url + path: 1 for site, table in zip(here, tables, strict=True) for path in pages_of(table)
    }
    assert min(gaps(here[0])) >= DELAY_S / 2
    assert busy.most <= 8  # CONCURRENT_REQUESTS_PER_DOMAIN
    assert all(any(url.startswith(here[0].url) for url in one.urls) for one in crawled)
    assert [one.stats["finish_reason"] for one in crawled] == ["finished"] * 3


def test_a_host_that_asked_for_a_pause_has_it_also_from_the_process_that_takes_it_over(
    loop_mode: str, sites: Any, settings: dict[str, Any]
) -> None:
    pause_s = 4
    # It comes when the others are there and wait for hosts.
    busy = Answer(503, headers={"Retry-After": str(pause_s)}, delay_s=3)
    table = tree(2, 1)
    here = sites([table | {"/start": [busy, table["/start"]]}] * 6)
    own = settings | {"CONCURRENT_REQUESTS_PER_DOMAIN": 1, "RETRY_ENABLED": True}
    workers = [Worker(loop_mode, start_urls(here), own)]
    until(asked(here, len(here)))
    workers += [Worker(loop_mode, start_urls(here), own) for _ in range(2)]
    crawled = [worker.finish() for worker in workers]
    assert counts(here) == {site.url + path: 1 + (path == "/start") for site in here for path in pages_of(table)}
    for site in here:
        first, second = [asked.at for asked in site.asked if asked.path == "/start"]
        assert min(asked.at for asked in site.asked if asked.at > first) == second >= first + busy.delay_s + pause_s
    assert sum(bool(one.urls) for one in crawled) > 1  # some have been taken over


def test_what_a_killed_process_had_is_fetched_by_others_and_what_it_posted_is_not_posted_again(
    loop_mode: str, sites: Any, settings: dict[str, Any]
) -> None:
    slow = Answer(delay_s=1.0)
    table = tree(3, 2) | {"/start": links("/start/0", "/start/1", "/start/2", *(f"/post/{n}" for n in range(8)))}
    table |= {f"/post/{n}": slow for n in range(8)}
    table |= {path: Answer(body=answer.body, headers=answer.headers, delay_s=0.05) for path, answer in table.items()}
    table |= {f"/post/{n}": slow for n in range(8)}
    here = sites([table] * 3)
    # What was in flight of a host is not waited for: other processes have it once the lease has ended.
    spider = "redis_parts.Posting"
    workers = [Worker(loop_mode, start_urls(here), settings, spider) for _ in range(3)]
    until(asked(here, 20))
    workers.pop(0).kill()
    before = counts(here)
    workers.append(Worker(loop_mode, start_urls(here), settings, spider))
    crawled = [worker.finish() for worker in workers]
    found = counts(here)
    expected = {site.url + path for site in here for path in pages_of(table)}
    assert {url for url in expected if not found[url] and "/post" not in url} == set()
    assert max(found[url] for url in expected if "/post" in url) == 1
    assert sum(found.values()) <= len(expected) + 16  # what was in flight at the most
    # Each is either answered, or set aside and told of.
    aside = sum(one.stats.get("polite/set_aside", 0) for one in crawled)
    told = sum(len(one.logged("WARNING", "Set aside POST")) for one in crawled)
    unanswered = 24 - sum("/post" in url for one in crawled for url in one.urls)
    assert aside == told
    assert aside <= unanswered <= aside + sum("/post" in url for url in before)


def test_a_process_that_slept_through_its_lease_sends_nothing_of_it(
    loop_mode: str, sites: Any, settings: dict[str, Any]
) -> None:
    table = tree(3, 2, DELAY_S)
    here = sites([table] * 4)
    workers = [Worker(loop_mode, start_urls(here), settings) for _ in range(2)]
    until(asked(here, 12))
    workers[0].signal(signal.SIGSTOP)
    time.sleep(2 * LEASE_S + 1)
    workers[0].signal(signal.SIGCONT)
    crawled = [worker.finish() for worker in workers]
    found = counts(here)
    assert set(found) == {site.url + path for site in here for path in pages_of(table)}
    assert sum(found.values()) <= len(found) + 16
    assert min(min(gaps(site)) for site in here) >= DELAY_S
    assert [one.stats["finish_reason"] for one in crawled] == ["finished"] * 2


def test_every_tenth_reply_of_the_server_is_lost_and_every_page_is_fetched_once(
    loop_mode: str, sites: Any, settings: dict[str, Any], redis_server: RedisServer
) -> None:
    table = tree(4, 3)
    here = sites([table] * 2)
    with Proxy(redis_server, drop_every=10) as proxy:
        own = settings | {"POLITE_FRONTIER": proxy.url, "POLITE_LEASE": 5}
        workers = [Worker(loop_mode, start_urls(here), own) for _ in range(2)]
        crawled = [worker.finish() for worker in workers]
        assert proxy.dropped >= 3
    assert counts(here) == {site.url + path: 1 for site in here for path in pages_of(table)}
    assert sum(len(one.urls) for one in crawled) == len(here) * len(pages_of(table))


@pytest.mark.engine
def test_all_processes_end_with_the_last_page_and_none_before(
    loop_mode: str, sites: Any, settings: dict[str, Any], redis_server: RedisServer
) -> None:
    table = tree(2, 1) | {"/last": links()}
    here = sites([table])
    workers = [Worker(loop_mode, start_urls(here), settings, "redis_parts.LongCallback") for _ in range(3)]
    until(asked(here, 3))
    time.sleep(1.5)
    assert not any(worker.ended for worker in workers)
    until(asked(here, 4))
    last = time.monotonic()
    stats = [worker.finish().stats for worker in workers]
    assert [one["finish_reason"] for one in stats] == ["finished"] * 3
    assert time.monotonic() - last <= 2 * LEASE_S
    (run,) = {Path(one["polite/run_record"]).name for one in stats}
    assert run.startswith(settings["POLITE_JOB"])
    kinds = {key.rsplit(b"}:", 1)[1].partition(b":")[0] for key in keys_of(redis_server, settings["POLITE_JOB"])}
    assert kinds == {b"about", b"id", b"n", b"schema", b"server", b"v"}


@pytest.mark.engine
def test_start_requests_are_made_once_each_also_where_the_process_that_brings_them_dies(
    loop_mode: str, sites: Any, settings: dict[str, Any]
) -> None:
    here = sites([{}, {}])
    urls = [f"{site.url}/{number}" for number in range(10) for site in here]
    urls += urls[:4]  # the same again, as they pass no filter
    spider = "redis_parts.SlowStart"
    first = Worker(loop_mode, urls, settings, spider, {"KILLED_AT": "15"})
    until(asked(here, 1))
    others = [Worker(loop_mode, urls, settings, spider) for _ in range(3)]
    until(lambda: first.ended)
    for worker in others:
        worker.finish()
    found = counts(here)
    assert set(found) == set(urls)
    # What was in flight when the process died, or not acknowledged yet, may have been fetched twice.
    assert sum(found.values()) <= len(urls) + 8
    assert all(found[url] >= 2 for url in urls[:4])


@pytest.mark.engine
def test_ctrl_c_gives_hosts_back_at_once(loop_mode: str, sites: Any, settings: dict[str, Any]) -> None:
    table = tree(3, 3, DELAY_S)
    here = sites([table] * 3)
    own = settings | {"POLITE_LEASE": 60}
    workers = [Worker(loop_mode, start_urls(here), own)]
    until(asked(here, 3))
    workers.append(Worker(loop_mode, start_urls(here), own))
    until(asked(here, 8))
    workers[0].signal(signal.SIGINT)
    began = time.monotonic()
    crawled = [worker.finish() for worker in workers]
    assert time.monotonic() - began < 30
    assert counts(here) == {site.url + path: 1 for site in here for path in pages_of(table)}
    assert min(min(gaps(site)) for site in here) >= DELAY_S
    assert [one.stats["finish_reason"] for one in crawled] == ["shutdown", "finished"]
    assert crawled[0].logged("INFO", "kept in the job")
    assert not any(one.logged("ERROR", "") for one in crawled)


def keys_of(server: RedisServer, job: str) -> list[bytes]:
    import redis

    with redis.Redis(port=server.port) as client:
        return list(client.scan_iter(f"polite:{{job:{job}}}:*"))


def test_a_server_that_is_killed_and_comes_back_with_its_append_only_file_costs_no_page_and_is_told_of_once(
    loop_mode: str, sites: Any, settings: dict[str, Any], redis_server: RedisServer
) -> None:
    table = tree(3, 2, DELAY_S)
    here = sites([table] * 4)
    with RedisServer(persistence="aof") as server:
        own = settings | {"POLITE_FRONTIER": server.url, "POLITE_STORE": server.url}
        workers = [Worker(loop_mode, start_urls(here), own) for _ in range(2)]
        until(asked(here, 16))
        server.kill9()
        time.sleep(2.0)
        server.start()
        crawled = [worker.finish() for worker in workers]
    assert counts(here) == {site.url + path: 1 for site in here for path in pages_of(table)}
    assert min(min(gaps(site)) for site in here) >= DELAY_S
    assert [one.stats["finish_reason"] for one in crawled] == ["finished"] * 2
    for one in crawled:
        assert len(one.logged("ERROR", "it cannot be reached (Connection refused). What has been granted is")) == 1
        assert len(one.logged("INFO", "/0 can be written again after ")) == 1
        told = one.logged("ERROR", "Until it is available, hosts whose delay is shared wait")
        assert len(told) <= 1  # on a busy machine it may not have been asked meanwhile
        assert len(one.logged("INFO", ": it answers again after ")) == len(told)


def asked_of(site: Origin, text: str) -> int:
    return sum(text in path for path in site.pages())


def test_a_trap_is_no_longer_for_being_read_by_several_processes_and_nothing_finite_beside_it_is_lost(
    loop_mode: str, settings: dict[str, Any]
) -> None:
    own = settings | {"POLITE_TRAPS": {}}
    # A term of 20 weeks, of which every ninth day has something: it looks endless, and is read to its end.
    term = {
        f"/term/{day}": html(
            f"{SAME} {prose(day, 5) if not day % 9 else ''} Day {day}",
            *(f"/term/{to}" for to in (day - 1, day + 1, day - 7, day + 7) if 0 <= to < 140),
        )
        for day in range(140)
    }
    home = html("Home", "/article/0", "/calendar?m=0", "/term/60")
    with endless(calendar, CALENDAR_AND_ARTICLES | term | {"/": home}) as site:

        def start() -> Worker:
            return Worker(loop_mode, [site.url], own)

        workers = [start()]
        for pages in (40, 75):
            until(lambda pages=pages: asked_of(site, "calendar") >= pages)  # type: ignore[misc]
            workers.append(start())
            workers[-2].signal(signal.SIGINT)
        until(lambda: asked_of(site, "calendar") >= 110)
        workers += [start(), start()]
        workers.pop(2).kill()  # one of those that are left has the host when its lease has ended
        crawled = [worker.finish() for worker in workers]
    # One process reads 115 of them. Each of the others needs a few pages to know what the first has known.
    assert 110 <= asked_of(site, "calendar") <= 205
    assert {path for path in site.pages() if "article" in path or "term" in path} == {*ARTICLES, *term}
    assert sum(len(one.logged("WARNING", "/calendar?m is not followed further after")) for one in crawled) == 1
    (last,) = (one for one in crawled if one.stats["finish_reason"] == "polite_traps_left")
    left = sum(one.stats.get("polite/traps/links_left", 0) for one in crawled)
    assert left > 0
    # What the killed process had under way comes back when its lease ends, which may be after they were counted.
    remain = [counted(count, "request remains", "requests remain") for count in (left, left + 1)]
    assert any(last.logged("INFO", f"scrapy-polite: {words}, kept in the job") for words in remain)


def test_a_chain_that_says_something_is_read_beside_an_empty_calendar_though_all_is_moved_on_the_server(
    loop_mode: str, settings: dict[str, Any]
) -> None:
    own = settings | {"POLITE_TRAPS": {}, "CLOSESPIDER_PAGECOUNT": 4_000}
    with endless(story_or_month, {"/": html("Home", "/x/story-0", "/x/month-1")}) as site:
        crawled = crawl(loop_mode, [site.url], own, spider="frontier_parts.FilteredLinks")
    assert asked_of(site, "story") == 150
    assert crawled.stats["finish_reason"] == "polite_traps_left"


def test_all_processes_end_where_the_server_has_lost_the_job(
    loop_mode: str, sites: Any, settings: dict[str, Any]
) -> None:
    here = sites([tree(3, 3, DELAY_S)] * 2)
    with RedisServer() as server:
        own = settings | {"POLITE_FRONTIER": server.url, "POLITE_JOB": "news"}
        workers = [Worker(loop_mode, start_urls(here), own) for _ in range(2)]
        until(asked(here, 8))
        server.lose_data()
        crawled = [worker.finish() for worker in workers]
    assert [one.stats["finish_reason"] for one in crawled] == ["polite_store_lost"] * 2
    assert all(one.logged("ERROR", "has no job news any more: it was dropped, or the server") for one in crawled)


def test_all_processes_end_where_the_job_is_dropped_also_while_it_is_paused(
    loop_mode: str, sites: Any, settings: dict[str, Any], redis_server: RedisServer
) -> None:
    here = sites([tree(3, 3, DELAY_S)] * 2)
    with closing(RedisJobs(RedisUrl.parse(redis_server.url), Codec())) as jobs:
        for paused in (False, True):
            job = f"{settings['POLITE_JOB']}-{paused}"
            workers = [Worker(loop_mode, start_urls(here), settings | {"POLITE_JOB": job}) for _ in range(2)]
            until(lambda job=job: (state := jobs.state(job)) and len(state.workers) == 2 and state.done > 4)  # type: ignore[misc]
            if paused:
                jobs.pause(job, True)
                time.sleep(LEASE_S)  # it is told to all when they renew their leases
            jobs.drop(job)
            crawled = [worker.finish() for worker in workers]
            assert [one.stats["finish_reason"] for one in crawled] == ["polite_store_lost"] * 2
            assert all(one.logged("ERROR", f"has no job {job} any more: it was dropped") for one in crawled)
            assert not any(one.logged("INFO", "requests remain") for one in crawled)
            told = [
                one.logged("INFO", f" is paused: nothing leaves until `scrapy polite resume {job}`") for one in crawled
            ]
            assert all(bool(lines) is paused for lines in told)


def test_hosts_that_are_closed_for_long_end_the_crawl_for_all_and_their_requests_stay(
    loop_mode: str, sites: Any, settings: dict[str, Any]
) -> None:
    closed = Answer(status=429, headers={"Retry-After": "3600"})
    here = sites([tree(2, 1) | {"/start/0": closed}, tree(2, 1)])
    own = settings | {"POLITE_MAX_IDLE": 5, "CONCURRENT_REQUESTS_PER_DOMAIN": 1}
    crawled = [worker.finish() for worker in [Worker(loop_mode, start_urls(here), own) for _ in range(2)]]
    assert {one.stats["finish_reason"] for one in crawled} <= {"finished", "polite_waiting"}
    assert any(one.stats["finish_reason"] == "polite_waiting" for one in crawled)
    assert set(counts(here[1:])) == {here[1].url + path for path in pages_of(tree(2, 1))}
