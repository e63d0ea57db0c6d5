"""The field of the soccer robots, and what they tell each other.

x runs along the field towards the goal that is attacked (yellow posts), y to the left.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gelenk.typing import FloatArray
from gelenk.vision.camera import Intrinsics

Pixels: TypeAlias = NDArray[np.uint8]  # red, green, blue, shape (120, 160, 3)

HALF_LENGTH, HALF_WIDTH = 3.0, 2.0  # [m]
GOAL = 0.7  # half of its opening [m]
BOX_DEPTH, BOX_HALF = 0.8, 1.1  # area before a goal [m]
CIRCLE = 0.6  # radius of the circle in the middle [m]
POST_RADIUS, POST_HEIGHT = 0.05, 0.8  # [m]
BALL_RADIUS = 0.07  # [m]
YELLOW, BLUE = 0, 1  # kinds of posts: of the goal to attack, of our own
POSTS = {
    YELLOW: np.array([[HALF_LENGTH, GOAL], [HALF_LENGTH, -GOAL]]),
    BLUE: np.array([[-HALF_LENGTH, GOAL], [-HALF_LENGTH, -GOAL]]),
}
TEAM = ("one", "two")

CAMERA = Intrinsics.from_field_of_view(
    width=160, height=120, horizontal=float(np.radians(75.0))
)
EYE_HEIGHT = 0.5  # of the camera over the ground [m]


def _segments() -> FloatArray:
    """Return the straight lines by their ends, shape (n, 2, 2) [m]."""
    a, b = HALF_LENGTH, HALF_WIDTH
    corners = [[a, b], [-a, b], [-a, -b], [a, -b]]
    lines = [[corners[k], corners[(k + 1) % 4]] for k in range(4)]
    lines.append([[0.0, -b], [0.0, b]])
    for side in (-1.0, 1.0):
        x, inner = side * a, side * (a - BOX_DEPTH)
        lines += [
            [[x, BOX_HALF], [inner, BOX_HALF]],
            [[x, -BOX_HALF], [inner, -BOX_HALF]],
            [[inner, -BOX_HALF], [inner, BOX_HALF]],
        ]
    return np.array(lines)


SEGMENTS = _segments()


def nearest_lines(points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return how far beside the nearest line points lie, and across which direction.

    Args:
        points: On the field [m], shape (k, 2).

    Returns:
        Signed distances [m], shape (k,), and unit vectors that they grow along, (k, 2).

    Example:
        >>> off, across = nearest_lines(np.array([[0.1, 1.2], [0.0, 0.0]]))
        >>> print(off.round(3), across[0])
        [0.1 0. ] [1. 0.]
    """
    start, along = SEGMENTS[:, 0], SEGMENTS[:, 1] - SEGMENTS[:, 0]
    length = np.hypot(along[:, 0], along[:, 1])
    unit = along / length[:, None]
    gap = points[:, None] - start
    way = np.clip(np.einsum("kni,ni->kn", gap, unit), 0.0, length)
    away = gap - way[..., None] * unit
    size = np.hypot(away[..., 0], away[..., 1])
    best = size.argmin(axis=1)
    row = np.arange(len(points))
    normal = np.stack([-unit[:, 1], unit[:, 0]], axis=1)[best]
    gap = size[row, best][:, None]
    normal = np.where(gap > 1e-9, away[row, best] / np.maximum(gap, 1e-9), normal)
    reach = np.hypot(points[:, 0], points[:, 1])
    off_circle = reach - CIRCLE
    is_round = (np.abs(off_circle) < size[row, best]) & (reach > 1e-6)
    outwards = points / np.maximum(reach, 1e-6)[:, None]
    return (
        np.where(is_round, off_circle, size[row, best]),
        np.where(is_round[:, None], outwards, normal),
    )


def camera_in_robot(pan: float, tilt: float) -> FloatArray:
    """Return T_robot_camera of a head turned left by pan and down by tilt, (4, 4)."""
    c, s, down = np.cos(pan), np.sin(pan), np.sin(tilt)
    forward = np.array([c * np.cos(tilt), s * np.cos(tilt), -down])
    right = np.array([s, -c, 0.0])
    T = np.eye(4)
    T[:3, 0], T[:3, 1], T[:3, 2] = right, np.cross(forward, right), forward
    T[2, 3] = EYE_HEIGHT
    return T


def _rows(columns: int) -> FloatArray:
    return np.empty((0, columns))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BodyReading:
    """What a robot feels when its camera exposes.

    Attributes:
        number: Of the image.
        time: [s].
        odometry: Way summed from the legs (x [m], y [m], θ [rad]), shape (3,).
        pan: Head to the left [rad].
        tilt: Head down [rad].
    """

    number: int
    time: float = field(metadata={"unit": "s"})
    odometry: FloatArray
    pan: float = field(metadata={"unit": "rad"})
    tilt: float = field(metadata={"unit": "rad"})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sight:
    """What an image shows, in robot axes.

    Attributes:
        number: Of the image.
        balls: x, y, and standard deviations along and across the ray [m], (k, 4).
        posts: Kind, range [m], bearing [rad], sigma of the range [m], (k, 4).
        lines: Points of white lines, x and y [m], (k, 2).
    """

    number: int
    balls: FloatArray = field(
        default_factory=lambda: _rows(4), metadata={"shape": (None, 4)}
    )
    posts: FloatArray = field(
        default_factory=lambda: _rows(4), metadata={"shape": (None, 4)}
    )
    lines: FloatArray = field(
        default_factory=lambda: _rows(2), metadata={"shape": (None, 2)}
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Place:
    """Where a robot believes to be: mean (x, y, θ) and covariance [m], [rad]."""

    mean: FloatArray
    covariance: FloatArray = field(metadata={"shape": (3, 3)})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BallGuess:
    """Where a robot believes the ball to be, in its own axes.

    Attributes:
        is_known: Whether it has a track at all.
        position: [m], shape (2,).
        velocity: [m/s], shape (2,).
        age: Since the ball was seen [s].
        sigma: Of the position [m].
    """

    is_known: bool
    position: FloatArray
    velocity: FloatArray
    age: float
    sigma: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Call:
    """What one robot tells the other.

    Attributes:
        time: [s].
        pose: Its own, (x [m], y [m], θ [rad]).
        is_ball_known: Whether it has seen the ball lately.
        ball: On the field [m], shape (2,).
        cost: How far it has to the ball [m], about.
        is_striker: Whether it plays the ball.
    """

    time: float
    pose: FloatArray
    is_ball_known: bool
    ball: FloatArray
    cost: float
    is_striker: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Order:
    """What legs and head are told, and why.

    Attributes:
        twist: v_x, v_y [m/s], ω [rad/s] in robot axes, shape (3,).
        pan: Wanted head angle to the left [rad].
        tilt: Wanted head angle down [rad].
        kick: Whether to kick now.
        role: "striker" or "supporter".
        path: Active options with their states.
    """

    twist: FloatArray
    pan: float
    tilt: float
    kick: bool
    role: str
    path: str
