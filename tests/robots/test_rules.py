from __future__ import annotations

import gc
import tracemalloc
from datetime import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from scrapy_polite.decision import REASONS, Decision
from scrapy_polite.robots import RobotsTxt

BODY = b"""\
# Example
User-agent: *
Disallow: /private   # hands off
Allow: /private/open$
Crawl-delay: 2.5
Request-rate: 1/10s
Visit-time: 0600-0845
nonsense
Noindex: /x

User-agent: otherbot
Disallow:
Host: www.example.com
Sitemap: https://example.com/one.xml
sitemap https://example.com/two.xml
Clean-param: ref /articles/
"""


@pytest.mark.parametrize(
    ("agent", "path", "decision"),
    [
        pytest.param(
            "foobot",
            "/private/x",
            Decision(False, "robots/disallow", "line 3: Disallow: /private", "Disallow: /private", 3),
            id="refused",
        ),
        pytest.param(
            "foobot",
            "/private/open",
            Decision(True, "robots/allow", "line 4: Allow: /private/open$", "Allow: /private/open$", 4),
            id="allowed by a rule",
        ),
        pytest.param("foobot", "/public", Decision(True, "robots/no-rule"), id="no rule"),
        pytest.param(
            "otherbot",
            "/private",
            Decision(True, "robots/no-rule", "line 12: Disallow:", "Disallow:", 12),
            id="empty rule",
        ),
        pytest.param("foobot", "/robots.txt", Decision(True, "robots/robots-txt"), id="robots.txt itself"),
    ],
)
def test_decision_names_its_reason_rule_and_line(agent: str, path: str, decision: Decision) -> None:
    assert RobotsTxt.parse(BODY, agent).decide("https://example.com" + path) == decision
    assert decision.reason in REASONS


def test_everything_a_file_says_to_a_crawler_can_be_read() -> None:
    robots_txt = RobotsTxt.parse(BODY, "FooBot/1.0 (+https://foobot.example)")
    assert (robots_txt.token, robots_txt.group, robots_txt.rule_count) == ("foobot", "*", 2)
    assert robots_txt.crawl_delay == 2.5
    assert robots_txt.request_rate == (1, 10, None, None)
    assert robots_txt.visit_time == (time(6, 0), time(8, 45))
    assert robots_txt.host == "www.example.com"
    assert robots_txt.sitemaps == ("https://example.com/one.xml", "https://example.com/two.xml")
    assert robots_txt.clean_params == ("ref /articles/",)
    assert (robots_txt.unknown_lines, robots_txt.malformed_lines) == (1, 1)
    assert not robots_txt.truncated
    assert not robots_txt.is_html


def test_group_of_the_crawler_is_named_and_has_its_own_values() -> None:
    robots_txt = RobotsTxt.parse(BODY, "OtherBot")
    assert (robots_txt.group, robots_txt.crawl_delay, robots_txt.request_rate) == ("otherbot", None, None)
    assert RobotsTxt.parse(b"User-agent: x\nDisallow: /", "foobot").group is None


@pytest.mark.parametrize(
    ("body", "delays"),
    [
        pytest.param("User-agent: a\nCrawl-delay: 1\nUser-agent: *\nCrawl-delay: 9\n", (1, 9), id="right above"),
        pytest.param("User-agent: a\nCrawl-delay: 1\n\nUser-agent: *\nCrawl-delay: 9\n", (1, 9), id="a blank line"),
        pytest.param("User-agent: a\nUser-agent: *\nCrawl-delay: 3\n", (3, 3), id="two names"),
        pytest.param("User-agent: a\nDisallow: /x\nCrawl-delay: 2\nUser-agent: *\n", (2, None), id="after a rule"),
        pytest.param("User-agent: *\nCrawl-delay: 9\nUser-agent: a\nDisallow:\n", (None, 9), id="none of its own"),
        pytest.param("User-agent: a\nFoo: 1\nUser-agent: *\nCrawl-delay: 4\n", (4, 4), id="an unknown field"),
        pytest.param("User-agent: a\nSitemap: x\nUser-agent: *\nCrawl-delay: 4\n", (4, 4), id="a sitemap"),
        pytest.param("User-agent: a\nRequest-rate: 1/5\nUser-agent: *\nCrawl-delay: 4\n", (None, 4), id="a rate"),
    ],
)
def test_a_crawl_delay_is_for_the_names_right_above_it(body: str, delays: tuple[float | None, float | None]) -> None:
    read = tuple(RobotsTxt.parse(body.encode(), agent).crawl_delay for agent in ("a", "other"))
    assert read == delays
    if not any(field in body for field in ("Foo", "Sitemap", "Disallow:\n")):  # Protego reads these in its own way
        protego = Protego.parse(body)
        assert read == tuple(protego.crawl_delay(agent) for agent in ("a", "other"))


