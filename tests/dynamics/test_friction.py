import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from gelenk.dynamics.friction import (
    sliding_friction,
    sticking_friction,
    stribeck_friction,
    stribeck_level,
)

CURVE = {"coulomb": 1.0, "static": 1.5, "stribeck_speed": 0.05, "viscous": 0.2}


@pytest.mark.capability("GR-72")
def test_sliding_friction_opposes_motion_and_grows_with_speed():
    speed = np.array([-2.0, 0.0, 0.5])

    friction = sliding_friction(speed, coulomb=1.5, viscous=0.4)

    np.testing.assert_allclose(friction, [-2.3, 0.0, 1.7], rtol=1e-14)


@pytest.mark.capability("GR-73")
def test_a_resting_joint_takes_what_is_applied_up_to_its_static_level():
    friction = sticking_friction(
        [0.0, 0.0, 0.0, 0.1], [1.2, 2.0, -9.0, 2.0], static=1.5, coulomb=1.0
    )

    np.testing.assert_allclose(friction, [1.2, 1.5, -1.5, 1.0], rtol=1e-14)


@pytest.mark.capability("GR-74")
def test_the_stribeck_curve_passes_through_the_published_points():
    friction = stribeck_friction([0.01, 0.05, 0.1, 1.0], **CURVE)

    expected = [1.411365, 1.193940, 1.087668, 1.2]
    np.testing.assert_allclose(friction, expected, atol=5e-7)


@pytest.mark.capability("GR-74")
def test_the_stribeck_curve_is_lowest_where_the_published_example_says():
    found = minimize_scalar(
        lambda v: float(stribeck_friction(v, **CURVE)), bounds=(0.01, 1.0)
    )

    assert abs(found.x - 0.195601) < 1e-4


def test_dry_friction_runs_from_its_static_to_its_coulomb_level():
    at_rest, fast = stribeck_level(np.array([0.0, -50.0]), 1.0, 1.5, 0.05)

    assert at_rest == 1.5
    assert abs(fast - 1.0) < 1e-12
