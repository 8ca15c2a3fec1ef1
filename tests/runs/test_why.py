"""What is said of a run that is over, has only begun, or that several processes work on."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from run_parts import STARTED, write_run
from scrapy_polite.metrics.workers import stand_of
from scrapy_polite.runs.forecast import forecast
from scrapy_polite.runs.report import report
from scrapy_polite.runs.run import State, open_run
from scrapy_polite.runs.why import why
from scrapy_polite.store.processes import start_of
from scrapy_polite.watch.watching import Watching
from watch_parts import live_run, put_snapshot, queues

SLOW = {"host": "shop.example", "queued": 90, "pace_s": 10.0, "pace_source": "Crawl-delay", "state": "in turn"}


def test_of_a_run_that_has_ended_it_is_said_when_and_as_what(tmp_path: Path) -> None:
    run = open_run(write_run(tmp_path, [], "polite_waiting").folder)
    (sentence,) = why(run, STARTED + 10_000)
    assert sentence == (
        "It runs no longer: it ended at 2023-11-14 22:13 UTC as 'polite_waiting': only hosts were left that are closed "
        "for longer than POLITE_MAX_IDLE."
    )
    assert forecast(run, STARTED + 10_000) is None


def test_of_a_run_that_was_killed_it_is_said_how_to_go_on(tmp_path: Path) -> None:
    run = open_run(write_run(tmp_path, [], None).folder)
    first, second = why(run, STARTED + 10_000)
    assert first.startswith("It runs no longer: it ended without closing")
    assert "JOBDIR" in second
    assert forecast(run, STARTED + 10_000) is None


@pytest.mark.parametrize("text", ['{"at": 1, "fault": "No space left on device"}', ""], ids=["told", "no room to tell"])
def test_a_record_that_ended_before_its_crawl_is_told_from_a_crawl_that_was_killed(tmp_path: Path, text: str) -> None:
    files = write_run(tmp_path, [], None)
    files.fault.write_text(text)
    why_ended = "No space left on device" if text else "there was no room"
    said = f"Its record ended before the crawl did, as it could not be written ({why_ended})"
    run = open_run(files.folder)
    first, second, _ = why(run, STARTED + 10_000)
    assert first.startswith("It runs no longer, and how it ended is not known")
    assert second.startswith(said)
    found = report(run, STARTED + 10_000)
    assert "that are recorded: its record ended before it did" in found["verdict"][0]
    assert "cut off" not in json.dumps(found["next"])
    assert stand_of(run.workers[0]).faults == {"run_record"}
    live = live_run(tmp_path / "live", queues=queues(SLOW), missed=8)
    live.fault.write_text(text)
    (reading,) = Watching(tmp_path / "live").read(time.time()).runs
    assert reading.why[0].startswith("It is at work, ")
    assert [warning.partition(": ")[0] for warning in reading.warnings] == [said]
    assert "8 lines so far as is known" in reading.warnings[0]
    assert why(open_run(live.folder), time.time())[-1] == reading.warnings[0]


def test_of_a_process_that_is_there_and_writes_nothing_more_that_is_said(tmp_path: Path) -> None:
    """Nothing else: what its last snapshot says is old."""
    files = live_run(tmp_path, queues=queues(SLOW))
    now = time.time() + 600
    killed, _ = why(open_run(files.folder), now)
    assert killed.startswith("It runs no longer: it ended without closing")
    files.head.write_text(json.dumps(json.loads(files.head.read_text()) | {"process_start": start_of() or "1"}))
    if not start_of():
        pytest.skip("this system does not tell when a process began")
    (silent,) = why(open_run(files.folder), now)
    assert silent.startswith(
        "Nothing has been heard of it for 10 min, and its process is still there: something blocks"
    )
    (reading,) = Watching(tmp_path).read(now).runs
    assert (reading.is_running, reading.ends_at) == (True, None)
    files.fault.touch()
    assert why(open_run(files.folder), now)[0].endswith(
        "and its process is still there: it cannot write how it stands."
    )
    assert open_run(files.folder).state(now) is State.RUNNING


def test_of_a_run_that_works_the_host_that_takes_longest_is_said(tmp_path: Path) -> None:
    quick = SLOW | {"host": "quick.example", "pace_s": 0.1}
    run = open_run(live_run(tmp_path, queues=queues(quick, SLOW)).folder)
    first, second, *_ = why(run, time.time())
    assert "What takes longest: shop.example has 90 requests queued, one every 10 s (Crawl-delay)." in first
    assert "(15 min more)" in second


@pytest.mark.parametrize(
    ("pages_s", "pause_s", "said"),
    [
        (9.48, 12.0, "9.48 pages a second"),
        (9.48, 40.0, "no page for 40 s"),
        (0.02, 40.0, "0.02 pages a second"),
        (0.0, 40.0, "nothing has come back of late"),
    ],
    ids=["a burst", "a pause after it", "a slow site", "nothing in the window"],
)
def test_a_pause_is_said_as_soon_as_the_rate_is_of_a_burst_that_is_over(
    tmp_path: Path, pages_s: float, pause_s: float, said: str
) -> None:
    now = time.time()
    more = {"queues": queues(SLOW, SLOW) | {"pages_s": pages_s}, "metrics": {"last_page_at": now - pause_s}}
    first, *_ = why(open_run(live_run(tmp_path, **more).folder), now)
    assert first.startswith(f"It is at work, {said}, with 180 requests queued")


def test_of_a_chain_of_pages_it_is_said_that_each_brings_the_next(tmp_path: Path) -> None:
    now = time.time()
    more = {"queues": queues() | {"pages_s": 83.0}, "metrics": {"last_page_at": now}}
    (said,) = why(open_run(live_run(tmp_path, **more).folder), now)
    assert said == "It is at work, 83 pages a second: nothing is queued, and each page brings the next."


def test_processes_of_one_run_have_one_forecast(tmp_path: Path) -> None:
    here, there = live_run(tmp_path, queues=queues(SLOW)), live_run(tmp_path / "other")
    for path in there.folder.iterdir():
        path.rename(here.folder / path.name.replace(there.worker, f"{here.worker}-2"))
    run = open_run(here.folder)
    assert len(run.workers) == 2
    other = dict(run.workers[1].snapshot)
    other["queues"] = queues(SLOW | {"host": "other.example", "queued": 180}) | {"of_job": 500}
    put_snapshot(run.workers[1].files, **other)
    found = forecast(open_run(here.folder), time.time())
    assert found is not None
    assert (found["host"], found["queued"], found["hosts_queued"]) == ("other.example", 500, 2)
    assert "Process" not in why(open_run(here.folder), time.time())[0]


def test_what_has_only_begun_is_said_to_have(tmp_path: Path) -> None:
    files = live_run(tmp_path, started=time.time())
    files.snapshot.unlink()
    assert why(open_run(files.folder), time.time()) == ["It has only begun: nothing is known of it yet."]
