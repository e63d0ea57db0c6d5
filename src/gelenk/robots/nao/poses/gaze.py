"""Where the head must turn so that the lower camera looks at a point."""

from __future__ import annotations

import numpy as np

from gelenk.checks import as_array
from gelenk.robots.nao import sandal
from gelenk.robots.nao.robot import LOWER_CAMERA, LOWER_CAMERA_TILT, NECK_HEIGHT
from gelenk.typing import ArrayLike, FloatArray

# What the head looks at in each leg pose, sole's frame [m]: the middle of the board, 3
# cm left and 4 cm nearer, 3 cm right and 4 cm nearer (Kastner 2014, 4.3).
TARGETS: FloatArray = np.array(
    [
        [sandal.CENTRE, 0.0, 0.0],
        [sandal.CENTRE - 0.04, 0.03, 0.0],
        [sandal.CENTRE - 0.04, -0.03, 0.0],
    ]
)
TARGETS.setflags(write=False)

# Distance of the head joints from the optical axis, which passes above them [m].
_AXIS_OFFSET = LOWER_CAMERA[0] * np.sin(LOWER_CAMERA_TILT) + LOWER_CAMERA[2] * np.cos(
    LOWER_CAMERA_TILT
)


def gaze(p_torso: ArrayLike) -> FloatArray:
    """Return HeadYaw and HeadPitch that put a point onto the optical axis.

    In the plane of the head's yaw the axis passes the neck at a fixed distance k, so
    that pitch = (angle of the point below the horizon) - tilt + asin(k / distance).

    Args:
        p_torso: Points in the torso's frame [m], shape (..., 3).

    Returns:
        Yaw and pitch [rad], NAO's signs, not clipped, shape (..., 2); NaN for points
        nearer to the neck than the axis passes.

    Example:
        >>> import numpy as np
        >>> ahead_at_the_height_of_the_neck = [1e9, 0.0, 0.2115]
        >>> print(np.rad2deg(gaze(ahead_at_the_height_of_the_neck)).round(4))
        [  0.  -39.7]
    """
    p = as_array("p_torso", p_torso, (3,))
    across = np.hypot(p[..., 0], p[..., 1])
    up = p[..., 2] - NECK_HEIGHT
    with np.errstate(invalid="ignore", divide="ignore"):
        lift = np.arcsin(_AXIS_OFFSET / np.hypot(across, up))
    pitch = np.arctan2(-up, across) - LOWER_CAMERA_TILT + lift
    return np.stack([np.arctan2(p[..., 1], p[..., 0]), pitch], axis=-1)
