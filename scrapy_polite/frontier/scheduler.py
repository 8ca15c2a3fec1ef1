"""Scheduler: Scrapy's scheduler interface over lanes that wait at their host's gate and for their robots.txt.

A request leaves the queue when it may be sent at once, and not before: so no slow host takes another's place in
CONCURRENT_REQUESTS, and what waits is still in the queue, where a stop or a crash cannot lose it.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

from scrapy.core.scheduler import BaseScheduler, BaseSchedulerMeta
from scrapy.utils.job import job_dir
from scrapy.utils.misc import build_from_crawler, load_object

from scrapy_polite import _loop
from scrapy_polite._crawl import shared
from scrapy_polite._engine import Engine
from scrapy_polite.dupefilters import PoliteDupeFilter
from scrapy_polite.events import Events
from scrapy_polite.frontier.abandon import Abandonment, UnresolvedHosts
from scrapy_polite.frontier.backends import queue_of
from scrapy_polite.frontier.base import IDEMPOTENT, FrontierError, LaneState, RemembersVisited
from scrapy_polite.frontier.codec import Codec
from scrapy_polite.frontier.disk import DiskWatch
from scrapy_polite.frontier.dispatcher import Dispatcher
from scrapy_polite.frontier.failing import FailingHosts
from scrapy_polite.frontier.idle import STEP_S, Ending, Idle
from scrapy_polite.frontier.in_flight import InFlight
from scrapy_polite.frontier.lanes import Lanes
from scrapy_polite.frontier.order import Order
from scrapy_polite.frontier.patience import Patience
from scrapy_polite.frontier.preparation import Preparation
from scrapy_polite.frontier.report import Report
from scrapy_polite.frontier.robots_gate import RobotsGate
from scrapy_polite.frontier.schedule import Schedule
from scrapy_polite.services.blacklists import CrawlBlacklists
from scrapy_polite.services.pacing import CrawlPacing
from scrapy_polite.services.robots import CrawlRobots
from scrapy_polite.services.traps import CrawlTraps
from scrapy_polite.settings import PoliteSettings

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.dupefilters import BaseDupeFilter
    from twisted.internet.defer import Deferred
    from typing_extensions import Self

    from scrapy_polite.frontier.lane import OriginLane
    from scrapy_polite.pacing.gate import Gate

logger = logging.getLogger(__name__)


class _Nominal(BaseSchedulerMeta):
    """Scrapy takes for an instance of a scheduler's class whatever has its methods; of ours only what is one."""

    def __instancecheck__(self, instance: Any) -> bool:
        return type.__instancecheck__(self, instance)

    def __subclasscheck__(self, subclass: type) -> bool:
        return type.__subclasscheck__(self, subclass)


