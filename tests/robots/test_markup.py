"""Tags as the HTML standard's tokenizer finds them; the cases name its states (§13.2.5) where it has one for them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy.http import HtmlResponse, Response, TextResponse

from scrapy_polite.robots.markup import MAX_BYTES, MAX_MARKS, Markup, attributes, of_response


def markup(body: bytes, encoding: str | None = "utf-8") -> Markup:
    return Markup(HtmlResponse("http://example.com/", body=body, encoding=encoding))


def told(html: str) -> list[tuple[str, dict[str, str]]]:
    page = markup(html.encode())
    return [
        (name.decode(), {key.decode(): page.text(value) for key, value in attributes(behind).items()})
        for _, name, behind in page.tags()
    ]


X = ("a", {"href": "x"})


@pytest.mark.parametrize(
    ("html", "values"),
    [
        pytest.param('<a href="x">', {"href": "x"}, id="double quotes"),
        pytest.param("<a href='x'>", {"href": "x"}, id="single quotes"),
        pytest.param("<a href=x>", {"href": "x"}, id="no quotes"),
        pytest.param("<A HREF=X>", {"href": "X"}, id="upper case"),
        pytest.param("<a\n\thref\n=\n'x'\n>", {"href": "x"}, id="line ends"),
        pytest.param("<a/href=x>", {"href": "x"}, id="a slash for a blank"),
        pytest.param("<a href=x/>", {"href": "x/"}, id="a slash in a value"),
        pytest.param('<a href="x"/>', {"href": "x"}, id="a slash at the end"),
        pytest.param("<a href='x'rel='y'>", {"href": "x", "rel": "y"}, id="no blank between"),
        pytest.param("<a hidden href=x>", {"href": "x"}, id="a name without a value before"),
        pytest.param("<a href=x hidden>", {"href": "x"}, id="a name without a value behind"),
        pytest.param("<a href=x href=y HREF=z>", {"href": "x"}, id="the first counts"),
        pytest.param("<a href='' href=y>", {"href": ""}, id="the first counts, empty"),
        pytest.param("<a href==x>", {"href": "=x"}, id="= in a value"),
        pytest.param("<a =href=x>", {"=href": "x"}, id="= in a name"),
        pytest.param("<a / =href=x>", {"=href": "x"}, id="= in a name behind a slash"),
        pytest.param("<a href= rel=y>", {"href": "rel=y"}, id="a value that is missing"),
        pytest.param("<a rel=y href=>", {"rel": "y"}, id="a value that is missing at the end"),
        pytest.param("""<a a"b='1' href=x>""", {'a"b': "1", "href": "x"}, id="a quote in a name"),
        pytest.param("""<a a=b"c href=x>""", {"a": 'b"c', "href": "x"}, id="a quote in a value without quotes"),
        pytest.param("<a title='<a href=y>' href=x>", {"title": "<a href=y>", "href": "x"}, id="a tag in a value"),
        pytest.param("<a title=a>b href=x>", {"title": "a"}, id="> ends a value without quotes"),
        pytest.param("<a href='x&amp;y&#65;&#x42'>", {"href": "x&yAB"}, id="character references"),
        pytest.param("<a href='?a&copy=1&copyx&copy;&lt'>", {"href": "?a&copy=1&copyx©<"}, id="references without ;"),
        pytest.param("<a href='&nosuch;&#0;&#x110000;'>", {"href": "&nosuch;\ufffd\ufffd"}, id="references to none"),
        pytest.param(f"<a href='&#{'9' * 9999};'>", {"href": "\ufffd"}, id="a reference too long for a number"),
        pytest.param("<a href='x\r\ny\rz'>", {"href": "x\ny\nz"}, id="line ends of other systems"),
        pytest.param("<a href='x\0y'>", {"href": "xy"}, id="zeros, which Scrapy's selectors leave out"),
    ],
)
def test_attributes_of_a_tag(html: str, values: dict[str, str]) -> None:
    assert told(html) == [("a", values)]


