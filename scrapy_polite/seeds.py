"""Seeds: start URLs that outlive crawls, in one SQLite file: who has added each, when and why, and what came of it.

Any number of processes may use it at once: readers wait for nobody, writers for each other.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

FILE = "polite/seeds.sqlite"
"""Of a project's data (`_project.data_path`)."""
#: How long one writer waits for another.
_WAIT_S = 10.0
_PAGE = 1_000
#: "scps", and the version of the table.
_APPLICATION, _VERSION = 0x73637073, 1
_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS seeds (
    url TEXT PRIMARY KEY, added_at TEXT NOT NULL, added_by TEXT NOT NULL, why TEXT NOT NULL,
    spider TEXT, crawled_at TEXT, status TEXT, pages INTEGER
) WITHOUT ROWID;
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {_VERSION};
"""


class SeedsError(Exception):
    """Why a file of seeds cannot be used, and what to do."""


@dataclass(frozen=True, slots=True)
class Seed:
    """One start URL. Times are UTC (ISO 8601).

    Of the last crawl that has asked for it: the `spider`, when that was, the HTTP `status` or why there is none, and
    how many `pages` of its host were fetched; None before the first.
    """

    url: str
    added_at: str
    added_by: str
    why: str
    spider: str | None = None
    crawled_at: str | None = None
    status: str | None = None
    pages: int | None = None


_COLUMNS = ", ".join(one.name for one in fields(Seed))


class Seeds:
    """The file, which is made where `make` is set. To be closed. Raises SeedsError, as all of its methods do."""

    def __init__(self, path: Path, *, make: bool = False) -> None:
        self._path = path
        if not make and not path.exists():
            raise SeedsError(f"{path}: there are no seeds yet: add some (scrapy polite seeds add URL)")
        with self._explained():
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists():  # with URLs that nobody else need know of
                os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
            # Of several threads one at a time is at work on it.
            self._db = sqlite3.connect(path, timeout=_WAIT_S, check_same_thread=False)
        try:
            with self._explained():
                self._open()
        except BaseException:
            self._db.close()
            raise

    def _open(self) -> None:
        ((kind,), (version,)) = (self._db.execute(f"PRAGMA {name}").fetchone() for name in _IDENTITY)
        if (kind, version) != (_APPLICATION, _VERSION):
            if kind or version or self._db.execute("SELECT 1 FROM sqlite_master").fetchone():
                raise SeedsError(f"{self._path} holds no seeds, or those of another version: name another file")
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.executescript(_SCHEMA)
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute("PRAGMA secure_delete = ON")

    def close(self) -> None:
        self._db.close()

    def add(self, seeds: Iterable[Seed]) -> int:
        """Add those whose URLs are new, all or none; how many."""
        return self._write(
            "INSERT OR IGNORE INTO seeds (url, added_at, added_by, why) VALUES (?, ?, ?, ?)",
            ((seed.url, seed.added_at, seed.added_by, seed.why) for seed in seeds),
        )

    def remove(self, urls: Iterable[str]) -> int:
        """Take these out; how many were there."""
        return self._write("DELETE FROM seeds WHERE url = ?", ((url,) for url in urls))

    def crawled(
        self, spider: str, at: str, outcomes: Iterable[tuple[str, str, int]], *, first_only: bool = False
    ) -> None:
        """Note what came of URLs: status and pages of each; with `first_only` where nothing is noted yet."""
        rows = ((spider, at, status, pages, url) for url, status, pages in outcomes)
        where = "url = ? AND crawled_at IS NULL" if first_only else "url = ?"
        self._write(f"UPDATE seeds SET spider = ?, crawled_at = ?, status = ?, pages = ? WHERE {where}", rows)

    def has(self, url: str) -> bool:
        with self._explained():
            return self._db.execute("SELECT 1 FROM seeds WHERE url = ?", (url,)).fetchone() is not None

    def all(self) -> Iterator[Seed]:
        """In the order of their URLs. They may change meanwhile: no more than a page of them is read at once."""
        last = ""
        while page := self._after(last):
            yield from page
            last = page[-1].url

    def _after(self, url: str) -> list[Seed]:
        with self._explained():
            rows = self._db.execute(f"SELECT {_COLUMNS} FROM seeds WHERE url > ? ORDER BY url LIMIT {_PAGE}", (url,))
            return [Seed(*row) for row in rows]

    def _write(self, statement: str, rows: Iterable[Sequence[Any]]) -> int:
        with self._explained(), self._db:
            self._db.execute("BEGIN IMMEDIATE")
            before = self._db.total_changes
            self._db.executemany(statement, rows)
            return self._db.total_changes - before

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise SeedsError(f"{self._path} cannot be used: {error}") from error


_IDENTITY = ("application_id", "user_version")


def as_seed(url: str) -> str:
    """A URL as seeds have it, without fragment: `https://a.example` and `https://a.example/` are one."""
    url = url.partition("#")[0]
    scheme, mark, rest = url.partition("://")
    host, query = rest.partition("?")[:2]
    return url if "/" in host else f"{scheme}{mark}{host}/{query}{rest[len(host) + len(query) :]}"


def removed(path: Path, covers: Callable[[str], bool], *, act: bool) -> list[str]:
    """The seeds that are covered; with `act` they are taken out. Raises SeedsError."""
    if not path.exists():
        return []
    seeds = Seeds(path)
    try:
        found = [seed.url for seed in seeds.all() if covers(seed.url)]
        if act:
            seeds.remove(found)
        return found
    finally:
        seeds.close()
