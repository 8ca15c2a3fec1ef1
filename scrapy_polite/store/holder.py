"""Who holds a lease: a name of its own for each crawl, by which its machine and process can be told."""

from __future__ import annotations

import os
import random
import socket
from contextlib import suppress
from pathlib import Path


def new_holder() -> str:
    return f"{machine()}/{os.getpid()}/{random.getrandbits(64):x}"


def machine() -> str:
    """This machine, and within it the name space in which process numbers mean something."""
    name_space = ""
    with suppress(OSError):
        name_space = str(Path("/proc/self/ns/pid").readlink())
    return f"{socket.gethostname()}/{name_space}"
