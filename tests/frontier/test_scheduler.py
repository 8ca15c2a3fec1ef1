"""Which links the scheduler filters before they are queued."""

from __future__ import annotations

from typing import Any

import pytest
from scrapy import Request, Spider
from scrapy.dupefilters import BaseDupeFilter

from crawlers import crawler
from scrapy_polite.dupefilters import PoliteDupeFilter
from scrapy_polite.frontier import Scheduler
from scrapy_polite.services.trap_sites import AGAIN

URL = "https://example.com/page"


class Other(BaseDupeFilter):
    """A project's own, with a method of a common name."""

    def has_seen(self, request: Request) -> bool:
        return True


def scheduler(dupefilter: type) -> Any:
    made = crawler({"DUPEFILTER_CLASS": dupefilter, "POLITE_STORE": "memory"})
    made.spider = Spider("demo")
    made.spider.crawler = made
    return Scheduler.from_crawler(made)


@pytest.mark.parametrize(
    ("dupefilter", "link", "filtered"),
    [
        pytest.param(PoliteDupeFilter, Request(URL), True, id="seen"),
        pytest.param(PoliteDupeFilter, Request(f"{URL}/2"), False, id="new"),
        pytest.param(PoliteDupeFilter, Request(URL, dont_filter=True), False, id="to be fetched again"),
        pytest.param(
            PoliteDupeFilter, Request(URL, meta={AGAIN: True}), False, id="deferred, and need not wait any more"
        ),
        pytest.param(Other, Request(URL), False, id="another dupefilter"),
    ],
)
def test_links_that_are_sure_to_be_duplicates_are_filtered(dupefilter: type, link: Request, filtered: bool) -> None:
    ours = scheduler(dupefilter)
    ours.df.request_seen(Request(URL))
    assert ours.filters(link) is filtered
    assert ours.crawler.stats.get_value("dupefilter/filtered", 0) == filtered
    assert ours.df.request_seen(Request(f"{URL}/2")) is False  # looking has not made it seen
