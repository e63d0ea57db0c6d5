"""Drawable parts: their shapes have the right volume, colours and places."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from gelenk.robots.armbot.design import design_robot
from gelenk.robots.armbot.environment.read import parse_environment
from gelenk.robots.armbot.grippers import TwoFingerGripper
from gelenk.robots.armbot.manipulators import SimpleArm
from gelenk.robots.armbot.option_values import RenderFlags
from gelenk.robots.armbot.view import meshes
from gelenk.robots.armbot.view.meshes import Mesh
from gelenk.robots.armbot.view.parts import (
    MARK_COLORS,
    MotorSpeed,
    Part,
    drawables,
    mark_of,
)
from gelenk.robots.armbot.view.shapes import (
    DARK_TILE,
    LIGHT_TILE,
    DrawnRobot,
    make_parts,
)

lengths = st.floats(0.01, 3.0)


def volume(mesh: Mesh) -> float:
    """Enclosed volume by the divergence theorem; negative if turned inside out."""
    a, b, c = np.moveaxis(mesh.points[mesh.triangles], 1, 0)
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0)


def check_normals(mesh: Mesh) -> None:
    """Normals have length one and point where the outline of a triangle says."""
    assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-9)
    a, b, c = np.moveaxis(mesh.points[mesh.triangles], 1, 0)
    face = np.cross(b - a, c - a)
    has_area = np.linalg.norm(face, axis=1) > 1e-12
    sums = mesh.normals[mesh.triangles].sum(axis=1)
    assert (np.einsum("ij,ij->i", face, sums)[has_area] > 0.0).all()


ROUND = 0.5 * meshes.SIDES / math.pi * math.sin(2.0 * math.pi / meshes.SIDES)


@settings(max_examples=25)
@given(x=lengths, y=lengths, z=lengths)
def test_a_box_has_its_volume(x, y, z):
    mesh = meshes.box((x, y, z))
    assert volume(mesh) == pytest.approx(x * y * z, rel=1e-9)
    check_normals(mesh)
    assert_allclose(np.ptp(mesh.points, axis=0), [x, y, z])


@settings(max_examples=25)
@given(r=lengths, h=lengths)
def test_round_solids_have_almost_their_volume(r, h):
    disc = math.pi * r * r * ROUND  # a polygon instead of a circle
    for mesh, exact, tolerance in (
        (meshes.cylinder(r, h), disc * h, 1e-9),
        (meshes.sphere(r), 4.0 / 3.0 * math.pi * r**3, 0.03),
        (meshes.capsule(r, h), 4.0 / 3.0 * math.pi * r**3 + disc * h, 0.03),
        (meshes.round_prism(np.array([2.0, -1.0]), r, 0.5, 0.5 + h), disc * h, 1e-9),
    ):
        assert volume(mesh) == pytest.approx(exact, rel=tolerance)
        check_normals(mesh)


def test_a_prism_between_slanting_planes_has_the_volume_of_its_middle():
    bracket = np.array([[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]], dtype=float)
    bottom, top = np.array([0.1, 0.05, 0.0]), np.array([1.0, 0.2, -0.1])
    # Area 3, centroid of the bracket by hand: (2*0.5 + 1*... ) of its two rectangles.
    centroid = (2.0 * np.array([1.0, 0.5]) + 1.0 * np.array([0.5, 1.5])) / 3.0
    exact = 3.0 * (top[0] - bottom[0] + centroid @ (top - bottom)[1:])
    for outline in (bracket, bracket[::-1]):
        mesh = meshes.prism(outline, bottom, top)
        assert volume(mesh) == pytest.approx(exact, rel=1e-12)
        check_normals(mesh)


def parts_of(text: str, robots=()) -> tuple[Part, ...]:
    return make_parts(parse_environment(text), robots)


def of_kind(parts, kind: str) -> list[Part]:
    return [part for part in parts if part.kind == kind]


def color_at(parts, x: float, y: float) -> tuple[int, int, int]:
    """Colour of the floor part whose triangles lie over a point."""
    for part in reversed(of_kind(parts, "floor")):
        a, b, c = np.moveaxis(part.mesh.points[part.mesh.triangles], 1, 0)
        level = np.abs(part.mesh.normals[part.mesh.triangles][:, 0, 2] - 1.0) < 1e-9
        p = np.array([x, y])

        def side(u, v, p=p):
            return (v - u)[:, 0] * (p - u[:, :2])[:, 1] - (v - u)[:, 1] * (
                p - u[:, :2]
            )[:, 0]

        inside = (side(a, b) >= 0) & (side(b, c) >= 0) & (side(c, a) >= 0) & level
        if inside.any():
            return part.color
    raise AssertionError(f"no floor at {x}, {y}")


def test_the_floor_is_a_checkerboard_of_half_metres_with_coloured_tiles():
    parts = parts_of("BORDER -100 -50 110 100\nTILE 1~2 0 F0E0A0\nTILE 2 0 102030")
    assert color_at(parts, -0.8, -0.3) == LIGHT_TILE
    assert color_at(parts, -0.3, -0.3) == (0xF0, 0xE0, 0xA0)
    assert color_at(parts, 0.2, -0.3) == (0x10, 0x20, 0x30)  # the last word
    assert color_at(parts, -0.8, 0.3) == DARK_TILE
    assert color_at(parts, 1.07, -0.3) == LIGHT_TILE  # the fifth, cut by the border
    low = np.min([p.mesh.points.min(axis=0) for p in of_kind(parts, "floor")], axis=0)
    high = np.max([p.mesh.points.max(axis=0) for p in of_kind(parts, "floor")], axis=0)
    assert_allclose(low[:2], [-1.0, -0.5])
    assert_allclose(high, [1.1, 1.0, 0.0])


def test_without_a_border_the_floor_is_large_enough_for_everything():
    parts = parts_of("BALL 700 0 10 5 0 0.5 FF0000\nROBOT 0 -400 0\nMANIPULATOR X.Y")
    robot = DrawnRobot(
        name="robot0", number=0, model=design_robot(SimpleArm(), None).robot,
        place=(0.0, -4.0),
    )  # fmt: skip
    with_robot = parts_of("BALL 700 0 10 5 0 0.5 FF0000", [robot])
    color_at(parts, 7.2, 0.1)
    color_at(with_robot, 0.1, -4.4)


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("STEP 10 808080\nRECT 0 0 40 20\nENDSTEP", 0.1 * 0.4 * 0.2),
        ("SLICE 28 30 A08060\nPOLY 3 0 0 100 0 0 100\nENDSLICE", 0.5 * 0.02),
        ("SLOPE 10 30 y 808080\nRECT 50 0 40 20\nENDSLOPE", 0.2 * 0.4 * 0.2),
        ("WEDGE 30 30 10 20 x 808080\nRECT 0 9 40 20\nENDWEDGE", 0.15 * 0.4 * 0.2),
        ("SPHERE 0 0 50 10 808080", 4.0 / 3.0 * math.pi * 1e-3),
        ("STEP 10 808080\nCIRCLE 0 0 30\nENDSTEP", math.pi * 0.09 * 0.1),
    ],
)
def test_obstacles_have_the_volume_that_their_text_says(text, exact):
    [part] = of_kind(parts_of(text), "obstacle")
    assert volume(part.mesh) == pytest.approx(exact, rel=0.03)


def test_a_slope_rises_along_its_direction():
    text = "SLOPE 10 30 y 808080\nRECT 50 0 40 20\nENDSLOPE"
    points = of_kind(parts_of(text), "obstacle")[0].mesh.points
    assert points[points[:, 1] > 0.05][:, 2].max() == pytest.approx(0.3)
    assert points[points[:, 1] < -0.05][:, 2].max() == pytest.approx(0.1)


def test_movable_things_hang_on_their_frames_and_have_their_colours():
    parts = parts_of(
        "DEBUGNAME red\nBALL 0 0 9 5 0 1 FF0000\nCUBOID 0 50 5 4 6 8 00FF00\n"
        "CYLINDER 50 0 5 3 10 0000FF"
    )
    ball, cuboid, cylinder = (
        of_kind(parts, k)[0] for k in ("ball", "cuboid", "cylinder")
    )
    assert (ball.frame, ball.color) == ("red", (255, 0, 0))
    assert_allclose(np.ptp(cuboid.mesh.points, axis=0), [0.04, 0.06, 0.08])
    assert_allclose(np.ptp(cylinder.mesh.points, axis=0)[2], 0.1)

    T = np.eye(4)
    T[:3, 3] = 1.0, 2.0, 3.0
    placed = dict.fromkeys((ball.frame, cuboid.frame, cylinder.frame), T)
    drawn = {d.part.kind: d for d in drawables(parts, placed)}
    assert_allclose(drawn["ball"].T_world_part, T)


def test_paints_lie_above_the_floor_the_later_above_the_earlier():
    first, second = of_kind(
        parts_of(
            "BOTTOMPAINT 80FF80 0.5\nCIRCLE 0 0 30\nENDSLICK\n"
            "BOTTOMPAINT 8080FF 1\nRECT 0 0 30 30\nENDBOTTOMPAINT"
        ),
        "paint",
    )
    assert 0.0 < first.mesh.points[0, 2] < second.mesh.points[0, 2] < 0.002
    assert (first.alpha, second.alpha) == (0.5, 1.0)


# -- robots ----------------------------------------------------------------------------


def simple_arm(number: int = 0) -> DrawnRobot:
    model = design_robot(SimpleArm(), TwoFingerGripper()).robot
    return DrawnRobot(name=f"robot{number}", number=number, model=model)


def test_every_motor_of_a_robot_has_a_part_that_shows_it():
    robot = simple_arm()
    parts = make_parts(parse_environment(""), [robot])
    shown = {part.motor for part in parts if part.motor is not None}
    assert shown == {("robot0", joint) for joint in robot.model.joint_names}
    frames = {part.frame for part in parts if part.kind == "segment"}
    assert {"robot0/femur_bone", "robot0/tibia_bone"} <= frames


def test_what_touches_is_drawn_as_thick_as_it_is():
    robot = simple_arm()
    touch = of_kind(make_parts(parse_environment(""), [robot]), "touch")
    radii = {
        f"robot0/{name}": shape.size[0]
        for name, shapes in zip(
            robot.model.link_names, robot.model.geometry, strict=True
        )
        for shape in shapes
        if shape.role == "collision"
    }
    assert {part.frame for part in touch} == set(radii)
    for part in touch:
        thickness = np.ptp(part.mesh.points, axis=0).min()
        assert thickness == pytest.approx(2.0 * radii[part.frame], rel=0.01)


def test_a_linear_motor_reaches_from_its_foot_to_its_end():
    robot = simple_arm()
    parts = make_parts(parse_environment(""), [robot])
    rod = next(part for part in parts if part.motor == ("robot0", "finger_left"))
    poses = {f"robot0/{name}": np.eye(4) for name in robot.model.link_names}
    end = np.eye(4)
    end[:3, 3] = 0.3, 0.4, 0.0
    poses[rod.to] = end
    drawn = drawables([rod], poses)[0].T_world_part
    assert_allclose(drawn @ [0.0, 0.0, 1.0, 1.0], [0.3, 0.4, 0.0, 1.0], atol=1e-12)
    assert_allclose(drawn[:3, 3], 0.0, atol=1e-12)
    assert_allclose(np.linalg.norm(drawn[:3, :3], axis=0), [1.0, 1.0, 0.5])


# -- highlights ------------------------------------------------------------------------

TRIGGERS = "TRIGGER BALLENTERS 5 IN 0 0 20 10 *\nTRIGGER CUBOIDBARRIER -1 OUT 1 -50 1 50 20 00FF00"


@pytest.mark.capability("AB-113")
@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("FFF", {"stand": None, "femur": None, "tibia": None}),
        ("TFF", {"stand": None, "femur": "moving", "tibia": "moving"}),
        ("FTF", {"stand": None, "femur": None, "tibia": "fast"}),
        ("TTF", {"stand": None, "femur": "moving", "tibia": "fast"}),
    ],
)
def test_servos_that_move_and_that_move_fast_are_marked(text, marks):
    flags = RenderFlags(**dict(zip(("moving", "fast", "triggers"), (c == "T" for c in text), strict=True)))  # fmt: skip
    robot = simple_arm()
    poses = {f"robot0/{name}": np.eye(4) for name in robot.model.link_names}
    speeds = [
        MotorSpeed("robot0", "stand", 0.0, 1.5),
        MotorSpeed("robot0", "femur", -0.9 * 1.5, 1.5),
        MotorSpeed("robot0", "tibia", -0.96 * 1.5, 1.5),
    ]
    parts = make_parts(parse_environment(""), [robot])
    drawn = drawables(parts, poses, motors=speeds, flags=flags)
    found = {d.part.motor[1]: d for d in drawn if d.part.motor}
    assert {name: found[name].mark for name in marks} == marks
    for name, mark in marks.items():
        expected = MARK_COLORS[mark] if mark else found[name].part.color
        assert found[name].color == expected


def test_ninety_five_percent_are_fast_and_a_little_less_is_not():
    flags = RenderFlags(moving=True, fast=True)
    assert mark_of(0.95, 1.0, flags) == "fast"
    assert mark_of(-0.9499, 1.0, flags) == "moving"
    assert mark_of(1e-6, 1.0, flags) is None


@pytest.mark.capability("AB-113")
def test_trigger_areas_are_shown_on_demand():
    parts = parts_of(TRIGGERS)
    assert not of_kind([d.part for d in drawables(parts, {})], "trigger")
    shown = drawables(parts, {}, flags=RenderFlags(triggers=True))
    circle, wall, barrier = [d for d in shown if d.part.kind == "trigger"]
    assert {circle.part.name, wall.part.name} == {"trigger_1"}
    assert np.hypot(*wall.part.mesh.points[:, :2].T).max() == pytest.approx(0.2)
    assert wall.part.mesh.points[:, 2].max() == pytest.approx(0.1)
    assert barrier.color == (0, 255, 0)
    assert np.ptp(barrier.part.mesh.points, axis=0)[1] == pytest.approx(1.0)
    assert all(d.part.alpha < 1.0 for d in (circle, wall, barrier))


@pytest.mark.slow
@pytest.mark.capability("AB-131")
def test_the_simulation_runs_without_the_drawing_layer(tmp_path):
    (tmp_path / "a.env").write_text(
        "MANIPULATOR manipulators.SimpleArm\nBALL 60 0 50 5 0 0.5 FF0000\n"
    )
    program = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.startswith("gelenk.robots.armbot.view"):
            raise ImportError(f"{name} is blocked")
sys.meta_path.insert(0, Blocked())
from gelenk.robots.armbot.options import parse_options
from gelenk.robots.armbot.session import open_cell
with open_cell(parse_options(["-e", sys.argv[1]])) as cell:
    cell.run.run(0.3)
    print(round(float(cell.world.pose("ball_1")[2, 3]), 3))
"""
    result = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "a.env")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert float(result.stdout) == pytest.approx(0.5 - 0.5 * 9.81 * 0.09, abs=0.002)
