"""What the queue has learned later: each of its events goes to the part of the scheduler that it concerns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy_polite.frontier.queue import (
    DeadLetter,
    Duplicate,
    HostCame,
    HostWanted,
    LaneCame,
    LaneWent,
    QueueFailed,
    QueueLost,
    QueueRecovered,
    Unwritable,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Request

    from scrapy_polite.frontier.claims import Claims
    from scrapy_polite.frontier.health import QueueHealth
    from scrapy_polite.frontier.lanes import Lanes
    from scrapy_polite.frontier.queue import Queue
    from scrapy_polite.frontier.report import Report
    from scrapy_polite.frontier.unrepeated import Unrepeated


class Feed:
    """`filtered` is told of requests that turn out to have been seen before."""

    def __init__(
        self,
        queue: Queue,
        lanes: Lanes,
        health: QueueHealth,
        report: Report,
        unrepeated: Unrepeated,
        claims: Claims,
        filtered: Callable[[Request], object],
    ) -> None:
        self._queue = queue
        self._lanes = lanes
        self._filtered = filtered
        self._report = report
        self._unrepeated = unrepeated
        self._readers: dict[type, Callable[[Any], object]] = {
            QueueFailed: lambda event: health.failed(event.error),
            QueueRecovered: lambda event: health.recovered(queue.description),
            QueueLost: lambda event: health.lost(event.error),
            DeadLetter: self._set_aside,
            Unwritable: lambda event: report.say_what_cannot_be_written(event.why),
            Duplicate: self._was_known,
            HostCame: lambda event: claims.came(event.host, event.note),
            LaneCame: lambda event: lanes.came(event.state),
            LaneWent: lambda event: lanes.went(event.lane, event.count),
            HostWanted: lambda event: claims.wanted(event.host),
        }

    def read(self) -> None:
        """To be called now and then, and at the end."""
        for event in self._queue.events():
            self._readers[type(event)](event)

    def _was_known(self, event: Duplicate) -> None:
        self._lanes.flows.was_known(event.request)
        self._filtered(event.request)

    def _set_aside(self, letter: DeadLetter) -> None:
        self._report.letters.append(letter)
        self._unrepeated.note(letter)
