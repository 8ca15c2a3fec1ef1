"""A queue on a Redis or Valkey server that many processes share: an implementation of `frontier.queue.Queue`.

Nothing here waits for the server: what is asked for goes out by way of a `Link`, and what has come back is read by
`events`. A process has the hosts that are leased to it, all of them with one lease; when that has ended, or others have
cleared up after it, nothing leaves any more until it has a new one.
"""

from __future__ import annotations

import logging
import math
import time
from collections import Counter, OrderedDict
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from scrapy_polite.frontier.queue import (
    DeadLetter,
    Duplicate,
    Entry,
    HostCame,
    HostWanted,
    LaneCame,
    LaneState,
    LaneWent,
    PushResult,
    QueueEvent,
    QueueFailed,
    QueueLost,
    QueueRecovered,
    Rank,
    Totals,
    Unwritable,
)
from scrapy_polite.frontier.redis import names
from scrapy_polite.frontier.redis.answers import Applied, Failing, Lost, Recalled, Renamed, Taken, Working
from scrapy_polite.frontier.redis.lanes import Item, LeasedLanes
from scrapy_polite.frontier.redis.letters import letter_of
from scrapy_polite.frontier.redis.link import Link
from scrapy_polite.frontier.redis.operations import Operation, Print
from scrapy_polite.text import duration

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from scrapy import Request, Spider

    from scrapy_polite.frontier.codec import Codec
    from scrapy_polite.frontier.redis.operations import Argument
    from scrapy_polite.frontier.redis.session import Greeting, Session

logger = logging.getLogger(__name__)

#: Operations after which the server knows a request that was taken no more.
_ENDINGS = frozenset("DBA")
#: Requests read of a queue at first and at most: a queue that is soon read again has twice as many. From so many that
#: are here a new host comes with one only.
_READ, _MOST_READ, _MANY_HELD = 8, 128, 10_000
#: Of queues whose last request goes first: what is here goes before what comes later.
_READ_LAST_FIRST = 2
_SOON_S = 1.0
#: A host of which nothing is left is kept for so long: what its last pages bring may be of it.
_LINGER_S = 2.0
#: Fingerprints of which this process knows that they were seen.
_MAX_KNOWN = 200_000
#: For so long what has come back is read at a time: the loop is not to be held.
_LOAD_S = 0.002
_T = TypeVar("_T")


class _Token(NamedTuple):
    """The `id` of an entry: the request's number, and the name of this process under which it was taken."""

    number: int
    generation: int
    item: Item


