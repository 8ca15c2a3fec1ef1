"""What every store does for robots.txt, tried on each; then what is MemoryStore's own: its bounds."""

from __future__ import annotations

import random
import sqlite3
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from scrapy_polite.store.base import RobotsCopy, Store, StoreError
from scrapy_polite.store.memory import MemoryStore
from scrapy_polite.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SITE = "https://example.com"
OTHER_SITE = "https://example.org:8443"
FULL = RobotsCopy(
    origin=SITE,
    token="demobot",
    updated_at=1_000.5,
    status=200,
    body=b"User-agent: *\r\nDisallow: /\xff\x00\n",
    truncated=True,
    fetched_at=900.25,
    expires_at=87_300.25,
    etag='W/"a-1"',
    last_modified="Sat, 21 Nov 2026 08:49:37 GMT",
    hops=("https://www.example.com/robots.txt", "https://example.org/robots.txt"),
    failing_since=950.0,
    failures=3,
    next_try=1_300.0,
    failure="503 Service Unavailable",
)
NEVER_ANSWERED = RobotsCopy(origin=OTHER_SITE, token="demobot", updated_at=1_000.0, failing_since=1_000.0, failures=1)


@pytest.mark.parametrize(
    "copy",
    [
        pytest.param(FULL, id="every-field"),
        pytest.param(NEVER_ANSWERED, id="never-answered"),
        pytest.param(replace(FULL, status=404, body=b"", hops=()), id="missing"),
        pytest.param(replace(FULL, body=random.Random(1).randbytes(512_000)), id="500-KiB-incompressible"),
        pytest.param(replace(FULL, token="*", failure="über\x00\n"), id="odd-text"),
    ],
)
def test_gives_back_what_was_put(store: Store, copy: RobotsCopy) -> None:
    store.put(copy).result()
    assert store.get(copy.origin, copy.token).result() == copy


def test_knows_nothing_of_another_origin_or_token(store: Store) -> None:
    store.put(FULL).result()
    assert store.get(OTHER_SITE, FULL.token).result() is None
    assert store.get(SITE, "otherbot").result() is None


@pytest.mark.parametrize(
    ("updated_at", "kept"),
    [pytest.param(999.0, "old", id="earlier"), (1_000.5, "new"), pytest.param(1_001.0, "new", id="later")],
)
def test_a_put_never_replaces_a_later_copy(store: Store, updated_at: float, kept: str) -> None:
    store.put(replace(FULL, body=b"old")).result()
    store.put(replace(FULL, body=b"new", updated_at=updated_at)).result()
    copy = store.get(SITE, FULL.token).result()
    assert copy is not None
    assert copy.body == kept.encode()


@pytest.mark.parametrize(
    ("holder", "now", "granted"),
    [
        pytest.param("b", 10.0, False, id="another-while-it-lasts"),
        pytest.param("b", 19.9, False, id="another-just-before-its-end"),
        pytest.param("b", 20.0, True, id="another-when-it-has-ended"),
        pytest.param("a", 15.0, True, id="the-holder-itself-renews"),
    ],
)
def test_a_lease_is_for_one_holder_until_its_end(store: Store, holder: str, now: float, granted: bool) -> None:
    assert store.lease(SITE, "demobot", "a", 10.0, 20.0).result() is True
    assert store.lease(SITE, "demobot", holder, now, now + 10.0).result() is granted


def test_a_refused_claim_changes_nothing(store: Store) -> None:
    store.lease(SITE, "demobot", "a", 10.0, 20.0).result()
    store.lease(SITE, "demobot", "b", 15.0, 99.0).result()
    assert store.lease(SITE, "demobot", "c", 20.0, 30.0).result() is True


def test_a_renewed_lease_lasts_until_its_new_end(store: Store) -> None:
    store.lease(SITE, "demobot", "a", 10.0, 20.0).result()
    store.lease(SITE, "demobot", "a", 15.0, 25.0).result()
    assert store.lease(SITE, "demobot", "b", 24.9, 30.0).result() is False


def test_leases_of_other_origins_and_tokens_are_apart(store: Store) -> None:
    store.lease(SITE, "demobot", "a", 10.0, 20.0).result()
    assert store.lease(SITE, "otherbot", "b", 10.0, 20.0).result() is True
    assert store.lease(OTHER_SITE, "demobot", "b", 10.0, 20.0).result() is True


