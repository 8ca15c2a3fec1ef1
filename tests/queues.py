"""Queues as tests use them: opened, drained and closed."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from scrapy_polite.frontier.queue import FrontierError, QueueFailed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy_polite.frontier.queue import Queue, QueueEvent

LIMIT_S = 60
_Q = TypeVar("_Q", bound="Queue")


@contextmanager
def closing(queue: _Q) -> Iterator[_Q]:
    """As `contextlib.closing`, and waits until it is closed."""
    try:
        yield queue
    finally:
        queue.close().result(LIMIT_S)


def events(queue: Queue, kind: type[QueueEvent]) -> list[QueueEvent]:
    """The events of a kind; none of another kind may have come."""
    found = list(queue.events())
    assert {type(event) for event in found} <= {kind}
    return found


def errors(queue: Queue) -> list[FrontierError]:
    return [event.error for event in queue.events() if isinstance(event, QueueFailed)]


def seen_or_marked(queue: Queue, fingerprint: bytes) -> bool:
    """Whether it was visited before; now it is."""
    if queue.has_seen(fingerprint):
        return True
    queue.mark_seen(fingerprint)
    return False
