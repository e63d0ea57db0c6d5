"""Feet that stay where they stand tell the torso's way."""

from __future__ import annotations

import numpy as np
import pytest

from gelenk.robots.amee.coordinator.desk import Way

FEET = np.array([[0.35, -0.2], [0.35, 0.2], [-0.35, 0.2], [-0.35, -0.2]])


def seen(feet, torso, heading):
    """Feet of the world as a torso sees them, (n, 2) as complex numbers would do."""
    points = (feet[:, 0] + 1j * feet[:, 1] - complex(*torso)) * np.exp(-1j * heading)
    return {leg: (point.real, point.imag) for leg, point in enumerate(points)}


def test_feet_that_stay_tell_way_and_side_whatever_the_torso_turns() -> None:
    way, rng = Way(), np.random.default_rng(3)
    feet, torso, heading = FEET.copy(), np.zeros(2), 0.0
    way.feel(seen(feet, torso, heading), heading)
    for step in range(40):
        leg = step % 4
        way.lift(leg)
        torso = torso + rng.normal(0.02, 0.02, 2)  # rocks while the foot is in the air
        heading += rng.normal(0.0, 0.05)
        feet[leg] += rng.normal(0.1, 0.05, 2)
        way.feel(seen(feet, torso, heading), heading)
    assert (way.x, way.y) == pytest.approx(tuple(torso), abs=1e-12)


def test_a_foot_in_the_air_tells_nothing() -> None:
    way = Way()
    way.feel(seen(FEET, (0.0, 0.0), 0.0), 0.0)
    way.lift(2)
    moved = FEET.copy()
    moved[2] += 0.2
    way.feel(seen(moved, (0.05, 0.0), 0.0), 0.0)
    assert (way.x, way.y) == pytest.approx((0.05, 0.0), abs=1e-12)
