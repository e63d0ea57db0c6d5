"""Two views of a scene: essential matrix, motion of the camera, points in space.

In normalised coordinates x₂ᵀ E x₁ = 0 with E = [t]ₓ R for X₂ = R X₁ + t. Eight pairs
give E linearly, a random choice of eight at a time defends against wrong pairs. E =
U diag(1, 1, 0) Vᵀ: R = U W Vᵀ or U Wᵀ Vᵀ, t = ±u₃; of the four, one has all points in
front of both cameras. The length of t stays unknown.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.spatial.vectors import skew
from gelenk.typing import ArrayLike, BoolArray, FloatArray

_W = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])


def essential_matrix(R: ArrayLike, t: ArrayLike) -> FloatArray:
    """Return E = [t]ₓ R of a motion X₂ = R X₁ + t, shape (3, 3).

    Example:
        >>> print(essential_matrix(np.eye(3), [1.0, 0.0, 0.0]))
        [[ 0.  0.  0.]
         [ 0.  0. -1.]
         [ 0.  1.  0.]]
    """
    return skew(as_finite("t", t, (3,))) @ as_finite("R", R, (3, 3)) + 0.0


def essential_from_points(x1: ArrayLike, x2: ArrayLike) -> FloatArray:
    """Return E from eight or more pairs, with singular values (1, 1, 0).

    Points are centred and scaled first (Hartley), else the rows differ too much.

    Args:
        x1: Points in the first view, normalised, shape (k, 2), k >= 8.
        x2: Points in the second view, normalised, shape (k, 2).
    """
    a, b = as_finite("x1", x1, (2,)), as_finite("x2", x2, (2,))
    if len(a) < 8:
        raise ConfigError(f"an essential matrix needs 8 pairs, got {len(a)}")
    (a, Ta), (b, Tb) = _scaled(a), _scaled(b)
    rows = (b[:, :, None] * a[:, None, :]).reshape(-1, 9)
    F = np.linalg.svd(rows)[2][-1].reshape(3, 3)
    U, _, Vt = np.linalg.svd(Tb.T @ F @ Ta)
    return U @ np.diag([1.0, 1.0, 0.0]) @ Vt


def sampson_distance(E: ArrayLike, x1: ArrayLike, x2: ArrayLike) -> FloatArray:
    """Return how far pairs are from x₂ᵀ E x₁ = 0, to first order, shape (k,)."""
    M = as_finite("E", E, (3, 3))
    a, b = (
        _homogeneous(as_finite("x1", x1, (2,))),
        _homogeneous(as_finite("x2", x2, (2,))),
    )
    Ea, Eb = a @ M.T, b @ M
    size = Ea[:, 0] ** 2 + Ea[:, 1] ** 2 + Eb[:, 0] ** 2 + Eb[:, 1] ** 2
    return np.abs((b * Ea).sum(axis=1)) / np.sqrt(np.maximum(size, 1e-300))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TwoViews:
    """The motion between two views.

    Attributes:
        T_second_first: Pose of the first camera in the second, |t| = 1, shape (4, 4).
        points: Points in the first camera's frame, shape (k, 3); NaN where not trusted.
        is_inlier: Whether each pair fits, shape (k,).
    """

    T_second_first: FloatArray
    points: FloatArray
    is_inlier: BoolArray


def solve_two_views(
    x1: ArrayLike,
    x2: ArrayLike,
    *,
    rng: np.random.Generator,
    tolerance: float = 2e-3,
    trials: int = 200,
) -> TwoViews:
    """Return the motion and the points that most pairs agree on.

    Args:
        x1: Points in the first view, normalised, shape (k, 2).
        x2: Points in the second view, normalised, shape (k, 2).
        rng: Source of the choices.
        tolerance: Sampson distance of an inlier, normalised [1].
        trials: Number of random choices of eight pairs.

    Raises:
        ConfigError: If fewer than eight pairs agree.

    Example:
        >>> from gelenk.navigation import solve_two_views
        >>> rng = np.random.default_rng(0)
        >>> p = rng.uniform([-1, -1, 3], [1, 1, 6], (40, 3))
        >>> x1, x2 = p[:, :2] / p[:, 2:], (p[:, :2] - [0.5, 0.0]) / p[:, 2:]
        >>> found = solve_two_views(x1, x2, rng=rng)
        >>> print(found.T_second_first[:3, 3].round(6) + 0.0)
        [-1.  0.  0.]
    """
    a, b = as_finite("x1", x1, (2,)), as_finite("x2", x2, (2,))
    best = np.zeros(len(a), dtype=bool)
    done, needed = 0, trials
    while done < needed:
        done += 1
        chosen = rng.choice(len(a), 8, replace=False)
        E = essential_from_points(a[chosen], b[chosen])
        fits = sampson_distance(E, a, b) < tolerance
        if fits.sum() > best.sum():
            best = fits
            share = min(float(best.mean()) ** 8, 1.0 - 1e-9)
            needed = min(trials, math.ceil(math.log(1e-3) / math.log1p(-share)))
    if best.sum() < 8:
        raise ConfigError(f"only {best.sum()} of {len(a)} pairs agree on a motion")
    E = essential_from_points(a[best], b[best])
    for _ in range(2):
        best = sampson_distance(E, a, b) < tolerance
        E = essential_from_points(a[best], b[best])
    T = pose_from_essential(E, a[best], b[best])
    points = triangulate_points(np.eye(4), T, a, b)
    depth = np.minimum(points[:, 2], (points @ T[:3, :3].T + T[:3, 3])[:, 2])
    inlier = best & (depth > 0.0)
    return TwoViews(
        T_second_first=T,
        points=np.where(inlier[:, None], points, np.nan),
        is_inlier=inlier,
    )


def pose_from_essential(E: ArrayLike, x1: ArrayLike, x2: ArrayLike) -> FloatArray:
    """Return the motion of E that puts most points before both cameras, shape (4, 4).

    Args:
        E: Essential matrix, shape (3, 3).
        x1: Pairs, normalised, shape (k, 2).
        x2: Points in the second view, normalised, shape (k, 2).
    """
    U, _, Vt = np.linalg.svd(as_finite("E", E, (3, 3)))
    best, most = np.eye(4), -1
    for W in (_W, _W.T):
        R = U @ W @ Vt
        R = R * np.sign(np.linalg.det(R))
        for t in (U[:, 2], -U[:, 2]):
            T = np.eye(4)
            T[:3, :3], T[:3, 3] = R, t
            X = triangulate_points(np.eye(4), T, x1, x2)
            count = int(((X[:, 2] > 0.0) & ((X @ R.T + t)[:, 2] > 0.0)).sum())
            if count > most:
                best, most = T, count
    return best


def triangulate_points(
    T1: ArrayLike, T2: ArrayLike, x1: ArrayLike, x2: ArrayLike
) -> FloatArray:
    """Return points from two views: null vectors of x P₃ - P₁, y P₃ - P₂ of both.

    Args:
        T1: World in the first camera, shape (4, 4).
        T2: World in the second camera, shape (4, 4).
        x1: Normalised, shape (k, 2).
        x2: Points in the second view, normalised, shape (..., 2).

    Returns:
        In the world, shape (k, 3).

    Example:
        >>> T = np.eye(4)
        >>> T[0, 3] = -0.2
        >>> print(triangulate_points(np.eye(4), T, [[0.15, -0.1]], [[0.05, -0.1]]))
        [[ 0.3 -0.2  2. ]]
    """
    rows: list[FloatArray] = []
    for T, x in ((T1, x1), (T2, x2)):
        P, p = as_finite("T", T, (4, 4))[:3], as_finite("x", x, (2,))
        rows += [p[:, :1] * P[2] - P[0], p[:, 1:] * P[2] - P[1]]
    X = np.linalg.svd(np.stack(rows, axis=1))[2][:, -1]
    return X[:, :3] / np.where(np.abs(X[:, 3:]) > 1e-12, X[:, 3:], 1e-12)


def _scaled(p: FloatArray) -> tuple[FloatArray, FloatArray]:
    middle = p.mean(axis=0)
    size = math.sqrt(2.0) / max(float(np.linalg.norm(p - middle, axis=1).mean()), 1e-12)
    T = np.array(
        [[size, 0, -size * middle[0]], [0, size, -size * middle[1]], [0, 0, 1]]
    )
    return _homogeneous(p) @ T.T, T


def _homogeneous(p: FloatArray) -> FloatArray:
    return np.concatenate([p, np.ones((len(p), 1))], axis=1)
