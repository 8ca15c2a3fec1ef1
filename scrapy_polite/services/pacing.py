"""The pacing part of one crawl: `pacing/` wired to Scrapy's settings, engine, store and events.

What the scheduler, the middleware, the monitor and the commands share: `shared(crawler, CrawlPacing)`.
"""

from __future__ import annotations

import logging
import random
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol
from weakref import ref

from scrapy import exceptions, signals
from scrapy.exceptions import IgnoreRequest, NotSupported, StopDownload
from scrapy.resolver import dnscache
from twisted.internet.defer import CancelledError

from scrapy_polite import _loop, clock
from scrapy_polite._crawl import shared
from scrapy_polite._engine import OWN_DOWNLOAD, Engine
from scrapy_polite._scrapy.slots import Slots
from scrapy_polite.decision import Decision
from scrapy_polite.events import Events, HostClosed, HostWait, PaceSet
from scrapy_polite.origin import Origin, registered_domain
from scrapy_polite.pacing.backoff import BackoffPolicy
from scrapy_polite.pacing.delay import CrawlLimits
from scrapy_polite.pacing.gate import Gate, Gates, PacingConfig
from scrapy_polite.robots.freshness import retry_after_s
from scrapy_polite.services.host_leases import HostLeases
from scrapy_polite.services.robots import CrawlRobots
from scrapy_polite.services.shared_pacing import SharedPacing
from scrapy_polite.services.store import StoreService
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.text import printable

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from collections.abc import Set as AbstractSet

    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Headers, Response
    from typing_extensions import Self

    from scrapy_polite.pacing.budget import Budget
    from scrapy_polite.robots.cache import CachedRobots

logger = logging.getLogger(__name__)

#: How often embargoes that other processes met are looked for, and pages told that count in budgets.
EXCHANGE_S = 2.0
#: How often leases that last for long are renewed.
RENEWAL_S = 5.0
_MAX_ADDRESSES = 1_000_000
#: Errors kept for the errbacks of abandoned hosts: some 12 kB each, with their tracebacks.
MAX_ERRORS = 1_000
#: How a download ends that the crawl itself breaks off, for its size or as a receiver of a signal wants it: the host
#: has answered. The second one's name from Scrapy 2.15 on is the first.
_BROKEN_OFF = (getattr(exceptions, "DownloadCancelledError", CancelledError), CancelledError, StopDownload)
#: What says nothing of a host: nothing was sent, or code is at fault, a middleware's nearer to the network, say.
_OF_NO_HOST = (
    IgnoreRequest,
    NotSupported,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
)


@dataclass(frozen=True, slots=True)
class AbandonReason:
    """Why a request that waited is refused after all: the exception its host failed with, else a decision, else what
    its robots.txt says."""

    decision: Decision | None = None
    error: Exception | None = None


class HostScheduler(Protocol):
    """What pacing needs of a scheduler that lets hosts wait; see `frontier.Scheduler`."""

    def gate_moved(self, gate: Gate) -> None: ...

    def give_back(self, request: Request) -> bool: ...

    def may_be_sent(self, request: Request) -> Awaitable[bool]: ...


class InFlightRequest:
    """One request at its host: from passing the gate to leaving the downloader."""

    __slots__ = ("abandoned", "answered", "ended", "gate", "origin", "popped", "sent_at")

    def __init__(
        self, gate: Gate, origin: Origin | None, *, popped: bool, abandoned: AbandonReason | None = None
    ) -> None:
        self.gate = gate
        self.origin = origin
        #: Our scheduler has sent it; the others wait in place.
        self.popped = popped
        self.abandoned = abandoned
        self.sent_at: float | None = None
        self.answered = False
        self.ended = False


