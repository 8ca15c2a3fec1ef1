"""What the links and items of a page go through on their way to the queue and the pipelines: one filter for each part.

`spidermiddlewares` wires them into Scrapy.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

from itemadapter import ItemAdapter
from scrapy import Request, signals
from scrapy.downloadermiddlewares.offsite import OffsiteMiddleware
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse

from scrapy_polite import clock
from scrapy_polite._crawl import count, receivers_of, shared, spider_of
from scrapy_polite._engine import Engine
from scrapy_polite._seeds import FedSeeds
from scrapy_polite.decision import Decision
from scrapy_polite.events import Events, ItemDropped, RequestRefused
from scrapy_polite.origin import Origin
from scrapy_polite.robots import directives, markup
from scrapy_polite.robots.nofollow import nofollow_links
from scrapy_polite.services.blacklists import CrawlBlacklists
from scrapy_polite.services.pacing import CrawlPacing
from scrapy_polite.services.robots import CrawlRobots
from scrapy_polite.services.traps import CrawlTraps
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.text import printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from scrapy_polite.robots.directives import Directives

logger = logging.getLogger(__name__)

#: Signals that a link is told by on its way to the scheduler, and those who listen and need no duplicates.
_ON_THE_WAY = (signals.request_scheduled, signals.request_dropped)
_NEED_NO_DUPLICATES = (OffsiteMiddleware, FedSeeds)
#: Faults of the package that are logged with their traceback.
_MAX_TRACEBACKS = 5
#: Meta: of a page, what it asks for; of a request, where it was said that its link is not to be followed.
DIRECTIVES = "polite_directives"
NOFOLLOW = "polite_nofollow"
#: The key of an item whose page asks to be kept nowhere.
NOINDEX = "polite_noindex"


class LinkFilter:
    """Made once a crawl; raises NotConfigured where there is nothing to do."""

    def __init__(self, crawler: Crawler) -> None:
        raise NotImplementedError

    def page(self, response: Response) -> None:
        """A page has come, before its callback sees it."""

    def of(self, response: Response | None) -> Callable[[Any], Any] | None:
        """What each link and item of a page goes through, which returns it, or None to drop it; None: all go on as they
        are. The response is None for what the spider starts with."""
        raise NotImplementedError

    def end(self, response: Response) -> None:
        """All links and items of a page have gone through."""


class UrlLength(LinkFilter):
    """Refuses URLs longer than URLLENGTH_LIMIT, and counts long ones.

    An endless space that adds to its URLs ends here at the latest, so each refusal is one to look at.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._traps = shared(crawler, CrawlTraps)

    def of(self, response: Response | None) -> Callable[[Any], Any]:
        traps, short = self._traps, self._traps.noted_length

        def link_or_item(one: Any) -> Any:
            passes = not isinstance(one, Request) or len(one.url) < short or traps.is_short(one, response)
            return one if passes else None

        return link_or_item


class Blacklist(LinkFilter):
    """Drops links to what must not be visited, before they count as evidence of anything."""

    def __init__(self, crawler: Crawler) -> None:
        self._blacklists = shared(crawler, CrawlBlacklists)

    def of(self, response: Response | None) -> Callable[[Any], Any] | None:
        # A start request is refused when it leaves, so that its errback hears of it.
        if response is None or self._blacklists.idle:
            return None
        leads_to = self._blacklists.leads_to
        return lambda one: one if not isinstance(one, Request) or leads_to(one, response) else None


class Traps(LinkFilter):
    """Notes every page and its links, and drops those that are a trap's by proof (see `traps/`).

    What is dropped here does not cost a place in the queue; `downloadermiddlewares.TrapMiddleware` stops what is in it.
    What is only suspected waits in the queue: see `frontier.flows`.
    """

    def __init__(self, crawler: Crawler) -> None:
        if not shared(crawler, PoliteSettings).looks_for_traps:
            raise NotConfigured
        self._crawler = ref(crawler)
        self._traps = shared(crawler, CrawlTraps)
        self._faults = 0

    def page(self, response: Response) -> None:
        try:
            self._traps.page(response)
        except Exception:  # noqa: BLE001 (it is logged)
            self._fault(response)

    def of(self, response: Response | None) -> Callable[[Any], Any] | None:
        if response is None:
            return None
        if self._traps.skips(response):
            return self._drop
        follow = self._traps.links_of(response)

        def link_or_item(one: Any) -> Any:
            try:
                return follow(one)
            except Exception:  # noqa: BLE001 (it is logged)
                self._fault(response)
                return one

        return link_or_item

    def end(self, response: Response) -> None:
        try:
            self._traps.left_page(response)
        except Exception:  # noqa: BLE001 (it is logged)
            self._fault(response)

    def _fault(self, response: Response) -> None:
        """Whatever a page holds, its callback gets it, and its links go on. Called where an exception is handled."""
        self._faults += 1
        count(self._crawler, "polite/traps/errors")
        if self._faults <= _MAX_TRACEBACKS:
            logger.error(
                "%s, or a link on it, cannot be judged as a trap: a fault of this package. It goes on as if there were "
                "no traps; further faults are counted (polite/traps/errors)",
                printable(response.url),
                exc_info=True,  # noqa: LOG014 (see above)
                extra={"spider": spider_of(self._crawler)},
            )

    def _drop(self, one: Any) -> None:
        what = "links" if isinstance(one, Request) else "items"
        count(self._crawler, f"polite/duplicates/{what}_dropped")


