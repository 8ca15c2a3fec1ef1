"""What crawls on one store tell each other of their gates: told once, and not lost while the store is locked."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.utils.asyncio import is_asyncio_available
from scrapy.utils.reactor import install_reactor

from scrapy_polite import _loop, clock
from scrapy_polite.pacing.backoff import Backoff
from scrapy_polite.pacing.budget import Budget
from scrapy_polite.pacing.gate import Gate, Gates, PacingConfig
from scrapy_polite.services import host_leases, shared_pacing
from scrapy_polite.services.host_leases import HostLeases
from scrapy_polite.services.shared_pacing import SharedPacing
from scrapy_polite.store.errors import StoreUnavailable
from scrapy_polite.store.feed import read_all
from scrapy_polite.store.memory.store import MemoryStore

if TYPE_CHECKING:
    from scrapy_polite.store.hosts import GateState, HostLease

HOST = "example.com"
DAY_S = 86_400.0
QUIET_S = 1_800.0
A_YEARS = Budget(1_000, 365 * DAY_S)
DELAY_S = 60.0


def in_loop(coroutine: Coroutine[Any, Any, None]) -> None:
    async def run() -> None:
        try:
            is_asyncio_available()
        except RuntimeError:  # before Scrapy 2.15 a running loop does not suffice
            install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")
        await coroutine

    asyncio.run(run())


class Part:
    """What `shared` has of one concern."""

    def __init__(self, shared: Shared, part: Any) -> None:
        self._shared = shared
        self._part = part

    def __getattr__(self, name: str) -> Callable[..., Future[Any]]:
        return lambda *arguments, **options: self._shared.call(
            lambda: getattr(self._part, name)(*arguments, **options), name
        )


class Shared:
    """A store of several crawls, in the place of each crawl's `CrawlStore`.

    While it is `locked` only reading goes on, while it is `shut` nothing does. What is asked while it is `slow` is done
    at once, and answered by `answer`. Its clock differs from that of the crawls by `ahead_s`.
    """

    def __init__(self) -> None:
        self.ahead_s = 0.0
        self.kept = MemoryStore(clock=lambda: clock.now() + self.ahead_s, page_size=3)
        self.locked = self.shut = self.slow = False
        self.asked: list[str] = []
        self._late: list[tuple[Future[Any], Future[Any]]] = []

    is_shared = True

    async def ask_shared(self, call: Callable[[Any], Future[Any]]) -> Any:
        return await _loop.from_thread(call(self))

    @property
    def hosts(self) -> Part:
        return Part(self, self.kept.hosts)

    @property
    def robots(self) -> Part:
        return Part(self, self.kept.robots)

    def call(self, call: Callable[[], Future[Any]], name: str) -> Future[Any]:
        self.asked.append(name)
        done: Future[Any] = Future()
        if self.shut or (self.locked and name != "changes"):
            done.set_exception(StoreUnavailable("it is locked"))
        else:
            done = call()
        if not self.slow:
            return done
        late: Future[Any] = Future()
        self._late.append((late, done))
        return late

    def answer(self) -> None:
        late, self._late = self._late, []
        for future, done in late:
            if (error := done.exception()) is not None:
                future.set_exception(error)
            else:
                future.set_result(done.result())

    def state(self, key: str = HOST) -> GateState | None:
        return next((state for state in read_all(self.kept.hosts.changes) if state.key == key), None)

    def lease(self) -> HostLease:
        lease = self.kept.hosts._leases.get(HOST)
        assert lease is not None
        return lease

    def note(self, noted_s: float, until_s: float, level: int = 1) -> None:
        """A host was closed so long ago, or by a clock that was ahead, until some time from now."""
        self.ahead_s = noted_s
        self.kept.hosts.keep(HOST, until_s - noted_s, level, "HTTP 503")
        self.ahead_s = 0.0


class Crawl:
    """One crawl's gates, all with that budget and that delay, and what it shares of them."""

    def __init__(
        self, store: Shared, budget: Budget | None = None, delay_s: float = 0.0, patience_s: float = 0.0
    ) -> None:
        self._own = ((delay_s, "POLITE_MIN_DELAY"),) if delay_s else (), 60.0, 8, budget
        self.gates = Gates(self._make)
        self.leases = HostLeases(store, self.gates, lambda gate, now: None, _loop.spawn)  # type: ignore[arg-type]
        self.shared = SharedPacing(
            store,  # type: ignore[arg-type]
            self.gates,
            self.leases,
            lambda gate, now: None,
            _loop.spawn,
            audit=False,
            reset_after_s=QUIET_S,
            longest_period_s=budget.period_s if budget else 0.0,
            patience_s=patience_s,
        )

    def _make(self, key: str) -> Gate:
        gate = Gate(key, PacingConfig())
        gate.set_own(*self._own)
        self.shared.bring_up(gate)
        return gate

    def fetch(self, pages: int) -> Gate:
        gate = self.gates.get(HOST)
        for _ in range(pages):
            gate.take(time.time())
            self.shared.spend(gate)
        return gate

    def closed(self, for_s: float) -> Gate:
        gate = self.gates.get(HOST)
        gate.backoff = Backoff(time.time() + for_s, 1, "HTTP 503")
        self.shared.keep(gate)
        return gate

    async def lease(self, *, finds_out: bool = False) -> bool:
        """Whether the crawl gets the lease of HOST, as soon as that may be asked for."""
        gate = self.gates.get(HOST)
        self.leases.has(gate, max(time.time(), gate.held_until), finds_out=finds_out)
        await settled()
        return self.leases.has(gate, time.time(), finds_out=finds_out)


