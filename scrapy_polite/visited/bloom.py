"""A Bloom filter for a hundred million URLs: grows, stays below a stated share of errors, may live in a file.

Blocks of 8 KiB (Putze, Sanders, Singler, "Cache-, Hash- and Space-Efficient Bloom Filters", WEA 2007): all bits of an
item lie in one block, so that an item costs a page of memory and of disk or two, not one for each bit. Layers (Almeida
et al., "Scalable Bloom Filters", IPL 101, 2007): a full one is followed by one twice as large, with a smaller share of
the errors.

The file is mapped into memory: nothing is read or written when a crawl starts and ends, a killed process loses nothing,
a power cut what the system had not written yet. Nobody may add what is not safely kept elsewhere: see `add`.
"""

from __future__ import annotations

import errno
import math
import mmap
import os
import struct
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

MIN_ERROR_RATE, MAX_ERROR_RATE = 1e-6, 0.1

_FIRST_ITEMS = 4_000_000
_BLOCK_BITS = 1 << 16
_BLOCK_BYTES = _BLOCK_BITS // 8
# Blocks fill unevenly: so much room more keeps the errors below what they would be if they did not.
_UNEVEN = 1.04
# A multiple of every system's unit of mapping: 64 KiB on Windows.
_UNIT = 1 << 16
_HEADER_BYTES = _UNIT
_HEADER = struct.Struct("<8sd")
_COUNT = struct.Struct("<Q")
_COUNTS_AT = 64
_MAGIC = b"PltBlm\x00\x01"
#: What a digest of 64 bytes says of an item: its block, and its bits in it.
_PLACES = struct.Struct("<Q28H")
_MAX_PROBES = 28
_MASKS = tuple(1 << bit for bit in range(8))

_NOT_OURS = "it is not a filter of this version of scrapy-polite; delete it, or start again with another JOBDIR"


class BloomError(Exception):
    """The filter's file cannot be used. The message names it, what is wrong and what to do."""


class _Layer(NamedTuple):
    bits: mmap.mmap
    blocks: int
    probes: int


class _Size(NamedTuple):
    """Of one layer: the items it is made for, its blocks, and the bits set for an item."""

    items: int
    blocks: int
    probes: int


