"""The warning about set-points that make ideal motors go and stop."""

import warnings

import numpy as np
import pytest

import gelenk
from gelenk.errors import GelenkWarning
from gelenk.sim import IdealMotor, PositionServo, Robot, World
from gelenk.sim.motors import Motor


def sway(motor: Motor, *, period: float = 0.01, rounds: int = 1) -> list[str]:
    """Let two arms sway along a sine of set-points; return the warnings."""
    world, arm = World(), gelenk.load("ur5e")
    for name in ("left", "right"):
        world.add(Robot(name=name, model=arm, motors=motor, colliding_links=()))
    q = arm.home_configuration
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        for k in range(round(rounds / period)):
            world.command("left", q + 0.4 * np.sin(2.0 * np.pi * k * period))
            world.run(period)
    assert all(item.category is GelenkWarning for item in found)
    return [str(item.message) for item in found]


def test_one_warning_names_the_robot_the_joint_and_the_remedy() -> None:
    (text,) = sway(IdealMotor(max_speed=8.0), rounds=3)
    assert "joint 'joint_1' of robot 'left'" in text
    assert "leaps by 8 in one tick" in text
    assert "IdealMotor(..., interpolate=True)" in text


@pytest.mark.parametrize(
    "motor",
    [
        IdealMotor(max_speed=1.9),
        IdealMotor(max_speed=8.0, interpolate=True),
        IdealMotor(max_speed=8.0, max_acceleration=50.0),
        PositionServo(kp=1000.0, kd=50.0),
    ],
)
def test_motors_without_leaps_need_none(motor: Motor) -> None:
    assert sway(motor) == []


def test_set_points_in_every_tick_and_far_targets_now_and_then_need_none() -> None:
    assert sway(IdealMotor(max_speed=8.0), period=0.001) == []
    assert sway(IdealMotor(max_speed=8.0), period=0.125, rounds=3) == []


def test_a_warning_that_is_an_error_reaches_the_caller() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        world, arm = World(), gelenk.load("ur5e")
        world.add(Robot(name="arm", model=arm, motors=IdealMotor(max_speed=8.0)))
        for k in range(10):
            world.command("arm", arm.home_configuration + 0.02 * k)
            world.run(0.01)
        with pytest.raises(GelenkWarning, match="robot 'arm'"):
            world.command("arm", arm.home_configuration + 0.2)
