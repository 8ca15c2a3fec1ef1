from __future__ import annotations

import lzma
import os
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrapy_polite.visited.canonical import CleanParam, KeyOptions, clean_params, key

CORPUS = Path(os.environ.get("POLITE_CORPUS") or Path(__file__).parents[2].parent / "shared" / "corpus")
URLS = CORPUS / "urls" / "real_urls.txt.xz"
ALL = KeyOptions(
    **dict.fromkeys(("case", "index", "www", "scheme", "slash", "clean_param"), True),
    clean_params=clean_params(("ref&from /", "b /a/*/c")),
)
SHOP = "https://shop.example/a"
TOKEN = "a3f09b77c1d24e5f8a90b1c2d3e4f506"


@pytest.mark.parametrize(
    ("url", "same_as"),
    [
        # RFC 3986 §6.2.2.1, case
        ("HTTPS://Shop.Example/a", SHOP),
        ("https://shop.example/%c3%a9", "https://shop.example/%C3%A9"),
        # §3.2.2 with RFC 3490: the host as it is looked up
        ("https://münchen.example/", "https://xn--mnchen-3ya.example/"),
        ("https://MÜNCHEN.example/", "https://xn--mnchen-3ya.example/"),
        ("https://shop.example./a", SHOP),
        ("https://[2001:DB8::1]/", "https://[2001:db8::1]/"),
        # §6.2.2.2, escapes; §2.5, what is above ASCII
        ("https://shop.example/%7Ebob/%2Dx", "https://shop.example/~bob/-x"),
        ("https://shop.example/%61", SHOP),
        ("https://shop.example/é", "https://shop.example/%C3%A9"),
        ("https://shop.example/a b", "https://shop.example/a%20b"),
        (f"{SHOP}?%61=1", f"{SHOP}?a=1"),
        # §6.2.2.3 and §5.2.4, dot segments
        ("https://shop.example/x/./y/../../a", SHOP),
        ("https://shop.example/../a", SHOP),
        ("https://shop.example/a/.", "https://shop.example/a/"),
        ("https://shop.example/a/b/..", "https://shop.example/a/"),
        ("https://shop.example/x/%2E%2e/a", SHOP),
        # §6.2.3, scheme
        ("https://shop.example", "https://shop.example/"),
        ("https://shop.example?x=1", "https://shop.example/?x=1"),
        ("https://shop.example:443/a", SHOP),
        ("http://shop.example:80/a", "http://shop.example/a"),
        ("https://shop.example:/a", SHOP),
        # §6.1: a fragment is not sent
        (f"{SHOP}#part", SHOP),
        (f"{SHOP}?b=1#!x?y", f"{SHOP}?b=1"),
        # queries
        (f"{SHOP}?b=2&a=1", f"{SHOP}?a=1&b=2"),
        (f"{SHOP}?&a=1&&b=2&=", f"{SHOP}?a=1&b=2"),
        (f"{SHOP}?", SHOP),
        (f"{SHOP}?&&", SHOP),
        (f"{SHOP}?b=2&a=1&b=1", f"{SHOP}?a=1&b=2&b=1"),
        # sessions
        (f"{SHOP};jsessionid={TOKEN}", SHOP),
        (f"{SHOP};JSESSIONID={TOKEN.upper()}.node1?x=1", f"{SHOP}?x=1"),
        (f"https://shop.example/a;v=1;jsessionid={TOKEN};w=2/b", "https://shop.example/a;v=1;w=2/b"),
        (f"{SHOP}?PHPSESSID=8r53nra5m7lpph7tbivvrdvcl2&id=7", f"{SHOP}?id=7"),
        (f"{SHOP}?sid={TOKEN}", SHOP),
        (f"{SHOP}?x=1&sessionid={TOKEN}", f"{SHOP}?x=1"),
        (f"{SHOP}?ASPSESSIONIDQQRTSQBA=LDFIOCJBLGNEOKFPCNHFGLAD", SHOP),
        (f"{SHOP}?CFID=9780600&CFTOKEN=77012708&id=7", f"{SHOP}?id=7"),
        ("https://shop.example/(S(lit3py55t21z5v55vlm25s55))/a", SHOP),
        ("https://shop.example/(X(1)S(lit3py55t21z5v55vlm25s55))/a", SHOP),
        # tracking
        (f"{SHOP}?utm_source=feed&utm_medium=rss&id=7", f"{SHOP}?id=7"),
        (f"{SHOP}?gclid=EAIaIQ&fbclid=IwAR0&msclkid=1", SHOP),
        (f"{SHOP}?id=7&UTM_Campaign=x", f"{SHOP}?id=7"),
    ],
)
def test_urls_of_one_page_have_one_key(url: str, same_as: str) -> None:
    assert key(url) == key(same_as)


