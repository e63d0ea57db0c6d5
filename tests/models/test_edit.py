"""Robots are changed without leaving Python; what a robot knows is carried over."""

from __future__ import annotations

import numpy as np
import pytest

import gelenk
from gelenk.errors import ConfigError, ModelError, NameNotFoundError
from gelenk.models import RobotModel, model_from_urdf
from robot_files import URDF, world_poses

SRDF = """<robot name="crane">
  <group name="hand"><joint name="grip"/></group>
  <group_state name="up" group="arm"><joint name="luff" value="1"/>
    <joint name="grip" value="0.01"/></group_state>
  <disable_collisions link1="base" link2="mast"/>
  <disable_collisions link1="hook" link2="finger_left"/>
</robot>"""
T = np.array([[0, -1, 0, 0.1], [1, 0, 0, 0.2], [0, 0, 1, 0.3], [0, 0, 0, 1.0]])
Q = np.array([0.3, 0.4, 0.2, 0.01])


@pytest.fixture
def crane(tmp_path) -> RobotModel:
    path = tmp_path / "crane.srdf"
    path.write_text(SRDF)
    return model_from_urdf(URDF, srdf=path)


def test_a_tool_is_marked_or_put_on_a_link(crane: RobotModel) -> None:
    marked, pen = crane.with_tool("hook"), crane.with_tool("hook", T, name="pen")

    np.testing.assert_array_equal(marked.forward(Q), crane.forward(Q, "hook"))
    np.testing.assert_allclose(
        pen.forward(Q), crane.forward(Q, "hook") @ T, rtol=0, atol=1e-15
    )
    assert (marked.tool, pen.tool, crane.tool) == ("hook", "pen", "")
    assert marked.source is crane.source, "its file says the same of the mechanism"
    assert pen.source is None
    assert pen.poses["up"].tolist() == crane.poses["up"].tolist()
    with pytest.raises(NameNotFoundError, match="hok"):
        crane.with_tool("hok")


def test_a_frame_is_a_link_without_mass(crane: RobotModel) -> None:
    more = crane.with_frame("eye", "mast", T)

    values = dict(zip(crane.joint_names, Q, strict=True))
    expected = world_poses(crane, values)["mast"] @ T
    np.testing.assert_allclose(more.forward(Q, "eye"), expected, rtol=0, atol=1e-14)
    np.testing.assert_array_equal(more.mass_matrix(Q), crane.mass_matrix(Q))
    assert more.groups == crane.groups
    assert more.excluded_pairs == crane.excluded_pairs
    for bad, words in ((np.zeros((4, 4)), "not a pose"), (np.eye(3), "shape")):
        with pytest.raises((ModelError, gelenk.errors.ShapeError), match=words):
            crane.with_frame("eye", "mast", bad)
    with pytest.raises(ModelError, match="two links named"):
        crane.with_frame("hook", "mast")


def test_an_attached_robot_brings_its_poses_groups_and_pairs(crane: RobotModel) -> None:
    arm = gelenk.load("planar2r")

    whole = arm.with_attached("link_2", crane, T_link_root=T, prefix="c_")

    q = np.concatenate([[0.1, 0.2], Q])
    expected = arm.forward([0.1, 0.2], "link_2") @ T @ crane.forward(Q, "hook")
    np.testing.assert_allclose(whole.forward(q, "c_hook"), expected, rtol=0, atol=1e-14)
    assert whole.groups["c_hand"] == ("c_grip",)
    assert whole.poses["c_up"].tolist() == [
        *arm.home_configuration,
        *crane.poses["up"],
    ]
    assert ("c_base", "c_mast") in whole.excluded_pairs
    back = crane.with_attached("mast", arm, prefix="a_")
    pose = dict(zip(back.joint_names, back.poses["up"], strict=True))
    assert (pose["luff"], pose["grip"], pose["a_joint_1"]) == (
        1.0,
        0.01,
        arm.home_configuration[0],
    )


def test_a_payload_makes_the_source_untrue(crane: RobotModel) -> None:
    loaded = crane.with_payload("hook", mass=2.0)

    assert loaded.mass.sum() == pytest.approx(crane.mass.sum() + 2.0)
    assert loaded.source is None
    assert "payload of 2 kg on link 'hook'" in loaded.notes[-1]
    assert crane.source is not None


def test_armature_is_set_for_all_joints_or_by_name(crane: RobotModel) -> None:
    one, all_ = crane.with_armature({"luff": 0.5}), crane.with_armature(0.25)

    np.testing.assert_allclose(
        one.mass_matrix(Q) - crane.mass_matrix(Q), np.diag([0, 0.5, 0, 0]), atol=1e-13
    )
    assert all_.armature[all_.joint_ids].tolist() == [0.25] * 4
    assert all_.armature.sum() == 1.0, "followers have no motor of their own"
    with pytest.raises(NameNotFoundError, match="lufff"):
        crane.with_armature({"lufff": 1.0})
    with pytest.raises(ConfigError, match="`armature` must be finite and >= 0"):
        crane.with_armature(-1.0)


def test_links_are_left_out_with_all_that_they_carry(crane: RobotModel) -> None:
    bare = crane.with_tool("hook").without(["hook"])

    assert bare.link_names == ("base", "mast", "boom", "trolley")
    assert bare.joint_names == ("slew", "luff", "travel")
    np.testing.assert_allclose(
        bare.forward(Q[:3], "trolley"), crane.forward(Q, "trolley"), rtol=0, atol=1e-15
    )
    assert bare.poses["up"].tolist() == [0.0, 1.0, 0.0]
    assert bare.groups == {"hand": ()}
    assert bare.excluded_pairs == (("base", "mast"),)
    assert bare.tool == ""
    with pytest.raises(ConfigError, match="root link 'base' carries all others"):
        crane.without("base")
    with pytest.raises(ConfigError, match="'grip_mimic' follows 'grip'"):
        crane.without("finger_left")
    with pytest.raises(NameNotFoundError):
        crane.without("nothing")
