"""Whatever the spelling, one place: hosts as the WHATWG URL Standard §3.5 reads them, paths as RFC 3986 §6.2.2."""

from __future__ import annotations

import lzma
import os
from ipaddress import IPv4Address, ip_address
from itertools import islice
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scrapy import Request

from scrapy_polite.blacklist.hosts import Place, is_private, key, meant_addresses, normal_host, suffix_keys

CORPUS = Path(os.environ.get("POLITE_CORPUS") or Path(__file__).parents[2].parent / "shared" / "corpus")
URLS = CORPUS / "urls" / "real_urls.txt.xz"
FULL_WIDTH_PERCENT = "\uff05"


def full_width(text: str) -> str:
    return "".join(chr(ord(one) + 0xFEE0) if "!" <= one <= "~" else one for one in text)


@pytest.mark.parametrize(
    ("spelled", "host"),
    [
        ("Example.COM", "example.com"),
        ("example.com.", "example.com"),
        ("example.com..", "example.com"),
        ("ex%61mple.com", "example.com"),
        ("EX%41MPLE%2Ecom", "example.com"),
        (full_width("example.com"), "example.com"),
        ("example。com", "example.com"),
        ("exa\u00admp\u200ble.com", "example.com"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("BÜCHER.example", "xn--bcher-kva.example"),
        ("b%C3%BCcher.example", "xn--bcher-kva.example"),
        ("XN--BCHER-KVA.example", "xn--bcher-kva.example"),
        ("faß.example", "fass.example"),
        ("a_b.example", "a_b.example"),
        ("2130706433", "127.0.0.1"),
        ("0x7f.1", "127.0.0.1"),
        ("0X7F000001", "127.0.0.1"),
        ("0177.0.0.1", "127.0.0.1"),
        ("017700000001", "127.0.0.1"),
        ("127.1", "127.0.0.1"),
        ("127.0.1", "127.0.0.1"),
        ("0x7f.0x0.0x0.0x1.", "127.0.0.1"),
        (full_width("127.0.0.1"), "127.0.0.1"),
        ("①②⑦.0.0.1", "127.0.0.1"),
        ("%31%32%37.0.0.1", "127.0.0.1"),
        ("0", "0.0.0.0"),
        ("0x", "0.0.0.0"),
        ("255.255.255.255", "255.255.255.255"),
        ("4294967295", "255.255.255.255"),
        ("[::1]", "[::1]"),
        ("[0:0:0:0:0:0:0:1]", "[::1]"),
        ("[2001:DB8::00a]", "[2001:db8::a]"),
        ("2001:db8::a", "[2001:db8::a]"),
        ("[::ffff:127.0.0.1]", "127.0.0.1"),
        ("[::ffff:7f00:1]", "127.0.0.1"),
        ("[fe80::1%25eth0]", "[fe80::1]"),
        ("256.0.0.1", "256.0.0.1"),
        ("1.2.3.4.5", "1.2.3.4.5"),
        ("08.0.0.1", "08.0.0.1"),
        ("4294967296", "4294967296"),
        ("0x-1", "0x-1"),
        ("", ""),
        (".", ""),
        ("a b.example", ""),
        ("a%00.example", ""),
        ("a%2F.example", ""),
        ("%FF.example", ""),
        ("%\u00adef%bd%81.example", ""),
        ("[::1", "[::1]"),
        ("[::g]", ""),
        ("ü" * 70, ""),
        ("a." * 127 + "example", ""),
    ],
)
def test_a_host_has_one_spelling(spelled: str, host: str) -> None:
    assert normal_host(spelled) == host


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("http://example.com", "http://example.com/"),
        ("HTTP://Example.COM:80/", "http://example.com/"),
        ("https://example.com:443/a", "https://example.com/a"),
        ("http://example.com:8080/a", "http://example.com:8080/a"),
        ("http://example.com:08080/a", "http://example.com:8080/a"),
        ("http://example.com:/a", "http://example.com/a"),
        ("http://user:secret@example.com/a", "http://example.com/a"),
        ("http://good.example@example.com/a", "http://example.com/a"),
        ("http://a@b@example.com/a", "http://example.com/a"),
        (r"http://example.com\@good.example/", "http://example.com/@good.example/"),
        (r"http:\\example.com\a", "http://example.com/a"),
        ("http:/example.com/a", "http://example.com/a"),
        ("http:///example.com/a", "http://example.com/a"),
        ("  http://exam\tple.com/a\n", "http://example.com/a"),
        ("http://example.com?a=b", "http://example.com/?a=b"),
        ("http://example.com#@good.example", "http://example.com/"),
        ("http://example.com/a#b", "http://example.com/a"),
        ("http://example.com/%61%2f%7e/./b/../c", "http://example.com/a%2F~/c"),
        ("http://example.com/%2e%2E/a", "http://example.com/a"),
        ("http://example.com/ü b", "http://example.com/%C3%BC%20b"),
        ("http://example.com/a/..", "http://example.com/"),
        ("http://example.com/a?", "http://example.com/a"),
        ("http://example.com/a?b[]=[c]", "http://example.com/a?b%5B%5D=%5Bc%5D"),
        ("http://[::FFFF:127.0.0.1]:8080/", "http://127.0.0.1:8080/"),
        ("http://[::1]:8080/", "http://[::1]:8080/"),
    ],
)
def test_a_url_has_one_spelling(url: str, place: str) -> None:
    found = Place.of(url)
    assert found is not None
    assert found.url == place


