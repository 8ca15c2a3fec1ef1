from __future__ import annotations

import asyncio
import logging
import math
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import pytest
from scrapy.utils.asyncio import is_asyncio_available
from scrapy.utils.reactor import install_reactor

from scrapy_polite.decision import Decision
from scrapy_polite.origin import Origin
from scrapy_polite.robots import cache as cache_module
from scrapy_polite.robots.access import Access, Outcome, Policy, standing
from scrapy_polite.robots.cache import PARSE_IN_THREAD_BYTES, CachedRobots, Key, RobotsCache
from scrapy_polite.robots.fetcher import DownloadDeferred, Result
from scrapy_polite.robots.freshness import Bounds
from scrapy_polite.store.crawl import CrawlStore
from scrapy_polite.store.errors import StoreError, StoreUnavailable
from scrapy_polite.store.memory.store import MemoryStore
from scrapy_polite.store.robots import RobotsCopy
from scrapy_polite.store.sqlite.store import SqliteStore

T = TypeVar("T")

DAY_S = 86_400.0
#: As `identity.agent_key` makes it.
AGENT = "demobot:0123456789ab"
RULES = Result(Outcome.RULES, "HTTP 200", 200, {"etag": '"1"'}, b"/private")
DOWN = Result(Outcome.UNREACHABLE, "HTTP 503", 503)
SILENT = Result(Outcome.UNREACHABLE, "timed out")
MISSING = Result(Outcome.MISSING, "HTTP 404", 404)


def in_loop(coroutine: Coroutine[Any, Any, T]) -> T:
    async def run() -> T:
        try:
            is_asyncio_available()
        except RuntimeError:  # before Scrapy 2.15 a running loop does not suffice
            install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")
        return await coroutine

    return asyncio.run(run())


def key(host: str = "example.com") -> Key:
    return Key(Origin("https", host, 443), AGENT, "demobot")


@dataclass
class PrefixRules:
    """A body is the one path that it disallows."""

    body: bytes
    size_bytes: int = 0

    def decide(self, url: str) -> Decision:
        return Decision(not url.partition(".com")[2].startswith(self.body.decode()), "robots/disallow")


@dataclass
class World:
    """A fetcher whose answers are given, and its clock: real seconds, that can be moved on."""

    answers: list[Result] = field(default_factory=lambda: [RULES])
    moved_s: float = 1_000_000.0
    gate: asyncio.Event | None = None
    asked: list[tuple[str, Mapping[str, str]]] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    forbidden: Callable[[str], bool] | None = None
    learned: list[tuple[Key, CachedRobots, CachedRobots | None, bytes]] = field(default_factory=list)

    def clock(self) -> float:
        return self.moved_s + time.monotonic()

    async def fetch(
        self, origin: Origin, download: Any, validators: Mapping[str, str], forbidden: Callable[[str], bool]
    ) -> Result:
        self.asked.append((str(origin), validators))
        self.forbidden = forbidden
        await download("", {}, timeout_s=1.0, max_bytes=1)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    async def download(self, *_: Any, **__: Any) -> None:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            await (self.gate.wait() if self.gate else asyncio.sleep(0))
        finally:
            self.at_once -= 1

    def cache(self, store: Any = None, **settings: Any) -> RobotsCache:
        both: dict[str, Any] = {
            "parse": lambda body, key: PrefixRules(body, len(body)),
            "policy": lambda origin: Policy(),
            "listener": lambda *news: self.learned.append(news),
        } | settings
        self.store = CrawlStore(store or MemoryStore(clock=self.clock))
        return RobotsCache(self.store, self, **both)  # type: ignore[arg-type]


@pytest.fixture
def world() -> World:
    return World()


def soon(world: World, seconds: float = 5.0) -> float:
    return world.clock() + seconds


async def settled() -> None:
    """Let what runs in the background come to its end."""
    for _ in range(20):
        await asyncio.sleep(0)


async def until(happens: Callable[[], object]) -> None:
    deadline = time.monotonic() + 60
    while not happens():
        assert time.monotonic() < deadline, "it has not happened in time"
        await asyncio.sleep(0.01)


