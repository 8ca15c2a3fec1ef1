"""`scrapy polite recover` on the real command line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from scrapy import Request, Spider

from projects import project, scrapy
from queues import closing
from scrapy_polite.frontier.codec import Codec
from scrapy_polite.frontier.sqlite.queue import SqliteQueue
from scrapy_polite.frontier.sqlite.schema import FILE_NAME
from webserver import Origin

PAGES = 40


def make_job(folder: Path, url: str) -> Path:
    path = folder / "job" / FILE_NAME
    path.parent.mkdir()
    with closing(SqliteQueue(path, Codec(), Spider("test"))) as queue:
        queue.open().result()
        for number in range(PAGES):
            queue.push(url, (0, number), Request(f"{url}/{number}", meta={"text": "long" * 500}))
    return path


def test_a_damaged_job_goes_on_when_it_has_been_recovered(loop_mode: str, tmp_path: Path) -> None:
    with Origin({}) as site:
        folder = project(tmp_path, loop_mode, [], {"JOBDIR": "job", "POLITE_MODE": {"traps": "audit"}})
        path = make_job(tmp_path, site.url)
        os.truncate(path, path.stat().st_size * 3 // 4)
        assert scrapy(folder, "crawl", "listed").returncode == 1
        recovered = scrapy(folder, "polite", "recover")
        assert recovered.returncode == 0, recovered.stderr
        assert scrapy(folder, "crawl", "listed").returncode == 0
        fetched = site.pages()
    first, saved, lost, kept = recovered.stdout.splitlines()
    assert first.startswith(f"job/{FILE_NAME}: ")
    assert saved.startswith(f"  saved       {len(fetched)} requests to be made, 0 requests set aside, 0 pages")
    assert PAGES / 2 < len(fetched) < PAGES
    assert lost.startswith("  lost        at least ")
    assert kept.startswith(f"  kept        job/{FILE_NAME}.damaged, ")


CASES = {
    "sound": (None, 0, "is sound: nothing was changed", ""),
    "garbage": (b"no database" * 1_000, 1, "saved       nothing: the file was left as it is", ""),
    "no queue": (b"", 2, "", f"job holds no queue ({FILE_NAME})"),
}


@pytest.mark.parametrize(("content", "status", "output", "error"), CASES.values(), ids=CASES)
def test_exit_statuses(tmp_path: Path, content: bytes | None, status: int, output: str, error: str) -> None:
    path = make_job(tmp_path, "http://a.invalid")
    if content:
        path.write_bytes(content)
    elif content is not None:
        path.unlink()
    ended = scrapy(tmp_path, "polite", "recover", "job")
    assert ended.returncode == status
    assert output in ended.stdout
    assert error in ended.stderr


def test_without_a_job_directory_there_is_nothing_to_do(tmp_path: Path) -> None:
    ended = scrapy(tmp_path, "polite", "recover")
    assert ended.returncode == 2
    assert "no job directory: name one, or set JOBDIR" in ended.stderr


def test_a_queue_on_a_server_is_not_for_this_command(tmp_path: Path) -> None:
    folder = project(
        tmp_path,
        "asyncio",
        [],
        {"JOBDIR": "job", "POLITE_FRONTIER": "redis://127.0.0.1:1/0", "POLITE_STORE": "polite.sqlite"},
    )
    done = scrapy(folder, "polite", "recover")
    assert done.returncode == 2
    assert "the queue is on a server (POLITE_FRONTIER)" in done.stderr
    assert "Traceback" not in done.stderr
