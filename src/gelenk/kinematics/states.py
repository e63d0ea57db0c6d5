"""Batches of states as contiguous rows, the form in which kernels read them."""

from __future__ import annotations

import math

import numpy as np

from gelenk.checks import as_kernel_array
from gelenk.errors import ModelError, ShapeError
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray


def as_states(
    model: RobotModel, *, q: ArrayLike, **velocities: ArrayLike
) -> tuple[tuple[int, ...], list[FloatArray]]:
    """Return the common batch shape, and `q` and each velocity as rows.

    Args:
        model: Robot.
        q: Configurations, shape (..., nq).
        velocities: Arrays of shape (..., nv), by the name that errors should use.

    Returns:
        Batch shape, and rows of shape (count, nq) or (count, nv) in the order given.

    Raises:
        ShapeError: If an array does not fit the robot or the batch axes differ.
    """
    arrays = [model.check_q("q", q)]
    arrays += [model.check_v(name, value) for name, value in velocities.items()]
    try:
        batch = np.broadcast_shapes(*(array.shape[:-1] for array in arrays))
    except ValueError:
        names = ", ".join(f"`{name}` {np.shape(v)}" for name, v in velocities.items())
        raise ShapeError(
            "q",
            expected=f"(..., {model.nq}) with the batch of {names}",
            actual=arrays[0].shape,
        ) from None
    count = math.prod(batch)
    return batch, [
        as_kernel_array(np.broadcast_to(array, (*batch, array.shape[-1]))).reshape(
            count, array.shape[-1]
        )
        for array in arrays
    ]


def open_tree_rows(
    model: RobotModel, q: ArrayLike, **velocities: ArrayLike
) -> tuple[tuple[int, ...], FloatArray, list[FloatArray]]:
    """Return what `as_states` returns, for robots without loops only.

    Raises:
        ShapeError: If an array does not fit the robot or the batch axes differ.
        ModelError: If the robot has loops.
    """
    require_open_tree(model)
    batch, (rows, *others) = as_states(model, q=q, **velocities)
    return batch, rows, others


def require_open_tree(model: RobotModel) -> None:
    """Raise ModelError if the robot has loops."""
    if model.loops:
        names = ", ".join(loop.name for loop in model.loops)
        raise ModelError(
            f"robot {model.name!r} has loops ({names}), and this function is for open "
            "trees; use those of closed mechanisms"
        )
