"""Tests of arm + wrist + gripper = robot: who is who, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.errors import ModelError
from gelenk.models.parts import Assembly, Tip
from gelenk.robots.armbot import grippers, manipulators
from gelenk.robots.armbot.classes import load_class
from gelenk.robots.armbot.design import design_robot
from gelenk.robots.armbot.environment.description import Given, Place
from gelenk.robots.armbot.grippers import SuctionGripper, TwoFingerGripper
from gelenk.robots.armbot.interface.moves import wrist_values
from gelenk.robots.armbot.kinematics import make_direct
from gelenk.robots.armbot.manipulators import SimpleArm, SixAxisArm, TripodArm
from gelenk.robots.armbot.model import GripperModel, ManipulatorModel

ARMS = sorted(name for name in dir(manipulators) if name.endswith("Arm"))
GRIPPERS = ["TwoFingerGripper", "ThreeFingerGripper", "SuctionGripper"]
WRIST = ("wrist_xy", "wrist_xz", "wrist_yz")


class Stick(GripperModel):
    """The simplest gripper."""

    tcp = (0.02, 0.0, 0.0)

    def build(self, base: Tip) -> None:
        base.segment(0.02, "stick").touch_point("tip")


def random_rotation(rng: np.random.Generator) -> np.ndarray:
    R = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    return R * np.linalg.det(R)


# -- the robot -----------------------------------------------------------------------


@pytest.mark.parametrize("gripper", GRIPPERS)
@pytest.mark.parametrize("arm", ARMS)
def test_every_arm_carries_every_gripper(arm: str, gripper: str) -> None:
    manipulator = getattr(manipulators, arm)()
    design = design_robot(manipulator, getattr(grippers, gripper)())
    robot = design.robot
    assert design.arm.tool == design.mount == "mount"
    assert robot.tool == design.tcp == "tcp"
    assert design.wrist_joints == (() if manipulator.has_own_wrist else WRIST)
    everything = (*design.arm_joints, *design.wrist_joints, *design.gripper_joints)
    assert sorted(everything) == sorted(robot.joint_names)
    for joints, ids in (
        (design.arm_joints, design.arm_ids),
        (design.wrist_joints, design.wrist_ids),
        (design.gripper_joints, design.gripper_ids),
    ):
        assert tuple(robot.joint_names[i] for i in ids) == joints
    assert design.fingers == design.touch_links
    q = robot.home_configuration
    T_base = robot.forward(q, frame=design.gripper_base)
    assert_allclose(robot.forward(q), T_base @ design.T_gripper_tcp, atol=1e-12)
    # With the wrist at zero the gripper looks where the mount looks.
    assert_allclose(T_base, robot.forward(q, frame=design.mount), atol=1e-12)


def test_motors_of_the_arm_need_not_stand_in_one_row() -> None:
    design = design_robot(TripodArm(), TwoFingerGripper())
    assert design.robot.joint_names[:2] == ("leg_1", "wrist_xy")
    assert design.arm_ids.tolist() == [0, 6, 7]
    q = design.robot.home_configuration
    q[design.arm_ids] = 0.62, 0.66, 0.70
    T = make_direct(design).pose((0.62, 0.66, 0.70))
    assert_allclose(design.robot.forward(q, frame="mount"), T, atol=1e-12)


def test_without_a_gripper_the_arm_ends_at_its_mount() -> None:
    design = design_robot(SimpleArm(), None)
    assert design.robot is design.arm
    assert design.wrist_joints == design.gripper_joints == design.fingers == ()
    assert design.tcp == design.gripper_base == "mount"
    assert_allclose(design.T_gripper_tcp, np.eye(4))


def test_touching_parts_of_the_arm_are_no_fingers() -> None:
    class Paddle(ManipulatorModel):
        def build(self, body: Assembly) -> Tip:
            return (
                body.servo("stand").touch_segment(0.3, "blade").gripper_mount("mount")
            )

    design = design_robot(Paddle(), Stick())
    assert design.touch_links == ("blade", "tip")
    assert design.fingers == ("tip",)
    assert design_robot(Paddle(), None).touch_links == ("blade",)


@pytest.mark.capability("AB-190")
@pytest.mark.parametrize("arm", ["SimpleArm", "TripodArm", "TightLenArm"])
def test_the_wrist_gives_the_gripper_any_orientation_at_any_arm_pose(arm: str) -> None:
    design = design_robot(getattr(manipulators, arm)(), TwoFingerGripper())
    robot, direct, rng = design.robot, make_direct(design), np.random.default_rng(1)
    low, high = robot.limits[:, design.wrist_ids]
    lower, upper = design.arm.limits
    home = design.arm.home_configuration
    rows, wanted, mounts = [], [], []
    for _ in range(1000):
        q = home + rng.uniform(0.3, 0.4) * (rng.uniform(lower, upper) - home)
        T, R = direct.pose(q), random_rotation(rng)
        before = rng.uniform(-3.0, 3.0, 3)
        values = wrist_values(T[:3, :3].T @ R, before, low, high)
        assert values is not None
        row = robot.home_configuration
        row[design.arm_ids], row[design.wrist_ids] = q, values
        rows.append(row)
        wanted.append(R)
        mounts.append(T[:3, 3])
    Ts = robot.forward(np.array(rows), frame=design.gripper_base)
    assert np.abs(Ts[:, :3, :3] - np.array(wanted)).max() < 1e-9
    assert np.abs(Ts[:, :3, 3] - np.array(mounts)).max() < 1e-12


@pytest.mark.capability("AB-12")
def test_arm_and_gripper_of_a_user_become_a_robot_by_their_names(
    tmp_path: Path,
) -> None:
    (tmp_path / "own.py").write_text(
        "from gelenk.robots.armbot.model import GripperModel, ManipulatorModel\n"
        "class Lift(ManipulatorModel):\n"
        "    '''A lift.'''\n"
        "    def build(self, body):\n"
        "        up = body.linear_motor('lift', limits=(0.1, 0.5), turn=(0, 1.5708, 0))\n"
        "        return up.gripper_mount('mount')\n"
        "class Poker(GripperModel):\n"
        "    '''A stick.'''\n"
        "    tcp = (0.1, 0.0, 0.0)\n"
        "    def build(self, base):\n"
        "        base.touch_segment(0.1, 'stick').termination_point()\n"
    )
    place = Place(str(tmp_path / "cell.env"), 1, 1)
    arm = load_class(
        Given(text="own.Lift", place=place), ManipulatorModel, kind="manipulator"
    )
    hand = load_class(
        Given(text="own.py:Poker", place=place), GripperModel, kind="gripper"
    )
    design = design_robot(arm(), hand())
    assert design.arm_joints == ("lift",)
    assert design.fingers == ("stick",)
    assert_allclose(make_direct(design).position([0.3]), (0, 0, 0.3), atol=2e-6)


# -- what is refused -----------------------------------------------------------------


def refused(build: Any, gripper: GripperModel | None = None) -> str:
    """Return the message for an arm whose `build` is the given function."""
    arm = type("Bad", (ManipulatorModel,), {"build": lambda self, body: build(body)})
    with pytest.raises(ModelError) as caught:
        design_robot(arm(), gripper)
    return str(caught.value)


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda body: None, "Bad.build must return the gripper mount, got None"),
        (lambda body: body.servo("a"), "must return the gripper mount, got servo 'a'"),
        (lambda body: Assembly().servo("a").gripper_mount("m"), "another robot"),
        (lambda body: body.segment(0.1).gripper_mount("mount"), "Bad has no motor"),
        (
            lambda body: _both(body.servo("a").gripper_mount("m")),
            "the gripper mount 'm' carries 'x' already",
        ),
        (
            lambda body: _left_open(body).gripper_mount("mount"),
            "Bad: a chain ends in servo 'loose'",
        ),
        (
            lambda body: body.servo("a").servo("a").gripper_mount("mount"),
            "there are two parts named 'a'",
        ),
    ],
)
def test_what_is_no_arm_is_refused(build: Any, words: str) -> None:
    message = refused(build)
    assert words in message
    assert "Bad" in message


def _both(mount: Tip) -> Tip:
    mount.termination_point("x")
    return mount


def _left_open(body: Assembly) -> Tip:
    body.servo("loose")
    return body.servo("a")


def test_an_error_in_a_developers_code_names_class_and_line() -> None:
    class Crash(ManipulatorModel):
        def build(self, body: Assembly) -> Tip:
            return [body.servo("a")][1]

    with pytest.raises(
        ModelError, match=r"Crash.build failed, .*test_design.py:\d+: "
    ) as e:
        design_robot(Crash(), None)
    assert "IndexError" in str(e.value)
    assert isinstance(e.value.__cause__, IndexError)


def test_an_arm_without_build_is_refused() -> None:
    with pytest.raises(ModelError, match="has no build"):
        design_robot(ManipulatorModel(), None)
    with pytest.raises(ModelError, match="has no build"):
        design_robot(SimpleArm(), GripperModel())


def test_chains_that_do_not_meet_at_the_start_are_refused() -> None:
    def build(body: Assembly) -> Tip:
        legs = [
            body.fullrot(at=at).linear_motor(f"leg_{i}", limits=(0.1, 0.5), home=0.1)
            for i, at in enumerate(((0.3, 0, 0), (-0.3, 0.2, 0), (-0.3, -0.2, 0)))
        ]
        return body.closed_chain("top", legs).gripper_mount("mount")

    assert "does not close where its motors start" in refused(build)


def test_part_names_of_wrist_and_gripper_must_be_free() -> None:
    def build(body: Assembly) -> Tip:
        return body.servo("wrist_xy").gripper_mount("mount")

    message = refused(build, Stick())
    assert "Stick on Bad" in message
    assert "two parts named 'wrist_xy'" in message


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"build": lambda self, base: base.segment(0.1).termination_point()},
            "touches",
        ),
        ({"tcp": (0.1, 0.0)}, "`tcp` must be three finite numbers"),
        ({"tcp": (0.1, 0.0, np.nan)}, "`tcp` must be three finite numbers"),
        ({"grasp": "glue"}, "`grasp` must be 'fingers' or 'suction', got 'glue'"),
        (
            {"open_values": {"thumb": 1.0}},
            "each motor of the gripper (none), got thumb",
        ),
        ({"build": lambda self, base: base.servo("wrist_xy")}, "two parts named"),
    ],
)
def test_what_is_no_gripper_is_refused(changes: dict[str, Any], words: str) -> None:
    hand = type("Claw", (Stick,), changes)
    with pytest.raises(ModelError) as caught:
        design_robot(SimpleArm(), hand())
    assert "Claw" in str(caught.value)
    assert words in str(caught.value)


def test_opening_beyond_the_limits_is_refused() -> None:
    class Wide(TwoFingerGripper):
        open_values = {"finger_left": 0.5, "finger_right": 0.05}  # noqa: RUF012

    with pytest.raises(ModelError, match=r"sends 'finger_left' to 0\.5, outside"):
        design_robot(SimpleArm(), Wide())


def test_an_arm_with_its_own_wrist_gets_no_servos_for_one() -> None:
    design = design_robot(SixAxisArm(), SuctionGripper())
    assert design.robot.joint_names == design.arm_joints
