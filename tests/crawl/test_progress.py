"""The line, or the bar, that says every now and then how a crawl is getting on."""

from __future__ import annotations

import fcntl
import io
import json
import logging
import math
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy.dupefilters import BaseDupeFilter

import crawls
from crawlers import crawler
from crawls import crawl
from scrapy_polite._engine import Engine
from scrapy_polite.frontier.lane import OriginLane
from scrapy_polite.frontier.scheduler import Scheduler
from scrapy_polite.monitor.hosts import (
    CLOSED,
    IN_TURN,
    MAX_LOOKED_AT,
    READY,
    STATES,
    UNREAD,
    Hosts,
    Opening,
)
from scrapy_polite.monitor.progress import Progress, _Bar
from scrapy_polite.pacing.gate import Gate, PacingConfig
from trap_sites import endless, html, prose
from webserver import Answer, Asked, Origin, robots

LINE = re.compile(
    r"scrapy-polite: (?P<pages>[\d,]+) pages \([\d.e+-]+ a second, [\d.e+-]+ in all\); "
    r"(?P<queued>[\d,]+) requests queued(?:, (?P<most>[\d,]+) of them of (?P<place>[^;]+))?; hosts: (?P<hosts>[^;]+)"
    r"(?:; next (?P<next>to open|in turn): (?P<host>\S+) in \d+ (?:s|min|h) \((?P<why>.*)\))?"
    r"(?:; queued work takes(?: at least)? \d+ (?:s|min|h|days))?$"
)
OFTEN = {"POLITE_PROGRESS": 0.3}


def lines(crawled: crawls.Crawled) -> list[re.Match[str]]:
    found = [LINE.search(line) for line in crawled.logged("INFO", " a second, ")]
    assert None not in found, crawled.log
    return [line for line in found if line is not None]


def test_a_line_says_what_is_done_what_is_queued_and_whose_turn_comes_next(loop_mode: str) -> None:
    slow = {"/robots.txt": robots("User-agent: *\nCrawl-delay: 1\n")}
    with Origin(slow) as site:
        crawled = crawl(loop_mode, [f"{site.url}/{n}" for n in range(4)], OFTEN)
    told = lines(crawled)
    assert len(told) >= 5
    pages = [int(line["pages"]) for line in told]
    assert pages == sorted(pages)
    assert 0 < pages[-1] <= 4
    assert {int(line["queued"]) for line in told} >= {1, 2}
    waiting = [line for line in told if line["hosts"] == "1 in turn" and line["next"]]
    assert {line["next"] for line in waiting} == {"in turn"}
    assert {(line["host"], line["why"]) for line in waiting} == {
        ("127.0.0.1", "pace/crawl-delay: Crawl-delay 1 s"),
    }


def test_a_host_that_waits_its_turn_is_not_closed_nor_is_one_ready_whose_robots_txt_hangs(loop_mode: str) -> None:
    slow = {"/robots.txt": robots("User-agent: *\nCrawl-delay: 1\n")}
    hung = {"/robots.txt": Answer(delay_s=8)}
    busy = {"/0": Answer(503, headers={"Retry-After": "7200"})}
    addresses = ["127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4"]
    tables = [slow, hung, {"/robots.txt": Answer(500)}, busy]
    with ExitStack() as stack:
        sites = [stack.enter_context(Origin(*site)) for site in zip(tables, addresses, strict=True)]
        urls = [f"{site.url}/{n}" for n in range(4) for site in sites]
        settings = OFTEN | {"POLITE_ROBOTS_ATTEMPTS": 1, "CONCURRENT_REQUESTS_PER_DOMAIN": 1, "RETRY_TIMES": 0}
        crawled = crawl(loop_mode, urls, settings, close_after_s=4)
    found = [line for line in lines(crawled) if line["hosts"] == "1 waiting for robots.txt, 1 in turn, 2 closed"]
    assert found, crawled.log
    assert {line["next"] for line in found} == {"to open"}
    assert {(line["host"], line["why"]) for line in found} == {("127.0.0.3", "robots/unreachable")}


def test_a_place_is_named_once_most_of_a_long_queue_is_of_it(loop_mode: str) -> None:
    def item(asked: Asked) -> Answer:
        at = int(asked.path.rpartition("/")[2])
        return html(prose(at), *(f"/item/{at * 50 + one}" for one in range(1, 51)))

    with endless(item, {"/": html("Home", "/item/1")}) as site:
        settings = OFTEN | {"CLOSESPIDER_PAGECOUNT": 150}
        crawled = crawl(loop_mode, [site.url], settings, spider="links")
    named = [line for line in lines(crawled) if line["place"]]
    assert named, crawled.log
    assert {line["place"] for line in named} == {f"{site.url.removeprefix('http://')} /item/*"}
    for line in lines(crawled):
        count, queued = (int((line[name] or "0").replace(",", "")) for name in ("most", "queued"))
        assert count <= queued
        assert bool(line["place"]) is (count >= 1_000)


