from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha1
from pathlib import Path
from typing import Any

import pytest
from scrapy import FormRequest, Request, Spider

import grown_groups
from scrapy_polite.frontier.codec import Codec
from scrapy_polite.frontier.queue import FrontierError
from scrapy_polite.frontier.removal import Asked, Meant, read_asked
from scrapy_polite.frontier.sqlite.queue import SqliteQueue
from scrapy_polite.frontier.sqlite.removal import find, remove, requests_in
from scrapy_polite.frontier.sqlite.schema import FILE_NAME
from scrapy_polite.traps import handover

A, B = "http://a.example", "http://b.example:8080"


def fingerprint(asked: Asked) -> bytes:
    return sha1(repr(asked).encode()).digest()


def meant(prefix: str, origin: str = "", *known: str) -> Meant:
    return Meant(lambda url: url.startswith(prefix), origin.__eq__, fingerprint, tuple(map(Asked, known)))


@pytest.fixture
def queue(tmp_path: Path) -> Iterator[SqliteQueue]:
    queue = SqliteQueue(tmp_path / FILE_NAME, Codec(pickle=True), Spider("test"))
    queue.open().result(10)
    yield queue
    queue.close().result(10)


def fill(queue: SqliteQueue, *requests: Request) -> None:
    for number, request in enumerate(requests):
        seen = fingerprint(Asked(request.url, request.method, request.body))
        queue.push(A if request.url.startswith(A) else B, (0, number), request, fingerprint=seen)
    queue.flush().result(10)


def note_in(folder: Path) -> bytes:
    with closing(sqlite3.connect(folder / FILE_NAME)) as db:
        ((note,),) = db.execute("SELECT note FROM notes").fetchall()
        return bytes(note)


