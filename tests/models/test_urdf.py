"""What the URDF reader understands; oracle: the numbers in the file, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from gelenk.errors import ConfigError
from gelenk.models.link import JointType
from gelenk.models.urdf import load_urdf, model_from_urdf
from robot_files import URDF, assert_same_model

FLOATER = """<robot name="drone">
  <link name="sky"/><link name="body"/><link name="rotor"/>
  <joint name="free" type="floating"><origin xyz="0 0 2"/>
    <parent link="sky"/><child link="body"/></joint>
  <joint name="spin" type="continuous"><parent link="body"/><child link="rotor"/></joint>
</robot>"""


def test_joints_keep_the_order_of_the_file_and_links_go_depth_first() -> None:
    robot = model_from_urdf(URDF)

    assert robot.name == "crane"
    assert robot.link_names == (
        "base", "mast", "boom", "trolley", "hook", "finger_left", "finger_right",
    )  # fmt: skip
    assert robot.joint_names == ("slew", "luff", "travel", "grip")
    assert robot.joint_names_all[4] == "mount"


def test_limits_damping_and_mimic_laws_are_read() -> None:
    robot = model_from_urdf(URDF)

    i = robot.joint_names_all.index
    assert robot.limits[:, 0].tolist() == [-np.inf, np.inf]
    assert (robot.lower[i("luff")], robot.upper[i("luff")]) == (-0.5, 1.2)
    assert (robot.max_effort[i("slew")], robot.max_velocity[i("slew")]) == (80.0, 1.5)
    assert (robot.damping[i("slew")], robot.friction[i("slew")]) == (0.7, 0.1)
    follower = i("grip_mimic")
    assert robot.mimic[follower] == i("grip")
    assert (robot.multiplier[follower], robot.offset[follower]) == (-0.5, -0.01)


def test_an_axis_is_x_unless_stated_and_is_normalised() -> None:
    robot = model_from_urdf(URDF)

    i = robot.joint_names_all.index
    assert robot.axis[i("luff")].tolist() == [1.0, 0.0, 0.0]
    assert robot.axis[i("slew")].tolist() == [0.0, 0.0, 1.0]


def test_inertia_is_turned_from_the_inertial_frame_into_link_axes() -> None:
    # A quarter turn about z exchanges x and y: the moments swap, ixy changes sign.
    text = """<robot name="r"><link name="a"><inertial>
      <origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/><mass value="2"/>
      <inertia ixx="1" ixy="0.1" ixz="0.2" iyy="2" iyz="0.3" izz="2.5"/>
    </inertial></link></robot>"""

    robot = model_from_urdf(text)

    expected = [[2.0, -0.1, -0.3], [-0.1, 1.0, 0.2], [-0.3, 0.2, 2.5]]
    np.testing.assert_allclose(robot.inertia[0], expected, atol=1e-15)
    assert robot.com[0].tolist() == [1.0, 2.0, 3.0]


def test_shapes_keep_kind_size_place_and_colour() -> None:
    robot = model_from_urdf(URDF)

    plate, ring = robot.geometry[0]
    assert (plate.kind, plate.size, plate.role) == ("box", (0.4, 0.3, 0.1), "visual")
    assert plate.name == "plate"
    assert plate.rgba == (0.5, 0.5, 0.6, 1.0)  # a material of the robot
    np.testing.assert_allclose(
        np.asarray(plate.T_link_geometry)[:2, :2],
        [[np.cos(0.5), -np.sin(0.5)], [np.sin(0.5), np.cos(0.5)]],
    )
    assert (ring.kind, ring.size, ring.role) == ("cylinder", (0.2, 0.1), "collision")
    (mesh,) = robot.geometry[1]
    assert (mesh.mesh, mesh.size) == ("package://crane/mast.dae", (1.0, 1.0, -1.0))
    capsule, sphere = robot.geometry[2]
    assert (capsule.kind, capsule.size) == ("capsule", (0.05, 0.8))
    assert capsule.rgba == (1.0, 0.0, 0.0, 0.5)  # defined inside another visual
    assert (sphere.kind, sphere.size) == ("sphere", (0.06,))


def test_a_floating_joint_at_the_root_makes_a_floating_base() -> None:
    robot = model_from_urdf(FLOATER)

    assert robot.has_floating_base
    assert robot.link_names == ("body", "rotor")
    assert robot.joint_names_all == ("free", "spin")
    assert robot.T_parent_joint[0, 2, 3] == 2.0


def test_a_world_with_mass_is_left_out_and_said_so() -> None:
    heavy = '<link name="sky"><inertial><mass value="1"/><inertia ixx="1" ixy="0" '
    heavy += 'ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>'

    robot = model_from_urdf(FLOATER.replace('<link name="sky"/>', heavy))

    assert robot.mass.sum() == 0.0
    assert "'sky' stands for the world" in robot.notes[0]


def test_any_root_can_be_made_to_float() -> None:
    fixed, floating = model_from_urdf(URDF), model_from_urdf(URDF, base="floating")

    assert floating.joint_type[0] == JointType.FLOATING
    assert floating.nq == fixed.nq + 7
    assert_same_model(floating, fixed, without="joint_type")
    with pytest.raises(ConfigError, match="must be 'fixed' or 'floating', got 'loose'"):
        model_from_urdf(URDF, base="loose")  # pyright: ignore[reportArgumentType]


def test_a_joint_named_like_the_root_does_not_clash_with_the_root_joint() -> None:
    text = FLOATER.replace('"spin"', '"body_joint"').replace("floating", "fixed")

    robot = model_from_urdf(text.replace('"free"', '"sky_joint"'))

    assert robot.joint_names_all == ("root_sky_joint", "sky_joint", "body_joint")


@pytest.mark.parametrize("word", ["inf", "1e400", "1.7976931348623157e308", "1e30"])
def test_huge_limits_mean_no_limit(word: str) -> None:
    text = URDF.replace('lower="-0.5" upper="1.2"', f'lower="-{word}" upper="{word}"')

    robot = model_from_urdf(text)

    assert robot.limits[:, 1].tolist() == [-np.inf, np.inf]


def test_a_largest_speed_or_effort_of_zero_means_that_none_is_stated() -> None:
    text = URDF.replace('effort="200" velocity="0.5"', 'effort="0" velocity="0.0"')

    robot = model_from_urdf(text)

    i = robot.joint_names_all.index("luff")
    assert (robot.max_effort[i], robot.max_velocity[i]) == (np.inf, np.inf)


@pytest.mark.filterwarnings("ignore:.*no package 'crane'")
def test_a_file_with_byte_order_mark_or_in_utf_16_reads_the_same(tmp_path) -> None:
    expected = model_from_urdf(URDF)
    body = URDF.split("?>", 1)[1]
    for encoding in ("utf-8-sig", "utf-16", "latin-1"):
        path = tmp_path / f"{encoding}.urdf"
        name = encoding.removesuffix("-sig")
        declared = f'<?xml version="1.0" encoding="{name}"?>' + body
        path.write_bytes(declared.encode(encoding))

        assert_same_model(load_urdf(path), expected)


def test_a_chain_of_two_thousand_links_is_no_problem() -> None:
    n = 2000
    links = "".join(f'<link name="l{i}"/>' for i in range(n))
    joints = "".join(
        f'<joint name="j{i}" type="continuous"><parent link="l{i}"/>'
        f'<child link="l{i + 1}"/></joint>'
        for i in range(n - 1)
    )

    robot = model_from_urdf(f'<robot name="snake">{links}{joints}</robot>')

    assert robot.num_joints == n - 1
    assert robot.parent.tolist() == list(range(-1, n - 1))
