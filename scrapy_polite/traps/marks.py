"""Texts as numbers that are the same in every process, so that what is remembered by them can go over to another."""

from __future__ import annotations

from hashlib import blake2b


def mark_of(*parts: str | bytes) -> int:
    """Of 64 bits, with a sign. Nobody can make a text that has the same one as another, as with a checksum."""
    whole = b"\0".join(one.encode("utf-8", "surrogatepass") if isinstance(one, str) else one for one in parts)
    return int.from_bytes(blake2b(whole, digest_size=8).digest(), "little", signed=True)
