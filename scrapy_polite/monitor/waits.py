"""What a crawl waits for besides its hosts: callbacks that do not end, a queue that fails, whatever keeps it open."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any
from weakref import ref

from scrapy import signals
from scrapy.utils.python import global_object_name

from scrapy_polite import clock
from scrapy_polite._crawl import receivers_of, shared
from scrapy_polite._engine import OWN_DOWNLOAD, Engine
from scrapy_polite.monitor.hosts import HostStates
from scrapy_polite.runs.masking import Masking
from scrapy_polite.services.pacing import CrawlPacing
from scrapy_polite.services.store import StoreService
from scrapy_polite.settings import PoliteSettings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scrapy import Request
    from scrapy.crawler import Crawler
    from typing_extensions import Self

    from scrapy_polite.frontier.census import Census

#: Requests that are named of each kind, and receivers of a signal; of a URL so many characters.
_MAX_NAMED, _MAX_URL = 5, 500
#: The engine says that it is idle every five seconds, as long as something keeps it open.
_IDLE_S = 12.0


class Waits:
    """`shared(crawler, Waits)`. `step` is to be called now and then; `facts` says what is known."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = ref(crawler)
        self._pacing = shared(crawler, CrawlPacing)
        self._engine = shared(crawler, Engine)
        self._states = shared(crawler, HostStates)
        self._store = shared(crawler, StoreService)
        self._settings = settings = shared(crawler, PoliteSettings)
        self._masked = Masking(settings.run_record_mask)
        #: Since when something is so, by its name.
        self._since: dict[str, float] = {}
        #: Requests whose answers are with the spider, and since when.
        self._scraped: dict[Request, float] = {}
        self._idle_at = 0.0
        crawler.signals.connect(self._idle, signals.spider_idle)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def _idle(self) -> None:
        self._idle_at = clock.now()

    def step(self, now: float) -> None:
        """Note since when things are as they are."""
        engine = self._engine
        with_spider = engine.in_progress - engine.active
        self._scraped = {request: self._scraped.get(request, now) for request in with_spider}
        self._note("closing", engine.closing, now)
        self._note("starting", engine.starting and engine.at_rest, now)
        is_idle = engine.at_rest and not engine.closing and now - self._idle_at < _IDLE_S
        self._note("idle", is_idle, now)
        self._note("store_fault", self._pacing.leases.unavailable, now)

    def _note(self, name: str, is_so: bool, now: float) -> None:
        if is_so:
            self._since.setdefault(name, now)
        else:
            self._since.pop(name, None)

    def facts(self, now: float) -> dict[str, Any]:
        """For a snapshot; what is not so is left out. Times are the system clock's."""
        self.step(now)
        found: dict[str, Any] = {f"{name}_since": _wall(since) for name, since in self._since.items()}
        found["at_rest"] = self._engine.at_rest
        found["callbacks"] = self._named(sorted(self._scraped.items(), key=lambda one: one[1]))
        found["robots"] = self._named(self._robots())
        found["robots_timeout_s"] = self._settings.robots_timeout
        if "idle" in self._since:
            found["kept_by"] = list(islice(self._idle_receivers(), _MAX_NAMED))
        if "store_fault" in self._since:
            found["store_fault"] = self._store.backend.description
        crawler = self._crawler()
        if crawler is not None:
            found["download_timeout_s"] = crawler.settings.getfloat("DOWNLOAD_TIMEOUT")
        if (census := self._census) is not None and crawler is not None:
            fault_since, fault = census.fault
            if fault_since:
                found |= {"queue_fault_since": _wall(fault_since), "queue_fault": fault[:_MAX_URL]}
            if census.paused:
                found["paused"] = self._settings.job or crawler.spidercls.name
            deferred, in_flight, places = census.deferred()
            if places:
                found |= {"deferred": deferred, "deferred_in_flight": in_flight}
                found["deferred_places"] = [place[:_MAX_URL] for place in places]
        return found

    @property
    def _census(self) -> Census | None:
        return getattr(self._engine.scheduler, "census", None) if self._pacing.has_scheduler else None

    def _robots(self) -> Iterator[tuple[Request, float]]:
        for request, found in self._pacing.in_flight_requests.items():
            if found.sent_at is not None and not found.ended and OWN_DOWNLOAD in request.meta:
                yield request, found.sent_at

    def _named(self, requests: Iterable[tuple[Request, float]]) -> list[tuple[float, str]]:
        return [
            (_wall(since), self._masked(self._settings.url_of(request)[:_MAX_URL]))
            for request, since in islice(requests, _MAX_NAMED)
        ]

    def _idle_receivers(self) -> Iterator[str]:
        """Who hears that the spider is idle, and may keep it open."""
        crawler = self._crawler()
        if crawler is None:
            return
        for receiver in receivers_of(crawler, signals.spider_idle):
            name = global_object_name(getattr(receiver, "__func__", receiver))
            if not name.startswith(("scrapy.", "scrapy_polite.")):
                yield name[:_MAX_URL]


def _wall(at: float) -> float:
    return round(clock.wall(at), 3)
