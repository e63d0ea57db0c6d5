"""What a calibration found, and how surely."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from gelenk.errors import NameNotFoundError
from gelenk.typing import FloatArray

DOUBTED = 0.5  # weight below which a point counts as an outlier


class CalibrationStatus(StrEnum):
    """How a calibration ended."""

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
        names, units: Of the parameters.
        values: Found, shape (P,); frozen ones are nominal.
        covariance: Shape (P, P), of what noise, outliers and priors leave open; 0 for
            frozen parameters, infinite on the diagonal for undetermined ones.
        noise: Standard deviation of one pixel coordinate [px], given or found.
        chi2_before, chi2_after: Sums of squared residuals of all points [px^2].
        residuals: Prediction - observation [px], in the order of the sights, (N, 2).
        weights: What each point counted, 0 (outlier) to 1, shape (N,).
        iterations: Accepted steps.
        status, message: How it ended, and what that means here.
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
