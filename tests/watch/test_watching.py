"""What is read of runs again and again, and which of them."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from run_parts import write_run
from scrapy_polite.metrics.export import samples_of
from scrapy_polite.metrics.jobs import jobs_of
from scrapy_polite.metrics.workers import stand_of
from scrapy_polite.runs import run as run_module
from scrapy_polite.runs.files import replaced
from scrapy_polite.runs.run import open_run
from scrapy_polite.watch import watching as watching_module
from scrapy_polite.watch.reading import run_reading
from scrapy_polite.watch.watching import LATELY_S, MAX_RUNS, Watching
from watch_parts import SNAPSHOT, hostile_snapshot, live_run, put_snapshot


def spiders(root: Path, which: str | None = None, now: float | None = None) -> list[str]:
    return [run.spider for run in Watching(root, which).read(time.time() if now is None else now).runs]


def test_the_rate_is_of_the_last_half_minute(tmp_path: Path) -> None:
    watching = Watching(tmp_path)
    now = time.time()
    files = live_run(tmp_path, started=now - 100)
    found = []
    for second in range(0, 100, 5):
        sent = 4 * second if second < 50 else 200 + 2 * (second - 50)
        put_snapshot(
            files, at=now - 100 + second, pages={"sent": {"fresh": sent // 2, "none": sent // 2}, "answered": {}}
        )
        (run,) = watching.read(now - 100 + second).runs
        found.append(run.a_second)
    assert found[0] is None
    assert (found[1], found[9], found[-1]) == (4.0, 4.0, 2.0)
    assert run.in_all == pytest.approx(290 / 95)


def test_runs_that_ended_of_late_are_shown_with_those_that_run(tmp_path: Path) -> None:
    old, late = live_run(tmp_path, "old"), live_run(tmp_path, "late")
    now = time.time()
    put_snapshot(old, reason="finished", at=now - LATELY_S - 1)
    put_snapshot(late, reason="finished", at=now - LATELY_S + 60)
    assert spiders(tmp_path) == ["late"]
    live_run(tmp_path, "new")
    assert spiders(tmp_path) == ["new", "late"]
    assert spiders(tmp_path, "old") == ["old"], "what is asked for is shown, however old"


def test_where_none_ran_of_late_the_last_one_is_shown(tmp_path: Path) -> None:
    for number, spider in enumerate(("first", "last", "second")):
        folder = write_run(tmp_path, [], spider=spider).folder
        at = {"first": 1, "second": 2, "last": 3}[spider] * 1_000 + number
        os.utime(folder, (at, at))
    (tmp_path / "empty" / "folder").mkdir(parents=True)
    assert spiders(tmp_path) == ["last"]


def test_runs_are_named_by_spider_name_job_or_folder(tmp_path: Path) -> None:
    one, _, _ = (live_run(tmp_path, spider) for spider in ("shop", "shop", "news"))
    job = write_run(tmp_path, [], spider="crawl", job="nightly").folder
    assert spiders(tmp_path, "shop") == ["shop", "shop"]
    assert spiders(tmp_path, one.folder.name) == spiders(tmp_path, str(one.folder)) == ["shop"]
    assert spiders(tmp_path, "nightly") == ["crawl"]
    assert spiders(tmp_path, "..") == []
    assert Watching(tmp_path, job.name).is_of_one_run
    assert not Watching(tmp_path, "news").is_of_one_run


def test_processes_of_one_run_count_together_and_those_that_have_ended_are_not_at_work(tmp_path: Path) -> None:
    first = live_run(tmp_path)
    gone = write_run(first.folder.parent.parent, [], spider="shop", job=first.folder.name)
    put_snapshot(gone, reason="shutdown", at=time.time() - 5_000)
    (run,) = Watching(tmp_path).read(time.time()).runs
    assert (run.sent, run.queued, run.processes, run.is_running) == (80, 60, 1, True)
    assert (run.refused, run.hosts) == ({"robots/disallow": 14}, {"closed": 2, "ready": 1})
    assert [(origin.sent, origin.refused) for origin in run.origins] == [(80, 14)]


def test_no_more_is_read_than_has_changed_and_never_a_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty runs cost twenty snapshots every five seconds, however long their records are."""
    files = [live_run(tmp_path, f"spider{number}") for number in range(20)]
    for one in files:
        one.log.write_bytes(b"no record at all")
    read: list[str] = []
    real = run_module.read_json
    monkeypatch.setattr(watching_module, "read_json", lambda path: read.append(path.name) or real(path))
    watching = Watching(tmp_path)
    assert len(watching.read(time.time()).runs) == 20
    assert len(read) == 40
    read.clear()
    watching.read(time.time())
    assert read == []
    put_snapshot(files[7], queued=61)
    queued = [run.queued for run in watching.read(time.time()).runs]
    assert (read, queued.count(61)) == ([files[7].snapshot.name], 1)


