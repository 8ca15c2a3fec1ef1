"""scrapy-polite: polite crawling for Scrapy. `ADDONS = {"scrapy_polite.Addon": 300}` turns it on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy_polite._addon import Addon

__version__ = "0.1.0"
__all__ = ["Addon", "__version__"]


def __getattr__(name: str) -> object:
    """The add-on when it is asked for: `python -m scrapy_polite.robots` does without Scrapy."""
    if name != "Addon":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from scrapy_polite._addon import Addon

    return Addon
