"""Who may use the queue's file: one process at a time, and nobody where others could have written pickles into it."""

from __future__ import annotations

import os
import shlex
import stat
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from scrapy_polite.frontier.queue import FrontierError
from scrapy_polite.frontier.sqlite.faults import ELSEWHERE, explained

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import ModuleType

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows: nothing keeps a second process out there
    fcntl = None


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keeps every other queue and command off the file at `path`. Raises FrontierError where one is at work on it."""
    if fcntl is None:
        yield
        return
    lock = path.with_name(f"{path.name}.lock")
    try:
        file = os.fdopen(os.open(lock, os.O_CREAT | os.O_RDWR, 0o600), "r+b", buffering=0)
    except OSError as error:
        raise explained(error, lock) from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            process = file.read(20).decode("ascii", "replace").strip() or "(unknown)"
            raise FrontierError(
                f"{path.parent}: in use by process {process}; wait for its end, or stop it, {ELSEWHERE}"
            ) from None
        except OSError:  # a file system without such locks
            pass
        else:
            with suppress(OSError):  # on a full disk nobody learns who it is
                file.truncate(0)
                file.write(f"{os.getpid()}\n".encode())
        yield


def check_is_own(path: Path, forbidden: int, change: str) -> None:
    """Raises FrontierError where others own or, by the mode's `forbidden` bits, can use what may hold pickles."""
    if os.name != "posix":
        return
    status = path.stat()
    mode, command = stat.S_IMODE(status.st_mode), ""
    if status.st_uid != os.geteuid():
        command = f"chown {os.geteuid()}"
    elif mode & (forbidden & ~stat.S_IWGRP if _is_own_group(status.st_gid) else forbidden):
        command = f"chmod {change}"
    if command:
        raise FrontierError(
            f"{path}: others can get at it (owner {status.st_uid}, mode {mode:03o}), and reading what they wrote could "
            f"run their code; if all of it is yours: `{command} {shlex.quote(str(path))}`, {ELSEWHERE}"
        )


def _is_own_group(number: int) -> bool:
    """Whether it is the group that many systems make for one user alone, and whose members may write by default."""
    import grp
    import pwd

    try:
        name, group = pwd.getpwuid(os.geteuid()).pw_name, grp.getgrgid(number)
    except KeyError:
        return False
    return group.gr_name == name and set(group.gr_mem) <= {name}
