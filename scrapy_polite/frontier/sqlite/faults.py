"""What SQLite and the system say of the queue's file, as a FrontierError that says what a person should do."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from scrapy_polite.frontier.queue import FrontierError
from scrapy_polite.visited.bloom import BloomError

if TYPE_CHECKING:
    from pathlib import Path

ELSEWHERE = "or start again with another JOBDIR"
DELETE_IT = f"delete it {ELSEWHERE}"
_MAKE_WRITABLE = f"make file and folder readable and writable, {ELSEWHERE}"
_MAKE_ROOM = "make room on the disk"
_RECOVER = f"`scrapy polite recover {{folder}}` saves what can be read of it, {ELSEWHERE}"
#: What SQLite or the system says -> what a person should do. Where none of these is said: `DELETE_IT`.
_ADVICE = (
    ("not a database", _RECOVER),
    ("malformed", _RECOVER),
    ("is locked", "stop the process that holds it"),
    ("readonly", _MAKE_WRITABLE),
    ("Read-only", _MAKE_WRITABLE),
    ("denied", _MAKE_WRITABLE),
    ("unable to open", _MAKE_WRITABLE),
    ("No such file", f"check the path, {ELSEWHERE}"),
    ("Not a directory", f"a part of this path is a file: move that away, {ELSEWHERE}"),
    ("is full", _MAKE_ROOM),
    ("No space", _MAKE_ROOM),
    ("disk I/O error", "check the disk and its quotas"),
)


def explained(error: Exception, path: Path) -> FrontierError:
    """Whatever went wrong with the file at `path`, as a FrontierError that says so."""
    if isinstance(error, FrontierError):
        return error
    if isinstance(error, BloomError):
        return FrontierError(str(error))
    fault = getattr(error, "strerror", None) or str(error) or type(error).__name__
    advice = next((advice for phrase, advice in _ADVICE if phrase in fault), DELETE_IT)
    told = FrontierError(f"{path}: {fault}; {advice.format(folder=shlex.quote(str(path.parent)))}")
    told.__cause__ = error
    return told