def test_however_many_wait_the_file_is_fetched_once_and_all_learn_what_it_says(world: World) -> None:
    async def scenario() -> list[CachedRobots | None]:
        world.gate = asyncio.Event()
        cache = world.cache()
        waiting = [asyncio.ensure_future(cache.known(key(), world.download, soon(world))) for _ in range(50)]
        await settled()
        world.gate.set()
        return await asyncio.gather(*waiting)

    everyone = in_loop(scenario())
    assert len(world.asked) == 1
    assert [held is not None and held.rules is not None for held in everyone] == [True] * 50


def test_what_is_sent_is_fetched_once_and_read_for_each_token(world: World) -> None:
    read: list[str] = []

    def parse(body: bytes, key: Key) -> PrefixRules:
        read.append(key.token)
        return PrefixRules(b"/" + key.token.encode())

    async def scenario() -> list[CachedRobots | None]:
        cache = world.cache(parse=parse)
        tokens = ("demobot", "otherbot", "demobot")
        keys = [key()._replace(token=token) for token in tokens]
        return await asyncio.gather(*(cache.known(one, world.download, soon(world)) for one in keys))

    everyone = in_loop(scenario())
    assert len(world.asked) == 1
    assert [held and held.rules for held in everyone] == [
        PrefixRules(b"/" + t) for t in (b"demobot", b"otherbot", b"demobot")
    ]
    assert sorted(read) == ["demobot", "otherbot"]


@pytest.mark.parametrize("agent", [AGENT, "demobot:ba9876543210"], ids=["has expired", "is another User-Agent's"])
@pytest.mark.parametrize("same", [True, False], ids=["by this process", "by another"])
def test_what_is_known_and_may_not_be_used_is_told_before_the_origin_is_asked(
    world: World, tmp_path: Path, agent: str, same: bool
) -> None:
    told: list[tuple[Key, str, int]] = []

    def earlier(key: Key, held: CachedRobots) -> None:
        assert isinstance(held.rules, PrefixRules)
        told.append((key, held.rules.body.decode(), len(world.asked)))

    async def run() -> None:
        store = SqliteStore(tmp_path / "store", clock=world.clock)
        cache = world.cache(store, earlier=earlier)
        await cache.known(key(), world.download, soon(world))
        assert told == []
        other = key()._replace(agent=agent)
        world.moved_s += 2 * DAY_S
        cache = cache if same else world.cache(store, earlier=earlier)
        await cache.known(other, world.download, soon(world))
        assert told == [(other, "/private", 1)]
        assert len(world.asked) == 2
        store.close()

    in_loop(run())


def test_an_origin_is_asked_for_one_user_agent_after_the_other_and_the_second_is_told_before(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_module, "LEASE_POLL_S", 0.01)
    told: list[tuple[Key, str]] = []
    claims: list[Future[Any]] = []
    other = key()._replace(agent="demobot:ba9876543210")

    def earlier(key: Key, held: CachedRobots) -> None:
        assert isinstance(held.rules, PrefixRules)
        told.append((key, held.rules.body.decode()))

    async def run() -> None:
        world.gate = asyncio.Event()
        stores = [SqliteStore(tmp_path / "store", clock=world.clock) for _ in range(2)]
        first, second = (world.cache(store, earlier=earlier) for store in stores)
        waiting = [asyncio.ensure_future(first.known(key(), world.download, soon(world)))]
        await until(lambda: world.at_once)
        claim = stores[1].robots.claim
        monkeypatch.setattr(stores[1].robots, "claim", lambda *args: claims.append(claim(*args)) or claims[-1])
        waiting.append(asyncio.ensure_future(second.known(other, world.download, soon(world, 30.0))))
        await until(lambda: len(claims) > 2 or world.at_once > 1)
        assert (len(world.asked), told) == (1, [])
        world.gate.set()
        await asyncio.gather(*waiting)
        assert (world.most_at_once, len(world.asked), told) == (1, 2, [(other, "/private")])
        for store in stores:
            store.close()

    in_loop(run())


def test_what_another_user_agent_was_answered_is_fetched_anew(world: World) -> None:
    async def scenario() -> None:
        cache = world.cache()
        for agent in (AGENT, "demobot:ba9876543210"):
            await cache.known(key()._replace(agent=agent), world.download, soon(world))

    in_loop(scenario())
    assert len(world.asked) == 2


