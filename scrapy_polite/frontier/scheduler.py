"""Scheduler: Scrapy's scheduler interface over lanes that wait at their host's gate and for their robots.txt.

A request leaves the queue when it may be sent at once, and not before: so no slow host takes another's place in
CONCURRENT_REQUESTS, and what waits is still in the queue, where a stop or a crash cannot lose it.
"""

from __future__ import annotations

import logging
import math
import sys
import time
from collections import OrderedDict, deque
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.core.scheduler import BaseScheduler
from scrapy.utils.asyncio import call_later
from scrapy.utils.job import job_dir
from scrapy.utils.log import failure_to_exc_info
from scrapy.utils.misc import build_from_crawler, load_object
from scrapy.utils.python import global_object_name

from scrapy_polite import _loop
from scrapy_polite._crawl import shared
from scrapy_polite._engine import Engine
from scrapy_polite._pacing import CrawlPacing, GivenUp
from scrapy_polite._robots import PROMPT_WAIT_S, CrawlRobots, at_prompt, duration
from scrapy_polite.decision import Decision
from scrapy_polite.frontier.base import Entry, FrontierError, Queue, Rank
from scrapy_polite.frontier.codec import Codec
from scrapy_polite.frontier.memory import MemoryQueue
from scrapy_polite.frontier.schedule import Lane, Schedule
from scrapy_polite.frontier.sqlite import SqliteQueue
from scrapy_polite.ledger import Ledger, printable
from scrapy_polite.origin import Origin
from scrapy_polite.robots.access import Access, standing
from scrapy_polite.settings import PoliteSettings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.dupefilters import BaseDupeFilter
    from scrapy.settings import BaseSettings
    from twisted.internet.defer import Deferred
    from twisted.python.failure import Failure
    from typing_extensions import Self

    from scrapy_polite._engine import Way
    from scrapy_polite.pacing.gate import Gate
    from scrapy_polite.robots.cache import Held, Key

logger = logging.getLogger(__name__)

#: The order numbers of requests of equal priority, from first to last: what comes back, what is found, start requests.
_BACK, _FOUND, _START = -(2**62), 0, 2**62
#: How long a robots.txt that was found open for a lane is taken for known without looking again, in seconds. The
#: middleware looks again when the request leaves.
_CLEARED_S = 5.0
#: Lanes that are made ready at once, not counting those that have taken long already (a robots.txt that hangs).
_MAX_PREPARING, _LONG_S = 64, 1.0
#: No robots.txt is fetched for longer, whatever its attempts and pauses are set to.
_MAX_ASKING_S = 86_400.0
_MAX_HOSTS_SHOWN = 5
#: Timers may fire a little early.
_WAKE_SLACK_S = 0.001
FILE_NAME = "polite.frontier.sqlite"


@dataclass(frozen=True, slots=True)
class Waiting:
    """`count` requests of a lane that opens at `opens_at` (epoch seconds), and what keeps it closed."""

    lane: str
    count: int
    opens_at: float
    reason: str
    detail: str

    def __str__(self) -> str:
        evidence = f": {printable(self.detail, 80)}" if self.detail else ""
        return f"opens in {duration(self.opens_at - time.time())}, {self.reason}{evidence}"


class _Lane(Lane):
    """A lane with what the scheduler knows of its origin (None: a scheme that has none)."""

    __slots__ = ("asks_of", "busy", "cleared_until", "failing_since", "given_up", "origin")

    def __init__(self, name: str, gate: Gate, origin: Origin | None) -> None:
        super().__init__(name, gate)
        self.origin = origin
        #: Being made ready, or given up: it is not to be put meanwhile.
        self.busy = False
        self.cleared_until = 0.0
        self.failing_since = 0.0
        self.given_up: GivenUp | None = None
        #: The robots.txt copy whose asks the gate has been told.
        self.asks_of: Held | None = None


