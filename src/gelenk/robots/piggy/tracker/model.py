"""Balls before two cameras: they begin as pairs, and end behind the robot."""

from __future__ import annotations

import numpy as np

from gelenk.estimation.ball import BallFilter, BallFilterCfg
from gelenk.estimation.ball_tracks import BallModel, BallState
from gelenk.estimation.multi_hypothesis import DetectionScan
from gelenk.robots.piggy.config import BALL_RADIUS
from gelenk.robots.piggy.setup import Setup
from gelenk.robots.piggy.tracker.config import TrackCfg
from gelenk.typing import FloatArray

PAIRED = 3  # column of a detection: whether the other image has a partner
SIGMA = 4  # and from here on the standard deviations of (u, v, r) [px]


class StereoBalls(BallModel):
    """Balls whose circles come from the left and right image.

    Rows are u, v, r [px], whether they are paired, and their standard deviations.

    A track begins only with a circle of the left image that has a partner in the
    right one: the size that fits the place is what other round things lack.
    """

    def __init__(self, cfg: TrackCfg, setup: Setup) -> None:
        super().__init__(
            BallFilter(ball_cfg(cfg, setup), setup.camera_rows),
            setup.prior,
            [camera.intrinsics for camera in setup.cameras],
            detection_probability=cfg.detection_probability,
            max_silence=cfg.max_silence,
        )
        self.behind = cfg.behind

    def births(self, scan: DetectionScan) -> FloatArray:
        """Return the log density of each circle as the first of a ball, shape (m,)."""
        if scan.sensor != 0:
            return np.full(len(scan.detections), -np.inf)
        out = super().births(scan)
        out[scan.detections[:, PAIRED] == 0.0] = -np.inf
        return out

    def update(self, state: BallState, scan: DetectionScan, index: int) -> BallState:
        """Return the state after circle `index`."""
        x, P = state[0].copy(), state[1].copy()
        circle = scan.detections[index, :PAIRED].copy()
        sigma = scan.detections[index, SIGMA:].copy()
        self.filter.update_arrays(x, P, scan.sensor, circle, sigma)
        return x, P

    def sigmas(self, scan: DetectionScan) -> FloatArray:
        """Return standard deviations of good circles (u, v, r) [px], shape (m, 3)."""
        return np.ascontiguousarray(scan.detections[:, SIGMA:])

    def is_lost(self, state: BallState, silence: float) -> bool:
        """Return whether a ball is on the floor, behind, or unseen for too long."""
        return bool(state[0][1] < self.behind) or super().is_lost(state, silence)


def ball_cfg(cfg: TrackCfg, setup: Setup) -> BallFilterCfg:
    """Return what the filter knows about a ball before it is seen."""
    return BallFilterCfg(
        radius=BALL_RADIUS,
        gravity=setup.gravity,
        drag=setup.drag,
        drag_sigma=setup.drag_sigma,
        lift_sigma=setup.lift_sigma if cfg.lift_sigma is None else cfg.lift_sigma,
        wind_sigma=cfg.wind_sigma if cfg.has_wind else None,
        wind_density=cfg.wind_density if cfg.has_wind else 0.0,
        bias_sigma=cfg.bias_sigma,
        circle_sigma=cfg.circle_sigma,
        tail_share=cfg.tail_share,
        tail_factor=cfg.tail_factor,
    )