@pytest.mark.parametrize(
    ("state", "asked"),
    [
        pytest.param({"expires_at": DAY_S}, [], id="fresh"),
        pytest.param({"expires_at": -1.0}, [("https://example.com", {"If-None-Match": '"1"'})], id="expired"),
        pytest.param({"failing_since": -1.0, "failures": 3, "next_try": DAY_S}, [], id="unreachable"),
    ],
)
def test_a_copy_that_went_by_its_product_token_is_taken_over(
    world: World, state: Mapping[str, Any], asked: list[tuple[str, Mapping[str, str]]]
) -> None:
    world.answers = [Result(Outcome.RULES, "HTTP 304", 304, {}, not_modified=True)]
    store = MemoryStore(clock=world.clock)
    now = world.clock()
    times = {name: now + value if name != "failures" else value for name, value in state.items()}
    before = RobotsCopy("https://example.com", "demobot", now, 200, b"/theirs", fetched_at=now - 9, etag='"1"')
    store.robots.put(replace(before, **times))

    async def scenario() -> CachedRobots | None:
        cache = world.cache(store)
        await cache.known(key(), world.download, soon(world))
        return await cache.known(key(), world.download, soon(world))

    held = in_loop(scenario())
    assert held is not None
    assert held.rules == PrefixRules(b"/theirs", 7)
    assert world.asked == asked
    kept = store.robots.get(*key().sent).result()
    assert kept is not None
    assert (kept.body, kept.failures) == (b"/theirs", state.get("failures", 0))
    assert lease(store), "nobody has the right to fetch any more"


@pytest.mark.parametrize(("fetched_ago_s", "asked"), [(1_800.0, 0), (7_200.0, 1)], ids=["young", "old"])
def test_a_copy_that_a_crawl_with_other_settings_keeps_for_long_is_used_for_as_long_as_ours_say(
    world: World, fetched_ago_s: float, asked: int
) -> None:
    store, now = MemoryStore(clock=world.clock), world.clock()
    fetched_at = now - fetched_ago_s
    theirs = RobotsCopy("https://example.com", AGENT, fetched_at, 200, b"/a", False, fetched_at, now + 29 * DAY_S)
    store.robots.put(theirs)

    async def scenario() -> CachedRobots | None:
        cache = world.cache(store, policy=lambda origin: Policy(bounds=Bounds(max_s=3_600.0)))
        return await cache.known(key(), world.download, soon(world))

    held = in_loop(scenario())
    assert held is not None
    assert len(world.asked) == asked
    assert held.copy.expires_at <= world.clock() + 3_600


def test_what_many_have_waited_for_is_in_the_store_for_others(world: World, tmp_path: Path) -> None:
    async def scenario() -> None:
        # They claim together, before the first answer: this store answers from a thread.
        store = SqliteStore(tmp_path / "store.sqlite", clock=world.clock)
        cache = world.cache(store)
        await asyncio.gather(*(cache.known(key(), world.download, soon(world)) for _ in range(50)))
        await world.cache(store).known(key(), world.download, soon(world))
        store.close()

    in_loop(scenario())
    assert len(world.asked) == 1


def test_what_could_not_be_asked_for_is_not_known_leaves_no_trace_and_can_be_asked_for_again(world: World) -> None:
    async def held_back(*_: Any, **__: Any) -> None:
        raise DownloadDeferred("closed")

    async def scenario() -> CachedRobots | None:
        store = MemoryStore(clock=world.clock)
        cache = world.cache(store)
        assert await cache.known(key(), held_back, soon(world)) is None
        assert cache.look(key()) is None
        assert world.learned == []
        assert store.robots.of_origin(str(key().origin)).result() == []
        return await world.cache(store).known(key(), world.download, soon(world))

    held = in_loop(scenario())
    assert held is not None
    assert held.rules is not None


