"""What of a host is leased to one process: all of it, or of a huge one (`workers` in POLITE_SITES) one part of several.

All parts of a host share its pace. The third of four is called `huge.example#2/4`.
"""

from __future__ import annotations

from zlib import crc32

#: In no host's name, nor in an address.
_MARK = "#"


def part_of(host: str, workers: int, url: str) -> str:
    """The part of a host, which has so many, that a request is in."""
    if workers < 2:
        return host
    return f"{host}{_MARK}{crc32(url.encode('utf-8', 'surrogatepass')) % workers}/{workers}"


def host_of(part: str) -> str:
    return part.partition(_MARK)[0]


def parts_of(part: str) -> int:
    """How many there are of its host."""
    count = part.partition(_MARK)[2].partition("/")[2]
    return int(count) if count.isdecimal() else 1


def all_of(part: str) -> str:
    """What all parts of its host have in common."""
    return f"{host_of(part)}{_MARK}0/{parts_of(part)}"
