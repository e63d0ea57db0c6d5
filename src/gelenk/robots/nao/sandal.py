"""The chessboard sandal: a plate under the foot that shows a board to the robot's eyes.

All coordinates are in the frame of the sole: origin below the ankle, x forward, y left,
z up; the print lies in z = 0. Four pegs go into the recesses of the foot's sensors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from gelenk.spatial.so3 import rot_x, rot_y, rot_z
from gelenk.typing import ArrayLike, FloatArray

ROWS, COLUMNS = 4, 6  # inner corners, far to near and left to right
TILES = (5, 7)  # tiles along x and along y; those at the corners are dark
TILE = 0.025  # [m]
CENTRE = 0.170  # [m], of the pattern ahead of the ankle
NUM_CORNERS = ROWS * COLUMNS

# (x, y) of the foot's force sensors [m]: front left and right, rear left and right.
PEGS = {
    "left": (
        (0.07025, 0.0299),
        (0.07025, -0.0231),
        (-0.03025, 0.0299),
        (-0.02965, -0.0191),
    ),
    "right": (
        (0.07025, 0.0231),
        (0.07025, -0.0299),
        (-0.03025, 0.0191),
        (-0.02965, -0.0299),
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SandalCfg:
    """The plate.

    Attributes:
        border: Light margin around the pattern [m].
        thickness: Of the plate, below the sole [m].
        area_density: Of 3 mm aluminium composite [kg/m^2].
        tongue: Ends of the part under the foot along x, and its width [m].
        extra_mass: Pegs and straps [kg].
    """

    border: float = 0.005
    thickness: float = 0.003
    area_density: float = 3.8
    tongue: tuple[float, float, float] = (-0.045, 0.1025, 0.065)
    extra_mass: float = 0.02


def corners() -> FloatArray:
    """Return the inner corners in the sole's frame [m], shape (24, 3).

    Index 6 r + c: row r from far to near, column c from left to right.
    """
    r, c = np.divmod(np.arange(NUM_CORNERS), COLUMNS)
    x = CENTRE + TILE * ((ROWS - 1) / 2.0 - r)
    y = TILE * ((COLUMNS - 1) / 2.0 - c)
    return np.stack([x, y, np.zeros(NUM_CORNERS)], axis=1)


def mounting(board: ArrayLike, tilt: ArrayLike = (0.0, 0.0)) -> FloatArray:
    """Return where a sandal sits on its sole, `T_sole_sandal`, shape (4, 4).

    Trans(x, y) Rot_z(rot_z) Rot_y(pitch) Rot_x(roll), all about the sole's origin.

    Args:
        board: rot_z [rad], x [m], y [m].
        tilt: Pitch and roll [rad].
    """
    rot, x, y = np.asarray(board, dtype=np.float64)
    pitch, roll = np.asarray(tilt, dtype=np.float64)
    T = np.eye(4)
    T[:3, :3] = rot_z(rot) @ rot_y(pitch) @ rot_x(roll)
    T[:2, 3] = x, y
    return T


def board_pose() -> FloatArray:
    """Return the printed board in the sandal's frame: x right, y far, z up, (4, 4)."""
    T = np.eye(4)
    T[:3, :3] = [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    T[0, 3] = CENTRE
    return T


Box: TypeAlias = tuple[tuple[float, float, float], tuple[float, float, float]]
"""Centre and full edge lengths [m]."""


def plate_boxes(cfg: SandalCfg) -> tuple[Box, Box]:
    """Return the plate with the board and the tongue under the foot, below z = 0."""
    deep = -cfg.thickness / 2.0
    length, width = (TILE * count + 2.0 * cfg.border for count in TILES)
    back, front, tongue = cfg.tongue
    return (
        ((CENTRE, 0.0, deep), (length, width, cfg.thickness)),
        (
            ((back + front) / 2.0, 0.0, deep),
            (front - back, tongue, cfg.thickness),
        ),
    )


def inertial(cfg: SandalCfg) -> tuple[float, FloatArray, FloatArray]:
    """Return mass [kg], centre [m] and inertia about it [kg m^2] of a sandal.

    Pegs and straps are spread over the tongue.
    """
    masses, centres, moments = [], [], []
    extra = (0.0, cfg.extra_mass)
    for (centre, size), more in zip(plate_boxes(cfg), extra, strict=True):
        mass = cfg.area_density * size[0] * size[1] + more
        square = np.square(size)
        masses.append(mass)
        centres.append(np.array(centre))
        moments.append(np.diag(mass / 12.0 * (square.sum() - square)))
    total = float(np.sum(masses))
    com = np.average(centres, axis=0, weights=masses)
    inertia = np.zeros((3, 3))
    for mass, centre, moment in zip(masses, centres, moments, strict=True):
        d = centre - com
        inertia += moment + mass * ((d @ d) * np.eye(3) - np.outer(d, d))
    return total, com, inertia
