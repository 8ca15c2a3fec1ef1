"""Taking requests out of a queue's file for good while no crawl is at work on it: for what is to be forgotten."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import islice
from typing import TYPE_CHECKING

from scrapy_polite.frontier.deferral import LaneName
from scrapy_polite.frontier.queue import FrontierError
from scrapy_polite.frontier.removal import MAX_EXAMPLES, Asked, Meant, Removed, read_asked
from scrapy_polite.frontier.sqlite.access import locked
from scrapy_polite.frontier.sqlite.queued import connect, reading
from scrapy_polite.frontier.sqlite.schema import BLOOM_NAME, FILE_NAME
from scrapy_polite.traps import handover

if TYPE_CHECKING:
    from pathlib import Path

_ROWS = 2_000
_LANES = "SELECT id, name FROM lanes"
_PAGES = {
    "requests": f"SELECT id, lane, request, '' FROM requests WHERE id > ? ORDER BY id LIMIT {_ROWS}",
    "set_aside": f"SELECT id, NULL, request, url FROM set_aside WHERE id > ? ORDER BY id LIMIT {_ROWS}",
}
_DELETE = "DELETE FROM {} WHERE id IN (SELECT value FROM json_each(?))"
_DELETE_POPPED = "DELETE FROM popped WHERE id NOT IN (SELECT id FROM requests)"
_UPDATE_NOTE = "UPDATE notes SET note = ? WHERE host = ?"
_DELETE_VISITED = "DELETE FROM visited WHERE fingerprint = ?"
_IS_VISITED = "SELECT 1 FROM visited WHERE fingerprint = ?"


def find(folder: Path, meant: Meant) -> Removed:
    """What `remove` would remove, as far as it is written. Reads only; a crawl may be at work. Raises FrontierError."""
    with reading(folder) as db:
        return _removed(db, folder, meant, act=False)


def remove(folder: Path, meant: Meant) -> Removed:
    """Remove it, all or nothing, and overwrite where it was written.

    Raises FrontierError, also where a crawl is running on the queue.
    """
    with reading(folder):  # what is wrong with it
        path = folder / FILE_NAME
    with _explained(path), locked(path), closing(connect(path, "mode=rw")) as db:
        db.execute("PRAGMA secure_delete = ON")
        with db:
            db.execute("BEGIN IMMEDIATE")
            removed = _removed(db, folder, meant, act=True)
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return removed


def requests_in(folder: Path) -> Iterator[Asked]:
    """All that is queued, in flight or set aside, as far as it is written. Reads only. Raises FrontierError."""
    with reading(folder) as db:
        for table in _PAGES:
            for _, _, asked in _rows(db, table):
                yield asked


def _removed(db: sqlite3.Connection, folder: Path, meant: Meant, *, act: bool) -> Removed:
    removed = Removed(bloom=(folder / BLOOM_NAME).exists())
    whole = {number for number, name in db.execute(_LANES) if meant.covers_origin(LaneName.read(name).origin)}
    fingerprints = set(map(meant.fingerprint, meant.known))

    def is_meant(lane: int | None, asked: Asked) -> bool:
        if lane in whole or (asked.url and meant.covers(asked.url)):
            return True
        removed.unreadable += not asked.url
        return False

    def take(table: str) -> int:
        count = 0
        found = ((number, asked) for number, lane, asked in _rows(db, table) if is_meant(lane, asked))
        while chunk := list(islice(found, _ROWS)):
            count += len(chunk)
            known = [asked for _, asked in chunk if asked.url]
            fingerprints.update(map(meant.fingerprint, known))
            removed.examples += [asked.url for asked in known[: MAX_EXAMPLES - len(removed.examples)]]
            if act:
                db.execute(_DELETE.format(table), (json.dumps([number for number, _ in chunk]),))
        return count

    removed.queued, removed.set_aside = take("requests"), take("set_aside")
    if act:
        db.execute(_DELETE_POPPED)
    for fingerprint in fingerprints:
        removed.visited += len(db.execute(_IS_VISITED, (fingerprint,)).fetchall())
        if act:
            db.execute(_DELETE_VISITED, (fingerprint,))
    removed.trap_examples = _take_examples(db, meant, act=act)
    return removed


def _take_examples(db: sqlite3.Connection, meant: Meant, *, act: bool) -> list[str]:
    """Out of what is noted of hosts; see `Removed.trap_examples`."""
    taken = []
    for host, note in db.execute("SELECT host, note FROM notes").fetchall():
        left, urls = handover.without(note, meant.covers, meant.covers_origin)
        taken += urls
        if act and left != note:
            db.execute(_UPDATE_NOTE, (left, host))
    return taken


def _rows(db: sqlite3.Connection, table: str) -> Iterator[tuple[int, int | None, Asked]]:
    """Number, lane and request; what has been yielded may be deleted meanwhile."""
    last = -1
    while rows := db.execute(_PAGES[table], (last,)).fetchall():
        for number, lane, request, url in rows:
            asked = read_asked(request)
            yield number, lane, asked if asked.url else asked._replace(url=url)
        last = rows[-1][0]


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise FrontierError(f"{path}: {getattr(error, 'strerror', None) or error}") from error
