"""An add-on for benchmarks that wait for dead hosts: a robots.txt that failed is tried again after a second.

The pauses are no settings, since nobody crawling strangers' servers should shorten them.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from scrapy_polite.services import robots

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

RETRY_DELAY_S, BACKOFF_S = 0.1, 1.0


class Impatient:
    def update_settings(self, settings: BaseSettings) -> None:
        robots.Fetcher = partial(robots.Fetcher, retry_delay_s=RETRY_DELAY_S)  # type: ignore[misc]
        robots.Policy = partial(robots.Policy, backoff_min_s=BACKOFF_S, backoff_max_s=BACKOFF_S)  # type: ignore[misc]
