"""A lane as the scheduler knows it: with its origin, and with why it may not go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy_polite.frontier.deferral import LaneName
from scrapy_polite.frontier.parts import part_of
from scrapy_polite.frontier.schedule import Lane
from scrapy_polite.frontier.shares import FOUND
from scrapy_polite.origin import Origin, origin_of

if TYPE_CHECKING:
    from scrapy import Request

    from scrapy_polite.frontier.shares import Flow
    from scrapy_polite.pacing.gate import Gate
    from scrapy_polite.robots.cache import CachedRobots
    from scrapy_polite.services.in_flight_request import AbandonReason


class OriginLane(Lane):
    """A lane with what the scheduler knows of its origin (None: a scheme that has none)."""

    __slots__ = ("abandoned", "busy", "cleared_until", "flow", "kind", "only_memory_only", "origin", "robots")

    def __init__(self, name: str, gate: Gate, origin: Origin | None) -> None:
        super().__init__(name, gate)
        self.origin = origin
        #: Of a group of URL patterns, or the rest of its site (see `deferral`); None where nobody looks for traps.
        self.flow: Flow | None = None
        self.kind = FOUND
        #: Being made ready, or abandoned: it is not to be put meanwhile.
        self.busy = False
        #: Until when its robots.txt need not be looked at again.
        self.cleared_until = 0.0
        self.abandoned: AbandonReason | None = None
        #: Abandoned is only what the queue cannot keep for the next run.
        self.only_memory_only = False
        #: The robots.txt whose demands the gate has been told.
        self.robots: CachedRobots | None = None

    def part_of(self, request: Request) -> str:
        """What of the host a request is in is leased by itself."""
        return part_of(self.gate.key, self.gate.workers, request.url)

    @property
    def shown(self) -> str:
        """Its name for a person: of a group that is not suspected only that it is its host's."""
        name = LaneName.read(self.name)
        return name.shown if self.flow is not None and self.flow.suspected else name.origin


def lane_name_of(url: str) -> tuple[LaneName, Origin | None]:
    """The main lane of what a URL asks for, and its origin."""
    origin = origin_of(url)
    return LaneName(str(origin) if origin else url.partition(":")[0] + ":"), origin


def origin_of_lane(name: str) -> Origin | None:
    origin = LaneName.read(name).origin
    return None if origin.endswith(":") else Origin.from_url(origin)
