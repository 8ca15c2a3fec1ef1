"""Scrapy's own spider classes: the callbacks that they give their requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.spiders import SitemapSpider

from scrapy_polite._scrapy.private import private

if TYPE_CHECKING:
    from scrapy import Request, Spider


@private(
    uses="`SitemapSpider._parse_sitemap`",
    versions="2.14 on",
    fallback="a response alone tells whether it is a sitemap: links of a compressed one, or of a robots.txt, are "
    "judged as a page's",
    ask="a public name of this callback",
)
def is_for_sitemap(request: Request, spider: Spider | None) -> bool:
    """Whether SitemapSpider reads the response to a request as a sitemap, or as the robots.txt that names some."""
    if not isinstance(spider, SitemapSpider):
        return False
    callback = getattr(spider, "_parse_sitemap", None)
    return callback is not None and request.callback == callback
