"""Which link filters stand in which spider middleware."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Spider
from scrapy.core.spidermw import SpiderMiddlewareManager
from scrapy.exceptions import NotConfigured

from crawlers import crawler
from scrapy_polite.spidermiddlewares import (
    BlacklistMiddleware,
    LinkFilterMiddleware,
    RobotsDirectivesMiddleware,
    TrapMiddleware,
    UrlLengthMiddleware,
)

if TYPE_CHECKING:
    from pathlib import Path

ALL = ["Blacklist", "UrlLength", "Traps", "RobotsDirectives"]
OURS = "scrapy_polite.spidermiddlewares"


def made(tmp_path: Path, middlewares: dict[Any, int | None], **settings: Any) -> Any:
    base = {"SPIDER_MIDDLEWARES_BASE": {}, "SPIDER_MIDDLEWARES": middlewares, "POLITE_STORE": str(tmp_path / "store")}
    own = crawler(base | settings)
    own.spider = Spider("demo")
    return own


def names(middleware: Any) -> list[str]:
    return [type(one).__name__ for one in middleware._filters]


def test_one_middleware_has_all_filters_in_order(tmp_path: Path) -> None:
    own = made(tmp_path, {LinkFilterMiddleware: 800})
    for _ in range(2):  # a second manager of one crawler has middlewares of its own
        (only,) = SpiderMiddlewareManager.from_crawler(own).middlewares
        assert names(only) == [*ALL, "KnownLinks"]


@pytest.mark.parametrize("place", [790, None])
def test_what_a_project_names_by_itself_is_left_out(tmp_path: Path, place: int | None) -> None:
    own = made(tmp_path, {f"{OURS}.TrapMiddleware": place, LinkFilterMiddleware: 800})
    found = SpiderMiddlewareManager.from_crawler(own).middlewares
    others = ["Blacklist", "UrlLength", "RobotsDirectives"]
    assert [names(one) for one in found] == ([[*others, "KnownLinks"]] if place is None else [["Traps"], others])


def test_what_is_off_is_not_gone_through(tmp_path: Path) -> None:
    own = made(tmp_path, {LinkFilterMiddleware: 800}, POLITE_TRAPS="off", POLITE_DUPLICATES="off")
    (only,) = SpiderMiddlewareManager.from_crawler(own).middlewares
    assert "Traps" not in names(only)
    with pytest.raises(NotConfigured):
        TrapMiddleware.from_crawler(own)


@pytest.mark.parametrize(
    ("neighbour", "order", "dropped"),
    [
        ("scrapy.spidermiddlewares.referer.RefererMiddleware", 700, True),
        ("scrapy.spidermiddlewares.depth.DepthMiddleware", 700, False),
        ("spiders.ListSpider", 800, False),
        ("spiders.ListSpider", 801, True),
        ("spiders.ListSpider", None, True),
    ],
)
def test_links_to_known_pages_are_dropped_where_no_neighbour_would_miss_them(
    tmp_path: Path, neighbour: str, order: int | None, dropped: bool
) -> None:
    own = made(tmp_path, {neighbour: order, LinkFilterMiddleware: 800})
    assert ("KnownLinks" in names(LinkFilterMiddleware.from_crawler(own))) is dropped


@pytest.mark.parametrize(
    ("kind", "name"),
    [*zip((BlacklistMiddleware, UrlLengthMiddleware, TrapMiddleware, RobotsDirectivesMiddleware), ALL, strict=True)],
    ids=ALL,
)
def test_each_filter_has_a_middleware_of_its_own(tmp_path: Path, kind: type[LinkFilterMiddleware], name: str) -> None:
    assert names(kind.from_crawler(made(tmp_path, {kind: 800}))) == [name]


def test_a_neighbour_that_cannot_be_loaded_takes_none_of_ours_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "unusable.py").write_text("from scrapy.exceptions import NotConfigured\nraise NotConfigured('why')\n")
    monkeypatch.syspath_prepend(tmp_path)
    own = made(tmp_path, {"unusable.Middleware": 805, LinkFilterMiddleware: 800})
    assert names(LinkFilterMiddleware.from_crawler(own)) == [*ALL, "KnownLinks"]
    assert "unusable" not in sys.modules
