"""A queue on a Redis or Valkey server that many processes share: an implementation of `frontier.queue.Queue`.

Nothing here waits for the server: what is asked for goes out by way of a `Link`, and what has come back is read by
`events`. A process has the hosts that are leased to it, all of them with one lease; when that has ended, or others have
cleared up after it, nothing leaves any more until it has a new one.
"""

from __future__ import annotations

import logging
import math
import time
from concurrent.futures import Future
from typing import TYPE_CHECKING, cast

from scrapy_polite.frontier.queue import DeadLetter, Entry, LaneState, PushResult, QueueEvent, Rank, Totals, Unwritable
from scrapy_polite.frontier.redis import names
from scrapy_polite.frontier.redis.futures import resolve
from scrapy_polite.frontier.redis.hosts import LeasedHosts
from scrapy_polite.frontier.redis.inbox import READ_S, Inbox
from scrapy_polite.frontier.redis.lanes import Item
from scrapy_polite.frontier.redis.link import Link
from scrapy_polite.frontier.redis.operations import Operation, print_of
from scrapy_polite.frontier.redis.payload import unpacked
from scrapy_polite.frontier.redis.prints import KnownPrints
from scrapy_polite.frontier.redis.reads import READ, Reads
from scrapy_polite.frontier.redis.taken import TakenRequests, Token
from scrapy_polite.text import duration

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from scrapy import Request, Spider

    from scrapy_polite.frontier.codec import Codec
    from scrapy_polite.frontier.redis.session import Greeting, Session

logger = logging.getLogger(__name__)

#: From so many requests that are here a new host comes with one only.
_MANY_HELD = 10_000


