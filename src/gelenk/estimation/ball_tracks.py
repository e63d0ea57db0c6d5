"""Thrown balls as objects of a multi-hypothesis tracker, and the prior of throws.

Every camera's circles (u, v, r) are a scan of their own; those of one moment follow
each other. A single circle can begin a track: its size tells the distance, the prior
of throws the velocity. So no circle is ever used twice, and none must be paired.

A track may begin anywhere along the flight, late if the ball was hidden. So the prior
is not one normal distribution at the release but one for every few hundredths of a
second.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from gelenk.checks import as_array, as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.estimation.ball import BallFilter
from gelenk.estimation.kalman import Belief
from gelenk.estimation.multi_hypothesis import DetectionScan
from gelenk.kernels.compile import kernel
from gelenk.kernels.linear import solve_spd
from gelenk.typing import ArrayLike, FloatArray, Vec2
from gelenk.vision.camera import Intrinsics
from gelenk.vision.sphere import triangulate

FEWEST = 12  # throws of a slice: twice the numbers of its mean


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ThrowPrior:
    """Normal distributions of (p, v) in world axes [m, m/s], one per slice.

    Attributes:
        mean: Means of (p, v) in the slices, shape (k, 6).
        covariance: Covariances of (p, v) in the slices, shape (k, 6, 6).
        weight: Probability that a ball is first seen in the slice, sums to 1, shape
            (k,).
    """

    mean: FloatArray
    covariance: FloatArray
    weight: FloatArray

    def __post_init__(self) -> None:
        mean = np.array(as_finite("mean", self.mean, (6,)), order="C")
        if mean.ndim != 2 or not len(mean):
            raise ShapeError("mean", expected="(k, 6)", actual=mean.shape)
        k = len(mean)
        P = np.array(as_finite("covariance", self.covariance, (k, 6, 6)), order="C")
        weight = np.array(as_finite("weight", self.weight, (k,)), order="C")
        try:
            np.linalg.cholesky(P)
        except np.linalg.LinAlgError as error:
            raise ConfigError("every `covariance` must be positive definite") from error
        if not (np.all(weight > 0.0) and abs(weight.sum() - 1.0) < 1e-9):
            raise ConfigError(f"`weight` must be > 0 and sum to 1, got {weight}")
        for name, value in (("mean", mean), ("covariance", P), ("weight", weight)):
            object.__setattr__(self, name, value)


def learn_throw_prior(paths: ArrayLike, *, inflation: float = 1.2) -> ThrowPrior:
    """Return the prior of throws like the given ones.

    Args:
        paths: Flights (p, v) of n throws at the same k times after the release, shape
            (n, k, 6); NaN where a flight is over or was not seen. Steps of 60 ms do.
        inflation: Factor of all standard deviations: few throws never show how far the
            next one may stray.

    Raises:
        ConfigError: If fewer than 12 throws reach any slice.
    """
    x = as_array("paths", paths, (6,))
    if x.ndim != 3:
        raise ShapeError("paths", expected="(n, k, 6)", actual=x.shape)
    seen = np.all(np.isfinite(x), axis=-1)
    means: list[FloatArray] = []
    covariances: list[FloatArray] = []
    weights: list[float] = []
    for k in np.flatnonzero(seen.sum(axis=0) >= FEWEST):
        rows = x[seen[:, k], k]
        means.append(rows.mean(axis=0))
        floor = np.diag([1e-4] * 3 + [1e-3] * 3)  # 1 cm, 3 cm/s: no throw is sharper
        covariances.append(inflation**2 * np.cov(rows.T) + floor)
        weights.append(float(len(rows)))
    if not means:
        raise ConfigError(
            f"a prior needs at least {FEWEST} throws in a slice, got at most "
            f"{int(seen.sum(axis=0).max(initial=0))}; record more throws"
        )
    weight = np.array(weights)
    return ThrowPrior(
        mean=np.array(means),
        covariance=np.array(covariances),
        weight=weight / weight.sum(),
    )


@kernel
def prior_density(
    mean: FloatArray,
    covariance: FloatArray,
    weight: FloatArray,
    p: FloatArray,
    C: FloatArray,
) -> float:
    """Return the log density of a place p (3,), known up to C (3, 3)."""
    S, y = np.empty((3, 3)), np.empty(3)
    top, total = -math.inf, 0.0
    for k in range(mean.shape[0]):
        value = math.log(weight[k]) + _fit(mean, covariance, k, p, C, S, y)
        if value > top:
            total = total * math.exp(top - value) + 1.0 if total > 0.0 else 1.0
            top = value
        elif value > -math.inf:
            total += math.exp(value - top)
    return top + math.log(total) if total > 0.0 else -math.inf


@kernel
def _fit(
    mean: FloatArray,
    covariance: FloatArray,
    k: int,
    p: FloatArray,
    C: FloatArray,
    S: FloatArray,
    y: FloatArray,
) -> float:
    """Return the log density of p in slice k; leave the root of S in S."""
    for i in range(3):
        y[i] = p[i] - mean[k, i]
        for j in range(3):
            S[i, j] = covariance[k, i, j] + C[i, j]
    r0, r1, r2 = y[0], y[1], y[2]
    if not solve_spd(S, y):
        return -math.inf
    nis = r0 * y[0] + r1 * y[1] + r2 * y[2]
    log_det = 2.0 * (math.log(S[0, 0]) + math.log(S[1, 1]) + math.log(S[2, 2]))
    return -0.5 * (nis + log_det + 3.0 * math.log(2.0 * math.pi))


@kernel
def prior_given_place(
    mean: FloatArray,
    covariance: FloatArray,
    weight: FloatArray,
    p: FloatArray,
    C: FloatArray,
    x: FloatArray,
    P: FloatArray,
) -> None:
    """Write the belief (6,), (6, 6) of a ball at p, known up to C (3, 3).

    Each slice is corrected by the place; their mixture is merged.
    """
    count = mean.shape[0]
    S, y = np.empty((3, 3)), np.empty(3)
    share, means = np.empty(count), np.empty((count, 6))
    for k in range(count):
        share[k] = math.log(weight[k]) + _fit(mean, covariance, k, p, C, S, y)
        for i in range(6):
            means[k, i] = mean[k, i]
            for j in range(3):
                means[k, i] += covariance[k, i, j] * y[j]
    share = np.exp(share - share.max())
    share /= share.sum()
    x[:] = 0.0
    P[:] = 0.0
    for k in range(count):
        x += share[k] * means[k]
    gain, A = np.empty((6, 3)), np.empty((3, 3))
    for k in range(count):
        if share[k] < 1e-9:
            continue
        A[:] = covariance[k, :3, :3] + C
        for i in range(6):
            S[:] = A
            y[:] = covariance[k, i, :3]
            solve_spd(S, y)
            gain[i] = y
        for i in range(6):
            for j in range(6):
                value = covariance[k, i, j] + (means[k, i] - x[i]) * (
                    means[k, j] - x[j]
                )
                for a in range(3):
                    value -= gain[i, a] * covariance[k, a, j]
                P[i, j] += share[k] * value
    for i in range(6):
        for j in range(i):
            P[i, j] = P[j, i] = 0.5 * (P[i, j] + P[j, i])


BallState: TypeAlias = tuple[FloatArray, FloatArray]  # mean (n,), covariance (n, n)


class BallModel:
    """Model of balls for the tracker: birth, flight, detection and loss.

    Args:
        filter: Filter of one ball.
        prior: Prior of places and velocities of balls that are seen for the first time.
        images: Size of each camera's image.
        detection_probability: Probability to detect a ball that is wholly in the image.
        max_silence: A ball that is unseen longer is gone [s].
        floor: A ball below this height is gone [m].
    """

    def __init__(
        self,
        filter: BallFilter,
        prior: ThrowPrior,
        images: Sequence[Intrinsics],
        *,
        detection_probability: float = 0.95,
        max_silence: float = 0.4,
        floor: float = 0.0,
    ) -> None:
        if len(images) != len(filter.cameras):
            raise ConfigError(
                f"`images` must describe {len(filter.cameras)} cameras, "
                f"got {len(images)}"
            )
        if not 0.0 < detection_probability < 1.0:
            raise ConfigError(
                "`detection_probability` must be between 0 and 1, got "
                f"{detection_probability}"
            )
        self.filter, self.prior = filter, prior
        self.sizes = tuple((image.width, image.height) for image in images)
        self.probability = detection_probability
        self.max_silence, self.floor = max_silence, floor
        cfg = filter.cfg
        square = 1.0 + cfg.tail_share * (cfg.tail_factor**2 - 1.0)
        self._sigma = math.sqrt(square) * np.array(cfg.circle_sigma)
        self._tail = (1.0 - (1.0 - cfg.tail_share) ** 3, float(cfg.tail_factor))

    def predict(self, state: BallState, dt: float) -> BallState:
        """Return the state dt [s] later."""
        x, P = state[0].copy(), state[1].copy()
        self.filter.predict_arrays(x, P, dt)
        return x, P

    def likelihoods(self, state: BallState, scan: DetectionScan) -> FloatArray:
        """Return the log density of each circle, -inf beyond the gate, shape (m,)."""
        out = np.empty(len(scan.detections))
        z, S = self.filter.expect_arrays(*state, scan.sensor)
        _densities(
            scan.detections, self.sigmas(scan), z, S - self.filter.R, self._tail,
            self.filter.cfg.gate, out,
        )  # fmt: skip
        return out

    def sigmas(self, scan: DetectionScan) -> FloatArray:
        """Return standard deviations of good circles (u, v, r) [px], shape (m, 3)."""
        usual = np.array(self.filter.cfg.circle_sigma)
        return np.tile(usual, (len(scan.detections), 1))

    def update(self, state: BallState, scan: DetectionScan, index: int) -> BallState:
        """Return the state after circle `index`."""
        x, P = state[0].copy(), state[1].copy()
        self.filter.update_arrays(x, P, scan.sensor, scan.detections[index])
        return x, P

    def detection_probability(self, state: BallState, scan: DetectionScan) -> float:
        """Return how likely the ball is found: 0 outside, less at the border."""
        z, S = self.filter.expect_arrays(*state, scan.sensor)
        if math.isnan(z[0]):
            return 0.0
        inside = 1.0
        for i, size in enumerate(self.sizes[scan.sensor]):
            scale = math.sqrt(2.0 * S[i, i])
            for margin in (z[i] - z[2] + 0.5, size - 0.5 - z[2] - z[i]):
                inside *= 0.5 * (1.0 + math.erf(margin / scale))
        return self.probability * inside

    def births(self, scan: DetectionScan) -> FloatArray:
        """Return the log density of each circle as the first of a ball, shape (m,)."""
        out = np.empty(len(scan.detections))
        _birth_densities(
            scan.detections, self.filter.cameras[scan.sensor : scan.sensor + 1],
            self._sigma, self.filter.cfg.radius, self.prior.mean,
            self.prior.covariance, self.prior.weight, out,
        )  # fmt: skip
        return out

    def birth(self, scan: DetectionScan, index: int) -> BallState:
        """Return the state of a ball first seen as circle `index`."""
        place, C = np.empty(3), np.empty((3, 3))
        camera = self.filter.cameras[scan.sensor : scan.sensor + 1]
        circle = scan.detections[index : index + 1]
        triangulate(camera, circle, self._sigma, self.filter.cfg.radius, place, C)
        x, P = np.empty(6), np.empty((6, 6))
        prior = self.prior
        prior_given_place(prior.mean, prior.covariance, prior.weight, place, C, x, P)
        return self.filter.start_arrays(x, P)

    def is_lost(self, state: BallState, silence: float) -> bool:
        """Return whether a ball is on the floor or unseen for too long."""
        return silence > self.max_silence or float(state[0][2]) < self.floor

    def belief(self, state: BallState) -> Belief:
        """Return a state as the filter's belief, for predictions."""
        return Belief(mean=state[0], covariance=state[1])


