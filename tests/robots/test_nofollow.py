"""Links that are not to be followed: those of which every occurrence says so."""

from __future__ import annotations

from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor

from scrapy_polite.links import MAX_LINKS
from scrapy_polite.robots.markup import Markup
from scrapy_polite.robots.nofollow import MAX_CHARACTERS, MAX_ELEMENTS, nofollow_links

URL = "http://example.com/folder/page?q=1"
X = "http://example.com/x"


def links(body: str, head: str = "", encoding: str = "utf-8") -> dict[str, str]:
    html = f"<html><head>{head}</head><body>{body}</body></html>"
    return nofollow_links(Markup(HtmlResponse(URL, body=html.encode(encoding), encoding=encoding)))


@pytest.mark.parametrize(
    ("rel", "says"),
    [
        ("nofollow", "nofollow"),
        ("ugc", "ugc"),
        ("sponsored", "sponsored"),
        ("NoFollow", "nofollow"),
        ("external nofollow noopener", "nofollow"),
        ("\n ugc\tnofollow ", "nofollow ugc"),
        ("nofollow,noopener", "nofollow"),
        ("noopener;nofollow", "nofollow"),
    ],
)
def test_rel_says_that_a_link_is_not_to_be_followed(rel: str, says: str) -> None:
    assert links(f'<a href="/x" rel="{rel}">x</a>') == {X: says}


@pytest.mark.parametrize("rel", ["", "noopener noreferrer", "follow", "dofollow", "nofollowing", "no follow"])
def test_any_other_rel_says_nothing_of_it(rel: str) -> None:
    assert links(f'<a href="/x" rel="{rel}">x</a>') == {}


@pytest.mark.parametrize(
    ("body", "found"),
    [
        pytest.param("<A HREF='/x' REL='NOFOLLOW'>", {X: "nofollow"}, id="upper case"),
        pytest.param("<a rel\n = nofollow href=/x>", {X: "nofollow"}, id="blanks around ="),
        pytest.param("<a rel='no&#102;ollow' href=/x>", {X: "nofollow"}, id="a character reference"),
        pytest.param("<a href=/x rel=nofollow rel=ugc>", {X: "nofollow"}, id="the first rel counts"),
        pytest.param("<a href=/x rel='' rel=ugc>", {}, id="the first rel counts, empty"),
        pytest.param("<a title='rel=' href=/x rel=nofollow>", {X: "nofollow"}, id="rel= in an attribute"),
        pytest.param("rel='<a href=/x rel=nofollow>", {X: "nofollow"}, id="rel= in a text"),
        pytest.param("<a href=/x title='rel=nofollow'>", {}, id="a rel in an attribute"),
        pytest.param("<a href=/x>rel=nofollow</a>", {}, id="a rel in a text"),
        pytest.param("<!-- <a href=/x rel=nofollow> -->", {}, id="in a comment"),
        pytest.param("<script>'<a href=/x rel=nofollow>'</script>", {}, id="in a script"),
        pytest.param("<noscript><a href=/x rel=nofollow></noscript>", {X: "nofollow"}, id="in noscript"),
        pytest.param("<p rel=nofollow href=/x>", {}, id="no link"),
        pytest.param("<a href='/x?a=1&copy=2&amp;b' rel=ugc>", {X + "?a=1&copy=2&b": "ugc"}, id="an URL's references"),
        pytest.param("<a href=/x rel=nofollow", {}, id="one that does not end"),
    ],
)
def test_rels_of_links_count_and_of_nothing_else(body: str, found: dict[str, str]) -> None:
    assert links(body) == found


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "iso-2022-jp", "shift_jis", "cp1252"])
def test_links_are_read_in_any_encoding(encoding: str) -> None:
    assert links("<a href='/x' rel=nofollow>x</a>", encoding=encoding) == {X: "nofollow"}


HOSTILE = [
    *(
        "<a",
        "<a ",
        "<a href=/x>",
        "<a rel=nofollow href=",
        "<a href='&lt' rel='&lt ugc'>",
        "<a href=//y/../é? rel=ugc>",
    ),
    *("<base href=/y>", "rel=", "rel= ", "rel='", "rel \n", "='", "&lt", "<", "<!--", "a=b ", "nofollow "),
]


