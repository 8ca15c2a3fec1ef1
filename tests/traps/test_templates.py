"""Shapes of URLs: positions that become a wildcard, buckets, bounds, and templates as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_polite.traps import templates
from scrapy_polite.traps.templates import MAX_NAMES, Templates, matches


def test_few_names_stay_apart() -> None:
    site: Templates[None] = Templates()
    assert str(site.place("/about", "")) == "/about"
    assert str(site.place("/news/today", "")) == "/news/today"
    assert site.place("/about", "") is not site.place("/contact", "")


def test_a_position_with_many_names_becomes_a_wildcard() -> None:
    site: Templates[None] = Templates()
    early = site.place("/item/first", "")
    for number in range(MAX_NAMES + 1):
        last = site.place(f"/item/{number}", "")
    assert str(last) == "/item/*"
    assert early.current is last
    assert early.lineage() == last.lineage()


def test_a_directory_with_a_life_of_its_own_is_no_part_of_the_wildcard() -> None:
    site: Templates[None] = Templates()
    for number in range(20):
        site.place(f"/news/{number}", "")
    for number in range(MAX_NAMES + 1):
        site.place(f"/{number}", "")
    assert str(site.place("/other", "")) == "/*"
    assert str(site.place("/news/3", "")) == "/news/3"


def test_what_went_into_a_wildcard_keeps_the_buckets_below_it() -> None:
    site: Templates[None] = Templates()
    buckets = [site.place(f"/user/{number}/posts", "page=1") for number in range(MAX_NAMES + 1)]
    assert {str(bucket.current) for bucket in buckets} == {"/user/*/posts?page"}
    assert len({id(bucket.current) for bucket in buckets}) == 1


def test_parameter_names_make_buckets_and_their_order_and_values_do_not() -> None:
    site: Templates[None] = Templates()
    bucket = site.place("/shop", "size=1&color=red")
    assert str(bucket) == "/shop?color&size"
    assert bucket is site.place("/shop", "color=blue&size=2&size=3")
    assert bucket is not site.place("/shop", "color=blue")
    assert bucket.parent is site.place("/shop", "").parent
    assert bucket.parent is not None
    assert bucket.parent.name_sets == 3


def test_sizes_of_a_picture_are_one_name() -> None:
    site: Templates[None] = Templates()
    assert site.place("/100x200/a.jpg", "") is site.place("/30x40/a.jpg", "")


def test_a_folder_is_another_bucket_than_the_page_of_that_name() -> None:
    site: Templates[None] = Templates()
    assert site.place("/a/", "") is not site.place("/a", "")


def test_a_folders_own_page_is_no_name_for_all_that_is_in_the_folder() -> None:
    site: Templates[None] = Templates()
    assert [str(place) for place in site.place("/", "a=1").lineage()] == ["/?a", "/?*", "/**"]
    assert [str(place) for place in site.place("/shop/").lineage()] == ["/shop/", "/shop/?*", "/shop/**", "/**"]
    site.place("//x")
    assert [str(place) for place in site.place("/").lineage()] == ["/", "//**", "/**"]


def test_memory_is_bounded_whatever_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(templates, "MAX_PLACES", 200)
    site: Templates[None] = Templates()
    for number in range(3_000):
        site.place(f"/{number % 20}/{number % 19}/{number % 17}/{number % 13}/{number}", f"a{number}=1")
    # Each place may have one set of buckets besides.
    assert site.places <= 200 * (templates.MAX_NAME_SETS + 2)
    assert len(site.place("/1/1/1/1/1", "").lineage()) <= templates.MAX_DEPTH + 3


@pytest.mark.parametrize(
    ("template", "url", "expected"),
    [
        ("/p/*", "/p/17", True),
        ("/p/*", "/p/17/18", False),
        ("/p/*", "/q/17", False),
        ("/p/*", "/p/17?sid=1", False),
        ("/p/*?sid", "/p/17?sid=abc", True),
        ("/p/*?a&b", "/p/17?b=1&a=2", True),
        ("/p/*?a&b", "/p/17?a=2", False),
        ("/maze/**", "/maze/a/b/c?d=1", True),
        ("/maze/**", "/amaze/a", False),
        ("/**", "/anything", True),
        ("/a/b/c/d/e/f/**/**", "/a/b/c/d/e/f/g", True),
        ("/a/b/c/d/e/f/**?x", "/a/b/c/d/e/f/g/h?x=1", True),
        ("/a/b/c/d/e/f/**?x", "/a/b/c/d/e/f/g/h?y=1", False),
        ("/a/b/c/d/e/f/**?x", "/a/b/c/d/e/z/g/h?x=1", False),
        ("/shop/?*", "/shop/?a=1&b=2", True),
        ("/shop/?*", "/shop/", True),
        ("/shop/?*", "/shop/a", False),
        ("/?*", "/a", False),
        ("//**", "/a", False),
        ("//**", "//a", True),
        ("//*/a", "/a", True),
        ("//*/?*", "/a", False),
        ("/img/{size}/*", "/img/10x20/a.jpg", True),
        ("/img/{size}/*", "/img/small/a.jpg", False),
    ],
)
def test_a_template_names_what_is_in_its_place(template: str, url: str, expected: bool) -> None:
    path, _, query = url.partition("?")
    assert matches(template, path, query) is expected


_PATHS = st.lists(st.text("ab1x/", max_size=4), max_size=9).map(lambda parts: "/" + "/".join(parts))


@given(st.lists(st.tuples(_PATHS, st.text("ab=&", max_size=8)), max_size=60))
def test_every_url_has_a_bucket_below_the_root_whose_template_names_it(urls: list[tuple[str, str]]) -> None:
    site: Templates[None] = Templates()
    for path, query in urls:
        bucket = site.place(path, query)
        lineage = bucket.lineage()
        assert bucket.is_bucket
        assert lineage[-1] is site.root
        assert str(lineage[-1]) == "/**"
        assert all(matches(str(place), path, query) for place in lineage)


def test_what_was_noted_of_places_goes_into_the_one_that_they_become() -> None:
    site: Templates[list[int]] = Templates("", lambda notes, other: (notes or []) + other)
    for number in range(MAX_NAMES):
        site.place(f"/day/{number}").notes = [number]
    assert site.place("/day/new").notes == list(range(MAX_NAMES))