@pytest.mark.parametrize(
    ("url", "other"),
    [
        (f"{SHOP}?a=1&b=2", f"{SHOP}?a=2&b=1"),
        (f"{SHOP}?a=1&a=2", f"{SHOP}?a=2&a=1"),
        (f"{SHOP}?a=1", f"{SHOP}?a=1&a=1"),
        (f"{SHOP}?a=1&b=2", f"{SHOP}?a=1%26b=2"),
        (f"{SHOP}?a=1", f"{SHOP}?a%3D1"),
        (f"{SHOP}?A=1", f"{SHOP}?a=1"),
        (f"{SHOP}?a=x", f"{SHOP}?a=X"),
        (f"{SHOP}?a", f"{SHOP}?a="),
        (f"{SHOP}?a=1;b=2", f"{SHOP}?a=1&b=2"),
        (f"{SHOP}?q=1+2", f"{SHOP}?q=1%2B2"),
        (f"{SHOP}?q=1+2", f"{SHOP}?q=1%202"),
        (f"{SHOP}?x", f"{SHOP}%3Fx"),
        (f"{SHOP}#x", f"{SHOP}%23x"),
        (SHOP, "https://shop.example/A"),
        (SHOP, f"{SHOP}/"),
        (SHOP, f"{SHOP}/index.html"),
        (SHOP, "http://shop.example/a"),
        (SHOP, "https://www.shop.example/a"),
        (SHOP, "https://shop.example:8443/a"),
        (SHOP, "https://bob@shop.example/a"),
        ("https://bob@shop.example/a", "https://Bob@shop.example/a"),
        (f"{SHOP}/b", f"{SHOP}%2Fb"),
        (f"{SHOP}/b", f"{SHOP}//b"),
        (f"{SHOP}/b", f"{SHOP}/./%2Fb"),
        (f"{SHOP}/%252F", f"{SHOP}/%2F"),
        (f"{SHOP}/%2541", f"{SHOP}/%41"),
        (f"{SHOP}/%C3%A9", f"{SHOP}/%E9"),
        (f"{SHOP}/...", f"{SHOP}/"),
        (f"{SHOP}?p=/x/../y", f"{SHOP}?p=/y"),
        (f"{SHOP};v=1", f"{SHOP};v=2"),
        (f"{SHOP};jsessionid=off", f"{SHOP};jsessionid=on"),
        (f"{SHOP}?sid=1886", f"{SHOP}?sid=1887"),
        (f"{SHOP}?sid=1645243000000000001", f"{SHOP}?sid=1645243000000000002"),
        (f"{SHOP}?sid=introduction-to-part-1-of-3", f"{SHOP}?sid=introduction-to-part-2-of-3"),
        (f"{SHOP}?sessionid=openingceremony2", f"{SHOP}?sessionid=openingceremony3"),
        (f"{SHOP}?session_id=2f1b6e54-9c3a-4b7d-8a01-1c2d3e4f5a6b", SHOP),
        (f"{SHOP}?PHPSESSID=none", SHOP),
        (f"{SHOP}?CFID=1", f"{SHOP}?CFID=2"),
        (f"{SHOP}?s={TOKEN}", SHOP),
        (f"{SHOP}?utm_x=512000&utm_y=5400000", f"{SHOP}?utm_x=512001&utm_y=5400000"),
        (f"{SHOP}?ref=1", f"{SHOP}?ref=2"),
        (f"{SHOP}/utm_source=a", f"{SHOP}/utm_source=b"),
        ("https://shop.example/(S(short))/a", SHOP),
        ("https://shop.example/(film)/a", SHOP),
        ("https://shop.example.org/", "https://shop.example/"),
        ("data:,A", "data:,a"),
    ],
)
def test_near_misses_stay_apart(url: str, other: str) -> None:
    assert key(url) != key(other)


@pytest.mark.parametrize(
    ("option", "url", "same_as"),
    [
        ("case", "https://shop.example/A/%C3%A9?q=X", "https://shop.example/a/%c3%a9?q=X"),
        ("case", "https://shop.example/%41", "https://shop.example/a"),
        ("index", "https://shop.example/x/index.html", "https://shop.example/x/"),
        ("index", "https://shop.example/Default.aspx?id=7", "https://shop.example/?id=7"),
        ("www", "https://www.shop.example/a", SHOP),
        ("www", "https://www.shop.example:8443/a", "https://shop.example:8443/a"),
        ("scheme", "http://shop.example/a", SHOP),
        ("scheme", "http://shop.example:80/a", "https://shop.example:443/a"),
        ("slash", f"{SHOP}/", SHOP),
        ("slash", f"{SHOP}/?x=1", f"{SHOP}?x=1"),
    ],
)
def test_an_option_merges_what_is_apart_without_it(option: str, url: str, same_as: str) -> None:
    if key(url) == key(same_as):
        pytest.fail("they are one page by default")
    options = KeyOptions(**{option: True})
    assert key(url, options) == key(same_as, options)


