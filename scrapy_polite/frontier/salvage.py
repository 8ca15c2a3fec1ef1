"""Saving what can be read of a damaged queue file: its pages are read here, where SQLite refuses the file as a whole.

The format: https://www.sqlite.org/fileformat2.html. First each table is read from its root, so that nothing comes back
that was deleted. If pages are missing then, those that no root leads to any more are read too.
"""

from __future__ import annotations

import mmap
import os
import sqlite3
import struct
from collections import deque
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scrapy_polite.origin import Origin

from .base import IDEMPOTENT, FrontierError
from .queued import connect
from .removal import read_asked
from .sqlite import FILE_NAME, explained, has_schema, locked, new_schema, open_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from typing import TypeAlias

    from typing_extensions import Self

Record: TypeAlias = "tuple[Any, ...]"

_MAGIC = b"SQLite format 3\0"
_PAGE_BYTES = 4_096
_INDEX_INNER, _TABLE_INNER, _INDEX_LEAF, _TABLE_LEAF = 2, 5, 10, 13
_INT_BYTES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
_DAMAGE = (LookupError, ValueError, struct.error)
#: The types of a table's columns, with None for the one that is the row's number, or of an index's.
_SHAPES: dict[str, tuple[type, ...]] = {
    "lanes": (type(None), str),
    "requests": (type(None), int, int, int, int, bytes),
    "requests_by_rank": (int, int, int, int),
    "popped": (type(None),),
    "visited": (bytes,),
    "set_aside": (type(None), str, str, str, bytes),
}
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
    with closing(open_file(new)) as db, _Pages(path) as pages:
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


def _copy(db: sqlite3.Connection, pages: _Pages) -> Salvaged:
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
    db.executemany(f"INSERT OR IGNORE INTO {table} VALUES ({','.join('?' * len(_SHAPES[table]))})", records)


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


