"""Host leases: by them crawls on one store keep the delay of a host together.

While the store is unavailable nothing gets looser: leases are waited for, and their ends are told later. By our clock a
lease begins before it was asked for, so that it is over here no later than in the store.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy_polite import clock
from scrapy_polite.pacing.gate import HeldBy
from scrapy_polite.store.errors import StoreUnavailable
from scrapy_polite.store.holder import new_holder

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from concurrent.futures import Future

    from scrapy_polite.pacing.gate import Gate, Gates
    from scrapy_polite.store.base import Store
    from scrapy_polite.store.crawl import CrawlStore

#: How long a lease lasts unless it is released or renewed; others have the gate's delay on top of that.
HOLD_S = 15.0
#: A store that is unavailable is asked again so often.
UNAVAILABLE_PAUSE_S = 1.0
#: Why a gate is shut meanwhile.
_ASKING = HeldBy("its turn among the crawls on POLITE_STORE is being asked for")
_OTHERS_TURN = HeldBy("another crawl on POLITE_STORE has its turn there")
_UNAVAILABLE = HeldBy("POLITE_STORE is unavailable, by which crawls take turns")


class _Ended(NamedTuple):
    """Nobody's next may go before `next_at`. What was answered at `answered_at` is still to be read. `frees`: a lease
    is over."""

    next_at: float
    answered_at: float | None = None
    frees: bool = False


class HostLeases:
    """The leases of one crawl, by the pace key of a gate; `freed` hears of each gate that may have opened.

    `run` has a coroutine run beside the caller.
    """

    def __init__(
        self,
        store: CrawlStore,
        gates: Gates,
        freed: Callable[[Gate, float], None],
        run: Callable[[Coroutine[Any, Any, None]], object],
    ) -> None:
        self._store = store
        self._gates = gates
        self._freed = freed
        self._run = run
        self._holder = new_holder()
        #: The leases that this crawl has, and until when it may rely on them.
        self._held: dict[str, float] = {}
        #: The gates whose lease is being acquired.
        self.acquiring: set[str] = set()
        self._unavailable_since = 0.0
        #: Gates that wait because the store was unavailable, by pace key, and until when.
        self._waiting: dict[str, tuple[Gate, float]] = {}
        self._looking = False
        #: What the store is still to be told: leases that are over, and for how long the next has to wait.
        self._ended: dict[str, _Ended] = {}

    def needed(self, gate: Gate, *, finds_out: bool) -> bool:
        """Whether a request goes by a lease of its host; see `has`."""
        return self._store.is_shared and (gate.delay.seconds > 0 or finds_out)

    def has(self, gate: Gate, now: float, *, finds_out: bool = False) -> bool:
        """Whether this process may send to a host whose delay others keep as well; asks for it where it is not known.

        Meanwhile the gate is shut; it moves when the answer is there. `finds_out`: the request is to find out whether
        there is a delay. Others may know.
        """
        if not self.needed(gate, finds_out=finds_out):
            return True
        if self._held.get(gate.key, 0.0) > now:
            return True
        if gate.held_until <= now:
            gate.hold(now + HOLD_S, _ASKING)
            self.acquiring.add(gate.key)
            self._run(self._acquire(gate))
        return False

    @property
    def unavailable(self) -> bool:
        """Whether the store was unavailable when a lease was last to be acquired."""
        return self._unavailable_since > 0

    def end(self, key: str, next_at: float, *, answered_at: float | None = None) -> None:
        """The request has been answered; nobody's next may go before `next_at`.

        `answered_at`: what was answered then is still to be read, and may ask for a longer delay. Meanwhile the others
        keep what they know of one.
        """
        frees = self._held.pop(key, None) is not None
        # Several robots.txt may have been under way by one lease, which the first of them has ended.
        if frees or (answered_at is not None and self._store.is_shared):
            self._note_end(key, _Ended(next_at, answered_at, frees))
            self._run(self._tell_if_available())

    def put_off(self, key: str, next_at: float) -> None:
        """Nobody's next may go before `next_at`, as what the last one was answered asks for it."""
        if self._store.is_shared:
            self._note_end(key, _Ended(next_at))
            self._run(self._tell_if_available())

    def _note_end(self, key: str, ended: _Ended) -> None:
        """What the store has not been told yet holds, too."""
        before = self._ended.get(key, ended)
        answered_at = max(before.answered_at or 0.0, ended.answered_at or 0.0) or None
        self._ended[key] = _Ended(max(before.next_at, ended.next_at), answered_at, before.frees or ended.frees)

    async def renew(self, in_use: Container[str]) -> None:
        """Keep the leases of requests that are in flight for long, by the pace keys `in_use`, and end the others;
        another process took over what was not renewed."""
        for key in list(self._held):
            if key not in self._held:
                continue  # ended while another was renewed
            gate, now = self._gates.peek(key), clock.now()
            if gate is None or key not in in_use:
                self.end(key, now)
                continue
            try:
                is_renewed = await self._store.ask_shared(self._renewed(gate))
            except StoreUnavailable:
                return
            if not is_renewed:
                self._held.pop(key, None)
            elif key in self._held:
                self._held[key] = now + HOLD_S

    async def look_again(self) -> None:
        """To be called from time to time: where gates wait for the store, and it answers again, they ask at once."""
        if not self._waiting or self._looking:
            return
        self._looking = True
        try:
            # It takes what to acquire a lease takes, and changes nothing: nobody has this one.
            await self._store.ask_shared(lambda store: store.robots.renew("", "", self._holder, 0.0))
        except StoreUnavailable:
            return
        finally:
            self._looking = False
        self._unavailable_since = 0.0
        waiting, self._waiting = self._waiting, {}
        for gate, until in waiting.values():
            if gate.held_until == until:  # nothing else has it wait meanwhile
                gate.release()
                self._freed(gate, clock.now())

    async def tell(self) -> None:
        """Tell the store which leases are over. Raises StoreUnavailable: what is left is told the next time."""
        for key in list(self._ended):
            await self._release(key)

    def end_all(self) -> None:
        """The crawl ends; `tell` is still to be awaited. What is in flight may be answered until now."""
        now = clock.now()
        for key in self._held:
            self._note_end(key, _Ended(now, answered_at=now, frees=True))
        self._held.clear()

    async def _acquire(self, gate: Gate) -> None:
        now, key = clock.now(), gate.key
        if key in self._ended:  # the store does not know yet: so the lease goes on, or another's has come
            self._ended[key] = self._ended[key]._replace(frees=False)
        try:
            wait_s = await self._store.ask_shared(self._asked(gate))
        except StoreUnavailable:
            again_at, held_by = 0.0, _UNAVAILABLE
            if gate.delay.seconds > 0:  # the others go on
                again_at = self._after_failure(now)
                self._waiting[key] = gate, again_at
        else:
            again_at, held_by = now + wait_s if wait_s else 0.0, _OTHERS_TURN
            self._unavailable_since = 0.0
            self._waiting.pop(key, None)
        finally:
            self.acquiring.discard(key)
        if again_at:
            gate.hold(again_at, held_by)
        else:
            gate.release()
            self._held[key] = now + HOLD_S
        self._freed(gate, clock.now())

    def _asked(self, gate: Gate) -> Callable[[Store], Future[float]]:
        # If its end is never told, as this process dies or the store is gone, the delay has to be over all the same.
        gap_s = gate.delay.seconds
        return lambda store: store.hosts.acquire(
            gate.key, self._holder, HOLD_S + gap_s, gap_s=gap_s, if_known=gap_s <= 0
        )

    def _renewed(self, gate: Gate) -> Callable[[Store], Future[bool]]:
        return lambda store: store.hosts.renew(gate.key, self._holder, HOLD_S + gate.delay.seconds)

    def _after_failure(self, asked_at: float) -> float:
        """When to ask again: after as long again as the store was unavailable. A crawl that has nothing else to do is
        to end, and does as soon as that is further off than POLITE_MAX_IDLE."""
        now = clock.now()
        self._unavailable_since = min(self._unavailable_since or asked_at, now)
        return now + max(now - self._unavailable_since, UNAVAILABLE_PAUSE_S)

    async def _tell_if_available(self) -> None:
        with suppress(StoreUnavailable):  # what is left is told at the next exchange
            await self.tell()

    async def _release(self, key: str) -> None:
        # Taken out before anything is awaited: it must not be told twice, nor an end that is new.
        if key not in self._ended:
            return
        ended = self._ended.pop(key)
        try:
            await self._store.ask_shared(lambda store: self._told(store, key, ended))
        except StoreUnavailable:
            is_over = key not in self._held and key not in self.acquiring
            self._note_end(key, ended._replace(frees=ended.frees and is_over))
            raise

    def _told(self, store: Store, key: str, ended: _Ended) -> Future[None]:
        now = clock.now()
        ago_s = None if ended.answered_at is None else now - ended.answered_at
        holder = self._holder if ended.frees else ""  # nobody's
        return store.hosts.release(key, holder, max(ended.next_at - now, 0.0), answered_s_ago=ago_s)
