"""Tests of positions and joint values: all arms, all methods.

Oracles: the test vectors of the paper's Simple Arm, and direct kinematics of what the
inverse returns.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.errors import ConfigError, ShapeError
from gelenk.models.parts import Assembly, Tip
from gelenk.robots.armbot import manipulators
from gelenk.robots.armbot.config import IK_TOLERANCE
from gelenk.robots.armbot.design import RobotDesign, design_robot
from gelenk.robots.armbot.grippers import TwoFingerGripper
from gelenk.robots.armbot.interface.kinematics import (
    DirectKinematics,
    NotClosedError,
)
from gelenk.robots.armbot.inverse.iterative import step_within
from gelenk.robots.armbot.kinematics import make_direct, make_inverse, methods_of
from gelenk.robots.armbot.manipulators import SimpleArm
from gelenk.robots.armbot.model import ManipulatorModel
from gelenk.typing import ArrayLike, FloatArray

ARMS = sorted(name for name in dir(manipulators) if name.endswith("Arm"))
WITHOUT_FORMULA = ("FiveAxisArm", "TightRotArm")
START = np.deg2rad([10.0, 40.0, -60.0])
TARGET = (0.35, 0.15, 0.10)
SOLUTION = np.deg2rad([23.198591, 24.699137, -89.045026])


def design(name: str) -> RobotDesign:
    return design_robot(getattr(manipulators, name)(), TwoFingerGripper())


def targets(count: int, seed: int) -> FloatArray:
    """Return positions that every arm reaches, shape (count, 3)."""
    rng = np.random.default_rng(seed)
    return rng.uniform((0.28, -0.12, 0.10), (0.43, 0.12, 0.44), (count, 3))


# -- inverse: positions --------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "iterations"), [("closed", 0), ("down", 82), ("jac", 26)]
)
def test_all_methods_find_the_papers_solution(method: str, iterations: int) -> None:
    robot = design("SimpleArm")
    found = make_inverse(robot, make_direct(robot), method).solve(TARGET, START)  # type: ignore[arg-type]
    assert found.ok
    assert_allclose(found.q, SOLUTION, atol=1e-5)
    assert (found.iterations, found.method) == (iterations, method)


@pytest.mark.parametrize("method", ["closed", "down", "jac"])
@pytest.mark.parametrize("name", ARMS)
def test_random_positions_are_reached_from_random_postures(
    name: str, method: str
) -> None:
    robot = design(name)
    if method not in methods_of(robot):
        assert (name in WITHOUT_FORMULA, method) == (True, "closed")
        return
    direct = make_direct(robot)
    inverse = make_inverse(robot, direct, method)  # type: ignore[arg-type]
    q, hits, elsewhere = robot.arm.home_configuration, 0, 0
    count = 10 if method == "down" else 30
    lower, upper = robot.arm.limits
    for p in targets(count, seed=3):
        found = inverse.solve(p, q)
        if not found.ok:
            continue
        hits += 1
        elsewhere += found.starts > 1
        q = found.q
        assert np.linalg.norm(direct.position(q) - p) <= IK_TOLERANCE
        assert found.error == pytest.approx(
            np.linalg.norm(direct.position(q) - p), abs=1e-9
        )
        assert ((lower <= q) & (q <= upper)).all()
    assert hits == count
    assert elsewhere <= 0.1 * count


@pytest.mark.parametrize("name", ARMS)
def test_a_small_move_takes_a_small_change_of_the_joints(name: str) -> None:
    robot = design(name)
    direct = make_direct(robot)
    for method in methods_of(robot):
        inverse = make_inverse(robot, direct, method)
        q = robot.arm.home_configuration
        p = direct.position(q)
        for k in range(1, 6):
            found = inverse.solve(p + k * np.array([0.0, 0.002, -0.001]), q)
            assert found.ok
            assert found.starts == 1
            assert np.abs(found.q - q).max() < 0.03
            q = found.q


@pytest.mark.parametrize("name", ARMS)
def test_a_position_out_of_reach_is_not_ok_and_says_how_much_is_missing(
    name: str,
) -> None:
    robot = design(name)
    direct = make_direct(robot)
    q = robot.arm.home_configuration
    lower, upper = robot.arm.limits
    for method in methods_of(robot):
        if robot.arm.loops and method == "down":
            continue  # the same search takes seconds where each trial closes loops
        found = make_inverse(robot, direct, method).solve((1.5, 0.0, 0.3), q)
        assert not found.ok
        distance = np.linalg.norm(direct.position(found.q) - (1.5, 0.0, 0.3))
        assert found.error == pytest.approx(distance, abs=1e-9)
        assert 0.4 < distance < np.linalg.norm(direct.position(q) - (1.5, 0.0, 0.3))
        assert ((lower <= found.q) & (found.q <= upper)).all()


class Rail(DirectKinematics):
    """The gantry, whose chains would open beyond 50 cm."""

    def pose(self, q: ArrayLike) -> FloatArray:
        along, across, lift = np.asarray(q, dtype=np.float64)
        if along > 0.5:
            raise NotClosedError("too far")
        T = np.eye(4)
        T[:3, 3] = along, across, 0.62 - lift
        return T


@pytest.mark.parametrize("method", ["down", "jac"])
def test_the_search_goes_as_near_as_its_chains_stay_closed(method: str) -> None:
    robot = design("GantryArm")
    inverse = make_inverse(robot, Rail(), method)  # type: ignore[arg-type]
    found = inverse.solve((0.505, 0.0, 0.3), robot.arm.home_configuration)
    assert not found.ok
    assert 0.499 < found.q[0] <= 0.5
    assert found.error == pytest.approx(0.505 - found.q[0], abs=1e-3)
    inside = inverse.solve((0.49, 0.0, 0.3), robot.arm.home_configuration)
    assert inside.ok


def test_an_angle_takes_the_turn_that_is_near_and_allowed() -> None:
    class Wide(SimpleArm):
        def build(self, body: Assembly) -> Tip:
            return (
                body.servo("stand", limits=(-4.0, 4.0))
                .segment((0.0, 0.0, 0.20))
                .servo("femur", axis="xz")
                .segment(0.30)
                .servo("tibia", axis="xz")
                .segment(0.25)
                .gripper_mount("mount")
            )

    robot = design_robot(Wide(), None)
    inverse = make_inverse(robot, make_direct(robot), "closed")
    behind = inverse.solve((-0.3, -0.01, 0.2), [3.1, 1.0, -1.0])
    assert behind.ok
    assert behind.q[0] == pytest.approx(np.pi + np.arctan2(0.01, 0.3))


def test_an_angle_beyond_its_limit_comes_from_the_other_side() -> None:
    robot = design("SimpleArm")
    inverse = make_inverse(robot, make_direct(robot), "closed")
    found = inverse.solve((-0.3, -0.01, 0.2), [3.1, 1.0, -1.0])
    assert found.ok
    assert found.q[0] == pytest.approx(-np.pi + np.arctan2(0.01, 0.3))


def test_joints_at_their_limits_leave_the_step_to_the_others() -> None:
    rng = np.random.default_rng(8)
    limits = np.array([np.full(6, -1.0), np.full(6, 1.0)])
    for _ in range(50):
        J, error = rng.normal(size=(3, 6)), rng.normal(size=3)
        q = rng.uniform(-0.5, 0.5, 6)
        q[:2] = rng.choice([-1.0, 1.0], 2)
        step = step_within(J, error, q, limits)
        assert (np.abs(q + 1e-3 * step) <= 1.0).all()
        assert_allclose(J @ step, error, atol=1e-9)


def test_wrong_targets_and_starts_are_refused() -> None:
    robot = design("SimpleArm")
    for method in methods_of(robot):
        inverse = make_inverse(robot, make_direct(robot), method)
        with pytest.raises(ShapeError):
            inverse.solve((0.1, 0.2), START)
        with pytest.raises(ShapeError):
            inverse.solve(TARGET, START[:2])
        with pytest.raises(ConfigError, match="finite"):
            inverse.solve((0.1, np.nan, 0.2), START)
        with pytest.raises(ConfigError, match="must be a pose"):
            inverse.solve_pose(np.ones((4, 4)), START)


def test_a_formula_of_a_developer_must_return_joint_values() -> None:
    class Sloppy(SimpleArm):
        def closed_inverse(
            self, position: FloatArray, q_start: FloatArray
        ) -> FloatArray | None:
            return np.zeros(2)

    class Wrong(SimpleArm):
        def closed_inverse(
            self, position: FloatArray, q_start: FloatArray
        ) -> FloatArray | None:
            return np.zeros(3)

    robot = design_robot(Sloppy(), None)
    with pytest.raises(
        ConfigError, match=r"Sloppy\.closed_inverse must return 3 finite"
    ):
        make_inverse(robot, make_direct(robot), "closed").solve(TARGET, START)
    robot = design_robot(Wrong(), None)
    assert not make_inverse(robot, make_direct(robot), "closed").solve(TARGET, START).ok


# -- inverse: methods ----------------------------------------------------------------


@pytest.mark.parametrize("name", ARMS)
def test_arms_have_the_methods_that_they_say(name: str) -> None:
    robot = design(name)
    direct = make_direct(robot)
    has_formula = name not in WITHOUT_FORMULA
    assert methods_of(robot) == (("closed",) if has_formula else ()) + ("down", "jac")
    q = robot.arm.home_configuration
    preferred = make_inverse(robot, direct, "pref").solve(direct.position(q), q)
    assert preferred.method == robot.manipulator.preferred_ik


@pytest.mark.parametrize("name", WITHOUT_FORMULA)
def test_a_method_that_an_arm_does_not_have_is_refused(name: str) -> None:
    robot = design(name)
    with pytest.raises(
        ConfigError, match=f"{name} has no .*'closed'; it has down, jac"
    ):
        make_inverse(robot, make_direct(robot), "closed")


def test_arms_without_an_own_formula_have_that_of_their_structure() -> None:
    class Plain(ManipulatorModel):
        def build(self, body: Assembly) -> Tip:
            return SimpleArm().build(body)

    robot = design_robot(Plain(), None)
    found = make_inverse(robot, make_direct(robot), "closed").solve(TARGET, START)
    assert found.ok
    assert_allclose(found.q, SOLUTION, atol=1e-6)
