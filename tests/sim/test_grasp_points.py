"""Three fingers: balls lie on their points, other things are enclosed by them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.models.parts import Assembly
from gelenk.sim import Ball, Ground, IdealMotor, Robot, World
from gelenk.sim.objects import MovableCylinder, Surface
from gelenk.sim.robot import Gripper
from gelenk.spatial import se3

TIP = 0.004  # [m], radius of a finger tip


def chuck(angles: tuple[float, ...], radius: float, *, below: float = 0.0) -> Robot:
    """A base that rises and turns, with tips around it that move along its radii."""
    body = Assembly()
    rise = body.linear_motor("rise", turn=(0.0, np.pi / 2, 0.0), limits=(-1.0, 1.0))
    base = rise.servo("roll", axis="yz").t_connector("base")
    for k, angle in enumerate(angles):
        # the base's x axis points up: fingers stand in its y-z plane
        guide = base.t_connector(f"guide_{k}", turn=(0.0, 0.0, angle))
        guide.linear_motor(
            f"finger_{k}",
            at=(-below, 0.0, 0.0),
            turn=(np.pi / 2, 0.0, 0.0),
            limits=(0.0, 0.2),
            home=radius,
        ).touch_point(f"tip_{k}", radius=TIP)
    T = np.eye(4)
    T[2, 3] = 0.1
    tips = tuple(f"tip_{k}" for k in range(len(angles)))
    return Robot(
        name="chuck",
        model=body.build("chuck"),
        T_world_base=T,
        motors=IdealMotor(max_speed=0.2),
        colliding_links=tips,
        grippers=(Gripper(base="base", fingers=tips),),
        surface=Surface(group="touch", friction=1.0, priority=2, condim=3),
    )


def world_with(robot: Robot, *things: Any) -> World:
    world = World()
    for thing in (Ground(), robot, *things):
        world.add(thing)
    return world


def move(
    world: World, *, rise: float = 0.0, roll: float = 0.0, fingers: list[float]
) -> None:
    world.command("chuck", [rise, roll, *fingers])


THIRDS = (0.0, 2.0 * np.pi / 3.0, -2.0 * np.pi / 3.0)
CAN = MovableCylinder(name="can", radius=0.03, length=0.2, mass=0.5, position=(0, 0, 0.1))  # fmt: skip


@pytest.mark.parametrize(
    ("angles", "is_held"), [(THIRDS, True), ((0.0, 0.9, -0.9), False)]
)
def test_a_thing_pressed_from_three_sides_is_held(
    angles: tuple[float, ...], is_held: bool
):
    world = world_with(chuck(angles, 0.06), CAN)
    move(world, fingers=[0.0335] * 3)
    world.run(0.3)

    assert (world.holder("can") == "chuck/base") == is_held
    if is_held:
        before = se3.inverse(world.pose("chuck/base")) @ world.pose("can")
        move(world, rise=0.1, roll=0.2, fingers=[0.0335] * 3)
        world.run(1.0)
        after = se3.inverse(world.pose("chuck/base")) @ world.pose("can")
        assert_allclose(after, before, atol=1e-9)
        assert world.pose("can")[2, 3] == pytest.approx(0.2, abs=2e-3)


def test_a_ball_that_spins_lies_on_three_points_and_turns_with_them():
    ball = Ball(name="ball", radius=0.05, mass=0.1, position=(0, 0, 0.125))
    world = world_with(chuck(THIRDS, 0.04, below=0.01), ball)
    world.run(0.3)
    assert world.holder("ball") == "chuck/base"
    turned = world.pose("ball")[:3, :3]
    move(world, rise=0.1, roll=0.2, fingers=[0.035] * 3)

    world.run(1.2)

    # on the axis, as high over the tips as Pythagoras says
    tips = world.positions([f"chuck/tip_{k}" for k in range(3)])
    height = np.sqrt((0.05 + TIP) ** 2 - 0.035**2)
    expected = tips.mean(axis=0)
    expected[2] += height
    assert_allclose(world.positions(["ball"])[0], expected, atol=1e-9)
    c, s = np.cos(0.2), np.sin(0.2)
    roll = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    assert_allclose(world.pose("ball")[:3, :3], roll @ turned, atol=1e-6)


def test_points_under_a_ball_let_go_when_they_are_too_far_apart():
    ball = Ball(name="ball", radius=0.05, mass=0.1, position=(0, 0, 0.125), spins=False)
    world = world_with(chuck(THIRDS, 0.04, below=0.01), ball)
    world.run(0.3)
    move(world, fingers=[0.06] * 3)

    heights, radii = [], []
    while world.holder("ball") is not None:
        assert world.time < 1.0
        world.step()
        heights.append(world.positions(["ball"])[0, 2])
        radii.append(world.joint_positions("chuck")[2])

    assert max(np.diff(heights)) <= 0.0
    assert heights[-1] < heights[0] - 0.01  # it sank between them
    # near the end, with the centre almost between the points, it is held as it is
    assert 0.9 * (0.05 + TIP) < radii[-1] < 0.05 + TIP + 5e-4
    world.run(0.5)
    assert world.pose("ball")[2, 3] < 0.06


def test_two_points_hold_no_ball():
    ball = Ball(name="ball", radius=0.05, mass=0.1, position=(0, 0, 0.14), spins=False)
    world = world_with(chuck((0.0, 2.0), 0.03), ball)

    world.run(0.1)

    assert world.holder("ball") is None
