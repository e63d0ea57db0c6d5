"""From the coordinates a user gives to those of the tree with its loops cut open."""

from __future__ import annotations

import numpy as np

from gelenk.checks import as_kernel_array
from gelenk.errors import ShapeError
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray


def tree_coordinates(model: RobotModel, q: ArrayLike) -> FloatArray:
    """Return `q` as contiguous float64, with the passive joints of loops filled in.

    Args:
        model: Robot.
        q: Joint values [rad] or [m], shape (..., nq).

    Returns:
        Tree coordinates, shape (..., nq) without loops, else (..., nq + passive).

    Raises:
        ShapeError: If the last axis of `q` does not fit the robot.
        LoopError: If the robot has loops and cannot be assembled at `q`.
    """
    array = as_kernel_array(q)
    if array.ndim == 0 or array.shape[-1] != model.nq:
        raise ShapeError("q", expected=f"(..., {model.nq})", actual=np.shape(q))
    if not model.loops:
        return array
    from gelenk.kinematics.loops.close import closed_coordinates

    return closed_coordinates(model, array)
