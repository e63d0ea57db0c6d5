"""FastSLAM: particles for the path, and for each of them small filters for landmarks.

Given the path, landmarks are independent: a particle keeps one 2 x 2 filter per
landmark instead of one large covariance. Version 1 draws poses from the motion alone;
version 2 looks first, drawing from

    Σ = (H_xᵀ Q_j⁻¹ H_x + Q⁻¹)⁻¹,  μ = x + Σ H_xᵀ Q_j⁻¹ (z - h),  Q_j = R + H_m C H_mᵀ,

and wastes fewer particles. Over long loops resampling leaves few ancestors (depletion).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from gelenk.checks import as_array, as_finite
from gelenk.errors import ConfigError
from gelenk.navigation.monte_carlo import effective_number, systematic_indices
from gelenk.navigation.planar import transposed
from gelenk.spatial.angles import wrap_angle
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FastSlam:
    """Particles with maps of their own.

    Attributes:
        poses: Poses of the particles (x [m], y [m], θ [rad]), shape (n, 3).
        places: Landmarks of each particle [m], shape (n, m, 2).
        spreads: Covariances of the landmarks, shape (n, m, 2, 2).
        is_known: Whether each landmark has been seen, shape (m,).
        log_weights: Logarithmic weights of the particles, shape (n,).
        ancestor: Particle of the very start from which each descends, shape (n,).

    Example:
        >>> cloud = start_fast_slam(100, 3)
        >>> cloud.poses.shape, cloud.places.shape, cloud.num_ancestors
        ((100, 3), (100, 3, 2), 100)
    """

    poses: FloatArray
    places: FloatArray
    spreads: FloatArray
    is_known: BoolArray
    log_weights: FloatArray
    ancestor: IntArray

    @property
    def weights(self) -> FloatArray:
        """Summing to 1, shape (n,)."""
        w = np.exp(self.log_weights - self.log_weights.max())
        return w / w.sum()

    @property
    def best(self) -> int:
        """The particle with the greatest weight."""
        return int(np.argmax(self.log_weights))

    @property
    def mean_pose(self) -> FloatArray:
        """Weighted mean of the poses, shape (3,)."""
        w, x = self.weights, self.poses
        heading = math.atan2(float(w @ np.sin(x[:, 2])), float(w @ np.cos(x[:, 2])))
        return np.array([w @ x[:, 0], w @ x[:, 1], heading])

    @property
    def mean_places(self) -> FloatArray:
        """Weighted means of the landmarks [m], shape (m, 2)."""
        return np.einsum("n,nmc->mc", self.weights, self.places)

    @property
    def num_ancestors(self) -> int:
        """How many particles of the start have descendants left: depletion if few."""
        return len(np.unique(self.ancestor))


def start_fast_slam(
    count: int, landmarks: int, pose: ArrayLike = (0.0, 0.0, 0.0)
) -> FastSlam:
    """Return particles at one pose with empty maps of at most `landmarks` places."""
    if count < 1 or landmarks < 1:
        raise ConfigError("`count` and `landmarks` must be at least 1")
    return FastSlam(
        poses=np.tile(as_finite("pose", pose, (3,)), (count, 1)),
        places=np.zeros((count, landmarks, 2)),
        spreads=np.zeros((count, landmarks, 2, 2)),
        is_known=np.zeros(landmarks, dtype=bool),
        log_weights=np.zeros(count),
        ancestor=np.arange(count),
    )


def fast_slam_step(
    cloud: FastSlam,
    control: ArrayLike,
    readings: ArrayLike,
    *,
    dt: float,
    Q: ArrayLike,
    R: ArrayLike,
    rng: np.random.Generator,
    proposal: Literal["motion", "measurement"] = "motion",
) -> FastSlam:
    """Return the particles after a step of a unicycle and what it saw then.

    Args:
        cloud: Particles before the step.
        control: v [m/s], ω [rad/s], shape (2,).
        readings: Range [m] and bearing [rad] of each landmark, NaN: unseen, (m, 2).
        dt: Time of the step [s].
        Q: Covariance of the noise of a step, positive definite, shape (3, 3).
        R: Covariance of a reading, shape (2, 2).
        rng: Source of the noise.
        proposal: FastSLAM 1 ("motion") or 2 ("measurement").
    """
    v, w = as_finite("control", control, (2,))
    z = as_array("readings", readings, (len(cloud.is_known), 2))
    noise_x, noise_z = as_finite("Q", Q, (3, 3)), as_finite("R", R, (2, 2))
    x = cloud.poses.copy()
    x[:, 0] += v * dt * np.cos(x[:, 2])
    x[:, 1] += v * dt * np.sin(x[:, 2])
    x[:, 2] += w * dt
    seen = np.flatnonzero(~np.isnan(z[:, 0]))
    known = seen[cloud.is_known[seen]]
    log_weights = cloud.log_weights.copy()
    if proposal == "measurement" and len(known):
        x, gain = _look_first(cloud, x, z, known, noise_x, noise_z, rng)
        log_weights += gain
    else:
        root = np.linalg.cholesky(noise_x)
        x += rng.standard_normal(x.shape) @ root.T
    places, spreads = cloud.places.copy(), cloud.spreads.copy()
    is_known = cloud.is_known.copy()
    for k in known:
        gain = _correct(x, places[:, k], spreads[:, k], z[k], noise_z)
        if proposal == "motion":
            log_weights += gain
    for k in seen[~cloud.is_known[seen]]:
        _place(x, places[:, k], spreads[:, k], z[k], noise_z)
        is_known[k] = True
    x[:, 2] = wrap_angle(x[:, 2])
    moved = replace(
        cloud,
        poses=x,
        places=places,
        spreads=spreads,
        is_known=is_known,
        log_weights=log_weights - log_weights.max(),
    )
    return _resampled(moved, rng)


def _look_first(
    cloud: FastSlam,
    x: FloatArray,
    z: FloatArray,
    known: IntArray,
    Q: FloatArray,
    R: FloatArray,
    rng: np.random.Generator,
) -> tuple[FloatArray, FloatArray]:
    """Draw poses from motion and measurement; return them and the log-weights."""
    mean, P = x, np.broadcast_to(Q, (len(x), 3, 3))
    gain = np.zeros(len(x))
    for k in known:
        gap, Hx, Hm = _sight(mean, cloud.places[:, k], z[k])
        Qj = R + Hm @ cloud.spreads[:, k] @ transposed(Hm)
        S = Hx @ P @ transposed(Hx) + Qj
        gain += _log_density(gap, S)
        K = transposed(np.linalg.solve(S, Hx @ P))
        mean = mean + (K @ gap[..., None])[..., 0]
        P = P - K @ S @ transposed(K)
        P = 0.5 * (P + transposed(P))
    root = np.linalg.cholesky(P)
    drawn = (root @ rng.standard_normal(x.shape)[..., None])[..., 0]
    return mean + drawn, gain


def _sight(
    x: FloatArray, m: FloatArray, z: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return residuals and slopes over pose and place."""
    d = m - x[:, :2]
    q = (d * d).sum(axis=1)
    r = np.sqrt(q)
    gap = np.stack([z[0] - r, z[1] - np.arctan2(d[:, 1], d[:, 0]) + x[:, 2]], axis=1)
    gap[:, 1] = wrap_angle(gap[:, 1])
    Hm = np.empty((len(x), 2, 2))
    Hm[:, 0] = d / r[:, None]
    Hm[:, 1, 0], Hm[:, 1, 1] = -d[:, 1] / q, d[:, 0] / q
    Hx = np.concatenate([-Hm, np.zeros((len(x), 2, 1))], axis=2)
    Hx[:, 1, 2] = -1.0
    return gap, Hx, Hm


