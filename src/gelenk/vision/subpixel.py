"""Subpixel refinement of corners: the point where the edges around it meet.

Every pixel of an edge says that the corner lies on the line through it along the edge.
The corner is the point of least squared distance to all these lines, each weighted
with its squared gradient and a Gaussian window around the corner:

    A = sum w g g^T,  b = sum w g g^T p,  corner = A^-1 b.

"adapted" keeps the gradients where the pixels are, moves only the window, and makes
the window as wide as the squares allow. "printed" moves the samples along with the
corner, with bilinear interpolation, and has a window of fixed width. `CornerBias` is
the constant part of a detector's error, measured against known corners.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gelenk.checks import as_array, as_kernel_array
from gelenk.errors import ConfigError, ShapeError
from gelenk.kernels.compile import kernel
from gelenk.typing import ArrayLike, BoolArray, ByteArray, FloatArray
from gelenk.vision.image_types import as_gray

MAX_STEP = 3.0  # [px]: how far one iteration may move a corner
MAX_TRAVEL = 6.0  # [px]: further away it is another corner
STRAY = 0.4  # sine of the angle from which on a gradient belongs to no edge
SUPPORT = 8.0  # squared radius of the adapted window, in its sigma


@dataclass(frozen=True, slots=True, kw_only=True)
class SubpixelCfg:
    """Settings of the refinement of corners.

    Attributes:
        method: "adapted", or "printed" as in Kastner 2014.
        sigma: Standard deviation of the window [px]; of the adapted method it is the
            one without knowledge of the squares.
        radius: Radius of the window in the printed method, in its sigma.
        max_iterations: Steps at most.
        precision: A shorter step is the last [px].
        min_contrast: Least root of the smaller eigenvalue of A, for gray levels that
            are scaled to 0..1; of the printed method.
        weak_contrast: Smallest contrast in the adapted method [gray levels]: corners in
            deep shade count.
        share: Sigma of the adapted window as a share of the squares, as the image
            shows them, where they are known.
        min_sigma, max_sigma: Limits of the adapted window's sigma [px].
    """

    method: Literal["adapted", "printed"] = "adapted"
    sigma: float = 4.0
    radius: float = 5.0
    max_iterations: int = 10
    precision: float = 0.01
    min_contrast: float = 0.1
    weak_contrast: float = 0.03
    share: float = 0.3
    min_sigma: float = 1.0
    max_sigma: float = 6.0

    def __post_init__(self) -> None:
        if self.method not in ("adapted", "printed"):
            raise ConfigError(
                f"`method` must be 'adapted' or 'printed', got {self.method!r}"
            )
        for name in (
            "sigma", "radius", "precision", "min_sigma", "max_sigma", "share"
        ):  # fmt: skip
            value = getattr(self, name)
            if not 0.0 < value < math.inf:
                raise ConfigError(f"`{name}` must be positive, got {value}")


def refine_corners(
    image: Any,
    xy: ArrayLike,
    cfg: SubpixelCfg | None = None,
    steps: ArrayLike | None = None,
) -> FloatArray:
    """Return the corners near some points [px], shape (n, 2).

    A point without a corner near it stays where it is.

    Args:
        image: Gray levels, uint8, shape (rows, columns).
        xy: Starting points [px], shape (n, 2).
        cfg: Window and iteration.
        steps: Ways to the next corner along both edges [px], shape (n, 2, 2); lets the
            adapted method fit its window to the squares.

    Example:
        >>> from gelenk.vision import refine_corners
        >>> y, x = np.mgrid[0:21, 0:21] - 10.25
        >>> gray = np.clip(127.5 + 50 * np.clip(x, -1, 1) * np.clip(y, -1, 1), 0, 255)
        >>> print(refine_corners(gray.astype(np.uint8), [[10.0, 10.0]]).round(1))
        [[10.2 10.2]]
    """
    cfg = cfg or SubpixelCfg()
    gray = as_gray("image", image)
    start = as_array("xy", xy, (2,))
    if start.ndim != 2:
        raise ShapeError("xy", expected="(n, 2)", actual=start.shape)
    out = np.array(start, order="C")
    if cfg.method == "printed":
        printed_kernel(
            gray, out, cfg.sigma, round(cfg.radius * cfg.sigma), cfg.max_iterations,
            cfg.precision, cfg.min_contrast,
        )  # fmt: skip
        return out
    if steps is None:
        form = (cfg.sigma**-2, 0.0, cfg.sigma**-2)
        forms = np.tile(np.array(form), (len(out), 1))
        sides = np.zeros((len(out), 2, 2))
    else:
        sides = as_kernel_array(as_array("steps", steps, (2, 2)))
        if sides.shape != (len(out), 2, 2):
            raise ShapeError(
                "steps", expected=f"({len(out)}, 2, 2)", actual=sides.shape
            )
        forms = np.empty((len(out), 3))
        window_forms(sides, cfg.share, cfg.min_sigma, cfg.max_sigma, forms)
    adapted_kernel(
        gray, out, forms, sides, cfg.max_iterations, cfg.precision, cfg.weak_contrast,
        np.empty(len(out), dtype=bool),
    )  # fmt: skip
    return out


@kernel
def window_forms(
    steps: FloatArray,
    share: float,
    min_sigma: float,
    max_sigma: float,
    forms: FloatArray,
) -> None:
    """Write the inverse covariance (xx, xy, yy) of a window for each corner.

    A circle of radius `share` on the board, as the image shows it: along a direction
    in which squares are short the window is short. Its axes are kept within limits.
    """
    for k in range(steps.shape[0]):
        a, b = steps[k, 0, 0], steps[k, 0, 1]
        c, d = steps[k, 1, 0], steps[k, 1, 1]
        xx, xy, yy = a * a + c * c, a * b + c * d, b * b + d * d
        mean, half = 0.5 * (xx + yy), 0.5 * (xx - yy)
        spread = math.hypot(half, xy)
        large = min(max(share * share * (mean + spread), min_sigma**2), max_sigma**2)
        small = min(max(share * share * (mean - spread), min_sigma**2), max_sigma**2)
        # Direction of the long axis as (cos, sin) of twice its angle.
        cosine, sine = (half / spread, xy / spread) if spread > 0.0 else (1.0, 0.0)
        sum_, difference = (
            0.5 * (1.0 / large + 1.0 / small),
            0.5 * (1 / large - 1 / small),
        )
        forms[k, 0] = sum_ + difference * cosine
        forms[k, 1] = difference * sine
        forms[k, 2] = sum_ - difference * cosine


@kernel
def adapted_kernel(
    image: ByteArray,
    xy: FloatArray,
    forms: FloatArray,
    steps: FloatArray,
    max_iterations: int,
    precision: float,
    min_contrast: float,
    is_good: BoolArray,
) -> None:
    """Refine `xy` (n, 2) in place.

    Args:
        image: Gray levels.
        xy: Corners [px], (n, 2).
        forms: Inverse covariance of each window (xx, xy, yy) [1/px^2], (n, 3).
        steps: Directions of both edges, (n, 2, 2): gradients across neither of them,
            of shadows say, do not count. Zeros: all count.
        max_iterations: Largest number of iterations; see `SubpixelCfg`.
        precision: Step at which iterations end [px]; see `SubpixelCfg`.
        min_contrast: Smallest contrast [gray levels]; see `SubpixelCfg`.
        is_good: Whether there is a corner near by (n,), overwritten.
    """
    rows, columns = image.shape
    is_good[:] = False
    sums = np.empty((5, 2), np.float32)
    for k in range(xy.shape[0]):
        xx, cross, yy = forms[k, 0], forms[k, 1], forms[k, 2]
        det = xx * yy - cross * cross
        # Half the sides of the box around the window, and room for it to move.
        half_x = math.ceil(math.sqrt(SUPPORT * yy / det)) + 2
        half_y = math.ceil(math.sqrt(SUPPORT * xx / det)) + 2
        x0, y0 = round(xy[k, 0]), round(xy[k, 1])
        left, right = max(x0 - half_x, 1), min(x0 + half_x, columns - 2)
        top, bottom = max(y0 - half_y, 1), min(y0 + half_y, rows - 2)
        if right - left < 4 or bottom - top < 4:
            continue
        products = _gradient_products(image, left, top, right, bottom, steps[k])
        if sums.shape[1] != right - left + 1:
            sums = np.empty((5, right - left + 1), np.float32)
        x, y = xy[k, 0], xy[k, 1]
        for _ in range(max_iterations):
            sums[:] = 0.0
            _weigh(products, np.float32(x - left), np.float32(y - top),
                   np.float32(xx), np.float32(cross), np.float32(yy), sums)  # fmt: skip
            has_contrast, dx, dy = _solve(
                sums[0].sum(), sums[1].sum(), sums[2].sum(), sums[3].sum(),
                sums[4].sum(), min_contrast,
            )  # fmt: skip
            if not has_contrast:
                x, y = xy[k, 0], xy[k, 1]
                is_good[k] = False
                break
            is_good[k] = True
            length = math.hypot(dx, dy)
            if length > MAX_STEP:
                dx, dy = dx * MAX_STEP / length, dy * MAX_STEP / length
            x, y = x + dx, y + dy
            if math.hypot(x - xy[k, 0], y - xy[k, 1]) > MAX_TRAVEL:
                x, y = xy[k, 0], xy[k, 1]
                is_good[k] = False
                break
            if length < precision:
                break
        xy[k, 0], xy[k, 1] = x, y


@kernel
def _gradient_products(
    image: ByteArray, left: int, top: int, right: int, bottom: int, step: FloatArray
) -> NDArray[np.float32]:
    """Return gx^2, gx gy, gy^2 of the pixels of a window, (3, rows, columns).

    Weighted with (1 - s^2 / STRAY^2)^2 for the sine s of the angle between the gradient
    and the nearer normal of the two edges.
    """
    height, width = bottom - top + 1, right - left + 1
    products = np.empty((3, height, width), np.float32)
    scale = np.float32(1.0 / (8.0 * 255.0))
    one, none, tiny = np.float32(1.0), np.float32(0.0), np.float32(1e-12)
    long_a, long_b = (
        math.hypot(step[0, 0], step[0, 1]),
        math.hypot(step[1, 0], step[1, 1]),
    )
    strict = long_a > 0.0 and long_b > 0.0
    ax = ay = bx = by = none
    if strict:
        ax, ay = (
            np.float32(step[0, 0] / (STRAY * long_a)),
            np.float32(step[0, 1] / (STRAY * long_a)),
        )
        bx, by = (
            np.float32(step[1, 0] / (STRAY * long_b)),
            np.float32(step[1, 1] / (STRAY * long_b)),
        )
    for i in range(height):
        above, here, below = image[top + i - 1], image[top + i], image[top + i + 1]
        for j in range(width):
            x = left + j
            a, b, c = (
                np.int32(above[x - 1]),
                np.int32(above[x]),
                np.int32(above[x + 1]),
            )
            d, f = np.int32(here[x - 1]), np.int32(here[x + 1])
            g, h, m = (
                np.int32(below[x - 1]),
                np.int32(below[x]),
                np.int32(below[x + 1]),
            )
            gx = np.float32(c - a + 2 * (f - d) + m - g) * scale
            gy = np.float32(g - a + 2 * (h - b) + m - c) * scale
            along_a, along_b = gx * ax + gy * ay, gx * bx + gy * by
            xx, xy, yy = gx * gx, gx * gy, gy * gy
            stray = min(along_a * along_a, along_b * along_b) / (xx + yy + tiny)
            w = max(one - stray, none)
            w = w * w
            products[0, i, j] = w * xx
            products[1, i, j] = w * xy
            products[2, i, j] = w * yy
    return products


@kernel
def _weigh(
    products: NDArray[np.float32],
    x: np.float32,
    y: np.float32,
    xx: np.float32,
    cross: np.float32,
    yy: np.float32,
    sums: NDArray[np.float32],
) -> None:
    """Add A (xx, xy, yy) and b (x, y) around the point (x, y), column by column.

    The window is (1 - q / 8)^4 with q = d^T form d: close to exp(-q / 2), without its
    tail and its price.
    """
    one, none = np.float32(1.0), np.float32(0.0)
    scale, two = np.float32(1.0 / SUPPORT), np.float32(2.0)
    s0, s1, s2, s3, s4 = sums[0], sums[1], sums[2], sums[3], sums[4]
    for i in range(products.shape[1]):
        v = np.float32(i) - y
        p0, p1, p2 = products[0, i], products[1, i], products[2, i]
        for j in range(products.shape[2]):
            u = np.float32(j) - x
            q = xx * u * u + two * cross * u * v + yy * v * v
            w = max(one - scale * q, none)
            w = w * w
            w = w * w
            a, b, c = w * p0[j], w * p1[j], w * p2[j]
            s0[j] += a
            s1[j] += b
            s2[j] += c
            s3[j] += a * u + b * v
            s4[j] += b * u + c * v


@kernel
def _solve(
    a00: float, a01: float, a11: float, b0: float, b1: float, min_contrast: float
) -> tuple[bool, float, float]:
    """Return whether A has contrast in both directions, and A^-1 b."""
    half = 0.5 * (a00 - a11)
    smaller = 0.5 * (a00 + a11) - math.sqrt(half * half + a01 * a01)
    if not smaller > min_contrast * min_contrast:
        return False, 0.0, 0.0
    det = a00 * a11 - a01 * a01
    return True, (a11 * b0 - a01 * b1) / det, (a00 * b1 - a01 * b0) / det


@kernel
def _bilinear(image: ByteArray, x: float, y: float) -> float:
    """Return the gray level between pixels, 0..1; of the border outside of it."""
    rows, columns = image.shape
    x, y = min(max(x, 0.0), columns - 1.0), min(max(y, 0.0), rows - 1.0)
    j, i = min(int(x), columns - 2), min(int(y), rows - 2)
    u, v = x - j, y - i
    upper = (1.0 - u) * image[i, j] + u * image[i, j + 1]
    lower = (1.0 - u) * image[i + 1, j] + u * image[i + 1, j + 1]
    return ((1.0 - v) * upper + v * lower) / 255.0


@kernel
def printed_kernel(
    image: ByteArray,
    xy: FloatArray,
    sigma: float,
    reach: int,
    max_iterations: int,
    precision: float,
    min_contrast: float,
) -> None:
    """Refine `xy` (n, 2) in place: samples at whole steps from the moving corner."""
    rows, columns = image.shape
    inverse = 0.5 / (sigma * sigma)
    for k in range(xy.shape[0]):
        x, y = xy[k, 0], xy[k, 1]
        for _ in range(max_iterations):
            left, right = -min(reach, int(x) - 1), min(reach, columns - 3 - int(x))
            top, bottom = -min(reach, int(y) - 1), min(reach, rows - 3 - int(y))
            a00 = a01 = a11 = b0 = b1 = 0.0
            for v in range(top, bottom + 1):
                for u in range(left, right + 1):
                    w = math.exp(-inverse * (u * u + v * v))
                    east = _bilinear(image, x + u + 1.0, y + v)
                    west = _bilinear(image, x + u - 1.0, y + v)
                    south = _bilinear(image, x + u, y + v + 1.0)
                    north = _bilinear(image, x + u, y + v - 1.0)
                    gx, gy = 0.5 * (east - west), 0.5 * (south - north)
                    toward = w * (gx * u + gy * v)
                    a00 += w * gx * gx
                    a01 += w * gx * gy
                    a11 += w * gy * gy
                    b0 += gx * toward
                    b1 += gy * toward
            is_good, dx, dy = _solve(a00, a01, a11, b0, b1, min_contrast)
            if not is_good:
                break
            x, y = x + dx, y + dy
            if not (0.0 <= x < columns and 0.0 <= y < rows):
                x, y = xy[k, 0], xy[k, 1]
                break
            if math.hypot(dx, dy) < precision:
                break
        xy[k, 0], xy[k, 1] = x, y


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CornerBias:
    """Systematic error of detected corners.

    Attributes:
        mean: Detected less true position [px], shape (2,): half a pixel in both where
            detector and projection count from other points of a pixel.
        sigma: Standard deviation about the bias [px], shape (2,).
        count: Corners it was measured with.
    """

    mean: FloatArray
    sigma: FloatArray
    count: int

    def removed_from(self, xy: ArrayLike) -> FloatArray:
        """Return detected corners (..., 2) without the constant part [px]."""
        return as_array("xy", xy, (2,)) - self.mean


def measure_bias(detected: ArrayLike, true: ArrayLike) -> CornerBias:
    """Return the constant part of the error of detected corners.

    Args:
        detected: Corners [px], shape (..., 2).
        true: True pixels of the corners [px], same shape.

    Example:
        >>> bias = measure_bias([[1.4, 2.5], [3.6, 4.5]], [[1.0, 2.0], [3.0, 4.0]])
        >>> print(bias.mean, bias.sigma.round(9))
        [0.5 0.5] [0.1 0. ]
    """
    seen, known = as_array("detected", detected, (2,)), as_array("true", true, (2,))
    if seen.shape != known.shape or seen.size < 4:
        raise ShapeError(
            "true",
            expected=f"{seen.shape} with two corners at least",
            actual=known.shape,
        )
    errors = (seen - known).reshape(-1, 2)
    return CornerBias(
        mean=errors.mean(axis=0), sigma=np.std(errors, axis=0), count=len(errors)
    )
