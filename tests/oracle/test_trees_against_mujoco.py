"""Our kinematics and dynamics of trees against MuJoCo's, over random robots."""

from dataclasses import replace

import pytest

from testkit.mujoco_model import MujocoRobot, compare_with_mujoco
from testkit.multibody import (
    QUANTITIES,
    compare_engines,
    random_cases,
    worst_of,
)
from testkit.pinocchio_model import PinocchioRobot

SEED = 2023
TOLERANCE = 1e-10  # relative to max(1, magnitude); measured: 5e-13 and below


@pytest.mark.capability("GR-23", "GR-35", "GR-56", "GR-57", "GR-67", "GR-69", "GR-70")
def test_two_hundred_random_trees_agree_with_mujoco() -> None:
    worst = compare_with_mujoco(random_cases(SEED, count=200))

    assert set(worst) == set(QUANTITIES)
    assert max(worst.values()) <= TOLERANCE, worst


@pytest.mark.capability("GR-70")
def test_mujoco_and_pinocchio_agree_through_the_same_face() -> None:
    worst = worst_of(
        compare_engines(case, MujocoRobot(case.model), PinocchioRobot(case.model))
        for case in random_cases(SEED + 1, count=20)
    )

    assert max(worst.values()) <= TOLERANCE, worst


def test_the_comparison_notices_a_moved_joint() -> None:
    case = next(iter(random_cases(SEED)))
    T = case.model.T_parent_joint.copy()
    T[1, 0, 3] += 1e-8

    changed = MujocoRobot(replace(case.model, T_parent_joint=T))
    found = compare_engines(case, case.model, changed)

    assert found["forward"] > TOLERANCE
