from __future__ import annotations

import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrapy_polite.traps import url_rules
from scrapy_polite.traps.url_rules import RULES, Hit, UrlRules

CORPUS: dict[str, Any] = runpy.run_path(str(Path(__file__).with_name("corpus.py")))

SITE = "http://example.com"
ALL = UrlRules()


def first_hit(url: str, rules: UrlRules = ALL) -> Hit | None:
    return next(iter(rules.hits(url)), None)


def rule_of(url: str, rules: UrlRules = ALL) -> str | None:
    hit = first_hit(url, rules)
    return hit and hit.rule


def rules_of(url: str, rules: UrlRules = ALL) -> set[str]:
    return {hit.rule for hit in rules.hits(url)}


def escaped(times: int) -> str:
    return "/a%" + "25" * times + "20b"


@pytest.mark.parametrize(
    ("url", "rule"),
    [
        pytest.param("/app/lib" * 10, "repeated-segments", id="symbolic link"),
        pytest.param("/app/lib" * 10 + "/", "repeated-segments", id="symbolic link, trailing slash"),
        pytest.param("/foo" * 10, "repeated-segments", id="link relative to itself"),
        pytest.param("/x" + "/foo/bar" * 10 + "/y.html?q#z", "repeated-segments", id="repetition in the middle"),
        pytest.param("/one/two/six" * 10 + "/", "repeated-segments", id="period 3"),
        pytest.param("/n1/n2/n3/n4/n5/n6/n7/n8" * 10, "repeated-segments", id="period 8"),
        pytest.param("/index.php" * 10, "repeated-segments", id="path info of a script"),
        pytest.param("/x/y/z" * 10, "repeated-segments", id="single characters, ten times"),
        pytest.param("/1" * 10, "repeated-segments", id="numbers, ten times"),
        pytest.param("/a" + "/" * 11, "repeated-segments", id="slash after slash"),
        pytest.param("/.." * 10 + "/x", "repeated-segments", id="dot segments without an end"),
        pytest.param("/posts" + "/www.google.com" * 10 + "/", "repeated-segments", id="link without its scheme"),
        pytest.param(
            "/about/news/about/team/news/about/about/jobs/about/" * 2, "frequent-segment", id="error page's links"
        ),
        pytest.param("".join(f"/page/{n}" for n in range(10)), "frequent-segment", id="interleaved"),
        pytest.param("/en/fr/en/de/en/it/fr/en/es/en" * 2, "frequent-segment", id="language before language"),
        pytest.param("/?" + "a=1&b=2&" * 10, "repeated-parameter", id="growing query"),
        pytest.param("/" + "?page=1" * 10, "repeated-parameter", id="query appended to a query"),
        pytest.param("/?a=2" + ";p=1" * 10, "repeated-parameter", id="semicolons between parameters"),
        pytest.param("/?" + "&".join(f"f={n}" for n in range(64)), "frequent-parameter", id="facet upon facet"),
        pytest.param("/?" + "?".join(f"page={n}" for n in range(64)), "frequent-parameter", id="page number appended"),
        pytest.param("/?" + "&".join(f"f{n}=x" for n in range(65)), "query-parameters", id="65 parameters"),
        pytest.param("/" + "/".join(f"part{n}" for n in range(21)), "path-depth", id="21 segments"),
        pytest.param("/a%25252520b", "growing-encoding", id="percent sign escaped again and again"),
        pytest.param("/?a=1&amp;amp;b=2", "growing-encoding", id="ampersand escaped again and again"),
        pytest.param("/?a=1&amp%3Bamp%3Bb=2", "growing-encoding", id="the same, its semicolon escaped"),
        pytest.param("/?a=1&amp%2525253Bb=2", "growing-encoding", id="the same, its escape escaped"),
        pytest.param("/?q=" + "%5C" * 7 + "'", "growing-encoding", id="backslash doubled again and again"),
        pytest.param("/?u=http://a/?u=http://b/?u=http://c/", "nested-urls", id="redirector of redirectors"),
        pytest.param(
            "/login?from=https%3A%2F%2Fa%2F%3Ffrom%3Dhttps%253A%252F%252Fa%252F%253Ffrom%253Dhttps%25253A%25252F",
            "nested-urls",
            id="login that returns to a login",
        ),
        pytest.param("/web/1/http://a/web/2/http:/b/web/3/https://c/", "nested-urls", id="archive of an archive"),
        pytest.param("/x/%22+url+%22", "script-fragment", id="JavaScript string"),
        pytest.param("/x/'+url+'.html", "script-fragment", id="JavaScript string, single quotes"),
        pytest.param("/x/%22%20+%20url%20+%20%22", "script-fragment", id="JavaScript string with blanks"),
        pytest.param("/x/%5C%22/about/%5C%22", "script-fragment", id="HTML in a JavaScript string"),
        pytest.param('/x/\\"/about', "script-fragment", id="HTML in a JavaScript string, unescaped"),
        pytest.param("/x/%5C/%5C/about", "script-fragment", id="slashes of a JSON string"),
        pytest.param("/thread/7%5B/url%5D", "bbcode", id="BBCode, escaped"),
        pytest.param("/thread?t=7[/img]", "bbcode", id="BBCode"),
    ],
)
def test_url_of_a_trap_meets_the_rule(url: str, rule: str) -> None:
    hit = first_hit(SITE + url)
    assert hit is not None
    assert hit.rule == rule


