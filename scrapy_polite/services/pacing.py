"""The pacing part of one crawl: `pacing/` wired to Scrapy's settings, engine, store and events.

What the scheduler, the middleware, the monitor and the commands share: `shared(crawler, CrawlPacing)`.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, Protocol
from weakref import ref

from scrapy import signals
from scrapy.exceptions import StopDownload

from scrapy_polite import _loop, clock
from scrapy_polite._crawl import shared
from scrapy_polite._engine import OWN_DOWNLOAD, Engine
from scrapy_polite._engine.failures import kind_of
from scrapy_polite._scrapy.slots import Slots
from scrapy_polite.events import Events, HostWait, PaceSet, RequestAnswered, RobotsAnswered
from scrapy_polite.pacing.backoff import BackoffPolicy
from scrapy_polite.pacing.delay import CrawlLimits
from scrapy_polite.pacing.gate import Gate, Gates, PacingConfig
from scrapy_polite.services.host_failures import HostFailures
from scrapy_polite.services.host_leases import UNAVAILABLE_PAUSE_S, HostLeases
from scrapy_polite.services.in_flight_request import AbandonReason, InFlightRequest
from scrapy_polite.services.pace_keys import PaceKeys
from scrapy_polite.services.project_limits import ProjectLimits
from scrapy_polite.services.robots import CrawlRobots
from scrapy_polite.services.shared_pacing import SharedPacing
from scrapy_polite.services.store import StoreService
from scrapy_polite.services.waiting_in_place import WaitingInPlace
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.text import printable

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Headers, Response
    from typing_extensions import Self

    from scrapy_polite.decision import Decision
    from scrapy_polite.events import RequestSent
    from scrapy_polite.origin import Origin
    from scrapy_polite.robots.cache import CachedRobots

logger = logging.getLogger(__name__)

#: How often embargoes that other processes met are looked for, and pages told that count in budgets.
EXCHANGE_S = 2.0
#: How often leases that last for long are renewed.
RENEWAL_S = 5.0


class HostScheduler(Protocol):
    """What pacing needs of a scheduler that lets hosts wait; see `frontier.Scheduler`."""

    def gate_moved(self, gate: Gate) -> None: ...

    @property
    def shared_job(self) -> str: ...

    def give_back(self, request: Request) -> bool: ...

    def may_be_sent(self, request: Request) -> Awaitable[bool]: ...


class CrawlPacing:
    """One crawl's gates, what passes through them, and what the store is told of them."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = ref(crawler)
        self.settings = settings = shared(crawler, PoliteSettings)
        self._engine = shared(crawler, Engine)
        self._events = shared(crawler, Events)
        self._audit = settings.audits("pacing")
        self._limits = ProjectLimits(crawler, settings)
        self.keys = PaceKeys(settings.pace_by)
        self.slots = Slots(crawler)
        self._autothrottle = crawler.settings.getbool("AUTOTHROTTLE_ENABLED")
        self._config = PacingConfig(
            backoff=BackoffPolicy(min_s=settings.backoff_min),
            jitter=settings.jitter,
            adaptive=0.0 if self._audit else settings.adaptive_factor,
            rng=random.Random(),
        )
        self.gates = Gates(self._make)
        robots = shared(crawler, CrawlRobots)
        robots.earlier = lambda origin, held: self.learned(self.gate(origin), origin, held)
        store, robots_wait_s = shared(crawler, StoreService), robots.wait_max_s
        self.leases = HostLeases(store, self.gates, self.freed, self._run)
        self.shared = SharedPacing(
            store,
            self.gates,
            self.leases,
            self.freed,
            self._run,
            audit=self._audit,
            reset_after_s=self._config.backoff.reset_after_s,
            longest_period_s=settings.sites.longest_period_s,
            patience_s=min(settings.max_idle, robots_wait_s),
        )
        self.failures = HostFailures(
            settings, self._events, self.shared, retry_after_max_s=self._config.backoff.retry_after_max_s
        )
        self.in_place = WaitingInPlace(
            self.gates,
            self.leases,
            self._engine,
            self.moved,
            lambda: self.has_scheduler,
            robots_wait_s=robots_wait_s,
        )
        self.in_flight_requests: dict[Request, InFlightRequest] = {}
        #: Our scheduler, which lets hosts wait; None where the project has another one.
        self._scheduler: HostScheduler | None = None
        #: The middleware that tells us what leaves and comes back is there.
        self.middleware_enabled = False
        #: Hosts of which the log has said that they get less time than they ask for.
        self._told_of_cut: set[str] = set()
        self._timers: list[_loop.Every] = []
        self._keeps_delays = False
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

    @property
    def shared_job(self) -> str:
        """What names the job on the queue that our scheduler shares with other processes; empty: it shares none."""
        return self._scheduler.shared_job if self._scheduler is not None else ""

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
        gate = self.gates.get(self.keys.of(origin))
        before = gate.delay
        self._limits.join(gate, origin)
        if gate.delay is not before:
            self._tell_of_cut(gate, origin)
        if gate.delay.seconds:
            self._keep_delays()
        return gate

    def _make(self, key: str) -> Gate:
        gate = Gate(key, self._config, self._limits.concurrency)
        self.shared.bring_up(gate)
        return gate

    def learned(self, gate: Gate, origin: Origin, held: CachedRobots) -> None:
        """What the robots.txt of `origin` asks of our pace holds from now on."""
        if self._audit:
            self._events.publish(PaceSet(str(origin), _audited(CrawlLimits.of(held.rules), clock.now())))
            return
        before, now = gate.delay, clock.now()
        gate.set_limits(str(origin), CrawlLimits.of(held.rules))
        if (next_at := gate.paced_until(now)) > now and gate.delay is not before:
            # It was asked before its delay was known: with it the others are to wait as well.
            self.leases.put_off(gate.key, next_at)
        # Another process, or a run before this one, may have fetched it just now.
        gate.last_at = max(gate.last_at, held.copy.updated_at)
        self._tell_of_cut(gate, origin)
        if gate.delay is before:
            return
        text = str(gate.delay) if gate.delay.seconds else ""
        delay = gate.delay
        asked_s = delay.asked_s if delay.capped else 0.0
        self._events.publish(PaceSet(str(origin), text, delay.capped, delay.seconds, delay.source, asked_s))
        self._keep_delays()
        self.moved(gate)

    def _tell_of_cut(self, gate: Gate, origin: Origin) -> None:
        """Say once a host that it asks for more time between requests than it gets."""
        if (cut := gate.cut) is None or gate.key in self._told_of_cut:
            return
        if len(self._told_of_cut) < 100_000:
            self._told_of_cut.add(gate.key)
        by_site = self.settings.sites.policy(origin).max_crawl_delay is not None
        self._say(
            logging.WARNING,
            "%s asks for %g s between requests; %s cuts that to %g s ('in full' cuts nothing)",
            printable(gate.key),
            *(cut[0], "'max_crawl_delay' in POLITE_SITES" if by_site else "POLITE_MAX_CRAWL_DELAY", cut[1]),
        )

    # Passing

    def take(
        self, request: Request, gate: Gate, origin: Origin | None, now: float, abandoned: AbandonReason | None
    ) -> None:
        """Our scheduler sends `request`."""
        leased = self.leases.needed(gate, finds_out=False)
        self.in_flight_requests[request] = InFlightRequest(
            gate, origin, popped=True, leased=leased, abandoned=abandoned
        )
        if abandoned is None:
            self._take(request, gate, now, page=True)

    def _take(self, request: Request, gate: Gate, now: float, *, page: bool) -> None:
        gate.take(now, page=page)
        if self._autothrottle and self.has_scheduler:
            gate.throttle(now, gate.workers * self.slots.delay_s(request))
        if page and gate.budget is not None:
            self.shared.spend(gate)

    def popped(self, request: Request) -> InFlightRequest | None:
        """A request that our scheduler has sent; None for any other, and when its download is over."""
        found = self.in_flight_requests.get(request)
        return found if found is not None and found.popped and not found.ended else None

    @staticmethod
    def shut_meanwhile(found: InFlightRequest) -> bool:
        """Whether its host was closed while the request passed the middlewares."""
        backoff = found.gate.backoff
        return backoff is not None and backoff.until > clock.now()

    def leaves(self, request: Request, sent: RequestSent | None = None) -> None:
        """`request` goes to the download handler now; `sent` is what was published of that."""
        found = self.in_flight_requests[request]
        found.sent, found.delay = sent, found.gate.delay_in_force
        found.sent_at = clock.now()

    async def wait_in_place(self, request: Request, origin: Origin | None, patience_s: float) -> Decision | None:
        """Wait until `request`, which our scheduler did not send, may leave; a decision if it may not in time.

        While its host is closed (an embargo, Visit-time, a budget) it waits for `patience_s` in all. For its turn, of
        which the declared delay is a part, it waits as long as that takes.
        """
        await self.loaded()
        gate = self.gate(origin, request.url.partition(":")[0])
        began, page = clock.now(), OWN_DOWNLOAD not in request.meta
        with self.in_place.at(gate, request):
            decision = await self.in_place.opened(gate, request, patience_s)
            if decision is None:
                now = clock.now()
                leased = self.leases.needed(gate, finds_out=not page)
                self.in_flight_requests[request] = InFlightRequest(gate, origin, popped=False, leased=leased)
                self._take(request, gate, now, page=page)
                if not self.has_scheduler:
                    self.slots.tell_throttler(request, gate.delay.seconds)
                if now - began >= 0.01 and origin is not None:
                    self._events.publish(HostWait(str(origin), now - began))
            return decision

    def finished(self, request: Request, response: Response | None, error: Exception | None) -> None:
        """The download of `request` is over."""
        found = self.in_flight_requests.get(request)
        if found is None or found.sent_at is None or found.ended:
            return
        if isinstance(error, StopDownload) and (stopped := getattr(error, "response", None)) is not None:
            response, error = stopped, None
        now, gate = clock.now(), found.gate
        if found.answered_at is None:
            found.answered_at = now
            if response is None:
                gate.failed(now)
            else:
                gate.answered(now, request.meta.get("download_latency", 0.0))
        if response is not None:
            self._learn_address(request, found, response)
        self._publish(request, found, response, error, now)
        if OWN_DOWNLOAD not in request.meta:
            self.failures.judge(request, found, response, error, now)
        if self._autothrottle and self.has_scheduler:
            gate.throttle(found.sent_at, gate.workers * self.slots.delay_s(request))
        self._end(request, found, now)
        if not found.popped:
            del self.in_flight_requests[request]

    def _publish(
        self, request: Request, found: InFlightRequest, response: Response | None, error: Exception | None, now: float
    ) -> None:
        """Say that a request is over."""
        origin, sent_at = str(found.origin or found.gate.key), found.sent_at or now
        status, size = (response.status, len(response.body)) if response is not None else (None, 0)
        if OWN_DOWNLOAD in request.meta:
            self._events.publish(RobotsAnswered(origin, status, now - sent_at, request.url, sent_at, size))
            return
        began_s = (found.answered_at or now) - sent_at
        seconds, url = now - sent_at, self.settings.url_of(request)
        failed = kind_of(error) if error is not None else ""
        self._events.publish(
            RequestAnswered(origin, status, seconds, url, sent_at, began_s, size, *found.delay, found.sent, failed)
        )

    def _end(self, request: Request, found: InFlightRequest, now: float) -> None:
        found.ended = True
        gate = found.gate
        gate.ended(now)
        if found.leased:
            # Others may know a delay that this crawl is still to read in the robots.txt.
            answered_at = (found.answered_at or now) if OWN_DOWNLOAD in request.meta else None
            self.leases.end(gate.key, max(now, gate.paced_until(now)), answered_at=answered_at)
        self.freed(gate, now)

    def freed(self, gate: Gate, now: float) -> None:
        """Something about `gate` has changed: whoever waits for it looks again."""
        self.in_place.look_again(gate)
        self.moved(gate)
        self.gates.release(gate, now)

    def reconcile(self, now: float) -> None:
        """End the passes of requests that have left the downloader without a word: refused, cached, cancelled."""
        for request in self.in_flight_requests.keys() - self._engine.active:
            found = self.in_flight_requests.pop(request)
            if found.ended or found.abandoned is not None:
                continue
            if found.sent_at is not None:
                self._end(request, found, now)
                continue
            page = OWN_DOWNLOAD not in request.meta
            found.gate.given_back(now, page=page)
            if page:
                self.shared.give_back(found.gate)
            if found.leased:
                self.leases.end(found.gate.key, now)
            self.freed(found.gate, now)

    def _leased(self) -> set[str]:
        """The pace keys of the gates at which requests are in flight by a lease."""
        found = self.in_flight_requests.values()
        return {one.gate.key for one in found if one.leased and not one.ended and one.abandoned is None}

    async def loaded(self) -> None:
        """Once what the store knows of closed hosts has been taken over."""
        await self.shared.loaded()

    # Wiring

    def _learn_address(self, request: Request, found: InFlightRequest, response: Response) -> None:
        origin = found.origin
        if origin is None or request.meta.get("proxy") or not self.keys.learn_address(origin, response):
            return
        gate = self.gate(origin)
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
        if found is not None and found.sent_at is not None and found.answered_at is None:
            now = found.answered_at = clock.now()
            found.gate.answered(now, now - found.sent_at)

    def _spider_opened(self) -> None:
        self._timers = [
            _loop.Every(EXCHANGE_S, self.shared.exchange_soon),
            _loop.Every(RENEWAL_S, lambda: self._run(self.leases.renew(self._leased()))),
            _loop.Every(UNAVAILABLE_PAUSE_S, lambda: self._run(self.leases.look_again())),
            _loop.Every(1.0, lambda: self.reconcile(clock.now())),
        ]
        self._engine.call_when_closing(self.in_place.all_look_again)

    async def _spider_closed(self) -> None:
        for timer in self._timers:
            timer.cancel()
        await self.shared.close()

    def _run(self, coroutine: Coroutine[Any, Any, None]) -> None:
        _loop.spawn(coroutine).addErrback(self._told)

    def _told(self, failure: Any) -> None:
        logger.error("Error in scrapy-polite's pacing: %s", failure.value)

    def _say(self, level: int, text: str, *values: object) -> None:
        logger.log(level, text, *values, extra={"spider": getattr(self._crawler(), "spider", None)})


def _audited(asks: CrawlLimits | None, now: float) -> str:
    demands = [f"{source} {seconds:g} s" for seconds, source in asks.demands(now)] if asks else []
    return f"not kept (audit): {', '.join(demands)}" if demands else ""
