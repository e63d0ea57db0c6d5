"""Configurations: steps along velocities, differences, and batches for the kernels.

Without a floating base, configurations are added and subtracted plainly. With one, the
base orientation is a unit quaternion and `qd` has the base's angular velocity in world
axes: `nq = nv + 1`.
"""

from __future__ import annotations

import math

import numpy as np

from gelenk.checks import as_kernel_array
from gelenk.errors import ModelError, ShapeError
from gelenk.models.tree import RobotModel
from gelenk.spatial import quaternion
from gelenk.typing import ArrayLike, FloatArray


def integrate(
    model: RobotModel, q: ArrayLike, qd: ArrayLike, dt: ArrayLike
) -> FloatArray:
    """Return the configuration after moving with constant `qd` for a time `dt`.

    Args:
        model: Robot.
        q: Configuration, shape (..., nq).
        qd: Velocity, shape (..., nv).
        dt: Duration [s], shape (...).

    Returns:
        Shape (..., nq); the quaternion of a floating base has unit length, w >= 0.
    """
    q, qd = model.check_q("q", q), model.check_v("qd", qd)
    dt = np.asarray(dt, dtype=np.float64)
    step = dt[..., None] * qd
    if not model.has_floating_base:
        return q + step
    quat = quaternion.integrate(q[..., 3:7], qd[..., 3:6], dt)
    return _joined(q[..., :3] + step[..., :3], quat, q[..., 7:] + step[..., 6:])


def difference(model: RobotModel, q_end: ArrayLike, q_start: ArrayLike) -> FloatArray:
    """Return the constant velocity that leads from one configuration to another in 1 s.

    The inverse of `integrate`. Angles of hinges are not wrapped: a hinge at 2 pi has
    turned once.

    Args:
        model: Robot.
        q_end: Configuration, shape (..., nq).
        q_start: Configuration, shape (..., nq).

    Returns:
        Shape (..., nv).
    """
    q_end, q_start = model.check_q("q_end", q_end), model.check_q("q_start", q_start)
    if not model.has_floating_base:
        return q_end - q_start
    turn = quaternion.difference(q_end[..., 3:7], q_start[..., 3:7], frame="world")
    shift = q_end[..., :3] - q_start[..., :3]
    return _joined(shift, turn, q_end[..., 7:] - q_start[..., 7:])


def configuration_rate(model: RobotModel, q: ArrayLike, qd: ArrayLike) -> FloatArray:
    """Return dq/dt, the rate of the coordinates themselves, shape (..., nq).

    Args:
        model: Robot.
        q: Configuration, shape (..., nq).
        qd: Velocity, shape (..., nv).
    """
    q, qd = model.check_q("q", q), model.check_v("qd", qd)
    if not model.has_floating_base:
        return np.broadcast_to(qd, np.broadcast_shapes(q.shape, qd.shape)).copy()
    rate = quaternion.derivative(q[..., 3:7], qd[..., 3:6])
    return _joined(qd[..., :3], rate, qd[..., 6:])


def normalized(model: RobotModel, q: ArrayLike) -> FloatArray:
    """Return `q` with a base quaternion of unit length and w >= 0, shape (..., nq).

    Args:
        model: Robot.
        q: Configuration, shape (..., nq).
    """
    q = model.check_q("q", q)
    if not model.has_floating_base:
        return q
    quat = quaternion.canonical(quaternion.normalize(q[..., 3:7]))
    return _joined(q[..., :3], quat, q[..., 7:])


def _joined(*parts: FloatArray) -> FloatArray:
    batch = np.broadcast_shapes(*(part.shape[:-1] for part in parts))
    full = [np.broadcast_to(part, (*batch, part.shape[-1])) for part in parts]
    return np.concatenate(full, axis=-1)


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
