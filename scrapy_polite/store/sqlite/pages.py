"""Pages in SQLite: a file of their own beside the store's, as they are many, and their bodies large."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

from scrapy_polite.store.pages import Due, PageRecord

from .connection import transaction
from .rows import Columns, checked, definitions, encodable, marks, names
from .schema import Schema, Version
from .writer import CHUNK, Writer, done

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Future
    from pathlib import Path

#: In the order of the fields of `PageRecord`.
_PAGES: Columns = {
    "key": ("BLOB NOT NULL PRIMARY KEY", (bytes,)),
    "url": ("TEXT NOT NULL", (str,)),
    "host": ("TEXT NOT NULL", (str,)),
    "status": ("INTEGER NOT NULL", (int,)),
    "digest": ("BLOB NOT NULL", (bytes,)),
    "etag": ("TEXT NOT NULL", (str,)),
    "last_modified": ("TEXT NOT NULL", (str,)),
    "seen_at": ("REAL NOT NULL", (float,)),
    "whole_at": ("REAL NOT NULL", (float,)),
    "interval_s": ("REAL NOT NULL", (float,)),
    "changes": ("REAL NOT NULL", (float,)),
    "watched_s": ("REAL NOT NULL", (float,)),
    "not_modified": ("INTEGER NOT NULL", (int,)),
    "probe": ("INTEGER NOT NULL", (int,)),
    "links": ("INTEGER NOT NULL", (int,)),
    "body": ("INTEGER NOT NULL", (int,)),
}
_BESIDE = "key BLOB NOT NULL PRIMARY KEY, data BLOB NOT NULL"
_SCHEMA = Schema(
    int.from_bytes(b"Pltp", "big"),
    "a file of pages",
    (
        Version(
            {
                # With a rowid, as in `schema`: rows are large.
                "pages": f"CREATE TABLE pages ({definitions(_PAGES)})",
                "pages_by_host": "CREATE INDEX pages_by_host ON pages (host)",
                "links": f"CREATE TABLE links ({_BESIDE})",
                "bodies": f"CREATE TABLE bodies ({_BESIDE})",
                "lying": "CREATE TABLE lying (host TEXT NOT NULL PRIMARY KEY, at REAL NOT NULL) WITHOUT ROWID",
            }
        ),
    ),
)
_SELECT = f"SELECT {names(_PAGES)} FROM pages"
_KEEP = f"INSERT OR REPLACE INTO pages ({names(_PAGES)}) VALUES ({marks(_PAGES)})"
#: A slice of a host's pages in one row: after each row SQLite's thread waits for the loop's, 5 ms where that is busy.
_DUE = f"""
SELECT max(number), group_concat(seen_at || ' ' || interval_s || ' ' || changes || ' ' || watched_s)
FROM (
    SELECT rowid AS number, seen_at, interval_s, changes, watched_s FROM pages
    WHERE host = ? AND status = 200 AND rowid > ? ORDER BY rowid LIMIT {CHUNK}
)"""
_MAX_LYING = 100_000
_MAX_EXAMPLES = 3
#: A page's record: longer URLs and validators are not kept.
_MAX_VALIDATOR = 200


class SqlitePages:
    """A `PageStore`, read at once by who asks. `busy_timeout_s`: see `Writer`."""

    def __init__(self, path: Path, *, busy_timeout_s: float = 5.0) -> None:
        self._writer = Writer(path.absolute(), busy_timeout_s, _SCHEMA)

    def get(self, key: bytes) -> Future[PageRecord | None]:
        found = self._writer.read_at_once(lambda db: _rows(db, key))
        if found is not None:
            return done(_value(found[0]) if found else None)
        return self._writer.ask(lambda db: next(map(_value, _rows(db, key)), None))

    def at(self, host: str, url: str) -> Future[list[PageRecord]]:
        select, asked = f"{_SELECT} WHERE host = ? AND url = ?", (encodable(host), encodable(url))
        return self._writer.ask(lambda db: [_value(row) for row in db.execute(select, asked)])

    def links(self, key: bytes) -> Future[list[bytes]]:
        return self._writer.ask(lambda db: _links(_beside(db, "links", key)))

    def body(self, key: bytes) -> Future[bytes | None]:
        return self._writer.ask(lambda db: _unpacked(_beside(db, "bodies", key)))

    def keep(self, page: PageRecord, links: Sequence[bytes] | None = None, body: bytes | None = None) -> Future[None]:
        return self._writer.write(lambda db: _keep(db, page, links, body))

    def due(self, host: str, choose: Callable[[Iterator[Due]], float]) -> Future[float]:
        return self._writer.ask(lambda db: choose(_due(db, encodable(host))))

    def lying_hosts(self) -> Future[list[str]]:
        select = f"SELECT host FROM lying ORDER BY at DESC LIMIT {_MAX_LYING}"
        return self._writer.ask(lambda db: [str(host) for (host,) in db.execute(select)])

    def lies(self, host: str, at: float) -> Future[None]:
        insert = "INSERT OR REPLACE INTO lying VALUES (?, ?)"
        return self._writer.write(lambda db: _nothing(db.execute(insert, (encodable(host), at))))

    def forget(
        self, covers: Callable[[str], bool], link_covered: Callable[[bytes], bool], *, act: bool = True
    ) -> Future[tuple[int, int, list[str]]]:
        return self._writer.ask(lambda db: _forget(db, covers, link_covered, act=act))

    def prune(self, before: float) -> Future[int]:
        return self._writer.ask(lambda db: _prune(db, before))

    def close(self) -> None:
        self._writer.close()


def _rows(db: sqlite3.Connection, key: bytes) -> list[tuple[Any, ...]]:
    return db.execute(f"{_SELECT} WHERE key = ?", (key,)).fetchall()


def _value(row: tuple[Any, ...]) -> PageRecord:
    """Raises ValueError for a row that `_keep` cannot have written."""
    values = checked(_PAGES, row)
    return PageRecord(**values | {name: bool(values[name]) for name in ("probe", "links", "body")})


def _due(db: sqlite3.Connection, host: str | None) -> Iterator[Due]:
    last = 0
    while True:
        last, found = db.execute(_DUE, (host, last)).fetchone()
        if found is None:
            return
        for row in found.split(","):
            yield Due(*map(float, row.split()))


def _beside(db: sqlite3.Connection, table: str, key: bytes) -> bytes | None:
    found = db.execute(f"SELECT data FROM {table} WHERE key = ?", (key,)).fetchone()
    return None if found is None else bytes(found[0])


def _unpacked(data: bytes | None) -> bytes | None:
    return None if data is None else zlib.decompress(data)


def _links(data: bytes | None) -> list[bytes]:
    return (_unpacked(data) or b"").split(b"\n") if data else []


def _keep(db: sqlite3.Connection, page: PageRecord, links: Sequence[bytes] | None, body: bytes | None) -> None:
    etag, last_modified = (text if len(text) <= _MAX_VALIDATOR else "" for text in (page.etag, page.last_modified))
    row = (page.key, encodable(page.url), encodable(page.host), page.status, page.digest, encodable(etag))
    times = (page.seen_at, page.whole_at, page.interval_s, page.changes, page.watched_s)
    flags = (page.not_modified, page.probe, page.links, page.body)
    db.execute(_KEEP, (*row, encodable(last_modified), *map(float, times), *map(int, flags)))
    joined = None if links is None else b"\n".join(links)  # JSON has no line breaks of its own
    for table, there, data in (("links", page.links, joined), ("bodies", page.body, body)):
        if data:
            db.execute(f"INSERT OR REPLACE INTO {table} (key, data) VALUES (?, ?)", (page.key, zlib.compress(data)))
        elif data is not None or not there:
            db.execute(f"DELETE FROM {table} WHERE key = ?", (page.key,))


def _forget(
    db: sqlite3.Connection, covers: Callable[[str], bool], link_covered: Callable[[bytes], bool], *, act: bool
) -> tuple[int, int, list[str]]:
    pages, links, examples = 0, 0, list[str]()
    gone = [(key, url) for key, url in db.execute("SELECT key, url FROM pages") if covers(url)]
    pages, examples = len(gone), [url for _, url in gone[:_MAX_EXAMPLES]]
    keys = {key for key, _ in gone}
    changed: list[tuple[bytes | None, bytes]] = []
    for key, data in db.execute("SELECT key, data FROM links"):
        if key not in keys:
            held = _links(data)
            left = [link for link in held if not link_covered(link)]
            if len(left) < len(held):
                links += len(held) - len(left)
                changed.append((zlib.compress(b"\n".join(left)) if left else None, key))
    liars = [(host,) for (host,) in db.execute("SELECT host FROM lying") if covers(f"http://{host}/")]
    if act:
        with transaction(db):
            _drop(db, list(keys))
            db.executemany("DELETE FROM lying WHERE host = ?", liars)
            db.executemany("UPDATE links SET data = ? WHERE key = ?", [one for one in changed if one[0] is not None])
            db.executemany("DELETE FROM links WHERE key = ?", [(key,) for data, key in changed if data is None])
    return pages, links, examples


def _prune(db: sqlite3.Connection, before: float) -> int:
    count = 0
    select = f"SELECT key FROM pages WHERE seen_at + interval_s < ? LIMIT {CHUNK}"
    while keys := [key for (key,) in db.execute(select, (before,))]:
        with transaction(db):
            _drop(db, keys)
        count += len(keys)
    return count


def _drop(db: sqlite3.Connection, keys: list[bytes]) -> None:
    for table in ("pages", "links", "bodies"):
        db.executemany(f"DELETE FROM {table} WHERE key = ?", [(key,) for key in keys])


def _nothing(_: object) -> None:
    return None
