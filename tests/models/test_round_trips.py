"""Robots go to files and back with meshes, colours, springs, poses, transmissions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import mujoco
import numpy as np
import pytest

import gelenk
from gelenk.errors import ModelWarning
from gelenk.geometry import Mesh
from gelenk.models import Geometry, JointType, Link, RobotModel, save_urdf
from gelenk.models.assembler import assemble
from gelenk.models.urdf import load_urdf, model_from_urdf
from gelenk.models.urdf_write import urdf_from_model
from robot_files import URDF

CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]]) / 3.0
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
PYRAMID = Mesh(vertices=CORNERS, faces=FACES)


def obj(mesh: Mesh) -> str:
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in mesh.vertices.tolist()]
    return "\n".join(
        lines + [f"f {a} {b} {c}" for a, b, c in (mesh.faces + 1).tolist()]
    )


@pytest.fixture
def crane(tmp_path: Path) -> RobotModel:
    """Return a robot from a package with a mesh and an image."""
    package = tmp_path / "crane"
    (package / "urdf").mkdir(parents=True)
    (package / "mast.obj").write_text(obj(PYRAMID))
    (package / "skin.png").write_bytes(b"image")
    text = URDF.replace("mast.dae", "mast.obj").replace(
        '<color rgba="0.5 0.5 0.6 1"/>',
        '<color rgba="0.5 0.5 0.6 1"/><texture filename="../skin.png"/>',
    )
    (package / "urdf/crane.urdf").write_text(text)
    return load_urdf(package / "urdf/crane.urdf")


def springy() -> RobotModel:
    links = [
        Link(name="base"),
        Link(name="arm", parent="base", joint_type=JointType.REVOLUTE, mass=1.0,
             inertia=np.eye(3), stiffness=4.0, rest=0.3, armature=0.1, home=0.2,
             gravity_compensation=0.5,
             geometry=(Geometry(kind="mesh", size=(1, 1, 2.0), data=PYRAMID),)),
        Link(name="head", parent="arm", joint_type=JointType.BALL, mass=1.0,
             inertia=np.eye(3)),
        Link(name="jaw", parent="head", joint_type=JointType.PRISMATIC, mass=1.0,
             inertia=np.eye(3), lower=0.0, upper=1.0),
    ]  # fmt: skip
    nod = np.array([0.5, 0.5, -0.5, 0.5, -0.5, 0.25])
    return assemble(
        "doll", links, poses={"nod": nod}, excluded_pairs=[("base", "head")]
    )


@pytest.mark.parametrize("copy", [False, True])
def test_meshes_are_found_from_the_new_urdf(
    crane: RobotModel, tmp_path: Path, copy: bool
) -> None:
    new = tmp_path / "crane" / "other" / "new.urdf"
    new.parent.mkdir()

    save_urdf(crane, new, copy_meshes=copy)

    again = load_urdf(new)
    mast, plate = again.geometry[1][0], again.geometry[0][0]
    assert mast.path is not None
    assert plate.texture is not None
    folder = new.parent / "meshes" if copy else tmp_path / "crane"
    assert mast.path == folder / "mast.obj"
    assert mast.path.read_text() == obj(PYRAMID)
    assert plate.texture == folder / "skin.png"
    assert mast.size == (1.0, 1.0, -1.0)
    assert [g.rgba for row in again.geometry for g in row] == [
        g.rgba for row in crane.geometry for g in row
    ]


def test_transmissions_and_other_tags_stay_where_their_joints_do(
    crane: RobotModel,
) -> None:
    text = urdf_from_model(crane)

    assert "<type>simple</type>" in text
    assert '<joint name="slew"/>' in text
    assert '<gazebo reference="base">' in text
    assert urdf_from_model(model_from_urdf(text)) == urdf_from_model(
        model_from_urdf(urdf_from_model(model_from_urdf(text)))
    )
    renamed = replace(crane, joint_names_all=("x", *crane.joint_names_all[1:]))
    assert "<transmission" in urdf_from_model(renamed)
    assert "<transmission" not in urdf_from_model(crane.without("hook"))


def test_what_urdf_cannot_hold_is_named(tmp_path: Path) -> None:
    with pytest.warns(ModelWarning) as caught:
        save_urdf(springy(), tmp_path / "doll.urdf")

    said = " ".join(str(warning.message) for warning in caught)
    for words in ("rotor inertia of 'arm_joint'", "springs of 'arm_joint'",
                  "gravity compensation of 'arm'", "ball joints 'head_joint'"):  # fmt: skip
        assert words in said
    with pytest.warns(ModelWarning, match="as a ball joint"):
        again = gelenk.load(tmp_path / "doll.urdf")
    mesh = again.geometry[1][0].path
    assert mesh is not None
    assert len(mesh.read_text().splitlines()) == 8
    np.testing.assert_array_equal(again.poses["nod"], springy().poses["nod"])
    assert again.home_configuration[0] == 0.2
    assert again.excluded_pairs == (("base", "head"),)
    with pytest.warns(ModelWarning) as caught:
        urdf_from_model(springy())
    assert any("inline meshes" in str(warning.message) for warning in caught)


def test_mujoco_finds_springs_poses_pairs_and_meshes_in_the_mjcf(
    tmp_path: Path,
) -> None:
    doll = springy()
    gelenk.save_mjcf(doll, tmp_path / "doll.xml")

    model = mujoco.MjModel.from_xml_path(str(tmp_path / "doll.xml"))

    assert model.jnt_stiffness[0] == 4.0
    assert model.qpos_spring[0] == 0.3
    assert model.dof_armature[0] == 0.1
    assert model.body_gravcomp[2] == 0.5
    assert model.nexclude == 1
    np.testing.assert_array_equal(model.key("nod").qpos, doll.poses["nod"])
    assert model.key("home").qpos[0] == 0.2
    assert model.nmesh == 1
    assert (tmp_path / "meshes" / "arm_0.obj").is_file()


def test_inline_meshes_stand_in_a_text_of_mjcf() -> None:
    from gelenk.models import mjcf_from_model

    model = mujoco.MjModel.from_xml_string(mjcf_from_model(springy()))

    assert model.nmesh == 1


def test_impossible_moments_are_mended_in_the_file_with_a_warning(
    tmp_path: Path,
) -> None:
    link = Link(name="a", mass=1.0, inertia=np.diag([1.0, 1.0, 3.0]))
    top = assemble("top", [replace(link, joint_type=JointType.FLOATING)])

    with pytest.warns(ModelWarning, match="principal moments of a;"):
        gelenk.save_mjcf(top, tmp_path / "top.xml")

    model = mujoco.MjModel.from_xml_path(str(tmp_path / "top.xml"))
    np.testing.assert_allclose(
        np.sort(model.body_inertia[1]), [1.5, 1.5, 3.0], atol=1e-5
    )


MJCF = """<mujoco model="pusher">
  <compiler meshdir="parts" angle="radian"/>
  <include file="assets.xml"/>
  <worldbody>
    <body name="rod">
      <joint name="slide" type="slide" axis="1 0 0"/>
      <inertial mass="0.123456789012" pos="0 0 0" diaginertia="1 1 1"/>
      <geom type="mesh" mesh="tip" material="red"/>
    </body>
  </worldbody>
  <actuator><position name="push" joint="slide" kp="77"/></actuator>
