"""Manipulability and singular configurations: how near, and which motion is lost.

A configuration is singular where the Jacobian has less rank than almost everywhere else
(Damken 2023 §4.4). Rows of velocity and of turning have different units; `length` makes
them comparable, by default the arm's own size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gelenk.errors import ConfigError
from gelenk.kinematics.chain import CHAIN_P, frame_chain
from gelenk.kinematics.jacobian import frame_jacobian, jacobian_partials
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, BoolArray, FloatArray

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
        length: Length that weighs rotation [m]; by default the size of the arm.

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
        length: Length that divides velocities [m]; see `scaled_jacobian`.

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


SINGULAR_TOL = 1e-6  # of scaled Jacobians, whose entries are about 1
_NUM_SAMPLES = 12  # configurations from which the generic rank is read


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SingularityReport:
    """Report of the motions that a configuration can and cannot make.

    Attributes:
        singular_values: Singular values of the scaled task Jacobian, largest first,
            shape (k,).
        rank: Number of task directions that can be moved here.
        full_rank: Rank almost everywhere else.
        condition: Largest over smallest singular value; infinite if singular.
        manipulability: Yoshikawa's measure of the scaled task Jacobian.
        lost_directions: Unit twists in base axes that cannot be produced here but can
            nearby, task rows only, scaled units, shape (full_rank - rank, 6).
        idle_motions: Unit joint velocities that do not move the task here but do
            nearby, shape (full_rank - rank, nv).
        message: Report in words.
    """

    singular_values: FloatArray
    rank: int
    full_rank: int
    condition: float
    manipulability: float
    lost_directions: FloatArray
    idle_motions: FloatArray
    message: str

    @property
    def is_singular(self) -> bool:
        return self.rank < self.full_rank


def smallest_singular_value(
    model: RobotModel,
    q: ArrayLike,
    *,
    frame: str | None = None,
    rows: Sequence[int] = ALL_ROWS,
    length: float | None = None,
) -> FloatArray:
    """Return the distance to the next singularity: the last generic singular value.

    The scale is that of `scaled_jacobian`. As a constraint of a planner or a controller
    it keeps paths away from singularities.

    Returns:
        Singular value number `generic_rank`, zero at a singularity, shape (...).
    """
    J = scaled_jacobian(model, q, frame=frame, rows=rows, length=length)
    sigma = singular_values(J)
    return sigma[..., generic_rank(model, frame=frame, rows=rows) - 1]


def is_singular(
    model: RobotModel,
    q: ArrayLike,
    *,
    frame: str | None = None,
    rows: Sequence[int] = ALL_ROWS,
    length: float | None = None,
    tol: float = SINGULAR_TOL,
) -> BoolArray:
    """Return whether configurations have less rank than almost all others, shape (...).

    Args:
        model: Robot.
        q: Joint values [rad] or [m], shape (..., nq).
        frame: Name of a link; by default the tool.
        rows: Rows of [v; omega] that are the task.
        length: Length that divides velocities [m]; see `scaled_jacobian`.
        tol: Singular value below which a direction counts as lost.

    Example:
        >>> import gelenk
        >>> arm = gelenk.load("planar2r")
        >>> is_singular(arm, [[0.3, 0.0], [0.3, 1.0]], rows=(0, 1))
        array([ True, False])
    """
    sigma = smallest_singular_value(model, q, frame=frame, rows=rows, length=length)
    return sigma < tol


def generic_rank(
    model: RobotModel, *, frame: str | None = None, rows: Sequence[int] = ALL_ROWS
) -> int:
    """Return the largest rank of the task Jacobian over all configurations.

    Read from a dozen configurations drawn with a fixed seed: the set where the rank is
    smaller has no volume.

    Raises:
        ConfigError: If no joint moves the task at all.
    """
    key = ("generic_rank", frame, tuple(rows))
    rank: int = model._cached(key, lambda: _generic_rank(model, frame, rows))
    if rank == 0:
        raise ConfigError(
            f"no joint of {model.name!r} moves the task rows {list(rows)}"
        )
    return rank


def variable_damping(
    sigma_min: ArrayLike, *, threshold: float, max_damping: float
) -> FloatArray:
    """Return the damping that grows to `max_damping` on the way to a singularity.

    lambda^2 = (1 - (sigma_min / threshold)^2) max_damping^2 below `threshold`, else 0.

    Args:
        sigma_min: Smallest singular value, shape (...).
        threshold: Singular value where damping begins, in the same unit, > 0.
        max_damping: Damping in the singularity.

    Returns:
        lambda, shape (...).

    Example:
        >>> variable_damping([0.0, 0.1, 0.2], threshold=0.2, max_damping=0.5).round(3)
        array([0.5  , 0.433, 0.   ])
    """
    if not threshold > 0.0:
        raise ConfigError(f"`threshold` must be > 0, got {threshold}")
    ratio = np.minimum(np.asarray(sigma_min, dtype=np.float64) / threshold, 1.0)
    return max_damping * np.sqrt(1.0 - ratio**2)


def report_singularity(
    model: RobotModel,
    q: ArrayLike,
    *,
    frame: str | None = None,
    rows: Sequence[int] = ALL_ROWS,
    length: float | None = None,
    tol: float = SINGULAR_TOL,
) -> SingularityReport:
    """Return which motions one configuration has lost, in numbers and in words.

    Args:
        model: Robot.
        q: Joint values [rad] or [m], shape (nq,).
        frame: Name of a link; by default the tool.
        rows: Rows of [v; omega] that are the task.
        length: Length that divides velocities [m]; see `scaled_jacobian`.
        tol: Singular value below which a motion counts as lost.

    Example:
        >>> import gelenk
        >>> arm = gelenk.load("planar2r")
        >>> report_singularity(arm, [0.5, 0.0], rows=(0, 1)).rank  # stretched out
        1
    """
    J = scaled_jacobian(model, q, frame=frame, rows=rows, length=length)
    U, sigma, Vt = np.linalg.svd(J)
    full = generic_rank(model, frame=frame, rows=rows)
    rank = int(np.count_nonzero(sigma[:full] >= tol))
    if rank < full < max(J.shape):
        # Null spaces that are there everywhere hide those that are lost here; a small
        # step away orders them by size.
        step = 1e3 * tol * np.random.default_rng(0).uniform(0.5, 1.0, model.nv)
        nearby = model.check_q("q", q).copy()
        nearby[-model.num_joints :] += step[-model.num_joints :]
        U, _, Vt = np.linalg.svd(
            scaled_jacobian(model, nearby, frame=frame, rows=rows, length=length)
        )
    lost = np.zeros((full - rank, 6))
    lost[:, list(rows)] = U[:, rank:full].T
    return SingularityReport(
        singular_values=sigma,
        rank=rank,
        full_rank=full,
        condition=float(sigma[0] / sigma[full - 1]) if rank == full else np.inf,
        manipulability=float(np.prod(sigma[:full])),
        lost_directions=lost,
        idle_motions=Vt[rank:full],
        message=_in_words(rank, full, sigma[full - 1], lost),
    )


def _in_words(rank: int, full: int, sigma: float, lost: FloatArray) -> str:
    if rank == full:
        return f"regular: rank {rank}, smallest singular value {sigma:.3g}"
    losses = " and ".join(_name_direction(twist) for twist in lost)
    return f"singular: rank {rank} of {full}; the frame cannot {losses} (base axes)"


def _name_direction(twist: FloatArray) -> str:
    v, omega = twist[:3], twist[3:]
    parts: list[str] = []
    if np.abs(v).max() > 1e-3:
        parts.append(f"move along {_name_axis(v)}")
    if np.abs(omega).max() > 1e-3:
        parts.append(f"turn about {_name_axis(omega)}")
    return " together with ".join(parts)


def _name_axis(vector: FloatArray) -> str:
    vector = vector / np.sqrt(vector @ vector)
    k = int(np.abs(vector).argmax())
    if abs(vector[k]) > 0.9999:
        return "xyz"[k]
    vector = vector * np.sign(vector[k])
    return "(" + ", ".join(f"{x:.2f}" for x in vector + 0.0) + ")"


def _generic_rank(model: RobotModel, frame: str | None, rows: Sequence[int]) -> int:
    rng = np.random.default_rng(0)
    lower, upper = model.limits
    lower, upper = np.maximum(lower, -np.pi), np.minimum(upper, np.pi)
    q = np.tile(model.home_configuration, (_NUM_SAMPLES, 1))
    q[:, model.nq - model.num_joints :] = rng.uniform(
        lower, upper, (_NUM_SAMPLES, len(lower))
    )
    J = scaled_jacobian(model, q, frame=frame, rows=rows)
    sigma = singular_values(J)
    return int(np.count_nonzero(sigma > SINGULAR_TOL, axis=-1).max())
