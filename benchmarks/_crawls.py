"""Whole crawls for benchmarks of pacing, each in a process of its own; what happened is read from the file it writes.

A crawl is an ordinary spider over a list of URLs; `addon` decides whether stock Scrapy runs it or scrapy-polite. The
file gets a line per event at once, so it is there after a `kill -9` too. Times are of `time.monotonic`.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

SPIDER = str(Path(__file__).with_name("_spider.py"))
KINDS = {"stock": False, "add-on": True}
SETTINGS: dict[str, Any] = {
    "USER_AGENT": "benchbot/1.0 (+https://bench.example/)",
    "ROBOTSTXT_OBEY": True,
    "LOG_LEVEL": "INFO",
    "LOG_FILE": "crawl.log",
    "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
    "MEMUSAGE_ENABLED": False,
    "DNS_TIMEOUT": 2,
}


@dataclass(frozen=True, slots=True)
class Crawl:
    """One spider, or `spiders` of them in one process that share the URLs out.

    It stops gracefully `stop_after_s` after it was opened, or as soon as all URLs of the hosts in `enough` have been
    answered or failed. `follow`: links on pages are followed, to `/post/...` by POST. `files`: each page has a file,
    for Scrapy's FilesPipeline; with `follow` those that pages name. `collect_slots`: the downloader's slots are
    collected as soon as they are idle, not after a minute. `clock_ahead_s`: the system's clock is so far ahead.
    `hold_s`: for so long the callback of /tree/1 waits before it goes on.
    """

    addon: bool
    urls: Sequence[str]
    settings: Mapping[str, Any] = field(default_factory=dict)
    stop_after_s: float | None = None
    enough: Sequence[str] = ()
    spiders: int = 1
    follow: bool = False
    files: bool = False
    collect_slots: bool = False
    clock_ahead_s: float = 0.0
    hold_s: float = 0.0

    def start(self, folder: Path) -> Running:
        """Start the process; `folder` is where it runs, so where its store, job directory and log are.

        More processes may run in one folder; each writes events of its own.
        """
        folder.mkdir(parents=True, exist_ok=True)
        events = folder / f"events-{len(list(folder.glob('events-*')))}.jsonl"
        events.touch()
        process = subprocess.Popen([sys.executable, SPIDER, str(events)], stdin=subprocess.PIPE, cwd=folder)
        assert process.stdin is not None
        process.stdin.write(json.dumps(asdict(self)).encode())
        process.stdin.close()
        return Running(process, events)


#: `what` ("opened", "page", "failed", "stopping", "closed", "ended"), `at`, and what belongs to it.
Event = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Running:
    process: subprocess.Popen[bytes]
    events: Path

    def wait(self, timeout_s: float) -> Crawled:
        """Return what it came to; a crawl that has not ended by then is killed, and has no `ended_at`."""
        try:
            self.process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            self.kill()
        crawled = Crawled(self._read())
        # Scrapy's own status is 0 too where a crawl could not begin.
        if self.process.returncode != -signal.SIGKILL and (self.process.returncode or not crawled.ended_at):
            log = self.events.parent / SETTINGS["LOG_FILE"]
            tail = log.read_text()[-2_000:] if log.exists() else ""
            raise SystemExit(f"a crawl ended with status {self.process.returncode}\n{tail}")
        return crawled

    def kill(self) -> float:
        """Kill it as `kill -9` does and return when."""
        self.process.kill()
        at = time.monotonic()
        self.process.wait()
        return at

    def _read(self) -> list[Event]:
        # The last line may have been cut off by a kill.
        whole = self.events.read_text().rpartition("\n")[0].splitlines()
        return [json.loads(line) for line in whole]


@dataclass(frozen=True, slots=True)
class Crawled:
    """What a crawl came to. Its `pages` and `failed` are what callbacks and errbacks got, in order."""

    events: list[Event]

    def _all(self, what: str) -> list[Event]:
        return [event for event in self.events if event["what"] == what]

    def _at(self, what: str) -> float | None:
        return next((event["at"] for event in self._all(what)), None)

    @property
    def pages(self) -> list[Event]:
        return self._all("page")

    @property
    def failed(self) -> list[Event]:
        return self._all("failed")

    @property
    def opened_at(self) -> float:
        return self._at("opened") or 0.0

    @property
    def ended_at(self) -> float | None:
        return self._at("ended")

    @property
    def seconds(self) -> float | None:
        """From opening to the end; None if it had to be killed."""
        return self.ended_at - self.opened_at if self.ended_at else None

    @property
    def closing_s(self) -> float | None:
        """From the call to stop to the end; None if it was never called or never got there."""
        stopping = self._at("stopping")
        return self.ended_at - stopping if self.ended_at and stopping else None

    @property
    def reason(self) -> str:
        closed = self._all("closed")
        return closed[-1]["reason"] if closed else "KILLED"

    def outcomes(self) -> Counter[str]:
        """How often each URL that was asked for reached its callback or errback."""
        return Counter(event["asked"] for event in self.pages + self.failed)


def seconds(value: float | None, cap_s: float | None = None) -> str:
    """Write a time for a table; one that was never measured is more than its cap."""
    if value is None:
        return "-" if cap_s is None else f"> {cap_s:.0f}"
    return f"{value:.2f}"


def verdict(good: bool, text: str) -> bool:
    """Print a limit and whether it holds, and return that."""
    print(f"{'ok  ' if good else 'FAIL'} {text}", flush=True)
    return good
