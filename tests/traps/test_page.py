"""What a page carries: its pieces, the digest of what it shows, and kinds of files told by how they begin."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_polite.traps.page import MAX_BYTES, Page, is_calendar, is_sitemap, of_bytes, of_markup, of_text

TEXT = b"<h1>Harbour</h1><p>Ships leave at noon.</p>"
#: No page of up to 1 MB may hold the loop for more than 100 ms; the machines of tests are slow.
MAX_S = 1.0


@pytest.mark.parametrize(
    ("body", "pieces"),
    [
        pytest.param(b"", [], id="empty"),
        pytest.param(b"words", [b"words"], id="text alone"),
        pytest.param(b"<p>one<br>two</p>", [b"<p>", b"one", b"<br>", b"two", b"</p>"], id="text and tags"),
        pytest.param(b"<p>\n \t</p>", [b"<p>", b"</p>"], id="white space"),
        pytest.param(b"<a href='/x' title=y>", [b"<a href='/x' title=y>"], id="a tag with its attributes"),
        pytest.param(b"<a href='/x", [b"<a href='/x"], id="a tag without an end"),
        pytest.param(b"one < two", [b"one ", b"two"], id="a sign that begins no tag"),
        pytest.param(b"<script>{x: 1}</script>", [b"<script>", b"{x: 1}", b"</script>"], id="data of a script"),
        pytest.param(b"if (a < b) <b>x</b>", [b"if (a ", b"b)  x "], id="a sign before a tag"),
        pytest.param(b"<a><![CDATA[<b>one</b> & two]]></a>", [b"<a>", b"one  & two]]>", b"</a>"], id="CDATA"),
        pytest.param(b"a<!-- b -->c", [b"ac"], id="comment"),
        pytest.param(b"a<!-- b --!>c", [b"ac"], id="comment with another end"),
        pytest.param(
            b"<p>a<!-- <td>7</td> -->c", [b"<p>", b"ac ", b"<td>", b"7", b"</td>"], id="comment that is markup"
        ),
        pytest.param(
            b"<script>" + b"x" * 4_000 + b'{"a": 1, "b": [2]}</script>',
            [b"<script>", b"x" * 4_000, b'"a": 1', b' "b": ', b"2", b"</script>"],
            id="values of long data",
        ),
        pytest.param(
            b"<p>" + b"<b>long</b> word " * 500 + b",7</p>",
            [b"<p>", b"long  word  " * 333 + b"long", b"  word " + b" long  word " * 166, b"7", b"</p>"],
            id="values of a long text with tags in it",
        ),
        pytest.param(
            b"<div data-page='" + b"x" * 4_000 + b"a,b'>",
            [b"<div data-page='" + b"x" * 3_984, b"x" * 16 + b"a", b"b'>"],
            id="values of a long attribute",
        ),
        pytest.param(b"a<!-- <b> > -- -->c", [b"ac"], id="comment with tags"),
        pytest.param(b"a<!--b--><!--c-->d", [b"ad"], id="two comments"),
        pytest.param(b'a<!-- {"b": 7} -->c', [b'ac {"b": 7} '], id="comment that is data"),
        pytest.param(b"a<!-->b", [b"ab"], id="the shortest comment"),
        pytest.param(b"a<!--->b", [b"ab"], id="the next shortest comment"),
        pytest.param(b"a<!-- b", [b"a"], id="comment without an end"),
        pytest.param("größer".encode("latin-1"), ["größer".encode("latin-1")], id="another encoding"),
    ],
)
def test_a_page_is_cut_at_its_tags(body: bytes, pieces: list[bytes]) -> None:
    assert of_markup(body).pieces == pieces


@pytest.mark.parametrize(
    ("body", "pieces"),
    [
        pytest.param(b"", [], id="empty"),
        pytest.param(b"one\ntwo\r\nthree", [b"one", b"two", b"three"], id="lines"),
        pytest.param(b'{"a": [1, 2], "b": {}}', [b'"a": ', b"1", b" 2", b' "b": '], id="JSON"),
        pytest.param(b"one, two", [b"one", b" two"], id="commas"),
        pytest.param(b"<p>one", [b"<p>one"], id="tags are text"),
    ],
)
def test_json_and_plain_text_are_cut_at_lines_commas_and_brackets(body: bytes, pieces: list[bytes]) -> None:
    assert of_text(body).pieces == pieces


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(TEXT.replace(b"<h1>", b"<a href=/other><h1>"), id="another link"),
        pytest.param(TEXT.replace(b"<p>", b"<p id=p7>"), id="id of a paragraph"),
        pytest.param(TEXT + b"<!-- generated at 10:15 -->", id="a comment"),
        pytest.param(TEXT.replace(b"><", b">\n<"), id="line ends between tags"),
        pytest.param(TEXT + b"<input type=hidden name=csrf value=a81f0c22>", id="a hidden field"),
    ],
)
def test_another_page_that_shows_the_same_is_the_same(body: bytes) -> None:
    assert of_markup(body).exact == of_markup(TEXT).exact


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("a word", "another word", id="words"),
        pytest.param("17", "18", id="figures"),
        pytest.param("<xml><name><![CDATA[one]]></name>", "<xml><name><![CDATA[two]]></name>", id="CDATA"),
        pytest.param("<div class='wp on-54'>", "<div class='bp on-33'>", id="class"),
        pytest.param("<li data-price=7>", "<li data-price=8>", id="data of a list"),
        pytest.param("<input readonly value=7>", "<input readonly value=8>", id="field"),
        pytest.param("<input value='hidden cave'>", "<input value='hidden bay'>", id="field that shows a word"),
        pytest.param("<input type=radio checked>", "<input type=radio>", id="choice"),
        pytest.param("<option selected>one<option>two", "<option>one<option selected>two", id="option"),
        pytest.param("<area coords='1,2' href='/a'>", "<area coords='1,3' href='/a'>", id="area"),
        pytest.param("<a href='/a' title=one>x</a>", "<a href='/a' title=two>x</a>", id="title of a link"),
        pytest.param("<a title=one href='/a'>x</a>", "<a title=two href='/a'>x</a>", id="title before a reference"),
        pytest.param("<book title=one>", "<book title=two>", id="XML"),
        pytest.param("<!-- <td>7</td> -->", "<!-- <td>8</td> -->", id="markup in a comment"),
        pytest.param("<p>left<p>right", "<p>right<p>left", id="order"),
        pytest.param("<img src='/a.png'>", "<img src='/b.png'>", id="picture"),
        pytest.param("<IMG SRC='/a.php?f=1'>", "<IMG SRC='/a.php?f=2'>", id="picture by a query"),
        pytest.param("<source srcset='/a.webp 2x'>", "<source srcset='/b.webp 2x'>", id="source"),
        pytest.param("<video poster='/a.jpg'>", "<video poster='/b.jpg'>", id="video"),
        pytest.param("<audio src='/a.ogg'>", "<audio src='/b.ogg'>", id="audio"),
        pytest.param("<iframe src='/a'>", "<iframe src='/b'>", id="frame"),
        pytest.param("<embed src='/a'>", "<embed src='/b'>", id="embedded"),
        pytest.param("<object data='/a.svg'>", "<object data='/b.svg'>", id="object"),
        pytest.param(*(f"<script>{{'id': {at}}}</script>" for at in (1, 2)), id="data in a script"),
        pytest.param(*(f"<style>p{{color:{at}}}</style>" for at in ("red", "blue")), id="style sheet"),
    ],
)
def test_what_a_page_shows_makes_another_page(one: str, other: str) -> None:
    assert of_markup(TEXT + one.encode()).exact != of_markup(TEXT + other.encode()).exact


@pytest.mark.parametrize("read", [of_markup, of_text, of_bytes], ids=["markup", "text", "bytes"])
def test_the_end_of_a_long_page_counts(read: object) -> None:
    one, other = (read(b"<p>word</p>, " * 100_000 + end) for end in (b"one", b"two"))  # type: ignore[operator]
    assert one.exact != other.exact
    assert one.pieces[-1] != other.pieces[-1]


@pytest.mark.parametrize("read", [of_markup, of_text], ids=["markup", "text"])
def test_of_a_long_page_the_rest_is_one_piece(read: object) -> None:
    body = b"<b>1,\n" * (MAX_BYTES // 6 + 100_000)
    page = read(body)  # type: ignore[operator]
    assert page.pieces[-1] == body[MAX_BYTES:]
    assert len(page.pieces) <= MAX_BYTES
    assert read(body[:MAX_BYTES]).pieces == page.pieces[:-1]  # type: ignore[operator]


@pytest.mark.parametrize("bodies", [(b"\x89PNG 1", b"\x89PNG 2"), (b"<p>1", b"<p>2")], ids=["picture", "tags"])
def test_anything_else_is_one_piece(bodies: tuple[bytes, bytes]) -> None:
    one, other = map(of_bytes, bodies)
    assert len(one.pieces) == len(other.pieces) == 1
    assert one.pieces != other.pieces
    assert one.exact != other.exact
    assert of_bytes(bodies[0]).exact == one.exact


def test_the_encoding_is_kept() -> None:
    assert of_markup(b"", "windows-1251").encoding == "windows-1251"
    assert of_text(b"", "shift_jis").encoding == "shift_jis"


HOSTILE = {
    "comments without an end": b"<!--" * 250_000,
    "a million comments": b"<!---->" * 142_000,
    "a million signs": b"<" * MAX_BYTES,
    "a million ends": b">" * MAX_BYTES,
    "comments almost closed": b"<!--->" * 80_000 + b"<!-- --" * 70_000,
    "one tag with a great many attributes": b"<a " + b" ".join(b"a%d=1" % at for at in range(100_000)) + b">",
    "quotes without an end": b"<a b='" * 160_000,
    "spaces": b" " * MAX_BYTES,
    "zeros": bytes(MAX_BYTES),
    "commas": b"," * MAX_BYTES,
    "ten million bytes": b"<!--x" * 2_000_000,
    "beginnings of a sitemap": b"<urlset><loc>" * 70_000,
    "blanks within a sitemap": b"<urlset><loc>" + b" " * 900_000,
    "names within a sitemap": b"<urlset " + b"<aaaaaaaaaaaaaaaaaaaa" * 45_000,
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_a_page_that_is_made_to_take_long_is_read_at_once(body: bytes) -> None:
    begin = process_time()
    assert isinstance(of_markup(body).pieces, list)
    assert isinstance(of_text(body).pieces, list)
    is_sitemap(body)
    assert process_time() - begin < MAX_S


@given(st.binary(max_size=200) | st.text("<!->ab \n='\"/&", max_size=60).map(str.encode), st.text(max_size=10))
def test_no_body_raises(body: bytes, encoding: str) -> None:
    pages: list[Page] = [of_markup(body, encoding), of_text(body, encoding), of_bytes(body)]
    assert [page.encoding for page in pages] == [encoding, encoding, "ascii"]
    assert sum(map(len, pages[0].pieces)) <= len(body)
    assert sum(map(len, pages[1].pieces)) <= len(body)
    assert all(pages[0].pieces)
    is_calendar(body)
    is_sitemap(body)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", True),
        (b"begin:vcalendar\n", True),
        (b"<p>BEGIN:VCALENDAR", False),
        (b"BEGIN:VCARD\r\n", False),
        (b"", False),
    ],
)
def test_a_calendars_file_is_told_by_how_it_begins(body: bytes, expected: bool) -> None:
    assert is_calendar(body) is expected


@pytest.mark.parametrize(
    ("body", "lists"),
    [
        pytest.param(b"<urlset><url>", True, id="sitemap"),
        pytest.param(b"<?xml version='1.0'?>\n<urlset xmlns='x'>", True, id="with a head"),
        pytest.param(b"<s:urlset xmlns:s='x'><s:loc>http://example.com/</s:loc>", True, id="with a prefix"),
        pytest.param(b"<sitemapindex><sitemap>", False, id="index of sitemaps"),
        pytest.param(b"<html><loc>http://example.com/</loc></html>", False, id="another document"),
        pytest.param(b" " * 3_000 + b"<urlset>", False, id="far down"),
    ],
)
def test_a_sitemap_lists_pages_and_an_index_of_sitemaps_does_not(body: bytes, lists: bool) -> None:
    assert is_sitemap(body) is lists


@pytest.mark.parametrize(
    "begin",
    [b"<span class=a", b"<b id='", b'<i class="x" ', b"<em\n", b"<time dir = "],
    ids=lambda begin: begin.decode(),
)
def test_tags_within_text_that_never_end_take_no_time(begin: bytes) -> None:
    assert of_markup(begin * 20_000).pieces
