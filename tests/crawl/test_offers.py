"""What robots.txt offers beyond rules: allowed paths beneath a start that is not, and sitemaps."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from crawls import crawl, crawl_and_kill
from trap_sites import html
from webserver import Answer, Origin, robots

CLOSED = robots("User-agent: *\nDisallow: /\nAllow: /docs/\nAllow: /open\nAllow: /*.css$\n")


@pytest.mark.parametrize(
    ("action", "settings"),
    [
        pytest.param("seed", {"POLITE_DISALLOWED_START": "seed"}, id="queued"),
        pytest.param("seed", {"POLITE_SITES": {"127.0.0.1": {"disallowed_start": "seed"}}}, id="queued of this site"),
        pytest.param(
            "warn",
            {"POLITE_DISALLOWED_START": "seed", "POLITE_SITES": {"127.0.0.1": {"disallowed_start": "warn"}}},
            id="not of this site",
        ),
    ],
)
def test_allowed_paths_beneath_a_start_that_is_not_are_told_and_queued_by_setting(
    loop_mode: str, action: str, settings: dict[str, Any]
) -> None:
    with Origin({"/robots.txt": CLOSED}) as site:
        crawled = crawl(loop_mode, [f"{site.url}/"], settings)
    assert sorted(site.pages()) == (["/docs/", "/open"] if action == "seed" else [])
    assert len(crawled.responses) == len(site.pages())  # the start request's callback
    told = crawled.logged("WARNING", f"robots.txt allows beneath it: {site.url}/docs/, {site.url}/open, /*.css$.")
    assert len(told) == 1


def test_a_link_to_a_disallowed_page_is_told_of_no_children(loop_mode: str) -> None:
    closed = robots("User-agent: *\nDisallow: /a\nAllow: /a/b\n")
    with Origin({"/robots.txt": closed, "/": html("Home", "/a")}) as site:
        crawled = crawl(loop_mode, [site.url], {"POLITE_DISALLOWED_START": "seed"}, spider="links")
    assert site.pages() == ["/"]
    assert not crawled.logged("WARNING", "allows beneath it")


SEED = {"POLITE_SITEMAPS": "seed"}


def sitemap(*urls: str, what: str = "url", more: str = "") -> Answer:
    entries = "".join(f"<{what}><loc>{url}</loc>{more}</{what}>" for url in urls)
    root = {"url": "urlset", "sitemap": "sitemapindex"}[what]
    xml = f'<?xml version="1.0"?><{root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</{root}>'
    return Answer(body=xml.encode(), headers={"Content-Type": "application/xml"})


def naming(*paths: str, rules: str = "") -> Answer:
    lines = "".join(f"Sitemap: {path}\n" for path in paths)
    return robots(f"{lines}User-agent: *\nDisallow: /private\n{rules}")


def test_what_sitemaps_list_is_crawled_in_scope_and_by_the_rules(loop_mode: str) -> None:
    with Origin({}) as site, Origin({}, "127.0.0.2") as other:
        more = "<lastmod>2026-11-01</lastmod><changefreq>daily</changefreq>"
        packed = sitemap(site.url + "/blog/news" * 10, f"{site.url}/" + "a" * 3_000)
        site.table |= {
            "/robots.txt": naming("/index.xml", "/private/s.xml", f"{other.url}/s.xml", "/moved.xml"),
            "/index.xml": sitemap("/a.xml", f"{site.url}/b.xml.gz", what="sitemap"),
            "/a.xml": sitemap(f"{site.url}/a", f"{site.url}/private/b", f"{other.url}/c", more=more),
            "/b.xml.gz": Answer(body=gzip.compress(packed.body)),  # type: ignore[arg-type]
            "/moved.xml": Answer(302, headers={"Location": "/list.txt"}),
            "/list.txt": Answer(body=f"{site.url}/listed\n".encode()),
        }
        crawled = crawl(loop_mode, [f"{site.url}/"], SEED, spider="offer_parts.Listed")
    assert sorted(site.pages()) == sorted(
        [
            "/",
            "/index.xml",
            "/a.xml",
            "/b.xml.gz",
            "/moved.xml",
            "/list.txt",
            "/a",
            "/blog/news" * 10,
            "/listed",
        ]
    )
    assert other.asked == []
    listed = {response["url"].removeprefix(site.url): response["flags"] for response in crawled.responses}
    assert listed.pop("/a") == {"lastmod": "2026-11-01", "changefreq": "daily"}
    assert listed == dict.fromkeys(["/", "/blog/news" * 10, "/listed"])
    assert [error["url"] for error in crawled.errors] == [f"{site.url}/private/b"]
    assert crawled.stats["polite/sitemaps/read"] == 4
    assert crawled.stats["polite/sitemaps/failed"] == 1
    assert (crawled.stats["polite/sitemaps/out_of_scope"], crawled.stats["polite/sitemaps/too_long"]) == (1, 1)
    assert crawled.logged("WARNING", f"Sitemap {other.url}/s.xml, which the robots.txt of {site.url} names, is out of")
    assert crawled.logged("WARNING", f"Sitemap {site.url}/private/s.xml could not be read: Refused by robots/disallow")
    assert "sitemaps read: 4, and 1 could not be; 4 URLs of them became seeds" in crawled.log


def test_in_an_audit_sitemaps_are_read_also_those_that_robots_txt_forbids_and_these_are_counted(
    loop_mode: str,
) -> None:
    with Origin({}) as site, Origin({"/robots.txt": naming("/s.xml")}) as other:
        late = replace(naming("/private.xml"), delay_s=0.5)
        site.table |= {"/robots.txt": late, "/private.xml": sitemap(f"{site.url}/a")}
        sites = {"*": {"sitemaps": "seed"}, other.url.partition("://")[2]: {"sitemaps": "off"}}
        crawled = crawl(
            loop_mode,
            [f"{site.url}/", f"{other.url}/"],
            {"POLITE_MODE": "audit", "POLITE_SITES": sites},
            allowed_domains=["127.0.0.1"],
        )
    assert sorted(site.pages()) == ["/", "/a", "/private.xml"]
    assert other.pages() == ["/"]  # where this site's are off
    assert crawled.stats["polite/audited/robots/disallow"] == 1


def endless() -> Iterator[bytes]:
    yield b"<urlset>"
    while True:
        yield b"<url><loc>x</loc></url>" * 1_000


def test_sitemaps_that_cannot_be_read_are_told_of_and_keep_nothing_else_from_the_crawl(loop_mode: str) -> None:
    bomb = gzip.compress(b"<urlset>" + b" " * 60_000_000)
    faults = {
        "/404.xml": (Answer(404), "HTTP 404"),
        "/html.xml": (Answer(body=b"<!DOCTYPE html><title>Welcome</title>"), "a web page"),
        "/bomb.xml": (Answer(body=bomb, headers={"Content-Encoding": "gzip"}), "larger than 52,428,800 bytes"),
        "/dropped.xml": (Answer(drop=True), ""),
        "/slow.xml": (Answer(delay_s=20), ""),
        "/away.xml": (Answer(301, headers={"Location": "/away.xml?1"}), "more than 5 redirects"),
        "/endless.xml": (Answer(body=endless()), ""),
    }
    with Origin({path: answer for path, (answer, _) in faults.items()}) as site:
        site.table |= {
            "/robots.txt": naming(*faults, "/part.xml", "/deep.xml?0"),
            "/part.xml": Answer(body=f"<urlset><url><loc>{site.url}/a</loc></url><url><lo".encode()),
            **{f"/away.xml?{n}": Answer(301, headers={"Location": f"/away.xml?{n + 1}"}) for n in range(9)},
            **{f"/deep.xml?{n}": sitemap(f"{site.url}/deep.xml?{n + 1}", what="sitemap") for n in range(9)},
        }
        crawled = crawl(
            loop_mode, [f"{site.url}/"], SEED | {"DOWNLOAD_TIMEOUT": 3, "CONCURRENT_REQUESTS_PER_DOMAIN": 16}
        )
    assert sorted(path for path in site.pages() if ".xml" not in path) == ["/", "/a"]
    assert [path for path in site.pages() if "deep" in path] == [f"/deep.xml?{n}" for n in range(4)]
    for path, (_, why) in faults.items():
        told = crawled.logged(
            "WARNING", f"Sitemap {site.url}{'/away.xml?5' if 'away' in path else path} could not be read: {why}"
        )
        assert len(told) == 1, path
    assert crawled.stats["polite/sitemaps/failed"] == len(faults)
    assert crawled.stats["polite/sitemaps/too_deep"] == 1
    assert not crawled.errors
    assert not crawled.logged("ERROR", "")
    assert site.sent_bytes < 70_000_000  # of the endless one 50 MB


def test_a_crawl_that_is_killed_and_resumed_loses_no_seed_and_reads_no_sitemap_again(
    loop_mode: str, tmp_path: Path
) -> None:
    settings = SEED | {"JOBDIR": str(tmp_path / "job"), "CONCURRENT_REQUESTS": 2}
    pages = [f"/{number}" for number in range(40)]
    with Origin({path: Answer(body=b"A page", delay_s=0.05) for path in pages}) as site:
        site.table |= {
            "/robots.txt": naming("/index.xml"),
            "/index.xml": sitemap(f"{site.url}/s.xml", what="sitemap"),
            "/s.xml": sitemap(*(site.url + path for path in pages)),
        }
        crawl_and_kill(loop_mode, [f"{site.url}/"], settings, "list", lambda: len(site.asked) >= 25)
        asked = len(site.asked)
        resumed = crawl(loop_mode, [f"{site.url}/"], settings)
    assert set(site.pages()) == {"/", "/index.xml", "/s.xml", *pages}
    assert not [path for path in site.paths()[asked:] if path.endswith(".xml")]
    assert len(resumed.responses) < len(pages)
