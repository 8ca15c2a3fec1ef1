"""A list compiled into a file that is mapped into memory: opened at once, shared by all processes that use it.

Its hashes are sorted numbers of 64 bits, 8 bytes an entry; an index of their first bits leaves some forty to search.
Sorting five million would hold an event loop for seconds, in a thread too, so compiling is for another process:
`compile_list` takes nothing but strings, and `python -m scrapy_polite.blacklist.compiled` calls it. A short list is
read into sets and tuples as its file is opened.
"""

from __future__ import annotations

import argparse
import json
import mmap
import os
import struct
import sys
import tempfile
import zlib
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from hashlib import blake2b
from io import BytesIO
from ipaddress import ip_network
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from scrapy_polite.blacklist.entries import Entry, Kind
from scrapy_polite.blacklist.lines import ListError
from scrapy_polite.blacklist.reader import Fault, Faults, ListReader
from scrapy_polite.blacklist.regexes import NoRegexEngine, RegexSet
from scrapy_polite.blacklist.table import ADDRESS_BYTES, URL_END, Table, packed

VERSION = 4
"""Of the file, and of how entries are spelled: a file of another version is compiled anew."""

SMALL = 10_000
"""Hashes. Fewer are kept in a set."""

FEW = 500
"""Prefixes, networks. Fewer are kept in tuples, which take longer to make than a set of numbers."""

MAX_REGEXES = 10_000

#: What waits for a list is a crawl that has work to do.
_NICE = 5
_MAGIC = b"PltLst\r\n"
_ORDER = 0x0102
#: Magic, byte order, version, sections; then the file's length, the checksum of what follows the header, and where each
#: section begins and ends; the header's own checksum.
_START = struct.Struct("=8sHHI")
_SECTIONS = 11
_BOUNDS = struct.Struct(f"={2 + 2 * _SECTIONS}Q")
_CHECKSUM = struct.Struct("=Q")
_HEADER_BYTES = _START.size + _BOUNDS.size + _CHECKSUM.size
#: About so many bits of a count are left to search within one entry of the index.
_SEARCHED_BITS = 6


@dataclass(frozen=True, slots=True)
class CompiledList:
    """What a file names and what it excepts, and what could not be taken of it."""

    named: Table
    excepted: Table
    format: str
    malformed: Faults
    unsupported: Faults

    def __len__(self) -> int:
        return sum(self.named.counts.values()) + sum(self.excepted.counts.values())


# Compiling