class _Pages:
    """The pages of a database and of its log, by number; `lost`: how many could not be read, by table."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.lost = dict.fromkeys(_SHAPES, 0)
        self._read: set[int] = set()

    def __enter__(self) -> Self:
        self._file = self._path.open("rb")
        size = os.fstat(self._file.fileno()).st_size
        self._data: mmap.mmap | bytes = mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""
        self.header_is_whole = self._data[:16] == _MAGIC
        self._bytes = self._page_bytes()
        self._logged = self._of_log()
        self.count = max(-(-size // self._bytes), *self._logged, 0) if self._logged else -(-size // self._bytes)
        return self

    def __exit__(self, *exc: object) -> None:
        if isinstance(self._data, mmap.mmap):
            self._data.close()
        self._file.close()

    def _page_bytes(self) -> int:
        size = int.from_bytes(self._data[16:18], "big")
        size = 65_536 if size == 1 else size
        if not self.header_is_whole or size < 512 or size & (size - 1):
            self.header_is_whole = False
            return _PAGE_BYTES
        return size

    def _of_log(self) -> dict[int, bytes]:
        """The pages that are committed in the write-ahead log; of a page that is there twice the later."""
        log = self._path.with_name(f"{self._path.name}-wal")
        data = log.read_bytes() if log.exists() else b""
        pages: dict[int, bytes] = {}
        pending: dict[int, bytes] = {}
        step = 24 + self._bytes
        for at in range(32, len(data) - step + 1, step):
            number, committed = struct.unpack_from(">II", data, at)
            if data[at + 8 : at + 16] != data[16:24]:  # of an earlier round
                break
            pending[number] = data[at + 24 : at + step]
            if committed:
                pages |= pending
                pending = {}
        return pages

    def _page(self, number: int) -> bytes:
        page = self._logged.get(number) or self._data[(number - 1) * self._bytes : number * self._bytes]
        if number < 1 or len(page) < self._bytes:
            raise LookupError(f"there is no page {number}")
        self._read.add(number)
        return page

    def roots(self) -> dict[str, int]:
        """The tables' and the index's first pages: as the file says, else as in every new file."""
        roots = new_schema()
        for _, name, _, root, _ in self._tree("sqlite_master", 1, (str, str, str, int, str)):
            if name in roots:
                roots[name] = root
        if self.lost.pop("sqlite_master", 0):
            self.header_is_whole = False
        return roots

    def walk(self, table: str, root: int) -> Iterator[Record]:
        return self._tree(table, root, _SHAPES[table])

    def orphans(self, table: str) -> Iterator[Record]:
        """The records of pages to which nothing leads, and which are not free."""
        known = self._read | self._free()
        leaf = _TABLE_LEAF if _SHAPES[table][0] is type(None) else _INDEX_LEAF
        for number in range(2, self.count + 1):
            if number not in known:
                with suppress(*_DAMAGE):
                    page = self._page(number)
                    self._read.discard(number)
                    if page[0] == leaf:
                        yield from filter(None, self._records(page, 0, _SHAPES[table]))

    def _free(self) -> set[int]:
        free: set[int] = set()
        if self.header_is_whole:
            with suppress(*_DAMAGE):
                trunk: int = struct.unpack_from(">I", self._page(1), 32)[0]
                while trunk and trunk not in free:
                    free.add(trunk)
                    page = self._page(trunk)
                    trunk, count = struct.unpack_from(">II", page)
                    free.update(struct.unpack_from(f">{count}I", page, 8))
        return free

    def _tree(self, table: str, root: int, shape: tuple[type, ...]) -> Iterator[Record]:
        to_read, seen = deque([root]), {root}
        while to_read:
            number = to_read.popleft()
            try:
                page = self._page(number)
                start = 100 if number == 1 else 0
                kind = page[start]
                if kind not in {_INDEX_INNER, _TABLE_INNER, _INDEX_LEAF, _TABLE_LEAF}:
                    raise ValueError(f"no kind of page: {kind}")
                children = self._children(page, start)
            except _DAMAGE:
                self._read.discard(number)
                self.lost[table] = self.lost.get(table, 0) + 1
                continue
            to_read.extend(child for child in children if child not in seen)
            seen.update(children)
            if kind != _TABLE_INNER:
                records = [*self._records(page, start, shape)]
                self.lost[table] = self.lost.get(table, 0) + (None in records)
                yield from filter(None, records)

    @staticmethod
    def _cells(page: bytes, start: int) -> tuple[int, ...]:
        count = struct.unpack_from(">H", page, start + 3)[0]
        inner = page[start] in {_INDEX_INNER, _TABLE_INNER}
        cells: tuple[int, ...] = struct.unpack_from(f">{count}H", page, start + (12 if inner else 8))
        return cells

    def _children(self, page: bytes, start: int) -> list[int]:
        if page[start] not in {_INDEX_INNER, _TABLE_INNER}:
            return []
        cells = [struct.unpack_from(">I", page, cell)[0] for cell in self._cells(page, start)]
        return [*cells, struct.unpack_from(">I", page, start + 8)[0]]

    def _records(self, page: bytes, start: int, shape: tuple[type, ...]) -> Iterator[Record | None]:
        """The records of one page; None for what cannot be read, or is not of this shape."""
        try:
            cells = self._cells(page, start)
        except _DAMAGE:
            yield None
            return
        for cell in cells:
            record = None
            with suppress(*_DAMAGE):
                read = self._record(page, page[start], cell)
                if tuple(map(type, read)) == shape:
                    record = (self._row_number(page, cell), *read[1:]) if shape[0] is type(None) else read
            yield record

    @staticmethod
    def _row_number(page: bytes, cell: int) -> int:
        _, at = _varint(page, cell)
        return _varint(page, at)[0]

    def _record(self, page: bytes, kind: int, cell: int) -> Record:
        length, at = _varint(page, cell + (4 if kind == _INDEX_INNER else 0))
        if kind == _TABLE_LEAF:
            _, at = _varint(page, at)
        most = self._bytes - 35 if kind == _TABLE_LEAF else (self._bytes - 12) * 64 // 255 - 23
        here = length
        if length > most:
            least = (self._bytes - 12) * 32 // 255 - 23
            here = least + (length - least) % (self._bytes - 4)
            here = here if here <= most else least
        payload = page[at : at + here]
        following = struct.unpack_from(">I", page, at + here)[0] if here < length else 0
        seen: set[int] = set()
        while len(payload) < length:
            if following in seen:
                raise ValueError("a chain of pages without an end")
            seen.add(following)
            overflow = self._page(following)
            payload += overflow[4 : 4 + length - len(payload)]
            following = struct.unpack_from(">I", overflow)[0]
        return _values(payload)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for _ in range(8):
        octet = data[at]
        at += 1
        value = value << 7 | octet & 0x7F
        if octet < 0x80:
            return value, at
    value = value << 8 | data[at]
    return value - (1 << 64) if value >> 63 else value, at + 1


def _values(payload: bytes) -> Record:
    end, at = _varint(payload, 0)
    kinds = []
    while at < end:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    values: list[Any] = []
    for kind in kinds:
        size = _INT_BYTES.get(kind, (kind - 12) // 2 if kind >= 12 else 0)
        data = payload[at : at + size]
        if len(data) < size or kind in {7, 10, 11}:  # no column holds a float
            raise ValueError("no record of a queue")
        at += size
        if kind >= 12:
            values.append(data.decode() if kind % 2 else data)
        else:
            values.append({0: None, 8: 0, 9: 1}.get(kind, int.from_bytes(data, "big", signed=True)))
    return tuple(values)
