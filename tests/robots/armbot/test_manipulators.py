"""Tests of the arms that come along.

Oracle: products of the plane rotations of Roth 2021 §7.1 written out here for open
chains; spheres, lines and the law of cosines for closed ones.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.robots.armbot import manipulators
from gelenk.robots.armbot.design import RobotDesign, design_robot
from gelenk.robots.armbot.grippers import TwoFingerGripper
from gelenk.robots.armbot.interface.kinematics import NotClosedError
from gelenk.robots.armbot.kinematics import make_direct, make_inverse
from gelenk.robots.armbot.manipulators import simple, tight_rot
from gelenk.robots.armbot.manipulators.delta import DeltaArm
from gelenk.robots.armbot.manipulators.tripod import feet

ARMS = sorted(name for name in dir(manipulators) if name.endswith("Arm"))
WITHOUT_FORMULA = ("FiveAxisArm", "SixAxisArm", "TightRotArm")
DOWN = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])


def design(name: str) -> RobotDesign:
    return design_robot(getattr(manipulators, name)(), TwoFingerGripper())


def turn(plane: str, angle: float) -> np.ndarray:
    """Turn the first axis of the plane towards the second."""
    i, j = "xyz".index(plane[0]), "xyz".index(plane[1])
    T = np.eye(4)
    T[i, i] = T[j, j] = np.cos(angle)
    T[j, i], T[i, j] = np.sin(angle), -np.sin(angle)
    return T


def shift(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> np.ndarray:
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


def product(*factors: np.ndarray) -> np.ndarray:
    T = np.eye(4)
    for factor in factors:
        T = T @ factor
    return T


def random_q(robot: RobotDesign, rng: np.random.Generator) -> np.ndarray:
    """Return joint values within the limits at which the arm closes."""
    direct = make_direct(robot)
    while True:
        q = rng.uniform(*robot.arm.limits)
        try:
            direct.pose(q)
        except NotClosedError:
            continue
        return q


def by_hand(name: str, q: np.ndarray) -> np.ndarray:
    """Return the pose of the mount of an open chain, from the drawing."""
    if name == "SimpleArm":
        return product(
            turn("xy", q[0]), shift(z=0.20), turn("xz", q[1]), shift(0.30),
            turn("xz", q[2]), shift(0.25),
        )  # fmt: skip
    if name == "FiveAxisArm":
        return product(
            turn("xy", q[0]), shift(z=0.20), turn("xz", q[1]), shift(0.25),
            turn("xy", q[2]), turn("xz", q[3]), shift(0.20), turn("xz", q[4]),
            shift(0.12),
        )  # fmt: skip
    if name == "SixAxisArm":
        return product(
            turn("xy", q[0]), shift(z=0.25), turn("xz", q[1]), shift(0.30),
            turn("xz", q[2]), turn("yz", q[3]), shift(0.28), turn("xz", q[4]),
            turn("yz", q[5]), shift(0.05),
        )  # fmt: skip
    down = turn("xz", -np.pi / 2.0)
    if name == "ScaraArm":
        return product(
            shift(z=0.58), turn("xy", q[0]), shift(0.28), turn("xy", q[1]), shift(0.24),
            down, shift(q[2]),
        )  # fmt: skip
    return product(shift(q[0], q[1], 0.62), down, shift(q[2]))  # GantryArm


@pytest.mark.parametrize(
    "name", ["SimpleArm", "FiveAxisArm", "SixAxisArm", "ScaraArm", "GantryArm"]
)
def test_the_mount_of_an_open_chain_is_where_the_drawing_has_it(name: str) -> None:
    robot, rng = design(name), np.random.default_rng(1)
    direct = make_direct(robot)
    for _ in range(20):
        q = rng.uniform(*robot.arm.limits)
        assert_allclose(direct.pose(q), by_hand(name, q), atol=1e-12)


def test_the_legs_of_the_tripod_meet_below_the_crown() -> None:
    robot, rng = design("TripodArm"), np.random.default_rng(2)
    direct = make_direct(robot)
    for _ in range(20):
        q = random_q(robot, rng)
        T = direct.pose(q)
        assert_allclose(np.linalg.norm(feet() - T[:3, 3], axis=1), q, atol=1e-9)
        assert T[2, 3] < 1.0
        along_first_leg = (T[:3, 3] - feet()[0]) / q[0]
        assert_allclose(T[:3, 0], along_first_leg, atol=1e-9)


def test_the_strut_draws_the_boom_out() -> None:
    robot, rng = design("TightLenArm"), np.random.default_rng(3)
    direct = make_direct(robot)
    for _ in range(20):
        stand, boom, strut = q = random_q(robot, rng)
        T = direct.pose(q)
        in_plane = turn("xy", -stand) @ T @ [0.0, 0.0, 0.0, 1.0] - [0, 0, 0.30, 0]
        along = np.array([np.cos(boom), 0.0, np.sin(boom)])
        length = in_plane[:3] @ along
        assert_allclose(in_plane[:3], length * along, atol=1e-9)
        assert np.linalg.norm(in_plane[:3] - [-0.05, 0.0, 0.30]) == pytest.approx(strut)
        # The longer of the two possible booms: beyond the foot of the mast's normal.
        assert length >= np.dot([-0.05, 0.0, 0.30], along) - 1e-9
        tilted = product(turn("xy", stand), turn("xz", boom - np.pi / 4.0))
        assert_allclose(T[:3, :3], tilted[:3, :3], atol=1e-9)


def test_the_cylinder_lifts_the_boom_by_the_law_of_cosines() -> None:
    robot, rng = design("TightRotArm"), np.random.default_rng(4)
    direct = make_direct(robot)
    fx, _, fz = tight_rot.CYLINDER_FOOT
    foot, lug = np.hypot(fx, fz), tight_rot.LUG
    for _ in range(20):
        stand, cylinder, stick = q = random_q(robot, rng)
        opening = np.arccos((foot**2 + lug**2 - cylinder**2) / (2.0 * foot * lug))
        boom = np.arctan2(fz, fx) + opening
        wanted = product(
            turn("xy", stand), shift(z=0.20), turn("xz", boom), shift(0.32),
            turn("xz", stick), shift(0.32),
        )  # fmt: skip
        assert_allclose(direct.pose(q), wanted, atol=1e-9)


def test_the_measuring_rod_shows_the_distance_of_the_mount() -> None:
    from gelenk.kinematics.loops.close import close_loops

    robot, rng = design("TightPseudoArm"), np.random.default_rng(5)
    arm, direct = robot.arm, make_direct(robot)
    names = [arm.joint_names_all[i] for i in arm.tree_joint_ids]
    for _ in range(20):
        q = random_q(robot, rng)
        assert_allclose(direct.pose(q), by_hand("SimpleArm", q), atol=1e-12)
        rod = close_loops(arm, q).q_tree[names.index("rod")]
        eye = turn("xy", q[0]) @ [-0.06, 0.0, 0.25, 1.0]
        distance = np.linalg.norm(direct.position(q) - eye[:3])
        assert rod == pytest.approx(distance, abs=1e-9)


def test_the_platform_of_the_delta_hangs_on_its_rods_and_never_turns() -> None:
    robot, rng = design("DeltaArm"), np.random.default_rng(6)
    direct = make_direct(robot)
    for _ in range(10):
        q = random_q(robot, rng)
        T = direct.pose(q)
        assert_allclose(T[:3, :3], DOWN, atol=1e-9)
        centres: list[np.ndarray] = []
        for value, azimuth in zip(q, (np.pi, -np.pi / 3.0, np.pi / 3.0), strict=True):
            elbow = product(
                shift(0.35, 0.0, 0.92), turn("xy", azimuth), shift(0.15),
                turn("xz", value), shift(0.30),
            )[:3, 3]  # fmt: skip
            centres.append(elbow - turn("xy", azimuth)[:3, 0] * 0.05)
            distance = np.linalg.norm(T[:3, 3] - centres[-1])
            assert distance == pytest.approx(0.60, abs=1e-9)
        # Of the two points on all three spheres the lower one.
        up = np.cross(centres[1] - centres[0], centres[2] - centres[0])
        assert (T[:3, 3] - centres[0]) @ up < 0.0


@pytest.mark.parametrize("name", ARMS)
def test_every_arm_starts_within_its_limits_and_above_the_floor(name: str) -> None:
    robot = design(name)
    lower, upper = robot.robot.limits
    home = robot.robot.home_configuration
    assert ((lower <= home) & (home <= upper)).all()
    heights = [
        robot.robot.forward(home, frame=link)[2, 3]
        for link in (*robot.fingers, robot.tcp, robot.mount)
    ]
    assert min(heights) > 0.1
    assert all(np.isfinite(robot.robot.max_velocity[robot.robot.joint_ids]))


@pytest.mark.parametrize("name", ARMS)
def test_every_arm_reaches_floor_and_tables_in_front_of_it(name: str) -> None:
    """From 9 cm (an object of 4 cm on the floor) to 45 cm (one on a table of 30 cm)."""
    robot = design(name)
    inverse = make_inverse(robot, make_direct(robot))
    q = robot.arm.home_configuration
    for x in (0.28, 0.36, 0.44):
        for y in (-0.12, 0.0, 0.12):
            for z in (0.09, 0.20, 0.32, 0.45):
                if robot.manipulator.has_own_wrist:
                    T = shift(x, y, z)
                    T[:3, :3] = DOWN
                    found = inverse.solve_pose(T, q)
                else:
                    found = inverse.solve((x, y, z), q)
                assert found.ok, (x, y, z, found)


@pytest.mark.parametrize("name", sorted(set(ARMS) - set(WITHOUT_FORMULA)))
def test_formulas_return_to_the_position_they_were_given(name: str) -> None:
    robot, rng = design(name), np.random.default_rng(7)
    direct = make_direct(robot)
    for _ in range(50):
        q = random_q(robot, rng)
        p = direct.position(q)
        found = robot.manipulator.closed_inverse(p, q)
        assert found is not None
        assert_allclose(direct.position(found), p, atol=1e-7)


def test_the_simple_arm_reaches_a_point_with_the_elbow_up_or_down() -> None:
    direct, rng = make_direct(design("SimpleArm")), np.random.default_rng(8)
    for _ in range(200):
        p = rng.uniform((-0.4, -0.4, -0.1), (0.4, 0.4, 0.5))
        found = simple.closed_solutions(p)
        distance = np.linalg.norm([np.hypot(p[0], p[1]), p[2] - 0.20])
        assert (found is not None) == (0.05 <= distance <= 0.55)
        if found is None:
            continue
        up, down = found
        assert_allclose(direct.position(up), p, atol=1e-12)
        assert_allclose(direct.position(down), p, atol=1e-12)
        assert up[2] <= 0.0 <= down[2]
        assert up[1] >= down[1]


def test_the_simple_arm_can_prefer_the_elbow_down() -> None:
    arm = simple.SimpleArm()
    arm.elbow = "down"
    q = arm.closed_inverse(np.array([0.35, 0.15, 0.30]), np.zeros(3))
    assert q is not None
    assert q[2] > 0.0


def test_above_the_stand_its_angle_stays_as_it_is() -> None:
    q = simple.SimpleArm().closed_inverse(
        np.array([0.0, 0.0, 0.60]), np.array([0.7, 0.0, 0.0])
    )
    assert q is not None
    assert q[0] == 0.7


def test_the_scara_keeps_its_elbow_on_the_side_where_it_is() -> None:
    robot = design("ScaraArm")
    arm, p = robot.manipulator, np.array([0.3, 0.1, 0.3])
    for bend in (1.0, -1.0):
        q = arm.closed_inverse(p, np.array([-0.3 * bend, bend, 0.2]))
        assert q is not None
        assert np.sign(q[1]) == bend


def test_what_no_rod_reaches_has_no_solution() -> None:
    far = np.array([2.0, 0.0, 0.3])
    assert DeltaArm().closed_inverse(far, np.zeros(3)) is None
    assert simple.SimpleArm().closed_inverse(far, np.zeros(3)) is None


@pytest.mark.parametrize(
    "name", ["TripodArm", "TightLenArm", "TightRotArm", "DeltaArm"]
)
def test_a_pose_depends_on_the_joint_values_alone(name: str) -> None:
    robot, rng = design(name), np.random.default_rng(9)
    direct = make_direct(robot)
    q = random_q(robot, rng)
    before = direct.pose(q)
    for _ in range(100):
        random_q(robot, rng)
    assert (direct.pose(q) == before).all()
    assert (make_direct(design(name)).pose(q) == before).all()
