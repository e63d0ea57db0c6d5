"""Calibration of a problem from observations, and its result with intervals."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from gelenk.calibration.kernel import Unknowns
from gelenk.calibration.passes import BLOCK, Linearization, ObservationSet
from gelenk.calibration.problem import CalibrationProblem, Observation
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.estimation.descent import Bounds, Descent, SolverStatus
from gelenk.estimation.least_squares import (
    Rounds,
    covariance_from_information,
    find_scale_and_descend,
)
from gelenk.estimation.robust import (
    Loss,
    loss_efficiency,
    robust_spread,
    tuning_constant,
)
from gelenk.typing import ArrayLike, FloatArray

DOUBTED = 0.5  # weight below which a point counts as an outlier


class CalibrationStatus(StrEnum):
    """Outcome of a calibration."""

    CONVERGED = "converged"
    """The values are the best ones, and the data determine all of them."""
    MAX_ITERATIONS = "max_iterations"
    """The allowed steps are spent; the values are the best so far."""
    STUCK = "stuck"
    """No step improves the fit, however short."""
    NOT_VISIBLE = "not_visible"
    """At the start some points lie behind their camera: data and robot do not fit."""
    TOO_FEW_POINTS = "too_few_points"
    """There are fewer measurements than parameters."""
    NOT_IDENTIFIABLE = "not_identifiable"
    """The data say nothing about some parameters, named in the message."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Calibration:
    """Outcome of `calibrate`.

    Attributes:
        names, units: Names and units of the parameters.
        values: Values found, shape (P,); those of frozen parameters are nominal.
        covariance: Covariance of the parameters from noise, outliers and priors, shape
            (P, P); 0 for frozen parameters, infinite on the diagonal for undetermined
            ones.
        noise: Standard deviation of one pixel coordinate [px], given or found.
        chi2_before, chi2_after: Sums of squared residuals of all points [px^2].
        residuals: Prediction - observation [px], in the order of the observations,
            shape (N, 2).
        weights: Weight of each point in the fit, 0 (outlier) to 1, shape (N,).
        iterations: Accepted steps.
        status, message: Outcome of the fit, and its meaning in words.
    """

    names: tuple[str, ...]
    units: tuple[str, ...]
    values: FloatArray
    covariance: FloatArray
    noise: float
    chi2_before: float
    chi2_after: float
    residuals: FloatArray
    weights: FloatArray
    iterations: int
    status: CalibrationStatus
    message: str

    @property
    def converged(self) -> bool:
        return self.status is CalibrationStatus.CONVERGED

    @property
    def sigma(self) -> FloatArray:
        """Standard deviations, shape (P,)."""
        return np.sqrt(np.diag(self.covariance))

    @property
    def num_points(self) -> int:
        return len(self.weights)

    @property
    def num_outliers(self) -> int:
        """Points that counted less than half."""
        return int((self.weights < DOUBTED).sum())

    @property
    def residual_sigma(self) -> FloatArray:
        """Root mean square of the residuals in x and in y, without outliers [px]."""
        good = self.residuals[self.weights >= DOUBTED]
        return np.sqrt(np.mean(good**2, axis=0)) if len(good) else np.full(2, np.nan)

    @property
    def correlation(self) -> FloatArray:
        """Correlations of the parameters, shape (P, P); 0 for frozen ones."""
        sigma = self.sigma
        known = np.isfinite(sigma) & (sigma > 0.0)
        safe = np.where(known, sigma, 1.0)
        out = np.where(np.outer(known, known), self.covariance, 0.0)
        out = out / np.outer(safe, safe)
        np.fill_diagonal(out, 1.0)
        return out

    def index(self, name: str) -> int:
        """Return the index of a parameter by name."""
        if name not in self.names:
            raise NameNotFoundError("parameter", name, self.names)
        return self.names.index(name)

    def value(self, name: str) -> float:
        """Return the value of a parameter by name."""
        return float(self.values[self.index(name)])

    def combination(self, weights: dict[str, float]) -> tuple[float, float]:
        """Return value and standard deviation of a weighted sum of parameters.

        The sum of three parallel joints is known far better than each of them.
        """
        row = np.zeros(len(self.names))
        for name, weight in weights.items():
            row[self.index(name)] = weight
        used = row != 0.0
        part = self.covariance[np.ix_(used, used)]
        variance = float(row[used] @ part @ row[used])
        return float(row @ self.values), float(np.sqrt(max(variance, 0.0)))


