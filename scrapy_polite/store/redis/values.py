"""What the server answers, read with care: anybody may have written it."""

from __future__ import annotations

import json
import math
import zlib
from typing import Any


class GarbledValue(ValueError):
    """It is nothing that this version has written."""


def decompressed(data: bytes, most: int) -> bytes:
    """What zlib has compressed, of at most so many bytes. Raises GarbledValue."""
    unpacking = zlib.decompressobj()
    try:
        found = unpacking.decompress(data, most)
    except zlib.error:
        raise GarbledValue from None
    if not unpacking.eof:
        raise GarbledValue
    return found


def encoded(text: str) -> bytes:
    """A server's header or URL may hold what UTF-8 cannot: that must not look like a broken store."""
    return text.encode("utf-8", "backslashreplace")


def text(raw: Any) -> str:
    try:
        return str(raw, "utf-8")
    except (TypeError, UnicodeDecodeError):
        raise GarbledValue from None


def number(raw: Any) -> float:
    try:
        found = float(raw)
    except (TypeError, ValueError):
        raise GarbledValue from None
    if math.isnan(found):
        raise GarbledValue
    return found


def integer(raw: Any) -> int:
    found = number(raw)
    if not found.is_integer():
        raise GarbledValue
    return int(found)


def parsed(raw: Any) -> Any:
    try:
        return json.loads(raw)
    except (TypeError, ValueError, RecursionError):
        raise GarbledValue from None


def texts(found: Any) -> tuple[str, ...]:
    """Of what was a JSON list of texts."""
    if not (isinstance(found, list) and all(isinstance(one, str) for one in found)):
        raise GarbledValue
    return tuple(found)


def items(raw: Any, count: int) -> list[Any]:
    """A list of so many."""
    if not isinstance(raw, list) or len(raw) != count:
        raise GarbledValue
    return raw
