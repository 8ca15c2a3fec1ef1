"""Watching: reads the runs of a project again and again, each file only where it has changed."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from operator import is_
from pathlib import Path
from typing import Any

from scrapy_polite.runs.files import LIVE_S, folder_name, folders_in, is_run, workers
from scrapy_polite.runs.run import Run, RunError, State, open_run, read_json, unreadable
from scrapy_polite.text import printable
from scrapy_polite.watch.reading import Reading, RunReading, run_reading, sent_so_far

#: Runs that ended no longer ago are shown beside those that run; and the last one, whenever it ended.
LATELY_S = 3_600.0
#: Runs that are shown; and hosts and origins of all of them together, of each run some.
MAX_RUNS, _MAX_ROWS, _LEAST_ROWS, _MOST_ROWS = 50, 400, 5, 50
#: What is told of a run whose snapshots are the same is told anew after that: it speaks of "now".
_STALE_S = 5.0
#: Over how long "of late" is, for a rate.
_RATE_S = 30.0


class Watching:
    """The runs below `root`: all, or those that `which` names: a run's folder or its name, a job, or a spider."""

    def __init__(self, root: Path, which: str | None = None) -> None:
        self._root = root
        self._which = which
        self._one = _one_run(root, which) if which else None
        self._files = _Files()
        self._watched: dict[Path, _Watched] = {}
        self._folders: dict[str, Path] = {}

    @property
    def is_of_one_run(self) -> bool:
        """Whether there is nothing more to see once that has ended."""
        return self._one is not None

    def read(self, now: float) -> Reading:
        """How all of them stand: those that run first, the youngest before the others; then those that ended last."""
        runs: list[Run] = []
        trouble: list[str] = []
        for folder in self._found(now, lambda error: trouble.append(printable(str(unreadable(error)), 400))):
            run = self._opened(folder)
            if isinstance(run, Run):
                runs.append(run)
            else:
                trouble.append(printable(str(run), 400))
        self._files.forget_unread()
        runs.sort(key=lambda run: _place(run, now))
        recent = [run for run in runs if run.state(now) is State.RUNNING or now - run.last_at <= LATELY_S]
        shown = recent or runs[:1]
        more, shown = len(shown) - len(shown[:MAX_RUNS]), shown[:MAX_RUNS]
        most = min(max(_MAX_ROWS // max(len(shown), 1), _LEAST_ROWS), _MOST_ROWS)
        self._watched = {run.folder: self._watched.get(run.folder) or _Watched() for run in shown}
        found = tuple(self._watched[run.folder].read(run, now, most) for run in shown)
        self._folders = {reading.key: run.folder for reading, run in zip(found, shown, strict=True)}
        return Reading(now, printable(str(self._root), 400), found, more, tuple(trouble[:3]))

    def folder_of(self, key: str) -> Path | None:
        """The folder of a run that was shown last."""
        return self._folders.get(key)

    def _opened(self, folder: Path) -> Run | RunError:
        try:
            return open_run(folder, self._files.read)
        except RunError as error:
            return error

    def _found(self, now: float, unread: Callable[[OSError], object]) -> list[Path]:
        """The folders of runs that may run or have ended lately; of none, the one written to last."""
        if self._one is not None:
            return [self._one]
        changed = sorted(_run_folders(self._root, self._which, unread), reverse=True)
        recent = [folder for at, folder in changed if now - at <= max(LATELY_S, LIVE_S) and is_run(folder, unread)]
        return recent or next(([folder] for _, folder in changed if is_run(folder, unread)), [])


def _place(run: Run, now: float) -> tuple[int, float]:
    """Those that run keep their place as long as they do."""
    return (0, -run.started) if run.state(now) is State.RUNNING else (1, -run.last_at)


def _one_run(root: Path, which: str) -> Path | None:
    """The run that has this folder, or this name where no spider and no other run has it."""
    if workers(Path(which)):
        return Path(which).absolute()
    found = [folder for _, folder in _run_folders(root, which)]
    return found[0] if len(found) == 1 and found[0].name == folder_name(which) != found[0].parent.name else None


def _run_folders(
    root: Path, which: str | None, unread: Callable[[OSError], object] = lambda _: None
) -> Iterator[tuple[float, Path]]:
    """Folders of runs, each with the time at which a file of it was made or replaced, as snapshots are."""
    name = folder_name(which) if which else None
    for spider in folders_in(root, unread):
        for run in folders_in(spider, unread):
            if name in (None, spider.name, run.name):
                with suppress(OSError):  # it may be pruned
                    yield run.stat().st_mtime, run


class _Watched:
    """A run from reading to reading."""

    def __init__(self) -> None:
        self._rate = _Rate()
        self._found: RunReading | None = None
        self._found_at = 0.0
        self._made_of: tuple[object, ...] = ()

    def read(self, run: Run, now: float, most: int) -> RunReading:
        made_of = (most, run.state(now), *(worker.snapshot for worker in run.workers))
        is_same = len(made_of) == len(self._made_of) and all(map(is_, made_of, self._made_of))
        if self._found is None or not is_same or now - self._found_at >= _STALE_S:
            self._rate.add(run.last_at, sent_so_far(run))
            self._found = run_reading(run, now, self._rate.a_second, most)
            self._found_at, self._made_of = now, made_of
        return self._found


class _Files:
    """The contents of files, each read again only when it has been replaced."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[tuple[int, int, int], Mapping[str, Any]]] = {}
        self._read: set[Path] = set()

    def read(self, path: Path) -> Mapping[str, Any]:
        self._read.add(path)
        try:
            stat = path.stat()
        except OSError:
            self._known.pop(path, None)
            return {}
        version = stat.st_mtime_ns, stat.st_size, stat.st_ino
        known = self._known.get(path)
        if known is None or known[0] != version:
            known = self._known[path] = version, read_json(path)
        return known[1]

    def forget_unread(self) -> None:
        """Drop what was not asked for since the last time."""
        self._known = {path: known for path, known in self._known.items() if path in self._read}
        self._read = set()


class _Rate:
    """Pages a second over the last half minute, from the counts of the snapshots."""

    def __init__(self) -> None:
        self._counts: deque[tuple[float, int]] = deque(maxlen=100)

    def add(self, at: float, count: int) -> None:
        if self._counts and at <= self._counts[-1][0]:
            return
        self._counts.append((at, count))
        while len(self._counts) > 2 and at - self._counts[1][0] >= _RATE_S:
            self._counts.popleft()

    @property
    def a_second(self) -> float | None:
        """None until there are two counts."""
        if len(self._counts) < 2:
            return None
        (began, before), (at, count) = self._counts[0], self._counts[-1]
        return max(count - before, 0) / (at - began)
