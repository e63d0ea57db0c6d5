"""Humanoid: its walk, its pushes, its slope, its hops; reached, and missed where due.

Oracles: capture radii of theory, the contacts of the world, a slope that leads upwards.
"""

from __future__ import annotations

import numpy as np
import pytest

from gelenk.course.scenarios import humanoid
from gelenk.course.scenarios.humanoid_body import (
    ANKLE,
    HIP,
    humanoid_model,
    joint_angles,
)
from gelenk.runtime.scenario import list_scenarios


@pytest.mark.slow
def test_a_body_walks_on_rubber_and_rocks_on_hard_soles(monkeypatch) -> None:
    walk = {"length": 0.12, "body_mass": 20.8, "num_steps": 3}

    soft = humanoid.walk_in_world(**walk)
    monkeypatch.setattr(humanoid, "RUBBER", (0.004, 1.0))
    hard = humanoid.walk_in_world(**walk)

    assert soft.margin > humanoid.MIN_MARGIN
    assert soft.way == pytest.approx(soft.wanted, rel=0.05)
    assert hard.margin < humanoid.MIN_MARGIN


def test_angles_put_the_feet_where_they_are_wanted() -> None:
    model = humanoid_model()
    feet = np.array([[0.1, 0.1, 0.0], [-0.05, -0.11, 0.02]])
    q = joint_angles(np.array([0.03, 0.01]), feet, 0.008)
    pose = np.concatenate([[0.022, 0.01, HIP + ANKLE, 1.0, 0.0, 0.0, 0.0], q])

    for side, foot in zip(("left", "right"), feet, strict=True):
        T_world_foot = model.forward(pose, frame=f"{side}_foot")
        np.testing.assert_allclose(
            T_world_foot[:3, 3], foot + np.array([0, 0, ANKLE]), atol=1e-9
        )
        np.testing.assert_allclose(T_world_foot[:3, :3], np.eye(3), atol=1e-9)


def test_pushes_end_within_the_steps_of_theory_and_short_legs_fall(monkeypatch) -> None:
    for seed in range(40):
        rng = np.random.default_rng(seed)
        steps, allowed = humanoid.steps_to_rest(float(rng.uniform(0.5, 1.2)), rng)
        assert 1 <= steps <= allowed
    monkeypatch.setitem(humanoid.PENDULUM, "reach", 0.2)
    assert humanoid.steps_to_rest(1.2, np.random.default_rng(0))[0] == 20


def test_slope_and_hopper_come_back_to_their_gaits() -> None:
    assert humanoid.passive_miss(0.009, np.array([1e-3, 0.0])) < 1e-3
    assert humanoid.hop_error(1.2, 0.1) < 0.05


def test_the_scenario_can_be_run_by_name() -> None:
    assert "course/humanoid" in {entry.name for entry in list_scenarios()}
