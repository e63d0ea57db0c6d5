"""The experiments with the drive: every figure that must hold does."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from experiments.figures import ComparedFigure
from experiments.piggy import drive
from experiments.piggy.drive_bench import DriveBench, settling
from experiments.piggy.drive_gear import (
    abrupt_reversal,
    gear_wear_sources,
    high_gain,
    play_oscillation,
)
from experiments.piggy.drive_moves import ball_impact
from experiments.piggy.drive_speed import (
    encoder_flicker,
    speed_and_acceleration,
    step_responses,
)


def failures(measure: Callable[[], list[ComparedFigure]]) -> list[str]:
    figures = measure()
    assert figures
    return [f"{f.quantity}: {f.value} {f.unit}" for f in figures if not f.holds]


@pytest.mark.capability("BB-21")
def test_a_flickering_count_fakes_speed_and_acceleration_as_printed() -> None:
    assert failures(encoder_flicker) == []


@pytest.mark.capability("BB-17")
def test_speed_and_acceleration_under_load_are_those_of_the_thesis() -> None:
    assert failures(speed_and_acceleration) == []


@pytest.mark.capability("BB-90")
def test_step_responses_show_the_play() -> None:
    assert failures(step_responses) == []


@pytest.mark.slow
@pytest.mark.capability("BB-26", "BB-18", "BB-90")
def test_without_its_filter_the_motor_oscillates_in_the_play() -> None:
    assert failures(play_oscillation) == []


@pytest.mark.capability("BB-28")
def test_gains_raised_too_far_make_the_torque_swing_between_its_limits() -> None:
    assert failures(high_gain) == []


@pytest.mark.slow
def test_a_ball_deflects_the_bat_for_a_moment() -> None:
    assert failures(lambda: ball_impact((5.0,))) == []


@pytest.mark.slow
@pytest.mark.capability("BB-94")
def test_reversals_wear_the_gears_more_than_balls_do() -> None:
    assert failures(abrupt_reversal) == []
    assert failures(lambda: gear_wear_sources(count=2)) == []


@pytest.mark.slow
def test_direct_moves_are_as_fast_wherever_the_bat_hung_before() -> None:
    times = []
    for before in ((30.0, -30.0), (-30.0, 30.0)):  # come back from either side
        bench = DriveBench()
        bench.start()
        bench.control.reach(np.deg2rad(before))
        bench.run(0.7)
        bench.control.reach((0.0, 0.0))
        bench.run(0.8)
        bench.control.reach(np.deg2rad([45.0, -15.0]))
        times.append(settling(bench.run(1.0).encoder, 2.0))

    assert max(times) <= 0.34 + 1e-9  # damped by the motor's speed: up to 0.5 s


def test_every_experiment_has_its_measurement() -> None:
    names = {part for key in drive.EXPERIMENTS for part in key.split(", ")}
    wanted = {*range(13, 22), *range(25, 29), 32, 36}
    assert names >= {f"EX-{number}" for number in wanted}
