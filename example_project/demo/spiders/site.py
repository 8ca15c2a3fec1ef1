"""A crawl of the sites that you name, with limits that suit a first visit: scrapy crawl site -a url=https://..."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from scrapy import Spider
from scrapy.http import Response, TextResponse
from scrapy.linkextractors import LinkExtractor


class SiteSpider(Spider):
    """Follows the links of a host and its subdomains; yields `{"url", "status", "title"}` for each page.

    `url` may be several, with commas between them. Raises ValueError at start if one is no http or https URL.
    """

    name = "site"
    custom_settings = {  # noqa: RUF012
        "CLOSESPIDER_PAGECOUNT": 100,
        "CLOSESPIDER_TIMEOUT": 600,
        "DEPTH_LIMIT": 5,
        "DOWNLOAD_DELAY": 1,
        "CONCURRENT_REQUESTS": 1,
        "DOWNLOAD_MAXSIZE": 5 * 1024 * 1024,
    }

    def __init__(self, url: str = "", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.start_urls = re.split(r",(?=https?://)", url)
        self.allowed_domains = [_host(one) for one in self.start_urls]
        self._links = LinkExtractor()

    def parse(self, response: Response) -> Iterator[Any]:
        if not isinstance(response, TextResponse):
            return
        yield {"url": response.url, "status": response.status, "title": response.css("title::text").get()}
        yield from response.follow_all(self._links.extract_links(response))


def _host(url: str) -> str:
    usage = "use: scrapy crawl site -a url=https://example.org/"
    if not url:
        raise ValueError(f"the argument url is missing; {usage}")
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError as error:
        raise ValueError(f"url={url!r} cannot be read: {error}; {usage}") from None
    if parts.scheme not in ("http", "https") or not host:
        raise ValueError(f"url={url!r} is not an http or https URL with a host; {usage}")
    return host
