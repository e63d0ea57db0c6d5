"""Stripes on belts: how far they have run, and where they are drawn."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pytest

from gelenk.sim import Conveyor, Cuboid, Ground, World
from gelenk.sim.appearance import describe_world
from gelenk.sim.objects import PolygonOutline, RectOutline
from gelenk.sim.renderer_view import BeltTravel, RendererView, describe_belts
from gelenk.spatial.quaternion import rotate


def _world(**options: Any) -> World:
    world = World()
    world.add(Ground())
    world.add(
        Conveyor(
            name="belt",
            plan=RectOutline(size=(4.0, 0.5)),
            h1=0.2,
            h2=0.2,
            friction=0.9,
            **{"speed": 0.25, **options},
        )
    )
    return world


def test_the_travel_is_the_integral_of_the_speed() -> None:
    """Oracle: a sum over the commands, each with the time for which it held."""
    commands = [(0.3, {"speed": 0.4}), (0.2, {"speed": -0.15}), (0.4, {"running": 0})]
    commands += [(0.1, {"speed": 1.0}), (0.25, {"running": 1})]
    with _world() as world:
        travel = BeltTravel(world)
        expected, speed, running = 0.0, 0.25, 1
        for seconds, change in commands:
            speed, running = change.get("speed", speed), change.get("running", running)
            world.command_conveyor("belt", speed=speed, running=bool(running))
            for _ in range(round(seconds / 0.01)):
                world.run(0.01)
                travel.look()
            expected += speed * running * seconds

            assert travel.travel == pytest.approx([expected], abs=1e-12)

    assert expected == pytest.approx(0.3 * 0.4 - 0.2 * 0.15 + 0.25)


def test_a_stripe_stays_under_what_rides_on_the_belt() -> None:
    with _world() as world:
        world.add(
            Cuboid(name="box", size=(0.1, 0.1, 0.1), mass=0.5, position=(-1.5, 0, 0.25))
        )
        travel = BeltTravel(world)
        for _ in range(50):
            world.run(0.01)
            travel.look()  # until it rides
        before, x = float(travel.travel[0]), world.pose("box")[0, 3]
        for _ in range(300):
            world.run(0.01)
            travel.look()

        ridden = world.pose("box")[0, 3] - x

        assert travel.travel[0] - before == pytest.approx(ridden, abs=2e-3)
        assert ridden > 0.7


def test_an_old_row_has_the_travel_of_its_moment_and_going_back_returns_to_it() -> None:
    with _world() as world:
        sight = RendererView(world)
        world.run(0.4)
        row, state = sight.row(), world.snapshot()
        world.run(1.0)
        later = sight.picture(sight.row()).travels

        world.restore(state)
        sight.forget_past(row)
        again = sight.picture(sight.row()).travels
        world.run(1.0)

        np.testing.assert_allclose(sight.picture(row).travels, [0.1], atol=1e-6)
        np.testing.assert_allclose(again, [0.1], atol=1e-6)
        np.testing.assert_allclose(later, [0.35], atol=1e-6)
        np.testing.assert_allclose(sight.picture(sight.row()).travels, later, atol=1e-6)


@pytest.mark.parametrize("direction", ["x", "y"])
def test_the_surface_is_the_top_of_the_belt(direction: Literal["x", "y"]) -> None:
    """Oracle: the solid that the engine has compiled, which is what things ride on."""
    outline = ((-0.6, -0.3), (0.7, -0.2), (0.5, 0.4), (-0.5, 0.3))
    angle = 0.4
    belt = Conveyor(
        name="belt",
        plan=PolygonOutline(points=outline),
        h1=0.2,
        h2=0.5,
        direction=direction,
        speed=0.3,
        position=(1.0, 2.0, 0.1),
        quat=(np.cos(angle / 2), 0.0, 0.0, np.sin(angle / 2)),
    )
    with World() as world:
        world.add(belt)
        (surface,) = describe_belts(world)
        (body,) = (b for b in describe_world(world).bodies if b.name == "belt")
        T = world.pose("belt")

    vertices = np.concatenate(
        [
            rotate(shape.quaternion, shape.mesh.vertices) + shape.position
            for shape in body.shapes
        ]
    )
    solid = vertices @ T[:3, :3].T + T[:3, 3]
    for corner in surface.corners:
        over = np.linalg.norm(solid[:, :2] - corner[:2], axis=1) < 1e-6
        assert solid[over, 2].max() == pytest.approx(corner[2], abs=1e-6)
    # all corners lie in one plane, along which positive speed climbs
    edges = surface.corners[1:] - surface.corners[0]
    assert abs(np.linalg.det(edges)) < 1e-12
    assert surface.along[2] > 0.0
    assert np.linalg.norm(surface.along) == pytest.approx(1.0)
    assert abs(surface.along @ np.cross(edges[0], edges[1])) < 1e-12
