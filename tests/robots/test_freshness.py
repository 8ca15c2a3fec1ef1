"""Freshness and Retry-After (RFC 9111 §4.2, RFC 9110 §10.2.3), beside Scrapy's and hishel's where these agree."""

from __future__ import annotations

from collections.abc import Callable
from email.utils import formatdate

import hishel
import pytest
from hishel._core import _spec
from hypothesis import example, given
from hypothesis import strategies as st
from scrapy import Request
from scrapy.extensions.httpcache import RFC2616Policy
from scrapy.http import Response
from scrapy.settings import Settings

from scrapy_polite.robots.freshness import Bounds, fresh_until, refresh_at, retry_after_cut, retry_after_s

NOW = 1_800_000_000.0  # Fri, 15 Jan 2027 08:00:00 GMT
DAY_S = 86_400.0
BOUNDS = Bounds()
NO_BOUNDS = Bounds(0.0, 1e12)
HTTP_NOW = formatdate(NOW, usegmt=True)


@pytest.mark.parametrize(
    ("headers", "fresh_s"),
    [
        pytest.param({}, DAY_S, id="nothing said"),
        pytest.param({"cache-control": "max-age=3600"}, 3_600, id="max-age"),
        pytest.param({"cache-control": "public, MAX-AGE=3600"}, 3_600, id="upper case, not the first"),
        pytest.param({"cache-control": "max-age = 3600"}, 3_600, id="blanks"),
        pytest.param({"cache-control": 'max-age="3600"'}, 3_600, id="quoted"),
        pytest.param({"cache-control": "max-age=3600, max-age=7200"}, 3_600, id="the first of two"),
        pytest.param({"cache-control": "max-age=3600, s-maxage=7200"}, 7_200, id="s-maxage goes before"),
        pytest.param({"cache-control": 'private="x, max-age=7200", max-age=3600'}, 3_600, id="quoted comma"),
        pytest.param({"cache-control": "max-age=60"}, 300, id="shorter than the minimum"),
        pytest.param({"cache-control": "max-age=0"}, 300, id="zero"),
        pytest.param({"cache-control": "max-age=604800"}, DAY_S, id="longer than the maximum"),
        pytest.param({"cache-control": "max-age=" + "9" * 5_000}, DAY_S, id="huge"),
        pytest.param({"cache-control": "max-age=-1"}, 300, id="negative is stale"),
        pytest.param({"cache-control": "max-age=soon"}, 300, id="no number is stale"),
        pytest.param({"cache-control": "max-age"}, 300, id="no argument is stale"),
        pytest.param({"cache-control": "max-age=\u0663\u0666"}, 300, id="digits that are not ASCII"),
        pytest.param({"cache-control": "no-cache"}, 300, id="no-cache"),
        pytest.param({"cache-control": "no-store, max-age=3600"}, 300, id="no-store goes before"),
        pytest.param({"cache-control": "must-revalidate, public"}, DAY_S, id="no lifetime among directives"),
        pytest.param({"expires": formatdate(NOW + 3_600, usegmt=True)}, 3_600, id="Expires"),
        pytest.param(
            {"expires": formatdate(NOW + 3_600, usegmt=True), "date": formatdate(NOW + 600, usegmt=True)},
            3_000,
            id="Expires, by the server's clock",
        ),
        pytest.param({"expires": "Friday, 15-Jan-27 09:00:00 GMT"}, 3_600, id="Expires, RFC 850"),
        pytest.param({"expires": "Fri Jan 15 09:00:00 2027"}, 3_600, id="Expires, asctime"),
        pytest.param({"expires": formatdate(NOW - 3_600, usegmt=True)}, 300, id="Expires, gone by"),
        pytest.param({"expires": "0"}, 300, id="Expires, no date is stale"),
        pytest.param({"expires": HTTP_NOW, "cache-control": "max-age=3600"}, 3_600, id="max-age goes before Expires"),
        pytest.param({"cache-control": "max-age=3600", "age": "600"}, 3_000, id="Age"),
        pytest.param({"cache-control": "max-age=3600", "age": "600, 900"}, 3_000, id="the first of two Ages"),
        pytest.param({"cache-control": "max-age=3600", "age": "7200"}, 300, id="Age beyond the lifetime"),
        pytest.param({"cache-control": "max-age=3600", "age": "old"}, 3_600, id="Age that is none"),
        pytest.param({"age": "7200"}, DAY_S, id="Age without a lifetime"),
    ],
)
def test_fresh_until(headers: dict[str, str], fresh_s: float) -> None:
    assert fresh_until(headers, NOW, BOUNDS) - NOW == fresh_s


