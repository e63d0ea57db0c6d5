"""Verification of a chessboard by one homography and the colors of all fields."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.typing import BoolArray, ByteArray, FloatArray, IntArray, Vec3
from gelenk.vision.chessboard_look import (
    edges_kernel,
    fields_kernel,
    steps_kernel,
)
from gelenk.vision.homography import map_point, robust_homography_kernel
from gelenk.vision.image_types import GrayImage
from gelenk.vision.lattice import Lattice
from gelenk.vision.subpixel import (
    SubpixelCfg,
    adapted_kernel,
    printed_kernel,
    window_forms,
)

RejectionReason = tuple[
    Literal["no grid", "partly hidden", "wrong colors", "too large"], str
]

_LEAST_RESIDUAL = 1.0  # [px]: no homography is asked for more
_LEAST_SHARE = 0.04  # of the board's contrast that a corner in deep shade has
_CLEAR = 0.4  # part of the contrast in the worst field: surely another corner
_ALIKE = 0.6  # of the contrast beside it; an edge of the board alone has half of it
_BORDER = 3.0  # [px]: nearer to the border of the image no corner is believed
_DOUBT, _DOUBT_RATIO = 0.25, 4.0  # [px], in medians: further out something pulls
_LEAST_EDGES = 3  # of four at a corner that the edge of a shadow crosses
_LEAST_MEASURED = 6  # corners that a homography is made of
_AGREE = 0.2  # [px]: measurements in other windows say the same

_SETTLED, _BEHIND, _OUTSIDE, _SPOILT = range(4)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BoardCheck:
    """A board that stood all tests.

    Attributes:
        corners: Row by row [px], shape (n, 2).
        is_measured: False for corners that only the others place, shape (n,).
        residual: Root mean square distance of measured corners from the homography of
            all [px].
        contrast: Contrast of the fields around each corner [gray levels], shape (n,).
    """

    corners: FloatArray
    is_measured: BoolArray
    residual: float
    contrast: FloatArray


def verify_board(
    image: GrayImage,
    xy: FloatArray,
    lattice: Lattice,
    subpixel: SubpixelCfg,
    max_residual: float,
    min_contrast: float,
) -> BoardCheck | RejectionReason:
    """Return the refined board, or what speaks against it.

    Args:
        image: Gray levels.
        xy: Corners seen [px], shape (n, 2).
        lattice: Candidates that make the board; missing ones are searched.
        subpixel: Refinement.
        max_residual: Largest distance from the homography, in sides of a square.
        min_contrast: Smallest contrast between fields [gray levels].
    """
    rows, columns = lattice.index.shape
    size = rows * columns
    H = lattice.homography.copy()
    is_measured = np.ones(size, dtype=bool)
    corners, steps, distance = (
        np.empty((size, 2)),
        np.empty((size, 2, 2)),
        np.empty(size),
    )
    is_printed = subpixel.method == "printed"
    window = (subpixel.share, subpixel.min_sigma, subpixel.max_sigma)
    least = subpixel.min_contrast if is_printed else subpixel.weak_contrast
    stop = (subpixel.max_iterations, subpixel.precision, least)
    fixed = (subpixel.sigma, round(subpixel.radius * subpixel.sigma))
    verdict = settle_kernel(
        image, xy, lattice.index, H, not is_printed, window, fixed, stop, max_residual,
        corners, steps, distance, is_measured,
    )  # fmt: skip
    if verdict == _OUTSIDE:
        return "partly hidden", "part of the board is outside of the image"
    if verdict == _BEHIND:
        return "no grid", "the corners fit to no plane in front of the camera"
    if verdict == _SPOILT:
        spoilt = int((~is_measured).sum())
        return "no grid", f"{spoilt} of {size} corners are not where the others say"
    contrast = np.empty(size)
    right, wrong = colors_kernel(image, corners, steps, columns, min_contrast, contrast)
    if 2 * wrong > size:
        return "wrong colors", "light fields where dark ones must be"
    if right < size:
        return "partly hidden", f"{right} of {size} corners in sight"
    if goes_on_kernel(image, H, rows, columns, contrast):
        return "too large", f"the grid is larger than {columns} x {rows} corners"
    residual = math.sqrt(float((distance[is_measured] ** 2).mean()))
    return BoardCheck(
        corners=corners,
        is_measured=is_measured,
        residual=residual,
        contrast=contrast,
    )


@kernel
def settle_kernel(
    image: ByteArray, xy: FloatArray, index: IntArray, H: FloatArray, is_adapted: bool,
    window: Vec3, fixed: tuple[float, int], stop: tuple[int, float, float],
    max_residual: float, corners: FloatArray, steps: FloatArray, distance: FloatArray,
    is_measured: BoolArray,
) -> int:  # fmt: skip
    """Refine all corners; doubt those that one homography does not explain.

    A corner in doubt is measured again in smaller windows: the edge of a shadow pulls
    less there. If the windows agree it stays, otherwise the other corners place it.

    Args:
        image: Gray levels.
        xy: Corners seen [px], (n, 2).
        index: Candidates that make the board, -1 for missing ones, (rows, columns).
        H: Homography from (column, row), (3, 3); overwritten with that of the result.
        is_adapted: Method of refinement.
        window: Share and limits of sigma of the adapted method.
        fixed: Sigma and reach of the printed method.
        stop: Iterations, precision, contrast.
        max_residual: Largest distance from the homography, in sides of a square.
        corners: Overwritten with the result [px], (rows columns, 2).
        steps: Steps to the next corners [px], overwritten, (rows columns, 2, 2).
        distance: Distances from the homography [px], overwritten, (rows columns,).
        is_measured: Whether each corner was measured, overwritten; False for corners
            that only the others place.
    """
    rows, columns = index.shape
    size = rows * columns
    places, forms = np.empty((size, 2)), np.empty((size, 3))
    for k in range(size):
        r, c = k // columns, k % columns
        places[k, 0], places[k, 1] = c, r
        if index[r, c] >= 0:
            corners[k] = xy[index[r, c]]
        else:
            corners[k, 0], corners[k, 1], _ = map_point(H, c, r)
        if not _is_inside(image, corners[k, 0], corners[k, 1]):
            return _OUTSIDE
    if not steps_kernel(H, rows, columns, steps):
        return _BEHIND
    window_forms(steps, window[0], window[1], window[2], forms)
    is_measured[:] = True
    if is_adapted:
        adapted_kernel(
            image, corners, forms, steps, stop[0], stop[1], stop[2], is_measured
        )
    else:
        printed_kernel(image, corners, fixed[0], fixed[1], stop[0], stop[1], stop[2])
    if is_measured.sum() < _LEAST_MEASURED:
        return _SPOILT
    if not robust_homography_kernel(places, corners, is_measured, H, distance):
        return _BEHIND
    limit = max(_DOUBT, _DOUBT_RATIO * np.median(distance[is_measured]))
    in_doubt = ~is_measured | (distance > limit)
    if in_doubt.any():
        # What is in doubt must not have a say in where it should be.
        if (~in_doubt).sum() >= _LEAST_MEASURED:
            robust_homography_kernel(places, corners, ~in_doubt, H, distance)
        if not steps_kernel(H, rows, columns, steps):
            return _BEHIND
        window_forms(steps, window[0], window[1], window[2], forms)
        for k in range(size):
            if in_doubt[k]:
                x, y, _ = map_point(H, places[k, 0], places[k, 1])
                if not _is_inside(image, x, y):
                    return _OUTSIDE
                is_measured[k] = _measure_again(
                    image, x, y, forms[k], steps[k : k + 1], stop, corners[k]
                )
        if is_measured.sum() < _LEAST_MEASURED:
            return _SPOILT
        if not robust_homography_kernel(places, corners, is_measured, H, distance):
            return _BEHIND
    for k in range(size):
        if distance[k] > _limit(steps[k], max_residual):
            is_measured[k] = False
        if not is_measured[k]:
            corners[k, 0], corners[k, 1], _ = map_point(H, places[k, 0], places[k, 1])
    # In deep shade noise spoils many; the colors of all fields must still confirm them.
    return _SETTLED if 2 * is_measured.sum() >= size else _SPOILT


@kernel
def _measure_again(
    image: ByteArray,
    x: float,
    y: float,
    form: FloatArray,
    step: FloatArray,
    stop: tuple[int, float, float],
    corner: FloatArray,
) -> bool:
    """Write the corner as small windows around (x, y) see it; whether they agree."""
    at, forms, is_good = np.empty((1, 2)), np.empty((1, 3)), np.empty(1, np.bool_)
    is_near = True
    for number in range(3):
        at[0, 0], at[0, 1] = x, y
        for i in range(3):
            forms[0, i] = 3.0**number * form[i]  # sigma shrinks by 1.7 each time
        adapted_kernel(image, at, forms, step, stop[0], stop[1], stop[2], is_good)
        if not is_good[0]:
            return False
        if number and math.hypot(at[0, 0] - corner[0], at[0, 1] - corner[1]) > _AGREE:
            is_near = False
        corner[0], corner[1] = at[0, 0], at[0, 1]
    return is_near or math.hypot(corner[0] - x, corner[1] - y) < _AGREE


@kernel
def _limit(step: FloatArray, max_residual: float) -> float:
    """Return how far from its homography a corner may be [px]."""
    side = min(math.hypot(step[0, 0], step[0, 1]), math.hypot(step[1, 0], step[1, 1]))
    return max(max_residual * side, _LEAST_RESIDUAL)


@kernel
def _is_inside(image: ByteArray, x: float, y: float) -> bool:
    rows, columns = image.shape
    return _BORDER <= x <= columns - 1 - _BORDER and _BORDER <= y <= rows - 1 - _BORDER


@kernel
def colors_kernel(
    image: ByteArray,
    corners: FloatArray,
    steps: FloatArray,
    columns: int,
    min_contrast: float,
    contrast: FloatArray,
) -> tuple[int, int]:
    """Write the contrast around each corner, positive as it should be.

    Returns:
        How many corners have the right colors around them, and how many clearly the
        opposite ones.
    """
    size = corners.shape[0]
    looks = np.empty((size, 2))
    fields_kernel(image, corners, steps, looks)
    largest = 0.0
    for k in range(size):
        # The fields toward (- -) and (+ +) of the first corner are dark.
        sign = -1.0 if (k // columns + k % columns) % 2 == 0 else 1.0
        contrast[k] = sign * looks[k, 0]
        largest = max(largest, abs(contrast[k]))
    least = max(min_contrast, _LEAST_SHARE * largest)
    right = wrong = crossed = 0
    for k in range(size):
        sign = -1.0 if (k // columns + k % columns) % 2 == 0 else 1.0
        x, y = corners[k, 0], corners[k, 1]
        if looks[k, 1] > 0.0:
            right += contrast[k] >= least
            wrong += contrast[k] <= -least
        elif edges_kernel(image, x, y, steps[k], sign, least) >= _LEAST_EDGES:
            crossed += 1
    return right + min(crossed, size // 8), wrong


@kernel
def goes_on_kernel(
    image: ByteArray, H: FloatArray, rows: int, columns: int, contrast: FloatArray
) -> bool:
    """Return whether clear corners lie along a line just outside of the board.

    As clear as those beside them: `contrast` is that of the board's corners.
    """
    at, step, look = np.empty((1, 2)), np.empty((1, 2, 2)), np.empty((1, 2))
    for side in range(4):
        length = columns if side < 2 else rows
        clear = 0
        for k in range(length):
            c, r = k, -1 if side == 0 else rows
            if side >= 2:
                c, r = -1 if side == 2 else columns, k
            x, y, w = map_point(H, c, r)
            if not w > 0.0 or not _is_inside(image, x, y):
                continue
            at[0, 0], at[0, 1] = x, y
            a, b, wa = map_point(H, c + 0.5, r)
            d, e, wd = map_point(H, c, r + 0.5)
            if not (wa > 0.0 and wd > 0.0):
                continue
            step[0, 0, 0], step[0, 0, 1] = 2.0 * (a - x), 2.0 * (b - y)
            step[0, 1, 0], step[0, 1, 1] = 2.0 * (d - x), 2.0 * (e - y)
            fields_kernel(image, at, step, look)
            seen = -look[0, 0] if (c + r) % 2 == 0 else look[0, 0]
            inner = min(max(r, 0), rows - 1) * columns + min(max(c, 0), columns - 1)
            clear += seen >= _ALIKE * contrast[inner] and look[0, 1] > _CLEAR * seen
        if 3 * clear >= 2 * length:
            return True
    return False