def test_only_its_holder_releases_a_lease(store: Store) -> None:
    store.lease(SITE, "demobot", "a", 10.0, 20.0).result()
    store.release(SITE, "demobot", "b").result()
    assert store.lease(SITE, "demobot", "b", 10.0, 20.0).result() is False
    store.release(SITE, "demobot", "a").result()
    assert store.lease(SITE, "demobot", "b", 10.0, 20.0).result() is True


def test_lists_the_copies_of_one_origin_for_every_token(store: Store) -> None:
    copies = [FULL, replace(FULL, token="otherbot", body=b"other")]
    for copy in [*copies, NEVER_ANSWERED]:
        store.put(copy).result()
    assert sorted(store.copies(SITE).result(), key=lambda copy: copy.token) == copies
    assert store.copies("https://unknown.example").result() == []


@pytest.mark.parametrize(
    ("origin", "count", "left"), [pytest.param(SITE, 2, 1, id="one-origin"), pytest.param(None, 3, 0, id="all")]
)
def test_forgets(store: Store, origin: str | None, count: int, left: int) -> None:
    for copy in (FULL, replace(FULL, token="otherbot"), NEVER_ANSWERED):
        store.put(copy).result()
    assert store.forget(origin).result() == count
    assert store.get(SITE, FULL.token).result() is None
    assert len(store.copies(OTHER_SITE).result()) == left
    assert store.forget(origin).result() == 0


def test_prunes_what_was_last_updated_before(store: Store) -> None:
    for number in range(2_500):
        store.put(replace(NEVER_ANSWERED, origin=f"https://{number}.example", updated_at=float(number)))
    assert store.prune(2_400.0).result() == 2_400
    assert store.get("https://2399.example", "demobot").result() is None
    assert store.get("https://2400.example", "demobot").result() is not None
    assert store.prune(2_400.0).result() == 0


def test_an_export_carries_every_copy_to_another_store(new_store: Callable[[], Store], tmp_path: Path) -> None:
    source, target = new_store(), new_store()
    for copy in (FULL, NEVER_ANSWERED):
        source.put(copy).result()
    assert source.export_to(tmp_path / "export").result() == 2
    assert target.import_from(tmp_path / "export").result() == 2
    assert target.get(SITE, "demobot").result() == FULL
    assert target.get(OTHER_SITE, "demobot").result() == NEVER_ANSWERED


@pytest.mark.parametrize("kinds", [("memory", "sqlite"), ("sqlite", "memory")], ids="-to-".join)
def test_an_export_suits_the_other_kind_of_store(kinds: tuple[str, str], tmp_path: Path) -> None:
    made: dict[str, Store] = {"memory": MemoryStore(), "sqlite": SqliteStore(tmp_path / "store.sqlite")}
    source, target = (made[kind] for kind in kinds)
    source.put(FULL).result()
    source.export_to(tmp_path / "export").result()
    assert target.import_from(tmp_path / "export").result() == 1
    assert target.get(SITE, "demobot").result() == FULL
    for store in made.values():
        store.close()


def test_an_import_keeps_what_is_newer(new_store: Callable[[], Store], tmp_path: Path) -> None:
    source, target = new_store(), new_store()
    source.put(replace(FULL, body=b"imported")).result()
    source.put(replace(NEVER_ANSWERED, failure="imported")).result()
    source.export_to(tmp_path / "export").result()
    target.put(replace(FULL, body=b"newer", updated_at=2_000.0)).result()
    target.put(replace(NEVER_ANSWERED, updated_at=1.0)).result()
    target.import_from(tmp_path / "export").result()
    newer, older = target.get(SITE, "demobot").result(), target.get(OTHER_SITE, "demobot").result()
    assert newer is not None
    assert newer.body == b"newer"
    assert older is not None
    assert older.failure == "imported"


