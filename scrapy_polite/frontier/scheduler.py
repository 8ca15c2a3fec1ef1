"""Scheduler: Scrapy's scheduler interface over lanes that wait at their host's gate and for their robots.txt.

A request leaves the queue when it may be sent at once, and not before: so no slow host takes another's place in
CONCURRENT_REQUESTS, and what waits is still in the queue, where a stop or a crash cannot lose it.
"""

from __future__ import annotations

import logging
import math
import socket
import sys
import time
from collections import Counter, OrderedDict
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.core.scheduler import BaseScheduler, BaseSchedulerMeta
from scrapy.utils.asyncio import call_later
from scrapy.utils.job import job_dir
from scrapy.utils.log import failure_to_exc_info
from scrapy.utils.misc import build_from_crawler, load_object

from scrapy_polite import _loop, clock
from scrapy_polite._crawl import shared
from scrapy_polite._engine import UNRESOLVED, Engine, is_unresolved
from scrapy_polite.decision import Decision
from scrapy_polite.dupefilters import PoliteDupeFilter
from scrapy_polite.events import Events, HostAbandoned, HostWait, LinkLeft
from scrapy_polite.frontier.base import IDEMPOTENT, Entry, FrontierError, LaneState, Queue, Rank
from scrapy_polite.frontier.codec import Codec
from scrapy_polite.frontier.deferral import Deferral, LaneName
from scrapy_polite.frontier.memory import MemoryQueue
from scrapy_polite.frontier.order import Order
from scrapy_polite.frontier.schedule import Lane, Schedule
from scrapy_polite.frontier.shares import FOUND, lane_of
from scrapy_polite.frontier.sqlite.queue import SqliteQueue
from scrapy_polite.frontier.sqlite.schema import FILE_NAME
from scrapy_polite.origin import Origin, site_of
from scrapy_polite.robots.access import Access, standing
from scrapy_polite.services.blacklists import CrawlBlacklists
from scrapy_polite.services.pacing import AbandonReason, CrawlPacing
from scrapy_polite.services.robots import PROMPT_COMMANDS, PROMPT_WAIT_S, CrawlRobots, at_prompt
from scrapy_polite.services.traps import CrawlTraps
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.text import counted, duration, printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.dupefilters import BaseDupeFilter
    from twisted.internet.defer import Deferred
    from twisted.python.failure import Failure
    from typing_extensions import Self

    from scrapy_polite._engine import RobotsDownload
    from scrapy_polite.frontier.shares import Flow
    from scrapy_polite.pacing.gate import Gate
    from scrapy_polite.robots.cache import CachedRobots, Key

logger = logging.getLogger(__name__)

#: How long a robots.txt that was found open for a lane is taken for known without looking again, in seconds. The
#: middleware looks again when the request leaves.
_CLEARED_S = 5.0
#: Lanes that are made ready at once, not counting those that have taken long already (a robots.txt that hangs).
_MAX_PREPARING, _LONG_S = 64, 1.0
#: Lanes that are looked at for one request that may leave, before other work has its turn.
_MAX_LOOKED_AT = 500
#: No robots.txt is fetched for longer, whatever its attempts and pauses are set to.
_MAX_ASKING_S = 86_400.0
#: How long a lane to which a request came back is left alone: whatever sends them back, it is no loop without a pause.
_RETURN_PAUSE_S = 0.1
#: How long one is whose robots.txt could not be asked for at all: a defect, or a cache that closes.
_DEFECT_PAUSE_S = 5.0
#: How long what is over may stay unnoticed while there is more to send.
_RECONCILE_S = 0.05
#: When nothing else is left, a host name is abandoned after so many look-ups of its robots.txt in vain. Of pages that
#: need none three have failed by then: one more is tried after so long, and it is abandoned after so long again.
_LOOKUPS, _LOOKUP_PAUSE_S = 3, 3.0
#: Of so many of these names the resolver is asked itself: where it cannot be reached, no name is said not to exist. Its
#: answer counts for so long.
_ASKED_NAMES, _ANSWER_S = 3, 30.0
_NO_SUCH_NAME = {getattr(socket, name) for name in ("EAI_NONAME", "EAI_NODATA") if hasattr(socket, name)}
#: A wait at the end that is shorter is not worth a line.
_TOLD_FROM_S = 10.0
_MAX_UNREACHABLE = 100_000
_MAX_HOSTS_SHOWN = 5
_MAX_ASIDE_SHOWN = 20
#: Requests that are moved to another lane in one step.
_MAX_SIFTED = 100
#: Timers may fire a little early.
_WAKE_SLACK_S = 0.001
#: How long everything pauses where the disk is slower than the crawl, before it is looked at again.
_BEHIND_PAUSE_S = 0.1
#: At opening the loop has its turn after so long at the latest.
_OPENING_STEP_S = 0.02


@dataclass(frozen=True, slots=True)
class Waiting:
    """`count` requests of a lane that opens or `is_abandoned` at `until` (epoch seconds), and what keeps it closed."""

    lane: str
    count: int
    until: float
    reason: str
    detail: str
    is_abandoned: bool = False

    def __str__(self) -> str:
        evidence = f": {printable(self.detail, 80)}" if self.detail else ""
        what = "abandoned" if self.is_abandoned else "opens"
        return f"{what} in {duration(self.until - clock.now())}, {self.reason}{evidence}"


