"""What a world looks like agrees with the engine and with what was added."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from gelenk.models.link import Geometry
from gelenk.models.loader import load
from gelenk.sim import (
    Ball,
    Box,
    Camera,
    Chessboard,
    Conveyor,
    Cuboid,
    Cylinder,
    Ground,
    HeightField,
    IdealMotor,
    Robot,
    Sphere,
    World,
)
from gelenk.sim.appearance import (
    Appearance,
    LookShape,
    compiled_world_of,
    describe_world,
)
from gelenk.sim.cameras.boards import PictureBoard
from gelenk.sim.objects import Body, PolygonOutline, Prism, RectOutline, Wedge
from gelenk.spatial.quaternion import matrix_from_quaternion
from gelenk.spatial.se3 import exp
from gelenk.vision.camera import Intrinsics

CORNERS = ((0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0))


@pytest.fixture
def world() -> World:
    world = World()
    world.add(Ground())
    world.add(Box(name="box", size=(0.1, 0.2, 0.3), position=(1.0, 0.0, 0.2)))
    world.add(Sphere(name="sphere", radius=0.4, rgba=(0.1, 0.2, 0.3, 0.5)))
    world.add(Cylinder(name="post", radius=0.1, length=0.7, quat=(0.6, 0.8, 0.0, 0.0)))
    world.add(Prism(name="corner", plan=PolygonOutline(CORNERS), top=0.5))
    plan = RectOutline(size=(1.0, 0.4))
    world.add(Wedge(name="wedge", plan=plan, bottom=(0.0, 0.05), top=(0.1, 0.35)))
    world.add(Conveyor(name="belt", plan=plan, h1=0.1, h2=0.2, speed=0.1))
    world.add(Ball(name="ball", radius=0.05, mass=0.1, position=(0.0, 0.0, 2.0)))
    shapes = (
        Geometry(kind="capsule", size=(0.05, 0.3)),
        Geometry(kind="ellipsoid", size=(0.1, 0.2, 0.3)),
    )
    world.add(Body(name="lump", mass=1.0, shapes=shapes, position=(0.0, 3.0, 1.0)))
    arm = Robot(
        name="arm",
        model=load("ur5e"),
        T_world_base=exp([0.0, -3.0, 0.0, 0.0, 0.0, 0.0]),
        motors=IdealMotor(max_speed=1.5),
    )
    world.add(arm)
    return world


def _shapes(look: Appearance, name: str) -> list[tuple[str, tuple[float, ...]]]:
    body = next(body for body in look.bodies if body.name == name)
    return [(shape.kind, tuple(np.round(shape.size, 9))) for shape in body.shapes]


def test_shapes_have_the_sizes_that_were_asked_for(world: World) -> None:
    look = describe_world(world)

    assert _shapes(look, "box") == [("box", (0.1, 0.2, 0.3))]
    assert _shapes(look, "sphere") == [("sphere", (0.4,))]
    assert _shapes(look, "post") == [("cylinder", (0.1, 0.7))]
    assert _shapes(look, "ball") == [("sphere", (0.05,))]
    assert _shapes(look, "lump") == [
        ("capsule", (0.05, 0.3)),
        ("ellipsoid", (0.1, 0.2, 0.3)),
    ]
    sphere = next(body for body in look.bodies if body.name == "sphere")
    assert sphere.shapes[0].rgba == pytest.approx((0.1, 0.2, 0.3, 0.5))


def test_bodies_are_sorted_into_fixed_free_and_robots(world: World) -> None:
    look = describe_world(world)
    groups = {body.name: (body.group, body.robot) for body in look.bodies}

    assert groups["belt"] == ("fixed", "")
    assert groups["lump"] == ("object", "")
    assert groups["arm/link_3"] == ("robot", "arm")
    assert "ground" not in groups
    assert (look.robots, look.belts, look.movables) == (
        ("arm",),
        ("belt",),
        ("ball", "lump"),
    )


def test_shapes_stand_where_the_engine_has_its_geoms(world: World) -> None:
    """Oracle: poses of geoms as the engine computes them."""
    look, plant = describe_world(world), compiled_world_of(world)
    model, data = plant.model, mujoco.MjData(plant.model)
    data.qpos[:] = plant.data.qpos
    mujoco.mj_forward(model, data)

    for body in look.bodies:
        R = data.xmat[body.id].reshape(3, 3)
        first = int(model.body_geomadr[body.id])
        for k, shape in enumerate(body.shapes):
            place = data.xpos[body.id] + R @ shape.position
            turn = R @ matrix_from_quaternion(shape.quaternion)
            np.testing.assert_allclose(place, data.geom_xpos[first + k], atol=1e-12)
            expected = data.geom_xmat[first + k].reshape(3, 3)
            np.testing.assert_allclose(turn, expected, atol=1e-12)


def _volume(vertices: np.ndarray, triangles: np.ndarray) -> float:
    """Return the volume inside a mesh by Gauss; positive if it faces outwards."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0)


def test_meshes_are_closed_face_outwards_and_hold_the_right_volume(
    world: World,
) -> None:
    look = describe_world(world)
    solids = {"corner": 3.0 * 0.5, "wedge": 0.4 * 0.2}  # area times mean height

    for name, expected in solids.items():
        body = next(body for body in look.bodies if body.name == name)
        meshes = [shape for shape in body.shapes if shape.kind == "mesh"]
        volume = sum(_volume(shape.mesh.vertices, shape.mesh.faces) for shape in meshes)
        boxes = [shape for shape in body.shapes if shape.kind == "box"]
        volume += sum(float(np.prod(box.size)) for box in boxes)
        assert meshes
        assert volume == pytest.approx(expected, rel=1e-6)