async def settled() -> None:
    for _ in range(30):
        await asyncio.sleep(0)


@pytest.fixture
def store() -> Shared:
    return Shared()


# Budgets


def test_pages_are_told_once_however_slow_the_store_is(store: Shared) -> None:
    async def told() -> None:
        crawl = Crawl(store, A_YEARS)
        await crawl.shared.loaded()
        crawl.fetch(3)
        store.slow = True
        exchanges = [asyncio.ensure_future(crawl.shared.exchange()) for _ in range(3)]
        for number in range(12):
            await settled()
            if number == 1:  # the first three are being told
                assert store.asked[-1] == "spend"
                crawl.fetch(2)
            store.answer()
        await asyncio.gather(*exchanges)

    in_loop(told())
    state = store.state()
    assert state is not None
    assert state.spent == 5


def test_while_one_exchange_is_under_way_the_next_is_left_out(store: Shared) -> None:
    async def exchanged() -> None:
        crawl = Crawl(store)
        store.slow = True
        for _ in range(5):
            crawl.shared.exchange_soon()
            await settled()
        store.slow = False
        store.answer()
        await settled()
        assert store.asked == ["changes"]

    in_loop(exchanged())


def test_pages_that_a_locked_store_was_not_told_of_are_told_later(store: Shared) -> None:
    async def told() -> None:
        crawl = Crawl(store, A_YEARS)
        crawl.fetch(3)
        store.locked = True
        await crawl.shared.exchange()
        crawl.fetch(1)
        store.locked = False
        await crawl.shared.exchange()
        await crawl.shared.exchange()

    in_loop(told())
    state = store.state()
    assert state is not None
    assert state.spent == 4


# Embargoes


def test_an_embargo_met_while_the_store_is_locked_reaches_the_others_later(store: Shared) -> None:
    async def told() -> None:
        crawl, other = Crawl(store), Crawl(store)
        store.locked = True
        crawl.closed(for_s=3_600)
        await settled()
        store.locked = False
        # Another is closed since, of which the other one hears first.
        store.kept.hosts.keep("later.example", 60, 1, "")
        await other.shared.exchange()
        assert other.gates.get(HOST).backoff is None
        await crawl.shared.exchange()
        await other.shared.exchange()
        assert other.gates.get(HOST).opens_at(time.time()) > time.time() + 3_000

    in_loop(told())


def test_an_embargo_is_told_at_once(store: Shared) -> None:
    async def told() -> None:
        Crawl(store).closed(for_s=3_600)
        await settled()

    in_loop(told())
    state = store.state()
    assert state is not None
    assert state.until > time.time() + 3_000


def test_its_own_embargo_heard_back_a_little_later_leaves_what_a_crawl_knows_of_the_host(store: Shared) -> None:
    async def hear() -> None:
        crawl = Crawl(store)
        await crawl.shared.loaded()
        gate = crawl.gates.get(HOST)
        for number in range(3):
            gate.record_failure(clock.now(), url=f"/{number}", sent_at=clock.now(), why="refused", connection=True)
        assert gate.backoff is not None
        gate.backoff.told = True
        failing_since, until = gate.backoff.failing_since, gate.backoff.until
        store.kept.hosts.keep(HOST, until - clock.now() + 0.05, 1, "refused")  # so long it took to tell of it
        await crawl.shared.exchange()
        assert gate.backoff.until > until
        assert gate.backoff.failing_since == failing_since
        assert gate.backoff.told

    in_loop(hear())