class RobotsDirectives(LinkFilter):
    """Reads what a page asks of robots (`X-Robots-Tag`, meta tags, `rel`) and does what the settings say."""

    def __init__(self, crawler: Crawler) -> None:
        self._settings = settings = shared(crawler, PoliteSettings)
        self._robots = shared(crawler, CrawlRobots)
        self._events = shared(crawler, Events)
        self._audit = settings.audits("directives")
        self._found: WeakKeyDictionary[Response, _Found] = WeakKeyDictionary()

    def page(self, response: Response) -> None:
        request = response.request
        if request is None:
            return
        request.meta.pop(DIRECTIVES, None)  # of the page that led here, where its meta was copied
        try:
            origin = Origin.from_url(response.url)
        except ValueError:
            return
        policy = self._settings.sites.policy(origin).directives
        if policy == "ignore":
            return
        headers = {name: response.headers.getlist(name) for name in directives.HEADERS}
        page = markup.of_response(response)
        found = directives.of_page(headers, page, self._robots.key(origin, request).token)
        request.meta[DIRECTIVES] = found.as_dict()
        links = nofollow_links(page) if page is not None and not found.nofollow else {}
        asked = _Found(origin, found, links, obeyed=policy == "obey")
        if asked.says_something:
            self._found[response] = asked

    def of(self, response: Response | None) -> Callable[[Any], Any] | None:
        if response is None:
            return None
        found = self._found.get(response)
        if found is None:
            # The mark of the link that led here, where the page's meta is copied.
            return _without_mark if NOFOLLOW in response.meta else None
        why = found.directives.keeps_out(clock.system())
        return lambda one: self._link(one, found) if isinstance(one, Request) else self._item(one, response, found, why)

    def _link(self, request: Request, found: _Found) -> Request | None:
        request.meta.pop(NOFOLLOW, None)
        evidence = found.nofollow(request.url)
        if not evidence:
            return request
        if self._settings.nofollow_action == "annotate" or not found.obeyed:
            request.meta[NOFOLLOW] = evidence
            return request
        decision = Decision(False, "directives/nofollow", evidence)
        refused = RequestRefused(str(found.origin), request.url, decision, self._audit, request=request)
        self._events.publish(refused)
        return request if self._audit else None

    def _item(self, item: Any, response: Response, found: _Found, why: str | None) -> Any:
        if why is None:
            return item
        evidence = found.directives.evidence.get(why, "")
        if self._settings.noindex_action == "mark" or not found.obeyed:
            adapter = ItemAdapter(item)
            if isinstance(item, dict) or NOINDEX in adapter.field_names():
                adapter[NOINDEX] = evidence
            return item
        decision = Decision(False, f"directives/{why.replace('_', '-')}", evidence)
        self._events.publish(ItemDropped(response.url, decision, self._audit))
        return item if self._audit else None


class KnownLinks(LinkFilter):
    """Drops links to what is queued or was fetched, as our scheduler would: most links are such, and their way to it
    costs more than all that is done for them here. Not where somebody would miss them there."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = ref(crawler)
        self._engine = shared(crawler, Engine)
        self._pacing = shared(crawler, CrawlPacing)

    def of(self, response: Response | None) -> Callable[[Any], Any] | None:
        crawler = self._crawler()
        scheduler = self._engine.scheduler if self._pacing.has_scheduler else None
        if crawler is None or scheduler is None or not isinstance(response, HtmlResponse):
            return None  # what is no HTML has few links, if any
        listeners = (one for signal in _ON_THE_WAY for one in receivers_of(crawler, signal))
        if any(type(getattr(one, "__self__", None)) not in _NEED_NO_DUPLICATES for one in listeners):
            return None
        filters = scheduler.filters

        def link_or_item(one: Any) -> Any:
            try:
                return None if isinstance(one, Request) and filters(one) else one
            except Exception:  # noqa: BLE001 (the scheduler is asked the same, and says what is wrong with it)
                return one

        return link_or_item


def _without_mark(one: Any) -> Any:
    if isinstance(one, Request):
        one.meta.pop(NOFOLLOW, None)
    return one


class _Found:
    """What one page asks for, of all its links or of single ones."""

    def __init__(self, origin: Origin, found: Directives, links: dict[str, str], *, obeyed: bool) -> None:
        self.origin = origin
        self.directives = found
        self.obeyed = obeyed
        self._links = links

    @property
    def says_something(self) -> bool:
        """Whether the page asks anything for its links or items."""
        asked = self.directives
        return asked.nofollow or asked.noindex or asked.unavailable_after is not None or bool(self._links)

    def nofollow(self, url: str) -> str:
        """Where it is said that a link of the page is not to be followed; empty where it is not."""
        if self.directives.nofollow:
            return self.directives.evidence.get("nofollow", "nofollow")
        rel = self._links.get(url.partition("#")[0])
        return f"rel={rel}" if rel else ""
