"""Two images in, tracks of balls out: the only thing in Piggy that looks at pixels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gelenk.checks import as_finite
from gelenk.closing import Closing
from gelenk.dynamics.flight_crossing import TorusSheet
from gelenk.estimation.ball_tracks import BallState
from gelenk.estimation.multi_hypothesis import DetectionScan, TrackerCfg, TrackerState
from gelenk.estimation.multi_hypothesis import (
    MultiHypothesisTracker as HypothesisTracker,
)
from gelenk.estimation.multi_hypothesis import ObjectTrack as Leaf
from gelenk.robots.piggy import robot as unit
from gelenk.robots.piggy.config import BALL_RADIUS, UNIT, UnitCfg
from gelenk.robots.piggy.setup import Setup, nominal_setup
from gelenk.robots.piggy.tracker.clutter import Sieve, is_bat
from gelenk.robots.piggy.tracker.config import TrackCfg
from gelenk.robots.piggy.tracker.messages import Crossing, Frame, Track
from gelenk.robots.piggy.tracker.model import StereoBalls
from gelenk.robots.piggy.tracker.sight import (
    COLUMNS,
    NO_RADIUS,
    SCORE,
    Expected,
    Sight,
    pair_circles,
)
from gelenk.typing import ArrayLike, BoolArray, FloatArray
from gelenk.vision.circle_score import GateCfg
from gelenk.vision.circles import SearchWindow
from gelenk.vision.sphere import sphere_circle

WINDOWS = 6  # at most, of one image; also pairs whose size is told by both images
ROUGH_PAIR = (0.6, 0.8, 0.8)  # [px], of (u, v, r) of circles that may be shadows
WIDEST = 24.0  # [px], half of a window; beyond, all of the image is searched anyway
RADII = 45.0  # [px], range of radii over which false circles are spread
HIT_RATE = 25.0  # [1/s], fewest circles of a ball while it is seen, of 100
EXPECTED = 2  # circles of an image that may be balls
FORGET = 0.2  # share of one image in the mean number of false circles
FLOOR = BALL_RADIUS  # [m], height at which a predicted way ends

_Outlook = tuple[float, float, tuple[list[Expected], list[Expected]]]
"""Stamp of images, time of the state it was told from, and balls, left and right."""


class Tracker(Closing):
    """Follows balls from image to image.

    Args:
        cfg: How to look and what to believe.
        setup: Cameras, gravity, drag and where balls come from; drawings if None.
        geometry: Of the bat, whose workspace is what balls cross.

    Example:
        >>> import numpy as np
        >>> from gelenk.robots.piggy import TrackCfg, Tracker
        >>> dark = np.zeros((1024, 1280), dtype=np.uint8)
        >>> with Tracker(TrackCfg(has_threads=False)) as tracker:
        ...     tracker.step(0.0, dark, dark).tracks
        ()
    """

    def __init__(
        self,
        cfg: TrackCfg | None = None,
        setup: Setup | None = None,
        *,
        geometry: UnitCfg = UNIT,
    ) -> None:
        self.cfg, self.setup = cfg or TrackCfg(), setup or nominal_setup()
        self.workspace = TorusSheet(
            center=geometry.origin,
            offset=geometry.axis_offset,
            radius=geometry.bat_length,
        )
        self.model = StereoBalls(self.cfg, self.setup)
        lenses = [camera.intrinsics for camera in self.setup.cameras]
        self.sight = Sight(
            lenses,
            self.cfg.max_circles,
            self.cfg.circle_sigma,
            min_score=self.cfg.min_score,
            has_threads=self.cfg.has_threads,
        )
        self._volume = lenses[0].width * lenses[0].height * RADII
        self._tracker = HypothesisTracker(
            self.model,
            TrackerCfg(
                clutter_density=self.cfg.false_circles / self._volume,
                birth_rate=self.cfg.birth_rate,
                min_hits=self.cfg.min_hits,
                min_existence=self.cfg.min_existence,
            ),
        )
        self._sigma = np.array(self.cfg.pair_sigma)
        self._rows = self.setup.camera_rows
        self.reset()

    def reset(self) -> None:
        """Forget all balls, all things at rest and how cluttered the place is."""
        self._state: TrackerState[BallState] = TrackerState()
        gate = GateCfg(rate=self.cfg.chance, lowest=self.cfg.min_score)
        self._sieves = (Sieve(gate), Sieve(gate))
        self._outlook: _Outlook | None = None
        self._false = self.cfg.false_circles

    def close(self) -> None:
        """End the thread of the second camera."""
        self.sight.close()

    def step(
        self, stamp: float, left: Any, right: Any, *, bat: ArrayLike | None = None
    ) -> Frame:
        """Return what a pair of images tells.

        Args:
            stamp: Middle of the exposure [s]; later than the one before.
            left: Gray levels, uint8, (rows, columns); None if the camera sent nothing.
            right: Likewise.
            bat: Centre of the bat's sphere as the joints tell, world axes [m], (3,).
        """
        circles = self.sight.look((left, right), self._expected(stamp))
        if left is not None and right is not None:
            self._size_by_pairs(stamp, (left, right), circles)
        is_sent = (left is not None, right is not None)
        return self.follow(stamp, circles, is_sent=is_sent, bat=bat)

    def _size_by_pairs(
        self,
        stamp: float,
        images: Sequence[Any],
        circles: tuple[FloatArray, FloatArray],
    ) -> None:
        """Measure circles anew whose partner tells how far the ball is, and how large.

        Balls that are expected have been measured so already.
        """
        new = []
        for rows, sieve, expected in zip(
            circles, self._sieves, self._expected(stamp), strict=True
        ):
            likely = (rows[:, SCORE] >= sieve.threshold) | _is_known(rows, expected)
            new.append(np.flatnonzero(likely & (rows[:, COLUMNS - 1] < NO_RADIUS)))
        pairs, places = pair_circles(
            self._rows,
            circles[0][new[0]],
            circles[1][new[1]],
            np.array(ROUGH_PAIR),
            BALL_RADIUS,
            self.cfg.pair_gate,
        )
        done: tuple[set[int], set[int]] = (set(), set())
        for pair, place in zip(pairs[:WINDOWS], places[:WINDOWS], strict=True):
            radii = sphere_circle(self._rows, place, BALL_RADIUS)[:, 2]
            for k in (0, 1):
                i = int(new[k][pair[k]])
                if i in done[k] or not np.isfinite(radii[k]):
                    continue
                r, start = float(radii[k]), circles[k][i, :2][None]
                row = self.sight.measure(k, images[k], start, r, 0.02 * r)
                if np.hypot(*(row[:2] - start[0])) < 0.3 * r:
                    done[k].add(i)
                    row[SCORE] = circles[k][i, SCORE]
                    circles[k][i] = row

    def follow(
        self,
        stamp: float,
        circles: tuple[FloatArray, FloatArray],
        *,
        is_sent: tuple[bool, bool] = (True, True),
        bat: ArrayLike | None = None,
    ) -> Frame:
        """Do the same with circles that were found already.

        Args:
            stamp: Middle of the exposure [s].
            circles: Rows (u, v, r, score), with or without standard deviations of
                u, v, r [px], (n, 4) or (n, 7), left and right.
            is_sent: Whether each camera sent an image.
            bat: As for `step`.
        """
        is_ball = self._may_be_balls(stamp, circles, is_sent, bat)
        good = tuple(np.flatnonzero(mask) for mask in is_ball)
        self._expect_false(max(len(rows) for rows in good))
        pairs, _ = pair_circles(
            self._rows,
            circles[0][good[0]],
            circles[1][good[1]],
            self._sigma,
            BALL_RADIUS,
            self.cfg.pair_gate,
        )
        for k in (0, 1):
            rows = np.empty((len(good[k]), COLUMNS))
            rows[:, 4:] = self.cfg.circle_sigma
            rows[:, : circles[k].shape[1]] = circles[k][good[k]]
            rows[:, 2] += self.cfg.radius_shift
            rows[:, 3] = 0.0
            rows[pairs[:, k], 3] = 1.0
            if is_sent[k]:
                scan = DetectionScan(time=stamp, detections=rows, sensor=k)
                self._state = self._tracker.step(self._state, scan)
        # What was seen now and then for long is no ball but chance.
        found = [
            leaf
            for leaf in self._tracker.tracks(self._state)
            if leaf.hits >= HIT_RATE * (leaf.seen - leaf.born)
        ]
        return Frame(
            stamp=stamp,
            circles=(circles[0][:, :4], circles[1][:, :4]),
            is_ball=is_ball,
            pairs=np.column_stack([good[0][pairs[:, 0]], good[1][pairs[:, 1]]]),
            tracks=tuple(self._published(stamp, leaf) for leaf in found),
        )

    def _expect_false(self, count: int) -> None:
        """Take as many false circles for granted as there were lately."""
        least = self.cfg.false_circles
        self._false += FORGET * (max(count - EXPECTED, least) - self._false)
        density = max(self._false, least) / self._volume
        self._tracker.cfg = replace(self._tracker.cfg, clutter_density=density)

    def _may_be_balls(
        self,
        stamp: float,
        circles: Sequence[FloatArray],
        is_sent: tuple[bool, bool],
        bat: ArrayLike | None,
    ) -> tuple[BoolArray, BoolArray]:
        p = None if bat is None else as_finite("bat", bat, (3,))
        expected, masks = self._expected(stamp), []
        for k, rows in enumerate(circles):
            known = _is_known(rows, expected[k])
            bats = np.zeros_like(known)
            if p is not None:
                bats = is_bat(rows, self._rows[k], p, unit.SPHERE_RADIUS)
            if is_sent[k]:
                masks.append(self._sieves[k].sift(rows, stamp, known | bats) & ~bats)
            else:
                masks.append(~bats)
        return masks[0], masks[1]

    def _expected(self, stamp: float) -> tuple[list[Expected], list[Expected]]:
        """Return where the balls of the best hypothesis are expected."""
        state = self._state
        if self._outlook is not None and self._outlook[:2] == (stamp, state.time):
            return self._outlook[2]
        expected: tuple[list[Expected], list[Expected]] = ([], [])
        if state.time is None:
            return expected
        nodes = state.hypotheses[0].leaves
        leaves = sorted((state.leaves[n] for n in nodes), key=lambda leaf: -leaf.hits)
        for leaf in leaves[:WINDOWS]:
            x, P = self.model.predict(leaf.state, stamp - state.time)
            for k in (0, 1):
                z, S = self.model.filter.expect_arrays(x, P, k)
                window = _window(z, S, self.model.sizes[k])
                if window is not None:
                    known = max(S[2, 2] - self.model.filter.R[2, 2], 0.0)
                    expected[k].append(
                        Expected(window=window, radius_sigma=math.sqrt(known))
                    )
        self._outlook = (stamp, state.time, expected)
        return expected

    def _published(self, stamp: float, leaf: Leaf[BallState]) -> Track:
        belief = self.model.belief(leaf.state)
        cfg = self.cfg
        times = np.arange(0.0, cfg.path_horizon, cfg.path_step)
        path = self.model.filter.path(belief, times)
        over = (path.position[:, 2] < FLOOR) | (path.position[:, 1] < cfg.behind)
        n = max(int(over.argmax()), 2) if over.any() else len(times)
        return Track(
            id=leaf.id,
            time=stamp + times[:n],
            position=path.position[:n],
            velocity=path.velocity[:n],
            sigma=np.hstack([path.position_sigma, path.velocity_sigma])[:n],
            covariance=path.covariance[:n],
            belief=belief,
            existence=leaf.existence,
            hits=leaf.hits,
            born=leaf.born,
            seen=leaf.seen,
            crossing=self._crossing(stamp, leaf.state),
        )

    def _crossing(self, stamp: float, state: BallState) -> Crossing | None:
        belief = self.model.belief(state)
        found = self.model.filter.meet(
            belief, self.workspace, horizon=self.cfg.path_horizon
        )
        if found is None:
            return None
        return Crossing(
            time=stamp + float(found.mean[0]),
            position=found.mean[1:4],
            velocity=found.mean[4:],
            covariance=found.covariance,
            probability=found.share,
        )


def _is_known(circles: FloatArray, expected: Sequence[Expected]) -> BoolArray:
    """Return which circles may be balls that are expected, (n,)."""
    near = np.zeros(len(circles), dtype=np.bool_)
    for ball in expected:
        near |= ball.is_near(circles)
    return near


def _window(z: FloatArray, S: FloatArray, size: tuple[int, int]) -> SearchWindow | None:
    """Return the window of an expected circle; None if it is outside or too vague."""
    if math.isnan(z[0]):
        return None
    half = 2.0 + 0.04 * z[2] + 3.0 * math.sqrt(max(S[0, 0], S[1, 1]))
    slack = 0.08 * z[2] + 3.0 * math.sqrt(S[2, 2])
    is_in = all(0.5 * z[2] < z[i] < size[i] - 0.5 * z[2] for i in (0, 1))
    if not is_in or half > WIDEST or slack > 0.5 * z[2]:
        return None
    return SearchWindow(
        center=(float(z[0]), float(z[1])),
        half_size=half,
        radius=float(z[2]),
        radius_tolerance=slack,
    )
