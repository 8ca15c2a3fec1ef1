"""Taking in a body while it arrives: decoded as its Content-Encoding says, and no more of it than asked for.

A 50 MB file or a gzip bomb costs `max_bytes`, since every decoder here stops at a limit (RFC 9110 §8.4 names them).
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any, Protocol

#: More frames than this in one body would be an attack: each costs some work, and need not hold a byte.
_MAX_FRAMES = 100
#: RFC 9659 §3: what is sent as zstd needs a window of at most 8 MB. Without a bound a frame may ask for 128.
_ZSTD_WINDOW_LOG = 23


class BrokenBody(Exception):
    """The body is not what its Content-Encoding says, or is in one that cannot be decoded within a bound."""


class BoundedBody:
    """One body, fed in pieces. `broken` says what is wrong with it, if anything is."""

    def __init__(self, max_bytes: int) -> None:
        self.max_bytes = max_bytes
        self.began: float | None = None  # when the headers came (monotonic), for who wants to know
        self.stopped = False  # the transfer was broken off because nothing more is needed
        self.start("")

    def start(self, content_encoding: str, length: int | None = None) -> None:
        """A response begins, perhaps not the first (a middleware of the project may have asked again).

        `length` is what is to be transferred, in bytes, where the response says so.
        """
        self._length = length
        self._enough = False
        self._decoder = _decoder(content_encoding)
        self._parts: list[bytes] = []
        self._size = 0
        self._fed_bytes = 0
        self.truncated = False
        self.broken = ""

    def feed(self, data: bytes) -> bool:
        """Take in a piece; True once nothing more is needed."""
        self._fed_bytes += len(data)
        if self.broken or self.truncated:
            return True
        try:
            # One byte more than wanted tells "exactly so long" from "longer".
            decoded = self._decoder.decode(data, self.max_bytes + 1 - self._size)
        except _BROKEN as error:
            self.broken = str(error)
            return True
        self._parts.append(decoded)
        self._size += len(decoded)
        self.truncated = self._size > self.max_bytes
        if not self.truncated and self._fed_bytes > 2 * self.max_bytes:
            self.broken = "it is longer compressed than it may be plain"  # such as empty blocks without end
        return self.truncated or bool(self.broken)

    def is_to_be_stopped(self) -> bool:
        """Whether to break the transfer off, now that nothing more is needed.

        Not where this was the last piece: the connection would be closed and used again in one step, and the request
        sent on it sent once more. Where no length says so, that is known when one more piece has come.
        """
        if self._length is not None:
            return self._fed_bytes < self._length
        enough, self._enough = self._enough, True
        return enough

    @property
    def fed(self) -> bool:
        return self._fed_bytes > 0

    def end(self) -> None:
        """The transfer is over: compressed data that is not complete by now is broken."""
        if self._fed_bytes and not (self.truncated or self.broken or self._decoder.complete):
            self.broken = "the compressed data breaks off"

    @property
    def body(self) -> bytes:
        """What came in; of a body that is too long the whole lines within `max_bytes` (half a rule is another rule)."""
        taken = b"".join(self._parts)
        return taken[: max(taken.rfind(b"\n"), taken.rfind(b"\r"), 0)] if self.truncated else taken


class _Decoder(Protocol):
    @property
    def complete(self) -> bool: ...

    def decode(self, data: bytes, limit: int) -> bytes:
        """At most `limit` (above 0) bytes; what did not fit is the caller's loss: it wanted no more."""


def _decoder(content_encoding: str) -> _Decoder:
    name = content_encoding.strip().lower()
    make = _DECODERS.get(name)
    return make() if make else _Unknown(name)


class _Identity:
    complete = True

    def decode(self, data: bytes, limit: int) -> bytes:
        return data[:limit]


class _Frames:
    """gzip or zstd: one frame (in gzip: member) after another (RFC 1952 §2.2, RFC 8878 §3.1).

    `magic` is what a further one begins with; anything else is padding.
    """

    def __init__(self, new_frame: Callable[[], Any], magic: bytes) -> None:
        self._new_frame = new_frame
        self._magic = magic
        self._frame = new_frame()
        self._frames = 1

    @property
    def complete(self) -> bool:
        return bool(self._frame.eof)

    def decode(self, data: bytes, limit: int) -> bytes:
        decoded = b""
        while data and len(decoded) < limit:
            if self._frame.eof:
                if not data.startswith(self._magic):
                    break
                self._frames += 1
                if self._frames > _MAX_FRAMES:
                    raise BrokenBody(f"it has more than {_MAX_FRAMES} frames")
                self._frame = self._new_frame()
            decoded += self._frame.decompress(data, limit - len(decoded))
            data = self._frame.unused_data
        return decoded


class _Deflate:
    """zlib's format as RFC 9110 §8.4.1.2 says, or raw deflate as some servers send."""

    def __init__(self) -> None:
        self._head = b""
        self._inflate = zlib.decompressobj(wbits=-zlib.MAX_WBITS)

    @property
    def complete(self) -> bool:
        return self._inflate.eof

    def decode(self, data: bytes, limit: int) -> bytes:
        if len(self._head) < 2:
            self._head = data = self._head + data
            if len(data) < 2:
                return b""
            if data[0] & 0x0F == 8 and (data[0] << 8 | data[1]) % 31 == 0:  # RFC 1950 §2.2
                self._inflate = zlib.decompressobj()
        return self._inflate.decompress(data, limit)


class _Brotli:
    """RFC 7932, with the library that Scrapy 2.17 and later brings."""

    def __init__(self) -> None:
        self._process = _brotli.Decompressor()

    @property
    def complete(self) -> bool:
        return bool(self._process.is_finished())

    def decode(self, data: bytes, limit: int) -> bytes:
        return self._process.process(data, output_buffer_limit=limit)[:limit]  # type: ignore[no-any-return]


class _Unknown:
    complete = False

    def __init__(self, name: str) -> None:
        self._name = name

    def decode(self, data: bytes, limit: int) -> bytes:
        raise BrokenBody(f"it came in Content-Encoding {self._name[:50]!r}, though only identity was asked for")


def _first_of(*names: str) -> Any:
    """The first of these modules that is installed, or None."""
    for name in names:
        with suppress(ImportError):
            return import_module(name)
    return None


_brotli = _first_of("brotli", "brotlicffi")
_zstd = _first_of("compression.zstd", "backports.zstd")
if not hasattr(getattr(_brotli, "Decompressor", None), "can_accept_more_data"):
    _brotli = None  # before 1.2 there was no bound to what a little of it could become


def _new_gzip() -> _Decoder:
    return _Frames(partial(zlib.decompressobj, wbits=31), magic=b"\x1f")


def _new_zstd() -> _Decoder:
    options = {_zstd.DecompressionParameter.window_log_max: _ZSTD_WINDOW_LOG}
    return _Frames(partial(_zstd.ZstdDecompressor, options=options), magic=b"")


_DECODERS: dict[str, Callable[[], _Decoder]] = {
    "": _Identity,
    "identity": _Identity,
    "gzip": _new_gzip,
    "x-gzip": _new_gzip,
    "deflate": _Deflate,
}
if _brotli:
    _DECODERS["br"] = _Brotli
if _zstd:
    _DECODERS["zstd"] = _new_zstd
#: What the decoders raise for data that is not what it should be.
_BROKEN: tuple[type[Exception], ...] = (
    BrokenBody,
    zlib.error,
    *((_brotli.error,) if _brotli else ()),
    *((_zstd.ZstdError,) if _zstd else ()),
)
