"""Loop closure: passive joints, velocities and mobility of closed mechanisms.

The four ArmBot patterns close by formulas (`patterns`); every other mechanism by
following its home assembly to the wanted motor values (`follow`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from gelenk.errors import LoopError, ShapeError
from gelenk.kinematics.loops import patterns
from gelenk.kinematics.loops.constraint import LoopSystem, evaluate, loop_system
from gelenk.kinematics.loops.follow import CLOSED, assemble_home, follow
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray

RANK_TOL = 1e-8  # of the largest singular value; below, an equation is redundant
TWO_PI = 2.0 * np.pi


class LoopMethod(StrEnum):
    """Method by which the loops of a robot are closed."""

    PATTERN = "pattern"
    FOLLOW = "follow"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LoopResult:
    """All joint values of a closed mechanism, and whether it closes.

    Attributes:
        q_tree: Values of `RobotModel.tree_joint_ids` [rad] or [m], after the base pose
            if the base floats, shape (..., n). Where it does not close: the last
            assembled configuration on the way there.
        closed: Whether all loops close, shape (...).
        gap: Largest closure error [m] or [rad], shape (...).
        steps: Steps of the way (pattern: 0), shape (...).
        method: Formulas or following.
        message: Fault of the first configuration that does not close, or
            "closed".
    """

    q_tree: FloatArray
    closed: BoolArray
    gap: FloatArray
    steps: IntArray
    method: LoopMethod
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mobility:
    """Degrees of freedom of a mechanism at one configuration.

    Attributes:
        dof: Freedom that the closures leave: coordinates minus independent equations.
        num_coordinates: Coordinates of the cut tree.
        num_equations: Closure equations.
        num_redundant: Equations that follow from the others.
        num_motors: Motors.
        num_undetermined: Passive freedom that the motors do not hold; more than 0
            means an idle spin or a singular configuration.
    """

    dof: int
    num_coordinates: int
    num_equations: int
    num_redundant: int
    num_motors: int
    num_undetermined: int

    def __str__(self) -> str:
        return (
            f"{self.dof} degrees of freedom: {self.num_coordinates} coordinates, "
            f"{self.num_equations} closure equations of which {self.num_redundant} are "
            f"redundant; {self.num_motors} motors, {self.num_undetermined} passive "
            "freedoms undetermined"
        )


def close_loops(
    model: RobotModel, q: ArrayLike, *, start: ArrayLike | None = None
) -> LoopResult:
    """Return all joint values for values of the motors, on one assembly branch.

    Without `start` the result depends on `q` alone: the branch is the one of the home
    configuration, followed along the straight line in motor space.

    Args:
        model: Robot with loops.
        q: Motor values [rad] or [m], shape (..., nq).
        start: Assembled tree coordinates to start from instead of home (without a
            floating base), shape (n,): the branch is then that of `start`.

    Raises:
        ShapeError: If `q` or `start` do not fit the robot.
        LoopError: If the home configuration itself cannot be assembled.

    Example:
        >>> import gelenk
        >>> result = close_loops(gelenk.load("fourbar"), [1.0])
        >>> bool(result.closed), result.q_tree.shape
        (True, (3,))
    """
    q = model.check_q("q", q)
    found = patterns.recognize(model)
    if start is None and all(pattern is not None for pattern in found):
        return _close_by_patterns(model, found, q)
    system = loop_system(model)
    origin = assembled_home(model) if start is None else _as_start(system, start)
    batch = q.shape[:-1]
    rows = q.reshape(int(np.prod(batch)), q.shape[-1])  # -1 fails without motors
    motors = rows[:, model.nq - model.num_joints :]
    out = np.empty((len(motors), len(system.home)))
    state, gap = np.empty(len(motors), dtype=np.int64), np.empty(len(motors))
    steps, share = np.empty(len(motors), dtype=np.int64), np.empty(len(motors))
    for k, target in enumerate(motors):
        out[k] = origin
        near = _without_whole_turns(model, target, origin[system.active])
        state[k], gap[k], steps[k], share[k] = follow(
            system.pairs, system.rows, system.lengths, system.active, system.passive,
            pivot_equations(model), out[k], near,
        )  # fmt: skip
        if state[k] == CLOSED:
            out[k, system.active] = target
    closed = state == CLOSED
    message = "closed" if closed.all() else _where_it_ends(model, out, closed, share)
    return LoopResult(
        q_tree=_with_base(model, q, out.reshape(*batch, -1)),
        closed=closed.reshape(batch),
        gap=gap.reshape(batch),
        steps=steps.reshape(batch),
        method=LoopMethod.FOLLOW,
        message=message,
    )


def follow_motion(
    model: RobotModel, q: ArrayLike, *, start: ArrayLike | None = None
) -> LoopResult:
    """Return all joint values along a motion, each step starting from the one before.

    Args:
        model: Robot with loops.
        q: Motor values [rad] or [m] of the motion, shape (count, nq).
        start: Assembled tree coordinates near the first row; by default home.

    Returns:
        Result with batch shape (count,). From the first configuration that cannot be
        reached on, `closed` is False.
    """
    q = model.check_q("q", q)
    if q.ndim != 2:
        raise ShapeError("q", expected=f"(count, {model.nq})", actual=q.shape)
    system = loop_system(model)
    now = _as_start(system, assembled_home(model) if start is None else start)
    motors = q[:, model.nq - model.num_joints :]
    out = np.empty((len(q), len(system.home)))
    closed = np.zeros(len(q), dtype=np.bool_)
    gap, share = np.full(len(q), np.inf), np.zeros(len(q))
    steps = np.zeros(len(q), dtype=np.int64)
    for k, target in enumerate(motors):
        state, gap[k], steps[k], share[k] = follow(
            system.pairs, system.rows, system.lengths, system.active, system.passive,
            pivot_equations(model), now, target,
        )  # fmt: skip
        out[k:] = now
        closed[k] = state == CLOSED
        if not closed[k]:
            break
    message = "closed" if closed.all() else _where_it_ends(model, out, closed, share)
    return LoopResult(
        q_tree=_with_base(model, q, out),
        closed=closed,
        gap=gap,
        steps=steps,
        method=LoopMethod.FOLLOW,
        message=message,
    )


def closed_coordinates(model: RobotModel, q: FloatArray) -> FloatArray:
    """Return the tree coordinates of the closed mechanism, shape (..., n).

    Raises:
        LoopError: If a configuration cannot be assembled.
    """
    result = close_loops(model, q)
    if not result.closed.all():
        raise LoopError(result.message)
    return result.q_tree


def velocity_map(model: RobotModel, q_tree: FloatArray) -> FloatArray:
    """Return Gamma with qd_tree = Gamma qd, shape (..., n_tree, nv).

    Args:
        model: Robot with loops.
        q_tree: Closed tree coordinates as in `LoopResult.q_tree`, shape (..., n).
    """
    system = loop_system(model)
    joints = _joints_of(model, q_tree)
    _, A = evaluate(system, joints.reshape(-1, joints.shape[-1]))
    passive = -_pinv(A[:, :, system.passive]) @ A[:, :, system.active]
    base = 6 if model.has_floating_base else 0
    n, nv = len(system.home) + base, len(system.active) + base
    gamma = np.zeros((len(passive), n, nv))
    gamma[:, range(base), range(base)] = 1.0
    gamma[:, base + system.active, base + np.arange(len(system.active))] = 1.0
    gamma[:, base + system.passive, base:] = passive
    return gamma.reshape(*q_tree.shape[:-1], n, nv)


def mobility(model: RobotModel, q: ArrayLike | None = None) -> Mobility:
    """Return the degrees of freedom at a configuration, by default home.

    The count is instantaneous: at a singular configuration it is larger than nearby.
    """
    system = loop_system(model)
    if q is None:
        joints = assembled_home(model)
    else:
        joints = _joints_of(model, closed_coordinates(model, model.check_q("q", q)))
    _, A = evaluate(system, joints.reshape(1, -1))
    rank = _rank(A[0])
    return Mobility(
        dof=A.shape[2] - rank,
        num_coordinates=A.shape[2],
        num_equations=A.shape[1],
        num_redundant=A.shape[1] - rank,
        num_motors=len(system.active),
        num_undetermined=len(system.passive) - _rank(A[0][:, system.passive]),
    )


def assembled_home(model: RobotModel) -> FloatArray:
    """Return the tree joints of the home configuration, loops closed, shape (n,).

    Raises:
        LoopError: If the home values of the links cannot be corrected to close.
    """
    return model._cached("loop_home", lambda: _assemble_home(model))


def _assemble_home(model: RobotModel) -> FloatArray:
    system = loop_system(model)
    q = system.home.copy()
    if not assemble_home(system.pairs, system.rows, system.lengths, system.passive, q):
        phi, _ = evaluate(system, system.home.reshape(1, -1))
        worst = int(np.abs(phi[0]).argmax())
        pair = int(np.searchsorted(system.pairs[:, 5], worst, side="right")) - 1
        name = model.loops[system.loop_of_pair[pair]].name
        raise LoopError(
            f"robot {model.name!r} cannot be assembled at home: loop {name!r} stays "
            f"open by {np.abs(phi[0]).max():.3g} m; set `home` values of its joints "
            "near an assembled configuration, or check its lengths"
        )
    q.setflags(write=False)
    return q


def pivot_equations(model: RobotModel) -> IntArray:
    """Return as many independent equations as there are passive joints, at home.

    Empty if the passive joints are not determined there.
    """
    return model._cached("loop_pivots", lambda: _find_pivots(model))


def _find_pivots(model: RobotModel) -> IntArray:
    system = loop_system(model)
    _, A = evaluate(system, assembled_home(model).reshape(1, -1))
    return independent_rows(A[0][:, system.passive])


def independent_rows(A: FloatArray) -> IntArray:
    """Return as many independent rows of A as it has columns; empty if there are less.

    Args:
        A: Matrix, shape (m, n).
    """
    rest = A.copy()
    scale = max(float(np.abs(rest).max(initial=0.0)), 1e-300)
    chosen: list[int] = []
    for _ in range(A.shape[1]):
        length = np.linalg.norm(rest, axis=1)
        row = int(length.argmax())
        if length[row] < RANK_TOL * scale:
            return np.empty(0, dtype=np.int64)
        chosen.append(row)
        unit = rest[row] / length[row]
        rest -= np.outer(rest @ unit, unit)
    return np.array(chosen, dtype=np.int64)


def _close_by_patterns(
    model: RobotModel, found: tuple[patterns.Pattern | None, ...], q: FloatArray
) -> LoopResult:
    result = patterns.close(model, found, q)
    return LoopResult(
        q_tree=_with_base(model, q, result.q_tree),
        closed=result.closed,
        gap=result.gap.max(axis=-1),
        steps=np.zeros(q.shape[:-1], dtype=np.int64),
        method=LoopMethod.PATTERN,
        message=result.message,
    )


def _as_start(system: LoopSystem, start: ArrayLike) -> FloatArray:
    array = np.array(start, dtype=np.float64)
    if array.shape != system.home.shape:
        raise ShapeError("start", expected=str(system.home.shape), actual=array.shape)
    return array


def _without_whole_turns(
    model: RobotModel, target: FloatArray, origin: FloatArray
) -> FloatArray:
    """Return the target with motors that turn more than once brought to one turn."""
    turns = np.trunc((target - origin) / TWO_PI)
    turns[model.joint_type[model.joint_ids] != 1] = 0.0
    return target - TWO_PI * turns


def _with_base(model: RobotModel, q: FloatArray, joints: FloatArray) -> FloatArray:
    if not model.has_floating_base:
        return joints
    return np.concatenate([q[..., :7], joints], axis=-1)


def _joints_of(model: RobotModel, q_tree: FloatArray) -> FloatArray:
    return q_tree[..., 7:] if model.has_floating_base else q_tree


def _rank(A: FloatArray) -> int:
    sigma = np.linalg.svd(A, compute_uv=False)
    return int((sigma > RANK_TOL * max(sigma.max(initial=0.0), 1e-300)).sum())


def _pinv(A: FloatArray) -> FloatArray:
    return np.asarray(np.linalg.pinv(A, rcond=RANK_TOL), dtype=np.float64)


def _where_it_ends(
    model: RobotModel, q: FloatArray, closed: BoolArray, share: FloatArray
) -> str:
    k = int(np.flatnonzero(~closed.ravel())[0])
    system = loop_system(model)
    values = ", ".join(
        f"{name} = {value:.4g}"
        for name, value in zip(model.joint_names, q[k][system.active], strict=True)
    )
    return (
        f"robot {model.name!r} cannot be assembled there: its branch ends after "
        f"{100.0 * share[k]:.1f} % of the way, at {values}; stay within the range of "
        "its loops, or start from another assembly"
    )
