"""Groups of URL patterns that grow as made-up sites are crawled, without a crawl."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from scrapy_polite.traps.groups import Found, Groups
from scrapy_polite.traps.limits import Limits
from scrapy_polite.traps.verdict import DEEP

if TYPE_CHECKING:
    from scrapy_polite.traps.evidence import Pattern

HOST = "http://example.com"
HOME = "/"
#: The default limits in small.
LIMITS = Limits(window=20, budget=100, cap=0, silent=15, deep=50, leaves=25, astray=100)

#: Whether a page says something new, and its links.
Said = tuple[bool, list[str]]
Site = Callable[[str], Said]


class Crawl:
    """A site, crawled breadth first without any deferral."""

    def __init__(self, site: Site, limits: Limits = LIMITS, *, same: bool = True) -> None:
        self.site = site
        self.same = same
        self.groups = Groups(limits)
        self.queue = deque([HOME])
        self.seen = {HOME}
        self.found: list[Found] = []
        #: Pages of its group when something was found.
        self.found_at: list[int] = []
        self.pages = 0

    def fetch(self, path: str, *, deep: bool = False) -> None:
        self.pages += 1
        says, links = self.site(path)
        visit = self.groups.note(HOST + path, says, same=self.same, deep=deep)
        for link in links:
            self.groups.link(visit, HOST + link)
            if link not in self.seen:
                self.seen.add(link)
                self.queue.append(link)
        found = self.groups.leave(visit)
        if found is not None:
            self.found.append(found)
            self.found_at.append(found.root.pages)

    def run(self, pages: int = 100) -> Crawl:
        while self.queue and self.pages < pages:
            self.fetch(self.queue.popleft())
        return self

    def tail(self, name: str, most: int = 1_000) -> str:
        """Read a suspected group until it ends, its queue is empty, or so many pages are read; why it has ended."""
        while self.queue and self.pages < most:
            root = self.root(name)
            assert root is not None
            if self.groups.verdict.ends(root):
                return root.ended
            deep = self.groups.verdict.probe(root) == DEEP
            self.fetch(self.queue.pop() if deep else self.queue.popleft(), deep=deep)
        return ""

    def root(self, name: str) -> Pattern | None:
        return self.groups.root(self.groups.named(name))

    @property
    def suspected(self) -> set[str]:
        return {root.name for root in self.groups.suspects}


def number(path: str) -> int:
    digits = "".join(char for char in path if char.isdigit())
    return int(digits or 0)
