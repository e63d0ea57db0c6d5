"""A hand in a world: it holds a box, carries it, and lets it fly."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.cli.warmup_world import FINGERS, hand_model
from gelenk.sim import Cuboid, Ground, IdealMotor, Robot, World, WorldConfig
from gelenk.sim.robot import Gripper

SPEED = 0.5  # [m/s], [rad/s] of all joints
STEP = 0.001
CLOSED, OPEN = 0.05, 0.0  # [m]


def make_world() -> World:
    world = World(WorldConfig(step=STEP))
    world.add(Ground())
    world.add(
        Robot(
            name="hand",
            model=hand_model(),
            motors=IdealMotor(max_speed=SPEED),
            grippers=(Gripper(base="palm", fingers=FINGERS),),
            q=np.array([0.03, 0.0, 0.0, 0.0, 0.0, 0.0]),
        )
    )
    size = (0.06, 0.06, 0.06)
    world.add(Cuboid(name="box", size=size, mass=0.2, position=(0.0, 0.0, 0.03)))
    return world


def move(world: World, lift: float, wrist: float, finger: float) -> None:
    world.command("hand", [lift, wrist, 0.5 * wrist, 0.0, finger, finger])


def test_a_box_is_held_carried_and_let_go_with_the_velocity_of_the_hand() -> None:
    with make_world() as world:
        move(world, 0.03, 0.0, CLOSED)
        world.run(0.15)
        assert world.holder("box") == "hand/palm"

        T_palm_box = np.linalg.inv(world.pose("hand/palm")) @ world.pose("box")
        move(world, 0.6, 1.0, CLOSED)
        for _ in range(20):
            world.run(0.04)
            found = np.linalg.inv(world.pose("hand/palm")) @ world.pose("box")
            assert_allclose(found, T_palm_box, atol=1e-9)
        move(world, 2.0, 1.0, OPEN)  # upwards while the fingers open
        while world.holder("box") is not None:
            assert world.time < 3.0
            world.step()

        hand, box = world.twist("hand/palm"), world.twist("box")
        assert_allclose(hand[:3], [0.0, 0.0, SPEED], atol=1e-9)
        assert_allclose(box[:3], hand[:3], atol=2.0 * 9.81 * STEP)
        z, v, start = world.pose("box")[2, 3], box[2], world.time
        # The fingers go aside; from here on the box is on its own.
        world.run(0.05)
        t = world.time - start
        assert world.pose("box")[2, 3] == pytest.approx(
            z + v * t - 0.5 * 9.81 * t**2, abs=9.81 * t * STEP
        )


def test_a_box_between_open_fingers_stays_where_it_is() -> None:
    with make_world() as world:
        move(world, 0.6, 0.0, OPEN)
        world.run(0.5)

        assert world.holder("box") is None
        assert world.pose("box")[2, 3] == pytest.approx(0.03, abs=1e-4)
