"""What Crawl-delay, Request-rate and Visit-time say, read by Protego's public parser.

None of them is part of RFC 9309. Where a group gives several values the strictest counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import time
from functools import lru_cache

from protego import Protego, RequestRate, VisitTime

#: Octets of a value that are looked at; the longest meaningful one ("10/60m 0600-0845") has about twenty.
_MAX_VALUE = 64


def _read(field: str, value: bytes) -> Protego:
    text = value.decode("utf-8", "replace")
    # Protego ends a line at VT, NEL and others, behind which a value could hide another one.
    one_line = text if text.isprintable() and len(text) <= _MAX_VALUE else ""
    return Protego.parse(f"User-agent: *\n{field}: {one_line}")


@lru_cache(maxsize=1024)  # a few values serve nearly all sites
def _seconds(value: bytes) -> float | None:
    return _read("Crawl-delay", value).crawl_delay("*")


def crawl_delay(values: Iterable[bytes]) -> float | None:
    """Return the longest Crawl-delay in seconds; None where no value is a finite number that is not negative."""
    delays = [_seconds(value) for value in values]
    return max((delay for delay in delays if delay is not None), default=None)


def request_rate(values: Iterable[bytes]) -> RequestRate | None:
    """Return the lowest Request-rate; None where no value is one."""
    rates = [_read("Request-rate", value).request_rate("*") for value in values]
    return min((rate for rate in rates if rate), key=lambda rate: rate.requests / rate.seconds, default=None)


def visit_time(values: Iterable[bytes]) -> VisitTime | None:
    """Return the shortest Visit-time (UTC); None where no value is one."""
    periods = [_read("Visit-time", value).visit_time("*") for value in values]
    return min((period for period in periods if period), key=_minutes, default=None)


def _minutes(period: VisitTime) -> int:
    def minute(moment: time) -> int:
        return moment.hour * 60 + moment.minute

    return (minute(period.end_time) - minute(period.start_time)) % (24 * 60)
