"""The calibration's experiments that need no world: every figure holds."""

from __future__ import annotations

import pytest

from experiments.piggy.calibration import (
    cameras_from_corners,
    servos_from_circles,
)


@pytest.mark.slow
@pytest.mark.capability("BB-71")
def test_residuals_of_boards_are_the_noise_and_parameters_the_truth():
    figures = cameras_from_corners()
    assert [f.quantity for f in figures if not f.holds] == []
    assert {f.experiment for f in figures} == {"EX-09"}


@pytest.mark.slow
@pytest.mark.capability("BB-74")
def test_residuals_of_the_bat_beat_the_printed_ones():
    figures = servos_from_circles()
    assert [f.quantity for f in figures if not f.holds] == []
    assert {f.experiment for f in figures} == {"EX-10"}