def test_what_is_held_needs_no_further_fetch_until_it_is_soon_to_expire(world: World) -> None:
    async def scenario() -> None:
        cache = world.cache()
        assert cache.look(key()) is None
        held = await cache.known(key(), world.download, soon(world))
        assert held is not None
        assert cache.look(key()) is held
        assert held.decide("https://example.com/private", world.clock())[0].allowed is False
        assert held.decide("https://example.com/", world.clock()) == (Decision(True, "robots/disallow"), "fresh")
        world.moved_s += 0.7 * DAY_S
        assert cache.look(key()) is held
        assert await cache.known(key(), world.download, soon(world)) is held

    in_loop(scenario())
    assert len(world.asked) == 1


def test_a_copy_in_use_is_renewed_ahead_of_its_end_and_serves_meanwhile(world: World) -> None:
    async def scenario() -> None:
        cache = world.cache()
        old = await cache.known(key(), world.download, soon(world))
        world.moved_s += 0.9 * DAY_S
        world.gate = asyncio.Event()
        assert cache.look(key()) is None
        assert await cache.known(key(), world.download, soon(world)) is old
        world.gate.set()
        await settled()
        new = cache.look(key())
        assert new is not None
        assert old is not None
        assert new.copy.expires_at > old.copy.expires_at + 0.8 * DAY_S

    in_loop(scenario())
    assert [validators for _, validators in world.asked] == [{}, {"If-None-Match": '"1"'}]


def test_an_expired_copy_is_waited_for(world: World) -> None:
    async def scenario() -> None:
        cache = world.cache()
        old = await cache.known(key(), world.download, soon(world))
        world.moved_s += 1.1 * DAY_S
        world.answers = [replace(RULES, body=b"/new")]
        new = await cache.known(key(), world.download, soon(world))
        assert new is not None
        assert new is not old
        assert new.decide("https://example.com/new", world.clock())[0].allowed is False

    in_loop(scenario())


def test_a_304_keeps_the_rules_and_makes_them_fresh_again(world: World) -> None:
    async def scenario() -> None:
        cache = world.cache()
        await cache.known(key(), world.download, soon(world))
        world.moved_s += 1.1 * DAY_S
        world.answers = [Result(Outcome.RULES, "HTTP 304", 304, {}, not_modified=True)]
        held = await cache.known(key(), world.download, soon(world))
        assert held is not None
        decision, basis = held.decide("https://example.com/private", world.clock())
        assert (decision.allowed, basis) == (False, "fresh")

    in_loop(scenario())


@pytest.mark.parametrize(
    ("bounds", "stay"),
    [
        ({"max_count": 3}, ["0.com", "2.com", "3.com"]),
        ({"max_bytes": 2 * 12_000}, ["0.com", "3.com"]),
        ({"max_bytes": 1}, ["3.com"]),
    ],
    ids=["by count", "by bytes", "the newest stays whatever its size"],
)
def test_memory_is_bounded_and_the_least_recently_used_falls_out(
    world: World, bounds: dict[str, int], stay: list[str]
) -> None:
    world.answers = [replace(RULES, body=b"x" * 10_000)]

    async def scenario() -> list[str]:
        cache = world.cache(**bounds)
        for host in ("0.com", "1.com", "2.com"):
            await cache.known(key(host), world.download, soon(world))
            cache.look(key("0.com"))
        await cache.known(key("3.com"), world.download, soon(world))
        return [host for host in ("0.com", "1.com", "2.com", "3.com") if cache.look(key(host))]

    assert in_loop(scenario()) == stay


def test_what_fell_out_of_memory_is_read_from_the_store_again(world: World) -> None:
    async def scenario() -> None:
        cache = world.cache(max_count=1)
        for host in ("0.com", "1.com", "0.com"):
            held = await cache.known(key(host), world.download, soon(world))
            assert held is not None
            assert held.rules is not None

    in_loop(scenario())
    assert [origin for origin, _ in world.asked] == ["https://0.com", "https://1.com"]


def test_at_most_so_many_downloads_run_at_once(world: World) -> None:
    async def scenario() -> None:
        world.gate = asyncio.Event()
        cache = world.cache(concurrency=3)
        waiting = [asyncio.ensure_future(cache.known(key(f"{n}.com"), world.download, soon(world))) for n in range(10)]
        await settled()
        world.gate.set()
        await asyncio.gather(*waiting)

    in_loop(scenario())
    assert (len(world.asked), world.most_at_once) == (10, 3)


