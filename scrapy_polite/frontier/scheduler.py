"""Scheduler: Scrapy's scheduler interface over lanes that wait at their host's gate and for their robots.txt.

A request leaves the queue when it may be sent at once, and not before: so no slow host takes another's place in
CONCURRENT_REQUESTS, and what waits is still in the queue, where a stop or a crash cannot lose it.
"""

from __future__ import annotations

import logging
import time
from functools import partial
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
from scrapy_polite.frontier.census import Census
from scrapy_polite.frontier.claims import Claims
from scrapy_polite.frontier.dispatcher import Dispatcher
from scrapy_polite.frontier.failing import FailingHosts
from scrapy_polite.frontier.feed import Feed
from scrapy_polite.frontier.health import QueueHealth
from scrapy_polite.frontier.host_notes import HostNotes
from scrapy_polite.frontier.idle import STEP_S, Ending, Idle
from scrapy_polite.frontier.in_flight import InFlight
from scrapy_polite.frontier.lanes import Lanes
from scrapy_polite.frontier.order import Order
from scrapy_polite.frontier.patience import Patience
from scrapy_polite.frontier.preparation import Preparation
from scrapy_polite.frontier.queue import FrontierError, LaneState, PushResult, Totals
from scrapy_polite.frontier.reconciliation import Reconciliation
from scrapy_polite.frontier.report import Report
from scrapy_polite.frontier.robots_gate import RobotsGate
from scrapy_polite.frontier.schedule import Schedule
from scrapy_polite.frontier.tasks import run
from scrapy_polite.frontier.unrepeated import Unrepeated
from scrapy_polite.frontier.visited import QueueVisited
from scrapy_polite.services.blacklists import CrawlBlacklists
from scrapy_polite.services.main_hosts import CrawlMainHosts
from scrapy_polite.services.pacing import CrawlPacing
from scrapy_polite.services.robots import CrawlRobots
from scrapy_polite.services.trap_sites import AGAIN
from scrapy_polite.services.traps import CrawlTraps
from scrapy_polite.settings import PoliteSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.dupefilters import BaseDupeFilter
    from twisted.internet.defer import Deferred
    from typing_extensions import Self

    from scrapy_polite.frontier.lane import OriginLane
    from scrapy_polite.pacing.gate import Gate

logger = logging.getLogger(__name__)

