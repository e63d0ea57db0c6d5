"""Robots with meshes on their way to the page."""

from __future__ import annotations

import struct
import warnings
from pathlib import Path

import numpy as np
import pytest

from gelenk.geometry import Mesh
from gelenk.geometry.solids import box_mesh
from gelenk.models import load
from gelenk.sim.renderer_view import RendererView
from gelenk.ui import messages as m
from gelenk.ui.gallery_arms import scene_of_file
from gelenk.ui.messages import Body
from gelenk.ui.scene_encoder import SceneEncoder
from ui.stage_rig import open_stage

RED = (1.0, 0.0, 0.0, 1.0)


def write_stl(path: Path, mesh: Mesh) -> None:
    corners = mesh.vertices[mesh.faces].astype("<f4")
    rows = [struct.pack("<12fH", 0, 0, 0, *row.ravel(), 0) for row in corners]
    path.write_bytes(bytes(80) + struct.pack("<I", len(rows)) + b"".join(rows))


def write_robot(folder: Path, *, mesh: str = "arm.stl", color: str = "1 0 0 1") -> Path:
    """Write a post with an arm that is a mesh of 0.2 x 0.1 x 0.6 m."""
    write_stl(folder / "arm.stl", box_mesh((200.0, 100.0, 600.0)))
    inertial = (
        "<inertial><mass value='1'/><inertia ixx='.1' iyy='.1' izz='.1' "
        "ixy='0' ixz='0' iyz='0'/></inertial>"
    )
    path = folder / "robot.urdf"
    path.write_text(
        f"""<robot name="post">
        <link name="base">{inertial}
          <visual><geometry><box size=".4 .4 .1"/></geometry>
            <material name="b"><color rgba="0 0 1 1"/></material></visual></link>
        <link name="arm">{inertial}
          <visual><origin xyz="0 0 .3"/>
            <geometry><mesh filename="{mesh}" scale=".001 .001 .001"/></geometry>
            <material name="r"><color rgba="{color}"/></material></visual>
          <collision><origin xyz="0 0 .3"/>
            <geometry><cylinder radius=".1" length=".6"/></geometry></collision></link>
        <joint name="turn" type="revolute"><parent link="base"/><child link="arm"/>
          <origin xyz="0 0 .05"/><axis xyz="0 0 1"/>
          <limit lower="-1" upper="2" effort="1" velocity="1"/></joint>
        </robot>"""
    )
    return path


def encode(path: Path) -> SceneEncoder:
    live = scene_of_file(path).make(0, {})
    plain = m.Scene(number=1, name="n", title="t", step=0.1, period=0.1, bodies=())
    try:
        return SceneEncoder(RendererView(live.world), plain)
    finally:
        live.free()


def body_of(encoder: SceneEncoder, name: str) -> Body:
    (body,) = (body for body in encoder.scene.bodies if body.name == name)
    return body


def test_a_mesh_of_a_robot_is_looked_at_and_its_other_shape_touches(
    tmp_path: Path,
) -> None:
    encoder = encode(write_robot(tmp_path))

    seen, touching = body_of(encoder, "robot/arm").shapes

    assert (seen.shape, seen.role, seen.rgba) == ("mesh", "visual", RED)
    assert (touching.shape, touching.role) == ("cylinder", "collision")
    np.testing.assert_allclose(seen.bounds, (-0.1, -0.05, -0.3, 0.1, 0.05, 0.3))
    np.testing.assert_allclose(seen.position, (0.0, 0.0, 0.3))
    assert encoder.assets.find(seen.mesh)
    assert encoder.missing == ()


def test_the_first_view_reaches_around_meshes(tmp_path: Path) -> None:
    scene = encode(write_robot(tmp_path)).scene

    assert scene.focus[2] == pytest.approx(0.35, abs=0.01)


def test_where_a_mesh_is_missing_what_touches_is_drawn(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        encoder = encode(write_robot(tmp_path, mesh="lost.stl"))

    (shape,) = body_of(encoder, "robot/arm").shapes

    assert (shape.shape, shape.role) == ("cylinder", "both")
    assert encoder.missing == ("robot/arm",)


def test_a_robot_of_the_catalogue_has_no_meshes_and_touches_with_what_is_seen() -> None:
    from gelenk.sim import IdealMotor, Robot, World

    world = World()
    world.add(Robot(name="a", model=load("ur5e"), motors=IdealMotor(max_speed=1.0)))
    plain = m.Scene(number=1, name="n", title="t", step=0.1, period=0.1, bodies=())

    encoder = SceneEncoder(RendererView(world), plain)

    shapes = [shape for body in encoder.scene.bodies for shape in body.shapes]
    assert not any(shape.mesh for shape in shapes)
    assert {shape.role for shape in shapes} >= {"both"}
    assert len(encoder.assets) == 0


def test_the_joints_of_a_file_follow_their_sliders(tmp_path: Path) -> None:
    spec = scene_of_file(write_robot(tmp_path))
    with open_stage({spec.name: spec}) as listener:
        listener.do(m.OpenScene, name=spec.name)
        scene = listener.of(m.Scene)[-1]
        (slider,) = scene.panel.parameters
        assert (slider.name, slider.minimum, slider.maximum) == ("turn", -1.0, 2.0)
        mesh = next(s.mesh for b in scene.bodies for s in b.shapes if s.mesh)
        assert listener.stage.find_asset(mesh)
        assert listener.stage.find_asset("other") is None

        listener.do(m.SetParameter, name="turn", value=1.5)
        listener.wait(lambda: abs(listener.latest().values[0] - 1.5) < 1e-3)
        listener.refused(m.SetParameter, name="turn", value=2.5)

        listener.do(m.CloseScene)
        listener.status(lambda status: status.scene == 0)
        assert listener.stage.find_asset(mesh) is None
