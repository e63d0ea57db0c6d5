"""Depth and segmentation against rays that the engine casts."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import gelenk
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.sim import (
    Ball,
    Box,
    Camera,
    Chessboard,
    Cuboid,
    Ground,
    Robot,
    World,
    looking_at,
)
from gelenk.sim.cameras.schedule import newest_frame
from gelenk.sim.objects import MovableCylinder
from gelenk.vision import Intrinsics, unproject

NAME_OF_LENS = {"pinhole": (0.0,) * 5, "bent": (-0.25, 0.08, 0.002, -0.001, 0.0)}
T_WORLD_CAMERA = looking_at([0.3, -2.0, 1.5], [0.0, 0.0, 0.7])


def make_world(distortion: tuple[float, ...], **changes) -> World:
    lens = Intrinsics(
        width=160, height=120, fx=140.0, fy=150.0, cx=75.0, cy=62.0,
        distortion=distortion,
    )  # fmt: skip
    world = World(seed=1)
    turned = (0.5, 0.5, -0.1, 0.7)
    for item in (
        Ground(),
        Ball(name="ball", radius=0.2, mass=1.0, position=(-0.5, 0.1, 1.2)),
        Cuboid(
            name="cube", size=(0.5, 0.4, 0.3), mass=1.0, position=(0.6, 0.3, 1.2),
            quat=turned,
        ),
        MovableCylinder(
            name="can", radius=0.15, length=0.4, mass=1.0, position=(0.1, 0.5, 0.8),
            quat=turned,
        ),
        Box(name="wall", size=(3.0, 0.1, 2.0), position=(0.0, 2.0, 1.0)),
        Robot(name="arm", model=gelenk.load("panda")),
    ):  # fmt: skip
        world.add(item)
    settings = {"rate": 50.0, "T_parent_camera": T_WORLD_CAMERA, **changes}
    world.add(Camera(name="eye", intrinsics=lens, **settings))
    return world


def cast_rays(world: World, lens: Intrinsics) -> tuple[np.ndarray, np.ndarray]:
    """Return depth and body of every pixel by the engine's own rays."""
    compiled = world._compiled()
    model, data = compiled.model, mujoco.MjData(compiled.model)
    frame = newest_frame(compiled.rig.bank, 0, world.tick)
    assert frame is not None
    data.qpos[:] = frame.states[len(frame.states) // 2][: model.nq]
    mujoco.mj_forward(model, data)
    v, u = np.mgrid[0 : lens.height, 0 : lens.width].astype(float)
    rays = unproject(lens, np.stack([u, v], axis=-1)).reshape(-1, 3)
    directions = rays @ T_WORLD_CAMERA[:3, :3].T
    lengths = np.linalg.norm(directions, axis=1)
    geom = np.zeros(1, np.int32)
    depths, bodies = np.full(len(rays), np.inf), np.zeros(len(rays), int)
    shown = np.array([1, 1, 1, 0, 0, 0], np.uint8)  # groups that are drawn
    start = np.array(T_WORLD_CAMERA[:3, 3])
    for k, (direction, length) in enumerate(zip(directions, lengths, strict=True)):
        found = mujoco.mj_ray(
            model, data, start, direction / length, shown, 1, -1, geom
        )
        if 0.0 <= found <= 100.0 * length:
            depths[k], bodies[k] = found / length, model.geom_bodyid[geom[0]]
    return depths.reshape(u.shape), bodies.reshape(u.shape)


@pytest.mark.parametrize("name", NAME_OF_LENS)
def test_depth_and_bodies_are_those_of_cast_rays(name: str) -> None:
    with make_world(NAME_OF_LENS[name]) as world:
        world.step(45)
        depth, bodies = (world.image("eye", kind) for kind in ("depth", "segmentation"))
        assert depth is not None
        assert bodies is not None
        lens = world._contents.cameras[0].intrinsics
        expected, body = cast_rays(world, lens)
        assert depth.pixels.shape == (120, 160)
        assert depth.pixels.dtype == np.float32
        assert not depth.pixels.flags.writeable
        same = bodies.pixels == body
        assert same.mean() > 0.999  # but for what is thinner than a pixel
        seen = same & np.isfinite(expected)
        assert (np.isinf(depth.pixels) == (bodies.pixels == 0)).all()
        error = np.abs(depth.pixels[seen] - expected[seen])
        near = (expected[seen] > 1.0) & (expected[seen] < 5.0)
        assert near.sum() > 10_000
        assert error[near].max() < 1e-5
        names = {bodies.names[i] for i in np.unique(bodies.pixels)}
        assert {"", "ground", "ball", "cube", "can", "wall"} <= names
        assert any(item.startswith("arm/link_") for item in names)


def test_they_show_the_moment_of_the_coloured_image_and_come_as_late() -> None:
    with make_world(NAME_OF_LENS["pinhole"], latency=0.02) as world:
        assert world.image("eye", "depth") is None
        world.step(20)
        first = world.image("eye", "depth")
        color = world.image("eye")
        assert first is not None
        assert color is not None
        assert (first.frame, first.time) == (color.frame, color.time) == (0, 0.0)
        assert first.kind == "depth"
        assert world.image("eye", "depth") is first
        state = world.snapshot()
        world.step(40)
        later = world.image("eye", "depth")
        assert later is not None
        assert later.frame == 2
        assert (later.pixels != first.pixels).any()
        world.restore(state)
        again = world.image("eye", "depth")
        assert again is not None
        assert (again.pixels == first.pixels).all()


def test_drawing_them_changes_no_coloured_image() -> None:
    with (
        make_world(NAME_OF_LENS["bent"]) as one,
        make_world(NAME_OF_LENS["bent"]) as other,
    ):
        one.step(30)
        other.step(30)
        one.image("eye", "depth")
        left, right = one.image("eye"), other.image("eye")
        assert left is not None
        assert right is not None
        assert (left.pixels == right.pixels).all()


def test_what_is_too_near_or_too_far_is_not_seen() -> None:
    with make_world(NAME_OF_LENS["pinhole"], near=1.9, far=3.0) as world:
        depth = world.image("eye", "depth")
        assert depth is not None
        seen = depth.pixels[np.isfinite(depth.pixels)]
        assert seen.size > 1000
        assert seen.min() > 1.9 - 1e-3
        assert seen.max() < 3.0 + 1e-3


def test_a_board_has_its_name_and_the_depth_of_its_face() -> None:
    world = World()
    lens = Intrinsics(width=64, height=48, fx=60.0, fy=60.0, cx=31.5, cy=23.5)
    T = np.eye(4)
    T[:3, 3] = [0.0, 0.0, 2.0]
    T_board = np.diag([1.0, -1.0, -1.0, 1.0])  # its face looks down
    T_board[:3, 3] = [0.0, 0.0, 3.5]
    world.add(Chessboard(name="board", square=0.2, T_parent_board=T_board))
    world.add(Camera(name="eye", intrinsics=lens, T_parent_camera=T))
    with world:
        depth, bodies = (world.image("eye", kind) for kind in ("depth", "segmentation"))
        assert depth is not None
        assert bodies is not None
        assert bodies.names[bodies.pixels[24, 32]] == "board"
        assert depth.pixels[24, 32] == pytest.approx(1.5, abs=1e-5)


def test_mistakes_are_named() -> None:
    with make_world(NAME_OF_LENS["pinhole"]) as world:
        with pytest.raises(ConfigError, match="`kind` must be 'color'"):
            world.image("eye", "normals")  # type: ignore[call-overload]
        with pytest.raises(NameNotFoundError, match="'eye'"):
            world.image("eve", "depth")
