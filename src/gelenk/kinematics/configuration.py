"""Configurations: steps along velocities, differences, and batches for the kernels.

Values of hinges and slides are added and subtracted plainly. The orientation of a
floating base is a unit quaternion and `qd` has its angular velocity in world axes; that
of a ball joint likewise, in axes of its link.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from gelenk.checks import as_kernel_array
from gelenk.errors import ModelError, ShapeError
from gelenk.models.tree import RobotModel
from gelenk.spatial import quaternion
from gelenk.spatial.quaternion import RateFrame
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
        Shape (..., nq); quaternions have unit length, w >= 0.
    """
    q, qd = model.check_q("q", q), model.check_v("qd", qd)
    dt = np.asarray(dt, dtype=np.float64)
    step = dt[..., None] * qd

    def turned(rows: slice, rates: slice, frame: RateFrame) -> FloatArray:
        return quaternion.integrate(q[..., rows], qd[..., rates], dt, frame=frame)

    return _by_parts(model, turned, lambda rows, rates: q[..., rows] + step[..., rates])


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

    def turn(rows: slice, _: slice, frame: RateFrame) -> FloatArray:
        return quaternion.difference(q_end[..., rows], q_start[..., rows], frame=frame)

    return _by_parts(model, turn, lambda rows, _: q_end[..., rows] - q_start[..., rows])


def configuration_rate(model: RobotModel, q: ArrayLike, qd: ArrayLike) -> FloatArray:
    """Return dq/dt, the rate of the coordinates themselves, shape (..., nq).

    Args:
        model: Robot.
        q: Configuration, shape (..., nq).
        qd: Velocity, shape (..., nv).
    """
    q, qd = model.check_q("q", q), model.check_v("qd", qd)
    batch = np.broadcast_shapes(q.shape[:-1], qd.shape[:-1])
    qd = np.broadcast_to(qd, (*batch, model.nv))

    def rate(rows: slice, rates: slice, frame: RateFrame) -> FloatArray:
        return quaternion.derivative(q[..., rows], qd[..., rates], frame=frame)

    return _by_parts(model, rate, lambda _, rates: qd[..., rates].copy())


def normalized(model: RobotModel, q: ArrayLike) -> FloatArray:
    """Return `q` with quaternions of unit length and w >= 0, shape (..., nq).

    Args:
        model: Robot.
        q: Configuration, shape (..., nq).
    """
    q = model.check_q("q", q)

    def unit(rows: slice, *_: object) -> FloatArray:
        return quaternion.canonical(quaternion.normalize(q[..., rows]))

    return _by_parts(model, unit, lambda rows, _: q[..., rows])


def _by_parts(
    model: RobotModel,
    of_quaternion: Callable[[slice, slice, RateFrame], FloatArray],
    of_values: Callable[[slice, slice], FloatArray],
) -> FloatArray:
    """Return the joined results over runs of plain values and over quaternions."""
    if model.compiled.num_quaternions == 0:
        return of_values(slice(None), slice(None))
    starts: list[tuple[int, int, RateFrame]] = []
    if model.has_floating_base:
        starts.append((3, 3, "world"))
    starts.extend(
        (int(model.q_starts[i]), int(model.v_starts[i]), "body")
        for i in model.ball_joints
    )
    parts: list[FloatArray] = []
    row = rate = 0
    for first, first_rate, frame in starts:
        parts.append(of_values(slice(row, first), slice(rate, first_rate)))
        row, rate = first + 4, first_rate + 3
        parts.append(of_quaternion(slice(first, row), slice(first_rate, rate), frame))
    parts.append(of_values(slice(row, None), slice(rate, None)))
    return _joined(*parts)


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


def require_scalar_joints(model: RobotModel) -> None:
    """Raise ModelError if the robot has ball joints."""
    if model.ball_joints:
        names = ", ".join(model.joint_names[i] for i in model.ball_joints)
        raise ModelError(
            f"robot {model.name!r} has ball joints ({names}), and this function is for "
            "hinges and slides; replace them by hinges with `with_hinges`"
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
