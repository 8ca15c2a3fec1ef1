"""What is said of a server that fails, and how long it is left alone."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

from scrapy_polite._redis.faults import RedisRefused, explained, is_out_of_memory
from scrapy_polite.frontier.queue import FrontierError
from scrapy_polite.frontier.redis.session import JobLost, SessionError

if TYPE_CHECKING:
    from scrapy_polite.frontier.redis.session import Session

#: First and longest pause before it is tried again.
_PAUSE_S, _MOST_PAUSE_S = 0.1, 1.0
#: A connection that is lost, and had again sooner, is not told of.
_TOLD_FROM_S = 1.0


class Outage:
    """Since when the server fails, if it does."""

    def __init__(self) -> None:
        self._since = 0.0
        self._pause_s = _PAUSE_S

    @property
    def lasts(self) -> bool:
        """Whether it is to be told of."""
        return bool(self._since) and time.monotonic() - self._since >= _TOLD_FROM_S

    def failed(self) -> None:
        self._since = self._since or time.monotonic()

    def wait(self) -> None:
        # Processes that lost it together do not come back together, again and again.
        time.sleep(random.uniform(0.5, 1.0) * self._pause_s)
        self._pause_s = min(2 * self._pause_s, _MOST_PAUSE_S)

    def over(self) -> None:
        self._since, self._pause_s = 0.0, _PAUSE_S


def is_passing(error: Exception) -> bool:
    """Whether it may be over soon."""
    return not isinstance(error, SessionError) and explained(error, "").passing


def said_of(error: Exception, session: Session, *, at_start: bool = False) -> FrontierError:
    shown = session.url.shown
    if isinstance(error, JobLost):
        return FrontierError(
            f"{shown} has no job {session.job} any more: it was dropped, or the server has lost its data. This crawl "
            "ends; what was queued is gone, and a new crawl begins the job anew"
        )
    if is_out_of_memory(error):
        return FrontierError(
            f"{explained(error, shown).text} ({session.memory_told()}). Nothing more is queued, and the crawl pauses "
            "until there is memory"
        )
    text = explained(error, shown).text
    if isinstance(error, RedisRefused):
        return FrontierError(text)
    if at_start:
        return FrontierError(f"{text}. The crawl does not begin")
    return FrontierError(
        f"{text}. What has been granted is worked off until the lease ends; then nothing leaves until it is back"
    )
