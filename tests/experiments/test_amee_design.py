"""Decisions before the robot was built: sums and budgets as printed."""

from __future__ import annotations

import pytest

from experiments.amee.design import PEAK_LEG_POWER, compare_ways, plan_budget
from gelenk.errors import ConfigError
from gelenk.robots.amee.config import ROBOT_MASS


@pytest.mark.capability("QW-01")
def test_legs_win_the_weighted_comparison_with_the_printed_sums() -> None:
    sums = compare_ways()
    assert sums == {"wheels": 342, "omni wheels": 168, "tracks": 382, "legs": 394}
    # where nobody climbs, wheels win
    road = compare_ways({"agility in terrain": 0, "extreme agility": 0})
    assert max(road, key=lambda way: road[way]) == "wheels"
    with pytest.raises(ConfigError, match="wear"):
        compare_ways({"colour": 3})


@pytest.mark.capability("QW-02")
def test_mass_and_charge_of_an_hour_are_as_printed() -> None:
    budget = plan_budget()
    assert budget.mass == pytest.approx(ROBOT_MASS)
    assert round(budget.computing) == 7
    assert budget.total == pytest.approx(15.0)
    assert plan_budget(leg_power=PEAK_LEG_POWER).total == pytest.approx(20.0)
    assert budget.run_time >= 3600.0
    # twice the power, half the time
    twice = plan_budget(leg_power=200.0, computing_power=160.0)
    assert twice.run_time == pytest.approx(budget.run_time / 2.0)
    with pytest.raises(ConfigError, match="take power"):
        plan_budget(leg_power=0.0, computing_power=0.0)
