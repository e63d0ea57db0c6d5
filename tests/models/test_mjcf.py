"""What the MJCF reader understands; kinematics and masses are tested against MuJoCo."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gelenk.models.link import JointType
from gelenk.models.mjcf import load_mjcf, model_from_mjcf
from gelenk.models.tree import RobotModel
from robot_files import MJCF, assert_same_model


def read(world: str, rest: str = "") -> RobotModel:
    return model_from_mjcf(
        f'<mujoco model="m">{rest}<worldbody>{world}</worldbody></mujoco>'
    )


# -- the root link -----------------------------------------------------------------------


def test_a_single_body_without_joint_is_the_root() -> None:
    robot = read(
        '<body name="base" pos="1 2 3"><body name="arm"><joint/></body></body>'
    )

    assert robot.link_names == ("base", "arm")
    assert robot.joint_type[0] == JointType.FIXED
    assert robot.T_parent_joint[0, :3, 3].tolist() == [1.0, 2.0, 3.0]


def test_a_single_body_with_a_free_joint_is_a_floating_base() -> None:
    for joint in ('<freejoint name="f"/>', '<joint name="f" type="free"/>'):
        robot = read(
            f'<body name="trunk">{joint}<body name="leg"><joint/></body></body>'
        )

        assert robot.has_floating_base
        assert robot.link_names == ("trunk", "leg")
        assert robot.joint_names_all[0] == "f"


@pytest.mark.parametrize(
    "world",
    [
        '<body name="a"><joint/></body>',
        '<body name="a"/><body name="b"/>',
        '<body name="a" euler="0 90 0"/>',
        '<geom type="box" size="1 1 1"/>',
    ],
)
def test_in_all_other_files_the_world_is_the_root(world: str) -> None:
    robot = read(world)

    assert robot.link_names[0] == "world"
    assert robot.joint_type[0] == JointType.FIXED


def test_the_geoms_of_the_world_belong_to_it_only_when_it_is_a_link() -> None:
    box = '<geom type="box" size="1 1 1"/>'

    as_link = read(f'{box}<body name="a"><joint/></body>')
    as_scenery = read(f'{box}<body name="a"/>')

    assert [len(row) for row in as_link.geometry] == [1, 0]
    assert [len(row) for row in as_scenery.geometry] == [0]


def test_scenery_and_mocap_bodies_beside_a_floating_base_are_left_out() -> None:
    robot = read(
        '<body name="table"><body name="leg"/></body><body name="hand" mocap="true"/>'
        '<body name="trunk"><freejoint/></body>'
    )

    assert robot.link_names == ("trunk",)


# -- joints ------------------------------------------------------------------------------


def test_angles_are_degrees_unless_the_compiler_says_radian() -> None:
    body = '<body name="a"><joint name="j" range="-90 180" ref="30"/></body>'

    degrees = read(body)
    radians = read(body.replace("-90 180", "-1 2"), '<compiler angle="radian"/>')

    assert degrees.limits[:, 0] == pytest.approx([-np.pi / 2, np.pi], abs=1e-15)
    assert degrees.home[1] == pytest.approx(np.pi / 6, abs=1e-15)
    assert radians.limits[:, 0].tolist() == [-1.0, 2.0]
    assert radians.home[1] == 2.0  # 30 rad lie beyond the limits
    assert "'j'" in radians.notes[0]


def test_a_range_limits_only_where_it_should() -> None:
    joints = {
        '<joint range="-1 1"/>': True,
        '<joint range="-1 1" limited="false"/>': False,
        '<joint range="0 0"/>': False,
        "<joint/>": False,
    }
    for joint, is_limited in joints.items():
        robot = read(f'<body name="a">{joint}</body>')

        assert np.isfinite(robot.limits).all() == is_limited, joint


def test_several_joints_and_anchors_get_massless_links_in_between() -> None:
    robot = read(
        '<body name="a"><joint name="x" axis="1 0 0"/><joint name="y" pos="0 0 1"/>'
        '<geom size="0.1"/></body>'
    )

    assert robot.link_names == ("world", "a_x", "a_y", "a")
    assert robot.joint_names == ("x", "y")
    assert robot.mass[1:3].tolist() == [0.0, 0.0]
    assert robot.mass[3] > 4.0
    assert robot.T_parent_joint[3, :3, 3].tolist() == [0.0, 0.0, -1.0]


def test_unnamed_elements_get_names_that_are_free() -> None:
    robot = read(
        '<body><joint/><body name="body_1"><joint name="body_1_2_joint"/></body></body>'
    )

    assert robot.link_names == ("world", "body_1_2", "body_1")
    assert robot.joint_names == ("body_1_2_joint_2", "body_1_2_joint")


def test_sites_become_massless_fixed_links_and_yield_to_bodies_of_their_name() -> None:
    robot = read(
        '<body name="a"><site name="tip" pos="1 0 0"/><site/><site name="a"/></body>'
    )

    assert robot.link_names == ("a", "tip", "a_site")
    assert robot.mass.sum() == 0.0
    assert robot.T_parent_joint[1, 0, 3] == 1.0


# -- the rest ----------------------------------------------------------------------------


def test_the_file_with_everything_has_the_expected_inventory() -> None:
    robot = model_from_mjcf(MJCF)

    assert robot.name == "walker"
    assert robot.link_names == (
        "world", "rail", "thigh_hip_roll", "thigh_hip_pitch", "thigh", "shin", "foot",
        "head", "imu",
    )  # fmt: skip
    assert robot.joint_names == ("slide_x", "hip_roll", "hip_pitch")
    passive = [
        n for n, p in zip(robot.joint_names_all, robot.is_passive, strict=True) if p
    ]
    assert passive == ["hip_roll"]  # no motor; the knee follows the hip
    (mesh,) = robot.geometry[1]
    assert (mesh.mesh, mesh.size) == ("meshes/trunk.stl", (0.001, 0.001, 0.001))
    assert (mesh.rgba, mesh.role) == ((0.2, 0.4, 0.6, 1.0), "visual")
    rod, box = robot.geometry[4]
    assert (rod.kind, rod.role) == ("capsule", "visual")
    assert (box.kind, box.size) == ("box", (0.04, 0.06, 0.08))
    (head,) = robot.geometry[7]
    assert (head.kind, head.role, head.size) == ("sphere", "collision", (0.1,))


def test_default_classes_nest_and_the_nearest_wins() -> None:
    defaults = (
        '<default><joint damping="1" armature="1" frictionloss="1"/><default class="a">'
        '<joint armature="2" frictionloss="2"/><default class="b"><joint '
        'frictionloss="3"/></default></default></default>'
    )
    robot = read(
        '<body name="p" childclass="b"><joint/><body name="q"><joint class="a"/>'
        '<body name="r" childclass="a"><joint damping="7"/></body></body></body>'
        '<body name="s"><joint/></body>',
        defaults,
    )

    rows = np.stack([robot.damping, robot.armature, robot.friction], axis=1)[1:]
    expected = [[1, 2, 3], [1, 2, 2], [7, 2, 2], [1, 1, 1]]
    np.testing.assert_array_equal(rows, expected)


def test_a_linear_joint_equality_is_a_mimic_law_around_the_reference_values() -> None:
    # y - 0.2 = 0.1 - 0.5 (x - 0.4), so y = 0.5 - 0.5 x.
    robot = read(
        '<body name="a"><joint name="x" type="slide" ref="0.4"/></body>'
        '<body name="b"><joint name="y" type="slide" ref="0.2"/></body>',
        '<equality><joint joint1="y" joint2="x" polycoef="0.1 -0.5"/></equality>',
    )

    assert robot.joint_names == ("x",)
    assert robot.mimic[2] == 1
    assert robot.multiplier[2] == -0.5
    assert robot.offset[2] == pytest.approx(0.5, abs=1e-15)


def test_a_joint_equality_without_second_joint_holds_the_joint() -> None:
    robot = read(
        '<body name="a"><joint name="x" type="slide" ref="0.4"/></body>',
        '<equality><joint joint1="x" polycoef="0.1"/></equality>',
    )

    assert robot.limits[:, 0].tolist() == [0.5, 0.5]


def test_inactive_equalities_are_ignored() -> None:
    robot = read(
        '<body name="a"><joint/></body><body name="b"/>',
        '<equality><weld body1="a" body2="b" active="false"/></equality>',
    )

    assert not robot.loops


def test_joints_without_actuator_are_passive_if_the_file_tells_what_is_driven() -> None:
    body = (
        '<body name="a"><joint name="x"/><joint name="y"/><joint name="z"/>'
        '<site name="s"/></body>'
    )
    tendon = '<tendon><fixed name="t"><joint joint="y" coef="1"/></fixed></tendon>'

    none = read(body)
    empty = read(body, "<actuator/>")
    some = read(
        body,
        f'{tendon}<actuator><motor joint="x"/><position tendon="t"/></actuator>',
    )
    unclear = read(body, '<actuator><motor joint="x"/><general site="s"/></actuator>')

    assert none.is_passive.sum() == 0
    assert empty.is_passive.sum() == 3
    assert some.is_passive[1:4].tolist() == [False, False, True]
    assert unclear.is_passive.sum() == 0


def test_gravity_comes_from_the_options_and_can_be_switched_off() -> None:
    assert read("").gravity.tolist() == [0.0, 0.0, -9.81]
    assert read("", '<option gravity="1 2 3"/>').gravity.tolist() == [1.0, 2.0, 3.0]
    off = '<option><flag gravity="disable"/></option>'
    assert read("", off).gravity.tolist() == [0.0, 0.0, 0.0]


def test_included_files_take_the_place_of_the_include(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "main.xml").write_text(
        '<mujoco model="m"><include file="parts/defaults.xml"/><worldbody>'
        '<body name="a"><include file="parts/inside.xml"/><body name="c"/></body>'
        "</worldbody></mujoco>"
    )
    (tmp_path / "parts" / "defaults.xml").write_text(
        '<mujocoinclude><default><joint damping="3"/></default></mujocoinclude>'
    )
    (tmp_path / "parts" / "inside.xml").write_text(
        '<mujocoinclude><joint name="x"/><include file="deep.xml"/></mujocoinclude>'
    )
    (tmp_path / "parts" / "deep.xml").write_text(
        '<mujocoinclude><body name="b"/></mujocoinclude>'
    )
    whole = (
        '<mujoco model="m"><default><joint damping="3"/></default><worldbody>'
        '<body name="a"><joint name="x"/><body name="b"/><body name="c"/></body>'
        "</worldbody></mujoco>"
    )

    assert_same_model(load_mjcf(tmp_path / "main.xml"), model_from_mjcf(whole))


def test_the_name_of_a_nameless_robot_is_that_of_its_file(tmp_path: Path) -> None:
    path = tmp_path / "bot.xml"
    path.write_text("<mujoco/>")

    assert load_mjcf(path).name == "bot"


def test_hundreds_of_nested_bodies_are_no_problem() -> None:
    n = 450  # MuJoCo's parser ends at 500
    text = '<body><joint/><geom size="0.1"/>' * n + "</body>" * n

    robot = read(text)

    assert robot.num_joints == n
    assert robot.parent.tolist() == list(range(-1, n))
