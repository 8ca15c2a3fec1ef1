"""What is exported of runs on disk: how processes and runs are added up, and what bounds it."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from metric_parts import exported, snapshot, value, write_worker
from run_parts import MARK, PAYLOADS, denied
from scrapy_polite.decision import REASONS
from scrapy_polite.metrics import workers as workers_module
from scrapy_polite.metrics.export import MAX_SERIES, Exporter
from scrapy_polite.metrics.histogram import ANSWER_S, WAIT_S, Histogram
from scrapy_polite.metrics.names import COUNTERS, GAUGES, METRICS
from scrapy_polite.runs.files import LIVE_S
from scrapy_polite.runs.run import open_run
from scrapy_polite.text import printable


def test_a_crawl_that_runs_is_exported_with_all_that_its_snapshot_says(tmp_path: Path) -> None:
    now = round(time.time(), 3)
    fetches = Histogram(ANSWER_S)
    for seconds in (0.1, 0.2, 31.0):
        fetches.observe(seconds)
    says = snapshot(
        7,
        not_found=2,
        last_page_at=now - 3,
        in_flight=4,
        robots_fetches={"unreachable": fetches.facts()},
        robots_unreachable={"closed": 3, "copy": 1},
        starts={"sent": 5, "refused": 1},
        faults=["store"],
    ) | {
        "refused": {"robots/disallow": 6},
        "queued": 11,
        "hosts": {"counts": {"ready": 1, "waiting for robots.txt": 2, "in turn": 3, "closed": 4}},
    }
    says["pages"]["answered"] = {"200": 4, "404": 2, "0": 1}
    write_worker(tmp_path, says, started=now - 60, at=now)
    exporter = Exporter(tmp_path)
    expected: dict[str, dict[tuple[str, str], float]] = {
        "pages_total": {("rules", "fresh"): 7, ("rules", "stale"): 0},
        "responses_total": {("status", "2xx"): 4, ("status", "4xx"): 2, ("status", "none"): 1, ("status", "5xx"): 0},
        "refused_total": {("reason", "robots/disallow"): 6},
        "robots_unreachable_origins": {("access", "closed"): 3, ("access", "copy"): 1},
        "hosts": {("state", "ready"): 1, ("state", "unread"): 2, ("state", "in_turn"): 3, ("state", "closed"): 4},
        "start_requests": {("outcome", "sent"): 5, ("outcome", "refused"): 1},
        "healthy": {("part", "store"): 0, ("part", "queue"): 1},
        "run_state": {("state", "running"): 1, ("state", "ended"): 0},
    }
    for name, values in expected.items():
        for (label, text), number in values.items():
            assert value(exporter, name, **{label: text}) == number, (name, text)
    assert value(exporter, "not_found_responses_total") == 2
    assert value(exporter, "response_bytes_total") == 7_000
    assert value(exporter, "response_duration_seconds_count") == 7
    assert value(exporter, "response_duration_seconds_sum") == pytest.approx(1.4)
    assert value(exporter, "last_page_timestamp_seconds") == pytest.approx(now - 3)
    assert value(exporter, "run_start_timestamp_seconds") == pytest.approx(now - 60)
    assert (value(exporter, "queued_requests"), value(exporter, "in_flight_requests")) == (11, 4)
    assert value(exporter, "workers") == 1
    assert value(exporter, "refused_total", reason="trap/alias") == 0, "a rate needs a beginning"
    assert value(exporter, "refused_total", reason="other") is None
    assert value(exporter, "run_finish_reason", reason="finished") is None
    fetched = "robots_fetch_duration_seconds_bucket"
    buckets = {le: value(exporter, fetched, outcome="unreachable", le=le) for le in ("0.1", "0.3", "30.0", "+Inf")}
    assert buckets == {"0.1": 1, "0.3": 2, "30.0": 2, "+Inf": 3}


@pytest.mark.parametrize("part", ["root", "spider", "run", "head"])
def test_what_may_not_be_read_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    now, root = time.time(), tmp_path / "runs"
    files = write_worker(root, snapshot(7), started=now - 60, at=now)
    denied({"root": root, "spider": root / "shop", "run": files.folder, "head": files.head}[part], monkeypatch)
    if part == "run":
        for module in ("runs.run", "runs.files", "metrics.workers"):
            monkeypatch.setattr(f"scrapy_polite.{module}.workers", lambda folder: [])
    told: list[str] = []
    exporter = Exporter(root, left_out=lambda error: told.append(str(error)))
    assert [value(exporter, "pages_total", rules="fresh") for _ in range(2)] == [None, None]
    assert ["cannot be read: Permission denied" in text for text in told] == [True]


def test_a_run_that_cannot_be_read_is_told_once_and_left_out(tmp_path: Path) -> None:
    now = time.time()
    write_worker(tmp_path, snapshot(7), started=now - 60, at=now)
    for name, head in (("damaged", "garbage{"), ("other", '{"format": 99}')):
        write_worker(tmp_path, snapshot(9), run=name, started=now - 60, at=now).head.write_text(head)
    told: list[str] = []
    exporter = Exporter(tmp_path, left_out=lambda error: told.append(str(error)))
    assert [value(exporter, "pages_total", rules="fresh") for _ in range(3)] == [7, 7, 7]
    assert sorted(text.partition("/other/")[2] or text.partition("/damaged/")[2] for text in told) == [
        "worker.run.json has the format '99', this version reads 1: use the version of scrapy-polite that wrote it",
        "worker.run.json is damaged: expected a JSON object with a key 'format'. Nothing of this run can be read",
    ]


def test_a_crawl_that_has_ended_stays_with_its_counts_and_has_nothing_queued(tmp_path: Path) -> None:
    now = time.time()
    says = snapshot(3) | {"queued": 5}
    write_worker(tmp_path, says, started=now - 60, at=now - 30, reason="finished")
    exporter = Exporter(tmp_path)
    assert value(exporter, "pages_total", rules="fresh") == 3
    assert (value(exporter, "queued_requests"), value(exporter, "workers")) == (0, 0)
    assert value(exporter, "run_finish_reason", reason="finished") == 1
    assert value(exporter, "run_state", state="ended") == 1
    assert value(exporter, "run_end_timestamp_seconds") == pytest.approx(now - 30)


@pytest.mark.parametrize(
    ("reason", "seen"),
    [("memusage_exceeded", "memusage_exceeded"), ("my own reason", "other"), (None, "killed")],
)
def test_how_the_last_run_ended_is_a_label_with_few_values(tmp_path: Path, reason: str | None, seen: str) -> None:
    now = time.time()
    write_worker(tmp_path, snapshot(), started=now - 900, at=now - 600, reason=reason)
    assert value(Exporter(tmp_path), "run_finish_reason", reason=seen) == 1


def test_a_run_that_begins_after_the_last_has_ended_counts_anew(tmp_path: Path) -> None:
    now = time.time()
    write_worker(tmp_path, snapshot(100), run="a", started=now - 90, at=now - 50, reason="finished")
    write_worker(tmp_path, snapshot(4), run="b", started=now - 20, at=now)
    exporter = Exporter(tmp_path)
    assert value(exporter, "pages_total", rules="fresh") == 4
    assert value(exporter, "run_start_timestamp_seconds") == pytest.approx(now - 20)


def test_runs_that_overlap_are_added_up_and_none_takes_its_count_away_when_it_ends(tmp_path: Path) -> None:
    now = time.time()
    write_worker(tmp_path, snapshot(100) | {"queued": 1}, run="a", started=now - 90, at=now)
    write_worker(tmp_path, snapshot(10) | {"queued": 2}, run="b", started=now - 60, at=now)
    exporter = Exporter(tmp_path)
    assert value(exporter, "pages_total", rules="fresh") == 110
    assert (value(exporter, "queued_requests"), value(exporter, "workers")) == (3, 2)
    write_worker(tmp_path, snapshot(101), run="a", started=now - 90, at=now - 1, reason="finished")
    assert value(exporter, "pages_total", rules="fresh") == 111
    write_worker(tmp_path, snapshot(1), run="c", started=now - 0.5, at=now)
    assert value(exporter, "pages_total", rules="fresh") == 112, "a and b overlap, and b and c"


@pytest.mark.parametrize("seed", range(4))
def test_a_counter_goes_back_only_where_a_run_begins_alone_and_then_to_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """What `rate()` takes for a reset is one: runs that begin, go on, end and are killed in any order."""
    rng, now = Random(seed), 1_700_000_000.0
    monkeypatch.setattr(time, "time", lambda: now)
    exporter = Exporter(tmp_path)
    under_way: dict[str, tuple[float, int]] = {}
    #: What the runs that overlap have counted, and when the last of them is known to be over.
    counted: dict[str, int] = {}
    over_at = before = heard_at = 0.0
    resets = 0
    for step in range(80):
        now += rng.choice((5.0, 30.0))
        begins = ""
        what = rng.random()
        if what < 0.2 and len(under_way) < 2:
            begins = f"run-{step}"
            if not under_way and now > over_at:
                counted.clear()
            under_way[begins] = now, 0
        elif what < 0.5 and under_way:
            name = rng.choice(sorted(under_way))
            started, pages = under_way.pop(name)
            is_killed = rng.random() < 0.4
            if not is_killed:
                write_worker(tmp_path, snapshot(pages), run=name, started=started, at=now, reason="finished")
            over_at = max(over_at, heard_at + LIVE_S if is_killed else now)
        for name, (started, pages) in under_way.items():
            under_way[name] = started, pages + rng.randrange(4)
            counted[name] = under_way[name][1]
            write_worker(tmp_path, snapshot(counted[name]), run=name, started=started, at=now)
        heard_at = now
        after = value(exporter, "pages_total", rules="fresh") or 0.0
        assert after == sum(counted.values()), step
        if after < before:
            resets += 1
            assert after == counted[begins]
        before = after
    assert resets


def test_the_workers_of_a_job_are_one_and_a_job_is_a_label(tmp_path: Path) -> None:
    now = time.time()
    for worker in ("a", "b"):
        says = snapshot(5, starts={"sent": 1, "refused": 0}, faults=["queue"] if worker == "b" else [])
        write_worker(tmp_path, says, run="night", worker=worker, job="night", started=now - 60, at=now)
    write_worker(tmp_path, snapshot(2), run="own", started=now - 60, at=now)
    exporter = Exporter(tmp_path)
    assert value(exporter, "pages_total", rules="fresh", crawl_job="night") == 10
    assert value(exporter, "workers", crawl_job="night") == 2
    assert value(exporter, "start_requests", outcome="sent", crawl_job="night") == 2
    assert value(exporter, "healthy", part="queue", crawl_job="night") == 0
    assert value(exporter, "pages_total", rules="fresh") == 2


def test_of_a_job_that_ran_before_only_the_workers_of_the_last_time_count(tmp_path: Path) -> None:
    """All of them have their files in one folder."""
    now = time.time()
    job: dict[str, Any] = {"run": "night", "job": "night"}
    write_worker(tmp_path, snapshot(50), worker="a", started=now - 9_000, at=now - 8_000, reason="finished", **job)
    write_worker(tmp_path, snapshot(5), worker="b", started=now - 60, at=now, **job)
    assert value(Exporter(tmp_path), "pages_total", rules="fresh", crawl_job="night") == 5


def hostile(payload: str) -> dict[str, Any]:
    """A snapshot that has every reason there is, and thousands that there are not, as of statuses, states and hosts."""
    many: dict[str, float] = {f"{payload}{number}": number for number in range(400)}
    waits = {"le": WAIT_S, "counts": [1] * (len(WAIT_S) + 1), "sum": 1.5}
    answers = {"le": ANSWER_S, "counts": [1] * (len(ANSWER_S) + 1), "sum": 1.5}
    says: dict[str, Any] = {"origins": {name: {"sent": 5, "refused": {"x": 1}} for name in many}}
    for metric in (*COUNTERS, *GAUGES):
        place = says
        for key in metric.path[:-1]:
            place = place.setdefault(key, {})
        one: Any = (answers if metric.bounds == ANSWER_S else waits) if metric.bounds else 3
        labels = {**many, **dict.fromkeys([*REASONS, *metric.values], 0)}
        place[metric.path[-1]] = dict.fromkeys(labels, one) if metric.label else one
    says["pages"]["answered"] = {str(status): 1 for status in range(3_000)}
    assert len(json.dumps(says)) < 900_000, "of more nothing is read"
    return says


@pytest.mark.parametrize("payload", PAYLOADS[::6], ids=ascii)
def test_a_hostile_run_has_no_more_than_500_series(tmp_path: Path, payload: str) -> None:
    now = time.time()
    for number in range(9):
        job = f"{payload}{number}" if number else None
        write_worker(tmp_path, hostile(payload), run=f"run{number}", job=job, started=now - 60, at=now)
    exporter = Exporter(tmp_path, hosts=20)
    found = exported(exporter)
    assert len(found) <= MAX_SERIES
    assert value(exporter, "jobs_left_out") in (6, 7), "of nine"
    series = Counter(name for name, _ in found)
    assert series["scrapy_polite_host_pages"] <= 9 * 20
    assert all(text.isprintable() for _, labels in found for _, text in labels)


def test_texts_that_mean_harm_are_values_of_labels(tmp_path: Path) -> None:
    """As spider, job and host; those of the text format's own, too."""
    now = time.time()
    payloads = [*PAYLOADS, f'"}} 1\nevil{{a="{MARK}', f"{MARK}\\", f"{MARK}\\n", f"\x9d0;{MARK}\x9c", f"{MARK}\udfff"]
    for number, payload in enumerate(payloads):
        says = snapshot(3) | {"origins": {payload: {"sent": 5, "refused": {}}}}
        write_worker(tmp_path, says, run=f"{number}", spider=payload, job=payload, started=now - 60, at=now)
    found = exported(Exporter(tmp_path, hosts=5))
    assert {name.removeprefix("scrapy_polite_").split("_")[0] for name, _ in found} <= {
        metric.name.split("_")[0] for metric in METRICS
    } | {"jobs"}
    for label in ("spider", "crawl_job", "origin"):
        values = {dict(labels)[label] for _, labels in found if label in dict(labels)}
        assert values == {printable(payload) for payload in payloads}


