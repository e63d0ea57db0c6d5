"""Manipulability: how well a configuration turns joint rates into tool velocity.

Rows of velocity and of turning have different units; `length` makes them comparable, by
default the arm's own size.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gelenk.errors import ConfigError
from gelenk.kinematics.chain import CHAIN_P, frame_chain
from gelenk.kinematics.derivatives import jacobian_partials
from gelenk.kinematics.jacobian import frame_jacobian
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray

ALL_ROWS = (0, 1, 2, 3, 4, 5)


def singular_values(J: ArrayLike) -> FloatArray:
    """Return the semi-axes of the velocity ellipsoid, largest first, shape (..., k).

    Args:
        J: Task Jacobian, shape (..., m, n); k = min(m, n).
    """
    sigma = np.linalg.svd(np.asarray(J, dtype=np.float64), compute_uv=False)
    return np.asarray(sigma, dtype=np.float64)


def manipulability(J: ArrayLike) -> FloatArray:
    """Return Yoshikawa's measure: sqrt(det(J J^T)), or of J^T J with fewer joints.

    It is the product of the singular values, the volume of the velocity ellipsoid but
    for a constant, and |det J| of a square J.

    Args:
        J: Task Jacobian, shape (..., m, n).

    Returns:
        Measure >= 0, zero where rank is lost, shape (...).

    Example:
        >>> import gelenk
        >>> arm = gelenk.load("planar2r")
        >>> for elbow in (0.0, np.pi / 2):
        ...     print(f"{manipulability(arm.jacobian([0.3, elbow])[:2]):.3f}")
        0.000
        0.800
    """
    sigma = singular_values(J)
    return np.prod(sigma, axis=-1)


def condition_number(J: ArrayLike) -> FloatArray:
    """Return the ratio of largest to smallest singular value, shape (...).

    Args:
        J: Task Jacobian, shape (..., m, n).
    """
    sigma = singular_values(J)
    smallest = sigma[..., -1]
    safe = np.where(smallest > 0.0, smallest, 1.0)
    return np.where(smallest > 0.0, sigma[..., 0] / safe, np.inf)


def scaled_jacobian(
    model: RobotModel,
    q: ArrayLike,
    *,
    frame: str | None = None,
    rows: Sequence[int] = ALL_ROWS,
    length: float | None = None,
) -> FloatArray:
    """Return the task rows of a frame's Jacobian, velocities in lengths per second.

    Args:
        model: Robot.
        q: Joint values [rad] or [m], shape (..., nq).
        frame: Name of a link; by default the tool.
        rows: Rows of [v; omega] that are the task.
        length: What a velocity of 1 rad/s is worth [m]; by default the size of the arm.

    Returns:
        Shape (..., len(rows), nv).
    """
    J = frame_jacobian(model, q, frame=frame)
    return select_rows(J, rows, arm_length(model, frame, length))


def manipulability_gradient(
    model: RobotModel,
    q: ArrayLike,
    *,
    frame: str | None = None,
    rows: Sequence[int] = ALL_ROWS,
    length: float | None = None,
) -> FloatArray:
    """Return d mu / d q_k = mu tr(dJ/dq_k J^+) of the scaled task Jacobian.

    At a singularity, where mu has a kink or a flat bottom, it is zero.

    Args:
        model: Robot without loops.
        q: Joint values [rad] or [m], shape (..., nq).
        frame: Name of a link; by default the tool.
        rows: Rows of [v; omega] that are the task.
        length: As in `scaled_jacobian`.

    Returns:
        Gradient, shape (..., nv).
    """
    size = arm_length(model, frame, length)
    J = select_rows(frame_jacobian(model, q, frame=frame), rows, size)
    H = jacobian_partials(model, q, frame=frame)
    scale = np.where(np.asarray(rows) < 3, 1.0 / size, 1.0)
    H = H[..., list(rows), :, :] * scale[:, None, None]
    trace = np.einsum("...ijk,...ji->...k", H, np.linalg.pinv(J))
    return manipulability(J)[..., None] * trace


def select_rows(J: FloatArray, rows: Sequence[int], length: float) -> FloatArray:
    """Return the rows of a Jacobian [v; omega], those of v divided by `length`."""
    scale = np.where(np.asarray(rows) < 3, 1.0 / length, 1.0)
    return J[..., list(rows), :] * scale[:, None]


def arm_length(model: RobotModel, frame: str | None, length: float | None) -> float:
    """Return `length`, or all offsets on the way to the frame, stretched out [m]."""
    if length is None:
        chain = frame_chain(model, frame)
        length = float(np.linalg.norm(chain[:, CHAIN_P : CHAIN_P + 3], axis=1).sum())
        return length if length > 0.0 else 1.0
    if not length > 0.0:
        raise ConfigError(f"`length` must be > 0 m, got {length}")
    return length
