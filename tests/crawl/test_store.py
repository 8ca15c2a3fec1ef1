"""robots.txt copies outlive the crawl, are shared by processes, and a store that fails costs one line in the log."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from crawls import crawl
from projects import project, scrapy
from webserver import Answer, Origin, robots

RULES = robots("User-agent: *\nDisallow: /private\n")
DEFAULT = {"POLITE_STORE": None}
FOLDER, FILE = ".scrapy/polite", ".scrapy/polite/polite.sqlite"


@pytest.mark.engine
def test_a_second_run_does_not_ask_again_and_the_store_is_for_its_owners_eyes_only(
    loop_mode: str, tmp_path: Path
) -> None:
    with Origin({"/robots.txt": RULES}) as site, Origin({}, "127.0.0.2") as open_site:
        urls = [f"{site.url}/", f"{site.url}/private", f"{open_site.url}/"]
        for _ in range(2):
            crawl(loop_mode, urls, DEFAULT, folder=tmp_path)
    assert site.paths() == ["/robots.txt", "/", "/"]
    assert open_site.paths() == ["/robots.txt", "/", "/"]
    assert [oct((tmp_path / path).stat().st_mode & 0o777) for path in (FOLDER, FILE)] == ["0o700", "0o600"]


def test_a_store_that_a_clock_an_hour_ahead_has_written_keeps_nothing_back(loop_mode: str, tmp_path: Path) -> None:
    delayed = {"/robots.txt": robots("User-agent: *\nCrawl-delay: 0.2\nDisallow: /private\n"), "/dead": Answer(404)}
    down = {"/robots.txt": [Answer(503), RULES]}
    busy = {"/0": [Answer(429, headers={"Retry-After": "3"}), Answer()]}
    with ExitStack() as stack:
        sites = [stack.enter_context(Origin(table, f"127.0.0.{n}")) for n, table in enumerate((delayed, down, busy), 1)]
        urls = [f"{site.url}/{page}" for site in sites for page in (0, 1, "dead")]
        settings = {"POLITE_STORE": str(tmp_path / "store.sqlite"), "POLITE_ROBOTS_ATTEMPTS": 1, "POLITE_GIVE_UP": 0.5}
        crawl(loop_mode, urls, settings | {"POLITE_MAX_IDLE": 1}, spider="clock-ahead")
        for site in sites:
            site.asked.clear()
        sites[0].table["/dead"] = Answer()
        crawled = crawl(loop_mode, [*urls, f"{sites[0].url}/private"], settings)
    assert sorted(crawled.urls) == sorted(urls)
    assert [refused["reason"] for refused in crawled.refused] == ["robots/disallow"]
    waited_s = sites[2].asked[1].at - sites[0].asked[0].at
    assert waited_s > 2, "what was left of its Retry-After is waited for"


@pytest.mark.engine
def test_two_processes_fetch_a_slow_robots_txt_once_between_them(loop_mode: str, tmp_path: Path) -> None:
    slow = Answer(body=RULES.body, delay_s=1.5)
    with Origin({"/robots.txt": slow}) as site, ThreadPoolExecutor() as pool:
        run = partial(crawl, loop_mode, [f"{site.url}/", f"{site.url}/private"], DEFAULT | {"POLITE_WAIT_MAX": 30})
        runs = [pool.submit(run, folder=tmp_path) for _ in range(2)]
        crawled = [run.result() for run in runs]
    assert site.paths() == ["/robots.txt", "/", "/"]
    assert [run.stats["polite/refused/robots/disallow"] for run in crawled] == [1, 1]


def test_a_store_in_memory_leaves_nothing_on_disk(loop_mode: str, tmp_path: Path) -> None:
    with Origin({"/robots.txt": RULES}) as site:
        crawl(loop_mode, [f"{site.url}/"], {"POLITE_STORE": "memory", "POLITE_RUN_RECORD": False}, folder=tmp_path)
    assert list(tmp_path.iterdir()) == []


def a_directory(path: Path) -> AbstractContextManager[None]:
    path.mkdir()
    return nullcontext()


def garbage(path: Path) -> AbstractContextManager[None]:
    path.write_bytes(b"\x00garbage" * 1_000)
    return nullcontext()


@contextmanager
def read_only(path: Path) -> Iterator[None]:
    path.touch()
    path.chmod(0o400)
    path.parent.chmod(0o500)
    if os.access(path, os.W_OK):
        pytest.skip("this user may write anywhere")
    try:
        yield
    finally:
        path.parent.chmod(0o700)


@pytest.mark.parametrize(
    ("spoil", "settings", "told"),
    [
        pytest.param(a_directory, {}, "it is a folder", id="a directory"),
        pytest.param(garbage, {}, "not a database", id="garbage"),
        pytest.param(read_only, {}, "readonly", id="read-only"),
        pytest.param(
            lambda path: nullcontext(), {"EXTENSIONS": {"project_parts.NoRoomOnDisk": 0}}, "disk", id="disk full"
        ),
    ],
)
@pytest.mark.engine
def test_a_store_that_fails_is_one_error_in_the_log_and_no_lost_crawl(
    loop_mode: str,
    tmp_path: Path,
    spoil: Callable[[Path], AbstractContextManager[None]],
    settings: dict[str, Any],
    told: str,
) -> None:
    path = tmp_path / "polite.sqlite"
    with Origin({"/robots.txt": RULES}) as site, Origin({}, "127.0.0.2") as open_site, spoil(path):
        urls = [f"{site.url}/", f"{site.url}/private", f"{open_site.url}/"]
        crawled = crawl(loop_mode, urls, settings | {"POLITE_STORE": str(path), "POLITE_WAIT_MAX": 20})
    assert site.paths() == ["/robots.txt", "/"]
    assert open_site.paths() == ["/robots.txt", "/"]
    assert [error["url"] for error in crawled.errors] == [f"{site.url}/private"]
    (error,) = crawled.logged("ERROR", "")
    assert str(path) in error
    assert told in error
    assert "This run goes on with a memory cache" in error


def test_a_store_that_another_process_locks_is_given_up_too(loop_mode: str, tmp_path: Path) -> None:
    if loop_mode != "asyncio":
        pytest.skip("a lock takes 5 s to be given up, and the store knows nothing of loops")
    path = tmp_path / "polite.sqlite"
    with Origin({"/robots.txt": RULES}) as site, closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("BEGIN EXCLUSIVE")
        settings = {"POLITE_STORE": str(path), "POLITE_WAIT_MAX": 30}
        crawled = crawl(loop_mode, [f"{site.url}/private"], settings)
    assert site.paths() == ["/robots.txt"]
    (error,) = crawled.logged("ERROR", "")
    assert "database is locked" in error


WITHOUT_OURS = {"SCHEDULER": "scrapy.core.scheduler.Scheduler"}


def deployed(
    folder: Path, loop_mode: str, urls: list[str], settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A project as it is where only SCRAPY_SETTINGS_MODULE names it. Returns `folder`."""
    project(folder, loop_mode, urls, {"POLITE_STORE": "polite/polite.sqlite"} | settings)
    (folder / "scrapy.cfg").unlink()
    monkeypatch.setenv("SCRAPY_SETTINGS_MODULE", "shop.settings")
    return folder


