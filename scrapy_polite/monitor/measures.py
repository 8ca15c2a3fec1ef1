"""What metrics and alerts need of a crawl beside its tallies: bytes, durations, waits, what cannot be read at present.

A few additions a page; it keeps nothing of pages or hosts, but for the origins whose robots.txt cannot be read.
"""

from __future__ import annotations

from collections import Counter, deque
from typing import TYPE_CHECKING, Any
from weakref import ref

from scrapy_polite import clock
from scrapy_polite._crawl import shared
from scrapy_polite._engine import OWN_DOWNLOAD
from scrapy_polite.events import (
    Events,
    Fault,
    HostAbandoned,
    HostWait,
    Recovered,
    RequestAnswered,
    RobotsAnswered,
    RobotsApplied,
)
from scrapy_polite.metrics.histogram import ANSWER_S, WAIT_S, Histogram
from scrapy_polite.services.pacing import CrawlPacing
from scrapy_polite.services.robots import CrawlRobots

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from typing_extensions import Self

#: Of so many last answers the share is told that were 404 or 410.
LAST_ANSWERS = 100
_LAST = (1 << LAST_ANSWERS) - 1
#: Origins whose robots.txt cannot be read that are told apart. More: the number stays at this.
_MAX_ORIGINS = 10_000
#: Alerts whose text is in the snapshot.
_MAX_ALERTS = 5


class Measures:
    """`shared(crawler, Measures)`."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = ref(crawler)
        self._tallies = shared(crawler, Events).tallies
        self._pacing = shared(crawler, CrawlPacing)
        self._robots = shared(crawler, CrawlRobots)
        #: When the last page came; 0: none has.
        self.last_page_at = 0.0
        self.not_found = 0
        #: Parts that have failed, with how.
        self.faults: dict[str, str] = {}
        self.alerts: Counter[str] = Counter()
        #: Time, kind and text of the last ones.
        self.last_alerts: deque[tuple[float, str, str]] = deque(maxlen=_MAX_ALERTS)
        self._answers = 0
        #: A bit for each of the last answers: whether it was 404 or 410.
        self._last = 0
        self._bytes = 0
        self._abandoned = 0
        self._took = Histogram(ANSWER_S)
        self._gate_waits = Histogram(WAIT_S)
        self._robots_fetches: dict[str, Histogram] = {}
        #: Whether nothing may be fetched of it.
        self._unreadable: dict[str, bool] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        made = cls(crawler)
        read = shared(crawler, Events).read
        read(RequestAnswered, made._answered)
        read(RobotsAnswered, made._robots_answered)
        read(RobotsApplied, made._robots_applied)
        read(HostWait, made._host_wait)
        read(HostAbandoned, made._host_abandoned)
        read(Fault, made._fault)
        read(Recovered, made._recovered)
        return made

    @property
    def last_not_found(self) -> int:
        """How many of the last 100 answers were 404 or 410; 0 before there were as many."""
        return self._last.bit_count() if self._answers >= LAST_ANSWERS else 0

    @property
    def in_flight(self) -> int:
        """Requests for pages that have left."""
        return sum(
            found.sent_at is not None and not found.ended and OWN_DOWNLOAD not in request.meta
            for request, found in self._pacing.in_flight_requests.items()
        )

    def facts(self) -> dict[str, Any]:
        """The snapshot's key `metrics`; what each is, is said by `metrics.names`."""
        tallies, cache = self._tallies, self._robots.cache
        crawler = self._crawler()
        stat = crawler.stats.get_value if crawler is not None and crawler.stats is not None else lambda *_: 0
        closed = sum(self._unreadable.values())
        return {
            "last_page_at": round(clock.wall(self.last_page_at), 3) if self.last_page_at else 0,
            "in_flight": self.in_flight,
            "bytes": self._bytes,
            "not_found": self.not_found,
            "answers": self._took.facts(),
            "gate_waits": self._gate_waits.facts(),
            "robots_fetches": {outcome: found.facts() for outcome, found in self._robots_fetches.items()},
            "robots_lookups": {"memory": cache.from_memory, "store": cache.from_store, "network": cache.from_network},
            "robots_unreachable": {"closed": closed, "copy": len(self._unreadable) - closed},
            "backoffs": tallies.closed,
            "abandoned": self._abandoned,
            "traps": {
                "suspected": tallies.groups_suspected,
                "cleared": tallies.groups_cleared,
                "ended": tallies.groups_ended,
            },
            "starts": {"sent": tallies.start_sent, "refused": tallies.start_refused},
            "items": stat("item_scraped_count", 0),
            "errors": stat("log_count/ERROR", 0),
            "alerts": self.alerts,
            "last_alerts": list(self.last_alerts),
            "faults": list(self.faults),
        }

    def _answered(self, event: RequestAnswered) -> None:
        self._took.observe(event.seconds)
        if (status := event.status) is None:
            return
        self._bytes += event.size_bytes
        self.last_page_at = event.sent_at + event.seconds
        self._answers += 1
        is_gone = status in (404, 410)
        self.not_found += is_gone
        self._last = (self._last << 1 | is_gone) & _LAST

    def _robots_answered(self, event: RobotsAnswered) -> None:
        outcome = _outcome(event.status)
        if (found := self._robots_fetches.get(outcome)) is None:
            found = self._robots_fetches[outcome] = Histogram(ANSWER_S)
        found.observe(event.seconds)

    def _robots_applied(self, event: RobotsApplied) -> None:
        if not event.failing:
            if self._unreadable:
                self._unreadable.pop(event.origin, None)
        elif event.origin in self._unreadable or len(self._unreadable) < _MAX_ORIGINS:
            self._unreadable[event.origin] = event.closed

    def _host_wait(self, event: HostWait) -> None:
        self._gate_waits.observe(event.seconds)

    def _host_abandoned(self, event: HostAbandoned) -> None:
        self._abandoned += 1

    def _fault(self, event: Fault) -> None:
        self.faults[event.part] = event.text

    def _recovered(self, event: Recovered) -> None:
        self.faults.pop(event.part, None)


def _outcome(status: int | None) -> str:
    """What a request for a robots.txt came to, by RFC 9309 §2.3.1; one of `metrics.names.OUTCOMES`."""
    if status is None or status == 429 or status >= 500:
        return "unreachable"
    return "success" if status < 300 else "redirect" if status < 400 else "unavailable"