@pytest.mark.parametrize(("bounds", "fresh_s"), [(Bounds(0.0, 30 * DAY_S), 2 * DAY_S), (Bounds(0.0, 600.0), 600.0)])
def test_bounds_can_be_moved(bounds: Bounds, fresh_s: float) -> None:
    assert fresh_until({"cache-control": f"max-age={2 * DAY_S:.0f}"}, NOW, bounds) - NOW == fresh_s


def test_a_copy_in_use_is_renewed_after_four_fifths_of_its_time() -> None:
    assert refresh_at(NOW, NOW + 1_000) == NOW + 800


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120.0),
        (" 120 ", 120.0),
        ("0", 0.0),
        ("100000", 86_400.0),
        ("9" * 5_000, 86_400.0),
        (formatdate(NOW + 120, usegmt=True), 120.0),
        (formatdate(NOW - 120, usegmt=True), 0.0),
        ("Friday, 15-Jan-27 08:02:00 GMT", 120.0),
        ("Fri Jan 15 08:02:00 2027", 120.0),
        ("Fri, 15 Jan 2027 09:02:00 +0100", 120.0),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400.0),
        ("", None),
        ("-1", None),
        ("1.5", None),
        ("soon", None),
        ("Fri, 99 Jan 2027 08:02:00 GMT", None),
        ("\u0661\u0662", None),
    ],
    ids=repr,
)
def test_retry_after(value: str, seconds: float | None) -> None:
    assert retry_after_s({"retry-after": value}, NOW, max_s=DAY_S) == seconds


def test_what_is_cut_of_a_retry_after_is_said() -> None:
    said = [retry_after_cut({"retry-after": value}, NOW, max_s=DAY_S) for value in ("777600", "86400", "soon")]
    assert said == [", its Retry-After of 9 days cut to 24 h", "", ""]


def test_no_retry_after_is_none() -> None:
    assert retry_after_s({}, NOW, max_s=DAY_S) is None


NAMES = ("cache-control", "expires", "date", "age", "retry-after")
PIECES = st.sampled_from(
    ["max-age", "s-maxage", "no-cache", "=", ",", '"', "-1", "3600", "9" * 400, " ", "GMT", "\x00"]
)
DATES = st.builds(
    lambda day, year, zone: f"Fri, {day:02} Jan {year} 08:00:00 {zone}",
    st.integers(0, 40),
    st.integers(0, 12_000),
    st.sampled_from(["GMT", "-0000", "+2359", "+9999", "-99999999", "EST", ""]),
)
VALUES = st.text() | st.lists(PIECES).map("".join) | DATES


@given(st.dictionaries(st.sampled_from(NAMES), VALUES))
@example({"expires": "Mon, 01 Jan 0001 00:00:00 +2359"})
@example({"retry-after": "Fri, 31 Dec 9999 23:59:59 -2359"})
@example({"age": "²"})
def test_no_header_raises_or_leads_out_of_the_bounds(headers: dict[str, str]) -> None:
    assert BOUNDS.min_s <= fresh_until(headers, NOW, BOUNDS) - NOW <= BOUNDS.max_s
    seconds = retry_after_s(headers, NOW, DAY_S)
    assert seconds is None or 0.0 <= seconds <= DAY_S


def _by_scrapy(headers: dict[str, str]) -> float:
    policy = RFC2616Policy(Settings())
    return policy._compute_freshness_lifetime(Response("https://example.com", headers=headers), Request("data:,"), NOW)


def _by_hishel(headers: dict[str, str]) -> float | None:
    return _spec.get_freshness_lifetime(hishel.Response(200, hishel.Headers(headers)), is_cache_shared=True)


#: Where both agree. Each is wrong elsewhere: Scrapy ignores s-maxage and takes a quoted max-age for 0; hishel has no
#: lifetime for a bad one.
AGREED = [
    {"cache-control": "max-age=3600"},
    {"cache-control": "public, MAX-AGE=3600"},
    {"cache-control": "max-age=3600, must-revalidate"},
    {"cache-control": "max-age=0"},
    {"cache-control": 'private="x, y", max-age=3600'},
    {"cache-control": "max-age=3600", "expires": HTTP_NOW, "date": HTTP_NOW},
    {"expires": formatdate(NOW + 3_600, usegmt=True), "date": HTTP_NOW},
    {"expires": "Friday, 15-Jan-27 09:00:00 GMT", "date": HTTP_NOW},
    {"expires": "Fri Jan 15 09:00:00 2027", "date": HTTP_NOW},
]


@pytest.mark.parametrize("headers", AGREED, ids=lambda headers: ", ".join(headers.values()))
@pytest.mark.parametrize("peer", [_by_scrapy, _by_hishel])
def test_lifetimes_agree_with_those_of(peer: Callable[[dict[str, str]], float | None], headers: dict[str, str]) -> None:
    assert fresh_until(headers, NOW, NO_BOUNDS) - NOW == peer(headers)
