"""Every build of a robots.txt, kept beside its rules: `RULES.toml` has `RULES.history/`, in plain files.

builds.jsonl       a line a build: number, time, reason, digest
0001.robots.txt    what was written
0001.rules.toml    the rules that it was made of; none where an earlier build was written again
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from scrapy_polite.robots.inputs import fault
from scrapy_polite.robots.rules import MAX_BYTES
from scrapy_polite.text import printable, utc

_LIST = "builds.jsonl"
_FIX = "mend the line, or move the folder away: the next build begins a new one"


@dataclass(frozen=True, slots=True)
class Build:
    """`at` is when it was written, `valid_at` the time for which its rules were taken (both epoch seconds)."""

    number: int
    at: float
    valid_at: float
    reason: str
    sha256: str
    bytes: int
    confirmed: str = ""

    def as_text(self) -> str:
        confirmed = f"  (confirmed: {printable(self.confirmed)})" if self.confirmed else ""
        return (
            f"{self.number:>4}  {utc(self.at):%Y-%m-%d %H:%M} UTC  {self.sha256[:12]}  {self.bytes:>7,} bytes  "
            f"{printable(self.reason)}{confirmed}"
        )


class History:
    """The builds of one file of rules."""

    def __init__(self, rules: Path) -> None:
        self.folder = rules.parent / f"{rules.stem}.history"

    def builds(self) -> list[Build]:
        """The oldest first. Raises InputError where the list cannot be read."""
        path = self.folder / _LIST
        try:
            lines = path.read_text("utf-8").splitlines()
        except FileNotFoundError:
            return []
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or "no UTF-8 text"
            raise fault(path, None, f"cannot be read ({why})", _FIX) from error
        return [_build(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]

    def body(self, number: int) -> bytes:
        """What a build has written. Raises InputError where there is no such build, or its file is not what it was."""
        build = next((one for one in self.builds() if one.number == number), None)
        path = self._robots(number)
        if build is None:
            raise fault(path, None, "there is no such build", "give a number that --history lists")
        try:
            with path.open("rb") as file:
                body = file.read(MAX_BYTES + 1)
        except OSError as error:
            raise fault(path, None, f"cannot be read ({error.strerror})", "give another number") from error
        if hashlib.sha256(body).hexdigest() != build.sha256:
            raise fault(path, None, "is not what was built", "restore the file, or give another number")
        return body

    def keep(
        self, body: bytes, rules: bytes | None, *, at: float, valid_at: float, reason: str, confirmed: str
    ) -> Build:
        """Keep a build under the next number. Raises InputError where it cannot be written."""
        try:
            self.folder.mkdir(exist_ok=True)
            number = max((build.number for build in self.builds()), default=0) + 1
            while not _created(self._robots(number), body):  # another build has taken it
                number += 1
            if rules is not None:
                self.rules(number).write_bytes(rules)
            digest = hashlib.sha256(body).hexdigest()
            build = Build(number, at, valid_at, reason, digest, len(body), confirmed)
            # One write: two builds at once make two lines.
            line = json.dumps(asdict(build), ensure_ascii=False) + "\n"
            descriptor = os.open(self.folder / _LIST, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
            try:
                os.write(descriptor, line.encode())
            finally:
                os.close(descriptor)
        except OSError as error:
            raise fault(self.folder, None, f"cannot be written ({error.strerror})", "make room or rights") from error
        return build

    def rules(self, number: int) -> Path:
        """Where the rules of a build are kept."""
        return self.folder / f"{number:04}.rules.toml"

    def _robots(self, number: int) -> Path:
        return self.folder / f"{number:04}.robots.txt"


@contextmanager
def replacing(path: Path, body: bytes) -> Iterator[None]:
    """Put a robots.txt in place of what is there, at once for whoever reads it, unless the block raises.

    Raises InputError where it cannot be written, before the block if that can be told.
    """
    new = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        try:
            with new.open("wb") as file:
                file.write(body)
                file.flush()
                os.fsync(file.fileno())
            if path.exists():
                new.chmod(path.stat().st_mode & 0o7777)
            yield
            new.replace(path)
        except BaseException:
            with suppress(OSError):
                new.unlink()
            raise
    except OSError as error:
        raise fault(path, None, f"cannot be written ({error.strerror})", "give another --output") from error


def _created(path: Path, body: bytes) -> bool:
    try:
        with path.open("xb") as file:
            file.write(body)
    except FileExistsError:
        return False
    return True


def _build(path: Path, number: int, line: str) -> Build:
    try:
        value = json.loads(line)
        build = Build(**{field.name: value[field.name] for field in fields(Build)})
        if not isinstance(build.number, int) or not all(
            isinstance(one, (int, float)) for one in (build.at, build.bytes)
        ):
            raise TypeError
        if not all(isinstance(one, str) for one in (build.reason, build.sha256, build.confirmed)):
            raise TypeError
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise fault(path, number, "is no line of a build", _FIX) from error
    return build