@pytest.mark.parametrize(
    "says",
    [
        {"metrics": [], "pages": 3, "refused": {"robots/disallow": "x"}, "hosts": None, "origins": [1]},
        {"metrics": {"bytes": -5, "not_found": True, "faults": "store", "starts": [], "answers": {"le": 1}}},
        {"metrics": {"bytes": float("nan"), "last_page_at": float("inf"), "answers": []}, "queued": 10**400},
        {"metrics": {"answers": {"le": [1, 2], "counts": [3, 4, 5], "sum": 9}}, "missed": {}},
        {"metrics": {"answers": {"le": list(ANSWER_S), "counts": ["x"] * 7, "sum": None}}, "queues": {"hosts": 3}},
    ],
)
def test_what_is_no_number_and_what_another_version_wrote_counts_for_nothing(
    tmp_path: Path, says: dict[str, Any]
) -> None:
    now = time.time()
    write_worker(tmp_path, says, started=now - 60, at=now)
    exporter = Exporter(tmp_path)
    found = exported(exporter)
    assert all(0 <= number < 2e9 for number in found.values())
    assert value(exporter, "response_bytes_total") == 0
    assert value(exporter, "response_duration_seconds_count") == 0


def test_files_that_are_no_runs_harm_nothing(tmp_path: Path) -> None:
    now = time.time()
    write_worker(tmp_path, snapshot(3), started=now - 60, at=now)
    (tmp_path / "a file").write_text("x")
    (tmp_path / "shop" / "a file").write_text("x")
    for name, head in (("empty", ""), ("other", '{"format": 99}'), ("deep", "[" * 100_000), ("binary", "\x00\xff")):
        folder = tmp_path / "shop" / name
        folder.mkdir()
        (folder / "w.run.json").write_text(head)
        (folder / "w.snapshot.json").write_text(head)
    assert value(Exporter(tmp_path), "pages_total", rules="fresh") == 3
    assert exported(Exporter(tmp_path / "nowhere")) == {}


