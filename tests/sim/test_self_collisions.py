"""Collisions of robots are noticed once, and what is their work is none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gelenk.models.loader import load
from gelenk.sim import Box, Cuboid, Ground, IdealMotor, Robot, World
from gelenk.sim.appearance import describe_world
from gelenk.sim.self_collisions import CALM, SelfCollision, SelfCollisions

AWAY = np.array([0.0, -1.57, 0.0, 0.0, 0.0, 0.0])  # straight up
DOWN = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0])  # stretched out


def _world(*things: Any) -> World:
    world = World()
    world.add(Ground(name="ground"))
    world.add(
        Robot(name="arm", model=load("ur5e"), motors=IdealMotor(max_speed=1.5), q=AWAY)
    )
    for thing in things:
        world.add(thing)
    return world


def _go(
    world: World, touches: SelfCollisions, target: np.ndarray, seconds: float
) -> list:
    found: list[SelfCollision] = []
    for _ in range(round(seconds / 0.01)):
        world.command("arm", target)
        world.run(0.01)
        found += touches.new()
    return found


def _wall() -> Box:
    return Box(name="wall", size=(0.3, 0.3, 0.3), position=(-0.7, 0.0, 0.3))


def test_an_arm_that_strikes_a_wall_collides_once_per_link() -> None:
    with _world(_wall()) as world:
        touches = SelfCollisions(world, describe_world(world))
        assert _go(world, touches, AWAY, 0.2) == []

        found = _go(world, touches, DOWN, 1.5)

        assert found
        assert {touch.other for touch in found} == {"wall"}
        assert all(touch.link.startswith("arm/") for touch in found)
        links = [touch.link for touch in found]
        assert len(links) == len(set(links))
        assert 0.2 < found[0].time < 1.7


def test_who_strikes_again_after_a_calm_while_collides_again() -> None:
    with _world(_wall()) as world:
        touches = SelfCollisions(world, describe_world(world))
        first = _go(world, touches, DOWN, 1.5)
        _go(world, touches, AWAY, 1.5)
        assert _go(world, touches, AWAY, 0.6) == []

        second = _go(world, touches, DOWN, 1.5)

    assert {touch.link for touch in second} == {touch.link for touch in first}
    assert second[0].time - first[0].time > CALM


def test_a_robot_in_the_way_of_another_collides_with_it() -> None:
    T = np.eye(4)
    T[0, 3] = -0.6
    other = Robot(
        name="other",
        model=load("ur5e"),
        motors=IdealMotor(max_speed=1.0),
        T_world_base=T,
        q=AWAY,
    )
    with _world(other) as world:
        found = _go(world, SelfCollisions(world, describe_world(world)), DOWN, 1.5)

    assert any(
        {touch.link.split("/")[0], touch.other.split("/")[0]} == {"arm", "other"}
        for touch in found
    )


def test_a_link_collides_with_what_lies_about_but_does_not_touch_by_standing() -> None:
    box = Cuboid(name="box", size=(0.1, 0.1, 0.1), mass=0.3, position=(-0.7, 0.0, 0.05))
    with _world(box) as world:
        touches = SelfCollisions(world, describe_world(world))
        assert _go(world, touches, AWAY, 0.3) == []  # the box lies on the ground

        found = _go(world, touches, DOWN - [0, -0.2, 0, 0, 0, 0], 1.6)

    assert "box" in {touch.other for touch in found}


@pytest.mark.slow
def test_a_gripper_that_takes_things_and_puts_them_down_does_not_collide() -> None:
    from gelenk.robots.armbot.cell import Cell
    from gelenk.robots.armbot.options import Options
    from gelenk.robots.armbot.session import load_setup
    from gelenk.sim.renderer_view import RendererView

    with Cell(load_setup(Options(environment="pick_place"))) as cell:
        sight = RendererView(cell.world)
        touches = SelfCollisions(cell.world, sight.appearance)
        grasps, found = [], []
        for _ in range(950):
            cell.run.tick()
            grasps += sight.new_grasps()
            found += touches.new()

    assert len(grasps) >= 2
    assert found == []


def test_after_a_jump_in_time_the_past_is_forgotten() -> None:
    with _world(_wall()) as world:
        touches = SelfCollisions(world, describe_world(world))
        start = world.snapshot()
        first = _go(world, touches, DOWN, 1.5)
        world.restore(start)
        touches.forget_past()

        again = _go(world, touches, DOWN, 1.5)

    assert again == first