def test_a_height_field_shows_its_heights_and_looks_up() -> None:
    heights = np.array([[0.0, 0.1, 0.3], [0.2, 0.5, 0.1]])
    world = World()
    world.add(HeightField(name="hills", heights=heights, size=(2.0, 1.0)))

    shape = describe_world(world).bodies[0].shapes[0]
    points = shape.mesh.vertices + shape.position

    np.testing.assert_allclose(points[:, 2].reshape(2, 3), heights, atol=1e-6)
    assert (points[0, :2].tolist(), points[-1, :2].tolist()) == ([-1, -0.5], [1, 0.5])
    a, b, c = (points[shape.mesh.faces[:, k]] for k in range(3))
    assert (np.cross(b - a, c - a)[:, 2] > 0.0).all()


def test_joints_say_range_speed_and_the_body_they_move(world: World) -> None:
    look, model = describe_world(world), load("ur5e")
    low, high = model.limits

    assert [joint.name for joint in look.joints] == list(model.joint_names)
    np.testing.assert_allclose([joint.low for joint in look.joints], low)
    np.testing.assert_allclose([joint.high for joint in look.joints], high)
    assert {joint.max_speed for joint in look.joints} == {1.5}
    assert [joint.body for joint in look.joints] == [
        f"arm/{model.link_names[i]}" for i in model.joint_ids
    ]
    np.testing.assert_allclose(
        [joint.axis for joint in look.joints], model.axis[model.joint_ids], atol=1e-9
    )


def test_a_link_is_not_drawn_twice_where_it_is_drawn_and_touched() -> None:
    from gelenk.models.parts import Assembly, TouchPoint

    arm = Assembly()
    arm.attach(TouchPoint("tip"))
    world = World()
    world.add(Robot(name="one", model=arm.build("one")))

    body = next(body for body in describe_world(world).bodies if "tip" in body.name)

    assert compiled_world_of(world).model.body_geomnum[body.id] == 2
    assert sorted(shape.role for shape in body.shapes) == ["collision", "visual"]


def test_a_tilted_ground_is_a_plane_of_its_own() -> None:
    world = World()
    world.add(Ground(quat=(0.8, 0.6, 0.0, 0.0)))

    (body,) = describe_world(world).bodies

    assert [shape.kind for shape in body.shapes] == ["plane"]
    assert min(body.shapes[0].size) > 1.0


def test_cameras_have_the_field_of_view_of_their_lens() -> None:
    lens = Intrinsics(width=64, height=48, fx=40.0, fy=40.0, cx=31.5, cy=23.5)
    world = World()
    world.add(Cuboid(name="cart", size=(0.2, 0.1, 0.1), mass=1.0))
    world.add(Camera(name="eye", intrinsics=lens, parent="cart"))

    (camera,) = describe_world(world).cameras

    assert (camera.width, camera.height) == (64, 48)
    assert camera.fov_y == pytest.approx(2.0 * np.arctan(24.0 / 40.0))


# -- boards ----------------------------------------------------------------------------


def test_a_chessboard_shows_its_squares() -> None:
    board = Chessboard(name="b", columns=3, rows=5, square=0.1, border=0.02)
    world = World()
    world.add(board)
    shapes = next(b for b in describe_world(world).bodies if b.name == "b").shapes
    areas = {shape.rgba: _area(shape) for shape in shapes if shape.kind == "mesh"}
    # 3 x 5 squares, those at the corners dark: 8 of 15; all else is light.
    assert areas[board.dark] == pytest.approx(8 * 0.1**2)
    width, height = board.size
    assert areas[board.light] == pytest.approx(width * height - 8 * 0.1**2)
    dark = next(shape for shape in shapes if shape.rgba == board.dark)
    centres = dark.mesh.vertices[dark.mesh.faces].mean(axis=1)
    rows = np.floor((0.25 - centres[:, 1]) / 0.1).astype(int)
    columns = np.floor((centres[:, 0] + 0.15) / 0.1).astype(int)
    assert ((rows + columns) % 2 == 0).all()


def test_a_picture_is_shown_in_its_mean_colour() -> None:
    pixels = np.zeros((2, 2, 3), dtype=np.uint8)
    pixels[0] = 255
    world = World()
    world.add(PictureBoard(name="p", pixels=pixels, width=0.4))
    shapes = next(b for b in describe_world(world).bodies if b.name == "p").shapes
    face = next(shape for shape in shapes if shape.kind == "mesh")
    assert face.rgba == pytest.approx((0.5, 0.5, 0.5, 1.0))
    assert _area(face) == pytest.approx(0.16)


def _area(shape: LookShape) -> float:
    """Return the area of a mesh, and check that it faces +z [m^2]."""
    a, b, c = np.moveaxis(shape.mesh.vertices[shape.mesh.faces], 1, 0)
    normals = np.cross(b - a, c - a)
    assert (normals[:, 2] > 0.0).all()
    return float(np.linalg.norm(normals, axis=1).sum() / 2.0)
