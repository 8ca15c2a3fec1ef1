"""Downloader middlewares: what a request passes on its way out, and its response on its way in."""

from scrapy_polite.downloadermiddlewares.blacklist import BlacklistMiddleware
from scrapy_polite.downloadermiddlewares.dead_urls import DeadUrlsMiddleware
from scrapy_polite.downloadermiddlewares.identity import IdentityMiddleware
from scrapy_polite.downloadermiddlewares.pacing import PacingMiddleware
from scrapy_polite.downloadermiddlewares.recrawl import RecrawlMiddleware
from scrapy_polite.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy_polite.downloadermiddlewares.sitemaps import SitemapMiddleware
from scrapy_polite.downloadermiddlewares.traps import TrapMiddleware

__all__ = (
    "BlacklistMiddleware",
    "DeadUrlsMiddleware",
    "IdentityMiddleware",
    "PacingMiddleware",
    "RecrawlMiddleware",
    "RobotsTxtMiddleware",
    "SitemapMiddleware",
    "TrapMiddleware",
)
