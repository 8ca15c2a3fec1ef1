"""Coroutines that run beside the scheduler."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from scrapy.utils.log import failure_to_exc_info

from scrapy_polite import _loop

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from twisted.python.failure import Failure

logger = logging.getLogger(__name__)


def run(coroutine: Coroutine[Any, Any, None]) -> None:
    """Nobody waits for it; what it raises is logged. What is under way when the loop ends is cancelled in silence."""
    _loop.spawn(coroutine).addErrback(_log)


def _log(failure: Failure) -> None:
    if isinstance(failure.value, _loop.CANCELLED):
        return
    logger.error("Error in scrapy-polite's scheduler: %s", failure.value, exc_info=failure_to_exc_info(failure))
