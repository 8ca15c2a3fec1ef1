"""What is SqliteStore's own: several processes, crashes, and files that are not as they should be.

What it shares with the other stores is in tests/contract/store.
"""

from __future__ import annotations

import math
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import zlib
from concurrent.futures import wait
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import scrapy_polite
from scrapy_polite.store.base import every_quarantine
from scrapy_polite.store.dead_urls import DeadUrl
from scrapy_polite.store.errors import StoreError, StoreUnavailable
from scrapy_polite.store.feed import PAGE_SIZE, read_all
from scrapy_polite.store.hosts import GateState
from scrapy_polite.store.quarantines import Quarantine
from scrapy_polite.store.robots import Claim, RobotsCopy
from scrapy_polite.store.sqlite import connection, robots, schema, writer
from scrapy_polite.store.sqlite.schema import SCHEMA_VERSION, complete_schema
from scrapy_polite.store.sqlite.store import SqliteStore
from store_parts import FULL, StoreClock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future
    from contextlib import AbstractContextManager

COPY = RobotsCopy("https://example.com", "demobot", 1_000.0, 200, b"User-agent: *\nDisallow: /private\n")
GATE = GateState("example.com", 1_000.0, until=2_000.0, level=1, why="503")
DEAD = DeadUrl("https://example.com/gone", 404, 1_000.0)
LEFT = Quarantine("example.com", "/maze/**", "maze", "31 pages", ("http://example.com/maze/1",), 1.0, 2.0, 3, "", 4.0)
PROCESS_LIMIT_S = 60

VERSION_1 = """
CREATE TABLE robots (origin TEXT NOT NULL, token TEXT NOT NULL, updated_at REAL NOT NULL, status INTEGER, \
body BLOB NOT NULL, truncated INTEGER NOT NULL, fetched_at REAL NOT NULL, expires_at REAL NOT NULL, etag TEXT, \
last_modified TEXT, hops TEXT NOT NULL, failing_since REAL, failures INTEGER NOT NULL, next_try REAL NOT NULL, \
failure TEXT NOT NULL, PRIMARY KEY (origin, token))
CREATE TABLE leases (origin TEXT NOT NULL, token TEXT NOT NULL, holder TEXT NOT NULL, until REAL NOT NULL, \
PRIMARY KEY (origin, token)) WITHOUT ROWID
CREATE INDEX robots_by_age ON robots (updated_at)
PRAGMA application_id = 1349284965
PRAGMA user_version = 1
PRAGMA journal_mode = WAL
""".strip().splitlines()
"""As the first release wrote it."""

VERSION_2 = [
    *VERSION_1,
    (
        "CREATE TABLE gates (key TEXT NOT NULL PRIMARY KEY, updated_at REAL NOT NULL, until REAL NOT NULL, "
        "level INTEGER NOT NULL, why TEXT NOT NULL, period_start REAL NOT NULL, spent INTEGER NOT NULL, "
        "kept_at REAL NOT NULL) WITHOUT ROWID"
    ),
    (
        "CREATE TABLE turns (key TEXT NOT NULL PRIMARY KEY, holder TEXT NOT NULL, taken_at REAL NOT NULL, "
        "hold_until REAL NOT NULL, next_at REAL NOT NULL) WITHOUT ROWID"
    ),
    "CREATE INDEX gates_by_age ON gates (updated_at)",
    "PRAGMA user_version = 2",
]

VERSION_3 = [
    *VERSION_2,
    "CREATE TABLE dead (key TEXT NOT NULL PRIMARY KEY, status INTEGER NOT NULL, seen_at REAL NOT NULL) WITHOUT ROWID",
    "CREATE INDEX dead_by_age ON dead (seen_at)",
    "PRAGMA user_version = 3",
]

VERSION_4 = [
    *VERSION_3,
    (
        "CREATE TABLE quarantines (site TEXT NOT NULL, place TEXT NOT NULL, kind TEXT NOT NULL, "
        "evidence TEXT NOT NULL, examples TEXT NOT NULL, since REAL NOT NULL, until REAL NOT NULL, "
        "refused INTEGER NOT NULL, decision TEXT NOT NULL, updated_at REAL NOT NULL, PRIMARY KEY (site, place))"
    ),
    "CREATE INDEX quarantines_by_age ON quarantines (updated_at)",
    "CREATE INDEX quarantines_by_end ON quarantines (until)",
    "PRAGMA user_version = 4",
]

