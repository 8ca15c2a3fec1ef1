"""`scrapy polite jobs`, `push`, `pause`, `resume` and `drop` on the real command line, on a real server."""

from __future__ import annotations

import json
import threading
from contextlib import closing
from pathlib import Path
from subprocess import CompletedProcess
from typing import TYPE_CHECKING

import pytest
from scrapy_redis.spiders import RedisSpider

from projects import project, scrapy
from redis_queues import new_job
from redis_server import RedisServer, needs_server
from scrapy_polite._redis.connection import connect
from scrapy_polite._redis.url import RedisUrl
from scrapy_polite.frontier.redis.batch import Take
from scrapy_polite.frontier.redis.session import Session
from scrapy_polite.frontier.redis.start_urls import start_requests
from webserver import Origin
from workers import until

if TYPE_CHECKING:
    from scrapy import Request

pytestmark = needs_server


@pytest.fixture
def job() -> str:
    return f"commands-{new_job()}"


@pytest.fixture
def folder(tmp_path: Path, redis_server: RedisServer, job: str) -> Path:
    store = f"{redis_server.url}?name={job}"
    settings = {"POLITE_FRONTIER": redis_server.url, "POLITE_STORE": store, "POLITE_JOB": job}
    return project(tmp_path, "asyncio", [], settings | {"POLITE_MODE": {"traps": "audit"}})


def push(folder: Path, job: str, *lines: str) -> CompletedProcess[str]:
    (folder / "urls").write_text("".join(f"{line}\n" for line in lines))
    return scrapy(folder, "polite", "push", job, "urls")


def state_of(folder: Path, job: str) -> dict[str, object]:
    listed = scrapy(folder, "polite", "jobs", "--json").stdout.splitlines()
    return next(state for state in map(json.loads, listed) if state["name"] == job)


def test_what_is_pushed_is_crawled_once(folder: Path, job: str) -> None:
    with Origin({}) as site:
        lines = [f"{site.url}/1", f"{site.url}/2", f"{site.url}/1", "# a comment", ""]
        more = json.dumps({"url": f"{site.url}/3", "priority": 5, "headers": {"X-Asked": "yes"}})
        pushed = push(folder, job, *lines, more)
        assert (pushed.returncode, pushed.stdout) == (0, f"{job}: 3 requests queued, 1 known before\n")
        assert state_of(folder, job)["queued"] == 3
        assert scrapy(folder, "crawl", "listed", "-s", "CONCURRENT_REQUESTS=1").returncode == 0
        assert sorted(site.pages()) == ["/1", "/2", "/3"]
        assert site.pages()[0] == "/3"
        assert next(asked for asked in site.asked if asked.path == "/3").headers["x-asked"] == "yes"
        again = push(folder, job, *lines)
        assert (again.returncode, again.stdout) == (1, f"{job}: 0 requests queued, 3 known before\n")
    text = scrapy(folder, "polite", "jobs").stdout
    assert f"{job}: 0 queued, 0 in flight, 3 done, 3 visited\n  ended       " in text


def test_gates_and_check_look_into_the_queue_on_the_server(folder: Path, job: str, redis_server: RedisServer) -> None:
    push(folder, job, "https://a.example/1", "https://a.example/2", "https://b.example/")
    process = Session(RedisUrl.parse(redis_server.url), job, 30.0)
    process.connect(in_doubt=False)
    process.take(Take(1, 60.0, 1))
    found = scrapy(folder, "polite", "gates", "--json").stdout.splitlines()
    process.leave()
    process.disconnect()
    assert {row["origin"]: row["queued"] for row in map(json.loads, found)} == {
        "https://a.example": 2,
        "https://b.example": 1,
    }
    assert "queued or in flight: 3, for origins: 2" in scrapy(folder, "polite", "gates", "--job", job).stdout
    unknown = scrapy(folder, "polite", "gates", "--job", "nix")
    assert unknown.returncode == 2
    assert f"no job nix on redis://127.0.0.1:{redis_server.port}/0: `scrapy polite jobs` lists them" in unknown.stderr
    told = f"  queue       job {job} on redis://127.0.0.1:{redis_server.port}/0 (Valkey "
    assert told in scrapy(folder, "polite", "check").stdout
    nowhere = scrapy(folder, "polite", "check", "-s", "POLITE_FRONTIER=redis://127.0.0.1:1/0")
    assert nowhere.returncode == 1
    assert "  - the queue cannot be used: redis://127.0.0.1:1/0: it cannot be reached (Connection" in nowhere.stdout


