from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gelenk.errors import ConfigError
from gelenk.runtime.clock import MAX_LAG, Clock, Pacer, nanoseconds


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_a_duration_of_whole_ticks_takes_exactly_these_ticks(now, ticks):
    """Written as a product of floats, as users write it."""
    clock = Clock(step=0.001, period=0.01, tick=now)

    assert clock.tick_after(ticks * 0.001) == now + max(ticks, 1)


@given(st.floats(0.0, 1e4), st.sampled_from([0.0005, 0.001, 0.002, 0.004]))
def test_nothing_is_early_and_nothing_is_a_tick_late(seconds, step):
    clock = Clock(step=step, period=step)
    due = clock.tick_after(seconds)
    ns = nanoseconds(seconds)

    assert due * clock.step_ns >= ns
    assert due == 1 or (due - 1) * clock.step_ns < ns


def test_time_does_not_drift():
    clock = Clock(step=0.001, period=0.01, tick=10**12 + 1)

    assert clock.time_ns == (10**12 + 1) * 10**6
    assert clock.time == 1_000_000_000.001


@pytest.mark.parametrize("step", [0.0, -0.001, 1e-10, 1.0 / 3.0])
def test_a_step_that_is_no_whole_number_of_nanoseconds_is_refused(step):
    with pytest.raises(ConfigError, match="nanoseconds"):
        Clock(step=step, period=1.0)


def test_durations_must_be_finite():
    with pytest.raises(ConfigError, match="finite"):
        nanoseconds(math.inf)


class Wall:
    """A wall clock whose sleeper oversleeps by a fixed time."""

    def __init__(self, late: float = 0.0) -> None:
        self.now, self.late, self.slept = 50.0, late, []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds + self.late

    def pacer(self, pace: float | None) -> Pacer:
        return Pacer(pace, clock=lambda: self.now, sleep=self.sleep)


@pytest.mark.capability("AB-112")
@pytest.mark.parametrize("pace", [0.1, 1.0, 4.0])
def test_simulated_time_keeps_its_pace_against_wall_time(pace):
    wall = Wall(late=0.003)
    pacer = wall.pacer(pace)
    for k in range(1, 501):
        pacer.wait(k * 0.01)

    assert wall.now - 50.0 == pytest.approx(4.99 / pace, abs=0.004)


def test_without_a_pace_nothing_waits():
    wall = Wall()
    pacer = wall.pacer(None)

    assert [pacer.wait(t) for t in (0.0, 10.0, 20.0)] == [0.0] * 3
    assert wall.slept == []


def test_lost_time_is_given_up_but_a_hiccup_is_made_good():
    wall = Wall()
    pacer = wall.pacer(1.0)
    pacer.wait(0.0)

    wall.now += 0.05
    assert pacer.wait(0.01) == pytest.approx(0.04)
    pacer.wait(0.1)
    assert wall.now == pytest.approx(50.1)  # made good

    wall.now += 10.0
    assert pacer.wait(0.11) > MAX_LAG
    before = wall.now
    pacer.wait(0.12)
    assert wall.now == pytest.approx(before + 0.01)  # no race after ten seconds


def test_a_new_pace_counts_from_now():
    wall = Wall()
    pacer = wall.pacer(1.0)
    for k in range(11):
        pacer.wait(k * 0.1)
    pacer.pace = 10.0
    pacer.wait(1.0)
    start = wall.now
    pacer.wait(2.0)

    assert wall.now - start == pytest.approx(0.1)
    with pytest.raises(ConfigError, match="above 0"):
        pacer.pace = 0.0