PREAMBLE = """
import os, resource, sys
from pathlib import Path
from scrapy_polite.store.errors import StoreError
from scrapy_polite.store.robots import RobotsCopy
from scrapy_polite.store.sqlite.store import SqliteStore
path = Path(sys.argv[1])
copy = RobotsCopy("https://example.com", "demobot", 1_000.0, 200, b"User-agent: *")
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "polite" / "store.sqlite"


@pytest.fixture
def clock() -> StoreClock:
    return StoreClock()


@pytest.fixture
def store(path: Path, clock: StoreClock) -> Iterator[SqliteStore]:
    store = SqliteStore(path, busy_timeout_s=0.01, clock=clock)
    yield store
    store.close()


@pytest.fixture
def filled(path: Path) -> Path:
    """A closed store of 300 origins, 0 to 299."""
    store = SqliteStore(path)
    for number in range(300):
        store.robots.put(numbered(number))
    store.close()
    return path


def keep(store: SqliteStore) -> None:
    """GATE, at its time."""
    store.hosts.keep(GATE.key, GATE.until - GATE.updated_at, GATE.level, GATE.why).result()


def numbered(number: int) -> RobotsCopy:
    return replace(COPY, origin=f"https://{number}.example")


def process(script: str, path: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(Path(scrapy_polite.__file__).parents[1])}
    command = [sys.executable, "-c", PREAMBLE + script, str(path)]
    return subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def output_of(script: str, path: Path) -> str:
    with process(script, path) as running:
        try:
            output, _ = running.communicate(timeout=PROCESS_LIMIT_S)
        except subprocess.TimeoutExpired:
            running.kill()
            raise
    assert running.returncode == 0
    return output


def modes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in (folder, *folder.iterdir())}


def test_nothing_happens_before_the_first_call(path: Path) -> None:
    threads = threading.active_count()
    store = SqliteStore(path)
    assert not path.parent.exists()
    assert threading.active_count() == threads
    store.close()


def test_is_described_by_its_path(path: Path, store: SqliteStore) -> None:
    assert store.description == str(path)


def test_survives_restarts(filled: Path, store: SqliteStore) -> None:
    assert store.robots.get("https://299.example", "demobot").result() == numbered(299)


def test_nothing_of_what_was_forgotten_can_be_read_in_the_file(
    filled: Path, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = sqlite3.connect

    def as_built_by_default(*args: Any, **options: Any) -> sqlite3.Connection:
        """Some distributions build SQLite with it on."""
        db: sqlite3.Connection = connect(*args, **options)
        db.execute("PRAGMA secure_delete = OFF")
        return db

    monkeypatch.setattr(sqlite3, "connect", as_built_by_default)
    assert store.robots.forget("https://123.example").result() == 1
    store.close()
    assert [file.name for file in filled.parent.iterdir() if b"//123.example" in file.read_bytes()] == []
    assert b"//124.example" in filled.read_bytes()


def test_close_finishes_what_was_asked_and_ends_the_thread(path: Path, store: SqliteStore) -> None:
    threads = threading.active_count()
    futures = [store.robots.put(numbered(number)) for number in range(300)]
    store.close()
    assert [future.exception(timeout=0) for future in futures] == [None] * 300
    assert threading.active_count() == threads
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_cancelled_call_is_not_carried_out_and_disturbs_nothing(store: SqliteStore) -> None:
    futures = [store.robots.put(numbered(number)) for number in range(300)]
    cancelled = futures[-1].cancel()
    copy = store.robots.get("https://299.example", "demobot").result(timeout=PROCESS_LIMIT_S)
    assert (copy is None) == cancelled


@pytest.mark.parametrize("umask", [0o000, 0o777], ids=oct)
def test_only_the_owner_can_read_it(path: Path, store: SqliteStore, umask: int) -> None:
    before = os.umask(umask)
    try:
        store.robots.put(COPY).result()
    finally:
        os.umask(before)
    private = {path.name: 0o600, f"{path.name}-wal": 0o600, f"{path.name}-shm": 0o600}
    assert modes(path.parent) == {"polite": 0o700, **private}


def test_a_folder_that_exists_keeps_its_mode(path: Path, store: SqliteStore) -> None:
    path.parent.mkdir()
    path.parent.chmod(0o750)
    store.robots.put(COPY).result()
    assert modes(path.parent)["polite"] == 0o750


def test_every_lookup_has_its_index(store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    statements: list[str] = []
    connect = sqlite3.connect

    def traced(*args: Any, **kwargs: Any) -> sqlite3.Connection:
        db: sqlite3.Connection = connect(*args, **kwargs)
        db.set_trace_callback(statements.append)
        return db

    monkeypatch.setattr(sqlite3, "connect", traced)
    store.robots.put(COPY).result()
    statements.clear()
    store.robots.get(COPY.origin, COPY.agent).result()
    store.robots.of_origin(COPY.origin).result()
    store.prune(1_000_000.0).result()
    store.robots.forget(COPY.origin).result()
    keep(store)
    store.hosts.spend(GATE.key, 0.0, 1).result()
    store.hosts.changes(None).result()
    store.hosts.forget(GATE.key).result()
    store.quarantines.keep(LEFT).result()
    store.quarantines.changes(None).result()
    store.quarantines.forget(LEFT.site).result()
    store.quarantines.forget(LEFT.site, LEFT.place).result()
    lookups = [sql for sql in statements if any(table in sql for table in ("robots", "gates", "quarantines"))]
    with closing(connect(path)) as db:
        plans = [row[3] for sql in lookups for row in db.execute(f"EXPLAIN QUERY PLAN {sql}")]
    assert len(plans) >= 12
    assert [plan for plan in plans if "SCAN" in plan and plan != "SCAN sequence"] == []  # which is of one row


def together(script: str, path: Path, count: int) -> list[str]:
    """The lines that `count` processes print that open the store at `path` at the same time."""
    ready = """
class Clock:
    at = 1_000.0
    __call__ = lambda self: self.at
clock = Clock()
store = SqliteStore(path, busy_timeout_s=30, clock=clock)
print("ready", flush=True)
sys.stdin.readline()
"""
    processes = [process(ready + script + "\nstore.close()", path) for _ in range(count)]
    for running in processes:
        assert running.stdout is not None
        assert running.stdout.readline() == "ready\n"
    for running in processes:
        assert running.stdin is not None
        running.stdin.write("go\n")
        running.stdin.flush()
    return [line for running in processes for line in running.communicate(timeout=PROCESS_LIMIT_S)[0].splitlines()]


def test_of_processes_that_claim_at_once_exactly_one_gets_each_lease(path: Path) -> None:
    won = together(
        """
for number in range(200):
    if store.robots.claim(f"https://{number}.example", "demobot", str(os.getpid()), 60.0).result().granted:
        print(number)
