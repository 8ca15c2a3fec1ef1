"""Spider middlewares: the thin doors through which a page comes in, and its links go out."""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

from itemadapter import ItemAdapter
from scrapy import Request
from scrapy.exceptions import NotConfigured
from scrapy.utils.conf import build_component_list
from scrapy.utils.misc import load_object

from scrapy_polite._blacklists import CrawlBlacklists
from scrapy_polite._crawl import shared
from scrapy_polite._robots import CrawlRobots
from scrapy_polite._traps import CrawlTraps
from scrapy_polite.decision import Decision
from scrapy_polite.events import Events, ItemDropped, RequestRefused
from scrapy_polite.origin import Origin
from scrapy_polite.robots import directives, markup
from scrapy_polite.robots.nofollow import nofollow_links
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.text import printable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Iterator
    from typing import TypeGuard

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self

    from scrapy_polite.robots.directives import Directives

logger = logging.getLogger(__name__)


class _Door:
    """Asks once for each page what its links and items have to go through: a page has many, and most pages nothing.

    Doors side by side in SPIDER_MIDDLEWARES are gone through in one step, by the first of them: each step costs two
    asynchronous generators for each link, and the four of them one hundredth of a crawl's CPU or two.
    """

    _next: _Door | None = None

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        door = cls(crawler)
        shared(crawler, _Rows).join(door)
        return door

    def sieve(self, response: Response | None) -> Callable[[Any], Any] | None:
        """What each goes through, which returns it, or None to drop it; without one all go on as they are. The response
        is None for what the spider starts with."""
        raise NotImplementedError

    def end_of(self, response: Response) -> Callable[[], object] | None:
        """What is to be done when all links and items of a page have gone through."""
        return None

    async def process_start(self, start: AsyncIterator[Any]) -> AsyncIterator[Any]:
        sieve = self.sieve(None)
        async for one in start:
            if (passed := one if sieve is None else sieve(one)) is not None:
                yield passed

    def process_spider_output(self, response: Response, result: Iterable[Any]) -> Iterable[Any]:
        sieve = self._row_of_sieves(response)
        passed = result if sieve is None else filter(_is_there, map(sieve, result))
        ends = self._ends_of_row(response)
        return _followed(passed, ends) if ends else passed

    async def process_spider_output_async(self, response: Response, result: AsyncIterator[Any]) -> AsyncIterator[Any]:
        sieve = self._row_of_sieves(response)
        ends = self._ends_of_row(response)
        try:
            if sieve is None:
                async for one in result:
                    yield one
                return
            async for one in result:
                if (passed := sieve(one)) is not None:
                    yield passed
        finally:
            for end in ends:
                end()

    def lead(self, following: _Door) -> None:
        """Do the work of the door that follows, and of those that it leads."""
        self._next = following
        following.process_spider_output = None  # type: ignore[assignment, method-assign]
        following.process_spider_output_async = None  # type: ignore[assignment, method-assign]

    def _ends_of_row(self, response: Response) -> list[Callable[[], object]]:
        ends = []
        door: _Door | None = self
        while door is not None:
            if (end := door.end_of(response)) is not None:
                ends.append(end)
            door = door._next
        return ends

    def _row_of_sieves(self, response: Response) -> Callable[[Any], Any] | None:
        sieves: list[Callable[[Any], Any]] = []
        door: _Door | None = self
        while door is not None:
            if (sieve := door.sieve(response)) is not None:
                sieves.append(sieve)
            door = door._next
        if len(sieves) < 2:
            return sieves[0] if sieves else None

        def through(one: Any) -> Any:
            for sieve in sieves:
                one = sieve(one)
                if one is None:
                    return None
            return one

        return through


class _Rows:
    """Which doors stand side by side. Scrapy makes them in the order of the setting, and goes through them from its
    end."""

    def __init__(self, crawler: Crawler) -> None:
        #: Row and place in it.
        self._place_of: dict[type, tuple[int, int]] = {}
        self._last: dict[int, ref[_Door]] = {}
        row = 0
        for place, middleware in enumerate(build_component_list(crawler.settings.getwithbase("SPIDER_MIDDLEWARES"))):
            kind: object = None
            with suppress(Exception):  # What is wrong with another's, Scrapy says.
                kind = load_object(middleware)
            if _is_plain_door(kind):
                self._place_of[kind] = row, place
            else:
                row += 1

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def join(self, door: _Door) -> None:
        row, place = self._place_of.get(type(door), (None, 0))
        if row is None:
            return
        last = self._last.get(row)
        following = last() if last is not None else None
        # Else these are the doors of another manager, made anew.
        if following is not None and self._place_of[type(following)][1] < place:
            door.lead(following)
        self._last[row] = ref(door)


