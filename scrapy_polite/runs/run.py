"""A run as it is read: of a crawl that has ended, was killed, or is under way. Knows no Scrapy, and takes no lock."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from math import isfinite
from pathlib import Path
from typing import Any

from scrapy_polite.runs.files import LIVE_S, WorkerFiles, run_folders, workers
from scrapy_polite.runs.records import FORMAT, Record, Robots, read
from scrapy_polite.runs.stream import read_lines
from scrapy_polite.runs.values import time_of, whole
from scrapy_polite.store.processes import is_gone, is_there

#: What kept a worker from writing where it could not write that either.
NO_ROOM = "there was no room"
_MAX_HEAD_BYTES = 1_000_000
_MAX_DIGITS = 18


class RunError(Exception):
    """What keeps a run from being read; names it and says what to do."""


class State(Enum):
    RUNNING = "running"
    ENDED = "ended"
    KILLED = "ended without closing"


@dataclass(frozen=True)
class Worker:
    """One process that works, or worked, on a run. `head` and `snapshot` have the keys that `monitor` writes.

    `fault` is what ended its lines before the crawl, such as "No space left on device"; empty: nothing did.
    """

    files: WorkerFiles
    head: Mapping[str, Any]
    snapshot: Mapping[str, Any] = field(default_factory=dict)
    fault: str = ""

    @property
    def name(self) -> str:
        return self.files.worker

    @property
    def started(self) -> float:
        return time_of(self.head.get("started"))

    @property
    def reason(self) -> str | None:
        """Scrapy's finish reason; None while it runs, and where it was killed."""
        reason = self.snapshot.get("reason")
        return reason if isinstance(reason, str) else None

    @property
    def last_at(self) -> float:
        """When it was heard of last, as far as its snapshot says."""
        return time_of(self.snapshot.get("at")) or self.started

    def state(self, now: float) -> State:
        if self.reason is not None:
            return State.ENDED
        process = str(self.head.get("process", ""))
        if self.is_heard_of(now):
            return State.KILLED if is_gone(process) else State.RUNNING
        return State.RUNNING if is_there(process, str(self.head.get("process_start", ""))) else State.KILLED

    def is_heard_of(self, now: float) -> bool:
        """Whether what its snapshot says is of now."""
        return now - self.last_at <= LIVE_S

    @property
    def in_flight(self) -> list[tuple[float, str]]:
        """What was under way at its last snapshot: when it left, and its URL."""
        found = self.snapshot.get("in_flight")
        pairs = found if isinstance(found, list) else []
        return [(time_of(pair[0]), str(pair[1])) for pair in pairs if isinstance(pair, list) and len(pair) == 2]

    def records(self, containing: str = "") -> Iterator[Record]:
        """What is written of it, in the order in which it was: all, or the lines that contain a text. Raises RunError
        where it cannot be read."""
        text = containing.encode()
        try:
            for line in read_lines(self.files.log):
                if text in line and (record := read(line)) is not None:
                    yield record
        except FileNotFoundError:
            return  # it has only begun
        except OSError as error:
            raise unreadable(error) from error

    def copies(self) -> Iterator[Robots]:
        """What is written of robots.txt that it has read."""
        return (record for record in self.records('["robots",') if isinstance(record, Robots))


@dataclass(frozen=True)
class Run:
    """A run and its workers, in the order in which they began; there is one at least."""

    folder: Path
    workers: tuple[Worker, ...]

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def head(self) -> Mapping[str, Any]:
        return self.workers[0].head

    @property
    def spider(self) -> str:
        return str(self.head.get("spider", ""))

    @property
    def started(self) -> float:
        return min(worker.started for worker in self.workers)

    @property
    def last_at(self) -> float:
        return max(worker.last_at for worker in self.workers)

    def state(self, now: float | None = None) -> State:
        """Running while one worker is; ended without closing where the last one heard of was killed."""
        now = time.time() if now is None else now
        if any(worker.state(now) is State.RUNNING for worker in self.workers):
            return State.RUNNING
        return max(self.workers, key=lambda worker: worker.last_at).state(now)

    @property
    def reason(self) -> str | None:
        return max(self.workers, key=lambda worker: worker.last_at).reason

    @property
    def fault(self) -> str:
        """What ended the lines of a worker before its crawl; empty: nothing did."""
        return next((worker.fault for worker in self.workers if worker.fault), "")

    @property
    def missed(self) -> int:
        """Lines that are not in the record, as far as its snapshots say."""
        return sum(whole(worker.snapshot.get("missed")) for worker in self.workers)

    def bodies(self, digests: set[str]) -> dict[str, bytes]:
        """The bodies of these robots.txt copies, as far as they are there."""
        found: dict[str, bytes] = {}
        for worker in self.workers:
            if digests <= found.keys():
                break
            for digest, body in _bodies(worker.files.bodies):
                if digest in digests:
                    found.setdefault(digest, body)
        return found


