import math

import numpy as np
import pytest

import gelenk
from gelenk.errors import ConfigError, ShapeError
from gelenk.robots.amee.config import HIPS, LegCfg, LegGeometry
from gelenk.robots.amee.kinematics import (
    foot_pitch,
    forward,
    inverse,
    point_of,
    simplify_angle,
    tucked_height,
)

GEOMETRY = LegGeometry()
REACH = GEOMETRY.thigh + GEOMETRY.shank


def chain(angles: np.ndarray, g: LegGeometry) -> np.ndarray:
    """The sole by products of rotations, in body axes (x, z up) of one leg."""

    def turn(axis: int, angle: float) -> np.ndarray:
        c, s = math.cos(angle), math.sin(angle)
        if axis == 2:
            return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])

    R = turn(2, angles[0])
    p = R @ np.array([0.0, 0.0, -g.hip_drop])
    R = R @ turn(1, -angles[1])
    p = p + R @ np.array([g.thigh, 0, 0])
    R = R @ turn(1, -angles[2])
    p = p + R @ np.array([g.shank, 0, 0])
    R = R @ turn(1, -(math.pi - angles[3]))
    p = p + R @ np.array([g.toe_ahead, 0, -g.sole_drop])
    return np.array([p[0], p[2], p[1]])


@pytest.mark.capability("QW-27", "QW-30")
def test_the_foot_reaches_every_point_of_all_quadrants_exactly():
    rng = np.random.default_rng(1)
    points = rng.uniform(-0.7, 0.7, (20_000, 3))
    result = inverse(points, GEOMETRY)
    reached = result.is_reachable
    assert reached.sum() > 4000
    for sx in (-1, 1):
        for sz in (-1, 1):
            octant = (np.sign(points[:, 0]) == sx) & (np.sign(points[:, 2]) == sz)
            assert (octant & reached).sum() > 800
    worst = max(
        np.abs(chain(a, GEOMETRY) - p).max()
        for a, p in zip(result.angles[reached][::4], points[reached][::4], strict=True)
    )
    assert worst < 1e-10
    assert np.abs(result.angles[:, 0]).max() <= math.pi / 2


@pytest.mark.capability("QW-32")
@pytest.mark.parametrize("mode", ["rigid", "thesis"])
def test_offsets_between_axes_are_undone_by_the_way_back(mode):
    geometry = LegGeometry(hip_drop=0.02, offset_mode=mode)
    rng = np.random.default_rng(2)
    points = rng.uniform(-0.7, 0.7, (5000, 3))
    result = inverse(points, geometry)
    error = np.abs(forward(result.angles, geometry) - points).max(axis=1)
    ok = result.is_reachable
    band = (points[:, 1] < 0) & (points[:, 1] > -0.02 - geometry.sole_drop)
    if mode == "rigid":
        assert error[ok].max() < 1e-12
    else:
        # The printed rule branches on different heights there and back.
        assert error[ok & ~band].max() < 1e-12
        assert abs(error[ok & band].max() - 2 * 0.02) < 1e-12


@pytest.mark.capability("QW-28", "QW-31")
def test_the_knee_bends_one_way_and_the_sole_stays_level():
    rng = np.random.default_rng(3)
    result = inverse(rng.uniform(-0.7, 0.7, (2000, 3)), GEOMETRY)
    ok = result.is_reachable
    assert result.angles[:, 2].min() >= 0
    assert result.angles[:, 2].max() <= math.pi
    np.testing.assert_allclose(foot_pitch(result.angles[ok]), 0, atol=1e-12)


def test_a_tilted_foot_is_put_where_it_is_wanted():
    rng = np.random.default_rng(4)
    points = rng.uniform(-0.5, 0.5, (500, 3))
    pitch = rng.uniform(-0.6, 0.6, 500)
    result = inverse(points, GEOMETRY, pitch)
    for i in np.flatnonzero(result.is_reachable)[:150]:
        np.testing.assert_allclose(
            chain(result.angles[i], GEOMETRY), points[i], atol=1e-12
        )
        assert abs(foot_pitch(result.angles[i]) - pitch[i]) < 1e-12


