"""Start URLs that outlive crawls: kept by the real command line, fed to real crawls, and what came of them."""

from __future__ import annotations

import json
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from commandline import make_project
from crawls import LOOP_SETTINGS, crawl
from projects import scrapy
from scrapy_polite.seeds import Seed, Seeds, SeedsError
from webserver import PAGE, Answer, Origin, robots

SPIDER = """
import scrapy

class Town(scrapy.Spider):
    name = "town"

    async def start(self):
        yield scrapy.Request({url!r}, self.page, dont_filter=True)

    def page(self, response):
        yield {{"url": response.url}}
        for request in response.follow_all(css="a"):
            yield request.replace(callback=self.page, meta=response.meta)
"""


def seeds(project: Path, *words: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    done = scrapy(project, "polite", "seeds", *words)
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    return done


def listed(project: Path) -> dict[str, Any]:
    lines = seeds(project, "list", "--json").stdout.splitlines()
    return {one["url"]: one for one in map(json.loads, lines)}


def test_seeds_are_added_once_bad_ones_told_with_their_line_and_taken_out(tmp_path: Path) -> None:
    project = make_project(tmp_path / "project")
    (project / "more.txt").write_text(
        "# a comment\n\nhttps://b.example/x#part\nftp://c.example/\nhttps://a.example\nhttps://d.ex ample/\n"
        "https:///nowhere\nhttps://[::1/\n"
    )
    first = seeds(project, "add", "https://a.example/", "--by", "jane", "--why", "asked\x1b[2J")

    assert first.stdout == "1 added, 0 known before\n"
    bad = seeds(project, "add", "--file", "more.txt", status=1)
    assert bad.stdout == "1 added, 1 known before, 4 refused\n"
    assert [line.split(" ")[0] for line in bad.stderr.splitlines()] == [f"more.txt:{n}:" for n in (4, 6, 7, 8)]
    found = listed(project)
    assert list(found) == ["https://a.example/", "https://b.example/x"]
    assert (found["https://a.example/"]["added_by"], found["https://a.example/"]["why"]) == ("jane", "asked\\x1b[2J")
    assert "not crawled yet" in seeds(project, "list").stdout
    assert seeds(project, "remove", "https://a.example/", "https://z.example/", status=1).stdout.startswith("1 removed")
    assert list(listed(project)) == ["https://b.example/x"]
    assert "cannot be read" in seeds(project, "add", "--file", "none.txt", status=2).stderr


def test_standard_input_is_read(tmp_path: Path) -> None:
    project = make_project(tmp_path / "project")
    done = scrapy(project, "polite", "seeds", "add", "--file", "-", text="https://a.example/\nnothing\n")
    assert done.returncode == 1, done.stderr
    assert "standard input:2: 'nothing' is no start URL: expected http:// or https://" in done.stderr
    assert list(listed(project)) == ["https://a.example/"]


def test_a_crawl_is_fed_with_them_and_what_came_of_each_is_kept(loop_mode: str, tmp_path: Path) -> None:
    html = {"Content-Type": "text/html"}
    pages = {
        "/robots.txt": robots("User-agent: *\nDisallow: /private"),
        "/start": Answer(body=b"<a href='/linked'>x</a>", headers=html),
        "/seed": Answer(body=b"<a href='/missing'>x</a>", headers=html),
        "/moved": Answer(301, headers={"Location": "/moved-to"}),
        "/moved-to": Answer(body=PAGE, headers=html),
        "/moved-to-seed": Answer(302, headers={"Location": "/seed"}),
        "/linked": Answer(body=PAGE, headers=html),
        "/gone": Answer(404, PAGE, headers=html),
        "/missing": Answer(404, PAGE, headers=html),
    }
    with Origin(pages) as origin:
        project = make_project(
            tmp_path / "project",
            {"POLITE_SEEDS": "polite/seeds.sqlite", **LOOP_SETTINGS[loop_mode]},
            SPIDER.format(url=f"{origin.url}/start"),
        )
        without = scrapy(project, "crawl", "town")
        assert without.returncode == 0
        assert "POLITE_SEEDS: " in without.stderr
        assert "add some (scrapy polite seeds add URL)" in without.stderr
        before = len(origin.pages())
        names = ("start", "seed", "moved", "moved-to-seed", "gone", "private")
        dead = "http://127.0.0.1:9/"
        seeds(project, "add", *(f"{origin.url}/{name}" for name in names), dead)
        done = scrapy(project, "crawl", "town", "-s", "RETRY_ENABLED=False", "-s", "POLITE_MAX_IDLE=2")
        assert done.returncode == 0, done.stderr
        asked = [path for path in origin.pages()[before:] if path != "/robots.txt"]
        assert sorted(asked) == [
            *("/gone", "/linked", "/missing", "/moved", "/moved-to", "/moved-to-seed", "/seed", "/start")
        ]
        found = listed(project)
        status = {url.removeprefix(origin.url): seed["status"] for url, seed in found.items()}
        assert {name: status[f"/{name}"] for name in names} == {
            "start": "200",
            "seed": "200",
            "moved": "200",
            "moved-to-seed": "302",  # which was asked for already
            "gone": "404",
            "private": "robots/disallow",
        }
        assert found[f"{origin.url}/seed"]["pages"] == 6
        assert found[f"{origin.url}/seed"]["spider"] == "town"
        assert dead in found  # whatever came of it
        taken = scrapy(project, "polite", "takedown", f"{origin.url}/seed", "--yes")
        assert "start URLs" in taken.stdout
        assert f"{origin.url}/seed" not in listed(project)


def test_a_seed_at_a_mirror_has_what_came_of_it_at_the_main_host(loop_mode: str, tmp_path: Path) -> None:
    path = tmp_path / "seeds.sqlite"
    settings = {"POLITE_SEEDS": str(path), "POLITE_SITES": {"*": {"host": "follow"}}}
    with Origin({}) as main, Origin({}, "127.0.0.1") as mirror:
        named = f"User-agent: *\nHost: {main.url.partition('://')[2]}\n"
        main.table |= {"/robots.txt": robots(named), "/there": Answer(404)}
        mirror.table["/robots.txt"] = robots(named)
        with closing(Seeds(path, make=True)) as kept:
            urls = [f"{main.url}/known", *(f"{mirror.url}/{name}" for name in ("known", "page", "there"))]
            urls += [f"{main.url}/known?a=1&b=2", f"{main.url}/known?b=2&a=1"]
            kept.add(Seed(url, "", "", "") for url in urls)
            crawl(loop_mode, [f"{main.url}/start"], settings)
            assert sorted(main.pages()) == ["/known", "/known?a=1&b=2", "/page", "/start", "/there"]
            assert mirror.pages() == []
            found = {one.url: (one.status, one.pages) for one in kept.all()}
    statuses = ("200", "asked of its main host (Host line)", "200", "404", "200", "duplicate")
    assert found == {url: (status, 5) for url, status in zip(urls, statuses, strict=True)}


def test_many_add_at_once_and_none_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "seeds.sqlite"

    def add(number: int) -> int:
        mine = Seeds(path, make=True)
        try:
            return sum(mine.add([Seed(f"https://a.example/{number}/{n}", "", "", "")]) for n in range(20))
        finally:
            mine.close()

    Seeds(path, make=True).close()
    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(add, range(8))) == 160
    assert len([*Seeds(path).all()]) == 160


def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "seeds.sqlite"
    path.write_text("https://a.example/\n")
    with pytest.raises(SeedsError, match="cannot be used"):
        Seeds(path, make=True)
    assert path.read_text() == "https://a.example/\n"
