from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gelenk.robots.armbot.interface.moves import (
    constant_line,
    fast_line,
    fastest,
    joint_path,
    ticks_needed,
    wrist_values,
)

PERIOD = 0.01
FULL = np.full(3, np.pi)


def polar(share: float, before: np.ndarray) -> np.ndarray:
    """A turning arm that slides: a straight line past its axis, angle and radius."""
    x, y = 1.0 - 2.0 * share, 0.3
    angle = np.arctan2(y, x)
    return np.array([angle, np.hypot(x, y)])


START = polar(0.0, np.zeros(2))
TOP = np.array([1.0, 0.5])


def test_on_a_joint_path_all_motors_arrive_together_and_none_is_too_fast():
    start, end = np.array([0.0, 1.0, -2.0]), np.array([1.0, 1.0, 0.5])
    top = np.array([0.7, 1.0, 2.0])
    path = joint_path(start, end, top, PERIOD)
    whole = np.vstack([start, path])
    steps = np.diff(whole, axis=0)
    assert np.array_equal(path[-1], end)
    assert np.allclose(steps, steps[0], atol=1e-14)
    assert len(path) == int(np.ceil(1.0 / 0.7 / PERIOD))
    assert fastest(whole, top, PERIOD) <= 1.0


def test_a_path_to_where_the_motors_are_takes_one_period():
    q = np.array([0.3, -0.2])
    assert np.array_equal(joint_path(q, q, TOP, PERIOD), [q])
    assert ticks_needed(q, q, TOP, PERIOD) == 0


def test_a_fast_line_stays_on_its_line_and_uses_the_slowest_motor_fully():
    path = fast_line(polar, START, 2.0, TOP, PERIOD)
    angle, radius = path.T
    assert radius * np.sin(angle) == pytest.approx(np.full(len(path), 0.3), abs=1e-12)
    assert radius[-1] * np.cos(angle[-1]) == pytest.approx(-1.0, abs=1e-12)
    shares = np.abs(np.diff(np.vstack([START, path]), axis=0)) / (TOP * PERIOD)
    assert shares.max() <= 1.0 + 1e-6
    # Everywhere one of the motors is what limits the speed.
    assert np.median(shares.max(axis=1)) > 0.9


def test_a_constant_line_covers_equal_lengths_in_equal_times():
    path = constant_line(polar, START, 4.0, PERIOD)
    x = path[:, 1] * np.cos(path[:, 0])
    steps = np.diff(np.concatenate([[1.0], x]))
    assert len(path) == 400
    assert np.allclose(steps, -2.0 / 400, atol=1e-12)


def test_the_last_step_of_a_constant_line_may_be_shorter_but_none_is_longer():
    path = constant_line(polar, START, 0.995, PERIOD)
    x = np.concatenate([[1.0], path[:, 1] * np.cos(path[:, 0])])
    steps = -np.diff(x)
    assert np.allclose(steps[:-1], 2.0 / 0.995 * PERIOD, atol=1e-12)
    assert 0.0 < steps[-1] < steps[0]
    assert x[-1] == pytest.approx(-1.0, abs=1e-12)


def plane_rotation(values: np.ndarray) -> np.ndarray:
    """R = Ra Rb Rc of the paper, from scipy: x-z turns about minus y."""
    xy, xz, yz = values
    return Rotation.from_euler("ZYX", [xy, -xz, yz]).as_matrix()


@pytest.mark.capability("AB-190")
def test_wrist_servos_reach_every_orientation_within_their_ranges():
    rng = np.random.default_rng(4)
    for R in Rotation.random(1000, rng=rng).as_matrix():
        before = rng.uniform(-np.pi, np.pi, 3)
        values = wrist_values(R, before, -FULL, FULL)
        assert values is not None
        assert np.all(np.abs(values) <= np.pi)
        assert plane_rotation(values) == pytest.approx(R, abs=1e-9)


@pytest.mark.parametrize("xz", [np.pi / 2, -np.pi / 2])
def test_where_only_a_sum_of_angles_counts_the_first_servo_stays(xz: float):
    R = plane_rotation(np.array([0.4, xz, 0.3]))
    values = wrist_values(R, np.array([1.1, 0.0, 0.0]), -FULL, FULL)
    assert values is not None
    assert values[0] == pytest.approx(1.1)
    assert plane_rotation(values) == pytest.approx(R, abs=1e-9)


def test_wrist_servos_follow_a_smooth_turn_without_swinging_round():
    before = np.zeros(3)
    for angle in np.linspace(0.0, 0.9 * np.pi, 200):
        R = plane_rotation(np.array([0.2, angle, 0.1]))
        values = wrist_values(R, before, -FULL, FULL)
        assert values is not None
        assert np.abs(values - before).max() < 0.25
        before = values


def test_what_is_beyond_the_ranges_is_refused():
    low, high = np.full(3, -0.5), np.full(3, 0.5)
    R = plane_rotation(np.array([0.0, 1.2, 0.0]))
    assert wrist_values(R, np.zeros(3), low, high) is None
