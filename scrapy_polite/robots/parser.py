"""PoliteRobotParser: `RobotsTxt` behind Scrapy's RobotParser interface, for `ROBOTSTXT_PARSER`."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from scrapy.robotstxt import RobotParser
from scrapy.utils.python import to_unicode

from scrapy_polite.robots.product_token import product_token
from scrapy_polite.robots.rfc import RFC
from scrapy_polite.robots.rules import RobotsTxt

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from typing_extensions import Self

    from scrapy_polite.robots.dialect import Dialect

#: Product tokens that one file is kept parsed for; a crawl has one, rarely two or three.
_MAX_TOKENS = 4


class PoliteRobotParser(RobotParser):
    """Parses a file for a product token when it is first asked about it. Any User-Agent header may be given.

    Works with Scrapy 2.14 and later without anything else of this package.
    """

    def __init__(self, robotstxt_body: bytes, dialect: Dialect = RFC) -> None:
        self._body = robotstxt_body
        self._dialect = dialect
        self._parsed: OrderedDict[str | None, RobotsTxt] = OrderedDict()

    @classmethod
    def from_crawler(cls, crawler: Crawler, robotstxt_body: bytes) -> Self:
        return cls(robotstxt_body)

    def robots_txt(self, user_agent: str | bytes) -> RobotsTxt:
        """Return what the file says to this crawler."""
        name = to_unicode(user_agent, errors="replace")
        token = product_token(name)
        key = token and token.lower()
        parsed = self._parsed.get(key)
        if parsed is None:
            parsed = self._parsed[key] = RobotsTxt.parse(self._body, name, dialect=self._dialect)
            if len(self._parsed) > _MAX_TOKENS:
                self._parsed.popitem(last=False)
        return parsed

    def allowed(self, url: str | bytes, user_agent: str | bytes) -> bool:
        return self.robots_txt(user_agent).decide(to_unicode(url, errors="replace")).allowed

    def crawl_delay(self, user_agent: str | bytes) -> float | None:
        return self.robots_txt(user_agent).crawl_delay

    def sitemaps(self) -> Iterator[str]:
        """Yield the Sitemap lines of the file, which are for all crawlers."""
        yield from self.robots_txt("*").sitemaps