@pytest.mark.parametrize(
    "settings", [pytest.param({}, id="our scheduler"), pytest.param(WITHOUT_OURS, id="scrapy's scheduler")]
)
@pytest.mark.engine
def test_without_a_scrapy_cfg_robots_txt_is_obeyed_and_the_store_is_in_the_working_directory(
    loop_mode: str, settings: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Origin({"/robots.txt": RULES}) as site:
        urls = [f"{site.url}/", f"{site.url}/private"]
        folder = deployed(tmp_path, loop_mode, urls, settings, monkeypatch)
        process = scrapy(folder, "crawl", "listed")
    assert process.returncode == 0, process.stderr
    assert site.paths() == ["/robots.txt", "/"]
    assert "Traceback" not in process.stderr
    assert (tmp_path / FILE).exists()
    checked = scrapy(folder, "polite", "check").stdout
    assert f"  store       {tmp_path / FILE} (can be opened)" in checked


@pytest.mark.parametrize(
    "settings", [pytest.param({}, id="our scheduler"), pytest.param(WITHOUT_OURS, id="scrapy's scheduler")]
)
def test_a_folder_for_data_that_cannot_be_made_costs_one_line_and_robots_txt_is_obeyed(
    loop_mode: str, settings: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".scrapy").write_text("no folder")
    with Origin({"/robots.txt": RULES}) as site:
        urls = [f"{site.url}/", f"{site.url}/private"]
        process = scrapy(deployed(tmp_path, loop_mode, urls, settings, monkeypatch), "crawl", "listed")
    assert site.paths() == ["/robots.txt", "/"]
    assert process.stderr.count(" ERROR: ") == 1, process.stderr
    assert "This run goes on with a memory cache" in process.stderr
    assert "Traceback" not in process.stderr


def test_a_project_that_may_not_be_written_to_costs_one_line_and_robots_txt_is_obeyed(
    loop_mode: str, tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir(0o500)
    if os.access(tmp_path / "data", os.W_OK):
        pytest.skip("this user may write anywhere")
    with Origin({"/robots.txt": RULES}) as site:
        folder = project(
            tmp_path, loop_mode, [f"{site.url}/", f"{site.url}/private"], {"POLITE_STORE": "polite/polite.sqlite"}
        )
        with (folder / "scrapy.cfg").open("a") as file:
            file.write("[datadir]\ndefault = data/below\n")
        process = scrapy(folder, "crawl", "listed")
    assert site.paths() == ["/robots.txt", "/"]
    assert process.stderr.count(" ERROR: ") == 1, process.stderr
    assert "make file and folder readable and writable" in process.stderr
