"""Robust losses: the weight of a residual by its length in units of the noise.

A residual of length r and noise s has u = r / s. A loss rho(u) replaces u^2; its
weight w = rho'(u) / (2 u) multiplies the residual in the normal equations. Residuals
may come in blocks (the two pixels of one corner), whose length counts as a whole.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from gelenk.errors import ConfigError
from gelenk.kernels.compile import kernel
from gelenk.typing import ArrayLike, FloatArray, Vec3

Loss = Literal["none", "huber", "cauchy", "tukey"]
LOSS_CODES: dict[str, int] = {"none": 0, "huber": 1, "cauchy": 2, "tukey": 3}

# Where each loss starts to doubt, so that it keeps 95 % of the efficiency of least
# squares on normal noise; by quadrature of a^2 / b (see `loss_efficiency`), for blocks
# of one and two residuals.
TUNING: dict[int, dict[str, float]] = {
    1: {"none": math.inf, "huber": 1.345, "cauchy": 2.385, "tukey": 4.685},
    2: {"none": math.inf, "huber": 1.501, "cauchy": 2.549, "tukey": 5.123},
}
# Median length of a block of standard normal numbers: sqrt of the median of chi^2.
MEDIAN_LENGTH = {1: 0.6744897501960817, 2: math.sqrt(2.0 * math.log(2.0))}


@kernel
def loss_terms(code: int, c: float, u2: float) -> Vec3:
    """Return (rho, weight, slope psi') of a loss at u^2; psi = weight * u."""
    if code == 1:
        if u2 <= c * c:
            return u2, 1.0, 1.0
        u = math.sqrt(u2)
        return 2.0 * c * u - c * c, c / u, 0.0
    if code == 2:
        t = u2 / (c * c)
        w = 1.0 / (1.0 + t)
        return c * c * math.log1p(t), w, (1.0 - t) * w * w
    if code == 3:
        t = u2 / (c * c)
        if t >= 1.0:
            return c * c / 3.0, 0.0, 0.0
        v = 1.0 - t
        return c * c / 3.0 * (1.0 - v * v * v), v * v, v * (1.0 - 5.0 * t)
    return u2, 1.0, 1.0


@kernel
def loss_terms_many(
    code: int,
    c: float,
    u2: FloatArray,
    rho: FloatArray,
    weight: FloatArray,
    slope: FloatArray,
) -> None:
    """Write `loss_terms` of each u2."""
    for i in range(u2.shape[0]):
        rho[i], weight[i], slope[i] = loss_terms(code, c, u2[i])


def tuning_constant(loss: Loss, block: int = 1) -> float:
    """Return the constant of `loss` for 95 % efficiency, for blocks of 1 or 2."""
    if loss not in LOSS_CODES:
        raise ConfigError(f"`loss` must be one of {', '.join(LOSS_CODES)}, got {loss}")
    if block not in TUNING:
        raise ConfigError(f"blocks of {block} residuals are not supported; use 1 or 2")
    return TUNING[block][loss]


def evaluate_loss(
    loss: Loss, u2: ArrayLike, *, tuning: float | None = None, block: int = 1
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return rho, weight and slope of the influence for squared lengths u^2.

    Args:
        loss: Name of the loss.
        u2: Squared length of each block in units of the noise, shape (n,).
        tuning: Tuning constant; by default `tuning_constant`.
        block: Residuals per block.

    Example:
        >>> from gelenk.estimation import evaluate_loss
        >>> rho, weight, slope = evaluate_loss("huber", [1.0, 9.0], tuning=1.5)
        >>> rho.tolist(), weight.tolist(), slope.tolist()
        ([1.0, 6.75], [1.0, 0.5], [1.0, 0.0])
    """
    c = tuning_constant(loss, block) if tuning is None else float(tuning)
    if not c > 0.0:
        raise ConfigError(f"`tuning` must be > 0, got {c}")
    u2 = np.ascontiguousarray(u2, dtype=np.float64)
    rho, weight, slope = np.empty_like(u2), np.empty_like(u2), np.empty_like(u2)
    loss_terms_many(LOSS_CODES[loss], c, u2, rho, weight, slope)
    return rho, weight, slope


def block_lengths_squared(residuals: FloatArray, block: int) -> FloatArray:
    """Return the squared length of each block, shape (n / block,)."""
    return np.sum(residuals.reshape(-1, block) ** 2, axis=1)


def robust_spread(residuals: FloatArray, block: int = 1) -> float:
    """Return the noise of residuals by the median of their lengths.

    Up to half of them may be anything at all.
    """
    lengths = np.sqrt(block_lengths_squared(residuals, block))
    return float(np.median(lengths)) / MEDIAN_LENGTH[block] if lengths.size else 0.0


def loss_efficiency(
    weight: FloatArray, slope: FloatArray, u2: FloatArray, block: int = 1
) -> float:
    """Return the factor by which sum w J J^T / s^2 understates or overstates.

    The covariance of an M-estimate is A^-1 B A^-1 with A = sum E[d psi] J J^T and
    B = sum E[psi psi^T] J J^T. With the mean of both over the data, in proportion to
    the weights, the information is a^2 / b times that of the weighted equations, which
    is what this returns (1 for normal noise and no loss).
    """
    total = float(weight.sum())
    if total <= 0.0:
        return 0.0
    a = float((weight + (slope - weight) / block).sum()) / total
    b = float((weight**2 * u2).sum()) / (block * total)
    return a * a / b if b > 0.0 else 1.0
