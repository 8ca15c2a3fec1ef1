"""scrapy-polite: polite crawling for Scrapy. `ADDONS = {"scrapy_polite.Addon": 300}` turns it on."""

from __future__ import annotations

from scrapy_polite._addon import Addon

__version__ = "0.1.0"
__all__ = ["Addon", "__version__"]
