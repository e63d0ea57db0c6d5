"""Leg poses: do 12 that the program chooses tell as much as the 24 given ones?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.harness import Row, Settings
from gelenk.calibration.calibration import calibrate
from gelenk.calibration.problem import CalibrationProblem
from gelenk.robots.nao.command import (
    CHOICE_SEED,
    CHOSEN_POSES,
    GIVEN_POSES,
    choice_problem,
)
from gelenk.robots.nao.config import ENCODER_STEP
from gelenk.robots.nao.errors import ErrorSpread, draw_errors
from gelenk.robots.nao.joints import SIDES
from gelenk.robots.nao.parameters import leg_names, values_from_errors
from gelenk.robots.nao.poses.candidates import Candidates, PoseJudge
from gelenk.robots.nao.poses.choice import chosen_poses
from gelenk.robots.nao.poses.shipped import BEST, GIVEN, shipped_poses
from gelenk.typing import FloatArray
from testkit.nao_robots import predicted_sigma
from testkit.nao_sights import SightNoise, seen_by_nao

PIXEL = 0.04  # [px], noise of a corner's coordinate
ROBOTS = 40  # of which the ratio of two rms values is known to about 5 %
# What the extended model of the choice knows, and nothing else.
SPREAD = ErrorSpread(camera_position=0.0, link=0.0)


def given_poses() -> Candidates:
    """Return the 24 poses of the shipped motion file."""
    return PoseJudge().judge(shipped_poses(GIVEN))


def monte_carlo(
    problem: CalibrationProblem, poses: Candidates, level: int, count: int, seed: int
) -> FloatArray:
    """Return errors of the twelve joints' estimates [rad], shape (count, 12).

    Args:
        problem: What is fitted.
        poses: What is measured.
        level: Of the robots' errors, see `draw_errors`.
        count: Number of robots.
        seed: Of robots and noise.
    """
    joints = [problem.index(name) for side in SIDES for name in leg_names(side)]
    noise = SightNoise(pixel=PIXEL, encoder_step=ENCODER_STEP)
    errors = np.empty((count, len(joints)))
    for i in range(count):
        rng = np.random.default_rng([seed, i])
        robot = draw_errors(rng, level=level, spread=SPREAD)
        sights = seen_by_nao(problem, robot, poses.bodies, rng, noise)
        found = calibrate(problem, sights)
        truth = values_from_errors(problem, robot)
        errors[i] = (found.values - truth)[joints]
    return errors


def chosen_against_given(settings: Settings) -> Iterator[Row]:
    """Compare 12 chosen poses per leg with the 24 given ones, for both models."""
    count = settings.pick(ROBOTS, 4)
    given = given_poses()
    assert len(given) == GIVEN_POSES, "a given pose cannot be measured"
    for word, is_extended in (("published", False), ("extended", True)):
        problem = choice_problem(is_extended=is_extended)
        settings.tell(f"choosing poses for the {word} model")
        rng = np.random.default_rng(CHOICE_SEED)
        chosen = chosen_poses(
            problem, CHOSEN_POSES, rng, known=shipped_poses(BEST[word])
        )
        joints = [problem.index(name) for side in SIDES for name in leg_names(side)]
        promised = [
            _rms(predicted_sigma(problem, poses, range(len(poses)), PIXEL)[joints])
            for poses in (chosen, given)
        ]
        yield _row(
            f"chosen_poses_predicted_{word}", promised, "predicted by covariance"
        )
        settings.tell(f"{count} robots, {word} model")
        level = 3 if is_extended else 2
        errors = [
            monte_carlo(problem, poses, level, count, settings.seed)
            for poses in (chosen, given)
        ]
        how = (
            f"{count} robots, corners with {PIXEL} px noise, readings in 0.1 deg "
            f"steps; ratio known to {100.0 * _doubt(errors):.0f} %"
        )
        yield _row(f"chosen_poses_{word}", [_rms(e) for e in errors], how)


def _doubt(errors: list[FloatArray]) -> float:
    """Return the relative standard error of the ratio of two rms values.

    By leaving out one robot at a time: joints of one robot are not independent.
    """
    one, two = (np.mean(e**2, axis=1) for e in errors)
    count = len(one)
    ratios = np.sqrt((one.sum() - one) / (two.sum() - two))
    spread = float(np.sum((ratios - ratios.mean()) ** 2)) * (count - 1) / count
    return float(np.sqrt(spread) / ratios.mean())


def _rms(values: FloatArray) -> float:
    return float(np.rad2deg(np.sqrt(np.mean(values**2))))


def _row(name: str, rms: list[float], how: str) -> Row:
    return Row(
        name=name,
        value=rms[0] / rms[1],
        unit="of the error of 24 given poses",
        target=1.0,
        note=f"rms of the 12 leg offsets: {rms[0]:.4f} deg with {CHOSEN_POSES} chosen "
        f"poses per leg, {rms[1]:.4f} deg with {GIVEN_POSES} given ones; {how}",
    )
