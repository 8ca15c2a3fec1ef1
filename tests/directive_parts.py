"""Spiders of tests/crawl/test_directives.py."""

from __future__ import annotations

from typing import Any

from spiders import LinksSpider, ListSpider


class Items(LinksSpider):
    """Follows every link and makes an item of every page: what it asks for, and what was asked of the link to it."""

    def parse(self, response: Any) -> Any:
        yield item(response)
        yield from super().parse(response)


class CopiesMeta(ListSpider):
    """As `Items`, and hands its page's meta on to every link."""

    def parse(self, response: Any) -> Any:
        yield item(response)
        yield from response.follow_all(css="a", callback=self.parse, meta=response.meta)


def item(response: Any) -> dict[str, Any]:
    return {"directives": response.meta.get("polite_directives"), "nofollow": response.meta.get("polite_nofollow")}
