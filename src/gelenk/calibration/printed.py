"""Calibration by Kastner 2014's Algorithm 4.2, to the letter; for the record.

Use `calibrate.calibrate`. This one knows neither outliers nor priors, differentiates
numerically, and in single precision shows what the published runs show: many times the
iterations, and standard deviations that are too small.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gelenk.calibration.passes import ObservationSet
from gelenk.calibration.predict import ResidualMode
from gelenk.calibration.problem import CalibrationProblem, Observation
from gelenk.estimation.levenberg import (
    PrintedCfg,
    PrintedResult,
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