@pytest.mark.parametrize(
    ("html", "tags"),
    [
        pytest.param("<p><a href=x></p>", [X], id="among others"),
        pytest.param("<abbr href=x><a-b href=x><a:b href=x><metadata><link href=x>", [], id="other names"),
        pytest.param("< a href=x>", [], id="a blank before the name"),
        pytest.param("</a href=y><a href=x>", [X], id="an end tag"),
        pytest.param("</p title='<a href=y>'><a href=x>", [X], id="an end tag with attributes"),
        pytest.param("</p><a href=x></><a href=x></ <a href=y>><a href=x>", [X, X, X], id="end tags without a name"),
        pytest.param("<p title='<a href=y>'><a href=x>", [X], id="in a value"),
        pytest.param('<p title="<a href=y>"><a href=x>', [X], id="in a value in double quotes"),
        pytest.param("<p title='a>b'><a href=x>", [X], id="> in a value"),
        pytest.param("<p title='a>b<a href=y>c'><a href=x>", [X], id="> and a tag in a value"),
        pytest.param("<p ='<a href=x>'>", [], id="= with no name before begins one"),
        pytest.param("<p a'='<a href=y>'><a href=x>", [X], id="a value of a name with a quote"),
        pytest.param("<p <a href=x>", [], id="in a tag that does not end"),
        pytest.param("<a href=x", [], id="one that does not end"),
        pytest.param("<a href='x>", [], id="a quote that does not end"),
        pytest.param("<p title='><a href=x>", [], id="another's quote that does not end"),
        pytest.param("<!-- <a href=y> --><a href=x>", [X], id="comment"),
        pytest.param("<!-- > <a href=y> --!><a href=x>", [X], id="comment end bang"),
        pytest.param("<!-- -- ><a href=y>--><a href=x>", [X], id="comment end dash, a blank"),
        pytest.param("<!--><a href=x>--><!---><a href=x>-->", [X, X], id="abrupt closing of empty comment"),
        pytest.param("<!-- <!-- <a href=y> --><a href=x>-->", [X], id="nested comment"),
        pytest.param("<!-- <a href=x>", [], id="comment that does not end"),
        pytest.param("<!x <a href=y>><? <a href=y>><a href=x>", [X], id="bogus comment"),
        pytest.param("<![CDATA[<a href=y>]]><a href=x>", [X], id="CDATA is a bogus comment"),
        pytest.param("<!doctype html '<a href=y>'><a href=x>", [X], id="doctype"),
        *(
            pytest.param(f"<{name}><a href=y></{name} ><a href=x>", [X], id=name)
            for name in ("script", "style", "textarea", "title", "xmp", "noembed", "noframes", "SCRIPT")
        ),
        pytest.param("<iframe src=x><a href=y></iframe>", [("iframe", {"src": "x"})], id="iframe"),
        pytest.param("<plaintext><a href=y></plaintext><a href=y>", [], id="plaintext"),
        pytest.param("<noscript><a href=x></noscript><template><a href=x></template>", [X, X], id="noscript, template"),
        pytest.param("<title><!-- </title><a href=x>", [X], id="a comment in a title is none"),
        pytest.param("<title></titles><a href=y></title/><a href=x>", [X], id="an end tag of a longer name"),
        pytest.param("<title></title a='>'><a href=x>", [X], id="an end tag with an attribute"),
        pytest.param("<title><a href=x>", [], id="a title that does not end"),
        pytest.param("<script><!-- </script><a href=x>", [X], id="script data escaped"),
        pytest.param("<script><!--<script></script><a href=y></script><a href=x>", [X], id="double escaped"),
        pytest.param("<script><!--<script>--></script><a href=x>", [X], id="double escaped, then over"),
        pytest.param("<script><!--><script></script><a href=x>", [X], id="script data escape start dash dash"),
        pytest.param("<script src='y'/><title/><a href=x>", [X], id="closed at once, as in XHTML"),
        pytest.param("<script src=y/><a href=y></script><a href=x>", [X], id="closed by no slash of a value"),
    ],
)
def test_what_is_a_tag_and_what_is_none(html: str, tags: list[tuple[str, dict[str, str]]]) -> None:
    assert told(html) == tags


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-be", "iso-2022-jp", "shift_jis", "gb18030", "cp1252"])
def test_pages_are_read_in_their_encoding(encoding: str) -> None:
    value = "é" if encoding == "cp1252" else "ア"
    page = markup(f"<p>{value}</p><META NAME=robots CONTENT='{value}'>".encode(encoding), encoding)
    assert [page.text(attributes(behind)[b"content"]) for _, _, behind in page.tags()] == [value]
    assert b"<meta name=robots" in page.lower
    assert page.encoding == HtmlResponse("http://example.com/", encoding=encoding).encoding