@pytest.mark.parametrize(
    ("noted_s", "until_s", "level", "known"),
    [
        pytest.param(-20 * DAY_S, DAY_S, 0, True, id="an embargo noted long ago"),
        pytest.param(-DAY_S, -QUIET_S - 60, 3, False, id="a level that is forgotten"),
        pytest.param(-DAY_S, 60 - QUIET_S, 3, True, id="a level that is not"),
        pytest.param(DAY_S, DAY_S + 60, 0, True, id="of a clock that was ahead, what is left"),
    ],
)
def test_what_still_matters_is_known_after_a_restart(
    store: Shared, noted_s: float, until_s: float, level: int, known: bool
) -> None:
    async def load() -> None:
        store.note(noted_s, until_s, level)
        crawl = Crawl(store)
        await crawl.shared.loaded()
        assert (crawl.gates.get(HOST).backoff is not None) is known

    in_loop(load())


def test_what_a_clock_that_was_ahead_has_spent_lifts_no_embargo(store: Shared) -> None:
    async def load() -> None:
        store.note(0.0, 60.0)
        store.ahead_s = DAY_S
        store.kept.hosts.spend(HOST, 0.0, 1)
        store.ahead_s = 0.0
        crawl = Crawl(store)
        await crawl.shared.loaded()
        assert crawl.gates.get(HOST).opens_at(clock.now()) > clock.now() + 50

    in_loop(load())


@pytest.mark.parametrize("ahead_s", [-3_600.0, 3_600.0])
def test_a_store_whose_clock_differs_closes_hosts_for_as_long_as_any(store: Shared, ahead_s: float) -> None:
    async def tell() -> None:
        store.ahead_s = ahead_s
        crawl, other = Crawl(store, delay_s=DELAY_S), Crawl(store, delay_s=DELAY_S)
        crawl.closed(for_s=60)
        await settled()
        await other.shared.exchange()
        assert other.gates.get(HOST).opens_at(clock.now()) == pytest.approx(clock.now() + 60, abs=1)
        assert other.shared._offset.seconds == pytest.approx(-ahead_s, abs=1)

    in_loop(tell())


@pytest.mark.parametrize("ahead_s", [-3_600.0, 3_600.0])
def test_a_store_whose_clock_differs_leases_hosts_for_as_long_as_any(store: Shared, ahead_s: float) -> None:
    async def lease() -> None:
        store.ahead_s = ahead_s
        crawl, other = Crawl(store, delay_s=DELAY_S), Crawl(store, delay_s=DELAY_S)
        assert await crawl.lease()
        crawl.leases.end(HOST, clock.now() + DELAY_S)
        await settled()
        assert not await other.lease()
        assert other.gates.get(HOST).held_until == pytest.approx(clock.now() + DELAY_S, abs=1)

    in_loop(lease())


@pytest.mark.parametrize(("budget", "spent"), [(A_YEARS, 7), (Budget(1_000, DAY_S), 0)], ids=["a year's", "a day's"])
def test_a_budget_is_known_for_as_long_as_its_period(store: Shared, budget: Budget, spent: int) -> None:
    async def load() -> None:
        # The present year's first day, or some day before.
        then = min(A_YEARS.period_start(time.time()) + 1, time.time() - 2 * DAY_S)
        store.ahead_s = then - time.time()
        store.kept.hosts.spend(HOST, budget.period_start(then), 7)
        store.ahead_s = 0.0
        crawl = Crawl(store, budget)
        await crawl.shared.loaded()
        assert crawl.gates.get(HOST).spent == spent

    in_loop(load())


def test_more_is_known_than_the_store_lists_at_once(store: Shared) -> None:
    now = time.time()
    for number in range(8):
        store.kept.hosts.keep(f"{number}.example", 60, 1, "")
    assert store.kept.hosts.changes(None).result().more

    async def load() -> None:
        crawl = Crawl(store)
        await crawl.shared.loaded()
        gates = [crawl.gates.get(f"{number}.example") for number in range(8)]
        assert [gate.key for gate in gates if gate.opens_at(now) <= now] == []

    in_loop(load())


def test_what_is_noted_now_is_not_hidden_by_what_a_clock_that_was_ahead_noted(store: Shared) -> None:
    async def load() -> None:
        now = time.time()
        store.ahead_s = DAY_S
        store.kept.hosts.keep("ahead.example", 60, 1, "HTTP 503")
        store.ahead_s = 0.0
        crawl, other = Crawl(store), Crawl(store)
        await crawl.shared.loaded()
        other.closed(for_s=3_600)
        await settled()
        await crawl.shared.exchange()
        assert crawl.gates.get(HOST).opens_at(now) > now

    in_loop(load())


