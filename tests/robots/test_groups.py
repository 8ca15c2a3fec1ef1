from __future__ import annotations

import pytest

from scrapy_polite.robots import RobotsTxt
from scrapy_polite.robots.lines import MAX_LINE, split_lines


def refused(body: bytes, agent: str, *paths: str) -> list[str]:
    robots_txt = RobotsTxt.parse(body, agent)
    return [path for path in paths if not robots_txt.decide(f"http://example.com{path}").allowed]


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        pytest.param(b"a\nb\r\nc\rd", [b"a", b"b", b"c", b"d"], id="LF, CRLF and CR"),
        pytest.param(b"a\n\r\nb\r\r\nc", [b"a", b"", b"b", b"", b"c"], id="blank lines count"),
        pytest.param(b"a\x0bb\x0cc\xc2\x85d\xe2\x80\xa8e", [b"a\x0bb\x0cc\xc2\x85d\xe2\x80\xa8e"], id="nothing else"),
        pytest.param(b"\xef\xbb\xbfa", [b"a"], id="byte order mark"),
        pytest.param(b"\xef\xbba", [b"a"], id="torn byte order mark"),
        pytest.param(b"a\0b\nc", [b"a", b"c"], id="a NUL ends what counts of a line"),
        pytest.param(b"a" * 20_000 + b"\nb", [b"a" * MAX_LINE, b"b"], id="the rest of a long line is ignored"),
    ],
)
def test_lines_are_those_of_googles_parser(body: bytes, lines: list[bytes]) -> None:
    assert split_lines(body) == lines


SPELLINGS = (
    b"Disallow: /a",
    b"disallow:/a",
    b" DISALLOW \t:\t /a # why",
    b"Disallow /a",
    b"dissallow: /a",
    b"Dissalow: /a",
    b"disalow: /a",
    b"diasllow: /a",
    b"disallaw: /a",
    b"Disallowed: /a",
)


@pytest.mark.parametrize("line", SPELLINGS, ids=repr)
def test_disallow_is_read_as_site_owners_spell_it(line: bytes) -> None:
    assert refused(b"User-agent: *\n" + line, "foobot", "/a", "/b") == ["/a"]


@pytest.mark.parametrize("line", [b"Disallow /a b", b"Dis allow: /a", b": /a", b"/a", b"#Disallow: /a"], ids=repr)
def test_what_only_looks_like_a_rule_is_none(line: bytes) -> None:
    assert refused(b"User-agent: *\n" + line, "foobot", "/a") == []


@pytest.mark.parametrize("label", [b"User-agent", b"USER-AGENT", b"useragent", b"user agent"])
@pytest.mark.parametrize("value", [b"foobot", b"FooBot", b"foobot/1.0", b"foobot bar", b"foobot, barbot", b"foobot*"])
def test_group_addresses_by_the_token_that_leads_its_line_rfc9309_2_2_1(label: bytes, value: bytes) -> None:
    assert refused(label + b": " + value + b"\nDisallow: /a", "Foobot", "/a") == ["/a"]


@pytest.mark.parametrize("value", [b"foo", b"f", b"foobot-news", b"foobot_x", b"bar foobot", b"", b"/foobot"])
def test_group_of_another_token_does_not_apply(value: bytes) -> None:
    assert refused(b"User-agent: " + value + b"\nDisallow: /a", "foobot", "/a") == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(
            b"User-agent: foobot\nDisallow: /a\nUser-agent: *\nDisallow: /b\nUser-agent: foobot\nDisallow: /c\n",
            ["/a", "/c"],
            id="groups of the token are merged, * is not added",
        ),
        pytest.param(
            b"User-agent: *\nDisallow: /a\nUser-agent: x\nDisallow: /b\nUser-agent: * all\nDisallow: /c\n",
            ["/a", "/c"],
            id="groups of * are merged",
        ),
        pytest.param(b"User-agent: x\nUser-agent: foobot\nDisallow: /a\n", ["/a"], id="a group of two"),
        pytest.param(b"User-agent: foobot\n\n\nDisallow: /a\n", ["/a"], id="blank lines close nothing"),
        pytest.param(
            b"User-agent: foobot\nCrawl-delay: 1\nUser-agent: x\nDisallow: /a\n",
            ["/a"],
            id="Crawl-delay closes nothing",
        ),
        pytest.param(
            b"User-agent: foobot\nFoo: 1\nSitemap: x\nUser-agent: x\nDisallow: /a\n",
            ["/a"],
            id="neither unknown fields nor Sitemap close anything",
        ),
        pytest.param(
            b"User-agent: foobot\nDisallow: /a\nUser-agent: x\nDisallow: /b\n", ["/a"], id="a rule, then an agent, does"
        ),
        pytest.param(b"User-agent: foobot\nUser-agent: *\nDisallow:\n", [], id="an empty group of the token applies"),
        pytest.param(
            b"User-agent: *\nDisallow: /a\nUser-agent: foobot\nCrawl-delay: 1\n", [], id="a group without rules applies"
        ),
        pytest.param(b"Disallow: /a\nUser-agent: *\nDisallow: /b\n", ["/b"], id="a rule before any group is none"),
    ],
)
def test_groups_are_chosen_and_closed_as_by_googles_parser_rfc9309_2_2(body: bytes, expected: list[str]) -> None:
    assert refused(body, "foobot", "/a", "/b", "/c") == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(b"User-agent: Bot2000\nDisallow: /a\n", ["/a"], id="as site owners mean it"),
        pytest.param(b"User-agent: Bot1\nDisallow: /a\n", ["/a"], id="as an RFC parser cuts another name"),
        pytest.param(b"User-agent: Bot\nDisallow: /a\n", ["/a"], id="as an RFC parser cuts it"),
        pytest.param(
            b"User-agent: Bot2000\nAllow: /\nUser-agent: *\nDisallow: /a\n", ["/a"], id="as Google's parser misses it"
        ),
        pytest.param(b"User-agent: 2000\nDisallow: /a\n", [], id="not by its digits"),
    ],
)
def test_crawler_with_digits_in_its_name_obeys_every_reading_of_it(body: bytes, expected: list[str]) -> None:
    assert refused(body, "Bot2000/1.0", "/a", "/b") == expected


def test_a_file_that_speaks_to_all_is_held_once_whatever_the_name() -> None:
    body = b"User-agent: *\n" + b"Disallow: /some/page\n" * 100
    sizes = [RobotsTxt.parse(body, name).size_bytes for name in ("Bot2000", "Bot")]
    assert sizes[0] == sizes[1]


def test_crawler_without_any_name_obeys_the_star() -> None:
    body = b"User-agent: mozilla\nDisallow: /a\nUser-agent: *\nDisallow: /b"
    assert refused(body, "Mozilla/5.0 (X11; Linux)", "/a", "/b") == ["/b"]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_with_a_byte_order_mark_is_read_rfc9309_2_3(encoding: str) -> None:
    assert refused("\ufeffUser-agent: *\r\nDisallow: /ä\n".encode(encoding), "foobot", "/%C3%A4", "/b") == ["/%C3%A4"]


def test_rules_behind_a_utf_16_mark_that_are_no_utf_16_are_read_too() -> None:
    assert refused(b"\xff\xfe\nUser-agent: *\nDisallow: /a", "foobot", "/a") == ["/a"]
