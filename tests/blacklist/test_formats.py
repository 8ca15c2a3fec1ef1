"""Each format with lines as they stand in lists that people have."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrapy_polite.blacklist.entries import Entry, Kind, Malformed
from scrapy_polite.blacklist.formats import FORMATS, Unsupported, plain, recognised
from scrapy_polite.blacklist.regexes import NoRegexEngine

needs_re2 = pytest.mark.skipif(importlib.util.find_spec("re2") is None, reason="google-re2 is not installed")


def entries(format_name: str, line: str) -> list[str]:
    """As our own format writes them."""
    return [str(entry) for entry in FORMATS[format_name](line)]


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("example.com", Entry(Kind.HOST, "example.com")),
        ("EXAMPLE.com.", Entry(Kind.HOST, "example.com")),
        (".example.com", Entry(Kind.HOST, "example.com")),
        ("*.example.com", Entry(Kind.HOST, "example.com")),
        ("bücher.example", Entry(Kind.HOST, "xn--bcher-kva.example")),
        ("localhost", Entry(Kind.HOST, "localhost")),
        ("_dmarc.example.com # why", Entry(Kind.HOST, "_dmarc.example.com")),
        ("=example.com", Entry(Kind.EXACT_HOST, "example.com")),
        ("http://example.com/", Entry(Kind.EXACT_HOST, "example.com")),
        ("https://example.com/a*", Entry(Kind.PREFIX, "example.com/a")),
        ("https://example.com/a?*", Entry(Kind.PREFIX, "example.com/a?")),
        ("https://*.example.com/*", Entry(Kind.HOST, "example.com")),
        ("https://example.com/a%2A", Entry(Kind.PREFIX, "example.com/a%2A")),
        ("https://example.com", Entry(Kind.EXACT_HOST, "example.com")),
        ("10.0.0.0/8", Entry(Kind.RANGE, "10.0.0.0/8")),
        ("10.1.2.3/8", Entry(Kind.RANGE, "10.0.0.0/8")),
        ("10.1.2.3", Entry(Kind.RANGE, "10.1.2.3/32")),
        ("0x7f.1", Entry(Kind.RANGE, "127.0.0.1/32")),
        ("2001:DB8::/32", Entry(Kind.RANGE, "2001:db8::/32")),
        ("2001:db8::1", Entry(Kind.RANGE, "2001:db8::1/128")),
        ("[2001:db8::1]", Entry(Kind.RANGE, "2001:db8::1/128")),
        ("::ffff:10.0.0.0/104", Entry(Kind.RANGE, "10.0.0.0/8")),
        ("::ffff:10.0.0.1", Entry(Kind.RANGE, "10.0.0.1/32")),
        ("http://example.com/a", Entry(Kind.PREFIX, "example.com/a")),
        ("https://example.com:443/a", Entry(Kind.PREFIX, "example.com/a")),
        ("http://example.com:8080/", Entry(Kind.PREFIX, "example.com:8080/")),
        ("example.com/a?b=http://c.example/", Entry(Kind.PREFIX, "example.com/a?b=http://c.example/")),
        ("example.com/%7Ea/../ü", Entry(Kind.PREFIX, "example.com/%C3%BC")),
        (".example.com/a", Entry(Kind.PREFIX, ".example.com/a")),
        ("example.com/a?", Entry(Kind.PREFIX, "example.com/a?")),
        ("http://example.com/?", Entry(Kind.PREFIX, "example.com/?")),
        ("=example.com/a?", Entry(Kind.URL, "example.com/a")),
        ("example.com:8080", Entry(Kind.PREFIX, ".example.com:8080/")),
        ("http://10.0.0.1/24", Entry(Kind.PREFIX, "10.0.0.1/24")),
        ("=http://example.com/a?b", Entry(Kind.URL, "example.com/a?b")),
        ("!example.com", Entry(Kind.HOST, "example.com", exception=True)),
        ("! =example.com", Entry(Kind.EXACT_HOST, "example.com", exception=True)),
        ("!10.0.0.0/8", Entry(Kind.RANGE, "10.0.0.0/8", exception=True)),
        ("!example.com/a", Entry(Kind.PREFIX, "example.com/a", exception=True)),
    ],
)
def test_our_own_format(line: str, entry: Entry) -> None:
    assert list(plain(line)) == [entry]


def test_comments_begin_with_a_semicolon_in_lists_of_networks() -> None:
    lines = ["; Spamhaus DROP List", "192.0.2.0/24 ; SBL1", "198.51.100.0/24 ; SBL2"]
    assert recognised(lines) == "plain"
    assert [entry.text for line in lines for entry in plain(line)] == ["192.0.2.0/24", "198.51.100.0/24"]


def test_a_name_that_the_two_idna_standards_encode_differently_is_both() -> None:
    assert entries("plain", "faß.example") == ["fass.example", "xn--fa-hia.example"]


@needs_re2
@pytest.mark.parametrize(
    ("line", "pattern"),
    [
        (r"/[?&]share=/", "[?&]share="),
        ("/a b # c/", "a b # c"),
        ("/Ads/i", "(?i)Ads"),
        ("!/a/", "a"),
        ("/a/i # b", "(?i)a"),
    ],
)
def test_regular_expressions_of_our_own_format(line: str, pattern: str) -> None:
    assert [(entry.kind, entry.text) for entry in plain(line)] == [(Kind.REGEX, pattern)]


@pytest.mark.parametrize(
    "line",
    [
        "<!DOCTYPE html>",
        "<p>",
        "two words",
        "exa mple.com/a",
        "ads..example.com",
        "256.0.0.1",
        "10.0.0.0/33",
        "2001:db8::/129",
        "http://",
        "gopher://example.com/a",
        "mailto:a@example.com",
        "!",
        "!!example.com",
        "=",
        "/",
        "/a",
        "//",
        "a" * 64 + ".example",
        "*",
        "ads*.example.com",
        "https://example.com*",
        "\x00\x01",
        "example.com\x00",
    ],
)
def test_what_is_no_line_of_our_own_format(line: str) -> None:
    with pytest.raises(Malformed):
        plain(line)


@pytest.mark.parametrize("line", [r"/(?=a)\1/", r"/\Qa/", "/a)(?:b/"], ids=["RE2", "quotes others", "closes others"])
def test_an_expression_that_re2_cannot_take_is_malformed(line: str) -> None:
    with pytest.raises((Malformed, NoRegexEngine)):
        plain(line)


SAMPLES = {
    "hosts": [
        ("# Title: StevenBlack/hosts", []),
        ("127.0.0.1 localhost", []),
        ("127.0.0.1 localhost.localdomain", []),
        ("255.255.255.255 broadcasthost", []),
        ("fe80::1%lo0 localhost", []),
        ("ff02::2 ip6-allrouters", []),
        ("0.0.0.0 0.0.0.0", []),
        ("0.0.0.0 ads.example.com", ["=ads.example.com"]),
        ("127.0.0.1\tads.example.com\tads.example.net # both", ["=ads.example.com", "=ads.example.net"]),
        ("::1 ads.example.com", ["=ads.example.com"]),
        ("192.168.1.10 nas.example.com", Unsupported),
        ("ads.example.com", Malformed),
        ("0.0.0.0 <p>", Malformed),
    ],
    "squid": [
        ("# blackweb", []),
        (".example.com", ["example.com"]),
        ("example.com", ["=example.com"]),
        (".xn--bcher-kva.example  # why", ["xn--bcher-kva.example"]),
        ("10.0.0.1", ["10.0.0.1/32"]),
        ("..example.com", Malformed),
    ],
    "dnsmasq": [
        ("# comment", []),
        ("address=/ads.example.com/0.0.0.0", ["ads.example.com"]),
        ("address=/ads.example.com/ads.example.net/::", ["ads.example.com", "ads.example.net"]),
        ("address=/ads.example.com/#", ["ads.example.com"]),
        ("address=/ads.example.com/", ["ads.example.com"]),
        ("local=/ads.example.com/", ["ads.example.com"]),
        ("server=/ads.example.com/", ["ads.example.com"]),
        ("server=/good.example.com/#", ["!good.example.com"]),
        ("server=/good.example.com/9.9.9.9 # why", ["!good.example.com"]),
        ("address=/#/0.0.0.0", Unsupported),
        ("cache-size=1000", Unsupported),
        ("bogus-priv", Unsupported),
        ("ads.example.com 1", Malformed),
    ],
    "adguard": [
        ("[Adblock Plus 2.0]", []),
        ("! Title: AdGuard DNS filter", []),
        ("# comment", []),
        ("||ads.example.com^", ["ads.example.com"]),
        ("||ads.example.com^|", ["ads.example.com"]),
        ("||ads.example.com", ["ads.example.com"]),
        ("||10.0.0.1^", ["10.0.0.1/32"]),
        ("||ads.example.com^$important", ["ads.example.com"]),
        ("||ads.example.com^$document,all", ["ads.example.com"]),
        ("||example.com/ads/", [".example.com/ads/"]),
        ("||example.com:8080^", [".example.com:8080/"]),
        ("|https://example.com/ads", ["example.com/ads"]),
        ("|https://example.com/ads|", ["=example.com/ads"]),
        ("@@||good.example.com^", ["!good.example.com"]),
        ("@@||good.example.com^|$important", ["!good.example.com"]),
        ("0.0.0.0 ads.example.com", ["=ads.example.com"]),
        ("ads.example.com", ["=ads.example.com"]),
        ("||ads.example.com^$third-party", Unsupported),
        ("||ads.example.com^$denyallow=a.com|b.com", Unsupported),
        ("||ads.example.com^$badfilter", Unsupported),
        ("||ads*.example.com^", Unsupported),
        ("||*.example.com^", Unsupported),
        ("||ads.", Unsupported),
        ("||^", Malformed),
        ("||example.com/ads^", Unsupported),
        ("&ad_type=", Unsupported),
        ("-banner-$image", Unsupported),
        ("example.com##.ad", Unsupported),
        ("##.ad", Unsupported),
        ("#@#.ad", Unsupported),
    ],
    "ublacklist": [
        ("---", []),
        ("name: My list", []),
        ("# comment", []),
        ("*://*.example.com/*", ["example.com"]),
        ("*://example.com/*", ["=example.com"]),
        ("https://www.example.com/*", ["=www.example.com"]),
        ("*://*.example.com/spam/*", [".example.com/spam/"]),
        ("*://example.com/spam*", ["example.com/spam"]),
        ("*://example.com/spam", ["=example.com/spam"]),
        ("*://*.example.com/spam", ["=.example.com/spam"]),
        ("@*://good.example.com/*", ["!=good.example.com"]),
        ("@ *://good.example.com/*", ["!=good.example.com"]),
        ("@1*://nice.example.com/*", Unsupported),
        ("*://*/*", Unsupported),
        ("*://*.example.com/a/*/b", Unsupported),
        ("title/casino/", Unsupported),
        ("<all_urls>", Unsupported),
        ("*://exa_*.com/*", Unsupported),
    ],
    "urls": [
        ("example.com/~user", ["example.com/~user", "www.example.com/~user"]),
        ("www.example.com/a", ["example.com/a", "www.example.com/a"]),
        ("10.0.0.1/a", ["10.0.0.1/a"]),
        ("example.com", ["example.com"]),
        ("# comment", []),
    ],
    "exact": [
        ("# URLhaus", []),
        ("http://10.0.0.1:8080/bin.sh", ["=10.0.0.1:8080/bin.sh"]),
        ("https://example.com", ["=example.com/"]),
        ("https://example.com/a?b=c#d", ["=example.com/a?b=c"]),
        ("two words", Malformed),
    ],
}


@pytest.mark.parametrize(
    ("format_name", "line", "meaning"),
    [(name, line, meaning) for name, lines in SAMPLES.items() for line, meaning in lines],
)
def test_formats_that_people_have(format_name: str, line: str, meaning: list[str] | type[Exception]) -> None:
    if isinstance(meaning, list):
        assert entries(format_name, line) == meaning
    else:
        with pytest.raises(meaning):
            FORMATS[format_name](line)


@needs_re2
@pytest.mark.parametrize(
    ("format_name", "line", "entry"),
    [
        ("adguard", r"/^ads?\d*\./", r"/(?i)^ads?\d*\./"),
        ("adguard", "@@/good/", "!/(?i)good/"),
        ("ublacklist", r"/example\.(net|org)/", r"/example\.(net|org)/"),
        ("ublacklist", r"@/example\.net/i", r"!/(?i)example\.net/"),
        ("expressions", "(^|[-_/])(casino|poker)s?([-_/]|$)", "/(?i)(^|[-_/])(casino|poker)s?([-_/]|$)/"),
    ],
)
def test_regular_expressions_of_other_formats(format_name: str, line: str, entry: str) -> None:
    assert entries(format_name, line) == [entry]


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        (["# hosts", "127.0.0.1 localhost", "::1 localhost", "0.0.0.0 ads.example.com"], "hosts"),
        ([".example.com", ".example.net", "example.org"], "squid"),
        (["# dnsmasq", "address=/ads.example.com/0.0.0.0", "address=/ads.example.net/0.0.0.0"], "dnsmasq"),
        (["[Adblock Plus 2.0]", "! Title: a list", "example.com##.ad"], "adguard"),
        (["! Title: a list", "||ads.example.com^", "@@||good.example.com^"], "adguard"),
        (["---", "name: a list", "---", "*://*.example.com/*"], "ublacklist"),
        (["*://*.example.com/*", "# comment", "@*://good.example.com/*"], "ublacklist"),
        (["example.com", "!good.example.com", "=example.net", "10.0.0.0/8"], "plain"),
        (["http://example.com/a", "http://example.net/b"], "plain"),
        (["# nothing"], "plain"),
        ([], "plain"),
    ],
)
def test_a_format_is_recognised_by_its_first_lines(lines: list[str], name: str) -> None:
    assert recognised(lines) == name


hosts = st.from_regex(r"[a-z]([a-z0-9-]{0,10}[a-z0-9])?(\.[a-z]([a-z0-9]{0,10}))*", fullmatch=True)
paths = st.from_regex(r"/[a-zA-Z0-9~/._?=&%-]*", fullmatch=True)
texts = st.one_of(
    hosts,
    st.ip_addresses().map(str),
    st.builds("{}{}".format, hosts, paths),
    st.builds("{}:{}{}".format, hosts, st.integers(1, 65535), paths),
    st.builds(".{}{}".format, hosts, paths),
    st.builds("{}/{}".format, st.ip_addresses(v=4), st.integers(0, 32)),
    st.builds("http://{}{}".format, st.ip_addresses(v=4), paths),
)


@given(st.sampled_from(["", "!", "=", "!="]), texts)
def test_an_entry_as_our_own_format_writes_it_is_that_entry(mark: str, text: str) -> None:
    try:
        entries = plain(mark + text)
    except Malformed:
        return
    for entry in entries:
        assert list(plain(str(entry))) == [entry]


@pytest.mark.parametrize("format_name", FORMATS)
@given(line=st.one_of(st.text(min_size=1), st.text(alphabet="|@!=*#$^/:.ab1 [](){}?+\\", min_size=1)))
@example(line="\ufffd")
@example(line="||")
@example(line="@@")
@example(line="@")
@example(line="address=//")
@example(line=".")
def test_any_line_is_entries_or_refused(format_name: str, line: str) -> None:
    line = line.strip()
    if not line:
        return
    found: Sequence[Entry] = ()
    with suppress(Malformed, Unsupported, NoRegexEngine):
        found = FORMATS[format_name](line)
    assert all(entry.text for entry in found)
