"""The blacklists of one crawl: `blacklist/` wired to Scrapy's settings, engine, files and events.

What the spider middleware (a link is judged when it is found), the downloader middleware (when a request leaves), the
scheduler (before a robots.txt is asked for) and the commands share: `shared(crawler, CrawlBlacklists)`, `read_lists`.

An audit refuses nothing. So that it counts what enforcement would refuse, the requests that it would, and all that they
lead to, are marked, and count no further; what is enforced all the same (takedowns, say) is.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import getproxies, proxy_bypass
from weakref import ref

from scrapy import signals
from scrapy.utils.misc import load_object

from scrapy_polite import _loop, clock
from scrapy_polite._crawl import count, shared, spider_of
from scrapy_polite._engine import OWN_DOWNLOAD, Engine
from scrapy_polite._project import data_path, project_folder
from scrapy_polite.blacklist.entries import Kind
from scrapy_polite.blacklist.hosts import Place, is_private, literal_address, normal_host
from scrapy_polite.blacklist.lines import ListError
from scrapy_polite.blacklist.list_store import ListStore, Plan
from scrapy_polite.blacklist.sources import TAKEDOWN
from scrapy_polite.decision import Decision
from scrapy_polite.events import Events, RequestRefused
from scrapy_polite.origin import origin_of
from scrapy_polite.robots.dynamic import QueryBudget, gateway
from scrapy_polite.services import resolver
from scrapy_polite.settings import NO_LIMIT, PoliteSettings, SettingsError
from scrapy_polite.text import counted, printable
from scrapy_polite.traps.recent import Recent

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.internet.defer import Deferred
    from typing_extensions import Self

    from scrapy_polite.blacklist.list_store import LoadedList, ScanResult
    from scrapy_polite.blacklist.lists import Lists, Match
    from scrapy_polite.blacklist.reader import Faults

logger = logging.getLogger(__name__)

#: Meta: of a request that an audit would have refused, and of what that led to.
WOULD_REFUSE = "polite_would_blacklist"

#: How often the files are looked at, and how soon again while one is being written.
POLL_S = 2.0
_SOON_S = 1.0
#: Below the project's `.scrapy`: the compiled lists.
_FOLDER = "polite/lists"
#: How long the addresses of a name are kept. The address of the connection itself is checked again.
_ADDRESS_S = 60.0
_MAX_ADDRESSES = 10_000
_MAX_FAULTS_SHOWN = 3
_MAX_STOPS_LOGGED = 20

_REASONS = {
    Kind.HOST: "blacklist/host",
    Kind.EXACT_HOST: "blacklist/host",
    Kind.RANGE: "blacklist/address",
    Kind.PREFIX: "blacklist/url",
    Kind.URL: "blacklist/url",
    Kind.REGEX: "blacklist/regex",
}


def takedowns_path(settings: PoliteSettings) -> Path:
    """The file of takedowns, which need not be there yet."""
    return data_path(settings.takedowns)


def list_store(settings: PoliteSettings) -> ListStore:
    """The lists that the settings name, not read yet."""
    plan = Plan(project_folder(), settings.blacklists, settings.allowlists, takedowns_path(settings))
    return ListStore(plan, compiled_folder())


def compiled_folder() -> Path:
    return data_path(_FOLDER)


def read_lists(settings: PoliteSettings) -> Lists:
    """The lists that the settings name, that of takedowns among them. Takes as long as compiling what has changed.

    Raises ListError where one is not there or cannot be used.
    """
    lists = list_store(settings)
    lists.open()
    return lists.lists


def reason(match: Match) -> str:
    """A key of `decision.REASONS`."""
    return "blacklist/takedown" if match.action == TAKEDOWN else _REASONS[match.entry.kind]


@dataclass(frozen=True, slots=True)
class Judged:
    """What is wrong with a URL or an address, and whether it is refused for it, or only counted."""

    decision: Decision
    enforced: bool


class CrawlBlacklists:
    """Raises SettingsError where a list cannot be used, and another scheduler than ours is in use."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = ref(crawler)
        self._settings = settings = shared(crawler, PoliteSettings)
        self._events = shared(crawler, Events)
        self._engine = shared(crawler, Engine)
        self._audit = settings.audits("blacklist")
        #: What Scrapy's HttpProxyMiddleware gives requests later on, by their scheme.
        self._proxies = getproxies() if crawler.settings.getbool("HTTPPROXY_ENABLED") else {}
        self._refuses_private = settings.private_addresses == "refuse"
        self._skips_dynamic = settings.skip_dynamic != NO_LIMIT or settings.sites.mention("skip_dynamic")
        self._budgets: dict[int, QueryBudget] = {}
        #: Of the hosts that were asked for lately: until when (monotonic seconds) these are taken for its addresses.
        self._addresses: Recent[str, tuple[float, tuple[str, ...]]] = Recent(_MAX_ADDRESSES)
        self._stops = 0
        self._watch: Deferred[None] | None = None
        #: The middleware that refuses is there: nothing is asked of a host of which all will be refused.
        self.enforced = False
        self._list_store = list_store(settings)
        self._taken: list[LoadedList] = []
        #: Why the crawl cannot start, where our scheduler is to abandon it: an error that is raised here comes with the
        #: traceback of whatever built the middlewares.
        self.fault = ""
        try:
            self._taken = self._list_store.open()
        except ListError as error:
            self.fault = str(SettingsError([str(error)]))
            if not getattr(load_object(crawler.settings["SCHEDULER"]), "abandons_start", False):
                # As the add-on does: Scrapy 2.14 exits with status 0 where a crawl that has its spider fails to start.
                crawler.spider = None
                raise SettingsError([str(error)]) from None
            logger.error("%s", self.fault, extra={"spider": crawler.spider})
        self._use(self._list_store.lists)
        crawler.signals.connect(self._spider_opened, signals.spider_opened)
        crawler.signals.connect(self._spider_closed, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def _use(self, lists: Lists) -> None:
        self._lists = lists
        self.idle = lists.are_empty and not self._refuses_private and not self._skips_dynamic
        self._judges_by_address = self._refuses_private or lists.name_addresses

    # Links and requests

    def leads_to(self, request: Request, response: Response) -> bool:
        """Whether a link that was found on a page is to be followed."""
        behind = WOULD_REFUSE in response.meta
        if behind:
            request.meta[WOULD_REFUSE] = True
        url = self._settings.url_of(request)
        judged = self._judge(url, dynamic=not (behind and self._audit))
        if judged is None:
            return True
        if not judged.enforced:
            self._note(request, url, judged.decision)
            return True
        self._events.publish(RequestRefused(_origin_text(url), url, judged.decision, request=request))
        return False

    async def may_leave(self, request: Request) -> Decision | None:
        """Judge any request that leaves, our own for a robots.txt too. Returns a refusal."""
        if self.idle:
            return None
        url = self._settings.url_of(request)
        ours = OWN_DOWNLOAD in request.meta
        judged = self._judge(url, dynamic=not ours)
        if judged is None and self._judges_by_address:
            judged = await self._judge_addresses(request, url)
        if judged is None:
            return None
        if judged.enforced:
            return judged.decision
        if not ours:
            self._note(request, url, judged.decision)
        return None

    async def refuses(self, request: Request) -> bool:
        """Whether a request will be refused when it leaves: then the robots.txt of its host is not needed."""
        if self.idle or not self.enforced:
            return False
        if self.refuses_url(request):
            return True
        judged = (
            await self._judge_addresses(request, self._settings.url_of(request)) if self._judges_by_address else None
        )
        return judged is not None and judged.enforced

    def refuses_url(self, request: Request) -> bool:
        """As `refuses`, by its URL alone."""
        if self.idle or not self.enforced:
            return False
        judged = self._judge(self._settings.url_of(request), dynamic=False)
        return judged is not None and judged.enforced

    def _note(self, request: Request, url: str, decision: Decision) -> None:
        """Count what is only audited, once."""
        if WOULD_REFUSE not in request.meta:
            request.meta[WOULD_REFUSE] = True
            self._events.publish(RequestRefused(_origin_text(url), url, decision, audit=True))

    def _judge(self, url: str, *, dynamic: bool) -> Judged | None:
        place = Place.of(url)
        if place is None:
            return None
        match = self._lists.check_place(place)
        listed = self._of(match) if match else None
        if listed is not None and listed.enforced:
            return listed
        decision = self._if_private(place)
        if decision is None and dynamic and self._skips_dynamic:
            decision = self._if_dynamic(url, place)
        return listed if decision is None or (listed and self._audit) else Judged(decision, not self._audit)

    def _if_private(self, place: Place) -> Decision | None:
        if self._refuses_private and is_private(place.host) and not self._lists.allow(place):
            return Decision(False, "blacklist/private-address", place.host)
        return None

    def _if_dynamic(self, url: str, place: Place) -> Decision | None:
        origin = origin_of(url)
        limit = self._settings.query_limit(self._settings.sites.policy(origin)) if origin else None
        if limit is None:
            return None
        found = gateway(url)
        if found is None:
            if limit not in self._budgets:
                self._budgets[limit] = QueryBudget(limit)
            found = self._budgets[limit].exceeded(place.url)
        return Decision(False, "blacklist/dynamic", found) if found else None

    def _of(self, match: Match, address: str = "") -> Judged:
        enforced = match.action == TAKEDOWN or (match.action == "drop" and not self._audit)
        detail = f"{address} is in {match}" if address else str(match)
        return Judged(Decision(False, reason(match), detail), enforced)

    # Addresses

    async def _judge_addresses(self, request: Request, url: str) -> Judged | None:
        """Judge all addresses to which the host of a request leads."""
        host = self._connected_to(request)
        if not host or url != request.url:  # whoever is asked for it will resolve the name
            return None
        resolver.guard(self)
        now = time.monotonic()
        until, addresses = self._addresses.get(host) or (0.0, ())
        if until <= now:
            addresses = tuple(await resolver.resolve(host))
            self._addresses.put(host, (now + _ADDRESS_S, addresses))
        found = [judged for address in addresses if (judged := self._judge_address(address, host))]
        return max(found, key=lambda judged: judged.enforced, default=None)

    def _judge_address(self, address: str, host: str) -> Judged | None:
        match = self._lists.check_address(address, host)
        listed = self._of(match, address) if match else None
        if (listed is not None and (listed.enforced or self._audit)) or not self._refuses_private:
            return listed
        if is_private(address) and not self._lists.allow_address(ip_address(address.partition("%")[0]), host):
            return Judged(Decision(False, "blacklist/private-address", f"{host} is {address}"), not self._audit)
        return listed

    def _connected_to(self, request: Request) -> str:
        """The name of the host to which a connection is made for a request; empty where a proxy is asked, or where it
        is an address."""
        place = None if request.meta.get("proxy") else Place.of(request.url)
        if place is None or place.address is not None:
            return ""
        if place.scheme in self._proxies and "proxy" not in request.meta:
            return place.host if place.scheme != "ftp" and proxy_bypass(place.host) else ""
        return place.host

    def stops(self, host: str, address: str) -> bool:
        """Whether no connection to `address` may be made for `host`, as is about to happen (see `services.resolver`).

        It may be another crawl of this process, or none at all: ours are only the hosts that this crawl asks something.
        """
        name = normal_host(host)
        if not self._judges_by_address or not name or literal_address(name):
            return False
        judged = self._judge_address(address, name)
        if judged is None or not judged.enforced:
            return False
        if not any(self._connected_to(request) == name for request in self._engine.active):
            return False
        # So that the next attempt is refused with this reason, before it comes to a connection.
        self._addresses.put(name, (time.monotonic() + _ADDRESS_S, (address,)))
        self._stops += 1
        count(self._crawler, "polite/blacklist/connections_stopped")
        level = logging.WARNING if self._stops <= _MAX_STOPS_LOGGED else logging.DEBUG
        self._say(level, "No connection is made to %s for %s (%s)", address, printable(name), judged.decision)
        return True

    # Files

    def _spider_opened(self) -> None:
        taken, self._taken = self._taken, []
        for one in taken:
            self._tell_of_faults(one)
        self._count_entries()
        lists = self._lists
        if not lists.are_empty:
            entries = sum(len(one.compiled) for one in taken)
            self._say(
                logging.INFO,
                "scrapy-polite: blacklists: %s%s",
                f"{counted(entries, 'entry', 'entries')} in {counted(len(taken), 'file')}",
                " (audited, nothing is refused but takedowns)" if self._audit else "",
            )
        self._watch = _loop.spawn(self._keep_looking())
        self._watch.addErrback(lambda failure: None)  # it ends by being cancelled

    def _spider_closed(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
        self._list_store.close()

    async def _keep_looking(self) -> None:
        pause_s = POLL_S
        while True:
            await _loop.sleep(pause_s)
            pause_s = POLL_S
            try:
                before = [self._lists]
                looked = await _loop.in_thread(lambda: self._list_store.look(clock.now()))
                self._tell(looked)
                if looked.changed:
                    await _loop.in_thread(before.clear)  # what nobody else uses is given back there
                before.clear()
            except _loop.CANCELLED:
                raise
            except Exception:
                logger.exception("Error in scrapy-polite's blacklists: they stay as they are")
            else:
                pause_s = min(_SOON_S, POLL_S) if looked.unsettled else POLL_S

    def _tell(self, looked: ScanResult) -> None:
        for sentence in looked.failed:
            count(self._crawler, "polite/blacklist/reload_failures")
            self._say(logging.ERROR, "%s; what was read of it before stays in force", printable(sentence, 500))
        if not looked.changed:
            return
        self._use(self._list_store.lists)
        count(self._crawler, "polite/blacklist/reloads")
        self._count_entries()
        for one in looked.taken:
            before = "new" if one.before is None else f"{one.before:,} before"
            # An error page that was saved in a list's place reads as a list of a few hosts.
            level = logging.WARNING if one.before and one.before > 10 * len(one.compiled) else logging.INFO
            self._say(level, "%s: read, %s entries (%s)", one.file.path, f"{len(one.compiled):,}", before)
            self._tell_of_faults(one)
        for path in looked.gone:
            self._say(logging.INFO, "%s: gone, and holds no more", path)

    def _tell_of_faults(self, taken: LoadedList) -> None:
        compiled = taken.compiled
        kinds = (
            ("malformed", f"could not be read as {compiled.format}", compiled.malformed),
            ("unsupported", "cannot be honoured here", compiled.unsupported),
        )
        for name, what, faults in kinds:
            if faults.count:
                count(self._crawler, f"polite/blacklist/{name}_lines", faults.count)
                text = f"{counted(faults.count, 'line')} that {what}: {_first(faults)}"
                self._say(logging.WARNING, "%s: skipped %s", taken.file.path, text)

    def _count_entries(self) -> None:
        crawler = self._crawler()
        if crawler is not None and crawler.stats is not None and not self._lists.are_empty:
            lists = (*self._lists.blacklists, *self._lists.takedowns)
            entries = sum(len(compiled) for one in lists for _, compiled in one.files)
            crawler.stats.set_value("polite/blacklist/entries", entries)

    def _say(self, level: int, text: str, *args: object) -> None:
        logger.log(level, text, *args, extra={"spider": spider_of(self._crawler)})


def _first(faults: Faults) -> str:
    shown = "; ".join(
        f"line {fault.line}: {printable(fault.text, 80)} ({printable(fault.why, 80)})"
        for fault in faults.first[:_MAX_FAULTS_SHOWN]
    )
    return f"{shown}; ..." if faults.count > _MAX_FAULTS_SHOWN else shown


def _origin_text(url: str) -> str:
    return str(origin_of(url) or "(no origin)")
