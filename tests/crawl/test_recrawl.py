"""Crawls that come back to a site: what has not changed costs little, and nothing is lost by it."""

from __future__ import annotations

import time
from contextlib import ExitStack
from datetime import datetime, timezone
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from crawls import BUDGET_PERIOD_S, LOOP_SETTINGS, Crawled, crawl, crawl_and_kill, has_been_asked
from recrawl_parts import LATER, SPIDER, Site, age, asked_of, settings
from redis_server import RedisServer, needs_server
from scrapy_polite.runs.html import html
from scrapy_polite.runs.markdown import markdown
from scrapy_polite.runs.report import report
from scrapy_polite.runs.run import open_run
from webserver import Answer, Origin, robots
from workers import Worker, until
from workers import asked as have_asked

#: What is due at once: the spiders of tests do not wait for a minute.
DUE = "max-age=0"
TREE = {"/": ["/a", "/b"], "/a": ["/c"], "/b": ["/c", "/d"], "/c": [], "/d": ["/a"]}


def go(origin: Origin, folder: Path, loop_mode: str = "asyncio", **more: Any) -> Crawled:
    return crawl(loop_mode, [f"{origin.url}/"], settings(folder, **more), spider=SPIDER, folder=folder)


def paths(crawled: Crawled) -> list[str]:
    return sorted("/" + url.split("/", 3)[3] for url in crawled.urls)


@pytest.mark.parametrize("loop_mode", LOOP_SETTINGS)
def test_only_what_has_changed_is_handed_to_its_callback_and_all_is_reached(loop_mode: str, tmp_path: Path) -> None:
    site = Site(TREE, max_age=DUE)
    with Origin(site.table()) as origin:
        assert paths(go(origin, tmp_path, loop_mode)) == sorted(TREE)
        assert asked_of(origin) == sorted(TREE)
        site.versions["/d"] = 1
        age(tmp_path)
        again = go(origin, tmp_path, loop_mode, POLITE_DUPLICATES="skip")
        assert paths(again) == ["/d"]
        assert asked_of(origin) == sorted(TREE)
    (changed,) = again.responses
    assert (changed["depth"], changed["said"]) == (2, {"from_": f"{origin.url}/b"})
    assert again.stats["item_scraped_count"] == 1
    assert again.stats["polite/recrawl/not-modified"] == 4
    assert not again.errors


def test_without_validators_too_and_with_the_scheduler_of_scrapy(tmp_path: Path) -> None:
    site = Site(TREE, validators=False, max_age=DUE)
    scrapys = {"SCHEDULER": "scrapy.core.scheduler.Scheduler"}
    with Origin(site.table()) as origin:
        go(origin, tmp_path, **scrapys)
        asked_of(origin)
        site.versions["/c"] = 1
        age(tmp_path)
        again = go(origin, tmp_path, **scrapys)
        assert asked_of(origin) == sorted(TREE)
    assert paths(again) == ["/c"]
    assert again.stats["polite/recrawl/unchanged"] == 4


def test_what_is_not_due_is_not_asked_for_and_its_links_are_followed(tmp_path: Path) -> None:
    site = Site(TREE, max_age="max-age=3600")
    site.pages["/new"] = []
    with Origin(site.table()) as origin:
        go(origin, tmp_path)
        asked_of(origin)
        age(tmp_path, "/c", 4_000.0)
        site.pages["/c"] = ["/new"]
        again = go(origin, tmp_path, POLITE_SITES={"*": {"budget": {"pages": 7, "per": BUDGET_PERIOD_S}}})
        assert asked_of(origin) == ["/c", "/new"]
    assert paths(again) == ["/c", "/new"]
    assert again.stats["polite/recrawl/not-due"] == 4
    assert "recrawl: 1 new, 1 changed, 4 not due, so not asked for" in again.log
    found = report(open_run(Path(again.stats["polite/run_record"])), time.time())
    assert found["recrawl"] == {"not-due": 4, "changed": 1, "new": 1}
    assert "1 new, 1 changed, 4 not due, so not asked for" in markdown(found)
    assert "1 new, 1 changed, 4 not due, so not asked for" in html(found)


