"""A queue on disk that remembers what was visited in a Bloom filter."""

from __future__ import annotations

import errno
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from scrapy import Request, Spider

import scrapy_polite
from scrapy_polite.frontier.codec import Codec
from scrapy_polite.frontier.queue import FrontierError, PushResult
from scrapy_polite.frontier.sqlite import seen
from scrapy_polite.frontier.sqlite.queue import SqliteQueue
from scrapy_polite.frontier.sqlite.schema import BLOOM_NAME
from scrapy_polite.visited import bloom

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LIMIT_S = 60
LANE = "https://example.com"
RATE = 1e-6

# A line after each flush: so many were pushed at least.
CRAWL = """
import sys
from pathlib import Path
from scrapy import Request, Spider
from scrapy_polite.frontier.codec import Codec
from scrapy_polite.frontier.sqlite.queue import SqliteQueue

queue = SqliteQueue(Path(sys.argv[1]), Codec(), Spider("test"), error_rate=1e-6)
queue.open().result()
for number in range(10**9):
    request = Request(f"https://example.com/{number}")
    queue.push("https://example.com", (0, number), request, fingerprint=number.to_bytes(15, "big"))
    if number % 300 == 299:
        queue.flush().result()
        print(number, flush=True)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "polite.frontier.sqlite"


@pytest.fixture
def opened(path: Path) -> Iterator[Callable[[float | None], SqliteQueue]]:
    """Closes the queue on the one path, if any, and opens it again."""
    queues: list[SqliteQueue] = []

    def open_queue(error_rate: float | None = RATE) -> SqliteQueue:
        for queue in queues:
            queue.close().result(LIMIT_S)
        queues.append(SqliteQueue(path, Codec(), Spider("test"), error_rate=error_rate))
        queues[-1].open().result(LIMIT_S)
        return queues[-1]

    yield open_queue
    for queue in queues:
        queue.close().result(LIMIT_S)


def fingerprint(number: int) -> bytes:
    return number.to_bytes(15, "big")


def visit(queue: SqliteQueue, numbers: range) -> list[int]:
    """Push those that are new; their numbers."""
    new = []
    for number in numbers:
        request = Request(f"{LANE}/{number}")
        if queue.push(LANE, (0, number), request, fingerprint=fingerprint(number)) is not PushResult.SEEN:
            new.append(number)
    return new


def table(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute("SELECT count(*) FROM visited").fetchone()[0])


def test_what_was_visited_is_known_in_this_run_and_the_next(
    path: Path, opened: Callable[..., SqliteQueue], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seen, "_RECENT", 100)
    queue = opened()
    assert visit(queue, range(250)) == [*range(250)]
    queue.flush().result(LIMIT_S)
    assert visit(queue, range(500)) == [*range(250, 500)]
    assert visit(queue, range(500)) == []
    queue = opened()
    assert queue.visited_count == 500
    assert visit(queue, range(600)) == [*range(500, 600)]
    queue.close().result(LIMIT_S)
    assert table(path) == 0


@pytest.mark.parametrize("lines", [1, 7])
def test_a_killed_process_loses_no_request(lines: int, path: Path, opened: Callable[..., SqliteQueue]) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(scrapy_polite.__file__).parents[1])}
    with subprocess.Popen(
        [sys.executable, "-c", CRAWL, str(path)], env=environment, stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        flushed = [int(running.stdout.readline()) for _ in range(lines)][-1]
        running.kill()
    queue = opened()
    queued = queue.count(LANE)
    assert queued > flushed
    new = visit(queue, range(queued + 1_000))
    # All that the filter knows is in the queue; what was flushed, it knows.
    assert new[-1_000:] == [*range(queued, queued + 1_000)]
    assert min(new) > flushed


def test_an_exact_job_is_taken_over(path: Path, opened: Callable[..., SqliteQueue]) -> None:
    visit(opened(None), range(7_000))
    queue = opened(RATE)
    assert queue.visited_count == 7_000
    assert visit(queue, range(7_010)) == [*range(7_000, 7_010)]
    assert opened(RATE).visited_count == 7_010


@pytest.mark.parametrize(
    ("error_rate", "says"),
    [
        (None, 'this job was begun with POLITE_VISITED = "bloom"; set that again, or start again with another JOBDIR'),
        (1e-3, "made for an error rate of 1e-06, not 0.001; set POLITE_VISITED_ERROR_RATE to 1e-06, or start again"),
    ],
)
def test_another_memory_than_the_jobs_is_refused(
    error_rate: float | None, says: str, path: Path, opened: Callable[..., SqliteQueue]
) -> None:
    visit(opened(), range(10))
    with pytest.raises(FrontierError) as caught:
        opened(error_rate)
    assert f"{path.with_name(BLOOM_NAME)}: {says}" in str(caught.value)


def test_while_the_disk_is_full_nothing_is_forgotten(
    opened: Callable[..., SqliteQueue], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bloom, "_FIRST_ITEMS", 1_000)
    monkeypatch.setattr(seen, "_RECENT", 100)
    queue = opened()
    with monkeypatch.context() as patched:

        def refuse(*_: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        patched.setattr(bloom, "_allocate", refuse)
        assert visit(queue, range(1_500)) == [*range(1_500)]
        with pytest.raises(FrontierError, match="make room on the disk"):
            queue.flush().result(LIMIT_S)
        assert visit(queue, range(1_500)) == []
    queue.flush().result(LIMIT_S)
    assert visit(opened(), range(1_501)) == [1_500]
