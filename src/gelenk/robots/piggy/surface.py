"""The workspace surface inside kernels: distance, nearest pose, normal, tangents.

The sphere's centre moves on the outer sheet of a torus about the roll axis,

    (sqrt(x^2 + z^2) - o)^2 + y^2 = l^2

in coordinates of the roll frame's origin with the world's axes.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from gelenk.kernels.compile import kernel
from gelenk.robots.piggy.config import UnitCfg
from gelenk.typing import Vec2, Vec3


class UnitParams(NamedTuple):
    """What the kernels need of a `UnitCfg`."""

    origin: tuple[float, float, float]
    bat_length: float
    axis_offset: float
    valid_angle: float


def unit_params(cfg: UnitCfg) -> UnitParams:
    """Return a configuration as the kernels take it."""
    x, y, z = (float(a) for a in cfg.origin)
    lengths = float(cfg.bat_length), float(cfg.axis_offset)
    return UnitParams((x, y, z), *lengths, float(cfg.valid_angle))


@kernel
def height_of(p: Vec3, unit: UnitParams) -> tuple[float, Vec3]:
    """Return the signed distance of a point from the surface and its gradient.

    The gradient is the normal in the nearest point of the surface.
    """
    x = p[0] - unit.origin[0]
    y = p[1] - unit.origin[1]
    z = p[2] - unit.origin[2]
    rho = math.sqrt(x * x + z * z)
    radial = rho - unit.axis_offset
    d = math.sqrt(radial * radial + y * y)
    if d < 1e-12 or rho < 1e-12:
        return -unit.bat_length, (0.0, 0.0, 1.0)
    s = radial / (d * rho)
    return d - unit.bat_length, (x * s, y / d, z * s)


@kernel
def pose_near(p: Vec3, unit: UnitParams) -> Vec2:
    """Return roll and tilt of the nearest pose."""
    x = p[0] - unit.origin[0]
    y = p[1] - unit.origin[1]
    z = p[2] - unit.origin[2]
    radial = math.sqrt(x * x + z * z) - unit.axis_offset
    return math.atan2(x, z), -math.atan2(y, radial)


@kernel
def is_valid_pose(q: Vec2, unit: UnitParams) -> bool:
    """Return whether motion may use a pose."""
    return abs(q[0]) <= unit.valid_angle and abs(q[1]) <= unit.valid_angle


@kernel
def bat_centre(q: Vec2, unit: UnitParams) -> Vec3:
    """Return the sphere's centre in the world."""
    reach = unit.bat_length * math.cos(q[1]) + unit.axis_offset
    return (
        unit.origin[0] + math.sin(q[0]) * reach,
        unit.origin[1] - unit.bat_length * math.sin(q[1]),
        unit.origin[2] + math.cos(q[0]) * reach,
    )


@kernel
def tangents(q: Vec2, unit: UnitParams) -> tuple[Vec3, Vec3, Vec3]:
    """Return the columns of the Jacobian and the normal."""
    sr, cr, st, ct = math.sin(q[0]), math.cos(q[0]), math.sin(q[1]), math.cos(q[1])
    length = unit.bat_length
    reach = length * ct + unit.axis_offset
    return (
        (cr * reach, 0.0, -sr * reach),
        (-sr * st * length, -ct * length, -cr * st * length),
        (sr * ct, -st, cr * ct),
    )