def _layer_size(number: int, error_rate: float) -> _Size:
    items = _FIRST_ITEMS << number
    # 1/2 + 1/6 + 1/12 + ... = 1: as many layers as may come, together they keep to the rate.
    share = error_rate / ((number + 1) * (number + 2))
    bits = math.ceil(items * -math.log2(share) / math.log(2) * _UNEVEN)
    unit = _UNIT * 8
    return _Size(items, -(-bits // unit) * unit // _BLOCK_BITS, min(_MAX_PROBES, round(-math.log2(share))))


class BloomFilter:
    """Knows all that was added; of what was not, takes a share of `error_rate` at most for known.

    With a path its bits are in that file, which is made where there is none. One process and one thread may add.
    """

    def __init__(self, error_rate: float, path: Path | None = None) -> None:
        """Raises BloomError for a file that is another's, OSError where the system refuses."""
        if not MIN_ERROR_RATE <= error_rate <= MAX_ERROR_RATE:
            raise ValueError(f"error rate {error_rate}: expected {MIN_ERROR_RATE} to {MAX_ERROR_RATE}")
        self.error_rate = error_rate
        self._path = path
        self._layers: list[_Layer] = []
        self._newest_first: tuple[_Layer, ...] = ()
        self._room = 0
        self._file = -1
        if path is None:
            self._header = mmap.mmap(-1, _HEADER_BYTES)
        else:
            self._file = os.open(path, os.O_CREAT | os.O_RDWR | getattr(os, "O_BINARY", 0), 0o600)
            try:
                self._open(path)
            except BaseException:
                self.close()
                raise
        if not self._layers:
            self._add_layer()

    def __len__(self) -> int:
        return sum(self._count(number) for number in range(len(self._layers)))

    @property
    def size_bytes(self) -> int:
        return sum(len(layer.bits) for layer in self._layers)

    def __contains__(self, item: bytes) -> bool:
        return self._has(_PLACES.unpack(blake2b(item).digest()))

    def add(self, item: bytes) -> None:
        """What is added is on its way to the disk. So that a crash loses no request, only what is committed may be.

        Raises OSError where a file cannot grow; never after a `reserve` that covers it.
        """
        self._add(_PLACES.unpack(blake2b(item).digest()))

    def seen_or_add(self, item: bytes) -> bool:
        """Whether it was there before. Raises as `add` does."""
        places = _PLACES.unpack(blake2b(item).digest())
        if self._has(places):
            return True
        self._add(places)
        return False

    def reserve(self, items: int) -> None:
        """Make room for so many, on the disk too. Raises OSError where there is none."""
        while self._room < items:
            self._add_layer()

    def flush(self) -> None:
        """Wait until all is on the disk, and safe from a power cut."""
        if self._file >= 0:
            self._header.flush()
            for layer in self._layers:
                layer.bits.flush()

    def close(self) -> None:
        for layer in self._layers:
            layer.bits.close()
        self._layers = []
        self._newest_first = ()
        if hasattr(self, "_header"):
            self._header.close()
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _has(self, places: tuple[int, ...]) -> bool:
        for bits, blocks, probes in self._newest_first:
            start = places[0] % blocks * _BLOCK_BYTES
            for place in places[1 : probes + 1]:
                if not bits[start + (place >> 3)] & _MASKS[place & 7]:
                    break
            else:
                return True
        return False

    def _add(self, places: tuple[int, ...]) -> None:
        if not self._room:
            self._add_layer()
        bits, blocks, probes = self._newest_first[0]
        start = places[0] % blocks * _BLOCK_BYTES
        for place in places[1 : probes + 1]:
            bits[start + (place >> 3)] |= _MASKS[place & 7]
        self._room -= 1
        newest = len(self._layers) - 1
        _COUNT.pack_into(self._header, _COUNTS_AT + newest * _COUNT.size, self._count(newest) + 1)

    def _count(self, number: int) -> int:
        return int(_COUNT.unpack_from(self._header, _COUNTS_AT + number * _COUNT.size)[0])

    def _open(self, path: Path) -> None:
        size = os.fstat(self._file).st_size
        if size < _HEADER_BYTES and os.read(self._file, _HEADER_BYTES).strip(b"\0"):
            raise BloomError(f"{path}: {_NOT_OURS}")
        if size < _HEADER_BYTES:
            _allocate(self._file, 0, _HEADER_BYTES)
        self._header = mmap.mmap(self._file, _HEADER_BYTES)
        magic, error_rate = _HEADER.unpack_from(self._header)
        if not magic.strip(b"\0"):
            _HEADER.pack_into(self._header, 0, _MAGIC, self.error_rate)
        elif magic != _MAGIC:
            raise BloomError(f"{path}: {_NOT_OURS}")
        elif error_rate != self.error_rate:
            raise BloomError(
                f"{path}: made for an error rate of {error_rate:g}, not {self.error_rate:g}; "
                f"set POLITE_VISITED_ERROR_RATE to {error_rate:g}, or start again with another JOBDIR"
            )
        while self._end < size:
            self._add_layer()

    @property
    def _end(self) -> int:
        return _HEADER_BYTES + self.size_bytes

    def _add_layer(self) -> None:
        number = len(self._layers)
        items, blocks, probes = _layer_size(number, self.error_rate)
        length = blocks * _BLOCK_BYTES
        if self._file < 0:
            bits = mmap.mmap(-1, length)
        else:
            if os.fstat(self._file).st_size < self._end + length:
                _allocate(self._file, self._end, length)
            bits = mmap.mmap(self._file, length, offset=self._end)
            if self._count(number) and hasattr(mmap, "MADV_WILLNEED"):
                bits.madvise(mmap.MADV_WILLNEED)
        self._layers.append(_Layer(bits, blocks, probes))
        self._newest_first = tuple(reversed(self._layers))
        self._room = max(0, items - self._count(number))


def _allocate(file: int, offset: int, length: int) -> None:
    """Let a file grow, with its place on the disk: writing to a hole that the disk has no room for kills the process.

    Raises OSError where there is no room.
    """
    if hasattr(os, "posix_fallocate"):
        try:
            os.posix_fallocate(file, offset, length)
            return
        except OSError as error:
            if error.errno not in {errno.EINVAL, errno.EOPNOTSUPP}:
                raise
    zeros = bytes(_UNIT)
    # From its present end on: what is there already may be in use.
    for at in range(max(offset, os.fstat(file).st_size // _UNIT * _UNIT), offset + length, _UNIT):
        os.lseek(file, at, os.SEEK_SET)
        os.write(file, zeros)