@pytest.mark.parametrize("mode", ["links", "callback"])
def test_an_audit_says_what_would_be_left_out_and_changes_nothing(mode: str, tmp_path: Path) -> None:
    site = Site(TREE, max_age="max-age=3600")
    audit: dict[str, Any] = {"POLITE_RECRAWL": mode, "POLITE_MODE": {"recrawl": "audit"}}
    with Origin(site.table()) as origin:
        go(origin, tmp_path, **audit)
        age(tmp_path, "/c", 4_000.0)
        asked_of(origin)
        again = go(origin, tmp_path, **audit)
        assert asked_of(origin) == paths(again) == sorted(TREE)
    assert again.stats["polite/recrawl/audited-not-due"] == 4
    assert again.stats["polite/recrawl/unchanged"] == 5
    assert not {"polite/recrawl/not-due", "polite/recrawl/not-modified"} & again.stats.keys()
    assert "5 came whole and unchanged, 4 asked for though not due (POLITE_MODE)" in again.log


@pytest.mark.parametrize("validators", [True, False])
def test_a_callback_gets_the_page_as_it_was_and_is_told_so(validators: bool, tmp_path: Path) -> None:
    site = Site(TREE, validators=validators, max_age="max-age=3600")
    with Origin(site.table()) as origin:
        first = go(origin, tmp_path, POLITE_RECRAWL="callback")
        asked_of(origin)
        site.versions["/d"] = 1
        age(tmp_path, "/d", 4_000.0)
        age(tmp_path, "/a", 4_000.0)
        again = go(origin, tmp_path, POLITE_RECRAWL="callback")
        assert asked_of(origin) == ["/a", "/d"]
    assert {response["unchanged"] for response in first.responses} == {False}
    seen = {response["url"].removeprefix(origin.url): response for response in again.responses}
    assert {path: response["unchanged"] for path, response in seen.items()} == {path: path != "/d" for path in TREE}
    assert seen["/a"]["version"] == "version 0 of /a"
    assert {response["status"] for response in seen.values()} == {200}


def test_a_kill_in_between_loses_nothing(tmp_path: Path) -> None:
    tree = {"/": [f"/{number}" for number in range(40)]} | {f"/{number}": [] for number in range(40)}
    site = Site(tree, max_age=DUE)
    with Origin(site.table()) as origin:
        crawl_and_kill(
            "asyncio",
            [f"{origin.url}/"],
            settings(tmp_path, CONCURRENT_REQUESTS_PER_DOMAIN=1),
            SPIDER,
            lambda: has_been_asked(origin, 12),
        )
        asked_of(origin)
        age(tmp_path)
        again = go(origin, tmp_path)
        assert asked_of(origin) == sorted(tree)
    unchanged = again.stats.get("polite/recrawl/not-modified", 0)
    assert 1 <= unchanged < 40
    assert len(again.responses) == 41 - unchanged


def test_a_page_that_is_gone_is_remembered_and_its_errback_hears_of_it(tmp_path: Path) -> None:
    site = Site(TREE)
    site.statuses["/c"] = 404
    with Origin(site.table()) as origin:
        for asked in (["/c"], []):
            crawled = go(origin, tmp_path)
            assert [path for path in asked_of(origin) if path == "/c"] == asked
            assert len(crawled.errors) == 1
        age(tmp_path, "/c", 90_000.0)
        go(origin, tmp_path)
        assert asked_of(origin) == ["/c"]
        age(tmp_path, "/c", 90_000.0)
        go(origin, tmp_path)
        assert asked_of(origin) == []  # two days now


