"""What the page draws of a world."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from gelenk.models.loader import load
from gelenk.robots.armbot.showcase import SCENES, scene_of_text
from gelenk.runtime.scene import SceneSpec
from gelenk.sim import Ball, Box, Conveyor, Ground, IdealMotor, Robot, World
from gelenk.sim.fixed_objects import Tile
from gelenk.sim.objects import RectOutline
from gelenk.sim.renderer_view import RendererView
from gelenk.sim.signals import Signal
from gelenk.sim.zones import CircleZone, LightBarrier
from gelenk.spatial.quaternion import matrix_from_quaternion
from gelenk.ui import messages as m
from gelenk.ui.codec import encode
from gelenk.ui.curves import list_curves
from gelenk.ui.floor import make_floor
from gelenk.ui.frames import pack_frame, unpack_frame
from gelenk.ui.gallery import patches_of
from gelenk.ui.scene_encoder import SceneEncoder

PLAIN = m.Scene(number=3, name="n", title="t", step=0.001, period=0.01, bodies=())
RED, BLUE = (1.0, 0.0, 0.0, 1.0), (0.0, 0.0, 1.0, 1.0)


def _craft(world: World, **options: object) -> SceneEncoder:
    return SceneEncoder(RendererView(world), PLAIN, **options)  # type: ignore[arg-type]


def test_bodies_and_joints_have_the_order_of_the_frame() -> None:
    world = World()
    world.add(Ground())
    world.add(Ball(name="ball", radius=0.05, mass=0.1, position=(1.0, 2.0, 3.0)))
    world.add(Robot(name="arm", model=load("ur5e"), motors=IdealMotor(max_speed=2.0)))
    craft = _craft(world)
    world.command("arm", [1.0, -1.0, 1.0, 0.0, 0.0, 0.0])
    world.run(0.1)

    frame = craft.frame(100, craft.sight.row())
    frame, _ = unpack_frame(pack_frame(frame))

    for body, pose in zip(craft.scene.bodies, frame.poses, strict=True):
        T = world.pose(body.name)
        np.testing.assert_allclose(pose[:3], T[:3, 3], atol=1e-5)
        np.testing.assert_allclose(
            matrix_from_quaternion(pose[3:]), T[:3, :3], atol=1e-5
        )
    assert [joint.robot for joint in craft.scene.joints] == ["arm"] * 6
    np.testing.assert_allclose(frame.values, world.joint_positions("arm"), atol=1e-6)
    speeds = world.joint_velocities("arm")
    np.testing.assert_allclose(frame.shares, speeds / 2.0, atol=1e-5)
    assert frame.shares[0] == pytest.approx(1.0)  # at its top speed
    assert "ground" not in {body.name for body in craft.scene.bodies}


def test_belts_are_told_with_their_surface_and_how_far_they_have_run() -> None:
    world = World()
    world.add(Ground())
    plan = RectOutline(center=(1.0, 2.0), size=(2.0, 0.4))
    world.add(Conveyor(name="belt", plan=plan, h1=0.1, h2=0.1, speed=-0.5))
    craft = _craft(world)
    world.run(0.3)

    frame, _ = unpack_frame(pack_frame(craft.frame(300, craft.sight.row())))

    (belt,) = craft.scene.belts
    assert (belt.name, belt.along) == ("belt", (1.0, 0.0, 0.0))
    corners = np.reshape(belt.corners, (-1, 3))
    np.testing.assert_allclose(corners.min(axis=0), [0.0, 1.8, 0.1])
    np.testing.assert_allclose(corners.max(axis=0), [2.0, 2.2, 0.1])
    np.testing.assert_allclose(frame.travels, [-0.15], atol=1e-6)


def test_curves_say_where_they_belong_in_the_order_of_their_names() -> None:
    gauge = Signal("arm", "elbow", "torque", "torque", "N*m")
    curves = list_curves([gauge], [SimpleNamespace(name="residual", unit="px")])

    assert curves.names == ("arm/elbow torque [N*m]", "residual [px]")
    first, second = curves.places
    assert (first.robot, first.part, first.kind) == ("arm", "elbow", "torque")
    assert (second.robot, second.kind, second.unit) == ("", "residual", "px")


def test_zones_say_what_they_send() -> None:
    world = World()
    world.add(Ground())
    world.add(CircleZone(name="ring", on="leave", center=(1.0, 2.0), radius=0.3))
    heights = (-np.inf, 0.4)
    barrier = LightBarrier(
        name="gate", start=(0.0, 1.0), end=(2.0, 1.0), heights=heights
    )
    world.add(barrier)

    ring, gate = _craft(world, zone_texts={"gate": "sends 'GO' to 3"}).scene.zones

    assert (ring.form, ring.on, ring.points, ring.radius) == (
        "circle",
        "leave",
        (1.0, 2.0),
        0.3,
    )
    assert (gate.form, gate.on, gate.points) == (
        "barrier",
        "cross",
        (0.0, 1.0, 2.0, 1.0),
    )
    assert (gate.height, gate.text) == (0.4, "sends 'GO' to 3")


def test_tiles_of_one_colour_in_a_row_are_one_area() -> None:
    ground = Ground(
        tile_size=0.5,
        border=RectOutline(center=(1.0, 0.5), size=(2.0, 1.2)),
        tiles=(
            Tile(column=0, row=0, rgba=RED),
            Tile(column=1, row=0, rgba=RED),
            Tile(column=2, row=0, rgba=BLUE),
            Tile(column=0, row=2, rgba=RED),
        ),
    )

    floor = make_floor(ground, np.zeros(3), np.ones(3))

    np.testing.assert_allclose([*floor.low, *floor.high], [0, -0.1, 2, 1.1], atol=1e-12)
    corners = [np.round(patch.corners, 9).tolist() for patch in floor.patches]
    assert corners[0] == [0.0, -0.1, 1.0, -0.1, 1.0, 0.4, 0.0, 0.4]
    assert corners[1] == [1.0, -0.1, 1.5, -0.1, 1.5, 0.4, 1.0, 0.4]
    assert corners[2][5] == 1.1  # the last row ends at the border


def test_a_floor_without_border_reaches_under_everything() -> None:
    world = World()
    world.add(Ground())
    world.add(Box(name="far", size=(1.0, 1.0, 1.0), position=(6.2, -3.3, 0.5)))

    floor = _craft(world).scene.floor

    assert floor.high[0] >= 6.7
    assert floor.low[1] <= -3.8


@pytest.mark.parametrize("spec", SCENES, ids=lambda spec: spec.name)
def test_all_of_a_cell_is_seen_from_where_one_looks(spec: SceneSpec) -> None:
    live = spec.make(0, {})
    try:
        craft = SceneEncoder(
            RendererView(live.world),
            PLAIN,
            zone_texts=live.zone_texts,
            paints=patches_of(live),
        )
        scene = craft.scene
        frame = craft.frame(0, craft.sight.row())
    finally:
        live.free()

    eye, focus = np.array(scene.eye), np.array(scene.focus)
    ahead = (focus - eye) / np.linalg.norm(focus - eye)
    away = frame.poses[:, :3] - eye
    angle = np.arccos(away @ ahead / np.linalg.norm(away, axis=1))
    assert angle.max() < np.deg2rad(30.0)
    assert eye[2] > 0.2
    assert len(encode(scene)) < 200_000
    assert any(body.group == "robot" and body.shapes for body in scene.bodies)
    moved = {joint.body for joint in scene.joints}
    assert moved <= {body.name for body in scene.bodies}


def test_paints_of_an_environment_lie_on_the_floor() -> None:
    text = (
        "BORDER -100 -100 100 100\n"
        "BOTTOMPAINT FF0000 0.5 RECT 0 0 20 10 ENDBOTTOMPAINT\n"
    )
    live = scene_of_text(text, "my.env").make(0, {})
    try:
        scene = SceneEncoder(
            RendererView(live.world), PLAIN, paints=patches_of(live)
        ).scene
    finally:
        live.free()

    (patch,) = scene.floor.patches
    assert patch.rgba == (1.0, 0.0, 0.0, 0.5)
    size = np.ptp(np.reshape(patch.corners, (-1, 2)), axis=0)
    np.testing.assert_allclose(size, (0.2, 0.1))
    assert scene.floor.low == (-1.0, -1.0)
