"""Our kinematics and dynamics of trees against Pinocchio's, over random robots."""

from dataclasses import replace

import numpy as np
import pytest

from testkit.multibody import QUANTITIES, compare_engines, random_cases
from testkit.pinocchio_model import PinocchioRobot, compare_with_pinocchio

SEED = 2023
TOLERANCE = 1e-10  # relative to max(1, magnitude); measured: 3e-13 and below


@pytest.mark.capability("GR-23", "GR-35", "GR-56", "GR-57", "GR-67", "GR-69", "GR-70")
def test_two_hundred_random_trees_agree_with_pinocchio() -> None:
    cases = list(random_cases(SEED, count=200))
    assert sum(case.model.has_floating_base for case in cases) == 100
    assert {case.model.num_joints for case in cases} == set(range(1, 16))
    kinds = {int(k) for case in cases for k in case.model.joint_type}
    assert kinds == {0, 1, 2, 3}
    assert any((np.bincount(c.model.parent[1:]) > 1).any() for c in cases)  # branches

    worst = compare_with_pinocchio(cases)

    assert set(worst) == set(QUANTITIES)
    assert max(worst.values()) <= TOLERANCE, worst


@pytest.mark.parametrize(
    ("change", "quantities"),
    [
        ({"mass": 1.0 + 1e-6}, QUANTITIES[2:]),
        ({"inertia": 1.0 + 1e-6}, QUANTITIES[2:]),
        ({"armature": 1.0 + 1e-6}, QUANTITIES[2:]),
        ({"gravity": 1.0 + 1e-6}, ("inverse_dynamics", "forward_dynamics")),
    ],
)
def test_the_comparison_notices_a_robot_that_differs(
    change: dict[str, float], quantities: tuple[str, ...]
) -> None:
    case = next(
        case for case in random_cases(SEED, count=50) if case.model.armature.any()
    )
    ((name, factor),) = change.items()
    changed = replace(case.model, **{name: getattr(case.model, name) * factor})

    found = compare_engines(case, case.model, PinocchioRobot(changed))

    too_far = {key for key, value in found.items() if value > TOLERANCE}
    assert too_far == set(quantities)


def test_a_batch_of_states_agrees_with_pinocchio_one_by_one() -> None:
    case = list(random_cases(SEED, count=8))[-1]
    model, theirs = case.model, PinocchioRobot(case.model)
    assert model.has_floating_base
    rng = np.random.default_rng(1)
    qd = rng.normal(size=(3, 2, model.nv))
    qdd = rng.normal(size=(3, 2, model.nv))

    tau = model.inverse_dynamics(case.q, qd, qdd)
    back = model.forward_dynamics(case.q, qd, tau)

    expected = [
        [theirs.inverse_dynamics(case.q, qd[i, j], qdd[i, j]) for j in range(2)]
        for i in range(3)
    ]
    np.testing.assert_allclose(tau, expected, rtol=0.0, atol=1e-10)
    np.testing.assert_allclose(back, qdd, rtol=0.0, atol=1e-10)