def test_robots_txt_and_media_of_our_own_are_no_pages(loop_mode: str) -> None:
    with Origin({"/1": Answer(delay_s=0.8)}) as site:
        crawled = crawl(loop_mode, [f"{site.url}/1"], OFTEN)
    assert site.robots_fetches() == 1
    told = [int(line["pages"]) for line in lines(crawled)]
    assert told[0] == 0
    assert set(told) <= {0, 1}  # a line may come between the page and the end


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({"POLITE_PROGRESS": 0}, id="turned-off"),
        pytest.param({}, id="a-crawl-of-less-than-a-minute"),
    ],
)
def test_no_line_is_written(loop_mode: str, settings: dict[str, Any]) -> None:
    with Origin({"/1": Answer(delay_s=0.6)}) as site:
        crawled = crawl(loop_mode, [f"{site.url}/1"], settings)
    assert lines(crawled) == []
    assert "Disabled Progress" not in crawled.log


def test_with_another_scheduler_a_line_still_says_what_is_queued(loop_mode: str) -> None:
    with Origin({f"/{n}": Answer(delay_s=0.5) for n in (1, 2, 3)}) as site:
        settings = OFTEN | {"SCHEDULER": "scrapy.core.scheduler.Scheduler", "CONCURRENT_REQUESTS": 1}
        crawled = crawl(loop_mode, [f"{site.url}/1", f"{site.url}/2", f"{site.url}/3"], settings)
    assert any(int(line["queued"]) > 0 for line in lines(crawled))


# Many hosts


class _Gate:
    """Of ten four are ready, three in turn and three closed. Counts how often it is looked at."""

    looked_at = 0

    def __init__(self, number: int) -> None:
        self.key = f"{number}.example"
        self.lanes = 1
        self.in_flight = 0
        self.full = False
        self._at = 100.0 + number if number % 10 < 6 else 0.0
        self._shut = number % 10 < 3

    def opens_at(self, now: float) -> float:
        _Gate.looked_at += 1
        return self._at

    def shut_until(self, now: float) -> float:
        return self._at if self._shut else 0.0

    def why(self, now: float) -> tuple[str, str]:
        return "pace/backoff", "HTTP 503"


