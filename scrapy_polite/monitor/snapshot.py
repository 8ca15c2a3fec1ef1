"""How a crawl stands, as one JSON text of a bounded size: for whoever looks at a run from outside."""

from __future__ import annotations

import json
from dataclasses import asdict
from itertools import islice
from typing import TYPE_CHECKING, Any

from scrapy_polite import clock
from scrapy_polite._crawl import shared
from scrapy_polite._engine import OWN_DOWNLOAD
from scrapy_polite.events import Events
from scrapy_polite.monitor.hosts import Hosts, HostStates
from scrapy_polite.monitor.measures import Measures
from scrapy_polite.monitor.queues import MAX_NAMED, Queues
from scrapy_polite.monitor.waits import Waits
from scrapy_polite.runs.files import MAX_SNAPSHOT_BYTES
from scrapy_polite.runs.masking import Masking
from scrapy_polite.services.pacing import CrawlPacing
from scrapy_polite.settings import PoliteSettings

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

#: Hosts that are looked at, so that no snapshot takes longer than some milliseconds.
_MAX_HOSTS = 250
#: To find these takes some 30 ns for each host there is.
_MANY_HOSTS = 20_000
#: Requests in flight, and origins, that are named; of a URL so many characters.
_MAX_NAMED, _MAX_URL = 100, 500


class Snapshots:
    """Texts of JSON. The keys: `at`, `reason` (null while the crawl goes on), `pages` (`sent` by state of the rules,
    `answered` by HTTP status), `in_flight` (epoch seconds and URL of each), `refused` and `audited` (by reason),
    `deferred`, `left`, `queued`, `hosts` (`counts` by state, `exact`, `next`), `origins` (those most concerned: `sent`,
    `refused`, `robots`, `pace`), `queues` (see `Queues.facts`), `waits` (see `Waits.facts`), `missed` (lines that are
    not in the record), `metrics` (see `Measures.facts`)."""

    def __init__(self, crawler: Crawler) -> None:
        self._tallies = shared(crawler, Events).tallies
        self._hosts = shared(crawler, HostStates)
        self._measures = shared(crawler, Measures)
        self._pacing = shared(crawler, CrawlPacing)
        self._queues = shared(crawler, Queues)
        self._looked: Hosts | None = None
        self._waits = shared(crawler, Waits)
        self._settings = settings = shared(crawler, PoliteSettings)
        self._masked = Masking(settings.run_record_mask)

    def look_ahead(self) -> None:
        """To be called some time before `taken`: of very many hosts the states are looked at now, so that neither holds
        the loop for long."""
        if self._queues.host_count > _MANY_HOSTS:
            self._looked = self._hosts.look(clock.now(), _MAX_HOSTS)

    def taken(self, reason: str | None = None, *, missed: int = 0) -> str:
        most = _MAX_NAMED
        while True:
            text = json.dumps(self._facts(reason, missed, most))
            if len(text) <= MAX_SNAPSHOT_BYTES or not most:
                return text
            most //= 2

    def _facts(self, reason: str | None, missed: int, most: int) -> dict[str, Any]:
        tallies, now = self._tallies, clock.now()
        hosts, self._looked = self._looked or self._hosts.look(now, _MAX_HOSTS), None
        opening = hosts.next
        origins = sorted(tallies.origins.items(), key=lambda one: one[1].concern, reverse=True)[:most]
        return {
            "at": round(clock.system(), 3),
            "reason": reason,
            "pages": {"sent": tallies.sent, "answered": tallies.answered},
            "in_flight": list(islice(self._in_flight(), most)),
            "refused": tallies.refused,
            "audited": tallies.audited,
            "deferred": tallies.links_deferred,
            "left": tallies.links_left,
            "recrawl": tallies.revisited,
            "queued": self._hosts.queued,
            "hosts": {
                "counts": hosts.counts,
                "exact": hosts.exact,
                "next": asdict(opening) | {"at": round(clock.wall(opening.at), 3)} if opening else None,
            },
            "origins": {
                origin: {
                    "sent": tally.sent,
                    "refused": tally.refused,
                    "robots": tally.robots[:_MAX_URL],
                    "pace": tally.pace[:_MAX_URL],
                }
                for origin, tally in origins
            },
            "queues": self._queues.facts(now, min(most, MAX_NAMED)),
            "waits": self._waits.facts(now),
            "missed": missed,
            "metrics": self._measures.facts(),
        }

    def _in_flight(self) -> Any:
        for request, found in self._pacing.in_flight_requests.items():
            if found.sent_at is not None and not found.ended and OWN_DOWNLOAD not in request.meta:
                yield round(clock.wall(found.sent_at), 3), self._masked(self._settings.url_of(request)[:_MAX_URL])
