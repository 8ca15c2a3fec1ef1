"""`SqliteStore`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy_polite.clock import system
from scrapy_polite.store.feed import PAGE_SIZE

from . import dead_urls, hosts, quarantines, robots
from .dead_urls import SqliteDeadUrls
from .exports import export, import_into
from .hosts import SqliteHosts
from .quarantines import SqliteQuarantines
from .robots import SqliteRobots
from .writer import Writer

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from concurrent.futures import Future
    from pathlib import Path


class SqliteStore:
    """A `FileStore`. `busy_timeout_s` is how long one call waits for another process's lock (see `Writer`).

    `clock` is the system's, which the processes of a machine have in common.
    """

    shared = True
    lasting = True
    replaceable = True

    def __init__(
        self,
        path: Path,
        *,
        busy_timeout_s: float = 5.0,
        clock: Callable[[], float] = system,
        page_size: int = PAGE_SIZE,
    ) -> None:
        self.description = str(path.absolute())
        self._clock = clock
        self._writer = Writer(path.absolute(), busy_timeout_s)
        self.robots = SqliteRobots(self._writer, clock)
        self.hosts = SqliteHosts(self._writer, clock, page_size)
        self.dead_urls = SqliteDeadUrls(self._writer, clock)
        self.quarantines = SqliteQuarantines(self._writer, clock, page_size)

    def facts(self) -> str:
        # Nothing is deleted: a file that can only be read refuses it all the same.
        self._writer.ask(lambda db: db.execute("DELETE FROM gates WHERE 0"), shares_transaction=True).result()
        return "can be opened"

    def prune(self, keep_s: float) -> Future[int]:
        before = self._clock() - keep_s
        return self._writer.ask(lambda db: _prune(db, before))

    def export_to(self, path: Path) -> Future[int]:
        return self._writer.ask(lambda db: export(db, path))

    def import_from(self, path: Path) -> Future[int]:
        return self._writer.ask(lambda db: import_into(db, path))

    def close(self) -> None:
        self._writer.close()


def _prune(db: sqlite3.Connection, before: float) -> int:
    hosts.prune(db, before)
    dead_urls.prune(db, before)
    quarantines.prune(db, before)
    return robots.prune(db, before)