</mujoco>
"""


@pytest.mark.parametrize("copy", [False, True])
def test_an_unchanged_robot_keeps_what_its_mjcf_file_says(
    tmp_path: Path, copy: bool
) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    (old / "parts").mkdir(parents=True)
    new.mkdir()
    (old / "parts/tip.obj").write_text(obj(PYRAMID))
    assets = '<mesh file="tip.obj"/><material name="red" rgba="1 0 0 1"/>'
    (old / "assets.xml").write_text(f"<mujoco><asset>{assets}</asset></mujoco>")
    (old / "pusher.xml").write_text(MJCF)
    pusher = gelenk.load(old / "pusher.xml")

    gelenk.save_mjcf(pusher, new / "pusher.xml", copy_meshes=copy)

    model = mujoco.MjModel.from_xml_path(str(new / "pusher.xml"))
    assert model.actuator("push").gainprm[0] == 77.0
    assert model.body("rod").mass[0] == 0.123456789012
    assert model.mat("red").rgba.tolist() == [1, 0, 0, 1]
    assert (new / "meshes/tip.obj").is_file() == copy
    assert gelenk.load(new / "pusher.xml").mass.tolist() == pusher.mass.tolist()
    heavier = replace(pusher, mass=pusher.mass * 2.0)
    with pytest.warns(ModelWarning, match="was changed since it was read"):
        gelenk.save_mjcf(heavier, new / "heavier.xml")
    model = mujoco.MjModel.from_xml_path(str(new / "heavier.xml"))
    assert model.body("rod").mass[0] == pytest.approx(0.246913578024)
