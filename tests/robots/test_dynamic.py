"""URLs that have a server run a program: which are known by their form, and how many queries a path may have."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_polite.robots.dynamic import MAX_PATHS, QueryBudget, gateway


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://example.com/cgi-bin/koha/opac-search.pl?q=thelen", "/cgi-bin/"),
        ("http://example.com/CGI-BIN/x", "/CGI-BIN/"),
        ("http://example.com/cgi%2Dbin/x", "/cgi-bin/"),
        ("http://example.com/a/cgi/viewcontent.cgi?article=1000", "/cgi/"),
        ("http://example.com/cgi-bin2/x", "/cgi-bin2/"),
        ("http://example.com/fcgi-bin/x", "/fcgi-bin/"),
        ("http://example.com/cgi-win/x", "/cgi-win/"),
        ("http://example.com/uhtbin/webcat", "/uhtbin/"),
        ("http://example.com/servlet/OAIHandler?verb=ListRecords", "/servlet/"),
        ("http://example.com/show_bug.cgi?id=326395", "/show_bug.cgi"),
        ("http://example.com/Explore.cgi/reports", "/Explore.cgi"),
        ("http://example.com/wiki.cgi", "/wiki.cgi"),
        ("http://example.com/wiki.cgi;v=1", "/wiki.cgi"),
        ("http://example.com/wiki.cgi#part", "/wiki.cgi"),
        ("http://example.com/list.fcg", "/list.fcg"),
        ("http://example.com/run.fcgi", "/run.fcgi"),
        ("http://example.com/netacgi/nph-Parser?Sect1=PTO2", "/nph-Parser"),
        ("http://example.com/scripts/interpac.dll?LabelDisplay", "/interpac.dll?"),
        ("http://example.com/web2/tramp2.exe/log_in?setting_key=BMT1", "/tramp2.exe/"),
        ("http://example.com/article.pl?sid=1", "/article.pl?"),
    ],
)
def test_a_gateway_is_known_by_its_path(url: str, shown: str) -> None:
    assert gateway(url) == shown


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/",
        "http://cgi-bin.example/x",
        "http://example.com/index.php?id=1",
        "http://example.com/default.asp",
        "http://example.com/arcgis/rest/services",
        "http://example.com/cgi-city/tutorials.shtml",
        "http://example.com/cgi.htm",
        "http://example.com/cgit/linux.git/",
        "http://example.com/tutorials/servlets",
        "http://example.com/setup.exe",
        "http://example.com/malware-disguised-as-winrar.exe/",
        "http://example.com/about-wusa.exe/?page=2",
        "http://example.com/proxy/www.ug.edu.pl/index.html",
        "http://example.com/script.pl",
        "http://example.com/go?to=http://other.example/cgi-bin/x.cgi",
        "http://example.com/page#/cgi-bin/x.cgi",
        "",
    ],
)
def test_what_only_looks_like_one_is_none(url: str) -> None:
    assert gateway(url) is None


def test_evidence_is_short() -> None:
    assert len(gateway(f"http://example.com/{'x' * 9_000}.cgi") or "") == 200


@given(st.text())
def test_no_url_raises(url: str) -> None:
    gateway(url)
    gateway(f"http://example.com/{url}.cgi")
    QueryBudget(1).exceeded(url)


def test_the_first_queries_of_a_path_are_let_through() -> None:
    budget = QueryBudget(2)
    found = [budget.exceeded(f"http://example.com/list?page={number}") for number in (1, 2, 3)]
    assert found == [None, None, "more than 2 URLs with a query at http://example.com/list"]


def test_a_url_counts_once_however_often_it_is_asked() -> None:
    budget = QueryBudget(2)
    asked = ["?a=1", "?a=1#part", "?a=1", "?a=2", "?a=1", "?a=2", "?a=3", "?a=1"]
    found = [budget.exceeded(f"http://example.com/{query}") is not None for query in asked]
    assert found == [False] * 6 + [True, False]


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/list",
        "http://example.com/list?",
        "http://example.com/list#a?b",
        "http://example.com/other?page=1",
        "http://www.example.com/list?page=1",
    ],
)
def test_what_has_no_query_or_another_path_is_not_counted_together(url: str) -> None:
    budget = QueryBudget(1)
    budget.exceeded("http://example.com/list?page=0")
    assert budget.exceeded(url) is None
    assert budget.exceeded("http://example.com/list?page=9") is not None


def test_without_any_budget_no_query_is_let_through() -> None:
    assert QueryBudget(0).exceeded("http://example.com/?a") is not None
    assert QueryBudget(0).exceeded("http://example.com/") is None


def test_a_path_in_use_is_remembered_and_one_long_unused_forgotten() -> None:
    budget = QueryBudget(1)
    used, unused = "http://example.com/used?a=", "http://example.com/unused?a="
    for url in (used, unused):
        assert budget.exceeded(url + "1") is None
    for number in range(MAX_PATHS - 1):
        budget.exceeded(f"http://example.com/{number}?a")
        assert budget.exceeded(used + "2") is not None
    assert budget.exceeded(unused + "2") is None


def test_a_negative_budget_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"limit=-1: expected 0 or more"):
        QueryBudget(-1)
