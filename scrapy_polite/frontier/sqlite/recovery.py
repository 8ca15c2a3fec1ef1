"""Saving what can be read of a damaged queue file: its pages are read here, where SQLite refuses the file as a whole.

The format: https://www.sqlite.org/fileformat2.html. First each table is read from its root, so that nothing comes back
that was deleted. If pages are missing then, those that no root leads to any more are read too.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrapy_polite.frontier.queue import IDEMPOTENT, FrontierError
from scrapy_polite.frontier.removal import read_asked
from scrapy_polite.frontier.sqlite.access import locked
from scrapy_polite.frontier.sqlite.faults import explained
from scrapy_polite.frontier.sqlite.pages import SHAPES, Pages
from scrapy_polite.frontier.sqlite.queued import connect
from scrapy_polite.frontier.sqlite.schema import FILE_NAME, has_schema, open_file
from scrapy_polite.origin import Origin

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from scrapy_polite.frontier.sqlite.pages import Record

#: Lanes first, those on pages that no root leads to never: their numbers are used again and again.
_COPIED = ("lanes", "popped", "visited", "set_aside")
_MAY_HAVE_BEEN_SENT = "it was found in a damaged queue, may have been sent, and may not be repeated unasked"


@dataclass(slots=True)
class Salvaged:
    """What was saved; of requests it is known of `lost` that they were queued. `kept`: the damaged file's new name;
    None: it stands where it was, `sound`, or with nothing in it that can be read."""

    requests: int = 0
    visited: int = 0
    set_aside: int = 0
    lost: int = 0
    pages: int = 0
    pages_lost: int = 0
    sound: bool = False
    kept: Path | None = None


def salvage(folder: Path) -> Salvaged:
    """Put a new queue file with all that can be read into the place of a damaged one.

    Raises FrontierError, also where a crawl is running on the queue.
    """
    path = folder / FILE_NAME
    if not path.exists():
        raise FrontierError(f"{folder} holds no queue ({FILE_NAME}): name the JOBDIR of a crawl with this scheduler")
    with locked(path):
        try:
            if _is_sound(path):
                return Salvaged(sound=True)
            return _salvage(path)
        except (sqlite3.Error, OSError) as error:
            raise explained(error, path) from error


def _is_sound(path: Path) -> bool:
    # Read only: SQLite would delete a log that it cannot use.
    mode = "mode=ro" if path.with_name(f"{path.name}-wal").exists() else "immutable=1"
    with closing(connect(path, mode)) as db:
        try:
            return has_schema(db, path)
        except sqlite3.OperationalError:  # it is locked, say: that is no damage
            raise
        except sqlite3.DatabaseError:
            return False


def _salvage(path: Path) -> Salvaged:
    new = path.with_name(f"{path.name}.new")
    for name in _with_logs(new):
        name.unlink(missing_ok=True)
    with closing(open_file(new)) as db, Pages(path) as pages:
        with db:
            db.execute("BEGIN IMMEDIATE")
            found = _copy(db, pages)
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    if not found.requests + found.visited + found.set_aside:
        new.unlink()
        return found
    kept = path.with_name(f"{path.name}.damaged")
    number = 1
    while kept.exists():
        number += 1
        kept = path.with_name(f"{path.name}.damaged-{number}")
    # The log first: beside the new file it would be taken for its own.
    for old, its_new_name in reversed([*zip(_with_logs(path), _with_logs(kept), strict=True)]):
        if old != path:
            with suppress(FileNotFoundError):
                old.rename(its_new_name)
    try:
        os.link(path, kept)
    except OSError:  # a file system without links
        path.rename(kept)
    new.replace(path)
    found.kept = kept
    return found


def _with_logs(path: Path) -> list[Path]:
    return [path, *(path.with_name(f"{path.name}-{suffix}") for suffix in ("wal", "shm"))]


def _copy(db: sqlite3.Connection, pages: Pages) -> Salvaged:
    db.execute("CREATE TEMP TABLE indexed (id INTEGER PRIMARY KEY)")
    roots = pages.roots()
    for table in _COPIED:
        _insert(db, table, pages.walk(table, roots[table]))
    # As long as these are known all, what is not among them has not been sent.
    popped_known = pages.header_is_whole and not pages.lost["popped"]
    _insert_requests(db, pages.walk("requests", roots["requests"]), may_have_been_sent=not popped_known)
    _insert_indexed(db, pages.walk("requests_by_rank", roots["requests_by_rank"]))
    pages_lost = sum(pages.lost.values()) + (not pages.header_is_whole)
    if pages_lost:
        for table in _COPIED[1:]:
            _insert(db, table, pages.orphans(table))
        _insert_requests(db, pages.orphans("requests"), may_have_been_sent=True)
        _insert_indexed(db, pages.orphans("requests_by_rank"))
    db.execute("DELETE FROM requests WHERE id IN (SELECT id FROM set_aside)")
    db.execute("DELETE FROM popped WHERE id NOT IN (SELECT id FROM requests)")
    known = "(SELECT id FROM requests UNION SELECT id FROM set_aside)"
    return Salvaged(
        requests=_count(db, "requests"),
        visited=_count(db, "visited"),
        set_aside=_count(db, "set_aside"),
        lost=_count(db, f"indexed WHERE id NOT IN {known}"),
        pages=pages.count,
        pages_lost=pages_lost,
    )


def _count(db: sqlite3.Connection, rows: str) -> int:
    count: int = db.execute(f"SELECT count(*) FROM {rows}").fetchone()[0]
    return count


def _insert(db: sqlite3.Connection, table: str, records: Iterable[Record]) -> None:
    """What is there already stays."""
    db.executemany(f"INSERT OR IGNORE INTO {table} VALUES ({','.join('?' * len(SHAPES[table]))})", records)


def _insert_indexed(db: sqlite3.Connection, records: Iterable[Record]) -> None:
    db.executemany("INSERT OR IGNORE INTO indexed VALUES (?)", (record[-1:] for record in records))


def _insert_requests(db: sqlite3.Connection, records: Iterable[Record], *, may_have_been_sent: bool) -> None:
    """Those that can be read. What has no lane any more gets that of its origin."""
    lanes: dict[int, str] = dict(db.execute("SELECT id, name FROM lanes"))
    numbers = {name: number for number, name in lanes.items()}
    for number, lane, *rank_and_pops, request in records:
        asked = read_asked(request)
        if not asked.url:
            continue
        if may_have_been_sent and asked.method not in IDEMPOTENT:
            _insert(db, "set_aside", [(number, asked.url, asked.method, _MAY_HAVE_BEEN_SENT, request)])
            continue
        if lane not in lanes:
            name = _lane_name(asked.url)
            if name not in numbers:
                numbers[name] = 1 + max(numbers.values(), default=0)
                _insert(db, "lanes", [(numbers[name], name)])
            lane = numbers[name]  # noqa: PLW2901
        _insert(db, "requests", [(number, lane, *rank_and_pops, request)])


def _lane_name(url: str) -> str:
    try:
        return str(Origin.from_url(url))
    except ValueError:
        return url.partition(":")[0] + ":"
