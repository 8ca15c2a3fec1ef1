"""`RedisStore`."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING

from scrapy_polite._redis.connection import warnings
from scrapy_polite.store.errors import StoreError, StoreUnavailable

from .caller import Caller
from .dead_urls import RedisDeadUrls
from .feed import PAGE_SIZE
from .hosts import RedisHosts
from .quarantines import RedisQuarantines
from .robots import RedisRobots
from .session import Session, SessionFailed
from .sweep import one_after_another

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from scrapy_polite._redis.url import RedisUrl

logger = logging.getLogger(__name__)


class RedisStore:
    """`timeout_s` is how long a call waits for the server. `clock` is for tests: else the server's own counts."""

    shared = True
    lasting = True
    replaceable = False

    def __init__(
        self,
        url: RedisUrl,
        *,
        timeout_s: float = 5.0,
        clock: Callable[[], float] | None = None,
        page_size: int = PAGE_SIZE,
    ) -> None:
        self.description = url.shown
        self._url = url
        self._timeout_s = timeout_s
        self.caller = Caller(url, timeout_s, clock)
        self.robots = RedisRobots(self.caller)
        self.hosts = RedisHosts(self.caller, page_size)
        self.dead_urls = RedisDeadUrls(self.caller)
        self.quarantines = RedisQuarantines(self.caller, page_size)

    def facts(self) -> str:
        """Warns where the server keeps nothing on disk."""
        session = Session(self._url, self._timeout_s)
        try:
            facts = session.check()
        except SessionFailed as failed:
            kind = StoreUnavailable if failed.fault.passing else StoreError
            raise kind(f"store {failed}") from None
        finally:
            session.close()
        for warning in warnings(facts):
            logger.warning("store %s: %s", self.description, warning)
        return facts.shown

    def prune(self, keep_s: float) -> Future[int]:
        parts = self.hosts, self.dead_urls, self.quarantines, self.robots
        return one_after_another([partial(part.prune, keep_s) for part in parts])

    def close(self) -> None:
        self.caller.close()