def test_host_of_a_wildcard_domain_meets_the_rule() -> None:
    hit = first_hit("http://me@a.b.c.d.e.f.g.example.com.:8080/")
    assert hit is not None
    assert hit == ("host-labels", "9 labels, limit 8")


@pytest.mark.parametrize(
    "url",
    [
        "/2015/03/03/03/slug",
        "/11/11/11/p",
        "/numpy/numpy",
        "/house/house/",
        "/lviv/lviv/lviv/lychakivska/12/",
        "/key/yes/yes/yes/yes/yes/yes/no/yes/yes/yes/",
        "/node_modules/a/node_modules/b/node_modules/c/node_modules/d/node_modules/e/index.js",
        "/e4/e5/Nf3/Nf6/Ng1/Ng8/Nf3/Nf6/Ng1/Ng8/Nf3/Nf6/Ng1/Ng8",
        "/jobs/all/all/all/all?page=2",
        "/API/Text/Text",
        "/rest/services/Parcels/Parcels/MapServer",
        "/101264/0/0/0/1/",
        "/find/cs/1/au:+X/0/1/0/all/0/1",
        "/archive/1/archive/1/491864/30/0/threaded",
        "/5d2e/-/progressive/yes/-/format/jpeg/-/stretch/off/-/resize/x/-/",
        "/9c/4d/dd/aa/47/aa/aa/0e/11/f0/9c/4d/dd/aa/47/1b/2c/3d/4e/5f/60/photo.jpg",
        "/tensorflow/tensorflow/blob/2f1e8c/tensorflow/core/tensorflow.cc",
        "/i2/cat/sub/cat/sub",
        "/en/en/",
        "/a////b",
        "/../../../images/logo.png",
        "/p?next=/a/a/a/b",
        "/web/2010/http://web.archive.org/web/2009/http://a.com/",
        "/media.html?src=http%3A%2F%2Fa%2F&url=https%3A%2F%2Fb%2F&image=http%3A%2F%2Fc%2F",
        "/feeds?urls=http://a/,http://b/,http://c/|http%3A%2F%2Fd%2Chttp%3A%2F%2Fe",
        "/search?author=&title=&subject=&year=&author=&title=&subject=&year=&author=",
        "/search?" + "&".join(f"field{n}=" for n in range(60)),
        "/list?" + "&".join(f"id[]={n}" for n in range(20)),
        "/list?" + "&".join(f"id%5B%5D={n}" for n in range(20)),
        "/list?" + "&".join(f"tag={letter}" for letter in "abcdefghijklmno"),
        "/?lang=pt&page=1&q=zotero&lang=pt&page=1",
        "/?u=a%252520b",
        "/?a=1&amp;b=2&amp;c=3&amp;d=4&amp;e=5&amp;f=6&amp;g=7&amp;h=8&amp;i=9",
        "/music/Guns+N%27+Roses/_/Sweet+Child+o%27+Mine",
        "/tags/Folgers%20%22Home%20for%20the%20Holidays%22%20Commercial/works",
        "/search/%22+a+phrase",
        "/?q=%22+skin+cancer+%22",
        "/10.1002/(SICI)1521-3773(20000103)39:1%3C165::AID-ANIE165%3E3.0.CO;2-B",
        "/sign_in?sign_in%5Baction_params%5D%5Bobject_id%5D=11316801",
        "/?b[]=1&url[]=2&list%5Bb%5D=3",
        "/%E6%97%A5%E6%9C%AC/%E6%97%A5%E6%9C%AC/index.html",
        "/" + "/".join(f"part{n}" for n in range(20)) + "/",
        "/#" + "/foo/bar" * 10,
        "/key?" + "a=y&a=n&" * 8,
        "/chord?f=0&f=2&f=2&f=2&f=2&f=0",
        "/portal?p_arg_names=a&p_arg_values=YES&p_arg_names=b&p_arg_values=YES&p_arg_names=c&p_arg_values=YES",
        "/table?" + "&".join(f"year={year}" for year in range(1970, 2026)),
        "/sparql?query=PREFIX+a%3A+%3Chttp%3A%2F%2Fa%23%3E+PREFIX+b%3A+%3Chttp%3A%2F%2Fb%2F%3E+%3Chttp%3A%2F%2Fc%3E",
    ],
)
def test_url_of_a_real_shape_meets_no_rule(url: str) -> None:
    assert ALL.hits(SITE + url) == []


