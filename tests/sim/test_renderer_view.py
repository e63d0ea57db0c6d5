"""Looking at a world shows what is there and changes nothing."""

from __future__ import annotations

import numpy as np
import pytest

from gelenk.models.loader import load
from gelenk.sim import (
    Ball,
    Camera,
    Chessboard,
    Cuboid,
    Ground,
    IdealMotor,
    Robot,
    World,
)
from gelenk.sim.renderer_view import RendererView
from gelenk.spatial.quaternion import matrix_from_quaternion
from gelenk.vision.camera import Intrinsics


def _world() -> World:
    world = World(seed=3)
    world.add(Ground(restitution=0.7))
    for k in range(3):
        position = (0.3 * k, 1.0, 0.3 + 0.2 * k)
        world.add(Ball(name=f"ball{k}", radius=0.05, mass=0.1, position=position))
    world.add(
        Cuboid(
            name="box",
            size=(0.2, 0.1, 0.1),
            mass=0.5,
            position=(0.0, 2.0, 0.3),
            angular_velocity=(3.0, 1.0, 2.0),
            restitution=0.3,
        )
    )
    world.add(Robot(name="arm", model=load("ur5e"), motors=IdealMotor(max_speed=2.0)))
    lens = Intrinsics(width=64, height=48, fx=40.0, fy=40.0, cx=31.5, cy=23.5)
    T = np.eye(4)
    T[:3, :3] = [[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]]
    T[:3, 3] = 0.1, 0.2, 0.3
    world.add(Camera(name="eye", intrinsics=lens, parent="box", T_parent_camera=T))
    world.add(Chessboard(name="board", columns=4, rows=3, square=0.02))
    return world


def _go(world: World, seconds: float = 0.5) -> None:
    target = np.array([0.5, -1.0, 0.7, 0.2, 0.4, 0.6])
    for _ in range(round(seconds / 0.01)):
        world.command("arm", target)
        world.step(round(0.01 / world.config.step))


def test_a_picture_shows_all_bodies_where_the_world_has_them() -> None:
    with _world() as world:
        sight = RendererView(world)
        _go(world)

        picture = sight.picture(sight.row())

        for body, pose in zip(sight.appearance.bodies, picture.poses, strict=False):
            T = world.pose(body.name)
            np.testing.assert_allclose(pose[:3], T[:3, 3], atol=2e-6)
            R = matrix_from_quaternion(pose[3:])
            np.testing.assert_allclose(R, T[:3, :3], atol=2e-6)
        assert (picture.poses[:, 3] >= 0.0).all()
        np.testing.assert_allclose(picture.values, world.joint_positions("arm"), 1e-6)
        np.testing.assert_allclose(
            picture.speeds, world.joint_velocities("arm"), atol=1e-5
        )


def test_a_camera_is_shown_with_its_axes_on_what_carries_it() -> None:
    with _world() as world:
        sight = RendererView(world)
        _go(world)
        T_parent_camera = np.eye(4)
        T_parent_camera[:3, :3] = [[0, 0, 1], [-1, 0, 0], [0, -1, 0]]
        T_parent_camera[:3, 3] = 0.1, 0.2, 0.3

        pose = sight.picture(sight.row()).poses[-1]

        expected = world.pose("box") @ T_parent_camera
        np.testing.assert_allclose(pose[:3], expected[:3, 3], atol=2e-6)
        R = matrix_from_quaternion(pose[3:])
        np.testing.assert_allclose(R, expected[:3, :3], atol=2e-6)


def test_a_world_that_is_looked_at_does_the_same_bit_for_bit() -> None:
    with _world() as one, _world() as other:
        sight = RendererView(one)
        for _ in range(40):
            _go(one, 0.01)
            _go(other, 0.01)
            sight.picture(sight.row())
            sight.contacts()
            sight.new_impacts(0.0)
            sight.new_grasps()

        assert one.state_hash() == other.state_hash()


def test_an_old_row_makes_the_old_picture() -> None:
    with _world() as world:
        sight = RendererView(world)
        _go(world, 0.1)
        row = sight.row()
        before = sight.picture(row)
        _go(world, 0.3)

        again = sight.picture(row)

        np.testing.assert_array_equal(before.poses, again.poses)
        assert not np.allclose(sight.picture(sight.row()).poses, again.poses)


def test_contacts_are_those_that_the_world_lists() -> None:
    """Oracle: the engine's own function for the force of each contact."""
    with _world() as world:
        sight = RendererView(world)
        found = np.zeros((0, 6))
        for _ in range(8):
            _go(world, 0.2)

            found = sight.contacts()

            listed = [(*c.position, *c.force) for c in world.contacts() if any(c.force)]
            listed = sorted(map(tuple, np.round(listed, 9).reshape(-1, 6).tolist()))
            assert sorted(map(tuple, np.round(found, 9).tolist())) == listed
        assert len(found) >= 4


def test_impacts_are_told_once_and_left_for_others() -> None:
    with _world() as world:
        sight = RendererView(world)
        told = []
        for _ in range(50):
            _go(world, 0.02)
            told += sight.new_impacts(0.2)
        listed = [impact for impact in world.impacts() if impact.speed >= 0.2]

        assert [impact.time for impact in told] == [impact.time for impact in listed]
        assert len(told) >= 5


def test_impacts_are_told_also_if_somebody_else_takes_them() -> None:
    with _world() as world:
        sight = RendererView(world)
        told = taken = 0
        for _ in range(50):
            _go(world, 0.02)
            told += len(sight.new_impacts(0.0))
            taken += len(world.impacts())

        assert told == taken > 0


def test_after_a_jump_in_time_old_impacts_are_not_told() -> None:
    with _world() as world:
        sight = RendererView(world)
        start = world.snapshot()
        _go(world, 0.6)
        world.restore(start)

        sight.forget_past()
        _go(world, 0.6)

        assert len(sight.new_impacts(0.2)) == len(
            [impact for impact in world.impacts() if impact.speed >= 0.2]
        )


@pytest.mark.slow
def test_what_a_gripper_takes_and_lets_go_is_told() -> None:
    from gelenk.robots.armbot.cell import Cell
    from gelenk.robots.armbot.options import Options
    from gelenk.robots.armbot.session import load_setup

    with Cell(load_setup(Options(environment="sorting"))) as cell:
        sight = RendererView(cell.world)
        told = []
        for _ in range(1500):
            cell.run.tick()
            told += sight.new_grasps()
            if len(told) >= 2:
                break

    assert [(one.gripper, one.is_held) for one in told] == [
        ("robot0/gripper", True),
        ("robot0/gripper", False),
    ]
    assert told[0].thing == told[1].thing