def test_a_thousand_runs_are_no_larger_a_reading_than_fifty(tmp_path: Path) -> None:
    origins = {f"https://{number}.example": SNAPSHOT["origins"]["https://shop.example"] for number in range(100)}
    for number in range(MAX_RUNS + 5):
        live_run(tmp_path, f"spider{number}", origins=origins)
    reading = Watching(tmp_path).read(time.time())
    assert (len(reading.runs), reading.more) == (MAX_RUNS, 5)
    assert len(json.dumps(asdict(reading))) < 500_000


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "{",
        "[]",
        "null",
        '{"at": "x", "pages": 7, "hosts": [], "origins": {"a": 1}, "refused": {"b": "c"}, "queued": -5}',
        '{"at": NaN, "queued": Infinity, "pages": {"sent": {"fresh": 1e400}}}',
        json.dumps({"queues": {"hosts": [1, {"queued": "x"}], "times": "x"}, "in_flight": [[1], 2]}),
    ],
)
def test_a_damaged_snapshot_says_nothing_and_breaks_nothing(tmp_path: Path, damage: str) -> None:
    files = live_run(tmp_path)
    files.snapshot.write_text(damage)
    (run,) = Watching(tmp_path).read(time.time()).runs
    assert (run.spider, run.sent, run.queued) == ("shop", 0, 0)
    assert json.loads(json.dumps(asdict(run), allow_nan=False))


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield (*path, key)
        yield from _places(one, (*path, key))


def _with(value: Any, path: tuple[Any, ...], one: Any) -> Any:
    if not path:
        return one
    changed = dict(value) if isinstance(value, dict) else list(value)
    changed[path[0]] = _with(value[path[0]], path[1:], one)
    return changed


WRONG: tuple[Any, ...] = (None, -1, 1e308, 10**400, float("nan"), "\x1b[1m", [[10**400, "x"]])


def test_what_is_of_the_wrong_type_anywhere_in_a_snapshot_breaks_no_reader(tmp_path: Path) -> None:
    """What `watch` and the page show, and what is exported as metrics."""
    now = time.time()
    whole = SNAPSHOT | hostile_snapshot("x") | {"at": now, "in_flight": [[now - 60, "x"]]}
    whole["queues"]["hosts"][0] |= {"hours": [[60, 600]], "budget": {"pages": 9, "left": 3, "period_s": 60.0}}
    whole["queues"] |= {"times": [[10.0, 1]], "of_job": 9}
    files = live_run(tmp_path)
    for path in _places(whole):
        for wrong in WRONG:
            replaced(files.snapshot, json.dumps(_with(whole, path, wrong)))
            run = open_run(files.folder)
            json.dumps(asdict(run_reading(run, now, 1.0, 50)), allow_nan=False)
            for job in jobs_of(map(stand_of, run.workers), now):
                assert list(samples_of(job, 5))


def test_a_run_of_another_version_is_told_of(tmp_path: Path) -> None:
    live_run(tmp_path)
    write_run(tmp_path, [], spider="old", format=99)
    reading = Watching(tmp_path).read(time.time())
    assert len(reading.runs) == 1
    (trouble,) = reading.trouble
    assert "has the format '99', this version reads 1" in trouble


def test_what_was_pruned_is_shown_no_longer(tmp_path: Path) -> None:
    watching = Watching(tmp_path)
    files = live_run(tmp_path)
    (run,) = watching.read(time.time()).runs
    assert watching.folder_of(run.key) == files.folder
    assert watching.folder_of("../../etc") is None
    for path in files.folder.iterdir():
        path.unlink()
    files.folder.rmdir()
    assert watching.read(time.time()).runs == ()
    assert watching.folder_of(run.key) is None


def test_what_is_missing_from_the_record_is_a_warning(tmp_path: Path) -> None:
    live_run(tmp_path, missed=1_200)
    (run,) = Watching(tmp_path).read(time.time()).runs
    assert any("lacks 1,200 lines: raise POLITE_RUN_RECORD_MB" in text for text in run.warnings)


def test_the_last_alerts_of_all_processes_are_shown(tmp_path: Path) -> None:
    alerts = [[100.0, "new-trap", "one"], [300.0, "limit-missed", "in the warnings"], "x", [1], [None, 2, 3]]
    first = live_run(tmp_path, metrics={"last_alerts": alerts})
    other = write_run(tmp_path, [], spider="shop", job=first.folder.name)
    put_snapshot(other, metrics={"last_alerts": [[200.0, "store-lost", "two\x1b"]]})
    (run,) = Watching(tmp_path).read(time.time()).runs
    assert [(alert.at, alert.text) for alert in run.alerts] == [(200.0, "two\\x1b"), (100.0, "one")]


def test_what_is_told_of_a_run_is_told_anew_when_something_is_new_or_time_has_passed(tmp_path: Path) -> None:
    files = live_run(tmp_path)
    watching, now = Watching(tmp_path), time.time()
    (first,) = watching.read(now).runs
    assert watching.read(now + 1).runs == (first,)
    assert watching.read(now + 1).runs[0] is first
    put_snapshot(files, queued=61)
    (second,) = watching.read(now + 2).runs
    assert second.queued == 61
    assert watching.read(now + 7).runs[0] is not second
    assert watching.read(now + 1_000).runs[0].state == "ended without closing"
