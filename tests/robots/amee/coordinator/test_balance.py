"""Where the weight lies: against the engine's own centre of mass and known cases."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from gelenk.robots.amee.config import LegGeometry
from gelenk.robots.amee.coordinator.balance import (
    LEVEL,
    bearing_point,
    centre_of_mass,
    estimated_margin,
    seen_from_above,
)
from gelenk.robots.amee.robot import standing_angles
from gelenk.robots.amee.world import WorldCfg, make_world

GEOMETRY = LegGeometry()


@pytest.mark.parametrize(("height", "x"), [(0.63, 0.0), (0.55, 0.10), (0.60, -0.08)])
def test_the_estimated_centre_of_mass_is_that_of_the_engine(
    height: float, x: float
) -> None:
    angles = tuple(np.tile(standing_angles(height, x), 4).tolist())
    with make_world(WorldCfg(angles=angles, stance=height)) as world:
        world.step_to(0.004)
        moment = world.truth.look()
        centre = moment.com - moment.T_world_torso[:3, 3]
    estimate = centre_of_mass([(x, -height, 0.0)] * 4, GEOMETRY)
    assert np.abs(np.array(estimate) - centre).max() < 0.006


@pytest.mark.capability("QW-105")
def test_lifting_a_leg_leaves_the_distance_to_the_diagonal_of_point_feet() -> None:
    # Feet of 700 mm x 400 mm, weight 27 mm behind the middle, leg 1 lifted: the edge
    # is the diagonal from leg 2 to leg 4, widened by the pads of both feet.
    feet = [(0.0, -0.60, 0.0)] * 4
    x = centre_of_mass(feet, GEOMETRY)[0]
    diagonal = math.hypot(0.70, 0.40)
    to_diagonal = abs(x) * 0.40 / diagonal
    widening = 0.9 * (0.080 * 0.40 + 0.060 * 0.70) / diagonal
    margin = estimated_margin(feet, [0.0] * 4, [1, 2, 3], LEVEL, GEOMETRY)
    assert margin == pytest.approx(to_diagonal + widening, abs=1e-6)


def test_the_margin_shrinks_by_height_times_slope_on_a_slope() -> None:
    feet = [(0.0, -0.60, 0.0)] * 4
    tilt = math.radians(10.0)
    up = (math.sin(tilt), 0.0, math.cos(tilt))
    x, _, z = centre_of_mass(feet, GEOMETRY)
    behind = 0.35 + 0.9 * 0.080 + x - (z + 0.60) * math.tan(tilt)
    level = estimated_margin(feet, [0.0] * 4, [0, 1, 2, 3], LEVEL, GEOMETRY)
    leaning = estimated_margin(feet, [0.0] * 4, [0, 1, 2, 3], up, GEOMETRY)
    assert level == pytest.approx(0.2 + 0.9 * 0.060)
    assert leaning == pytest.approx(min(level, behind * math.cos(tilt)), abs=1e-9)


def test_a_level_map_keeps_distances_of_points_at_one_height() -> None:
    up = np.array([0.2, -0.1, 0.95])
    up /= np.linalg.norm(up)
    rng = np.random.default_rng(0)
    points = rng.normal(size=(5, 3))
    points -= np.outer(points @ up, up)
    seen = seen_from_above([tuple(p) for p in points.tolist()], tuple(up.tolist()))
    for i in range(5):
        for k in range(5):
            expected = np.linalg.norm(points[i] - points[k])
            assert np.linalg.norm(seen[i] - seen[k]) == pytest.approx(expected)


def test_a_foot_bears_in_the_middle_of_its_pressed_toes() -> None:
    # bits: front left, front right, rear left, rear right; pads of 160 mm x 120 mm
    assert bearing_point(0b1111) == (0.0, 0.0)
    assert bearing_point(0b0001) == (0.080, 0.060)
    assert bearing_point(0b1010) == (0.0, -0.060)
    assert bearing_point(0b1001) == (0.0, 0.0)
    assert bearing_point(0b0000) == (0.0, 0.0)


@pytest.mark.capability("QW-105")
def test_a_front_foot_on_its_outer_toes_brings_the_diagonal_nearer_to_the_weight() -> (
    None
):
    feet, even = [(0.0, -0.60, 0.0)] * 4, [0b1111] * 4
    outer = [0b1111, 0b0101, 0b1111, 0b1111]  # left toes of the left front foot

    def margin(toes: list[int], trust: float = 1.0) -> float:
        return estimated_margin(
            feet, [0.0] * 4, [1, 2, 3], LEVEL, GEOMETRY, 0.0, toes, trust
        )

    weight = np.array([centre_of_mass(feet, GEOMETRY)[0], 0.0])
    rear = [
        (-0.35 + a, b + c)
        for a in (-0.08, 0.08)
        for b in (-0.2, 0.2)
        for c in (-0.06, 0.06)
    ]
    hull = ConvexHull([*rear, (0.27, 0.26), (0.43, 0.26)])
    inside = -(hull.equations[:, :2] @ weight + hull.equations[:, 2])
    assert margin(outer) == pytest.approx(inside.min(), abs=1e-9)
    assert margin(outer) < margin(even)
    # on points, the nearer the less these toes are trusted
    assert margin(even, 0.01) < margin(even, 0.5) < margin(even)
    assert margin(outer, 0.0) == pytest.approx(
        abs(weight[0]) * 0.40 / math.hypot(0.70, 0.40), abs=1e-9
    )
