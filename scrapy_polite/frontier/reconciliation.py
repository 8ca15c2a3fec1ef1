"""What is over is taken note of now and then: at each request it would cost too much."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy_polite.frontier.claims import Claims
    from scrapy_polite.frontier.feed import Feed
    from scrapy_polite.frontier.host_notes import HostNotes
    from scrapy_polite.frontier.in_flight import InFlight
    from scrapy_polite.services.pacing import CrawlPacing

#: How long what is over may stay unnoticed while there is more to send.
_RECONCILE_S = 0.05


class Reconciliation:
    """Requests whose callbacks have ended, downloads that have ended without a word, and the queue's events."""

    def __init__(self, feed: Feed, in_flight: InFlight, claims: Claims, notes: HostNotes, pacing: CrawlPacing) -> None:
        self._feed = feed
        self._in_flight = in_flight
        self._claims = claims
        self._notes = notes
        self._pacing = pacing
        self._due_at = 0.0

    def is_due(self, now: float) -> bool:
        return now >= self._due_at

    def hear(self) -> None:
        """What the queue has to tell, also while nothing may leave: perhaps that it is lost."""
        self._feed.read()

    def run(self, now: float) -> None:
        self._due_at = now + _RECONCILE_S
        self._feed.read()
        self._in_flight.acknowledge()
        self._notes.keep(now)
        self._claims.settle(now)
        self._pacing.reconcile(now)
