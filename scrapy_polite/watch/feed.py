"""Feed: what the page shows, for any number of readers: the newest reading, and the reports of its runs."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from threading import Event, Lock
from typing import TYPE_CHECKING

from scrapy_polite.runs.files import SNAPSHOT
from scrapy_polite.runs.html import FILE_NAME, can_write_html, html
from scrapy_polite.runs.markdown import markdown
from scrapy_polite.runs.report import report
from scrapy_polite.runs.run import RunError, State, open_run

if TYPE_CHECKING:
    from scrapy_polite.watch.watching import Watching

#: Longer, and the page is behind the crawl by more than six seconds: snapshots come every five.
EVERY_S = 1.0
#: A report larger than that was written by nobody.
_MAX_REPORT_BYTES = 50_000_000
#: Who asks again so soon gets the same one.
_KEEP_REPORT_S = 5.0


class Feed:
    """Reads once for all who ask at the same time, and not at all while nobody does. From any thread."""

    def __init__(self, watching: Watching, clock: Callable[[], float] = time.time, every_s: float = EVERY_S) -> None:
        self.every_s = every_s
        self.ending = Event()
        self._watching = watching
        self._clock = clock
        self._lock = Lock()
        self._reports = Lock()
        self._text = ""
        self._read_at = self._reported_at = float("-inf")
        self._report_of: tuple[str, tuple[str, bytes] | None] = "", None

    def newest(self) -> str:
        """The newest reading as JSON in one line of ASCII, no older than `every_s`."""
        with self._lock:
            if time.monotonic() - self._read_at >= self.every_s:
                reading = self._watching.read(self._clock())
                self._text = json.dumps(asdict(reading), separators=(",", ":"), allow_nan=False)
                self._read_at = time.monotonic()
            return self._text

    def report(self, key: str) -> tuple[str, bytes] | None:
        """The report of a run that is shown, with its media type: made anew while it runs, then the one it has left
        behind; as Markdown without Jinja2. None where there is no such run, or it cannot be read.

        One at a time, however many ask: of a long run that takes a minute.
        """
        self.newest()
        with self._lock:
            folder = self._watching.folder_of(key)
        if folder is None:
            return None
        with self._reports:
            if self._report_of[0] != key or time.monotonic() - self._reported_at > _KEEP_REPORT_S:
                try:
                    self._report_of = key, _report(folder)
                except (OSError, RunError):
                    self._report_of = key, None
                self._reported_at = time.monotonic()
            return self._report_of[1]


def _report(folder: Path) -> tuple[str, bytes]:
    run = open_run(folder)
    written = folder / FILE_NAME
    if run.state() is State.ENDED and _is_newest(written, folder):
        with written.open("rb") as file:
            return "text/html; charset=utf-8", file.read(_MAX_REPORT_BYTES)
    found = report(run)
    if can_write_html():
        return "text/html; charset=utf-8", html(found).encode()
    return "text/plain; charset=utf-8", markdown(found).encode()


def _is_newest(path: Path, folder: Path) -> bool:
    """Whether a file is younger than all snapshots."""
    if not path.is_file():
        return False
    return path.stat().st_mtime >= max(other.stat().st_mtime for other in folder.glob(f"*{SNAPSHOT}"))
