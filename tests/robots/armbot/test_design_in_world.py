"""Tests of designs in a world: the model stays, what moves is made from it."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.robots.armbot import manipulators
from gelenk.robots.armbot.design import RobotDesign, design_robot
from gelenk.robots.armbot.grippers import TwoFingerGripper
from gelenk.robots.armbot.kinematics import make_direct
from gelenk.robots.armbot.scene import base_pose, make_robot
from gelenk.sim import World, WorldConfig

ARMS = sorted(name for name in dir(manipulators) if name.endswith("Arm"))


def design(name: str) -> RobotDesign:
    return design_robot(getattr(manipulators, name)(), TwoFingerGripper())


def nearby(robot: RobotDesign, share: float) -> np.ndarray:
    """Return motor values a share of the way from home into the ranges."""
    home = robot.robot.home_configuration
    lower, upper = np.clip(robot.robot.limits, -1.0, 1.0)
    return home + share * (np.where(home > 0.5 * (lower + upper), lower, upper) - home)


def arrays_of(robot: RobotDesign) -> dict[str, np.ndarray]:
    model = robot.robot
    values = {field.name: getattr(model, field.name) for field in fields(model)}
    return {
        name: value.copy()
        for name, value in values.items()
        if isinstance(value, np.ndarray)
    }


def mount_error(robot: RobotDesign) -> float:
    """Return how far a robot that moved is off its direct kinematics [m], [1]."""
    direct, q = make_direct(robot), nearby(robot, 0.05)
    T_world_body = base_pose(0.3, -0.2, 0.5)
    with World(WorldConfig(step=0.001)) as world:
        world.add(make_robot("robot0", robot, T_world_body))
        world.command("robot0", q)
        world.run(0.7)
        moved = world.joint_positions("robot0")
        assert_allclose(moved, q, atol=1e-9)
        wanted = T_world_body @ direct.pose(moved[robot.arm_ids])
        return float(np.abs(world.pose("robot0/mount") - wanted).max())


@pytest.mark.capability("AB-161")
@pytest.mark.parametrize("name", ARMS)
def test_direct_kinematics_equals_the_mount_of_the_moving_robot(name: str) -> None:
    assert mount_error(design(name)) < 1e-9


@pytest.mark.capability("AB-128")
@pytest.mark.capability("AB-129")
@pytest.mark.capability("AB-130")
def test_two_robots_share_one_model_that_stays_and_move_by_themselves() -> None:
    robot = design("SimpleArm")
    before = arrays_of(robot)
    q = nearby(robot, 0.2)
    with World(WorldConfig(step=0.001)) as world:
        placed = [
            make_robot(f"robot{i}", robot, base_pose(0.0, 2.0 * i, 0.0))
            for i in range(2)
        ]
        for item in placed:
            world.add(item)
        world.command("robot1", q)
        world.run(1.0)
        # Each static part has its moving twin in each robot.
        for item in placed:
            for link in robot.robot.link_names:
                assert world.pose(f"{item.name}/{link}").shape == (4, 4)
        home = robot.robot.home_configuration
        assert_allclose(world.joint_positions("robot0"), home, atol=0.0)
        assert_allclose(world.joint_positions("robot1"), q, atol=1e-9)
        still = world.pose("robot0/tcp") - base_pose(0.0, 0.0, 0.0) @ (
            robot.robot.forward(home)
        )
        assert np.abs(still).max() < 1e-9
    # Who asks a robot of the world for what is static is sent to the one model.
    assert placed[0].model is placed[1].model is robot.robot
    after = arrays_of(robot)
    assert before.keys() == after.keys()
    for name, value in before.items():
        assert (value == after[name]).all(), name
        assert not getattr(robot.robot, name).flags.writeable