def _correct(
    x: FloatArray, m: FloatArray, C: FloatArray, z: FloatArray, R: FloatArray
) -> FloatArray:
    """Correct one landmark of all particles in place; return the log-densities."""
    gap, _, Hm = _sight(x, m, z)
    S = Hm @ C @ transposed(Hm) + R
    K = transposed(np.linalg.solve(S, Hm @ C))
    m += (K @ gap[..., None])[..., 0]
    C -= K @ S @ transposed(K)
    return _log_density(gap, S)


def _place(
    x: FloatArray, m: FloatArray, C: FloatArray, z: FloatArray, R: FloatArray
) -> None:
    """Place a new landmark of all particles, in place."""
    angle = x[:, 2] + z[1]
    c, s = np.cos(angle), np.sin(angle)
    m[:] = x[:, :2] + z[0] * np.stack([c, s], axis=1)
    G = np.stack([np.stack([c, -z[0] * s], -1), np.stack([s, z[0] * c], -1)], -2)
    C[:] = G @ R @ transposed(G)


def _resampled(cloud: FastSlam, rng: np.random.Generator) -> FastSlam:
    weights = cloud.weights
    if effective_number(weights) >= 0.5 * len(weights):
        return cloud
    ids = systematic_indices(weights, rng.random())
    return replace(
        cloud,
        poses=cloud.poses[ids],
        places=cloud.places[ids],
        spreads=cloud.spreads[ids],
        log_weights=np.zeros(len(ids)),
        ancestor=cloud.ancestor[ids],
    )


def _log_density(gap: FloatArray, S: FloatArray) -> FloatArray:
    square = (gap * np.linalg.solve(S, gap[..., None])[..., 0]).sum(axis=-1)
    return -0.5 * (square + np.linalg.slogdet(S)[1]) - math.log(2.0 * math.pi)
