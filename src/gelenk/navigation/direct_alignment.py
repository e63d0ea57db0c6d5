"""Direct visual odometry: images laid onto each other by their intensities.

r(u) = I₂(π(T π⁻¹(u, Z))) - I₁(u), J = ∇I₂ ∂u/∂ξ; Gauss-Newton with Huber weights over
pixels of high gradient, coarse images first. Needs depth of the first image, no
features; a change of light disturbs it, unless gain and bias are estimated too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import gaussian_filter, map_coordinates

from gelenk.checks import as_finite
from gelenk.errors import ShapeError
from gelenk.navigation.bundle import projection_slope
from gelenk.spatial import se3
from gelenk.typing import ArrayLike, FloatArray

HUBER = 0.04  # of the range of intensities


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Alignment:
    """How the second camera lies to the first.

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
        focal: [px].
        guess: T_second_first to start from; None: no motion.
        levels: Of the pyramid.
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


def _align(image, Z, target, focal, T, steps):
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
        seen, sx, sy = (map_coordinates(x, at, order=1) for x in (target, tx, ty))
        r = light[0] * seen + light[1] - want[inside]
        flat = projection_slope(q[inside], focal)
        J = light[0] * (sx[:, None] * flat[:, 0] + sy[:, None] * flat[:, 1])
        J = np.concatenate([J, seen[:, None], np.ones((len(seen), 1))], axis=1)
        weight = np.minimum(1.0, HUBER / np.maximum(np.abs(r), 1e-12))
        H = J.T @ (weight[:, None] * J)
        H = H + 1e-9 * np.trace(H) * np.eye(8)
        step = -np.linalg.solve(H, J.T @ (weight * r))
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