def read_json(path: Path) -> Mapping[str, Any]:
    """The object in a file; an empty one where there is none, or none that can be read.

    Numbers that are not finite, and integers beyond all that is counted, are None: no reader has to expect them.
    """
    try:
        with path.open("rb") as file:
            text = file.read(_MAX_HEAD_BYTES)
        value = json.loads(text, parse_int=_whole_number, parse_float=_finite, parse_constant=lambda _: None)
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def open_run(folder: Path, contents: Callable[[Path], Mapping[str, Any]] = read_json) -> Run:
    """Raises RunError where there is none, or one of another format. Who opens it often may know the `contents` of its
    files already."""
    found = []
    for files in workers(folder):
        head = contents(files.head)
        if head.get("format") != FORMAT:
            raise _not_read(files.head, head)
        found.append(Worker(files, head, contents(files.snapshot), _fault(files.fault, contents)))
    if not found:
        raise RunError(f"{folder} is no run: expected a folder with a file *.run.json")
    return Run(folder, tuple(found))


def _fault(path: Path, contents: Callable[[Path], Mapping[str, Any]]) -> str:
    text = contents(path).get("fault")
    return text if isinstance(text, str) else NO_ROOM if path.exists() else ""


def _not_read(path: Path, head: Mapping[str, Any]) -> RunError:
    """Why the head of a run in a file is none that this version reads."""
    try:
        with path.open("rb"):
            pass
    except OSError as error:
        return unreadable(error)
    if "format" not in head:
        return RunError(
            f"{path} is damaged: expected a JSON object with a key 'format'. Nothing of this run can be read"
        )
    return RunError(
        f"{path} has the format {str(head['format'])[:20]!r}, this version reads {FORMAT}: use the version of "
        "scrapy-polite that wrote it"
    )


def unreadable(error: OSError) -> RunError:
    """What is said of a file or folder that this process cannot read."""
    text = f"{error.filename} cannot be read: {error.strerror}"
    if isinstance(error, PermissionError):
        text += ". Only the user whose crawl wrote it may read it"
    return RunError(text)


def read_runs(folders: Iterable[Path], left_out: Callable[[RunError], object]) -> Iterator[Run]:
    """The runs in these folders. `left_out` has what keeps one from being read; those that were pruned meanwhile are
    left out without a word."""
    for folder in folders:
        try:
            yield open_run(folder)
        except RunError as error:  # noqa: PERF203 (each run for itself)
            if workers(folder):
                left_out(error)


def find_run(root: Path, name: str | None, left_out: Callable[[RunError], object] = lambda _: None) -> Run:
    """The run of a name below `root`: a folder's path or name, or a spider, of which it is the last; None: the last.

    `left_out` has what keeps others from being read. Raises RunError.
    """
    if name and Path(name).is_dir() and any(workers(Path(name))):
        return open_run(Path(name))
    faults: list[RunError] = []
    folders = run_folders(root, lambda error: faults.append(unreadable(error)))
    wanted = [folder for folder in folders if not name or name in (folder.name, folder.parent.name)]
    run = next(read_runs(wanted, faults.append), None)
    if run is None and faults and (wanted or not folders):
        raise faults[0]
    if run is None and not folders:
        which = f"run {name!r}" if name else "run"
        raise RunError(f"no {which} in {root}: no crawl has written one yet. A run of elsewhere is named by its folder")
    if run is None:
        there = ", ".join(folder.name for folder in folders[:5])
        raise RunError(f"no run {name!r} in {root}; there: {there}. Name a run's folder, or a spider for its last run")
    for fault in faults:
        left_out(fault)
    return run


def _bodies(path: Path) -> Iterator[tuple[str, bytes]]:
    try:
        for line in read_lines(path):
            digest, body = json.loads(line)
            yield str(digest), str(body).encode("latin-1")
    except (OSError, ValueError, TypeError):
        return  # there is none, or it was damaged


def _whole_number(digits: str) -> int | None:
    return int(digits) if len(digits) <= _MAX_DIGITS else None


def _finite(digits: str) -> float | None:
    return value if isfinite(value := float(digits)) else None