def test_a_host_that_says_304_for_what_has_changed_is_asked_for_whole_pages(tmp_path: Path) -> None:
    page = {"etag": "one", "body": b"<p>first</p>", "whole": 0}

    def lying(asked: Any) -> Answer:
        if "if-none-match" in asked.headers:
            return Answer(304)
        headers = {"Content-Type": "text/html", "ETag": '"always"', "Cache-Control": DUE}
        return Answer(body=page["body"], headers=headers)

    with Origin({"/": lying}) as origin:
        go(origin, tmp_path)
        page["body"] = b"<p>second</p>"
        age(tmp_path)
        assert not go(origin, tmp_path).responses
        age(tmp_path, "/", 31 * 86_400.0)  # not seen whole for thirty days
        again = go(origin, tmp_path)
        assert len(again.responses) == 1
        assert again.logged("WARNING", "has answered 304 for a page that had changed")
        page["body"] = b"<p>third</p>"
        age(tmp_path)
        asked_of(origin)
        assert len(go(origin, tmp_path).responses) == 1
        assert "if-none-match" not in origin.asked[-1].headers


def test_other_conditions_redirects_and_caches_are_left_alone(tmp_path: Path) -> None:
    def moved(asked: Any) -> Answer:
        return Answer(301, headers={"Location": "/b"}) if site.versions.get("/a") else site.answer(asked)

    site = Site(TREE, max_age=DUE)
    with Origin({**site.table(), "/a": moved}) as origin:
        cached = {"HTTPCACHE_ENABLED": True, "HTTPCACHE_DIR": str(tmp_path / "cache"), "HTTPCACHE_EXPIRATION_SECS": 1}
        go(origin, tmp_path)
        site.versions["/a"] = 1  # it is another page's redirect now
        age(tmp_path)
        asked_of(origin)
        again = go(origin, tmp_path, **cached)
        conditions = {(asked.path, asked.headers.get("if-none-match")) for asked in origin.asked}
        assert len(conditions) == 5, "a redirect takes no conditions along"
        assert not again.errors
        kept = [path.read_text() for path in (tmp_path / "cache").rglob("meta")]
        assert kept
        assert not any("'status': 304" in meta for meta in kept)
        age(tmp_path)
        own = {"If-None-Match": '"mine"'}
        crawl("asyncio", [f"{origin.url}/c"], settings(tmp_path), spider=SPIDER, headers=own)
        assert origin.asked[-1].headers["if-none-match"] == '"mine"'


def test_a_store_in_memory_is_refused_at_start(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="POLITE_STORE, which has to last for that"):
        crawl("asyncio", [], settings(tmp_path, POLITE_STORE="memory"), spider=SPIDER)


