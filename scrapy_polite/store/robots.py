"""What a store keeps of robots.txt: copies, and who may fetch one.

Times are epoch seconds of the store's clock. What a clock that was ahead has written is known by the time of its
writing (`clock.ahead_s`), and counts `as_of` the time at which it is found: what it keeps back ends after as long as
was meant, and what is written now replaces it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

from scrapy_polite.clock import AHEAD_S, ahead_s

if TYPE_CHECKING:
    from concurrent.futures import Future

    from .feed import Position


@dataclass(frozen=True, slots=True)
class RobotsCopy:
    """What is known of one origin's robots.txt, as fetched with one User-Agent. All times are epoch seconds.

    `agent` is what `identity.agent_key` makes of the header. Until schema 8 it was the product token that a copy was
    read for.

    `status`, `body`, `fetched_at`, `expires_at`, `etag`, `last_modified` and `hops` are of the last good answer (2xx,
    or 4xx with an empty body); `status` is None where there never was one. `failing_since` is set while the origin is
    unreachable, with the number of failed fetches in a row, when to try next, and why it failed; `failure` also says
    why an answer counts as 404 that was none. `refused_since` is when it first answered in that time, to say "not now"
    (5xx, 429).
    """

    origin: str
    agent: str
    updated_at: float
    status: int | None = None
    body: bytes = b""
    truncated: bool = False
    fetched_at: float = 0.0
    expires_at: float = 0.0
    etag: str | None = None
    last_modified: str | None = None
    hops: tuple[str, ...] = ()
    failing_since: float | None = None
    failures: int = 0
    next_try: float = 0.0
    failure: str = ""
    refused_since: float | None = None

    @property
    def due_at(self) -> float:
        """When the origin is to be asked again: at the end of freshness or, while it is unreachable, the next try."""
        return self.expires_at if self.failing_since is None else self.next_try

    def as_of(self, now: float) -> RobotsCopy:
        """As it stands. Whatever a clock that was ahead has written is due, and was so some seconds ago."""
        if not ahead_s(self.updated_at, now):
            return self
        return replace(
            self,
            updated_at=now,
            fetched_at=min(self.fetched_at, now),
            expires_at=min(self.expires_at, now - AHEAD_S),
            next_try=min(self.next_try, now - AHEAD_S),
            failing_since=None if self.failing_since is None else min(self.failing_since, now),
            refused_since=None if self.refused_since is None else min(self.refused_since, now),
        )

    def moved(self, by_s: float) -> RobotsCopy:
        """By a clock that differs by so much. A time that is 0 is none."""
        if not by_s:
            return self
        return replace(
            self,
            updated_at=self.updated_at + by_s,
            fetched_at=self.fetched_at and self.fetched_at + by_s,
            expires_at=self.expires_at and self.expires_at + by_s,
            next_try=self.next_try and self.next_try + by_s,
            failing_since=None if self.failing_since is None else self.failing_since + by_s,
            refused_since=None if self.refused_since is None else self.refused_since + by_s,
        )


class Claim(NamedTuple):
    """What `RobotsStore.claim` answers. `at` is the store's time, which the copy's times are of.

    `granted`: the right to fetch was leased, with `fence` as its fencing token.
    """

    copy: RobotsCopy | None
    granted: bool
    fence: Position | None
    at: float


class RobotsStore(Protocol):
    def get(self, origin: str, agent: str) -> Future[RobotsCopy | None]: ...

    def put(self, copy: RobotsCopy, holder: str = "", fence: Position | None = None) -> Future[bool]:
        """Keep `copy`, and end `holder`'s lease. Returns whether it was kept.

        With the `fence` of a claim it is kept unless somebody else has claimed since, whose copy is to count. Without
        one (or with one of another store) it is kept unless the copy that is there was updated later.
        """
        ...

    def claim(self, origin: str, agent: str, holder: str, lease_s: float, due_in_s: float = 0.0) -> Future[Claim]:
        """Read the copy and, if there is none or it is due within `due_in_s`, lease the right to fetch it, as one step.

        The lease lasts for `lease_s`, unless it is renewed, and is granted while no other lasts at this origin, whoever
        holds it for whichever agent: what one is answered is the pace of the next. Who has it already for this agent
        gets it again, with the same fencing token. All leases are of one length: another's that lasts for
        longer was given by a clock that was ahead, and is over.
        """
        ...

    def renew(self, origin: str, agent: str, holder: str, lease_s: float) -> Future[bool]:
        """Have `holder`'s lease last for `lease_s` from now on. False where it has none any more."""
        ...

    def release(self, origin: str, agent: str, holder: str) -> Future[None]: ...

    def of_origin(self, origin: str) -> Future[list[RobotsCopy]]:
        """All copies of one origin, whatever the User-Agent."""
        ...

    def forget(self, origin: str | None) -> Future[int]:
        """Drop the copies of one origin, or all (None). Returns how many there were."""
        ...
