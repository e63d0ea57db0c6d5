"""Circle detection in gray images, without a model of color or background.

Edges vote for centres, independent of their contrast; the best places are looked at
closely, their outlines measured below one pixel, and scored. With the camera's focal
length the outlines are those of spheres, which are ellipses away from the middle.

Centres of balls whose radius is known (from stereo, or from their track) are measured
on their own: in front of leaves a free circle may shrink into a shadow on the ball,
one with its radius given cannot. How uneven the edges lie along the outline also tells
how far off the centre may be.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gelenk.checks import as_finite, as_kernel_array
from gelenk.errors import ConfigError
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
from gelenk.vision.circle_search import (
    FIELDS,
    clip_patch,
    keep_best,
    search_level,
    search_window,
    stretch_of,
)
from gelenk.vision.circle_search import refine_circle as polish_kernel
from gelenk.vision.circle_votes import halve
from gelenk.vision.image_types import GrayImage, as_gray

SMALLEST, LARGEST = 5.5, 13.7  # [px], radii of one level
_SOBEL = 4.0  # response of the voting edges' derivative to a step of one gray level
_CANDIDATES = (20, 14, 8)  # that are looked at closely, level by level
_OVERLAP = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class CircleCfg:
    """Settings of the search for circles.

    Attributes:
        min_radius: Smallest radius [px], 5.5 at least.
        max_radius: Largest radius [px].
        max_count: Circles returned at most, the best ones.
        min_score: Least score: logarithm of the odds that it is a disc.
        min_window_score: Least score in a window, where a circle is expected.
        min_contrast: Step across an outline that is surely seen [gray levels].
        focal: Focal length [px] for outlines of spheres; None: true circles.
        axis: Column and row of the optical axis [px]; None: the middle.
        blur: Standard deviation of the lens's blur [px]; only the radius depends on it.

    Example:
        >>> from gelenk.vision import CircleCfg
        >>> CircleCfg(max_radius=40.0).max_count
        16
    """

    min_radius: float = 6.0
    max_radius: float = 54.0
    max_count: int = 16
    min_score: float = -3.0
    min_window_score: float = -5.0
    min_contrast: float = 6.0
    focal: float | None = None
    axis: tuple[float, float] | None = None
    blur: float = 0.7

    def __post_init__(self) -> None:
        if not SMALLEST <= self.min_radius < self.max_radius < math.inf:
            raise ConfigError(
                f"radii must be {SMALLEST} <= `min_radius` < `max_radius` [px], got "
                f"{self.min_radius} and {self.max_radius}; enlarge the image for "
                "smaller circles"
            )
        if self.max_count < 1:
            raise ConfigError(f"`max_count` must be 1 at least, got {self.max_count}")
        if not self.min_contrast > 0.0:
            raise ConfigError(
                "`min_contrast` must be positive [gray levels], "
                f"got {self.min_contrast}"
            )
        if self.focal is not None and not self.focal > 0.0:
            raise ConfigError(f"`focal` must be positive [px], got {self.focal}")
        if not self.blur >= 0.0:
            raise ConfigError(f"`blur` must not be negative [px], got {self.blur}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchWindow:
    """Region in which a circle is expected.

    Attributes:
        center: Expected column and row [px].
        half_size: Largest distance of the centre from (u, v) [px].
        radius: Expected radius [px].
        radius_tolerance: Largest error of the radius [px].
    """

    center: tuple[float, float]
    half_size: float
    radius: float
    radius_tolerance: float

    def __post_init__(self) -> None:
        as_finite("center", self.center, (2,))
        if not (self.half_size >= 0.0 and math.isfinite(self.half_size)):
            raise ConfigError(
                f"`half_size` must not be negative [px], got {self.half_size}"
            )
        if not 0.0 <= self.radius_tolerance < self.radius < math.inf:
            raise ConfigError(
                "a window needs 0 <= `radius_tolerance` < `radius` [px], got "
                f"{self.radius_tolerance} and {self.radius}"
            )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Circles:
    """Circles, best first.

    Attributes:
        center: Centres of the outlines [px], pixel centres at whole numbers, (n, 2).
        radius: Radii of circles with the area of the outlines [px], (n,).
        score: Logarithm of the odds that it is a disc, (n,).
        coverage: Share of the outline with an edge, (n,).
        contrast: Mean step across the outline [gray levels], (n,).
        window: Number of the window in which each was found, (n,); -1 if all of the
            image was searched.
    """

    center: FloatArray
    radius: FloatArray
    score: FloatArray
    coverage: FloatArray
    contrast: FloatArray
    window: np.ndarray

    def __len__(self) -> int:
        return len(self.radius)


def find_circles(
    image: Any,
    cfg: CircleCfg | None = None,
    *,
    windows: Sequence[SearchWindow] | None = None,
) -> Circles:
    """Return the circles of an image, best first.

    Args:
        image: Gray levels, uint8, shape (rows, columns).
        cfg: Settings of the search.
        windows: Windows with their radii to search; everywhere if None. A window yields
            one circle at most; what two windows find twice is returned once.

    Example:
        >>> from gelenk.vision import find_circles
        >>> y, x = np.mgrid[0:80, 0:100]
        >>> distance = np.hypot(x - 41.3, y - 37.6)
        >>> disc = 60.0 + 100.0 * np.clip(12.5 - distance, 0.0, 1.0)
        >>> found = find_circles(disc.astype(np.uint8))
        >>> print(found.center.round(1), found.radius.round(1))
        [[41.3 37.6]] [12.]
    """
    cfg = cfg or CircleCfg()
    gray = as_gray("image", image)
    lens = lens_of(cfg, gray)
    if windows is None:
        rows = _search_all(gray, cfg, lens)
        source, least = np.full(len(rows), -1), cfg.min_score
    else:
        rows, source = _search_windows(gray, cfg, lens, windows)
        least = cfg.min_window_score
    good = rows[:, 3] >= least
    rows, source = rows[good], source[good]
    floor = GAIN * cfg.min_contrast / 4.0
    for row in rows:
        polish_kernel(gray, lens, cfg.blur, floor, row)
    is_sized = (rows[:, 2] >= 0.97 * cfg.min_radius) & (
        rows[:, 2] <= 1.03 * cfg.max_radius
    )
    rows, source = rows[is_sized], source[is_sized]
    order = np.empty(len(rows), np.int64)
    kept = order[: keep_best(rows, len(rows), _OVERLAP, order)][: cfg.max_count]
    return _as_circles(rows[kept], source[kept])


def lens_of(cfg: CircleCfg, image: GrayImage) -> tuple[float, float, float]:
    """Return focal length (0: none), column and row of the optical axis [px]."""
    rows, columns = image.shape
    x, y = cfg.axis or ((columns - 1) / 2.0, (rows - 1) / 2.0)
    return float(cfg.focal or 0.0), float(x), float(y)


def _options(cfg: CircleCfg) -> tuple[float, int, float, float]:
    """Return least slope of voting edges, least votes, gate, and slope of an edge."""
    return _SOBEL * cfg.min_contrast, 8, 0.6, GAIN * cfg.min_contrast / 4.0


def _search_all(
    image: GrayImage, cfg: CircleCfg, lens: tuple[float, float, float]
) -> FloatArray:
    """Return the circles of all levels, not polished, (n, FIELDS)."""
    out = np.empty((sum(_CANDIDATES) + 64, FIELDS))
    found, factor, level = 0, 1, image
    number = 0
    while min(level.shape) >= 24 and SMALLEST * factor <= cfg.max_radius:
        half = np.empty((level.shape[0] // 2, level.shape[1] // 2), np.uint8)
        halve(level, half)
        if LARGEST * factor >= cfg.min_radius:
            room = _CANDIDATES[min(number, len(_CANDIDATES) - 1)]
            found += search_level(
                level, half, float(factor), _options(cfg), lens, room, out[found:]
            )
        level, factor, number = half, 2 * factor, number + 1
    return out[:found]


def _search_windows(
    image: GrayImage,
    cfg: CircleCfg,
    lens: tuple[float, float, float],
    windows: Sequence[SearchWindow],
) -> tuple[FloatArray, np.ndarray]:
    out, source = np.empty((len(windows), FIELDS)), np.empty(len(windows), np.int64)
    _, _, gate, floor = _options(cfg)
    found = 0
    for k, window in enumerate(windows):
        if search_window(
            image,
            float(window.center[0]),
            float(window.center[1]),
            float(window.half_size),
            max(float(window.radius - window.radius_tolerance), SMALLEST),
            max(float(window.radius + window.radius_tolerance), SMALLEST),
            gate,
            lens,
            floor,
            out[found],
        ):
            source[found] = k
            found += 1
    return out[:found], source[:found]


def _as_circles(rows: FloatArray, source: np.ndarray) -> Circles:
    return Circles(
        center=rows[:, :2].copy(),
        radius=rows[:, 2].copy(),
        score=rows[:, 3].copy(),
        coverage=rows[:, 5].copy(),
        contrast=np.exp(rows[:, 12]),
        window=source,
    )


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
        circles: First guesses and known radii (u, v, r) [px], shape (n, 3).
        radius_sigma: Standard deviations of the radii [px], shape (n,).
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
        settle_centers(gray, row, float(s), lens, cfg.blur, floor, found)
    return out[:, :2], out[:, 2:]


@kernel
def settle_centers(
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
