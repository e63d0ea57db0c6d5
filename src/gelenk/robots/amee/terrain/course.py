"""Where a course lies, and what all terrains are made of.

The robot starts at the origin, looking along x, on level ground at height 0. The course
begins in front of its toes and is as wide as it may stray.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.errors import ConfigError
from gelenk.sim.fixed_objects import Box, Ground
from gelenk.sim.surface import Rgba, Vec3
from gelenk.sim.world import Addable
from gelenk.spatial.quaternion import quaternion_from_matrix
from gelenk.spatial.so3 import rot_x, rot_y, rot_z
from gelenk.typing import FloatArray

COURSE_START = 0.55  # [m], from the torso's centre: toes stand at 0.43
RUN_OUT = 2.0  # [m], level ground behind the course
STONE: Rgba = (0.52, 0.50, 0.47, 1.0)
SLAB: Rgba = (0.66, 0.65, 0.62, 1.0)
EARTH: Rgba = (0.42, 0.36, 0.28, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """Place of a course.

    Attributes:
        length: Along x, from `COURSE_START` [m].
        width: Across [m].
    """

    length: float = 6.0
    width: float = 1.6

    def __post_init__(self) -> None:
        if not (self.length > 0.0 and self.width >= 1.0):
            raise ConfigError(
                "a course needs a length above 0 m and a width of 1 m or more, got "
                f"{self.length} m and {self.width} m"
            )

    @property
    def end(self) -> float:
        """Where it ends along x [m]."""
        return COURSE_START + self.length


def ground(height: float = 0.0) -> Ground:
    """Return the plane below everything."""
    return Ground(position=(0.0, 0.0, height), condim=3)


def slab(
    name: str, x: tuple[float, float], y: tuple[float, float], z: tuple[float, float]
) -> Box:
    """Return a level block between two x, two y and two z [m]."""
    return Box(
        name=name,
        size=(x[1] - x[0], y[1] - y[0], z[1] - z[0]),
        position=(0.5 * sum(x), 0.5 * sum(y), 0.5 * sum(z)),
        condim=3,
        rgba=SLAB,
    )


def tilted_box(
    name: str,
    *,
    size: Vec3,
    top: Vec3,
    turn: tuple[float, float, float],
    rgba: Rgba = STONE,
) -> Box:
    """Return a box whose middle of the top face lies in a point.

    Args:
        name: Of the box.
        size: Edges [m].
        top: Middle of the top face [m].
        turn: Roll, pitch, yaw [rad].
        rgba: Colour.
    """
    R = turned(turn)
    centre = np.array(top) - R[:, 2] * (0.5 * size[2])
    return Box(
        name=name,
        size=size,
        position=tuple(centre.tolist()),
        quat=tuple(quaternion_from_matrix(R).tolist()),
        condim=3,
        rgba=rgba,
    )


def turned(turn: tuple[float, float, float]) -> FloatArray:
    """Return the rotation of roll, pitch and yaw [rad], (3, 3)."""
    roll, pitch, yaw = turn
    return rot_z(yaw) @ rot_y(pitch) @ rot_x(roll)


def platforms(
    course: Course, depth: float, *, end: float | None = None
) -> list[Addable]:
    """Return level ground at height 0 before and behind a course that lies deeper.

    Args:
        course: Its place.
        depth: Of the plane below [m].
        end: Where it ends along x [m]; by default where the course does.
    """
    end = course.end if end is None else end
    half = 0.5 * course.width + 0.6
    return [
        ground(-depth),
        slab("start", (-2.0, COURSE_START), (-half, half), (-depth, 0.0)),
        slab("finish", (end, end + RUN_OUT), (-half, half), (-depth, 0.0)),
    ]