@pytest.mark.parametrize(
    ("options", "url", "other"),
    [
        (KeyOptions(case=True), f"{SHOP}?q=x", f"{SHOP}?q=X"),
        (KeyOptions(index=True), f"{SHOP}/index-2.html", f"{SHOP}/"),
        (KeyOptions(index=True), f"{SHOP}/index.html/b", f"{SHOP}/b"),
        (KeyOptions(www=True), "https://www.com/", "https://com/"),
        (KeyOptions(scheme=True), "http://shop.example:8080/", "https://shop.example:8080/"),
        (KeyOptions(scheme=True), "ftp://shop.example/", "http://shop.example/"),
        (KeyOptions(slash=True), f"{SHOP}/", "https://shop.example/"),
        (KeyOptions(sessions=False), f"{SHOP}?sid={TOKEN}", SHOP),
        (KeyOptions(sessions=False), f"{SHOP};jsessionid={TOKEN}", SHOP),
        (KeyOptions(tracking=False), f"{SHOP}?utm_source=x", SHOP),
    ],
)
def test_an_option_merges_no_more_than_it_says(options: KeyOptions, url: str, other: str) -> None:
    assert key(url, options) != key(other, options)


@pytest.mark.parametrize(
    ("line", "url", "same"),
    [
        ("ref /a", f"{SHOP}?id=7&ref=x", True),
        ("ref&from /a", f"{SHOP}?from=y&id=7&ref=x", True),
        ("ref", f"{SHOP}?ref=x&id=7", True),
        ("ref /*.php", "https://shop.example/a/b.php?ref=1", True),
        ("ref /b", f"{SHOP}?id=7&ref=x", False),
        ("Ref /a", f"{SHOP}?id=7&ref=x", False),
        ("re /a", f"{SHOP}?id=7&ref=x", False),
        ("ref /*.php", f"{SHOP}?id=7&ref=x", False),
        ("", f"{SHOP}?id=7&ref=x", False),
        ("& /a", f"{SHOP}?id=7&=x", False),
    ],
)
def test_clean_param_leaves_out_what_the_site_declares(line: str, url: str, same: bool) -> None:
    options = KeyOptions(clean_params=clean_params((line,)))
    without = url.partition("?")[0] + ("?id=7" if "id=7" in url else "")
    assert (key(url, options) == key(without)) is same


def test_a_clean_param_without_names_is_none() -> None:
    assert CleanParam.read("&& /a") is None


@pytest.mark.parametrize(
    ("given_", "said"),
    [
        ({"cases": True}, "'cases' is no option; the options are sessions, tracking, case, index, www, scheme, slash"),
        ({"case": "yes"}, "'case' is 'yes', expected True or False"),
        ({"clean_params": ()}, "'clean_params' is no option"),
    ],
)
def test_options_say_what_is_wrong_with_them(given_: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        KeyOptions.read(given_)


_PIECES = st.sampled_from(
    [
        *(
            "http://",
            "HTTPS://",
            "ftp://",
            "data:",
            "://",
            "www.",
            "a.example",
            "münchen",
            "[::1]",
            ":80",
            ":x",
            "@",
            ".",
        ),
        *(
            "/",
            "//",
            "/..",
            "/.",
            "%2e",
            "%2F",
            "%",
            "%2",
            "%61",
            "%c3%a9",
            "é",
            "\ud800",
            "\n",
            " ",
            "\\",
            "\x00",
            "*",
        ),
        *(
            "/index.html",
            "/Index.php",
            ";jsessionid=",
            TOKEN,
            "/(S(lit3py55t21z5v55vlm25s55))",
            "/(",
            "A(",
            ")",
            ";v=1",
        ),
        *("?", "#", "&", "=", "a=1", "b", "sid=", "utm_source=", "CFID=1", "CFTOKEN=2", "PHPSESSID=", "ref=1", "+"),
    ]
)
_URLS = st.lists(_PIECES, max_size=14).map("".join) | st.text(max_size=40)
_HTTP_URLS = st.lists(_PIECES, max_size=14).map(lambda pieces: "http://www.a.example/" + "".join(pieces))


@given(_URLS | _HTTP_URLS, st.sampled_from([KeyOptions(), ALL, KeyOptions(slash=True), KeyOptions(index=True)]))
@example("http://a.example/%%361", KeyOptions())
@example(f"http://a.example/..;jsessionid={TOKEN}/b", KeyOptions())
@example("http://a.example/index.html/index.html", ALL)
@example("http://www.www.a.example/", ALL)
def test_the_key_of_a_key_is_itself_and_no_url_raises(url: str, options: KeyOptions) -> None:
    found = key(url, options)
    assert key(found, options) == found


@given(_HTTP_URLS)
def test_a_key_names_a_line_of_printable_ascii(url: str) -> None:
    assert key(url).isascii()
    assert key(url).isprintable()


def test_real_urls_are_merged_rarely() -> None:
    if not URLS.exists():
        pytest.skip(f"corpus not found at {CORPUS}: set POLITE_CORPUS")
    with lzma.open(URLS, "rt", encoding="utf-8") as lines:
        urls = {line.rstrip("\n") for line in lines}
    keys = {key(url) for url in urls}
    assert 0.995 < len(keys) / len(urls) < 1.0
