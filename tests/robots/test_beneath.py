"""What is allowed beneath a page that is not."""

from __future__ import annotations

import pytest

from scrapy_polite.robots.beneath import MAX_CHILDREN, allowed_beneath
from scrapy_polite.robots.rules import RobotsTxt

URL = "https://example.com"


@pytest.mark.parametrize(
    ("start", "lines", "urls", "patterns"),
    [
        pytest.param("/", "Disallow: /\nAllow: /docs/\nAllow: /a$", ["/docs/", "/a"], [], id="of a closed site"),
        pytest.param("/", "Disallow: /\nAllow: /*.css\nAllow: /b*$", [], ["/*.css", "/b*$"], id="wildcards"),
        pytest.param("/a", "Disallow: /a\nAllow: /a/b\nAllow: /ab\nAllow: /c", ["/a/b"], [], id="of a directory"),
        pytest.param("/a/b.html", "Disallow: /a\nAllow: /a/c", ["/a/c"], [], id="of a file"),
        pytest.param("/a?q=1", "Disallow: /a\nAllow: /a/c?d", ["/a/c?d"], [], id="queries"),
        pytest.param("/", "Disallow: /\nAllow: /a\nDisallow: /a$", [], [], id="an Allow that another line overrules"),
        pytest.param("/", "Disallow: /\nAllow: /a\nAllow: /a", ["/a"], [], id="twice"),
        pytest.param("/", "Disallow: /\nAllow: //evil.example/\nAllow:\nAllow: x", [], [], id="no paths"),
        pytest.param("/", "Disallow: /\nAllow: /\u00fc", ["/\u00fc"], [], id="beyond ASCII"),
    ],
)
def test_allow_paths_beneath_a_page(start: str, lines: str, urls: list[str], patterns: list[str]) -> None:
    robots_txt = RobotsTxt.parse(f"User-agent: *\n{lines}\n".encode(), "foobot")
    assert allowed_beneath(robots_txt, URL + start) == ([URL + one for one in urls], patterns)


def test_they_are_bounded() -> None:
    lines = "".join(f"Allow: /{number}\n" for number in range(MAX_CHILDREN + 5))
    robots_txt = RobotsTxt.parse(f"User-agent: *\nDisallow: /\n{lines}".encode(), "foobot")
    assert len(allowed_beneath(robots_txt, URL)[0]) == MAX_CHILDREN