@pytest.fixture
def quick_lease(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "LEASE_POLL_S", 0.005)
    monkeypatch.setattr(cache_module, "LEASE_RENEWAL_S", 0.005)


def lease(store: MemoryStore) -> bool:
    """Another process asks for the right to fetch."""
    claim = store.robots.claim("https://example.com", AGENT, "another", cache_module.LEASE_S, due_in_s=math.inf)
    return claim.result().granted


@pytest.mark.usefixtures("quick_lease")
def test_what_another_process_fetches_is_waited_for_and_taken_from_the_store(world: World) -> None:
    store = MemoryStore(clock=world.clock)

    async def scenario() -> CachedRobots | None:
        lease(store)
        waiting = asyncio.ensure_future(world.cache(store).known(key(), world.download, soon(world)))
        await asyncio.sleep(0.03)
        assert not waiting.done()
        now = world.clock()
        copy = RobotsCopy("https://example.com", AGENT, now, 200, b"/theirs", False, now, now + DAY_S)
        store.robots.put(copy, "another")
        return await waiting

    held = in_loop(scenario())
    assert held is not None
    assert held.rules == PrefixRules(b"/theirs", 7)
    assert world.asked == []


@pytest.mark.usefixtures("quick_lease")
def test_another_process_that_died_is_waited_for_only_as_long_as_its_lease(world: World) -> None:
    store = MemoryStore(clock=world.clock)

    async def scenario() -> CachedRobots | None:
        lease(store)
        waiting = asyncio.ensure_future(world.cache(store).known(key(), world.download, soon(world, 100)))
        await asyncio.sleep(0.03)
        assert world.asked == []
        world.moved_s += cache_module.LEASE_S
        return await waiting

    assert in_loop(scenario()) is not None
    assert len(world.asked) == 1


@pytest.mark.usefixtures("quick_lease")
def test_a_lease_is_renewed_while_the_fetch_takes_and_ends_with_it(world: World) -> None:
    store = MemoryStore(clock=world.clock)

    async def scenario() -> None:
        world.gate = asyncio.Event()
        waiting = asyncio.ensure_future(world.cache(store).known(key(), world.download, soon(world, 1_000)))
        for _ in range(3):
            await asyncio.sleep(0.02)
            assert not lease(store)
            world.moved_s += 0.9 * cache_module.LEASE_S
        world.gate.set()
        await waiting
        assert lease(store)

    in_loop(scenario())


def test_a_fetch_that_is_cancelled_gives_its_lease_back(world: World) -> None:
    store = MemoryStore(clock=world.clock)

    async def scenario() -> None:
        world.gate = asyncio.Event()
        cache = world.cache(store)
        cache.ask(key(), world.download)
        await settled()
        cache.close()
        await settled()
        assert lease(store)

    in_loop(scenario())


class BrokenStore:
    """A store that is not in memory: whatever it is asked a MemoryStore answers, but for the one call that fails."""

    description = "/store"
    shared = lasting = replaceable = True

    def __init__(self, broken: str, error: StoreError) -> None:
        self._broken = broken
        self._error = error
        self.kept = MemoryStore()

    @property
    def robots(self) -> BrokenStore:
        return self

    def close(self) -> None:
        self.kept.close()

    def __getattr__(self, name: str) -> Any:
        if name != self._broken:
            return getattr(self.kept.robots, name)
        failed: Future[Any] = Future()
        failed.set_exception(self._error)
        return lambda *args: failed


@pytest.mark.parametrize("call", ["claim", "put", "renew", "release"])
def test_a_store_that_fails_is_one_error_and_the_crawl_goes_on_in_memory(
    world: World, caplog: pytest.LogCaptureFixture, call: str
) -> None:
    async def scenario() -> None:
        cache = world.cache(BrokenStore(call, StoreError("/store: disk full")))
        for host in ("a.com", "b.com", "a.com"):
            held = await cache.known(key(host), world.download, soon(world))
            assert held is not None
            assert held.decide(f"https://{host}/private", world.clock())[0].allowed is False
        cache.close()
        world.store.close()
        await settled()

    in_loop(scenario())
    assert sorted({origin for origin, _ in world.asked}) == ["https://a.com", "https://b.com"]
    told = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    expected = "/store: disk full. This run goes on with a memory cache; nothing more of it is kept."
    assert told == ([] if call in ("renew", "release") else [expected])


