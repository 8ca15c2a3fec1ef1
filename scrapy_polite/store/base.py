"""The interface of a store, and the values it keeps.

What was written by a clock that was ahead is known by the time of its writing (`clock.ahead_s`), and counts `as_of` the
time at which it is found: what it keeps back ends after as long as was meant, and what is written now replaces it.

A store answers with `concurrent.futures.Future`s, so that it may work in a thread of its own and no loop has to wait:
`_loop.from_thread` turns one into something a coroutine can await in any of Scrapy's loop modes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

from scrapy_polite.clock import AHEAD_S, ahead_s

if TYPE_CHECKING:
    from concurrent.futures import Future
    from pathlib import Path


MAX_GATES = 100_000
"""About so many gates are listed at once, some 50 MB of them; a store that ends with the process keeps no more."""

MAX_DEAD = 100_000
"""A store that ends with the process keeps no more dead URLs."""

MAX_QUARANTINES = 100_000
"""So many quarantines are listed at once; a store that ends with the process keeps no more."""

MAX_PLACE_LENGTH = 4_096
"""Characters of a quarantine's site and place together: cut, a longer one would be another place, so none is kept."""

MAX_EVIDENCE_LENGTH = 1_000
MAX_EXAMPLES = 5
MAX_EXAMPLE_LENGTH = 2_083
"""Scrapy's URLLENGTH_LIMIT."""

DECISIONS = ("", "confirmed", "released")
"""What a person may have decided of a quarantine; the empty one: nothing yet."""

_ASK_AGAIN_S = 0.05, 1.0
"""A turn that somebody else holds is asked for again after as long as it has lasted so far, between these bounds."""


class StoreError(Exception):
    """The store cannot do what it was asked: unreadable, locked for too long, read-only, full, corrupt.

    The message names the file, what was wrong and what to do.
    """


class StoreLocked(StoreError):
    """Another process has kept the store locked for longer than one call waits. Asked again, it may answer."""


@dataclass(frozen=True, slots=True)
class RobotsCopy:
    """What is known of one origin's robots.txt, as fetched for one product token. All times are epoch seconds.

    `status`, `body`, `fetched_at`, `expires_at`, `etag`, `last_modified` and `hops` are of the last good answer (2xx,
    or 4xx with an empty body); `status` is None where there never was one. `failing_since` is set while the origin is
    unreachable, with the number of failed fetches in a row, when to try next, and why it failed; `failure` also says
    why an answer counts as 404 that was none.
    """

    origin: str
    token: str
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
        )


@dataclass(frozen=True, slots=True)
class GateState:
    """What is known of one gate beyond the crawl, under its pace key. All times are epoch seconds.

    `until` is the end of the embargo that `why` explains, `level` how often in a row it was backed off from. `spent`
    pages were fetched in the period of its budget that began at `period_start`. `updated_at` is of whatever changed
    last.
    """

    key: str
    updated_at: float
    until: float = 0.0
    level: int = 0
    why: str = ""
    period_start: float = 0.0
    spent: int = 0

    def as_of(self, now: float) -> GateState:
        """As it stands. What is left of an embargo is as long as it was; a period that has not begun is the present."""
        by_s = ahead_s(self.updated_at, now)
        if not by_s:
            return self
        until = self.until - by_s if self.until > self.updated_at else self.until  # else it was noted before
        return replace(self, updated_at=now, until=until, period_start=min(self.period_start, now))

    def moved(self, by_s: float) -> GateState:
        """By a clock that differs by so much."""
        return replace(self, updated_at=self.updated_at + by_s, until=self.until and self.until + by_s)


class KeptGate(NamedTuple):
    """A gate as it is kept. `kept_at` is the `updated_at` of its embargo: what was spent moves only the state's own."""

    state: GateState
    kept_at: float

    @classmethod
    def said(cls, state: GateState) -> KeptGate:
        """What `Store.keep_gate` keeps: nothing of what was spent."""
        return cls(replace(state, period_start=0.0, spent=0), state.updated_at)

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
        )
        return KeptGate(state, max(self.kept_at, other.kept_at))


@dataclass(frozen=True, slots=True)
class DeadUrl:
    """`key` (a URL as `visited.canonical` spells it) was answered with `status`, 404 or 410, at `seen_at`."""

    key: str
    status: int
    seen_at: float

    def as_of(self, now: float) -> DeadUrl | None:
        """None: a clock that was ahead has seen it, and nobody knows when."""
        return None if ahead_s(self.seen_at, now) else self


