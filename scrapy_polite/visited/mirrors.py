"""Mirrors whose pages are asked of their main host: a page counts as visited at all of them once it is at one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from scrapy_polite.origin import Origin, origin_of
from scrapy_polite.robots.main_host import moved

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from typing_extensions import Self

#: Of one main host, those that are remembered.
_MAX_OF_ONE = 10


class Mirrors:
    """What the Host lines that are followed join, for the dupefilter."""

    def __init__(self) -> None:
        self._main: dict[Origin, Origin] = {}
        self._of_main: dict[Origin, list[Origin]] = {}
        #: Requests that were queued for a mirror, and are on their way to the main host's queue.
        self._moving: WeakSet[Any] = WeakSet()

    @classmethod
    def from_crawler(cls, crawler: object) -> Self:
        return cls()

    def __bool__(self) -> bool:
        return bool(self._main)

    def follow(self, mirror: Origin, main: Origin) -> None:
        self.part(mirror)
        self._main[mirror] = main
        others = self._of_main.setdefault(main, [])
        if len(others) < _MAX_OF_ONE:
            others.append(mirror)

    def part(self, mirror: Origin) -> None:
        main = self._main.pop(mirror, None)
        if main is not None and mirror in (others := self._of_main[main]):
            others.remove(mirror)
            if not others:
                del self._of_main[main]

    def moves(self, request: object) -> None:
        """This request goes to the main host's queue, in place of one that was queued for a mirror."""
        self._moving.add(request)

    def twins(self, url: str, request: object, mirror_url: str) -> Iterator[str]:
        """The URLs of the same page elsewhere, of a request for `url` that is about to be queued.

        Of one that moves not `mirror_url`: there it has been queued itself.
        """
        origin = origin_of(url)
        if origin is None:
            return
        main = self._main.get(origin, origin)
        came_from = origin_of(mirror_url) if request in self._moving else None
        for twin in (main, *self._of_main.get(main, ())):
            if twin not in (origin, came_from):
                yield moved(url, twin)

    def sends_back(self, url: str, came_by: Sequence[str]) -> bool:
        """Whether the main host has redirected to the same page of its mirror, where nobody has fetched it."""
        origin = origin_of(url) if came_by else None
        main = self._main.get(origin) if origin is not None else None
        return main is not None and moved(url, main) in came_by
