"""`scrapy robots test` and `diff` on the real command line: files, a real server, what a real crawl has recorded."""

from __future__ import annotations

import json
import time
from datetime import datetime, timezone
from pathlib import Path

import pytest
from scrapy import Request, Spider

from commandline import make_project
from projects import project, scrapy
from scrapy_polite.commands.robots_urls import known_urls
from scrapy_polite.frontier.codec import Codec
from scrapy_polite.frontier.sqlite.queue import SqliteQueue
from scrapy_polite.frontier.sqlite.schema import FILE_NAME
from webserver import Origin, robots

OLD = "User-agent: *\nDisallow: /private\n"
NEW = "User-agent: *\nDisallow: /private\nAllow: /private/open\nDisallow: /news\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = make_project(tmp_path / "project")
    (made / "robots.txt").write_text(OLD)
    (made / "new.txt").write_text(NEW)
    (made / "agents").write_text("Googlebot\n*\n")
    (made / "urls").write_text("/private/open\nhttps://a.example/news/1\nhttps://b.example/\n")
    return made


def test_a_matrix_is_printed_and_what_is_not_as_expected_is_the_exit_status(folder: Path) -> None:
    shown = scrapy(folder, "robots", "test", "--agents", "agents", "--urls", "urls", "--dialect", "rfc")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout.splitlines()[:2] == ["/private/open", "  refused     line 2: Disallow: /private  Googlebot, *"]
    (folder / "expect").write_text("disallow Googlebot /private/open\nallow * /news\n")
    assert scrapy(folder, "robots", "test", "--expect", "expect").returncode == 0
    failing = scrapy(folder, "robots", "test", "robots.txt", "new.txt", "--expect", "expect", "--dialect", "rfc")
    assert failing.returncode == 1
    assert failing.stdout == (
        "expect, line 1: Googlebot is allowed at /private/open, expected refused: new.txt says "
        "line 3: Allow: /private/open (read as rfc)\n"
        "expect, line 2: * is refused at /news, expected allowed: new.txt says line 4: Disallow: /news (read as rfc)\n"
        "2 expectations, 2 mismatches\n"
    )


def test_a_diff_of_files_counts_the_urls_of_one_origin_and_says_what_it_left_out(folder: Path) -> None:
    shown = scrapy(folder, "robots", "diff", "robots.txt", "new.txt", "--urls", "urls", "--agent", "bot")
    assert shown.returncode == 1
    assert shown.stdout.endswith("2 of 3 URLs change: 1 refused now, 1 allowed now, for bot\n")
    of_b = scrapy(folder, "robots", "diff", "robots.txt", "new.txt", "--urls", "urls", "--origin", "https://b.example")
    assert of_b.stdout.endswith("for testbot\n1 URL of other origins not counted\n")
    same = scrapy(folder, "robots", "diff", "new.txt", "new.txt", "--urls", "urls")
    assert (same.returncode, same.stdout) == (0, "none of 3 URLs changes, for testbot\n")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("diff", "robots.txt", "none.txt", "--urls", "urls"), "diff: there is no file 'none.txt': give its path, or "),
        (
            ("diff", "robots.txt", "new.txt", "--urls", "none"),
            "diff: there is no file or directory 'none', and no run ",
        ),
        (("diff", "robots.txt", "new.txt", "--urls", "robots.txt"), "diff: robots.txt, line 1: 'User-agent: *' is no "),
        (("diff", "robots.txt", "https://a.example@2020-01-01", "--urls", "urls"), "diff: no copy of https://a.exampl"),
        (("diff", "robots.txt", "gopher://a.example", "--urls", "urls"), "diff: no origin for scheme 'gopher'"),
        (("diff", "robots.txt", "http://127.0.0.1:9@2020-13-01", "--urls", "urls"), "diff: '2020-13-01' is no time: "),
        (("test", "a" * 5_000, "--agents", "agents", "--urls", "urls"), "test: there is no file 'aaa"),
        (("farms", "urls"), "farms: urls, line 1: '/private/open' is no origin; give one such as https://example.com"),
        (("test", "--expect", "agents"), "test: agents, line 1: 'Googlebot' is no expectation; give: "),
        (("test", "--agents", "agents"), "test: --agents and --urls go together"),
    ],
)
def test_what_cannot_be_read_is_one_line_and_status_2(arguments: tuple[str, ...], told: str, folder: Path) -> None:
    shown = scrapy(folder, "robots", *arguments)
    assert (shown.returncode, shown.stdout) == (2, "")
    assert shown.stderr.startswith(f"scrapy robots {told}")
    assert shown.stderr.count("\n") == 1


def test_the_urls_of_a_crawl_are_asked_of_the_robots_txt_that_it_read_and_of_the_one_there_is_now(
    tmp_path: Path,
) -> None:
    with Origin({"/robots.txt": robots(OLD)}) as origin:
        urls = [f"{origin.url}{path}" for path in ("/a", "/news/1", "/news/2", "/private/open")]
        folder = project(tmp_path, "asyncio", urls)
        crawled = scrapy(folder, "crawl", "listed")
        assert crawled.returncode == 0, crawled.stderr
        then = datetime.fromtimestamp(time.time(), timezone.utc).isoformat()
        origin.table["/robots.txt"] = robots(NEW)
        shown = scrapy(folder, "robots", "diff", f"{origin.url}@{then}", origin.url, "--urls", "listed", "--json")
        assert shown.returncode == 1, shown.stderr
        assert {(one["allowed"], one["old_line"], one["new_line"], one["urls"]) for one in found(shown.stdout)} == {
            (False, None, 4, 2),
            (True, 2, 3, 1),
        }
        (folder / "rules.toml").write_text('[[rule]]\nagents = ["*"]\ndisallow = ["/news/"]\n')
        built = scrapy(folder, "robots", "build", "rules.toml", "--urls", "listed", "--dry-run")
        assert built.stderr == "for * it closes 2 of 4 known URLs (50 %)\n"
        assert built.returncode == 1


def test_the_known_urls_of_a_job_directory_are_those_that_are_queued(tmp_path: Path) -> None:
    queue = SqliteQueue(tmp_path / FILE_NAME, Codec(pickle=True), Spider("test"))
    queue.open().result(10)
    for number in range(2):
        queue.push("https://a.example", (0, number), Request(f"https://a.example/{number}"), fingerprint=b"%d" % number)
    queue.close().result(10)
    assert list(known_urls(str(tmp_path))) == ["https://a.example/0", "https://a.example/1"]


def test_lint_asks_origins_for_the_file_that_they_have_now(folder: Path) -> None:
    with Origin({"/robots.txt": robots("User-agent: *\nDisallow: private/\n")}) as origin:
        shown = scrapy(folder, "robots", "lint", "--json", origin.url, "robots.txt")
    assert shown.returncode == 1, shown.stderr
    assert [(one["file"], one["id"], one["line"]) for one in found(shown.stdout)] == [
        (origin.url, "no-leading-slash", 2)
    ]


def found(stdout: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in stdout.splitlines()]