def test_what_a_sitemap_says_of_a_page_counts_whoever_links_to_it(tmp_path: Path) -> None:
    """`/a` is seldom new by its sitemap, `/b` hourly, and `/c` was modified since. Links come before it is read."""
    pages = {"/": ["/x"], "/x": ["/a", "/b", "/c", "/d"], "/a": [], "/b": [], "/c": [], "/d": []}
    site = Site(pages)
    modified = "2020-01-01"

    def sitemap(_: Any) -> Answer:
        says = {"/a": "<changefreq>yearly</changefreq>", "/b": "<changefreq>hourly</changefreq>"}
        says["/c"] = f"<lastmod>{modified}</lastmod>"
        urls = "".join(f"<url><loc>{origin.url}{path}</loc>{said}</url>" for path, said in says.items())
        return Answer(body=f"<urlset>{urls}</urlset>".encode())

    index = b"<sitemapindex><sitemap><loc>/sitemap.xml</loc></sitemap></sitemapindex>"
    named = {"/robots.txt": robots("User-agent: *\nSitemap: /index.xml\n"), "/index.xml": Answer(body=index)}
    one_by_one = {"POLITE_SITEMAPS": "seed", "CONCURRENT_REQUESTS_PER_DOMAIN": 1, "DOWNLOAD_DELAY": 0.02}
    with Origin({**site.table(), **named, "/sitemap.xml": sitemap}) as origin:
        go(origin, tmp_path, **one_by_one)
        asked_of(origin)
        age(tmp_path, "", 7_300.0)
        modified = datetime.fromtimestamp(time.time() - 3_600, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        again = go(origin, tmp_path, **one_by_one)
        assert asked_of(origin) == ["/b", "/c", "/index.xml", "/sitemap.xml"]
    assert again.stats["polite/recrawl/not-due"] == 4


@needs_server
@pytest.mark.parametrize("mode", ["links", "callback"])
def test_on_a_server_all_is_reached_and_only_what_has_changed_is_news(
    mode: str, redis_server: RedisServer, tmp_path: Path
) -> None:
    site = Site(TREE, max_age="max-age=3600")
    on_server = {"POLITE_STORE": f"{redis_server.url}?name={uuid4().hex}", "POLITE_RECRAWL": mode}
    with Origin(site.table()) as origin:
        assert paths(go(origin, tmp_path, **on_server)) == sorted(TREE)
        assert asked_of(origin) == sorted(TREE)
        site.versions["/d"] = 1
        # Due since yesterday, by the clock of the second crawl alone.
        own = settings(tmp_path, **on_server, CLOCK_AHEAD_S=86_400)
        again = crawl("asyncio", [f"{origin.url}/"], own, spider=LATER)
        assert asked_of(origin) == sorted(TREE)
    assert [one["url"] for one in again.responses if not one["unchanged"]] == [f"{origin.url}/d"]
    assert len(again.responses) == (1 if mode == "links" else len(TREE))
    assert again.stats["polite/recrawl/not-modified"] == 4
    assert not again.errors


@needs_server
def test_a_server_that_is_lost_is_told_and_the_crawl_goes_on_without(tmp_path: Path) -> None:
    site = Site(TREE, max_age=DUE)
    with RedisServer() as server, Origin(site.table()) as origin:
        on_server = {"POLITE_STORE": server.url}
        go(origin, tmp_path, **on_server)
        asked_of(origin)
        server.kill9()
        again = go(origin, tmp_path, **on_server)
        assert asked_of(origin) == sorted(TREE)
    assert paths(again) == sorted(TREE)
    assert again.logged("WARNING", "Recrawl: pages of store redis://127.0.0.1")


@needs_server
def test_several_processes_come_back_together_and_each_change_is_news_to_one_of_them(
    redis_server: RedisServer, tmp_path: Path
) -> None:
    """Their queue is on the server too. One of them is killed."""
    tree = {"/": [f"/{n}" for n in range(6)]} | {f"/{n}": [f"/{n}/{m}" for m in range(4)] for n in range(6)}
    tree |= {f"/{n}/{m}": [] for n in range(6) for m in range(4)}
    here = [Site(tree, max_age="max-age=3600") for _ in range(3)]
    name = uuid4().hex
    own = settings(tmp_path, POLITE_STORE=f"{redis_server.url}?name={name}", POLITE_FRONTIER=redis_server.url)
    own |= {"POLITE_LEASE": 2.0, "POLITE_TRAPS": "off", "DOWNLOAD_DELAY": 0.05, "CLOCK_AHEAD_S": 86_400}
    with ExitStack() as stack:
        origins = [
            stack.enter_context(Origin(site.table(), f"127.0.0.{number}")) for number, site in enumerate(here, 1)
        ]
        urls = [f"{origin.url}/" for origin in origins]
        first = crawl("asyncio", urls, own | {"POLITE_JOB": f"{name}-1", "CLOCK_AHEAD_S": 0}, spider=LATER)
        assert len(first.responses) == 3 * len(tree)
        for site, origin in zip(here, origins, strict=True):
            site.versions["/3/1"] = 1
            asked_of(origin)
        workers = [Worker("asyncio", urls, own | {"POLITE_JOB": f"{name}-2"}, LATER) for _ in range(3)]
        until(have_asked(origins, 30))
        workers.pop(0).kill()
        again = [worker.finish() for worker in workers]
        assert [set(asked_of(origin)) for origin in origins] == [set(tree)] * 3
    # What the killed one had under way is asked for twice; what it was told of it, nobody can say any more.
    news = [one["url"] for worker in again for one in worker.responses]
    assert len(news) == len(set(news))
    assert {url.rpartition("/3")[2] for url in news} == {"/1"}
    assert not [worker.errors for worker in again if worker.errors]


@needs_server
def test_a_server_that_is_lost_in_between_and_comes_back_costs_no_page_and_is_told_of_once(tmp_path: Path) -> None:
    tree = {"/": [f"/{n}" for n in range(36)]} | {f"/{n}": [] for n in range(36)}
    site = Site(tree, max_age=DUE, delay_s=0.05)
    with RedisServer(persistence="aof") as server, Origin(site.table()) as origin:
        on_server = settings(tmp_path, POLITE_STORE=server.url, CONCURRENT_REQUESTS_PER_DOMAIN=1)
        crawl("asyncio", [f"{origin.url}/"], on_server, spider=SPIDER)
        asked_of(origin)
        site.versions["/7"] = 1
        worker = Worker("asyncio", [f"{origin.url}/"], on_server | {"CLOCK_AHEAD_S": 86_400}, LATER)
        until(have_asked([origin], 12))
        server.kill9()
        until(have_asked([origin], len(origin.pages()) + 4))
        server.start()
        again = worker.finish()
        assert set(asked_of(origin)) == set(tree)
    assert not again.errors
    assert len(again.logged("WARNING", "Recrawl: ")) == 1
    assert f"{origin.url}/7" in again.urls
    # What came while it was away, is handed to its callback as if it was new.
    assert len(again.responses) + again.stats["polite/recrawl/not-modified"] >= len(tree)
    assert again.stats["polite/recrawl/not-modified"] > 10


def test_a_budget_goes_to_what_is_worth_most(tmp_path: Path) -> None:
    site = Site(TREE, max_age=DUE)
    budget = {"*": {"budget": {"pages": 1, "per": BUDGET_PERIOD_S}}}
    with Origin(site.table()) as origin:
        go(origin, tmp_path)
        age(tmp_path)
        age(tmp_path, "/b", 86_400.0)
        asked_of(origin)
        again = go(origin, tmp_path, POLITE_SITES=budget)
        assert asked_of(origin) == ["/b"]
    assert again.stats["polite/recrawl/not-due"] == 4


@pytest.mark.parametrize("mode", ["links", "callback"])
def test_with_a_job_directory_what_is_replayed_goes_on_from_there(mode: str, tmp_path: Path) -> None:
    site = Site(TREE, max_age=DUE)
    own = {"POLITE_RECRAWL": mode, "JOBDIR": str(tmp_path / "job"), "CONCURRENT_REQUESTS": 1}
    with Origin(site.table()) as origin:
        go(origin, tmp_path)
        if mode == "callback":
            go(origin, tmp_path, POLITE_RECRAWL=mode)
        age(tmp_path)
        asked_of(origin)
        first = go(origin, tmp_path, **own, CLOSESPIDER_PAGECOUNT=2)
        assert first.stats["finish_reason"] == "closespider_pagecount"
        second = go(origin, tmp_path, **own)
        assert second.stats["finish_reason"] == "finished"
        assert set(asked_of(origin)) == set(TREE)
    assert not first.errors + second.errors
    assert bool(first.responses) == (mode == "callback")


def test_what_cannot_be_kept_is_read_anew_each_time(tmp_path: Path) -> None:
    site = Site(TREE, max_age=DUE)
    with Origin(site.table()) as origin:
        for called in (["/", "/a", "/b"], ["/"]):
            crawled = crawl("asyncio", [f"{origin.url}/"], settings(tmp_path), spider="recrawl_parts.LambdaSpider")
            assert paths(crawled) == called
            assert len(crawled.logged("WARNING", "are read anew each time (POLITE_RECRAWL)")) == 1
            age(tmp_path)


def test_a_page_whose_item_failed_is_made_again(tmp_path: Path) -> None:
    site = Site({"/": []}, max_age=DUE)
    with Origin(site.table()) as origin:
        fails = {"ITEM_PIPELINES": {"recrawl_parts.FailingPipeline": 1}}
        assert len(go(origin, tmp_path, **fails).responses) == 1
        assert len(go(origin, tmp_path).responses) == 1
        age(tmp_path)
        assert not go(origin, tmp_path).responses
