"""The experiments of one leg: registered, reproducible, as accepted."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.amee import (
    accuracy,
    clamp,
    collision,
    endurance,
    flood,
    gliding,
    timing,
    touch,
    walking,
)
from experiments.amee.registry import chosen, experiments, measure
from experiments.figures import ComparedFigure
from gelenk.errors import NameNotFoundError
from gelenk.robots.amee.config import LegGeometry, TorqueCfg
from gelenk.robots.amee.kinematics import inverse
from gelenk.robots.amee.leg import Bench
from gelenk.robots.amee.wire import Command


def broken(figures: list[ComparedFigure]) -> list[str]:
    return [f"{f.quantity}: {f.value}" for f in figures if not f.holds]


def test_every_number_is_measured_in_one_place_and_a_wrong_one_is_named() -> None:
    numbers = [number for key in experiments() for number in key.split(", ")]
    assert len(numbers) == len(set(numbers))
    assert set(numbers) == {f"AN-{k:02d}" for k in range(1, 37)} - {"AN-35"}
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


@pytest.mark.slow
@pytest.mark.capability("QW-10", "QW-95")
def test_a_worn_leg_that_waits_until_it_rests_is_as_exact_where_gravity_balances() -> (
    None
):
    hasty, patient = (
        1e3 * np.abs(accuracy.foot_errors(4, worn=True, where="balanced", rests=rests))
        for rests in (False, True)
    )
    assert (patient.max(axis=0) <= accuracy.BOUNDS).all()
    assert patient.max() < 0.9 * hasty.max()


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


@pytest.mark.slow
@pytest.mark.capability("QW-116")
def test_a_leg_at_work_makes_no_error_and_its_memory_stays() -> None:
    found = endurance.soak(0.01)
    assert found.hours >= 0.01
    assert found.cycles >= 3
    assert broken(endurance.figures_of(found)) == []
    # a cycle that cannot be done is counted
    assert endurance._job(flat_bench(), Command.MOVE_POINT, 0.9, -0.9, 0.0)


def flat_bench() -> Bench:
    bench = Bench(ground=lambda x, z, t: -0.63)
    bench.run(0.1)
    return bench


def test_thin_sticks_break_and_thick_ones_are_let_go() -> None:
    thin, thick = clamp.clamp(0.004), clamp.clamp(0.006)
    assert (thin.is_broken, thin.reactions, thin.is_parked) == (True, 0, True)
    assert not thick.is_broken
    assert thick.reactions == 4
    assert not thick.is_parked
    assert clamp.breaking_force(0.004) == pytest.approx(62.8, abs=0.1)


@pytest.mark.slow
def test_feet_glide_over_via_points_that_are_not_too_close() -> None:
    close, wide = gliding.glide(0.001), gliding.glide(0.005)
    assert close.done
    assert wide.done
    assert close.back > 2.0 * wide.back
    assert wide.aside.max() < 0.005


def test_pairs_keep_a_margin_with_seven_tenths_of_their_largest_step() -> None:
    assert broken(walking.usable_step()) == []
    assert walking.pair_margin(0.40) < 0.0 < walking.pair_margin(0.25)


def test_gravity_about_the_hip_is_the_slope_of_the_potential_energy() -> None:
    point = np.array((0.05, -0.48, 0.0))
    _, hip, knee, ankle = inverse(point[None], LegGeometry()).angles[0]

    def energy(turn: float) -> float:
        """Of thigh, shank and foot when axis B turns [J], foot's mass at its centre."""
        a, b = hip + turn, hip + knee + turn
        knee_y = 0.280 * np.sin(a)
        ankle_y = knee_y + 0.2725 * np.sin(b)
        # the foot points ahead of the ankle and turns with the leg
        foot_y = ankle_y + 0.040 * np.sin(turn)
        heights = (knee_y / 2.0, (knee_y + ankle_y) / 2.0, foot_y)
        return 9.81 * sum(m * y for m, y in zip((2.2, 0.5, 1.2), heights, strict=True))

    slope = (energy(1e-5) - energy(-1e-5)) / 2e-5
    assert accuracy.hip_torque(point) == pytest.approx(slope, rel=1e-6)
    assert ankle == pytest.approx(np.pi + hip + knee)
