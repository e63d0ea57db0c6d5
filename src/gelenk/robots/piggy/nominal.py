"""What drawings, data sheets and the rules for throwers say, before any measurement.

"Hammer" is T. Hammer's thesis of 2011; "chosen" means that no source states it.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from gelenk.dynamics.flight import simulate_flight
from gelenk.estimation.ball_tracks import ThrowPrior, learn_throw_prior
from gelenk.robots.piggy import robot as unit
from gelenk.typing import FloatArray
from gelenk.vision.camera import Intrinsics

# -- cameras (Hammer §3.3.3) -----------------------------------------------------------

NOMINAL_LENS = Intrinsics.from_field_of_view(
    width=780, height=580, horizontal=math.radians(57.0)
)
BASELINE = 0.52  # [m]
CAMERA_PITCH = math.radians(35.0)  # [rad], upwards
CAMERA_INWARD = math.radians(10.0)  # [rad], each towards the other; chosen
CAMERA_MIDDLE = (unit.ROLL_ORIGIN[0], -0.41, 0.75)  # [m], on the rear edge; chosen

# -- servos (Hammer §3.3.2, §5.3) ------------------------------------------------------

SERVO_MIDDLE = 2047.5  # [count], of 0 to 4095
SERVO_STEP = math.radians(251.0 / 4095.0)  # [rad/count]
NOMINAL_GAP = math.radians(3.0)  # [rad], half of the play

# -- throws (distances Hammer §5.5; the rest chosen) -----------------------------------

AIM = (-0.305, -0.23, 1.70)  # [m]
SLICE = 0.06  # [s] between slices of the prior
SLICES = 18
THROWS = 400  # enough that the prior no longer depends on the draw
NOMINAL_LIFT = 0.04  # [1/s], spin of 5 rad/s times 0.0079
INFLATION = 1.4  # of standard deviations: nobody has seen these throwers yet


def nominal_camera_poses() -> tuple[FloatArray, FloatArray]:
    """Return T_world_camera of the left and the right camera, each (4, 4)."""
    left, right = (_pose(side) for side in (-1.0, 1.0))
    return left, right


def _pose(side: float) -> FloatArray:
    yaw = side * CAMERA_INWARD  # about z: the left camera looks to the right
    level = math.cos(CAMERA_PITCH)
    forward = np.array(
        [-math.sin(yaw) * level, math.cos(yaw) * level, math.sin(CAMERA_PITCH)]
    )
    right = np.array([math.cos(yaw), math.sin(yaw), 0.0])
    T = np.eye(4)
    T[:3, :3] = np.column_stack([right, np.cross(forward, right), forward])
    T[:3, 3] = CAMERA_MIDDLE
    T[0, 3] += side * BASELINE / 2.0
    return T


@cache
def nominal_throw_prior() -> ThrowPrior:
    """Return the prior of throws as people are asked to throw.

    From 5 to 6 m, 1.4 to 1.9 m high, within 10 degrees of straight ahead, 0.65 to
    1.05 s of flight, aimed with 0.2 m of scatter above the roll axis.
    """
    rng = np.random.default_rng(0)
    distance, azimuth = rng.uniform(5.0, 6.0, THROWS), rng.uniform(-1, 1, THROWS)
    azimuth = math.radians(10.0) * azimuth
    aim = np.array(AIM)
    start = np.column_stack(
        [
            aim[0] + distance * np.sin(azimuth),
            aim[1] + distance * np.cos(azimuth),
            rng.uniform(1.4, 1.9, THROWS),
        ]
    )
    target = aim + 0.2 * rng.normal(size=(THROWS, 3)) * [1.0, 0.0, 1.0]
    duration = rng.uniform(0.65, 1.05, THROWS)[:, None]
    velocity = (target - start) / duration + duration * [0.0, 0.0, 4.905]
    for _ in range(6):  # people allow for gravity and drag: a few rounds do
        ends = [
            simulate_flight(np.concatenate([p, v]), t)[0, :3]
            for p, v, t in zip(start, velocity, duration, strict=True)
        ]
        velocity = velocity + (target - np.array(ends)) / duration
    paths = simulate_flight(
        np.concatenate([start, velocity], axis=1), SLICE * np.arange(SLICES)
    )
    is_over = SLICE * np.arange(SLICES) > duration
    paths[is_over] = np.nan
    return learn_throw_prior(paths, inflation=INFLATION)