#: A URL that has so much of something, and the limit that it is held against.
GROWING: dict[str, tuple[str, Callable[[int], str]]] = {
    "host-labels": ("max_host_labels", lambda n: "http://" + "a." * n + "com/"),
    "repeated-segments": ("repeats", lambda n: SITE + "/foo/bar" * n),
    "frequent-segment": ("segment_times", lambda n: SITE + "".join(f"/foo/bar{i}" for i in range(n))),
    "path-depth": ("max_depth", lambda n: SITE + "".join(f"/foo{i}" for i in range(n + 1))),
    "query-parameters": ("max_parameters", lambda n: SITE + "/?" + "&".join(f"foo{i}=1" for i in range(n + 1))),
    "repeated-parameter": ("pair_times", lambda n: SITE + "/?" + "&".join(["foo=1", "bar=2"] * n)),
    "frequent-parameter": ("name_times", lambda n: SITE + "/?" + "&".join(f"foo={i}" for i in range(n))),
    "growing-encoding": ("escapes", lambda n: SITE + escaped(n)),
    "growing-encoding of backslashes": ("escapes", lambda n: SITE + "/?a=" + "\\" * (2**n - 1)),
    "growing-encoding of entities": ("entities", lambda n: SITE + "/?a=1&" + "amp;" * n + "b=2"),
    "nested-urls": ("nested_urls", lambda n: SITE + "/?u=http://a/" * n),
}


@pytest.mark.parametrize("value", [4, 6])
@pytest.mark.parametrize("case", GROWING)
def test_each_limit_is_where_its_rule_begins(case: str, value: int) -> None:
    limit, url = GROWING[case]
    rules = UrlRules(**{limit: value})  # type: ignore[arg-type]
    rule = case.partition(" ")[0]
    assert rule in rules_of(url(value), rules)
    assert rule not in rules_of(url(value - 1), rules)


def test_every_rule_has_a_url_that_meets_it_and_can_be_left_out() -> None:
    urls = [url(max(9, getattr(ALL, limit))) for limit, url in GROWING.values()]
    urls += [SITE + "/%22+x+%22", SITE + "/a[/url]"]
    for rule in RULES:
        without = UrlRules(without=frozenset({rule}))
        assert any(rule in rules_of(url) for url in urls), rule
        assert not any(rule in rules_of(url, without) for url in urls), rule


def test_period_beyond_the_limit_is_no_repetition() -> None:
    url = SITE + "/one/two/six" * 10
    assert "repeated-segments" in rules_of(url, UrlRules(longest_period=3))
    assert "repeated-segments" not in rules_of(url, UrlRules(longest_period=2))


