"""Score of a circle's outline from ten features, and thresholds by false alarm rate.

The gate keeps a constant false alarm rate: a cluttered scene gets a high threshold, a
calm one a low one, in which faint things are found too. It learns from recent
detections where nothing should have been.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.kernels.compile import kernel
from gelenk.kernels.linear import solve_spd
from gelenk.typing import ArrayLike, ByteArray, FloatArray
from gelenk.vision.circle_fit import GAIN, NUM_FEATURES, RAYS, radial_response

# Logistic regression over rendered balls and what else was found beside them.
WEIGHTS = np.array([6.93, 7.98, 4.76, -1.04, -2.3, -0.62, -1.5, 0.28, -3.21, 12.17])
OFFSET = -20.71
HALF = 4.0  # taken off if less than half of the outline has an edge


@kernel
def outline_features(
    gx: NDArray[np.int16],
    gy: NDArray[np.int16],
    ux: NDArray[np.float32],
    uy: NDArray[np.float32],
    circle: FloatArray,
    points: FloatArray,
    normals: FloatArray,
    edges: FloatArray,
    floor: float,
    out: FloatArray,
) -> None:
    """Write what tells a disc from other things that look round.

    In this order: share of rays with an edge on the outline; how radial gradients are
    there; widest gap without an edge, as a share; rms distance of the edges; how many
    of them have the same sign, 0 to 1; logarithms of the edges inside and of those
    around, relative to the outline; logarithm of the step across it [gray levels].
    Two more come from elsewhere: logarithm of the unevenness inside, and the response
    of the first guess.

    Args:
        gx: Gradients of the patch.
        gy: Gradient downwards, (rows, columns).
        ux: Gradients of length 1 at most.
        uy: Gradients downwards, of length 1 at most, (rows, columns).
        circle: Circle (x, y, r) in the patch [px].
        points: Outline of radius 1, (n, 2).
        normals: Normals of the outline, (n, 2).
        edges: Distance [px] and slope of each ray, (n, 2).
        floor: Slope of an edge that half counts.
        out: The first 8 are overwritten.
    """
    near = max(0.7, 0.06 * circle[2])
    count, squares, signs, slopes = 0, 0.0, 0.0, 0.0
    gap, widest = 0, 0
    for turn in range(2):
        for k in range(RAYS):
            t, v = edges[k, 0], edges[k, 1]
            if np.isfinite(t) and abs(t) < near and abs(v) > floor:
                gap = 0
                if turn == 0:
                    count += 1
                    squares += t * t
                    slopes += abs(v)
                    signs += 1.0 if v > 0.0 else -1.0
            else:
                gap += 1
                widest = max(widest, gap)
    outline = max(slopes / max(count, 1), floor)
    out[0] = count / RAYS
    out[1] = radial_response(ux, uy, circle[0], circle[1], circle[2], points, normals)
    out[2] = min(widest, RAYS) / RAYS
    out[3] = math.sqrt(squares / max(count, 1))
    out[4] = abs(signs) / max(count, 1)
    inside = _inner_slope(gx, gy, circle)
    around = _mean_slope(gx, gy, circle, 1.35, points)
    out[5] = math.log((inside + 0.2 * floor) / outline)
    out[6] = math.log((around + 0.2 * floor) / outline)
    out[7] = math.log(outline / GAIN)


@kernel
def unevenness(image: ByteArray, x: float, y: float, r: float) -> float:
    """Return the rms gray levels by which a disc differs from a smooth bulge.

    A ball is as even as its light; whatever the light, a polynomial of second order
    leaves little more than noise. What looks round in foliage is uneven inside.

    Args:
        image: uint8.
        x: Centre [px].
        y: Row of the centre [px].
        r: Radius [px]; the inner three quarters are looked at.
    """
    rows, columns = image.shape
    reach = 0.75 * r
    A, b, f = np.zeros((6, 6)), np.zeros(6), np.empty(6)
    total, count = 0.0, 0
    usual = float(
        image[min(max(int(y), 0), rows - 1), min(max(int(x), 0), columns - 1)]
    )
    for j in range(max(math.ceil(y - reach), 0), min(int(y + reach) + 1, rows)):
        v = (j - y) / r
        width = math.sqrt(max(reach * reach - (j - y) ** 2, 0.0))
        for i in range(max(math.ceil(x - width), 0), min(int(x + width) + 1, columns)):
            u = (i - x) / r
            z = image[j, i] - usual
            f[0], f[1], f[2], f[3], f[4], f[5] = 1.0, u, v, u * u, u * v, v * v
            for a in range(6):
                b[a] += f[a] * z
                for c in range(a + 1):
                    A[a, c] += f[a] * f[c]
            total += z * z
            count += 1
    if count < 12:
        return 9.0
    for a in range(6):
        A[a, a] += 1e-6
        for c in range(a):
            A[c, a] = A[a, c]
    right = b.copy()
    if not solve_spd(A, b):
        return 9.0
    for a in range(6):
        total -= right[a] * b[a]
    return math.sqrt(max(total, 0.0) / (count - 6))


@kernel
def _inner_slope(
    gx: NDArray[np.int16], gy: NDArray[np.int16], circle: FloatArray
) -> float:
    """Return the rms slope of the inner half of a disc."""
    rows, columns = gx.shape
    reach = 0.7 * circle[2]
    total, count = 0.0, 0
    for j in range(
        max(math.ceil(circle[1] - reach), 0), min(int(circle[1] + reach) + 1, rows)
    ):
        dy = j - circle[1]
        width = math.sqrt(max(reach * reach - dy * dy, 0.0))
        for i in range(
            max(math.ceil(circle[0] - width), 0),
            min(int(circle[0] + width) + 1, columns),
        ):
            x, y = float(gx[j, i]), float(gy[j, i])
            total += x * x + y * y
            count += 1
    return math.sqrt(total / max(count, 1))


@kernel
def _mean_slope(
    gx: NDArray[np.int16],
    gy: NDArray[np.int16],
    circle: FloatArray,
    scale: float,
    points: FloatArray,
) -> float:
    rows, columns = gx.shape
    total, count = 0.0, 0
    for k in range(0, RAYS, 2):
        i = int(circle[0] + scale * circle[2] * points[k, 0] + 0.5)
        j = int(circle[1] + scale * circle[2] * points[k, 1] + 0.5)
        if 0 <= i < columns and 0 <= j < rows:
            x, y = float(gx[j, i]), float(gy[j, i])
            total += math.sqrt(x * x + y * y)
            count += 1
    return total / max(count, 1)


@kernel
def score_features(features: FloatArray) -> float:
    """Return the score: the logarithm of the odds that this is a disc."""
    total = OFFSET
    for k in range(NUM_FEATURES):
        total += WEIGHTS[k] * features[k]
    # Four sides of a square touch a circle, too: half of the outline must be seen.
    return total if features[0] >= 0.5 else total - HALF


ROUNDING = 1e-9  # 0.29 * 100 is 28.999999999999996


@dataclass(frozen=True, slots=True, kw_only=True)
class GateCfg:
    """Settings of a gate: rate, memory and limits of the threshold.

    Attributes:
        rate: False detections per image that are let through.
        lowest: Lowest value of the threshold, and its first value.
        highest: Highest value of the threshold; what scores more is always let through,
            and does not count for the rate, as no threshold could help.
        memory: Images that are remembered.
    """

    rate: float = 0.2
    lowest: float = -4.0
    highest: float = 0.0
    memory: int = 50

    def __post_init__(self) -> None:
        if not 0.0 <= self.rate < math.inf:
            raise ConfigError(f"`rate` must not be negative, got {self.rate}")
        if not -math.inf < self.lowest <= self.highest < math.inf:
            raise ConfigError(
                "a gate needs `lowest` <= `highest`, both finite, got "
                f"{self.lowest} and {self.highest}"
            )
        if self.memory < 1:
            raise ConfigError(f"`memory` must be 1 at least, got {self.memory}")


def lowest_threshold(
    scores: ArrayLike, allowed: int, *, lowest: float, highest: float
) -> float:
    """Return the lowest threshold that so many scores reach at most.

    Args:
        scores: Scores of false detections, (n,); those from `highest` on do not count.
        allowed: Number of them that may reach the threshold.
        lowest: Lowest value of the threshold.
        highest: Highest value of the threshold.

    Example:
        >>> scores = [-1.0, -3.0, -2.0, 7.0]
        >>> -2.0 < lowest_threshold(scores, 1, lowest=-4.0, highest=0.0) < -1.999
        True
    """
    s = np.asarray(scores, dtype=np.float64)
    s = s[s < highest]
    if len(s) <= allowed:
        return lowest
    first_too_many = np.partition(s, len(s) - 1 - allowed)[len(s) - 1 - allowed]
    return float(min(max(np.nextafter(first_too_many, np.inf), lowest), highest))


class ScoreGate:
    """Follows the clutter of a place: learns from image to image.

    Images it has not seen yet count as empty, so it begins at the lowest threshold.

    Args:
        cfg: Settings of the gate.
    """

    def __init__(self, cfg: GateCfg | None = None) -> None:
        self.cfg = cfg or GateCfg()
        self._scores: deque[FloatArray] = deque(maxlen=self.cfg.memory)
        self.threshold = self.cfg.lowest

    def learn(self, scores: ArrayLike) -> None:
        """Take an image into account.

        Args:
            scores: Scores of its false detections, (n,), also of those below the
                threshold.
        """
        s = as_finite("scores", scores, ())
        self._scores.append(s[s < self.cfg.highest])
        self.threshold = lowest_threshold(
            np.concatenate(self._scores),
            math.floor(self.cfg.rate * self.cfg.memory + ROUNDING),
            lowest=self.cfg.lowest,
            highest=self.cfg.highest,
        )
