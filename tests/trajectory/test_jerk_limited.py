"""Tests of jerk-limited motions: limits by fine samples, times by hand."""

from __future__ import annotations

import numpy as np
import pytest

from gelenk.errors import ConfigError
from gelenk.trajectory import JerkLimitedPlanner, JointLimits, SetpointFollower

LIMITS = JointLimits(velocity=[1.0, 2.0], acceleration=[5.0, 4.0], jerk=[50.0, 30.0])


def test_motions_from_rest_reach_the_goal_within_the_limits() -> None:
    rng = np.random.default_rng(0)
    planner = JerkLimitedPlanner(LIMITS, 2)
    for start, goal in rng.normal(size=(50, 2, 2)):
        found = planner.plan(start, goal)
        motion = found.trajectory()
        assert motion.worst_ratio(LIMITS) <= 1.0 + 1e-9
        assert np.allclose(motion.sample(motion.duration).q, goal, atol=1e-8)
        assert np.allclose(motion.sample(0.0).q, start, atol=1e-12)
        assert motion.duration == pytest.approx(found.duration)


def test_a_motion_begins_with_the_given_speed_and_acceleration() -> None:
    found = JerkLimitedPlanner(LIMITS, 2).plan(
        [0, 0], [1, -1], start_velocity=[0.4, 0.5], start_acceleration=[1.0, -2.0]
    )
    at = found.trajectory().sample(0.0)
    assert at.qd.tolist() == [0.4, 0.5]
    assert at.qdd.tolist() == [1.0, -2.0]


def test_straight_motions_keep_to_the_line() -> None:
    planner = JerkLimitedPlanner(LIMITS, 2, synchronization="straight")
    motion = planner.plan([0.0, 0.0], [1.0, 3.0]).trajectory()
    q = motion.sample(np.linspace(0, motion.duration, 200)).q
    assert np.abs(q[:, 1] - 3.0 * q[:, 0]).max() < 1e-9


def test_followed_setpoints_that_jump_exceed_no_limit() -> None:
    rng = np.random.default_rng(1)
    step = 0.004
    follower = SetpointFollower(LIMITS, [0.0, 0.0], step=step)
    rows = []
    for i in range(2000):
        if i % 150 == 0:
            target = rng.normal(size=2)
        rows.append(follower.update(target))
    q, qd, qdd = (np.array([getattr(row, key) for row in rows]) for key in ("q", "qd", "qdd"))  # fmt: skip
    assert (np.abs(qd) <= np.asarray(LIMITS.velocity) + 1e-9).all()
    assert (np.abs(qdd) <= np.asarray(LIMITS.acceleration) + 1e-9).all()
    jerk = np.abs(np.diff(qdd, axis=0)) / step
    assert (jerk <= np.asarray(LIMITS.jerk) * (1 + 1e-6)).all()
    assert np.abs(np.diff(q, axis=0) / step - 0.5 * (qd[1:] + qd[:-1])).max() < 1e-3


def test_states_beyond_reason_are_refused() -> None:
    planner = JerkLimitedPlanner(LIMITS, 2)
    with pytest.raises(ConfigError):
        planner.plan([0.0, np.nan], [1.0, 1.0])
    with pytest.raises(ConfigError):
        planner.plan([0.0, 0.0], [1.0, 1.0], goal_velocity=[5.0, 0.0])
    with pytest.raises(ConfigError, match="limit the jerk"):
        JerkLimitedPlanner(JointLimits(velocity=1.0, acceleration=1.0), 2)
    with pytest.raises(ConfigError):
        SetpointFollower(LIMITS, [0.0, 0.0], step=0.01).update([np.inf, 0.0])