@pytest.mark.parametrize(
    ("url", "detail"),
    [
        ("/a" + "/news/about" * 10 + "/z?q=1", "'/news/about' 10 times in a row"),
        ("/x?" + "a=1&b=2&" * 9 + "a=1", "parameter 'a=1' 10 times"),
        ("/x?" + "&".join(f"n={i}" for i in range(64)) + "&z", "parameter name 'n' 64 times"),
        ("/p" + "".join(f"/foo/{n}" for n in range(10)), "segment 'foo' 10 times"),
        ("/p?a=1&u=http://a/http://b/http://c/&z=1", "3 URLs in one another"),
        ("/p/%22+x+%22/q", "'/%22+x+%22' is a piece of a script's string"),
        ("/p[/b]q", "'[/b]' is a forum's markup"),
        ("/p?a=1&amp;amp;amp;b", "& escaped for HTML 3 times over"),
        ("/p?q=" + "%5C" * 9, "9 backslashes in a row"),
    ],
)
def test_hit_says_by_what_a_url_meets_the_rule(url: str, detail: str) -> None:
    hit = first_hit(SITE + url)
    assert hit is not None
    assert hit.detail == detail


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"without": frozenset({"path-dept"})}, "'path-dept'.*expected path-depth"),
        ({"repeats": 1}, "'repeats' is 1, expected 2 or more"),
        ({"nested_urls": 0}, "'nested_urls' is 0, expected 1 or more"),
    ],
    ids=str,
)
def test_wrong_setting_is_named(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        UrlRules(**wrong)


PIECES = st.one_of(
    st.sampled_from("/?&;=#@:.,|+-'\"\\a7é \n\ud800"),
    st.sampled_from(
        ["//", "..", "foo", "bar", "25", "%25", "%5C", "%22", "amp;", "amp%3B", "[]", "[/url]", "%5B/b%5D"]
    ),
    st.sampled_from(["http://", "https%3A%2F%2F", "http%253A%252F"]),
)
HOSTILE = st.one_of(
    st.text(), st.builds(lambda pieces, times: SITE + "".join(pieces) * times, st.lists(PIECES), st.integers(1, 30))
)


@given(HOSTILE)
@example("http://[::1/" + "x/" * 9)
@example("//" + "a." * 9)
def test_any_string_is_judged_and_what_is_said_of_it_is_short(url: str) -> None:
    assert all(0 < len(hit.detail) <= 200 for hit in ALL.hits(url))


SOME = st.lists(st.sampled_from(["foo", "bar", "baz", "9", "b", ""]), max_size=9)
SEGMENTS = st.builds(
    lambda before, block, times, after: before + block * times + after, SOME, SOME, st.integers(8, 11), SOME
)


def repeats(segments: list[str]) -> bool:
    """What `repeated-segments` means, by trying every block at every place."""
    return any(
        segments[at : at + period] * 10 == segments[at : at + period * 10]
        for period in range(1, 9)
        for at in range(len(segments) - period * 10 + 1)
    )


@given(SEGMENTS)
@example(["foo", "bar", "b"] * 10)
@example(["", "9"] * 10)
def test_repetitions_are_those_that_trying_every_block_finds(segments: list[str]) -> None:
    url = SITE + "/" + "/".join(segments) + "/x"
    hits = [hit for hit in ALL.hits(url) if hit.rule == "repeated-segments"]
    assert bool(hits) == repeats([*segments, "x"])
    for hit in hits:
        block, times = hit.detail[1:].split("' ")
        copies = int(times.split()[0])
        assert block * copies in url
        assert copies >= 10


def lines_run(rules: UrlRules, url: str) -> int:
    """How many lines of Python it takes to judge a URL."""
    count = 0

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        if frame.f_code.co_filename != url_rules.__file__:
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        rules.hits(url)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize(
    "unit",
    [
        "/a",
        "/foo",
        "/foo/bar",
        "//",
        "/%22+",
        "/%25",
        "amp;",
        "\\",
        "/?a=1&",
        "&a=1",
        "&http://",
        "/a%5C/",
        "[/",
        "?",
        ".",
    ],
)
def test_work_grows_no_faster_than_the_url_and_not_beyond_a_bound(unit: str) -> None:
    def work(length: int) -> int:
        return lines_run(ALL, (SITE + "/" + "?" * unit.startswith("&") + unit * length)[:length])

    short, double, longest, endless = work(2_000), work(4_000), work(17_000), work(1_000_000)
    assert double <= 2.2 * short + 100
    assert longest <= 17_000 * 3
    assert endless == longest


@pytest.mark.parametrize(
    "tail", ["/foo/foo/foobar", "/%5C/%5Cbar", "?a=foo&a=foo&a=foobar", "/foo/foo/foo#bar/x", "?a=1;a=1;a=11"], ids=str
)
def test_segment_that_is_cut_is_not_taken_for_another(tail: str) -> None:
    cut = tail.find("bar") if "bar" in tail else len(tail) - 1
    url = SITE + "/" + "x" * (8_192 - len(SITE) - 1 - cut) + tail + "x" * 20
    assert ALL.hits(url) == []


@pytest.mark.skipif(CORPUS["MISSING"] is not None, reason=str(CORPUS["MISSING"]))
def test_six_of_100_000_real_urls_meet_a_rule_at_most() -> None:
    urls = CORPUS["real_urls"]()
    hits = [url for url in urls if ALL.hits(url)]
    assert len(hits) <= len(urls) * 6 // 100_000, hits
