"""A crawl that is stopped while it waits for a robots.txt closes at once, fetches nothing more and loses nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from crawls import crawl
from webserver import Answer, Origin, robots

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
    with Origin({"/robots.txt": answer}) as site:
        crawled = crawl(loop_mode, [f"{site.url}/1", f"{site.url}/2"], PATIENT, close_after_s=0.7)
    assert set(site.paths()) == {"/robots.txt"}
    assert crawled.closing_s is not None
    assert crawled.closing_s < AT_ONCE_S
    assert crawled.stats["finish_reason"] == "test"
    assert {refused["url"] for refused in crawled.refused} == {f"{site.url}/1", f"{site.url}/2"}


@pytest.mark.parametrize("stop", ["close_spider", "Ctrl-C"])
@waiting_for
def test_with_a_job_directory_the_requests_are_still_there_and_get_fetched_on_resume(
    loop_mode: str, tmp_path: Path, answer: Answer, stop: str
) -> None:
    settings = PATIENT | {"JOBDIR": str(tmp_path / "job")}
    # More attempts may have reached the server than the one that is waited for.
    attempts = 1 if answer is HANGS else 3
    with Origin({"/robots.txt": [answer] * attempts + [RULES]}) as site:
        urls = [f"{site.url}/1", f"{site.url}/2", f"{site.url}/private"]
        how: dict[str, Any] = {"close_after_s": 0.7}
        if stop == "Ctrl-C":
            how = {"interrupt_when": lambda: site.robots_fetches() == 1}
        stopped = crawl(loop_mode, urls, settings | {"POLITE_ROBOTS_ATTEMPTS": attempts}, **how)
        assert site.pages() == []
        assert stopped.refused == []
        assert stopped.seconds < 10
        resumed = crawl(loop_mode, [], settings)
    assert sorted(site.pages()) == ["/1", "/2"]
    assert [refused["url"] for refused in resumed.refused] == [f"{site.url}/private"]


def test_a_closing_crawl_still_fetches_what_it_knows_to_be_allowed(loop_mode: str, tmp_path: Path) -> None:
    slow_page = Answer(body=b"slow", delay_s=1.0)
    with Origin({"/robots.txt": RULES, "/slow": slow_page}) as site:
        crawled = crawl(loop_mode, [f"{site.url}/slow"], close_after_s=0.5)
    assert crawled.urls == [f"{site.url}/slow"]