@pytest.mark.parametrize(("patience_s", "waits"), [(3_600.0, True), (0.0, False)], ids=["patient", "out of patience"])
def test_a_crawl_waits_for_what_a_locked_store_knows_before_it_begins(
    store: Shared, monkeypatch: pytest.MonkeyPatch, patience_s: float, waits: bool
) -> None:
    monkeypatch.setattr(shared_pacing, "UNAVAILABLE_PAUSE_S", 0.0)

    async def load() -> None:
        store.note(0.0, 60.0)
        store.shut = True
        crawl = Crawl(store, patience_s=patience_s)
        loading = asyncio.ensure_future(crawl.shared.loaded())
        await settled()
        assert loading.done() is not waits
        store.shut = False
        await loading
        assert (crawl.gates.get(HOST).backoff is not None) is waits

    in_loop(load())


# Leases


def test_while_the_store_is_locked_nobody_has_a_lease_and_then_one_has(store: Shared) -> None:
    async def ask() -> None:
        crawl, other = Crawl(store, delay_s=DELAY_S), Crawl(store, delay_s=DELAY_S)
        store.locked = True
        assert [await crawl.lease(), await other.lease()] == [False, False]
        assert [await crawl.lease(), await other.lease()] == [False, False]
        store.locked = False
        assert [await crawl.lease(), await other.lease()] == [True, False]

    in_loop(ask())


def test_the_longer_a_store_is_locked_the_longer_a_crawl_waits_before_it_asks_again(
    store: Shared, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_leases, "HOLD_S", 0.0)

    async def ask() -> None:
        crawl, began = Crawl(store, delay_s=DELAY_S), time.time()
        gate = crawl.gates.get(HOST)
        store.locked = True
        waits = []
        for asked_at in (0, 5, 20, 700):
            monkeypatch.setattr(clock, "now", lambda at=began + asked_at: at)
            await crawl.lease()
            waits.append(round(gate.held_until - began - asked_at))
        assert waits == [1, 5, 20, 700]

    in_loop(ask())


def test_the_end_of_a_lease_is_told_when_the_store_can_be_had_again(store: Shared) -> None:
    async def end() -> None:
        crawl, other = Crawl(store, delay_s=DELAY_S), Crawl(store, delay_s=DELAY_S)
        assert await crawl.lease()
        store.locked = True
        crawl.leases.end(HOST, time.time() + 5)
        await settled()
        store.locked = False
        assert not await other.lease()
        await crawl.shared.exchange()
        lease = store.lease()
        assert (lease.holder, round(lease.next_at - time.time())) == ("", 5)

    in_loop(end())


def test_a_lease_that_was_acquired_again_is_not_ended_by_what_could_not_be_told_before(store: Shared) -> None:
    async def end() -> None:
        crawl = Crawl(store, delay_s=DELAY_S)
        assert await crawl.lease()
        store.locked = True
        crawl.leases.end(HOST, time.time())
        await settled()
        store.locked = False
        assert await crawl.lease()
        await crawl.shared.exchange()
        assert store.lease().holder

    in_loop(end())


def test_a_lease_that_is_acquired_again_while_its_end_is_being_told_goes_on(store: Shared) -> None:
    async def end() -> None:
        crawl = Crawl(store, delay_s=DELAY_S)
        assert await crawl.lease()
        store.locked = store.slow = True
        crawl.leases.end(HOST, time.time())
        await settled()
        store.locked = store.slow = False
        assert await crawl.lease()
        store.answer()
        await settled()
        await crawl.shared.exchange()
        assert store.lease().holder

    in_loop(end())


def test_a_lease_whose_end_is_never_told_lasts_beyond_the_delay(store: Shared) -> None:
    async def take() -> None:
        assert await Crawl(store, delay_s=DELAY_S).lease()
        assert store.lease().hold_until >= time.time() + DELAY_S

    in_loop(take())


def test_who_finds_out_whether_there_is_a_delay_has_its_turn_among_those_who_know(store: Shared) -> None:
    async def find_out() -> None:
        crawl, other = Crawl(store), Crawl(store, delay_s=DELAY_S)
        assert await other.lease()
        assert not await crawl.lease(finds_out=True)
        assert await crawl.lease()  # of a host without a delay
        other.leases.end(HOST, time.time())
        await settled()
        assert await crawl.lease(finds_out=True)
        assert not await other.lease()
        crawl.leases.end(HOST, time.time())
        await settled()
        assert await other.lease()

    in_loop(find_out())


