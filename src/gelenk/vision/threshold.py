"""Segmentation by thresholds, given or found in the histogram.

    f < t1: 0,   t1 <= f < t2: 1,   f >= t2: 2

A pixel on a threshold belongs to the upper class; with the strict signs of the course
it would belong to none (E-27). Thresholds depend on light: those of hue less than those
of brightness.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray
from gelenk.vision.image_types import as_levels
from gelenk.vision.neighborhood import box_sums


def threshold_classes(image: ArrayLike, thresholds: ArrayLike) -> IntArray:
    """Return the class of each pixel: how many thresholds it reaches, shape (...).

    Args:
        image: Levels, shape (...).
        thresholds: Rising, shape (k,).

    Example:
        >>> print(threshold_classes([[10, 50, 99], [100, 149, 255]], [50, 100]))
        [[0 1 1]
         [2 2 2]]
    """
    levels = as_finite("thresholds", thresholds, ()).reshape(-1)
    if np.any(np.diff(levels) <= 0.0):
        raise ConfigError(f"`thresholds` must rise, got {levels.tolist()}")
    return np.digitize(as_finite("image", image, ()), levels).astype(np.int64)


def otsu_threshold(image: ArrayLike, *, bins: int = 256) -> float:
    """Return the threshold whose two classes differ most, w0 w1 (m1 - m0)^2 (Otsu).

    Args:
        image: Levels, shape (...).
        bins: Cells of the histogram between the least and the greatest level.
    """
    counts, edges = _histogram(image, bins)
    middle = 0.5 * (edges[1:] + edges[:-1])
    below = np.cumsum(counts)[:-1]
    above = counts.sum() - below
    mass = np.cumsum(counts * middle)
    with np.errstate(invalid="ignore", divide="ignore"):
        gap = (mass[-1] - mass[:-1]) / above - mass[:-1] / below
        score = np.where((below > 0) & (above > 0), below * above * gap**2, -1.0)
    best = np.flatnonzero(score >= score.max() * (1.0 - 1e-12))
    return float(edges[1:-1][best].mean())  # an empty gap: its middle


def valley_threshold(
    image: ArrayLike, *, bins: int = 64, classes: int = 2
) -> FloatArray:
    """Return the levels of the valleys between the hills of the histogram.

    The histogram is smoothed until it has only as many hills as there are classes:
    robust against the teeth of a histogram of few pixels.

    Args:
        image: Levels, shape (...).
        bins: Cells of the histogram.
        classes: Hills expected.

    Returns:
        Rising thresholds, shape (classes - 1,).

    Raises:
        ConfigError: If the histogram has fewer hills than that.

    Example:
        >>> dark, bright = np.full(50, 20.0), np.full(30, 200.0)
        >>> 20.0 < valley_threshold(np.concatenate([dark, bright]))[0] < 200.0
        np.True_
    """
    if classes < 2:
        raise ConfigError(f"`classes` must be at least 2, got {classes}")
    counts, edges = _histogram(image, bins)
    middle = 0.5 * (edges[1:] + edges[:-1])
    curve = np.concatenate([[0.0], counts, [0.0]])
    hills = _hills(curve)
    while len(hills) > classes:
        curve[1:-1] = 0.25 * curve[:-2] + 0.5 * curve[1:-1] + 0.25 * curve[2:]
        hills = _hills(curve)
    if len(hills) < classes:
        raise ConfigError(f"the histogram has {len(hills)} hills, not {classes}")
    valleys = []
    for a, b in pairwise(hills.tolist()):
        between = curve[a : b + 1]
        floor = np.flatnonzero(between <= between.min() + 1e-9 * curve.max())
        valleys.append(
            float(np.interp(a + floor.mean() - 1.0, np.arange(bins), middle))
        )
    return np.array(valleys)


def adaptive_threshold(
    image: ArrayLike, *, size: int, offset: float = 0.0
) -> BoolArray:
    """Return where a pixel exceeds the mean of its surroundings by `offset`.

    Args:
        image: Gray levels, shape (rows, columns).
        size: Side of the surroundings [px], odd; larger than the objects.
        offset: What it must exceed the mean by [gray levels].
    """
    f = as_levels("image", image)
    if size < 1 or size % 2 == 0:
        raise ConfigError(f"`size` must be odd, got {size}")
    padded = np.pad(f, size // 2, mode="edge")
    total = box_sums(padded, (size, size))
    return np.asarray(f > total / size**2 + offset)


def _histogram(image: ArrayLike, bins: int) -> tuple[FloatArray, FloatArray]:
    f = as_finite("image", image, ())
    if bins < 2 or not (f.size and f.max() > f.min()):
        raise ConfigError("a histogram needs two bins and an image with two levels")
    counts, edges = np.histogram(f, bins=bins)
    return counts.astype(float), np.asarray(edges, dtype=np.float64)


def _hills(curve: FloatArray) -> IntArray:
    """Return the places of the tops; a plateau counts once, at its middle."""
    change = np.flatnonzero(np.abs(np.diff(curve)) > 1e-12 * curve.max())
    slope = np.sign(np.diff(curve)[change])
    tops = np.flatnonzero((slope[:-1] > 0) & (slope[1:] < 0))
    return (change[tops] + 1 + change[tops + 1]) // 2
