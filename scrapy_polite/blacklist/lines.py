"""The lines of a list file, whatever it is compressed with: bounded in memory, and in what comes out of it."""

from __future__ import annotations

import codecs
import gzip
import lzma
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

MAX_BYTES = 1 << 30
"""Of a file, decompressed: eight times what five million hosts take."""

MAX_LINE = 8_192
"""Characters. Of a longer line a little more than these comes back, no more of it is kept in memory."""

_BLOCK = 1 << 18
_XZ_MEMORY = 128 << 20  # what `xz -9` needs is 65 MiB
_GZIP, _XZ = b"\x1f\x8b", b"\xfd7zXZ\x00"
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class ListError(Exception):
    """A list cannot be used. The message names its file, what is wrong with it and, if need be, what to do."""


def text_lines(path: Path, max_bytes: int = MAX_BYTES) -> Iterator[str]:
    """The lines of a UTF-8 file (UTF-16 with a byte order mark), without "\\n"; what is not UTF-8 becomes U+FFFD.

    Raises ListError where the file cannot be read to its end, or is longer than `max_bytes`.
    """
    rest = ""
    for text in _texts(path, max_bytes):
        *lines, rest = (rest + text).split("\n")
        yield from lines
        rest = rest[: MAX_LINE + 1]
    if rest:
        yield rest


def _texts(path: Path, max_bytes: int) -> Iterator[str]:
    decoder = None
    size = 0
    try:
        with path.open("rb") as file:
            for block in _blocks(file):
                size += len(block)
                if size > max_bytes:
                    raise ListError(f"{path}: longer than {max_bytes:,} bytes, decompressed")
                if decoder is None:
                    encoding = "utf-16" if block.startswith(_UTF16) else "utf-8-sig"
                    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
                yield decoder.decode(block)
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ListError(f"{path}: cannot be read: {reason}") from error
    if decoder is not None:
        yield decoder.decode(b"", final=True)


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    start = file.read(len(_XZ))
    file.seek(0)
    if start == _XZ:
        return _xz_blocks(file)
    stream = gzip.GzipFile(fileobj=file) if start.startswith(_GZIP) else file
    return iter(lambda: stream.read(_BLOCK), b"")


def _xz_blocks(file: BinaryIO) -> Iterator[bytes]:
    """As `lzma.open` reads, one stream after another, but with a bound on memory, which a file sets for itself."""
    data = file.read(_BLOCK)
    while data:
        decoder = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY)
        while not decoder.eof:
            block = decoder.decompress(data, _BLOCK)
            if block:
                yield block
            data = b""
            if decoder.needs_input and not decoder.eof:
                data = file.read(_BLOCK)
                if not data:
                    raise EOFError("the compressed data breaks off")
        data = (decoder.unused_data or file.read(_BLOCK)).lstrip(b"\0")
