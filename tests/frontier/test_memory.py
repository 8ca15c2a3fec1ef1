"""What both queue backends have in common, compared with a sorted list."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from scrapy import Request, Spider

from scrapy_polite.frontier.codec import Codec
from scrapy_polite.frontier.memory import MemoryQueue
from scrapy_polite.frontier.sqlite.queue import SqliteQueue

if TYPE_CHECKING:
    from scrapy_polite.frontier.base import Entry, Queue, Rank

LANES = ("https://a.example", "https://b.example", "https://c.example", "https://d.example")
RANKS = st.tuples(st.integers(-2, 2), st.integers(-8, 8) | st.sampled_from([-(2**62), 2**62]))
LIMIT_S = 30


class Against(RuleBasedStateMachine):
    """Every lane is a list of (rank, number of the push, URL), sorted; the best goes first."""

    queue: Queue

    @initialize()
    def open(self) -> None:
        self.model: dict[str, list[tuple[Rank, int, str]]] = {lane: [] for lane in LANES}
        self.popped: list[tuple[Entry, str]] = []
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
        assert self.queue.push(lane, rank, request) is self.queue.persistent
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
        self.queue.fetch(lanes)

    @rule(lane=st.sampled_from(LANES))
    def pop(self, lane: str) -> None:
        if not self.queue.ready(lane):
            with pytest.raises(LookupError):
                self.queue.pop(lane)
            return
        rank, _, url = self.model[lane].pop(0)
        assert self.queue.peek(lane).url == url
        entry = self.queue.pop(lane)
        assert (entry.lane, entry.rank, entry.request.url, entry.pops) == (lane, rank, url, 1)
        self.popped.append((entry, url))

    @precondition(lambda self: self.popped)
    @rule(at=st.integers(0, 100))
    def acknowledge(self, at: int) -> None:
        entry, _ = self.popped.pop(at % len(self.popped))
        self.queue.done(entry)

    @precondition(lambda self: self.popped)
    @rule(at=st.integers(0, 100), rank=RANKS)
    def give_back(self, at: int, rank: Rank) -> None:
        entry, url = self.popped.pop(at % len(self.popped))
        self.pushes += 1
        self.queue.give_back(entry, rank)
        self.model[entry.lane].append((rank, self.pushes, url))
        self.model[entry.lane].sort()

    @rule()
    def flush(self) -> None:
        self.queue.flush().result(LIMIT_S)

    @invariant()
    def says_what_is_queued(self) -> None:
        expected = {lane: (queued[0][0], len(queued)) for lane, queued in self.model.items() if queued}
        assert {lane: (self.queue.head(lane), self.queue.count(lane)) for lane in self.queue.lanes()} == expected
        assert len(self.queue) == sum(map(len, self.model.values()))
        assert all(self.queue.head(lane) is None for lane in LANES if lane not in expected)

    def teardown(self) -> None:
        if hasattr(self, "queue"):
            self.queue.close()


class OnDisk(Against):
    """Three requests fit into memory; every fourth cannot be written; the queue is closed and opened again at will."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())

    def new_queue(self) -> SqliteQueue:
        return SqliteQueue(self.folder / "queue.sqlite", Codec(), Spider("test"), buffer=3)

    @rule(lane=st.sampled_from(LANES), rank=RANKS)
    def push_what_cannot_be_written(self, lane: str, rank: Rank) -> None:
        self.pushes += 1
        request = Request(f"https://a.example/{self.pushes}", meta={"file": object(), "lost": True})
        assert self.queue.push(lane, rank, request) is False
        self.model[lane].append((rank, self.pushes, request.url + " in memory alone"))
        self.model[lane].sort()

    @rule(lane=st.sampled_from(LANES))
    def pop(self, lane: str) -> None:
        if self.queue.ready(lane):
            rank, _, url = self.model[lane].pop(0)
            entry = self.queue.pop(lane)
            assert (entry.rank, entry.request.url, entry.pops) == (rank, url.split()[0], 1)
            assert (entry.id is None) == ("memory" in url)
            self.popped.append((entry, url))
        else:
            with pytest.raises(LookupError):
                self.queue.pop(lane)

    @rule()
    def open_again(self) -> None:
        while self.popped:
            self.acknowledge(0)
        self.queue.close()
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


test_memory_queue_against_a_sorted_list = Against.TestCase
test_memory_queue_against_a_sorted_list.settings = settings(max_examples=50, stateful_step_count=40, deadline=None)
test_sqlite_queue_against_a_sorted_list = OnDisk.TestCase
test_sqlite_queue_against_a_sorted_list.settings = settings(max_examples=50, stateful_step_count=40, deadline=None)


def test_a_lane_that_is_empty_takes_no_memory() -> None:
    queue = MemoryQueue()
    queue.push("a", (0, 1), Request("https://a.example"))
    queue.give_back(queue.pop("a"), (0, 2))
    queue.done(queue.pop("a"))
    assert not queue._heaps
    assert not queue._pops
