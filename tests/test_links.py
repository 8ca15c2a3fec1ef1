"""References resolved without urljoin are what urljoin makes of them."""

from __future__ import annotations

from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_polite.links import MAX_LINKS, joined, resolved

BASES = [
    "http://h.example",
    "http://h.example/",
    "http://h.example/a/b",
    "http://h.example/a/b/?q=1/2#x",
    "https://h.example:81/a;x?y#z",
]
PIECES = [*"ab/?.:=&%-_~ é@[]", "//", "..", "/./", "x.y", "?q=1", "1:2", "mailto:x"]


@pytest.mark.parametrize("base", BASES)
@given(pieces=st.lists(st.sampled_from(PIECES), min_size=1, max_size=6))
def test_a_reference_is_resolved_as_urljoin_does(base: str, pieces: list[str]) -> None:
    href = "".join(pieces)
    expected = joined(base, href.strip()) if href.strip() else None
    assert resolved(base, [href]) == (() if expected is None else (expected,))


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("next", "http://h.example/a/next"),
        ("?page=2", "http://h.example/a/b?page=2"),
        ("/c#part", "http://h.example/c"),
        ("//other.example/x", "http://other.example/x"),
        ("https://other.example:8443/x?y", "https://other.example:8443/x?y"),
        ("../up", "http://h.example/up"),
        (" \n/c ", "http://h.example/c"),
        ("", None),
        ("#top", None),
        ("mailto:me@h.example", None),
        ("javascript:void(0)", None),
        ("http://", None),
        ("http://[::1", None),
    ],
)
def test_what_a_link_leads_to(href: str, expected: str | None) -> None:
    assert resolved("http://h.example/a/b?q#f", [href]) == (() if expected is None else (expected,))
    if expected is not None:
        assert expected == urljoin("http://h.example/a/b?q#f", href.strip()).partition("#")[0]


def test_each_is_told_once_and_their_number_is_bounded() -> None:
    assert resolved("http://h.example/", ["/a", "a", "http://h.example/a#b"]) == ("http://h.example/a",)
    assert len(resolved("http://h.example/", [f"/{n}" for n in range(2 * MAX_LINKS)])) == MAX_LINKS