def test_a_snapshot_that_is_replaced_is_read_again_and_one_that_is_not_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    files = write_worker(tmp_path, snapshot(3), started=now - 60, at=now)
    write_worker(tmp_path, snapshot(9), spider="other", started=now - 60, at=now, reason="finished")
    exporter = Exporter(tmp_path)
    assert value(exporter, "pages_total", rules="fresh") == 3
    write_worker(tmp_path, snapshot(4), started=now - 60, at=now)
    monkeypatch.setattr("scrapy_polite.metrics.workers.open_run", lambda folder: pytest.fail(f"{folder} is read again"))
    with pytest.raises(pytest.fail.Exception, match="run is read again"):
        value(exporter, "pages_total", rules="fresh")
    monkeypatch.undo()
    assert value(exporter, "pages_total", rules="fresh") == 4
    shutil.rmtree(files.folder)
    assert value(exporter, "pages_total", rules="fresh") is None
    assert value(exporter, "pages_total", rules="fresh", spider="other") == 9


def test_of_runs_that_ended_before_the_last_one_began_only_the_heads_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    for number in range(30):
        ended = now - 3_600 * (30 - number)
        says = snapshot(number + 1)
        files = write_worker(
            tmp_path, says, run=f"run{number}", started=ended - 60, at=ended, job=f"job{number % 2}", reason="finished"
        )
        os.utime(files.folder, (ended, ended))
    opened = []
    monkeypatch.setattr(workers_module, "open_run", lambda folder: opened.append(folder.name) or open_run(folder))
    exporter = Exporter(tmp_path)
    assert value(exporter, "pages_total", rules="fresh", crawl_job="job1") == 30
    assert value(exporter, "pages_total", rules="fresh", crawl_job="job0") == 29
    assert sorted(opened) == ["run28", "run29"]
    write_worker(tmp_path, snapshot(7), run="next", started=now - 5, at=now, job="job1")
    assert value(exporter, "pages_total", rules="fresh", crawl_job="job1") == 7
    assert value(exporter, "run_finish_reason", reason="finished", crawl_job="job1") == 1, "of the run before"
    shutil.rmtree(tmp_path / "shop" / "next")
    shutil.rmtree(files.folder)
    assert value(exporter, "pages_total", rules="fresh", crawl_job="job1") == 28, (
        "its count is shown where the last is gone"
    )


