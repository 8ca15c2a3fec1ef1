"""The exit status of `scrapy crawl`, which knows 1 only where a crawl has not begun."""

from __future__ import annotations

import atexit
import logging
import os
import sys


def exit_with(status: int) -> None:
    """Have this process end with a status, whatever Scrapy's command says at its end."""

    def leave() -> None:
        logging.shutdown()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)

    atexit.register(leave)
