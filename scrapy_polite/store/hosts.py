"""What a store keeps of hosts, by pace key: who may send to one, which are closed, what their budgets have spent.

Durations go in, the store's own time comes out: however far apart the clocks of those who ask, they agree on it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

from scrapy_polite.clock import ahead_s

if TYPE_CHECKING:
    from concurrent.futures import Future

    from .feed import Page, Position

MAX_GATES = 100_000
"""A store that ends with the process keeps no more."""

_ASK_AGAIN_S = 0.05, 1.0
"""A lease that somebody else has is asked for again after as long as it has lasted so far, between these bounds."""


@dataclass(frozen=True, slots=True)
class GateState:
    """What is known of one gate beyond the crawl, under its pace key. All times are epoch seconds.

    `until` is the end of the embargo that `why` explains, 0 where there is none; `level` how often in a row it was
    backed off from; `retry_after_s` the Retry-After that the host has sent with it, 0 where another time holds.
    `spent` pages were fetched in the period of its budget that began at `period_start`, by the calendar. `updated_at`
    is of whatever changed last.
    """

    key: str
    updated_at: float
    until: float = 0.0
    level: int = 0
    why: str = ""
    period_start: float = 0.0
    spent: int = 0
    retry_after_s: float = 0.0

    def as_of(self, now: float) -> GateState:
        """As it stands. What is left of an embargo is as long as it was; a period that has not begun is the present."""
        by_s = ahead_s(self.updated_at, now)
        if not by_s:
            return self
        until = self.until - by_s if self.until > self.updated_at else self.until  # else it was noted before
        return replace(self, updated_at=now, until=until, period_start=min(self.period_start, now))

    def moved(self, by_s: float) -> GateState:
        """By a clock that differs by so much."""
        if not by_s:
            return self
        return replace(self, updated_at=self.updated_at + by_s, until=self.until and self.until + by_s)


class KeptGate(NamedTuple):
    """A gate as it is kept. `kept_at` is the `updated_at` of its embargo: what was spent moves only the state's own."""

    state: GateState
    kept_at: float

    @classmethod
    def closed(
        cls, key: str, now: float, closed_for_s: float, level: int, why: str, retry_after_s: float = 0.0
    ) -> KeptGate:
        """What `HostStore.keep` keeps: nothing of what was spent."""
        until = now + closed_for_s if closed_for_s > 0 else 0.0
        return cls(GateState(key, now, until, level, why, retry_after_s=retry_after_s), now)

    def as_of(self, now: float) -> KeptGate:
        return KeptGate(self.state.as_of(now), min(self.kept_at, now)) if ahead_s(self.state.updated_at, now) else self

    def merged(self, other: KeptGate) -> KeptGate:
        """The later embargo (at the same time, the other's), the later period, and the most that was spent in it."""
        ours, theirs = self.state, other.state
        embargo = theirs if other.kept_at >= self.kept_at else ours
        period_start = max(ours.period_start, theirs.period_start)
        state = GateState(
            key=ours.key,
            updated_at=max(ours.updated_at, theirs.updated_at),
            until=embargo.until,
            level=embargo.level,
            why=embargo.why,
            period_start=period_start,
            spent=max(state.spent for state in (ours, theirs) if state.period_start == period_start),
            retry_after_s=embargo.retry_after_s,
        )
        return KeptGate(state, max(self.kept_at, other.kept_at))


class HostLease(NamedTuple):
    """Who may send to a host next: `holder` alone before `hold_until`, then anybody, and nobody before `next_at`.

    `answered_at` is of the last answer that was still to be read, and may have asked for more; 0: there was none.
    """

    holder: str
    taken_at: float
    hold_until: float
    next_at: float
    answered_at: float = 0.0

    def as_of(self, now: float) -> HostLease:
        """As it stands. Its end, and the time of the next, are as far off as they were."""
        by_s = ahead_s(self.taken_at, now)
        if not by_s:
            return self
        answered_at = max(self.answered_at - by_s, 0.0)
        return HostLease(self.holder, now, self.hold_until - by_s, self.next_at - by_s, answered_at)

    def asked(self, gap_s: float) -> HostLease:
        """After somebody has asked for it who knows of a delay of `gap_s`."""
        next_at = self.answered_at + gap_s
        return self._replace(next_at=next_at) if self.answered_at and next_at > self.next_at else self

    def wait_s(self, holder: str, now: float) -> float:
        """0.0 if `holder` gets it; else when to ask again: as soon as a live holder may have released it."""
        if self.holder == holder or self.hold_until <= now:
            return max(self.next_at - now, 0.0)
        shortest, longest = _ASK_AGAIN_S
        return max(self.next_at - now, min(self.hold_until - now, max(min(now - self.taken_at, longest), shortest)))


class HostStore(Protocol):
    def acquire(
        self, key: str, holder: str, hold_s: float, *, gap_s: float = 0.0, if_known: bool = False
    ) -> Future[float]:
        """Lease the right to send the next request to a host, as one step.

        Returns 0.0 if it is granted: nobody else's lease lasts, and the time for the next request has come. Nobody else
        gets it then for `hold_s`, unless `release` says earlier that it is over. Refused: seconds to wait before asking
        again.

        `gap_s` is the delay that `holder` knows of. Once it has asked, nobody's next may go for so long after an answer
        that is still to be read (see `release`). A holder whose process has ended, killed, gives nothing back: where
        that can be known from here (SQLite) it is taken from it, and goes to the next after `gap_s`, as its request may
        have been under way until now.

        `if_known`: of a host that nobody has had a lease of it is granted, and nothing is kept. So whoever does not
        know yet whether a host asks for a delay has its turn among those who do.
        """
        ...

    def renew(self, key: str, holder: str, hold_s: float) -> Future[bool]:
        """Make a lease last for `hold_s` from now on, whatever the next request has to wait for; False where it is not
        the holder's any more."""
        ...

    def release(self, key: str, holder: str, gap_s: float, *, answered_s_ago: float | None = None) -> Future[None]:
        """The holder's request has been answered: nobody's next may go for `gap_s`.

        `answered_s_ago`: what was answered then is still to be read, and may ask for more (a robots.txt). Whoever knows
        of a delay keeps that from then on (see `acquire`).

        From anybody but the holder it leaves the lease to whose it is. It never makes the next go earlier. Without a
        gap nothing is kept of a host that nobody has had a lease of.
        """
        ...

    def keep(self, key: str, closed_for_s: float, level: int, why: str, retry_after_s: float = 0.0) -> Future[None]:
        """A host is closed for so long (0: it is open), at this level of back-off; `retry_after_s` if it has asked for
        that. What was kept later stays.

        What was spent is left to `spend`, which does not count as later: it must not undo an embargo.
        """
        ...

    def spend(self, key: str, period_start: float, pages: int) -> Future[int]:
        """Add to what was spent in this period. Returns the total, of all processes.

        A period is named by its start, of the calendar: a later one than the one held starts at 0; pages of an earlier
        one count towards the one held.
        """
        ...

    def changes(self, cursor: Position | None) -> Future[Page[GateState]]:
        """The gates that changed since `cursor`, of all there are (None), as they stand."""
        ...

    def forget(self, key: str | None) -> Future[int]:
        """Drop one gate, or all (None). Returns how many there were.

        Leases stay: somebody's request may be on its way, and they end by themselves.
        """
        ...
