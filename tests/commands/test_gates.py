"""`scrapy polite gates` on the real command line, beside a queue and a store that a crawl may be using."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request, Spider

from commandline import make_project
from projects import scrapy
from scrapy_polite.frontier.codec import Codec
from scrapy_polite.frontier.sqlite.queue import SqliteQueue
from scrapy_polite.frontier.sqlite.schema import FILE_NAME
from scrapy_polite.store.hosts import GateState
from scrapy_polite.store.robots import RobotsCopy
from scrapy_polite.store.sqlite.store import SqliteStore

RETRY_AFTER = "HTTP 503, Retry-After 7200 s"


@contextmanager
def queue(folder: Path, lanes: dict[str, int]) -> Iterator[None]:
    """A job directory with so many requests for each origin, held open as by a crawl that is running."""
    folder.mkdir(exist_ok=True)
    at_work = SqliteQueue(folder / FILE_NAME, Codec(pickle=True), Spider("test"))
    at_work.open().result(10)
    for lane, count in lanes.items():
        for number in range(count):
            at_work.push(lane, (0, number), Request(f"{lane}//{number}" if lane.endswith(":") else f"{lane}/{number}"))
    at_work.flush().result(10)
    try:
        yield
    finally:
        at_work.close().result(10)


def keep(path: Path, *states: GateState) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    store = SqliteStore(path)
    for state in states:
        closed_for_s = state.until - state.updated_at if state.until else 0.0
        store.hosts.keep(state.key, closed_for_s, state.level, state.why, state.retry_after_s).result(10)
        if state.spent:
            store.hosts.spend(state.key, state.period_start, state.spent).result(10)
    store.close()


def closed(
    key: str, for_s: float = 8_000, *, why: str = "HTTP 503", level: int = 0, retry_after_s: float = 7_200
) -> GateState:
    return GateState(key, time.time(), time.time() + for_s, level, why, retry_after_s=retry_after_s)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "project")


@pytest.fixture
def store(project: Path) -> Path:
    return project / ".scrapy" / "polite" / "polite.sqlite"


def rows(project: Path, *arguments: str) -> list[dict[str, Any]]:
    process = scrapy(project, "polite", "gates", "--json", *arguments)
    assert process.returncode == 0, process.stderr
    return [json.loads(line) for line in process.stdout.splitlines()]


def test_the_closed_hosts_of_the_store_are_listed_with_time_reason_and_level(project: Path, store: Path) -> None:
    keep(
        store,
        closed("busy.example"),
        closed("down.example", 600, why="ConnectionRefusedError", level=3, retry_after_s=0),
        GateState("open.example", time.time(), time.time() - 10, 0, "HTTP 503"),
    )
    process = scrapy(project, "polite", "gates")
    assert process.returncode == 0, process.stderr
    heading, titles, first, second = process.stdout.splitlines()
    assert heading == f"2 hosts are closed ({store})"
    assert titles.split() == ["host", "opens", "why"]
    assert first.startswith("down.example  in 10 min (2")
    assert first.endswith(" UTC)  pace/backoff: ConnectionRefusedError, back-off level 3")
    assert second.startswith("busy.example  in 2 h (2")
    assert second.endswith(f"  pace/retry-after: {RETRY_AFTER}")


def test_what_is_queued_is_read_beside_a_crawl_and_leaves_nothing_behind(
    project: Path, store: Path, tmp_path: Path
) -> None:
    keep(store, closed("busy.example"), closed("idle.example"))
    folder = tmp_path / "job"
    with queue(folder, {"https://busy.example": 2, "http://open.example:8080": 5, "https://open.example": 1}):
        files = sorted(folder.iterdir())
        running = scrapy(project, "polite", "gates", "--jobdir", str(folder))
        assert sorted(folder.iterdir()) == files
    after = sorted(folder.iterdir())
    assert running.returncode == 0, running.stderr
    lines = running.stdout.splitlines()
    assert lines[:2] == [f"2 hosts are closed ({store})", "queued or in flight: 8, for origins: 3"]
    assert [line.split()[:3] for line in lines[2:]] == [
        ["host", "queued", "opens"],
        ["https://busy.example", "2", "in"],
        ["idle.example", "0", "in"],
        ["http://open.example:8080", "5", "open"],
        ["https://open.example", "1", "open"],
    ]
    ended = scrapy(project, "polite", "gates", "--jobdir", str(folder))
    assert ended.stdout == running.stdout
    assert sorted(folder.iterdir()) == after


def test_what_waits_as_a_suspected_trap_is_counted_with_its_origin(project: Path, store: Path, tmp_path: Path) -> None:
    keep(store, closed("busy.example"))
    lanes = {
        "https://busy.example": 1,
        "https://busy.example /calendar?m": 2,
        "https://busy.example /calendar?m newest": 3,
        "https://busy.example /calendar?m any": 4,
        "https://open.example //www.open.example/*/*/**": 5,
    }
    with queue(tmp_path / "job", lanes):
        found = rows(project, "--jobdir", str(tmp_path / "job"))
        shown = scrapy(project, "polite", "gates", "--jobdir", str(tmp_path / "job")).stdout
    assert [(row["host"], row["origin"], row["queued"], row["closed"]) for row in found] == [
        ("busy.example", "https://busy.example", 10, True),
        ("open.example", "https://open.example", 5, False),
    ]
    assert "queued or in flight: 15, for origins: 2\n" in shown


def test_a_queue_of_a_crawl_that_was_killed_can_be_read(project: Path, tmp_path: Path) -> None:
    folder, copy = tmp_path / "job", tmp_path / "copy"
    copy.mkdir()
    with queue(folder, {"https://a.example": 3}):
        for name in (FILE_NAME, f"{FILE_NAME}-wal"):  # as kill -9 leaves them
            (copy / name).write_bytes((folder / name).read_bytes())
    assert [(row["origin"], row["queued"]) for row in rows(project, "--jobdir", str(copy))] == [
        ("https://a.example", 3)
    ]


def test_an_unreachable_robots_txt_and_what_one_asks_for_are_told(project: Path, store: Path, tmp_path: Path) -> None:
    now = time.time()
    keep(store)
    kept = SqliteStore(store)
    for copy in (
        RobotsCopy(
            "https://down.example", "testbot", now, failing_since=now, failures=1, next_try=now + 300, failure="x"
        ),
        RobotsCopy(
            "https://slow.example",
            "testbot",
            now,
            200,
            b"User-agent: *\nCrawl-delay: 900\n",
            fetched_at=now,
            expires_at=now + 9_999,
        ),
        RobotsCopy("https://ignored.example", "testbot", now, failing_since=now, failures=1, next_try=now + 300),
    ):
        kept.robots.put(copy).result(10)
    kept.close()
    lanes = {"https://slow.example": 9, "https://down.example": 1, "https://ignored.example": 1, "s3:": 1}
    sites = ("-s", 'POLITE_SITES={"ignored.example": {"robots": "never"}}')
    with queue(tmp_path / "job", lanes):
        found = rows(project, "--jobdir", str(tmp_path / "job"), *sites)
    told = [(row["origin"], row["reason"], row["closed"], row["opens_at"] is None, row["delay"]) for row in found]
    assert told == [
        ("https://down.example", "robots/unreachable", True, False, None),
        ("https://slow.example", "", False, True, "Crawl-delay 300 s (of 900 s asked)"),
        ("https://ignored.example", "", False, True, None),
        ("s3:", "", False, True, None),
    ]


def test_a_delay_of_the_project_s_own_is_told(project: Path, tmp_path: Path) -> None:
    with queue(tmp_path / "job", {"https://a.example": 1}):
        (row,) = rows(project, "--jobdir", str(tmp_path / "job"), "-s", "DOWNLOAD_DELAY=2.5")
    assert (row["opens_at"], row["delay"]) == (None, "DOWNLOAD_DELAY 2.5 s")


def test_a_spent_budget_closes_a_host_until_the_next_period(project: Path, store: Path) -> None:
    now = time.time()
    start = now // 86_400 * 86_400
    keep(
        store,
        GateState("spent.example", now, period_start=start, spent=10),
        GateState("half.example", now, period_start=start, spent=5),
        GateState("yesterday.example", now, period_start=start - 86_400, spent=10),
    )
    budget = ("-s", 'POLITE_SITES={"*": {"budget": {"pages": 10, "per": "day"}}}')
    (row,) = rows(project, *budget)
    assert (row["host"], row["reason"], row["spent"]) == ("spent.example", "pace/budget", 10)
    assert row["opens_at"].startswith(time.strftime("%Y-%m-%dT00:00:00", time.gmtime(start + 86_400)))
    assert "10 of 10 pages per day" in scrapy(project, "polite", "gates", *budget).stdout


def test_of_many_hosts_twenty_are_shown_unless_all_are_asked_for(project: Path, store: Path) -> None:
    keep(store, *(closed(f"{number}.example") for number in range(25)))
    shown = scrapy(project, "polite", "gates").stdout.splitlines()
    assert len(shown) == 1 + 1 + 20 + 1
    assert shown[0].startswith("25 hosts are closed (")
    assert shown[-1] == "and 5 more: --all shows them"
    assert len(rows(project)) == 20
    assert len(rows(project, "--all")) == 25


def test_whatever_a_server_or_an_imported_store_said_can_be_shown(project: Path, store: Path) -> None:
    keep(store, closed("busy.example", why="\x1b[31mred"), closed("never.example", 1e300))
    shown = scrapy(project, "polite", "gates").stdout
    assert r"\x1b[31mred" in shown
    assert "(9999-12-31 23:59 UTC)" in shown


@pytest.mark.parametrize("word", ["busy.example", "https://BUSY.example:8443/page", "busy.example:80"])
def test_forget_lifts_the_embargo_of_one_host(word: str, project: Path, store: Path) -> None:
    keep(store, closed("busy.example"), closed("other.example"))
    process = scrapy(project, "polite", "gates", "--forget", word)
    assert process.returncode == 0, process.stderr
    assert process.stdout.startswith("busy.example is forgotten: ")
    assert [row["host"] for row in rows(project)] == ["other.example"]
    again = scrapy(project, "polite", "gates", "--forget", word)
    assert (again.returncode, again.stderr) == (1, "nothing is stored of busy.example\n")


def test_forget_takes_a_host_for_what_has_one_pace(project: Path, store: Path) -> None:
    keep(store, closed("shop.com"))
    process = scrapy(project, "polite", "gates", "--forget", "www.shop.com", "-s", "POLITE_PACE_BY=domain")
    assert process.stdout.startswith("shop.com is forgotten: ")


def test_a_store_elsewhere_can_be_named_also_outside_a_project(tmp_path: Path) -> None:
    keep(tmp_path / "other.sqlite", closed("busy.example"))
    (row,) = rows(tmp_path, "--store", "other.sqlite")
    assert (row["host"], row["origin"], row["queued"]) == ("busy.example", None, None)


@pytest.mark.parametrize("where", ["in a project", "elsewhere"])
def test_without_a_store_it_is_not_known_which_hosts_are_closed(where: str, project: Path, tmp_path: Path) -> None:
    folder = project if where == "in a project" else tmp_path
    with queue(tmp_path / "job", {"https://a.example": 2, "https://b.example": 1}):
        process = scrapy(folder, "polite", "gates", "-s", f"JOBDIR={tmp_path / 'job'}")
        found = rows(folder, "--jobdir", str(tmp_path / "job"))
    path = folder / ".scrapy" / "polite" / "polite.sqlite"
    memory = "POLITE_STORE is 'memory', as outside of projects, so nothing is kept"
    why = f"there is no store at {path}: a crawl makes it" if folder == project else memory
    assert process.stdout.splitlines()[:2] == [
        f"which hosts are closed is not known: {why}; name another with --store STORE",
        "queued or in flight: 3, for origins: 2",
    ]
    assert [line.split()[2] for line in process.stdout.splitlines()[2:]] == ["opens", "?", "?"]
    assert [(row["origin"], row["closed"], row["opens_at"]) for row in found] == [
        ("https://a.example", None, None),
        ("https://b.example", None, None),
    ]
    assert not path.exists()


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        pytest.param([], "there is no store at ", id="no-store"),
        pytest.param(["-s", "POLITE_STORE=memory"], "POLITE_STORE is 'memory', so nothing is kept", id="memory"),
        pytest.param(["--store", "nix.sqlite"], "nix.sqlite: a crawl makes it; name another", id="no-such-store"),
        pytest.param(["--store", "text"], "text: file is not a database", id="no-database"),
        pytest.param(["--jobdir", "nix"], "there is no job directory 'nix'", id="no-job-directory"),
        pytest.param(["--jobdir", "."], f"holds no queue ({FILE_NAME}): name the JOBDIR", id="no-queue"),
        pytest.param(["--jobdir", "stock"], "stock holds the queue of Scrapy's own scheduler", id="scrapys-queue"),
        pytest.param(["--jobdir", "broken"], f"broken/{FILE_NAME} cannot be read: file is not a", id="broken-queue"),
        pytest.param(["--jobdir", "foreign"], f"{FILE_NAME} is not a queue of scrapy-polite", id="another-database"),
        pytest.param(["--jobdir", "newer"], "is of schema 99, and this scrapy-polite knows", id="newer"),
        pytest.param(["--forget", "http://[::1"], "--forget: bad host or port in '[::1'", id="bad-host"),
        pytest.param(["--forget", "x.example", "--all"], "--forget HOST goes with --store alone", id="forget-all"),
        pytest.param(["--job", "x"], "--job JOB is of a queue on a server: set POLITE_FRONTIER", id="no-server"),
        pytest.param(["--job", "x", "--jobdir", "y"], "of two kinds of queues: give one of them", id="two-queues"),
        pytest.param(["x.example"], "gates: unrecognized arguments: x.example", id="a-word-too-many"),
    ],
)
def test_what_cannot_be_read_is_an_error_that_says_so(arguments: list[str], error: str, project: Path) -> None:
    (project / "text").write_text("no database, but a text that is long enough to be one" * 100)
    for name in ("stock/requests.queue/0", "broken", "foreign", "newer"):
        (project / name).mkdir(parents=True)
    (project / "broken" / FILE_NAME).write_text("no database, but a text that is long enough to be one" * 100)
    sqlite3.connect(project / "foreign" / FILE_NAME).execute("CREATE TABLE t (x)").connection.close()
    with queue(project / "newer", {"https://a.example": 1}):
        pass
    newer = sqlite3.connect(project / "newer" / FILE_NAME)
    newer.execute("PRAGMA user_version = 99")
    newer.close()
    process = scrapy(project, "polite", "gates", *arguments)
    assert process.returncode == 2
    assert error in process.stderr
    assert process.stdout == ""
    assert "Traceback" not in process.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_queue_of_somebody_else_is_an_error(project: Path, tmp_path: Path) -> None:
    with queue(tmp_path / "job", {"https://a.example": 1}):
        pass
    (tmp_path / "job" / FILE_NAME).chmod(0)
    process = scrapy(project, "polite", "gates", "--jobdir", str(tmp_path / "job"))
    assert process.returncode == 2
    assert "cannot be read" in process.stderr
