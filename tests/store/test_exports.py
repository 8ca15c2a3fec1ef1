"""Exports of SqliteStore: everything in one private file, which any other takes over without losing what is newer."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from scrapy_polite.store.base import every_quarantine
from scrapy_polite.store.dead_urls import DeadUrl
from scrapy_polite.store.errors import StoreError
from scrapy_polite.store.factory import StoreLocation, open_file, read_contents
from scrapy_polite.store.feed import read_all
from scrapy_polite.store.hosts import GateState
from scrapy_polite.store.sqlite.store import SqliteStore
from store_parts import CONFIRMED, FOUND, FULL, NEVER_ANSWERED, OTHER_SITE, RELEASED, SITE, StoreClock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


HOST = "example.com"


@pytest.fixture
def clock() -> StoreClock:
    return StoreClock(10_000.0)


@pytest.fixture
def source(tmp_path: Path, clock: StoreClock) -> Iterator[SqliteStore]:
    with closing(SqliteStore(tmp_path / "source" / "store.sqlite", clock=clock)) as store:
        yield store


@pytest.fixture
def target(tmp_path: Path, clock: StoreClock) -> Iterator[SqliteStore]:
    with closing(SqliteStore(tmp_path / "target" / "store.sqlite", clock=clock)) as store:
        yield store


@pytest.fixture
def carry(source: SqliteStore, target: SqliteStore, tmp_path: Path) -> Callable[[], None]:
    """Carries the one's export to the other."""

    def carry() -> None:
        path = tmp_path / "export"
        path.unlink(missing_ok=True)
        source.export_to(path).result()
        target.import_from(path).result()

    return carry


# robots.txt


def test_an_export_carries_every_copy_to_another_store(
    source: SqliteStore, target: SqliteStore, tmp_path: Path
) -> None:
    for copy in (FULL, NEVER_ANSWERED):
        source.robots.put(copy).result()
    assert source.export_to(tmp_path / "export").result() == 2
    assert target.import_from(tmp_path / "export").result() == 2
    assert target.robots.get(SITE, "demobot").result() == FULL
    assert target.robots.get(OTHER_SITE, "demobot").result() == NEVER_ANSWERED


def test_an_import_keeps_what_is_newer(source: SqliteStore, target: SqliteStore, carry: Callable[[], None]) -> None:
    source.robots.put(replace(FULL, body=b"imported")).result()
    source.robots.put(replace(NEVER_ANSWERED, failure="imported")).result()
    target.robots.put(replace(FULL, body=b"newer", updated_at=2_000.0)).result()
    target.robots.put(replace(NEVER_ANSWERED, updated_at=1.0)).result()
    carry()
    newer, older = target.robots.get(SITE, "demobot").result(), target.robots.get(OTHER_SITE, "demobot").result()
    assert newer is not None
    assert newer.body == b"newer"
    assert older is not None
    assert older.failure == "imported"


def test_an_import_leaves_the_right_to_fetch_to_whose_it_is(
    source: SqliteStore, target: SqliteStore, carry: Callable[[], None]
) -> None:
    for _ in range(5):
        source.robots.claim(SITE, "demobot", "a", 10.0).result()
    source.robots.put(FULL).result()
    claim = target.robots.claim(SITE, "demobot", "b", 10.0).result()
    carry()
    assert target.robots.put(replace(FULL, body=b"fetched"), "b", claim.fence).result()


def test_an_export_is_private_and_one_file(source: SqliteStore, tmp_path: Path) -> None:
    folder = tmp_path / "exports"
    folder.mkdir()
    source.robots.put(FULL).result()
    source.export_to(folder / "export").result()
    assert [(path.name, path.stat().st_mode & 0o777) for path in folder.iterdir()] == [("export", 0o600)]


def test_an_export_overwrites_nothing(source: SqliteStore, tmp_path: Path) -> None:
    path = tmp_path / "export"
    path.write_bytes(b"precious")
    with pytest.raises(StoreError, match="File exists; export to another path"):
        source.export_to(path).result()
    assert path.read_bytes() == b"precious"


def test_a_failed_export_names_the_path(source: SqliteStore, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no-such-folder/export: No such file"):
        source.export_to(tmp_path / "no-such-folder" / "export").result()


def _other_database(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE robots (origin)")
    db.close()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        pytest.param(lambda path: None, "unable to open database file", id="missing"),
        pytest.param(lambda path: path.mkdir(), "(unable|error)", id="a-folder"),
        pytest.param(lambda path: path.touch(), "the file is empty", id="empty"),
        pytest.param(lambda path: path.write_bytes(b"User-agent: *\n" * 100), "file is not a database", id="text"),
        pytest.param(_other_database, "not a store of scrapy-polite", id="another-database"),
    ],
)
def test_an_import_rejects_what_no_export_wrote(
    target: SqliteStore, tmp_path: Path, make: Callable[[Path], object], message: str
) -> None:
    path = tmp_path / "import"
    make(path)
    with pytest.raises(StoreError, match=f"import: .*{message}.*; give a file that an export wrote"):
        target.import_from(path).result()
    target.robots.put(FULL).result()
    assert target.robots.get(SITE, "demobot").result() == FULL


# Hosts


def test_an_export_carries_gates_and_no_leases(
    source: SqliteStore, target: SqliteStore, carry: Callable[[], None]
) -> None:
    source.hosts.keep(HOST, 3_600.0, 3, "503", 3_600.0).result()
    source.hosts.spend("example.org", 900.0, 7).result()
    source.hosts.acquire(HOST, "a", 10.0).result()
    carry()
    assert read_all(target.hosts.changes) == read_all(source.hosts.changes) != []
    assert target.hosts.acquire(HOST, "b", 10.0).result() == 0.0


