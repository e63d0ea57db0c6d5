"""The closed form of two bones for many points: what is timed against descent."""

from __future__ import annotations

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.robots.amee.kinematics.closed import two_bone
from gelenk.typing import BoolArray, FloatArray


@kernel
def _two_bone_many(
    points: FloatArray, d1: float, d2: float, out: FloatArray, reachable: BoolArray
) -> None:
    """Write pitch and bend for each point, shapes (n, 2), (n, 2), (n,)."""
    for i in range(len(points)):
        out[i, 0], out[i, 1], reachable[i] = two_bone(
            points[i, 0], points[i, 1], d1, d2
        )


def two_bones(points: FloatArray, d1: float, d2: float) -> tuple[FloatArray, BoolArray]:
    """Return pitch and bend [rad] of two bones, shape (n, 2), and what is reachable.

    Args:
        points: In the plane of the leg [m], shape (n, 2).
        d1: Length of the first bone [m].
        d2: Length of the second bone [m].
    """
    flat = np.ascontiguousarray(points, dtype=np.float64)
    out = np.empty((len(flat), 2))
    reachable = np.empty(len(flat), dtype=np.bool_)
    _two_bone_many(flat, float(d1), float(d2), out, reachable)
    return out, reachable
