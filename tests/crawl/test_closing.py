"""A crawl that is stopped while it waits for a robots.txt closes at once, fetches nothing more and loses nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from crawls import crawl
from webserver import Answer, Origin, robots

pytestmark = pytest.mark.engine

RULES = robots("User-agent: *\nDisallow: /private\n")
HANGS = Answer(delay_s=60)
UNAVAILABLE = Answer(503, headers={"Retry-After": "20"})
PATIENT = {"POLITE_WAIT_MAX": 60, "POLITE_ROBOTS_TIMEOUT": 60}
#: Generous to a busy machine; what is promised is 0.5 s.
AT_ONCE_S = 2.0

waiting_for = pytest.mark.parametrize("answer", [HANGS, UNAVAILABLE], ids=["robots.txt hangs", "waits to ask again"])


@waiting_for
def test_closing_while_a_robots_txt_is_awaited_takes_no_time_and_fetches_nothing_more(
    loop_mode: str, answer: Answer
) -> None:
    settings = PATIENT | {"POLITE_ROBOTS_ATTEMPTS": 1}
    with Origin({"/robots.txt": answer}) as site:
        crawled = crawl(loop_mode, [f"{site.url}/1", f"{site.url}/2"], settings, close_after_s=0.5)
    assert set(site.paths()) == {"/robots.txt"}
    assert crawled.closing_s is not None
    assert crawled.closing_s < AT_ONCE_S
    assert crawled.stats["finish_reason"] == "test"
    assert crawled.responses == crawled.refused == []
    assert crawled.logged("INFO", f"2 requests remain, dropped: {site.url} (2")


@pytest.mark.parametrize(
    ("answer", "stop"),
    [
        pytest.param(HANGS, "Ctrl-C", id="robots.txt hangs, Ctrl-C"),
        pytest.param(UNAVAILABLE, "close_spider", id="waits to ask again, close_spider"),
    ],
)
def test_with_a_job_directory_the_requests_are_still_there_and_get_fetched_on_resume(
    loop_mode: str, tmp_path: Path, answer: Answer, stop: str
) -> None:
    settings = PATIENT | {"JOBDIR": str(tmp_path / "job"), "POLITE_ROBOTS_ATTEMPTS": 1}
    with Origin({"/robots.txt": [answer, RULES]}) as site:
        urls = [f"{site.url}/1", f"{site.url}/2", f"{site.url}/private"]
        how: dict[str, Any] = {"close_after_s": 2}
        if stop == "Ctrl-C":
            how = {"interrupt_when": lambda: site.robots_fetches() == 1}
        stopped = crawl(loop_mode, urls, settings, **how)
        assert site.pages() == []
        assert stopped.refused == []
        assert stopped.seconds < 10
        resumed = crawl(loop_mode, [], settings)
    assert sorted(site.pages()) == ["/1", "/2"]
    assert [refused["url"] for refused in resumed.refused] == [f"{site.url}/private"]


def test_a_crawl_goes_on_whose_queue_answers_at_once(tmp_path: Path) -> None:
    # Under this loop the start has ended by then.
    settings = PATIENT | {"JOBDIR": str(tmp_path / "job")}
    with Origin({"/robots.txt": [HANGS, RULES]}) as site:
        urls = [f"{site.url}/1", f"{site.url}/2"]
        crawl("twisted", urls, settings, interrupt_when=lambda: site.robots_fetches() == 1)
        resumed = crawl("twisted", [], settings, spider="frontier_parts.ReadAtOnce")
    assert sorted(site.pages()) == ["/1", "/2"]
    assert resumed.stats["finish_reason"] == "finished"


def test_a_page_that_has_left_is_still_received_while_the_crawl_closes(loop_mode: str) -> None:
    slow_page = Answer(body=b"slow", delay_s=0.6)
    with Origin({"/robots.txt": RULES, "/slow": slow_page}) as site:
        crawled = crawl(loop_mode, [f"{site.url}/slow"], interrupt_when=lambda: site.pages() == ["/slow"])
    assert crawled.urls == [f"{site.url}/slow"]
    assert crawled.stats["finish_reason"] == "shutdown"


def test_closing_fetches_no_robots_txt_that_the_spider_itself_asks_for(loop_mode: str) -> None:
    with Origin({"/robots.txt": HANGS}) as site:
        crawled = crawl(loop_mode, [f"{site.url}/robots.txt"], PATIENT, close_after_s=0.5)
    assert site.paths() == ["/robots.txt"]
    assert crawled.closing_s is not None
    assert crawled.closing_s < AT_ONCE_S


def test_with_a_job_directory_a_download_that_a_callback_awaits_is_let_go_when_the_crawl_closes(
    loop_mode: str, tmp_path: Path
) -> None:
    settings = PATIENT | {"JOBDIR": str(tmp_path / "job")}
    with Origin({"/robots.txt": HANGS}) as site:
        crawled = crawl(loop_mode, [f"{site.url}/inline"], settings, spider="inline", close_after_s=0.5)
    assert site.pages() == []
    assert crawled.closing_s is not None
    assert crawled.closing_s < AT_ONCE_S
