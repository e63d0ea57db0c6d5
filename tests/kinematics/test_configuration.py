"""Configurations on the manifold against SciPy's rotations and finite differences."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from gelenk.kinematics.configuration import (
    configuration_rate,
    difference,
    integrate,
    normalized,
)
from gelenk.models.tree import RobotModel
from testkit.random_models import random_configuration, random_tree

RNG = np.random.default_rng(0)
FLOATING = random_tree(RNG, num_joints=4, floating=True)
FIXED = random_tree(RNG, num_joints=4)


def test_the_base_turns_about_world_axes() -> None:
    rng = np.random.default_rng(1)
    q, qd = random_configuration(rng, FLOATING), rng.normal(size=10)

    moved = integrate(FLOATING, q, qd, 0.7)

    start = Rotation.from_quat(q[3:7], scalar_first=True)
    turned = Rotation.from_rotvec(0.7 * qd[3:6]) * start
    found = Rotation.from_quat(moved[3:7], scalar_first=True)
    assert (found * turned.inv()).magnitude() < 1e-12
    assert_allclose(moved[:3], q[:3] + 0.7 * qd[:3])
    assert_allclose(moved[7:], q[7:] + 0.7 * qd[6:])
    assert moved[3] >= 0.0


@pytest.mark.parametrize("model", [FLOATING, FIXED])
def test_difference_undoes_integration(model: RobotModel) -> None:
    rng = np.random.default_rng(2)
    q, qd = random_configuration(rng, model, 3, 2), rng.normal(size=(3, 2, model.nv))

    moved = integrate(model, q, qd, [[0.1], [0.5], [0.9]])

    step = np.array([0.1, 0.5, 0.9])[:, None, None] * qd
    assert_allclose(difference(model, moved, q), step, atol=1e-12)
    assert_allclose(difference(model, q, q), 0.0, atol=1e-15)


@pytest.mark.parametrize("model", [FLOATING, FIXED])
def test_rate_is_the_derivative_of_integration(model: RobotModel) -> None:
    rng = np.random.default_rng(3)
    q, qd = random_configuration(rng, model), rng.normal(size=model.nv)
    if model.has_floating_base:
        q[3:7] = [0.5, 0.5, -0.5, 0.5]
    step = 1e-6

    ahead, behind = (integrate(model, q, qd, s * step) for s in (1.0, -1.0))

    rate = configuration_rate(model, q, qd)
    assert_allclose(rate, (ahead - behind) / (2 * step), atol=1e-9)


def test_normalising_keeps_the_pose() -> None:
    q = np.concatenate([[1.0, 2.0, 3.0], [-2.0, 0.0, 0.0, 2.0], np.zeros(4)])

    assert_allclose(normalized(FLOATING, q)[3:7], [0.5**0.5, 0, 0, -(0.5**0.5)])
    assert_allclose(
        FLOATING.forward(normalized(FLOATING, q), "base"), FLOATING.forward(q, "base"),
        atol=1e-14,
    )  # fmt: skip
    np.testing.assert_array_equal(normalized(FIXED, q[7:]), q[7:])