LEAST_NOISE = 1e-7  # [px]; nobody measures better, and rounding ends there
LOAD_ROUNDS = 6
LOADS_SETTLED = 0.01  # of a standard deviation
LEAST_FREEDOM = 0.05  # share of the data that parameters may not use up


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationCfg:
    """Settings of `calibrate`.

    Attributes:
        loss: Loss of points that lie further off than the noise explains.
        tuning: Constant of the loss in units of the noise; by default 95 % efficiency.
        noise: Standard deviation of one pixel coordinate [px]; None: found.
        max_iterations: Accepted steps once the noise is known.
        tolerance: Promised relative fall of the cost at which to stop.
    """

    loss: Loss = "tukey"
    tuning: float | None = None
    noise: float | None = None
    max_iterations: int = 200
    tolerance: float = 1e-10

    def __post_init__(self) -> None:
        tuning_constant(self.loss, BLOCK)
        if self.noise is not None and not self.noise > 0.0:
            raise ConfigError(f"`noise` must be > 0 [px], got {self.noise}")


def calibrate(
    problem: CalibrationProblem,
    observations: Sequence[Observation],
    cfg: CalibrationCfg | None = None,
    *,
    start: ArrayLike | None = None,
) -> Calibration:
    """Return the parameters that explain what the cameras saw.

    Minimises the loss of all residuals plus priors plus the reading errors, which are
    unknowns too but eliminated. The loads of compliance and play follow the solution
    until they no longer change it.

    Args:
        problem: Problem: robot, cameras, targets, and parameters.
        observations: Measured pixels with their postures.
        cfg: Settings.
        start: Values to start from, shape (P,); by default nominal.

    Returns:
        Values, covariance and how it ended; hopeless data give a status, not an error.

    Raises:
        NameNotFoundError: If an observation names an unknown camera or target.
        ShapeError: If a posture does not fit the robot.

    Example:
        >>> from gelenk.calibration import (
        ...     CalibrationCamera, CalibrationParameter, CalibrationProblem,
        ...     JointOffset, Target, calibrate, expected_observation,
        ... )
        >>> import gelenk
        >>> from gelenk.vision import Intrinsics
        >>> arm, q = gelenk.load("ur5e"), np.array([0.0, -1.5, 1.5, -1.5, -1.5, 0.0])
        >>> lens = Intrinsics(width=640, height=480, fx=586, fy=586, cx=320, cy=240)
        >>> points = np.mgrid[-0.1:0.1:5j, -0.1:0.1:4j, 0.4:0.4:1j].reshape(3, -1).T
        >>> camera = CalibrationCamera(name="wrist", link=arm.tool, intrinsics=lens)
        >>> board = Target(
        ...     name="board", link=None, points=points, T_link_target=arm.forward(q)
        ... )
        >>> offset = CalibrationParameter(effect=JointOffset("joint_3"))
        >>> problem = CalibrationProblem(
        ...     model=arm, cameras=(camera,), targets=(board,), parameters=(offset,)
        ... )
        >>> seen = [
        ...     expected_observation(
        ...         problem, "wrist", "board", q + d, values=[0.01], group=k
        ...     )
        ...     for k, d in enumerate(0.1 * np.eye(6))
        ... ]
        >>> print(calibrate(problem, seen).values.round(6))
        [0.01]
    """
    return calibrate_observation_set(
        ObservationSet(problem, observations), cfg, start=start
    )