def rows(folder: Path, table: str) -> int:
    with closing(sqlite3.connect(folder / FILE_NAME)) as db:
        return int(db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


@pytest.mark.parametrize(
    "request_",
    [
        pytest.param(Request(f"{A}/ü?q=1"), id="json"),
        pytest.param(Request(A, method="PUT", body=b"\x00\xff"), id="body"),
        pytest.param(FormRequest(A, formdata={"a": "b"}), id="subclass"),
        pytest.param(Request(A, meta={"range": range(3)}, body=b"\x00\xff", method="POST"), id="pickled"),
    ],
)
def test_what_a_request_asks_for_is_read_from_all_that_the_codec_writes(request_: Request) -> None:
    written = Codec(pickle=True).encode(request_, Spider("test"))
    assert read_asked(written) == Asked(request_.url, request_.method, request_.body)


@pytest.mark.parametrize(
    "data",
    [b"", b"J", b"Jnull", b'J{"url": 1}', b'J{"url": "x", "body": {"": 1}}', b"P", b"P\x80\x04.", b"X{}", b"J[" * 9],
)
def test_of_what_cannot_be_read_the_url_is_empty(data: bytes) -> None:
    assert read_asked(data) == Asked("")


def test_requests_and_their_fingerprints_go_and_others_stay(tmp_path: Path, queue: SqliteQueue) -> None:
    post = Request(f"{A}/jane", method="POST", body=b"x")
    fill(queue, Request(f"{A}/jane"), post, Request(f"{A}/news", meta={"range": range(3)}), Request(f"{B}/jane"))
    queue.close().result(10)
    for act in (find, remove):
        removed = act(tmp_path, meant(f"{A}/jane"))
        assert (removed.queued, removed.visited, removed.set_aside, removed.unreadable) == (2, 2, 0, 0)
        assert removed.examples == [f"{A}/jane", f"{A}/jane"]
    assert [asked.url for asked in requests_in(tmp_path)] == [f"{A}/news", f"{B}/jane"]
    assert (rows(tmp_path, "requests"), rows(tmp_path, "visited")) == (2, 2)
    assert remove(tmp_path, meant(f"{A}/jane")).queued == 0


def test_a_whole_lane_goes_whatever_its_requests_ask_for(tmp_path: Path, queue: SqliteQueue) -> None:
    rendered = Request("http://renderer.example/?url=b")
    queue.push(B, (0, 0), rendered)
    fill(queue, Request(f"{A}/1"))
    queue.close().result(10)
    assert remove(tmp_path, meant("none", B)).queued == 1
    assert [asked.url for asked in requests_in(tmp_path)] == [f"{A}/1"]


@pytest.mark.parametrize(("prefix", "origin"), [("none", A), (f"{A}/calendar", "")], ids=["origin", "urls"])
def test_what_waits_as_a_suspected_trap_goes_too(tmp_path: Path, queue: SqliteQueue, prefix: str, origin: str) -> None:
    for number, group in enumerate(("/calendar?m", "/calendar?m newest", "//www.a.example/*/** any")):
        queue.push(f"{A} {group}", (0, number), Request(f"{A}/calendar?m={number}"))
    queue.push(f"{B} /calendar?m", (0, 0), Request(f"{B}/calendar?m=1"))
    queue.flush().result(10)
    queue.close().result(10)
    for act in (find, remove):
        assert act(tmp_path, meant(prefix, origin)).queued == 3
    assert [asked.url for asked in requests_in(tmp_path)] == [f"{B}/calendar?m=1"]


def test_what_was_in_flight_or_set_aside_goes_too_and_the_queue_opens_again(tmp_path: Path, queue: SqliteQueue) -> None:
    fill(queue, Request(f"{A}/jane/1", method="POST"), Request(f"{A}/jane/2"), Request(f"{B}/1"))
    queue.ready(A)
    queue.pop(A)
    queue.ready(B)
    queue.pop(B)
    queue.close().result(10)
    # The POST was in flight: to open the queue sets it aside.
    again = SqliteQueue(tmp_path / FILE_NAME, Codec(pickle=True), Spider("test"))
    again.open().result(10)
    again.close().result(10)
    assert rows(tmp_path, "set_aside") == 1
    removed = remove(tmp_path, meant(f"{A}/jane"))
    assert (removed.queued, removed.set_aside, removed.visited) == (1, 1, 2)
    last = SqliteQueue(tmp_path / FILE_NAME, Codec(pickle=True), Spider("test"))
    assert [state.lane for state in last.open().result(10)] == [B]
    last.close().result(10)
    assert b"/jane" not in (tmp_path / FILE_NAME).read_bytes()


def test_one_that_was_visited_and_is_not_queued_is_forgotten(tmp_path: Path, queue: SqliteQueue) -> None:
    fill(queue, Request(f"{A}/jane"))
    queue.ready(A)
    queue.done(queue.pop(A))
    queue.close().result(10)
    assert remove(tmp_path, meant("none", "", f"{A}/jane", f"{A}/other")).visited == 1
    assert rows(tmp_path, "visited") == 0


def test_what_cannot_be_read_is_left_and_counted(tmp_path: Path, queue: SqliteQueue) -> None:
    fill(queue, Request(f"{A}/1"))
    queue.close().result(10)
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as db, db:
        db.execute("UPDATE requests SET request = x'00'")
    assert remove(tmp_path, meant(A)).unreadable == 1
    assert rows(tmp_path, "requests") == 1
    assert remove(tmp_path, meant(A, A)).queued == 1


def test_beside_a_running_crawl_one_may_look_and_not_remove(tmp_path: Path, queue: SqliteQueue) -> None:
    fill(queue, Request(f"{A}/1"))
    assert find(tmp_path, meant(A)).queued == 1
    with pytest.raises(FrontierError, match=r"in use by process \d+; wait for its end, or stop it"):
        remove(tmp_path, meant(A))
    queue.close().result(10)
    assert remove(tmp_path, meant(A)).queued == 1


@pytest.mark.parametrize("act", [find, remove, lambda folder, _: list(requests_in(folder))])
@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda path: path.write_bytes(b"no database" * 1_000), id="no-database"),
        pytest.param(lambda path: sqlite3.connect(path).execute("PRAGMA user_version = 3"), id="another-database"),
        pytest.param(lambda path: None, id="nothing"),
        pytest.param(os.mkdir, id="folder"),
    ],
)
def test_what_is_no_queue_is_an_error_of_one_kind(act: Any, damage: Any, tmp_path: Path) -> None:
    damage(tmp_path / FILE_NAME)
    with pytest.raises(FrontierError):
        act(tmp_path, meant(A))


def test_examples_of_traps_go_from_what_is_noted_of_a_host(tmp_path: Path, queue: SqliteQueue) -> None:
    chain = grown_groups.Crawl(lambda path: (False, [f"/chain/{grown_groups.number(path) + 1}"])).run(60)
    note = handover.written({"a.example": chain.groups})
    ((_, site),) = handover.read(note).items()
    gone, *others = site.roots[0].examples
    fill(queue, Request(f"{A}/1"))
    queue.note("a.example", note)
    queue.close().result(10)
    for act in (find, remove):
        assert act(tmp_path, meant(gone)).trap_examples == [gone]
    ((_, there),) = handover.read(note_in(tmp_path)).items()
    assert list(there.roots[0].examples) == others
    assert remove(tmp_path, meant("nothing", A)).queued == 1
    assert note_in(tmp_path) == b""
