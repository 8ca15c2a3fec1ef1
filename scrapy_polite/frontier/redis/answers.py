"""What comes back from the server, for the crawl to read in the order in which the server did it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scrapy_polite.frontier.queue import FrontierError
    from scrapy_polite.frontier.redis.operations import Operation


@dataclass(frozen=True, slots=True)
class Applied:
    """Operations have been applied. `codes` of pushes, in order: `0` it was known, `1` queued, `2` for this process."""

    operations: Sequence[Operation]
    codes: bytes
    queued: int
    taken: int
    seen: int
    letters: Sequence[bytes]
    starting: bool


@dataclass(frozen=True, slots=True)
class Taken:
    """Hosts that were claimed; queues that were read; hosts of this process in which something has changed.

    `ahead_s`: the time within which `opening` hosts of nobody may be asked; `owned` hosts are somebody's.
    """

    facts: Sequence[int]
    ahead_s: float
    claimed: Sequence[Any]
    filled: Sequence[Any]
    changed: Sequence[Any]


@dataclass(frozen=True, slots=True)
class Recalled:
    """All that the server has of this process, as a reply may have been lost."""

    hosts: Sequence[Any]
    requests: Sequence[bytes]


@dataclass(frozen=True, slots=True)
class Renamed:
    """All hosts and all that was taken are with others from now on."""

    generation: int


@dataclass(frozen=True, slots=True)
class Failing:
    error: FrontierError


@dataclass(frozen=True, slots=True)
class Working:
    """It works again."""


@dataclass(frozen=True, slots=True)
class Lost:
    error: FrontierError


Answer = Applied | Taken | Recalled | Renamed | Failing | Working | Lost
