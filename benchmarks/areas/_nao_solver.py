"""NAO's calibration: time against SciPy and Ceres, accuracy over many robots."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.optimize import least_squares

from benchmarks.harness import Row, Settings, interleaved
from benchmarks.peers import find_peer, missing_note
from benchmarks.rows import Direction
from gelenk.calibration.calibration import (
    CalibrationCfg,
    calibrate,
    calibrate_observation_set,
)
from gelenk.calibration.passes import ObservationSet
from gelenk.calibration.problem import CalibrationProblem, Observation
from gelenk.robots.nao.config import ENCODER_STEP
from gelenk.robots.nao.errors import CASES, SAG_AND_PLAY, draw_errors
from gelenk.robots.nao.parameters import nao_problem, values_from_errors
from gelenk.typing import FloatArray
from testkit.nao_sights import SightNoise, random_bodies, seen_by_nao

OF_SCIPY = 0.1  # of its time
OF_CERES = 1.5
SAME = 1e-3  # standard deviations between the optima
JOINT_RMS = 0.05  # [deg]
COVERAGE = (93.0, 97.0)  # [%] of 95 % intervals
OUTLIERS = 0.1
WIDTH = 1.959963984540054  # standard deviations of a 95 % interval


def solver_time(settings: Settings) -> Iterator[Row]:
    """Time 3456 measurements and 21 parameters from arrays to optimum.

    Ours ends with the covariance, which the others leave out. SciPy calls our compiled
    residual function for its own differences; Ceres calls our compiled residuals and
    exact derivatives, in one block of 6912 residuals.
    """
    problem = nao_problem()
    rng = settings.rng()
    sights = seen_by_nao(problem, CASES[6], random_bodies(24, rng), rng)
    cfg = CalibrationCfg(loss="none")
    reference = calibrate(problem, sights, cfg)
    campaign = ObservationSet(problem, sights)
    ceres = find_peer("pyceres")
    calls: dict[str, Callable[[], Any]] = {
        "gelenk": lambda: calibrate_observation_set(campaign, cfg),
        "scipy": lambda: _scipy(campaign),
    }
    if ceres is not None:
        calls["pyceres"] = lambda: _ceres(ceres, campaign)
    optima = {"scipy": _scipy(campaign)}
    if ceres is not None:
        optima["pyceres"] = _ceres(ceres, campaign)
    timings = interleaved(calls, rounds=settings.pick(15, 5), block=1e-3, warmup=1)
    millis = {key: value * 1e-3 for key, value in timings.microseconds().items()}
    count = campaign.num_points
    note = f"{count} points, 21 parameters, from arrays to optimum: " + ", ".join(
        f"{name} {value:.1f} ms" for name, value in millis.items()
    )
    yield Row(
        name="solver_time_of_scipy",
        value=timings.ratio("gelenk", "scipy"),
        unit="x",
        target=OF_SCIPY,
        peers={"scipy": 1.0},
        note=note + "; its own differences of our compiled residuals",
    )
    if ceres is None:
        note = missing_note("pyceres")
    yield Row(
        name="solver_time_of_ceres",
        value=None if ceres is None else timings.ratio("gelenk", "pyceres"),
        unit="x",
        target=OF_CERES,
        peers={"pyceres": 1.0} if ceres is not None else {},
        note=note + "; our compiled residuals and derivatives",
    )
    for name, x in optima.items():
        yield Row(
            name=f"solver_optimum_{name}",
            value=float(np.abs((x - reference.values) / reference.sigma).max()),
            unit="sigma",
            target=SAME,
            note=f"largest distance of the optima, {reference.iterations} steps",
        )


def robots(settings: Settings) -> Iterator[Row]:
    """Calibrate robots with sag, play, displaced boards and outliers.

    Truth comes from a closed form that shares nothing with the calibration.
    """
    count = settings.pick(200, 12)
    bodies = random_bodies(24, settings.rng())
    for word, step in (("", 0.0), ("_with_steps", ENCODER_STEP)):
        problem = nao_problem(extended=("compliance", "play"), encoder_step=step)
        noise = SightNoise(outliers=OUTLIERS, encoder_step=step)
        joints = [problem.index(name) for name in problem.names[3:15]]
        error, z, failed = _campaign(problem, bodies, noise, count, settings.seed)
        degrees = np.rad2deg(error[:, joints])
        note = (
            f"{count} robots, 24 poses per leg, 3 head poses, 0.035 px, "
            f"{100 * OUTLIERS:.0f} % outliers, boards up to 5 mm and 3 deg off, sag "
            f"and play{', readings in steps of 0.1 deg' if step else ''}; "
            f"worst {np.abs(degrees).max():.3f} deg, {failed} not converged"
        )
        yield Row(
            name=f"joints_rms{word}",
            value=float(np.sqrt(np.mean(degrees**2))),
            unit="deg",
            target=JOINT_RMS,
            note=note,
        )
        covered = 100.0 * float(np.mean(np.abs(z[:, joints]) < WIDTH))
        ends: tuple[tuple[str, float, Direction], ...] = (
            ("at_least", COVERAGE[0], ">="),
            ("at_most", COVERAGE[1], "<="),
        )
        for side, limit, direction in ends:
            yield Row(
                name=f"coverage{word}_{side}",
                value=covered,
                unit="%",
                target=limit,
                direction=direction,
                note="95 % intervals of the twelve joints that hold the truth",
            )


def _campaign(
    problem: CalibrationProblem,
    bodies: FloatArray,
    noise: SightNoise,
    count: int,
    seed: int,
) -> tuple[FloatArray, FloatArray, int]:
    """Return errors and errors over sigma of all parameters, and how many failed."""
    errors, z, failed = [], [], 0
    for k in range(count):
        rng = np.random.default_rng((seed, k))
        robot = draw_errors(rng, level=3, spread=SAG_AND_PLAY)
        sights: list[Observation] = seen_by_nao(problem, robot, bodies, rng, noise)
        result = calibrate(problem, sights)
        failed += not result.converged
        error = result.values - values_from_errors(problem, robot)
        errors.append(error)
        z.append(error / result.sigma)
    return np.array(errors), np.array(z), failed


def _scipy(campaign: ObservationSet) -> FloatArray:
    start = campaign.start(campaign.problem.nominal)

    def residuals(x: FloatArray) -> FloatArray:
        return campaign.residuals(start._replace(x=x)).reshape(-1)

    # MINPACK's method is the fastest of SciPy's three here.
    result = least_squares(residuals, start.x, method="lm", x_scale="jac")
    return result.x


def _ceres(ceres: Any, campaign: ObservationSet) -> FloatArray:
    start = campaign.start(campaign.problem.nominal)
    size = len(start.x)

    class Sights(ceres.CostFunction):
        def __init__(self) -> None:
            ceres.CostFunction.__init__(self)
            self.set_num_residuals(2 * campaign.num_points)
            self.set_parameter_block_sizes([size])

        def Evaluate(  # noqa: N802, the name is Ceres'
            self, parameters: Any, residuals: Any, jacobians: Any
        ) -> bool:
            X = start._replace(x=np.array(parameters[0], dtype=np.float64))
            if jacobians is None:
                residuals[:] = campaign.residuals(X).reshape(-1)
                return True
            predicted, J = campaign.jacobian(X)
            residuals[:] = (predicted - campaign.views.pixel).reshape(-1)
            if jacobians[0] is not None:
                jacobians[0][:] = J.reshape(-1)
            return True

    x = np.array(start.x)
    cost, problem = Sights(), ceres.Problem()
    problem.add_residual_block(cost, None, [x])
    options = ceres.SolverOptions()
    options.linear_solver_type = ceres.LinearSolverType.DENSE_NORMAL_CHOLESKY
    options.minimizer_progress_to_stdout = False
    options.function_tolerance = 1e-9
    options.num_threads = 1
    summary = ceres.SolverSummary()
    ceres.solve(options, problem, summary)
    return x
