"""The published fit for the record: Levenberg-Marquardt as Kastner 2014 prints it.

The fit to use is `gelenk.calibration.calibration`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from gelenk.calibration.calibration import Calibration, CalibrationStatus
from gelenk.calibration.passes import ObservationSet
from gelenk.calibration.prediction import ResidualMode, jacobian, residuals
from gelenk.calibration.problem import CalibrationProblem, Observation
from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.estimation.descent import solve_ldl
from gelenk.typing import ArrayLike, FloatArray

Residuals = Callable[[FloatArray], FloatArray]

SINGLE_EPSILON = 1.1920929e-7  # step of the differences in §4.8.1


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedCfg:
    """Settings of Algorithm 4.2; the defaults are those of the calibration (§5.3).

    Attributes:
        damping: First lambda.
        damping_down, damping_up: Factors after a success and after a failure.
        damping_limit: Give up beyond.
        max_iterations: Of successful steps.
        tolerance: Change of chi^2 that counts as small, absolute.
        convergence_count: Stop when more changes than this were small, in total.
        delta: Step of the central differences.
        is_single: Evaluate in single precision, as the thesis did unawares: the
            residual function gets and gives float32.
    """

    damping: float = 1e-3
    damping_down: float = 0.1
    damping_up: float = 10.0
    damping_limit: float = 1e16
    max_iterations: int = 500
    tolerance: float = 1e-4
    convergence_count: int = 3
    delta: float = SINGLE_EPSILON
    is_single: bool = False

    def __post_init__(self) -> None:
        if not (self.delta > 0.0 and self.damping > 0.0 and self.max_iterations >= 0):
            raise ConfigError(
                "`delta` and `damping` must be > 0 and `max_iterations` >= 0, got "
                f"{self.delta}, {self.damping} and {self.max_iterations}"
            )


class PrintedStatus(StrEnum):
    """Why Algorithm 4.2 ended."""

    CONVERGED = "converged"
    """chi^2 changed by less than the tolerance often enough."""
    MAX_ITERATIONS = "max_iterations"
    """The allowed number of successful steps is spent."""
    DAMPING_LIMIT = "damping_limit"
    """No step improves chi^2, however short."""


@dataclass(frozen=True, slots=True)
class MarquardtTrial:
    """One tried step: its lambda, the chi^2 it reached, whether it was taken."""

    damping: float
    chi2: float
    is_accepted: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PrintedResult:
    """Outcome of Algorithm 4.2.

    Attributes:
        x: Parameters, shape (P,).
        chi2_before, chi2: Sum of squares at the start and at the end.
        sigma: Equation 4.36, sqrt(diag((J^T J)^-1)): for noise of one unit, shape (P,);
            infinite for parameters without effect.
        sigma_scaled: The same times the residual deviation sqrt(chi^2 / (N - P)).
        iterations: Successful steps.
        status: Why it ended.
        trace: Every trial in turn.
    """

    x: FloatArray
    chi2_before: float
    chi2: float
    sigma: FloatArray
    sigma_scaled: FloatArray
    iterations: int
    status: PrintedStatus
    trace: tuple[MarquardtTrial, ...]

    @property
    def converged(self) -> bool:
        return self.status is PrintedStatus.CONVERGED


def central_differences(
    residuals: Residuals, x: ArrayLike, *, delta: float
) -> FloatArray:
    """Return the Jacobian (f(x + delta) - f(x - delta)) / (2 delta) (Eq. 4.35).

    Args:
        residuals: Function of shape (P,) -> (N,).
        x: Where, shape (P,).
        delta: Step, the same for all parameters.

    Returns:
        Shape (N, P).
    """
    x = np.asarray(x)
    step = np.asarray(delta, dtype=x.dtype)
    columns = []
    for k in range(x.size):
        above, below = x.copy(), x.copy()
        above[k] += step
        below[k] -= step
        columns.append((residuals(above) - residuals(below)) / (2 * step))
    return np.stack(columns, axis=1) if columns else np.empty((0, 0))


def marquardt_step(H: FloatArray, gradient: FloatArray, damping: float) -> FloatArray:
    """Return the solution of (H + lambda diag H) step = gradient (Eq. 4.34).

    lambda -> 0 gives the Gauss-Newton step, lambda -> infinity a short step down the
    gradient, each component divided by its own curvature.
    """
    return solve_ldl(H + damping * np.diag(np.diag(H)), gradient)


def printed_levenberg_marquardt(
    residuals: Residuals, x0: ArrayLike, *, cfg: PrintedCfg | None = None
) -> PrintedResult:
    """Minimise the sum of squared residuals by Algorithm 4.2.

    Args:
        residuals: Function of the parameters, shape (P,) -> (N,). With
            `cfg.is_single` it is called with float32 and should compute in it.
        x0: Start, shape (P,).
        cfg: Settings.

    Example:
        >>> result = printed_levenberg_marquardt(lambda x: x - 3.0, [0.0])
        >>> print(result.x.round(6), result.status.value)
        [3.] converged
    """
    cfg = cfg or PrintedCfg()
    kind: Any = np.float32 if cfg.is_single else np.float64
    x = as_finite("x0", x0, ()).reshape(-1).astype(kind)

    def evaluate(at: FloatArray) -> tuple[float, FloatArray]:
        r = np.asarray(residuals(at), dtype=kind)
        return float(np.sum(np.square(r, dtype=np.float64))), r

    def normal(at: FloatArray, r: FloatArray) -> tuple[FloatArray, FloatArray]:
        J = central_differences(residuals, at, delta=cfg.delta).astype(np.float64)
        return J.T @ J, J.T @ r

    chi2_before, r = evaluate(x)
    chi2_old, damping, small, iterations = chi2_before, cfg.damping, 0, 0
    H, gradient = normal(x, r)
    status, trace = PrintedStatus.MAX_ITERATIONS, list[MarquardtTrial]()
    while iterations < cfg.max_iterations:
        tried = (x - marquardt_step(H, gradient, damping)).astype(kind)
        chi2, r_tried = evaluate(tried)
        is_better = chi2 < chi2_old
        trace.append(MarquardtTrial(damping, chi2, is_better))
        if abs(chi2 - chi2_old) < cfg.tolerance:
            small += 1  # never reset: a total, whatever the text says
            if small > cfg.convergence_count:
                if is_better:
                    x, r, chi2_old = tried, r_tried, chi2
                status = PrintedStatus.CONVERGED
                break
        if is_better:
            damping *= cfg.damping_down
            x, r, chi2_old = tried, r_tried, chi2
            H, gradient = normal(x, r)
            iterations += 1
        else:
            damping *= cfg.damping_up
            if damping > cfg.damping_limit:
                status = PrintedStatus.DAMPING_LIMIT
                break
    sigma = _unit_sigma(H)
    excess = max(r.size - x.size, 1)
    return PrintedResult(
        x=x.astype(np.float64),
        chi2_before=chi2_before,
        chi2=chi2_old,
        sigma=sigma,
        sigma_scaled=sigma * math.sqrt(chi2_old / excess),
        iterations=iterations,
        status=status,
        trace=tuple(trace),
    )


def _unit_sigma(H: FloatArray) -> FloatArray:
    """Return sqrt(diag(H^-1)) by columns of the solution, infinite where H is 0."""
    size = np.diag(H)
    scale = np.sqrt(np.where(size > 0.0, size, 1.0))
    scaled = H / np.outer(scale, scale)
    unit = np.eye(len(H))
    variance = np.array([solve_ldl(scaled, unit[k])[k] for k in range(len(H))])
    with np.errstate(divide="ignore"):
        sigma = np.sqrt(np.where(variance > 0.0, variance, np.inf)) / scale
    return np.where(size > 0.0, sigma, np.inf)


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
