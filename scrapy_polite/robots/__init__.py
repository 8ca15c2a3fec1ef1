"""robots.txt (RFC 9309): `RobotsTxt` reads and decides, `PoliteRobotParser` is it behind Scrapy's interface."""

from scrapy_polite.robots.dialect import Dialect
from scrapy_polite.robots.parser import PoliteRobotParser
from scrapy_polite.robots.product_token import product_token
from scrapy_polite.robots.rfc import RFC
from scrapy_polite.robots.rules import RobotsTxt

__all__ = ["RFC", "Dialect", "PoliteRobotParser", "RobotsTxt", "product_token"]
