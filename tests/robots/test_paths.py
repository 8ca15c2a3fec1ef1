from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_polite.robots.paths import normal_path, normal_patterns, path_of, patterns_as_written


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("", "/"),
        ("http://www.example.com", "/"),
        ("http://www.example.com/", "/"),
        ("http://www.example.com/a", "/a"),
        ("http://www.example.com/a/b?c=http://d.e/", "/a/b?c=http://d.e/"),
        ("http://www.example.com/a/b?c=d&e=f#fragment", "/a/b?c=d&e=f"),
        ("example.com/a", "/a"),
        ("example.com/a/b?c=http://d.e/", "/a/b?c=http://d.e/"),
        ("//a/b/c", "/b/c"),
        ("//a", "/"),
        ("a", "/"),
        ("a/b;c=d", "/b;c=d"),
        ("http://www.example.com?a", "/?a"),
        ("http://www.example.com/a;b#c", "/a;b"),
        ("http://www.example.com//a", "//a"),
        ("//www.example.com/a#x/b", "/a"),
        ("http://www.example.com#/a", "/"),
        ("http://[::1/a", "/a"),
        ("http://www.example.com/ツ", "/%E3%83%84"),
        ("http://www.example.com/\ud800", "/%ED%A0%80"),
    ],
)
def test_path_with_parameters_and_query_is_cut_out_as_by_googles_parser(url: str, path: str) -> None:
    assert path_of(url) == path


@pytest.mark.parametrize(
    ("pattern", "written"),
    [
        (b"/a/b*c$", "/a/b*c$"),
        ("/SanJoséSellers".encode(), "/SanJos%C3%A9Sellers"),
        (b"/%aa%c3", "/%AA%C3"),
        (b"/\xff", "/%FF"),
        (b"/%zz%a", "/%zz%a"),
    ],
)
def test_pattern_is_escaped_as_by_googles_parser(pattern: bytes, written: str) -> None:
    assert patterns_as_written([b"/", pattern, b"/%c3*"]) == ["/", written, "/%C3*"]


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        pytest.param("/foo/bar/%62%61%7A", "/foo/bar/baz", id="unreserved characters are decoded"),
        pytest.param("/%7Ejoe", "/~joe", id="tilde"),
        pytest.param("/a%c3%a9", "/a%C3%A9", id="escapes in upper case"),
        pytest.param("/a b", "/a%20b", id="a blank is encoded"),
        pytest.param('/{{"x|y"}}', "/%7B%7B%22x%7Cy%22%7D%7D", id="what no URI may contain is encoded"),
        pytest.param("/file-with-a-%2A.html", "/file-with-a-*.html", id="an escaped star is the character, §2.2.3"),
        pytest.param("/foo-%24", "/foo-$", id="an escaped dollar is the character, §2.2.3"),
        pytest.param("/a$b", "/a$b", id="a dollar in the middle is the character"),
        pytest.param("/100%", "/100%25", id="a bare percent sign"),
    ],
)
def test_rule_and_url_meet_in_the_normal_spelling_rfc9309_2_2_2(pattern: str, path: str) -> None:
    assert normal_patterns(["/*$", pattern, "/a$"]) == ["/*$", normal_path(path), "/a$"]


def test_patterns_that_are_spelled_normally_are_left_alone() -> None:
    patterns = ["/a*b$", "", "/a?b=c&d"]
    assert normal_patterns(patterns) is patterns


@pytest.mark.parametrize("pair", [("/a%2Fb", "/a/b"), ("/a%3Fb", "/a?b"), ("/a%3Ab", "/a:b")], ids="".join)
def test_reserved_characters_stay_apart_from_their_escapes_rfc3986_2_2(pair: tuple[str, str]) -> None:
    assert normal_path(pair[0]) != normal_path(pair[1])


@given(st.text())
def test_path_of_any_text_is_an_ascii_path(url: str) -> None:
    path = path_of(url)
    assert path.startswith("/")
    assert path.isascii()


@given(st.text("/a%2fF7Ee~ |$*\x00"))
def test_normal_spelling_is_final(path: str) -> None:
    assert normal_path(normal_path(path)) == normal_path(path)
