"""What has come back from the server: read in the order in which the server did it, and put where it belongs."""

from __future__ import annotations

import logging
import time
from collections import Counter
from typing import TYPE_CHECKING, Any, cast

from scrapy_polite.frontier.queue import Duplicate, QueueFailed, QueueLost, QueueRecovered, Totals
from scrapy_polite.frontier.redis import names
from scrapy_polite.frontier.redis.answers import Applied, Failing, Lost, Recalled, Renamed, Taken, Working
from scrapy_polite.frontier.redis.letters import letter_of
from scrapy_polite.text import duration

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scrapy import Spider

    from scrapy_polite.frontier.codec import Codec
    from scrapy_polite.frontier.queue import QueueEvent
    from scrapy_polite.frontier.redis.hosts import LeasedHosts
    from scrapy_polite.frontier.redis.link import Link
    from scrapy_polite.frontier.redis.prints import KnownPrints
    from scrapy_polite.frontier.redis.reads import Reads
    from scrapy_polite.frontier.redis.taken import TakenRequests

logger = logging.getLogger(__name__)

#: For so long what has come back is read at a time: the loop is not to be held.
READ_S = 0.002


class Inbox:
    """`facts` are those of the last `Taken`; `totals`, `visited_count` and `starting` are of the whole job."""

    def __init__(
        self,
        link: Link,
        hosts: LeasedHosts,
        taken: TakenRequests,
        reads: Reads,
        prints: KnownPrints,
        events: list[QueueEvent],
        letters: tuple[Codec, Spider | None],
    ) -> None:
        self.totals = Totals(0, 0)
        self.facts: Sequence[int] = ()
        #: Something has been queued since these were told.
        self.facts_are_old = False
        self.starting = False
        self.visited_count = 0
        self._link = link
        self._hosts = hosts
        self._taken_requests = taken
        self._reads = reads
        self._prints = prints
        self._events = events
        self._codec, self._spider = letters
        self._readers: dict[type, Callable[[Any], object]] = {
            Applied: self._applied,
            Taken: self._taken,
            Recalled: self._recalled,
            Renamed: self._renamed,
            Failing: lambda answer: self._events.append(QueueFailed(answer.error)),
            Working: lambda _: self._events.append(QueueRecovered()),
            Lost: lambda answer: self._events.append(QueueLost(answer.error)),
        }

    def read(self, *, renames: bool = False, within_s: float = READ_S) -> None:
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
                if code == ord("0") and operation.request is not None and operation.arguments[4] != "":
                    self._events.append(Duplicate(operation.request))
                elif code == ord("2"):
                    self._hosts.more(cast("str", operation.arguments[1]), cast("bytes", operation.arguments[2]))
            else:
                self._taken_requests.applied(operation)
        self.totals = Totals(answer.queued, answer.taken)
        self.facts_are_old = True
        self.visited_count = answer.seen
        self.starting = answer.starting
        self._events += [letter_of(letter, self._codec, self._spider) for letter in answer.letters]

    def _taken(self, answer: Taken) -> None:
        if bool(answer.facts[6]) is not bool(self.facts and self.facts[6]):
            self._say_whether_paused(paused=bool(answer.facts[6]))
        self.facts, self.facts_are_old = answer.facts, False
        self.totals = Totals(answer.facts[0], answer.facts[1])
        self.visited_count, self.starting = answer.facts[2], bool(answer.facts[3])
        for state, queue, first, bodies, note in answer.claimed:
            host = state[0].decode()
            self._hosts.lease(host, note)
            self._hosts.bring(host, queue, enumerate(bodies, first))
            came = {names.read(host, queue).lane: len(bodies)} if bodies else {}
            self._hosts.set_state(host, state[1:], came=Counter(came))
        for host_name, queue, left, first, bodies in answer.filled:
            host = host_name.decode()
            self._hosts.bring(host, queue, enumerate(bodies, first))
            if left >= 0 and host in self._hosts:
                self._hosts.set_length(host, queue, left, brought=len(bodies))
            self._reads.has_come((host, queue))
        for state in answer.changed:
            host = state[0].decode()
            if host in self._hosts:
                self._hosts.set_state(host, state[1:], came=Counter())
        self._hosts.ask_back(answer.facts[8])
        self._hosts.spread(answer.facts[9])

    def _say_whether_paused(self, *, paused: bool) -> None:
        session = self._link.session
        said = f"is paused: nothing leaves until `scrapy polite resume {session.job}`" if paused else "goes on"
        logger.info("%s %s", session.description, said, extra={"spider": self._spider})

    def _recalled(self, answer: Recalled) -> None:
        taken = {int(number): row for number, row in zip(answer.requests[::2], answer.requests[1::2], strict=True)}
        known = self._taken_requests.in_flight_or_ending.union(self._hosts.lanes.numbers())
        rows: dict[tuple[str, bytes], list[tuple[int, bytes]]] = {}
        for number in sorted(taken.keys() - known):
            host_name, queue, body = taken[number].split(b"\n", 2)
            rows.setdefault((host_name.decode(), queue), []).append((number, body))
        self._taken_requests.forget_all_but(taken)
        self._hosts.lose_all_but({state[0].decode() for state, _ in answer.hosts}, set(taken))
        for state, note in answer.hosts:
            if (host := state[0].decode()) not in self._hosts:
                self._hosts.lease(host, note)
        came: Counter[str] = Counter()
        for (host, queue), some in rows.items():
            self._hosts.bring(host, queue, some)
            if host in self._hosts:
                came[names.read(host, queue).lane] += len(some)
        for state, _ in answer.hosts:
            self._hosts.set_state(state[0].decode(), state[1:], came=Counter())
        for lane, count in came.items():
            self._hosts.came(lane, count)

    def _renamed(self, answer: Renamed) -> None:
        in_flight = self._taken_requests.renamed(answer.generation)
        session = self._link.session
        logger.warning(
            "%s: this process was not heard of for longer than POLITE_LEASE (%s), or the server has come back without "
            "its last seconds. Its hosts are with others, which fetch again what it had in flight: %d requests",
            session.description,
            duration(session.lease_s),
            in_flight,
            extra={"spider": self._spider},
        )
        self._hosts.lose_all()
        self._prints.clear()
        self._reads.let_go()