def test_of_several_at_once_the_last_answer_counts_though_another_has_come_to_know_the_host(store: Shared) -> None:
    async def find_out() -> None:
        crawl, other = Crawl(store), Crawl(store, delay_s=DELAY_S)
        for _ in range(2):
            assert await crawl.lease(finds_out=True)
        crawl.leases.end(HOST, time.time(), answered_at=time.time())
        await settled()
        assert await other.lease()
        assert not await crawl.lease(finds_out=True)
        crawl.leases.end(HOST, time.time(), answered_at=time.time())
        await settled()
        assert store.lease().holder, "the other one's lease stays"
        other.leases.end(HOST, time.time())
        await settled()
        assert not await other.lease()

    in_loop(find_out())


def test_what_another_puts_off_does_not_end_the_lease_of_a_request_that_is_answered_slowly(store: Shared) -> None:
    async def renew() -> None:
        crawl, other = Crawl(store, delay_s=DELAY_S), Crawl(store)
        assert await crawl.lease()
        other.leases.put_off(HOST, time.time() + 60)
        await settled()
        until = store.lease().hold_until
        await crawl.leases.renew({HOST})
        assert store.lease().hold_until > until
        crawl.leases.end(HOST, time.time() + 90)
        await settled()
        assert store.lease().holder == ""
        assert store.lease().next_at == pytest.approx(clock.now() + 90, abs=5)

    in_loop(renew())


def test_a_lease_that_no_request_uses_ends_when_the_others_are_renewed(store: Shared) -> None:
    async def renew() -> None:
        crawl, other = Crawl(store), Crawl(store, delay_s=DELAY_S)
        assert await other.lease()
        other.leases.end(HOST, time.time())
        await settled()
        assert await crawl.lease(finds_out=True)
        crawl.fetch(1)  # a page that needs none
        await crawl.leases.renew(set())
        await settled()
        assert await other.lease()

    in_loop(renew())


def test_while_the_store_is_locked_whether_there_is_a_delay_is_found_out_all_the_same(store: Shared) -> None:
    async def find_out() -> None:
        store.locked = True
        crawl = Crawl(store)
        assert await crawl.lease(finds_out=True)
        assert not crawl.leases.unavailable  # nothing waits for it

    in_loop(find_out())


def test_a_delay_that_is_learned_by_a_request_without_a_lease_keeps_the_others_back(store: Shared) -> None:
    async def learn() -> None:
        crawl, other = Crawl(store), Crawl(store, delay_s=DELAY_S)
        store.locked = True
        crawl.leases.put_off(HOST, time.time() + 5)
        await settled()
        store.locked = False
        await crawl.shared.exchange()
        assert not await other.lease()
        assert round(store.lease().next_at - time.time()) == 5

    in_loop(learn())


def test_what_one_has_learned_ends_no_lease_of_another(store: Shared) -> None:
    async def learn() -> None:
        crawl, other = Crawl(store), Crawl(store, delay_s=DELAY_S)
        assert await other.lease()
        holder = store.lease().holder
        crawl.leases.put_off(HOST, time.time() + 5)
        await settled()
        assert store.lease().holder == holder

    in_loop(learn())


def test_at_the_end_of_a_crawl_its_leases_end(store: Shared) -> None:
    async def close() -> None:
        crawl = Crawl(store, delay_s=DELAY_S)
        assert await crawl.lease()
        await crawl.shared.close()
        assert not store.lease().holder

    in_loop(close())


def test_hosts_that_wait_for_a_store_ask_at_once_when_it_answers_again(store: Shared) -> None:
    async def waited() -> None:
        crawl = Crawl(store, delay_s=DELAY_S)
        gate = crawl.gates.get(HOST)
        await crawl.leases.look_again()
        assert store.asked == []  # nobody waits
        store.shut = True
        assert not await crawl.lease()
        crawl.leases._unavailable_since -= 3_600  # it has been so for an hour
        gate.held_until = 0.0
        assert not await crawl.lease()
        assert gate.held_until > time.time() + 3_000
        for shut in (True, False):
            store.shut = shut
            await crawl.leases.look_again()
            assert (gate.held_until == 0.0) is not shut
        assert await crawl.lease()
        store.asked.clear()
        await crawl.leases.look_again()
        assert store.asked == []

    in_loop(waited())