@dataclass(frozen=True, slots=True)
class Quarantine:
    """A URL pattern of a site that looks endless, or of which a person has decided. Times are epoch seconds.

    `site` is a registered domain (or an address with its port). `place` is the pattern, as `traps.patterns` makes it:
    the root of a group, such as `/calendar?m&y`, `/site/**/` or `//shop.example.com/x/*`; a person may also write
    `/calendar/**`. `kind` is a key of `traps.groups.KINDS`: suspected, why it is followed no further, or by hand.
    `refused` counts the links that a crawl did not follow, so far. `decision` is one of `DECISIONS`: "confirmed",
    its links are refused, or "released", it is never suspected again. `until` is the end of the suspicion, and infinite
    where a person has decided.
    """

    site: str
    place: str
    kind: str
    evidence: str
    examples: tuple[str, ...]
    since: float
    until: float
    refused: int = 0
    decision: str = ""
    updated_at: float = 0.0

    def bounded(self) -> Quarantine | None:
        """What a store keeps of it: long values are cut, and what has too long a place is not kept at all."""
        if len(self.site) + len(self.place) > MAX_PLACE_LENGTH:
            return None
        examples = tuple(example[:MAX_EXAMPLE_LENGTH] for example in self.examples[:MAX_EXAMPLES])
        return replace(self, evidence=self.evidence[:MAX_EVIDENCE_LENGTH], examples=examples)

    def as_of(self, now: float) -> Quarantine:
        """As it stands. A suspicion lasts for as long as it was to last."""
        by_s = ahead_s(self.updated_at, now)
        return replace(self, updated_at=now, since=min(self.since, now), until=self.until - by_s) if by_s else self

    def merged(self, other: Quarantine) -> Quarantine:
        """A person's decision, then the later of the two (at the same time, the other); the larger `refused`."""
        kept = other if other._rank >= self._rank else self
        return replace(kept, refused=max(self.refused, other.refused))

    @property
    def _rank(self) -> tuple[bool, float]:
        return self.decision != "", self.updated_at


class Turn(NamedTuple):
    """Who may send to a gate next: `holder` alone before `hold_until`, then anybody, and nobody before `next_at`."""

    holder: str
    taken_at: float
    hold_until: float
    next_at: float

    def as_of(self, now: float) -> Turn:
        """As it stands. Its end, and the time of the next, are as far off as they were."""
        by_s = ahead_s(self.taken_at, now)
        return Turn(self.holder, now, self.hold_until - by_s, self.next_at - by_s) if by_s else self

    def ask_again_at(self, holder: str, now: float) -> float:
        """0.0 if `holder` gets the turn, else when to ask again: as soon as a live holder may have ended it."""
        if self.holder == holder or self.hold_until <= now:
            return 0.0 if self.next_at <= now else self.next_at
        shortest, longest = _ASK_AGAIN_S
        return max(self.next_at, min(self.hold_until, now + min(max(now - self.taken_at, shortest), longest)))


