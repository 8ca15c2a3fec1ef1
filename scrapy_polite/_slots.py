"""Pace on the downloader's slots, or on `crawler.throttler` once Scrapy has it: the one room that knows either.

Slots: `downloader.slots`, `per_slot_settings` and `get_slot_key` (all versions), `slot.jitter` (Scrapy 2.19) or
`slot.randomize_delay` (before). A slot that has been idle for a minute is dropped, and made again from
`per_slot_settings`; AutoThrottle sets `slot.delay` after every response. So a delay is put in both places, and again
whenever a request reaches the slot or a response leaves it.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any
from weakref import ref

from scrapy import signals

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from scrapy_polite._pacing import CrawlPacing

#: Hosts whose delay outlives their slot.
_MAX_KEPT = 10_000


class Slots:
    def __init__(self, crawler: Crawler) -> None:
        self._crawler = ref(crawler)
        self._kept: OrderedDict[str, float] = OrderedDict()

    def without_jitter(self) -> None:
        """Our gates do the waiting: with jitter a slot could wait again, and hold a place in CONCURRENT_REQUESTS."""
        downloader = self._downloader()
        if hasattr(downloader, "_jitter"):
            downloader._jitter = 0.0
        elif hasattr(downloader, "randomize_delay"):
            downloader.randomize_delay = False
        for name, values in getattr(downloader, "per_slot_settings", {}).items():
            downloader.per_slot_settings[name] = values | _no_jitter(values)

    def keep(self, pacing: CrawlPacing) -> None:
        """Keep what robots.txt files declare on the slots, for a scheduler that does not wait for gates."""
        crawler = self._crawler()
        if crawler is None:
            return

        def floor(request: Request) -> None:
            seconds = pacing.declared_s(request)
            if seconds:
                self.set_floor(request, seconds)

        self._floor = floor  # signals hold their receivers weakly
        crawler.signals.connect(floor, signals.request_reached_downloader)
        crawler.signals.connect(floor, signals.response_downloaded)

    def set_floor(self, request: Request, seconds: float) -> None:
        """From now on no less than `seconds` between two requests of the slot that `request` is in, one at a time."""
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
            for name, value in _no_jitter({}, slot).items():
                setattr(slot, name, value)
        settings[key] = values | {"delay": seconds, "concurrency": 1} | _no_jitter(values, slot)
        if key not in self._kept:
            self._kept[key] = seconds
            if len(self._kept) > _MAX_KEPT:
                settings.pop(self._kept.popitem(last=False)[0], None)

    def delay_s(self, request: Request) -> float:
        """The delay of the slot that `request` is in, as AutoThrottle has set it; 0.0 where there is none."""
        downloader = self._downloader()
        try:
            slot = downloader.slots.get(downloader.get_slot_key(request))
        except AttributeError:
            return 0.0
        return slot.delay if slot is not None else 0.0

    def _downloader(self) -> Any:
        return getattr(getattr(self._crawler(), "engine", None), "downloader", None)


def _no_jitter(values: dict[str, Any], slot: Any = None) -> dict[str, Any]:
    if "randomize_delay" in values or (slot is not None and not hasattr(slot, "jitter")):
        return {"randomize_delay": False}
    return {"jitter": 0.0} if slot is None or hasattr(slot, "jitter") else {}