class Scheduler(BaseScheduler, metaclass=_Nominal):
    """Lets a request go when its host may be asked and its robots.txt is known; until then it stays in the queue.

    `SCHEDULER = "scrapy_polite.frontier.Scheduler"`; the add-on sets it where the project sets none.
    DUPEFILTER_CLASS, JOBDIR, priorities, start requests and stats mean what they mean with Scrapy's scheduler.
    """

    #: `open` ends a crawl whose services have a `fault`, before anything else of it is opened.
    abandons_start = True

    def __init__(self, crawler: Crawler, dupefilter: BaseDupeFilter, folder: str | None) -> None:
        self.crawler = crawler
        self.df = dupefilter
        self._settings = settings = shared(crawler, PoliteSettings)
        self._pacing = pacing = shared(crawler, CrawlPacing)
        self._engine = engine = shared(crawler, Engine)
        self._traps = shared(crawler, CrawlTraps) if settings.looks_for_traps else None
        self._robots = robots = shared(crawler, CrawlRobots)
        events = shared(crawler, Events)
        patience = Patience.of(settings)
        self._disk = DiskWatch(crawler, engine, patience.max_idle_s)
        self._queue = queue = queue_of(crawler, folder, self._disk)
        schedule: Schedule[OriginLane] = Schedule()
        failing = FailingHosts(schedule, pacing, patience.give_up_s)
        order = Order.from_settings(crawler.settings)
        self._lanes = lanes = Lanes(queue, schedule, failing, pacing, order, self._target, self._traps)
        abandonment = Abandonment(queue, lanes, failing, pacing, events, patience.give_up_s)
        unresolved = UnresolvedHosts(lanes, abandonment, pacing, engine, settings.robots_attempts)
        preparation = Preparation(queue, lanes, engine, self._disk)
        gate = RobotsGate(
            queue,
            lanes,
            preparation,
            abandonment,
            robots,
            shared(crawler, CrawlBlacklists),
            pacing,
            engine,
            settings.sites,
            self._target,
        )
        self._in_flight = InFlight(queue, lanes, pacing, engine, self._disk, crawler.stats)
        self._report = Report(crawler, queue, lanes, abandonment, patience)
        ending = Ending(queue, lanes, abandonment, engine, events, self._report, self._target)
        self._idle = Idle(
            queue, lanes, abandonment, unresolved, preparation, ending, pacing, engine, self._report, patience
        )
        self._dispatcher = Dispatcher(
            queue,
            lanes,
            preparation,
            gate,
            abandonment,
            self._in_flight,
            self._idle,
            pacing,
            engine,
            events,
            by_address=settings.pace_by == "ip",
        )
        #: The fingerprints of what was in flight when the last run was broken off, and may not be repeated.
        self._unrepeated: Counter[bytes] = Counter()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        dupefilter = build_from_crawler(load_object(crawler.settings["DUPEFILTER_CLASS"]), crawler)
        return cls(crawler, dupefilter, job_dir(crawler.settings))

    # Scrapy's interface

    def open(self, spider: Spider) -> Deferred[None]:
        return _loop.spawn(self._open(spider))

    def close(self, reason: str) -> Deferred[None] | None:
        self._idle.alarm.cancel()
        self._in_flight.acknowledge()
        for flow, _ in self._lanes.flows.ended():
            self._lanes.flows.tell_left(flow)
        if self._queue.persistent:
            self._queue.close()  # before that nobody knows what cannot be written
        self._report.say_what_is_left()
        self._report.say_what_was_not_kept()
        self._queue.close()
        self._report.say_what_is_aside()
        return self.df.close(reason)

    def has_pending_requests(self) -> bool:
        return len(self._queue) > 0

    def __len__(self) -> int:
        return len(self._queue)

    def enqueue_request(self, request: Request) -> bool:
        if self._in_flight.took_back(request):
            return True
        if not request.dont_filter and self.df.request_seen(request) and not self._lanes.flows.is_queued_again(request):
            self.df.log(request, self.crawler.spider)  # type: ignore[arg-type]  # open only with a spider
            return False
        if self._unrepeated and request.method not in IDEMPOTENT and self._is_unrepeated(request):
            return False
        lane, rank = self._lanes.lane_of(request)
        kept = self._queue.push(lane.name, rank, request)
        if self._queue.persistent and not kept:
            self._note_unserializable(request)
        self._in_flight.count("scheduler/enqueued", kept)
        self._lanes.pushed(lane, rank, request)
        return True

    def next_request(self) -> Request | None:
        return self._dispatcher.next_request()

    # For the middlewares

    def give_back(self, request: Request) -> bool:
        """Whether `request` may come back to its queue: to be called by whoever then returns it to the engine.

        It goes ahead of its equals, past the dupefilter, and counts as never sent. False for a request that this
        scheduler has not let go, which would come back to whoever asked for it, at once and for ever.
        """
        return self._in_flight.give_back(request)

    async def mark_sent(self, request: Request) -> bool:
        """Have it written that `request` leaves now. False, while the disk fails: then it is to be given back."""
        return await self._in_flight.mark_sent(request)

    def gate_moved(self, gate: Gate) -> None:
        """A gate may have opened or shut."""
        self._dispatcher.gate_moved(gate)

    # For the monitor

    @property
    def host_count(self) -> int:
        return len(self._lanes.schedule)

    def lanes(self, most: int) -> list[tuple[Gate, float]]:
        """Up to `most` lanes, taken evenly of all: the gate of each, and until when something else keeps it.

        In epoch seconds; infinite while its robots.txt is on its way.
        """
        return list(self._dispatcher.sample(most))

    # Opening

    async def _open(self, spider: Spider) -> None:
        if fault := shared(self.crawler, CrawlBlacklists).fault:
            await self._engine.abandon(fault)
        if isinstance(self.df, PoliteDupeFilter):
            self.df.clean_params = self._robots.clean_params
            if isinstance(self._queue, RemembersVisited):
                self.df.visited, self.df.visited_before = self._queue.seen_or_add, self._queue.has_seen
        states = await self._open_queue()
        if self._traps is not None:
            await self._open_traps(self._traps)
        await self._pacing.loaded()
        began = time.monotonic()
        for state in states:
            self._lanes.resume(state)
            if time.monotonic() - began > STEP_S:
                await _loop.sleep(0)
                began = time.monotonic()
        if states:
            self._report.say_that_it_resumes()
        self._report.say_what_is_aside()
        fingerprint = self.crawler.request_fingerprinter.fingerprint
        self._unrepeated.update(fingerprint(aside.request) for aside in self._queue.set_aside if aside.request)
        self._pacing.serve(self)
        if not self._pacing.middleware_enabled:
            logger.warning(
                "scrapy_polite.frontier.Scheduler needs scrapy_polite's PacingMiddleware, at 950 of "
                "DOWNLOADER_MIDDLEWARES: without it no host is given time",
                extra={"spider": spider},
            )
        self._dispatcher.start()
        opening = self.df.open()
        if opening is not None:
            await _loop.awaitable(opening)

    async def _open_queue(self) -> list[LaneState]:
        try:
            return await _loop.from_thread(self._queue.open())
        except FrontierError as error:
            self._disk.failed(error)
            await self._engine.abandon(str(error))

    async def _open_traps(self, traps: CrawlTraps) -> None:
        if isinstance(self.df, PoliteDupeFilter):
            resumes = isinstance(self._queue, RemembersVisited) and self._queue.visited_count > 0
            traps.knows(self.df.knows, resumes=resumes)
        await traps.findings.loaded()
        self._lanes.flows.listen(self._engine.wake)

    def _note_unserializable(self, request: Request) -> None:
        """Not if it is the disk's fault."""
        try:
            Codec(pickle=True).encode(request, self.crawler.spider)
        except ValueError as error:
            self._report.say_what_cannot_be_written(str(error))

    def _target(self, request: Request) -> str:
        if self._settings.target_url is None:
            return request.url
        try:
            return self._settings.target_url(request)
        except Exception:  # noqa: BLE001 (the project's own code: the middleware asks it again, and tells the errback)
            return request.url

    def _is_unrepeated(self, request: Request) -> bool:
        """Whether it is what was set aside, asked for again: by the start, or by a page that is read once more."""
        fingerprint = self.crawler.request_fingerprinter.fingerprint(request)
        if not self._unrepeated[fingerprint]:
            return False
        self._unrepeated[fingerprint] -= 1
        self._report.say_what_is_not_sent_again(request)
        return True
