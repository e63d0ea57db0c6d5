"""Tests of the batting unit's kinematics.

Oracles: a hand-computed table, the chain of matrices, central differences, SciPy's
minimiser, and the robot model's own kinematics and dynamics.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize

import gelenk
from gelenk.errors import ConfigError
from gelenk.robots.piggy import robot as unit
from gelenk.robots.piggy.config import UnitCfg
from gelenk.robots.piggy.kinematics import (
    bat_velocity,
    forward,
    forward_frames,
    forward_point,
    gravity_torques,
    inverse,
    jacobian,
    joint_rates,
    normal,
)

# roll, tilt [deg]; centre [m]; normal; gravity torques [N m] of 0.335 kg
TABLE = np.array(
    [
        [0, 0, -0.3050, -0.2300, 1.7980, 0, 0, 1, 0, 0],
        [0, 30, -0.3050, -0.6500, 1.6855, 0, -0.5, 0.8660, 0, 1.3803],
        [30, 0, 0.1450, -0.2300, 1.6774, 0.5, 0, 0.8660, 1.4789, 0],
        [-45, 20, -0.9056, -0.5173, 1.4986, -0.6645, -0.3420, 0.6645, -1.9737, 0.6676],
        [60, -40, 0.3042, 0.3099, 1.2497, 0.6634, 0.6428, 0.3830, 2.0021, -0.8872],
        [-20, 75, -0.3999, -1.0414, 1.1587, -0.0885, -0.9659, 0.2432, -0.3118, 2.5057],
    ]
)


@pytest.fixture
def poses() -> np.ndarray:
    return np.random.default_rng(3).uniform(-1.55, 1.55, (10_000, 2))


@pytest.mark.capability("BB-02")
def test_poses_have_the_tabulated_centres_normals_and_torques() -> None:
    q = np.deg2rad(TABLE[:, :2])
    assert_allclose(forward(q), TABLE[:, 2:5], atol=5e-5)
    assert_allclose(normal(q), TABLE[:, 5:8], atol=5e-5)
    assert_allclose(gravity_torques(q, weight=3.28635), TABLE[:, 8:], atol=5e-5)


@pytest.mark.capability("BB-01", "BB-02")
def test_the_chain_of_proper_frames_closes_on_the_closed_form(poses) -> None:
    roll, tilt = forward_frames(poses)
    for T in (roll, tilt):
        R = T[..., :3, :3]
        assert_allclose(np.linalg.det(R), 1.0, atol=1e-12)
        assert_allclose(R @ np.swapaxes(R, 1, 2), np.tile(np.eye(3), (len(R), 1, 1)),
                        atol=1e-12)  # fmt: skip
    end = forward_point(poses, (0.0, -unit.BAT_LENGTH, 0.0))
    assert_allclose(end, forward(poses), atol=1e-14)
    lengths = unit.MOUNT_LENGTH + unit.FREE_LENGTH + unit.SPHERE_RADIUS
    assert lengths == pytest.approx(unit.BAT_LENGTH)


@pytest.mark.capability("BB-01", "BB-02")
def test_the_model_of_the_catalogue_has_the_same_poses() -> None:
    model = gelenk.load("piggy")
    for q in np.deg2rad(TABLE[:, :2]):
        assert_allclose(model.forward(q)[:3, 3], forward(q), atol=1e-12)
        _, T = forward_frames(q)
        assert_allclose(model.forward(q, frame="bat"), T, atol=1e-12)


@pytest.mark.capability("BB-03")
def test_the_inverse_undoes_the_forward(poses) -> None:
    inside = poses[np.abs(poses).max(axis=1) < 1.45]
    assert_allclose(inverse(forward(inside)), inside, atol=1e-9)


@pytest.mark.capability("BB-03")
@pytest.mark.parametrize("seed", range(5))
def test_a_point_off_the_surface_gets_the_nearest_pose(seed: int) -> None:
    rng = np.random.default_rng(seed)
    target = np.array([-0.305, -0.23, 0.898]) + rng.uniform((-1, -1, 0.4), (1, 1, 1.5))
    q = inverse(target)

    best = minimize(lambda x: np.sum((forward(x) - target) ** 2), q + 0.2, tol=1e-14).x
    distance = np.linalg.norm(forward(q) - target)
    assert distance <= np.linalg.norm(forward(best) - target) + 1e-9
    assert_allclose(q, best, atol=1e-5)


def test_the_inverse_of_a_known_point() -> None:
    q = inverse((0.2, 0.6, 1.9))
    assert_allclose(np.rad2deg(q), (26.7477, -38.0075), atol=1e-4)
    assert np.linalg.norm(forward(q) - (0.2, 0.6, 1.9)) == pytest.approx(
        0.5079, abs=5e-5
    )


def test_points_below_the_roll_axis_have_no_pose() -> None:
    assert np.isnan(inverse((0.0, 0.0, 0.5))).all()
    assert np.isnan(inverse((-0.305, 0.3, 0.898 + 0.03))).all()


@pytest.mark.capability("BB-05")
def test_rates_and_bat_velocity_are_the_derivative_and_its_inverse(poses) -> None:
    rng = np.random.default_rng(5)
    q = poses[np.abs(poses).max(axis=1) < 1.4][:500]
    qd = rng.uniform(-3.0, 3.0, q.shape)
    h = 1e-6
    numeric = (forward(q + h * qd) - forward(q - h * qd)) / (2.0 * h)
    assert_allclose(bat_velocity(q, qd), numeric, atol=1e-8)
    assert_allclose(joint_rates(q, numeric), qd, atol=1e-7)
    # Along the rod nothing can be had: that part is left out.
    assert_allclose(joint_rates(q, numeric + normal(q)), qd, atol=1e-7)
    across = (jacobian(q) * normal(q)[..., None]).sum(axis=-2)
    assert_allclose(across, 0.0, atol=1e-14)


@pytest.mark.capability("BB-06")
def test_gravity_torques_are_minus_the_slope_of_the_potential(poses) -> None:
    h, weight = 1e-6, 2.77
    for joint in range(2):
        e = h * np.eye(2)[joint]
        slope = weight * (forward(poses + e) - forward(poses - e))[:, 2] / (2.0 * h)
        assert_allclose(gravity_torques(poses, weight=weight)[:, joint], -slope,
                        atol=1e-8)  # fmt: skip


def test_the_distributed_bat_has_the_stated_mass_matrix_and_moment() -> None:
    """Energies by hand: M_rr = I2 cos^2 t + 2 o S cos t + m o^2, M_tt = I2."""
    bare = unit.make_unit(cover=False, servo=False)
    m, com, inertia = unit.bat_inertia(cover=False)
    S, I2 = m * com, float(inertia[0, 0]) + m * com**2
    assert (m, S, I2) == pytest.approx((0.335, 0.237, 0.191), abs=7e-4)
    for tilt, roll_inertia in ((0.0, 0.220), (45.0, 0.116), (80.0, 0.012)):
        M = bare.mass_matrix(np.array([0.3, np.deg2rad(tilt)]))
        assert M[0, 0] == pytest.approx(roll_inertia, abs=2e-3)
        assert M[1, 1] == pytest.approx(I2, abs=1e-12)
        assert M[0, 1] == pytest.approx(0.0, abs=1e-12)
    level = bare.inverse_dynamics(np.array([0.0, np.pi / 2]), np.zeros(2), np.zeros(2))
    assert -level[1] == pytest.approx(2.33, abs=5e-3)


def test_cover_and_servo_weigh_what_is_stated() -> None:
    full, bare = gelenk.load("piggy"), unit.make_unit(cover=False, servo=False)
    level, zero = np.array([np.pi / 2, 0.0]), np.zeros(2)
    gap = full.inverse_dynamics(level, zero, zero) - bare.inverse_dynamics(
        level, zero, zero
    )
    servo, cover = 9.81 * 0.154 * 0.06, 9.81 * 0.05 * (0.4275 + 0.06)
    assert -gap[0] == pytest.approx(servo + cover, abs=1e-9)


def test_a_geometry_that_cannot_be_is_refused() -> None:
    with pytest.raises(ConfigError, match="bat_length"):
        UnitCfg(bat_length=0.05)
    with pytest.raises(ConfigError, match="singular"):
        UnitCfg(valid_angle=1.6)
