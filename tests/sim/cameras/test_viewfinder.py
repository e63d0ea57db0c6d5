"""A viewfinder shows what the world's cameras deliver, and changes nothing."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from gelenk.errors import NameNotFoundError
from gelenk.sim import Ball, Ground, World, WorldConfig
from gelenk.sim.cameras.description import Camera, SensorNoise, looking_at
from gelenk.sim.cameras.rig import Image, Viewfinder
from gelenk.vision.camera import Intrinsics

LENS = Intrinsics.from_field_of_view(width=96, height=64, horizontal=1.0)


def make_world() -> World:
    world = World(WorldConfig(step=0.002), seed=3)
    world.add(Ground(restitution=0.8))
    world.add(Ball(name="ball", radius=0.1, mass=0.1, position=(0.0, 0.0, 0.6)))
    world.add(
        Camera(
            name="eye",
            intrinsics=LENS,
            T_parent_camera=looking_at([0.0, -2.0, 0.8], [0.0, 0.0, 0.3]),
            rate=25.0,
            latency=0.02,
            noise=SensorNoise(),
        )
    )
    return world


@pytest.mark.slow
def test_its_images_are_those_of_the_world_bit_for_bit() -> None:
    with make_world() as world, make_world() as same:
        viewfinder = Viewfinder(world)
        found: list[Image] = []

        def draw() -> None:
            for _ in range(3):
                world.run(0.1)
                moment = viewfinder.note("eye")
                assert moment is not None
                world.run(0.05)  # what was noted stays
                found.append(viewfinder.draw("eye", moment))
            viewfinder.close()

        thread = threading.Thread(target=draw)
        thread.start()
        thread.join()
        assert len(found) == 3
        for image in found:
            same.run(0.1)
            expected = same.image("eye")
            assert expected is not None
            assert (image.frame, image.time) == (expected.frame, expected.time)
            assert np.array_equal(image.pixels, expected.pixels)
            assert image.pixels.std() > 1.0
            same.run(0.05)
        assert np.array_equal(world.pose("ball"), same.pose("ball"))


def test_what_the_world_has_drawn_is_not_drawn_again() -> None:
    with make_world() as world:
        viewfinder = Viewfinder(world)
        world.run(0.1)
        drawn = world.image("eye")
        assert drawn is not None

        moment = viewfinder.note("eye")

        assert moment is drawn
        assert viewfinder.draw("eye", drawn) is drawn
        world.run(0.1)
        assert viewfinder.note("eye") is not drawn


def test_before_the_first_image_there_is_none_and_strange_names_are_refused() -> None:
    with make_world() as world:
        viewfinder = Viewfinder(world)
        world.run(0.01)

        assert viewfinder.names == ("eye",)
        assert viewfinder.note("eye") is None
        with pytest.raises(NameNotFoundError, match="'ear'"):
            viewfinder.note("ear")