""",
        path,
        count=3,
    )
    assert sorted(map(int, won)) == list(range(200))


def test_leases_of_several_processes_are_never_closer_than_the_gap(path: Path) -> None:
    gap, turns = 0.05, 40
    # Nobody sleeps: a process that is refused goes on at the time it was told, by a clock of its own. These come to be
    # further apart than any processes' of one machine.
    lines = together(
        f"""
from scrapy_polite.store.sqlite import hosts
hosts._SET_BACK_LEASE = "SELECT ?1, ?2"
done = 0
while done < {turns}:
    wait_s = store.hosts.acquire("example.com", str(os.getpid()), 1e6).result()
    if wait_s:
        clock.at += wait_s
        continue
    granted = clock.at
    clock.at += done % 3 / 100
    store.hosts.release("example.com", str(os.getpid()), {gap}).result()
    print(granted, clock.at)
    done += 1
""",
        path,
        count=4,
    )
    granted = sorted(tuple(map(float, line.split())) for line in lines)
    assert len(granted) == 4 * turns
    assert [
        (answered, following) for (_, answered), (following, _) in pairwise(granted) if following < answered + gap
    ] == []


def test_processes_that_spend_together_are_each_told_the_total_of_all(path: Path) -> None:
    totals = together('for _ in range(100): print(store.hosts.spend("example.com", 900.0, 1).result())', path, count=3)
    assert sorted(map(int, totals)) == list(range(1, 301))


def not_in_wal_mode(path: Path) -> None:
    """A store of one copy."""
    with closing(SqliteStore(path.with_name("source.sqlite"))) as source:
        source.robots.put(COPY).result()
        source.export_to(path).result()


def test_a_file_that_another_process_writes_while_it_is_opened_first_is_waited_for(path: Path) -> None:
    path.parent.mkdir()
    not_in_wal_mode(path)  # as for a moment a new store is
    store = SqliteStore(path, busy_timeout_s=PROCESS_LIMIT_S)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        found = store.robots.get(COPY.origin, COPY.agent)
        assert wait([found], timeout=0.2).not_done
        other.execute("COMMIT")
        assert found.result(PROCESS_LIMIT_S) == COPY
    store.close()


def test_a_file_that_another_process_keeps_while_it_is_opened_first_is_given_up(path: Path, store: SqliteStore) -> None:
    path.parent.mkdir()
    not_in_wal_mode(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailable, match="is locked; stop the process that holds it"):
            store.robots.get(COPY.origin, COPY.agent).result(PROCESS_LIMIT_S)


def test_a_killed_process_keeps_its_lease_of_a_host_until_it_must_be_over(
    path: Path, store: SqliteStore, clock: StoreClock
) -> None:
    script = """
