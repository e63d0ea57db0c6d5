"""Faults of URDF files in use are mended with a warning that names line and remedy."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import gelenk
from gelenk.errors import FileFormatError, ModelWarning
from gelenk.models import JointType, RobotModel, model_from_urdf
from gelenk.models.urdf import load_urdf
from robot_files import URDF

INERTIA = 'ixx="0.3" ixy="0.01" ixz="-0.02" iyy="0.4" iyz="0.03" izz="0.5"'
LUFF = 'lower="-0.5" upper="1.2" effort="200" velocity="0.5"'
BOX = '<box size="0.4 0.3 0.1"/>'
ORIGIN = 'xyz="0 0 0.2"'
RED = '<material name="red"><color rgba="1 0 0 0.5"/></material>'


def joint(model: RobotModel, name: str) -> int:
    return model.joint_names_all.index(name)


def sound() -> RobotModel:
    return model_from_urdf(URDF)


def placed_at(*xyz: float) -> Callable[[RobotModel], bool]:
    return lambda m: m.T_parent_joint[joint(m, "slew"), :3, 3].tolist() == [*xyz]


RING = (
    '<link name="p"/><link name="q"/><joint name="pq" type="fixed"><parent link="p"/>'
    '<child link="q"/></joint>\n<joint name="qp" type="fixed"><parent link="q"/>'
    '<child link="p"/></joint></robot>'
)


# What is written instead of what, a text in the line to be named, words of the warning,
# and what is true of the model.
FAULTS: dict[
    str, tuple[str, str, str, tuple[str, ...], Callable[[RobotModel], bool]]
] = {
    "no robot name": (
        'name="crane"', "", "<robot", ("called 'crane'", "write <robot"),
        lambda m: m.name == "crane",
    ),
    "mimic of an unknown joint": (
        'joint="grip" mul', 'joint="gripp" mul', "<mimic", ("no joint 'gripp'",),
        lambda m: "grip_mimic" in m.joint_names,
    ),
    "mimic of a fixed joint": (
        'joint="grip" mul', 'joint="mount" mul', "<mimic",
        ("'mount' does not move", "left out"), lambda m: "grip_mimic" in m.joint_names,
    ),
    "mimic in a fixed joint": (
        '<parent link="trolley"/>', '<parent link="trolley"/><mimic joint="grip"/>',
        '<mimic joint="grip"/>', ("does not move",), lambda m: m.nq == 4,
    ),
    "mimic in a circle": (
        'joint="grip" mul', 'joint="grip_mimic" mul', "<mimic", ("in a circle",),
        lambda m: m.nq == 5,
    ),
    "negative moment": (
        INERTIA, INERTIA.replace('"0.4"', '"-0.4"'), 'link name="base"',
        ("negative", "nearest tensor", "check the signs"),
        lambda m: bool(np.linalg.eigvalsh(m.inertia[0]).min() >= 0.0),
    ),
    "triangle": (
        INERTIA, INERTIA.replace('"0.5"', '"0.9"'), 'link name="base"',
        ("exceeds the sum", "they are kept"),
        lambda m: abs(np.trace(m.inertia[0]) - 1.6) < 1e-12,
    ),
    "missing moment": (
        INERTIA, INERTIA.replace('ixy="0.01"', ""), "<inertia ", ("`ixy` is missing",),
        lambda m: m.mass[0] == 12.0,
    ),
    "missing mass": (
        '<mass value="12"/>', "", "<inertial>", ("<mass> is missing", "taken as 0"),
        lambda m: m.mass[0] == 0.0,
    ),
    "several roots": (
        "</robot>", '<link name="lost"/></robot>', 'name="lost"',
        ("2 roots", "fixed to 'base'", "child of a joint"),
        lambda m: "lost" in m.link_names,
    ),
    "two links of one name": (
        '<link name="hook"/>', '<link name="hook"/>\n<link name="boom"/>',
        '<link name="boom"/>', ("taken by the link in line", "rename"),
        lambda m: m.mass[m.link_id("boom")] == 3.0,
    ),
    "two joints of one name": (
        'joint name="grip_mimic"', 'joint name="luff"', 'name="luff" type="prismatic"',
        ("taken by the joint in line", "called 'luff_2'"),
        lambda m: "luff_2" in m.joint_names_all,
    ),
    "nan": (ORIGIN, 'xyz="0 nan 0.2"', "nan", ("read as '0 0 0.2'",), placed_at(0, 0, 0.2)),
    "decimal comma": (
        ORIGIN, 'xyz="0 0 0,2"', "0,2", ("read as '0 0 0.2'",), placed_at(0, 0, 0.2),
    ),
    "commas between": (
        ORIGIN, 'xyz="0, 0, 0.2"', "0, 0,", ("read as '0 0 0.2'",), placed_at(0, 0, 0.2),
    ),
    "four numbers": (
        'scale="1 1 -1"', 'scale="1 1 -1 1"', "scale", ("read as '1 1 -1'",),
        lambda m: m.geometry[1][0].size == (1.0, 1.0, -1.0),
    ),
    "one scale": (
        'scale="1 1 -1"', 'scale="0.001"', "scale", ("read as '0.001 0.001 0.001'",),
        lambda m: m.geometry[1][0].size == (0.001,) * 3,
    ),
    "joint without a parent": (
        '<parent link="hook"/><child link="finger_right"/>',
        '<child link="finger_right"/>', 'name="grip_mimic"',
        ("it has no parent", "left out"), lambda m: m.nq == 4,
    ),
    "a link that does not exist": (
        '<child link="finger_right"/>', '<child link="toe"/>', 'name="grip_mimic"',
        ("no link 'toe'", "left out"), lambda m: m.nq == 4,
    ),
    "two joints with one child": (
        '<child link="finger_right"/>', '<child link="finger_left"/>',
        'name="grip_mimic"', ("already carried by joint 'grip'",), lambda m: m.nq == 4,
    ),
    "ring of joints": (
        "</robot>",
        RING,
        'name="pq"', ("closes a ring",), lambda m: {"p", "q"} <= set(m.link_names),
    ),
    "upper case": (
        'type="continuous"', 'type="Continuous"', 'name="slew"', ("'continuous'",),
        lambda m: m.joint_names[0] == "slew",
    ),
    "ball joint": (
        'type="continuous"', 'type="spherical"', 'name="slew"', ("as a ball joint",),
        lambda m: m.nq == 7 and m.joint_type[1] == JointType.BALL,
    ),
    "unknown shape": (
        BOX, '<cube size="1"/>', "<cube", ("no shape of a URDF", "use one of"),
        lambda m: len(m.geometry[0]) == 1,
    ),
    "two shapes": (
        BOX, f'{BOX}<sphere radius="1"/>', "<visual", ("2 shapes", "each is read"),
        lambda m: [g.kind for g in m.geometry[0]] == ["box", "cylinder", "sphere"],
    ),
    "no shape": (BOX, "", "<visual", ("shape is missing",), lambda m: len(m.geometry[0]) == 1),
    "sphere without radius": (
        'radius="0.06"', 'radius="0"', 'radius="0"', ("without extent",),
        lambda m: len(m.geometry[2]) == 1,
    ),
    "two materials": (
        RED, f'<material name="none"/>{RED}', '<material name="none"/>',
        ("two <material>", "delete"), lambda m: m.geometry[1][0].rgba == (1, 0, 0, 0.5),
    ),
    "two axes": (
        '<axis xyz="0 0 2"/>', '<axis xyz="0 0 2"/>\n<axis xyz="1 0 0"/>',
        '<axis xyz="1 0 0"/>', ("two <axis>",), lambda m: m.axis[1].tolist() == [0, 0, 1],
    ),
    "lower above upper": (
        LUFF, LUFF.replace("-0.5", "1.5"), 'lower="1.5"', ("swapped", "swap the two"),
        lambda m: (m.lower[2], m.upper[2]) == (1.2, 1.5),
    ),
    "negative speed": (
        LUFF, LUFF.replace('"0.5"', '"-0.5"'), "<limit lower", ("without the sign",),
        lambda m: m.max_velocity[2] == 0.5,
    ),
    "revolute without limits": (
        f"<limit {LUFF}/>", "", 'name="luff"', ("needs a <limit>", "without limits"),
        lambda m: bool(np.isinf(m.upper[2])),
    ),
    "joint without name": (
        'joint name="mount"', "joint", '<joint type="fixed"', ("called 'hook_joint'",),
        lambda m: "hook_joint" in m.joint_names_all,
    ),
    "xacro inside": (
        "</robot>", '<xacro:property name="x" value="1"/></robot>', "<xacro:",
        ("xacro template is left out", "expand"), lambda m: m.nq == 4,
    ),
}  # fmt: skip

# Without the joint a link hangs on nothing, which is told as well.
LEAVES_A_ROOT = (
    "joint without a parent",
    "a link that does not exist",
    "two joints with one child",
    "ring of joints",
)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_mended_with_a_warning_and_refused_if_strict(fault: str) -> None:
    old, new, place, words, is_so = FAULTS[fault]
    assert URDF.count(old) == 1, "the edit must be unambiguous"
    text = URDF.replace(old, new)
    line = text[: text.index(place)].count("\n") + 1

    with pytest.warns(ModelWarning) as caught:
        model = model_from_urdf(text, path="folder/crane.urdf")

    assert len(caught) == 1 + (fault in LEAVES_A_ROOT)
    message = str(caught[0].message)
    assert message.startswith(f"folder/crane.urdf, line {line}")
    assert caught[0].filename == __file__, "the warning names the user's line"
    for word in words:
        assert word in message
    assert model.notes[0] == message
    assert is_so(model), model
    if fault not in ("triangle", "sphere without radius"):  # physical or drawn or not
        with pytest.raises(FileFormatError):
            model_from_urdf(text, strict=True)


def test_a_sound_file_is_read_without_a_note() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert sound().notes == ()


def test_many_faults_of_a_kind_give_one_warning_and_a_note_each() -> None:
    text = URDF.replace(ORIGIN, 'xyz="0 0 0,2"').replace("0.1 0 1.2", "0,1 0 1,2")

    with pytest.warns(ModelWarning, match="and 1 more, see `notes`") as caught:
        model = model_from_urdf(text)

    assert len(caught) == 1
    assert len(model.notes) == 2


@pytest.mark.parametrize("blank", [b"\n", b"  \r\n\n", b"\xef\xbb\xbf\n"])
def test_blank_lines_before_the_declaration_do_not_matter(
    tmp_path: Path, blank: bytes
) -> None:
    path = tmp_path / "crane.urdf"
    path.write_bytes(blank + URDF.replace("package://crane/mast.dae", "a.stl").encode())
    (tmp_path / "a.stl").touch()

    assert load_urdf(path).joint_names == sound().joint_names
    assert gelenk.load(path).joint_names == sound().joint_names
    with pytest.raises(FileFormatError, match="not well-formed"):
        load_urdf(path, strict=True)


PLANAR = (
    '<robot name="slab"><link name="table"/><link name="disc"><inertial><mass value="2"/>'
    '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
    '<joint name="glide" type="planar"><parent link="table"/><child link="disc"/>'
    '<origin xyz="0 0 1"/><axis xyz="0 1 0"/></joint></robot>'
)


def test_a_planar_joint_is_two_slides_and_a_hinge_about_the_normal() -> None:
    slab = model_from_urdf(PLANAR)

    assert slab.joint_names == ("glide_x", "glide_y", "glide")
    q = np.array([0.3, -0.2, 0.7])
    T = slab.forward(q, "disc")
    assert T[1, 3] == 0.0, "it stays in the plane"
    assert np.linalg.norm(T[:3, 3] - [0, 0, 1]) == pytest.approx(np.hypot(0.3, 0.2))
    np.testing.assert_allclose(T[:3, 1], [0, 1, 0], atol=1e-15)
    assert np.trace(T[:3, :3]) == pytest.approx(1 + 2 * np.cos(0.7))
    np.testing.assert_allclose(
        slab.mass_matrix(q), np.diag([2.0, 2.0, 1.0]), atol=1e-14
    )


def test_a_joint_that_floats_inside_is_three_slides_and_a_ball() -> None:
    text = PLANAR.replace("planar", "floating").replace(
        "</robot>",
        '<link name="lamp"/><joint name="pole" type="fixed"><parent link="table"/>'
        '<child link="lamp"/></joint></robot>',
    )
    slab = model_from_urdf(text)

    assert not slab.has_floating_base
    assert slab.joint_names == ("glide_x", "glide_y", "glide_z", "glide")
    assert slab.nq == 7
    q = [0.1, 0.2, 0.3, 0.5, 0.5, 0.5, 0.5]
    T = slab.forward(q, "disc")
    np.testing.assert_allclose(T[:3, 3], [0.1, 0.2, 1.3], atol=1e-15)
    np.testing.assert_allclose(T[:3, :3], np.eye(3)[[2, 0, 1]], atol=1e-15)
    assert "three slides and a ball" in slab.notes[0]


def test_the_home_configuration_lies_within_the_limits() -> None:
    text = URDF.replace(LUFF, LUFF.replace("-0.5", "0.4"))
    model = model_from_urdf(text)

    assert model.home_configuration.tolist() == [0.0, 0.4, 0.0, 0.0]


def test_what_names_a_robot_wrongly_many_times_is_still_read_quickly() -> None:
    links = "".join(f'<link name="l{i}"/>' for i in range(3000))
    joints = "".join(
        f'<joint name="j" type="Revolute"><parent link="l{i}"/><child link="l{i + 1}"/>'
        f'<mimic joint="j_{i}"/></joint>'
        for i in range(2999)
    )

    with pytest.warns(ModelWarning):
        model = model_from_urdf(f"<robot>{links}{joints}</robot>")

    assert len(model.link_names) == 3000
