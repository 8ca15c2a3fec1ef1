"""Damaged queue files: what is saved of them, and what is not taken for sound."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from scrapy import Request, Spider

from queues import closing as closed_after
from queues import events
from scrapy_polite.frontier.codec import Codec
from scrapy_polite.frontier.queue import DeadLetter, FrontierError
from scrapy_polite.frontier.sqlite import writer
from scrapy_polite.frontier.sqlite.queue import SqliteQueue
from scrapy_polite.frontier.sqlite.queued import read_queue
from scrapy_polite.frontier.sqlite.recovery import salvage
from scrapy_polite.frontier.sqlite.schema import FILE_NAME

if TYPE_CHECKING:
    from collections.abc import Callable

LIMIT_S = 60
LANES = [f"http://{number}.example" for number in range(5)]
PAGES, DONE, POST = 3_000, 600, 7
PAGE_BYTES = 4_096


def url(number: int) -> str:
    return f"http://{number % 5}.example/{number}"


def filled_queue(folder: Path) -> SqliteQueue:
    """An open queue of which DONE are done, 5 are in flight, and every POST-th of the lane 0 is a POST."""
    queue = SqliteQueue(folder / FILE_NAME, Codec(), Spider("test"))
    queue.open().result(LIMIT_S)
    for number in range(PAGES):
        meta = {"text": "long" * (2_000 if number % 100 == 0 else 1)}  # on pages of its own
        method = "POST" if number % (5 * POST) == 0 else "GET"
        request = Request(url(number), method=method, meta=meta)
        queue.push(LANES[number % 5], (0, number), request, fingerprint=number.to_bytes(20, "big"))
    for number in range(DONE + 5):
        entry = queue.pop(LANES[number % 5])
        if number < DONE:
            queue.done(entry)
    return queue


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("filled")
    with pytest.MonkeyPatch.context() as patch:
        # All in one commit: where the rows lie in the file hangs on these, and so on how fast a machine is.
        patch.setattr(writer, "_COMMIT_S", LIMIT_S)
        filled_queue(folder).close().result(LIMIT_S)
    return folder / FILE_NAME


@pytest.fixture
def path(filled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy2(filled, tmp_path))


def resumed(path: Path) -> tuple[list[int], set[int], set[int], int]:
    """The requests that the next crawl makes, those it sets aside or has aside, and how many were visited."""
    with closed_after(SqliteQueue(path, Codec(), Spider("test"))) as queue:
        queue.open().result(LIMIT_S)
        visited = queue.visited_count
        made = []
        while (lane := next(queue.lanes(), None)) is not None:
            if not queue.ready(lane):
                queue.fetch([lane]).result(LIMIT_S)
                continue
            entry = queue.pop(lane)
            assert lane == LANES[int(entry.request.url.rpartition("/")[2]) % 5]
            made.append(int(entry.request.url.rpartition("/")[2]))
            queue.done(entry)
        aside = {int(letter.url.rpartition("/")[2]) for letter in events(queue, DeadLetter)}
    with closing(sqlite3.connect(path)) as db:
        all_aside = {int(row[0].rpartition("/")[2]) for row in db.execute("SELECT url FROM set_aside")}
    return made, aside, all_aside, visited


def _half(data: bytearray) -> None:
    del data[len(data) // 2 + 1_234 :]


def _header(data: bytearray) -> None:
    data[:700] = b"garbage" * 100


def _all_roots(data: bytearray) -> None:
    data[: 8 * PAGE_BYTES] = bytes(8 * PAGE_BYTES)


def _one_page(data: bytearray) -> None:
    at = len(data) // PAGE_BYTES // 2 * PAGE_BYTES
    data[at : at + PAGE_BYTES] = random.Random(1).randbytes(PAGE_BYTES)


#: How it was damaged, the least that is saved of the requests, and of what was visited.
DAMAGES: dict[str, tuple[Callable[[bytearray], None], int, int]] = {
    "truncated": (_half, 1_000, 1),
    "the header is garbage": (_header, PAGES - DONE, PAGES),
    "all roots are zeros": (_all_roots, PAGES - DONE - 100, PAGES - 200),
    "a page is garbage": (_one_page, PAGES - DONE - 300, PAGES - 200),
}


@pytest.mark.parametrize(("damage", "least", "least_visited"), DAMAGES.values(), ids=DAMAGES)
def test_what_can_be_read_is_saved(
    path: Path, damage: Callable[[bytearray], None], least: int, least_visited: int
) -> None:
    data = bytearray(path.read_bytes())
    damage(data)
    path.write_bytes(data)
    with (
        closed_after(SqliteQueue(path, Codec(), Spider("test"))) as queue,
        pytest.raises(FrontierError, match=rf"{FILE_NAME}: .*`scrapy polite recover {path.parent}` saves"),
    ):
        queue.open().result(LIMIT_S)
    found = salvage(path.parent)
    assert found.kept == path.with_name(f"{FILE_NAME}.damaged")
    assert found.kept.read_bytes() == data
    assert found.requests + found.set_aside >= least
    assert found.visited >= least_visited
    assert found.pages_lost > 0 or found.lost > 0  # the page may be the rest of one long request
    assert path.stat().st_mode & 0o777 == 0o600
    made, _, aside, visited = resumed(path)
    assert visited == found.visited
    assert len(made) + len(aside) == found.requests + found.set_aside
    assert not set(made) & aside
    # Nothing comes back that was done, and no POST that was in flight is sent again.
    assert min(made) >= DONE or damage is _all_roots
    assert len(made) == len(set(made))
    assert not {number for number in made if number % (5 * POST) == 0} & set(range(DONE + 5))


def test_with_an_unharmed_table_of_what_was_sent_posts_stay_queued(path: Path) -> None:
    data = bytearray(path.read_bytes())
    _one_page(data)
    path.write_bytes(data)
    assert salvage(path.parent).set_aside == 0
    made, *_ = resumed(path)
    assert any(number % (5 * POST) == 0 for number in made)


def test_what_a_killed_crawl_left_in_the_log_is_saved_too(tmp_path: Path) -> None:
    script = "import os, sys, test_recovery; from pathlib import Path; "
    script += "test_recovery.filled_queue(Path(sys.argv[1])).flush().result(60); os._exit(0)"
    environment = os.environ | {"PYTHONPATH": f"{Path(__file__).parent}{os.pathsep}{Path(__file__).parents[1]}"}
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=True, env=environment)
    # Without the log's first page SQLite reads none of it, and the file itself has no header either.
    for path, at in ((tmp_path / FILE_NAME, 0), (tmp_path / f"{FILE_NAME}-wal", 32 + 24)):
        data = bytearray(path.read_bytes())
        data[at : at + 200] = bytes(200)
        path.write_bytes(data)
    found = salvage(tmp_path)
    assert found.requests + found.set_aside == PAGES - DONE
    assert found.visited == PAGES
    assert not (tmp_path / f"{FILE_NAME}-wal").exists()
    made, *_ = resumed(tmp_path / FILE_NAME)
    assert len(made) == found.requests


def test_a_sound_file_is_left_alone(path: Path) -> None:
    before = path.read_bytes()
    assert salvage(path.parent).sound
    assert path.read_bytes() == before
    assert not [*path.parent.glob("*damaged*")]


@pytest.mark.parametrize("content", [b"", b"no database at all" * 1_000], ids=["empty", "garbage"])
def test_where_nothing_can_be_read_the_file_stays(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    found = salvage(path.parent)
    assert (found.requests, found.kept) == (0, None)
    assert path.read_bytes() == content
    assert [file.name for file in path.parent.iterdir() if "new" in file.name] == []


def test_a_second_damaged_file_takes_a_name_of_its_own(path: Path) -> None:
    for name in (f"{FILE_NAME}.damaged", f"{FILE_NAME}.damaged-2"):
        data = bytearray(path.read_bytes())
        _header(data)
        path.write_bytes(data)
        assert salvage(path.parent).kept == path.with_name(name)


def test_not_while_a_crawl_is_running_on_it(path: Path) -> None:
    with closed_after(SqliteQueue(path, Codec(), Spider("test"))) as queue:
        queue.open().result(LIMIT_S)
        with pytest.raises(FrontierError, match=r"in use by process \d+"):
            salvage(path.parent)
    assert sum(read_queue(path.parent).lanes.values()) == PAGES - DONE