def raising(body: bytes, key: Key) -> PrefixRules:
    raise RuntimeError("a parser's fault")


def test_a_copy_that_was_fetched_while_the_store_could_not_be_had_replaces_no_later_one(world: World) -> None:
    async def scenario() -> bytes:
        store = BrokenStore("claim", StoreUnavailable("/store: it is locked"))
        later = time.time() + 5
        copy = RobotsCopy("https://example.com", AGENT, later, 200, b"/theirs", False, later, later + DAY_S)
        store.kept.robots.put(copy, "another")
        world.moved_s = time.time() - time.monotonic()
        await world.cache(store).known(key(), world.download, soon(world))
        assert len(world.asked) == 1
        kept = store.kept.robots.get("https://example.com", AGENT).result()
        assert kept is not None
        return kept.body

    assert in_loop(scenario()) == b"/theirs"


@pytest.mark.parametrize("ahead_s", [-3_600.0, -0.05, 0.05, 3_600.0])
def test_a_store_whose_clock_differs_keeps_a_copy_for_as_long_as_any(world: World, ahead_s: float) -> None:
    store = MemoryStore(clock=lambda: world.clock() + ahead_s)

    async def scenario() -> None:
        first = await world.cache(store).known(key(), world.download, soon(world))
        other = world.cache(store)
        world.moved_s += DAY_S - 10
        held = await other.known(key(), world.download, soon(world))
        assert first is not None
        assert held is not None
        assert held.copy.expires_at == pytest.approx(first.copy.expires_at, abs=0.2)
        assert len(world.asked) == 1
        world.moved_s += 10
        again = await other.known(key(), world.download, soon(world))
        assert again is not None
        assert len(world.asked) == 2
        assert again.copy.fetched_at == pytest.approx(world.clock(), abs=0.5)

    in_loop(scenario())


@pytest.mark.parametrize("from_store", [False, True], ids=["a body fetched now", "a body from the store"])
def test_a_parser_that_raises_closes_the_origin_and_nothing_else(
    world: World, caplog: pytest.LogCaptureFixture, from_store: bool
) -> None:
    store = MemoryStore(clock=world.clock)

    async def scenario() -> None:
        if from_store:
            await world.cache(store).known(key(), world.download, soon(world))
        held = await world.cache(store, parse=raising).known(key(), world.download, soon(world))
        assert held is not None
        decision, _ = held.decide("https://example.com/", world.clock())
        assert (decision.allowed, decision.reason) == (False, "robots/unreachable")
        assert "a parser's fault" in decision.detail

    in_loop(scenario())
    assert [record.levelname for record in caplog.records] == ["ERROR"]


def test_a_long_body_is_parsed_beside_the_loop(world: World) -> None:
    threads: dict[int, bool] = {}

    def parse(body: bytes, key: Key) -> PrefixRules:
        threads[len(body)] = threading.current_thread() is threading.main_thread()
        return PrefixRules(body)

    async def scenario() -> None:
        cache = world.cache(parse=parse)
        for size in (PARSE_IN_THREAD_BYTES, PARSE_IN_THREAD_BYTES + 1):
            world.answers = [replace(RULES, body=b"x" * size)]
            held = await cache.known(key(f"{size}.com"), world.download, soon(world))
            assert held is not None
            assert held.rules == PrefixRules(b"x" * size)

    in_loop(scenario())
    assert threads == {PARSE_IN_THREAD_BYTES: True, PARSE_IN_THREAD_BYTES + 1: False}


def test_an_unreachable_origin_is_told_at_once_where_waiting_cannot_help(world: World) -> None:
    world.answers = [DOWN]

    async def scenario() -> None:
        held = await world.cache().known(key(), world.download, soon(world, 60))
        assert held is not None
        decision, basis = held.decide("https://example.com/", world.clock())
        assert (decision.allowed, decision.reason, decision.detail) == (False, "robots/unreachable", "HTTP 503")
        assert decision.wait_until == held.copy.next_try
        assert basis == "none"

    in_loop(scenario())
    assert len(world.asked) == 1


