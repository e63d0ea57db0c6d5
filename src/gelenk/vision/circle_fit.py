"""Kernels for outlines of circles: visibility of a guess, and its exact position.

All functions work on a patch of gradients around a guess. The outline is the image of
a sphere: an ellipse whose longer axis points to the optical axis of the camera,
`stretch` times as long as the shorter one; a circle if `stretch` is 1.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from gelenk.kernels.compile import kernel
from gelenk.typing import ByteArray, FloatArray

GAIN = 48.0  # response of the derivative to a step of one gray level
VARIANCE = 0.95  # [px^2] by which the derivative and a pixel's width blur
RAYS = 36
COARSE = 12
NUM_FEATURES = 10
_RAMP = 3.0  # [px], half of the widest blur of an outline that is measured whole
_int16, _float32 = np.int16, np.float32


@kernel
def gradient_patch(
    image: ByteArray, left: int, top: int, gx: NDArray[np.int16], gy: NDArray[np.int16]
) -> None:
    """Write derivatives of 5 x 5 pixels around (left, top) and to the right and below.

    Args:
        image: uint8; the patch lies 2 px inside at least.
        left: First column.
        top: First row.
        gx: int16, shape of the patch; 48 for a step of one gray level.
        gy: Derivative downwards, int16, 48 for a step of one gray level.
    """
    rows, columns = gx.shape
    smooth, slope = np.empty(columns + 4, np.int16), np.empty(columns + 4, np.int16)
    first, last = left - 2, left + columns + 2
    for j in range(rows):
        y = top + j
        a, b, c = (
            image[y - 2, first:last],
            image[y - 1, first:last],
            image[y, first:last],
        )
        d, e = image[y + 1, first:last], image[y + 2, first:last]
        for k in range(columns + 4):
            p, q, r = _int16(a[k]), _int16(b[k]), _int16(c[k])
            s, t = _int16(d[k]), _int16(e[k])
            outer, inner = _int16(p + t), _int16(q + s)
            smooth[k] = _int16(outer + _int16(inner << 2) + _int16(r * _int16(6)))
            slope[k] = _int16(_int16(t - p) + _int16(_int16(s - q) << 1))
        row_x, row_y = gx[j], gy[j]
        s1, s3, s4 = smooth[1:], smooth[3:], smooth[4:]
        d1, d2, d3, d4 = slope[1:], slope[2:], slope[3:], slope[4:]
        for k in range(columns):
            row_x[k] = _int16(
                _int16(s4[k] - smooth[k]) + _int16(_int16(s3[k] - s1[k]) << 1)
            )
            row_y[k] = _int16(
                _int16(slope[k] + d4[k])
                + _int16(_int16(d1[k] + d3[k]) << 2)
                + _int16(d2[k] * _int16(6))
            )


@kernel
def unit_patch(
    gx: NDArray[np.int16],
    gy: NDArray[np.int16],
    floor: float,
    ux: NDArray[np.float32],
    uy: NDArray[np.float32],
) -> None:
    """Write gradients of length below 1: 1 for strong ones, little below `floor`."""
    rows, columns = gx.shape
    square = _float32(floor * floor)
    for j in range(rows):
        row_x, row_y, out_x, out_y = gx[j], gy[j], ux[j], uy[j]
        for k in range(columns):
            x, y = _float32(row_x[k]), _float32(row_y[k])
            scale = _float32(1.0) / np.sqrt(x * x + y * y + square)
            out_x[k], out_y[k] = x * scale, y * scale


@kernel
def unit_outline(
    count: int,
    dx: float,
    dy: float,
    stretch: float,
    points: FloatArray,
    normals: FloatArray,
) -> None:
    """Write points of an outline of radius 1 and its normals, (count, 2) each.

    Args:
        count: Number of rays.
        dx: Offset of the centre from the optical axis to the right, any unit.
        dy: Offset of the centre from the optical axis downwards, any unit.
        stretch: Ratio of the axes.
        points: Overwritten.
        normals: Overwritten.
    """
    length = math.sqrt(dx * dx + dy * dy)
    c, s = 1.0, 0.0
    if length > 1e-9:
        c, s = dx / length, dy / length
    along, across = math.sqrt(stretch), 1.0 / math.sqrt(stretch)
    for k in range(count):
        angle = 2.0 * math.pi * k / count
        u, v = along * math.cos(angle), across * math.sin(angle)
        points[k, 0], points[k, 1] = c * u - s * v, s * u + c * v
        u, v = across * math.cos(angle), along * math.sin(angle)
        scale = 1.0 / math.sqrt(u * u + v * v)
        normals[k, 0], normals[k, 1] = (c * u - s * v) * scale, (s * u + c * v) * scale


@kernel
def radial_response(
    ux: NDArray[np.float32],
    uy: NDArray[np.float32],
    x: float,
    y: float,
    r: float,
    points: FloatArray,
    normals: FloatArray,
) -> float | np.float32:
    """Return how radial the gradients on an outline are, 0 to 1.

    Args:
        ux: Gradients of length 1 at most, (rows, columns).
        uy: Gradients downwards, of length 1 at most, (rows, columns).
        x: Centre in the patch [px].
        y: Row of the centre [px].
        r: Radius [px].
        points: Outline of radius 1, (n, 2).
        normals: Normals of the outline, (n, 2).
    """
    rows, columns = ux.shape
    total = _float32(0.0)
    for k in range(len(points)):
        i = int(x + r * points[k, 0] + 0.5)
        j = int(y + r * points[k, 1] + 0.5)
        if 0 <= i < columns and 0 <= j < rows:
            d = ux[j, i] * normals[k, 0] + uy[j, i] * normals[k, 1]
            total += d * d
    return total / len(points)


@kernel
def best_guess(
    ux: NDArray[np.float32],
    uy: NDArray[np.float32],
    x: float,
    y: float,
    reach: float,
    step: float,
    r_low: float,
    r_high: float,
    points: FloatArray,
    normals: FloatArray,
) -> tuple[float | np.float32, float, float, float]:
    """Return (response, x, y, r) of the best outline on a grid.

    Args:
        ux: Gradients of length 1 at most, (rows, columns).
        uy: Gradients downwards, of length 1 at most, (rows, columns).
        x: Middle of the grid in the patch [px].
        y: Middle of the grid in the patch, downwards [px].
        reach: Half the size of the searched grid [px].
        step: Distance between points of the grid [px].
        r_low: Smallest radius [px].
        r_high: Largest radius [px].
        points: Outline of radius 1, (n, 2).
        normals: Normals of the outline, (n, 2).
    """
    n = int(reach / step + 0.5)
    num_radii = max(math.ceil((r_high - r_low) / step), 1)
    best, best_x, best_y, best_r = -1.0, x, y, 0.5 * (r_low + r_high)
    for m in range(num_radii + 1):
        r = r_low + (r_high - r_low) * m / num_radii
        for j in range(-n, n + 1):
            for i in range(-n, n + 1):
                value = radial_response(
                    ux, uy, x + i * step, y + j * step, r, points, normals
                )
                if value > best:
                    best, best_x, best_y, best_r = value, x + i * step, y + j * step, r
    return best, best_x, best_y, best_r


@kernel
def slope_along(
    gx: NDArray[np.int16],
    gy: NDArray[np.int16],
    x: float,
    y: float,
    nx: float,
    ny: float,
) -> float:
    """Return g . n between pixels, and NaN outside of the patch."""
    rows, columns = gx.shape
    i, j = math.floor(x), math.floor(y)
    if i < 0 or j < 0 or i >= columns - 1 or j >= rows - 1:
        return np.nan
    a, b = x - i, y - j
    p = (1.0 - b) * (1.0 - a)
    q, r, s = (1.0 - b) * a, b * (1.0 - a), b * a
    vx = p * gx[j, i] + q * gx[j, i + 1] + r * gx[j + 1, i] + s * gx[j + 1, i + 1]
    vy = p * gy[j, i] + q * gy[j, i + 1] + r * gy[j + 1, i] + s * gy[j + 1, i + 1]
    return vx * nx + vy * ny


@kernel
def nearest_edges(
    gx: NDArray[np.int16],
    gy: NDArray[np.int16],
    circle: FloatArray,
    search: float,
    floor: float,
    prefer: float,
    points: FloatArray,
    normals: FloatArray,
    edges: FloatArray,
) -> None:
    """Find along each ray the edge that suits the outline best.

    Args:
        gx: Gradients of the patch.
        gy: Gradient downwards, (rows, columns).
        circle: Circle (x, y, r) in the patch [px].
        search: Largest distance of an edge on both sides [px].
        floor: Slope of an edge that half counts.
        prefer: 0 to 1, how much nearer edges are better than strong ones.
        points: Outline of radius 1, (n, 2).
        normals: Normals of the outline, (n, 2).
        edges: Edges (n, 2), overwritten with the distance from the outline [px], NaN if
            there is no edge, and the slope there.
    """
    x, y, r = circle
    m = math.ceil(search)
    step = search / m
    n = m + math.ceil(_RAMP / step)
    values = np.empty(2 * n + 1)
    for k in range(len(points)):
        nx, ny = normals[k, 0], normals[k, 1]
        px, py = x + r * points[k, 0], y + r * points[k, 1]
        for i in range(-n, n + 1):
            t = i * step
            values[i + n] = slope_along(gx, gy, px + t * nx, py + t * ny, nx, ny)
        best, at = 0.0, 0
        for i in range(n - m, n + m + 1):
            v = abs(values[i])
            if not (v >= abs(values[i - 1]) and v >= abs(values[i + 1])):
                continue
            rate = v / (v + floor) * (1.0 - prefer * abs(i - n) / (m + 1.0))
            if rate > best:
                best, at = rate, i
        edges[k, 0], edges[k, 1] = np.nan, 0.0
        if best > 0.0:
            edges[k, 0] = (_middle(values, at) - n) * step
            edges[k, 1] = values[at]


@kernel
def _middle(values: FloatArray, at: int) -> float:
    """Return where the steep part around `at` has its middle.

    A moving outline is a ramp: its slope has no peak but a plateau.
    """
    sign = 1.0 if values[at] > 0.0 else -1.0
    half = 0.5 * sign * values[at]
    weight, total = 0.0, 0.0
    for direction in (-1, 1):
        i = at if direction == 1 else at - 1
        while 0 <= i < len(values):
            w = sign * values[i] - half
            if not w > 0.0:
                break
            weight += w
            total += w * i
            i += direction
    return total / weight if weight > 0.0 else float(at)


@kernel
def _solve3(A: FloatArray, b: FloatArray) -> FloatArray:
    """Return the solution of a symmetric positive system; zeros if there is none."""
    out = np.zeros(3)
    L = np.zeros((3, 3))
    for i in range(3):
        for j in range(i + 1):
            v = A[i, j]
            for k in range(j):
                v -= L[i, k] * L[j, k]
            if i == j:
                if v <= 1e-9:
                    return out
                L[i, i] = math.sqrt(v)
            else:
                L[i, j] = v / L[j, j]
    for i in range(3):
        v = b[i]
        for k in range(i):
            v -= L[i, k] * out[k]
        out[i] = v / L[i, i]
    for i in range(2, -1, -1):
        v = out[i]
        for k in range(i + 1, 3):
            v -= L[k, i] * out[k]
        out[i] = v / L[i, i]
    return out


@kernel
def fit_edges(
    edges: FloatArray,
    points: FloatArray,
    normals: FloatArray,
    circle: FloatArray,
    width: float,
) -> None:
    """Move a circle onto the edges of its rays, those far away weighing nothing.

    Faint edges weigh little: where the outline has no contrast, the edge that is found
    instead is a shadow on the ball or something behind it.

    Args:
        edges: Distance [px] and slope of each ray, (n, 2).
        points: Outline of radius 1, (n, 2).
        normals: Normals of the outline, (n, 2).
        circle: Circle (x, y, r) [px]; moved.
        width: Distance at which an edge no longer counts [px].
    """
    usual = max(np.median(np.abs(edges[:, 1])), 1.0)
    shift = np.zeros(3)
    A, b, J = np.empty((3, 3)), np.empty(3), np.empty(3)
    for _ in range(3):
        A[:] = 0.0
        b[:] = 0.0
        for k in range(len(points)):
            if not np.isfinite(edges[k, 0]):
                continue
            J[0], J[1] = normals[k, 0], normals[k, 1]
            J[2] = points[k, 0] * J[0] + points[k, 1] * J[1]
            miss = edges[k, 0] - J[0] * shift[0] - J[1] * shift[1] - J[2] * shift[2]
            u = miss / width
            if abs(u) >= 1.0:
                continue
            w = (1.0 - u * u) ** 2
            w *= min(abs(edges[k, 1]) / usual, 1.0) ** 2
            for i in range(3):
                b[i] += w * J[i] * miss
                for j in range(3):
                    A[i, j] += w * J[i] * J[j]
        for i in range(3):
            A[i, i] += 1e-3
        shift += _solve3(A, b)
    for i in range(3):
        circle[i] += shift[i]