store = SqliteStore(path, clock=lambda: 10.0)
print(store.hosts.acquire("example.com", "killed", 10.0).result(), flush=True)
sys.stdin.readline()
"""
    with process(script, path) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "0.0\n"
        holder.kill()
    clock.at = 19.5
    assert store.hosts.acquire("example.com", "next", 10.0).result() == 0.5
    clock.at = 20.0
    assert store.hosts.acquire("example.com", "next", 10.0).result() == 0.0


#: A process that has the lease of a host from 10 to 25 s, and waits.
LEASED = """
from scrapy_polite.store.holder import new_holder
store = SqliteStore(path, clock=lambda: 10.0)
print(store.hosts.acquire("example.com", new_holder(), 15.0).result(), flush=True)
sys.stdin.readline()
"""


def test_the_lease_of_a_process_that_was_killed_goes_to_the_next_after_the_gap(
    path: Path, store: SqliteStore, clock: StoreClock
) -> None:
    clock.at = 11.0
    with process(LEASED, path) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "0.0\n"
        assert store.hosts.acquire("example.com", "next", 15.0, gap_s=2.0).result() > 0.0
        clock.at = 12.0
        assert store.hosts.acquire("example.com", "next", 15.0, gap_s=2.0).result() > 0.0  # it lives
        holder.kill()
        holder.wait()
    assert store.hosts.acquire("example.com", "next", 15.0, gap_s=2.0).result() == 2.0
    clock.at = 13.9
    assert store.hosts.acquire("example.com", "next", 15.0, gap_s=2.0).result() == pytest.approx(0.1)
    # The process may have asked for a robots.txt.
    assert store.hosts.acquire("example.com", "another", 15.0, gap_s=9.0).result() == pytest.approx(7.1)
    clock.at = 20.9
    assert store.hosts.acquire("example.com", "next", 15.0, gap_s=2.0).result() == pytest.approx(0.1)
    clock.at = 21.0
    assert store.hosts.acquire("example.com", "next", 15.0, gap_s=2.0).result() == 0.0


def test_without_a_gap_the_next_has_the_lease_of_a_killed_process_alone(
    path: Path, store: SqliteStore, clock: StoreClock
) -> None:
    clock.at = 11.0
    with process(LEASED, path) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "0.0\n"
        holder.kill()
        holder.wait()
    assert store.hosts.acquire("example.com", "next", 15.0, if_known=True).result() == 0.0
    assert store.hosts.acquire("example.com", "another", 15.0, if_known=True).result() > 0.0


def version_1(path: Path) -> None:
    """A store of the first release with one copy and one lease."""
    path.parent.mkdir(exist_ok=True)
    path.touch(0o600)
    known = (COPY.origin, COPY.agent, COPY.updated_at, 200, zlib.compress(COPY.body), 0, 0.0, 0.0)
    row = (*known, None, None, "", None, 0, 0.0, "")
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in VERSION_1:
            db.execute(statement)
        db.execute(f"INSERT INTO robots VALUES ({', '.join('?' * len(row))})", row)
        db.execute("INSERT INTO leases VALUES (?, ?, 'a', 1005.0)", (COPY.origin, COPY.agent))


def test_a_store_of_version_1_is_taken_over_in_place(path: Path, store: SqliteStore, clock: StoreClock) -> None:
    version_1(path)
    assert store.robots.get(COPY.origin, COPY.agent).result() == COPY
    assert store.robots.claim(COPY.origin, COPY.agent, "b", 11.0).result().granted is False
    keep(store)
    assert store.hosts.acquire(GATE.key, "a", 10.0).result() == 0.0
    store.close()
    again = SqliteStore(path, clock=clock)
    assert again.robots.get(COPY.origin, COPY.agent).result() == COPY
    assert read_all(again.hosts.changes) == [GATE]
    again.close()
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)


def version_2(path: Path) -> None:
    """A store of the second version with one gate."""
    path.parent.mkdir(exist_ok=True)
    path.touch(0o600)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in VERSION_2:
            db.execute(statement)
        db.execute("INSERT INTO gates VALUES (?, 1000.0, 2000.0, 1, '503', 0.0, 0, 1000.0)", (GATE.key,))


def test_a_store_of_version_2_is_taken_over_in_place(path: Path, store: SqliteStore) -> None:
    version_2(path)
    assert store.dead_urls.get(DEAD.key).result() is None
    store.dead_urls.keep(DEAD.key, DEAD.status).result()
    assert store.dead_urls.get(DEAD.key).result() == DEAD
    assert read_all(store.hosts.changes) == [GATE]


def test_an_import_of_version_2_brings_its_gates(store: SqliteStore, tmp_path: Path) -> None:
    version_2(tmp_path / "export")
    assert store.import_from(tmp_path / "export").result() == 0
    assert read_all(store.hosts.changes) == [GATE]


def version_3(path: Path) -> None:
    """A store of the third version with one dead URL."""
    path.parent.mkdir(exist_ok=True)
    path.touch(0o600)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in VERSION_3:
            db.execute(statement)
        db.execute("INSERT INTO dead VALUES (?, 404, 1000.0)", (DEAD.key,))


def test_a_store_of_version_3_is_taken_over_in_place(path: Path, store: SqliteStore) -> None:
    version_3(path)
    assert every_quarantine(store) == []
    store.quarantines.keep(LEFT).result()
    assert every_quarantine(store) == [LEFT]
    assert store.dead_urls.get(DEAD.key).result() == DEAD


def test_an_import_of_version_3_brings_its_dead_urls(store: SqliteStore, tmp_path: Path) -> None:
    version_3(tmp_path / "export")
    assert store.import_from(tmp_path / "export").result() == 0
    assert store.dead_urls.get(DEAD.key).result() == DEAD
    assert every_quarantine(store) == []


def version_4(path: Path) -> None:
    """A store of the fourth version with a copy, a lease of each kind, three gates and three quarantines."""
    version_3(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in VERSION_4[len(VERSION_3) :]:
            db.execute(statement)
        known = (COPY.origin, COPY.agent, COPY.updated_at, 200, zlib.compress(COPY.body), 0, 0.0, 0.0)
        row = (*known, None, None, "", None, 0, 0.0, "")
        db.execute(f"INSERT INTO robots VALUES ({', '.join('?' * len(row))})", row)
        db.execute("INSERT INTO leases VALUES (?, ?, 'a', 1005.0)", (COPY.origin, COPY.agent))
        db.execute("INSERT INTO turns VALUES ('leased.example', 'a', 995.0, 1005.0, 998.0)")
        for number in (2, 3, 1):
            db.execute("INSERT INTO gates VALUES (?, ?, 2000.0, 1, '', 0.0, 0, 0.0)", (f"{number}.example", number))
            db.execute(
                "INSERT INTO quarantines VALUES ('example.com', ?, 'maze', '', '[]', 1.0, 2.0, 3, '', ?)",
                (f"/{number}", number),
            )


def test_a_store_of_version_4_is_taken_over_in_place(path: Path, store: SqliteStore, clock: StoreClock) -> None:
    version_4(path)
    assert store.robots.get(COPY.origin, COPY.agent).result() == COPY
    assert store.dead_urls.get(DEAD.key).result() == DEAD
    assert store.hosts.acquire("leased.example", "b", 10.0).result() > 0.0
    assert not store.robots.claim(COPY.origin, COPY.agent, "b", 10.0).result().granted
    gates, quarantines = store.hosts.changes(None).result(), store.quarantines.changes(None).result()
    assert [state.key for state in gates.items] == ["1.example", "2.example", "3.example"]
    assert [found.place for found in quarantines.items] == ["/1", "/2", "/3"]
    clock.at = 1_005.0
    claim = store.robots.claim(COPY.origin, COPY.agent, "b", 10.0).result()
    assert store.robots.put(replace(COPY, body=b""), "b", claim.fence).result()
    keep(store)
    store.quarantines.keep(LEFT).result()
    assert [state.key for state in store.hosts.changes(gates.cursor).result().items] == [GATE.key]
    assert store.quarantines.changes(quarantines.cursor).result().items == [LEFT]
    store.close()
    with closing(SqliteStore(path, clock=clock)) as again:
        assert len(read_all(again.hosts.changes)) == 4


def version_7(path: Path) -> None:
    """A store of the seventh version with a copy of which everything is known, and a lease of its robots.txt."""
    path.parent.mkdir(exist_ok=True)
    path.touch(0o600)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        complete_schema(db, 0, schema.STORE._replace(versions=schema.STORE.versions[:7]))
        db.execute("INSERT INTO sequence VALUES ('this', 5)")
        row = robots.row(FULL, 5)
        columns = [*robots.ROBOTS, "fence"]
        columns[columns.index("agent")] = "token"
        db.execute(f"INSERT INTO robots ({', '.join(columns)}) VALUES ({', '.join('?' * len(row))})", row)
        db.execute(
            "INSERT INTO leases (origin, token, holder, until, fence) VALUES (?, 'other', 'a', 1005.0, 4)",
            (FULL.origin,),
        )


def test_a_store_of_version_7_is_taken_over_in_place(path: Path, store: SqliteStore, clock: StoreClock) -> None:
    version_7(path)
    assert store.robots.get(FULL.origin, FULL.agent).result() == FULL
    assert not store.robots.claim(FULL.origin, "other", "b", 10.0).result().granted
    assert store.robots.put(replace(FULL, agent="demobot:0123456789ab")).result()
    store.close()
    with closing(SqliteStore(path, clock=clock)) as again:
        assert {copy.agent for copy in again.robots.of_origin(FULL.origin).result()} == {
            FULL.agent,
            "demobot:0123456789ab",
        }


def test_an_import_of_version_7_brings_its_copies(store: SqliteStore, tmp_path: Path) -> None:
    version_7(tmp_path / "export")
    assert store.import_from(tmp_path / "export").result() == 1
    assert store.robots.get(FULL.origin, FULL.agent).result() == FULL


def test_two_new_stores_are_told_apart(tmp_path: Path) -> None:
    names = set()
    for number in range(2):
        with closing(SqliteStore(tmp_path / f"{number}.sqlite")) as store:
            names.add(store.hosts.changes(None).result().cursor.store)
    assert len(names) == 2


def test_prunes_leases_of_hosts_that_are_over(store: SqliteStore, path: Path, clock: StoreClock) -> None:
    clock.at = 10.0
    for key, hold_s in (("over.example", 10.0), ("held.example", 90.0)):
        store.hosts.acquire(key, "a", hold_s).result()
    store.hosts.release("waiting.example", "a", 90.0).result()
    clock.at = 100.0
    store.prune(0.0).result()
    with closing(sqlite3.connect(path)) as db:
        assert {key for (key,) in db.execute("SELECT key FROM host_leases")} == {"held.example", "waiting.example"}


def test_what_one_connection_has_kept_another_finds(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    confirmed = replace(LEFT, decision="confirmed", until=math.inf, updated_at=1_100.0)
    with closing(SqliteStore(path)) as crawl, closing(SqliteStore(path)) as person:
        crawl.quarantines.keep(LEFT).result()
        page = crawl.quarantines.changes(None).result()
        assert page.items == every_quarantine(person) == [LEFT]
        person.quarantines.keep(confirmed).result()
        crawl.quarantines.keep(replace(LEFT, updated_at=1_150.0, refused=20)).result()
        assert crawl.quarantines.changes(page.cursor).result().items == [replace(confirmed, refused=20)]
        person.quarantines.forget(LEFT.site).result()
        assert every_quarantine(crawl) == []


def test_while_another_process_writes_what_a_clock_ahead_wrote_is_read_all_the_same(
    store: SqliteStore, path: Path, clock: StoreClock
) -> None:
    clock.at = 5_000.0
    store.hosts.keep(GATE.key, 60.0, 1, "503").result()
    store.quarantines.keep(replace(LEFT, updated_at=5_000.0)).result()
    clock.at = 1_000.0
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert [state.until for state in read_all(store.hosts.changes)] == [1_060.0]
        assert len(every_quarantine(store)) == 1
        other.execute("ROLLBACK")


def test_a_take_over_by_a_faster_process_is_noticed(
    path: Path, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    version_1(path)
    transaction = connection.transaction

    def overtaken(db: sqlite3.Connection) -> AbstractContextManager[None]:
        monkeypatch.undo()
        with closing(SqliteStore(path, clock=StoreClock())) as faster:
            keep(faster)
        return transaction(db)

    monkeypatch.setattr(connection, "transaction", overtaken)
    assert read_all(store.hosts.changes) == [GATE]
    assert store.robots.get(COPY.origin, COPY.agent).result() == COPY


def test_a_take_over_that_fails_leaves_version_1(
    path: Path, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    version_1(path)
    with monkeypatch.context() as patched:
        broken = schema.Version({}, ("CREATE TABLE gates (key)", "nonsense"))
        versions = (*schema.STORE.versions[:1], broken)
        patched.setattr(store._writer, "_kind", schema.STORE._replace(versions=versions))
        with pytest.raises(StoreError, match="syntax error"):
            store.robots.get(COPY.origin, COPY.agent).result()
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (1,)
        assert db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'gates'").fetchone() == (0,)
    assert store.robots.get(COPY.origin, COPY.agent).result() == COPY


def test_version_1_with_other_tables_is_refused_and_left_alone(path: Path, store: SqliteStore) -> None:
    version_1(path)
    with closing(sqlite3.connect(path)) as db:
        db.execute("ALTER TABLE robots ADD COLUMN surprise")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="its tables are not those of schema 1"):
        store.robots.put(COPY).result()
    store.close()
    assert path.read_bytes() == before


def test_an_import_reads_version_1_and_leaves_it(path: Path, store: SqliteStore, tmp_path: Path) -> None:
    version_1(tmp_path / "export")
    before = (tmp_path / "export").read_bytes()
    assert store.import_from(tmp_path / "export").result() == 1
    assert store.robots.get(COPY.origin, COPY.agent).result() == COPY
    assert (tmp_path / "export").read_bytes() == before


def test_a_page_of_gates_is_bounded(store: SqliteStore, path: Path) -> None:
    store.hosts.forget(None).result()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(
            "WITH RECURSIVE number (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM number LIMIT ?1) "
            "INSERT INTO gates SELECT n || '.example', 1.0, 0, 0, '', 0, 0, 0, n, 0.0 FROM number",
            (PAGE_SIZE + 2,),
        )
    page = store.hosts.changes(None).result()
    assert (len(page.items), page.more) == (PAGE_SIZE, True)
    assert page.items[0].key == "1.example"
    rest = store.hosts.changes(page.cursor).result()
    assert (len(rest.items), rest.more) == (2, False)


@pytest.mark.parametrize(
    ("column", "value"), [("until", b"never"), ("level", "high"), ("spent", b"1"), ("why", b"503"), ("kept_at", "now")]
)
def test_a_gate_that_cannot_be_is_a_store_error(
    store: SqliteStore, path: Path, tmp_path: Path, column: str, value: object
) -> None:
    keep(store)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(f"UPDATE gates SET {column} = ?", (value,))
    with pytest.raises(StoreError, match=f"{column} of 'example.com' is .*delete it or point POLITE_STORE elsewhere"):
        read_all(store.hosts.changes)
    store.close()
    other = SqliteStore(tmp_path / "other.sqlite")
    with pytest.raises(StoreError, match=f"^{path}: .*; give a file that an export wrote"):
        other.import_from(path).result()
    other.close()


def test_a_page_of_quarantines_is_bounded(store: SqliteStore, path: Path) -> None:
    store.quarantines.forget(None).result()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(
            "WITH RECURSIVE number (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM number LIMIT ?) "
            "INSERT INTO quarantines SELECT n || '.example', '/', '', '', '[]', 1.0, n, 0, '', 1.0, n FROM number",
            (PAGE_SIZE + 1,),
        )
    page = store.quarantines.changes(None).result()
    assert (len(page.items), page.more) == (PAGE_SIZE, True)
    assert page.items[0].site == "1.example"


@pytest.mark.parametrize(
    ("column", "value", "fault"),
    [
        pytest.param("until", b"never", "until of 'example.com' is bytes", id="time-is-bytes"),
        pytest.param("refused", "many", "refused of 'example.com' is str", id="count-is-text"),
        pytest.param("decision", "perhaps", "decision of 'example.com' is 'perhaps'", id="unknown-decision"),
        pytest.param("examples", "[1]", "examples of 'example.com' is no list of URLs", id="no-urls"),
        pytest.param("examples", "[", "Expecting value", id="no-json"),
    ],
)
def test_a_quarantine_that_cannot_be_is_a_store_error(
    store: SqliteStore, path: Path, tmp_path: Path, column: str, value: object, fault: str
) -> None:
    store.quarantines.keep(LEFT).result()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(f"UPDATE quarantines SET {column} = ?", (value,))
    with pytest.raises(StoreError, match=f"{fault}.*; delete it or point POLITE_STORE elsewhere"):
        every_quarantine(store)
    store.close()
    other = SqliteStore(tmp_path / "other.sqlite")
    with pytest.raises(StoreError, match=f"^{path}: .*; give a file that an export wrote"):
        other.import_from(path).result()
    other.close()


def test_an_import_keeps_the_bounds_of_what_is_kept(store: SqliteStore, tmp_path: Path) -> None:
    source = SqliteStore(tmp_path / "source")
    source.quarantines.keep(LEFT).result()
    source.close()
    with closing(sqlite3.connect(tmp_path / "source")) as db, db:
        db.execute("UPDATE quarantines SET evidence = ?", ("e" * 100_000,))
        db.execute(
            "INSERT INTO quarantines SELECT site, ?, kind, '', '[]', 1.0, 2.0, 0, '', 3.0, 9 FROM quarantines",
            ("/" + "x" * 100_000,),
        )
    store.import_from(tmp_path / "source").result()
    assert [(found.place, len(found.evidence)) for found in every_quarantine(store)] == [("/maze/**", 1_000)]


def test_why_a_gate_is_closed_may_hold_what_utf_8_cannot(store: SqliteStore) -> None:
    store.hosts.keep(GATE.key, 60.0, 1, "\udcff").result()
    assert [state.why for state in read_all(store.hosts.changes)] == ["\\udcff"]


def test_a_killed_writer_loses_nothing_that_was_acknowledged(path: Path, store: SqliteStore, clock: StoreClock) -> None:
    script = """