@pytest.mark.parametrize("opened", ["", "<!--", "<a ", "<a href='", "<a rel='", "<p a='", "<script>"])
def test_a_link_before_hostile_text_is_read(opened: str) -> None:
    for piece in HOSTILE:
        found = links(f"<base href=/><a href=/z rel=nofollow>{opened}{piece * (200_000 // len(piece))}")
        assert found["http://example.com/z"] == "nofollow", piece


@pytest.mark.parametrize(
    "plain",
    [
        "<a href='/x'>x</a>",
        "<a href='/x' rel=noopener>x</a>",
        "<a href='/x#part'>x</a>",
        "<a href=' ../x '>x</a>",
        "<a href='http://EXAMPLE.com/x'>x</a>",
        "<map><area href='//example.com/x'></map>",
        "<iframe src='/x'></iframe>",
    ],
)
@pytest.mark.parametrize("first", [True, False], ids=["plain first", "plain last"])
def test_a_link_that_is_plain_elsewhere_is_followed(plain: str, first: bool) -> None:
    marked = "<a href='/x' rel=nofollow>x</a><a href='/y' rel=nofollow>y</a>"
    assert links(plain + marked if first else marked + plain) == {"http://example.com/y": "nofollow"}


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("b", "http://example.com/folder/b"),
        ("?page=2", "http://example.com/folder/page?page=2"),
        ("https://other.example/e#part", "https://other.example/e"),
        ("/a b", "http://example.com/a%20b"),
        ("/ä?q=ä", "http://example.com/%C3%A4?q=%E4"),
        ("http://EXAMPLE.com/UP", "http://example.com/UP"),
        ("/x?", "http://example.com/x"),
    ],
)
def test_keys_are_the_urls_of_scrapys_requests(href: str, url: str) -> None:
    body = f"<html><body><a href='{href}' rel=nofollow>x</a></body></html>".encode("latin-1")
    response = HtmlResponse(URL, body=body, encoding="latin-1")
    assert nofollow_links(Markup(response)) == {url: "nofollow"}
    assert [response.follow(link).url.partition("#")[0] for link in LinkExtractor().extract_links(response)] == [url]
    assert response.follow(response.css("a")[0]).url.partition("#")[0] == url


@pytest.mark.parametrize("href", ["#top", "", "mailto:a@example.com", "javascript:void(0)", "http://[bad/"])
def test_what_leads_to_no_page_is_left_out(href: str) -> None:
    assert links(f"<a href='{href}' rel=nofollow>x</a>") == {}


def test_the_first_base_counts() -> None:
    head = "<base target=_top><base href='http://base.example/deep/'><base href='http://late.example/'>"
    assert links("<a href=x rel=nofollow>x</a>", head) == {"http://base.example/deep/x": "nofollow"}


def test_links_of_xhtml_are_read_in_their_namespace() -> None:
    page = b"<html xmlns='http://www.w3.org/1999/xhtml'><body><a href='/x' rel='nofollow'/></body></html>"
    assert nofollow_links(Markup(HtmlResponse(URL, body=page, encoding="utf-8"))) == {X: "nofollow"}


@pytest.mark.parametrize(
    "before",
    [
        pytest.param("<a>x</a>" * MAX_ELEMENTS, id="elements"),
        pytest.param("".join(f"<a href='{number}'>x</a>" for number in range(MAX_LINKS)), id="links"),
        pytest.param(f"<a href='{'x' * MAX_CHARACTERS}'>x</a>", id="characters"),
    ],
)
def test_what_is_looked_at_is_bounded(before: str) -> None:
    marked = "<a href='/x' rel=nofollow>x</a>"
    assert X in links(marked + before)
    assert X not in links(before + marked)


@given(st.lists(st.tuples(st.text(max_size=40), st.sampled_from(("", "nofollow", "ugc,x"))), max_size=6), st.text())
def test_no_page_raises(hrefs: list[tuple[str, str]], base: str) -> None:
    body = "".join(f'<a href="{escape(href)}" rel="{rel}">x</a>' for href, rel in hrefs)
    found = links(body, f'<base href="{escape(base)}">')
    assert set(found.values()) <= {"nofollow", "ugc"}
