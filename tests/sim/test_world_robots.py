"""Robots as they come: shapes that reach into the table, inertias that nobody has."""

from __future__ import annotations

import numpy as np
import pytest

import gelenk
from gelenk.errors import ConfigError
from gelenk.sim import Ground, IdealMotor, PositionServo, Robot, World


def test_an_arm_whose_base_reaches_into_the_ground_can_turn() -> None:
    servo = PositionServo(kp=600.0, kd=50.0, torque_limit=87.0, rotor_inertia=0.1)
    with World() as world:
        world.add(Ground())
        world.add(Robot(name="arm", model=gelenk.load("panda"), motors=servo))
        target = world.joint_positions("arm")
        target[0] += 0.5
        world.command("arm", target)
        world.run(2.0)

        assert world.joint_positions("arm")[0] == pytest.approx(target[0], abs=1e-3)
        assert world.contacts() == ()


def test_moments_that_no_body_has_are_refused_with_a_remedy() -> None:
    with World() as world:
        world.add(gelenk.load("puma560"))
        with pytest.raises(ConfigError, match="mend_inertias=True"):
            world.step()


def test_mended_moments_obey_the_triangle_rule() -> None:
    robot = Robot(
        name="arm",
        model=gelenk.load("puma560"),
        mend_inertias=True,
        motors=IdealMotor(max_speed=1.0),
    )
    with World() as world:
        world.add(robot)
        world.step()
        inertia = np.sort(world._compiled().model.body_inertia, axis=1)

    assert np.all(inertia[:, 0] + inertia[:, 1] >= inertia[:, 2] * (1.0 - 1e-9))


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ([1.0, 2.0], "must be 6 finite numbers"),
        (np.full(6, np.inf), "must be 6 finite numbers"),
    ],
)
def test_commands_that_no_motor_understands_are_refused(command, message) -> None:
    with World() as world:
        motors = IdealMotor(max_speed=1.0)
        world.add(Robot(name="arm", model=gelenk.load("ur5e"), motors=motors))
        with pytest.raises(ConfigError, match=message):
            world.command("arm", command)


def test_a_command_of_nan_leaves_its_motor_as_it_is() -> None:
    with World() as world:
        motors = IdealMotor(max_speed=10.0)
        world.add(Robot(name="arm", model=gelenk.load("ur5e"), motors=motors))
        start = world.joint_positions("arm")
        world.command("arm", start + 0.1)
        command = np.full(6, np.nan)
        command[2] = start[2] - 0.2
        world.command("arm", command)
        world.run(0.1)

        expected = start + 0.1
        expected[2] = start[2] - 0.2
        assert world.joint_positions("arm") == pytest.approx(expected, abs=1e-12)