@pytest.mark.parametrize("ours", [True, False], ids=["our scheduler", "another scheduler"])
@pytest.mark.parametrize("count", [MAX_LOOKED_AT + 1, 50 * MAX_LOOKED_AT])
def test_of_very_many_hosts_a_few_are_looked_at_and_stand_for_all(
    count: int, ours: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    gates = [_Gate(number) for number in range(count)]
    progress = Progress(crawler())
    if ours:
        scheduler = Scheduler(progress.crawler, BaseDupeFilter(), None)
        for gate in gates:
            lane = scheduler._lanes._lanes[gate.key] = OriginLane(gate.key, gate, None)  # type: ignore[arg-type]
            scheduler._lanes.schedule.add(lane)
        monkeypatch.setattr(Engine, "scheduler", scheduler)
        progress._pacing.serve(scheduler)
    else:
        monkeypatch.setattr(progress._pacing, "gates", gates)
    monkeypatch.setattr(_Gate, "looked_at", 0)

    hosts = progress._hosts.look(50.0)

    assert _Gate.looked_at <= MAX_LOOKED_AT
    assert not hosts.exact
    assert sum(hosts.counts.values()) == pytest.approx(count, rel=0.01)
    assert hosts.next == Opening(100.0, "0.example", "pace/backoff", "HTTP 503")


def test_an_estimate_says_so_and_what_there_is_none_of_is_left_out() -> None:
    counts = {READY: 12_000, UNREAD: 0, IN_TURN: 0, CLOSED: 40}
    assert str(Hosts(counts)) == "hosts: 12,000 ready, 40 closed"
    assert str(Hosts(counts, exact=False)) == "hosts: about 12,000 ready, about 40 closed"
    assert str(Hosts(dict.fromkeys(STATES, 0))) == "hosts: none"


@pytest.mark.parametrize(
    ("lanes", "state"),
    [
        ([0.0], READY),
        ([math.inf], UNREAD),
        ([100.0], CLOSED),
        ([100.0, 0.0], READY),
        ([math.inf, 100.0], CLOSED),
        ([math.inf, 0.0], READY),
    ],
)
def test_a_host_is_as_ready_as_the_first_of_its_origins(
    lanes: list[float], state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    progress = Progress(crawler())
    gate = Gate("a.example", PacingConfig())
    scheduler = SimpleNamespace(lanes=lambda most: [(gate, until) for until in lanes], host_count=1)
    monkeypatch.setattr(Engine, "scheduler", scheduler)
    progress._pacing.serve(scheduler)  # type: ignore[arg-type]
    hosts = progress._hosts.look(50.0)
    assert hosts.counts == dict.fromkeys(STATES, 0) | {state: 1}
    assert hosts.exact


def test_what_a_server_said_is_escaped_and_cut() -> None:
    hosts = Hosts({CLOSED: 1}, Opening(4.0, "h", "pace/backoff", "\x1b[31m" + "x" * 200))
    text = hosts.next_text(0.0)
    assert text.isprintable()
    assert text.startswith(r"next to open: h in 4 s (pace/backoff: \x1b[31mx")
    assert len(text) < 150


# The bar


class _Tqdm:
    """What the extension uses of `tqdm.tqdm`, drawn as text."""

    written: list[str]

    def __init__(self, **options: Any) -> None:
        self.n = 0
        self.total: int | None = None
        self.postfix = ""
        self.closed = False
        _Tqdm.written = []

    def set_postfix_str(self, text: str, *, refresh: bool) -> None:
        self.postfix = text

    def update(self, count: int) -> None:
        self.n += count

    def refresh(self) -> None:
        pass

    def close(self) -> None:
        self.closed = True

    @classmethod
    def write(cls, text: str, file: Any, end: str) -> None:
        cls.written.append(text + end)
        file.write(text + end)


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def terminal(monkeypatch: pytest.MonkeyPatch) -> tuple[_Terminal, logging.StreamHandler[Any]]:
    """A terminal with the log on it, at INFO, and nothing else that listens to the log."""
    stream = _Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setitem(sys.modules, "tqdm", SimpleNamespace(tqdm=_Tqdm))
    handler: logging.StreamHandler[Any] = logging.StreamHandler(stream)
    handler.setLevel(logging.INFO)
    monkeypatch.setattr(logging.root, "handlers", [handler])
    monkeypatch.setattr(logging.root, "level", logging.DEBUG)
    return stream, handler


def test_while_there_is_a_bar_log_lines_go_above_it(monkeypatch: pytest.MonkeyPatch) -> None:
    stream, handler = terminal(monkeypatch)
    bar = _Bar.on_terminal()
    assert bar is not None
    bar.draw(3, 7, ["hosts: 1 ready", ""])
    assert (bar._bar.n, bar._bar.total, bar._bar.postfix) == (3, 10, "hosts: 1 ready")
    logging.getLogger("test").info("above")
    logging.getLogger("test").debug("below its level")
    assert _Tqdm.written == ["above\n"]
    bar.close()
    assert bar._bar.closed
    assert handler.stream is stream
    logging.getLogger("test").info("after")
    assert stream.getvalue() == "above\nafter\n"
    assert _Tqdm.written == ["above\n"]


@pytest.mark.parametrize(
    "what", ["no terminal", "one without a size", "no tqdm", "log elsewhere", "log without these lines", "another bar"]
)
def test_there_is_no_bar(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stream, handler = terminal(monkeypatch)
    if what == "no terminal":
        monkeypatch.setattr(stream, "isatty", lambda: False)
    elif what == "one without a size":
        _, slave = pty.openpty()  # of 0 columns and rows, until somebody says otherwise
        monkeypatch.setattr(stream, "fileno", lambda: slave)
    elif what == "no tqdm":
        monkeypatch.setitem(sys.modules, "tqdm", None)
    elif what == "log elsewhere":
        handler.setStream(io.StringIO())
    elif what == "log without these lines":
        handler.setLevel(logging.WARNING)
    else:
        assert _Bar.on_terminal() is not None
    assert _Bar.on_terminal() is None


def test_a_real_bar_on_a_real_terminal_breaks_no_line_of_the_log(loop_mode: str, tmp_path: Path) -> None:
    pytest.importorskip("tqdm", reason="tqdm is not installed")
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("4H", 40, 200, 0, 0))
    table = {"/robots.txt": robots("User-agent: *\nCrawl-delay: 0.6\n")}
    with Origin(table) as site, os.fdopen(slave, "wb") as far_end:
        job = {"urls": [f"{site.url}/{n}" for n in range(5)], "spider": "list", "meta": {}, "headers": {}}
        job |= {"allowed_domains": [], "close_after_s": None}
        settings = crawls.SETTINGS | crawls.LOOP_SETTINGS[loop_mode] | OFTEN
        process = subprocess.Popen(
            [sys.executable, crawls.__file__],
            cwd=tmp_path,
            env=crawls.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=far_end,
        )
        assert process.stdin
        process.stdin.write(json.dumps({"jobs": [job], "settings": settings}).encode())
        process.stdin.close()
        shown = _read(master, process)
    assert process.returncode == 0, shown
    assert "hosts: 1 in turn; next in turn: 127.0.0.1" in shown
    assert " a second, " not in shown
    # A terminal shows what stands after the last carriage return.
    final = [line.rstrip("\r").rpartition("\r")[2] for line in shown.split("\n")]
    crawled = [line for line in final if "DEBUG: Crawled (200)" in line]
    assert len(crawled) >= 5
    assert all(re.match(r"(\x1b\[\w+)*\d{4}-\d\d-\d\d ", line) for line in crawled), crawled


def _read(master: int, process: subprocess.Popen[bytes]) -> str:
    pieces = []
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if select.select([master], [], [], 0.1)[0]:
            pieces.append(os.read(master, 65_536))
        elif process.poll() is not None:
            break
    process.wait(10)
    return b"".join(pieces).decode("utf-8", "replace")
