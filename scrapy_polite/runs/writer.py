"""RunWriter: one worker's files of a run, written by a thread, so that no disk holds the crawl up."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy_polite.runs.files import prune, replaced
from scrapy_polite.runs.stream import LineFile

if TYPE_CHECKING:
    from scrapy_polite.runs.files import WorkerFiles

#: How often lines are handed to the disk. Longer: more is missing after `kill -9`, where 5 s are promised.
WRITE_S = 2.5
#: How long the end of a short crawl waits for older runs to be deleted. Less: they are never looked through.
_PRUNE_S = 5.0
#: Bodies of robots.txt copies of which it is known that they are written.
_MAX_BODIES_KNOWN = 100_000


class _Batch(NamedTuple):
    lines: list[str]
    bodies: list[str]
    snapshot: str
    last: bool


class RunWriter:
    """Takes lines at once, and writes them when it is told to `hand_over`.

    The first OSError ends the lines: `failed` is called with it, once, in the thread; snapshots are written as long as
    there is room for them. `size_bytes` is what the lines take on disk so far, compressed. It is to be told so every
    `write_s` seconds.
    """

    def __init__(self, files: WorkerFiles, failed: Callable[[OSError], object], write_s: float = WRITE_S) -> None:
        self.files = files
        self.write_s = write_s
        self.size_bytes = 0
        self.closed: Future[None] = Future()
        self._failed = failed
        self._lines: list[str] = []
        self._bodies: list[str] = []
        self._bodies_known: set[str] = set()
        self._batches: SimpleQueue[_Batch] = SimpleQueue()
        self._broken = False

    @property
    def broken(self) -> bool:
        """Whether the lines have ended before their time."""
        return self._broken

    def begin(self, head: Mapping[str, Any], keep_s: float, max_bytes: float) -> None:
        """Make the files, and prune other runs; all that in threads."""
        arguments = json.dumps(head, indent=1), keep_s, max_bytes
        Thread(target=self._run, args=arguments, name="scrapy-polite-run", daemon=True).start()

    def add(self, line: str) -> None:
        self._lines.append(line)

    def add_body(self, digest: str, body: bytes) -> None:
        """The body of a robots.txt, which is written once."""
        if digest not in self._bodies_known and not self._broken:
            if len(self._bodies_known) < _MAX_BODIES_KNOWN:
                self._bodies_known.add(digest)
            self._bodies.append(json.dumps([digest, body.decode("latin-1")]))

    def hand_over(self, snapshot: str = "", *, last: bool = False) -> None:
        """Have the thread write what there is; `snapshot` in place of the one before; after the `last` close all."""
        lines, self._lines = self._lines, []
        bodies, self._bodies = self._bodies, []
        if lines or bodies or snapshot or last:
            self._batches.put(_Batch(lines, bodies, snapshot, last))

    # In the thread

    def _run(self, head: str, keep_s: float, max_bytes: float) -> None:
        log = bodies = None
        batch = _Batch([], [], "", last=False)
        try:
            self.files.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            replaced(self.files.head, head)
            log = LineFile(self.files.log)
            # In a thread of its own: of thousands of runs that takes seconds, in which nothing would be written.
            pruning = Thread(target=prune, args=(self.files.folder.parent.parent, keep_s, max_bytes), daemon=True)
            pruning.start()
            while not batch.last:
                batch = self._batches.get()
                if batch.bodies:
                    bodies = bodies or LineFile(self.files.bodies)
                    bodies.write(batch.bodies)
                if batch.lines:
                    log.write(batch.lines)
                    self.size_bytes = log.size_bytes
                if batch.snapshot:
                    replaced(self.files.snapshot, batch.snapshot)
            for file in filter(None, (bodies, log)):
                file.close()
            pruning.join(_PRUNE_S)
        except OSError as error:
            self._broken = True
            for file in filter(None, (bodies, log)):
                file.abandon()
            self._leave_fault(error)
            self._failed(error)
            self._put_snapshot(batch)
            while not batch.last:  # whoever closes the crawl waits for the end
                batch = self._batches.get()
                self._put_snapshot(batch)
        finally:
            self._broken = self._broken or not batch.last
            self.closed.set_result(None)

    def _leave_fault(self, error: OSError) -> None:
        """A reader is to know that the lines end here, and the crawl does not. An empty file takes no room."""
        with suppress(OSError):
            os.close(os.open(self.files.fault, os.O_CREAT | os.O_WRONLY, 0o600))
            replaced(self.files.fault, json.dumps({"at": round(time.time(), 3), "fault": error.strerror or str(error)}))

    def _put_snapshot(self, batch: _Batch) -> None:
        if batch.snapshot:
            with suppress(OSError):
                replaced(self.files.snapshot, batch.snapshot)
