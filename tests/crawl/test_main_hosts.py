"""The Host line of robots.txt: told, or followed to the main host of a mirror."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import scrapy
from scrapy import Request
from scrapy.utils.test import get_crawler

from crawls import Crawled, crawl
from scrapy_polite import clock
from scrapy_polite._crawl import shared
from scrapy_polite.events import Events, MainHostNamed
from scrapy_polite.origin import Origin as OriginOf
from scrapy_polite.robots.cache import CachedRobots
from scrapy_polite.robots.rules import RobotsTxt
from scrapy_polite.services.main_hosts import CrawlMainHosts
from scrapy_polite.services.robots import CrawlRobots
from scrapy_polite.store.robots import RobotsCopy
from trap_sites import html
from webserver import Answer, Origin, robots, self_signed

FOLLOW = {"POLITE_SITES": {"*": {"host": "follow"}}}


def naming(host: str, rules: str = "") -> Answer:
    return robots(f"User-agent: *\n{rules}Host: {host}\n")


def netloc(site: Origin) -> str:
    return site.url.partition("://")[2]


def run(loop_mode: str, urls: list[str], settings: Mapping[str, Any] = FOLLOW, **more: Any) -> Crawled:
    return crawl(loop_mode, urls, settings, **more)


@pytest.mark.parametrize("scheduler", ["ours", "Scrapy's"])
def test_pages_of_a_mirror_are_asked_of_the_main_host_once_and_by_its_rules(loop_mode: str, scheduler: str) -> None:
    settings = FOLLOW | ({} if scheduler == "ours" else {"SCHEDULER": "scrapy.core.scheduler.Scheduler"})
    with Origin({}) as main, Origin({}) as mirror:
        links = [f"{mirror.url}/a?b=1", f"{main.url}/a?b=1", f"{mirror.url}/private", f"{mirror.url}/open"]
        main.table |= {
            "/robots.txt": naming(netloc(main), "Disallow: /private\n"),
            "/": html("Home", *links),
            "/a?b=1": Answer(302, headers={"Location": f"{mirror.url}/a?b=1"}),
        }
        mirror.table |= {"/robots.txt": naming(netloc(main), "Disallow: /open\n")}
        crawled = run(loop_mode, [f"{mirror.url}/"], settings, spider="links")
    assert sorted(main.pages()) == ["/", "/a?b=1", "/open"]
    assert mirror.paths() == ["/robots.txt", "/a?b=1"]  # to which the main host itself sends its visitors
    assert [one["url"] for one in crawled.refused] == [f"{main.url}/private"]
    assert crawled.stats["polite/main_hosts/followed"] == 1
    assert crawled.stats["polite/main_hosts/requests"] >= 4
    named = f"The robots.txt of {mirror.url} names {netloc(main)} as the main host"
    assert len(crawled.logged("INFO", f"{named}: followed")) == 1
    assert "Host lines of robots.txt: 1 followed" in crawled.log


def test_a_page_that_was_fetched_of_the_mirror_counts_as_visited_at_the_main_host(
    loop_mode: str, tmp_path: Path
) -> None:
    job = {"JOBDIR": str(tmp_path / "job")}
    with Origin({}) as main, Origin({}) as mirror:
        for site in (main, mirror):
            site.table["/robots.txt"] = naming(netloc(main))
        site_links = [f"{main.url}/old", f"{mirror.url}/old", f"{mirror.url}/new"]
        # Later than the mirror's robots.txt, which is asked for at the same time: that names the main host.
        main.table["/start"] = replace(html("Start", *site_links), delay_s=1.0)
        run(loop_mode, [f"{mirror.url}/old"], job, allowed_domains=["127.0.0.1"])
        assert mirror.pages() == ["/old"]
        run(loop_mode, [f"{mirror.url}/first", f"{main.url}/start"], FOLLOW | job, spider="links")
    assert mirror.pages() == ["/old"]
    assert sorted(main.pages()) == ["/first", "/new", "/start"]


def test_a_host_line_is_noted_by_default_and_every_reason_of_not_following_is_told_once(
    loop_mode: str, tmp_path: Path
) -> None:
    pages = ["/1", "/2"]
    with ExitStack() as opened:

        def site(line: str | None, address: str = "127.0.0.1", **more: Any) -> Origin:
            table = {} if line is None else {"/robots.txt": naming(line)}
            return opened.enter_context(Origin(table, address, **more))

        other, without, silent, redirected = site("x", "127.0.0.2"), site("127.0.0.1:1"), site(None), site(None)
        redirected.table["/robots.txt"] = Answer(302, headers={"Location": f"{other.url}/robots.txt"})
        unreachable, unnamed = site(None), site(None)
        unreachable.table["/robots.txt"] = Answer(503)
        unnamed.table["/robots.txt"] = robots("User-agent: *\nDisallow:\n")
        secure = site("x", tls=self_signed(tmp_path, "127.0.0.1"))
        secure.table["/robots.txt"] = naming(silent.url)
        cases = {
            site("127.0.0.1:99999"): "it is no host",
            site("ftp://127.0.0.1/"): "it is no host",
            site(netloc(other)): "it is of another registered domain",
            site(netloc(without)): "its own robots.txt names http://127.0.0.1:1",
            site(netloc(silent)): "it has no robots.txt",
            site(netloc(redirected)): "its robots.txt is a redirect",
            site(netloc(unreachable)): "its own robots.txt is unreachable",
            site(netloc(unnamed)): "its own robots.txt has no Host line",
            secure: "it leads from https to http",
        }
        noted = site(netloc(other).replace("127.0.0.2", "127.0.0.1"))
        itself = site(None)
        itself.table["/robots.txt"] = naming(netloc(itself))
        settings = {
            "POLITE_SITES": {"*": {"host": "follow"}, netloc(noted): {"host": "note"}},
            "POLITE_ROBOTS_ATTEMPTS": 1,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
        }
        sites = [*cases, noted, itself]
        crawled = run(loop_mode, [site.url + page for site in sites for page in pages], settings)
    for one in sites:
        assert sorted(one.pages()) == pages, one.url
    for one, why in {**cases, noted: "POLITE_SITES does not say 'follow'"}.items():
        told = [line for line in crawled.logged("INFO", f"The robots.txt of {one.url} names ") if why in line]
        assert len(told) == 1, why
    assert crawled.stats["polite/main_hosts/noted"] == len(cases) + 1
    assert "polite/main_hosts/followed" not in crawled.stats
    assert f"The robots.txt of {itself.url}" not in crawled.log
    assert (other.pages(), silent.pages()) == ([], [])


@pytest.mark.parametrize(
    ("settings", "more", "why"),
    [
        pytest.param({}, {"headers": {"Authorization": "Basic eDp5"}}, "credentials", id="credentials"),
        pytest.param({"ROBOTSTXT_OBEY": False}, {}, "its robots.txt is audited", id="audit"),
        pytest.param({"POLITE_BLACKLISTS": ["list"]}, {}, "it is on a blacklist", id="blacklist"),
        pytest.param(
            {},
            {"allowed_domains": ["a.example"], "meta": {"allow_offsite": True}},
            "it is not in the spider's allowed_domains",
            id="allowed_domains",
        ),
    ],
)
def test_what_stays_at_the_mirror(
    loop_mode: str, tmp_path: Path, settings: dict[str, Any], more: dict[str, Any], why: str
) -> None:
    with Origin({}) as main, Origin({}) as mirror:
        for site in (main, mirror):
            site.table["/robots.txt"] = naming(netloc(main))
        # Later than its robots.txt: in an audit no page waits for that, and the end of the crawl does not, either.
        mirror.table["/a"] = Answer(delay_s=2.0)
        (tmp_path / "list").write_text(f"{main.url}/\n")
        crawled = run(loop_mode, [f"{mirror.url}/a"], FOLLOW | settings, folder=tmp_path, **more)
    assert (main.pages(), mirror.pages()) == ([], ["/a"])
    assert [line for line in crawled.logged("INFO", f"The robots.txt of {mirror.url} names") if why in line]


@pytest.mark.skipif(scrapy.version_info < (2, 15), reason="get_crawler of Scrapy 2.14 needs a reactor in this process")
@pytest.mark.parametrize(
    ("address", "why"), [("10.0.0.1", "it leads from a public to a private address"), ("8.8.8.8", "did not come")]
)
def test_no_line_leads_from_a_public_to_a_private_address(address: str, why: str) -> None:
    crawler = get_crawler(settings_dict=FOLLOW | {"POLITE_STORE": "memory", "ROBOTSTXT_OBEY": True})
    robots_txt, main_hosts = shared(crawler, CrawlRobots), shared(crawler, CrawlMainHosts)

    async def resolve(host: str) -> list[str]:
        return [address] if host == "www.a.example" else ["1.1.1.1"]

    robots_txt.fetcher = replace(robots_txt.fetcher, resolve=resolve)
    told: list[str] = []
    shared(crawler, Events).read(MainHostNamed, lambda event: told.append(event.why))
    request = Request("http://a.example/")
    key = robots_txt.key(OriginOf.from_url(request.url), request)
    copy = RobotsCopy(*key.sent, clock.now(), status=200, expires_at=clock.now() + 60)
    held = CachedRobots(copy, RobotsTxt.parse(b"Host: www.a.example", key.token), robots_txt.policy(key.origin))
    asyncio.run(main_hosts.decide(key, held, request, 0))
    assert len(told) == 1
    assert why in told[0]
    assert main_hosts.moved(key, held, request) is None