from dataclasses import replace
store = SqliteStore(path, clock=lambda: 10.0)
store.robots.claim("https://example.com", "demobot", "killed", 10.0).result()
for number in range(1_000_000):
    store.robots.put(replace(copy, origin=f"https://{number}.example")).result()
    print(number, flush=True)
"""
    with process(script, path) as writer:
        assert writer.stdout is not None
        acknowledged = [int(writer.stdout.readline()) for _ in range(300)]
        writer.kill()
        acknowledged += [int(line) for line in writer.stdout if line.endswith("\n")]
    origins = [f"https://{number}.example" for number in acknowledged]
    assert [origin for origin in origins if store.robots.get(origin, "demobot").result() is None] == []
    clock.at = 19.9
    assert store.robots.claim("https://example.com", "demobot", "next", 10.0).result().granted is False
    clock.at = 20.0
    assert store.robots.claim("https://example.com", "demobot", "next", 10.0).result().granted is True
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_a_process_that_never_closes_its_store_ends_and_keeps_what_was_put(path: Path, store: SqliteStore) -> None:
    assert output_of("SqliteStore(path).robots.put(copy).result()", path) == ""
    assert store.robots.get("https://example.com", "demobot").result() is not None


@pytest.mark.parametrize(
    ("script", "printed"),
    [
        pytest.param(
            "store = SqliteStore(path, busy_timeout_s=3_600)\nstore.robots.put(copy)", "", id="exit-waits-for-no-lock"
        ),
        pytest.param(
            "store = SqliteStore(path, busy_timeout_s=1)\n"
            "futures = [store.robots.put(copy) for _ in range(100)]\n"
            "store.close()\n"
            "print(sum('locked' in str(future.exception()) for future in futures))",
            "100\n",
            id="close-waits-for-one-lock-at-most",
        ),
    ],
)
def test_a_locked_file_does_not_keep_a_process_from_ending(filled: Path, script: str, printed: str) -> None:
    with closing(sqlite3.connect(filled, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert output_of(script, filled) == printed


def test_while_another_process_writes_reading_goes_on_and_writing_fails(filled: Path, store: SqliteStore) -> None:
    with closing(sqlite3.connect(filled, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert store.robots.get("https://1.example", "demobot").result() == numbered(1)
        with pytest.raises(StoreUnavailable, match=f"^{filled}: database is locked; stop the process that holds it"):
            store.robots.put(COPY).result()
        other.execute("ROLLBACK")
    store.robots.put(COPY).result()
    assert store.robots.get(COPY.origin, COPY.agent).result() == COPY


def test_once_a_lock_was_waited_for_in_vain_the_next_calls_wait_less_until_one_gets_through(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "_IMPATIENT_S", 0.0)
    waited_s: list[float] = []
    set_busy_timeout = writer.set_busy_timeout
    monkeypatch.setattr(
        writer, "set_busy_timeout", lambda db, seconds: (waited_s.append(seconds), set_busy_timeout(db, seconds))[1]
    )
    with (
        closing(SqliteStore(filled, busy_timeout_s=0.01)) as store,
        closing(sqlite3.connect(filled, isolation_level=None)) as other,
    ):
        other.execute("BEGIN EXCLUSIVE")
        for _ in range(2):
            with pytest.raises(StoreUnavailable):
                store.robots.put(COPY).result()
            store.robots.of_origin(COPY.origin).result()  # reading goes on, and says nothing of the lock
        assert set(waited_s) == {0.0}
        other.execute("ROLLBACK")
        store.robots.put(COPY).result()
    assert waited_s[-1] == 0.01


@pytest.mark.parametrize("writable", ["folder", "nothing"])
def test_a_read_only_file_or_folder_is_a_store_error(writable: str) -> None:
    script = """
