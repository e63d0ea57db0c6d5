"""Inverse velocity: joint rates for a wanted tool velocity.

With fewer joints than task rows the answer is the best in the least-squares sense;
with as many, the exact one; with more, the smallest, and the freedom that is left can
serve a second purpose (Damken 2023 §4.3). All functions take matrices, so that any rows
can be the task: `J[..., :2, :]` is the position in the plane.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gelenk.errors import ConfigError, ShapeError
from gelenk.typing import ArrayLike, FloatArray, IntArray

RANK_TOL = 1e-10  # relative to the largest singular value; rounding of J is 1e-15


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class VelocityResult:
    """Joint rates, and their distance from the wanted velocity.

    Attributes:
        qd: Joint velocities [rad/s] or [m/s], shape (..., n).
        residual: Norm of J qd - v in task units, shape (...); for several tasks with
            priorities one value per task, shape (..., k).
        rank: Number of task directions that the joints can serve, shape (...).
    """

    qd: FloatArray
    residual: FloatArray
    rank: IntArray


def solve_velocity(
    J: ArrayLike,
    twist: ArrayLike,
    *,
    damping: ArrayLike = 0.0,
    task_weights: ArrayLike | None = None,
    joint_weights: ArrayLike | None = None,
    rank_tol: float = RANK_TOL,
) -> VelocityResult:
    """Return the joint rates with J qd = twist, best and smallest.

    Minimises |J qd - twist|^2 + damping^2 |qd|^2 with the norms given by the weights;
    of all minima the one of least norm. Without damping and for full rank this is the
    solution, the least-squares solution or the minimum-norm solution
    W^-1 J^T (J W^-1 J^T)^-1 v. Task directions with a singular value below `rank_tol`
    times the largest are given up (truncated SVD). Kinematic constraints on a redundant
    arm are further rows of J.

    Args:
        J: Task Jacobian, shape (..., m, n).
        twist: Wanted task velocity, shape (..., m).
        damping: lambda in task units per joint unit, shape (...).
        task_weights: Factor on each row's error, shape (..., m); makes metres and
            radians comparable.
        joint_weights: Positive definite matrix W of the norm qd^T W qd, such as the
            mass matrix, shape (..., n, n).
        rank_tol: Relative size of singular values that count as zero.

    Raises:
        ShapeError: If the shapes do not fit.
        ConfigError: If `joint_weights` is not positive definite.

    Example:
        Of three joints in a row, each gives a third.

        >>> from gelenk.kinematics import solve_velocity
        >>> solve_velocity([[1.0, 1.0, 1.0]], [3.0]).qd
        array([1., 1., 1.])
    """
    J, twist = _task(J, twist)
    inverse = damped_pseudoinverse(
        J,
        damping=damping,
        task_weights=task_weights,
        joint_weights=joint_weights,
        rank_tol=rank_tol,
    )
    qd = np.matvec(inverse, twist)
    residual = np.linalg.norm(np.matvec(J, qd) - twist, axis=-1)
    return VelocityResult(qd=qd, residual=residual, rank=_rank(J, rank_tol))


def damped_pseudoinverse(
    J: ArrayLike,
    *,
    damping: ArrayLike = 0.0,
    task_weights: ArrayLike | None = None,
    joint_weights: ArrayLike | None = None,
    rank_tol: float = RANK_TOL,
) -> FloatArray:
    """Return the matrix `solve_velocity` applies to the twist, shape (..., n, m)."""
    J = _matrix(J)
    A = J
    rows = None
    if task_weights is not None:
        rows = np.asarray(task_weights, dtype=np.float64)[..., None]
        A = rows * A
    unscale = None
    if joint_weights is not None:
        unscale = _inverse_transposed_factor(joint_weights, J.shape[-1])
        A = A @ unscale
    inverse, _ = _truncated_inverse(A, rank_tol, None, damping)
    if unscale is not None:
        inverse = unscale @ inverse
    if rows is not None:
        inverse = inverse * rows.swapaxes(-1, -2)
    return inverse


def null_space_projector(
    J: ArrayLike, *, joint_weights: ArrayLike | None = None, rank_tol: float = RANK_TOL
) -> FloatArray:
    """Return N = E - J^+ J: what it leaves of a joint velocity does not move the task.

    Args:
        J: Task Jacobian, shape (..., m, n).
        joint_weights: Matrix of the norm of the rates; see `solve_velocity`.
        rank_tol: Relative size of singular values that count as zero.

    Returns:
        N with J N = 0 and N N = N, shape (..., n, n).

    Example:
        >>> import numpy as np
        >>> from gelenk.kinematics import null_space_projector
        >>> J = np.array([[1.0, 1.0, 0.0]])
        >>> null_space_projector(J).round(3)
        array([[ 0.5, -0.5,  0. ],
               [-0.5,  0.5,  0. ],
               [ 0. ,  0. ,  1. ]])
    """
    J = _matrix(J)
    inverse = damped_pseudoinverse(J, joint_weights=joint_weights, rank_tol=rank_tol)
    return np.eye(J.shape[-1]) - inverse @ J


def solve_velocity_with_gradient(
    J: ArrayLike,
    twist: ArrayLike,
    gradient: ArrayLike,
    *,
    gain: ArrayLike = 1.0,
    damping: ArrayLike = 0.0,
) -> VelocityResult:
    """Return J^+ twist + gain N gradient: the task, and uphill with what is free.

    Args:
        J: Task Jacobian, shape (..., m, n).
        twist: Wanted task velocity, shape (..., m).
        gradient: Gradient of the criterion to raise, shape (..., n).
        gain: Speed of the ascent, shape (...).
        damping: Damping of the task; see `solve_velocity`.
    """
    J, twist = _task(J, twist)
    first = solve_velocity(J, twist, damping=damping)
    uphill = np.matvec(null_space_projector(J), np.asarray(gradient, dtype=np.float64))
    qd = first.qd + np.asarray(gain, dtype=np.float64)[..., None] * uphill
    residual = np.linalg.norm(np.matvec(J, qd) - twist, axis=-1)
    return VelocityResult(qd=qd, residual=residual, rank=first.rank)


def solve_task_priority(
    tasks: Sequence[tuple[ArrayLike, ArrayLike]], *, damping: ArrayLike = 0.0
) -> VelocityResult:
    """Return joint rates for several tasks, each served as far as all before allow.

    Each task is solved in the null space of those before it (Siciliano and Slotine
    1991), so a later one never disturbs an earlier one.

    Args:
        tasks: Pairs of Jacobian, shape (..., m_k, n), and velocity, shape (..., m_k);
            the first is the most important.
        damping: Damping of every task, which bounds the rates where two tasks come
            into conflict; see `solve_velocity`.

    Raises:
        ConfigError: If there is no task.
    """
    if not tasks:
        raise ConfigError("`tasks` must hold at least one task, got none")
    pairs = [_task(J, twist) for J, twist in tasks]
    batch = np.broadcast_shapes(*(J.shape[:-2] for J, _ in pairs))
    n = pairs[0][0].shape[-1]
    qd, free = np.zeros((*batch, n)), np.broadcast_to(np.eye(n), (*batch, n, n))
    rank = np.zeros(batch, dtype=np.int64)
    for J, twist in pairs:
        reach = J @ free
        missing = twist - np.matvec(J, qd)
        # Truncated relative to J: what the tasks before leave may be all rounding.
        size = np.linalg.norm(J, axis=(-2, -1))
        damped, _ = _truncated_inverse(reach, RANK_TOL, size, damping)
        exact, gained = _truncated_inverse(reach, RANK_TOL, size, 0.0)
        qd = qd + np.matvec(damped, missing)
        free = free - exact @ reach
        rank = rank + gained
    residual = [
        np.broadcast_to(np.linalg.norm(np.matvec(J, qd) - twist, axis=-1), batch)
        for J, twist in pairs
    ]
    return VelocityResult(qd=qd, residual=np.stack(residual, axis=-1), rank=rank)


def _truncated_inverse(
    A: FloatArray, rank_tol: float, size: FloatArray | None, damping: ArrayLike
) -> tuple[FloatArray, IntArray]:
    """Return the damped inverse without values below `rank_tol` `size`, and the rank.

    By default `size` is the largest singular value.
    """
    U, sigma, Vt = np.linalg.svd(A, full_matrices=False)
    floor = sigma[..., 0] if size is None else size
    keep = sigma > rank_tol * floor[..., None]
    square = sigma**2 + np.square(np.asarray(damping, dtype=np.float64))[..., None]
    gain = np.where(keep, sigma, 0.0) / np.where(keep, square, 1.0)
    inverse = Vt.swapaxes(-1, -2) * gain[..., None, :] @ U.swapaxes(-1, -2)
    return inverse, np.count_nonzero(keep, axis=-1)


def _rank(J: FloatArray, rank_tol: float) -> IntArray:
    sigma = np.linalg.svd(J, compute_uv=False)
    count = np.count_nonzero(sigma > rank_tol * sigma[..., :1], axis=-1)
    return np.asarray(count, dtype=np.int64)


def _matrix(J: ArrayLike) -> FloatArray:
    J = np.asarray(J, dtype=np.float64)
    if J.ndim < 2 or 0 in J.shape[-2:]:
        raise ShapeError("J", expected="(..., m, n)", actual=J.shape)
    return J


def _task(J: ArrayLike, twist: ArrayLike) -> tuple[FloatArray, FloatArray]:
    J, twist = _matrix(J), np.asarray(twist, dtype=np.float64)
    if twist.ndim == 0 or twist.shape[-1] != J.shape[-2]:
        raise ShapeError("twist", expected=f"(..., {J.shape[-2]})", actual=twist.shape)
    return J, twist


def _inverse_transposed_factor(joint_weights: ArrayLike, n: int) -> FloatArray:
    """Return L^-T of W = L L^T."""
    W = np.asarray(joint_weights, dtype=np.float64)
    if W.shape[-2:] != (n, n):
        raise ShapeError("joint_weights", expected=f"(..., {n}, {n})", actual=W.shape)
    try:
        L = np.linalg.cholesky(W)
    except np.linalg.LinAlgError:
        raise ConfigError("`joint_weights` must be positive definite") from None
    return np.asarray(np.linalg.solve(L.swapaxes(-1, -2), np.eye(n)), dtype=np.float64)
