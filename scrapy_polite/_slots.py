"""Pace on the downloader's slots, or on `crawler.throttler` once Scrapy has it: the one room that knows either.

Slots: `downloader.slots`, `per_slot_settings`, `get_slot_key` and `slot.lastseen` (all versions; its clock is that of
the downloader's module), `slot.jitter` (Scrapy 2.19) or `slot.randomize_delay` (before). A slot that has been idle for
a minute is dropped, and made again from `per_slot_settings`; AutoThrottle sets `slot.delay` after every response. So a
delay is put in both places, and again whenever a request reaches the slot or a response leaves it.

Download handlers: those of the schemes http and https, `_pool` or `_session`; others are left as they are.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from weakref import ref

from scrapy import signals
from scrapy.core import downloader as scrapy_downloader

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

#: Hosts whose delay outlives their slot.
_MAX_KEPT = 10_000


class Slots:
    def __init__(self, crawler: Crawler) -> None:
        self._crawler = ref(crawler)
        #: What the project itself says of the slots that have been given a delay.
        self._own: OrderedDict[str, dict[str, Any]] = OrderedDict()
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

    def keep(self, floor: Callable[[Request], None]) -> None:
        """Have `floor`, a method that calls `set_floor`, called whenever a slot's delay may have been lost."""
        crawler = self._crawler()
        if crawler is not None:
            crawler.signals.connect(floor, signals.request_reached_downloader)
            crawler.signals.connect(floor, signals.response_downloaded)

    def set_floor(self, request: Request, seconds: float, last_at: float) -> None:
        """From now on no less than `seconds` between two requests of the slot that `request` is in, one at a time.

        They count from the last answer, at `last_at` (epoch seconds): a slot by itself counts from the sending.
        """
        if not seconds:
            return
        crawler = self._crawler()
        throttler = getattr(crawler, "throttler", None)
        if throttler is not None:
            for scope in throttler.get_scopes(request):
                throttler.get_scope_manager(scope).set_base_delay(seconds, only_increase=True)
            return
        downloader = self._downloader()
        try:
            key = downloader.get_slot_key(request)
            slot, settings = downloader.slots.get(key), downloader.per_slot_settings
        except AttributeError:  # a downloader of the project's own
            return
        values = settings.get(key, {})
        seconds = max(seconds, values.get("delay", 0.0))
        if slot is not None:
            slot.delay = max(slot.delay, seconds)
            slot.concurrency = 1
            slot.lastseen = max(slot.lastseen, _clock() - (time.time() - last_at))
            for name, value in _no_jitter({}, slot).items():
                setattr(slot, name, value)
        settings[key] = values | {"delay": seconds, "concurrency": 1} | _no_jitter(values, slot)
        self._own.setdefault(key, values)
        self._own.move_to_end(key)
        if len(self._own) > _MAX_KEPT:
            key, values = self._own.popitem(last=False)
            settings[key] = values
            if not values:
                del settings[key]

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
        try:
            return getattr(getattr(self._crawler(), "engine", None), "downloader", None)
        except RuntimeError:  # Scrapy 2.19, of a crawler that has not been started
            return None


def _clock() -> float:
    """What a slot's `lastseen` is read from: `monotonic` in Scrapy 2.19, `time` before."""
    read = getattr(scrapy_downloader, "monotonic", None) or time.time
    return float(read())


def _no_jitter(values: dict[str, Any], slot: Any = None) -> dict[str, Any]:
    if "randomize_delay" in values or (slot is not None and not hasattr(slot, "jitter")):
        return {"randomize_delay": False}
    return {"jitter": 0.0} if slot is None or hasattr(slot, "jitter") else {}