def compile_list(path: str, format_name: str | None, target: str) -> None:
    """Compile the list at `path` into the file `target`, which appears whole or not at all.

    Raises ListError where the list cannot be used, OSError where the target cannot be written.
    """
    folder, name = os.path.split(os.path.abspath(target))
    descriptor, temporary = tempfile.mkstemp(prefix=f".{name}.", dir=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            _write(file, ListReader(Path(path), format_name))
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def read_list(path: Path, format_name: str | None = None) -> CompiledList:
    """The same in memory, for short lists and those who can wait. Raises ListError."""
    file = BytesIO()
    _write(file, ListReader(path, format_name))
    return _read(memoryview(file.getbuffer()).toreadonly(), str(path))


class _Gathered:
    """The entries of one table while a list is read: the hashes by their first octet, unsorted."""

    def __init__(self) -> None:
        self.buckets = [bytearray() for _ in range(256)]
        self.prefixes: set[bytes] = set()
        self.networks: set[tuple[bytes, bytes]] = set()
        self.regexes: dict[str, None] = {}
        self.top_level = False
        self.counts: Counter[Kind] = Counter()

    def add(self, entry: Entry) -> None:
        kind, text, _ = entry
        self.counts[kind] += 1
        if kind is Kind.HOST:
            self._add_hash(text)
            if "." not in text:
                self.top_level = True
        elif kind is Kind.EXACT_HOST:
            self._add_hash(f"={text}")
        elif kind is Kind.RANGE:
            network = ip_network(text)
            self.networks.add((packed(network[0]), packed(network[-1])))
        elif kind is Kind.REGEX:
            self.regexes[text] = None
        elif kind is Kind.PREFIX:
            self.prefixes.add(text.encode())
        elif text.startswith("."):
            self.prefixes.add(text.encode() + URL_END)
        else:
            self._add_hash(text)

    def _add_hash(self, text: str) -> None:
        digest = blake2b(text.encode(), digest_size=8).digest()
        self.buckets[digest[0]] += digest

    def sorted_hashes(self) -> array[int]:
        """Once: what was gathered is given away on the way, so that memory holds it only once."""
        hashes = array("Q")
        for number, octets in enumerate(self.buckets):
            some = array("Q", bytes(octets))
            if sys.byteorder == "little":
                some.byteswap()
            hashes.extend(sorted(set(some)))
            self.buckets[number] = bytearray()
        return hashes

    def sorted_prefixes(self) -> list[bytes]:
        kept: list[bytes] = []
        for one in sorted(self.prefixes):
            if not (kept and one.startswith(kept[-1])):
                kept.append(one)
        return kept

    def sorted_networks(self) -> list[tuple[bytes, bytes]]:
        kept: list[tuple[bytes, bytes]] = []
        # Of those that begin alike the widest first. Networks nest, and never overlap otherwise.
        for first, last in sorted(self.networks, key=lambda one: (one[0], -int.from_bytes(one[1], "big"))):
            if not (kept and last <= kept[-1][1]):
                kept.append((first, last))
        return kept

    def meta(self) -> dict[str, Any]:
        return {
            "top_level": self.top_level,
            "subdomains": any(one.startswith(b".") for one in self.prefixes),
            "counts": {kind.name: count for kind, count in self.counts.items()},
            "regexes": list(self.regexes),
        }


class _Content:
    """What follows the header of a file that is being written, with its checksum."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.checksum = 0
        file.write(bytes(_HEADER_BYTES))

    def section(self, data: bytes | memoryview) -> tuple[int, int]:
        """Append it, and return where it begins and ends."""
        self._append(bytes(-self._file.tell() % 8))
        start = self._file.tell()
        self._append(data)
        return start, self._file.tell()

    def _append(self, data: bytes | memoryview) -> None:
        self.checksum = zlib.crc32(data, self.checksum)
        self._file.write(data)


def _write(file: BinaryIO, reader: ListReader) -> None:
    gathered = (_Gathered(), _Gathered())
    for line, entry in reader:
        table = gathered[entry.exception]
        table.add(entry)
        if entry.kind is Kind.REGEX and len(table.regexes) > MAX_REGEXES:
            raise ListError(f"{reader.path}, line {line}: more than {MAX_REGEXES:,} regular expressions")
    meta = {
        "format": reader.format,
        "malformed": asdict(reader.malformed),
        "unsupported": asdict(reader.unsupported),
        "tables": [table.meta() for table in gathered],
    }
    content = _Content(file)
    bounds = [content.section(json.dumps(meta).encode())]
    for table in gathered:
        hashes = table.sorted_hashes()
        bounds += [content.section(_index(hashes).tobytes()), content.section(memoryview(hashes))]
        prefixes = table.sorted_prefixes()
        ends = array("Q", [0])
        for one in prefixes:
            ends.append(ends[-1] + len(one))
        bounds += [content.section(ends.tobytes()), content.section(b"".join(prefixes))]
        bounds.append(content.section(b"".join(first + last for first, last in table.sorted_networks())))
    length = file.tell()
    file.seek(0)
    header = _START.pack(_MAGIC, _ORDER, VERSION, _SECTIONS)
    header += _BOUNDS.pack(length, content.checksum, *chain.from_iterable(bounds))
    file.write(header + _CHECKSUM.pack(zlib.crc32(header)))


def _index(hashes: Sequence[int]) -> array[int]:
    """Where the hashes with each value of the first bits begin, and where the last ones end."""
    bits = _index_bits(len(hashes))
    starts = (bisect_left(hashes, first << (64 - bits)) for first in range(1 << bits))
    return array("Q", [*starts, len(hashes)])


def _index_bits(count: int) -> int:
    return max(0, count.bit_length() - _SEARCHED_BITS)


# Opening


def open_list(path: Path, *, checked: bool = False) -> CompiledList:
    """A compiled list. Raises ListError, which says what is wrong with the file, OSError where there is none.

    The file is mapped as long as the list is in use; it may be replaced or deleted meanwhile, but not written to. With
    `checked` it is read once in whole (5 ms for a million hosts): a damaged list would let through what it names.
    """
    with path.open("rb") as file:
        if not os.fstat(file.fileno()).st_size:
            raise ListError(f"{path}: {_DAMAGED}: it is empty")
        data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        return _read(data, str(path), checked=checked)


_DAMAGED = "no compiled list that could be used; delete it, and it will be made again"


def _read(data: memoryview, name: str, *, checked: bool = False) -> CompiledList:
    try:
        return _list(data, checked=checked)
    except (ValueError, KeyError, TypeError, struct.error) as error:
        raise ListError(f"{name}: {_DAMAGED}: {error}") from None
    except NoRegexEngine as error:
        raise ListError(f"{name}: {error}") from None


def _list(data: memoryview, *, checked: bool) -> CompiledList:
    sections = [data[start:end] for start, end in _bounds(data, checked=checked)]
    meta = json.loads(bytes(sections[0]))
    named, excepted = (_table(sections[at : at + 5], said) for at, said in zip((1, 6), meta["tables"], strict=True))
    return CompiledList(named, excepted, meta["format"], _faults(meta["malformed"]), _faults(meta["unsupported"]))


def _bounds(data: memoryview, *, checked: bool) -> Iterable[tuple[int, int]]:
    if len(data) < _HEADER_BYTES:
        raise ValueError("it is too short")
    magic, order, version, sections = _START.unpack_from(data)
    if magic != _MAGIC:
        raise ValueError("it is another kind of file")
    if (order, version, sections) != (_ORDER, VERSION, _SECTIONS):
        raise ValueError("it was made by another version, or on another kind of machine")
    before_checksum = _START.size + _BOUNDS.size
    if _CHECKSUM.unpack_from(data, before_checksum)[0] != zlib.crc32(data[:before_checksum]):
        raise ValueError("its header is damaged")
    length, checksum, *bounds = _BOUNDS.unpack_from(data, _START.size)
    if length != len(data):
        raise ValueError(f"it has {len(data):,} bytes, and was written with {length:,}")
    if checked and zlib.crc32(data[_HEADER_BYTES:]) != checksum:
        raise ValueError("its content is damaged")
    return zip(bounds[::2], bounds[1::2], strict=True)


def _faults(meta: dict[str, Any]) -> Faults:
    return Faults(meta["count"], [Fault(**one) for one in meta["first"]])


def _table(sections: Sequence[memoryview], meta: dict[str, Any]) -> Table:
    index, hashes, ends, prefixes, networks = sections
    numbers = hashes.cast("Q")
    texts = _Texts(ends.cast("Q"), prefixes)
    firsts, lasts = _Addresses(networks, 0), _Addresses(networks, ADDRESS_BYTES)
    few = len(firsts) < FEW
    return Table(
        hashes=frozenset(numbers) if len(numbers) < SMALL else _Hashes(index.cast("Q"), numbers),
        prefixes=tuple(texts) if len(texts) < FEW else texts,
        firsts=tuple(firsts) if few else firsts,
        lasts=tuple(lasts) if few else lasts,
        regexes=RegexSet(meta["regexes"]),
        top_level=meta["top_level"],
        subdomains=meta["subdomains"],
        counts={Kind[name]: count for name, count in meta["counts"].items()},
    )


class _Hashes:
    """Sorted numbers of 64 bits, found through the index."""

    __slots__ = ("_hashes", "_index", "_shift")

    def __init__(self, index: memoryview, hashes: memoryview) -> None:
        bits = _index_bits(len(hashes))
        if len(index) != (1 << bits) + 1 or index[-1] != len(hashes):
            raise ValueError("its index is not that of its hashes")
        self._shift = 64 - bits
        self._index = index
        self._hashes = hashes

    def __contains__(self, item: Any) -> bool:
        at = item >> self._shift
        end = self._index[at + 1]
        found = bisect_left(self._hashes, item, self._index[at], end)
        return bool(found < end and self._hashes[found] == item)


class _Texts(Sequence[bytes]):
    """One after another; `ends` has the end of each, after a 0."""

    __slots__ = ("_ends", "_octets")

    def __init__(self, ends: memoryview, octets: memoryview) -> None:
        if not len(ends) or ends[-1] != len(octets):
            raise ValueError("its prefixes do not end where they should")
        self._ends = ends
        self._octets = octets

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, at: Any) -> Any:
        if not 0 <= at < len(self):
            raise IndexError(at)
        return bytes(self._octets[self._ends[at] : self._ends[at + 1]])


class _Addresses(Sequence[bytes]):
    """The first or the last addresses of networks that are written one after another."""

    __slots__ = ("_octets", "_offset")

    def __init__(self, octets: memoryview, offset: int) -> None:
        self._octets = octets
        self._offset = offset

    def __len__(self) -> int:
        return len(self._octets) // (2 * ADDRESS_BYTES)

    def __getitem__(self, at: Any) -> Any:
        if not 0 <= at < len(self):
            raise IndexError(at)
        start = at * 2 * ADDRESS_BYTES + self._offset
        return bytes(self._octets[start : start + ADDRESS_BYTES])


def main() -> int:
    parser = argparse.ArgumentParser(description="Compile a list of hosts and URLs.")
    parser.add_argument("list")
    parser.add_argument("target")
    parser.add_argument("--format", help="where it is not to be recognised")
    options = parser.parse_args()
    with suppress(AttributeError, OSError):  # Windows has none
        os.nice(_NICE)
    try:
        compile_list(options.list, options.format, options.target)
    except ListError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        folder = os.path.dirname(options.target)
        print(f"{options.list} cannot be compiled into the folder {folder}: {error.strerror or error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
