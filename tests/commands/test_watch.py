"""`scrapy polite watch` on the real command line, beside real crawls: in a terminal, and as a page."""

from __future__ import annotations

import fcntl
import http.client
import json
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from commandline import make_project
from crawls import environment
from projects import scrapy
from run_parts import write_run
from watch_parts import WATCH, Terminal, crawls_at_work, live_run, page_of

NAMES = ["news", "shop", "wiki"]


class Watched:
    """`scrapy polite watch` on a terminal of its own."""

    def __init__(self, project: Path, *words: str, columns: int = 100, rows: int = 40) -> None:
        self._ours, theirs = pty.openpty()
        self.resize(columns, rows)
        self.terminal = Terminal()
        self.process = subprocess.Popen(
            [*WATCH, *words],
            cwd=project,
            env=environment() | {"TERM": "xterm"},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 (Ctrl-C takes a terminal of its own)
        )
        os.close(theirs)

    def resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def until(self, wanted: Callable[[list[str]], bool], timeout_s: float = 30.0) -> list[str]:
        """What the terminal shows, as soon as that is as it is wanted."""
        deadline = time.monotonic() + timeout_s
        while not wanted(self.terminal.rows):
            assert time.monotonic() < deadline, "\n".join(self.terminal.rows)
            self._read(0.1)
        return [row.rstrip() for row in self.terminal.rows]

    def press_ctrl_c(self) -> int:
        """Its exit status; the rest of its output is on the terminal."""
        os.write(self._ours, b"\x03")
        return self.wait()

    def wait(self) -> int:
        status = self.process.wait(20)
        while self._read(0.2):
            pass
        return status

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._ours)

    def _read(self, timeout_s: float) -> bool:
        if not select.select([self._ours], [], [], timeout_s)[0]:
            return False
        try:
            data = os.read(self._ours, 65_536)
        except OSError:  # Linux: nobody has the other end any more
            return False
        self.terminal.write(data.decode("utf-8", "replace"))
        return True


@contextmanager
def watched(project: Path, *words: str, columns: int = 100) -> Iterator[Watched]:
    made = Watched(project, *words, columns=columns)
    try:
        yield made
    finally:
        made.close()


def pages(rows: list[str]) -> int:
    return next((int(row.split()[1]) for row in rows if row.split()[:1] == ["pages"]), 0)


def test_in_a_terminal_the_numbers_move_in_place_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    with crawls_at_work(tmp_path / "project", ["shop"]) as project, watched(project, "--every", "0.2") as watch:
        first = watch.until(lambda rows: pages(rows) > 0 and any("Crawl-delay" in row for row in rows))
        assert first[0].startswith("Why is it still running? It is at work, ")
        assert any(row.split()[:2] == ["refused", "1"] and "robots/disallow" in row for row in first)
        later = watch.until(lambda rows: pages(rows) > pages(first))
        assert [row.startswith("Why is it still running?") for row in later].count(True) == 1
        watch.resize(40, 40)
        # A terminal that gets narrower may show anything until it is drawn anew.
        watch.until(lambda rows: rows[0] != "" and max(map(len, rows)) < 40)
        assert watch.press_ctrl_c() == 0
        assert not any("Traceback" in row for row in watch.terminal.rows)


def test_a_run_that_is_named_is_watched_to_its_end(tmp_path: Path) -> None:
    project = make_project(tmp_path / "project")
    runs = project / ".scrapy" / "polite" / "runs"
    folder = write_run(runs, []).folder
    with watched(project, folder.name, "--every", "0.2") as watch:
        assert watch.wait() == 0
        assert watch.terminal.rows[0].startswith("shop: It runs no longer: it ended at ")


def test_where_there_is_no_terminal_one_reading_is_printed(tmp_path: Path) -> None:
    project = make_project(tmp_path / "project")
    none = scrapy(project, "polite", "watch")
    assert (none.returncode, none.stdout.startswith("No crawl has written anything to")) == (1, True)
    live_run(project / ".scrapy" / "polite" / "runs")
    one = scrapy(project, "polite", "watch", "shop")
    assert (one.returncode, one.stderr) == (0, "")
    assert one.stdout.startswith("Why is it still running? ")
    assert "\x1b" not in one.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["shoop"], "no run, job or spider 'shoop' in "),
        (["--port", "80"], "--port PORT goes with --web"),
        (["--web", "--port", "65536"], "is '65536': expected a port, 0 to 65535"),
        (["--web", "--once"], "--web goes without --once and --every"),
        (["--every", "0"], "is '0': expected seconds from 0.2 to 3600"),
        (["--every", "nan"], "is 'nan': expected seconds from 0.2 to 3600"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, words: list[str], said: str) -> None:
    found = scrapy(make_project(tmp_path / "project"), "polite", "watch", *words)
    assert found.returncode == 2
    assert said in found.stderr


def test_as_a_page_three_crawls_at_once_are_shown_and_updated(tmp_path: Path) -> None:
    with crawls_at_work(tmp_path / "project", NAMES) as project, page_of(project) as (address, process):
        place = urlsplit(address)
        assert place.hostname == "127.0.0.1"
        link = http.client.HTTPConnection("127.0.0.1", place.port, timeout=30)
        link.request("GET", f"{place.path}events")
        events = link.getresponse()
        first: dict[str, int] = {}
        while True:
            line = events.readline()
            assert line, "the events ended"
            if not line.startswith(b"data: "):
                continue
            reading = json.loads(line[6:])
            sent = {run["spider"]: run["sent"] for run in reading["runs"]}
            if len(first) < 3 or 0 in first.values():
                first = sent
            elif all(sent[name] > first[name] for name in NAMES):
                break
        for run in reading["runs"]:
            assert run["state"] == "running"
            assert run["why"][0].startswith("It is at work, ")
            assert run["refused"] == {"robots/disallow": 1}
            assert run["queued"] > 1_000
            assert run["a_second"] > 0
            assert reading["at"] - run["last_at"] < 6, "the page is less than six seconds behind the crawl"
            (host,) = run["queues"]
            assert (host["pace_s"] >= 0.3, host["pace_source"]) == (True, "Crawl-delay")
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 0
        assert time.monotonic() - began < 5, "an open stream does not hold it up"
        with suppress(ConnectionError):
            while events.readline():
                pass


def test_a_port_that_is_taken_is_said(tmp_path: Path) -> None:
    project = make_project(tmp_path / "project")
    with page_of(project) as (address, _):
        port = urlsplit(address).port
        found = scrapy(project, "polite", "watch", "--web", "--port", str(port))
    assert found.returncode == 2
    assert f"port {port} cannot be had" in found.stderr
