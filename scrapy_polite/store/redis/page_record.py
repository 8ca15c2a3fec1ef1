"""A page's record as a server keeps it: its numbers packed, its digest, a text a line; some 180 bytes.

`page_keep.lua` finds the first of the texts, the host, behind 48 bytes and the digest.
"""

from __future__ import annotations

import struct
import zlib
from email.utils import formatdate, parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from scrapy_polite.store.pages import Due, PageRecord

from .values import GarbledValue, decompressed, encoded, integer, text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: Flags, status, how often it was answered with 304, and five numbers in the order of `PageRecord`.
_NUMBERS = struct.Struct(">BHIddddd")
#: Bytes of the numbers.
NUMBERS = _NUMBERS.size
_PROBE, _LINKS, _BODY, _LINKED = 1, 2, 4, 8
#: The URL stands there without its host, which is to be put in behind the first two slashes.
_HOSTLESS = 16
#: Last-Modified stands there as epoch seconds.
_DATED = 32
#: Longer validators are not kept.
_MAX_VALIDATOR = 200
#: More than a page's body, or its links, may come to: a fault, or a trap.
_MAX_BESIDE = 100_000_000


def record(page: PageRecord, *, linked: bool) -> bytes:
    """`linked`: whether there are links, which stand beside it."""
    etag, modified = (said if len(said) <= _MAX_VALIDATOR else "" for said in (page.etag, page.last_modified))
    said = [text(encoded(one)).replace("\n", "%0A") for one in (page.host, page.url, etag, modified)]
    before, slashes, rest = said[1].partition("//")
    hostless = bool(slashes) and rest.startswith(said[0])
    if hostless:
        said[1] = before + slashes + rest.removeprefix(said[0])
    if dated := (date := _seconds(modified)) is not None:
        said[3] = str(date)
    flags = page.probe * _PROBE | page.links * _LINKS | page.body * _BODY | linked * _LINKED
    flags |= hostless * _HOSTLESS | dated * _DATED
    times = page.seen_at, page.whole_at, page.interval_s, page.changes, page.watched_s
    numbers = _NUMBERS.pack(flags, page.status, min(page.not_modified, 0xFFFFFFFF), *times)
    return numbers + bytes([len(page.digest)]) + page.digest + "\n".join(said).encode()


def page_of(key: bytes, raw: bytes) -> PageRecord | None:
    """Raises GarbledValue."""
    if not raw:
        return None
    flags, status, not_modified, seen_at, whole_at, interval_s, changes, watched_s = _numbers(raw)
    if len(raw) <= _NUMBERS.size:
        raise GarbledValue
    start = _NUMBERS.size + 1
    end = start + raw[_NUMBERS.size]
    said = text(raw[end:]).split("\n")
    if len(said) != 4:
        raise GarbledValue
    host, url, etag, last_modified = said
    if flags & _HOSTLESS:
        url = url.replace("//", f"//{host}", 1)
    if flags & _DATED:
        last_modified = _date(integer(last_modified))
    return PageRecord(
        key,
        url,
        host,
        status,
        raw[start:end],
        etag,
        last_modified,
        seen_at,
        whole_at,
        interval_s,
        changes,
        watched_s,
        not_modified=not_modified,
        probe=bool(flags & _PROBE),
        links=bool(flags & _LINKS),
        body=bool(flags & _BODY),
    )


def due_of(numbers: bytes) -> Iterator[Due]:
    """Of the numbers of several records, one behind another, without pages that are gone."""
    for _, status, _, seen_at, _, interval_s, changes, watched_s in _NUMBERS.iter_unpack(numbers):
        if status == 200:
            yield Due(seen_at, interval_s, changes, watched_s)


def is_linked(flags: bytes) -> bool:
    """Whether the first byte of a record, if there is one, says that there are links."""
    return bool(flags and flags[0] & _LINKED)


def packed(data: bytes) -> bytes:
    """Raises ValueError for what is too large."""
    if len(data) > _MAX_BESIDE:
        raise ValueError(f"{len(data):,} bytes are more than is kept of a page")
    return zlib.compress(data)


def unpacked(data: bytes) -> bytes:
    """Raises GarbledValue."""
    return decompressed(data, _MAX_BESIDE)


def packed_links(links: Sequence[bytes]) -> bytes:
    return packed(b"\n".join(links))  # JSON has no line breaks of its own


def unpacked_links(data: bytes) -> list[bytes]:
    found = unpacked(data)
    return found.split(b"\n") if found else []


def _seconds(modified: str) -> int | None:
    """None for what is not exactly as `_date` writes it: a server is asked with what it has said."""
    try:
        found = int(parsedate_to_datetime(modified).timestamp())
        return found if _date(found) == modified else None
    except (ValueError, TypeError, LookupError, OverflowError):
        return None


def _date(seconds: int) -> str:
    """Raises GarbledValue."""
    try:
        return formatdate(seconds, usegmt=True)
    except (ValueError, OverflowError, OSError):
        raise GarbledValue from None


def _numbers(raw: bytes) -> tuple[Any, ...]:
    try:
        return _NUMBERS.unpack_from(raw)
    except (struct.error, TypeError):
        raise GarbledValue from None
