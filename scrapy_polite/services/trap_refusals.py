"""Carries out what was judged of links, and tells of each refusal once."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import ref

from scrapy_polite._crawl import count
from scrapy_polite.events import RequestRefused
from scrapy_polite.services.trap_meta import WOULD_REFUSE
from scrapy_polite.traps.recent import Recent

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from scrapy_polite.events import Events
    from scrapy_polite.services.trap_judge import Judged
    from scrapy_polite.services.trap_sites import TrapSite
    from scrapy_polite.settings import PoliteSettings

_MAX_TOLD = 20_000


class TrapRefusals:
    def __init__(self, crawler: Crawler, settings: PoliteSettings, events: Events) -> None:
        self._crawler = ref(crawler)
        self._settings = settings
        self._events = events
        self._audit = settings.audits("traps")
        #: Reasons and URLs.
        self._told: Recent[tuple[str, str], bool] = Recent(_MAX_TOLD)

    def stops(self, judged: Judged) -> bool:
        """Whether a link that was judged so is not followed."""
        return judged.action == "drop" and not self._audit

    def carry_out(self, request: Request, site: TrapSite, judged: Judged, *, leaving: bool = False) -> bool:
        """Whether the request may go on. A refusal of one that is `leaving` is told by who carries it out."""
        if judged.action == "off":
            return True
        stops = self.stops(judged)
        link = judged.decision.reason, self._settings.url_of(request)
        is_new = leaving or self._told.get(link) is None
        self._told.put(link, True)
        if leaving and stops:
            return False
        if is_new:
            refused = RequestRefused(str(site.origin), link[1], judged.decision, not stops, request=request)
            self._events.publish(refused)
        if stops and judged.decision.reason == "trap/url-length":
            count(self._crawler, "urllength/request_ignored_count")
        elif not stops and judged.action == "drop":
            request.meta[WOULD_REFUSE] = True
        return not stops
