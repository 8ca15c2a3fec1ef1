"""A SQLite file read page by page, where SQLite refuses it as a whole.

The format: https://www.sqlite.org/fileformat2.html.

Nothing that is there anyway does this. Python's `sqlite3` has no recovery extension. Rows asked for by ranges of their
numbers, with damaged ranges bisected, come back where the tree above them is whole: of a file of 2,400 requests without
its header or its roots that is none, and here nearly all. The `sqlite3` shell is not installed everywhere, and its
`.recover` needs a virtual table (`sqlite_dbpage`) that Debian's build lacks.
"""

from __future__ import annotations

import mmap
import os
import struct
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from scrapy_polite.frontier.sqlite.schema import new_schema

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import TypeAlias

    from typing_extensions import Self

Record: TypeAlias = "tuple[Any, ...]"

#: The types of a table's columns, with None for the one that is the row's number, or of an index's.
SHAPES: dict[str, tuple[type, ...]] = {
    "lanes": (type(None), str),
    "requests": (type(None), int, int, int, int, bytes),
    "requests_by_rank": (int, int, int, int),
    "popped": (type(None),),
    "visited": (bytes,),
    "set_aside": (type(None), str, str, str, bytes),
}
_MAGIC = b"SQLite format 3\0"
_PAGE_BYTES = 4_096
_INDEX_INNER, _TABLE_INNER, _INDEX_LEAF, _TABLE_LEAF = 2, 5, 10, 13
_INT_BYTES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
_DAMAGE = (LookupError, ValueError, struct.error)


class Pages:
    """The pages of a database and of its log, by number; `lost`: how many could not be read, by table."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.lost = dict.fromkeys(SHAPES, 0)
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
        return self._tree(table, root, SHAPES[table])

    def orphans(self, table: str) -> Iterator[Record]:
        """The records of pages to which nothing leads, and which are not free."""
        known = self._read | self._free()
        leaf = _TABLE_LEAF if SHAPES[table][0] is type(None) else _INDEX_LEAF
        for number in range(2, self.count + 1):
            if number not in known:
                with suppress(*_DAMAGE):
                    page = self._page(number)
                    self._read.discard(number)
                    if page[0] == leaf:
                        yield from filter(None, self._records(page, 0, SHAPES[table]))

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