class Scheduler(BaseScheduler):
    """`SCHEDULER = "scrapy_polite.frontier.Scheduler"`; the add-on sets it where the project sets none.

    Keeps Scrapy's meaning of DUPEFILTER_CLASS, JOBDIR, SCHEDULER_DEBUG, priorities, start requests and stats.
    """

    def __init__(self, crawler: Crawler, dupefilter: BaseDupeFilter, folder: str | None) -> None:
        self.crawler = crawler
        self.df = dupefilter
        self._folder = folder
        self._queue: Queue = MemoryQueue()
        self._schedule: Schedule[_Lane] = Schedule()
        self._lanes: dict[str, _Lane] = {}
        self._refused: deque[_Lane] = deque()
        self._pacing = shared(crawler, CrawlPacing)
        self._robots = shared(crawler, CrawlRobots)
        self._engine = shared(crawler, Engine)
        self._ledger = shared(crawler, Ledger)
        self._settings = settings = shared(crawler, PoliteSettings)
        prompt = at_prompt(sys.orig_argv)
        self._give_up_s = min(settings.give_up, PROMPT_WAIT_S) if prompt else settings.give_up
        self._max_idle_s = min(settings.max_idle, PROMPT_WAIT_S) if prompt else settings.max_idle
        self._depth_first = order_of(crawler.settings) == "depth"
        self._start_last = bool(
            crawler.settings["SCHEDULER_START_DISK_QUEUE" if folder else "SCHEDULER_START_MEMORY_QUEUE"]
        )
        # Beyond the numbers of any earlier run on the same queue.
        self._numbers = count(time.time_ns() // 1_000)
        self._unacknowledged: dict[Request, Entry] = {}
        self._returning: set[Request] = set()
        self._preparing: OrderedDict[str, float] = OrderedDict()
        self._taking_long: set[str] = set()
        self._failing: list[tuple[float, str]] = []
        self._timer: Any = None
        self._wakes_at = math.inf
        self._next: _Lane | None = None
        self._opened = self._ended = False

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
        self._say_what_is_left()
        self._queue.close()
        return self.df.close(reason)

    def has_pending_requests(self) -> bool:
        return len(self._queue) > 0

    def __len__(self) -> int:
        return len(self._queue)

    def enqueue_request(self, request: Request) -> bool:
        if request in self._returning:
            self._take_back(request)
            return True
        if not request.dont_filter and self.df.request_seen(request):
            self.df.log(request, self._spider)
            return False
        lane = self._lane_of(request)
        rank = self._rank(request)
        kept = self._queue.push(lane.name, rank, request)
        self._count("scheduler/enqueued", kept)
        self._pushed(lane, rank)
        return True

    def next_request(self) -> Request | None:
        lane = self._next or self._pick()
        self._next = None
        if lane is None:
            return None
        now = time.time()
        entry = self._queue.pop(lane.name)
        request = entry.request
        self._unacknowledged[request] = entry
        self._pacing.take(request, lane.gate, lane.origin, now, lane.given_up)
        self._count("scheduler/dequeued", entry.id is not None)
        if lane.given_up is None:
            waited_s = self._schedule.waited_s(lane, now)
            if waited_s and lane.origin is not None:
                self._ledger.wait_at_gate(lane.origin, waited_s)
            self._schedule.served(lane)
            self._put(lane)
        elif self._queue.head(lane.name) is None:
            self._refused.remove(lane)
            self._drop(lane)
        return request

    # For the middlewares

    def give_back(self, request: Request) -> bool:
        """Whether `request` may come back to its queue: to be called by whoever then returns it to the engine.

        It goes ahead of its equals, past the dupefilter, and counts as never sent. False for a request that this
        scheduler has not let go, which would come back to whoever asked for it, at once and for ever.
        """
        if request not in self._unacknowledged:
            return False
        self._returning.add(request)
        return True

    # Lanes

    async def _open(self, spider: Spider) -> None:
        self._spider = spider
        if self._folder is not None:
            self._queue = SqliteQueue(
                Path(self._folder) / FILE_NAME, Codec(pickle=True), spider, on_error=self._queue_failed
            )
            if hasattr(self.df, "visited"):
                self.df.visited = self._queue.seen_or_add
        states = await _loop.from_thread(self._queue.open())
        await self._pacing.loaded()
        for state in states:
            self._put(self._lane(state.lane, _origin_of_lane(state.lane)))
        if states:
            logger.info(
                "Resuming crawl (%(queuesize)d requests scheduled)",
                {"queuesize": len(self._queue)},
                extra={"spider": spider},
            )
        for aside in self._queue.set_aside:
            logger.warning(
                "Set aside %s %s: %s", aside.method, printable(aside.url), aside.why, extra={"spider": spider}
            )
        self._pacing.moved = self._moved
        self._pacing.give_back = self.give_back
        self._pacing.has_scheduler = True
        if not self._pacing.minded:
            logger.warning(
                "scrapy_polite.frontier.Scheduler needs scrapy_polite's PacingMiddleware, at 950 of "
                "DOWNLOADER_MIDDLEWARES: without it no host is given time",
                extra={"spider": spider},
            )
        self._engine.hold_back_while(self._waits)
        self._opened = True
        opening = self.df.open()
        if opening is not None:
            await _loop.awaitable(opening)

    def _lane_of(self, request: Request) -> _Lane:
        url = self._settings.target_url(request) if self._settings.target_url else request.url
        try:
            origin: Origin | None = Origin.from_url(url)
        except ValueError:
            origin = None
        return self._lane(str(origin) if origin else url.partition(":")[0] + ":", origin)

    def _lane(self, name: str, origin: Origin | None) -> _Lane:
        lane = self._lanes.get(name)
        if lane is None:
            gate = self._pacing.gate(origin, name.rstrip(":"))
            gate.lanes += 1
            lane = self._lanes[name] = _Lane(name, gate, origin)
            self._schedule.add(lane)
            if self._has_failed_too_long(gate, time.time()):
                self._give_up(lane, GivenUp(error=self._pacing.errors.get(gate.key)))
        return lane

    def _pushed(self, lane: _Lane, rank: Rank) -> None:
        if not lane.busy and self._queue.head(lane.name) == rank:
            self._put(lane)

    def _put(self, lane: _Lane) -> None:
        """Let the schedule know the lane's head; a lane that is empty is forgotten."""
        head = self._queue.head(lane.name)
        if head is not None:
            self._schedule.put(lane, head)
        else:
            self._drop(lane)

    def _drop(self, lane: _Lane) -> None:
        self._schedule.remove(lane)
        del self._lanes[lane.name]
        lane.gate.lanes -= 1
        self._pacing.gates.release(lane.gate, time.time())

    def _rank(self, request: Request) -> Rank:
        number = next(self._numbers)
        if self._start_last and request.meta.get("is_start_request"):
            return -request.priority, _START + number
        return -request.priority, _FOUND + (-number if self._depth_first else number)

    def _take_back(self, request: Request) -> None:
        self._returning.discard(request)
        entry = self._unacknowledged.pop(request)
        rank = (-request.priority, _BACK + next(self._numbers))
        self._queue.give_back(entry, rank)
        self.crawler.stats.inc_value("polite/returned")
        lane = self._lane(entry.lane, _origin_of_lane(entry.lane))
        lane.cleared_until = 0.0
        self._pushed(lane, rank)

    # What goes next

    def _waits(self) -> bool:
        """Whether something is queued, of which nothing may leave."""
        if not self._opened or not len(self._queue):
            return False
        if self._next is None:
            self._next = self._pick()
        return self._next is None

    def _pick(self) -> _Lane | None:
        """The lane whose head is to leave now; None where nothing may: then the engine is woken in time."""
        now = time.time()
        self._acknowledge()
        self._pacing.reconcile(now)
        for lane in self._schedule.due(now):
            self._put(lane)
        self._give_up_failed(now)
        unread: list[_Lane] = []
        found = self._refusable(unread)
        while found is None and self._may_prepare(now):
            picked = self._schedule.pick(now)
            if picked is None:
                break
            found = self._ready(picked, now, unread)
        if unread:
            _loop.spawn(self._fetch(unread)).addErrback(self._told)
        if found is None:
            self._wait(now)
        return found

    def _ready(self, lane: _Lane, now: float, unread: list[_Lane]) -> _Lane | None:
        """The lane that was picked, if its head may leave; else it has been put where it does not come up again."""
        if self._moves(lane):
            return None
        if not self._queue.ready(lane.name):
            self._prepare(lane, now)
            unread.append(lane)
            return None
        if not self._robots_open(lane, now):
            return None
        if lane.gate.refuses(now):
            self._give_up(lane, GivenUp(Decision(False, "pace/budget", str(lane.gate.budget))))
            return lane
        if self._pacing.waited_for_in_place(lane.gate) or not self._pacing.has_turn(lane.gate, now):
            self._schedule.pass_over(lane)
            return None
        return lane

    def _moves(self, lane: _Lane) -> bool:
        """Follow a host whose address has been learned to the gate of that address."""
        before = lane.gate
        if lane.origin is None or self._pacing.key(lane.origin) == before.key:
            return False
        gate = self._pacing.gate(lane.origin)
        gate.lanes += 1
        self._schedule.move(lane, gate)
        before.lanes -= 1
        self._pacing.gates.release(before, time.time())
        lane.asks_of = None
        self._put(lane)
        return True

    # Making a lane ready

    def _may_prepare(self, now: float) -> bool:
        while self._preparing and next(iter(self._preparing.values())) < now - _LONG_S:
            self._taking_long.add(self._preparing.popitem(last=False)[0])
        return len(self._preparing) < _MAX_PREPARING

    def _prepare(self, lane: _Lane, now: float) -> None:
        lane.busy = True
        self._schedule.set_aside(lane)
        self._preparing[lane.name] = now

    def _prepared(self, lane: _Lane) -> None:
        self._preparing.pop(lane.name, None)
        self._taking_long.discard(lane.name)
        lane.busy = lane.given_up is not None
        if not lane.busy:
            self._put(lane)
        self._engine.wake()

    async def _fetch(self, lanes: list[_Lane]) -> None:
        try:
            await _loop.from_thread(self._queue.fetch([lane.name for lane in lanes]))
        except FrontierError as error:
            self._queue_failed(error)
        finally:
            for lane in lanes:
                self._prepared(lane)

    def _robots_open(self, lane: _Lane, now: float) -> bool:
        """Whether the lane's robots.txt is known and lets it go; otherwise it has been set aside or closed."""
        if lane.cleared_until > now or not self._robots.obeyed or lane.origin is None:
            return True
        request = self._queue.peek(lane.name)
        policy = self._settings.sites.policy(lane.origin).robots
        if policy == "ignore" or request.meta.get("dont_obey_robotstxt"):
            return True
        key = self._robots.key(lane.origin, request)
        held = self._robots.cache.look(key)
        if held is None:
            self._prepare(lane, now)
            target = self._settings.target_url(request) if self._settings.target_url else request.url
            asking = self._ask(lane, key, self._robots.way(request, target), closes=policy == "obey")
            _loop.spawn(asking).addErrback(self._told)
            return False
        return self._heed(lane, held, now, closes=policy == "obey")

    async def _ask(self, lane: _Lane, key: Key, way: Way, *, closes: bool) -> None:
        try:
            held = await self._robots.known(key, way, time.time() + _MAX_ASKING_S, patient=False)
            if held is not None and lane.given_up is None:
                lane.busy = False
                self._heed(lane, held, time.time(), closes=closes)
        finally:
            if lane.closed_until and lane.given_up is None:
                self._preparing.pop(lane.name, None)
                self._taking_long.discard(lane.name)
                self._engine.wake()
            else:
                self._prepared(lane)

    def _heed(self, lane: _Lane, held: Held, now: float, *, closes: bool) -> bool:
        """Tell the gate what the robots.txt asks; close the lane where it is unreachable. Whether it stays open."""
        gate = lane.gate
        if held is not lane.asks_of and lane.origin is not None:
            lane.asks_of = held
            self._pacing.learned(gate, lane.origin, held.rules)
        if not closes or standing(held.copy, now, held.policy).access is not Access.CLOSED:
            lane.failing_since = 0.0
            lane.cleared_until = now + _CLEARED_S
            return gate.opens_at(now) <= now
        lane.failing_since = lane.failing_since or now
        gives_up_at = lane.failing_since + self._give_up_s
        if now >= gives_up_at:
            self._give_up(lane, GivenUp())
        else:
            self._schedule.close(lane, min(held.copy.due_at, gives_up_at))
        return False

    # Waiting, and its end

    def _moved(self, gate: Gate) -> None:
        self._next = None
        self._schedule.moved(gate)
        if gate.backoff is not None and gate.backoff.failing_since is not None:
            heappush(self._failing, (gate.backoff.failing_since + self._give_up_s, gate.key))
        if self._schedule.lanes_at(gate.key):
            self._engine.wake()

    def _has_failed_too_long(self, gate: Gate, now: float) -> bool:
        since = gate.backoff.failing_since if gate.backoff else None
        return since is not None and now >= since + self._give_up_s and gate.opens_at(now) > now

    def _give_up_failed(self, now: float) -> None:
        """Give up the lanes of hosts to which connections have failed for too long."""
        while self._failing and self._failing[0][0] <= now:
            _, key = heappop(self._failing)
            gate = self._pacing.gates.peek(key)
            if gate is not None and self._has_failed_too_long(gate, now):
                for lane in self._schedule.lanes_at(key):
                    self._give_up(lane, GivenUp(error=self._pacing.errors.get(key)))

    def _give_up(self, lane: _Lane, why: GivenUp) -> None:
        """From now on the lane's requests leave the queue, to be refused."""
        if lane.given_up is None:
            lane.given_up = why
            lane.busy = True
            self._schedule.set_aside(lane)
            self._refused.append(lane)

    def _refusable(self, unread: list[_Lane]) -> _Lane | None:
        for _ in range(len(self._refused)):
            lane = self._refused[0]
            if self._queue.head(lane.name) is None:
                self._refused.popleft()
                self._drop(lane)
            elif self._queue.ready(lane.name):
                return lane
            else:
                self._refused.rotate(-1)
                if lane.name not in self._preparing and lane.name not in self._taking_long:
                    self._preparing[lane.name] = time.time()
                    unread.append(lane)
        return None

    def _wait(self, now: float) -> None:
        """Nothing may leave: have the engine ask again when something may, or end the crawl if that is too far off."""
        if not len(self._queue) or self._engine.closing:
            return
        at = self._schedule.wake_at()
        if self._failing:
            at = min(at, self._failing[0][0])
        if self._preparing and len(self._preparing) >= _MAX_PREPARING:
            at = min(at, now + _LONG_S)
        busy = self._preparing or self._taking_long or self._pacing.passes or self._pacing.asking
        idle = not busy and self._engine.at_rest
        if idle and at > now + self._max_idle_s:
            self._end(now)
        elif at < math.inf and (self._timer is None or at < self._wakes_at or self._wakes_at <= now):
            if self._timer is not None:
                self._timer.cancel()
            self._wakes_at = at
            self._timer = call_later(max(at - now, 0.0) + _WAKE_SLACK_S, self._wake)

    def _wake(self) -> None:
        self._timer = None
        self._wakes_at = math.inf
        self._engine.wake()

    def _end(self, now: float) -> None:
        if self._queue.persistent:
            if not self._ended:
                self._ended = True
                self._engine.close_spider("polite_waiting")
            return
        for lane in list(self._lanes.values()):
            if lane.closed_until:
                self._give_up(lane, GivenUp())
            else:
                reason, detail = lane.gate.why(now)
                self._give_up(lane, GivenUp(Decision(False, reason or "pace/held", detail)))
        self._engine.wake()

    # Bookkeeping

    def _acknowledge(self) -> None:
        """Tell the queue which requests need not be made again: their callbacks have ended."""
        if len(self._unacknowledged) <= len(self._returning):
            return
        for request in self._unacknowledged.keys() - self._engine.in_progress - self._returning:
            self._queue.done(self._unacknowledged.pop(request))

    def _count(self, stat: str, on_disk: bool) -> None:
        stats = self.crawler.stats
        stats.inc_value(f"{stat}/disk" if on_disk else f"{stat}/memory")
        stats.inc_value(stat)

    def _queue_failed(self, error: FrontierError) -> None:
        logger.error("%s", error, extra={"spider": self.crawler.spider})

    def _told(self, failure: Failure) -> None:
        logger.error("Error in scrapy-polite's scheduler: %s", failure.value, exc_info=failure_to_exc_info(failure))

    def _say_what_is_left(self) -> None:
        left = len(self._queue)
        if not left:
            return
        opens = {waiting.lane: waiting for waiting in self.waiting(time.time())}
        lanes = sorted(((self._queue.count(name), name) for name in self._lanes), reverse=True)
        shown = ", ".join(
            f"{printable(name, 60)} ({number:,}{f', {opens[name]}' if name in opens else ''})"
            for number, name in lanes[:_MAX_HOSTS_SHOWN]
        )
        more = f" and {len(lanes) - _MAX_HOSTS_SHOWN:,} more" if len(lanes) > _MAX_HOSTS_SHOWN else ""
        kept = "kept in the job directory" if self._queue.persistent else "dropped"
        logger.info(
            "scrapy-polite: %s requests are left, %s: %s%s",
            f"{left:,}",
            kept,
            shown,
            more,
            extra={"spider": self.crawler.spider},
        )

    def waiting(self, now: float) -> Iterator[Waiting]:
        """What is queued for hosts that are kept waiting."""
        for lane in self._lanes.values():
            opens_at = max(lane.gate.opens_at(now), lane.closed_until)
            if opens_at > now:
                yield Waiting(
                    lane.name,
                    self._queue.count(lane.name),
                    opens_at,
                    *(("robots/unreachable", "") if lane.closed_until else lane.gate.why(now)),
                )

    @property
    def host_count(self) -> int:
        return len(self._schedule)


def _origin_of_lane(name: str) -> Origin | None:
    return None if name.endswith(":") else Origin.from_url(name)


def order_of(settings: BaseSettings) -> str:
    """`breadth` or `depth`: POLITE_ORDER, else what the project's own choice of Scrapy's queue classes means."""
    order: str | None = settings["POLITE_ORDER"]
    if order is None:
        name = "SCHEDULER_DISK_QUEUE" if settings["JOBDIR"] else "SCHEDULER_MEMORY_QUEUE"
        own = settings.getpriority(name) or 0
        order = "depth" if own and "lifo" in _name(settings[name]).lower() else "breadth"
    return order


def _name(path: object) -> str:
    return str(path if isinstance(path, str) else global_object_name(path)).rpartition(".")[2]
