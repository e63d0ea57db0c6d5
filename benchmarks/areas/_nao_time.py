"""Whole calibrations of drawn robots with sag, play and noise: time and accuracy."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import NamedTuple

import numpy as np

from benchmarks.harness import Row, Settings
from gelenk.robots.nao.cases import calibrate_robot
from gelenk.robots.nao.errors import draw_errors
from testkit.nao_situations import short_program

SIMULATED = 300.0  # [s]
WORKERS = 2


class Trial(NamedTuple):
    """One robot: simulated and wall time [s], verdict, joint errors [rad], views."""

    simulated: float
    wall: float
    verdict: str
    joints: tuple[float, ...]
    views: int
    missed: int


def drawn_trial(seed: int, is_short: bool = False) -> Trial:
    """Calibrate a robot drawn by a seed, at level 3."""
    begin = time.perf_counter()
    errors = draw_errors(np.random.default_rng(seed), level=3)
    program = short_program() if is_short else None
    result = calibrate_robot(errors, program, level=3, seed=seed)
    state = result.outcome.automaton
    return Trial(
        simulated=result.outcome.simulated,
        wall=time.perf_counter() - begin,
        verdict=result.outcome.verdict.value,
        joints=tuple(map(float, result.joint_errors)),
        views=len(state.views),
        missed=len(state.missed),
    )


def whole_runs(settings: Settings) -> Iterator[Row]:
    """Simulated time of whole calibrations, mean over 20 robots of level 3."""
    if settings.quick:
        trials = [drawn_trial(seed, True) for seed in range(2)]
    else:
        with ProcessPoolExecutor(WORKERS, mp_context=get_context("spawn")) as pool:
            trials = list(
                pool.map(drawn_trial, range(settings.seed, 20 + settings.seed))
            )
    simulated = np.array([trial.simulated for trial in trials])
    good = [trial for trial in trials if trial.verdict == "calibrated"]
    off = np.rad2deg([trial.joints for trial in good])
    rms = float(np.sqrt(np.mean(off**2))) if good else float("nan")
    views = sum(trial.views for trial in trials)
    missed = sum(trial.missed for trial in trials)
    yield Row(
        name="whole_run_simulated",
        value=float(simulated.mean()),
        unit="s",
        target=SIMULATED,
        peers={"Kastner 2014": 593.0},
        note=f"{len(trials)} robots, {len(good)} calibrated, longest "
        f"{simulated.max():.0f} s; {views} of {views + missed} views; joints "
        f"{rms:.3f} degrees rms",
    )
    yield Row(
        name="whole_run_over_real_time",
        value=float(simulated.sum() / sum(trial.wall for trial in trials)),
        unit="1",
        note="simulated over wall time of one process, world built and fit included",
    )


FIGURES = (whole_runs,)
