"""What every queue backend does: as a table of cases, and compared with a sorted list.

Whoever writes another backend adds it to `BACKENDS`; a shared one passes the cases of `shared_queue.SharedQueue` too.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from scrapy import Request, Spider

from queues import closing
from redis_queues import Alone, alone, new_job
from redis_server import RedisServer, needs_server
from scrapy_polite.frontier.codec import Codec
from scrapy_polite.frontier.memory import MemoryQueue
from scrapy_polite.frontier.queue import PushResult, Totals
from scrapy_polite.frontier.sqlite.queue import SqliteQueue

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future

    from scrapy_polite.frontier.queue import Entry, Queue, Rank

LANES = ("https://a.example", "https://b.example", "https://c.example", "https://d.example")
RANKS = st.tuples(st.integers(-2, 2), st.integers(-8, 8) | st.sampled_from([-(2**62), 2**62]))
LIMIT_S = 30


class Against(RuleBasedStateMachine):
    """Every lane is a list of (rank, number of the push, URL), sorted; the best goes first.

    Whether `pop` finds a request in memory may depend on a thread (`fetch_later`). So no rule has a precondition:
    Hypothesis would see another choice of rules in a second run of the same steps, and call that an error.
    """

    queue: Queue

    @initialize()
    def open(self) -> None:
        self.model: dict[str, list[tuple[Rank, int, str]]] = {lane: [] for lane in LANES}
        self.popped: list[tuple[Entry, str]] = []
        self.fetches: list[Future[None]] = []
        self.pushes = 0
        self.queue = self.new_queue()
        assert self.queue.open().result(LIMIT_S) == []

    def new_queue(self) -> Queue:
        return MemoryQueue()

    def request(self) -> Request:
        return Request(f"https://a.example/{self.pushes}")

    @rule(lane=st.sampled_from(LANES), rank=RANKS)
    def push(self, lane: str, rank: Rank) -> None:
        self.pushes += 1
        request = self.request()
        kept = PushResult.KEPT if self.queue.persistent else PushResult.MEMORY_ONLY
        assert self.queue.push(lane, rank, request) is kept
        self.model[lane].append((rank, self.pushes, request.url))
        self.model[lane].sort()

    @rule(lanes=st.sets(st.sampled_from(LANES)))
    def fetch(self, lanes: set[str]) -> None:
        for _ in range(3):  # what an earlier fetch brings may push it out again
            self.queue.fetch(lanes).result(LIMIT_S)
            ready = [self.queue.ready(lane) == bool(self.model[lane]) for lane in lanes]
            if all(ready):
                break
        assert all(ready)

    @rule(lanes=st.sets(st.sampled_from(LANES)))
    def fetch_later(self, lanes: set[str]) -> None:
        self.fetches = [one for one in self.fetches if not one.done()] + [self.queue.fetch(lanes)]

    def pop_nothing(self, lane: str) -> None:
        """What is fetched meanwhile may be ready in the next moment."""
        for one in self.fetches:
            one.result(LIMIT_S)
        if not self.queue.ready(lane):
            with pytest.raises(LookupError):
                self.queue.pop(lane)

    @rule(lane=st.sampled_from(LANES))
    def pop(self, lane: str) -> None:
        if not self.queue.ready(lane):
            self.pop_nothing(lane)
            return
        rank, _, url = self.model[lane].pop(0)
        assert self.queue.peek(lane).url == url
        entry = self.queue.pop(lane)
        assert (entry.lane, entry.rank, entry.request.url, entry.pops) == (lane, rank, url, 1)
        self.popped.append((entry, url))

    @rule(at=st.integers(0, 100))
    def acknowledge(self, at: int) -> None:
        if not self.popped:
            return
        entry, _ = self.popped.pop(at % len(self.popped))
        self.queue.done(entry)

    @rule(at=st.integers(0, 100), rank=RANKS)
    def give_back(self, at: int, rank: Rank) -> None:
        if not self.popped:
            return
        entry, url = self.popped.pop(at % len(self.popped))
        self.pushes += 1
        self.queue.give_back(entry, rank)
        self.model[entry.lane].append((rank, self.pushes, url))
        self.model[entry.lane].sort()

    @invariant()
    def says_what_is_queued(self) -> None:
        expected = {lane: (queued[0][0], len(queued)) for lane, queued in self.model.items() if queued}
        said = {lane: (self.queue.head(lane), self.queue.count(lane)) for lane in LANES}
        assert said == {lane: expected.get(lane, (None, 0)) for lane in LANES}
        assert len(self.queue) == sum(map(len, self.model.values()))
        assert self.queue.totals() == Totals(len(self.queue), len(self.popped))
        assert self.queue.ended == (len(self.queue) == 0)

    def teardown(self) -> None:
        if hasattr(self, "queue"):
            self.queue.close().result(LIMIT_S)


class OnDisk(Against):
    """Three requests fit into memory; every fourth cannot be written; the queue is closed and opened again at will."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())

    queue: SqliteQueue

    def new_queue(self) -> SqliteQueue:
        return SqliteQueue(self.folder / "queue.sqlite", Codec(), Spider("test"), buffer=3)

    @rule()
    def flush(self) -> None:
        self.queue.flush().result(LIMIT_S)

    @rule(lane=st.sampled_from(LANES), rank=RANKS)
    def push_what_cannot_be_written(self, lane: str, rank: Rank) -> None:
        self.pushes += 1
        request = Request(f"https://a.example/{self.pushes}", meta={"file": object(), "lost": True})
        assert self.queue.push(lane, rank, request) is PushResult.MEMORY_ONLY
        self.model[lane].append((rank, self.pushes, request.url + " in memory alone"))
        self.model[lane].sort()

    @rule(lane=st.sampled_from(LANES))
    def pop(self, lane: str) -> None:
        if self.queue.ready(lane):
            rank, _, url = self.model[lane].pop(0)
            entry = self.queue.pop(lane)
            assert (entry.rank, entry.request.url, entry.pops) == (rank, url.split()[0], 1)
            assert entry.kept == ("memory" not in url)
            self.popped.append((entry, url))
        else:
            self.pop_nothing(lane)

    @rule()
    def open_again(self) -> None:
        while self.popped:
            self.acknowledge(0)
        self.queue.close().result(LIMIT_S)
        self.fetches = []
        self.queue = self.new_queue()
        for lane, queued in self.model.items():
            self.model[lane] = [item for item in queued if "memory" not in item[2]]
        states = self.queue.open().result(LIMIT_S)
        assert {state.lane: (state.head, state.count) for state in states} == {
            lane: (queued[0][0], len(queued)) for lane, queued in self.model.items() if queued
        }

    def teardown(self) -> None:
        super().teardown()
        shutil.rmtree(self.folder)


