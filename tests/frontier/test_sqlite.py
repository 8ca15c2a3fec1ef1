"""What is SqliteQueue's own: crashes, several processes, what was visited, and files that are not as they should be.

What it shares with the other backends is in tests/contract/test_queue.py.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request, Spider

import scrapy_polite
from queues import closing as closed_after
from queues import errors, events
from scrapy_polite.frontier.codec import Codec
from scrapy_polite.frontier.order import Order
from scrapy_polite.frontier.queue import DeadLetter, FrontierError, LaneState, PushResult, QueueFailed, QueueRecovered
from scrapy_polite.frontier.sqlite.lanes import BufferedLanes
from scrapy_polite.frontier.sqlite.queue import SqliteQueue
from scrapy_polite.frontier.sqlite.requeue import MAX_POPS
from scrapy_polite.frontier.sqlite.schema import SCHEMA_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LIMIT_S = 60
LANE = "https://example.com"
KEPT, MEMORY_ONLY, SEEN = PushResult.KEPT, PushResult.MEMORY_ONLY, PushResult.SEEN

# One lane, first in, first out: after the push of `n` every third pops, with five in flight. A line after each flush.
CRAWL = """
import json, sys
from collections import deque
from pathlib import Path
from scrapy import Request, Spider
from scrapy_polite.frontier.codec import Codec
from scrapy_polite.frontier.sqlite.queue import SqliteQueue

queue = SqliteQueue(Path(sys.argv[1]), Codec(), Spider("test"))
queue.open().result()
popped = deque()
for number in range(10**9):
    request = Request(f"https://example.com/{number}")
    queue.push("https://example.com", (0, number), request, fingerprint=number.to_bytes(20, "big"))
    if number % 3 == 2:
        popped.append(queue.pop("https://example.com"))
    if len(popped) > 5:
        queue.done(popped.popleft())
    if number % 300 == 299:
        queue.flush().result()
    if number % 100 == 99:
        print(number - number % 300 if number % 300 != 299 else number + 1, flush=True)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "polite.frontier.sqlite"


@pytest.fixture
def opened(path: Path) -> Iterator[Callable[..., SqliteQueue]]:
    """Closes the queue on the one path, if any, and opens it again."""
    queues: list[SqliteQueue] = []

    def open_queue(**options: Any) -> SqliteQueue:
        for queue in queues:
            queue.close().result(LIMIT_S)
        queues.append(SqliteQueue(path, options.pop("codec", Codec()), Spider("test"), **options))
        queues[-1].open().result(LIMIT_S)
        return queues[-1]

    yield open_queue
    for queue in queues:
        queue.close().result(LIMIT_S)


def page(number: int, **options: Any) -> Request:
    return Request(f"{LANE}/{number}", **options)


def drained(queue: SqliteQueue) -> list[str]:
    urls = []
    while (lane := next(queue.lanes(), None)) is not None:
        if not queue.ready(lane):
            queue.fetch([lane]).result(LIMIT_S)
            continue
        entry = queue.pop(lane)
        urls.append(entry.request.url)
        queue.done(entry)
    return urls


def rows(path: Path, query: str) -> list[Any]:
    with closing(sqlite3.connect(path)) as db:
        return [row[0] for row in db.execute(query).fetchall()]


def process(script: str, path: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(Path(scrapy_polite.__file__).parents[1])}
    return subprocess.Popen(
        [sys.executable, "-c", script, str(path)], env=environment, stdout=subprocess.PIPE, text=True
    )


# Crashes


