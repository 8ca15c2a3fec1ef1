"""The one clock: what it says when the system's is set."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from scrapy_polite import clock

EPOCH = 1_800_000_000.0


class System:
    """The system's clocks; `set_by` is what the one of the day has been set by."""

    def __init__(self) -> None:
        self.passed = 100.0
        self.set_by = 0.0

    def time(self) -> float:
        return EPOCH + self.passed + self.set_by

    def monotonic(self) -> float:
        return self.passed


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> System:
    system = System()
    monkeypatch.setattr(clock, "time", SimpleNamespace(time=system.time, monotonic=system.monotonic))
    monkeypatch.setattr(clock, "_epoch", -1.0)
    return system


@pytest.mark.parametrize("set_by", [-3_600.0, -0.5, 0.0, 3_600.0])
def test_it_goes_on_where_the_systems_is_set_back_and_follows_it_forward(system: System, set_by: float) -> None:
    began = clock.now()
    system.set_by = set_by
    assert clock.now() == began + max(set_by, 0)
    system.passed += 60
    assert clock.now() == began + max(set_by, 0) + 60


@pytest.mark.parametrize(("set_by", "differs_s"), [(-3_600.0, 3_600.0), (-0.5, 0.0), (3_600.0, 0.0)])
def test_what_others_go_by_is_the_systems(system: System, set_by: float, differs_s: float) -> None:
    clock.now()
    system.set_by = set_by
    assert clock.wall(clock.now()) == clock.now() - differs_s
    assert clock.of_wall(clock.wall(5.0)) == 5.0
    assert clock.system() == system.time()


def test_a_clock_was_ahead_where_no_slow_store_explains_it() -> None:
    assert clock.ahead_s(EPOCH + 3_600, now=EPOCH) == 3_600
    assert clock.ahead_s(EPOCH + 5, now=EPOCH) == 0
    assert clock.ahead_s(EPOCH - 3_600, now=EPOCH) == 0
