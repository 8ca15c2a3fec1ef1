"""Scrapy's engine, as this package uses it: what it does, and downloads of our own (robots.txt) through it."""

from scrapy_polite._engine.downloads import OWN_DOWNLOAD, RequestDeferred
from scrapy_polite._engine.engine import Engine
from scrapy_polite._engine.failures import UNRESOLVED, is_unresolved
from scrapy_polite._engine.robots_download import RobotsDownload

__all__ = ["OWN_DOWNLOAD", "UNRESOLVED", "Engine", "RequestDeferred", "RobotsDownload", "is_unresolved"]
