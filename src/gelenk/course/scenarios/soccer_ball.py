"""Where a soccer robot believes the ball to be, and how it rolls.

Tracking with several hypotheses in the robot's own axes, where errors of its own place
do no harm: of all orange round things on the field one is the ball.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from gelenk.course.scenarios.soccer_field import (
    BALL_RADIUS,
    CAMERA,
    HALF_LENGTH,
    HALF_WIDTH,
    BallGuess,
    BodyReading,
    Place,
    Sight,
    camera_in_robot,
)
from gelenk.estimation.kalman import Belief, chi2_gate, kalman_update
from gelenk.estimation.multi_hypothesis import (
    DetectionScan,
    MultiHypothesisTracker,
    TrackerCfg,
    TrackerState,
)
from gelenk.navigation.planar import planar_rotation, points_in_world, relative_pose
from gelenk.typing import FloatArray
from gelenk.vision.camera import project

SLOWING = 0.35  # of a rolling ball [m/s^2]
FORGET = 3.0  # [s] after which a ball that is not seen is given up
_FIELD_MARGIN = 0.15  # a ball may seem to lie this far beside the field [m]

BallState: TypeAlias = tuple[FloatArray, FloatArray]  # mean (4,), covariance (4, 4)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RollingBall:
    """A ball on the ground as a robot that moves itself sees it.

    Attributes:
        motion: Of the robot since the last scan, in the axes before it, shape (3,).
        pan: Head to the left [rad].
        tilt: Head down [rad].
    """

    motion: FloatArray
    pan: float
    tilt: float

    def predict(self, state: BallState, dt: float) -> BallState:
        mean, P = state
        speed = float(np.hypot(mean[2], mean[3]))
        keep = max(0.0, 1.0 - SLOWING * dt / max(speed, 1e-6))
        back = planar_rotation(-self.motion[2])
        A = np.zeros((4, 4))
        A[:2, :2], A[:2, 2:], A[2:, 2:] = back, dt * back, keep * back
        mean = A @ mean
        mean[:2] -= back @ self.motion[:2]
        way = float(np.hypot(*self.motion[:2]))
        shake = 0.015 + 0.15 * way + 0.1 * abs(self.motion[2]) * np.hypot(*mean[:2])
        Q = np.diag([shake**2, shake**2, 0.5 * dt, 0.5 * dt])
        return mean, A @ P @ A.T + Q

    def likelihoods(self, state: BallState, scan: DetectionScan) -> FloatArray:
        mean, P = state
        S = P[:2, :2] + _covariances(scan.detections)
        gap = scan.detections[:, :2] - mean[:2]
        nis = np.einsum("ki,ki->k", gap, np.linalg.solve(S, gap[..., None])[..., 0])
        log = -0.5 * (nis + np.log(np.linalg.det(S))) - np.log(2.0 * np.pi)
        return np.where(nis < chi2_gate(2, 0.999), log, -np.inf)

    def update(self, state: BallState, scan: DetectionScan, index: int) -> BallState:
        row = scan.detections[index : index + 1]
        found = kalman_update(
            Belief(mean=state[0], covariance=state[1]),
            row[0, :2],
            np.eye(2, 4),
            _covariances(row)[0],
        ).belief
        return found.mean, found.covariance

    def detection_probability(self, state: BallState, scan: DetectionScan) -> float:
        T = camera_in_robot(self.pan, self.tilt)
        gap = np.array([state[0][0], state[0][1], BALL_RADIUS]) - T[:3, 3]
        u, v = project(CAMERA, T[:3, :3].T @ gap)
        edge = 12.0  # [px]
        is_in = edge < u < CAMERA.width - edge and edge < v < CAMERA.height - edge
        far = float(np.hypot(*state[0][:2]))
        return (0.8 if far < 3.0 else 0.4) if is_in else 0.05

    def births(self, scan: DetectionScan) -> FloatArray:
        area = 4.0 * HALF_LENGTH * HALF_WIDTH
        return np.full(len(scan.detections), -np.log(area))

    def birth(self, scan: DetectionScan, index: int) -> BallState:
        P = np.zeros((4, 4))
        P[:2, :2] = _covariances(scan.detections[index : index + 1])[0]
        P[2:, 2:] = 0.6**2 * np.eye(2)
        return np.array([*scan.detections[index, :2], 0.0, 0.0]), P

    def is_lost(self, state: BallState, silence: float) -> bool:
        return silence > FORGET


TRACKER = TrackerCfg(
    clutter_density=0.01,
    birth_rate=0.03,
    max_hypotheses=5,
    depth=5,
    min_hits=2,
    min_existence=0.5,
)


class BallMemory(NamedTuple):
    """What is kept between two images: hypotheses, and the last step of the legs."""

    tracks: TrackerState[BallState]
    odometry: FloatArray | None = None


def track_ball(
    memory: BallMemory, body: BodyReading, sight: Sight, place: Place
) -> tuple[BallMemory, BallGuess]:
    """Return where the ball is after an image.

    What is seen beside the field is no ball of ours.
    """
    last = memory.odometry if memory.odometry is not None else body.odometry
    motion = relative_pose(last, body.odometry)
    on_field = points_in_world(place.mean, sight.balls[:, :2])
    slack = _FIELD_MARGIN + 0.7 * sight.balls[:, 2]
    is_in = (np.abs(on_field[:, 0]) < HALF_LENGTH + slack) & (
        np.abs(on_field[:, 1]) < HALF_WIDTH + slack
    )
    model = RollingBall(motion=motion, pan=body.pan, tilt=body.tilt)
    tracker = MultiHypothesisTracker(model, TRACKER)
    scan = DetectionScan(time=body.time, detections=sight.balls[is_in])
    state = tracker.step(memory.tracks, scan)
    memory = BallMemory(state, body.odometry)
    tracks = tracker.tracks(state)
    if not tracks:
        nothing = np.zeros(2)
        guess = BallGuess(
            is_known=False, position=nothing, velocity=nothing, age=99.0, sigma=99.0
        )
        return memory, guess
    best = max(
        tracks, key=lambda track: track.existence - 0.2 * (body.time - track.seen)
    )
    mean, P = best.state
    return memory, BallGuess(
        is_known=True,
        position=mean[:2].copy(),
        velocity=mean[2:].copy(),
        age=float(body.time - best.seen),
        sigma=float(np.sqrt(0.5 * np.trace(P[:2, :2]))),
    )


def _covariances(detections: FloatArray) -> FloatArray:
    """Return R of detections: wide along the ray, narrow across, shape (k, 2, 2)."""
    angle = np.arctan2(detections[:, 1], detections[:, 0])
    frame = planar_rotation(angle)
    square = detections[:, 2:4] ** 2
    return (frame * square[:, None, :]) @ np.swapaxes(frame, -1, -2)
