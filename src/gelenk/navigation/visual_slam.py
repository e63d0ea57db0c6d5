"""Visual SLAM: bundle adjustment, and direct alignment of images.

min Σ |u_ij - π(T_i X_j)|²; with a left perturbation T <- exp(ξ) T, linear part first,

    ∂u/∂ξ = D [1 | -[X]ₓ],  ∂u/∂X_j = D R,  D = [[f/Z, 0, -f X/Z²], [0, f/Z, -f Y/Z²]].

Points meet only cameras, so they are eliminated first (Schur complement): a system of
6 numbers per camera is left.

Direct alignment: r(u) = I₂(π(T π⁻¹(u, Z))) - I₁(u), J = ∇I₂ ∂u/∂ξ; Gauss-Newton with
Huber weights over pixels of high gradient, coarse images first. Needs depth of the
first image, no features; a change of light disturbs it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter, map_coordinates

from gelenk.checks import as_array, as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.navigation.two_view import solve_two_views, triangulate_points
from gelenk.spatial import se3
from gelenk.spatial.vectors import skew
from gelenk.typing import ArrayLike, BoolArray, FloatArray

REPROJECTION_HUBER = 2.0  # [px]


def projection_slope(X: ArrayLike, focal: float) -> FloatArray:
    """Return ∂u/∂ξ of points in camera axes [px per unit], shape (..., 2, 6).

    Args:
        X: Points in camera axes, shape (..., 3).
        focal: Focal length [px].

    Example:
        >>> print(projection_slope([0.0, 0.0, 2.0], 100.0))
        [[  50.    0.    0.    0.  100.    0.]
         [   0.   50.    0. -100.    0.    0.]]
    """
    p = as_finite("X", X, (3,))
    x, y, z = np.moveaxis(p, -1, 0)
    zero = 0.0 * z
    flat = focal * np.stack(
        [
            np.stack([1.0 / z, zero, -x / z**2], axis=-1),
            np.stack([zero, 1.0 / z, -y / z**2], axis=-1),
        ],
        axis=-2,
    )
    return np.concatenate([flat, -flat @ skew(p)], axis=-1) + 0.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BundleResult:
    """Cameras and points after bundle adjustment.

    Attributes:
        Ts_camera_world: World in each camera, shape (n, 4, 4).
        points: Points in the world, shape (m, 3); NaN: never found.
        rms: Root mean square of the distances in the images [px].
        iterations: Steps taken.
    """

    Ts_camera_world: FloatArray
    points: FloatArray
    rms: float
    iterations: int


def adjust_bundle(
    Ts_camera_world: ArrayLike,
    points: ArrayLike,
    tracks: ArrayLike,
    focal: float,
    *,
    steps: int = 20,
) -> BundleResult:
    """Return cameras and points that explain the tracks best.

    The first camera is held, and the distance to the second: tracks tell no scale.

    Args:
        Ts_camera_world: Start values, shape (n, 4, 4).
        points: Start values, NaN: leave out, shape (m, 3).
        tracks: Pixels from the principal point, NaN: unseen, shape (n, m, 2).
        focal: Focal length [px].
        steps: Most steps.

    Example:
        >>> from gelenk.navigation import adjust_bundle
        >>> p = np.random.default_rng(0).uniform([-1, -1, 3], [1, 1, 6], (20, 3))
        >>> Ts = np.stack([np.eye(4)] * 2)
        >>> Ts[1, 0, 3] = -0.5
        >>> seen = p[None] @ np.swapaxes(Ts[:, :3, :3], 1, 2) + Ts[:, None, :3, 3]
        >>> tracks = 500.0 * seen[..., :2] / seen[..., 2:]
        >>> bool(adjust_bundle(Ts, p + 0.05, tracks, 500.0).rms < 1e-6)
        True
    """
    Ts = np.array(as_finite("Ts_camera_world", Ts_camera_world, (4, 4)))
    X = np.array(as_array("points", points, (3,)))
    u = as_array("tracks", tracks, (len(X), 2))
    if len(u) != len(Ts):
        raise ShapeError("tracks", expected=f"({len(Ts)}, ...)", actual=u.shape)
    known = ~np.isnan(X[:, 0])
    base = float(np.linalg.norm(_centers(Ts)[1] - _centers(Ts)[0]))
    cost, damping, done = _cost(Ts, X, u, focal, known), 1e-4, 0
    while done < steps:
        done += 1
        dT, dX = _step(Ts, X, u, focal, known, damping)
        T_new, X_new = _rescaled(se3.exp(dT) @ Ts, X + dX, base)
        new = _cost(T_new, X_new, u, focal, known)
        if new < cost:
            is_done = cost - new < 1e-9 * cost
            Ts, X, cost, damping = T_new, X_new, new, 0.2 * damping
            if is_done:
                break
        else:
            damping *= 10.0
            if damping > 1e6:
                break
    gaps, seen = _gaps(Ts, X, u, focal, known)
    rms = float(np.sqrt((gaps[seen] ** 2).sum(axis=1).mean()))
    return BundleResult(Ts_camera_world=Ts, points=X, rms=rms, iterations=done)


def locate_camera(
    T_camera_world: ArrayLike,
    points: ArrayLike,
    pixels: ArrayLike,
    focal: float,
    *,
    steps: int = 15,
) -> FloatArray:
    """Return the pose of the world in a camera that sees known points, shape (4, 4).

    Gauss-Newton with Huber weights over the pose alone (perspective from n points).

    Args:
        T_camera_world: Start value, shape (4, 4).
        points: Points in the world, NaN: unknown, shape (m, 3).
        pixels: Pixels from the principal point, NaN: unseen, shape (m, 2).
        focal: Focal length [px].
        steps: Most steps.
    """
    T = np.array(as_finite("T_camera_world", T_camera_world, (4, 4)))
    X, u = as_array("points", points, (3,)), as_array("pixels", pixels, (2,))
    use = ~(np.isnan(X[:, 0]) | np.isnan(u[:, 0]))
    if use.sum() < 4:
        raise ConfigError(f"a camera needs 4 known points, it sees {use.sum()}")
    for _ in range(steps):
        p = X[use] @ T[:3, :3].T + T[:3, 3]
        gap = u[use] - focal * p[:, :2] / p[:, 2:]
        J = projection_slope(p, focal)
        length = np.linalg.norm(gap, axis=1)
        w = np.minimum(1.0, REPROJECTION_HUBER / np.maximum(length, 1e-12))
        H = np.einsum("k,kij,kil->jl", w, J, J)
        right = np.einsum("k,kij,ki->j", w, J, gap)
        step = np.asarray(np.linalg.solve(H, right), dtype=np.float64)
        T = se3.exp(step) @ T
        if np.abs(step).max() < 1e-9:
            break
    return T


def reconstruct(
    tracks: ArrayLike, focal: float, *, rng: np.random.Generator, second: int = 0
) -> BundleResult:
    """Return the path of a camera and a sparse map from tracked features.

    Two views start the map, further views are located in it and add points that two
    views see, bundle adjustment refines all: feature-based visual SLAM in batch.

    Args:
        tracks: Pixels from the principal point, NaN: unseen, shape (n, m, 2).
        focal: Focal length [px].
        rng: Source of choices.
        second: View that starts the map together with the first; 0: the last one.

    Returns:
        The first camera is the world; the second view of the start is 1 away.
    """
    u = as_array("tracks", tracks, (2,))
    other = second or len(u) - 1
    both = ~(np.isnan(u[0, :, 0]) | np.isnan(u[other, :, 0]))
    start = solve_two_views(
        u[0, both] / focal, u[other, both] / focal, rng=rng, tolerance=1.5 / focal
    )
    X = np.full((u.shape[1], 3), np.nan)
    X[np.flatnonzero(both)] = start.points
    Ts, last = [np.eye(4)], np.eye(4)
    for k in range(1, len(u)):
        last = (
            start.T_second_first if k == other else locate_camera(last, X, u[k], focal)
        )
        Ts.append(last)
    Ts = np.array(Ts)
    for k in range(len(u) - 1, 0, -1):  # points that the start did not see
        new = np.isnan(X[:, 0]) & ~(np.isnan(u[0, :, 0]) | np.isnan(u[k, :, 0]))
        new &= k >= len(u) // 2
        if new.any():
            X[new] = triangulate_points(
                Ts[0], Ts[k], u[0, new] / focal, u[k, new] / focal
            )
    X[~(X[:, 2] > 0.0)] = np.nan
    return adjust_bundle(Ts, X, u, focal)


def _centers(Ts: FloatArray) -> FloatArray:
    return -np.einsum("nji,nj->ni", Ts[:, :3, :3], Ts[:, :3, 3])


def _rescaled(
    Ts: FloatArray, X: FloatArray, base: float
) -> tuple[FloatArray, FloatArray]:
    """Return the same pictures with the second camera `base` from the first."""
    centers = _centers(Ts)
    scale = base / max(float(np.linalg.norm(centers[1] - centers[0])), 1e-12)
    moved = centers[0] + scale * (centers - centers[0])
    Ts = Ts.copy()
    Ts[:, :3, 3] = -np.einsum("nij,nj->ni", Ts[:, :3, :3], moved)
    return Ts, centers[0] + scale * (X - centers[0])


def _gaps(
    Ts: FloatArray, X: FloatArray, u: FloatArray, focal: float, known: BoolArray
) -> tuple[FloatArray, BoolArray]:
    """Return pixels missed (n, m, 2), and which of them count."""
    p = np.where(known[:, None], X, 1.0) @ np.swapaxes(Ts[:, :3, :3], 1, 2)
    p = p + Ts[:, None, :3, 3]
    seen = ~np.isnan(u[..., 0]) & known
    return u - focal * p[..., :2] / p[..., 2:], seen


def _cost(
    Ts: FloatArray, X: FloatArray, u: FloatArray, focal: float, known: BoolArray
) -> float:
    gaps, seen = _gaps(Ts, X, u, focal, known)
    length = np.linalg.norm(gaps[seen], axis=1)
    far = REPROJECTION_HUBER * (2.0 * length - REPROJECTION_HUBER)
    near = length <= REPROJECTION_HUBER
    return float(np.asarray(np.where(near, length**2, far), dtype=np.float64).sum())


def _step(
    Ts: FloatArray,
    X: FloatArray,
    u: FloatArray,
    focal: float,
    known: BoolArray,
    damping: float,
) -> tuple[FloatArray, FloatArray]:
    """Return steps of cameras (n, 6) and points (m, 3) by the Schur complement."""
    n = len(u)
    gaps, seen = _gaps(Ts, X, u, focal, known)
    safe = np.where(known[:, None], X, 1.0)
    p = safe @ np.swapaxes(Ts[:, :3, :3], 1, 2) + Ts[:, None, :3, 3]
    A = projection_slope(p, focal)
    B = A[..., :3] @ Ts[:, None, :3, :3]
    length = np.linalg.norm(np.where(seen[..., None], gaps, 0.0), axis=-1)
    w = np.where(
        seen, np.minimum(1.0, REPROJECTION_HUBER / np.maximum(length, 1e-12)), 0.0
    )
    r = np.where(seen[..., None], gaps, 0.0)
    U = np.einsum("nm,nmij,nmik->njk", w, A, A)
    V = np.einsum("nm,nmij,nmik->mjk", w, B, B)
    C = np.einsum("nm,nmij,nmik->nmjk", w, A, B)
    a = np.einsum("nm,nmij,nmi->nj", w, A, r)
    b = np.einsum("nm,nmij,nmi->mj", w, B, r)
    U = U * (1.0 + damping * np.eye(6))
    V = V * (1.0 + damping * np.eye(3)) + 1e-9 * np.eye(3)
    V_inv = np.asarray(np.linalg.inv(V), dtype=np.float64)
    CV = np.einsum("nmij,mjk->nmik", C, V_inv)
    S = -np.einsum("nmij,pmkj->nipk", CV, C)
    S[np.arange(n), :, np.arange(n), :] += U
    right = a - np.einsum("nmij,mj->ni", CV, b)
    S, right = S.reshape(6 * n, 6 * n), right.reshape(-1)
    free = np.arange(6, 6 * n)
    # The scale: the second camera keeps its distance, |t| along t does not change.
    along = np.zeros(6 * n)
    t = Ts[1, :3, 3]
    along[6:9] = t / max(float(np.linalg.norm(t)), 1e-12)
    S = S + 1e3 * max(float(np.abs(S).max()), 1.0) * np.outer(along, along)
    dT = np.zeros(6 * n)
    dT[free] = np.linalg.solve(S[np.ix_(free, free)], right[free])
    dT = dT.reshape(n, 6)
    rest = b - np.einsum("nmij,ni->mj", C, dT)
    dX = np.asarray(np.linalg.solve(V, rest[..., None])[..., 0], dtype=np.float64)
    return dT, np.where(known[:, None], dX, 0.0)


INTENSITY_HUBER = 0.04  # of the range of intensities


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Alignment:
    """The pose of the second camera relative to the first.

    Attributes:
        T_second_first: Pose of the first camera in the second, shape (4, 4).
        residual: Root mean square of intensities at the end.
        overlap: Share of the pixels used that the second image sees; low: lost.
    """

    T_second_first: FloatArray
    residual: float
    overlap: float


def align_images(
    first: ArrayLike,
    depth: ArrayLike,
    second: ArrayLike,
    focal: float,
    *,
    guess: ArrayLike | None = None,
    levels: int = 3,
    steps: int = 25,
) -> Alignment:
    """Return the motion between two images, the first with depth.

    The principal point is the middle of the image; light may change by gain and bias.

    Args:
        first: Intensities, 0 to 1, shape (h, w).
        depth: Z of its pixels [m], shape (h, w).
        second: Intensities, shape (h, w).
        focal: Focal length [px].
        guess: T_second_first to start from; None: no motion.
        levels: Number of levels of the pyramid.
        steps: Most steps per level.
    """
    a, b = as_finite("first", first, ()), as_finite("second", second, ())
    Z = as_finite("depth", depth, ())
    if not (a.shape == b.shape == Z.shape and a.ndim == 2):
        raise ShapeError("second", expected=f"{a.shape}", actual=b.shape)
    T = np.eye(4) if guess is None else np.array(as_finite("guess", guess, (4, 4)))
    pyramid = [(a, Z, b, focal)]
    for _ in range(levels - 1):
        image, Zs, target, f = pyramid[-1]
        pyramid.append((_half(image), _half(Zs), _half(target), 0.5 * f))
    residual, overlap = 0.0, 0.0
    for image, Zs, target, f in reversed(pyramid):
        T, residual, overlap = _align(image, Zs, target, f, T, steps)
    return Alignment(T_second_first=T, residual=residual, overlap=overlap)


def _align(
    image: NDArray[Any],
    Z: FloatArray,
    target: NDArray[Any],
    focal: float,
    T: FloatArray,
    steps: int,
) -> tuple[FloatArray, float, float]:
    h, w = image.shape
    gy, gx = np.gradient(image)
    strength = np.hypot(gx, gy)
    rows, cols = np.nonzero(strength > np.quantile(strength, 0.5))
    z, want = Z[rows, cols], image[rows, cols]
    cx, cy = 0.5 * (w - 1), 0.5 * (h - 1)
    P = np.stack([(cols - cx) * z / focal, (rows - cy) * z / focal, z], axis=1)
    ty, tx = np.gradient(target)
    light = np.array([1.0, 0.0])  # gain, bias
    r, inside = np.zeros(1), np.zeros(1, dtype=bool)
    for _ in range(steps):
        q = P @ T[:3, :3].T + T[:3, 3]
        u, v = focal * q[:, 0] / q[:, 2] + cx, focal * q[:, 1] / q[:, 2] + cy
        inside = (u > 1) & (u < w - 2) & (v > 1) & (v < h - 2) & (q[:, 2] > 0.0)
        if inside.sum() < 50:
            break
        at = np.stack([v[inside], u[inside]])
        seen, sx, sy = (
            np.asarray(map_coordinates(x, at, order=1), dtype=np.float64)
            for x in (target, tx, ty)
        )
        r = light[0] * seen + light[1] - want[inside]
        flat = projection_slope(q[inside], focal)
        J = light[0] * (sx[:, None] * flat[:, 0] + sy[:, None] * flat[:, 1])
        J = np.concatenate([J, seen[:, None], np.ones((len(seen), 1))], axis=1)
        weight = np.minimum(1.0, INTENSITY_HUBER / np.maximum(np.abs(r), 1e-12))
        H = J.T @ (weight[:, None] * J)
        H = H + 1e-9 * np.trace(H) * np.eye(8)
        step = -np.asarray(np.linalg.solve(H, J.T @ (weight * r)), dtype=np.float64)
        T = se3.exp(step[:6]) @ T
        light = light + step[6:]
        if np.abs(step[:6]).max() < 1e-7:
            break
    residual = float(np.sqrt((r**2).mean()))
    return T, residual, float(inside.mean())


def _half(image: FloatArray) -> FloatArray:
    """Return every second pixel of a smoothed image, its middle kept in the middle."""
    h, w = (size - size % 2 for size in image.shape)
    soft = gaussian_filter(image, 0.5)[:h, :w]
    return soft.reshape(h // 2, 2, w // 2, 2).mean(axis=(1, 3))
