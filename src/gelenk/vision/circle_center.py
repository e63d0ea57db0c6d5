"""Centres of balls whose size is known already: from stereo, or from their track.

A free circle in front of leaves may lose a third of its outline: where the lit top of
a ball is as bright as what is behind, the nearest edge is a shadow on the ball, and the
circle shrinks into it. With its radius given it cannot. How uneven the edges lie along
the outline also tells how far off the centre may be.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gelenk.checks import as_finite, as_kernel_array
from gelenk.kernels.compile import kernel
from gelenk.typing import ArrayLike, ByteArray, FloatArray, Vec3
from gelenk.vision.circle_fit import (
    GAIN,
    RAYS,
    VARIANCE,
    gradient_patch,
    nearest_edges,
    unit_outline,
)
from gelenk.vision.circle_search import clip_patch, stretch_of
from gelenk.vision.circles import CircleCfg, lens_of
from gelenk.vision.luma import as_gray

TURNS = 4
REACH, NEAR = 0.1, 0.05  # of the radius, to either side: first turn, the others
LEAST_REACH, LEAST_NEAR = 2.2, 1.3  # [px]
WIDTH = 1.2  # [px], edges further off the outline do not count in the last turns
# Errors over rendered balls before halls and meadows: a floor, and more where edges
# scatter. They grow faster than the scatter: neighbours are led astray together.
FLOOR = (0.035, 0.06)  # [px], along u and v
SCATTER, POWER, EVEN = 10.8, 2.47, 0.02
LEAST_WEIGHT = 6.0  # of rays; fewer tell no centre


def measure_centers(
    image: Any, circles: ArrayLike, radius_sigma: ArrayLike, cfg: CircleCfg
) -> tuple[FloatArray, FloatArray]:
    """Return centres of outlines whose radii are known.

    Args:
        image: Gray levels, uint8, shape (rows, columns).
        circles: Where to begin, and the radii: (u, v, r) [px], shape (n, 3).
        radius_sigma: How well these are known [px], shape (n,).
        cfg: Lens and contrast.

    Returns:
        Centres, shape (n, 2), and their standard deviations along u and v, shape
        (n, 2), all in pixels; NaN where there is no outline.
    """
    gray, lens = as_gray("image", image), lens_of(cfg, as_gray("image", image))
    rows = as_kernel_array(as_finite("circles", circles, (3,)))
    sigma = as_finite("radius_sigma", radius_sigma, (len(rows),))
    out = np.full((len(rows), 4), np.nan)
    floor = GAIN * cfg.min_contrast / 4.0
    for row, s, found in zip(rows, sigma, out, strict=True):
        settle(gray, row, float(s), lens, cfg.blur, floor, found)
    return out[:, :2], out[:, 2:]


@kernel
def settle(
    image: ByteArray,
    circle: FloatArray,
    radius_sigma: float,
    lens: Vec3,
    blur: float,
    floor: float,
    out: FloatArray,
) -> None:
    """Write the centre of one outline and its standard deviations into out (4,)."""
    x, y, r = circle[0], circle[1], circle[2]
    steepest = r - (VARIANCE + blur * blur) / (2.0 * r)
    search = max(REACH * r, LEAST_REACH)
    half = 1.15 * r + search + 5.0
    left, top, right, bottom = clip_patch(image.shape, x, y, half)
    if right - left < 8 or bottom - top < 8:
        return
    gx = np.empty((bottom - top, right - left), np.int16)
    gy = np.empty_like(gx)
    gradient_patch(image, left, top, gx, gy)
    points, normals = np.empty((RAYS, 2)), np.empty((RAYS, 2))
    dx, dy = x - lens[1], y - lens[2]
    unit_outline(RAYS, dx, dy, stretch_of(dx, dy, r, lens[0]), points, normals)
    guess, edges = np.array([x - left, y - top, steepest]), np.empty((RAYS, 2))
    moments = np.empty(8)
    for turn in range(TURNS):
        reach = search if turn == 0 else max(NEAR * r, LEAST_NEAR)
        nearest_edges(gx, gy, guess, reach, floor, 0.7, points, normals, edges)
        width = max(reach, WIDTH) if turn < 2 else WIDTH
        if not _shift(edges, normals, width, guess, moments):
            return
    a, b, c, total, square, tilt_x, tilt_y = moments[:7]
    det = a * c - b * b
    if total < LEAST_WEIGHT or not det > 0.0:
        return
    scatter = SCATTER * (math.sqrt(square / total) + EVEN) ** POWER
    # A radius that is wrong moves the centre of an outline seen on one side only.
    off_x = radius_sigma * (c * tilt_x - b * tilt_y) / det
    off_y = radius_sigma * (a * tilt_y - b * tilt_x) / det
    out[0], out[1] = guess[0] + left, guess[1] + top
    out[2] = math.sqrt(FLOOR[0] ** 2 + scatter * scatter * c / det + off_x * off_x)
    out[3] = math.sqrt(FLOOR[1] ** 2 + scatter * scatter * a / det + off_y * off_y)


@kernel
def _shift(
    edges: FloatArray,
    normals: FloatArray,
    width: float,
    guess: FloatArray,
    moments: FloatArray,
) -> bool:
    """Move a circle of fixed radius onto its edges; return whether there are any.

    Moments: weighted sums of nx nx, nx ny, ny ny, 1, squared distances, nx, ny.
    """
    usual = max(np.median(np.abs(edges[:, 1])), 1.0)
    shift_x, shift_y = 0.0, 0.0
    for _ in range(3):
        moments[:] = 0.0
        right_x, right_y = 0.0, 0.0
        for k in range(len(normals)):
            if not np.isfinite(edges[k, 0]):
                continue
            nx, ny = normals[k, 0], normals[k, 1]
            miss = edges[k, 0] - nx * shift_x - ny * shift_y
            u = miss / width
            if abs(u) >= 1.0:
                continue
            w = (1.0 - u * u) ** 2 * min(abs(edges[k, 1]) / usual, 1.0) ** 2
            moments[0] += w * nx * nx
            moments[1] += w * nx * ny
            moments[2] += w * ny * ny
            moments[3] += w
            moments[4] += w * miss * miss
            moments[5] += w * nx
            moments[6] += w * ny
            right_x += w * nx * miss
            right_y += w * ny * miss
        a, b, c = moments[0] + 1e-3, moments[1], moments[2] + 1e-3
        det = a * c - b * b
        shift_x += (c * right_x - b * right_y) / det
        shift_y += (a * right_y - b * right_x) / det
    guess[0] += shift_x
    guess[1] += shift_y
    return moments[3] > 0.0 and math.hypot(shift_x, shift_y) < 2.0 * width
