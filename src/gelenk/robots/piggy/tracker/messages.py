"""What the tracker tells: frames with circles and tracks, in world axes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.estimation.kalman import Belief
from gelenk.typing import BoolArray, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Crossing:
    """Where and when a ball's centre comes through the workspace of the bat.

    The bat is touched earlier, by the sum of both radii over the speed.

    Attributes:
        time: On the clock of the images [s].
        position: World axes [m], (3,).
        velocity: World axes [m/s], (3,).
        covariance: Of (time, position, velocity), (7, 7).
        probability: That the ball comes through at all, 0 to 1.
    """

    time: float
    position: FloatArray
    velocity: FloatArray
    covariance: FloatArray
    probability: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Track:
    """One ball: what is known now, and its predicted way in fixed steps.

    Attributes:
        id: The same as long as the ball is followed, never used again.
        time: Of the samples, on the clock of the images, the first one now [s], (n,).
        position: World axes [m], (n, 3).
        velocity: World axes [m/s], (n, 3).
        sigma: Standard deviations of position and velocity, (n, 6).
        covariance: Of position and velocity, (n, 6, 6).
        belief: All that the filter knows now: position, velocity, ln drag, lift (3),
            then wind (3) and displacements of the images (4) if they are estimated.
        existence: Weight of the hypotheses that hold this track, 0 to 1.
        hits: Circles it rests on.
        born: Time of its first circle [s].
        seen: Time of its last circle [s].
        crossing: Of the workspace; None if the ball is not expected there.
    """

    id: int
    time: FloatArray
    position: FloatArray
    velocity: FloatArray
    sigma: FloatArray
    covariance: FloatArray
    belief: Belief
    existence: float
    hits: int
    born: float
    seen: float
    crossing: Crossing | None

    def at(self, time: float) -> tuple[FloatArray, FloatArray]:
        """Return position [m] and velocity [m/s] at a time, by cubics between samples.

        Before the first and after the last sample the end is returned.
        """
        t = min(max(time, float(self.time[0])), float(self.time[-1]))
        k = min(int(np.searchsorted(self.time, t, side="right")), len(self.time) - 1)
        if k == 0:
            return self.position[0].copy(), self.velocity[0].copy()
        h = self.time[k] - self.time[k - 1]
        s = (t - self.time[k - 1]) / h
        p, q = self.position[k - 1], self.position[k]
        v, w = self.velocity[k - 1], self.velocity[k]
        place = (
            (2 * s**3 - 3 * s**2 + 1) * p
            + (s**3 - 2 * s**2 + s) * h * v
            + (3 * s**2 - 2 * s**3) * q
            + (s**3 - s**2) * h * w
        )
        return place, (1.0 - s) * v + s * w


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Frame:
    """What one pair of images told.

    Attributes:
        stamp: Middle of the exposure [s].
        circles: Of the left and the right image, rows (u, v, r, score), best first,
            [px] and logarithm of odds, (n, 4) each.
        is_ball: For each circle whether it may be a ball: neither at rest nor the bat
            nor, where none is expected, less likely than chance.
        pairs: Rows of circles, left and right, that may be one ball, (k, 2).
        tracks: Of the best explanation, by number.
    """

    stamp: float
    circles: tuple[FloatArray, FloatArray]
    is_ball: tuple[BoolArray, BoolArray]
    pairs: np.ndarray
    tracks: tuple[Track, ...]
