"""JOBDIR by whole crawls: stopped, killed and resumed, with what cannot be kept, and where something is in the way."""

from __future__ import annotations

import os
import pickle
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request, version_info

from crawls import crawl, crawl_and_kill, has_been_asked
from projects import project, scrapy
from queues import closing
from scrapy_polite.frontier.codec import Codec
from scrapy_polite.frontier.sqlite.queue import SqliteQueue
from scrapy_polite.frontier.sqlite.schema import FILE_NAME
from webserver import Answer, Origin, robots

NO_ROBOTS = {"POLITE_SITES": {"*": {"robots": "never"}}}
SHORT = {"POLITE_MAX_IDLE": 1}
CLOSED = Answer(503, headers={"Retry-After": "86400"})


def job_of(folder: Path, settings: Mapping[str, Any] | None = None) -> dict[str, Any]:
    return NO_ROBOTS | {"JOBDIR": str(folder / "job")} | dict(settings or {})


def tree(pages: int, delay_s: float = 0.0) -> dict[str, Answer]:
    """Pages /0, /1 ... each with links to two more."""
    return {
        f"/{n}": Answer(
            body=f"<h1>Page {n}</h1>".encode()
            + "".join(f'<a href="/{m}">to {m}</a>' for m in (2 * n + 1, 2 * n + 2, n // 2) if m < pages).encode(),
            headers={"Content-Type": "text/html"},
            delay_s=delay_s,
        )
        for n in range(pages)
    }


@pytest.mark.engine
def test_after_a_kill_nothing_is_lost_and_only_the_last_second_is_done_again(loop_mode: str, tmp_path: Path) -> None:
    pages, concurrency, delay_s = 60, 4, 0.1
    settings = job_of(tmp_path, {"CONCURRENT_REQUESTS": concurrency})
    with Origin(tree(pages, delay_s)) as site:
        spider = "frontier_parts.FilteredLinks"
        for enough in (15, 40):
            crawl_and_kill(loop_mode, [f"{site.url}/0"], settings, spider, partial(has_been_asked, site, enough))
        resumed = crawl(loop_mode, [f"{site.url}/0"], settings, spider=spider)
    assert resumed.stats["finish_reason"] == "finished"
    assert set(site.pages()) == {f"/{n}" for n in range(pages)}
    per_kill = concurrency + concurrency / delay_s
    assert len(site.pages()) - pages <= 2 * per_kill
    # What was acknowledged before is not asked for again.
    assert len(resumed.urls) < pages
    assert resumed.logged("INFO", "Resuming crawl (")


@pytest.mark.engine
def test_a_stopped_crawl_goes_on_where_it_was_and_fetches_nothing_twice(loop_mode: str, tmp_path: Path) -> None:
    settings = {"JOBDIR": str(tmp_path / "job"), "POLITE_STORE": str(tmp_path / "store.sqlite")}
    table: dict[str, Answer] = {"/robots.txt": robots("User-agent: *\nCrawl-delay: 0.2\n")}
    with Origin(table) as site:
        urls = [f"{site.url}/{number}" for number in range(6)]
        soon = settings | {"CLOSESPIDER_PAGECOUNT": 3}
        stopped = crawl(loop_mode, urls, soon, spider="frontier_parts.Filtered")
        assert 0 < len(site.pages()) < len(urls)
        left = len(urls) - len(site.pages())
        resumed = crawl(loop_mode, urls, settings, spider="frontier_parts.Filtered")
    assert stopped.logged("INFO", "remain, kept in the job directory")
    assert site.pages() == [f"/{number}" for number in range(6)]
    assert resumed.stats["dupefilter/filtered"] == len(urls)
    assert resumed.stats["scheduler/dequeued/disk"] == left
    again = crawl(loop_mode, urls, settings, spider="frontier_parts.Filtered")
    assert again.urls == []


def test_requests_that_cannot_be_written_stay_in_memory_counted_and_told_once(loop_mode: str, tmp_path: Path) -> None:
    with Origin({}) as site:
        urls = [f"{site.url}/{number}" for number in range(3)]
        crawled = crawl(loop_mode, urls, job_of(tmp_path), spider="frontier_parts.Unserializable")
    assert sorted(crawled.urls) == urls
    assert crawled.stats["scheduler/unserializable"] == crawled.stats["scheduler/enqueued/memory"] == 3
    assert "scheduler/enqueued/disk" not in crawled.stats
    assert len(crawled.logged("WARNING", "Unable to serialize")) == 1


def test_opening_a_job_of_many_hosts_leaves_the_loop_its_turn(loop_mode: str, tmp_path: Path) -> None:
    path = tmp_path / "job" / FILE_NAME
    path.parent.mkdir()
    with closing(SqliteQueue(path, Codec(), spider=None)) as queue:
        queue.open().result()
        for number in range(50):
            url = f"http://{number}.invalid"
            queue.push(f"{url}:80", (0, number), Request(url, method="POST"))
    settings = job_of(tmp_path, {"EXTENSIONS": {"frontier_parts.WatchesOpening": 0}})
    crawled = crawl(loop_mode, [], settings, close_after_s=0)
    assert crawled.logged("INFO", "Resuming crawl (50 requests scheduled)")
    assert crawled.stats["test/turns"] > 10


def test_on_a_disk_slower_than_the_crawl_the_crawl_slows_down(loop_mode: str, tmp_path: Path) -> None:
    pages = 600
    settings = job_of(tmp_path, {"EXTENSIONS": {"frontier_parts.DiskIsSlow": 0}, "POLITE_MODE": {"traps": "audit"}})
    with Origin(tree(pages)) as site:
        crawled = crawl(loop_mode, [f"{site.url}/0"], settings, spider="frontier_parts.FilteredLinks")
    # Two or three pushes, a pop and an acknowledgement each: what was in flight at the end may go beyond.
    assert 0 < crawled.stats["test/meanwhile"] < 60
    assert len(crawled.urls) == pages
    assert crawled.logged("ERROR", "") == []


@pytest.mark.engine
def test_a_turn_that_is_asked_for_is_no_idleness(loop_mode: str, tmp_path: Path) -> None:
    settings = job_of(tmp_path, {"POLITE_STORE": str(tmp_path / "store.sqlite"), "POLITE_MAX_IDLE": 1})
    settings["POLITE_SITES"] = {"*": {"robots": "never", "delay": 0.1}}
    with Origin({}) as site:
        urls = [f"{site.url}/{number}" for number in range(4)]
        crawled = crawl(loop_mode, urls, settings)
    assert crawled.stats["finish_reason"] == "finished"
    assert crawled.urls == urls


@contextmanager
def hanging() -> Iterator[tuple[str, list[bytes]]]:
    """A server that takes requests and never answers; what it was asked first, by connection."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        asked: list[bytes] = []
        open_ones: list[socket.socket] = []

        def listen() -> None:
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                open_ones.append(connection)
                asked.append(connection.recv(4_096).partition(b" HTTP")[0])

        threading.Thread(target=listen, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}", asked
        finally:
            for connection in open_ones:
                connection.close()


@pytest.mark.parametrize("kind", ["Posts", "PostsUnfiltered", "PostsUnserializable"])
@pytest.mark.engine
def test_a_post_in_flight_at_a_kill_is_not_sent_again_but_reported(loop_mode: str, tmp_path: Path, kind: str) -> None:
    settings = job_of(tmp_path, {"DOWNLOAD_TIMEOUT": 1})
    patient = settings | {"DOWNLOAD_TIMEOUT": 60}
    spider = f"frontier_parts.{kind}"
    with hanging() as (url, asked):
        urls = [f"{url}/post", f"{url}/get"]
        crawl_and_kill(loop_mode, urls, patient, spider, lambda: len(asked) == 2)
        resumed = crawl(loop_mode, urls, settings, spider=spider)
    assert sorted(asked) == [b"GET /get", b"GET /get", b"POST /post"]
    (warning,) = resumed.logged("WARNING", f"Set aside POST {url}/post")
    assert "in flight when the crawl was broken off" in warning
    assert resumed.stats["polite/set_aside"] == 1


def test_a_page_that_is_read_again_after_a_kill_brings_no_second_post(loop_mode: str, tmp_path: Path) -> None:
    settings = job_of(tmp_path)
    spider = "frontier_parts.PostsFromPage"
    with Origin({"/post": Answer(delay_s=2.0)}) as site:
        urls = [f"{site.url}/page"]
        crawl_and_kill(loop_mode, urls, settings, spider, lambda: "/post" in site.pages())
        resumed = crawl(loop_mode, urls, settings, spider=spider)
    assert site.pages() == ["/page", "/post", "/page"]
    assert resumed.logged("WARNING", f"Not sent again: POST {site.url}/post")
    assert resumed.logged("WARNING", f"Set aside POST {site.url}/post")


@pytest.mark.engine
def test_a_clean_stop_neither_loses_nor_repeats_a_post(loop_mode: str, tmp_path: Path) -> None:
    settings = job_of(tmp_path, {"DOWNLOAD_DELAY": 0.1})
    spider = "frontier_parts.Posts"
    with Origin({}) as site:
        urls = [f"{site.url}/{number}/post" for number in range(6)]
        stopped = crawl(loop_mode, urls, settings, spider=spider, interrupt_when=partial(has_been_asked, site, 3))
        assert len(site.pages()) < len(urls)
        resumed = crawl(loop_mode, urls, settings, spider=spider)
    assert sorted(site.pages()) == sorted(f"/{number}/post" for number in range(6))
    assert len(stopped.urls) + len(resumed.urls) == len(urls)
    assert resumed.logged("WARNING", "Set aside") == []


@pytest.mark.engine
def test_a_job_of_scrapys_own_scheduler_is_finished_by_it_with_one_warning(loop_mode: str, tmp_path: Path) -> None:
    settings = {"JOBDIR": str(tmp_path / "job"), "CONCURRENT_REQUESTS": 1}
    stock = settings | {"ADDONS": {}, "DOWNLOAD_DELAY": 0.3}
    spider = "frontier_parts.Filtered"
    with Origin({}) as site:
        urls = [f"{site.url}/{number}" for number in range(5)]
        crawl(loop_mode, urls, stock, spider=spider, close_after_s=0.5)
        assert 0 < len(site.pages()) < len(urls)
        resumed = crawl(loop_mode, urls, settings, spider=spider)
    assert sorted(site.pages()) == [f"/{number}" for number in range(5)]
    (warning,) = resumed.logged("WARNING", "leaves this crawl to Scrapy's own scheduler")
    assert "holds the queue of a crawl that was begun with it" in warning


@contextmanager
def _in_use(job: Path) -> Iterator[str]:
    with closing(SqliteQueue(job / FILE_NAME, Codec(), spider=None)) as first:
        first.open().result()
        yield f"{job}: in use by process {os.getpid()}; wait for its end"


@contextmanager
def _truncated(job: Path) -> Iterator[str]:
    path = job / FILE_NAME
    with closing(SqliteQueue(path, Codec(), spider=None)) as queue:
        queue.open().result()
        for number in range(1_000):
            queue.push("http://a.invalid", (0, number), Request(f"http://a.invalid/{number}"))
    os.truncate(path, path.stat().st_size // 2)
    yield f"malformed; `scrapy polite recover {job}` saves what can be read of it"


@contextmanager
def _writable_by_all(job: Path) -> Iterator[str]:
    job.chmod(0o777)
    yield f"mode 777), and reading what they wrote could run their code; if all of it is yours: `chmod go-w {job}`"


@contextmanager
def _a_folder(job: Path) -> Iterator[str]:
    (job / FILE_NAME).mkdir()
    yield "or start again with another JOBDIR"


UNUSABLE = {"in use": _in_use, "truncated": _truncated, "writable by all": _writable_by_all, "a folder": _a_folder}


@pytest.mark.parametrize("make", UNUSABLE.values(), ids=UNUSABLE)
@pytest.mark.engine
def test_a_job_that_cannot_be_opened_is_one_error_and_an_exit_status(
    loop_mode: str, tmp_path: Path, make: Callable[[Path], AbstractContextManager[str]]
) -> None:
    job = tmp_path / "job"
    job.mkdir()
    state = job / "spider.state"
    state.write_bytes(pickle.dumps({"pages": 5}))
    feed = tmp_path / "items.json"
    feed.write_text("those of the other crawl")
    with Origin({}) as site, make(job) as says:
        settings = {"JOBDIR": str(job), "FEEDS": {str(feed): {"format": "json", "overwrite": True}}}
        ended = scrapy(project(tmp_path, loop_mode, [f"{site.url}/1"], settings), "crawl", "listed")
        assert site.paths() == []
    assert ended.returncode == 1
    assert pickle.loads(state.read_bytes()) == {"pages": 5}
    assert feed.read_text() == "those of the other crawl"
    errors = [line for line in ended.stderr.splitlines() if " ERROR: " in line or " CRITICAL: " in line]
    assert says in errors[0]
    if version_info >= (2, 18):  # an earlier Scrapy logs the exception as well
        assert len(errors) == 1
        assert "Traceback" not in ended.stderr


@pytest.mark.engine
def test_a_job_directory_that_is_a_file_is_told_as_such(loop_mode: str, tmp_path: Path) -> None:
    (tmp_path / "job").touch()
    ended = scrapy(project(tmp_path, loop_mode, ["http://127.0.0.1:1/"], job_of(tmp_path)), "crawl", "listed")
    assert ended.returncode == 1
    assert "Not a directory; a part of this path is a file: move that away, or start again with another" in ended.stderr


@pytest.mark.engine
def test_when_the_disk_is_full_the_crawl_goes_on_in_memory_and_says_so_once(loop_mode: str, tmp_path: Path) -> None:
    settings = job_of(tmp_path, {"EXTENSIONS": {"frontier_parts.DiskFillsUp": 0}})
    with Origin({f"/{n}": Answer(body=b"slow", delay_s=0.3) for n in range(9)}) as site:
        urls = [f"{site.url}/{number}" for number in range(9)]
        settings["CONCURRENT_REQUESTS_PER_DOMAIN"] = 1
        crawled = crawl(loop_mode, urls, settings, spider="frontier_parts.Filtered")
    assert crawled.urls == urls
    assert crawled.stats["finish_reason"] == "finished"
    (error,) = crawled.logged("ERROR", FILE_NAME)
    assert "; until it can be written again new requests are not stored" in error


def test_what_a_full_disk_could_not_take_is_not_called_kept(loop_mode: str, tmp_path: Path) -> None:
    settings = job_of(tmp_path, {"EXTENSIONS": {"frontier_parts.DiskFillsUp": 0}, "CONCURRENT_REQUESTS_PER_DOMAIN": 1})
    with Origin({f"/{n}": Answer(delay_s=0.5) for n in range(200)}) as site:
        urls = [f"{site.url}/{number}" for number in range(200)]
        stopped = crawl(loop_mode, urls, settings, spider="frontier_parts.Filtered", close_after_s=2.0)
    first, last = stopped.logged("ERROR", FILE_NAME)
    lost = int(last.rpartition("lost with the crawl's end: ")[2])
    assert first.endswith("are fetched again")
    (left,) = stopped.logged("INFO", "requests remain, ")
    assert 0 < lost <= len(urls) - len(site.pages())
    assert f"{lost} of them kept" not in left
    assert "dropped" in left


def test_while_the_disk_is_full_no_post_leaves_and_the_crawl_ends(loop_mode: str, tmp_path: Path) -> None:
    settings = job_of(tmp_path, {"EXTENSIONS": {"frontier_parts.DiskFillsUp": 0}} | SHORT)
    with Origin({}) as site:
        # Each takes a kilobyte, so that the disk is full before the post's turn, whatever is written together.
        urls = [(f"{site.url}/{number}", {"filler": "x" * 1_000}) for number in range(200)]
        crawled = crawl(loop_mode, [*urls, f"{site.url}/post"], settings, spider="frontier_parts.Posts")
    assert sorted(site.pages()) == sorted(f"/{number}" for number in range(200))
    assert crawled.stats["finish_reason"] == "polite_waiting"
    assert crawled.logged("ERROR", "new requests are not stored")


class TestWaiting:
    """A job whose host opens only tomorrow."""

    def test_it_closes_as_polite_waiting_keeps_its_queue_and_says_what_is_left(
        self, loop_mode: str, tmp_path: Path
    ) -> None:
        settings = job_of(tmp_path, SHORT | {"POLITE_STORE": str(tmp_path / "store.sqlite")})
        with Origin({"/0": CLOSED}) as site:
            urls = [f"{site.url}/{number}" for number in range(4)]
            one = settings | {"CONCURRENT_REQUESTS": 1}
            waiting = crawl(loop_mode, urls, one, spider="frontier_parts.Filtered")
            assert site.pages() == ["/0"]
            resumed = crawl(loop_mode, urls, one, spider="frontier_parts.Filtered")
            assert site.pages() == ["/0"]
        for run in (waiting, resumed):
            assert run.stats["finish_reason"] == "polite_waiting"
            (left,) = run.logged("INFO", f"3 requests remain, kept in the job directory: {site.url} (3, retry in 24 h")
            assert "pace/retry-after: HTTP 503, Retry-After 86400 s" in left
        assert [error["url"] for error in waiting.errors] == urls[:1]
        assert resumed.errors == []

    def test_what_cannot_be_kept_is_refused_before_it_closes_and_not_called_kept(
        self, loop_mode: str, tmp_path: Path
    ) -> None:
        settings = job_of(tmp_path, SHORT | {"POLITE_STORE": str(tmp_path / "store.sqlite")})
        settings["CONCURRENT_REQUESTS"] = 1
        spider = "frontier_parts.HalfUnserializable"
        with Origin({"/0": CLOSED}) as site:
            urls = [f"{site.url}/{number}" for number in range(6)]
            crawled = crawl(loop_mode, urls, settings, spider=spider)
            stopped = crawl(
                loop_mode, urls[1:2], settings | {"POLITE_MAX_IDLE": 100_000}, spider=spider, close_after_s=1
            )
            assert site.pages() == ["/0"]
        assert crawled.stats["finish_reason"] == "polite_waiting"
        assert sorted(error["url"] for error in crawled.errors) == [urls[0], *urls[1::2]]
        assert [refused["reason"] for refused in crawled.refused] == ["pace/retry-after"] * 3
        assert crawled.logged("INFO", f"2 requests remain, kept in the job directory: {site.url} (2, ")
        assert stopped.logged("INFO", "3 requests remain, 2 of them kept in the job directory, the others dropped: ")

    def test_a_spider_that_brings_more_when_idle_is_asked_before(self, loop_mode: str, tmp_path: Path) -> None:
        with Origin({"/0": CLOSED}) as shut, Origin({}, "127.0.1.2") as live:
            # With the first request the host closes, the second stays, the others are brought one by one.
            urls = [f"{shut.url}/0", f"{shut.url}/1", f"{live.url}/1", f"{live.url}/2"]
            settings = job_of(tmp_path, SHORT)
            crawled = crawl(loop_mode, urls, settings, spider="frontier_parts.Feeder")
        assert crawled.urls == urls[2:]
        assert crawled.stats["finish_reason"] == "polite_waiting"
