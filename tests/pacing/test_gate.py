"""The gate: when it opens, why it is shut, what it counts; the table of gates."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from math import inf
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import RequestRate

from scrapy_polite.pacing.backoff import Backoff
from scrapy_polite.pacing.budget import Budget
from scrapy_polite.pacing.delay import CrawlLimits, declared
from scrapy_polite.pacing.gate import MAX_ORIGINS, Gate, Gates, HeldBy, PacingConfig
from scrapy_polite.robots.rules import RobotsTxt

NOW = 1_800_000_000.0  # Fri, 15 Jan 2027 08:00:00 GMT
ORIGIN = "http://example.com"


def asks(lines: str) -> CrawlLimits | None:
    return CrawlLimits.of(RobotsTxt.parse(f"User-agent: *\n{lines}".encode(), "bot"))


def make(
    robots: str = "",
    own: tuple[tuple[float, str], ...] = (),
    cap_s: float = 60.0,
    concurrency: int = 8,
    budget: Budget | None = None,
    config: PacingConfig | None = None,
) -> Gate:
    gate = Gate("example.com", config or PacingConfig(rng=Random(1)))
    gate.set_own(own, cap_s, concurrency, budget)
    gate.set_limits(ORIGIN, asks(robots))
    return gate


def fetch(gate: Gate, now: float, latency_s: float = 0.0) -> None:
    gate.take(now - latency_s)
    gate.answered(now, latency_s)
    gate.ended(now)


def shut_s(gate: Gate, now: float = NOW) -> float:
    return max(gate.opens_at(now) - now, 0.0)


def test_each_of_several_workers_has_its_share_of_what_the_host_may_get() -> None:
    gate = make(config=PacingConfig(adaptive=1.0))
    gate.join_own((), 60.0, 8, None, 3)
    assert (gate.workers, gate.concurrency) == (3, 2)
    fetch(gate, NOW, latency_s=0.5)
    # Alone it would send once a second: half of it is the request, half the wait.
    assert shut_s(gate) == pytest.approx(3 * 1.0 - 0.5)
    gate.join_own((), 60.0, 2, None)
    assert (gate.workers, gate.concurrency) == (3, 1)


def in_trouble(gate: Gate, retry_after_s: float | None = None) -> Gate:
    for page in range(3):
        gate.record_failure(NOW, url=f"{ORIGIN}/{page}", sent_at=NOW, why="HTTP 503", retry_after_s=retry_after_s)
    return gate


def held(gate: Gate) -> Gate:
    gate.hold(NOW + 3, HeldBy("another crawl has its turn"))
    return gate


def adaptive(gate: Gate) -> Gate:
    fetch(gate, NOW, 0.25)
    return gate


@pytest.mark.parametrize(
    ("gate", "shut", "reason", "detail"),
    [
        pytest.param(make(), (0, 0), "", "", id="nothing declared"),
        pytest.param(make("Crawl-delay: 5"), (5, 5), "pace/crawl-delay", "Crawl-delay 5 s", id="Crawl-delay"),
        pytest.param(
            make("Crawl-delay: 90"), (60, 60), "pace/crawl-delay", "Crawl-delay 60 s (of 90 s asked)", id="capped"
        ),
        pytest.param(
            make("Request-rate: 1/10s"), (10, 10), "pace/request-rate", "Request-rate 10 s", id="Request-rate"
        ),
        pytest.param(make(own=((2.5, "DOWNLOAD_DELAY"),)), (2.5, 2.5), "pace/delay", "DOWNLOAD_DELAY 2.5 s", id="own"),
        pytest.param(
            make("Visit-time: 0900-1000"), (3_600, 3_600), "pace/visit-time", "Visit-time 0900-1000 UTC", id="hours"
        ),
        pytest.param(
            in_trouble(make(), 12), (12, 13), "pace/retry-after", "HTTP 503, Retry-After 12 s", id="Retry-After"
        ),
        pytest.param(in_trouble(make()), (60, 75), "pace/backoff", "HTTP 503", id="back-off"),
        pytest.param(
            make(budget=Budget(1, 86_400)), (57_600, 57_600), "pace/budget", "1 pages per day", id="budget spent"
        ),
        pytest.param(make(budget=Budget(2, 86_400)), (0, 0), "", "", id="budget left"),
        pytest.param(make(budget=Budget(1, 86_400, "refuse")), (0, 0), "", "", id="budget that refuses"),
        pytest.param(
            make(config=PacingConfig(adaptive=10, adaptive_max_s=4)),
            (0.1, 4),
            "pace/adaptive",
            "1 s after the last answer",
            id="adaptive",
        ),
        pytest.param(
            held(make()),
            (3, 3),
            "pace/held",
            "another crawl has its turn",
            id="another's lease",
        ),
        pytest.param(
            held(make("Crawl-delay: 5")), (5, 5), "pace/crawl-delay", "Crawl-delay 5 s", id="the longest counts"
        ),
    ],
)
def test_what_keeps_a_gate_shut_after_a_page(gate: Gate, shut: tuple[float, float], reason: str, detail: str) -> None:
    fetch(gate, NOW, 0.1)
    assert shut[0] <= shut_s(gate) <= shut[1]
    assert gate.why(NOW) == (reason, detail)


def test_a_gate_that_was_never_used_is_open_whatever_is_declared() -> None:
    assert make("Crawl-delay: 5", own=((2, "delay"),), config=PacingConfig(adaptive=10)).opens_at(NOW) <= NOW


def test_the_delay_counts_from_the_answer_or_the_failure_not_from_sending() -> None:
    gate = make("Crawl-delay: 5")
    gate.take(NOW)
    gate.answered(NOW + 3, 3.0)
    gate.ended(NOW + 9)
    assert gate.opens_at(NOW + 9) <= NOW + 9
    assert gate.opens_at(NOW + 3) == NOW + 8
    gate.take(NOW + 10)
    gate.failed(NOW + 30)
    gate.ended(NOW + 30)
    assert gate.opens_at(NOW + 30) == NOW + 35


def test_a_request_that_ends_without_a_word_counts_as_answered_then() -> None:
    gate = make("Crawl-delay: 5")
    gate.take(NOW)
    gate.ended(NOW + 2)
    assert gate.opens_at(NOW + 2) == NOW + 7


def test_what_is_given_back_moves_nothing() -> None:
    gate = make("Crawl-delay: 5", budget=Budget(10, 86_400))
    fetch(gate, NOW)
    gate.take(NOW + 6)
    gate.given_back(NOW + 6)
    assert (gate.in_flight, gate.sent_count, gate.spent, gate.opens_at(NOW + 6) <= NOW + 6) == (0, 1, 1, True)


@pytest.mark.parametrize(
    ("gate", "places"),
    [
        pytest.param(make(concurrency=8), 8, id="the settings' concurrency"),
        pytest.param(make("Crawl-delay: 0.1", concurrency=8), 1, id="a declared delay"),
        pytest.param(make(own=((0.1, "delay"),), concurrency=8), 1, id="a delay of its own"),
        pytest.param(in_trouble(make(concurrency=8)), 1, id="a probe"),
        pytest.param(make(concurrency=8, config=PacingConfig(adaptive=10)), 1, id="adaptive"),
    ],
)
def test_a_gate_is_full(gate: Gate, places: int) -> None:
    now = gate.opens_at(NOW)
    for _ in range(places):
        assert not gate.full
        gate.take(now)
    assert gate.full
    assert gate.why(now)[0] == "pace/concurrency"
    gate.given_back(now)
    assert not gate.full


def test_jitter_only_adds_and_is_sampled_once_per_answer() -> None:
    gate = make("Crawl-delay: 10", config=PacingConfig(jitter=0.5, rng=Random(7)))
    gaps = set()
    for page in range(50):
        now = NOW + 100 * page
        fetch(gate, now)
        gap = gate.opens_at(now) - now
        assert gate.opens_at(now + 1) - now == gap
        assert 10 <= gap <= 15
        gaps.add(gap)
    assert len(gaps) > 40


def test_the_delay_in_force_when_asked_counts() -> None:
    gate = make()
    fetch(gate, NOW)
    gate.set_limits(ORIGIN, asks("Crawl-delay: 5"))
    gate.set_limits("https://example.com", asks("Crawl-delay: 9"))
    assert shut_s(gate) == 9
    gate.set_limits("https://example.com", None)
    assert shut_s(gate) == 5
    gate.set_limits(ORIGIN, None)
    assert shut_s(gate) == 0


@pytest.mark.parametrize(
    ("now", "delay_s"),
    [
        pytest.param(NOW, 1.0, id="before its hours"),
        pytest.param(NOW + 3_600, 20.0, id="inside"),
        pytest.param(NOW + 7_200, 1.0, id="after"),
    ],
)
def test_a_request_rate_counts_in_its_hours_only(now: float, delay_s: float) -> None:
    gate = make("Crawl-delay: 1\nRequest-rate: 3/1m 0900-1000")
    gate.opens_at(now - 4_000)
    fetch(gate, now)
    assert gate.opens_at(now) == now + delay_s


def test_of_too_many_origins_the_strictest_are_kept() -> None:
    gate = make()
    for number in range(3 * MAX_ORIGINS):
        gate.set_limits(f"http://{number}.example.com", CrawlLimits(1 + number * 7 % 1000 / 100, None, None))
    gate.set_limits("http://slow.example.com", CrawlLimits(None, RequestRate(1, 40, None, None), None))
    gate.set_limits("http://quick.example.com", CrawlLimits(0.1, None, None))
    assert gate.delay.seconds == 40
    assert len(gate._limits) == MAX_ORIGINS


def test_a_budget_begins_anew_with_each_period() -> None:
    gate = make(budget=Budget(3, 3_600))
    for _ in range(3):
        assert shut_s(gate, NOW + 10) == 0
        fetch(gate, NOW + 10)
    assert gate.opens_at(NOW + 10) == NOW + 3_600
    assert gate.opens_at(NOW - 10) == NOW + 3_600, "a clock that is set back opens nothing"
    fetch(gate, NOW + 3_600)
    assert (gate.spent, shut_s(gate, NOW + 3_600)) == (1, 0)


def test_what_other_processes_spent_counts() -> None:
    gate = make(budget=Budget(10, 3_600))
    fetch(gate, NOW)
    gate.spent_by_all(NOW - 3_600, 10)
    assert (gate.spent, shut_s(gate)) == (1, 0)
    gate.spent_by_all(NOW, 10)
    assert (gate.spent, shut_s(gate)) == (10, 3_600)


def test_a_budget_may_refuse_the_rest() -> None:
    gate = make(budget=Budget(1, 3_600, "refuse"))
    assert not gate.refuses(NOW)
    fetch(gate, NOW)
    assert gate.refuses(NOW)
    assert not gate.refuses(NOW + 3_600)


def test_adaptive_waits_a_multiple_of_the_last_latency_between_bounds() -> None:
    gate = make(config=PacingConfig(adaptive=10, adaptive_min_s=0.5, adaptive_max_s=20))
    for latency_s, wait_s in [(0.01, 0.5), (0.3, 3.0), (9.0, 20.0)]:
        fetch(gate, NOW, latency_s)
        assert shut_s(gate) == pytest.approx(wait_s)


def test_after_an_embargo_one_probe_goes_and_its_success_opens() -> None:
    gate = in_trouble(make(concurrency=4))
    now = gate.opens_at(NOW)
    gate.take(now)
    assert gate.full
    gate.answered(now + 1, 1.0)
    gate.succeeded(now + 1, sent_at=now)
    gate.ended(now + 1)
    assert shut_s(gate, now + 1) == 0
    gate.take(now + 1)
    assert not gate.full


def test_a_gate_without_trouble_carries_no_backoff() -> None:
    gate = make()
    gate.record_failure(NOW, url=ORIGIN, sent_at=NOW, why="HTTP 503")
    assert gate.backoff is not None
    gate.succeeded(NOW + 1)
    assert gate.backoff is None


@pytest.mark.parametrize(
    ("gate", "after_s"),
    [
        pytest.param(make(), 0, id="nothing declared"),
        pytest.param(make("Crawl-delay: 5"), 5, id="a delay"),
        pytest.param(make(budget=Budget(9, 3_600)), 3_600, id="a budget"),
        pytest.param(in_trouble(make(), 100), 1_900, id="an embargo and half an hour"),
    ],
)
def test_a_gate_is_forgotten_when_nothing_is_worth_keeping(gate: Gate, after_s: float) -> None:
    fetch(gate, NOW)
    if after_s:
        assert not gate.idle_and_open(NOW + after_s - 0.1)
    assert gate.idle_and_open(NOW + after_s + 1)
    gate.lanes = 1
    assert not gate.idle_and_open(NOW + after_s + 1)
    gate.lanes = 0
    gate.take(NOW + after_s + 1)
    assert not gate.idle_and_open(NOW + after_s + 1)


def table(robots: str = "") -> Gates:
    said, config = asks(robots), PacingConfig(rng=Random(1))

    def make_gate(key: str) -> Gate:
        gate = Gate(key, config)
        gate.set_limits(key, said)
        return gate

    return Gates(make_gate)


def meet(gates: Gates, key: str, now: float) -> None:
    gate = gates.get(key)
    gate.lanes += 1
    fetch(gate, now)
    gate.lanes -= 1
    gates.release(gate, now)


def test_gates_are_made_once_and_only_when_needed() -> None:
    gates = table()
    assert gates.peek("a.example") is None
    gate = gates.get("a.example")
    assert gates.get("a.example") is gates.peek("a.example") is gate
    assert list(gates) == [gate]


def test_a_gate_in_use_is_not_forgotten() -> None:
    gates = table("Crawl-delay: 5")
    meet(gates, "a.example", NOW)
    gate = gates.get("a.example")
    gate.lanes = 1
    gates.sweep(NOW + 100)
    assert gates.peek("a.example") is gate
    gate.lanes = 0
    gates.release(gate, NOW + 100)
    assert gates.peek("a.example") is None


def test_a_sweep_is_bounded_and_forgets_gates_that_have_opened() -> None:
    gates = table("Crawl-delay: 5")
    for number in range(50):
        meet(gates, f"{number}.example", NOW)
    gates.sweep(NOW + 4)
    assert len(gates) == 50
    gates.sweep(NOW + 6, 20)
    assert len(gates) == 30
    gates.sweep(NOW + 6)
    assert len(gates) == 0


def test_a_gate_that_shut_again_meanwhile_is_looked_at_again() -> None:
    gates = table("Crawl-delay: 5")
    meet(gates, "a.example", NOW)
    fetch(gates.get("a.example"), NOW + 4)
    gates.sweep(NOW + 6)
    assert len(gates) == 1
    gates.sweep(NOW + 10)
    assert len(gates) == 0


def test_a_gate_that_opened_early_is_forgotten_at_once_and_once() -> None:
    gates = table()
    gate = gates.get("a.example")
    gate.held_until = NOW + 10
    gates.release(gate, NOW)
    gate.held_until = 0.0
    gates.release(gate, NOW + 1)
    assert len(gates) == 0
    gates.get("a.example").lanes = 1
    gates.sweep(NOW + 11)
    assert len(gates) == 1


def test_a_million_hosts_met_once_and_left_cost_nothing() -> None:
    gates = table()
    meet(gates, "first.example", NOW)
    blocks = sys.getallocatedblocks()
    for number in range(1_000_000):
        meet(gates, f"{number}.example", NOW + number)
    assert len(gates) == 0
    assert sys.getallocatedblocks() - blocks < 1_000


def test_releasing_alone_keeps_the_table_small() -> None:
    gates = table("Crawl-delay: 5")
    for number in range(2_000):
        meet(gates, f"{number}.example", NOW + number * 0.1)
    assert len(gates) <= 52


def test_a_kept_gate_takes_300_bytes() -> None:
    count = 50_000
    gates = table()
    tracemalloc.start()
    try:
        for number in range(count):
            gate = gates.get(f"{number}.example.com")
            gate.lanes = 1
            fetch(gate, NOW + number)
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert taken / count <= 300


@given(
    st.floats(0.1, 50),
    st.floats(0, 1),
    st.lists(st.tuples(st.sampled_from(["answered", "failed", "ended"]), st.floats(0, 30)), min_size=1, max_size=20),
)
def test_no_request_leaves_sooner_than_the_delay_after_the_last_answer(
    delay_s: float, jitter: float, requests: list[tuple[str, float]]
) -> None:
    gate = make(own=((delay_s, "delay"),), config=PacingConfig(jitter=jitter, rng=Random(1)))
    ends: dict[str, Callable[[float], None]] = {
        "answered": lambda now: gate.answered(now, 0.1),
        "failed": gate.failed,
        "ended": lambda now: None,
    }
    now, last_at = NOW, -inf
    for kind, takes_s in requests:
        now = max(gate.opens_at(now), now)
        assert now >= last_at + delay_s * (1 - 1e-9)
        gate.take(now)
        assert gate.full
        now = last_at = now + takes_s
        ends[kind](now)
        gate.ended(now)


def test_a_gate_takes_up_what_the_store_knew() -> None:
    gate = make()
    gate.backoff = Backoff(until=NOW + 60, level=2, why="HTTP 503", noted_at=NOW - 1)
    assert gate.why(NOW) == ("pace/backoff", "HTTP 503")
    assert shut_s(gate) == 60
    assert declared([], [], 60, NOW) is gate.delay