class OnServer(Against):
    """One process with all hosts. Of a rank the server keeps the priority, and whether it comes back, was found or is
    of the start: in that order, and each in the order in which they came."""

    url = ""
    queue: Alone

    def new_queue(self) -> Alone:
        return alone(self.url, new_job())

    @rule(lane=st.sampled_from(LANES), priority=st.integers(-2, 2), order=st.sampled_from([0, 2**62]))
    def push(self, lane: str, priority: int, order: int) -> None:  # type: ignore[override]
        Against.push(self, lane, (priority, order))

    @rule(at=st.integers(0, 100), priority=st.integers(-2, 2))
    def give_back(self, at: int, priority: int) -> None:  # type: ignore[override]
        Against.give_back(self, at, (priority, -(2**62)))

    @invariant()
    def says_what_is_queued(self) -> None:
        expected = {lane: (queued[0][0], len(queued)) for lane, queued in self.model.items() if queued}
        said = {lane: (self.queue.head(lane), self.queue.count(lane)) for lane in LANES}
        assert said == {lane: expected.get(lane, (None, 0)) for lane in LANES}
        assert self.queue.totals() == Totals(len(self.queue), len(self.popped))
        assert self.queue.ended == (not self.popped and len(self.queue) == 0)


@needs_server
def test_redis_queue_against_a_sorted_list(redis_server: RedisServer) -> None:
    class OnThisServer(OnServer):
        url = redis_server.url

    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        OnThisServer, settings=settings(max_examples=8, stateful_step_count=30, deadline=None)
    )


test_memory_queue_against_a_sorted_list = Against.TestCase
test_memory_queue_against_a_sorted_list.settings = settings(max_examples=50, stateful_step_count=40, deadline=None)
test_sqlite_queue_against_a_sorted_list = OnDisk.TestCase
test_sqlite_queue_against_a_sorted_list.settings = settings(max_examples=50, stateful_step_count=40, deadline=None)


# Cases


def memory(folder: Path) -> MemoryQueue:
    return MemoryQueue()


def memory_bloom(folder: Path) -> MemoryQueue:
    return MemoryQueue(1e-6)


