"""Tests of a torque servo's own position loop. Oracles: its law at rest and in motion."""

from __future__ import annotations

import numpy as np
import pytest

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.models.catalog.registry import make
from gelenk.sim import Robot, TorqueServo, World, WorldConfig
from gelenk.sim.motors import Backlash
from gelenk.sim.observe import gear_wear

GAIN, SPEED_GAIN, STALL, TOP = 20.0, 10.0, 8.0, 7.5
SERVO = TorqueServo(
    stall_torque=STALL,
    no_load_speed=TOP,
    nominal_voltage=12.0,
    rotor_inertia=0.007,
    position_gain=GAIN,
    speed_gain=SPEED_GAIN,
)


def world_with(motor: TorqueServo, *, gravity: float = 0.0) -> World:
    world = World(WorldConfig(gravity=(0.0, 0.0, -gravity)))
    model = make("piggy")
    world.add(Robot(name="arm", model=model, motors=motor, q=np.zeros(2)))
    return world


def test_it_runs_to_its_target_at_the_share_of_its_speed() -> None:
    world = world_with(SERVO)
    world.command("arm", [0.0, 1.0], [0.2, 0.2])
    world.run(0.3)
    assert world.joint_velocities("arm")[1] == pytest.approx(0.2 * TOP, rel=0.05)
    world.run(2.0)
    assert world.joint_positions("arm")[1] == pytest.approx(1.0, abs=1e-3)


def test_under_load_it_gives_way_by_the_load_over_its_gains() -> None:
    world = world_with(SERVO, gravity=9.81)
    world.command("arm", [0.0, 0.8], [1.0, 1.0])
    world.run(3.0)
    q = world.joint_positions("arm")[1]
    load = 0.258771 * 9.81 * np.sin(q)
    stiffness = STALL / TOP * (1.0 + SPEED_GAIN) * GAIN
    assert q - 0.8 == pytest.approx(load / stiffness, rel=0.02)


def test_with_the_second_channel_at_zero_it_takes_voltage() -> None:
    world = world_with(SERVO)
    world.command("arm", [0.0, 0.25], [0.0, 0.0])
    world.run(0.05)
    assert 0.0 < world.joint_velocities("arm")[1] < 0.25 * TOP


def test_negative_gains_are_refused() -> None:
    with pytest.raises(ConfigError, match="`speed_gain` of TorqueServo"):
        TorqueServo(
            stall_torque=1.0, no_load_speed=1.0, nominal_voltage=1.0, speed_gain=-1.0
        )


def test_gears_with_play_wear_when_their_teeth_meet_and_others_do_not() -> None:
    worn = []
    for backlash in (Backlash(half_gap=0.05, stiffness=220.0, damping=4.7), None):
        motor = TorqueServo(
            stall_torque=STALL,
            no_load_speed=TOP,
            nominal_voltage=12.0,
            rotor_inertia=0.007,
            backlash=backlash,
        )
        world = world_with(motor)
        for sign in (1.0, -1.0, 1.0):
            world.command("arm", [0.0, 0.5 * sign])
            world.run(0.1)
        worn.append(gear_wear(world, "arm"))
    assert worn[0][1] > 1e-3
    assert worn[0][0] < 1e-6
    assert (worn[1] == 0.0).all()
    with pytest.raises(NameNotFoundError, match="leg"):
        gear_wear(world_with(SERVO), "leg")
