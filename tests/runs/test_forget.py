"""What is to be forgotten is masked in run records, and all that says how a host was treated stays."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy_polite.runs.files import WorkerFiles, new_worker
from scrapy_polite.runs.forget import Forgotten, forget
from scrapy_polite.runs.records import FORMAT, End, Page, Refusal, read, written
from scrapy_polite.runs.stream import LineFile, read_lines

if TYPE_CHECKING:
    import pytest

JANE, NEWS = "https://town.example/people/jane?x=1", "https://town.example/news"
DETAIL = f"seen at {JANE}, {NEWS} ({JANE})"


def page(url: str) -> Page:
    return Page(1.0, url, "https://town.example", 200, 0.5, 0.1, 9, 2.0, "Crawl-delay", 3.0, "obeyed", "", 0)


LINES = [page(JANE), page(NEWS), Refusal(2.0, NEWS, "https://town.example", "trap/x", DETAIL, 0, "", 0, "")]


def run(root: Path, *, ended: bool = True, now: float = 100.0) -> WorkerFiles:
    files = new_worker(root, "town", now)
    files.folder.mkdir(parents=True)
    files.head.write_text(json.dumps({"format": FORMAT, "spider": "town", "started": now}))
    snapshot = {"at": now, "in_flight": [[1.0, JANE]], **({"reason": "finished"} if ended else {})}
    files.snapshot.write_text(json.dumps(snapshot))
    file = LineFile(files.log)
    file.write([written(line) for line in (*LINES, End(3.0, "finished"))])
    file.close()
    (files.folder / "report.html").write_text(JANE)
    for path in files.folder.iterdir():
        os.utime(path, (50, 50))
    return files


def forgotten(root: Path, *, act: bool, now: float = 100.0) -> Forgotten:
    return forget(root, lambda url: url.startswith("https://town.example/people/"), now, lambda _: None, act=act)


def test_the_paths_go_and_the_rest_of_each_line_stays(tmp_path: Path) -> None:
    files = run(tmp_path)
    before = {path: path.read_bytes() for path in files.folder.iterdir()}
    said = forgotten(tmp_path, act=False)
    assert {path: path.read_bytes() for path in files.folder.iterdir()} == before
    assert (said.count, said.examples, said.running, said.faults) == (4, [JANE], [], [])
    assert forgotten(tmp_path, act=True) == said
    masked = "https://town.example/***"
    first, news, refused, _ = map(read, read_lines(files.log))
    assert first == page(masked)
    assert news == LINES[1]
    assert isinstance(refused, Refusal)
    assert refused.detail == f"seen at {masked}, {NEWS} ({masked})"
    assert json.loads(files.snapshot.read_text())["in_flight"] == [[1.0, masked]]
    assert sorted(path.name for path in files.folder.iterdir()) == sorted(
        path.name for path in before if path.name != "report.html"
    )
    assert {path.stat().st_mtime for path in files.folder.iterdir()} == {50}
    assert b"jane" not in b"".join(path.read_bytes() for path in (files.head, files.snapshot))
    assert forgotten(tmp_path, act=True).count == 0


def test_a_run_that_is_under_way_is_left_and_named(tmp_path: Path) -> None:
    files = run(tmp_path, ended=False)
    before = files.log.read_bytes()
    assert forgotten(tmp_path, act=True).running == [files.folder.name]
    assert files.log.read_bytes() == before
    assert forgotten(tmp_path, act=True, now=1_000.0).running == []  # it was killed
    assert b"jane" not in b"".join(read_lines(files.log))


def test_what_cannot_be_read_is_told_and_others_are_masked(tmp_path: Path) -> None:
    newer = run(tmp_path)
    newer.head.write_text(json.dumps({"format": FORMAT + 1}))
    files = run(tmp_path)
    done = forgotten(tmp_path, act=True)
    assert len(done.faults) == 1
    assert str(newer.head) in done.faults[0]
    assert b"jane" not in b"".join(read_lines(files.log))


def test_a_rewriting_that_fails_leaves_the_record_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = run(tmp_path)
    before = files.log.read_bytes()

    def full(*_: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(LineFile, "write", full)
    assert forgotten(tmp_path, act=True).faults == ["No space left on device"]
    assert files.log.read_bytes() == before
    assert not [*files.folder.glob("*.new")]
