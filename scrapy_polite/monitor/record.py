"""RunRecord: the extension that writes what the crawl does to a folder of the project, a line a request."""

from __future__ import annotations

import logging
import os
import platform
import sys
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import ref

import scrapy
from scrapy import signals
from scrapy.exceptions import NotConfigured

from scrapy_polite import _loop, clock
from scrapy_polite._crawl import shared, spider_of
from scrapy_polite._project import runs_path
from scrapy_polite.events import Events, Fault
from scrapy_polite.identity import default_user_agent
from scrapy_polite.monitor.lines import RecordLines
from scrapy_polite.monitor.snapshot import Snapshots
from scrapy_polite.runs.files import new_worker, replaced
from scrapy_polite.runs.html import FILE_NAME, can_write_html, html
from scrapy_polite.runs.masking import MASK, Masking
from scrapy_polite.runs.records import FORMAT, End, Missed, Record, written
from scrapy_polite.runs.report import report
from scrapy_polite.runs.run import RunError, open_run
from scrapy_polite.runs.writer import RunWriter
from scrapy_polite.services.pacing import CrawlPacing
from scrapy_polite.services.robots import CrawlRobots, at_prompt
from scrapy_polite.services.trap_findings import TrapFindings
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.store.holder import new_holder
from scrapy_polite.store.processes import start_of
from scrapy_polite.text import without_credentials

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from typing_extensions import Self

logger = logging.getLogger(__name__)

#: With every second batch of lines there is a snapshot.
_SNAPSHOT_EVERY = 2
#: Lines that are handed over at once, before it is time: more are more memory.
_MAX_LINES = 5_000
#: Settings of which the head says only that they are set.
_SECRET = ("POLITE_ALERT_COMMAND", "POLITE_ALERT_WEBHOOK", "POLITE_TAKEDOWN_COMMAND")
_DAY_S, _MB = 86_400, 1_000_000
#: Characters of a setting's value in the head.
_MAX_VALUE = 2_000
#: The settings in the head, besides this package's own.
_SETTINGS = (
    "AUTOTHROTTLE_ENABLED",
    "BOT_NAME",
    "CONCURRENT_REQUESTS",
    "CONCURRENT_REQUESTS_PER_DOMAIN",
    "DOWNLOAD_DELAY",
    "JOBDIR",
    "ROBOTSTXT_OBEY",
    "URLLENGTH_LIMIT",
)
STAT, REPORT_STAT = "polite/run_record", "polite/run_report"
"""The stats that have the folder of the run, and the file of the report that is written when the crawl has ended."""