def test_a_whole_export_holds_no_lease(source: SqliteStore, tmp_path: Path) -> None:
    source.hosts.acquire(HOST, "a", 10.0).result()
    assert source.robots.claim(f"https://{HOST}", "demobot", "a", 10.0).result().granted
    source.export_to(tmp_path / "export").result()
    with closing(sqlite3.connect(tmp_path / "export")) as db:
        assert db.execute("SELECT key FROM host_leases UNION SELECT origin FROM leases").fetchall() == []


def test_an_import_merges_gates_and_counts_no_page_twice(
    source: SqliteStore, target: SqliteStore, carry: Callable[[], None], clock: StoreClock
) -> None:
    # name -> what is held, what is imported, what is expected: (embargo's time, period, pages, now)
    cases = {
        "same-period": ((10.0, 100.0, 7, 500.0), (20.0, 100.0, 5, 400.0), (20.0, 100.0, 7, 500.0)),
        "more-imported": ((10.0, 100.0, 5, 400.0), (5.0, 100.0, 7, 500.0), (10.0, 100.0, 7, 500.0)),
        "later-period": ((10.0, 100.0, 9, 150.0), (5.0, 200.0, 1, 250.0), (10.0, 200.0, 1, 250.0)),
        "earlier-period": ((10.0, 200.0, 1, 250.0), (20.0, 100.0, 9, 150.0), (20.0, 200.0, 1, 250.0)),
    }
    for key, (held, imported, _) in cases.items():
        for store, (embargo_at, period_start, pages, now) in ((target, held), (source, imported)):
            clock.at = embargo_at
            store.hosts.keep(key, 1_000.0, 0, str(embargo_at)).result()
            clock.at = now
            store.hosts.spend(key, period_start, pages).result()
    clock.at = 10_000.0
    for _ in range(2):
        carry()
        assert {state.key: state for state in read_all(target.hosts.changes)} == {
            key: GateState(key, now, embargo_at + 1_000.0, 0, str(embargo_at), period_start, pages)
            for key, (_, _, (embargo_at, period_start, pages, now)) in cases.items()
        }


def test_what_is_imported_is_a_change_that_other_processes_hear_of(
    source: SqliteStore, target: SqliteStore, carry: Callable[[], None]
) -> None:
    for number in range(3):
        source.hosts.keep(f"{number}.example", 60.0, 1, "503").result()
        source.quarantines.keep(replace(FOUND, place=f"/{number}")).result()
    target.hosts.keep("own.example", 60.0, 1, "503").result()
    hosts, quarantines = target.hosts.changes(None).result().cursor, target.quarantines.changes(None).result().cursor
    carry()
    assert [state.key for state in target.hosts.changes(hosts).result().items] == [
        "0.example",
        "1.example",
        "2.example",
    ]
    changed = target.quarantines.changes(quarantines).result()
    assert [found.place for found in changed.items] == ["/0", "/1", "/2"]


def test_a_copied_file_is_another_store(source: SqliteStore, tmp_path: Path) -> None:
    source.hosts.keep(HOST, 60.0, 1, "503").result()
    source.export_to(tmp_path / "export").result()
    with closing(open_file(tmp_path / "export")) as copy:
        assert copy.hosts.changes(source.hosts.changes(None).result().cursor).result().items != []


# Dead URLs


def test_an_export_carries_dead_urls_and_the_later_wins(
    source: SqliteStore, target: SqliteStore, carry: Callable[[], None], clock: StoreClock
) -> None:
    clock.at = 1_000.5
    source.dead_urls.keep("/gone", 410).result()
    clock.at = 1.0
    source.dead_urls.keep("/stale", 410).result()
    clock.at = 2.0
    target.dead_urls.keep("/stale", 404).result()
    carry()
    clock.at = 10_000.0
    assert target.dead_urls.get("/gone").result() == DeadUrl("/gone", 410, 1_000.5)
    assert target.dead_urls.get("/stale").result() == DeadUrl("/stale", 404, 2.0)


# Quarantines


def test_an_export_carries_quarantines_and_a_decision_wins(
    source: SqliteStore, target: SqliteStore, carry: Callable[[], None]
) -> None:
    known = replace(CONFIRMED, place="/known", refused=1)
    for found in (
        FOUND,
        replace(FOUND, place="/known", updated_at=9_000.0, refused=9),
        replace(RELEASED, place="/free"),
    ):
        source.quarantines.keep(found).result()
    target.quarantines.keep(known).result()
    for _ in range(2):
        carry()
        assert {found.place: found for found in every_quarantine(target)} == {
            "/day?at": FOUND,
            "/known": replace(known, refused=9),
            "/free": replace(RELEASED, place="/free"),
        }


# Reading a file


def test_what_a_file_holds_is_read_beside_its_store(source: SqliteStore) -> None:
    source.robots.put(FULL).result()
    source.dead_urls.keep("/gone", 410).result()
    source.quarantines.keep(FOUND).result()
    file = read_contents(StoreLocation(Path(source.description)))
    assert list(file.copies()) == [FULL]
    assert list(file.dead_urls()) == [DeadUrl("/gone", 410, 10_000.0)]
    assert list(file.quarantines()) == [FOUND]
