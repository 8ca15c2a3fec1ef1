"""How long an answer may be used without asking again: HTTP freshness (RFC 9111 §4.2) within a crawler's bounds.

RFC 9309 §2.4 asks for no more than 24 h unless the file is unreachable; Google reads max-age and Expires likewise.
Headers come as a mapping from lower-case name to value, lines of one name joined by commas; times are epoch seconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timezone
from email.utils import parsedate_to_datetime

from scrapy_polite.text import duration


@dataclass(frozen=True, slots=True)
class Bounds:
    """`default_s` is the lifetime of an answer that names none, at most `max_s`; the others bound what one names."""

    min_s: float = 300.0
    max_s: float = 86_400.0
    default_s: float = 86_400.0


def fresh_until(headers: Mapping[str, str], now: float, bounds: Bounds) -> float:
    """The time up to which the answer received at `now` is fresh."""
    lifetime_s = _declared_lifetime_s(headers, now)
    if lifetime_s is None:
        return now + min(bounds.default_s, bounds.max_s)
    age_s = _delta_seconds(headers.get("age", "0").split(",")[0]) or 0
    return now + min(max(lifetime_s - age_s, bounds.min_s), bounds.max_s)


def refresh_at(fetched_at: float, expires_at: float) -> float:
    """When a copy in use is to be renewed ahead of time, so that nobody waits when it expires."""
    return fetched_at + 0.8 * (expires_at - fetched_at)


def retry_after_s(headers: Mapping[str, str], now: float, max_s: float) -> float | None:
    """Seconds a `Retry-After` asks for (RFC 9110 §10.2.3: seconds or a date), at most `max_s`; None without one.

    A date is by the server's clock, as its `Date` says.
    """
    seconds = _retry_after_s(headers, now)
    return None if seconds is None else min(seconds, max_s)


def retry_after_cut(headers: Mapping[str, str], now: float, max_s: float) -> str:
    """What `retry_after_s` has cut, to go on a sentence with; "" where it is nothing."""
    seconds = _retry_after_s(headers, now) or 0.0
    return f", its Retry-After of {duration(seconds)} cut to {duration(max_s)}" if seconds > max_s else ""


def _retry_after_s(headers: Mapping[str, str], now: float) -> float | None:
    value = headers.get("retry-after", "").strip()
    seconds: float | None = _delta_seconds(value)
    if seconds is None and (at := _http_date(value)) is not None:
        date = _http_date(headers.get("date", ""))
        seconds = at - (now if date is None else date)
    return None if seconds is None else max(seconds, 0.0)


def _declared_lifetime_s(headers: Mapping[str, str], now: float) -> float | None:
    directives = _cache_control(headers.get("cache-control", ""))
    if "no-store" in directives or "no-cache" in directives:
        return 0.0
    for name in ("s-maxage", "max-age"):  # RFC 9111 §4.2.1: in this order; a store shared by crawls is a shared cache
        if name in directives:
            # "encouraged to consider responses that have invalid freshness information to be stale"
            return _delta_seconds(directives[name]) or 0
    if "expires" in headers:
        expires = _http_date(headers["expires"])
        date = _http_date(headers.get("date", ""))
        return 0.0 if expires is None else expires - (now if date is None else date)
    return None


def _cache_control(value: str) -> dict[str, str]:
    """Directives by lower-case name; the first of a name counts (RFC 9111 §4.2.1)."""
    directives: dict[str, str] = {}
    for part in _split_unquoted(value):
        name, _, argument = part.partition("=")
        directives.setdefault(name.strip().lower(), argument.strip().strip('"'))
    return directives


def _split_unquoted(value: str) -> list[str]:
    parts, quoted = [""], False
    for piece in value.split('"'):
        if quoted:
            parts[-1] += piece
        else:
            first, *rest = piece.split(",")
            parts[-1] += first
            parts += rest
        quoted = not quoted
    return parts


def _delta_seconds(text: str) -> int | None:
    text = text.strip()
    if not (text.isascii() and text.isdigit()):
        return None
    return int(text[:10]) if len(text) <= 10 else 2**31  # RFC 9111 §1.2.2: too large means 2^31


def _http_date(text: str) -> float | None:
    try:
        date = parsedate_to_datetime(text[:100])
        return (date if date.tzinfo else date.replace(tzinfo=timezone.utc)).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
