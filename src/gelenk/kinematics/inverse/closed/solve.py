"""Closed inverse kinematics: all joint values for a target, and how many there are.

Where an angle is free (singular pose), one of seven joints is held, or the elbow may
swivel, the choice of q0 can leave all branches outside the limits while another choice
does not. Others are then tried, the nearest first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from gelenk.errors import ConfigError, ShapeError
from gelenk.kinematics.chain import CHAIN_INDEX, frame_chain
from gelenk.kinematics.forward import frame_pose
from gelenk.kinematics.inverse.closed.closed_solver import (
    TASKS,
    ClosedSolver,
    closed_solver,
)
from gelenk.kinematics.inverse.closed.joint_terms import (
    NOT_A_POSE,
    RESPECT_LIMITS,
    WITH_Q0,
)
from gelenk.kinematics.inverse.closed.swivel import swivel_at
from gelenk.kinematics.inverse.result import ClosedTask, IkResult, IkStatus, LimitRule
from gelenk.kinematics.jacobian import frame_jacobian
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray

TRIALS = 48  # of a whole turn, or of a slide's stroke


@dataclass(frozen=True, slots=True, eq=False)
class AlternativeBranches:
    """Branches found away from q0; see `wrist_partition.solve_partition`."""

    count: int
    best: int
    free: int
    out: FloatArray
    report: FloatArray


def solve_alternative(
    solver: ClosedSolver,
    T: FloatArray,
    start: FloatArray,
    mode: int,
    free: int,
    swivel: float | None,
) -> AlternativeBranches | None:
    """Return the branches of the nearest other choice that has some, or None.

    Args:
        solver: Closed solver of the arm.
        T: Target, shape (4, 4).
        start: Configuration whose choice did not do, shape (nq,).
        mode: Bits WITH_Q0 and RESPECT_LIMITS.
        free: Bits of the joints that were free.
        swivel: Swivel angle demanded by the caller [rad].
    """
    assert solver.kernel is not None
    out, report = np.empty(solver.shape), np.empty(4)
    for other, psi in _choices(solver, start, free, swivel):
        report[0] = psi
        count, best, bits = solver.kernel(solver.constants, T, other, mode, out, report)
        if best >= 0:
            return AlternativeBranches(count, best, bits, out, report)
    return None


def _choices(
    solver: ClosedSolver, start: FloatArray, free: int, swivel: float | None
) -> Iterator[tuple[FloatArray, float]]:
    """Yield configurations to take free and held values from, and swivel angles."""
    if free:
        ids = [i for bit, i in enumerate(solver.core_ids) if free >> bit & 1 and i >= 0]
        for step in _steps(2.0 * math.pi):
            other = start.copy()
            other[ids] += step
            yield other, math.nan if swivel is None else swivel
    if solver.has_swivel and swivel is None:
        psi = swivel_at(solver.constants, start)
        for step in _steps(2.0 * math.pi):
            yield start, psi + step
    if solver.can_move_held:
        i = solver.held_ids[0]
        lower, upper = solver.limits[:, i]
        # Twice the range: the start may lie at one end of it.
        span = 2.0 * (upper - lower) if math.isfinite(upper - lower) else 2.0 * math.pi
        for step in _steps(span):
            if lower <= start[i] + step <= upper:
                other = start.copy()
                other[i] += step
                yield other, math.nan


def _steps(span: float) -> Iterator[float]:
    """Yield steps of both signs and growing size up to half of `span`."""
    for k in range(1, TRIALS // 2 + 1):
        yield k * span / TRIALS
        yield -k * span / TRIALS


_CONVERGED = IkStatus.CONVERGED  # a name, since looking it up takes longer
_MODES = {"respect": RESPECT_LIMITS, "ignore": 0}


def solve_closed(
    model: RobotModel,
    T_base_target: ArrayLike,
    *,
    frame: str | None = None,
    q0: ArrayLike | None = None,
    task: ClosedTask = "pose",
    limits: LimitRule = "respect",
    swivel: float | None = None,
) -> IkResult:
    """Return all joint values that bring a frame to a target, found by formulas.

    The structure of the arm decides which formulas; `closed_family` names it. Every
    branch is checked by forward kinematics to 1e-10 m and rad. An angle is given once,
    not with its whole turns: the copy nearest to `q0` (without `q0`: to 0) that the
    limits allow. Where a pose leaves an angle free (aligned wrist, wrist point above
    the shoulder) it is taken from `q0`, and the message says so.

    Joints that the structure does not need keep their values of `q0`: those that do not
    move the frame, one of seven (unless shoulder and wrist are spherical: then the
    swivel angle of the elbow is kept), and all but three if only a position is asked
    for. Where no branch is within limits then, other values of the one joint, of the
    swivel angle or of the free angle are tried.

    Args:
        model: Robot with a fixed base and without loops.
        T_base_target: Wanted pose of the frame in the base, shape (4, 4).
        frame: Name of a link; by default the tool.
        q0: Joint values to stay close to, shape (nq,); by default those at home.
        task: "pose"; "position": of the frame's origin only; "rotation".
        limits: "respect": only branches within the joint limits; "ignore": all.
        swivel: Angle of the elbow about the line from shoulder to wrist [rad], from the
            direction of the first axis; only for seven joints with spherical shoulder
            and wrist. By default that of `q0`.

    Returns:
        The result. `solutions` are the branches, `q` the one nearest to `q0`. Status
        CONVERGED; OUT_OF_LIMITS: `q` is a branch outside the limits, `solutions` is
        empty; UNREACHABLE: there is none (with a joint held: none was found), `q` is
        `q0`; NO_CLOSED_FORM: the message says why.

    Raises:
        ShapeError: If the target or `q0` has the wrong shape.
        ConfigError: If the target is no pose or an option makes no sense.
        NameNotFoundError: If there is no such frame.

    Example:
        A planar arm of two links of 1.0 m and 0.8 m reaches a point in two ways.

        >>> import gelenk
        >>> import numpy as np
        >>> arm = gelenk.load("planar2r")
        >>> T = np.eye(4)
        >>> T[:2, 3] = 1.2, 0.6
        >>> arm.inverse(T, method="closed", task="position").solutions.round(6)
        array([[-0.171499,  1.470629],
               [ 1.098795, -1.470629]])
    """
    solver = model._cache.get(("closed", frame, task))
    if solver is None:
        solver = closed_solver(model, frame, task)
    T = np.asarray(T_base_target, dtype=np.float64)
    if T.shape != (4, 4):
        raise ShapeError("T_base_target", expected="(4, 4)", actual=T.shape)
    if not T.flags.carray:
        T = np.array(T, order="C")
    try:
        mode = _MODES[limits]
    except KeyError:
        raise ConfigError(
            f"`limits` must be one of {', '.join(_MODES)}, got {limits!r}"
        ) from None
    start = solver.home
    if q0 is not None:
        start = _checked(model, q0)
        mode |= WITH_Q0
    if solver.kernel is None:
        return _no_solution(model, solver, T, frame, task, start)
    out, report = np.empty(solver.shape), np.empty(4)
    if solver.has_swivel or swivel is not None:
        report[0] = _checked_swivel(solver, swivel)
    count, best, free = solver.kernel(solver.constants, T, start, mode, out, report)
    is_moved = False
    if best < 0 and count != NOT_A_POSE and (free or solver.is_redundant):
        found = solve_alternative(solver, T, start, mode, free, swivel)
        if found is not None:
            is_moved, count, best = True, found.count, found.best
            free, out, report = free | found.free, found.out, found.report
    if best >= 0:
        note = _note(solver, free, is_moved) if free or solver.is_redundant else ""
        return IkResult(out[best], _CONVERGED, report, solver.limits, out[:count], note)
    if count == NOT_A_POSE:
        raise ConfigError(
            "`T_base_target` must be a pose: finite, with an orthonormal, right-handed "
            "rotation part"
        )
    if best == -1:
        return _outside(solver, out, report)
    return _no_solution(model, solver, T, frame, task, start)


def closed_family(model: RobotModel, frame: str | None = None) -> str | None:
    """Return the name of the structure by which a frame's pose is solved, or None.

    Names are explained in `closed_solver.family_name`, for instance "spherical_wrist".

    Raises:
        NameNotFoundError: If there is no such frame.

    Example:
        >>> import gelenk
        >>> closed_family(gelenk.load("puma560"))
        'spherical_wrist'
        >>> closed_family(gelenk.load("ur5e"))
        'three_parallel'
    """
    return closed_solver(model, frame, "pose").family or None


def swivel_angle(model: RobotModel, q: ArrayLike, *, frame: str | None = None) -> float:
    """Return the swivel angle of an arm with spherical shoulder and wrist [rad].

    The angle of the elbow about the line from shoulder to wrist, zero where the elbow
    lies towards the direction of the first axis.

    Args:
        model: Robot.
        q: Joint values [rad], shape (nq,).
        frame: Name of a link behind the wrist; by default the tool.

    Raises:
        ShapeError: If `q` has the wrong shape.
        ConfigError: If the arm has no swivel angle.
    """
    solver = closed_solver(model, frame, "pose")
    if not solver.has_swivel:
        raise ConfigError(
            f"robot {model.name!r} has no swivel angle: that takes seven joints with "
            f"spherical shoulder and wrist, found: {solver.family or solver.reason}"
        )
    return float(swivel_at(solver.constants, _checked(model, q, "q")))


def _checked(model: RobotModel, q: ArrayLike, name: str = "q0") -> FloatArray:
    """Return one finite configuration as an array of its own."""
    array = np.array(q, dtype=np.float64, order="C")
    if array.shape != (model.nq,):
        raise ShapeError(name, expected=f"({model.nq},)", actual=array.shape)
    if not math.isfinite(array.sum()):
        raise ConfigError(f"`{name}` must be finite, got {array.tolist()}")
    return array


def _checked_swivel(solver: ClosedSolver, swivel: float | None) -> float:
    if swivel is None:
        return math.nan
    if not solver.has_swivel:
        raise ConfigError(
            "`swivel` is for seven joints with spherical shoulder and wrist; this arm "
            f"is: {solver.family or solver.reason}"
        )
    if not math.isfinite(swivel):
        raise ConfigError(f"`swivel` must be finite [rad], got {swivel}")
    return float(swivel)


def _note(solver: ClosedSolver, free: int, is_moved: bool) -> str:
    """Return what is special about a solved target."""
    choice = "as near to `q0` as limits allow" if is_moved else "as in `q0`"
    names = [name for k, name in enumerate(solver.core) if free >> k & 1 and name]
    if names:
        return (
            "singular pose: a continuum of solutions, here with "
            f"{', '.join(names)} {choice}"
        )
    if solver.has_swivel:
        return f"one of a family of solutions, swivel angle {choice}"
    return f"one of a family of solutions, {', '.join(solver.held)} held {choice}"


def _hint(solver: ClosedSolver) -> str:
    if solver.has_swivel:
        return "; another `swivel` may help"
    if solver.held:
        return f"; {', '.join(solver.held)} are held as in `q0`: try others"
    return ""


def _outside(solver: ClosedSolver, out: FloatArray, report: FloatArray) -> IkResult:
    """Return the result with the branch least outside the limits, the last row."""
    note = "all branches lie outside the joint limits; `q` is the one least outside"
    return IkResult(
        out[-1],
        IkStatus.OUT_OF_LIMITS,
        report,
        solver.limits,
        out[:0],
        note + _hint(solver),
    )


def _no_solution(
    model: RobotModel,
    solver: ClosedSolver,
    T: FloatArray,
    frame: str | None,
    task: str,
    q: FloatArray,
) -> IkResult:
    """Return the result without a branch: `q` is where we started."""
    T_now = frame_pose(model, q, frame=frame)
    gap = np.linalg.norm(T_now[:3, 3] - T[:3, 3])
    size = np.linalg.norm(T_now[:3, :3] - T[:3, :3]) / math.sqrt(8.0)
    angle = 2.0 * math.asin(min(1.0, float(size)))
    report = np.array([0.0 if task == "rotation" else gap, angle, 0.0, 1.0])
    if task == "position":
        report[1] = 0.0
    if solver.kernel is None:
        status = IkStatus.NO_CLOSED_FORM
        note = f'{solver.reason}; use method="lm"'
    else:
        status = IkStatus.UNREACHABLE
        note = f"no joint values reach the target{_hint(solver)}"
    empty = np.empty((0, len(q)))
    return IkResult(q.copy(), status, report, solver.limits, empty, note)


RANK_TOL = 1e-6  # ratio of singular values that counts as 0
SAMPLES = 8  # configurations; one regular one is enough

_ROWS = {"pose": slice(0, 6), "position": slice(0, 3), "rotation": slice(3, 6)}


class Solvability(StrEnum):
    """Kind of solution set of an inverse problem (Damken 2023 §3.2)."""

    UNREACHABLE = "unreachable"
    """The target has no solution."""
    FINITE = "finite"
    """As many joints as values: finitely many, singular poses aside."""
    FAMILY = "family"
    """More joints than values: infinitely many solutions."""
    TASK_REDUCED = "task_reduced"
    """Fewer joints than values: only special targets are reached."""


def solvability(
    model: RobotModel,
    T_base_target: ArrayLike | None = None,
    *,
    frame: str | None = None,
    task: ClosedTask = "pose",
) -> Solvability:
    """Return what the solutions for a task, or for one target, look like.

    The task's Jacobian decides: its largest rank is the number of values the arm can
    choose, the number of joints beyond that is the number left free.

    Args:
        model: Robot with a fixed base and without loops.
        T_base_target: Target, shape (4, 4). Given and out of reach, the answer is
            UNREACHABLE; that takes an arm with a closed solution.
        frame: Name of a link; by default the tool.
        task: "pose", "position" or "rotation".

    Raises:
        ConfigError: If there is no such task or the target is no pose.
        NameNotFoundError: If there is no such frame.

    Example:
        >>> import gelenk
        >>> solvability(gelenk.load("panda"))
        <Solvability.FAMILY: 'family'>
    """
    closed_solver(model, frame, task)  # checks task and frame
    if T_base_target is not None:
        result = solve_closed(model, T_base_target, frame=frame, task=task)
        if result.status is IkStatus.UNREACHABLE:
            return Solvability.UNREACHABLE
    ids = frame_chain(model, frame)[:-1, CHAIN_INDEX].astype(np.int64)
    rows = _ROWS[task]
    wanted = 6 if TASKS[task] == TASKS["pose"] else 3
    rng = np.random.default_rng(0)
    q = rng.uniform(-1.0, 1.0, size=(SAMPLES, model.nq))
    J = frame_jacobian(model, q, frame=frame)[:, rows][..., ids]
    rank = 0
    if len(ids):
        values = np.linalg.svd(J, compute_uv=False)
        rank = int((values > RANK_TOL * values.max()).sum(axis=1).max())
    if rank < wanted:
        return Solvability.TASK_REDUCED
    return Solvability.FAMILY if len(ids) > rank else Solvability.FINITE
