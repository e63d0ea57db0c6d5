"""Tests of the grippers that come along: where their touching parts are.

Oracle: distances between spheres, capsules and the faces of a cuboid, from the shapes of
the built model.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.errors import ConfigError
from gelenk.robots.armbot.design import RobotDesign, design_robot
from gelenk.robots.armbot.grippers import (
    FingerGripper,
    SuctionGripper,
    ThreeFingerGripper,
    TwoFingerGripper,
)
from gelenk.robots.armbot.kinematics import make_direct, make_inverse, solve_tcp
from gelenk.robots.armbot.manipulators import GantryArm, SimpleArm
from gelenk.robots.armbot.model import GripperModel
from gelenk.robots.armbot.scene import make_robot
from gelenk.sim import Ball, Cuboid, Ground, World, WorldConfig
from gelenk.spatial import se3
from gelenk.typing import FloatArray

DOWN = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
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
        T_base_link = se3.inverse(T_base) @ model.forward(q, frame=link)
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


# -- in the world --------------------------------------------------------------------


def lifted(gripper: GripperModel, thing: Ball | Cuboid, half: float) -> FloatArray:
    """Grip a thing that lies in front of a gantry, lift it by 20 cm; return its way."""
    robot = design_robot(GantryArm(), gripper)
    direct = make_direct(robot)
    inverse = make_inverse(robot, direct)
    is_suction = gripper.grasp == "suction"
    height = 2.0 * half - 0.001 if is_suction else half
    with World(WorldConfig(step=0.001)) as world:
        world.add(Ground())
        world.add(thing)
        world.add(make_robot("robot0", robot, np.eye(4)))
        q = robot.robot.home_configuration

        def bring(z: float) -> None:
            T = np.eye(4)
            T[:3, :3], T[:3, 3] = DOWN, (0.35, 0.0, z)
            found = solve_tcp(robot, direct, inverse, T, q)
            assert found.ok
            q[:] = found.q
            world.command("robot0", q)
            world.run(2.0)

        bring(height)
        if is_suction:
            world.command_gripper("robot0", active=True)
        else:
            assert isinstance(gripper, FingerGripper)
            is_ball = isinstance(thing, Ball)
            width = gripper.width_for_ball(half) if is_ball else 2.0 * half
            values = gripper.values_for_width(width - 0.002)
            q[robot.gripper_ids] = [values[joint] for joint in robot.gripper_joints]
            world.command("robot0", q)
        world.run(1.0)
        before = world.pose("thing")[:3, 3].copy()
        bring(height + 0.2)
        return world.pose("thing")[:3, 3] - before


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*FINGERS, SuctionGripper])
@pytest.mark.parametrize("half", [0.02, 0.04])
def test_every_gripper_lifts_cuboids(kind: type[GripperModel], half: float) -> None:
    size = (2.0 * half, 2.0 * half, 2.0 * half)
    place = (0.35, 0.0, half)
    way = lifted(
        kind(), Cuboid(name="thing", size=size, mass=5.0, position=place), half
    )
    assert_allclose(way, (0.0, 0.0, 0.2), atol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*FINGERS, SuctionGripper])
@pytest.mark.parametrize("radius", [0.02, 0.05])
def test_every_gripper_lifts_balls(kind: type[GripperModel], radius: float) -> None:
    place = (0.35, 0.0, radius)
    ball = Ball(name="thing", radius=radius, mass=0.01, position=place)
    assert_allclose(lifted(kind(), ball, radius), (0.0, 0.0, 0.2), atol=1e-4)