def test_an_unreachable_origin_is_asked_again_when_it_said_within_the_wait(world: World) -> None:
    world.answers = [replace(DOWN, retry_after_s=0.05), RULES]

    async def scenario() -> list[CachedRobots | None]:
        cache = world.cache()
        return await asyncio.gather(*(cache.known(key(), world.download, soon(world)) for _ in range(5)))

    assert all(held is not None and held.rules is not None for held in in_loop(scenario()))
    assert len(world.asked) == 2


def test_in_an_outage_the_last_good_copy_serves_at_once_and_the_origin_is_asked_when_due(world: World) -> None:
    async def scenario() -> None:
        cache = world.cache()
        await cache.known(key(), world.download, soon(world))
        world.moved_s += 1.1 * DAY_S
        world.answers = [SILENT, SILENT, MISSING]
        for _ in range(3):
            held = await cache.known(key(), world.download, soon(world))
            assert held is not None
            assert held.decide("https://example.com/private", world.clock()) == (
                Decision(False, "robots/disallow"),
                "stale",
            )
        assert len(world.asked) == 2
        for _ in range(2):
            world.moved_s += DAY_S
            await cache.known(key(), world.download, soon(world))
            await settled()
        held = await cache.known(key(), world.download, soon(world))
        assert held is not None
        assert held.decide("https://example.com/private", world.clock())[0].reason == "robots/none"

    in_loop(scenario())
    assert len(world.asked) == 4


@pytest.mark.parametrize(
    ("policy", "served"),
    [(Policy(), True), (Policy(closed_without_answer_s=3_600.0), False)],
    ids=["the copy at once", "an hour closed first"],
)
def test_an_expired_copy_serves_a_request_that_cannot_wait_longer_as_in_an_outage(
    world: World, policy: Policy, served: bool
) -> None:
    async def scenario() -> None:
        cache = world.cache(policy=lambda origin: policy)
        await cache.known(key(), world.download, soon(world))
        world.moved_s += 1.1 * DAY_S
        world.gate = asyncio.Event()
        held = await cache.known(key(), world.download, soon(world, 0.02))
        assert (held is not None) is served
        cache.close()

    in_loop(scenario())


def test_a_request_waits_no_longer_than_its_deadline_while_others_go_on_waiting(world: World) -> None:
    async def scenario() -> None:
        world.gate = asyncio.Event()
        cache = world.cache()
        patient = asyncio.ensure_future(cache.known(key(), world.download, soon(world, 60)))
        assert await cache.known(key(), world.download, soon(world, 0.02)) is None
        assert await cache.known(key(), world.download, world.clock()) is None
        world.gate.set()
        assert await patient is not None

    in_loop(scenario())
    assert len(world.asked) == 1


@pytest.mark.parametrize("answer", [None, replace(DOWN, retry_after_s=60.0)], ids=["in a fetch", "until the next try"])
def test_closing_releases_everyone_who_waits_and_nothing_is_asked_any_more(world: World, answer: Result | None) -> None:
    async def scenario() -> None:
        if answer is None:
            world.gate = asyncio.Event()
        else:
            world.answers = [answer]
        cache = world.cache()
        waiting: list[Awaitable[CachedRobots | None]] = [
            asyncio.ensure_future(cache.known(key(), world.download, soon(world, 600))) for _ in range(5)
        ]
        await settled()
        began = time.monotonic()
        cache.close()
        assert await asyncio.gather(*waiting) == [None] * 5
        assert time.monotonic() - began < 0.3
        cache.ask(key("other.com"), world.download)
        assert await cache.known(key("other.com"), world.download, soon(world)) is None
        await settled()
        assert world.at_once == 0

    in_loop(scenario())
    assert len(world.asked) == 1


def test_a_redirect_into_what_held_rules_forbid_is_known_but_not_by_the_asking_origins_own(world: World) -> None:
    async def scenario() -> None:
        cache = world.cache()
        await cache.known(key("held.com"), world.download, soon(world))
        await cache.known(key("asking.com"), world.download, soon(world))

    in_loop(scenario())
    assert world.forbidden is not None
    urls = [
        "https://held.com/private",
        "https://held.com/",
        "https://asking.com/private",
        "https://unknown.com/private",
    ]
    assert [world.forbidden(url) for url in urls] == [True, False, False, False]


