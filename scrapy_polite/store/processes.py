"""Whether the process that holds a lease, or writes a run, has ended: on its own machine that can be known."""

from __future__ import annotations

import os
from pathlib import Path

from scrapy_polite.store.holder import machine


def is_gone(holder: str) -> bool:
    """Whether the process that calls itself `holder` has ended; False wherever that cannot be known from here."""
    process = _number(holder)
    if os.name != "posix" or process is None:
        return False
    try:
        os.kill(int(process), 0)  # signal 0 asks, and does nothing
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False  # somebody else's; or no number that a process can have
    return _stat(process)[0] in _ENDED


def is_there(holder: str, start: str) -> bool:
    """Whether the process that calls itself `holder`, and began at `start` (`start_of`), is known to be there still;
    False wherever that cannot be known from here."""
    process = _number(holder)
    return process is not None and start != "" and start_of(process) == start


def start_of(process: str = "self") -> str:
    """When a process of this machine began, in clock ticks since the machine did: tells it from a later one of the same
    number. Empty where it has ended, and where the system does not tell (proc(5), `starttime` in /proc/PID/stat)."""
    state, start = _stat(process)
    return "" if state in _ENDED else start


#: States of a process that has ended, and is there by its number alone until somebody asks for its exit status.
_ENDED = frozenset("ZXx")


def _stat(process: str) -> tuple[str, str]:
    """State and start of a process; empty where the system does not tell."""
    try:
        text = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return "", ""
    fields = text.rpartition(")")[2].split()
    return (fields[0], fields[19]) if len(fields) > 19 else ("", "")


def _number(holder: str) -> str | None:
    """The number of a process of this machine; None of another machine's."""
    name, _, process = holder.rpartition("/")[0].rpartition("/")
    return process if process.isdecimal() and name == machine() else None
