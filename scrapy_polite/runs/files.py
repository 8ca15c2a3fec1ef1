"""Where runs are on disk: `ROOT/<spider>/<start time>-<id>/`, and in it the files of each worker.

- `<worker>.run.json`: the head, what the run is; written once, when the worker begins.
- `<worker>.log.gz`: the lines (`records`).
- `<worker>.robots.gz`: the bodies of its robots.txt copies: lines of `[digest, body]`, the body as Latin-1.
- `<worker>.snapshot.json`: how things stand, replaced every few seconds.
- `<worker>.fault.json`: why the lines ended before the crawl did; empty where there was no room to say so.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from scrapy_polite.text import utc

FOLDER = "polite/runs"
"""Of a project's data (`_project.data_path`)."""
HEAD, LOG, BODIES, SNAPSHOT, FAULT = ".run.json", ".log.gz", ".robots.gz", ".snapshot.json", ".fault.json"
MAX_SNAPSHOT_BYTES = 64 * 1024
#: A run of which something was written so lately may be under way.
LIVE_S = 60.0


@dataclass(frozen=True, slots=True)
class WorkerFiles:
    """The files of one worker of a run."""

    folder: Path
    worker: str

    @property
    def head(self) -> Path:
        return self.folder / f"{self.worker}{HEAD}"

    @property
    def log(self) -> Path:
        return self.folder / f"{self.worker}{LOG}"

    @property
    def bodies(self) -> Path:
        return self.folder / f"{self.worker}{BODIES}"

    @property
    def snapshot(self) -> Path:
        return self.folder / f"{self.worker}{SNAPSHOT}"

    @property
    def fault(self) -> Path:
        return self.folder / f"{self.worker}{FAULT}"


def new_worker(root: Path, spider: str, started: float, job: str = "") -> WorkerFiles:
    """Files for a worker that begins, whose folder need not be there. `job` names the run that several work on."""
    name = f"{utc(started):%Y%m%dT%H%M%SZ}-{secrets.token_hex(3)}"
    return WorkerFiles(root / folder_name(spider) / (folder_name(job) if job else name), name)


def folder_name(text: str) -> str:
    """A text as a folder's name on any system."""
    return re.sub(r"[^\w.-]", "_", text.strip(".") or "_", flags=re.ASCII)[:100]


def workers(folder: Path) -> list[WorkerFiles]:
    """The workers of a run, in the order in which they began."""
    names = (path.name.removesuffix(HEAD) for path in folder.glob(f"*{HEAD}"))
    return [WorkerFiles(folder, name) for name in sorted(names)]


def replaced(path: Path, text: str, mode: int = 0o600) -> None:
    """Put a text in place of what a file says, at once for whoever reads it. Raises OSError; leaves nothing else."""
    new = path.with_name(f"{path.name}.new")
    descriptor = os.open(new, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, mode)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        new.replace(path)
    except BaseException:  # Ctrl-C too
        with suppress(OSError):
            new.unlink()
        raise


def folders_in(path: Path, unreadable: Callable[[OSError], object]) -> list[Path]:
    """The folders in one; none where it is not there. What keeps it from being read is handed to `unreadable`."""
    try:
        with os.scandir(path) as entries:
            return [Path(entry.path) for entry in entries if entry.is_dir()]
    except FileNotFoundError:
        return []
    except OSError as error:
        unreadable(error)
        return []


def is_run(folder: Path, unreadable: Callable[[OSError], object]) -> bool:
    """Whether it has a worker's files; of a folder that may not be read that is not known."""
    if workers(folder):
        return True
    folders_in(folder, unreadable)
    return False


def run_folders(root: Path, unreadable: Callable[[OSError], object] = lambda _: None) -> list[Path]:
    """All runs below `root`, those that were written to last first. `unreadable` has what keeps a folder from being
    read."""
    found = [
        (_last_change(_stats(folder)), folder)
        for spider in folders_in(root, unreadable)
        for folder in folders_in(spider, unreadable)
        if is_run(folder, unreadable)
    ]
    return [folder for _, folder in sorted(found, reverse=True)]


def prune(root: Path, keep_s: float, max_bytes: float, now: float | None = None) -> list[Path]:
    """Delete the runs that are older than `keep_s`, then the oldest, until all take no more than `max_bytes`.

    Those that may be under way stay, and what a deletion left that was cut short goes. Returns what was deleted; what
    cannot be deleted stays.
    """
    now, total, gone = time.time() if now is None else now, 0, []
    stats_of = {
        folder: _stats(folder) for spider in folders_in(root, _ignored) for folder in folders_in(spider, _ignored)
    }
    for folder in sorted(stats_of, key=lambda folder: _last_change(stats_of[folder]), reverse=True):
        stats, has_head = stats_of[folder], bool(workers(folder))
        if not has_head:
            with suppress(OSError):
                stats.append(folder.stat())  # it may be one that begins
        age_s, size = now - _last_change(stats), sum(stat.st_size for stat in stats)
        if age_s <= LIVE_S or (has_head and age_s <= keep_s and total + size <= max_bytes):
            total += size
            continue
        with suppress(OSError):
            for worker in workers(folder):
                worker.head.unlink()  # without it a folder is no run, however much of it is still there
            shutil.rmtree(folder)
            gone.append(folder)
    return gone


def _ignored(error: OSError) -> None:
    """What cannot be read stays."""


def _last_change(stats: list[os.stat_result]) -> float:
    return max((stat.st_mtime for stat in stats), default=0.0)


def _stats(folder: Path) -> list[os.stat_result]:
    """Of its files; those that are replaced or pruned meanwhile are left out."""
    found = []
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with suppress(OSError):
                if entry.is_file():
                    found.append(entry.stat())
    return found
