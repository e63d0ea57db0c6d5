"""Drawn robots as a scenario: its figures, and the reason where it fails."""

from pathlib import Path

import pytest

from gelenk.robots.nao.motion.text import print_motions
from gelenk.runtime.scenario import get_scenario
from testkit.nao_situations import short_motions

FIGURES = {"worst_joint", "joint_rms", "camera", "coverage", "views", "simulated"}


@pytest.mark.slow
def test_a_drawn_robot_calibrates_itself_and_its_figures_say_how_well(
    tmp_path: Path,
) -> None:
    motions = tmp_path / "short.mot"
    motions.write_text(print_motions(short_motions(2)), encoding="utf-8")
    scenario = get_scenario("nao/calibrate")
    config = scenario.as_config(
        {"level": 1, "model": "published", "motions": str(motions), "joints": 1e-6}
    )
    outcome = scenario(config, 3)

    assert set(scenario.figures) == set(outcome.figures) == FIGURES
    assert outcome.figures["worst_joint"] < 0.1
    assert outcome.figures["joint_rms"] <= outcome.figures["worst_joint"]
    assert outcome.figures["views"] == 1.0
    assert 5.0 < outcome.figures["simulated"] < 30.0
    assert not outcome.ok
    assert "degrees rms (at most 1e-06)" in outcome.reason
