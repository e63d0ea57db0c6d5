"""SLAM with an extended Kalman filter: pose and landmarks in one normal distribution.

State (x, y, θ, m_1, ..., m_n) with full covariance. Seen landmark: h = (√q, atan2(δ_y,
δ_x) - θ), δ = m - p, q = |δ|². New landmark: m = p + r (cos(θ + φ), sin(θ + φ)) with

    P_mm = G_x P_xx G_xᵀ + G_z R G_zᵀ,  P_m* = G_x P_x*.

The covariance grows with n²; what is inverted, S, stays 2 x 2. One wrong association
and the filter diverges: that is why candidates are gated.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.navigation.planar import matrix_from_rows, transposed
from gelenk.spatial.angles import wrap_angle
from gelenk.typing import ArrayLike, FloatArray

GATE = 9.21  # 99 % of good measurements: nearer than this is the landmark
NEW = 13.8  # 99.9 %: farther than this from all is a new one


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SlamBelief:
    """Pose and landmarks, jointly normal; leading axes are independent robots.

    Attributes:
        mean: Pose and landmarks (x, y, θ, m_1x, m_1y, ...), shape (..., 3 + 2 n).
        covariance: Covariance of the whole state, shape (..., 3 + 2 n, 3 + 2 n).
    """

    mean: FloatArray
    covariance: FloatArray

    @property
    def pose(self) -> FloatArray:
        """(x [m], y [m], θ [rad]), shape (..., 3)."""
        return self.mean[..., :3]

    @property
    def landmarks(self) -> FloatArray:
        """Places [m], shape (..., n, 2)."""
        return self.mean[..., 3:].reshape(*self.mean.shape[:-1], -1, 2)

    @property
    def count(self) -> int:
        """Number of landmarks."""
        return (self.mean.shape[-1] - 3) // 2


def start_slam(pose: ArrayLike = (0.0, 0.0, 0.0)) -> SlamBelief:
    """Return a belief at a pose that defines the world: no landmarks, no doubt.

    Args:
        pose: Pose at the start (x [m], y [m], θ [rad]), shape (..., 3).

    Example:
        >>> from gelenk.navigation import start_slam
        >>> belief = start_slam([1.0, 2.0, 0.5])
        >>> belief.pose.tolist(), belief.count
        ([1.0, 2.0, 0.5], 0)
    """
    x = np.array(as_finite("pose", pose, (3,)))
    return SlamBelief(mean=x, covariance=np.zeros((*x.shape[:-1], 3, 3)))


def predict_motion(
    belief: SlamBelief, control: ArrayLike, *, dt: float, Q: ArrayLike
) -> SlamBelief:
    """Return the belief after a step of a unicycle.

    Args:
        belief: Belief before the motion.
        control: v [m/s], ω [rad/s], shape (..., 2).
        dt: Time of the step [s].
        Q: Covariance of the noise of the step, shape (3, 3).

    Example:
        >>> from gelenk.navigation import predict_motion, start_slam
        >>> noise = np.diag([1e-4, 1e-4, 1e-5])
        >>> belief = predict_motion(start_slam(), [1.0, 0.0], dt=0.5, Q=noise)
        >>> belief.pose.tolist()
        [0.5, 0.0, 0.0]
    """
    u, noise = as_finite("control", control, (2,)), as_finite("Q", Q, (3, 3))
    mean, P = belief.mean.copy(), belief.covariance.copy()
    c, s = u[..., 0] * dt * np.cos(mean[..., 2]), u[..., 0] * dt * np.sin(mean[..., 2])
    mean[..., 0] += c
    mean[..., 1] += s
    mean[..., 2] = wrap_angle(mean[..., 2] + u[..., 1] * dt)
    # A = 1 but for A[0, 2] = -s, A[1, 2] = c: only three rows and columns change.
    P[..., 0, :] -= s[..., None] * P[..., 2, :]
    P[..., 1, :] += c[..., None] * P[..., 2, :]
    P[..., :, 0] -= s[..., None] * P[..., :, 2]
    P[..., :, 1] += c[..., None] * P[..., :, 2]
    P[..., :3, :3] += noise
    return SlamBelief(mean=mean, covariance=P)


def add_landmark(belief: SlamBelief, reading: ArrayLike, R: ArrayLike) -> SlamBelief:
    """Return the belief with one landmark more, placed by its first measurement.

    Args:
        belief: Belief before the new landmark.
        reading: Range [m] and bearing [rad], shape (..., 2).
        R: Covariance of the reading, shape (2, 2).

    Example:
        >>> belief = add_landmark(start_slam(), [2.0, np.pi / 2], np.diag([0.01, 0.01]))
        >>> print(belief.landmarks.round(6) + 0.0, np.diag(belief.covariance)[3:])
        [[0. 2.]] [0.04 0.01]
    """
    z, noise = as_finite("reading", reading, (2,)), as_finite("R", R, (2, 2))
    x, P = belief.pose, belief.covariance
    angle, r = x[..., 2] + z[..., 1], z[..., 0]
    c, s, zero = np.cos(angle), np.sin(angle), 0.0 * angle
    Gx = matrix_from_rows([[zero + 1.0, zero, -r * s], [zero, zero + 1.0, r * c]])
    Gz = matrix_from_rows([[c, -r * s], [s, r * c]])
    place = x[..., :2] + r[..., None] * np.stack([c, s], axis=-1)
    cross = Gx @ P[..., :3, :]
    corner = Gx @ P[..., :3, :3] @ transposed(Gx) + Gz @ noise @ transposed(Gz)
    top = np.concatenate([P, transposed(cross)], axis=-1)
    bottom = np.concatenate([cross, corner], axis=-1)
    return SlamBelief(
        mean=np.concatenate([belief.mean, place], axis=-1),
        covariance=np.concatenate([top, bottom], axis=-2),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LandmarkPrediction:
    """Expected measurement of a landmark.

    Attributes:
        expected: Range [m] and bearing [rad], shape (..., 2).
        H: Slope over the whole state, shape (..., 2, 3 + 2 n).
        S: Covariance of the residual, shape (..., 2, 2).
    """

    expected: FloatArray
    H: FloatArray
    S: FloatArray


def predict_landmark(
    belief: SlamBelief, landmark: int, R: ArrayLike
) -> LandmarkPrediction:
    """Return the expected measurement of a landmark.

    H_pose = [[-δx/√q, -δy/√q, 0], [δy/q, -δx/q, -1]], H_m = minus its first columns.
    """
    if not 0 <= landmark < belief.count:
        raise ConfigError(f"there is no landmark {landmark} among {belief.count}")
    x, m = belief.pose, belief.landmarks[..., landmark, :]
    d = m - x[..., :2]
    q = (d * d).sum(axis=-1)
    r, zero = np.sqrt(q), 0.0 * q
    H = np.zeros((*q.shape, 2, belief.mean.shape[-1]))
    dx, dy = d[..., 0], d[..., 1]
    H[..., :3] = matrix_from_rows(
        [[-dx / r, -dy / r, zero], [dy / q, -dx / q, zero - 1.0]]
    )
    at = 3 + 2 * landmark
    H[..., at : at + 2] = -H[..., :2]
    expected = np.stack([r, wrap_angle(np.arctan2(dy, dx) - x[..., 2])], axis=-1)
    noise = as_finite("R", R, (2, 2))
    return LandmarkPrediction(
        expected=expected, H=H, S=H @ belief.covariance @ transposed(H) + noise
    )


def correct_landmark(
    belief: SlamBelief, landmark: int, reading: ArrayLike, R: ArrayLike
) -> tuple[SlamBelief, FloatArray]:
    """Return the belief after a known landmark was measured, and the nis.

    Args:
        belief: Belief before the reading.
        landmark: Number of the landmark.
        reading: Range [m] and bearing [rad], shape (..., 2).
        R: Covariance of the reading, shape (2, 2).
    """
    z = as_finite("reading", reading, (2,))
    sight = predict_landmark(belief, landmark, R)
    gap = z - sight.expected
    gap[..., 1] = wrap_angle(gap[..., 1])
    P, H, S = belief.covariance, sight.H, sight.S
    K = transposed(np.linalg.solve(S, H @ P))
    mean = belief.mean + (K @ gap[..., None])[..., 0]
    mean[..., 2] = wrap_angle(mean[..., 2])
    rest = np.eye(mean.shape[-1]) - K @ H
    P = rest @ P @ transposed(rest) + K @ np.asarray(R, dtype=float) @ transposed(K)
    nis = (gap * np.linalg.solve(S, gap[..., None])[..., 0]).sum(axis=-1)
    return SlamBelief(mean=mean, covariance=0.5 * (P + transposed(P))), nis


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SlamStep:
    """A belief after a scan of landmarks without names.

    Attributes:
        belief: Belief after all readings that could be associated.
        partners: Landmark of each reading, -1: ignored, neither known nor new.
    """

    belief: SlamBelief
    partners: tuple[int, ...]


def associate_landmark(
    belief: SlamBelief,
    readings: ArrayLike,
    R: ArrayLike,
    *,
    gate: float = GATE,
    new: float = NEW,
) -> SlamStep:
    """Return the belief after readings without names: nearest neighbour, gated.

    d = rᵀ S⁻¹ r: the nearest landmark below `gate` is it, none below `new`: a new one;
    in between the reading is dropped, for either choice may be wrong.

    Args:
        belief: Belief of one robot (no batch).
        readings: Ranges [m] and bearings [rad], shape (k, 2).
        R: Covariance of one of them, shape (2, 2).
        gate: Largest distance of a known landmark.
        new: Smallest distance from all of them of a new one.

    Example:
        >>> from gelenk.navigation import associate_landmark, start_slam
        >>> seen = [[2.0, 0.0], [3.0, 1.5]]
        >>> step = associate_landmark(start_slam(), seen, np.diag([0.01, 0.001]))
        >>> print(step.belief.landmarks.round(3))
        [[2.    0.   ]
         [0.212 2.992]]
    """
    partners: list[int] = []
    for z in as_finite("readings", readings, (2,)):
        away: list[float] = []
        for k in range(belief.count):
            sight = predict_landmark(belief, k, R)
            gap = z - sight.expected
            gap[1] = wrap_angle(gap[1])
            d = float(gap @ np.asarray(np.linalg.solve(sight.S, gap), dtype=np.float64))
            away.append(np.inf if k in partners else d)
        best = int(np.argmin(away)) if away else -1
        if away and away[best] <= gate:
            belief, _ = correct_landmark(belief, best, z, R)
            partners.append(best)
        elif not away or away[best] > new:
            partners.append(belief.count)
            belief = add_landmark(belief, z, R)
        else:
            partners.append(-1)
    return SlamStep(belief=replace(belief), partners=tuple(partners))
