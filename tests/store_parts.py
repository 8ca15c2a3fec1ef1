"""Parts for tests of stores: the clock that they go by, and what they keep."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from scrapy_polite.store.quarantines import Quarantine
from scrapy_polite.store.robots import RobotsCopy

#: Changes on a page of a feed in tests.
PAGE_SIZE = 1_000

SITE, OTHER_SITE = "https://example.com", "https://example.org:8443"
FULL = RobotsCopy(
    origin=SITE,
    agent="demobot",
    updated_at=1_000.5,
    status=200,
    body=b"User-agent: *\r\nDisallow: /\xff\x00\n",
    truncated=True,
    fetched_at=900.25,
    expires_at=87_300.25,
    etag='W/"a-1"',
    last_modified="Sat, 21 Nov 2026 08:49:37 GMT",
    hops=("https://www.example.com/robots.txt", "https://example.org/robots.txt"),
    failing_since=950.0,
    refused_since=960.0,
    failures=3,
    next_try=1_300.0,
    failure="503 Service Unavailable",
)
NEVER_ANSWERED = RobotsCopy(origin=OTHER_SITE, agent="demobot", updated_at=1_000.0, failing_since=1_000.0, failures=1)
FOUND = Quarantine(
    site="example.com",
    place="/day?at",
    kind="same-text",
    evidence="30 pages, 97 % said the same",
    examples=("http://example.com/day?at=1", "http://example.com/day?at=2"),
    since=1_000.5,
    until=2_000.5,
    refused=7,
    updated_at=1_000.5,
)
CONFIRMED = replace(FOUND, decision="confirmed", until=math.inf, updated_at=1_100.0)
RELEASED = replace(CONFIRMED, decision="released", updated_at=1_200.0)


@dataclass
class StoreClock:
    """The clock that the stores of one test go by."""

    at: float = 1_000.0

    def __call__(self) -> float:
        return self.at
