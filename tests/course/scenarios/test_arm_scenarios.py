"""Arm cell, window cleaning, elastic arm: reached, and missed by what must miss."""

from __future__ import annotations

import numpy as np
import pytest

from gelenk.course.scenarios import arm_cell, elastic_arm, window
from gelenk.runtime.scenario import get_scenario, list_scenarios


@pytest.mark.slow
def test_the_arm_keeps_its_path_and_misses_it_without_its_servo(monkeypatch) -> None:
    monkeypatch.setattr(arm_cell, "LAPS", 2)
    assert arm_cell.run(0).is_reached

    monkeypatch.setattr(arm_cell, "KP", 4.0)
    outcome = arm_cell.run(0)
    assert not outcome.is_reached
    assert "path [m] is" in outcome.reason


def test_the_laps_tool_path_is_made_of_a_line_and_an_arc() -> None:
    """Oracle: points of the first part on a line, of the second on a circle."""
    lap = arm_cell.wanted_lap()
    tool = lap.tool[lap.on_path]
    fast = np.linalg.norm(np.diff(tool, axis=0), axis=1).max() / arm_cell.DT
    first = tool[np.abs(tool[:, 0] - 0.45) < 1e-9]

    assert fast < 1.05 * arm_cell.LIMITS.speed
    assert np.ptp(first[:, 2]) < 1e-9  # joint values by the closed form are exact
    assert np.ptp(first[:, 1]) == pytest.approx(0.35, abs=1e-4)


@pytest.mark.slow
def test_measured_force_is_held_and_a_spring_only_guesses_it(monkeypatch) -> None:
    monkeypatch.setattr(window, "DURATION", 2.5)
    outcome = window.run(1)

    assert outcome.is_reached, outcome.reason
    for blind in ("impedance", "admittance"):
        for seeing in ("hybrid", "parallel"):
            better = outcome.figures[f"{seeing} force [N]"]
            assert better < 0.5 * outcome.figures[f"{blind} force [N]"]


def test_a_pane_pushes_only_what_presses_and_rubs_against_the_motion() -> None:
    pane = window.Pane(slope=np.zeros(2), bow=0.0, offset=0.0, friction=0.3)
    v = np.array([0.2, 0.0, 0.0])

    assert (pane.force(np.array([0.0, -1e-6, 0.0]), v) == 0.0).all()
    push = pane.force(np.array([0.0, 1e-3, 0.0]), v)
    assert push == pytest.approx([-0.3 * 4.0, -4.0, 0.0])


def test_knowing_the_springs_pays() -> None:
    outcome = elastic_arm.run(0)

    assert outcome.is_reached, outcome.reason
    assert outcome.figures["gain"] > 10.0


def test_the_smooth_motion_has_the_derivatives_it_says() -> None:
    """Oracle: difference quotients."""
    t = np.linspace(0.0, 1.6, 16_001)
    motion = elastic_arm.smooth_motion(np.zeros(1), np.ones(1), t)[:, :, 0]

    for k in range(4):
        slope = np.gradient(motion[:, k], t)
        assert slope[50:-50] == pytest.approx(motion[50:-50, k + 1], abs=2e-4 * 40**k)
    assert motion[[0, -1], 1:] == pytest.approx(np.zeros((2, 4)), abs=1e-9)


def test_scenarios_of_the_course_are_found_by_name() -> None:
    names = {item.name for item in list_scenarios()}

    assert {"course/arm_cell", "course/window", "course/elastic_arm"} <= names
    assert get_scenario("course/window").acceptance == 0.95