def _is_plain_door(kind: object) -> TypeGuard[type[_Door]]:
    """Whether it is a door, and no project's own kind of one: that may do anything with what goes through."""
    return isinstance(kind, type) and issubclass(kind, _Door) and kind.__module__ == __name__


def _is_there(one: object) -> bool:
    return one is not None


def _followed(result: Iterable[Any], ends: Iterable[Callable[[], object]]) -> Iterator[Any]:
    try:
        yield from result
    finally:
        for end in ends:
            end()


class UrlLengthMiddleware(_Door):
    """Refuses URLs longer than URLLENGTH_LIMIT, and counts long ones. Takes the place of Scrapy's of this name, at 800.

    An endless space that adds to its URLs ends here at the latest, so each refusal is one to look at.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._traps = shared(crawler, CrawlTraps)

    def sieve(self, response: Response | None) -> Callable[[Any], Any]:
        traps, short = self._traps, self._traps.noted_length

        def sieve(one: Any) -> Any:
            passes = not isinstance(one, Request) or len(one.url) < short or traps.is_short(one, response)
            return one if passes else None

        return sieve


class BlacklistMiddleware(_Door):
    """Drops links to what must not be visited, before they count as evidence of anything. At 810."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._blacklists = shared(crawler, CrawlBlacklists)

    def sieve(self, response: Response | None) -> Callable[[Any], Any] | None:
        # A start request is refused when it leaves, so that its errback hears of it.
        if response is None or self._blacklists.idle:
            return None
        leads_to = self._blacklists.leads_to
        return lambda one: one if not isinstance(one, Request) or leads_to(one, response) else None


#: Faults of the package that are logged with their traceback.
_MAX_TRACEBACKS = 5


class TrapMiddleware(_Door):
    """Notes every page and its links, and drops those that are a trap's by proof (see `traps/`). At 790.

    What is dropped here does not cost a place in the queue; `downloadermiddlewares.TrapMiddleware` stops what is in it.
    What is only suspected waits in the queue: see `frontier.scheduler`.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        if not shared(crawler, PoliteSettings).minds_traps:
            raise NotConfigured
        self._traps = shared(crawler, CrawlTraps)

    def process_spider_input(self, response: Response) -> None:
        try:
            self._traps.page(response)
        except Exception:  # noqa: BLE001 (it is logged)
            self._fault(response)

    def sieve(self, response: Response | None) -> Callable[[Any], Any] | None:
        if response is None:
            return None
        if self._traps.skips(response):
            return self._drop
        follow = self._traps.links_of(response)

        def sieve(one: Any) -> Any:
            try:
                return follow(one)
            except Exception:  # noqa: BLE001 (it is logged)
                self._fault(response)
                return one

        return sieve

    def end_of(self, response: Response) -> Callable[[], object] | None:
        return partial(self._left, response)

    def _left(self, response: Response) -> None:
        try:
            self._traps.left_page(response)
        except Exception:  # noqa: BLE001 (it is logged)
            self._fault(response)

    def _fault(self, response: Response) -> None:
        """Whatever a page holds, its callback gets it, and its links go on. Called where an exception is handled."""
        stats = self.crawler.stats
        stats.inc_value("polite/traps/errors")
        if stats.get_value("polite/traps/errors") <= _MAX_TRACEBACKS:
            logger.error(
                "%s, or a link on it, cannot be judged as a trap: a fault of this package. It goes on as if there were "
                "no traps; further faults are counted (polite/traps/errors)",
                printable(response.url),
                exc_info=True,  # noqa: LOG014 (see above)
                extra={"spider": self.crawler.spider},
            )

    def _drop(self, one: Any) -> None:
        what = "links" if isinstance(one, Request) else "items"
        self.crawler.stats.inc_value(f"polite/duplicates/{what}_dropped")


#: Meta: of a page, what it asks for; of a request, where it was said that its link is not to be followed.
DIRECTIVES = "polite_directives"
NOFOLLOW = "polite_nofollow"
#: The key of an item whose page asks to be kept nowhere.
NOINDEX = "polite_noindex"


class RobotsDirectivesMiddleware(_Door):
    """Reads what a page asks of robots (`X-Robots-Tag`, meta tags, `rel`) and does what the settings say. At 780."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._settings = settings = shared(crawler, PoliteSettings)
        self._robots = shared(crawler, CrawlRobots)
        self._events = shared(crawler, Events)
        self._audit = settings.audits("directives")
        self._found: WeakKeyDictionary[Response, _Found] = WeakKeyDictionary()

    def process_spider_input(self, response: Response) -> None:
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

    def sieve(self, response: Response | None) -> Callable[[Any], Any] | None:
        if response is None:
            return None
        found = self._found.get(response)
        if found is None:
            # The mark of the link that led here, where the page's meta is copied.
            return _without_mark if NOFOLLOW in response.meta else None
        why = found.directives.keeps_out(time.time())
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
