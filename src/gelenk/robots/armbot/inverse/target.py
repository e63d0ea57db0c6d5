"""What an inverse kinematics is asked for, and what is still missing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.spatial import so3
from gelenk.spatial.se3 import is_pose
from gelenk.typing import ArrayLike, FloatArray

ROTATION_TOLERANCE = 1e-4  # [rad]; that of the position is `config.IK_TOLERANCE`
FINE = 1e-9  # [m] and [rad]: what counts as rounding


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """A wanted position, or pose, of the mount in the body frame.

    Attributes:
        p: [m], shape (3,).
        R: Shape (3, 3); None if only the position counts.
    """

    p: FloatArray
    R: FloatArray | None

    def error(self, T: FloatArray) -> FloatArray:
        """Return what is missing, body axes, shape (3,) or [d; rotation vector]."""
        d = self.p - T[:3, 3]
        if self.R is None:
            return d
        return np.concatenate([d, so3.log(self.R @ T[:3, :3].T)])


def checked_start(q_start: ArrayLike, limits: FloatArray) -> FloatArray:
    """Return finite joint values within the limits, as a fresh array."""
    return np.clip(as_finite("q_start", q_start, (limits.shape[1],)), *limits)


def checked_pose(T: ArrayLike) -> FloatArray:
    """Return a pose, shape (4, 4).

    Raises:
        ConfigError: If it is none.
    """
    pose = as_finite("T_body_mount", T, (4, 4))
    if not is_pose(pose):
        raise ConfigError("`T_body_mount` must be a pose with an orthonormal rotation")
    return pose


def error_sizes(error: FloatArray | None) -> tuple[float, float]:
    """Return distance [m] and angle [rad] of an error; infinite if there is none."""
    if error is None:
        return np.inf, np.inf
    angle = float(np.linalg.norm(error[3:])) if len(error) == 6 else 0.0
    return float(np.linalg.norm(error[:3])), angle
