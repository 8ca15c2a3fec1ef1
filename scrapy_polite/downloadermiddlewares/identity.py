"""Who crawls, and how to reach them."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from scrapy import signals

from scrapy_polite._crawl import shared
from scrapy_polite.identity import complaints, default_user_agent, digits_in_token
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.text import printable

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from typing_extensions import Self


logger = logging.getLogger(__name__)


class IdentityMiddleware:
    """Sends `From` (RFC 9110 §10.1.2) and says at start what an operator would miss in the User-Agent.

    Accept, Referer and Host stay Scrapy's.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._email = shared(crawler, PoliteSettings).contact_email
        crawler.signals.connect(self._spider_opened, signals.spider_opened)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        if self._email:
            request.headers.setdefault(b"From", self._email)

    def _spider_opened(self) -> None:
        user_agent = default_user_agent(self.crawler)
        robots_user_agent, extra = self.crawler.settings["ROBOTSTXT_USER_AGENT"], {"spider": self.crawler.spider}
        for complaint in complaints(user_agent, self._email, robots_user_agent):
            logger.warning("%s", printable(complaint, 400), extra=extra)
        if digits := digits_in_token(user_agent, robots_user_agent):
            logger.info("scrapy-polite: %s", printable(digits, 400), extra=extra)
