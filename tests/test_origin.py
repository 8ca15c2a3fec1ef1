"""Origins as RFC 6454 §4 compares them."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrapy_polite.origin import Origin, is_private_address


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://example.com/page?q#f", Origin("https", "example.com", 443)),
        ("HTTPS://EXAMPLE.com.", Origin("https", "example.com", 443)),
        ("http://example.com:80/", Origin("http", "example.com", 80)),
        ("http://example.com:/", Origin("http", "example.com", 80)),
        ("https://example.com:80/", Origin("https", "example.com", 80)),
        ("ftp://example.com/file", Origin("ftp", "example.com", 21)),
        ("http://user:secret@example.com/", Origin("http", "example.com", 80)),
        ("http://user@evil.example@example.com/", Origin("http", "example.com", 80)),
        ("http://bücher.example/", Origin("http", "xn--bcher-kva.example", 80)),
        ("http://BÜCHER.example/", Origin("http", "xn--bcher-kva.example", 80)),
        ("http://[::1]:8080/", Origin("http", "::1", 8080)),
        ("http://[2001:DB8::1]/", Origin("http", "2001:db8::1", 80)),
        ("http://127.0.0.1?q", Origin("http", "127.0.0.1", 80)),
        ("http://example.com#/not/a/path", Origin("http", "example.com", 80)),
    ],
)
def test_an_origin_is_scheme_host_and_effective_port(url: str, origin: Origin) -> None:
    assert Origin.from_url(url) == origin


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("/page", "expected an absolute URL"),
        ("", "expected an absolute URL"),
        ("mailto:a@example.com", "expected an absolute URL"),
        ("gopher://example.com/", "no origin for scheme 'gopher'"),
        ("http:///page", "no host"),
        ("http://./page", "no host"),
        ("http://:80/", "no host"),
        ("http://example.com:99999/", "bad host or port"),
        ("http://example.com:http/", "bad host or port"),
        ("http://[::1/", "bad host or port"),
        ("http://a\x1b.example/", "control characters"),
        ("http://ü" + "a" * 70 + ".example/", "cannot be encoded for DNS"),
    ],
)
def test_what_has_no_origin_says_why(url: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        Origin.from_url(url)


@pytest.mark.parametrize(
    ("origin", "robots_url"),
    [
        (Origin("https", "example.com", 443), "https://example.com/robots.txt"),
        (Origin("https", "example.com", 8443), "https://example.com:8443/robots.txt"),
        (Origin("http", "::1", 80), "http://[::1]/robots.txt"),
        (Origin("ftp", "::1", 2121), "ftp://[::1]:2121/robots.txt"),
    ],
)
def test_where_the_robots_txt_of_an_origin_is(origin: Origin, robots_url: str) -> None:
    assert origin.robots_url == robots_url


netlocs = st.one_of(st.text(), st.from_regex(r"[a-zA-Z0-9.\-üß。\[\]:@%]+(:[0-9]{0,5})?", fullmatch=True))


@given(st.sampled_from(["http", "HTTPS", "ftp"]), netlocs, st.text())
@example("http", ".", "/")
@example("http", "a。", "/")
def test_any_text_has_an_origin_that_its_own_spelling_names_or_raises_value_error(
    scheme: str, netloc: str, rest: str
) -> None:
    try:
        origin = Origin.from_url(f"{scheme}://{netloc}/{rest}")
    except ValueError:
        return
    assert Origin.from_url(origin.robots_url) == origin
    assert str(origin).isascii()
    assert str(origin).isprintable()
    assert str(origin) == str(origin).lower()


@given(st.text())
def test_any_other_text_raises_nothing_but_value_error(url: str) -> None:
    with suppress(ValueError):
        Origin.from_url(url)


@pytest.mark.parametrize(
    ("address", "private"),
    [
        ("127.0.0.1", True),
        ("10.1.2.3", True),
        ("192.168.0.1", True),
        ("169.254.169.254", True),
        ("0.0.0.0", True),
        ("100.64.0.1", True),
        ("::1", True),
        ("fe80::1%eth0", True),
        ("fd00::1", True),
        ("::ffff:10.0.0.1", True),
        ("::ffff:93.184.215.14", False),
        ("93.184.215.14", False),
        ("2606:2800:21f:cb07:6820:80da:af6b:8b2c", False),
        ("example.com", False),
        ("", False),
    ],
)
def test_which_addresses_are_not_of_the_public_internet(address: str, private: bool) -> None:
    assert is_private_address(address) is private
