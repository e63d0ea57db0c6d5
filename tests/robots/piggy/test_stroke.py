"""Tests of strokes on the rod: the ball is followed to the target by other code."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.dynamics.flight import simulate_flight
from gelenk.robots.piggy.aim import wanted_velocity
from gelenk.robots.piggy.config import RADIUS_SUM
from gelenk.robots.piggy.crossing import Crossing, find_crossing
from gelenk.robots.piggy.kinematics import forward
from gelenk.robots.piggy.planner.path import BallPath
from gelenk.robots.piggy.stroke import Stroke, first_guess, fit_stroke
from testkit.bat_rebounds import rebound

TARGET = np.array([-0.305, 2.77, 1.3])
THROWS = (
    ([-0.3, 5.0, 1.8], [0.0, -6.5, 4.0]),
    ([0.4, 5.2, 1.6], [-0.9, -7.2, 3.2]),
    ([-1.0, 4.8, 1.7], [0.7, -5.6, 4.6]),
)


def flight(p: list[float], v: list[float]) -> tuple[BallPath, Crossing]:
    time = np.arange(0.0, 1.3, 0.02)
    x = simulate_flight([*p, *v], time)
    path = BallPath(time=time, position=x[:, :3], velocity=x[:, 3:6])
    found = find_crossing(path, after=0.0)
    assert found is not None
    return path, found


def stroke_of(path: BallPath, found: Crossing, target: np.ndarray) -> Stroke:
    tries = [
        fit_stroke(path, target, T, first_guess(found, target, T), np.zeros(2))
        for T in (0.5, 0.8)
    ]
    return min((s for s in tries if s is not None), key=lambda s: s.error)


@pytest.mark.capability("BB-83")
@pytest.mark.parametrize("throw", THROWS)
def test_the_ball_off_the_bat_arrives_at_the_target(throw) -> None:
    path, found = flight(*throw)
    stroke = stroke_of(path, found, TARGET)
    assert stroke.error < 0.05
    end = rebound(stroke.q, stroke.qd, stroke.n_c, stroke.v_in)
    ball, _ = path.at(stroke.time)
    state = [*(ball + end.way), *end.v_out, *end.spin_out]
    arrived = simulate_flight(state, [stroke.flight_time])[0, :3]
    assert np.linalg.norm(arrived - TARGET) < 0.05


@pytest.mark.parametrize("throw", THROWS)
def test_bat_and_ball_touch_where_and_when_it_says(throw) -> None:
    path, found = flight(*throw)
    stroke = stroke_of(path, found, TARGET)
    ball, velocity = path.at(stroke.time)
    assert_allclose(ball - forward(stroke.q), RADIUS_SUM * stroke.n_c, atol=1e-6)
    assert_allclose(velocity, stroke.v_in)


@pytest.mark.parametrize("span", [(0.35, 0.95), (0.95, 1.15)])
def test_a_steep_ball_is_passed_high_wherever_the_search_begins(span) -> None:
    """From a throw out of 3 m: all starts end in one stroke, which is exact."""
    thrower = [0.6, 2.75, 1.6]
    speed = wanted_velocity(thrower, [-0.3, -0.23, 1.72], 0.88)
    path, found = flight(thrower, list(speed))
    raised = np.array([-1.3, 3.1, 1.85])
    strokes = [
        fit_stroke(path, raised, T, first_guess(found, raised, T), np.array(qd),
                   span=span)
        for T, qd in ((0.5, (0.0, 0.0)), (0.8, (0.0, 0.0)), (1.0, (0.5, 0.5)))
    ]  # fmt: skip
    for stroke in strokes:
        assert stroke is not None
        assert stroke.error < 0.03
        assert span[0] <= stroke.flight_time <= span[1]
        assert strokes[0] is not None
        assert_allclose(stroke.qd, strokes[0].qd, atol=0.1)


def test_a_hasty_start_becomes_calmer_without_losing_the_target() -> None:
    """Time and contact alone can do nearly all of it: the joints slow down."""
    path, found = flight(*THROWS[1])
    guess = first_guess(found, TARGET, 0.7)
    stroke = fit_stroke(path, TARGET, 0.7, guess, np.array([1.0, -1.0]))
    assert stroke is not None
    assert stroke.error < 0.05
    assert np.abs(stroke.qd).max() < 0.2


def test_a_renewed_stroke_stays_near_the_old_one() -> None:
    """The prediction moves by a centimetre, and so does the bat."""
    path, found = flight(*THROWS[0])
    old = stroke_of(path, found, TARGET)
    moved = BallPath(
        time=path.time,
        position=path.position + np.array([0.01, 0.0, 0.0]),
        velocity=path.velocity,
    )
    new = fit_stroke(moved, TARGET, old.flight_time, old.n_c, old.qd)
    assert new is not None
    assert new.error < 0.05
    assert np.linalg.norm(forward(new.q) - forward(old.q)) < 0.02


def test_a_ball_that_never_comes_has_no_stroke() -> None:
    time = np.arange(0.0, 0.5, 0.02)
    x = simulate_flight([4.0, 5.0, 1.8, 0.0, -6.0, 3.0], time)
    path = BallPath(time=time, position=x[:, :3], velocity=x[:, 3:6])
    start = np.array([0.0, 0.8, 0.6])
    assert fit_stroke(path, TARGET, 0.7, start, np.zeros(2)) is None
