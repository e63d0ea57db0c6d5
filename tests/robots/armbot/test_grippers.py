"""Tests of the grippers that come along: where their touching parts are.

Oracle: distances between spheres, capsules and the faces of a cuboid, from the shapes of
the built model.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.core.errors import ConfigError
from gelenk.core.spatial.se3 import inverse
from gelenk.robots.armbot.design import RobotDesign, design_robot
from gelenk.robots.armbot.grippers import (
    FingerGripper,
    SuctionGripper,
    ThreeFingerGripper,
    TwoFingerGripper,
)
from gelenk.robots.armbot.manipulators import SimpleArm

FINGERS = [TwoFingerGripper, ThreeFingerGripper]
Lines = dict[str, tuple[np.ndarray, np.ndarray, float]]


def touching(robot: RobotDesign, values: dict[str, float]) -> Lines:
    """Return the ends and the radius of each touching part in the gripper's base."""
    model, q = robot.robot, robot.robot.home_configuration
    for joint, value in values.items():
        q[model.joint_id(joint)] = value
    T_base = model.forward(q, frame=robot.gripper_base)
    lines: Lines = {}
    for link in robot.fingers:
        shapes = model.geometry[model.link_id(link)]
        (shape,) = (one for one in shapes if one.role == "collision")
        T_base_link = inverse(T_base) @ model.forward(q, frame=link)
        T = T_base_link @ np.asarray(shape.T_link_geometry)
        half = 0.5 * shape.size[1] if shape.kind == "capsule" else 0.0
        lines[link] = (
            T[:3, 3] - half * T[:3, 2],
            T[:3, 3] + half * T[:3, 2],
            shape.size[0],
        )
    return lines


def distance_to(point: np.ndarray, line: tuple[np.ndarray, np.ndarray, float]) -> float:
    a, b, radius = line
    along = b - a
    share = 0.0
    if along.any():
        share = float(np.clip((point - a) @ along / (along @ along), 0.0, 1.0))
    return float(np.linalg.norm(point - a - share * along)) - radius


def depths(lines: Lines, centre: np.ndarray, half: float) -> dict[str, np.ndarray]:
    """Return how far each part reaches behind the faces -y, +y, -z, +z of a cube.

    Parts that do not stand before a face count as minus infinity there.
    """
    found: dict[str, np.ndarray] = {}
    for name, (a, b, radius) in lines.items():
        points = np.linspace(a, b, 50) - centre
        inside = points[(np.abs(points[:, 0]) <= half)]
        row = np.full(4, -np.inf)
        for k, (axis, sign) in enumerate(((1, -1), (1, 1), (2, -1), (2, 1))):
            other = 3 - axis
            before = inside[
                (np.abs(inside[:, other]) <= half) & (sign * inside[:, axis] > 0.0)
            ]
            if len(before):
                row[k] = half + radius - (sign * before[:, axis]).min()
        found[name] = row
    return found


@pytest.mark.parametrize("kind", FINGERS)
def test_fingers_open_beyond_ten_centimetres_and_close_to_nothing(
    kind: type[FingerGripper],
) -> None:
    gripper = kind()
    robot = design_robot(SimpleArm(), gripper)
    assert gripper.max_width >= 0.10
    assert gripper.values_for_width(gripper.max_width) == pytest.approx(
        dict(gripper.open_values)
    )
    assert gripper.values_for_width(0.0) == pytest.approx(dict(gripper.closed_values))
    lines = touching(robot, dict(gripper.closed_values))
    tips = {name: line for name, line in lines.items() if name.startswith("tip")}
    left = [a[1] - r for name, (a, _, r) in tips.items() if "left" in name]
    right = [a[1] + r for name, (a, _, r) in tips.items() if "right" in name]
    assert_allclose([*left, *right], 0.0, atol=1e-12)
    # It starts open.
    home = robot.robot.home_configuration[robot.gripper_ids]
    assert_allclose(home, list(gripper.open_values.values()))


@pytest.mark.parametrize("kind", FINGERS)
@pytest.mark.parametrize("size", [0.04, 0.06, 0.08])
def test_fingers_press_on_two_opposite_faces_of_a_cuboid_and_on_no_other(
    kind: type[FingerGripper], size: float
) -> None:
    gripper = kind()
    robot = design_robot(SimpleArm(), gripper)
    squeeze = 0.002
    lines = touching(robot, dict(gripper.values_for_width(size - squeeze)))
    found = depths(lines, np.array(gripper.tcp), 0.5 * size)
    pressed = np.stack(list(found.values())).max(axis=0)
    assert_allclose(pressed[:2], 0.5 * squeeze, atol=1e-9)
    assert (pressed[2:] < 0.0).all()


@pytest.mark.parametrize("kind", FINGERS)
@pytest.mark.parametrize("radius", [0.02, 0.03, 0.05])
def test_a_ball_in_the_grip_point_is_touched_by_all_tips_and_nothing_else(
    kind: type[FingerGripper], radius: float
) -> None:
    gripper = kind()
    robot = design_robot(SimpleArm(), gripper)
    width = gripper.width_for_ball(radius)
    assert 0.0 < width < gripper.max_width
    lines = touching(robot, dict(gripper.values_for_width(width)))
    centre = np.array(gripper.tcp)
    tips = [distance_to(centre, line) for name, line in lines.items() if "tip" in name]
    others = [
        distance_to(centre, line) for name, line in lines.items() if "tip" not in name
    ]
    assert len(tips) >= 3
    assert_allclose(tips, radius, atol=1e-9)
    assert min(others, default=1.0) > radius + 0.002
    # They stand beyond the centre, so that the ball cannot slip out forwards.
    assert all(a[0] > centre[0] for name, (a, _, _) in lines.items() if "tip" in name)


@pytest.mark.parametrize("kind", FINGERS)
@pytest.mark.parametrize("width", [-0.01, 0.2, float("nan")])
def test_a_width_that_the_fingers_do_not_have_is_refused(
    kind: type[FingerGripper], width: float
) -> None:
    with pytest.raises(ConfigError, match="opens from 0 to"):
        kind().values_for_width(width)


def test_the_grip_point_of_a_suction_cup_is_where_its_points_touch() -> None:
    gripper = SuctionGripper()
    robot = design_robot(SimpleArm(), gripper)
    assert gripper.grasp == "suction"
    assert robot.gripper_joints == ()
    lines = touching(robot, {})
    front = [a[0] + radius for a, _, radius in lines.values()]
    assert_allclose(front, gripper.tcp[0], atol=1e-12)
    ball = np.array(gripper.tcp) + np.array([0.02, 0.0, 0.0])
    nearest = min(distance_to(ball, line) for line in lines.values())
    assert nearest == pytest.approx(0.02)
