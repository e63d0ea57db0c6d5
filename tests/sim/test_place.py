"""Objects that are put elsewhere while the world runs."""

from __future__ import annotations

import numpy as np
import pytest

from gelenk.errors import ConfigError
from gelenk.sim import Ball, Box, Chessboard, Cuboid, World, WorldConfig
from gelenk.spatial import se3, so3

TWIST = np.array([0.3, -0.2, 0.1, 1.0, 2.0, -3.0])  # [v; omega], world axes
STEP = 1e-3  # [s]


def make_world() -> World:
    world = World(WorldConfig(step=STEP, gravity=(0.0, 0.0, 0.0)))
    world.add(Cuboid(name="cube", size=(0.1, 0.1, 0.1), mass=1.0))
    world.add(Ball(name="point", radius=0.1, mass=1.0, spins=False, position=(5, 0, 0)))
    world.add(Box(name="wall", size=(1.0, 1.0, 1.0), position=(9, 0, 0)))
    return world


def test_a_placed_object_has_its_pose_and_goes_on_with_its_twist() -> None:
    T_start = se3.pose_from_rotation_translation(so3.rot_x(1.0), [1.0, 2.0, 3.0])
    with make_world() as world:
        world.step()
        world.place("cube", T_start, TWIST)

        np.testing.assert_allclose(world.pose("cube"), T_start, atol=1e-12)
        np.testing.assert_allclose(world.twist("cube"), TWIST, atol=1e-12)

        world.step(100)  # a cube without forces moves on evenly, whatever its axes
        t = 100 * STEP
        R_moved = so3.exp(TWIST[3:] * t) @ T_start[:3, :3]
        moved = world.pose("cube")
        np.testing.assert_allclose(
            moved[:3, 3], T_start[:3, 3] + TWIST[:3] * t, atol=1e-9
        )
        np.testing.assert_allclose(moved[:3, :3], R_moved, atol=1e-6)


def test_a_ball_that_does_not_spin_is_placed_too() -> None:
    T = np.eye(4)
    T[:3, 3] = [0.0, 4.0, 1.0]
    with make_world() as world:
        world.place("point", T, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
        world.step(10)

        np.testing.assert_allclose(
            world.pose("point")[:3, 3], [0.01, 4.0, 1.0], atol=1e-12
        )


def test_a_fixed_object_cannot_be_placed() -> None:
    with (
        make_world() as world,
        pytest.raises(ConfigError, match="'wall' does not move"),
    ):
        world.place("wall", np.eye(4))


def test_a_movable_board_is_placed_and_stays() -> None:
    T = se3.pose_from_rotation_translation(so3.rot_x(1.0), [1.0, 2.0, 3.0])
    board = Chessboard(name="board", is_movable=True)
    fixed = Chessboard(name="fixed")
    with make_world() as world:
        world.add(board)
        world.add(fixed)
        before = world.snapshot()
        world.place("board", T)
        np.testing.assert_allclose(world.pose("board"), T, atol=1e-12)
        world.step(10)
        np.testing.assert_allclose(world.pose("board"), T, atol=1e-12)
        world.restore(before)
        np.testing.assert_allclose(world.pose("board"), np.eye(4), atol=1e-12)
        with pytest.raises(ConfigError, match="'fixed' does not move"):
            world.place("fixed", T)
