"""A sitemap's bytes in small pieces, unpacked where they are gzipped. What a gzip bomb comes to is never held."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from itertools import chain

#: Bytes of a sitemap, unpacked (sitemaps.org: 50 MB). More: a bomb takes longer to be left.
MAX_BYTES = 52_428_800
#: Bytes of a piece. More: how long one step takes, which nothing interrupts. Fewer: the steps cost more than the work.
PIECE = 4_096
_GZIP = b"\x1f\x8b"
#: A `.xml.gz` that is sent with `Content-Encoding: gzip` is packed twice.
_MAX_LAYERS = 2


class Unreadable(ValueError):
    """The message says what a sitemap cannot be read for."""


def pieces(body: bytes, max_bytes: int = MAX_BYTES) -> Iterator[bytes]:
    """Yield pieces of at most 4 KiB. Raises Unreadable at the place where that ends, or where it becomes too much."""
    current: Iterator[bytes] = (body[start : start + PIECE] for start in range(0, len(body), PIECE))
    for _ in range(_MAX_LAYERS):
        first = next(current, b"")
        current = chain((first,), current)
        if not first.startswith(_GZIP):
            break
        current = _bounded(_unzipped(current), max_bytes)
    return _bounded(current, max_bytes)


def _bounded(current: Iterator[bytes], max_bytes: int) -> Iterator[bytes]:
    total = 0
    for piece in current:
        total += len(piece)
        if total > max_bytes:
            raise Unreadable(f"larger than {max_bytes:,} bytes")
        yield piece


def _unzipped(packed: Iterator[bytes]) -> Iterator[bytes]:
    unzip = zlib.decompressobj(16 + zlib.MAX_WBITS)
    within = False
    for piece in packed:
        rest = piece
        while rest:
            try:
                out = unzip.decompress(rest, PIECE)
            except zlib.error as error:
                raise Unreadable(f"broken gzip ({error})") from None
            if out:
                yield out
            within = not unzip.eof
            if unzip.eof:
                rest = unzip.unused_data.lstrip(b"\0")  # members may follow each other, and padding the last one
                unzip = zlib.decompressobj(16 + zlib.MAX_WBITS)
            else:
                rest = unzip.unconsumed_tail
    if within:
        raise Unreadable("broken gzip (it ends too soon)")
