"""Tests of the experiments that need no world: every figure holds."""

from __future__ import annotations

import math

import pytest

from experiments.figures import ComparedFigure
from experiments.piggy import design, planner


@pytest.mark.parametrize("name", design.EXPERIMENTS)
def test_every_figure_of_the_design_holds(name: str) -> None:
    figures = design.EXPERIMENTS[name]()

    assert figures
    assert [figure.quantity for figure in figures if not figure.holds] == []
    assert {figure.experiment for figure in figures} == set(name.split(", "))


@pytest.mark.slow
@pytest.mark.capability("BB-61")
def test_tables_stay_within_their_memory() -> None:
    _, memory = planner.building()

    assert memory.holds
    assert memory.value > 10.0  # tables of 400,000 contacts are not nothing


def test_a_figure_outside_its_limits_or_not_measured_does_not_hold() -> None:
    def figure(value: float) -> ComparedFigure:
        return ComparedFigure(
            experiment="EX-99", quantity="way", value=value, accepted=(0.0, 1.0)
        )

    assert figure(1.0).holds
    assert not figure(1.01).holds
    assert not figure(math.nan).holds
