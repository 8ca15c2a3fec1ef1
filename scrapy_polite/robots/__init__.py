"""robots.txt (RFC 9309): `RobotsTxt` reads and decides, `PoliteRobotParser` is it behind Scrapy's interface."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy_polite.robots.dialect import Dialect
from scrapy_polite.robots.dialects import DIALECTS, verdicts
from scrapy_polite.robots.product_token import product_token
from scrapy_polite.robots.rfc import RFC
from scrapy_polite.robots.rules import RobotsTxt

if TYPE_CHECKING:
    from scrapy_polite.robots.parser import PoliteRobotParser

__all__ = ["DIALECTS", "RFC", "Dialect", "PoliteRobotParser", "RobotsTxt", "product_token", "verdicts"]


def __getattr__(name: str) -> object:
    """Scrapy's interface when it is asked for: `python -m scrapy_polite.robots` does without Scrapy."""
    if name != "PoliteRobotParser":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from scrapy_polite.robots.parser import PoliteRobotParser

    return PoliteRobotParser