class RedisQueue:
    """`stays`: the crawl does not end when nothing is left, but waits for what others push."""

    persistent = True
    shared = True

    def __init__(self, session: Session, codec: Codec, spider: Spider | None, *, stays: bool = False) -> None:
        self._process = session
        self.description = session.description
        self._lease_s = session.lease_s
        self._codec = codec
        self._spider = spider
        self._stays = stays
        self._events: list[QueueEvent] = []
        self._link = Link(session, self._told)
        self._taken = TakenRequests(self._link)
        self._hosts = LeasedHosts(self._taken, self._events)
        self._lanes = self._hosts.lanes
        self._reads = Reads(self._link)
        self._prints = KnownPrints()
        self._inbox = Inbox(
            self._link, self._hosts, self._taken, self._reads, self._prints, self._events, (codec, spider)
        )
        self._news: Future[None] | None = None
        self._closed = False

    # The job

    @property
    def job(self) -> str:
        return self._process.name

    def open(self) -> Future[list[LaneState]]:
        future: Future[list[LaneState]] = Future()

        def opened(greeting: Future[Greeting]) -> None:
            if (error := greeting.exception()) is not None:
                future.set_exception(error)
            else:
                self._greeted(greeting.result())
                future.set_result([])

        self._link.start().add_done_callback(opened)
        return future

    def _greeted(self, greeting: Greeting) -> None:
        for warning in greeting.warnings:
            self._log(logging.WARNING, "%s: %s", self.description, warning)
        if greeting.ended_ago_s is not None:
            self._log(
                logging.INFO,
                "%s ended %s ago: this process waits for nothing. Started later than %s after its end, it begins a new "
                "run; `scrapy polite drop` forgets what was visited",
                self.description,
                duration(greeting.ended_ago_s),
                duration(self._lease_s),
            )

    def _log(self, level: int, text: str, *values: object) -> None:
        logger.log(level, text, *values, extra={"spider": self._spider})

    def begin_start(self) -> Future[bool]:
        future: Future[bool] = Future()

        def told(begins: Future[bool]) -> None:
            if begins.result():
                self._prints.begin_start()
            resolve(future, begins.result())

        self._link.begin_start().add_done_callback(told)
        return future

    def end_start(self) -> None:
        self._prints.end_start()
        self._taken.tell("E")

    @property
    def ended(self) -> bool:
        self._inbox.read()
        facts, totals = self._inbox.facts, self._inbox.totals
        if self._stays or not facts or self._taken.alone_in_flight or self._lanes.length or not self._link.quiet:
            return False
        if totals.in_flight or self._inbox.starting:
            return False
        opening, owned, gone = facts[4], facts[5], facts[7]
        return not totals.queued or not (self._inbox.facts_are_old or opening or owned or gone)

    @property
    def quiet(self) -> bool:
        return self._link.quiet and not self._events

    @property
    def paused(self) -> bool:
        facts = self._inbox.facts
        return bool(facts and facts[6])

    def totals(self) -> Totals:
        return self._inbox.totals

    def events(self) -> Sequence[QueueEvent]:
        # At the end there is no next time.
        self._inbox.read(renames=True, within_s=math.inf if self._closed else READ_S)
        self._hosts.release_empty()
        events = self._events.copy()
        self._events.clear()
        return events

    def news(self) -> Future[None]:
        future: Future[None] = Future()
        self._news = future
        if self._link.answers or self._closed:
            self._told()
        return future

    def close(self) -> Future[None]:
        if not self._closed:
            self._closed = True
            self._inbox.read(renames=True, within_s=math.inf)
            self._hosts.give_all_back()
            self._reads.let_go()
        return self._link.end()

    @property
    def lost(self) -> int:
        return self._link.lost

    def _told(self) -> None:
        """In either thread."""
        future, self._news = self._news, None
        if future is not None:
            resolve(future, None)

    # Hosts

    def claim(self, hosts: int, ahead_s: float) -> None:
        self._link.claim(hosts, ahead_s, READ if self._lanes.held < _MANY_HELD else 1)

    def release(self, host: str, wait_s: float) -> None:
        self._hosts.release(host, wait_s)

    def note(self, host: str, note: bytes) -> None:
        if host in self._hosts:
            self._taken.tell("N", host, note)

    def notes(self) -> list[tuple[str, bytes]]:
        return []  # they come with their hosts

    # Requests

    def push(
        self, lane: str, rank: Rank, request: Request, *, host: str = "", fingerprint: bytes | None = None
    ) -> PushResult:
        mark: int | str = ""
        if fingerprint is not None:
            mark = print_of(fingerprint)
            if mark in self._prints:
                return PushResult.SEEN
            self._prints.add(mark)
        try:
            encoded = self._codec.encode(request, self._spider)
        except ValueError as error:
            self._events.append(Unwritable(str(error)))
            item = Item(0, "", b"", b"", 0, request)
            self._lanes.keep(lane, names.class_of(lane, rank), item)
            if isinstance(mark, int):
                self._prints.withhold(item, mark)
            return PushResult.MEMORY_ONLY
        if fingerprint is None and self._prints.in_start and request.meta.get("is_start_request"):
            mark = self._prints.of_start(encoded)
        host = host or lane.partition(" ")[0]
        self._link.starving = not self._lanes.length
        self._link.add(Operation.push(host, lane, rank, request, encoded, mark, self._taken.generation))
        return PushResult.UNKNOWN

    def head(self, lane: str) -> Rank | None:
        return self._lanes.head(lane)

    def ready(self, lane: str) -> bool:
        self._inbox.read()
        return self._first(lane) is not None

    def peek(self, lane: str) -> Request:
        return cast("Request", self._head_here(lane).request)

    def fetch(self, lanes: Collection[str]) -> Future[None]:
        self._inbox.read()
        return self._reads.ask_all(() if self._closed else (key for lane in lanes for key in self._lanes.wanted(lane)))

    def pop(self, lane: str) -> Entry:
        item = self._head_here(lane)
        rank = self._lanes.first_rank(lane)
        self._lanes.pop(lane)
        for key in () if self._closed else self._lanes.short(lane, self._reads.usual(item) // 2):
            self._reads.ask(key)
        return self._popped(lane, rank, item)

    def memory_only(self, lane: str) -> int:
        return self._lanes.here_alone(lane)

    def pop_memory_only(self, lane: str) -> Entry:
        return self._popped(lane, (0, 0), self._lanes.pop_here_alone(lane))

    def _popped(self, lane: str, rank: Rank, item: Item) -> Entry:
        token = self._taken.pop(item)
        if not item.is_here_alone:
            self._lanes.flies(item.host, 1, 0.0)
            self._lanes.settle(item.host, 0.0)
        return Entry(lane, rank, cast("Request", item.request), item.deaths + 1, not item.is_here_alone, token)

    def _landed(self, item: Item) -> None:
        self._lanes.flies(item.host, -1, time.monotonic())

    def _head_here(self, lane: str) -> Item:
        if (item := self._first(lane)) is None:
            raise LookupError(f"the head of {lane} is not here")
        return item

    def _first(self, lane: str) -> Item | None:
        """The head, if it is here, with its request; what cannot be read is set aside."""
        while (item := self._lanes.first(lane)) is not None:
            if item.request is not None:
                return item
            try:
                if lane == names.UNREADABLE:
                    raise ValueError("no queue of this version has such a name")
                item.request = self._codec.decode(unpacked(item.body, lane), self._spider)
            except ValueError as error:
                self._lanes.pop(lane)
                self._lanes.settle(item.host, time.monotonic())
                key = f"q:{item.host} {item.queue.decode(errors='replace')}"
                self._events.append(DeadLetter("", "", f"in the key {key}, cannot be read: {error}"))
                self._taken.set_aside(item)
            else:
                item.body = b""
                return item
        return None

    def may_send(self, entry: Entry) -> bool:
        token = _token(entry)
        if token.item.is_here_alone:
            return True
        return self._taken.holds(token) and self._link.may_send and token.item.host in self._hosts

    def mark_sent(self, entry: Entry) -> Future[None]:
        return self._taken.sent(_token(entry))

    def done(self, entry: Entry) -> None:
        token = _token(entry)
        self._taken.done(token)
        if token.item.is_here_alone:
            if (print_ := self._prints.withheld(token.item)) is not None:
                self._taken.tell("V", print_)
        elif token.generation == self._taken.generation:
            self._landed(token.item)

    def give_back(self, entry: Entry, rank: Rank) -> None:
        token = _token(entry)
        item, cls = token.item, names.class_of(entry.lane, rank)
        item.request = entry.request
        if not item.is_here_alone and not self._taken.holds(token):
            return
        self._taken.unpop(token)
        if item.is_here_alone:
            self._lanes.keep(entry.lane, cls, item)
        elif item.host in self._hosts:
            self._lanes.keep(entry.lane, cls, item)
            self._landed(item)
        else:
            self._taken.give_back([item])

    @property
    def behind(self) -> bool:
        facts = self._inbox.facts
        return self._link.behind or not self._link.may_send or bool(facts and facts[6])

    def __len__(self) -> int:
        return self._lanes.length

    def count(self, lane: str) -> int:
        return self._lanes.count(lane)

    # What was visited

    def has_seen(self, fingerprint: bytes) -> bool:
        return print_of(fingerprint) in self._prints

    def mark_seen(self, fingerprint: bytes) -> None:
        print_ = print_of(fingerprint)
        if print_ not in self._prints:
            self._prints.add(print_)
            self._taken.tell("V", print_)

    @property
    def visited_count(self) -> int:
        return self._inbox.visited_count


def _token(entry: Entry) -> Token:
    return cast("Token", entry.id)
