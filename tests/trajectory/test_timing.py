"""Tests of joint paths and their timing: by hand, by optimality, by fine samples."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gelenk
from gelenk.errors import ConfigError, ShapeError
from gelenk.trajectory import (
    JointLimits,
    JointPath,
    TimingStatus,
    round_corners,
    spline_path,
    time_path,
    time_smoothly,
)

LIMITS = JointLimits(
    velocity=[2.0, 2.0, 2.5], acceleration=[15.0, 7.5, 20.0], jerk=[600.0, 300.0, 900.0]
)
SEEDS = st.integers(0, 10_000)


def draw_path(seed: int, kind: str) -> JointPath:
    rng = np.random.default_rng(seed)
    points = np.cumsum(rng.normal(0.0, 0.5, (rng.integers(2, 8), 3)), axis=0)
    if kind == "spline":
        return spline_path(points)
    return round_corners(points, tolerance=0.0 if kind == "corners" else 0.05)


def rates_by_differences(motion, count=4001):
    """Speeds and accelerations between samples, without the derivatives' own code."""
    t = np.linspace(0.0, motion.duration, count)
    q = motion.sample(t).q
    v = np.diff(q, axis=0) / np.diff(t)[:, None]
    a = np.diff(v, axis=0) / np.diff(t)[1:, None]
    return np.abs(v), np.abs(a)


# -- paths


def test_a_rounded_corner_keeps_its_distance_from_the_waypoint() -> None:
    path = round_corners([[0, 0], [1, 0], [1, 1], [3, 1]], tolerance=[0.02, 0.05])
    q = path.sample(np.linspace(0.0, path.length, 20_001))
    for waypoint, tolerance in (([1, 0], 0.02), ([1, 1], 0.05)):
        gap = np.linalg.norm(q - waypoint, axis=1).min()
        assert gap == pytest.approx(tolerance, rel=1e-4)


@given(SEEDS)
def test_paths_have_no_jump_in_value_direction_or_curvature(seed: int) -> None:
    for kind in ("spline", "rounded"):
        path = draw_path(seed, kind)
        for order in range(3):
            before = path.sample(path.breaks[1:-1] - 1e-9, order)
            after = path.sample(path.breaks[1:-1] + 1e-9, order)
            scale = 1.0 + np.abs(path.sample(path.breaks, order)).max(initial=0.0)
            scale *= 1.0 + np.abs(path.sample(path.breaks, order + 1)).max(initial=0.0)
            assert np.abs(after - before).max(initial=0.0) < 1e-6 * scale


def test_derivatives_of_a_path_are_those_of_finite_differences() -> None:
    path = draw_path(3, "rounded")
    s = np.linspace(0.05, path.length - 0.05, 37)
    h = 1e-5
    for order in range(2):
        by_steps = path.sample(s + h, order) - path.sample(s - h, order)
        assert np.allclose(path.sample(s, order + 1), by_steps / (2 * h), atol=1e-4)


def test_a_spline_passes_through_its_waypoints() -> None:
    points = np.array([[0.0, 1.0], [0.5, -1.0], [2.0, 0.0], [2.0, 0.5]])
    path = spline_path(points)
    assert np.allclose(path.sample(path.breaks), points, atol=1e-12)


def test_two_paths_are_joined_where_they_meet_and_refused_where_not() -> None:
    one = round_corners([[0, 0], [1, 0]])
    both = one.then(spline_path([[1, 0], [2, 1], [2, 2]]))
    assert both.sample(both.length).tolist() == [2.0, 2.0]
    with pytest.raises(ConfigError, match=r"begins 1 rad .* plan from the end"):
        one.then(round_corners([[2, 0], [3, 0]]))
    with pytest.raises(ShapeError):
        one.then(round_corners([[1.0], [2.0]]))


