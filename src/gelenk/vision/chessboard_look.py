"""Kernels for the image around chessboard corners: colors of fields, edges between."""

from __future__ import annotations

import math

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.typing import BoolArray, ByteArray, FloatArray, IntArray
from gelenk.vision.homography import map_point
from gelenk.vision.image_types import GrayImage

_RING = np.array(
    [(2, -5), (0, -5), (-2, -5), (-4, -4), (-5, -2), (-5, 0), (-5, 2), (-4, 4),
     (-2, 5), (0, 5), (2, 5), (4, 4), (5, 2), (5, 0), (5, -2), (4, -4)]
)  # fmt: skip
_TURNS = 2.0 * np.arctan2(_RING[:, 1], _RING[:, 0])
_COS, _SIN = np.cos(_TURNS), np.sin(_TURNS)
_EDGE = 2  # gray levels between the sides of an edge, at least
_FAR = 10.0  # [px]: further from a corner its fields are not looked at
_ASIDE = 3.0  # [px]: from an edge to where its sides are looked at


def bright_phase(image: GrayImage, xy: FloatArray) -> FloatArray:
    """Return along which line the fields around corners are bright, shape (n, 2).

    The vector (cos, sin) of twice the angle, with a length that grows with contrast.

    Args:
        image: Gray levels.
        xy: Corners, at least 5 px inside of the image, shape (n, 2).
    """
    phase = np.empty((len(xy), 2))
    phase_kernel(image, xy, _RING, _COS, _SIN, phase)
    return phase


@kernel
def phase_kernel(
    image: ByteArray,
    xy: FloatArray,
    ring: IntArray,
    cosines: FloatArray,
    sines: FloatArray,
    phase: FloatArray,
) -> None:
    """Write the second harmonic of the ring around each corner."""
    rows, columns = image.shape
    for k in range(xy.shape[0]):
        x = min(max(round(xy[k, 0]), 5), columns - 6)
        y = min(max(round(xy[k, 1]), 5), rows - 6)
        c = s = 0.0
        for n in range(16):
            value = float(image[y + ring[n, 1], x + ring[n, 0]])
            c += cosines[n] * value
            s += sines[n] * value
        phase[k, 0], phase[k, 1] = c, s


def joined_by_edges(image: GrayImage, xy: FloatArray, near: IntArray) -> BoolArray:
    """Return to which of its neighbours an edge leads from a corner, shape (n, m).

    Args:
        image: Gray levels.
        xy: Corners [px], shape (n, 2).
        near: Numbers of neighbours, -1 for none, shape (n, m).
    """
    is_joined = np.zeros(near.shape, dtype=bool)
    joined_kernel(image, xy, near, is_joined)
    return is_joined


@kernel
def joined_kernel(
    image: ByteArray, xy: FloatArray, near: IntArray, is_joined: BoolArray
) -> None:
    """Write whether one side of the line to a neighbour is brighter all along."""
    rows, columns = image.shape
    for k in range(xy.shape[0]):
        for m in range(near.shape[1]):
            n = near[k, m]
            if n < 0:
                continue
            dx, dy = xy[n, 0] - xy[k, 0], xy[n, 1] - xy[k, 1]
            length = math.hypot(dx, dy)
            aside = min(max(0.1 * length, 1.5), 3.0) / length
            sign = 0
            for step in range(3):
                t = 0.3 + 0.2 * step
                x, y = xy[k, 0] + t * dx, xy[k, 1] + t * dy
                j, i = round(x - aside * dy), round(y + aside * dx)
                q, p = round(x + aside * dy), round(y - aside * dx)
                j, q = min(max(j, 0), columns - 1), min(max(q, 0), columns - 1)
                i, p = min(max(i, 0), rows - 1), min(max(p, 0), rows - 1)
                difference = np.int64(image[i, j]) - np.int64(image[p, q])
                if difference >= _EDGE:
                    sign += 1
                elif difference <= -_EDGE:
                    sign -= 1
            is_joined[k, m] = abs(sign) == 3


@kernel
def steps_kernel(H: FloatArray, rows: int, columns: int, steps: FloatArray) -> bool:
    """Write the steps to the next column and row at each corner, (n, 2, 2) [px].

    Returns:
        False if a corner would be behind the camera.
    """
    for r in range(rows):
        for c in range(columns):
            k = r * columns + c
            x0, y0, w0 = map_point(H, c - 0.5, r)
            x1, y1, w1 = map_point(H, c + 0.5, r)
            x2, y2, w2 = map_point(H, c, r - 0.5)
            x3, y3, w3 = map_point(H, c, r + 0.5)
            if not (w0 > 0.0 and w1 > 0.0 and w2 > 0.0 and w3 > 0.0):
                return False
            steps[k, 0, 0], steps[k, 0, 1] = x1 - x0, y1 - y0
            steps[k, 1, 0], steps[k, 1, 1] = x3 - x2, y3 - y2
    return True


