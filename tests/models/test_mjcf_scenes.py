"""The robot of an MJCF scene, and what of the scene is kept beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

from gelenk.errors import ConfigError, FileFormatError
from gelenk.models.link import JointType
from gelenk.models.mjcf import load_mjcf, model_from_mjcf
from gelenk.models.mjcf_engine import spec_of_source
from gelenk.models.tree import ModelSource, RobotModel

BALL = '<geom size="0.1"/>'
CUBE = f'<body name="cube" pos="3 0 0"><freejoint name="cube_free"/>{BALL}</body>'
ARM = (
    f'<body name="base">{BALL}<body name="upper" pos="0 0 1"><joint name="shoulder" '
    f'axis="0 1 0"/>{BALL}</body></body>'
)
DOG = (
    f'<body name="trunk" pos="0 0 0.4"><freejoint name="free"/>{BALL}<body name="leg">'
    f'<joint name="hip" axis="0 1 0"/>{BALL}</body></body>'
)


def read(world: str, rest: str = "") -> RobotModel:
    return model_from_mjcf(
        f'<mujoco model="m"><worldbody>{world}</worldbody>{rest}</mujoco>'
    )


def test_a_loose_object_beside_an_arm_is_noted_and_no_link() -> None:
    alone, scene = read(ARM), read(ARM + CUBE)

    assert scene.link_names == alone.link_names == ("base", "upper")
    assert scene.notes == ("loose objects that are no part of the robot: 'cube'",)


def test_a_floating_robot_stands_beside_objects_scenery_and_mocap_bodies() -> None:
    robot = read(
        CUBE + DOG + f'<body name="table">{BALL}</body><body name="hand" mocap="true"/>'
    )

    assert robot.link_names == ("trunk", "leg")
    assert robot.has_floating_base
    for name in ("loose objects", "'cube'", "scenery", "'table'", "'hand'"):
        assert any(name in note for note in robot.notes)


def test_of_several_floating_robots_the_one_with_most_joints_is_taken() -> None:
    small = DOG.replace('"', "'").replace("trunk", "pup")
    small = small.replace("leg", "paw").replace("hip", "ankle").replace("free'", "f'")
    big = DOG.replace("</body></body>", f"<body><joint/>{BALL}</body></body></body>")

    robot = read(small + big)

    assert robot.link_names[:2] == ("trunk", "leg")
    assert any("'pup'" in note for note in robot.notes)


def test_a_driven_arm_is_the_robot_beside_an_undriven_thing_with_joints() -> None:
    driven = read(ARM + DOG, '<actuator><motor joint="shoulder"/></actuator>')
    undriven = read(ARM + DOG)

    assert driven.link_names == ("base", "upper")
    assert undriven.link_names == ("trunk", "leg")


def test_a_driven_body_without_joints_is_a_robot_that_flies() -> None:
    drone = f'<body name="drone"><freejoint/>{BALL}<site name="rotor"/></body>'

    robot = read(CUBE + drone, '<actuator><motor site="rotor"/></actuator>')

    assert robot.link_names == ("drone", "rotor")


def test_the_corners_of_deformable_bodies_are_no_joints() -> None:
    cloth = (
        '<flexcomp name="cloth" type="grid" count="3 3 1" spacing="0.1 0.1 0.1" '
        'radius="0.01" pos="0 0 2"/>'
    )
    robot = read(ARM + cloth)

    assert robot.joint_names == ("shoulder",)
    assert "kept for the world: 1 deformable body" in robot.notes


def test_what_a_model_cannot_hold_is_counted_in_one_sentence() -> None:
    robot = read(
        ARM.replace("<joint", '<camera name="eye"/><site name="s"/><joint'),
        '<tendon><fixed name="t"><joint joint="shoulder" coef="1"/></fixed></tendon>'
        '<actuator><position tendon="t" kp="3"/></actuator><sensor><jointpos '
        'joint="shoulder"/><gyro site="s"/></sensor>',
    )

    assert robot.notes == (
        "kept for the world: 1 actuator, 1 tendon, 2 sensors, 1 camera",
    )


def test_equalities_that_no_model_can_hold_are_named() -> None:
    two = (
        '<body name="a"><joint name="x"/></body><body name="b"><joint name="y"/></body>'
    )
    robot = read(
        two + CUBE,
        '<equality><joint name="bent" joint1="y" joint2="x" polycoef="0 1 2"/>'
        '<weld name="held" body1="a" body2="cube"/><joint name="one" joint1="x" '
        'joint2="y"/><joint name="other" joint1="y" joint2="x"/></equality>',
    )

    text = "\n".join(robot.notes)
    assert "equality 'bent' is kept for the world only: the coupling" in text
    assert "equality 'held' is kept for the world only: it holds a body that" in text
    assert "equality 'other' is kept for the world only: the joint follows" in text
    assert robot.joint_names == ("y",)


def test_the_source_gives_the_whole_file_back_to_a_world() -> None:
    robot = read(
        ARM + CUBE + f"<body><joint/>{BALL}</body>",
        '<actuator><position joint="shoulder" kp="7"/></actuator>',
    )
    assert robot.source is not None

    spec: Any = spec_of_source(robot.source)

    compiled: Any = spec.compile()
    names = [compiled.body(b).name for b in range(compiled.nbody)]
    assert robot.source.bodies == ("base", "upper", "body_4")
    assert names == ["world", "base", "upper", "cube", "body_4"]
    joints = [compiled.joint(j).name for j in range(compiled.njnt)]
    assert set(robot.joint_names) == {"shoulder", "body_4_joint"} < set(joints)
    assert compiled.actuator_gainprm[0, 0] == 7.0


def test_a_source_of_another_format_has_no_spec() -> None:
    with pytest.raises(ConfigError, match="must be MJCF"):
        spec_of_source(ModelSource(kind="urdf"))


# -- keyframes ---------------------------------------------------------------------------

KEYS = (
    '<keyframe><key name="lying" qpos="5 0 0 1 0 0 0  1 2 3 0 0 0 2  0.3"/>'
    '<key name="home" qpos="5 0 0 1 0 0 0  0 0 0.5 1 0 0 1  0.4"/>'
    '<key qpos="5 0 0 1 0 0 0  0 0 0.6 1 0 0 0  9"/></keyframe>'
)


def test_all_keyframes_are_poses_with_the_base_of_the_robot() -> None:
    robot = read(CUBE + DOG, KEYS)

    assert list(robot.poses) == ["lying", "home", "key_2"]
    assert robot.poses["lying"].tolist() == [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0, 0.3]
    half = np.sqrt(0.5)
    np.testing.assert_allclose(
        robot.home_configuration, [0, 0, 0.5, half, 0, 0, half, 0.4], atol=1e-15
    )


def test_without_a_keyframe_home_the_first_one_is_home() -> None:
    robot = read(CUBE + DOG, KEYS.replace('"home"', '"other"'))

    np.testing.assert_array_equal(robot.home_configuration, robot.poses["lying"])


def test_without_keyframes_the_base_is_where_the_file_draws_it() -> None:
    assert read(DOG).base_home.tolist() == [0.0, 0.0, 0.4, 1.0, 0.0, 0.0, 0.0]


def test_home_lies_within_the_limits_and_a_note_says_who_was_moved() -> None:
    robot = read(
        ARM.replace('"shoulder"', '"shoulder" range="10 60"'),
        '<keyframe><key name="home" qpos="3"/></keyframe>',
    )

    assert robot.home[1] == pytest.approx(np.pi / 3, abs=1e-15)
    assert robot.poses["home"].tolist() == [3.0]
    assert robot.notes == ("home was brought into the limits of joints 'shoulder'",)


def test_a_ball_joint_keeps_its_quaternion_in_a_pose() -> None:
    robot = read(
        f'<body name="a"><joint name="b" type="ball" stiffness="3"/>{BALL}</body>',
        '<keyframe><key name="up" qpos="0 2 0 0"/></keyframe>',
    )

    assert robot.joint_type[1] == JointType.BALL
    assert robot.stiffness[1] == 3.0
    assert robot.poses["up"].tolist() == [0.0, 1.0, 0.0, 0.0]  # of length 1


# -- joints and motors -------------------------------------------------------------------


def test_springs_gravity_compensation_and_excluded_pairs_are_kept() -> None:
    robot = read(
        f'<body name="a" gravcomp="0.7"><joint name="x" stiffness="5" springref="30"/>'
        f'{BALL}<body name="b"><joint name="y"/>{BALL}</body></body>' + CUBE,
        '<contact><exclude body1="a" body2="b"/><exclude body1="b" body2="cube"/>'
        "</contact>",
    )

    i = robot.link_names.index("a")
    assert robot.gravity_compensation[i] == 0.7
    assert robot.stiffness[i] == 5.0
    assert robot.rest[i] == pytest.approx(np.pi / 6, abs=1e-15)
    assert robot.excluded_pairs == (("a", "b"),)


@pytest.mark.parametrize(
    ("actuator", "limit"),
    [
        ('<motor joint="x" gear="50" ctrlrange="-1 2"/>', 100.0),
        ('<position joint="x" kp="3" forcerange="-8 7"/>', 8.0),
        ('<general joint="x" gear="2" forcerange="-8 8"/>', 16.0),
        ('<position joint="x" kp="3" ctrlrange="-1 1"/>', np.inf),
        ('<motor joint="x" ctrlrange="-4 4"/><motor joint="x" ctrlrange="-3 3"/>', 7.0),
        ('<motor joint="x" ctrlrange="-4 4"/><motor joint="x"/>', np.inf),
        ('<motor joint="x"/>', np.inf),
    ],
)
def test_the_largest_effort_is_that_of_the_actuators(
    actuator: str, limit: float
) -> None:
    world = f'<body name="a"><joint name="x"/>{BALL}</body>'
    strong = read(world, f"<actuator>{actuator}</actuator>")
    weak = read(
        world.replace("<joint", '<joint actuatorfrcrange="-6 6"'),
        f"<actuator>{actuator}</actuator>",
    )

    assert strong.max_effort[1] == limit
    assert weak.max_effort[1] == min(limit, 6.0)


def test_losses_that_no_model_can_hold_are_noted() -> None:
    robot = read(
        f'<body name="a"><joint name="f" type="free" damping="2"/>{BALL}<body name="b">'
        f'<joint name="x" range="2 1"/>{BALL}</body></body>'
    )

    assert "losses and inertia were left out of floating joints 'f'" in robot.notes
    assert any("no limit of joints 'x'" in note for note in robot.notes)
    assert robot.upper[1] == np.inf


# -- tools -------------------------------------------------------------------------------


def chain(count: int, sites: str) -> str:
    inner = sites
    for k in range(count):
        inner = f'<body><joint name="j{k}"/>{BALL}{inner}</body>'
    return inner


@pytest.mark.parametrize(
    ("sites", "tool"),
    [
        ('<site name="attachment_site"/>', "attachment_site"),
        ('<site name="left/TCP"/><site name="imu"/>', "left/TCP"),
        ('<site name="attachment_site"/><site name="pinch"/>', "pinch"),
        ('<site name="ee_a_site"/><site name="gripper_ee_site"/>', "gripper_ee_site"),
        ('<site name="left_ee"/><site name="right_ee"/>', ""),
        ('<site name="knee"/><site name="feet"/>', ""),
    ],
)
def test_a_site_that_is_named_like_a_tool_is_the_tool(sites: str, tool: str) -> None:
    assert read(chain(3, sites)).tool == tool


def test_only_arms_have_a_tool_by_name() -> None:
    site = '<site name="tcp"/>'

    assert read(chain(2, site)).tool == ""
    assert read(f"<body><freejoint/>{BALL}{chain(3, site)}</body>").tool == ""


# -- inertias ----------------------------------------------------------------------------


def test_bodies_that_the_engine_refuses_keep_the_numbers_of_the_file() -> None:
    robot = read(
        '<body name="a"><joint name="x"/></body><body name="b" euler="0 0 90">'
        '<joint name="y"/><inertial mass="2" pos="0 0 1" diaginertia="1 1 3"/></body>'
    )

    assert robot.mass.tolist() == [0.0, 0.0, 2.0]
    assert not robot.inertia[1].any()
    np.testing.assert_array_equal(robot.inertia[2], np.diag([1.0, 1.0, 3.0]))
    assert any("body 'b' are those of no rigid body" in note for note in robot.notes)


def test_static_bodies_stay_links_where_the_file_would_have_them_fused() -> None:
    robot = model_from_mjcf(
        '<mujoco><compiler fusestatic="true" discardvisual="true"/><worldbody><body '
        f'name="a"><joint/>{BALL}<body name="b"><geom name="seen" size="1" contype="0" '
        'conaffinity="0"/></body></body></worldbody></mujoco>'
    )

    assert robot.link_names == ("world", "a", "b")
    assert [shape.name for shape in robot.geometry[2]] == ["seen"]


def test_warnings_of_the_engine_become_notes() -> None:
    robot = model_from_mjcf(
        f'<mujoco><compiler settotalmass="7"/><worldbody>{ARM}</worldbody></mujoco>'
    )

    assert robot.mass.sum() == pytest.approx(7.0, rel=1e-15)
    assert any("MuJoCo warns: " in note for note in robot.notes)


# -- several files -----------------------------------------------------------------------

GRIPPER = (
    '<mujoco><compiler angle="radian" meshdir="parts"/><asset><mesh file="pad.obj"/>'
    '</asset><worldbody><body name="palm"><joint name="grip" range="-1 1"/>'
    '<geom type="mesh" mesh="pad"/></body></worldbody></mujoco>'
)
PAD = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def test_an_attached_model_brings_its_own_settings_and_files(tmp_path: Path) -> None:
    folder = tmp_path / "robot" / "hands"
    (folder / "parts").mkdir(parents=True)
    (folder / "hand.xml").write_text(GRIPPER)
    (folder / "parts" / "pad.obj").write_text(PAD)
    main = tmp_path / "robot" / "arm.xml"
    main.write_text(
        '<mujoco><asset><model name="hand" file="hands/hand.xml"/></asset><worldbody>'
        f'<body name="wrist"><joint name="turn" range="-90 90"/>{BALL}'
        '<attach model="hand" body="palm" prefix="left_"/></body></worldbody></mujoco>'
    )

    robot = load_mjcf(main)

    assert robot.joint_names == ("turn", "left_grip")
    np.testing.assert_allclose(robot.limits[1], [np.pi / 2, 1.0], rtol=1e-15)
    (pad,) = robot.geometry[robot.link_names.index("left_palm")]
    assert pad.path == folder / "parts" / "pad.obj"
    assert robot.source is not None
    assert spec_of_source(robot.source).compile().nmesh == 1


def test_a_fault_in_an_attached_model_is_found_in_its_file(tmp_path: Path) -> None:
    hand = tmp_path / "hand.xml"
    hand.write_text('<mujoco><worldbody>\n<body name="palm">\n<joint tpye="ball"/>\n'
                    "</body></worldbody></mujoco>")  # fmt: skip
    main = tmp_path / "arm.xml"
    main.write_text(
        '<mujoco><asset><model name="hand" file="hand.xml"/></asset><worldbody>\n'
        '<attach model="hand" body="palm" prefix="l"/></worldbody></mujoco>'
    )

    with pytest.raises(FileFormatError, match="tpye"):
        load_mjcf(main)


def test_a_model_that_attaches_itself_is_refused(tmp_path: Path) -> None:
    main = tmp_path / "arm.xml"
    main.write_text(
        '<mujoco><asset><model name="me" file="arm.xml"/></asset><worldbody>'
        '<attach model="me" body="a" prefix="l"/></worldbody></mujoco>'
    )

    with pytest.raises(FileFormatError, match="attaches itself"):
        load_mjcf(main)


@pytest.mark.parametrize(
    "element",
    [
        '<worldbody><replicate count="1000"><replicate count="900"/></replicate></worldbody>',
        '<asset><texture name="t" builtin="flat" width="99999" height="99999"/></asset>',
        '<asset><hfield name="h" nrow="99999" ncol="99999" size="1 1 1 1"/></asset>',
        '<size nkey="1000000000"/>',
        '<size nuser_geom="1000000000"/>',
        '<worldbody><flexcomp name="f" type="grid" count="999 999 999"/></worldbody>',
    ],
)
def test_counts_that_would_fill_the_memory_are_refused(element: str) -> None:
    with pytest.raises(FileFormatError, match="more elements than any robot needs"):
        model_from_mjcf(f"<mujoco>{element}</mujoco>")


def test_mujoco_opens_no_file_by_itself(tmp_path: Path) -> None:
    mesh = tmp_path / "secret.obj"
    mesh.write_text(PAD)
    text = (
        f'<mujoco><asset><mesh name="m" file="{mesh}"/></asset><worldbody><body>'
        '<geom type="mesh" mesh="m"/></body></worldbody></mujoco>'
    )
    assert mujoco.MjModel.from_xml_string(text).nmeshvert == 4

    (shape,) = model_from_mjcf(text).geometry[0]

    assert shape.data is None
