"""What is to be taken out of a queue for good, and what came of it: for pages that are to be forgotten.

A request is known by its URL, which is read without running anything that it may hold.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from scrapy_polite.frontier.inert import read_inert

MAX_EXAMPLES = 3


class Asked(NamedTuple):
    """What of a request says which page it asks for. The URL is empty where it cannot be read."""

    url: str
    method: str = "GET"
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Meant:
    """What is to be removed: requests for a URL that `covers`, or in a lane of an origin that `covers_origin`.

    `fingerprint` is under what a request is remembered as visited. All that is removed is forgotten there as well, and
    `known`, which need not be queued.
    """

    covers: Callable[[str], bool]
    covers_origin: Callable[[str], bool]
    fingerprint: Callable[[Asked], bytes]
    known: tuple[Asked, ...] = ()


@dataclass(slots=True)
class Removed:
    """How many requests and fingerprints; `unreadable` is of requests that were left because no URL could be read.

    `bloom`: what was visited is in a Bloom filter, from which nothing can be taken. `examples` are some of the URLs,
    `trap_examples` those in what is kept of traps for the next run, or the next process that has a host.
    """

    queued: int = 0
    set_aside: int = 0
    visited: int = 0
    unreadable: int = 0
    bloom: bool = False
    examples: list[str] = field(default_factory=list)
    trap_examples: list[str] = field(default_factory=list)


def read_asked(data: bytes) -> Asked:
    """What a request asks for, from what `codec.Codec` wrote. Nothing in it is run."""
    try:
        values = read_inert(data[1:]) if data[:1] == b"P" else json.loads(data[1:])
        url, method, body = values["url"], values.get("method", "GET"), values.get("body", b"")
        if isinstance(body, dict):  # bytes, as the codec has them in JSON
            body = body[""][1].encode("latin-1")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return Asked("")
    known = isinstance(url, str) and isinstance(method, str) and isinstance(body, bytes)
    return Asked(url, method, body) if known else Asked("")