class CrawlPacing:
    """One crawl's gates, what passes through them, and what the store is told of them."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = ref(crawler)
        self.settings = settings = shared(crawler, PoliteSettings)
        self._robots = shared(crawler, CrawlRobots)
        self._engine = shared(crawler, Engine)
        self._events = shared(crawler, Events)
        self._audit = settings.audits("pacing")
        self._own = _ProjectLimits(crawler)
        self.slots = Slots(crawler)
        self._autothrottle = crawler.settings.getbool("AUTOTHROTTLE_ENABLED")
        self._config = PacingConfig(
            backoff=BackoffPolicy(min_s=settings.backoff_min),
            jitter=settings.jitter,
            adaptive=0.0 if self._audit else settings.adaptive_factor,
            rng=random.Random(),
        )
        self.gates = Gates(self._make)
        store = shared(crawler, StoreService)
        self._leases = HostLeases(store, self.gates, self.freed, self._run)
        self._shared = SharedPacing(
            store,
            self.gates,
            self._leases,
            self.freed,
            self._run,
            audit=self._audit,
            reset_after_s=self._config.backoff.reset_after_s,
            longest_period_s=settings.sites.longest_period_s,
            patience_s=min(settings.max_idle, self._robots.wait_max_s),
        )
        self.in_flight_requests: dict[Request, InFlightRequest] = {}
        #: Our scheduler, which lets hosts wait; None where the project has another one.
        self._scheduler: HostScheduler | None = None
        #: The middleware that tells us what leaves and comes back is there.
        self.middleware_enabled = False
        self._in_place: Counter[str] = Counter()
        self._robots_in_place: Counter[str] = Counter()
        self._waiters: dict[str, dict[_loop.Waiter[None], None]] = {}
        self._addresses: OrderedDict[str, str] = OrderedDict()
        self._capped: set[str] = set()
        self._timers: list[_loop.Every] = []
        self._keeps_delays = False
        #: The last error of hosts to which connections fail, of those that failed last.
        self.errors: OrderedDict[str, Exception] = OrderedDict()
        crawler.signals.connect(self._spider_opened, signals.spider_opened)
        crawler.signals.connect(self._spider_closed, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    # The scheduler

    def serve(self, scheduler: HostScheduler) -> None:
        """From now on requests leave the queue only when they may be sent."""
        self._scheduler = scheduler

    @property
    def has_scheduler(self) -> bool:
        return self._scheduler is not None

    def moved(self, gate: Gate) -> None:
        """A gate may have opened or shut."""
        if self._scheduler is not None:
            self._scheduler.gate_moved(gate)

    def give_back(self, request: Request) -> bool:
        """Whether a request may be returned to the engine to wait in our scheduler's queue."""
        return self._scheduler is not None and self._scheduler.give_back(request)

    async def may_be_sent(self, request: Request) -> bool:
        """Whether a request may leave now that our scheduler has let go; False where it is to be given back."""
        return self._scheduler is None or await self._scheduler.may_be_sent(request)

    # Gates

    def gate(self, origin: Origin | None, scheme: str = "") -> Gate:
        """The gate of an origin; without one that of the scheme (`data`, `s3`), which is always open."""
        if origin is None:
            return self.gates.get(f"{scheme}:")
        gate = self.gates.get(self.key(origin))
        gate.join_own(*self._own.of(origin, self.settings))
        if gate.delay.seconds:
            self._keep_delays()
        return gate

    def key(self, origin: Origin) -> str:
        """What has one pace: the host, its registered domain or, once it is known, its address."""
        host = origin.host
        if self.settings.pace_by == "domain":
            return registered_domain(host)
        if self.settings.pace_by == "ip":
            return self._addresses.get(host, host)
        return host

    def _make(self, key: str) -> Gate:
        gate = Gate(key, self._config, self._own.concurrency)
        self._shared.bring_up(gate)
        return gate

    def learned(self, gate: Gate, origin: Origin, held: CachedRobots) -> None:
        """What the robots.txt of `origin` asks of our pace holds from now on."""
        if self._audit:
            self._events.publish(PaceSet(str(origin), _audited(CrawlLimits.of(held.rules), clock.now())))
            return
        before = gate.delay
        gate.set_limits(str(origin), CrawlLimits.of(held.rules))
        # Another process, or a run before this one, may have fetched it just now.
        gate.last_at = max(gate.last_at, held.copy.updated_at)
        if gate.delay is before:
            return
        text = str(gate.delay) if gate.delay.seconds else ""
        self._events.publish(PaceSet(str(origin), text, gate.delay.capped))
        if gate.delay.capped and gate.key not in self._capped:
            if len(self._capped) < 100_000:
                self._capped.add(gate.key)
            self._say(
                logging.INFO,
                "%s asks for %g s between requests; POLITE_MAX_CRAWL_DELAY caps it to %g s",
                printable(gate.key),
                gate.delay.asked_s,
                gate.delay.seconds,
            )
        self._keep_delays()
        self.moved(gate)

    # Passing

    def take(
        self, request: Request, gate: Gate, origin: Origin | None, now: float, abandoned: AbandonReason | None
    ) -> None:
        """Our scheduler sends `request`."""
        self.in_flight_requests[request] = InFlightRequest(gate, origin, popped=True, abandoned=abandoned)
        if abandoned is None:
            self._take(request, gate, now, page=True)

    def _take(self, request: Request, gate: Gate, now: float, *, page: bool) -> None:
        gate.take(now, page=page)
        if self._autothrottle and self.has_scheduler:
            gate.held_until = max(gate.held_until, now + self.slots.delay_s(request))
        if page and gate.budget is not None:
            self._shared.spend(gate)

    def popped(self, request: Request) -> InFlightRequest | None:
        """A request that our scheduler has sent; None for any other, and when its download is over."""
        found = self.in_flight_requests.get(request)
        return found if found is not None and found.popped and not found.ended else None

    @staticmethod
    def shut_meanwhile(found: InFlightRequest) -> bool:
        """Whether its host was closed while the request passed the middlewares."""
        backoff = found.gate.backoff
        return backoff is not None and backoff.until > clock.now()

    def leaves(self, request: Request) -> None:
        """`request` goes to the download handler now."""
        self.in_flight_requests[request].sent_at = clock.now()

    async def wait_in_place(self, request: Request, origin: Origin | None, patience_s: float) -> Decision | None:
        """Wait until `request`, which our scheduler did not send, may leave; a decision if it may not in time.

        While its host is closed (an embargo, Visit-time, a budget) it waits for `patience_s` in all. For its turn, of
        which the declared delay is a part, it waits as long as that takes.
        """
        await self.loaded()
        gate = self.gate(origin, request.url.partition(":")[0])
        began, is_robots = clock.now(), OWN_DOWNLOAD in request.meta
        self._in_place[gate.key] += 1
        self._robots_in_place[gate.key] += is_robots
        gate.lanes += 1  # as one that waits for it: it must not be forgotten meanwhile
        try:
            decision = await self._open(gate, request, patience_s)
            if decision is None:
                now = clock.now()
                self.in_flight_requests[request] = InFlightRequest(gate, origin, popped=False)
                self._take(request, gate, now, page=not is_robots)
                if not self.has_scheduler:
                    self.slots.tell_throttler(request, gate.delay.seconds)
                if now - began >= 0.01 and origin is not None:
                    self._events.publish(HostWait(str(origin), now - began))
            return decision
        finally:
            self._in_place[gate.key] -= 1
            self._robots_in_place[gate.key] -= is_robots
            if not self._in_place[gate.key]:
                del self._in_place[gate.key], self._robots_in_place[gate.key]
                self.moved(gate)
            gate.lanes -= 1
            self.gates.release(gate, clock.now())

    def waited_for_in_place(self, gate: Gate) -> bool:
        return gate.key in self._in_place

    async def _open(self, gate: Gate, request: Request, patience_s: float) -> Decision | None:
        page = OWN_DOWNLOAD not in request.meta
        while True:
            now = clock.now()
            opens_at, shut_until = gate.opens_at(now), gate.shut_until(now)
            if opens_at <= now and self._is_next(gate, now, page=page):
                refused = page and gate.refuses(now)
                return Decision(False, "pace/budget", str(gate.budget)) if refused else None
            if self._engine.closing:
                return Decision(False, "pace/closing")
            # A robots.txt has its turn however long that takes, unless its host is closed.
            if shut_until > now + (max(patience_s, 0.0) if page else self._robots.wait_max_s):
                reason, detail = gate.why(now)
                return Decision(False, reason or "pace/held", detail, wait_until=opens_at)
            waiter: _loop.Waiter[None] = _loop.Waiter()
            waiter.fire_after(max(opens_at - now, 0.001) if opens_at > now else 1.0, None)
            line = self._waiters.setdefault(gate.key, {})
            line[waiter] = None
            try:
                # What Scrapy's scheduler has sent to wait for its turn keeps its place: else all that is queued came.
                with self._engine.waiting(request, extra_place=self.has_scheduler or shut_until > now):
                    await waiter
            finally:
                line.pop(waiter, None)
            patience_s -= max(min(clock.now(), shut_until) - now, 0.0)

    def _is_next(self, gate: Gate, now: float, *, page: bool) -> bool:
        """Whether a request that waits at an open gate may leave; robots.txt goes before pages."""
        if page and self._robots_in_place[gate.key]:
            return False
        # How many there are at once, of a host without a delay, is the slots' affair if the scheduler is not ours.
        full = gate.full and (self.has_scheduler or gate.one_at_a_time)
        return not full and self.has_host_lease(gate, now)

    def finished(self, request: Request, response: Response | None, error: Exception | None) -> None:
        """The download of `request` is over."""
        found = self.in_flight_requests.get(request)
        if found is None or found.sent_at is None or found.ended:
            return
        if isinstance(error, StopDownload) and (stopped := getattr(error, "response", None)) is not None:
            response, error = stopped, None
        now, gate = clock.now(), found.gate
        if not found.answered:
            found.answered = True
            if response is None:
                gate.failed(now)
            else:
                gate.answered(now, request.meta.get("download_latency", 0.0))
        if response is not None:
            self._learn_address(request, response)
        if OWN_DOWNLOAD not in request.meta:
            self._judge(request, found, response, error, now)
        if self._autothrottle and self.has_scheduler:
            gate.held_until = max(gate.held_until, found.sent_at + self.slots.delay_s(request))
        self._end(found, now)
        if not found.popped:
            del self.in_flight_requests[request]

    def _judge(
        self, request: Request, found: InFlightRequest, response: Response | None, error: Exception | None, now: float
    ) -> None:
        gate, sent_at = found.gate, found.sent_at or now
        if isinstance(error, _BROKEN_OFF) or (
            response is not None and response.status not in self.settings.backoff_statuses
        ):
            self._ease(gate, now, sent_at)
            return
        if self._audit or (error is not None and (request.meta.get("proxy") or _is_of_no_host(error))):
            return  # of a proxy's errors the host knows nothing
        if response is not None:
            headers = {name: (response.headers.get(name) or b"").decode("latin-1") for name in ("retry-after", "date")}
            closed = gate.record_failure(
                now,
                url=request.url,
                sent_at=sent_at,
                why=f"HTTP {response.status}",
                retry_after_s=retry_after_s(headers, clock.wall(now), self._config.backoff.retry_after_max_s),
            )
        else:
            closed = gate.record_failure(now, url=request.url, sent_at=sent_at, why=_named(error), connection=True)
            if error is not None:
                self.errors[gate.key] = error
                self.errors.move_to_end(gate.key)
                if len(self.errors) > MAX_ERRORS:
                    self.errors.popitem(last=False)
        if closed and gate.backoff is not None:
            self._closed(gate, found.origin, now)

    def _closed(self, gate: Gate, origin: Origin | None, now: float) -> None:
        backoff = gate.backoff
        if backoff is None:
            return
        self._events.publish(HostClosed(gate.key, str(origin or gate.key), backoff.until - now, backoff.why))
        self._shared.keep(gate)

    def _ease(self, gate: Gate, now: float, sent_at: float) -> None:
        backoff = gate.backoff
        if backoff is None:
            return
        was = (backoff.until, backoff.level)
        gate.succeeded(now, sent_at)
        if backoff.failing_since is None:
            self.errors.pop(gate.key, None)
        if was != (backoff.until, backoff.level):
            self._shared.keep(gate)

    def _end(self, found: InFlightRequest, now: float) -> None:
        found.ended = True
        gate = found.gate
        gate.ended(now)
        self._leases.end(gate.key, max(now, gate.paced_until(now)))
        self.freed(gate, now)

    def freed(self, gate: Gate, now: float) -> None:
        """Something about `gate` has changed: whoever waits for it looks again."""
        for waiter in list(self._waiters.pop(gate.key, ())):
            waiter.fire(None)
        self.moved(gate)
        self.gates.release(gate, now)

    def reconcile(self, now: float) -> None:
        """End the passes of requests that have left the downloader without a word: refused, cached, cancelled."""
        for request in self.in_flight_requests.keys() - self._engine.active:
            found = self.in_flight_requests.pop(request)
            if found.ended or found.abandoned is not None:
                continue
            if found.sent_at is not None:
                self._end(found, now)
                continue
            page = OWN_DOWNLOAD not in request.meta
            found.gate.given_back(now, page=page)
            if page:
                self._shared.give_back(found.gate)
            self._leases.end(found.gate.key, now)
            self.freed(found.gate, now)

    # With other processes

    def has_host_lease(self, gate: Gate, now: float) -> bool:
        """Whether this process has the lease of a host whose delay others keep as well; see `HostLeases.has`."""
        return self._leases.has(gate, now)

    @property
    def acquiring_host_leases(self) -> AbstractSet[str]:
        """The gates whose lease is being acquired."""
        return self._leases.acquiring

    @property
    def store_unavailable(self) -> bool:
        """Whether a store that is unavailable, rather than another crawl, keeps leases from being acquired."""
        return self._leases.unavailable

    async def loaded(self) -> None:
        """Once what the store knows of closed hosts has been taken over."""
        await self._shared.loaded()

    # Wiring

    def _learn_address(self, request: Request, response: Response) -> None:
        found = self.in_flight_requests.get(request)
        if self.settings.pace_by != "ip" or found is None or found.origin is None or request.meta.get("proxy"):
            return
        host = found.origin.host
        # Older versions of Scrapy name no address where the body is empty.
        address = response.ip_address or dnscache.get(host)
        if address is None or isinstance(address, list) or self._addresses.get(host) == str(address):
            return
        self._addresses[host] = str(address)
        if len(self._addresses) > _MAX_ADDRESSES:
            self._addresses.popitem(last=False)
        gate = self.gate(found.origin)
        gate.last_at = max(gate.last_at, found.gate.last_at)
        self.moved(found.gate)
        self.gates.release(gate, clock.now())

    def _keep_delays(self) -> None:
        """Count delays from the headers on, and see every sending. Not before the first delay: it has its price."""
        crawler = self._crawler()
        if crawler is not None and not self._keeps_delays:
            self._keeps_delays = True
            crawler.signals.connect(self._headers_received, signals.headers_received)
            self.slots.resend_nothing()

    def _headers_received(self, headers: Headers, request: Request) -> None:
        found = self.in_flight_requests.get(request)
        if found is not None and found.sent_at is not None and not found.answered:
            found.answered = True
            now = clock.now()
            found.gate.answered(now, now - found.sent_at)

    def _spider_opened(self) -> None:
        self._timers = [
            _loop.Every(EXCHANGE_S, self._shared.exchange_soon),
            _loop.Every(RENEWAL_S, lambda: self._run(self._leases.renew())),
            _loop.Every(1.0, lambda: self.reconcile(clock.now())),
        ]
        self._engine.call_when_closing(self._release)

    def _release(self) -> None:
        for waiters in list(self._waiters.values()):
            for waiter in list(waiters):
                waiter.fire(None)
        self._waiters.clear()

    async def _spider_closed(self) -> None:
        for timer in self._timers:
            timer.cancel()
        await self._shared.close()

    def _run(self, coroutine: Coroutine[Any, Any, None]) -> None:
        _loop.spawn(coroutine).addErrback(self._told)

    def _told(self, failure: Any) -> None:
        logger.error("Error in scrapy-polite's pacing: %s", failure.value)

    def _say(self, level: int, text: str, *values: object) -> None:
        logger.log(level, text, *values, extra={"spider": getattr(self._crawler(), "spider", None)})

    def shut(self, now: float) -> Iterator[tuple[Gate, float]]:
        """The gates that are shut, with the time at which they open."""
        for gate in self.gates:
            opens_at = gate.opens_at(now)
            if opens_at > now:
                yield gate, opens_at


