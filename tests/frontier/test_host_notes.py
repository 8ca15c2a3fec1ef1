"""What is found out of traps is kept with each host: how often, and of how many hosts."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Container, Iterable

import pytest

from scrapy_polite import _loop
from scrapy_polite.frontier import host_notes
from scrapy_polite.frontier.host_notes import HostNotes
from scrapy_polite.frontier.memory import MemoryQueue


class NotingQueue(MemoryQueue):
    persistent = True

    def __init__(self) -> None:
        super().__init__()
        self.noted: defaultdict[str, list[bytes]] = defaultdict(list)

    def note(self, host: str, note: bytes) -> None:
        self.noted[host].append(note)


class Flows:
    """Of traps: sites of which a group is suspected."""

    suspected: frozenset[str] = frozenset()

    def is_suspected(self, sites: Iterable[str]) -> bool:
        return not self.suspected.isdisjoint(sites)

    def written(self, sites: Iterable[str], *, whole: Container[str] = ()) -> bytes:
        return b"known" + b"".join(f" and the whole of {site}".encode() for site in sites if site in whole)


@pytest.fixture
def flows() -> Flows:
    return Flows()


@pytest.fixture
def queue() -> NotingQueue:
    return NotingQueue()


@pytest.fixture
def notes(queue: NotingQueue, flows: Flows) -> HostNotes:
    return HostNotes(queue, flows, None)  # type: ignore[arg-type]


def read(notes: HostNotes, host: str, pages: int, at: float) -> None:
    for _ in range(pages):
        notes.changed(host, host)
    notes.keep(at)


def test_of_a_suspected_group_each_second_and_each_twenty_pages_are_kept(
    notes: HostNotes, queue: NotingQueue, flows: Flows
) -> None:
    flows.suspected = frozenset(["a.example"])
    for at, kept in ((10.0, 1), (10.1, 1), (10.9, 1), (11.0, 2), (11.1, 2)):
        read(notes, "a.example", 3, at)
        assert len(queue.noted["a.example"]) == kept
    read(notes, "a.example", 20, 11.2)
    assert len(queue.noted["a.example"]) == 3


def test_that_nothing_is_suspected_any_more_is_kept_too(notes: HostNotes, queue: NotingQueue, flows: Flows) -> None:
    flows.suspected = frozenset(["a.example"])
    read(notes, "a.example", 1, 10.0)
    flows.suspected = frozenset()
    read(notes, "a.example", 1, 20.0)
    read(notes, "a.example", 1, 30.0)
    assert len(queue.noted["a.example"]) == 2


def test_of_another_host_each_hundred_pages_are_kept(notes: HostNotes, queue: NotingQueue) -> None:
    for number in range(1, 31):
        read(notes, "a.example", 10, float(number))
        assert len(queue.noted["a.example"]) == number // 10


def test_of_so_many_hosts_as_the_traps_remember_the_first_is_kept_and_looked_after_no_more(
    notes: HostNotes, queue: NotingQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_notes, "MAX_SITES", 3)
    for number in range(5):
        read(notes, f"{number}.example", 1, float(number))
    assert queue.noted == {"0.example": [b"known"], "1.example": [b"known"]}
    assert len(notes._sites) == len(notes._unkept) == 3


def test_at_the_end_the_whole_of_each_site_is_kept_once_and_last(
    notes: HostNotes, queue: NotingQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def at_once(seconds: float) -> None:
        pass

    monkeypatch.setattr(_loop, "sleep", at_once)
    for host, site in (("a.shop.example", "shop"), ("b.shop.example", "shop"), ("news.example", "news")):
        notes.changed(host, site)
    asyncio.run(notes.leave_all())
    assert queue.noted == {
        "a.shop.example": [b"known"],
        "b.shop.example": [b"known and the whole of shop"],
        "news.example": [b"known and the whole of news"],
    }
    assert list(queue.noted) == ["a.shop.example", "b.shop.example", "news.example"]