def test_an_export_is_private_and_one_file(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "exports"
    folder.mkdir()
    store.put(FULL).result()
    store.export_to(folder / "export").result()
    assert [(path.name, path.stat().st_mode & 0o777) for path in folder.iterdir()] == [("export", 0o600)]


def test_an_export_overwrites_nothing(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "export"
    path.write_bytes(b"precious")
    with pytest.raises(StoreError, match="File exists; export to another path"):
        store.export_to(path).result()
    assert path.read_bytes() == b"precious"


def test_a_failed_export_names_the_path(store: Store, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no-such-folder/export: No such file"):
        store.export_to(tmp_path / "no-such-folder" / "export").result()


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
    store: Store, tmp_path: Path, make: Callable[[Path], object], message: str
) -> None:
    path = tmp_path / "import"
    make(path)
    with pytest.raises(StoreError, match=f"import: .*{message}.*; give a file that an export wrote"):
        store.import_from(path).result()
    store.put(FULL).result()
    assert store.get(SITE, "demobot").result() == FULL


def test_closing_twice_is_harmless_and_ends_all_answers(store: Store) -> None:
    store.put(FULL).result()
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.get(SITE, "demobot").result()


def test_memory_answers_at_once() -> None:
    store = MemoryStore()
    assert store.put(FULL).done()
    assert store.get(SITE, "demobot").done()
    assert store.description == "memory"


def test_memory_drops_the_least_recently_used_beyond_its_count() -> None:
    store = MemoryStore(max_copies=2)
    first, second, third = (replace(FULL, token=token) for token in ("first", "second", "third"))
    store.put(first)
    store.put(second)
    store.get(SITE, "first")
    store.put(third)
    assert {copy.token for copy in store.copies(SITE).result()} == {"first", "third"}


def test_memory_drops_the_least_recently_used_beyond_its_bytes() -> None:
    store = MemoryStore(max_bytes=25_000)
    noise = random.Random(1)
    for token in ("first", "second", "third"):
        store.put(replace(FULL, token=token, body=noise.randbytes(10_000)))
    assert {copy.token for copy in store.copies(SITE).result()} == {"second", "third"}


def test_memory_counts_the_bytes_of_replaced_and_forgotten_copies_no_more() -> None:
    store = MemoryStore(max_bytes=25_000)
    noise = random.Random(1)
    store.put(replace(FULL, token="kept", body=noise.randbytes(10_000)))
    for _ in range(5):
        store.put(replace(FULL, token="replaced", body=noise.randbytes(10_000)))
    for _ in range(5):
        store.put(replace(FULL, origin=OTHER_SITE, body=noise.randbytes(100)))
        store.forget(OTHER_SITE)
    assert {copy.token for copy in store.copies(SITE).result()} == {"kept", "replaced"}


def test_memory_does_not_keep_leases_without_end() -> None:
    store = MemoryStore(max_copies=2)
    for number in range(3):
        store.lease(f"https://{number}.example", "demobot", "a", 10.0, 20.0)
    assert store.lease("https://2.example", "demobot", "b", 10.0, 20.0).result() is False
    assert store.lease("https://0.example", "demobot", "b", 10.0, 20.0).result() is True


def due(copy_due_at: float) -> RobotsCopy:
    return RobotsCopy(SITE, "demobot", updated_at=1.0, status=200, expires_at=copy_due_at)


@pytest.mark.parametrize(
    ("held", "others_lease_until", "granted"),
    [
        pytest.param(None, None, True, id="nothing is held"),
        pytest.param(due(50.0), None, False, id="what is held is not due"),
        pytest.param(due(10.0), None, True, id="what is held is due"),
        pytest.param(None, 34.0, False, id="another is at it"),
        pytest.param(due(10.0), 34.0, False, id="due, but another is at it"),
        pytest.param(due(10.0), 20.0, True, id="due, and the other's lease has ended"),
    ],
)
def test_a_claim_reads_the_copy_and_leases_what_is_due(
    store: Store, held: RobotsCopy | None, others_lease_until: float | None, granted: bool
) -> None:
    if held is not None:
        store.put(held).result()
    if others_lease_until is not None:
        store.lease(SITE, "demobot", "other", 0.0, others_lease_until).result()
    assert store.claim(SITE, "demobot", "me", now=20.0, until=35.0, due=20.0).result() == (held, granted)
    others = store.lease(SITE, "demobot", "third", 20.0, 30.0).result()
    assert others is not (granted or bool(others_lease_until and others_lease_until > 20.0))


def test_a_put_ends_the_lease_of_its_holder_only(store: Store) -> None:
    store.lease(SITE, "demobot", "a", 15.0, 35.0).result()
    store.put(due(50.0), "b").result()
    assert store.lease(SITE, "demobot", "b", 20.0, 30.0).result() is False
    store.put(due(50.0), "a").result()
    assert store.lease(SITE, "demobot", "b", 20.0, 30.0).result() is True
