"""When a page is due again, with which conditions it is asked for, and what a visit makes of its record."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from scrapy_polite.recrawl.fingerprint import fingerprint
from scrapy_polite.recrawl.schedule import (
    Bounds,
    Hints,
    crawl_value,
    first_interval,
    is_due,
    is_modified,
    next_interval,
)
from scrapy_polite.recrawl.visit import (
    Validators,
    Whole,
    conditions,
    gone,
    is_worth,
    least_value,
    not_modified,
    seen_whole,
)
from scrapy_polite.store.pages import Due, PageRecord

NOW, DAY_S = 1_800_000_000.0, 86_400.0
BOUNDS = Bounds()
ETAG = Validators('"1"', "Sat, 21 Nov 2026 08:49:37 GMT")


def whole(at: float = NOW, said: bytes = b"a", validators: Validators = ETAG) -> Whole:
    return Whole(b"key", "http://a.example/", "a.example", said, validators, Hints(), at)


def seen(**fields: object) -> PageRecord:
    return replace(seen_whole(None, whole(), BOUNDS)[0], **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("headers", "sitemap", "seconds"),
    [
        (("", ""), (), DAY_S),
        (("public, max-age=7200", ""), (), 7_200),
        (("max-age=0", ""), (), 60),
        (("max-age=99999999999", ""), (), 31_536_000),
        (("max-age=-1", ""), (), DAY_S),
        (("no-cache", ""), ("", "hourly"), 3_600),
        (("", ""), ("", "never"), 31_536_000),
        (("", ""), ("2027-01-05T08:00:00Z", ""), DAY_S),
        (("", "Tue, 05 Jan 2027 08:00:00 GMT"), ("2026-01-01", ""), DAY_S),
        (("", "in the year 99999"), ("never", ""), DAY_S),
    ],
)
def test_the_first_interval(headers: tuple[str, str], sitemap: tuple[str, ...], seconds: float) -> None:
    assert first_interval(Hints.read(*headers, *sitemap), NOW, BOUNDS) == seconds


def test_an_interval_grows_and_shrinks_within_its_bounds() -> None:
    assert next_interval(1_000, changed=False, bounds=BOUNDS) == 1_400
    assert next_interval(1_000, changed=True, bounds=BOUNDS) == 800
    assert next_interval(61, changed=True, bounds=BOUNDS) == 60
    assert next_interval(31_000_000, changed=False, bounds=BOUNDS) == 31_536_000


def test_a_page_is_due_by_its_interval_by_a_sitemap_or_if_a_clock_was_wrong() -> None:
    assert not is_due(NOW, 60, NOW + 59)
    assert is_due(NOW, 60, NOW + 60)
    assert is_modified(NOW, NOW + 10, NOW + 30)
    assert not any(is_modified(NOW, lastmod, NOW + 30) for lastmod in (None, NOW - 10, NOW + 40))
    assert is_due(NOW + 2 * DAY_S, 60, NOW)


def test_each_twentieth_time_and_after_thirty_days_a_page_is_to_come_whole() -> None:
    assert conditions(seen(), NOW) == {"If-None-Match": '"1"', "If-Modified-Since": ETAG.last_modified}
    assert conditions(seen(not_modified=18), NOW)
    assert not conditions(seen(not_modified=19), NOW)
    assert conditions(seen(), NOW + 29 * DAY_S)
    assert not conditions(seen(), NOW + 30 * DAY_S)
    assert not conditions(seen(etag="", last_modified=""), NOW)


def test_a_304_keeps_the_record_and_a_whole_page_begins_to_count_anew() -> None:
    later = not_modified(seen(), Validators('"2"'), NOW + DAY_S, BOUNDS)
    assert (later.not_modified, later.etag, later.last_modified) == (1, '"2"', ETAG.last_modified)
    assert (later.seen_at, later.whole_at, later.interval_s) == (NOW + DAY_S, NOW, 1.4 * DAY_S)
    again, lied = seen_whole(later, whole(NOW + 2 * DAY_S), BOUNDS)
    assert (again.not_modified, again.whole_at, lied) == (0, NOW + 2 * DAY_S, False)


@pytest.mark.parametrize(
    ("not_modified", "validators", "lied", "probe"),
    [
        (0, ETAG, False, False),  # it came whole each time: nobody has lied
        (3, ETAG, True, False),  # the same ETag, another page
        (3, Validators('"2"'), False, True),  # it may have changed since: asked with the old one once more
    ],
)
def test_a_host_lies_that_says_304_for_another_page(
    not_modified: int, validators: Validators, lied: bool, probe: bool
) -> None:
    record, found = seen_whole(seen(not_modified=not_modified), whole(NOW + DAY_S, b"b", validators), BOUNDS)
    assert (found, record.probe) == (lied, probe)
    assert record.interval_s == 0.8 * DAY_S
    assert record.etag == ('"1"' if probe else validators.etag)


def test_a_page_that_is_gone_is_asked_for_ever_more_rarely() -> None:
    first = gone(seen(interval_s=60.0), whole(), 404, BOUNDS)
    second = gone(first, whole(), 410, BOUNDS)
    assert (first.interval_s, second.interval_s) == (DAY_S, 2 * DAY_S)
    back, _ = seen_whole(second, whole(), BOUNDS)
    assert (back.status, back.interval_s) == (200, DAY_S)


def test_a_budget_goes_to_what_has_probably_changed_and_not_to_what_is_old_at_once() -> None:
    daily, always, never = (Due(NOW - DAY_S, 60.0, changes, DAY_S) for changes in (1, 500, 1e-6))
    assert least_value([daily, always, never], 3, NOW) == -math.inf
    value = {page: crawl_value(page.changes, page.watched_s, DAY_S) for page in (daily, always, never)}
    assert least_value([never, always, daily], 1, NOW) == max(value.values()) == value[daily]
    assert least_value([never, always, daily], 2, NOW) == value[always]
    one = seen(seen_at=NOW - DAY_S, changes=1.0, watched_s=DAY_S)
    assert is_worth(one, least_value([never, daily._replace(changes=1 + 1e-12)], 1, NOW), NOW), "a store may round"
    assert not is_worth(one, value[daily] * 1.001, NOW)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (b'<p>a</p><script nonce="x1">', b'<p>a</p>\n<script  nonce="y2">', False),
        (b'<p>a</p> <script nonce="x1">', b'<p>a</p>\n<script nonce="y2">', True),
        (b'<input name="csrf_token" value="1">b', b'<input name="csrf_token" value="2">b', True),
        (b'<input name="price" value="1">b', b'<input name="price" value="2">b', False),
        (b"<a href=/1>x</a>", b"<a href=/2>x</a>", False),
    ],
)
def test_only_what_is_new_each_time_is_no_change(one: bytes, other: bytes, same: bool) -> None:
    assert (fingerprint(one, markup=True) == fingerprint(other, markup=True)) == same
    assert fingerprint(one, markup=False) != fingerprint(other, markup=False)
