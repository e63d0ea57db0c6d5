"""Monte Carlo localisation: a cloud of poses, weighed by what they would see.

Motion: every particle moves with an error of its own. Measurement: p_i <- c p_i
P(z | x_i). Particles are drawn anew in proportion to p, but only when N_eff = 1 / Σ p²
< N / 2, and systematically, which adds least noise. A few random ones find a robot that
was carried away.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtri

from gelenk.checks import as_finite, as_kernel_array
from gelenk.errors import ConfigError
from gelenk.kernels.compile import kernel
from gelenk.navigation.odometry import OdometryNoise, odometry_sigmas, split_motion
from gelenk.navigation.planar import points_in_world
from gelenk.navigation.sensor_models import LikelihoodField
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray


@kernel
def move_particles(
    poses: FloatArray, told: FloatArray, sigma: FloatArray, drawn: FloatArray
) -> None:
    """Move poses by rotation, translation, rotation, each with an error of its own.

    Args:
        poses: Poses of the particles, shape (n, 3); changed.
        told: δ1 [rad], δt [m], δ2 [rad], shape (3,).
        sigma: Standard deviations of rotation, translation, rotation, shape (3,).
        drawn: Standard normal numbers, shape (n, 3).
    """
    two_pi = 2.0 * math.pi
    for i in range(poses.shape[0]):
        heading = poses[i, 2] + told[0] - sigma[0] * drawn[i, 0]
        way = told[1] - sigma[1] * drawn[i, 1]
        poses[i, 0] += way * math.cos(heading)
        poses[i, 1] += way * math.sin(heading)
        heading += told[2] - sigma[2] * drawn[i, 2]
        poses[i, 2] = heading - two_pi * math.floor(heading / two_pi + 0.5)


@kernel
def weigh_particles(
    poses: FloatArray,
    points: FloatArray,
    padded: FloatArray,
    origin: FloatArray,
    cell: float,
    share: float,
    log_weights: FloatArray,
) -> None:
    """Add what a scan says of each pose to its log-weight.

    Beams end anywhere: a branch for those beyond the map would be guessed wrong half
    of the time, so indices are clamped into a ring around it instead.

    Args:
        poses: Poses of the particles, shape (n, 3).
        points: Ends of beams in robot axes [m], shape (k, 2).
        padded: Log-likelihood of a beam that ends in a cell, with a ring around,
            shape (nx + 2, ny + 2).
        origin: Corner of cell (0, 0) [m], shape (2,).
        cell: Side of a cell [m].
        share: Weight of one beam; below 1 because neighbouring beams err together.
        log_weights: Logarithmic weights, shape (n,); changed.
    """
    width = padded.shape[1]
    last_x, last_y = padded.shape[0] - 1.0, width - 1.0
    flat = padded.ravel()
    per_cell = 1.0 / cell
    for i in range(poses.shape[0]):
        c, s = math.cos(poses[i, 2]) * per_cell, math.sin(poses[i, 2]) * per_cell
        x0 = (poses[i, 0] - origin[0]) * per_cell + 1.0
        y0 = (poses[i, 1] - origin[1]) * per_cell + 1.0
        total = 0.0
        for k in range(points.shape[0]):
            x = min(max(x0 + c * points[k, 0] - s * points[k, 1], 0.0), last_x)
            y = min(max(y0 + s * points[k, 0] + c * points[k, 1], 0.0), last_y)
            total += flat[np.uint64(int(x) * width + int(y))]
        log_weights[i] += share * total


@kernel
def draw_systematically(weights: FloatArray, offset: float, out: IntArray) -> None:
    """Write the particles that n equally spaced pointers (offset + k) / n meet.

    Args:
        weights: Weights of the particles, summing to 1, shape (n,).
        offset: Offset of the comb, within [0, 1).
        out: Numbers of the drawn particles, written, shape (k,).
    """
    count = out.shape[0]
    last = weights.shape[0] - 1
    at, reached = 0, weights[0]
    for k in range(count):
        pointer = (offset + k) / count
        while reached < pointer and at < last:
            at += 1
            reached += weights[at]
        out[k] = at


NOISE = OdometryNoise()

PoseSampler = Callable[[int, np.random.Generator], FloatArray]
"""Draws poses where a robot may be: (count, rng) -> (count, 3)."""


def effective_number(weights: ArrayLike) -> float:
    """Return N_eff = 1 / Σ p² of weights that sum to 1.

    Example:
        >>> round(effective_number([0.1, 0.2, 0.3, 0.4]), 6)
        3.333333
    """
    w = as_finite("weights", weights, ())
    return float(1.0 / (w * w).sum())


def systematic_indices(weights: ArrayLike, offset: float, count: int = 0) -> IntArray:
    """Return the particles that pointers (offset + k) / N meet, shape (N,).

    Args:
        weights: Weights of the particles, summing to 1, shape (n,).
        offset: Uniform random number in [0, 1).
        count: Number N of pointers; 0: as many as there are particles.

    Example:
        >>> systematic_indices([0.1, 0.2, 0.3, 0.4], 0.5).tolist()
        [1, 2, 3, 3]
    """
    w = as_kernel_array(as_finite("weights", weights, ()))
    if w.ndim != 1 or not (w >= 0.0).all() or abs(w.sum() - 1.0) > 1e-6:
        raise ConfigError("`weights` must be >= 0 and sum to 1")
    out = np.empty(count or len(w), dtype=np.int64)
    draw_systematically(w, float(offset), out)
    return out


def kld_count(bins: int, *, error: float = 0.05, confidence: float = 0.99) -> int:
    """Return how many particles keep the divergence from the truth below `error`.

    N = (k - 1) / 2ε (1 - 2 / 9(k - 1) + sqrt(2 / 9(k - 1)) z)³ for k occupied bins.

    Args:
        bins: Cells of poses that hold particles.
        error: Largest Kullback-Leibler divergence ε [nat].
        confidence: Probability with which the error stays below.

    Example:
        >>> kld_count(2), kld_count(100)
        (66, 1347)
    """
    if bins < 2:
        return 1
    a = 2.0 / (9.0 * (bins - 1))
    z = float(ndtri(confidence))
    return math.ceil((bins - 1) / (2.0 * error) * (1.0 - a + math.sqrt(a) * z) ** 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class MonteCarloCfg:
    """Settings of a cloud of particles.

    Attributes:
        noise: Noise of the odometry.
        share: Weight of one beam; below 1 because neighbouring beams err together.
        resample_below: Particles are drawn anew when N_eff / N is below.
        slow: Rate of the long average of the fit, for finding a carried robot.
        fast: Rate of the short one; random particles enter while it is lower.
    """

    noise: OdometryNoise = NOISE
    share: float = 0.3
    resample_below: float = 0.5
    slow: float = 0.02
    fast: float = 0.4


DEFAULT = MonteCarloCfg()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MonteCarlo:
    """A cloud of poses.

    Attributes:
        poses: Poses of the particles (x [m], y [m], θ [rad]), shape (n, 3).
        log_weights: Logarithmic weights up to a constant, shape (n,).
        slow_fit: Long average of the likelihood per beam; 0: nothing seen yet.
        fast_fit: Short average.
        cfg: Settings.

    Example:
        >>> from gelenk.navigation import MonteCarlo
        >>> cloud = MonteCarlo(poses=np.zeros((500, 3)), log_weights=np.zeros(500))
        >>> cloud = cloud.moved([1.0, 0.0, 0.0], np.random.default_rng(0))
        >>> print(cloud.mean.round(1) + 0.0)
        [1. 0. 0.]
    """

    poses: FloatArray
    log_weights: FloatArray
    slow_fit: float = 0.0
    fast_fit: float = 0.0
    cfg: MonteCarloCfg = DEFAULT

    @property
    def weights(self) -> FloatArray:
        """Summing to 1, shape (n,)."""
        w = np.exp(self.log_weights - self.log_weights.max())
        return w / w.sum()

    @property
    def mean(self) -> FloatArray:
        """Weighted mean pose; headings by their unit vectors, shape (3,)."""
        w, x = self.weights, self.poses
        heading = math.atan2(float(w @ np.sin(x[:, 2])), float(w @ np.cos(x[:, 2])))
        return np.array([w @ x[:, 0], w @ x[:, 1], heading])

    @property
    def spread(self) -> float:
        """Root mean square distance from the mean [m]."""
        gap = self.poses[:, :2] - self.mean[:2]
        return math.sqrt(float(self.weights @ (gap**2).sum(axis=1)))

    def moved(self, motion: ArrayLike, rng: np.random.Generator) -> MonteCarlo:
        """Return the cloud after a motion measured by odometry.

        Args:
            motion: Motion (dx, dy, dθ) in the frame before it, shape (3,).
            rng: Source of the errors.
        """
        poses = np.array(self.poses, order="C")
        drawn = rng.standard_normal(poses.shape)
        sigma = odometry_sigmas(motion, self.cfg.noise)
        move_particles(poses, split_motion(motion), sigma, drawn)
        return replace(self, poses=poses)

    def strangers(
        self,
        clearance: FloatArray,
        field: LikelihoodField,
        points: ArrayLike,
        *,
        gap: float = 0.4,
        sure: float = 0.9,
        sample: int = 60,
    ) -> BoolArray:
        """Return which ends of beams are nothing that is on the map: visitors.

        A beam that ends in space that the map knows to be free was stopped by somebody
        who is not on it. Visitors make beams shorter, never longer: what ends behind a
        wall still counts against a pose. One pose may be wrong, so a beam is dropped
        only where most of the cloud agrees (distance filter, Fox et al. 1999).

        Args:
            clearance: Way from known free cells to the next that is not [m]; 0
                elsewhere, shape (nx, ny), cells as of `field`.
            field: Says where cells are.
            points: Ends of beams that met something, robot axes [m], shape (k, 2).
            gap: Farther than this from walls an end is a stranger [m].
            sure: Weight of the poses that must say so.
            sample: Function that draws a given number of poses.

        Returns:
            Shape (k,).
        """
        p = as_finite("points", points, (2,))
        ids = systematic_indices(self.weights, 0.5, sample)
        ends = points_in_world(self.poses[ids], p[None])
        cells = np.floor((ends - field.origin) / field.cell).astype(np.int64)
        limit = np.array(clearance.shape)
        inside = ((cells >= 0) & (cells < limit)).all(axis=-1)
        i, j = np.moveaxis(np.clip(cells, 0, limit - 1), -1, 0)
        is_apart = inside & (clearance[i, j] > gap)
        return np.asarray(is_apart.mean(axis=0) >= sure)

    def seen(self, field: LikelihoodField, points: ArrayLike) -> MonteCarlo:
        """Return the cloud weighed by a scan.

        Args:
            field: Likelihood field of the map.
            points: Ends of beams that met something, robot axes [m], shape (k, 2).
        """
        ends = as_kernel_array(as_finite("points", points, (2,)))
        gain = np.zeros(len(self.poses))
        weigh_particles(
            as_kernel_array(self.poses),
            ends,
            field.padded,
            as_kernel_array(field.origin),
            float(field.cell),
            self.cfg.share,
            gain,
        )
        per_beam = gain / (self.cfg.share * max(len(ends), 1))
        fit = float(self.weights @ np.exp(per_beam))
        slow, fast = self.slow_fit, self.fast_fit
        slow = fit if slow == 0.0 else slow + self.cfg.slow * (fit - slow)
        fast = fit if fast == 0.0 else fast + self.cfg.fast * (fit - fast)
        return replace(
            self, log_weights=self.log_weights + gain, slow_fit=slow, fast_fit=fast
        )

    def resampled(
        self,
        rng: np.random.Generator,
        *,
        somewhere: PoseSampler | None = None,
        count: int = 0,
    ) -> MonteCarlo:
        """Return the cloud drawn anew, if its weights have become uneven.

        Args:
            rng: Source of the draw.
            somewhere: Draws random poses; a share max(0, 1 - fast / slow) is replaced.
            count: Number of particles; 0: as many as there are.
        """
        n = len(self.poses)
        lost = 0.0
        if somewhere is not None and self.slow_fit > 0.0:
            lost = max(0.0, 1.0 - self.fast_fit / self.slow_fit)
        weights = self.weights
        is_uneven = effective_number(weights) < self.cfg.resample_below * n
        if not is_uneven and lost == 0.0 and count in (0, n):
            return self
        poses = self.poses[systematic_indices(weights, rng.random(), count)]
        if somewhere is not None and lost > 0.0:
            strangers = np.flatnonzero(rng.random(len(poses)) < lost)
            poses[strangers] = somewhere(len(strangers), rng)
        return replace(self, poses=poses, log_weights=np.zeros(len(poses)))

    def needed(self, cell: float = 0.5, turn: float = 0.3) -> int:
        """Return how many particles the spread of the cloud asks for (`kld_count`)."""
        bins = np.floor(self.poses / [cell, cell, turn]).astype(np.int64)
        return kld_count(len(np.unique(bins, axis=0)))