class RunRecord:
    """Writes the run record below the project's `.scrapy/polite/runs`. A thread writes; a full disk ends the record."""

    def __init__(self, crawler: Crawler) -> None:
        self._settings = settings = shared(crawler, PoliteSettings)
        if not settings.run_record or at_prompt(sys.orig_argv):
            raise NotConfigured
        self._crawler = ref(crawler)
        self._writer: RunWriter | None = None
        self._early: list[str] = []
        self._snapshots = Snapshots(crawler)
        self._timer: _loop.Every | None = None
        self._max_bytes = settings.run_record_mb * _MB
        self._missed = 0
        self._fault = ""
        self._events = shared(crawler, Events)
        self._lines_waiting = 0
        self._ticks = 0
        self._reason = ""
        release = shared(crawler, TrapFindings).command
        lines = RecordLines(self._add, self._add_body, Masking(settings.run_record_mask), release)
        lines.join(self._events)
        crawler.signals.connect(self._spider_opened, signals.spider_opened)
        crawler.signals.connect(self._spider_closed, signals.spider_closed)
        crawler.signals.connect(self._engine_stopped, signals.engine_stopped)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def _spider_opened(self) -> None:
        crawler = self._crawler()
        if crawler is None or crawler.spider is None:
            return
        started = clock.system()
        files = new_worker(runs_path(), crawler.spider.name, started, _job_of(crawler))
        self._writer = RunWriter(files, partial(self._failed, files.folder))
        self._writer.begin(_head(crawler, started), self._settings.run_record_days * _DAY_S, self._max_bytes)
        for line in self._early:
            self._writer.add(line)
        self._early = []
        if crawler.stats is not None:
            crawler.stats.set_value(STAT, str(files.folder))
            if self._settings.run_report and can_write_html():
                crawler.stats.set_value(REPORT_STAT, str(files.folder / FILE_NAME))
        self._timer = _loop.Every(self._writer.write_s, self._write)

    def _spider_closed(self, reason: str) -> None:
        self._reason = reason
        self._tell_fault()

    async def _engine_stopped(self) -> None:
        """Write the end, once all who heard of the closing have said what they had to say."""
        writer, self._writer = self._writer, None
        if self._timer is not None:
            self._timer.cancel()
        if writer is None:
            return
        now = clock.system()
        if self._missed:
            writer.add(written(Missed(round(now, 3), self._missed)))
        writer.add(written(End(round(now, 3), self._reason)))
        writer.hand_over(self._snapshots.taken(self._reason, missed=self._missed), last=True)
        await _loop.from_thread(writer.closed)
        if writer.broken:
            self._no_report()
        elif self._settings.run_report and can_write_html():
            await self._report(writer.files.folder)

    def _no_report(self) -> None:
        """Of a record that has ended early no report is written, and the summary is to name none; nor the record, where
        nothing of it was."""
        crawler = self._crawler()
        if crawler is None or crawler.stats is None:
            return
        for stat in (REPORT_STAT, STAT):
            path = crawler.stats.get_value(stat)
            if path and (stat == REPORT_STAT or not os.path.exists(path)):
                crawler.stats.set_value(stat, None)

    async def _report(self, folder: Path) -> None:
        try:
            await _loop.in_thread(lambda: replaced(folder / FILE_NAME, html(report(open_run(folder)))))
        except (OSError, RunError) as error:
            self._warn("The report %s cannot be written: %s", folder / FILE_NAME, error)

    def _add(self, record: Record) -> None:
        writer = self._writer
        if writer is None:
            if len(self._early) < _MAX_LINES:
                self._early.append(written(record))
            return
        if writer.broken:
            self._missed += 1
            return
        if writer.size_bytes > self._max_bytes:
            if not self._missed:
                self._warn(
                    "The run record %s has %g MB (POLITE_RUN_RECORD_MB): what follows is not in it, but in the counts",
                    writer.files.folder,
                    self._settings.run_record_mb,
                )
            self._missed += 1
            return
        writer.add(written(record))
        self._lines_waiting += 1
        if self._lines_waiting >= _MAX_LINES:
            self._lines_waiting = 0
            writer.hand_over()

    def _add_body(self, digest: str, body: bytes) -> None:
        if self._writer is not None:
            self._writer.add_body(digest, body)

    def _write(self) -> None:
        self._tell_fault()
        if self._writer is None:
            return
        self._lines_waiting = 0
        self._ticks += 1
        due = self._ticks % _SNAPSHOT_EVERY == 0
        if not due:
            self._snapshots.look_ahead()
        self._writer.hand_over(self._snapshots.taken(missed=self._missed) if due else "")

    def _tell_fault(self) -> None:
        """What the writer's thread has met."""
        if self._fault:
            fault, self._fault = self._fault, ""
            self._no_report()
            self._events.publish(Fault("run_record", fault))

    def _failed(self, folder: Path, error: OSError) -> None:
        """In the writer's thread."""
        self._fault = f"the run record {folder} cannot be written: {error}"
        self._warn(
            "The run record %s cannot be written (%s): it ends here, and the crawl goes on. Make room, or set "
            "POLITE_RUN_RECORD = False",
            folder,
            error,
        )

    def _warn(self, text: str, *values: object) -> None:
        logger.warning(text, *values, extra={"spider": spider_of(self._crawler)})


def _job_of(crawler: Crawler) -> str:
    """The job that all processes on one queue work on; empty where there is no such queue."""
    pacing = shared(crawler, CrawlPacing)
    return pacing.shared_job if pacing.has_scheduler else ""


def _head(crawler: Crawler, started: float) -> dict[str, object]:
    """What the run is."""
    settings, polite = crawler.settings, shared(crawler, PoliteSettings)
    names = [*_SETTINGS, *sorted(name for name in settings if str(name).startswith("POLITE_"))]
    given = {name: settings[name] for name in names if settings.getpriority(name) and settings[name] is not None}
    given |= {name: MASK for name in _SECRET if name in given}
    return {
        "format": FORMAT,
        "spider": crawler.spider.name if crawler.spider else crawler.spidercls.name,
        "job": (polite.job or crawler.spidercls.name) if polite.frontier else None,
        "started": round(started, 3),
        "process": new_holder(),
        "process_start": start_of(),
        "user_agent": default_user_agent(crawler),
        "token": shared(crawler, CrawlRobots).default_token,
        "contact": polite.contact_email,
        "settings": {name: without_credentials(str(value))[:_MAX_VALUE] for name, value in given.items()},
        "versions": {"scrapy-polite": _version(), "scrapy": scrapy.__version__, "python": platform.python_version()},
    }


def _version() -> str:
    try:
        return metadata.version("scrapy-polite")
    except metadata.PackageNotFoundError:
        return ""  # it is imported from a folder, and not installed
