"""The end of `scrapy crawl` where a crawl has not begun: Scrapy knows status 1 only, and shows a traceback."""

from __future__ import annotations

import gc
import logging
import os
import sys
from typing import NoReturn


def exit_now(status: int) -> NoReturn:
    """End this process, in which nothing has begun."""
    gc.collect()  # Twisted tells of an error that nobody has handled when its Deferred goes
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
