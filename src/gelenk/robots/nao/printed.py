"""The published fit for the record: Algorithm 4.2 of Kastner 2014 on NAO's views.

The fit to use is `gelenk.calibration.calibration`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from gelenk.calibration.calibration import Calibration, CalibrationStatus
from gelenk.calibration.passes import ObservationSet
from gelenk.calibration.prediction import ResidualMode, jacobian, residuals
from gelenk.calibration.problem import CalibrationProblem, Observation
from gelenk.robots.nao.levenberg import (
    PrintedCfg,
    PrintedResult,
    PrintedStatus,
    printed_levenberg_marquardt,
)
from gelenk.typing import FloatArray


def calibrate_as_printed(
    problem: CalibrationProblem,
    sights: Sequence[Observation],
    *,
    mode: ResidualMode = "distance",
    cfg: PrintedCfg | None = None,
) -> PrintedResult:
    """Return what Algorithm 4.2 makes of sights; `x` holds the free parameters.

    Args:
        problem: What may be wrong; priors, bounds and reading errors are ignored, and
            frozen parameters keep their nominal value.
        sights: What was seen.
        mode: "distance": one residual per corner, as printed (Eq. 4.9); "xy": two.
        cfg: Settings; with `is_single` predictions are rounded to single precision,
            which at 320 px and steps of 1.2e-7 rad makes every derivative wrong by
            about 100 px/rad. A whole chain in single precision errs a little more.
    """
    cfg = cfg or PrintedCfg()
    campaign = ObservationSet(problem, sights)
    start = campaign.start(problem.nominal)
    free = np.flatnonzero(problem.is_free)
    kind: Any = np.float32 if cfg.is_single else np.float64
    observed = campaign.views.pixel.astype(kind)

    def residuals(values: FloatArray) -> FloatArray:
        x = start.x.copy()
        x[free] = values
        r = campaign.predict(start._replace(x=x)).astype(kind) - observed
        return r.reshape(-1) if mode == "xy" else np.hypot(r[:, 0], r[:, 1])

    return printed_levenberg_marquardt(residuals, start.x[free], cfg=cfg)


_STATUS = {
    PrintedStatus.CONVERGED: CalibrationStatus.CONVERGED,
    PrintedStatus.MAX_ITERATIONS: CalibrationStatus.MAX_ITERATIONS,
    PrintedStatus.DAMPING_LIMIT: CalibrationStatus.STUCK,
}


def calibrate_printed(
    problem: CalibrationProblem,
    sights: Sequence[Observation],
    cfg: PrintedCfg | None = None,
) -> Calibration:
    """Return what Algorithm 4.2 finds, in the form of the other calibrations.

    The covariance is (J^T J)^-1 times the variance of the residuals: the printed one
    lacks that factor and holds for noise of 1 px.

    Args:
        problem: The published 21 parameters, all of them free; reading errors and
            priors do not count.
        sights: What was seen.
        cfg: Settings of the algorithm.
    """
    count = len(problem.parameters)
    before = residuals(problem, None, sights).reshape(-1, 2)
    if before.size <= count:
        return _calibration(
            problem,
            before,
            values=problem.nominal,
            covariance=np.diag(np.full(count, np.inf)),
            noise=math.nan,
            chi2_before=float(np.sum(before**2)),
            iterations=0,
            status=CalibrationStatus.TOO_FEW_POINTS,
            message=f"{len(before)} corners cannot determine {count} parameters",
        )
    found = calibrate_as_printed(problem, sights, cfg=cfg)
    left = residuals(problem, found.x, sights).reshape(-1, 2)
    J = jacobian(problem, found.x, sights)
    noise = math.sqrt(float(np.sum(left**2)) / (left.size - count))
    return _calibration(
        problem,
        left,
        values=found.x,
        covariance=noise**2 * np.linalg.pinv(J.T @ J),
        noise=noise,
        chi2_before=found.chi2_before,
        iterations=found.iterations,
        status=_STATUS[found.status],
        message=f"Algorithm 4.2: {found.status} after {found.iterations} steps",
    )


def _calibration(
    problem: CalibrationProblem, left: np.ndarray, **found: object
) -> Calibration:
    return Calibration(
        names=problem.names,
        units=tuple(parameter.unit for parameter in problem.parameters),
        chi2_after=float(np.sum(left**2)),
        residuals=left,
        weights=np.ones(len(left)),
        **found,  # type: ignore[arg-type]
    )
