"""robots.txt (RFC 9309): `RobotsTxt` reads and decides, `PoliteRobotParser` is it behind Scrapy's interface."""

from scrapy_polite.robots.parser import PoliteRobotParser
from scrapy_polite.robots.product_token import product_token
from scrapy_polite.robots.rules import RobotsTxt

__all__ = ["PoliteRobotParser", "RobotsTxt", "product_token"]
