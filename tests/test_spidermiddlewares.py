"""Which of our spider middlewares do whose work: those side by side are gone through in one step."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from scrapy import Spider
from scrapy.core.spidermw import SpiderMiddlewareManager

from crawlers import crawler
from scrapy_polite.spidermiddlewares import BlacklistMiddleware, TrapMiddleware, UrlLengthMiddleware

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

OURS = {
    "scrapy_polite.spidermiddlewares.BlacklistMiddleware": 810,
    "scrapy_polite.spidermiddlewares.UrlLengthMiddleware": 800,
    "scrapy_polite.spidermiddlewares.TrapMiddleware": 790,
}
NAMES = ["TrapMiddleware", "UrlLengthMiddleware", "BlacklistMiddleware"]


def test_a_second_manager_of_one_crawler_has_doors_of_its_own(tmp_path: Path) -> None:
    own = crawler({"SPIDER_MIDDLEWARES_BASE": {}, "SPIDER_MIDDLEWARES": OURS, "POLITE_STORE": str(tmp_path / "store")})
    own.spider = Spider("demo")
    for _ in range(2):
        manager = SpiderMiddlewareManager.from_crawler(own)
        assert [type(door).__name__ for door in manager.middlewares] == NAMES
        trap, length, blacklist = manager.middlewares
        assert (blacklist._next, length._next, trap._next) == (length, trap, None)


def test_a_neighbour_that_cannot_be_loaded_stands_between_ours_and_takes_none_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "unusable.py").write_text("from scrapy.exceptions import NotConfigured\nraise NotConfigured('why')\n")
    monkeypatch.syspath_prepend(tmp_path)
    own = crawler({"SPIDER_MIDDLEWARES_BASE": {}, "SPIDER_MIDDLEWARES": OURS, "POLITE_STORE": str(tmp_path / "store")})
    own.spider = Spider("demo")
    own.settings["SPIDER_MIDDLEWARES"]["unusable.Middleware"] = 805
    trap, length, blacklist = (
        kind.from_crawler(own) for kind in (TrapMiddleware, UrlLengthMiddleware, BlacklistMiddleware)
    )
    assert (blacklist._next, length._next) == (None, trap)
    assert "unusable" not in sys.modules
