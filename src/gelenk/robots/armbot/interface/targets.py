"""What a move is asked for: targets from numbers, checked, and words about them."""

from __future__ import annotations

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.spatial.plane_angles import matrix_from_plane_angles
from gelenk.typing import FloatArray


def wrist_target(
    x: float,
    y: float,
    z: float,
    ang_xy: float | None,
    ang_xz: float | None,
    ang_yz: float | None,
) -> tuple[FloatArray, FloatArray | None]:
    """Return position [m] and rotation, None without any angle; others count as 0."""
    p = as_finite("position", (x, y, z), (3,))
    if ang_xy is None and ang_xz is None and ang_yz is None:
        return p, None
    angles = as_finite("angles", (ang_xy or 0.0, ang_xz or 0.0, ang_yz or 0.0), (3,))
    return p, matrix_from_plane_angles(angles, order="reverse")


def point_in_words(p: FloatArray) -> str:
    """Return a point for messages."""
    return f"the point ({p[0]:.3f}, {p[1]:.3f}, {p[2]:.3f}) m"


def switched_off(which: str, skill: str) -> str:
    """Return what to do about kinematics that a skill has switched off."""
    return (
        f"there is no {which} kinematics: the skill {skill} is off; install an own "
        f"object as manipulator.{which}_kinematics, or switch it on with -skills "
        f"+{skill}"
    )


def check_kind(name: str, own: object, kind: type) -> None:
    """Raise ConfigError unless an own object is derived from its base class."""
    if not isinstance(own, kind):
        raise ConfigError(
            f"manipulator.{name} must be derived from {kind.__name__}, got {own!r}"
        )


def check_velocity(velocity: float) -> None:
    """Raise ConfigError unless a speed is above 0."""
    if not (np.isfinite(velocity) and velocity > 0.0):
        raise ConfigError(f"`velocity` must be above 0 m/s, got {velocity}")
