"""Requests as they stand on the server: as the codec writes them (`J` and JSON), or the same deflated where that is
shorter, as `Z` and a raw stream (RFC 1951). Its preset dictionary is what most requests have in common, and their lane.
"""

from __future__ import annotations

import zlib

#: What most requests have in common, the likeliest last; before their lane, as most URLs begin with its name. It is of
#: the key schema: what is queued cannot be read with another one. A longer one saves a byte or two, and costs more.
_COMMON = (
    b'"method":"POST","headers":{"$":["Headers",{"Referer":["https://www."]}]},"cb_kwargs":{"index.html","callback":'
    b'"parse_item","meta":{"depth":1}}J{"url":"'
)
#: A window of 4 KB, as little memory as it needs: to pack one takes some 5 µs with these, and 40 with zlib's own.
_LEVEL, _WINDOW, _MEMORY = 6, -12, 4
#: More is never unpacked: a few bytes can stand for any number of them.
_MOST_BYTES = 64 * 2**20


def packed(encoded: bytes, lane: str) -> bytes:
    stream = zlib.compressobj(_LEVEL, zlib.DEFLATED, _WINDOW, _MEMORY, zdict=_dictionary(lane))
    deflated = stream.compress(encoded) + stream.flush()
    return b"Z" + deflated if len(deflated) + 1 < len(encoded) else encoded


def unpacked(body: bytes, lane: str) -> bytes:
    """As the codec has written it. Raises ValueError where `packed` cannot have made it."""
    if body[:1] != b"Z":
        return body
    stream = zlib.decompressobj(_WINDOW, zdict=_dictionary(lane))
    try:
        encoded = stream.decompress(body[1:], _MOST_BYTES)
    except zlib.error as error:
        raise ValueError(str(error)) from error
    if not stream.eof:
        raise ValueError(f"its deflated stream is cut off, or is of more than {_MOST_BYTES:,} bytes")
    return encoded


def _dictionary(lane: str) -> bytes:
    return _COMMON + lane.encode("utf-8", "surrogatepass")
