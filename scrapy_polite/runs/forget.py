"""What a run record has of URLs that are to be forgotten is masked: the paths go, the hosts and all figures stay.

So counts and gaps of a run stay true, by which one can show how its hosts were treated. Blocks: for commands.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from scrapy_polite.runs.files import WorkerFiles, replaced, run_folders
from scrapy_polite.runs.html import FILE_NAME
from scrapy_polite.runs.masking import MASK
from scrapy_polite.runs.run import RunError, State, open_run, unreadable
from scrapy_polite.runs.stream import LineFile, read_lines

#: In a line of JSON, or in a text: where a URL may end.
_URL = re.compile(r"https?://[^\s\"\\<>]+", re.IGNORECASE)
_BEHIND = ",.;:)]'"
_LINES = 20_000
_MAX_EXAMPLES = 3


@dataclass(slots=True)
class Forgotten:
    """How many mentions of such URLs; `running`: runs under way that have some, which are left as they are."""

    count: int = 0
    seen: int = 0
    examples: list[str] = field(default_factory=list)
    running: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def forget(
    root: Path, covers: Callable[[str], bool], now: float, progress: Callable[[int], None], *, act: bool
) -> Forgotten:
    """Mask the URLs that are covered in all runs below `root`; without `act` only count them."""
    done = Forgotten()
    for folder in run_folders(root, lambda error: done.faults.append(str(unreadable(error)))):
        _run(folder, _Masks(covers, done), now, progress, act=act)
    return done


def _run(folder: Path, masks: _Masks, now: float, progress: Callable[[int], None], *, act: bool) -> None:
    done = masks.done
    before = done.count
    try:
        for worker in open_run(folder).workers:
            found, running = done.count, worker.state(now) is State.RUNNING
            _worker(worker.files, masks, progress, act=act and not running)
            if running and done.count > found:
                done.running.append(folder.name)
        if act and done.count > before:
            (folder / FILE_NAME).unlink(missing_ok=True)  # the report, which can be made anew
    except (RunError, OSError) as error:
        done.faults.append(str(error))


class _Masks:
    """Masks what is covered in a text, and counts it."""

    def __init__(self, covers: Callable[[str], bool], done: Forgotten) -> None:
        self.covers = covers
        self.done = done

    def __call__(self, text: str) -> str:
        return _URL.sub(self._masked, text) if "://" in text else text

    def _masked(self, found: re.Match[str]) -> str:
        whole = found[0]
        url = whole.rstrip(_BEHIND)
        if url != whole and not self.covers(url):
            url = whole
        begin = "/".join(url.split("/", 3)[:3])
        masked = f"{begin}/{MASK}"
        if url == masked or not self.covers(url):
            return whole
        self.done.count += 1
        if len(self.done.examples) < _MAX_EXAMPLES and url not in self.done.examples:
            self.done.examples.append(url)
        return masked + whole[len(url) :]


def _worker(files: WorkerFiles, masks: _Masks, progress: Callable[[int], None], *, act: bool) -> None:
    for path in (files.head, files.snapshot):
        if path.exists():
            text = path.read_text(encoding="utf-8", errors="replace")
            masked = masks(text)
            if act and masked != text:
                with _dated_as_before(path):
                    replaced(path, masked)
    if not files.log.exists():
        return
    before = masks.done.count
    for line in read_lines(files.log):
        masks(line.decode("ascii", "replace"))
        masks.done.seen += 1
        progress(masks.done.seen)
    if act and masks.done.count > before:
        with _dated_as_before(files.log):
            _rewrite(files.log, masks.covers)


@contextmanager
def _dated_as_before(path: Path) -> Iterator[None]:
    """By its time a run is found, kept and pruned."""
    at = path.stat()
    yield
    os.utime(path, ns=(at.st_atime_ns, at.st_mtime_ns))


def _rewrite(path: Path, covers: Callable[[str], bool]) -> None:
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)  # of one that was interrupted
    masks = _Masks(covers, Forgotten())
    lines = (masks(line.decode("ascii", "replace")) for line in read_lines(path))
    file = LineFile(new)
    try:
        while some := [*islice(lines, _LINES)]:
            file.write(some)
        file.close()
        new.replace(path)
    except BaseException:
        file.abandon()
        with suppress(OSError):
            new.unlink()
        raise