@pytest.mark.parametrize(
    ("answer", "body"),
    [(RULES, b"/private"), (replace(RULES, truncated=True), None), (MISSING, None), (DOWN, None)],
    ids=["whole", "cut", "missing", "unreachable"],
)
def test_only_a_whole_good_body_is_given_out(world: World, answer: Result, body: bytes | None) -> None:
    world.answers = [answer]

    async def scenario() -> bytes | None:
        cache = world.cache()
        await cache.known(key(), world.download, soon(world))
        return await cache.body(key())

    assert in_loop(scenario()) == body


def test_the_listener_hears_what_was_held_before_and_the_raw_body(world: World) -> None:
    async def scenario() -> None:
        cache = world.cache()
        await cache.known(key(), world.download, soon(world))
        world.moved_s += 1.1 * DAY_S
        world.answers = [SILENT]
        await cache.known(key(), world.download, soon(world))

    in_loop(scenario())
    (_, first, nothing, body), (_, second, before, _) = world.learned
    assert nothing is None
    assert before is first
    assert body == b"/private"
    assert first.copy.body == b""
    assert standing(second.copy, world.clock(), Policy()).access is Access.RULES


def test_pauses_between_attempts_take_no_place(world: World) -> None:
    async def scenario() -> None:
        pauses = asyncio.Event()

        async def fetch(origin: Origin, download: Any, *_: Any) -> Result:
            await download("", {}, timeout_s=1.0, max_bytes=1)
            if origin.host == "down.com":
                await pauses.wait()  # until the next attempt
            return RULES

        world.fetch = fetch  # type: ignore[method-assign]
        cache = world.cache(concurrency=1)
        cache.ask(key("down.com"), world.download)
        assert await cache.known(key("up.com"), world.download, soon(world)) is not None
        pauses.set()
        await settled()

    in_loop(scenario())


def test_rules_that_are_held_serve_in_an_outage_though_the_store_has_lost_their_copy(world: World) -> None:
    async def scenario() -> tuple[CachedRobots | None, CachedRobots | None]:
        world.answers = [RULES, SILENT]
        store = MemoryStore(clock=world.clock)
        cache = world.cache(store)
        good = await cache.known(key(), world.download, soon(world))
        await store_forgets(store)
        world.moved_s += 2 * DAY_S
        return good, await cache.known(key(), world.download, soon(world))

    async def store_forgets(store: MemoryStore) -> None:
        await settled()
        store.robots.forget(None).result()

    good, held = in_loop(scenario())
    assert good is not None
    assert held is not None
    assert held.rules is good.rules
    assert standing(held.copy, world.clock(), Policy()).basis == "stale"
    assert not held.decide("https://example.com/private", world.clock())[0].allowed


@pytest.mark.parametrize("answer", [DOWN, SILENT], ids=["503", "no-answer"])
def test_each_site_goes_by_its_own_dialect_and_one_store_serves_all(world: World, answer: Result) -> None:
    def policy(origin: Origin) -> Policy:
        return Policy().of("classic" if origin.host == "old.com" else "rfc")

    async def scenario() -> dict[str, tuple[Decision, str]]:
        cache = world.cache(policy=policy)
        for host in ("old.com", "new.com"):
            await cache.known(key(host), world.download, soon(world))
        world.answers = [answer]
        world.moved_s += 8 * DAY_S  # both copies are stale
        said = {}
        for _ in range(2):  # a day after the outage began, too
            for host in ("old.com", "new.com"):
                held = await cache.known(key(host), world.download, soon(world), patient=False)
                assert held is not None
                said[host] = held.decide(f"https://{host}/open", world.clock())
            world.moved_s += DAY_S
        return said

    said = in_loop(scenario())
    assert said["new.com"] == (Decision(True, "robots/disallow"), "stale")
    old, basis = said["old.com"]
    assert (old.allowed, old.reason, basis) == (False, "robots/unreachable", "none")
    assert old.detail == f"{answer.why}: closed until it answers (read as classic)"