@pytest.mark.parametrize("url", ["", "/a", "mailto:a@example.com", "data:,a", "http://", "http://?a", "http://a b/"])
def test_what_names_no_host_is_no_place(url: str) -> None:
    assert Place.of(url) is None


SPELLINGS = {
    "upper case": str.upper,
    "trailing dot": lambda host: host + ".",
    "percent": lambda host: "".join(f"%{octet:02x}" for octet in host.encode()),
    # Escapes are decoded before the rest is mapped (§3.5): in full width, or cut in two by a soft hyphen, one is none.
    "full width": lambda host: host if "%" in host else full_width(host),
    "soft hyphen": lambda host: "\u00ad" + host,
    "user": lambda host: f"user:p@{host}",
    "port": lambda host: f"{host}:80",
}
labels = st.from_regex(r"[a-z]([a-z0-9]{0,10}[a-z0-9])?", fullmatch=True)
names = st.lists(labels, min_size=1, max_size=5).map(".".join)


@given(names, st.permutations(sorted(SPELLINGS)), st.integers(1, 3))
@example("a", ["full width", "percent", "soft hyphen"], 3)
@example("a000000000.a0000000000", ["percent", "full width"], 2)
def test_spellings_of_a_name_lead_to_one_place(name: str, order: list[str], count: int) -> None:
    spelled = name
    # What belongs around a name is put around it last.
    for spelling in sorted(order[:count], key=["user", "port"].count):
        spelled = SPELLINGS[spelling](spelled)
    place = Place.of(f"http://{spelled}/")
    assert place is not None
    assert place.url == f"http://{name}/"


def number(value: int, base: int) -> str:
    return {8: f"0{value:o}", 10: f"{value}", 16: f"0x{value:x}"}[base]


@given(st.integers(0, 2**32 - 1), st.lists(st.sampled_from([8, 10, 16]), min_size=1, max_size=4))
def test_spellings_of_an_address_lead_to_one_place(value: int, bases: list[int]) -> None:
    octets = value.to_bytes(4, "big")
    last = int.from_bytes(octets[len(bases) - 1 :], "big")
    parts = [number(one, base) for one, base in zip([*octets[: len(bases) - 1], last], bases, strict=True)]
    assert normal_host(".".join(parts)) == str(IPv4Address(value))
    assert normal_host(f"[::ffff:{IPv4Address(value)}]") == str(IPv4Address(value))