if os.getuid() == 0:
    os.setuid(65_534)  # root may write anywhere
for use in (lambda store: store.robots.put(copy).result(), lambda store: store.facts()):
    try:
        use(SqliteStore(path))
    except StoreError as error:
        print(error)
"""
    # pytest's own folders cannot be entered by another user.
    folder = Path(tempfile.mkdtemp())
    path = folder / "store.sqlite"
    try:
        if writable == "folder":
            store = SqliteStore(path)
            store.robots.put(COPY).result()
            store.close()
            path.chmod(0o444)
        folder.chmod(0o777 if writable == "folder" else 0o555)
        message = output_of(script, path)
    finally:
        folder.chmod(0o700)
        shutil.rmtree(folder)
    lines = message.splitlines()
    assert len(lines) == 2  # what `scrapy polite check` asks, too
    assert all(line.startswith(f"{path}: ") for line in lines)
    what_to_do = "make file and folder readable and writable, or point POLITE_STORE elsewhere"
    assert all(line.endswith(what_to_do) for line in lines)


def test_a_full_database_refuses_to_write_and_still_reads(
    filled: Path, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = sqlite3.connect

    def connect_to_full(*args: Any, **kwargs: Any) -> sqlite3.Connection:
        db: sqlite3.Connection = connect(*args, **kwargs)
        db.execute("PRAGMA max_page_count = 1")  # SQLite takes the present number of pages where that is more.
        return db

    monkeypatch.setattr(sqlite3, "connect", connect_to_full)
    with pytest.raises(StoreError, match=f"^{filled}: database or disk is full; make room on the disk, or point"):
        store.robots.put(replace(COPY, body=os.urandom(100_000))).result()
    assert store.robots.get("https://1.example", "demobot").result() == numbered(1)


def test_a_quota_that_is_used_up_is_a_store_error(filled: Path) -> None:
    script = """