def test_paths_without_a_way_are_refused() -> None:
    with pytest.raises(ConfigError, match="all at one place"):
        round_corners([[1.0, 2.0], [1.0, 2.0]])
    with pytest.raises(ShapeError):
        round_corners([1.0, 2.0])
    with pytest.raises(ConfigError, match="finite"):
        spline_path([[0.0], [np.nan]])


# -- time-optimal


def test_a_line_takes_the_time_of_a_trapezoid() -> None:
    path = round_corners([[0.0, 0.0], [2.0, 1.0]])
    motion = path.timed(JointLimits(velocity=1.0, acceleration=4.0))
    assert motion.duration == pytest.approx(2.0 / 1.0 + 1.0 / 4.0, rel=1e-5)


def test_a_corner_without_tolerance_is_a_stop() -> None:
    path = round_corners([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]])
    motion = path.timed(JointLimits(velocity=1.0, acceleration=4.0))
    assert motion.duration == pytest.approx(2 * (1.0 + 0.25), rel=1e-5)
    assert np.abs(motion.sample(0.5 * motion.duration).qd).max() < 1e-6


@given(SEEDS, st.sampled_from(["spline", "rounded", "corners"]))
def test_no_limit_is_exceeded_and_one_is_reached(seed: int, kind: str) -> None:
    motion = draw_path(seed, kind).timed(LIMITS.without_jerk())
    speed, acceleration, _ = motion.worst_ratios(LIMITS, 101)
    assert max(speed, acceleration) <= 1.0 + 1e-9
    assert max(speed, acceleration) >= 0.999
    v, a = rates_by_differences(motion)
    assert (v <= np.asarray(LIMITS.velocity) * (1.0 + 1e-6)).all()
    assert (a <= np.asarray(LIMITS.acceleration) * (1.0 + 1e-6)).all()


def test_almost_everywhere_some_limit_is_active() -> None:
    """What bang-bang control demands of an optimum."""
    motion = draw_path(5, "spline").timed(LIMITS.without_jerk())
    t = np.linspace(0.0, motion.duration, 5001)
    at = motion.sample(t)
    share = np.maximum(
        (np.abs(at.qd) / LIMITS.velocity).max(axis=1),
        (np.abs(at.qdd) / LIMITS.acceleration).max(axis=1),
    )
    assert share.min() > 0.9
    assert np.mean(share > 0.98) > 0.95


def test_efforts_stay_within_their_limits_and_reach_them() -> None:
    arm = gelenk.load("panda")
    rng = np.random.default_rng(2)
    q = arm.home_configuration + np.cumsum(rng.normal(0, 0.3, (4, arm.nq)), axis=0)
    effort = np.array([87.0, 87, 87, 87, 12, 12, 12]) * 0.6
    limits = JointLimits(velocity=20.0, effort=effort)
    found = time_path(spline_path(q), limits, model=arm)
    assert found.status is TimingStatus.SOLVED
    motion = found.trajectory
    at = motion.sample(np.linspace(0.0, motion.duration, 4001)[1:-1])
    ratio = np.abs(arm.inverse_dynamics(at.q, at.qd, at.qdd)) / effort
    assert 0.99 < ratio.max() < 1.0 + 1e-5


def test_efforts_that_cannot_hold_the_arm_are_named() -> None:
    arm = gelenk.load("panda")
    path = round_corners([arm.home_configuration, arm.home_configuration + 0.3])
    limits = JointLimits(velocity=1.0, effort=1.0)
    assert time_path(path, limits, model=arm).status is TimingStatus.TOO_WEAK
    with pytest.raises(ConfigError, match="cannot hold the robot"):
        path.timed(limits, model=arm)


def test_a_model_brings_its_limits_and_names() -> None:
    arm = gelenk.load("panda")
    path = round_corners([arm.home_configuration, arm.home_configuration + 0.3])
    motion = path.timed(model=arm)
    assert motion.joint_names == arm.joint_names
    assert motion.worst_ratio(JointLimits.of(arm)) <= 1.0 + 1e-9


