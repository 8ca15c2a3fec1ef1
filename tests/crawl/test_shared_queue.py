"""The scheduler over a queue that other processes share: a stand-in for one on a server, see tests/shared_queue.py."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from crawls import crawl
from scrapy_polite.store.sqlite.store import SqliteStore
from trap_sites import endless, html, story_or_month
from webserver import Answer, Origin, robots

pytestmark = pytest.mark.engine


def links(*paths: str) -> Answer:
    body = "".join(f'<a href="{path}">link</a>' for path in paths)
    return Answer(body=body.encode(), headers={"Content-Type": "text/html"})


TREE = {
    "/start": links("/a", "/b", "/c", "/start"),
    "/a": links("/b", "/d", "/e"),
    "/b": links("/a", "/f", "/g"),
    "/c": links("/a", "/h"),
}
PAGES = ["/a", "/b", "/c", "/d", "/e", "/f", "/g", "/h", "/start"]
LINKS = "frontier_parts.FilteredLinks"


def shared_with(other: str, settings: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"EXTENSIONS": {f"shared_parts.{other}": 0}, "POLITE_MODE": {"traps": "audit"}, **(settings or {})}


def test_what_is_pushed_comes_back_once_and_duplicates_are_told_late(loop_mode: str) -> None:
    with Origin(TREE) as site:
        crawled = crawl(loop_mode, [f"{site.url}/start"], shared_with("Shares"), spider=LINKS)
    assert sorted(site.pages()) == PAGES
    assert crawled.stats["finish_reason"] == "finished"
    assert crawled.stats["dupefilter/filtered"] == 4
    assert len(crawled.urls) == len(PAGES)


def test_the_start_is_for_one_process_and_what_it_finds_for_all(loop_mode: str) -> None:
    with Origin(TREE) as site:
        crawled = crawl(loop_mode, [f"{site.url}/start"], shared_with("OtherHasTheStart"), spider=LINKS)
    assert site.pages() == ["/other"]
    assert crawled.stats["finish_reason"] == "finished"
    assert crawled.seconds > 0.4


def test_the_start_is_taken_over_from_a_process_that_has_died(loop_mode: str) -> None:
    with Origin(TREE) as site:
        settings = shared_with("OtherHasTheStart", {"OTHER_DIES": True})
        crawled = crawl(loop_mode, [f"{site.url}/start"], settings, spider=LINKS)
    assert sorted(site.pages()) == sorted([*PAGES, "/other"])
    assert crawled.stats["finish_reason"] == "finished"


def test_what_is_moved_to_another_lane_and_told_of_late_is_not_lost(loop_mode: str) -> None:
    settings = shared_with("TellsLate", {"POLITE_MODE": {}, "CLOSESPIDER_PAGECOUNT": 300})
    with endless(partial(story_or_month, stories=60), {"/": html("Home", "/x/story-0", "/x/month-1")}) as site:
        crawl(loop_mode, [site.url], settings, spider=LINKS)
    assert len({path for path in site.pages() if "story" in path}) == 60


@pytest.mark.parametrize("other", ["LeaseEnds", "WantsHosts"])
def test_no_page_is_lost_when_a_host_goes_and_comes_back(loop_mode: str, other: str) -> None:
    with Origin(TREE) as site:
        crawled = crawl(loop_mode, [f"{site.url}/start"], shared_with(other), spider=LINKS)
    assert sorted(set(site.pages())) == PAGES
    assert crawled.stats["finish_reason"] == "finished"
    # What was under way when the lease ended may be fetched again.
    assert len(site.pages()) <= len(PAGES) + (8 if other == "LeaseEnds" else 0)


def test_a_delay_that_is_learned_of_a_host_that_has_gone_holds_for_who_has_it_now(
    loop_mode: str, tmp_path: Path
) -> None:
    path = tmp_path / "store.sqlite"
    with Origin({"/robots.txt": robots("User-agent: *\nCrawl-delay: 300\n")}) as site:
        settings = shared_with("TakesHost", {"POLITE_STORE": str(path)})
        crawled = crawl(loop_mode, [f"{site.url}/start"], settings, spider=LINKS)
    assert crawled.stats["finish_reason"] == "taken"
    assert site.paths() == ["/robots.txt"]
    with closing(SqliteStore(path)) as store:
        assert store.hosts.acquire("127.0.0.1", "other", 1.0).result() > 200


def test_what_may_not_leave_yet_goes_back_and_leaves_later(loop_mode: str) -> None:
    with Origin(TREE) as site:
        crawled = crawl(loop_mode, [f"{site.url}/start"], shared_with("SendsNothingYet"), spider=LINKS)
    assert sorted(site.pages()) == PAGES
    assert crawled.stats["polite/returned"] >= 1
    assert crawled.stats["finish_reason"] == "finished"


def test_a_queue_that_has_lost_what_it_held_ends_the_crawl_and_says_so(loop_mode: str) -> None:
    with Origin(TREE) as site:
        crawled = crawl(loop_mode, [f"{site.url}/start"], shared_with("LosesAll"), spider=LINKS)
    assert crawled.stats["finish_reason"] == "polite_store_lost"
    assert crawled.logged("ERROR", "shared: the job is lost")
