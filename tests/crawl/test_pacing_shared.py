"""One pace for several that send: hosts of a domain or an address, spiders, processes, runs, pages and files."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from crawls import Crawled, crawl, crawl_together
from scrapy_polite.store.sqlite.store import SqliteStore
from webserver import Origin, robots

DELAY_S = 0.2
ASKS = robots(f"User-agent: *\nCrawl-delay: {DELAY_S}\n")
SCRAPYS_SCHEDULER = "scrapy.core.scheduler.Scheduler"
PAGES = tuple(f"/{number}" for number in range(5))


def gaps(site: Origin) -> list[float]:
    times = sorted(asked.at for asked in site.asked)
    return [after - before for before, after in pairwise(times)]


def at_once(loop_mode: str, shares: Sequence[Sequence[str]], settings: dict[str, Any]) -> list[Crawled]:
    """One process for each share of the URLs, all at the same time."""
    with ThreadPoolExecutor(len(shares)) as pool:
        return list(pool.map(lambda urls: crawl(loop_mode, urls, settings), shares))


@pytest.mark.parametrize("pace_by", ["domain", "ip"])
def test_all_hosts_of_a_domain_or_an_address_have_one_pace(loop_mode: str, pace_by: str) -> None:
    hosts = ("a.shop.com", "b.shop.com", "c.shop.com")
    settings = {
        "POLITE_PACE_BY": pace_by,
        "POLITE_MIN_DELAY": DELAY_S,
        "EXTENSIONS": {"pacing_parts.LoopbackNames": 0},
    }
    with Origin({}) as site:
        urls = [f"{site.url.replace('127.0.0.1', host)}{page}" for host in hosts for page in PAGES[:2]]
        crawled = crawl(loop_mode, urls, settings)
    assert sorted(crawled.urls) == sorted(urls)
    # Of an address nothing is known before each host's robots.txt has come from there.
    assert min(gaps(site)[len(hosts) - 1 if pace_by == "ip" else 0 :]) >= DELAY_S


@pytest.mark.parametrize(
    "scheduler", [pytest.param({}, id="ours"), pytest.param({"SCHEDULER": SCRAPYS_SCHEDULER}, id="Scrapy's scheduler")]
)
@pytest.mark.engine
def test_two_processes_on_one_store_keep_the_delay_together(
    loop_mode: str, tmp_path: Path, scheduler: dict[str, Any]
) -> None:
    with Origin({"/robots.txt": ASKS}) as site:
        shares = [[f"{site.url}/{name}{page}" for page in PAGES] for name in ("a", "b")]
        crawls = at_once(loop_mode, shares, scheduler | {"POLITE_STORE": str(tmp_path / "store.sqlite")})
    assert [sorted(crawled.urls) for crawled in crawls] == shares
    assert min(gaps(site)) >= DELAY_S


@contextmanager
def locked(store: Path) -> Iterator[None]:
    with closing(sqlite3.connect(store, isolation_level=None)) as db:
        db.execute("BEGIN EXCLUSIVE")
        yield
        db.execute("ROLLBACK")


def test_while_the_store_is_locked_two_processes_wait_and_never_undercut_the_delay(
    loop_mode: str, tmp_path: Path
) -> None:
    path = tmp_path / "store.sqlite"
    settings = {
        "POLITE_STORE": str(path),
        "EXTENSIONS": {"pacing_parts.ImpatientStore": 0, "pacing_parts.Together": 1},
        "CRAWLS_TOGETHER": 2,
        "CRAWLS_MEET_IN": str(tmp_path / "met"),
        "POLITE_MAX_IDLE": 60,
    }
    with Origin({"/robots.txt": ASKS}) as site, ThreadPoolExecutor(1) as pool:
        # So many that neither has fetched all of them before the other's first, whoever is lucky with the turns.
        shares = [[f"{site.url}/{name}{number:02}" for number in range(24)] for name in ("a", "b")]
        running = pool.submit(at_once, loop_mode, shares, settings)
        met = {path[1] for path in site.pages()}
        while not running.done() and met != {"a", "b"}:
            time.sleep(0.02)
            met = {path[1] for path in site.pages()}
        with locked(path):
            time.sleep(2.5)
        crawls = running.result()
    assert [sorted(crawled.urls) for crawled in crawls] == shares
    assert min(gaps(site)) >= DELAY_S
    assert max(gaps(site)) >= 1.0
    assert [len(crawled.logged("ERROR", "database is locked")) for crawled in crawls] == [1, 1]


def test_a_store_that_stays_locked_keeps_no_crawl_from_ending(loop_mode: str, tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    settings = {"POLITE_STORE": str(path), "EXTENSIONS": {"pacing_parts.ImpatientStore": 0}, "POLITE_MAX_IDLE": 2}
    with closing(SqliteStore(path)) as store:
        store.hosts.changes(None).result()
    with Origin({"/robots.txt": ASKS}) as site, Origin({}, "127.0.6.1") as other, locked(path):
        crawled = crawl(loop_mode, [origin.url + page for page in PAGES for origin in (site, other)], settings)
    assert site.pages() == []
    assert sorted(crawled.urls) == [other.url + page for page in PAGES]
    assert {refusal["reason"] for refusal in crawled.refused} == {"pace/held"}
    assert len(crawled.logged("ERROR", "")) == 1


@pytest.mark.engine
def test_two_spiders_in_one_process_keep_the_delay_together(loop_mode: str, tmp_path: Path) -> None:
    with Origin({"/robots.txt": ASKS}) as site:
        shares = [[f"{site.url}/{name}{page}" for page in PAGES] for name in ("a", "b")]
        settings = {"POLITE_STORE": str(tmp_path / "store.sqlite")}
        crawls = crawl_together(loop_mode, [(share, {}) for share in shares], settings)
    assert [sorted(crawled.urls) for crawled in crawls] == shares
    assert min(gaps(site)) >= DELAY_S


@pytest.mark.engine
def test_pages_and_the_files_of_a_media_pipeline_keep_the_delay_together(loop_mode: str, tmp_path: Path) -> None:
    settings = {
        "ITEM_PIPELINES": {"scrapy.pipelines.files.FilesPipeline": 1},
        "FILES_STORE": str(tmp_path / "files"),
        "CONCURRENT_REQUESTS": 2,
    }
    with Origin({"/robots.txt": ASKS}) as site:
        crawled = crawl(loop_mode, [site.url + page for page in PAGES], settings, spider="files")
    assert sorted(site.pages()) == sorted(PAGES)
    assert crawled.stats["file_status_count/downloaded"] == len(PAGES)
    assert min(gaps(site)) >= DELAY_S


# Budgets


def budget(pages: int, per: Any, **more: Any) -> dict[str, Any]:
    return {"POLITE_SITES": {"127.0.0.1": {"budget": {"pages": pages, "per": per} | more}}, "POLITE_MAX_IDLE": 3}


def test_beyond_its_budget_a_site_waits_for_the_next_period(loop_mode: str) -> None:
    with Origin({}) as site:
        crawled = crawl(loop_mode, [f"{site.url}/{number}" for number in range(8)], budget(2, 1))
    assert len(crawled.urls) == 8
    times = [asked.at for asked in site.asked if asked.path != "/robots.txt"]
    # Four periods of a second, of which at least the two in the middle have passed; less what is on its way.
    assert times[-1] - times[0] >= 1.9


@pytest.mark.parametrize("then", ["wait", "refuse"])
def test_beyond_its_budget_nothing_more_is_fetched_and_the_rest_is_refused(loop_mode: str, then: str) -> None:
    with ExitStack() as stack:
        site = stack.enter_context(Origin({}))
        other = stack.enter_context(Origin({}, "127.0.6.1"))
        urls = [origin.url + page for page in PAGES for origin in (site, other)]
        crawled = crawl(loop_mode, urls, budget(3, "week", then=then))
    assert len(site.pages()) == 3
    assert len(other.pages()) == len(PAGES)
    assert [refusal["reason"] for refusal in crawled.refused] == ["pace/budget"] * 2


def test_a_budget_counts_across_runs_and_processes(loop_mode: str, tmp_path: Path) -> None:
    settings = budget(4, "week", then="refuse") | {"POLITE_STORE": str(tmp_path / "store.sqlite")}
    with Origin({}) as site:
        crawl(loop_mode, [site.url + page for page in PAGES[:3]], settings)
        again = crawl(loop_mode, [f"{site.url}/again{page}" for page in PAGES], settings)
    assert len(again.urls) == 1
    assert len(site.pages()) == 4