def test_limits_that_leave_the_acceleration_free_are_refused() -> None:
    path = round_corners([[0.0], [1.0]])
    with pytest.raises(ConfigError, match="leave the acceleration free"):
        path.timed(JointLimits(velocity=1.0))
    with pytest.raises(ConfigError, match="give `limits`"):
        path.timed()
    with pytest.raises(ConfigError, match="must be a number > 0"):
        JointLimits(velocity=-1.0)


# -- jerk-limited


@given(SEEDS, st.sampled_from(["spline", "rounded", "corners"]))
def test_smooth_motions_exceed_no_limit(seed: int, kind: str) -> None:
    path = draw_path(seed, kind)
    motion = path.timed(LIMITS)
    assert motion.worst_ratio(LIMITS, 101) <= 1.0 + 1e-9
    assert motion.duration >= path.timed(LIMITS.without_jerk()).duration
    at = motion.sample([0.0, motion.duration])
    assert np.allclose(at.q, path.sample([0.0, path.length]), atol=1e-9)
    t = np.linspace(0.0, motion.duration, 4001)
    a = motion.sample(t).qdd
    jerk = np.abs(np.diff(a, axis=0) / np.diff(t)[:, None])
    assert (jerk <= np.asarray(LIMITS.jerk) * (1.0 + 1e-6)).all()


def test_a_smooth_line_takes_the_time_of_the_double_s() -> None:
    path = round_corners([[0.0, 0.0], [1.0, 0.5]])
    limits = JointLimits(velocity=1.0, acceleration=2.0, jerk=10.0)
    expected = 1.0 / 1.0 + 1.0 / 2.0 + 2.0 / 10.0  # s / v + v / a + a / j
    duration = time_smoothly(path, limits).trajectory.duration
    assert duration == pytest.approx(expected, rel=1e-6)


# -- trajectories


def test_derivatives_of_a_motion_are_those_of_finite_differences() -> None:
    motion = draw_path(1, "spline").timed(LIMITS)
    t = np.linspace(0.1, 0.9, 50) * motion.duration
    h = 1e-6
    before, after, at = (motion.sample(t + d) for d in (-h, h, 0.0))
    assert np.allclose((after.q - before.q) / (2 * h), at.qd, atol=1e-5)
    assert np.allclose((after.qd - before.qd) / (2 * h), at.qdd, atol=1e-3)


def test_slowed_and_joined_motions_are_what_they_say() -> None:
    path = draw_path(4, "spline")
    motion = path.timed(LIMITS)
    slow = motion.slowed(2.0)
    assert slow.duration == pytest.approx(2 * motion.duration)
    assert np.allclose(slow.sample(1.0).qd, 0.5 * motion.sample(0.5).qd)
    back = round_corners([path.sample(path.length), path.sample(0.0)]).timed(LIMITS)
    both = motion.then(back)
    assert both.duration == pytest.approx(motion.duration + back.duration)
    t = motion.duration + 0.3 * back.duration
    assert np.allclose(both.sample(t).q, back.sample(0.3 * back.duration).q)


def test_a_motion_stands_still_before_and_after() -> None:
    motion = draw_path(4, "spline").timed(LIMITS)
    at = motion.sample([-1.0, motion.duration + 1.0])
    assert not at.qd.any()
    assert np.allclose(at.q, motion.sample([0.0, motion.duration]).q)


def test_a_table_holds_the_motion(tmp_path) -> None:
    motion = draw_path(4, "spline").timed(LIMITS)
    motion.save_csv(tmp_path / "motion.csv", step=0.05)
    with (tmp_path / "motion.csv").open() as file:
        rows = list(csv.reader(file))
    assert rows[0][:2] == ["time", "joint_1"]
    last = np.array(rows[-1], dtype=float)
    assert last[0] == pytest.approx(motion.duration)
    assert np.allclose(last[1:4], motion.sample(motion.duration).q)
