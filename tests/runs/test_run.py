from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from run_parts import denied
from scrapy_polite.runs.files import WorkerFiles, new_worker, prune, replaced, run_folders
from scrapy_polite.runs.records import End, Opened, Record, written
from scrapy_polite.runs.run import RunError, State, find_run, open_run
from scrapy_polite.runs.stream import LineFile, read_lines
from scrapy_polite.runs.writer import RunWriter

HEAD = {"format": 1, "spider": "shop", "started": 1_000.0}
DAY_S = 86_400.0


def write(root: Path, lines: list[Record], *, snapshot: str = "", spider: str = "shop", job: str = "") -> WorkerFiles:
    """A run as a crawl writes it; without a snapshot's `reason` it was killed."""
    writer = RunWriter(new_worker(root, spider, time.time(), job), pytest.fail)
    writer.begin(HEAD, 1e9, 1e9)
    for line in lines:
        writer.add(written(line))
    writer.add_body("abc", b"User-agent: *\n\xff")
    writer.add_body("abc", b"User-agent: *\n\xff")
    writer.hand_over(snapshot, last=True)
    writer.closed.result(10)
    return writer.files


def ended(reason: str | None, at: float = 2_000.0) -> str:
    return json.dumps({"at": at, "reason": reason})


def test_a_run_is_read_as_it_was_written(tmp_path: Path) -> None:
    lines = [Opened(1.0, "h", "o"), End(2.0, "finished")]
    run = open_run(write(tmp_path, lines, snapshot=ended("finished")).folder)
    assert list(run.workers[0].records()) == lines
    assert (run.spider, run.started, run.reason, run.state()) == ("shop", 1_000.0, "finished", State.ENDED)
    assert run.bodies({"abc", "none"}) == {"abc": b"User-agent: *\n\xff"}
    assert [path.stat().st_mode & 0o077 for path in [run.folder, *run.folder.iterdir()]] == [0] * 5


def test_a_torn_file_is_read_up_to_its_last_whole_line(tmp_path: Path) -> None:
    file = LineFile(tmp_path / "log.gz")
    flushed = []
    for number in range(20):
        file.write([f"line {number} {os.urandom(8).hex()}", f"more {number}"])
        flushed.append(file.size_bytes)
    file.close()
    whole, data = list(read_lines(tmp_path / "log.gz")), (tmp_path / "log.gz").read_bytes()
    assert len(whole) == 40
    for size in range(len(data)):
        (tmp_path / "torn.gz").write_bytes(data[:size])
        lines = list(read_lines(tmp_path / "torn.gz"))
        assert lines == whole[: len(lines)]
        assert len(lines) >= 2 * sum(end <= size for end in flushed)


def test_what_is_damaged_in_the_middle_ends_the_lines_there(tmp_path: Path) -> None:
    files = write(tmp_path, [Opened(float(number), f"{number * 7919}.example", "o") for number in range(500)])
    data = bytearray(files.log.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 50] = bytes(50)
    files.log.write_bytes(data)
    files.bodies.write_bytes(b"nothing")
    run = open_run(files.folder)
    assert len(list(run.workers[0].records())) < 500
    assert run.bodies({"abc"}) == {}


@pytest.mark.parametrize(
    ("snapshot", "after_s", "state"),
    [
        (ended("finished"), 1.0, State.ENDED),
        (ended(None), 10.0, State.RUNNING),
        (ended(None), 100.0, State.KILLED),
        ("", 10_000.0, State.KILLED),
        ("{torn", 10_000.0, State.KILLED),
    ],
)
def test_a_run_without_an_end_is_under_way_or_was_killed(
    tmp_path: Path, snapshot: str, after_s: float, state: State
) -> None:
    files = write(tmp_path, [], snapshot=snapshot)
    assert open_run(files.folder).state(2_000.0 + after_s) is state


def test_workers_of_a_job_write_one_run_which_ends_with_the_last(tmp_path: Path) -> None:
    first = write(tmp_path, [Opened(1.0, "a", "o")], snapshot=ended(None, 2_000.0), job="job/1")
    second = write(tmp_path, [Opened(2.0, "b", "o")], snapshot=ended("finished", 3_000.0), job="job/1")
    assert first.folder == second.folder == tmp_path / "shop" / "job_1"
    run = open_run(first.folder)
    assert len(run.workers) == 2
    assert run.state(2_010.0) is State.RUNNING
    assert run.state(5_000.0) is State.ENDED


def test_a_run_is_found_by_folder_by_spider_and_as_the_last(tmp_path: Path) -> None:
    old, new = write(tmp_path, []), write(tmp_path, [], spider="other")
    os.utime(old.folder, (1, 1))
    for path in old.folder.iterdir():
        os.utime(path, (1, 1))
    assert find_run(tmp_path, None).folder == new.folder
    for name in ("shop", old.folder.name, str(old.folder)):
        assert find_run(tmp_path, name).folder == old.folder
    with pytest.raises(RunError, match=r"no run 'none' in .*Name a run's folder"):
        find_run(tmp_path, "none")
    old.head.write_text(json.dumps({"format": 99}))
    with pytest.raises(RunError, match="format '99'"):
        open_run(old.folder)


