"""What crawls on one store tell each other of their gates: whose turn it is, who is closed, what budgets have spent.

While another process keeps the store locked nothing gets looser: turns are waited for, and what is to be told is kept.
The store's times are the system clock's, as every process has it; the gates' are `clock.now`'s.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any

from scrapy_polite import _loop, clock
from scrapy_polite.pacing.backoff import Backoff
from scrapy_polite.store.base import MAX_GATES, GateState, StoreLocked
from scrapy_polite.store.holder import new_holder

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from concurrent.futures import Future

    from scrapy_polite.pacing.gate import Gate, Gates
    from scrapy_polite.store.base import Store
    from scrapy_polite.store.crawl import CrawlStore

#: How long a turn at a gate lasts unless it is ended or renewed; others have the gate's delay on top of that.
HOLD_S = 15.0
#: A state may arrive in the store so long after its time.
_OVERLAP_S = 5.0
#: A store that is locked when the crawl begins is asked again so often.
_LOCKED_PAUSE_S = 1.0
#: States that are looked at before the loop has its turn.
_AT_ONCE = 2_000
#: From so many states on those that have lost their meaning are looked for.
_MANY = 100_000


class SharedPacing:
    """`gates` of one crawl as far as other crawls are concerned; `freed` hears of each that may have opened.

    `run` has a coroutine run beside the caller. A level of back-off is forgotten after `reset_after_s`; no budget's
    period is longer than `longest_period_s`. A store that is locked keeps the crawl from beginning for `patience_s`.
    """

    def __init__(
        self,
        store: CrawlStore,
        gates: Gates,
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
        self._freed = freed
        self._run = run
        self._audit = audit
        self._reset_after_s = reset_after_s
        self._longest_period_s = longest_period_s
        self._patience_s = patience_s
        self._holder = new_holder()
        #: The turns that this crawl has, and until when it may rely on them.
        self._turns: dict[str, float] = {}
        #: The gates at which a turn has been asked for, and no answer has come yet.
        self.asking: set[str] = set()
        self._locked_since = 0.0
        #: What the store is still to be told: turns that are over with the time of the next, embargoes, pages.
        self._ended: dict[str, float] = {}
        self._noted: dict[str, GateState] = {}
        self._unspent: Counter[str] = Counter()
        #: What is known of gates that may be made yet.
        self._known: dict[str, GateState] = {}
        self._looked_over_at = _MANY
        self._known_up_to = -inf
        self._loaded = False
        self._load_by: float | None = None
        self._loading, self._exchanging = _loop.Semaphore(1), _loop.Semaphore(1)
        self._exchanges = 0

    # Turns

    def has_turn(self, gate: Gate, now: float) -> bool:
        """Whether this process may send to a host whose delay others keep as well; asks for it where it is not known.

        Meanwhile the gate is shut; it moves when the answer is there.
        """
        if gate.delay.seconds <= 0 or not self._store.is_shared:
            return True
        if self._turns.get(gate.key, 0.0) > now:
            return True
        if gate.held_until <= now:
            gate.held_until = now + HOLD_S
            self.asking.add(gate.key)
            self._run(self._take_turn(gate))
        return False

    async def _take_turn(self, gate: Gate) -> None:
        now, key = clock.now(), gate.key
        self._ended.pop(key, None)  # the store does not know yet: so it goes on, or another's has come
        try:
            refused_until = await self._store.ask_shared(self._turn(gate, now))
        except StoreLocked:
            again_at = self._after_lock(now)
        else:
            again_at = refused_until and clock.of_wall(refused_until)
            self._locked_since = 0.0
        finally:
            self.asking.discard(key)
        if again_at:
            gate.held_until = again_at
        else:
            gate.held_until = 0.0
            self._turns[key] = now + HOLD_S
        self._freed(gate, clock.now())

    def _turn(self, gate: Gate, now: float) -> Callable[[Store], Future[float]]:
        # If its end is never told, as this process dies or the store is locked, the delay has to be over all the same.
        at, for_s = clock.wall(now), HOLD_S + gate.delay.seconds
        return lambda store: store.take_turn(gate.key, self._holder, at, at + for_s)

    @property
    def locked(self) -> bool:
        """Whether the store was locked when a turn was asked for last."""
        return self._locked_since > 0

    def _after_lock(self, asked_at: float) -> float:
        """When to ask again: after as long again as the store has been locked. A crawl that has nothing else to do is
        to end, and does as soon as that is further off than POLITE_MAX_IDLE."""
        now = clock.now()
        self._locked_since = min(self._locked_since or asked_at, now)
        return now + max(now - self._locked_since, _LOCKED_PAUSE_S)

    def end_turn(self, key: str, next_at: float) -> None:
        """The request has been answered; nobody's next may go before `next_at`."""
        if self._turns.pop(key, None):
            self._ended[key] = next_at
            self._run(self._tell())

    async def renew_turns(self) -> None:
        """Keep the turns of requests that are in flight for long; another process took over what was not renewed."""
        for key in list(self._turns):
            if key not in self._turns:
                continue  # ended while another was renewed
            gate, now = self._gates.peek(key), clock.now()
            if gate is None or not gate.in_flight:
                self.end_turn(key, now)
                continue
            try:
                again_at = await self._store.ask_shared(self._turn(gate, now))
            except StoreLocked:
                return
            if again_at:
                self._turns.pop(key, None)
            elif key in self._turns:
                self._turns[key] = now + HOLD_S

    # What is told

    def keep(self, gate: Gate) -> None:
        """Tell of a gate's embargo and level."""
        backoff = gate.backoff or Backoff()
        self._noted[gate.key] = GateState(gate.key, 0.0, backoff.until, backoff.level, backoff.why)
        self._run(self._tell())

    def spend(self, gate: Gate) -> None:
        """Count a page in the gate's budget."""
        self._unspent[gate.key] += 1

    def give_back(self, gate: Gate) -> None:
        """A page that was counted has not been fetched after all. Once it has been told, it stays counted."""
        if self._unspent[gate.key]:
            self._unspent[gate.key] -= 1

    async def _tell(self) -> None:
        with suppress(StoreLocked):  # what is left is told at the next exchange
            for key in list(self._ended):
                await self._tell_of_turn(key)
            for key in list(self._noted):
                await self._tell_of_embargo(key)

    # Each takes out what it tells before it awaits anything: it must not be told twice, nor a turn end that is new.

    async def _tell_of_turn(self, key: str) -> None:
        next_at = self._ended.pop(key, None)
        if next_at is None:
            return
        try:
            await self._store.ask_shared(lambda store: store.end_turn(key, self._holder, clock.wall(next_at)))
        except StoreLocked:
            if key not in self._turns and key not in self.asking:
                self._ended[key] = next_at
            raise

    async def _tell_of_embargo(self, key: str) -> None:
        noted = self._noted.pop(key, None)
        if noted is None:
            return
        now = clock.now()
        state = replace(noted, updated_at=now).moved(clock.wall(now) - now)  # others look only for what is new
        try:
            await self._store.ask_shared(lambda store: store.keep_gate(state))
        except StoreLocked:
            self._noted.setdefault(key, noted)
            raise

    async def _tell_of_pages(self, key: str) -> None:
        pages, gate, now = self._unspent.pop(key, 0), self._gates.peek(key), clock.system()
        if not pages or gate is None or gate.budget is None:
            return
        begin = gate.budget.period_start(now)
        try:
            total = await self._store.ask_shared(lambda store: store.spend(key, begin, pages, now))
        except StoreLocked:
            self._unspent[key] += pages
            raise
        gate.spent_by_all(begin, total)

    # What is learned

    def bring_up(self, gate: Gate) -> None:
        """Let a gate that has just been made know what the store has of it."""
        if (state := self._known.get(gate.key)) is not None:
            _apply(gate, state)

    async def loaded(self) -> None:
        """Once what the store knows of closed hosts has been taken over; while it is locked, for some time."""
        if self._load_by is None:
            self._load_by = clock.now() + self._patience_s
        async with self._loading:
            while not self._loaded:
                await self.exchange()
                if self._loaded or clock.now() >= self._load_by:
                    return
                await _loop.sleep(_LOCKED_PAUSE_S)

    def exchange_soon(self) -> None:
        if not self._exchanges:
            self._run(self.exchange())

    async def exchange(self) -> None:
        """Take over what other processes, or earlier runs, met; tell what is still to be told. One at a time."""
        self._exchanges += 1
        try:
            async with self._exchanging:
                with suppress(StoreLocked):  # the next one makes up for it
                    await self._learn(clock.system())
                    await self._tell()
                    for key in list(self._unspent):
                        await self._tell_of_pages(key)
        finally:
            self._exchanges -= 1

    async def close(self) -> None:
        """End all turns, and tell what is still to be told."""
        self._ended.update(dict.fromkeys(self._turns, clock.now()))
        self._turns.clear()
        await self.exchange()

    async def _learn(self, now: float) -> None:
        # The first time all that there is: an embargo may have been noted long ago, and a period have begun then.
        up_to, more = self._known_up_to - _OVERLAP_S, True
        while more:
            states = await self._store.ask_shared(partial(_page, up_to))
            for number, state in enumerate(states, 1):
                self._take_over(self._set_right(state, now), now)
                if not number % _AT_ONCE:
                    await _loop.sleep(0)
            up_to = states[-1].updated_at if states else up_to
            more = len(states) >= MAX_GATES
        # What was noted by a clock that went ahead must not hide what is noted from now on.
        self._known_up_to = min(max(self._known_up_to, up_to), now)
        self._loaded = True
        if len(self._known) > self._looked_over_at:
            self._known = {key: state for key, state in self._known.items() if self._matters(state, now)}
            self._looked_over_at = max(_MANY, 2 * len(self._known))

    def _set_right(self, state: GateState, now: float) -> GateState:
        """What a clock that was ahead has noted is noted anew: else it would last as long again whenever it is read."""
        right = state.as_of(now)
        if right is not state and not self._audit and state.key not in self._noted:
            self._noted[state.key] = right.moved(clock.of_wall(now) - now)
        return right

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
            or (state.spent > 0 and now < state.period_start + self._longest_period_s)
        )


def _page(since: float, store: Store) -> Future[list[GateState]]:
    return store.gates(since)


def _apply(gate: Gate, state: GateState) -> None:
    state = state.moved(clock.of_wall(0.0))
    if state.spent:
        gate.spent_by_all(state.period_start, state.spent)
    backoff = gate.backoff
    if state.until > (backoff.until if backoff else 0.0) + 0.001 or (backoff is None and state.level):
        gate.backoff = Backoff(state.until, state.level, state.why, state.updated_at)
