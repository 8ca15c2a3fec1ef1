"""What a visit makes of a page's record, and with which conditions a page is asked for (RFC 9110 §13.1)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from heapq import heappush, heapreplace
from typing import TYPE_CHECKING

from scrapy_polite.recrawl.schedule import (
    Bounds,
    Hints,
    Pace,
    crawl_value,
    first_interval,
    gone_interval,
    next_interval,
)
from scrapy_polite.store.pages import PageRecord

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy_polite.store.pages import Due

#: Every twentieth time, and when it was not seen whole for so long, a page is asked for without conditions: a host that
#: says 304 whatever has changed is found out then.
WHOLE_EVERY = 20
WHOLE_AFTER_S = 30 * 86_400.0
GONE = frozenset({404, 410})
#: The numbers of a record are rounded where pages are ranked: without this, the last that has a part would lose it.
_ROUNDED = 1 - 1e-9


@dataclass(frozen=True, slots=True)
class Validators:
    """ETag and Last-Modified, empty where there is none."""

    etag: str = ""
    last_modified: str = ""

    @property
    def conditions(self) -> dict[str, str]:
        both = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in both.items() if value}

    def prove_same(self, other: Validators) -> bool:
        """Whether they say that the page is the same (an ETag alone, where there is one)."""
        if self.etag or other.etag:
            return self.etag == other.etag
        return bool(self.last_modified) and self.last_modified == other.last_modified


def conditions(page: PageRecord, now: float) -> dict[str, str]:
    """The headers to ask for a page with that is known; empty where it is to come whole."""
    if page.status != 200 or page.not_modified + 1 >= WHOLE_EVERY or not 0 <= now - page.whole_at < WHOLE_AFTER_S:
        return {}
    return Validators(page.etag, page.last_modified).conditions


@dataclass(frozen=True, slots=True)
class Whole:
    """A page that came whole, at `at`."""

    key: bytes
    url: str
    host: str
    digest: bytes
    validators: Validators
    hints: Hints
    at: float


def seen_whole(page: PageRecord | None, whole: Whole, bounds: Bounds) -> tuple[PageRecord, bool]:
    """The record after a page came whole (without what is kept beside it), and whether its host has lied."""
    valid = whole.validators
    new = PageRecord(
        whole.key,
        whole.url,
        whole.host,
        200,
        whole.digest,
        valid.etag,
        valid.last_modified,
        whole.at,
        whole.at,
        first_interval(whole.hints, whole.at, bounds),
        *_first_pace(),
    )
    if page is None or page.status != 200:
        return new, False
    changed = page.digest != whole.digest
    before = Validators(page.etag, page.last_modified)
    suspect = changed and page.not_modified > 0
    lied = suspect and before.prove_same(valid)
    if suspect and not lied and before.conditions:
        # It may have changed since the last 304. If it says 304 to the old validators now, it lies.
        new = replace(new, probe=True, etag=before.etag, last_modified=before.last_modified)
    return _visited(new, page, whole.at, bounds, changed=changed), lied


def not_modified(page: PageRecord, validators: Validators, at: float, bounds: Bounds) -> PageRecord:
    """The record after a 304, whose validators, if it has some, are the newest (RFC 9111 §4.3.4)."""
    kept = replace(
        page,
        seen_at=at,
        etag=validators.etag or page.etag,
        last_modified=validators.last_modified or page.last_modified,
        not_modified=page.not_modified + 1,
    )
    return _visited(kept, page, at, bounds, changed=False)


def gone(page: PageRecord | None, whole: Whole, status: int, bounds: Bounds) -> PageRecord:
    """The record after a 404 or 410."""
    interval_s = page.interval_s if page is not None else bounds.min_s
    interval_s = gone_interval(interval_s, again=page is not None and page.status in GONE, bounds=bounds)
    return PageRecord(
        whole.key, whole.url, whole.host, status, b"", "", "", whole.at, whole.at, interval_s, *_first_pace()
    )


def least_value(pages: Iterable[Due], budget: int, now: float) -> float:
    """What a page has to be worth at least to get a part of a budget (1 page at least); -inf where all that is due
    gets one.

    Where more is due than the budget has, it goes to those worth most, whether or not their own interval is over: an
    interval grows until a page has changed more often than not, and that is too seldom for slow ones.

    One page at a time, and nothing is sorted: a call that sorts a million numbers holds up all threads for a second.
    """
    due, most = 0, list[float]()
    for page in pages:
        due += now >= page.seen_at + page.interval_s
        value = _value(page, now)
        if len(most) < budget:
            heappush(most, value)
        elif value > most[0]:
            heapreplace(most, value)
    return most[0] if due > budget else float("-inf")


def is_worth(page: PageRecord, least: float, now: float) -> bool:
    return _value(page, now) >= least * _ROUNDED


def _value(page: Due | PageRecord, now: float) -> float:
    return crawl_value(page.changes, page.watched_s, now - page.seen_at)


def _visited(new: PageRecord, page: PageRecord, at: float, bounds: Bounds, *, changed: bool) -> PageRecord:
    pace = Pace(page.changes, page.watched_s).after(max(at - page.seen_at, 0.0), changed=changed)
    interval_s = next_interval(page.interval_s, changed=changed, bounds=bounds)
    return replace(new, interval_s=interval_s, changes=pace.changes, watched_s=pace.watched_s)


def _first_pace() -> tuple[float, float]:
    pace = Pace()
    return pace.changes, pace.watched_s
