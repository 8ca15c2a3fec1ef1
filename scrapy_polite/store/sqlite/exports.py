"""Exports: a store's file without its leases, and reading one."""

from __future__ import annotations

import math
import sqlite3
from contextlib import closing, contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from scrapy_polite.store.errors import StoreError
from scrapy_polite.store.quarantines import Quarantine

from . import dead_urls, hosts, quarantines, robots
from .connection import create_private, explained, transaction
from .schema import (
    FIRST_WITH_AGENT,
    FIRST_WITH_DEAD,
    FIRST_WITH_GATES,
    FIRST_WITH_QUARANTINES,
    FIRST_WITH_REFUSED_SINCE,
    FIRST_WITH_RETRY_AFTER,
    version_of,
)
from .sequence import advance
from .writer import CHUNK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from scrapy_polite.store.dead_urls import DeadUrl
    from scrapy_polite.store.hosts import KeptGate
    from scrapy_polite.store.robots import RobotsCopy

T = TypeVar("T")

_OTHER_EXPORT = "give a file that an export wrote"
_OTHER_PATH = "export to another path"


class ExportFile:
    """What is in an export, or in the file of a store, of any version; it is left as it is."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def copies(self) -> Iterator[RobotsCopy]:
        yield from self._read(
            robots.SELECT_BEFORE_REFUSED_SINCE,
            lambda row: robots.value((*row, None)),
            since_version=1,
            until_version=FIRST_WITH_REFUSED_SINCE,
        )
        yield from self._read(
            robots.SELECT_BEFORE_AGENT,
            robots.value,
            since_version=FIRST_WITH_REFUSED_SINCE,
            until_version=FIRST_WITH_AGENT,
        )
        yield from self._read(robots.SELECT, robots.value, since_version=FIRST_WITH_AGENT)

    def gates(self) -> Iterator[KeptGate]:
        yield from self._read(
            hosts.SELECT_BEFORE_RETRY_AFTER,
            hosts.value,
            since_version=FIRST_WITH_GATES,
            until_version=FIRST_WITH_RETRY_AFTER,
        )
        yield from self._read(hosts.SELECT, hosts.value, since_version=FIRST_WITH_RETRY_AFTER)

    def dead_urls(self) -> Iterator[DeadUrl]:
        return self._read(dead_urls.SELECT, dead_urls.value, since_version=FIRST_WITH_DEAD)

    def quarantines(self) -> Iterator[Quarantine]:
        return self._read(quarantines.SELECT, quarantines.value, since_version=FIRST_WITH_QUARANTINES)

    def _read(
        self,
        select: str,
        value: Callable[[tuple[Any, ...]], T],
        *,
        since_version: int,
        until_version: float = math.inf,
    ) -> Iterator[T]:
        with explained(self._path, _OTHER_EXPORT):
            uri = f"{self._path.absolute().as_uri()}?mode=ro"
            with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as db:
                version = version_of(db, self._path, _OTHER_EXPORT)
                if not version:
                    raise StoreError(f"{self._path}: the file is empty; {_OTHER_EXPORT}")
                if since_version <= version < until_version:
                    yield from map(value, db.execute(select))


def export(db: sqlite3.Connection, path: Path) -> int:
    """Write a copy of the store to a new file. Returns the number of robots.txt copies."""
    with _new_export(path):
        db.execute("VACUUM INTO ?", (str(path.absolute()),))
        with closing(sqlite3.connect(path)) as exported, exported:
            exported.execute("DELETE FROM leases")
            exported.execute("DELETE FROM host_leases")
            exported.execute("UPDATE sequence SET store = lower(hex(randomblob(8)))")  # it is another store
            return int(exported.execute("SELECT count(*) FROM robots").fetchone()[0])


def import_into(db: sqlite3.Connection, path: Path) -> int:
    """Take over what an export holds. Returns the number of robots.txt copies read."""
    file = ExportFile(path)
    copies = _write(db, robots.UPSERT, map(robots.row, file.copies()))
    _write(db, hosts.MERGE, map(hosts.row, file.gates()), numbered=True)
    _write(db, dead_urls.KEEP, map(dead_urls.row, file.dead_urls()))
    kept = filter(None, map(Quarantine.bounded, file.quarantines()))
    _write(db, quarantines.MERGE, map(quarantines.row, kept), numbered=True)
    return copies


def _write(
    db: sqlite3.Connection, statement: str, rows: Iterator[tuple[object, ...]], *, numbered: bool = False
) -> int:
    """Write rows, a chunk a transaction; those of a feed get the number of their change as a last value."""
    count = 0
    while chunk := list(islice(rows, CHUNK)):
        with transaction(db):
            if numbered:
                first = advance(db, len(chunk)).number - len(chunk) + 1
                chunk = [(*row, number) for number, row in enumerate(chunk, first)]
            db.executemany(statement, chunk)
        count += len(chunk)
    return count


@contextmanager
def _new_export(path: Path) -> Iterator[None]:
    """A new, private, empty file at `path`, which is there afterwards only if all went well."""
    with explained(path, _OTHER_PATH):
        create_private(path)
        try:
            yield
        except BaseException:
            path.unlink()
            raise
