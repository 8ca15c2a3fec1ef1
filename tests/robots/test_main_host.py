"""Which host a Host line names, and when its pages may be asked there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_polite.origin import Origin
from scrapy_polite.robots.main_host import ITSELF, NO_LINE, moved, named_by, why_not, why_unconfirmed

DOMAIN = "it is of another registered domain"


@pytest.mark.parametrize(
    ("of", "line", "named", "why"),
    [
        pytest.param("http://a.example", "www.a.example", "http://www.a.example", "", id="a host"),
        pytest.param("https://a.example", "www.a.example", "https://www.a.example", "", id="the scheme is its own"),
        pytest.param("http://a.example", "https://WWW.A.example/", "https://www.a.example", "", id="a URL"),
        pytest.param("http://a.example", "www.a.example:8080", "http://www.a.example:8080", "", id="a port"),
        pytest.param("http://a.example:81", "a.example", "http://a.example", "", id="from a port"),
        pytest.param("http://b.a.co.uk", "a.co.uk", "http://a.co.uk", "", id="up"),
        pytest.param("https://a.example", "a.example", "https://a.example", ITSELF, id="itself"),
        pytest.param("http://a.example", "http://a.example:80/", "http://a.example", ITSELF, id="itself, at length"),
        pytest.param("https://a.example", "http://www.a.example", "http://www.a.example", "to http", id="to http"),
        pytest.param("https://a.example", "b.example", "https://b.example", DOMAIN, id="another domain"),
        pytest.param("http://a.co.uk", "b.co.uk", "http://b.co.uk", DOMAIN, id="a public suffix in common"),
        pytest.param("http://a.github.io", "b.github.io", "http://b.github.io", DOMAIN, id="private suffix"),
        pytest.param("http://127.0.0.1", "127.0.0.2", "http://127.0.0.2", DOMAIN, id="another address"),
        pytest.param("http://a.example", "ftp://a.example", "ftp://a.example", "no host", id="no web site"),
        pytest.param("http://a.example", "https://", None, "no host", id="a scheme"),
        pytest.param("http://a.example", "a.example:port", None, "no host", id="no port"),
        pytest.param("http://a.example", "www.a.example www2.a.example", None, "no host", id="two hosts"),
    ],
)
def test_what_a_host_line_names_and_whether_it_may_be_followed(of: str, line: str, named: str | None, why: str) -> None:
    origin = Origin.from_url(of)
    found = named_by(line, origin)
    assert (found and str(found)) == named
    assert why in why_not(origin, line)
    assert bool(why) == bool(why_not(origin, line))


def test_a_file_without_a_host_line_is_no_reason_to_tell_anything() -> None:
    assert why_not(Origin.from_url("http://a.example"), None) == NO_LINE


@pytest.mark.parametrize(
    ("line", "why"),
    [
        pytest.param("www.a.example", "", id="itself"),
        pytest.param(None, "its own robots.txt has no Host line", id="nothing"),
        pytest.param("a.example", "its own robots.txt names http://a.example", id="back"),
        pytest.param("https://www.a.example", "its own robots.txt names https://www.a.example", id="another scheme"),
        pytest.param(":", "its own robots.txt names no host", id="no host"),
    ],
)
def test_a_main_host_has_to_name_itself(line: str | None, why: str) -> None:
    assert why_unconfirmed(Origin.from_url("http://www.a.example"), line) == why


@given(st.text(max_size=50), st.sampled_from(["http://a.example", "https://127.0.0.1:8", "http://[::1]", "http://a"]))
def test_no_line_raises(line: str, of: str) -> None:
    origin = Origin.from_url(of)
    assert isinstance(why_not(origin, line), str)
    assert isinstance(why_unconfirmed(origin, line), str)


@pytest.mark.parametrize(
    ("url", "there"),
    [
        ("http://a.example", "https://www.a.example:8080"),
        ("http://a.example:81/b//c%7e?d=//e#f", "https://www.a.example:8080/b//c%7e?d=//e#f"),
        ("http://a.example?b", "https://www.a.example:8080?b"),
    ],
)
def test_path_and_query_stay_as_they_are(url: str, there: str) -> None:
    assert moved(url, Origin.from_url("https://www.a.example:8080")) == there
