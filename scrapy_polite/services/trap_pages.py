"""Scrapy's responses as pages: what each carries, and which links on one are a sitemap's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.http import HtmlResponse, TextResponse, XmlResponse

from scrapy_polite._scrapy.spiders import is_for_sitemap
from scrapy_polite.traps import page as pages

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.http import Response

    from scrapy_polite.traps.page import Page

#: Markup is told by so many of the first bytes, and so are characters of two or four by their zeros.
_BEGIN = 64


def read(response: Response) -> Page | None:
    """What a page carries; None for a calendar's file, which says its page once more."""
    body = response.body
    # Some markup is sent as plain text, or as a type that Scrapy does not know.
    is_markup = isinstance(response, (HtmlResponse, XmlResponse)) or body[:_BEGIN].lstrip()[:1] == b"<"
    if not is_markup and (
        pages.is_calendar(body) or (response.headers.get("Content-Type") or b"").startswith(b"text/calendar")
    ):
        return None
    if not isinstance(response, TextResponse):
        return pages.of_bytes(body)
    read_as = pages.of_markup if is_markup else pages.of_text
    if b"\0" in body[:_BEGIN] and response.encoding.startswith(("utf-16", "utf-32")):
        return read_as(response.text.encode("utf-8", "replace"), "utf-8")
    if not is_markup and body.isascii():
        return read_as(body, "ascii")  # Scrapy decodes the whole of it to know that
    return read_as(body, lambda: response.encoding)


def is_of_sitemap(request: Request, response: Response, spider: Spider | None) -> bool:
    """Whether a link on what is no HTML is a sitemap's, and no sitemap itself: an index may go on for ever.

    What SitemapSpider parses may be a robots.txt or compressed, so there it is the callback that tells.
    """
    if response.request and is_for_sitemap(response.request, spider):
        return not is_for_sitemap(request, spider) or response.url.endswith("/robots.txt")
    return pages.is_sitemap(response.body)
