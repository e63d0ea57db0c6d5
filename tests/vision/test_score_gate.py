"""Tests of the gate that keeps the rate of false detections; statistics are the oracle.

Clutter is drawn by chance: a Poisson number of detections per image whose scores have
a known distribution, so the threshold that keeps a rate is known in closed form.
"""

import math
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from gelenk.errors import ConfigError
from gelenk.vision.circle_score import GateCfg, ScoreGate, lowest_threshold

LOWEST, HIGHEST = -4.0, 0.0


def clutter(rng: np.random.Generator, mean: float, distribution: Any) -> np.ndarray:
    """Return the scores of one image's false detections."""
    return distribution.rvs(size=rng.poisson(mean), random_state=rng)


@pytest.mark.parametrize(("mean", "center"), [(6.0, -2.5), (20.0, -5.0), (1.0, -2.0)])
def test_the_rate_settles_at_the_wanted_one(mean: float, center: float) -> None:
    rng = np.random.default_rng(3)
    scores = stats.logistic(center, 0.5)
    gate = ScoreGate(GateCfg(rate=0.3))
    passed, thresholds = [], []
    for k in range(3000):
        seen = clutter(rng, mean, scores)
        if k >= 50:
            passed.append(int((seen >= gate.threshold).sum()))
            thresholds.append(gate.threshold)
        gate.learn(seen)
    # Beyond the 16th largest score of 50 images lies 16 / 50 of a detection per image,
    # whatever the distribution; what no threshold stops comes on top.
    law = 16.0 / 50.0 + mean * scores.sf(HIGHEST)
    windows = len(passed) / 50.0
    error = math.hypot(math.sqrt(16.0) / 50.0, math.sqrt(0.3 / 50.0)) / windows**0.5
    assert abs(np.mean(passed) - law) < 3.0 * error
    assert error < 0.015
    exact = scores.isf(0.3 / mean + scores.sf(HIGHEST))
    assert abs(np.mean(thresholds) - exact) < 0.1


def test_it_settles_within_the_images_it_remembers() -> None:
    rng = np.random.default_rng(4)
    calm, busy = stats.logistic(-8.0, 0.3), stats.logistic(-2.0, 0.3)
    gate = ScoreGate()
    for _ in range(50):
        gate.learn(clutter(rng, 5.0, calm))
    assert gate.threshold == LOWEST
    for _ in range(50):
        gate.learn(clutter(rng, 5.0, busy))
    assert abs(gate.threshold - busy.isf(0.2 / 5.0)) < 0.4
    for _ in range(50):
        gate.learn(clutter(rng, 5.0, calm))
    assert gate.threshold == LOWEST


def test_what_scores_more_than_the_highest_threshold_moves_nothing() -> None:
    gate = ScoreGate()
    for _ in range(60):
        gate.learn([0.0, 3.0, 9.0])
    assert gate.threshold == LOWEST
    for _ in range(60):
        gate.learn(np.full(30, -1e-9))
    assert LOWEST < gate.threshold <= HIGHEST


@pytest.mark.parametrize("allowed", [0, 1, 4, 11, 12])
def test_the_threshold_is_the_lowest_that_keeps_the_number(allowed: int) -> None:
    scores = np.random.default_rng(5).uniform(-3.9, -0.1, 12)
    found = lowest_threshold(scores, allowed, lowest=LOWEST, highest=HIGHEST)
    assert (scores >= found).sum() == allowed
    below = np.nextafter(found, -np.inf)
    assert found == LOWEST or (scores >= below).sum() == allowed + 1


def test_a_gate_is_deterministic_and_copies_what_it_learns() -> None:
    seen = np.array([-1.0, -2.0, -3.0])
    gates = [ScoreGate(GateCfg(rate=1.0, memory=1)) for _ in range(2)]
    for gate in gates:
        gate.learn(seen)
    seen[:] = -3.5
    assert gates[0].threshold == gates[1].threshold
    assert_allclose(gates[0].threshold, -2.0)


@pytest.mark.parametrize(
    "wrong", [{"rate": -0.1}, {"lowest": 1.0}, {"memory": 0}, {"highest": math.nan}]
)
def test_a_gate_refuses_what_makes_no_sense(wrong: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match=next(iter(wrong))):
        GateCfg(**wrong)  # type: ignore[arg-type]


def test_scores_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(ConfigError, match="scores"):
        ScoreGate().learn([-1.0, math.nan])
