"""Batches of states as contiguous rows, for functions of open trees."""

from __future__ import annotations

import math

import numpy as np

from gelenk.core.errors import ModelError, ShapeError
from gelenk.core.model.tree import RobotModel
from gelenk.core.typing import ArrayLike, FloatArray


def open_tree_rows(
    model: RobotModel, q: ArrayLike, **velocities: ArrayLike
) -> tuple[tuple[int, ...], FloatArray, list[FloatArray]]:
    """Return the common batch shape, `q` and each velocity as rows.

    Args:
        model: Robot without loops.
        q: Configurations, shape (..., nq).
        velocities: Arrays of shape (..., nv), by the name that errors should use.

    Returns:
        Batch shape, rows of q of shape (count, nq), rows of each velocity (count, nv).

    Raises:
        ShapeError: If an array does not fit the robot or the batch axes differ.
        ModelError: If the robot has loops.
    """
    require_open_tree(model)
    q = model.check_q("q", q)
    others = [model.check_v(name, value) for name, value in velocities.items()]
    try:
        batch = np.broadcast_shapes(*(a.shape[:-1] for a in (q, *others)))
    except ValueError:
        names = ", ".join(f"`{name}` {np.shape(v)}" for name, v in velocities.items())
        raise ShapeError(
            "q", expected=f"(..., {model.nq}) with the batch of {names}", actual=q.shape
        ) from None
    return batch, _rows(q, batch), [_rows(a, batch) for a in others]


def require_open_tree(model: RobotModel) -> None:
    """Raise ModelError if the robot has loops."""
    if model.loops:
        names = ", ".join(loop.name for loop in model.loops)
        raise ModelError(
            f"robot {model.name!r} has loops ({names}), and this function is for open "
            "trees; use those of closed mechanisms"
        )


def _rows(array: FloatArray, batch: tuple[int, ...]) -> FloatArray:
    # Writable, since kernels are compiled anew for read-only arrays.
    full = np.broadcast_to(array, (*batch, array.shape[-1]))
    count = math.prod(batch)
    return np.require(full, requirements=["C", "W"]).reshape(count, array.shape[-1])
