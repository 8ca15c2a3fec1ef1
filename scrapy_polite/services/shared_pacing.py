"""What crawls on one store tell each other of their gates: who is closed, and what budgets have spent.

While the store is unavailable nothing gets looser: what is to be told is kept. A store's times are of its own clock,
the gates' are `clock.now`'s; the periods of a budget go by the calendar.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from scrapy_polite import _loop, clock
from scrapy_polite.pacing.backoff import Backoff
from scrapy_polite.pacing.gate import HeldBy
from scrapy_polite.services.host_leases import UNAVAILABLE_PAUSE_S
from scrapy_polite.store.errors import StoreUnavailable
from scrapy_polite.store.offset import ClockOffset

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from scrapy_polite.pacing.gate import Gate, Gates
    from scrapy_polite.services.host_leases import HostLeases
    from scrapy_polite.store.crawl import CrawlStore
    from scrapy_polite.store.feed import Position
    from scrapy_polite.store.hosts import GateState

#: For what a host's last process has met there is asked again after so long without an answer.
HEARING_S = 15.0
_HEARING = HeldBy("POLITE_STORE is asked what another process has met there")
#: States that are looked at before the loop has its turn.
_AT_ONCE = 2_000
#: From so many states on those that have lost their meaning are looked for.
_MANY = 100_000


class SharedPacing:
    """`gates` of one crawl as far as other crawls are concerned; `freed` hears of each that may have opened.

    `run` has a coroutine run beside the caller. A level of back-off is forgotten after `reset_after_s`; no budget's
    period is longer than `longest_period_s`. A store that is unavailable keeps the crawl from beginning for
    `patience_s`.
    """

    def __init__(
        self,
        store: CrawlStore,
        gates: Gates,
        leases: HostLeases,
        freed: Callable[[Gate, float], None],
        run: Callable[[Coroutine[Any, Any, None]], object],
        *,
        audit: bool,
        reset_after_s: float,
        longest_period_s: float,
        patience_s: float,
    ) -> None:
        self._store = store
        self._gates = gates
        self._leases = leases
        self._freed = freed
        self._run = run
        self._audit = audit
        self._reset_after_s = reset_after_s
        self._longest_period_s = longest_period_s
        self._patience_s = patience_s
        #: What the store is still to be told: embargoes, pages.
        self._noted: dict[str, Backoff] = {}
        self._unspent: Counter[str] = Counter()
        #: By key, what it is being told at the moment.
        self._telling: Counter[str] = Counter()
        #: Hosts that were another process's, of which it may have told the store something since it was last asked.
        self._unheard: set[str] = set()
        #: What is known of gates that may be made yet, in our time.
        self._known: dict[str, GateState] = {}
        self._looked_over_at = _MANY
        self._cursor: Position | None = None
        self._offset = ClockOffset()
        self._loaded = False
        self._load_by: float | None = None
        self._loading, self._exchanging = _loop.Semaphore(1), _loop.Semaphore(1)
        self._exchanges = 0

    # What is told

    def keep(self, gate: Gate) -> None:
        """Tell of a gate's embargo and level."""
        self._noted[gate.key] = gate.backoff or Backoff()
        self._run(self._tell_if_it_can_be_had())

    def spend(self, gate: Gate) -> None:
        """Count a page in the gate's budget."""
        self._unspent[gate.key] += 1

    def give_back(self, gate: Gate) -> None:
        """A page that was counted has not been fetched after all. Once it has been told, it stays counted."""
        if self._unspent[gate.key]:
            self._unspent[gate.key] -= 1

    def has_told(self, key: str) -> bool:
        """Whether the store knows all that this crawl has met at a host; tells it the rest soon."""
        if self._telling[key] or key in self._noted or self._unspent[key]:
            self.exchange_soon()
            return False
        return True

    async def _tell_if_it_can_be_had(self) -> None:
        with suppress(StoreUnavailable):  # what is left is told at the next exchange
            for key in list(self._noted):
                await self._tell_of_embargo(key)

    # Each takes out what it tells before it awaits anything: it must not be told twice.

    async def _tell_of_embargo(self, key: str) -> None:
        noted = self._noted.pop(key, None)
        if noted is None:
            return
        self._telling[key] += 1
        try:
            await self._store.ask_shared(
                lambda store: store.hosts.keep(
                    key, max(noted.until - clock.now(), 0.0), noted.level, noted.why, noted.retry_after_s
                )
            )
        except StoreUnavailable:
            self._noted.setdefault(key, noted)
            raise
        finally:
            self._told(key)

    async def _tell_of_pages(self, key: str) -> None:
        pages, gate = self._unspent.pop(key, 0), self._gates.peek(key)
        if not pages or gate is None or gate.budget is None:
            return
        begin = gate.budget.period_start(clock.system())
        self._telling[key] += 1
        try:
            total = await self._store.ask_shared(lambda store: store.hosts.spend(key, begin, pages))
        except StoreUnavailable:
            self._unspent[key] += pages
            raise
        finally:
            self._told(key)
        gate.spent_by_all(begin, total)

    def _told(self, key: str) -> None:
        self._telling[key] -= 1
        if not self._telling[key]:
            del self._telling[key]

    # What is learned

    def came(self, key: str) -> None:
        """A host was another process's until now."""
        self._unheard.add(key)

    def has_heard(self, gate: Gate, now: float) -> bool:
        """Whether it is known what another process has met at a host that it had until now; asks where it is not.

        Meanwhile the gate is shut; it moves when the answer is there.
        """
        if gate.key not in self._unheard:
            return True
        if gate.held_until <= now:
            gate.hold(now + HEARING_S, _HEARING)
            self._run(self._hear(gate))
        return False

    async def _hear(self, gate: Gate) -> None:
        try:
            async with self._exchanging:
                await self._learn()
        except StoreUnavailable:
            gate.hold(clock.now() + UNAVAILABLE_PAUSE_S, _HEARING)
        else:
            gate.release()
        self._freed(gate, clock.now())

    def look_again(self, key: str, now: float) -> None:
        """Something else than its gate has kept a host shut, and does so no longer."""
        if (gate := self._gates.peek(key)) is not None:
            self._freed(gate, now)

    def bring_up(self, gate: Gate) -> None:
        """Let a gate that has just been made know what the store has of it."""
        if (state := self._known.get(gate.key)) is not None:
            _apply(gate, state)

    async def loaded(self) -> None:
        """Once what the store knows of closed hosts has been taken over; while it is unavailable, for some time."""
        if self._load_by is None:
            self._load_by = clock.now() + self._patience_s
        async with self._loading:
            while not self._loaded:
                await self.exchange()
                if self._loaded or clock.now() >= self._load_by:
                    return
                await _loop.sleep(UNAVAILABLE_PAUSE_S)

    def exchange_soon(self) -> None:
        if not self._exchanges:
            self._run(self.exchange())

    async def exchange(self) -> None:
        """Take over what other processes, or earlier runs, met; tell what is still to be told. One at a time."""
        self._exchanges += 1
        try:
            async with self._exchanging:
                with suppress(StoreUnavailable):  # the next one makes up for it
                    await self._learn()
                    await self._leases.tell()
                    for key in list(self._noted):
                        await self._tell_of_embargo(key)
                    for key in list(self._unspent):
                        await self._tell_of_pages(key)
        finally:
            self._exchanges -= 1

    async def close(self) -> None:
        """End all leases, and tell what is still to be told."""
        self._leases.end_all()
        await self.exchange()

    async def _learn(self) -> None:
        unheard, more = set(self._unheard), True
        while more:
            asked_at = clock.now()
            page = await self._store.ask_shared(lambda store: store.hosts.changes(self._cursor))
            now = clock.now()
            self._offset.learn(asked_at, page.at, now)
            for number, state in enumerate(page.items, 1):
                self._take_over(state.moved(self._offset.seconds), now)
                if not number % _AT_ONCE:
                    await _loop.sleep(0)
            self._cursor, more = page.cursor, page.more
        self._loaded = True
        self._unheard -= unheard
        if len(self._known) > self._looked_over_at:
            now = clock.now()
            self._known = {key: state for key, state in self._known.items() if self._matters(state, now)}
            self._looked_over_at = max(_MANY, 2 * len(self._known))

    def _take_over(self, state: GateState, now: float) -> None:
        if not self._matters(state, now):
            self._known.pop(state.key, None)
            return
        self._known[state.key] = state
        if (gate := self._gates.peek(state.key)) is not None:
            _apply(gate, state)
            self._freed(gate, clock.now())

    def _matters(self, state: GateState, now: float) -> bool:
        """Whether a gate that is made now has to know of it."""
        return not self._audit and (
            state.until > now
            or (state.level > 0 and now - max(state.until, state.updated_at) < self._reset_after_s)
            or (state.spent > 0 and clock.wall(now) < state.period_start + self._longest_period_s)
        )


def _apply(gate: Gate, state: GateState) -> None:
    if state.spent:
        gate.spent_by_all(state.period_start, state.spent)
    backoff = gate.backoff
    if backoff is not None:
        if state.until > backoff.until + 0.001:
            backoff.prolong(state.until, state.level, state.why, state.retry_after_s)
    elif state.until > 0.001 or state.level:
        gate.backoff = Backoff(state.until, state.level, state.why, state.updated_at, state.retry_after_s)