def sqlite(folder: Path) -> SqliteQueue:
    return SqliteQueue(folder / "queue.sqlite", Codec(), Spider("test"))


def sqlite_bloom(folder: Path) -> SqliteQueue:
    return SqliteQueue(folder / "queue.sqlite", Codec(), Spider("test"), error_rate=1e-6)


BACKENDS = (memory, memory_bloom, sqlite, sqlite_bloom)
LANE, HOST = "https://a.example", "a.example"
REQUEST = Request("https://a.example/1")


@pytest.fixture(params=[*BACKENDS, pytest.param(None, marks=needs_server, id="redis")], ids=lambda make: make.__name__)
def queue(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Queue]:
    if request.param is None:
        made: Queue = alone(request.getfixturevalue("redis_server").url, new_job())
    else:
        made = request.param(tmp_path)
    with closing(made) as queue:
        assert queue.open().result(LIMIT_S) == []
        yield queue


def test_what_was_seen_is_not_queued_again(queue: Queue) -> None:
    assert not queue.has_seen(b"1")
    assert queue.push(LANE, (0, 1), REQUEST, fingerprint=b"1") in {PushResult.KEPT, PushResult.MEMORY_ONLY}
    assert queue.has_seen(b"1")
    assert queue.push(LANE, (0, 2), REQUEST, fingerprint=b"1") is PushResult.SEEN
    assert (len(queue), queue.count(LANE), queue.visited_count) == (1, 1, 1)
    queue.done(queue.pop(LANE))
    assert queue.push(LANE, (0, 3), REQUEST, fingerprint=bytes([49])) is PushResult.SEEN
    assert queue.push(LANE, (0, 3), REQUEST) is not PushResult.SEEN


def test_a_page_may_be_marked_as_seen_without_a_request(queue: Queue) -> None:
    queue.mark_seen(b"1")
    assert queue.has_seen(b"1")
    assert queue.push(LANE, (0, 1), REQUEST, fingerprint=b"1") is PushResult.SEEN
    assert (len(queue), queue.visited_count) == (0, 1)
    assert queue.head(LANE) is None


def test_what_is_popped_may_leave_once_that_is_noted(queue: Queue) -> None:
    queue.push(LANE, (0, 1), REQUEST)
    entry = queue.pop(LANE)
    assert entry.kept is queue.persistent
    assert queue.may_send(entry)
    queue.mark_sent(entry).result(LIMIT_S)
    assert queue.totals() == Totals(0, 1)
    queue.done(entry)
    assert queue.totals() == Totals(0, 0)


def test_what_ends_with_the_process_can_be_taken_by_itself(queue: Queue) -> None:
    queue.push(LANE, (0, 1), Request("https://a.example/2", meta={"file": object()}))
    assert queue.memory_only(LANE) == 1
    entry = queue.pop_memory_only(LANE)
    assert (entry.request.url, entry.kept, queue.memory_only(LANE)) == ("https://a.example/2", False, 0)
    queue.done(entry)
    with pytest.raises(LookupError):
        queue.pop_memory_only(LANE)


@pytest.mark.parametrize("queue", BACKENDS, ids=lambda make: make.__name__, indirect=True)
def test_a_queue_of_one_process_has_all_hosts_and_the_start(queue: Queue) -> None:
    assert not queue.shared
    assert queue.begin_start().result(LIMIT_S)
    queue.push(LANE, (0, 1), REQUEST, host=HOST)
    queue.end_start()
    queue.claim(10, 60.0)
    queue.release(HOST, 60.0)
    assert queue.ready(LANE)
    assert not queue.ended
    assert list(queue.events()) == []
    assert queue.lost == 0


def test_closing_twice_does_no_harm(queue: Queue) -> None:
    queue.push(LANE, (0, 1), REQUEST)
    first, second = queue.close(), queue.close()
    assert first.result(LIMIT_S) is second.result(LIMIT_S) is None


def test_one_that_was_never_opened_can_be_closed(tmp_path: Path) -> None:
    for make in BACKENDS:
        make(tmp_path).close().result(LIMIT_S)


def test_a_lane_that_is_empty_takes_no_memory() -> None:
    queue = MemoryQueue()
    queue.push("a", (0, 1), Request("https://a.example"))
    queue.give_back(queue.pop("a"), (0, 2))
    queue.done(queue.pop("a"))
    assert not queue._heaps
    assert not queue._pops