def calibrate_observation_set(
    campaign: ObservationSet,
    cfg: CalibrationCfg | None = None,
    *,
    start: ArrayLike | None = None,
) -> Calibration:
    """Return what `calibrate` returns, for observations that are arrays already."""
    cfg = cfg or CalibrationCfg()
    problem = campaign.problem
    box = make_box(problem)
    x = np.clip(problem.check_values(start), box.lower, box.upper)
    campaign.set_loads(x)
    first = campaign.residuals(campaign.start(x))
    known = int((box.precision > 0.0).sum())
    if first.size + known < int(box.is_free.sum()):
        return _refused(campaign, first, x, CalibrationStatus.TOO_FEW_POINTS)
    if not np.isfinite(first).all():
        return _refused(campaign, first, x, CalibrationStatus.NOT_VISIBLE)
    rounds = _descend(campaign, box, cfg, x, first)
    return _report(campaign, box, cfg, rounds, first)


def make_box(problem: CalibrationProblem) -> Bounds:
    """Return priors, bounds and freedom of the parameters of a problem."""
    parameters = problem.parameters
    return Bounds(
        mean=problem.nominal,
        precision=np.array(
            [0.0 if p.is_frozen else p.sigma**-2.0 for p in parameters], dtype=float
        ),
        lower=np.array([p.lower for p in parameters], dtype=float),
        upper=np.array([p.upper for p in parameters], dtype=float),
        is_free=problem.is_free,
    )


def _descend(
    campaign: ObservationSet,
    box: Bounds,
    cfg: CalibrationCfg,
    x: FloatArray,
    first: FloatArray,
) -> Rounds:
    """Descend, and again with the loads at the solution until they agree."""
    X = campaign.start(x)
    hidden: Any = (X.shared, X.single)
    count = int(box.is_free.sum())

    def make(scale: float, loss: Loss) -> Callable[[FloatArray, Any], Linearization]:
        tuning = cfg.tuning if loss == cfg.loss else None
        return lambda at, hidden: campaign.evaluate(
            Unknowns(at, *hidden), loss=loss, tuning=tuning, noise=scale
        )

    def estimate(descent: Descent) -> float:
        at: Linearization = descent.at
        return _noise(at.residuals, cfg.loss, count + at.told)

    def fit(x: FloatArray, hidden: Any, scale: float) -> Rounds:
        return find_scale_and_descend(
            make, estimate, x, hidden, box,
            loss=cfg.loss,
            first_scale=scale,
            known_scale=cfg.noise,
            max_iterations=cfg.max_iterations,
            tolerance=cfg.tolerance,
            least_scale=LEAST_NOISE,
            needs_scale=bool(campaign.problem.readings),
            before_round=campaign.set_loads,
        )  # fmt: skip

    rounds = fit(x, hidden, max(_noise(first, cfg.loss, 0.0), LEAST_NOISE))
    for _ in range(LOAD_ROUNDS if campaign.compiled.loads else 0):
        before, total = rounds.descent, rounds.iterations
        rounds = fit(before.x, before.hidden, rounds.scale)
        rounds.iterations += total
        step = rounds.descent.x - before.x
        H = rounds.descent.at.H + np.diag(box.precision)
        if float(step @ H @ step) < LOADS_SETTLED**2 * count:
            break
    return rounds


def _noise(residuals: FloatArray, loss: Loss, used: float) -> float:
    """Return the noise of a pixel coordinate after `used` numbers were fitted."""
    size = residuals.size
    excess = max(size - used, LEAST_FREEDOM * size, 1.0)
    if loss == "none":
        return math.sqrt(float(np.sum(residuals**2)) / excess)
    return robust_spread(residuals, BLOCK) * math.sqrt(size / excess)