store = SqliteStore(path)
resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size, path.stat().st_size))
try:
    for number in range(100):
        store.robots.put(RobotsCopy(f"https://new-{number}.example", "demobot", 1.0, 200, os.urandom(100_000))).result()
except StoreError as error:
    print(error)
print(store.robots.get("https://1.example", "demobot").result().status)
"""
    message, status = output_of(script, filled).splitlines()
    assert message.startswith(f"{filled}: ")
    assert message.endswith(", or point POLITE_STORE elsewhere")
    assert status == "200"


def _a_folder(path: Path) -> None:
    path.mkdir(parents=True)


def _in_a_file(path: Path) -> None:
    path.parent.write_bytes(b"")


def _in_no_folder(path: Path) -> None:
    path.parent.symlink_to("nowhere")


def _garbage(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"\xde\xad\xbe\xef" * 2_000)


def _other_database(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE precious (everything)")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        pytest.param(_a_folder, "it is a folder; name a file,", id="a-folder"),
        pytest.param(_in_a_file, "Not a directory; a part of this path is a file:", id="in-a-file"),
        pytest.param(_in_no_folder, "No such file or directory; check the path,", id="in-no-folder"),
        pytest.param(_garbage, "file is not a database; delete it", id="garbage"),
        pytest.param(_other_database, "this SQLite file is not a store of scrapy-polite;", id="another-database"),
    ],
)
def test_what_is_no_store_is_named_and_left_alone(
    path: Path, store: SqliteStore, make: Callable[[Path], None], message: str
) -> None:
    make(path)
    before = path.read_bytes() if path.is_file() else None
    for _ in range(2):
        with pytest.raises(StoreError, match=f"^{path}: {message}.* or point POLITE_STORE elsewhere$"):
            store.robots.put(COPY).result()
    store.close()
    assert (path.read_bytes() if path.is_file() else None) == before


def test_a_newer_schema_is_named_and_left_alone(filled: Path, store: SqliteStore) -> None:
    with closing(sqlite3.connect(filled)) as db:
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    before = filled.read_bytes()
    with pytest.raises(StoreError, match=f"newer scrapy-polite .schema {SCHEMA_VERSION + 1}, this one knows"):
        store.robots.put(COPY).result()
    store.close()
    assert filled.read_bytes() == before


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER surprise AFTER INSERT ON leases BEGIN DELETE FROM robots; END",
        "ALTER TABLE robots ADD COLUMN surprise",
        "DROP TABLE leases",
    ],
)
def test_other_tables_than_the_schemas_are_refused(filled: Path, store: SqliteStore, statement: str) -> None:
    with closing(sqlite3.connect(filled)) as db:
        db.execute(statement)
    with pytest.raises(StoreError, match=f"its tables are not those of schema {SCHEMA_VERSION}"):
        store.robots.get("https://1.example", "demobot").result()


def test_a_file_that_sqlite_has_analysed_is_still_a_store(filled: Path, store: SqliteStore) -> None:
    with closing(sqlite3.connect(filled)) as db:
        db.execute("ANALYZE")
    assert store.robots.get("https://1.example", "demobot").result() == numbered(1)


def test_a_truncated_file_fails_with_nothing_but_store_errors(filled: Path, store: SqliteStore) -> None:
    os.truncate(filled, filled.stat().st_size // 2)
    errors = [store.robots.get(f"https://{number}.example", "demobot").exception() for number in range(300)]
    assert {type(error) for error in errors} - {type(None)} == {StoreError}
    assert {str(error) for error in errors if error} == {
        f"{filled}: database disk image is malformed; delete it or point POLITE_STORE elsewhere"
    }


@pytest.mark.parametrize(
    ("column", "value"),
    [
        pytest.param("body", b"not zlib", id="body-not-compressed"),
        pytest.param("body", zlib.compress(b"User-agent: *\n" * 99)[:-9], id="body-cut-off"),
        pytest.param("body", zlib.compress(bytes(2_000_000)), id="body-is-a-bomb"),
        pytest.param("body", "text", id="body-is-text"),
        pytest.param("status", "fine", id="status-is-text"),
        pytest.param("fetched_at", b"now", id="time-is-bytes"),
        pytest.param("hops", "[", id="hops-not-json"),
        pytest.param("hops", '{"a": 1}', id="hops-no-list"),
        pytest.param("hops", "[1]", id="hops-no-urls"),
        pytest.param("hops", "[" * 100_000, id="hops-too-deep"),
    ],
)
def test_a_row_that_cannot_be_is_a_store_error_and_others_are_read(
    filled: Path, store: SqliteStore, tmp_path: Path, column: str, value: object
) -> None:
    with closing(sqlite3.connect(filled)) as db, db:
        db.execute(f"UPDATE robots SET {column} = ? WHERE origin = 'https://1.example'", (value,))
    with pytest.raises(StoreError, match=f"^{filled}: .*delete it or point POLITE_STORE elsewhere"):
        store.robots.get("https://1.example", "demobot").result()
    assert store.robots.get("https://2.example", "demobot").result() == numbered(2)
    other = SqliteStore(tmp_path / "other.sqlite")
    with pytest.raises(StoreError, match=f"^{filled}: .*; give a file that an export wrote"):
        other.import_from(filled).result()
    other.close()


def test_header_text_that_utf_8_cannot_hold_is_stored_escaped(store: SqliteStore) -> None:
    store.robots.put(replace(COPY, etag='"\udcff"', failure="\ud800")).result()
    copy = store.robots.get(COPY.origin, COPY.agent).result()
    assert copy is not None
    assert (copy.etag, copy.failure) == ('"\\udcff"', "\\ud800")


def test_a_copy_that_is_there_and_not_due_is_answered_at_once(store: SqliteStore, path: Path) -> None:
    copy = replace(COPY, expires_at=2_000.0)
    store.robots.put(copy).result()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")  # whatever another process is writing
        read, claimed = store.robots.get(copy.origin, copy.agent), claim(store, due_in_s=999.0)
        assert read.done()
        assert claimed.done()
    assert read.result() == copy
    assert claimed.result() == Claim(copy, False, None, 1_000.0)
    assert claim(store, due_in_s=1_000.0).result()[:2] == (copy, True)


def test_what_reading_at_once_cannot_do_the_thread_says(store: SqliteStore, path: Path) -> None:
    store.robots.put(COPY).result()
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("UPDATE robots SET body = ?", (b"no zlib",))
    with pytest.raises(StoreError, match="delete it"):
        store.robots.get(COPY.origin, COPY.agent).result()


def test_a_copy_is_read_from_any_thread(store: SqliteStore) -> None:
    store.robots.put(COPY).result()
    assert store.robots.get(COPY.origin, COPY.agent).result() == COPY
    answers: list[RobotsCopy | None] = []
    thread = threading.Thread(target=lambda: answers.append(store.robots.get(COPY.origin, COPY.agent).result()))
    thread.start()
    thread.join()
    assert answers == [COPY]


def claim(store: SqliteStore, due_in_s: float) -> Future[Claim]:
    return store.robots.claim(COPY.origin, COPY.agent, "me", 15.0, due_in_s)
