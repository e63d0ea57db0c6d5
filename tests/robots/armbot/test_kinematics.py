"""Tests of the kinematics for controllers: all arms, all methods.

Oracles: the test vectors of the paper's Simple Arm, finite differences, the built robot
itself (direct kinematics of what the inverse returns).
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.models.parts import Assembly, Tip
from gelenk.robots.armbot import manipulators
from gelenk.robots.armbot.cell import Cell
from gelenk.robots.armbot.config import IK_TOLERANCE
from gelenk.robots.armbot.design import RobotDesign, design_robot
from gelenk.robots.armbot.environment.read import read_environment
from gelenk.robots.armbot.grippers import ThreeFingerGripper, TwoFingerGripper
from gelenk.robots.armbot.interface.kinematics import (
    DirectKinematics,
    InverseKinematics,
    NotClosedError,
)
from gelenk.robots.armbot.kinematics import (
    gripper_target,
    make_direct,
    make_inverse,
    solve_tcp,
)
from gelenk.robots.armbot.model import ManipulatorModel
from gelenk.robots.armbot.options import parse_options
from gelenk.robots.armbot.setup import make_setup
from gelenk.typing import ArrayLike, FloatArray

ARMS = sorted(name for name in dir(manipulators) if name.endswith("Arm"))
WITHOUT_FORMULA = ("FiveAxisArm", "TightRotArm")
DOWN = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
START = np.deg2rad([10.0, 40.0, -60.0])
TARGET = (0.35, 0.15, 0.10)
SOLUTION = np.deg2rad([23.198591, 24.699137, -89.045026])


class OffsetWrist(ManipulatorModel):
    """Six servos whose last three axes do not meet: the wrist is coupled."""

    has_own_wrist = True

    def build(self, body: Assembly) -> Tip:
        return (
            body.servo("a")
            .segment((0, 0, 0.2))
            .servo("b", axis="xz", limits=(-2.0, 2.5), home=1.0)
            .segment(0.3)
            .servo("c", axis="xz", limits=(-2.7, 2.7), home=-1.5)
            .segment(0.2)
            .servo("d", axis="yz")
            .segment((0.05, 0.0, 0.03))
            .servo("e", axis="xz", limits=(-2.0, 2.0), home=-0.8)
            .segment(0.06)
            .servo("f", axis="yz")
            .segment((0.05, 0.02, 0.0))
            .gripper_mount("mount")
        )


def design(name: str) -> RobotDesign:
    return design_robot(getattr(manipulators, name)(), TwoFingerGripper())


def targets(count: int, seed: int) -> FloatArray:
    """Return positions that every arm reaches, shape (count, 3)."""
    rng = np.random.default_rng(seed)
    return rng.uniform((0.28, -0.12, 0.10), (0.43, 0.12, 0.44), (count, 3))


def pose(R: FloatArray, p: ArrayLike) -> FloatArray:
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R, p
    return T


def rotation(rng: np.random.Generator, largest: float) -> FloatArray:
    """Return a rotation by at most an angle, by Rodrigues' formula."""
    axis = rng.normal(size=3)
    x, y, z = axis / np.linalg.norm(axis)
    angle = rng.uniform(0.0, largest)
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * K @ K


# -- direct --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ARMS)
def test_jacobians_are_derivatives_of_the_pose(name: str) -> None:
    robot, rng = design(name), np.random.default_rng(1)
    direct = make_direct(robot)
    home = robot.arm.home_configuration
    spread = np.subtract(*robot.arm.limits[::-1]).clip(max=2.0)
    for _ in range(5):
        q = np.clip(
            home + 0.1 * spread * rng.uniform(-1, 1, len(home)), *robot.arm.limits
        )
        J, h = direct.jacobian(q), 1e-6
        assert_allclose(direct.position_jacobian(q), J[:3], atol=1e-6)
        for i in range(len(q)):
            step = h * np.eye(len(q))[i]
            ahead, behind = direct.pose(q + step), direct.pose(q - step)
            assert_allclose(J[:3, i], (ahead - behind)[:3, 3] / (2 * h), atol=1e-6)
            W = (ahead - behind)[:3, :3] @ direct.pose(q)[:3, :3].T / (2 * h)
            assert_allclose(J[3:, i], (W[2, 1], W[0, 2], W[1, 0]), atol=1e-6)


