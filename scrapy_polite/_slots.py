"""The downloader's slots, and `crawler.throttler` once Scrapy has it: the one room that knows either.

Slots: `downloader.slots`, `per_slot_settings` and `get_slot_key` (all versions), `_jitter` and the key `jitter` (Scrapy
2.19) or `randomize_delay` (before).

Download handlers: those of the schemes http and https, `_pool` or `_session`; others are left as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import ref

from scrapy_polite._crawl import engine_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler


class Slots:
    def __init__(self, crawler: Crawler) -> None:
        self._crawler = ref(crawler)
        self._first_delay_s = max(map(crawler.settings.getfloat, ("DOWNLOAD_DELAY", "AUTOTHROTTLE_START_DELAY")))

    def without_jitter(self) -> None:
        """Our gates do the waiting: with jitter a slot could wait again, and hold a place in CONCURRENT_REQUESTS."""
        downloader = self._downloader()
        if hasattr(downloader, "_jitter"):
            downloader._jitter = 0.0
        elif hasattr(downloader, "randomize_delay"):
            downloader.randomize_delay = False
        for name, values in getattr(downloader, "per_slot_settings", {}).items():
            downloader.per_slot_settings[name] = values | _no_jitter(values)

    def tell_throttler(self, request: Request, seconds: float) -> None:
        """Have Scrapy's throttler, where there is one, leave no less than `seconds` between two such requests."""
        throttler = getattr(self._crawler(), "throttler", None)
        if throttler is not None and seconds:
            for scope in throttler.get_scopes(request):
                throttler.get_scope_manager(scope).set_base_delay(seconds, only_increase=True)

    def resend_nothing(self) -> None:
        """Have a request fail whose kept-alive connection was lost, instead of being sent again at once, unseen by us.

        `HTTPConnectionPool.retryAutomatically` (Twisted), `ClientSession._retry_connection` (aiohttp, without a
        reactor). It is then RetryMiddleware's to send it again.
        """
        handler_of = getattr(getattr(self._downloader(), "handlers", None), "_get_handler", lambda scheme: None)
        for handler in filter(None, map(handler_of, ("http", "https"))):
            if hasattr(getattr(handler, "_pool", None), "retryAutomatically"):
                handler._pool.retryAutomatically = False
            if hasattr(getattr(handler, "_session", None), "_retry_connection"):
                handler._session._retry_connection = False

    def delay_s(self, request: Request) -> float:
        """The delay that AutoThrottle has set for the slot of `request`, its first one where there is no slot yet."""
        downloader = self._downloader()
        try:
            slot = downloader.slots.get(downloader.get_slot_key(request))
        except AttributeError:
            return 0.0
        return slot.delay if slot is not None else self._first_delay_s

    def _downloader(self) -> Any:
        return getattr(engine_of(self._crawler()), "downloader", None)


def _no_jitter(values: dict[str, Any]) -> dict[str, Any]:
    return {"randomize_delay": False} if "randomize_delay" in values else {"jitter": 0.0}
