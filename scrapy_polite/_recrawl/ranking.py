"""Which pages of a host with a budget get a part of it."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from scrapy_polite import _loop
from scrapy_polite.recrawl.visit import least_value

if TYPE_CHECKING:
    from scrapy_polite.pacing.budget import Budget
    from scrapy_polite.store.pages import PageStore

#: Hosts whose result is remembered; of the others it is asked again.
_MAX_HOSTS = 10_000


class Ranking:
    """Ranks the pages of each host once in a period of its budget, in the store's thread, one host after another."""

    def __init__(self, pages: PageStore) -> None:
        self._pages = pages
        self._least: OrderedDict[tuple[str, float], float] = OrderedDict()
        self._in_turn = _loop.Semaphore(1)

    async def least_value(self, host: str, budget: Budget, now: float) -> float:
        """What a page of this host has to be worth (see `recrawl.visit.least_value`). Raises StoreError."""
        period = host, budget.period_start(now)
        if period not in self._least:
            async with self._in_turn:
                if period not in self._least:  # or somebody before in the line has asked
                    ranked = self._pages.due(host, lambda due: least_value(due, budget.pages, now))
                    self._least[period] = await _loop.from_thread(ranked)
                    if len(self._least) > _MAX_HOSTS:
                        self._least.popitem(last=False)
        return self._least.get(period, float("-inf"))
