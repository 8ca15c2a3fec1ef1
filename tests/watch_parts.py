"""Runs that look as if crawls were at work on them; real crawls that go on until they are told to end; a terminal."""

from __future__ import annotations

import json
import re
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import arguments
import warm
from commandline import make_project
from crawls import environment
from run_parts import HEAD
from scrapy_polite.runs.files import WorkerFiles, new_worker, replaced
from scrapy_polite.store.holder import new_holder
from webserver import Origin, robots

WATCH = [sys.executable, "-m", "scrapy", "polite", "watch"]
#: Of a snapshot, what watching reads.
SNAPSHOT: dict[str, Any] = {
    "reason": None,
    "pages": {"sent": {"fresh": 40}, "answered": {"200": 30, "404": 8, "0": 2}},
    "in_flight": [],
    "refused": {"robots/disallow": 7},
    "audited": {},
    "deferred": 3,
    "left": 0,
    "queued": 60,
    "hosts": {"counts": {"ready": 1, "closed": 2}, "exact": True, "next": None},
    "origins": {
        "https://shop.example": {
            "sent": 40,
            "refused": {"robots/disallow": 7},
            "robots": "2 rules obeyed (HTTP 200)",
            "pace": "10 s (Crawl-delay)",
        }
    },
    "missed": 0,
}


def live_run(root: Path, spider: str = "shop", *, started: float | None = None, **snapshot: Any) -> WorkerFiles:
    """A run that this process seems to work on; its snapshot is SNAPSHOT but for what is given."""
    now = time.time()
    files = new_worker(root, spider, now)
    files.folder.mkdir(parents=True)
    head = HEAD | {"spider": spider, "started": now - 100 if started is None else started, "process": new_holder()}
    replaced(files.head, json.dumps(head))
    put_snapshot(files, **snapshot)
    return files


def put_snapshot(files: WorkerFiles, **snapshot: Any) -> None:
    replaced(files.snapshot, json.dumps(SNAPSHOT | {"at": time.time()} | snapshot))


def queues(*hosts: Mapping[str, Any]) -> dict[str, Any]:
    """The key `queues` of a snapshot."""
    queued = sum(host["queued"] for host in hosts)
    return {"hosts": list(hosts), "count": len(hosts), "queued": queued, "pages_s": 2.0}


def hostile_snapshot(*payloads: str) -> dict[str, Any]:
    """Of a snapshot, whatever has a text that may have come from the network, or from a project's settings."""
    long_ago = time.time() - 600
    waits = {"paused", "queue_fault", "store_fault"}
    since = {"queue_fault_since", "store_fault_since", "closing_since", "idle_since", "starting_since"}
    hosts = [
        {
            "host": one,
            "queued": 9 + number,
            "pace_s": 1.0,
            "pace_source": one,
            "state": one,
            "opens_at": time.time() + 600 * (number % 2),
            "reason": one,
            "detail": one,
        }
        for number, one in enumerate(payloads)
    ]
    limits = [{"setting": one, "kind": "time", "at": time.time() + 1} for one in payloads]
    return {
        "queues": queues(*hosts) | {"limits": limits},
        "origins": {one: {"sent": 1, "refused": {one: 1}, "robots": one, "pace": one} for one in payloads},
        "refused": {one: number + 1 for number, one in enumerate(payloads)},
        "audited": {one: number + 1 for number, one in enumerate(payloads)},
        "hosts": {"counts": dict.fromkeys(payloads, 1), "exact": True, "next": {"at": 1, "host": payloads[0]}},
        "in_flight": [[long_ago, one] for one in payloads],
        "metrics": {"last_alerts": [[long_ago, one, one] for one in payloads]},
        "waits": {
            **dict.fromkeys(waits, payloads[0]),
            **dict.fromkeys(since, long_ago),
            "kept_by": list(payloads),
            "deferred": 1_000,
            "deferred_places": list(payloads),
            "callbacks": [[long_ago, one] for one in payloads],
            "robots": [[long_ago, one] for one in payloads],
        },
    }


@contextmanager
def crawls_at_work(folder: Path, names: list[str]) -> Iterator[Path]:
    """A project in whose folder a crawl of each name is at work, a page or two a second, with a snapshot in no time."""
    spiders = "\n".join(
        f"""
class Spider{number}(scrapy.Spider):
    name = {name!r}

    async def start(self):
        for page in range(2_000):
            yield scrapy.Request(f"{{self.url}}/{{page}}")

    def parse(self, response):
        pass
"""
        for number, name in enumerate(names)
    )
    settings = {"POLITE_STORE": "memory", arguments.RUN_WRITE: 0.1, "TELNETCONSOLE_ENABLED": False}
    project = make_project(folder, settings, f"import scrapy\n{spiders}")
    rules = robots("User-agent: *\nDisallow: /private\nDisallow: /0\nCrawl-delay: 0.3\n")
    with ExitStack() as stack:
        for name in names:
            site = stack.enter_context(Origin({"/robots.txt": rules}))
            words = ["-m", "scrapy", "crawl", name, "-a", f"url={site.url}"]
            process = warm.Process(words, cwd=project, env=environment())
            stack.callback(_end, process)
        yield project


def _end(process: warm.Process) -> None:
    process.send_signal(signal.SIGKILL)
    process.communicate(30)


@contextmanager
def page_of(project: Path, *words: str) -> Iterator[tuple[str, warm.Process]]:
    """The address of the page, and the process that serves it."""
    process = warm.Process([*WATCH[1:], "--web", *words], cwd=project, env=environment())
    try:
        yield process.first_line(), process
    finally:
        _end(process)


_CONTROL = re.compile(r"\x1b\[\??(\d*)(?:;\d+)*([A-Za-z])")


class Terminal:
    """What a terminal shows of a text: lines, the cursor's way up, what is erased. Colours have no effect."""

    def __init__(self) -> None:
        self.rows: list[str] = [""]
        self.row = self.column = 0

    def write(self, text: str) -> None:
        at = 0
        while at < len(text):
            if control := _CONTROL.match(text, at):
                self._control(control[2], int(control[1] or 0))
                at = control.end()
                continue
            character = text[at]
            assert character.isprintable() or character in "\r\n", repr(text[at : at + 20])
            if character == "\n":
                self.row += 1
                if self.row == len(self.rows):
                    self.rows.append("")
            elif character != "\r":
                line, column = self.rows[self.row], self.column
                self.rows[self.row] = f"{line[:column]}{character}{line[column + 1 :]}"
            self.column = 0 if character in "\r\n" else self.column + 1
            at += 1

    def _control(self, what: str, number: int) -> None:
        if what == "A":
            self.row = max(self.row - (number or 1), 0)
        elif what == "K":
            self.rows[self.row] = self.rows[self.row][: self.column]
        elif what == "J":
            self.rows[self.row] = self.rows[self.row][: self.column]
            del self.rows[self.row + 1 :]
        elif what == "H":
            self.row = self.column = 0
        else:
            assert what in "mhl", what
