"""Which lane goes next, against a model that sorts them all anew each time, and what the heaps cost in memory."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import count
from typing import Any, cast

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, rule

from scrapy_polite.frontier.schedule import Lane, Schedule


@dataclass
class FakeGate:
    key: str
    open_from: float = 0.0
    full: bool = False

    def opens_at(self, now: float) -> float:
        return self.open_from


def gate(key: str, open_from: float = 0.0, *, full: bool = False) -> Any:
    return FakeGate(key, open_from, full)


@dataclass
class Model:
    """What is known of a lane from what was said. `state`: "put", "aside", "closed" or "lined up"."""

    lane: Lane
    turn: int
    state: str = "aside"
    priority: int = 0
    until: float = 0.0


PRIORITIES = st.integers(-2, 2)
SECONDS = st.floats(0, 10)


class ScheduleMachine(RuleBasedStateMachine):
    lanes = Bundle("lanes")

    def __init__(self) -> None:
        super().__init__()
        self.schedule: Schedule[Lane] = Schedule()
        self.gates = [gate(f"g{number}") for number in range(3)]
        self.model: dict[Lane, Model] = {}
        self.now = 100.0
        self.turns = count()
        self.names = count()

    @rule(target=lanes, at=st.integers(0, 2))
    def add(self, at: int) -> Lane:
        lane = Lane(f"l{next(self.names)}", self.gates[at])
        self.schedule.add(lane)
        self.model[lane] = Model(lane, next(self.turns))
        return lane

    @rule(lane=lanes, priority=PRIORITIES)
    def put(self, lane: Lane, priority: int) -> None:
        self.schedule.put(lane, (priority, 1))
        self._is(lane, "put", priority=priority)

    @rule(lane=lanes)
    def set_aside(self, lane: Lane) -> None:
        self.schedule.set_aside(lane)
        self._is(lane, "aside")

    @rule(lane=lanes, seconds=SECONDS)
    def close(self, lane: Lane, seconds: float) -> None:
        self.schedule.close(lane, self.now + seconds)
        self._is(lane, "closed", until=self.now + seconds)

    @rule(lane=lanes, priority=PRIORITIES)
    def wait_for_slot(self, lane: Lane, priority: int) -> None:
        self.schedule.wait_for_slot(lane, (priority, 1))
        self._is(lane, "lined up", priority=priority)

    @rule(lane=lanes, at=st.integers(0, 2))
    def move(self, lane: Lane, at: int) -> None:
        self.schedule.move(lane, self.gates[at])
        self._is(lane, "aside")
        self.model[lane].turn = next(self.turns)

    @rule(lane=consumes(lanes))
    def remove(self, lane: Lane) -> None:
        self.schedule.remove(lane)
        del self.model[lane]

    @rule()
    def serve(self) -> None:
        if (lane := self.schedule.pick(self.now)) is not None:
            self.schedule.served(lane)
            self._is(lane, "aside")
            self.model[lane].turn = next(self.turns)

    @rule(at=st.integers(0, 2), seconds=SECONDS, full=st.booleans())
    def gate_moves(self, at: int, seconds: float, full: bool) -> None:
        changed = cast("FakeGate", self.gates[at])
        changed.open_from, changed.full = self.now + seconds - 1, full
        self.schedule.moved(cast("Any", changed))

    @rule(seconds=SECONDS)
    def time_passes(self, seconds: float) -> None:
        self.now += seconds
        closed = {lane for lane, known in self.model.items() if known.state == "closed" and known.until <= self.now}
        assert set(due := list(self.schedule.due(self.now))) == closed
        assert len(due) == len(closed)
        for lane in closed:
            self._is(lane, "aside")

    @rule(target=lanes)
    def call_up(self) -> Any:
        waiting = [known for known in self.model.values() if known.state == "lined up"]
        first = min(waiting, key=lambda known: (known.priority, known.turn)).lane if waiting else None
        assert self.schedule.next_waiting() is first
        if first is not None:
            self._is(first, "aside")
        return multiple()

    @invariant()
    def the_lane_that_is_picked_is_the_first_of_all_that_may_go(self) -> None:
        may_go = [
            known
            for known in self.model.values()
            if known.state == "put" and not known.lane.gate.full and known.lane.gate.opens_at(self.now) <= self.now
        ]
        first = min(may_go, key=lambda known: (known.priority, known.turn)).lane if may_go else None
        assert self.schedule.pick(self.now) is first

    @invariant()
    def it_wakes_no_later_than_the_first_gate_or_lane_opens(self) -> None:
        if self.schedule.pick(self.now) is not None:
            return
        opens = [known.until for known in self.model.values() if known.state == "closed"]
        opens += [
            known.lane.gate.opens_at(self.now)
            for known in self.model.values()
            if known.state == "put" and not known.lane.gate.full
        ]
        assert self.schedule.wake_at() <= min(opens, default=math.inf)

    @invariant()
    def it_knows_the_gates_that_lanes_wait_at(self) -> None:
        gates = {lane.gate.key for lane in self.model}
        assert {gate.key for gate in self.schedule} == gates
        assert len(self.schedule) == len(gates)
        for key in ("g0", "g1", "g2"):
            lanes = {lane for lane in self.model if lane.gate.key == key}
            assert set(self.schedule.lanes_at(key)) == lanes
            assert self.schedule.has_lanes_at(key) == bool(lanes)

    def _is(self, lane: Lane, state: str, *, priority: int = 0, until: float = 0.0) -> None:
        known = self.model[lane]
        known.state, known.priority, known.until = state, priority, until
        assert lane.closed_until == until


TestAgainstAModel = ScheduleMachine.TestCase
TestAgainstAModel.settings = settings(settings.get_profile("project"), max_examples=150, stateful_step_count=40)


def lanes_of(schedule: Schedule[Lane], *gates: Any) -> list[Lane]:
    lanes = [Lane(f"lane {number}", gate) for number, gate in enumerate(gates)]
    for lane in lanes:
        schedule.add(lane)
    return lanes


def entries(schedule: Schedule[Lane]) -> int:
    lines = schedule._lines.values()
    outer = (schedule._ready, schedule._shut, schedule._closed, schedule._lined_up)
    return sum(map(len, outer)) + sum(len(line.heap) for line in lines)


def test_among_equals_the_lane_that_was_served_last_comes_last() -> None:
    schedule: Schedule[Lane] = Schedule()
    one, two, three = lanes_of(schedule, gate("a"), gate("b"), gate("a"))
    order = []
    for lane in (three, one, two):
        schedule.put(lane, (0, 0))
    for _ in range(6):
        picked = schedule.pick(0.0)
        assert picked is not None
        order.append(picked)
        schedule.served(picked)
        schedule.put(picked, (0, 0))
    assert order == [one, two, three] * 2


def test_a_lane_whose_best_request_is_gone_falls_back_behind_better_ones() -> None:
    schedule: Schedule[Lane] = Schedule()
    first, second = lanes_of(schedule, gate("a"), gate("b"))
    schedule.put(first, (-1, 0))
    schedule.put(second, (0, 0))
    schedule.put(first, (1, 0))
    assert schedule.pick(0.0) is second


def test_what_a_full_gate_held_up_goes_as_soon_as_it_has_moved() -> None:
    schedule: Schedule[Lane] = Schedule()
    full = gate("a", full=True)
    (lane,) = lanes_of(schedule, full)
    schedule.put(lane, (0, 0))
    assert schedule.pick(0.0) is None
    full.full = False
    schedule.moved(full)
    assert schedule.pick(0.0) is lane


def test_a_gate_that_was_passed_over_does_not_come_up_until_it_has_moved() -> None:
    schedule: Schedule[Lane] = Schedule()
    first, second = lanes_of(schedule, gate("a"), gate("b"))
    schedule.put(first, (0, 0))
    schedule.put(second, (1, 0))
    assert schedule.pick(0.0) is first
    schedule.pass_over(first)
    assert schedule.pick(0.0) is second
    schedule.moved(first.gate)
    assert schedule.pick(0.0) is first


def test_it_says_for_how_long_a_shut_gate_has_kept_its_lane_waiting() -> None:
    schedule: Schedule[Lane] = Schedule()
    slow, free = lanes_of(schedule, gate("a", 30.0), gate("b"))
    schedule.put(slow, (0, 0))
    schedule.put(free, (0, 0))
    assert schedule.pick(10.0) is free
    assert schedule.waited_s(free, 10.0) == 0
    schedule.set_aside(free)
    assert schedule.pick(20.0) is None
    assert schedule.pick(31.0) is slow
    assert schedule.waited_s(slow, 31.0) == 21.0
    assert schedule.waited_s(slow, 31.0) == 0


def test_a_lane_that_is_gone_wakes_nobody() -> None:
    schedule: Schedule[Lane] = Schedule()
    shut, closed = lanes_of(schedule, gate("a", 30.0), gate("b"))
    schedule.put(shut, (0, 0))
    assert schedule.pick(10.0) is None
    schedule.close(closed, 20.0)
    assert schedule.wake_at() == 20.0
    schedule.remove(closed)
    assert schedule.wake_at() == 30.0
    schedule.remove(shut)
    assert schedule.wake_at() == math.inf


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(lambda schedule, lane, now: schedule.put(lane, (-now, 0)), id="ever better heads"),
        pytest.param(lambda schedule, lane, now: schedule.close(lane, now + 1e6), id="closed again and again"),
        pytest.param(lambda schedule, lane, now: schedule.wait_for_slot(lane, (now, 0)), id="lined up again and again"),
        pytest.param(lambda schedule, lane, now: (schedule.put(lane, (0, 0)), schedule.served(lane)), id="served"),
        pytest.param(
            lambda schedule, lane, now: (
                setattr(lane.gate, "open_from", now + 1e6),
                schedule.moved(lane.gate),
                schedule.put(lane, (0, 0)),
                schedule.pick(now),
            ),
            id="shut again and again",
        ),
        pytest.param(
            lambda schedule, lane, now: (schedule.remove(lane), schedule.add(lane), schedule.put(lane, (now, 0))),
            id="gone and back",
        ),
    ],
)
def test_the_heaps_stay_in_proportion_to_the_lanes(step: Any) -> None:
    schedule: Schedule[Lane] = Schedule()
    lanes = lanes_of(schedule, *(gate(f"g{number % 10}") for number in range(20)))
    for now in range(2_000):
        step(schedule, lanes[now % len(lanes)], now)
    assert entries(schedule) <= 300


def test_a_step_costs_the_same_however_many_gates_are_shut() -> None:
    def steps(hosts: int) -> int:
        asked = 0

        class Counting(FakeGate):
            def opens_at(self, now: float) -> float:
                nonlocal asked
                asked += 1
                return super().opens_at(now)

        schedule: Schedule[Lane] = Schedule()
        gates: list[Any] = [Counting(f"g{number}", 1e9 * (number >= 50)) for number in range(hosts)]
        lanes = lanes_of(schedule, *gates)
        for lane in lanes:
            schedule.put(lane, (0, 0))
        for step in range(200):
            if step == 100:
                asked = 0  # by now each shut gate has come up, once
            picked = schedule.pick(1.0)
            assert picked is not None
            schedule.served(picked)
            schedule.put(picked, (0, 0))
        return asked

    assert steps(200) == steps(20_000)