@pytest.mark.parametrize("lines", [1, 7, 23])
def test_a_killed_process_leaves_the_work_up_to_one_moment(path: Path, lines: int) -> None:
    with process(CRAWL, path) as crawl:
        assert crawl.stdout is not None
        flushed = max(int(crawl.stdout.readline()) for _ in range(lines))
        crawl.kill()
    visited = [int.from_bytes(fingerprint, "big") for fingerprint in rows(path, "SELECT fingerprint FROM visited")]
    popped = len(rows(path, "SELECT id FROM popped"))
    queued = [int(json.loads(body[1:])["url"].rsplit("/")[-1]) for body in rows(path, "SELECT request FROM requests")]

    count = len(visited)
    done = min(queued, default=count)
    assert count >= flushed
    assert sorted(visited) == list(range(count))
    assert sorted(queued) == list(range(done, count))
    # The steps after a push are in the same transaction or in the next.
    assert popped + done in {count // 3, (count - 1) // 3}
    assert popped in {5, 6} or popped + done <= 5

    queue = SqliteQueue(path, Codec(), Spider("test"))
    queue.open().result(LIMIT_S)
    assert drained(queue) == [page(number).url for number in range(done, count)]
    assert queue.visited_count == count
    assert all(queue.has_seen(number.to_bytes(20, "big")) for number in range(count))
    queue.close().result(LIMIT_S)


def test_what_is_pushed_is_on_disk_before_long(path: Path, opened: Callable[..., SqliteQueue]) -> None:
    opened().push(LANE, (0, 1), page(1))
    deadline = time.monotonic() + LIMIT_S
    while not rows(path, "SELECT id FROM requests"):
        assert time.monotonic() < deadline


def test_what_was_in_flight_goes_ahead_of_its_equals(opened: Callable[..., SqliteQueue]) -> None:
    queue = opened()
    for number in (1, 2, 3, 4):
        queue.push(LANE, (0, number), page(number))
    queue.push(LANE, (-1, 9), page(9))
    in_flight = [queue.pop(LANE).request.url for _ in range(3)]
    assert in_flight == [page(number).url for number in (9, 1, 2)]
    queue.push(LANE, (0, -5), page(5))
    queue.close().result(LIMIT_S)
    queue = opened()
    assert drained(queue) == [page(number).url for number in (9, 1, 2, 5, 3, 4)]
    assert not queue.events()


def test_only_what_may_be_repeated_is_repeated(path: Path, opened: Callable[..., SqliteQueue]) -> None:
    queue = opened()
    methods = ("GET", "HEAD", "POST", "PUT", "PATCH")
    for number, method in enumerate(methods):
        queue.push(LANE, (0, number), page(number, method=method))
    queue.push(LANE, (0, 9), page(9, method="POST"))
    for _ in methods:
        queue.pop(LANE)
    queue.close().result(LIMIT_S)
    queue = opened()
    assert sorted((aside.method, aside.url) for aside in events(queue, DeadLetter)) == [
        ("PATCH", page(4).url),
        ("POST", page(2).url),
    ]
    assert drained(queue) == [page(0).url, page(1).url, page(3).url, page(9).url]
    queue.close().result(LIMIT_S)
    assert not opened().events()
    assert sorted(rows(path, "SELECT method FROM set_aside")) == ["PATCH", "POST"]


def test_what_is_popped_again_and_again_is_set_aside(opened: Callable[..., SqliteQueue]) -> None:
    opened().push(LANE, (0, 1), page(1))
    for pops in range(1, MAX_POPS + 1):
        assert _fetched(opened()).pops == pops
    queue = opened()
    assert len(queue) == 0
    (aside,) = events(queue, DeadLetter)
    assert aside.url == page(1).url
    assert str(MAX_POPS) in aside.why


def test_what_is_given_back_does_not_count_as_popped(opened: Callable[..., SqliteQueue]) -> None:
    opened().push(LANE, (0, 1), page(1))
    for _ in range(MAX_POPS + 1):
        queue = opened()
        queue.give_back(_fetched(queue), (0, 1))
    assert _fetched(opened()).pops == 1


def test_what_is_given_back_unwritable_is_not_lost(opened: Callable[..., SqliteQueue]) -> None:
    queue = opened()
    queue.push(LANE, (0, 1), page(1))
    entry = queue.pop(LANE)
    entry.request.meta["file"] = object()
    queue.give_back(entry, (0, 0))
    entry = queue.pop(LANE)
    assert not entry.kept
    queue = opened()
    entry = _fetched(queue)
    assert entry.request.url == page(1).url
    entry.request.meta["file"] = object()
    queue.give_back(entry, (0, 0))
    queue.done(queue.pop(LANE))
    assert len(opened()) == 0


def _fetched(queue: SqliteQueue) -> Any:
    queue.fetch([LANE]).result(LIMIT_S)
    return queue.pop(LANE)


@pytest.mark.parametrize("ends", ["closed", "killed"])
def test_no_log_is_left_beside_the_file(path: Path, opened: Callable[..., SqliteQueue], ends: str) -> None:
    log = path.with_name(f"{path.name}-wal")
    if ends == "killed":
        with process(CRAWL, path) as crawl:
            assert crawl.stdout is not None
            for _ in range(23):
                crawl.stdout.readline()
            crawl.kill()
    else:
        queue = opened()
        queue.mark_seen(b"\1")
        queue.close().result(LIMIT_S)
    queue = opened()
    assert not log.exists() or log.stat().st_size < 50_000
    assert queue.has_seen(b"\1" if ends == "closed" else bytes(20))  # which is looked up in the file
    queue.push(LANE, (0, 1), page(1))
    queue.close().result(LIMIT_S)
    assert sorted(file.name for file in path.parent.iterdir()) == [path.name, f"{path.name}.lock"]


# Several processes


def test_a_second_queue_on_the_same_file_is_refused(path: Path, opened: Callable[..., SqliteQueue]) -> None:
    queue = opened()
    with pytest.raises(FrontierError, match=rf"in use by process {os.getpid()}; .*JOBDIR"):
        SqliteQueue(path, Codec(), Spider("test")).open().result(LIMIT_S)
    queue.close().result(LIMIT_S)
    with process(CRAWL, path) as crawl:
        assert crawl.stdout is not None
        crawl.stdout.readline()
        with pytest.raises(FrontierError, match=f"in use by process {crawl.pid}"):
            opened()
        crawl.kill()
    opened()


def test_files_are_private_and_the_folder_is_left_alone(path: Path, opened: Callable[..., SqliteQueue]) -> None:
    path.parent.chmod(0o755)
    opened().push(LANE, (0, 1), page(1))
    assert {file.stat().st_mode & 0o777 for file in path.parent.iterdir()} == {0o600}
    assert path.parent.stat().st_mode & 0o777 == 0o755


# What was visited


def test_visited_is_exact_over_memory_disk_and_runs(
    opened: Callable[..., SqliteQueue], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scrapy_polite.frontier.sqlite.seen._RECENT", 10)
    first = [number.to_bytes(20, "big") for number in range(300)]
    queue = opened()
    for number, fingerprint in enumerate(first):
        assert queue.push(LANE, (0, number), page(number), fingerprint=fingerprint) is KEPT
        if number % 50 == 49:
            queue.flush().result(LIMIT_S)
    assert len(queue._seen._recent) < 150
    assert all(queue.push(LANE, (0, 0), page(0), fingerprint=fingerprint) is SEEN for fingerprint in first)
    for visited, filter_load in ((300, 10**6), (301, 0)):
        monkeypatch.setattr("scrapy_polite.frontier.sqlite.visited._FILTER_LOAD", filter_load)
        queue = opened()
        assert queue.visited_count == visited
        assert all(queue.push(LANE, (0, 0), page(0), fingerprint=fingerprint) is SEEN for fingerprint in first)
        assert all(queue.has_seen(fingerprint) for fingerprint in first)
        assert not queue.has_seen(b"another")
        another = f"another {filter_load}".encode()
        assert queue.push(LANE, (0, 300), page(300), fingerprint=another) is KEPT
        assert queue.has_seen(another)
        assert queue.visited_count == visited + 1


def test_a_request_in_memory_alone_is_visited_on_disk_when_it_is_done(opened: Callable[..., SqliteQueue]) -> None:
    queue = opened()
    for number in (1, 2):
        assert not queue.has_seen(bytes([number]))
        queue.push(LANE, (0, number), page(number, meta={"file": object()}), fingerprint=bytes([number]))
    queue.done(queue.pop(LANE))
    assert queue.has_seen(b"\1")
    assert queue.has_seen(b"\2")
    queue = opened()
    assert queue.has_seen(b"\1")
    assert not queue.has_seen(b"\2")


# Memory


def test_memory_is_bounded_however_much_is_queued(opened: Callable[..., SqliteQueue]) -> None:
    queue = opened(buffer=50)
    for number in range(2_000):
        queue.push(f"{LANE}:{number % 40}", (0, -number), page(number))
    assert queue._lanes.held <= 50
    assert len(queue) == 2_000
    for lane in list(queue.lanes()):
        queue.fetch([lane]).result(LIMIT_S)
        assert queue.ready(lane)
        assert queue._lanes.held <= 50 + 50
    assert sorted(drained(queue)) == sorted(page(number).url for number in range(2_000))
    assert not queue._lanes._lanes
    assert queue._lanes.held == 0


def test_what_goes_ahead_of_a_full_memory_moves_others_to_disk_many_at_a_time(
    opened: Callable[..., SqliteQueue], monkeypatch: pytest.MonkeyPatch
) -> None:
    spills = []
    spill = BufferedLanes._spill
    monkeypatch.setattr(BufferedLanes, "_spill", lambda self, *args: (spills.append(1), spill(self, *args)))
    queue = opened(buffer=100)
    for number in range(600):
        queue.push(LANE, (0, -number), page(number))
    assert queue._lanes.held <= 100
    assert len(spills) <= 12
    assert drained(queue) == [page(number).url for number in reversed(range(600))]


def test_memory_is_bounded_beside_what_cannot_leave_it(opened: Callable[..., SqliteQueue]) -> None:
    queue = opened(buffer=10)
    for number in range(50):
        queue.push(LANE, (1, number), page(number, meta={"file": object()}))
    for number in range(50, 100):
        queue.push(LANE, (0, -number), page(number))
    assert queue._lanes.held <= 10
    assert queue.memory_only(LANE) == 50
    assert sorted(drained(queue)) == sorted(page(number).url for number in range(100))


def test_what_cannot_be_kept_can_be_taken_by_itself(opened: Callable[..., SqliteQueue]) -> None:
    queue = opened()
    for number in range(4):
        queue.push(LANE, (0, number), page(number, meta={"file": object()} if number % 2 else {}))
    assert queue.memory_only(LANE) == 2
    taken = [queue.pop_memory_only(LANE) for _ in range(2)]
    assert [entry.request.url for entry in taken] == [page(1).url, page(3).url]
    assert queue.memory_only(LANE) == 0
    with pytest.raises(LookupError):
        queue.pop_memory_only(LANE)
    assert drained(queue) == [page(0).url, page(2).url]
    for entry in taken:
        queue.done(entry)
    assert not queue._lanes._lanes


def test_says_what_is_queued_from_an_earlier_run(path: Path, opened: Callable[..., SqliteQueue]) -> None:
    queue = opened()
    for number in range(5):
        queue.push(f"lane {number % 2}", (-number, number), page(number))
    queue.close().result(LIMIT_S)
    states = SqliteQueue(path, Codec(), Spider("test"))
    assert sorted(states.open().result(LIMIT_S), key=lambda state: state.lane) == [
        LaneState("lane 0", (-4, 4), 3),
        LaneState("lane 1", (-3, 3), 2),
    ]
    states.close().result(LIMIT_S)


# Faults


def test_while_the_disk_fails_the_queue_goes_on_in_memory(path: Path, opened: Callable[..., SqliteQueue]) -> None:
    queue = opened(buffer=2, busy_timeout_s=0.0)
    for number in range(4):
        queue.push(LANE, (0, number), page(number))
    queue.flush().result(LIMIT_S)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        queue.push(LANE, (0, 4), page(4))
        with pytest.raises(FrontierError, match=r"polite\.frontier\.sqlite: .*locked; stop the process"):
            queue.flush().result(LIMIT_S)
        assert queue.push("elsewhere", (0, 5), page(5)) is MEMORY_ONLY
        assert queue.push("elsewhere", (0, 6), page(6)) is MEMORY_ONLY
        queue.done(queue.pop("elsewhere"))
        queue.done(queue.pop(LANE))
        with pytest.raises(FrontierError, match="locked"):
            queue.fetch([LANE]).result(LIMIT_S)
        assert len(events(queue, QueueFailed)) == 1
        other.execute("ROLLBACK")
    queue.flush().result(LIMIT_S)
    assert queue.push("elsewhere", (0, 7), page(7)) is KEPT
    assert sorted(drained(queue)) == [page(number).url for number in (1, 2, 3, 4, 6, 7)]
    assert events(queue, QueueRecovered) == [QueueRecovered()]
    assert len(opened()) == 0


def test_what_could_not_be_written_by_the_end_is_counted(path: Path, opened: Callable[..., SqliteQueue]) -> None:
    queue = opened(busy_timeout_s=0.0)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        for number in range(4):
            queue.push(LANE, (0, number), page(number))
        with pytest.raises(FrontierError):
            queue.flush().result(LIMIT_S)
        queue.done(queue.pop(LANE))
        queue.close().result(LIMIT_S)
    assert queue.lost == 3
    assert "requests that are lost with the crawl's end: 3" in str(errors(queue)[-1])


PRIORITIES = {"the most": sys.maxsize, "more": sys.maxsize + 2, "the least": -sys.maxsize - 1, "less": -(2**70)}


@pytest.mark.parametrize("priority", PRIORITIES.values(), ids=PRIORITIES)
def test_any_priority_can_be_written(opened: Callable[..., SqliteQueue], priority: int) -> None:
    order, queue = Order(), opened()
    for number, request in enumerate((page(0), page(1, priority=priority))):
        queue.push(LANE, order.rank(request, number), request)
    queue.fetch([LANE]).result(LIMIT_S)
    entry = queue.pop(LANE)
    queue.give_back(entry, order.rank_back(entry.request, 2))
    expected = [page(1).url, page(0).url]
    assert drained(opened()) == (expected if priority > 0 else expected[::-1])


def test_what_no_file_can_hold_keeps_nothing_else_out(path: Path, opened: Callable[..., SqliteQueue]) -> None:
    queue = opened()
    for number, rank in enumerate([(0, 0), (2**70, 0), (0, 1)]):
        assert queue.push(LANE, rank, page(number), fingerprint=bytes([number])) is KEPT
    queue.flush().result(LIMIT_S)
    assert [json.loads(body[1:])["url"] for body in rows(path, "SELECT request FROM requests")] == [
        page(0).url,
        page(2).url,
    ]
    queue.push(LANE, (0, 3), page(3))
    queue.flush().result(LIMIT_S)
    assert drained(queue) == [page(number).url for number in (0, 2, 3, 1)]
    (error,) = errors(queue)
    assert "cannot hold a request" in str(error)


def test_says_when_the_disk_is_behind(
    path: Path, opened: Callable[..., SqliteQueue], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scrapy_polite.frontier.sqlite.writer._MAX_UNWRITTEN", 10)
    queue = opened()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        for number in range(11):
            queue.push(LANE, (0, number), page(number))
        flushed = queue.flush()
        assert queue.behind
    flushed.result(LIMIT_S)
    assert not queue.behind


def test_what_cannot_be_read_is_set_aside(path: Path, opened: Callable[..., SqliteQueue]) -> None:
    queue = opened(codec=Codec(pickle=True))
    for number in range(3):
        queue.push(LANE, (0, number), page(number, meta={"path": path} if number != 1 else {}))
    queue.close().result(LIMIT_S)
    queue = opened()
    queue.fetch([LANE]).result(LIMIT_S)
    assert queue.ready(LANE)
    assert drained(queue) == [page(1).url]
    assert ["pickle" in aside.why for aside in events(queue, DeadLetter)] == [True, True]
    queue.close().result(LIMIT_S)
    assert len(rows(path, "SELECT id FROM set_aside")) == 2
    assert rows(path, "SELECT id FROM requests") == []


def _other_application(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE other (id)")
    path.chmod(0o600)


def _newer(path: Path) -> None:
    queue = SqliteQueue(path, Codec(), Spider("test"))
    queue.open().result(LIMIT_S)
    queue.close().result(LIMIT_S)
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")


def _with_a_trigger(path: Path) -> None:
    queue = SqliteQueue(path, Codec(), Spider("test"))
    queue.open().result(LIMIT_S)
    queue.close().result(LIMIT_S)
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TRIGGER t AFTER INSERT ON popped BEGIN DELETE FROM requests; END")


def _readable_by_all(path: Path) -> None:
    path.touch(mode=0o644)
    path.chmod(0o644)


def _garbage(path: Path) -> None:
    path.write_bytes(b"no database at all" * 100)
    path.chmod(0o600)


FILES = {
    "another application's": (_other_application, "not a queue of scrapy-polite; delete it or"),
    "of a newer version": (_newer, "newer scrapy-polite .*upgrade"),
    "with a trigger": (_with_a_trigger, "its tables are not those"),
    "readable by others": (_readable_by_all, r"others can get at it .*mode 644.*`chmod 600 "),
    "no database": (_garbage, "not a database; `scrapy polite recover"),
    "empty": (lambda path: path.touch(mode=0o600), "it is empty, so its queue is lost; delete it"),
    "a folder": (lambda path: path.mkdir(mode=0o700), "unable to open database file; make"),
}


@pytest.mark.parametrize(("make", "says"), FILES.values(), ids=FILES)
def test_a_file_that_is_not_ours_is_refused_with_advice(path: Path, make: Callable[[Path], None], says: str) -> None:
    make(path)
    queue = SqliteQueue(path, Codec(), Spider("test"))
    with pytest.raises(FrontierError, match=says):
        queue.open().result(LIMIT_S)
    queue.close().result(LIMIT_S)


FOLDERS = {"all may write": 0o777, "all may write, and delete their own": 0o1777, "others may write": 0o702}


@pytest.mark.skipif(os.name != "posix", reason="no modes")
@pytest.mark.parametrize("mode", FOLDERS.values(), ids=FOLDERS)
def test_a_folder_that_others_may_write_to_is_refused_with_the_command(path: Path, mode: int) -> None:
    path.parent.chmod(mode)
    with closed_after(SqliteQueue(path, Codec(), Spider("test"))) as queue:
        says = rf"{path.parent}: others can get at it .*mode {mode:03o}\).*`chmod go-w {path.parent}`"
        with pytest.raises(FrontierError, match=says):
            queue.open().result(LIMIT_S)
    assert not [*path.parent.iterdir()]
    subprocess.run(["chmod", "go-w", str(path.parent)], check=True)
    with closed_after(SqliteQueue(path, Codec(), Spider("test"))) as queue:
        queue.open().result(LIMIT_S)


@pytest.mark.skipif(os.name != "posix", reason="no modes")
def test_a_group_may_write_where_its_only_member_is_the_user(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import grp
    import pwd

    path.parent.chmod(0o775)
    group = grp.getgrgid(path.parent.stat().st_gid)
    name = pwd.getpwuid(os.geteuid()).pw_name
    for members, refused in (([], False), ([name], False), ([name, "another"], True)):
        found = grp.struct_group((name, group.gr_passwd, group.gr_gid, members))
        monkeypatch.setattr(grp, "getgrgid", lambda number, found=found: found)
        with closed_after(SqliteQueue(path, Codec(), Spider("test"))) as queue:
            assert isinstance(queue.open().exception(LIMIT_S), FrontierError) == refused


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_user_is_refused(path: Path) -> None:
    os.chown(path.parent, 12_345, -1)
    with (
        closed_after(SqliteQueue(path, Codec(), Spider("test"))) as queue,
        pytest.raises(FrontierError, match=r"owner 12345, .*`chown 0 "),
    ):
        queue.open().result(LIMIT_S)


def test_a_closed_queue_says_so(opened: Callable[..., SqliteQueue]) -> None:
    queue = opened()
    queue.close().result(LIMIT_S)
    queue.close().result(LIMIT_S)
    with pytest.raises(FrontierError, match="closed"):
        queue.flush().result(LIMIT_S)
