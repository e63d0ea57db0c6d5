"""Circles of both images, and which of them may be the same ball."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.typing import BoolArray, FloatArray, IntArray
from gelenk.vision.camera import Intrinsics
from gelenk.vision.circles import CircleCfg, SearchWindow, find_circles, measure_centers
from gelenk.vision.sphere import see_sphere, start_of_search, triangulate

SAME_PLACE = 0.5  # [px], and
SAME_SHARE = 0.1  # of the radius: one circle that was found twice
SIZED = 0.03  # of a radius: known so well, it need not be measured
NO_RADIUS = 6.0  # [px], standard deviation of a radius that was not measured
SCORE, COLUMNS = 3, 7  # of a row: u, v, r, score, standard deviations of u, v, r
STARTS = 3  # circles from which an outline of known size is measured


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """A ball that is expected in an image.

    Attributes:
        window: Where.
        radius_sigma: How well its radius is known [px].
    """

    window: SearchWindow
    radius_sigma: float

    def is_near(self, circles: FloatArray) -> BoolArray:
        """Return which circles (u, v, r, ...) may be this ball, (n,)."""
        x, y, r = (*self.window.center, self.window.radius)
        away = np.hypot(circles[:, 0] - x, circles[:, 1] - y)
        size = np.abs(circles[:, 2] - r)
        slack = SAME_SHARE * r
        return (away < self.window.half_size + slack) & (
            size < self.window.radius_tolerance + slack
        )


class Sight:
    """Looks for circles in the images of both cameras, at the same time.

    Args:
        lenses: Of the left and the right camera.
        max_circles: Of one image.
        sigma: Of circles (u, v, r) whose size was not known [px].
        min_score: Least score of circles where no ball is expected.
        has_threads: Whether the right image gets a thread of its own; the search
            releases the interpreter.
    """

    def __init__(
        self,
        lenses: Sequence[Intrinsics],
        max_circles: int,
        sigma: tuple[float, float, float],
        *,
        min_score: float,
        has_threads: bool,
    ) -> None:
        self.sigma = sigma
        self.cfgs = tuple(
            CircleCfg(
                focal=float(np.sqrt(lens.fx * lens.fy)),
                axis=(lens.cx, lens.cy),
                max_count=max_circles,
                min_score=min_score,
            )
            for lens in lenses
        )
        self._pool = ThreadPoolExecutor(1, "sight") if has_threads else None

    def look(
        self, images: Sequence[Any], expected: Sequence[Sequence[Expected]]
    ) -> tuple[FloatArray, FloatArray]:
        """Return circles of both images, (n, 7) each.

        Rows are u, v, r [px], score, and standard deviations of u, v, r [px]. Where a
        ball of known size is expected, its centre is measured with that radius.

        Args:
            images: Gray levels, uint8, left and right; None if a camera sent nothing.
            expected: Balls, left and right.
        """
        if self._pool is None or images[1] is None or images[0] is None:
            left, right = (self._circles(k, images[k], expected[k]) for k in (0, 1))
            return left, right
        task = self._pool.submit(self._circles, 1, images[1], expected[1])
        return self._circles(0, images[0], expected[0]), task.result()

    def close(self) -> None:
        """End the thread."""
        if self._pool is not None:
            self._pool.shutdown()

    def _circles(self, k: int, image: Any, expected: Sequence[Expected]) -> FloatArray:
        if image is None:
            return np.empty((0, COLUMNS))
        found = [find_circles(image, self.cfgs[k])]
        if expected:
            windows = [ball.window for ball in expected]
            found.append(find_circles(image, self.cfgs[k], windows=windows))
        rows = [np.column_stack([c.center, c.radius, c.score]) for c in found]
        circles = _merged(*rows)
        circles = np.hstack([circles, np.tile(self.sigma, (len(circles), 1))])
        for ball in expected:
            if ball.radius_sigma < SIZED * ball.window.radius:
                circles = self._sized(k, image, ball, circles)
        return np.ascontiguousarray(circles)

    def _sized(
        self, k: int, image: Any, ball: Expected, circles: FloatArray
    ) -> FloatArray:
        """Return the circles, that of a ball measured again with its radius."""
        window = ball.window
        x, y, r = (*window.center, window.radius)
        near = ball.is_near(circles)
        if not near.any():
            return circles
        # From where it is expected, and from where something was seen.
        starts = np.vstack([(x, y), circles[near, :2][:STARTS]])
        row = self.measure(k, image, starts, r, ball.radius_sigma)
        off = np.hypot(row[0] - x, row[1] - y)
        if not off < window.half_size + SAME_PLACE:  # also if nothing was measured
            return circles
        row[SCORE] = circles[near, SCORE].max()
        away = np.hypot(*(circles[:, :2] - row[:2]).T)
        return np.vstack([row, circles[~(near & (away < 0.5 * r))]])

    def measure(
        self, k: int, image: Any, starts: FloatArray, r: float, sigma: float
    ) -> FloatArray:
        """Return the surest outline of radius r from some places on, (7,); NaN if none.

        Args:
            k: Number of the camera.
            image: Gray levels, uint8.
            starts: Places [px], (n, 2).
            r: Its radius [px].
            sigma: How well it is known [px].
        """
        n = len(starts)
        begin = np.column_stack([starts, np.full(n, r)])
        center, spread = measure_centers(image, begin, np.full(n, sigma), self.cfgs[k])
        vague = np.where(np.isnan(spread), np.inf, spread).sum(axis=1)
        best = int(vague.argmin())
        return np.array([*center[best], r, 0.0, *spread[best], NO_RADIUS])


def _merged(first: FloatArray, second: FloatArray | None = None) -> FloatArray:
    """Return the circles of both, those that are the same only once."""
    if second is None or not len(second):
        return first
    away = np.hypot(
        second[:, None, 0] - first[None, :, 0], second[:, None, 1] - first[None, :, 1]
    )
    size = np.abs(second[:, None, 2] - first[None, :, 2])
    near = SAME_PLACE + SAME_SHARE * first[None, :, 2]
    is_new = ~((away < near) & (size < near)).any(axis=1)
    return np.concatenate([second[is_new], first])


ROUGH = 0.3  # how wrong the distance may be that one circle's size tells, relative


def pair_circles(
    camera: FloatArray,
    left: FloatArray,
    right: FloatArray,
    sigma: FloatArray,
    radius: float,
    gate: float,
) -> tuple[np.ndarray, FloatArray]:
    """Return pairs of circles and the place of each.

    Args:
        camera: Both cameras as kernels read them, (2, 21).
        left: Circles (u, v, r, ...) of the left image [px], (n, k).
        right: Likewise, (m, k).
        sigma: Of (u, v, r) [px], (3,).
        radius: Of the ball [m].
        gate: Largest chi-square, 3 degrees of freedom.

    Returns:
        Rows of `left` and of `right`, (p, 2), and places in world axes [m], (p, 3).
    """
    most = len(left) * len(right)
    pairs, places = np.empty((most, 2), np.int64), np.empty((most, 3))
    if not most:
        return pairs, places
    count = _pair(camera, left, right, sigma, float(radius), float(gate), pairs, places)
    return pairs[:count], places[:count]


@kernel
def _pair(
    camera: FloatArray,
    left: FloatArray,
    right: FloatArray,
    sigma: FloatArray,
    radius: float,
    gate: float,
    pairs: IntArray,
    places: FloatArray,
) -> int:
    circles, covariance = np.empty((2, 3)), np.empty((3, 3))
    count = 0
    for i in range(left.shape[0]):
        for k in range(3):
            circles[0, k] = left[i, k]
        p = start_of_search(camera, 0, left[i, 0], left[i, 1], left[i, 2], radius)
        u, v, r = see_sphere(camera, 1, p, radius)
        if math.isnan(u):
            continue
        # Along its ray the place is known only roughly: so far may the image move.
        reach = 10.0 + ROUGH * math.hypot(u - left[i, 0], v - left[i, 1])
        for j in range(right.shape[0]):
            away = math.hypot(right[j, 0] - u, right[j, 1] - v)
            if away > reach or abs(right[j, 2] - r) > ROUGH * r + 1.0:
                continue
            for k in range(3):
                circles[1, k] = right[j, k]
            chi2 = triangulate(
                camera, circles, sigma, radius, places[count], covariance
            )
            if chi2 <= gate:
                pairs[count, 0], pairs[count, 1] = i, j
                count += 1
    return count