def test_a_crawl_that_stays_takes_what_is_pushed_and_pauses_and_goes_on(folder: Path, job: str) -> None:
    with Origin({}) as site:
        crawl = threading.Thread(
            target=lambda: scrapy(
                folder, "crawl", "listed", "-s", "POLITE_WHEN_EMPTY=wait", "-s", "CLOSESPIDER_PAGECOUNT=3"
            )
        )
        crawl.start()
        assert push(folder, job, f"{site.url}/1").returncode == 0
        until(lambda: site.pages() == ["/1"])
        assert scrapy(folder, "polite", "pause", job).stdout.startswith(f"{job}: paused: ")
        assert push(folder, job, f"{site.url}/2", f"{site.url}/3").returncode == 0
        text = scrapy(folder, "polite", "jobs").stdout
        assert f"{job}: 2 queued" in text
        assert "  paused      `scrapy polite resume` lets it go on" in text
        assert "  process     " in text
        assert site.pages() == ["/1"]
        refused = scrapy(folder, "polite", "drop", job)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert "1 process is at work on" in refused.stderr
        assert scrapy(folder, "polite", "resume", job).stdout == f"{job}: goes on\n"
        crawl.join(60)
        assert sorted(site.pages()) == ["/1", "/2", "/3"]


def test_a_job_that_is_dropped_is_gone(folder: Path, job: str, redis_server: RedisServer) -> None:
    push(folder, job, "https://a.invalid/1", "https://b.invalid/1")
    dropped = scrapy(folder, "polite", "drop", job)
    assert (dropped.returncode, dropped.stdout) == (0, f"{job}: dropped, 2 queued requests, 2 visited pages\n")
    gone = scrapy(folder, "polite", "drop", job)
    assert gone.returncode == 1
    assert gone.stderr.startswith(f"no job {job}; there are: ")
    assert redis_server.ask("KEYS", f"polite:{{job:{job}}}:*") == b"*0\r\n"


START_URLS = [
    "/plain",
    {"url": "/meta", "meta": {"depth": 2}},
    {"url": "/form", "method": "post", "q": "a b", "n": ["1", "2"]},
    {"url": "/query?old=1", "page": "2"},
]


def test_start_urls_of_scrapy_redis_are_pushed_as_it_would_request_them(
    folder: Path, job: str, redis_server: RedisServer
) -> None:
    with Origin({}) as site, closing(connect(RedisUrl.parse(redis_server.url), 5.0)) as client:
        entries = [
            site.url + one if isinstance(one, str) else json.dumps(one | {"url": site.url + one["url"]})
            for one in START_URLS
        ]
        spider = RedisSpider("listed", redis_encoding="utf-8")
        theirs = [spider.make_request_from_data(entry.encode()) for entry in entries]
        client.rpush(f"{job}:list", *entries)
        client.sadd(f"{job}:set", *entries)
        client.zadd(f"{job}:zset", {entry: -at for at, entry in enumerate(entries)})
        url = RedisUrl.parse(redis_server.url)
        for kind, kept in (("list", list), ("zset", list), ("set", sorted)):
            ours = start_requests(url, f"{job}:{kind}", "utf-8")
            assert kept(map(asked, ours)) == kept(map(asked, theirs))
        client.set(f"{job}:text", "x")
        client.rpush(f"{job}:bad", '{"link": "https://a.example"}')
        command = ["polite", "push", job, "-s", f"REDIS_URL={redis_server.url}", "--scrapy-redis"]
        pushed = scrapy(folder, *command, f"{job}:list")
        assert (pushed.returncode, pushed.stdout) == (0, f"{job}: 4 requests queued, 0 known before\n")
        for kind, error in (
            ("text", "text is a string, expected a list"),
            ("bad", "bad is no start URL of scrapy-redis"),
        ):
            refused = scrapy(folder, *command, f"{job}:{kind}")
            assert refused.returncode == 2
            assert f"{job}:{error}" in refused.stderr
        assert scrapy(folder, "crawl", "listed").returncode == 0
    assert sorted(site.pages()) == ["/form", "/meta", "/plain", "/query?page=2"]


def asked(request: Request) -> str:
    """All of a request that reaches a site or a callback."""
    return repr((request.url, request.method, request.body, sorted(request.headers.items()), request.meta))


CASES = {
    "no URL": ("none", "line 1 is 'none', expected a URL, or JSON such as"),
    "no JSON": ('{"url": 1', "line 1 is"),
    "unknown key": (
        '{"url": "https://a.example", "callback": "x"}',
        "'callback' is none of body, cookies, dont_filter",
    ),
}


@pytest.mark.parametrize(("line", "error"), CASES.values(), ids=CASES)
def test_a_line_that_is_no_request_is_named(folder: Path, job: str, line: str, error: str) -> None:
    pushed = push(folder, job, line)
    assert pushed.returncode == 2
    assert error in pushed.stderr


def test_without_a_server_it_says_what_to_set(tmp_path: Path) -> None:
    listed = scrapy(project(tmp_path, "asyncio", []), "polite", "jobs")
    assert listed.returncode == 2
    assert "no server: set POLITE_FRONTIER, or give --frontier URL. A job in a folder (JOBDIR) has no" in listed.stderr


def test_a_server_that_cannot_be_reached_is_named(tmp_path: Path) -> None:
    settings = {"POLITE_FRONTIER": "redis://:secret@127.0.0.1:1", "POLITE_STORE": "store.sqlite"}
    listed = scrapy(project(tmp_path, "asyncio", [], settings), "polite", "jobs")
    assert listed.returncode == 2
    assert "redis://127.0.0.1:1/0: it cannot be reached (Connection refused)" in listed.stderr
    assert "secret" not in listed.stderr + listed.stdout
