"""Compressed lines on disk: a gzip stream (RFC 1952) that is whole up to its last flush, whatever ends the process.

`zcat` reads such a file; of one that was not closed it says so at the end.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_GZIP = 31
"""zlib's window of 32 KiB with gzip's head and tail around it."""
_LEVEL = 6
_READ_BYTES = 256 * 1024
#: A line that is longer was written by nobody: what is read of it is dropped.
_MAX_LINE_BYTES = 8 * 1024 * 1024


class LineFile:
    """A new file of compressed lines. Blocks: for a thread of its own. Raises OSError."""

    def __init__(self, path: Path) -> None:
        self._descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o600)
        self._pack = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
        self.size_bytes = 0

    def write(self, lines: list[str]) -> None:
        """Add lines: when this returns they outlive the process, and the machine."""
        packed = self._pack.compress("".join(f"{line}\n" for line in lines).encode("ascii", "backslashreplace"))
        self._put(packed + self._pack.flush(zlib.Z_SYNC_FLUSH))
        os.fsync(self._descriptor)

    def close(self) -> None:
        try:
            self._put(self._pack.flush(zlib.Z_FINISH))
            os.fsync(self._descriptor)
        finally:
            self.abandon()

    def abandon(self) -> None:
        """Let the file be as it is. May be called again."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            with suppress(OSError):
                os.close(descriptor)

    def _put(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._descriptor, view) :]
        self.size_bytes += len(data)


def read_lines(path: Path) -> Iterator[bytes]:
    """The whole lines of a file, of one that is being written or was torn too. Raises OSError where there is none."""
    unpack, rest = zlib.decompressobj(_GZIP), b""
    with path.open("rb") as file:
        while data := file.read(_READ_BYTES):
            while data:
                try:
                    text = unpack.decompress(data, _MAX_LINE_BYTES)
                except zlib.error:
                    return
                data = unpack.unconsumed_tail
                *lines, rest = (rest + text).split(b"\n")
                yield from lines
                if len(rest) > _MAX_LINE_BYTES:
                    return
    yield from (rest + unpack.flush()).split(b"\n")[:-1]
