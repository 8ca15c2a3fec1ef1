"""Fingerprints as a process of a shared queue knows them, and what tells start requests without one apart."""

from __future__ import annotations

from collections import Counter, OrderedDict
from typing import TYPE_CHECKING

from scrapy_polite.frontier.redis.operations import print_of

if TYPE_CHECKING:
    from scrapy_polite.frontier.redis.lanes import Item

#: Fingerprints of which this process knows that they were seen.
_MAX_KNOWN = 200_000


class KnownPrints:
    def __init__(self) -> None:
        self._known: OrderedDict[int, None] = OrderedDict()
        #: Those of requests that are here alone, until they are done.
        self._withheld: dict[int, int] = {}
        #: Start requests that pass no filter, by their content: how many of each there have been.
        self._start_counts: Counter[bytes] = Counter()
        self.in_start = False

    def __contains__(self, print_: int) -> bool:
        return print_ in self._known

    def add(self, print_: int) -> None:
        self._known[print_] = None
        if len(self._known) > _MAX_KNOWN:
            self._known.popitem(last=False)

    def clear(self) -> None:
        self._known.clear()

    # Of requests that are here alone

    def withhold(self, item: Item, print_: int) -> None:
        self._withheld[id(item)] = print_

    def withheld(self, item: Item) -> int | None:
        """It is withheld no longer."""
        return self._withheld.pop(id(item), None)

    # Of the spider's start

    def begin_start(self) -> None:
        self.in_start = True

    def end_start(self) -> None:
        self.in_start = False
        self._start_counts.clear()

    def of_start(self, encoded: bytes) -> str:
        """What stands for a start request: its content, and how many of the same there were before."""
        self._start_counts[encoded] += 1
        return f"s{print_of(b'%d %s' % (self._start_counts[encoded], encoded))}"