class RedisQueue:
    """`stays`: the crawl does not end when nothing is left, but waits for what others push."""

    persistent = True
    shared = True

    def __init__(self, session: Session, codec: Codec, spider: Spider | None, *, stays: bool = False) -> None:
        self.description = f"job {session.job} on {session.url.shown}"
        self._lease_s = session.lease_s
        self._codec = codec
        self._spider = spider
        self._stays = stays
        self._link = Link(session, self._told)
        self._lanes = LeasedLanes()
        self._events: list[QueueEvent] = []
        self._generation = 1
        self._totals = Totals(0, 0)
        self._facts: Sequence[int] = ()
        #: Something has been queued since these were told.
        self._facts_are_old = False
        self._starting = False
        self._visited_count = 0
        #: Fingerprints that are known, and those of requests that are here alone until they are done.
        self._known: OrderedDict[int, None] = OrderedDict()
        self._withheld: dict[int, bytes] = {}
        #: Numbers of requests that are in flight, or over without the server having said so.
        self._popped: set[int] = set()
        self._ending: set[int] = set()
        #: Of these the server knows no more: it has lost that they were taken, and hands them out again.
        self._void: set[int] = set()
        self._alone_in_flight = 0
        #: What is being read, and the most that was read of it last, and when.
        self._reading: set[tuple[str, bytes]] = set()
        self._reads: dict[tuple[str, bytes], tuple[int, float]] = {}
        self._fetches: list[tuple[set[tuple[str, bytes]], Future[None]]] = []
        self._wanted: set[str] = set()
        #: Start requests that pass no filter, by their content: how many of each there have been.
        self._start_counts: Counter[bytes] | None = None
        self._news: Future[None] | None = None
        self._closed = False
        self._readers: dict[type, Callable[[Any], object]] = {
            Applied: self._applied,
            Taken: self._taken,
            Recalled: self._recalled,
            Renamed: self._renamed,
            Failing: lambda answer: self._events.append(QueueFailed(answer.error)),
            Working: lambda _: self._events.append(QueueRecovered()),
            Lost: lambda answer: self._events.append(QueueLost(answer.error)),
        }

    # The job

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
                self._start_counts = Counter()
            _resolve(future, begins.result())

        self._link.begin_start().add_done_callback(told)
        return future

    def end_start(self) -> None:
        self._start_counts = None
        self._add("E")

    @property
    def ended(self) -> bool:
        self._load()
        facts = self._facts
        if self._stays or not facts or self._alone_in_flight or self._lanes.length or not self._link.quiet:
            return False
        if self._totals.in_flight or self._starting:
            return False
        opening, owned, gone = facts[4], facts[5], facts[7]
        return not self._totals.queued or not (self._facts_are_old or opening or owned or gone)

    def totals(self) -> Totals:
        return self._totals

    def events(self) -> Sequence[QueueEvent]:
        self._load(renames=True)
        self._release_empty()
        events, self._events = self._events, []
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
            self._load(renames=True, within_s=math.inf)
            for host in list(self._lanes.hosts):
                self._give_back_items(self._lanes.items_of(host))
            self._let_go()
        return self._link.end()

    @property
    def lost(self) -> int:
        return self._link.lost

    def _told(self) -> None:
        """In either thread."""
        future, self._news = self._news, None
        if future is not None:
            _resolve(future, None)

    # Hosts

    def claim(self, hosts: int, ahead_s: float) -> None:
        self._link.claim(hosts, ahead_s, _READ if self._lanes.held < _MANY_HELD else 1)

    def release(self, host: str, wait_s: float) -> None:
        self._wanted.discard(host)
        if host not in self._lanes.hosts:
            return
        went, items = self._lanes.part(host)
        self._give_back_items(items)
        self._add("R", host, int(wait_s * 1e6))
        self._events += [LaneWent(state.lane, state.count) for state in went]
        self._events += [LaneCame(state) for state in self._lanes.left_in(state.lane for state in went)]

    # Requests

    def push(
        self, lane: str, rank: Rank, request: Request, *, host: str = "", fingerprint: bytes | None = None
    ) -> PushResult:
        mark: tuple[Argument, Argument] = ("", "")
        if fingerprint is not None:
            print_ = Print.of(fingerprint)
            if print_.value in self._known:
                return PushResult.SEEN
            self._remember(print_.value)
            mark = print_
        cls = names.class_of(lane, rank)
        try:
            encoded = self._codec.encode(request, self._spider)
        except ValueError as error:
            self._events.append(Unwritable(str(error)))
            item = Item(0, "", b"", b"", 0, request)
            self._lanes.keep(lane, cls, item)
            if fingerprint is not None:
                self._withheld[id(item)] = fingerprint
            return PushResult.MEMORY_ONLY
        if fingerprint is None and self._start_counts is not None and request.meta.get("is_start_request"):
            self._start_counts[encoded] += 1
            mark = (Print.of(b"%d %s" % (self._start_counts[encoded], encoded)).value, "")
        host = host or lane.partition(" ")[0]
        end = "F" if cls.last_first else "B"
        arguments = ("P", host, names.written(host, lane, cls), end, *mark, b"0" + encoded)
        self._link.add(Operation(arguments, self._generation, request))
        return PushResult.UNKNOWN

    def head(self, lane: str) -> Rank | None:
        return self._lanes.head(lane)

    def ready(self, lane: str) -> bool:
        self._load()
        return self._first(lane) is not None

    def peek(self, lane: str) -> Request:
        item = self._first(lane)
        if item is None or item.request is None:
            raise LookupError(f"the head of {lane} is not here")
        return item.request

    def fetch(self, lanes: Collection[str]) -> Future[None]:
        self._load()
        future: Future[None] = Future()
        wanted = {key for lane in lanes for key in self._lanes.wanted(lane)}
        for key in wanted:
            self._read(*key)
        if wanted and not self._closed:
            self._fetches.append((wanted, future))
        else:
            future.set_result(None)
        return future

    def pop(self, lane: str) -> Entry:
        item = self._first(lane)
        if item is None or item.request is None:
            raise LookupError(f"the head of {lane} is not here")
        rank = self._lanes.first_rank(lane)
        self._lanes.pop(lane)
        for key in self._lanes.short(lane, self._most(item) // 2):
            self._read(*key)
        return self._popped_entry(lane, rank, item)

    def memory_only(self, lane: str) -> int:
        return self._lanes.here_alone(lane)

    def pop_memory_only(self, lane: str) -> Entry:
        return self._popped_entry(lane, (0, 0), self._lanes.pop_here_alone(lane))

    def may_send(self, entry: Entry) -> bool:
        token = _token(entry)
        if token.item.is_here_alone:
            return True
        return self._holds(token) and self._link.may_send and token.item.host in self._lanes.hosts

    def mark_sent(self, entry: Entry) -> Future[None]:
        future: Future[None] = Future()
        token = _token(entry)
        if token.item.is_here_alone or not self._holds(token):
            future.set_result(None)
        else:
            self._add("X", token.number, number=token.number, future=future)
        return future

    def done(self, entry: Entry) -> None:
        token = _token(entry)
        if token.item.is_here_alone:
            self._alone_in_flight -= 1
            self._note_withheld(token.item)
        elif token.generation == self._generation:
            if self._holds(token):
                self._ends(token.number)
                self._add("D", token.number, number=token.number)
            self._void.discard(token.number)
            self._landed(token.item)

    def give_back(self, entry: Entry, rank: Rank) -> None:
        token = _token(entry)
        item, cls = token.item, names.class_of(entry.lane, rank)
        item.request = entry.request
        if item.is_here_alone:
            self._alone_in_flight -= 1
            self._lanes.keep(entry.lane, cls, item)
        elif self._holds(token):
            self._popped.discard(token.number)
            self._add("U", token.number, number=token.number)
            if item.host in self._lanes.hosts:
                self._lanes.keep(entry.lane, cls, item)
                self._landed(item)
            else:
                self._give_back_items([item])

    @property
    def behind(self) -> bool:
        return self._link.behind or not self._link.may_send or bool(self._facts and self._facts[6])

    def __len__(self) -> int:
        return self._lanes.length

    def count(self, lane: str) -> int:
        return self._lanes.count(lane)

    # What was visited

    def has_seen(self, fingerprint: bytes) -> bool:
        return Print.of(fingerprint).value in self._known

    def mark_seen(self, fingerprint: bytes) -> None:
        print_ = Print.of(fingerprint)
        if print_.value not in self._known:
            self._remember(print_.value)
            self._add("V", *print_)

    @property
    def visited_count(self) -> int:
        return self._visited_count

    def _remember(self, value: int) -> None:
        self._known[value] = None
        if len(self._known) > _MAX_KNOWN:
            self._known.popitem(last=False)

    # What has come back

    def _load(self, *, renames: bool = False, within_s: float = _LOAD_S) -> None:
        """Unless `renames`, no request that is here goes by it. What takes longer is read the next time."""
        answers, began = self._link.answers, time.perf_counter()
        while answers and (renames or not isinstance(answers[0], Renamed)):
            # It is read before it is taken off: until then the queue is not quiet.
            try:
                self._readers[type(answers[0])](answers[0])
            finally:
                answers.popleft()
            if time.perf_counter() - began > within_s:
                return

    def _applied(self, answer: Applied) -> None:
        codes = iter(answer.codes)
        for operation in answer.operations:
            letter = operation.letter
            if letter == "P":
                code = next(codes)
                if code == ord("0") and operation.request is not None and operation.arguments[5] != "":
                    self._events.append(Duplicate(operation.request))
                elif code == ord("2"):
                    self._came(cast("str", operation.arguments[1]), cast("bytes", operation.arguments[2]))
            elif letter == "C":
                next(codes)
            elif letter in _ENDINGS:
                self._ending.discard(operation.number)
        self._totals = Totals(answer.queued, answer.taken)
        self._facts_are_old = True
        self._visited_count = answer.seen
        self._starting = answer.starting
        self._events += [letter_of(letter, self._codec, self._spider) for letter in answer.letters]

    def _came(self, host: str, queue: bytes) -> None:
        if host in self._lanes.hosts:
            lane = self._lanes.more(host, queue)
            self._events.append(LaneCame(LaneState(lane, self._lanes.head(lane) or (0, 0), 1)))

    def _taken(self, answer: Taken) -> None:
        self._facts, self._facts_are_old = answer.facts, False
        self._totals = Totals(answer.facts[0], answer.facts[1])
        self._visited_count, self._starting = answer.facts[2], bool(answer.facts[3])
        for state, queue, rows in answer.claimed:
            host = state[0].decode()
            self._lease(host)
            self._bring(host, queue, rows)
            self._set_state(
                host, state[1:], came=Counter({names.read(host, queue).lane: len(rows) // 2} if rows else {})
            )
        for host_name, queue, left, rows in answer.filled:
            self._filled(host_name.decode(), queue, left, rows)
        for state in answer.changed:
            host = state[0].decode()
            if host in self._lanes.hosts:
                self._set_state(host, state[1:], came=Counter())
        self._ask_back(answer.facts[8])

    def _filled(self, host: str, queue: bytes, left: int, rows: Sequence[bytes]) -> None:
        key = (host, queue)
        self._reading.discard(key)
        if host in self._lanes.hosts and left >= 0:
            expected = self._lanes.remote(host, queue) - len(rows) // 2
            self._bring(host, queue, rows)
            lane, _ = self._lanes.set_remote(host, queue, left)
            if left > expected:
                self._events.append(LaneCame(LaneState(lane, self._lanes.head(lane) or (0, 0), left - expected)))
            self._lanes.settle(host, time.monotonic())
        else:
            # It was released meanwhile: unless what comes for it goes back, the crawl never ends.
            self._give_back_items(_items(host, queue, rows))
        for keys, future in self._fetches:
            keys.discard(key)
            if not keys:
                _resolve(future, None)
        self._fetches = [(keys, future) for keys, future in self._fetches if keys]

    def _set_state(self, host: str, state: Sequence[Any], *, came: Counter[str]) -> None:
        """The queues of a host that are not empty, all of them, each with its length."""
        lengths = dict(zip(state[::2], state[1::2], strict=True))
        for queue in self._lanes.queues(host) | set(lengths):
            lane, more = self._lanes.set_remote(host, queue, lengths.get(queue, 0))
            came[lane] += more
        for lane, count in came.items():
            if count > 0:
                self._events.append(LaneCame(LaneState(lane, self._lanes.head(lane) or (0, 0), count)))
        self._lanes.settle(host, time.monotonic())

    def _bring(self, host: str, queue: bytes, rows: Sequence[bytes]) -> None:
        self._lanes.add(_items(host, queue, rows))

    def _lease(self, host: str) -> None:
        self._lanes.lease(host)
        self._events.append(HostCame(host))

    def _recalled(self, answer: Recalled) -> None:
        known = self._popped | self._ending | set(self._lanes.numbers())
        rows: dict[tuple[str, bytes], list[bytes]] = {}
        for number, row in sorted(zip(answer.requests[::2], answer.requests[1::2], strict=True), key=_number):
            if int(number) in known:
                continue
            host_name, queue, body = row.split(b"\n", 2)
            rows.setdefault((host_name.decode(), queue), []).extend((number, body))
        self._forget_lost(set(map(int, answer.requests[::2])), {state[0].decode() for state in answer.hosts})
        for state in answer.hosts:
            if (host := state[0].decode()) not in self._lanes.hosts:
                self._lease(host)
        came: Counter[str] = Counter()
        for (host, queue), some in rows.items():
            if host in self._lanes.hosts:
                self._bring(host, queue, some)
                came[names.read(host, queue).lane] += len(some) // 2
            else:
                self._give_back_items(_items(host, queue, some))
        for state in answer.hosts:
            self._set_state(state[0].decode(), state[1:], came=Counter())
        for lane, count in came.items():
            self._events.append(LaneCame(LaneState(lane, self._lanes.head(lane) or (0, 0), count)))

    def _forget_lost(self, taken: set[int], hosts: set[str]) -> None:
        """A server that comes back from an older state may have forgotten what it handed out."""
        self._void |= self._popped - taken
        for host in list(self._lanes.hosts):
            if host not in hosts or any(item.number not in taken for item in self._lanes.items_of(host)):
                self.release(host, 0.0)

    def _renamed(self, answer: Renamed) -> None:
        self._generation = answer.generation
        self._log(
            logging.WARNING,
            "%s: this process was not heard of for longer than POLITE_LEASE (%s), or the server has come back without "
            "its last seconds. Its hosts are with others, which fetch again what it had in flight: %d requests",
            self.description,
            duration(self._lease_s),
            len(self._popped),
        )
        went: Counter[str] = Counter()
        for host in list(self._lanes.hosts):
            for state in self._lanes.part(host)[0]:
                went[state.lane] += state.count
        self._events += [LaneWent(lane, count) for lane, count in went.items()]
        self._events += [LaneCame(state) for state in self._lanes.left_in(went)]
        self._known.clear()
        self._popped.clear()
        self._ending.clear()
        self._void.clear()
        self._wanted.clear()
        self._let_go()

    def _let_go(self) -> None:
        """Nobody waits for what is being read any more."""
        fetches, self._fetches = self._fetches, []
        self._reading.clear()
        for _, future in fetches:
            _resolve(future, None)

    # What is asked for

    def _add(self, *arguments: Argument, number: int = 0, future: Future[None] | None = None) -> None:
        self._link.add(Operation(arguments, self._generation, future=future, number=number))

    def _read(self, host: str, queue: bytes) -> None:
        key = (host, queue)
        if key in self._reading or self._closed:
            return
        now = time.monotonic()
        most, at = self._reads.get(key, (_READ // 2, now))
        most = min(2 * most, _MOST_READ) if now - at < _SOON_S else _READ
        if names.read(host, queue).cls.last_first:
            most = _READ_LAST_FIRST
        if len(self._reads) > 10_000:
            self._reads.clear()
        self._reads[key] = most, now
        self._reading.add(key)
        self._link.read(host, queue, most)

    def _most(self, item: Item) -> int:
        return self._reads.get((item.host, item.queue), (_READ, 0.0))[0]

    def _ask_back(self, surplus: int) -> None:
        if not surplus:
            self._wanted.clear()
            return
        hosts = sorted(self._lanes.hosts.items(), key=lambda pair: pair[1].in_flight)
        for host, _ in hosts[: max(surplus - len(self._wanted), 0)]:
            if host not in self._wanted:
                self._wanted.add(host)
                self._events.append(HostWanted(host))

    def _release_empty(self) -> None:
        now = time.monotonic()
        while self._lanes.empty:
            host, since = next(iter(self._lanes.empty.items()))
            if now - since < _LINGER_S:
                return
            self.release(host, 0.0)

    def _give_back_items(self, items: Sequence[Item]) -> None:
        """To the front of their queues: the last first."""
        for item in reversed(items):
            self._ends(item.number)
            self._add("B", item.number, number=item.number)

    def _ends(self, number: int) -> None:
        self._void.discard(number)
        self._popped.discard(number)
        self._ending.add(number)

    # Entries

    def _first(self, lane: str) -> Item | None:
        """The head, if it is here, with its request; what cannot be read is set aside."""
        while (item := self._lanes.first(lane)) is not None:
            if item.request is not None:
                return item
            try:
                if lane == names.UNREADABLE:
                    raise ValueError("no queue of this version has such a name")
                item.request = self._codec.decode(item.body, self._spider)
            except ValueError as error:
                self._lanes.pop(lane)
                self._lanes.settle(item.host, time.monotonic())
                key = f"q:{item.host} {item.queue.decode(errors='replace')}"
                self._events.append(DeadLetter("", "", f"in the key {key}, cannot be read: {error}"))
                self._ends(item.number)
                self._add("A", item.number, number=item.number)
            else:
                item.body = b""
                return item
        return None

    def _popped_entry(self, lane: str, rank: Rank, item: Item) -> Entry:
        if item.is_here_alone:
            self._alone_in_flight += 1
        else:
            self._popped.add(item.number)
            self._add("S", item.number, number=item.number)
            self._lanes.flies(item.host, 1, 0.0)
            self._lanes.settle(item.host, 0.0)
        token = _Token(item.number, self._generation, item)
        return Entry(lane, rank, cast("Request", item.request), item.deaths + 1, not item.is_here_alone, token)

    def _landed(self, item: Item) -> None:
        self._lanes.flies(item.host, -1, time.monotonic())

    def _holds(self, token: _Token) -> bool:
        return token.generation == self._generation and token.number not in self._void

    def _note_withheld(self, item: Item) -> None:
        fingerprint = self._withheld.pop(id(item), None)
        if fingerprint is not None:
            self._add("V", *Print.of(fingerprint))


def _resolve(future: Future[_T], answer: _T) -> None:
    """Unless nobody waits for it any more, or the other thread was first."""
    with suppress(InvalidStateError):
        future.set_result(answer)


def _token(entry: Entry) -> _Token:
    return cast("_Token", entry.id)


def _number(pair: tuple[bytes, bytes]) -> int:
    return int(pair[0])


def _items(host: str, queue: bytes, rows: Sequence[bytes]) -> list[Item]:
    """`rows`: number and body in turn. A body begins with how many processes have died with it."""
    return [
        Item(int(number), host, queue, body[1:], int(body[:1]) if body[:1].isdigit() else 0)
        for number, body in zip(rows[::2], rows[1::2], strict=True)
    ]