class _ProjectLimits:
    """What the project's own settings say of pace: Scrapy's and ours."""

    def __init__(self, crawler: Crawler) -> None:
        settings, spider = crawler.settings, crawler.spider
        # Scrapy before 2.19 leaves these attributes of a spider to its downloader; since, they end up in the settings.
        # As many as the downloader's slot lets go: what it held back would hold a place in CONCURRENT_REQUESTS.
        self.concurrency: int = (
            int(settings["CONCURRENT_REQUESTS_PER_IP"] or 0)  # deprecated: `getint` would warn, too
            or _number_of(spider, "max_concurrent_requests")
            or settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN")
        )
        self._delay_s: float = _number_of(spider, "download_delay") or settings.getfloat("DOWNLOAD_DELAY")
        self._slots: Mapping[str, Mapping[str, Any]] = settings.getdict("DOWNLOAD_SLOTS")

    def of(
        self, origin: Origin, settings: PoliteSettings
    ) -> tuple[tuple[tuple[float, str], ...], float, int, Budget | None]:
        """As arguments of `Gate.join_own`. In an audit of pacing Scrapy's own settings keep their meaning."""
        slot = self._slots.get(origin.host, {})
        site = settings.sites.policy(origin)
        audit = settings.audits("pacing")
        delays = (
            (float(slot.get("delay", self._delay_s)), "DOWNLOAD_SLOTS" if "delay" in slot else "DOWNLOAD_DELAY"),
            (0.0 if audit else settings.min_delay, "POLITE_MIN_DELAY"),
            (0.0 if audit else site.delay, "POLITE_SITES"),
        )
        return (
            tuple(delay for delay in delays if delay[0] > 0),
            settings.max_crawl_delay if site.max_crawl_delay is None else site.max_crawl_delay,
            int(slot.get("concurrency", self.concurrency)),
            None if audit else site.budget,
        )


def _number_of(spider: Spider | None, name: str) -> Any:
    value = getattr(spider, name, None)
    return value if isinstance(value, (int, float)) else None


def _audited(asks: CrawlLimits | None, now: float) -> str:
    demands = [f"{source} {seconds:g} s" for seconds, source in asks.demands(now)] if asks else []
    return f"not kept (audit): {', '.join(demands)}" if demands else ""


def _is_of_no_host(error: Exception) -> bool:
    # A certificate that does not fit is an OSError and a ValueError.
    return isinstance(error, _OF_NO_HOST) and not isinstance(error, OSError)


def _named(error: Exception | None) -> str:
    return f"{type(error).__name__}: {error}"[:200].rstrip(": ")
