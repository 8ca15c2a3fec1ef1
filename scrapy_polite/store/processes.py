"""Whether the process that holds a lease has ended: on its own machine that can be known."""

from __future__ import annotations

import os

from scrapy_polite.store.holder import machine


def is_gone(holder: str) -> bool:
    """Whether the process that calls itself `holder` has ended; False wherever that cannot be known from here."""
    name, _, process = holder.rpartition("/")[0].rpartition("/")
    if os.name != "posix" or name != machine() or not process.isdecimal():
        return False
    try:
        os.kill(int(process), 0)  # signal 0 asks, and does nothing
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False  # somebody else's; or no number that a process can have
    return False
