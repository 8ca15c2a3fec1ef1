"""Spiders of the tests of what robots.txt offers."""

from __future__ import annotations

from typing import Any

from spiders import ListSpider


class Listed(ListSpider):
    """Writes down what sitemaps say of its pages."""

    def parse(self, response: Any) -> Any:
        super().parse(response)
        self.responses[-1]["flags"] = response.meta.get("polite_sitemap")
