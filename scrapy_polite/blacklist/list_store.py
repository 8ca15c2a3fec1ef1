"""Lists kept ready: compiled into a folder, opened from there, and compiled anew where a file has changed.

The unit is one file. What cannot be read leaves the last good version of it in force.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy_polite.blacklist.compiled import CompiledList, compile_list, open_list, read_list
from scrapy_polite.blacklist.lines import ListError
from scrapy_polite.blacklist.lists import Lists, NamedList
from scrapy_polite.blacklist.sources import TAKEDOWN, Source, compiled_path, snapshot, superseded

if TYPE_CHECKING:
    from scrapy_polite.blacklist.sources import Fingerprint, ListFile

#: A longer file is compiled in a process of its own, even where somebody waits for it: the memory is given back.
_LONG_BYTES = 1 << 18
#: A file that was written longer ago than this is taken for whole.
SETTLED_S = 1.0
#: After so many looks it is compiled as it is.
_MOST_LOOKS = 3
#: Compiled files that nobody has opened for so long are deleted.
_KEPT_S = 30 * 86_400.0
#: A file that could not be read is tried again after so long though it is the same: a full disk has room again.
RETRY_S = 60.0
_MODULE = "scrapy_polite.blacklist.compiled"

Compile = Callable[[Path, "str | None", Path], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """The lists that settings name. Relative paths are below `base`; the file of takedowns need not be there."""

    base: Path
    blacklists: tuple[Source, ...] = ()
    allowlists: tuple[Source, ...] = ()
    takedowns: Path | None = None

    def sources(self) -> Iterator[Source]:
        yield from self.blacklists
        yield from self.allowlists
        if self.takedowns is not None:
            yield Source(str(self.takedowns), "plain", TAKEDOWN)

    def setting(self, source: Source) -> str:
        """The setting that names a list."""
        if source.action == TAKEDOWN:
            return "POLITE_TAKEDOWNS"
        return "POLITE_BLACKLISTS" if source in self.blacklists else "POLITE_ALLOWLISTS"


@dataclass(frozen=True, slots=True)
class LoadedList:
    """A file that has been read, anew where it was `before`, when it had so many entries."""

    file: ListFile
    compiled: CompiledList
    before: int | None = None


@dataclass(slots=True)
class ScanResult:
    """What a look at the files has brought. `gone` are files of a pattern or a folder that has others; `failed` has a
    sentence for each fault that was not there the last time; `unsettled`: a file is being written, so look again soon.
    """

    taken: list[LoadedList] = field(default_factory=list)
    gone: list[Path] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    unsettled: bool = False

    @property
    def changed(self) -> bool:
        return bool(self.taken or self.gone)


@dataclass(frozen=True, slots=True)
class _Opened:
    seen: Fingerprint
    compiled: CompiledList


class ListStore:
    """All of it blocks, and is for one thread at a time. `lists` may be asked by any: it is replaced, never changed."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.lists = Lists()
        self._plan = plan
        self._folder = folder
        self._files: dict[Source, tuple[ListFile, ...]] = {}
        self._opened: dict[ListFile, _Opened] = {}
        #: Files that were being written at the last look, as they were, and how often they were found so.
        self._written: dict[ListFile, tuple[Fingerprint, int]] = {}
        self._faults: dict[object, str] = {}
        #: Files that could not be read, as they were, and when they are tried again (epoch seconds).
        self._unreadable: dict[ListFile, tuple[Fingerprint, float]] = {}
        self._process: subprocess.Popen[str] | None = None
        self._closed = False

    def open(self) -> list[LoadedList]:
        """Read all lists. Raises ListError where one is not there or cannot be used."""
        for source in self._plan.sources():
            if source.action == TAKEDOWN and not os.path.lexists(source.path):
                continue
            try:
                self._read(source)
            except ListError as error:
                raise ListError(f"{self._plan.setting(source)}: {error}") from None
        self._assemble()
        self._prune()
        return [LoadedList(file, opened.compiled) for file, opened in self._opened.items()]

    def _read(self, source: Source) -> None:
        for file, seen in snapshot([source], self._plan.base).items():
            if file not in self._opened:
                # Nothing waits for us: a short list takes less time than a process.
                compiler = compile_here if seen.size < _LONG_BYTES else self._compile
                self._opened[file] = _Opened(seen, self._ready(file, seen, compiler))
            self._files[source] = (*self._files.get(source, ()), file)

    def look(self, now: float) -> ScanResult:
        """Read what has changed by `now` (epoch seconds); what cannot be read stays as it was."""
        looked = ScanResult()
        for source in self._plan.sources():
            known = self._files.get(source, ())
            if source.action == TAKEDOWN and not known and not os.path.lexists(source.path):
                continue
            try:
                files = snapshot([source], self._plan.base)
            except ListError as error:
                self._fault(source, str(error), looked)
                continue
            self._faults.pop(source, None)
            readable = tuple(file for file, seen in files.items() if self._renew(file, seen, now, looked))
            self._files[source] = readable
            looked.gone += [file.path for file in known if file not in readable]
        if looked.changed:
            self._assemble()
        return looked

    def close(self) -> None:
        """From another thread: end what is being compiled."""
        self._closed = True
        process = self._process
        if process is not None:
            process.kill()

    def _renew(self, file: ListFile, seen: Fingerprint, now: float, looked: ScanResult) -> bool:
        """Read a file if it has changed. Whether there is a version of it, this or an earlier one."""
        opened = self._opened.get(file)
        unreadable, retry_at = self._unreadable.get(file, (None, 0.0))
        if (opened is not None and opened.seen == seen) or (unreadable == seen and now < retry_at):
            self._written.pop(file, None)
            return opened is not None
        if not self._is_settled(file, seen, now):
            looked.unsettled = True
            return opened is not None
        try:
            compiled = self._ready(file, seen, self._compile)
        except ListError as error:
            self._unreadable[file] = seen, now + RETRY_S
            self._fault(file, str(error), looked)
            return opened is not None
        self._unreadable.pop(file, None)
        self._faults.pop(file, None)
        self._opened[file] = _Opened(seen, compiled)
        looked.taken.append(LoadedList(file, compiled, None if opened is None else len(opened.compiled)))
        return True

    def _is_settled(self, file: ListFile, seen: Fingerprint, now: float) -> bool:
        """Whether nobody is writing the file: it was so at the last look too, or has been for a while."""
        before, looks = self._written.pop(file, (None, 0))
        if before == seen or looks >= _MOST_LOOKS or now - seen.mtime_ns / 1e9 >= SETTLED_S:
            return True
        self._written[file] = (seen, looks + 1)
        return False

    def _fault(self, where: object, sentence: str, looked: ScanResult) -> None:
        if self._faults.get(where) != sentence and not self._closed:
            self._faults[where] = sentence
            looked.failed.append(sentence)

    def _assemble(self) -> None:
        in_use = {file for files in self._files.values() for file in files}
        self._opened = {file: opened for file, opened in self._opened.items() if file in in_use}
        plan = self._plan
        self.lists = Lists(
            self._named(plan.blacklists),
            self._named(plan.allowlists),
            self._named(source for source in plan.sources() if source.action == TAKEDOWN and source in self._files),
        )

    def _named(self, sources: Iterable[Source]) -> Iterator[NamedList]:
        for source in sources:
            files = self._files.get(source, ())
            yield NamedList(
                source.path, source.action, tuple((file.path, self._opened[file].compiled) for file in files)
            )

    # Compiled files

    def _ready(self, file: ListFile, seen: Fingerprint, compiler: Compile) -> CompiledList:
        """The compiled form of a file, opened; made where there is none, in memory if it is short and has no place.

        Raises ListError.
        """
        path = compiled_path(self._folder, file, seen)
        try:
            try:
                opened = open_list(path, checked=True)
                with suppress(PermissionError):  # another user has made it
                    os.utime(path)
            except (ListError, FileNotFoundError):
                self._folder.mkdir(parents=True, exist_ok=True)
                compiler(file.path, file.format, path)
                opened = open_list(path)
            for other in superseded(path):
                _delete(other)
        except OSError as error:
            if seen.size < _LONG_BYTES:
                return read_list(file.path, file.format)
            raise ListError(
                f"{file.path} cannot be compiled into the folder {self._folder}: {error.strerror or error}"
            ) from None
        return opened

    def _compile(self, path: Path, format_name: str | None, target: Path) -> None:
        """In a process of its own. Raises ListError."""
        # Ctrl-C at a terminal is for the crawl, which goes on for a while.
        command = [sys.executable, "-m", _MODULE, str(path), str(target)]
        if format_name:
            command += ["--format", format_name]
        here = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._process = process = subprocess.Popen(  # noqa: S603 (the command is ours)
            command,
            env=here,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        if self._closed:
            process.kill()
        try:
            _, said = process.communicate()
        finally:
            self._process = None
        if process.returncode:
            last = said.strip().rpartition("\n")[2]
            if str(path) in last:
                raise ListError(last)
            raise ListError(f"{path}: compiling it ended with status {process.returncode}{last and f': {last}'}")

    def _prune(self) -> None:
        oldest = time.time() - _KEPT_S
        for path in self._folder.glob("*.list*"):  # what was being written when a process was killed, too
            with suppress(OSError):
                if path.stat().st_mtime < oldest:
                    path.unlink()


def compile_here(path: Path, format_name: str | None, target: Path) -> None:
    compile_list(str(path), format_name, str(target))


def _delete(path: Path) -> None:
    with suppress(OSError):  # another process has, or, on Windows, is using it
        path.unlink()