def test_the_position_jacobian_is_that_of_the_paper() -> None:
    J = make_direct(design("SimpleArm")).position_jacobian(START)
    in_centimetres = [
        [-8.070064, -10.570064, 8.420602],
        [45.767610, -1.863788, 1.484779],
        [0.0, 46.473649, 23.492315],
    ]
    assert_allclose(100.0 * J, in_centimetres, atol=1e-5)


def test_legs_that_are_too_short_to_meet_are_reported() -> None:
    direct = make_direct(design("TripodArm"))
    with pytest.raises(NotClosedError, match="union"):
        direct.pose((0.45, 1.05, 1.05))
    with pytest.raises(NotClosedError):
        direct.jacobian((0.45, 1.05, 1.05))


class OwnSimpleArm(DirectKinematics):
    """The Simple Arm as a student writes it: one method."""

    def pose(self, q: ArrayLike) -> FloatArray:
        stand, femur, tibia = np.asarray(q)
        r = 0.30 * np.cos(femur) + 0.25 * np.cos(femur + tibia)
        z = 0.20 + 0.30 * np.sin(femur) + 0.25 * np.sin(femur + tibia)
        c, s = np.cos(stand), np.sin(stand)
        u, w = np.cos(femur + tibia), np.sin(femur + tibia)
        R = np.array([[c * u, -s, -c * w], [s * u, c, -s * w], [w, 0.0, u]])
        return pose(R, (r * c, r * s, z))


def test_what_a_student_leaves_out_follows_from_the_pose() -> None:
    own, ours = OwnSimpleArm(), make_direct(design("SimpleArm"))
    rng = np.random.default_rng(2)
    for q in rng.uniform(-1.5, 1.5, (10, 3)):
        assert_allclose(own.pose(q), ours.pose(q), atol=1e-12)
        assert_allclose(own.position(q), ours.position(q), atol=1e-12)
        assert_allclose(own.position_jacobian(q), ours.jacobian(q)[:3], atol=1e-8)
        assert_allclose(own.jacobian(q), ours.jacobian(q), atol=1e-8)


@pytest.mark.parametrize("method", ["closed", "down", "jac"])
def test_inverse_kinematics_tries_out_with_the_students_own(method: str) -> None:
    robot = design("SimpleArm")
    inverse = make_inverse(robot, OwnSimpleArm(), method)  # type: ignore[arg-type]
    found = inverse.solve(TARGET, START)
    assert found.ok
    assert_allclose(found.q, SOLUTION, atol=1e-4)
    if method == "jac":
        T = OwnSimpleArm().pose(SOLUTION)
        assert inverse.solve_pose(T, START).ok


def test_nothing_is_silently_missing_in_an_own_kinematics() -> None:
    with pytest.raises(NotImplementedError, match="DirectKinematics has no pose"):
        DirectKinematics().position([0.0])
    with pytest.raises(NotImplementedError, match="has no solve"):
        InverseKinematics().solve((0, 0, 0), [0.0])
    with pytest.raises(NotImplementedError, match="has no solve_pose"):
        InverseKinematics().solve_pose(np.eye(4), [0.0])


# -- inverse: poses and grip points --------------------------------------------------


@pytest.mark.capability("AB-X09")
@pytest.mark.parametrize(
    ("kind", "method"),
    [
        (manipulators.SixAxisArm, "closed"),
        (manipulators.SixAxisArm, "jac"),
        (manipulators.SixAxisArm, "down"),
        (OffsetWrist, "jac"),
        (OffsetWrist, "down"),
    ],
)
def test_an_arm_with_six_axes_takes_position_and_orientation(
    kind: type[ManipulatorModel], method: str
) -> None:
    robot = design_robot(kind(), TwoFingerGripper())
    direct, rng = make_direct(robot), np.random.default_rng(5)
    inverse = make_inverse(robot, direct, method)  # type: ignore[arg-type]
    home = robot.arm.home_configuration
    count = 4 if method == "down" else 25
    for _ in range(count):
        q = home + rng.uniform(-0.4, 0.4, len(home))
        T = direct.pose(q)
        found = inverse.solve_pose(T, home)
        assert found.ok, found
        reached = direct.pose(found.q)
        assert np.linalg.norm(reached[:3, 3] - T[:3, 3]) <= IK_TOLERANCE
        assert np.abs(reached[:3, :3] - T[:3, :3]).max() <= 1e-4
        assert found.rotation_error <= 1e-4