@kernel
def _patch(image: ByteArray, x: float, y: float) -> float:
    """Return the mean of 3 x 3 pixels, or -1 outside of the image."""
    rows, columns = image.shape
    j, i = round(x), round(y)
    if not (1 <= j < columns - 1 and 1 <= i < rows - 1):
        return -1.0
    total = 0
    for v in range(i - 1, i + 2):
        for u in range(j - 1, j + 2):
            total += np.int64(image[v, u])
    return total / 9.0


@kernel
def fields_kernel(
    image: ByteArray, xy: FloatArray, steps: FloatArray, looks: FloatArray
) -> None:
    """Look into the four fields around each corner, at most 10 px away and nearer.

    Something may lie on a field: of two distances the clearer one counts.

    Args:
        image: Gray levels.
        xy: Corners [px], (n, 2).
        steps: Ways to the next column and row [px], (n, 2, 2).
        looks: Contrasts (n, 2), overwritten: contrast of the fields toward (+ +), (- -)
            above the two others [gray levels], and the part of it that the worst pair
            of fields has. NaN outside of the image.
    """
    for k in range(xy.shape[0]):
        x, y = xy[k, 0], xy[k, 1]
        ax, ay = (
            0.5 * (steps[k, 0, 0] + steps[k, 1, 0]),
            0.5 * (steps[k, 0, 1] + steps[k, 1, 1]),
        )
        bx, by = (
            0.5 * (steps[k, 0, 0] - steps[k, 1, 0]),
            0.5 * (steps[k, 0, 1] - steps[k, 1, 1]),
        )
        a = min(1.0, _FAR / math.hypot(ax, ay))
        b = min(1.0, _FAR / math.hypot(bx, by))
        looks[k, 0] = looks[k, 1] = np.nan
        for number in range(3):
            if number == 2 and not math.isnan(looks[k, 0]):
                break
            p = _patch(image, x + a * ax, y + a * ay)
            q = _patch(image, x - a * ax, y - a * ay)
            r = _patch(image, x + b * bx, y + b * by)
            s = _patch(image, x - b * bx, y - b * by)
            a, b = 0.6 * a, 0.6 * b
            if min(p, q, r, s) < 0.0:
                continue
            contrast = 0.5 * (p + q - r - s)
            worst = min(p, q) - max(r, s) if contrast >= 0.0 else min(r, s) - max(p, q)
            if math.isnan(looks[k, 1]) or worst > looks[k, 1]:
                looks[k, 0], looks[k, 1] = contrast, worst


@kernel
def edges_kernel(
    image: ByteArray, x: float, y: float, step: FloatArray, sign: float, least: float
) -> int:
    """Return how many of the four edges at a corner have the right side bright.

    The edge of a shadow makes a light field here darker than a dark one there, but
    next to each other they stay what they are. Both sides of an edge are compared at
    three places, none further than 10 px from the corner.

    Args:
        image: Gray levels.
        x: Column of the corner [px].
        y: Row of the corner [px].
        step: Ways to the next column and row [px], (2, 2).
        sign: 1 if the fields toward (+ +), (- -) are the light ones, otherwise -1.
        least: Difference that counts [gray levels].
    """
    count = 0
    for k in range(4):
        row, way = k // 2, 1.0 if k % 2 == 0 else -1.0
        ex, ey = way * step[row, 0], way * step[row, 1]
        fx, fy = way * step[1 - row, 0], way * step[1 - row, 1]
        far = min(0.45, _FAR / math.hypot(ex, ey))
        aside = min(0.3, max(0.15, _ASIDE / math.hypot(fx, fy)))
        total, places = 0.0, 0
        for number in range(3):
            t = far * (1.0 - 0.3 * number)
            p = _patch(image, x + t * ex + aside * fx, y + t * ey + aside * fy)
            q = _patch(image, x + t * ex - aside * fx, y + t * ey - aside * fy)
            if p >= 0.0 and q >= 0.0:
                total += p - q
                places += 1
        count += places > 0 and sign * total >= least * places
    return count