#: How long news of a shared queue wait for more.
_NEWS_S = 0.02
#: Why a crawl ends that has read all, but for groups that it follows no further.
_READ_ALL = ("finished", "polite_traps_left")


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
        settings = shared(crawler, PoliteSettings)
        self._pacing = pacing = shared(crawler, CrawlPacing)
        self._engine = engine = shared(crawler, Engine)
        self._traps = shared(crawler, CrawlTraps) if settings.looks_for_traps else None
        robots = shared(crawler, CrawlRobots)
        events = shared(crawler, Events)
        target = _target_of(settings)
        patience = Patience.of(settings)
        self._health = QueueHealth(crawler, engine, patience.max_idle_s)
        self._queue = queue = queue_of(crawler, folder)
        schedule: Schedule[OriginLane] = Schedule()
        failing = FailingHosts(schedule, pacing, patience.give_up_s)
        order = Order.from_settings(crawler.settings)
        self._lanes = lanes = Lanes(queue, schedule, failing, pacing, order, target, self._traps)
        abandonment = Abandonment(queue, lanes, failing, pacing, events, patience.give_up_s)
        unresolved = UnresolvedHosts(lanes, abandonment, pacing, engine, settings.robots_attempts)
        preparation = Preparation(queue, lanes, engine, self._health)
        gate = RobotsGate(
            queue,
            lanes,
            preparation,
            abandonment,
            robots,
            shared(crawler, CrawlMainHosts),
            shared(crawler, CrawlBlacklists),
            pacing,
            engine,
            target,
        )
        self._in_flight = InFlight(queue, lanes, pacing, engine, self._health, crawler.stats)
        self._report = Report(crawler, queue, lanes, abandonment, patience)
        self._notes = notes = HostNotes(queue, lanes.flows.traps, crawler.spider)
        lanes.flows.on_read(notes.changed)
        self._claims = claims = Claims(queue, self._in_flight, pacing.shared, notes, engine, patience.max_idle_s)
        self._unrepeated = Unrepeated(crawler, self._report)
        self._feed = Feed(queue, lanes, self._health, self._report, self._unrepeated, claims, self._log_filtered)
        ending = Ending(queue, lanes, abandonment, engine, events, self._report, target)
        self._idle = Idle(
            queue, lanes, abandonment, unresolved, preparation, claims, ending, pacing, engine, self._report, patience
        )
        self._dispatcher = Dispatcher(
            queue,
            lanes,
            preparation,
            gate,
            abandonment,
            self._in_flight,
            Reconciliation(self._feed, self._in_flight, claims, notes, pacing),
            claims,
            self._idle,
            pacing,
            engine,
            events,
            by_address=settings.pace_by == "ip",
        )
        self._visited = QueueVisited(queue)
        #: How the queue stands, host by host.
        self.census = Census(queue, lanes, preparation, abandonment, self._health)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        dupefilter = build_from_crawler(load_object(crawler.settings["DUPEFILTER_CLASS"]), crawler)
        return cls(crawler, dupefilter, job_dir(crawler.settings))

    # Scrapy's interface

    def open(self, spider: Spider) -> Deferred[None]:
        return _loop.spawn(self._open(spider))

    def close(self, reason: str) -> Deferred[None]:
        return _loop.spawn(self._close(reason))

    def has_pending_requests(self) -> bool:
        return not self._queue.ended

    def __len__(self) -> int:
        return len(self._queue)

    def enqueue_request(self, request: Request) -> bool:
        if self._in_flight.took_back(request):
            return True
        fingerprint = None
        if not request.dont_filter:
            if not self.df.request_seen(request):
                fingerprint = self._visited.take()
            elif not self._lanes.flows.is_queued_again(request):
                self._log_filtered(request)
                return False
        if self._unrepeated.stops(request):
            return False
        lane, rank = self._lanes.lane_of(request)
        result = self._queue.push(lane.name, rank, request, host=lane.part_of(request), fingerprint=fingerprint)
        if result is PushResult.SEEN:
            self._lanes.not_pushed(lane)
            self._log_filtered(request)
            return False
        self._in_flight.count("scheduler/enqueued", result is not PushResult.MEMORY_ONLY)
        if result is PushResult.UNKNOWN:
            self._lanes.not_pushed(lane)
        else:
            self._lanes.pushed(lane, rank, request)
        return True

    def next_request(self) -> Request | None:
        return self._dispatcher.next_request()

    # For the middlewares

    def filters(self, request: Request) -> bool:
        """Whether a link is one that `enqueue_request` would filter as a duplicate, which then need not be asked."""
        if request.dont_filter or AGAIN in request.meta or not isinstance(self.df, PoliteDupeFilter):
            return False
        seen = self.df.has_seen(request)
        if seen:
            self._log_filtered(request)
        return seen

    def give_back(self, request: Request) -> bool:
        """Whether `request` may come back to its queue: to be called by whoever then returns it to the engine.

        It goes ahead of its equals, past the dupefilter, and counts as never sent. False for a request that this
        scheduler has not let go, which would come back to whoever asked for it, at once and for ever.
        """
        return self._in_flight.give_back(request)

    async def may_be_sent(self, request: Request) -> bool:
        """Whether `request` may leave now; else it is to be given back. Asked where it goes to the download handler."""
        return await self._in_flight.may_be_sent(request)

    def gate_moved(self, gate: Gate) -> None:
        """A gate may have opened or shut."""
        if self._queue.shared:
            self._claims.gate_moved(gate)
        self._dispatcher.gate_moved(gate)

    # For the monitor

    @property
    def shared_totals(self) -> Totals | None:
        """What there is for all processes that share the queue, if it is shared."""
        return self._queue.totals() if self._queue.shared else None

    @property
    def shared_job(self) -> str:
        """The name and number of the job that all processes on the queue work on; empty where it is not shared."""
        return self._queue.job

    @property
    def host_count(self) -> int:
        return len(self._lanes.schedule)

    def lanes(self, most: int) -> list[tuple[Gate, float]]:
        """Up to `most` lanes, taken evenly of all: the gate of each, and until when something else keeps it.

        In epoch seconds; infinite while its robots.txt is on its way.
        """
        return list(self._dispatcher.sample(most))

    # Opening and closing

    async def _open(self, spider: Spider) -> None:
        if fault := shared(self.crawler, CrawlBlacklists).fault:
            await self._engine.abandon(fault)
        if remember_in := getattr(self.df, "remember_in", None):
            remember_in(self._visited, shared(self.crawler, CrawlRobots).clean_params)
        states = await self._open_queue()
        if self._traps is not None:
            await self._open_traps(self._traps)
        await self._pacing.loaded()
        await _in_steps(partial(self._lanes.came, state) for state in states)
        if states:
            self._report.say_that_it_resumes()
        self._feed.read()
        self._report.say_what_is_aside()
        self._pacing.serve(self)
        if not self._pacing.middleware_enabled:
            logger.warning(
                "scrapy_polite.frontier.Scheduler needs scrapy_polite's PacingMiddleware, at 950 of "
                "DOWNLOADER_MIDDLEWARES: without it no host is given time",
                extra={"spider": spider},
            )
        if self._queue.shared:
            self._engine.guard_start(lambda: _loop.from_thread(self._queue.begin_start()), self._queue.end_start)
            run(self._look_at_news())
        self._dispatcher.start()
        opening = self.df.open()
        if opening is not None:
            await _loop.awaitable(opening)

    async def _open_queue(self) -> list[LaneState]:
        try:
            return await _loop.from_thread(self._queue.open())
        except FrontierError as error:
            self._health.failed(error)
            await self._engine.abandon(str(error))

    async def _look_at_news(self) -> None:
        while not self._engine.closing:
            await _loop.from_thread(self._queue.news())
            self._engine.wake()
            await _loop.sleep(_NEWS_S)

    async def _open_traps(self, traps: CrawlTraps) -> None:
        if knows := getattr(self.df, "knows", None):
            traps.knows(knows, resumes=self._queue.visited_count > 0)
        await traps.findings.loaded()
        # Before anybody listens: the engine is not to be woken while it opens.
        await _in_steps(partial(self._notes.came, host, note, resumes=True) for host, note in self._queue.notes())
        self._lanes.flows.listen(self._engine.wake)

    async def _close(self, reason: str) -> None:
        self._idle.alarm.cancel()
        self._in_flight.acknowledge()
        self._visited.settle()
        if self._has_read_all(reason):
            self._lanes.flows.tell_finished()
        await self._notes.leave_all()
        self._lanes.flows.tell_all_left()
        if self._queue.persistent:
            await _loop.from_thread(self._queue.close())  # before that nobody knows what cannot be written
        self._feed.read()
        if not self._health.is_lost:
            self._report.say_what_is_left()
        self._report.say_what_was_not_kept()
        await _loop.from_thread(self._queue.close())
        self._report.say_what_is_aside()
        closing = self.df.close(reason)
        if closing is not None:
            await _loop.awaitable(closing)

    def _has_read_all(self, reason: str) -> bool:
        """Whether all links that were found were followed, but for those of groups that are followed no further."""
        lost = self._queue.shared or self._queue.lost or self._report.not_kept
        return reason in _READ_ALL and not lost and not self.crawler.settings.getint("DEPTH_LIMIT")

    def _log_filtered(self, request: Request) -> None:
        self.df.log(request, self.crawler.spider)  # type: ignore[arg-type]  # open only with a spider


async def _in_steps(calls: Iterable[Callable[[], object]]) -> None:
    """Make many calls, and let the loop have its turn meanwhile."""
    began = time.monotonic()
    for call in calls:
        call()
        if time.monotonic() - began > STEP_S:
            await _loop.sleep(0)
            began = time.monotonic()


def _target_of(settings: PoliteSettings) -> Callable[[Request], str]:
    """The function that says which URL a request is really about."""

    def target(request: Request) -> str:
        if settings.target_url is None:
            return request.url
        try:
            return settings.target_url(request)
        except Exception:  # noqa: BLE001 (the project's own code: the middleware asks it again, and tells the errback)
            return request.url

    return target