class Store(Protocol):
    """Every call returns at once; a future fails with `StoreError` and nothing else."""

    description: str
    """One phrase for the start line: where the store is."""

    shared: bool
    """Whether other processes may use the same store, and later runs."""

    def get(self, origin: str, token: str) -> Future[RobotsCopy | None]: ...

    def put(self, copy: RobotsCopy, holder: str = "") -> Future[None]:
        """Keep `copy`, made now, unless one made later is held already, and end `holder`'s lease."""
        ...

    def claim(
        self, origin: str, token: str, holder: str, now: float, until: float, due: float
    ) -> Future[tuple[RobotsCopy | None, bool]]:
        """Read the copy and, if there is none or it is due by `due`, lease the right to fetch it, as one step.

        Returns the copy as of `now`, and whether the lease was granted.
        """
        ...

    def lease(self, origin: str, token: str, holder: str, now: float, until: float) -> Future[bool]:
        """Claim or renew the right to fetch this robots.txt until `until`; False while another's lease lasts.

        All leases are of one length: another's that lasts for longer was given by a clock that was ahead, and is over.
        """
        ...

    def release(self, origin: str, token: str, holder: str) -> Future[None]: ...

    def copies(self, origin: str) -> Future[list[RobotsCopy]]:
        """All copies of one origin, whatever the product token."""
        ...

    def forget(self, origin: str | None) -> Future[int]:
        """Drop the copies of one origin, or all (None). Returns how many there were."""
        ...

    def take_turn(self, key: str, holder: str, now: float, hold_until: float) -> Future[float]:
        """Claim the right to send the next request to a gate, as one step.

        Returns 0.0 if it is granted: nobody else's turn lasts, and the time for the next has come. Nobody else gets it
        then before `hold_until`, unless `end_turn` says earlier when it is over. Refused: when to ask again.
        """
        ...

    def end_turn(self, key: str, holder: str, next_at: float) -> Future[None]:
        """The holder's request has been answered: nobody's next may go before `next_at`.

        From anybody but the holder it leaves the turn to whose it is. It never makes the next go earlier.
        """
        ...

    def keep_gate(self, state: GateState) -> Future[None]:
        """Keep `until`, `level` and `why`, unless those held were kept with a later `updated_at`.

        `period_start` and `spent` are left to `spend`, which does not count as later: it must not undo an embargo.
        """
        ...

    def gates(self, since: float) -> Future[list[GateState]]:
        """The gates updated after `since`, oldest first: of so many as `MAX_GATES` or more there is a next page.

        It begins after the last one's `updated_at`, since all that were updated at the same time are on one page. A
        state may arrive some seconds after its `updated_at`: who asks from time to time lets the times overlap.
        """
        ...

    def spend(self, key: str, period_start: float, pages: int, now: float) -> Future[int]:
        """Add to what was spent in this period. Returns the total, of all processes.

        A later period than the one held starts at 0; pages of an earlier one count towards the one held.
        """
        ...

    def forget_gate(self, key: str | None) -> Future[int]:
        """Drop one gate, or all (None). Returns how many there were.

        Turns stay: somebody's request may be on its way, and they end by themselves.
        """
        ...

    def dead(self, key: str) -> Future[DeadUrl | None]:
        """What is remembered of this URL; what was kept a moment ago may be missed."""
        ...

    def keep_dead(self, dead: DeadUrl) -> Future[None]:
        """Keep `dead` unless what is held was seen later."""
        ...

    def forget_dead(self, key: str | None) -> Future[int]:
        """Drop one dead URL, or all (None). Returns how many there were."""
        ...

    def quarantines(self, since: float) -> Future[list[Quarantine]]:
        """Those updated after `since`, the one updated longest ago first, `MAX_QUARANTINES` at most; see `gates`."""
        ...

    def keep_quarantine(self, quarantine: Quarantine) -> Future[None]:
        """Keep it (`Quarantine.bounded`) in place of what is held of its site and place, unless that outranks it.

        A person's decision outranks every finding; of two decisions, or two findings, the one with the later
        `updated_at` wins. The larger `refused` is kept.
        """
        ...

    def forget_quarantine(self, site: str | None, place: str | None = None) -> Future[int]:
        """Drop one quarantine, all of a site, or all (None). Returns how many there were."""
        ...

    def prune(self, before: float) -> Future[int]:
        """Drop copies last updated before `before`. Returns how many there were.

        Drops as well the gates last updated and open before it, the turns over before it, the dead URLs seen before it,
        and the quarantines that ended before it.
        """
        ...

    def export_to(self, path: Path) -> Future[int]:
        """Write everything to one new file that `import_from` reads. Returns the number of copies.

        Gates, dead URLs and quarantines go along, because on a machine without a lasting disk this file is all that
        outlives an embargo, keeps a budget or knows a person's decision; leases and turns never, as they belong to
        running processes.
        """
        ...

    def import_from(self, path: Path) -> Future[int]:
        """Take over what `export_to` wrote; what was updated or seen later wins. Returns the number of copies read.

        Of pages spent in the same period the larger number wins: importing twice must not count them twice. Of
        quarantines the one that `keep_quarantine` would keep.
        """
        ...

    def close(self) -> None:
        """Finish what was asked so far and let go of all resources. Harmless when called twice."""
        ...


def every_quarantine(store: Store) -> list[Quarantine]:
    """All that a store has of groups of URL patterns. Blocks; for commands."""
    found: list[Quarantine] = []
    since = -math.inf
    while len(batch := store.quarantines(since).result()) == MAX_QUARANTINES:
        found += batch
        since = batch[-1].updated_at
    return found + batch