netlocs = st.one_of(st.text(), st.from_regex(r"[a-zA-Z0-9.\-üß。\uff05\[\]:@%\\/]+", fullmatch=True))


@given(netlocs, st.text())
@example("\ud800%41", "\ud800?\ud800")
@example("a。", "")
@example("0x" + "f" * 200, "")
def test_any_text_has_a_place_that_its_own_spelling_names_or_none(netloc: str, rest: str) -> None:
    place = Place.of(f"http://{netloc}/{rest}")
    if place is None:
        return
    assert place.url.isascii()
    again = Place.of(place.url)
    assert again is not None
    assert (again.host, again.port) == (place.host, place.port)
    assert again.url == place.url


@given(netlocs, st.text(max_size=20))
@example(f"{FULL_WIDTH_PERCENT}41.example", "")
@example(":", "0")
def test_what_scrapy_makes_of_a_url_leads_to_the_same_host(netloc: str, rest: str) -> None:
    url = f"http://{netloc}/{rest}"
    try:
        request = Request(url)
        is_sent = bool(urlsplit(request.url).hostname)  # a browser takes the next segment, Scrapy connects to nothing
    except ValueError:
        return
    requested = Place.of(request.url)
    if requested and is_sent:
        place = Place.of(url)
        assert place is not None
        assert place.host == requested.host


def test_what_scrapy_makes_of_real_urls_leads_to_the_same_places() -> None:
    if not URLS.exists():
        pytest.skip(f"corpus not found at {CORPUS}: set POLITE_CORPUS")
    with lzma.open(URLS, "rt", encoding="utf-8") as lines:
        urls = [line.rstrip("\n") for line in islice(lines, 0, None, 10)]
    places = [(Place.of(url), Place.of(Request(url).url)) for url in urls]
    assert sum(place is None for place, _ in places) < 5
    assert all(place.url == requested.url for place, requested in places if place and requested)


@pytest.mark.parametrize(
    ("host", "private"),
    [
        ("127.0.0.1", True),
        ("0x7f.1", True),
        ("10.0.0.1", True),
        ("169.254.169.254", True),
        ("100.64.0.1", True),
        ("0.0.0.0", True),
        ("224.0.0.1", True),
        ("[::1]", True),
        ("::1", True),
        ("fe80::1%eth0", True),
        ("fd00::1", True),
        ("fec0::1", True),
        ("[::127.0.0.1]", True),
        ("64:ff9b:1::a00:1", True),
        ("ff02::1", True),
        ("::ffff:10.0.0.1", True),
        ("2002:a00:1::1", True),
        ("64:ff9b::a00:1", True),
        ("localhost", True),
        ("LOCALHOST.", True),
        ("a.localhost", True),
        ("93.184.215.14", False),
        ("64:ff9b::5db8:d70e", False),
        ("2606:2800:21f:cb07:6820:80da:af6b:8b2c", False),
        ("notlocalhost", False),
        ("example.com", False),
        ("", False),
    ],
)
def test_which_hosts_lie_outside_the_public_internet(host: str, private: bool) -> None:
    assert is_private(host) is private


@pytest.mark.parametrize(
    ("address", "meant"),
    [
        ("10.0.0.1", ["10.0.0.1"]),
        ("::ffff:10.0.0.1", ["10.0.0.1"]),
        ("2002:a00:1::1", ["2002:a00:1::1", "10.0.0.1"]),
        ("64:ff9b::a00:1", ["64:ff9b::a00:1", "10.0.0.1"]),
        ("2001:db8::1", ["2001:db8::1"]),
    ],
)
def test_an_address_means_the_one_it_leads_to(address: str, meant: list[str]) -> None:
    assert [str(one) for one in meant_addresses(ip_address(address))] == meant


def test_keys_of_a_host_are_those_of_the_domains_above_it() -> None:
    assert suffix_keys("a.b.example.com") == tuple(map(key, ["a.b.example.com", "b.example.com", "example.com"]))
    assert suffix_keys("localhost") == (key("localhost"),)