def test_the_origins_that_were_asked_for_are_those_with_most(tmp_path: Path) -> None:
    now = time.time()
    tallies = {
        f"https://{number}.example": {"sent": number, "refused": {"robots/disallow": number}} for number in range(5)
    }
    write_worker(tmp_path, snapshot() | {"origins": tallies}, started=now - 60, at=now)
    found = exported(Exporter(tmp_path, hosts=5))
    pages = [number for (name, _), number in found.items() if name == "scrapy_polite_host_pages"]
    assert sorted(pages) == [0, 1, 2, 3, 4]
    assert not any("host_" in name for name, _ in exported(Exporter(tmp_path)))


def test_a_limit_that_cannot_be_met_is_a_share_and_the_forecast_a_time(tmp_path: Path) -> None:
    now = time.time()
    host = {"host": "shop.example", "queued": 1_000, "pace_s": 10.0, "pace_source": "Crawl-delay", "state": "in turn"}
    queues = {
        "queued": 1_000,
        "count": 1,
        "hosts": [host],
        "times": [[10_000.0, 1]],
        "limits": [{"setting": "CLOSESPIDER_TIMEOUT", "kind": "time", "at": now + 2_000, "seconds": 3_600}],
    }
    write_worker(tmp_path, snapshot() | {"queues": queues}, started=now - 60, at=now)
    exporter = Exporter(tmp_path)
    assert value(exporter, "coverage_ratio") == pytest.approx(0.2, abs=0.01)
    assert value(exporter, "forecast_end_timestamp_seconds") == pytest.approx(now + 10_000, abs=60)
    write_worker(tmp_path, snapshot() | {"queues": queues}, started=now - 60, at=now, reason="finished")
    assert (value(exporter, "coverage_ratio"), value(exporter, "forecast_end_timestamp_seconds")) == (1, 0)