def test_tags_may_be_asked_for_again_after_some() -> None:
    page = markup(b"<a><meta><area>")
    assert next(page.tags())[1] == b"a"
    assert [name for _, name, _ in page.tags()] == [name for _, name, _ in page.tags()] == [b"a", b"meta", b"area"]


@pytest.mark.parametrize(
    ("response", "read"),
    [
        (HtmlResponse("http://example.com/", body=b"x" * MAX_BYTES), True),
        (HtmlResponse("http://example.com/", body=b"x" * (MAX_BYTES + 1)), False),
        (TextResponse("http://example.com/", body=b"<a>"), False),
        (Response("http://example.com/", body=b"<a>"), False),
    ],
    ids=["HTML", "too long", "text", "bytes"],
)
def test_pages_are_html_and_not_too_long(response: Response, read: bool) -> None:
    assert (of_response(response) is not None) is read


HOSTILE = [
    *("<", "<a", "<a ", "</", "<b>", "<b/>", "<b <", "<!", "<!-", "<!--", "<!---->", "<!--a>-->", "<?", "<p a='<a>'>"),
    *(
        "<meta",
        "<title></title>",
        "<title/>",
        "<script><!--</script>",
        "<script><!--<script>",
        "<xmp",
        "--",
        "-->",
        "--!",
    ),
    *(
        '"',
        "'",
        '="',
        "='",
        "=",
        "= ",
        "a=b ",
        'a="" ',
        "a ",
        "a/",
        " ",
        "/",
        "\n",
        "&",
        "&#",
        "&lt",
        "&aa",
        "é ",
        "rel=",
    ),
]
OPEN = ["", "<a ", "<p ", "<p a='", '<p a="', "<!--", "<title>", "<script>", "<script><!--", "<script><!--<script>"]


@pytest.mark.parametrize("opened", OPEN)
def test_hostile_pages_are_read_at_once(opened: str) -> None:
    for piece in HOSTILE:
        html = f"<a href=x>{opened}{piece * (200_000 // len(piece))}"
        assert told(html)[0] == X, piece


def test_a_tag_of_many_attributes_is_read() -> None:
    names = " ".join(f"a{number}" for number in range(37_500))
    assert told(f"<a {names} href=x>") == [X]


@pytest.mark.parametrize("mark", ["<", "="])
def test_so_many_marks_are_looked_at(mark: str) -> None:
    assert told(f"{mark * (MAX_MARKS - 2)} ><a href=x>") == [X]
    assert told(f"{mark * MAX_MARKS} ><a href=x>") == []


@given(st.text(st.sampled_from("<>/!-=\"' \n&#;aApx\0é")), st.text(st.sampled_from("<>/!-=\"' \n&#;aApx\0é")))
def test_no_page_raises_and_what_is_before_is_read(before: str, behind: str) -> None:
    assert told(f"<a href=x>{before}")[0] == X
    for name, values in told(before + behind):
        assert name == "a"
        assert "" not in values