def test_runs_are_pruned_by_age_and_then_by_size_the_oldest_first(tmp_path: Path) -> None:
    files = [write(tmp_path, []) for _ in range(4)]
    now = time.time()
    for age, one in enumerate(files):
        for path in one.folder.iterdir():
            os.utime(path, (now - age * DAY_S, now - age * DAY_S))
    size = sum(path.stat().st_size for path in files[0].folder.iterdir())
    assert prune(tmp_path, 2.5 * DAY_S, 1e9, now) == [files[3].folder]
    assert prune(tmp_path, 1e9, 2.5 * size, now) == [files[2].folder]
    assert prune(tmp_path, 0.0, 0.0, now) == [files[1].folder]
    assert run_folders(tmp_path) == [files[0].folder]  # it may be under way


def test_what_a_deletion_left_that_was_cut_short_goes_and_a_run_that_begins_stays(tmp_path: Path) -> None:
    cut_short, begins = tmp_path / "shop" / "1", tmp_path / "shop" / "2"
    for folder in (cut_short, begins):
        folder.mkdir(parents=True)
    (cut_short / "x.log.gz").touch()
    for path in (cut_short / "x.log.gz", cut_short):
        os.utime(path, (1, 1))
    assert prune(tmp_path, 1e9, 1e12) == [cut_short]
    assert begins.is_dir()


@pytest.mark.parametrize("value", [0, None, "x", [], {"at": "x"}])
def test_a_snapshot_of_another_shape_says_nothing(tmp_path: Path, value: Any) -> None:
    files = write(tmp_path, [], snapshot=json.dumps(value))
    run = open_run(files.folder)
    assert (run.reason, run.last_at) == (None, 1_000.0)


def test_a_file_that_vanishes_while_runs_are_listed_and_pruned_harms_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a snapshot does that is put in the place of the one before."""
    files = write(tmp_path, [])
    gone = files.snapshot.with_name(f"{files.snapshot.name}.new")
    gone.symlink_to(tmp_path / "nowhere")
    real = Path.is_file
    monkeypatch.setattr(Path, "is_file", lambda path: path == gone or real(path))
    assert run_folders(tmp_path) == [files.folder]
    assert prune(tmp_path, 1e9, 1e12) == []


def test_the_last_run_is_the_last_that_can_be_read_and_what_is_left_out_is_told(tmp_path: Path) -> None:
    good = write(tmp_path, [])
    for number, head in enumerate(('{"format": 99}', "garbage{")):
        other = write(tmp_path, [])
        other.head.write_text(head)
        os.utime(other.head, (time.time() + 10 + number,) * 2)
    told: list[str] = []
    assert find_run(tmp_path, None, lambda fault: told.append(str(fault))).folder == good.folder
    assert ["is damaged" in told[0], "format '99'" in told[1], len(told)] == [True, True, 2]
    with pytest.raises(RunError, match="is damaged: expected a JSON object"):
        find_run(tmp_path, other.folder.name)


def test_a_project_without_a_run_says_so(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"no run in .*: no crawl has written one yet"):
        find_run(tmp_path / "none", None)
    with pytest.raises(RunError, match=r"no run 'shop' in .*: no crawl has written one yet"):
        find_run(tmp_path / "none", "shop")


def test_a_file_that_cannot_be_put_in_place_leaves_nothing_else(tmp_path: Path) -> None:
    there = tmp_path / "page.html" / "file"
    there.parent.mkdir()
    there.touch()
    with pytest.raises(OSError, match=r"page\.html"):
        replaced(there.parent, "text")
    assert list(tmp_path.iterdir()) == [there.parent]


@pytest.mark.parametrize("part", ["root", "spider", "folder", "head"])
def test_what_may_not_be_read_is_not_taken_for_no_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    files = write(tmp_path, [])
    path = {"root": tmp_path, "spider": files.folder.parent, "folder": files.folder, "head": files.head}[part]
    denied(path, monkeypatch)
    if part == "folder":
        monkeypatch.setattr("scrapy_polite.runs.files.workers", lambda folder: [])
    with pytest.raises(RunError, match=f"{path} cannot be read: Permission denied. Only the user"):
        find_run(tmp_path, None)


def test_lines_that_may_not_be_read_are_no_end_of_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = write(tmp_path, [Opened(1.0, "h", "o")])
    denied(files.log, monkeypatch)
    with pytest.raises(RunError, match=r"log\.gz cannot be read: Permission denied"):
        list(open_run(files.folder).workers[0].records())
