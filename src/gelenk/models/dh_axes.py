"""Denavit-Hartenberg frames and rows from the axes of a robot's joints.

The placement algorithm of Damken 2023 §3.1.3, steps 1 to 7, with a choice for every
case that it leaves open.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ModelError, ShapeError
from gelenk.models.assembler import GRAVITY
from gelenk.models.dh import DhKind, DhRow, as_kinds, model_from_dh
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray

PARALLEL_TOL = 1.5e-8
"""Sine of the angle below which two axes count as parallel.

Square root of the rounding unit: taken as skew, the foot of their common normal would
lie this many digits away; taken as parallel, their directions are off by no more.
"""
MEETING_TOL = 1e-10  # [m]; axes nearer than this meet


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DhTable:
    """Standard rows of a chain with what rows cannot express.

    Attributes:
        rows: One row per joint.
        T_base_first: Pose of S_0 in the base, shape (4, 4).
        T_last_tool: Pose of the tool in S_n, shape (4, 4).
    """

    rows: tuple[DhRow, ...]
    T_base_first: FloatArray
    T_last_tool: FloatArray


def dh_rows_from_axes(
    points: ArrayLike, directions: ArrayLike, kinds: str, T_tool: ArrayLike
) -> DhTable:
    """Return standard Denavit-Hartenberg rows for joint axes given at joint values 0.

    z_{i-1} is axis i. The origin of S_i is where axis i + 1 meets the common normal of
    both axes, or joint i + 1 if they are parallel; x_i runs along that normal away from
    axis i. For axes that meet, x_i is the perpendicular to both that turns x_{i-1}
    least; for axes in one line x_i = x_{i-1}. S_n takes the direction of S_{n-1} and
    the height of the tool; what remains is `T_last_tool`.

    Args:
        points: A point on each axis [m], base frame, shape (n, 3). Where neighbouring
            axes are parallel, it is the place of the joint.
        directions: Positive sense of each axis, any length but 0, shape (n, 3).
        kinds: One letter "R" or "P" per axis.
        T_tool: Pose of the tool in the base, shape (4, 4).

    Raises:
        ModelError: If an axis has no direction or a kind is unknown.

    Example:
        >>> import numpy as np
        >>> from gelenk.models import dh_rows_from_axes
        >>> table = dh_rows_from_axes(
        ...     [(0, 0, 0), (0, 0, 0.4)], [(0, 0, 1), (0, 1, 0)], "RR", np.eye(4)
        ... )
        >>> [(row.theta, row.d, row.a, round(row.alpha, 6)) for row in table.rows]
        [(0.0, 0.4, 0.0, -1.570796), (0.0, 0.0, 0.0, 0.0)]
    """
    points = as_finite("points", points, (3,))
    if points.ndim != 2 or not len(points):
        raise ShapeError("points", expected="(n, 3)", actual=points.shape)
    letters = as_kinds(kinds, len(points))
    axes = _unit_axes(directions, len(points))
    T_tool = as_finite("T_tool", T_tool, (4, 4))

    frames = [_first_frame(points[0], axes[0])]
    for point, z in zip(points[1:], axes[1:], strict=True):
        frames.append(_next_frame(frames[-1], point, z))
    last = frames[-1].copy()
    last[:3, 3] += ((T_tool[:3, 3] - last[:3, 3]) @ last[:3, 2]) * last[:3, 2]
    frames.append(last)

    rows = tuple(
        _row_between(before, here, kind)
        for before, here, kind in zip(frames[:-1], frames[1:], letters, strict=True)
    )
    T_last_base = np.linalg.inv(last)
    return DhTable(rows=rows, T_base_first=frames[0], T_last_tool=T_last_base @ T_tool)


def model_from_axes(
    points: ArrayLike,
    directions: ArrayLike,
    kinds: str,
    T_tool: ArrayLike,
    *,
    name: str = "axes_chain",
    gravity: ArrayLike = GRAVITY,
) -> RobotModel:
    """Return the robot with the given joint axes; see `dh_rows_from_axes`."""
    table = dh_rows_from_axes(points, directions, kinds, T_tool)
    return model_from_dh(
        table.rows,
        name=name,
        T_base=table.T_base_first,
        T_tool=table.T_last_tool,
        gravity=gravity,
    )


def _first_frame(point: FloatArray, z: FloatArray) -> FloatArray:
    """Return S_0: on the axis next to the base origin, x as near to the base's."""
    x = _without(np.array([1.0, 0.0, 0.0]), z)
    if x @ x < 1e-6:  # the axis runs along the base's x
        x = _without(np.array([0.0, 1.0, 0.0]), z)
    return _frame(x, z, _without(point, z))


def _next_frame(before: FloatArray, point: FloatArray, z: FloatArray) -> FloatArray:
    """Return S_i, given S_{i-1} and the axis of joint i + 1."""
    x_before, z_before, origin = before[:3, 0], before[:3, 2], before[:3, 3]
    normal = np.cross(z_before, z)
    sine = float(np.linalg.norm(normal))
    if sine < PARALLEL_TOL:
        across = _without(point - origin, z)
        is_apart = np.linalg.norm(across) > MEETING_TOL
        return _frame(across if is_apart else x_before, z, point)
    normal /= sine
    # Foot of the common normal on the new axis: solve s z_before - t z + k normal = w.
    w = point - origin
    t = float(np.cross(w, z_before) @ normal) / sine
    foot = point + t * z
    gap = float(w @ normal)
    if abs(gap) > MEETING_TOL:
        return _frame(normal * np.sign(gap), z, foot)
    return _frame(normal if normal @ x_before >= 0.0 else -normal, z, foot)


def _row_between(before: FloatArray, here: FloatArray, kind: DhKind) -> DhRow:
    """Return the parameters that take S_{i-1} to S_i."""
    x_before, z_before = before[:3, 0], before[:3, 2]
    x, z = here[:3, 0], here[:3, 2]
    shift = here[:3, 3] - before[:3, 3]
    return DhRow(
        theta=float(np.arctan2(z_before @ np.cross(x_before, x), x_before @ x)),
        d=float(shift @ z_before),
        a=float(shift @ x),
        alpha=float(np.arctan2(x @ np.cross(z_before, z), z_before @ z)),
        kind=kind,
    )


def _frame(x: FloatArray, z: FloatArray, origin: FloatArray) -> FloatArray:
    x = x / np.linalg.norm(x)
    T = np.eye(4)
    T[:3, 0], T[:3, 1], T[:3, 2], T[:3, 3] = x, np.cross(z, x), z, origin
    return T


def _without(vector: FloatArray, direction: FloatArray) -> FloatArray:
    """Return the part of a vector perpendicular to a unit direction."""
    return vector - (vector @ direction) * direction


def _unit_axes(directions: ArrayLike, count: int) -> FloatArray:
    axes = as_finite("directions", directions, (3,))
    if axes.shape != (count, 3):
        raise ShapeError("directions", expected=f"({count}, 3)", actual=axes.shape)
    length = np.linalg.norm(axes, axis=1, keepdims=True)
    if (length < 1e-12).any():
        raise ModelError(f"axis {int(length.argmin()) + 1} has no direction")
    return axes / length
