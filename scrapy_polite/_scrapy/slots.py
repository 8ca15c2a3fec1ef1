"""The delays of the downloader's slots, and `crawler.throttler` once Scrapy has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import ref

from scrapy_polite._crawl import engine_of
from scrapy_polite._scrapy import handlers
from scrapy_polite._scrapy.downloader import downloader_of
from scrapy_polite._scrapy.private import private

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler


class Slots:
    """The slots of one crawl."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = ref(crawler)
        self._first_delay_s = max(map(crawler.settings.getfloat, ("DOWNLOAD_DELAY", "AUTOTHROTTLE_START_DELAY")))

    @private(
        uses="`downloader.per_slot_settings`; `downloader._jitter` and `jitter` (2.19), `randomize_delay` (before)",
        versions="2.14 on",
        fallback="a request that may leave waits up to half a delay longer, and holds a place meanwhile",
        ask="nothing: the throttler has no jitter where `RANDOMIZE_DOWNLOAD_DELAY` is off",
    )
    def without_jitter(self) -> None:
        """Let no slot wait again with a jitter of its own: our gates do the waiting.

        With jitter a slot could wait again, and hold a place in CONCURRENT_REQUESTS.
        """
        downloader = self._downloader()
        if hasattr(downloader, "_jitter"):
            downloader._jitter = 0.0
        elif hasattr(downloader, "randomize_delay"):
            downloader.randomize_delay = False
        for name, values in getattr(downloader, "per_slot_settings", {}).items():
            downloader.per_slot_settings[name] = values | _no_jitter(values)

    @private(
        uses="`crawler.throttler.get_scopes()`, `get_scope_manager().set_base_delay()`",
        versions="none yet",
        fallback="the gates alone keep the pace",
        ask="to keep `set_base_delay(seconds, only_increase=True)`",
    )
    def tell_throttler(self, request: Request, seconds: float) -> None:
        """Have Scrapy's throttler, where there is one, leave no less than `seconds` between two such requests."""
        throttler = getattr(self._crawler(), "throttler", None)
        if throttler is not None and seconds:
            for scope in throttler.get_scopes(request):
                throttler.get_scope_manager(scope).set_base_delay(seconds, only_increase=True)

    def resend_nothing(self) -> None:
        """Have a request fail whose kept-alive connection was lost: it is RetryMiddleware's to send it again."""
        handlers.resend_nothing(engine_of(self._crawler()))

    @private(
        uses="`downloader.slots`, `get_slot_key()`, `slot.delay`",
        versions="2.14 on",
        fallback="AutoThrottle's delay is not kept by the gates",
        ask="nothing: the throttler will tell",
    )
    def delay_s(self, request: Request) -> float:
        """The delay that AutoThrottle has set for the slot of a request, its first one where there is no slot yet."""
        downloader = self._downloader()
        try:
            slot = downloader.slots.get(downloader.get_slot_key(request))
        except AttributeError:
            return 0.0
        return slot.delay if slot is not None else self._first_delay_s

    def _downloader(self) -> Any:
        return downloader_of(engine_of(self._crawler()))


def _no_jitter(values: dict[str, Any]) -> dict[str, Any]:
    return {"randomize_delay": False} if "randomize_delay" in values else {"jitter": 0.0}