def test_only_robots_txt_itself_is_always_allowed_rfc9309_2_2_2() -> None:
    closed = RobotsTxt.parse(b"User-agent: *\nDisallow: /", "foobot")
    urls = ["/robots.txt", "/robots.txt#x", "/robots.txt?x", "/robots.txt/", "//robots.txt", "/a/robots.txt"]
    assert [closed.decide(f"http://example.com{url}").allowed for url in urls] == [True, True, *[False] * 4]


def test_body_is_cut_at_the_last_whole_line_rfc9309_2_5() -> None:
    body = b"User-agent: *\nDisallow: /a\nDisallow: /b\n"
    cut = RobotsTxt.parse(body, "foobot", max_bytes=len(body) - 2)
    assert (cut.truncated, cut.rule_count) == (True, 1)
    whole = RobotsTxt.parse(body, "foobot", max_bytes=len(body))
    assert (whole.truncated, whole.rule_count) == (False, 2)


def test_line_that_ends_at_the_limit_is_whole() -> None:
    body = b"User-agent: *\r\nDisallow: /a\r\nDisallow: /b"
    assert RobotsTxt.parse(body, "foobot", max_bytes=body.index(b"\r\nDisallow: /b")).rule_count == 1


@pytest.mark.parametrize(
    "begin",
    [
        b"<!DOCTYPE html>",
        b"\n <html lang=en>",
        b"\xef\xbb\xbf<head>",
        b"<?xml version='1.0'?>\n<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN'>",
        b"<!-- a comment -->\n<!-- another --><html>",
    ],
)
def test_lines_of_a_web_page_that_are_rules_count(begin: bytes) -> None:
    """As in Google's parser, which knows no HTML: who writes rules into a page means them."""
    page = RobotsTxt.parse(begin + b"<pre>\nUser-agent: *\nDisallow: /\n</pre>", "foobot")
    assert page.is_html
    assert page.rule_count == 1
    assert not page.decide("http://example.com/a").allowed


@pytest.mark.parametrize("begin", [b"<!-- $Id: robots.txt 3287 $ -->", b"<p>", b"<htmlx>", b"<!--", b"<?xml"])
def test_stray_markup_makes_no_web_page(begin: bytes) -> None:
    robots_txt = RobotsTxt.parse(begin + b"\nUser-agent: *\nDisallow: /\n", "foobot")
    assert not robots_txt.is_html
    assert not robots_txt.decide("http://example.com/a").allowed


@pytest.mark.parametrize(
    ("rule", "url"),
    [
        pytest.param(b"Disallow: /%7Ejoe", "/~joe", id="the RFC's spelling forbids"),
        pytest.param(b"Disallow: /\nAllow: /%62%61%7A", "/baz", id="Google's spelling does not allow"),
        pytest.param(b"Disallow: /a b", "/a%20b", id="a blank"),
    ],
)
def test_stricter_of_both_spellings_counts(rule: bytes, url: str) -> None:
    assert not RobotsTxt.parse(b"User-agent: *\n" + rule, "foobot").decide(f"http://example.com{url}").allowed


@pytest.mark.parametrize("rule", [b"Disallow: private", b"Disallow: http://example.com/private", b"Disallow: ?"])
def test_pattern_that_begins_with_neither_slash_nor_star_matches_nothing_as_in_googles_parser(rule: bytes) -> None:
    assert RobotsTxt.parse(b"User-agent: *\n" + rule, "foobot").decide("http://example.com/private").allowed