def _information(
    campaign: ObservationSet, cfg: CalibrationCfg, rounds: Rounds, used: float
) -> tuple[float, FloatArray]:
    """Return the noise, and the information about the parameters under it."""
    at: Linearization = rounds.descent.at
    noise = cfg.noise or max(_noise(at.residuals, cfg.loss, used), LEAST_NOISE)
    boost = (rounds.scale / noise) ** 2
    if cfg.loss != "none":
        # Both corrections know the true scale, whatever the weights were made with.
        freedom = 1.0 - used / max(BLOCK * float(at.weights.sum()), 1.0)
        boost = loss_efficiency(at.weights, at.slope, at.u2, BLOCK)
        boost *= max(freedom, LEAST_FREEDOM)
    if not campaign.problem.readings:
        return noise, at.H * boost
    again = campaign.evaluate(
        at.unknowns, loss=cfg.loss, tuning=cfg.tuning, noise=rounds.scale, boost=boost
    )
    return noise, again.H


def _report(
    campaign: ObservationSet,
    box: Bounds,
    cfg: CalibrationCfg,
    rounds: Rounds,
    first: FloatArray,
) -> Calibration:
    descent = rounds.descent
    at: Linearization = descent.at
    used = float(box.is_free.sum()) + at.told
    noise, information = _information(campaign, cfg, rounds, used)
    covariance = covariance_from_information(information, descent.x, box)
    status, message = _verdict(campaign.problem, descent, covariance)
    residuals, weights = np.empty_like(at.residuals), np.empty(campaign.num_points)
    residuals[campaign.point_order] = at.residuals
    weights[campaign.point_order] = at.weights
    return Calibration(
        names=campaign.problem.names,
        units=tuple(p.unit for p in campaign.problem.parameters),
        values=descent.x,
        covariance=covariance,
        noise=noise,
        chi2_before=float(np.sum(first**2)),
        chi2_after=float(np.sum(residuals**2)),
        residuals=residuals,
        weights=weights,
        iterations=rounds.iterations,
        status=status,
        message=message,
    )


def _verdict(
    problem: CalibrationProblem, descent: Descent, covariance: FloatArray
) -> tuple[CalibrationStatus, str]:
    blind = [
        name
        for name, variance in zip(problem.names, np.diag(covariance), strict=True)
        if not math.isfinite(variance)
    ]
    if blind:
        return (
            CalibrationStatus.NOT_IDENTIFIABLE,
            (
                f"the data do not determine {', '.join(blind)}; freeze some of them, "
                "give them a `sigma`, or add poses (see `explain`)"
            ),
        )
    if descent.status is SolverStatus.CONVERGED:
        return CalibrationStatus.CONVERGED, "the best values are found"
    if descent.status is SolverStatus.STUCK:
        return CalibrationStatus.STUCK, "no step improves the fit, however short"
    return (
        CalibrationStatus.MAX_ITERATIONS,
        f"still improving after {descent.iterations} steps; allow more",
    )


def _refused(
    campaign: ObservationSet,
    first: FloatArray,
    x: FloatArray,
    status: CalibrationStatus,
) -> Calibration:
    """Return a result that changes nothing and says why."""
    problem = campaign.problem
    messages = {
        CalibrationStatus.TOO_FEW_POINTS: f"{campaign.num_points} points cannot "
        f"determine {int(problem.is_free.sum())} parameters",
        CalibrationStatus.NOT_VISIBLE: "at the start some points lie behind their "
        "camera; check postures, frames and the order of the points",
    }
    residuals = np.full((campaign.num_points, 2), np.nan)
    residuals[campaign.point_order] = first
    chi2 = float(np.sum(residuals**2))
    unknown = np.where(problem.is_free, np.inf, 0.0)
    return Calibration(
        names=problem.names,
        units=tuple(p.unit for p in problem.parameters),
        values=x,
        covariance=np.diag(unknown),
        noise=math.nan,
        chi2_before=chi2,
        chi2_after=chi2,
        residuals=residuals,
        weights=np.zeros(campaign.num_points),
        iterations=0,
        status=status,
        message=messages[status],
    )