@pytest.mark.capability("QW-29")
def test_a_leg_points_at_what_it_cannot_reach():
    directions = np.random.default_rng(5).normal(size=(200, 3))
    for direction in directions:
        # From the ankle's side: the sole offsets are constant for a level foot.
        plane = direction / np.linalg.norm(direction)
        radius = math.copysign(math.hypot(plane[0], plane[2]), plane[0])
        far = 2.0 * plane
        result = inverse(far, GEOMETRY)
        assert not result.is_reachable
        assert result.angles[2] == 0.0
        scale = 2.0
        wanted = math.atan2(
            scale * plane[1] + GEOMETRY.sole_drop, scale * radius - GEOMETRY.toe_ahead
        )
        assert abs(math.remainder(result.angles[1] - wanted, 2 * math.pi)) < 1e-12
    inside = inverse([GEOMETRY.toe_ahead, -GEOMETRY.sole_drop, 0.0], GEOMETRY)
    assert not inside.is_reachable
    assert abs(inside.angles[2] - math.pi) < 1e-12


@pytest.mark.capability("QW-04")
def test_lengths_reproduce_the_printed_workspace():
    rng = np.random.default_rng(6)
    q = np.column_stack(
        [
            rng.uniform(-math.pi / 2, math.pi / 2, 200_000),
            rng.uniform(-math.pi, math.pi, 200_000),
            rng.uniform(0, 0.3, 200_000),
        ]
    )
    level = np.column_stack([q, math.pi + q[:, 1] + q[:, 2]])
    heights = forward(level, GEOMETRY)[:, 1]
    assert -0.665 <= heights.min() < -0.6645
    assert 0.4395 < heights.max() <= 0.440


@pytest.mark.capability("QW-33")
def test_forward_kinematics_equals_the_robot_model_and_the_single_pose():
    model = gelenk.load("amee")
    names = list(model.joint_names)
    rng = np.random.default_rng(7)
    for leg in range(4):
        ids = [names.index(f"{letter}{leg + 1}") for letter in "ABCD"]
        for _ in range(10):
            angles = rng.uniform((-1.5, -3, 0, 0.5), (1.5, 1.5, 2.9, 4.5))
            q = np.array(model.home_configuration)
            q[ids] = angles
            x, y, z = model.forward(q, frame=f"sole_{leg + 1}")[:3, 3] - HIPS[leg]
            point = forward(angles, GEOMETRY)
            np.testing.assert_allclose(point, [x, z, y], atol=1e-12)
            np.testing.assert_allclose(
                point_of(tuple(angles), GEOMETRY)[:3], point, atol=1e-13
            )


def test_a_batch_equals_its_elements_and_keeps_its_shape():
    points = np.random.default_rng(8).uniform(-0.5, 0.5, (3, 4, 3))
    many = inverse(points, GEOMETRY)
    assert many.angles.shape == (3, 4, 4)
    assert many.is_reachable.shape == (3, 4)
    one = inverse(points[1, 2], GEOMETRY)
    np.testing.assert_array_equal(one.angles, many.angles[1, 2])
    with pytest.raises(ShapeError, match="points"):
        inverse(np.zeros(4), GEOMETRY)
    with pytest.raises(ConfigError, match="longer than 0"):
        LegGeometry(thigh=0.0)


@pytest.mark.capability("QW-34")
def test_angle_and_counts_are_inverse_within_one_count():
    for line, (low, high) in zip(LegCfg().sensors, LegCfg().limits, strict=True):
        for angle in np.linspace(low, high, 300):
            back = line.angle_from_counts(line.counts_from_angle(angle))
            assert abs(back - angle) * line.slope <= 0.5 + 1e-9
        assert 51 <= line.counts_from_angle(low) < line.counts_from_angle(high) <= 973


@pytest.mark.capability("QW-35")
def test_angles_are_wrapped_to_one_turn():
    for angle in np.linspace(-30, 30, 401):
        wrapped = simplify_angle(float(angle))
        assert -math.pi <= wrapped <= math.pi
        assert abs(math.sin(wrapped) - math.sin(angle)) < 1e-9
        assert abs(math.cos(wrapped) - math.cos(angle)) < 1e-9


@pytest.mark.capability("QW-37")
def test_a_leg_is_tucked_up_until_its_thigh_meets_the_torso():
    point = np.array([-0.125, -0.630, 0.0])
    height = tucked_height(
        point[1], float(inverse(point, GEOMETRY).angles[1]), GEOMETRY
    )
    assert abs(height + 0.408) < 1e-3
    hip = float(inverse([point[0], height, 0.0], GEOMETRY).angles[1])
    knee_below = -GEOMETRY.thigh * math.sin(hip)
    assert abs(knee_below - 0.047) < 1e-3
    assert knee_below >= GEOMETRY.thigh_thickness