@pytest.mark.parametrize("page", ["index.html", "index.htm", "index.html?x"])
def test_whoever_allows_the_index_page_allows_its_directory_as_in_googles_parser(page: str) -> None:
    robots_txt = RobotsTxt.parse(f"User-agent: *\nDisallow: /\nAllow: /a/{page}".encode(), "foobot")
    assert robots_txt.decide("http://example.com/a/").line == 3
    assert not robots_txt.decide("http://example.com/a/b").allowed


def test_rule_is_shown_cut_to_a_sane_length() -> None:
    decision = RobotsTxt.parse(b"User-agent: *\nDisallow: /" + b"a" * 9_000, "foobot").decide("http://h/" + "a" * 9_999)
    assert not decision.allowed
    assert len(decision.detail) < 300


def test_wildcards_that_take_too_long_close_the_origin_and_say_so() -> None:
    body = b"User-agent: *\n" + b"".join(b"Disallow: /*%d\n" % number for number in range(40_000))
    decision = RobotsTxt.parse(body, "foobot").decide("http://example.com/" + "a" * 1_981)
    assert (decision.allowed, decision.reason) == (False, "robots/too-costly")
    assert "closed" in decision.detail


DIRECTIVES = [b"User-agent: *", b"User-agent: foobot", b"User-agent: b2", b"Disallow: /", b"Allow: /*a$", b"Disallow"]
DIRECTIVES += [b"Crawl-delay: 1", b"Request-rate: 1/1", b"Visit-time: 1-2", b"Sitemap: x", b"\xff\xfe", b"\xef\xbb\xbf"]
bodies = st.lists(st.one_of(st.sampled_from(DIRECTIVES), st.binary(max_size=20)), max_size=20).flatmap(
    lambda lines: st.sampled_from([b"\n", b"\r", b"\r\n", b" ", b""]).map(lambda end: end.join(lines))
)


@given(bodies, st.text(), st.text(st.characters(exclude_categories=())))
def test_no_body_agent_or_url_raises(body: bytes, agent: str, url: str) -> None:
    robots_txt = RobotsTxt.parse(body, agent)
    assert robots_txt.decide(url).reason in REASONS
    assert robots_txt.decide("http://example.com/" + url).reason in REASONS


@pytest.mark.parametrize(
    "url",
    [
        "http://[foo/a%20b",
        "http://a\ud800/\udfff",
        "http://℀.example/",
        "\0",
        "http://h/\r\n\t",
        "http://h/" + "a" * 2**20,
    ],
    ids=lambda url: repr(url[:12]),
)
def test_url_that_no_browser_would_take_is_decided_on(url: str) -> None:
    assert not RobotsTxt.parse(b"User-agent: *\nDisallow: /", "foobot").decide(url).allowed


@pytest.mark.parametrize("rules", [1, 10, 1_000], ids="{} rules".format)
@pytest.mark.parametrize("pattern", [b"/path/%d", b"/path/%d$", b"/*/path-%d/*.html", b"/%%7Epath/%d"])
def test_size_estimate_is_within_a_factor_of_two(rules: int, pattern: bytes) -> None:
    body = b"User-agent: *\n" + b"".join(b"Disallow: " + pattern % number + b"\n" for number in range(rules))
    RobotsTxt.parse(body, "foobot")
    gc.collect()
    tracemalloc.start()
    try:
        parsed = [RobotsTxt.parse(body, "foobot") for _ in range(10)]
        gc.collect()
        held = tracemalloc.get_traced_memory()[0] / len(parsed)
    finally:
        tracemalloc.stop()
    assert held / 2 < parsed[0].size_bytes < held * 2


def test_more_rules_than_are_remembered_go_on_deciding() -> None:
    rules = range(100)
    body = b"User-agent: *\n" + b"".join(b"Disallow: /%03d\n" % rule for rule in rules)
    robots_txt = RobotsTxt.parse(body, "foobot")
    size_bytes = robots_txt.size_bytes
    for _ in range(2):
        decisions = [robots_txt.decide(f"http://example.com/{rule:03}/x") for rule in rules]
        assert [(decision.line, decision.rule) for decision in decisions] == [
            (rule + 2, f"Disallow: /{rule:03}") for rule in rules
        ]
    assert robots_txt.size_bytes == size_bytes