def test_a_position_alone_keeps_the_orientation_of_a_wrist_of_its_own() -> None:
    robot = design("SixAxisArm")
    direct = make_direct(robot)
    q = robot.arm.home_configuration
    found = make_inverse(robot, direct, "closed").solve((0.35, 0.1, 0.2), q)
    assert found.ok
    assert_allclose(direct.pose(found.q)[:3, :3], direct.pose(q)[:3, :3], atol=1e-9)


def test_a_pose_that_three_axes_cannot_take_is_not_ok() -> None:
    robot = design("SimpleArm")
    for method in ("closed", "jac"):
        inverse = make_inverse(robot, make_direct(robot), method)
        assert not inverse.solve_pose(pose(np.eye(3), (0.3, 0.0, 0.2)), START).ok


@pytest.mark.capability("AB-X08")
@pytest.mark.parametrize("name", ARMS)
def test_the_grip_point_comes_to_the_wanted_pose(name: str) -> None:
    robot = design_robot(getattr(manipulators, name)(), ThreeFingerGripper())
    direct, rng = make_direct(robot), np.random.default_rng(6)
    inverse = make_inverse(robot, direct)
    q = robot.robot.home_configuration
    for p in targets(10, seed=7):
        T = pose(DOWN @ rotation(rng, 0.4), (p[0], p[1], 0.03 + 0.7 * p[2]))
        found = solve_tcp(robot, direct, inverse, T, q)
        assert found.ok
        assert_allclose(robot.robot.forward(found.q), T, atol=1e-6)
        assert (found.q[robot.gripper_ids] == q[robot.gripper_ids]).all()
        q = found.q


def test_the_target_of_the_mount_lies_behind_that_of_the_grip_point() -> None:
    robot = design("SimpleArm")
    T = gripper_target(robot, pose(DOWN, (0.3, 0.1, 0.04)))
    assert_allclose(T, pose(DOWN, (0.3, 0.1, 0.11)), atol=1e-12)


# -- in the world --------------------------------------------------------------------


CONTROLLER = """\
import numpy as np
from gelenk.robots.armbot import RobotController

class Asker(RobotController):
    def run(self):
        arm = self.manipulator
        direct, inverse = arm.direct_kinematics, arm.inverse_kinematics
        now = arm.joint_values()
        print_ = self.debug_out.println
        print_(" ".join(f"{value:.9f}" for value in direct.position(now)))
        found = inverse.solve((0.35, 0.15, 0.10), now)
        print_(" ".join(f"{value:.9f}" for value in found.q))
"""


@pytest.mark.capability("AB-10")
@pytest.mark.slow
def test_a_controller_asks_direct_and_inverse_kinematics(tmp_path: Path) -> None:
    (tmp_path / "asker.py").write_text(CONTROLLER)
    (tmp_path / "cell.env").write_text(
        "MANIPULATOR manipulators.SimpleArm\nCONTROLLER asker.Asker\n"
    )
    environment = read_environment(tmp_path / "cell.env")
    with Cell(make_setup(environment, parse_options([]))) as cell:
        cell.run.run(0.1)
        cell.finish()
        texts = [line.text for line in cell.debug_out.lines]
    position, joints = (np.array(text.split(), float) for text in texts[-2:])
    robot = design("SimpleArm")
    T = robot.arm.forward(robot.arm.home_configuration)
    assert_allclose(position, T[:3, 3], atol=1e-8)
    assert_allclose(joints, SOLUTION, atol=1e-7)


def test_one_solution_of_a_line_takes_a_small_part_of_its_tick() -> None:
    """A line asks for one solution per 10 ms; the best of ten must be far below."""
    for name in ("SimpleArm", "TripodArm", "TightRotArm", "SixAxisArm"):
        robot = design(name)
        direct = make_direct(robot)
        inverse = make_inverse(robot, direct)
        q = robot.arm.home_configuration
        p = direct.position(q) + np.full(3, 0.001)
        inverse.solve(p, q)
        best = np.inf
        for _ in range(10):
            begin = time.process_time()
            inverse.solve(p, q)
            best = min(best, time.process_time() - begin)
        assert best < 0.005
