"""The store of pages as one crawl uses it: a fault is told, and the crawl goes on without."""

from __future__ import annotations

import logging
from collections import OrderedDict
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar
from weakref import ref

from scrapy import signals

from scrapy_polite import _loop, clock
from scrapy_polite._crawl import spider_of
from scrapy_polite.recrawl.visit import least_value
from scrapy_polite.store.errors import StoreError, StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Sequence
    from concurrent.futures import Future

    from scrapy.crawler import Crawler

    from scrapy_polite.pacing.budget import Budget
    from scrapy_polite.store.pages import PageRecord, PageStore

logger = logging.getLogger(__name__)
_T = TypeVar("_T")

#: Warnings of one crawl: a store that fails, hosts that lie.
_MAX_TOLD = 10
#: Hosts whose pages are ranked for a budget and remembered; of the others it is asked again.
_MAX_RANKED = 10_000
#: Pages that nobody has asked for again, so long after they were due, are dropped.
_KEEP_S = 365 * 86_400.0


class KeptPages:
    """Whatever is asked here, what is wrong with the store is told. `StoreError` is raised where that is said."""

    def __init__(self, crawler: Crawler, store: PageStore) -> None:
        self._crawler = ref(crawler)
        self._store = store
        self._told: set[str] = set()
        self._lying: set[str] | None = None
        self._least: OrderedDict[tuple[str, float], float] = OrderedDict()
        self._ranking = _loop.Semaphore(1)
        crawler.signals.connect(self._prune, signals.spider_closed)
        crawler.signals.connect(store.close, signals.engine_stopped)

    async def get(self, key: bytes) -> PageRecord | None:
        """None: it is not known. Raises StoreError."""
        if self._lying is None:
            lying = await self._answer(_loop.from_thread(self._store.lying_hosts()))
            self._lying = self._lying or set(lying)
        return await self._answer(_loop.from_thread(self._store.get(key)))

    async def links(self, key: bytes) -> list[bytes]:
        """Raises StoreError."""
        return await self._answer(_loop.from_thread(self._store.links(key)))

    async def body(self, key: bytes) -> bytes | None:
        """None: it is not there, or cannot be had."""
        try:
            return await self._answer(_loop.from_thread(self._store.body(key)))
        except StoreError:
            return None

    def keep(self, page: PageRecord, links: Sequence[bytes] | None = None, body: bytes | None = None) -> None:
        self._watch(self._store.keep(page, links, body))

    # Hosts

    def is_lying(self, host: str) -> bool:
        """Whether it has answered 304 for what had changed."""
        return host in (self._lying or ())

    def lies(self, host: str) -> None:
        self._lying = self._lying or set()
        self._lying.add(host)
        self._watch(self._store.lies(host, clock.system()))

    async def least_value(self, host: str, budget: Budget, now: float) -> float:
        """What a page of this host has to be worth to get a part of its budget (see `recrawl.visit.least_value`).

        The pages of a host are ranked once in a period of its budget, in the store's thread, one host after another.
        """
        period = host, budget.period_start(now)
        if period not in self._least:
            async with self._ranking:
                if period not in self._least:  # or somebody before in the line has asked
                    ranked = self._store.due(host, lambda due: least_value(due, budget.pages, now))
                    try:
                        self._least[period] = await self._answer(_loop.from_thread(ranked))
                    except StoreError:
                        return float("-inf")
                    if len(self._least) > _MAX_RANKED:
                        self._least.popitem(last=False)
        return self._least.get(period, float("-inf"))

    # What is told

    def tell(self, text: str, of: str = "") -> None:
        """Once for what it is `of`, and no more than ten in all."""
        if (of or text) not in self._told and len(self._told) < _MAX_TOLD:
            self._told.add(of or text)
            logger.warning("Recrawl: %s", text, extra={"spider": spider_of(self._crawler)})

    async def _answer(self, answer: Awaitable[_T]) -> _T:
        try:
            return await answer
        except StoreError as error:
            self._tell_of(error)
            raise

    def _watch(self, future: Future[None]) -> None:
        """Let it work on by itself."""

        def check(done: Future[None]) -> None:
            if (error := done.exception()) is not None:
                self._tell_of(error)

        future.add_done_callback(check)

    def _tell_of(self, error: BaseException) -> None:
        """An outage is told of once, whatever fails meanwhile."""
        if isinstance(error, StoreUnavailable):
            meanwhile = "Meanwhile pages are asked for whole, handed to their callbacks, and not kept"
            self.tell(f"{error}. {meanwhile}", f"away since {error.since}")
        else:
            self.tell(str(error))

    async def _prune(self) -> None:
        with suppress(StoreError):  # the next crawl does it
            await self._answer(_loop.from_thread(self._store.prune(clock.system() - _KEEP_S)))
