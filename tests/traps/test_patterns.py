"""URL patterns: which URLs share one, how many are told apart, and the patterns that a person writes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_polite.traps.limits import (
    COMBINES,
    MORE_NAMES,
    NAMED_FROM,
    PATTERN_HOSTS,
    PATTERN_NAMES,
    SCRIPT_FROM,
    SCRIPTS,
)
from scrapy_polite.traps.patterns import MAX_COUNTED, Patterns, matches, parted, whole_of, without_host

HOST = "http://example.com"


def full() -> Patterns:
    """Patterns of a site whose first names are used up, at each depth of a path."""
    patterns = Patterns()
    for at in range(PATTERN_NAMES):
        for rest in ("", "/", "/x", "/x/", "/x/y", "/x/y/"):
            patterns.of(f"{HOST}/first{at}{rest}")
    return patterns


@pytest.mark.parametrize(
    ("url", "pattern"),
    [
        pytest.param("", "/", id="home page without a path"),
        pytest.param("/", "/", id="home page"),
        pytest.param("/?page=2", "/?page", id="home page with a query"),
        pytest.param("/about", "/about", id="one segment"),
        pytest.param("/news/today", "/news/*", id="two segments"),
        pytest.param("/news/2026/11", "/news/*/**", id="three segments"),
        pytest.param("/news/2026/11/23/x", "/news/*/**", id="more segments"),
        pytest.param("/news/", "/news/", id="folder"),
        pytest.param("/news/2026/11/", "/news/**/", id="folder below"),
        pytest.param("/17", "/*", id="number"),
        pytest.param("/17/", "/*/", id="numbered folder"),
        pytest.param("/2026/11/23", "/*/*/**", id="date"),
        pytest.param("/٢٠٢٦/a", "/*/*", id="number in Arabic-Indic digits"),
        pytest.param("/17a/b", "/17a/*", id="a name that begins with a number"),
        pytest.param("/a b/c", "/*/*", id="a name with a blank"),
        pytest.param("/shop?b=1&a=2", "/shop?a&b", id="parameters, sorted"),
        pytest.param("/shop?a=1&a=2&&b", "/shop?a&b", id="parameters, each once"),
        pytest.param("/shop?", "/shop", id="an empty query"),
        pytest.param("/shop?7", "/shop?*", id="a number for a query"),
        pytest.param("/news/today#part/x?y", "/news/*", id="fragment"),
    ],
)
def test_the_pattern_of_a_first_url(url: str, pattern: str) -> None:
    assert Patterns().of(HOST + url) == pattern


@pytest.mark.parametrize(
    ("one", "other", "share"),
    [
        pytest.param("/news/a", "/news/b", True, id="names below the first"),
        pytest.param("/news/a/b", "/news/c/d/e/f", True, id="depth beyond three"),
        pytest.param("/news?p=1", "/news?p=2", True, id="values"),
        pytest.param("/news?p=1&q=2", "/news?q=3&p=4", True, id="order of parameters"),
        pytest.param("/1/x", "/2/x", True, id="numbers"),
        pytest.param("/1", "/2", True, id="numbers at the root"),
        pytest.param("/news/a#x", "/news/a#y", True, id="fragments"),
        pytest.param("/", "/a", False, id="the home page"),
        pytest.param("/", "/1", False, id="the home page and a number"),
        pytest.param("/news/a", "/blog/a", False, id="first names"),
        pytest.param("/news", "/news/", False, id="slash at the end"),
        pytest.param("/news", "/news/a", False, id="depth one and two"),
        pytest.param("/news/a", "/news/a/b", False, id="depth two and three"),
        pytest.param("/news/a", "/news/a?p=1", False, id="query"),
        pytest.param("/news?p=1", "/news?p=1&q=1", False, id="sets of parameters"),
        pytest.param("/News/a", "/news/a", False, id="case"),
    ],
)
def test_which_urls_share_a_pattern(one: str, other: str, share: bool) -> None:
    patterns = Patterns()
    assert (patterns.of(HOST + one) == patterns.of(HOST + other)) is share


@pytest.mark.parametrize(
    ("url", "pattern", "part"),
    [
        ("/en/", "/en/", "/en/"),
        ("/en", "/en", "/en"),
        ("/en/news/", "/en/news/", "/en/news/"),
        ("/de/news", "/de/news", "/de/news"),
        ("/de/news/7", "/de/news/*", "/de/news/*"),
        ("/pt-br/news/7/8?page=2", "/pt-br/news/*/**?page", "/pt-br/news/*/**?page"),
        ("/zh_Hans/tree/main/person/7", "/zh_Hans/tree/*/**", "/zh_Hans/tree/*/person/**"),
        ("/es-419/2024/main/person/7", "/es-419/*/*/**", "/es-419/*/*/person/**"),
        ("/EN/2024/05", "/EN/*/*", "/EN/*/*"),
        ("/id/7", "/id/*", "/id/*"),
        ("/eng/news/7", "/eng/*/**", "/eng/*/**"),
        ("/tv/news/7", "/tv/*/**", "/tv/*/**"),
        ("/my-shop/news/7", "/my-shop/*/**", "/my-shop/*/**"),
        ("/12/news/7", "/*/*/**", "/*/*/**"),
    ],
)
def test_a_site_begins_below_the_folder_of_a_language(url: str, pattern: str, part: str) -> None:
    patterns = Patterns()
    assert (patterns.of(HOST + url), patterns.part_of(HOST + url)) == (pattern, part)
    assert whole_of(part) == pattern
    assert matches(pattern, HOST + url)


def test_of_many_sections_the_first_are_told_apart_and_others_share_one_pattern() -> None:
    patterns = Patterns()
    found = [patterns.of(f"{HOST}/s{at}/x") for at in range(PATTERN_NAMES + 5)]
    assert found == [*(f"/s{at}/*" for at in range(PATTERN_NAMES)), *["/*/*"] * 5]


def test_first_names_are_counted_for_each_depth() -> None:
    patterns = Patterns()
    for at in range(PATTERN_NAMES + 1):
        patterns.of(f"{HOST}/page{at}")
    assert patterns.of(f"{HOST}/page{PATTERN_NAMES}") == "/*"
    assert patterns.of(f"{HOST}/news/today") == "/news/*"


def test_a_later_section_is_told_apart_once_it_stands_in_many_urls() -> None:
    patterns = full()
    found = [patterns.of(f"{HOST}/late/{at}") for at in range(5)]
    assert found == ["/*/*"] * 2 + ["/late/*"] * 3


def test_a_url_keeps_the_pattern_that_it_had() -> None:
    patterns = full()
    urls = [f"{HOST}/late/{at}" for at in range(NAMED_FROM)]
    found = [patterns.of(url) for url in urls]
    assert found[0] != found[-1]
    assert [patterns.of(url) for url in urls] == found


def test_the_same_url_again_makes_no_section() -> None:
    patterns = full()
    assert [patterns.of(f"{HOST}/late/x") for _ in range(NAMED_FROM + 2)] == ["/*/*"] * (NAMED_FROM + 2)


def test_numbers_are_never_told_apart_however_many_urls_they_stand_in() -> None:
    patterns = Patterns()
    assert {patterns.of(f"{HOST}/{at % 3}/{at}") for at in range(30)} == {"/*/*"}


def test_later_sections_are_bounded() -> None:
    patterns = full()
    for section in range(MORE_NAMES + 20):
        for at in range(NAMED_FROM + 1):
            patterns.of(f"{HOST}/more{section}/{at}")
    found = {patterns.of(f"{HOST}/more{section}/last") for section in range(MORE_NAMES + 20)}
    assert len(found) == MORE_NAMES + 1
    assert "/*/*" in found


def test_a_trap_that_makes_up_names_hides_no_section_that_comes_before_the_count_is_full() -> None:
    patterns = full()
    for at in range(MAX_COUNTED // 2):
        patterns.of(f"{HOST}/made-up-{at}/x")
    assert [patterns.of(f"{HOST}/wiki/{at}") for at in range(NAMED_FROM)][-1] == "/wiki/*"


def test_names_that_are_counted_are_bounded() -> None:
    patterns = full()
    for at in range(3 * MAX_COUNTED):
        patterns.of(f"{HOST}/made-up-{at}/x")
    assert max(map(len, patterns._names.values())) <= MAX_COUNTED


def test_first_sets_of_parameters_are_told_apart_and_later_ones_never() -> None:
    patterns = Patterns()
    found = [patterns.of(f"{HOST}/shop?p{at}=1") for at in range(PATTERN_NAMES + 3)]
    assert found == [*(f"/shop?p{at}" for at in range(PATTERN_NAMES)), *["/shop?*"] * 3]
    assert {patterns.of(f"{HOST}/shop?late={at}") for at in range(9)} == {"/shop?*"}
    assert patterns.of(f"{HOST}/other?late=1") == "/other?late"


def test_scripts_are_told_apart_whatever_folder_they_share() -> None:
    patterns = Patterns()
    urls = [f"{HOST}/cgi-bin/opac/{name}.pl?{asks}=1" for name, asks in (("search", "q"), ("detail", "id"))]
    assert [patterns.of(url) for url in urls] == ["/cgi-bin/opac/search.pl?q", "/cgi-bin/opac/detail.pl?id"]
    for at in range(COMBINES):
        patterns.of(f"{HOST}/cgi-bin/opac/search.pl?q=1&f{at}=1")
    assert [patterns.combines(patterns.of(url)) for url in urls] == [True, False]


@pytest.mark.parametrize("path", ["/wiki/a", "/wiki/a1", "/wiki/1", "/wiki/a b", "/wiki/a*", "/wiki/" + "a" * 100])
def test_a_page_that_stands_without_parameters_too_or_has_a_number_is_no_script(path: str) -> None:
    patterns = Patterns()
    if path == "/wiki/a":
        assert patterns.of(HOST + path) == "/wiki/*"
    assert {patterns.of(f"{HOST}{path}?old={at}") for at in range(SCRIPT_FROM + 1)} == {"/wiki/*?old"}


def test_a_script_in_another_case_is_no_further_one() -> None:
    patterns = Patterns()
    urls = [f"{HOST}/Show/Item.aspx?id=1", f"{HOST}/show/item.aspx?id=2", f"{HOST}/Show/Item.aspx?id=3"]
    assert [patterns.of(url) for url in urls] == ["/Show/Item.aspx?id", "/show/*?id", "/Show/Item.aspx?id"]


def test_of_many_scripts_the_first_are_told_apart_and_later_ones_that_stand_in_many_urls() -> None:
    patterns = Patterns()
    names = [a + b for a in "abcdefgh" for b in "ijklmnop"]
    assert PATTERN_NAMES < SCRIPTS < len(names)
    found = {patterns.of(f"{HOST}/x/{name}?id=1") for name in names}
    assert found == {*(f"/x/{name}?id" for name in names[:PATTERN_NAMES]), "/x/*?id"}
    found = {patterns.of(f"{HOST}/x/{name}?id={at}") for name in names for at in range(2, SCRIPT_FROM + 2)}
    assert found == {*(f"/x/{name}?id" for name in names[:SCRIPTS]), "/x/*?id"}


def test_scripts_that_are_counted_are_bounded() -> None:
    patterns = Patterns()
    for at in range(2 * MAX_COUNTED):
        patterns.of(f"{HOST}/x/{'abcdefghij'[at % 10]}{chr(0x4E00 + at)}?id=1")
    assert len(patterns._asked) == MAX_COUNTED


def test_another_process_tells_the_same_scripts_apart() -> None:
    patterns = Patterns()
    patterns.of(f"{HOST}/x/page")
    urls = [f"{HOST}/x/{name}?id=1" for name in ("show", "page")]
    assert [patterns.of(url) for url in urls] == ["/x/show?id", "/x/*?id"]
    other = Patterns.relearned(json.loads(json.dumps(patterns.learned())))
    assert [other.of(url) for url in urls] == ["/x/show?id", "/x/*?id"]


@pytest.mark.parametrize(
    ("path", "pattern", "part"),
    [
        ("/tree/anna/person/7", "/tree/*/**", "/tree/*/person/**"),
        ("/tree/anna/person/7/more", "/tree/*/**", "/tree/*/person/**"),
        ("/tree/anna/person/", "/tree/**/", "/tree/*/person/**/"),
        ("/tree/anna/person/all/7", "/tree/*/**", "/tree/*/person/**"),
        ("/tree/anna//7", "/tree/*/**", "/tree/*/**"),
        ("/tree/anna/chart/7?x=1", "/tree/*/**?x", "/tree/*/chart/**?x"),
        ("/tree/anna/chart", "/tree/*/**", "/tree/*/**"),
        ("/tree/anna/2026/7", "/tree/*/**", "/tree/*/**"),
        ("/tree/anna/", "/tree/**/", "/tree/**/"),
        ("/tree/chart.cgi?x=1", "/tree/chart.cgi?x", "/tree/chart.cgi?x"),
    ],
)
def test_what_lies_in_two_folders_has_parts_by_the_next_one(path: str, pattern: str, part: str) -> None:
    patterns = Patterns()
    assert (patterns.of(HOST + path), patterns.part_of(HOST + path)) == (pattern, part)
    assert whole_of(part) == pattern


def test_parts_of_a_pattern_are_few() -> None:
    patterns = Patterns()
    names = [a + b for a in "abcdefgh" for b in "ijklmnop"]
    found = {patterns.part_of(f"{HOST}/tree/{at}/{name}/x") for name in names for at in range(NAMED_FROM)}
    assert len(found) == PATTERN_NAMES + MORE_NAMES + 1
    other = Patterns.relearned(json.loads(json.dumps(patterns.learned())))
    assert {other.part_of(f"{HOST}/tree/1/{name}/x") for name in names} == found


def test_hosts_beyond_a_few_share_one_pattern() -> None:
    patterns = Patterns()
    found = [patterns.of(f"https://h{at}.example.com/x") for at in range(PATTERN_HOSTS + 3)]
    assert found == ["/x", *(f"//h{at}.example.com/x" for at in range(1, PATTERN_HOSTS)), *["//*/x"] * 3]
    assert patterns.of("https://h0.example.com/x") == "/x"


@pytest.mark.parametrize(("sets", "combines"), [(COMBINES - 1, False), (COMBINES, True)])
def test_a_path_with_many_sets_of_parameters_combines_filters(sets: int, combines: bool) -> None:
    patterns = Patterns()
    found = [patterns.of(f"{HOST}/shop?f{at}=1&g={value}") for at in range(sets) for value in range(3)]
    assert {patterns.combines(pattern) for pattern in found} == {combines}
    assert not patterns.combines("/shop")  # without any it is none of them
    assert not patterns.combines("/other")


def test_many_values_of_one_parameter_combine_nothing() -> None:
    patterns = Patterns()
    found = {patterns.of(f"{HOST}/list?page={at}") for at in range(100)}
    assert found == {"/list?page"}
    assert not patterns.combines("/list?page")


@pytest.mark.parametrize(
    ("pattern", "url", "expected"),
    [
        ("/about", "/about", True),
        ("/about", "/about?x=1", False),
        ("/about", "/about/", False),
        ("/p/*", "/p/17", True),
        ("/p/*", "/p/17/18", False),
        ("/p/*", "/p", False),
        ("/p/*", "/p/", False),
        ("/p/*/**", "/p/", False),
        ("/p/*/", "/p//", True),
        ("/p/*", "/q/17", False),
        ("/p/*", "/p/17?sid=1", False),
        ("/p/*", "/p/17#part", True),
        ("/p/*?sid", "/p/17?sid=abc", True),
        ("/p/*?sid", "/p/17", False),
        ("/p/*?*", "/p/17?sid=abc", True),
        ("/p/*?*", "/p/17", True),
        ("/search?page&q", "/search?q=1&page=2", True),
        ("/search?page&q", "/search?q=1", False),
        ("/search?page&q", "/search?q=1&page=2&sort=3", False),
        ("/calendar/**", "/calendar/2026/11?view=month", True),
        ("/calendar/**", "/calendar/", True),
        ("/calendar/**", "/calendars/a", False),
        ("/calendar/**?m", "/calendar/a/b?m=1", True),
        ("/calendar/**?m", "/calendar/a/b", False),
        ("/calendar/*/**", "/calendar/2026/11/23", True),
        ("/a/**/", "/a/b/", True),
        ("/**", "/anything", True),
        ("/**", "/", True),
        ("/", "/", True),
        ("/", "", True),
        ("/", "/a", False),
        ("/?page", "/?page=2", True),
        ("/?*", "/", True),
        ("/?*", "/?a=1", True),
        ("/?*", "/a?b=1", False),
        ("//*/x", "/x", True),
        ("//*/x", "/y", False),
        ("//example.com/x", "/x", True),
        ("//other.com/x", "/x", False),
        ("//example.com:80/x", "/x", False),
    ],
)
def test_a_pattern_that_a_person_writes_names_urls(pattern: str, url: str, expected: bool) -> None:
    assert matches(pattern, HOST + url) is expected


@pytest.mark.parametrize(
    ("pattern", "rest"),
    [
        ("/x", "/x"),
        ("//shop.example.com/x?a", "/x?a"),
        ("//*/x/**", "/x/**"),
        ("//*/", "/"),
        ("//h", ""),
    ],
)
def test_a_pattern_without_its_host(pattern: str, rest: str) -> None:
    assert without_host(pattern) == rest


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("http://a.example", ("http://a.example", "/", "")),
        ("http://a.example?x", ("http://a.example", "/", "x")),
        ("http://a.example#/x?y", ("http://a.example", "/", "")),
        ("http://me:secret@a.example/@x?y", ("http://a.example", "/@x", "y")),
        ("http://me@a.example", ("http://a.example", "/", "")),
        ("http://a.example:8080/x/y?u=http://b.example/?z", ("http://a.example:8080", "/x/y", "u=http://b.example/?z")),
    ],
)
def test_a_url_in_parts(url: str, parts: tuple[str, str, str]) -> None:
    assert parted(url) == parts


_URLS = st.text("ab/?&=;:.#%1 é", max_size=30).map(lambda rest: f"{HOST}{rest}") | st.text(max_size=30)
_FIRST = st.text("ab1", min_size=1, max_size=2)
_PATHS = st.tuples(_FIRST, st.lists(st.text("ab1", max_size=2), max_size=5)).map(
    lambda parts: "/".join(("", parts[0], *parts[1]))
) | st.just("/")
_QUERIES = st.lists(st.sampled_from(["a=1", "b=2", "c", "a"]), max_size=3).map("&".join)


@given(st.lists(_URLS, max_size=60), st.text("/*?&ab.", max_size=12) | st.text(max_size=12))
def test_no_url_and_no_pattern_raises(urls: list[str], written: str) -> None:
    patterns = Patterns()
    for url in urls:
        pattern = patterns.of(url)
        patterns.combines(pattern)
        matches(pattern, url)
        matches(written, url)
    without_host(written)


@given(st.lists(st.tuples(st.sampled_from("hijklmn"), _PATHS, _QUERIES), max_size=80))
def test_what_is_told_to_a_person_names_the_url_that_it_is_about(urls: list[tuple[str, str, str]]) -> None:
    patterns = Patterns()
    for host, path, query in urls:
        url = f"http://{host}.example.com{path}{'?' if query else ''}{query}"
        assert matches(patterns.of(url), url)
        assert matches(part := patterns.part_of(url), url)
        assert whole_of(part) == patterns.of(url)
        assert patterns.of(url) == patterns.of(f"{url}#part")


def test_patterns_are_few_whatever_comes() -> None:
    patterns = Patterns()
    found = {
        patterns.part_of(f"http://h{at % 50}.example.com/{at * 7 % 1009}n/{'x/' * (at % 5)}?p{at % 23}=1")
        for at in range(9_000)
    }
    assert len(found) < 1_000
    assert len(patterns._remembered) <= 20_000
