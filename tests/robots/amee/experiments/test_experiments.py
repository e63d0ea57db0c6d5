"""The experiments of one leg: registered, reproducible, as accepted."""

from __future__ import annotations

import numpy as np
import pytest

from gelenk.core.errors import NameNotFoundError
from gelenk.robots.amee.config import TorqueCfg
from gelenk.robots.amee.experiments import accuracy, collision, flood, timing, touch
from gelenk.robots.amee.experiments.registry import chosen, experiments, measure
from gelenk.runtime.figures import Figure


def broken(figures: list[Figure]) -> list[str]:
    return [f"{f.quantity}: {f.value}" for f in figures if not f.holds]


def test_every_number_is_measured_in_one_place_and_a_wrong_one_is_named() -> None:
    numbers = [number for key in experiments() for number in key.split(", ")]
    assert len(numbers) == len(set(numbers))
    assert {"AN-01", "AN-10", "AN-15", "AN-19", "AN-22", "AN-23", "AN-25"} <= set(
        numbers
    )
    assert list(chosen(["an-11"])) == ["AN-07, AN-11"]
    with pytest.raises(NameNotFoundError, match="AN-99"):
        chosen(["AN-99"])


@pytest.mark.slow
@pytest.mark.capability("QW-26")
def test_mathematics_and_the_chain_of_times_are_as_printed() -> None:
    numbers = ["AN-02", "AN-03", "AN-04", "AN-05", "AN-11", "AN-13", "AN-30", "AN-31"]
    figures = list(measure(numbers))
    assert broken(figures) == []
    assert {figure.experiment for figure in figures} >= set(numbers)
    exact = [f for f in measure(["AN-01"]) if "error of the" in f.quantity]
    assert broken(exact) == []


@pytest.mark.slow
@pytest.mark.capability("QW-10")
def test_a_worn_leg_meets_its_pose_and_the_median_is_better_than_the_average() -> None:
    worn = accuracy.foot_errors(3, worn=True, seed=4)
    assert (1e3 * np.abs(worn).max(axis=0) <= accuracy.BOUNDS).all()
    plain = accuracy.foot_errors(3, worn=True, smoothing="average", seed=4)
    assert np.abs(plain).mean() > 1.5 * np.abs(worn).mean()


@pytest.mark.capability("QW-09")
def test_a_stretched_leg_runs_back_and_is_held() -> None:
    assert broken(accuracy.run_back()) == []


@pytest.mark.slow
@pytest.mark.capability("QW-52", "QW-57")
def test_blocks_from_3_kg_are_felt_within_20_ms_and_light_ones_pushed_aside() -> None:
    light, middle, wall = (collision.run_into(mass) for mass in (1.0, 3.0, 100.0))
    assert light.tries == 0
    assert light.is_removed
    assert light.moved > 0.1
    assert round(middle.felt_after, 6) <= 0.020
    assert middle.is_removed
    assert wall.felt_after < middle.felt_after
    assert wall.tries == 4
    assert not wall.is_removed
    assert wall.moved < 0.005
    # a leg with thresholds out of reach feels nothing of what the others feel
    deaf = TorqueCfg(threshold=40.0, absolute_max=40.0, ground_mutes_rise=False)
    assert collision.run_into(3.0, torque=deaf).tries == 0


@pytest.mark.slow
@pytest.mark.capability("QW-74", "QW-76", "QW-78", "QW-120")
def test_six_cases_and_the_sharp_object_end_as_they_should() -> None:
    assert broken(touch.six_cases()) == []
    assert broken(touch.sharp_object()) == []


@pytest.mark.slow
@pytest.mark.capability("QW-87", "QW-115")
def test_a_flood_and_a_hung_loop_are_survived() -> None:
    assert broken(flood.hung_loop()) == []
    assert broken(flood.flood()) == []


@pytest.mark.slow
def test_a_step_in_modelled_time_stays_below_the_printed_bounds() -> None:
    assert broken(timing.passes_of_a_step()) == []