class _Lane(Lane):
    """A lane with what the scheduler knows of its origin (None: a scheme that has none)."""

    __slots__ = ("abandoned", "asks_of", "busy", "cleared_until", "flow", "kind", "only_memory_only", "origin")

    def __init__(self, name: str, gate: Gate, origin: Origin | None) -> None:
        super().__init__(name, gate)
        self.origin = origin
        #: Of a group of URL patterns, or the rest of its site (see `deferral`); None where nobody looks for traps.
        self.flow: Flow | None = None
        self.kind = FOUND
        #: Being made ready, or abandoned: it is not to be put meanwhile.
        self.busy = False
        self.cleared_until = 0.0
        self.abandoned: AbandonReason | None = None
        #: Given up is only what the queue cannot keep for the next run.
        self.only_memory_only = False
        #: The robots.txt copy whose asks the gate has been told.
        self.asks_of: CachedRobots | None = None


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
        self._folder = folder
        self._queue: Queue = MemoryQueue()
        self._codec: Codec | None = None
        self._schedule: Schedule[_Lane] = Schedule()
        self._lanes: dict[str, _Lane] = {}
        self._pacing = shared(crawler, CrawlPacing)
        self._robots = shared(crawler, CrawlRobots)
        self._blacklists = shared(crawler, CrawlBlacklists)
        self._engine = shared(crawler, Engine)
        self._events = shared(crawler, Events)
        self._settings = settings = shared(crawler, PoliteSettings)
        self._traps = shared(crawler, CrawlTraps) if settings.looks_for_traps else None
        self._deferral: Deferral[_Lane] | None = None
        if self._traps is not None and not self._traps.audit:
            self._deferral = Deferral(self._traps, self._put_if_free, self._hold, self._head)
        #: Of each request that is under way, whose it is.
        self._flows: dict[Request, Flow] = {}
        self._at_prompt = at_prompt(sys.orig_argv, (*PROMPT_COMMANDS, "check"))
        limit_s = PROMPT_WAIT_S if self._at_prompt else math.inf
        self._give_up_s = min(settings.give_up, limit_s)
        self._max_idle_s = min(settings.max_idle, limit_s)
        self._by_address = settings.pace_by == "ip"
        #: What the stats are still to be told: requests dequeued from memory, and from disk. To tell them of each would
        #: be a third of what a pop costs.
        self._dequeued = [0, 0]
        self._order = Order.from_settings(crawler.settings)
        # Beyond the numbers of any earlier run on the same queue.
        self._numbers = count(time.time_ns() // 1_000)
        self._unacknowledged: dict[Request, Entry] = {}
        self._returning: set[Request] = set()
        #: What may not be repeated, while it is written that it leaves.
        self._leaving: set[Request] = set()
        #: Lanes that are being made ready since when, oldest first, and those for which that has taken long.
        self._preparing: OrderedDict[_Lane, float] = OrderedDict()
        self._taking_long: set[_Lane] = set()
        #: How many robots.txt files are being asked for at each gate.
        self._asks: Counter[str] = Counter()
        #: Lanes that are abandoned, whose requests are to leave and be refused. A set in order.
        self._refused: OrderedDict[_Lane, None] = OrderedDict()
        self._refuses_next = False
        #: Since when the robots.txt of a lane has been unreachable: lanes come and go.
        self._unreachable: OrderedDict[str, float] = OrderedDict()
        #: When the hosts to which connections fail are to be abandoned; an entry counts that has the time known here.
        self._failing: list[tuple[float, str]] = []
        self._failing_until: dict[str, float] = {}
        self._queue_fault = ""
        self._queue_failing_since = 0.0
        self._aside_count = 0
        #: The fingerprints of what was in flight when the last run was broken off, and may not be repeated.
        self._unrepeated: Counter[bytes] = Counter()
        #: Requests that were refused because nothing opened soon, and no job directory kept them.
        self._memory_only_count = 0
        self._timer: Any = None
        self._wakes_at = self._told_until = math.inf
        self._next: _Lane | None = None
        self._reconcile_at = self._wait_told_until = 0.0
        self._began = clock.now()
        #: Whether names that fail do not exist, as the resolver says; None: it is being asked. Until when that counts.
        self._no_such_names: bool | None = False
        self._names_asked_until = 0.0
        self._opened = self._waiting = self._stalled = self._ending = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        dupefilter = build_from_crawler(load_object(crawler.settings["DUPEFILTER_CLASS"]), crawler)
        return cls(crawler, dupefilter, job_dir(crawler.settings))

    # Scrapy's interface

    def open(self, spider: Spider) -> Deferred[None]:
        return _loop.spawn(self._open(spider))

    def close(self, reason: str) -> Deferred[None] | None:
        if self._timer is not None:
            self._timer.cancel()
        self._acknowledge()
        self._count_dequeued()
        for flow, _ in self._deferral.ended() if self._deferral is not None else ():
            self._say_what_is_left_of(flow)
        if self._queue.persistent:
            self._queue.close()  # before that nobody knows what cannot be written
        self._say_what_is_left()
        self._say_what_was_not_kept()
        self._queue.close()
        self._say_what_is_aside()
        return self.df.close(reason)

    def has_pending_requests(self) -> bool:
        return len(self._queue) > 0

    def __len__(self) -> int:
        return len(self._queue)

    def enqueue_request(self, request: Request) -> bool:
        if request in self._returning:
            self._take_back(request)
            return True
        if not request.dont_filter and self.df.request_seen(request) and not self._is_queued_again(request):
            self.df.log(request, self._spider)
            return False
        if self._unrepeated and request.method not in IDEMPOTENT and self._is_unrepeated(request):
            return False
        lane, rank = self._lane_of(request)
        kept = self._queue.push(lane.name, rank, request)
        if self._codec is not None and not kept:
            self._note_unserializable(request, self._codec)
        self._count("scheduler/enqueued", kept)
        if self._deferral is not None and lane.flow is not None:
            self._deferral.has_priorities |= rank[0] != 0
            self._deferral.pushed(lane.flow)
        self._pushed(lane, rank, request)
        return True

    def next_request(self) -> Request | None:
        lane = self._next or self._pick()
        self._next = None
        if lane is None:
            return None
        now = clock.now()
        entry = self._queue.pop_memory_only(lane.name) if lane.only_memory_only else self._queue.pop(lane.name)
        request = entry.request
        if request in self._unacknowledged:
            # The same object, asked for again while it is being worked on: all accounts, Scrapy's too, are by object.
            request = entry.request = request.copy()
        self._unacknowledged[request] = entry
        self._pacing.take(request, lane.gate, lane.origin, now, lane.abandoned)
        self._dequeued[entry.id is not None] += 1
        if self._deferral is not None and lane.flow is not None:
            self._take_of_flow(request, lane, lane.flow, self._deferral)
        if lane.abandoned is None:
            waited_s = self._schedule.waited_s(lane, now)
            if waited_s and lane.origin is not None:
                self._events.publish(HostWait(str(lane.origin), waited_s))
            self._schedule.served(lane)
            self._put(lane)
        elif lane.only_memory_only:
            if not self._queue.memory_only(lane.name):
                self._take_up_again(lane)
        elif self._queue.head(lane.name) is None:
            self._drop(lane)
        return request

    # For the middlewares

    def give_back(self, request: Request) -> bool:
        """Whether `request` may come back to its queue: to be called by whoever then returns it to the engine.

        It goes ahead of its equals, past the dupefilter, and counts as never sent. False for a request that this
        scheduler has not let go, which would come back to whoever asked for it, at once and for ever.
        """
        if request not in self._unacknowledged or request in self._returning or self._pacing.popped(request) is None:
            return False
        self._returning.add(request)
        return True

    async def mark_sent(self, request: Request) -> bool:
        """Have it written that `request` leaves now. False, while the disk fails: then it is to be given back."""
        entry = self._unacknowledged.get(request)
        if entry is None:
            return True
        self._leaving.add(request)
        try:
            await _loop.from_thread(self._queue.mark_sent(entry))
        except FrontierError as error:
            self._disk_failed(error)
            return False
        finally:
            self._leaving.discard(request)
        self._queue_failing_since = 0.0
        return True

    # Lanes

    async def _open(self, spider: Spider) -> None:
        self._spider = spider
        if fault := shared(self.crawler, CrawlBlacklists).fault:
            await self._engine.abandon(fault)
        if isinstance(self.df, PoliteDupeFilter):
            self.df.clean_params = self._robots.clean_params
        states = await self._open_queue(spider)
        if self._traps is not None:
            await self._open_traps(self._traps)
        await self._pacing.loaded()
        began = time.monotonic()
        for state in states:
            lane = self._lane(state.lane, _origin_of_lane(state.lane))
            self._put(lane)
            if self._deferral is not None and lane.flow is not None:
                self._deferral.found(lane.flow, state.count)
            if time.monotonic() - began > _OPENING_STEP_S:
                await _loop.sleep(0)
                began = time.monotonic()
        if states:
            logger.info(
                "Resuming crawl (%(queuesize)d requests scheduled)",
                {"queuesize": len(self._queue)},
                extra={"spider": spider},
            )
        self._say_what_is_aside()
        fingerprint = self.crawler.request_fingerprinter.fingerprint
        self._unrepeated.update(fingerprint(aside.request) for aside in self._queue.set_aside if aside.request)
        self._join_pacing(spider)
        self._engine.hold_back(self._waits, self._holds_enough)
        self._opened = True
        opening = self.df.open()
        if opening is not None:
            await _loop.awaitable(opening)

    async def _open_queue(self, spider: Spider) -> list[LaneState]:
        if self._folder is not None:
            self._codec = Codec(pickle=True)
            self._queue = SqliteQueue(
                Path(self._folder) / FILE_NAME,
                self._codec,
                spider,
                on_error=self._queue_failed,
                on_recovery=self._queue_recovered,
                error_rate=self._settings.visited_error_rate if self._settings.visited == "bloom" else None,
            )
            if isinstance(self.df, PoliteDupeFilter):
                self.df.visited, self.df.visited_before = self._queue.seen_or_add, self._queue.has_seen
        try:
            return await _loop.from_thread(self._queue.open())
        except FrontierError as error:
            self._queue_failed(error)
            await self._engine.abandon(str(error))

    def _join_pacing(self, spider: Spider) -> None:
        self._pacing.moved = self._moved
        self._pacing.give_back, self._pacing.mark_sent = self.give_back, self.mark_sent
        self._pacing.has_scheduler = True
        if not self._pacing.middleware_enabled:
            logger.warning(
                "scrapy_polite.frontier.Scheduler needs scrapy_polite's PacingMiddleware, at 950 of "
                "DOWNLOADER_MIDDLEWARES: without it no host is given time",
                extra={"spider": spider},
            )

    async def _open_traps(self, traps: CrawlTraps) -> None:
        if isinstance(self.df, PoliteDupeFilter):
            resumes = isinstance(self._queue, SqliteQueue) and self._queue.visited_count > 0
            traps.knows(self.df.knows, resumes=resumes)
        await traps.findings.loaded()
        if self._deferral is not None:
            traps.changed = self._groups_changed
            traps.findings.tell_left = self._say_what_is_left_so_far

    def _lane_of(self, request: Request) -> tuple[_Lane, Rank]:
        """The lane of a new request, and its rank there."""
        number = next(self._numbers)
        url = self._target(request)
        try:
            origin: Origin | None = Origin.from_url(url)
        except ValueError:
            origin = None
        name = LaneName(str(origin) if origin else url.partition(":")[0] + ":")
        rank = self._order.rank(request, number)
        if self._deferral is not None and self._traps is not None and origin is not None:
            group, deep = self._traps.group_of(request)
            if group:
                kind, order = lane_of(url, number, deep=deep)
                name = LaneName(name.origin, group, kind)
                rank = rank if kind == FOUND else (rank[0], order)
        return self._lane(str(name), origin), rank

    def _lane(self, name: str, origin: Origin | None) -> _Lane:
        lane = self._lanes.get(name)
        if lane is None:
            gate = self._pacing.gate(origin, name.partition(" ")[0].rstrip(":"))
            gate.lanes += 1
            lane = self._lanes[name] = _Lane(name, gate, origin)
            self._schedule.add(lane)
            if self._deferral is not None and origin is not None:
                self._deferral.join(lane, site_of(origin), LaneName.read(name))
            self._note_failing(gate)
        return lane

    def _target(self, request: Request) -> str:
        if self._settings.target_url is None:
            return request.url
        try:
            return self._settings.target_url(request)
        except Exception:  # noqa: BLE001 (the project's own code: the middleware asks it again, and tells the errback)
            return request.url

    def _pushed(self, lane: _Lane, rank: Rank, request: Request) -> None:
        self._next = None
        if lane.busy or self._queue.head(lane.name) != rank:
            return
        # What is closed stays so, whatever is pushed, but for a head that does not ask what its robots.txt says.
        if not lane.closed_until or request.meta.get("dont_obey_robotstxt"):
            self._put(lane)

    def _put(self, lane: _Lane) -> None:
        """Let the schedule know the lane's head, unless its group has to wait; a lane that is empty is forgotten."""
        head = self._queue.head(lane.name)
        if head is None:
            self._drop(lane)
        elif self._deferral is None or self._deferral.may_go(lane):
            self._schedule.put(lane, head)
        else:
            self._schedule.set_aside(lane)

    def _put_if_free(self, lane: _Lane) -> None:
        if not lane.busy and not lane.closed_until and self._queue.head(lane.name) is not None:
            self._next = None
            self._put(lane)

    def _hold(self, lane: _Lane) -> None:
        if not lane.busy and not lane.closed_until:
            self._next = None
            self._schedule.set_aside(lane)

    def _head(self, lane: _Lane) -> Rank | None:
        return self._queue.head(lane.name)

    def _groups_changed(self, site: str) -> None:
        if self._deferral is not None:
            self._deferral.changed(site)
            self._engine.wake()

    def _is_unrepeated(self, request: Request) -> bool:
        """Whether it is what was set aside, asked for again: by the start, or by a page that is read once more."""
        fingerprint = self.crawler.request_fingerprinter.fingerprint(request)
        if not self._unrepeated[fingerprint]:
            return False
        self._unrepeated[fingerprint] -= 1
        logger.warning(
            "Not sent again: %s %s, set aside at the start of this run; the next run sends it if it is asked for",
            request.method,
            printable(request.url),
            extra={"spider": self._spider},
        )
        return True

    def _is_queued_again(self, request: Request) -> bool:
        return self._deferral is not None and self._traps is not None and self._traps.queued_again(request)

    def _take_of_flow(self, request: Request, lane: _Lane, flow: Flow, deferral: Deferral[_Lane]) -> None:
        if self._traps is not None:
            self._traps.sent(request)
            if flow.name and deferral.probes(flow):
                self._traps.take_deep(request)
        self._flows[request] = flow
        deferral.taken(lane, flow)

    def _drop(self, lane: _Lane) -> None:
        if self._deferral is not None:
            self._deferral.part(lane)
        self._refused.pop(lane, None)
        self._schedule.remove(lane)
        del self._lanes[lane.name]
        lane.gate.lanes -= 1
        self._pacing.gates.release(lane.gate, clock.now())

    def _take_back(self, request: Request) -> None:
        self._returning.discard(request)
        entry = self._unacknowledged.pop(request)
        rank = self._order.rank_back(request, next(self._numbers))
        self._queue.give_back(entry, rank)
        self._dequeued[entry.id is not None] -= 1
        self.crawler.stats.inc_value("polite/returned")
        flow = self._flows.pop(request, None)
        if flow is not None and self._deferral is not None:
            self._deferral.given_back(flow)
            if self._traps is not None:
                self._traps.sent(request, back=True)
        lane = self._lane(entry.lane, _origin_of_lane(entry.lane))
        lane.cleared_until = 0.0
        self._next = None
        if not lane.busy and not lane.closed_until:
            self._schedule.close(lane, clock.now() + _RETURN_PAUSE_S)

    # What goes next

    def _waits(self) -> bool:
        """Whether something is queued of which nothing may leave, so that the engine need not ask."""
        self._waiting = False
        if not self._opened or not len(self._queue):
            return False
        self._next = self._pick()
        self._waiting = self._next is None and not self._stalled
        return self._waiting

    def _holds_enough(self) -> bool:
        """Whether as much waits here as may be under way at once: a spider that loads lazily need not bring more yet.

        With less it is to go on: what it brings may be of a host that need not wait.
        """
        return self._waiting and len(self._queue) >= self._engine.concurrency and self._waits()

    def _pick(self) -> _Lane | None:
        """The lane whose head is to leave now; None where nothing may: then the engine is woken in time."""
        now = clock.now()
        if self._queue.behind:
            self._stalled = False
            self._wake_at(now + _BEHIND_PAUSE_S, now)
            return None
        untidy = now < self._reconcile_at
        if not untidy:
            self._reconcile(now)
        found, more = self._find(now)
        if found is None and untidy:
            self._reconcile(now)
            found, more = self._find(now)
        if found is None:
            self._wait(now, more=more)
        return found

    def _reconcile(self, now: float) -> None:
        """Take note of what is over. It is enough to do so now and then, and before anything is to wait."""
        self._reconcile_at = now + _RECONCILE_S
        self._acknowledge()
        self._pacing.reconcile(now)
        self._count_dequeued()

    def _find(self, now: float) -> tuple[_Lane | None, bool]:
        """The lane whose head is to leave now; and whether there are more that were not looked at.

        What is to be refused and what may be sent take turns: neither is to wait for the end of the other.
        """
        for lane in self._schedule.due(now):
            self._put(lane)
        self._abandon_failed(now)
        self._resume_waiting(now)
        unread: list[_Lane] = []
        found = self._refusable(now, unread) if self._refuses_next else None
        looked_at = 0
        while found is None and looked_at < _MAX_LOOKED_AT:
            picked = self._schedule.pick(now)
            if picked is None:
                break
            looked_at += 1
            found = self._ready_or_refused(picked, now, unread)
        found = found or self._refusable(now, unread)
        self._refuses_next = found is None or found.abandoned is None
        if unread:
            _loop.spawn(self._fetch(unread)).addErrback(self._told)
        return found, looked_at == _MAX_LOOKED_AT

    def _ready_or_refused(self, lane: _Lane, now: float, unread: list[_Lane]) -> _Lane | None:
        """A defect costs the one host, not the crawl."""
        try:
            return self._ready(lane, now, unread)
        except Exception as error:
            logger.exception("Internal error in scrapy-polite: %s is abandoned", printable(lane.name))
            self._abandon(lane, AbandonReason(Decision(False, "pace/abandoned", "an internal error"), error))
            return None

    def _ready(self, lane: _Lane, now: float, unread: list[_Lane]) -> _Lane | None:
        """The lane that was picked, if its head may leave; else it has been put where it does not come up again."""
        if self._by_address and self._moves(lane):
            return None
        if not self._queue.ready(lane.name):
            if self._prepare(lane, now):
                unread.append(lane)
            return None
        if self._deferral is not None and lane.flow is not None and not self._sift(lane, lane.flow, self._deferral):
            return None
        if lane.gate.refuses(now):
            self._abandon(lane, AbandonReason(Decision(False, "pace/budget", str(lane.gate.budget))))
            return lane
        if not self._robots_open(lane, now):
            return None
        if self._pacing.waited_for_in_place(lane.gate):
            self._schedule.pass_over(lane)
            return None
        # Without a turn its gate is shut by now.
        return lane if self._pacing.has_turn(lane.gate, now) else None

    def _sift(self, lane: _Lane, flow: Flow, deferral: Deferral[_Lane]) -> bool:
        """Whether the head of a lane may go from there. What a group is suspected of since it was queued goes to the
        group's own lane; what was queued twice and has left is dropped."""
        traps = self._traps
        if traps is None:
            return True
        for moved in range(_MAX_SIFTED):
            if not self._queue.ready(lane.name):
                break
            request = self._queue.peek(lane.name)
            group = "" if flow.name else traps.suspect_of(request)
            if not group and not traps.has_left(request):
                if moved:
                    break
                return True
            entry = self._queue.pop(lane.name)
            deferral.removed(flow)
            if group:
                to = self._lane(str(LaneName(lane.name, group)), lane.origin)
                self._queue.push(to.name, self._order.rank(request, next(self._numbers)), request)
                if to.flow is not None:
                    deferral.pushed(to.flow)
                self._put_if_free(to)
            self._queue.done(entry)
        deferral.update(flow.site)
        self._put(lane)
        return False

    def _moves(self, lane: _Lane) -> bool:
        """Follow a host whose address has been learned to the gate of that address."""
        before = lane.gate
        if lane.origin is None or self._pacing.key(lane.origin) == before.key:
            return False
        gate = self._pacing.gate(lane.origin)
        gate.lanes += 1
        self._schedule.move(lane, gate)
        before.lanes -= 1
        self._pacing.gates.release(before, clock.now())
        # What its robots.txt asks for, the new gate has to be told.
        lane.asks_of, lane.cleared_until = None, 0.0
        self._put(lane)
        return True

    # Making a lane ready

    def _resume_waiting(self, now: float) -> None:
        """Let lanes that were lined up compete again, as far as there are places to make them ready."""
        while self._preparing and next(iter(self._preparing.values())) < now - _LONG_S:
            self._taking_long.add(self._preparing.popitem(last=False)[0])
        if not self._schedule.has_waiting:
            return
        for _ in range(_MAX_PREPARING - len(self._preparing)):
            lane = self._schedule.next_waiting()
            if lane is None:
                return
            self._put(lane)

    def _prepare(self, lane: _Lane, now: float) -> bool:
        """Whether there is a place to make the lane ready; without one it lines up, and others go on."""
        if len(self._preparing) >= _MAX_PREPARING:
            head = self._queue.head(lane.name)
            if head is None:
                self._drop(lane)
            else:
                self._schedule.wait_for_slot(lane, head)
            return False
        lane.busy = True
        self._schedule.set_aside(lane)
        self._preparing[lane] = now
        return True

    def _prepared(self, lane: _Lane) -> None:
        self._preparing.pop(lane, None)
        self._taking_long.discard(lane)
        if self._lanes.get(lane.name) is not lane:
            pass  # abandoned meanwhile, and all of it refused
        elif lane.abandoned is not None:
            self._refused[lane] = None
        elif not lane.closed_until:
            lane.busy = False
            self._put(lane)
        self._engine.wake()

    async def _fetch(self, lanes: list[_Lane]) -> None:
        try:
            await _loop.from_thread(self._queue.fetch([lane.name for lane in lanes]))
        except FrontierError as error:
            self._disk_failed(error)
        else:
            self._queue_failing_since = 0.0
        finally:
            for lane in lanes:
                self._prepared(lane)

    def _disk_failed(self, error: FrontierError) -> None:
        self._queue_failed(error)
        self._queue_failing_since = self._queue_failing_since or clock.now()
        at_rest = self._engine.at_rest or (self._leaving and self._engine.active <= self._leaving)
        if at_rest and clock.now() - self._queue_failing_since > self._max_idle_s:
            self._engine.close_spider("polite_waiting")

    def _robots_open(self, lane: _Lane, now: float) -> bool:
        """Whether the lane's robots.txt is known and lets it go; otherwise it has been set aside or closed."""
        if lane.cleared_until > now or not self._robots.obeyed or lane.origin is None:
            return True
        request = self._queue.peek(lane.name)
        policy = self._settings.sites.policy(lane.origin).robots
        if policy == "ignore" or request.meta.get("dont_obey_robotstxt") or self._blacklists.refuses_url(request):
            return True
        key = self._robots.key(lane.origin, request)
        held = self._robots.cache.look(key)
        closes = policy == "obey"
        if held is not None:
            return self._apply_robots(lane, held, now, closes=closes)
        gate = lane.gate
        if self._asks[gate.key] >= gate.places:
            # They would only wait there, and hold up the pages that need not ask.
            self._schedule.pass_over(lane)
        elif self._prepare(lane, now):
            self._asks[gate.key] += 1
            way = self._robots.way(request, self._target(request))
            _loop.spawn(self._ask(lane, gate, request, key, way, closes=closes)).addErrback(self._told)
        return False

    async def _ask(
        self, lane: _Lane, gate: Gate, request: Request, key: Key, way: RobotsDownload, *, closes: bool
    ) -> None:
        held, refused = None, False
        try:
            # A host that must not be visited is not asked for its robots.txt, either.
            refused = await self._blacklists.refuses(request)
            if not refused:
                held = await self._robots.known(key, way, clock.now() + _MAX_ASKING_S, patient=False)
        finally:
            self._asks[gate.key] -= 1
            if not self._asks[gate.key]:
                del self._asks[gate.key]
            if lane.abandoned is None:
                lane.busy = False
                now = clock.now()
                if refused:
                    lane.cleared_until = now + _CLEARED_S
                elif held is not None:
                    self._apply_robots(lane, held, now, closes=closes)
                elif not self._engine.closing and gate.shut_until(now) <= now:
                    self._unreachable_until(lane, now + _DEFECT_PAUSE_S, now)
            self._prepared(lane)
            self._moved(gate)

    def _apply_robots(self, lane: _Lane, held: CachedRobots, now: float, *, closes: bool) -> bool:
        """Tell the gate what the robots.txt asks; close the lane where it is unreachable. Whether it may go now."""
        gate = lane.gate
        if held is not lane.asks_of and lane.origin is not None:
            lane.asks_of = held
            self._pacing.learned(gate, lane.origin, held)
        if not closes or standing(held.copy, now, held.policy).access is not Access.CLOSED:
            self._unreachable.pop(lane.name, None)
            lane.cleared_until = now + _CLEARED_S
            return gate.opens_at(now) <= now and not gate.full
        if held.error is not None:
            self._abandon(lane, AbandonReason(Decision(False, "robots/unreachable", held.copy.failure), held.error))
            return False
        self._unreachable_until(lane, held.copy.due_at, now)
        return False

    def _unreachable_until(self, lane: _Lane, until: float, now: float) -> None:
        """Close the lane until its robots.txt is to be asked for again, or give it up."""
        abandons_at = self._unreachable.setdefault(lane.name, now) + self._give_up_s
        if len(self._unreachable) > _MAX_UNREACHABLE:
            self._unreachable.popitem(last=False)
        if now >= abandons_at:
            why = f"robots.txt unreachable for {duration(now - abandons_at + self._give_up_s)}"
            self._events.publish(HostAbandoned(lane.name, why, self._queue.count(lane.name)))
            self._abandon(lane, AbandonReason())
        else:
            self._schedule.close(lane, min(until, abandons_at))

    # Waiting, and its end

    def _moved(self, gate: Gate) -> None:
        self._next = None
        self._schedule.moved(gate)
        if self._schedule.has_lanes_at(gate.key):
            self._note_failing(gate)
            self._engine.wake()

    def _note_failing(self, gate: Gate) -> None:
        until = self._abandons_gate_at(gate)
        if until < math.inf and self._failing_until.get(gate.key) != until:
            self._failing_until[gate.key] = until
            heappush(self._failing, (until, gate.key))

    def _abandons_gate_at(self, gate: Gate) -> float:
        since = gate.backoff.failing_since if gate.backoff else None
        return math.inf if since is None else since + self._give_up_s

    def _abandons_at(self) -> float:
        """When the next host to which connections fail is abandoned; infinite where there is none."""
        while self._failing:
            at, key = self._failing[0]
            if self._failing_until.get(key) == at:
                gate = self._pacing.gates.peek(key) if self._schedule.has_lanes_at(key) else None
                if gate is not None and self._abandons_gate_at(gate) == at:
                    return at
                del self._failing_until[key]
                if gate is not None:
                    self._note_failing(gate)  # it has recovered since, and fails again
            heappop(self._failing)
        return math.inf

    def _abandon_failed(self, now: float) -> None:
        """Give up the lanes of hosts to which connections have failed for too long."""
        while self._failing and self._abandons_at() <= now:
            _, key = heappop(self._failing)
            del self._failing_until[key]
            gate = self._pacing.gates.peek(key)
            # While it is open, a request that may still come back well is on its way, or about to be.
            if gate is not None and gate.opens_at(now) > now:
                self._give_up_gate(gate, now)

    def _give_up_gate(self, gate: Gate, now: float) -> None:
        if gate.backoff is None:
            return
        failing_s = now - (gate.backoff.failing_since or now)
        why = Decision(False, "pace/abandoned", f"{gate.backoff.why}, failing for {duration(failing_s)}")
        lanes = self._schedule.lanes_at(gate.key)
        count = sum(self._queue.count(lane.name) for lane in lanes)
        self._events.publish(HostAbandoned(gate.key, why.detail, count))
        for lane in lanes:
            self._abandon(lane, AbandonReason(why, self._pacing.errors.get(gate.key)))

    def _give_up_unresolved(self, now: float) -> float:
        """Give up the hosts whose names have no address, when they are all that is left; 0 where they are not, else
        when to look again."""
        look_at = 0.0
        for lane in self._lanes.values():
            if lane.abandoned is None:
                look_at = max(look_at, self._unresolved_at(lane, now))
                if look_at == math.inf:
                    return 0.0
        if not look_at:
            return 0.0
        if look_at <= now and not self._is_confirmed(now):
            return now + 1 if self._no_such_names is None else 0.0
        for lane in list(self._lanes.values()) if look_at <= now else ():
            if lane.abandoned is not None:
                continue
            if lane.name in self._unreachable:
                count = self._queue.count(lane.name)
                self._events.publish(HostAbandoned(lane.name, f"robots.txt: {UNRESOLVED}", count))
                self._abandon(lane, AbandonReason())
            elif lane.gate.backoff is not None and lane.gate.backoff.level < 2:
                lane.gate.backoff.cut_short(now)
                self._schedule.moved(lane.gate)
            else:
                self._give_up_gate(lane.gate, now)
        return look_at

    def _is_confirmed(self, now: float) -> bool:
        if self._no_such_names is not None and now >= self._names_asked_until:
            self._no_such_names = None
            hosts = [lane.origin.host for lane in islice(self._lanes.values(), _ASKED_NAMES) if lane.origin is not None]
            _loop.spawn(self._ask_resolver(hosts)).addErrback(self._told)
        return bool(self._no_such_names)

    async def _ask_resolver(self, hosts: list[str]) -> None:
        answer = False
        try:
            answer = await _loop.in_thread(lambda: all(map(_does_not_exist, hosts)), timeout_s=_ANSWER_S)
        except TimeoutError:
            pass
        finally:
            self._no_such_names, self._names_asked_until = answer, clock.now() + _ANSWER_S
            self._engine.wake()

    def _unresolved_at(self, lane: _Lane, now: float) -> float:
        """When it is certain enough that the lane's host name does not exist; infinite where there is hope."""
        if lane.name in self._unreachable:
            copy = lane.asks_of.copy if lane.asks_of is not None else None
            # What an earlier run has met may be over.
            asked = copy is not None and copy.failure == UNRESOLVED and copy.updated_at >= self._began
            return now if asked and self._settings.robots_attempts >= _LOOKUPS else math.inf
        backoff = lane.gate.backoff
        failing = backoff is not None and backoff.failing_since is not None and lane.gate.opens_at(now) > now
        if backoff is None or not failing or not is_unresolved(self._pacing.errors.get(lane.gate.key)):
            return math.inf
        return (backoff.failing_since or now) + _LOOKUP_PAUSE_S * min(backoff.level, 2)

    def _abandon(self, lane: _Lane, why: AbandonReason) -> None:
        """From now on the lane's requests leave the queue, to be refused."""
        if lane.abandoned is None:
            lane.abandoned = why
            lane.busy = True
            self._schedule.set_aside(lane)
            self._refused[lane] = None

    def _refusable(self, now: float, unread: list[_Lane]) -> _Lane | None:
        while self._refused:
            lane = next(iter(self._refused))
            if lane.only_memory_only or self._queue.ready(lane.name):
                return lane
            if self._queue.head(lane.name) is None:
                self._drop(lane)
                continue
            if len(self._preparing) >= _MAX_PREPARING:
                return None
            # It comes back when it has been read; or when its robots.txt has been asked for, and then it is read.
            del self._refused[lane]
            if lane not in self._preparing and lane not in self._taking_long:
                self._preparing[lane] = now
                unread.append(lane)
        return None

    def _wait(self, now: float, *, more: bool) -> None:
        """Nothing may leave: have the engine ask again when something may, or end the crawl if that is too far off."""
        self._stalled = False
        if not len(self._queue) or self._engine.closing:
            return
        at = now if more else min(self._schedule.wake_at(), self._abandons_at())
        if len(self._preparing) >= _MAX_PREPARING:
            at = min(at, now + _LONG_S)
        ours = self._preparing or self._taking_long or self._pacing.in_flight_requests or self._pacing.asking
        busy = ours or not self._engine.at_rest or self._engine.starting
        if not busy and at > now and (look_at := self._give_up_unresolved(now)):
            self._wake_at(look_at, now)
            return
        busy = ours or not self._engine.at_rest
        if at > now + self._max_idle_s and not busy and not self._is_only_paced(now):
            if self._deferral is not None and self._deferral.update_all():
                self._wake_at(now, now)
                return
            if not self._engine.starting:
                self._end(now)
                return
            # The spider may wait for the queue to be empty before it goes on; that would be too long.
            self._stalled = True
        elif at > now + _TOLD_FROM_S and now >= self._wait_told_until and not busy and not self._engine.starting:
            self._say_what_is_waited_for(now)
        self._wake_at(at, now)

    def _say_what_is_waited_for(self, now: float) -> None:
        waits = [wait for lane in self._lanes.values() for wait in self._waiting_in(lane, now)]
        if not waits:
            return
        first, last = min(waits, key=lambda wait: wait.until), max(waits, key=lambda wait: wait.until)
        self._wait_told_until = last.until
        ends = time.strftime("%H:%M", time.localtime(clock.wall(last.until) + 60))  # what is begun of a minute, too
        logger.info(
            "scrapy-polite: ends at %s at the latest if nothing opens, because only waiting is left, for %s: %s %s%s",
            ends,
            counted(len(waits), "host"),
            printable(first.lane, 60),
            first,
            f"; {printable(last.lane, 60)} {last}" if last is not first else "",
            extra={"spider": self._spider},
        )

    def _is_only_paced(self, now: float) -> bool:
        """Whether a declared delay, or another crawl's turn, is all that keeps some lane for long: that is no idleness.

        Looked for only when nothing opens soon, so that it may cost a look at every lane.
        """
        for lane in self._lanes.values():
            if lane.closed_until or lane.abandoned is not None:
                continue
            if self._deferral is not None and not self._deferral.may_go(lane):
                continue
            opens_at, kept_until = lane.gate.opens_at(now), lane.gate.shut_until(now)
            if self._pacing.store_locked:
                kept_until = max(kept_until, lane.gate.held_until)
            if now < opens_at < math.inf and kept_until <= now + self._max_idle_s:
                if self._at_prompt and opens_at != self._told_until:
                    self._told_until = opens_at
                    left = Waiting(lane.name, self._queue.count(lane.name), opens_at, *lane.gate.why(now))
                    logger.info("scrapy-polite: %s %s", printable(lane.name, 60), left, extra={"spider": self._spider})
                return True
        return False

    def _wake_at(self, at: float, now: float) -> None:
        if at < math.inf and (self._timer is None or at < self._wakes_at or self._wakes_at <= now):
            if self._timer is not None:
                self._timer.cancel()
            self._wakes_at = at
            self._timer = call_later(max(at - now, 0.0) + _WAKE_SLACK_S, self._wake)

    def _wake(self) -> None:
        self._timer = None
        self._wakes_at = math.inf
        self._engine.wake()

    def _end(self, now: float) -> None:
        left = self._deferral.left if self._deferral is not None else 0
        if left and not self._queue.persistent:
            if not self._ending:
                self._ending = True
                _loop.spawn(self._leave_behind()).addErrback(self._told)
        elif not self._queue.persistent:
            self._memory_only_count += len(self._queue)
            self._refuse_memory_only(now)
        elif not self._ending:
            self._ending = True
            queued = len(self._queue)
            reason = self._engine.idle("polite_traps_left" if left == queued else "polite_waiting")
            if len(self._queue) > queued:
                self._engine.wake()
            elif reason and not self._refuse_memory_only(now):
                self._engine.close_spider(reason)
                return
            self._ending = False

    async def _leave_behind(self) -> None:
        """What is left of groups that are followed no further, and that nothing keeps: it is counted and listed."""
        began = time.monotonic()
        for flow, lanes in list(self._deferral.ended()) if self._deferral is not None else ():
            self._say_what_is_left_of(flow)
            for lane in lanes:
                while self._queue.head(lane.name) is not None:
                    entry = self._queue.pop(lane.name)
                    self._queue.done(entry)
                    flow.queued -= 1
                    why = Decision(False, "trap/endless", f"{flow.name}: not followed further")
                    self._events.publish(LinkLeft(str(lane.origin), self._target(entry.request), why))
                    if time.monotonic() - began > _OPENING_STEP_S:
                        await _loop.sleep(0)
                        began = time.monotonic()
                self._drop(lane)
        self._ending = False
        self._engine.wake()

    def _say_what_is_left_of(self, flow: Flow) -> None:
        if self._traps is not None:
            self._traps.left(flow.site.name, flow.name, flow.queued)

    def _say_what_is_left_so_far(self) -> None:
        if self._deferral is None or self._traps is None:
            return
        for flow, _ in self._deferral.ended():
            self._traps.left_so_far(flow.site.name, flow.name, flow.queued)

    def _refuse_memory_only(self, now: float) -> bool:
        """Give up what is queued and would end with the process; False where there is nothing."""
        for lane in list(self._lanes.values()):
            if self._queue.memory_only(lane.name):
                lane.only_memory_only = True
                self._abandon(lane, AbandonReason(self._why_closed(lane, now)))
        if self._refused:
            self._engine.wake()
        return bool(self._refused)

    def _take_up_again(self, lane: _Lane) -> None:
        lane.abandoned = None
        lane.only_memory_only = lane.busy = False
        self._refused.pop(lane, None)
        self._put(lane)

    def _why_closed(self, lane: _Lane, now: float) -> Decision | None:
        """None: its robots.txt is unreachable, and says why."""
        if lane.name in self._unreachable:
            return None
        reason, detail = lane.gate.why(now)
        return Decision(False, reason or "pace/held", detail)

    # Bookkeeping

    def _acknowledge(self) -> None:
        """Tell the queue which requests need not be made again: their callbacks have ended."""
        for request in self._unacknowledged.keys() - self._engine.in_progress:
            self._returning.discard(request)  # a receiver of request_scheduled has dropped it on its way back
            self._queue.done(self._unacknowledged.pop(request))
            flow = self._flows.pop(request, None)
            if flow is not None and self._deferral is not None:
                self._deferral.done(flow)

    def _count(self, stat: str, on_disk: bool, number: int = 1) -> None:
        stats = self.crawler.stats
        stats.inc_value(f"{stat}/disk" if on_disk else f"{stat}/memory", number)
        stats.inc_value(stat, number)

    def _count_dequeued(self) -> None:
        for on_disk, number in enumerate(self._dequeued):
            if number:
                self._count("scheduler/dequeued", bool(on_disk), number)
                self._dequeued[on_disk] = 0

    def _note_unserializable(self, request: Request, codec: Codec) -> None:
        """Count what stays in memory although there is a job directory; say so once. Not if it is the disk's fault."""
        try:
            codec.encode(request, self._spider)
        except ValueError as error:
            stats = self.crawler.stats
            if not stats.get_value("scheduler/unserializable"):
                logger.warning(
                    "Unable to serialize %s: it stays in memory, and is lost if the crawl is stopped; further ones are "
                    "counted (scheduler/unserializable)",
                    printable(str(error), 300),
                    extra={"spider": self._spider},
                )
            stats.inc_value("scheduler/unserializable")

    def _queue_failed(self, error: FrontierError) -> None:
        # While the disk fails it is tried every second.
        if str(error) != self._queue_fault:
            self._queue_fault = str(error)
            logger.error("%s", error, extra={"spider": self.crawler.spider})

    def _queue_recovered(self) -> None:
        self._queue_fault = ""
        logger.info("%s can be written again: nothing is lost", self._queue.description, extra={"spider": self._spider})

    def _told(self, failure: Failure) -> None:
        logger.error("Error in scrapy-polite's scheduler: %s", failure.value, exc_info=failure_to_exc_info(failure))

    def _say_what_is_aside(self) -> None:
        before, aside = self._aside_count, self._queue.set_aside
        self._aside_count = len(aside)
        for request in aside[before:_MAX_ASIDE_SHOWN]:
            logger.warning(
                "Set aside %s: %s",
                f"{request.method} {printable(request.url)}".strip() or "a request",
                printable(request.why, 300),
                extra={"spider": self.crawler.spider},
            )
        if len(aside) > max(before, _MAX_ASIDE_SHOWN):
            logger.warning("Set aside %s requests in all", f"{len(aside):,}", extra={"spider": self.crawler.spider})
        if len(aside) > before:
            self.crawler.stats.inc_value("polite/set_aside", len(aside) - before)

    def _say_what_is_left(self) -> None:
        left, now = len(self._queue), clock.now()
        if not left:
            return
        counts: Counter[str] = Counter()
        waits: dict[str, str] = {}
        for lane in self._lanes.values():
            name = str(LaneName.read(lane.name)._replace(kind=FOUND))
            counts[name] += self._queue.count(lane.name)
            if lane.flow is not None and lane.flow.suspected:
                waits[name] = ", looks endless: see `scrapy polite traps list`"
            else:
                waits[name] = "".join(f", {waiting}" for waiting in self._waiting_in(lane, now))
        lanes = counts.most_common(_MAX_HOSTS_SHOWN)
        shown = ", ".join(f"{printable(name, 60)} ({count:,}{waits[name]})" for name, count in lanes)
        more = f" and {len(counts) - len(lanes):,} more" if len(counts) > len(lanes) else ""
        dropped = min(sum(map(self._queue.memory_only, self._lanes)) + self._queue.lost, left)
        kept = "dropped" if dropped == left else "kept in the job directory"
        if 0 < dropped < left:
            kept = f"{left - dropped:,} of them {kept}, the others dropped"
        logger.info(
            "scrapy-polite: %s left, %s: %s%s",
            counted(left, "request is", "requests are"),
            kept,
            shown,
            more,
            extra={"spider": self.crawler.spider},
        )

    def _say_what_was_not_kept(self) -> None:
        if self._memory_only_count and not self._at_prompt:
            logger.warning(
                "scrapy-polite: nothing opens within POLITE_MAX_IDLE (%g s): %s refused; with JOBDIR they would have "
                "been kept",
                self._max_idle_s,
                counted(self._memory_only_count, "request"),
                extra={"spider": self.crawler.spider},
            )

    def _waiting_in(self, lane: _Lane, now: float) -> Iterator[Waiting]:
        opens_at = max(lane.gate.opens_at(now), lane.closed_until)
        if opens_at > now:
            why = self._why_closed(lane, now) or Decision(False, "robots/unreachable")
            failing_since = self._unreachable.get(lane.name, math.inf)
            abandons_at = min(failing_since + self._give_up_s, self._abandons_gate_at(lane.gate))
            yield Waiting(
                lane.name,
                self._queue.count(lane.name),
                max(min(opens_at, abandons_at), now),
                why.reason,
                why.detail,
                is_abandoned=abandons_at <= opens_at,
            )

    # For the monitor

    @property
    def host_count(self) -> int:
        return len(self._schedule)

    def lanes(self, most: int) -> list[tuple[Gate, float]]:
        """Up to `most` lanes, taken evenly of all: the gate of each, and until when something else keeps it.

        In epoch seconds; infinite while its robots.txt is on its way.
        """
        step = -(-len(self._lanes) // most) or 1
        return [
            (lane.gate, self._kept_until(lane))
            for lane in islice(self._lanes.values(), 0, None, step)
            if self._deferral is None or self._deferral.may_go(lane)
        ]

    def _kept_until(self, lane: _Lane) -> float:
        on_its_way = lane.busy and lane.abandoned is None and self._queue.ready(lane.name)
        return math.inf if on_its_way else lane.closed_until


def _does_not_exist(host: str) -> bool:
    """Whether the resolver says so; that it cannot be reached says nothing of the name."""
    try:
        socket.getaddrinfo(host, None)
    except socket.gaierror as error:
        return error.errno in _NO_SUCH_NAME
    except (OSError, UnicodeError):
        pass
    return False


def _origin_of_lane(name: str) -> Origin | None:
    return None if name.endswith(":") else Origin.from_url(LaneName.read(name).origin)