@kernel
def _densities(
    circles: FloatArray,
    sigma: FloatArray,
    z: FloatArray,
    S: FloatArray,
    tail: Vec2,
    gate: float,
    out: FloatArray,
) -> None:
    """Write the log density of each circle: a good or a bad one, -inf if neither.

    `sigma` (m, 3) of good circles; `S` is what is uncertain without their errors.
    """
    A, y = np.empty((3, 3)), np.empty(3)
    extra = tail[1] * tail[1] - 1.0
    for k in range(circles.shape[0]):
        out[k] = -math.inf
        for bad in range(2):
            share = tail[0] if bad else 1.0 - tail[0]
            if not share > 0.0:
                continue
            for i in range(3):
                y[i] = circles[k, i] - z[i]
                for j in range(3):
                    A[i, j] = S[i, j]
                A[i, i] += (1.0 + bad * extra) * sigma[k, i] * sigma[k, i]
            r0, r1, r2 = y[0], y[1], y[2]
            if not solve_spd(A, y):
                continue
            nis = r0 * y[0] + r1 * y[1] + r2 * y[2]
            if nis <= gate:
                root = A[0, 0] * A[1, 1] * A[2, 2]
                value = (
                    math.log(share / root) - 0.5 * nis - 1.5 * math.log(2.0 * math.pi)
                )
                out[k] = np.logaddexp(out[k], value)


@kernel
def _birth_densities(
    circles: FloatArray,
    camera: FloatArray,
    sigma: FloatArray,
    radius: float,
    mean: FloatArray,
    covariance: FloatArray,
    weight: FloatArray,
    out: FloatArray,
) -> None:
    """Write the log density of each circle as the first detection of a thrown ball."""
    place, C = np.empty(3), np.empty((3, 3))
    volume = math.log(sigma[0] * sigma[1] * sigma[2])
    for k in range(circles.shape[0]):
        chi2 = triangulate(camera, circles[k : k + 1], sigma, radius, place, C)
        out[k] = -math.inf
        if not math.isnan(chi2):
            density = prior_density(mean, covariance, weight, place, C)
            out[k] = density + 0.5 * math.log(np.linalg.det(C)) - volume
