"""`scrapy polite what-if` on the real command line, of a crawl that has been."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from commandline import make_project
from projects import project, scrapy
from run_parts import MARK, PAYLOADS, STARTED, hostile, write_run
from scrapy_polite.runs.records import Page
from webserver import Origin, robots

RULES = robots("User-agent: *\nDisallow: /private\n")
DEEP = "/" + "/".join(f"part-{letter}" for letter in "abcdefghijklmnopqrstuvwxy")
FOLLOWS = """
import scrapy

class Spider(scrapy.Spider):
    name = "listed"
    start_urls = {urls!r}

    def parse(self, response):
        if response.url not in self.start_urls:
            return
        for number in range(3):
            yield scrapy.Request(response.urljoin(f"/found/{{number}}"))
            yield scrapy.Request(response.urljoin(f"/private/{{number}}"))
        yield scrapy.Request(response.urljoin({deep!r}))
        yield scrapy.Request("http://127.0.0.7:9/listed")
"""


@pytest.fixture
def crawled(loop_mode: str, tmp_path: Path) -> Path:
    """A project whose crawl has met a robots.txt, a blacklist and a URL rule."""
    (tmp_path / "list.txt").write_text("127.0.0.7\n")
    traps = {"POLITE_TRAP_LIMITS": {"max_depth": 20}, "POLITE_TRAPS": {"path-depth": "drop"}}
    settings = {"POLITE_BLACKLISTS": ["list.txt"], **traps}
    with Origin({"/robots.txt": RULES}) as site:
        folder = project(tmp_path, loop_mode, [], settings)
        (folder / "shop" / "spiders" / "__init__.py").write_text(FOLLOWS.format(urls=[f"{site.url}/"], deep=DEEP))
        done = scrapy(folder, "crawl", "listed")
    assert done.returncode == 0, done.stderr
    return folder


def what_if(folder: Path, *arguments: str) -> Any:
    done = scrapy(folder, "polite", "what-if", "--json", *arguments)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def counts(found: Any) -> tuple[int, dict[str, int], dict[str, int]]:
    """Pages; what would not have been fetched, and what would have been, by reason."""
    return (
        found["pages"],
        {reason: one["count"] for reason, one in found["not_fetched"].items()},
        {reason: one["count"] for reason, one in found["fetched"].items()},
    )


def test_unchanged_settings_decide_as_the_crawl_did_and_others_otherwise(crawled: Path) -> None:
    same = what_if(crawled)
    assert counts(same) == (4, {}, {})
    assert (same["alike"], same["unknown"]) == (9, {})
    limits = '{"max_depth": 30}'
    freer = what_if(crawled, "listed", "-s", "POLITE_BLACKLISTS=", "-s", f"POLITE_TRAP_LIMITS={limits}")
    # Nobody has ever asked for the robots.txt of the host on the list.
    assert counts(freer) == (5, {}, {"trap/path-depth": 1})
    assert sum(freer["unknown"].values()) == 1
    (crawled / "robots.txt").write_text("User-agent: *\nDisallow: /found/1\nCrawl-delay: 10\n")
    (crawled / "more.txt").write_text("/found/2\n")
    other = what_if(crawled, "--robots", "robots.txt", "--host", "127.0.0.1")
    assert counts(other) == (6, {"robots/disallow": 1}, {"robots/disallow": 3})
    assert other["least_s"] >= 60
    assert other["took_s"] < 60


def test_nothing_of_a_hostile_run_acts_on_the_terminal(tmp_path: Path) -> None:
    folder, site = make_project(tmp_path / "project"), "https://shop.example"
    pages = [
        Page(STARTED, f"{site}/{text}", site, 200, 0.2, 0.1, 9, 0.0, text, 0.0, "fresh", "ab", 0) for text in PAYLOADS
    ]
    records = [record for text in PAYLOADS for record in hostile(text)]
    write_run(folder / ".scrapy" / "polite" / "runs", [*pages, *records])
    rules = tmp_path / "robots.txt"
    rules.write_text("User-agent: *\nDisallow: /\n")
    done = scrapy(folder, "polite", "what-if", "--robots", str(rules), "--host", "shop.example")
    assert done.returncode == 0, done.stderr
    assert MARK in done.stdout
    assert all(line.isprintable() for line in (done.stdout + done.stderr).splitlines())
