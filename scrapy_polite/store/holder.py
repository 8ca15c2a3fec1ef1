"""Who holds a lease: a name that other processes of the machine can tell to be alive or gone."""

from __future__ import annotations

import os
import random
import socket
from contextlib import suppress
from pathlib import Path


def new_holder() -> str:
    return f"{_machine()}/{os.getpid()}/{random.getrandbits(64):x}"


def is_gone(holder: str) -> bool:
    """Whether the process that calls itself `holder` has ended; False wherever that cannot be known from here."""
    machine, _, process = holder.rpartition("/")[0].rpartition("/")
    if os.name != "posix" or machine != _machine() or not process.isdecimal():
        return False
    try:
        os.kill(int(process), 0)  # signal 0 asks, and does nothing
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False  # somebody else's; or no number that a process can have
    return False


def _machine() -> str:
    """This machine, and within it the name space in which process numbers mean something."""
    name_space = ""
    with suppress(OSError):
        name_space = str(Path("/proc/self/ns/pid").readlink())
    return f"{socket.gethostname()}/{name_space}"
