"""Nonlinear least squares: robust, with priors, bounds and a covariance."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.estimation.descent import (
    BoundedStep,
    Bounds,
    Descent,
    SolverStatus,
    damped_gauss_newton,
)
from gelenk.estimation.robust import (
    Loss,
    block_lengths_squared,
    evaluate_loss,
    loss_efficiency,
    robust_spread,
    tuning_constant,
)
from gelenk.typing import ArrayLike, BoolArray, FloatArray

LEAST_SCALE = 1e-9  # of the first scale: data without noise have no noise to find
SMALLEST_SCALE = 1e-100  # its square is still a number: exact data have no noise
SETTLED = 0.02  # relative change of the scale that no longer matters
ROUNDS = 25  # of finding the scale
STEPS_PER_ROUND = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class LeastSquaresCfg:
    """Settings of `solve_least_squares`.

    Attributes:
        loss: Loss of residuals that are longer than the noise explains.
        tuning: Constant of the loss in units of the noise; by default 95 % efficiency.
        scale: Standard deviation of one residual; None: estimated from the data.
        block: Residuals that belong together and are judged by their length, 1 or 2.
        max_iterations: Accepted steps at the final scale.
        tolerance: Promised relative fall of the cost at which to stop.
    """

    loss: Loss = "none"
    tuning: float | None = None
    scale: float | None = None
    block: int = 1
    max_iterations: int = 100
    tolerance: float = 1e-12

    def __post_init__(self) -> None:
        tuning_constant(self.loss, self.block)
        if self.scale is not None and not self.scale > 0.0:
            raise ConfigError(f"`scale` must be > 0, got {self.scale}")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LeastSquaresResult:
    """Outcome of `solve_least_squares`.

    Attributes:
        x: Parameters, shape (P,).
        covariance: Covariance of the parameters, shape (P, P); frozen ones and those at
            a bound have 0, those the data say nothing about infinity on the diagonal.
        residuals: Residuals at `x`, shape (N,).
        weights: Weight of each block in the robust sum, 0 to 1, shape (N / block,).
        scale: Noise of one residual, given or estimated.
        chi2_before, chi2: Plain sums of squares at the start and at `x`.
        iterations: Accepted steps, all rounds together.
        status: Outcome of the solver.
        trace: The tried steps of the last round.
    """

    x: FloatArray
    covariance: FloatArray
    residuals: FloatArray
    weights: FloatArray
    scale: float
    chi2_before: float
    chi2: float
    iterations: int
    status: SolverStatus
    trace: tuple[BoundedStep, ...]

    @property
    def converged(self) -> bool:
        return self.status is SolverStatus.CONVERGED

    @property
    def sigma(self) -> FloatArray:
        """Standard deviations of the parameters, shape (P,)."""
        return np.sqrt(np.diag(self.covariance))


def solve_least_squares(
    residuals: Callable[[FloatArray], ArrayLike],
    x0: ArrayLike,
    *,
    jacobian: Callable[[FloatArray], ArrayLike] | None = None,
    prior_mean: ArrayLike | None = None,
    prior_sigma: ArrayLike | None = None,
    lower: ArrayLike = -math.inf,
    upper: ArrayLike = math.inf,
    is_frozen: ArrayLike = False,
    cfg: LeastSquaresCfg | None = None,
) -> LeastSquaresResult:
    """Return the parameters that explain the residuals best.

    Args:
        residuals: Function of the parameters, shape (P,) -> (N,).
        x0: Start, shape (P,).
        jacobian: Derivative of the residuals, (P,) -> (N, P); by default accurate
            differences.
        prior_mean: Expected values before the data, shape (P,); by default `x0`.
        prior_sigma: Standard deviations of the prior; infinite: no prior, shape (P,).
        lower: Least values, shape (P,).
        upper: Greatest values, shape (P,).
        is_frozen: Parameters that keep their value, shape (P,).
        cfg: Settings.

    Raises:
        ShapeError: If an argument does not fit `x0`.
        ConfigError: If a setting makes no sense.

    Example:
        A line through four points, one of them wrong.

        >>> from gelenk.estimation import solve_least_squares
        >>> from gelenk.estimation.least_squares import LeastSquaresCfg
        >>> t, y = np.arange(4.0), np.array([1.0, 3.0, 90.0, 7.0])
        >>> line = solve_least_squares(lambda x: x[0] + x[1] * t - y, [0.0, 0.0],
        ...              cfg=LeastSquaresCfg(loss="tukey", scale=0.1))
        >>> print(line.x.round(6), line.weights.round(3))
        [1. 2.] [1. 1. 0. 1.]
    """
    cfg = cfg or LeastSquaresCfg()
    x = np.array(as_finite("x0", x0, ()).reshape(-1))
    box = _box(x, prior_mean, prior_sigma, lower, upper, is_frozen)
    function = _checked(residuals, x.size, cfg.block)
    derivative = jacobian or partial(accurate_differences, function)
    x = np.clip(x, box.lower, box.upper)
    start = function(x)

    def make(scale: float, loss: Loss) -> Callable[[FloatArray, Any], _Weighted]:
        return lambda at, hidden: _Weighted(function, derivative, at, scale, loss, cfg)

    rounds = find_scale_and_descend(
        make,
        lambda descent: _estimated_scale(descent.at.r, cfg, x.size),
        x,
        None,
        box,
        loss=cfg.loss,
        first_scale=max(_estimated_scale(start, cfg, 0), SMALLEST_SCALE),
        known_scale=cfg.scale,
        max_iterations=cfg.max_iterations,
        tolerance=cfg.tolerance,
    )
    at: _Weighted = rounds.descent.at
    scale = cfg.scale or _estimated_scale(at.r, cfg, x.size)
    # Without loss and prior the scale never entered; bring H to the one found.
    H = at.H * (at.scale / scale) ** 2 if scale > 0.0 else at.H
    return LeastSquaresResult(
        x=rounds.descent.x,
        covariance=covariance_from_information(
            H * at.efficiency(scale, cfg, x.size), rounds.descent.x, box
        ),
        residuals=at.r,
        weights=at.weights,
        scale=scale,
        chi2_before=float(start @ start),
        chi2=float(at.r @ at.r),
        iterations=rounds.iterations,
        status=rounds.descent.status,
        trace=tuple(rounds.descent.trace),
    )


@dataclass(slots=True, eq=False)
class Rounds:
    """Result of `find_scale_and_descend`."""

    descent: Descent
    scale: float
    iterations: int


def find_scale_and_descend(
    make: Callable[[float, Loss], Callable[[FloatArray, Any], Any]],
    estimate: Callable[[Descent], float],
    x: FloatArray,
    hidden: Any,
    box: Bounds,
    *,
    loss: Loss,
    first_scale: float,
    known_scale: float | None,
    max_iterations: int,
    tolerance: float,
    least_scale: float | None = None,
    needs_scale: bool = False,
    before_round: Callable[[FloatArray], None] = lambda x: None,
) -> Rounds:
    """Descend while the noise is found from the residuals.

    Far from the solution residuals are errors of the parameters; judged by the true
    noise all of them would be outliers. So the scale starts at their median and falls
    with them, a few steps at a time, under Huber's loss, which has no second minimum
    far out; only then the loss asked for takes over.
    """
    iterations = 0
    least = known_scale or least_scale or LEAST_SCALE * first_scale
    scale = max(first_scale, least)
    early: Loss = "none" if loss == "none" else "huber"
    needs_scale = needs_scale or bool(box.precision.any())
    is_needed = loss != "none" or (known_scale is None and needs_scale)
    for _ in range(ROUNDS if is_needed else 0):
        before_round(x)
        descent = damped_gauss_newton(
            make(scale, early),
            x,
            hidden,
            box,
            max_iterations=STEPS_PER_ROUND,
            tolerance=tolerance,
        )
        x, hidden = descent.x, descent.hidden
        iterations += descent.iterations
        found = max(estimate(descent), least)
        if known_scale is not None:  # get there, whatever the residuals say
            found = max(min(found, 0.5 * scale), known_scale)
        has_settled = abs(found - scale) <= SETTLED * scale
        scale = found
        if has_settled or descent.status is SolverStatus.NOT_FINITE:
            break
    scale = known_scale or scale
    before_round(x)
    descent = damped_gauss_newton(
        make(scale, loss), x, hidden, box,
        max_iterations=max_iterations, tolerance=tolerance,
    )  # fmt: skip
    return Rounds(descent, scale, iterations + descent.iterations)


def accurate_differences(
    residuals: Callable[[FloatArray], FloatArray], x: FloatArray
) -> FloatArray:
    """Return the Jacobian by central differences with one step of extrapolation.

    (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / (12 h) errs by h^4; h = eps^(1/5) per unit
    of the parameter balances that with rounding.

    Returns:
        Shape (N, P).
    """
    columns: list[FloatArray] = []
    for k in range(x.size):
        h = 7.4e-4 * max(abs(x[k]), 1.0)
        values: list[FloatArray] = []
        for factor in (1.0, -1.0, 2.0, -2.0):
            at = x.copy()
            at[k] += factor * h
            values.append(residuals(at))
        near, far = values[0] - values[1], values[2] - values[3]
        columns.append((8.0 * near - far) / (12.0 * h))
    return np.stack(columns, axis=1)


def covariance_from_information(
    H: FloatArray, x: FloatArray, box: Bounds
) -> FloatArray:
    """Return (H + prior)^-1 over the parameters that are free and off their bounds.

    Directions without information get infinite variance on the diagonal.
    """
    moves = box.is_free & (x > box.lower) & (x < box.upper)
    ids = np.flatnonzero(moves)
    full = np.zeros((len(x), len(x)))
    part = H[np.ix_(ids, ids)] + np.diag(box.precision[ids])
    scale = np.sqrt(np.maximum(np.diag(part), 1e-300))
    values, vectors = np.linalg.eigh(part / np.outer(scale, scale))
    blind = values <= 1e-13 * max(float(values[-1]), 1e-300) if ids.size else values > 0
    spread_ = np.where(blind, 0.0, 1.0 / np.where(blind, 1.0, values))
    inverse = (vectors * spread_) @ vectors.T / np.outer(scale, scale)
    if blind.any():
        unseen = (np.abs(vectors[:, blind]) > 1e-6).any(axis=1)
        inverse[unseen, :], inverse[:, unseen] = 0.0, 0.0
        inverse[unseen, unseen] = np.inf
    full[np.ix_(ids, ids)] = inverse
    return full


class _Weighted:
    """Cost, H and g of residuals at one point, under a loss and a scale."""

    __slots__ = ("H", "cost", "g", "r", "scale", "slope", "u2", "weights")

    def __init__(
        self,
        function: Callable[[FloatArray], FloatArray],
        derivative: Callable[[FloatArray], ArrayLike],
        x: FloatArray,
        scale: float,
        loss: Loss,
        cfg: LeastSquaresCfg,
    ) -> None:
        self.r = function(x)
        self.scale = scale
        self.u2 = block_lengths_squared(self.r, cfg.block) / scale**2
        tuning = cfg.tuning if loss == cfg.loss else None
        rho, self.weights, self.slope = evaluate_loss(
            loss, self.u2, tuning=tuning, block=cfg.block
        )
        self.cost = float(rho.sum())
        J = np.asarray(derivative(x), dtype=np.float64)
        if J.shape != (self.r.size, x.size):
            raise ShapeError(
                "jacobian", expected=f"({self.r.size}, {x.size})", actual=J.shape
            )
        w = np.repeat(self.weights, cfg.block)[:, None] / scale**2
        self.H = J.T @ (w * J)
        self.g = J.T @ (w[:, 0] * self.r)

    def follow(self, step: FloatArray) -> None:
        return None

    def efficiency(self, scale: float, cfg: LeastSquaresCfg, count: int) -> float:
        """Return the factor from H to the information, with lost degrees of freedom."""
        if cfg.loss == "none" or scale <= 0.0:
            return 1.0
        u2 = self.u2 * (self.scale / scale) ** 2
        left = max(1.0 - count / max(cfg.block * float(self.weights.sum()), 1.0), 0.05)
        return loss_efficiency(self.weights, self.slope, u2, cfg.block) * left


def _estimated_scale(r: FloatArray, cfg: LeastSquaresCfg, count: int) -> float:
    """Return the noise of residuals after `count` parameters were fitted to them."""
    excess = max(r.size - count, 1)
    if cfg.loss == "none":
        return math.sqrt(float(r @ r) / excess)
    return robust_spread(r, cfg.block) * math.sqrt(r.size / excess)


def _checked(
    residuals: Callable[[FloatArray], ArrayLike], size: int, block: int
) -> Callable[[FloatArray], FloatArray]:
    def function(x: FloatArray) -> FloatArray:
        r = np.asarray(residuals(x), dtype=np.float64)
        if r.ndim != 1 or r.size % block:
            raise ShapeError(
                "residuals", expected=f"(N,) with N a multiple of {block}",
                actual=r.shape,
            )  # fmt: skip
        return r

    return function


def _box(
    x: FloatArray,
    mean: ArrayLike | None,
    sigma: ArrayLike | None,
    lower: ArrayLike,
    upper: ArrayLike,
    is_frozen: ArrayLike,
) -> Bounds:
    def full(name: str, value: ArrayLike) -> Any:
        array = np.asarray(value)
        if array.ndim and array.shape != x.shape:
            raise ShapeError(name, expected=f"({x.size},)", actual=array.shape)
        return np.broadcast_to(array, x.shape)

    width = np.array(full("prior_sigma", math.inf if sigma is None else sigma), float)
    low, high = (
        np.array(full("lower", lower), float),
        np.array(full("upper", upper), float),
    )
    if not (width > 0.0).all() or not (low <= high).all():
        raise ConfigError("`prior_sigma` must be > 0 and `lower` <= `upper`")
    free: BoolArray = ~np.array(full("is_frozen", is_frozen), dtype=bool)
    return Bounds(
        mean=np.array(full("prior_mean", x if mean is None else mean), float),
        precision=1.0 / width**2,
        lower=low,
        upper=high,
        is_free=free,
    )
