"""The exit status of `scrapy crawl`, which knows 1 only where a crawl has not begun."""

from __future__ import annotations

import atexit
import gc
import logging
import os
import sys


def exit_with(status: int) -> None:
    """Have this process end with a status, whatever Scrapy's command says at its end."""

    def leave() -> None:
        gc.collect()  # Twisted tells of an error that nobody has handled when its Deferred goes
        logging.shutdown()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)

    atexit.register(leave)
